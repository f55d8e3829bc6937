/* Bytes of meta.db, profile.db, cct.db and trace.db -> structures: the only parser of this format. These files are made of pointers, so
 * structures are handed out where they are asked for, not in a row. Nothing is sized by a count of a file before it was laid against the
 * bytes that are there; whatever is handed out as an array lies inside its file.
 *
 * Damage goes to `say` when the structure it is in is decoded, and what it hides is handed out as absent. Layouts: docs/formats/hpcdb.md. */
#ifndef FORMATS_HPCDB_DECODE_H
#define FORMATS_HPCDB_DECODE_H

#include "base/cancel.h"
#include "base/cursor.h"
#include "base/error.h"
#include "base/input.h"
#include "base/vec.h"

enum hpcdb_part { HPCDB_META, HPCDB_PROFILE, HPCDB_CCT, HPCDB_TRACE };
enum { HPCDB_PARTS = 4, HPCDB_MAX_SECTIONS = 8, HPCDB_FOOTER_LEN = 8, HPCDB_HEAD_LEN = 16, HPCDB_SECTION_LEN = 16 };

/* Sections by their place in the header of their file. */
enum hpcdb_section_id {
    HPCDB_GENERAL = 0,
    HPCDB_ID_NAMES = 1,
    HPCDB_METRICS = 2,
    HPCDB_CONTEXT = 3,
    HPCDB_STRINGS = 4,
    HPCDB_MODULES = 5,
    HPCDB_FILES = 6,
    HPCDB_FUNCTIONS = 7,
    HPCDB_PROFILE_INFOS = 0,
    HPCDB_ID_TUPLES = 1,
    HPCDB_CTX_INFOS = 0,
    HPCDB_CTX_TRACES = 0
};

/* What a file is, whoever wrote it. */
struct hpcdb_layout {
    const char *name, *format, *footer;
    unsigned section_count;
    const char *section_names[HPCDB_MAX_SECTIONS];
    uint8_t section_heads[HPCDB_MAX_SECTIONS]; /* bytes of each section's own header */
};
extern const struct hpcdb_layout hpcdb_layouts[HPCDB_PARTS];

/* Sizes of elements: the least that a reader of 4.0 needs. */
enum {
    HPCDB_METRIC_LEN = 32,
    HPCDB_INST_LEN = 16,
    HPCDB_SUMMARY_LEN = 24,
    HPCDB_SCOPE_LEN = 16,
    HPCDB_MODULE_LEN = 16,
    HPCDB_FILE_LEN = 16,
    HPCDB_FUNCTION_LEN = 40,
    HPCDB_ENTRY_LEN = 32,
    HPCDB_CONTEXT_LEN = 32,
    HPCDB_PROFILE_LEN = 48,
    HPCDB_VALUE_LEN = 10,
    HPCDB_INDEX_LEN = 12,
    HPCDB_TUPLE_LEN = 8,
    HPCDB_ID_LEN = 16,
    HPCDB_CTX_LEN = 32,
    HPCDB_CCT_VALUE_LEN = 12,
    HPCDB_CCT_INDEX_LEN = 10,
    HPCDB_TRACE_LEN = 24,
    HPCDB_SAMPLE_LEN = 12
};

#define HPCDB_NONE UINT32_MAX /* no element */

struct hpcdb_section {
    uint64_t size, off;
    bool is_ok; /* lies inside the file and has room for its header */
};

/* Bytes of a file that need not be in memory, through a window that moves to where somebody looks. Not for two threads at once. */
enum { HPCDB_WINDOW = 32768 };
struct hpcdb_view {
    struct input *in; /* NULL = the file is in memory, and the window is all of it */
    const unsigned char *at;
    uint64_t from, to, end; /* what the window shows; where that which is looked at ends */
    unsigned char *room;
    uint32_t room_len;
};

struct hpcdb_file {
    assay_slice bytes;           /* data NULL = in `in`; meta.db is always in memory */
    struct input *in;            /* where bytes are not in memory */
    struct hpcdb_view *elements; /* for the elements of its array; of whoever opened it */
    bool is_there;
    bool is_ok;  /* magic, format and major version are right: the sections can be looked at */
    bool is_cut; /* compressed, and only its beginning could be unpacked */
    bool is_draft;
    uint8_t major, minor;
    struct hpcdb_section sections[HPCDB_MAX_SECTIONS];
};

/* Nothing from `end` on will be looked at. `room` is borrowed for as long as the view is used; 512 bytes at least. */
void hpcdb_view_init(struct hpcdb_view *v, const struct hpcdb_file *f, uint64_t end, unsigned char *room, uint32_t room_len);
const unsigned char *hpcdb_view_move(struct hpcdb_view *v, uint64_t off, uint32_t len);
/* `len` bytes, at most 256, which must lie before the end; valid until the next call. What a file no longer has is 0. */
static inline const unsigned char *hpcdb_view_at(struct hpcdb_view *v, uint64_t off, uint32_t len)
{
    return off >= v->from && off + len <= v->to ? v->at + (off - v->from) : hpcdb_view_move(v, off, len);
}
/* Moves the window to [from, to), which must lie before the end and be no longer than the room. */
void hpcdb_view_block(struct hpcdb_view *v, uint64_t from, uint64_t to);
/* Several elements of `stride` bytes at once: as many as the window shows, one at least, *count of them at most. */
static inline const unsigned char *hpcdb_view_some(struct hpcdb_view *v, uint64_t off, uint32_t stride, uint64_t *count)
{
    if (off >= v->from && off + *count * stride <= v->to) return v->at + (off - v->from);
    const unsigned char *at = hpcdb_view_at(v, off, stride);
    uint64_t shown = (v->to - off) / stride;
    if (shown < *count) *count = shown;
    return at;
}

/* Elements of one size that lie inside their file. */
struct hpcdb_array {
    const unsigned char *at; /* NULL = through the view */
    struct hpcdb_view *view;
    uint64_t off;
    uint32_t count, stride;
};
static inline uint64_t hpcdb_element_off(const struct hpcdb_array *a, uint32_t i) { return a->off + (uint64_t)i * a->stride; }
/* Valid until the next element of the same array. */
static inline const unsigned char *hpcdb_element(const struct hpcdb_array *a, uint32_t i)
{
    return a->at ? a->at + (size_t)i * a->stride : hpcdb_view_at(a->view, hpcdb_element_off(a, i), a->stride);
}
/* The element that begins at this offset of the file, or HPCDB_NONE. */
uint32_t hpcdb_element_at(const struct hpcdb_array *a, uint64_t off);

/* Damage: `text` without the name of the file. */
typedef void (*hpcdb_say_fn)(void *arg, enum hpcdb_part part, const char *rule, int severity, uint64_t off, const char *text);

/* Read only for users. */
struct hpcdb {
    struct hpcdb_file file[HPCDB_PARTS];
    bool is_single; /* one file by itself, not a directory */
    hpcdb_say_fn say;
    void *say_arg;

    struct hpcdb_array kinds, metrics, scopes, modules, files, functions, entries; /* meta.db */
    uint32_t inst_stride, summary_stride;
    struct hpcdb_array profiles; /* profile.db */
    struct hpcdb_array ctxs;     /* cct.db */
    struct hpcdb_array traces;   /* trace.db */
    uint64_t min_timestamp, max_timestamp;
};

/* Decodes headers, sections and the heads of all arrays; file[].bytes, in, elements and is_there, say and is_single must be set. */
void hpcdb_begin(struct hpcdb *db);
/* Which file these bytes begin, or HPCDB_PARTS. */
unsigned hpcdb_part_of(assay_slice head);
/* Whether the last bytes are those that end such a file. */
bool hpcdb_has_footer(const struct hpcdb *db, enum hpcdb_part part);
void hpcdb_say(const struct hpcdb *db, enum hpcdb_part part, const char *rule, int severity, uint64_t off, const char *fmt, ...)
    __attribute__((format(printf, 6, 7)));

/* For db->say of a copy: when what was said before is decoded again. */
void hpcdb_be_silent(void *arg, enum hpcdb_part part, const char *rule, int severity, uint64_t off, const char *text);

/* Bytes of meta.db. */
static inline const unsigned char *hpcdb_meta(const struct hpcdb *db, uint64_t off) { return (const unsigned char *)db->file[HPCDB_META].bytes.data + off; }
/* Copies bytes that lie inside any of the files. Any number of threads. */
void hpcdb_get(const struct hpcdb *db, enum hpcdb_part part, uint64_t off, void *buf, size_t len);
/* true = `len` bytes from `off` on are inside the section. */
bool hpcdb_in_section(const struct hpcdb *db, enum hpcdb_part part, unsigned section, uint64_t off, uint64_t len);
/* A text that begins at `off` and ends with a NUL inside the section; without the NUL. */
bool hpcdb_text(const struct hpcdb *db, unsigned section, uint64_t off, assay_slice *out);

/* ---- meta.db ---- */

/* What hpcprof writes for want of a description. */
#define HPCDB_NO_DESCRIPTION "TODO database description"
struct hpcdb_general {
    uint64_t off, title_at, description_at; /* pointers as written */
    assay_slice title, description;
};
/* false = the section cannot be used. */
bool hpcdb_general(const struct hpcdb *db, struct hpcdb_general *out);
/* The name of kind i < kinds.count; empty when it is damaged, which is said. *at is the pointer as written. */
assay_slice hpcdb_kind_at(const struct hpcdb *db, uint32_t i, uint64_t *at);

struct hpcdb_scope {
    uint64_t off, name_at;
    assay_slice name;
    uint8_t type, index;
};
struct hpcdb_metric {
    uint64_t off, name_at, insts_at, summaries_at;
    uint16_t inst_count, summary_count; /* as written */
    assay_slice name;
    struct hpcdb_array insts, summaries;
};
struct hpcdb_inst {
    uint64_t off, scope_at;
    uint32_t scope; /* its number, or HPCDB_NONE */
    uint16_t id;
};
struct hpcdb_summary {
    uint64_t off, scope_at, formula_at;
    uint32_t scope;
    assay_slice formula;
    uint8_t combine;
    uint16_t id;
};
void hpcdb_scope_at(const struct hpcdb *db, uint32_t i, struct hpcdb_scope *out);
void hpcdb_metric_at(const struct hpcdb *db, uint32_t i, struct hpcdb_metric *out);
void hpcdb_inst_at(const struct hpcdb *db, const struct hpcdb_metric *m, uint32_t i, struct hpcdb_inst *out);
void hpcdb_summary_at(const struct hpcdb *db, const struct hpcdb_metric *m, uint32_t i, struct hpcdb_summary *out);

/* A load module or a source file. */
struct hpcdb_path {
    uint64_t off, path_at;
    uint32_t flags;
    assay_slice path; /* data NULL = damaged */
};
struct hpcdb_function {
    uint64_t off, name_at, module_at, file_at, offset;
    assay_slice name; /* data NULL = none */
    uint32_t module, file, line, flags;
};
void hpcdb_module_at(const struct hpcdb *db, uint32_t i, struct hpcdb_path *out);
void hpcdb_file_at(const struct hpcdb *db, uint32_t i, struct hpcdb_path *out);
void hpcdb_function_at(const struct hpcdb *db, uint32_t i, struct hpcdb_function *out);

/* ---- the context tree ---- */

enum { HPCDB_HAS_FUNCTION = 1, HPCDB_HAS_SOURCE = 2, HPCDB_HAS_POINT = 4 };

struct hpcdb_context {
    uint64_t off, children_len, children_at;
    bool is_entry;
    uint32_t depth;  /* entries: 1 */
    uint32_t parent; /* the mark that the caller gave to the context above; 0 for entries */
    uint32_t id;
    /* entries */
    uint16_t entry_point;
    uint64_t name_at;
    assay_slice name;
    /* others */
    uint8_t flags, relation, lexical, words;
    uint16_t propagation;
    uint64_t function_at, file_at, module_at, offset; /* as written; 0 = not there */
    uint32_t function, file, module;                  /* numbers of elements, or HPCDB_NONE */
    uint32_t line;
};

struct hpcdb_level {
    uint64_t at, end; /* of the siblings that are left */
    uint64_t owner;   /* the context whose children they are */
    uint32_t mark;
};

/* Goes through the tree, every context before its children, siblings in the order of the file. */
struct hpcdb_walk {
    const struct hpcdb *db;
    struct mem *mem;
    uint32_t mark; /* set by the caller after each context: what its children get as `parent` */

    uint32_t entry; /* the next one */
    uint64_t bytes_left;
    uint8_t *seen; /* a bit for every 8 bytes of the section: a context began there */
    size_t seen_len;
    VEC(struct hpcdb_level) stack;
    uint64_t pending_at, pending_len, pending_owner; /* children of the context handed out last */
    bool failed;                                     /* no memory */
};
int hpcdb_walk_init(struct hpcdb_walk *w, const struct hpcdb *db, struct mem *mem, assay_error *err);
/* false = the end, or no memory (then `failed`). */
bool hpcdb_walk_next(struct hpcdb_walk *w, struct hpcdb_context *c);
void hpcdb_walk_done(struct hpcdb_walk *w);

/* ---- profile.db ---- */

struct hpcdb_profile {
    uint64_t off, value_count, values_at, ctxs_at, tuple_at; /* as written */
    uint32_t ctx_count, flags;
    bool is_ok; /* both arrays lie inside the file; else the counts below are 0 */
    uint64_t n_values;
    uint32_t n_ctxs;
    struct hpcdb_view values, ctxs;
    unsigned char rooms[2][HPCDB_WINDOW];
};
enum { HPCDB_IS_SUMMARY = 1 };
/* *out must stay where it is: its views look into it. */
void hpcdb_profile_at(const struct hpcdb *db, uint32_t i, struct hpcdb_profile *out);

static inline const unsigned char *hpcdb_profile_ctx(struct hpcdb_profile *p, uint32_t i)
{
    return hpcdb_view_at(&p->ctxs, p->ctxs_at + (uint64_t)i * HPCDB_INDEX_LEN, HPCDB_INDEX_LEN);
}
static inline const unsigned char *hpcdb_profile_value(struct hpcdb_profile *p, uint64_t i)
{
    return hpcdb_view_at(&p->values, p->values_at + i * HPCDB_VALUE_LEN, HPCDB_VALUE_LEN);
}
/* Several values in a row, as hpcdb_view_some gives them. */
static inline const unsigned char *hpcdb_profile_values(struct hpcdb_profile *p, uint64_t i, uint64_t *count)
{
    return hpcdb_view_some(&p->values, p->values_at + i * HPCDB_VALUE_LEN, HPCDB_VALUE_LEN, count);
}
static inline uint32_t hpcdb_ctx_id(struct hpcdb_profile *p, uint32_t i) { return bytes_u32le(hpcdb_profile_ctx(p, i)); }
static inline uint64_t hpcdb_ctx_start(struct hpcdb_profile *p, uint32_t i) { return bytes_u64le(hpcdb_profile_ctx(p, i) + 4); }
static inline uint16_t hpcdb_value_metric(struct hpcdb_profile *p, uint64_t i) { return bytes_u16le(hpcdb_profile_value(p, i)); }
static inline double hpcdb_value(struct hpcdb_profile *p, uint64_t i) { return bytes_f64le(hpcdb_profile_value(p, i) + 2); }

struct hpcdb_run {
    uint64_t begin, end; /* of values; never past the last one, whatever the file says */
};
static inline struct hpcdb_run hpcdb_run_of(uint64_t begin, uint64_t end, uint64_t count)
{
    end = end < count ? end : count;
    return (struct hpcdb_run){ begin < end ? begin : end, end };
}
static inline struct hpcdb_run hpcdb_ctx_run(struct hpcdb_profile *p, uint32_t i)
{
    bool is_last = i + 1 == p->n_ctxs;
    const unsigned char *index = hpcdb_view_at(&p->ctxs, p->ctxs_at + (uint64_t)i * HPCDB_INDEX_LEN, is_last ? HPCDB_INDEX_LEN : 2 * HPCDB_INDEX_LEN);
    return hpcdb_run_of(bytes_u64le(index + 4), is_last ? p->n_values : bytes_u64le(index + HPCDB_INDEX_LEN + 4), p->n_values);
}
/* Goes through the contexts of a profile; zero it to begin. */
struct hpcdb_indices {
    const unsigned char *at; /* the next one and, unless it is the last, the one after it: its run ends there */
    uint32_t next, shown;    /* its number; how many the window shows that way */
};
struct hpcdb_index {
    uint32_t number, id;
    uint64_t start; /* as written */
    struct hpcdb_run run;
};
void hpcdb_indices_show(struct hpcdb_profile *p, struct hpcdb_indices *w);
/* false = the end, or the work is cancelled. */
static inline bool hpcdb_indices_next(struct hpcdb_profile *p, struct hpcdb_indices *w, struct hpcdb_index *out)
{
    if (w->next == p->n_ctxs || (w->shown == 0 && cancel_due())) return false;
    if (w->shown == 0) hpcdb_indices_show(p, w);
    out->number = w->next++;
    out->id = bytes_u32le(w->at);
    out->start = bytes_u64le(w->at + 4);
    out->run = hpcdb_run_of(out->start, w->next == p->n_ctxs ? p->n_values : bytes_u64le(w->at + HPCDB_INDEX_LEN + 4), p->n_values);
    w->at += HPCDB_INDEX_LEN;
    w->shown--;
    return true;
}
/* By binary search: the index of the context, or HPCDB_NONE; the value of a metric in a run, 0 = not there. */
uint32_t hpcdb_find_ctx(struct hpcdb_profile *p, uint32_t id);
double hpcdb_find_value(struct hpcdb_profile *p, struct hpcdb_run run, uint16_t metric);

struct hpcdb_tuple {
    uint64_t off;
    uint16_t count;
};
struct hpcdb_id {
    uint8_t kind;
    uint16_t flags;
    uint32_t logical;
    uint64_t physical;
};
/* false = the profile has none, or it is damaged, which is said. */
bool hpcdb_tuple_of(const struct hpcdb *db, struct hpcdb_profile *p, struct hpcdb_tuple *out);
struct hpcdb_id hpcdb_id_at(const struct hpcdb *db, const struct hpcdb_tuple *t, uint16_t i);

/* ---- cct.db ---- */

struct hpcdb_ctx {
    uint64_t off, value_count, values_at, metrics_at; /* as written */
    uint16_t metric_count;
    bool is_ok;
    uint64_t n_values;
    uint16_t n_metrics;
    struct hpcdb_view values, metrics;
    struct hpcdb_view block; /* both of them, where they lie together: the next context most often follows in the same window */
    unsigned char rooms[2][HPCDB_WINDOW];
};
/* Once, before the first context. *out must stay where it is: its views look into it. */
void hpcdb_ctx_init(const struct hpcdb *db, struct hpcdb_ctx *out);
void hpcdb_ctx_at(const struct hpcdb *db, uint32_t i, struct hpcdb_ctx *out);
/* The same for those who only want to know what it has: no need of hpcdb_ctx_init, and nothing can be looked at through it. */
void hpcdb_ctx_head(const struct hpcdb *db, uint32_t i, struct hpcdb_ctx *out);

static inline const unsigned char *hpcdb_cct_metric(struct hpcdb_ctx *c, uint32_t i)
{
    return hpcdb_view_at(&c->metrics, c->metrics_at + (uint64_t)i * HPCDB_CCT_INDEX_LEN, HPCDB_CCT_INDEX_LEN);
}
static inline const unsigned char *hpcdb_cct_bytes(struct hpcdb_ctx *c, uint64_t i)
{
    return hpcdb_view_at(&c->values, c->values_at + i * HPCDB_CCT_VALUE_LEN, HPCDB_CCT_VALUE_LEN);
}
/* Several values in a row, as hpcdb_view_some gives them. */
static inline const unsigned char *hpcdb_cct_values(struct hpcdb_ctx *c, uint64_t i, uint64_t *count)
{
    return hpcdb_view_some(&c->values, c->values_at + i * HPCDB_CCT_VALUE_LEN, HPCDB_CCT_VALUE_LEN, count);
}
static inline uint16_t hpcdb_metric_id(struct hpcdb_ctx *c, uint32_t i) { return bytes_u16le(hpcdb_cct_metric(c, i)); }
static inline uint64_t hpcdb_metric_start(struct hpcdb_ctx *c, uint32_t i) { return bytes_u64le(hpcdb_cct_metric(c, i) + 2); }
static inline uint32_t hpcdb_cct_profile(struct hpcdb_ctx *c, uint64_t i) { return bytes_u32le(hpcdb_cct_bytes(c, i)); }
static inline double hpcdb_cct_value(struct hpcdb_ctx *c, uint64_t i) { return bytes_f64le(hpcdb_cct_bytes(c, i) + 4); }
static inline struct hpcdb_run hpcdb_metric_run(struct hpcdb_ctx *c, uint32_t i)
{
    return hpcdb_run_of(hpcdb_metric_start(c, i), i + 1u < c->n_metrics ? hpcdb_metric_start(c, i + 1u) : c->n_values, c->n_values);
}

/* ---- trace.db ---- */

struct hpcdb_trace {
    uint64_t off, start, end; /* as written */
    uint32_t profile;
    uint64_t count; /* whole samples inside the file */
    struct hpcdb_view samples;
    unsigned char room[HPCDB_WINDOW];
};
/* As hpcdb_profile_at. */
void hpcdb_trace_at(const struct hpcdb *db, uint32_t i, struct hpcdb_trace *out);
static inline const unsigned char *hpcdb_sample(struct hpcdb_trace *t, uint64_t i)
{
    return hpcdb_view_at(&t->samples, t->start + i * HPCDB_SAMPLE_LEN, HPCDB_SAMPLE_LEN);
}
/* Several samples in a row, as hpcdb_view_some gives them. */
static inline const unsigned char *hpcdb_samples(struct hpcdb_trace *t, uint64_t i, uint64_t *count)
{
    return hpcdb_view_some(&t->samples, t->start + i * HPCDB_SAMPLE_LEN, HPCDB_SAMPLE_LEN, count);
}
static inline uint64_t hpcdb_sample_time(struct hpcdb_trace *t, uint64_t i) { return bytes_u64le(hpcdb_sample(t, i)); }
static inline uint32_t hpcdb_sample_ctx(struct hpcdb_trace *t, uint64_t i) { return bytes_u32le(hpcdb_sample(t, i) + 8); }

#endif

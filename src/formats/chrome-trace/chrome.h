/* Traces in the Trace Event format: JSON -> records -> spans, samples, markers and counters. docs/formats/chrome-trace.md has the grammar and the rules. */
#ifndef FORMATS_CHROME_TRACE_CHROME_H
#define FORMATS_CHROME_TRACE_CHROME_H

#include "base/index.h"
#include "base/intern.h"
#include "base/kids.h"
#include "formats/format.h"

/* ---- decode: the only parser ---- */

enum chrome_kind {
    CHROME_EVENT,  /* of traceEvents, or of the array */
    CHROME_FRAME,  /* of stackFrames: id, name, cat, parent */
    CHROME_SAMPLE, /* of samples: pid, tid, ts, sf, weight */
    CHROME_TEXT    /* a value of the document, otherData or metadata: frame is the key, text the value */
};

/* A key or value of args, in the order of the file. A key's value is the next one; what is inside an object or array is one deeper. */
struct chrome_token {
    uint64_t at; /* in `text` of the record */
    uint32_t len;
    uint8_t kind, depth; /* enum json_kind; 0 = args itself */
};

struct chrome_record {
    enum chrome_kind kind;
    char ph; /* 0 = there is none */
    bool has_ts, has_dur, is_local;
    bool is_bad_time; /* ts is there, but is no time */
    uint64_t off, line;
    int64_t ts, dur; /* ns */
    int64_t weight;
    bool is_pid_number, is_tid_number; /* then pid_number and tid_number say it too */
    int64_t pid_number, tid_number;
    assay_slice name, cat, pid, tid, id, scope, text; /* {NULL, 0} = not said */
    assay_slice frame, parent;                        /* id of a frame; its parent, or sf of a sample */
    const char *token_text;
    const struct chrome_token *tokens; /* of args */
    size_t token_count;
};

struct chrome_walk {
    bool keeps_args; /* of all events, not only of those that are nothing without them */
    bool is_array;   /* the document is an array */
    bool is_cut;     /* the input ends inside it */
};

typedef int (*chrome_fn)(void *arg, const struct chrome_record *r);
/* Calls fn for each record, in the order of the file; what a record points to lasts until fn returns. Damage goes to `damage`. Errors: those of fn, of input
 * and of memory. */
int chrome_decode(const struct read_job *job, struct chrome_walk *w, struct findings *damage, chrome_fn fn, void *arg, assay_error *err);
/* ns. Twice as much still fits, so lengths of spans do. */
#define CHROME_TIME_MAX ((int64_t)4600000000000000000)
/* Microseconds as text, with or without a fraction -> ns, rounded; false = it is no number, or not within 146 years of 0. */
bool chrome_time(assay_slice text, int64_t *ns);

/* ---- args ---- */

assay_slice chrome_token_text(const struct chrome_record *r, size_t i);
/* The place behind the value at i. */
size_t chrome_token_behind(const struct chrome_record *r, size_t i);
/* The value of `key` in the object whose token is at i; token_count = there is none, or it is no object. */
size_t chrome_token_find(const struct chrome_record *r, size_t i, const char *key);
/* The value at i as JSON on one line. */
void chrome_token_put(const struct chrome_record *r, size_t i, struct output *out);

/* ---- collect: records -> what is in the file, stream by stream ---- */

/* Process and thread ids are numbers or texts. */
struct chrome_id {
    int64_t number;
    uint32_t text; /* of names; 0 = it is a number */
};

struct chrome_func {
    uint32_t name, cat;          /* of names; 0 = none */
    uint32_t file, line, column; /* of embedded profiles */
    bool is_used;                /* some context has it */
};

enum { CHROME_B, CHROME_E, CHROME_X, CHROME_GONE /* an E that closed something */ };

/* B and E until they are matched; then a span each. */
struct chrome_span {
    int64_t begin, end;
    uint64_t off;
    uint32_t line;
    uint32_t what; /* function; name of an E, 0 = it has none */
    uint32_t set;  /* labels; of an E that waits: the one before it + 1 */
    uint32_t kind;
};

/* Of a name, while B and E of a stream are matched. */
struct chrome_named {
    uint32_t stream; /* whose figures these are, + 1 */
    uint32_t open;   /* B that are open */
    uint32_t waits;  /* newest E + 1 at `ts` that closed nothing */
    int64_t ts;
};

struct chrome_open {
    int64_t begin, end, inside; /* inside: time of what it calls */
    uint32_t node;
    size_t row;
};

struct chrome_sample {
    int64_t ts, weight;
    uint64_t off, line;
    uint32_t frame; /* of frames; 0 = no stack */
};

struct chrome_stream {
    struct chrome_id pid, tid;
    uint32_t name;
    VEC(uint32_t) begun; /* functions of B that E are likely to close */
    VEC(struct chrome_span) spans;
    VEC(struct chrome_sample) samples;
};

struct chrome_process {
    struct chrome_id pid;
    uint32_t name;
    uint32_t stream; /* first of it + 1; 0 = none */
};

/* A frame of stackFrames that is listed, or that something refers to. */
struct chrome_frame {
    uint32_t func;   /* 0 = it is not listed */
    uint32_t parent; /* 0 = none */
    uint32_t node;
    uint64_t off, line;
    uint8_t state; /* 0 = not looked at, 1 = being looked at, 2 = sound, 3 = not sound */
};

struct chrome_async {
    int64_t ts, end;
    uint64_t off, line;
    uint32_t key; /* of async_keys */
    uint32_t func, set;
    uint32_t partner; /* while it is open: the one of its key that was open before + 1 */
    bool is_end, is_matched;
};
struct chrome_async_key {
    uint32_t cat, id, scope, name;
    struct chrome_id pid;
    uint32_t open; /* newest begin + 1 */
};

struct chrome_marker {
    int64_t ts;
    uint32_t stream, name, cat, set;
};

struct chrome_counter {
    struct chrome_id pid;
    uint32_t name, id, series, cat;
};
struct chrome_reading {
    uint32_t counter;
    int64_t ts;
    double value;
};

struct chrome_v8_node {
    uint64_t id, parent;
    bool has_parent;
    uint8_t state; /* 0 = not looked at, 1 = being looked at, 2 = it has its context */
    uint32_t func, node;
};
/* The samples of one event. */
struct chrome_chunk {
    int64_t ts;
    size_t samples, samples_end, deltas, deltas_end;
};

/* A V8 profile that Profile and ProfileChunk events, or one CpuProfile event, hold. */
struct chrome_profile {
    struct chrome_id pid, tid;
    uint32_t id;
    double start, end; /* us */
    bool has_end;
    uint64_t off, line;
    VEC(struct chrome_v8_node) nodes;
    struct index index; /* of nodes by id */
    VEC(struct chrome_chunk) chunks;
    VEC(uint64_t) samples;
    VEC(double) deltas;
};

/* What one part adds up to in one context. */
struct chrome_cell {
    uint32_t node;
    int64_t wall; /* ns */
    uint64_t calls;
    int64_t samples;
    double time; /* us */
};

/* A span or sample of the timeline. */
struct chrome_row {
    int64_t time, length; /* ns */
    int64_t self;         /* ns, of a span */
    int64_t weight;
    double us; /* time of a sample */
    uint32_t node, set;
};

/* Events come by the million, and their names and categories by the thousand: which function a pair was last found to be. Two neighbours share what falls on
 * either. */
enum { CHROME_CACHE = 8192 };
struct chrome_cached {
    const char *name;
    uint32_t func; /* 0 = nothing */
    uint16_t name_len, cat_len;
};

struct chrome {
    struct mem *mem;
    assay_error *err;
    struct findings *damage;
    assay_builder *labels; /* where labels are made; NULL = nobody wants them */
    VEC(assay_label_id) set;
    VEC(char) key;
    bool wants_rows;
    struct chrome_walk walk;
    struct intern names;
    VEC(struct chrome_func) funcs; /* [0] is none */
    struct index func_index;
    struct chrome_cached *cache; /* CHROME_CACHE of them */
    VEC(uint32_t) func_of;       /* by name: the function that had it last */
    VEC(struct chrome_stream) streams;
    struct index stream_index;
    VEC(struct chrome_process) processes;
    struct index process_index;
    struct intern frame_ids; /* id n is frames.at[n] */
    VEC(struct chrome_frame) frames;
    VEC(struct chrome_async) async;
    VEC(struct chrome_async_key) async_keys;
    struct index async_index;
    VEC(struct chrome_marker) markers;
    VEC(struct chrome_counter) counters;
    struct index counter_index;
    VEC(struct chrome_reading) readings;
    VEC(struct chrome_profile) profiles;
    struct index profile_index;
    VEC(uint32_t) texts; /* key, value, key, ... of the document */
    uint64_t phases[128], events, flows, instants, frame_count, sample_count, profile_samples;
    uint32_t last_stream;
    /* ---- settle ---- */
    struct kids nodes; /* key: function */
    VEC(struct chrome_cell) cells;
    VEC(uint32_t) slot; /* by node: its cell + 1 */
    VEC(struct chrome_row) rows;
    VEC(struct chrome_open) open;
    VEC(uint32_t) begun;            /* B that are open */
    VEC(uint32_t) order;            /* of B and E by time, where they are not in it */
    VEC(struct chrome_named) named; /* by name */
    VEC(uint32_t) chain;
    VEC(uint8_t) is_stack; /* by node: a sample ends there */
    double idle_time;
    int64_t idle_samples;
    uint64_t spans, unmatched_begin, unmatched_end, async_spans, async_unmatched, stacks;
    uint64_t functions, contexts; /* of samples where the file has them, else of spans */
};

/* Reads all of it. chrome_done is due in either case. Errors: input, memory. */
int chrome_collect(struct chrome *c, const struct read_job *job, struct findings *damage, assay_error *err);
void chrome_done(struct chrome *c);
/* Id 0, or false = no memory. */
uint32_t chrome_name(struct chrome *c, assay_slice text);
uint32_t chrome_func(struct chrome *c, const struct chrome_func *f);
bool chrome_id(struct chrome *c, assay_slice text, struct chrome_id *out);
bool chrome_pid(struct chrome *c, const struct chrome_record *r, struct chrome_id *out);
static inline bool chrome_same_id(struct chrome_id a, struct chrome_id b) { return a.number == b.number && a.text == b.text; }
/* NULL = there is none. */
struct chrome_stream *chrome_find_stream(const struct chrome *c, struct chrome_id pid, struct chrome_id tid);
struct chrome_process *chrome_find_process(const struct chrome *c, struct chrome_id pid);
/* The labels of args; 0 = none, or nobody wants them. */
int chrome_label_set(struct chrome *c, const struct chrome_record *r, uint32_t *set);
/* Takes in a Profile, ProfileChunk or CpuProfile event. */
int chrome_profile_add(struct chrome *c, const struct chrome_record *r);
void chrome_profile_done(struct chrome *c, struct chrome_profile *p);

/* ---- settle: stream by stream into contexts ---- */

enum chrome_part_kind { CHROME_SAMPLES, CHROME_SPANS, CHROME_PROFILE, CHROME_ASYNC };
struct chrome_part {
    enum chrome_part_kind kind;
    uint32_t at; /* of streams, of profiles; function of an async part */
};
typedef int (*chrome_part_fn)(void *arg, const struct chrome_part *part);
/* Calls fn for each part, when c->cells and c->rows are those of this part; NULL = only damage is looked for. Parents have smaller numbers than
 * children in c->nodes. */
int chrome_settle(struct chrome *c, chrome_part_fn fn, void *arg);
int chrome_settle_spans(struct chrome *c, uint32_t stream);
int chrome_settle_samples(struct chrome *c, struct chrome_stream *s);
/* Finds frames that are their own callers, or whose callers are missing. */
int chrome_settle_frames(struct chrome *c);
/* What a sample in this context adds. */
int chrome_add_sample(struct chrome *c, struct chrome_row row);
int chrome_settle_profile(struct chrome *c, struct chrome_profile *p);
int chrome_settle_async(struct chrome *c, chrome_part_fn fn, void *arg);
/* The cell of a node in the part that is open; NULL = no memory. */
struct chrome_cell *chrome_cell(struct chrome *c, uint32_t node);
/* The node of a function below another; 0 = no memory. */
uint32_t chrome_node(struct chrome *c, uint32_t parent, uint32_t func);
int chrome_row(struct chrome *c, struct chrome_row row);

int chrome_read(const struct read_job *job, assay_builder *b, assay_error *err);
int chrome_check(const struct read_job *job, struct findings *out, assay_error *err);
int chrome_dump(const struct read_job *job, struct output *out, assay_error *err);
int chrome_write(const assay_profile *p, const struct write_job *job, struct output *out, assay_error *err);

#endif

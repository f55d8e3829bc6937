/* Headers, footers, sections and the heads of the arrays; see formats/hpcdb/decode.h. */
#include "formats/hpcdb/decode.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "assay/error.h"

static const char magic[] = "HPCTOOLKIT";
enum { MAGIC_LEN = sizeof magic - 1, FORMAT_AT = 10, FORMAT_LEN = 4, MAJOR_AT = 14, MINOR_AT = 15, MAJOR = 4, TRACES_HEAD = 0x20 };

const struct hpcdb_layout hpcdb_layouts[HPCDB_PARTS] = {
    { "meta.db",
      "meta",
      "_meta.db",
      8,
      { "General", "IdNames", "Metrics", "Context", "Strings", "Modules", "Files", "Functions" },
      { 0x10, 0x09, 0x1b, 0x0b, 0, 0x0e, 0x0e, 0x0e } },
    { "profile.db", "prof", "_prof.db", 2, { "ProfileInfos", "IdTuples" }, { 0x0d, 0 } },
    { "cct.db", "ctxt", "__ctx.db", 1, { "CtxInfos" }, { 0x0d } },
    { "trace.db", "trce", "trace.db", 1, { "CtxTraces" }, { 0x20 } },
};

void hpcdb_say(const struct hpcdb *db, enum hpcdb_part part, const char *rule, int severity, uint64_t off, const char *fmt, ...)
{
    char text[300];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    db->say(db->say_arg, part, rule, severity, off, text);
}

void hpcdb_be_silent(void *arg, enum hpcdb_part part, const char *rule, int severity, uint64_t off, const char *text)
{
    (void)arg, (void)part, (void)rule, (void)severity, (void)off, (void)text;
}

unsigned hpcdb_part_of(assay_slice head)
{
    if (!slice_starts(head, magic) || head.len < FORMAT_AT + FORMAT_LEN) return HPCDB_PARTS;
    for (unsigned part = 0; part < HPCDB_PARTS; part++)
        if (memcmp(head.data + FORMAT_AT, hpcdb_layouts[part].format, FORMAT_LEN) == 0) return part;
    return HPCDB_PARTS;
}

/* ---- bytes ---- */

enum { LOOK = 1024, BACK = 128 }; /* bytes that are read where somebody jumps about; before a place that others come back to */

void hpcdb_get(const struct hpcdb *db, enum hpcdb_part part, uint64_t off, void *buf, size_t len)
{
    const struct hpcdb_file *f = &db->file[part];
    if (f->bytes.data)
        memcpy(buf, f->bytes.data + off, len);
    else
        input_at(f->in, off, buf, len);
}

void hpcdb_view_init(struct hpcdb_view *v, const struct hpcdb_file *f, uint64_t end, unsigned char *room, uint32_t room_len)
{
    const unsigned char *data = (const unsigned char *)f->bytes.data;
    *v = (struct hpcdb_view){ .in = f->in, .at = data ? data : room, .to = data ? end : 0, .end = end, .room = room, .room_len = room_len };
}

/* Shows the file from `from` on. What the window has of that already is not read again. */
static void show(struct hpcdb_view *v, uint64_t from, uint64_t most)
{
    size_t kept = from >= v->from && from < v->to ? (size_t)(v->to - from) : 0;
    if (kept > most) kept = (size_t)most;
    memmove(v->room, v->room + (kept ? from - v->from : 0), kept);
    v->from = from;
    v->to = v->end - from < most ? v->end : from + most;
    input_at(v->in, from + kept, v->room + kept, (size_t)(v->to - from) - kept);
}

void hpcdb_view_block(struct hpcdb_view *v, uint64_t from, uint64_t to)
{
    if (from < v->from || to > v->to) show(v, from, v->room_len);
}

/* Whoever goes on where the window ends gets a full one, whoever jumps about a small one around the place. */
const unsigned char *hpcdb_view_move(struct hpcdb_view *v, uint64_t off, uint32_t len)
{
    bool goes_on = off >= v->from && off <= v->to + v->room_len / 2;
    uint64_t most = goes_on || v->room_len < LOOK ? v->room_len : LOOK, before = goes_on ? BACK : (most - len) / 2, at = goes_on && v->to < off ? v->to : off;
    show(v, at > before ? at - before : 0, most);
    return v->room + (off - v->from);
}

/* ---- the file ---- */

static bool check_head(struct hpcdb *db, enum hpcdb_part part)
{
    struct hpcdb_file *f = &db->file[part];
    const struct hpcdb_layout *l = &hpcdb_layouts[part];
    size_t head_len = HPCDB_HEAD_LEN + (size_t)HPCDB_SECTION_LEN * l->section_count;
    char bytes[HPCDB_HEAD_LEN];
    assay_slice head = { bytes, f->bytes.len < sizeof bytes ? f->bytes.len : sizeof bytes };
    hpcdb_get(db, part, 0, bytes, head.len);
    if (!slice_starts(head, magic)) {
        hpcdb_say(db, part, "H007", ASSAY_ERROR, 0, "it does not begin with HPCTOOLKIT");
        return false;
    }
    if (f->bytes.len >= FORMAT_AT + FORMAT_LEN && hpcdb_part_of(head) != (unsigned)part) {
        hpcdb_say(db, part, "H008", ASSAY_ERROR, FORMAT_AT, "the format identifier is not '%s', as the file name requires", l->format);
        return false;
    }
    if (f->bytes.len > MINOR_AT) {
        f->major = (uint8_t)bytes[MAJOR_AT];
        f->minor = (uint8_t)bytes[MINOR_AT];
        if (f->major != MAJOR) {
            hpcdb_say(db, part, "H009", ASSAY_ERROR, MAJOR_AT, "major version %u, but only %d is known", f->major, MAJOR);
            return false;
        }
    }
    if (f->bytes.len >= head_len) return true;
    hpcdb_say(db, part, "H006", ASSAY_ERROR, f->bytes.len, "%zu bytes, but its header alone has %zu", f->bytes.len, head_len);
    return false;
}

bool hpcdb_has_footer(const struct hpcdb *db, enum hpcdb_part part)
{
    char last[HPCDB_FOOTER_LEN];
    uint64_t len = db->file[part].bytes.len;
    if (len < sizeof last) return false;
    hpcdb_get(db, part, len - sizeof last, last, sizeof last);
    return memcmp(last, hpcdb_layouts[part].footer, sizeof last) == 0;
}

static void check_footer(const struct hpcdb *db, enum hpcdb_part part)
{
    uint64_t len = db->file[part].bytes.len;
    if (hpcdb_has_footer(db, part)) return;
    hpcdb_say(db, part, "H012", ASSAY_ERROR, len < HPCDB_FOOTER_LEN ? 0 : len - HPCDB_FOOTER_LEN,
              "the footer '%s' is missing: the file is truncated, or its writer did not finish", hpcdb_layouts[part].footer);
}

/* ---- sections ---- */

static void take_section(struct hpcdb *db, enum hpcdb_part part, unsigned i)
{
    const struct hpcdb_layout *l = &hpcdb_layouts[part];
    struct hpcdb_section *s = &db->file[part].sections[i];
    uint64_t len = db->file[part].bytes.len, at = HPCDB_HEAD_LEN + (uint64_t)HPCDB_SECTION_LEN * i;
    uint64_t head_len = HPCDB_HEAD_LEN + (uint64_t)HPCDB_SECTION_LEN * l->section_count;
    const char *name = l->section_names[i];
    unsigned char place[HPCDB_SECTION_LEN];
    hpcdb_get(db, part, at, place, sizeof place);
    s->size = bytes_u64le(place);
    s->off = bytes_u64le(place + 8);
    s->is_ok = false;
    if (s->size == 0 && l->section_heads[i] == 0) return;
    if (s->off > len || s->size > len - s->off)
        hpcdb_say(db, part, "H020", ASSAY_ERROR, at, "section %s of %" PRIu64 " bytes at 0x%" PRIx64 " runs past the end of the file", name, s->size, s->off);
    else if (s->off < head_len)
        hpcdb_say(db, part, "H021", ASSAY_ERROR, at + 8, "section %s begins at 0x%" PRIx64 ", inside the header", name, s->off);
    else if (s->size < l->section_heads[i])
        hpcdb_say(db, part, "H023", ASSAY_ERROR, at, "section %s has %" PRIu64 " bytes, but its own header needs %u", name, s->size, l->section_heads[i]);
    else {
        s->is_ok = true;
        if (s->off + s->size > len - HPCDB_FOOTER_LEN)
            hpcdb_say(db, part, "H025", ASSAY_ERROR, at, "section %s overlaps the last 8 bytes, where the footer is", name);
    }
}

bool hpcdb_in_section(const struct hpcdb *db, enum hpcdb_part part, unsigned section, uint64_t off, uint64_t len)
{
    const struct hpcdb_section *s = &db->file[part].sections[section];
    return s->is_ok && off >= s->off && off - s->off <= s->size && len <= s->size - (off - s->off);
}

bool hpcdb_text(const struct hpcdb *db, unsigned section, uint64_t off, assay_slice *out)
{
    const struct hpcdb_section *s = &db->file[HPCDB_META].sections[section];
    *out = (assay_slice){ NULL, 0 };
    if (!hpcdb_in_section(db, HPCDB_META, section, off, 1)) return false;
    const char *begin = db->file[HPCDB_META].bytes.data + off;
    const char *end = memchr(begin, 0, (size_t)(s->size - (off - s->off)));
    if (!end) return false;
    *out = slice_from(begin, end);
    return true;
}

/* ---- arrays ---- */

uint32_t hpcdb_element_at(const struct hpcdb_array *a, uint64_t off)
{
    uint64_t from = off - a->off;
    if (off < a->off || from >= (uint64_t)a->count * a->stride) return HPCDB_NONE;
    if (from <= UINT32_MAX) return (uint32_t)from % a->stride ? HPCDB_NONE : (uint32_t)from / a->stride;
    return from % a->stride ? HPCDB_NONE : (uint32_t)(from / a->stride);
}

/* Where an array is said to be, and by which fields. */
struct array_spec {
    enum hpcdb_part part;
    unsigned section;
    const char *name, *outside, *stride_rule;
    uint64_t pointer_at, count_at, stride_at; /* offsets of the fields in the section */
    uint32_t count, stride, least;
};

/* Takes as many elements as lie inside the section. */
static void take_array(struct hpcdb *db, const struct array_spec *a, struct hpcdb_array *out)
{
    const struct hpcdb_section *s = &db->file[a->part].sections[a->section];
    unsigned char pointer[8];
    hpcdb_get(db, a->part, s->off + a->pointer_at, pointer, sizeof pointer);
    uint64_t off = bytes_u64le(pointer);
    *out = (struct hpcdb_array){ .off = off, .stride = a->stride };
    if (a->stride < a->least) {
        hpcdb_say(db, a->part, a->stride_rule, ASSAY_ERROR, s->off + a->stride_at, "%s: elements of %u bytes, but version 4.0 has %u", a->name, a->stride,
                  a->least);
        return;
    }
    if (a->count == 0) return;
    if (off < s->off || off - s->off > s->size) {
        hpcdb_say(db, a->part, a->outside, ASSAY_ERROR, s->off + a->pointer_at, "%s at 0x%" PRIx64 " is outside section %s", a->name, off,
                  hpcdb_layouts[a->part].section_names[a->section]);
        return;
    }
    uint64_t fits = (s->size - (off - s->off)) / a->stride;
    if (a->count > fits)
        hpcdb_say(db, a->part, a->outside, ASSAY_ERROR, s->off + a->count_at, "%s: %u elements, but only %" PRIu64 " fit into section %s", a->name, a->count,
                  fits, hpcdb_layouts[a->part].section_names[a->section]);
    const char *data = db->file[a->part].bytes.data;
    out->at = data ? (const unsigned char *)data + off : NULL;
    out->view = db->file[a->part].elements;
    out->count = a->count < fits ? a->count : (uint32_t)fits;
}

/* Layouts of early 2022 that call themselves 4.0 as well. */
static void refuse_draft(struct hpcdb *db, enum hpcdb_part part, uint64_t off)
{
    db->file[part].is_draft = true;
    hpcdb_say(db, part, "H013", ASSAY_ERROR, off,
              "pre-release layout of early 2022, which calls itself 4.0 but differs: create the database again with hpcprof");
}

static void begin_metrics(struct hpcdb *db)
{
    const struct hpcdb_section *s = &db->file[HPCDB_META].sections[HPCDB_METRICS];
    if (!s->is_ok) return;
    const unsigned char *p = hpcdb_meta(db, s->off);
    uint32_t metric = p[0x0c], inst = p[0x0d], summary = p[0x0e];
    struct array_spec metrics = { HPCDB_META, HPCDB_METRICS, "metrics", "H041", "H040", 0, 8, 0x0c, bytes_u32le(p + 8), metric, HPCDB_METRIC_LEN };
    struct array_spec scopes = { HPCDB_META, HPCDB_METRICS, "scopes", "H042", "H040", 0x10, 0x18, 0x1a, bytes_u16le(p + 0x18), p[0x1a], HPCDB_SCOPE_LEN };
    bool is_draft = metric == 24 && inst == 24 && summary == 16;
    if (is_draft) refuse_draft(db, HPCDB_META, s->off + 0x0c); /* first: it explains the rest */
    take_array(db, &metrics, &db->metrics);
    take_array(db, &scopes, &db->scopes);
    db->inst_stride = inst;
    db->summary_stride = summary;
    if (is_draft) return;
    if (inst < HPCDB_INST_LEN)
        hpcdb_say(db, HPCDB_META, "H040", ASSAY_ERROR, s->off + 0x0d, "scope instances of %u bytes, but version 4.0 has %d", inst, HPCDB_INST_LEN);
    if (summary < HPCDB_SUMMARY_LEN)
        hpcdb_say(db, HPCDB_META, "H040", ASSAY_ERROR, s->off + 0x0e, "summary statistics of %u bytes, but version 4.0 has %d", summary, HPCDB_SUMMARY_LEN);
}

static void begin_kinds(struct hpcdb *db)
{
    const struct hpcdb_section *s = &db->file[HPCDB_META].sections[HPCDB_ID_NAMES];
    if (!s->is_ok) return;
    struct array_spec a = { HPCDB_META, HPCDB_ID_NAMES, "names of kinds", "H032", "H032", 0, 8, 8, *hpcdb_meta(db, s->off + 8), 8, 8 };
    take_array(db, &a, &db->kinds);
}

static void begin_table(struct hpcdb *db, unsigned section, const char *name, uint32_t least, struct hpcdb_array *out)
{
    const struct hpcdb_section *s = &db->file[HPCDB_META].sections[section];
    if (!s->is_ok) return;
    const unsigned char *p = hpcdb_meta(db, s->off);
    struct array_spec a = { HPCDB_META, section, name, "H061", "H060", 0, 8, 0x0c, bytes_u32le(p + 8), bytes_u16le(p + 0x0c), least };
    take_array(db, &a, out);
}

static void begin_entries(struct hpcdb *db)
{
    const struct hpcdb_section *s = &db->file[HPCDB_META].sections[HPCDB_CONTEXT];
    if (!s->is_ok || db->file[HPCDB_META].is_draft) return; /* drafts have roots there, not entry points */
    const unsigned char *p = hpcdb_meta(db, s->off);
    struct array_spec a = { HPCDB_META, HPCDB_CONTEXT, "entry points", "H070", "H070", 0, 8, 0x0a, bytes_u16le(p + 8), p[0x0a], HPCDB_ENTRY_LEN };
    take_array(db, &a, &db->entries);
}

static void begin_meta(struct hpcdb *db)
{
    begin_kinds(db);
    begin_metrics(db);
    begin_table(db, HPCDB_MODULES, "load modules", HPCDB_MODULE_LEN, &db->modules);
    begin_table(db, HPCDB_FILES, "source files", HPCDB_FILE_LEN, &db->files);
    begin_table(db, HPCDB_FUNCTIONS, "functions", HPCDB_FUNCTION_LEN, &db->functions);
    begin_entries(db);
}

/* profile.db, cct.db and trace.db have one array each, whose section begins alike. */
static void begin_list(struct hpcdb *db, enum hpcdb_part part, struct array_spec a, struct hpcdb_array *out)
{
    const struct hpcdb_section *s = &db->file[part].sections[0];
    if (!s->is_ok) return;
    unsigned char p[TRACES_HEAD] = { 0 };
    hpcdb_get(db, part, s->off, p, s->size < sizeof p ? (size_t)s->size : sizeof p);
    a.part = part;
    a.count_at = 8;
    a.stride_at = 0x0c;
    a.count = bytes_u32le(p + 8);
    a.stride = p[0x0c];
    if (part == HPCDB_PROFILE && a.stride == 40) refuse_draft(db, part, s->off + 0x0c);
    take_array(db, &a, out);
    if (part != HPCDB_TRACE) return;
    db->min_timestamp = bytes_u64le(p + 0x10);
    db->max_timestamp = bytes_u64le(p + 0x18);
}

void hpcdb_begin(struct hpcdb *db)
{
    for (unsigned part = 0; part < HPCDB_PARTS; part++) {
        struct hpcdb_file *f = &db->file[part];
        if (!f->is_there) continue;
        f->is_ok = check_head(db, (enum hpcdb_part)part);
        if (!f->is_ok) continue;
        check_footer(db, (enum hpcdb_part)part);
        for (unsigned i = 0; i < hpcdb_layouts[part].section_count; i++) take_section(db, (enum hpcdb_part)part, i);
    }
    begin_meta(db);
    begin_list(db, HPCDB_PROFILE, (struct array_spec){ .name = "profiles", .outside = "H091", .stride_rule = "H090", .least = HPCDB_PROFILE_LEN },
               &db->profiles);
    begin_list(db, HPCDB_CCT, (struct array_spec){ .name = "contexts", .outside = "H121", .stride_rule = "H120", .least = HPCDB_CTX_LEN }, &db->ctxs);
    begin_list(db, HPCDB_TRACE, (struct array_spec){ .name = "traces", .outside = "H141", .stride_rule = "H140", .least = HPCDB_TRACE_LEN }, &db->traces);
}

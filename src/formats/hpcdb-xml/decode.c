/* Elements -> records; see decode.h. */
#include "formats/hpcdb-xml/decode.h"

#include <math.h>

#include "base/number.h"

enum { STOP = 1 }; /* what a handler returns when the rest is of no use */

static const char *const tag_names[HX_TAGS] = { "PF", "Pr", "C", "L", "S", "SCC", "LM", "F", "P", "A" };
const char *hx_tag_name(enum hx_tag tag) { return tag < HX_TAGS ? tag_names[tag] : "?"; }

static const struct {
    const char *table, *entry;
} name_tables[HX_NAME_KINDS] = { [HX_MODULES] = { "LoadModuleTable", "LoadModule" },
                                 [HX_FILES] = { "FileTable", "File" },
                                 [HX_PROCEDURES] = { "ProcedureTable", "Procedure" },
                                 [HX_IDENTIFIERS] = { "IdentifierNameTable", "Identifier" } };
const char *hx_names_name(enum hx_name_kind kind) { return name_tables[kind].entry; }

bool hx_number(const char *text, int64_t *out)
{
    bool is_negative = *text == '-';
    const char *p = text + is_negative;
    int64_t n = 0;
    for (; *p >= '0' && *p <= '9'; p++) {
        if (n > (INT64_C(1) << 58)) return false;
        n = n * 10 + (*p - '0');
    }
    *out = is_negative ? -n : n;
    return *p == '\0' && p > text + is_negative;
}

#define SAY(d, x, rule, severity, ...) findings_add((d)->damage, (rule), (severity), xml_off(x), xml_line(x), __VA_ARGS__)

/* ---- the head ---- */

static int root(struct hx_decoder *d, struct xml *x, struct hx_record *r)
{
    static const char *const known[] = { "2.0", "2.1", "2.2", "3.0", "4.0" };
    d->has_root = true;
    r->kind = HX_ROOT;
    r->n = xml_attribute(r->attributes, "version");
    bool is_old = strcmp(r->tag_name, "CSPROFILE") == 0 || strcmp(r->tag_name, "HPCVIEWER") == 0, is_known = false;
    for (size_t i = 0; r->n && i < sizeof known / sizeof *known; i++) is_known |= strcmp(r->n, known[i]) == 0;
    if (is_old)
        SAY(d, x, "HX04", ASSAY_ERROR, "<%s> is a form used before 2009, which is not supported", r->tag_name);
    else if (strcmp(r->tag_name, "HPCToolkitExperiment") != 0 || !r->n)
        SAY(d, x, "HX03", ASSAY_ERROR, "the root is <%.60s>: expected HPCToolkitExperiment with a version", r->tag_name);
    else if (!is_known)
        SAY(d, x, "HX04", ASSAY_ERROR, "version '%.40s' is not known; supported: 2.0, 2.1, 2.2, 3.0 and 4.0", r->n);
    else
        return d->take(d->arg, r);
    d->is_refused = true;
    return STOP;
}

/* Of several sections the first is read. */
static int section(struct hx_decoder *d, struct xml *x, struct hx_record *r)
{
    r->kind = HX_SECTION;
    r->is_flat = strcmp(r->tag_name, "SecFlatProfile") == 0;
    r->n = xml_attribute(r->attributes, "n");
    if (++d->sections == 1) return d->take(d->arg, r);
    d->is_skipping = true;
    SAY(d, x, "HX18", ASSAY_WARNING, "there is more than one section: only the first is read");
    return 0;
}

static bool is_data(const char *name)
{
    return strcmp(name, "SecCallPathProfileData") == 0 || strcmp(name, "CallPathProfileData") == 0 || strcmp(name, "SecFlatProfileData") == 0;
}

static int named(struct hx_decoder *d, struct hx_record *r)
{
    static const char *const side[] = { "SummaryDBFile", "TraceDBFile", "PlotDBFile", "ThreadIDFile" };
    for (unsigned i = 0; i < HX_NAME_KINDS; i++) {
        r->names = (enum hx_name_kind)i;
        r->kind = strcmp(r->tag_name, name_tables[i].entry) == 0 ? HX_NAME : HX_TABLE;
        if (r->kind == HX_NAME || strcmp(r->tag_name, name_tables[i].table) == 0) return d->take(d->arg, r);
    }
    r->kind = HX_SIDE_FILE;
    for (size_t i = 0; i < sizeof side / sizeof *side; i++)
        if (strcmp(r->tag_name, side[i]) == 0) return d->take(d->arg, r);
    return 0;
}

static int head(struct hx_decoder *d, struct xml *x, struct hx_record *r)
{
    static const struct {
        const char *name;
        enum hx_kind kind;
        bool is_of_metric;
    } simple[] = { { "Metric", HX_METRIC, false },      { "MetricFormula", HX_FORMULA, true }, { "NV", HX_FACT, true },
                   { "MetricDB", HX_METRIC_DB, false }, { "TraceDB", HX_TRACE_DB, false },     { "Header", HX_TITLE, false } };
    if (!d->has_root) return root(d, x, r);
    if (strcmp(r->tag_name, "SecCallPathProfile") == 0 || strcmp(r->tag_name, "SecFlatProfile") == 0) return section(d, x, r);
    if (d->is_skipping) return 0;
    if (is_data(r->tag_name)) {
        r->kind = HX_DATA;
        d->has_data = d->in_data = true;
        return d->take(d->arg, r);
    }
    for (size_t i = 0; i < sizeof simple / sizeof *simple; i++) {
        if (strcmp(r->tag_name, simple[i].name) != 0) continue;
        if (simple[i].is_of_metric && !d->in_metric) return 0;
        r->kind = simple[i].kind;
        r->n = xml_attribute(r->attributes, "n");
        d->in_metric |= r->kind == HX_METRIC;
        return d->take(d->arg, r);
    }
    return named(d, r);
}

/* ---- the data ---- */

/* Which nodes may stand in which: bits of enum hx_tag; the last row is the data section. */
#define IN(tag) (1u << (tag))
static const uint32_t nesting[HX_TAGS + 1] = {
    [HX_PF] = IN(HX_PF) | IN(HX_PR) | IN(HX_L) | IN(HX_C) | IN(HX_S) | IN(HX_SCC),
    [HX_PR] = IN(HX_PR) | IN(HX_PF) | IN(HX_L) | IN(HX_C) | IN(HX_S) | IN(HX_SCC),
    [HX_C] = IN(HX_PF) | IN(HX_PR),
    [HX_L] = IN(HX_A) | IN(HX_PR) | IN(HX_L) | IN(HX_S) | IN(HX_C) | IN(HX_SCC),
    [HX_S] = IN(HX_S) | IN(HX_PF),
    [HX_SCC] = IN(HX_A) | IN(HX_PR) | IN(HX_L) | IN(HX_S) | IN(HX_C),
    [HX_LM] = IN(HX_F) | IN(HX_P),
    [HX_F] = IN(HX_P) | IN(HX_L) | IN(HX_S),
    [HX_P] = IN(HX_P) | IN(HX_A) | IN(HX_L) | IN(HX_S) | IN(HX_C),
    [HX_A] = IN(HX_A) | IN(HX_L) | IN(HX_S) | IN(HX_C),
    [HX_TAGS] = IN(HX_PF) | IN(HX_LM),
};

static enum hx_tag tag_of(const char *name)
{
    switch (name[0]) {
    case 'S': return name[1] == '\0' ? HX_S : strcmp(name, "SCC") == 0 ? HX_SCC : HX_NO_TAG;
    case 'P': return name[1] == '\0' ? HX_P : strcmp(name, "PF") == 0 ? HX_PF : strcmp(name, "Pr") == 0 ? HX_PR : HX_NO_TAG;
    case 'L': return name[1] == '\0' ? HX_L : strcmp(name, "LM") == 0 ? HX_LM : HX_NO_TAG;
    case 'C': return name[1] == '\0' ? HX_C : HX_NO_TAG;
    case 'F': return name[1] == '\0' ? HX_F : HX_NO_TAG;
    case 'A': return name[1] == '\0' ? HX_A : HX_NO_TAG;
    default: return HX_NO_TAG;
    }
}

/* "12" or "12-14". */
static uint32_t line_of(struct hx_decoder *d, struct xml *x, const char *text)
{
    uint64_t line = 0, last = 0;
    const char *p = text;
    for (; *p >= '0' && *p <= '9' && line <= INT32_MAX; p++) line = line * 10 + (unsigned)(*p - '0');
    bool is_ok = p > text && line <= INT32_MAX;
    if (is_ok && *p == '-') {
        const char *second = ++p;
        for (; *p >= '0' && *p <= '9' && last <= INT32_MAX; p++) last = last * 10 + (unsigned)(*p - '0');
        is_ok = p > second && last <= INT32_MAX && line <= last;
    }
    if (!is_ok || *p) SAY(d, x, "HX17", ASSAY_WARNING, "line '%.40s' is neither a number nor a range", text);
    return line <= INT32_MAX ? (uint32_t)line : 0;
}

static uint64_t address_of(const char *text)
{
    uint64_t v = 0;
    if (text[0] == '0' && text[1] == 'x') return number_hex(slice_of(text + 2), &v) == NUMBER_OK ? v : 0;
    return number_u64(slice_of(text), &v) == NUMBER_OK ? v : 0;
}

static void id_of(struct hx_decoder *d, struct xml *x, const char *text, struct hx_record *r)
{
    if (!hx_number(text, &r->id))
        SAY(d, x, "HX06", ASSAY_ERROR, "<%s> has the id '%.40s', which is not a number", r->tag_name, text);
    else if (r->id > HX_ID_MAX || r->id < -HX_ID_MAX)
        SAY(d, x, "HX50", ASSAY_ERROR, "<%s> has the id %.40s: the largest that is read is %lld", r->tag_name, text, (long long)HX_ID_MAX);
    else
        r->has |= HX_HAS_ID;
}

static void node_attribute(struct hx_decoder *d, struct xml *x, const char *name, const char *value, struct hx_record *r)
{
    if (name[0] == '\0') return;
    if (name[1] == '\0') switch (name[0]) {
        case 'i': id_of(d, x, value, r); return;
        case 'n': r->n = value; return;
        case 'p': r->n = r->n ? r->n : value; return; /* the name in files of 2008 */
        case 'f': r->f = value; return;
        case 'l': r->line = line_of(d, x, value); return;
        case 'v': r->address = address_of(value); return;
        default: return;
        }
    if (strcmp(name, "lm") == 0)
        r->lm = value;
    else if (strcmp(name, "it") == 0 && hx_number(value, &r->trace_id) && r->trace_id >= 0 && r->trace_id <= UINT32_MAX)
        r->has |= HX_HAS_TRACE_ID;
}

static enum hx_tag parent_of(const struct hx_decoder *d)
{
    for (size_t i = d->open.len; i > 0; i--)
        if (d->open.at[i - 1] < HX_TAGS) return (enum hx_tag)d->open.at[i - 1];
    return HX_TAGS;
}

static int node(struct hx_decoder *d, struct xml *x, struct hx_record *r)
{
    r->kind = HX_NODE;
    r->tag = tag_of(r->tag_name);
    enum hx_tag parent = r->tag < HX_TAGS ? parent_of(d) : HX_TAGS;
    uint8_t *slot = vec_push(d->mem, &d->open);
    if (!slot) return error_memory(d->err);
    *slot = (uint8_t)r->tag;
    if (r->tag == HX_NO_TAG) {
        SAY(d, x, "HX11", ASSAY_WARNING, "unknown element <%.60s>", r->tag_name);
        return 0;
    }
    if (!(nesting[parent] & IN(r->tag))) {
        const char *where = parent < HX_TAGS ? tag_names[parent] : "the data section";
        SAY(d, x, "HX11", ASSAY_WARNING, "<%s> is inside %s%s%s", r->tag_name, parent < HX_TAGS ? "<" : "", where, parent < HX_TAGS ? ">" : "");
    }
    for (const char *const *a = r->attributes; a[0]; a += 2) node_attribute(d, x, a[0], a[1], r);
    r->depth = ++d->depth;
    return d->take(d->arg, r);
}

static int value(struct hx_decoder *d, struct xml *x, struct hx_record *r)
{
    const char *text = NULL;
    r->kind = HX_VALUE;
    r->depth = d->depth;
    for (const char *const *a = r->attributes; a[0]; a += 2) {
        if (strcmp(a[0], "n") == 0)
            r->n = a[1];
        else if (strcmp(a[0], "v") == 0)
            text = a[1];
    }
    if (text && *text == '+') text++;
    if (text && number_double(slice_of(text), &r->value) != NUMBER_BAD && isfinite(r->value))
        r->has = HX_HAS_VALUE;
    else
        SAY(d, x, "HX09", ASSAY_ERROR, "the value '%.40s' is not a number", text ? text : "");
    return d->take(d->arg, r);
}

/* ---- events ---- */

static int on_start(void *arg, struct xml *x, const char *name, const char *const *attributes)
{
    struct hx_decoder *d = arg;
    struct hx_record r = { .off = xml_off(x), .tag_name = name, .attributes = attributes };
    int rc;
    if (!d->in_data)
        rc = head(d, x, &r);
    else if (name[0] == 'M' && name[1] == '\0')
        rc = value(d, x, &r);
    else
        rc = node(d, x, &r);
    return rc == 0 && d->damage->failed ? error_memory(d->err) : rc;
}

static int node_end(struct hx_decoder *d, uint64_t off)
{
    enum hx_tag tag = (enum hx_tag)d->open.at[--d->open.len];
    if (tag == HX_NO_TAG) return 0;
    struct hx_record r = { .kind = HX_NODE_END, .off = off, .tag = tag, .depth = d->depth-- };
    return d->take(d->arg, &r);
}

static int data_end(struct hx_decoder *d, uint64_t off)
{
    d->in_data = false;
    return d->take(d->arg, &(struct hx_record){ .kind = HX_DATA_END, .off = off });
}

static int on_end(void *arg, struct xml *x, const char *name)
{
    struct hx_decoder *d = arg;
    if (d->in_data) {
        if (name[0] == 'M' && name[1] == '\0') return 0;
        return d->open.len ? node_end(d, xml_off(x)) : data_end(d, xml_off(x));
    }
    if (strcmp(name, "Metric") == 0) d->in_metric = false;
    return 0;
}

/* Errors of the document have a line; those of the packing have none, and are damage of the file too. */
static const char *rule_of(int rc, const assay_error *err)
{
    switch (rc) {
    case ASSAY_ERR_DAMAGED:
    case ASSAY_ERR_TRUNCATED: return "HX02";
    case ASSAY_ERR_LIMIT: return err->line ? "HX50" : NULL;
    case ASSAY_ERR_UNSUPPORTED: return err->line ? "HX02" : NULL;
    default: return NULL;
    }
}

static int parse(struct hx_decoder *d, struct input *in, assay_error *err)
{
    static const struct xml_handler handler = { on_start, on_end, NULL };
    uint64_t latin1_off;
    struct xml_options options = { .mem = d->mem, .max_depth = HX_DEPTH_MAX, .max_markup = HX_NAME_MAX, .latin1_off = &latin1_off };
    assay_error found = { 0 };
    d->err = &found;
    int rc = xml_parse(in, &options, &handler, d, &found);
    const char *rule = rc < 0 && found.code ? rule_of(rc, &found) : NULL;
    if (latin1_off != UINT64_MAX)
        findings_add(d->damage, "HX02", ASSAY_WARNING, latin1_off, 0, "not UTF-8, though no other encoding is declared: read as Latin-1 from here on");
    if (rule)
        findings_add(d->damage, rule, ASSAY_ERROR, found.offset, found.line, "%s", found.text);
    else if (rc < 0 && found.code && err)
        *err = found;
    return rule || rc == STOP ? 0 : rc;
}

/* What the end of a document that was cut leaves open is closed. */
static int close_all(struct hx_decoder *d)
{
    while (d->open.len) TRY(node_end(d, 0));
    return d->in_data ? data_end(d, 0) : 0;
}

int hx_decode(struct hx_decoder *d, struct input *in, assay_error *err)
{
    assay_slice first;
    TRY(input_peek(in, &first, err));
    size_t blank = 0;
    while (blank < first.len && strchr(" \t\r\n", first.data[blank]) && first.data[blank]) blank++;
    if (blank == first.len) {
        findings_add(d->damage, "HX01", ASSAY_ERROR, 0, 0, "the file is empty");
        d->is_refused = true;
        return d->damage->failed ? error_memory(err) : 0;
    }
    int rc = parse(d, in, err);
    if (rc == 0) rc = close_all(d);
    vec_done(d->mem, &d->open);
    TRY(rc);
    if (!d->is_refused && d->has_root && !d->has_data) findings_add(d->damage, "HX05", ASSAY_ERROR, FINDING_NO_OFFSET, 0, "there is no section with data");
    return d->damage->failed ? error_memory(err) : 0;
}

/* See decode.h. */
#include "formats/assay-json/decode.h"

#include "base/number.h"

enum { FIELDS_MOST = 24 };

/* ---- values ---- */

static int flags(struct assay_json_decoder *d, const struct assay_json_field *f, uint8_t *out)
{
    bool is, has;
    TRY(coverage_json_expect(&d->j, JSON_ARRAY, f->key.data, &is));
    while (is) {
        TRY(coverage_json_item(&d->j, &has));
        if (!has) break;
        TRY(coverage_json_expect(&d->j, JSON_STRING, f->key.data, &has));
        unsigned bit = 0;
        while (has && f->words[bit] && !slice_is(d->j.e.text, f->words[bit])) bit++;
        if (has && f->words[bit])
            *out |= (uint8_t)(1u << bit);
        else if (has)
            coverage_json_found(&d->j, d->j.e.off, d->j.e.line, "J-2", ASSAY_ERROR, "%s has an unknown value", f->key.data);
    }
    return 0;
}

static int word(struct assay_json_decoder *d, const struct assay_json_field *f, uint8_t *out)
{
    bool is;
    uint8_t at = 0;
    TRY(coverage_json_expect(&d->j, JSON_STRING, f->key.data, &is));
    while (is && f->words[at] && !slice_is(d->j.e.text, f->words[at])) at++;
    if (is && f->words[at])
        *out = at;
    else if (is)
        coverage_json_found(&d->j, d->j.e.off, d->j.e.line, "J-2", ASSAY_ERROR, "%s is an unknown value", f->key.data);
    return 0;
}

static int text(struct assay_json_decoder *d, const struct assay_json_field *f, enum json_kind kind, uint32_t *out, bool *is)
{
    TRY(coverage_json_expect(&d->j, kind, f->key.data, is));
    if (*is && !(*out = intern_put(&d->names, d->j.e.text))) return error_memory(d->err);
    return 0;
}

static int whole_number(struct assay_json_decoder *d, const struct assay_json_field *f, void *at, bool *is)
{
    TRY(coverage_json_expect(&d->j, JSON_NUMBER, f->key.data, is));
    if (!*is) return 0;
    uint64_t v = 0;
    int64_t signed_v = 0;
    enum number_result result = f->type == ASSAY_JSON_I64 ? number_i64(d->j.e.text, &signed_v) : number_u64(d->j.e.text, &v);
    *is = result == NUMBER_OK && (f->type != ASSAY_JSON_U32 || v <= UINT32_MAX);
    if (!*is) coverage_json_found(&d->j, d->j.e.off, d->j.e.line, "J-2", ASSAY_ERROR, "%s is not a whole number in range", f->key.data);
    if (f->type == ASSAY_JSON_U32)
        *(uint32_t *)at = *is ? (uint32_t)v : 0;
    else if (f->type == ASSAY_JSON_I64)
        *(int64_t *)at = signed_v;
    else
        *(uint64_t *)at = v;
    return 0;
}

static int value(struct assay_json_decoder *d, const struct assay_json_field *f, union assay_json_row *row, bool *is)
{
    void *at = (char *)row + f->at;
    *is = true;
    switch (f->type) {
    case ASSAY_JSON_TEXT: return text(d, f, JSON_STRING, at, is);
    case ASSAY_JSON_NUMBER: return text(d, f, JSON_NUMBER, at, is);
    case ASSAY_JSON_F64: return coverage_json_double(&d->j, f->key.data, at, is);
    case ASSAY_JSON_FLAGS: return flags(d, f, at);
    case ASSAY_JSON_WORD: return word(d, f, at);
    case ASSAY_JSON_BOOL:
        *(uint8_t *)at = d->j.e.kind == JSON_TRUE;
        return d->j.e.kind == JSON_FALSE ? 0 : coverage_json_expect(&d->j, JSON_TRUE, f->key.data, is);
    default: return whole_number(d, f, at, is);
    }
}

/* ---- rows ---- */

static int rows(struct assay_json_decoder *d, enum assay_json_kind kind, uint32_t owner);

/* Lists that may stand inside a row: those of a file, and how often a function was called. */
static void inner_lists(enum assay_json_kind kind, enum assay_json_kind *first, enum assay_json_kind *end)
{
    *first = kind == ASSAY_JSON_FUNCTION ? ASSAY_JSON_CALLED : ASSAY_JSON_LINE;
    *end = kind == ASSAY_JSON_FUNCTION ? ASSAY_JSON_LINE : kind == ASSAY_JSON_FILE ? ASSAY_JSON_METRIC : ASSAY_JSON_LINE;
}

static unsigned keys_of(enum assay_json_kind kind, assay_slice *keys, enum assay_json_kind *first, enum assay_json_kind *end)
{
    const struct assay_json_table *t = &assay_json_tables[kind];
    unsigned n = t->count;
    for (unsigned i = 0; i < n; i++) keys[i] = t->fields[i].key;
    inner_lists(kind, first, end);
    for (enum assay_json_kind k = *first; k < *end; k++) keys[n++] = slice_of(assay_json_tables[k].list);
    return n;
}

/* The object of a row, which has begun. Rows inside rows are one level deep by construction. */
static int row(struct assay_json_decoder *d, enum assay_json_kind kind, uint32_t owner)
{
    const struct assay_json_table *t = &assay_json_tables[kind];
    struct assay_json_record r = { .kind = kind, .off = d->j.e.off, .number = d->j.e.line, .owner = owner };
    assay_slice keys[FIELDS_MOST];
    enum assay_json_kind first, end;
    unsigned count = keys_of(kind, keys, &first, &end);
    uint32_t seen = 0, good = 0;
    bool is;
    int at;
    for (;;) {
        TRY(coverage_json_key(&d->j, keys, count, &seen, &at));
        if (at == COVERAGE_JSON_END) break;
        if ((unsigned)at >= t->count) {
            TRY(rows(d, (enum assay_json_kind)((unsigned)first + (unsigned)at - t->count), owner));
            continue;
        }
        TRY(value(d, &t->fields[at], &r.row, &is));
        good |= (uint32_t)is << at;
    }
    bool is_whole = !d->j.r.is_damaged, is_name = kind <= ASSAY_JSON_FUNCTION;
    for (unsigned i = 0; i < t->count; i++) {
        if (!t->fields[i].is_needed || good >> i & 1) continue;
        if (!d->j.r.is_damaged && !(seen >> i & 1))
            coverage_json_found(&d->j, r.off, r.number, "J-3", ASSAY_ERROR, "a %s without %s", t->item, t->fields[i].key.data);
        is_whole = false;
    }
    if (!is_whole && !is_name) return 0; /* names are counted by others, and stay */
    if (kind == ASSAY_JSON_SUM && r.row.sum.hit > r.row.sum.total) {
        coverage_json_found(&d->j, r.off, r.number, "AJ-3", ASSAY_WARNING, "%u of %u hit: read as all", r.row.sum.hit, r.row.sum.total);
        r.row.sum.hit = r.row.sum.total;
    }
    return d->take(d->arg, &r);
}

static int rows(struct assay_json_decoder *d, enum assay_json_kind kind, uint32_t owner)
{
    const struct assay_json_table *t = &assay_json_tables[kind];
    bool is, has;
    TRY(coverage_json_expect(&d->j, JSON_ARRAY, t->list, &is));
    while (is) {
        TRY(coverage_json_item(&d->j, &has));
        if (!has) break;
        if (kind == ASSAY_JSON_FILE) owner = ++d->files;
        if (kind == ASSAY_JSON_FUNCTION) owner = ++d->functions;
        TRY(coverage_json_expect(&d->j, JSON_OBJECT, t->item, &has));
        if (has) TRY(row(d, kind, owner));
    }
    return 0;
}

/* ---- the document ---- */

static int version(struct assay_json_decoder *d)
{
    uint32_t v;
    bool is;
    TRY(coverage_json_small(&d->j, "assay-json", &v, &is));
    if (is && v != ASSAY_JSON_VERSION)
        coverage_json_found(&d->j, d->j.e.off, d->j.e.line, "AJ-1", ASSAY_ERROR, "version %u of assay-json: expected %d", v, ASSAY_JSON_VERSION);
    return 0;
}

static int document(struct assay_json_decoder *d)
{
    enum { VERSION = ASSAY_JSON_KINDS, PRODUCER, KEYS };
    assay_slice keys[KEYS];
    uint32_t seen = 0;
    bool is;
    int at;
    for (int k = 0; k < ASSAY_JSON_KINDS; k++) keys[k] = k == ASSAY_JSON_CALLED ? SLICE("") : slice_of(assay_json_tables[k].list);
    keys[VERSION] = SLICE("assay-json");
    keys[PRODUCER] = SLICE("producer");
    TRY(json_read_next(&d->j.r, &d->j.e));
    struct json_event begin = d->j.e;
    TRY(coverage_json_expect(&d->j, JSON_OBJECT, "the document", &is));
    while (is) {
        TRY(coverage_json_key(&d->j, keys, KEYS, &seen, &at));
        if (at == COVERAGE_JSON_END) break;
        if (at == VERSION)
            TRY(version(d));
        else if (at == PRODUCER) {
            bool is_text;
            TRY(coverage_json_expect(&d->j, JSON_STRING, "producer", &is_text));
            if (is_text && !(d->producer = intern_put(&d->names, d->j.e.text))) return error_memory(d->err);
        } else
            TRY(rows(d, (enum assay_json_kind)at, 0));
    }
    if (!is || d->j.r.is_damaged) return 0;
    if (!(seen & 1u << VERSION)) coverage_json_found(&d->j, begin.off, begin.line, "J-3", ASSAY_ERROR, "assay-json, the version, is missing");
    return json_read_next(&d->j.r, &d->j.e); /* the end, or what should not be there */
}

int assay_json_decode(struct assay_json_decoder *d, const struct read_job *job, assay_error *err)
{
    d->err = err;
    intern_init(&d->names, job->mem);
    coverage_json_init(&d->j, job, d->damage, err);
    int rc = document(d);
    coverage_json_done(&d->j);
    return rc == 0 && d->damage->failed ? error_memory(err) : rc;
}

void assay_json_done(struct assay_json_decoder *d) { intern_done(&d->names); }

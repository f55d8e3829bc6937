/* The objects of a profile; see decode.h. Keys come in any order, and those that are not known are passed over: tools add their own. */
#include "formats/firefox-profile/walk.h"

#include "base/number.h"

static const struct nest {
    enum firefox_part in;
    const char *key;
    enum firefox_part part; /* TABLE: of `table` */
    enum firefox_table table;
    bool is_list;
} nests[] = {
    { FIREFOX_DOCUMENT, "meta", FIREFOX_META, 0, false },
    { FIREFOX_DOCUMENT, "libs", FIREFOX_LIB, 0, true },
    { FIREFOX_DOCUMENT, "shared", FIREFOX_SHARED, 0, false },
    { FIREFOX_DOCUMENT, "threads", FIREFOX_THREAD, 0, true },
    { FIREFOX_DOCUMENT, "counters", FIREFOX_COUNTER, 0, true },
    { FIREFOX_META, "sampleUnits", FIREFOX_UNITS, 0, false },
    { FIREFOX_META, "categories", FIREFOX_CATEGORY, 0, true },
    { FIREFOX_META, "markerSchema", FIREFOX_SCHEMA, 0, true },
    { FIREFOX_SCHEMA, "fields", FIREFOX_SCHEMA_FIELD, 0, true },
    { FIREFOX_SCHEMA, "data", FIREFOX_SCHEMA_FIELD, 0, true },
    { FIREFOX_SHARED, "stringArray", FIREFOX_STRINGS, 0, true },
    { FIREFOX_SHARED, "stackTable", FIREFOX_TABLE, FIREFOX_STACKS, false },
    { FIREFOX_SHARED, "frameTable", FIREFOX_TABLE, FIREFOX_FRAMES, false },
    { FIREFOX_SHARED, "funcTable", FIREFOX_TABLE, FIREFOX_FUNCS, false },
    { FIREFOX_SHARED, "resourceTable", FIREFOX_TABLE, FIREFOX_RESOURCES, false },
    { FIREFOX_SHARED, "sources", FIREFOX_TABLE, FIREFOX_SOURCES, false },
    { FIREFOX_THREAD, "libs", FIREFOX_LIB, 0, true },
    { FIREFOX_THREAD, "stringArray", FIREFOX_STRINGS, 0, true },
    { FIREFOX_THREAD, "stackTable", FIREFOX_TABLE, FIREFOX_STACKS, false },
    { FIREFOX_THREAD, "frameTable", FIREFOX_TABLE, FIREFOX_FRAMES, false },
    { FIREFOX_THREAD, "funcTable", FIREFOX_TABLE, FIREFOX_FUNCS, false },
    { FIREFOX_THREAD, "resourceTable", FIREFOX_TABLE, FIREFOX_RESOURCES, false },
    { FIREFOX_THREAD, "samples", FIREFOX_TABLE, FIREFOX_SAMPLES, false },
    { FIREFOX_THREAD, "jsAllocations", FIREFOX_TABLE, FIREFOX_JS_ALLOCATIONS, false },
    { FIREFOX_THREAD, "nativeAllocations", FIREFOX_TABLE, FIREFOX_NATIVE_ALLOCATIONS, false },
    { FIREFOX_THREAD, "markers", FIREFOX_TABLE, FIREFOX_MARKERS, false },
    { FIREFOX_COUNTER, "samples", FIREFOX_TABLE, FIREFOX_READINGS, false },
    { FIREFOX_COUNTER, "sampleGroups", FIREFOX_GROUP, 0, true },
    { FIREFOX_COUNTER, "display", FIREFOX_DISPLAY, 0, false },
    { FIREFOX_GROUP, "samples", FIREFOX_TABLE, FIREFOX_READINGS, false },
};

int firefox_give(struct firefox_walker *w, struct firefox_record r) { return w->fn(w->arg, &r); }

int firefox_next_key(struct firefox_walker *w, bool *has)
{
    TRY(json_read_next(&w->j.r, &w->j.e));
    *has = w->j.e.kind == JSON_KEY;
    if (!*has) return w->j.damage->failed ? error_memory(w->err) : 0;
    w->key.len = 0;
    w->key_off = w->j.e.off;
    w->key_line = w->j.e.line;
    if (!vec_reserve(w->mem, &w->key, w->j.e.text.len + 1)) return error_memory(w->err);
    if (w->j.e.text.len) memcpy(w->key.at, w->j.e.text.data, w->j.e.text.len);
    w->key.len = w->j.e.text.len;
    w->key.at[w->key.len] = '\0';
    TRY(json_read_next(&w->j.r, &w->j.e));
    *has = w->j.e.kind != JSON_END;
    return 0;
}

assay_slice firefox_key(const struct firefox_walker *w) { return (assay_slice){ w->key.at, w->key.len }; }

/* ---- members ---- */

int firefox_give_member(struct firefox_walker *w, enum firefox_part part, enum firefox_table table)
{
    const struct json_event *e = &w->j.e;
    struct firefox_record r = { .kind = FIREFOX_MEMBER, .part = part, .table = table, .off = e->off, .line = e->line, .key = firefox_key(w), .value = e->kind };
    if (e->kind == JSON_NULL) return 0;
    if (e->kind == JSON_OBJECT || e->kind == JSON_ARRAY) return json_read_skip(&w->j.r, &w->j.e);
    if (e->kind == JSON_STRING || e->kind == JSON_NUMBER) r.text = e->text;
    if (e->kind == JSON_NUMBER) number_double(e->text, &r.number);
    return firefox_give(w, r);
}

/* ---- strings ---- */

static int strings(struct firefox_walker *w)
{
    struct firefox_record r = { .kind = FIREFOX_BEGIN, .part = FIREFOX_STRINGS, .off = w->j.e.off, .line = w->j.e.line };
    bool has, is;
    TRY(coverage_json_expect(&w->j, JSON_ARRAY, "stringArray", &has));
    if (!has) return 0;
    TRY(firefox_give(w, r));
    for (r.kind = FIREFOX_STRING;; r.row++) {
        TRY(coverage_json_item(&w->j, &has));
        if (!has) break;
        r.off = w->j.e.off;
        r.line = w->j.e.line;
        TRY(coverage_json_expect(&w->j, JSON_STRING, "an item of stringArray", &is));
        if (w->j.r.is_damaged) return 0;
        r.text = is ? w->j.e.text : (assay_slice){ NULL, 0 };
        TRY(firefox_give(w, r));
    }
    r.kind = FIREFOX_END;
    return w->j.r.is_damaged ? 0 : firefox_give(w, r);
}

/* ---- parts ---- */

static const struct nest *nest_of(enum firefox_part in, assay_slice key)
{
    for (size_t i = 0; i < sizeof nests / sizeof *nests; i++)
        if (nests[i].in == in && slice_is(key, nests[i].key)) return &nests[i];
    return NULL;
}

static int members(struct firefox_walker *w, enum firefox_part part, const char *what);

/* Nests are at most four deep, as the table says. */
static int nested(struct firefox_walker *w, const struct nest *n)
{
    bool has;
    if (w->j.e.kind == JSON_NULL) return 0;
    if (n->part == FIREFOX_STRINGS) return strings(w);
    if (n->part == FIREFOX_TABLE) return firefox_walk_table(w, n->table, n->key);
    /* Firefox wrote the one group of a counter without a list around it. */
    if (!n->is_list || (n->part == FIREFOX_GROUP && w->j.e.kind == JSON_OBJECT)) return members(w, n->part, n->key);
    TRY(coverage_json_expect(&w->j, JSON_ARRAY, n->key, &has));
    while (has) {
        TRY(coverage_json_item(&w->j, &has));
        if (has) TRY(members(w, n->part, n->key));
    }
    return 0;
}

static int members(struct firefox_walker *w, enum firefox_part part, const char *what)
{
    bool has;
    struct firefox_record r = { .kind = FIREFOX_BEGIN, .part = part, .off = w->j.e.off, .line = w->j.e.line };
    TRY(coverage_json_expect(&w->j, JSON_OBJECT, what, &has));
    if (!has) return 0;
    TRY(firefox_give(w, r));
    while (has) {
        TRY(firefox_next_key(w, &has));
        const struct nest *n = has ? nest_of(part, firefox_key(w)) : NULL;
        if (has) TRY(n ? nested(w, n) : firefox_give_member(w, part, 0));
    }
    r.kind = FIREFOX_END;
    return w->j.r.is_damaged ? 0 : firefox_give(w, r);
}

static int document(struct firefox_walker *w)
{
    TRY(json_read_next(&w->j.r, &w->j.e));
    TRY(members(w, FIREFOX_DOCUMENT, "the document"));
    /* What follows the document, or that its end is missing. */
    if (!w->j.r.is_damaged) TRY(json_read_next(&w->j.r, &w->j.e));
    return w->j.damage->failed ? error_memory(w->err) : 0;
}

int firefox_walk(const struct read_job *job, struct findings *damage, firefox_fn fn, void *arg, assay_error *err)
{
    struct firefox_walker w = { .fn = fn, .arg = arg, .err = err, .mem = job->mem };
    coverage_json_init(&w.j, job, damage, err);
    int rc = document(&w);
    coverage_json_done(&w.j);
    output_abort(w.nested);
    vec_done(job->mem, &w.key);
    return rc;
}

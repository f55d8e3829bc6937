/* The document and the maps of a file; see decode.h. Maps and counts may stand in any order: they are joined by id when the file ends. */
#include "base/number.h"
#include "formats/istanbul/parts.h"

/* ---- places ---- */

/* A line or a column; null and Infinity are unknown. */
static int number(struct coverage_decoder *d, const char *what, uint32_t *out, uint32_t more)
{
    bool is;
    *out = 0;
    if (d->j->e.kind == JSON_NULL) return 0;
    TRY(coverage_json_small(d->j, what, out, &is));
    *out = is ? *out + more : 0;
    return 0;
}

static int point(struct coverage_decoder *d, uint32_t *line, uint32_t *column)
{
    enum { LINE, COLUMN, KEYS };
    static const assay_slice keys[KEYS] = { COVERAGE_KEY("line"), COVERAGE_KEY("column") };
    uint32_t seen = 0;
    bool is;
    int at;
    TRY(coverage_json_expect(d->j, JSON_OBJECT, "a position", &is));
    while (is) {
        TRY(coverage_json_key(d->j, keys, KEYS, &seen, &at));
        if (at == COVERAGE_JSON_END) break;
        TRY(at == LINE ? number(d, "line", line, 0) : number(d, "column", column, 1));
    }
    return 0;
}

static int span(struct coverage_decoder *d, const char *what, struct istanbul_span *out)
{
    enum { START, LAST, KEYS };
    static const assay_slice keys[KEYS] = { COVERAGE_KEY("start"), COVERAGE_KEY("end") };
    static const char usual[] = "\"start\":{\"line\":#,\"column\":#},\"end\":{\"line\":#,\"column\":#}}";
    uint32_t seen = 0, v[4];
    bool is;
    int at;
    *out = (struct istanbul_span){ 0, 0, 0, 0 };
    TRY(coverage_json_expect(d->j, JSON_OBJECT, what, &is));
    if (is && json_read_form(&d->j->r, usual, v)) {
        *out = (struct istanbul_span){ v[0], v[1] + 1, v[2], v[3] + 1 };
        return 0;
    }
    while (is) {
        TRY(coverage_json_key(d->j, keys, KEYS, &seen, &at));
        if (at == COVERAGE_JSON_END) break;
        TRY(at == START ? point(d, &out->line, &out->column) : point(d, &out->end_line, &out->end_column));
    }
    return 0;
}

/* ---- maps ---- */

static int locations(struct istanbul_file *f, struct istanbul_item *item)
{
    struct coverage_decoder *d = f->d;
    bool is, has;
    item->first_path = (uint32_t)f->paths.len;
    TRY(coverage_json_expect(d->j, JSON_ARRAY, "locations", &is));
    while (is) {
        TRY(coverage_json_item(d->j, &has));
        if (!has) break;
        struct istanbul_span *path = vec_push(d->mem, &f->paths);
        if (!path) return error_memory(d->err);
        struct istanbul_span read;
        TRY(span(d, "a location", &read));
        f->paths.at[f->paths.len - 1] = read;
        item->paths++;
    }
    return 0;
}

static int function_or_branch(struct istanbul_file *f, enum istanbul_part part, struct istanbul_item *item)
{
    enum { NAME, TYPE, DECL, LOC, LINE, LOCATIONS, SKIP, KEYS };
    static const assay_slice keys[KEYS] = { COVERAGE_KEY("name"), COVERAGE_KEY("type"),      COVERAGE_KEY("decl"), COVERAGE_KEY("loc"),
                                            COVERAGE_KEY("line"), COVERAGE_KEY("locations"), COVERAGE_KEY("skip") };
    struct coverage_decoder *d = f->d;
    struct istanbul_span loc = { 0, 0, 0, 0 };
    uint32_t seen = 0, line = 0;
    int at;
    for (;;) {
        TRY(coverage_json_key(d->j, keys, KEYS, &seen, &at));
        if (at == COVERAGE_JSON_END) break;
        switch (at) {
        case NAME:
        case TYPE: TRY(coverage_text(d, keys[at].data, &item->name)); break;
        case DECL: TRY(span(d, "decl", &item->span)); break;
        case LOC: TRY(span(d, "loc", &loc)); break;
        case LINE: TRY(number(d, "line", &line, 0)); break;
        case LOCATIONS: TRY(locations(f, item)); break;
        default: TRY(json_read_skip(&d->j->r, &d->j->e)); break;
        }
    }
    if (part == ISTANBUL_BRANCHES || !item->span.line) item->span = loc;
    if (part == ISTANBUL_FUNCTIONS && loc.end_line) {
        item->span.end_line = loc.end_line;
        item->span.end_column = loc.end_column;
    }
    if (!item->span.line) item->span.line = line;
    return 0;
}

/* Ids are numbers as a rule; others are told apart by their text. */
static int id_of(struct coverage_decoder *d, assay_slice text, uint32_t *out)
{
    uint64_t v;
    if (number_u64(text, &v) == NUMBER_OK && v < ISTANBUL_NAMED && (text.len == 1 || text.data[0] != '0')) {
        *out = (uint32_t)v;
        return 0;
    }
    uint32_t name = intern_put(&d->names, text);
    if (!name) return error_memory(d->err);
    *out = name | ISTANBUL_NAMED;
    return 0;
}

static int map(struct istanbul_file *f, enum istanbul_part part, const char *what)
{
    struct coverage_decoder *d = f->d;
    bool is;
    TRY(coverage_json_expect(d->j, JSON_OBJECT, what, &is));
    while (is) {
        TRY(json_read_next(&d->j->r, &d->j->e));
        if (d->j->e.kind != JSON_KEY) break;
        struct istanbul_item item = { .off = d->j->e.off, .number = (uint32_t)d->j->e.line };
        TRY(id_of(d, d->j->e.text, &item.id));
        TRY(json_read_next(&d->j->r, &d->j->e));
        if (part == ISTANBUL_STATEMENTS) {
            TRY(span(d, "a statement", &item.span));
        } else {
            TRY(coverage_json_expect(d->j, JSON_OBJECT, part == ISTANBUL_FUNCTIONS ? "a function" : "a branch", &is));
            if (is) TRY(function_or_branch(f, part, &item));
            is = true;
        }
        struct istanbul_item *slot = vec_push(d->mem, &f->maps[part]);
        if (!slot) return error_memory(d->err);
        *slot = item;
    }
    return 0;
}

/* ---- counts ---- */

static int path_counts(struct istanbul_file *f, struct istanbul_count *c)
{
    struct coverage_decoder *d = f->d;
    bool is, has;
    uint64_t value;
    c->first = (uint32_t)f->values.len;
    TRY(coverage_json_expect(d->j, JSON_ARRAY, "counts of a branch", &is));
    while (is) {
        TRY(coverage_json_item(d->j, &has));
        if (!has) break;
        TRY(coverage_times(d, "a count of a branch", &value, &has));
        uint64_t *slot = vec_push(d->mem, &f->values);
        if (!slot) return error_memory(d->err);
        *slot = value;
        c->len++;
    }
    return 0;
}

static int counts(struct istanbul_file *f, enum istanbul_part part, const char *what)
{
    struct coverage_decoder *d = f->d;
    bool is;
    f->count_off[part] = d->j->key_off;
    f->count_number[part] = d->j->key_line;
    TRY(coverage_json_expect(d->j, JSON_OBJECT, what, &is));
    while (is) {
        TRY(json_read_next(&d->j->r, &d->j->e));
        if (d->j->e.kind != JSON_KEY) break;
        struct istanbul_count c = { .off = d->j->e.off, .number = (uint32_t)d->j->e.line };
        bool good = true;
        TRY(id_of(d, d->j->e.text, &c.id));
        TRY(json_read_next(&d->j->r, &d->j->e));
        if (part == ISTANBUL_BRANCHES)
            TRY(path_counts(f, &c));
        else
            TRY(coverage_times(d, "a count", &c.value, &good));
        struct istanbul_count *slot = good ? vec_push(d->mem, &f->counts[part]) : NULL;
        if (good && !slot) return error_memory(d->err);
        if (slot) *slot = c;
    }
    return 0;
}

/* ---- files ---- */

static void clear(struct istanbul_file *f)
{
    for (int i = 0; i < ISTANBUL_PARTS; i++) {
        f->maps[i].len = f->counts[i].len = 0;
        f->count_off[i] = f->count_number[i] = 0;
    }
    f->paths.len = f->values.len = 0;
    f->path = f->hash = 0;
    f->seen = 0;
    f->is_summary = false;
}

/* {"total": 3, "covered": 2, "skipped": 0, "pct": 66.66} of a summary; pct of nothing is "Unknown". */
static int figures(struct istanbul_file *f, const char *kind, assay_slice key)
{
    enum { TOTAL, COVERED, SKIPPED, PERCENT, KEYS };
    static const assay_slice keys[KEYS] = { COVERAGE_KEY("total"), COVERAGE_KEY("covered"), COVERAGE_KEY("skipped"), COVERAGE_KEY("pct") };
    struct coverage_decoder *d = f->d;
    struct json_event begin = d->j->e;
    uint64_t v[2] = { 0, 0 };
    uint32_t seen = 0;
    bool is;
    int at;
    TRY(coverage_json_expect(d->j, JSON_OBJECT, kind, &is));
    while (is) {
        TRY(coverage_json_key(d->j, keys, KEYS, &seen, &at));
        if (at == COVERAGE_JSON_END) break;
        TRY(at <= COVERED ? coverage_times(d, keys[at].data, &v[at], &is) : json_read_skip(&d->j->r, &d->j->e));
        is = true;
    }
    if ((seen & 3) != 3) {
        if (!d->j->r.is_damaged) coverage_json_found(d->j, begin.off, begin.line, "J-3", ASSAY_ERROR, "%s without total or covered", kind);
        return 0;
    }
    f->is_summary = true;
    return coverage_state(d, &begin, slice_is(key, "total") ? "report" : "file", slice_of(kind), (double)v[COVERED], (double)v[TOTAL]);
}

/* The members of a file, which old versions put into "data". `key` is its path, or "total" in a summary. */
static int members(struct istanbul_file *f, assay_slice key, bool is_wrapped)
{
    enum { PATH, STATEMENT_MAP, FN_MAP, BRANCH_MAP, S, F, B, HASH, DATA, BT, SOURCE_MAP, ALL, CONTENT_HASH, SCHEMA, OLD_URL, SUMMARY, KEYS = SUMMARY + 5 };
    static const assay_slice keys[KEYS] = { COVERAGE_KEY("path"),
                                            COVERAGE_KEY("statementMap"),
                                            COVERAGE_KEY("fnMap"),
                                            COVERAGE_KEY("branchMap"),
                                            COVERAGE_KEY("s"),
                                            COVERAGE_KEY("f"),
                                            COVERAGE_KEY("b"),
                                            COVERAGE_KEY("hash"),
                                            COVERAGE_KEY("data"),
                                            COVERAGE_KEY("bT"),
                                            COVERAGE_KEY("inputSourceMap"),
                                            COVERAGE_KEY("all"),
                                            COVERAGE_KEY("contentHash"),
                                            COVERAGE_KEY("_coverageSchema"),
                                            COVERAGE_KEY("oldUrl"),
                                            COVERAGE_KEY("lines"),
                                            COVERAGE_KEY("statements"),
                                            COVERAGE_KEY("functions"),
                                            COVERAGE_KEY("branches"),
                                            COVERAGE_KEY("branchesTrue") };
    struct coverage_decoder *d = f->d;
    uint32_t seen = 0;
    bool is;
    int at;
    for (;;) {
        TRY(coverage_json_key(d->j, keys, KEYS, &seen, &at));
        if (at == COVERAGE_JSON_END) break;
        if (at == PATH || at == HASH)
            TRY(coverage_text(d, keys[at].data, at == PATH ? &f->path : &f->hash));
        else if (at >= STATEMENT_MAP && at <= BRANCH_MAP)
            TRY(map(f, (enum istanbul_part)(at - STATEMENT_MAP), keys[at].data));
        else if (at >= S && at <= B)
            TRY(counts(f, (enum istanbul_part)(at - S), keys[at].data));
        else if (at == DATA && !is_wrapped) {
            TRY(coverage_json_expect(d->j, JSON_OBJECT, "data", &is));
            if (is) TRY(members(f, key, true));
        } else if (at >= SUMMARY)
            TRY(figures(f, keys[at].data, key));
        else
            TRY(json_read_skip(&d->j->r, &d->j->e));
    }
    f->seen |= seen & (1u << STATEMENT_MAP | 1u << S);
    f->is_whole = f->seen == (1u << STATEMENT_MAP | 1u << S);
    return 0;
}

static int begin_file(struct coverage_decoder *d, const struct json_event *at, uint32_t path)
{
    struct coverage_row *row = coverage_push(d, COVERAGE_FILE, at);
    if (row) row->name = path;
    return row ? 0 : ASSAY_ERR_MEMORY;
}

static int files(struct coverage_decoder *d, void *arg)
{
    struct istanbul_file *f = arg;
    struct json_event at;
    uint32_t key;
    bool has;
    for (;;) {
        TRY(coverage_member(d, &key, &at, &has));
        if (!has) return 0;
        clear(f);
        TRY(coverage_json_expect(d->j, JSON_OBJECT, "a file", &has));
        if (!has) continue;
        f->off = d->j->e.off;
        f->number = d->j->e.line;
        if (!slice_is(at.text, "total")) TRY(begin_file(d, &at, key));
        TRY(members(f, at.text, false));
        if (f->is_summary) {
            TRY(coverage_give(d));
            continue;
        }
        d->rows.len = 0;
        if (!f->is_whole && !d->j->r.is_damaged) coverage_json_found(d->j, f->off, f->number, "J-3", ASSAY_ERROR, "a file without statementMap or s");
        if (f->path && f->path != key) coverage_json_found(d->j, at.off, at.line, "IS-4", ASSAY_INFO, "the path of the file differs from its key");
        if (!f->path) f->path = key;
        TRY(istanbul_give(f));
    }
}

int istanbul_decode(struct coverage_decoder *d)
{
    struct istanbul_file f = { .d = d };
    int rc = coverage_document(d, files, &f);
    for (int i = 0; i < ISTANBUL_PARTS; i++) {
        vec_done(d->mem, &f.maps[i], &f.counts[i]);
    }
    vec_done(d->mem, &f.paths, &f.values, &f.hits);
    return rc;
}

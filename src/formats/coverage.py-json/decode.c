/* See decode.h. */
#include "formats/coverage.py-json/decode.h"

#include "base/number.h"

static const assay_slice figure_keys[COVERAGE_PY_FIGURES] = { COVERAGE_KEY("covered_lines"),        COVERAGE_KEY("num_statements"),
                                                              COVERAGE_KEY("covered_branches"),     COVERAGE_KEY("num_branches"),
                                                              COVERAGE_KEY("missing_lines"),        COVERAGE_KEY("excluded_lines"),
                                                              COVERAGE_KEY("num_partial_branches"), COVERAGE_KEY("missing_branches") };

const char *coverage_py_figure_name(enum coverage_py_figure f) { return figure_keys[f].data; }

static void forget(double *figures)
{
    for (int i = 0; i < COVERAGE_PY_FIGURES; i++) figures[i] = -1;
}

/* Percentages stand beside the figures; they follow from them. */
static int figures(struct coverage_py *p, double *out)
{
    bool is, was_negative;
    uint64_t v;
    TRY(coverage_json_expect(p->d->j, JSON_OBJECT, "summary", &is));
    while (is) {
        TRY(json_read_next(&p->d->j->r, &p->d->j->e));
        if (p->d->j->e.kind != JSON_KEY) break;
        int at = -1;
        for (int i = 0; i < COVERAGE_PY_FIGURES; i++)
            if (slice_equal(p->d->j->e.text, figure_keys[i])) at = i;
        TRY(json_read_next(&p->d->j->r, &p->d->j->e));
        if (at < 0) {
            TRY(json_read_skip(&p->d->j->r, &p->d->j->e));
            continue;
        }
        TRY(coverage_json_count(p->d->j, figure_keys[at].data, &v, &was_negative, &is));
        if (is) out[at] = (double)v;
        is = true;
    }
    return 0;
}

/* ---- lists of a file ---- */

enum list { EXECUTED, MISSING, EXCLUDED };

static int lines(struct coverage_py *p, enum list list, const char *what)
{
    struct coverage_json *j = p->d->j;
    bool is, has;
    uint32_t line;
    TRY(coverage_json_expect(j, JSON_ARRAY, what, &is));
    while (is) {
        TRY(coverage_json_item(j, &has));
        if (!has) break;
        uint64_t off = j->e.off, number = j->e.line;
        TRY(coverage_json_small(j, what, &line, &has));
        if (has && !line) coverage_json_found(j, off, number, "J-2", ASSAY_ERROR, "%s has a line below 1", what);
        if (!has || !line) continue;
        struct coverage_row *row = coverage_add_row(p->d, COVERAGE_LINE, off, number);
        if (!row) return ASSAY_ERR_MEMORY;
        row->line = line;
        row->count = list == EXECUTED;
        row->flags = ASSAY_COVERAGE_ONLY_HIT;
        if (list != EXCLUDED) continue;
        row->flags |= ASSAY_COVERAGE_EXCLUDED;
        uint32_t *excluded = vec_push(p->d->mem, &p->excluded);
        if (!excluded) return error_memory(p->d->err);
        *excluded = line;
    }
    return 0;
}

/* [from, to] */
static int ends_of(struct coverage_json *j, int64_t *ends, bool *is)
{
    uint64_t plain[2];
    uint32_t words;
    bool has;
    int count = json_read_plain(&j->r, plain, 2, &words);
    *is = count == 2 && !words;
    for (int i = 0; *is && i < 2; i++) ends[i] = (int64_t)plain[i];
    if (count >= 0) return 0;
    for (count = 0, *is = true;; count++) {
        TRY(coverage_json_item(j, &has));
        if (!has) break;
        *is &= j->e.kind == JSON_NUMBER && count < 2 && number_i64(j->e.text, &ends[count < 2 ? count : 0]) == NUMBER_OK;
        TRY(json_read_skip(&j->r, &j->e));
    }
    *is &= count == 2;
    return 0;
}

static int branch(struct coverage_py *p, bool is_hit, const char *what)
{
    struct coverage_json *j = p->d->j;
    uint64_t off = j->e.off, number = j->e.line;
    int64_t ends[2] = { 0, 0 };
    bool is;
    TRY(ends_of(j, ends, &is));
    if (j->r.is_damaged) return 0;
    if (!is || ends[0] < 1 || ends[0] > 0x7fffffff) {
        coverage_json_found(j, off, number, "J-2", ASSAY_ERROR, "%s: expected [line, line]", what);
        return 0;
    }
    struct coverage_row *row = coverage_add_row(p->d, COVERAGE_BRANCH, off, number);
    if (!row) return ASSAY_ERR_MEMORY;
    row->line = (uint32_t)ends[0];
    row->target = ends[1];
    row->count = is_hit;
    return 0;
}

static int branches(struct coverage_py *p, bool is_hit, const char *what)
{
    bool is, has;
    TRY(coverage_json_expect(p->d->j, JSON_ARRAY, what, &is));
    while (is) {
        TRY(coverage_json_item(p->d->j, &has));
        if (!has) break;
        TRY(coverage_json_expect(p->d->j, JSON_ARRAY, what, &has));
        if (has) TRY(branch(p, is_hit, what));
    }
    return 0;
}

/* "line": ["context", ...] */
static int contexts(struct coverage_py *p)
{
    bool is, has;
    uint64_t line;
    TRY(coverage_json_expect(p->d->j, JSON_OBJECT, "contexts", &is));
    while (is) {
        TRY(json_read_next(&p->d->j->r, &p->d->j->e));
        if (p->d->j->e.kind != JSON_KEY) break;
        if (number_u64(p->d->j->e.text, &line) != NUMBER_OK || line < 1 || line > 0x7fffffff) {
            coverage_json_found(p->d->j, p->d->j->e.off, p->d->j->e.line, "J-2", ASSAY_ERROR, "contexts for something that is not a line");
            line = 0;
        }
        TRY(json_read_next(&p->d->j->r, &p->d->j->e));
        TRY(coverage_json_expect(p->d->j, JSON_ARRAY, "contexts", &has));
        while (has) {
            TRY(coverage_json_item(p->d->j, &has));
            if (!has) break;
            bool is_name;
            TRY(coverage_json_expect(p->d->j, JSON_STRING, "a context", &is_name));
            if (!is_name || !line || !p->d->j->e.text.len) continue;
            uint32_t name = intern_put(&p->d->names, p->d->j->e.text);
            struct coverage_py_context *c = name ? vec_push(p->d->mem, &p->contexts) : NULL;
            if (!c) return error_memory(p->d->err);
            *c = (struct coverage_py_context){ (uint32_t)line, name };
        }
    }
    return 0;
}

/* ---- files ---- */

static int file(struct coverage_py *p, uint32_t path)
{
    enum { BRANCHES = EXCLUDED + 1, MISSING_BRANCHES, CONTEXTS, SUMMARY, FUNCTIONS, CLASSES, START, KEYS };
    static const assay_slice keys[KEYS] = { COVERAGE_KEY("executed_lines"),    COVERAGE_KEY("missing_lines"),    COVERAGE_KEY("excluded_lines"),
                                            COVERAGE_KEY("executed_branches"), COVERAGE_KEY("missing_branches"), COVERAGE_KEY("contexts"),
                                            COVERAGE_KEY("summary"),           COVERAGE_KEY("functions"),        COVERAGE_KEY("classes"),
                                            COVERAGE_KEY("start_line") };
    uint32_t seen = 0;
    struct json_event begin = p->d->j->e;
    p->contexts.len = p->excluded.len = 0;
    TRY(coverage_give(p->d));
    struct coverage_row *row = coverage_push(p->d, COVERAGE_FILE, &begin);
    if (!row) return ASSAY_ERR_MEMORY;
    row->name = path;
    forget(p->stated);
    for (int at = 0; at != COVERAGE_JSON_END;) {
        TRY(coverage_json_key(p->d->j, keys, KEYS, &seen, &at));
        if (at == COVERAGE_JSON_END) break;
        if (at <= EXCLUDED)
            TRY(lines(p, (enum list)at, keys[at].data));
        else if (at <= MISSING_BRANCHES)
            TRY(branches(p, at == BRANCHES, keys[at].data));
        else if (at == CONTEXTS)
            TRY(contexts(p));
        else if (at == SUMMARY)
            TRY(figures(p, p->stated));
        else
            TRY(json_read_skip(&p->d->j->r, &p->d->j->e));
    }
    if (!p->d->j->r.is_damaged && (seen & 3) != 3)
        coverage_json_found(p->d->j, begin.off, begin.line, "J-3", ASSAY_ERROR, "a file without executed_lines or missing_lines");
    if (p->d->use == COVERAGE_FOR_READER) TRY(coverage_py_settle(p));
    TRY(coverage_py_state(p, &begin, "file", p->stated));
    return coverage_give(p->d);
}

static int files(struct coverage_py *p)
{
    bool is, is_file;
    TRY(coverage_json_expect(p->d->j, JSON_OBJECT, "files", &is));
    while (is) {
        TRY(json_read_next(&p->d->j->r, &p->d->j->e));
        if (p->d->j->e.kind != JSON_KEY) break;
        uint32_t path = intern_put(&p->d->names, p->d->j->e.text);
        if (!path) return error_memory(p->d->err);
        TRY(json_read_next(&p->d->j->r, &p->d->j->e));
        TRY(coverage_json_expect(p->d->j, JSON_OBJECT, "a file", &is_file));
        if (is_file) TRY(file(p, path));
    }
    return 0;
}

/* For dumps: what it says of itself. */
static int record(struct coverage_decoder *d, const char *name, assay_slice text)
{
    struct coverage_row *row = d->use == COVERAGE_FOR_DUMP ? coverage_push(d, COVERAGE_RECORD, &d->j->e) : NULL;
    if (d->use != COVERAGE_FOR_DUMP) return 0;
    if (!row) return ASSAY_ERR_MEMORY;
    row->name = coverage_name(d, name);
    row->text = intern_put(&d->names, text);
    return row->name && row->text ? 0 : error_memory(d->err);
}

static int meta(struct coverage_py *p)
{
    enum { VERSION, BRANCH, TIME, SHOW, FORMAT, KEYS };
    static const assay_slice keys[KEYS] = { COVERAGE_KEY("version"), COVERAGE_KEY("branch_coverage"), COVERAGE_KEY("timestamp"), COVERAGE_KEY("show_contexts"),
                                            COVERAGE_KEY("format") };
    struct coverage_decoder *d = p->d;
    uint32_t seen = 0;
    bool is;
    TRY(coverage_json_expect(d->j, JSON_OBJECT, "meta", &is));
    for (int at = 0; is && at != COVERAGE_JSON_END;) {
        TRY(coverage_json_key(d->j, keys, KEYS, &seen, &at));
        if (at == COVERAGE_JSON_END) break;
        if (at == BRANCH) {
            p->has_branches = d->j->e.kind == JSON_TRUE;
            TRY(record(d, keys[at].data, p->has_branches ? SLICE("true") : SLICE("false")));
        }
        if (at == VERSION && d->j->e.kind == JSON_STRING) {
            if (!(d->version = intern_put(&d->names, d->j->e.text))) return error_memory(d->err);
            TRY(record(d, keys[at].data, d->j->e.text));
        }
        TRY(json_read_skip(&d->j->r, &d->j->e));
    }
    return 0;
}

static int document(struct coverage_decoder *d, void *arg)
{
    enum { META, FILES, TOTALS, KEYS };
    static const assay_slice keys[KEYS] = { COVERAGE_KEY("meta"), COVERAGE_KEY("files"), COVERAGE_KEY("totals") };
    struct coverage_py *p = arg;
    struct json_event begin = d->j->e, totals;
    uint32_t seen = 0;
    for (int at = 0; at != COVERAGE_JSON_END;) {
        TRY(coverage_json_key(d->j, keys, KEYS, &seen, &at));
        totals = d->j->e;
        if (at == META) TRY(meta(p));
        if (at == FILES) TRY(files(p));
        if (at == TOTALS) TRY(figures(p, p->totals));
        if (at == TOTALS && d->use == COVERAGE_FOR_DUMP) TRY(coverage_py_state(p, &totals, "report", p->totals));
    }
    if (!d->j->r.is_damaged && !(seen & 1u << FILES)) coverage_json_found(d->j, begin.off, begin.line, "J-3", ASSAY_ERROR, "files is missing");
    return 0;
}

/* What readers get behind all files, wherever it stands. */
static int finish(struct coverage_py *p)
{
    struct coverage_row *row = coverage_add_row(p->d, COVERAGE_ATTRIBUTE, 0, 0);
    if (!row) return ASSAY_ERR_MEMORY;
    row->name = coverage_name(p->d, "branch_coverage");
    row->text = coverage_name(p->d, p->has_branches ? "true" : "false");
    if (!row->name || !row->text) return error_memory(p->d->err);
    return coverage_py_state(p, &(struct json_event){ .off = 0 }, "report", p->totals);
}

int coverage_py_decode(struct coverage_decoder *d)
{
    struct coverage_py p = { .d = d };
    forget(p.totals);
    int rc = coverage_document(d, document, &p);
    if (rc == 0 && d->use == COVERAGE_FOR_READER) rc = finish(&p);
    vec_done(d->mem, &p.contexts, &p.rows, &p.excluded, &p.is_listed);
    return rc;
}

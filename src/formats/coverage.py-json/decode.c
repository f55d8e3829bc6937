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
static int figures(struct coverage_py_decoder *d, double *out)
{
    bool is, was_negative;
    uint64_t v;
    TRY(coverage_json_expect(&d->j, JSON_OBJECT, "summary", &is));
    while (is) {
        TRY(json_read_next(&d->j.r, &d->j.e));
        if (d->j.e.kind != JSON_KEY) break;
        int at = -1;
        for (int i = 0; i < COVERAGE_PY_FIGURES; i++)
            if (slice_equal(d->j.e.text, figure_keys[i])) at = i;
        TRY(json_read_next(&d->j.r, &d->j.e));
        if (at < 0) {
            TRY(json_read_skip(&d->j.r, &d->j.e));
            continue;
        }
        TRY(coverage_json_count(&d->j, figure_keys[at].data, &v, &was_negative, &is));
        if (is) out[at] = (double)v;
        is = true;
    }
    return 0;
}

/* ---- lists of a file ---- */

static int lines(struct coverage_py_decoder *d, enum coverage_py_list list, const char *what)
{
    bool is, has;
    uint32_t line;
    TRY(coverage_json_expect(&d->j, JSON_ARRAY, what, &is));
    while (is) {
        TRY(coverage_json_item(&d->j, &has));
        if (!has) break;
        uint64_t off = d->j.e.off, number = d->j.e.line;
        TRY(coverage_json_small(&d->j, what, &line, &has));
        if (has && !line) coverage_json_found(&d->j, off, number, "J-2", ASSAY_ERROR, "%s has a line below 1", what);
        struct coverage_py_line *row = has && line ? vec_push(d->mem, &d->file.lines) : NULL;
        if (has && line && !row) return error_memory(d->err);
        if (row) *row = (struct coverage_py_line){ off, number, line, (uint8_t)list };
    }
    return 0;
}

/* [from, to] */
static int branch(struct coverage_py_decoder *d, bool is_hit, const char *what)
{
    struct coverage_py_branch b = { .off = d->j.e.off, .number = d->j.e.line, .is_hit = is_hit };
    int64_t ends[2] = { 0, 0 };
    bool has, is_whole = true;
    int count = 0;
    for (;; count++) {
        TRY(coverage_json_item(&d->j, &has));
        if (!has) break;
        is_whole &= d->j.e.kind == JSON_NUMBER && count < 2 && number_i64(d->j.e.text, &ends[count < 2 ? count : 0]) == NUMBER_OK;
        TRY(json_read_skip(&d->j.r, &d->j.e));
    }
    if (d->j.r.is_damaged) return 0;
    if (!is_whole || count != 2 || ends[0] < 1 || ends[0] > 0x7fffffff) {
        coverage_json_found(&d->j, b.off, b.number, "J-2", ASSAY_ERROR, "%s: expected [line, line]", what);
        return 0;
    }
    b.from = (uint32_t)ends[0];
    b.to = ends[1];
    struct coverage_py_branch *slot = vec_push(d->mem, &d->file.branches);
    if (!slot) return error_memory(d->err);
    *slot = b;
    return 0;
}

static int branches(struct coverage_py_decoder *d, bool is_hit, const char *what)
{
    bool is, has;
    TRY(coverage_json_expect(&d->j, JSON_ARRAY, what, &is));
    while (is) {
        TRY(coverage_json_item(&d->j, &has));
        if (!has) break;
        TRY(coverage_json_expect(&d->j, JSON_ARRAY, what, &has));
        if (has) TRY(branch(d, is_hit, what));
    }
    return 0;
}

/* "line": ["context", ...] */
static int contexts(struct coverage_py_decoder *d)
{
    bool is, has;
    uint64_t line;
    TRY(coverage_json_expect(&d->j, JSON_OBJECT, "contexts", &is));
    while (is) {
        TRY(json_read_next(&d->j.r, &d->j.e));
        if (d->j.e.kind != JSON_KEY) break;
        if (number_u64(d->j.e.text, &line) != NUMBER_OK || line < 1 || line > 0x7fffffff) {
            coverage_json_found(&d->j, d->j.e.off, d->j.e.line, "J-2", ASSAY_ERROR, "contexts for something that is not a line");
            line = 0;
        }
        TRY(json_read_next(&d->j.r, &d->j.e));
        TRY(coverage_json_expect(&d->j, JSON_ARRAY, "contexts", &has));
        while (has) {
            TRY(coverage_json_item(&d->j, &has));
            if (!has) break;
            bool is_name;
            TRY(coverage_json_expect(&d->j, JSON_STRING, "a context", &is_name));
            if (!is_name || !line || !d->j.e.text.len) continue;
            uint32_t name = intern_put(&d->names, d->j.e.text);
            struct coverage_py_context *c = name ? vec_push(d->mem, &d->file.contexts) : NULL;
            if (!c) return error_memory(d->err);
            *c = (struct coverage_py_context){ (uint32_t)line, name };
        }
    }
    return 0;
}

/* ---- files ---- */

static int file(struct coverage_py_decoder *d, uint32_t path)
{
    enum { EXECUTED, MISSING, EXCLUDED, BRANCHES, MISSING_BRANCHES, CONTEXTS, SUMMARY, FUNCTIONS, CLASSES, START, KEYS };
    static const assay_slice keys[KEYS] = { COVERAGE_KEY("executed_lines"),    COVERAGE_KEY("missing_lines"),    COVERAGE_KEY("excluded_lines"),
                                            COVERAGE_KEY("executed_branches"), COVERAGE_KEY("missing_branches"), COVERAGE_KEY("contexts"),
                                            COVERAGE_KEY("summary"),           COVERAGE_KEY("functions"),        COVERAGE_KEY("classes"),
                                            COVERAGE_KEY("start_line") };
    struct coverage_py_file *f = &d->file;
    uint32_t seen = 0;
    f->off = d->j.e.off;
    f->number = d->j.e.line;
    f->lines.len = f->branches.len = f->contexts.len = 0;
    forget(f->stated);
    for (int at = 0; at != COVERAGE_JSON_END;) {
        TRY(coverage_json_key(&d->j, keys, KEYS, &seen, &at));
        if (at == COVERAGE_JSON_END) break;
        if (at <= EXCLUDED)
            TRY(lines(d, (enum coverage_py_list)at, keys[at].data));
        else if (at <= MISSING_BRANCHES)
            TRY(branches(d, at == BRANCHES, keys[at].data));
        else if (at == CONTEXTS)
            TRY(contexts(d));
        else if (at == SUMMARY)
            TRY(figures(d, f->stated));
        else
            TRY(json_read_skip(&d->j.r, &d->j.e));
    }
    if (!d->j.r.is_damaged && (seen & 3) != 3)
        coverage_json_found(&d->j, f->off, f->number, "J-3", ASSAY_ERROR, "a file without executed_lines or missing_lines");
    f->path = intern_get(&d->names, path);
    return d->take(d->arg, f);
}

static int files(struct coverage_py_decoder *d)
{
    bool is, is_file;
    TRY(coverage_json_expect(&d->j, JSON_OBJECT, "files", &is));
    while (is) {
        TRY(json_read_next(&d->j.r, &d->j.e));
        if (d->j.e.kind != JSON_KEY) break;
        uint32_t path = intern_put(&d->names, d->j.e.text);
        if (!path) return error_memory(d->err);
        TRY(json_read_next(&d->j.r, &d->j.e));
        TRY(coverage_json_expect(&d->j, JSON_OBJECT, "a file", &is_file));
        if (is_file) TRY(file(d, path));
    }
    return 0;
}

static int meta(struct coverage_py_decoder *d)
{
    enum { VERSION, BRANCH, TIME, SHOW, FORMAT, KEYS };
    static const assay_slice keys[KEYS] = { COVERAGE_KEY("version"), COVERAGE_KEY("branch_coverage"), COVERAGE_KEY("timestamp"), COVERAGE_KEY("show_contexts"),
                                            COVERAGE_KEY("format") };
    uint32_t seen = 0;
    bool is;
    TRY(coverage_json_expect(&d->j, JSON_OBJECT, "meta", &is));
    for (int at = 0; is && at != COVERAGE_JSON_END;) {
        TRY(coverage_json_key(&d->j, keys, KEYS, &seen, &at));
        if (at == COVERAGE_JSON_END) break;
        if (at == BRANCH) d->has_branches = d->j.e.kind == JSON_TRUE;
        if (at == VERSION && d->j.e.kind == JSON_STRING && !(d->version = intern_put(&d->names, d->j.e.text))) return error_memory(d->err);
        TRY(json_read_skip(&d->j.r, &d->j.e));
    }
    return 0;
}

static int document(struct coverage_py_decoder *d)
{
    enum { META, FILES, TOTALS, KEYS };
    static const assay_slice keys[KEYS] = { COVERAGE_KEY("meta"), COVERAGE_KEY("files"), COVERAGE_KEY("totals") };
    uint32_t seen = 0;
    bool is;
    TRY(json_read_next(&d->j.r, &d->j.e));
    struct json_event begin = d->j.e;
    TRY(coverage_json_expect(&d->j, JSON_OBJECT, "the document", &is));
    for (int at = 0; is && at != COVERAGE_JSON_END;) {
        TRY(coverage_json_key(&d->j, keys, KEYS, &seen, &at));
        if (at == META) TRY(meta(d));
        if (at == FILES) TRY(files(d));
        if (at == TOTALS) TRY(figures(d, d->totals));
    }
    if (!is || d->j.r.is_damaged) return 0;
    if (!(seen & 1u << FILES)) coverage_json_found(&d->j, begin.off, begin.line, "J-3", ASSAY_ERROR, "files is missing");
    return json_read_next(&d->j.r, &d->j.e); /* the end, or what should not be there */
}

int coverage_py_decode(struct coverage_py_decoder *d, const struct read_job *job, assay_error *err)
{
    d->mem = job->mem;
    d->err = err;
    forget(d->totals);
    intern_init(&d->names, job->mem);
    coverage_json_init(&d->j, job, d->damage, err);
    int rc = document(d);
    coverage_json_done(&d->j);
    return rc == 0 && d->damage->failed ? error_memory(err) : rc;
}

void coverage_py_done(struct coverage_py_decoder *d)
{
    intern_done(&d->names);
    vec_done(d->mem, &d->file.lines);
    vec_done(d->mem, &d->file.branches);
    vec_done(d->mem, &d->file.contexts);
}

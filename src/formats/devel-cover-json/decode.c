/* See decode.h. */
#include "formats/devel-cover-json/decode.h"

/* What Devel::Cover calls its criteria, and what the model does. */
static const struct {
    assay_slice said, kind;
} criteria[] = { { COVERAGE_KEY("statement"), COVERAGE_KEY("statements") },
                 { COVERAGE_KEY("branch"), COVERAGE_KEY("branches") },
                 { COVERAGE_KEY("condition"), COVERAGE_KEY("conditions") },
                 { COVERAGE_KEY("subroutine"), COVERAGE_KEY("functions") } };

static assay_slice kind_of(assay_slice said)
{
    for (size_t i = 0; i < sizeof criteria / sizeof *criteria; i++)
        if (slice_equal(criteria[i].said, said)) return criteria[i].kind;
    return said;
}

static int figures(struct coverage_decoder *d, const struct json_event *at, const char *scope)
{
    enum { COVERED, WRONG, TOTAL, UNCOVERABLE, PERCENT, KEYS };
    static const assay_slice keys[KEYS] = { COVERAGE_KEY("covered"), COVERAGE_KEY("error"), COVERAGE_KEY("total"), COVERAGE_KEY("uncoverable"),
                                            COVERAGE_KEY("percentage") };
    double v[KEYS] = { 0, 0, 0, 0, 0 };
    uint32_t seen = 0;
    bool is;
    int key;
    for (;;) {
        TRY(coverage_json_key(d->j, keys, KEYS, &seen, &key));
        if (key == COVERAGE_JSON_END) break;
        if (d->j->e.kind == JSON_STRING) /* a percentage of nothing is "n/a" */
            TRY(json_read_skip(&d->j->r, &d->j->e));
        else
            TRY(coverage_json_double(d->j, keys[key].data, &v[key], &is));
    }
    if (d->j->r.is_damaged) return 0;
    int shown = (int)(at->text.len < 40 ? at->text.len : 40);
    if (!(seen & 1u << TOTAL)) {
        coverage_json_found(d->j, at->off, at->line, "J-3", ASSAY_ERROR, "%.*s without total", shown, at->text.data);
        return 0;
    }
    if (v[COVERED] + v[WRONG] + v[UNCOVERABLE] != v[TOTAL])
        coverage_json_found(d->j, at->off, at->line, "DC-1", ASSAY_WARNING, "%.*s: %.0f covered, %.0f not and %.0f uncoverable are not %.0f", shown,
                            at->text.data, v[COVERED], v[WRONG], v[UNCOVERABLE], v[TOTAL]);
    return coverage_state(d, at, scope, kind_of(at->text), v[COVERED], v[TOTAL]);
}

static int criteria_of(struct coverage_decoder *d, const char *scope)
{
    struct json_event at;
    uint32_t key;
    bool is, has;
    TRY(coverage_json_expect(d->j, JSON_OBJECT, "a summary", &is));
    while (is) {
        TRY(coverage_member(d, &key, &at, &has));
        if (!has) break;
        TRY(coverage_json_expect(d->j, JSON_OBJECT, "a criterion", &has));
        if (has) TRY(figures(d, &at, scope));
    }
    return 0;
}

/* "Total" is no file. */
static int summary(struct coverage_decoder *d)
{
    struct json_event at;
    uint32_t path;
    bool is, has;
    TRY(coverage_json_expect(d->j, JSON_OBJECT, "summary", &is));
    while (is) {
        TRY(coverage_member(d, &path, &at, &has));
        if (!has) break;
        bool is_total = slice_is(at.text, "Total");
        if (!is_total) {
            struct coverage_row *row = coverage_push(d, COVERAGE_FILE, &at);
            if (!row) return ASSAY_ERR_MEMORY;
            row->name = path;
        }
        TRY(criteria_of(d, is_total ? "report" : "file"));
        TRY(coverage_give(d));
    }
    return 0;
}

static int run(struct coverage_decoder *d, void *arg)
{
    enum { RUN, DIR, PERL, OS, ABSTRACT, FINISH, NAME, START, VERSION, COLLECTED, KEYS };
    static const assay_slice keys[KEYS] = { COVERAGE_KEY("run"),      COVERAGE_KEY("dir"),      COVERAGE_KEY("perl"), COVERAGE_KEY("OS"),
                                            COVERAGE_KEY("abstract"), COVERAGE_KEY("finish"),   COVERAGE_KEY("name"), COVERAGE_KEY("start"),
                                            COVERAGE_KEY("version"),  COVERAGE_KEY("collected") };
    uint64_t *runs = arg;
    uint32_t seen = 0;
    int at;
    ++*runs;
    for (;;) {
        TRY(coverage_json_key(d->j, keys, KEYS, &seen, &at));
        if (at == COVERAGE_JSON_END) return coverage_give(d);
        if (at > PERL || d->j->e.kind != JSON_STRING) {
            TRY(json_read_skip(&d->j->r, &d->j->e));
            continue;
        }
        struct coverage_row *row = coverage_push(d, COVERAGE_ATTRIBUTE, &d->j->e);
        if (!row) return ASSAY_ERR_MEMORY;
        row->name = coverage_name(d, keys[at].data);
        row->text = intern_put(&d->names, d->j->e.text);
        if (!row->name || !row->text) return error_memory(d->err);
    }
}

static int document(struct coverage_decoder *d, void *arg)
{
    enum { RUNS, SUMMARY, KEYS };
    static const assay_slice keys[KEYS] = { COVERAGE_KEY("runs"), COVERAGE_KEY("summary") };
    struct json_event begin = d->j->e;
    uint64_t runs = 0;
    uint32_t seen = 0;
    int at;
    (void)arg;
    for (;;) {
        TRY(coverage_json_key(d->j, keys, KEYS, &seen, &at));
        if (at == COVERAGE_JSON_END) break;
        TRY(at == RUNS ? coverage_objects(d, "runs", "a run", run, &runs) : summary(d));
    }
    if (!(seen & 1u << SUMMARY) && !d->j->r.is_damaged) coverage_json_found(d->j, begin.off, begin.line, "J-3", ASSAY_ERROR, "summary is missing");
    return coverage_count(d, "runs", runs);
}

int devel_cover_decode(struct coverage_decoder *d) { return coverage_document(d, document, NULL); }

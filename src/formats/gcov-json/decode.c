/* Top and files; see decode.h. */
#include "formats/gcov-json/decode.h"

#include "base/number.h"

static int take_file(struct gcov_json_decoder *d, const struct json_event *begin, uint32_t name)
{
    size_t functions = d->functions.len;
    if (!vec_reserve(d->mem, &d->functions, d->rows.len + 1)) return error_memory(d->err);
    if (d->rows.len) memcpy(d->functions.at + functions, d->rows.at, d->rows.len * sizeof *d->rows.at);
    struct gcov_json_record r = { .kind = GCOV_JSON_FILE,
                                  .off = begin->off,
                                  .number = begin->line,
                                  .text = intern_get(&d->names, name),
                                  .rows = d->functions.at,
                                  .row_count = functions + d->rows.len };
    return d->take(d->arg, &r);
}

typedef int (*item_fn)(struct gcov_json_decoder *d);

/* An array of objects. */
static int objects(struct gcov_json_decoder *d, const char *what, const char *item, item_fn fn)
{
    bool is, has;
    TRY(coverage_json_expect(&d->j, JSON_ARRAY, what, &is));
    if (!is) return 0;
    for (;;) {
        TRY(coverage_json_item(&d->j, &has));
        if (!has) return 0;
        TRY(coverage_json_expect(&d->j, JSON_OBJECT, item, &is));
        if (is) TRY(fn(d));
    }
}

static int file(struct gcov_json_decoder *d)
{
    enum { FILE_NAME, FUNCTIONS, LINES, SOURCES, KEYS };
    static const assay_slice keys[KEYS] = { COVERAGE_KEY("file"), COVERAGE_KEY("functions"), COVERAGE_KEY("lines"), COVERAGE_KEY("gcovr/data_sources") };
    struct json_event begin = d->j.e;
    uint32_t seen = 0, name = 0;
    int at;
    bool is;
    d->functions.len = d->rows.len = 0;
    for (;;) {
        TRY(coverage_json_key(&d->j, keys, KEYS, &seen, &at));
        switch (at) {
        case FILE_NAME:
            TRY(coverage_json_expect(&d->j, JSON_STRING, "file", &is));
            name = is ? intern_put(&d->names, d->j.e.text) : 0;
            if (is && !name) return error_memory(d->err);
            break;
        case FUNCTIONS: TRY(objects(d, "functions", "a function", gcov_json_function)); break;
        case LINES: TRY(objects(d, "lines", "a line", gcov_json_line)); break;
        case SOURCES: TRY(json_read_skip(&d->j.r, &d->j.e)); break;
        default:
            if (name) return take_file(d, &begin, name);
            if (!d->j.r.is_damaged && !(seen & 1u << FILE_NAME))
                coverage_json_found(&d->j, begin.off, begin.line, "J-3", ASSAY_ERROR, "a file without its name in file");
            return 0;
        }
    }
}

enum { GCOVR_NEWEST = 15 };

static bool is_gcovr_version(assay_slice text)
{
    uint64_t minor;
    return slice_starts(text, "0.") && number_u64((assay_slice){ text.data + 2, text.len - 2 }, &minor) == NUMBER_OK && minor >= 1 && minor <= GCOVR_NEWEST;
}

static int top_text(struct gcov_json_decoder *d, enum gcov_json_top top, const char *what)
{
    struct coverage_json *j = &d->j;
    bool is;
    TRY(coverage_json_expect(j, JSON_STRING, what, &is));
    if (!is) return 0;
    int shown = (int)(j->e.text.len < 20 ? j->e.text.len : 20);
    if (top == GCOV_JSON_VERSION && !slice_is(j->e.text, "1") && !slice_is(j->e.text, "2"))
        coverage_json_found(j, j->e.off, j->e.line, "GJ-1", ASSAY_ERROR, "format_version is '%.*s': expected 1 or 2", shown, j->e.text.data);
    if (top == GCOV_JSON_GCOVR && !is_gcovr_version(j->e.text))
        coverage_json_found(j, j->e.off, j->e.line, "GV-1", ASSAY_WARNING, "gcovr/format_version is '%.*s': expected 0.1 to 0.%d", shown, j->e.text.data,
                            GCOVR_NEWEST);
    struct gcov_json_record r = { .kind = GCOV_JSON_TOP, .off = j->e.off, .number = j->e.line, .top = top, .text = j->e.text };
    return d->take(d->arg, &r);
}

static int document(struct gcov_json_decoder *d)
{
    enum { FILES = GCOV_JSON_GCOVR + 1, KEYS };
    static const assay_slice keys[KEYS] = { COVERAGE_KEY("format_version"), COVERAGE_KEY("gcc_version"),          COVERAGE_KEY("current_working_directory"),
                                            COVERAGE_KEY("data_file"),      COVERAGE_KEY("gcovr/format_version"), COVERAGE_KEY("files") };
    uint32_t seen = 0;
    int at;
    bool is;
    TRY(json_read_next(&d->j.r, &d->j.e));
    struct json_event begin = d->j.e;
    TRY(coverage_json_expect(&d->j, JSON_OBJECT, "the document", &is));
    for (at = 0; is && at != COVERAGE_JSON_END;) {
        TRY(coverage_json_key(&d->j, keys, KEYS, &seen, &at));
        if (at == FILES)
            TRY(objects(d, "files", "a file", file));
        else if (at != COVERAGE_JSON_END)
            TRY(top_text(d, (enum gcov_json_top)at, keys[at].data));
    }
    if (!is || d->j.r.is_damaged) return 0;
    if (!(seen & (1u << GCOV_JSON_VERSION | 1u << GCOV_JSON_GCOVR)))
        coverage_json_found(&d->j, begin.off, begin.line, "J-3", ASSAY_ERROR, "format_version is missing");
    if (!(seen & 1u << FILES)) coverage_json_found(&d->j, begin.off, begin.line, "J-3", ASSAY_ERROR, "files is missing");
    return json_read_next(&d->j.r, &d->j.e); /* the end, or what should not be there */
}

int gcov_json_decode(struct gcov_json_decoder *d, const struct read_job *job, assay_error *err)
{
    d->mem = job->mem;
    d->err = err;
    intern_init(&d->names, job->mem);
    coverage_json_init(&d->j, job, d->damage, err);
    int rc = document(d);
    coverage_json_done(&d->j);
    return rc == 0 && d->damage->failed ? error_memory(err) : rc;
}

void gcov_json_done(struct gcov_json_decoder *d)
{
    intern_done(&d->names);
    vec_done(d->mem, &d->functions);
    vec_done(d->mem, &d->rows);
}

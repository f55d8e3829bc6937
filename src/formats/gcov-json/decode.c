/* Top and files; see decode.h. */
#include "formats/gcov-json/decode.h"

#include "base/number.h"

/* Puts the lines behind the functions, and gives them. */
static int give_file(struct gcov_json *g, uint32_t name)
{
    struct coverage_decoder *d = g->d;
    size_t first = g->functions.len;
    if (!vec_reserve(d->mem, &g->functions, d->rows.len)) return error_memory(d->err);
    if (d->rows.len) memcpy(g->functions.at + first, d->rows.at, d->rows.len * sizeof *d->rows.at);
    g->functions.at[0].name = name;
    int rc = d->take ? d->take(d->arg, d, g->functions.at, first + d->rows.len) : 0;
    d->rows.len = 0;
    return rc;
}

static int file(struct coverage_decoder *d, void *arg)
{
    enum { FILE_NAME, FUNCTIONS, LINES, SOURCES, KEYS };
    static const assay_slice keys[KEYS] = { COVERAGE_KEY("file"), COVERAGE_KEY("functions"), COVERAGE_KEY("lines"), COVERAGE_KEY("gcovr/data_sources") };
    struct gcov_json *g = arg;
    struct json_event begin = g->j->e;
    uint32_t seen = 0, name = 0;
    int at;
    TRY(coverage_give(d));
    g->functions.len = 0;
    struct coverage_row *row = vec_push(d->mem, &g->functions);
    if (!row) return error_memory(d->err);
    *row = (struct coverage_row){ .kind = COVERAGE_FILE, .off = begin.off, .number = (uint32_t)begin.line, .marks = (uint32_t)d->damage->list.len };
    for (;;) {
        TRY(coverage_json_key(g->j, keys, KEYS, &seen, &at));
        switch (at) {
        case FILE_NAME: TRY(coverage_text(d, "file", &name)); break;
        case FUNCTIONS: TRY(coverage_objects(d, "functions", "a function", gcov_json_function, g)); break;
        case LINES: TRY(coverage_objects(d, "lines", "a line", gcov_json_line, g)); break;
        case SOURCES: TRY(json_read_skip(&g->j->r, &g->j->e)); break;
        default:
            if (name) return give_file(g, name);
            d->rows.len = 0;
            if (!g->j->r.is_damaged && !(seen & 1u << FILE_NAME))
                coverage_json_found(g->j, begin.off, begin.line, "J-3", ASSAY_ERROR, "a file without its name in file");
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

enum { VERSION, GCC, FOLDER, DATA, GCOVR, FILES, KEYS };

static int top_text(struct gcov_json *g, int key, const char *what)
{
    struct coverage_decoder *d = g->d;
    struct coverage_json *j = g->j;
    struct json_event at = j->e;
    uint32_t value;
    TRY(coverage_text(d, what, &value));
    if (!value) return 0;
    assay_slice text = intern_get(&d->names, value);
    int shown = (int)(text.len < 20 ? text.len : 20);
    if (key == VERSION && !slice_is(text, "1") && !slice_is(text, "2"))
        coverage_json_found(j, at.off, at.line, "GJ-1", ASSAY_ERROR, "format_version is '%.*s': expected 1 or 2", shown, text.data);
    if (key == GCOVR && !is_gcovr_version(text))
        coverage_json_found(j, at.off, at.line, "GV-1", ASSAY_WARNING, GCOV_JSON_GCOVR_VERSION " is '%.*s': expected 0.1 to 0.%d", shown, text.data,
                            GCOVR_NEWEST);
    bool is_version = key == VERSION || key == GCOVR;
    if (is_version) d->version = value;
    struct coverage_row *row = coverage_push(d, is_version ? COVERAGE_RECORD : COVERAGE_ATTRIBUTE, &at);
    if (!row) return ASSAY_ERR_MEMORY;
    row->name = coverage_name(d, what);
    row->text = value;
    return row->name ? 0 : error_memory(d->err);
}

static int document(struct coverage_decoder *d, void *arg)
{
    static const assay_slice keys[KEYS] = { COVERAGE_KEY("format_version"), COVERAGE_KEY("gcc_version"),           COVERAGE_KEY("current_working_directory"),
                                            COVERAGE_KEY("data_file"),      COVERAGE_KEY(GCOV_JSON_GCOVR_VERSION), COVERAGE_KEY("files") };
    struct gcov_json *g = arg;
    struct json_event begin = d->j->e;
    uint32_t seen = 0;
    g->j = d->j;
    for (int at = 0; at != COVERAGE_JSON_END;) {
        TRY(coverage_json_key(g->j, keys, KEYS, &seen, &at));
        if (at == FILES)
            TRY(coverage_objects(d, "files", "a file", file, g));
        else if (at != COVERAGE_JSON_END)
            TRY(top_text(g, at, keys[at].data));
    }
    if (g->j->r.is_damaged) return 0;
    if (!(seen & (1u << VERSION | 1u << GCOVR))) coverage_json_found(g->j, begin.off, begin.line, "J-3", ASSAY_ERROR, "format_version is missing");
    if (!(seen & 1u << FILES)) coverage_json_found(g->j, begin.off, begin.line, "J-3", ASSAY_ERROR, "files is missing");
    return 0;
}

int gcov_json_decode(struct coverage_decoder *d)
{
    struct gcov_json g = { .d = d };
    int rc = coverage_document(d, document, &g);
    if (rc == 0) rc = coverage_give(d);
    if (rc == 0 && g.negative) rc = coverage_count(d, "negative", g.negative);
    vec_done(d->mem, &g.functions);
    return rc;
}

/* The document, its data sets, and functions; see decode.h. */
#include "formats/llvm-cov-json/decode.h"

/* ---- arrays ---- */

int llvm_cov_tuples(struct llvm_work *w, const char *what, const char *item, llvm_tuple_fn fn, void *arg)
{
    struct coverage_json *j = w->d->j;
    struct coverage_tuple t;
    bool is, has;
    TRY(coverage_json_expect(j, JSON_ARRAY, what, &is));
    while (is) {
        TRY(coverage_json_item(j, &has));
        if (!has) break;
        TRY(coverage_json_tuple(j, item, &t));
        if (t.is) TRY(fn(w, &t, arg));
    }
    return 0;
}

bool llvm_cov_fits(struct llvm_work *w, const struct coverage_tuple *t, const char *what, unsigned least, unsigned most, unsigned places)
{
    if (t->count < least || t->count > most) {
        coverage_json_found(w->d->j, t->off, t->line, "LV-3", ASSAY_ERROR, "%s of %u values: expected %u", what, t->count, most);
        return false;
    }
    bool is_valid = t->at[0] > 0 && !(t->words & ((1u << places) - 1));
    for (unsigned i = 0; i < places; i++) is_valid &= t->at[i] <= 0x7fffffff;
    if (!is_valid) coverage_json_found(w->d->j, t->off, t->line, "J-2", ASSAY_ERROR, "%s: expected lines from 1 to 2147483647", what);
    return is_valid;
}

/* ---- summaries ---- */

static int figures(struct llvm_work *w, const char *scope, const struct json_event *at, uint32_t kind)
{
    enum { COUNT, COVERED, NOT_COVERED, PERCENT, KEYS };
    static const assay_slice keys[KEYS] = { COVERAGE_KEY("count"), COVERAGE_KEY("covered"), COVERAGE_KEY("notcovered"), COVERAGE_KEY("percent") };
    struct coverage_decoder *d = w->d;
    uint64_t v[2] = { 0, 0 };
    uint32_t seen = 0;
    double percent = -1;
    bool is, was_negative;
    int key;
    for (;;) {
        TRY(coverage_json_key(d->j, keys, KEYS, &seen, &key));
        if (key == COVERAGE_JSON_END) break;
        if (key <= COVERED)
            TRY(coverage_json_count(d->j, keys[key].data, &v[key], &was_negative, &is));
        else if (key == PERCENT)
            TRY(coverage_json_double(d->j, "percent", &percent, &is));
        else
            TRY(json_read_skip(&d->j->r, &d->j->e));
    }
    if ((seen & 3) != 3 || d->j->r.is_damaged) return 0;
    double right = v[COUNT] ? 100.0 * (double)v[COVERED] / (double)v[COUNT] : 0, off = percent - right;
    assay_slice name = intern_get(&d->names, kind);
    if (percent >= 0 && (off > 0.01 || off < -0.01))
        coverage_json_found(d->j, at->off, at->line, "LV-5", ASSAY_WARNING, "%.*s: %.2f percent is stated, but %llu of %llu is %.2f",
                            (int)(name.len < 40 ? name.len : 40), name.data, percent, (unsigned long long)v[COVERED], (unsigned long long)v[COUNT], right);
    return coverage_state(d, at, scope, name, (double)v[COVERED], (double)v[COUNT]);
}

int llvm_cov_summary(struct llvm_work *w, const char *scope)
{
    struct coverage_decoder *d = w->d;
    struct json_event at;
    uint32_t kind;
    bool is, has;
    TRY(coverage_json_expect(d->j, JSON_OBJECT, "a summary", &is));
    while (is) {
        TRY(coverage_member(d, &kind, &at, &has));
        if (!has) break;
        TRY(coverage_json_expect(d->j, JSON_OBJECT, "a figure of a summary", &has));
        if (has) TRY(figures(w, scope, &at, kind));
    }
    return 0;
}

/* ---- functions ---- */

static int region(struct llvm_work *w, const struct coverage_tuple *t, void *arg)
{
    (void)arg;
    if (!llvm_cov_fits(w, t, "a region", 8, 8, 4)) return 0;
    struct llvm_region *r = vec_push(w->d->mem, &w->regions);
    if (!r) return error_memory(w->d->err);
    *r = (struct llvm_region){ t->at[4],
                               t->off,
                               (uint32_t)t->at[0],
                               (uint32_t)t->at[1],
                               (uint32_t)t->at[2],
                               (uint32_t)t->at[3],
                               (uint32_t)t->line,
                               (uint32_t)(t->at[5] < UINT32_MAX ? t->at[5] : UINT32_MAX),
                               (uint8_t)(t->at[7] < 255 ? t->at[7] : 255) };
    return 0;
}

static int filenames(struct llvm_work *w)
{
    struct coverage_decoder *d = w->d;
    bool is, has;
    TRY(coverage_json_expect(d->j, JSON_ARRAY, "filenames", &is));
    while (is) {
        TRY(coverage_json_item(d->j, &has));
        if (!has) break;
        uint32_t name;
        TRY(coverage_text(d, "a name of a file", &name));
        uint32_t *slot = vec_push(d->mem, &w->filenames);
        if (!slot) return error_memory(d->err);
        *slot = name;
    }
    return 0;
}

/* A row that says whose rows follow. */
static int switch_file(struct llvm_work *w, const struct json_event *at, uint32_t name)
{
    struct coverage_row *row = coverage_push(w->d, COVERAGE_FILE, at);
    if (!row) return ASSAY_ERR_MEMORY;
    row->name = name;
    row->known_only = w->has_files;
    row->is_derived = w->d->rows.len > 1;
    return 0;
}

static int give_regions(struct llvm_work *w, uint32_t file)
{
    static const uint8_t kinds[] = { ASSAY_REGION_CODE, ASSAY_REGION_OTHER, ASSAY_REGION_SKIPPED, ASSAY_REGION_GAP };
    for (size_t i = 0; i < w->regions.len; i++) {
        const struct llvm_region *r = &w->regions.at[i];
        struct json_event at = { .off = r->off, .line = r->number };
        if (r->file >= w->filenames.len) {
            coverage_json_found(w->d->j, r->off, r->number, "LV-7", ASSAY_ERROR, "a region of file %u, but there are only %zu", r->file, w->filenames.len);
            continue;
        }
        if (w->filenames.at[r->file] != file) TRY(switch_file(w, &at, w->filenames.at[r->file]));
        file = w->filenames.at[r->file];
        struct coverage_row *row = coverage_push(w->d, COVERAGE_REGION, &at);
        if (!row) return ASSAY_ERR_MEMORY;
        row->of_function = true;
        row->flags = r->kind < sizeof kinds ? kinds[r->kind] : ASSAY_REGION_OTHER;
        row->count = r->count;
        row->line = r->line;
        row->column = r->column;
        row->end_line = r->end_line;
        row->end_column = r->end_column;
    }
    return 0;
}

static int give_function(struct llvm_work *w, const struct json_event *at, uint32_t name, uint64_t count)
{
    const struct llvm_region *body = w->regions.len ? &w->regions.at[0] : NULL;
    TRY(switch_file(w, at, w->filenames.at[0]));
    struct coverage_row *row = coverage_push(w->d, COVERAGE_FUNCTION, at);
    if (!row) return ASSAY_ERR_MEMORY;
    row->name = name;
    row->count = count;
    if (body) {
        row->line = body->line;
        row->column = body->column;
        row->end_line = body->end_line;
        row->end_column = body->end_column;
    }
    TRY(give_regions(w, w->filenames.at[0]));
    return coverage_give(w->d);
}

int llvm_cov_function(struct coverage_decoder *d, void *arg)
{
    enum { NAME, COUNT, FILENAMES, REGIONS, BRANCHES, MCDC, KEYS };
    static const assay_slice keys[KEYS] = { COVERAGE_KEY("name"),    COVERAGE_KEY("count"),    COVERAGE_KEY("filenames"),
                                            COVERAGE_KEY("regions"), COVERAGE_KEY("branches"), COVERAGE_KEY("mcdc_records") };
    struct llvm_work *w = arg;
    struct json_event begin = d->j->e;
    uint32_t seen = 0, name = 0;
    uint64_t count = 0;
    bool is;
    int at;
    w->regions.len = w->filenames.len = 0;
    w->listed_before = w->listed.len;
    w->instantiations++;
    for (;;) {
        TRY(coverage_json_key(d->j, keys, KEYS, &seen, &at));
        if (at == COVERAGE_JSON_END) break;
        switch (at) {
        case NAME: TRY(coverage_text(d, "name", &name)); break;
        case COUNT: TRY(coverage_times(d, "count", &count, &is)); break;
        case FILENAMES: TRY(filenames(w)); break;
        case REGIONS: TRY(llvm_cov_tuples(w, "regions", "a region", region, NULL)); break;
        case BRANCHES: TRY(llvm_cov_tuples(w, "branches", "a branch", llvm_cov_listed, NULL)); break;
        default: TRY(json_read_skip(&d->j->r, &d->j->e)); break; /* those of the file are the same */
        }
    }
    llvm_cov_listed_files(w);
    if (name && w->filenames.len && w->filenames.at[0]) return give_function(w, &begin, name, count);
    if (!d->j->r.is_damaged) coverage_json_found(d->j, begin.off, begin.line, "J-3", ASSAY_ERROR, "a function without name or filenames");
    return 0;
}

/* ---- the document ---- */

static int data_set(struct coverage_decoder *d, void *arg)
{
    enum { FILES, FUNCTIONS, TOTALS, KEYS };
    static const assay_slice keys[KEYS] = { COVERAGE_KEY("files"), COVERAGE_KEY("functions"), COVERAGE_KEY("totals") };
    struct llvm_work *w = arg;
    struct json_event begin = d->j->e;
    uint32_t seen = 0;
    int at;
    w->has_files = false;
    w->held.len = w->listed.len = 0;
    w->data_sets++;
    for (;;) {
        TRY(coverage_json_key(d->j, keys, KEYS, &seen, &at));
        if (at == COVERAGE_JSON_END) break;
        if (at == FILES) {
            TRY(coverage_objects(d, "files", "a file", llvm_cov_file, w));
            w->has_files = true;
        } else if (at == FUNCTIONS)
            TRY(coverage_objects(d, "functions", "a function", llvm_cov_function, w));
        else
            TRY(llvm_cov_summary(w, "report"));
    }
    if (!(seen & 1u << FILES) && !d->j->r.is_damaged) coverage_json_found(d->j, begin.off, begin.line, "J-3", ASSAY_ERROR, "a data set without files");
    return llvm_cov_settle(w, (seen & 1u << FUNCTIONS) && !d->j->r.is_damaged);
}

static int version(struct llvm_work *w)
{
    static const char *const known[] = { "2.0.0", "2.0.1", "3.0.0", "3.0.1", "3.1.0" };
    struct coverage_decoder *d = w->d;
    bool is_known = false, is;
    TRY(coverage_json_expect(d->j, JSON_STRING, "version", &is));
    if (!is) return 0;
    assay_slice text = d->j->e.text;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) is_known |= slice_is(text, known[i]);
    bool is_near = text.len > 1 && text.data[1] == '.' && text.data[0] >= '2' && text.data[0] <= '3';
    if (!is_known)
        coverage_json_found(d->j, d->j->e.off, d->j->e.line, "LV-2", is_near ? ASSAY_WARNING : ASSAY_ERROR, "version is '%.*s': expected 2.0.0 to 3.1.0",
                            (int)(text.len < 20 ? text.len : 20), text.data);
    d->version = intern_put(&d->names, text);
    return d->version ? 0 : error_memory(d->err);
}

static int document(struct coverage_decoder *d, void *arg)
{
    enum { DATA, TYPE, VERSION, CARGO, KEYS };
    static const assay_slice keys[KEYS] = { COVERAGE_KEY("data"), COVERAGE_KEY("type"), COVERAGE_KEY("version"), COVERAGE_KEY("cargo_llvm_cov") };
    struct llvm_work *w = arg;
    struct json_event begin = d->j->e;
    uint32_t seen = 0;
    bool is;
    int at;
    for (;;) {
        TRY(coverage_json_key(d->j, keys, KEYS, &seen, &at));
        if (at == COVERAGE_JSON_END) break;
        if (at == DATA)
            TRY(coverage_objects(d, "data", "a data set", data_set, w));
        else if (at == VERSION)
            TRY(version(w));
        else if (at == TYPE) {
            TRY(coverage_json_expect(d->j, JSON_STRING, "type", &is));
            if (is && !slice_is(d->j->e.text, "llvm.coverage.json.export"))
                coverage_json_found(d->j, d->j->e.off, d->j->e.line, "LV-1", ASSAY_ERROR, "type is not llvm.coverage.json.export");
        } else
            TRY(json_read_skip(&d->j->r, &d->j->e));
    }
    for (unsigned i = DATA; i <= VERSION && !d->j->r.is_damaged; i++)
        if (!(seen & 1u << i)) coverage_json_found(d->j, begin.off, begin.line, "J-3", ASSAY_ERROR, "%s is missing", keys[i].data);
    TRY(coverage_count(d, "data_sets", w->data_sets));
    TRY(coverage_count(d, "instantiations", w->instantiations));
    return w->mcdc_records ? coverage_count(d, "mcdc_records", w->mcdc_records) : 0;
}

int llvm_cov_decode(struct coverage_decoder *d)
{
    struct llvm_work w = { .d = d };
    int rc = coverage_document(d, document, &w);
    vec_done(d->mem, &w.segments, &w.regions, &w.filenames, &w.places, &w.held, &w.listed);
    return rc;
}

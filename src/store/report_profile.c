/* Reports as profiles and as JSON; see report_profile.h. */
#include "store/report_profile.h"

#include <stdio.h>

#include "base/cancel.h"
#include "base/json.h"
#include "base/scoped.h"
#include "formats/cov/cov.h"

/* ---- as a profile ---- */

static int add_details(struct store *s, assay_builder *b, assay_file_id file, const struct cov_details *d, enum cov_kind kind, assay_error *err)
{
    if (cov_id_is_zero(&d->id)) return 0;
    SCOPED(store_object_done) struct store_object o;
    TRY(store_read(s, &d->id, kind, &o, err));
    if (kind == COV_LINES)
        cov_build_lines(b, file, &o.o.lines);
    else
        cov_build_functions(b, file, &o.o.functions);
    return 0;
}

static int read_source(struct store *s, struct git *g, const assay_store_id *id, struct arena *a, assay_slice *out, assay_error *err)
{
    return g && git_blob_read(g, id, a, out, NULL) == 0 ? 0 : store_read_blob(s, id, a, out, err);
}

/* A source that is gone is no error: its lines are known all the same. */
static void add_source(struct store *s, struct git *g, assay_builder *b, assay_file_id file, const assay_store_id *id, struct mem *mem)
{
    SCOPED(arena_done) struct arena a = { .mem = mem };
    assay_slice text;
    if (read_source(s, g, id, &a, &text, NULL) == 0) assay_build_file_source(b, file, assay_build_string(b, text.data, text.len), (assay_str_id){ 0 });
}

static int add_files(struct store *s, assay_builder *b, const struct cov_files *files, struct git *sources, assay_error *err)
{
    struct mem mem;
    mem_init(&mem, 0);
    for (size_t i = 0; i < files->count; i++) {
        assay_file_id file = cov_build_file(b, &files->at[i]);
        if (sources) add_source(s, sources, b, file, &files->at[i].contents, &mem);
        TRY(add_details(s, b, file, &files->at[i].lines, COV_LINES, err));
        TRY(add_details(s, b, file, &files->at[i].functions, COV_FUNCTIONS, err));
    }
    return 0;
}

int report_profile(struct store *s, const assay_store_id *list, const struct cov_report *report, struct git *sources, assay_profile **out, assay_error *err)
{
    struct store_object o;
    struct assay_build_options options = { .want = ASSAY_WANT_COVERAGE };
    assay_builder *b = assay_builder_new(&options, err);
    if (!b) return ASSAY_ERR_MEMORY;
    assay_build_source(b, "cov", "1.0", "");
    assay_build_offers(b, ASSAY_SHAPE_COVERAGE);
    int rc = store_read(s, list, COV_FILES, &o, err);
    if (rc == 0) {
        if (report) cov_build_report(b, report);
        rc = add_files(s, b, &o.o.files, sources, err);
        store_object_done(&o);
    }
    if (rc != 0) {
        assay_builder_free(b);
        return rc;
    }
    *out = assay_builder_seal(b, err);
    return *out ? 0 : ASSAY_ERR_MEMORY;
}

/* ---- as report JSON ---- */

struct writer {
    struct store *s;
    struct git *g;
    struct json json;
    struct mem *mem;
    assay_error *err;
};

static void text_member(struct json *j, const char *key, assay_slice value)
{
    json_key(j, key);
    json_string(j, value.len ? value : SLICE(""));
}

static void number_member(struct json *j, const char *key, uint64_t value)
{
    json_key(j, key);
    json_u64(j, value);
}

static int put_digest(struct writer *w, const struct cov_file *f)
{
    char text[8 + COV_ID_HEX + 1] = "sha1:";
    SCOPED(arena_done) struct arena a = { .mem = w->mem };
    assay_slice body = { NULL, 0 };
    TRY(read_source(w->s, w->g, &f->contents, &a, &body, w->err));
    assay_store_id digest = cov_id_of(body.data, body.len);
    cov_id_hex(&digest, text + 5);
    text_member(&w->json, "digest", slice_of(text));
    return 0;
}

static int put_lines(struct writer *w, const struct cov_file *f)
{
    char key[16];
    json_key(&w->json, "line_coverage");
    json_object(&w->json);
    if (!cov_id_is_zero(&f->lines.id)) {
        SCOPED(store_object_done) struct store_object o;
        TRY(store_read(w->s, &f->lines.id, COV_LINES, &o, w->err));
        for (size_t i = 0; i < o.o.lines.count; i++) {
            snprintf(key, sizeof key, "%u", o.o.lines.at[i].line);
            number_member(&w->json, key, o.o.lines.at[i].hits);
        }
    }
    json_end(&w->json);
    return 0;
}

static void put_function(struct json *j, const struct cov_function *f)
{
    json_object(j);
    text_member(j, "name", f->name);
    if (f->demangled.len) text_member(j, "demangled", f->demangled);
    number_member(j, "count", f->count);
    number_member(j, "start_line", f->first_line);
    if (f->first_column) number_member(j, "start_column", f->first_column);
    number_member(j, "end_line", f->last_line);
    if (f->last_column) number_member(j, "end_column", f->last_column);
    json_end(j);
}

static int put_functions(struct writer *w, const struct cov_file *f)
{
    if (cov_id_is_zero(&f->functions.id)) return 0;
    SCOPED(store_object_done) struct store_object o;
    TRY(store_read(w->s, &f->functions.id, COV_FUNCTIONS, &o, w->err));
    if (!o.o.functions.count) return 0;
    json_key(&w->json, "functions");
    json_array(&w->json);
    for (size_t i = 0; i < o.o.functions.count; i++) put_function(&w->json, &o.o.functions.at[i]);
    json_end(&w->json);
    return 0;
}

static int put_file(struct writer *w, const struct cov_file *f)
{
    json_object(&w->json);
    text_member(&w->json, "name", f->path);
    TRY(put_digest(w, f));
    TRY(put_lines(w, f));
    TRY(put_functions(w, f));
    json_end(&w->json);
    return 0;
}

int report_json_write(struct store *s, struct git *g, const struct cov_report *report, struct output *out, struct mem *mem, assay_error *err)
{
    struct writer w = { .s = s, .g = g, .mem = mem, .err = err };
    SCOPED(store_object_done) struct store_object o;
    char hex[COV_ID_HEX + 1];
    TRY(store_read(s, &report->file_list, COV_FILES, &o, err));
    json_init(&w.json, out);
    json_object(&w.json);
    json_key(&w.json, "git");
    json_object(&w.json);
    text_member(&w.json, "branch", report->branch);
    text_member(&w.json, "head", slice_of(cov_id_hex(&report->commit, hex)));
    json_end(&w.json);
    json_key(&w.json, "files");
    json_array(&w.json);
    for (size_t i = 0; i < o.o.files.count; i++) {
        TRY(cancel_step(i, err));
        TRY(put_file(&w, &o.o.files.at[i]));
    }
    json_end(&w.json);
    json_end(&w.json);
    return 0;
}

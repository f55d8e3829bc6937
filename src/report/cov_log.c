/* The reports of a branch, the newest first, as text or JSON; see assay/store.h. */
#include <string.h>

#include "base/json.h"
#include "base/text.h"
#include "report/cov_format_text.h"
#include "report/cov_view.h"
#include "store/changes.h"

struct job {
    struct cov_view view;
    struct json json;
};

/* ---- the course of a path ---- */

/* Without slashes at its end; "" = everything. */
static assay_slice stat_path(const struct job *j)
{
    assay_slice path = slice_of(j->view.options.stat);
    while (path.len && path.data[path.len - 1] == '/') path.len--;
    if (slice_is(path, ".")) path.len = 0;
    return path;
}

/* Sums of the files that are, or are below, the path. */
static int sum_path(struct job *j, const struct cov_report *r, assay_store_stats *out, size_t *files, assay_error *err)
{
    struct store_object o;
    assay_slice path = stat_path(j);
    *out = (assay_store_stats){ 0 };
    *files = 0;
    TRY(store_read(j->view.h->s, &r->file_list, COV_FILES, &o, err));
    for (size_t i = 0; i < o.o.files.count; i++) {
        const struct cov_file *f = &o.o.files.at[i];
        bool is_in = !path.len ||
                     (f->path.len >= path.len && memcmp(f->path.data, path.data, path.len) == 0 && (f->path.len == path.len || f->path.data[path.len] == '/'));
        assay_store_stats one = changes_stats(f);
        if (is_in) rating_add(out, &one);
        *files += is_in;
    }
    store_object_done(&o);
    return 0;
}

static void put_stat(struct job *j, const assay_store_id *id, const struct cov_report *r, const assay_store_stats *s, size_t files)
{
    char hex[COV_ID_HEX + 1];
    uint32_t share = rating_hundredths(&s->lines);
    output_printf(j->view.out, "%.9s ", cov_id_hex(id, hex));
    cov_format_time(j->view.out, r->committed, 's', 0);
    if (!files && stat_path(j).len) /* a whole report without files has 0 of 0 */
        output_text(j->view.out, "       -  (not in the report)");
    else {
        char ink[4] = { '3', (char)('0' + cov_mark_ink(rating_of(&j->view.rating, RATING_LINES, &s->lines)) - 30), '\0' };
        output_text(j->view.out, "  ");
        cov_ink(j->view.out, &j->view.look, ink);
        output_printf(j->view.out, "%3u.%02u%%", share / 100, share % 100);
        cov_ink(j->view.out, &j->view.look, "");
        output_printf(j->view.out, " %6u/%-6u", s->lines.visited, s->lines.relevant);
    }
    output_text(j->view.out, "  ");
    text_show(j->view.out, cov_subject_line(r->message));
    output_char(j->view.out, '\n');
}

static int print_stat(struct job *j, const assay_store_id *id, const struct cov_report *r, assay_error *err)
{
    assay_store_stats s;
    size_t files;
    TRY(sum_path(j, r, &s, &files, err));
    if (!j->view.options.json) return put_stat(j, id, r, &s, files), 0;
    json_object(&j->json);
    cov_json_id(&j->json, "report", id);
    cov_json_id(&j->json, "commit", &r->commit);
    json_key(&j->json, "added");
    json_u64(&j->json, r->added);
    json_key(&j->json, "committed");
    json_u64(&j->json, r->committed);
    json_key(&j->json, "files");
    json_u64(&j->json, files);
    cov_json_stats(&j->json, &s);
    json_end(&j->json);
    return 0;
}

/* ---- reports ---- */

static void print(struct job *j, const assay_store_id *id, const struct cov_report *r)
{
    struct cov_subject s = { .kind = COV_REPORT, .id = *id, .report = r, .load = cov_view_build, .arg = j->view.h->s };
    if (!j->view.options.json) {
        cov_format_print(j->view.out, j->view.format, j->view.align, &s, &j->view.look);
        return;
    }
    json_object(&j->json);
    cov_json_report(&j->json, id, r, &j->view.h->mem);
    json_end(&j->json);
}

/* The walk reports a cycle of parents, and does not follow it. */
static int print_walk(struct job *j, assay_store_walk *w, assay_error *err)
{
    const struct assay_store_print *o = &j->view.options;
    assay_store_id id;
    const struct cov_report *r;
    for (uint64_t n = 0; !(o->has_limit && n >= o->limit) && !output_failed(j->view.out); n++) {
        TRY(walk_step(w, &id, &r, err));
        if (!r) break;
        if (o->stat)
            TRY(print_stat(j, &id, r, err));
        else
            print(j, &id, r);
    }
    return 0;
}

static int print_all(struct job *j, const char *revision, assay_error *err)
{
    const struct assay_store_print *o = &j->view.options;
    assay_store_walk *w;
    TRY(assay_store_walk_new(j->view.h, revision, &w, err));
    if (o->json) {
        cov_json_begin(&j->json, j->view.out, "cov log");
        if (o->stat) json_key(&j->json, "path"), json_text(&j->json, o->stat);
        json_key(&j->json, "reports");
        json_array(&j->json);
    }
    int rc = print_walk(j, w, err);
    if (o->json) json_end(&j->json), json_end(&j->json);
    assay_store_walk_free(w);
    return rc;
}

int assay_store_print_log(assay_store *h, const char *revision, const struct assay_store_print *options, const struct assay_report_sink *sink, assay_error *err)
{
    assay_error local;
    err = error_enter(err, &local);
    struct job j;
    int rc = cov_view_begin(&j.view, h, options, sink, err);
    if (rc == 0) rc = print_all(&j, revision, err);
    return cov_view_end(&j.view, rc, err);
}

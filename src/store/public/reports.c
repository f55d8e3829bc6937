/* Revisions and reports; see assay/store.h. */
#include <stdio.h>

#include "assay/diff.h"
#include "base/scoped.h"
#include "store/public/handle.h"
#include "store/report_profile.h"

/* ---- revisions ---- */

int handle_resolve(assay_store *h, const char *revision, assay_store_id *out, assay_error *err)
{
    struct revision_range range;
    const char *typed = revision ? revision : "HEAD";
    TRY(revision_range(h->s, typed, false, &range, err));
    if (range.text.is_range) FAIL(err, ASSAY_ERR_USAGE, "'%s' is a range; one report is needed", typed);
    if (cov_id_is_zero(&range.to)) FAIL(err, ASSAY_ERR_UNKNOWN, "'%s' is before the first report", typed);
    *out = range.to;
    return 0;
}

int handle_report(assay_store *h, const char *revision, assay_store_id *id, struct store_object *out, assay_error *err)
{
    TRY(handle_resolve(h, revision, id, err));
    return store_read(h->s, id, COV_REPORT, out, err);
}

int assay_store_resolve(assay_store *h, const char *revision, assay_store_id *out, assay_error *err)
{
    assay_error local;
    return handle_resolve(h, revision, out, error_enter(err, &local));
}

/* ---- one report ---- */

assay_store_report handle_report_of(const assay_store_id *id, const struct cov_report *r)
{
    return (assay_store_report){ .id = *id,
                                 .parent = r->parent,
                                 .file_list = r->file_list,
                                 .added = r->added,
                                 .commit = r->commit,
                                 .committed = r->committed,
                                 .branch = r->branch,
                                 .author_name = r->author_name,
                                 .author_email = r->author_email,
                                 .committer_name = r->committer_name,
                                 .committer_email = r->committer_email,
                                 .message = r->message,
                                 .stats = r->stats,
                                 .builds = r->builds,
                                 .build_count = r->build_count };
}

struct kept {
    assay_store_report seen;
    struct mem *mem;
    struct store_object o;
};

int assay_store_report_new(assay_store *h, const char *revision, assay_store_report **out, assay_error *err)
{
    assay_error local;
    err = error_enter(err, &local);
    assay_store_id id;
    *out = NULL;
    struct kept *k = mem_zalloc(&h->mem, 1, sizeof *k);
    if (!k) return error_memory(err);
    k->mem = &h->mem;
    int rc = handle_report(h, revision, &id, &k->o, err);
    if (rc != 0) {
        mem_free(&h->mem, k, sizeof *k);
        return rc;
    }
    k->seen = handle_report_of(&id, &k->o.o.report);
    *out = &k->seen;
    return 0;
}

void assay_store_report_free(assay_store_report *report)
{
    struct kept *k = (struct kept *)report;
    if (!k) return;
    store_object_done(&k->o);
    mem_free(k->mem, k, sizeof *k);
}

/* ---- walks ---- */

int assay_store_walk_new(assay_store *h, const char *revision, assay_store_walk **out, assay_error *err)
{
    assay_error local;
    err = error_enter(err, &local);
    struct revision_range range;
    *out = NULL;
    TRY(revision_range(h->s, revision ? revision : "HEAD", false, &range, err));
    if (cov_id_is_zero(&range.to)) FAIL(err, ASSAY_ERR_UNKNOWN, "'%s' is before the first report", revision ? revision : "HEAD");
    assay_store_walk *w = mem_zalloc(&h->mem, 1, sizeof *w);
    if (!w) return error_memory(err);
    w->h = h;
    w->at = range.to;
    w->end = range.from;
    revision_seen_init(&w->seen, &h->mem);
    *out = w;
    return 0;
}

int walk_step(assay_store_walk *w, assay_store_id *id, const struct cov_report **out, assay_error *err)
{
    bool is_new;
    *out = NULL;
    if (w->has_object) store_object_done(&w->o);
    w->has_object = false;
    if (cov_id_is_zero(&w->at) || cov_id_compare(&w->at, &w->end) == 0) return 0;
    TRY(revision_seen_add(&w->seen, &w->at, &is_new, err));
    if (!is_new) FAIL(err, ASSAY_ERR_DAMAGED, "the parents of the reports form a cycle");
    TRY(store_read(w->h->s, &w->at, COV_REPORT, &w->o, err));
    w->has_object = true;
    *id = w->at;
    w->at = w->o.o.report.parent;
    *out = &w->o.o.report;
    return 0;
}

int assay_store_walk_next(assay_store_walk *w, const assay_store_report **out, assay_error *err)
{
    assay_error local;
    err = error_enter(err, &local);
    assay_store_id id;
    const struct cov_report *r;
    *out = NULL;
    TRY(walk_step(w, &id, &r, err));
    if (!r) return 0;
    w->report = handle_report_of(&id, r);
    *out = &w->report;
    return 0;
}

void assay_store_walk_free(assay_store_walk *w)
{
    if (!w) return;
    if (w->has_object) store_object_done(&w->o);
    revision_seen_done(&w->seen);
    mem_free(&w->h->mem, w, sizeof *w);
}

/* ---- as profiles, changes, JSON ---- */

/* A list of files is its own. */
static const assay_store_id *list_of(const struct cov_object *o, const assay_store_id *id)
{
    switch (o->kind) {
    case COV_REPORT: return &o->report.file_list;
    case COV_BUILD: return &o->build.file_list;
    case COV_FILES: return id;
    default: return NULL;
    }
}

int assay_store_profile(assay_store *h, const char *revision, bool sources, assay_profile **out, assay_error *err)
{
    assay_error local;
    err = error_enter(err, &local);
    assay_store_id id;
    *out = NULL;
    TRY(handle_resolve(h, revision, &id, err));
    SCOPED(store_object_done) struct store_object o;
    TRY(store_read(h->s, &id, COV_NONE, &o, err));
    const assay_store_id *list = list_of(&o.o, &id);
    const struct cov_report *report = o.o.kind == COV_REPORT ? &o.o.report : NULL;
    if (!list) FAIL(err, ASSAY_ERR_UNKNOWN, "this object is not a report, a build or a file list");
    return report_profile(h->s, list, report, sources ? handle_git(h, NULL) : NULL, out, err);
}

int assay_store_changes(assay_store *h, const assay_store_report *from, const assay_store_report *to, uint64_t max_memory, assay_changes **out,
                        assay_error *err)
{
    assay_error local;
    err = error_enter(err, &local);
    char a[COV_ID_HEX + 1], b[COV_ID_HEX + 1], range[2 * COV_ID_HEX + 4];
    struct assay_git_range git = { .size = sizeof git, .range = range, .max_memory = max_memory };
    *out = NULL;
    TRY(handle_git_dir(h, &git.repository, err));
    snprintf(range, sizeof range, "%s..%s", cov_id_hex(&from->commit, a), cov_id_hex(&to->commit, b));
    return assay_changes_git(&git, out, err);
}

int assay_store_export_json(assay_store *h, const char *revision, assay_text_fn write, void *arg, assay_error *err)
{
    assay_error local;
    err = error_enter(err, &local);
    assay_store_id id;
    SCOPED(store_object_done) struct store_object o = { .arena = { 0 } };
    struct output *text;
    TRY(handle_report(h, revision, &id, &o, err));
    TRY(output_open_fn(&text, write, arg, &h->mem, err));
    int rc = report_json_write(h->s, handle_git(h, NULL), &o.o.report, text, &h->mem, err);
    if (rc == 0) return output_commit(text, err);
    output_abort(text);
    return rc;
}

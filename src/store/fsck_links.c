/* What objects say of each other: rules S06 to S16. */
#include <stdio.h>

#include "base/cancel.h"
#include "base/scoped.h"
#include "store/fsck_parts.h"

static void say(struct fsck *k, size_t i, const char *rule, int severity, const char *text)
{
    char hex[COV_ID_HEX + 1];
    findings_add(k->scan.findings, rule, severity, FINDING_NO_OFFSET, 0, "object %s: %s", cov_id_hex(&k->scan.objects.at[i].id, hex), text);
}

/* The object that is needed; NULL = not there as it should be, which is told. */
static struct scan_object *need(struct fsck *k, size_t i, const assay_store_id *id, enum cov_kind kind, const char *rule, const char *what)
{
    char text[400], hex[COV_ID_HEX + 1];
    size_t at = scan_find(&k->scan, id);
    struct scan_object *o = at == SIZE_MAX ? NULL : &k->scan.objects.at[at];
    if (o && o->kind == kind) return o;
    snprintf(text, sizeof text, "%.300s %s is %s%s", what, cov_id_hex(id, hex),
             !o                    ? "missing"
             : o->kind == COV_NONE ? "damaged"
                                   : "a ",
             o && o->kind ? cov_kind_name(o->kind) : "");
    say(k, i, rule, ASSAY_ERROR, text);
    return NULL;
}

static bool same_pair(const assay_store_pair *a, const assay_store_pair *b) { return a->relevant == b->relevant && a->visited == b->visited; }

static bool same_stats(const assay_store_stats *a, const assay_store_stats *b)
{
    return a->lines_total == b->lines_total && same_pair(&a->lines, &b->lines) && same_pair(&a->functions, &b->functions) &&
           same_pair(&a->branches, &b->branches);
}

/* ---- reports and builds ---- */

static void check_build(struct fsck *k, size_t i, const assay_store_build *e)
{
    struct scan_object *b = need(k, i, &e->build, COV_BUILD, "S09", "build");
    char text[100], hex[COV_ID_HEX + 1];
    if (!b || (same_stats(&b->stats, &e->stats) && b->propset == scan_hash(e->propset))) return;
    snprintf(text, sizeof text, "build %s differs from its entry", cov_id_hex(&e->build, hex));
    say(k, i, "S13", ASSAY_WARNING, text);
}

static void check_report(struct fsck *k, size_t i, const struct cov_report *r)
{
    char text[120], hex[COV_ID_HEX + 1];
    if (!cov_id_is_zero(&r->parent)) {
        struct scan_object *parent = need(k, i, &r->parent, COV_REPORT, "S06", "parent");
        if (parent) k->scan.objects.at[i].parent = (uint32_t)(parent - k->scan.objects.at) + 1;
    }
    struct scan_object *list = need(k, i, &r->file_list, COV_FILES, "S08", "file list");
    if (list && !same_stats(&list->stats, &r->stats)) say(k, i, "S12", ASSAY_WARNING, "the statistics differ from the sum over the file list");
    for (size_t n = 0; n < r->build_count; n++) check_build(k, i, &r->builds[n]);
    if (!r->build_count) say(k, i, "S14", ASSAY_WARNING, "the report has no build");
    if (!k->git || git_has_commit(k->git, &r->commit)) return;
    snprintf(text, sizeof text, "commit %s is not in the git repository", cov_id_hex(&r->commit, hex));
    say(k, i, "S16", ASSAY_WARNING, text);
}

/* ---- lists ---- */

static void compare(struct fsck *k, size_t i, const struct cov_file *f, const char *what, const assay_store_pair *said, const assay_store_pair *is)
{
    char text[400];
    if (same_pair(said, is)) return;
    snprintf(text, sizeof text, "%s of %.*s: the list says %u of %u, the object %u of %u", what, (int)(f->path.len < 250 ? f->path.len : 250), f->path.data,
             said->visited, said->relevant, is->visited, is->relevant);
    say(k, i, "S15", ASSAY_WARNING, text);
}

static struct scan_object *details(struct fsck *k, size_t i, const struct cov_file *f, const struct cov_details *d, enum cov_kind kind)
{
    char what[300];
    if (cov_id_is_zero(&d->id)) return NULL;
    snprintf(what, sizeof what, "%s of %.*s", cov_kind_name(kind), (int)(f->path.len < 250 ? f->path.len : 250), f->path.data);
    return need(k, i, &d->id, kind, "S10", what);
}

static uint64_t hash_id(const assay_store_id *id) { return hash_bytes(id->bytes, sizeof id->bytes); }

/* Whether the source is anywhere; git is asked once for each. 1, 0, or an error. */
static int has_contents(struct fsck *k, const assay_store_id *id, assay_error *err)
{
    char path[FOLDER_PATH_MAX];
    for (struct index_walk w = index_walk(&k->blob_index, hash_id(id)); index_next(&k->blob_index, &w);)
        if (cov_id_compare(&k->blobs.at[w.id - 1].id, id) == 0) return k->blobs.at[w.id - 1].is_there;
    struct fsck_blob *slot = vec_push(k->scan.mem, &k->blobs);
    if (!slot || !index_add(&k->blob_index, hash_id(id), (uint32_t)k->blobs.len)) return error_memory(err);
    *slot = (struct fsck_blob){ *id, git_has_blob(k->git, id) };
    if (!slot->is_there && store_object_path(k->scan.store, id, true, path)) slot->is_there = access(path, F_OK) == 0;
    return slot->is_there;
}

static int check_file(struct fsck *k, size_t i, const struct cov_file *f, assay_error *err)
{
    char text[400], hex[COV_ID_HEX + 1];
    struct scan_object *lines = details(k, i, f, &f->lines, COV_LINES), *functions = details(k, i, f, &f->functions, COV_FUNCTIONS);
    if (lines) compare(k, i, f, "lines", &f->lines.summary, &lines->stats.lines);
    if (functions) compare(k, i, f, "functions", &f->functions.summary, &functions->stats.functions);
    int there = k->git ? has_contents(k, &f->contents, err) : 1;
    if (there < 0) return there;
    if (there) return 0;
    snprintf(text, sizeof text, "contents %s of %.*s are neither in git nor in the store", cov_id_hex(&f->contents, hex),
             (int)(f->path.len < 250 ? f->path.len : 250), f->path.data);
    say(k, i, "S11", ASSAY_WARNING, text);
    return 0;
}

/* ---- all of them ---- */

static int check_object(struct fsck *k, size_t i, const struct cov_object *o, assay_error *err)
{
    TRY(scan_edges_of(&k->scan, i, o, err));
    switch (o->kind) {
    case COV_REPORT: check_report(k, i, &o->report); break;
    case COV_BUILD: need(k, i, &o->build.file_list, COV_FILES, "S08", "file list"); break;
    default:
        for (size_t n = 0; n < o->files.count; n++) TRY(check_file(k, i, &o->files.at[n], err));
        break;
    }
    return 0;
}

int fsck_links(struct fsck *k, assay_error *err)
{
    struct scan *c = &k->scan;
    SCOPED(store_room_done) struct store_room room = { .mem = c->mem };
    for (size_t i = 0; i < c->objects.len; i++) {
        enum cov_kind kind = c->objects.at[i].kind;
        struct cov_object o;
        TRY(cancel_step(i, err));
        if (kind != COV_REPORT && kind != COV_BUILD && kind != COV_FILES) continue;
        SCOPED(arena_done) struct arena a = { .mem = c->mem };
        TRY(scan_reload(c, i, &room, &a, &o, err));
        if (o.kind != COV_NONE) TRY(check_object(k, i, &o, err));
    }
    return 0;
}

/* Each chain of parents is followed once, up to what was seen before: to meet an open one again is to go round. */
void fsck_cycles(struct fsck *k)
{
    struct scan *c = &k->scan;
    enum { NEW, OPEN, DONE };
    for (size_t i = 0; i < c->objects.len; i++) {
        size_t at = i;
        while (at != SIZE_MAX && c->objects.at[at].kind == COV_REPORT && c->objects.at[at].state == NEW) {
            c->objects.at[at].state = OPEN;
            at = c->objects.at[at].parent ? c->objects.at[at].parent - 1 : SIZE_MAX;
        }
        if (at != SIZE_MAX && c->objects.at[at].state == OPEN) say(k, at, "S07", ASSAY_ERROR, "its parents form a cycle");
        for (at = i; at != SIZE_MAX && c->objects.at[at].state == OPEN; at = c->objects.at[at].parent ? c->objects.at[at].parent - 1 : SIZE_MAX)
            c->objects.at[at].state = DONE;
    }
}

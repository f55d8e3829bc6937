/* What needs what, and what can be reached; see scan.h. Edges are kept in the order of the objects that they come from, and found by halving. Marking
 * goes on from every reference, HEAD and reflog, with a list of what is still to do: chains of parents are too long to recurse. */
#include <stdio.h>
#include <stdlib.h>

#include "base/cancel.h"
#include "base/scoped.h"
#include "store/parts.h"
#include "store/ref_files.h"
#include "store/scan.h"

/* ---- edges ---- */

int scan_edge(struct scan *c, size_t from, const assay_store_id *to, assay_error *err)
{
    size_t at = cov_id_is_zero(to) ? SIZE_MAX : scan_find(c, to);
    if (at == SIZE_MAX) return 0;
    uint64_t *slot = vec_push(c->mem, &c->edges);
    if (!slot) return error_memory(err);
    *slot = (uint64_t)from << 32 | (uint64_t)at;
    return 0;
}

int scan_edges_of(struct scan *c, size_t i, const struct cov_object *o, assay_error *err)
{
    switch (o->kind) {
    case COV_REPORT:
        TRY(scan_edge(c, i, &o->report.parent, err));
        TRY(scan_edge(c, i, &o->report.file_list, err));
        for (size_t k = 0; k < o->report.build_count; k++) TRY(scan_edge(c, i, &o->report.builds[k].build, err));
        return 0;
    case COV_BUILD: return scan_edge(c, i, &o->build.file_list, err);
    case COV_FILES:
        for (size_t k = 0; k < o->files.count; k++) {
            TRY(scan_edge(c, i, &o->files.at[k].lines.id, err));
            TRY(scan_edge(c, i, &o->files.at[k].functions.id, err));
            TRY(scan_edge(c, i, &o->files.at[k].branches.id, err));
        }
        return 0;
    default: return 0;
    }
}

int scan_edges(struct scan *c, assay_error *err)
{
    SCOPED(store_room_done) struct store_room room = { .mem = c->mem };
    for (size_t i = 0; i < c->objects.len; i++) {
        enum cov_kind kind = c->objects.at[i].kind;
        struct cov_object o;
        TRY(cancel_step(i, err));
        if (kind != COV_REPORT && kind != COV_BUILD && kind != COV_FILES) continue;
        SCOPED(arena_done) struct arena a = { .mem = c->mem };
        TRY(scan_reload(c, i, &room, &a, &o, err));
        TRY(scan_edges_of(c, i, &o, err));
    }
    return 0;
}

/* ---- marking ---- */

static size_t first_edge(const struct scan *c, size_t from)
{
    size_t low = 0, high = c->edges.len;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (c->edges.at[mid] >> 32 < from)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

/* Edges were noted in the order of the objects that they come from. */
int scan_mark(struct scan *c, size_t root, assay_error *err)
{
    VEC(size_t) todo = { 0 };
    vec_scoped(c->mem, &todo);
    size_t *slot = vec_push(c->mem, &todo);
    if (!slot) return error_memory(err);
    *slot = root;
    while (todo.len) {
        size_t at = todo.at[--todo.len];
        if (c->objects.at[at].is_live) continue;
        c->objects.at[at].is_live = true;
        for (size_t i = first_edge(c, at); i < c->edges.len && c->edges.at[i] >> 32 == at; i++) {
            size_t to = (size_t)(c->edges.at[i] & UINT32_MAX);
            if (c->objects.at[to].is_live) continue;
            slot = vec_push(c->mem, &todo);
            if (!slot) return error_memory(err);
            *slot = to;
        }
    }
    return 0;
}

/* ---- where it begins ---- */

struct marker {
    struct scan *scan;
    assay_error *err;
};

static int mark_id(struct marker *m, const assay_store_id *id)
{
    size_t at = cov_id_is_zero(id) ? SIZE_MAX : scan_find(m->scan, id);
    return at == SIZE_MAX ? 0 : scan_mark(m->scan, at, m->err);
}

static int mark_ref(void *arg, const char *name, const struct ref_value *value)
{
    (void)name;
    return value->kind == REF_ID ? mark_id(arg, &value->id) : 0;
}

static int mark_log(void *arg, const struct reflog_entry *e)
{
    TRY(mark_id(arg, &e->from));
    return mark_id(arg, &e->to);
}

/* Every file below logs is a reflog, also that of a reference which is gone. Folders wait on a list. */
static int mark_logs(struct marker *m, const char *folder)
{
    struct store *s = m->scan->store;
    SCOPED(arena_done) struct arena text = { .mem = s->mem };
    VEC(const char *) todo = { 0 };
    vec_scoped(s->mem, &todo);
    const char **slot = vec_push(s->mem, &todo);
    if (slot) *slot = folder_join(&text, folder, "logs");
    if (!slot || !*slot) return error_memory(m->err);
    while (todo.len) {
        const char *dir = todo.at[--todo.len];
        SCOPED(folder_done) struct folder f;
        assay_error local;
        int rc = folder_open(&f, dir, s->mem, &local);
        if (rc == ASSAY_ERR_MEMORY) return error_memory(m->err);
        for (size_t i = 0; rc == 0 && i < f.entries.len; i++) {
            const char *path = folder_join(&text, dir, f.entries.at[i].name);
            slot = path && f.entries.at[i].is_dir ? vec_push(s->mem, &todo) : NULL;
            if (slot) *slot = path;
            if (!path || (f.entries.at[i].is_dir && !slot)) return error_memory(m->err);
            if (f.entries.at[i].is_file) TRY(reflog_file(s, path, mark_log, m, m->err));
        }
    }
    return 0;
}

static int mark_head_log(void *arg, const char *folder, const struct ref_value *value)
{
    struct marker *m = arg;
    char path[FOLDER_PATH_MAX];
    (void)value;
    return folder_path(path, m->scan->store->common, folder) ? mark_logs(m, path) : 0;
}

static int mark_head(void *arg, const char *folder, const struct ref_value *value)
{
    (void)folder;
    return mark_ref(arg, "HEAD", value);
}

int scan_mark_refs(struct scan *c, assay_error *err)
{
    struct marker m = { c, err };
    TRY(refs_each(c->store, "refs/", mark_ref, &m, err));
    TRY(scan_heads(c->store, mark_head, &m, err));
    return scan_heads(c->store, mark_head_log, &m, err);
}

/* ---- heads ---- */

static int one_head(struct store *s, const char *folder, scan_head_fn fn, void *arg, assay_error *err)
{
    char path[FOLDER_PATH_MAX];
    SCOPED(store_room_done) struct store_room room = { .mem = s->mem };
    struct ref_value v = { .kind = REF_NONE };
    assay_slice text;
    int len = snprintf(path, sizeof path, "%s/%s%sHEAD", s->common, folder, *folder ? "/" : "");
    int failed = len > 0 && len < (int)sizeof path ? store_slurp(path, FOLDER_PATH_MAX, &room, &text) : -1;
    if (failed == 0) refs_parse(text, &v);
    (void)err;
    return fn(arg, folder, &v);
}

int scan_heads(struct store *s, scan_head_fn fn, void *arg, assay_error *err)
{
    char path[FOLDER_PATH_MAX], folder[300];
    assay_error local;
    TRY(one_head(s, "", fn, arg, err));
    if (!folder_path(path, s->common, "worktrees")) return 0;
    SCOPED(folder_done) struct folder f;
    int rc = folder_open(&f, path, s->mem, &local);
    if (rc != 0) return rc == ASSAY_ERR_MEMORY ? error_memory(err) : 0; /* there are none */
    for (size_t i = 0; i < f.entries.len; i++) {
        if (!f.entries.at[i].is_dir) continue;
        snprintf(folder, sizeof folder, "worktrees/%s", f.entries.at[i].name);
        TRY(one_head(s, folder, fn, arg, err));
    }
    return 0;
}

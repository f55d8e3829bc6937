/* Branches, tags and HEAD; see assay/store.h. */
#include <stdio.h>
#include <string.h>

#include "base/scoped.h"
#include "store/public/handle.h"

static const struct {
    const char *prefix, *noun;
} kinds[] = { [ASSAY_STORE_BRANCH] = { "refs/heads/", "branch" }, [ASSAY_STORE_TAG] = { "refs/tags/", "tag" } };

/* ---- lists ---- */

struct listing {
    assay_store_refs seen;
    struct mem *mem;
    struct arena arena;
    VEC(const char *) names;
    VEC(assay_store_id) ids;
    size_t skip; /* of each name */
    assay_error *err;
};

static int take(void *arg, const char *name, const struct ref_value *value)
{
    struct listing *l = arg;
    const char **slot = vec_push(l->mem, &l->names);
    assay_store_id *id = vec_push(l->mem, &l->ids);
    if (!slot || !id || !(*slot = arena_copy(&l->arena, slice_of(name + l->skip)))) return error_memory(l->err);
    *id = value->kind == REF_ID ? value->id : (assay_store_id){ { 0 } };
    return 0;
}

static int check_kind(enum assay_store_ref kind, assay_error *err)
{
    if ((unsigned)kind >= sizeof kinds / sizeof *kinds) FAIL(err, ASSAY_ERR_USAGE, "%u is no kind of reference", (unsigned)kind);
    return 0;
}

int assay_store_refs_new(assay_store *h, enum assay_store_ref kind, assay_store_refs **out, assay_error *err)
{
    assay_error local;
    err = error_enter(err, &local);
    *out = NULL;
    TRY(check_kind(kind, err));
    struct listing *l = mem_zalloc(&h->mem, 1, sizeof *l);
    if (!l) return error_memory(err);
    l->mem = &h->mem;
    l->skip = strlen(kinds[kind].prefix);
    l->err = err;
    arena_init(&l->arena, l->mem);
    int rc = refs_each(h->s, kinds[kind].prefix, take, l, err);
    if (rc != 0) {
        assay_store_refs_free(&l->seen);
        return rc;
    }
    l->seen = (assay_store_refs){ l->names.len, l->names.at, l->ids.at };
    *out = &l->seen;
    return 0;
}

void assay_store_refs_free(assay_store_refs *refs)
{
    struct listing *l = (struct listing *)refs;
    if (!l) return;
    vec_done(l->mem, &l->names, &l->ids);
    arena_done(&l->arena);
    mem_free(l->mem, l, sizeof *l);
}

/* "refs/heads/main" of a symbolic HEAD, "" of any other. */
static int current(assay_store *h, char full[REFS_NAME_MAX], assay_error *err)
{
    struct ref_value head;
    TRY(refs_read(h->s, "HEAD", &head, err));
    snprintf(full, REFS_NAME_MAX, "%s", head.kind == REF_SYMBOLIC ? head.target : "");
    return 0;
}

static const char *short_name(const char *full)
{
    size_t len = strlen(kinds[ASSAY_STORE_BRANCH].prefix);
    return strncmp(full, kinds[ASSAY_STORE_BRANCH].prefix, len) == 0 ? full + len : full;
}

int assay_store_branch(assay_store *h, char *name, assay_error *err)
{
    assay_error local;
    err = error_enter(err, &local);
    char full[REFS_NAME_MAX];
    TRY(current(h, full, err));
    snprintf(name, ASSAY_STORE_NAME_MAX, "%s", short_name(full));
    return 0;
}

/* ---- changes ---- */

/* The reference of a branch or tag. A new one must not begin with a dash: as in git, nobody could name it without it being taken for an option. */
static int full_name(enum assay_store_ref kind, const char *name, bool is_new, char full[REFS_NAME_MAX], assay_error *err)
{
    TRY(check_kind(kind, err));
    int n = snprintf(full, REFS_NAME_MAX, "%s%s", kinds[kind].prefix, name);
    if (n >= REFS_NAME_MAX || !refs_name_ok(slice_of(full)) || (is_new && name[0] == '-'))
        FAIL(err, ASSAY_ERR_USAGE, "invalid name '%s' for a %s", name, kinds[kind].noun);
    return 0;
}

static int one_report(assay_store *h, const char *revision, assay_store_id *out, assay_error *err)
{
    SCOPED(store_object_done) struct store_object o = { .arena = { 0 } };
    return handle_report(h, revision, out, &o, err);
}

int assay_store_ref_set(assay_store *h, enum assay_store_ref kind, const char *name, const char *revision, bool force, assay_error *err)
{
    assay_error local;
    err = error_enter(err, &local);
    char full[REFS_NAME_MAX], why[REFS_NAME_MAX + 32];
    const assay_store_id none = { { 0 } };
    assay_store_id id;
    bool is_moved;
    TRY(full_name(kind, name, true, full, err));
    TRY(one_report(h, revision, &id, err));
    handle_identify(h);
    snprintf(why, sizeof why, "%s: created from %s", kinds[kind].noun, revision ? revision : "HEAD");
    TRY(refs_update(h->s, full, force ? NULL : &none, &id, why, &is_moved, NULL, err));
    if (is_moved) return 0;
    return error_hint(err, error_set(err, ASSAY_ERR_USAGE, "%s '%s' already exists", kinds[kind].noun, name), ASSAY_HINT_FORCE);
}

int assay_store_ref_remove(assay_store *h, enum assay_store_ref kind, const char *name, assay_error *err)
{
    assay_error local;
    err = error_enter(err, &local);
    char full[REFS_NAME_MAX], head[REFS_NAME_MAX];
    struct ref_lock lock;
    TRY(full_name(kind, name, false, full, err));
    TRY(current(h, head, err));
    if (strcmp(full, head) == 0) FAIL(err, ASSAY_ERR_USAGE, "cannot delete '%s': it is the current branch of %s", name, h->path);
    handle_identify(h);
    TRY(ref_lock(h->s, full, &lock, err));
    if (lock.old.kind == REF_NONE) {
        ref_lock_release(&lock);
        FAIL(err, ASSAY_ERR_UNKNOWN, "no %s named '%s'", kinds[kind].noun, name);
    }
    return ref_lock_remove(&lock, "deleted", err);
}

/* ---- HEAD ---- */

/* HEAD stands for a branch (`target`), or for a report. */
static int set_head(assay_store *h, const char *target, const assay_store_id *id, const char *why, assay_error *err)
{
    struct ref_lock lock;
    handle_identify(h);
    TRY(ref_lock(h->s, "HEAD", &lock, err));
    return target ? ref_lock_point(&lock, target, why, err) : ref_lock_set(&lock, id, why, err);
}

static int start(assay_store *h, const char *name, const char *revision, assay_error *err)
{
    char full[REFS_NAME_MAX];
    const assay_store_id none = { { 0 } };
    assay_store_id id;
    bool is_moved;
    TRY(full_name(ASSAY_STORE_BRANCH, name, true, full, err));
    TRY(one_report(h, revision, &id, err));
    handle_identify(h);
    TRY(refs_update(h->s, full, &none, &id, "branch: created by checkout", &is_moved, NULL, err));
    if (!is_moved) FAIL(err, ASSAY_ERR_USAGE, "branch '%s' already exists", name);
    return set_head(h, full, NULL, "checkout: to a new branch", err);
}

static int orphan(assay_store *h, const char *name, assay_error *err)
{
    char full[REFS_NAME_MAX];
    struct ref_value value;
    TRY(full_name(ASSAY_STORE_BRANCH, name, true, full, err));
    TRY(refs_read(h->s, full, &value, err));
    if (value.kind != REF_NONE) FAIL(err, ASSAY_ERR_USAGE, "branch '%s' already exists", name);
    return set_head(h, full, NULL, "checkout: to an orphan branch", err);
}

static int switch_to(assay_store *h, const char *name, bool detach, assay_error *err)
{
    char full[REFS_NAME_MAX];
    struct ref_value value;
    assay_store_id id;
    if (!detach && full_name(ASSAY_STORE_BRANCH, name, false, full, NULL) == 0 && refs_read(h->s, full, &value, NULL) == 0 && value.kind != REF_NONE)
        return set_head(h, full, NULL, "checkout: to a branch", err);
    TRY(one_report(h, name, &id, err));
    return set_head(h, NULL, &id, "checkout: detached", err);
}

int assay_store_checkout(assay_store *h, enum assay_store_target how, const char *name, const char *revision, assay_error *err)
{
    assay_error local;
    err = error_enter(err, &local);
    if (!name && how != ASSAY_STORE_DETACH) FAIL(err, ASSAY_ERR_USAGE, "a name is needed");
    switch (how) {
    case ASSAY_STORE_SWITCH: return switch_to(h, name, false, err);
    case ASSAY_STORE_DETACH: return switch_to(h, name, true, err);
    case ASSAY_STORE_START: return start(h, name, revision, err);
    case ASSAY_STORE_ORPHAN: return orphan(h, name, err);
    }
    FAIL(err, ASSAY_ERR_USAGE, "%u is no way to check out", (unsigned)how);
}

int assay_store_reset(assay_store *h, const char *revision, char *branch, assay_store_id *id, assay_error *err)
{
    assay_error local;
    err = error_enter(err, &local);
    char last[REFS_NAME_MAX];
    struct ref_value value;
    assay_store_id to;
    bool is_moved;
    TRY(one_report(h, revision, &to, err));
    handle_identify(h);
    TRY(refs_follow(h->s, "HEAD", &value, last, err));
    TRY(refs_update(h->s, last, NULL, &to, "reset", &is_moved, NULL, err));
    const char *name = short_name(last);
    if (branch) snprintf(branch, ASSAY_STORE_NAME_MAX, "%s", name == last ? "" : name);
    if (id) *id = to;
    return 0;
}

/* References, heads, worktrees, and where git is: rules S01 to S05, S20, S21, S24, S25. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "store/fsck_parts.h"
#include "store/ref_files.h"

struct refs_job {
    struct fsck *k;
    assay_error *err;
};

static void say(struct fsck *k, const char *name, const char *rule, int severity, const char *text)
{
    findings_add(k->scan.findings, rule, severity, FINDING_NO_OFFSET, 0, "%.300s: %s", name, text);
}

static void check_target(struct fsck *k, const char *name, const assay_store_id *id)
{
    char text[100], hex[COV_ID_HEX + 1];
    size_t at = scan_find(&k->scan, id);
    enum cov_kind kind = at == SIZE_MAX ? COV_NONE : k->scan.objects.at[at].kind;
    if (kind == COV_REPORT) return;
    cov_id_hex(id, hex);
    if (at == SIZE_MAX)
        snprintf(text, sizeof text, "%s is missing", hex);
    else
        snprintf(text, sizeof text, "%s is %s%s", hex, kind ? "a " : "a damaged object", cov_kind_name(kind));
    say(k, name, at == SIZE_MAX ? "S04" : "S05", ASSAY_ERROR, text);
}

/* The value of one reference, and whether it goes round. */
static int check_value(struct refs_job *j, const char *name, const struct ref_value *v)
{
    struct ref_value at = *v;
    int hops = 0;
    if (v->kind == REF_BROKEN) say(j->k, name, "S02", ASSAY_ERROR, v->target[0] ? "does not point to a valid reference name" : "neither an id nor 'ref: NAME'");
    if (v->kind == REF_ID) check_target(j->k, name, &v->id);
    while (at.kind == REF_SYMBOLIC && hops < REFS_MAX_HOPS) {
        char next[REFS_NAME_MAX];
        memcpy(next, at.target, sizeof next);
        hops++;
        TRY(refs_read(j->k->scan.store, next, &at, j->err));
    }
    if (hops >= REFS_MAX_HOPS) say(j->k, name, "S24", ASSAY_ERROR, "symbolic references form a cycle");
    return 0;
}

/* Locks come and go while others work; one that was left behind keeps nobody from working, but tells of a process that was killed. */
static void check_lock(struct fsck *k, const char *name, const char *path)
{
    char owner[48], text[160];
    long age;
    bool is_dead = ref_lock_is_dead(path, false);
    ref_lock_owner(path, owner, sizeof owner, &age);
    if (is_dead)
        snprintf(text, sizeof text, "a lock that %s left behind %ld seconds ago; the next change to the reference takes it over", owner, age);
    else
        snprintf(text, sizeof text, "locked by %s for %ld seconds", owner, age);
    say(k, name, "S25", is_dead ? ASSAY_WARNING : ASSAY_INFO, text);
}

static int check_ref(void *arg, const char *name, const struct ref_value *v)
{
    struct refs_job *j = arg;
    assay_slice s = slice_of(name);
    if (refs_name_ok(s)) return check_value(j, name, v);
    char path[FOLDER_PATH_MAX];
    if (slice_ends(s, ".lock") && refs_path(j->k->scan.store, name, "", path))
        check_lock(j->k, name, path);
    else
        say(j->k, name, "S03", ASSAY_ERROR, "not a valid reference name");
    return 0;
}

/* ---- heads and worktrees ---- */

/* What a line of a worktree's folder leads to is there. */
static bool leads_somewhere(const char *dir, const char *name)
{
    char line[FOLDER_PATH_MAX], path[FOLDER_PATH_MAX];
    struct stat st;
    long len = folder_peek(dir, name, line, sizeof line - 1);
    if (len <= 0) return false;
    line[len] = '\0';
    line[strcspn(line, "\r\n")] = '\0';
    if (line[0] == '/') return stat(line, &st) == 0;
    return folder_path(path, dir, line) && stat(path, &st) == 0;
}

static int check_head(void *arg, const char *folder, const struct ref_value *v)
{
    struct refs_job *j = arg;
    char name[320], dir[FOLDER_PATH_MAX], lock[330];
    struct stat st;
    snprintf(name, sizeof name, "%s%sHEAD", folder, *folder ? "/" : "");
    snprintf(lock, sizeof lock, "%s.lock", name);
    if (folder_path(dir, j->k->scan.store->common, lock) && lstat(dir, &st) == 0) check_lock(j->k, lock, dir);
    if (v->kind == REF_NONE)
        say(j->k, name, "S01", ASSAY_ERROR, "is missing");
    else
        TRY(check_value(j, name, v));
    if (!*folder || !folder_path(dir, j->k->scan.store->common, folder)) return 0;
    if (!leads_somewhere(dir, "gitdir")) say(j->k, folder, "S21", ASSAY_WARNING, "its gitdir is gone");
    if (!leads_somewhere(dir, "covdir")) say(j->k, folder, "S21", ASSAY_WARNING, "its covdir is gone");
    return 0;
}

/* ---- git ---- */

static bool is_git(const char *path)
{
    char inner[FOLDER_PATH_MAX];
    struct stat st;
    return folder_path(inner, path, "HEAD") && stat(inner, &st) == 0 && folder_path(inner, path, "objects") && stat(inner, &st) == 0;
}

static void check_git(struct fsck *k)
{
    char by_file[FOLDER_PATH_MAX], by_config[FOLDER_PATH_MAX], a[FOLDER_PATH_MAX], b[FOLDER_PATH_MAX];
    struct store *s = k->scan.store;
    bool has_file = git_dir_of(s, false, by_file), has_config = git_dir_of(s, true, by_config);
    bool differ = has_file && has_config && realpath(by_file, a) && realpath(by_config, b) && strcmp(a, b) != 0;
    if (differ) say(k, "gitdir", "S20", ASSAY_WARNING, "differs from core.gitdir in the config");
    if (!(has_file && is_git(by_file)) && !(has_config && is_git(by_config)))
        say(k, "gitdir", "S20", ASSAY_WARNING, "neither it nor core.gitdir leads to a git directory");
}

int fsck_refs(struct fsck *k, assay_error *err)
{
    struct refs_job j = { k, err };
    TRY(refs_each_file(k->scan.store, "refs/", check_ref, &j, err));
    TRY(scan_heads(k->scan.store, check_head, &j, err));
    check_git(k);
    return 0;
}

/* Reading references; see refs.h. */
#include "store/refs.h"

#include <errno.h>
#include <stdio.h>

#include "base/scoped.h"
#include "base/sort.h"
#include "store/parts.h"
#include "store/ref_files.h"

/* ---- names ---- */

static bool part_ok(assay_slice part) { return part.len && part.data[0] != '.' && !slice_ends(part, ".lock"); }

static bool is_plain(assay_slice name)
{
    for (size_t i = 0; i < name.len; i++)
        if (!(name.data[i] >= 'A' && name.data[i] <= 'Z') && name.data[i] != '_') return false;
    return true;
}

bool refs_name_ok(assay_slice name)
{
    if (!name.len || name.len >= REFS_NAME_MAX) return false;
    for (size_t i = 0; i < name.len; i++) {
        unsigned char c = (unsigned char)name.data[i];
        if (c <= ' ' || c == 0x7f || strchr("*:?[\"^~\\", c)) return false;
    }
    if (slice_contains(name, "..") || slice_contains(name, "@{")) return false;
    bool has_slash = false;
    for (const char *p = name.data, *end = p + name.len; p <= end;) {
        const char *slash = p < end ? memchr(p, '/', (size_t)(end - p)) : NULL;
        if (!part_ok(slice_from(p, slash ? slash : end))) return false;
        has_slash |= slash != NULL;
        p = slash ? slash + 1 : end + 1;
    }
    return has_slash || is_plain(name);
}

bool refs_path(const struct store *s, const char *name, const char *ending, char *buf)
{
    const char *dir = strchr(name, '/') ? s->common : s->path;
    int len = snprintf(buf, FOLDER_PATH_MAX, "%s/%s%s", dir, name, ending);
    return len > 0 && len < FOLDER_PATH_MAX;
}

bool refs_is_inside(const struct store *s, const char *name)
{
    char path[FOLDER_PATH_MAX];
    return refs_path(s, name, "", path) && !store_has_link(path, strlen(strchr(name, '/') ? s->common : s->path));
}

/* ---- values ---- */

static assay_slice first_line(assay_slice text)
{
    const char *nl = text.len ? memchr(text.data, '\n', text.len) : NULL;
    assay_slice line = nl ? slice_from(text.data, nl) : text;
    if (slice_ends(line, "\r")) line.len--;
    return slice_trim(line);
}

void refs_parse(assay_slice text, struct ref_value *out)
{
    assay_slice line = first_line(text);
    memset(out, 0, sizeof *out);
    out->kind = REF_BROKEN;
    if (cov_id_parse(line, &out->id)) {
        out->kind = REF_ID;
    } else if (slice_starts(line, "ref: ")) {
        assay_slice target = slice_trim(slice_from(line.data + 5, line.data + line.len));
        snprintf(out->target, sizeof out->target, "%.*s", (int)(target.len < REFS_NAME_MAX ? target.len : REFS_NAME_MAX - 1), target.data);
        if (refs_name_ok(target)) out->kind = REF_SYMBOLIC;
    }
}

int refs_read(struct store *s, const char *name, struct ref_value *out, assay_error *err)
{
    char path[FOLDER_PATH_MAX], text[REFS_NAME_MAX + 16];
    SCOPED(store_room_done) struct store_room room = { .mem = s->mem };
    assay_slice got;
    memset(out, 0, sizeof *out);
    if (!refs_name_ok(slice_of(name))) FAIL(err, ASSAY_ERR_USAGE, "'%.200s' is not a valid reference name", name);
    if (!refs_path(s, name, "", path)) FAIL(err, ASSAY_ERR_SYSTEM, "the path of the reference '%.200s' is too long", name);
    if (!refs_is_inside(s, name)) {
        out->kind = REF_BROKEN;
        return 0;
    }
    int rc = store_slurp(path, sizeof text, &room, &got);
    if (rc == 0) refs_parse(got, out);
    if (rc == EFBIG) out->kind = REF_BROKEN;
    if (rc == 0 || rc == ENOENT || rc == ENOTDIR || rc == EISDIR || rc == EFBIG) return 0;
    return rc == ENOMEM ? error_memory(err) : error_sys(err, ASSAY_ERR_SYSTEM, rc, "cannot read the reference '%.200s'", name);
}

int refs_follow(struct store *s, const char *name, struct ref_value *out, char *last, assay_error *err)
{
    char at[REFS_NAME_MAX];
    snprintf(at, sizeof at, "%s", name);
    for (int hops = 0; hops < REFS_MAX_HOPS; hops++) {
        TRY(refs_read(s, at, out, err));
        if (out->kind == REF_BROKEN) FAIL(err, ASSAY_ERR_DAMAGED, "the reference '%.200s' is neither an id nor 'ref: NAME'", at);
        if (out->kind != REF_SYMBOLIC) {
            if (last) memcpy(last, at, sizeof at);
            return 0;
        }
        memcpy(at, out->target, sizeof at);
    }
    return error_set(err, ASSAY_ERR_DAMAGED, "the reference '%.200s' is part of a cycle", name);
}

/* ---- all of them ---- */

/* Folders are kept on a list, not on the stack: a store can nest them as deep as paths allow. */
struct walk {
    struct store *s;
    refs_fn fn;
    void *arg;
    bool all; /* also what is no name, with kind REF_NONE */
    VEC(char *) names;
    VEC(char *) folders; /* still to be listed */
    struct arena text;
};

static int by_text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static int list_folder(struct walk *w, const char *folder, assay_error *err)
{
    char path[FOLDER_PATH_MAX];
    assay_error local;
    if (!folder_path(path, w->s->common, folder) || !refs_is_inside(w->s, folder)) return 0;
    SCOPED(folder_done) struct folder f;
    int rc = folder_open(&f, path, w->s->mem, &local);
    if (rc != 0) return rc == ASSAY_ERR_MEMORY ? error_memory(err) : 0; /* no such folder: no references */
    for (size_t i = 0; i < f.entries.len; i++) {
        char *name = folder_join(&w->text, folder, f.entries.at[i].name);
        char **slot = f.entries.at[i].is_dir ? vec_push(w->s->mem, &w->folders) : vec_push(w->s->mem, &w->names);
        if (slot) *slot = name;
        if (!slot || !name) return error_memory(err);
    }
    return 0;
}

/* Puts the names below a folder on the list. */
static int gather(struct walk *w, const char *folder, assay_error *err)
{
    TRY(list_folder(w, folder, err));
    while (w->folders.len) TRY(list_folder(w, w->folders.at[--w->folders.len], err));
    return 0;
}

static int call_each(struct walk *w, const char *prefix, assay_error *err)
{
    for (size_t i = 0; i < w->names.len; i++) {
        struct ref_value v = { .kind = REF_NONE };
        const char *name = w->names.at[i];
        bool ok = refs_name_ok(slice_of(name));
        if ((!ok && !w->all) || strncmp(name, prefix, strlen(prefix)) != 0) continue;
        if (ok) TRY(refs_read(w->s, name, &v, err));
        if (ok && v.kind == REF_NONE) continue; /* gone since the folder was listed */
        TRY(w->fn(w->arg, name, &v));
    }
    return 0;
}

static void walk_done(struct walk *w)
{
    vec_done(w->s->mem, &w->names, &w->folders);
    arena_done(&w->text);
}

static int each(struct store *s, const char *prefix, bool all, refs_fn fn, void *arg, assay_error *err)
{
    SCOPED(walk_done) struct walk w = { .s = s, .fn = fn, .arg = arg, .all = all, .text = { .mem = s->mem } };
    char folder[REFS_NAME_MAX];
    snprintf(folder, sizeof folder, "%s", prefix);
    char *slash = strrchr(folder, '/');
    if (!slash) FAIL(err, ASSAY_ERR_USAGE, "'%.200s' is not a directory of references", prefix);
    *slash = '\0';
    TRY(gather(&w, folder, err));
    if (w.names.len) sort_by(w.names.at, w.names.len, sizeof *w.names.at, by_text);
    return call_each(&w, prefix, err);
}

int refs_each(struct store *s, const char *prefix, refs_fn fn, void *arg, assay_error *err) { return each(s, prefix, false, fn, arg, err); }

int refs_each_file(struct store *s, const char *prefix, refs_fn fn, void *arg, assay_error *err) { return each(s, prefix, true, fn, arg, err); }

/* Where the source of a file may be; see paths.h. */
#include "analysis/sources/paths.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/folder.h"
#include "base/path.h"

enum { GO_MOD_LEN = 16384 };

/* ---- what is known beforehand ---- */

/* "module NAME" of DIR/go.mod; NULL = none, or no memory. */
static const char *go_module(struct arena *a, const char *dir)
{
    char text[GO_MOD_LEN];
    long len = folder_peek(dir, "go.mod", text, sizeof text - 1);
    if (len <= 0) return NULL;
    text[len] = '\0';
    for (char *line = text, *next; line; line = next) {
        next = strchr(line, '\n');
        if (next) *next++ = '\0';
        if (strncmp(line, "module", 6) != 0 || !strchr(" \t\"", line[6])) continue;
        char *name = line + 6 + strspn(line + 6, " \t\""), *end = name + strcspn(name, " \t\"\r");
        return end > name ? arena_copy(a, slice_from(name, end)) : NULL;
    }
    return NULL;
}

static int add_root(struct source_paths *s, const char *given, assay_error *err)
{
    char real[PATH_MAX];
    struct source_root *r = vec_push(s->mem, &s->roots);
    if (!r) return error_memory(err);
    *r = (struct source_root){ .path = path_normal(&s->text, slice_of(given)), .name = "", .real = "" };
    if (realpath(*given ? given : ".", real)) {
        r->real = arena_copy(&s->text, slice_of(real));
        r->name = r->real ? path_base(r->real) : NULL;
    }
    r->module = go_module(&s->text, *given ? given : ".");
    return r->path && r->real ? 0 : error_memory(err);
}

int source_paths_add(struct source_paths *s, const assay_profile *p, assay_error *err)
{
    const struct assay_attributes *a = assay_profile_attributes(p);
    for (uint32_t i = 0; i < a->count; i++) {
        assay_slice value = assay_profile_string(p, a->value[i]);
        if (!slice_is(assay_profile_string(p, a->key[i]), "source") || !value.len) continue;
        const char **slot = vec_push(s->mem, &s->sources);
        if (!slot || !(*slot = path_normal(&s->text, value))) return error_memory(err);
    }
    return 0;
}

int source_paths_init(struct source_paths *s, const assay_profile *p, const struct assay_filter *filter, struct mem *mem, assay_error *err)
{
    memset(s, 0, sizeof *s);
    s->mem = mem;
    s->filter = filter;
    arena_init(&s->text, mem);
    for (size_t i = 0; i < filter->source_root_count; i++) TRY(add_root(s, filter->source_roots[i], err));
    return p ? source_paths_add(s, p, err) : 0;
}

void source_paths_done(struct source_paths *s)
{
    vec_done(s->mem, &s->roots, &s->sources, &s->tried);
    arena_done(&s->text);
}

/* ---- candidates ---- */

/* What a map makes of the path; NULL = none matches. *failed: no memory. */
static const char *mapped(struct source_paths *s, const char *path, bool *failed)
{
    const char *rest, *out;
    const struct assay_path_map *m = path_map(s->filter->maps, s->filter->map_count, path, &rest);
    if (!m) return NULL;
    while (*rest == '/') rest++;
    out = path_join(&s->text, slice_of(m->to), slice_of(rest));
    *failed |= !out;
    return out;
}

/* By the path itself, else by the folders that the input names. */
static const char *mapped_from(struct source_paths *s, const char *path, bool *failed)
{
    const char *out = mapped(s, path, failed);
    if (path_is_absolute(slice_of(path))) return out;
    for (size_t i = 0; !out && !*failed && i < s->sources.len; i++) {
        const char *joined = path_join(&s->text, slice_of(s->sources.at[i]), slice_of(path));
        *failed |= !joined;
        if (joined) out = mapped(s, joined, failed);
    }
    return out;
}

const char *source_paths_plain(struct source_paths *s, assay_slice path)
{
    bool failed = false;
    const char *normal = path_normal(&s->text, path), *to = normal ? mapped_from(s, normal, &failed) : NULL;
    return failed ? NULL : to ? to : normal;
}

static bool add(struct source_paths *s, const char *path)
{
    if (!path) return false;
    for (size_t i = 0; i < s->tried.len; i++)
        if (strcmp(s->tried.at[i], path) == 0) return true;
    const char **slot = vec_push(s->mem, &s->tried);
    if (slot) *slot = path;
    return slot != NULL;
}

static bool add_joined(struct source_paths *s, const char *folder, const char *path)
{
    return !path_is_tame(path) || add(s, path_join(&s->text, slice_of(folder), slice_of(path)));
}

/* Import paths: the module's name stands for its folder. */
static bool add_go(struct source_paths *s, const struct source_root *r, const char *path)
{
    size_t len = 0;
    if (!r->module || !path_begins(path, r->module, &len)) return true;
    return path[len] != '/' || add_joined(s, r->path, path + len + 1);
}

/* A folder that the input names may itself be relative to a root. */
static bool add_relative(struct source_paths *s, const char *path)
{
    bool done = true;
    for (size_t i = 0; i < s->roots.len; i++) done = done && add_joined(s, s->roots.at[i].path, path) && add_go(s, &s->roots.at[i], path);
    for (size_t k = 0; done && k < s->sources.len; k++) {
        const char *joined = path_join(&s->text, slice_of(s->sources.at[k]), slice_of(path));
        done = joined != NULL;
        for (size_t i = 0; done && i < s->roots.len && !path_is_absolute(slice_of(joined)); i++) done = add_joined(s, s->roots.at[i].path, joined);
        done = done && (!path_is_tame(path) || add(s, joined));
    }
    return done;
}

/* Shorter and shorter ends of the path below each root: at least the file and one folder, which may be the root itself. */
static bool add_ends(struct source_paths *s, const char *path)
{
    const char *before = NULL;
    for (const char *end = path; end; end = strchr(end, '/')) {
        while (*end == '/') end++;
        bool is_file = !strchr(end, '/');
        for (size_t i = 0; i < s->roots.len; i++) {
            const struct source_root *r = &s->roots.at[i];
            size_t len = strlen(r->name);
            bool is_ours = before && len && strncmp(before, r->name, len) == 0 && before[len] == '/';
            if ((!is_file || is_ours) && !add_joined(s, r->path, end)) return false;
        }
        before = end;
    }
    return true;
}

static bool add_names(struct source_paths *s, const char *path)
{
    const char *slash = strrchr(path, '/');
    for (size_t i = 0; i < s->roots.len; i++)
        if (!add_joined(s, s->roots.at[i].path, slash ? slash + 1 : path)) return false;
    return true;
}

bool source_paths_is_inside(const struct source_paths *s, const char *path)
{
    size_t len = 0;
    for (size_t i = 0; i < s->roots.len; i++) {
        const char *root = s->roots.at[i].path;
        if (!*root ? path[0] != '/' && path_is_tame(path) : path_begins(path, root, &len)) return true;
    }
    return false;
}

static bool add_all(struct source_paths *s, assay_slice written)
{
    bool failed = false;
    const char *path = path_normal(&s->text, written), *to = path ? mapped_from(s, path, &failed) : NULL;
    if (!path || failed) return false;
    if (to) return add(s, to) && (path_is_absolute(slice_of(to)) || add_relative(s, to));
    bool is_absolute = path_is_absolute(slice_of(path)), done;
    done = is_absolute ? !source_paths_is_inside(s, path) || add(s, path) : add_relative(s, path) && (s->roots.len || add(s, path));
    done = done && add_ends(s, path);
    for (size_t i = 0; done && !is_absolute && i < s->sources.len; i++) {
        const char *joined = path_join(&s->text, slice_of(s->sources.at[i]), slice_of(path));
        done = joined && add_ends(s, joined);
    }
    return done && add(s, path) && (!s->by_name || add_names(s, path));
}

bool source_paths_exists(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

/* Both without links. */
static bool is_below(const char *path, const char *folder)
{
    size_t len = strlen(folder);
    if (len == 1) return folder[0] == '/';
    return len && strncmp(path, folder, len) == 0 && path[len] == '/';
}

bool source_paths_may_show(const struct source_paths *s, const char *path)
{
    char real[PATH_MAX], to[PATH_MAX];
    if (!s->roots.len || s->filter->follow_links) return true;
    if (!realpath(path, real)) return false;
    for (size_t i = 0; i < s->roots.len; i++)
        if (is_below(real, s->roots.at[i].real)) return true;
    for (size_t i = 0; i < s->filter->map_count; i++) {
        const char *folder = s->filter->maps[i].to;
        if (realpath(*folder ? folder : ".", to) && (is_below(real, to) || strcmp(real, to) == 0)) return true;
    }
    return false;
}

const char *source_paths_find(struct source_paths *s, assay_slice path, assay_error *err)
{
    s->tried.len = 0;
    if (!add_all(s, path)) {
        error_memory(err);
        return NULL;
    }
    for (size_t i = 0; i < s->tried.len; i++)
        if (source_paths_exists(s->tried.at[i]) && (!source_paths_is_inside(s, s->tried.at[i]) || source_paths_may_show(s, s->tried.at[i])))
            return s->tried.at[i];
    return NULL;
}

/* Where files are looked for; see find.h and docs/symbols.md. */
#include "symbols/find.h"

#include <dirent.h>
#include <sys/stat.h>

#include "base/folder.h"
#include "base/sort.h"

#define SYSTEM_DEBUG "/usr/lib/debug"

void find_init(struct find_list *l, struct mem *mem)
{
    memset(l, 0, sizeof *l);
    l->mem = mem;
    arena_init(&l->text, mem);
}

void find_done(struct find_list *l)
{
    vec_done(l->mem, &l->paths);
    arena_done(&l->text);
}

static const char *join(struct arena *text, const char *const parts[4])
{
    size_t len = 0;
    for (int i = 0; i < 4; i++) len += parts[i] ? strlen(parts[i]) : 0;
    char *out = arena_text(text, len + 1), *p = out;
    if (!out) return NULL;
    for (int i = 0; i < 4; i++)
        if (parts[i]) p = stpcpy(p, parts[i]);
    *p = '\0';
    return out;
}

void find_add(struct find_list *l, const char *a, const char *b, const char *c, const char *d)
{
    const char *path = join(&l->text, (const char *const[4]){ a, b, c, d });
    for (size_t i = 0; path && i < l->paths.len; i++)
        if (strcmp(l->paths.at[i], path) == 0) return;
    const char **slot = path ? vec_push(l->mem, &l->paths) : NULL;
    if (slot)
        *slot = path;
    else
        l->failed = true;
}

/* ---- paths ---- */

static bool is_folder(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

bool find_resolve(struct arena *text, const struct symbols_options *o, const char *path, const char **out)
{
    const char *rest;
    const struct assay_path_map *map = path_map(o->maps, o->map_count, path, &rest);
    if (map)
        *out = join(text, (const char *const[4]){ map->to, rest, NULL, NULL });
    else if (path[0] != '/' && o->dir)
        *out = join(text, (const char *const[4]){ o->dir, "/", path, NULL });
    else
        *out = path;
    return *out != NULL;
}

const char *find_original(struct arena *text, const char *dir, bool *failed)
{
    char line[FOLDER_PATH_MAX];
    long got = dir ? folder_peek(dir, "original-path", line, sizeof line) : 0;
    assay_slice path = { line, got > 0 ? (size_t)got : 0 };
    const char *end = path.len ? memchr(line, '\n', path.len) : NULL;
    if (end) path.len = (size_t)(end - line);
    if (path.len < 2 || line[0] != '/' || memchr(line, '\0', path.len)) return NULL;
    const char *copy = arena_copy(text, path);
    *failed |= !copy;
    return copy;
}

bool symbols_source_path(struct arena *text, const struct symbols_options *o, const char *path, const char **out)
{
    const char *rest;
    const struct assay_path_map *map = path_map(o->maps, o->map_count, path, &rest);
    *out = NULL;
    if (o->foreign && !path_is_tame(path)) return true;
    if (map) return (*out = join(text, (const char *const[4]){ map->to, rest, NULL, NULL })) != NULL;
    if (path[0] == '/' && !o->foreign) *out = path;
    return true;
}

/* ---- candidates ---- */

static void add_by_id(struct find_list *l, const char *folder, const char *id, const char *suffix)
{
    char head[3] = { id[0], id[1], '\0' };
    const char *tail = join(&l->text, (const char *const[4]){ head, "/", id + 2, suffix });
    if (tail)
        find_add(l, folder, "/.build-id/", tail, NULL);
    else
        l->failed = true;
}

static bool is_id(const char *id) { return id && strlen(id) >= 4 && strspn(id, "0123456789abcdef") == strlen(id); }

/* perf's cache has FOLDER/PATH/ID/elf; the links by id are only a shorter way there. */
static void find_in_cache(struct find_list *l, const char *folder, const char *path, const char *id)
{
    const char *place = path_is_tame(path) && path[0] == '/' ? join(&l->text, (const char *const[4]){ folder, path, "/", id }) : "";
    if (place && place[0]) find_add(l, place, "/elf", NULL, NULL);
    l->failed |= !place;
}

static void find_in_paths(struct find_list *l, const struct symbols_options *o, const char *path, const char *build_id)
{
    const char *base = path_base(path);
    for (size_t i = 0; i < o->path_count && base[0]; i++) {
        const char *place = o->paths[i];
        if (!is_folder(place)) {
            if (strcmp(path_base(place), base) == 0) find_add(l, place, NULL, NULL, NULL);
            continue;
        }
        if (path_is_tame(path)) find_add(l, place, path[0] == '/' ? NULL : "/", path, NULL);
        find_add(l, place, "/", base, NULL);
        if (is_id(build_id)) add_by_id(l, place, build_id, o->as_perf ? "/elf" : NULL);
        if (is_id(build_id) && o->as_perf) find_in_cache(l, place, path, build_id);
    }
}

/* A program that is kept there, not a link: links lead to whatever has that name on this machine. */
static bool is_kept(const char *folder, const char *name, const char *path)
{
    struct stat st;
    char magic[4];
    return lstat(path, &st) == 0 && S_ISREG(st.st_mode) && folder_peek(folder, name, magic, sizeof magic) == 4 && memcmp(magic, "\177ELF", 4) == 0;
}

/* What the measurement directory keeps, wherever it lies now: the vdso and GPU binaries are named by their content, CPU binaries as they were. */
static void find_kept(struct find_list *l, const struct symbols_options *o, const char *path)
{
    static const char *const folders[] = { "/vdso", "/gpubins", "/cpubins" };
    const char *base = path_base(path);
    if (!o->dir || !base[0] || !path_is_tame(base)) return;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        const char *folder = join(&l->text, (const char *const[4]){ o->dir, folders[i], NULL, NULL });
        const char *kept = folder ? join(&l->text, (const char *const[4]){ folder, "/", base, NULL }) : NULL;
        if (kept && is_kept(folder, base, kept)) find_add(l, kept, NULL, NULL, NULL);
        l->failed |= !kept;
    }
}

void find_module(struct find_list *l, const struct symbols_options *o, const char *path, const char *build_id)
{
    const char *rest = "";
    size_t len = 0;
    const struct assay_path_map *map = path_map(o->maps, o->map_count, path, &rest);
    if (o->as_perf) find_in_paths(l, o, path, build_id);
    if (map && path_is_tame(rest)) find_add(l, map->to, rest, NULL, NULL);
    if (!map && o->dir && path[0] && path[0] != '/' && path_is_tame(path)) find_add(l, o->dir, "/", path, NULL);
    find_kept(l, o, path);
    bool is_ours = o->dir && path_begins(path, o->dir, &len) && path_is_tame(path);
    if (!map && path[0] == '/' && (!o->foreign || is_ours)) find_add(l, path, NULL, NULL, NULL);
    find_in_paths(l, o, path, build_id);
}

void find_debug_by_id(struct find_list *l, const struct symbols_options *o, const char *build_id)
{
    if (!is_id(build_id)) return;
    for (size_t i = 0; i < o->path_count; i++)
        if (is_folder(o->paths[i])) add_by_id(l, o->paths[i], build_id, ".debug");
    if (!o->foreign) add_by_id(l, SYSTEM_DEBUG, build_id, ".debug");
}

void find_debug_by_link(struct find_list *l, const struct symbols_options *o, const char *path, const char *link)
{
    size_t len = (size_t)(path_base(path) - path);
    const char *folder = len ? arena_copy(&l->text, (assay_slice){ path, len }) : "./";
    if (!folder) {
        l->failed = true;
        return;
    }
    find_add(l, folder, link, NULL, NULL);
    find_add(l, folder, ".debug/", link, NULL);
    for (size_t i = 0; i < o->path_count; i++) find_add(l, o->paths[i], is_folder(o->paths[i]) ? "/" : NULL, is_folder(o->paths[i]) ? link : NULL, NULL);
    if (!o->foreign && folder[0] == '/') find_add(l, SYSTEM_DEBUG, folder, link, NULL);
}

/* ---- structure files ---- */

static bool is_structure(const char *name) { return strstr(name, ".hpcstruct") != NULL; }

static int by_text(const void *a, const void *b) { return strcmp(*(const char *const *)a, *(const char *const *)b); }

static void add_structures(struct find_list *l, const char *folder)
{
    size_t first = l->paths.len;
    DIR *dir = opendir(folder);
    if (!dir) return;
    for (const struct dirent *e; (e = readdir(dir));)
        if (is_structure(e->d_name)) find_add(l, folder, "/", e->d_name, NULL);
    closedir(dir);
    if (l->paths.len > first + 1) sort_by(l->paths.at + first, l->paths.len - first, sizeof *l->paths.at, by_text);
}

void find_structures(struct find_list *l, const struct symbols_options *o)
{
    for (size_t i = 0; i < o->path_count; i++) {
        if (!is_folder(o->paths[i])) {
            if (is_structure(path_base(o->paths[i]))) find_add(l, o->paths[i], NULL, NULL, NULL);
            continue;
        }
        add_structures(l, o->paths[i]);
        const char *below = join(&l->text, (const char *const[4]){ o->paths[i], "/structs", NULL, NULL });
        if (below) add_structures(l, below);
        l->failed |= !below;
    }
    const char *own = o->dir ? join(&l->text, (const char *const[4]){ o->dir, "/structs", NULL, NULL }) : NULL;
    if (own) add_structures(l, own);
    l->failed |= o->dir && !own;
}

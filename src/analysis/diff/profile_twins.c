/* Files and programs that two profiles know by different paths; see profile.h.
 *
 * A build in another folder names the same sources and programs otherwise. Paths that only one profile has are paired by their ends: the last three
 * components, else two, else the name alone, where exactly one path of each side ends so. */
#include <string.h>

#include "analysis/diff/profile.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/order.h"
#include "base/path.h"
#include "base/scoped.h"
#include "base/slice.h"
#include "base/sort.h"

enum { COMPONENTS = 3 };

struct lone {
    assay_slice end; /* that it is paired by */
    uint32_t name;   /* of the whole path */
    uint8_t side;
};

static int by_end(const void *x, const void *y)
{
    const struct lone *a = x, *b = y;
    int c = slice_compare(a->end, b->end);
    return c ? c : ORDER(a->name, b->name);
}

/* The last components of a path. */
static assay_slice end_of(assay_slice path, int components)
{
    size_t at = path.len;
    for (; at > 0; at--)
        if (path.data[at - 1] == '/' && --components == 0) break;
    return slice_from(path.data + at, path.data + path.len);
}

/* Pairs what ends alike once on either side, and takes it out of the list. */
static void pair(const struct differ *d, uint32_t *of, struct lone *list, size_t *count, int components)
{
    size_t kept = 0;
    for (size_t i = 0; i < *count; i++) list[i].end = end_of(intern_get(&d->names, list[i].name), components);
    if (*count) sort_by(list, *count, sizeof *list, by_end);
    for (size_t i = 0, next; i < *count; i = next) {
        for (next = i + 1; next < *count && slice_equal(list[next].end, list[i].end); next++) {
        }
        if (next - i == 2 && list[i].side != list[i + 1].side) {
            const struct lone *before = &list[i + (list[i].side == AFTER)], *after = &list[i + (list[i].side == BEFORE)];
            of[before->name] = after->name;
            continue;
        }
        if (kept != i) memmove(&list[kept], &list[i], (next - i) * sizeof *list);
        kept += next - i;
    }
    *count = kept;
}

/* What is left of either side is one program under two names. */
static void pair_rest(uint32_t *of, const struct lone *list, size_t count)
{
    if (count != 2 || list[0].side == list[1].side) return;
    bool is_first = list[0].side == BEFORE;
    of[list[!is_first].name] = list[is_first].name;
}

/* of[name] becomes the name that the path has in the second profile. */
static int find_twins(struct differ *d, uint32_t *const names[SIDES], const uint32_t counts[SIDES], bool is_modules, uint32_t *of, size_t len)
{
    struct mem *mem = &d->out->mem;
    size_t count = 0, most = (size_t)counts[BEFORE] + counts[AFTER] + 2;
    SCRATCH(uint8_t, seen, mem, len);
    SCRATCH(struct lone, list, mem, most);
    bool done = seen && list;
    for (int side = 0; done && side < SIDES; side++)
        for (size_t i = 0; i <= counts[side]; i++) seen[names[side][i]] |= (uint8_t)(1 << side);
    for (uint32_t name = 1; done && name < len && (done = !cancel_at(name)); name++) {
        bool is_lone = seen[name] == 1 << BEFORE || seen[name] == 1 << AFTER;
        of[name] = name;
        if (is_lone && intern_get(&d->names, name).len) list[count++] = (struct lone){ .name = name, .side = seen[name] == 1 << AFTER ? AFTER : BEFORE };
    }
    for (int components = COMPONENTS; done && components > 0; components--) pair(d, of, list, &count, components);
    if (done && is_modules) pair_rest(of, list, count);
    return done ? 0 : error_memory(d->err);
}

static int name_paths(struct differ *d, int side, bool is_modules)
{
    const assay_profile *p = d->p[side];
    const assay_str_id *path = is_modules ? assay_profile_modules(p)->path : assay_profile_files(p)->path;
    uint32_t count = is_modules ? assay_profile_modules(p)->count : assay_profile_files(p)->count;
    uint32_t *to = mem_zalloc(&d->out->mem, (size_t)count + 1, sizeof *to);
    *(is_modules ? &d->modules[side] : &d->files[side]) = to;
    for (uint32_t i = 0; to && i <= count; i++) {
        const char *spelling = path_normal(&d->scratch, assay_profile_string(p, i && path ? path[i] : (assay_str_id){ 0 }));
        if (!spelling || !(to[i] = diff_name(d, slice_of(spelling)))) return error_memory(d->err);
    }
    return to ? 0 : error_memory(d->err);
}

static int match(struct differ *d, uint32_t *const names[SIDES], const uint32_t counts[SIDES], bool is_modules)
{
    for (int side = 0; side < SIDES; side++) TRY(name_paths(d, side, is_modules));
    size_t len = (size_t)intern_count(&d->names) + 1;
    SCRATCH(uint32_t, of, &d->out->mem, len);
    if (!of) return error_memory(d->err);
    TRY(find_twins(d, names, counts, is_modules, of, len));
    for (uint32_t i = 0; i <= counts[BEFORE]; i++) names[BEFORE][i] = of[names[BEFORE][i]];
    return 0;
}

int diff_match_paths(struct differ *d)
{
    const uint32_t files[SIDES] = { assay_profile_files(d->p[BEFORE])->count, assay_profile_files(d->p[AFTER])->count };
    const uint32_t modules[SIDES] = { assay_profile_modules(d->p[BEFORE])->count, assay_profile_modules(d->p[AFTER])->count };
    TRY(match(d, d->files, files, false));
    return match(d, d->modules, modules, true);
}

void diff_free_paths(struct differ *d)
{
    for (int side = 0; side < SIDES; side++) {
        mem_free(&d->out->mem, d->files[side], d->files[side] ? ((size_t)assay_profile_files(d->p[side])->count + 1) * sizeof **d->files : 0);
        mem_free(&d->out->mem, d->modules[side], d->modules[side] ? ((size_t)assay_profile_modules(d->p[side])->count + 1) * sizeof **d->modules : 0);
    }
}

/* What is the same in several profiles: files by their paths, as `annotate` pairs them, and functions by name and file. */
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "analysis/core/function.h"
#include "analysis/sources/path_finder.h"
#include "analysis/sources/paths.h"
#include "analysis/tables/parts.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/slice.h"
#include "model/profile.h"

/* Of one profile. */
struct same_files {
    bool is_loaded, has_finder;
    assay_slice *source; /* by file */
    struct path_finder finder;
};

/* A name of functions that have a file, and the one source that all of them have; several = {NULL, 0}. */
struct same_name {
    assay_slice name, source;
};

struct tables_sources {
    struct arena arena;
    size_t count;
    struct same_files *files; /* by profile */
    bool has_names;
    VEC(struct same_name) names;
    struct index by_name;
};

static const struct assay_filter no_filter;

/* ---- files ---- */

static struct tables_sources *sources_of(struct tables *t)
{
    struct tables_sources *s = t->sources;
    if (!s) {
        s = t->sources = mem_zalloc(t->mem, 1, sizeof *s);
        if (!s) return NULL;
        arena_init(&s->arena, t->mem);
        index_init(&s->by_name, t->mem);
        s->count = t->profiles.len;
    }
    if (!s->files) s->files = mem_zalloc(t->mem, s->count, sizeof *s->files);
    return s->files ? s : NULL;
}

void tables_same_done(struct tables *t)
{
    struct tables_sources *s = t->sources;
    if (!s) return;
    for (size_t i = 0; s->files && i < s->count; i++)
        if (s->files[i].has_finder) path_finder_done(&s->files[i].finder);
    mem_free(t->mem, s->files, s->files ? s->count * sizeof *s->files : 0);
    vec_done(t->mem, &s->names);
    index_done(&s->by_name);
    arena_done(&s->arena);
    mem_free(t->mem, s, sizeof *s);
    t->sources = NULL;
}

/* Paths in their one spelling, mapped as the user says. */
static int spell(struct tables *t, struct tables_profile *p, struct same_files *f, assay_error *err)
{
    const struct assay_files *files = &p->p->files;
    struct source_paths paths;
    int rc = source_paths_init(&paths, p->p, t->filter ? t->filter : &no_filter, t->mem, err);
    f->source = rc == 0 ? arena_alloc(&t->sources->arena, ((size_t)files->count + 1) * sizeof *f->source) : NULL;
    if (rc == 0 && !f->source) rc = error_memory(err);
    if (rc == 0) f->source[0] = (assay_slice){ NULL, 0 };
    for (uint32_t i = 1; rc == 0 && i <= files->count; i++) {
        assay_slice path = assay_profile_string(p->p, files->path[i]);
        const char *plain = source_paths_plain(&paths, path), *kept = plain ? arena_copy(&t->sources->arena, slice_of(plain)) : NULL;
        f->source[i] = slice_of(kept);
        rc = kept ? cancel_step(i, err) : error_memory(err);
    }
    source_paths_done(&paths);
    return rc;
}

static int find_same(struct tables *t, struct tables_profile *p, struct same_files *f, assay_error *err)
{
    for (uint32_t i = 1; i <= p->p->files.count; i++) {
        uint32_t found = UINT32_MAX;
        TRY(cancel_step(i, err));
        for (unsigned k = 0; k + 1 < p->number && f->source[i].len; k++) {
            struct same_files *earlier = &t->sources->files[k];
            if (!earlier->has_finder) continue;
            found = path_finder_find(&earlier->finder, f->source[i]);
            if (found == UINT32_MAX) continue;
            f->source[i] = earlier->source[found + 1];
            break;
        }
    }
    return 0;
}

static int load_files(struct tables *t, struct tables_profile *p, assay_error *err)
{
    struct tables_sources *s = sources_of(t);
    if (!s) return error_memory(err);
    struct same_files *f = &s->files[p->number - 1];
    if (f->is_loaded || !p->p) return 0;
    if (f->has_finder) path_finder_done(&f->finder); /* of an attempt that failed */
    f->has_finder = false;
    TRY(spell(t, p, f, err));
    if (t->profiles.len > 1 && p->number < t->profiles.len) { /* others will look here, by the path as it is spelled here */
        f->has_finder = true;
        TRY(path_finder_init(&f->finder, f->source + 1, p->p->files.count, t->mem, err));
    }
    TRY(find_same(t, p, f, err));
    f->is_loaded = true;
    return 0;
}

int tables_same_load(struct tables *t, struct tables_profile *p, assay_error *err)
{
    for (unsigned i = 0; i < p->number; i++) TRY(load_files(t, t->profiles.at[i], err));
    return 0;
}

assay_slice tables_source(struct tables *t, struct tables_profile *p, uint32_t file)
{
    bool is_loaded = t->sources && t->sources->files && t->sources->files[p->number - 1].is_loaded;
    if (!file || file > p->p->files.count) return (assay_slice){ NULL, 0 };
    if (!is_loaded && tables_same_load(t, p, &t->failure) != 0) return (assay_slice){ NULL, 0 };
    return t->sources->files[p->number - 1].source[file];
}

/* ---- functions ---- */

/* The name for people, where a function has one for the linker, too. */
static assay_slice name_of(const assay_profile *p, uint32_t func)
{
    assay_slice name = assay_profile_string(p, p->funcs.name[func]), other = text_of(p, p->funcs.link_name, func);
    bool is_mangled = slice_starts(name, "_Z") || slice_starts(name, "_R");
    return function_name_plain(is_mangled && other.len ? other : name);
}

static struct same_name *find_name(struct tables_sources *s, assay_slice name)
{
    for (struct index_walk w = index_walk(&s->by_name, hash_bytes(name.data, name.len)); index_next(&s->by_name, &w);)
        if (slice_equal(s->names.at[w.id - 1].name, name)) return &s->names.at[w.id - 1];
    return NULL;
}

static int note_name(struct tables *t, assay_slice name, assay_slice source, assay_error *err)
{
    struct tables_sources *s = t->sources;
    struct same_name *n = find_name(s, name);
    if (n) {
        if (n->source.data && !slice_equal(n->source, source)) n->source = (assay_slice){ NULL, 0 };
        return 0;
    }
    n = vec_push(t->mem, &s->names);
    if (!n) return error_memory(err);
    *n = (struct same_name){ name, source };
    return index_add(&s->by_name, hash_bytes(name.data, name.len), (uint32_t)s->names.len) ? 0 : error_memory(err);
}

/* For functions without a file: the one that other profiles know. */
static int load_names(struct tables *t, assay_error *err)
{
    if (t->sources && t->sources->has_names) return 0;
    for (size_t i = 0; i < t->profiles.len; i++) {
        struct tables_profile *p = t->profiles.at[i];
        TRY(load_files(t, p, err));
        for (uint32_t f = 1; p->p && p->p->funcs.file && f <= p->p->funcs.count; f++) {
            TRY(cancel_step(f, err));
            assay_slice source = tables_source(t, p, p->p->funcs.file[f].v);
            if (source.len) TRY(note_name(t, name_of(p->p, f), source, err));
        }
    }
    t->sources->has_names = true;
    return 0;
}

struct tables_cell tables_key(struct tables *t, struct tables_profile *p, uint32_t func)
{
    if (!func || func > p->p->funcs.count) return cell_null();
    assay_slice name = name_of(p->p, func), source = { NULL, 0 };
    if (p->p->funcs.file) source = tables_source(t, p, p->p->funcs.file[func].v);
    if (!source.len && t->profiles.len > 1) {
        if (load_names(t, &t->failure) != 0) return cell_null();
        const struct same_name *n = find_name(t->sources, name);
        if (n) source = n->source;
    }
    uint64_t hash = XXH64(name.data ? name.data : "", name.len, 0);
    if (source.len) hash = XXH64(source.data, source.len, hash);
    return cell_u64(hash & INT64_MAX);
}

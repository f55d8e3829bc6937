/* Groups of functions, by the names of their places. */
#include "analysis/core/top_groups.h"

#include "analysis/core/class_name.h"
#include "base/error.h"
#include "base/intern.h"
#include "base/path.h"
#include "base/scoped.h"
#include "base/slice.h"
#include "model/entry.h"

/* Which directories: all levels, or `depth` of them after the first `from` bytes, which all paths share. */
struct levels {
    size_t from;
    uint32_t depth;
};

static assay_slice file_of(const assay_profile *p, uint32_t func)
{
    return assay_profile_string(p, (assay_str_id){ ID(assay_profile_files(p)->path, ID(assay_profile_funcs(p)->file, func)) });
}

static struct levels levels_of(const assay_profile *p, uint32_t depth)
{
    assay_slice shared = { NULL, 0 };
    if (!depth) return (struct levels){ 0, UINT32_MAX };
    for (uint32_t func = 1; func <= assay_profile_funcs(p)->count; func++) {
        assay_slice file = file_of(p, func);
        if (file.len) shared = shared.data ? path_shared(shared, path_folder(file)) : path_folder(file);
    }
    return (struct levels){ shared.len, depth };
}

static assay_slice name_of(const assay_profile *p, uint32_t func, enum top_by by, struct levels levels)
{
    const struct assay_funcs *f = assay_profile_funcs(p);
    const struct assay_modules *modules = assay_profile_modules(p);
    if (by == TOP_BY_LABEL) return assay_profile_string(p, f->name[func]);
    if (by == TOP_BY_CLASS) {
        assay_slice class = class_name(assay_profile_string(p, f->name[func]));
        return class.len ? class : SLICE("<no class>");
    }
    if (by == TOP_BY_MODULE) {
        assay_slice module = assay_profile_string(p, (assay_str_id){ ID(modules->path, ID(f->module, func)) });
        return module.len ? module : SLICE("<unknown module>");
    }
    assay_slice file = file_of(p, func);
    if (!file.len) return SLICE("<unknown file>");
    return by == TOP_BY_FILE ? file : path_folder_within(file, levels.from, levels.depth);
}

static int make_groups(struct top_groups *g, const assay_profile *p, enum top_by by, uint32_t depth, struct intern *names, uint32_t *first)
{
    struct levels levels = levels_of(p, depth);
    for (uint32_t func = 1; func < g->len; func++) {
        assay_slice name = name_of(p, func, by, levels);
        uint32_t id = intern_put(names, name);
        if (!id) return ASSAY_ERR_MEMORY;
        if (!first[id]) first[id] = func;
        g->of[func] = first[id];
        g->name[func] = name;
    }
    return 0;
}

int top_groups_init(struct top_groups *g, const assay_profile *p, enum top_by by, uint32_t depth, struct mem *mem, assay_error *err)
{
    SCOPED(intern_done) struct intern names = { 0 };
    *g = (struct top_groups){ .mem = mem, .len = (size_t)assay_profile_funcs(p)->count + 1 };
    g->has_totals = !(assay_profile_shapes(p) & ASSAY_SHAPE_GRAPH);
    g->of = mem_zalloc(mem, g->len, sizeof *g->of);
    g->name = mem_zalloc(mem, g->len, sizeof *g->name);
    SCRATCH(uint32_t, first, mem, g->len + 1); /* by id of the name */
    intern_init(&names, mem);
    bool has_room = g->of && g->name && first && make_groups(g, p, by, depth, &names, first) == 0;
    return has_room ? 0 : error_memory(err);
}

void top_groups_done(struct top_groups *g)
{
    if (!g->mem) return;
    mem_free(g->mem, g->of, g->len * sizeof *g->of);
    mem_free(g->mem, g->name, g->len * sizeof *g->name);
}

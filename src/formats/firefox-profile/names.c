/* Rows of funcTable and resourceTable -> functions and modules. */
#include "base/cancel.h"
#include "base/error.h"
#include "formats/firefox-profile/read.h"

/* A string of the file by its number; 0 = none. */
static uint32_t string_at(const struct firefox_tables *t, int32_t row) { return row >= 0 && (size_t)row < t->strings.len ? t->strings.at[row] : 0; }

/* Before version 70 a resource has a library, since then a frame has one. */
static void find_libs(struct firefox_naming *g)
{
    const struct firefox_tables *t = g->t;
    for (uint32_t i = 0; i < t->length[FIREFOX_RESOURCES]; i++) g->lib_of[i] = firefox_row(t, FIREFOX_RESOURCE_LIB, i);
    for (uint32_t i = 0; i < t->length[FIREFOX_FRAMES] && !cancel_at(i); i++) {
        int32_t lib = firefox_row(t, FIREFOX_FRAME_LIB, i), resource = firefox_row(t, FIREFOX_FUNC_RESOURCE, (uint32_t)firefox_row(t, FIREFOX_FUNC, i));
        if (lib >= 0 && resource >= 0 && g->lib_of[resource] < 0) g->lib_of[resource] = lib;
    }
}

static assay_module_id module_of(struct firefox_naming *g, int32_t resource)
{
    struct firefox_reader *r = g->r;
    if (resource < 0) return (assay_module_id){ 0 };
    uint32_t name = string_at(g->strings, firefox_row(g->t, FIREFOX_RESOURCE_NAME, (uint32_t)resource));
    if (g->modules[resource].v || !name) return g->modules[resource];
    int32_t lib = g->lib_of[resource];
    const struct firefox_lib *l = lib >= 0 && (size_t)lib < g->libs->libs.len ? &g->libs->libs.at[lib] : NULL;
    uint32_t id = l ? (intern_get(&r->f->names, l->code_id).len ? l->code_id : l->id) : 0;
    g->modules[resource] =
        assay_build_module(r->b, firefox_string(r, name), id && intern_get(&r->f->names, id).len ? firefox_string(r, id) : (assay_str_id){ 0 });
    return g->modules[resource];
}

assay_func_id firefox_function(struct firefox_naming *g, uint32_t row)
{
    struct firefox_reader *r = g->r;
    if (g->funcs[row].v) return g->funcs[row];
    assay_module_id module = module_of(g, firefox_row(g->t, FIREFOX_FUNC_RESOURCE, row));
    int32_t source = firefox_row(g->t, FIREFOX_FUNC_SOURCE, row);
    const struct firefox_tables *shared = &r->f->tables.at[0];
    uint32_t path = string_at(g->strings, firefox_row(g->t, FIREFOX_FUNC_FILE, row));
    if (source >= 0) path = string_at(shared, firefox_row(shared, FIREFOX_SOURCE_FILE, (uint32_t)source));
    assay_func_id id =
        assay_build_func(r->b, firefox_string(r, string_at(g->strings, firefox_row(g->t, FIREFOX_FUNC_NAME, row))), (assay_file_id){ 0 }, module, 0, 0);
    if (path) g->files[row] = assay_build_file(r->b, firefox_string(r, path), (assay_module_id){ 0 });
    g->funcs[row] = id;
    if (id.v <= r->functions) return id; /* another row is the same function: it keeps its place */
    r->functions = id.v;
    assay_build_func_place(r->b, id, g->files[row], module, 0);
    assay_build_func_lines(r->b, id, firefox_positive(firefox_row(g->t, FIREFOX_FUNC_LINE, row)), 0);
    assay_build_func_column(r->b, id, firefox_positive(firefox_row(g->t, FIREFOX_FUNC_COLUMN, row)));
    return id;
}

int firefox_naming_init(struct firefox_naming *g, struct firefox_reader *r, uint32_t at)
{
    const struct firefox_tables *t = &r->f->tables.at[at];
    uint32_t funcs = t->length[FIREFOX_FUNCS], resources = t->length[FIREFOX_RESOURCES];
    *g = (struct firefox_naming){ .r = r, .t = t, .strings = firefox_strings_of(r->f, t), .libs = firefox_libs_of(r->f, t), .at = at };
    g->funcs = mem_zalloc(r->mem, (size_t)funcs + 1, sizeof *g->funcs);
    g->files = mem_zalloc(r->mem, (size_t)funcs + 1, sizeof *g->files);
    g->modules = mem_zalloc(r->mem, (size_t)resources + 1, sizeof *g->modules);
    g->lib_of = mem_zalloc(r->mem, (size_t)resources + 1, sizeof *g->lib_of);
    if (!g->funcs || !g->files || !g->modules || !g->lib_of) return error_memory(r->err);
    find_libs(g);
    return 0;
}

void firefox_naming_done(struct firefox_naming *g)
{
    if (!g->r) return;
    size_t funcs = (size_t)g->t->length[FIREFOX_FUNCS] + 1, resources = (size_t)g->t->length[FIREFOX_RESOURCES] + 1;
    mem_free(g->r->mem, g->funcs, g->funcs ? funcs * sizeof *g->funcs : 0);
    mem_free(g->r->mem, g->files, g->files ? funcs * sizeof *g->files : 0);
    mem_free(g->r->mem, g->modules, g->modules ? resources * sizeof *g->modules : 0);
    mem_free(g->r->mem, g->lib_of, g->lib_of ? resources * sizeof *g->lib_of : 0);
}

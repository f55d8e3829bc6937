/* From addresses to contexts; see expand.h. */
#include "formats/hpcrun/hpcrun-measurements/expand.h"

#include <string.h>

#include "base/number.h"
#include "base/slice.h"

void expand_init(struct expand *x, struct mem *mem, assay_builder *b, struct symbols *symbols, bool compat)
{
    *x = (struct expand){ .mem = mem, .b = b, .symbols = symbols, .compat = compat, .names = { .mem = mem } };
    intern_init(&x->paths, mem);
    index_init(&x->place_index, mem);
    index_init(&x->link_index, mem);
}

void expand_done(struct expand *x)
{
    if (!x->mem) return;
    for (size_t i = 0; i < x->modules.len; i++) {
        mem_free(x->mem, x->modules.at[i].funcs, x->modules.at[i].func_count * sizeof(assay_func_id));
        mem_free(x->mem, x->modules.at[i].files, x->modules.at[i].file_count * sizeof(assay_file_id));
    }
    vec_done(x->mem, &x->modules, &x->places, &x->steps, &x->links, &x->names.bytes, &x->origins, &x->placeholder_of);
    index_done(&x->place_index);
    index_done(&x->link_index);
    intern_done(&x->paths);
}

/* ---- names ---- */

static assay_slice last_component(assay_slice path)
{
    size_t at = path.len;
    while (at > 0 && path.data[at - 1] != '/') at--;
    return (assay_slice){ path.data + at, path.len - at };
}

uint32_t expand_module(struct expand *x, assay_slice path)
{
    uint32_t id = intern_put(&x->paths, path);
    if (!id || id <= x->modules.len) return id;
    struct expand_module *m = vec_push(x->mem, &x->modules);
    if (!m) return 0;
    assay_str_id name = assay_build_string(x->b, path.data, path.len);
    *m = (struct expand_module){ .id = assay_build_module(x->b, name, (assay_str_id){ 0 }), .base = last_component(intern_get(&x->paths, id)) };
    if (x->symbols && !(m->number = symbols_module(x->symbols, path, (assay_slice){ NULL, 0 }))) return 0;
    expand_note(x, EXPAND_MODULE, 0, 0, path);
    return id;
}

/* The first look-up tells how many functions and files a module has. */
static bool make_tables(struct expand *x, struct expand_module *m)
{
    if (m->funcs) return true;
    m->func_count = symbols_function_count(x->symbols, m->number) + 1;
    m->file_count = symbols_file_count(x->symbols, m->number) + 1;
    m->funcs = mem_zalloc(x->mem, m->func_count, sizeof *m->funcs);
    m->files = mem_zalloc(x->mem, m->file_count, sizeof *m->files);
    return m->funcs && m->files;
}

static assay_file_id file_of(struct expand *x, struct expand_module *m, uint32_t file)
{
    if (!file || file >= m->file_count) return (assay_file_id){ 0 };
    if (!m->files[file].v) {
        assay_slice path = symbols_file(x->symbols, m->number, file);
        m->files[file] = assay_build_file(x->b, assay_build_string(x->b, path.data, path.len), (assay_module_id){ 0 });
    }
    return m->files[file];
}

/* Equal names at equal lines are one function, though a structure file lists inlined copies apart; hpcprof leaves them apart. */
static assay_func_id func_of(struct expand *x, struct expand_module *m, uint32_t number)
{
    if (!number || number >= m->func_count) return (assay_func_id){ 0 };
    if (m->funcs[number].v) return m->funcs[number];
    const struct symbols_function *f = symbols_function(x->symbols, m->number, number);
    assay_slice name = f->name.len ? f->name : f->link_name;
    assay_file_id file = file_of(x, m, f->file);
    assay_str_id text = assay_build_string(x->b, name.data, name.len);
    assay_func_id id = x->compat ? assay_build_func_new(x->b, text, file, m->id, 0, f->line) : assay_build_func(x->b, text, file, m->id, 0, f->line);
    if (f->has_address) assay_build_func_place(x->b, id, file, m->id, f->address);
    if (f->link_name.len) assay_build_func_link(x->b, id, assay_build_string(x->b, f->link_name.data, f->link_name.len));
    m->funcs[number] = id;
    return id;
}

/* What has no name is called by its place. */
static assay_func_id func_of_place(struct expand *x, const struct expand_module *m, uint64_t address)
{
    char name[300];
    size_t base = m->base.len < sizeof name - 24 ? m->base.len : sizeof name - 24;
    if (base) memcpy(name, m->base.data, base);
    memcpy(name + base, "+0x", 3);
    size_t len = base + 3 + number_put_hex(name + base + 3, address);
    return assay_build_func(x->b, assay_build_string(x->b, name, len), (assay_file_id){ 0 }, m->id, address, 0);
}

/* `number` tells functions of one name apart and is shown nowhere. */
assay_func_id expand_placeholder(struct expand *x, const char *name, uint64_t number, uint32_t flags)
{
    const assay_file_id no_file = { 0 };
    const assay_module_id no_module = { 0 };
    assay_func_id f = assay_build_func(x->b, assay_build_string(x->b, name, strlen(name)), no_file, no_module, number, 0);
    if (number) assay_build_func_place(x->b, f, no_file, no_module, 0);
    assay_build_func_kind(x->b, f, ASSAY_FUNC_PLACEHOLDER, flags);
    expand_note_placeholder(x, f, name, number, flags);
    return f;
}

assay_node_id expand_entry(struct expand *x, const char *name, uint32_t which, uint8_t flags)
{
    struct assay_node n = { .kind = ASSAY_NODE_ENTRY, .relation = ASSAY_RELATION_CALL, .flags = flags, .func = expand_placeholder(x, name, 0, which) };
    return expand_node(x, &n, EXPAND_OF_ENTRY, n.func.v, (uint32_t)flags << 8);
}

assay_node_id expand_called(struct expand *x, assay_node_id parent, const char *name, uint64_t number)
{
    struct assay_node n = { .parent = parent, .kind = ASSAY_NODE_FUNCTION, .relation = ASSAY_RELATION_CALL, .offset = number };
    n.func = expand_placeholder(x, name, x->compat ? number : 0, 0);
    return expand_node(x, &n, EXPAND_OF_NAME, n.func.v, 0);
}

/* ---- places ---- */

static bool add_step(struct expand *x, const struct assay_node *step)
{
    struct assay_node *at = vec_push(x->mem, &x->steps);
    if (at) *at = *step;
    return at != NULL;
}

static bool add_scope(struct expand *x, struct expand_module *m, const struct symbols_scope *s)
{
    bool is_function = s->kind == ASSAY_NODE_FUNCTION || s->kind == ASSAY_NODE_INLINED;
    struct assay_node step = { .kind = s->kind, .relation = s->relation };
    if (is_function)
        step.func = func_of(x, m, s->function);
    else {
        step.file = file_of(x, m, s->file);
        step.line = s->line;
    }
    if (s->kind == ASSAY_NODE_LOOP) {
        step.module = m->id;
        step.offset = s->address;
    }
    return add_step(x, &step);
}

/* The instruction stands below what is known of it; where nothing is, it is what was called. */
static int add_place(struct expand *x, uint32_t module, uint64_t address, struct expand_place *out, assay_error *err)
{
    struct expand_module *m = &x->modules.at[module - 1];
    struct symbols_chain chain = { 0 };
    *out = (struct expand_place){ .module = module, .address = address, .first = (uint32_t)x->steps.len };
    if (x->symbols) {
        TRY(symbols_lookup(x->symbols, m->number, address, &chain, err));
        if (!make_tables(x, m)) return error_memory(err);
    }
    bool has_room = true;
    for (size_t i = 0; has_room && i < chain.count; i++) has_room = add_scope(x, m, &chain.at[i]);
    struct assay_node last = { .kind = ASSAY_NODE_INSTRUCTION, .relation = ASSAY_RELATION_LEXICAL, .module = m->id, .offset = address };
    if (!chain.count) {
        last.relation = ASSAY_RELATION_CALL;
        last.func = func_of_place(x, m, address);
    }
    if (!has_room || !add_step(x, &last)) return error_memory(err);
    out->count = (uint32_t)x->steps.len - out->first;
    return assay_builder_failed(x->b) ? error_memory(err) : 0;
}

/* The number of a place, from 1. */
int expand_place(struct expand *x, uint32_t module, uint64_t address, uint32_t *out, assay_error *err)
{
    uint64_t hash = hash_mix(hash_mix(module, address), 0);
    for (struct index_walk w = index_walk(&x->place_index, hash); index_next(&x->place_index, &w);) {
        const struct expand_place *p = &x->places.at[w.id - 1];
        *out = w.id;
        if (p->address == address && p->module == module) return 0;
    }
    struct expand_place place, *at;
    TRY(add_place(x, module, address, &place, err));
    if (!(at = vec_push(x->mem, &x->places))) return error_memory(err);
    *at = place;
    *out = (uint32_t)x->places.len;
    expand_note(x, EXPAND_PLACE, address, module, (assay_slice){ NULL, 0 });
    return index_add(&x->place_index, hash, *out) ? 0 : error_memory(err);
}

/* ---- contexts ---- */

static struct expand_context build(struct expand *x, assay_node_id parent, uint32_t number, bool is_unwound)
{
    const struct expand_place *place = &x->places.at[number - 1];
    struct expand_context c = { { 0 }, parent };
    for (uint32_t i = 0; i < place->count; i++) {
        struct assay_node node = x->steps.at[place->first + i];
        node.parent = c.full;
        if (i == 0 && !is_unwound) node.flags = ASSAY_NODE_CALL_UNKNOWN;
        c.full = expand_node(x, &node, EXPAND_OF_PLACE, number, (is_unwound ? 0 : (uint32_t)EXPAND_IS_LOST) | i << 8);
        if (i == 0) c.called = c.full;
    }
    return c;
}

int expand_address(struct expand *x, assay_node_id parent, uint32_t module, uint64_t address, bool is_unwound, struct expand_context *out, assay_error *err)
{
    uint32_t place = 0;
    TRY(expand_place(x, module, address, &place, err));
    uint32_t key = place * 2 + !is_unwound;
    uint64_t hash = hash_mix((uint64_t)parent.v << 32 | key, 0);
    for (struct index_walk w = index_walk(&x->link_index, hash); index_next(&x->link_index, &w);) {
        const struct expand_link *l = &x->links.at[w.id - 1];
        *out = l->context;
        if (l->parent == parent.v && l->place == key) return 0;
    }
    *out = build(x, parent, place, is_unwound);
    struct expand_link *link = vec_push(x->mem, &x->links);
    if (!link || assay_builder_failed(x->b)) return error_memory(err);
    *link = (struct expand_link){ parent.v, key, *out };
    return index_add(&x->link_index, hash, (uint32_t)x->links.len) ? 0 : error_memory(err);
}

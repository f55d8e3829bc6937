/* Names: strings, modules, files, functions. */
#include "base/number.h"
#include "model/builder.h"
#include "model/tables.h"

static __attribute__((noinline, cold)) void refuse_length(assay_builder *b, size_t len)
{
    char has[48], most[48];
    number_human(has, (double)len, "bytes");
    number_human(most, (double)b->max_string, "bytes");
    builder_fail(b, ASSAY_ERR_LIMIT, "a name of %s is longer than %s", has, most);
    error_hint(&b->error, ASSAY_ERR_LIMIT, ASSAY_HINT_MAX_STRING);
}

assay_str_id assay_build_string(assay_builder *b, const char *data, size_t len)
{
    const assay_str_id none = { 0 };
    if (b->code || !data) return none;
    if (__builtin_expect(len > b->max_string, 0)) {
        refuse_length(b, len);
        return none;
    }
    uint32_t id = intern_put(&b->p->strings, (assay_slice){ data, len });
    if (!id && b->p->strings.strings.len > ID_MAX)
        builder_next(b, ID_MAX, "strings");
    else if (!id)
        builder_no_memory(b);
    return (assay_str_id){ id };
}

struct intern *strings_of_builder(assay_builder *b) { return &b->p->strings; }

assay_str_id strings_take(assay_builder *b, uint32_t id)
{
    size_t len = intern_get(&b->p->strings, id).len;
    if (!b->code && len > b->max_string) refuse_length(b, len);
    return (assay_str_id){ b->code ? 0 : id };
}

assay_module_id assay_build_module(assay_builder *b, assay_str_id path, assay_str_id build_id)
{
    const assay_module_id none = { 0 };
    struct build_modules *t = &b->modules;
    if (b->code || !builder_has_string(b, path.v) || !builder_has_string(b, build_id.v)) return none;
    uint64_t hash = hash_mix(path.v, build_id.v);
    for (struct index_walk w = index_walk(&t->index, hash); index_next(&t->index, &w);)
        if (get32(&t->path, w.id) == path.v && get32(&t->build_id, w.id) == build_id.v) return (assay_module_id){ w.id };
    uint32_t id = builder_next(b, t->count, "modules");
    if (!id) return none;
    put32(b, &t->path, id, path.v);
    put32(b, &t->build_id, id, build_id.v);
    if (!index_add(&t->index, hash, id)) builder_no_memory(b);
    if (b->code) return none;
    t->count = id;
    return (assay_module_id){ id };
}

static uint64_t file_hash(assay_str_id path, assay_module_id module) { return hash_mix(path.v, module.v); }

assay_file_id assay_build_file_new(assay_builder *b, assay_str_id path, assay_module_id module)
{
    const assay_file_id none = { 0 };
    struct build_files *t = &b->files;
    if (b->code || !builder_has_string(b, path.v) || !builder_has(b, module.v, b->modules.count, "module")) return none;
    uint32_t id = builder_next(b, t->count, "files");
    if (!id) return none;
    put32(b, &t->path, id, path.v);
    put32(b, &t->module, id, module.v);
    if (b->code) return none;
    t->count = id;
    return (assay_file_id){ id };
}

assay_file_id assay_build_file(assay_builder *b, assay_str_id path, assay_module_id module)
{
    struct build_files *t = &b->files;
    uint64_t hash = file_hash(path, module);
    if (!b->code)
        for (struct index_walk w = index_walk(&t->index, hash); index_next(&t->index, &w);)
            if (get32(&t->path, w.id) == path.v && get32(&t->module, w.id) == module.v) return (assay_file_id){ w.id };
    assay_file_id id = assay_build_file_new(b, path, module);
    if (id.v && !index_add(&t->index, hash, id.v)) builder_no_memory(b);
    return b->code ? (assay_file_id){ 0 } : id;
}

void assay_build_file_source(assay_builder *b, assay_file_id f, assay_str_id source, assay_str_id origin)
{
    if (b->code || !f.v || !builder_has(b, f.v, b->files.count, "file")) return;
    if (!builder_has_string(b, source.v) || !builder_has_string(b, origin.v)) return;
    put32(b, &b->files.source, f.v, source.v);
    put32(b, &b->files.origin, f.v, origin.v);
}

void assay_build_file_parent(assay_builder *b, assay_file_id f, assay_file_id parent, uint32_t line, uint32_t flags)
{
    if (b->code || !f.v || !builder_has(b, f.v, b->files.count, "file") || !builder_has(b, parent.v, b->files.count, "file")) return;
    put32(b, &b->files.parent, f.v, parent.v);
    put32(b, &b->files.parent_line, f.v, line);
    put32(b, &b->files.flags, f.v, flags);
}

assay_func_id assay_build_func_new(assay_builder *b, assay_str_id name, assay_file_id file, assay_module_id module, uint64_t offset, uint32_t first_line)
{
    const assay_func_id none = { 0 };
    struct build_funcs *t = &b->funcs;
    if (b->code || !builder_has_string(b, name.v) || !builder_has(b, file.v, b->files.count, "file")) return none;
    if (!builder_has(b, module.v, b->modules.count, "module")) return none;
    uint32_t id = builder_next(b, t->count, "functions");
    if (!id) return none;
    put32(b, &t->name, id, name.v);
    put32(b, &t->file, id, file.v);
    put32(b, &t->module, id, module.v);
    put64(b, &t->offset, id, offset);
    put32(b, &t->first_line, id, first_line);
    if (b->code) return none;
    t->count = id;
    return (assay_func_id){ id };
}

assay_func_id assay_build_func(assay_builder *b, assay_str_id name, assay_file_id file, assay_module_id module, uint64_t offset, uint32_t first_line)
{
    struct build_funcs *t = &b->funcs;
    uint64_t hash = hash_mix(hash_mix(hash_mix(name.v, (uint64_t)file.v << 32 | module.v), offset), first_line);
    if (!b->code)
        for (struct index_walk w = index_walk(&t->index, hash); index_next(&t->index, &w);) {
            const struct func_key *k = &t->keys.at[w.id];
            if (k->name == name.v && k->file == file.v && k->module == module.v && k->offset == offset && k->first_line == first_line)
                return (assay_func_id){ w.id };
        }
    assay_func_id id = assay_build_func_new(b, name, file, module, offset, first_line);
    if (!id.v) return id;
    if (!column_reach(b->mem, &t->keys, (size_t)id.v + 1) || !index_add(&t->index, hash, id.v)) {
        builder_no_memory(b);
        return (assay_func_id){ 0 };
    }
    t->keys.at[id.v] = (struct func_key){ offset, name.v, file.v, module.v, first_line };
    return id;
}

static bool has_func(assay_builder *b, assay_func_id f) { return !b->code && f.v && builder_has(b, f.v, b->funcs.count, "function"); }

void assay_build_func_place(assay_builder *b, assay_func_id f, assay_file_id file, assay_module_id module, uint64_t offset)
{
    if (!has_func(b, f) || !builder_has(b, file.v, b->files.count, "file") || !builder_has(b, module.v, b->modules.count, "module")) return;
    put32(b, &b->funcs.file, f.v, file.v);
    put32(b, &b->funcs.module, f.v, module.v);
    put64(b, &b->funcs.offset, f.v, offset);
}

void assay_build_func_lines(assay_builder *b, assay_func_id f, uint32_t first, uint32_t last)
{
    if (!has_func(b, f)) return;
    put32(b, &b->funcs.first_line, f.v, first);
    put32(b, &b->funcs.last_line, f.v, last);
}

void assay_build_func_column(assay_builder *b, assay_func_id f, uint32_t first_column)
{
    if (has_func(b, f)) put32(b, &b->funcs.first_column, f.v, first_column);
}

void assay_build_func_kind(assay_builder *b, assay_func_id f, enum assay_func_kind kind, uint32_t flags)
{
    if (!has_func(b, f)) return;
    put8(b, &b->funcs.kind, f.v, (uint8_t)kind);
    put32(b, &b->funcs.flags, f.v, flags);
}

void assay_build_func_link(assay_builder *b, assay_func_id f, assay_str_id link_name)
{
    if (has_func(b, f) && builder_has_string(b, link_name.v)) put32(b, &b->funcs.link_name, f.v, link_name.v);
}

/* ---- every field that is not 0, by schema.def ---- */

#define HAS(T, name, member, type, ...) &&ROW_HAS_##type(row->name)
#define PUT(T, name, member, type, ...)                                                                                                                        \
    if (ROW_BITS_##type(row->name)) ROW_PUT_##type(&t->name, f.v, row->name);

void builder_fill_file(assay_builder *b, assay_file_id f, const struct schema_file *row)
{
    struct build_files *t = &b->files;
    if (!(!b->code && f.v && builder_has(b, f.v, t->count, "file") SCHEMA_FILES(HAS, _))) return;
    SCHEMA_FILES(PUT, _)
}

void builder_fill_func(assay_builder *b, assay_func_id f, const struct schema_func *row)
{
    struct build_funcs *t = &b->funcs;
    if (!(has_func(b, f) SCHEMA_FUNCS(HAS, _))) return;
    SCHEMA_FUNCS(PUT, _)
}

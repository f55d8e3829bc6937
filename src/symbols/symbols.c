/* Modules and look-ups; see symbols.h. Each module is opened at its first look-up (open.c) and answers from its symtab. */
#include "symbols/symbols.h"

#include <stdarg.h>
#include <stdio.h>

#include "symbols/module.h"

void trouble_tell(const struct trouble *t, const char *rule, const char *fmt, ...)
{
    char text[1024];
    va_list args;
    if (!t->options->found) return;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    t->options->found(t->options->found_arg, &(assay_finding){ .rule = rule, .severity = ASSAY_WARNING, .message = text });
}

/* A directory that was moved: what was in it then is in it now. Maps that the caller gave come first. */
static bool map_original(struct symbols *s)
{
    bool failed = false;
    const char *original = find_original(&s->text, s->options.dir, &failed);
    if (!original) return !failed;
    size_t count = s->options.map_count;
    s->maps = mem_zalloc(s->mem, count + 1, sizeof *s->maps);
    if (!s->maps) return false;
    if (count) memcpy(s->maps, s->options.maps, count * sizeof *s->maps);
    s->maps[count] = (struct assay_path_map){ original, s->options.dir };
    s->options.maps = s->maps;
    s->options.map_count = count + 1;
    return true;
}

struct symbols *symbols_new(const struct symbols_options *options)
{
    struct symbols *s = mem_zalloc(options->mem, 1, sizeof *s);
    if (!s) return NULL;
    s->mem = options->mem;
    s->options = *options;
    s->trouble.options = &s->options;
    if (!s->options.dwarf_max_size) s->options.dwarf_max_size = (uint64_t)100 << 20;
    s->chain.mem = s->mem;
    arena_init(&s->text, s->mem);
    index_init(&s->by_name, s->mem);
    find_init(&s->structure_paths, s->mem);
    if (map_original(s)) return s;
    symbols_free(s);
    return NULL;
}

void symbols_free(struct symbols *s)
{
    if (!s) return;
    for (size_t i = 0; i < s->modules.len; i++) loops_free(s->modules.at[i].loops);
    for (size_t i = 0; i < s->modules.len; i++)
        if (s->modules.at[i].owns_table) {
            symtab_done(s->modules.at[i].table);
            mem_free(s->mem, s->modules.at[i].table, sizeof *s->modules.at[i].table);
        }
    for (size_t i = 0; i < s->structures.len; i++)
        if (s->structures.at[i].index) {
            structure_index_done(s->structures.at[i].index);
            mem_free(s->mem, s->structures.at[i].index, sizeof *s->structures.at[i].index);
        }
    vec_done(s->mem, &s->modules, &s->structures, &s->chain.list);
    index_done(&s->by_name);
    find_done(&s->structure_paths);
    if (s->maps) mem_free(s->mem, s->maps, s->options.map_count * sizeof *s->maps);
    arena_done(&s->text);
    mem_free(s->mem, s, sizeof *s);
}

/* ---- modules ---- */

static uint64_t hash_of(assay_slice path, assay_slice id) { return hash_mix(hash_bytes(path.data, path.len), hash_bytes(id.data, id.len)); }

uint32_t symbols_module(struct symbols *s, assay_slice path, assay_slice build_id)
{
    uint64_t hash = hash_of(path, build_id);
    for (struct index_walk w = index_walk(&s->by_name, hash); index_next(&s->by_name, &w);) {
        const struct symbols_module *m = &s->modules.at[w.id - 1];
        if (slice_equal(slice_of(m->path), path) && slice_equal(slice_of(m->build_id), build_id)) return w.id;
    }
    const char *own_path = arena_copy(&s->text, path.data ? path : SLICE("")), *own_id = arena_copy(&s->text, build_id.data ? build_id : SLICE(""));
    struct symbols_module *m = own_path && own_id ? vec_push(s->mem, &s->modules) : NULL;
    if (!m) return 0;
    *m = (struct symbols_module){ .path = own_path, .build_id = own_id, .name = own_path, .source = "not looked at" };
    if (index_add(&s->by_name, hash, (uint32_t)s->modules.len)) return (uint32_t)s->modules.len;
    s->modules.len--;
    return 0;
}

static struct symbols_module *module_at(const struct symbols *s, uint32_t module)
{
    return module && module <= s->modules.len ? &s->modules.at[module - 1] : NULL;
}

/* ---- look-ups ---- */

/* The address of a logical file holds the line. */
static bool add_logical_line(struct symbols *s, uint64_t address)
{
    struct symbols_scope *last = &s->chain.list.at[0];
    uint32_t line = (uint32_t)address;
    if (!s->chain.list.len) return true;
    if (last->kind == ASSAY_NODE_LINE) {
        last->line = line;
        return true;
    }
    if (!line || !last->file) return true;
    struct symbols_scope row = { .kind = ASSAY_NODE_LINE, .relation = ASSAY_RELATION_LEXICAL, .file = last->file, .line = line };
    struct symbols_scope *slot = vec_push(s->mem, &s->chain.list);
    if (slot) *slot = row;
    return slot != NULL;
}

int symbols_lookup(struct symbols *s, uint32_t module, uint64_t address, struct symbols_chain *out, assay_error *err)
{
    struct symbols_module *m = module_at(s, module);
    *out = (struct symbols_chain){ NULL, 0 };
    if (!m) FAIL(err, ASSAY_ERR_INTERNAL, "there is no module %lu", (unsigned long)module);
    if (!m->is_open && !module_open(s, m)) return error_memory(err);
    if (!m->table) return 0;
    s->chain.list.len = 0;
    if (!symtab_lookup(m->table, address, &s->chain) || (m->is_logical && !add_logical_line(s, address))) return error_memory(err);
    if (m->loops && !loops_lookup(m->loops, address, &s->chain)) return error_memory(err);
    *out = (struct symbols_chain){ s->chain.list.at, s->chain.list.len };
    return 0;
}

bool symbols_address(struct symbols *s, uint32_t module, uint64_t file_off, uint64_t *address)
{
    struct symbols_module *m = module_at(s, module);
    if (!m || (!m->is_open && !module_open(s, m)) || !m->table) return false;
    for (size_t i = 0; i < m->table->loads.len; i++) {
        const struct symtab_load *l = &m->table->loads.at[i];
        if (file_off < l->off || file_off - l->off >= l->len) continue;
        *address = l->address + (file_off - l->off);
        return true;
    }
    return false;
}

bool symbols_image(struct symbols *s, uint32_t module, struct symbols_image *out)
{
    enum { PAGE = 4096 };
    struct symbols_module *m = module_at(s, module);
    if (!m || (!m->is_open && !module_open(s, m)) || !m->table || !m->table->loads.len || !m->file) return false;
    const struct symtab_load *first = m->table->loads.at, *last = first + m->table->loads.len - 1;
    *out = (struct symbols_image){ first->address & ~(uint64_t)(PAGE - 1), last->address + last->len, m->file };
    return true;
}

/* ---- what ids mean ---- */

static const struct symtab *table_at(const struct symbols *s, uint32_t module)
{
    const struct symbols_module *m = module_at(s, module);
    return m ? m->table : NULL;
}

const struct symbols_function *symbols_function(const struct symbols *s, uint32_t module, uint32_t function)
{
    static const struct symbols_function none;
    const struct symtab *t = table_at(s, module);
    return t && function < t->functions.len ? &t->functions.at[function] : &none;
}

uint32_t symbols_function_count(const struct symbols *s, uint32_t module)
{
    const struct symtab *t = table_at(s, module);
    return t && t->functions.len ? (uint32_t)(t->functions.len - 1) : 0;
}

assay_slice symbols_file(const struct symbols *s, uint32_t module, uint32_t file)
{
    const struct symtab *t = table_at(s, module);
    return t ? intern_get(&t->files, file) : (assay_slice){ NULL, 0 };
}

uint32_t symbols_file_count(const struct symbols *s, uint32_t module)
{
    const struct symtab *t = table_at(s, module);
    return t ? intern_count(&t->files) : 0;
}

size_t symbols_calls(struct symbols *s, uint32_t module, const struct symbols_call **out, bool *usable)
{
    struct symbols_module *m = module_at(s, module);
    *out = NULL;
    if (usable) *usable = false;
    if (!m || (!m->is_open && !module_open(s, m)) || !m->table || !m->table->calls_usable) return 0;
    if (usable) *usable = true;
    *out = m->table->calls.at;
    return m->table->calls.len;
}

assay_slice symbols_module_name(const struct symbols *s, uint32_t module)
{
    const struct symbols_module *m = module_at(s, module);
    return slice_of(m ? m->name : NULL);
}

const char *symbols_source(const struct symbols *s, uint32_t module)
{
    const struct symbols_module *m = module_at(s, module);
    return m ? m->source : "";
}

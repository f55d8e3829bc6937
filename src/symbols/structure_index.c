/* Structure files as an index; see structure_index.h. How scopes nest: docs/formats/hpcstruct.md. */
#include "symbols/structure_index.h"

#include <inttypes.h>
#include <stdio.h>

void structure_index_init(struct structure_index *ix, struct mem *mem, structure_fn report, void *report_arg)
{
    memset(ix, 0, sizeof *ix);
    ix->mem = mem;
    ix->report = report;
    ix->report_arg = report_arg;
    arena_init(&ix->text, mem);
    index_init(&ix->entries, mem);
}

void structure_index_done(struct structure_index *ix)
{
    for (size_t i = 0; i < ix->modules.len; i++) {
        symtab_done(&ix->modules.at[i]->table);
        mem_free(ix->mem, ix->modules.at[i], sizeof *ix->modules.at[i]);
    }
    vec_done(ix->mem, &ix->modules, &ix->files, &ix->nodes, &ix->targets);
    index_done(&ix->entries);
    arena_done(&ix->text);
}

static struct symtab *table_of(const struct structure_index *ix) { return ix->modules.len ? &ix->modules.at[ix->modules.len - 1]->table : NULL; }

static int tell(const struct structure_index *ix, const char *rule, int severity, uint64_t off, uint64_t line, const char *message)
{
    struct structure_record r = { .kind = STRUCTURE_DAMAGE, .off = off, .line = line, .rule = rule, .severity = severity, .message = message };
    return ix->report ? ix->report(ix->report_arg, &r) : 0;
}

/* ---- scopes ---- */

/* The table's number of the file in force. */
static uint32_t file_of(struct structure_index *ix, const struct structure_record *r)
{
    if (!r->file) return 0;
    while (ix->files.len <= r->file) {
        uint32_t *slot = vec_push(ix->mem, &ix->files);
        if (!slot) {
            table_of(ix)->failed = true;
            return 0;
        }
        *slot = 0;
    }
    if (!ix->files.at[r->file]) ix->files.at[r->file] = symtab_file(table_of(ix), r->file_name);
    return ix->files.at[r->file];
}

static uint32_t innermost(const struct structure_index *ix) { return ix->nodes.len ? ix->nodes.at[ix->nodes.len - 1] : 0; }

static uint32_t function_at(const struct structure_index *ix, uint64_t entry)
{
    for (struct index_walk w = index_walk(&ix->entries, hash_mix(1, entry)); index_next(&ix->entries, &w);)
        if (table_of(ix)->functions.at[w.id].address == entry) return w.id;
    return 0;
}

static int add_function(struct structure_index *ix, const struct structure_record *r, uint32_t *node)
{
    struct symtab *t = table_of(ix);
    bool has_entry = r->range_count == 1;
    uint64_t entry = has_entry ? r->ranges[0].begin : 0;
    struct symbols_function f = { .name = r->name, .link_name = r->link_name, .file = file_of(ix, r), .line = r->source_line };
    f.has_address = has_entry;
    f.address = f.identity = entry;
    bool is_second = has_entry && function_at(ix, entry);
    ix->function = symtab_function(t, &f);
    struct symbols_scope s = { .kind = ASSAY_NODE_FUNCTION, .relation = ASSAY_RELATION_CALL, .function = ix->function, .file = f.file, .line = f.line };
    s.address = entry;
    *node = symtab_node(t, 0, &s);
    if (t->failed) return ASSAY_ERR_MEMORY;
    if (is_second) {
        char text[96];
        snprintf(text, sizeof text, "another P of this LM has the entry 0x%" PRIx64, entry);
        return tell(ix, "HRS06", ASSAY_ERROR, r->off, r->line, text);
    }
    return !has_entry || index_add(&ix->entries, hash_mix(1, entry), ix->function) ? 0 : ASSAY_ERR_MEMORY;
}

static void add_inlined(struct structure_index *ix, const struct structure_record *r, uint32_t *node)
{
    struct symtab *t = table_of(ix);
    struct symbols_scope site = { .kind = ASSAY_NODE_LINE, .relation = ASSAY_RELATION_LEXICAL, .file = ix->site_file, .line = ix->site_line };
    struct symbols_function f = { .name = r->name, .link_name = r->link_name, .file = file_of(ix, r), .line = r->source_line };
    uint32_t parent = symtab_node(t, innermost(ix), &site);
    struct symbols_scope s = { .kind = ASSAY_NODE_INLINED, .relation = ASSAY_RELATION_INLINED_CALL, .file = f.file, .line = f.line };
    s.function = symtab_function(t, &f);
    *node = symtab_node(t, parent, &s);
}

static void add_loop(struct structure_index *ix, const struct structure_record *r, uint32_t *node)
{
    struct symbols_scope s = { .kind = ASSAY_NODE_LOOP, .relation = ASSAY_RELATION_LEXICAL, .file = file_of(ix, r), .line = r->source_line };
    if (r->range_count) s.address = r->ranges[0].begin;
    *node = symtab_node(table_of(ix), innermost(ix), &s);
}

static int add_statement(struct structure_index *ix, const struct structure_record *r)
{
    struct symtab *t = table_of(ix);
    struct symbols_scope s = { .kind = ASSAY_NODE_LINE, .relation = ASSAY_RELATION_LEXICAL, .file = file_of(ix, r), .line = r->source_line };
    uint32_t node = symtab_node(t, innermost(ix), &s);
    for (size_t i = 0; i < r->range_count; i++) symtab_span(t, r->ranges[i].begin, r->ranges[i].end, node);
    if (r->kind != STRUCTURE_CALL || !r->has_target || r->range_count != 1) return 0;
    struct symbols_call *call = vec_push(ix->mem, &t->calls);
    uint64_t *target = call ? vec_push(ix->mem, &ix->targets) : NULL;
    if (!target) return ASSAY_ERR_MEMORY;
    *call = (struct symbols_call){ .address = r->ranges[0].begin, .caller = ix->function };
    *target = r->target;
    return 0;
}

/* ---- modules ---- */

static int begin_module(struct structure_index *ix, const struct structure_record *r)
{
    struct structure_module *m = mem_zalloc(ix->mem, 1, sizeof *m);
    struct structure_module **slot = m ? vec_push(ix->mem, &ix->modules) : NULL;
    if (!slot) {
        mem_free(ix->mem, m, sizeof *m);
        return ASSAY_ERR_MEMORY;
    }
    *slot = m;
    symtab_init(&m->table, ix->mem);
    m->name = arena_copy(&ix->text, r->name.data ? r->name : SLICE(""));
    m->name_len = r->name.len;
    m->table.has_calls = r->has_calls;
    index_clear(&ix->entries);
    ix->files.len = ix->targets.len = 0;
    ix->module_off = r->off;
    ix->module_line = r->line;
    return m->name && !m->table.failed ? 0 : ASSAY_ERR_MEMORY;
}

static int end_module(struct structure_index *ix)
{
    struct symtab *t = table_of(ix);
    uint64_t unknown = 0;
    char text[120];
    for (size_t i = 0; i < t->calls.len; i++) {
        t->calls.at[i].callee = function_at(ix, ix->targets.at[i]);
        unknown += !t->calls.at[i].callee;
    }
    t->calls_usable = t->has_calls && unknown == 0;
    symtab_seal_first(t);
    if (t->failed) return ASSAY_ERR_MEMORY;
    if (t->dropped) {
        snprintf(text, sizeof text, "%" PRIu64 " ranges overlap an earlier one and are dropped", t->dropped);
        int rc = tell(ix, "HRS09", ASSAY_WARNING, ix->module_off, ix->module_line, text);
        if (rc) return rc;
    }
    if (!t->has_calls || unknown == 0) return 0;
    snprintf(text, sizeof text, "%" PRIu64 " call%s a target that is not a P: the call graph of this LM is unusable", unknown,
             unknown == 1 ? " has" : "s have");
    return tell(ix, "HRS09", ASSAY_WARNING, ix->module_off, ix->module_line, text);
}

static int begin(struct structure_index *ix, const struct structure_record *r)
{
    uint32_t node = innermost(ix);
    int rc = 0;
    if (r->kind == STRUCTURE_MODULE)
        rc = begin_module(ix, r);
    else if (table_of(ix)) {
        switch (r->kind) {
        case STRUCTURE_FUNCTION: rc = add_function(ix, r, &node); break;
        case STRUCTURE_LOOP: add_loop(ix, r, &node); break;
        case STRUCTURE_CALL_SITE: ix->site_file = file_of(ix, r), ix->site_line = r->source_line; break;
        case STRUCTURE_INLINED: add_inlined(ix, r, &node); break;
        case STRUCTURE_STATEMENT:
        case STRUCTURE_CALL: rc = add_statement(ix, r); break;
        default: break;
        }
    }
    if (rc) return rc;
    uint32_t *slot = vec_push(ix->mem, &ix->nodes);
    if (!slot || (table_of(ix) && table_of(ix)->failed)) return ASSAY_ERR_MEMORY;
    *slot = node;
    return 0;
}

int structure_index_add(struct structure_index *ix, const struct structure_record *r)
{
    if (r->kind == STRUCTURE_DAMAGE) return 0;
    if (r->kind != STRUCTURE_END) return begin(ix, r);
    if (ix->nodes.len) ix->nodes.len--;
    return r->ends == STRUCTURE_MODULE && table_of(ix) ? end_module(ix) : 0;
}

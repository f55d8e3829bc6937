/* DWARF through libdw, once over everything: DIEs -> functions and inlined frames as spans, line tables -> rows (dwarf_lines.c). libdw is let go
 * afterwards. Nothing here recurses by the depth of the DIEs, and every failure of the library means "not there". */
#include "symbols/sources.h"

#ifdef ASSAY_HAVE_DWARF

#include "symbols/demangle.h"
#include "symbols/dwarf.h"
#include "symbols/elf_parts.h"

enum { MAX_DEPTH = 200, MAX_ORIGINS = 16, MAX_RANGES = 100000 };

/* ---- functions ---- */

/* The DIE that says what the function is: the end of the abstract origins. */
static Dwarf_Die origin_of(Dwarf_Die die)
{
    for (int i = 0; i < MAX_ORIGINS; i++) {
        Dwarf_Attribute attribute;
        Dwarf_Die next;
        if (!dwarf_attr(&die, DW_AT_abstract_origin, &attribute) || !dwarf_formref_die(&attribute, &next)) break;
        die = next;
    }
    return die;
}

static const char *text_of(Dwarf_Die *die, unsigned name)
{
    Dwarf_Attribute attribute;
    return dwarf_attr_integrate(die, name, &attribute) ? dwarf_formstring(&attribute) : NULL;
}

static void name_function(struct dwarf_loader *l, Dwarf_Die *die, struct symbols_function *f)
{
    const char *link = text_of(die, DW_AT_linkage_name), *name = text_of(die, DW_AT_name);
    if (!link) link = text_of(die, DW_AT_MIPS_linkage_name);
    assay_slice shown = { NULL, 0 };
    if (link) shown = demangle(&l->t->text, link, &l->t->failed);
#ifdef ASSAY_HAVE_DEMANGLE
    f->name = shown.len ? shown : slice_of(name ? name : link);
#else
    f->name = slice_of(link ? link : name);
#endif
    f->link_name = slice_of(link);
}

/* Files are numbered by the unit that the attribute stands in; libdw knows which. */
static uint32_t declared_in(struct dwarf_loader *l, Dwarf_Die *die)
{
    const char *path = dwarf_decl_file(die);
    if (!path || strcmp(path, "???") == 0) return 0;
    if (path[0] == '/' || !l->comp_dir || !l->comp_dir[0]) return symtab_file(l->t, slice_of(path));
    assay_slice parts[2] = { slice_of(l->comp_dir), slice_of(path) };
    size_t len = parts[0].len + 1 + parts[1].len;
    if (!symtab_spend(l->t, len)) return 0;
    char *joined = arena_text(&l->t->text, len + 1);
    if (!joined) {
        l->t->failed = true;
        return 0;
    }
    memcpy(joined, parts[0].data, parts[0].len);
    joined[parts[0].len] = '/';
    memcpy(joined + parts[0].len + 1, parts[1].data, parts[1].len);
    return symtab_file(l->t, (assay_slice){ joined, len });
}

static uint32_t new_function(struct dwarf_loader *l, Dwarf_Die *origin, uint64_t key)
{
    struct symbols_function f = { .identity = dwarf_dieoffset(origin) };
    int line = 0;
    name_function(l, origin, &f);
    f.file = declared_in(l, origin);
    if (dwarf_decl_line(origin, &line) == 0 && line > 0) f.line = (uint32_t)line;
    uint32_t id = symtab_function(l->t, &f);
    struct dwarf_functions *row = id ? vec_push(l->t->mem, &l->dies) : NULL;
    if (!row || !index_add(&l->by_die, hash_mix(3, key), (uint32_t)(l->dies.len - 1))) {
        l->t->failed = true;
        return id;
    }
    *row = (struct dwarf_functions){ key, id };
    return id;
}

/* DIEs of an alternate file are told apart by where libdw keeps them. */
static uint32_t function_of(struct dwarf_loader *l, Dwarf_Die *die)
{
    Dwarf_Die origin = origin_of(*die);
    uint64_t key = (uint64_t)(uintptr_t)origin.addr;
    for (struct index_walk w = index_walk(&l->by_die, hash_mix(3, key)); index_next(&l->by_die, &w);)
        if (l->dies.at[w.id].key == key) return l->dies.at[w.id].function;
    return new_function(l, &origin, key);
}

/* ---- ranges ---- */

/* Adds the code of the DIE, for a node that is not made yet. Returns whether there is any; *entry is where it is entered, or its lowest address. */
static bool add_ranges(struct dwarf_loader *l, Dwarf_Die *die, uint64_t *entry)
{
    Dwarf_Addr base, begin, end;
    ptrdiff_t at = 0;
    bool has_code = false;
    for (int i = 0; i < MAX_RANGES && symtab_spend(l->t, SYMTAB_RANGE) && (at = dwarf_ranges(die, at, &base, &begin, &end)) > 0; i++) {
        if (begin >= end || begin < l->low || begin >= l->high) continue;
        symtab_span(l->t, begin, end, UINT32_MAX);
        if (!has_code || begin < *entry) *entry = begin;
        has_code = true;
    }
    if (has_code && dwarf_entrypc(die, &base) == 0 && base >= l->low && base < l->high) *entry = base;
    return has_code;
}

/* The spans from `first` on are this node's; 0 = nobody's. */
static void settle(struct symtab *t, size_t first, uint32_t node)
{
    if (!node) t->spans.len = first;
    for (size_t i = first; i < t->spans.len; i++) t->spans.at[i].node = node;
}

static uint32_t add_subprogram(struct dwarf_loader *l, Dwarf_Die *die)
{
    uint64_t entry = 0;
    size_t first = l->t->spans.len;
    if (!add_ranges(l, die, &entry)) return 0;
    uint32_t id = function_of(l, die);
    struct symbols_function *f = &l->t->functions.at[id];
    if (id && (!f->has_address || l->compat)) f->has_address = true, f->address = entry;
    struct symbols_scope s = { .kind = ASSAY_NODE_FUNCTION, .relation = ASSAY_RELATION_CALL, .function = id, .file = f->file, .line = f->line };
    s.address = entry;
    uint32_t node = id ? symtab_node(l->t, 0, &s) : 0;
    settle(l->t, first, node);
    return node;
}

static uint64_t number_of(Dwarf_Die *die, unsigned name)
{
    Dwarf_Attribute attribute;
    Dwarf_Word v = 0;
    return dwarf_attr(die, name, &attribute) && dwarf_formudata(&attribute, &v) == 0 ? v : 0;
}

static uint32_t add_inlined(struct dwarf_loader *l, Dwarf_Die *die, uint32_t parent)
{
    uint64_t entry = 0, line = number_of(die, DW_AT_call_line), file = number_of(die, DW_AT_call_file);
    size_t first = l->t->spans.len;
    if (!add_ranges(l, die, &entry)) return parent;
    uint32_t id = function_of(l, die);
    struct symbols_function *f = &l->t->functions.at[id];
    /* hpcprof gives a function the place of its last copy. */
    if (id && l->compat) f->has_address = true, f->address = entry;
    struct symbols_scope site = { .kind = ASSAY_NODE_LINE, .relation = ASSAY_RELATION_LEXICAL };
    site.file = dwarf_hasattr(die, DW_AT_call_file) ? dwarf_file(l, (size_t)file) : 0;
    site.line = line <= UINT32_MAX ? (uint32_t)line : 0;
    if (id && (site.file || site.line)) parent = symtab_node(l->t, parent, &site);
    struct symbols_scope s = { .kind = ASSAY_NODE_INLINED, .relation = ASSAY_RELATION_INLINED_CALL, .function = id, .file = f->file, .line = f->line };
    uint32_t node = id ? symtab_node(l->t, parent, &s) : 0;
    settle(l->t, first, node);
    return node ? node : parent;
}

/* ---- the walk ---- */

static bool has_code_below(int tag)
{
    switch (tag) {
    case DW_TAG_compile_unit:
    case DW_TAG_partial_unit:
    case DW_TAG_skeleton_unit:
    case DW_TAG_subprogram:
    case DW_TAG_inlined_subroutine:
    case DW_TAG_lexical_block:
    case DW_TAG_namespace:
    case DW_TAG_module:
    case DW_TAG_class_type:
    case DW_TAG_structure_type:
    case DW_TAG_union_type:
    case DW_TAG_with_stmt:
    case DW_TAG_try_block:
    case DW_TAG_catch_block: return true;
    default: return false;
    }
}

/* The node for what lies below the DIE. */
static uint32_t take_die(struct dwarf_loader *l, Dwarf_Die *die, int tag, uint32_t parent)
{
    if (tag == DW_TAG_inlined_subroutine && parent) return add_inlined(l, die, parent);
    if (tag != DW_TAG_subprogram) return parent;
    return add_subprogram(l, die);
}

static void walk_unit(struct dwarf_loader *l, Dwarf_Die *unit)
{
    struct {
        Dwarf_Die die;
        uint32_t node;
    } stack[MAX_DEPTH];
    Dwarf_Die child;
    unsigned depth = 0;
    if (dwarf_child(unit, &child) != 0) return;
    stack[0].die = child;
    stack[0].node = 0;
    for (;;) {
        Dwarf_Die *die = &stack[depth].die;
        int tag = dwarf_tag(die);
        bool is_open = has_code_below(tag) && !(tag == DW_TAG_subprogram && dwarf_hasattr(die, DW_AT_declaration));
        uint32_t node = is_open ? take_die(l, die, tag, stack[depth].node) : 0;
        if (l->t->failed || l->t->is_spent) return;
        if (is_open && depth + 1 < MAX_DEPTH && dwarf_child(die, &child) == 0) {
            stack[depth + 1].die = child;
            stack[++depth].node = node;
            continue;
        }
        while (dwarf_siblingof(&stack[depth].die, &child) != 0) {
            if (depth == 0) return;
            depth--;
        }
        stack[depth].die = child;
    }
}

static void take_unit(struct dwarf_loader *l, Dwarf_Die *unit)
{
    Dwarf_Attribute attribute;
    l->files = NULL;
    l->file_count = 0;
    l->file_ids.len = 0;
    l->comp_dir = dwarf_attr(unit, DW_AT_comp_dir, &attribute) ? dwarf_formstring(&attribute) : NULL;
    if (dwarf_getsrcfiles(unit, &l->files, &l->file_count) != 0) l->file_count = 0;
    if (!vec_reserve(l->t->mem, &l->file_ids, l->file_count)) {
        l->t->failed = true;
        return;
    }
    if (l->file_count) memset(l->file_ids.at, 0xff, l->file_count * sizeof *l->file_ids.at);
    l->file_ids.len = l->file_count;
    dwarf_unit_lines(l, unit);
    if (!l->t->failed && !l->t->is_spent) walk_unit(l, unit);
}

static void take_units(struct dwarf_loader *l, Dwarf *dwarf)
{
    Dwarf_CU *unit = NULL;
    Dwarf_Die die, split = { 0 };
    uint8_t type;
    /* The code of a skeleton is in a file of its own, which libdw looks for: not where only given places may be looked at. */
    while (!l->t->failed && !l->t->is_spent && dwarf_get_units(dwarf, unit, &unit, NULL, &type, &die, l->foreign ? NULL : &split) == 0) {
        if (!l->foreign && type == DW_UT_skeleton && split.addr)
            take_unit(l, &split);
        else if (type == DW_UT_compile || type == DW_UT_skeleton || type == DW_UT_partial)
            take_unit(l, &die);
    }
}

/* What keeps it from being used, or NULL. */
static const char *load_units(struct symtab *t, struct elf_file *f, const struct symbols_options *options, Dwarf *dwarf)
{
    struct dwarf_loader l = { .t = t, .compat = options->compat, .foreign = options->foreign };
    size_t nodes = t->nodes.len;
    if (!elf_code_bounds(f, &l.low, &l.high)) return "has no code";
    index_init(&l.by_die, t->mem);
    struct dwarf_functions *none = vec_push(t->mem, &l.dies);
    if (none)
        *none = (struct dwarf_functions){ 0, 0 };
    else
        t->failed = true;
    take_units(&l, dwarf);
    dwarf_seal_lines(&l);
    symtab_seal_last(t);
    index_done(&l.by_die);
    vec_done(t->mem, &l.dies, &l.file_ids, &l.rows, &l.sequences, &l.code);
    return t->nodes.len == nodes && t->rows.len == 0 ? "has no functions and no lines that could be read" : NULL;
}

bool dwarf_load(struct symtab *t, struct elf_file *f, const struct symbols_options *options, const char **why)
{
    const char *alternate;
    const void *id;
    Dwarf *dwarf = dwarf_begin_elf(elf_handle(f), DWARF_C_READ, NULL);
    if (!dwarf) {
        *why = dwarf_errmsg(-1);
        return false;
    }
    if (options->foreign && dwelf_dwarf_gnu_debugaltlink(dwarf, &alternate, &id) > 0)
        *why = "refers to an alternate debug file, and looking at other files is turned off";
    else
        *why = load_units(t, f, options, dwarf);
    dwarf_end(dwarf);
    return !*why;
}
#endif

/* See grow.h. */
#include "formats/stacks/grow.h"

#include <stdio.h>

#include "base/cancel.h"
#include "base/error.h"
#include "base/order.h"
#include "base/scoped.h"
#include "base/sort.h"

void grow_init(struct grower *c, struct mem *mem, assay_builder *b, const struct grow_tables *t)
{
    *c = (struct grower){ .mem = mem, .b = b, .t = *t, .is_counting = assay_builder_want(b) & ASSAY_WANT_COUNTS };
    index_init(&c->place_index, mem);
    index_init(&c->path_index, mem);
}

void grow_done(struct grower *c)
{
    if (!c->mem) return;
    vec_done(c->mem, &c->string_ids, &c->rows, &c->begin, &c->is_skipped, &c->order, &c->node, &c->modules, &c->places, &c->file_of, &c->frames);
    vec_done(c->mem, &c->number, &c->first, &c->paths, &c->function_paths);
    index_done(&c->place_index);
    index_done(&c->path_index);
}

/* ---- names ---- */

static assay_slice text_of(const struct grower *c, uint64_t number) { return number < c->t.string_count ? c->t.strings[number] : (assay_slice){ "", 0 }; }

assay_str_id grow_string(struct grower *c, uint64_t number)
{
    assay_slice s = text_of(c, number);
    if (!c->string_ids.len && vec_reserve(c->mem, &c->string_ids, c->t.string_count + 1)) {
        c->string_ids.len = c->t.string_count;
        memset(c->string_ids.at, 0, c->string_ids.len * sizeof *c->string_ids.at);
    }
    if (number >= c->string_ids.len) return assay_build_string(c->b, s.data, s.len);
    if (!c->string_ids.at[number]) c->string_ids.at[number] = assay_build_string(c->b, s.data, s.len).v;
    return (assay_str_id){ c->string_ids.at[number] };
}

/* Mappings of one file are one module: pages of it may be mapped apart. The first build id counts. */
static bool make_modules(struct grower *c)
{
    SCOPED(index_done) struct index by_name;
    index_init(&by_name, c->mem);
    if (!vec_reserve(c->mem, &c->modules, c->t.mapping_count)) return false;
    for (size_t i = 0; i < c->t.mapping_count; i++) {
        const struct grow_mapping *m = &c->t.mappings[i];
        uint32_t path = text_of(c, m->filename).len ? grow_string(c, m->filename).v : 0, module = 0;
        uint64_t hash = hash_mix(path, 0);
        for (struct index_walk w = index_walk(&by_name, hash); path && !module && index_next(&by_name, &w);)
            if (grow_string(c, c->t.mappings[w.id - 1].filename).v == path) module = c->modules.at[w.id - 1];
        if (path && !module) {
            assay_str_id build = text_of(c, m->build_id).len ? grow_string(c, m->build_id) : (assay_str_id){ 0 };
            module = assay_build_module(c->b, (assay_str_id){ path }, build).v;
            if (!index_add(&by_name, hash, (uint32_t)i + 1)) return false;
        }
        c->modules.at[c->modules.len++] = module;
        if (cancel_at(i)) return false;
    }
    return true;
}

static assay_func_id build_func(struct grower *c, const struct grow_place *p, assay_file_id *file)
{
    const assay_module_id module = { p->module };
    char text[24];
    if (p->row == GROW_NO_ROW) {
        int len = snprintf(text, sizeof text, "0x%llx", (unsigned long long)p->address);
        return assay_build_func(c->b, assay_build_string(c->b, text, (size_t)len), (assay_file_id){ 0 }, module, p->address, 0);
    }
    const struct grow_function *f = &c->t.functions[p->row];
    bool has_name = text_of(c, f->name).len, has_link = has_name && text_of(c, f->system_name).len;
    if (text_of(c, f->filename).len) *file = assay_build_file(c->b, grow_string(c, f->filename), (assay_module_id){ 0 });
    assay_func_id func = assay_build_func(c->b, grow_string(c, has_name ? f->name : f->system_name), *file, module, 0, 0);
    if (f->start_line > 0 && f->start_line <= UINT32_MAX) assay_build_func_lines(c->b, func, (uint32_t)f->start_line, 0);
    if (has_link && f->system_name != f->name) assay_build_func_link(c->b, func, grow_string(c, f->system_name));
    return func;
}

/* Remembers the file of a function; false = no memory. */
static bool use_func(struct grower *c, uint32_t func, uint32_t file)
{
    while (c->file_of.len <= func) {
        uint32_t *slot = vec_push(c->mem, &c->file_of);
        if (!slot) return false;
        *slot = 0;
    }
    c->functions += !c->file_of.at[func];
    if (!c->file_of.at[func]) c->file_of.at[func] = file + 1;
    return true;
}

/* The function of a place, of which the tables may have several; 0 = no memory. */
static uint32_t func_of(struct grower *c, uint32_t row, uint32_t module, uint64_t address)
{
    uint64_t hash = hash_mix(hash_mix(row, module), address);
    for (struct index_walk w = index_walk(&c->place_index, hash); index_next(&c->place_index, &w);) {
        const struct grow_place *p = &c->places.at[w.id - 1];
        if (p->row == row && p->module == module && p->address == address) return p->func;
    }
    struct grow_place *p = vec_push(c->mem, &c->places);
    if (!p) return 0;
    assay_file_id file = { 0 };
    *p = (struct grow_place){ .address = address, .row = row, .module = module };
    p->func = build_func(c, p, &file).v;
    return index_add(&c->place_index, hash, (uint32_t)c->places.len) && use_func(c, p->func, file.v) ? p->func : 0;
}

/* ---- frames ---- */

static bool add_frame(struct grower *c, uint32_t row, uint32_t module, uint64_t address, int64_t line, bool is_inlined)
{
    uint32_t func = func_of(c, row, module, address);
    struct grow_frame *f = func ? vec_push(c->mem, &c->frames) : NULL;
    if (f) *f = (struct grow_frame){ func, line > 0 && line <= UINT32_MAX ? (uint32_t)line : 0, is_inlined };
    return f != NULL;
}

/* The frames of a location, the outermost first; of one whose functions do not exist its address. */
static bool add_frames(struct grower *c, const struct grow_location *l)
{
    uint32_t module = l->mapping == GROW_NO_ROW ? 0 : c->modules.at[l->mapping];
    bool has_some = false;
    for (uint32_t k = l->line_count; k > 0; k--) {
        const struct grow_line *line = &c->t.lines[l->first_line + k - 1];
        if (!line->function) continue;
        if (!add_frame(c, line->function - 1, module, 0, line->line, has_some)) return false;
        has_some = true;
    }
    return has_some || add_frame(c, GROW_NO_ROW, module, l->address, 0, false);
}

static int by_frame(const void *x, const void *y, void *arg)
{
    const struct grow_frame *all = arg, *a = &all[*(const uint32_t *)x], *b = &all[*(const uint32_t *)y];
    ORDER_BY(a->func, b->func);
    ORDER_BY(a->is_inlined, b->is_inlined);
    return ORDER(a->line, b->line);
}

/* Numbers frames so that equal ones have one number. */
static bool number_frames(struct grower *c)
{
    size_t count = c->frames.len;
    SCRATCH(uint32_t, order, c->mem, count + 1);
    SCRATCH(struct grow_frame, list, c->mem, count + 1);
    if (!order || !list || !vec_reserve(c->mem, &c->number, count + 1)) return false;
    uint32_t differ = 0;
    for (uint32_t i = 0; i < count; i++) order[i] = i;
    if (!sort_with(order, count, sizeof *order, by_frame, c->frames.at)) return false;
    for (uint32_t i = 0; i < count; i++) {
        differ += i && by_frame(&order[i - 1], &order[i], c->frames.at) != 0;
        c->number.at[order[i]] = differ;
        list[differ] = c->frames.at[order[i]];
    }
    if (count) memcpy(c->frames.at, list, count * sizeof *list);
    return true;
}

/* Of the locations that stacks use: others have no functions to show. */
static bool make_frames(struct grower *c)
{
    size_t locations = c->t.location_count;
    SCRATCH(uint8_t, is_used, c->mem, locations + 1);
    bool done = is_used && vec_reserve(c->mem, &c->first, locations + 1);
    for (size_t i = 0; done && i < c->rows.len && (done = !cancel_at(i)); i++) is_used[c->rows.at[i]] = 1;
    for (size_t i = 0; done && i < locations && (done = !cancel_at(i)); i++) {
        c->first.at[c->first.len++] = (uint32_t)c->frames.len;
        if (is_used[i]) done = add_frames(c, &c->t.locations[i]);
    }
    if (!done || c->frames.len >= UINT32_MAX) return false;
    c->first.at[c->first.len++] = (uint32_t)c->frames.len;
    return true;
}

/* ---- stacks ---- */

static bool begin_stack(struct grower *c, bool is_skipped)
{
    uint64_t *slot = vec_push(c->mem, &c->begin);
    uint8_t *skip = slot ? vec_push(c->mem, &c->is_skipped) : NULL;
    if (!skip || c->begin.len >= UINT32_MAX) return false;
    *slot = c->rows.len;
    *skip = is_skipped;
    return true;
}

bool grow_skip(struct grower *c) { return begin_stack(c, true); }

bool grow_add(struct grower *c, const uint32_t *rows, size_t count)
{
    if (!begin_stack(c, false) || !vec_reserve(c->mem, &c->rows, count)) return false;
    if (count) memcpy(c->rows.at + c->rows.len, rows, count * sizeof *rows);
    c->rows.len += count;
    return true;
}

/* From locations, the leaf first, to frames, the root first. */
static bool add_path(struct grower *c, size_t stack, uint64_t begin, uint64_t end)
{
    c->begin.at[stack] = c->paths.len;
    for (uint64_t k = end; k > begin; k--) {
        uint32_t row = c->rows.at[k - 1], first = c->first.at[row], last = c->first.at[row + 1];
        if (!vec_reserve(c->mem, &c->paths, last - first)) return false;
        for (uint32_t i = first; i < last; i++) c->paths.at[c->paths.len++] = c->number.at[i];
    }
    return c->paths.len < UINT32_MAX;
}

static int by_path(const void *x, const void *y, void *arg)
{
    const struct grower *c = arg;
    uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    const uint32_t *p = vec_from(&c->paths, c->begin.at[a]), *q = vec_from(&c->paths, c->begin.at[b]);
    size_t m = (size_t)(c->begin.at[a + 1] - c->begin.at[a]), n = (size_t)(c->begin.at[b + 1] - c->begin.at[b]);
    for (size_t i = 0; i < m && i < n; i++)
        if (p[i] != q[i]) return p[i] > q[i] ? 1 : -1;
    return ORDER(m, n);
}

static bool sort_stacks(struct grower *c)
{
    size_t count = c->begin.len;
    uint64_t *slot = vec_push(c->mem, &c->begin);
    if (!slot || !vec_reserve(c->mem, &c->order, count + 1) || !vec_reserve(c->mem, &c->node, count + 1)) return false;
    *slot = c->rows.len;
    for (size_t i = 0; i < count; i++)
        if (cancel_at(i) || !add_path(c, i, c->begin.at[i], c->begin.at[i + 1])) return false;
    c->begin.at[count] = c->paths.len;
    for (uint32_t i = 0; i < count; i++) c->order.at[i] = i;
    memset(c->node.at, 0, count * sizeof *c->node.at);
    c->order.len = c->node.len = count;
    return sort_with(c->order.at, count, sizeof *c->order.at, by_path, c);
}

/* ---- contexts ---- */

/* What is open: a level for each frame of the stack at hand. */
struct level {
    uint32_t frame;
    assay_node_id node, leaf; /* leaf: its line, once it was needed */
    uint32_t path;            /* of functions */
};

struct open {
    VEC(struct level) levels;
};

static assay_file_id file_of(const struct grower *c, uint32_t func) { return (assay_file_id){ c->file_of.at[func] - 1 }; }

static assay_node_id node_of(struct grower *c, const struct level *above, const struct grow_frame *f)
{
    const struct grow_frame *caller = above ? &c->frames.at[above->frame] : NULL;
    struct assay_node n = { .func = { f->func }, .kind = ASSAY_NODE_FUNCTION, .relation = ASSAY_RELATION_CALL };
    if (f->is_inlined) n.kind = ASSAY_NODE_INLINED;
    if (f->is_inlined) n.relation = ASSAY_RELATION_INLINED_CALL;
    if (above) n.parent = above->node;
    if (caller && caller->line) {
        n.line = caller->line;
        n.file = file_of(c, caller->func);
    }
    return assay_build_node_new(c->b, &n);
}

static assay_node_id leaf_of(struct grower *c, struct level *l)
{
    const struct grow_frame *f = &c->frames.at[l->frame];
    if (!f->line) return l->node;
    struct assay_node n = { .parent = l->node, .kind = ASSAY_NODE_LINE, .relation = ASSAY_RELATION_LEXICAL, .line = f->line };
    n.file = file_of(c, f->func);
    if (!l->leaf.v) l->leaf = assay_build_node_new(c->b, &n);
    return l->leaf;
}

/* Two frames that differ in their line only are one context. */
static bool same_context(const struct grower *c, uint32_t a, uint32_t b)
{
    return c->frames.at[a].func == c->frames.at[b].func && c->frames.at[a].is_inlined == c->frames.at[b].is_inlined;
}

static uint32_t path_of(struct grower *c, uint32_t above, uint32_t func)
{
    uint64_t hash = hash_mix(above, func);
    for (struct index_walk w = index_walk(&c->path_index, hash); index_next(&c->path_index, &w);)
        if (c->function_paths.at[w.id - 1].above == above && c->function_paths.at[w.id - 1].func == func) return w.id;
    struct grow_path *slot = vec_push(c->mem, &c->function_paths);
    if (!slot) return 0;
    *slot = (struct grow_path){ above, func, false };
    return index_add(&c->path_index, hash, (uint32_t)c->function_paths.len) ? (uint32_t)c->function_paths.len : 0;
}

static bool open_stack(struct grower *c, struct open *o, uint32_t stack)
{
    const uint32_t *path = vec_from(&c->paths, c->begin.at[stack]);
    size_t len = (size_t)(c->begin.at[stack + 1] - c->begin.at[stack]), same = 0;
    while (same < len && same < o->levels.len && o->levels.at[same].frame == path[same]) same++;
    for (size_t i = same; i < len; i++) {
        const struct level *above = i ? &o->levels.at[i - 1] : NULL;
        assay_node_id node = i == same && i < o->levels.len && same_context(c, o->levels.at[i].frame, path[i]) ? o->levels.at[i].node : (assay_node_id){ 0 };
        if (!node.v) node = node_of(c, above, &c->frames.at[path[i]]);
        o->levels.len = i;
        if (!vec_reserve(c->mem, &o->levels, 1)) return false;
        struct level level = { .frame = path[i], .node = node };
        if (c->is_counting) level.path = path_of(c, i ? o->levels.at[i - 1].path : 0, c->frames.at[path[i]].func);
        if (c->is_counting && !level.path) return false;
        o->levels.at[o->levels.len++] = level;
    }
    if (len < o->levels.len) o->levels.len = len;
    struct level *last = len ? &o->levels.at[len - 1] : NULL;
    bool is_new = c->is_counting && (last ? !c->function_paths.at[last->path - 1].is_stack : !c->has_empty);
    if (is_new && last) c->function_paths.at[last->path - 1].is_stack = true;
    c->has_empty |= !last;
    c->stacks += is_new;
    if (last) c->node.at[stack] = leaf_of(c, last);
    return true;
}

static bool open_stacks(struct grower *c)
{
    struct open o = { { 0 } };
    vec_scoped(c->mem, &o.levels);
    for (size_t i = 0; i < c->order.len; i++) {
        if (cancel_at(i)) return false;
        if (!c->is_skipped.at[c->order.at[i]] && !open_stack(c, &o, c->order.at[i])) return false;
    }
    return true;
}

int grow_tree(struct grower *c, assay_error *err)
{
    if (!make_modules(c) || !make_frames(c) || !number_frames(c) || !sort_stacks(c) || !open_stacks(c)) {
        TRY(assay_builder_failed(c->b));
        return error_memory(err);
    }
    return assay_builder_failed(c->b);
}

/* ---- sums ---- */

int grow_functions(struct grower *c, assay_error *err)
{
    uint64_t *end = vec_push(c->mem, &c->begin);
    if (end) *end = c->rows.len;
    if (!end || !make_modules(c) || !make_frames(c)) {
        TRY(assay_builder_failed(c->b));
        return error_memory(err);
    }
    return assay_builder_failed(c->b);
}

void grow_sum(const struct grower *c, size_t stack, struct stack_sums *sums, const int64_t *values)
{
    uint64_t begin = c->begin.at[stack], end = c->begin.at[stack + 1];
    if (begin == end) return;
    stack_sums_leaf(sums, c->frames.at[c->first.at[c->rows.at[begin] + 1] - 1].func, values);
    for (uint64_t k = begin; k < end; k++) {
        uint32_t row = c->rows.at[k];
        for (uint32_t i = c->first.at[row]; i < c->first.at[row + 1]; i++) stack_sums_frame(sums, c->frames.at[i].func, values);
    }
}

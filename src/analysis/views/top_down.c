/* Top-down: contexts under those that called them. Also what stands inside and below a set of nodes, which flat views need too. */
#include "analysis/views/source.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/order.h"
#include "base/scoped.h"
#include "base/sort.h"

static bool is_function(const struct frames *f, uint32_t node) { return f->owner[node] == node; }

static bool has_no_place(const struct frames *f, uint32_t node) { return f->tree->flags && f->tree->flags[node] & ASSAY_NODE_NO_PLACE; }

/* ---- keys ---- */

static void place_of(const struct frames *f, uint32_t node, uint32_t *file, uint32_t *line, uint64_t *offset)
{
    const struct assay_tree *t = f->tree;
    *file = t->file ? t->file[node].v : 0;
    *line = t->line ? t->line[node] : 0;
    *offset = t->offset && frames_kind(f, node) == ASSAY_NODE_INSTRUCTION ? t->offset[node] : 0;
}

void view_site(const struct view *v, uint32_t node, struct view_key *key)
{
    const struct frames *f = &v->source->tree.frames;
    uint32_t parent = frames_parent(f, node), relation = f->tree->relation ? f->tree->relation[node] : ASSAY_RELATION_LEXICAL;
    bool is_call = relation == ASSAY_RELATION_CALL || relation == ASSAY_RELATION_INLINED_CALL;
    uint64_t none;
    if (!parent) return;
    if (!is_function(f, parent)) {
        uint32_t above = frames_parent(f, parent);
        bool is_in_line = frames_kind(f, parent) == ASSAY_NODE_INSTRUCTION && above && !is_function(f, above) && frames_kind(f, above) == ASSAY_NODE_LINE;
        place_of(f, is_in_line ? above : parent, &key->site_file, &key->site_line, &key->site_offset);
    }
    if (!is_call || !f->tree->line || !f->tree->line[node]) return;
    place_of(f, node, &key->site_file, &key->site_line, &none);
}

static struct view_key key_of(const struct view *v, uint32_t node, enum view_detail detail)
{
    const struct frames *f = &v->source->tree.frames;
    struct view_key key = { .kind = frames_kind(f, node) };
    if (detail == VIEW_CONTEXTS && !f->tree->is_whole) key.node = node;
    if (is_function(f, node)) {
        key.func = f->tree->func ? f->tree->func[node].v : 0;
        if (detail != VIEW_FUNCTIONS) view_site(v, node, &key);
        if (key.func) return key;
    }
    key.module = f->tree->module ? f->tree->module[node].v : 0;
    place_of(f, node, &key.file, &key.line, &key.offset);
    return key;
}

/* ---- what is below a node ---- */

int view_find(struct view *v, const struct view_key *key, struct view_member member, assay_error *err)
{
    struct view_found *at = vec_push(v->mem, &v->source->found);
    if (!at) return error_memory(err);
    *at = (struct view_found){ *key, member };
    return 0;
}

static int find_node(struct view *v, uint32_t node, enum view_detail detail, uint8_t counts, assay_error *err)
{
    struct view_key key = key_of(v, node, detail);
    return view_find(v, &key, (struct view_member){ node, node, counts }, err);
}

static bool has_calls_only(const struct view *v, uint32_t node)
{
    const struct view_source *s = v->source;
    for (uint32_t child = s->tree.children.first_child[node]; child; child = s->tree.children.next[child])
        if (!is_function(&s->tree.frames, child)) return false;
    return true;
}

/* A line or an instruction with nothing but calls in it, or instructions with nothing but calls: it and each call are one row, and a row of its own is what it costs
 * itself, with its instructions. */
static bool is_call_site(const struct view *v, uint32_t node)
{
    const struct view_source *s = v->source;
    uint32_t child = s->tree.children.first_child[node];
    if (!child || is_function(&s->tree.frames, node) || frames_kind(&s->tree.frames, node) == ASSAY_NODE_LOOP) return false;
    for (; child; child = s->tree.children.next[child]) {
        bool is_instruction = frames_kind(&s->tree.frames, child) == ASSAY_NODE_INSTRUCTION && has_calls_only(v, child);
        if (!is_function(&s->tree.frames, child) && !is_instruction) return false;
    }
    return true;
}

static int gather_calls(struct view *v, uint32_t site, assay_error *err)
{
    const struct view_source *s = v->source;
    for (uint32_t child = s->tree.children.first_child[site]; child; child = s->tree.children.next[child]) {
        if (is_function(&s->tree.frames, child)) {
            TRY(find_node(v, child, VIEW_CALL_SITES, VIEW_IN_TOTAL, err));
            continue;
        }
        for (uint32_t callee = s->tree.children.first_child[child]; callee; callee = s->tree.children.next[callee])
            TRY(find_node(v, callee, VIEW_CALL_SITES, VIEW_IN_TOTAL, err));
    }
    return 0;
}

static int gather_sites(struct view *v, uint32_t node, assay_error *err)
{
    const struct view_source *s = v->source;
    for (uint32_t child = s->tree.children.first_child[node]; child; child = s->tree.children.next[child]) {
        if (has_no_place(&s->tree.frames, child)) continue;
        if (!is_call_site(v, child)) {
            TRY(find_node(v, child, VIEW_CALL_SITES, VIEW_IN_TOTAL, err));
            continue;
        }
        TRY(gather_calls(v, child, err));
        if (!value_is_zero(s->costs.self.type, sums_value(&s->costs.self, child))) TRY(find_node(v, child, VIEW_CALL_SITES, VIEW_SELF_ONLY, err));
    }
    return 0;
}

static int gather_contexts(struct view *v, uint32_t node, assay_error *err)
{
    const struct view_source *s = v->source;
    for (uint32_t child = s->tree.children.first_child[node]; child; child = s->tree.children.next[child])
        if (!has_no_place(&s->tree.frames, child)) TRY(find_node(v, child, VIEW_CONTEXTS, VIEW_IN_TOTAL, err));
    return 0;
}

static int gather_below(struct view *v, uint32_t above, assay_error *err)
{
    const struct contexts *x = &v->source->tree;
    for (uint32_t node = contexts_next(x, above, 0); node; node = contexts_next(x, above, node)) TRY(find_node(v, node, VIEW_FUNCTIONS, VIEW_IN_TOTAL, err));
    return 0;
}

/* The nearest function nodes below; roots without a place are none. */
static int gather_functions(struct view *v, uint32_t node, assay_error *err)
{
    const struct contexts *x = &v->source->tree;
    if (node) return gather_below(v, node, err);
    for (uint32_t root = x->children.first_child[0]; root; root = x->children.next[root]) {
        if (has_no_place(&x->frames, root)) continue;
        TRY(is_function(&x->frames, root) ? find_node(v, root, VIEW_FUNCTIONS, VIEW_IN_TOTAL, err) : gather_below(v, root, err));
    }
    return 0;
}

static int gather_node(struct view *v, uint32_t node, enum view_detail detail, assay_error *err)
{
    if (detail == VIEW_FUNCTIONS) return gather_functions(v, node, err);
    return detail == VIEW_CONTEXTS ? gather_contexts(v, node, err) : gather_sites(v, node, err);
}

int view_gather(struct view *v, const struct view_row *row, enum view_detail detail, assay_error *err)
{
    struct view_source *s = v->source;
    size_t begin = row->begin, end = row->end;
    s->found.len = 0;
    for (size_t i = begin; i < end; i++) {
        TRY(cancel_step(i, err));
        if (!(s->members.at[i].counts & VIEW_SELF_ONLY)) TRY(gather_node(v, s->members.at[i].node, detail, err));
    }
    return 0;
}

/* ---- rows of what was found ---- */

static int compare_keys(const struct view_key *a, const struct view_key *b)
{
    ORDER_BY(a->node, b->node);
    ORDER_BY(a->kind, b->kind);
    ORDER_BY(a->func, b->func);
    ORDER_BY(a->file, b->file);
    ORDER_BY(a->line, b->line);
    ORDER_BY(a->module, b->module);
    ORDER_BY(a->offset, b->offset);
    ORDER_BY(a->site_file, b->site_file);
    ORDER_BY(a->site_line, b->site_line);
    return ORDER(a->site_offset, b->site_offset);
}

static int by_key(const void *x, const void *y)
{
    const struct view_found *a = x, *b = y;
    int c = compare_keys(&a->key, &b->key);
    return c ? c : ORDER(a->member.node, b->member.node);
}

static struct view_row row_of(const struct view *v, const struct view_found *found)
{
    const struct view_key *k = &found->key;
    struct view_row row = { .func = k->func, .file = k->file, .line = k->line, .module = k->module, .offset = k->offset };
    if (k->func && k->kind != ASSAY_NODE_ENTRY) row = view_function_row(v, k->func);
    row.kind = k->kind;
    row.site_file = k->site_file;
    row.site_line = k->site_line;
    row.tie = UINT64_MAX;
    row.has_self = v->source->note(v, &found->member).has_self;
    return row;
}

/* Members come in the order of their nodes, and often all of one key: deep recursion would be sorted again at every level. */
static void sort_found(struct view_source *s)
{
    for (size_t i = 1; i < s->found.len; i++)
        if (by_key(&s->found.at[i - 1], &s->found.at[i]) > 0) {
            sort_by(s->found.at, s->found.len, sizeof *s->found.at, by_key);
            return;
        }
}

/* Members of one key are a row; they are laid down from `at` on. */
static int add_group(struct view *v, uint32_t parent, const struct view_found *found, size_t count, size_t at, view_settle_fn *settle, assay_error *err)
{
    struct view_source *s = v->source;
    struct view_row row = row_of(v, found);
    row.begin = at;
    row.end = at + count;
    for (size_t i = 0; i < count; i++) {
        uint64_t number = s->note(v, &found[i].member).number;
        s->members.at[at + i] = found[i].member;
        if (number < row.tie) row.tie = number;
    }
    row.calls = view_calls(v, &row);
    if (settle) settle(v, s->members.at + at, count);
    return view_add_row(v, parent, row, err);
}

int view_group_at(struct view *v, uint32_t parent, size_t at, view_settle_fn *settle, assay_error *err)
{
    struct view_source *s = v->source;
    sort_found(s);
    for (size_t i = 0, end; i < s->found.len; i = end) {
        for (end = i + 1; end < s->found.len && compare_keys(&s->found.at[i].key, &s->found.at[end].key) == 0;) end++;
        TRY(add_group(v, parent, s->found.at + i, end - i, at + i, settle, err));
    }
    return 0;
}

int view_group(struct view *v, uint32_t parent, view_settle_fn *settle, assay_error *err)
{
    struct view_source *s = v->source;
    size_t at = s->members.len;
    if (!vec_reserve(v->mem, &s->members, s->found.len)) return error_memory(err);
    s->members.len += s->found.len;
    return view_group_at(v, parent, at, settle, err);
}

/* ---- the view ---- */

static enum view_detail detail_of(const struct view *v)
{
    return v->options.kind == VIEW_HOT_PATH && v->options.detail == VIEW_CALL_SITES ? VIEW_CONTEXTS : v->options.detail;
}

/* The outermost instances of functions of one name, as if each function were called from one place. */
static int open_function(struct view *v, assay_error *err)
{
    struct view_source *s = v->source;
    const struct frames *f = &s->tree.frames;
    uint32_t funcs = assay_profile_funcs(v->profile)->count;
    SCRATCH(uint32_t, rank_of, v->mem, (size_t)funcs + 1);
    if (!rank_of) return error_memory(err);
    for (uint32_t func = 1; func <= funcs; func++) rank_of[func] = view_is_wanted(v, func) ? func : 0;
    int rc = view_instances(v, rank_of, funcs, err);
    s->found.len = 0;
    for (size_t i = 0; rc == 0 && i < s->members.len && (rc = cancel_step(i, err)) == 0; i++) {
        struct view_member m = s->members.at[i];
        struct view_key key = { .kind = ASSAY_NODE_FUNCTION, .func = frames_func(f, m.node) };
        if (m.counts & VIEW_IN_TOTAL) rc = view_find(v, &key, m, err);
    }
    return rc ? rc : view_group(v, 0, NULL, err);
}

static int open_view(struct view *v, assay_error *err)
{
    TRY(view_open_tree(v, err));
    if (v->options.function) return open_function(v, err);
    v->source->found.len = 0;
    TRY(gather_node(v, 0, detail_of(v), err));
    return view_group(v, 0, NULL, err);
}

static int expand(struct view *v, uint32_t row, assay_error *err)
{
    struct view_row above = v->rows.at[row];
    TRY(view_gather(v, &above, detail_of(v), err));
    return view_group(v, row, NULL, err);
}

const struct view_source view_top_down = {
    .open = open_view, .expand = expand, .load = view_load_tree, .figures = view_figures_of_nodes, .note = view_note_of_node
};

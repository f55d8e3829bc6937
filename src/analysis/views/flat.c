/* Flat: modules, the files in them, the functions in those, and what is inside each function wherever it was called from: loops, lines and calls. A member is an
 * instance; a total counts those that no other member of the row is above. */
#include "analysis/core/outermost.h"
#include "analysis/views/source.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/order.h"
#include "base/scoped.h"
#include "base/sort.h"

/* ---- modules, files, functions ---- */

struct keys {
    uint32_t *rank, *module; /* by function */
};

static void keys_fill(const struct view *v, struct keys *k)
{
    const struct view_source *s = v->source;
    const struct assay_funcs *f = assay_profile_funcs(v->profile);
    for (uint32_t i = 0; i < s->func_count; i++) {
        uint32_t func = s->func_order[i];
        k->rank[func] = i + 1;
        k->module[func] = (f->module ? f->module[func].v : 0) + 1; /* no module is one too */
    }
}

static int mark_functions(struct view *v, assay_error *err)
{
    struct view_source *s = v->source;
    size_t len = (size_t)assay_profile_funcs(v->profile)->count + 1;
    SCRATCH(uint8_t, has_row, v->mem, len);
    if (!has_row) return error_memory(err);
    for (uint32_t node = 1; node < s->tree.frames.len; node++)
        if (s->tree.frames.owner[node] == node) has_row[frames_func(&s->tree.frames, node)] = 1;
    has_row[0] = 0;
    return view_sort_functions(v, has_row, err);
}

static int mark_instances(struct view *v, const struct keys *k, assay_error *err)
{
    struct view_source *s = v->source;
    TRY(view_instances(v, k->rank, s->func_count, err));
    TRY(outermost_mark(&s->tree.frames, s->group_of, (size_t)s->group_count + 1, s->marks, VIEW_IN_FILE, err));
    TRY(outermost_mark(&s->tree.frames, k->module, (size_t)assay_profile_modules(v->profile)->count + 2, s->marks, VIEW_IN_MODULE, err));
    for (size_t i = 0; i < s->members.len; i++) s->members.at[i].counts = s->marks[s->members.at[i].node];
    return 0;
}

/* Numbers by which a node that is below another can be told. */
static int number_nodes(struct view *v, assay_error *err)
{
    struct view_source *s = v->source;
    struct walk w = s->tree.children;
    uint32_t clock = 0;
    s->enter = mem_zalloc(v->mem, s->tree.frames.len, sizeof *s->enter);
    s->leave = mem_zalloc(v->mem, s->tree.frames.len, sizeof *s->leave);
    if (!s->enter || !s->leave) return error_memory(err);
    while (walk_next(&w) && !cancel_at(w.node)) {
        if (w.is_leaving)
            s->leave[w.node] = clock;
        else
            s->enter[w.node] = ++clock;
    }
    return cancel_end(0, err);
}

static int open_view(struct view *v, assay_error *err)
{
    TRY(view_open_tree(v, err));
    TRY(mark_functions(v, err));
    size_t funcs = (size_t)assay_profile_funcs(v->profile)->count + 1;
    SCRATCH(uint32_t, rank, v->mem, funcs);
    SCRATCH(uint32_t, module, v->mem, funcs);
    if (!rank || !module) return error_memory(err);
    struct keys k = { rank, module };
    keys_fill(v, &k);
    TRY(mark_instances(v, &k, err));
    TRY(number_nodes(v, err));
    return view_add_modules(v, err);
}

/* ---- inside functions ---- */

static int by_enter(const void *x, const void *y, void *arg)
{
    const uint32_t *enter = arg;
    uint32_t a = enter[((const struct view_member *)x)->node], b = enter[((const struct view_member *)y)->node];
    return ORDER(a, b);
}

/* A member that is below another one of its row is in its total already. */
static void settle(struct view *v, struct view_member *m, size_t count)
{
    const struct view_source *s = v->source;
    uint32_t until = 0;
    sort_with(m, count, sizeof *m, by_enter, s->enter);
    for (size_t i = 0; i < count; i++) {
        if (m[i].counts & VIEW_SELF_ONLY) continue;
        bool is_below = s->enter[m[i].node] <= until;
        m[i].counts = is_below ? 0 : VIEW_IN_TOTAL;
        if (!is_below) until = s->leave[m[i].node];
    }
}

static int expand_inside(struct view *v, uint32_t row, assay_error *err)
{
    struct view_row above = v->rows.at[row];
    TRY(view_gather(v, &above, VIEW_CALL_SITES, err));
    for (size_t i = 0; i < v->source->found.len; i++) {
        struct view_found *f = &v->source->found.at[i];
        if (v->source->tree.frames.owner[f->member.node] == f->member.node) f->key.kind = VIEW_CALL;
    }
    return view_group(v, row, settle, err);
}

static int expand(struct view *v, uint32_t row, assay_error *err)
{
    uint8_t kind = v->rows.at[row].kind;
    if (kind == VIEW_MODULE) return view_add_files(v, row, err);
    if (kind == VIEW_FILE) return view_add_functions(v, row, err);
    return kind == VIEW_CALL || v->options.detail == VIEW_FUNCTIONS ? 0 : expand_inside(v, row, err);
}

const struct view_source view_flat = {
    .open = open_view, .expand = expand, .load = view_load_tree, .figures = view_figures_of_nodes, .note = view_note_of_node
};

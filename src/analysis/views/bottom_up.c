/* Bottom-up: functions, and under each those that called it, with the place of the call. A member is an instance of the function that the path begins with; the
 * members of a row are parted among the rows below it, in place, so memory does not grow with the depth of the view. */
#include <stdlib.h>

#include "analysis/views/source.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/scoped.h"

static int open_view(struct view *v, assay_error *err)
{
    struct view_source *s = v->source;
    uint32_t funcs = assay_profile_funcs(v->profile)->count;
    TRY(view_open_tree(v, err));
    SCRATCH(uint32_t, rank_of, v->mem, (size_t)funcs + 1);
    if (!rank_of) return error_memory(err);
    for (uint32_t func = 1; func <= funcs; func++) rank_of[func] = view_is_wanted(v, func) ? func : 0;
    TRY(view_instances(v, rank_of, funcs, err));
    for (uint32_t func = 1; func <= funcs; func++) {
        TRY(cancel_step(func, err));
        struct view_row row = view_function_row(v, func);
        row.begin = s->begin_of[func];
        row.end = s->begin_of[func + 1];
        row.calls = view_calls(v, &row);
        if (row.end > row.begin) TRY(view_add_row(v, 0, row, err));
    }
    return 0;
}

/* The function node that calls what a member shows; 0 = none. */
static uint32_t caller_of(const struct view *v, const struct view_member *m) { return contexts_caller(&v->source->tree, m->at); }

static struct view_key key_of(const struct view *v, const struct view_member *m, uint32_t caller)
{
    const struct frames *f = &v->source->tree.frames;
    struct view_key key = { .kind = frames_kind(f, caller), .func = f->tree->func ? f->tree->func[caller].v : 0 };
    if (v->options.detail != VIEW_FUNCTIONS) view_site(v, m->at, &key);
    return key;
}

/* The members of a row move up to their callers; those that have none stay behind. Rows are made in the order of the keys, and members are laid down in that order
 * where those of the row have been. */
static int expand(struct view *v, uint32_t row, assay_error *err)
{
    struct view_source *s = v->source;
    size_t begin = v->rows.at[row].begin, end = v->rows.at[row].end, kept = begin;
    s->found.len = 0;
    for (size_t i = begin; i < end; i++) {
        TRY(cancel_step(i, err));
        struct view_member m = s->members.at[i];
        uint32_t caller = caller_of(v, &m);
        if (!caller) {
            s->members.at[kept++] = m;
            continue;
        }
        struct view_key key = key_of(v, &m, caller);
        m.at = caller;
        TRY(view_find(v, &key, m, err));
    }
    return view_group_at(v, row, kept, NULL, err);
}

const struct view_source view_bottom_up = {
    .open = open_view, .expand = expand, .load = view_load_tree, .figures = view_figures_of_nodes, .note = view_note_of_node
};

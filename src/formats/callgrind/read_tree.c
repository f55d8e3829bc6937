/* Whole trees: a node for each invocation. Nodes are made when their block ends and get their parent when its block ends. */
#include "analysis/core/units.h"
#include "base/error.h"
#include "base/slice.h"
#include "formats/callgrind/tree.h"

static void scopes(struct cg_reader *r, struct cg_tree *t)
{
    for (; t->scope_count < r->metrics.len; t->scope_count++) {
        t->point[t->scope_count] = assay_build_scope(r->b, r->metrics.at[t->scope_count], ASSAY_SCOPE_POINT, NULL, 0);
        t->charged[t->scope_count] = assay_build_scope(r->b, r->metrics.at[t->scope_count], ASSAY_SCOPE_CUSTOM, "call", 0);
    }
    t->width = (uint32_t)r->metrics.len;
}

void cg_tree_values(struct cg_reader *r, const struct cg_tree *t, assay_node_id node, const assay_scope_id *columns, const assay_value *row)
{
    for (uint32_t k = 0; k < t->width; k++)
        if (row[k].i) assay_build_value(r->b, r->stream, node, columns[k], row[k]);
}

/* Differences wrap on purpose: absurd figures must not stop the tree. */
static void add(assay_value *to, const assay_value *more, uint32_t width)
{
    for (uint32_t k = 0; k < width; k++) to[k].u += more[k].u;
}

static void subtract(assay_value *to, const assay_value *less, uint32_t width)
{
    for (uint32_t k = 0; k < width; k++) to[k].u -= less[k].u;
}

/* What a caller is charged is not known when the node is made: it begins with what the block took, and is set right when the caller
 * comes (they differ by rounding). So nearly all values come in the order of the nodes. */
static int push_whole(struct cg_reader *r, struct cg_tree *t, uint32_t func, const assay_value *self, const struct cg_call *calls, const assay_value *rows,
                      size_t count, assay_error *err)
{
    struct assay_node n = { .kind = ASSAY_NODE_FUNCTION, .relation = ASSAY_RELATION_CALL, .func = cg_reader_func(r, func, true) };
    assay_value took[CG_MAX_EVENTS], diff[CG_MAX_EVENTS];
    assay_node_id node = assay_build_node_new(r->b, &n);
    size_t first = t->nodes.len - count;
    assay_build_node_calls(r->b, node, 1);
    memcpy(took, self, t->width * sizeof *took);
    for (size_t i = 0; i < count; i++) {
        assay_node_id kid = { t->nodes.at[first + i] };
        const assay_value *charged = rows + i * t->width;
        assay_build_node_parent(r->b, kid, node);
        assay_build_node_line(r->b, kid, calls[i].line);
        add(took, charged, t->width);
        memcpy(diff, charged, t->width * sizeof *diff);
        subtract(diff, t->took.at + (first + i) * t->width, t->width);
        cg_tree_values(r, t, kid, t->charged, diff);
    }
    cg_tree_values(r, t, node, t->point, self);
    cg_tree_values(r, t, node, t->charged, took);
    t->nodes.len = first;
    t->took.len = first * t->width;
    if (!vec_reserve(r->job->mem, &t->nodes, 1) || !vec_reserve(r->job->mem, &t->took, t->width)) return error_memory(err);
    t->nodes.at[t->nodes.len++] = node.v;
    if (t->width) memcpy(t->took.at + t->took.len, took, t->width * sizeof *took);
    t->took.len += t->width;
    return 0;
}

/* ---- coarse trees ---- */

/* The first event that is a time, or else the first. */
static uint32_t find_time(const struct cg_reader *r)
{
    for (uint32_t k = 0; k < r->slots.len; k++) {
        char unit[UNITS_TEXT];
        units_of_event(cg_string(&r->d, r->slots.at[k]), unit);
        if (units_time(slice_of(unit)) > 0) return k;
    }
    return 0;
}

static int push_coarse(struct cg_reader *r, struct cg_tree *t, uint32_t func, const assay_value *self, size_t count, assay_error *err)
{
    if (!t->funcs.len) t->time = find_time(r);
    uint64_t length = t->width && self[t->time].i > 0 ? self[t->time].u : 0;
    return coarse_push(&t->coarse, cg_reader_func(r, func, true), length, count, err);
}

int cg_tree_build(struct cg_reader *r, struct cg_tree *t, assay_error *err)
{
    char unit[UNITS_TEXT];
    if (!t->is_coarse || !t->width) return 0;
    units_of_event(cg_string(&r->d, r->slots.at[t->time]), unit);
    return coarse_build(&t->coarse, r->b, &(struct coarse_unit){ r->metrics.at[t->time], ASSAY_I64, 1, units_time(slice_of(unit)) }, r->job->options, err);
}

/* ---- all trees ---- */

int cg_tree_push(struct cg_reader *r, struct cg_tree *t, uint32_t func, const assay_value *self, const struct cg_call *calls, const assay_value *rows,
                 size_t count, bool *is_matching, assay_error *err)
{
    *is_matching = count <= t->funcs.len;
    for (size_t i = 0; *is_matching && i < count; i++) *is_matching = t->funcs.at[t->funcs.len - count + i] == calls[i].callee && calls[i].calls == 1;
    if (!*is_matching) return 0;
    scopes(r, t);
    if (t->is_coarse)
        TRY(push_coarse(r, t, func, self, count, err));
    else if (t->is_whole)
        TRY(push_whole(r, t, func, self, calls, rows, count, err));
    else
        TRY(cg_merge_push(r, t, func, self, rows, count, err));
    t->funcs.len -= count;
    uint32_t *top = vec_push(r->job->mem, &t->funcs);
    if (!top) return error_memory(err);
    *top = func;
    return 0;
}

/* Nobody was charged for a root. */
static void end_whole(struct cg_reader *r, struct cg_tree *t)
{
    assay_value diff[CG_MAX_EVENTS];
    for (size_t i = 0; i < t->nodes.len; i++) {
        memset(diff, 0, t->width * sizeof *diff);
        subtract(diff, t->took.at + i * t->width, t->width);
        cg_tree_values(r, t, (assay_node_id){ t->nodes.at[i] }, t->charged, diff);
    }
}

int cg_tree_end(struct cg_reader *r, struct cg_tree *t, assay_error *err)
{
    if (t->is_coarse)
        TRY(coarse_end(&t->coarse, r->stream, err));
    else if (t->is_whole)
        end_whole(r, t);
    else
        TRY(cg_merge_end(r, t, err));
    t->nodes.len = t->funcs.len = t->took.len = 0;
    return 0;
}

void cg_tree_done(struct cg_tree *t, struct mem *m)
{
    coarse_done(&t->coarse);
    vec_done(m, &t->nodes, &t->funcs, &t->took, &t->contexts, &t->values);
    mem_free(m, t->slots, t->slots ? ((size_t)t->slot_mask + 1) * sizeof *t->slots : 0);
    t->slots = NULL;
}

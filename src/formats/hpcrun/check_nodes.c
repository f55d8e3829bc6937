/* Trees and values of a profile laid against its tables: the loops that every node and value goes through. */
#include <inttypes.h>
#include <math.h>

#include "base/cancel.h"
#include "base/number.h"
#include "formats/hpcrun/check.h"
#include "formats/hpcrun/funcs.h"

/* What hpcrun_slot.node says of a node here. */
enum { NODE_SEEN = 1, NODE_IS_TOP = 2 /* the root of complete unwinds */, NODE_NOT_UNWOUND = 4 };

#define EXACT_MOST ((int64_t)1 << 53) /* what a database of doubles can hold exactly */

/* ---- nodes ---- */

static bool is_special(uint16_t module) { return module >= HPCRUN_LM_GPU_CONTEXT && module <= HPCRUN_LM_GPU_ROOT; }

static void check_module(struct hpcrun_checker *c, const struct hpcrun_node *n, uint64_t off)
{
    if (n->module == HPCRUN_LM_PLACEHOLDER || hpcrun_modules_find(&c->modules, n->module) || is_special(n->module)) return;
    findings_add(c->out, "HRC11", ASSAY_ERROR, off, 0, "node %" PRIu32 " names load module %u, which is not in the load map", n->id, n->module);
}

static void check_root(struct hpcrun_checker *c, const struct hpcrun_node *n, uint64_t off, bool is_top)
{
    if (is_top || n->module == HPCRUN_LM_GPU_ROOT) return;
    findings_add(c->out, "HRW07", ASSAY_WARNING, off, 0, "node %" PRIu32 " is a root, but neither ^Primary nor the root of a GPU range", n->id);
}

/* 04.00: placeholders stand where the analysis looks for them. */
static void check_place(struct hpcrun_checker *c, const struct hpcrun_node *n, uint64_t off, bool is_below_top)
{
    bool is_placeholder = n->module == HPCRUN_LM_PLACEHOLDER;
    bool belongs_below = is_placeholder && (n->ip == HPCRUN_PLACEHOLDER("^Partial") || n->ip == HPCRUN_PLACEHOLDER("NoActvty"));
    bool is_fence = is_placeholder && (n->ip == HPCRUN_PLACEHOLDER("| Main  ") || n->ip == HPCRUN_PLACEHOLDER("| Thread"));
    if (belongs_below && !is_below_top)
        findings_add(c->out, "HRW07", ASSAY_WARNING, off, 0, "node %" PRIu32 " is a placeholder that belongs directly below the root", n->id);
    if (is_below_top && !belongs_below && !is_fence)
        findings_add(c->out, "HRW07", ASSAY_WARNING, off, 0, "node %" PRIu32 " is directly below the root, but is neither | Main nor | Thread", n->id);
    if (is_placeholder && !hpcrun_placeholder_name(n->ip))
        findings_add(c->out, "HRW03", ASSAY_WARNING, off, 0, "node %" PRIu32 " is a placeholder that is not known", n->id);
}

static void check_sparse(struct hpcrun_checker *c, const struct hpcrun_node *n, uint64_t off, const struct hpcrun_slot *parent, bool is_top)
{
    bool is_below_top = parent && parent->node & NODE_IS_TOP;
    if (n->raw_parent == 0) check_root(c, n, off, is_top);
    if ((n->module == HPCRUN_LM_PLACEHOLDER && !is_top) || is_below_top) check_place(c, n, off, is_below_top);
    if (parent && parent->node & NODE_NOT_UNWOUND)
        findings_add(c->out, "HRW08", ASSAY_WARNING, off, 0, "node %" PRIu32 " is below node %" PRIu32 ", which was not unwound", n->id, n->raw_parent);
    if (n->flags & ~HPCRUN_UNWOUND)
        findings_add(c->out, "HRW03", ASSAY_WARNING, off + 18, 0, "the flags 0x%x of node %" PRIu32 " have unknown bits", n->flags, n->id);
}

/* false = no memory */
static bool check_node(struct hpcrun_checker *c, const struct hpcrun_node *n, uint64_t off, bool is_sparse)
{
    struct hpcrun_slot *parent = n->raw_parent ? hpcrun_ids_find(&c->ids, n->raw_parent) : NULL;
    bool is_top = is_sparse && n->raw_parent == 0 && n->module == HPCRUN_LM_PLACEHOLDER && n->ip == HPCRUN_PLACEHOLDER("^Primary");
    if (n->raw_parent && !parent)
        findings_add(c->out, "HRC10", ASSAY_ERROR, off, 0, "parent %" PRIu32 " of node %" PRIu32 " does not come before it", n->raw_parent, n->id);
    if (parent) parent->depth |= HPCRUN_HAS_CHILD;
    if (c->d.file.variant >= HPCRUN_02B) check_module(c, n, off);
    if (is_sparse) check_sparse(c, n, off, parent, is_top);
    if (n->id == 0 || hpcrun_ids_find(&c->ids, n->id)) {
        findings_add(c->out, "HRC10", ASSAY_ERROR, off, 0,
                     n->id ? "the id %" PRIu32 " is given to a second node" : "a node has the id %" PRIu32 ", which stands for none", n->id);
        return true;
    }
    struct hpcrun_slot *slot = hpcrun_ids_add(&c->ids, n->id);
    if (!slot) return false;
    slot->node = NODE_SEEN | (is_top ? NODE_IS_TOP : 0) | (n->flags & HPCRUN_UNWOUND ? 0 : NODE_NOT_UNWOUND);
    return true;
}

/* ---- values ---- */

static void check_value(struct hpcrun_checker *c, struct hpcrun_checked_metric *m, uint64_t bits, uint64_t off)
{
    uint64_t cost;
    if (m->is_real) {
        double v = hpcrun_double(bits);
        if (!(v >= 0) || isinf(v)) findings_add(c->out, "HRW10", ASSAY_WARNING, off, 0, "a real value is negative, infinite or not a number");
        return;
    }
    if (__builtin_mul_overflow(bits, m->period, &cost)) cost = UINT64_MAX;
    m->total = wide_add_u64(m->total, cost);
}

static void check_dense(struct hpcrun_checker *c, const struct hpcrun_span *s, const struct hpcrun_node *n, uint64_t off)
{
    uint32_t count = s->value_count < c->metrics.len ? s->value_count : (uint32_t)c->metrics.len;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t bits = hpcrun_dense(s, n, i);
        if (bits) check_value(c, &c->metrics.at[i], bits, off + s->values_at + 8 * (uint64_t)i);
    }
}

/* Only the specification and its first programs mark leaves by the sign of their id. */
static void check_signs(struct hpcrun_checker *c, const struct hpcrun_span *s)
{
    struct hpcrun_node n;
    for (uint64_t i = 0; i < s->count; i++) {
        hpcrun_node_at(s, i, &n);
        const struct hpcrun_slot *slot = hpcrun_ids_find(&c->ids, n.id);
        bool is_leaf = !slot || !(slot->depth & HPCRUN_HAS_CHILD), is_marked = n.id != n.raw_id;
        if (is_leaf == is_marked) continue;
        findings_add(c->out, "HRW04", ASSAY_WARNING, hpcrun_item_off(s, i), 0, "the id of node %" PRIu32 " is %s, but it has %s", n.id,
                     is_marked ? "negative" : "positive", is_leaf ? "no children" : "children");
    }
}

int hpcrun_check_nodes(struct hpcrun_checker *c, const struct hpcrun_list *list, assay_error *err)
{
    const struct hpcrun_span *s = &list->span;
    enum hpcrun_variant variant = c->d.file.variant;
    bool is_sparse = variant == HPCRUN_04B, has_flags = s->flags_at != 0;
    struct hpcrun_node n;
    if (!hpcrun_ids_begin(&c->ids, s)) return error_memory(err);
    c->has_nodes = true;
    for (uint64_t i = 0; i < s->count; i++) {
        TRY(cancel_step(i, err));
        uint64_t off = hpcrun_item_off(s, i);
        if (is_sparse)
            hpcrun_node_sparse(s->at + i * s->stride, has_flags, &n);
        else
            hpcrun_node_at(s, i, &n);
        if (!check_node(c, &n, off, is_sparse)) return error_memory(err);
        if (n.values) check_dense(c, s, &n, off);
    }
    if (variant == HPCRUN_02_LITERAL || variant == HPCRUN_02B) check_signs(c, s);
    return 0;
}

static void check_values(struct hpcrun_checker *c, uint64_t begin, uint64_t end)
{
    struct hpcrun_value v;
    c->node_stamp++;
    for (uint64_t i = begin; i < end; i++) {
        hpcrun_value_at(&c->values, i, &v);
        uint64_t off = hpcrun_item_off(&c->values, i);
        if (v.metric >= c->metrics.len) {
            findings_add(c->out, "HRC13", ASSAY_ERROR, off + 8, 0, "value %" PRIu64 " is for metric %u, but there are only %zu", i, v.metric, c->metrics.len);
            continue;
        }
        struct hpcrun_checked_metric *m = &c->metrics.at[v.metric];
        if (v.bits == 0) findings_add(c->out, "HRW06", ASSAY_WARNING, off, 0, "value %" PRIu64 " is zero, which need not be stored", i);
        if (m->seen == c->node_stamp)
            findings_add(c->out, "HRW06", ASSAY_WARNING, off, 0, "value %" PRIu64 " is a second one for metric %u at its node: they are added", i, v.metric);
        m->seen = c->node_stamp;
        check_value(c, m, v.bits, off);
    }
}

static void check_closing(struct hpcrun_checker *c, const struct hpcrun_span *s)
{
    struct hpcrun_index last;
    uint64_t off = hpcrun_item_off(s, s->count - 1);
    hpcrun_index_at(s, s->count - 1, &last);
    if (last.node != HPCRUN_SENTINEL) findings_add(c->out, "HRC15", ASSAY_ERROR, off, 0, "the index does not end with the pair \"end!\"");
    if (last.first != c->values.count)
        findings_add(c->out, "HRC15", ASSAY_ERROR, off + 4, 0, "the index ends at value %" PRIu64 ": there are %" PRIu64, last.first, c->values.count);
}

void hpcrun_check_index(struct hpcrun_checker *c, const struct hpcrun_list *list)
{
    const struct hpcrun_span *s = &list->span;
    struct hpcrun_index now, next;
    uint64_t least = 0, done = 0;
    for (uint64_t i = 0; i + 1 < s->count; i++) {
        uint64_t off = hpcrun_item_off(s, i);
        hpcrun_index_at(s, i, &now);
        hpcrun_index_at(s, i + 1, &next);
        if (c->has_nodes && !hpcrun_ids_find(&c->ids, now.node))
            findings_add(c->out, "HRC14", ASSAY_ERROR, off, 0, "values are given to node %" PRIu32 ", which does not exist", now.node);
        if (now.first < least || now.first > c->values.count)
            findings_add(c->out, "HRC15", ASSAY_ERROR, off + 4, 0, "the values of node %" PRIu32 " begin at %" PRIu64 ": expected %" PRIu64 " to %" PRIu64,
                         now.node, now.first, least, c->values.count);
        else
            least = now.first;
        uint64_t end = next.first < c->values.count ? next.first : c->values.count;
        if (now.first < done || end < now.first) continue;
        check_values(c, now.first, end);
        done = end;
    }
    if (s->count == list->count + 1) check_closing(c, s);
}

void hpcrun_check_totals(struct hpcrun_checker *c)
{
    for (size_t i = 0; i < c->metrics.len; i++) {
        const struct hpcrun_checked_metric *m = &c->metrics.at[i];
        if (m->total.high == 0 && m->total.low <= (uint64_t)EXACT_MOST) continue;
        findings_add(c->out, "HRW10", ASSAY_WARNING, m->off, 0, "the sum of metric %zu is above 2^53: a database of doubles cannot hold it exactly", i);
    }
    c->metrics.len = 0;
}

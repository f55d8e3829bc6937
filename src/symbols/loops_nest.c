/* Which blocks are loops, and how loops lie in each other: one walk in depth that tells every block the header of its innermost loop (Wei, Mao,
 * Zou and Chen, "A New Algorithm for Identifying Loops in Decompilation", 2007; HPCToolkit's Dyninst does the same). For a loop with one entry
 * this is the natural loop: the header dominates its blocks, and all back edges to one header are one loop. A loop with several entries
 * has as header the one that the walk came to first. Nothing recurses; the steps are counted. */
#include "base/scoped.h"
#include "symbols/loops_parts.h"

#if defined(ASSAY_HAVE_DWARF) && defined(ASSAY_HAVE_CAPSTONE)

#define NO_BLOCK UINT32_MAX

struct visit {
    uint32_t header;   /* of the innermost loop around the block that is not its own; NO_BLOCK = none */
    uint32_t position; /* on the path from the start of the walk, from 1; 0 = not on it */
    uint32_t edge;     /* the next one to follow */
    bool is_known, is_header;
    bool is_reached; /* from the entry of the function */
};

struct walk {
    const struct loops_flow *flow;
    struct visit *at;
    uint32_t *order, *stack;
    size_t order_len, stack_len;
    uint64_t *steps;
};

/* ---- the walk ---- */

/* `header` is the header of a loop around the block. Both are on the path. */
static void tag(struct walk *w, uint32_t block, uint32_t header)
{
    if (block == header || header == NO_BLOCK) return;
    while (w->at[block].header != NO_BLOCK) {
        uint32_t other = w->at[block].header;
        if (other == header || ++*w->steps > LOOPS_MAX_STEPS) return;
        if (w->at[other].position < w->at[header].position) {
            w->at[block].header = header;
            block = header;
            header = other;
        } else
            block = other;
    }
    w->at[block].header = header;
}

static void enter(struct walk *w, uint32_t block, bool is_reached)
{
    struct visit *v = &w->at[block];
    v->is_known = true;
    v->is_reached = is_reached;
    w->order[w->order_len++] = block;
    w->stack[w->stack_len++] = block;
    v->position = (uint32_t)w->stack_len;
}

/* An edge to a block that was left already: it may be inside a loop that is still open. */
static void tag_outer(struct walk *w, uint32_t block, uint32_t target)
{
    uint32_t header = w->at[target].header;
    while (header != NO_BLOCK && !w->at[header].position && ++*w->steps <= LOOPS_MAX_STEPS) header = w->at[header].header;
    if (header != NO_BLOCK && w->at[header].position) tag(w, block, header);
}

static void follow(struct walk *w, uint32_t block, uint32_t target)
{
    struct visit *v = &w->at[target];
    if (!v->is_known)
        enter(w, target, w->at[block].is_reached);
    else if (v->position) {
        v->is_header = true;
        tag(w, block, target);
    } else
        tag_outer(w, block, target);
}

static void walk_from(struct walk *w, uint32_t start, bool is_reached)
{
    enter(w, start, is_reached);
    while (w->stack_len && *w->steps <= LOOPS_MAX_STEPS) {
        uint32_t block = w->stack[w->stack_len - 1];
        const struct loops_block *b = &w->flow->blocks.at[block];
        struct visit *v = &w->at[block];
        ++*w->steps;
        if (v->edge < b->edge_count) {
            follow(w, block, w->flow->edges.at[b->first_edge + v->edge++]);
            continue;
        }
        v->position = 0;
        w->stack_len--;
        if (w->stack_len) tag(w, w->stack[w->stack_len - 1], v->header);
    }
}

/* What no edge leads to is walked too: handlers of exceptions, and what an unknown jump leads to. */
static void walk_all(struct walk *w)
{
    const struct loops_block *entry = loops_flow_block(w->flow, w->flow->entry);
    walk_from(w, entry ? (uint32_t)(entry - w->flow->blocks.at) : 0, true);
    for (uint32_t i = 0; i < w->flow->blocks.len; i++)
        if (!w->at[i].is_known) walk_from(w, i, false);
}

/* ---- loops ---- */

/* Headers are known before what they are around, so parents come before children. */
static bool number_loops(struct loops_nest *nest, struct loops_flow *flow, const struct walk *w)
{
    for (size_t i = 0; i < w->order_len; i++) {
        uint32_t block = w->order[i], header = w->at[block].header;
        struct loops_block *b = &flow->blocks.at[block];
        b->loop = header == NO_BLOCK ? 0 : flow->blocks.at[header].loop;
        if (!w->at[block].is_header) continue;
        struct loops_loop *l = vec_push(flow->mem, &nest->loops);
        if (!l) return false;
        *l = (struct loops_loop){ .parent = b->loop, .address = b->begin };
        b->loop = (uint32_t)nest->loops.len - 1;
    }
    for (size_t i = flow->blocks.len; i > 0; i--) {
        struct loops_block *b = &flow->blocks.at[i - 1];
        b->next = nest->loops.at[b->loop].first_block;
        nest->loops.at[b->loop].first_block = (uint32_t)i;
    }
    return true;
}

static bool is_inside(struct loops_nest *nest, uint32_t loop, uint32_t outer)
{
    while (loop > outer && ++nest->steps <= LOOPS_MAX_STEPS) loop = nest->loops.at[loop].parent;
    return loop == outer;
}

/* An edge that leads into loops from outside. */
static void note_entry(struct loops_nest *nest, const struct loops_block *from, const struct loops_block *to)
{
    for (uint32_t l = to->loop; l && !is_inside(nest, from->loop, l); l = nest->loops.at[l].parent)
        if (to->begin < nest->loops.at[l].address) nest->loops.at[l].address = to->begin;
}

/* The loops that the block can end and go on with. */
static bool note_exits(struct loops_nest *nest, const struct loops_flow *flow, uint32_t block)
{
    const struct loops_block *b = &flow->blocks.at[block];
    for (uint32_t l = b->loop; l; l = nest->loops.at[l].parent) {
        bool stays = false, leaves = b->leaves;
        for (uint32_t e = 0; e < b->edge_count; e++) {
            bool inside = is_inside(nest, flow->blocks.at[flow->edges.at[b->first_edge + e]].loop, l);
            stays |= inside;
            leaves |= !inside;
        }
        if (!leaves || nest->steps > LOOPS_MAX_STEPS) break;
        if (!stays) continue;
        struct loops_exit *x = vec_push(flow->mem, &nest->exits);
        if (!x) return false;
        *x = (struct loops_exit){ block, nest->loops.at[l].first_exit };
        nest->loops.at[l].first_exit = (uint32_t)nest->exits.len;
    }
    return true;
}

static bool note_edges(struct loops_nest *nest, const struct loops_flow *flow, const struct walk *w)
{
    for (uint32_t i = 0; i < flow->blocks.len && nest->steps <= LOOPS_MAX_STEPS; i++) {
        const struct loops_block *b = &flow->blocks.at[i];
        for (uint32_t e = 0; w->at[i].is_reached && e < b->edge_count; e++) note_entry(nest, b, &flow->blocks.at[flow->edges.at[b->first_edge + e]]);
        if (!note_exits(nest, flow, i)) return false;
    }
    return true;
}

bool loops_nest_fill(struct loops_nest *nest, struct loops_flow *flow)
{
    size_t count = flow->blocks.len;
    struct loops_loop *none = vec_push(flow->mem, &nest->loops);
    if (none) memset(none, 0, sizeof *none);
    if (!none || !count) return none != NULL;
    SCRATCH(struct visit, at, flow->mem, count);
    SCRATCH(uint32_t, order, flow->mem, count);
    SCRATCH(uint32_t, stack, flow->mem, count);
    if (!at || !order || !stack) return false;
    struct walk w = { .flow = flow, .steps = &nest->steps, .at = at, .order = order, .stack = stack };
    for (size_t i = 0; i < count; i++) at[i].header = NO_BLOCK;
    walk_all(&w);
    bool ok = nest->steps > LOOPS_MAX_STEPS || (number_loops(nest, flow, &w) && note_edges(nest, flow, &w));
    if (nest->steps > LOOPS_MAX_STEPS) nest->loops.len = 1; /* given up, if only while they were numbered */
    return ok;
}

void loops_nest_done(struct loops_nest *nest, struct mem *mem) { vec_done(mem, &nest->loops, &nest->exits); }
#endif

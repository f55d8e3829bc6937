/* Loops of random graphs against their definition: dominators by the book, back edges, natural loops, cycles. Nothing of this oracle is shared
 * with src/symbols/loops_nest.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "symbols/loops_parts.h"

enum { MOST = 14, GRAPHS = 40000 };

struct graph {
    unsigned count;
    uint32_t to[MOST]; /* bit sets of successors */
};

static uint32_t seed = 1;

static unsigned roll(unsigned below)
{
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % below;
}

static struct graph make_graph(void)
{
    struct graph g = { .count = 2 + roll(MOST - 1) };
    for (unsigned i = 0; i < g.count; i++) {
        if (i + 1 < g.count && roll(4)) g.to[i] |= 1u << (i + 1);
        if (roll(3)) g.to[i] |= 1u << roll(g.count);
        if (!roll(6)) g.to[i] |= 1u << roll(g.count);
    }
    return g;
}

/* ---- the definition ---- */

/* What can be reached from `from` without the blocks of `without`, itself included. */
static uint32_t reach(const struct graph *g, unsigned from, uint32_t without)
{
    uint32_t seen = 1u << from & ~without, before = 0;
    while (seen != before) {
        before = seen;
        for (unsigned i = 0; i < g->count; i++)
            if (seen >> i & 1) seen |= g->to[i] & ~without;
    }
    return seen;
}

/* a dominates b: without a, b cannot be reached from block 0. */
static bool dominates(const struct graph *g, unsigned a, unsigned b) { return a == b || !(reach(g, 0, 1u << a) >> b & 1); }

/* The blocks of the natural loop of `header`, 0 = it is none. */
static uint32_t natural_loop(const struct graph *g, unsigned header, uint32_t reached)
{
    uint32_t loop = 0;
    for (unsigned i = 0; i < g->count; i++) {
        if (!(reached >> i & 1) || !(g->to[i] >> header & 1) || !dominates(g, header, i)) continue;
        loop |= 1u << header;
        for (unsigned k = 0; k < g->count; k++)
            if (reached >> k & 1 && k != header && reach(g, k, 1u << header) >> i & 1) loop |= 1u << k;
    }
    return loop;
}

/* Every cycle goes through a back edge to a header that dominates it. */
static bool is_reducible(const struct graph *g, uint32_t reached)
{
    struct graph rest = *g;
    for (unsigned i = 0; i < g->count; i++)
        for (unsigned k = 0; k < g->count; k++)
            if (reached >> i & 1 && g->to[i] >> k & 1 && dominates(g, k, i)) rest.to[i] &= ~(1u << k);
    for (unsigned i = 0; i < g->count; i++)
        for (unsigned k = 0; k < g->count; k++)
            if (reached >> i & 1 && rest.to[i] >> k & 1 && reach(&rest, k, 0) >> i & 1) return false;
    return true;
}

static bool is_in_cycle(const struct graph *g, unsigned block)
{
    for (unsigned k = 0; k < g->count; k++)
        if (g->to[block] >> k & 1 && reach(g, k, 0) >> block & 1) return true;
    return false;
}

/* ---- what we say ---- */

static void fill(struct loops_flow *flow, struct loops_nest *nest, const struct graph *g)
{
    for (unsigned i = 0; i < g->count; i++) {
        struct loops_block *b = vec_push(flow->mem, &flow->blocks);
        assert_non_null(b);
        *b = (struct loops_block){ .begin = 100 + i, .end = 101 + i, .last = 100 + i, .first_edge = (uint32_t)flow->edges.len };
        for (unsigned k = 0; k < g->count; k++) {
            if (!(g->to[i] >> k & 1)) continue;
            uint32_t *e = vec_push(flow->mem, &flow->edges);
            assert_non_null(e);
            *e = k;
            b->edge_count++;
        }
    }
    flow->entry = 100;
    assert_true(loops_nest_fill(nest, flow));
}

/* The blocks of a loop, inner loops included. */
static uint32_t blocks_of(const struct loops_flow *flow, const struct loops_nest *nest, uint32_t loop)
{
    uint32_t set = 0;
    for (size_t i = 0; i < flow->blocks.len; i++)
        for (uint32_t l = flow->blocks.at[i].loop; l; l = nest->loops.at[l].parent)
            if (l == loop) set |= 1u << i;
    return set;
}

static void compare_loops(const struct graph *g, const struct loops_flow *flow, const struct loops_nest *nest, uint32_t reached)
{
    unsigned expected = 0, found = 0;
    for (unsigned i = 0; i < g->count; i++) {
        uint32_t loop = reached >> i & 1 ? natural_loop(g, i, reached) : 0;
        if (!loop) continue;
        expected++;
        for (uint32_t l = 1; l < nest->loops.len; l++)
            if (nest->loops.at[l].address == 100 + i) {
                assert_int_equal(blocks_of(flow, nest, l) & reached, loop);
                found++;
            }
    }
    assert_int_equal(found, expected);
    for (uint32_t l = 1; l < nest->loops.len; l++)
        if (reached >> (nest->loops.at[l].address - 100) & 1) expected--;
    assert_int_equal(expected, 0);
}

static void compare_exits(const struct graph *g, const struct loops_flow *flow, const struct loops_nest *nest)
{
    for (uint32_t l = 1; l < nest->loops.len; l++) {
        uint32_t inside = blocks_of(flow, nest, l), expected = 0, found = 0;
        for (unsigned i = 0; i < g->count; i++)
            if (inside >> i & 1 && g->to[i] & inside && g->to[i] & ~inside) expected |= 1u << i;
        for (uint32_t x = nest->loops.at[l].first_exit; x; x = nest->exits.at[x - 1].next) found |= 1u << nest->exits.at[x - 1].block;
        assert_int_equal(found, expected);
    }
}

/* What identifies a loop: the lowest of the blocks that are entered from outside, and the first of the function. */
static void compare_entries(const struct graph *g, const struct loops_flow *flow, const struct loops_nest *nest, uint32_t reached)
{
    for (uint32_t l = 1; l < nest->loops.len; l++) {
        uint32_t inside = blocks_of(flow, nest, l), entered = inside & 1;
        if (inside & ~reached) continue;
        for (unsigned i = 0; i < g->count; i++)
            if (reached >> i & 1 && !(inside >> i & 1)) entered |= g->to[i] & inside;
        assert_int_equal(nest->loops.at[l].address, 100 + (unsigned)__builtin_ctz(entered));
    }
}

static void test_random_graphs(void **state)
{
    struct mem mem;
    unsigned reducible = 0, tangled = 0;
    (void)state;
    mem_init(&mem, 0);
    for (int n = 0; n < GRAPHS; n++) {
        struct graph g = make_graph();
        struct loops_flow flow = { .mem = &mem };
        struct loops_nest nest = { .steps = 0 };
        uint32_t reached = reach(&g, 0, 0);
        fill(&flow, &nest, &g);
        bool is_plain = is_reducible(&g, reached);
        *(is_plain ? &reducible : &tangled) += 1;
        if (is_plain) compare_loops(&g, &flow, &nest, reached);
        compare_exits(&g, &flow, &nest);
        compare_entries(&g, &flow, &nest, reached);
        for (unsigned i = 0; i < g.count; i++) assert_int_equal(flow.blocks.at[i].loop != 0, is_in_cycle(&g, i));
        loops_nest_done(&nest, &mem);
        loops_flow_done(&flow);
    }
    assert_true(reducible > GRAPHS / 4 && tangled > GRAPHS / 20);
    assert_int_equal(mem.used, 0);
}

/* A loop with two entries is named by the lower one, whichever the walk found first. */
static void test_two_entries(void **state)
{
    static const struct {
        struct graph g;
        unsigned address;
        uint32_t blocks;
    } cases[] = {
        { { .count = 4, .to = { 1u << 1 | 1u << 2, 1u << 2 | 1u << 3, 1u << 1 } }, 101, 1u << 1 | 1u << 2 },
        { { .count = 4, .to = { 1u << 1 | 1u << 2, 1u << 3, 1u << 3, 1u << 2 } }, 102, 1u << 2 | 1u << 3 },
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct mem mem;
        struct loops_flow flow = { .mem = &mem };
        struct loops_nest nest = { .steps = 0 };
        mem_init(&mem, 0);
        fill(&flow, &nest, &cases[i].g);
        assert_int_equal(nest.loops.len, 2);
        assert_int_equal(nest.loops.at[1].address, cases[i].address);
        assert_int_equal(blocks_of(&flow, &nest, 1), cases[i].blocks);
        loops_nest_done(&nest, &mem);
        loops_flow_done(&flow);
    }
}

/* A ladder of back edges as deep as a function may have: neither the stack nor the time runs away. */
static void test_deep_nest(void **state)
{
    enum { DEPTH = 200000 };
    struct mem mem;
    struct loops_flow flow = { .mem = &mem, .entry = 0 };
    struct loops_nest nest = { .steps = 0 };
    (void)state;
    mem_init(&mem, 0);
    for (uint32_t i = 0; i < DEPTH; i++) {
        struct loops_block *b = vec_push(&mem, &flow.blocks);
        uint32_t *e = vec_reserve(&mem, &flow.edges, 2) ? flow.edges.at + flow.edges.len : NULL;
        assert_true(b && e);
        *b = (struct loops_block){ .begin = i, .end = i + 1, .last = i, .first_edge = (uint32_t)flow.edges.len, .edge_count = i + 1 < DEPTH ? 2 : 1 };
        e[0] = i + 1 < DEPTH ? i + 1 : 0;
        e[1] = DEPTH - 1 - i;
        flow.edges.len += b->edge_count;
    }
    assert_true(loops_nest_fill(&nest, &flow));
    assert_true(nest.steps < LOOPS_MAX_STEPS + DEPTH);
    assert_true(nest.loops.len == 1 || nest.steps <= LOOPS_MAX_STEPS);
    loops_nest_done(&nest, &mem);
    loops_flow_done(&flow);
    assert_int_equal(mem.used, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_random_graphs), cmocka_unit_test(test_two_entries), cmocka_unit_test(test_deep_nest) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Outermost instances, against a walk up from each node. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "analysis/core/outermost.h"

enum { NODES = 400, FUNCS = 12, BIT = 4 };

struct sample {
    assay_node_id parent[NODES + 1];
    assay_func_id func[NODES + 1];
    uint8_t kind[NODES + 1], relation[NODES + 1];
    struct assay_tree tree;
};

/* Children stand anywhere behind their parents, not in the order of a walk; `near` keeps them close to it, so that trees are deep. */
static void make(struct sample *s, unsigned seed, uint32_t near)
{
    srand(seed);
    for (uint32_t id = 1; id <= NODES; id++) {
        uint32_t low = id > near ? id - near : 0;
        s->parent[id].v = low + (uint32_t)rand() % (id - low);
        s->func[id].v = (uint32_t)rand() % FUNCS;
        s->kind[id] = rand() % 8 == 0 ? ASSAY_NODE_ENTRY : rand() % 4 == 0 ? ASSAY_NODE_LINE : ASSAY_NODE_FUNCTION;
        s->relation[id] = rand() % 2 ? ASSAY_RELATION_CALL : ASSAY_RELATION_LEXICAL;
    }
    s->tree = (struct assay_tree){ .count = NODES, .parent = s->parent, .func = s->func, .kind = s->kind, .relation = s->relation };
}

static uint32_t key_at(const struct frames *f, const uint32_t *key_of, uint32_t node)
{
    uint32_t func = f->owner[node] == node ? frames_func(f, node) : 0;
    return func && key_of ? key_of[func] : func;
}

static bool is_outermost(const struct frames *f, const uint32_t *key_of, uint32_t node)
{
    uint32_t key = key_at(f, key_of, node);
    for (uint32_t above = f->tree->parent[node].v; key && above; above = f->tree->parent[above].v)
        if (key_at(f, key_of, above) == key) return false;
    return key != 0;
}

static void compare(unsigned seed, uint32_t near, const uint32_t *key_of)
{
    static struct sample s;
    uint8_t marks[NODES + 1] = { 0 };
    struct mem mem;
    struct frames f;
    make(&s, seed, near);
    mem_init(&mem, 0);
    assert_int_equal(frames_init(&f, &s.tree, &mem, NULL), 0);
    marks[NODES] = 1; /* other bits stay */
    assert_int_equal(outermost_mark(&f, key_of, FUNCS, marks, BIT, NULL), 0);
    for (uint32_t id = 1; id <= NODES; id++) {
        uint8_t want = (uint8_t)((is_outermost(&f, key_of, id) ? BIT : 0) | (id == NODES));
        if (marks[id] != want) fail_msg("seed %u, within %u: node %u has %u, not %u", seed, near, id, marks[id], want);
    }
    frames_done(&f);
    assert_int_equal(mem.used, 0);
}

static void as_a_walk_up_finds_them(void **state)
{
    static const uint32_t pairs[FUNCS] = { 0, 1, 1, 2, 2, 0, 3, 3, 4, 4, 5, 5 };
    (void)state;
    for (unsigned seed = 1; seed <= 20; seed++)
        for (uint32_t near = 1; near <= NODES; near *= 5) {
            compare(seed, near, NULL);
            compare(seed, near, pairs);
        }
}

static void no_memory_is_said(void **state)
{
    (void)state;
    static struct sample s;
    uint8_t marks[NODES + 1] = { 0 };
    make(&s, 1, NODES);
    for (uint64_t n = 2; n <= 4; n++) {
        struct mem mem;
        struct frames f;
        mem_init(&mem, 0);
        mem.fail_at = n;
        assert_int_equal(frames_init(&f, &s.tree, &mem, NULL), 0);
        assert_int_equal(outermost_mark(&f, NULL, FUNCS, marks, BIT, NULL), ASSAY_ERR_MEMORY);
        frames_done(&f);
        assert_int_equal(mem.used, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_a_walk_up_finds_them),
        cmocka_unit_test(no_memory_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The exact call tree of Xdebug text: a node for each invocation, and one for each context, against programs made up here. */
#include "cg.h"

#define HEAD "version: 1\ncreator: xdebug 3.2.0 (PHP 8.2.35)\ncmd: x.php\npart: 1\npositions: line\n\nevents: Time_(10ns) Memory_(bytes)\n\n"

/* ---- by hand ---- */

static uint32_t scope(const assay_profile *p, const char *metric, const char *name)
{
    const struct assay_scopes *s = assay_profile_scopes(p);
    for (uint32_t i = 1; i <= s->count; i++)
        if (strcmp(cg_str(p, assay_profile_metrics(p)->name[s->metric[i].v]), metric) == 0 &&
            (*name ? s->kind[i] == ASSAY_SCOPE_CUSTOM && strcmp(cg_str(p, s->name[i]), name) == 0 : s->kind[i] == ASSAY_SCOPE_POINT))
            return i;
    fail_msg("no scope '%s' of %s", name, metric);
    return 0;
}

static int64_t value(const assay_profile *p, uint32_t stream, uint32_t node, const char *metric, const char *name)
{
    assay_value v;
    assert_int_equal(assay_tree_value(p, (assay_stream_id){ stream }, (assay_node_id){ node }, (assay_scope_id){ scope(p, metric, name) }, &v, NULL), 0);
    return v.i;
}

struct expected {
    const char *name;
    uint32_t parent, line;
    uint64_t calls;
    int64_t self, call; /* time */
};

static void assert_tree(const assay_profile *p, const struct expected *nodes, uint32_t count)
{
    const struct assay_tree *t = assay_profile_tree(p);
    assert_int_equal(t->count, count);
    for (uint32_t i = 1; i <= count; i++) {
        const struct expected *e = &nodes[i - 1];
        assert_string_equal(cg_func_name(p, t->func[i]), e->name);
        assert_int_equal(t->parent[i].v, e->parent);
        assert_int_equal(t->line ? t->line[i] : 0, e->line);
        assert_int_equal(t->calls[i], e->calls);
        assert_int_equal(value(p, 1, i, "Time_(10ns)", ""), e->self);
        assert_int_equal(value(p, 1, i, "Time_(10ns)", "call"), e->call);
    }
}

/* {main} calls f at 10 and 12; f calls g at 4, and in its second invocation itself at 5, which calls g at 4. */
#define G "fl=(1)\nfn=(2) g\n7 1 8\n\n"
#define CALL(id, line, cost) "cfl=(1)\ncfn=(" id ")\ncalls=1 0 0\n" line " " cost "\n"
#define PROGRAM                                                                                                                                                \
    "fl=(1) x.php\nfn=(2) g\n7 1 8\n\nfl=(1)\nfn=(1) f\n3 10 0\n" CALL("2", "4", "2 8") "\n" G G "fl=(1)\nfn=(1)\n3 20 0\n" CALL(                              \
        "2", "4", "1 8") "\nfl=(1)\nfn=(1)\n3 30 0\n" CALL("2", "4", "1 8") CALL("1", "5", "21 8") "\n"
#define FINISH "fl=(1)\nfn=(3) {main}\n1 100 0\n" CALL("1", "10", "12 8") CALL("1", "12", "53 16") "\nsummary: 200 300\n\n"

static void a_whole_tree_has_a_node_for_each_invocation_in_time_order(void **state)
{
    (void)state;
    static const struct expected nodes[] = {
        { "{main}", 0, 0, 1, 100, 0 }, { "f", 1, 10, 1, 10, 12 }, { "g", 2, 4, 1, 1, 2 }, { "f", 1, 12, 1, 30, 53 },
        { "g", 4, 4, 1, 1, 1 },        { "f", 4, 5, 1, 20, 21 },  { "g", 6, 4, 1, 1, 1 },
    };
    assay_profile *p = cg_read(HEAD PROGRAM FINISH, ASSAY_WANT_WHOLE);
    const struct assay_tree *t = assay_profile_tree(p);
    assert_true(t->is_whole);
    assert_int_equal(t->count, 7);
    /* siblings are in time order, whatever the numbers of nodes in different branches are */
    uint32_t at[8] = { 0 };
    for (uint32_t i = 0; i < 7; i++) {
        uint32_t parent = nodes[i].parent ? at[nodes[i].parent] : 0, found = 0;
        for (uint32_t n = 1; n <= 7 && !found; n++)
            if (t->parent[n].v == parent && (t->line ? t->line[n] : 0) == nodes[i].line) found = n;
        assert_true(found > parent);
        at[i + 1] = found;
        assert_string_equal(cg_func_name(p, t->func[found]), nodes[i].name);
        assert_int_equal(t->calls[found], 1);
        assert_int_equal(value(p, 1, found, "Time_(10ns)", ""), nodes[i].self);
        assert_int_equal(value(p, 1, found, "Time_(10ns)", "call"), nodes[i].call);
    }
    assert_true(at[2] < at[4]);
    assert_true(at[5] < at[6]);
    assert_int_equal(value(p, 1, at[4], "Memory_(bytes)", "call"), 16);
    assert_int_equal(value(p, 1, at[3], "Memory_(bytes)", ""), 8);
    assay_profile_release(p);
}

static void a_merged_tree_has_a_node_for_each_context(void **state)
{
    (void)state;
    static const struct expected nodes[] = {
        { "{main}", 0, 0, 1, 100, 0 }, { "f", 1, 0, 2, 40, 65 }, { "g", 2, 0, 2, 2, 3 }, { "f", 2, 0, 1, 20, 21 }, { "g", 4, 0, 1, 1, 1 },
    };
    assay_profile *p = cg_read(HEAD PROGRAM FINISH, ASSAY_WANT_TREE);
    assert_false(assay_profile_tree(p)->is_whole);
    assert_tree(p, nodes, 5);
    assay_profile_release(p);
}

static void what_nobody_claimed_in_an_aborted_run_are_its_roots(void **state)
{
    (void)state;
    static const struct expected whole[] = { { "g", 0, 0, 1, 1, 0 }, { "f", 0, 0, 1, 10, 0 }, { "g", 2, 4, 1, 1, 2 }, { "g", 0, 0, 1, 1, 0 } };
    static const struct expected merged[] = { { "g", 0, 0, 2, 2, 0 }, { "f", 0, 0, 1, 10, 0 }, { "g", 2, 0, 1, 1, 2 } };
    static const char text[] = HEAD "fl=(1) x.php\nfn=(2) g\n7 1 8\n\n" G "fl=(1)\nfn=(1) f\n3 10 0\n" CALL("2", "4", "2 8") "\n" G;
    assay_profile *p = cg_read(text, ASSAY_WANT_WHOLE);
    const struct assay_tree *t = assay_profile_tree(p);
    assert_int_equal(t->count, 4);
    uint32_t roots = 0;
    for (uint32_t i = 1; i <= 4; i++) roots += t->parent[i].v == 0;
    assert_int_equal(roots, 3);
    for (uint32_t i = 1; i <= 4; i++)
        for (size_t k = 0; k < 4; k++)
            if (t->parent[i].v && whole[k].parent) assert_int_equal(value(p, 1, i, "Time_(10ns)", "call"), whole[k].call);
    assay_profile_release(p);
    p = cg_read(text, ASSAY_WANT_TREE);
    assert_tree(p, merged, 3);
    assay_profile_release(p);
}

/* The file ends after the first call of {main}: whether that is the only one cannot be known. */
static void a_block_that_is_cut_claims_nothing(void **state)
{
    (void)state;
    static const uint32_t wants[] = { ASSAY_WANT_WHOLE, ASSAY_WANT_TREE };
    for (int i = 0; i < 2; i++) {
        assay_profile *p =
            cg_read(HEAD "fl=(1) x.php\nfn=(1) f\n3 10 0\n\nfl=(1)\nfn=(2) g\n7 5 0\n\nfl=(1)\nfn=(3) {main}\n1 100 0\n" CALL("1", "4", "10 0"), wants[i]);
        const struct assay_tree *t = assay_profile_tree(p);
        assert_int_equal(t->count, 3);
        for (uint32_t n = 1; n <= 3; n++) assert_int_equal(t->parent[n].v, 0);
        assert_null(cg_warning(p, "CG19"));
        assay_profile_release(p);
    }
}

/* Each step of a generator is an invocation; its caller has as many calls. */
static void each_step_of_a_generator_is_an_invocation(void **state)
{
    (void)state;
    static const char text[] =
        HEAD "fl=(1) x.php\nfn=(1) gen\n3 1 0\n\nfl=(1)\nfn=(1)\n3 2 0\n\nfl=(1)\nfn=(1)\n3 4 0\n\nfl=(1)\nfn=(2) {main}\n1 9 0\n" CALL("1", "8", "1 0")
            CALL("1", "8", "2 0") CALL("1", "8", "4 0") "\nsummary: 20 0\n\n";
    static const struct expected whole[] = { { "{main}", 0, 0, 1, 9, 0 }, { "gen", 1, 8, 1, 1, 1 }, { "gen", 1, 8, 1, 2, 2 }, { "gen", 1, 8, 1, 4, 4 } };
    static const struct expected merged[] = { { "{main}", 0, 0, 1, 9, 0 }, { "gen", 1, 0, 3, 7, 7 } };
    assay_profile *p = cg_read(text, ASSAY_WANT_WHOLE);
    assert_tree(p, whole, 4);
    assay_profile_release(p);
    p = cg_read(text, ASSAY_WANT_TREE);
    assert_tree(p, merged, 2);
    assay_profile_release(p);
}

static void text_that_is_no_tree_gives_the_graph_only(void **state)
{
    (void)state;
    static const char *const texts[] = {
        HEAD "fl=(1) x.php\nfn=(1) f\n3 10 0\n\nfl=(1)\nfn=(3) {main}\n1 100 0\n" CALL("1", "4", "10 0") CALL("1", "5", "10 0") "\nsummary: 200 0\n\n",
        HEAD "fl=(1) x.php\nfn=(1) f\n3 10 0\n\nfl=(1)\nfn=(3) {main}\n1 100 0\ncfl=(1)\ncfn=(1)\ncalls=2 0 0\n4 20 0\n\nsummary: 200 0\n\n",
    };
    static const uint32_t wants[] = { ASSAY_WANT_WHOLE, ASSAY_WANT_TREE };
    for (int i = 0; i < 4; i++) {
        assay_profile *p = cg_read(texts[i / 2], wants[i % 2] | ASSAY_WANT_GRAPH);
        assert_int_equal(assay_profile_shapes(p), ASSAY_SHAPE_GRAPH);
        assert_int_equal(assay_profile_tree(p)->count, 0);
        assert_int_equal(cg_warning(p, "CG19")->severity, ASSAY_WARNING);
        assert_int_equal(cg_self(p, "{main}", 0), 100);
        ASSERT_ARC(p, "{main}", ANY, "f", 2, 20);
        assay_profile_release(p);
    }
}

static void runs_have_their_own_values_and_share_contexts(void **state)
{
    (void)state;
    assay_profile *p =
        cg_read(HEAD PROGRAM FINISH
                "version: 1\ncreator: xdebug 3.2.0\n\nevents: Other Time_(10ns)\n\nfl=(1) x.php\nfn=(1) f\n3 7 1000\n\nfl=(1)\nfn=(3) {main}\n1 1 5\n"
                "cfl=(1)\ncfn=(1)\ncalls=1 0 0\n10 7 1000\n\nsummary: 9 9\n\n",
                ASSAY_WANT_TREE);
    assert_int_equal(assay_profile_tree(p)->count, 5);
    assert_int_equal(value(p, 1, 2, "Time_(10ns)", ""), 40);
    assert_int_equal(value(p, 2, 2, "Time_(10ns)", ""), 1000);
    assert_int_equal(value(p, 2, 2, "Time_(10ns)", "call"), 1000);
    assert_int_equal(value(p, 2, 2, "Other", ""), 7);
    assert_int_equal(value(p, 1, 2, "Other", ""), 0);
    assert_int_equal(value(p, 2, 1, "Time_(10ns)", ""), 5);
    assert_int_equal(assay_profile_tree(p)->calls[2], 3);
    assay_profile_release(p);
}

/* A second run that begins without a function must not inherit figures of the first. */
static void costs_without_a_function_begin_a_block_of_their_own(void **state)
{
    (void)state;
    assay_profile *p = cg_read(HEAD "fl=(1) x.php\nfn=(1) f\n3 10 4\n\nsummary: 10 4\n\nversion: 1\ncreator: xdebug 3.2.0\nevents: Time_(10ns) Memory_(bytes) "
                                    "More\n3 1 2 3\n\nfn=g\n1 5 5 5\n\n",
                               ASSAY_WANT_WHOLE);
    const struct assay_tree *t = assay_profile_tree(p);
    assert_int_equal(t->count, 3);
    for (uint32_t i = 1; i <= 3; i++) {
        const char *name = cg_func_name(p, t->func[i]);
        assert_int_equal(value(p, *name == 'f' ? 1 : 2, i, "Time_(10ns)", ""), *name == 'f' ? 10 : *name == 'g' ? 5 : 1);
    }
    assay_profile_release(p);
}

/* ---- programs made up ---- */

struct call {
    uint32_t parent, func, line;
    uint32_t first, last, next; /* children, by number; 0 = none ({main} is 0 and nobody's child) */
    int64_t self[2], charged[2], took[2];
};

struct program {
    struct call *at;
    uint32_t count, funcs;
};

static uint64_t next_random(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return *seed >> 33;
}

/* Parents have smaller numbers than children, and stand at most `reach` before them: 1 gives a chain. */
static struct program make(uint64_t seed, uint32_t count, uint32_t funcs, uint32_t reach)
{
    struct program g = { calloc(count, sizeof(struct call)), count, funcs };
    assert_non_null(g.at);
    for (uint32_t i = 0; i < count; i++) {
        struct call *c = &g.at[i];
        c->self[0] = (int64_t)(next_random(&seed) % 1000);
        c->self[1] = (int64_t)(next_random(&seed) % 3 ? 0 : next_random(&seed) % 100);
        c->func = i ? 1 + (uint32_t)(next_random(&seed) % funcs) : 0;
        if (!i) continue;
        c->line = 1 + (uint32_t)(next_random(&seed) % 50);
        c->parent = i - 1 - (uint32_t)(next_random(&seed) % (reach < i ? reach : i));
        struct call *up = &g.at[c->parent];
        if (up->last)
            g.at[up->last].next = i;
        else
            up->first = i;
        up->last = i;
    }
    for (uint32_t i = count; i-- > 0;) {
        struct call *c = &g.at[i];
        for (int k = 0; k < 2; k++) {
            c->took[k] += c->self[k];
            c->charged[k] = c->took[k] + (k == 0 ? (int64_t)(next_random(&seed) % 3) - 1 : 0);
            if (c->charged[k] < 0) c->charged[k] = 0;
            if (i) g.at[c->parent].took[k] += c->charged[k];
        }
    }
    return g;
}

static void print_block(struct text *t, const struct program *g, uint32_t i, uint8_t *defined)
{
    const struct call *c = &g->at[i];
    text_printf(t, "fl=(1)%s\nfn=(%u)", defined[g->funcs + 1] ? "" : " x.php", c->func + 1);
    if (!defined[c->func]) c->func ? text_printf(t, " function_%u", c->func) : text_printf(t, " {main}");
    defined[g->funcs + 1] = defined[c->func] = 1;
    text_printf(t, "\n%u %lld %lld\n", c->func, (long long)c->self[0], (long long)c->self[1]);
    for (uint32_t k = c->first; k; k = g->at[k].next) {
        const struct call *kid = &g->at[k];
        text_printf(t, "cfl=(1)\ncfn=(%u)\ncalls=1 0 0\n%u %lld %lld\n", kid->func + 1, kid->line, (long long)kid->charged[0], (long long)kid->charged[1]);
    }
    text_printf(t, "\n");
}

/* As Xdebug does it: a block when the invocation returns. */
static struct text print(const struct program *g)
{
    struct text t = { 0 };
    uint8_t *defined = calloc(g->funcs + 2, 1);
    uint32_t *todo = calloc(g->count, sizeof *todo);
    text_printf(&t, HEAD);
    for (uint32_t i = 0; i < g->count; i++) todo[i] = g->at[i].first;
    for (uint32_t i = 0;;) {
        if (todo[i]) {
            uint32_t kid = todo[i];
            todo[i] = g->at[kid].next;
            i = kid;
            continue;
        }
        print_block(&t, g, i, defined);
        if (!i) break;
        i = g->at[i].parent;
    }
    text_printf(&t, "summary: %lld %lld\n\n", (long long)g->at[0].took[0] + 50, (long long)g->at[0].took[1]);
    free(defined);
    free(todo);
    return t;
}

struct figures {
    int64_t at[2][2]; /* metric; self, charged */
};

struct walk {
    struct figures *at;
    uint32_t column;
};

static int take_cell(void *arg, const assay_cell *cell)
{
    struct walk *w = arg;
    w->at[cell->node].at[w->column / 2][w->column % 2] = cell->value.i;
    return 0;
}

static struct figures *figures(const assay_profile *p)
{
    static const char *const metrics[] = { "Time_(10ns)", "Memory_(bytes)" }, *const names[] = { "", "call" };
    struct walk w = { calloc(assay_profile_tree(p)->count + 1, sizeof(struct figures)), 0 };
    for (w.column = 0; w.column < 4; w.column++) {
        assay_scope_id s = { scope(p, metrics[w.column / 2], names[w.column % 2]) };
        assert_int_equal(assay_tree_column(p, (assay_stream_id){ 1 }, s, take_cell, &w, NULL), 0);
    }
    return w.at;
}

static bool is_func(const assay_profile *p, uint32_t node, uint32_t func)
{
    char name[32];
    snprintf(name, sizeof name, func ? "function_%u" : "{main}", func);
    return strcmp(cg_func_name(p, assay_profile_tree(p)->func[node]), name) == 0;
}

/* First child and next sibling of each node of a profile, in the order of numbers. */
static void links(const struct assay_tree *t, uint32_t **first, uint32_t **next)
{
    *first = calloc(t->count + 1, sizeof **first);
    *next = calloc(t->count + 1, sizeof **next);
    for (uint32_t i = t->count; i > 0; i--) {
        assert_true(t->parent[i].v < i);
        (*next)[i] = (*first)[t->parent[i].v];
        (*first)[t->parent[i].v] = i;
    }
}

static void compare_whole(const struct program *g, const char *text)
{
    assay_profile *p = cg_read(text, ASSAY_WANT_WHOLE);
    const struct assay_tree *t = assay_profile_tree(p);
    uint32_t *first, *next, *node = calloc(g->count, sizeof *node);
    assert_int_equal(t->count, g->count);
    struct figures *f = figures(p);
    links(t, &first, &next);
    node[0] = first[0];
    assert_int_equal(next[first[0]], 0);
    for (uint32_t i = 0; i < g->count; i++) {
        const struct call *c = &g->at[i];
        uint32_t n = node[i], kid = first[n];
        assert_true(is_func(p, n, c->func));
        assert_int_equal(t->line ? t->line[n] : 0, c->line);
        for (int k = 0; k < 2; k++) assert_int_equal(f[n].at[k][0], c->self[k]);
        for (int k = 0; k < 2; k++) assert_int_equal(f[n].at[k][1], i ? c->charged[k] : 0);
        for (uint32_t k = c->first; k; k = g->at[k].next, kid = next[kid]) {
            assert_int_not_equal(kid, 0);
            node[k] = kid;
        }
        assert_int_equal(kid, 0);
    }
    free(first);
    free(next);
    free(node);
    free(f);
    assay_profile_release(p);
}

/* Calls in the order they began, which is the order in which contexts are first used. */
static uint32_t *in_order(const struct program *g)
{
    uint32_t *order = calloc(g->count, sizeof *order), *todo = calloc(g->count, sizeof *todo), n = 0;
    for (uint32_t i = 0; i < g->count; i++) todo[i] = g->at[i].first;
    order[n++] = 0;
    for (uint32_t i = 0; i || todo[0];) {
        uint32_t kid = todo[i];
        if (!kid) {
            i = g->at[i].parent;
            continue;
        }
        todo[i] = g->at[kid].next;
        order[n++] = i = kid;
    }
    assert_int_equal(n, g->count);
    free(todo);
    return order;
}

/* Merges the calls by hand and compares with the contexts. */
static void compare_merged(const struct program *g, const char *text)
{
    assay_profile *p = cg_read(text, ASSAY_WANT_TREE);
    const struct assay_tree *t = assay_profile_tree(p);
    uint32_t *first, *next, *node = calloc(g->count, sizeof *node), *order = in_order(g), used = 0;
    uint64_t *calls = calloc(t->count + 1, sizeof *calls);
    struct figures *f = figures(p), *sums = calloc(t->count + 1, sizeof *sums);
    uint32_t *newest = calloc(t->count + 1, sizeof *newest); /* the last child that was first used */
    links(t, &first, &next);
    for (uint32_t j = 0; j < g->count; j++) {
        uint32_t i = order[j], up = i ? node[g->at[i].parent] : 0, n = first[up];
        const struct call *c = &g->at[i];
        while (n && !is_func(p, n, c->func)) n = next[n];
        assert_int_not_equal(n, 0);
        node[i] = n;
        if (!calls[n]++) {
            used++;
            assert_true(newest[up] < n); /* siblings in the order of first use */
            newest[up] = n;
        }
        for (int k = 0; k < 2; k++) sums[n].at[k][0] += c->self[k];
        for (int k = 0; i && k < 2; k++) sums[n].at[k][1] += c->charged[k];
    }
    assert_int_equal(used, t->count);
    for (uint32_t n = 1; n <= t->count; n++) assert_int_equal(t->calls[n], calls[n]);
    assert_memory_equal(f, sums, (t->count + 1) * sizeof *f);
    free(first);
    free(next);
    free(node);
    free(order);
    free(calls);
    free(f);
    free(sums);
    free(newest);
    assay_profile_release(p);
}

static void random_programs_come_back_call_by_call_and_context_by_context(void **state)
{
    (void)state;
    static const struct {
        uint32_t count, funcs, reach;
    } shapes[] = { { 1, 1, 1 }, { 2, 1, 1 }, { 30, 2, 3 }, { 300, 3, 300 }, { 3000, 5, 40 }, { 3000, 60, 8 }, { 20000, 12, 2000 } };
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (uint64_t seed = 1; seed <= 4; seed++) {
            struct program g = make(seed * 77, shapes[i].count, shapes[i].funcs, shapes[i].reach);
            struct text t = print(&g);
            compare_whole(&g, t.at);
            compare_merged(&g, t.at);
            text_free(&t);
            free(g.at);
        }
}

static void a_chain_of_ten_thousand_calls_is_as_deep_as_it_is(void **state)
{
    (void)state;
    for (uint32_t funcs = 1; funcs <= 3; funcs += 2) {
        struct program g = make(5, 10000, funcs, 1);
        struct text t = print(&g);
        compare_whole(&g, t.at);
        compare_merged(&g, t.at);
        assay_profile *p = cg_read(t.at, ASSAY_WANT_TREE);
        assert_int_equal(assay_profile_tree(p)->count, 10000);
        assay_profile_release(p);
        text_free(&t);
        free(g.at);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_whole_tree_has_a_node_for_each_invocation_in_time_order),
        cmocka_unit_test(a_merged_tree_has_a_node_for_each_context),
        cmocka_unit_test(what_nobody_claimed_in_an_aborted_run_are_its_roots),
        cmocka_unit_test(a_block_that_is_cut_claims_nothing),
        cmocka_unit_test(each_step_of_a_generator_is_an_invocation),
        cmocka_unit_test(text_that_is_no_tree_gives_the_graph_only),
        cmocka_unit_test(runs_have_their_own_values_and_share_contexts),
        cmocka_unit_test(costs_without_a_function_begin_a_block_of_their_own),
        cmocka_unit_test(random_programs_come_back_call_by_call_and_context_by_context),
        cmocka_unit_test(a_chain_of_ten_thousand_calls_is_as_deep_as_it_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

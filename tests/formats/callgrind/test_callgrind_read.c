/* Every construct of the grammar, with figures worked out by hand from docs/formats/callgrind.md. */
#include "cg.h"

#include <zlib.h>

#define E1 "events: Ir\n"

/* ---- names and ids ---- */

static void ids_are_apart_for_objects_files_and_functions_and_hold_for_one_part(void **state)
{
    (void)state;
    assay_profile *p = cg_read(E1 "ob=(1) prog\nfl=(1) a.c\nfn=(1) f\n1 1\nob=(1)\nfl=(1)\nfn=(1)\n2 2\n"
                                  "part: 2\n" E1 "ob=(1) other\nfl=(1) b.c\nfn=(1) g\n1 4\n",
                               ASSAY_WANT_GRAPH);
    assert_int_equal(assay_profile_funcs(p)->count, 2);
    assert_int_equal(cg_self(p, "f", 0), 3);
    assert_int_equal(cg_self(p, "g", 0), 4);
    assert_string_equal(cg_func_file(p, cg_func(p, "f")), "a.c");
    assert_string_equal(cg_func_module(p, cg_func(p, "f")), "prog");
    assert_string_equal(cg_func_module(p, cg_func(p, "g")), "other");
    assert_int_equal(assay_profile_streams(p)->count, 2);
    assay_profile_release(p);
}

static void an_id_stands_for_the_string_only(void **state)
{
    (void)state;
    assay_profile *p = cg_read(E1 "fl=(1) a.c\nfn=(1) eval\n1 1\nfl=(2) b.c\nfn=(1)\n1 2\n", ASSAY_WANT_GRAPH);
    assert_int_equal(cg_self(p, "a.c|eval", 0), 1);
    assert_int_equal(cg_self(p, "b.c|eval", 0), 2);
    assay_profile_release(p);
}

static void a_redefined_id_has_its_new_name_from_there_on(void **state)
{
    (void)state;
    assay_profile *p = cg_read(E1 "fn=(1) f\n1 1\nfn=(1) g\n1 2\nfn=(1)\n2 4\n", ASSAY_WANT_GRAPH);
    assert_int_equal(cg_self(p, "f", 0), 1);
    assert_int_equal(cg_self(p, "g", 0), 6);
    assert_int_equal(cg_warning(p, "CG05")->line, 4);
    assay_profile_release(p);
}

static void sparse_ids_cost_no_memory_in_proportion(void **state)
{
    (void)state;
    static const char text[] = E1 "fn=(2000000000) f\n1 1\nfn=(2147483647) g\n1 2\nfn=(0) h\n1 8\nfn=(2000000000)\n2 4\nfn=(2147483647)\n3 16\n";
    struct assay_read_options o = { .format = "callgrind", .want = ASSAY_WANT_GRAPH, .max_memory = 16 << 20 };
    assay_profile *p = NULL;
    assert_int_equal(assay_read_memory(text, sizeof text - 1, "sample", &o, &p, NULL), 0);
    assert_int_equal(cg_self(p, "f", 0), 5);
    assert_int_equal(cg_self(p, "g", 0), 18);
    assert_int_equal(cg_self(p, "h", 0), 8);
    assay_profile_release(p);
}

static void an_id_that_moves_from_the_hash_to_the_array_keeps_its_newest_name(void **state)
{
    (void)state;
    struct text t = { 0 };
    text_printf(&t, E1 "fn=(133000) old\n1 1\n");
    for (int i = 0; i < 1000; i++) text_printf(&t, "fn=(%d) f%d\n1 1\n", i, i);
    text_printf(&t, "fn=(133000)\n2 2\nfn=(133001) x\n1 1\nfn=(133000)\n3 4\nfn=(133000) new\n1 8\nfn=(133000)\n2 16\n");
    assay_profile *p = cg_read(t.at, ASSAY_WANT_GRAPH);
    assert_int_equal(cg_self(p, "old", 0), 7);
    assert_int_equal(cg_self(p, "new", 0), 24);
    assay_profile_release(p);
    text_free(&t);
}

static uint64_t lines_of(const char *text)
{
    assay_profile *p = cg_read(text, ASSAY_WANT_GRAPH | ASSAY_WANT_COUNTS);
    const struct assay_counts *c = assay_profile_counts(p);
    uint64_t lines = UINT64_MAX;
    for (uint32_t i = 0; i < c->count; i++)
        if (strcmp(assay_profile_string(p, c->name[i]).data, "lines") == 0) lines = c->value[i];
    assay_profile_release(p);
    return lines;
}

/* Steps are taken many at a time, but not where a file has no line yet, lines lie far out, or the bits end. */
static void each_line_with_a_cost_is_counted_once(void **state)
{
    (void)state;
    assert_int_equal(lines_of(E1 "fl=a\nfn=f\n1 1\n+1 2\n+9 3\n-9 4\n* 5\n+1 6\n-2 7\n* 8\n* 9\n* 10\n"), 4);             /* 1 2 11 3 */
    assert_int_equal(lines_of(E1 "fl=a\nfn=f\n2000000 1\n+1 2\n-1 3\n* 4\n5 5\n+3 6\n* 7\n+9 8\n+9 9\n* 10\n* 11\n"), 6); /* 2000000 2000001 5 8 17 26 */
    assert_int_equal(lines_of(E1 "fl=a\nfn=f\n60 1\n+3 2\n+1 3\n+9 4\n-9 5\n-1 6\n* 7\nfl=b\nfn=g\n60 1\n+3 2\n* 3\n* 4\n* 5\n"),
                     6); /* a 60 63 64 73, b 60 63 */
    assert_int_equal(lines_of(E1 "fl=a\nfn=f\n1048575 1\n+1 2\n-1 3\n+1 4\n* 5\n* 6\n* 7\n"), 2);
}

enum { DRAWN_NAMES = 6, DRAWN_FILES = 5, DRAWN_FUNCS = DRAWN_NAMES * DRAWN_FILES, DRAWN_BLOCKS = 400 };

struct figures {
    bool has_edge[DRAWN_FUNCS][DRAWN_FUNCS], is_met[DRAWN_FUNCS];
    uint32_t edges, pairs, funcs;
    uint64_t calls[DRAWN_FUNCS], self[DRAWN_FUNCS];
};

/* In full, or by ids, which are defined anew in each part. */
static void put_name(struct text *t, const char *spec, const char *kind, unsigned i, bool *is_known)
{
    if (!is_known)
        text_printf(t, "%s%s%u\n", spec, kind, i);
    else if (is_known[i])
        text_printf(t, "%s(%u)\n", spec, i);
    else
        text_printf(t, "%s(%u) %s%u\n", spec, i, kind, i);
    if (is_known) is_known[i] = true;
}

/* Functions of few names in few files, whose callers add their calls in a row, come again, and alternate, in two parts. */
static void put_calls(struct text *t, bool has_ids, struct figures *f)
{
    bool files[DRAWN_FILES], names[DRAWN_NAMES];
    uint32_t seed = 7;
    for (int i = 0; i < DRAWN_BLOCKS; i++) {
        if (i % (DRAWN_BLOCKS / 2) == 0) {
            text_printf(t, "%s" E1, i ? "part: 2\n" : "");
            memset(files, 0, sizeof files);
            memset(names, 0, sizeof names);
        }
        seed = seed * 1664525 + 1013904223;
        unsigned from = (seed >> 16) % DRAWN_FUNCS, count = seed >> 24 & 7;
        put_name(t, "fl=", "f", from / DRAWN_NAMES, has_ids ? files : NULL);
        put_name(t, "fn=", "n", from % DRAWN_NAMES, has_ids ? names : NULL);
        text_printf(t, "1 1\n");
        f->funcs += !f->is_met[from];
        f->is_met[from] = true;
        f->self[from] += 1;
        for (unsigned k = 0; k < count; k++) {
            seed = seed * 1664525 + 1013904223;
            unsigned to = (seed >> 16) % (i < DRAWN_BLOCKS / 2 ? DRAWN_FUNCS : DRAWN_NAMES);
            put_name(t, "cfi=", "f", to / DRAWN_NAMES, has_ids ? files : NULL);
            put_name(t, "cfn=", "n", to % DRAWN_NAMES, has_ids ? names : NULL);
            text_printf(t, "calls=2 1\n3 4\n");
            f->calls[to] += 2;
            f->edges += !f->has_edge[from][to];
            f->pairs += !f->has_edge[from][to] && from != to;
            f->has_edge[from][to] = true;
            f->funcs += !f->is_met[to];
            f->is_met[to] = true;
        }
    }
}

/* Against a table of all edges. */
static void edges_are_counted_once_however_callers_alternate(void **state)
{
    (void)state;
    for (unsigned way = 0; way < 4; way++) {
        struct figures f = { 0 };
        struct text t = { 0 };
        bool has_pairs = way & 2;
        put_calls(&t, way & 1, &f);
        assay_profile *p = cg_read(t.at, (has_pairs ? ASSAY_WANT_SUMS | ASSAY_WANT_PAIRS : ASSAY_WANT_GRAPH) | ASSAY_WANT_COUNTS);
        assert_true(f.edges > DRAWN_FUNCS * DRAWN_NAMES);
        assert_int_equal(cg_count(p, "edges"), f.edges);
        assert_int_equal(cg_count(p, "functions"), f.funcs);
        if (has_pairs) assert_int_equal(assay_profile_graph(p)->pair_count, f.pairs);
        for (unsigned i = 0; i < DRAWN_FUNCS; i++) {
            char name[16];
            snprintf(name, sizeof name, "f%u|n%u", i / DRAWN_NAMES, i % DRAWN_NAMES);
            if (f.is_met[i]) assert_int_equal(cg_calls_to(p, name), f.calls[i]);
            if (f.is_met[i]) assert_int_equal(cg_self(p, name, 0), f.self[i]);
        }
        assay_profile_release(p);
        text_free(&t);
    }
}

static void cost_lines_of_every_form_add_up(void **state)
{
    (void)state;
    enum { LINES = 20000, MOST = 300000, LONG_LINE = 12345678 };
    static bool is_met[MOST];
    static const uint32_t powers[] = { 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000, 1000000000 };
    uint32_t seed = 3;
    uint64_t sum = 0, lines = 0, line = 0;
    struct text t = { 0 };
    text_printf(&t, E1 "fl=a\nfn=f\n");
    for (int i = 0; i < LINES; i++) {
        seed = seed * 1664525 + 1013904223;
        uint32_t cost = (seed >> 3) % powers[seed >> 28 & 7], step = (seed >> 5) % powers[seed >> 26 & 3], form = seed >> 20 & 3;
        if (i % 1000 == 500) cost = powers[8]; /* ten digits */
        if (form == 0 && i) {
            text_printf(&t, "* %u\n", cost);
        } else if (form == 1 && line + step < MOST) {
            text_printf(&t, "+%u %u\n", step, cost);
            line += step;
        } else if (form == 2 && line >= step) {
            text_printf(&t, "-%u %u\n", step, cost);
            line -= step;
        } else {
            line = seed % MOST;
            text_printf(&t, "%llu %u\n", (unsigned long long)line, cost);
        }
        sum += cost;
        lines += !is_met[line];
        is_met[line] = true;
    }
    text_printf(&t, "%d 7\n+1 8\n-1 9\n", LONG_LINE);
    assay_profile *p = cg_read(t.at, ASSAY_WANT_GRAPH | ASSAY_WANT_COUNTS);
    assert_int_equal(cg_self(p, "f", 0), sum + 7 + 8 + 9);
    assert_int_equal(cg_count(p, "lines"), lines + 2);
    assert_int_equal(cg_count(p, "cost_records"), LINES + 3);
    assay_profile_release(p);
    text_free(&t);
}

static void names_that_only_look_like_ids_are_names(void **state)
{
    (void)state;
    assay_profile *p =
        cg_read(E1 "fn=(below main)\n1 1\nfn=  (anonymous namespace)::f\n1 2\nfn=(1) (below main)\n2 4\nfn=g  \n1 8\nfn=g\n1 16\nfn=(99999999999) x\n1 32\n"
                   "fn=(2) (1) odd\n1 64\nfn=\th i \n1 128\nfn=\n1 256\n",
                ASSAY_WANT_GRAPH);
    assert_int_equal(cg_self(p, "(below main)", 0), 5);
    assert_int_equal(cg_self(p, "(anonymous namespace)::f", 0), 2);
    assert_int_equal(cg_self(p, "g  ", 0), 8);
    assert_int_equal(cg_self(p, "g", 0), 16);
    assert_int_equal(cg_self(p, "(99999999999) x", 0), 32);
    assert_int_equal(cg_self(p, "(1) odd", 0), 64);
    assert_int_equal(cg_self(p, "h i ", 0), 128);
    assert_int_equal(cg_self(p, "", 0), 256);
    assay_profile_release(p);
}

static void an_undefined_id_is_shown_as_question_marks(void **state)
{
    (void)state;
    assay_profile *p = cg_read(E1 "fn=(7)\n1 5\nfn=f\n1 1\ncfn=(8)\ncalls=1 1\n2 3\n", ASSAY_WANT_GRAPH);
    assert_int_equal(cg_self(p, "???", 0), 5);
    ASSERT_ARC(p, "f", 2, "???", 1, 3);
    assay_profile_release(p);
}

/* ---- positions ---- */

static void positions_are_relative_to_the_last_cost_line_across_functions(void **state)
{
    (void)state;
    assay_profile *p = cg_read("positions: instr line\n" E1 "fl=a.c\nfn=f\n0x1000 10 1\n+3 +2 2\n* * 4\n-0x3 -2 8\nfn=g\n+0x10 +5 16\n"
                               "cfn=f\ncalls=1 +1 +1\n+1 +1 100\n+1 +1 32\n",
                               ASSAY_WANT_GRAPH);
    assert_int_equal(cg_cost_at(p, "f", "a.c", 10, 0x1000, 0), 9);
    assert_int_equal(cg_cost_at(p, "f", "a.c", 12, 0x1003, 0), 6);
    assert_int_equal(cg_cost_at(p, "g", "a.c", 15, 0x1010, 0), 16);
    assert_int_equal(cg_cost_at(p, "g", "a.c", 17, 0x1012, 0), 32);
    assert_int_equal(assay_profile_graph(p)->arc_line[0], 16);
    assert_int_equal(assay_profile_graph(p)->arc_address[0], 0x1011);
    assay_profile_release(p);
}

static void relative_positions_begin_at_0_in_each_part_and_positions_carry_over(void **state)
{
    (void)state;
    assay_profile *p = cg_read("positions: instr\n" E1 "fn=f\n0x20 1\n+1 2\npart: 2\n" E1 "fn=f\n+1 4\n", ASSAY_WANT_GRAPH);
    const struct assay_graph *g = assay_profile_graph(p);
    assert_int_equal(g->cost_count, 3);
    assert_int_equal(g->cost_address[0], 0x20);
    assert_int_equal(g->cost_address[1], 0x21);
    assert_int_equal(g->cost_address[2], 1);
    assert_true(!g->cost_line || g->cost_line[0] == 0);
    assert_int_equal(cg_self(p, "f", 0), 7);
    assay_profile_release(p);
}

static void decimal_and_hex_mean_the_same_and_ranges_count_as_their_start(void **state)
{
    (void)state;
    assay_profile *p = cg_read(E1 "fn=f\n16 1\n0x10 0x2\n0X10 +4\n16+3 8\n16-20 16\n16:20 32\n", ASSAY_WANT_GRAPH);
    assert_int_equal(cg_cost_at(p, "f", "", 16, 0, 0), 63);
    assert_int_equal(assay_profile_graph(p)->cost_count, 1);
    assay_profile_release(p);
}

static void a_relative_line_below_zero_is_zero(void **state)
{
    (void)state;
    assay_profile *p = cg_read(E1 "fn=f\n5 1\n-9 2\n+3 4\n", ASSAY_WANT_GRAPH);
    assert_int_equal(cg_cost_at(p, "f", "", 0, 0, 0), 2);
    assert_int_equal(cg_cost_at(p, "f", "", 3, 0, 0), 4);
    assay_profile_release(p);
}

/* ---- whose cost it is ---- */

static void inlined_code_belongs_to_the_function_and_stands_in_its_own_file(void **state)
{
    (void)state;
    assay_profile *p = cg_read(E1 "fl=a.c\nfn=f\n1 1\nfi=b.h\n2 2\nfe=a.c\n3 4\nfi=b.h\n4 8\nfn=g\n5 16\n", ASSAY_WANT_GRAPH);
    assert_int_equal(cg_self(p, "a.c|f", 0), 15);
    assert_int_equal(cg_cost_at(p, "f", "b.h", 2, 0, 0), 2);
    assert_int_equal(cg_cost_at(p, "f", "a.c", 3, 0, 0), 4);
    assert_int_equal(cg_cost_at(p, "f", "b.h", 4, 0, 0), 8);
    assert_int_equal(cg_cost_at(p, "g", "a.c", 5, 0, 0), 16); /* fn= goes back to the function's file */
    assay_profile_release(p);
}

static void without_any_fl_the_file_of_fi_serves(void **state)
{
    (void)state;
    assay_profile *p = cg_read(E1 "fi=a.py\nfn=f\n1 1\nfi=b.py\nfn=g\n1 2\n", ASSAY_WANT_GRAPH);
    assert_int_equal(cg_self(p, "a.py|f", 0), 1);
    assert_int_equal(cg_self(p, "b.py|g", 0), 2);
    assay_profile_release(p);
}

static void a_callee_is_in_the_current_file_and_object_unless_told_for_this_call(void **state)
{
    (void)state;
    assay_profile *p = cg_read(E1 "ob=o1\nfl=a.c\nfn=f\n1 1\nfi=b.h\ncfn=g\ncalls=1 1\n2 1\ncob=o2\ncfi=c.c\ncfn=g\ncalls=1 1\n3 2\ncfn=g\ncalls=1 1\n4 4\n"
                                  "fe=a.c\ncfl=d.c\ncfn=g\ncalls=1 1\n5 8\ncalls=1 1\n6 16\n",
                               ASSAY_WANT_GRAPH);
    ASSERT_ARC(p, "f", ANY, "b.h|g", 2, 5);
    ASSERT_ARC(p, "f", 3, "c.c|g", 1, 2);
    ASSERT_ARC(p, "f", 5, "d.c|g", 1, 8);
    ASSERT_ARC(p, "f", 6, "a.c|g", 1, 16); /* cfn= stays, cfl= does not */
    assert_string_equal(cg_func_module(p, cg_func(p, "c.c|g")), "o2");
    assert_string_equal(cg_func_module(p, cg_func(p, "b.h|g")), "o1");
    assay_profile_release(p);
}

static void the_target_of_a_damaged_call_is_not_that_of_the_next(void **state)
{
    (void)state;
    assay_profile *p = cg_read(E1 "fl=a.c\nfn=f\n1 1\ncfi=b.c\ncfn=g\ncalls=1 1\n2 1x\ncfn=g\ncalls=1 1\n3 2\n"
                                  "cfi=b.c\ncfn=g\ncalls=1 1\nfn=f\ncfn=g\ncalls=1 1\n4 4\n",
                               ASSAY_WANT_GRAPH);
    ASSERT_ARC(p, "f", ANY, "a.c|g", 2, 6);
    assert_int_equal(assay_profile_graph(p)->arc_count, 2);
    assay_profile_release(p);
}

static void the_object_stays_over_functions(void **state)
{
    (void)state;
    assay_profile *p = cg_read(E1 "ob=o1\nfl=a.c\nfn=f\n1 1\nfl=b.c\nfn=g\n1 1\nob=o2\nfn=h\n1 1\n", ASSAY_WANT_GRAPH);
    assert_string_equal(cg_func_module(p, cg_func(p, "g")), "o1");
    assert_string_equal(cg_func_module(p, cg_func(p, "h")), "o2");
    assert_string_equal(cg_func_file(p, cg_func(p, "h")), "b.c");
    assay_profile_release(p);
}

static void a_cost_without_a_function_is_booked_on_one_without_name(void **state)
{
    (void)state;
    assay_profile *p = cg_read(E1 "1 5\nfn=f\n1 1\n", ASSAY_WANT_GRAPH);
    assert_int_equal(cg_self(p, "", 0), 5);
    assay_profile_release(p);
}

/* ---- calls and jumps ---- */

static void calls_of_0_and_rcalls_are_calls_and_comments_may_stand_before_their_cost(void **state)
{
    (void)state;
    assay_profile *p = cg_read(E1 "fn=f\n1 1\ncfn=g\ncalls=0 7\n# word\n\n  \n3 2138\nrcalls=2 5\n4 20\ncalls=3\n5 30\n", ASSAY_WANT_GRAPH);
    ASSERT_ARC(p, "f", 3, "g", 0, 2138);
    ASSERT_ARC(p, "f", 4, "g", 2, 20);
    ASSERT_ARC(p, "f", 5, "g", 3, 30);
    assert_int_equal(cg_self(p, "f", 0), 1);
    assert_int_equal(cg_count(p, "calls"), 5);
    assert_int_equal(cg_count(p, "call_records"), 3);
    assay_profile_release(p);
}

static void a_surplus_cost_is_left_out_and_missing_ones_are_0(void **state)
{
    (void)state;
    assay_profile *p = cg_read("events: A B C\nfn=f\n1 1 2 3\n1 10\n1\n1 100 200\n2 1 1 1 99\n", ASSAY_WANT_GRAPH);
    assert_int_equal(cg_self(p, "f", 0), 112);
    assert_int_equal(cg_self(p, "f", 1), 203);
    assert_int_equal(cg_self(p, "f", 2), 4);
    assert_non_null(cg_warning(p, "CG06"));
    assay_profile_release(p);
}

static void jumps_have_counts_sources_and_targets_in_both_spellings(void **state)
{
    (void)state;
    assay_profile *p =
        cg_read(E1 "fl=a.c\nfn=f\n10 1\njump=5 +3\n+1\njcnd=2/7 20\n12\njcnd=9 4 30\n13\njcnd=4 9 31\n14\njfi=b.c\njfn=g\njump=1 2\n15\n", ASSAY_WANT_GRAPH);
    const struct assay_graph *g = assay_profile_graph(p);
    const uint64_t executed[] = { 5, 7, 9, 9, 1 }, followed[] = { 5, 2, 4, 4, 1 };
    const uint32_t from[] = { 11, 12, 13, 14, 15 }, to[] = { 13, 20, 30, 31, 2 };
    assert_int_equal(g->jump_count, 5);
    for (int i = 0; i < 5; i++) {
        assert_int_equal(g->jump_executed[i], executed[i]);
        assert_int_equal(g->jump_followed[i], followed[i]);
        assert_int_equal(g->jump_line[i], from[i]);
        assert_int_equal(g->jump_to_line[i], to[i]);
        assert_int_equal(g->jump_conditional[i], i > 0 && i < 4);
    }
    assert_string_equal(cg_func_name(p, g->jump_to_func[4]), "g");
    assert_string_equal(cg_file_name(p, g->jump_to_file[4]), "b.c");
    assert_string_equal(cg_func_name(p, g->jump_to_func[0]), "f");
    assert_int_equal(cg_self(p, "f", 0), 1);
    assay_profile_release(p);
}

/* ---- events and parts ---- */

static void parts_with_other_events_are_joined_by_name(void **state)
{
    (void)state;
    assay_profile *p = cg_read("events: A B\nfn=f\n1 1 2\ncfn=g\ncalls=1 1\n1 5 6\npart: 2\nevents: C B D\nfn=f\n1 10 20 30\ncfn=g\ncalls=1 1\n1 50 60 "
                               "70\npart: 3\nevents: B\nfn=f\n1 100\n",
                               ASSAY_WANT_GRAPH);
    static const char *const names[] = { "A", "B", "C", "D" };
    const int64_t self[] = { 1, 122, 10, 30 };
    assert_int_equal(assay_profile_graph(p)->block.metric_count, 4);
    for (int i = 0; i < 4; i++) assert_int_equal(cg_self(p, "f", cg_slot(p, names[i])), self[i]);
    assert_int_equal(assay_profile_metrics(p)->total[1].low, 1);
    ASSERT_ARC(p, "f", 1, "g", 2, 5); /* A of both parts */
    assert_int_equal(cg_count(p, "parts"), 3);
    assay_profile_release(p);
}

static void an_event_named_twice_is_the_sum_of_its_columns(void **state)
{
    (void)state;
    assay_profile *p = cg_read("events: A B A\nfn=f\n1 1 2 4\n1 9223372036854775807 0 1\n", ASSAY_WANT_GRAPH);
    assert_int_equal(assay_profile_graph(p)->block.metric_count, 2);
    assert_true(cg_self(p, "f", 0) == INT64_MAX);
    assert_int_equal(cg_self(p, "f", 1), 2);
    assert_int_equal(cg_warning(p, "CG16")->line, 4);
    assay_profile_release(p);
}

static void parts_begin_where_the_grammar_says(void **state)
{
    (void)state;
    static const char *const keys[] = { "version: 1", "pid: 3", "part: 2", "thread: 4", "positions: line", E1 };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        struct text t = { 0 };
        text_printf(&t, E1 "fn=f\n1 1\n%s\n%sfn=f\n1 1\n", keys[i], i == 5 ? "" : E1);
        assay_profile *p = cg_read(t.at, ASSAY_WANT_GRAPH);
        assert_int_equal(assay_profile_streams(p)->count, 2);
        assay_profile_release(p);
        text_free(&t);
    }
    assay_profile *p = cg_read(E1 "fn=f\n1 1\ndesc: x: y\ncreator: z\ncmd: q\nevent: Ir : long\ntotals: 1\nsummary: 1\nfn=f\n1 1\n", ASSAY_WANT_GRAPH);
    assert_int_equal(assay_profile_streams(p)->count, 1);
    assay_profile_release(p);
}

static void headers_are_attributes_of_their_part_with_blanks_stripped(void **state)
{
    (void)state;
    assay_profile *p =
        cg_read("version: 1\ncreator: c 1\npid: 7\ncmd:  a b \nthread: 3\npart: 1\ndesc: I1 cache: \n" E1 "fn=f\n1 1\nsummary: 9\npart: 2\n" E1 "totals: 0\n",
                ASSAY_WANT_GRAPH);
    assert_string_equal(cg_attribute(p, 1, "cmd"), "a b");
    assert_string_equal(cg_attribute(p, 1, "desc"), "I1 cache:");
    assert_string_equal(cg_attribute(p, 1, "summary"), "9");
    assert_string_equal(cg_attribute(p, 2, "part"), "2");
    assert_null(cg_attribute(p, 2, "cmd"));
    assert_string_equal(assay_profile_version(p), "1");
    assert_string_equal(assay_profile_producer(p).data, "c 1");
    const struct assay_streams *s = assay_profile_streams(p);
    assert_int_equal(s->tuple_begin[2] - s->tuple_begin[1], 3);
    assert_string_equal(cg_str(p, s->tuple_kind[1]), "THREAD");
    assert_int_equal(s->tuple_logical[1], 3);
    assay_profile_release(p);
}

static void event_lines_give_long_names_and_formulas(void **state)
{
    (void)state;
    assay_profile *p =
        cg_read("event: Ir : Instruction Fetch\nevent: Two = 2 Ir : Twice\nevents: Ir Time_(10ns) Time Memory_(bytes) sysTime\nfn=f\n1 1\n", ASSAY_WANT_GRAPH);
    const struct assay_metrics *m = assay_profile_metrics(p);
    assert_int_equal(m->count, 6);
    assert_string_equal(cg_str(p, m->name[1]), "Ir");
    assert_string_equal(cg_str(p, m->description[1]), "Instruction Fetch");
    assert_string_equal(cg_str(p, m->name[2]), "Two");
    assert_string_equal(cg_str(p, m->formula[2]), "2 Ir");
    assert_string_equal(cg_str(p, m->description[2]), "Twice");
    static const char *const units[] = { "10ns", "us", "bytes", "ms" };
    for (int i = 0; i < 4; i++) assert_string_equal(cg_str(p, m->unit[3 + i]), units[i]);
    assert_int_equal(assay_profile_graph(p)->block.metric_count, 5);
    assay_profile_release(p);
}

/* ---- lines ---- */

#define PLAIN "version: 1\nevents: A B\n\nfl=(1) a.c\nfn=(1) f\n1 1 2\n+1 3\ncfn=(2) g\ncalls=2 5\n+1 10 20\n\nfn=(2)\n5 10 20\ntotals: 14 22\n"

static void carriage_returns_and_a_missing_last_line_end_change_nothing(void **state)
{
    (void)state;
    struct text t = { 0 };
    assay_profile *p = cg_read(PLAIN, EVERYTHING);
    for (const char *c = PLAIN; *c; c++) text_add(&t, *c == '\n' ? "\r\n" : c, *c == '\n' ? 2 : 1);
    assay_profile *q = cg_read(t.at, EVERYTHING);
    cg_assert_equal(p, q, "CRLF");
    assay_profile_release(q);
    q = cg_read_as("callgrind", PLAIN, sizeof PLAIN - 2, EVERYTHING, true, NULL);
    cg_assert_equal(p, q, "no final newline");
    assay_profile_release(q);
    assay_profile_release(p);
    text_free(&t);
}

static void a_line_of_three_megabytes_is_a_line(void **state)
{
    (void)state;
    enum { LONG = 3 << 20 };
    struct text t = { 0 };
    char *name = malloc(LONG + 1);
    memset(name, 'n', LONG);
    name[LONG] = 0;
    text_printf(&t, "cmd: ");
    text_add(&t, name, LONG);
    text_printf(&t, "\n" E1 "fn=(1) ");
    text_add(&t, name, LONG);
    text_printf(&t, "\n1 1\nfn=(1)\n2 2\n3");
    for (int i = 0; i < LONG; i++) text_add(&t, " ", 1);
    text_printf(&t, "4\n");
    assay_profile *p = cg_read(t.at, ASSAY_WANT_GRAPH);
    assert_int_equal(cg_self(p, name, 0), 7);
    assert_string_equal(cg_attribute(p, 1, "cmd"), name);
    assay_profile_release(p);
    text_free(&t);
    free(name);
}

/* Packed input comes in blocks whose borders are nowhere near line ends; sums are counted while the text is made. */
static void lines_on_the_borders_of_blocks_are_read_whole(void **state)
{
    (void)state;
    enum { FUNCS = 50, LINES = 400000 };
    struct text t = { 0 };
    int64_t self[FUNCS] = { 0 };
    uint64_t seed = 7;
    text_printf(&t, E1);
    for (int i = 0; i < FUNCS; i++) text_printf(&t, "fn=(%d) function_%d\n", i, i);
    for (int i = 0; i < LINES; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        int f = (int)(seed >> 40) % FUNCS;
        int64_t cost = (int64_t)(seed >> 33 & 0xfffff);
        self[f] += cost;
        text_printf(&t, "fn=(%d)\n%d %lld\n", f, i % 1000, (long long)cost);
    }
    uLong packed_len = compressBound(t.len) + 64;
    unsigned char *compressed = malloc(packed_len);
    z_stream z = { .next_in = (unsigned char *)t.at, .avail_in = (unsigned)t.len, .next_out = compressed, .avail_out = (unsigned)packed_len };
    assert_int_equal(deflateInit2(&z, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    deflateEnd(&z);
    assay_profile *p = cg_read(t.at, EVERYTHING), *q = cg_read_as("callgrind", compressed, z.total_out, EVERYTHING, true, NULL);
    cg_assert_equal(p, q, "blocks");
    for (int i = 0; i < FUNCS; i++) {
        char name[32];
        snprintf(name, sizeof name, "function_%d", i);
        assert_int_equal(cg_self(q, name, 0), self[i]);
    }
    assay_profile_release(p);
    assay_profile_release(q);
    free(compressed);
    text_free(&t);
}

/* ---- Xdebug ---- */

static void appended_runs_are_parts_with_ids_of_their_own(void **state)
{
    (void)state;
#define BANNER "\n==== NEW PROFILING FILE ==============================================\n"
#define RUN(name, cost)                                                                                                                                        \
    "version: 1\ncreator: xdebug 3.2.0\npart: 1\npositions: line\n\nevents: Time\n\nfl=(1) x.php\nfn=(1) " name "\n1 " cost "\n\nsummary: " cost "\n\n"
    assay_profile *p = cg_read(BANNER RUN("a", "3") BANNER RUN("b", "5") BANNER RUN("a", "7"), ASSAY_WANT_GRAPH);
    assert_int_equal(assay_profile_streams(p)->count, 3);
    assert_int_equal(cg_self(p, "a", 0), 10);
    assert_int_equal(cg_self(p, "b", 0), 5);
    assert_null(cg_warning(p, "CG05"));
    assert_true(assay_profile_offers(p) & ASSAY_SHAPE_TREE);
    assay_profile_release(p);
}

static void the_summary_inside_main_does_not_end_its_block(void **state)
{
    (void)state;
    assay_profile *p = cg_read(
        "version: 1\ncreator: xdebug 2.4.0\n\nevents: Time\n\nfl=(1) x.php\nfn=(1) f\n3 4\n\nfl=(1)\nfn=(2) {main}\n\nsummary: 100\n\n0 9\ncfl=(1)\ncfn=(1)\n"
        "calls=1 0 0\n5 4\n\n",
        ASSAY_WANT_GRAPH | ASSAY_WANT_WHOLE);
    assert_int_equal(cg_self(p, "{main}", 0), 9);
    ASSERT_ARC(p, "{main}", 5, "f", 1, 4);
    assert_int_equal(assay_profile_tree(p)->count, 2);
    assay_profile_release(p);
}

static void in_xdebug_2_2_a_callee_is_known_by_its_name(void **state)
{
    (void)state;
    assay_profile *p = cg_read(
        "version: 0.9.6\ncmd: x\npart: 1\n\nevents: Time\n\nfl=php:internal\nfn=php::strlen\n3 4\n\nfl=a.php\nfn=f\n1 2\ncfn=php::strlen\ncalls=1 0 0\n2 4\n\n"
        "fl=b.php\nfn={main}\n\nsummary: 20\n\n1 5\ncfn=f\ncalls=1 0 0\n7 6\n\n",
        ASSAY_WANT_GRAPH);
    assert_int_equal(assay_profile_funcs(p)->count, 3);
    ASSERT_ARC(p, "{main}", 7, "a.php|f", 1, 6);
    ASSERT_ARC(p, "f", 2, "php:internal|php::strlen", 1, 4);
    assert_int_equal(assay_profile_funcs(p)->kind[cg_func(p, "php::strlen").v], ASSAY_FUNC_INTERNAL);
    assay_profile_release(p);
}

/* ---- figures ---- */

static void negative_costs_are_kept(void **state)
{
    (void)state;
    assay_profile *p = cg_read("events: Time Memory\nfn=f\n1 5 -300\n2 5 100\ncfn=g\ncalls=1 1\n1 1 -7\n", ASSAY_WANT_GRAPH);
    assert_int_equal(cg_self(p, "f", 1), -200);
    assert_int_equal(assay_profile_graph(p)->arc_total[1].i, -7);
    assay_profile_release(p);
}

static void sums_that_overflow_stay_at_the_nearest_value(void **state)
{
    (void)state;
    static const char text[] = E1 "fn=f\n1 9223372036854775807\n1 5\nfn=g\n1 -9223372036854775808\n1 -1\n";
    static const uint32_t wants[] = { ASSAY_WANT_SUMS, ASSAY_WANT_GRAPH };
    for (int i = 0; i < 2; i++) {
        assay_error err;
        assay_profile *p = cg_read(text, wants[i]);
        assert_true(cg_self(p, "f", 0) == INT64_MAX);
        assert_true(cg_self(p, "g", 0) == INT64_MIN);
        assert_int_equal(cg_warning(p, "CG16")->severity, ASSAY_ERROR);
        assay_profile_release(p);
        assert_null(cg_read_as("callgrind", text, sizeof text - 1, wants[i], true, &err));
        assert_int_equal(err.code, ASSAY_ERR_DAMAGED);
    }
}

/* Calls and costs that each fit, of ids that are called again and again, and two ids of one function. */
static void sums_of_calls_that_overflow_stay_at_the_nearest_value(void **state)
{
    (void)state;
    struct text t = { 0 };
    text_printf(&t, E1 "fn=(1) f\n1 1\ncfn=(2) g\ncalls=1 1\n1 1\ncfn=(3) g\ncalls=1 1\n1 1\n");
    for (int i = 0; i < 40; i++) text_printf(&t, "cfn=(%d)\ncalls=900000000000000000 1\n1 1234567\n", 2 + i % 2);
    for (int i = 0; i < 40; i++) text_printf(&t, "cfn=(%d)\ncalls=1 1\n1 900000000000000000\n", 2 + i % 2);
    text_printf(&t, "1 1\n");
    static const uint32_t wants[] = { ASSAY_WANT_SUMS, ASSAY_WANT_GRAPH };
    for (int i = 0; i < 2; i++) {
        assay_profile *p = cg_read(t.at, wants[i]);
        assert_int_equal(cg_self(p, "f", 0), 2);
        assert_true(cg_calls_to(p, "g") == UINT64_MAX);
        assert_true(assay_profile_graph(p)->sum_in[1].i == INT64_MAX);
        assert_true(assay_profile_graph(p)->sum_out[0].i == INT64_MAX);
        assert_int_equal(cg_warning(p, "CG16")->severity, ASSAY_ERROR);
        assay_profile_release(p);
    }
    text_free(&t);
}

/* Sums alone let the decoder add up cost lines in a row; whatever the lines look like, nothing may get lost. */
static void sums_alone_are_the_same_as_with_everything_else(void **state)
{
    (void)state;
    static const char *const texts[] = {
        PLAIN,
        E1 "fn=f\n1 1\n+1 2\n* 4\n-1 8\n2 0x10\n3  32\n4 64 \n5 128\r\n6\n7 256 9\n8 x\n9 512\n# c\n10 1024\nfi=b\n11 2048\nfn=g\n+5 4096\n1234567890123 3\n12 "
           "8192",
        "positions: instr line\nevents: A B C\nfn=f\n0x1 1 1\n+1 +1 1 2\n+1 * 1 2 3\n0x10 9 1\n* 8\n* +1 0 0 5\n",
        "events: A B\nfn=f\n1 4000000000000000000 1\n1 4000000000000000000 1\n1 4000000000000000000 1\n1 1 1\n",
        E1
        "fl=(1) a\nfn=(1) f\n10 1\n+1 2\ncfn=(2) g\ncalls=3 7 \n+2 50\ncfn=(2)\ncalls=1 7 \n* 7\ncfn=(1)\ncalls=4 10 \n* 9\ncfi=(2) b\ncfn=(2)\ncalls=5 "
        "1 \n-1 1000\ncfn=(2)\ncalls=6 1 \n10 1\n\nfn=(2)\n7 3\nfi=(2)\n+20 4\nfe=(1)\n9 5\ncfn=(1)\ncalls=1 10 \n9 60\n\nfn=(2) other\n7 3\ncfn=(1)\ncalls=2 "
        "10 \n8 60\ncfn=(2)\ncalls=1 10 \n8 60\n\nfn=(3) h\n7 123456789012345\ncob=(1) o\ncfn=(2)\ncalls=123456789012345678 10 \n8 123456789012\ncfn=(2)\n"
        "calls=1 10 \n8 60\n7 -5\n7 12\ncfn=(2)\ncalls=2 10 \n8 60\npart: 2\n" E1
        "fn=(3) g\n1 1\ncfn=(3)\ncalls=1 1 \n1 1\ncfn=(2) f\ncalls=1 1 \n1 8\ncfn=(2)\n"
        "calls=1 1 \n1 8\n",
        /* functions that nothing is booked on: a cost that is none, a jump alone; callees by their names, as in Xdebug 2.2 */
        E1 "fn=f\n1 1\n+1 2\nfn=g\n26 $8 and more of it\nfn=h\njump=9 12\n13\nfi=c\nfn=i\n1 x\nfn=f\n3 4\n# a comment, so that this is not the end yet\n",
        "version: 0.9.6\ncreator: x\n" E1 "fn=g\n6 1\nfl=2\nfn=f\ncfn=g\ncalls=6 5\n* 189\n* 256\n# a comment, so that this is not the end yet\n",
        "events: A B A\nfn=f\n1 1 2 3\n2 4 5\n3 6\npart: 2\nevents: B C\nfn=f\n1 1 1\n1 1\ncfn=g\ncalls=3 1\n1 9 9\n2 2 2\n3 4 8\n",
    };
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
        assay_profile *p = cg_read(texts[t], ASSAY_WANT_SUMS), *q = cg_read(texts[t], EVERYTHING);
        const struct assay_graph *a = assay_profile_graph(p), *b = assay_profile_graph(q);
        assert_int_equal(a->cost_count, 0);
        assert_int_equal(a->arc_count, 0);
        assert_true(b->cost_count > 0);
        assert_int_equal(a->sum_count, b->sum_count);
        assert_int_equal(a->block.metric_count, b->block.metric_count);
        for (uint32_t i = 0; i < a->sum_count; i++) {
            assert_string_equal(cg_func_name(p, a->sum_func[i]), cg_func_name(q, b->sum_func[i]));
            assert_int_equal(a->sum_calls ? a->sum_calls[i] : 0, b->sum_calls ? b->sum_calls[i] : 0);
            for (uint32_t k = 0; k < a->block.metric_count; k++) {
                size_t at = (size_t)i * a->block.metric_count + k;
                assert_int_equal(a->sum_self[at].i, b->sum_self[at].i);
                assert_int_equal(a->sum_in ? a->sum_in[at].i : 0, b->sum_in ? b->sum_in[at].i : 0);
                assert_int_equal(a->sum_out ? a->sum_out[at].i : 0, b->sum_out ? b->sum_out[at].i : 0);
                assert_int_equal(a->sum_recursive ? a->sum_recursive[at].i : 0, b->sum_recursive ? b->sum_recursive[at].i : 0);
            }
        }
        assert_int_equal(cg_count(p, "cost_records"), cg_count(q, "cost_records"));
        size_t n, m;
        assay_profile_warnings(p, &n);
        assay_profile_warnings(q, &m);
        assert_int_equal(n, m);
        assay_profile_release(p);
        assay_profile_release(q);
    }
}

static void the_first_line_of_a_function_is_that_of_its_first_cost_in_its_own_file(void **state)
{
    (void)state;
    assay_profile *p = cg_read(E1 "fl=a.c\nfn=f\ncfn=g\ncalls=1 9\n2 1\nfi=b.h\n3 1\nfe=a.c\n7 1\n5 1\n", ASSAY_WANT_GRAPH);
    assert_int_equal(assay_profile_funcs(p)->first_line[cg_func(p, "f").v], 7);
    assert_int_equal(assay_profile_funcs(p)->first_line[cg_func(p, "g").v], 0);
    assay_profile_release(p);
}

static void strict_reading_refuses_the_first_error_with_its_place(void **state)
{
    (void)state;
    static const char text[] = E1 "fn=f\n1 -1\nhello\n1 2 3\n1 x\n";
    assay_error err;
    assert_null(cg_read_as("callgrind", text, sizeof text - 1, ASSAY_WANT_GRAPH, true, &err));
    assert_int_equal(err.code, ASSAY_ERR_DAMAGED);
    assert_int_equal(err.line, 5);
    assert_int_equal(err.offset, 27);
    assert_non_null(strstr(err.text, "CG06"));
    assay_profile *p = cg_read_as("callgrind", text, 27, ASSAY_WANT_GRAPH, true, &err);
    assert_non_null(p);
    assay_profile_release(p);
}

static void cachegrind_text_has_functions_by_the_file_of_their_code(void **state)
{
    (void)state;
    static const char text[] =
        "desc: I1 cache: x\ncmd: ./a\nevents: Ir Dr\nfl=a.c\nfn=main\n1 5 1\n2 3  2\nfl=b.h\nfn=main\n9 4 0\nfn=g\n1 1 1\nsummary: 13 4\n";
    assay_error err;
    assay_profile *p = cg_read_as("cachegrind", text, sizeof text - 1, ASSAY_WANT_GRAPH, true, &err);
    assert_int_equal(cg_self(p, "a.c|main", 0), 8);
    assert_int_equal(cg_self(p, "a.c|main", 1), 3);
    assert_int_equal(cg_self(p, "b.h|main", 0), 4);
    assert_int_equal(cg_self(p, "b.h|g", 1), 1);
    assert_string_equal(assay_profile_format(p), "cachegrind");
    assay_profile_release(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ids_are_apart_for_objects_files_and_functions_and_hold_for_one_part),
        cmocka_unit_test(an_id_stands_for_the_string_only),
        cmocka_unit_test(a_redefined_id_has_its_new_name_from_there_on),
        cmocka_unit_test(sparse_ids_cost_no_memory_in_proportion),
        cmocka_unit_test(an_id_that_moves_from_the_hash_to_the_array_keeps_its_newest_name),
        cmocka_unit_test(each_line_with_a_cost_is_counted_once),
        cmocka_unit_test(names_that_only_look_like_ids_are_names),
        cmocka_unit_test(an_undefined_id_is_shown_as_question_marks),
        cmocka_unit_test(positions_are_relative_to_the_last_cost_line_across_functions),
        cmocka_unit_test(relative_positions_begin_at_0_in_each_part_and_positions_carry_over),
        cmocka_unit_test(decimal_and_hex_mean_the_same_and_ranges_count_as_their_start),
        cmocka_unit_test(a_relative_line_below_zero_is_zero),
        cmocka_unit_test(inlined_code_belongs_to_the_function_and_stands_in_its_own_file),
        cmocka_unit_test(without_any_fl_the_file_of_fi_serves),
        cmocka_unit_test(a_callee_is_in_the_current_file_and_object_unless_told_for_this_call),
        cmocka_unit_test(the_target_of_a_damaged_call_is_not_that_of_the_next),
        cmocka_unit_test(the_object_stays_over_functions),
        cmocka_unit_test(a_cost_without_a_function_is_booked_on_one_without_name),
        cmocka_unit_test(calls_of_0_and_rcalls_are_calls_and_comments_may_stand_before_their_cost),
        cmocka_unit_test(a_surplus_cost_is_left_out_and_missing_ones_are_0),
        cmocka_unit_test(jumps_have_counts_sources_and_targets_in_both_spellings),
        cmocka_unit_test(parts_with_other_events_are_joined_by_name),
        cmocka_unit_test(an_event_named_twice_is_the_sum_of_its_columns),
        cmocka_unit_test(parts_begin_where_the_grammar_says),
        cmocka_unit_test(headers_are_attributes_of_their_part_with_blanks_stripped),
        cmocka_unit_test(event_lines_give_long_names_and_formulas),
        cmocka_unit_test(carriage_returns_and_a_missing_last_line_end_change_nothing),
        cmocka_unit_test(a_line_of_three_megabytes_is_a_line),
        cmocka_unit_test(lines_on_the_borders_of_blocks_are_read_whole),
        cmocka_unit_test(appended_runs_are_parts_with_ids_of_their_own),
        cmocka_unit_test(the_summary_inside_main_does_not_end_its_block),
        cmocka_unit_test(in_xdebug_2_2_a_callee_is_known_by_its_name),
        cmocka_unit_test(negative_costs_are_kept),
        cmocka_unit_test(sums_that_overflow_stay_at_the_nearest_value),
        cmocka_unit_test(sums_of_calls_that_overflow_stay_at_the_nearest_value),
        cmocka_unit_test(sums_alone_are_the_same_as_with_everything_else),
        cmocka_unit_test(the_first_line_of_a_function_is_that_of_its_first_cost_in_its_own_file),
        cmocka_unit_test(strict_reading_refuses_the_first_error_with_its_place),
        cmocka_unit_test(cachegrind_text_has_functions_by_the_file_of_their_code),
        cmocka_unit_test(edges_are_counted_once_however_callers_alternate),
        cmocka_unit_test(cost_lines_of_every_form_add_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

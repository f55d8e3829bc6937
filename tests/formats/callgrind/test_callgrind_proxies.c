/* Calls through functions that only pass them on: the exact way, and webgrind's queue. All figures are worked out by hand. */
#include "cg.h"

#define HEAD "version: 1\ncreator: xdebug 3.2.0 (PHP 8.2.35)\ncmd: x.php\npart: 1\npositions: line\n\nevents: Time\n\n"
#define BLOCK(name, line, self) "fl=x.php\nfn=" name "\n" line " " self "\n"
#define CALL(name, line, cost) "cfl=x.php\ncfn=" name "\ncalls=1 0 0\n" line " " cost "\n"
#define TAIL "\nsummary: 9999\n\n"

static assay_profile *read_with(const char *text, uint32_t want, size_t count, const char *const *proxies)
{
    struct assay_read_options o = { .format = "callgrind", .want = want, .proxies = proxies, .proxy_count = count };
    assay_profile *p = NULL;
    assay_error err;
    if (assay_read_memory(text, strlen(text), "sample", &o, &p, &err) != 0) fail_msg("%s", err.text);
    return p;
}

static assay_profile *read_proxy(const char *text, const char *proxy) { return read_with(text, ASSAY_WANT_GRAPH, 1, &proxy); }

/* {main} calls px at 10 for 13, which calls f at 1 for 12. */
#define SIMPLE BLOCK("f", "3", "12") "\n" BLOCK("px", "1", "1") CALL("f", "1", "12") "\n" BLOCK("{main}", "1", "5") CALL("px", "10", "13") TAIL

static void a_call_to_a_proxy_is_one_to_what_it_called(void **state)
{
    (void)state;
    assay_profile *p = read_proxy(HEAD SIMPLE, "px");
    assert_int_equal(assay_profile_graph(p)->arc_count, 1);
    ASSERT_ARC(p, "{main}", 1, "f", 1, 12); /* line and cost of the proxy's call */
    assert_int_equal(cg_self(p, "px", 0), 1);
    assert_int_equal(cg_calls_to(p, "px"), 0);
    assay_profile_release(p);
}

static void without_proxies_calls_are_as_they_stand(void **state)
{
    (void)state;
    assay_profile *p = read_with(HEAD SIMPLE, ASSAY_WANT_GRAPH, 0, NULL);
    ASSERT_ARC(p, "{main}", 10, "px", 1, 13);
    ASSERT_ARC(p, "px", 1, "f", 1, 12);
    assay_profile_release(p);
}

static void a_name_matches_itself_and_with_the_place_of_the_call(void **state)
{
    (void)state;
#define NAMED(name) HEAD BLOCK("f", "3", "12") "\n" BLOCK(name, "1", "1") CALL("f", "1", "12") "\n" BLOCK("{main}", "1", "5") CALL(name, "10", "13") TAIL
    static const struct {
        const char *text, *proxy;
        bool matches;
    } cases[] = {
        { NAMED("php::cuf"), "php::cuf", true },
        { NAMED("php::cuf:{/a/x.php:7}"), "php::cuf", true },
        { NAMED("php::cuf_array"), "php::cuf", false },
        { NAMED("php::cu"), "php::cuf", false },
        { NAMED("php::cuf:x"), "php::cuf", false },
        { NAMED("xphp::cuf"), "php::cuf", false },
        { NAMED("php::cuf"), "=php::cuf", true },
        { NAMED("php::cuf:{/a/x.php:7}"), "=php::cuf", false },
        { NAMED("php::cuf:{/a/x.php:7}"), "=php::cuf:{/a/x.php:7}", true },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assay_profile *p = read_proxy(cases[i].text, cases[i].proxy);
        if ((cg_arc(p, "{main}", ANY, "f").calls == 1) != cases[i].matches) fail_msg("case %zu: '%s'", i, cases[i].proxy);
        assert_int_equal(assay_profile_graph(p)->arc_count, cases[i].matches ? 1 : 2);
        assay_profile_release(p);
    }
}

static void a_proxy_that_made_no_call_keeps_the_call_to_it(void **state)
{
    (void)state;
    assay_profile *p = read_proxy(HEAD BLOCK("px", "1", "3") "\n" BLOCK("f", "3", "12") "\n" BLOCK("px", "1", "1")
                                      CALL("f", "2", "12") "\n" BLOCK("{main}", "1", "5") CALL("px", "10", "3") CALL("px", "11", "13") TAIL,
                                  "px");
    ASSERT_ARC(p, "{main}", 10, "px", 1, 3);
    ASSERT_ARC(p, "{main}", 2, "f", 1, 12);
    assert_int_equal(assay_profile_graph(p)->arc_count, 2);
    assay_profile_release(p);
}

static void a_proxy_that_made_two_calls_gives_both(void **state)
{
    (void)state;
    assay_profile *p =
        read_proxy(HEAD BLOCK("f", "3", "12") "\n" BLOCK("g", "4", "20") "\n" BLOCK("px", "1", "1") CALL("f", "2", "12")
                       CALL("g", "3", "20") "\n" BLOCK("h", "5", "7") "\n" BLOCK("{main}", "1", "5") CALL("px", "10", "33") CALL("h", "11", "7") TAIL,
                   "px");
    ASSERT_ARC(p, "{main}", 2, "f", 1, 12);
    ASSERT_ARC(p, "{main}", 3, "g", 1, 20);
    ASSERT_ARC(p, "{main}", 11, "h", 1, 7);
    const struct assay_graph *g = assay_profile_graph(p);
    assert_int_equal(g->arc_count, 3);
    static const char *const order[] = { "f", "g", "h" };
    for (int i = 0; i < 3; i++) assert_string_equal(cg_func_name(p, g->arc_callee[i]), order[i]);
    assay_profile_release(p);
}

/* {main} -> px -> py -> f: both are proxies. */
static void a_proxy_called_by_a_proxy_is_seen_through_too(void **state)
{
    (void)state;
    static const char *const both[] = { "px", "py" };
    static const char text[] = HEAD BLOCK("f", "3", "12") "\n" BLOCK("py", "2", "2") CALL("f", "22", "12") "\n" BLOCK("px", "1", "1")
        CALL("py", "11", "14") "\n" BLOCK("{main}", "1", "5") CALL("px", "10", "15") TAIL;
    assay_profile *p = read_with(text, ASSAY_WANT_GRAPH, 2, both);
    assert_int_equal(assay_profile_graph(p)->arc_count, 1);
    ASSERT_ARC(p, "{main}", 22, "f", 1, 12);
    assay_profile_release(p);
    p = read_with(text, ASSAY_WANT_GRAPH, 1, both);
    ASSERT_ARC(p, "{main}", 11, "py", 1, 14);
    ASSERT_ARC(p, "py", 22, "f", 1, 12);
    assert_int_equal(assay_profile_graph(p)->arc_count, 2);
    assay_profile_release(p);
}

/* {main} -> px -> f -> px -> g: what f passes on is done before what {main} passes on. The queue would mix them up. */
#define NESTED                                                                                                                                                 \
    BLOCK("g", "4", "3")                                                                                                                                       \
    "\n" BLOCK("px", "1", "1") CALL("g", "20", "3") "\n" BLOCK("f", "3", "6") CALL("px", "30", "4") "\n" BLOCK("px", "1", "1")                                 \
        CALL("f", "21", "10") "\n" BLOCK("{main}", "1", "5") CALL("px", "10", "11") TAIL

static void recursion_through_a_proxy_is_resolved_invocation_by_invocation(void **state)
{
    (void)state;
    assay_profile *p = read_proxy(HEAD NESTED, "px");
    ASSERT_ARC(p, "f", 20, "g", 1, 3);
    ASSERT_ARC(p, "{main}", 21, "f", 1, 10);
    assert_int_equal(assay_profile_graph(p)->arc_count, 2);
    assay_profile_release(p);
}

/* {main} -> px -> px -> f: the proxy calls itself. */
static void a_proxy_that_calls_itself_is_seen_through(void **state)
{
    (void)state;
    assay_profile *p = read_proxy(HEAD BLOCK("f", "3", "12") "\n" BLOCK("px", "1", "1") CALL("f", "20", "12") "\n" BLOCK("px", "1", "1")
                                      CALL("px", "21", "13") "\n" BLOCK("{main}", "1", "5") CALL("px", "10", "14") TAIL,
                                  "px");
    assert_int_equal(assay_profile_graph(p)->arc_count, 1);
    ASSERT_ARC(p, "{main}", 20, "f", 1, 12);
    assay_profile_release(p);
}

static void calls_around_a_proxy_keep_their_order(void **state)
{
    (void)state;
    assay_profile *p = read_proxy(HEAD BLOCK("a", "3", "1") "\n" BLOCK("f", "4", "2") "\n" BLOCK("px", "1", "1")
                                      CALL("f", "20", "2") "\n" BLOCK("b", "5", "4") "\n" BLOCK("f", "4", "8") "\n" BLOCK("px", "1", "1")
                                          CALL("f", "20", "8") "\n" BLOCK("{main}", "1", "5") CALL("a", "6", "1") CALL("px", "7", "3") CALL("b", "8", "4")
                                              CALL("px", "9", "9") TAIL,
                                  "px");
    const struct assay_graph *g = assay_profile_graph(p);
    static const char *const order[] = { "a", "f", "b" };
    assert_int_equal(g->arc_count, 3);
    for (int i = 0; i < 3; i++) assert_string_equal(cg_func_name(p, g->arc_callee[i]), order[i]);
    ASSERT_ARC(p, "{main}", 20, "f", 2, 10);
    assay_profile_release(p);
}

/* ---- webgrind's queue ---- */

/* F a proxy: the call is appended to its queue. G a proxy: the oldest entry is taken. */
static void the_queue_gives_the_oldest_call_passed_on(void **state)
{
    (void)state;
    assay_profile *p = read_proxy(HEAD NESTED, "=px");
    /* px calls g: queue g. f calls px: takes g. px calls f: queue f. {main} calls px: takes f */
    ASSERT_ARC(p, "f", 20, "g", 1, 3);
    ASSERT_ARC(p, "{main}", 21, "f", 1, 10);
    assert_int_equal(assay_profile_graph(p)->arc_count, 2);
    assay_profile_release(p);

    /* two calls wait before the first is taken: first in, first out */
    p = read_proxy(HEAD BLOCK("f", "3", "12") "\n" BLOCK("px", "1", "1") CALL("f", "20", "12") CALL("g", "21", "7") "\n" BLOCK("h", "1", "1")
                       CALL("px", "9", "20") "\n" BLOCK("px", "1", "1") CALL("k", "22", "8") "\n" BLOCK("{main}", "1", "5") CALL("px", "10", "9")
                           CALL("px", "11", "9") TAIL,
                   "=px");
    ASSERT_ARC(p, "h", 20, "f", 1, 12);
    ASSERT_ARC(p, "{main}", 21, "g", 1, 7); /* the queue has shifted */
    ASSERT_ARC(p, "{main}", 22, "k", 1, 8);
    assert_int_equal(assay_profile_graph(p)->arc_count, 3);
    assay_profile_release(p);
}

static void a_proxy_called_by_a_queued_proxy_goes_into_the_queue_as_it_is(void **state)
{
    (void)state;
    static const char *const both[] = { "=px", "=py" };
    assay_profile *p = read_with(HEAD BLOCK("f", "3", "12") "\n" BLOCK("py", "2", "2") CALL("f", "22", "12") "\n" BLOCK("px", "1", "1")
                                     CALL("py", "11", "14") "\n" BLOCK("{main}", "1", "5") CALL("px", "10", "15") TAIL,
                                 ASSAY_WANT_GRAPH, 2, both);
    ASSERT_ARC(p, "{main}", 11, "py", 1, 14); /* and py's entry stays behind */
    assert_int_equal(assay_profile_graph(p)->arc_count, 1);
    assay_profile_release(p);
}

static void an_empty_queue_leaves_the_call_as_it_is(void **state)
{
    (void)state;
    assay_profile *p = read_proxy(HEAD BLOCK("px", "1", "3") "\n" BLOCK("{main}", "1", "5") CALL("px", "10", "3") TAIL, "=px");
    ASSERT_ARC(p, "{main}", 10, "px", 1, 3);
    assay_profile_release(p);
}

/* ---- beside other things ---- */

static void runs_do_not_claim_each_others_calls(void **state)
{
    (void)state;
    static const char *const names[] = { "px", "=px" };
    for (int i = 0; i < 2; i++) {
        assay_profile *p =
            read_proxy(HEAD BLOCK("px", "1", "1") CALL("f", "20", "12") "\nversion: 1\ncreator: xdebug 3.2.0\nevents: Memory Time\n" BLOCK("{main}", "1", "5 6")
                           CALL("px", "10", "3 4") TAIL,
                       names[i]);
        assert_int_equal(cg_arc(p, "{main}", ANY, "f").calls, 0);
        assert_int_equal(cg_arc(p, "{main}", 10, "px").calls, 1);
        ASSERT_ARC(p, "{main}", 10, "px", 1, 4);
        assay_profile_release(p);
    }
}

static void all_metrics_go_through_a_proxy(void **state)
{
    (void)state;
    assay_profile *p = read_proxy("version: 1\ncreator: xdebug 3.2.0\nevents: Time Memory\n\n" BLOCK("f", "3", "12 100") "\n" BLOCK("px", "1", "1 0")
                                      CALL("f", "2", "12 101") "\n" BLOCK("{main}", "1", "5 0") CALL("px", "10", "13 102") TAIL,
                                  "px");
    assert_int_equal(assay_profile_graph(p)->arc_count, 1);
    assert_int_equal(assay_profile_graph(p)->arc_total[1].i, 101);
    assay_profile_release(p);
}

static void a_call_before_any_function_keeps_its_cost(void **state)
{
    (void)state;
    assay_profile *p = read_proxy(HEAD CALL("px", "2", "7") "\n" BLOCK("f", "3", "12") TAIL, "px");
    ASSERT_ARC(p, "", 2, "px", 1, 7);
    assay_profile_release(p);
}

static void valgrinds_text_has_no_single_calls_so_proxies_are_ignored(void **state)
{
    (void)state;
    assay_profile *p = read_proxy("version: 1\ncreator: callgrind-3.19.0\nevents: Ir\n" SIMPLE, "px");
    ASSERT_ARC(p, "{main}", 10, "px", 1, 13);
    ASSERT_ARC(p, "px", 1, "f", 1, 12);
    assay_profile_release(p);
}

static void the_tree_and_the_entries_are_not_changed_by_proxies(void **state)
{
    (void)state;
    const char *proxy = "px";
    assay_profile *p = read_with(HEAD SIMPLE, ASSAY_WANT_GRAPH | ASSAY_WANT_WHOLE, 1, &proxy);
    assert_int_equal(assay_profile_tree(p)->count, 3);
    const struct assay_graph *g = assay_profile_graph(p);
    for (uint32_t i = 0; i < g->sum_count; i++) assert_int_equal(g->sum_entered[i], 1);
    assay_profile_release(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_call_to_a_proxy_is_one_to_what_it_called),
        cmocka_unit_test(without_proxies_calls_are_as_they_stand),
        cmocka_unit_test(a_name_matches_itself_and_with_the_place_of_the_call),
        cmocka_unit_test(a_proxy_that_made_no_call_keeps_the_call_to_it),
        cmocka_unit_test(a_proxy_that_made_two_calls_gives_both),
        cmocka_unit_test(a_proxy_called_by_a_proxy_is_seen_through_too),
        cmocka_unit_test(recursion_through_a_proxy_is_resolved_invocation_by_invocation),
        cmocka_unit_test(a_proxy_that_calls_itself_is_seen_through),
        cmocka_unit_test(calls_around_a_proxy_keep_their_order),
        cmocka_unit_test(the_queue_gives_the_oldest_call_passed_on),
        cmocka_unit_test(a_proxy_called_by_a_queued_proxy_goes_into_the_queue_as_it_is),
        cmocka_unit_test(an_empty_queue_leaves_the_call_as_it_is),
        cmocka_unit_test(runs_do_not_claim_each_others_calls),
        cmocka_unit_test(all_metrics_go_through_a_proxy),
        cmocka_unit_test(a_call_before_any_function_keeps_its_cost),
        cmocka_unit_test(valgrinds_text_has_no_single_calls_so_proxies_are_ignored),
        cmocka_unit_test(the_tree_and_the_entries_are_not_changed_by_proxies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Planted defects for the rules of perf script's text, texts that are nearly wrong but are not, and what lines become. */
#include "../planted.h"

#include <stdlib.h>

#define HEAD "crew 12 1.000001: 5 cycles: \n"
#define FRAME "\t 1215 leaf+0x29 (/bin/crew)\n"
#define S HEAD FRAME "\n"

static const struct defect defects[] = {
    { "PF01", E, "@# nothing\n" },
    { "PF01", E, "@\n\n" },
    { "PF02", E, "@\t 401b97 main+0x1f (./a.out)\n\t 401b98 start (./a.out)\n" },
    { "PF02", E, "@401b97 main (./a.out)\n" S },
    { "PF03", W, S "@what is this\n" },
    { "PF03", W, S "@\t 401b97 main+0x1f (./a.out)\n" },
    { "PF04", W, S "@crew 12 1.000002: PERF_RECORD_LOST lost 17\n" },
    { "PF05", W, "@crew 12 1.000001: 18446744073709551616 cycles: \n" FRAME },
    { "PF06", I, S "@crew 12 1.000002: 5 cycles: \n\n" S "crew 12 1.000003: 5 cycles: \n" },
};
static const struct defect near_misses[] = {
    { "PF01", E, S },
    { "PF02", E, "# 401b97 main\n\n" S },
    { "PF03", W, "\xef\xbb\xbf" S "crew 12 0.5: PERF_RECORD_COMM: crew:1/1\n" },
    { "PF03", W, "java 1 cycles:\nff f ([kernel.kallsyms])\n1 g (x)\n" }, /* frames that lost their indentation */
    { "PF04", W, S "crew 12 1.000002: PERF_RECORD_EXIT(1:1):(1:1)\n" },
    { "PF05", W, "crew 12 1.000001: 18446744073709551615 cycles: \n" FRAME },
    { "PF06", I, "  crew 12 1.000001: 5 cycles:  1215 leaf+0x29 (/bin/crew)\n  crew 12 1.000002: 5 cycles:  1215 leaf+0x29 (/bin/crew)\n" },
};
static const char *const rules[] = { "PF01", "PF02", "PF03", "PF04", "PF05", "PF06", NULL };
enum { DEFECTS = sizeof defects / sizeof *defects, NEAR = sizeof near_misses / sizeof *near_misses };

static void each_rule_finds_its_planted_defect(void **state)
{
    (void)state;
    each_defect_is_found_where_it_stands("perf-script", defects, DEFECTS);
}

static void what_is_only_nearly_wrong_is_not_reported(void **state)
{
    (void)state;
    near_misses_are_not_reported("perf-script", near_misses, NEAR);
    every_rule_is_there(rules, defects, DEFECTS, near_misses, NEAR);
}

/* ---- what lines become ---- */

static assay_profile *profile_of(const char *text, uint32_t want)
{
    assay_profile *p = NULL;
    struct assay_read_options o = { .want = want };
    assay_error err = { 0 };
    if (assay_read_memory(text, strlen(text), "text", &o, &p, &err)) fail_msg("%s, of:\n%s", err.text, text);
    assert_string_equal(assay_profile_format(p), "perf-script");
    return p;
}

struct text {
    char at[600];
    size_t len;
};

static int collect(void *arg, const char *data, size_t len)
{
    struct text *t = arg;
    if (t->len + len >= sizeof t->at) return 1;
    memcpy(t->at + t->len, data, len);
    t->len += len;
    t->at[t->len] = '\0';
    return 0;
}

static void becomes(const char *in, const char *metric, const char *want)
{
    assay_profile *p = profile_of(in, ASSAY_WANT_TREE);
    struct text t = { "", 0 };
    struct assay_write_options w = { .format = "folded", .metric = metric };
    assert_int_equal(assay_write_fn(p, &w, collect, &t, NULL, NULL), 0);
    assert_string_equal(t.at, want);
    assay_profile_release(p);
}

static void names_of_threads_hold_anything(void **state)
{
    static const struct {
        const char *line, *comm;
        uint64_t pid, tid;
    } cases[] = {
        { "crew worker 1 26139/26148 [001]   683.678847:    2000003        cpu-clock: ", "crew worker 1", 26139, 26148 },
        { "crew:child/9 12 1.5: 5 cycles:ppp: ", "crew:child/9", 0, 12 },
        { "a 1 b 2 12   683.678847:  cpu-clock: ", "a 1 b 2", 0, 12 },
        { "node 3 31912 cpu-clock: ", "node 3", 0, 31912 },
        { "  dead 77 2.000001: 1 sched:sched_switch: prev_comm=x: 3 y:", "dead", 0, 77 },
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[300];
        snprintf(text, sizeof text, "%s\n\t 12 f (x)\n", cases[i].line);
        assay_profile *p = profile_of(text, ASSAY_WANT_TREE);
        const struct assay_streams *s = assay_profile_streams(p);
        assay_slice comm = assay_profile_string(p, s->label[1]);
        assert_int_equal(s->count, 1);
        if (comm.len != strlen(cases[i].comm) || memcmp(comm.data, cases[i].comm, comm.len)) fail_msg("%.*s, not %s", (int)comm.len, comm.data, cases[i].comm);
        uint32_t last = s->tuple_begin[2] - 1;
        assert_int_equal(s->tuple_logical[last], cases[i].tid);
        if (cases[i].pid) assert_int_equal(s->tuple_logical[last - 1], cases[i].pid);
        assay_profile_release(p);
    }
}

static void symbols_and_modules_are_told_apart(void **state)
{
    (void)state;
    becomes(
        "c 1 1.5: 2 e: \n\t 1 operator new(unsigned long)+0x1f (/a b/x (deleted))\n\t 2 (anonymous namespace)::f(int (*)(int)) const+0x0 ([k])\n\t 3  (x)\n",
        NULL, "[unknown];(anonymous namespace)::f(int (*)(int)) const;operator new(unsigned long) 2\n");
    becomes("c 1 1.5: 2 e: \n\t 1 f+0x1\n\t 2 g(int)\n", NULL, "g(int);f 2\n");
    becomes("c 1 1.5: 2 e: \n\t 1 A->B->C+0x1 (/tmp/perf-12.map)\n\t 2 X::operator->+0x1 (x)\n", NULL, "X::operator->;A;B;C 2\n");
}

static void each_event_is_a_metric_and_samples_add_up(void **state)
{
    (void)state;
    static const char text[] = "c 1 1.5: 2 a: \n\t 1 f (x)\n\nc 1 1.6: 3 b:u: \n\t 9 f (x)\n\nc 1 1.7: 4 a: \n\t 5 f+0x4 (x)\n";
    becomes(text, "a", "f 6\n");
    becomes(text, "b:u", "f 3\n");
}

static assay_slice module_name(const assay_profile *p, uint32_t func)
{
    return assay_profile_string(p, assay_profile_modules(p)->path[assay_profile_funcs(p)->module[func].v]);
}

/* Of the frame around it if that has the same address; else unknown. */
static void inlined_frames_have_the_module_of_their_address(void **state)
{
    (void)state;
    static const char plain[] = "c 1 1.5: 2 e: \n\t 12 a (inlined)\n\t 12 b (inlined)\n\t 12 c (/x)\n\t 13 d (inlined)\n\t 14 e (/y)\n";
    static const char lines[] =
        "c 1 1.5: 2 e: \n\t 12 a\n  s.c:1 (inlined)\n\t 12 b\n  s.c:2 (inlined)\n\t 12 c (/x)\n  s.c:3\n\t 13 d\n  s.c:4 (inlined)\n\t 14 e (/y)\n  ??:0\n";
    for (int i = 0; i < 2; i++) {
        assay_profile *p = profile_of(i ? lines : plain, ASSAY_WANT_TREE);
        const struct assay_tree *t = assay_profile_tree(p);
        static const struct {
            uint8_t kind;
            const char *module;
        } want[] = {
            { ASSAY_NODE_FUNCTION, "/y" }, { ASSAY_NODE_INLINED, "" }, { ASSAY_NODE_FUNCTION, "/x" }, { ASSAY_NODE_INLINED, "/x" }, { ASSAY_NODE_INLINED, "/x" }
        };
        assert_int_equal(t->count, i ? 6 : 5);
        for (uint32_t n = 1; n <= 5; n++) {
            assay_slice module = module_name(p, t->func[n].v);
            assert_int_equal(t->kind ? t->kind[n] : 0, want[n - 1].kind);
            assert_int_equal(module.len, strlen(want[n - 1].module));
            if (module.len) assert_memory_equal(module.data, want[n - 1].module, module.len);
        }
        if (i) { /* d is called from nowhere, c from line 4 of d, and the leaf stands in line 1 */
            assert_int_equal(t->line[2], 0);
            assert_int_equal(t->line[3], 4);
            assert_int_equal(t->kind[6], ASSAY_NODE_LINE);
            assert_int_equal(t->line[6], 1);
        }
        assay_profile_release(p);
    }
}

static void times_are_whole_nanoseconds(void **state)
{
    (void)state;
    assay_profile *p =
        profile_of("c 1 645.585608825: 2 e: \n\t 1 f (x)\n\nc 1 9007199.000001: 3 e: \n\t 1 f (x)\n\nc 1 9007199.5: 3 e: \n\n", ASSAY_WANT_TIMELINE);
    const struct assay_timeline *t = assay_profile_timeline(p);
    assert_int_equal(t->count, 3);
    assert_true(t->time[0] == 645585608825 && t->time[1] == 9007199000001000 && t->time[2] == 9007199500000000);
    assert_true(t->node[0].v == 1 && t->node[2].v == 0);
    assert_true(assay_profile_metrics(p)->total[1].low == 8); /* the sample without frames included */
    assay_profile_release(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_rule_finds_its_planted_defect),
        cmocka_unit_test(what_is_only_nearly_wrong_is_not_reported),
        cmocka_unit_test(names_of_threads_hold_anything),
        cmocka_unit_test(symbols_and_modules_are_told_apart),
        cmocka_unit_test(each_event_is_a_metric_and_samples_add_up),
        cmocka_unit_test(inlined_frames_have_the_module_of_their_address),
        cmocka_unit_test(times_are_whole_nanoseconds),
    };
    return cmocka_run_group_tests_name("perf-script", tests, NULL, NULL);
}

/* Planted defects for the rules of profiles from before profile.proto, bytes that are nearly wrong but are not, and what samples become. */
#include "../planted.h"

#include "base/slice.h"

#define HEAP "heap profile:    2:     300 [     5:      900] @ heapprofile\n"
#define ROW "     1:      100 [     2:      200] @ 0x101 0x201\n"
#define CONTENTION "--- contentionz 1 ---\ncycles/second = 2000000000\nsampling period = 10\n"
#define DELAY "  3000 2 @ 0x101 0x201\n"
#define JAVA "--- heapz 1 ---\nformat = java\nresolution = bytes\n"
#define THREAD "--- Thread 7f79 (name: main/14) stack: ---\n  PC:  0x100: leaf\n  0x201: main\n"
#define MAP "--- Memory map: ---\n  00000100-00000300: /bin/app\n"

static const struct defect defects[] = {
    { "PL01", E, "@heap profile: 1: 2 [3: 4] @ unknown/1\n" ROW },
    { "PL01", E, "# nothing\n@--- nothingz 1 ---\n" },
    { "PL01", E, "@# nothing\n" },
    { "PL02", E, HEAP "@     1:      100 [     2:      200]\n" },
    { "PL02", E, HEAP "@     1:      100 [     2:      200] @ 0x101 main\n" ROW },
    { "PL02", E, CONTENTION "@  3000 @ 0x101\n" DELAY },
    { "PL02", E, "goroutine profile: total 1\n@x @ 0x101\n1 @ 0x201\n" },
    { "PL02", E, "--- threadz 1 ---\n\n" THREAD "@--- Stack ---\n" },
    { "PL02", E, "--- threadz 1 ---\n@--- Thread 7f79 (name: main/14) stack: ---\n  [same as previous thread]\n" THREAD },
    { "PL05", E, "--- mutex:\n@cycles/second=fast\n" DELAY },
    { "PL06", W, CONTENTION "@colour = red\n" DELAY },
    { "PL07", E, HEAP "@     0:      100 [     2:      200] @ 0x101 0x201\n" },
    { "PL07", E, HEAP "@     0:        0 [     0:      200] @ 0x101 0x201\n" },
    { "PL07", E, JAVA "@ 100 0 @ 0x00000003\n 0x00000003 f (F.java:1)\n" },
    { "PL08", W, JAVA " 100 1 @ 0x00000003\n 0x00000003 f (F.java:1)\n@what\n" },
    { "PL09", I, HEAP ROW MAP "@what is this\n" },
    { "PL13", I, "goroutine profile: total 1\n1 @ 0x101 0x201\n@#\t0x100\tmain.f+0x1\tmain.go:5\n" },
};
static const struct defect near_misses[] = {
    { "PL01", E, "\n# a comment\nheap profile: 1: 2 [3: 4] @ heap_v2/1\n" },
    { "PL02", E, HEAP "\n# a comment\n" ROW " 1: 2 [2: 4] @\n" },
    { "PL02", E, "--- threadz 1 ---\n\nsome threads:\n" THREAD "--- Thread 7f80 (name: other/15) stack: ---\n  [same as previous thread]\n" MAP },
    { "PL05", E, "--- mutex:\ncycles/second=2000000000\n" DELAY },
    { "PL06", W, CONTENTION "ms since reset = 16\ndiscarded samples = 0\n" DELAY },
    { "PL07", E, HEAP "     0:        0 [     2:      200] @ 0x101 0x201\n" },
    { "PL08", W, JAVA " 100 1 @ 0x00000003\n\n 0x00000003 f (F.java:-1)\n" },
    { "PL09", I, HEAP ROW "MAPPED_LIBRARIES:\nroot=/bin\n00000100-00000300 r-xp 00000000 08:01 12    $root/app\n 400-500: /lib/x.so (@100) abc123\n" },
    { "PL13", I, "goroutine profile: total 1\n1 @ 0x101 0x201\n# runtime\n" },
};
static const char *const rules[] = { "PL01", "PL02", "PL05", "PL06", "PL07", "PL08", "PL09", "PL13", NULL };
enum { DEFECTS = sizeof defects / sizeof *defects, NEAR = sizeof near_misses / sizeof *near_misses };

static void each_rule_finds_its_planted_defect(void **state)
{
    (void)state;
    each_defect_is_found_where_it_stands("pprof-legacy", defects, DEFECTS);
}

static void what_is_only_nearly_wrong_is_not_reported(void **state)
{
    (void)state;
    near_misses_are_not_reported("pprof-legacy", near_misses, NEAR);
    every_rule_is_there(rules, defects, DEFECTS, near_misses, NEAR);
}

/* ---- words, and what concerns a whole file ---- */

#define CPU "\0\0\0\0\3\0\0\0\0\0\0\0\x10\x27\0\0\0\0\0\0"
#define JAVA_CPU "\0\0\0\0\3\0\0\0\1\0\0\0\x10\x27\0\0\0\0\0\0"
#define SAMPLE "\2\0\0\0\2\0\0\0\0\1\0\0\1\2\0\0" /* twice, leaf 0x100, caller 0x201 */
#define TRAILER "\0\0\0\0\1\0\0\0\0\0\0\0"
#define LARGE "9223372036854775808"

struct bytes {
    const char *rule;
    int severity;
    const char *data;
    size_t len;
    bool has_place;
    uint64_t off;
};
#define B(rule, severity, text, off)                                                                                                                           \
    {                                                                                                                                                          \
        rule, severity, text, sizeof(text) - 1, true, off                                                                                                      \
    }
#define WHOLE(rule, severity, text)                                                                                                                            \
    {                                                                                                                                                          \
        rule, severity, text, sizeof(text) - 1, false, 0                                                                                                       \
    }

static const struct bytes damaged[] = {
    B("PL03", E, CPU SAMPLE "\2\0\0\0\3\0\0\0\0\1\0\0", 36),
    B("PL03", E, CPU SAMPLE "\2\0\0", 36),
    B("PL03", E, CPU "\2\0\0\0\xff\xff\xff\xff\0\1\0\0", 20),
    B("PL04", W, CPU SAMPLE, 36),
    WHOLE("PL10", W, "goroutine profile: total 1\n" LARGE " @ 0x101\n"),
    WHOLE("PL10", W, CONTENTION "9000000000000000000 2 @ 0x101\n"),
    WHOLE("PL11", W, JAVA_CPU SAMPLE TRAILER " 0x100 f (F.java:1)\n"),
    WHOLE("PL12", I, HEAP " 1: 100 [2: 200] @ 0x101 0x401\n" MAP),
};
static const struct bytes sound[] = {
    WHOLE("PL03", E, CPU SAMPLE TRAILER),
    WHOLE("PL04", W, CPU SAMPLE TRAILER "00000100-00000300 r-xp 00000000 08:01 12    /bin/app\n"),
    WHOLE("PL10", W, "goroutine profile: total 1\n9223372036854775807 @ 0x101\n"),
    WHOLE("PL11", W, JAVA_CPU SAMPLE TRAILER " 0x100 f (F.java:1)\n 0x201 g\n"),
    WHOLE("PL12", I, HEAP ROW MAP),
};

static void damage_of_words_and_whole_files_is_found(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof damaged / sizeof *damaged; i++) {
        const struct bytes *b = &damaged[i];
        struct checked c;
        check_text(&c, "pprof-legacy", b->data, b->len);
        const assay_finding *f = found_rule(&c, b->rule);
        if (!f) fail_msg("defect %zu: no %s", i, b->rule);
        assert_int_equal(f->severity, b->severity);
        assert_int_equal(f->has_offset, b->has_place);
        if (b->has_place && f->offset != b->off) fail_msg("defect %zu: %s at %llu", i, b->rule, (unsigned long long)f->offset);
        check_done(&c);
    }
    for (size_t i = 0; i < sizeof sound / sizeof *sound; i++) {
        struct checked c;
        check_text(&c, "pprof-legacy", sound[i].data, sound[i].len);
        const assay_finding *f = found_rule(&c, sound[i].rule);
        if (f) fail_msg("near miss %zu: %s: %s", i, f->rule, f->message);
        check_done(&c);
    }
}

/* ---- what samples become ---- */

static void expect_all(const char *text, size_t len, const char *comments, const char *name, int64_t self, int64_t total, uint32_t metric)
{
    struct assay_option option = { "comments", NULL };
    struct assay_read_options o = { .options = comments ? &option : NULL, .option_count = comments ? 1 : 0 };
    assay_profile *p = NULL;
    assay_top *top = NULL;
    assay_error err = { 0 };
    bool is_there = false;
    if (assay_read_memory(text, len, "text", &o, &p, &err)) fail_msg("%s, of:\n%s", err.text, text);
    assert_string_equal(assay_profile_format(p), "pprof-legacy");
    assert_int_equal(assay_top_new(p, &top, &err), 0);
    for (uint32_t i = 0; i < top->count; i++) {
        const assay_value *s = &top->self[i * top->metric_count + metric], *t = &top->total[i * top->metric_count + metric];
        if (!slice_is(assay_profile_string(p, assay_profile_funcs(p)->name[top->func[i].v]), name)) continue;
        is_there = true;
        if (s->i != self || t->i != total) fail_msg("%s: %lld and %lld, of:\n%s", name, (long long)s->i, (long long)t->i, text);
    }
    if (!is_there) fail_msg("no %s in:\n%s", name, text);
    assay_top_free(top);
    assay_profile_release(p);
}

static void expect(const char *text, const char *name, int64_t self, int64_t total, uint32_t metric)
{
    expect_all(text, strlen(text), NULL, name, self, total, metric);
}

/* Metrics: alloc_objects, alloc_space, inuse_objects, inuse_space; objects and space where both pairs of the header are equal. */
static void heaps_have_what_is_in_use_and_what_was_allocated(void **state)
{
    (void)state;
    expect(HEAP ROW ROW, "0x100", 4, 4, 0);
    expect(HEAP ROW, "0x200", 0, 100, 3);
    expect("heap profile: 2: 200 [2: 200] @ heapprofile\n" ROW, "0x100", 100, 100, 1);
    expect("heap profile: 2: 200 [0: 0] @ growth\n" ROW, "0x100", 1, 1, 0);
}

/* 1 / (1 - e^-1) = 1.5819...: one object of the size of the rate stands for 1.58. */
static void sampled_heaps_are_scaled(void **state)
{
    (void)state;
    expect("heap profile: 2: 2000 [2: 2000] @ heap_v2/1000\n 2: 2000 [2: 2000] @ 0x101\n", "0x100", 3, 3, 0);
    expect("heap profile: 2: 2000 [2: 2000] @ heap_v2/1000\n 2: 2000 [2: 2000] @ 0x101\n", "0x100", 3163, 3163, 1);
    expect("heap profile: 2: 2000 [2: 2000] @ heap/2000\n 2: 2000 [2: 2000] @ 0x101\n", "0x100", 3163, 3163, 1); /* Go doubles it */
}

/* 3000 cycles of 2 GHz, one of ten was sampled. */
static void delays_are_in_nanoseconds(void **state)
{
    (void)state;
    expect(CONTENTION DELAY, "0x100", 15000, 15000, 1);
    expect(CONTENTION DELAY, "0x200", 0, 20, 0);
    expect("--- contentionz 1 ---\nformat = java\nresolution = microseconds\nsampling period = 10\n 30 2 @ 0x3\n 0x3 f (F.java:7)\n", "f", 300, 300, 1);
}

static void threads_with_equal_stacks_are_added_up(void **state)
{
    (void)state;
    static const char text[] = "--- threadz 1 ---\n\n" THREAD "--- Thread 7f80 (name: other/15) stack: ---\n  [same as previous thread]\n" MAP;
    expect(text, "0x100", 2, 2, 0);
    expect(text, "0x200", 0, 2, 0);
    expect(THREAD MAP, "0x200", 0, 1, 0);
}

static void words_of_every_width_and_order_are_read(void **state)
{
    (void)state;
    static const char little[] = CPU SAMPLE TRAILER;
    static const char big[] =
        "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\3\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x27\x10\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\2\0\0\0\0\0\0\0\1\0\0\0\0\0\0\1\0"
        "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\0";
    static const char java[] = JAVA_CPU SAMPLE TRAILER " 0x100 f (F.java:1)\n 0x201 g\n";
    expect_all(little, sizeof little - 1, NULL, "0x100", 2, 2, 0);
    expect_all(big, sizeof big - 1, NULL, "0x100", 20000000, 20000000, 1);
    expect_all(java, sizeof java - 1, NULL, "g", 0, 20000000, 1);
}

/* 40 samples whose second frame is the signal handler's, and whose third is the leaf again. */
static void frames_of_the_profiler_are_left_out(void **state)
{
    (void)state;
    char text[2048], *at = text;
    memcpy(at, CPU, sizeof CPU - 1);
    at += sizeof CPU - 1;
    for (int i = 0; i < 40; i++, at += 24) memcpy(at, "\1\0\0\0\4\0\0\0\0\1\0\0\1\x9\0\0\0\1\0\0\1\2\0\0", 24);
    for (int i = 0; i < 2; i++, at += 12) memcpy(at, "\1\0\0\0\1\0\0\0\0\1\0\0", 12);
    memcpy(at, TRAILER, sizeof TRAILER - 1);
    at += sizeof TRAILER - 1;
    assay_profile *p = NULL;
    assert_int_equal(assay_read_memory(text, (size_t)(at - text), "text", NULL, &p, NULL), 0);
    assert_int_equal(assay_profile_funcs(p)->count, 4); /* 42 samples, 40 of them with 0x900: too few for all but one in 32 */
    assay_profile_release(p);
    at -= 12 + sizeof TRAILER - 1; /* one without */
    memcpy(at, TRAILER, sizeof TRAILER - 1);
    at += sizeof TRAILER - 1;
    assert_int_equal(assay_read_memory(text, (size_t)(at - text), "text", NULL, &p, NULL), 0);
    assert_int_equal(assay_profile_funcs(p)->count, 2); /* 0x900 and then 0xff, which all samples have second, are gone */
    assay_profile_release(p);
    static const char repeated[] = CPU "\1\0\0\0\3\0\0\0\0\1\0\0\0\1\0\0\1\2\0\0"
                                       "\1\0\0\0\2\0\0\0\0\3\0\0\1\2\0\0" TRAILER;
    assert_int_equal(assay_read_memory(repeated, sizeof repeated - 1, "text", NULL, &p, NULL), 0);
    assert_int_equal(assay_profile_funcs(p)->count, 3); /* 0x100, 0x300 and 0x200: no 0xff */
    assay_profile_release(p);
}

static void comments_of_go_name_functions_when_asked(void **state)
{
    (void)state;
    static const char text[] = "goroutine profile: total 3\n3 @ 0x101 "
                               "0x201\n#\t0x100\tmain.inner+0x1\tmain.go:5\n#\t0x100\tmain.outer+0x9\tmain.go:8\n#\t0x200\tmain.main+0x11\tmain.go:20\n";
    expect(text, "0x100", 3, 3, 0);
    expect_all(text, sizeof text - 1, "yes", "main.inner", 3, 3, 0);
    expect_all(text, sizeof text - 1, "yes", "main.outer", 0, 3, 0);
    expect_all(text, sizeof text - 1, "yes", "main.main", 0, 3, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_rule_finds_its_planted_defect),
        cmocka_unit_test(what_is_only_nearly_wrong_is_not_reported),
        cmocka_unit_test(damage_of_words_and_whole_files_is_found),
        cmocka_unit_test(heaps_have_what_is_in_use_and_what_was_allocated),
        cmocka_unit_test(sampled_heaps_are_scaled),
        cmocka_unit_test(delays_are_in_nanoseconds),
        cmocka_unit_test(threads_with_equal_stacks_are_added_up),
        cmocka_unit_test(words_of_every_width_and_order_are_read),
        cmocka_unit_test(frames_of_the_profiler_are_left_out),
        cmocka_unit_test(comments_of_go_name_functions_when_asked),
    };
    return cmocka_run_group_tests_name("pprof-legacy", tests, NULL, NULL);
}

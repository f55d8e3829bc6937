/* Planted defects for the rules of folded stacks, texts that are nearly wrong but are not, and what lines add up to. */
#include "../planted.h"

#include <stdlib.h>

#include "assay/assay.h"

#define S "main;a 3\n"

static const struct defect defects[] = {
    { "FS01", E, "@no count\n" },
    { "FS02", W, S "@no count\n" },
    { "FS02", W, S "@main;a 3x\n" },
    { "FS02", W, S "@ 12\n" },
    { "FS03", W, S "@main;b 9223372036854775808\n" },
    { "FS04", I, S "@main;a 1 2\n" },
};
static const struct defect near_misses[] = {
    { "FS01", E, "# comment\n\n" S },
    { "FS02", W, "\n# no count\n a b;c d \t 3 \r\n" },
    { "FS03", W, "main;b 9223372036854775807\n" },
    { "FS04", I, "main;a 1 2\nmain;b 3 4\n" },
};
static const char *const rules[] = { "FS01", "FS02", "FS03", "FS04", NULL };

enum { DEFECTS = sizeof defects / sizeof *defects, NEAR = sizeof near_misses / sizeof *near_misses };

static void each_rule_finds_its_planted_defect(void **state)
{
    (void)state;
    each_defect_is_found_where_it_stands("folded", defects, DEFECTS);
}

static void what_is_only_nearly_wrong_is_not_reported(void **state)
{
    (void)state;
    near_misses_are_not_reported("folded", near_misses, NEAR);
    every_rule_is_there(rules, defects, DEFECTS, near_misses, NEAR);
}

struct text {
    char at[400];
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

/* Read and written again. */
static void bytes_become(const char *in, size_t len, const char *metric, const char *want)
{
    assay_profile *p = NULL;
    struct text t = { "", 0 };
    struct assay_read_options r = { .format = "folded", .want = ASSAY_WANT_TREE };
    struct assay_write_options w = { .format = "folded", .metric = metric };
    assert_int_equal(assay_read_memory(in, len, "in", &r, &p, NULL), 0);
    assert_int_equal(assay_write_fn(p, &w, collect, &t, NULL, NULL), 0);
    assert_string_equal(t.at, want);
    assay_profile_release(p);
}

static void becomes(const char *in, const char *metric, const char *want) { bytes_become(in, strlen(in), metric, want); }

static void equal_stacks_are_added_and_lines_are_sorted_by_bytes(void **state)
{
    (void)state;
    becomes("main;b 1\nmain;a 2\nmain;b 3\nmain 5\n", NULL, "main 5\nmain;a 2\nmain;b 4\n");
    becomes("a;x 1\na b;y 1\na 10\na-c 2\n", NULL, "a 10\na b;y 1\na-c 2\na;x 1\n");
    becomes("trail;;; 4\ntrail 1\na;;b 2\n;lead 3\nzero 0\n", NULL, ";lead 3\na;;b 2\ntrail 5\n");
}

static void fractions_are_kept(void **state)
{
    (void)state;
    becomes("a 1.5\na;b 2.25\na 0.25\n", NULL, "a 1.75\na;b 2.25\n");
    becomes("a 9007199254740993\n", NULL, "a 9007199254740993\n");
}

static void a_name_with_a_nul_stays_one_frame(void **state)
{
    (void)state;
    static const char text[] = "\0;c 1\na\0b;c 2\n";
    bytes_become(text, sizeof text - 1, NULL, " ;c 1\na b;c 2\n");
}

static void two_numbers_on_every_line_are_a_difference(void **state)
{
    (void)state;
    const char *text = "m;a 5 7\nm;a 5 1\nm;b 2 0\nm 1 1\n";
    becomes(text, "before", "m 1\nm;a 10\nm;b 2\n");
    becomes(text, "after", "m 1\nm;a 8\n");
    becomes("m;a 5 7\nm;b 3\n", NULL, "m;a 5 7\nm;b 3\n");
}

static void a_stack_that_ends_without_a_name_gives_all_such_frames_one(void **state)
{
    (void)state;
    becomes(";;; 4\n;a 1\n[unknown];a 2\nb;;c 3\n", NULL, "[unknown] 4\n[unknown];a 3\nb;[unknown];c 3\n");
    becomes(";;; 0\n;a 1\n", NULL, ";a 1\n");
}

/* What is read without a word about the format: the total of the only metric; -1 = refused. */
static int64_t total_of(const char *text, size_t len)
{
    assay_profile *p = NULL;
    assay_error err = { 0 };
    if (assay_read_memory(text, len, "stacks", &(struct assay_read_options){ .want = ASSAY_WANT_TREE }, &p, &err) != 0) return -1;
    assert_string_equal(assay_profile_format(p), "folded");
    int64_t total = (int64_t)assay_profile_metrics(p)->total[1].low;
    assay_profile_release(p);
    return total;
}

static void frames_without_any_name_are_read(void **state)
{
    (void)state;
    const char *text = "main;a 3\n;;; 4\n;; 1\nmain;b 2\n";
    assert_int_equal(total_of(text, strlen(text)), 10);
}

/* Longer than what probes see. */
static void one_very_long_line_is_recognised(void **state)
{
    enum { LEN = 2 << 20 };
    char *text = malloc(LEN + 8);
    (void)state;
    assert_non_null(text);
    for (size_t i = 0; i < LEN; i++) text[i] = "main;do_it;f(x);"[i % 16];
    memcpy(text + LEN, "end 7\n", 6);
    assert_int_equal(total_of(text, LEN + 6), 7);
    text[0] = '{';
    assert_int_equal(total_of(text, LEN + 6), -1);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_rule_finds_its_planted_defect),
        cmocka_unit_test(what_is_only_nearly_wrong_is_not_reported),
        cmocka_unit_test(equal_stacks_are_added_and_lines_are_sorted_by_bytes),
        cmocka_unit_test(fractions_are_kept),
        cmocka_unit_test(a_name_with_a_nul_stays_one_frame),
        cmocka_unit_test(two_numbers_on_every_line_are_a_difference),
        cmocka_unit_test(a_stack_that_ends_without_a_name_gives_all_such_frames_one),
        cmocka_unit_test(frames_without_any_name_are_read),
        cmocka_unit_test(one_very_long_line_is_recognised),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

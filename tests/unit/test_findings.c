/* Lists of findings: texts, the cut for each rule, counting, memory. */
#include "capture.h"

#include "base/findings.h"

static void a_finding_keeps_its_place_and_its_formatted_message(void **state)
{
    (void)state;
    struct mem mem;
    struct findings f;
    mem_init(&mem, 0);
    findings_init(&f, &mem);
    char name[] = "main";
    findings_add(&f, "CG05", ASSAY_ERROR, 17, 3, "'%s' has %d calls", name, 12);
    name[0] = 'x';
    findings_add(&f, "CG06", ASSAY_WARNING, FINDING_NO_OFFSET, 0, "no place");
    assert_false(f.failed);
    assert_int_equal(f.list.len, 2);
    const assay_finding *a = &f.list.at[0], *b = &f.list.at[1];
    assert_string_equal(a->rule, "CG05");
    assert_string_equal(a->message, "'main' has 12 calls");
    assert_int_equal(a->severity, ASSAY_ERROR);
    assert_true(a->has_offset);
    assert_int_equal(a->offset, 17);
    assert_int_equal(a->line, 3);
    assert_int_equal(a->repeats, 0);
    assert_false(b->has_offset);
    assert_int_equal(b->offset, 0);
    assert_int_equal(b->line, 0);
    findings_done(&f);
    assert_int_equal(mem.used, 0);
}

static void a_message_may_have_any_length(void **state)
{
    (void)state;
    static const size_t lens[] = { 0, 1, 254, 255, 256, 257, 5000, 100000 };
    static char name[100001];
    struct mem mem;
    struct findings f;
    mem_init(&mem, 0);
    findings_init(&f, &mem);
    for (size_t i = 0; i < sizeof lens / sizeof *lens; i++) {
        memset(name, 'n', lens[i]);
        name[lens[i]] = '\0';
        findings_add(&f, "R1", ASSAY_INFO, 0, 0, "%s!", name);
        const char *message = f.list.at[i].message;
        assert_int_equal(strlen(message), lens[i] + 1);
        assert_memory_equal(message, name, lens[i]);
        assert_int_equal(message[lens[i]], '!');
    }
    findings_done(&f);
    assert_int_equal(mem.used, 0);
}

static void a_rule_is_listed_a_hundred_times_and_then_counted_on_the_last(void **state)
{
    (void)state;
    struct mem mem;
    struct findings f;
    mem_init(&mem, 0);
    findings_init(&f, &mem);
    for (unsigned i = 0; i < 1000; i++) {
        findings_add(&f, "N06", ASSAY_ERROR, i, 0, "number %u", i);
        if (i % 100 == 0) findings_add(&f, "N07", ASSAY_WARNING, i, 0, "seldom");
    }
    assert_int_equal(f.list.len, FINDINGS_PER_RULE + 10);
    assert_int_equal(f.errors, 1000);
    assert_int_equal(f.warnings, 10);
    uint64_t listed = 0, repeats = 0;
    for (size_t i = 0; i < f.list.len; i++) {
        const assay_finding *at = &f.list.at[i];
        if (strcmp(at->rule, "N06") != 0) continue;
        listed++;
        repeats += at->repeats;
        assert_int_equal(at->repeats, listed == FINDINGS_PER_RULE ? 900 : 0);
    }
    assert_int_equal(listed, FINDINGS_PER_RULE);
    assert_int_equal(repeats, 900);
    findings_done(&f);
    assert_int_equal(mem.used, 0);
}

static void what_is_only_counted_takes_no_memory(void **state)
{
    (void)state;
    struct mem mem;
    struct findings f;
    mem_init(&mem, 0);
    findings_init(&f, &mem);
    for (unsigned i = 0; i < FINDINGS_PER_RULE; i++) findings_add(&f, "W1", ASSAY_WARNING, i, 0, "one");
    uint64_t requests = mem.requests;
    for (unsigned i = 0; i < 100000; i++) findings_add(&f, "W1", ASSAY_WARNING, i, 0, "%0200u", i);
    assert_int_equal(mem.requests, requests);
    assert_int_equal(f.warnings, 100000 + FINDINGS_PER_RULE);
    findings_done(&f);
}

static void a_copy_does_not_need_its_original(void **state)
{
    (void)state;
    struct mem mem;
    struct findings f;
    char rule[] = "H013", message[] = "sum differs";
    mem_init(&mem, 0);
    findings_init(&f, &mem);
    assay_finding from = { .rule = rule, .severity = ASSAY_WARNING, .has_offset = true, .offset = 0, .line = 9, .repeats = 4, .message = message };
    findings_copy(&f, &from);
    memset(rule, 'x', sizeof rule - 1);
    memset(message, 'x', sizeof message - 1);
    assert_int_equal(f.list.len, 1);
    assert_string_equal(f.list.at[0].rule, "H013");
    assert_string_equal(f.list.at[0].message, "sum differs");
    assert_true(f.list.at[0].has_offset);
    assert_int_equal(f.list.at[0].line, 9);
    assert_int_equal(f.list.at[0].repeats, 4);
    assert_int_equal(f.warnings, 5);
    findings_done(&f);
    assert_int_equal(mem.used, 0);
}

static void copied_repeats_end_up_on_the_last_one_listed(void **state)
{
    (void)state;
    struct mem mem;
    struct findings f;
    mem_init(&mem, 0);
    findings_init(&f, &mem);
    assay_finding from = { .rule = "H001", .severity = ASSAY_ERROR, .repeats = 10, .message = "again" };
    for (unsigned i = 0; i < FINDINGS_PER_RULE + 5; i++) findings_copy(&f, &from);
    assert_int_equal(f.list.len, FINDINGS_PER_RULE);
    assert_int_equal(f.errors, 11 * (FINDINGS_PER_RULE + 5));
    for (size_t i = 0; i + 1 < f.list.len; i++) assert_int_equal(f.list.at[i].repeats, 0);
    assert_int_equal(f.list.at[FINDINGS_PER_RULE - 1].repeats, f.errors - FINDINGS_PER_RULE);
    from.repeats = UINT64_MAX;
    findings_copy(&f, &from);
    assert_true(f.errors == UINT64_MAX);
    assert_true(f.list.at[FINDINGS_PER_RULE - 1].repeats == UINT64_MAX);
    findings_done(&f);
    assert_int_equal(mem.used, 0);
}

/* Keys of a hostile file end up in messages. */
static void a_message_is_one_line(void **state)
{
    (void)state;
    struct mem mem;
    struct findings f;
    mem_init(&mem, 0);
    findings_init(&f, &mem);
    findings_add(&f, "J-6", ASSAY_WARNING, 0, 0, "the key '%s' is unknown", "a\n\x1b[31mb\x7f\t\xc3\xa4\\");
    assert_string_equal(f.list.at[0].message, "the key 'a\\x0a\\x1b[31mb\\x7f\\x09\xc3\xa4\\' is unknown");
    findings_done(&f);
    assert_int_equal(mem.used, 0);
}

static void infos_are_neither_errors_nor_warnings(void **state)
{
    (void)state;
    struct mem mem;
    struct findings f;
    mem_init(&mem, 0);
    findings_init(&f, &mem);
    findings_add(&f, "I1", ASSAY_INFO, 0, 0, "worth knowing");
    assert_int_equal(f.list.len, 1);
    assert_int_equal(f.errors + f.warnings, 0);
    findings_done(&f);
}

/* Fills a list with everything that allocates. */
static void fill(struct findings *f)
{
    static const char *const rules[] = { "A1", "A2", "A3", "A4", "A5", "A6", "A7", "A8", "A9", "B1" };
    for (unsigned i = 0; i < 10; i++) {
        findings_add(f, rules[i], ASSAY_ERROR, i, 0, "%0*u", i == 7 ? 70000 : 20, i);
        assay_finding copy = { .rule = "COPIED", .severity = ASSAY_WARNING, .message = "copied" };
        findings_copy(f, &copy);
    }
}

static void a_refused_allocation_is_sticky_and_leaks_nothing(void **state)
{
    (void)state;
    bool failed = true;
    for (uint64_t n = 1; failed; n++) {
        struct mem mem;
        struct findings f;
        mem_init(&mem, 0);
        mem.fail_at = n;
        findings_init(&f, &mem);
        fill(&f);
        failed = f.failed;
        assert_int_equal(failed, n <= mem.requests);
        assert_int_equal(f.errors, 10);
        assert_int_equal(f.warnings, 10);
        for (size_t i = 0; i < f.list.len; i++) assert_non_null(f.list.at[i].message);
        findings_done(&f);
        assert_int_equal(mem.used, 0);
        assert_true(n < 100);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_finding_keeps_its_place_and_its_formatted_message),
        cmocka_unit_test(a_message_may_have_any_length),
        cmocka_unit_test(a_rule_is_listed_a_hundred_times_and_then_counted_on_the_last),
        cmocka_unit_test(what_is_only_counted_takes_no_memory),
        cmocka_unit_test(a_copy_does_not_need_its_original),
        cmocka_unit_test(copied_repeats_end_up_on_the_last_one_listed),
        cmocka_unit_test(a_message_is_one_line),
        cmocka_unit_test(infos_are_neither_errors_nor_warnings),
        cmocka_unit_test(a_refused_allocation_is_sticky_and_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

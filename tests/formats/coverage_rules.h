/* For tests of coverage formats: the three tests that every list of planted defects gives, and counts of a text. */
#ifndef TESTS_COVERAGE_RULES_H
#define TESTS_COVERAGE_RULES_H

#include "planted.h"

/* Needs `defects`, `near_misses` and `rules` in the file. */
#define RULE_TESTS(format)                                                                                                                                     \
    static void each_rule_finds_its_planted_defect(void **state)                                                                                               \
    {                                                                                                                                                          \
        (void)state;                                                                                                                                           \
        each_defect_is_found_where_it_stands(format, defects, sizeof defects / sizeof *defects);                                                               \
    }                                                                                                                                                          \
    static void what_is_only_nearly_wrong_is_not_reported(void **state)                                                                                        \
    {                                                                                                                                                          \
        (void)state;                                                                                                                                           \
        near_misses_are_not_reported(format, near_misses, sizeof near_misses / sizeof *near_misses);                                                           \
        every_rule_is_there(rules, defects, sizeof defects / sizeof *defects, near_misses, sizeof near_misses / sizeof *near_misses);                          \
    }

static inline assay_profile *read_text(const char *text, const char *format)
{
    assay_profile *p = NULL;
    assay_error err = { 0 };
    struct assay_read_options o = { .format = format };
    if (assay_read_memory(text, strlen(text), "text", &o, &p, &err) != 0) fail_msg("%s", err.text);
    return p;
}

static inline assay_coverage_counts counts_of(const assay_profile *p)
{
    assay_coverage_counts n;
    assert_int_equal(assay_coverage_count(p, &n, NULL, NULL), 0);
    return n;
}

static inline uint64_t count_named(const assay_profile *p, const char *name)
{
    const struct assay_counts *c = assay_profile_counts(p);
    for (uint32_t i = 0; i < c->count; i++)
        if (strcmp(assay_profile_string(p, c->name[i]).data, name) == 0) return c->value[i];
    return UINT64_MAX;
}

#endif

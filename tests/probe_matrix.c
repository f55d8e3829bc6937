/* Recognising: every sample against every probe. The winner is the one that folder and extension say, nobody else scores as high, and no
 * probe trips over random bytes or a head that ends anywhere. */
#include "harness.h"

#include <fnmatch.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* A fixture has the name of its format, and need not be listed: NAME.FORMAT or NAME.FORMAT.EXTENSION. Of files that are called otherwise, as their programs
 * call them or in the shared data, the first pattern that matches the path decides. */
static const struct {
    const char *pattern, *format;
} expected[] = {
    /* clang-format off */
    { "*.hpcstruct", "hpcstruct" },
    { "*/tests/data/*.experiment.xml", "hpcdb-xml" },
    { "*.cachegrind", "cachegrind" },
    { "*/data/callgrind/*", "callgrind" },
    { "*/tests/data/*.xdebug*", "callgrind" },
    { "*/data/webgrind/*.v[4567]*", "webgrind" },
    { "*/data/webgrind/*.wg", "webgrind" },
    { "*/data/nytprof/tlv/*", "nytprof-tlv" },
    { "*/data/nytprof/pynytprof/*", "nytprof-tlv" },
    { "*/data/coverage/lcov/*.info", "lcov" },
    { "*/data/coverage/cobertura/*.xml", "cobertura" },
    { "*/data/coverage/clover/*.xml", "clover" },
    { "*/data/coverage/coveragepy/*.json", "coverage.py-json" },
    { "*/data/coverage/jacoco/*.exec", "jacoco-exec" },
    { "*/data/coverage/jacoco/*.xml", "jacoco" },
    { "*/data/coverage/sonarqube/*.xml", "sonarqube-generic" },
    { "*/tests/data/*.jacoco.exec", "jacoco-exec" },
    { "*/tests/data/*.sonarqube.xml", "sonarqube-generic" },
    { "*/data/coverage/go/*.cov", "go-cover" },
    { "*/data/coverage/gcov/*.gcov", "gcov-text" },
    { "*/tests/data/*.gcov.json*", "gcov-json" },
    { "*/tests/data/*.coverage-py.json", "coverage.py-json" },
    { "*/data/coverage/llvm/*.json", "llvm-cov-json" },
    { "*/data/coverage/gcovr/*.json*", "gcovr-json" },
    { "*/data/coverage/istanbul/*.json", "istanbul" },
    { "*/data/coverage/v8/*.json*", "v8" },
    { "*/data/coverage/simplecov/*.json", "simplecov-resultset" },
    { "*/data/coverage/coveralls/*.json", "coveralls" },
    { "*/data/coverage/grcov/*.json", "grcov-covdir" },
    { "*/tests/data/*.llvm-cov.json", "llvm-cov-json" },
    { "*/tests/data/*.gcovr.json", "gcovr-json" },
    { "*/tests/data/*.simplecov.json", "simplecov-resultset" },
    { "*/tests/data/*.covdir.json", "grcov-covdir" },
    { "*/tests/data/*.devel-cover.json", "devel-cover-json" },
    { "*/tests/data/*.assay.json", "assay-json" },
    { "*/tests/data/*.cov-object", "cov" },
    { "*/tests/data/*.cov-spec-object", "cov-spec" },
    { "*/tests/data/*.info", "lcov" },
    { "*/tests/data/*.cov", "go-cover" },
    { "*/tests/data/*-intermediate.gcov", "gcov-intermediate" },
    { "*/tests/data/*.gcov", "gcov-text" },
    { "*/data/nytprof/*", "nytprof" },
    { "*.hpcrun", "hpcrun" },
    { "*.hpctrace", "hpctrace" },
    { "*.hpcrun-flat", "hpcrun-flat" },
    { "*/data/webgrind/*", "callgrind" }, /* the text that the others were made from */
    /* clang-format on */
};

static const char *format_in_name(const struct sample *s)
{
    const char *found = NULL;
    for (size_t i = 0; i < registry_format_count; i++) {
        const char *name = registry_formats[i]->info.name;
        char whole[64], before[64];
        snprintf(whole, sizeof whole, "*.%s", name);
        snprintf(before, sizeof before, "*.%s.*", name);
        if (fnmatch(whole, s->name, 0) == 0 || fnmatch(before, s->name, 0) == 0) found = name;
    }
    return found;
}

static const char *expected_format(const struct sample *s)
{
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        if (fnmatch(expected[i].pattern, s->path, 0) == 0) return expected[i].format;
    const char *found = strstr(s->path, "/tests/data/") ? format_in_name(s) : NULL;
    if (!found) fail_msg("no expectation for %s: name it NAME.FORMAT or NAME.FORMAT.EXTENSION, or add a pattern to `expected`", s->path);
    return found;
}

static struct samples samples;

static int set_up(void **state)
{
    /* clang-format off */
    static const char *const areas[] = {
        "callgrind",
        "coverage/clover",
        "coverage/cobertura",
        "coverage/coveragepy",
        "coverage/coveralls",
        "coverage/gcovr",
        "coverage/go",
        "coverage/grcov",
        "coverage/istanbul",
        "coverage/jacoco",
        "coverage/lcov",
        "coverage/llvm",
        "coverage/simplecov",
        "coverage/sonarqube",
        "coverage/v8",
        "hpcrun/historic",
        "hpcrun/seed",
        "nytprof/old",
        "nytprof/pynytprof",
        "nytprof/tlv",
        "webgrind",
        NULL,
    };
    /* clang-format on */
    (void)state;
    samples_load(&samples, 0, areas);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    samples_free(&samples);
    return 0;
}

/* The first bytes, unpacked, in a block of exactly their size. */
static uint8_t *head_of(const struct sample *s, size_t *len)
{
    struct mem mem;
    struct input *in;
    assay_slice head = { NULL, 0 };
    mem_init(&mem, 0);
    struct input_options o = { .mem = &mem };
    assert_int_equal(input_open_memory(&in, s->data, s->len, s->path, &o, NULL), 0);
    (void)input_peek(in, &head, NULL);
    uint8_t *copy = malloc(head.len + 1);
    assert_non_null(copy);
    if (head.len) memcpy(copy, head.data, head.len);
    *len = head.len;
    input_close(in);
    return copy;
}

static int score(const struct format *f, const void *head, size_t len, bool whole, const char *path)
{
    struct probe p = { .head = { head, len }, .is_whole = whole, .len = whole ? len : 0, .path = path };
    const char *why = NULL;
    int n = f->probe(&p, &why);
    harness_promise(n >= 0 && n <= 100, "probe of %s says %d", f->info.name, n);
    harness_promise(n == 0 || (why && why[0]), "probe of %s says %d without a reason", f->info.name, n);
    return n;
}

static void every_sample_is_recognised_as_what_it_is(void **state)
{
    (void)state;
    unsigned wrong = 0;
    for (size_t i = 0; i < samples.count; i++) {
        const struct sample *s = &samples.at[i];
        size_t len;
        uint8_t *head = head_of(s, &len);
        const char *want = expected_format(s);
        harness_doing("recognising %s", s->path);
        const struct format *f = harness_recognise(s->data, s->len, s->path);
        bool right = f && strcmp(f->info.name, want) == 0;
        printf("%-4s %-40s %-12s", right ? "" : "BAD", s->name, f ? f->info.name : "-");
        for (const struct format *const *g = registry_formats; *g; g++) printf(" %s %d", (*g)->info.name, score(*g, head, len, len < 65536, s->path));
        printf("\n");
        wrong += !right;
        free(head);
    }
    assert_int_equal(wrong, 0);
}

static void names_and_extensions_do_not_decide(void **state)
{
    (void)state;
    for (size_t i = 0; i < samples.count; i++) {
        const struct sample *s = &samples.at[i];
        const char *want = expected_format(s);
        harness_doing("recognising %s without its name", s->path);
        const struct format *f = harness_recognise(s->data, s->len, "x");
        if (strncmp(s->name, "bad-", 4) == 0) continue;
        if (!f || strcmp(f->info.name, want) != 0) fail_msg("%s is taken for %s", s->path, f ? f->info.name : "nothing");
    }
}

static void a_head_may_end_anywhere(void **state)
{
    (void)state;
    for (size_t i = 0; i < samples.count; i++) {
        size_t len;
        uint8_t *head = head_of(&samples.at[i], &len);
        for (size_t cut = 0; cut < len && cut < 300; cut++) {
            uint8_t *copy = malloc(cut ? cut : 1);
            assert_non_null(copy);
            memcpy(copy, head, cut);
            harness_doing("probing the first %zu bytes of %s", cut, samples.at[i].path);
            for (const struct format *const *f = registry_formats; *f; f++) {
                (void)score(*f, copy, cut, true, samples.at[i].path);
                (void)score(*f, copy, cut, false, "");
            }
            free(copy);
        }
        free(head);
    }
}

/* xorshift64: the same bytes everywhere */
static uint64_t next(uint64_t *x)
{
    *x ^= *x << 13;
    *x ^= *x >> 7;
    *x ^= *x << 17;
    return *x;
}

static void random_bytes_are_nobodys(void **state)
{
    (void)state;
    uint64_t x = 88172645463325252u;
    for (unsigned round = 0; round < 5000; round++) {
        size_t len = (size_t)(next(&x) % 600);
        uint8_t *data = malloc(len ? len : 1);
        assert_non_null(data);
        for (size_t i = 0; i < len; i++) data[i] = (uint8_t)(next(&x) >> 32);
        if (round % 2 && len) data[0] = (uint8_t)(round % 9); /* small first bytes look like version numbers */
        harness_doing("probing random bytes, round %u", round);
        for (const struct format *const *f = registry_formats; *f; f++)
            harness_promise(score(*f, data, len, true, "random") < 80, "%s claims random bytes", (*f)->info.name);
        free(data);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_sample_is_recognised_as_what_it_is),
        cmocka_unit_test(names_and_extensions_do_not_decide),
        cmocka_unit_test(a_head_may_end_anywhere),
        cmocka_unit_test(random_bytes_are_nobodys),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}

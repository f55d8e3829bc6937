/* Damage of a database: each of its files is cut at every length and has every byte flipped, in turn; each allocation is refused in turn; a
 * file by itself is read from memory. Whatever comes of it, the promises of harness.h hold.
 *
 *     test_hpcdb_damage [--sparse]   sparse: fewer places, for sanitizers */
#include "harness.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/cursor.h"
#include "base/mem.h"

enum { PARTS = 4, MAX_MEMORY = 64 << 20, PATIENCE = 100000 };

static const char *const names[] = { "meta.db", "profile.db", "cct.db", "trace.db", NULL };
static char folder[64];
static struct samples corpus;
static assay_slice parts[PARTS];
static size_t step = 1;

static int set_up(void **state)
{
    char path[4096];
    (void)state;
    snprintf(path, sizeof path, "%s/tests/fuzz/corpus/hpcdb", harness_source());
    samples_add(&corpus, path, 0);
    for (size_t i = 0; i < corpus.count; i++) {
        if (strcmp(corpus.at[i].name, "sound") != 0) continue;
        struct cursor c = cursor_of(corpus.at[i].data, corpus.at[i].len);
        for (int k = 0; k < PARTS; k++) {
            uint32_t len;
            if (!cursor_u32le(&c, &len) || !cursor_bytes(&c, len, &parts[k])) return -1;
        }
    }
    harness_folder(folder, sizeof folder, "hpcdb");
    for (int k = 0; k < PARTS; k++) harness_write(folder, names[k], parts[k].data, parts[k].len);
    return parts[0].len ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    samples_free(&corpus);
    harness_folder_done(folder, names);
    return 0;
}

static void cut_and_flip(int k)
{
    static const uint8_t patterns[] = { 0x01, 0x80, 0xff };
    uint8_t *copy = malloc(parts[k].len);
    assert_non_null(copy);
    memcpy(copy, parts[k].data, parts[k].len);
    for (size_t at = 0; at < parts[k].len; at += step) {
        harness_doing("%s cut to %zu bytes", names[k], at);
        harness_write(folder, names[k], copy, at);
        harness_run_path(folder, RUN_AGREE, 0, MAX_MEMORY);
        uint8_t pattern = patterns[at % sizeof patterns];
        harness_doing("%s with byte %zu ^ 0x%02x", names[k], at, pattern);
        copy[at] ^= pattern;
        harness_write(folder, names[k], copy, parts[k].len);
        harness_run_path(folder, RUN_AGREE, 0, MAX_MEMORY);
        copy[at] ^= pattern;
    }
    harness_write(folder, names[k], copy, parts[k].len);
    free(copy);
}

static void damage_of_meta(void **state) { (void)state, cut_and_flip(0); }
static void damage_of_profile(void **state) { (void)state, cut_and_flip(1); }
static void damage_of_cct(void **state) { (void)state, cut_and_flip(2); }
static void damage_of_trace(void **state) { (void)state, cut_and_flip(3); }

/* Every file of the corpus as it is, and with its first bytes taken away. */
static void a_file_by_itself_survives_damage(void **state)
{
    (void)state;
    for (int k = 0; k < PARTS; k++)
        for (size_t at = 0; at < parts[k].len; at += 7 * step) {
            harness_doing("%s by itself, cut to %zu bytes", names[k], at);
            run_all(parts[k].data, at, registry_find(slice_of("hpcdb")), RUN_READ | RUN_CHECK | RUN_DUMP);
        }
}

static int ignore(void *arg, const char *data, size_t len)
{
    (void)arg, (void)data, (void)len;
    return 0;
}

static int work_read(uint32_t want, assay_error *err)
{
    assay_profile *p = NULL;
    struct assay_read_options o = { .want = want, .strict = want == ASSAY_WANT_SUMS };
    int rc = assay_read(folder, &o, &p, err);
    harness_promise((rc == 0) == (p != NULL), "read gave %d and %s profile", rc, p ? "a" : "no");
    assay_profile_release(p);
    return rc;
}

static int work_check(uint32_t want, assay_error *err)
{
    assay_check_result *r = NULL;
    struct assay_read_options o = { .deep = want };
    int rc = assay_check(folder, &o, &r, err);
    assay_check_free(r);
    return rc;
}

static int work_dump(uint32_t want, assay_error *err)
{
    (void)want;
    return assay_dump(folder, NULL, ignore, NULL, err);
}

static void fail_each(const char *what, int (*work)(uint32_t, assay_error *), uint32_t want)
{
    for (uint64_t n = 1;; n++) {
        assay_error err = { 0 };
        harness_doing("%s, allocation %llu refused", what, (unsigned long long)n);
        mem_fail_new(n, 0, UINT32_MAX);
        int rc = work(want, &err);
        mem_fail_new(0, 0, 0);
        harness_code(rc, &err, what);
        if (rc == 0) break;
        harness_promise(rc == ASSAY_ERR_MEMORY, "the error is '%s: %s', not one of memory", assay_code_name(rc), err.text);
        harness_promise(n < PATIENCE, "still failing");
    }
}

static void every_refused_allocation_is_an_error(void **state)
{
    (void)state;
    fail_each("reading everything", work_read, ASSAY_WANT_ALL);
    fail_each("reading strictly", work_read, ASSAY_WANT_SUMS);
    fail_each("checking", work_check, true);
    fail_each("dumping", work_dump, 0);
}

/* Counts that claim more than the file has do not size anything: a tight limit is enough. */
static void false_counts_take_no_memory(void **state)
{
    (void)state;
    for (size_t i = 0; i < corpus.count; i++) {
        assay_profile *p = NULL;
        assay_error err = { 0 };
        struct assay_read_options o = { .want = ASSAY_WANT_ALL, .max_memory = 16 << 20 };
        harness_doing("reading %s with little memory", corpus.at[i].name);
        harness_unpack(folder, names, corpus.at[i].data, corpus.at[i].len);
        int rc = assay_read(folder, &o, &p, &err);
        harness_code(rc, &err, "assay_read");
        harness_promise(rc != ASSAY_ERR_MEMORY && rc != ASSAY_ERR_LIMIT, "%s took too much memory", corpus.at[i].name);
        assay_profile_release(p);
    }
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "--sparse") == 0) step = 61;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(damage_of_meta),
        cmocka_unit_test(damage_of_profile),
        cmocka_unit_test(damage_of_cct),
        cmocka_unit_test(damage_of_trace),
        cmocka_unit_test(a_file_by_itself_survives_damage),
        cmocka_unit_test(every_refused_allocation_is_an_error),
        cmocka_unit_test(false_counts_take_no_memory), /* last: it changes the files */
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}

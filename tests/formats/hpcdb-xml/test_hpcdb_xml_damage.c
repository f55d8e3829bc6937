/* Damage of databases before 2022 (dense, merged, sparse): each of their files is cut at many lengths and has bytes flipped, in turn; each allocation is
 * refused in turn. Whatever comes of it, the promises of harness.h hold.
 *
 *     test_hpcdb_xml_damage [--sparse]   sparse: fewer places, for sanitizers */
#include "harness.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/cursor.h"
#include "base/mem.h"

enum { PARTS = 9, MAX_MEMORY = 64 << 20, PATIENCE = 100000 };

/* as tests/formats/hpcdb-xml/rules.py --corpus writes them */
static const char *const names[] = { "experiment.xml",
                                     "1.app-000000-000-0a0b0c0d-77-0.metric-db",
                                     "1.app-000000-001-0a0b0c0d-77-0.metric-db",
                                     "app-000000-000-0a0b0c0d-77-0.hpctrace",
                                     "experiment-1.mdb",
                                     "experiment.mt",
                                     "profile.db",
                                     "cct.db",
                                     "trace.db",
                                     NULL };
static char folder[64];
static struct samples corpus;
static size_t step = 3;

static int set_up(void **state)
{
    char path[4096];
    (void)state;
    snprintf(path, sizeof path, "%s/tests/fuzz/corpus/hpcdb-xml", harness_source());
    samples_add(&corpus, path, 0);
    harness_folder(folder, sizeof folder, "hpcdb-xml");
    return corpus.count ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    samples_free(&corpus);
    harness_folder_done(folder, names);
    return 0;
}

/* Makes the directory of this name; its parts are slices of the corpus. */
static void make(const char *name, assay_slice *parts)
{
    for (size_t i = 0; i < corpus.count; i++) {
        if (strcmp(corpus.at[i].name, name) != 0) continue;
        struct cursor c = cursor_of(corpus.at[i].data, corpus.at[i].len);
        for (int k = 0; k < PARTS; k++) {
            uint32_t len;
            assert_true(cursor_u32le(&c, &len) && cursor_bytes(&c, len, &parts[k]));
        }
        harness_unpack(folder, names, corpus.at[i].data, corpus.at[i].len);
        return;
    }
    fail_msg("the corpus has no %s", name);
}

static void cut_and_flip(const char *name, assay_slice part)
{
    static const uint8_t patterns[] = { 0x01, 0x80, 0xff };
    uint8_t *copy = malloc(part.len);
    assert_non_null(copy);
    memcpy(copy, part.data, part.len);
    for (size_t at = 0; at < part.len; at += step) {
        harness_doing("%s cut to %zu bytes", name, at);
        harness_write(folder, name, copy, at);
        harness_run_path(folder, RUN_AGREE, 0, MAX_MEMORY);
        uint8_t pattern = patterns[at % sizeof patterns];
        harness_doing("%s with byte %zu ^ 0x%02x", name, at, pattern);
        copy[at] ^= pattern;
        harness_write(folder, name, copy, part.len);
        harness_run_path(folder, RUN_AGREE, 0, MAX_MEMORY);
        copy[at] ^= pattern;
    }
    harness_write(folder, name, copy, part.len);
    free(copy);
}

static void damage(const char *what)
{
    assay_slice parts[PARTS];
    make(what, parts);
    for (int k = 0; k < PARTS; k++)
        if (parts[k].len) cut_and_flip(names[k], parts[k]);
}

static void a_damaged_dense_database_is_survived(void **state) { (void)state, damage("dense"); }
static void a_damaged_merged_database_is_survived(void **state) { (void)state, damage("merged"); }
static void a_damaged_sparse_database_is_survived(void **state) { (void)state, damage("sparse"); }

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
    static const char *const made[] = { "dense", "merged", "sparse" };
    assay_slice parts[PARTS];
    (void)state;
    for (size_t i = 0; i < sizeof made / sizeof *made; i++) {
        make(made[i], parts);
        fail_each("reading everything", work_read, ASSAY_WANT_ALL);
        fail_each("reading strictly", work_read, ASSAY_WANT_SUMS);
        fail_each("checking", work_check, true);
        fail_each("dumping", work_dump, 0);
    }
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "--sparse") == 0) step = 61;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_damaged_dense_database_is_survived),
        cmocka_unit_test(a_damaged_merged_database_is_survived),
        cmocka_unit_test(a_damaged_sparse_database_is_survived),
        cmocka_unit_test(every_refused_allocation_is_an_error),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}

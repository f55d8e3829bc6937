/* Faults: the n-th allocation fails, n = 1, 2, .. until the work succeeds; the disk is full; a file may not grow. Whatever fails, the
 * error is the right one, nothing leaks, and the target is what it was before. Without ASSAY_THOROUGH in the environment some allocations are
 * passed over, more and more as n grows, and others each time: reading a file of 7 KB makes thousands. */
#include "base/mem.h"
#include "harness.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

enum { SMALL = 7000, PATIENCE = 1000000 };

static struct samples samples; /* the fixtures, and one of them as every format that can be written */
static char inputs[64], folder[64];
static char target[sizeof folder + 16];
static bool is_thorough;

static int set_up(void **state)
{
    (void)state;
    is_thorough = getenv("ASSAY_THOROUGH") != NULL;
    harness_folder(folder, sizeof folder, "fault");
    harness_folder(inputs, sizeof inputs, "fault-in");
    snprintf(target, sizeof target, "%s/target", folder);
    samples_load(&samples, SMALL, NULL);
    size_t fixtures = samples.count;
    for (size_t i = 0; i < fixtures; i++)
        if (strcmp(samples.at[i].name, "demo.xdebug") == 0) {
            struct sample demo = samples.at[i];
            samples_written(&samples, &demo, inputs);
        }
    return samples.count > fixtures ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    for (size_t i = 0; i < samples.count; i++)
        if (strncmp(samples.at[i].path, inputs, strlen(inputs)) == 0) unlink(samples.at[i].path);
    samples_free(&samples);
    unlink(target);
    return rmdir(inputs) | rmdir(folder); /* fails when a temporary file was left behind */
}

static int count_bytes(void *arg, const char *data, size_t len)
{
    (void)data;
    *(uint64_t *)arg += len;
    return 0;
}

/* Calls work with the n-th allocation refused, n = 1, 2, ... until it succeeds; until then it must fail for want of memory. */
typedef int (*work_fn)(const struct sample *s, const void *arg, assay_error *err);

static uint64_t next(uint64_t n)
{
    static uint64_t turn;
    return is_thorough ? n + 1 : n + 1 + (n + turn++) % (1 + n / 4);
}

static void fail_each_of(const char *what, work_fn work, const struct sample *s, const void *arg, uint32_t skip, uint32_t count)
{
    for (uint64_t n = 1;; n = next(n)) {
        assay_error err = { 0 };
        harness_doing("%s of %s, allocation %llu refused", what, s->name, (unsigned long long)n);
        mem_fail_new(n, skip, count);
        int rc = work(s, arg, &err);
        mem_fail_new(0, 0, 0);
        harness_code(rc, &err, what);
        if (rc == 0) {
            harness_promise(n > 1, "nothing was refused");
            break;
        }
        harness_promise(rc == ASSAY_ERR_MEMORY, "the error is '%s: %s', not one of memory", assay_code_name(rc), err.text);
        harness_promise(n < PATIENCE, "still failing");
    }
}

static void fail_each(const char *what, work_fn work, const struct sample *s, const void *arg) { fail_each_of(what, work, s, arg, 0, UINT32_MAX); }

/* ---- reading, checking, dumping ---- */

static int work_read(const struct sample *s, const void *arg, assay_error *err)
{
    assay_profile *p = NULL;
    struct assay_read_options o = { .want = *(const uint32_t *)arg };
    int rc = assay_read(s->path, &o, &p, err);
    harness_promise((rc == 0) == (p != NULL), "read gave %d and %s profile", rc, p ? "a" : "no");
    assay_profile_release(p);
    return rc;
}

static int work_check(const struct sample *s, const void *arg, assay_error *err)
{
    (void)arg;
    assay_check_result *r = NULL;
    struct assay_read_options o = { 0 };
    int rc = assay_check(s->path, &o, &r, err);
    harness_promise((rc == 0) == (r != NULL), "check gave %d and %s result", rc, r ? "a" : "no");
    assay_check_free(r);
    return rc;
}

struct dumping {
    const char *format;
    uint64_t len;
};

/* What is dumped without an error is dumped whole. */
static int work_dump(const struct sample *s, const void *arg, assay_error *err)
{
    const struct dumping *d = arg;
    uint64_t len = 0;
    struct assay_read_options o = { .format = d->format };
    int rc = assay_dump(s->path, &o, count_bytes, &len, err);
    if (rc == 0) harness_promise(len == d->len, "a dump that succeeds has %llu bytes instead of %llu", (unsigned long long)len, (unsigned long long)d->len);
    return rc;
}

static int work_probe(const struct sample *s, const void *arg, assay_error *err)
{
    (void)arg;
    const struct assay_format_info *f;
    struct assay_read_options o = { 0 };
    return assay_probe(s->path, &o, &f, NULL, NULL, err);
}

static void reading_survives_every_refused_allocation(void **state)
{
    (void)state;
    static const uint32_t wants[] = { 0,
                                      ASSAY_WANT_SUMS,
                                      ASSAY_WANT_INFO,
                                      ASSAY_WANT_ARCS,
                                      ASSAY_WANT_COSTS,
                                      ASSAY_WANT_TREE,
                                      ASSAY_WANT_WHOLE,
                                      ASSAY_WANT_WHOLE | ASSAY_WANT_COARSE,
                                      ASSAY_WANT_LINES,
                                      ASSAY_WANT_TIMELINE,
                                      ASSAY_WANT_COVERAGE,
                                      ASSAY_WANT_COUNTS,
                                      ASSAY_WANT_ALL };
    for (size_t i = 0; i < samples.count; i++)
        for (size_t k = 0; k < sizeof wants / sizeof *wants; k++) fail_each("reading", work_read, &samples.at[i], &wants[k]);
}

static void recognising_survives_every_refused_allocation(void **state)
{
    (void)state;
    for (size_t i = 0; i < samples.count; i++) fail_each("recognising", work_probe, &samples.at[i], NULL);
}

static void checking_survives_every_refused_allocation(void **state)
{
    (void)state;
    for (size_t i = 0; i < samples.count; i++) fail_each("checking", work_check, &samples.at[i], NULL);
}

static void dump_each(const struct format *f, const struct sample *s)
{
    struct dumping d = { .format = f->info.name };
    if (assay_dump(s->path, &(struct assay_read_options){ .format = d.format }, count_bytes, &d.len, NULL) == 0) fail_each("dumping", work_dump, s, &d);
}

/* Each sample, and what is left of it when it is cut: findings stand among the records then. */
static void dumping_survives_every_refused_allocation(void **state)
{
    (void)state;
    for (size_t i = 0; i < samples.count; i++) {
        const struct sample *s = &samples.at[i];
        const struct format *f = harness_recognise(s->data, s->len, s->path);
        if (!f || !f->dump) continue;
        dump_each(f, s);
        struct sample cut = { .path = target, .name = s->name };
        harness_write(folder, "target", s->data, s->len * 3 / 4);
        dump_each(f, &cut);
    }
    unlink(target);
}

/* ---- writing ---- */

static unsigned entries(void)
{
    DIR *d = opendir(folder);
    harness_promise(d != NULL, "cannot list %s", folder);
    unsigned n = 0;
    for (struct dirent *e = readdir(d); e; e = readdir(d)) n += e->d_name[0] != '.' || (e->d_name[1] && e->d_name[1] != '.');
    closedir(d);
    return n;
}

static const char old_text[] = "what was there before\n";

static void put_old(void)
{
    FILE *f = fopen(target, "w");
    harness_promise(f && fputs(old_text, f) >= 0 && fclose(f) == 0, "cannot write %s", target);
}

static bool is_old(void)
{
    char buf[sizeof old_text + 1] = "";
    FILE *f = fopen(target, "r");
    if (!f) return false;
    size_t n = fread(buf, 1, sizeof buf, f);
    fclose(f);
    return n == sizeof old_text - 1 && memcmp(buf, old_text, n) == 0;
}

struct conversion {
    const char *format;
    bool over_old;
};

static int work_convert(const struct sample *s, const void *arg, assay_error *err)
{
    const struct conversion *c = arg;
    struct assay_read_options r = { 0 };
    struct assay_write_options w = { .format = c->format, .options = &(struct assay_option){ "html:single-file", NULL }, .option_count = 1 };
    assay_losses *losses = NULL;
    unlink(target);
    if (c->over_old) put_old();
    int rc = assay_convert(s->path, &r, target, &w, NULL, &losses, err);
    assay_losses_free(losses);
    if (rc != 0) {
        harness_promise(entries() == (c->over_old ? 1u : 0u), "failed conversion leaves %u files", entries());
        if (c->over_old) harness_promise(is_old(), "failed conversion changed its target");
    }
    return rc;
}

/* Some pairs are refused for good reason (no tree for webgrind 4, figures that do not fit); those have nothing to fail. */
static bool is_possible(const struct sample *s, const char *format)
{
    assay_error err = { 0 };
    struct conversion c = { format, false };
    int rc = work_convert(s, &c, &err);
    harness_code(rc, &err, "converting");
    unlink(target);
    return rc == 0;
}

static unsigned convert_sample(const struct sample *s, const char *format)
{
    if (!is_possible(s, format)) return 0;
    for (unsigned bits = 0; bits < 4; bits++) {
        struct conversion c = { format, bits & 2 };
        bool only_writing = bits & 1; /* the second allocator, the writer's */
        fail_each_of(format, work_convert, s, &c, only_writing, only_writing ? 1 : UINT32_MAX);
    }
    unlink(target);
    return 1;
}

static void converting_survives_every_refused_allocation(void **state)
{
    (void)state;
    unsigned done = 0;
    for (size_t i = 0; i < samples.count; i++)
        for (const struct format *const *f = registry_formats; *f; f++)
            for (const char *const *v = (*f)->info.versions; (*f)->write && v && *v; v++) {
                char format[80];
                snprintf(format, sizeof format, "%s:%s", (*f)->info.name, *v);
                done += convert_sample(&samples.at[i], format);
            }
    assert_true(done >= samples.count);
}

/* ---- the disk ---- */

/* A sample that can be converted: not every format can. */
static const struct sample *a_text(void)
{
    size_t i = 0;
    while (i + 1 < samples.count && !strstr(samples.at[i].name, ".callgrind")) i++;
    return &samples.at[i];
}

static int convert_to(const char *path, assay_error *err)
{
    struct assay_write_options w = { .format = "callgrind" };
    *err = (assay_error){ 0 };
    return assay_convert(a_text()->path, NULL, path, &w, NULL, NULL, err);
}

static void a_full_disk_is_a_write_error(void **state)
{
    (void)state;
    assay_error err;
    assert_int_equal(convert_to("/dev/full", &err), ASSAY_ERR_WRITE);
    assert_int_equal(err.code, ASSAY_ERR_WRITE);
    assert_int_equal(err.sys_errno, ENOSPC);
    assert_string_equal(err.path, "/dev/full");
}

static void a_file_that_may_not_grow_is_a_write_error_and_stays_old(void **state)
{
    (void)state;
    assay_error err;
    struct rlimit before, small;
    put_old();
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = before;
    small.rlim_cur = 100;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    int rc = convert_to(target, &err);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, handler);
    assert_int_equal(rc, ASSAY_ERR_WRITE);
    assert_int_equal(err.sys_errno, EFBIG);
    assert_true(is_old());
    assert_int_equal(entries(), 1);
    unlink(target);
}

static void a_folder_that_is_not_there_is_a_write_error(void **state)
{
    (void)state;
    assay_error err;
    char path[sizeof target + 8];
    snprintf(path, sizeof path, "%s/no/out", folder);
    assert_int_equal(convert_to(path, &err), ASSAY_ERR_WRITE);
    assert_int_equal(err.sys_errno, ENOENT);
    assert_int_equal(convert_to(folder, &err), ASSAY_ERR_WRITE);
    assert_int_equal(entries(), 0);
}

static void an_input_that_is_not_there_leaves_the_target_alone(void **state)
{
    (void)state;
    assay_error err = { 0 };
    struct assay_write_options w = { .format = "callgrind" };
    put_old();
    assert_int_equal(assay_convert("/no/such/file", NULL, target, &w, NULL, NULL, &err), ASSAY_ERR_SYSTEM);
    assert_int_equal(err.sys_errno, ENOENT);
    assert_string_equal(err.path, "/no/such/file");
    assert_true(is_old());
    unlink(target);
}

/* ---- limits ---- */

static void a_memory_limit_is_kept(void **state)
{
    (void)state;
    for (size_t i = 0; i < samples.count; i++)
        for (uint64_t limit = 1; limit <= (uint64_t)1 << 22; limit *= 2) {
            assay_profile *p = NULL;
            assay_error err = { 0 };
            struct assay_read_options o = { .max_memory = limit };
            harness_doing("reading %s with %llu bytes of memory", samples.at[i].name, (unsigned long long)limit);
            int rc = assay_read(samples.at[i].path, &o, &p, &err);
            harness_code(rc, &err, "reading");
            harness_promise(rc == 0 || rc == ASSAY_ERR_MEMORY, "the error is '%s: %s', not one of memory", assay_code_name(rc), err.text);
            assay_profile_release(p);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recognising_survives_every_refused_allocation),
        cmocka_unit_test(reading_survives_every_refused_allocation),
        cmocka_unit_test(checking_survives_every_refused_allocation),
        cmocka_unit_test(dumping_survives_every_refused_allocation),
        cmocka_unit_test(converting_survives_every_refused_allocation),
        cmocka_unit_test(a_full_disk_is_a_write_error),
        cmocka_unit_test(a_file_that_may_not_grow_is_a_write_error_and_stays_old),
        cmocka_unit_test(a_folder_that_is_not_there_is_a_write_error),
        cmocka_unit_test(an_input_that_is_not_there_leaves_the_target_alone),
        cmocka_unit_test(a_memory_limit_is_kept),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}

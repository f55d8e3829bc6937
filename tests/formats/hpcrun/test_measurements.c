/* Measurement directories under damage and want of memory: tests/data/app.m and gpu.m are copied, each of its files is cut and flipped in turn, and
 * every allocation is refused once. The command's view of sound and odd directories is tested by measured.py. */
#include "base/mem.h"
#include "harness.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

enum { PATH_LEN = 512, PATIENCE = 100000 };

static const char *fixture;
static char folder[] = "/tmp/assay-measured-XXXXXX";
static struct samples files; /* of the directory, then of its structs */
static size_t top_count;

static void path_of(const struct sample *s, char out[PATH_LEN])
{
    bool is_top = (size_t)(s - files.at) < top_count;
    snprintf(out, PATH_LEN, "%s/%s%s", folder, is_top ? "" : "structs/", s->name);
}

static void put(const struct sample *s, const void *data, size_t len)
{
    char path[PATH_LEN];
    path_of(s, path);
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(data, 1, len, f), len);
    assert_int_equal(fclose(f), 0);
}

static int set_up(void **state)
{
    (void)state;
    char path[PATH_LEN];
    memcpy(folder + sizeof folder - 7, "XXXXXX", 6);
    if (!mkdtemp(folder)) return -1;
    snprintf(path, sizeof path, "%s/structs", folder);
    if (mkdir(path, 0700) != 0) return -1;
    snprintf(path, sizeof path, "%s/tests/data/%s", harness_source(), fixture);
    samples_add(&files, path, 0);
    top_count = files.count;
    snprintf(path, sizeof path, "%s/tests/data/%s/structs", harness_source(), fixture);
    samples_add(&files, path, 0);
    for (size_t i = 0; i < files.count; i++) put(&files.at[i], files.at[i].data, files.at[i].len);
    return files.count >= 4 ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    char path[PATH_LEN];
    for (size_t i = 0; i < files.count; i++) {
        path_of(&files.at[i], path);
        unlink(path);
    }
    snprintf(path, sizeof path, "%s/structs", folder);
    samples_free(&files);
    return rmdir(path) | rmdir(folder);
}

static int ignore(void *arg, const char *data, size_t len)
{
    (void)arg;
    (void)data;
    (void)len;
    return 0;
}

/* ---- everything that can be done with the directory ---- */

static int work_read(assay_error *err)
{
    assay_profile *p = NULL;
    struct assay_read_options o = { .want = ASSAY_WANT_ALL, .foreign = true, .max_memory = 64 << 20 };
    int rc = assay_read(folder, &o, &p, err);
    if (rc == 0) harness_profile(p);
    assay_profile_release(p);
    return rc;
}

static int work_check(assay_error *err)
{
    assay_check_result *r = NULL;
    struct assay_read_options o = { .max_memory = 64 << 20 };
    int rc = assay_check(folder, &o, &r, err);
    assay_check_free(r);
    return rc;
}

static int work_dump(assay_error *err)
{
    struct assay_read_options o = { .max_memory = 64 << 20 };
    return assay_dump(folder, &o, ignore, NULL, err);
}

static int (*const works[])(assay_error *err) = { work_read, work_check, work_dump };
enum { WORKS = sizeof works / sizeof *works };

static void run_all_works(void)
{
    for (size_t i = 0; i < WORKS; i++) {
        assay_error err = { 0 };
        harness_code(works[i](&err), &err, "a damaged directory");
    }
}

/* ---- tests ---- */

static void a_sound_directory_has_what_was_written(void **state)
{
    (void)state;
    assay_profile *p = NULL;
    assay_error err = { 0 };
    struct assay_read_options o = { .want = ASSAY_WANT_ALL, .foreign = true };
    assert_int_equal(assay_read(folder, &o, &p, &err), 0);
    const struct assay_streams *streams = assay_profile_streams(p);
    const struct assay_timeline *timeline = assay_profile_timeline(p);
    assert_int_equal(streams->count, 2);
    assert_int_equal(streams->tuple_begin[2] - streams->tuple_begin[1], 3);
    assert_int_equal(timeline->count, 8);
    assert_int_equal(timeline->time[0], 1700000000000000000);
    assert_int_equal(timeline->node[0].v, 0); /* idle */
    assert_int_not_equal(timeline->node[1].v, 0);
    assay_profile_release(p);
}

static void every_cut_and_flip_is_survived(void **state)
{
    (void)state;
    for (size_t i = 0; i < files.count; i++) {
        struct sample *s = &files.at[i];
        /* a spread of places: each file is also damaged at every byte as a file of its own (tests/damage.c) */
        size_t step = s->len / 40 + 1;
        for (size_t at = 0; at < s->len; at += step) {
            harness_doing("%s cut at %zu", s->name, at);
            put(s, s->data, at);
            run_all_works();
            harness_doing("%s flipped at %zu", s->name, at);
            s->data[at] ^= 0x41;
            put(s, s->data, s->len);
            run_all_works();
            s->data[at] ^= 0x41;
        }
        put(s, s->data, s->len);
    }
}

static void every_refused_allocation_is_survived(void **state)
{
    (void)state;
    for (size_t i = 0; i < WORKS; i++)
        for (uint64_t n = 1;; n++) {
            assay_error err = { 0 };
            harness_doing("directory, work %zu, allocation %llu refused", i, (unsigned long long)n);
            mem_fail_new(n, 0, UINT32_MAX);
            int rc = works[i](&err);
            mem_fail_new(0, 0, 0);
            if (rc == 0) break;
            harness_promise(rc == ASSAY_ERR_MEMORY, "the error is '%s: %s', not one of memory", assay_code_name(rc), err.text);
            harness_promise(n < PATIENCE, "still failing");
        }
}

/* ---- what it takes ---- */

/* Profiles that were opened since `watch` was set. */
static size_t opened_profiles(int watch)
{
    _Alignas(struct inotify_event) char buf[16384];
    size_t count = 0;
    for (ssize_t n; (n = read(watch, buf, sizeof buf)) > 0;)
        for (char *at = buf; at < buf + n; at += sizeof(struct inotify_event) + ((struct inotify_event *)at)->len) {
            const struct inotify_event *e = (struct inotify_event *)at;
            count += e->len && strstr(e->name, ".hpcrun") != NULL;
        }
    return count;
}

static void each_profile_is_opened_once(void **state)
{
    (void)state;
    assay_profile *p;
    assay_error err;
    size_t profiles = 0;
    int watch = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (watch < 0 || inotify_add_watch(watch, folder, IN_OPEN) < 0) skip();
    for (size_t i = 0; i < top_count; i++) profiles += strstr(files.at[i].name, ".hpcrun") != NULL;
    assert_int_equal(assay_read(folder, &(struct assay_read_options){ .want = ASSAY_WANT_ALL, .foreign = true }, &p, &err), 0);
    assay_profile_release(p);
    assert_int_equal(opened_profiles(watch), profiles);
    close(watch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sound_directory_has_what_was_written),
        cmocka_unit_test(each_profile_is_opened_once),
        cmocka_unit_test(every_cut_and_flip_is_survived),
        cmocka_unit_test(every_refused_allocation_is_survived),
    };
    const struct CMUnitTest gpu[] = { cmocka_unit_test(every_cut_and_flip_is_survived), cmocka_unit_test(every_refused_allocation_is_survived) };
    fixture = "app.m";
    int failed = cmocka_run_group_tests(tests, set_up, tear_down);
    fixture = "gpu.m";
    return failed + cmocka_run_group_tests(gpu, set_up, tear_down);
}

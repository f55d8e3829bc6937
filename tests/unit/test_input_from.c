/* Inputs that are no paths: memory, a descriptor, a callback. The same bytes give the same profile, findings, dump and file, however they come. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "assay/assay.h"

struct text {
    char *at;
    size_t len;
};

static int collect(void *arg, const char *data, size_t len)
{
    struct text *t = arg;
    t->at = realloc(t->at, t->len + len + 1);
    assert_non_null(t->at);
    memcpy(t->at + t->len, data, len);
    t->len += len;
    return 0;
}

static const char *fixture(const char *name)
{
    static char path[512];
    snprintf(path, sizeof path, "%s/../../tests/data/%s", ASSAY_HEADERS, name);
    return path;
}

static struct text load(const char *path)
{
    struct text t = { 0 };
    char buf[4096];
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    for (size_t n; (n = fread(buf, 1, sizeof buf, f)) > 0;) collect(&t, buf, n);
    fclose(f);
    return t;
}

/* Gives a few bytes at a time, and fails where it is told to. */
struct drip {
    const struct text *text;
    size_t at, fail_at;
    unsigned calls;
};

static int64_t pull(void *arg, void *buf, size_t len)
{
    struct drip *d = arg;
    size_t n = d->text->len - d->at;
    d->calls++;
    if (d->fail_at && d->at >= d->fail_at) return -1;
    if (n > 777) n = 777;
    if (n > len) n = len;
    memcpy(buf, d->text->at + d->at, n);
    d->at += n;
    return (int64_t)n;
}

struct feeder {
    const struct text *text;
    int fd;
};
static void *feed_pipe(void *arg)
{
    struct feeder *f = arg;
    for (size_t at = 0; at < f->text->len;) {
        ssize_t n = write(f->fd, f->text->at + at, f->text->len - at);
        if (n <= 0) break;
        at += (size_t)n;
    }
    close(f->fd);
    return NULL;
}

typedef void use_fn(const struct assay_input *in, void *arg);

/* Calls `use` with a file's bytes as each kind of input. */
static void each_kind(const char *path, use_fn *use, void *arg)
{
    struct text t = load(path);
    struct assay_input memory = ASSAY_FROM_MEMORY(t.at, t.len, path), whole = ASSAY_FROM_PATH(path);
    use(&whole, arg);
    use(&memory, arg);
    int fd = open(path, O_RDONLY);
    struct assay_input file = ASSAY_FROM_FD(fd, path);
    use(&file, arg);
    assert_int_equal(fcntl(fd, F_GETFD) >= 0, 1); /* still ours */
    close(fd);
    struct drip drip = { &t, 0, 0, 0 };
    struct assay_input callback = ASSAY_FROM_FN(pull, &drip, path);
    use(&callback, arg);
    assert_true(drip.calls > t.len / 777);
    int ends[2];
    pthread_t thread;
    assert_int_equal(pipe(ends), 0);
    struct feeder f = { &t, ends[1] };
    assert_int_equal(pthread_create(&thread, NULL, feed_pipe, &f), 0);
    struct assay_input stream = ASSAY_FROM_FD(ends[0], path);
    use(&stream, arg);
    close(ends[0]);
    pthread_join(thread, NULL);
    free(t.at);
}

/* ---- what is done with them ---- */

static void read_it(const struct assay_input *in, void *arg)
{
    assay_profile **first = arg, *p;
    assay_error err;
    char why[200];
    if (assay_read_from(in, NULL, &p, &err) != 0) fail_msg("%s: %s", err.path, err.text);
    if (!*first)
        *first = assay_profile_retain(p);
    else if (assay_profile_equal(*first, p, why, sizeof why, &err) != 0)
        fail_msg("kind %u: %s", in->kind, why);
    assay_profile_release(p);
}

static void same_text(struct text *first, const struct text *t)
{
    if (!first->at)
        *first = *t;
    else {
        assert_int_equal(first->len, t->len);
        assert_memory_equal(first->at, t->at, t->len);
        free(t->at);
    }
}

static void dump_it(const struct assay_input *in, void *arg)
{
    struct text t = { 0 };
    assay_error err;
    if (assay_dump_from(in, NULL, collect, &t, &err) != 0) fail_msg("%s: %s", err.path, err.text);
    same_text(arg, &t);
}

static void check_it(const struct assay_input *in, void *arg)
{
    assay_check_result *r;
    assay_error err;
    struct text t = { 0 };
    char line[500];
    if (assay_check_from(in, NULL, &r, &err) != 0) fail_msg("%s: %s", err.path, err.text);
    int len = snprintf(line, sizeof line, "%s %zu %s\n", r->format->name, r->count, r->count ? r->findings[0].message : "");
    collect(&t, line, (size_t)len);
    assay_check_free(r);
    same_text(arg, &t);
}

static void convert_it(const struct assay_input *in, void *arg)
{
    char path[] = "/tmp/assay-input-XXXXXX";
    struct assay_write_options o = { .size = sizeof o, .format = "assay-json" };
    const struct assay_format_info *from = NULL;
    assay_error err;
    int fd = mkstemp(path);
    close(fd);
    if (assay_convert_from(in, NULL, path, &o, &from, NULL, &err) != 0) fail_msg("%s: %s", err.path, err.text);
    assert_string_equal(from->name, "lcov");
    struct text t = load(path);
    unlink(path);
    same_text(arg, &t);
}

static void probe_it(const struct assay_input *in, void *arg)
{
    const struct assay_format_info *format;
    assay_error err;
    assert_int_equal(assay_probe_from(in, NULL, &format, NULL, NULL, &err), 0);
    assert_string_equal(format->name, arg);
}

/* Text that is read in order, bytes that are read as a whole, and both compressed. */
static void every_kind_of_input_gives_the_same(void **state)
{
    (void)state;
    static const char *const names[] = { "demo.callgrind",   "demo.xdebug.gz", "demo.xdebug.xz", "demo.nytprof",
                                         "demo.nytprof-tlv", "04.00b.hpcrun",  "demo.info",      NULL };
    for (const char *const *name = names; *name; name++) {
        const char *path = fixture(*name);
        assay_profile *p = NULL;
        struct text dump = { 0 }, found = { 0 };
        if (access(path, R_OK) != 0) continue;
        each_kind(path, read_it, &p);
        each_kind(path, dump_it, &dump);
        each_kind(path, check_it, &found);
        assay_profile_release(p);
        free(dump.at);
        free(found.at);
    }
    each_kind(fixture("demo.callgrind"), probe_it, (char *)(uintptr_t) "callgrind");
}

static const char report[] = "TN:\nSF:a.c\nDA:1,1\nDA:2,0\nLF:2\nLH:1\nend_of_record\n";

static void conversion_takes_them_all(void **state)
{
    (void)state;
    char path[] = "/tmp/assay-report-XXXXXX";
    struct text t = { 0 };
    int fd = mkstemp(path);
    assert_int_equal(write(fd, report, sizeof report - 1), sizeof report - 1);
    close(fd);
    each_kind(path, convert_it, &t);
    free(t.at);
    unlink(path);
}

/* ---- trouble ---- */

static void a_callback_that_fails_is_an_error(void **state)
{
    (void)state;
    struct text t = load(fixture("demo.callgrind"));
    struct drip drip = { &t, 0, t.len / 2, 0 };
    struct assay_input in = ASSAY_FROM_FN(pull, &drip, "my queue");
    assay_profile *p;
    assay_error err;
    assert_int_equal(assay_read_from(&in, NULL, &p, &err), ASSAY_ERR_SYSTEM);
    assert_string_equal(err.path, "my queue");
    assert_null(p);
    free(t.at);
}

static void what_is_no_input_is_refused(void **state)
{
    (void)state;
    const struct assay_input none[] = { ASSAY_FROM_PATH(NULL), ASSAY_FROM_FN(NULL, NULL, "x"), ASSAY_FROM_MEMORY(NULL, 1, "x"), { .kind = 99 } };
    assay_profile *p;
    assay_error err;
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) assert_int_equal(assay_read_from(&none[i], NULL, &p, &err), ASSAY_ERR_USAGE);
    assert_int_equal(assay_read_from(NULL, NULL, &p, &err), ASSAY_ERR_USAGE);
    struct assay_input closed = ASSAY_FROM_FD(-1, "gone");
    assert_int_equal(assay_read_from(&closed, NULL, &p, &err), ASSAY_ERR_SYSTEM);
    int fd = open("/tmp", O_RDONLY | O_DIRECTORY);
    struct assay_input folder = ASSAY_FROM_FD(fd, "folder");
    assert_int_equal(assay_read_from(&folder, NULL, &p, &err), ASSAY_ERR_SYSTEM);
    close(fd);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_of_input_gives_the_same),
        cmocka_unit_test(conversion_takes_them_all),
        cmocka_unit_test(a_callback_that_fails_is_an_error),
        cmocka_unit_test(what_is_no_input_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

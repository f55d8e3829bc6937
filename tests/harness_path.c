/* Inputs that are directories: making them of parts, and one run of everything over a path. See harness.h. */
#include "harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cursor.h"

/* ---- parts ---- */

void harness_folder(char *folder, size_t size, const char *what)
{
    struct stat st;
    const char *root = stat("/dev/shm", &st) == 0 && access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
    snprintf(folder, size, "%s/assay-%s-XXXXXX", root, what);
    harness_promise(mkdtemp(folder) != NULL, "the test itself has no folder");
}

void harness_folder_done(const char *folder, const char *const *names)
{
    char path[4096];
    for (; *names; names++) {
        snprintf(path, sizeof path, "%s/%s", folder, *names);
        unlink(path);
    }
    rmdir(folder);
}

void harness_write(const char *folder, const char *name, const void *data, size_t len)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "wb");
    harness_promise(f && fwrite(data, 1, len, f) == len && fclose(f) == 0, "cannot write %s", path);
}

void harness_unpack(const char *folder, const char *const *names, const uint8_t *data, size_t len)
{
    struct cursor c = cursor_of(data, len);
    char path[4096];
    for (; *names; names++) {
        uint32_t want = 0;
        assay_slice part;
        (void)cursor_u32le(&c, &want);
        size_t have = want < cursor_left(&c) ? want : cursor_left(&c);
        (void)cursor_bytes(&c, have, &part);
        snprintf(path, sizeof path, "%s/%s", folder, *names);
        if (have == 0)
            unlink(path);
        else
            harness_write(folder, *names, part.data, part.len);
    }
}

/* ---- everything ---- */

static int ignore(void *arg, const char *data, size_t len)
{
    (void)arg, (void)data, (void)len;
    return 0;
}

static void check_findings(const assay_finding *f, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        harness_promise(f[i].rule && f[i].rule[0] && f[i].message && f[i].message[0], "a finding without rule or message");
        harness_promise(!strchr(f[i].message, '\n'), "finding %s: message of several lines: %s", f[i].rule, f[i].message);
        harness_promise(f[i].severity >= ASSAY_INFO && f[i].severity <= ASSAY_ERROR, "finding %s: severity %d", f[i].rule, f[i].severity);
    }
}

/* `what` and `seed` as harness_use has them. */
static int read_path(const char *path, const struct assay_read_options *o, uint32_t what, uint64_t seed)
{
    assay_profile *p = NULL;
    assay_error err = { 0 };
    size_t count;
    int rc = assay_read(path, o, &p, &err);
    harness_code(rc, &err, "assay_read");
    harness_promise((rc == 0) == (p != NULL), "read gave %d and %s profile", rc, p ? "a" : "no");
    if (!p) return rc;
    const assay_finding *warnings = assay_profile_warnings(p, &count);
    check_findings(warnings, count);
    harness_use(p, what, seed);
    assay_profile_release(p);
    return rc;
}

static const char *first_error(const assay_check_result *r)
{
    size_t i = 0;
    while (i + 1 < r->count && r->findings[i].severity != ASSAY_ERROR) i++;
    return r->findings[i].message;
}

static bool ran_out(int rc) { return rc == ASSAY_ERR_MEMORY || rc == ASSAY_ERR_LIMIT; }

void harness_run_path(const char *path, uint32_t what, uint64_t seed, uint64_t max_memory)
{
    assay_error err = { 0 };
    assay_check_result *result = NULL;
    struct assay_read_options o = { .max_memory = max_memory, .deep = true, .foreign = true };
    struct assay_read_options all = { .want = ASSAY_WANT_ALL, .max_memory = max_memory, .foreign = true };
    struct assay_read_options sums = { .want = ASSAY_WANT_SUMS, .strict = true, .max_memory = max_memory, .foreign = true };
    int lenient = read_path(path, &all, what, seed), strict = read_path(path, &sums, 0, 0);
    if (lenient != 0 && !ran_out(lenient)) harness_promise(strict != 0, "lenient reading fails (%s), strict reading does not", assay_code_name(lenient));
    int rc = assay_check(path, &o, &result, &err);
    harness_code(rc, &err, "assay_check");
    if (rc == 0) {
        check_findings(result->findings, result->count);
        bool agree = what & RUN_AGREE;
        if (agree && !ran_out(strict) && result->errors) harness_promise(strict != 0, "check finds an error, strict reading none: %s", first_error(result));
        if (agree && !result->errors && !result->warnings)
            harness_promise(strict == 0, "check finds nothing, strict reading fails: %s", assay_code_name(strict));
    }
    assay_check_free(result);
    rc = assay_dump(path, &o, ignore, NULL, &err);
    harness_code(rc, &err, "assay_dump");
}

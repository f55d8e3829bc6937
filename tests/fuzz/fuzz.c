/* One input through everything that can be done with it. */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness.h"

int fuzz_format(const struct format *f, const uint8_t *data, size_t len)
{
    harness_doing("fuzzing %s", f->info.name);
    (void)harness_recognise(data, len, "fuzz");
    harness_run(f, data, len, RUN_ALL, (uint64_t)64 << 20);
    return 0;
}

/* ---- folders ---- */

enum { PATH_LEN = 300 };
static const uint64_t limit = (uint64_t)64 << 20;

/* One folder for the life of the process; what is in it is removed after each input. */
static const char *folder(void)
{
    static char path[] = "/tmp/assay-fuzz-XXXXXX";
    static bool is_made;
    if (!is_made) harness_promise(mkdtemp(path) != NULL, "a folder in /tmp can be made");
    is_made = true;
    (void)mkdir(path, 0700);
    return path;
}

static void write_file(const char *name, const uint8_t *data, size_t len)
{
    char path[PATH_LEN];
    const char *slash = strchr(name, '/');
    if (slash) {
        snprintf(path, sizeof path, "%s/%.*s", folder(), (int)(slash - name), name);
        (void)mkdir(path, 0700);
    }
    snprintf(path, sizeof path, "%s/%s", folder(), name);
    FILE *f = fopen(path, "wb");
    harness_promise(f != NULL, "%s can be made", path);
    if (len) (void)fwrite(data, 1, len, f);
    fclose(f);
}

static void remove_file(const char *name)
{
    char path[PATH_LEN];
    snprintf(path, sizeof path, "%s/%s", folder(), name);
    (void)unlink(path);
    const char *slash = strchr(name, '/');
    if (!slash) return;
    snprintf(path, sizeof path, "%s/%.*s", folder(), (int)(slash - name), name);
    (void)rmdir(path);
}

static int ignore(void *arg, const char *data, size_t len)
{
    (void)arg;
    (void)data;
    (void)len;
    return 0;
}

static void run_folder(void)
{
    struct assay_read_options o = { .want = ASSAY_WANT_ALL, .foreign = true, .max_memory = limit };
    assay_error err = { 0 };
    assay_profile *p = NULL;
    assay_check_result *r = NULL;
    harness_code(assay_read(folder(), &o, &p, &err), &err, "reading a folder");
    if (p) harness_profile(p);
    assay_profile_release(p);
    err = (assay_error){ 0 };
    harness_code(assay_check(folder(), &o, &r, &err), &err, "checking a folder");
    assay_check_free(r);
    err = (assay_error){ 0 };
    harness_code(assay_dump(folder(), &o, ignore, NULL, &err), &err, "dumping a folder");
}

int fuzz_folder(const char *const *names, const uint8_t *data, size_t len)
{
    size_t count = 0;
    while (names[count]) count++;
    if (len < 4 * count) return 0;
    size_t at = 4 * count;
    for (size_t i = 0; i < count; i++) {
        const uint8_t *l = data + 4 * i;
        size_t want = (size_t)l[0] | (size_t)l[1] << 8 | (size_t)l[2] << 16 | (size_t)l[3] << 24, n = want < len - at ? want : len - at;
        if (n) write_file(names[i], data + at, n);
        at += n;
    }
    harness_doing("fuzzing a folder");
    run_folder();
    for (size_t i = 0; i < count; i++) remove_file(names[i]);
    (void)rmdir(folder());
    return 0;
}

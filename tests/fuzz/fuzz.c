/* One input through everything that can be done with it. */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness.h"

#ifdef FUZZ_REPLAY
enum { WHAT = RUN_ALL | RUN_VIEW };
#else
enum { WHAT = RUN_ALL | RUN_VIEW | RUN_SOME };
#endif
static const uint64_t limit = (uint64_t)64 << 20;

static bool wants_faults(const uint8_t *data, size_t len) { return !(WHAT & RUN_SOME) || harness_seed(data, len) % 8 == 0; }

int fuzz_format(const struct format *f, const uint8_t *data, size_t len)
{
    harness_doing("fuzzing %s", f->info.name);
    (void)harness_recognise(data, len, "fuzz");
    harness_run(f, data, len, WHAT, limit);
    if (wants_faults(data, len)) fuzz_faults(f, data, len);
    return 0;
}

int fuzz_path(const char *path, uint32_t also, const uint8_t *data, size_t len)
{
    harness_doing("fuzzing a folder");
    harness_run_path(path, WHAT | also, WHAT & RUN_SOME ? harness_seed(data, len) : 0, limit);
    if (wants_faults(data, len)) fuzz_faults_path(path, NULL, harness_seed(data, len));
    return 0;
}

/* ---- folders ---- */

enum { PATH_LEN = 300 };

/* One folder for the life of the process; what is in it is removed after each input. */
static char folder[64];

static void remove_folder(void) { (void)rmdir(folder); }

static void make_folder(void)
{
    if (folder[0]) return;
    harness_folder(folder, sizeof folder, "fuzz");
    (void)atexit(remove_folder);
}

static void write_file(const char *name, const uint8_t *data, size_t len)
{
    char path[PATH_LEN];
    const char *slash = strchr(name, '/');
    if (slash) {
        snprintf(path, sizeof path, "%s/%.*s", folder, (int)(slash - name), name);
        (void)mkdir(path, 0700);
    }
    harness_write(folder, name, data, len);
}

static void remove_file(const char *name)
{
    char path[PATH_LEN];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    (void)unlink(path);
    const char *slash = strchr(name, '/');
    if (!slash) return;
    snprintf(path, sizeof path, "%s/%.*s", folder, (int)(slash - name), name);
    (void)rmdir(path);
}

int fuzz_folder(const char *const *names, const uint8_t *data, size_t len)
{
    size_t count = 0;
    while (names[count]) count++;
    if (len < 4 * count) return 0;
    size_t at = 4 * count;
    make_folder();
    for (size_t i = 0; i < count; i++) {
        const uint8_t *l = data + 4 * i;
        size_t want = (size_t)l[0] | (size_t)l[1] << 8 | (size_t)l[2] << 16 | (size_t)l[3] << 24, n = want < len - at ? want : len - at;
        if (n) write_file(names[i], data + at, n);
        at += n;
    }
    (void)fuzz_path(folder, 0, data, len);
    for (size_t i = 0; i < count; i++) remove_file(names[i]);
    return 0;
}

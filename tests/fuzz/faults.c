/* A conversion in which something fails: an allocation while reading or writing, a read or a write of a file. What, and which one of them, is chosen
 * by the bytes of the input. The reads and writes of the library are caught by the linker (--wrap, see meson.build). */
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "fuzz.h"
#include "harness.h"

/* ---- reads and writes that fail ---- */

/* The n-th from now on fails, and those after it; 0 = none. Inflation reads on a thread of its own. */
static _Atomic int reads_left, writes_left;

static bool fails(_Atomic int *left, int why)
{
    int n = atomic_load_explicit(left, memory_order_relaxed);
    if (n > 1) atomic_store_explicit(left, n - 1, memory_order_relaxed);
    if (n == 1) errno = why;
    return n == 1;
}

/* NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp): the names are the linker's */
ssize_t __real_read(int fd, void *buf, size_t len);
ssize_t __real_pread64(int fd, void *buf, size_t len, off_t off);
ssize_t __real_write(int fd, const void *buf, size_t len);
ssize_t __real_pwrite64(int fd, const void *buf, size_t len, off_t off);
ssize_t __wrap_read(int fd, void *buf, size_t len);
ssize_t __wrap_pread64(int fd, void *buf, size_t len, off_t off);
ssize_t __wrap_write(int fd, const void *buf, size_t len);
ssize_t __wrap_pwrite64(int fd, const void *buf, size_t len, off_t off);

ssize_t __wrap_read(int fd, void *buf, size_t len) { return fails(&reads_left, EIO) ? -1 : __real_read(fd, buf, len); }
ssize_t __wrap_pread64(int fd, void *buf, size_t len, off_t off) { return fails(&reads_left, EIO) ? -1 : __real_pread64(fd, buf, len, off); }
ssize_t __wrap_write(int fd, const void *buf, size_t len) { return fails(&writes_left, ENOSPC) ? -1 : __real_write(fd, buf, len); }
ssize_t __wrap_pwrite64(int fd, const void *buf, size_t len, off_t off) { return fails(&writes_left, ENOSPC) ? -1 : __real_pwrite64(fd, buf, len, off); }
/* NOLINTEND */

/* ---- the conversion ---- */

static const char *const names[] = { "input", "output", NULL };
static char folder[64];

static void remove_folder(void) { harness_folder_done(folder, names); }

static const char *target_of(uint64_t seed)
{
    size_t count = 0, writers = 0;
    for (; registry_formats[count]; count++) writers += registry_formats[count]->write != NULL;
    size_t nth = seed % writers, i = 0;
    for (; !registry_formats[i]->write || nth > 0; i++) nth -= registry_formats[i]->write != NULL;
    return registry_formats[i]->info.name;
}

static void make_folder(void)
{
    if (folder[0]) return;
    harness_folder(folder, sizeof folder, "fuzz-faults");
    (void)atexit(remove_folder);
}

void fuzz_faults_path(const char *path, const char *format, uint64_t seed)
{
    char output[80];
    assay_error err = { 0 };
    make_folder();
    snprintf(output, sizeof output, "%s/output", folder);
    unsigned kind = seed >> 8 & 3, nth = 1 + (unsigned)(seed >> 16) % (1u << (seed >> 32) % 10);
    struct assay_read_options r = { .format = format, .max_memory = (uint64_t)64 << 20, .foreign = true };
    struct assay_write_options w = { .format = target_of(seed >> 40), .options = &(struct assay_option){ "html:single-file", NULL }, .option_count = 1 };
    harness_doing("converting to %s, fault %u at %u", w.format, kind, nth);
    reads_left = kind == 2 ? (int)(1 + nth % 7) : 0;
    writes_left = kind == 3 ? (int)(1 + nth % 5) : 0;
    if (kind < 2) mem_fail_new(nth, kind, kind ? 1 : UINT32_MAX); /* every allocator, or only the second, the writer's */
    int rc = assay_convert(path, &r, output, &w, NULL, NULL, &err);
    mem_fail_new(0, 0, 0);
    reads_left = writes_left = 0;
    harness_code(rc, &err, "assay_convert");
    harness_promise((access(output, F_OK) == 0) == (rc == 0), "conversion gave %d and %s file: %s", rc, rc ? "a" : "no", err.text);
    (void)unlink(output);
}

void fuzz_faults(const struct format *f, const uint8_t *data, size_t len)
{
    char input[80];
    make_folder();
    snprintf(input, sizeof input, "%s/input", folder);
    harness_write(folder, "input", data, len);
    fuzz_faults_path(input, f->info.name, harness_seed(data, len));
}

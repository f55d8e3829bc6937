/* What the tests of all formats share: the samples, and one run of everything that can be done with some bytes. Nothing here knows a
 * single format. A broken promise of the library prints what and where, and aborts: under libFuzzer, in loops over damage, anywhere. */
#ifndef TESTS_HARNESS_H
#define TESTS_HARNESS_H

#include "registry.h"

struct sample {
    char *path;
    const char *name; /* the last part of the path */
    uint8_t *data;
    size_t len;
    const char *const *target; /* of a sample that was written: which version of which format, by its place in the list; NULL otherwise */
};

struct samples {
    struct sample *at;
    size_t count;
};

/* The folder of the repository: $ASSAY_SOURCE, else the current one. */
const char *harness_source(void);
/* The shared data: $ASSAY_SHARED, else ../shared beside the repository. NULL = it is not there. */
const char *harness_shared(void);

/* Regular files of a folder up to max_len bytes (0 = any), by name, documents and programs left out. Adds nothing when there is no such folder. */
void samples_add(struct samples *s, const char *folder, size_t max_len);
/* The fixtures of tests/data, and with `shared` the named areas of the shared data too (ends with NULL). */
void samples_load(struct samples *s, size_t max_len, const char *const *areas);
/* What a sample is when it is written as every format and version that can hold it: files in `folder`, and added to `out`. */
void samples_written(struct samples *out, const struct sample *s, const char *folder);
void samples_free(struct samples *s);

/* How many bytes these are once they are unpacked. */
uint64_t harness_unpacked_len(const void *data, size_t len);

/* Says what is being done, for the message of a broken promise; as printf. */
void harness_doing(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* A promise of the library: aborts unless `ok`. */
void harness_promise(bool ok, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* 0 or a negative enum assay_code but INTERNAL, the same as in err, and a sentence with it. */
void harness_code(int rc, const assay_error *err, const char *what);
/* Walks the tables: ids in range, parents before children, begin arrays ascending. */
void harness_profile(const assay_profile *p);

enum {
    RUN_READ = 1,
    RUN_CHECK = 2,
    RUN_DUMP = 4,
    RUN_WRITE = 8,    /* what was read, to every format and version that is written */
    RUN_REWRITE = 16, /* the bytes themselves, to every version of their own format */
    RUN_ALL = 31,
    RUN_VIEW = 32,  /* what was read, through every analysis */
    RUN_SOME = 64,  /* of the analyses, the formats to write and the versions to rewrite a few, chosen by the bytes: many inputs tell more */
    RUN_AGREE = 128 /* of a path: what check calls an error is one for strict reading; not so where parts (structure files) may be done without */
};

/* Does all of `what` with these bytes as format `f`, and checks the promises. Takes at most max_memory bytes (0 = no limit). */
void harness_run(const struct format *f, const void *data, size_t len, uint32_t what, uint64_t max_memory);

/* Of many things to do all (seed 0), or one in so many. */
struct choice {
    uint64_t seed;
};
bool harness_chosen(struct choice *c, unsigned of);

/* A profile that was read: sums in any case, RUN_VIEW and RUN_WRITE as `what` says. With a seed only some of them. */
void harness_use(assay_profile *p, uint32_t what, uint64_t seed);
/* A number that depends on all of the bytes; never 0. */
uint64_t harness_seed(const void *data, size_t len);
/* Of those the views that make no profile. */
void harness_view(const assay_profile *p, struct choice *choice);
/* A profile that was made of another one (or an error): its tables and sums. Releases it. */
void harness_made(assay_profile *p, int rc, const assay_error *err, const char *what);
/* What each of them may take. */
#define HARNESS_MADE_MEMORY ((uint64_t)256 << 20)

/* The same for what lies at a path, a directory for instance, by the public calls; of `what` RUN_VIEW, RUN_WRITE and RUN_AGREE count; with a
 * seed only some. */
void harness_run_path(const char *path, uint32_t what, uint64_t seed, uint64_t max_memory);

/* A folder for directories made of parts, in memory where the system has that; harness_folder_done removes it and the parts. */
void harness_folder(char *folder, size_t size, const char *what);
void harness_folder_done(const char *folder, const char *const *names);
/* Splits bytes (each part: u32 length, least significant first, then as many bytes as are left of it) into files of these names (ends with
 * NULL). A length of 0 leaves the file out. */
void harness_unpack(const char *folder, const char *const *names, const uint8_t *data, size_t len);
void harness_write(const char *folder, const char *name, const void *data, size_t len);

/* The format that recognises the bytes, or NULL; `path` is what the probes see as their name. Promises of probes are checked. */
const struct format *harness_recognise(const void *data, size_t len, const char *path);

/* Everything, as the format that recognises the bytes, and as `hint` (may be NULL) where that is another one. */
void run_all(const void *data, size_t len, const struct format *hint, uint32_t what);

#endif

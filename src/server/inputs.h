/* The files that a viewer was given, found in a folder, or got from the page.
 * They are numbered from 1 and never leave. Thread-safe. */
#ifndef SERVER_INPUTS_H
#define SERVER_INPUTS_H

#include <pthread.h>
#include <stdatomic.h>

#include "assay/format.h"
#include "base/arena.h"
#include "base/json.h"
#include "base/vec.h"

enum input_state { INPUT_WAITING, INPUT_READING, INPUT_READY, INPUT_FAILED };

struct viewed {
    uint32_t id;
    const char *path, *name;
    const void *data; /* of a file that the page sent; NULL = on disk */
    size_t len;
    const char *format; /* NULL = not known yet */
    _Atomic int state;  /* enum input_state */
    _Atomic uint64_t done, total;
    _Atomic uint32_t version; /* how often it was read again */
    /* of the file when it was read */
    uint64_t size;
    int64_t modified;    /* seconds */
    int64_t modified_ns; /* of the whole time */
    char *error;         /* why it failed */
};

struct inputs {
    struct mem *mem;
    struct arena text;
    pthread_mutex_t lock;
    VEC(struct viewed *) at; /* number - 1 */
    const char *folder;      /* NULL = none was given */
};

int inputs_init(struct inputs *s, struct mem *mem, assay_error *err);
void inputs_done(struct inputs *s);
/* A path of the command line. A folder that no format claims stands for the
 * files in it. Errors: SYSTEM, MEMORY, UNKNOWN (a folder without any file that
 * can be read). */
int inputs_add(struct inputs *s, const char *path, const struct assay_read_options *read, assay_error *err);
/* Bytes from the page; copied. */
int inputs_add_bytes(struct inputs *s, const char *name, const void *data, size_t len, uint32_t *id, assay_error *err);
/* Looks for new files in the folder. */
int inputs_rescan(struct inputs *s, const struct assay_read_options *read, assay_error *err);
/* Where its bytes come from, for the calls of the library. */
struct assay_input viewed_input(const struct viewed *in);
/* NULL = no such number. */
struct viewed *inputs_find(struct inputs *s, uint32_t id);
uint32_t inputs_count(struct inputs *s);
/* Reads an input; the state and progress of it follow. Errors: those of
 * assay_read. */
int inputs_read(struct inputs *s, struct viewed *in, const struct assay_read_options *read, uint32_t want, assay_profile **out, assay_error *err);
/* The next reading is another one. */
void inputs_reload(struct viewed *in);
/* All of them, as an array. */
void inputs_json(struct inputs *s, struct json *j);

#endif

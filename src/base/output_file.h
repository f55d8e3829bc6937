/* A file that takes the place of its target only when it is whole; the part of output.c that knows about names, modes and fsync. */
#ifndef BASE_OUTPUT_FILE_H
#define BASE_OUTPUT_FILE_H

#include "base/error.h"
#include "base/mem.h"

struct output_file {
    int fd;         /* -1 = none */
    bool direct;    /* a device or a pipe: no temporary file */
    bool keep_mode; /* the target exists: its mode is taken over */
    unsigned mode;
    char *target; /* links followed */
    char *temp;
    bool renamed; /* temp has become target */
    size_t target_size, temp_size;
};

/* Opens the temporary file beside `path`, or `path` itself when it is not a regular file. Nothing is left open on error. Errors: WRITE, MEMORY. */
int output_file_open(struct output_file *f, const char *path, struct mem *mem, assay_error *err);
int output_file_write(struct output_file *f, const void *data, size_t len, assay_error *err);
int output_file_patch(struct output_file *f, uint64_t off, const void *data, size_t len, assay_error *err);
/* fsync, close, rename, fsync of the directory; output_file_discard is still due. */
int output_file_commit(struct output_file *f, assay_error *err);
/* Closes, removes a temporary file that is still there, frees the names. */
void output_file_discard(struct output_file *f, struct mem *mem);

#endif

/* A file that takes the place of its target only when it is whole; the part of output.c that knows about names, modes and fsync. */
#ifndef BASE_OUTPUT_FILE_H
#define BASE_OUTPUT_FILE_H

#include "base/error.h"
#include "base/mem.h"

struct output_file {
    int fd;         /* -1 = none */
    bool in_place;  /* a new file of its own name: the folder around it is temporary */
    bool joined;    /* somebody else's: in place, and not removed */
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
/* Creates `path`, which must not exist, under its own name. The same errors. */
int output_file_create(struct output_file *f, const char *path, struct mem *mem, assay_error *err);
/* Opens what another process has created. The same errors. */
int output_file_join(struct output_file *f, const char *path, assay_error *err);
int output_file_seek(struct output_file *f, uint64_t off, assay_error *err);
int output_file_write(struct output_file *f, const void *data, size_t len, assay_error *err);
int output_file_patch(struct output_file *f, uint64_t off, const void *data, size_t len, assay_error *err);
/* fsync, close, rename, fsync of the directory; output_file_discard is still due. One that was created in place is only closed: whoever made the
 * folder around it syncs all of its files at once, which costs a journal one turn instead of one for each. */
int output_file_commit(struct output_file *f, assay_error *err);
/* Closes, removes a temporary file that is still there, frees the names. */
void output_file_discard(struct output_file *f, struct mem *mem);
/* For a process that ends itself in the middle of its work: removes the temporary file or folder that it has open for the target `path`, from any
 * thread. Best effort. */
void output_file_abandon(const char *path);
/* Fills `buf` from what was written and has left the buffer of its output. Errors: WRITE, also when there are fewer bytes. */
int output_file_read(const struct output_file *f, uint64_t off, void *buf, size_t len, assay_error *err);

/* ---- names beside a target; shared with output_dir.c ---- */

enum { OUTPUT_TEMP_TRIES = 100, OUTPUT_TEMP_LETTERS = 6 };
/* Where `path` leads when its last part is a symbolic link, which may point to nothing yet. `out` has room for PATH_MAX bytes. 0 or an errno. */
int output_file_follow(const char *path, char *out);
/* "TARGET.assay-" and room for random letters, which output_file_letters puts there; a very long name is shortened so that the whole stays a
 * legal one. NULL = no memory. */
char *output_file_temp(const char *target, struct mem *mem, size_t *size);
void output_file_letters(char *temp, size_t size);
/* Makes a rename inside `dir` last; 0 or an errno. A directory that may not be opened for reading is left to the system. */
int output_file_sync_dir(const char *dir);
/* The same of what was written to a file. */
int output_file_sync(const char *path);
/* The same of everything on the file system that `dir` is on, in one turn. */
int output_file_sync_all(const char *dir);

#endif

/* Large blocks of memory in a temporary file without a name: the system keeps as much of it in memory as it likes and gives the rest back to the disk.
 * Room is reserved before it is mapped, so a full disk refuses a block instead of killing the process. A block is never used again once it was given
 * back; its disk space is free at once where the file system can do that. Thread-safe. */
#ifndef BASE_MEM_FILE_H
#define BASE_MEM_FILE_H

#include <stdbool.h>
#include <stddef.h>

enum { MEM_FILE_LEAST = 1 << 10 }; /* bytes of a block; smaller ones are many, and hardly matter */

/* NULL = no memory. The file is made when the first block is asked for. */
struct mem_file *mem_file_new(void);
/* NULL is allowed. All blocks end with it. */
void mem_file_free(struct mem_file *f);

/* A block of zeros; NULL = there is no file, or no room. */
void *mem_file_take(struct mem_file *f, size_t len);
/* Whether the block is one of the file's; f and p may be NULL. */
bool mem_file_has(struct mem_file *f, const void *p);
/* true = it has the new size where it stands. Growing works only for the newest block. */
bool mem_file_resize(struct mem_file *f, void *p, size_t old_len, size_t new_len);
void mem_file_give(struct mem_file *f, void *p, size_t len);

#endif

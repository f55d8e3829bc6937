/* The allocator seam: every block the library takes comes from a `struct mem`, which counts bytes, holds a limit, and can be told to
 * refuse the n-th request (tests/fault); once the work is cancelled (base/cancel.h) it refuses them all. Blocks are freed with their size, so nothing
 * is stored beside them. With mem_keep, large blocks beyond a number of bytes come from a temporary file. Thread-safe. */
#ifndef BASE_MEM_H
#define BASE_MEM_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mem {
    size_t limit; /* bytes; 0 = none */
    size_t keep;  /* bytes that stay in memory where there is a file */
    struct mem_file *file;
    uint64_t fail_at; /* the n-th request (from 1) and all later ones are refused; 0 = never */
    _Atomic size_t used;
    _Atomic size_t peak;
    _Atomic uint64_t requests;
};

void mem_init(struct mem *m, size_t limit);
/* From now on large blocks are taken from a temporary file where `bytes` are in use already; 0 = never. They do not count as used. Where there can
 * be no such file, or its disk is full, they are memory after all. */
void mem_keep(struct mem *m, size_t bytes);
/* Gives the file back, after all of its blocks; nothing to do without mem_keep. */
void mem_end(struct mem *m);
/* For tests: of the allocators that this thread initialises from now on, `count` after the first `skip` refuse their `at`-th request and all later
 * ones; at 0 = none. */
void mem_fail_new(uint64_t at, uint32_t skip, uint32_t count);

/* Uninitialised bytes owned by the caller, or NULL when the limit, the fault or the system says no. len 0 gives NULL only on refusal. */
void *mem_alloc(struct mem *m, size_t len);
/* Zeroed count*size bytes; NULL also when the product overflows. */
void *mem_zalloc(struct mem *m, size_t count, size_t size);
/* As realloc: `old_len` must be the size asked for before; on NULL the old block stays valid. */
void *mem_resize(struct mem *m, void *p, size_t old_len, size_t new_len);
/* NULL is allowed. */
void mem_free(struct mem *m, void *p, size_t len);

/* Nobody will look at the bytes between two places of a block again: where it is large, their memory goes back to the system. They still count. Returns
 * the place up to which that was done: what is dropped next should begin there. */
size_t mem_drop(void *p, size_t len, size_t from, size_t to);

/* true = no overflow */
static inline bool size_mul(size_t *out, size_t a, size_t b) { return !__builtin_mul_overflow(a, b, out); }
static inline bool size_add(size_t *out, size_t a, size_t b) { return !__builtin_add_overflow(a, b, out); }

#endif

/* Scratch memory that is given back where its block ends, on every way out. A function that declares its scratch this way can leave with TRY,
 * FAIL or return at any point, and says the size of a block once:
 *
 *     SCOPED(index_done) struct index seen;      an object: make it what its _done expects before the first way out
 *     index_init(&seen, mem);
 *     VEC(uint32_t) rows = { 0 };
 *     vec_scoped(mem, &rows);
 *     SCRATCH(uint64_t, sums, mem, count);       declares uint64_t *sums: count zeroed elements
 *     if (!sums) return error_memory(err);
 *
 * Scratch ends in the reverse order of its declaration, after the value of the return statement is known. What outlives the function is not
 * scratch: its owner frees it, or an arena that the owner has (base/arena.h). The macros use an attribute that gcc and clang have. */
#ifndef BASE_SCOPED_H
#define BASE_SCOPED_H

#include "base/mem.h"
#include "base/vec.h"

/* Before a local object: `done`, a function that takes a pointer to it, is called at the end of the block. */
#define SCOPED(done) __attribute__((cleanup(done)))

/* Empties the vector at the end of the block, whatever it holds by then; to hand its elements over, move them out and set it to { 0 }. */
#define vec_scoped(m, v) SCOPED(scoped_vec_end_) SCOPED_GUARD_ struct scoped_vec SCOPED_NAME_ = { (m), (void **)&(v)->at, &(v)->cap, sizeof *(v)->at }

/* Frees a block of `len` bytes that is there already; NULL is allowed. It must not be resized or freed before. */
#define mem_scoped(m, p, len) SCOPED(scoped_block_end_) SCOPED_GUARD_ struct scoped_block SCOPED_NAME_ = { (m), (p), (len) }

/* Declares `T *name`: `count` zeroed elements until the end of the block; NULL = no memory, or a count that cannot be. */
#define SCRATCH(T, name, m, count)                                                                                                                             \
    SCOPED(scoped_block_end_) struct scoped_block name##_block_ = scoped_block_((m), (count), sizeof(T));                                                      \
    T *const name = name##_block_.at

struct scoped_vec {
    struct mem *mem;
    void **at;
    size_t *cap;
    size_t size; /* of an element */
};

struct scoped_block {
    struct mem *mem;
    void *at;
    size_t len;
};

/* The product was checked when there is a block, and is not used when there is none. */
static inline struct scoped_block scoped_block_(struct mem *m, uint64_t count, size_t size)
{
    bool fits = (size_t)count == count; /* into the memory of a 32-bit machine */
    return (struct scoped_block){ m, fits ? mem_zalloc(m, (size_t)count, size) : NULL, (size_t)count * size };
}

static inline void scoped_vec_end_(struct scoped_vec *v) { mem_free(v->mem, *v->at, *v->cap * v->size); }
static inline void scoped_block_end_(struct scoped_block *b) { mem_free(b->mem, b->at, b->len); }

/* Nothing reads a guard but its end, which clang does not count as a use. */
#define SCOPED_GUARD_ __attribute__((unused))

/* A name for each guard of a file: a block may have several. */
#define SCOPED_NAME_ SCOPED_JOIN_(scoped_, __COUNTER__)
#define SCOPED_JOIN_(a, b) SCOPED_PASTE_(a, b)
#define SCOPED_PASTE_(a, b) a##b##_

#endif

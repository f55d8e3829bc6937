/* Memory that is freed as a whole: names and tables of one owner. */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include "base/mem.h"
#include "base/slice.h"

struct arena_chunk;
struct arena {
    struct mem *mem;
    struct arena_chunk *last;
    char *at, *end;
};

void arena_init(struct arena *a, struct mem *m);
/* Uninitialised, aligned for any object, borrowed until arena_done; NULL = no memory. */
void *arena_alloc(struct arena *a, size_t len);
/* Zeroed count*size bytes, aligned; NULL also when the product overflows. A large block is one of its own, so that nothing is wasted around it. */
void *arena_zalloc(struct arena *a, size_t count, size_t size);
/* A terminated copy; NULL = no memory. */
char *arena_copy(struct arena *a, assay_slice s);
/* The same without alignment: for text that is stored without gaps. */
char *arena_text(struct arena *a, size_t len);
void arena_done(struct arena *a);

#endif

/* A growing array: `VEC(T) name = {0};`. Elements are moved when it grows, so pointers into it last until the next push. */
#ifndef BASE_VEC_H
#define BASE_VEC_H

#include <string.h>

#include "base/mem.h"

#define VEC(T)                                                                                                                                                 \
    struct {                                                                                                                                                   \
        T *at;                                                                                                                                                 \
        size_t len, cap;                                                                                                                                       \
    }

/* Room for `more` elements after len; false = no memory, the vector is unchanged. */
#define vec_reserve(m, v, more) vec_grow_((m), (void **)&(v)->at, (v)->len, &(v)->cap, (more), sizeof *(v)->at)

/* A pointer to a new, uninitialised last element; NULL = no memory. */
#define vec_push(m, v) (((v)->len < (v)->cap || vec_reserve((m), (v), 1)) ? &(v)->at[(v)->len++] : NULL)

/* Frees the elements and empties the vector. */
#define vec_done(m, v)                                                                                                                                         \
    do {                                                                                                                                                       \
        mem_free((m), (v)->at, (v)->cap * sizeof *(v)->at);                                                                                                    \
        (v)->at = NULL;                                                                                                                                        \
        (v)->len = (v)->cap = 0;                                                                                                                               \
    } while (0)

/* Gives back what is reserved beyond len; keeps at least one element's room so that `at` is never NULL after a push. */
#define vec_trim(m, v) vec_trim_((m), (void **)&(v)->at, (v)->len, &(v)->cap, sizeof *(v)->at)

static inline bool vec_grow_(struct mem *m, void **at, size_t len, size_t *cap, size_t more, size_t size)
{
    size_t need, bytes;
    if (!size_add(&need, len, more)) return false;
    if (need <= *cap) return true;
    size_t grown = *cap + *cap / 2;
    size_t to = grown > need ? grown : need;
    if (to < 8) to = 8;
    if (!size_mul(&bytes, to, size)) return false;
    void *p = mem_resize(m, *at, *cap * size, bytes);
    if (!p) return false;
    *at = p;
    *cap = to;
    return true;
}

static inline void vec_trim_(struct mem *m, void **at, size_t len, size_t *cap, size_t size)
{
    size_t to = len ? len : 1;
    if (!*at || to >= *cap) return;
    void *p = mem_resize(m, *at, *cap * size, to * size);
    if (!p) return;
    *at = p;
    *cap = to;
}

#endif

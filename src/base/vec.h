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

/* The elements from number i on, i <= len; NULL when there are none at all: nothing may be added to a pointer that is NULL, not even 0. */
#define vec_from(v, i) ((v)->len ? (v)->at + (i) : NULL)

/* Frees the elements and empties the vectors, of which there may be up to 12: vec_done(mem, &x->rows, &x->names). */
#define vec_done(m, ...)                                                                                                                                       \
    VEC_PICK_(__VA_ARGS__, VEC_DONE12_, VEC_DONE11_, VEC_DONE10_, VEC_DONE9_, VEC_DONE8_, VEC_DONE7_, VEC_DONE6_, VEC_DONE5_, VEC_DONE4_, VEC_DONE3_,          \
              VEC_DONE2_, VEC_DONE1_, )                                                                                                                        \
    ((m), __VA_ARGS__)
#define VEC_PICK_(v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11, v12, name, ...) name
#define VEC_DONE1_(m, v) vec_done_((m), (void **)&(v)->at, &(v)->len, &(v)->cap, sizeof *(v)->at)
#define VEC_DONE2_(m, v, ...) (VEC_DONE1_(m, v), VEC_DONE1_(m, __VA_ARGS__))
#define VEC_DONE3_(m, v, ...) (VEC_DONE1_(m, v), VEC_DONE2_(m, __VA_ARGS__))
#define VEC_DONE4_(m, v, ...) (VEC_DONE1_(m, v), VEC_DONE3_(m, __VA_ARGS__))
#define VEC_DONE5_(m, v, ...) (VEC_DONE1_(m, v), VEC_DONE4_(m, __VA_ARGS__))
#define VEC_DONE6_(m, v, ...) (VEC_DONE1_(m, v), VEC_DONE5_(m, __VA_ARGS__))
#define VEC_DONE7_(m, v, ...) (VEC_DONE1_(m, v), VEC_DONE6_(m, __VA_ARGS__))
#define VEC_DONE8_(m, v, ...) (VEC_DONE1_(m, v), VEC_DONE7_(m, __VA_ARGS__))
#define VEC_DONE9_(m, v, ...) (VEC_DONE1_(m, v), VEC_DONE8_(m, __VA_ARGS__))
#define VEC_DONE10_(m, v, ...) (VEC_DONE1_(m, v), VEC_DONE9_(m, __VA_ARGS__))
#define VEC_DONE11_(m, v, ...) (VEC_DONE1_(m, v), VEC_DONE10_(m, __VA_ARGS__))
#define VEC_DONE12_(m, v, ...) (VEC_DONE1_(m, v), VEC_DONE11_(m, __VA_ARGS__))

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

static inline void vec_done_(struct mem *m, void **at, size_t *len, size_t *cap, size_t size)
{
    mem_free(m, *at, *cap * size);
    *at = NULL;
    *len = *cap = 0;
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

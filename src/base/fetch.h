/* What is needed soon is asked for ahead, so that it has come from memory by then. gcc takes a function that only does __builtin_prefetch for one without
 * any effect, and leaves out the calls of it; the empty instruction here is an effect. The address need not be valid. */
#ifndef BASE_FETCH_H
#define BASE_FETCH_H

static inline void fetch(const void *p)
{
    __builtin_prefetch(p);
    __asm__ volatile("" : : "r"(p));
}

static inline void fetch_to_write(const void *p)
{
    __builtin_prefetch(p, 1);
    __asm__ volatile("" : : "r"(p));
}

#endif

/* What comparators say: less, equal or greater, by one key after the other.
 *
 *     ORDER_BY(a->file, b->file);
 *     ORDER_BY(b->cost, a->cost); // descending
 *     return ORDER(a->index, b->index);
 *
 * Arguments are evaluated more than once. */
#ifndef BASE_ORDER_H
#define BASE_ORDER_H

#define ORDER(a, b) (((a) > (b)) - ((a) < (b)))

/* Returns from the comparator when the two differ. It hides a return, so that a list of keys reads as one. */
#define ORDER_BY(a, b)                                                                                                                                         \
    if ((a) != (b)) return (a) < (b) ? -1 : 1

#endif

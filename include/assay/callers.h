/* Who calls a function, and what it calls. docs/callers.md says what each figure means.
 *
 *     assay_callers_new(profile, "main", NULL, &callers, &err);
 *     callers->blocks[0].callees.name[1] ...
 *     assay_callers_free(callers); */
#ifndef ASSAY_CALLERS_H
#define ASSAY_CALLERS_H

#include "assay/top.h"

#ifdef __cplusplus
extern "C" {
#endif

enum assay_callers_sort { ASSAY_CALLERS_SORT_TOTAL = 0, ASSAY_CALLERS_SORT_CALLS = 1, ASSAY_CALLERS_SORT_NAME = 2 };

struct assay_callers_options {
    size_t size;                  /* sizeof(struct assay_callers_options); every member after it may be 0 */
    const char *metric;           /* see assay_column */
    enum assay_callers_sort sort; /* of the rows of one level */
    bool by_site;                 /* a row for each call site, not for each function */
    bool cycles;                  /* functions that call each other are taken together (call graphs) */
    uint32_t depth;               /* levels of callers and callees; 0 = 1. More than one needs contexts */
    uint64_t functions;           /* most blocks; 0 = all */
    uint64_t limit;               /* rows on each side of a block; 0 = all */
    double least;                 /* share of the whole that a row must have; 0 = any */
};

enum assay_callers_flags {
    ASSAY_CALLERS_RECURSION = 1, /* caller and callee are one function */
    ASSAY_CALLERS_INSIDE = 2     /* both are in one cycle */
};

/* Callers or callees, in their order: rows from 1; number 0 stands for the function itself and has no figures. What belongs to a row follows it. Figures are
 * [row * column_count + column]. */
typedef struct assay_callers_side {
    uint32_t count;
    const uint32_t *parent;    /* row that this one calls, or that calls it; 0 = the function itself */
    const uint32_t *depth;     /* from 1 */
    const assay_slice *name;   /* of the function; "<unknown>"; "<program root>" for what calls roots */
    const assay_func_id *func; /* 0 = no function of the profile */
    const assay_file_id *file; /* of the call site; of several the one that cost most */
    const uint32_t *line;      /* 0 = not known */
    const uint32_t *sites;     /* how many call sites */
    const uint64_t *calls;
    const uint64_t *contexts;     /* how many contexts are such a call; 0 of a call graph */
    const uint32_t *cycle;        /* that the function is in, from 1; 0 = none */
    const uint8_t *flags;         /* enum assay_callers_flags */
    const assay_value *total;     /* of these calls, with all that they lead to */
    const assay_value *recursive; /* of calls that are part of others already, which `total` leaves out; NULL = not known apart */
    uint32_t left_out;            /* further rows of level 1 */
    const assay_value *rest;      /* their total, by column */
} assay_callers_side;

/* A function, or with `cycles` a cycle. */
typedef struct assay_callers_block {
    assay_slice name;
    assay_func_id func; /* 0 = a cycle */
    uint32_t cycle;     /* that it is, or is in; 0 = none */
    uint32_t members;   /* functions of the cycle that it is; 0 = it is none */
    uint64_t calls;
    const assay_value *self, *total; /* by column */
    assay_callers_side callers, callees;
} assay_callers_block;

/* Everything is borrowed from it until it is freed. */
typedef struct assay_callers {
    const assay_profile *profile; /* whose ids these are: the one that was given, or one that was made of it and is owned here */
    uint32_t column_count;
    const assay_column *columns;
    uint32_t key;   /* the column that rows are chosen and sorted by */
    uint64_t found; /* functions that match */
    uint32_t count;
    const assay_callers_block *blocks; /* the largest total first; cycles before functions */
} assay_callers;

/* `function` is a name, or a regular expression (PCRE2) where no function has that name. Options may be NULL. *out is owned by the caller; free it before the
 * profile is released. Errors: MEMORY, USAGE (no function matches; the sentence names one that is near), UNSUPPORTED (nothing was measured; several levels without
 * contexts), those of stored values. */
ASSAY_API int assay_callers_new(const assay_profile *p, const char *function, const struct assay_callers_options *options, assay_callers **out,
                                assay_error *err);
ASSAY_API void assay_callers_free(assay_callers *callers);

#ifdef __cplusplus
}
#endif
#endif

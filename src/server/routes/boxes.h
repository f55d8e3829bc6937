/* Which boxes of a flame graph are drawn, and where: those that are wide enough
 * for the screen, the rest as one box for each parent. */
#ifndef SERVER_ROUTES_BOXES_H
#define SERVER_ROUTES_BOXES_H

#include "assay/paths.h"
#include "base/mem.h"
#include "base/vec.h"

struct boxes_options {
    double width;           /* pixels; 0 = all rows */
    double from, to;        /* the part of the width that is on the screen, 0 to 1 */
    uint32_t depth, levels; /* the first level that is wanted, and how many */
    size_t most;            /* boxes */
    bool is_by_name;        /* siblings by name, else the largest first */
};

struct box {
    uint32_t row;    /* of merged ones the largest */
    uint32_t parent; /* box + 1; 0 = none */
    uint32_t level;  /* from 0 */
    uint32_t more;   /* how many are merged; 0 = it is one */
    double x, w;     /* 0 to 1 */
    assay_value total;
};

struct boxes {
    struct mem *mem;
    VEC(struct box) at;
    assay_value total; /* of what fills the width */
    double least;      /* the smallest width that is drawn, 0 to 1 */
};

/* Row `root` fills the width at level 0; 0 = all roots beside each other do.
 * Parents come before their children. Errors: MEMORY. boxes_done is due in
 * either case. */
int boxes_lay_out(struct boxes *b, const assay_paths *s, uint32_t root, const struct boxes_options *options, assay_error *err);
void boxes_done(struct boxes *b);

#endif

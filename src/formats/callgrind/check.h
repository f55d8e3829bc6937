/* Between the files that check callgrind and cachegrind text. */
#ifndef CALLGRIND_CHECK_H
#define CALLGRIND_CHECK_H

#include "formats/callgrind/decode.h"

/* A line worth coming back to. */
struct cg_place {
    uint64_t off, line;
    bool is_set;
};

/* Sums of one function in the part, first event only. */
struct cg_sum {
    int64_t self, in, out;
    uint64_t calls;
    int64_t total; /* over the parts before */
    bool is_used;
};

/* What is known of a part: when the next one is announced, the decoder speaks of that one already. */
struct cg_part {
    uint32_t part, event_count;
    bool is_xdebug, has_events;
};

/* A derived event: `name` = the names its formula uses. */
struct cg_formula {
    uint32_t name;
    struct cg_place at;
    size_t first_term, term_count; /* in cg_checker.terms */
};

struct cg_checker {
    struct cg_decoder *d; /* borrowed: whoever pulls the records hands each of them in */
    struct findings *out;
    struct mem *mem;
    assay_error *err;
    bool is_cachegrind;

    struct cg_part now;
    int64_t sums[CG_MAX_EVENTS];
    bool overflowed, has_cost;
    uint64_t self_lines;
    int64_t totals[CG_MAX_EVENTS], summary[CG_MAX_EVENTS];
    int totals_count, summary_count;
    struct cg_place totals_at, summary_at;
    uint32_t mains; /* blocks of {main} */
    struct cg_place second_main;

    uint32_t first_events[CG_MAX_EVENTS], first_event_count; /* of the first part */

    struct {
        struct cg_sum *at;
        size_t len, cap;
    } funcs; /* by function number */

    /* Xdebug: finished invocations that nobody has claimed, and the block in work */
    VEC(struct {
        uint32_t func;
        int64_t inclusive;
        uint64_t calls; /* that it made */
    })
    frames;
    VEC(struct {
        uint32_t func;
        int64_t cost;
        struct cg_place at;
    })
    calls;
    uint32_t block_func;
    int64_t block_cost;
    bool is_broken;

    struct {
        uint8_t *at;
        size_t len, cap;
    } named;         /* by name handle: it stood behind fn= or cfn= */
    int64_t program; /* self cost of all parts, first event */

    VEC(struct cg_formula) formulas;
    VEC(uint32_t) terms;
};

/* Begins; all of it is borrowed until cg_check_done. The decoder's mask must have CG_CHECKED; it may join costs. */
enum { CG_CHECKED = CG_PART | CG_HEADER | CG_NAME | CG_COST };
void cg_check_init(struct cg_checker *c, struct cg_decoder *d, struct findings *out, struct mem *mem, bool is_cachegrind, assay_error *err);
void cg_check_done(struct cg_checker *c);
/* Takes the next record, CG_END included. */
int cg_check_record(struct cg_checker *c, const struct cg_record *r);

/* Xdebug blocks (check_blocks.c): CG19, CG23. */
int cg_check_block_begin(struct cg_checker *c);
int cg_check_block_cost(struct cg_checker *c, const struct cg_record *r);
int cg_check_blocks_end(struct cg_checker *c);

/* Derived events (check_formula.c): CG27. */
int cg_check_formula(struct cg_checker *c, const struct cg_record *r);
int cg_check_formulas(struct cg_checker *c);

#endif

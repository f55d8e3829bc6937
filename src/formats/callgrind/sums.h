/* Costs and calls of functions, summed up while the lines are decoded: of text with lines and one event, where nobody asks for places. What plain lines say needs no
 * record then; every other line is the decoder's (cg_next), and whoever takes its records has been told by then of what was used before (`uses`).
 *
 * A sum takes numbers that are not negative, as long as it has room for them; so it does not depend on what else is booked in between. */
#ifndef CALLGRIND_SUMS_H
#define CALLGRIND_SUMS_H

#include "formats/callgrind/decode.h"
#include "formats/callgrind/edges.h"

/* What calls of a function cost, but those from itself. */
struct cg_called {
    uint64_t calls;
    int64_t cost;
};

/* What an id of a function stood for when it was called last, and what was booked of that. */
struct cg_target {
    uint32_t name, object, file, func; /* func 0 = nothing yet */
    struct cg_called called;
};

/* What stands in the blocks of a function. */
struct cg_own {
    int64_t self, out, recursive; /* out: calls of others */
    uint64_t calls_recursive;
    uint32_t first_line; /* of the first self cost in its own file, with has_line */
    bool has_line;
};

/* A function: what is booked of it, but what its targets still have. */
struct cg_summed {
    struct cg_called called;
    uint32_t own; /* row of cg_own; 0 = it has no blocks */
    bool is_used;
};

/* What is used for the first time, in the order of the text: the table that it will get a row of is numbered in this order. */
enum cg_use_kind {
    CG_USE_FUNC,
    CG_USE_FILE, /* with a self cost */
    CG_USE_SITE, /* a file of calls */
    CG_USE_LINE, /* the first line of a function is known */
    CG_USE_ITEM  /* a record that was decoded ahead (apart.h) */
};
struct cg_use {
    uint32_t id;
    enum cg_use_kind kind;
};

struct cg_sums {
    struct mem *mem;
    bool is_on, wants_edges;
    VEC(struct cg_summed) funcs;
    VEC(struct cg_own) own;        /* [0] unused */
    VEC(struct cg_target) targets; /* by id: one load for a call, and no other depends on it */
    VEC(uint32_t) aimed;           /* ids of targets that stand for something */
    VEC(uint8_t) files;            /* by handle: 1 << enum cg_use_kind */
    VEC(struct cg_use) uses;
    size_t told;             /* uses that the owner has heard of */
    uint32_t at;             /* the row of d->func in `own` */
    uint32_t counted, sited; /* the files of the newest use of either kind */
    uint64_t calls, call_records, cost_records;
    struct cg_edges edges;
};

static inline bool cg_has_negative(const assay_value *row, uint32_t count)
{
    int64_t any = 0;
    for (uint32_t k = 0; k < count; k++) any |= row[k].i;
    return any < 0;
}

void cg_sums_init(struct cg_sums *s, struct mem *mem);
void cg_sums_done(struct cg_sums *s);
/* Forgets what is used and its sums, keeps the memory; edges and files stay. */
void cg_sums_begin(struct cg_sums *s);
/* Forgets all, keeps the memory. */
void cg_sums_clear(struct cg_sums *s);

/* Takes lines as long as they are plain, or name something. Errors: those of cg_next. */
int cg_sum_lines(struct cg_decoder *d, struct cg_sums *s);
/* Whether a file was used in this way before; then it is the newest of its kind. */
static inline bool cg_sums_used_file(struct cg_sums *s, enum cg_use_kind kind, uint32_t file)
{
    bool is_used = file < s->files.len && s->files.at[file] & 1 << kind;
    if (is_used) s->sited = file;
    if (is_used && kind == CG_USE_FILE) s->counted = file;
    return is_used;
}

/* Notes a use; false = no memory. Functions are below `funcs`. */
bool cg_sums_use(struct cg_sums *s, enum cg_use_kind kind, uint32_t id, size_t funcs);
/* The row of cg_own of a function that is used; 0 = no memory */
uint32_t cg_sums_own(struct cg_sums *s, uint32_t func);
/* From now on the id stands for this, unless there is no room for the sums of what it stood for; false = no memory */
bool cg_sums_aim(struct cg_sums *s, uint32_t id, const struct cg_target *t);
/* Brings what the targets have to their functions; false = there is no room for the sums, and some still have theirs. */
bool cg_sums_settle(struct cg_sums *s);

/* Adds what was called of a function; false = there is no room for it in the sums, and nothing was added. The same of what stands in its blocks. */
static inline bool cg_sums_add_called(struct cg_sums *s, uint32_t func, const struct cg_called *more)
{
    struct cg_called to = s->funcs.at[func].called;
    if (__builtin_add_overflow(to.calls, more->calls, &to.calls) || __builtin_add_overflow(to.cost, more->cost, &to.cost)) return false;
    s->funcs.at[func].called = to;
    return true;
}

static inline bool cg_sums_add_own(struct cg_own *to, const struct cg_own *more)
{
    struct cg_own sum = *to;
    bool overflows = __builtin_add_overflow(sum.self, more->self, &sum.self);
    overflows |= __builtin_add_overflow(sum.out, more->out, &sum.out);
    overflows |= __builtin_add_overflow(sum.recursive, more->recursive, &sum.recursive);
    overflows |= __builtin_add_overflow(sum.calls_recursive, more->calls_recursive, &sum.calls_recursive);
    if (!overflows) *to = sum;
    return !overflows;
}

#endif

/* Pieces of callgrind text that threads decode ahead of the reader (base/ahead.h).
 *
 * A piece begins with the lines that name a function, behind an empty line, and with a cost line whose position is absolute; so all it lacks are
 * the headers, which are known when it is offered, the names of ids that are defined before it, and the object and file in force. For these names it has
 * stand-ins, which get their meaning when the piece is taken. Whatever else it would have to know, or would have to say, it leaves to the reader. */
#ifndef CALLGRIND_APART_H
#define CALLGRIND_APART_H

#include "formats/callgrind/sums.h"
#include "formats/format.h"

/* A cost record; what it names are numbers of the piece's own decoder. */
struct cg_item {
    uint64_t calls, address;
    size_t costs; /* where they stand */
    uint32_t func, file, callee, line;
    uint32_t cost_lines, block;
    uint32_t cost_count;
    bool is_call;
};

/* A handle that stands for an id of one of the three tables, or for what is in force where the piece begins. */
enum { CG_FORCE_OB = 3, CG_FORCE_FL };
struct cg_stand_in {
    uint64_t id;
    uint32_t handle;
    unsigned table;
};
struct cg_definition {
    uint64_t id;
    uint32_t handle;
    unsigned table;
};

/* What the headers say. */
struct cg_head {
    uint32_t part, event_count;
    bool is_xdebug, has_address, has_line;
    bool is_summed; /* what plain lines say comes as sums */
    bool wants_edges;
};

struct cg_apart {
    struct mem *mem;
    struct cg_head head;
    struct cg_decoder d;
    struct findings damage;
    assay_error err;
    struct cg_seen seen;
    struct cg_sums sums; /* with is_summed each item has its place among the uses; edges are those of the items, too */
    bool is_open;        /* the five above are there */
    VEC(struct cg_item) items;
    VEC(assay_value) costs;
    VEC(struct cg_stand_in) stand_ins;
    VEC(struct cg_definition) definitions;
    VEC(uint32_t) named; /* with wants_names: what stood behind fn= or cfn= */
    uint64_t first_block;
    /* where it is taken: the reader's handles and function numbers, by those of the piece */
    VEC(uint32_t) names;
    VEC(uint32_t) funcs;
};

struct cg_aparts {
    struct mem mem;
    struct cg_decoder *d;
    struct ahead *ahead;
    bool wants_names;           /* set before cg_aparts_open, as is the next */
    const struct cg_sums *sums; /* the reader's, which says what is wanted of those of pieces; NULL = nothing */
    bool is_unfit;              /* set by the reader: what it does with records depends on more than them */
    struct cg_apart *slots[AHEAD_SLOTS];
};

/* Makes `d` take blocks from here when there are several workers; its `seen` and joins_costs are those of pieces, too. Errors: MEMORY. */
int cg_aparts_open(struct cg_aparts *a, struct cg_decoder *d, const struct read_job *job, assay_error *err);
void cg_aparts_close(struct cg_aparts *a);
/* After CG_AHEAD: the piece, its names known to the decoder and put in force as if it had been read; NULL = it is to be read now, or, with d->failed, there is no
 * memory. */
struct cg_apart *cg_apart_take(struct cg_aparts *a);
/* A record of the piece, in the order of the text, as cg_next gives it; d->block is as it was then. false = no memory */
bool cg_apart_record(struct cg_aparts *a, struct cg_apart *p, size_t i, struct cg_record *out);
/* The reader's number of a function of the piece; 0 = no memory */
uint32_t cg_apart_func(struct cg_aparts *a, struct cg_apart *p, uint32_t func);
/* After the last record. false = no memory */
bool cg_apart_end(struct cg_aparts *a, struct cg_apart *p);

#endif

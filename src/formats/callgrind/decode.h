/* Callgrind text (Valgrind, Xdebug, converters) and Cachegrind text: lines -> records. The only parser of this grammar; read, check, dump
 * and rewrite pull from it. It resolves name ids and relative positions and knows which function and file a cost belongs to, but books
 * nothing. docs/formats/callgrind.md has the grammar.
 *
 * Damage goes to the findings list given at the start, and decoding goes on with the next line. */
#ifndef CALLGRIND_DECODE_H
#define CALLGRIND_DECODE_H

#include "base/ahead.h"
#include "base/findings.h"
#include "base/input.h"
#include "base/intern.h"
#include "formats/callgrind/seen.h"

enum { CG_MAX_EVENTS = 200 };

enum cg_kind {
    CG_END = 0,
    CG_PART = 1,   /* a part begins; its own lines follow */
    CG_HEADER = 2, /* key: value */
    CG_NAME =
        4, /* ob= fl= fi= fe= fn= cob= cfi= cfl= cfn= jfi= jfn=; without CG_OTHER in the mask those of Xdebug, and of others each name where it is first met */
    CG_CALLS = 8, /* calls= ; its cost line follows as CG_COST */
    CG_JUMP = 16, /* jump= jcnd= ; its source line follows as CG_COST */
    CG_COST = 32,
    CG_OTHER = 64, /* blank, comment, banner, or not understood */
    CG_ALL = 127,
    CG_AHEAD = 128 /* what comes next was decoded ahead (apart.h): cg_apart_take takes it; d->slot < 0 = decode it now */
};

enum cg_spec { CG_OB, CG_FL, CG_FI, CG_FE, CG_FN, CG_COB, CG_CFI, CG_CFL, CG_CFN, CG_JFI, CG_JFN };
enum cg_role { CG_SELF, CG_CALL, CG_JUMP_FROM };

/* Position numbers of a line: what `positions:` names. */
struct cg_position {
    uint64_t address;
    uint32_t line;
};

struct cg_record {
    enum cg_kind kind;
    uint64_t off;     /* of the first byte of the line; not set in what was decoded ahead, and neither are the next two */
    uint64_t line;    /* from 1 */
    assay_slice text; /* the line without its end (CG_END, CG_PART: none) */

    /* CG_HEADER */
    assay_slice key, value; /* value without the blanks around it */

    /* CG_NAME */
    enum cg_spec spec;
    uint32_t name; /* handle; cg_string gives the bytes; 0 = none */
    bool defines;  /* an id was given a name here */

    /* CG_CALLS, CG_JUMP, and CG_COST with a role other than CG_SELF */
    uint64_t calls;    /* calls=, or how often a jump was executed */
    uint64_t followed; /* jcnd= */
    bool conditional;
    struct cg_position target;
    uint32_t callee;      /* function number; for jumps the target function, 0 = the same */
    uint32_t target_file; /* jumps: handle */

    /* CG_COST */
    enum cg_role role;
    uint32_t func; /* function number, from 1 */
    uint32_t file; /* handle of the file the code stands in */
    struct cg_position at;
    const assay_value *costs; /* cost_count of them; the remaining events are 0 */
    uint32_t cost_count;
    uint32_t cost_lines; /* how many lines were joined: 1 unless the decoder was told to */
};

/* A function: three name handles. Numbers are dense from 1 in the order of first use, over all parts. */
struct cg_func {
    uint32_t object, file, name;
};

/* The function that a name stood for last. Most names have one only, and that is not in the index. */
struct cg_named_func {
    uint32_t object, file, func; /* func 0 = none yet */
    bool is_indexed;             /* the name has several: all of them are */
};

struct cg_ids {
    VEC(uint32_t) dense; /* by id: handle, 0 = undefined */
    VEC(uint64_t) far;   /* ids too large for `dense`: id << 32 | handle, in `far_index` */
    struct index far_index;
    uint32_t defined;
};

struct cg_apart;

struct cg_decoder {
    struct mem *mem;
    struct input *in;
    struct ahead *ahead;    /* where blocks come from; NULL = from `in` itself */
    int slot;               /* of the block, when it was decoded ahead; -1 = it was not */
    struct cg_apart *apart; /* this decodes a piece from the middle: ids may be defined before it; NULL = the whole */
    struct findings *damage;
    unsigned mask;        /* kinds that cg_next returns */
    bool joins_costs;     /* self cost lines in a row come as one record with their sum and the first position */
    struct cg_seen *seen; /* gets each source line with a self cost; NULL = nobody counts them */

    /* the block: at .. end, ending with '\n' */
    const char *at, *end, *begin;
    const char *line_end; /* how far the cost line in work was understood */
    uint64_t begin_off;
    uint64_t line;
    VEC(char) last_line; /* copy of a last line without '\n', with one */
    bool at_eof, is_cut; /* is_cut: the line in work has no line end in the file */
    bool cut_reported;   /* and could not be understood */
    int failed;          /* sticky: the code of *err */
    assay_error *err;

    bool has_jump_names;  /* jfn= gave an id its name */
    struct intern *names; /* own_names, or those of whoever takes the records */
    struct intern own_names;
    struct cg_ids ids[3];      /* objects, files, functions */
    VEC(struct cg_func) funcs; /* [0] unused */
    struct index func_index;
    VEC(uint32_t) by_name;            /* with bare calls: name handle -> its newest function with a cost */
    VEC(struct cg_named_func) newest; /* by name handle */

    /* the part */
    uint32_t part; /* from 1 */
    bool part_has_events, part_announced;
    bool is_xdebug;
    bool has_bare_calls; /* Xdebug 2.0 to 2.2: cfn= without cfl=, a callee is known by its name */
    bool after_blank;    /* no cost line since the last empty line: Xdebug ends each block with one */
    bool has_address, has_line;
    uint32_t event_count;
    uint32_t events[CG_MAX_EVENTS]; /* name handles */
    bool had_events;                /* in any part */
    bool is_callgrind;              /* Valgrind's tool itself wrote the file: each part ends with its totals */
    bool has_totals;                /* of this part */
    bool is_ended;                  /* the end was judged */
    struct cg_position base;

    /* what the next cost line belongs to */
    uint32_t ob, fl, file, fn, func; /* func 0 = not looked up yet */
    uint64_t block;                  /* how many fn= there were: with Xdebug the number of the invocation */
    bool has_fl, has_fn;
    uint32_t cob, cfile, cfn;
    bool has_cob, has_cfile, has_cfn;
    uint32_t jfile, jfn;
    enum cg_role pending;
    uint64_t pending_off, pending_line;
    uint64_t calls, followed;
    bool conditional;
    struct cg_position target;

    assay_value costs[CG_MAX_EVENTS], more[CG_MAX_EVENTS];
};

/* `in`, `damage` and `err` are borrowed until cg_done. */
void cg_init(struct cg_decoder *d, struct input *in, struct mem *mem, struct findings *damage, assay_error *err);
void cg_done(struct cg_decoder *d);

/* The next record of a kind in d->mask. 0 or an error of input or memory; kind CG_END at the end. Slices last until the next call. */
int cg_next(struct cg_decoder *d, struct cg_record *r);

/* Bytes of a name handle; {NULL, 0} for 0. Borrowed until cg_done. */
static inline assay_slice cg_string(const struct cg_decoder *d, uint32_t handle) { return intern_get(d->names, handle); }
/* How a line begins for this spec: "fn=", ... */
const char *cg_spec_text(enum cg_spec spec);
/* 0 objects, 1 files, 2 functions: each has its own ids. */
static inline unsigned cg_spec_table(enum cg_spec spec)
{
    switch (spec) {
    case CG_OB:
    case CG_COB: return 0;
    case CG_FN:
    case CG_CFN:
    case CG_JFN: return 2;
    default: return 1;
    }
}

/* Numbers of a `summary:` or `totals:` value into out[CG_MAX_EVENTS]; returns how many, -1 when one is malformed, -2 when
 * one does not fit. */
int cg_sums(assay_slice value, int64_t *out);

/* ---- between the files of the decoder ---- */
/* The line at d->at, whatever it is; there is one. */
int cg_one_line(struct cg_decoder *d, struct cg_record *r);
/* id_find and id_put for the tables of the three kinds of ids; 0 = never defined; false = no memory */
uint32_t cg_id_find(const struct cg_ids *t, uint64_t id);
bool cg_id_put(struct mem *m, struct cg_ids *t, uint64_t id, uint32_t handle);
/* What an id stands for that is defined before the piece, and that the piece defines one; 0, false = no memory, or the piece cannot be decoded apart (apart.c). */
uint32_t cg_apart_name(struct cg_decoder *d, unsigned table, uint64_t id);
bool cg_apart_defines(struct cg_decoder *d, unsigned table, uint64_t id, uint32_t name, bool is_new);
void cg_damage(struct cg_decoder *d, const struct cg_record *r, const char *rule, int severity, const char *fmt, ...) __attribute__((format(printf, 5, 6)));
/* CG18: the file ends inside this line. */
void cg_damage_cut(struct cg_decoder *d, const struct cg_record *r);
/* Parses a name line; `at` is after '='. */
int cg_name(struct cg_decoder *d, struct cg_record *r, enum cg_spec spec, const char *at, const char *end);
static inline void cg_apply_file(struct cg_decoder *d, uint32_t name)
{
    d->fl = d->file = name;
    d->has_fl = true;
    d->func = 0;
}
static inline void cg_apply_func(struct cg_decoder *d, uint32_t name)
{
    d->fn = name;
    d->file = d->fl;
    d->has_fn = true;
    d->func = 0;
    d->block++;
}
/* Puts a name in force. */
static inline void cg_apply(struct cg_decoder *d, enum cg_spec spec, uint32_t name)
{
    switch (spec) {
    case CG_OB:
        d->ob = name;
        d->func = 0;
        break;
    case CG_FL: cg_apply_file(d, name); break;
    case CG_FI:
    case CG_FE:
        d->file = name;
        if (!d->has_fl) { /* some writers know fi= only */
            d->fl = name;
            d->func = 0;
        }
        break;
    case CG_FN: cg_apply_func(d, name); break;
    case CG_COB:
        d->cob = name;
        d->has_cob = true;
        break;
    case CG_CFI:
    case CG_CFL:
        d->cfile = name;
        d->has_cfile = true;
        break;
    case CG_CFN:
        d->cfn = name;
        d->has_cfn = true;
        break;
    case CG_JFI: d->jfile = name; break;
    case CG_JFN: d->jfn = name; break;
    }
}
/* Function number of the key; 0 = no memory. */
uint32_t cg_func_find(struct cg_decoder *d, uint32_t object, uint32_t file, uint32_t name);
static inline uint32_t cg_func_of(struct cg_decoder *d, uint32_t object, uint32_t file, uint32_t name)
{
    if (name < d->newest.len) {
        const struct cg_named_func *n = &d->newest.at[name];
        if (n->func && n->file == file && n->object == object) return n->func;
    }
    return cg_func_find(d, object, file, name);
}
/* All positions of a line, relative to those of the last cost line. A target may have fewer. NULL = damage was reported. */
const char *cg_positions(struct cg_decoder *d, struct cg_record *r, const char *p, struct cg_position *out, bool is_target);
/* The costs after the positions, into d->costs; false = the line is damaged (reported). */
bool cg_costs(struct cg_decoder *d, struct cg_record *r, const char *p);
/* What follows calls=; jump=COUNT TARGET or jcnd=FOLLOWED/EXECUTED TARGET. */
void cg_calls_line(struct cg_decoder *d, struct cg_record *r, const char *p);
void cg_jump_line(struct cg_decoder *d, struct cg_record *r, const char *p, bool conditional);
/* A `key: value` line, or what cannot be understood. Returns false when a new part must be announced first. */
bool cg_header(struct cg_decoder *d, struct cg_record *r);
void cg_begin_part(struct cg_decoder *d);
/* One position or cost: decimal or 0x, with sign. Returns the first byte after it, NULL = malformed, *range = does not fit. */
const char *cg_number(const char *at, bool allow_sign, int64_t *out, bool *range);

#endif

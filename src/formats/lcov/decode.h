/* lcov tracefiles (.info), 1.x and 2.x: lines -> records. The only parser of this format; read, check and dump pull from it. It knows which
 * record belongs to a file and what an FNL index stands for, but pairs and sums nothing. docs/formats/lcov.md has the grammar.
 *
 * Damage goes to the findings list given at the start, and decoding goes on with the next line. Every rule of severity error is found here,
 * so that strict reading and check agree. */
#ifndef LCOV_DECODE_H
#define LCOV_DECODE_H

#include "base/index.h"
#include "base/lines.h"

enum lcov_kind {
    LCOV_END = 0,
    LCOV_TEST,   /* TN: name */
    LCOV_SOURCE, /* SF: or KF: name; may close a record that has no end */
    LCOV_VERSION,
    LCOV_FUNCTION,  /* FN: line, end_line, name */
    LCOV_CALLS,     /* FNDA: count, name */
    LCOV_LEADER,    /* FNL: index, line, end_line */
    LCOV_ALIAS,     /* FNA: index, count, name; line and end_line are those of its leader */
    LCOV_BRANCH,    /* BRDA: line, block, name, count, flags */
    LCOV_CONDITION, /* MCDC: line, group, sense, count, index, name, flags */
    LCOV_LINE,      /* DA: line, count, name = checksum */
    LCOV_STATED,    /* LF: ... MCH: counter, count */
    LCOV_END_OF_RECORD,
    LCOV_OTHER /* blank, comment, or not understood; only with d->wants_all */
};

enum lcov_counter { LCOV_LF, LCOV_LH, LCOV_FNF, LCOV_FNH, LCOV_BRF, LCOV_BRH, LCOV_MCF, LCOV_MCH, LCOV_COUNTERS };

struct lcov_record {
    enum lcov_kind kind;
    uint64_t off;     /* of the first byte of the line */
    uint64_t number;  /* of the line, from 1 */
    assay_slice text; /* the line without what is blank at its end; not set for plain DA and BRDA unless d->wants_all */
    assay_slice name;
    assay_slice block; /* BRDA: digits, the flags taken off */
    uint64_t count;    /* at most 2^64-1, never negative */
    uint32_t line;     /* source line, at least 1, but for functions */
    uint32_t end_line; /* 0 = not said */
    uint32_t index;    /* MCDC; FNL and FNA: number of the leader in the file, from 1 */
    uint32_t group;    /* MCDC: conditions of the group */
    uint8_t flags;     /* enum assay_coverage_branch_flags */
    bool sense;        /* MCDC: true */
    bool was_negative; /* count stood below 0 and is read as 0 */
    enum lcov_counter counter;
};

struct lcov_leader {
    uint64_t record, index;
    uint32_t line, end_line;
};

struct lcov_decoder {
    struct lines lines;
    struct mem *mem;
    struct findings *damage;
    assay_error *err;
    bool wants_all; /* also LCOV_OTHER, and every text */
    bool in_record;
    uint64_t record; /* number of the record in work, from 1 */
    bool has_2x;     /* FNL or FNA was seen */
    VEC(struct lcov_leader) leaders;
    struct index leader_index;
};

/* `in`, `damage` and `err` are borrowed until lcov_done. */
void lcov_init(struct lcov_decoder *d, struct input *in, struct mem *mem, struct findings *damage, assay_error *err);
void lcov_done(struct lcov_decoder *d);
/* The next record. 0 or an error of input or memory; kind LCOV_END at the end. Slices last until the next call. */
int lcov_next(struct lcov_decoder *d, struct lcov_record *r);

/* Plain DA or BRDA lines that follow each other, taken at once: most lines of most files. */
enum { LCOV_RUN = 256, LCOV_RUN_NUMBERS = 1000 };
struct lcov_run {
    uint32_t count;
    bool is_branches;
    uint32_t *line; /* the caller's, LCOV_RUN elements each */
    uint64_t *hits;
    uint16_t *block, *name; /* BRDA: block and branch in digits, below LCOV_RUN_NUMBERS, as written */
    uint8_t *flags;
};
/* Takes the plain lines that come next, at most LCOV_RUN; false = what comes next is another record, for lcov_next. */
bool lcov_next_run(struct lcov_decoder *d, struct lcov_run *run);
/* "LF", ... */
const char *lcov_counter_name(enum lcov_counter c);

/* ---- between the files of the decoder ---- */

enum { LCOV_LINE_MAX = 0x7fffffff };

/* Understands everything behind the colon; on damage r->kind becomes LCOV_OTHER. 0 or no memory. */
int lcov_fields(struct lcov_decoder *d, struct lcov_record *r, assay_slice value);
void lcov_damage(struct lcov_decoder *d, struct lcov_record *r, const char *rule, int severity, const char *fmt, ...) __attribute__((format(printf, 5, 6)));

#endif

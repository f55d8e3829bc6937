/* Rows of coverage in the order of their places, and what differs at one place: the identity of lines, branches and conditions, in one place
 * for counting and for showing. */
#ifndef ANALYSIS_COVERAGE_ROWS_H
#define ANALYSIS_COVERAGE_ROWS_H

#include "assay/model.h"
#include "base/index.h"
#include "base/vec.h"

#define COVERAGE_ID(column, row) ((column) ? (column)[row].v : 0)
static inline uint32_t coverage_number(const uint32_t *column, uint32_t row) { return column ? column[row] : 0; }
static inline uint64_t coverage_add(uint64_t a, uint64_t b) { return a > UINT64_MAX - b ? UINT64_MAX : a + b; }

/* ---- by place ---- */

struct places {
    const assay_file_id *file;
    const uint32_t *line;
    uint32_t count;
    uint32_t *order; /* NULL = the rows are in order as they are */
};

static inline uint64_t places_key(const struct places *s, uint32_t row) { return (uint64_t)COVERAGE_ID(s->file, row) << 32 | coverage_number(s->line, row); }
static inline uint32_t places_row(const struct places *s, uint32_t i) { return s->order ? s->order[i] : i; }

/* Sorts by file and line, stable, unless the rows stand so already. false = no memory; places_done is due all the same. */
bool places_init(struct places *s, struct mem *m, const assay_file_id *file, const uint32_t *line, uint32_t count);
void places_done(struct places *s, struct mem *m);

/* ---- what differs at one place ---- */

typedef bool (*coverage_same_fn)(const struct assay_coverage *c, uint32_t a, uint32_t b);
typedef uint64_t (*coverage_hash_fn)(const struct assay_coverage *c, uint32_t row);

/* Branches of one place; see assay_coverage_counts. */
bool coverage_same_branch(const struct assay_coverage *c, uint32_t a, uint32_t b);
uint64_t coverage_hash_branch(const struct assay_coverage *c, uint32_t row);

struct member {
    uint32_t row;
    uint8_t flags; /* that all rows of the member have */
    uint64_t hits; /* of all its rows */
};
/* The distinct rows of one place: compared one by one while they are few, by hash from then on. */
struct distinct {
    struct mem *mem;
    const struct assay_coverage *c;
    coverage_same_fn same;
    coverage_hash_fn hash;
    VEC(struct member) list;
    struct index index;
    bool is_indexed;
};
void distinct_init(struct distinct *d, struct mem *m, const struct assay_coverage *c, coverage_same_fn same, coverage_hash_fn hash);
void distinct_done(struct distinct *d);
void distinct_clear(struct distinct *d);
/* false = no memory */
bool distinct_add(struct distinct *d, uint32_t row, uint64_t hits, uint8_t flags);

#endif

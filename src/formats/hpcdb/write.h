/* The parts of the writer; write.c puts them together. Each writes one file of the database from the plan. */
#ifndef FORMATS_HPCDB_WRITE_H
#define FORMATS_HPCDB_WRITE_H

#include "formats/hpcdb/encode.h"
#include "formats/hpcdb/plan.h"

int hpcdb_write_meta(const struct hpcdb_plan *plan, struct output_dir *dir, assay_error *err);
/* The section of the contexts; the caller says where its elements can be found. */
struct hpcdb_meta_places {
    uint64_t *modules, *files, *functions; /* by id of the model: where the element is; 0 = not listed */
    uint64_t *entry_names;                 /* by context: the text */
};
enum { HPCDB_LEXICAL_FUNCTION = 0, HPCDB_LEXICAL_LOOP = 1, HPCDB_LEXICAL_LINE = 2, HPCDB_LEXICAL_INSTRUCTION = 3 };
/* The lexical type of a node. */
uint8_t hpcdb_write_lexical(const struct assay_tree *t, uint32_t node);
int hpcdb_write_contexts(const struct hpcdb_plan *plan, struct hpcdb_encoder *e, const struct hpcdb_meta_places *at, assay_error *err);

/* With `compat` a thread's value is written as hpcprof does, wrongly; the summary takes this one. */
struct hpcdb_fix {
    uint32_t ctx, profile;
    uint16_t id;
    double value;
};

/* The path of a file as the program was built with it: without the `src` of a copy. */
assay_slice hpcdb_source_origin(const struct hpcdb_plan *plan, uint32_t file);
/* Can the source be copied? */
bool hpcdb_has_source(const struct hpcdb_plan *plan, uint32_t file);
/* Copies it; *place is its path in the database, from the arena, or {NULL, 0} when there is none to copy. Errors: WRITE, MEMORY. */
int hpcdb_copy_source(const struct hpcdb_plan *plan, struct output_dir *dir, uint32_t file, struct arena *arena, assay_slice *place, assay_error *err);

/* Blocks of profile.db, and what is needed to find them again. The file stays open until the summary is there. */
struct hpcdb_profile_file {
    const struct hpcdb_plan *plan;
    struct hpcdb_encoder e;
    struct hpcdb_block *blocks;  /* by profile; 0 = the summary */
    uint64_t *tuples;            /* by profile */
    VEC(struct hpcdb_fix) fixes; /* by context */
    uint32_t *marks;             /* by profile, HPCDB_MARKS each: how many contexts of the block come before hpcdb_mark_ctx */
    uint32_t *weights;           /* by context: how many values all profiles have */
    uint32_t **seen;             /* by metric and context: how many profiles have the metric there; NULL = their values tell */
    uint64_t end;                /* of a team: where the blocks of all ranks end */
};
/* Blocks are cut where these contexts begin, so that one request finds a place in them. */
enum { HPCDB_MARKS = 64 };
static inline uint32_t hpcdb_mark_ctx(const struct hpcdb_plan *plan, uint32_t mark) { return (uint32_t)((uint64_t)plan->ctx_count * mark / HPCDB_MARKS); }

int hpcdb_write_profiles(struct hpcdb_profile_file *f, const struct hpcdb_plan *plan, struct output_dir *dir, assay_error *err);
/* After write_cct: the array of profiles, and the end of the file. */
int hpcdb_write_profiles_end(struct hpcdb_profile_file *f, assay_error *err);
void hpcdb_write_profiles_done(struct hpcdb_profile_file *f);

/* Reads the blocks back by context and writes cct.db; on the way the summary is made, where none is stored. */
int hpcdb_write_cct(struct hpcdb_profile_file *f, struct output_dir *dir, assay_error *err);

/* ---- files of a team: write_parts.c ---- */

/* Rank 0 creates the file; the others write their part into one of their own that stands for it until its place is known. */
int hpcdb_part_open(const struct hpcdb_plan *plan, struct hpcdb_encoder *e, struct output_dir *dir, enum hpcdb_part part, uint64_t first_section,
                    assay_error *err);
/* Called by all: the parts move to their places, in the order of ranks, each at a multiple of 4. From here on e->out is the file itself on every rank, all
 * of it can be read back, and it can be patched. *base: where the part of this rank begins, 0 on rank 0; *end: where all of them end. Errors are
 * agreed on. */
int hpcdb_part_settle(const struct hpcdb_plan *plan, struct hpcdb_encoder *e, struct output_dir *dir, uint64_t *base, uint64_t *end, assay_error *err);
/* Whoever did not create the file commits its writes; agreed on. After it rank 0 alone goes on, at `end`. */
int hpcdb_part_leave(const struct hpcdb_plan *plan, struct hpcdb_encoder *e, uint64_t end, int rc, assay_error *err);

/* Tells how far the work is: `part` of HPCDB_STEPS, of which done / total. Errors: CANCELLED. */
enum { HPCDB_PROFILES = 0, HPCDB_CONTEXTS = 1, HPCDB_STEPS = 2 };
int hpcdb_write_progress(const struct hpcdb_plan *plan, unsigned part, uint64_t done, uint64_t total, assay_error *err);

int hpcdb_write_traces(const struct hpcdb_plan *plan, struct output_dir *dir, assay_error *err);
int hpcdb_write_yaml(const struct hpcdb_plan *plan, struct output_dir *dir, assay_error *err);
/* Metrics whose formula cannot be written. */
int hpcdb_count_lost_formulas(const struct hpcdb_plan *plan, uint64_t *count, assay_error *err);

/* ---- values of one profile: values.c ---- */

struct hpcdb_cell {
    uint32_t ctx;
    uint16_t id;
    double value;
};
/* Where the values of a context begin among those of the profile. */
struct hpcdb_row {
    uint32_t ctx;
    uint32_t begin;
};
struct hpcdb_values {
    const struct hpcdb_plan *plan;
    VEC(struct hpcdb_cell) cells; /* in any order */
    VEC(struct hpcdb_row) rows;   /* contexts that have values, in their order; one more tells where the last one ends */
    uint32_t *place;              /* by context: work space, 0 between profiles */
    uint64_t *touched;            /* contexts; empty between profiles */
    struct hpcdb_spread *spread;  /* what propagation needs; NULL until then */
    uint32_t **seen;              /* borrowed from hpcdb_profile_file */
    VEC(struct hpcdb_fix) fixes;  /* of the stream in work; `profile` is not filled */
    VEC(unsigned char) bytes;     /* the values in order */
    bool failed;                  /* no memory */
};
int hpcdb_values_init(struct hpcdb_values *v, const struct hpcdb_plan *plan, uint32_t **seen, assay_error *err);
void hpcdb_values_done(struct hpcdb_values *v);
/* Fills `cells` with all values of a stream, or with the summary as stored. */
int hpcdb_values_of_stream(struct hpcdb_values *v, assay_stream_id stream, assay_error *err);
int hpcdb_values_of_summary(struct hpcdb_values *v, assay_error *err);
/* Puts the cells in order; then writes them as a block. */
int hpcdb_values_encode(struct hpcdb_values *v, assay_error *err);
void hpcdb_values_put(const struct hpcdb_values *v, struct hpcdb_encoder *e, struct hpcdb_block *block);
/* How many threads may work. */
unsigned hpcdb_workers(const struct hpcdb_plan *plan);

/* Propagation of costs of places to the four scopes: spread.c. */
struct hpcdb_spread;
int hpcdb_spread_init(struct hpcdb_spread **out, const struct hpcdb_plan *plan, assay_error *err);
void hpcdb_spread_done(struct hpcdb_spread *s);
int hpcdb_spread_stream(struct hpcdb_spread *s, assay_stream_id stream, struct hpcdb_values *to, assay_error *err);

#endif

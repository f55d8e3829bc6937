/* Between the files that write callgrind text. */
#ifndef CALLGRIND_WRITE_H
#define CALLGRIND_WRITE_H

#include "formats/callgrind/encode.h"
#include "formats/format.h"

enum cg_row_kind { CG_ROW_SELF, CG_ROW_JUMP, CG_ROW_CALL };

/* One line (with what stands before it) of the output; sorted, they are the file. */
struct cg_row {
    uint32_t stream, rank; /* rank: of the function in the file */
    uint32_t func, file, line;
    uint32_t kind; /* enum cg_row_kind */
    uint64_t address;
    uint32_t index; /* in the table of its kind */
};

struct cg_writer {
    const assay_profile *p;
    const struct assay_graph *g;
    const struct assay_funcs *funcs;
    const struct write_job *job;
    struct output *out;
    struct mem *mem;
    struct cg_encoder e;
    assay_error *err;

    uint32_t *rank; /* by function id */
    VEC(struct cg_row) rows;
    bool is_grouped;      /* by object and file, and by line, as Valgrind does. Without objects the order of the profile is kept, which
                      * formats with numbered functions need to come back as they were */
    bool costs_from_sums; /* the profile has no costs by place */

    uint32_t module, file, func; /* in force */
    bool has_func;
    assay_wide *totals; /* by metric of the block */
    int64_t *costs;     /* of the line in work */
};

/* The rows of one part, rows.at[from .. to). */
void cg_write_rows(struct cg_writer *w, size_t from, size_t to);

/* ---- shared with cachegrind's text (write_cachegrind.c) ---- */

/* A header must be. */
bool cg_is_one_line(assay_slice s);
void cg_write_header(struct cg_writer *w, const char *before, assay_slice key, assay_slice value);
/* The line "events:", which ends with `end`. */
void cg_write_events(struct cg_writer *w, const char *end);
/* Figures that are rounded, and shapes that neither text has. */
void cg_write_figure_losses(struct cg_writer *w);
void cg_write_shape_losses(struct cg_writer *w);
/* A value as callgrind has it: signed 64 bits. */
int64_t cg_write_value(const struct cg_writer *w, uint32_t k, assay_value v);

#endif

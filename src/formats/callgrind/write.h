/* Between the files that write callgrind text. */
#ifndef CALLGRIND_WRITE_H
#define CALLGRIND_WRITE_H

#include "base/vec.h"
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

/* Numbers given to names; they begin anew in each part. */
struct cg_numbers {
    uint32_t *number; /* by string id */
    uint32_t *part;   /* in which the number was given */
    uint32_t last;
};

struct cg_writer {
    const assay_profile *p;
    const struct assay_graph *g;
    const struct assay_funcs *funcs;
    const struct write_job *job;
    struct output *out;
    struct mem *mem;
    assay_error *err;

    uint32_t string_count;
    uint32_t *rank; /* by function id */
    VEC(struct cg_row) rows;
    bool is_grouped; /* by object and file, and by line, as Valgrind does. Without objects the order of the profile is kept, which
                      * formats with numbered functions need to come back as they were */
    bool has_address, has_line;
    bool costs_from_sums; /* the profile has no costs by place */

    uint32_t part; /* from 1 */
    struct cg_numbers numbers[3]; /* objects, files, functions */
    uint32_t base_line;
    uint64_t base_address;
    uint32_t module, file, func; /* in force */
    bool has_func;
    assay_wide *totals; /* by metric of the block */
};

/* The rows of one part, rows.at[from .. to). */
void cg_write_rows(struct cg_writer *w, size_t from, size_t to);

/* A value as callgrind has it: signed 64 bits. */
int64_t cg_write_value(const struct cg_writer *w, uint32_t k, assay_value v);

#endif

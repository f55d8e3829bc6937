/* Between the files that turn callgrind records into a profile. */
#ifndef CALLGRIND_READ_H
#define CALLGRIND_READ_H

#include "formats/callgrind/apart.h"
#include "formats/callgrind/decode.h"
#include "formats/format.h"

/* Ids of the builder for the decoder's numbers; 0 = not used yet. */
struct cg_known {
    uint32_t id;
    bool is_counted;
    bool has_line; /* functions: the first line is known */
};

struct cg_knowns {
    struct cg_known *at;
    size_t len, cap;
};

struct cg_blocks;

struct cg_reader {
    struct cg_decoder d;
    struct cg_aparts aparts;
    const struct read_job *job;
    assay_builder *b;
    struct findings damage;

    struct cg_knowns funcs, files, modules; /* by function number, name handle, name handle */
    uint32_t func_count, file_count, module_count;
    bool has_other_ids; /* not every function has its number as its id */

    /* metrics: slot k of the graph is event slots[k] of the file, by name handle */
    VEC(uint32_t) slots;
    VEC(assay_metric_id) metrics;
    uint32_t map[CG_MAX_EVENTS]; /* event of the part -> slot */
    bool is_mapped;              /* map is not the identity */
    assay_value row[CG_MAX_EVENTS];

    assay_stream_id stream;
    bool has_originals; /* headers of the file this one was converted from, which replace its own */
    bool has_xdebug;    /* a part has single invocations: they determine the tree */
    bool has_sums;      /* a part has sums over invocations */
    uint64_t calls, call_records, cost_records, jumps;
    struct cg_seen seen; /* filled when counts are wanted */
    struct cg_sums sums; /* where sums will do; edges also when counts are wanted */

    struct cg_strict *strict; /* strict reading: the checks go along; NULL = lenient */
    struct cg_blocks *blocks; /* Xdebug: invocations; NULL = not needed */
};

/* The builder's id of a function number or file handle that is met for the first time. */
assay_func_id cg_reader_new_func(struct cg_reader *r, uint32_t func, bool count);
assay_file_id cg_reader_new_file(struct cg_reader *r, uint32_t handle, bool count);

/* The builder's id; counted on first use, but for jump targets and call sites. */
static inline assay_func_id cg_reader_func(struct cg_reader *r, uint32_t func, bool count)
{
    if (func < r->funcs.len && r->funcs.at[func].is_counted) return (assay_func_id){ r->funcs.at[func].id };
    return cg_reader_new_func(r, func, count);
}
static inline assay_file_id cg_reader_file(struct cg_reader *r, uint32_t handle, bool count)
{
    if (handle < r->files.len && r->files.at[handle].is_counted) return (assay_file_id){ r->files.at[handle].id };
    return cg_reader_new_file(r, handle, count);
}

/* Books a record of a piece that was decoded ahead. */
int cg_reader_take_item(struct cg_reader *r, struct cg_apart *p, size_t i, assay_error *err);

/* ---- sums (read_sums.c) ---- */

/* The events of a part are known. */
void cg_reader_sums_begin(struct cg_reader *r);
/* What follows in the part is booked one by one. */
int cg_reader_sums_end(struct cg_reader *r);
/* Takes the plain lines that come next. */
int cg_reader_sum_lines(struct cg_reader *r);
/* At the end: who calls whom, to the builder. */
int cg_reader_put_pairs(struct cg_reader *r);
/* What a piece has, where it has sums. */
int cg_reader_take_sums(struct cg_reader *r, struct cg_apart *p, assay_error *err);

/* ---- invocations of Xdebug text (read_blocks.c) ---- */

/* Makes r->blocks when the options need it: totals of functions, trees, proxies. */
int cg_blocks_new(struct cg_reader *r, assay_error *err);
void cg_blocks_free(struct cg_reader *r);
/* The first cost of a block: the one before is finished. */
int cg_blocks_begin(struct cg_reader *r, uint32_t func, assay_error *err);
/* A run ends: what nobody has claimed is a root. */
int cg_blocks_end(struct cg_reader *r, assay_error *err);
/* The same at the end of the file. */
int cg_blocks_build(struct cg_reader *r, assay_error *err);
/* Whether every run told which invocations are inside others; calls that are booked otherwise, through proxies, do not. */
bool cg_blocks_know_nesting(const struct cg_reader *r);

#endif

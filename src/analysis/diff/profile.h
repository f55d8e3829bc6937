/* Internal to assay_profile_diff_new: the table that two profiles are laid side by side in, and the three ways to fill it. */
#ifndef ANALYSIS_DIFF_PROFILE_H
#define ANALYSIS_DIFF_PROFILE_H

#include "analysis/core/metric_columns.h"
#include "analysis/core/value.h"
#include "assay/diff.h"
#include "base/arena.h"
#include "base/index.h"
#include "base/intern.h"
#include "base/vec.h"

enum { BEFORE, AFTER, SIDES };
enum { SELF, TOTAL, KINDS };

struct diff {
    assay_profile_diff pub; /* first: the caller's pointer is ours */
    struct mem mem;
    struct arena text;
    VEC(assay_diff_metric) metrics;
    VEC(assay_diff_func) funcs;
    VEC(assay_diff_context) contexts; /* entry 0 is none */
    struct intern context_names;
    assay_value *value[SIDES][KINDS];
    size_t rows; /* that the values have room for */
    size_t shown[METRIC_COLUMNS_MOST], shown_count;
    size_t first_formula; /* metrics from here on are formulas */
};

/* What makes two rows one. */
struct diff_key {
    uint32_t name, file, module, line, column;
};

/* The metrics of one side, and which of the result each is. */
struct diff_side {
    const assay_profile *profile; /* that has them */
    const assay_metric_id *metrics;
    uint32_t count;
    uint32_t *column;
    double *scale; /* to the unit of the second profile; 1 = it is the same */
};

struct differ {
    struct diff *out;
    const struct assay_profile_diff_options *options;
    const assay_profile *p[SIDES];
    struct diff_side side[SIDES];
    struct intern names;
    struct arena scratch;
    uint32_t *files[SIDES], *modules[SIDES]; /* numbers of their paths by id; 0 has that of "" */
    VEC(struct diff_key) keys;               /* by row */
    struct index index;
    struct sums *sums[SIDES][KINDS]; /* by metric; only those that are kept last */
    size_t metric_count;             /* of these */
    uint8_t *differs;                /* by row: in a metric that is not kept */
    uint64_t *calls[SIDES];
    uint8_t *seen; /* bit for each side */
    size_t room;
    struct metric_columns columns; /* what was asked for, */
    int named;                     /* in metrics of this side */
    assay_error *err;
};

/* ---- paths ---- */

/* Fills d->files and d->modules; paths of the first profile that are those of the second in another folder have its numbers. Errors: MEMORY;
 * diff_free_paths is due in either case. */
int diff_match_paths(struct differ *d);
void diff_free_paths(struct differ *d);

/* ---- what is shown ---- */

/* Chooses among the metrics that were taken; formulas become metrics. Errors: MEMORY, USAGE, UNSUPPORTED. */
int diff_choose_columns(struct differ *d);
/* The formulas of each row, once all metrics are there. */
void diff_compute_columns(struct differ *d);

/* ---- the table ---- */

/* Takes the metrics of both sides, as d->side names them; afterwards d->out->metrics is known. Errors: MEMORY. */
int diff_take_metrics(struct differ *d);
/* Makes the tables for at most `rows` rows. Errors: MEMORY. */
int diff_make_tables(struct differ *d, size_t rows);
/* Whether the result has the metric; of others the sums are made by diff_begin_metric, and given up by diff_end_metric, which sees what differs. */
bool diff_keeps(const struct differ *d, size_t k);
int diff_begin_metric(struct differ *d, size_t k);
void diff_end_metric(struct differ *d, size_t k);
/* The row of a key, made when it is new; UINT32_MAX = no memory. */
uint32_t diff_row(struct differ *d, const struct diff_key *key);
/* The number of a text; "" has one too. 0 = no memory. */
uint32_t diff_name(struct differ *d, assay_slice s);
/* Whether the row still needs its names: what the second profile calls it stands. Makes d->out->funcs long enough. NULL = it has them, or no memory
 * (*failed). */
assay_diff_func *diff_unnamed(struct differ *d, uint32_t row, bool *failed);
/* A copy of a string of the profile that lasts as long as the result; "" for none. */
const char *diff_copy(struct differ *d, const assay_profile *p, uint32_t string);
void diff_add_calls(struct differ *d, int side, uint32_t row, uint64_t calls);
/* Adds a value of metric number k of the side. */
void diff_add(struct differ *d, int side, uint32_t row, int kind, uint32_t k, assay_value v);

/* ---- the ways to fill it: metrics, tables, rows. Errors: MEMORY, UNSUPPORTED (nothing of the kind was measured), those of stored values ---- */

int diff_by_function(struct differ *d);
int diff_by_line(struct differ *d);
int diff_by_context(struct differ *d);

#endif

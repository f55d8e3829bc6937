/* What a webgrind file is going to hold: the profile's functions and calls under webgrind's idea of identity, figures brought to 32 bits,
 * and a tally of what does not fit. All versions are written from it. */
#ifndef FORMATS_WEBGRIND_PLAN_H
#define FORMATS_WEBGRIND_PLAN_H

#include "analysis/core/units.h"
#include "base/index.h"
#include "base/vec.h"
#include "formats/format.h"
#include "formats/webgrind/encode.h"

/* What webgrind's own options ask for. */
struct webgrind_options {
    bool wrap; /* figures that are too large keep their low bits */
};
static inline bool webgrind_wraps(const struct write_job *job)
{
    const struct webgrind_options *own = job->own;
    return own && own->wrap;
}

/* A sum of values before it is rounded. */
union webgrind_sum {
    assay_wide wide;
    double real;
};

struct webgrind_plan_function {
    uint32_t func; /* id in the profile: the first of those that make up this record */
    bool has_line;
    uint32_t line;
    uint64_t incoming, entered, stated;
    bool is_stated;
    union webgrind_sum self;
    assay_slice file, name;
};

struct webgrind_plan_call {
    uint32_t caller, callee, line; /* records */
    uint64_t calls;
    union webgrind_sum total;
};

struct webgrind_plan {
    const assay_profile *p;
    const struct write_job *job;
    const struct webgrind_layout *layout;
    struct mem *mem;
    bool by_name;       /* Xdebug: a function is its name */
    bool keeps_numbers; /* from webgrind: every function, in the order of its id */
    bool keeps_headers; /* the attributes are the header lines */

    assay_metric_id metric; /* 0 = the profile has no figures */
    bool is_real;
    bool is_time;          /* written as the event Time, whose unit is the microsecond */
    double scale;          /* to that unit; else 1 */
    char unit[UNITS_TEXT]; /* that the name of the event must tell besides; "" = none */

    uint32_t *record_of; /* by function id: record + 1 */
    struct index names;
    VEC(struct webgrind_plan_function) functions;
    struct index places;
    VEC(struct webgrind_plan_call) calls;

    /* what could not be written as it is */
    uint64_t too_large, negative, fractions, names_changed;
    assay_slice first_too_large;
};

/* Looks at the options. Errors: USAGE (no such metric), MEMORY. webgrind_plan_done in every case. */
int webgrind_plan_init(struct webgrind_plan *plan, const assay_profile *p, const struct write_job *job, assay_error *err);
void webgrind_plan_done(struct webgrind_plan *plan);
/* The record of a function, made when it is new. Errors: MEMORY. */
int webgrind_plan_record(struct webgrind_plan *plan, uint32_t func, uint32_t *out, assay_error *err);
/* Fills functions and calls from the graph. */
int webgrind_plan_graph(struct webgrind_plan *plan, assay_error *err);

/* Whole numbers of at least 0, counting what was lost. */
assay_wide webgrind_plan_whole(struct webgrind_plan *plan, union webgrind_sum sum);
/* 32 bits: saturated, or with --wrap the low ones. `record` is named when it is the first that does not fit. */
uint32_t webgrind_plan_u32(struct webgrind_plan *plan, assay_wide v, uint32_t record);
union webgrind_sum webgrind_sum_add(union webgrind_sum sum, assay_value v, uint8_t type);

/* The name of the metric that is written. Borrowed from the profile. */
assay_slice webgrind_plan_metric(const struct webgrind_plan *plan);

/* Names what will be lost. */
void webgrind_plan_losses(struct webgrind_plan *plan);
/* The header lines. */
void webgrind_plan_headers(const struct webgrind_plan *plan, struct output *out);

/* The first addresses and the header; `end_len` = bytes between the last function and the headers. Errors: LIMIT beyond 4 GiB. */
int webgrind_plan_sizes(const struct webgrind_plan *plan, const struct webgrind_function *f, uint64_t end_len, struct webgrind_head *head, assay_error *err);
void webgrind_plan_start(const struct webgrind_plan *plan, const struct webgrind_function *f, const struct webgrind_head *head, struct output *out);

/* write_v4.c */
int webgrind_write_v4(struct webgrind_plan *plan, struct output *out, assay_error *err);

#endif

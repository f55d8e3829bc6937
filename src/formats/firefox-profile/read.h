/* What the parts of the reader share. */
#ifndef FORMATS_FIREFOX_PROFILE_READ_H
#define FORMATS_FIREFOX_PROFILE_READ_H

#include "base/kids.h"
#include "formats/firefox-profile/collect.h"

struct firefox_reader;

/* What the rows of one set of tables are called. */
struct firefox_naming {
    struct firefox_reader *r;
    const struct firefox_tables *t, *strings, *libs;
    uint32_t at;              /* number of the tables */
    assay_func_id *funcs;     /* by row of funcTable */
    assay_file_id *files;     /* the same */
    assay_module_id *modules; /* by row of resourceTable */
    int32_t *lib_of;          /* the same */
};

/* Of one set of tables: what its rows became. */
struct firefox_made {
    VEC(assay_node_id) nodes;  /* by row of stackTable; 0 = no sample has it */
    VEC(assay_node_id) leaves; /* the line below it that a leaf is on, once it was needed */
};

struct firefox_reader {
    assay_builder *b;
    struct firefox *f;
    struct mem *mem;
    assay_error *err;
    assay_metric_id metric[FIREFOX_METRICS];
    assay_scope_id scope[FIREFOX_METRICS];
    unsigned place[FIREFOX_METRICS]; /* of the metric among those of events */
    struct firefox_made *made;       /* by tables */
    assay_stream_id *streams;        /* by thread; 0 = it is left out */
    struct kids paths;               /* of functions, where counts are wanted */
    uint32_t functions;
    bool has_sums; /* instead of a tree */
};

/* ---- names.c ---- */

/* Errors: memory. firefox_naming_done is due in either case. */
int firefox_naming_init(struct firefox_naming *g, struct firefox_reader *r, uint32_t at);
void firefox_naming_done(struct firefox_naming *g);
/* The function of a row of funcTable. */
assay_func_id firefox_function(struct firefox_naming *g, uint32_t row);
static inline uint32_t firefox_positive(int32_t v) { return v > 0 ? (uint32_t)v : 0; }

/* ---- sums.c ---- */

/* Whether self and total of functions will do, and can be had without a tree: they are sums of whole numbers. */
bool firefox_sums_will_do(const struct firefox_reader *r);
/* Self and total of each function of each thread. */
int firefox_build_sums(struct firefox_reader *r);

/* ---- contexts.c ---- */

/* Contexts of all stacks that samples have. */
int firefox_build_contexts(struct firefox_reader *r);
/* The node that samples with this row belong to. */
assay_node_id firefox_leaf(struct firefox_reader *r, uint32_t tables, uint32_t row);

/* ---- times.c ---- */

/* Samples with their times, markers and counters. */
int firefox_build_times(struct firefox_reader *r);
int firefox_build_markers(struct firefox_reader *r);
int firefox_build_counters(struct firefox_reader *r);

static inline int64_t firefox_ns(double ms) { return ms >= 9.2e12 ? INT64_MAX : ms <= -9.2e12 ? INT64_MIN : (int64_t)(ms * 1e6 + (ms < 0 ? -0.5 : 0.5)); }
static inline bool firefox_is_sound(const struct firefox *f, const struct firefox_thread *t)
{
    return firefox_tables_of(f, t)->is_sound && t->samples[0].is_sound;
}
static inline assay_str_id firefox_string(const struct firefox_reader *r, uint32_t name)
{
    assay_slice text = intern_get(&r->f->names, name);
    return assay_build_string(r->b, text.data ? text.data : "", text.len);
}

#endif

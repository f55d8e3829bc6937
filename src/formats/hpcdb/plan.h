/* What a database will hold, decided before the first byte is written: contexts with their numbers, metrics with their ids, streams that
 * become profiles. Made once from a sealed profile, then read only. Nothing in it depends on the order in which the input was read, but for
 * streams and metrics, whose order is kept. */
#ifndef FORMATS_HPCDB_PLAN_H
#define FORMATS_HPCDB_PLAN_H

#include "base/arena.h"
#include "formats/format.h"
#include "model/share.h"

/* Columns of the model that no row fills are NULL. */
#define ID_AT(column, i) ((column) ? (column)[i].v : 0u)
#define NUMBER_AT(column, i) ((column) ? (column)[i] : 0u)

/* A kind of scope, as meta.db lists it. */
struct hpcdb_plan_scope {
    uint8_t kind; /* enum assay_scope_kind */
    uint8_t type, index;
    assay_slice name;
};
/* A metric seen in one scope: values of threads. */
struct hpcdb_plan_column {
    uint32_t scope; /* number */
    uint16_t id;
};
/* A statistic over the threads: values of the summary. */
enum plan_partial { PARTIAL_COUNT, PARTIAL_SUM, PARTIAL_SQUARES, PARTIAL_MIN, PARTIAL_MAX, PARTIALS };
struct hpcdb_plan_stat {
    uint32_t scope;
    uint16_t id;
    uint16_t column;           /* id of the values it is made of; not for what is stored */
    enum plan_partial partial; /* how it is made */
    uint8_t combine;
    assay_slice formula;
};
struct hpcdb_plan_metric {
    uint32_t metric;  /* of the model */
    assay_slice name; /* with its unit */
    uint32_t show;    /* of measurements; 1 = as usual */
    uint32_t first_column, column_count, first_stat, stat_count;
};

enum plan_bits { PLAN_LEXICAL = 1, PLAN_LOOP = 2, PLAN_HIDDEN = 4, PLAN_ENTRY = 8 };
enum plan_show { SHOW_HIDDEN = 0, SHOW_USUAL = 1, SHOW_INCLUSIVE = 2, SHOW_EXCLUSIVE = 3, SHOW_INVISIBLE = 4 };

/* Over the streams: what mean and deviation are made of; minimum and maximum. */
enum hpcdb_statistic { HPCDB_STATISTIC_NORMAL = 1, HPCDB_STATISTIC_EXTREMA = 2 };

/* What hpcdb's own options ask for. */
struct hpcdb_options {
    const char *title;   /* NULL = as the input says */
    unsigned statistics; /* the number of the word in the table; see hpcdb_statistics */
    bool compat, copy_sources;
};
extern const struct option_spec hpcdb_writing[];
/* enum hpcdb_statistic: in addition to the sum, where the input has none. */
uint32_t hpcdb_statistics(const struct hpcdb_options *options);

struct hpcdb_plan {
    const assay_profile *p;
    const struct write_job *job;
    const struct hpcdb_options *own; /* never NULL */
    struct mem *mem;
    struct arena arena; /* all tables below */
    /* The values are written as they are stored. Otherwise there are only costs of places, and the four scopes and the sum are made of them. */
    bool is_stored;
    bool is_hpcdb;
    bool has_copies; /* bit 0 of a file's flags: a copy in the folder src of a database */

    /* Contexts by number; 0 = the whole. Parents come before their children. */
    uint32_t ctx_count;
    uint32_t *ctx_of; /* by node of the model */
    uint32_t *node;   /* 0 = the whole, or an entry made for what has none */
    uint32_t *parent;
    uint32_t *shown; /* the nearest context upwards, itself included, that meta.db lists */
    uint8_t *bits;

    struct hpcdb_plan_scope *scopes;
    uint32_t scope_count;
    struct hpcdb_plan_metric *metrics;
    uint32_t metric_count;
    struct hpcdb_plan_column *columns;
    struct hpcdb_plan_stat *stats;
    uint32_t column_count, stat_count;
    uint32_t *metric_of; /* by metric of the model: number + 1, 0 = not written */
    uint16_t *column_id; /* by scope of the model; UINT16_MAX = not written */
    uint16_t *stat_id;   /* by statistic of the model */

    assay_stream_id *streams; /* profile i + 1 */
    uint32_t stream_count;

    /* Of a team each rank plans the same, but what rank 0 alone writes: names and contexts as meta.db has them, and id tuples. Then profiles own_first + 1 ..
     * own_first + own_count are written here; `streams` begins with those, and rank 0 has all of them in it. */
    const struct share *share; /* NULL = one process writes all */
    uint32_t own_first, own_count;
};

static inline const struct team *hpcdb_plan_team(const struct hpcdb_plan *plan) { return plan->share ? plan->share->team : NULL; }
/* Whether what is written once is written here. */
static inline bool hpcdb_plan_is_first(const struct hpcdb_plan *plan) { return team_rank(hpcdb_plan_team(plan)) == 0; }

#define PLAN_NO_ID UINT16_MAX

/* Errors: UNSUPPORTED (no tree, more than the format can count), MEMORY. plan_done must be called also after an error. */
int hpcdb_plan_init(struct hpcdb_plan *plan, const assay_profile *p, const struct write_job *job, assay_error *err);
/* Whether the summary over the streams is taken as it is stored. */
bool hpcdb_plan_has_summary(const struct hpcdb_plan *plan);
void hpcdb_plan_done(struct hpcdb_plan *plan);
/* Then the contexts: plan_tree.c. In a team rank 0 plans them for all. */
int hpcdb_plan_tree(struct hpcdb_plan *plan, assay_error *err);

/* Zeroed memory that lasts as long as the plan; NULL = no memory. */
void *hpcdb_plan_table(struct hpcdb_plan *plan, size_t count, size_t size);
/* An attribute of the whole profile or of a stream; {NULL, 0} = there is none. */
assay_slice hpcdb_plan_attribute(const struct hpcdb_plan *plan, assay_stream_id stream, const char *key);
/* The name of a metric as it is written; of one that is not in the plan that of the model. */
assay_slice hpcdb_plan_metric_name(const struct hpcdb_plan *plan, uint32_t metric);
/* What measurements say of a metric beside its values ("show", "format"); {NULL, 0} = nothing. */
assay_slice hpcdb_plan_metric_fact(const struct hpcdb_plan *plan, uint32_t metric, const char *fact);
uint32_t hpcdb_plan_show(const struct hpcdb_plan *plan, uint32_t metric);
/* Has a metric with this show code the scope? */
bool hpcdb_shows_scope(uint32_t show, uint8_t kind);
/* Stands for a function that nobody knows. */
bool hpcdb_plan_is_unknown(const struct hpcdb_plan *plan, uint32_t func);
static inline bool hpcdb_plan_is_hidden(const struct hpcdb_plan *plan, uint32_t ctx) { return (plan->bits[ctx] & PLAN_HIDDEN) != 0; }

#endif

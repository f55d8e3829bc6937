/* Internal to the views: where rows come from. The engine (views.c) chooses which rows are shown; a source makes the first rows, opens rows, and knows what
 * they cost. */
#ifndef ANALYSIS_VIEWS_SOURCE_H
#define ANALYSIS_VIEWS_SOURCE_H

#include "analysis/core/contexts.h"
#include "analysis/core/node_costs.h"
#include "analysis/views/views.h"

/* What a member adds to the total of its row. */
enum view_counts {
    VIEW_IN_TOTAL = 1,  /* its total: no other member is above it */
    VIEW_IN_FILE = 2,   /* the same for the row of the file */
    VIEW_IN_MODULE = 4, /* and of the module */
    VIEW_SELF_ONLY = 8  /* its self: the calls from it are rows of their own */
};

/* One node of a row (graph: one entry of the table that the kind of row is made of). */
struct view_member {
    uint32_t node;
    uint32_t at; /* bottom-up: the function node that the row shows, above `node` */
    uint8_t counts;
};

/* What makes siblings one row. */
struct view_key {
    uint32_t node; /* itself, where equal siblings stay apart */
    uint8_t kind;
    uint32_t func, file, line, module;
    uint64_t offset;
    uint32_t site_file, site_line;
    uint64_t site_offset;
};

struct view_found {
    struct view_key key;
    struct view_member member;
};

struct view_figures {
    assay_value self, total;
};

/* What else is known of a member. */
struct view_note {
    uint64_t number; /* in the file */
    uint64_t calls;
    bool has_self;
};

/* Sums of one row: 0 = self, 1 = total. */
struct view_sums {
    assay_value at[2];
    double error[2];
    struct sums sums;
};

static inline void view_sums_init(struct view_sums *s, enum assay_type type)
{
    *s = (struct view_sums){ .sums = { .len = 2, .type = type } };
    s->sums.at = s->at;
    s->sums.error = type == ASSAY_F64 ? s->error : NULL;
}

static inline struct view_figures view_sums_end(const struct view_sums *s) { return (struct view_figures){ sums_value(&s->sums, 0), sums_value(&s->sums, 1) }; }

struct view_source {
    int (*open)(struct view *v, assay_error *err);                 /* the first rows */
    int (*expand)(struct view *v, uint32_t row, assay_error *err); /* the rows below a row */
    int (*load)(struct view *v, assay_metric_id metric, assay_error *err);
    struct view_figures (*figures)(const struct view *v, const struct view_row *row);
    struct view_note (*note)(const struct view *v, const struct view_member *m);

    VEC(struct view_member) members;
    VEC(struct view_found) found; /* while a row is opened */

    /* trees */
    struct contexts tree;
    struct node_costs costs;
    uint32_t *begin_of; /* by rank of a function: its first member; of a tree borrowed from its contexts */
    uint32_t ranks;
    uint8_t *marks;          /* by node: enum view_counts */
    uint32_t *enter, *leave; /* by node: numbers of a walk; what is between those of a node is below it */

    /* flat: functions in the order of module, file, function (rank = place + 1), and by function its group (module and file, from 1) */
    uint32_t *func_order, *group_of;
    uint32_t func_count, group_count;

    /* graphs */
    assay_top *top;
    uint32_t k;                            /* of the metric that is loaded, in the graph */
    uint32_t *row_of;                      /* by function: row of `top` + 1 */
    uint32_t *cost_order, *arc_order;      /* those of a function together: by the caller in flat views, by the callee in bottom-up ones */
    uint32_t *cost_begin, *arc_begin;      /* by function */
    struct sums group_total, module_total; /* by group, by module + 1 */
    bool has_group_totals;                 /* these are of the tree, not an upper bound */
};

extern const struct view_source view_top_down, view_bottom_up, view_flat, view_graph_bottom_up, view_graph_flat;

/* Adds a row below `parent`; what is too small is counted and forgotten. `row` needs what makes it, members included. Errors: MEMORY. */
int view_add_row(struct view *v, uint32_t parent, struct view_row row, assay_error *err);

/* Frees the source. */
void view_close_source(struct view *v);

/* Trees: frames, lists of children, costs of the metric asked for. */
int view_open_tree(struct view *v, assay_error *err);
int view_load_tree(struct view *v, assay_metric_id metric, assay_error *err);
struct view_figures view_figures_of_nodes(const struct view *v, const struct view_row *row);
struct view_note view_note_of_node(const struct view *v, const struct view_member *m);

/* What stands below the members of `row` in detail `detail`, as `found`. */
int view_gather(struct view *v, const struct view_row *row, enum view_detail detail, assay_error *err);
/* The place of the call that reaches a function node. */
void view_site(const struct view *v, uint32_t node, struct view_key *key);
/* Members of `found` become rows below `parent`, one for each key; they are laid down after all others, or from `at` on, where there must be room. `settle` (may be
 * NULL) decides about the counts of the members of a row first. */
typedef void view_settle_fn(struct view *v, struct view_member *m, size_t count);
int view_group(struct view *v, uint32_t parent, view_settle_fn *settle, assay_error *err);
int view_group_at(struct view *v, uint32_t parent, size_t at, view_settle_fn *settle, assay_error *err);
/* Calls of the members of a row; they stay at the largest value. */
uint64_t view_calls(const struct view *v, const struct view_row *row);
int view_find(struct view *v, const struct view_key *key, struct view_member member, assay_error *err);

/* Function nodes by function, each with VIEW_IN_TOTAL where no other of its function is above, as `members`; begin[rank] .. begin[rank + 1] are those of the
 * function of rank `rank` (rank_of by function id, 0 = leave out), where begin is begin_of of the source. */
int view_instances(struct view *v, const uint32_t *rank_of, uint32_t ranks, assay_error *err);
/* Whether a view begins with this function. */
bool view_is_wanted(const struct view *v, uint32_t func);
/* USAGE when a name was given that no function has. */
int view_check_function(const struct view *v, assay_error *err);
/* A row of kind FUNCTION for a function. */
struct view_row view_function_row(const struct view *v, uint32_t func);
/* Flat views: rows of all modules (a profile without any begins with its files, or functions); of the files of a module; of the functions of a file. Need func_order and begin_of. */
int view_add_modules(struct view *v, assay_error *err);
int view_add_files(struct view *v, uint32_t row, assay_error *err);
int view_add_functions(struct view *v, uint32_t row, assay_error *err);
/* Functions that are wanted, by module, file and id, with their groups; for flat views. `has_row` says which functions there are. */
int view_sort_functions(struct view *v, const uint8_t *has_row, assay_error *err);

#endif

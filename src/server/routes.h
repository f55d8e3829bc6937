/* The routes: README.md says what each answers. */
#ifndef SERVER_ROUTES_H
#define SERVER_ROUTES_H

#include "assay/diff.h"
#include "assay/paths.h"
#include "server/server.h"

struct route {
    const char *name;
    int (*run)(struct request *r, assay_error *err);
    bool is_post; /* changes something */
};

/* NULL = there is none. */
const struct route *route_find(const char *name);

int route_session(struct request *r, assay_error *err);
int route_rescan(struct request *r, assay_error *err);
int route_reload(struct request *r, assay_error *err);
int route_open(struct request *r, assay_error *err);
int route_overview(struct request *r, assay_error *err);
int route_table(struct request *r, assay_error *err);
int route_tree(struct request *r, assay_error *err);
int route_flame(struct request *r, assay_error *err);
int route_report(struct request *r, assay_error *err);
int route_callers(struct request *r, assay_error *err);
int route_coverage_diff(struct request *r, assay_error *err);
int route_problems(struct request *r, assay_error *err);
int route_bytes(struct request *r, assay_error *err);
int route_sources(struct request *r, assay_error *err);
int route_source(struct request *r, assay_error *err);
int route_diff(struct request *r, assay_error *err);
int route_coverage(struct request *r, assay_error *err);
int route_timeline(struct request *r, assay_error *err);
int route_stack(struct request *r, assay_error *err);
int route_search(struct request *r, assay_error *err);
int route_streams(struct request *r, assay_error *err);
int route_graph(struct request *r, assay_error *err);
int route_context(struct request *r, assay_error *err);
int route_convert(struct request *r, assay_error *err);
int route_change(struct request *r, assay_error *err);
int route_history(struct request *r, assay_error *err);

/* ---- what they share ---- */

/* Members that every header of columns has: metric, metrics, whole, filtered,
 * estimated, damaged. `columns` may have none; `key` is the one shown. */
void header_metrics(struct sheet *c, const assay_profile *p, const assay_column *columns, uint32_t count, uint32_t key, bool is_estimated);
/* Runs a verb of reports over what the state names, as JSON, and answers {"report","command"}; `changes` may be NULL. */
int answer_report(struct request *r, const char *verb, const assay_changes *changes, const char *more, assay_error *err);
/* Ends an answer in columns. */
int answer_sheet(struct request *r, struct sheet *c, assay_error *err);

/* Rows whose name (or file) a text is in, or a regular expression between
 * slashes matches. */
struct matcher;
/* `text` NULL = all. Errors: USAGE, MEMORY. */
int matcher_new(struct matcher **out, struct request *r, const char *text, bool is_not, assay_error *err);
bool matcher_fits(struct matcher *m, assay_slice name, assay_slice file);
void matcher_free(struct matcher *m);

/* The window of rows that a request asks for. */
struct window {
    uint64_t from, count;
};
/* Takes "from" and "count". */
int window_take(struct request *r, struct window *w, assay_error *err);
/* Cuts it to `rows`. */
void window_cut(struct window *w, uint64_t rows);

/* A flame chart of the first stream that the state leaves. */
int flame_over_time(struct request *r, uint32_t columns, assay_error *err);
/* The timeline of the state, measured over its window; `arg` is handed to `use`, which has it for itself. */
struct timeline;
int timeline_use(struct request *r, int (*use)(struct request *r, struct timeline *t, void *arg, assay_error *err), void *arg, assay_error *err);
/* The rows of a flame graph by the metric of the state: view 0 = top-down, 1 =
 * bottom-up. Held until the request ends; is_estimated may be NULL. */
int flame_paths(struct request *r, unsigned view, const assay_paths **out, bool *is_estimated, assay_error *err);
/* The table of functions, with all metrics; held until the request ends. */
int table_functions(struct request *r, const assay_table **out, assay_error *err);
/* The difference of the two inputs: by 0 = function, 1 = line, 2 = context.
 * Held until the request ends. */
int diff_get(struct request *r, unsigned by, bool normalise, const assay_profile_diff **out, assay_error *err);
/* table by stream. */
int table_streams(struct request *r, const struct window *w, const char *match, bool is_not, assay_error *err);

#endif

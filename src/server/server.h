/* The viewer: what it looks at, what it keeps, and one request. Routes
 * (routes.h) are functions of a request, whoever asks: the HTTP server (http.c)
 * or the exported page (export.c). */
#ifndef SERVER_SERVER_H
#define SERVER_SERVER_H

#include <stdatomic.h>

#include "assay/view.h"
#include "base/output.h"
#include "server/cache.h"
#include "server/inputs.h"
#include "server/params.h"
#include "server/sheet.h"

enum {
    SERVER_BOXES = 5000,              /* in a flame graph */
    SERVER_ROWS = 1000,               /* in a window of a table */
    SERVER_ALL = 200000,              /* rows where all are asked for */
    SERVER_UPLOAD = 64 * 1024 * 1024, /* bytes of a file that is dropped on the page */
    SERVER_MERGED = 16                /* inputs taken together */
};

struct server {
    struct mem mem;
    struct arena text;
    struct inputs inputs;
    struct cache cache;
    struct assay_read_options read; /* how inputs are read; its filter is `paths` */
    struct assay_filter paths;      /* what is said of paths: maps, roots, files to keep */
    struct assay_filter begin;      /* filters of cost that the page begins with */
    const char *metric;             /* that it begins with; NULL = the file's own */
    double least;                   /* percent */
    bool compares;                  /* input 2 with input 1 */
    bool is_exported, no_sources, no_paths;
    const char *token;    /* of the address; NULL = a new one */
    const char *left_out; /* of the exported page; NULL = nothing */
    _Atomic bool is_stopping;
    _Atomic unsigned under_way; /* requests of clients */
    _Atomic uint64_t answered;  /* how many there were */
};

/* What every route understands. */
struct state {
    uint32_t a[SERVER_MERGED], a_count, b, coverage;
    const char *metric;
    struct assay_filter filter; /* of cost; what is said of paths was applied when
                                 the input was read */
    const char *key;            /* of the filter, as text: equal texts, equal filters */
    double least;               /* share, 0 to 1 */
    unsigned recursion;         /* enum assay_recursion */
};

struct request {
    struct server *server;
    const char *route; /* without "/api/" */
    struct params params;
    const void *body;
    size_t body_len;
    struct mem mem;
    struct arena text;
    struct state state;
    VEC(struct cached *) held; /* released when the request ends */
    const char *type;          /* of the answer */
    struct output *out;
};

/* Answers a request: `query` is what follows the question mark. What comes back
 * is in r->out, in memory, of type r->type, errors included; returns the status
 * of HTTP. request_done is due. */
unsigned server_answer(struct request *r, struct server *s, const char *route, const char *query, const void *body, size_t body_len);
void request_done(struct request *r);

/* Takes the parameters of the state. Errors: USAGE, MEMORY. */
int state_take(struct request *r, assay_error *err);
/* Makes the key of the filter again, after it was changed. Errors: MEMORY. */
int state_key(struct request *r, assay_error *err);
/* The state as a query string. */
int state_begin_text(const struct server *s, struct output *out);
/* The command that prints what a route shows: "assay VERB MORE OPTIONS FILES",
 * as a member of the header. `more` may be "". */
void state_command(struct request *r, struct json *j, const char *verb, const char *more);

/* ---- what routes look at ---- */

/* What a route needs of an input, as the verb of the same question reads it. */
enum want_class {
    WANT_GRAPH, /* functions, calls, coverage, counts */
    WANT_LINES, /* the same with the cost of each place of a call graph, of which there may be many */
    WANT_TREE,  /* contexts, else the graph that they are estimated from */
    WANT_BOTH,  /* contexts and the graph */
    WANT_TIME   /* events over time */
};

/* An input as the state wants it: read, merged, filtered. Held until the
 * request ends. Errors: those of assay_read, assay_filter_apply; NOT FOUND is
 * USAGE. */
int request_profile(struct request *r, enum want_class want, assay_profile **out, assay_error *err);
/* What the filters leave of each metric, as a profile without rows. */
int request_totals(struct request *r, assay_profile **out, assay_error *err);
/* The same of input B, and of an input without filters. */
int request_other(struct request *r, enum want_class want, assay_profile **out, assay_error *err);
int request_whole(struct request *r, enum want_class want, assay_profile **out, assay_error *err);
/* The same by what has to be read (enum assay_want), as a verb says, of any
 * inputs, merged where there are several. */
int request_want(struct request *r, const uint32_t *ids, uint32_t count, uint32_t want, assay_profile **out, assay_error *err);
/* Something that is made of it, kept under `key` (of the route, without the
 * state). Held until the request ends. */
int request_cached(struct request *r, const char *key, cache_make_fn *make, void *arg, struct cached **out, assay_error *err);
/* Whether that is there, so that request_cached would not make it. */
bool request_has(struct request *r, const char *key);
/* A profile with contexts: that of the state, or estimated from its call graph, in which cycles may be one function each. */
int request_contexts(struct request *r, enum want_class want, bool cycles, assay_profile **out, bool *is_estimated, assay_error *err);
/* The same of input B; sets *is_estimated where they are. */
int request_other_contexts(struct request *r, assay_profile **out, bool *is_estimated, assay_error *err);
/* A text that lasts as long as the request; NULL = no memory. */
char *request_text(struct request *r, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif

/* The viewer: the public functions of assay/view.h. */
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "analysis/core/formula_file.h"
#include "assay/cancel.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/options.h"
#include "server/export.h"
#include "server/http.h"
#include "server/routes/calls.h"
#include "server/server.h"

#define CACHE_BYTES ((size_t)512 << 20)
enum { QUIET_STEPS = 10, WAIT_STEPS = 50 /* of 20 ms */, MANY = 50000 /* contexts whose way up takes longer than anybody likes to wait */ };

struct assay_viewer {
    struct server server;
    struct http *http;
    pthread_t reader;
    bool has_reader;
};

/* What a filter says of paths, and what it says of cost: the first holds
 * whenever an input is read, the second is where the page begins. */
static void split_filter(struct server *s, const struct assay_filter *f)
{
    if (!f) return;
    s->begin = (struct assay_filter){ .size = sizeof s->begin,
                                      .focus = f->focus,
                                      .focus_count = f->focus_count,
                                      .ignore = f->ignore,
                                      .ignore_count = f->ignore_count,
                                      .hide = f->hide,
                                      .hide_count = f->hide_count,
                                      .collapse = f->collapse,
                                      .collapse_count = f->collapse_count,
                                      .show = f->show,
                                      .show_count = f->show_count,
                                      .show_from = f->show_from,
                                      .show_from_count = f->show_from_count,
                                      .focus_self = f->focus_self,
                                      .focus_self_count = f->focus_self_count,
                                      .hide_paths = f->hide_paths,
                                      .hide_path_count = f->hide_path_count,
                                      .tag_focus = f->tag_focus,
                                      .tag_focus_count = f->tag_focus_count,
                                      .tag_ignore = f->tag_ignore,
                                      .tag_ignore_count = f->tag_ignore_count,
                                      .tag_root = f->tag_root,
                                      .tag_root_count = f->tag_root_count,
                                      .tag_leaf = f->tag_leaf,
                                      .tag_leaf_count = f->tag_leaf_count,
                                      .modules = f->modules,
                                      .module_count = f->module_count,
                                      .files = f->files,
                                      .file_count = f->file_count,
                                      .streams = f->streams,
                                      .stream_count = f->stream_count,
                                      .time = f->time };
    s->paths = *f;
    s->paths.focus_count = s->paths.ignore_count = s->paths.hide_count = s->paths.module_count = s->paths.file_count = s->paths.stream_count = 0;
    s->paths.collapse_count = s->paths.show_count = s->paths.show_from_count = s->paths.focus_self_count = s->paths.hide_path_count = 0;
    s->paths.tag_focus_count = s->paths.tag_ignore_count = s->paths.tag_root_count = s->paths.tag_leaf_count = 0;
    s->paths.time = NULL;
    s->paths.size = sizeof s->paths;
    s->read.filter = &s->paths;
}

static int init(struct server *s, const char *const *paths, size_t count, const struct assay_viewer_options *o, assay_error *err)
{
    mem_init(&s->mem, 0);
    arena_init(&s->text, &s->mem);
    if (o->read) s->read = *o->read;
    s->read.size = sizeof s->read;
    split_filter(s, s->read.filter);
    s->metric = o->metric;
    if (o->metrics) TRY(formula_file_apply(o->metrics, &s->mem, &s->text, &s->metric, err));
    s->least = o->least;
    s->compares = o->compare;
    s->no_sources = o->no_sources;
    s->no_paths = o->no_paths;
    s->token = o->token;
    TRY(inputs_init(&s->inputs, &s->mem, err));
    TRY(cache_init(&s->cache, o->max_cache ? (size_t)o->max_cache : CACHE_BYTES, err));
    for (size_t i = 0; i < count; i++) TRY(inputs_add(&s->inputs, paths[i], &s->read, err));
    if (o->compare && inputs_count(&s->inputs) < 2) FAIL(err, ASSAY_ERR_USAGE, "nothing to compare with: give two files");
    return 0;
}

int assay_viewer_new(const char *const *paths, size_t count, const struct assay_viewer_options *options, assay_viewer **out, assay_error *err)
{
    assay_error local;
    struct assay_viewer_options o;
    err = error_enter(err, &local);
    *out = NULL;
    TRY(OPTIONS_TAKE(struct assay_viewer_options, token, &o, options, err));
    if (!count) FAIL(err, ASSAY_ERR_USAGE, "there is nothing to show");
    assay_viewer *v = calloc(1, sizeof *v);
    if (!v) return error_memory(err);
    int rc = init(&v->server, paths, count, &o, err);
    if (rc == 0)
        *out = v;
    else
        assay_viewer_free(v);
    return rc;
}

static int is_stopping(void *arg) { return ((struct server *)arg)->is_stopping; }

/* Until nobody has asked anything for a moment, a second at most: the first picture comes first, and two that take much memory do not take it at once. */
static bool wait_for_quiet(const struct server *s)
{
    const struct timespec step = { .tv_nsec = 20 * 1000 * 1000 };
    uint64_t answered = s->answered;
    for (unsigned waited = 0, quiet = 0; quiet < QUIET_STEPS && waited < WAIT_STEPS && !s->is_stopping; quiet++, waited++) {
        if (nanosleep(&step, NULL) != 0 || s->under_way || s->answered != answered) quiet = 0;
        answered = s->answered;
    }
    return !s->is_stopping;
}

/* A request that nobody waits for; what goes wrong is told to whoever asks the same. */
static void ask(struct server *s, const char *route, const char *query)
{
    struct request r;
    if (!wait_for_quiet(s)) return;
    (void)server_answer(&r, s, route, query, NULL, 0);
    request_done(&r);
}

/* What takes long the first time. Of coverage: the counts, and where sources are. Of contexts: what happened when, the calls, and the way up. A call graph is read once more for its
 * sources, with the cost of each place, of which functions and calls know nothing. */
static void make_ahead(struct server *s, struct request *r)
{
    assay_error err = { 0 };
    assay_profile *p;
    const struct calls *calls;
    if (request_whole(r, WANT_GRAPH, &p, &err) != 0) return;
    bool has_tree = assay_profile_tree(p)->count, has_graph = assay_profile_shapes(p) & ASSAY_SHAPE_GRAPH;
    bool has_coverage = assay_profile_shapes(p) & ASSAY_SHAPE_COVERAGE;
    if (has_coverage) ask(s, "coverage", "");
    if (has_coverage || (has_graph && !has_tree)) ask(s, "sources", "");
    if (!has_tree || has_graph) return;
    if (assay_profile_offers(p) & ASSAY_SHAPE_TIMELINE) ask(s, "timeline", "");
    if (wait_for_quiet(s)) (void)calls_get(r, p, &calls, &err);
    if (assay_profile_tree(p)->count > MANY) ask(s, "flame", "view=bottom-up");
}

/* Reads the first input while the browser starts, and then on. */
static void *read_ahead(void *arg)
{
    struct server *s = &((assay_viewer *)arg)->server;
    struct request r;
    assay_cancel_set(is_stopping, s);
    if (server_answer(&r, s, "overview", "", NULL, 0) == 200) make_ahead(s, &r);
    request_done(&r);
    assay_cancel_set(NULL, NULL);
    return NULL;
}

int assay_viewer_listen(assay_viewer *v, uint16_t port, assay_error *err)
{
    assay_error local;
    err = error_enter(err, &local);
    if (v->http) FAIL(err, ASSAY_ERR_USAGE, "it listens already");
    TRY(http_start(&v->http, &v->server, port, err));
    v->has_reader = pthread_create(&v->reader, NULL, read_ahead, v) == 0;
    return 0;
}

const char *assay_viewer_address(const assay_viewer *v) { return http_address(v->http); }

int assay_viewer_export(assay_viewer *v, const char *path, assay_error *err)
{
    assay_error local;
    err = error_enter(err, &local);
    if (v->http) FAIL(err, ASSAY_ERR_USAGE, "it listens already");
    return cancel_end(export_page(&v->server, path, err), err);
}

void assay_viewer_free(assay_viewer *v)
{
    if (!v) return;
    v->server.is_stopping = true;
    http_stop(v->http);
    if (v->has_reader) pthread_join(v->reader, NULL);
    cache_done(&v->server.cache);
    inputs_done(&v->server.inputs);
    arena_done(&v->server.text);
    free(v);
}

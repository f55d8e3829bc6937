/* One request: its profiles, what is kept of them, and the answer. */
#include <stdarg.h>
#include <stdio.h>

#include "analysis/core/cycles_profile.h"
#include "analysis/select/select.h"
#include "base/cancel.h"
#include "base/error.h"
#include "model/profile.h"
#include "server/routes.h"
#include "server/server.h"

char *request_text(struct request *r, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    int len = vsnprintf(NULL, 0, fmt, args);
    va_end(args);
    char *to = len >= 0 ? arena_text(&r->text, (size_t)len + 1) : NULL;
    if (!to) return NULL;
    va_start(args, fmt);
    vsnprintf(to, (size_t)len + 1, fmt, args);
    va_end(args);
    return to;
}

static int hold(struct request *r, const char *key, cache_make_fn *make, void *arg, struct cached **out, assay_error *err)
{
    struct cached **slot;
    if (!key || !vec_reserve(&r->mem, &r->held, 1)) return error_memory(err);
    TRY(cache_get(&r->server->cache, key, make, arg, out, err));
    slot = vec_push(&r->mem, &r->held);
    *slot = *out;
    return 0;
}

/* ---- profiles ---- */

/* As the verbs read them; the counts of `info` come with the first. */
static const uint32_t wants[] = {
    [WANT_GRAPH] = ASSAY_WANT_SUMS | ASSAY_WANT_ARCS | ASSAY_WANT_LINES | ASSAY_WANT_COVERAGE | ASSAY_WANT_COUNTS,
    [WANT_LINES] = ASSAY_WANT_COSTS | ASSAY_WANT_ARCS | ASSAY_WANT_LINES | ASSAY_WANT_COVERAGE,
    [WANT_TREE] = ASSAY_WANT_TREE | ASSAY_WANT_SUMS | ASSAY_WANT_ARCS | ASSAY_WANT_EITHER,
    [WANT_BOTH] = ASSAY_WANT_TREE | ASSAY_WANT_GRAPH,
    [WANT_TIME] = ASSAY_WANT_TIMELINE | ASSAY_WANT_WHOLE,
};

static void release_profile(void *value) { assay_profile_release(value); }

static void keep_profile(struct cached *to, assay_profile *p)
{
    to->value = p;
    to->free = release_profile;
    to->bytes = p->mem.used;
}

#define UNFILTERED UINT32_MAX /* for what is left: all of it */

struct reading {
    struct request *request;
    struct viewed *input;
    uint32_t want;
};

static int make_read(void *arg, struct cached *to, assay_error *err)
{
    struct reading *a = arg;
    struct server *s = a->request->server;
    assay_profile *p;
    TRY(inputs_read(&s->inputs, a->input, &s->read, a->want, &p, err));
    keep_profile(to, p);
    return 0;
}

/* Whether a profile that was read for its graph is all there is: what has
 * contexts only gives them in any case. */
static bool is_tree_only(const assay_profile *p) { return assay_profile_tree(p)->count && !(assay_profile_shapes(p) & ASSAY_SHAPE_GRAPH); }

/* Coverage and lines are there, whatever else was asked for. */
static bool offers_more(const assay_profile *p) { return assay_profile_offers(p) & (ASSAY_SHAPE_GRAPH | ASSAY_SHAPE_TREE | ASSAY_SHAPE_TIMELINE); }

static int read_input(struct request *r, struct viewed *in, uint32_t want, assay_profile **out, assay_error *err)
{
    struct cached *c;
    struct reading a = { r, in, want };
    TRY(hold(r, request_text(r, "read/%u/%u/%x", in->id, in->version, want), make_read, &a, &c, err));
    *out = c->value;
    return 0;
}

/* One reading serves all questions where the format allows it, and another one those about events. *want becomes what was read. */
static int read_class(struct request *r, uint32_t id, uint32_t *want, assay_profile **out, assay_error *err)
{
    const uint32_t over_time = ASSAY_WANT_TIMELINE | ASSAY_WANT_WHOLE;
    uint32_t asked = *want;
    struct viewed *in = inputs_find(&r->server->inputs, id);
    if (!in) FAIL(err, ASSAY_ERR_USAGE, "there is no input %u", id);
    if (asked & ASSAY_WANT_LABELS) return read_input(r, in, asked, out, err);
    *want = wants[WANT_GRAPH];
    TRY(read_input(r, in, *want, out, err));
    if (!offers_more(*out)) return 0;
    bool has_times = assay_profile_offers(*out) & ASSAY_SHAPE_TIMELINE;
    if (is_tree_only(*out) ? !(asked & over_time) || !has_times : !(asked & ~*want)) return 0;
    *want = is_tree_only(*out) ? wants[WANT_GRAPH] | over_time : asked;
    TRY(read_input(r, in, *want, out, err));
    if (!assay_profile_tree(*out)->is_whole || asked & ASSAY_WANT_WHOLE) return 0;
    *want = asked;
    return read_input(r, in, asked, out, err);
}

struct deriving {
    struct request *request;
    const uint32_t *ids;
    uint32_t count;
    uint32_t want; /* of what is left of it, where it is filtered */
    assay_profile *from;
    const struct assay_filter *filter;
};

static int make_merged(void *arg, struct cached *to, assay_error *err)
{
    struct deriving *a = arg;
    struct assay_merge_options o = { .size = sizeof o, .max_memory = a->request->server->read.max_memory };
    assay_merger *m = assay_merger_new(&o, err);
    if (!m) return err->code;
    for (uint32_t i = 0; i < a->count; i++) {
        assay_profile *p = NULL;
        uint32_t want = a->want;
        int rc = read_class(a->request, a->ids[i], &want, &p, err);
        if (rc == 0) rc = assay_merger_add(m, p, err);
        if (rc != 0) {
            assay_merger_free(m);
            return rc;
        }
    }
    assay_profile *p = assay_merger_finish(m, err);
    if (!p) return err->code;
    keep_profile(to, p);
    return 0;
}

static int make_filtered(void *arg, struct cached *to, assay_error *err)
{
    struct deriving *a = arg;
    struct assay_filter f = *a->filter;
    assay_profile *p;
    f.size = sizeof f;
    f.max_memory = a->request->server->read.max_memory;
    TRY(filter_apply(a->from, &f, a->want, &p, err));
    keep_profile(to, p);
    return 0;
}

/* "1" or "1,2", each with its version. */
static const char *ids_text(struct request *r, const uint32_t *ids, uint32_t count)
{
    const char *text = "";
    for (uint32_t i = 0; i < count && text; i++) {
        const struct viewed *in = inputs_find(&r->server->inputs, ids[i]);
        text = request_text(r, "%s,%u.%u", text, ids[i], in ? in->version : 0);
    }
    return text;
}

/* `left`: what is wanted of what the filters leave, beside what any profile has. */
static int get_filtered(struct request *r, const uint32_t *ids, uint32_t count, uint32_t want, uint32_t left, assay_profile **out, assay_error *err)
{
    struct cached *c;
    const struct state *s = &r->state;
    bool is_filtered = left != UNFILTERED && *s->key;
    if (is_filtered) want = select_want(want, &s->filter);
    struct deriving a = { r, ids, count, want, NULL, &s->filter };
    const char *name = ids_text(r, ids, count);
    if (!name) return error_memory(err);
    if (count > 1) {
        TRY(hold(r, request_text(r, "merged/%s/%x", name, want), make_merged, &a, &c, err));
        *out = c->value;
    } else
        TRY(read_class(r, ids[0], &want, out, err));
    if (!is_filtered) return 0;
    a.from = *out;
    a.want = left;
    TRY(hold(r, request_text(r, "filtered/%s/%x/%x/%s", name, want, left, s->key), make_filtered, &a, &c, err));
    *out = c->value;
    return 0;
}

static int get_profile(struct request *r, const uint32_t *ids, uint32_t count, uint32_t want, bool is_filtered, assay_profile **out, assay_error *err)
{
    return get_filtered(r, ids, count, want, is_filtered ? want & ASSAY_WANT_TIMELINE : UNFILTERED, out, err);
}

int request_totals(struct request *r, assay_profile **out, assay_error *err)
{
    return get_filtered(r, r->state.a, r->state.a_count, wants[WANT_GRAPH], ASSAY_WANT_TOTALS, out, err);
}

int request_profile(struct request *r, enum want_class want, assay_profile **out, assay_error *err)
{
    return get_profile(r, r->state.a, r->state.a_count, wants[want], true, out, err);
}

int request_whole(struct request *r, enum want_class want, assay_profile **out, assay_error *err)
{
    return get_profile(r, r->state.a, r->state.a_count, wants[want], false, out, err);
}

int request_other(struct request *r, enum want_class want, assay_profile **out, assay_error *err)
{
    if (!r->state.b) FAIL(err, ASSAY_ERR_USAGE, "there is nothing to compare with: the parameter 'b' is missing");
    return get_profile(r, &r->state.b, 1, wants[want], true, out, err);
}

int request_want(struct request *r, const uint32_t *ids, uint32_t count, uint32_t want, assay_profile **out, assay_error *err)
{
    return get_profile(r, ids, count, want, true, out, err);
}

static int make_contexts(void *arg, struct cached *to, assay_error *err)
{
    struct deriving *a = arg;
    struct assay_estimate_options o = { .size = sizeof o, .metric = a->request->state.metric, .max_memory = a->request->server->read.max_memory };
    assay_profile *p;
    TRY(assay_estimate_new(a->from, &o, &p, err));
    keep_profile(to, p);
    return 0;
}

static int make_cycles(void *arg, struct cached *to, assay_error *err)
{
    struct deriving *a = arg;
    assay_profile *p;
    TRY(cycles_profile(a->from, a->request->server->read.max_memory, &p, err));
    keep_profile(to, p);
    return 0;
}

int request_contexts(struct request *r, enum want_class want, bool cycles, assay_profile **out, bool *is_estimated, assay_error *err)
{
    struct cached *c;
    struct deriving a = { .request = r };
    TRY(request_profile(r, want, out, err));
    *is_estimated = !assay_profile_tree(*out)->count && assay_profile_shapes(*out) & ASSAY_SHAPE_GRAPH;
    if (!*is_estimated) return 0;
    a.from = *out;
    if (cycles) {
        TRY(request_cached(r, "cycles", make_cycles, &a, &c, err));
        a.from = c->value;
    }
    TRY(request_cached(r, cycles ? "contexts of cycles" : "contexts", make_contexts, &a, &c, err));
    *out = c->value;
    return 0;
}

int request_other_contexts(struct request *r, assay_profile **out, bool *is_estimated, assay_error *err)
{
    struct cached *c;
    struct deriving a = { .request = r };
    TRY(request_other(r, WANT_TREE, out, err));
    if (assay_profile_tree(*out)->count || !(assay_profile_shapes(*out) & ASSAY_SHAPE_GRAPH)) return 0;
    *is_estimated = true;
    a.from = *out;
    TRY(request_cached(r, "other contexts", make_contexts, &a, &c, err));
    *out = c->value;
    return 0;
}

/* Of what is made of the profiles of the state; NULL = no memory. */
static const char *key_of(struct request *r, const char *key)
{
    const struct state *s = &r->state;
    const char *ids = ids_text(r, s->a, s->a_count), *other = ids_text(r, &s->b, 1);
    return key && ids && other ? request_text(r, "%s/%s/%s/%s/%s", key, ids, other, s->metric ? s->metric : "", s->key) : NULL;
}

bool request_has(struct request *r, const char *key)
{
    const char *whole = key_of(r, key);
    return whole && cache_has(&r->server->cache, whole);
}

int request_cached(struct request *r, const char *key, cache_make_fn *make, void *arg, struct cached **out, assay_error *err)
{
    return hold(r, key_of(r, key), make, arg, out, err);
}

/* ---- the answer ---- */

static unsigned status_of(int code)
{
    switch (code) {
    case ASSAY_ERR_USAGE: return 400;
    case ASSAY_ERR_CANCELLED: return 499;
    case ASSAY_ERR_MEMORY: return 503;
    case ASSAY_ERR_INTERNAL: return 500;
    default: return 422;
    }
}

static void put_error(struct request *r, const assay_error *err)
{
    static const char *const hints[] = { NULL, "format", "max-memory", "max-output", "estimate", "view", "function", "diff", "worktree", "max-string" };
    struct json j;
    json_init(&j, r->out);
    json_object(&j);
    json_key(&j, "assay");
    json_u64(&j, 1);
    json_key(&j, "error");
    json_object(&j);
    json_key(&j, "code");
    json_text(&j, assay_code_name(err->code));
    json_key(&j, "message");
    json_text(&j, err->text);
    if (*err->path) {
        json_key(&j, "path");
        json_text(&j, err->path);
    }
    if (err->has_offset) {
        json_key(&j, "offset");
        json_u64(&j, err->offset);
    }
    if (err->line) {
        json_key(&j, "line");
        json_u64(&j, err->line);
    }
    if (err->hint > 0 && (size_t)err->hint < sizeof hints / sizeof *hints) {
        json_key(&j, "hint");
        json_text(&j, hints[err->hint]);
    }
    json_end(&j);
    json_end(&j);
}

static int run(struct request *r, const char *query, unsigned *status, assay_error *err)
{
    const struct route *route = route_find(r->route);
    TRY(params_parse(&r->params, &r->mem, query, strlen(query), err));
    if (!route) {
        *status = 404;
        FAIL(err, ASSAY_ERR_USAGE, "there is no '/api/%.40s'", r->route);
    }
    TRY(state_take(r, err));
    return cancel_end(route->run(r, err), err);
}

unsigned server_answer(struct request *r, struct server *s, const char *route, const char *query, const void *body, size_t body_len)
{
    assay_error err = { 0 };
    unsigned status = 0;
    *r = (struct request){ .server = s, .route = route, .body = body, .body_len = body_len, .type = "application/json" };
    mem_init(&r->mem, (size_t)s->read.max_memory);
    arena_init(&r->text, &r->mem);
    r->params.mem = &r->mem;
    if (output_open_memory(&r->out, &r->mem, NULL) != 0) return 503;
    int rc = run(r, query, &status, &err);
    if (rc == 0) return 200;
    output_abort(r->out);
    if (output_open_memory(&r->out, &r->mem, NULL) != 0) return 503;
    r->type = "application/json";
    put_error(r, &err);
    return status ? status : status_of(rc);
}

void request_done(struct request *r)
{
    output_abort(r->out);
    for (size_t i = 0; i < r->held.len; i++) cache_release(&r->server->cache, r->held.at[i]);
    vec_done(&r->mem, &r->held);
    params_done(&r->params);
    arena_done(&r->text);
}

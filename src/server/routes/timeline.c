/* timeline, stack: what each stream was in over time, sampled for the pixels of
 * a screen. */
#include "analysis/timeline/timeline.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/number.h"
#include "server/routes.h"

enum { COLUMNS_MOST = 8192, LANES_MOST = 2000, SHARES_MOST = 1000, WINDOW_LONGEST = 128 };

/* A timeline that stays open: the window is measured when it is another one than before. */
struct opened {
    assay_profile *profile, *whole; /* references */
    struct mem mem;
    struct timeline timeline;
    bool is_measured;
    char window[WINDOW_LONGEST]; /* that was measured; "" = the whole */
};

struct making {
    assay_profile *profile, *whole;
};

static void free_opened(void *value)
{
    struct opened *o = value;
    timeline_done(&o->timeline);
    assay_profile_release(o->profile);
    assay_profile_release(o->whole);
    free(o);
}

static int make(void *arg, struct cached *to, assay_error *err)
{
    struct making *m = arg;
    struct opened *o = calloc(1, sizeof *o);
    if (!o) return error_memory(err);
    mem_init(&o->mem, 0);
    o->profile = assay_profile_retain(m->profile);
    o->whole = assay_profile_retain(m->whole);
    int rc = timeline_init(&o->timeline, &o->mem, o->profile, o->whole, err);
    if (rc != 0) {
        free_opened(o);
        return rc;
    }
    to->value = o;
    to->free = free_opened;
    to->bytes = o->mem.used + (1 << 20);
    return 0;
}

/* The time is the window that is drawn, not a filter: the axis is that of the
 * whole. */
static int get_timeline(struct request *r, struct cached **out, assay_error *err)
{
    struct making m;
    const char *time = r->state.filter.time;
    r->state.filter.time = NULL;
    int rc = state_key(r, err);
    if (rc == 0) rc = request_whole(r, WANT_TIME, &m.whole, err);
    if (rc == 0) rc = request_profile(r, WANT_TIME, &m.profile, err);
    if (rc == 0) rc = request_cached(r, "timeline", make, &m, out, err);
    r->state.filter.time = time;
    return rc;
}

static int measure(struct request *r, struct opened *o, assay_error *err)
{
    struct time_window window;
    const char *given = r->state.filter.time, *text = given ? given : "";
    if (given) TRY(time_window_parse(given, &window, err));
    if (o->is_measured && strcmp(text, o->window) == 0) return 0;
    o->is_measured = false;
    TRY(timeline_measure(&o->timeline, given ? &window : NULL, err));
    o->is_measured = strlen(text) < sizeof o->window;
    if (o->is_measured) strcpy(o->window, text);
    return 0;
}

int timeline_use(struct request *r, int (*use)(struct request *r, struct timeline *t, void *arg, assay_error *err), void *arg, assay_error *err)
{
    struct cached *c;
    TRY(get_timeline(r, &c, err));
    struct opened *o = c->value;
    pthread_mutex_lock(&c->use);
    int rc = measure(r, o, err);
    if (rc == 0) rc = use(r, &o->timeline, arg, err);
    pthread_mutex_unlock(&c->use);
    return rc;
}

/* ---- the picture ---- */

struct asked {
    uint32_t columns, lanes;
    bool is_chosen; /* the depth is the server's choice */
    uint32_t depth;
};

static assay_slice name_of(struct request *r, const struct timeline *t, uint32_t key)
{
    char buf[48];
    assay_slice name = timeline_name(t, key, buf);
    if (name.data != buf) return name;
    char *copy = arena_copy(&r->text, name);
    return copy ? (assay_slice){ copy, name.len } : (assay_slice){ NULL, 0 };
}

static void put_number(struct json *j, const char *key, uint64_t n)
{
    json_key(j, key);
    json_u64(j, n);
}

static void put_time(struct json *j, const char *key, int64_t time)
{
    json_key(j, key);
    json_i64(j, time);
}

static void put_header(struct request *r, struct sheet *c, const struct timeline *t, const struct timeline_picture *p, const struct timeline_shares *s)
{
    struct json *j = sheet_header(c);
    json_key(j, "unit");
    json_text(j, t->unit);
    put_time(j, "begin", t->begin);
    put_time(j, "end", t->end);
    put_time(j, "from", t->from);
    put_time(j, "to", t->to);
    put_number(j, "depth", s->depth == TIMELINE_INNERMOST ? 0 : s->depth);
    put_number(j, "deepest", t->deepest);
    put_number(j, "drawn_columns", p->columns);
    put_number(j, "lanes", p->rows);
    put_number(j, "lanes_each", p->lines_each);
    put_number(j, "streams", t->lines.len);
    put_number(j, "events", t->events);
    put_number(j, "events_inside", t->events_inside);
    json_key(j, "recorded");
    json_wide(j, s->recorded);
    json_key(j, "idle");
    json_wide(j, s->idle);
    json_key(j, "is_spans");
    json_bool(j, t->is_spans);
    json_key(j, "is_laid_out");
    json_bool(j, t->is_laid_out);
    json_key(j, "rule");
    json_text(j, "a column shows the function that took most of its time");
    put_number(j, "shares", s->rows.len);
    state_command(r, j, "timeline", s->depth == TIMELINE_INNERMOST ? "--depth 0" : request_text(r, "--depth %u", s->depth));
}

static void put_runs(struct request *r, struct sheet *c, const struct timeline *t, const struct timeline_picture *p)
{
    const struct timeline_layer *layer = &p->layers[0];
    size_t n = layer->runs.len;
    uint32_t *lane = sheet_add(c, "lane", COLUMN_U32, n), *column = sheet_add(c, "column", COLUMN_U32, n), *func = sheet_add(c, "func", COLUMN_U32, n);
    uint32_t *name = sheet_add(c, "name", COLUMN_U32, n), *node = sheet_add(c, "node", COLUMN_U32, n);
    uint8_t *quarters = sheet_add(c, "quarters", COLUMN_U8, n), *empty = sheet_add(c, "empty", COLUMN_U8, n);
    for (uint32_t row = 0; row < p->rows && !c->failed; row++)
        for (size_t i = layer->first[row]; i < layer->first[row + 1]; i++) {
            const struct timeline_run *run = &layer->runs.at[i];
            uint32_t key = run->frame ? timeline_key(t, run->frame) : 0;
            lane[i] = row;
            column[i] = run->column;
            node[i] = run->frame;
            func[i] = run->frame ? timeline_func(t, key) : 0;
            name[i] = run->frame ? sheet_name(c, name_of(r, t, key)) : 0;
            quarters[i] = run->quarters;
            empty[i] = run->is_empty;
        }
}

static void put_lanes(struct request *r, struct sheet *c, const struct timeline *t)
{
    size_t n = t->lines.len;
    uint32_t *stream = sheet_add(c, "lane_stream", COLUMN_U32, n);
    uint64_t *events = sheet_add(c, "lane_events", COLUMN_U64, n), *recorded = sheet_add(c, "lane_recorded", COLUMN_U64, n);
    uint64_t *idle = sheet_add(c, "lane_idle", COLUMN_U64, n);
    assay_slice *label = arena_alloc(&r->text, (n + 1) * sizeof *label);
    if (!label) c->failed = true;
    for (size_t i = 0; i < n && !c->failed; i++) {
        const struct timeline_line *line = &t->lines.at[i];
        stream[i] = line->stream;
        events[i] = line->events;
        recorded[i] = line->recorded;
        idle[i] = line->idle;
        label[i] = slice_of(line->label);
    }
    if (!c->failed) sheet_strings(c, "lane_label", label, n);
}

static void put_shares(struct request *r, struct sheet *c, const struct timeline *t, const struct timeline_shares *s)
{
    size_t n = s->rows.len < SHARES_MOST ? s->rows.len : SHARES_MOST;
    uint32_t *name = sheet_add(c, "share_name", COLUMN_U32, n), *func = sheet_add(c, "share_func", COLUMN_U32, n),
             *streams = sheet_add(c, "share_streams", COLUMN_U32, n);
    double *time = sheet_add(c, "share_time", COLUMN_F64, n);
    for (size_t i = 0; i < n && !c->failed; i++) {
        const struct timeline_share *share = &s->rows.at[i];
        name[i] = sheet_name(c, name_of(r, t, share->key));
        func[i] = timeline_func(t, share->key);
        streams[i] = share->lines;
        time[i] = wide_double(share->time);
    }
}

static int draw(struct request *r, struct timeline *t, void *arg, assay_error *err)
{
    const struct asked *a = arg;
    struct timeline_picture picture = { 0 };
    struct timeline_shares shares = { 0 };
    struct sheet c;
    uint32_t depth = a->depth ? a->depth : TIMELINE_INNERMOST;
    if (a->is_chosen) TRY(timeline_choose_depth(t, &depth, err));
    int rc = timeline_shares_at(t, depth, &shares, err);
    if (rc == 0) {
        rc = timeline_draw(t, a->columns, a->lanes, &depth, 1, &picture, err);
        if (rc == 0) {
            rc = sheet_begin(&c, &r->mem, "timeline", err);
            if (rc == 0) {
                put_header(r, &c, t, &picture, &shares);
                put_runs(r, &c, t, &picture);
                put_lanes(r, &c, t);
                put_shares(r, &c, t, &shares);
                rc = answer_sheet(r, &c, err);
            }
            sheet_done(&c);
        }
        timeline_picture_done(&picture);
    }
    timeline_shares_done(&shares);
    return rc;
}

int route_timeline(struct request *r, assay_error *err)
{
    struct asked a = { .columns = 1200, .lanes = 400 };
    const char *depth = NULL;
    uint64_t n = 0;
    TRY(params_u32(&r->params, "columns", &a.columns, err));
    TRY(params_u32(&r->params, "lanes", &a.lanes, err));
    if (!a.columns || a.columns > COLUMNS_MOST || !a.lanes || a.lanes > LANES_MOST) FAIL(err, ASSAY_ERR_USAGE, "too many columns or lanes, or none");
    TRY(params_text(&r->params, "depth", &depth, err));
    a.is_chosen = !depth || strcmp(depth, "choose") == 0;
    if (!a.is_chosen) TRY(params_number(&r->params, "depth", UINT32_MAX - 2, &n, err));
    a.depth = (uint32_t)n;
    TRY(params_end(&r->params, err));
    return timeline_use(r, draw, &a, err);
}

/* ---- under the cross-hair ---- */

static void put_frame(struct json *j, const struct timeline *t, uint32_t node)
{
    const assay_profile *p = t->profile;
    const struct assay_funcs *f = assay_profile_funcs(p);
    char buf[48];
    uint32_t func = timeline_func(t, timeline_key(t, node));
    json_object(j);
    json_key(j, "name");
    json_string(j, timeline_name(t, timeline_key(t, node), buf));
    json_key(j, "func");
    json_u64(j, func);
    json_key(j, "file");
    json_string(j, func && f->file && f->file[func].v ? assay_profile_string(p, assay_profile_files(p)->path[f->file[func].v]) : (assay_slice){ NULL, 0 });
    json_key(j, "line");
    json_u64(j, func && f->first_line ? f->first_line[func] : 0);
    json_key(j, "module");
    json_string(j,
                func && f->module && f->module[func].v ? assay_profile_string(p, assay_profile_modules(p)->path[f->module[func].v]) : (assay_slice){ NULL, 0 });
    json_key(j, "node");
    json_u64(j, node);
    json_end(j);
}

/* Function nodes from the outermost on. */
static int put_frames(struct request *r, struct json *j, const struct timeline *t, uint32_t node, assay_error *err)
{
    VEC(uint32_t) stack = { 0 };
    json_key(j, "frames");
    json_array(j);
    for (uint32_t at = node ? t->frames.owner[node] : 0; at;) {
        uint32_t *to = vec_push(&r->mem, &stack), above = frames_parent(&t->frames, at);
        if (!to) {
            vec_done(&r->mem, &stack);
            return error_memory(err);
        }
        *to = at;
        at = above ? t->frames.owner[above] : 0;
    }
    for (size_t i = stack.len; i > 0; i--) put_frame(j, t, stack.at[i - 1]);
    vec_done(&r->mem, &stack);
    json_end(j);
    return 0;
}

static int put_stack(struct request *r, const struct timeline *t, const struct timeline_line *line, int64_t time, assay_error *err)
{
    struct json j;
    size_t event = timeline_event_at(line, time);
    uint32_t node = line->count ? line->node[event].v : 0;
    json_init(&j, r->out);
    json_object(&j);
    json_key(&j, "assay");
    json_u64(&j, 1);
    put_number(&j, "stream", line->stream);
    json_key(&j, "label");
    json_text(&j, line->label);
    json_key(&j, "unit");
    json_text(&j, t->unit);
    put_number(&j, "event", event);
    put_number(&j, "events", line->count);
    if (line->count) put_time(&j, "from", line->time[event]);
    if (line->count) put_time(&j, "to", line->time[event + 1 < line->count ? event + 1 : event]);
    put_number(&j, "node", node);
    TRY(put_frames(r, &j, t, node, err));
    json_end(&j);
    return output_failed(r->out) ? error_memory(err) : 0;
}

int route_stack(struct request *r, assay_error *err)
{
    struct cached *c;
    uint32_t lane = 0;
    int64_t at = 0; /* nanoseconds since 1970 have more digits than a double */
    const char *text = "0";
    TRY(params_u32(&r->params, "lane", &lane, err));
    TRY(params_text(&r->params, "at", &text, err));
    if (number_i64(slice_of(text), &at) != NUMBER_OK) FAIL(err, ASSAY_ERR_USAGE, "'at' is '%.40s', not a time", text);
    TRY(params_end(&r->params, err));
    TRY(get_timeline(r, &c, err));
    const struct timeline *t = &((struct opened *)c->value)->timeline;
    if (lane >= t->lines.len) FAIL(err, ASSAY_ERR_USAGE, "there is no lane %u", lane);
    pthread_mutex_lock(&c->use);
    int rc = put_stack(r, t, &t->lines.at[lane], at, err);
    pthread_mutex_unlock(&c->use);
    return rc;
}

/* sources, source: the text of a file next to what was measured of it. */
#include <stdlib.h>
#include <sys/stat.h>

#include "analysis/results/annotate_calls.h"
#include "assay/annotate.h"
#include "base/error.h"
#include "server/routes.h"

#define AT_ONCE ((uint64_t)8 << 20) /* files up to this size are read again before anybody waits */

struct kept {
    bool is_partial;                   /* without the cost of lines */
    assay_profile *profile, *coverage; /* references */
    assay_annotate *annotate;
    struct assay_filter filter;
    struct assay_path_map *maps; /* owned, with their texts */
    size_t map_count;
};

struct making {
    struct request *request;
    bool is_partial;
    assay_profile *profile, *coverage;
    struct param_list maps;
    const char *folder;
};

static void free_kept(void *value)
{
    struct kept *k = value;
    assay_annotate_free(k->annotate);
    assay_profile_release(k->profile);
    assay_profile_release(k->coverage);
    for (size_t i = 0; i < k->map_count; i++) {
        free((void *)(uintptr_t)k->maps[i].from);
        free((void *)(uintptr_t)k->maps[i].to);
    }
    free(k->maps);
    free(k);
}

/* FROM=TO of the request, before those of the command. */
static int set_filter(struct kept *k, const struct making *m, assay_error *err)
{
    const struct assay_filter *paths = &m->request->server->paths;
    size_t count = m->maps.count + paths->map_count;
    k->filter = *paths;
    k->maps = calloc(count + 1, sizeof *k->maps);
    if (!k->maps) return error_memory(err);
    for (size_t i = 0; i < count; i++) {
        const char *text = i < m->maps.count ? m->maps.at[i] : NULL, *equals = text ? strchr(text, '=') : NULL;
        const struct assay_path_map *own = text ? NULL : &paths->maps[i - m->maps.count];
        if (text && (!equals || equals == text || !equals[1])) FAIL(err, ASSAY_ERR_USAGE, "'%.80s' is not FROM=TO", text);
        k->maps[i].from = text ? strndup(text, (size_t)(equals - text)) : strdup(own->from);
        k->maps[i].to = strdup(text ? equals + 1 : own->to);
        k->map_count = i + 1;
        if (!k->maps[i].from || !k->maps[i].to) return error_memory(err);
    }
    k->filter.maps = k->maps;
    k->filter.map_count = count;
    k->filter.size = sizeof k->filter;
    return 0;
}

static int make(void *arg, struct cached *to, assay_error *err)
{
    struct making *m = arg;
    struct kept *k = calloc(1, sizeof *k);
    if (!k) return error_memory(err);
    k->is_partial = m->is_partial;
    k->profile = assay_profile_retain(m->profile);
    k->coverage = m->coverage ? assay_profile_retain(m->coverage) : NULL;
    int rc = set_filter(k, m, err);
    struct assay_annotate_options o = {
        .size = sizeof o, .coverage = k->coverage, .filter = &k->filter, .folder = m->folder, .metric = m->request->state.metric
    };
    if (rc == 0) rc = (k->is_partial ? annotate_calls_new : assay_annotate_new)(k->profile, &o, &k->annotate, err);
    if (rc != 0) {
        free_kept(k);
        return rc;
    }
    to->value = k;
    to->free = free_kept;
    to->bytes = (size_t)assay_annotate_count(k->annotate) * 64 + (1 << 20);
    return 0;
}

/* Copies of sources may be in a directory of measurements. */
static const char *folder_of(struct request *r)
{
    struct stat st;
    const struct viewed *in = inputs_find(&r->server->inputs, r->state.a[0]);
    return in && !in->data && stat(in->path, &st) == 0 && S_ISDIR(st.st_mode) ? in->path : NULL;
}

/* Whether the cost of each place has yet to be read, which takes long, and the page has asked for what is known until then. */
static int is_to_wait_for(struct request *r, const char *key, bool *is_partial, assay_error *err)
{
    assay_profile *p;
    uint64_t size = 0;
    bool now = false;
    TRY(params_flag(&r->params, "now", &now, err));
    if (!now || request_has(r, key)) return 0;
    for (uint32_t i = 0; i < r->state.a_count; i++) {
        const struct viewed *in = inputs_find(&r->server->inputs, r->state.a[i]);
        size += in ? in->size : 0;
    }
    TRY(request_whole(r, WANT_GRAPH, &p, err));
    bool is_graph = assay_profile_shapes(p) & ASSAY_SHAPE_GRAPH && !assay_profile_tree(p)->count && !(assay_profile_shapes(p) & ASSAY_SHAPE_LINES);
    *is_partial = size > AT_ONCE && is_graph && !assay_profile_graph(p)->cost_count;
    return 0;
}

static int get_annotate(struct request *r, struct cached **out, assay_error *err)
{
    struct making m = { .request = r, .folder = folder_of(r) };
    const char *maps = "";
    TRY(params_list(&r->params, "map", &m.maps, err));
    for (size_t i = 0; i < m.maps.count && maps; i++) maps = request_text(r, "%s%zu:%s", maps, strlen(m.maps.at[i]), m.maps.at[i]);
    if (!maps) return error_memory(err);
    const char *key = request_text(r, "annotate/%u/%s", r->state.coverage, maps);
    TRY(is_to_wait_for(r, key, &m.is_partial, err));
    TRY(request_profile(r, m.is_partial ? WANT_GRAPH : WANT_LINES, &m.profile, err));
    if (r->state.coverage) TRY(request_want(r, &r->state.coverage, 1, ASSAY_WANT_COVERAGE, &m.coverage, err));
    return request_cached(r, m.is_partial ? request_text(r, "partial %s", key) : key, make, &m, out, err);
}

/* ---- sources ---- */

static int list(struct request *r, const struct kept *k, const char *match, const struct window *asked, struct sheet *c, assay_error *err)
{
    struct matcher *m;
    struct window w = *asked;
    uint32_t all = assay_annotate_count(k->annotate), count = 0;
    uint32_t *found = arena_alloc(&r->text, ((size_t)all + 1) * sizeof *found);
    if (!found) return error_memory(err);
    int rc = matcher_new(&m, r, match, false, err);
    for (uint32_t i = 0; rc == 0 && i < all; i++)
        if (matcher_fits(m, assay_annotate_path(k->annotate, i), (assay_slice){ NULL, 0 })) found[count++] = i;
    matcher_free(m);
    TRY(rc);
    window_cut(&w, count);
    struct json *j = sheet_header(c);
    json_key(j, "rows");
    json_u64(j, w.count);
    json_key(j, "from");
    json_u64(j, w.from);
    json_key(j, "matching");
    json_u64(j, count);
    json_key(j, "all");
    json_u64(j, all);
    json_key(j, "partial");
    json_bool(j, k->is_partial);
    state_command(r, j, "annotate", "");
    uint32_t *id = sheet_add(c, "id", COLUMN_U32, (size_t)w.count);
    assay_slice *path = arena_alloc(&r->text, ((size_t)w.count + 1) * sizeof *path);
    if (!id || !path) return error_memory(err);
    for (size_t i = 0; i < w.count; i++) {
        id[i] = found[w.from + i];
        path[i] = assay_annotate_path(k->annotate, id[i]);
    }
    sheet_strings(c, "path", path, (size_t)w.count);
    return answer_sheet(r, c, err);
}

int route_sources(struct request *r, assay_error *err)
{
    struct cached *c;
    struct sheet sheet;
    struct window w;
    const char *match = NULL;
    TRY(params_text(&r->params, "match", &match, err));
    TRY(window_take(r, &w, err));
    TRY(get_annotate(r, &c, err));
    TRY(params_end(&r->params, err));
    int rc = sheet_begin(&sheet, &r->mem, "sources", err);
    if (rc == 0) rc = list(r, c->value, match, &w, &sheet, err);
    sheet_done(&sheet);
    return rc;
}

/* ---- one source ---- */

static void copy_column(struct sheet *c, const char *name, enum column_type type, const void *from, size_t count, size_t size)
{
    void *to = from ? sheet_add(c, name, type, count) : NULL;
    if (to) memcpy(to, from, count * size);
}

static void put_flags(struct sheet *c, const char *name, const bool *from, size_t count)
{
    uint8_t *to = sheet_add(c, name, COLUMN_U8, count);
    for (size_t i = 0; to && from && i < count; i++) to[i] = from[i];
}

static void put_figures(struct sheet *c, const char *name, const assay_column *columns, uint32_t width, const assay_value *from, size_t rows)
{
    if (!from || !width) return;
    struct figures f = sheet_figures(c, name, columns, width, rows);
    for (size_t i = 0; i < rows; i++)
        for (uint32_t k = 0; k < width; k++) figures_put(&f, i, k, columns[k].type, from[i * width + k]);
}

static void put_callees(struct sheet *c, const assay_annotate_source *s)
{
    const assay_annotate_callees *e = &s->callees;
    uint32_t *name = sheet_add(c, "callee_name", COLUMN_U32, e->count), *func = sheet_add(c, "callee_func", COLUMN_U32, e->count);
    for (size_t i = 0; name && func && i < e->count; i++) {
        name[i] = sheet_name(c, e->name[i]);
        func[i] = e->func[i].v;
    }
    copy_column(c, "callee_begin", COLUMN_U32, s->callee_begin, (size_t)s->count + 1, sizeof(uint32_t));
    copy_column(c, "callee_calls", COLUMN_U64, e->calls, e->count, sizeof(uint64_t));
    put_figures(c, "callee_total", s->call_columns, s->call_column_count, e->total, e->count);
}

static void put_source(struct sheet *c, const assay_annotate_source *s)
{
    copy_column(c, "line", COLUMN_U32, s->line, s->count, sizeof *s->line);
    copy_column(c, "state", COLUMN_U8, s->state, s->count, sizeof *s->state);
    put_flags(c, "has_hits", s->has_hits, s->count);
    copy_column(c, "hits", COLUMN_U64, s->hits, s->count, sizeof *s->hits);
    copy_column(c, "branches", COLUMN_U32, s->branches, s->count, sizeof *s->branches);
    copy_column(c, "branches_hit", COLUMN_U32, s->branches_hit, s->count, sizeof *s->branches_hit);
    put_flags(c, "has_cost", s->has_cost, s->count);
    copy_column(c, "calls", COLUMN_U64, s->calls, s->count, sizeof *s->calls);
    put_figures(c, "self", s->columns, s->column_count, s->self, s->count);
    put_figures(c, "total", s->columns, s->column_count, s->total, s->count);
    put_figures(c, "in_calls", s->call_columns, s->call_column_count, s->in_calls, s->count);
    put_callees(c, s);
    sheet_strings(c, "text", s->text, s->count);
}

static void put_head(struct request *r, struct sheet *c, const struct kept *k, uint32_t id, const assay_annotate_source *s)
{
    struct json *j = sheet_header(c);
    header_metrics(c, s->profile, s->columns, s->column_count, s->key, false);
    json_key(j, "call_metrics");
    json_array(j);
    for (uint32_t i = 0; i < s->call_column_count; i++) json_string(j, s->call_columns[i].name);
    json_end(j);
    json_key(j, "id");
    json_u64(j, id);
    json_key(j, "rows");
    json_u64(j, s->count);
    json_key(j, "count");
    json_u64(j, assay_annotate_count(k->annotate));
    json_key(j, "partial");
    json_bool(j, k->is_partial);
    json_key(j, "path");
    json_string(j, s->path);
    json_key(j, "found");
    json_text(j, s->found);
    json_key(j, "tried");
    json_array(j);
    for (size_t i = 0; i < s->tried_count; i++) json_text(j, s->tried[i]);
    json_end(j);
    state_command(r, j, "annotate", "");
}

static int find_path(const struct kept *k, const char *path, uint32_t *id, assay_error *err)
{
    for (uint32_t i = 0; i < assay_annotate_count(k->annotate); i++)
        if (slice_is(assay_annotate_path(k->annotate, i), path)) {
            *id = i;
            return 0;
        }
    FAIL(err, ASSAY_ERR_USAGE, "nothing was measured of '%.200s'", path);
}

static int show(struct request *r, const struct kept *k, uint32_t id, const char *path, assay_error *err)
{
    const assay_annotate_source *s;
    struct sheet c;
    if (path) TRY(find_path(k, path, &id, err));
    TRY(assay_annotate_file(k->annotate, id, &s, err));
    int rc = sheet_begin(&c, &r->mem, "source", err);
    if (rc == 0) {
        put_head(r, &c, k, id, s);
        put_source(&c, s);
        rc = answer_sheet(r, &c, err);
    }
    sheet_done(&c);
    return rc;
}

int route_source(struct request *r, assay_error *err)
{
    struct cached *c;
    const char *path = NULL;
    uint32_t id = 0;
    TRY(params_text(&r->params, "path", &path, err));
    TRY(params_u32(&r->params, "id", &id, err));
    TRY(get_annotate(r, &c, err));
    TRY(params_end(&r->params, err));
    pthread_mutex_lock(&c->use); /* a source is borrowed until the next one is shown */
    int rc = show(r, c->value, id, path, err);
    pthread_mutex_unlock(&c->use);
    return rc;
}

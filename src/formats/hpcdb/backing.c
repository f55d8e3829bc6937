/* Answers of the backing; see formats/hpcdb/backing.h. Damaged blocks have no values, and what the metric ids of a profile do not name has
 * no column: the reader has warned of the former, check names the latter. */
#include "formats/hpcdb/backing.h"

#include "base/cancel.h"

static struct mem new_mem(const struct read_job *job)
{
    struct mem m;
    mem_init(&m, job->mem->limit);
    return m;
}

int hpcdb_store_new(struct hpcdb_store **out, const struct read_job *job, assay_error *err)
{
    struct mem first = new_mem(job);
    struct hpcdb_store *s = mem_zalloc(&first, 1, sizeof *s);
    *out = s;
    if (!s) return error_memory(err);
    s->mem = new_mem(job);
    atomic_init(&s->mem.used, sizeof *s);
    atomic_init(&s->mem.peak, sizeof *s);
    atomic_init(&s->mem.requests, 1);
    s->scope_of = mem_zalloc(&s->mem, HPCDB_METRIC_IDS, sizeof *s->scope_of);
    s->stat_of = s->scope_of ? mem_zalloc(&s->mem, HPCDB_METRIC_IDS, sizeof *s->stat_of) : NULL;
    if (s->stat_of) return 0;
    hpcdb_store_free(s);
    *out = NULL;
    return error_memory(err);
}

void hpcdb_store_free(void *store)
{
    struct hpcdb_store *s = store;
    if (!s) return;
    hpcdb_close(&s->inputs);
    hpcdb_ids_done(&s->nodes);
    vec_done(&s->mem, &s->prop_ids, &s->stat_ids);
    mem_free(&s->mem, s->scope_of, s->scope_of ? HPCDB_METRIC_IDS * sizeof *s->scope_of : 0);
    mem_free(&s->mem, s->stat_of, s->stat_of ? HPCDB_METRIC_IDS * sizeof *s->stat_of : 0);
    struct mem last = s->mem;
    mem_free(&last, s, sizeof *s);
}

/* The profile of a stream; false = it has no values. */
static bool profile_of(const struct hpcdb_store *s, uint32_t stream, struct hpcdb_profile *p)
{
    if (stream == 0 || stream >= s->db.profiles.count) return false;
    hpcdb_profile_at(&s->db, stream, p);
    return !(p->flags & HPCDB_IS_SUMMARY);
}

/* false = the context is no node of the model. */
static bool node_of(const struct hpcdb_store *s, uint32_t ctx, uint32_t *node)
{
    *node = ctx ? hpcdb_ids_find(&s->nodes, ctx) : 0;
    return ctx == 0 || *node;
}

static int visit(struct hpcdb_profile *p, struct hpcdb_run run, const uint16_t *columns, uint32_t node, assay_cell_fn fn, void *arg)
{
    uint64_t count;
    for (uint64_t i = run.begin; i < run.end; i += count) {
        count = run.end - i;
        const unsigned char *at = hpcdb_profile_values(p, i, &count);
        for (uint64_t k = 0; k < count; k++, at += HPCDB_VALUE_LEN) {
            assay_cell cell = { .node = node, .column = columns[bytes_u16le(at)], .value.d = bytes_f64le(at + 2) };
            if (cell.column == 0 || cell.value.d == 0) continue;
            int rc = fn(arg, &cell);
            if (rc) return rc;
        }
    }
    return 0;
}

static int visit_all(const struct hpcdb_store *s, struct hpcdb_profile *p, const uint16_t *columns, assay_cell_fn fn, void *arg)
{
    struct hpcdb_indices w = { .next = 0 };
    for (struct hpcdb_index x; hpcdb_indices_next(p, &w, &x);) {
        uint32_t node;
        if (!node_of(s, x.id, &node)) continue;
        int rc = visit(p, x.run, columns, node, fn, arg);
        if (rc) return rc;
    }
    return 0;
}

/* One column of a whole profile. */
static int visit_column(const struct hpcdb_store *s, struct hpcdb_profile *p, uint16_t metric, uint32_t column, assay_cell_fn fn, void *arg)
{
    struct hpcdb_indices w = { .next = 0 };
    for (struct hpcdb_index x; hpcdb_indices_next(p, &w, &x);) {
        assay_cell cell = { .column = column };
        cell.value.d = hpcdb_find_value(p, x.run, metric);
        if (cell.value.d == 0 || !node_of(s, x.id, &cell.node)) continue;
        int rc = fn(arg, &cell);
        if (rc) return rc;
    }
    return 0;
}

static uint32_t ctx_of(const struct hpcdb_store *s, uint32_t node) { return node < s->nodes.ids.len ? s->nodes.ids.at[node] : HPCDB_NONE; }

/* The values come from the file long after it was opened. `rc` as it is while the file is still the same. */
static int settle(const struct hpcdb_store *s, int rc, assay_error *err)
{
    bool has_changed;
    struct input *in = s->inputs.in[HPCDB_PROFILE];
    TRY(input_steady(in, &has_changed, err));
    if (!has_changed) return cancel_end(rc, err);
    error_set(err, ASSAY_ERR_SYSTEM, "was changed while it was being read: try again");
    error_path(err, input_path(in));
    return ASSAY_ERR_SYSTEM;
}

static int row(void *self, assay_stream_id stream, assay_node_id node, assay_cell_fn fn, void *arg, assay_error *err)
{
    const struct hpcdb_store *s = self;
    struct hpcdb_profile p;
    if (!profile_of(s, stream.v, &p)) return 0;
    uint32_t i = hpcdb_find_ctx(&p, ctx_of(s, node.v));
    return settle(s, i == HPCDB_NONE ? 0 : visit(&p, hpcdb_ctx_run(&p, i), s->scope_of, node.v, fn, arg), err);
}

static int column(void *self, assay_stream_id stream, assay_scope_id column, assay_cell_fn fn, void *arg, assay_error *err)
{
    const struct hpcdb_store *s = self;
    struct hpcdb_profile p;
    if (!profile_of(s, stream.v, &p)) return 0;
    if (column.v == 0) return settle(s, visit_all(s, &p, s->scope_of, fn, arg), err);
    if (column.v >= s->prop_ids.len || s->scope_of[s->prop_ids.at[column.v]] != column.v) return 0;
    return settle(s, visit_column(s, &p, s->prop_ids.at[column.v], column.v, fn, arg), err);
}

static int value(void *self, assay_stream_id stream, assay_node_id node, assay_scope_id column, assay_value *out, assay_error *err)
{
    const struct hpcdb_store *s = self;
    struct hpcdb_profile p;
    out->d = 0;
    if (!profile_of(s, stream.v, &p) || column.v >= s->prop_ids.len || s->scope_of[s->prop_ids.at[column.v]] != column.v) return 0;
    uint32_t i = hpcdb_find_ctx(&p, ctx_of(s, node.v));
    if (i != HPCDB_NONE) out->d = hpcdb_find_value(&p, hpcdb_ctx_run(&p, i), s->prop_ids.at[column.v]);
    return settle(s, 0, err);
}

static int summary(void *self, assay_stat_id column, assay_cell_fn fn, void *arg, assay_error *err)
{
    const struct hpcdb_store *s = self;
    struct hpcdb_profile p;
    if (s->db.profiles.count == 0) return 0;
    hpcdb_profile_at(&s->db, 0, &p);
    if (column.v == 0) return settle(s, visit_all(s, &p, s->stat_of, fn, arg), err);
    if (column.v >= s->stat_ids.len || s->stat_of[s->stat_ids.at[column.v]] != column.v) return 0;
    return settle(s, visit_column(s, &p, s->stat_ids.at[column.v], column.v, fn, arg), err);
}

const struct assay_backing hpcdb_backing = { .row = row, .column = column, .value = value, .summary = summary, .drop = hpcdb_store_free };

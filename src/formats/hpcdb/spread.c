/* Costs of places -> the four scopes of every context above them, for one stream at a time.
 *
 * Only contexts with a cost below them are looked at: their rows, in the order of contexts, so that one pass backwards reaches every parent
 * after all its children. Metrics go one after the other, so the memory is that of one. */
#include "base/bits.h"
#include "formats/hpcdb/write.h"

enum { SCOPES = 4 };

struct cost {
    uint32_t ctx;
    uint32_t metric; /* number in the plan */
    double value;
};

struct row {
    uint32_t ctx;
    uint32_t parent;    /* row */
    double sum[SCOPES]; /* by enum assay_scope_kind; LEX_AWARE: without loops */
};

struct hpcdb_spread {
    const struct hpcdb_plan *plan;
    struct mem *mem;
    VEC(struct cost) costs; /* as they come */
    VEC(uint32_t) order;    /* costs by metric */
    VEC(struct row) rows;
    uint32_t *row_of;       /* by context: row + 1; 0 = no cost below it, as everywhere between streams */
    uint64_t *touched;      /* contexts with a cost below them; empty between streams */
    uint32_t *begin;        /* by metric: in `order` */
    int32_t (*ids)[SCOPES]; /* by metric: -1 = this scope is not written */
    bool failed;
};

static size_t ctx_len(const struct hpcdb_plan *plan) { return (size_t)plan->ctx_count * sizeof(uint32_t); }
static size_t touched_len(const struct hpcdb_plan *plan) { return bits_words(plan->ctx_count) * sizeof(uint64_t); }
static size_t begin_len(const struct hpcdb_plan *plan) { return ((size_t)plan->metric_count + 2) * sizeof(uint32_t); }
static size_t ids_len(const struct hpcdb_plan *plan) { return ((size_t)plan->metric_count + 1) * sizeof(int32_t[SCOPES]); }

int hpcdb_spread_init(struct hpcdb_spread **out, const struct hpcdb_plan *plan, assay_error *err)
{
    struct hpcdb_spread *s = mem_zalloc(plan->mem, 1, sizeof *s);
    *out = s;
    if (!s) return error_memory(err);
    s->plan = plan;
    s->mem = plan->mem;
    s->row_of = mem_zalloc(s->mem, 1, ctx_len(plan));
    s->touched = mem_zalloc(s->mem, 1, touched_len(plan));
    s->begin = mem_zalloc(s->mem, 1, begin_len(plan));
    s->ids = mem_alloc(s->mem, ids_len(plan));
    if (!s->row_of || !s->touched || !s->begin || !s->ids) return error_memory(err);
    memset(s->ids, 0xff, ids_len(plan));
    for (uint32_t m = 0; m < plan->metric_count; m++)
        for (uint32_t i = 0; i < plan->metrics[m].column_count; i++) {
            const struct hpcdb_plan_column *c = &plan->columns[plan->metrics[m].first_column + i];
            s->ids[m][plan->scopes[c->scope].kind] = c->id;
        }
    return 0;
}

void hpcdb_spread_done(struct hpcdb_spread *s)
{
    if (!s) return;
    struct mem *mem = s->mem;
    vec_done(mem, &s->costs, &s->order, &s->rows);
    mem_free(mem, s->row_of, ctx_len(s->plan));
    mem_free(mem, s->touched, touched_len(s->plan));
    mem_free(mem, s->begin, begin_len(s->plan));
    mem_free(mem, s->ids, ids_len(s->plan));
    mem_free(mem, s, sizeof *s);
}

/* ---- gathering ---- */

static int take_cost(void *arg, const assay_cell *cell)
{
    struct hpcdb_spread *s = arg;
    const struct assay_scopes *scopes = assay_profile_scopes(s->plan->p);
    const struct assay_metrics *metrics = assay_profile_metrics(s->plan->p);
    uint32_t metric = scopes->metric[cell->column].v, number = s->plan->metric_of[metric];
    uint8_t type = NUMBER_AT(metrics->type, metric);
    if (!number || NUMBER_AT(scopes->kind, cell->column) != ASSAY_SCOPE_POINT) return 0;
    struct cost *c = vec_push(s->mem, &s->costs);
    s->failed |= !c;
    if (!c) return 1;
    *c = (struct cost){ s->plan->ctx_of[cell->node], number - 1,
                        type == ASSAY_F64   ? cell->value.d
                        : type == ASSAY_I64 ? (double)cell->value.i
                                            : (double)cell->value.u };
    return 0;
}

static bool sort_costs(struct hpcdb_spread *s)
{
    memset(s->begin, 0, begin_len(s->plan));
    s->order.len = 0;
    if (!vec_reserve(s->mem, &s->order, s->costs.len)) return false;
    for (size_t i = 0; i < s->costs.len; i++) s->begin[s->costs.at[i].metric + 2]++;
    for (uint32_t m = 2; m < s->plan->metric_count + 2; m++) s->begin[m] += s->begin[m - 1];
    for (size_t i = 0; i < s->costs.len; i++) s->order.at[s->begin[s->costs.at[i].metric + 1]++] = (uint32_t)i;
    return true;
}

/* A row for every context that has a cost or one below it; parents first, because contexts are numbered that way. */
static bool make_rows(struct hpcdb_spread *s)
{
    const struct hpcdb_plan *plan = s->plan;
    for (size_t i = 0; i < s->rows.len; i++) s->row_of[s->rows.at[i].ctx] = 0;
    s->rows.len = 0;
    for (size_t i = 0; i < s->costs.len; i++)
        for (uint32_t c = s->costs.at[i].ctx; !s->row_of[c]; c = plan->parent[c]) {
            s->row_of[c] = 1;
            bits_add(s->touched, c);
        }
    for (struct bits_walk w = bits_walk(s->touched, plan->ctx_count); bits_take(&w);) {
        struct row *row = vec_push(s->mem, &s->rows);
        if (!row) return false;
        *row = (struct row){ .ctx = w.at, .parent = w.at ? s->row_of[plan->parent[w.at]] - 1 : 0 };
        s->row_of[w.at] = (uint32_t)s->rows.len;
    }
    return true;
}

/* ---- propagation ---- */

static void fill(struct hpcdb_spread *s, uint32_t metric)
{
    for (size_t i = 0; i < s->rows.len; i++) memset(s->rows.at[i].sum, 0, sizeof s->rows.at[i].sum);
    for (uint32_t i = s->begin[metric]; i < s->begin[metric + 1]; i++) {
        const struct cost *c = &s->costs.at[s->order.at[i]];
        double *sum = s->rows.at[s->row_of[c->ctx] - 1].sum;
        for (unsigned k = 0; k < SCOPES; k++) sum[k] += c->value;
    }
}

static void propagate(struct hpcdb_spread *s)
{
    for (size_t i = s->rows.len; i-- > 1;) {
        const struct row *from = &s->rows.at[i];
        struct row *to = &s->rows.at[from->parent];
        uint8_t bits = s->plan->bits[from->ctx];
        to->sum[ASSAY_SCOPE_EXECUTION] += from->sum[ASSAY_SCOPE_EXECUTION];
        if (!(bits & PLAN_LEXICAL)) continue;
        to->sum[ASSAY_SCOPE_FUNCTION] += from->sum[ASSAY_SCOPE_FUNCTION];
        if (!(bits & PLAN_LOOP)) to->sum[ASSAY_SCOPE_LEX_AWARE] += from->sum[ASSAY_SCOPE_LEX_AWARE];
    }
}

/* Nested loops are left out of loops only. hpcprof leaves them in where a loop has no cost itself, though not in the summary. */
static double lex_aware(struct hpcdb_spread *s, const struct row *row, int32_t id, struct hpcdb_values *to)
{
    double right = row->sum[ASSAY_SCOPE_LEX_AWARE];
    if (!(s->plan->bits[row->ctx] & PLAN_LOOP)) return row->sum[ASSAY_SCOPE_FUNCTION];
    if (!s->plan->own->compat || row->sum[ASSAY_SCOPE_POINT] != 0 || right == row->sum[ASSAY_SCOPE_FUNCTION] || id < 0) return right;
    struct hpcdb_fix *fix = vec_push(s->mem, &to->fixes);
    if (fix)
        *fix = (struct hpcdb_fix){ .ctx = row->ctx, .id = (uint16_t)id, .value = right };
    else
        to->failed = true;
    return row->sum[ASSAY_SCOPE_FUNCTION];
}

static void hand_over(struct hpcdb_spread *s, uint32_t metric, struct hpcdb_values *to)
{
    const int32_t *ids = s->ids[metric];
    uint32_t *seen = to->seen[metric];
    if (!vec_reserve(to->plan->mem, &to->cells, s->rows.len * SCOPES)) to->failed = true;
    for (size_t i = 0; i < s->rows.len && !to->failed; i++) {
        const struct row *row = &s->rows.at[i];
        if (seen && row->sum[ASSAY_SCOPE_EXECUTION] != 0) __atomic_fetch_add(&seen[row->ctx], 1, __ATOMIC_RELAXED);
        for (unsigned k = 0; k < SCOPES; k++) {
            double value = k == ASSAY_SCOPE_LEX_AWARE ? lex_aware(s, row, ids[k], to) : row->sum[k];
            if (value != 0 && ids[k] >= 0) to->cells.at[to->cells.len++] = (struct hpcdb_cell){ row->ctx, (uint16_t)ids[k], value };
        }
    }
}

int hpcdb_spread_stream(struct hpcdb_spread *s, assay_stream_id stream, struct hpcdb_values *to, assay_error *err)
{
    s->costs.len = 0;
    int rc = assay_tree_column(s->plan->p, stream, (assay_scope_id){ 0 }, take_cost, s, err);
    if (s->failed || (rc == 0 && (!sort_costs(s) || !make_rows(s)))) return error_memory(err);
    if (rc != 0) return rc;
    for (uint32_t m = 0; m < s->plan->metric_count; m++) {
        if (s->begin[m] == s->begin[m + 1]) continue;
        fill(s, m);
        propagate(s);
        hand_over(s, m, to);
    }
    return 0;
}

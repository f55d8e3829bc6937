/* Sums and propagation: rules H162 to H173, for `check --deep`. docs/formats/hpcdb.md says which sums hold. Threads are looked at one by one;
 * the summary is laid against cct.db, which has the values of one context over all threads side by side. */
#include <inttypes.h>
#include <math.h>

#include "base/cancel.h"
#include "base/scoped.h"
#include "formats/hpcdb/check.h"

/* Metric ids of one metric in thread profiles; -1 = it has no such scope. */
struct metric_ids {
    int point, function, lex_aware, execution;
};

/* One metric of one profile, by number of the context; [0] is the whole. */
struct plane {
    struct metric_ids ids;
    double *point, *function, *lex_aware, *execution;
    double *below_execution, *below_function; /* sums over children in the tree */
    double points;                            /* all of them, hidden ones too */
};
enum { PLANE_ROWS = 6 };

/* Metrics that are looked at together, so that each profile is read once: as many as there is room for, one at least. */
struct planes {
    struct plane *list;
    double *memory;
    double **row_of; /* by column of c->prop: where its values go, NULL = nowhere */
    uint32_t count, most;
    size_t nodes;
};
enum { PLANES_MOST = 32 << 20 }; /* bytes */

static bool is_near(double a, double b)
{
    double scale = fmax(fabs(a), fabs(b));
    return fabs(a - b) <= 1e-9 * scale || a == b;
}

static struct metric_ids ids_of(const struct hpcdb_checker *c, uint16_t metric)
{
    struct metric_ids m = { -1, -1, -1, -1 };
    for (size_t i = 1; i < c->prop.list.len; i++) {
        const struct hpcdb_column *col = &c->prop.list.at[i];
        if (col->metric != metric) continue;
        if (col->type == 1) m.point = col->id;
        if (col->type == 2) m.execution = col->id;
        if (col->is_function) m.function = col->id;
        if (col->is_lex_aware) m.lex_aware = col->id;
    }
    return m;
}

/* Where the value stands, or where the context is named. */
static uint64_t offset_of(struct hpcdb_profile *p, uint32_t ctx, int metric)
{
    uint32_t i = hpcdb_find_ctx(p, ctx);
    if (i == HPCDB_NONE) return p->off;
    struct hpcdb_run run = hpcdb_ctx_run(p, i);
    for (uint64_t v = run.begin; v < run.end; v++)
        if (hpcdb_value_metric(p, v) == metric) return p->values_at + v * HPCDB_VALUE_LEN + 2;
    return p->ctxs_at + (uint64_t)i * HPCDB_INDEX_LEN;
}

static double value_of(struct hpcdb_profile *p, struct hpcdb_run run, int metric) { return metric < 0 ? 0 : hpcdb_find_value(p, run, (uint16_t)metric); }

static void check_hidden(struct hpcdb_checker *c, struct hpcdb_profile *p, uint32_t ctx, const struct metric_ids *m, struct hpcdb_run run)
{
    double point = value_of(p, run, m->point), function = value_of(p, run, m->function);
    if (m->point >= 0 && m->function >= 0 && !is_near(point, function))
        hpcdb_say(&c->db, HPCDB_PROFILE, "H171", ASSAY_WARNING, offset_of(p, ctx, m->point),
                  "context %u is not in the tree, and its point is %.17g, its function %.17g", ctx, point, function);
}

/* A context that the tree does not have. */
static void add_hidden(struct hpcdb_checker *c, struct hpcdb_profile *p, uint32_t ctx, struct hpcdb_run run, struct planes *all)
{
    for (uint32_t i = 0; i < all->count; i++) {
        all->list[i].points += value_of(p, run, all->list[i].ids.point);
        check_hidden(c, p, ctx, &all->list[i].ids, run);
    }
}

static void add_node(struct hpcdb_checker *c, struct hpcdb_profile *p, uint32_t n, struct hpcdb_run run, struct planes *all)
{
    uint64_t count;
    for (uint64_t i = run.begin; i < run.end; i += count) {
        count = run.end - i;
        const unsigned char *at = hpcdb_profile_values(p, i, &count);
        for (uint64_t k = 0; k < count; k++, at += HPCDB_VALUE_LEN) {
            double *row = all->row_of[c->prop.at[bytes_u16le(at)]];
            if (row) row[n] = bytes_f64le(at + 2);
        }
    }
    for (uint32_t i = 0; i < all->count; i++)
        if (all->list[i].ids.point >= 0) all->list[i].points += all->list[i].point[n];
}

static void add_up(const struct hpcdb_checker *c, struct plane *t)
{
    for (uint32_t n = (uint32_t)c->tree.len - 1; n > 0 && !cancel_at(n); n--) {
        const struct hpcdb_check_node *x = &c->tree.at[n];
        t->below_execution[x->parent] += t->execution[n];
        if (!x->is_entry && x->relation == 0) t->below_function[x->parent] += t->function[n];
    }
}

static void fill(struct hpcdb_checker *c, struct hpcdb_profile *p, struct planes *all)
{
    memset(all->memory, 0, all->count * all->nodes * PLANE_ROWS * sizeof *all->memory);
    for (uint32_t i = 0; i < all->count; i++) all->list[i].points = 0;
    struct hpcdb_indices w = { .next = 0 };
    for (struct hpcdb_index x; hpcdb_indices_next(p, &w, &x);) {
        uint32_t n = hpcdb_ids_find(&c->nodes, x.id);
        if (x.id && !n) {
            add_hidden(c, p, x.id, x.run, all);
            w.shown = 0; /* that may have looked elsewhere */
        } else
            add_node(c, p, n, x.run, all);
    }
    for (uint32_t i = 0; i < all->count; i++) add_up(c, &all->list[i]);
}

static void check_node(struct hpcdb_checker *c, struct hpcdb_profile *p, const struct plane *t, uint32_t n)
{
    const struct metric_ids *m = &t->ids;
    uint32_t ctx = c->nodes.ids.at[n];
    double own = t->execution[n] - t->below_execution[n], own_function = t->function[n] - t->below_function[n];
    double scale = fmax(fabs(t->execution[n]), fabs(t->below_execution[n]));
    if (m->execution >= 0 && own < -1e-9 * scale)
        hpcdb_say(&c->db, HPCDB_PROFILE, "H162", ASSAY_WARNING, offset_of(p, ctx, m->execution),
                  "context %u: execution %.17g is less than that of its children, %.17g", ctx, t->execution[n], t->below_execution[n]);
    if (m->execution >= 0 && m->function >= 0 && fabs(own - own_function) > 1e-9 * fmax(scale, fabs(t->function[n])))
        hpcdb_say(&c->db, HPCDB_PROFILE, "H163", ASSAY_WARNING, offset_of(p, ctx, m->function),
                  "context %u: its own cost is %.17g by execution, %.17g by function", ctx, own, own_function);
    if (m->lex_aware >= 0 && m->function >= 0 && (c->tree.at[n].is_entry || c->tree.at[n].lexical != 1) && !is_near(t->lex_aware[n], t->function[n]))
        hpcdb_say(&c->db, HPCDB_PROFILE, "H166", ASSAY_WARNING, offset_of(p, ctx, m->lex_aware),
                  "context %u is not a loop, but its lex_aware is %.17g, its function %.17g", ctx, t->lex_aware[n], t->function[n]);
    bool is_low = (m->execution >= 0 && m->function >= 0 && t->execution[n] < t->function[n] && !is_near(t->execution[n], t->function[n])) ||
                  (m->function >= 0 && m->point >= 0 && t->function[n] < t->point[n] && !is_near(t->function[n], t->point[n]));
    if (is_low && t->point[n] >= 0 && t->function[n] >= 0 && t->execution[n] >= 0)
        hpcdb_say(&c->db, HPCDB_PROFILE, "H173", ASSAY_WARNING, offset_of(p, ctx, m->execution >= 0 ? m->execution : m->function),
                  "context %u: a narrower scope costs more than a wider one", ctx);
}

static void check_plane(struct hpcdb_checker *c, struct hpcdb_profile *p, const struct plane *t)
{
    const struct metric_ids *m = &t->ids;
    for (uint32_t n = 1; n < c->tree.len && !cancel_at(n); n++)
        if (c->nodes.ids.at[n] != HPCDB_NONE) check_node(c, p, t, n);
    if (m->execution < 0) return;
    if (!is_near(t->execution[0], t->point[0] + t->below_execution[0]))
        hpcdb_say(&c->db, HPCDB_PROFILE, "H164", ASSAY_WARNING, offset_of(p, 0, m->execution), "the total is %.17g, but the entries add up to %.17g",
                  t->execution[0], t->point[0] + t->below_execution[0]);
    if (m->point >= 0 && !is_near(t->execution[0], t->points))
        hpcdb_say(&c->db, HPCDB_PROFILE, "H165", ASSAY_WARNING, offset_of(p, 0, m->execution), "the total is %.17g, but all points add up to %.17g",
                  t->execution[0], t->points);
}

/* The metrics from `first` on. */
static void planes_begin(struct planes *all, struct hpcdb_checker *c, uint32_t first)
{
    uint32_t metrics = c->db.metrics.count < HPCDB_CHECK_IDS ? c->db.metrics.count : HPCDB_CHECK_IDS;
    all->count = metrics - first < all->most ? metrics - first : all->most;
    memset(all->row_of, 0, c->prop.list.len * sizeof(double *));
    for (uint32_t i = 0; i < all->count; i++) {
        size_t n = all->nodes;
        double *at = all->memory + i * n * PLANE_ROWS;
        struct metric_ids m = ids_of(c, (uint16_t)(first + i));
        all->list[i] = (struct plane){ m, at, at + n, at + 2 * n, at + 3 * n, at + 4 * n, at + 5 * n, 0 };
        if (m.point >= 0) all->row_of[c->prop.at[m.point]] = all->list[i].point;
        if (m.function >= 0) all->row_of[c->prop.at[m.function]] = all->list[i].function;
        if (m.lex_aware >= 0) all->row_of[c->prop.at[m.lex_aware]] = all->list[i].lex_aware;
        if (m.execution >= 0) all->row_of[c->prop.at[m.execution]] = all->list[i].execution;
    }
}

static int check_threads(struct hpcdb_checker *c, assay_error *err)
{
    uint32_t metrics = c->db.metrics.count < HPCDB_CHECK_IDS ? c->db.metrics.count : HPCDB_CHECK_IDS;
    size_t nodes = c->tree.len, room = PLANES_MOST / (nodes * PLANE_ROWS * sizeof(double));
    struct planes all = { .nodes = nodes, .most = room == 0 ? 1 : room < metrics ? (uint32_t)room : metrics };
    SCRATCH(struct plane, list, c->mem, all.most);
    SCRATCH(double, memory, c->mem, all.most *nodes *PLANE_ROWS);
    SCRATCH(double *, row_of, c->mem, c->prop.list.len);
    if (!list || !memory || !row_of) return error_memory(err);
    all.list = list;
    all.memory = memory;
    all.row_of = row_of;
    for (uint32_t metric = 0; metric < metrics; metric += all.most) {
        planes_begin(&all, c, metric);
        for (uint32_t i = 1; i < c->db.profiles.count; i++) {
            struct hpcdb_profile p;
            TRY(cancel_step(i, err));
            hpcdb_profile_at(&c->quiet, i, &p);
            if (p.n_values == 0 || p.flags & HPCDB_IS_SUMMARY) continue;
            fill(c, &p, &all);
            for (uint32_t k = 0; k < all.count; k++) check_plane(c, &p, &all.list[k]);
            TRY(hpcdb_check_progress(c, 0, err));
        }
    }
    return 0;
}

/* ---- the summary ---- */

static struct hpcdb_run run_of(struct hpcdb_ctx *x, uint16_t metric)
{
    for (uint32_t i = 0; i < x->n_metrics; i++)
        if (hpcdb_metric_id(x, i) == metric) return hpcdb_metric_run(x, i);
    return (struct hpcdb_run){ 0, 0 };
}

/* How many profiles have any value of the metric here; those that have only an execution that the metric does not show are not seen. */
static double count_profiles(const struct hpcdb_checker *c, struct hpcdb_ctx *x, uint16_t metric)
{
    struct hpcdb_run runs[64];
    uint32_t n = 0;
    uint64_t count = 0;
    for (uint32_t i = 0; i < x->n_metrics && n < 64; i++) {
        uint16_t id = hpcdb_metric_id(x, i);
        if (c->prop.at[id] && hpcdb_column_of(&c->prop, id)->metric == metric) runs[n++] = hpcdb_metric_run(x, i);
    }
    for (;;) {
        uint32_t least = UINT32_MAX;
        for (uint32_t i = 0; i < n; i++)
            if (runs[i].begin < runs[i].end && hpcdb_cct_profile(x, runs[i].begin) < least) least = hpcdb_cct_profile(x, runs[i].begin);
        if (least == UINT32_MAX) return (double)count;
        count++;
        for (uint32_t i = 0; i < n; i++)
            while (runs[i].begin < runs[i].end && hpcdb_cct_profile(x, runs[i].begin) <= least) runs[i].begin++;
    }
}

/* false = a formula that is not known here. */
static bool combine(const struct hpcdb_checker *c, struct hpcdb_ctx *x, const struct hpcdb_column *s, double *out)
{
    bool is_value = slice_is(s->formula, "$$"), is_square = slice_is(s->formula, "($$^2)") || slice_is(s->formula, "$$^2");
    struct hpcdb_run run = run_of(x, s->instance_id);
    *out = 0;
    if (slice_is(s->formula, "1") && s->combine == 0) {
        *out = count_profiles(c, x, s->metric);
        return true;
    }
    if (!is_value && !is_square) return false;
    for (uint64_t i = run.begin; i < run.end; i++) {
        double v = hpcdb_cct_value(x, i);
        if (is_square) v *= v;
        if (s->combine == 0)
            *out += v;
        else if (i == run.begin || (s->combine == 1 ? v < *out : v > *out))
            *out = v;
    }
    return s->combine <= 2;
}

/* What hpcprof's counts and minima may be otherwise: a metric that shows no execution counts also threads that have only that; and a thread
 * that has the metric here but a 0 in this scope makes the minimum 0, or one of the values that come after it. */
static bool is_possible(const struct hpcdb_checker *c, struct hpcdb_ctx *x, const struct hpcdb_column *s, double have)
{
    struct hpcdb_run run = run_of(x, s->instance_id);
    bool has_all = ids_of(c, s->metric).execution >= 0;
    double count = count_profiles(c, x, s->metric);
    if (s->combine == 0) return slice_is(s->formula, "1") && !has_all && have > count && have < (double)c->db.profiles.count;
    if (s->combine != 1 || (has_all && (double)(run.end - run.begin) >= count)) return false;
    bool is_one = have == 0;
    for (uint64_t i = run.begin; i < run.end && !is_one; i++) is_one = is_near(have, hpcdb_cct_value(x, i));
    return is_one;
}

static void check_statistic(struct hpcdb_checker *c, struct hpcdb_profile *p, uint32_t at, struct hpcdb_ctx *x, uint32_t ctx, uint16_t id)
{
    const struct hpcdb_column *s = hpcdb_column_of(&c->stat, id);
    double want, have = at == HPCDB_NONE ? 0 : hpcdb_find_value(p, hpcdb_ctx_run(p, at), id);
    if (!combine(c, x, s, &want) || is_near(have, want) || is_possible(c, x, s, have)) return;
    bool is_other = s->combine != 0 || slice_is(s->formula, "1"), is_custom = s->type == 0;
    hpcdb_say(&c->db, HPCDB_PROFILE,
              is_custom  ? "H167"
              : is_other ? "H169"
                         : "H168",
              is_custom ? ASSAY_INFO : ASSAY_WARNING, offset_of(p, ctx, id), "context %u, statistic %u: the summary has %.17g, the threads make %.17g", ctx, id,
              have, want);
}

static void check_summary(struct hpcdb_checker *c)
{
    struct hpcdb_profile p;
    struct hpcdb_ctx x;
    hpcdb_profile_at(&c->quiet, 0, &p);
    hpcdb_ctx_init(&c->quiet, &x);
    for (uint32_t ctx = 0; ctx < c->db.ctxs.count && !cancel_at(ctx); ctx++) {
        hpcdb_ctx_at(&c->quiet, ctx, &x);
        uint32_t at = hpcdb_find_ctx(&p, ctx);
        if (at == HPCDB_NONE && x.n_values)
            hpcdb_say(&c->db, HPCDB_CCT, "H170", ASSAY_WARNING, x.off, "context %u has values of threads, but none in the summary", ctx);
        if (at != HPCDB_NONE && x.n_values == 0)
            hpcdb_say(&c->db, HPCDB_PROFILE, "H170", ASSAY_WARNING, p.ctxs_at + (uint64_t)at * HPCDB_INDEX_LEN,
                      "context %u is in the summary, but no thread has a value of it", ctx);
        if (at == HPCDB_NONE || x.n_values == 0) continue;
        for (size_t i = 1; i < c->stat.list.len; i++)
            if (c->stat.list.at[i].has_instance) check_statistic(c, &p, at, &x, ctx, c->stat.list.at[i].id);
    }
}

int hpcdb_check_deep(struct hpcdb_checker *c, assay_error *err)
{
    if (!hpcdb_check_has(c, HPCDB_META) || c->db.profiles.count == 0) return 0;
    TRY(check_threads(c, err));
    if (c->db.ctxs.count) check_summary(c);
    return 0;
}

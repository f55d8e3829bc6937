/* cct.db: the values of profile.db once more, by context. They are read back from the file that was just written, a window for each profile,
 * so that the memory depends on how many profiles there are, not on how many values. All windows go forward only: every block is in the order
 * of contexts. The summary is made on the way, because here all values of a context stand side by side. */
#include <math.h>
#include <stdlib.h>

#include "formats/hpcdb/write.h"

enum {
    FIRST_SECTION = 0x30,
    INFO_HEAD = 16,
    WINDOWS_BYTES = 32 << 20,
    MEMORY_LEAST = 1 << 20,
    WINDOW_MOST = 1 << 16,
    WINDOW_LEAST = 1 << 7,
    LOOK_EVERY = 1 << 13
};

/* Records of one length, one after the other. */
struct window {
    uint64_t at, end; /* what is left in the file */
    unsigned char *bytes;
    size_t len, next, record;
};
struct source {
    struct window values, index;
    uint64_t next_start; /* of the run behind this one */
    uint32_t next_ctx;   /* HPCDB_NONE = no more */
    uint32_t same;       /* source + 1: another that is at the same context; 0 = none */
};

struct cct_cell {
    uint32_t profile;
    uint16_t id;
    double value;
};

struct transposer {
    struct hpcdb_profile_file *f;
    const struct hpcdb_plan *plan;
    struct hpcdb_encoder e;
    struct source *sources;
    uint32_t *waiting;     /* by context: the source + 1 that was last to arrive there; 0 = none */
    VEC(uint32_t) arrived; /* sources of the context at hand */
    size_t window_len;     /* room of each window */
    unsigned char *windows;
    VEC(struct cct_cell) cells; /* of the context at hand, by profile */
    uint32_t *counts;           /* by metric id: how many cells; twice, the second half says where they end */
    uint32_t *metric_of;        /* by metric id: number in the plan */
    uint32_t id_count;
    unsigned char *infos; /* CtxInfos, written at the end */
    size_t next_fix;      /* of f->fixes */
    bool compat;
    struct hpcdb_block summary;
    VEC(unsigned char) summary_index;
};

/* ---- windows ---- */

/* The next record; NULL = there is none. */
static const unsigned char *window_take(struct transposer *t, struct window *w)
{
    if (w->next == w->len) {
        uint64_t left = w->end - w->at, room = t->window_len / w->record * w->record;
        w->len = (size_t)(left < room ? left : room);
        w->next = 0;
        if (w->len == 0) return NULL;
        output_read(t->f->e.out, w->at, w->bytes, w->len);
        w->at += w->len;
    }
    const unsigned char *record = w->bytes + w->next;
    w->next += w->record;
    return record;
}

static void next_index(struct transposer *t, struct source *s, uint64_t value_count)
{
    const unsigned char *record = window_take(t, &s->index);
    s->next_ctx = record ? bytes_u32le(record) : HPCDB_NONE;
    s->next_start = record ? bytes_u64le(record + 4) : value_count;
    if (s->next_ctx >= t->plan->ctx_count) return;
    s->same = t->waiting[s->next_ctx];
    t->waiting[s->next_ctx] = (uint32_t)(s - t->sources) + 1;
}

static void open_source(struct transposer *t, uint32_t profile)
{
    const struct hpcdb_block *b = &t->f->blocks[profile];
    struct source *s = &t->sources[profile - 1];
    unsigned char *bytes = t->windows + (size_t)(profile - 1) * 2 * t->window_len;
    s->values = (struct window){ .at = b->values_at, .end = b->values_at + b->value_count * HPCDB_VALUE_LEN, .bytes = bytes, .record = HPCDB_VALUE_LEN };
    s->index = (struct window){
        .at = b->ctxs_at, .end = b->ctxs_at + (uint64_t)b->ctx_count * HPCDB_INDEX_LEN, .bytes = bytes + t->window_len, .record = HPCDB_INDEX_LEN
    };
    next_index(t, s, b->value_count);
}

/* ---- one context ---- */

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Which sources have something at this context, in their order. */
static bool collect(struct transposer *t, uint32_t ctx)
{
    bool is_sorted = true;
    t->arrived.len = 0;
    for (uint32_t i = t->waiting[ctx]; i; i = t->sources[i - 1].same) {
        uint32_t *at = vec_push(t->plan->mem, &t->arrived);
        if (!at) return false;
        *at = i - 1;
    }
    for (size_t i = 0; i < t->arrived.len / 2; i++) {
        uint32_t *low = &t->arrived.at[i], *high = &t->arrived.at[t->arrived.len - 1 - i], moved = *low;
        *low = *high;
        *high = moved;
    }
    for (size_t i = 1; i < t->arrived.len; i++) is_sorted &= t->arrived.at[i - 1] < t->arrived.at[i];
    if (!is_sorted) qsort(t->arrived.at, t->arrived.len, sizeof *t->arrived.at, by_number);
    return true;
}

/* All values of a context, by profile; how many there are of each metric id is counted. */
static bool gather(struct transposer *t, uint32_t ctx)
{
    t->cells.len = 0;
    if (!collect(t, ctx)) return false;
    for (size_t k = 0; k < t->arrived.len; k++) {
        uint32_t i = t->arrived.at[k];
        struct source *s = &t->sources[i];
        uint64_t start = s->next_start;
        next_index(t, s, t->f->blocks[i + 1].value_count);
        for (uint64_t n = s->next_start - start; n > 0; n--) {
            const unsigned char *record = window_take(t, &s->values);
            struct cct_cell *cell = record ? vec_push(t->plan->mem, &t->cells) : NULL;
            if (!cell) return false;
            *cell = (struct cct_cell){ i + 1, bytes_u16le(record), bytes_f64le(record + 2) };
            if (cell->id >= t->id_count) return false;
            t->counts[cell->id]++;
        }
    }
    return true;
}

/* How many profiles have any value of this metric here, whatever the scope and whether or not it is written. */
static uint32_t count_profiles(const struct transposer *t, uint32_t ctx, uint32_t metric)
{
    uint32_t count = 0, last = 0;
    if (t->f->seen[metric]) return t->f->seen[metric][ctx];
    for (size_t i = 0; i < t->cells.len; i++) {
        if (t->metric_of[t->cells.at[i].id] != metric || t->cells.at[i].profile == last) continue;
        last = t->cells.at[i].profile;
        count++;
    }
    return count;
}

/* hpcprof's minimum: a profile that has the metric here, but a 0 in this scope, makes it forget those before it. */
static double fold_minimum(const struct transposer *t, uint32_t metric, const unsigned char *run, uint32_t count)
{
    double least = 0;
    uint32_t last = 0;
    for (size_t i = 0; i < t->cells.len; i++) {
        uint32_t profile = t->cells.at[i].profile;
        if (t->metric_of[t->cells.at[i].id] != metric || profile == last) continue;
        for (; count && bytes_u32le(run) < profile; count--) run += HPCDB_CCT_VALUE_LEN;
        double v = count && bytes_u32le(run) == profile ? bytes_f64le(run + 4) : 0;
        least = least == 0 ? v : fmin(least, v);
        last = profile;
    }
    return least;
}

/* A statistic over the `count` values of one column. `profiles` have the metric here; those without a value in this scope have 0 there, which
 * is a minimum like any other. */
static double reduce(enum plan_partial partial, bool compat, const unsigned char *run, uint32_t count, uint32_t profiles)
{
    double sum = 0, least = INFINITY, most = -INFINITY;
    for (uint32_t i = 0; i < count; i++, run += HPCDB_CCT_VALUE_LEN) {
        double v = bytes_f64le(run + 4);
        sum += partial == PARTIAL_SQUARES && !compat ? v * v : v;
        least = fmin(least, v);
        most = fmax(most, v);
    }
    if (count < profiles) {
        least = fmin(least, 0);
        most = fmax(most, 0);
    }
    switch (partial) {
    case PARTIAL_COUNT: return profiles;
    case PARTIAL_MIN: return least;
    case PARTIAL_MAX: return most;
    default: return sum;
    }
}

/* The summary is made of what is right, where threads have what hpcprof writes. */
static void mend(struct transposer *t, uint32_t ctx, unsigned char *values, const uint32_t *ends)
{
    for (; t->next_fix < t->f->fixes.len && t->f->fixes.at[t->next_fix].ctx == ctx; t->next_fix++) {
        const struct hpcdb_fix *fix = &t->f->fixes.at[t->next_fix];
        unsigned char *run = values + (size_t)(ends[fix->id] - t->counts[fix->id]) * HPCDB_CCT_VALUE_LEN;
        for (uint32_t i = 0; i < t->counts[fix->id]; i++, run += HPCDB_CCT_VALUE_LEN)
            if (bytes_u32le(run) == fix->profile) put_f64(run + 4, fix->value);
    }
}

/* The statistics of a context, in the order of their ids; ends[id] is where the values of a column end. */
static bool add_summary(struct transposer *t, uint32_t ctx, const unsigned char *values, const uint32_t *ends)
{
    unsigned char record[HPCDB_VALUE_LEN];
    uint64_t before = t->summary.value_count;
    uint32_t metric = UINT32_MAX, profiles = 0;
    for (uint32_t i = 0; i < t->plan->stat_count; i++) {
        const struct hpcdb_plan_stat *stat = &t->plan->stats[i];
        uint32_t count = t->counts[stat->column];
        if (stat->partial != PARTIAL_SUM && metric != t->metric_of[stat->column]) {
            metric = t->metric_of[stat->column];
            profiles = count_profiles(t, ctx, metric);
        }
        if (!count && stat->partial != PARTIAL_COUNT) continue;
        const unsigned char *run = values + (size_t)(ends[stat->column] - count) * HPCDB_CCT_VALUE_LEN;
        double value = reduce(stat->partial, t->compat, run, count, profiles);
        if (t->compat && stat->partial == PARTIAL_MIN) value = fold_minimum(t, metric, run, count);
        if (value == 0) continue;
        hpcdb_encode_value(record, stat->id, value);
        output_bytes(t->f->e.out, record, sizeof record);
        t->summary.value_count++;
    }
    if (t->summary.value_count == before) return true;
    if (!vec_reserve(t->plan->mem, &t->summary_index, HPCDB_INDEX_LEN)) return false;
    hpcdb_encode_index(t->summary_index.at + t->summary_index.len, ctx, before);
    t->summary_index.len += HPCDB_INDEX_LEN;
    t->summary.ctx_count++;
    return true;
}

static uint16_t write_indices(struct transposer *t)
{
    unsigned char record[HPCDB_CCT_INDEX_LEN];
    uint64_t start = 0;
    uint16_t count = 0;
    for (uint32_t id = 0; id < t->id_count; id++) {
        if (!t->counts[id]) continue;
        hpcdb_encode_cct_index(record, (uint16_t)id, start);
        output_bytes(t->e.out, record, sizeof record);
        start += t->counts[id];
        count++;
    }
    return count;
}

/* Puts the cells by metric and profile into `values`. */
static void order_cells(struct transposer *t, unsigned char *values, uint32_t *next)
{
    uint32_t start = 0;
    for (uint32_t id = 0; id < t->id_count; id++) {
        next[id] = start;
        start += t->counts[id];
    }
    for (size_t i = 0; i < t->cells.len; i++) {
        const struct cct_cell *cell = &t->cells.at[i];
        hpcdb_encode_cct_value(values + (size_t)next[cell->id]++ * HPCDB_CCT_VALUE_LEN, cell->profile, cell->value);
    }
}

static bool write_context(struct transposer *t, uint32_t ctx, uint32_t *next)
{
    unsigned char *info = t->infos + (size_t)ctx * HPCDB_CTX_LEN;
    size_t len = t->cells.len * HPCDB_CCT_VALUE_LEN;
    uint64_t values_at = hpcdb_encode_align(&t->e, 4);
    bool is_done = true;
    put_u64(info + 8, values_at);
    put_u64(info + 0x18, values_at);
    if (len == 0) return true;
    unsigned char *values = mem_alloc(t->plan->mem, len);
    if (!values) return false;
    order_cells(t, values, next);
    output_bytes(t->e.out, values, len);
    put_u64(info, t->cells.len);
    put_u64(info + 0x18, output_off(t->e.out));
    put_u16(info + 0x10, write_indices(t));
    mend(t, ctx, values, next);
    if (assay_profile_stats(t->plan->p)->count == 0) is_done = add_summary(t, ctx, values, next);
    memset(t->counts, 0, t->id_count * sizeof *t->counts);
    mem_free(t->plan->mem, values, len);
    return is_done;
}

/* ---- all ---- */

static bool make_tables(struct transposer *t)
{
    struct mem *mem = t->plan->mem;
    uint32_t streams = t->plan->stream_count;
    uint64_t memory = t->plan->job->options->memory, budget = memory ? memory : WINDOWS_BYTES;
    size_t share = (size_t)(budget > MEMORY_LEAST ? budget : MEMORY_LEAST) / ((size_t)streams * 2 + 1);
    t->window_len = share > WINDOW_MOST ? WINDOW_MOST : share < WINDOW_LEAST ? WINDOW_LEAST : share;
    for (uint32_t i = 0; i < t->plan->column_count; i++)
        if (t->plan->columns[i].id >= t->id_count) t->id_count = t->plan->columns[i].id + 1u;
    t->sources = mem_zalloc(mem, streams, sizeof *t->sources);
    t->windows = mem_alloc(mem, (size_t)streams * 2 * t->window_len);
    t->counts = mem_zalloc(mem, (size_t)t->id_count * 2, sizeof *t->counts);
    t->infos = mem_zalloc(mem, t->plan->ctx_count, HPCDB_CTX_LEN);
    t->metric_of = mem_zalloc(mem, t->id_count, sizeof *t->metric_of);
    t->waiting = mem_zalloc(mem, t->plan->ctx_count, sizeof *t->waiting);
    if (!t->sources || !t->windows || !t->counts || !t->infos || !t->metric_of || !t->waiting) return false;
    for (uint32_t m = 0; m < t->plan->metric_count; m++)
        for (uint32_t i = 0; i < t->plan->metrics[m].column_count; i++) t->metric_of[t->plan->columns[t->plan->metrics[m].first_column + i].id] = m;
    return true;
}

static void free_tables(struct transposer *t)
{
    struct mem *mem = t->plan->mem;
    uint32_t streams = t->plan->stream_count;
    output_abort(t->e.out);
    vec_done(mem, &t->cells);
    vec_done(mem, &t->arrived);
    mem_free(mem, t->waiting, (size_t)t->plan->ctx_count * sizeof *t->waiting);
    vec_done(mem, &t->summary_index);
    mem_free(mem, t->sources, streams * sizeof *t->sources);
    mem_free(mem, t->windows, (size_t)streams * 2 * t->window_len);
    mem_free(mem, t->counts, (size_t)t->id_count * 2 * sizeof *t->counts);
    mem_free(mem, t->metric_of, t->id_count * sizeof *t->metric_of);
    mem_free(mem, t->infos, (size_t)t->plan->ctx_count * HPCDB_CTX_LEN);
}

static int write_all(struct transposer *t, assay_error *err)
{
    unsigned char head[INFO_HEAD];
    uint32_t count = t->plan->ctx_count;
    hpcdb_encode_array(head, FIRST_SECTION + INFO_HEAD, count, HPCDB_CTX_LEN);
    output_bytes(t->e.out, head, sizeof head);
    hpcdb_encode_zeros(&t->e, (uint64_t)count * HPCDB_CTX_LEN);
    hpcdb_encode_section(&t->e, HPCDB_CTX_INFOS, FIRST_SECTION);
    for (uint32_t i = 1; i <= t->plan->stream_count; i++) open_source(t, i);
    t->summary.values_at = hpcdb_encode_align(&t->f->e, 4);
    for (uint32_t ctx = 0; ctx < count && !output_failed(t->e.out) && !output_failed(t->f->e.out); ctx++) {
        if (!gather(t, ctx) || !write_context(t, ctx, t->counts + t->id_count))
            return output_failed(t->f->e.out) ? hpcdb_encode_close(&t->f->e, err) : error_memory(err);
        if (ctx % LOOK_EVERY == 0) TRY(hpcdb_write_progress(t->plan, HPCDB_CONTEXTS, ctx, count, err));
    }
    hpcdb_encode_align(&t->e, 4);
    output_patch(t->e.out, FIRST_SECTION + INFO_HEAD, t->infos, (size_t)count * HPCDB_CTX_LEN);
    return hpcdb_encode_close(&t->e, err);
}

/* The summary's block: made above, or as it is stored. */
static int end_summary(struct transposer *t, assay_error *err)
{
    struct hpcdb_encoder *e = &t->f->e;
    struct hpcdb_values v;
    if (assay_profile_stats(t->plan->p)->count) {
        int rc = hpcdb_values_init(&v, t->plan, t->f->seen, err);
        if (rc == 0) rc = hpcdb_values_of_summary(&v, err);
        if (rc == 0) rc = hpcdb_values_write(&v, e, &t->f->blocks[0], err);
        hpcdb_values_done(&v);
        return rc;
    }
    t->summary.ctxs_at = hpcdb_encode_align(e, 4);
    output_bytes(e->out, t->summary_index.at, t->summary_index.len);
    t->f->blocks[0] = t->summary;
    return 0;
}

int hpcdb_write_cct(struct hpcdb_profile_file *f, struct output_dir *dir, assay_error *err)
{
    struct transposer t = { .f = f, .plan = f->plan, .compat = f->plan->job->options->compat };
    int rc = hpcdb_encode_open(&t.e, dir, HPCDB_CCT, FIRST_SECTION, err);
    if (rc == 0 && !make_tables(&t)) rc = error_memory(err);
    if (rc == 0) rc = write_all(&t, err);
    if (rc == 0) rc = end_summary(&t, err);
    free_tables(&t);
    return rc;
}

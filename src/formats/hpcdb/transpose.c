/* Windows, one context after the other, statistics; see formats/hpcdb/transpose.h. */
#include "formats/hpcdb/transpose.h"

#include <math.h>

#include "base/order.h"
#include "base/sort.h"

enum { WINDOW_MOST = 1 << 16, WINDOW_LEAST = 1 << 7, LOOK_MOST = 1 << 11 /* contexts */ };

/* ---- windows ---- */

static bool read_back(struct transposer *t, uint64_t off, void *buf, size_t len)
{
    return t->err.code == 0 && output_read_settled(t->f->e.out, off, buf, len, &t->err) == 0;
}

/* Whether there is another record; then window->next is where it stands. */
static bool window_fill(struct transposer *t, struct transpose_window *w)
{
    if (w->next == w->len) {
        uint64_t left = w->end - w->at, room = t->window_len / w->record * w->record;
        w->len = (size_t)(left < room ? left : room);
        w->next = 0;
        if (w->len && !read_back(t, w->at, w->bytes, w->len)) w->len = 0;
        w->at += w->len;
    }
    return w->len != 0;
}

/* The next record; NULL = there is none. */
static const unsigned char *window_take(struct transposer *t, struct transpose_window *w)
{
    if (!window_fill(t, w)) return NULL;
    const unsigned char *record = w->bytes + w->next;
    w->next += w->record;
    return record;
}

/* A source that has something in this range waits for its context. */
static void wait_for(struct transposer *t, struct transpose_source *s)
{
    if (s->next_ctx >= t->end) return;
    s->same = t->waiting[s->next_ctx - t->first];
    t->waiting[s->next_ctx - t->first] = (uint32_t)(s - t->sources) + 1;
}

static void next_index(struct transposer *t, struct transpose_source *s)
{
    const unsigned char *record = window_take(t, &s->index);
    s->next_ctx = record ? bytes_u32le(record) : HPCDB_NONE;
    s->next_start = record ? bytes_u64le(record + 4) : t->f->blocks[s - t->sources + 1].value_count;
}

/* How many of `count` contexts that are read at once come before this one. */
static uint32_t count_among(const struct transposer *t, uint32_t count, uint32_t ctx)
{
    uint32_t begin = 0;
    while (count > 0) {
        uint32_t half = count / 2;
        bool is_before = bytes_u32le(t->look + (size_t)(begin + half) * HPCDB_INDEX_LEN) < ctx;
        begin = is_before ? begin + half + 1 : begin;
        count = is_before ? count - half - 1 : half;
    }
    return begin;
}

/* How many contexts of the block come before this one: between two marks, by bisection while there are too many to be read at once. */
static uint64_t count_before(struct transposer *t, uint32_t profile, uint32_t ctx)
{
    const struct hpcdb_block *b = &t->f->blocks[profile];
    const uint32_t *marks = t->f->marks + (size_t)profile * HPCDB_MARKS;
    unsigned char record[HPCDB_INDEX_LEN];
    uint32_t mark = 0;
    while (mark + 1 < HPCDB_MARKS && hpcdb_mark_ctx(t->plan, mark + 1) <= ctx) mark++;
    uint32_t begin = marks[mark], count = (mark + 1 < HPCDB_MARKS ? marks[mark + 1] : b->ctx_count) - begin;
    while (count > LOOK_MOST) {
        uint32_t half = count / 2;
        if (!read_back(t, b->ctxs_at + (uint64_t)(begin + half) * HPCDB_INDEX_LEN, record, sizeof record)) return b->ctx_count;
        bool is_before = bytes_u32le(record) < ctx;
        begin = is_before ? begin + half + 1 : begin;
        count = is_before ? count - half - 1 : half;
    }
    if (hpcdb_mark_ctx(t->plan, mark) == ctx || count == 0) return begin;
    if (!read_back(t, b->ctxs_at + (uint64_t)begin * HPCDB_INDEX_LEN, t->look, (size_t)count * HPCDB_INDEX_LEN)) return b->ctx_count;
    return begin + count_among(t, count, ctx);
}

static void seek(struct transposer *t, uint32_t number, uint32_t ctx)
{
    const struct hpcdb_block *b = &t->f->blocks[number + 1];
    struct transpose_source *s = &t->sources[number];
    unsigned char *bytes = t->windows + (size_t)number * 2 * t->window_len;
    uint64_t before = count_before(t, number + 1, ctx);
    s->index = (struct transpose_window){ .at = b->ctxs_at + before * HPCDB_INDEX_LEN,
                                          .end = b->ctxs_at + (uint64_t)b->ctx_count * HPCDB_INDEX_LEN,
                                          .bytes = bytes + t->window_len,
                                          .record = HPCDB_INDEX_LEN };
    next_index(t, s);
    s->values = (struct transpose_window){
        .at = b->values_at + s->next_start * HPCDB_VALUE_LEN, .end = b->values_at + b->value_count * HPCDB_VALUE_LEN, .bytes = bytes, .record = HPCDB_VALUE_LEN
    };
}

/* ---- one context ---- */

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return ORDER(x, y);
}

/* Which sources have something at this context, in their order. */
static bool collect(struct transposer *t, uint32_t ctx)
{
    bool is_sorted = true;
    t->arrived.len = 0;
    for (uint32_t i = t->waiting[ctx - t->first]; i; i = t->sources[i - 1].same) {
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
    if (!is_sorted) sort_by(t->arrived.at, t->arrived.len, sizeof *t->arrived.at, by_number);
    return true;
}

/* `count` values of a source; how many there are of each metric id is counted. */
static bool gather_values(struct transposer *t, struct transpose_source *s, uint64_t count)
{
    uint32_t profile = (uint32_t)(s - t->sources) + 1;
    while (count > 0) {
        if (!window_fill(t, &s->values)) return false;
        size_t shown = (s->values.len - s->values.next) / HPCDB_VALUE_LEN, n = count < shown ? (size_t)count : shown;
        if (!vec_reserve(t->plan->mem, &t->cells, n)) return false;
        const unsigned char *record = s->values.bytes + s->values.next;
        for (size_t i = 0; i < n; i++, record += HPCDB_VALUE_LEN) {
            uint16_t id = bytes_u16le(record);
            if (id >= t->id_count) return false;
            t->cells.at[t->cells.len++] = (struct transpose_cell){ profile, id, bytes_f64le(record + 2) };
            t->counts[id]++;
        }
        s->values.next += n * HPCDB_VALUE_LEN;
        count -= n;
    }
    return true;
}

/* All values of a context, by profile. */
static bool gather(struct transposer *t, uint32_t ctx)
{
    t->cells.len = 0;
    if (!collect(t, ctx)) return false;
    for (size_t k = 0; k < t->arrived.len; k++) {
        struct transpose_source *s = &t->sources[t->arrived.at[k]];
        uint64_t start = s->next_start;
        next_index(t, s);
        wait_for(t, s);
        if (!gather_values(t, s, s->next_start - start)) return false;
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
        least = v < least ? v : least;
        most = v > most ? v : most;
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

/* Where the fixes of a context begin. */
static size_t find_fix(const struct transposer *t, uint32_t ctx)
{
    size_t begin = 0, count = t->f->fixes.len;
    while (count > 0) {
        size_t half = count / 2;
        bool is_before = t->f->fixes.at[begin + half].ctx < ctx;
        begin = is_before ? begin + half + 1 : begin;
        count = is_before ? count - half - 1 : half;
    }
    return begin;
}

/* The summary is made of what is right, where threads have what hpcprof writes. NULL = no memory. */
static const unsigned char *mend(struct transposer *t, uint32_t ctx, const unsigned char *values)
{
    size_t fix = find_fix(t, ctx), len = t->cells.len * HPCDB_CCT_VALUE_LEN;
    if (fix == t->f->fixes.len || t->f->fixes.at[fix].ctx != ctx) return values;
    t->mended.len = 0;
    if (!vec_reserve(t->plan->mem, &t->mended, len)) return NULL;
    memcpy(t->mended.at, values, len);
    for (; fix < t->f->fixes.len && t->f->fixes.at[fix].ctx == ctx; fix++) {
        const struct hpcdb_fix *f = &t->f->fixes.at[fix];
        unsigned char *run = t->mended.at + (size_t)(t->ends[f->id] - t->counts[f->id]) * HPCDB_CCT_VALUE_LEN;
        for (uint32_t i = 0; i < t->counts[f->id]; i++, run += HPCDB_CCT_VALUE_LEN)
            if (bytes_u32le(run) == f->profile) put_f64(run + 4, f->value);
    }
    return t->mended.at;
}

/* The statistics of a context, in the order of their ids. */
static bool add_summary(struct transposer *t, uint32_t ctx, const unsigned char *values)
{
    size_t before = t->stats.len;
    uint32_t metric = UINT32_MAX, profiles = 0;
    if (!values || !vec_reserve(t->plan->mem, &t->stats, (size_t)t->plan->stat_count * HPCDB_VALUE_LEN)) return false;
    for (uint32_t i = 0; i < t->plan->stat_count; i++) {
        const struct hpcdb_plan_stat *stat = &t->plan->stats[i];
        uint32_t count = t->counts[stat->column];
        if (stat->partial != PARTIAL_SUM && metric != t->metric_of[stat->column]) {
            metric = t->metric_of[stat->column];
            profiles = count_profiles(t, ctx, metric);
        }
        if (!count && stat->partial != PARTIAL_COUNT) continue;
        const unsigned char *run = values + (size_t)(t->ends[stat->column] - count) * HPCDB_CCT_VALUE_LEN;
        double value = reduce(stat->partial, t->compat, run, count, profiles);
        if (t->compat && stat->partial == PARTIAL_MIN) value = fold_minimum(t, metric, run, count);
        if (value == 0) continue;
        hpcdb_encode_value(t->stats.at + t->stats.len, stat->id, value);
        t->stats.len += HPCDB_VALUE_LEN;
    }
    if (t->stats.len == before) return true;
    if (!vec_reserve(t->plan->mem, &t->index, HPCDB_INDEX_LEN)) return false;
    hpcdb_encode_index(t->index.at + t->index.len, ctx, before / HPCDB_VALUE_LEN);
    t->index.len += HPCDB_INDEX_LEN;
    return true;
}

/* Puts the cells by metric and profile into `values`. */
static void order_cells(struct transposer *t, unsigned char *values)
{
    uint32_t start = 0;
    for (uint32_t id = 0; id < t->id_count; id++) {
        t->ends[id] = start;
        start += t->counts[id];
    }
    for (size_t i = 0; i < t->cells.len; i++) {
        const struct transpose_cell *cell = &t->cells.at[i];
        hpcdb_encode_cct_value(values + (size_t)t->ends[cell->id]++ * HPCDB_CCT_VALUE_LEN, cell->profile, cell->value);
    }
}

/* Which metrics there are, behind the values; there is room for them. */
static uint16_t add_indices(struct transposer *t)
{
    uint64_t start = 0;
    uint16_t count = 0;
    for (uint32_t id = 0; id < t->id_count; id++) {
        if (!t->counts[id]) continue;
        hpcdb_encode_cct_index(t->bytes.at + t->bytes.len, (uint16_t)id, start);
        t->bytes.len += HPCDB_CCT_INDEX_LEN;
        start += t->counts[id];
        count++;
    }
    return count;
}

static bool add_context(struct transposer *t, uint32_t ctx)
{
    size_t len = t->cells.len * HPCDB_CCT_VALUE_LEN, most = len + (size_t)t->id_count * HPCDB_CCT_INDEX_LEN + 4;
    unsigned char *info;
    if (!vec_reserve(t->plan->mem, &t->bytes, most) || !vec_reserve(t->plan->mem, &t->infos, HPCDB_CTX_LEN)) return false;
    while (t->bytes.len % 4) t->bytes.at[t->bytes.len++] = 0;
    info = t->infos.at + t->infos.len;
    t->infos.len += HPCDB_CTX_LEN;
    memset(info, 0, HPCDB_CTX_LEN);
    put_u64(info, t->cells.len);
    put_u64(info + 8, t->bytes.len);
    put_u64(info + 0x18, t->bytes.len + len);
    if (len == 0) return true;
    size_t values = t->bytes.len;
    order_cells(t, t->bytes.at + values);
    t->bytes.len += len;
    put_u16(info + 0x10, add_indices(t));
    bool is_done = !t->makes_summary || add_summary(t, ctx, mend(t, ctx, t->bytes.at + values));
    memset(t->counts, 0, t->id_count * sizeof *t->counts);
    return is_done;
}

/* ---- a range ---- */

int transpose_range(struct transposer *t, uint32_t first, uint32_t end, assay_error *err)
{
    bool has_all = true;
    t->first = first;
    t->end = end;
    t->bytes.len = t->infos.len = t->stats.len = t->index.len = 0;
    memset(t->waiting, 0, TRANSPOSE_MOST * sizeof *t->waiting);
    for (uint32_t i = 0; i < t->plan->stream_count; i++) {
        if (t->at != first) seek(t, i, first);
        wait_for(t, &t->sources[i]);
    }
    for (uint32_t ctx = first; has_all && ctx < end; ctx++) has_all = gather(t, ctx) && add_context(t, ctx);
    t->at = end;
    if (t->err.code == 0) return has_all ? 0 : error_memory(err);
    *err = t->err;
    return err->code;
}

static bool make_tables(struct transposer *t)
{
    struct mem *mem = t->plan->mem;
    uint32_t streams = t->plan->stream_count;
    t->sources = mem_zalloc(mem, streams, sizeof *t->sources);
    t->windows = mem_alloc(mem, (size_t)streams * 2 * t->window_len);
    t->counts = mem_zalloc(mem, t->id_count, sizeof *t->counts);
    t->ends = mem_zalloc(mem, t->id_count, sizeof *t->ends);
    t->metric_of = mem_zalloc(mem, t->id_count, sizeof *t->metric_of);
    t->waiting = mem_zalloc(mem, TRANSPOSE_MOST, sizeof *t->waiting);
    t->look = mem_alloc(mem, LOOK_MOST * HPCDB_INDEX_LEN);
    if (!t->look || !t->sources || !t->windows || !t->counts || !t->ends || !t->metric_of || !t->waiting) return false;
    for (uint32_t m = 0; m < t->plan->metric_count; m++)
        for (uint32_t i = 0; i < t->plan->metrics[m].column_count; i++) t->metric_of[t->plan->columns[t->plan->metrics[m].first_column + i].id] = m;
    return true;
}

int transpose_init(struct transposer *t, const struct hpcdb_profile_file *f, uint64_t memory, assay_error *err)
{
    const struct hpcdb_plan *plan = f->plan;
    *t = (struct transposer){ .f = f, .plan = plan, .at = HPCDB_NONE, .compat = plan->own->compat };
    uint64_t share = memory / ((uint64_t)plan->stream_count * 2 + 1);
    t->makes_summary = !hpcdb_plan_has_summary(plan);
    t->window_len = share > WINDOW_MOST ? WINDOW_MOST : share < WINDOW_LEAST ? WINDOW_LEAST : (size_t)share;
    for (uint32_t i = 0; i < plan->column_count; i++)
        if (plan->columns[i].id >= t->id_count) t->id_count = plan->columns[i].id + 1u;
    return make_tables(t) ? 0 : error_memory(err);
}

void transpose_done(struct transposer *t)
{
    if (!t->plan) return;
    struct mem *mem = t->plan->mem;
    uint32_t streams = t->plan->stream_count;
    vec_done(mem, &t->cells, &t->arrived, &t->mended, &t->bytes, &t->infos, &t->stats, &t->index);
    mem_free(mem, t->look, LOOK_MOST * HPCDB_INDEX_LEN);
    mem_free(mem, t->waiting, TRANSPOSE_MOST * sizeof *t->waiting);
    mem_free(mem, t->sources, streams * sizeof *t->sources);
    mem_free(mem, t->windows, (size_t)streams * 2 * t->window_len);
    mem_free(mem, t->counts, t->id_count * sizeof *t->counts);
    mem_free(mem, t->ends, t->id_count * sizeof *t->ends);
    mem_free(mem, t->metric_of, t->id_count * sizeof *t->metric_of);
}

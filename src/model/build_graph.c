/* The graph: sums by function, costs by place, calls by site, jumps. assay_build_self and assay_build_call are the hottest calls of the
 * library: the row of a function is found by its id alone as long as the stream stays, the row of a site through a small cache. */
#include "model/builder.h"
#include "model/tables.h"

/* ---- short rows ---- */

/* A table whose rows may be short, and its columns of values: the first `full` of them reach every row. */
struct short_table {
    struct short_rows *rows;
    struct col64 *begin;
    struct col32 *len;
    size_t count, full, column_count;
    struct colvalue *columns[6];
};

static struct short_table short_sums(struct build_graph *g)
{
    struct build_sums *t = &g->sums;
    return (struct short_table){ &t->rows, &t->begin, &t->len, t->count, 4, 6, { &t->self, &t->in, &t->out, &t->recursive, &t->nested, &t->stated_total } };
}
static struct short_table short_costs(struct build_graph *g)
{
    struct site_table *t = &g->costs;
    return (struct short_table){ &t->rows, &t->begin, &t->len, t->count, 1, 1, { &t->self } };
}
static struct short_table short_arcs(struct build_graph *g)
{
    struct site_table *t = &g->arcs;
    return (struct short_table){ &t->rows, &t->begin, &t->len, t->count, 1, 4, { &t->total, &t->self, &t->recursive, &t->nested } };
}

/* Room for that many rows without values. */
static bool short_reach(assay_builder *b, struct short_table *t, size_t rows)
{
    return column_reach(b->mem, t->begin, rows) && column_reach(b->mem, t->len, rows) && column_reach(b->mem, &t->rows->room, rows);
}

/* Rows as they stand become short ones of `width` values each. */
static bool shorten(assay_builder *b, struct short_table t, uint32_t width)
{
    if (!short_reach(b, &t, t.count)) return false;
    for (size_t i = 0; i < t.count; i++) {
        t.begin->at[i] = i * width;
        t.len->at[i] = t.rows->room.at[i] = width;
    }
    t.rows->cells = t.count * width;
    return true;
}

/* Where there are many metrics; `width`: of the rows that are there. */
static void make_sparse(assay_builder *b, uint32_t width)
{
    struct build_graph *g = &b->graph;
    if (g->is_sparse || !(b->want & ASSAY_WANT_SPARSE) || g->block.count < SPARSE_FROM) return;
    g->is_sparse = shorten(b, short_sums(g), width) && shorten(b, short_costs(g), width) && shorten(b, short_arcs(g), width);
    if (!g->is_sparse) builder_no_memory(b);
}

/* A new place for a row that needs more values; at least twice as many as it had, so that what is given up stays less than what is used. */
static bool grow_row(assay_builder *b, struct short_table *t, uint32_t i, uint32_t count)
{
    uint32_t had = t->rows->room.at[i], room = had > count / 2 ? 2 * had : count;
    size_t from = (size_t)t->begin->at[i], to = t->rows->cells;
    if (room > b->graph.block.count) room = b->graph.block.count;
    for (size_t c = 0; c < t->column_count; c++) {
        struct colvalue *column = t->columns[c];
        if (c >= t->full && (!had || column->len <= from)) continue; /* nothing of this row is there */
        if (!column_reach(b->mem, column, to + room)) return false;
        if (had) memcpy(column->at + to, column->at + from, t->len->at[i] * sizeof *column->at);
    }
    t->begin->at[i] = to;
    t->rows->room.at[i] = room;
    t->rows->cells = to + room;
    return true;
}

/* Adds to row number `row`, from 1. */
static __attribute__((noinline)) void short_add(assay_builder *b, struct short_table t, struct colvalue *column, uint32_t row, const assay_value *more,
                                                uint32_t count)
{
    uint32_t i = row - 1;
    while (count && more[count - 1].u == 0) count--;
    bool has_room = short_reach(b, &t, row);
    if (has_room && count > t.rows->room.at[i]) has_room = grow_row(b, &t, i, count);
    if (has_room && count) has_room = column_reach(b->mem, column, (size_t)t.begin->at[i] + t.rows->room.at[i]);
    if (!has_room) builder_no_memory(b);
    if (!has_room || !count) return;
    if (count > t.len->at[i]) t.len->at[i] = count;
    block_add(b, &b->graph.block, column->at + t.begin->at[i], more, count);
}

/* ---- sums ---- */

static uint32_t new_sum(assay_builder *b, uint32_t stream, uint32_t func)
{
    struct build_graph *g = &b->graph;
    uint32_t row = builder_next(b, g->sums.count, "sums of functions");
    if (!row) return 0;
    size_t values = g->is_sparse ? g->sums.rows.cells : (size_t)row * g->block.count;
    bool has_room = column_reach(b->mem, &g->sums.func, row) && column_reach(b->mem, &g->sums.calls, row) &&
                    column_reach(b->mem, &g->sums.calls_recursive, row) && column_reach(b->mem, &g->sums.self, values) &&
                    column_reach(b->mem, &g->sums.in, values) && column_reach(b->mem, &g->sums.out, values) && column_reach(b->mem, &g->sums.recursive, values);
    struct short_table t = short_sums(g);
    if (g->is_sparse) has_room = has_room && short_reach(b, &t, row);
    if (!has_room) {
        builder_no_memory(b);
        return 0;
    }
    g->sums.func.at[row - 1] = func;
    put32(b, &g->sums.stream, row - 1, stream);
    if (b->code) return 0;
    g->sums.count = row;
    return row;
}

/* A row by (function, stream), from 1; 0 = it is not in the index. */
static uint32_t indexed_sum(const struct build_graph *g, uint32_t stream, uint32_t func)
{
    for (struct index_walk w = index_walk(&g->sums.index, hash_mix(func, stream)); index_next(&g->sums.index, &w);)
        if (g->sums.func.at[w.id - 1] == func && get32(&g->sums.stream, w.id - 1) == stream) return w.id;
    return 0;
}

static bool index_sum(assay_builder *b, uint32_t stream, uint32_t func, uint32_t row)
{
    if (index_add(&b->graph.sums.index, hash_mix(func, stream), row)) return true;
    builder_no_memory(b);
    return false;
}

/* Another row of a function that has one of another stream: now all of them are in the index. */
static uint32_t another_sum(assay_builder *b, uint32_t stream, uint32_t func, struct sum_last last)
{
    struct build_graph *g = &b->graph;
    uint32_t row = indexed_sum(g, stream, func);
    if (row) return row;
    if (!indexed_sum(g, last.stream, func) && !index_sum(b, last.stream, func, last.row)) return 0;
    row = new_sum(b, stream, func);
    return row && index_sum(b, stream, func, row) ? row : 0;
}

/* The row (from 1) when the function's newest one is of another stream, or there is none; 0 = error. Most functions have one row, which is their newest: those are
 * not in the index. */
static __attribute__((noinline)) uint32_t find_sum(assay_builder *b, uint32_t stream, uint32_t func)
{
    struct build_graph *g = &b->graph;
    if (!builder_has(b, func, b->funcs.count, "function") || !builder_has(b, stream, b->streams.count, "stream")) return 0;
    if (!g->block.is_set) block_set(b, &g->block, NULL, 0, ASSAY_SHAPE_GRAPH);
    if (!g->sums.count) make_sparse(b, g->block.count);
    if (b->code) return 0;
    if (!column_reach(b->mem, &g->sums.last, (size_t)b->funcs.count + 1)) {
        builder_no_memory(b);
        return 0;
    }
    struct sum_last last = g->sums.last.at[func];
    uint32_t row = last.row ? another_sum(b, stream, func, last) : new_sum(b, stream, func);
    if (row) {
        g->sums.last.at[func].stream = stream;
        g->sums.last.at[func].row = row;
    }
    return row;
}

static inline uint32_t sum_row(assay_builder *b, uint32_t stream, uint32_t func)
{
    const struct build_graph *g = &b->graph;
    if (__builtin_expect(func < g->sums.last.len, 1)) {
        struct sum_last last = g->sums.last.at[func];
        if (__builtin_expect(last.row && last.stream == stream, 1)) return last.row;
    }
    return find_sum(b, stream, func);
}

static inline assay_value *values_of(const struct build_graph *g, struct colvalue *column, uint32_t row)
{
    return column->at + (size_t)(row - 1) * g->block.count;
}

/* Adds to a row (from 1) of a column of sums that reaches every row. */
static inline void sum_add(assay_builder *b, struct colvalue *column, uint32_t row, const assay_value *more, uint32_t count)
{
    struct build_graph *g = &b->graph;
    if (__builtin_expect(g->is_sparse, 0))
        short_add(b, short_sums(g), column, row, more, count);
    else if (count)
        block_add(b, &g->block, values_of(g, column, row), more, count);
}

/* ---- places ---- */

static inline uint64_t site_hash(const struct site *s)
{
    /* two independent products, so that the multiplications overlap; eight neighbouring lines share a cache line of the index */
    uint64_t a = hash_mix((uint64_t)s->func << 32 | s->callee, (uint64_t)(s->line >> 3) << 32 | s->file), c = hash_mix(s->address, s->stream);
    return (hash_mix(a, c) & ~(uint64_t)7) | (s->line & 7);
}

static inline bool same_site(const struct site *a, const struct site *c)
{
    return a->func == c->func && a->callee == c->callee && a->line == c->line && a->address == c->address && a->file == c->file && a->stream == c->stream;
}

static bool is_row(const struct site_table *t, uint32_t i, const struct site *s)
{
    return get32(&t->func, i) == s->func && get32(&t->callee, i) == s->callee && get32(&t->line, i) == s->line && get64(&t->address, i) == s->address &&
           get32(&t->file, i) == s->file && get32(&t->stream, i) == s->stream;
}

/* The ids of functions and the stream are known to be good: their sums are booked first. */
static uint32_t new_site(assay_builder *b, struct site_table *t, const struct site *s, uint64_t hash)
{
    uint32_t row = builder_next(b, t->count, "places"), i = row - 1;
    if (!row || !builder_has(b, s->file, b->files.count, "file") || !builder_has(b, s->callee, b->funcs.count, "function") ||
        !builder_has(b, s->func, b->funcs.count, "function") || !builder_has(b, s->stream, b->streams.count, "stream"))
        return 0;
    put32(b, &t->stream, i, s->stream);
    put32(b, &t->func, i, s->func);
    put32(b, &t->callee, i, s->callee);
    put32(b, &t->file, i, s->file);
    put32(b, &t->line, i, s->line);
    put64(b, &t->address, i, s->address);
    if (!index_add(&t->index, hash, row)) builder_no_memory(b);
    if (b->code) return 0;
    t->count = row;
    return row;
}

/* Called well before site_row, so that the slot is at hand when it is needed. */
static inline void prepare_site(const struct site_table *t, uint64_t hash)
{
    if (t->index.slot) __builtin_prefetch(&t->index.slot[index_fold(hash) & t->index.mask]);
}

/* The row (from 1) of a place, made when it is not there yet; 0 = error. */
static uint32_t site_row(assay_builder *b, struct site_table *t, struct site *s, uint64_t hash)
{
    struct site *cached = &t->cache[(hash >> 40) % SITE_CACHE];
    if (cached->row && same_site(cached, s)) return cached->row;
    uint32_t row = 0;
    for (struct index_walk w = index_walk(&t->index, hash); !row && index_next(&t->index, &w);)
        if (is_row(t, w.id - 1, s)) row = w.id;
    if (!row) row = new_site(b, t, s, hash);
    if (!row) return 0;
    s->row = row;
    *cached = *s;
    return row;
}

static struct site site_of(const struct assay_place *at, uint32_t callee)
{
    return (struct site){ .address = at->address, .stream = at->stream.v, .func = at->func.v, .callee = callee, .file = at->file.v, .line = at->line };
}

/* ---- booking ---- */

/* Rows of `from` values become rows of `to` values, the new ones 0. */
static bool widen(struct mem *m, struct colvalue *c, size_t rows, uint32_t from, uint32_t to)
{
    if (!column_reach(m, c, rows * to)) return false;
    for (size_t i = rows; i-- > 0;) {
        memmove(c->at + i * to, c->at + i * from, from * sizeof *c->at);
        memset(c->at + i * to + from, 0, (to - from) * sizeof *c->at);
    }
    return true;
}

/* Every column of values; those that need not reach the last row are widened as far as they go. */
static bool widen_all(assay_builder *b, uint32_t from, uint32_t to)
{
    struct build_graph *g = &b->graph;
    struct colvalue *const full[] = { &g->sums.self, &g->sums.in, &g->sums.out, &g->sums.recursive };
    struct colvalue *const lazy[] = {
        &g->sums.nested, &g->sums.stated_total, &g->costs.self, &g->arcs.total, &g->arcs.self, &g->arcs.recursive, &g->arcs.nested
    };
    for (size_t i = 0; i < sizeof full / sizeof *full; i++)
        if (!widen(b->mem, full[i], g->sums.count, from, to)) return false;
    for (size_t i = 0; i < sizeof lazy / sizeof *lazy; i++)
        if (from && !widen(b->mem, lazy[i], lazy[i]->len / from, from, to)) return false;
    return true;
}

void assay_build_graph_metrics(assay_builder *b, const assay_metric_id *metrics, uint32_t count)
{
    struct build_block *block = &b->graph.block;
    if (b->code) return;
    if (!block->is_set) {
        block_set(b, block, metrics, count, ASSAY_SHAPE_GRAPH);
        return;
    }
    uint32_t before = block->count;
    bool is_longer = metrics && count >= before;
    for (uint32_t k = 0; is_longer && k < before; k++) is_longer = block->metrics.at[k] == metrics[k].v;
    if (!is_longer) {
        builder_fail(b, ASSAY_ERR_USAGE, "the metrics of a graph can only be given again with more after the same ones");
        return;
    }
    if (count == before) return;
    block_extend(b, block, metrics, count, ASSAY_SHAPE_GRAPH);
    if (!b->code) make_sparse(b, before);
    if (!b->code && !b->graph.is_sparse && !widen_all(b, before, block->count)) builder_no_memory(b);
}

static void book_cost(assay_builder *b, const struct assay_place *at, const assay_value *values, uint32_t count)
{
    struct build_graph *g = &b->graph;
    struct site s = site_of(at, 0);
    uint32_t row = site_row(b, &g->costs, &s, site_hash(&s));
    if (!row) return;
    if (g->is_sparse) {
        short_add(b, short_costs(g), &g->costs.self, row, values, count);
        return;
    }
    if (!column_reach(b->mem, &g->costs.self, (size_t)row * g->block.count)) {
        builder_no_memory(b);
        return;
    }
    if (count) block_add(b, &g->block, values_of(g, &g->costs.self, row), values, count);
}

void assay_build_self(assay_builder *b, const struct assay_place *at, const assay_value *values, uint32_t count)
{
    if (b->code || !(b->want & ASSAY_WANT_GRAPH)) return;
    struct build_graph *g = &b->graph;
    uint32_t row = sum_row(b, at->stream.v, at->func.v);
    if (!row) return;
    if (count > g->block.count) count = g->block.count;
    sum_add(b, &g->sums.self, row, values, count);
    if (b->want & ASSAY_WANT_COSTS) book_cost(b, at, values, count);
}

/* ---- pairs ---- */

/* Where a caller adds all its pairs in a row, as in files that have all of a function in one place, none of them is looked for: what it calls is marked with it. Only
 * those of callers that come again are in the index. */
enum { PAIRS_INDEXED = UINT32_MAX };

static bool index_pair(assay_builder *b, uint32_t caller, uint32_t callee, uint32_t row)
{
    if (index_add(&b->graph.pairs.index, hash_mix((uint64_t)caller << 32 | callee, 0), row)) return true;
    builder_no_memory(b);
    return false;
}

/* Most calls are of a pair that was seen a moment ago. Neither end is 0, so an empty slot matches none. */
static bool has_pair(struct build_pairs *t, uint32_t caller, uint32_t callee)
{
    uint64_t pair = (uint64_t)caller << 32 | callee, hash = hash_mix(pair, 0), *slot = &t->cache[(hash >> 40) % PAIR_CACHE];
    if (*slot == pair) return true;
    *slot = pair;
    for (struct index_walk w = index_walk(&t->index, hash); index_next(&t->index, &w);)
        if (t->caller.at[w.id - 1] == caller && t->callee.at[w.id - 1] == callee) return true;
    return false;
}

/* Another caller than that of the newest pair. */
static bool begin_pairs(assay_builder *b, uint32_t caller)
{
    struct build_pairs *t = &b->graph.pairs;
    uint32_t *begin = &b->graph.sums.last.at[caller].pairs;
    t->newest_caller = caller;
    t->is_first_run = *begin == 0;
    if (t->is_first_run) {
        *begin = t->count + 1;
        return true;
    }
    if (*begin == PAIRS_INDEXED) return true;
    for (uint32_t i = *begin - 1; i < t->count && t->caller.at[i] == caller; i++)
        if (!index_pair(b, caller, t->callee.at[i], i + 1)) return false;
    *begin = PAIRS_INDEXED;
    return true;
}

static __attribute__((noinline)) void add_pair(assay_builder *b, uint32_t caller, uint32_t callee)
{
    struct build_pairs *t = &b->graph.pairs;
    if (t->newest_caller != caller && !begin_pairs(b, caller)) return;
    if (!t->is_first_run && has_pair(t, caller, callee)) return;
    uint32_t row = builder_next(b, t->count, "calls between functions");
    if (!row) return;
    if (!column_reach(b->mem, &t->caller, row) || !column_reach(b->mem, &t->callee, row)) {
        builder_no_memory(b);
        return;
    }
    if (!t->is_first_run && !index_pair(b, caller, callee, row)) return;
    t->caller.at[row - 1] = caller;
    t->callee.at[row - 1] = callee;
    t->count = row;
}

/* Both have marks. */
static inline void note_pair(assay_builder *b, uint32_t caller, uint32_t callee)
{
    uint32_t *newest = &b->graph.sums.last.at[callee].caller;
    if (*newest == caller) return;
    *newest = caller;
    add_pair(b, caller, callee);
}

/* Where there are no others, they need not be looked for. */
static bool append_pairs(assay_builder *b, uint32_t caller, const uint32_t *callees, uint32_t count)
{
    struct build_pairs *t = &b->graph.pairs;
    size_t rows = (size_t)t->count + count;
    if (rows > ID_MAX || !column_reach(b->mem, &t->caller, rows) || !column_reach(b->mem, &t->callee, rows)) return false;
    for (size_t i = t->count; i < rows; i++) t->caller.at[i] = caller;
    memcpy(t->callee.at + t->count, callees, count * sizeof *callees);
    t->count = (uint32_t)rows;
    return true;
}

void pairs_put(assay_builder *b, assay_func_id caller, const uint32_t *callees, uint32_t count, bool is_alone)
{
    if (b->code || !count) return;
    if (is_alone) {
        if (!append_pairs(b, caller.v, callees, count)) builder_no_memory(b);
        return;
    }
    if (!column_reach(b->mem, &b->graph.sums.last, (size_t)b->funcs.count + 1)) {
        builder_no_memory(b);
        return;
    }
    for (uint32_t i = 0; i < count; i++) note_pair(b, caller.v, callees[i]);
}

bool pairs_are_none(const assay_builder *b) { return b->graph.pairs.count == 0; }

/* A call from or to no function (id 0) is booked on the side that exists. */
static inline bool book_sums(assay_builder *b, const struct assay_place *site, uint32_t callee, uint64_t calls, const assay_value *values, uint32_t count)
{
    struct build_graph *g = &b->graph;
    uint32_t caller = site->func.v, stream = site->stream.v;
    uint32_t from = caller ? sum_row(b, stream, caller) : 0, to = callee ? sum_row(b, stream, callee) : 0;
    if (b->code) return false;
    if (count > g->block.count) count = g->block.count;
    if (to) count_add(b, &g->sums.calls.at[to - 1], calls);
    if (to && to == from) {
        count_add(b, &g->sums.calls_recursive.at[to - 1], calls);
        sum_add(b, &g->sums.recursive, to, values, count);
        return true;
    }
    if (from) sum_add(b, &g->sums.out, from, values, count);
    if (to) sum_add(b, &g->sums.in, to, values, count);
    if (b->want & ASSAY_WANT_PAIRS && !g->skips_pairs && from && to) note_pair(b, caller, callee);
    return true;
}

static void book_arc(assay_builder *b, struct site *s, uint64_t hash, uint64_t calls, const assay_value *values, uint32_t count)
{
    struct build_graph *g = &b->graph;
    if (!g->block.is_set) block_set(b, &g->block, NULL, 0, ASSAY_SHAPE_GRAPH);
    if (count > g->block.count) count = g->block.count;
    uint32_t row = site_row(b, &g->arcs, s, hash);
    if (!row) return;
    bool has_room = column_reach(b->mem, &g->arcs.calls, row) && (g->is_sparse || column_reach(b->mem, &g->arcs.total, (size_t)row * g->block.count));
    if (!has_room) {
        builder_no_memory(b);
        return;
    }
    count_add(b, &g->arcs.calls.at[row - 1], calls);
    if (g->is_sparse)
        short_add(b, short_arcs(g), &g->arcs.total, row, values, count);
    else if (count)
        block_add(b, &g->block, values_of(g, &g->arcs.total, row), values, count);
    g->last_arc = row;
}

void assay_build_call(assay_builder *b, const struct assay_place *site, assay_func_id callee, uint64_t calls, const assay_value *values, uint32_t count)
{
    if (b->code || !(b->want & ASSAY_WANT_GRAPH)) return;
    if (!(b->want & ASSAY_WANT_ARCS)) {
        book_sums(b, site, callee.v, calls, values, count);
        return;
    }
    struct site s = site_of(site, callee.v);
    uint64_t hash = site_hash(&s);
    prepare_site(&b->graph.arcs, hash);
    if (book_sums(b, site, callee.v, calls, values, count)) book_arc(b, &s, hash, calls, values, count);
}

/* Adds a whole row of values to a column of arcs that need not reach it. */
static void arc_add(assay_builder *b, struct colvalue *column, uint32_t row, const assay_value *values)
{
    struct build_graph *g = &b->graph;
    if (g->is_sparse)
        short_add(b, short_arcs(g), column, row + 1, values, g->block.count);
    else
        block_add_row(b, &g->block, column, row, values);
}

void assay_build_call_more(assay_builder *b, const assay_value *self, const assay_value *recursive, uint32_t depth)
{
    struct build_graph *g = &b->graph;
    g->keeps_recursion |= recursive != NULL;
    if (b->code || !g->last_arc) return;
    uint32_t row = g->last_arc - 1;
    if (self) arc_add(b, &g->arcs.self, row, self);
    if (recursive) arc_add(b, &g->arcs.recursive, row, recursive);
    if (depth > get32(&g->arcs.depth, row)) put32(b, &g->arcs.depth, row, depth);
}

void assay_build_entered(assay_builder *b, assay_stream_id stream, assay_func_id func, uint64_t more)
{
    if (b->code || !(b->want & ASSAY_WANT_GRAPH)) return;
    uint32_t row = sum_row(b, stream.v, func.v);
    if (row) add64(b, &b->graph.sums.entered, row - 1, more);
}

void assay_build_nested(assay_builder *b, assay_stream_id stream, assay_func_id func, const assay_value *values)
{
    if (b->code || !(b->want & ASSAY_WANT_GRAPH)) return;
    uint32_t row = sum_row(b, stream.v, func.v);
    if (row && b->graph.is_sparse)
        short_add(b, short_sums(&b->graph), &b->graph.sums.nested, row, values, b->graph.block.count);
    else if (row)
        block_add_row(b, &b->graph.block, &b->graph.sums.nested, row - 1, values);
}

uint32_t assay_build_last_call(const assay_builder *b) { return b->graph.last_arc; }

void assay_build_call_nested(assay_builder *b, uint32_t call, const assay_value *values)
{
    struct build_graph *g = &b->graph;
    if (b->code || !call || !builder_has(b, call, g->arcs.count, "call")) return;
    arc_add(b, &g->arcs.nested, call - 1, values);
}

void assay_build_pairs(assay_builder *b, bool is_on) { b->graph.skips_pairs = !is_on; }
void assay_build_nesting_known(assay_builder *b) { b->graph.knows_nesting = true; }

void assay_build_stated(assay_builder *b, assay_stream_id stream, assay_func_id func, uint64_t calls, const assay_value *totals, uint32_t count)
{
    if (b->code || !(b->want & ASSAY_WANT_GRAPH)) return;
    struct build_graph *g = &b->graph;
    uint32_t row = sum_row(b, stream.v, func.v);
    if (!row) return;
    if (count > g->block.count) count = g->block.count;
    put8(b, &g->sums.has_stated, row - 1, 1);
    add64(b, &g->sums.stated_calls, row - 1, calls);
    if (!g->is_sparse && !column_reach(b->mem, &g->sums.stated_total, (size_t)row * g->block.count)) builder_no_memory(b);
    if (!b->code) sum_add(b, &g->sums.stated_total, row, totals, count);
}

/* ---- jumps ---- */

static bool is_jump(const struct build_jumps *t, uint32_t i, const struct assay_place *from, const struct assay_place *to, bool conditional)
{
    return get32(&t->stream, i) == from->stream.v && get32(&t->func, i) == from->func.v && get32(&t->to_func, i) == to->func.v &&
           get32(&t->file, i) == from->file.v && get32(&t->to_file, i) == to->file.v && get32(&t->line, i) == from->line && get32(&t->to_line, i) == to->line &&
           get64(&t->address, i) == from->address && get64(&t->to_address, i) == to->address && get8(&t->conditional, i) == conditional;
}

static uint32_t new_jump(assay_builder *b, const struct assay_place *from, const struct assay_place *to, bool conditional, uint64_t hash)
{
    struct build_jumps *t = &b->graph.jumps;
    uint32_t row = builder_next(b, t->count, "jumps"), i = row - 1;
    if (!row || !builder_has(b, from->stream.v, b->streams.count, "stream") || !builder_has(b, from->func.v, b->funcs.count, "function") ||
        !builder_has(b, to->func.v, b->funcs.count, "function") || !builder_has(b, from->file.v, b->files.count, "file") ||
        !builder_has(b, to->file.v, b->files.count, "file"))
        return 0;
    put32(b, &t->stream, i, from->stream.v);
    put32(b, &t->func, i, from->func.v);
    put32(b, &t->to_func, i, to->func.v);
    put32(b, &t->file, i, from->file.v);
    put32(b, &t->to_file, i, to->file.v);
    put32(b, &t->line, i, from->line);
    put32(b, &t->to_line, i, to->line);
    put64(b, &t->address, i, from->address);
    put64(b, &t->to_address, i, to->address);
    put8(b, &t->conditional, i, conditional);
    if (!index_add(&t->index, hash, row)) builder_no_memory(b);
    if (b->code) return 0;
    t->count = row;
    return row;
}

void assay_build_jump(assay_builder *b, const struct assay_place *from, const struct assay_place *to, uint64_t executed, uint64_t followed, bool conditional)
{
    if (b->code || !(b->want & ASSAY_WANT_COSTS)) return;
    struct build_jumps *t = &b->graph.jumps;
    struct site a = site_of(from, 0), c = site_of(to, 0);
    uint64_t hash = hash_mix(hash_mix(site_hash(&a), site_hash(&c)), conditional);
    uint32_t row = 0;
    for (struct index_walk w = index_walk(&t->index, hash); !row && index_next(&t->index, &w);)
        if (is_jump(t, w.id - 1, from, to, conditional)) row = w.id;
    if (!row) row = new_jump(b, from, to, conditional, hash);
    if (!row) return;
    add64(b, &t->executed, row - 1, executed);
    add64(b, &t->followed, row - 1, followed);
}

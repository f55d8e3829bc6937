/* The index of one module; see symtab.h. Spans of good files do not overlap, which one pass over the sorted ones shows. Where they do, counts of taken cells
 * tell whether an earlier span has an address (seal_first), and a heap of the open spans which of them came last (seal_last). */
#include "symbols/symtab.h"

#include "base/order.h"
#include "base/scoped.h"
#include "base/sort.h"

/* Real programs take a few, of which names are the most: C++ names are up to ten times as long as the linker's. */
enum { LIMIT_PER_BYTE = 32 };

void symtab_init(struct symtab *t, struct mem *mem)
{
    memset(t, 0, sizeof *t);
    t->mem = mem;
    t->left = UINT64_MAX;
    arena_init(&t->text, mem);
    intern_init(&t->files, mem);
    struct symbols_function *f = vec_push(mem, &t->functions);
    struct symtab_node *n = vec_push(mem, &t->nodes);
    t->failed = !f || !n;
    if (f) memset(f, 0, sizeof *f);
    if (n) memset(n, 0, sizeof *n);
}

void symtab_limit(struct symtab *t, uint64_t size) { t->left = size > UINT64_MAX / LIMIT_PER_BYTE - 1 ? UINT64_MAX : LIMIT_PER_BYTE * (size + 1); }

bool symtab_spend(struct symtab *t, uint64_t amount)
{
    if (amount > t->left) t->is_spent = true;
    t->left -= t->is_spent ? t->left : amount;
    return !t->is_spent;
}

void symtab_done(struct symtab *t)
{
    if (!t->mem) return;
    intern_done(&t->files);
    arena_done(&t->text);
    vec_done(t->mem, &t->functions, &t->nodes, &t->spans, &t->rows, &t->calls, &t->loads);
    mem_free(t->mem, t->span_guide.above, (t->span_guide.pieces + 1) * sizeof *t->span_guide.above);
    mem_free(t->mem, t->row_guide.above, (t->row_guide.pieces + 1) * sizeof *t->row_guide.above);
}

_Static_assert(offsetof(struct symtab_span, begin) == 0 && offsetof(struct symtab_row, address) == 0, "rows_below reads the first field");

/* ---- filling ---- */

uint32_t symtab_file(struct symtab *t, assay_slice path)
{
    uint32_t id = intern_put(&t->files, path);
    if (!id) t->failed = true;
    return id;
}

static assay_slice keep(struct symtab *t, assay_slice s)
{
    const char *copy = s.data ? arena_copy(&t->text, s) : NULL;
    if (s.data && !copy) t->failed = true;
    return (assay_slice){ copy, copy ? s.len : 0 };
}

uint32_t symtab_function(struct symtab *t, const struct symbols_function *f)
{
    (void)symtab_spend(t, f->name.len + f->link_name.len);
    struct symbols_function *row = t->functions.len < UINT32_MAX ? vec_push(t->mem, &t->functions) : NULL;
    if (!row) {
        t->failed = true;
        return 0;
    }
    *row = *f;
    row->name = keep(t, f->name.data ? f->name : SLICE(""));
    row->link_name = slice_equal(f->name, f->link_name) ? (assay_slice){ NULL, 0 } : keep(t, f->link_name);
    return (uint32_t)(t->functions.len - 1);
}

uint32_t symtab_node(struct symtab *t, uint32_t parent, const struct symbols_scope *scope)
{
    struct symtab_node *row = t->nodes.len < UINT32_MAX ? vec_push(t->mem, &t->nodes) : NULL;
    if (!row) {
        t->failed = true;
        return 0;
    }
    *row = (struct symtab_node){ parent, *scope };
    return (uint32_t)(t->nodes.len - 1);
}

void symtab_span(struct symtab *t, uint64_t begin, uint64_t end, uint32_t node)
{
    if (begin >= end || !node) return;
    struct symtab_span *row = vec_push(t->mem, &t->spans);
    if (row)
        *row = (struct symtab_span){ begin, end, node };
    else
        t->failed = true;
}

void symtab_row(struct symtab *t, uint64_t address, uint32_t file, uint32_t line)
{
    struct symtab_row *row = vec_push(t->mem, &t->rows);
    if (row)
        *row = (struct symtab_row){ address, file, line };
    else
        t->failed = true;
}

/* ---- sealing ---- */

/* A span and when it was added. */
struct ordered {
    struct symtab_span span;
    uint32_t order;
};

static int by_begin(const void *a, const void *b)
{
    const struct ordered *x = a, *y = b;
    ORDER_BY(x->span.begin, y->span.begin);
    return ORDER(x->order, y->order);
}

static int by_order(const void *a, const void *b)
{
    const struct ordered *x = a, *y = b;
    return ORDER(x->order, y->order);
}

/* Into `all`, which may be NULL: then there is no memory. */
static bool sort_spans(struct symtab *t, struct ordered *all)
{
    size_t count = t->spans.len;
    if (!all || count > UINT32_MAX) {
        t->failed = true;
        return false;
    }
    for (size_t i = 0; i < count; i++) all[i] = (struct ordered){ t->spans.at[i], (uint32_t)i };
    sort_by(all, count, sizeof *all, by_begin);
    return true;
}

static int by_number(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return ORDER(x, y);
}

/* Cells between all distinct bounds, and a Fenwick tree that counts those that are taken. */
struct cells {
    uint64_t *bound;
    uint32_t *taken;
    size_t count;
};

static size_t cell_of(const struct cells *c, uint64_t bound)
{
    size_t low = 0, high = c->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (c->bound[middle] < bound)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static uint32_t taken_before(const struct cells *c, size_t cell)
{
    uint32_t sum = 0;
    for (size_t i = cell; i > 0; i &= i - 1) sum += c->taken[i];
    return sum;
}

static void take_cell(struct cells *c, size_t cell)
{
    for (size_t i = cell + 1; i <= c->count; i += i & (~i + 1)) c->taken[i]++;
}

static bool take_span(struct cells *c, const struct symtab_span *s)
{
    size_t first = cell_of(c, s->begin), last = cell_of(c, s->end);
    if (taken_before(c, last) != taken_before(c, first)) return false;
    for (size_t i = first; i < last; i++) take_cell(c, i);
    return true;
}

/* The slow way, for files that do overlap: in the order they were added. The survivors stay in `all`, at its front, unsorted. */
static size_t drop_overlaps(struct symtab *t, struct ordered *all, size_t count)
{
    SCRATCH(uint64_t, bound, t->mem, 2 * count);
    SCRATCH(uint32_t, taken, t->mem, 2 * count + 1);
    size_t kept = 0;
    if (!bound || !taken) {
        t->failed = true;
        return 0;
    }
    struct cells c = { .bound = bound, .taken = taken };
    for (size_t i = 0; i < count; i++) bound[2 * i] = all[i].span.begin, bound[2 * i + 1] = all[i].span.end;
    sort_by(bound, 2 * count, sizeof *bound, by_number);
    for (size_t i = 0; i < 2 * count; i++)
        if (i == 0 || bound[i] != bound[c.count - 1]) bound[c.count++] = bound[i];
    sort_by(all, count, sizeof *all, by_order);
    for (size_t i = 0; i < count; i++)
        if (take_span(&c, &all[i].span)) all[kept++] = all[i];
    sort_by(all, kept, sizeof *all, by_begin);
    return kept;
}

void symtab_seal_first(struct symtab *t)
{
    size_t count = t->spans.len, kept = count;
    if (t->failed || !count) return;
    SCRATCH(struct ordered, all, t->mem, count);
    if (!sort_spans(t, all)) return;
    bool overlaps = false;
    for (size_t i = 1; i < count; i++) overlaps |= all[i].span.begin < all[i - 1].span.end;
    if (overlaps) kept = drop_overlaps(t, all, count);
    for (size_t i = 0; i < kept; i++) t->spans.at[i] = all[i].span;
    t->spans.len = kept;
    t->dropped = count - kept;
    vec_trim(t->mem, &t->spans);
}

/* A heap of the spans that are open, the one added last on top. */
struct heap {
    struct ordered *at;
    size_t len;
};

static void heap_push(struct heap *h, struct ordered item)
{
    size_t i = h->len++;
    for (; i > 0 && h->at[(i - 1) / 2].order < item.order; i = (i - 1) / 2) h->at[i] = h->at[(i - 1) / 2];
    h->at[i] = item;
}

static void heap_pop(struct heap *h)
{
    struct ordered item = h->at[--h->len];
    size_t i = 0;
    for (;;) {
        size_t child = 2 * i + 1;
        if (child >= h->len) break;
        if (child + 1 < h->len && h->at[child + 1].order > h->at[child].order) child++;
        if (h->at[child].order < item.order) break;
        h->at[i] = h->at[child];
        i = child;
    }
    h->at[i] = item;
}

static void put_piece(struct symtab *t, uint64_t begin, uint64_t end, uint32_t node)
{
    struct symtab_span *last = t->spans.len ? &t->spans.at[t->spans.len - 1] : NULL;
    if (last && last->end == begin && last->node == node)
        last->end = end;
    else
        symtab_span(t, begin, end, node);
}

/* Gives the pieces from `at` up to `until` to whoever is on top, ends taken into account. */
static void sweep(struct symtab *t, struct heap *h, uint64_t at, uint64_t until)
{
    while (h->len && at < until) {
        const struct symtab_span *s = &h->at[0].span;
        if (s->end <= at) {
            heap_pop(h);
            continue;
        }
        uint64_t end = s->end < until ? s->end : until;
        put_piece(t, at, end, s->node);
        at = end;
    }
}

void symtab_seal_last(struct symtab *t)
{
    size_t count = t->spans.len;
    if (t->failed || !count) return;
    SCRATCH(struct ordered, all, t->mem, count);
    if (!sort_spans(t, all)) return;
    SCRATCH(struct ordered, at, t->mem, count);
    struct heap h = { at, 0 };
    if (!at) t->failed = true;
    t->spans.len = 0;
    for (size_t i = 0; at && i < count; i++) {
        heap_push(&h, all[i]);
        sweep(t, &h, all[i].span.begin, i + 1 < count ? all[i + 1].span.begin : UINT64_MAX);
    }
    vec_trim(t->mem, &t->spans);
}

/* ---- asking ---- */

/* Both tables begin their rows with the address. */
static uint64_t address_at(const void *rows, size_t size, size_t i)
{
    uint64_t v;
    memcpy(&v, (const char *)rows + i * size, sizeof v);
    return v;
}

static void make_guide(struct symtab *t, struct symtab_guide *g, const void *rows, size_t size, size_t count)
{
    if (t->failed || g->pieces || count < 64 || count > UINT32_MAX) return;
    uint64_t base = address_at(rows, size, 0), length = address_at(rows, size, count - 1) - base;
    unsigned shift = 0;
    while (length >> shift >= count) shift++;
    size_t pieces = (size_t)(length >> shift) + 1;
    uint32_t *above = mem_zalloc(t->mem, pieces + 1, sizeof *above);
    if (!above) {
        t->failed = true;
        return;
    }
    for (size_t i = 0, piece = 0; piece <= pieces; piece++) {
        while (i < count && (address_at(rows, size, i) - base) >> shift < piece) i++;
        above[piece] = (uint32_t)i;
    }
    *g = (struct symtab_guide){ base, shift, above, pieces };
}

void symtab_guide(struct symtab *t)
{
    make_guide(t, &t->span_guide, t->spans.at, sizeof *t->spans.at, t->spans.len);
    make_guide(t, &t->row_guide, t->rows.at, sizeof *t->rows.at, t->rows.len);
}

/* How many rows begin at or below the address; each table is sorted by its first field. */
static size_t rows_below(const struct symtab_guide *g, const void *rows, size_t size, size_t count, uint64_t address)
{
    size_t low = 0, high = count;
    if (g->pieces && address >= g->base) {
        uint64_t piece = (address - g->base) >> g->shift;
        low = piece < g->pieces ? g->above[piece] : count;
        high = piece < g->pieces ? g->above[piece + 1] : count;
    }
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (address_at(rows, size, middle) <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

uint32_t symtab_node_at(const struct symtab *t, uint64_t address)
{
    size_t n = rows_below(&t->span_guide, t->spans.at, sizeof *t->spans.at, t->spans.len, address);
    return n && address < t->spans.at[n - 1].end ? t->spans.at[n - 1].node : 0;
}

const struct symtab_row *symtab_row_at(const struct symtab *t, uint64_t address)
{
    size_t n = rows_below(&t->row_guide, t->rows.at, sizeof *t->rows.at, t->rows.len, address);
    return n && t->rows.at[n - 1].file ? &t->rows.at[n - 1] : NULL;
}

bool symtab_lookup(const struct symtab *t, uint64_t address, struct symtab_chain *out)
{
    uint32_t node = symtab_node_at(t, address);
    const struct symtab_row *row = symtab_row_at(t, address);
    size_t count = 0;
    for (uint32_t n = node; n; n = t->nodes.at[n].parent) count++;
    if (!vec_reserve(out->mem, &out->list, count + 1)) return false;
    struct symbols_scope *end = out->list.at + out->list.len + count;
    for (uint32_t n = node; n; n = t->nodes.at[n].parent) *--end = t->nodes.at[n].scope;
    out->list.len += count;
    if (!row) return true;
    uint8_t relation = count ? ASSAY_RELATION_LEXICAL : ASSAY_RELATION_CALL;
    out->list.at[out->list.len++] = (struct symbols_scope){ .kind = ASSAY_NODE_LINE, .relation = relation, .file = row->file, .line = row->line };
    return true;
}

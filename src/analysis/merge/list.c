/* Lists of the merger: lines and branches of one file, by line and key. An input mostly has the same lines as those before it: then its
 * counts are added where they stand; else a new list of both takes the place of the old one. */
#include "analysis/merge/merge.h"
#include "base/cancel.h"
#include "base/order.h"
#include "base/sort.h"

/* ---- counts ---- */

uint64_t merge_add(struct assay_merger *m, uint64_t a, uint64_t b)
{
    uint64_t sum;
    if (!__builtin_add_overflow(a, b, &sum)) return sum;
    m->is_saturated = true;
    return UINT64_MAX;
}

static bool make_counts(struct mem *mem, struct merge_counts *c, size_t count, bool is_wide)
{
    *c = (struct merge_counts){ NULL, NULL };
    if (is_wide)
        c->wide = mem_alloc(mem, count * sizeof *c->wide);
    else
        c->narrow = mem_alloc(mem, count * sizeof *c->narrow);
    return c->wide || c->narrow;
}

static void free_counts(struct mem *mem, struct merge_counts *c, size_t count)
{
    mem_free(mem, c->narrow, count * sizeof *c->narrow);
    mem_free(mem, c->wide, count * sizeof *c->wide);
    *c = (struct merge_counts){ NULL, NULL };
}

static bool widen(struct mem *mem, struct merge_counts *c, size_t count)
{
    uint64_t *wide = mem_alloc(mem, count * sizeof *wide);
    if (!wide) return false;
    for (size_t i = 0; i < count; i++) wide[i] = c->narrow[i];
    mem_free(mem, c->narrow, count * sizeof *c->narrow);
    *c = (struct merge_counts){ NULL, wide };
    return true;
}

static bool set_count(struct mem *mem, struct merge_list *l, size_t i, uint64_t v)
{
    if (!l->hits.wide && v > UINT32_MAX && !widen(mem, &l->hits, l->count)) return false;
    if (l->hits.wide)
        l->hits.wide[i] = v;
    else
        l->hits.narrow[i] = (uint32_t)v;
    return true;
}

/* ---- rows of one input ---- */

static uint64_t place(const struct merge_row *r) { return (uint64_t)r->line << 32 | r->key; }

static int by_place(const void *x, const void *y)
{
    uint64_t a = place(x), b = place(y);
    return ORDER(a, b);
}

/* In order, each place once; returns how many are left. */
static size_t fold(struct assay_merger *m, const struct merge_kind *kind, struct merge_row *rows, size_t count)
{
    size_t i = 1, n = 0;
    while (i < count && place(&rows[i - 1]) < place(&rows[i])) i++;
    if (i >= count) return count;
    sort_by(rows, count, sizeof *rows, by_place);
    for (i = 0; i < count; i++) {
        if (n && place(&rows[n - 1]) == place(&rows[i])) {
            struct merge_row *to = &rows[n - 1];
            to->hits = merge_add(m, to->hits, rows[i].hits);
            to->flags = kind->within(to->flags, rows[i].flags);
            to->text = merge_smaller(m, to->text, rows[i].text);
        } else
            rows[n++] = rows[i];
    }
    return n;
}

/* ---- lists ---- */

void merge_list_free(struct mem *mem, struct merge_list *l)
{
    size_t n = l->count;
    mem_free(mem, l->line, n * sizeof *l->line);
    mem_free(mem, l->key, n * sizeof *l->key);
    free_counts(mem, &l->hits, n);
    mem_free(mem, l->flags, n * sizeof *l->flags);
    mem_free(mem, l->text, n * sizeof *l->text);
    *l = (struct merge_list){ 0 };
}

/* Which columns there must be. */
struct columns_used {
    bool keys, flags, texts, is_wide;
};

static struct columns_used columns_used(const struct merge_list *l, const struct merge_row *rows, size_t count)
{
    struct columns_used u = { l->key != NULL, l->flags != NULL, l->text != NULL, l->hits.wide != NULL };
    for (size_t i = 0; i < count; i++) {
        u.keys |= rows[i].key != 0;
        u.flags |= rows[i].flags != 0;
        u.texts |= rows[i].text != 0;
        u.is_wide |= rows[i].hits > UINT32_MAX;
    }
    return u;
}

static bool make_list(struct mem *mem, struct merge_list *l, size_t count, struct columns_used u)
{
    *l = (struct merge_list){ .count = (uint32_t)count };
    l->line = mem_alloc(mem, count * sizeof *l->line);
    if (u.keys) l->key = mem_zalloc(mem, count, sizeof *l->key);
    if (u.flags) l->flags = mem_zalloc(mem, count, sizeof *l->flags);
    if (u.texts) l->text = mem_zalloc(mem, count, sizeof *l->text);
    return make_counts(mem, &l->hits, count, u.is_wide) && l->line && (l->key || !u.keys) && (l->flags || !u.flags) && (l->text || !u.texts);
}

static uint64_t place_at(const struct merge_list *l, size_t i) { return (uint64_t)l->line[i] << 32 | MERGE_AT(l->key, i); }

static bool has_same_places(const struct merge_list *l, const struct merge_row *rows, size_t count)
{
    if (l->count != count) return false;
    for (size_t i = 0; i < count; i++)
        if (place_at(l, i) != place(&rows[i])) return false;
    return true;
}

static int join_text(struct merge_input *in, struct merge_list *l, size_t i, const struct merge_row *row)
{
    if (!row->text) return 0;
    if (l->text[i] && l->text[i] != row->text) {
        if (in->m->options.strict)
            FAIL(in->err, ASSAY_ERR_DAMAGED, "cannot be merged with earlier inputs: line %u of a file has a different checksum", row->line);
        l->has_versions = true;
    }
    l->text[i] = merge_smaller(in->m, l->text[i], row->text);
    return 0;
}

/* Counts of the same places, all at once. false = one does not fit any longer, or no memory; nothing was added then. */
static bool add_counts(struct mem *mem, struct merge_list *l, const struct merge_row *rows, size_t count)
{
    uint64_t high = 0, sum;
    bool is_over = false;
    for (size_t i = 0; l->hits.narrow && i < count; i++) high |= (l->hits.narrow[i] + rows[i].hits) | rows[i].hits;
    if (high > UINT32_MAX && !widen(mem, &l->hits, l->count)) return false;
    if (l->hits.narrow) {
        for (size_t i = 0; i < count; i++) l->hits.narrow[i] += (uint32_t)rows[i].hits;
        return true;
    }
    for (size_t i = 0; i < count; i++) is_over |= __builtin_add_overflow(l->hits.wide[i], rows[i].hits, &sum);
    for (size_t i = 0; !is_over && i < count; i++) l->hits.wide[i] += rows[i].hits;
    return !is_over;
}

/* Adds a row to the one at its place. */
static int join(struct merge_input *in, struct merge_list *l, const struct merge_kind *kind, size_t i, const struct merge_row *row)
{
    uint64_t had = merge_count(&l->hits, (uint32_t)i);
    if (!set_count(&in->m->mem, l, i, merge_add(in->m, had, row->hits))) return error_memory(in->err);
    if (l->flags) l->flags[i] = kind->across(l->flags[i], row->flags);
    return l->text ? join_text(in, l, i, row) : 0;
}

static void put(struct merge_list *to, size_t i, const struct merge_row *row)
{
    to->line[i] = row->line;
    if (to->key) to->key[i] = row->key;
    if (to->flags) to->flags[i] = row->flags;
    if (to->text) to->text[i] = row->text;
    if (to->hits.wide)
        to->hits.wide[i] = row->hits;
    else
        to->hits.narrow[i] = (uint32_t)row->hits;
}

static struct merge_row row_at(const struct merge_list *l, size_t i)
{
    return (struct merge_row){ merge_count(&l->hits, (uint32_t)i), l->line[i], MERGE_AT(l->key, i), MERGE_AT(l->text, i), MERGE_AT(l->flags, i) };
}

/* The next row of either side; UINT64_MAX, which no row has, when there is none. */
static uint64_t next_old(const struct merge_list *l, size_t i) { return i < l->count ? place_at(l, i) : UINT64_MAX; }
static uint64_t next_new(const struct merge_row *rows, size_t count, size_t i) { return i < count ? place(&rows[i]) : UINT64_MAX; }

static size_t union_count(const struct merge_list *l, const struct merge_row *rows, size_t count)
{
    size_t a = 0, b = 0, n = 0;
    for (; a < l->count || b < count; n++) {
        uint64_t x = next_old(l, a), y = next_new(rows, count, b);
        a += x <= y;
        b += y <= x;
    }
    return n;
}

/* The first rows of a list. */
static int begin(struct merge_input *in, struct merge_list *l, const struct merge_row *rows, size_t count)
{
    struct merge_list made = { 0 };
    if (count > UINT32_MAX || !make_list(&in->m->mem, &made, count, columns_used(l, rows, count))) {
        merge_list_free(&in->m->mem, &made);
        return error_memory(in->err);
    }
    for (size_t i = 0; i < count; i++) put(&made, i, &rows[i]);
    *l = made;
    return 0;
}

/* Both into a list of their own. A row that only one side has is as if the other had said nothing of it. */
static int unite(struct merge_input *in, struct merge_list *l, const struct merge_kind *kind, const struct merge_row *rows, size_t count)
{
    struct merge_list made = { 0 };
    size_t a = 0, b = 0, n = union_count(l, rows, count);
    int rc = n <= UINT32_MAX && make_list(&in->m->mem, &made, n, columns_used(l, rows, count)) ? 0 : error_memory(in->err);
    made.has_versions = l->has_versions;
    for (size_t i = 0; rc == 0 && i < n; i++) {
        uint64_t x = next_old(l, a), y = next_new(rows, count, b);
        struct merge_row row = x <= y ? row_at(l, a) : rows[b];
        put(&made, i, &row);
        if (x == y) rc = join(in, &made, kind, i, &rows[b]);
        a += x <= y;
        b += y <= x;
    }
    merge_list_free(&in->m->mem, rc == 0 ? l : &made);
    if (rc == 0) *l = made;
    return rc;
}

int merge_list_add(struct merge_input *in, struct merge_list *list, const struct merge_kind *kind, struct merge_row *rows, size_t count)
{
    size_t n = fold(in->m, kind, rows, count);
    if (n == 0) return 0;
    if (list->count == 0) return begin(in, list, rows, n);
    if (!has_same_places(list, rows, n)) return unite(in, list, kind, rows, n);
    struct columns_used u = columns_used(list, rows, n);
    if (u.flags != (list->flags != NULL) || u.texts != (list->text != NULL)) return unite(in, list, kind, rows, n);
    bool is_added = add_counts(&in->m->mem, list, rows, n);
    for (size_t i = 0; is_added && list->flags && i < n; i++) list->flags[i] = kind->across(list->flags[i], rows[i].flags);
    for (size_t i = 0; is_added && list->text && i < n; i++) {
        TRY(cancel_step(i, in->err));
        TRY(join_text(in, list, i, &rows[i]));
    }
    for (size_t i = 0; !is_added && i < n; i++) {
        TRY(cancel_step(i, in->err));
        TRY(join(in, list, kind, i, &rows[i]));
    }
    return 0;
}

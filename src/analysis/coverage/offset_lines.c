/* Where each line begins and ends is counted once in UTF-16 units, the offsets of V8, from the UTF-8 of the source; then lines are found by bisection. A
 * byte order mark has no offset. See offset_lines.h. */
#include "analysis/coverage/offset_lines.h"

#include "base/order.h"
#include "base/slice.h"
#include "base/sort.h"

/* ---- where lines are ---- */

/* UTF-16 code units of UTF-8: one for each character, two for those beyond the first plane. */
static uint32_t units(const char *at, const char *end)
{
    uint32_t n = 0;
    for (; at < end; at++) {
        unsigned char c = (unsigned char)*at;
        n += (c & 0xC0) != 0x80;
        n += c >= 0xF0;
    }
    return n;
}

static bool is_blank(assay_slice s)
{
    for (size_t i = 0; i < s.len; i++)
        if (s.data[i] != ' ' && (s.data[i] < '\t' || s.data[i] > '\r')) return false;
    return true;
}

bool offset_text_make(struct offset_text *t, const struct source_text *source, struct mem *mem)
{
    uint32_t count = (uint32_t)source->lines.len, at = 0;
    *t = (struct offset_text){ .at = mem_zalloc(mem, (size_t)count + 1, sizeof *t->at), .room = count + 1 };
    if (!t->at) return false;
    for (uint32_t i = 0; i < count; i++) {
        assay_slice line = source->lines.at[i];
        if (i == 0 && slice_starts(line, "\xEF\xBB\xBF")) line = (assay_slice){ line.data + 3, line.len - 3 };
        t->at[i] = (struct offset_line){ at, at + units(line.data, line.data + line.len) };
        if (!is_blank(line)) t->count = i + 1;
        const char *end = i + 1 < count ? source->lines.at[i + 1].data : source->end;
        at += units(line.data, end);
    }
    t->units = at;
    return true;
}

void offset_text_done(struct offset_text *t, struct mem *mem)
{
    mem_free(mem, t->at, t->room * sizeof *t->at);
    *t = (struct offset_text){ .at = NULL };
}

/* The number of lines that end at or before `offset`. */
static uint32_t ended(const struct offset_text *t, uint64_t offset)
{
    uint32_t low = 0, high = t->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (t->at[middle].end <= offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The number of lines that begin at or before `offset`. */
static uint32_t begun(const struct offset_text *t, uint64_t offset)
{
    uint32_t low = 0, high = t->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (t->at[middle].begin <= offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

struct offset_place offset_text_place(const struct offset_text *t, uint64_t first, uint64_t last)
{
    uint32_t line = ended(t, first) + 1, end_line = begun(t, last);
    if (line > t->count || line > end_line) return (struct offset_place){ 0, 0, 0, 0 };
    const struct offset_line *begin = &t->at[line - 1], *end = &t->at[end_line - 1];
    if (last > end->end) last = end->end;
    return (struct offset_place){ line, first > begin->begin ? (uint32_t)first - begin->begin + 1 : 1, end_line, (uint32_t)last - end->begin + 1 };
}

/* ---- ranges ---- */

static int by_place(const void *x, const void *y)
{
    const struct offset_range *a = x, *b = y;
    ORDER_BY(a->first, b->first);
    ORDER_BY(b->last, a->last);
    return ORDER(a->order, b->order);
}

/* The ranges of one function, r[0] being the function: who lies in whom, and neighbours that are one. */
static void find_neighbours(struct offset_range *r, uint32_t count)
{
    uint32_t open = 0;
    for (uint32_t i = 1; i < count; i++) {
        while (open && r[i].first >= r[open].last) open = r[open].parent;
        uint32_t before = r[open].last_child;
        if (before && r[before].last == r[i].first && r[before].hits == r[i].hits) {
            r[before].last = r[i].last;
            r[i].is_gone = true;
            open = before;
        } else {
            r[i].parent = open;
            r[open].last_child = i;
            r[open].children++;
            open = i;
        }
    }
}

static void join_function(struct offset_range *r, uint32_t count)
{
    sort_by(r, count, sizeof *r, by_place);
    find_neighbours(r, count);
    for (uint32_t i = count; i-- > 1;) {
        struct offset_range *around = &r[r[i].parent];
        if (r[i].is_gone || around->children != 1 || around->first != r[i].first || around->last != r[i].last) continue;
        around->hits = r[i].hits;
        r[i].is_gone = true;
    }
}

size_t offset_ranges_join(struct offset_range *r, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        r[i].order = (uint32_t)i;
        r[i].parent = r[i].last_child = r[i].children = 0;
        r[i].is_gone = false;
    }
    for (size_t begin = 0, end; begin < count; begin = end) {
        for (end = begin + 1; end < count && r[end].func == r[begin].func;) end++;
        join_function(r + begin, (uint32_t)(end - begin));
    }
    for (size_t i = 0; i < count; i++)
        if (!r[i].is_gone) r[kept++] = r[i];
    if (kept) sort_by(r, kept, sizeof *r, by_place);
    return kept;
}

/* ---- lines ---- */

bool offset_hits_init(struct offset_hits *h, const struct offset_text *t, struct mem *mem)
{
    size_t count = (size_t)t->count + 1;
    *h = (struct offset_hits){ .hits = mem_zalloc(mem, count, sizeof *h->hits) };
    h->is_partial = mem_zalloc(mem, count, 1);
    h->next = mem_zalloc(mem, count, sizeof *h->next);
    h->run_hits = mem_zalloc(mem, count, sizeof *h->run_hits);
    h->run_partial = mem_zalloc(mem, count, 1);
    return h->hits && h->is_partial && h->next && h->run_hits && h->run_partial;
}

void offset_hits_done(struct offset_hits *h, const struct offset_text *t, struct mem *mem)
{
    size_t count = (size_t)t->count + 1;
    mem_free(mem, h->hits, count * sizeof *h->hits);
    mem_free(mem, h->is_partial, count);
    mem_free(mem, h->next, count * sizeof *h->next);
    mem_free(mem, h->run_hits, count * sizeof *h->run_hits);
    mem_free(mem, h->run_partial, count);
}

/* The first line from `line` on that has no figure yet. */
static uint32_t open_line(uint32_t *next, uint32_t line)
{
    while (next[line] != line) {
        next[line] = next[next[line]];
        line = next[line];
    }
    return line;
}

/* The innermost range that holds a whole line counts, so the last ones come first. */
static void paint(struct offset_hits *h, const struct offset_text *t, const struct offset_range *r)
{
    uint32_t line = ended(t, r->first), to = ended(t, r->last);
    if (line < t->count && t->at[line].begin < r->first) line++;
    for (line = open_line(h->next, line); line < to; line = open_line(h->next, line)) {
        h->run_hits[line] = r->hits;
        h->next[line] = line + 1;
    }
}

static void mark_parts(struct offset_hits *h, const struct offset_text *t, const struct offset_range *r)
{
    struct offset_place p = offset_text_place(t, r->first, r->last);
    if (r->hits || !p.line) return;
    const uint32_t ends[2] = { p.line, p.end_line };
    for (int i = 0; i < 2; i++)
        if (h->run_hits[ends[i] - 1] && r->last > t->at[ends[i] - 1].begin) h->run_partial[ends[i] - 1] = 1;
}

void offset_hits_add(struct offset_hits *h, const struct offset_text *t, const struct offset_range *r, size_t count)
{
    for (uint32_t i = 0; i <= t->count; i++) h->next[i] = i;
    for (uint32_t i = 0; i < t->count; i++) {
        h->run_hits[i] = 1;
        h->run_partial[i] = 0;
    }
    for (size_t i = count; i-- > 0;) paint(h, t, &r[i]);
    for (size_t i = 0; i < count; i++) mark_parts(h, t, &r[i]);
    for (uint32_t i = 0; i < t->count; i++) {
        if (__builtin_add_overflow(h->hits[i], h->run_hits[i], &h->hits[i])) h->hits[i] = UINT64_MAX;
        h->is_partial[i] = h->run_partial[i] && (!h->runs || h->is_partial[i]);
    }
    h->runs++;
}

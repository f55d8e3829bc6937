/* Parts of sources; see source.h. Lines without a hit and functions without a call are marked; a chunk is a mark with the lines around it, and chunks that
 * meet are one. A source without any mark is shown whole. */
#include "store/source.h"

#include "base/order.h"
#include "base/scoped.h"
#include "base/sort.h"

enum { AROUND = 3 };

void source_init(struct source *s, struct mem *mem)
{
    *s = (struct source){ .mem = mem };
    arena_init(&s->text, mem);
}

void source_done(struct source *s)
{
    vec_done(s->mem, &s->lines, &s->chunks, &s->functions);
    arena_done(&s->text);
}

bool source_count(const struct cov_lines *lines, uint32_t line, uint32_t *hits)
{
    size_t low = 0, high = lines ? lines->count : 0;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (lines->at[middle].line == line) return *hits = lines->at[middle].hits, true;
        if (lines->at[middle].line < line)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

static int split(struct source *s, assay_slice text, assay_error *err)
{
    for (const char *at = text.data, *end = text.data + text.len; text.len && at < end;) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        assay_slice *line = vec_push(s->mem, &s->lines);
        if (!line) return error_memory(err);
        *line = slice_from(at, newline ? newline : end);
        if (line->len && line->data[line->len - 1] == '\r') line->len--;
        at = newline ? newline + 1 : end;
    }
    return 0;
}

/* ---- functions ---- */

static bool same_place(const struct cov_function *a, const struct cov_function *b)
{
    return a->first_line == b->first_line && a->first_column == b->first_column && a->last_line == b->last_line && a->last_column == b->last_column;
}

static int by_line(const void *a, const void *b)
{
    const struct source_function *x = a, *y = b;
    return ORDER(x->line, y->line);
}

/* Functions of one line with one name are one; kept in their order otherwise. */
static int add_function(struct source *s, uint32_t line, const char *name, uint32_t count, assay_error *err)
{
    for (size_t i = s->functions.len; i > 0 && s->functions.at[i - 1].line == line; i--)
        if (strcmp(s->functions.at[i - 1].name, name) == 0) {
            s->functions.at[i - 1].count += count;
            return 0;
        }
    struct source_function *f = vec_push(s->mem, &s->functions);
    if (!f) return error_memory(err);
    *f = (struct source_function){ line, count, name };
    return 0;
}

static int take_functions(struct source *s, const struct cov_functions *functions, source_name_fn name, void *arg, assay_error *err)
{
    for (size_t i = 0; i < functions->count; i++) {
        const struct cov_function *f = &functions->at[i];
        const char *shown = name(arg, f->demangled.len ? f->demangled : f->name, &s->text);
        if (!shown) return error_memory(err);
        TRY(add_function(s, f->first_line ? f->first_line : 1, shown, f->count, err));
    }
    /* A hostile list need not be in order. */
    for (size_t i = 1; i < s->functions.len; i++)
        if (s->functions.at[i].line < s->functions.at[i - 1].line) {
            sort_by(s->functions.at, s->functions.len, sizeof *s->functions.at, by_line);
            break;
        }
    s->has_counts = s->functions.len > 0;
    for (size_t i = 0; i < s->functions.len; i++)
        if (s->functions.at[i].count > s->widest_count) s->widest_count = s->functions.at[i].count;
    return 0;
}

/* ---- chunks ---- */

struct marks {
    VEC(uint32_t) at;
};

static int mark(struct source *s, struct marks *m, uint32_t line, assay_error *err)
{
    uint32_t *at = vec_push(s->mem, &m->at);
    if (!at) return error_memory(err);
    *at = line;
    return 0;
}

static int mark_missed(struct source *s, struct marks *m, const struct cov_lines *lines, const struct cov_functions *functions, assay_error *err)
{
    for (size_t i = 0; lines && i < lines->count; i++)
        if (!lines->at[i].hits) TRY(mark(s, m, lines->at[i].line, err));
    for (size_t i = 0, end; functions && i < functions->count; i = end) {
        uint64_t sum = 0;
        for (end = i; end < functions->count && same_place(&functions->at[i], &functions->at[end]); end++) sum += functions->at[end].count;
        if (!sum) TRY(mark(s, m, functions->at[i].first_line ? functions->at[i].first_line : 1, err));
    }
    return 0;
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return ORDER(x, y);
}

static int add_chunk(struct source *s, uint32_t first, uint32_t last, assay_error *err)
{
    struct source_chunk *back = s->chunks.len ? &s->chunks.at[s->chunks.len - 1] : NULL;
    if (back && first <= back->last + AROUND) {
        if (last > back->last) back->last = last;
        return 0;
    }
    struct source_chunk *c = vec_push(s->mem, &s->chunks);
    if (!c) return error_memory(err);
    *c = (struct source_chunk){ first, last };
    return 0;
}

static int make_chunks(struct source *s, struct marks *m, assay_error *err)
{
    uint32_t count = s->lines.len < UINT32_MAX - AROUND ? (uint32_t)s->lines.len : UINT32_MAX - AROUND;
    if (m->at.len) sort_by(m->at.at, m->at.len, sizeof *m->at.at, by_number);
    for (size_t i = 0; i < m->at.len && m->at.at[i] <= count; i++) {
        uint32_t line = m->at.at[i];
        TRY(add_chunk(s, line > AROUND ? line - AROUND : 1, line + AROUND, err));
    }
    return !s->chunks.len ? add_chunk(s, 1, UINT32_MAX - AROUND, err) : 0;
}

static void widen(struct source *s, const struct cov_lines *lines)
{
    size_t chunk = 0;
    for (size_t i = 0; lines && i < lines->count; i++) {
        while (chunk < s->chunks.len && s->chunks.at[chunk].last < lines->at[i].line) chunk++;
        bool is_shown = chunk < s->chunks.len && s->chunks.at[chunk].first <= lines->at[i].line;
        s->has_counts = s->has_counts || is_shown;
        if (is_shown && lines->at[i].hits > s->widest_count) s->widest_count = lines->at[i].hits;
    }
}

/* Counts past the end of the text make their column wider, but there is nothing to show. */
static void clip(struct source *s)
{
    struct source_chunk *last = &s->chunks.at[s->chunks.len - 1];
    if (last->last > s->lines.len) last->last = (uint32_t)s->lines.len;
    if (last->last < last->first) s->chunks.len--;
}

int source_view(struct source *s, assay_slice text, const struct cov_lines *lines, const struct cov_functions *functions, source_name_fn name, void *arg,
                assay_error *err)
{
    struct marks m = { 0 };
    vec_scoped(s->mem, &m.at);
    TRY(split(s, text, err));
    if (functions) TRY(take_functions(s, functions, name, arg, err));
    TRY(mark_missed(s, &m, lines, functions, err));
    TRY(make_chunks(s, &m, err));
    widen(s, lines);
    clip(s);
    return 0;
}

/* Records of gcov's texts -> rows. Rows of a section repeat the sums above them and count only in checks; its functions and branches count, each of
 * its own function. Branches given as percentages and calls become sums (n of m) of their line. */
#include <inttypes.h>
#include <stdio.h>

#include "base/order.h"
#include "base/sort.h"
#include "formats/gcov-text/decode.h"

/* ---- n of m ---- */

static int by_line(const void *x, const void *y)
{
    const struct gcov_outcome *a = x, *b = y;
    ORDER_BY(a->line, b->line);
    return a->is_call - b->is_call;
}

static int give_sums(struct gcov_decoder *g)
{
    static const char *const kinds[2] = { "branches", "calls" };
    struct gcov_outcome *at = g->outcomes.at;
    if (g->outcomes.len) sort_by(at, g->outcomes.len, sizeof *at, by_line);
    for (size_t i = 0, next; i < g->outcomes.len; i = next) {
        uint32_t hit = 0, *kind = &g->kinds[at[i].is_call];
        for (next = i; next < g->outcomes.len && by_line(&at[i], &at[next]) == 0; next++) hit += at[next].hit;
        struct coverage_row *row = coverage_add_row(g->d, COVERAGE_SUM, 0, 0);
        if (!row) return ASSAY_ERR_MEMORY;
        if (!*kind && !(*kind = coverage_name(g->d, kinds[at[i].is_call]))) return error_memory(g->d->err);
        row->name = *kind;
        row->line = at[i].line;
        row->index = hit;
        row->group = (uint32_t)(next - i);
    }
    g->outcomes.len = 0;
    return 0;
}

static int add_outcome(struct gcov_decoder *g, const struct gcov_record *r)
{
    struct gcov_outcome *o = vec_push(g->d->mem, &g->outcomes);
    if (!o) return error_memory(g->d->err);
    *o = (struct gcov_outcome){ r->line, r->count > 0, r->kind == GCOV_CALL };
    return 0;
}

/* The place of a branch among those of its line, from 0; the intermediate text does not number them. */
static int ordinal(struct gcov_decoder *g, uint32_t line, uint32_t *out)
{
    uint64_t hash = hash_mix(g->part, line);
    for (struct index_walk w = index_walk(&g->ordinal_index, hash); index_next(&g->ordinal_index, &w);) {
        struct gcov_ordinal *o = &g->ordinals.at[w.id - 1];
        if (o->part != g->part || o->line != line) continue;
        *out = o->count++;
        return 0;
    }
    struct gcov_ordinal *o = vec_push(g->d->mem, &g->ordinals);
    if (!o) return error_memory(g->d->err);
    *o = (struct gcov_ordinal){ g->part, line, 1 };
    *out = 0;
    return index_add(&g->ordinal_index, hash, (uint32_t)g->ordinals.len) ? 0 : error_memory(g->d->err);
}

/* ---- records ---- */

static int add(struct gcov_decoder *g, enum coverage_row_kind kind, const struct gcov_record *r, size_t before, struct coverage_row **out)
{
    struct coverage_row *row = coverage_add_row(g->d, kind, r->off, r->number);
    if (!row) return ASSAY_ERR_MEMORY;
    row->marks = (uint32_t)before;
    row->line = r->line;
    row->count = r->count;
    row->flags = r->flags;
    *out = row;
    return 0;
}

static int branch(struct gcov_decoder *g, const struct gcov_record *r, size_t before)
{
    struct coverage_row *row;
    uint32_t index = r->index;
    if (g->d->use == COVERAGE_FOR_CHECK && !r->is_percent) return 0;
    if (g->d->use == COVERAGE_FOR_READER && r->is_percent) return add_outcome(g, r);
    if (g->is_intermediate) TRY(ordinal(g, r->line, &index));
    TRY(add(g, COVERAGE_BRANCH, r, before, &row));
    row->index = index;
    row->is_percent = r->is_percent;
    if (g->in_section) row->func = g->func;
    return 0;
}

static int function(struct gcov_decoder *g, const struct gcov_record *r, size_t before)
{
    struct coverage_row *row;
    TRY(add(g, COVERAGE_FUNCTION, r, before, &row));
    row->end_line = r->end_line;
    row->name = g->func = intern_put(&g->d->names, r->name);
    return row->name ? 0 : error_memory(g->d->err);
}

static int record(struct gcov_decoder *g, const struct gcov_record *r, const char *name, assay_slice text, size_t before)
{
    struct coverage_row *row;
    if (g->d->use != COVERAGE_FOR_DUMP) return 0;
    TRY(add(g, COVERAGE_RECORD, r, before, &row));
    row->name = coverage_name(g->d, name);
    row->text = text.len ? intern_put(&g->d->names, text) : 0;
    return row->name && (row->text || !text.len) ? 0 : error_memory(g->d->err);
}

static int code_line(struct gcov_decoder *g, const struct gcov_record *r, size_t before)
{
    struct coverage_row *row;
    bool is_first = !g->has_rows;
    g->has_rows = true;
    if (!r->is_code && g->d->use == COVERAGE_FOR_CHECK && is_first) return add(g, COVERAGE_RECORD, r, before, &row);
    if (!r->is_code) return record(g, r, "line without code", (assay_slice){ NULL, 0 }, before);
    if (g->in_section && g->d->use == COVERAGE_FOR_READER) return 0;
    TRY(add(g, COVERAGE_LINE, r, before, &row));
    row->of_function = g->in_section;
    g->negative += r->was_negative;
    return 0;
}

static int call(struct gcov_decoder *g, const struct gcov_record *r, size_t before)
{
    char text[64];
    if (g->d->use == COVERAGE_FOR_READER) return add_outcome(g, r);
    if (r->flags & ASSAY_COVERAGE_BRANCH_NOT_EVALUATED)
        snprintf(text, sizeof text, "number %" PRIu32 " never executed", r->index);
    else
        snprintf(text, sizeof text, "number %" PRIu32 " returned %" PRIu64 "%s", r->index, r->count, r->is_percent ? "%" : "");
    return record(g, r, "call", slice_of(text), before);
}

static int source(struct gcov_decoder *g, const struct gcov_record *r, size_t before)
{
    struct coverage_row *row;
    TRY(give_sums(g));
    TRY(add(g, COVERAGE_FILE, r, before, &row));
    g->part++;
    g->in_section = g->has_rows = false;
    row->name = intern_put(&g->d->names, r->name);
    return row->name ? 0 : error_memory(g->d->err);
}

static int header(struct gcov_decoder *g, const struct gcov_record *r, size_t before)
{
    struct coverage_row *row;
    if (g->d->use == COVERAGE_FOR_CHECK) return 0;
    TRY(add(g, COVERAGE_ATTRIBUTE, r, before, &row));
    row->name = intern_put(&g->d->names, r->name);
    row->text = intern_put(&g->d->names, r->value);
    return row->name && row->text ? 0 : error_memory(g->d->err);
}

int gcov_give(struct gcov_decoder *g, const struct gcov_record *r, size_t before)
{
    if (!g->d->take) return 0; /* a check that only looks for damage */
    switch (r->kind) {
    case GCOV_HEADER: return header(g, r, before);
    case GCOV_SOURCE: return source(g, r, before);
    case GCOV_LINE: return code_line(g, r, before);
    case GCOV_FUNCTION: return g->d->use == COVERAGE_FOR_CHECK ? 0 : function(g, r, before);
    case GCOV_BRANCH: return branch(g, r, before);
    case GCOV_CALL: return g->d->use == COVERAGE_FOR_CHECK ? 0 : call(g, r, before);
    case GCOV_SECTION: g->func = 0; return record(g, r, "section", r->name, before);
    case GCOV_SECTION_END: return record(g, r, "end of section", (assay_slice){ NULL, 0 }, before);
    case GCOV_OTHER: break;
    }
    const struct line l = { .off = r->off, .number = r->number };
    return g->d->use == COVERAGE_FOR_DUMP && r->text.len ? coverage_add_text(g->d, &l, r->text, before) : 0;
}

int gcov_give_end(struct gcov_decoder *g)
{
    TRY(give_sums(g));
    return g->negative && g->d->use == COVERAGE_FOR_READER ? coverage_count(g->d, "negative", g->negative) : 0;
}

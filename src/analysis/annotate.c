/* A source beside what was measured of it; see annotate.h. */
#include "analysis/annotate.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/path.h"

enum { CONTEXT = 2 };

#define ID(column, i) ((column) ? (column)[i].v : 0)
#define AT(column, i) ((column) ? (column)[i] : 0)

/* ---- the whole ---- */

static int add_folder(struct source_paths *s, const char *folder, assay_error *err)
{
    const char **slot = vec_push(s->mem, &s->sources);
    if (!slot || !(*slot = path_normal(&s->text, slice_of(folder)))) return error_memory(err);
    return 0;
}

int annotate_init(struct annotate *a, const assay_profile *p, const struct assay_filter *filter, const char *folder, struct mem *mem, assay_error *err)
{
    memset(a, 0, sizeof *a);
    a->mem = a->text.mem = a->paths.mem = a->view.mem = mem;
    a->profile = p;
    a->files = assay_profile_files(p)->count;
    a->has_coverage = (assay_profile_shapes(p) & ASSAY_SHAPE_COVERAGE) != 0;
    TRY(source_paths_init(&a->paths, p, filter, mem, err));
    if (folder) TRY(add_folder(&a->paths, folder, err));
    TRY(coverage_view_init(&a->view, mem, p, err));
    a->by_file = mem_zalloc(mem, (size_t)a->files + 1, sizeof *a->by_file);
    assay_cov_counts whole;
    if (!a->by_file) return error_memory(err);
    TRY(assay_coverage_count(p, &whole, a->by_file, err));
    TRY(annotate_cost_init(a, err));
    if (!a->has_coverage && !a->has_cost) FAIL(err, ASSAY_ERR_UNSUPPORTED, "it says nothing about lines of sources");
    return 0;
}

void annotate_done(struct annotate *a)
{
    annotate_cost_done(a);
    if (a->has_open_text) source_text_done(&a->text);
    vec_done(a->mem, &a->numbers);
    vec_done(a->mem, &a->rows);
    mem_free(a->mem, a->by_file, a->by_file ? ((size_t)a->files + 1) * sizeof *a->by_file : 0);
    if (a->view.profile) coverage_view_done(&a->view);
    if (a->paths.filter) source_paths_done(&a->paths);
}

static uint32_t rows_of(const struct view_table *t, uint32_t file) { return t->begin ? t->begin[file + 1] - t->begin[file] : 0; }

bool annotate_has(const struct annotate *a, uint32_t file)
{
    return rows_of(&a->view.line_table, file) || rows_of(&a->view.branch_table, file) || rows_of(&a->line_table, file) || rows_of(&a->cost_table, file) ||
           rows_of(&a->arc_table, file);
}

/* ---- one file: which lines there are ---- */

static bool add_number(struct annotate *a, uint32_t line)
{
    uint32_t *slot = vec_push(a->mem, &a->numbers);
    if (slot) *slot = line;
    return slot != NULL;
}

static int by_number(const void *x, const void *y)
{
    uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    return (a > b) - (a < b);
}

static bool add_row(struct annotate *a, uint32_t line, bool is_measured)
{
    struct annotate_row *row = vec_push(a->mem, &a->rows);
    if (!row) return false;
    *row = (struct annotate_row){ .line = line, .is_measured = is_measured };
    if (line && line <= a->text.lines.len) {
        row->has_text = true;
        row->text = a->text.lines.at[line - 1];
    }
    return true;
}

/* Every line of the source, and those that were measured without being there. */
static bool make_rows(struct annotate *a)
{
    const struct coverage_view *v = &a->view;
    size_t next = 0, lines = a->text.lines.len < UINT32_MAX ? a->text.lines.len : 0;
    for (size_t i = 0; i < v->lines.len; i++)
        if (!add_number(a, v->lines.at[i].line)) return false;
    for (size_t i = 0; i < v->functions.len; i++)
        if (v->functions.at[i].line && !add_number(a, v->functions.at[i].line)) return false;
    if (a->numbers.len) qsort(a->numbers.at, a->numbers.len, sizeof *a->numbers.at, by_number);
    for (uint32_t line = 0; line <= lines; line++) {
        bool is_measured = next < a->numbers.len && a->numbers.at[next] == line;
        while (next < a->numbers.len && a->numbers.at[next] == line) next++;
        if ((line || is_measured) && !add_row(a, line, is_measured)) return false;
    }
    for (; next < a->numbers.len; next++)
        if (a->rows.len == 0 || a->rows.at[a->rows.len - 1].line != a->numbers.at[next])
            if (!add_row(a, a->numbers.at[next], true)) return false;
    return true;
}

struct annotate_row *annotate_row_at(struct annotate *a, uint32_t line)
{
    size_t low = 0, high = a->rows.len;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (a->rows.at[middle].line < line)
            low = middle + 1;
        else
            high = middle;
    }
    return low < a->rows.len && a->rows.at[low].line == line ? &a->rows.at[low] : NULL;
}

/* ---- one file: what coverage says of them ---- */

static uint8_t state_of(const struct view_line *l)
{
    if (!l->is_code) return l->flags & ASSAY_COV_EXCLUDED ? ANNOTATE_EXCLUDED : ANNOTATE_NONE;
    if (l->flags & ASSAY_COV_UNKNOWN) return ANNOTATE_UNKNOWN;
    if (!l->hits) return ANNOTATE_MISSED;
    bool is_part = l->flags & (ASSAY_COV_PARTIAL | ASSAY_COV_UNEXECUTED_BLOCK) || l->branches_hit < l->branches || l->conditions_hit < l->conditions;
    return is_part ? ANNOTATE_PARTIAL : ANNOTATE_HIT;
}

static void fill_coverage(struct annotate *a)
{
    const struct coverage_view *v = &a->view;
    for (size_t i = 0; i < v->lines.len; i++) {
        struct annotate_row *row = annotate_row_at(a, v->lines.at[i].line);
        if (!row) continue;
        row->view = (uint32_t)i + 1;
        row->state = state_of(&v->lines.at[i]);
        row->hits = v->lines.at[i].hits;
        row->has_hits = v->lines.at[i].is_code;
    }
    for (size_t i = 0; i < v->functions.len; i++) {
        struct annotate_row *row = annotate_row_at(a, v->functions.at[i].line);
        if (!row) continue;
        if (!row->functions) row->function = (uint32_t)i;
        row->functions++;
    }
}

int annotate_file(struct annotate *a, uint32_t file, assay_error *err)
{
    a->rows.len = a->numbers.len = 0;
    if (a->has_open_text) source_text_done(&a->text);
    a->has_open_text = true;
    TRY(source_text_load(&a->text, &a->paths, a->profile, file, a->mem, err));
    TRY(coverage_view_file(&a->view, file, err));
    if (!annotate_cost_numbers(a, file) || !make_rows(a)) return error_memory(err);
    fill_coverage(a);
    return annotate_cost_fill(a, file, err);
}

/* ---- which rows are shown ---- */

static bool is_lacking(const struct annotate_row *row) { return row->state == ANNOTATE_MISSED || row->state == ANNOTATE_PARTIAL; }

static bool is_near_lack(const struct annotate *a, size_t i, uint32_t first, uint32_t last)
{
    size_t from = i < CONTEXT ? 0 : i - CONTEXT, to = i + CONTEXT < a->rows.len ? i + CONTEXT : a->rows.len - 1;
    for (size_t k = from; k <= to; k++) {
        const struct annotate_row *row = &a->rows.at[k];
        uint32_t apart = row->line < a->rows.at[i].line ? a->rows.at[i].line - row->line : row->line - a->rows.at[i].line;
        if (is_lacking(row) && apart <= CONTEXT && row->line >= first && row->line <= last) return true;
    }
    return false;
}

void annotate_select(struct annotate *a, uint32_t first, uint32_t last, enum annotate_fold fold)
{
    if (!last) last = UINT32_MAX;
    for (size_t i = 0; i < a->rows.len; i++) {
        struct annotate_row *row = &a->rows.at[i];
        row->is_shown = row->line >= first && row->line <= last && (fold == ANNOTATE_ALL || is_near_lack(a, i, first, last));
    }
}

/* ---- functions ---- */

static uint32_t next_function(const struct assay_funcs *f, uint32_t file, uint32_t line)
{
    uint32_t best = 0;
    for (uint32_t i = 1; i <= f->count; i++) {
        uint32_t first = AT(f->first_line, i);
        if (ID(f->file, i) == file && first > line && (!best || first < best)) best = first;
    }
    return best;
}

static void widen(uint32_t line, uint32_t *first, uint32_t *last)
{
    if (!line) return;
    if (!*first || line < *first) *first = line;
    if (line > *last) *last = line;
}

/* The lines where the function has cost or makes calls, in its own file. */
static void cost_range(const struct annotate *a, uint32_t func, uint32_t file, uint32_t *first, uint32_t *last)
{
    const struct assay_graph *g = annotate_graph(a);
    for (uint32_t i = 0; g && i < g->cost_count; i++)
        if (ID(g->cost_func, i) == func && ID(g->cost_file, i) == file) widen(AT(g->cost_line, i), first, last);
    for (uint32_t i = 0; g && i < g->arc_count; i++)
        if (ID(g->arc_caller, i) == func && ID(g->arc_file, i) == file) widen(AT(g->arc_line, i), first, last);
}

bool annotate_function(const struct annotate *a, uint32_t func, uint32_t *file, uint32_t *first, uint32_t *last)
{
    const struct assay_funcs *f = assay_profile_funcs(a->profile);
    *file = ID(f->file, func);
    *first = AT(f->first_line, func);
    *last = AT(f->last_line, func);
    if (!*file) return false;
    if (!*last) cost_range(a, func, *file, first, last);
    if (!*last && *first) {
        uint32_t next = next_function(f, *file, *first);
        *last = next ? next - 1 : 0;
    }
    return true;
}

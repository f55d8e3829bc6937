/* A source next to what was measured of it; see annotate.h. */
#include "analysis/annotate/annotate.h"

#include <math.h>
#include <string.h>

#include "base/cancel.h"
#include "base/error.h"
#include "base/number.h"
#include "base/order.h"
#include "base/path.h"
#include "base/sort.h"
#include "model/entry.h"

/* ---- the whole ---- */

static int add_folder(struct source_paths *s, const char *folder, assay_error *err)
{
    const char **slot = vec_push(s->mem, &s->sources);
    if (!slot || !(*slot = path_normal(&s->text, slice_of(folder)))) return error_memory(err);
    return 0;
}

static int take_coverage(struct annotate *a, assay_error *err)
{
    uint32_t files = assay_profile_files(a->coverage)->count;
    assay_coverage_counts whole;
    a->has_coverage = (assay_profile_shapes(a->coverage) & ASSAY_SHAPE_COVERAGE) != 0;
    TRY(coverage_view_init(&a->view, a->mem, a->coverage, err));
    a->by_file = mem_zalloc(a->mem, (size_t)files + 1, sizeof *a->by_file);
    return a->by_file ? assay_coverage_count(a->coverage, &whole, a->by_file, err) : error_memory(err);
}

static int init(struct annotate *a, const assay_profile *p, const assay_profile *coverage, const struct assay_filter *filter, const char *folder,
                bool calls_only, struct mem *mem, assay_error *err)
{
    memset(a, 0, sizeof *a);
    a->mem = a->text.mem = a->paths.mem = a->view.mem = mem;
    a->profile = p;
    a->coverage = coverage ? coverage : p;
    TRY(source_paths_init(&a->paths, p, filter, mem, err));
    if (a->coverage != p) TRY(source_paths_add(&a->paths, a->coverage, err));
    if (folder) TRY(add_folder(&a->paths, folder, err));
    TRY(take_coverage(a, err));
    TRY((calls_only ? line_costs_init_calls : line_costs_init)(&a->cost, p, mem, err));
    a->has_cost = a->cost.block ? a->cost.block->metric_count || assay_profile_shapes(p) & ASSAY_SHAPE_LINES : a->cost.calls_only && a->cost.calls_block;
    a->has_totals = a->cost.has_totals;
    if (!a->has_coverage && !a->has_cost) FAIL(err, ASSAY_ERR_UNSUPPORTED, "has no data about source lines");
    TRY(annotate_pair(a, err));
    a->paths.by_name = true; /* only now: two files of one name are not the same file */
    return 0;
}

int annotate_init(struct annotate *a, const assay_profile *p, const assay_profile *coverage, const struct assay_filter *filter, const char *folder,
                  struct mem *mem, assay_error *err)
{
    return init(a, p, coverage, filter, folder, false, mem, err);
}

int annotate_init_calls(struct annotate *a, const assay_profile *p, const assay_profile *coverage, const struct assay_filter *filter, const char *folder,
                        struct mem *mem, assay_error *err)
{
    return init(a, p, coverage, filter, folder, true, mem, err);
}

void annotate_done(struct annotate *a)
{
    line_costs_done(&a->cost);
    if (a->has_open_text) source_text_done(&a->text);
    vec_done(a->mem, &a->tried, &a->numbers, &a->rows);
    mem_free(a->mem, a->sources, a->sources ? annotate_room(a) * sizeof *a->sources : 0);
    mem_free(a->mem, a->by_file, a->by_file ? ((size_t)assay_profile_files(a->coverage)->count + 1) * sizeof *a->by_file : 0);
    if (a->view.profile) coverage_view_done(&a->view);
    if (a->paths.filter) source_paths_done(&a->paths);
}

static uint32_t rows_of(const struct view_table *t, uint32_t file) { return t->begin ? t->begin[file + 1] - t->begin[file] : 0; }

bool annotate_has(const struct annotate *a, uint32_t source)
{
    const struct annotate_source *s = &a->sources[source];
    bool is_covered = s->coverage && (rows_of(&a->view.line_table, s->coverage) || rows_of(&a->view.branch_table, s->coverage));
    return is_covered || (s->cost && line_costs_has(&a->cost, s->cost));
}

assay_slice annotate_path(const struct annotate *a, uint32_t source)
{
    const struct annotate_source *s = &a->sources[source];
    const assay_profile *p = s->cost ? a->profile : a->coverage;
    return assay_profile_string(p, assay_profile_files(p)->path[s->cost ? s->cost : s->coverage]);
}

const assay_coverage_counts *annotate_counts(const struct annotate *a, uint32_t source)
{
    static const assay_coverage_counts none;
    return a->sources[source].coverage ? &a->by_file[a->sources[source].coverage] : &none;
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
    return ORDER(a, b);
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
    for (size_t i = 0; i < a->cost.rows.len; i++)
        if (!add_number(a, a->cost.rows.at[i].line)) return false;
    for (size_t i = 0; i < v->lines.len; i++)
        if (!add_number(a, v->lines.at[i].line)) return false;
    for (size_t i = 0; i < v->functions.len; i++)
        if (v->functions.at[i].line && !add_number(a, v->functions.at[i].line)) return false;
    if (a->numbers.len) sort_by(a->numbers.at, a->numbers.len, sizeof *a->numbers.at, by_number);
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

static struct annotate_row *row_at(struct annotate *a, uint32_t line)
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
    if (!l->is_code) return l->flags & ASSAY_COVERAGE_EXCLUDED ? ANNOTATE_EXCLUDED : ANNOTATE_NONE;
    if (l->flags & ASSAY_COVERAGE_UNKNOWN) return ANNOTATE_UNKNOWN;
    if (!l->hits) return ANNOTATE_MISSED;
    bool is_part = l->flags & (ASSAY_COVERAGE_PARTIAL | ASSAY_COVERAGE_UNEXECUTED_BLOCK) || l->branches_hit < l->branches || l->conditions_hit < l->conditions;
    return is_part ? ANNOTATE_PARTIAL : ANNOTATE_HIT;
}

static void fill_coverage(struct annotate *a)
{
    const struct coverage_view *v = &a->view;
    for (size_t i = 0; i < v->lines.len && !cancel_at(i); i++) {
        struct annotate_row *row = row_at(a, v->lines.at[i].line);
        if (!row) continue;
        row->view = (uint32_t)i + 1;
        row->state = state_of(&v->lines.at[i]);
        row->hits = v->lines.at[i].hits;
        row->has_hits = v->lines.at[i].is_code;
    }
    for (size_t i = 0; i < v->functions.len; i++) {
        struct annotate_row *row = row_at(a, v->functions.at[i].line);
        if (!row) continue;
        if (!row->functions) row->function = (uint32_t)i;
        row->functions++;
    }
}

static void fill_cost(struct annotate *a)
{
    for (size_t i = 0; i < a->cost.rows.len && !cancel_at(i); i++) {
        const struct line_cost *c = &a->cost.rows.at[i];
        struct annotate_row *row = row_at(a, c->line);
        if (!row) continue;
        row->cost = (uint32_t)i + 1;
        if (!c->has_hits || row->has_hits) continue;
        row->hits = c->hits;
        row->has_hits = true;
    }
}

/* ---- one file: its text ---- */

static bool note_tried(struct annotate *a)
{
    for (size_t i = 0; i < a->paths.tried.len; i++) {
        bool is_known = false;
        for (size_t k = 0; k < a->tried.len && !is_known; k++) is_known = strcmp(a->tried.at[k], a->paths.tried.at[i]) == 0;
        const char **slot = is_known ? NULL : vec_push(a->mem, &a->tried);
        if (!is_known && !slot) return false;
        if (slot) *slot = a->paths.tried.at[i];
    }
    return true;
}

static int load(struct annotate *a, const assay_profile *p, uint32_t file, assay_error *err)
{
    if (a->has_open_text) source_text_done(&a->text);
    a->has_open_text = true;
    TRY(source_text_load(&a->text, &a->paths, p, file, a->mem, err));
    return note_tried(a) ? 0 : error_memory(err);
}

/* By the name that the cost has, else by that of the coverage. */
static int load_text(struct annotate *a, const struct annotate_source *s, assay_error *err)
{
    a->tried.len = 0;
    if (s->cost) TRY(load(a, a->profile, s->cost, err));
    if (!s->cost || (!a->text.path && s->coverage && a->coverage != a->profile)) TRY(load(a, a->coverage, s->coverage, err));
    return 0;
}

static int load_figures(struct annotate *a, const struct annotate_source *s, assay_error *err)
{
    a->view.lines.len = a->view.branches.len = a->view.functions.len = 0;
    line_costs_clear(&a->cost);
    if (s->coverage) TRY(coverage_view_file(&a->view, s->coverage, err));
    return s->cost ? line_costs_file(&a->cost, s->cost, err) : 0;
}

int annotate_file(struct annotate *a, uint32_t source, assay_error *err)
{
    a->rows.len = a->numbers.len = 0;
    a->at = source;
    TRY(load_text(a, &a->sources[source], err));
    TRY(load_figures(a, &a->sources[source], err));
    if (!make_rows(a)) return error_memory(err);
    fill_coverage(a);
    fill_cost(a);
    return 0;
}

/* ---- which rows are shown ---- */

static bool is_lacking(const struct annotate_row *row) { return row->state == ANNOTATE_MISSED || row->state == ANNOTATE_PARTIAL; }

double annotate_whole(const struct annotate *a, const struct assay_block *block, uint32_t k)
{
    const struct assay_metrics *m = assay_profile_metrics(line_costs_profile(&a->cost));
    uint32_t metric = block->metrics[k].v;
    if (m->type[metric] == ASSAY_F64) return m->total_double ? m->total_double[metric] : 0;
    return m->total ? wide_double(m->total[metric]) : 0;
}

static double cost_of(const line_sums *sums, uint32_t k, size_t row) { return value_double(sums->at[k].type, line_value(sums, k, row)); }

/* By itself or together with what it calls. */
static bool is_hot(const struct annotate *a, const struct annotate_row *row, uint32_t k, double least)
{
    if (!row->cost || k >= a->cost.self.len) return false; /* a graph may have calls and no metric */
    double cost = cost_of(&a->cost.self, k, row->cost - 1);
    if (a->has_totals) cost = fmax(cost, cost_of(&a->cost.total, k, row->cost - 1));
    return cost > 0 && cost >= least;
}

static bool is_wanted(const struct annotate *a, const struct annotate_row *row, const struct annotate_fold *fold, double least)
{
    return fold->only == ANNOTATE_ALL || (fold->only == ANNOTATE_ONLY_MISSED ? is_lacking(row) : is_hot(a, row, fold->k, least));
}

/* Once down and once up: a row near one that is wanted is shown, too. */
void annotate_select(struct annotate *a, uint32_t first, uint32_t last, const struct annotate_fold *fold)
{
    uint64_t near = UINT64_MAX; /* the line up to which context reaches */
    bool has_cost = a->cost.block && fold->k < a->cost.block->metric_count;
    double least = fold->only == ANNOTATE_ONLY_HOT && has_cost ? fold->least * annotate_whole(a, a->cost.block, fold->k) : 0;
    if (!last) last = UINT32_MAX;
    for (size_t i = 0; i < a->rows.len; i++) {
        struct annotate_row *row = &a->rows.at[i];
        bool is_inside = row->line >= first && row->line <= last, is_wanted_row = is_inside && is_wanted(a, row, fold, least);
        if (is_wanted_row) near = (uint64_t)row->line + fold->context;
        row->is_wanted = is_wanted_row;
        row->is_shown = is_wanted_row || (is_inside && near != UINT64_MAX && row->line <= near);
    }
    int64_t far = INT64_MAX;
    for (size_t i = a->rows.len; i-- > 0;) {
        struct annotate_row *row = &a->rows.at[i];
        if (row->is_wanted) far = (int64_t)row->line - fold->context;
        row->is_shown |= row->line >= first && row->line <= last && far != INT64_MAX && row->line >= far;
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
    const struct assay_graph *g = a->has_cost ? line_costs_graph(&a->cost) : NULL;
    for (uint32_t i = 0; g && i < g->cost_count; i++)
        if (ID(g->cost_func, i) == func && ID(g->cost_file, i) == file) widen(AT(g->cost_line, i), first, last);
    for (uint32_t i = 0; g && i < g->arc_count; i++)
        if (ID(g->arc_caller, i) == func && ID(g->arc_file, i) == file) widen(AT(g->arc_line, i), first, last);
}

bool annotate_function(const struct annotate *a, const assay_profile *p, uint32_t func, uint32_t *source, uint32_t *first, uint32_t *last)
{
    const struct assay_funcs *f = assay_profile_funcs(p);
    uint32_t file = ID(f->file, func);
    *first = AT(f->first_line, func);
    *last = AT(f->last_line, func);
    if (!file) return false;
    *source = p == a->profile ? file : annotate_source_of(a, file);
    if (!*last && p == a->profile) cost_range(a, func, file, first, last);
    if (!*last && *first) {
        uint32_t next = next_function(f, file, *first);
        *last = next ? next - 1 : 0;
    }
    return *source != 0;
}

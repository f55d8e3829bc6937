/* Coverage by file or folder, in order, with the lines that were missed; see assay/coverage.h. */
#include <stdlib.h>
#include <string.h>

#include "analysis/coverage/table.h"
#include "analysis/coverage/view.h"
#include "base/arena.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/order.h"
#include "base/output.h"
#include "base/path.h"
#include "base/scoped.h"
#include "base/sort.h"
#include "base/wide.h"
#include "model/profile.h"

struct coverage_table {
    assay_coverage_table pub; /* first: the caller's pointer is ours */
    struct mem mem;
    struct arena text;
    assay_coverage_row *rows;
    size_t room;
};

/* ---- shares ---- */

double assay_coverage_percent(uint64_t hit, uint64_t total) { return total ? 100.0 * (double)hit / (double)total : -1; }

double assay_coverage_drop(uint64_t before_hit, uint64_t before, uint64_t after_hit, uint64_t after)
{
    if (!before) return 0;
    if (!after) return assay_coverage_percent(before_hit, before);
    long double fell = (long double)before_hit * (long double)after - (long double)after_hit * (long double)before;
    return (double)(100 * fell / ((long double)before * (long double)after));
}

bool assay_coverage_is_under(uint64_t hit, uint64_t total, double percent) { return total && (double)hit * 100 < percent * (double)total; }

/* ---- order ---- */

static int by_path(const void *x, const void *y)
{
    const assay_coverage_row *a = x, *b = y;
    int c = slice_compare(a->path, b->path);
    if (c) return c;
    ORDER_BY(a->file.v, b->file.v);
    return 0;
}

/* Exact: a/b against c/d by products. */
static int by_share(uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
    ORDER_BY(b == 0, d == 0);
    int by_product = u128_compare(u128_product(a, d), u128_product(c, b));
    if (by_product) return by_product;
    ORDER_BY(d - c, b - a);
    return 0;
}

static int by_lines(const void *x, const void *y)
{
    const assay_coverage_counts *a = &((const assay_coverage_row *)x)->counts, *b = &((const assay_coverage_row *)y)->counts;
    bool is_lines = a->lines || b->lines || !(a->stated || b->stated);
    int c = is_lines ? by_share(a->lines_hit, a->lines, b->lines_hit, b->lines) : by_share(a->statements_hit, a->statements, b->statements_hit, b->statements);
    return c ? c : by_path(x, y);
}

static int by_functions(const void *x, const void *y)
{
    const assay_coverage_counts *a = &((const assay_coverage_row *)x)->counts, *b = &((const assay_coverage_row *)y)->counts;
    int c = by_share(a->functions_hit, a->functions, b->functions_hit, b->functions);
    return c ? c : by_lines(x, y);
}

static int by_branches(const void *x, const void *y)
{
    const assay_coverage_counts *a = &((const assay_coverage_row *)x)->counts, *b = &((const assay_coverage_row *)y)->counts;
    int c = by_share(a->branches_hit, a->branches, b->branches_hit, b->branches);
    return c ? c : by_lines(x, y);
}

static int by_missed(const void *x, const void *y)
{
    const assay_coverage_counts *a = &((const assay_coverage_row *)x)->counts, *b = &((const assay_coverage_row *)y)->counts;
    ORDER_BY(b->lines - b->lines_hit, a->lines - a->lines_hit);
    return by_path(x, y);
}

static int (*const orders[])(const void *, const void *) = { by_lines, by_functions, by_branches, by_missed, by_path };

/* ---- folders ---- */

static void add_counts(assay_coverage_counts *to, const assay_coverage_counts *from)
{
    uint64_t *a = (uint64_t *)(void *)to;
    const uint64_t *b = (const uint64_t *)(const void *)from;
    for (size_t i = 0; i < sizeof *to / sizeof *a; i++) a[i] += b[i];
}
_Static_assert(sizeof(assay_coverage_counts) % sizeof(uint64_t) == 0, "counts are numbers and nothing else");

/* How many bytes of the paths are the folder that all of them share. */
static size_t shared_len(const struct coverage_table *t)
{
    assay_slice shared = t->pub.count ? path_folder(t->rows[0].path) : SLICE("");
    for (uint32_t i = 1; i < t->pub.count; i++) shared = path_shared(shared, path_folder(t->rows[i].path));
    return shared.len;
}

/* Rows of one folder become one. */
static void fold(struct coverage_table *t, uint32_t depth)
{
    uint32_t n = 0;
    size_t from = depth ? shared_len(t) : 0;
    for (uint32_t i = 0; i < t->pub.count; i++) {
        assay_coverage_row *row = &t->rows[i];
        row->path = path_folder_within(row->path, from, depth ? depth : UINT32_MAX);
        row->file = (assay_file_id){ 0 };
    }
    if (t->pub.count) sort_by(t->rows, t->pub.count, sizeof *t->rows, by_path);
    for (uint32_t i = 0; i < t->pub.count; i++) {
        if (n && slice_equal(t->rows[n - 1].path, t->rows[i].path))
            add_counts(&t->rows[n - 1].counts, &t->rows[i].counts);
        else
            t->rows[n++] = t->rows[i];
    }
    t->pub.count = n;
}

/* ---- missed lines ---- */

static void put_run(struct output *out, uint32_t first, uint32_t last)
{
    if (output_off(out)) output_char(out, ',');
    output_u64(out, first);
    if (last != first) {
        output_char(out, '-');
        output_u64(out, last);
    }
}

static int list_missing(struct coverage_table *t, struct coverage_view *v, assay_coverage_row *row, assay_error *err)
{
    struct output *out;
    uint32_t first = 0, last = 0;
    TRY(coverage_view_file(v, row->file.v, err));
    TRY(output_open_memory(&out, &t->mem, err));
    for (size_t i = 0; i < v->lines.len; i++) {
        const struct view_line *l = &v->lines.at[i];
        if (!l->is_code) continue;
        if (!l->hits) {
            if (!first) first = l->line;
            last = l->line;
        } else if (first) {
            put_run(out, first, last);
            first = 0;
        }
    }
    if (first) put_run(out, first, last);
    int rc = output_failed(out);
    row->missing = rc ? NULL : arena_copy(&t->text, output_memory(out));
    output_abort(out);
    return row->missing ? 0 : error_memory(err);
}

static int list_all_missing(struct coverage_table *t, const assay_profile *p, uint64_t rows, assay_error *err)
{
    SCOPED(coverage_view_done) struct coverage_view v = { 0 };
    TRY(coverage_view_init(&v, &t->mem, p, err));
    for (uint32_t i = 0; i < t->pub.count && i < rows; i++) {
        TRY(cancel_step(i, err));
        TRY(list_missing(t, &v, &t->rows[i], err));
    }
    return 0;
}

/* ---- the whole ---- */

/* What rows there shall be. */
struct wish {
    enum assay_coverage_by by;
    enum assay_coverage_sort sort;
    uint32_t depth;
    uint64_t missing;
    const assay_coverage_table *counted; /* by file; NULL = to be counted */
};

static int count_files(struct coverage_table *t, const assay_profile *p, assay_coverage_counts *by_file, assay_error *err)
{
    TRY(assay_coverage_figures(p, &t->pub.total, by_file, err));
    return t->pub.total.stated || coverage_compare_stated(p, by_file, &t->mem, t->pub.differs) ? 0 : error_memory(err);
}

static void take_counted(struct coverage_table *t, const assay_coverage_table *counted, assay_coverage_counts *by_file)
{
    t->pub.total = counted->total;
    memcpy(t->pub.differs, counted->differs, sizeof t->pub.differs);
    for (uint32_t i = 0; i < counted->count; i++) by_file[counted->rows[i].file.v] = counted->rows[i].counts;
}

static int fill(struct coverage_table *t, const assay_profile *p, const struct wish *w, assay_error *err)
{
    const struct assay_files *f = assay_profile_files(p);
    SCRATCH(assay_coverage_counts, by_file, &t->mem, t->room);
    if (!by_file) return error_memory(err);
    if (w->counted)
        take_counted(t, w->counted, by_file);
    else
        TRY(count_files(t, p, by_file, err));
    for (uint32_t i = 1; i <= f->count; i++)
        t->rows[t->pub.count++] = (assay_coverage_row){ .path = assay_profile_string(p, f->path[i]), .file = { i }, .counts = by_file[i] };
    if (w->by == ASSAY_COVERAGE_BY_DIRECTORY) fold(t, w->depth);
    if (t->pub.count) sort_by(t->rows, t->pub.count, sizeof *t->rows, orders[w->sort]);
    return w->by == ASSAY_COVERAGE_BY_DIRECTORY || !w->missing ? 0 : list_all_missing(t, p, w->missing, err);
}

static int make(const assay_profile *p, const struct wish *w, assay_coverage_table **out, assay_error *err)
{
    struct coverage_table *t = calloc(1, sizeof *t);
    *out = NULL;
    if (!t) return error_memory(err);
    mem_init(&t->mem, profile_room(p));
    arena_init(&t->text, &t->mem);
    t->room = (size_t)assay_profile_files(p)->count + 1;
    t->rows = mem_zalloc(&t->mem, t->room, sizeof *t->rows);
    t->pub.rows = t->rows;
    int rc = cancel_end(t->rows ? fill(t, p, w, err) : error_memory(err), err);
    if (rc == 0)
        *out = &t->pub;
    else
        assay_coverage_table_free(&t->pub);
    return rc;
}

int assay_coverage_table_new(const assay_profile *p, enum assay_coverage_by by, enum assay_coverage_sort sort, uint64_t missing, assay_coverage_table **out,
                             assay_error *err)
{
    assay_error local;
    return make(p, &(struct wish){ .by = by, .sort = sort, .missing = missing }, out, error_enter(err, &local));
}

int coverage_table_again(const assay_profile *p, const assay_coverage_table *counted, enum assay_coverage_by by, enum assay_coverage_sort sort,
                         uint64_t missing, assay_coverage_table **out, assay_error *err)
{
    return make(p, &(struct wish){ .by = by, .sort = sort, .missing = missing, .counted = counted }, out, err);
}

int coverage_folders_new(const assay_profile *p, uint32_t depth, enum assay_coverage_sort sort, assay_coverage_table **out, assay_error *err)
{
    return make(p, &(struct wish){ .by = ASSAY_COVERAGE_BY_DIRECTORY, .sort = sort, .depth = depth }, out, err);
}

void assay_coverage_table_free(assay_coverage_table *table)
{
    struct coverage_table *t = (struct coverage_table *)table;
    if (!t) return;
    mem_free(&t->mem, t->rows, t->room * sizeof *t->rows);
    arena_done(&t->text);
    free(t);
}

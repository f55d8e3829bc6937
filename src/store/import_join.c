/* Adding a build to a report: its files are joined with those that are there. Hits of a line are added, a line that counts in one build counts;
 * functions are those of both, with their counts added. Files of different contents are never mixed. */
#include "base/cancel.h"
#include "base/order.h"
#include "base/scoped.h"
#include "base/sort.h"
#include "store/import_parts.h"

static int by_path(const void *x, const void *y)
{
    const struct import_file *const *a = x, *const *b = y;
    return slice_compare((*a)->path, (*b)->path);
}

static const struct import_file *find(struct import_file **sorted, size_t count, assay_slice path)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        int c = slice_compare(sorted[mid]->path, path);
        if (c == 0) return sorted[mid];
        if (c < 0)
            low = mid + 1;
        else
            high = mid;
    }
    return NULL;
}

static uint32_t add_hits(uint32_t a, uint32_t b, uint32_t most)
{
    uint64_t sum = (uint64_t)a + b;
    return sum > most ? most : (uint32_t)sum;
}

static int join_lines(struct arena *a, const struct cov_lines *old, const struct import_file *f, struct cov_lines *out, assay_error *err)
{
    struct cov_line *at = arena_alloc(a, (old->count + f->line_count) * sizeof *at);
    size_t i = 0, k = 0, n = 0;
    if (!at) return error_memory(err);
    while (i < old->count || k < f->line_count) {
        bool from_old = k == f->line_count || (i < old->count && old->at[i].line <= f->lines[k].line);
        bool both = i < old->count && k < f->line_count && old->at[i].line == f->lines[k].line;
        if (both)
            at[n++] = (struct cov_line){ old->at[i].line, add_hits(old->at[i].hits, f->lines[k].hits, COV_HITS_MAX) };
        else
            at[n++] = from_old ? old->at[i] : f->lines[k];
        i += both || from_old;
        k += both || !from_old;
    }
    out->at = at;
    out->count = n;
    return 0;
}

static int by_identity(const void *x, const void *y)
{
    const struct cov_function *a = x, *b = y;
    const uint32_t p[] = { a->first_line, a->first_column, a->last_line, a->last_column };
    const uint32_t q[] = { b->first_line, b->first_column, b->last_line, b->last_column };
    for (int i = 0; i < 4; i++) ORDER_BY(p[i], q[i]);
    int c = slice_compare(a->name, b->name);
    return c ? c : slice_compare(a->demangled, b->demangled);
}

static int join_functions(struct arena *a, const struct cov_functions *old, const struct import_file *f, struct cov_functions *out, assay_error *err)
{
    size_t all = old->count + f->function_count, n = 0;
    struct cov_function *at = arena_alloc(a, all * sizeof *at);
    if (!at) return error_memory(err);
    if (old->count) memcpy(at, old->at, old->count * sizeof *at);
    if (f->function_count) memcpy(at + old->count, f->functions, f->function_count * sizeof *at);
    if (all) sort_by(at, all, sizeof *at, by_identity);
    for (size_t i = 0; i < all; i++) {
        if (n && by_identity(&at[n - 1], &at[i]) == 0)
            at[n - 1].count = add_hits(at[n - 1].count, at[i].count, UINT32_MAX);
        else
            at[n++] = at[i];
    }
    *out = (struct cov_functions){ at, n };
    return 0;
}

/* ---- several inputs ---- */

static int by_path_and_place(const void *x, const void *y)
{
    const struct import_file *const *a = x, *const *b = y;
    int c = slice_compare((*a)->path, (*b)->path);
    return c ? c : ORDER(*a, *b);
}

static int add_file(struct import_file *sum, const struct import_file *f, struct arena *a, assay_error *err)
{
    struct cov_lines old = { .at = sum->lines, .count = sum->line_count }, lines;
    struct cov_functions old_functions = { sum->functions, sum->function_count }, functions;
    TRY(join_lines(a, &old, f, &lines, err));
    TRY(join_functions(a, &old_functions, f, &functions, err));
    sum->lines = lines.at;
    sum->line_count = lines.count;
    sum->functions = functions.at;
    sum->function_count = functions.count;
    return 0;
}

int import_unite(struct import_input *in, struct arena *a, assay_error *err)
{
    struct import_file **sorted = arena_alloc(a, in->file_count * sizeof *sorted), *out = arena_alloc(a, in->file_count * sizeof *out);
    size_t n = 0;
    if (!sorted || !out) return error_memory(err);
    for (size_t i = 0; i < in->file_count; i++) sorted[i] = &in->files[i];
    if (in->file_count) sort_by(sorted, in->file_count, sizeof *sorted, by_path_and_place);
    for (size_t i = 0; i < in->file_count; i++) {
        TRY(cancel_step(i, err));
        if (n && slice_equal(out[n - 1].path, sorted[i]->path))
            TRY(add_file(&out[n - 1], sorted[i], a, err));
        else
            out[n++] = *sorted[i];
    }
    in->files = out;
    in->file_count = n;
    return 0;
}

/* ---- a report that is there ---- */

static int read_details(struct importer *m, const struct cov_details *d, enum cov_kind kind, struct store_object *out, assay_error *err)
{
    memset(out, 0, sizeof *out);
    arena_init(&out->arena, m->s->mem);
    return cov_id_is_zero(&d->id) ? 0 : store_read(m->s, &d->id, kind, out, err);
}

static int join_details(struct importer *m, const struct cov_lines *lines, const struct cov_functions *functions, const struct import_file *f,
                        struct cov_file *mine, assay_error *err)
{
    struct cov_lines l = { .last_line = mine->lines_total };
    struct cov_functions x;
    TRY(join_lines(&m->arena, lines, f, &l, err));
    TRY(join_functions(&m->arena, functions, f, &x, err));
    return import_put_details(m, &l, &x, mine, err);
}

static int join_file(struct importer *m, const struct cov_file *old, const struct import_file *f, struct cov_file *mine, assay_error *err)
{
    SCOPED(store_object_done) struct store_object lines = { .arena = { 0 } }, functions = { .arena = { 0 } };
    if (cov_id_compare(&old->contents, &mine->contents) != 0)
        FAIL(err, ASSAY_ERR_USAGE, "%.*s has different contents in this build: lines of different sources cannot be added",
             (int)(old->path.len < 300 ? old->path.len : 300), old->path.data);
    if (old->lines_total > mine->lines_total) mine->lines_total = old->lines_total;
    TRY(read_details(m, &old->lines, COV_LINES, &lines, err));
    TRY(read_details(m, &old->functions, COV_FUNCTIONS, &functions, err));
    return join_details(m, &lines.o.lines, &functions.o.functions, f, mine, err);
}

/* One step of the merge of two sorted lists. */
static int join_lists(struct importer *m, const struct cov_files *old, struct import_file **sorted, assay_error *err)
{
    struct cov_file *at = arena_alloc(&m->arena, (old->count + m->file_count) * sizeof *at);
    size_t i = 0, k = 0, n = 0;
    if (!at) return error_memory(err);
    while (i < old->count || k < m->file_count) {
        int c = i == old->count ? 1 : k == m->file_count ? -1 : slice_compare(old->at[i].path, m->files[k].path);
        if (c < 0) {
            char *path = arena_copy(&m->arena, old->at[i].path);
            if (!path) return error_memory(err);
            at[n] = old->at[i++];
            at[n].path.data = path;
            n++;
            continue;
        }
        at[n] = m->files[k++];
        const struct import_file *f = c == 0 ? find(sorted, m->in->file_count, at[n].path) : NULL;
        if (f) TRY(join_file(m, &old->at[i], f, &at[n], err));
        i += c == 0;
        n++;
    }
    m->files = at;
    m->file_count = n;
    return 0;
}

int import_join(struct importer *m, assay_error *err)
{
    struct import_file **sorted = arena_alloc(&m->arena, m->in->file_count * sizeof *sorted);
    if (!sorted) return error_memory(err);
    for (size_t i = 0; i < m->in->file_count; i++) sorted[i] = &m->in->files[i];
    if (m->in->file_count) sort_by(sorted, m->in->file_count, sizeof *sorted, by_path);
    SCOPED(store_object_done) struct store_object list;
    TRY(store_read(m->s, &m->base.o.report.file_list, COV_FILES, &list, err));
    return join_lists(m, &list.o.files, sorted, err);
}

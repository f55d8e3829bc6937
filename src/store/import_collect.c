/* A profile -> the records of an import: for each file its lines, summed over tests, and its functions. Everything that the model knows beyond
 * that (branches, conditions, regions) has no place in a store, and is counted as lost. */
#include <stdlib.h>

#include "assay/analysis.h"
#include "base/scoped.h"
#include "model/column.h"
#include "store/import_parts.h"
#include "symbols/demangle.h"

struct collector {
    const assay_profile *p;
    const struct assay_coverage *c;
    const char *root; /* NULL = none */
    struct arena *a;
    struct mem *mem;
    struct import_input *out;
    uint32_t *number; /* by file id: its place in out->files + 1 */
    size_t number_len;
};

/* Whether `path` begins with the components of `dir`, which may have a slash at its end; *rest is what follows. */
static bool is_below(assay_slice path, const char *dir, assay_slice *rest)
{
    size_t len = strlen(dir);
    while (len && dir[len - 1] == '/') len--;
    if (path.len < len || memcmp(path.data, dir, len) != 0 || (path.len > len && path.data[len] != '/')) return false;
    *rest = (assay_slice){ path.data + len, path.len - len };
    while (slice_starts(*rest, "/")) *rest = (assay_slice){ rest->data + 1, rest->len - 1 };
    return true;
}

/* As the work tree calls it. */
static assay_slice relative(const struct collector *k, assay_slice path)
{
    assay_slice rest;
    if (k->root && is_below(path, k->root, &rest)) path = rest;
    while (slice_starts(path, "./")) path = (assay_slice){ path.data + 2, path.len - 2 };
    return path;
}

/* ---- rows by file ---- */

/* Row numbers sorted by file and line; false = no memory. `key` is left sorted too. */
static bool sort_rows(struct collector *k, uint64_t *key, uint32_t *order, uint32_t count)
{
    bool is_sorted = true;
    for (uint32_t i = 0; i < count; i++) {
        order[i] = i;
        is_sorted &= !i || key[i - 1] <= key[i];
    }
    return is_sorted || radix_sort(k->mem, key, order, count, 0);
}

static bool counts(const struct assay_coverage *c, uint32_t row)
{
    return !c->line_flags || !(c->line_flags[row] & (ASSAY_COVERAGE_EXCLUDED | ASSAY_COVERAGE_NONCODE));
}

static struct import_file *file_of(struct collector *k, uint32_t id)
{
    if (!id || id >= k->number_len) return NULL;
    if (!k->number[id]) {
        assay_slice path = assay_profile_string(k->p, assay_profile_files(k->p)->path[id]);
        k->out->files[k->out->file_count++] = (struct import_file){ .path = relative(k, path) };
        k->number[id] = (uint32_t)k->out->file_count;
    }
    return &k->out->files[k->number[id] - 1];
}

static uint32_t cut(uint64_t v, uint32_t most) { return v > most ? most : (uint32_t)v; }

static int collect_lines(struct collector *k, assay_error *err)
{
    const struct assay_coverage *c = k->c;
    SCRATCH(uint64_t, key, k->mem, c->line_count);
    SCRATCH(uint32_t, order, k->mem, c->line_count);
    struct cov_line *at = arena_alloc(k->a, c->line_count * sizeof *at);
    if (!key || !order || !at) return error_memory(err);
    for (uint32_t i = 0; i < c->line_count; i++) key[i] = (uint64_t)c->line_file[i].v << 32 | c->line_number[i];
    if (!sort_rows(k, key, order, c->line_count)) return error_memory(err);
    struct import_file *f = NULL;
    uint32_t file = 0;
    for (uint32_t i = 0; i < c->line_count; i++) {
        uint32_t row = order[i], line = c->line_number[row];
        if (!counts(c, row) || !line) continue;
        if (!f || c->line_file[row].v != file) {
            file = c->line_file[row].v;
            f = file_of(k, file);
            if (!f) continue;
            f->lines = at;
        }
        if (f->line_count && at[-1].line == line) {
            at[-1].hits = cut((uint64_t)at[-1].hits + cut(c->line_hits[row], COV_HITS_MAX), COV_HITS_MAX);
            continue;
        }
        *at++ = (struct cov_line){ line, cut(c->line_hits[row], COV_HITS_MAX) };
        f->line_count++;
    }
    return 0;
}

/* ---- functions ---- */

static struct cov_function function_of(struct collector *k, uint32_t row, bool *failed)
{
    const struct assay_funcs *f = assay_profile_funcs(k->p);
    const struct assay_coverage *c = k->c;
    uint32_t id = c->func[row].v;
    struct cov_function x = { .name = assay_profile_string(k->p, f->name[id]),
                              .demangled = f->link_name ? assay_profile_string(k->p, f->link_name[id]) : (assay_slice){ "", 0 },
                              .count = cut(c->func_calls[row], UINT32_MAX),
                              .first_line = f->first_line ? f->first_line[id] : 0,
                              .last_line = f->last_line ? f->last_line[id] : 0,
                              .first_column = c->func_first_column ? c->func_first_column[row] : 0,
                              .last_column = c->func_last_column ? c->func_last_column[row] : 0 };
    if (!x.demangled.len && slice_starts(x.name, "_Z")) {
        assay_slice shown = demangle(k->a, x.name.data, failed);
        if (shown.data) x.demangled = shown;
    } else if (slice_starts(x.demangled, "_Z")) { /* the format has them the other way round */
        assay_slice name = x.name;
        x.name = x.demangled;
        x.demangled = name;
    }
    if (!x.first_line) x.first_line = 1; /* a store has no word for a line that is not known */
    if (x.last_line < x.first_line) x.last_line = x.first_line;
    return x;
}

/* Rows of one function (several tests) stand one behind the other after sorting by file and function. */
static int collect_functions(struct collector *k, assay_error *err)
{
    const struct assay_coverage *c = k->c;
    const struct assay_funcs *f = assay_profile_funcs(k->p);
    SCRATCH(uint64_t, key, k->mem, c->func_count);
    SCRATCH(uint32_t, order, k->mem, c->func_count);
    struct cov_function *at = arena_alloc(k->a, c->func_count * sizeof *at);
    if (!key || !order || !at) return error_memory(err);
    for (uint32_t i = 0; i < c->func_count; i++) key[i] = (uint64_t)(f->file ? f->file[c->func[i].v].v : 0) << 32 | c->func[i].v;
    bool failed = !sort_rows(k, key, order, c->func_count);
    uint32_t before = 0;
    for (uint32_t i = 0; !failed && i < c->func_count; i++) {
        uint32_t row = order[i];
        struct import_file *file = file_of(k, f->file ? f->file[c->func[row].v].v : 0);
        if (!file || (c->func_flags && c->func_flags[row] & (ASSAY_COVERAGE_EXCLUDED | ASSAY_COVERAGE_NONCODE))) continue;
        if (file->function_count && c->func[row].v == before) {
            at[-1].count = cut((uint64_t)at[-1].count + c->func_calls[row], UINT32_MAX);
            continue;
        }
        before = c->func[row].v;
        if (!file->function_count) file->functions = at;
        *at++ = function_of(k, row, &failed);
        file->function_count++;
    }
    return failed ? error_memory(err) : 0;
}

/* Room for the files of another profile behind those that are there. */
static bool make_room(struct collector *k)
{
    struct import_file *files = arena_alloc(k->a, (k->out->file_count + k->number_len) * sizeof *files);
    if (!files) return false;
    if (k->out->file_count) memcpy(files, k->out->files, k->out->file_count * sizeof *files);
    k->out->files = files;
    return true;
}

static int count_lost(struct collector *k, assay_error *err)
{
    assay_coverage_counts counts;
    k->out->lost.regions += k->c->region_count;
    if (!k->c->branch_count && !k->c->sum_count && !k->c->condition_count) return 0;
    TRY(assay_coverage_count(k->p, &counts, NULL, err));
    k->out->lost.branches += counts.branches;
    k->out->lost.conditions += counts.conditions;
    return 0;
}

int import_collect(const assay_profile *p, const char *root, struct arena *a, struct import_input *out, assay_error *err)
{
    if (!((assay_profile_offers(p) | assay_profile_shapes(p)) & ASSAY_SHAPE_COVERAGE)) FAIL(err, ASSAY_ERR_UNSUPPORTED, "it has no coverage data");
    size_t len = (size_t)assay_profile_files(p)->count + 1;
    SCRATCH(uint32_t, number, a->mem, len);
    struct collector k = { .p = p, .c = assay_profile_coverage(p), .root = root, .a = a, .mem = a->mem, .out = out, .number = number, .number_len = len };
    if (!number || !make_room(&k)) return error_memory(err);
    TRY(collect_lines(&k, err));
    TRY(collect_functions(&k, err));
    return count_lost(&k, err);
}

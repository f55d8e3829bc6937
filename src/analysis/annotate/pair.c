/* Which file of a profile is which of a coverage report, and in which order sources are shown; see annotate.h. */
#include "analysis/annotate/annotate.h"
#include "analysis/sources/path_finder.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/order.h"
#include "base/path.h"
#include "base/scoped.h"
#include "base/sort.h"
#include "model/entry.h"
#include "model/graph_row.h"

/* ---- pairs ---- */

size_t annotate_room(const struct annotate *a)
{
    size_t own = assay_profile_files(a->profile)->count, other = a->coverage == a->profile ? 0 : assay_profile_files(a->coverage)->count;
    return own + other + 1;
}

uint32_t annotate_source_of(const struct annotate *a, uint32_t coverage_file)
{
    for (uint32_t i = 1; i <= a->count; i++)
        if (a->sources[i].coverage == coverage_file) return i;
    return 0;
}

struct pairing {
    struct annotate *a;
    struct path_finder finder; /* of the files of the coverage; number = id - 1 */
    struct path_finder own;    /* of the files of the profile */
    bool *is_used;             /* by file of the coverage */
};

/* The file of the coverage that a file of the profile is: by its path, mapped or as written, else by where it lies on disk. 0 = none. */
static int find(struct pairing *p, uint32_t file, uint32_t *found, assay_error *err)
{
    struct annotate *a = p->a;
    assay_error why = { 0 };
    assay_slice path = assay_profile_string(a->profile, assay_profile_files(a->profile)->path[file]);
    const char *plain = source_paths_plain(&a->paths, path);
    if (!plain) return error_memory(err);
    uint32_t number = path_finder_find(&p->finder, slice_of(plain));
    if (number == UINT32_MAX) {
        const char *on_disk = source_paths_find(&a->paths, path, &why);
        if (why.code) return error_memory(err);
        if (on_disk) number = path_finder_find(&p->finder, slice_of(on_disk));
    }
    *found = number == UINT32_MAX ? 0 : number + 1;
    return 0;
}

/* Files with cost come first: several of them may be one file of the coverage (a header in two modules); then those without, once. */
static int pair_files(struct pairing *p, bool with_cost, assay_error *err)
{
    struct annotate *a = p->a;
    for (uint32_t i = 1; i <= a->count; i++) {
        TRY(cancel_step(i, err));
        uint32_t found;
        if (line_costs_has(&a->cost, i) != with_cost) continue;
        TRY(find(p, i, &found, err));
        if (!found || (!with_cost && p->is_used[found])) continue;
        a->sources[i].coverage = found;
        p->is_used[found] = true;
    }
    return 0;
}

/* The other way round, for reports that name a file without any folder: the only file of the profile that ends so. */
static void pair_back(struct pairing *p)
{
    struct annotate *a = p->a;
    for (uint32_t i = 1; i <= p->finder.count; i++) {
        uint32_t number = p->is_used[i] ? UINT32_MAX : path_finder_find(&p->own, p->finder.path[i - 1]);
        if (number == UINT32_MAX || a->sources[number + 1].coverage) continue;
        a->sources[number + 1].coverage = i;
        p->is_used[i] = true;
    }
}

static int pair_all(struct pairing *p, assay_error *err)
{
    struct annotate *a = p->a;
    TRY(pair_files(p, true, err));
    TRY(pair_files(p, false, err));
    pair_back(p);
    for (uint32_t i = 1; i <= p->finder.count; i++)
        if (!p->is_used[i]) a->sources[++a->count].coverage = i;
    return 0;
}

static int make_finder(struct path_finder *f, const assay_profile *p, struct mem *mem, assay_error *err)
{
    const struct assay_files *files = assay_profile_files(p);
    SCRATCH(assay_slice, paths, mem, files->count);
    if (!paths) return error_memory(err);
    for (uint32_t i = 0; i < files->count; i++) paths[i] = assay_profile_string(p, files->path[i + 1]);
    return path_finder_init(f, paths, files->count, mem, err);
}

static void pairing_done(struct pairing *p)
{
    path_finder_done(&p->finder);
    path_finder_done(&p->own);
}

static int pair_two(struct annotate *a, assay_error *err)
{
    SCRATCH(bool, is_used, a->mem, (size_t)assay_profile_files(a->coverage)->count + 1);
    SCOPED(pairing_done) struct pairing p = { .a = a, .is_used = is_used };
    if (!is_used) return error_memory(err);
    TRY(make_finder(&p.finder, a->coverage, a->mem, err));
    TRY(make_finder(&p.own, a->profile, a->mem, err));
    return pair_all(&p, err);
}

int annotate_pair(struct annotate *a, assay_error *err)
{
    bool is_one = a->coverage == a->profile;
    a->sources = mem_zalloc(a->mem, annotate_room(a), sizeof *a->sources);
    if (!a->sources) return error_memory(err);
    a->count = assay_profile_files(a->profile)->count;
    for (uint32_t i = 1; i <= a->count; i++) a->sources[i] = (struct annotate_source){ i, is_one ? i : 0 };
    return is_one ? 0 : pair_two(a, err);
}

/* ---- the order of sources ---- */

struct ranked {
    assay_slice path;
    double cost;
    uint32_t source;
};

static int by_cost(const void *x, const void *y)
{
    const struct ranked *a = x, *b = y;
    ORDER_BY(b->cost, a->cost);
    int c = slice_compare(a->path, b->path);
    return c ? c : ORDER(a->source, b->source);
}

/* Where the cost of lines is not known: the self cost of the functions of each file. */
static void add_functions(const struct annotate *a, uint32_t k, double *cost)
{
    const struct assay_graph *g = line_costs_graph(&a->cost);
    const struct assay_funcs *f = assay_profile_funcs(a->profile);
    const struct assay_metrics *m = assay_profile_metrics(a->profile);
    for (uint32_t i = 0; g && k < g->block.metric_count && i < g->sum_count; i++)
        cost[ID(f->file, g->sum_func[i].v)] +=
            value_double((enum assay_type)AT(m->type, g->block.metrics[k].v), graph_cell(g->sum_self, graph_sum_row(g, i), k));
}

static double cost_of(const struct annotate *a, uint32_t source, uint32_t k, const double *by_functions)
{
    uint32_t file = a->sources[source].cost;
    if (!file) return 0;
    return by_functions ? by_functions[file] : line_costs_of(&a->cost, file, k);
}

int annotate_order(const struct annotate *a, uint32_t k, uint32_t *order, uint32_t *count, assay_error *err)
{
    SCRATCH(struct ranked, list, a->mem, (size_t)a->count + 1);
    SCRATCH(double, by_functions, a->mem, (size_t)assay_profile_files(a->profile)->count + 1);
    bool calls_only = a->cost.calls_only;
    uint32_t n = 0;
    if (!list || !by_functions) return error_memory(err);
    if (calls_only) add_functions(a, k, by_functions);
    for (uint32_t i = 1; i <= a->count; i++)
        if (annotate_has(a, i) || (calls_only && by_functions[a->sources[i].cost] > 0))
            list[n++] = (struct ranked){ annotate_path(a, i), cost_of(a, i, k, calls_only ? by_functions : NULL), i };
    if (n) sort_by(list, n, sizeof *list, by_cost);
    for (uint32_t i = 0; i < n; i++) order[i] = list[i].source;
    *count = n;
    return 0;
}

/* Kinds of functions; see kinds.h. */
#include "analysis/core/kinds.h"

#include <string.h>

#include "analysis/core/value.h"
#include "base/cancel.h"
#include "base/slice.h"

bool func_sorts_by_name(const assay_profile *p)
{
    assay_slice producer = assay_profile_producer(p);
    return strcmp(assay_profile_format(p), "webgrind") == 0 || slice_starts(producer, "xdebug");
}

static bool is_include(assay_slice name)
{
    return slice_starts(name, "include::") || slice_starts(name, "include_once::") || slice_starts(name, "require::") || slice_starts(name, "require_once::");
}

enum func_sort func_sort_of(const assay_profile *p, assay_func_id func, bool by_name)
{
    const struct assay_funcs *f = assay_profile_funcs(p);
    unsigned kind = func.v && f->kind ? f->kind[func.v] : ASSAY_FUNC_PLAIN;
    if (kind != ASSAY_FUNC_PLAIN || !by_name || !func.v) return (enum func_sort)kind;
    assay_slice name = assay_profile_string(p, f->name[func.v]);
    if (is_include(name)) return FUNC_SORT_INCLUDE;
    return slice_contains(name, "->") || slice_contains(name, "::") ? FUNC_SORT_CLASS : FUNC_SORT_PLAIN;
}

const char *func_sort_name(enum func_sort sort, bool by_name)
{
    static const char *const names[] = { "own code", "internal", "opcode", "placeholder", "include", "class" };
    return sort == FUNC_SORT_PLAIN && by_name ? "procedural" : names[sort];
}

bool func_sort_is_own(enum func_sort sort) { return sort != FUNC_SORT_INTERNAL && sort != FUNC_SORT_OPCODE && sort != FUNC_SORT_PLACEHOLDER; }

static double self_of(const assay_table *t, uint32_t key, uint32_t row)
{
    return value_double(t->columns[key].type, t->self[(size_t)row * t->column_count + key]);
}

int func_sort_sums(const assay_table *t, uint32_t key, double sums[FUNC_SORTS], assay_error *err)
{
    bool by_name = func_sorts_by_name(t->profile);
    for (unsigned k = 0; k < FUNC_SORTS; k++) sums[k] = 0;
    for (uint32_t i = 0; i < t->count; i++) {
        int rc = cancel_step(i, err);
        if (rc != 0) return rc;
        sums[func_sort_of(t->profile, t->func[i], by_name)] += self_of(t, key, i);
    }
    return 0;
}

double table_self_sum(const assay_table *t, uint32_t key, const uint32_t *rows, uint32_t count)
{
    double sum = 0;
    for (uint32_t i = 0; i < count; i++) sum += self_of(t, key, rows[i]);
    return sum;
}

uint32_t table_rows_of_share(const assay_table *t, uint32_t key, const uint32_t *rows, uint32_t count, double share)
{
    double want = share * table_self_sum(t, key, rows, count), sum = 0;
    uint32_t n = 0;
    for (; n < count && sum < want; n++) sum += self_of(t, key, rows[n]);
    return n;
}

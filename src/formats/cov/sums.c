/* What the statistics of a file count; see object.h. */
#include "base/order.h"
#include "base/scoped.h"
#include "base/sort.h"
#include "formats/cov/object.h"

assay_store_pair cov_lines_sum(const struct cov_lines *l)
{
    assay_store_pair p = { (uint32_t)l->count, 0 };
    for (size_t i = 0; i < l->count; i++) p.visited += l->at[i].hits > 0;
    return p;
}

struct place {
    uint32_t at[4];
    bool is_hit;
};

static int by_place(const void *x, const void *y)
{
    const struct place *a = x, *b = y;
    for (int i = 0; i < 4; i++) ORDER_BY(a->at[i], b->at[i]);
    return 0;
}

bool cov_functions_sum(const struct cov_functions *f, struct mem *mem, assay_store_pair *out)
{
    *out = (assay_store_pair){ 0, 0 };
    if (!f->count) return true;
    SCRATCH(struct place, list, mem, f->count);
    if (!list) return false;
    for (size_t i = 0; i < f->count; i++) {
        const struct cov_function *x = &f->at[i];
        list[i] = (struct place){ { x->first_line, x->first_column, x->last_line, x->last_column }, x->count > 0 };
    }
    sort_by(list, f->count, sizeof *list, by_place);
    for (size_t i = 0; i < f->count;) {
        bool is_hit = false;
        size_t first = i;
        for (; i < f->count && by_place(&list[first], &list[i]) == 0; i++) is_hit |= list[i].is_hit;
        out->relevant++;
        out->visited += is_hit;
    }
    return true;
}

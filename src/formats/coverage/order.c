/* File and line make one key of 64 bits, which a stable radix sort orders together with the row numbers; most files are in order already, and then
 * nothing is sorted. See formats/coverage/order.h. */
#include "formats/coverage/order.h"

#include "model/column.h"
#include "model/entry.h"

#define VALUE(column, row) ((column) ? (column)[row] : 0)

static bool room(struct coverage_order *o, struct mem *mem, uint32_t count)
{
    *o = (struct coverage_order){ mem_zalloc(mem, count, sizeof *o->key), mem_zalloc(mem, count, sizeof *o->row), count };
    for (uint32_t i = 0; o->row && i < count; i++) o->row[i] = i;
    return o->key && o->row;
}

static bool sort(struct coverage_order *o, struct mem *mem)
{
    for (uint32_t i = 1; i < o->count; i++)
        if (o->key[i - 1] > o->key[i]) return radix_sort(mem, o->key, o->row, o->count, 0);
    return true;
}

bool coverage_order_make(struct coverage_order *o, struct mem *mem, const assay_file_id *file, const uint32_t *line, uint32_t count)
{
    if (!room(o, mem, count)) return false;
    for (uint32_t i = 0; i < count; i++) o->key[i] = (uint64_t)ID(file, i) << 32 | VALUE(line, i);
    return sort(o, mem);
}

bool coverage_order_functions(struct coverage_order *o, struct mem *mem, const assay_profile *p)
{
    const struct assay_coverage *c = assay_profile_coverage(p);
    const struct assay_funcs *f = assay_profile_funcs(p);
    if (!room(o, mem, c->func_count)) return false;
    for (uint32_t i = 0; i < o->count; i++) o->key[i] = c->func[i].v;
    if (!sort(o, mem)) return false;
    for (uint32_t i = 0; i < o->count; i++) {
        uint32_t func = c->func[o->row[i]].v;
        o->key[i] = (uint64_t)ID(f->file, func) << 32 | VALUE(f->first_line, func);
    }
    return sort(o, mem);
}

bool coverage_order_called(struct coverage_order *o, struct mem *mem, const struct assay_coverage *c)
{
    if (!room(o, mem, c->func_count)) return false;
    for (uint32_t i = 0; i < o->count; i++) o->key[i] = (uint64_t)c->func[i].v << 32;
    return sort(o, mem);
}

void coverage_order_free(struct coverage_order *o, struct mem *mem)
{
    mem_free(mem, o->key, o->count * sizeof *o->key);
    mem_free(mem, o->row, o->count * sizeof *o->row);
}

uint32_t coverage_order_first(const struct coverage_order *o, uint32_t file)
{
    uint32_t from = 0, to = o->count;
    while (from < to) {
        uint32_t middle = from + (to - from) / 2;
        if (o->key[middle] >> 32 < file)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

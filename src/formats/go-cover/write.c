/* Blocks of a sealed profile -> Go cover profile, by path and place, equal blocks joined. Only formats with blocks in columns can become one. */
#include "base/order.h"
#include "base/sort.h"
#include "formats/go-cover/go_cover.h"

struct out_block {
    assay_slice path;
    uint64_t first, last, hits;
    uint32_t first_column, last_column, statements;
};
struct out_blocks {
    struct out_block *at;
    size_t len, cap;
};

static int by_place(const void *x, const void *y)
{
    const struct out_block *a = x, *b = y;
    int c = slice_compare(a->path, b->path);
    if (c) return c;
    ORDER_BY(a->first, b->first);
    ORDER_BY(a->first_column, b->first_column);
    ORDER_BY(a->last, b->last);
    ORDER_BY(a->last_column, b->last_column);
    ORDER_BY(a->statements, b->statements);
    return 0;
}

static bool is_block(const struct assay_coverage *c, uint32_t i) { return c->region_kind && c->region_kind[i] == ASSAY_REGION_BLOCK && c->region_first_column; }

static bool gather(const assay_profile *p, struct mem *mem, struct out_blocks *list)
{
    const struct assay_coverage *c = assay_profile_coverage(p);
    const struct assay_files *files = assay_profile_files(p);
    for (uint32_t i = 0; i < c->region_count; i++) {
        if (!is_block(c, i) || !c->region_file[i].v) continue;
        struct out_block *slot = vec_push(mem, list);
        if (!slot) return false;
        *slot = (struct out_block){ assay_profile_string(p, files->path[c->region_file[i].v]),
                                    c->region_first[i],
                                    c->region_last[i],
                                    c->region_hits[i],
                                    c->region_first_column[i],
                                    c->region_last_column ? c->region_last_column[i] : 0,
                                    c->region_statements ? c->region_statements[i] : 0 };
    }
    return sort_by(list->at, list->len, sizeof *list->at, by_place);
}

static void put_path(struct output *o, assay_slice path)
{
    for (size_t i = 0; i < path.len; i++) output_char(o, path.data[i] == '\n' || path.data[i] == '\r' ? '?' : path.data[i]);
}

static void put_blocks(struct output *o, const struct out_blocks *list, const char *mode)
{
    bool is_set = strcmp(mode, "set") == 0;
    output_printf(o, "mode: %s\n", mode);
    for (size_t i = 0, next; i < list->len; i = next) {
        const struct out_block *b = &list->at[i];
        uint64_t hits = 0;
        for (next = i; next < list->len && by_place(b, &list->at[next]) == 0; next++)
            hits = hits > UINT64_MAX - list->at[next].hits ? UINT64_MAX : hits + list->at[next].hits;
        put_path(o, b->path);
        output_printf(o, ":%llu.%u,%llu.%u %u %llu\n", (unsigned long long)b->first, b->first_column, (unsigned long long)b->last, b->last_column,
                      b->statements, (unsigned long long)(is_set ? hits > 0 : hits));
    }
}

static void name_losses(const assay_profile *p, const struct write_job *job, uint64_t blocks)
{
    const struct assay_coverage *c = assay_profile_coverage(p);
    struct losses *l = job->losses;
    bool only_hit = c->line_flags && c->line_count && c->line_flags[0] & ASSAY_COVERAGE_ONLY_HIT;
    if (c->region_count > blocks) losses_add(l, "regions", c->region_count - blocks, "regions that are not blocks are not written");
    if (c->func_count) losses_add(l, "functions", c->func_count, "Go profiles have no functions");
    if (c->branch_count || c->sum_count) losses_add(l, "branches", (uint64_t)c->branch_count + c->sum_count, "Go profiles have no branches");
    if (strcmp(job->version, "set") == 0 && !only_hit) losses_add(l, "counts", blocks, "mode set only records whether a block was hit");
    if (strcmp(job->version, "set") != 0 && only_hit) losses_add(l, "counts", blocks, "the input only records whether a block was hit: counts are 0 or 1");
    if (assay_profile_shapes(p) & (uint32_t)~ASSAY_SHAPE_COVERAGE)
        losses_add(l, "cost", 1, "Go profiles hold only coverage; other measurements are not written");
}

int go_cover_write(const assay_profile *p, const struct write_job *job, struct output *out, assay_error *err)
{
    const struct assay_coverage *c = assay_profile_coverage(p);
    uint64_t blocks = 0;
    for (uint32_t i = 0; i < c->region_count; i++) blocks += is_block(c, i);
    if (!blocks && strcmp(assay_profile_format(p), "go-cover") != 0)
        FAIL(err, ASSAY_ERR_UNSUPPORTED, "it has no blocks with columns, which a Go cover profile is made of");
    name_losses(p, job, blocks);
    TRY(losses_settle(job, err));
    struct out_blocks list = { NULL, 0, 0 };
    int rc = gather(p, job->mem, &list) ? 0 : error_memory(err);
    if (rc == 0) put_blocks(out, &list, job->version);
    vec_done(job->mem, &list);
    return rc;
}

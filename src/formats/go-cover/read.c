/* Go blocks -> regions and lines. Every line of a block belongs to it; where blocks meet on a line the largest count is the line's, and the
 * line is partial when one was hit and another was not. */
#include "base/number.h"
#include "formats/go-cover/go_cover.h"
#include "model/column.h"

/* A block of a hundred thousand lines is no code; and a few bytes must not become gigabytes of lines. */
enum { LINES_OF_BLOCK = 100000, LINES_ALWAYS = 1000000, LINES_PER_ROW = 1000 };

struct reader {
    const struct read_job *job;
    assay_builder *b;
    struct findings damage;
    struct go_decoder d;
    struct go_blocks blocks;
    VEC(uint64_t) keys;   /* file << 32 | line, of each line of each block */
    VEC(uint32_t) owners; /* its block, from 0 */
    uint64_t left_out;
    assay_wide hits;
};

static int rows(struct reader *r, assay_error *err)
{
    struct go_record rec;
    for (;;) {
        bool again, differs;
        TRY(go_next(&r->d, &rec));
        if (r->job->options->strict) TRY(findings_refuse(&r->damage, err));
        if (rec.kind == GO_END) return 0;
        if (rec.kind == GO_BLOCK && !go_blocks_add(&r->blocks, &rec, r->d.mode, &again, &differs)) return error_memory(err);
    }
}

static int book_blocks(struct reader *r, assay_file_id *files, assay_error *err)
{
    struct go_blocks *k = &r->blocks;
    uint64_t room = LINES_ALWAYS + LINES_PER_ROW * k->rows;
    for (uint32_t i = 1; i <= intern_count(&k->paths); i++) {
        assay_slice path = intern_get(&k->paths, i);
        files[i] = assay_build_file(r->b, assay_build_string(r->b, path.data, path.len), (assay_module_id){ 0 });
    }
    for (size_t i = 0; i < k->list.len; i++) {
        const struct go_block *block = &k->list.at[i];
        const struct go_place *p = &block->place;
        assay_build_coverage_region(r->b, &(struct assay_coverage_region){ .file = files[block->file],
                                                                           .kind = ASSAY_REGION_BLOCK,
                                                                           .first = p->first,
                                                                           .last = p->last,
                                                                           .first_column = p->first_column,
                                                                           .last_column = p->last_column,
                                                                           .statements = block->statements,
                                                                           .hits = block->count });
        uint64_t span = (uint64_t)p->last - p->first + 1;
        if (span > LINES_OF_BLOCK || r->keys.len + span > room) {
            r->left_out++;
            continue;
        }
        if (!vec_reserve(r->job->mem, &r->keys, span) || !vec_reserve(r->job->mem, &r->owners, span)) return error_memory(err);
        for (uint32_t line = p->first; line <= p->last; line++) {
            r->keys.at[r->keys.len++] = (uint64_t)block->file << 32 | line;
            r->owners.at[r->owners.len++] = (uint32_t)i;
        }
    }
    return assay_builder_failed(r->b);
}

static void book_line(struct reader *r, const assay_file_id *files, size_t from, size_t to)
{
    uint64_t most = 0;
    bool any_missed = false;
    for (size_t i = from; i < to; i++) {
        uint64_t count = r->blocks.list.at[r->owners.at[i]].count;
        if (count > most) most = count;
        any_missed |= count == 0;
    }
    uint8_t flags = r->d.mode == GO_SET ? ASSAY_COVERAGE_ONLY_HIT : 0;
    if (most && any_missed) flags |= ASSAY_COVERAGE_PARTIAL;
    r->hits = wide_add_u64(r->hits, most);
    assay_build_coverage_line(
        r->b, &(struct assay_coverage_line){ .file = files[r->keys.at[from] >> 32], .line = (uint32_t)r->keys.at[from], .hits = most, .flags = flags });
}

static int book(struct reader *r, assay_error *err)
{
    size_t room = (size_t)intern_count(&r->blocks.paths) + 1;
    assay_file_id *files = mem_zalloc(r->job->mem, room, sizeof *files);
    if (!files) return error_memory(err);
    int rc = book_blocks(r, files, err);
    if (rc == 0 && !radix_sort(r->job->mem, r->keys.at, r->owners.at, r->keys.len, 0)) rc = error_memory(err);
    for (size_t i = 0, next; rc == 0 && i < r->keys.len; i = next) {
        for (next = i; next < r->keys.len && r->keys.at[next] == r->keys.at[i];) next++;
        book_line(r, files, i, next);
    }
    mem_free(r->job->mem, files, room * sizeof *files);
    return rc;
}

static void finish(struct reader *r)
{
    if (r->left_out)
        findings_add(&r->damage, "GO-7", ASSAY_WARNING, FINDING_NO_OFFSET, 0, "%llu blocks are too long to be code: their lines are left out",
                     (unsigned long long)r->left_out);
    assay_metric_id hits = assay_build_metric(r->b, "hits", "executions", ASSAY_U64, ASSAY_SHAPE_COVERAGE);
    assay_build_metric_total(r->b, hits, (assay_value){ .u = r->hits.high ? UINT64_MAX : r->hits.low });
    for (size_t i = 0; i < r->damage.list.len; i++) assay_build_warning(r->b, &r->damage.list.at[i]);
    assay_build_count(r->b, "rows", r->blocks.rows);
    assay_build_source(r->b, "go-cover", go_mode_name(r->d.mode), "");
    assay_build_offers(r->b, ASSAY_SHAPE_COVERAGE);
}

int go_cover_read(const struct read_job *job, assay_builder *b, assay_error *err)
{
    struct reader *r = mem_zalloc(job->mem, 1, sizeof *r);
    if (!r) return error_memory(err);
    r->job = job;
    r->b = b;
    findings_init(&r->damage, job->mem);
    go_init(&r->d, job->in, job->mem, &r->damage, err);
    go_blocks_init(&r->blocks, job->mem);
    int rc = rows(r, err);
    if (rc == 0) rc = book(r, err);
    if (rc == 0) finish(r);
    vec_done(job->mem, &r->keys);
    vec_done(job->mem, &r->owners);
    go_blocks_done(&r->blocks);
    go_done(&r->d);
    findings_done(&r->damage);
    mem_free(job->mem, r, sizeof *r);
    return rc;
}

/* The sums of lines, blocks and subs: one row for each (fid, line), found by hash. See read.h. */
#include "formats/nytprof/read.h"

void nytprof_lines_init(struct nytprof_lines *t, struct mem *mem)
{
    *t = (struct nytprof_lines){ .mem = mem };
    index_init(&t->index, mem);
}

void nytprof_lines_done(struct nytprof_lines *t)
{
    index_done(&t->index);
    vec_done(t->mem, &t->rows);
}

struct nytprof_row *nytprof_lines_new(struct nytprof_lines *t, uint64_t key, uint64_t hash)
{
    if (t->rows.len >= UINT32_MAX - 1) return NULL;
    struct nytprof_row *row = vec_push(t->mem, &t->rows);
    if (!row) return NULL;
    if (!index_add(&t->index, hash, (uint32_t)t->rows.len)) {
        t->rows.len--;
        return NULL;
    }
    *row = (struct nytprof_row){ .key = key, .process = UINT32_MAX };
    return row;
}

int nytprof_book_lines(struct nytprof_reader *r, uint32_t process)
{
    for (int level = 0; level < 3; level++)
        for (size_t i = 0; i < r->lines[level].rows.len; i++) {
            struct nytprof_row *row = &r->lines[level].rows.at[i];
            if (row->process == UINT32_MAX) continue;
            struct assay_line at = { .stream = nytprof_stream(r, process), .level = (uint8_t)level, .line = (uint32_t)row->key };
            at.file = nytprof_file_id(r, (uint32_t)(row->key >> 32));
            assay_build_line(r->b, &at, row->hits, &(assay_value){ .i = row->ticks }, NULL);
            row->ticks = 0;
            row->hits = 0;
            row->process = UINT32_MAX;
        }
    return assay_builder_failed(r->b);
}

/* Go cover profiles (go test -coverprofile): what the files of this folder share. */
#ifndef FORMATS_GO_COVER_GO_COVER_H
#define FORMATS_GO_COVER_GO_COVER_H

#include "base/index.h"
#include "formats/coverage/rows.h"

extern const struct coverage_source go_cover_source;

/* The only parser of this format: a region for each row, as it stands, of the path that is its name. For readers the blocks that they join to, and
 * their lines. docs/formats/go-cover.md has the grammar. */
int go_cover_decode(struct coverage_decoder *d);
int go_cover_check(const struct read_job *job, struct findings *out, assay_error *err);
int go_cover_write(const assay_profile *p, const struct write_job *job, struct output *out, assay_error *err);

/* A block of the whole file: the same place and number of statements, however often it comes. */
struct go_block {
    uint32_t file, first, first_column, last, last_column, statements;
    uint64_t count;
};

struct go_blocks {
    struct mem *mem;
    struct index index, place_index;
    VEC(struct go_block) list;
    uint64_t rows;
};

void go_blocks_init(struct go_blocks *b, struct mem *mem);
void go_blocks_done(struct go_blocks *b);
/* Adds a row: counts are added, in mode set joined by "or". *again: the block was there already; *differs: another block of the same place
 * has another number of statements. false = no memory. */
bool go_blocks_add(struct go_blocks *b, const struct coverage_row *r, bool is_set, bool *again, bool *differs);
/* Gives the joined blocks, then the lines that they cover: every line of a block belongs to it; where blocks meet on a line the largest count is
 * the line's, and the line is partial when one was hit and another was not. GO-7: blocks that are too long. */
int go_blocks_give(struct go_blocks *b, struct coverage_decoder *d, bool is_set);

#endif

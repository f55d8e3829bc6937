/* What the files of this folder give to the table in format.c, and the blocks that read and check collect. */
#ifndef FORMATS_GO_COVER_GO_COVER_H
#define FORMATS_GO_COVER_GO_COVER_H

#include "base/index.h"
#include "base/intern.h"
#include "formats/format.h"
#include "formats/go-cover/decode.h"

int go_cover_read(const struct read_job *job, assay_builder *b, assay_error *err);
int go_cover_check(const struct read_job *job, struct findings *out, assay_error *err);
int go_cover_dump(const struct read_job *job, struct output *out, assay_error *err);
int go_cover_write(const assay_profile *p, const struct write_job *job, struct output *out, assay_error *err);

/* A block of the whole file: the same place and number of statements, however often it comes. */
struct go_block {
    uint32_t file; /* handle of its path */
    struct go_place place;
    uint32_t statements;
    uint64_t count;
};

struct go_blocks {
    struct mem *mem;
    struct intern paths;
    struct index index, place_index;
    VEC(struct go_block) list;
    uint64_t rows;
};

void go_blocks_init(struct go_blocks *b, struct mem *mem);
void go_blocks_done(struct go_blocks *b);
/* Adds a row: counts are added, in mode set joined by "or". *again: the block was there already; *differs: another block of the same place
 * has another number of statements. false = no memory. */
bool go_blocks_add(struct go_blocks *b, const struct go_record *r, enum go_mode mode, bool *again, bool *differs);

#endif

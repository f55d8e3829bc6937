/* Lines of formats in which a repeated line says the same thing again: the larger figures count. For decoders and checks alike. */
#ifndef FORMATS_COVERAGE_LINES_H
#define FORMATS_COVERAGE_LINES_H

#include "assay/build.h"
#include "formats/coverage/rows.h"

struct coverage_line {
    uint64_t key; /* file << 32 | line */
    uint64_t hits;
    uint32_t covered, total; /* branches */
    uint8_t flags;           /* enum assay_coverage_flags */
};
struct coverage_lines {
    struct coverage_line *at;
    size_t len, cap;
};
struct coverage_figures {
    uint64_t lines, lines_hit, branches, branches_hit;
    assay_wide hits;
};

/* Sorts by file and line, and joins the rows of each line. */
void coverage_lines_join(struct coverage_lines *rows);
/* Of joined rows. */
struct coverage_figures coverage_lines_count(const struct coverage_lines *rows);

/* The lines of all files of a document, for readers: a file may come again. */
struct coverage_joined {
    struct coverage_decoder *d;
    struct intern files; /* in the order in which they came */
    struct coverage_lines rows;
    uint32_t file; /* the one in work; 0 = none */
};
void coverage_joined_init(struct coverage_joined *j, struct coverage_decoder *d);
void coverage_joined_done(struct coverage_joined *j);
/* Gives the row of the file, and says that what follows is of it. */
int coverage_joined_file(struct coverage_joined *j, assay_slice path);
static inline int coverage_joined_add(struct coverage_joined *j, uint32_t line, uint64_t hits, uint32_t covered, uint32_t total, uint8_t flags)
{
    struct coverage_line *row = vec_push(j->d->mem, &j->rows);
    if (!row) return error_memory(j->d->err);
    *row = (struct coverage_line){ (uint64_t)j->file << 32 | line, hits, covered, total, flags };
    return 0;
}
/* Gives each line once. */
int coverage_joined_give(struct coverage_joined *j);

#endif

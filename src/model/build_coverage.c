/* Coverage: rows are kept as given, in order. */
#include "model/builder.h"

/* The row number for a new row; false = the builder has failed. */
static bool next_row(assay_builder *b, uint32_t count, uint32_t *row)
{
    if (b->code) return false;
    *row = count;
    return builder_next(b, count, "rows of coverage") != 0;
}

static bool has_file(assay_builder *b, assay_file_id file) { return builder_has(b, file.v, b->files.count, "file"); }

/* ---- one row: what schema.def says of its columns ---- */

#define HAS(T, name, member, type, ...) &&ROW_HAS_##type(row->name)
#define PUT(T, name, member, type, ...) ROW_PUT_##type(&t->name, i, row->name);

#define BUILD_ROW(kind, LIST)                                                                                                                                  \
    void assay_build_coverage_##kind(assay_builder *b, const struct assay_coverage_##kind *row)                                                                \
    {                                                                                                                                                          \
        struct build_coverage_##kind *t = &b->coverage.kind;                                                                                                   \
        uint32_t i;                                                                                                                                            \
        if (!(next_row(b, t->count, &i) LIST(HAS, _))) return;                                                                                                 \
        LIST(PUT, _)                                                                                                                                           \
        if (!b->code) t->count++;                                                                                                                              \
    }
BUILD_ROW(line, SCHEMA_COVERAGE_LINES)
BUILD_ROW(func, SCHEMA_COVERAGE_FUNCS)
BUILD_ROW(branch, SCHEMA_COVERAGE_BRANCHES)
BUILD_ROW(sum, SCHEMA_COVERAGE_SUMS)
BUILD_ROW(condition, SCHEMA_COVERAGE_CONDITIONS)
BUILD_ROW(region, SCHEMA_COVERAGE_REGIONS)
BUILD_ROW(stated, SCHEMA_COVERAGE_STATED)

/* ---- many rows at once ---- */

/* Room for `count` rows behind the first `from`; false = the builder has failed. */
static bool has_room(assay_builder *b, uint32_t from, uint32_t count)
{
    if (b->code || count == 0) return false;
    if (count > UINT32_MAX - 3 - from) return builder_next(b, UINT32_MAX, "rows of coverage") != 0;
    return true;
}

/* Room in a column for rows that are all written at once, so that they need not be 0 before. */
#define stretch(b, c, row, count) stretch_((b), (void **)&(c)->at, &(c)->len, &(c)->cap, (row), (count), sizeof *(c)->at)

static bool stretch_(assay_builder *b, void **at, size_t *len, size_t *cap, size_t row, uint32_t count, size_t size)
{
    bool done = column_reach_(b->mem, at, len, cap, row, size) && vec_grow_(b->mem, at, row, cap, count, size);
    if (done)
        *len = row + count;
    else
        builder_no_memory(b);
    return done;
}

static void fill32(assay_builder *b, struct col32 *c, size_t row, uint32_t v, uint32_t count)
{
    if (v == 0 || !stretch(b, c, row, count)) return;
    for (uint32_t i = 0; i < count; i++) c->at[row + i] = v;
}

static void copy32(assay_builder *b, struct col32 *c, size_t row, const uint32_t *from, uint32_t count)
{
    if (stretch(b, c, row, count)) memcpy(c->at + row, from, count * sizeof *from);
}

static void copy64(assay_builder *b, struct col64 *c, size_t row, const uint64_t *from, uint32_t count)
{
    if (stretch(b, c, row, count)) memcpy(c->at + row, from, count * sizeof *from);
}

void assay_build_coverage_lines(assay_builder *b, assay_str_id test, assay_file_id file, const uint32_t *line, const uint64_t *hits, uint32_t count)
{
    uint32_t row = b->coverage.line.count;
    if (!has_room(b, row, count) || !builder_has_string(b, test.v) || !has_file(b, file)) return;
    fill32(b, &b->coverage.line.test, row, test.v, count);
    fill32(b, &b->coverage.line.file, row, file.v, count);
    copy32(b, &b->coverage.line.line, row, line, count);
    copy64(b, &b->coverage.line.hits, row, hits, count);
    if (!b->code) b->coverage.line.count += count;
}

/* Checks and copies ids of strings, in place of copy32. */
static void copy_strings(assay_builder *b, struct col32 *c, size_t row, const assay_str_id *from, uint32_t count)
{
    uint32_t largest = 0;
    if (!stretch(b, c, row, count)) return;
    for (uint32_t i = 0; i < count; i++) {
        largest = from[i].v > largest ? from[i].v : largest;
        c->at[row + i] = from[i].v;
    }
    (void)builder_has_string(b, largest);
}

void assay_build_coverage_branches(assay_builder *b, assay_str_id test, assay_file_id file, const struct assay_coverage_branch_rows *rows)
{
    uint32_t row = b->coverage.branch.count;
    if (!has_room(b, row, rows->count) || !builder_has_string(b, test.v) || !has_file(b, file)) return;
    fill32(b, &b->coverage.branch.test, row, test.v, rows->count);
    fill32(b, &b->coverage.branch.file, row, file.v, rows->count);
    copy32(b, &b->coverage.branch.line, row, rows->line, rows->count);
    copy_strings(b, &b->coverage.branch.block, row, rows->block, rows->count);
    copy_strings(b, &b->coverage.branch.name, row, rows->name, rows->count);
    copy64(b, &b->coverage.branch.hits, row, rows->hits, rows->count);
    for (uint32_t i = 0; i < rows->count && !b->code; i++) put8(b, &b->coverage.branch.flags, (size_t)row + i, rows->flags[i]);
    if (!b->code) b->coverage.branch.count += rows->count;
}

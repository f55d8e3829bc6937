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
static bool has_func(assay_builder *b, assay_func_id func) { return builder_has(b, func.v, b->funcs.count, "function"); }

static void put_double(assay_builder *b, struct coldouble *c, size_t row, double v)
{
    if (column_reach(b->mem, c, row + 1))
        c->at[row] = v;
    else
        builder_no_memory(b);
}

void assay_build_coverage_line(assay_builder *b, const struct assay_coverage_line *row)
{
    uint32_t i;
    if (!next_row(b, b->coverage.line.count, &i)) return;
    if (!builder_has_string(b, row->test.v) || !has_file(b, row->file) || !builder_has_string(b, row->checksum.v)) return;
    put32(b, &b->coverage.line.test, i, row->test.v);
    put32(b, &b->coverage.line.file, i, row->file.v);
    put32(b, &b->coverage.line.number, i, row->line);
    put64(b, &b->coverage.line.hits, i, row->hits);
    put8(b, &b->coverage.line.flags, i, row->flags);
    put32(b, &b->coverage.line.checksum, i, row->checksum.v);
    if (!b->code) b->coverage.line.count++;
}

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
    copy32(b, &b->coverage.line.number, row, line, count);
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

void assay_build_coverage_func(assay_builder *b, const struct assay_coverage_func *row)
{
    uint32_t i;
    if (!next_row(b, b->coverage.func.count, &i)) return;
    if (!builder_has_string(b, row->test.v) || !has_func(b, row->func)) return;
    put32(b, &b->coverage.func.test, i, row->test.v);
    put32(b, &b->coverage.func.func, i, row->func.v);
    put64(b, &b->coverage.func.calls, i, row->calls);
    put32(b, &b->coverage.func.first_column, i, row->first_column);
    put32(b, &b->coverage.func.last_column, i, row->last_column);
    put32(b, &b->coverage.func.blocks, i, row->blocks);
    put32(b, &b->coverage.func.blocks_hit, i, row->blocks_hit);
    put8(b, &b->coverage.func.flags, i, row->flags);
    if (!b->code) b->coverage.func.count++;
}

void assay_build_coverage_branch(assay_builder *b, const struct assay_coverage_branch *row)
{
    uint32_t i;
    if (!next_row(b, b->coverage.branch.count, &i)) return;
    if (!builder_has_string(b, row->test.v) || !has_file(b, row->file) || !has_func(b, row->func) || !builder_has_string(b, row->block.v) ||
        !builder_has_string(b, row->name.v))
        return;
    put32(b, &b->coverage.branch.test, i, row->test.v);
    put32(b, &b->coverage.branch.file, i, row->file.v);
    put32(b, &b->coverage.branch.line, i, row->line);
    put32(b, &b->coverage.branch.func, i, row->func.v);
    put32(b, &b->coverage.branch.block, i, row->block.v);
    put32(b, &b->coverage.branch.name, i, row->name.v);
    put32(b, &b->coverage.branch.index, i, row->index);
    put64(b, &b->coverage.branch.hits, i, row->hits);
    put8(b, &b->coverage.branch.flags, i, row->flags);
    put32(b, &b->coverage.branch.column, i, row->column);
    put32(b, &b->coverage.branch.end_line, i, row->end_line);
    put32(b, &b->coverage.branch.end_column, i, row->end_column);
    if (row->target && !column_reach(b->mem, &b->coverage.branch.target, (size_t)i + 1)) builder_no_memory(b);
    if (b->code) return;
    if (row->target) b->coverage.branch.target.at[i] = row->target;
    b->coverage.branch.count++;
}

void assay_build_coverage_sum(assay_builder *b, const struct assay_coverage_sum *row)
{
    uint32_t i;
    if (!next_row(b, b->coverage.sum.count, &i)) return;
    if (!builder_has_string(b, row->test.v) || !has_file(b, row->file) || !builder_has_string(b, row->kind.v)) return;
    put32(b, &b->coverage.sum.test, i, row->test.v);
    put32(b, &b->coverage.sum.file, i, row->file.v);
    put32(b, &b->coverage.sum.line, i, row->line);
    put32(b, &b->coverage.sum.hit, i, row->hit);
    put32(b, &b->coverage.sum.total, i, row->total);
    put32(b, &b->coverage.sum.kind, i, row->kind.v);
    put8(b, &b->coverage.sum.flags, i, row->flags);
    if (!b->code) b->coverage.sum.count++;
}

void assay_build_coverage_condition(assay_builder *b, const struct assay_coverage_condition *row)
{
    uint32_t i;
    if (!next_row(b, b->coverage.condition.count, &i)) return;
    if (!has_file(b, row->file) || !builder_has_string(b, row->text.v) || !builder_has_string(b, row->test.v)) return;
    put32(b, &b->coverage.condition.test, i, row->test.v);
    put8(b, &b->coverage.condition.flags, i, row->flags);
    put32(b, &b->coverage.condition.file, i, row->file.v);
    put32(b, &b->coverage.condition.line, i, row->line);
    put32(b, &b->coverage.condition.group, i, row->group);
    put32(b, &b->coverage.condition.index, i, row->index);
    put8(b, &b->coverage.condition.sense, i, row->sense);
    put64(b, &b->coverage.condition.hits, i, row->hits);
    put32(b, &b->coverage.condition.text, i, row->text.v);
    if (!b->code) b->coverage.condition.count++;
}

void assay_build_coverage_region(assay_builder *b, const struct assay_coverage_region *row)
{
    uint32_t i;
    if (!next_row(b, b->coverage.region.count, &i)) return;
    if (!has_file(b, row->file) || !has_func(b, row->func)) return;
    put32(b, &b->coverage.region.file, i, row->file.v);
    put32(b, &b->coverage.region.func, i, row->func.v);
    put8(b, &b->coverage.region.kind, i, row->kind);
    put64(b, &b->coverage.region.first, i, row->first);
    put64(b, &b->coverage.region.last, i, row->last);
    put32(b, &b->coverage.region.first_column, i, row->first_column);
    put32(b, &b->coverage.region.last_column, i, row->last_column);
    put32(b, &b->coverage.region.statements, i, row->statements);
    put64(b, &b->coverage.region.hits, i, row->hits);
    if (!b->code) b->coverage.region.count++;
}

void assay_build_coverage_stated(assay_builder *b, const struct assay_coverage_stated *row)
{
    uint32_t i;
    if (!next_row(b, b->coverage.stated.count, &i)) return;
    if (!has_file(b, row->file) || !builder_has_string(b, row->scope.v) || !builder_has_string(b, row->kind.v)) return;
    put32(b, &b->coverage.stated.file, i, row->file.v);
    put32(b, &b->coverage.stated.scope, i, row->scope.v);
    put32(b, &b->coverage.stated.kind, i, row->kind.v);
    put_double(b, &b->coverage.stated.hit, i, row->hit);
    put_double(b, &b->coverage.stated.total, i, row->total);
    if (!b->code) b->coverage.stated.count++;
}

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

void assay_build_cov_line(assay_builder *b, const struct assay_cov_line *row)
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

void assay_build_cov_func(assay_builder *b, const struct assay_cov_func *row)
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

void assay_build_cov_branch(assay_builder *b, const struct assay_cov_branch *row)
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

void assay_build_cov_sum(assay_builder *b, const struct assay_cov_sum *row)
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
    if (!b->code) b->coverage.sum.count++;
}

void assay_build_cov_condition(assay_builder *b, const struct assay_cov_condition *row)
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

void assay_build_cov_region(assay_builder *b, const struct assay_cov_region *row)
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

void assay_build_cov_stated(assay_builder *b, const struct assay_cov_stated *row)
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

/* A report with each line once, by merging it with nothing; see once.h. */
#include "analysis/coverage/once.h"

#include <string.h>

#include "base/error.h"
#include "base/scoped.h"
#include "base/slice.h"

static int fold(struct folded *f, const assay_profile *p, const struct assay_patch_options *o, assay_error *err)
{
    struct assay_merge_options merge = { .max_memory = o->max_memory };
    assay_merger *m = assay_merger_new(&merge, err);
    if (!m) return ASSAY_ERR_MEMORY;
    int rc = assay_merger_add(m, p, err);
    if (rc != 0) {
        assay_merger_free(m);
        return rc;
    }
    f->p = assay_merger_finish(m, err);
    return f->p ? 0 : err->code;
}

/* Rows of a merged report stand in the order of files, and those in the order of ids. */
static int take_lines(struct folded *f, assay_error *err)
{
    const struct assay_coverage *c = f->c;
    f->begin = mem_zalloc(f->mem, (size_t)f->file_count + 1, sizeof *f->begin);
    f->line = mem_zalloc(f->mem, c->line_count, sizeof *f->line);
    f->state = mem_zalloc(f->mem, c->line_count, 1);
    if (!f->begin || !f->line || !f->state) return error_memory(err);
    uint32_t file = 0;
    for (uint32_t i = 0; i < c->line_count; i++) {
        uint8_t flags = c->line_flags ? c->line_flags[i] : 0;
        if (!c->line_file[i].v || flags & (ASSAY_COVERAGE_EXCLUDED | ASSAY_COVERAGE_NONCODE | ASSAY_COVERAGE_UNKNOWN)) continue;
        while (file < c->line_file[i].v - 1) f->begin[++file] = f->count;
        f->line[f->count] = c->line_number[i];
        f->state[f->count++] = c->line_hits[i] == 0 ? ASSAY_LINE_MISSING : flags & ASSAY_COVERAGE_PARTIAL ? ASSAY_LINE_PARTIAL : ASSAY_LINE_COVERED;
    }
    while (file < f->file_count) f->begin[++file] = f->count;
    return 0;
}

/* A line that is hit, one of whose branches is not. */
static void mark_partial(struct folded *f, uint32_t file, uint32_t line)
{
    if (!file) return;
    uint32_t low = f->begin[file - 1], high = f->begin[file], end = high;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (f->line[middle] < line)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < end && f->line[low] == line && f->state[low] == ASSAY_LINE_COVERED) f->state[low] = ASSAY_LINE_PARTIAL;
}

static void take_branches(struct folded *f)
{
    const struct assay_coverage *c = f->c;
    const uint8_t left_out = ASSAY_COVERAGE_BRANCH_UNREACHABLE | ASSAY_COVERAGE_BRANCH_EXCLUDED;
    for (uint32_t i = 0; i < c->branch_count; i++)
        if (!c->branch_hits[i] && !(c->branch_flags && c->branch_flags[i] & left_out)) mark_partial(f, c->branch_file[i].v, c->branch_line[i]);
    for (uint32_t i = 0; i < c->sum_count; i++) {
        bool is_branches = slice_is(assay_profile_string(f->p, c->sum_kind[i]), "branches");
        if (is_branches && c->sum_hit[i] < c->sum_total[i]) mark_partial(f, c->sum_file[i].v, c->sum_line ? c->sum_line[i] : 0);
    }
}

static int take_paths(struct folded *f, assay_error *err)
{
    SCRATCH(assay_slice, paths, f->mem, f->file_count);
    if (!paths) return error_memory(err);
    for (uint32_t i = 0; i < f->file_count; i++) paths[i] = folded_path(f, i);
    return path_finder_init(&f->finder, paths, f->file_count, f->mem, err);
}

int folded_init(struct folded *f, const assay_profile *p, const struct assay_patch_options *options, struct mem *mem, assay_error *err)
{
    *f = (struct folded){ .mem = mem };
    if (!((assay_profile_shapes(p) | assay_profile_offers(p)) & ASSAY_SHAPE_COVERAGE)) FAIL(err, ASSAY_ERR_UNSUPPORTED, "has no coverage");
    TRY(fold(f, p, options, err));
    f->c = assay_profile_coverage(f->p);
    f->file_count = assay_profile_files(f->p)->count;
    TRY(take_lines(f, err));
    take_branches(f);
    return take_paths(f, err);
}

void folded_done(struct folded *f)
{
    if (f->finder.mem) path_finder_done(&f->finder);
    if (f->c) {
        mem_free(f->mem, f->begin, ((size_t)f->file_count + 1) * sizeof *f->begin);
        mem_free(f->mem, f->line, f->c->line_count * sizeof *f->line);
        mem_free(f->mem, f->state, f->c->line_count);
    }
    assay_profile_release(f->p);
}

assay_slice folded_path(const struct folded *f, uint32_t file) { return assay_profile_string(f->p, assay_profile_files(f->p)->path[file + 1]); }

/* LINE COVERAGE: words -> counted lines. The position begins at 1; a run adds to it, a count goes one further and belongs to the line that it
 * then stands on, all in 32 bits: the original reaches line 1 by wrapping around. */
#include "base/order.h"
#include "base/sort.h"
#include "formats/cov/decode.h"

/* Lines that do not ascend: by line, of equal ones the later first. */
struct placed {
    struct cov_line line;
    uint32_t word;
};

static int by_line(const void *x, const void *y)
{
    const struct placed *a = x, *b = y;
    ORDER_BY(a->line.line, b->line.line);
    return a->word < b->word ? 1 : -1;
}

static void twice(struct cov_decoder *d, const struct placed *p)
{
    findings_add(d->findings, "C21", ASSAY_WARNING, COV_LINES_HEADER + (uint64_t)p->word * COV_UNIT, 0, "line %u is counted twice", p->line.line);
}

/* Sorts what went round, and keeps the later count of each line. */
static int straighten(struct cov_decoder *d, struct cov_lines *l, assay_error *err)
{
    struct placed *all = arena_alloc(d->arena, l->count * sizeof *all);
    size_t n = 0;
    if (!all) return error_memory(err);
    for (size_t i = 0; i < l->count; i++) all[i] = (struct placed){ l->at[i], l->word[i] };
    sort_by(all, l->count, sizeof *all, by_line);
    for (size_t i = 0; i < l->count; i++) {
        if (n && l->at[n - 1].line == all[i].line.line) {
            twice(d, &all[i - 1]);
            continue;
        }
        l->at[n] = all[i].line;
        l->word[n++] = all[i].word;
    }
    l->count = n;
    return 0;
}

/* Walks over the words. Returns whether the lines ascend. */
static bool walk(struct cov_decoder *d, struct cov_lines *l)
{
    uint64_t line = 1, before = 0;
    bool ascends = true;
    for (uint32_t i = 0; i < l->words; i++) {
        uint32_t w = cov_u32(d, COV_LINES_HEADER + (uint64_t)i * COV_UNIT);
        if (w & COV_NULL_FLAG) {
            line += w & ~COV_NULL_FLAG;
            l->runs++;
            continue;
        }
        if (++line > UINT32_MAX) l->wrapped = true;
        line &= UINT32_MAX;
        if (line == 0) cov_note(d, "C22", ASSAY_WARNING, COV_LINES_HEADER + (uint64_t)i * COV_UNIT, "the count is for line 0");
        if (l->count && line <= before) ascends = false;
        before = line;
        l->word[l->count] = i;
        l->at[l->count++] = (struct cov_line){ (uint32_t)line, w };
    }
    if (line > UINT32_MAX) cov_note(d, "C22", ASSAY_WARNING, d->bytes.len, "the last line number is beyond 4294967295");
    l->last_line = (uint32_t)line;
    return ascends;
}

int cov_decode_lines(struct cov_decoder *d, assay_error *err)
{
    struct cov_lines *l = &d->o->lines;
    uint32_t count = cov_u32(d, COV_FILE_HEADER);
    size_t room = (d->bytes.len - COV_LINES_HEADER) / COV_UNIT;
    uint64_t end = COV_LINES_HEADER + (uint64_t)count * COV_UNIT;
    d->o->layout.entry_count = count;
    l->words = count;
    if (count > room) {
        findings_add(d->findings, "C20", ASSAY_ERROR, COV_FILE_HEADER, 0, "%u words, but there is room for %zu", count, room);
        l->words = (uint32_t)room;
    } else if (end < d->bytes.len)
        findings_add(d->findings, "C19", ASSAY_WARNING, end, 0, "%llu bytes too many", (unsigned long long)(d->bytes.len - end));
    l->at = arena_alloc(d->arena, (size_t)l->words * sizeof *l->at);
    l->word = arena_alloc(d->arena, (size_t)l->words * sizeof *l->word);
    if (!l->at || !l->word) return error_memory(err);
    return walk(d, l) ? 0 : straighten(d, l, err);
}

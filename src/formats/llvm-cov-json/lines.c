/* Lines out of segments, by the rule of llvm-cov itself (docs/formats/llvm-cov-json.md, "Lines"). */
#include "formats/llvm-cov-json/decode.h"

/* A few bytes can claim any number of lines: there are at most so many, and one more for each byte of the document. */
enum { LINES_FREE = 1000000 };

static int push_line(struct llvm_work *w, const struct llvm_segment *at, uint32_t line, uint64_t count, bool any_missed)
{
    struct coverage_row *row = coverage_push(w->d, COVERAGE_LINE, &(struct json_event){ .off = at->off, .line = at->number });
    if (!row) return ASSAY_ERR_MEMORY;
    row->is_derived = true;
    row->line = line;
    row->count = count;
    if (count && any_missed) row->flags = ASSAY_COVERAGE_PARTIAL;
    w->lines++;
    return 0;
}

/* The line of the segments from..to; `wrapped` is the last one of an earlier line. */
static int own_line(struct llvm_work *w, size_t from, size_t to, const struct llvm_segment *wrapped)
{
    const struct llvm_segment *s = w->segments.at;
    bool is_wrapped = wrapped && wrapped->has_count, any_start = false, any_missed = is_wrapped && !wrapped->count && !wrapped->is_gap;
    uint64_t count = is_wrapped ? wrapped->count : 0;
    if (!s[from].has_count && s[from].is_entry) return 0; /* begins skipped */
    for (size_t i = from; i < to; i++) {
        if (!s[i].has_count || !s[i].is_entry || s[i].is_gap) continue;
        any_start = true;
        any_missed |= !s[i].count;
        if (s[i].count > count) count = s[i].count;
    }
    return is_wrapped || any_start ? push_line(w, &s[from], s[from].line, count, any_missed) : 0;
}

/* The lines between two segments, which only have what began before them. */
static int lines_between(struct llvm_work *w, const struct llvm_segment *wrapped, const struct llvm_segment *next)
{
    uint64_t between = next->line - wrapped->line;
    if (!wrapped->has_count || between < 2) return 0;
    if (w->lines + between > LINES_FREE + next->off) {
        coverage_json_found(w->d->j, next->off, next->number, "LV-8", ASSAY_ERROR, "a segment at line %u after one at line %u: the lines between are left out",
                            next->line, wrapped->line);
        return 0;
    }
    for (uint32_t line = wrapped->line + 1; line < next->line; line++) TRY(push_line(w, wrapped, line, wrapped->count, false));
    return 0;
}

int llvm_cov_lines(struct llvm_work *w)
{
    const struct llvm_segment *s = w->segments.at, *wrapped = NULL;
    for (size_t i = 0, next; i < w->segments.len; i = next) {
        for (next = i; next < w->segments.len && s[next].line == s[i].line; next++) continue;
        if (wrapped) TRY(lines_between(w, wrapped, &s[i]));
        TRY(own_line(w, i, next, wrapped));
        wrapped = &s[next - 1];
    }
    return 0;
}

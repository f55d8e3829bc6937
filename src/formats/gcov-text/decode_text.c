/* The annotated source: `count:line:source` rows, and between them what was counted of functions, branches and calls. Lines of several
 * instances (templates) have their sums first, then a section for each instance. */
#include "base/number.h"
#include "base/scan.h"
#include "formats/gcov-text/decode.h"

static bool is_marks(assay_slice s)
{
    static const char *const marks[] = { "#####", "=====", "$$$$$", "%%%%%" };
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (slice_is(s, marks[i])) return true;
    return false;
}

/* 1.5k, 3M: what gcov -H writes is rounded, so is the count. */
static bool human_count(struct gcov_record *r, assay_slice s)
{
    static const char units[] = "kMGTPEZY";
    const char *unit = s.len > 1 ? memchr(units, s.data[s.len - 1], sizeof units - 1) : NULL;
    double v, scale = 1;
    if (!unit || number_double(slice_from(s.data, s.data + s.len - 1), &v) != NUMBER_OK || v < 0) return false;
    for (const char *u = units; u <= unit; u++) scale *= 1000;
    v *= scale;
    r->count = v < 18446744073709551616.0 ? (uint64_t)v : UINT64_MAX;
    return true;
}

/* The first field of a row. false = this is no row. */
static bool row_count(struct gcov_decoder *d, struct gcov_record *r, assay_slice s)
{
    bool is_starred = s.len && s.data[s.len - 1] == '*';
    if (is_starred) s = slice_from(s.data, s.data + s.len - 1);
    r->is_code = !slice_is(s, "-");
    if (is_starred) r->flags |= ASSAY_COVERAGE_UNEXECUTED_BLOCK;
    return !r->is_code || is_marks(s) || gcov_count(d, r, s) || human_count(r, s);
}

static void header(struct gcov_decoder *d, struct gcov_record *r, assay_slice rest)
{
    const char *colon = rest.len ? memchr(rest.data, ':', rest.len) : NULL;
    if (!colon) {
        gcov_bad(d, r, "expected 'KEY:value' in a row of line 0");
        return;
    }
    r->kind = GCOV_HEADER;
    r->name = slice_from(rest.data, colon);
    r->value = slice_from(colon + 1, rest.data + rest.len);
    if (!slice_is(r->name, "Source")) return;
    r->kind = GCOV_SOURCE;
    r->name = r->value;
    d->has_file = true;
    d->in_section = false;
    d->line = 0;
}

/* What most rows are: `count:line:source` with plain numbers, or - for the count. false = it is not so, and nothing is known of it. */
static bool plain_row(struct gcov_decoder *d, struct gcov_record *r)
{
    const char *p = r->text.data, *end = p + r->text.len;
    uint64_t count = 0, line;
    while (p < end && *p == ' ') p++;
    bool is_code = p == end || *p != '-';
    p = is_code ? gcov_digits(p, end, 18, &count) : p + 1;
    if (!d->has_file || !p || p >= end || *p != ':') return false;
    for (p++; p < end && *p == ' ';) p++;
    p = gcov_digits(p, end, 9, &line);
    if (!p || !line || p == end || *p != ':') return false;
    r->kind = GCOV_LINE;
    r->is_code = is_code;
    r->count = count;
    r->line = d->line = (uint32_t)line;
    return true;
}

/* A row of the source. false = it is none. */
static bool row(struct gcov_decoder *d, struct gcov_record *r)
{
    const char *end = r->text.data + r->text.len;
    const char *first = r->text.len ? memchr(r->text.data, ':', r->text.len) : NULL;
    if (!first) return false;
    assay_slice count = slice_trim(slice_from(r->text.data, first));
    const char *p = first + 1;
    while (p < end && *p == ' ') p++;
    const char *digits = p;
    while (p < end && is_digit(*p)) p++;
    bool is_block = end - p >= 6 && memcmp(p, "-block", 6) == 0;
    if (p == digits || !(is_block || (p < end && *p == ':')) || count.len == 0 || !row_count(d, r, count)) return false;
    if (is_block) return true; /* of gcov -a: the lines have their sums already */
    if (!coverage_text_small(slice_from(digits, p), &r->line))
        gcov_bad(d, r, "a line number above 2147483647");
    else if (r->line == 0)
        header(d, r, slice_from(p + 1, end));
    else if (!d->has_file)
        gcov_bad(d, r, "a line before any row '0:Source:'");
    else {
        r->kind = GCOV_LINE;
        d->line = r->line;
    }
    return true;
}

/* "N", "N%" or "never executed" up to the end or a blank. */
static bool outcome(struct gcov_decoder *d, struct gcov_record *r, assay_slice s, const char *verb)
{
    if (slice_starts(s, "never executed")) {
        r->flags |= ASSAY_COVERAGE_BRANCH_NOT_EVALUATED;
        return true;
    }
    size_t skip = strlen(verb);
    if (!slice_starts(s, verb)) return false;
    const char *p = s.data + skip, *end = s.data + s.len, *stop = p;
    while (stop < end && *stop != ' ') stop++;
    r->is_percent = stop > p && stop[-1] == '%';
    return gcov_count(d, r, slice_from(p, r->is_percent ? stop - 1 : stop));
}

/* `branch  0 taken 8 (fallthrough)`, `call    0 returned 1` */
static void jump(struct gcov_decoder *d, struct gcov_record *r, size_t word, const char *verb, enum gcov_kind kind)
{
    const char *p = r->text.data + word, *end = r->text.data + r->text.len;
    while (p < end && *p == ' ') p++;
    const char *digits = p;
    while (p < end && is_digit(*p)) p++;
    bool has_index = coverage_text_small(slice_from(digits, p), &r->index) && p < end && *p == ' ';
    r->kind = kind;
    r->line = d->line;
    if (!d->line)
        gcov_bad(d, r, "a branch or call before any line");
    else if (!has_index || !outcome(d, r, slice_from(p + 1, end), verb))
        gcov_bad(d, r, "expected 'branch N taken N', 'call N returned N' or 'never executed'");
    const char *open = memchr(r->text.data, '(', r->text.len);
    if (!open) return;
    if (slice_contains(slice_from(open, end), "(fallthrough)")) r->flags |= ASSAY_COVERAGE_BRANCH_FALLTHROUGH;
    if (slice_contains(slice_from(open, end), "(throw)")) r->flags |= ASSAY_COVERAGE_BRANCH_EXCEPTION;
}

/* `function NAME called N returned P% blocks executed P%`; a demangled name has blanks, so the last " called " counts. */
static void function(struct gcov_decoder *d, struct gcov_record *r)
{
    assay_slice left = slice_from(r->text.data + 9, r->text.data + r->text.len);
    const char *called = NULL;
    for (const char *p = left.data, *end = left.data + left.len; (p = memmem(p, (size_t)(end - p), " called ", 8)) != NULL; p++) called = p;
    r->kind = GCOV_FUNCTION;
    if (!d->has_file || !called || called == left.data) {
        gcov_bad(d, r, "expected 'function NAME called N' after a row '0:Source:'");
        return;
    }
    r->name = slice_from(left.data, called);
    const char *p = called + 8, *end = left.data + left.len, *stop = p;
    while (stop < end && *stop != ' ') stop++;
    if (!gcov_count(d, r, slice_from(p, stop))) gcov_bad(d, r, "expected the number of calls");
}

static void dashes(struct gcov_decoder *d, struct gcov_record *r)
{
    if (d->in_section) r->kind = GCOV_SECTION_END;
    d->in_section = false;
    d->after_dashes = true;
}

static const char not_understood[] = "expected 'count:line:source', function, branch or call";

void gcov_text_line(struct gcov_decoder *d, struct gcov_record *r)
{
    bool after_dashes = d->after_dashes;
    d->after_dashes = false;
    if (r->text.len == 0) return;
    if (r->text.data[0] == ' ') { /* as most rows of the source begin, and nothing else */
        if (!plain_row(d, r) && !row(d, r)) gcov_bad(d, r, not_understood);
    } else if (slice_starts(r->text, "------------------"))
        dashes(d, r);
    else if (slice_starts(r->text, "function "))
        function(d, r);
    else if (slice_starts(r->text, "branch "))
        jump(d, r, 7, "taken ", GCOV_BRANCH);
    else if (slice_starts(r->text, "call "))
        jump(d, r, 5, "returned ", GCOV_CALL);
    else if (slice_starts(r->text, "unconditional ") || slice_starts(r->text, "condition "))
        return;
    else if (after_dashes && r->text.data[r->text.len - 1] == ':' && r->text.data[0] != ' ') {
        r->kind = GCOV_SECTION;
        r->name = slice_from(r->text.data, r->text.data + r->text.len - 1);
        d->in_section = true;
    } else if (!row(d, r))
        gcov_bad(d, r, not_understood);
}

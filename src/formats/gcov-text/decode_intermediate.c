/* The intermediate text: `file:`, `function:`, `lcount:` and `branch:` rows, and with gcc 8 `version:` and `cwd:`. */
#include "formats/gcov-text/decode.h"

static bool cut(assay_slice *left, assay_slice *field)
{
    const char *comma = left->len ? memchr(left->data, ',', left->len) : NULL;
    if (!comma) return false;
    *field = slice_from(left->data, comma);
    *left = slice_from(comma + 1, left->data + left->len);
    return true;
}

static bool is_number(assay_slice s)
{
    size_t i = s.len > 1 && s.data[0] == '-';
    for (; i < s.len; i++)
        if (s.data[i] < '0' || s.data[i] > '9') return false;
    return s.len > 0;
}

/* line,count,name; gcc 8: start,end,count,name */
static bool function(struct gcov_decoder *d, struct gcov_record *r, assay_slice left)
{
    assay_slice start, count, more, after;
    r->kind = GCOV_FUNCTION;
    if (!cut(&left, &start) || !coverage_text_small(start, &r->line) || !cut(&left, &count)) return false;
    after = left;
    if (cut(&after, &more) && is_number(more) && after.len && coverage_text_small(count, &r->end_line)) {
        count = more;
        left = after;
    } else
        r->end_line = 0;
    r->name = left;
    return left.len && is_number(count) && gcov_count(d, r, count);
}

/* line,count[,1 = a block of the line was not executed] */
static bool lcount(struct gcov_decoder *d, struct gcov_record *r, assay_slice left)
{
    assay_slice line, count;
    r->kind = GCOV_LINE;
    r->is_code = true;
    if (!cut(&left, &line) || !coverage_text_small(line, &r->line)) return false;
    if (!cut(&left, &count))
        count = left;
    else if (slice_is(left, "1"))
        r->flags |= ASSAY_COVERAGE_UNEXECUTED_BLOCK;
    return is_number(count) && gcov_count(d, r, count);
}

/* line,taken|nottaken|notexec */
static bool branch(struct gcov_record *r, assay_slice left)
{
    assay_slice line;
    r->kind = GCOV_BRANCH;
    if (!cut(&left, &line) || !coverage_text_small(line, &r->line)) return false;
    r->count = slice_is(left, "taken");
    if (slice_is(left, "notexec")) r->flags |= ASSAY_COVERAGE_BRANCH_NOT_EVALUATED;
    return r->count || r->flags || slice_is(left, "nottaken");
}

static void in_file(struct gcov_decoder *d, struct gcov_record *r, assay_slice tag, assay_slice value)
{
    if (!d->has_file)
        gcov_bad(d, r, "a row before any 'file:'");
    else if (slice_is(tag, "function")) {
        if (!function(d, r, value)) gcov_bad(d, r, "expected function:line,count,name");
    } else if (slice_is(tag, "lcount")) {
        if (!lcount(d, r, value)) gcov_bad(d, r, "expected lcount:line,count");
    } else if (!branch(r, value))
        gcov_bad(d, r, "expected branch:line,taken or nottaken or notexec");
    if (r->kind != GCOV_LINE && r->kind != GCOV_BRANCH) return;
    if (r->line > 0) return;
    r->kind = GCOV_OTHER;
    findings_add(d->damage, "GT-6", ASSAY_WARNING, r->off, r->number, "line 0: the row is left out, lines begin at 1");
}

/* What most rows are: lcount:line,count with plain numbers. false = it is not so, and nothing is known of it. */
static bool plain_lcount(const struct gcov_decoder *d, struct gcov_record *r)
{
    const char *end = r->text.data + r->text.len, *p;
    uint64_t line;
    if (!d->has_file || !slice_starts(r->text, "lcount:") || !(p = gcov_digits(r->text.data + 7, end, 9, &line)) || !line || p == end || *p != ',')
        return false;
    if (!(p = gcov_digits(p + 1, end, 18, &r->count)) || p != end) return false;
    r->kind = GCOV_LINE;
    r->is_code = true;
    r->line = (uint32_t)line;
    return true;
}

void gcov_intermediate_line(struct gcov_decoder *d, struct gcov_record *r)
{
    if (plain_lcount(d, r)) return;
    assay_slice s = slice_trim(r->text);
    if (s.len == 0) return;
    const char *colon = memchr(s.data, ':', s.len);
    assay_slice tag = colon ? slice_from(s.data, colon) : s, value = colon ? slice_from(colon + 1, s.data + s.len) : s;
    if (slice_is(tag, "file")) {
        r->kind = GCOV_SOURCE;
        r->name = value;
        d->has_file = true;
    } else if (slice_is(tag, "version") || slice_is(tag, "cwd")) {
        r->kind = GCOV_HEADER;
        r->name = tag;
        r->value = value;
    } else if (slice_is(tag, "function") || slice_is(tag, "lcount") || slice_is(tag, "branch"))
        in_file(d, r, tag, value);
    else
        gcov_bad(d, r, "expected file:, function:, lcount: or branch:");
}

/* Lines -> records: the loop over lines, and the hot path for DA and BRDA, which most lines are. It looks at each byte once and relies on
 * the '\n' behind each block. Whatever is not plain goes through lcov_fields (decode_fields.c). */
#include "formats/lcov/decode.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/scan.h"

void lcov_init(struct lcov_decoder *d, struct input *in, struct mem *mem, struct findings *damage, assay_error *err)
{
    memset(d, 0, sizeof *d);
    d->mem = mem;
    d->damage = damage;
    d->err = err;
    lines_init(&d->lines, in, mem, damage, err);
    index_init(&d->leader_index, mem);
}

void lcov_done(struct lcov_decoder *d)
{
    vec_done(d->mem, &d->leaders);
    index_done(&d->leader_index);
    lines_done(&d->lines);
}

static const char *const counter_names[LCOV_COUNTERS] = { "LF", "LH", "FNF", "FNH", "BRF", "BRH", "MCF", "MCH" };
const char *lcov_counter_name(enum lcov_counter c) { return counter_names[c]; }

void lcov_damage(struct lcov_decoder *d, struct lcov_record *r, const char *rule, int severity, const char *fmt, ...)
{
    char text[300];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    findings_add(d->damage, rule, severity, r->off, r->number, "%s", text);
}

/* ---- the hot path ---- */

/* A number of at most 18 digits with `stop` behind it; NULL = look closer. */
static inline const char *plain_number(const char *p, const char *end, char stop, uint64_t *out)
{
    if (!is_digit(*p)) return NULL;
    p = short_number(p, end, out);
    return p && *p == stop ? p + 1 : NULL;
}

static inline const char *plain_line(const char *p, const char *end, uint32_t *out)
{
    uint64_t v;
    p = plain_number(p, end, ',', &v);
    if (!p || v == 0 || v > LCOV_LINE_MAX) return NULL;
    *out = (uint32_t)v;
    return p;
}

static inline const char *digits_until(const char *p, char stop, assay_slice *out)
{
    const char *begin = p;
    while (is_digit(*p)) p++;
    *out = slice_from(begin, p);
    return p > begin && *p == stop ? p + 1 : NULL;
}

/* DA:line,count and BRDA:line,block,branch,taken in digits. Returns what follows the line; NULL = look closer. */
static inline const char *plain(struct lcov_record *r, const char *p, const char *end)
{
    if (p[0] == 'D' && p[1] == 'A' && p[2] == ':') {
        if (!(p = plain_line(p + 3, end, &r->line))) return NULL;
        r->kind = LCOV_LINE;
        r->name = (assay_slice){ NULL, 0 };
        return plain_number(p, end, '\n', &r->count);
    }
    if (p[0] != 'B' || p[1] != 'R' || p[2] != 'D' || p[3] != 'A' || p[4] != ':') return NULL;
    if (!(p = plain_line(p + 5, end, &r->line))) return NULL;
    if (!(p = digits_until(p, ',', &r->block)) || !(p = digits_until(p, ',', &r->name))) return NULL;
    r->kind = LCOV_BRANCH;
    r->flags = 0;
    if (p[0] == '-' && p[1] == '\n') {
        r->flags = ASSAY_COVERAGE_BRANCH_NOT_EVALUATED;
        r->count = 0;
        return p + 2;
    }
    return plain_number(p, end, '\n', &r->count);
}

/* Digits of a number below LCOV_RUN_NUMBERS that is written in one way only. */
static inline const char *tiny(const char *p, const char *end, uint16_t *out)
{
    uint64_t v;
    const char *begin = p;
    if (!(p = plain_number(p, end, ',', &v)) || v >= LCOV_RUN_NUMBERS || (*begin == '0' && p - begin > 2)) return NULL;
    *out = (uint16_t)v;
    return p;
}

static inline const char *plain_da(const char *p, const char *end, struct lcov_run *run, uint32_t i)
{
    if (p[0] != 'D' || p[1] != 'A' || p[2] != ':' || !(p = plain_line(p + 3, end, &run->line[i]))) return NULL;
    return plain_number(p, end, '\n', &run->hits[i]);
}

static inline const char *plain_brda(const char *p, const char *end, struct lcov_run *run, uint32_t i)
{
    if (p[0] != 'B' || p[1] != 'R' || p[2] != 'D' || p[3] != 'A' || p[4] != ':' || !(p = plain_line(p + 5, end, &run->line[i]))) return NULL;
    if (!(p = tiny(p, end, &run->block[i])) || !(p = tiny(p, end, &run->name[i]))) return NULL;
    run->flags[i] = 0;
    if (p[0] == '-' && p[1] == '\n') {
        run->flags[i] = ASSAY_COVERAGE_BRANCH_NOT_EVALUATED;
        run->hits[i] = 0;
        return p + 2;
    }
    return plain_number(p, end, '\n', &run->hits[i]);
}

bool lcov_next_run(struct lcov_decoder *d, struct lcov_run *run)
{
    const char *p = d->lines.at, *end = d->lines.end, *after;
    uint32_t n = 0;
    if (!d->in_record || p == end) return false;
    run->is_branches = *p == 'B';
    if (run->is_branches)
        for (; n < LCOV_RUN && p < end && (after = plain_brda(p, end, run, n)); p = after) n++;
    else
        for (; n < LCOV_RUN && p < end && (after = plain_da(p, end, run, n)); p = after) n++;
    d->lines.at = p;
    d->lines.count += n;
    run->count = n;
    return n > 0;
}

/* ---- every other line ---- */

struct tag {
    const char *text;
    enum lcov_kind kind;
    enum lcov_counter counter;
};

static const struct tag tags[] = {
    { "DA", LCOV_LINE, 0 },           { "BRDA", LCOV_BRANCH, 0 },       { "FN", LCOV_FUNCTION, 0 },       { "FNDA", LCOV_CALLS, 0 },
    { "FNL", LCOV_LEADER, 0 },        { "FNA", LCOV_ALIAS, 0 },         { "SF", LCOV_SOURCE, 0 },         { "TN", LCOV_TEST, 0 },
    { "LF", LCOV_STATED, LCOV_LF },   { "LH", LCOV_STATED, LCOV_LH },   { "FNF", LCOV_STATED, LCOV_FNF }, { "FNH", LCOV_STATED, LCOV_FNH },
    { "BRF", LCOV_STATED, LCOV_BRF }, { "BRH", LCOV_STATED, LCOV_BRH }, { "MCDC", LCOV_CONDITION, 0 },    { "MCF", LCOV_STATED, LCOV_MCF },
    { "MCH", LCOV_STATED, LCOV_MCH }, { "VER", LCOV_VERSION, 0 },       { "KF", LCOV_SOURCE, 0 },
};

static const struct tag *find_tag(assay_slice tag)
{
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++)
        if (slice_is(tag, tags[i].text)) return &tags[i];
    return NULL;
}

static assay_slice cut_end(const char *begin, const char *end)
{
    while (end > begin && (is_blank(end[-1]) || end[-1] == '\r' || end[-1] == '\v' || end[-1] == '\f')) end--;
    return slice_from(begin, end);
}

static void unknown(struct lcov_decoder *d, struct lcov_record *r, assay_slice tag)
{
    r->kind = LCOV_OTHER;
    if (memchr(r->text.data, 0, r->text.len))
        lcov_damage(d, r, "LC-2", ASSAY_ERROR, "a line with NUL bytes, which is not text: expected a record such as DA:");
    else
        lcov_damage(d, r, "LC-2", ASSAY_ERROR, "unknown record '%.*s'", (int)(tag.len < 40 ? tag.len : 40), tag.data);
}

/* Where a file's record begins and ends. */
static void source(struct lcov_decoder *d, struct lcov_record *r)
{
    if (d->in_record) lcov_damage(d, r, "LC-7", ASSAY_WARNING, "SF before end_of_record: the record before it ends here");
    if (r->name.len == 0) lcov_damage(d, r, "LC-5", ASSAY_ERROR, "SF without a file name: the lines that follow belong to no file");
    d->in_record = true;
    d->record++;
}

static void end_of_record(struct lcov_decoder *d, struct lcov_record *r)
{
    r->kind = LCOV_END_OF_RECORD;
    if (!d->in_record) {
        r->kind = LCOV_OTHER;
        lcov_damage(d, r, "LC-1", ASSAY_ERROR, "end_of_record without SF");
    }
    d->in_record = false;
}

static int other_line(struct lcov_decoder *d, struct lcov_record *r)
{
    assay_slice s = r->text;
    r->kind = LCOV_OTHER;
    if (s.len == 0 || s.data[0] == '#') return 0;
    if (slice_is(s, "end_of_record")) {
        end_of_record(d, r);
        return 0;
    }
    const char *colon = memchr(s.data, ':', s.len);
    const struct tag *tag = colon ? find_tag(slice_from(s.data, colon)) : NULL;
    if (!tag) {
        unknown(d, r, colon ? slice_from(s.data, colon) : s);
        return 0;
    }
    assay_slice value = slice_from(colon + 1, s.data + s.len);
    r->kind = tag->kind;
    r->counter = tag->counter;
    if (r->kind == LCOV_TEST || r->kind == LCOV_SOURCE || r->kind == LCOV_VERSION) r->name = value;
    if (r->kind == LCOV_SOURCE) source(d, r);
    if (r->kind == LCOV_TEST || r->kind == LCOV_SOURCE) return 0;
    if (!d->in_record) {
        r->kind = LCOV_OTHER;
        lcov_damage(d, r, "LC-1", ASSAY_ERROR, "%s outside a file record: expected SF before it", tag->text);
        return 0;
    }
    return r->kind == LCOV_VERSION ? 0 : lcov_fields(d, r, value);
}

static int one_line(struct lcov_decoder *d, struct lcov_record *r)
{
    const char *p = d->lines.at;
    const char *nl = memchr(p, '\n', (size_t)(d->lines.end - p));
    if (r->off == 0 && nl - p >= 3 && memcmp(p, "\xef\xbb\xbf", 3) == 0) p += 3; /* a byte order mark */
    r->text = cut_end(p, nl);
    r->name = r->block = (assay_slice){ NULL, 0 };
    r->count = 0;
    r->line = r->end_line = r->index = r->group = 0;
    r->flags = 0;
    r->was_negative = false;
    TRY(other_line(d, r));
    d->lines.at = nl + 1;
    d->lines.count++;
    return d->damage->failed ? error_memory(d->err) : 0;
}

static int end_of_input(struct lcov_decoder *d, struct lcov_record *r)
{
    r->kind = LCOV_END;
    r->off = lines_end_off(&d->lines);
    r->text = r->name = (assay_slice){ NULL, 0 };
    if (d->in_record) lcov_damage(d, r, "LC-6", ASSAY_ERROR, "the file ends inside a record: expected end_of_record");
    d->in_record = false;
    return d->damage->failed ? error_memory(d->err) : 0;
}

int lcov_next(struct lcov_decoder *d, struct lcov_record *r)
{
    struct lines *l = &d->lines;
    for (;;) {
        if (l->at == l->end) TRY(lines_fill(l));
        const char *p = l->at, *after;
        r->off = lines_off(l, p);
        r->number = l->count + 1;
        if (p == l->end) return end_of_input(d, r);
        if (d->in_record && (after = plain(r, p, l->end))) {
            r->was_negative = false;
            r->text = slice_from(p, after - 1);
            l->at = after;
            l->count++;
            return 0;
        }
        TRY(one_line(d, r));
        if (r->kind != LCOV_OTHER || d->wants_all) return 0;
    }
}

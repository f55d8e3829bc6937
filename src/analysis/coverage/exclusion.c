/* Marks in sources: the machinery, and the families that are words in any comment (lcov, gcov, gcovr, grcov, simplecov, Dart). */
#include "analysis/coverage/exclusion.h"

#include <string.h>

#include "analysis/sources/code_scan.h"

/* ---- marking ---- */

void exclusion_mark(struct exclusion *x, uint32_t first, uint32_t last, unsigned mark)
{
    if (last >= x->out->count) last = x->out->count - 1;
    for (uint32_t i = first; i <= last; i++) {
        x->out->at[i] |= (uint8_t)mark;
        x->is_any = true;
    }
}

void exclusion_open(struct exclusion *x, size_t pair, uint32_t line, unsigned mark, assay_slice name)
{
    struct exclusion_range *r = &x->ranges[pair];
    if (r->from)
        findings_add(x->found, "M-3", ASSAY_INFO, FINDING_NO_OFFSET, 0, "%.200s:%u: %.*s inside the range that starts at line %u", x->path, line, (int)name.len,
                     name.data, r->from);
    else
        *r = (struct exclusion_range){ line, mark, name };
}

/* The line where a range ends is code like any other. */
void exclusion_close(struct exclusion *x, size_t pair, uint32_t line, assay_slice name)
{
    struct exclusion_range *r = &x->ranges[pair];
    if (r->from)
        exclusion_mark(x, r->from, line - 1, r->mark);
    else
        findings_add(x->found, "M-2", ASSAY_WARNING, FINDING_NO_OFFSET, 0, "%.200s:%u: %.*s without a start", x->path, line, (int)name.len, name.data);
    r->from = 0;
}

void exclusion_ignored(struct exclusion *x, uint32_t line, assay_slice name)
{
    findings_add(x->found, "M-5", ASSAY_INFO, FINDING_NO_OFFSET, 0, "%.200s:%u: %.*s is not supported", x->path, line, (int)name.len, name.data);
}

static void close_all(struct exclusion *x)
{
    for (size_t i = 0; i < PAIRS; i++) {
        const struct exclusion_range *r = &x->ranges[i];
        if (!r->from) continue;
        findings_add(x->found, "M-1", ASSAY_WARNING, FINDING_NO_OFFSET, 0, "%.200s:%u: %.*s without an end: everything after it is left out", x->path, r->from,
                     (int)r->name.len, r->name.data);
        exclusion_mark(x, r->from, x->out->count - 1, r->mark);
    }
}

/* ---- words of lcov and similar tools ---- */

enum { KIND_LINE, KIND_BRANCHES, KIND_EXCEPTIONS, KIND_UNREACHABLE, KINDS };
enum { ACT_LINE, ACT_START, ACT_STOP, ACT_FUNCTION, ACT_UNHIT, ACT_IGNORED };

struct word {
    const char *tail; /* after the prefix */
    unsigned kind, act;
};

static const struct word words[] = {
    { "_EXCL_LINE", KIND_LINE, ACT_LINE },
    { "_EXCL_START", KIND_LINE, ACT_START },
    { "_EXCL_STOP", KIND_LINE, ACT_STOP },
    { "_EXCL_BR_LINE", KIND_BRANCHES, ACT_LINE },
    { "_EXCL_BR_START", KIND_BRANCHES, ACT_START },
    { "_EXCL_BR_STOP", KIND_BRANCHES, ACT_STOP },
    { "_EXCL_EXCEPTION_BR_LINE", KIND_EXCEPTIONS, ACT_LINE },
    { "_EXCL_EXCEPTION_BR_START", KIND_EXCEPTIONS, ACT_START },
    { "_EXCL_EXCEPTION_BR_STOP", KIND_EXCEPTIONS, ACT_STOP },
    { "_UNREACHABLE_LINE", KIND_UNREACHABLE, ACT_LINE },
    { "_UNREACHABLE_START", KIND_UNREACHABLE, ACT_START },
    { "_UNREACHABLE_STOP", KIND_UNREACHABLE, ACT_STOP },
    { "_EXCL_FUNCTION", KIND_LINE, ACT_FUNCTION },
    { "_EXCL_BR_SOURCE", KIND_BRANCHES, ACT_IGNORED },
    { "_EXCL_BR_WITHOUT_HIT", KIND_BRANCHES, ACT_UNHIT },
    { "_EXCLUDE_BRANCH", KIND_BRANCHES, ACT_IGNORED },
    { "_EXCLUDE_CONDITION", KIND_BRANCHES, ACT_IGNORED },
};

static const char *const prefixes[] = { "LCOV", "GCOV", "GCOVR", "GRCOV" }; /* in the order of the bits of enum assay_marks */
static const unsigned marks_of[KINDS] = { MARK_LINE, MARK_BRANCHES, MARK_EXCEPTIONS, MARK_LINE | MARK_UNREACHABLE };

static bool take_number(assay_slice *s, uint32_t *out)
{
    size_t n = 0;
    uint64_t v = 0;
    for (; n < s->len && n < 9 && s->data[n] >= '0' && s->data[n] <= '9'; n++) v = v * 10 + (uint64_t)(s->data[n] - '0');
    *out = (uint32_t)v;
    *s = (assay_slice){ s->data + n, s->len - n };
    return n > 0;
}

/* ": UNHIT/TOTAL", with blanks after the colon. */
static void expect_unhit(struct exclusion *x, uint32_t line, assay_slice name)
{
    const assay_slice *text = &x->text->lines.at[line - 1];
    assay_slice s = slice_from(name.data + name.len, text->data + text->len);
    struct line_unhit u = { .line = line };
    bool is_good = s.len > 1 && s.data[0] == ':' && (s.data[1] == ' ' || s.data[1] == '\t');
    if (is_good) s = slice_trim((assay_slice){ s.data + 1, s.len - 1 });
    is_good = is_good && take_number(&s, &u.unhit) && s.len && s.data[0] == '/';
    if (is_good) s = (assay_slice){ s.data + 1, s.len - 1 };
    if (!is_good || !take_number(&s, &u.total)) {
        exclusion_ignored(x, line, name);
        return;
    }
    struct line_unhit *slot = vec_push(x->mem, &x->out->unhit);
    if (slot)
        *slot = u;
    else
        x->failed = true;
    x->is_any = true;
}

static void act(struct exclusion *x, uint32_t line, size_t prefix, const struct word *w, assay_slice name)
{
    struct code_scan k;
    uint32_t first, last;
    size_t pair = PAIR_WORDS + prefix * KINDS + w->kind;
    switch (w->act) {
    case ACT_LINE: exclusion_mark(x, line, line, marks_of[w->kind]); break;
    case ACT_START: exclusion_open(x, pair, line, marks_of[w->kind], name); break;
    case ACT_STOP: exclusion_close(x, pair, line, name); break;
    case ACT_FUNCTION:
        code_scan_init(&k, x->text->lines.at, (uint32_t)x->text->lines.len, slice_of(x->path));
        code_scan_seek(&k, line, 0);
        if (code_scan_node(&k, &first, &last)) exclusion_mark(x, first, last, MARK_LINE);
        break;
    case ACT_UNHIT: expect_unhit(x, line, name); break;
    default: exclusion_ignored(x, line, name); break;
    }
}

static bool is_word_byte(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; }

static void judge_word(struct exclusion *x, uint32_t line, assay_slice word)
{
    for (size_t p = 0; p < sizeof prefixes / sizeof *prefixes; p++) {
        size_t len = strlen(prefixes[p]);
        if (!(x->families & (uint32_t)ASSAY_MARKS_LCOV << p) || !slice_starts(word, prefixes[p])) continue;
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            if (slice_is((assay_slice){ word.data + len, word.len - len }, words[i].tail)) act(x, line, p, &words[i], word);
    }
}

/* Whole words with COV in them; the rest of the line is not looked at. */
static void lcov_words(struct exclusion *x, uint32_t line, assay_slice s)
{
    const char *end = s.data + s.len, *at = s.data;
    while ((at = memmem(at, (size_t)(end - at), "COV", 3))) {
        const char *begin = at, *stop = at + 3;
        while (begin > s.data && is_word_byte(begin[-1])) begin--;
        while (stop < end && is_word_byte(*stop)) stop++;
        judge_word(x, line, slice_from(begin, stop));
        at = stop;
    }
}

/* ---- Ruby, Dart ---- */

/* A comment that says nothing but :nocov: begins and ends ranges in turn. */
static void ruby(struct exclusion *x, uint32_t line, assay_slice s)
{
    s = slice_trim(s);
    if (!s.len || s.data[0] != '#') return;
    s = slice_trim((assay_slice){ s.data + 1, s.len - 1 });
    if (!slice_starts(s, ":nocov:")) return;
    if (x->ranges[PAIR_RUBY].from)
        exclusion_close(x, PAIR_RUBY, line, SLICE(":nocov:"));
    else
        exclusion_open(x, PAIR_RUBY, line, MARK_LINE, SLICE(":nocov:"));
}

static void dart(struct exclusion *x, uint32_t line, assay_slice s)
{
    const char *at = s.data && s.len ? memmem(s.data, s.len, "coverage:ignore-", 16) : NULL;
    if (!at || !memmem(s.data, (size_t)(at - s.data), "//", 2)) return;
    s = slice_from(at + 16, s.data + s.len);
    if (slice_starts(s, "line")) exclusion_mark(x, line, line, MARK_LINE);
    if (slice_starts(s, "file")) exclusion_mark(x, 1, UINT32_MAX, MARK_LINE);
    if (slice_starts(s, "start")) exclusion_open(x, PAIR_DART, line, MARK_LINE, SLICE("coverage:ignore-start"));
    if (slice_starts(s, "end")) exclusion_close(x, PAIR_DART, line, SLICE("coverage:ignore-end"));
}

void exclusion_words(struct exclusion *x, uint32_t line, assay_slice s)
{
    const uint32_t any = ASSAY_MARKS_LCOV | ASSAY_MARKS_GCOV | ASSAY_MARKS_GCOVR | ASSAY_MARKS_GRCOV;
    if (!s.len) return;
    if (x->families & any) lcov_words(x, line, s);
    if (x->families & ASSAY_MARKS_RUBY) ruby(x, line, s);
    if (x->families & ASSAY_MARKS_DART) dart(x, line, s);
}

/* ---- the whole ---- */

bool exclusion_find(const struct source_text *text, const char *path, uint32_t families, const struct exclusion_rules *rules, struct mem *mem,
                    struct line_marks *out, struct findings *found)
{
    struct exclusion x = { .text = text, .path = path, .families = families, .rules = rules, .out = out, .found = found, .mem = mem };
    uint32_t count = (uint32_t)text->lines.len;
    *out = (struct line_marks){ .at = mem_zalloc(mem, (size_t)count + 1, 1), .count = count + 1 };
    if (!out->at) {
        out->count = 0;
        return false;
    }
    for (uint32_t i = 1; i <= count; i++) {
        exclusion_rules_apply(&x, i, text->lines.at[i - 1]);
        if (families) exclusion_words(&x, i, text->lines.at[i - 1]);
        if (families & ASSAY_MARKS_JAVASCRIPT) exclusion_script(&x, i, text->lines.at[i - 1]);
        if (families & ASSAY_MARKS_PHP) exclusion_php(&x, i, text->lines.at[i - 1]);
    }
    if (families & ASSAY_MARKS_PYTHON) exclusion_python(&x);
    close_all(&x);
    if (!x.is_any) exclusion_done(out, mem);
    return !x.failed;
}

void exclusion_done(struct line_marks *m, struct mem *mem)
{
    mem_free(mem, m->at, m->count);
    vec_done(mem, &m->unhit);
    *m = (struct line_marks){ .at = NULL };
}

/* ---- what depends on the figures ---- */

static const struct view_line *line_of(const struct coverage_view *v, uint32_t line)
{
    size_t low = 0, high = v->lines.len;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (v->lines.at[middle].line < line)
            low = middle + 1;
        else
            high = middle;
    }
    return low < v->lines.len && v->lines.at[low].line == line ? &v->lines.at[low] : NULL;
}

void exclusion_settle(struct line_marks *m, const struct coverage_view *v, const char *path, struct findings *found)
{
    for (size_t i = 0; i < m->unhit.len; i++) {
        const struct line_unhit *u = &m->unhit.at[i];
        const struct view_line *l = line_of(v, u->line);
        uint32_t total = l ? l->branches : 0, unhit = l ? l->branches - l->branches_hit : 0;
        if (total == u->total && unhit == u->unhit)
            m->at[u->line] |= MARK_BRANCHES;
        else
            findings_add(found, "M-6", ASSAY_WARNING, FINDING_NO_OFFSET, 0, "%.200s:%u: marked with %u of %u branches missed, but %u of %u are", path, u->line,
                         u->unhit, u->total, unhit, total);
    }
}

/* Printing sources; see cov_source.h. In colour, C and C++ have their keywords, strings and directives marked. */
#include "report/cov_source.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "report/report.h"

enum { TAB = 4 };

/* Blanks for tabs, counted from the start of the piece; whatever could change the terminal is shown, not sent. */
static void put_text(struct output *out, assay_slice s)
{
    size_t column = 0, from = 0;
    for (size_t i = 0; i < s.len; i++) {
        if (s.data[i] == '\t') {
            text_show(out, (assay_slice){ s.data + from, i - from });
            report_blanks(out, TAB - column % TAB);
            column += TAB - column % TAB;
            from = i + 1;
        } else
            column += ((unsigned char)s.data[i] & 0xc0) != 0x80;
    }
    text_show(out, (assay_slice){ s.data + from, s.len - from });
}

/* ---- pieces of a line ---- */

enum piece { PIECE_PLAIN, PIECE_KEYWORD, PIECE_QUOTE, PIECE_STRING, PIECE_DIRECTIVE, PIECE_HEADER };

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

static bool is_keyword(assay_slice s)
{
    static const char words[] =
        " alignas alignof auto bool break case catch char char8_t char16_t char32_t class co_await co_return co_yield concept const const_cast consteval "
        "constexpr constinit continue decltype default delete do double dynamic_cast else enum explicit export extern false float for friend goto if "
        "import inline int long module mutable namespace new noexcept nullptr operator private protected public register reinterpret_cast requires "
        "return short signed sizeof static static_assert static_cast struct switch template this thread_local throw true try typedef typeid typename "
        "union unsigned using virtual void volatile wchar_t while ";
    char padded[24];
    int n = s.len < 20 ? snprintf(padded, sizeof padded, " %.*s ", (int)s.len, s.data) : 0;
    return n > 2 && strstr(words, padded) != NULL;
}

/* The end of the string that begins at `at` (a quote): after its last character, the closing quote not counted. */
static size_t string_end(assay_slice s, size_t at)
{
    char quote = s.data[at];
    for (at++; at < s.len && s.data[at] != quote; at++)
        if (s.data[at] == '\\' && at + 1 < s.len) at++;
    return at;
}

struct painter {
    struct output *out;
    const struct cov_look *look;
    char shade; /* '1' missed, '2' covered, '\0' neither */
    enum piece now;
};

/* What a piece looks like in a line of this shade; "" = as the rest. */
static const char *codes_of(const struct painter *p, enum piece piece, char buf[16])
{
    char shade = p->shade ? p->shade : '9';
    switch (piece) {
    case PIECE_PLAIN:
        buf[0] = '\0';
        if (p->shade) snprintf(buf, 16, "0;49;3%c", shade);
        break;
    case PIECE_KEYWORD: snprintf(buf, 16, "1;3%c", shade); break;
    case PIECE_QUOTE: snprintf(buf, 16, "0;49;9%c", p->shade ? shade : '0'); break;
    case PIECE_STRING: snprintf(buf, 16, "2;49;9%c", p->shade ? shade : '0'); break;
    case PIECE_DIRECTIVE: snprintf(buf, 16, p->shade ? "0;49;3%c" : "0;49;90", shade); break;
    case PIECE_HEADER: snprintf(buf, 16, "2;49;91"); break;
    }
    return buf;
}

static void paint(struct painter *p, enum piece piece, assay_slice s)
{
    char buf[16];
    if (!s.len) return;
    if (piece != p->now) {
        codes_of(p, piece, buf);
        cov_ink(p->out, p->look, buf);
        p->now = piece;
    }
    put_text(p->out, s);
}

static assay_slice part(assay_slice s, size_t from, size_t to) { return (assay_slice){ s.data + from, to - from }; }

/* #include <header>, and other directives. */
static void paint_directive(struct painter *p, assay_slice s)
{
    const char *angle = memchr(s.data, '<', s.len);
    bool is_include = slice_contains(s, "include") && angle;
    size_t end = is_include ? (size_t)(angle - s.data) : s.len;
    paint(p, PIECE_DIRECTIVE, part(s, 0, end));
    paint(p, PIECE_HEADER, part(s, end, s.len));
}

static void paint_line(struct painter *p, assay_slice s)
{
    size_t from = 0, at = 0;
    while (at < s.len && (s.data[at] == ' ' || s.data[at] == '\t')) at++;
    if (at < s.len && s.data[at] == '#') {
        paint_directive(p, s);
        return;
    }
    while (at < s.len) {
        size_t end = at + 1;
        if (s.data[at] == '/' && end < s.len && s.data[end] == '/') break;
        if (s.data[at] == '"') {
            end = string_end(s, at);
            paint(p, PIECE_PLAIN, part(s, from, at));
            paint(p, PIECE_QUOTE, part(s, at, at + 1));
            paint(p, PIECE_STRING, part(s, at + 1, end));
            paint(p, PIECE_QUOTE, part(s, end, end < s.len ? end + 1 : end));
            from = end = end < s.len ? end + 1 : end;
        } else if (is_word(s.data[at])) {
            while (end < s.len && is_word(s.data[end])) end++;
            if (is_keyword(part(s, at, end))) {
                paint(p, PIECE_PLAIN, part(s, from, at));
                paint(p, PIECE_KEYWORD, part(s, at, end));
                from = end;
            }
        }
        at = end;
    }
    paint(p, PIECE_PLAIN, part(s, from, s.len));
}

/* ---- rows ---- */

struct columns {
    int line, count;
};

static int digits(uint64_t n)
{
    int len = 0;
    for (; n; n /= 10) len++;
    return len;
}

static void put_function(struct output *out, const struct source_function *f, const struct columns *w, const struct cov_look *look)
{
    cov_ink(out, look, "2;49;39");
    report_blanks(out, (size_t)w->line + 4);
    output_printf(out, "%*" PRIu64 "x |", w->count, f->count);
    cov_ink(out, look, "");
    output_char(out, ' ');
    cov_ink(out, look, f->count ? "2;49;32" : "2;49;31");
    text_show(out, slice_of(f->name));
    cov_ink(out, look, "");
    output_char(out, '\n');
}

static void put_line(struct output *out, const struct source *s, uint32_t line, const struct cov_lines *lines, const struct columns *w,
                     const struct cov_look *look)
{
    uint32_t hits = 0;
    bool has_count = source_count(lines, line, &hits);
    struct painter p = { out, look, has_count ? (hits ? '2' : '1') : '\0', PIECE_PLAIN };
    char buf[16];
    output_printf(out, " %*" PRIu32 " | ", w->line, line);
    if (has_count)
        output_printf(out, "%*" PRIu32 "x | ", w->count, hits);
    else
        output_printf(out, "%*s | ", w->count + 1, "");
    if (p.shade) cov_ink(out, look, codes_of(&p, PIECE_PLAIN, buf));
    output_char(out, has_count ? (hits ? '+' : '-') : ' ');
    if (look->color)
        paint_line(&p, s->lines.at[line - 1]);
    else
        put_text(out, s->lines.at[line - 1]);
    if (p.shade || p.now != PIECE_PLAIN) cov_ink(out, look, "");
    output_char(out, '\n');
}

void cov_source_print(struct output *out, const struct source *s, const struct cov_lines *lines, const struct cov_look *look)
{
    struct columns w = { digits(s->chunks.len ? s->chunks.at[s->chunks.len - 1].last : 0), digits(s->widest_count) };
    size_t function = 0;
    if (s->has_counts && !w.count) w.count = 1;
    output_char(out, '\n');
    for (size_t i = 0; i < s->chunks.len; i++) {
        if (i) output_text(out, "\n\n");
        while (function < s->functions.len && s->functions.at[function].line < s->chunks.at[i].first) function++;
        for (uint32_t line = s->chunks.at[i].first; line <= s->chunks.at[i].last; line++) {
            for (; function < s->functions.len && s->functions.at[function].line == line; function++) put_function(out, &s->functions.at[function], &w, look);
            put_line(out, s, line, lines, &w, look);
        }
    }
    output_char(out, '\n');
}

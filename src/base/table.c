/* Text tables: aligned, CSV and Markdown; see base/table.h. */
#include "base/table.h"

#include "base/cancel.h"
#include "base/error.h"
#include "base/number.h"
#include "base/slice.h"
#include "base/text.h"

enum { GAP = 2 /* blanks between columns */, NARROWEST = 8 /* a column that is cut keeps this much, or it says nothing */ };

struct cell {
    assay_slice text;
    size_t keep; /* bytes that are cut last; 0 = all are alike */
    unsigned width;
    unsigned ink;
};
struct column {
    struct cell head;
    enum table_align align;
    unsigned width; /* of the widest cell, the head included */
};
struct table {
    struct mem *mem;
    unsigned width, ink;
    bool color, failed;
    bool is_begun; /* the head was printed */
    struct arena heads, text;
    VEC(struct column) columns;
    VEC(struct cell) cells;
};

struct table *table_new(struct mem *mem, unsigned width, bool color)
{
    struct table *t = mem_zalloc(mem, 1, sizeof *t);
    if (!t) return NULL;
    t->mem = mem;
    t->width = width;
    t->color = color;
    arena_init(&t->heads, mem);
    arena_init(&t->text, mem);
    return t;
}

void table_free(struct table *t)
{
    if (!t) return;
    vec_done(t->mem, &t->columns, &t->cells);
    arena_done(&t->heads);
    arena_done(&t->text);
    mem_free(t->mem, t, sizeof *t);
}

static bool copy(const struct table *t, struct arena *to, assay_slice s, struct cell *out)
{
    const char *text = arena_copy(to, s);
    if (!text) return false;
    *out = (struct cell){ .text = { text, s.len }, .width = text_width(s), .ink = t->ink };
    return true;
}

void table_column(struct table *t, const char *head, enum table_align align)
{
    struct column c = { .align = align };
    struct column *at = NULL;
    if (t->failed) return;
    if (copy(t, &t->heads, slice_of(head), &c.head)) at = vec_push(t->mem, &t->columns);
    if (!at) {
        t->failed = true;
        return;
    }
    c.width = c.head.width;
    *at = c;
}

void table_cell(struct table *t, assay_slice s) { table_cell_keep(t, s, 0); }

void table_cell_keep(struct table *t, assay_slice s, size_t keep)
{
    struct cell c;
    struct cell *at = NULL;
    if (t->failed || !t->columns.len) return;
    if (copy(t, &t->text, s, &c)) at = vec_push(t->mem, &t->cells);
    if (!at) {
        t->failed = true;
        return;
    }
    struct column *column = &t->columns.at[(t->cells.len - 1) % t->columns.len];
    if (c.width > column->width) column->width = c.width;
    c.keep = keep < s.len ? keep : 0;
    *at = c;
}

void table_ink(struct table *t, unsigned ink) { t->ink = t->color ? ink : 0; }

void table_text(struct table *t, const char *text) { table_cell(t, slice_of(text)); }

static void put_char_n(struct output *out, char c, size_t n)
{
    for (; n; n--) output_char(out, c);
}

/* ---- aligned text ---- */

/* The columns that give way when the table is too wide, and what is left of them. */
enum { CUTS = 2 };
struct cuts {
    struct {
        size_t column;
        unsigned width;
    } at[CUTS];
    size_t count;
};

static struct cuts cuts_of(const struct table *t)
{
    uint64_t total = 0;
    struct cuts cuts = { .count = 0 };
    for (size_t i = 0; i < t->columns.len; i++) total += t->columns.at[i].width + (i ? (uint64_t)GAP : 0);
    for (size_t i = t->columns.len; i > 0 && t->width && total > t->width && cuts.count < CUTS; i--) {
        const struct column *c = &t->columns.at[i - 1];
        if (c->align != TABLE_LEFT) continue;
        unsigned least = c->head.width > NARROWEST ? c->head.width : NARROWEST;
        if (least > c->width) least = c->width;
        uint64_t too_much = total - t->width;
        unsigned width = c->width - least > too_much ? c->width - (unsigned)too_much : least;
        total -= c->width - width;
        cuts.at[cuts.count].column = i - 1;
        cuts.at[cuts.count++].width = width;
    }
    return cuts;
}

static unsigned width_of(const struct table *t, const struct cuts *cuts, size_t column)
{
    for (size_t i = 0; i < cuts->count; i++)
        if (cuts->at[i].column == column) return cuts->at[i].width;
    return t->columns.at[column].width;
}

/* The end of s that fits into `columns`. */
static assay_slice tail_of(struct cell c, unsigned columns)
{
    assay_slice tail = c.text;
    for (unsigned more = 0; text_width(tail) > columns; more++) {
        size_t skip = text_fit(c.text, c.width - columns + more);
        tail = (assay_slice){ c.text.data + skip, c.text.len - skip };
    }
    return tail;
}

/* Beginning and end of a text that is too wide, and an ellipsis for its middle. Returns the columns written. */
static unsigned put_ends(struct output *out, struct cell c, unsigned width)
{
    unsigned front = width / 2;
    assay_slice head = { c.text.data, text_fit(c.text, front) };
    assay_slice tail = tail_of(c, width - 1 - front);
    text_show(out, head);
    output_text(out, "…");
    text_show(out, tail);
    return text_width(head) + 1 + text_width(tail);
}

/* What matters stays as long as there is room for it; the rest is left out when hardly any of it would be seen. */
static unsigned put_cut(struct output *out, struct cell c, unsigned width)
{
    if (!c.keep) return put_ends(out, c, width);
    assay_slice first = { c.text.data, c.keep }, rest = { c.text.data + c.keep, c.text.len - c.keep };
    unsigned used = text_width(first);
    if (used > width) return put_ends(out, (struct cell){ .text = first, .width = used }, width);
    text_show(out, first);
    if (used + GAP + NARROWEST > width) return used;
    return used + put_ends(out, (struct cell){ .text = rest, .width = text_width(rest) }, width - used);
}

/* Writes a row, or the head for NULL; blanks are written only when something follows them. */
static void put_line(const struct table *t, const struct cell *row, const struct cuts *cuts, struct output *out)
{
    size_t blanks = 0;
    for (size_t i = 0; i < t->columns.len; i++) {
        const struct column *column = &t->columns.at[i];
        struct cell c = row ? row[i] : column->head;
        unsigned width = width_of(t, cuts, i);
        unsigned used = c.width;
        if (i) blanks += GAP;
        if (column->align == TABLE_RIGHT && used < width) blanks += width - used;
        if (c.text.len) {
            put_char_n(out, ' ', blanks);
            blanks = 0;
        }
        if (used > width)
            used = put_cut(out, c, width);
        else
            text_show(out, c.text);
        if (column->align == TABLE_LEFT && used < width) blanks += width - used;
    }
}

static void print_text(const struct table *t, struct output *out)
{
    struct cuts cuts = cuts_of(t);
    if (t->color) output_text(out, "\033[1m");
    put_line(t, NULL, &cuts, out);
    output_text(out, t->color ? "\033[0m\n" : "\n");
    for (size_t row = 0; row < t->cells.len / t->columns.len && !cancel_at(row); row++) {
        const struct cell *cells = &t->cells.at[row * t->columns.len];
        if (cells->ink) output_printf(out, "\033[%um", cells->ink);
        put_line(t, cells, &cuts, out);
        output_text(out, cells->ink ? "\033[0m\n" : "\n");
    }
}

/* ---- CSV ---- */

/* [sign]digits[.digits][e[sign]digits][%] */
static bool is_number(assay_slice s)
{
    double ignored;
    if (s.len && (s.data[0] == '+' || s.data[0] == '-')) s.data++, s.len--;
    if (s.len && s.data[s.len - 1] == '%') s.len--;
    return s.len && s.data[0] != '-' && number_double(s, &ignored) != NUMBER_BAD;
}

/* What a spreadsheet would compute instead of showing it, blanks in front of it or not. A sign by itself is none. */
static bool is_formula(assay_slice s)
{
    s = slice_trim(s);
    return s.len > 1 && s.data[0] && strchr("=+-@", s.data[0]) && !is_number(s);
}

/* RFC 4180 */
static void put_csv_raw(struct output *out, assay_slice s)
{
    bool quoted = s.len && (memchr(s.data, ',', s.len) || memchr(s.data, '"', s.len) || memchr(s.data, '\n', s.len) || memchr(s.data, '\r', s.len));
    if (!quoted) {
        output_slice(out, s);
        return;
    }
    output_char(out, '"');
    while (s.len) {
        const char *quote = memchr(s.data, '"', s.len);
        size_t run = quote ? (size_t)(quote - s.data) + 1 : s.len;
        output_bytes(out, s.data, run);
        if (quote) output_char(out, '"');
        s = (assay_slice){ s.data + run, s.len - run };
    }
    output_char(out, '"');
}

/* The same without what could do harm: formulas, and control characters other than tabs. */
static void put_csv(struct output *out, assay_slice s)
{
    bool quoted = s.len && (memchr(s.data, ',', s.len) || memchr(s.data, '"', s.len));
    size_t from = 0;
    if (quoted) output_char(out, '"');
    if (is_formula(s)) output_char(out, '\'');
    for (size_t at = 0; at < s.len; at++) {
        if (s.data[at] != '"' && s.data[at] != '\t') continue;
        text_show(out, (assay_slice){ s.data + from, at - from });
        output_text(out, s.data[at] == '"' ? "\"\"" : "\t");
        from = at + 1;
    }
    text_show(out, (assay_slice){ s.data + from, s.len - from });
    if (quoted) output_char(out, '"');
}

static void print_csv(const struct table *t, void (*put)(struct output *, assay_slice), struct output *out)
{
    size_t columns = t->columns.len;
    for (size_t i = 0; !t->is_begun && i < columns; i++) {
        put(out, t->columns.at[i].head.text);
        output_char(out, i + 1 < columns ? ',' : '\n');
    }
    for (size_t i = 0; i < t->cells.len / columns * columns; i++) {
        put(out, t->cells.at[i].text);
        output_char(out, (i + 1) % columns ? ',' : '\n');
    }
}

/* ---- Markdown ---- */

static bool is_word(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/* Names are full of what Markdown takes for markup (templates, pointers, underscores); an underscore inside a word is none. */
static bool is_markup(assay_slice s, size_t at)
{
    if (s.data[at] == '_') return at == 0 || at + 1 == s.len || !is_word(s.data[at - 1]) || !is_word(s.data[at + 1]);
    return s.data[at] && strchr("|\\`*<[&~", s.data[at]) != NULL;
}

static void put_markdown(struct output *out, assay_slice s)
{
    size_t from = 0;
    output_text(out, "| ");
    for (size_t at = 0; at < s.len; at++) {
        if (!is_markup(s, at)) continue;
        text_show(out, (assay_slice){ s.data + from, at - from });
        output_char(out, '\\');
        from = at;
    }
    text_show(out, (assay_slice){ s.data + from, s.len - from });
    output_char(out, ' ');
}

static void print_markdown(const struct table *t, struct output *out)
{
    size_t columns = t->columns.len;
    for (size_t i = 0; i < columns; i++) put_markdown(out, t->columns.at[i].head.text);
    output_text(out, "|\n");
    for (size_t i = 0; i < columns; i++) output_text(out, t->columns.at[i].align == TABLE_RIGHT ? "| ---: " : "| --- ");
    output_text(out, "|\n");
    for (size_t i = 0; i < t->cells.len / columns * columns; i++) {
        put_markdown(out, t->cells.at[i].text);
        if ((i + 1) % columns == 0) output_text(out, "|\n");
    }
}

int table_print(const struct table *t, enum table_style style, struct output *out, assay_error *err)
{
    if (t->failed) return error_memory(err);
    if (!t->columns.len) return 0;
    switch (style) {
    case TABLE_TEXT: print_text(t, out); break;
    case TABLE_CSV: print_csv(t, put_csv, out); break;
    case TABLE_CSV_RAW: print_csv(t, put_csv_raw, out); break;
    case TABLE_MARKDOWN: print_markdown(t, out); break;
    }
    return 0;
}

int table_flush(struct table *t, enum table_style style, struct output *out, assay_error *err)
{
    if (style != TABLE_CSV && style != TABLE_CSV_RAW) return 0; /* columns are as wide as their widest cell */
    TRY(table_print(t, style, out, err));
    t->is_begun = t->columns.len > 0;
    t->cells.len = 0;
    arena_done(&t->text);
    arena_init(&t->text, t->mem);
    return 0;
}

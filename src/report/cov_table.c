/* The table of changes; see cov_table.h. Each column has two parts: a value on the right, and after it how it changed, on the left. */
#include "report/cov_table.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/cancel.h"
#include "report/report.h"

enum { CELL = 32 };

enum column {
    BRANCH_PERCENT,
    BRANCH_RELEVANT,
    BRANCH_MISSING,
    FUNC_PERCENT,
    FUNC_RELEVANT,
    FUNC_MISSING,
    LINE_PERCENT,
    LINE_VISITED,
    LINE_RELEVANT,
    LINE_MISSING,
    LINE_COUNT,
    COLUMNS
};

static const char *const titles[COLUMNS] = { "% Branches", "Relevant", "Missing",  "% Funcs", "Relevant",  "Missing",
                                             "% Lines",    "Visited",  "Relevant", "Missing", "Line count" };

struct cell {
    char value[CELL], change[CELL];
    int value_ink;  /* 0 = none */
    int change_ink; /* 0 = none */
};

struct layout {
    bool shown[COLUMNS];
    size_t value[COLUMNS], change[COLUMNS];
    size_t name; /* 0 = no rows */
};

/* ---- cells ---- */

static void put_change(struct cell *cell, int64_t change, int good)
{
    if (!change) return;
    snprintf(cell->change, CELL, "%+" PRId64, change);
    cell->change_ink = !good ? 37 : (change > 0) == (good > 0) ? 32 : 31;
}

/* Percentages with two digits; of nothing they are 100, and have not changed. The whole of a report is as `log` has it: of nothing 0. */
static void percent_cell(struct cell *cell, const struct cov_look *look, enum rating_what what, const assay_store_pair *now, const assay_store_pair *before,
                         bool is_whole)
{
    bool counts = now->relevant || is_whole;
    int64_t n = counts ? rating_hundredths(now) : 10000, change = counts ? n - (int64_t)rating_hundredths(before) : 0;
    snprintf(cell->value, CELL, "%" PRId64 ".%02" PRId64, n / 100, n % 100);
    cell->value_ink = (int)cov_mark_ink(counts ? rating_of(look->rating, what, now) : RATING_PASS);
    if (!change) return;
    int64_t size = change < 0 ? -change : change;
    snprintf(cell->change, CELL, "%c%" PRId64 ".%02" PRId64, change < 0 ? '-' : '+', size / 100, size % 100);
    cell->change_ink = change > 0 ? 32 : 31;
}

static void count_cell(struct cell *cell, uint32_t now, uint32_t before, int good, bool hide_zero)
{
    if (now || !hide_zero) snprintf(cell->value, CELL, "%" PRIu32, now);
    put_change(cell, (int64_t)now - (int64_t)before, good);
}

static uint32_t missing(const assay_store_pair *p) { return p->relevant > p->visited ? p->relevant - p->visited : 0; }

static struct cell cell_of(const struct change_row *row, enum column column, const struct cov_look *look)
{
    struct cell cell = { 0 };
    const assay_store_stats *a = &row->now, *b = &row->before;
    bool is_whole = row->kind == CHANGE_TOTAL;
    switch (column) {
    case BRANCH_PERCENT: percent_cell(&cell, look, RATING_BRANCHES, &a->branches, &b->branches, is_whole); break;
    case BRANCH_RELEVANT: count_cell(&cell, a->branches.relevant, b->branches.relevant, 0, false); break;
    case BRANCH_MISSING: count_cell(&cell, missing(&a->branches), missing(&b->branches), -1, true); break;
    case FUNC_PERCENT: percent_cell(&cell, look, RATING_FUNCTIONS, &a->functions, &b->functions, is_whole); break;
    case FUNC_RELEVANT: count_cell(&cell, a->functions.relevant, b->functions.relevant, 0, false); break;
    case FUNC_MISSING: count_cell(&cell, missing(&a->functions), missing(&b->functions), -1, true); break;
    case LINE_PERCENT: percent_cell(&cell, look, RATING_LINES, &a->lines, &b->lines, is_whole); break;
    case LINE_VISITED: count_cell(&cell, a->lines.visited, b->lines.visited, 1, false); break;
    case LINE_RELEVANT: count_cell(&cell, a->lines.relevant, b->lines.relevant, 0, false); break;
    case LINE_MISSING: count_cell(&cell, missing(&a->lines), missing(&b->lines), -1, true); break;
    case LINE_COUNT: count_cell(&cell, a->lines_total, b->lines_total, 0, false); break;
    case COLUMNS: break;
    }
    return cell;
}

/* ---- widths ---- */

/* Characters, not bytes. */
static size_t width_of(assay_slice s)
{
    size_t n = 0;
    for (size_t i = 0; i < s.len; i++) n += ((unsigned char)s.data[i] & 0xc0) != 0x80;
    return n;
}

static void widen(size_t *width, size_t to)
{
    if (to > *width) *width = to;
}

static void measure_row(struct layout *l, const struct change_row *row, const struct cov_look *look)
{
    widen(&l->name, width_of(row->prefix) + width_of(row->name));
    for (unsigned i = 0; i < COLUMNS; i++) {
        struct cell cell = cell_of(row, (enum column)i, look);
        widen(&l->value[i], strlen(cell.value));
        widen(&l->change[i], strlen(cell.change));
    }
}

static size_t column_width(const struct layout *l, unsigned i) { return l->value[i] + (l->value[i] && l->change[i]) + l->change[i]; }

static void measure(struct layout *l, const struct changes *c, bool has_total, const struct cov_look *look)
{
    const assay_store_stats *t = &c->total.now;
    bool has_branches = t->branches.relevant > 0, has_functions = t->functions.relevant > 0;
    bool shown[COLUMNS] = { has_branches, has_branches, has_branches, has_functions,          has_functions, has_functions && missing(&t->functions),
                            true,         true,         true,         missing(&t->lines) > 0, true };
    memcpy(l->shown, shown, sizeof shown);
    for (size_t i = 0; i < c->rows.len && !cancel_at(i); i++) measure_row(l, &c->rows.at[i], look);
    if (has_total) measure_row(l, &c->total, look);
    for (unsigned i = 0; i < COLUMNS; i++)
        if (strlen(titles[i]) > column_width(l, i)) l->value[i] += strlen(titles[i]) - column_width(l, i);
}

/* ---- printing ---- */

static size_t name_width(const struct layout *l)
{
    size_t width = l->name ? 2 + l->name : 0;
    return width > 4 ? width : 4;
}

static void put_rule(struct output *out, const struct layout *l)
{
    output_char(out, '+');
    for (size_t i = 0; i < name_width(l) + 2; i++) output_char(out, '-');
    for (unsigned i = 0; i < COLUMNS; i++) {
        if (!l->shown[i]) continue;
        output_char(out, '+');
        for (size_t k = 0; k < column_width(l, i) + 2; k++) output_char(out, '-');
    }
    output_text(out, "+\n");
}

static void put_titles(struct output *out, const struct layout *l)
{
    output_printf(out, "| %-*s |", (int)name_width(l), "Name");
    for (unsigned i = 0; i < COLUMNS; i++) {
        if (!l->shown[i]) continue;
        size_t gap = column_width(l, i) - strlen(titles[i]);
        report_blanks(out, 1 + gap / 2);
        output_text(out, titles[i]);
        report_blanks(out, 1 + gap - gap / 2);
        output_char(out, '|');
    }
    output_char(out, '\n');
}

static void put_inked(struct output *out, const struct cov_look *look, unsigned weight, int ink, const char *text)
{
    char codes[16];
    snprintf(codes, sizeof codes, "%u;%d", weight, ink);
    if (*text && ink) cov_ink(out, look, codes);
    output_text(out, text);
    if (*text && ink) cov_ink(out, look, "");
}

static void put_cell(struct output *out, const struct layout *l, const struct cov_look *look, const struct change_row *row, unsigned i)
{
    struct cell cell = cell_of(row, (enum column)i, look);
    report_blanks(out, 1 + l->value[i] - strlen(cell.value));
    put_inked(out, look, 1, cell.value_ink, cell.value);
    if (l->change[i]) {
        if (l->value[i]) output_char(out, ' ');
        put_inked(out, look, 2, cell.change_ink, cell.change);
        report_blanks(out, l->change[i] - strlen(cell.change));
    }
    output_text(out, " |");
}

static void put_row(struct output *out, const struct layout *l, const struct cov_look *look, char flag, const struct change_row *row)
{
    output_printf(out, "| %c ", flag);
    if (row->prefix.len) {
        cov_ink(out, look, "2;37");
        output_slice(out, row->prefix);
        cov_ink(out, look, "");
    }
    output_slice(out, row->name);
    report_blanks(out, name_width(l) - 2 - width_of(row->prefix) - width_of(row->name));
    output_text(out, " |");
    for (unsigned i = 0; i < COLUMNS; i++)
        if (l->shown[i]) put_cell(out, l, look, row, i);
    output_char(out, '\n');
}

void cov_table_print(struct output *out, const struct changes *c, const struct cov_look *look)
{
    static const char flags[] = { [CHANGE_MODULE] = 'M', [CHANGE_FOLDER] = 'D', [CHANGE_FILE] = ' ' };
    struct layout l = { 0 };
    struct change_row total = c->total;
    bool has_total = c->rows.len > 1;
    total.name = SLICE("TOTAL");
    total.kind = CHANGE_TOTAL;
    struct changes copy = *c;
    copy.total = total;
    measure(&l, &copy, has_total, look);
    put_rule(out, &l);
    put_titles(out, &l);
    put_rule(out, &l);
    for (size_t i = 0; i < c->rows.len && !cancel_at(i); i++) put_row(out, &l, look, flags[c->rows.at[i].kind], &c->rows.at[i]);
    if (has_total) {
        put_rule(out, &l);
        put_row(out, &l, look, '>', &total);
    }
    put_rule(out, &l);
}

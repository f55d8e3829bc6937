/* The same in a terminal: a row for each context, indented, with its share and a bar. */
#include <stdio.h>

#include "base/number.h"
#include "base/slice.h"
#include "base/text.h"
#include "report/flame/flame.h"

enum { BAR = 20, INDENT_MOST = 60, WIDTH_DEFAULT = 100 };

/* Eighths of a column. */
static void put_bar(struct output *o, double share)
{
    static const char *const parts[] = { " ", "\xe2\x96\x8f", "\xe2\x96\x8e", "\xe2\x96\x8d", "\xe2\x96\x8c", "\xe2\x96\x8b", "\xe2\x96\x8a", "\xe2\x96\x89" };
    unsigned eighths = (unsigned)(share * BAR * 8 + 0.5);
    for (unsigned i = 0; i<BAR; i++, eighths = eighths> 8 ? eighths - 8 : 0) output_text(o, eighths >= 8 ? "\xe2\x96\x88" : parts[eighths]);
}

static void put_row(struct output *o, const struct flame *f, uint32_t row, double whole)
{
    const struct paths *p = f->paths;
    char percent[48], self[48], value[48];
    unsigned depth = p->rows.at[row].depth, indent = depth < INDENT_MOST ? depth : INDENT_MOST;
    unsigned width = f->width ? f->width : WIDTH_DEFAULT, used = BAR + 30 + indent;
    assay_slice name = row ? paths_name(p, row) : SLICE("all");
    number_percent(percent, paths_total(p, row), whole);
    number_percent(self, paths_self(p, row), whole);
    report_value(value, f->exact, p->type, sums_value(&p->total, row), f->unit);
    output_printf(o, "%7s %7s %10s  ", percent, self, value);
    put_bar(o, whole > 0 ? paths_total(p, row) / whole : 0);
    report_blanks(o, indent + 1);
    text_show(o, width > used + 10 ? (assay_slice){ name.data, text_fit(name, width - used) } : name);
    output_char(o, '\n');
}

void flame_text(struct output *o, const struct flame *f)
{
    const struct paths *p = f->paths;
    double whole = paths_total(p, 0);
    uint32_t row = 0, deepest = f->depth ? f->depth : UINT32_MAX;
    output_printf(o, "%7s %7s %10s\n", "total", "self", f->metric);
    for (;;) {
        double share = whole > 0 ? paths_total(p, row) / whole : 0;
        bool is_shown = !row || (share >= f->least && share > 0 && p->rows.at[row].depth <= deepest);
        if (is_shown) put_row(o, f, row, whole);
        if (is_shown && p->rows.at[row].first) {
            row = p->rows.at[row].first;
            continue;
        }
        while (row && !p->rows.at[row].next) row = p->rows.at[row].parent;
        if (!row) return;
        row = p->rows.at[row].next;
    }
}

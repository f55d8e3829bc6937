/* The same in a terminal: a row for each context, indented, with its share and a bar; of a difference, with what it was and what it is. */
#include <stdio.h>

#include "base/number.h"
#include "base/short_name.h"
#include "base/slice.h"
#include "base/text.h"
#include "report/flame/flame.h"

enum { BAR = 20, INDENT_MOST = 60, WIDTH_DEFAULT = 100, NAME_LEAST = 32 };

struct printing {
    struct output *o;
    const struct flame *f;
};

/* Eighths of a column. */
static void put_bar(struct output *o, double share)
{
    static const char *const parts[] = { " ", "\xe2\x96\x8f", "\xe2\x96\x8e", "\xe2\x96\x8d", "\xe2\x96\x8c", "\xe2\x96\x8b", "\xe2\x96\x8a", "\xe2\x96\x89" };
    unsigned eighths = (unsigned)(share * BAR * 8 + 0.5);
    for (unsigned i = 0; i < BAR; i++) {
        output_text(o, eighths >= 8 ? "\xe2\x96\x88" : parts[eighths]);
        eighths = eighths > 8 ? eighths - 8 : 0;
    }
}

/* The name after so many columns of figures, indented by its depth. */
static void put_name(const struct printing *p, uint32_t row, unsigned used)
{
    uint32_t depth = p->f->paths->rows.at[row].depth;
    unsigned indent = depth < INDENT_MOST ? depth : INDENT_MOST, width = p->f->width ? p->f->width : WIDTH_DEFAULT;
    assay_slice name = flame_name(p->f, row);
    used += indent + 2;
    report_blanks(p->o, indent + 1);
    struct output *text;
    if (output_open_memory(&text, p->f->paths->mem, NULL) == 0) {
        short_name(p->f->paths->mem, text, name, width > used + NAME_LEAST ? width - used : NAME_LEAST);
        text_show(p->o, output_memory(text));
        output_abort(text);
    }
    output_char(p->o, '\n');
}

static void put_row(void *arg, uint32_t row, double from, double share)
{
    const struct printing *p = arg;
    const struct paths *paths = p->f->paths;
    char percent[48], self[48], value[48];
    double whole = paths_total(paths, 0);
    (void)from;
    (void)share;
    number_percent(percent, paths_total(paths, row), whole);
    number_percent(self, paths_self(paths, row), whole);
    value_text(value, p->f->exact, paths->type, sums_value(&paths->total, row), p->f->unit);
    output_printf(p->o, "%7s %7s %10s  ", percent, self, value);
    put_bar(p->o, whole > 0 ? paths_total(paths, row) / whole : 0);
    put_name(p, row, BAR + 28);
}

static void put_both(void *arg, uint32_t row, double from, double share)
{
    const struct printing *p = arg;
    const struct paths_diff *d = p->f->diff;
    char was[48], is[48], change[48], growth[48], self[48];
    double before = paths_diff_total(d, PATHS_BEFORE, row), after = paths_diff_total(d, PATHS_AFTER, row);
    (void)from;
    (void)share;
    value_text(was, p->f->exact, ASSAY_F64, (assay_value){ .d = before }, p->f->unit);
    value_text(is, p->f->exact, ASSAY_F64, (assay_value){ .d = after }, p->f->unit);
    flame_change(change, p->f, after - before);
    flame_change(self, p->f, row ? paths_diff_self_change(d, row) : 0);
    output_printf(p->o, "%10s %10s %10s %8s %10s ", was, is, change, flame_growth(growth, before, after), self);
    put_name(p, row, 53);
}

void flame_text(struct output *o, const struct flame *f)
{
    struct printing p = { o, f };
    if (*f->note) output_printf(o, "%s\n", f->note);
    if (f->diff)
        output_printf(o, "%10s %10s %10s %8s %10s  %s\n", "before", "after", "change", "", "self", f->metric);
    else
        output_printf(o, "%7s %7s %10s\n", "total", "self", f->metric);
    flame_walk(f, f->diff != NULL, f->diff ? put_both : put_row, &p);
}

/* `callers`: who calls a function and what it calls, as tables for people. */
#include "report/callers.h"

#include <stdio.h>

#include "analysis/value.h"
#include "base/number.h"
#include "base/text.h"

/* ---- what rows are about ---- */

struct report_function callers_subject_of(const struct report_callers *s, const struct callers_block *b, char *name)
{
    if (!b->subject.cycle) return report_function_of(s->c->profile, s->c->top->func[b->subject.row].v);
    snprintf(name, 32, "<cycle %u>", b->subject.cycle);
    return (struct report_function){ .name = slice_of(name) };
}

struct report_function callers_function_of(const struct report_callers *s, const struct callers_row *row)
{
    const struct assay_files *files = assay_profile_files(s->c->profile);
    return (struct report_function){ .name = arcs_name(&s->c->arcs, row->func),
                                     .file = assay_profile_string(s->c->profile, REPORT_STR(files->path, row->file)),
                                     .line = row->line };
}

uint32_t callers_cycle_of(const struct report_callers *s, uint32_t func) { return s->c->cycles.of[func]; }

uint32_t callers_subject_cycle(const struct report_callers *s, const struct callers_block *b)
{
    return b->subject.cycle ? b->subject.cycle : callers_cycle_of(s, s->c->top->func[b->subject.row].v);
}

/* What enters a cycle by one of its members is no part of that member's own share of it. */
void callers_share(char *buf, const struct report *r, const struct report_callers *s, const struct callers_block *b, assay_value total)
{
    bool is_member = s->c->options.is_collapsed && !b->subject.cycle && callers_subject_cycle(s, b);
    enum assay_type type = report_type(s->c->profile, callers_metric(s));
    report_percent(buf, r, value_double(type, total), is_member ? 0 : value_double(type, callers_total(s->c, b->subject, s->c->options.k)));
}

/* ---- cells ---- */

struct painter {
    struct report *r;
    struct report_callers *s;
    const struct callers_block *b;
    struct table *table;
};

static void put_total(const struct painter *p, assay_value total)
{
    char buf[48];
    report_cost(p->r, p->table, p->s->c->profile, callers_metric(p->s), total);
    callers_share(buf, p->r, p->s, p->b, total);
    table_text(p->table, buf);
}

static void put_calls(const struct painter *p, uint64_t calls)
{
    if (p->s->c->arcs.has_calls)
        report_calls(p->table, p->r->exact, calls);
    else
        table_text(p->table, "-");
}

static void put_blank(const struct painter *p, int cells)
{
    for (int i = 0; i < cells; i++) table_text(p->table, "");
}

static void put_mark(const struct painter *p, struct output *out, uint32_t cycle, bool is_recursion)
{
    if (is_recursion) output_text(out, " (recursion)");
    if (cycle) output_printf(out, " (cycle %u)", cycle);
    p->s->has_recursion |= is_recursion;
    p->s->has_cycles |= cycle != 0;
}

/* How many sites the row has beside the one that it shows. */
static void put_sites(struct output *out, const struct callers_row *row)
{
    if (row->sites > 1) output_printf(out, " and %u more site%s", row->sites - 1, row->sites > 2 ? "s" : "");
}

/* The last cells: in text one with sign, name and place; else one for each. */
static void put_names(const struct painter *p, const char *sign, const struct report_function *f, const struct callers_row *row, uint32_t cycle)
{
    struct report_function shown = report_function_shown(p->r, p->s->c->profile, *f);
    struct output *out;
    bool is_text = p->r->style == REPORT_TEXT;
    if (output_open_memory(&out, p->r->mem, NULL) != 0) {
        p->r->out_of_memory = true;
        return;
    }
    if (!is_text) table_text(p->table, sign);
    report_blanks(out, row && is_text ? 2 * (row->depth - 1) : 0);
    if (is_text) output_printf(out, "%s ", sign);
    for (uint32_t i = 1; row && !is_text && i < row->depth; i++) output_text(out, ". ");
    report_put_name(p->r, out, shown.name);
    put_mark(p, out, cycle, row && row->is_recursion);
    size_t keep = is_text ? output_memory(out).len : 0;
    if (is_text && (shown.file.len || shown.module.len)) output_text(out, "  ");
    if (!is_text) {
        table_cell(p->table, output_memory(out));
        output_abort(out);
        if (output_open_memory(&out, p->r->mem, NULL) != 0) {
            p->r->out_of_memory = true;
            return;
        }
    }
    report_put_place(out, &shown);
    if (row) put_sites(out, row);
    table_cell_keep(p->table, output_memory(out), keep);
    output_abort(out);
}

/* ---- rows ---- */

static void put_side(const struct painter *p, const struct callers_side *side, const char *sign)
{
    size_t width = p->s->c->top->metric_count;
    for (uint32_t i = 0; i < side->count; i++) {
        struct report_function f = callers_function_of(p->s, &side->rows[i]);
        put_blank(p, 2);
        put_total(p, side->total[i * width + p->s->c->options.k]);
        put_calls(p, side->rows[i].calls);
        put_names(p, sign, &f, &side->rows[i], callers_cycle_of(p->s, side->rows[i].func));
    }
}

/* A row in place of what is not there: how many more there are, or that there is nothing. */
static void put_rest(const struct painter *p, const struct callers_side *side, const char *sign, const char *none)
{
    char text[64];
    if (side->count && !side->left_out) return;
    put_blank(p, 2);
    if (side->count)
        put_total(p, side->rest);
    else
        put_blank(p, 3);
    put_blank(p, 1);
    snprintf(text, sizeof text, "(%u more)", side->left_out);
    put_names(p, sign, &(struct report_function){ .name = slice_of(side->count ? text : none) }, NULL, 0);
}

static void put_subject(const struct painter *p)
{
    char name[32];
    struct report_function f = callers_subject_of(p->s, p->b, name);
    uint32_t k = p->s->c->options.k;
    report_cost(p->r, p->table, p->s->c->profile, callers_metric(p->s), callers_self(p->s->c, p->b->subject, k));
    put_total(p, callers_total(p->s->c, p->b->subject, k));
    put_calls(p, callers_calls(p->s->c, p->b->subject));
    put_names(p, "*", &f, NULL, p->b->subject.cycle ? 0 : callers_subject_cycle(p->s, p->b));
}

static void put_table(struct report *r, struct report_callers *s, const struct callers_block *b)
{
    static const char *const heads[2][10] = { { "self", "self%", "total", "total%", "of it", "calls", "", "function", "place", NULL },
                                              { "self", "self%", "total", "total%", "of it", "calls", "function", NULL } };
    bool is_text = r->style == REPORT_TEXT;
    struct painter p = { r, s, b, report_table(r, heads[is_text], "rrrrrrlll") };
    if (!p.table) return;
    output_char(r->out, '\n');
    if (!s->no_callers) {
        put_side(&p, &b->callers, "<");
        put_rest(&p, &b->callers, "<", "(no caller)");
    }
    put_subject(&p);
    if (!s->no_callees) {
        put_side(&p, &b->callees, ">");
        put_rest(&p, &b->callees, ">", "(no call)");
    }
    if (table_print(p.table, report_table_style(r), r->out, NULL) != 0) r->out_of_memory = true;
    table_free(p.table);
    r->table = NULL;
}

/* ---- around the rows ---- */

static void put_title(struct report *r, const struct report_callers *s)
{
    char human[48];
    if (r->shown) output_char(r->out, '\n');
    text_show(r->out, slice_of(s->path));
    output_text(r->out, ": ");
    report_ink(r, REPORT_BOLD);
    text_show(r->out, report_metric(s->c->profile, callers_metric(s)));
    report_plain(r);
    output_printf(r->out, " %s, ", report_total(human, r->exact, s->c->profile, callers_metric(s).v));
    if (s->found > s->shown) output_printf(r->out, "%llu of ", (unsigned long long)s->shown);
    output_printf(r->out, "%llu function%s '", (unsigned long long)s->found, s->found == 1 ? " matching" : "s matching");
    text_show(r->out, slice_of(s->function));
    output_text(r->out, "'\n");
    report_filtered(r, s->c->profile, callers_metric(s).v);
}

static void put_footnotes(struct report *r, const struct report_callers *s)
{
    if (s->has_recursion || s->has_cycles) output_char(r->out, '\n');
    if (s->has_recursion && s->c->arcs.is_exact)
        output_text(r->out, "recursion: a function that calls itself; nested calls are already counted in the outer one\n");
    else if (s->has_recursion)
        output_text(r->out, "recursion: a function that calls itself; each level includes the next\n");
    if (s->has_cycles) report_cycles_note(r->out, s->c->options.is_collapsed);
}

void report_callers_begin(struct report *r)
{
    if (r->style != REPORT_JSON || r->file_count == 1) return;
    report_json_begin(r, "callers");
    json_key(&r->json, "files");
    json_array(&r->json);
}

void report_callers_begin_input(struct report *r, const struct report_callers *s)
{
    if (r->style == REPORT_JSON)
        callers_json_begin_input(r, s);
    else if (r->style != REPORT_CSV)
        put_title(r, s);
}

void report_callers_block(struct report *r, struct report_callers *s, const struct callers_block *b)
{
    if (r->style == REPORT_JSON)
        callers_json_block(r, s, b);
    else if (r->style == REPORT_CSV)
        callers_csv_block(r, s, b);
    else
        put_table(r, s, b);
}

void report_callers_end_input(struct report *r, const struct report_callers *s)
{
    if (r->style == REPORT_JSON)
        callers_json_end_input(r, s);
    else if (r->style != REPORT_CSV)
        put_footnotes(r, s);
    r->shown++;
}

/* `callers`: who calls a function and what it calls, as tables for people. */
#include "report/callers.h"

#include <stdio.h>

#include "analysis/core/value.h"
#include "base/number.h"
#include "base/text.h"

/* ---- what rows are about ---- */

struct function_info callers_subject_of(const struct report_callers *s, const struct callers_block *b, char *name)
{
    if (!b->subject.cycle) return function_info_of(s->c->profile, s->c->top->func[b->subject.row].v);
    snprintf(name, 32, "<cycle %u>", b->subject.cycle);
    return (struct function_info){ .name = slice_of(name) };
}

struct function_info callers_function_of(const struct report_callers *s, const struct callers_row *row)
{
    const struct assay_files *files = assay_profile_files(s->c->profile);
    return (struct function_info){ .name = arcs_name(&s->c->arcs, row->func),
                                   .file = assay_profile_string(s->c->profile, MODEL_STR(files->path, row->file)),
                                   .line = row->line };
}

uint32_t callers_cycle_of(const struct report_callers *s, uint32_t func) { return s->c->cycles.of[func]; }

uint32_t callers_subject_cycle(const struct report_callers *s, const struct callers_block *b)
{
    return b->subject.cycle ? b->subject.cycle : callers_cycle_of(s, s->c->top->func[b->subject.row].v);
}

/* ---- figures ---- */

void callers_heads(struct report *r, const struct report_callers *s, const char *share)
{
    static const char *const costs[] = { "self", "self%", "total", "total%" }, *const averages[] = { "self/call", "total/call", NULL };
    const struct metric_columns *c = callers_columns(s);
    for (uint32_t i = 0; i < c->count; i++) {
        bool has_share = report_column_has_share(r, c, i);
        for (size_t k = 0; k < 4; k += has_share ? 1 : 2) report_column_head(r, c, i, costs[k]);
        if (has_share) report_column_head(r, c, i, share);
    }
    table_column(r->table, "calls", TABLE_RIGHT);
    if (r->per_call) report_column_heads(r, callers_columns(s), averages);
}

/* What enters a cycle by one of its members is no part of that member's own share of it. */
static void put_share(const struct report *r, const struct report_callers *s, const struct callers_block *b, uint32_t i, assay_value total)
{
    char buf[48];
    const struct metric_columns *c = callers_columns(s);
    enum assay_type type = c->at[i].type;
    bool is_member = s->c->options.is_collapsed && !b->subject.cycle && callers_subject_cycle(s, b);
    double whole = is_member || !c->at[i].is_sum ? 0 : value_double(type, metric_columns_value(c, i, callers_total(s->c, b->subject)));
    table_text(r->table, report_percent(buf, r, value_double(type, total), whole));
}

static void put_cost(const struct report *r, const struct metric_columns *c, uint32_t i, const assay_value *values)
{
    if (values)
        report_column_cost(r, r->table, c, i, metric_columns_value(c, i, values));
    else
        for (int cell = report_column_has_share(r, c, i) ? 0 : 1; cell < 2; cell++) table_text(r->table, "");
}

void callers_cells(const struct report *r, const struct report_callers *s, const struct callers_block *b, const assay_value *self, const assay_value *total)
{
    const struct metric_columns *c = callers_columns(s);
    for (uint32_t i = 0; i < c->count; i++) {
        put_cost(r, c, i, self);
        put_cost(r, c, i, total);
        if (!report_column_has_share(r, c, i)) continue;
        if (total)
            put_share(r, s, b, i, metric_columns_value(c, i, total));
        else
            table_text(r->table, "");
    }
}

static void put_average(const struct report *r, const struct metric_columns *c, uint32_t i, const assay_value *values, uint64_t calls)
{
    if (values)
        report_column_average(r, r->table, c, i, metric_columns_average(c, i, values, calls));
    else if (report_column_has_average(r, c, i))
        table_text(r->table, "");
}

void callers_averages(const struct report *r, const struct report_callers *s, const assay_value *self, const assay_value *total, uint64_t calls)
{
    const struct metric_columns *c = callers_columns(s);
    for (uint32_t i = 0; r->per_call && i < c->count; i++) {
        put_average(r, c, i, self, calls);
        put_average(r, c, i, total, calls);
    }
}

/* ---- cells ---- */

struct painter {
    struct report *r;
    struct report_callers *s;
    const struct callers_block *b;
    struct table *table;
};

static void put_calls(const struct painter *p, uint64_t calls)
{
    if (p->s->c->arcs.has_calls)
        report_calls(p->table, p->r->exact, calls);
    else
        table_text(p->table, "-");
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
static void put_names(const struct painter *p, const char *sign, const struct function_info *f, const struct callers_row *row, uint32_t cycle)
{
    struct function_info shown = report_function_shown(p->r, p->s->c->profile, *f);
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
    function_put_place(out, &shown);
    if (row) put_sites(out, row);
    table_cell_keep(p->table, output_memory(out), keep);
    output_abort(out);
}

/* ---- rows ---- */

static void put_side(const struct painter *p, const struct callers_side *side, const char *sign)
{
    size_t width = p->s->c->top->metric_count;
    for (uint32_t i = 0; i < side->count; i++) {
        struct function_info f = callers_function_of(p->s, &side->rows[i]);
        callers_cells(p->r, p->s, p->b, NULL, side->total + i * width);
        put_calls(p, side->rows[i].calls);
        callers_averages(p->r, p->s, NULL, side->total + i * width, side->rows[i].calls);
        put_names(p, sign, &f, &side->rows[i], callers_cycle_of(p->s, side->rows[i].func));
    }
}

/* A row in place of what is not there: how many more there are, or that there is nothing. */
static void put_rest(const struct painter *p, const struct callers_side *side, const char *sign, const char *none)
{
    char text[64];
    if (side->count && !side->left_out) return;
    callers_cells(p->r, p->s, p->b, NULL, side->count ? side->rest : NULL);
    table_text(p->table, "");
    callers_averages(p->r, p->s, NULL, NULL, 0);
    snprintf(text, sizeof text, "(%u more)", side->left_out);
    put_names(p, sign, &(struct function_info){ .name = slice_of(side->count ? text : none) }, NULL, 0);
}

static void put_subject(const struct painter *p)
{
    char name[32];
    struct function_info f = callers_subject_of(p->s, p->b, name);
    const assay_value *self = callers_self(p->s->c, p->b->subject), *total = callers_total(p->s->c, p->b->subject);
    callers_cells(p->r, p->s, p->b, self, total);
    put_calls(p, callers_calls(p->s->c, p->b->subject));
    callers_averages(p->r, p->s, self, total, callers_calls(p->s->c, p->b->subject));
    put_names(p, "*", &f, NULL, p->b->subject.cycle ? 0 : callers_subject_cycle(p->s, p->b));
}

static void put_table(struct report *r, struct report_callers *s, const struct callers_block *b)
{
    static const char *const none[] = { NULL }, *const heads[] = { "", "function", "place" };
    bool is_text = r->style == REPORT_TEXT;
    struct painter p = { r, s, b, report_table(r, none, "") };
    if (!p.table) return;
    callers_heads(r, s, "of it");
    for (size_t i = is_text ? 1 : 0; i < (is_text ? 2 : 3); i++) table_column(p.table, heads[i], TABLE_LEFT);
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
    if (r->shown) output_char(r->out, '\n');
    text_show(r->out, slice_of(s->path));
    output_text(r->out, ": ");
    report_columns_title(r, callers_columns(s));
    output_text(r->out, ", ");
    if (s->found > s->shown) output_printf(r->out, "%llu of ", (unsigned long long)s->shown);
    output_printf(r->out, "%llu function%s '", (unsigned long long)s->found, s->found == 1 ? " matching" : "s matching");
    text_show(r->out, slice_of(s->function));
    output_text(r->out, "'\n");
    report_filtered(r, s->c->profile, report_columns_metric(callers_columns(s)));
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

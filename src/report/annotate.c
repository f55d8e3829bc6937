/* `annotate` as text: a line of figures before each line of the source. */
#include "report/annotate.h"

#include <math.h>
#include <stdio.h>

#include "analysis/core/function.h"
#include "analysis/core/units.h"
#include "base/cancel.h"
#include "base/number.h"
#include "base/plural.h"
#include "base/text.h"

enum { TAB = 8, BRANCHES_SHOWN = 12, CALLEES_SHOWN = 10, COST_WIDTH = 10, SHARE_WIDTH = 7 };

/* What a file has, and how wide its columns are. */
struct columns {
    bool cost, total, within, calls, hits, counts, branches, states;
    unsigned calls_width, hits_width, counts_width, branches_width, line_width;
};

static unsigned digits(uint64_t v)
{
    char buf[48];
    return (unsigned)number_put_u64(buf, v);
}

/* "[+ - #]": taken, not taken, never evaluated; n/m where single branches are not known or too many. */
static void branch_text(const struct annotate *a, const struct annotate_row *row, char *buf, size_t len)
{
    const struct view_line *l = row->view ? &a->view.lines.at[row->view - 1] : NULL;
    size_t used = 0;
    buf[0] = '\0';
    if (!l || !l->branches) return;
    if (l->branch_count == 0 || l->branch_count > BRANCHES_SHOWN) {
        snprintf(buf, len, "%u/%u", l->branches_hit, l->branches);
        return;
    }
    for (uint32_t i = 0; i < l->branch_count && used + 3 < len; i++) {
        const struct view_branch *b = &a->view.branches.at[l->first_branch + i];
        if (b->flags & (ASSAY_COVERAGE_BRANCH_EXCLUDED | ASSAY_COVERAGE_BRANCH_UNREACHABLE)) continue;
        char c = b->hits ? '+' : b->flags & ASSAY_COVERAGE_BRANCH_NOT_EVALUATED ? '#' : '-';
        used += (size_t)snprintf(buf + used, len - used, "%c%c", used ? ' ' : '[', c);
    }
    snprintf(buf + used, len - used, "]");
}

static void widen(unsigned *width, uint64_t v)
{
    if (digits(v) > *width) *width = digits(v);
}

/* ---- columns of cost ---- */

static const char *const cost_heads[] = { "self", "total" };

/* Wide enough for its head. */
static unsigned cost_width(const struct metric_columns *c, uint32_t i, int kind)
{
    size_t head = strlen(cost_heads[kind]) + (c->count > 1 ? text_width(c->at[i].name) + 1 : 0);
    return head > COST_WIDTH ? (unsigned)head : COST_WIDTH;
}

static unsigned costs_width(const struct report *r, const struct report_annotate *n, const struct columns *x)
{
    unsigned width = 0;
    for (uint32_t i = 0; x->cost && i < n->columns->count; i++)
        for (int kind = 0; kind < (x->total ? 2 : 1); kind++)
            width += cost_width(n->columns, i, kind) + 1 + (report_column_has_share(r, n->columns, i) ? SHARE_WIDTH + 1 : 0);
    return width;
}

static void put_cost_heads(struct report *r, const struct report_annotate *n, const struct columns *x)
{
    const struct metric_columns *c = n->columns;
    for (uint32_t i = 0; x->cost && i < c->count; i++)
        for (int kind = 0; kind < (x->total ? 2 : 1); kind++) {
            unsigned used = (unsigned)strlen(cost_heads[kind]) + (c->count > 1 ? text_width(c->at[i].name) + 1 : 0);
            report_blanks(r->out, cost_width(c, i, kind) - used);
            if (c->count > 1) text_show(r->out, c->at[i].name);
            output_printf(r->out, "%s%s ", c->count > 1 ? " " : "", cost_heads[kind]);
            if (report_column_has_share(r, c, i)) output_printf(r->out, "%*s ", SHARE_WIDTH, kind ? "total%" : "self%");
        }
}

/* Empty for nothing. */
static void put_cost(struct report *r, const struct metric_columns *c, uint32_t i, int kind, const assay_value *values)
{
    char text[48] = "", share[48] = "";
    const struct metric_column *x = &c->at[i];
    assay_value v = values ? metric_columns_value(c, i, values) : (assay_value){ 0 };
    if (values && !value_is_zero(x->type, v) && !(x->type == ASSAY_F64 && isnan(v.d))) {
        value_text(text, r->exact, x->type, v, x->unit);
        if (x->is_sum) number_percent(share, value_double(x->type, v), x->whole);
    }
    output_printf(r->out, "%*s ", (int)cost_width(c, i, kind), text);
    if (report_column_has_share(r, c, i)) output_printf(r->out, "%*s ", SHARE_WIDTH, share);
}

static void put_costs(struct report *r, const struct report_annotate *n, const struct columns *x, const struct annotate_row *row)
{
    const struct line_costs *t = &n->a->cost;
    for (uint32_t i = 0; x->cost && i < n->columns->count; i++)
        for (int kind = 0; kind < (x->total ? 2 : 1); kind++)
            put_cost(r, n->columns, i, kind, row->cost ? annotate_values(n, kind ? &t->total : &t->self, row->cost - 1) : NULL);
}

static struct columns columns_of(const struct report_annotate *n)
{
    const struct annotate *a = n->a;
    struct columns c = { .cost = a->has_cost && n->columns->count && a->sources[n->source].cost,
                         .states = a->has_coverage,
                         .calls_width = 5,
                         .hits_width = 4,
                         .counts_width = 5,
                         .branches_width = 6,
                         .line_width = 4 };
    char buf[64];
    c.total = c.cost && a->has_totals;
    for (size_t i = 0; i < a->rows.len; i++) {
        const struct annotate_row *row = &a->rows.at[i];
        const struct line_cost *cost = annotate_cost(a, row);
        if (!row->is_shown) continue;
        branch_text(a, row, buf, sizeof buf);
        if (buf[0]) c.branches = true;
        if (row->has_hits) c.hits = true;
        if (cost && cost->calls) c.calls = true;
        if (cost && cost->has_hits && row->state) c.counts = true;
        if (strlen(buf) > c.branches_width) c.branches_width = (unsigned)strlen(buf);
        if (row->has_hits) widen(&c.hits_width, row->hits);
        if (cost) widen(&c.calls_width, cost->calls);
        if (cost) widen(&c.counts_width, cost->hits);
        widen(&c.line_width, row->line);
    }
    c.within = c.calls && !a->has_totals && n->call_k < a->cost.within.len;
    return c;
}

/* ---- one line ---- */

struct amount {
    char text[48], share[48];
};

/* A figure of metric k of a block, and its share of the whole; both empty for nothing. */
static struct amount amount_of(const struct report *r, const struct annotate *a, const struct assay_block *block, uint32_t k, const line_sums *sums, size_t row)
{
    const assay_profile *p = line_costs_profile(&a->cost);
    const struct sums *s = &sums->at[k];
    assay_value v = line_value(sums, k, row);
    struct amount out = { "", "" };
    if (value_is_zero(s->type, v)) return out;
    value_text(out.text, r->exact, s->type, v, units_name(p, block->metrics[k]));
    number_percent(out.share, value_double(s->type, v), annotate_whole(a, block, k));
    return out;
}

static void put_count(struct report *r, bool is_there, uint64_t v, unsigned width)
{
    if (is_there)
        output_printf(r->out, "%*llu ", (int)width, (unsigned long long)v);
    else
        report_blanks(r->out, width + 1);
}

static void put_source(struct output *out, assay_slice text)
{
    unsigned column = 0;
    while (text.len) {
        const char *tab = memchr(text.data, '\t', text.len);
        assay_slice part = tab ? slice_from(text.data, tab) : text;
        text_show(out, part);
        column += text_width(part);
        if (!tab) return;
        report_blanks(out, TAB - column % TAB);
        column += TAB - column % TAB;
        text = slice_from(tab + 1, text.data + text.len);
    }
}

static void put_figures(struct report *r, const struct report_annotate *n, const struct columns *c, const struct annotate_row *row)
{
    const struct annotate *a = n->a;
    const struct line_costs *t = &a->cost;
    const struct line_cost *cost = annotate_cost(a, row);
    size_t at = cost ? row->cost - 1 : 0;
    char buf[64];
    put_costs(r, n, c, row);
    if (c->calls) put_count(r, cost && cost->calls, cost ? cost->calls : 0, c->calls_width);
    if (c->within) output_printf(r->out, "%*s ", COST_WIDTH, cost ? amount_of(r, a, t->calls_block, n->call_k, &t->within, at).text : "");
    if (c->counts) put_count(r, cost && cost->has_hits, cost ? cost->hits : 0, c->counts_width);
    if (c->hits) put_count(r, row->has_hits, row->hits, c->hits_width);
    branch_text(a, row, buf, sizeof buf);
    if (c->branches) output_printf(r->out, "%-*s ", (int)c->branches_width, buf);
}

static void put_row(struct report *r, const struct report_annotate *n, const struct columns *c, size_t i)
{
    static const char marks[] = "  ~!x?";
    const struct annotate_row *row = &n->a->rows.at[i];
    bool is_inked = row->state == ANNOTATE_MISSED || row->state == ANNOTATE_PARTIAL;
    if (is_inked) report_ink(r, row->state == ANNOTATE_MISSED ? REPORT_RED : REPORT_YELLOW);
    if (c->states) output_printf(r->out, "%c ", marks[row->state]);
    put_figures(r, n, c, row);
    if (row->line)
        output_printf(r->out, "%*u", (int)c->line_width, row->line);
    else
        output_printf(r->out, "%*s", (int)c->line_width, "?");
    if (row->has_text && row->text.len) {
        output_text(r->out, "  ");
        put_source(r->out, row->text);
    }
    if (is_inked) report_plain(r);
    output_char(r->out, '\n');
}

/* ---- what it calls ---- */

/* Where the source begins. */
static unsigned indent_of(const struct report *r, const struct report_annotate *n, const struct columns *c)
{
    unsigned width = c->line_width + 2 + costs_width(r, n, c);
    if (c->states) width += 2;
    if (c->within) width += COST_WIDTH + 1;
    if (c->calls) width += c->calls_width + 1;
    if (c->counts) width += c->counts_width + 1;
    if (c->hits) width += c->hits_width + 1;
    if (c->branches) width += c->branches_width + 1;
    return width;
}

static void put_callee(struct report *r, const struct report_annotate *n, const struct line_callee *c)
{
    const struct line_costs *t = &n->a->cost;
    const assay_profile *p = line_costs_profile(t);
    output_printf(r->out, "=> %llu call%s to ", (unsigned long long)c->calls, plural(c->calls));
    text_show(r->out, assay_profile_string(p, MODEL_STR(assay_profile_funcs(p)->name, c->func)));
    if (n->call_k < t->callee_total.len) {
        struct amount total = amount_of(r, n->a, t->calls_block, n->call_k, &t->callee_total, c->sum);
        struct amount inside = amount_of(r, n->a, t->calls_block, n->call_k, &t->callee_recursive, c->sum);
        if (total.text[0]) output_printf(r->out, ": %s, %s", total.text, total.share);
        if (inside.text[0]) output_printf(r->out, "%s %s recursive", total.text[0] ? "," : ":", inside.text);
    }
    output_char(r->out, '\n');
}

static void put_callees(struct report *r, const struct report_annotate *n, const struct columns *c, const struct line_cost *cost)
{
    for (uint32_t i = 0; i < cost->callee_count; i++) {
        report_blanks(r->out, indent_of(r, n, c));
        if (i < CALLEES_SHOWN) {
            put_callee(r, n, &n->a->cost.callees.at[cost->callee + i]);
            continue;
        }
        output_printf(r->out, "=> and %u more functions\n", cost->callee_count - i);
        return;
    }
}

/* ---- one file ---- */

static void put_functions(struct report *r, const struct annotate *a, const struct annotate_row *row)
{
    const struct assay_funcs *f = assay_profile_funcs(a->coverage);
    for (uint32_t i = 0; i < row->functions; i++) {
        const struct view_function *v = &a->view.functions.at[row->function + i];
        output_text(r->out, "-- ");
        text_show(r->out, assay_profile_string(a->coverage, MODEL_STR(f->name, v->func)));
        if (v->flags & ASSAY_COVERAGE_ONLY_HIT)
            output_text(r->out, v->calls ? ": called\n" : ": never called\n");
        else if (v->calls)
            output_printf(r->out, ": called %llu time%s\n", (unsigned long long)v->calls, plural(v->calls));
        else
            output_text(r->out, ": never called\n");
    }
}

static void put_place(struct report *r, const struct annotate *a, assay_slice path)
{
    if (!a->text.path) {
        bool is_one = a->tried.len == 1;
        output_text(r->out, is_one ? "   source not found; tried: " : "   source not found; tried:\n");
        for (size_t i = 0; i < a->tried.len; i++) {
            if (!is_one) report_blanks(r->out, 6);
            text_show(r->out, slice_of(a->tried.at[i]));
            output_char(r->out, '\n');
        }
    } else if (*a->text.path && !slice_is(path, a->text.path)) {
        output_text(r->out, "   source: ");
        text_show(r->out, slice_of(a->text.path));
        output_char(r->out, '\n');
    }
}

static void put_heads(struct report *r, const struct report_annotate *n, const struct columns *c)
{
    if (c->states) output_text(r->out, "  ");
    put_cost_heads(r, n, c);
    if (c->calls) output_printf(r->out, "%*s ", (int)c->calls_width, "calls");
    if (c->within) output_printf(r->out, "%*s ", COST_WIDTH, "in calls");
    if (c->counts) output_printf(r->out, "%*s ", (int)c->counts_width, "count");
    if (c->hits) output_printf(r->out, "%*s ", (int)c->hits_width, "hits");
    if (c->branches) output_printf(r->out, "%-*s ", (int)c->branches_width, "branch");
    output_printf(r->out, "%*s\n", (int)c->line_width, "line");
}

static void put_head(struct report *r, const struct report_annotate *n, const struct columns *c)
{
    const struct annotate *a = n->a;
    const assay_coverage_counts *k = annotate_counts(a, n->source);
    assay_slice path = annotate_path(a, n->source);
    char share[48];
    report_ink(r, REPORT_BOLD);
    text_show(r->out, path);
    report_plain(r);
    for (uint32_t i = 0; c->cost && i < n->columns->count; i++) {
        output_text(r->out, i ? ", " : ": ");
        text_show(r->out, n->columns->at[i].name);
    }
    if (k->lines)
        output_printf(r->out, ": lines %s (%llu of %llu)", report_share(share, k->lines_hit, k->lines), (unsigned long long)k->lines_hit,
                      (unsigned long long)k->lines);
    if (k->branches)
        output_printf(r->out, ", branches %s (%llu of %llu)", report_share(share, k->branches_hit, k->branches), (unsigned long long)k->branches_hit,
                      (unsigned long long)k->branches);
    output_char(r->out, '\n');
    put_place(r, a, path);
    put_heads(r, n, c);
}

static void put_text(struct report *r, struct report_annotate *n)
{
    const struct annotate *a = n->a;
    struct columns c = columns_of(n);
    bool is_first = true, is_gap = false;
    if (r->style == REPORT_MARKDOWN) output_text(r->out, "```text\n");
    put_head(r, n, &c);
    for (size_t i = 0; i < a->rows.len && !cancel_at(i); i++) {
        const struct annotate_row *row = &a->rows.at[i];
        if (!row->is_shown) {
            is_gap = true;
            n->folded += row->cost != 0;
            continue;
        }
        if (is_gap && !is_first) output_text(r->out, "...\n");
        is_first = is_gap = false;
        if (row->functions) put_functions(r, a, row);
        put_row(r, n, &c, i);
        if (n->with_calls && row->cost) put_callees(r, n, &c, annotate_cost(a, row));
    }
    if (r->style == REPORT_MARKDOWN) output_text(r->out, "```\n");
}

void report_annotate_begin(struct report *r)
{
    if (r->style == REPORT_JSON) annotate_json_begin(r);
}

void report_annotate_begin_input(struct report *r, const struct report_annotate *n)
{
    if (r->style == REPORT_JSON) annotate_json_begin_input(r, n);
}

void report_annotate_file(struct report *r, struct report_annotate *n)
{
    if (r->style == REPORT_JSON)
        annotate_json_file(r, n);
    else if (r->style == REPORT_CSV)
        annotate_csv_file(r, n);
    else {
        if (r->shown) output_char(r->out, '\n');
        put_text(r, n);
    }
    n->shown++;
    r->shown++;
}

void report_annotate_end_input(struct report *r, const struct report_annotate *n)
{
    if (r->style == REPORT_JSON) annotate_json_end_input(r, n);
    if (n->left_out && r->style == REPORT_TEXT)
        output_printf(r->out, "\nand %zu more file%s (--limit 0 shows all, --file selects)\n", n->left_out, plural(n->left_out));
    if (n->folded && n->has_fold && r->style == REPORT_TEXT)
        output_printf(r->out, "\nnot shown: %zu line%s below %.2f%% (--min; --all shows everything)\n", n->folded, plural(n->folded), n->least * 100);
}

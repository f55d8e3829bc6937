/* `annotate` as text: a line of figures before each line of the source. */
#include "report/annotate.h"

#include <stdio.h>

#include "base/number.h"
#include "base/text.h"

enum { TAB = 8, BRANCHES_SHOWN = 12 };

/* What a file has, and how wide its columns are. */
struct columns {
    bool cost, total, hits, branches, states;
    unsigned hits_width, branches_width, line_width;
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
        if (b->flags & (ASSAY_COV_BRANCH_EXCLUDED | ASSAY_COV_BRANCH_UNREACHABLE)) continue;
        char c = b->hits ? '+' : b->flags & ASSAY_COV_BRANCH_NOT_EVALUATED ? '#' : '-';
        used += (size_t)snprintf(buf + used, len - used, "%c%c", used ? ' ' : '[', c);
    }
    snprintf(buf + used, len - used, "]");
}

static struct columns columns_of(const struct report_annotate *n)
{
    const struct annotate *a = n->a;
    struct columns c = {
        .cost = a->has_cost && n->k < a->block->metric_count, .states = a->has_coverage, .hits_width = 4, .branches_width = 6, .line_width = 4
    };
    char buf[64];
    c.total = c.cost && a->has_totals;
    for (size_t i = 0; i < a->rows.len; i++) {
        const struct annotate_row *row = &a->rows.at[i];
        if (!row->is_shown) continue;
        branch_text(a, row, buf, sizeof buf);
        if (buf[0]) c.branches = true;
        if (row->has_hits) c.hits = true;
        if (strlen(buf) > c.branches_width) c.branches_width = (unsigned)strlen(buf);
        if (row->has_hits && digits(row->hits) > c.hits_width) c.hits_width = digits(row->hits);
        if (digits(row->line) > c.line_width) c.line_width = digits(row->line);
    }
    return c;
}

/* ---- one line ---- */

static void put_cost(struct report *r, const struct report_annotate *n, const struct sums *s, size_t row, bool with_share)
{
    const assay_profile *p = annotate_metrics_of(n->a);
    const struct assay_metrics *m = assay_profile_metrics(p);
    uint32_t metric = n->a->block->metrics[n->k].v;
    assay_value v = sums_value(s, row);
    char buf[48], share[48] = "";
    bool is_zero = value_is_zero(s->type, v);
    double whole = s->type == ASSAY_F64 ? (m->total_double ? m->total_double[metric] : 0) : m->total ? wide_double(m->total[metric]) : 0;
    report_value(buf, r->exact, s->type, v, report_text(p, REPORT_STR(m->unit, metric)));
    if (with_share && !is_zero) number_percent(share, value_double(s->type, v), whole);
    output_printf(r->out, "%10s ", is_zero ? "" : buf);
    if (with_share) output_printf(r->out, "%7s ", share);
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

static void put_figures(struct report *r, const struct report_annotate *n, const struct columns *c, size_t i)
{
    const struct annotate *a = n->a;
    const struct annotate_row *row = &a->rows.at[i];
    char buf[64];
    if (c->cost) put_cost(r, n, &a->self.at[n->k], i, true);
    if (c->total) put_cost(r, n, &a->total.at[n->k], i, false);
    if (c->hits && row->has_hits)
        output_printf(r->out, "%*llu ", (int)c->hits_width, (unsigned long long)row->hits);
    else if (c->hits)
        report_blanks(r->out, c->hits_width + 1);
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
    put_figures(r, n, c, i);
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

/* ---- one file ---- */

static void put_functions(struct report *r, const struct annotate *a, const struct annotate_row *row)
{
    const struct assay_funcs *f = assay_profile_funcs(a->profile);
    for (uint32_t i = 0; i < row->functions; i++) {
        const struct view_function *v = &a->view.functions.at[row->function + i];
        output_text(r->out, "-- ");
        text_show(r->out, assay_profile_string(a->profile, REPORT_STR(f->name, v->func)));
        if (v->flags & ASSAY_COV_ONLY_HIT)
            output_text(r->out, v->calls ? ": called\n" : ": never called\n");
        else if (v->calls)
            output_printf(r->out, ": called %llu time%s\n", (unsigned long long)v->calls, v->calls == 1 ? "" : "s");
        else
            output_text(r->out, ": never called\n");
    }
}

static void put_place(struct report *r, const struct annotate *a, assay_slice path)
{
    if (!a->text.path) {
        output_text(r->out, "   its source was not found; tried:");
        for (size_t i = 0; i < a->paths.tried.len; i++) {
            output_char(r->out, ' ');
            text_show(r->out, slice_of(a->paths.tried.at[i]));
        }
        output_char(r->out, '\n');
    } else if (*a->text.path && !slice_is(path, a->text.path)) {
        output_text(r->out, "   source: ");
        text_show(r->out, slice_of(a->text.path));
        output_char(r->out, '\n');
    }
}

static void put_head(struct report *r, const struct report_annotate *n, const struct columns *c)
{
    const struct annotate *a = n->a;
    const assay_cov_counts *k = &a->by_file[n->file];
    assay_slice path = assay_profile_string(a->profile, assay_profile_files(a->profile)->path[n->file]);
    char share[48];
    report_ink(r, REPORT_BOLD);
    text_show(r->out, path);
    report_plain(r);
    if (c->cost) {
        output_text(r->out, ": ");
        text_show(r->out, annotate_metric(a, n->k));
    }
    if (k->lines)
        output_printf(r->out, ": lines %s (%llu of %llu)", report_share(share, k->lines_hit, k->lines), (unsigned long long)k->lines_hit,
                      (unsigned long long)k->lines);
    if (k->branches)
        output_printf(r->out, ", branches %s (%llu of %llu)", report_share(share, k->branches_hit, k->branches), (unsigned long long)k->branches_hit,
                      (unsigned long long)k->branches);
    output_char(r->out, '\n');
    put_place(r, a, path);
    if (c->states) output_text(r->out, "  ");
    if (c->cost) output_printf(r->out, "%10s %7s ", "self", "self%");
    if (c->total) output_printf(r->out, "%10s ", "total");
    if (c->hits) output_printf(r->out, "%*s ", (int)c->hits_width, "hits");
    if (c->branches) output_printf(r->out, "%-*s ", (int)c->branches_width, "branch");
    output_printf(r->out, "%*s\n", (int)c->line_width, "line");
}

static void put_text(struct report *r, const struct report_annotate *n)
{
    const struct annotate *a = n->a;
    struct columns c = columns_of(n);
    bool is_first = true, is_gap = false;
    if (r->style == REPORT_MARKDOWN) output_text(r->out, "```text\n");
    put_head(r, n, &c);
    for (size_t i = 0; i < a->rows.len; i++) {
        const struct annotate_row *row = &a->rows.at[i];
        if (!row->is_shown) {
            is_gap = true;
            continue;
        }
        if (is_gap && !is_first) output_text(r->out, "...\n");
        is_first = is_gap = false;
        if (row->functions) put_functions(r, a, row);
        put_row(r, n, &c, i);
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
    if (r->style == REPORT_JSON) annotate_json_end_input(r);
    if (n->left_out && r->style == REPORT_TEXT) output_printf(r->out, "\nand %zu more files (--limit 0 shows all, --file picks some)\n", n->left_out);
}

/* One file: its sums, its functions, and its lines with hits and branches beside the source. */
#include <stdio.h>

#include "base/cancel.h"
#include "base/slice.h"
#include "formats/html/site.h"

/* ---- head ---- */

static void put_sum(struct output *o, const char *what, uint64_t hit, uint64_t all)
{
    if (!all) return;
    output_printf(o, "<tr><th>%s", what);
    html_share(o, hit, all, true);
    output_text(o, "</td>\n");
}

static void put_sums(struct output *o, const assay_coverage_counts *c)
{
    output_text(o, "<table class=sums>\n");
    put_sum(o, "Lines", c->lines_hit, c->lines);
    put_sum(o, "Functions", c->functions_hit, c->functions);
    put_sum(o, "Branches", c->branches_hit, c->branches);
    put_sum(o, "Conditions", c->conditions_hit, c->conditions);
    put_sum(o, "Statements", c->statements_hit, c->statements);
    output_text(o, "</table>\n");
}

/* ---- functions ---- */

static void put_calls(struct output *o, uint64_t calls, bool only_hit)
{
    if (only_hit)
        output_text(o, calls ? "hit" : "0");
    else
        output_u64(o, calls);
}

static void put_functions(struct output *o, const struct site *s)
{
    const struct assay_funcs *f = assay_profile_funcs(s->profile);
    if (!s->view.functions.len) return;
    output_printf(o,
                  "<details class=functions><summary>Functions (%zu)</summary>\n<table id=functions><thead><tr><th data-key=0>Function<th data-key=1>Line"
                  "<th data-key=2>Calls</thead><tbody>\n",
                  s->view.functions.len);
    for (size_t i = 0; i < s->view.functions.len; i++) {
        const struct view_function *at = &s->view.functions.at[i];
        output_printf(o, "<tr class=%s><td>", at->calls ? "h" : "m");
        html_text(o, assay_profile_string(s->profile, f->name[at->func]));
        if (at->line)
            output_printf(o, "<td class=n><a href=\"#L%u\">%u</a><td class=n data-v=%llu>", at->line, at->line, (unsigned long long)at->calls);
        else
            output_printf(o, "<td class=n data-v=-1>-<td class=n data-v=%llu>", (unsigned long long)at->calls);
        put_calls(o, at->calls, at->flags & ASSAY_COVERAGE_ONLY_HIT);
        output_text(o, "</td>\n");
    }
    output_text(o, "</tbody></table></details>\n");
}

/* ---- lines ---- */

/* The class of a line: h hit, p partial, m missed, x excluded; NULL = no code. */
static const char *state_of(const struct view_line *at)
{
    if (!at->is_code) return at->flags & ASSAY_COVERAGE_EXCLUDED ? "x" : NULL;
    if (!at->hits) return "m";
    bool is_partial =
        at->branches_hit < at->branches || at->conditions_hit < at->conditions || at->flags & (ASSAY_COVERAGE_PARTIAL | ASSAY_COVERAGE_UNEXECUTED_BLOCK);
    return is_partial ? "p" : "h";
}

static char branch_mark(const struct view_branch *b)
{
    if (b->flags & (ASSAY_COVERAGE_BRANCH_EXCLUDED | ASSAY_COVERAGE_BRANCH_UNREACHABLE)) return 'x';
    return b->hits ? '+' : b->flags & ASSAY_COVERAGE_BRANCH_NOT_EVALUATED ? '#' : '-';
}

/* Beyond that many a line shows n/m only. */
enum { MOST_MARKS = 24 };

static void put_branch_titles(struct output *o, const struct site *s, const struct view_line *at)
{
    output_text(o, " title=\"");
    for (uint32_t i = 0; i < at->branch_count; i++) {
        const struct view_branch *b = &s->view.branches.at[at->first_branch + i];
        const struct assay_coverage *c = s->view.c;
        if (i) output_text(o, "; ");
        output_text(o, "branch ");
        if (c->branch_name && c->branch_name[b->row].v)
            html_text(o, assay_profile_string(s->profile, c->branch_name[b->row]));
        else
            output_u64(o, i);
        if (branch_mark(b) == '#')
            output_text(o, " never reached");
        else if (branch_mark(b) == 'x')
            output_text(o, " excluded");
        else
            output_printf(o, " taken %llu", (unsigned long long)b->hits);
    }
    output_char(o, '"');
}

static void put_branches(struct output *o, const struct site *s, const struct view_line *at)
{
    output_text(o, "<td class=b");
    if (!at->branches && !at->branch_count && !at->conditions) {
        output_char(o, '>');
        return;
    }
    bool has_marks = at->branch_count && at->branch_count <= MOST_MARKS;
    if (has_marks) put_branch_titles(o, s, at);
    output_char(o, '>');
    for (uint32_t i = 0; has_marks && i < at->branch_count; i++) {
        char mark = branch_mark(&s->view.branches.at[at->first_branch + i]);
        output_printf(o, mark == '+' ? "<b>%c</b>" : "<i>%c</i>", mark);
    }
    if (!has_marks && at->branches) output_printf(o, "%u/%u", at->branches_hit, at->branches);
    if (at->conditions) output_printf(o, " <span title=\"conditions\">%u/%u</span>", at->conditions_hit, at->conditions);
}

static void put_line(struct output *o, const struct site *s, uint32_t line, const struct view_line *at, assay_slice text)
{
    const char *state = at ? state_of(at) : NULL;
    output_printf(o, state ? "<tr id=L%u class=%s><td>%u<td class=c>" : "<tr id=L%u%s><td>%u<td>", line, state ? state : "", line);
    if (at && at->is_code) put_calls(o, at->hits, at->flags & ASSAY_COVERAGE_ONLY_HIT);
    if (at)
        put_branches(o, s, at);
    else
        output_text(o, "<td>");
    output_text(o, "<td>");
    html_text(o, text);
    output_text(o, "</td>\n");
}

/* With the text: every line of it, and those that lie beyond its end. Without: those that something is known of. */
static void put_lines(struct output *o, const struct site *s, const struct source_text *text)
{
    const struct view_line *at = s->view.lines.at, *end = at ? at + s->view.lines.len : NULL;
    output_text(o, "<table id=source>\n<tbody>\n");
    for (uint32_t line = 1; line <= text->lines.len && !cancel_at(line); line++) {
        while (at < end && at->line < line) at++;
        put_line(o, s, line, at < end && at->line == line ? at++ : NULL, text->lines.at[line - 1]);
    }
    for (; at < end; at++)
        if (at->line) put_line(o, s, at->line, at, (assay_slice){ "", 0 });
    output_text(o, "</tbody>\n</table>\n");
}

/* ---- the source ---- */

/* Only what the profile carries, and files inside the folders that the caller named: a report may not pull in whatever a path of its input names. */
static int load(struct site *s, uint32_t file, struct source_text *text, assay_error *err)
{
    const struct assay_files *f = assay_profile_files(s->profile);
    assay_slice own = f->source ? assay_profile_string(s->profile, f->source[file]) : (assay_slice){ NULL, 0 };
    if (own.len || !s->has_roots) return source_text_of(text, own, s->job->mem, err);
    TRY(source_text_load(text, &s->paths, s->profile, file, s->job->mem, err));
    if (text->path && !source_paths_is_inside(&s->paths, text->path)) text->lines.len = 0;
    return 0;
}

static void put_tried(struct output *o, const struct site *s)
{
    enum { MOST = 6 };
    output_text(o, "<p class=note>Only the line data is shown: ");
    if (!s->has_roots) {
        output_text(o, "no source directory was given.</p>\n");
        return;
    }
    output_text(o, "the source was not found. Tried:");
    for (size_t i = 0; i < s->paths.tried.len && i < MOST; i++) {
        output_text(o, i ? ", <code>" : " <code>");
        html_text(o, slice_of(s->paths.tried.at[i]));
        output_text(o, "</code>");
    }
    output_text(o, "</p>\n");
}

static void put_page(struct output *o, const struct site *s, const struct tree_row *row, const struct source_text *text)
{
    output_text(o, s->is_single ? "<p class=up><a href=\"#\">all files</a></p>\n<h1>" : "<p class=up><a href=\"../index.html\">all files</a></p>\n<h1>");
    html_text(o, row->path);
    output_text(o, "</h1>\n");
    put_sums(o, &row->counts);
    put_functions(o, s);
    if (!text->lines.len) put_tried(o, s);
    output_text(o, "<div class=tools></div>\n");
    put_lines(o, s, text);
}

int html_source(struct output *o, struct site *s, const struct tree_row *row, assay_error *err)
{
    struct source_text text = { 0 };
    int rc = coverage_view_file(&s->view, row->file, err);
    if (rc == 0) rc = load(s, row->file, &text, err);
    if (rc == 0) put_page(o, s, row, &text);
    if (text.mem) source_text_done(&text);
    return rc;
}

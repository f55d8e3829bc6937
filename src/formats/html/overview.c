/* The overview: the sums, and a table of folders and files. */
#include <stdio.h>

#include "base/cancel.h"
#include "base/plural.h"
#include "base/slice.h"
#include "formats/html/site.h"

/* What columns there are: those that any file has figures for. Lines always. */
static void head_cells(struct output *o, const assay_coverage_counts *t)
{
    output_text(o, "<th class=name data-key=name>File<th class=bar colspan=3 data-key=2>Lines");
    unsigned key = 4;
    if (t->functions) output_printf(o, "<th colspan=2 data-key=%u>Functions", key), key += 2;
    if (t->branches) output_printf(o, "<th colspan=2 data-key=%u>Branches", key), key += 2;
    if (t->conditions) output_printf(o, "<th colspan=2 data-key=%u>Conditions", key), key += 2;
    if (t->statements) output_printf(o, "<th colspan=2 data-key=%u>Statements", key);
}

static void count_cells(struct output *o, const assay_coverage_counts *t, const assay_coverage_counts *c)
{
    html_share(o, c->lines_hit, c->lines, true);
    if (t->functions) html_share(o, c->functions_hit, c->functions, false);
    if (t->branches) html_share(o, c->branches_hit, c->branches, false);
    if (t->conditions) html_share(o, c->conditions_hit, c->conditions, false);
    if (t->statements) html_share(o, c->statements_hit, c->statements, false);
}

static void put_row(struct output *o, const struct site *s, const struct tree_row *row)
{
    char page[HTML_NAME_MAX];
    output_printf(o, "<tr class=%s data-d=%u><td class=name style=\"--d:%u\">", row->file ? "file" : "dir", row->depth, row->depth);
    if (row->file) {
        html_page_name(page, row->path);
        output_printf(o, s->is_single ? "<a href=\"#%s\" title=\"" : "<a href=\"files/%s.html\" title=\"", page);
        html_text(o, row->path);
        output_text(o, "\">");
        html_text(o, row->name);
        output_text(o, "</a>");
    } else {
        output_text(o, "<span title=\"");
        html_text(o, row->path);
        output_text(o, "\">");
        html_text(o, row->name);
        output_text(o, "/</span>");
    }
    count_cells(o, &s->tree.total, &row->counts);
    output_text(o, "</td>\n");
}

static void put_origin(struct output *o, const struct site *s)
{
    uint64_t files = s->tree.total.files;
    output_printf(o, "<p class=origin>%llu file%s", (unsigned long long)files, plural(files));
    if (s->tree.prefix.len) {
        output_text(o, " in <code>");
        html_text(o, s->tree.prefix);
        output_text(o, "</code>");
    }
    output_printf(o, ", read from %s", assay_profile_format(s->profile));
    output_text(o, "</p>\n");
}

void html_overview(struct output *o, const struct site *s)
{
    output_text(o, "<main id=overview>\n<h1>");
    html_text(o, s->title);
    output_text(o, "</h1>\n");
    put_origin(o, s);
    output_text(o, "<div class=tools></div>\n<table id=tree>\n<thead>\n<tr>");
    head_cells(o, &s->tree.total);
    output_text(o, "\n<tr class=total><td class=name>Total");
    count_cells(o, &s->tree.total, &s->tree.total);
    output_text(o, "</td>\n</thead>\n<tbody>\n");
    for (size_t i = 0; i < s->tree.rows.len && !cancel_at(i); i++) put_row(o, s, &s->tree.rows.at[i]);
    output_text(o, "</tbody>\n</table>\n</main>\n");
}

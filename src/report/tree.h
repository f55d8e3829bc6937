/* `tree`: rows of a view as text, Markdown, CSV or JSON. */
#ifndef REPORT_TREE_H
#define REPORT_TREE_H

#include "analysis/streams/figures.h"
#include "analysis/views/views.h"
#include "report/report.h"

void report_tree_begin(struct report *r);
void report_tree(struct report *r, const char *path, const struct view *v);

/* `tree --by context,rank`: the rows of a view, and what each group of streams has in them. begin, one call for each group, end. */
struct report_tree_over {
    struct report *report;
    const char *path;
    const struct view *view;
    const struct stream_groups *groups;
};
void report_tree_over_begin(const struct report_tree_over *x);
stream_figures_fn report_tree_over_group; /* arg: a struct report_tree_over */
void report_tree_over_end(const struct report_tree_over *x);

/* ---- for the files of the report ---- */

extern const char *const tree_kinds[];
/* One row as JSON; and the beginning of the whole up to its rows. */
void tree_row_json(struct report *r, const struct view *v, size_t place);
void tree_begin_json(struct report *r, const char *path, const struct view *v);

/* What a row is called: a function's name, "loop at FILE:LINE", "FILE:LINE", "MODULE+0xOFFSET", "<entry>", a path. `is_short`: files and modules without their folders, unless full names are wanted. */
void tree_label(struct report *r, struct output *out, const struct view *v, const struct view_row *row, bool is_short);
/* Names of files and modules; {NULL, 0} for 0. */
assay_slice tree_file(const struct view *v, uint32_t file);
assay_slice tree_module(const struct view *v, uint32_t module);
assay_slice tree_base(assay_slice path);
/* self, self%, total, total% of the row at a place of the order; a self that nobody knows is "". */
/* Heads of what tree_cells, a cell of calls, and tree_averages fill. */
void tree_heads(struct report *r, const struct view *v, bool with_calls);
void tree_averages(const struct report *r, struct table *table, const struct view *v, size_t place);
void tree_cells(const struct report *r, struct table *table, const struct view *v, size_t place);
/* A cell of what `put` writes. */
void tree_label_cell(struct report *r, struct table *table, const struct view *v, const struct view_row *row);

/* One table for each file; with the shape of the tree in text, with its depth in Markdown. */
void tree_text(struct report *r, const char *path, const struct view *v);
void tree_markdown(struct report *r, const char *path, const struct view *v);

#endif

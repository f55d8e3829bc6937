/* The coverage site: an overview of folders and files and a page for each file, as static HTML that works without scripts. The same pieces
 * make a folder of pages or one file that holds all of them. The script only sorts, filters, folds and takes keys. */
#ifndef FORMATS_HTML_SITE_H
#define FORMATS_HTML_SITE_H

#include "analysis/coverage/tree.h"
#include "analysis/coverage/view.h"
#include "analysis/sources/text.h"
#include "base/output.h"
#include "formats/format.h"

/* The texts of style.css and app.js, made at build time. */
extern const char html_style[], html_script[];
extern const size_t html_style_len, html_script_len;

enum { HTML_NAME_MAX = 96 };

/* What html's own options ask for. */
struct html_options {
    const char *title; /* NULL = "Coverage" */
    bool single_file;
};
static inline const struct html_options *html_options(const struct write_job *job)
{
    static const struct html_options none;
    return job->own ? job->own : &none;
}

struct site {
    const assay_profile *profile;
    const struct write_job *job;
    struct coverage_tree tree;
    struct coverage_view view;
    struct source_paths paths;
    assay_slice title;
    bool has_roots; /* folders with sources were given */
    bool is_single; /* one file: pages are parts of it */
};

/* ---- pieces (parts.c) ---- */

/* Text between tags or in a quoted attribute: markup escaped, control characters and bytes that are not UTF-8 as U+FFFD. */
void html_text(struct output *o, assay_slice s);
/* The name of a file's page without ".html": readable, unique, the same whenever the path is. */
void html_page_name(char name[HTML_NAME_MAX], assay_slice path);
/* `page` is what the page is about; an inner one also names the site when it has a title of its own. */
void html_head(struct output *o, const struct site *s, assay_slice page, bool is_inner);
void html_tail(struct output *o, const struct site *s, bool is_inner);
/* Cells of one kind of count: bar (for lines), percent, "hit / all". */
void html_share(struct output *o, uint64_t hit, uint64_t all, bool has_bar);

/* ---- pages ---- */

/* The body of the overview (overview.c). */
void html_overview(struct output *o, const struct site *s);
/* The body of one file's page (source.c). Errors: MEMORY. */
int html_source(struct output *o, struct site *s, const struct tree_row *row, assay_error *err);

#endif

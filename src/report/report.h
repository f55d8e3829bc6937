/* Reports: analysis results as text, JSON, CSV or Markdown. No sums here: figures come from the library, this is only how they look.
 *
 * A report over several files is begun, gets one call for each file (its result, or why there is none), and is ended. Nothing is lost
 * when one file of many cannot be read. */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include "analysis/core/metric_text.h"
#include "assay/assay.h"
#include "base/arena.h"
#include "base/json.h"
#include "base/output.h"
#include "base/table.h"
#include "base/vec.h"

enum report_style { REPORT_TEXT, REPORT_JSON, REPORT_CSV, REPORT_MARKDOWN, REPORT_SARIF, REPORT_JUNIT /* the last two: see issues.h */ };

struct report {
    struct output *out; /* borrowed */
    struct mem *mem;    /* borrowed */
    enum report_style style;
    bool exact, color, verbose, full_names;
    bool per_call;  /* with averages for each call */
    bool raw;       /* CSV with the bytes as they are */
    bool is_short;  /* JSON: only the metrics that were asked for */
    bool all;       /* check: every finding, not one of each rule */
    unsigned width; /* of the terminal, 0 = none */
    bool has_limit; /* else each report has its own default */
    uint64_t limit; /* 0 = all */
    size_t file_count;

    /* the report's own */
    struct json json;
    struct table *table;
    struct issues *issues;
    size_t shown; /* files so far */
    size_t with_errors, unreadable;
    VEC(assay_error) failed;
    bool out_of_memory;
};

/* ---- one call for each verb and file ---- */

void report_info_begin(struct report *r);
struct stream_metrics;
/* `size` of the file, 0 = unknown. `stats`: over streams; NULL = not asked for. */
void report_info(struct report *r, const char *path, uint64_t size, const assay_profile *p, const struct stream_metrics *stats);

/* `info --brief`: init, one call for each file, and end, which prints the rows and frees them. `path` is borrowed until then. */
struct report_brief {
    struct report *report;
    struct arena text;
    VEC(struct info_brief_row) rows;
};
enum report_brief_sort { REPORT_BRIEF_AS_GIVEN, REPORT_BRIEF_TOTAL, REPORT_BRIEF_NAME };
void report_brief_init(struct report_brief *b, struct report *r);
void report_brief_add(struct report_brief *b, const char *path, const assay_profile *p);
void report_brief_end(struct report_brief *b, enum report_brief_sort sort);

/* The beginning of it as text: format, producer, size, metrics. */
void report_summary(struct report *r, const char *path, uint64_t size, const assay_profile *p);

void report_check_begin(struct report *r);
/* "ok", or "1 error, 2 warnings" */
void report_check_counts(struct report *r, const assay_check_result *result);
/* `result` or, when the file could not be looked at, `err`. */
void report_check(struct report *r, const char *path, const assay_check_result *result, const assay_error *err);

struct cycles;
struct report_stats;
struct top_columns;
struct top_groups;
struct top_lines;
/* What `top` shows: rows in `order`, with figures of the columns, or the calls. */
struct report_top {
    const assay_profile *profile;
    const assay_top *top;
    const uint32_t *order;
    uint32_t count; /* of `order` */
    enum assay_sort sort;
    bool by_calls;
    const struct top_columns *columns; /* one or more, unless by_calls */
    assay_wide calls;                  /* of all rows */
    /* What calls itself by way of others; NULL = not told. `functions`: the rows after so many are cycles, not functions. */
    const struct cycles *cycles;
    uint32_t functions;
    /* Rows are groups of functions, or lines; NULL = functions. `by`: "file" and the like, and several of them. */
    const struct top_groups *groups;
    const struct top_lines *lines;
    const char *by, *by_several;
    bool has_no_totals;               /* of rows of `profile` that have self costs only */
    const struct report_stats *stats; /* by row; NULL = not asked for */
    const char *sorted;               /* what rows are sorted by, where that is a statistic; NULL = `sort` */
};
void report_top_begin(struct report *r);
void report_top(struct report *r, const char *path, const struct report_top *t);
/* How many rows are shown at most. */
uint64_t report_top_limit(const struct report *r);

/* `top` on coverage: the same begin and end. */
struct report_coverage {
    const assay_coverage_table *table;
    enum assay_coverage_by by;
    enum assay_coverage_sort sort;
    double limits[3]; /* percent that a gate asks of lines (or statements), functions and branches; 0 = none */
};
void report_coverage(struct report *r, const char *path, const struct report_coverage *c);
/* How many of `count` rows such a report shows. */
uint32_t report_coverage_rows(const struct report *r, uint32_t count);

/* `callers`: for each input begin_input, its blocks one by one, end_input. */
struct callers;
struct callers_block;
struct report_callers {
    const struct callers *c;
    const char *path;      /* of the input */
    const char *function;  /* as it was asked for */
    uint64_t found, shown; /* matching functions; of them, those that are listed */
    bool no_callers, no_callees;
    bool has_cycles, has_recursion; /* what a footnote is due for, so far */
};
void report_callers_begin(struct report *r);
void report_callers_begin_input(struct report *r, const struct report_callers *s);
void report_callers_block(struct report *r, struct report_callers *s, const struct callers_block *b);
void report_callers_end_input(struct report *r, const struct report_callers *s);

/* `annotate`: for each input begin_input, the sources of it one by one, end_input. */
struct annotate;
struct metric_columns;
struct report_annotate {
    const struct annotate *a;
    const char *path;            /* of the input */
    const char *const *coverage; /* paths of the reports shown next to it */
    size_t coverage_count;
    uint32_t source;
    const struct metric_columns *columns; /* of lines; none where they have no cost */
    assay_value *values;                  /* room for a value of each metric of lines */
    uint32_t k, call_k;                   /* the metrics that lines are chosen by and that calls show, by their places in the blocks */
    bool with_calls;                      /* a line for each function that is called from a line */
    size_t shown, left_out;               /* sources of the input so far; that the limit left out */
    bool has_fold;                        /* lines with a smaller share than `least` are left out, `folded` of them so far */
    double least;
    size_t folded;
};
void report_annotate_begin(struct report *r);
void report_annotate_begin_input(struct report *r, const struct report_annotate *n);
void report_annotate_file(struct report *r, struct report_annotate *n);
void report_annotate_end_input(struct report *r, const struct report_annotate *n);

/* A file that could not be read; nothing is printed but in JSON. */
void report_failed(struct report *r, const char *path, const assay_error *err);
/* Prints what is left and frees; 0 or MEMORY. */
int report_end(struct report *r, assay_error *err);

/* ---- verbs without a list of files ---- */

/* All formats. */
void report_formats(struct report *r);
/* One of them, with its options; as text or JSON. */
void report_format(struct report *r, const struct assay_format_info *f);
/* What a conversion can lose, as far as the shapes that both formats hold tell. */
void report_format_losses(struct report *r, const struct assay_format_info *from, const struct assay_format_info *to);

/* ---- for the files of this folder ---- */

/* The names of ASSAY_SHAPE_* bits: in JSON as an array. */
void report_shapes_json(struct json *j, uint32_t shapes);
/* The same as text, separated by blanks; returns buf. */
const char *report_shapes_text(uint32_t shapes, char *buf, size_t len);
/* {"rule","severity","offset"|"line","message"} */
void report_finding_json(struct json *j, const assay_finding *f);
/* "rows_total" and "truncated", after the array of what is shown */
void report_rows_json(struct json *j, uint64_t total, uint64_t shown);
/* "losses": [{"kind","count","message"}] */
void report_losses_json(struct json *j, const assay_losses *losses);
/* "severity RULE: message (and N more)" */
void report_finding_text(struct report *r, const assay_finding *f);

/* A percentage: rounded for people, a plain number in CSV. `buf` has 48 bytes; returns buf. */
const char *report_percent(char *buf, const struct report *r, double part, double whole);
/* Share of what was hit, one decimal; "-" for 0 of 0. `buf` has 48 bytes; returns buf. */
const char *report_share(char *buf, uint64_t hit, uint64_t total);
void report_total_json(struct json *j, const assay_profile *p, uint32_t metric);
/* Of a profile that filters left: a line "filtered: focus=parse (12.3% of 4.5 s)", or the members "filtered" and "whole"; else nothing. Metric 0 =
 * no share is told. */
void report_filtered(struct report *r, const assay_profile *p, uint32_t metric);
void report_filtered_json(struct json *j, const assay_profile *p, uint32_t metric);
/* A string of the profile, "" when there is none. Terminated, but may hold anything. */
const char *report_text(const assay_profile *p, assay_str_id id);

void report_blanks(struct output *out, size_t n);
/* Writes s shown for a terminal and fills up to `width` columns. */
void report_padded(struct output *out, assay_slice s, unsigned width);
enum report_ink { REPORT_BOLD = 1, REPORT_RED = 31, REPORT_GREEN = 32, REPORT_YELLOW = 33 };
void report_ink(const struct report *r, enum report_ink ink);
void report_plain(const struct report *r);

/* Begins {"assay":1,"verb":...}. */
void report_json_begin(struct report *r, const char *verb);
/* The table that collects rows until report_end; NULL = no memory. */
struct table *report_table(struct report *r, const char *const *heads, const char *aligns);
enum table_style report_table_style(const struct report *r);
/* "12", terminated */
void report_cell_u64(struct table *t, uint64_t v);

struct arcs;
/* What somebody keeps of the input that is added next: its functions, and its calls with all metrics. Both must outlive the reporter. */
void report_lend(assay_reporter *r, const assay_top *top, const struct arcs *arcs);

#endif

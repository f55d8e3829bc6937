/* Timelines: streams over time in a terminal as tables and JSON, or as one SVG that needs nothing else. */
#ifndef REPORT_TIMELINE_H
#define REPORT_TIMELINE_H

#include "analysis/timeline/chart.h"
#include "report/function.h"
#include "report/report.h"

/* The texts of style.css and app.js, made at build time. */
extern const char timeline_style[], timeline_script[];
extern const size_t timeline_style_len, timeline_script_len;

/* What `timeline` shows of one file. */
struct report_timeline {
    const struct timeline *t;
    const struct timeline_totals *totals; /* a flame chart; NULL = one depth */
    const struct timeline_shares *shares; /* at that depth, NULL = a flame chart */
    const uint32_t *order;                /* of their rows */
    bool is_chosen;                       /* the depth is none that was asked for */
    unsigned width;                       /* columns of text, pixels of a picture; 0 = as it comes */
    size_t streams;                       /* most that a chart shows; 0 = as many as is sensible */
};

void report_timeline_begin(struct report *r);
void report_timeline(struct report *r, const char *path, const struct report_timeline *v);

/* The picture: the flame chart; or the depth of v->shares is seen first, others next to it are in it as far as its size allows. Errors: MEMORY. */
int timeline_svg(struct output *o, struct mem *mem, assay_slice title, const struct report_timeline *v, assay_error *err);

/* ---- for the files of this folder ---- */

/* A picture on its way out. */
struct timeline_drawing {
    struct output *o;
    struct mem *mem;
    const struct timeline *t;
    assay_slice title;
    bool is_chart;
    struct timeline_chart chart; /* what the picture was made of */
    VEC(uint64_t) calls;         /* of a chart, by run */
    struct timeline_picture picture;
    struct timeline_shares *shares; /* by layer */
    uint32_t seen;                  /* the layer that is seen first */
    bool *is_kept;                  /* by layer */
    unsigned width, left, plot;     /* pixels: of all, left of the rows, of the rows */
    unsigned pitch, bar;            /* of a row, of what is drawn in it */
    uint8_t *colour;                /* by key */
    uint32_t *function;             /* by key: its number in the data + 1 */
    uint32_t *context;              /* by node: its number in the data + 1 */
};
/* Fills in picture and shares of a flame chart. Errors: MEMORY. */
int timeline_draw_chart(struct timeline_drawing *d, const struct report_timeline *v, assay_error *err);
/* Its labels, lines between boxes and names, and labels by row; `top` is where its rows begin. */
void timeline_chart_labels(struct timeline_drawing *d, unsigned top);
void timeline_chart_edges(struct timeline_drawing *d);
void timeline_chart_names(struct timeline_drawing *d, unsigned top);
void timeline_chart_rows_json(struct timeline_drawing *d, struct json *j);
/* The runs of each layer that is kept, as paths. Errors: MEMORY. */
int timeline_put_layers(struct timeline_drawing *d, assay_error *err);
/* What the script needs besides: functions, contexts, labels, shares. Errors: MEMORY. */
int timeline_put_data(struct timeline_drawing *d, assay_error *err);
/* The legend of the layer that is seen first. */
void timeline_put_legend(struct timeline_drawing *d, unsigned y);
unsigned timeline_legend_height(const struct timeline_drawing *d, const struct timeline_shares *s);

/* Text on its way out: what stands for each function. */
struct timeline_text {
    struct report *r;
    const struct report_timeline *v;
    uint32_t *row_of; /* by key: its place in the order of time + 1 */
    uint8_t *colour;  /* by that place */
};
/* The letter of a frame that the legend explains, its colour of 256, and the columns that there are. */
char timeline_letter(const struct timeline_text *s, uint32_t frame);
unsigned timeline_ink(const struct timeline_text *s, uint32_t frame);
unsigned timeline_text_width(const struct timeline_text *s);
/* A line with marks of time below `columns` columns, which begin at column `left`. */
void timeline_text_axis(struct timeline_text *s, unsigned left, uint32_t columns);
/* The pictures of text. False = no memory. */
bool timeline_put_strips(struct timeline_text *s);
bool timeline_put_chart(struct timeline_text *s);
/* How many lines a chart of text or a picture shows. */
size_t timeline_streams_shown(const struct report_timeline *v);

/* JSON and CSV. */
void timeline_json(struct report *r, const char *path, const struct report_timeline *v);
void timeline_csv(struct report *r, const char *path, const struct report_timeline *v);
/* What both views say first: path, unit, times, counts. */
void timeline_json_head(struct json *j, const char *path, const struct report_timeline *v);
/* What both views say of a stream first. */
void timeline_json_line(struct json *j, const struct timeline_line *line);
/* The same of a flame chart. */
void timeline_chart_json(struct report *r, const char *path, const struct report_timeline *v);
void timeline_chart_csv(struct report *r, const char *path, const struct report_timeline *v);

uint32_t timeline_rows_shown(const struct report *r, const struct report_timeline *v);
/* Name and place of a function that is shown; `buf` has 48 bytes and may be used for the name. */
struct function_info timeline_function(const struct timeline *t, uint32_t key, char *buf);

/* Marks of an axis: multiples of `step`, counted from the first event. */
struct timeline_axis {
    uint64_t first, step;
    uint64_t scale; /* units of the timeline in the unit of the labels */
    unsigned decimals;
    const char *unit;
};
/* `room`: letters that fit on the axis. */
struct timeline_axis timeline_axis_of(const struct timeline *t, unsigned room);
/* "1.2 s"; returns its length. `buf` has 64 bytes. */
size_t timeline_mark(const struct timeline_axis *a, uint64_t at, char *buf);
/* Since the first event. */
static inline uint64_t timeline_since(const struct timeline *t, int64_t time) { return (uint64_t)time - (uint64_t)t->begin; }

/* A number below TIMELINE_COLOURS for each of the functions, by name: the first eight have those that anybody can tell apart, others the rest. So the same
 * function mostly has the same colour in every picture. */
enum { TIMELINE_COLOURS = 24 };
void timeline_colours(const struct timeline *t, const uint32_t *keys, size_t count, uint8_t *out);

#endif

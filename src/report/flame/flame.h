/* Flame graphs: calling contexts as boxes whose width is their cost. One SVG that needs nothing else, or bars in a terminal; of one profile, or of the
 * difference between two. */
#ifndef REPORT_FLAME_H
#define REPORT_FLAME_H

#include "analysis/diff/paths.h"
#include "report/report.h"

/* The texts of style.css and app.js, made at build time. */
extern const char flame_style[], flame_script[];
extern const size_t flame_style_len, flame_script_len;

struct flame {
    const struct paths *paths;
    const struct paths_diff *diff; /* NULL = one profile; else `paths` is its `shown` */
    assay_slice title;
    const char *note; /* what must be known of the figures; "" = nothing */
    const char *metric, *unit;
    double least;      /* boxes of a smaller share of the whole are left out: 0 to 1 */
    unsigned width;    /* pixels, or columns of the terminal */
    bool is_fluid;     /* as wide as the window that shows it; `width` where nothing can be asked */
    uint32_t depth;    /* deepest row that is shown; 0 = all */
    bool is_icicle;    /* roots on top */
    bool exact, color; /* text */
};

void flame_svg(struct output *o, const struct flame *f);
void flame_text(struct output *o, const struct flame *f);

/* ---- for the files of this folder ---- */

assay_slice flame_name(const struct flame *f, uint32_t row);
/* What the width of a box stands for. */
double flame_total(const struct flame *f, uint32_t row);

/* Calls fn for each row that has its share, parents first, siblings from the largest on: where it begins and how wide it is, as shares of the whole. With
 * `both`, a row of a difference is shown when it has its share on either side. false = no memory. */
typedef void (*flame_row_fn)(void *arg, uint32_t row, double from, double share);
bool flame_walk(const struct flame *f, bool both, flame_row_fn fn, void *arg);

/* "+1.2 ms", "-3", "0". buf has 48 bytes; returns buf. */
const char *flame_change(char *buf, const struct flame *f, double change);
/* How much more that is: "+12.3%"; "new", "gone" or "" where nothing was before, after, or ever. buf has 48 bytes; returns buf. */
const char *flame_growth(char *buf, double before, double after);

#endif

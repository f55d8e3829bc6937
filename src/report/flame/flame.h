/* Flame graphs: calling contexts as boxes whose width is their cost. One SVG that needs nothing else, or bars in a terminal. */
#ifndef REPORT_FLAME_H
#define REPORT_FLAME_H

#include "analysis/paths.h"
#include "report/report.h"

/* The texts of style.css and app.js, made at build time. */
extern const char flame_style[], flame_script[];
extern const size_t flame_style_len, flame_script_len;

struct flame {
    const struct paths *paths;
    assay_slice title;
    const char *metric, *unit;
    double least;      /* boxes of a smaller share of the whole are left out: 0 to 1 */
    unsigned width;    /* pixels, or columns of the terminal */
    uint32_t depth;    /* deepest row that is shown; 0 = all */
    bool is_icicle;    /* roots on top */
    bool exact, color; /* text */
};

void flame_svg(struct output *o, const struct flame *f);
void flame_text(struct output *o, const struct flame *f);

#endif

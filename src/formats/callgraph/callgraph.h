/* Pictures of call graphs as texts for other programs: what the formats dot and mermaid share. */
#ifndef FORMATS_CALLGRAPH_CALLGRAPH_H
#define FORMATS_CALLGRAPH_CALLGRAPH_H

#include "analysis/core/picture.h"
#include "formats/callgraph/functions.h"

enum { PICTURE_STEPS = 6, PICTURE_NAME = 60 };

/* Fill, line and text of a box by how much of the whole it costs: one hue from light to dark, so that lightness alone shows it. Text on its fill has a contrast
 * of 4.5 to 1 and more. */
struct picture_ink {
    const char *fill, *line, *text;
};
extern const struct picture_ink picture_inks[PICTURE_STEPS];
unsigned picture_step(double share);

/* Grey that can be read on white and on black. */
#define PICTURE_GREY "#767676"

/* Writes text so that it stands for itself in the language of the picture; what is no printable UTF-8 as \xNN. */
typedef void (*picture_escape_fn)(struct output *out, assay_slice s);
/* The text as it is shown, cut in its middle to `most` bytes (0 = whole), through `escape`. */
void picture_put(struct output *out, const struct picture *x, assay_slice s, size_t most, picture_escape_fn escape);

/* "27.8 K (80.12%)" into buf, of 112 bytes. */
void picture_figure(char *buf, const struct picture *x, assay_value v);
/* "600 calls" or "" where there are none or nobody knows; buf has 64 bytes. */
void picture_calls(char *buf, const struct picture *x, uint64_t calls);
/* What the picture is of, and what it leaves out; buf has 400 bytes. */
void picture_caption(char *buf, const struct picture *x);
/* The place and whole name of a node: "name  file:line [module]". */
void picture_place(struct output *out, const struct picture *x, const struct picture_node *n);
/* "cycle 2: 3 functions, self ..., total ..., 5 calls"; buf has 400 bytes. */
void picture_cycle(char *buf, const struct picture *x, uint32_t cycle);

/* The options of such a format. */
struct picture_settings {
    double least; /* percent */
    bool has_least, cycles;
};
extern const struct option_spec picture_options_table[];
#define PICTURE_WRITING                                                                                                                                        \
    {                                                                                                                                                          \
        picture_options_table, sizeof(struct picture_settings)                                                                                                 \
    }

typedef void (*picture_write_fn)(struct output *out, const struct picture *x);
/* Draws the metric that the options of the job name, with the limits of `o`, or names the losses where `out` is NULL. */
int picture_write(const assay_profile *p, const struct write_job *job, struct picture_options o, picture_write_fn put, struct output *out, assay_error *err);
/* Sums and calls: what a picture is made of. */
uint32_t picture_wants(const struct assay_write_options *options, const char *version);

enum { PICTURE_FEATURES = ASSAY_HAS_64_BITS | ASSAY_HAS_NEGATIVE | ASSAY_HAS_FRACTIONS };

#endif

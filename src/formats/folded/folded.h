/* Folded stacks: decoder, the tree that lines add up to, and what the files of this folder give to the table in format.c. */
#ifndef FOLDED_H
#define FOLDED_H

#include "base/intern.h"
#include "base/kids.h"
#include "base/lines.h"
#include "formats/format.h"

enum folded_kind { FOLDED_END, FOLDED_SAMPLE, FOLDED_COMMENT, FOLDED_OTHER /* blank, or without a count */ };

struct folded_number {
    uint64_t whole; /* at most INT64_MAX */
    double part;    /* what stands behind the point */
};

struct folded_record {
    enum folded_kind kind;
    uint64_t off, number;
    assay_slice text;           /* the line */
    assay_slice stack;          /* what stands before the count: frames, root first, with ';' between them */
    struct folded_number count; /* the last number */
    bool has_second;            /* the stack ends with a number of its own: of a difference, or of a name */
};

struct folded_decoder {
    struct lines lines;
    struct findings *damage;
    assay_error *err;
    uint64_t samples, ignored, comments;
};

void folded_decoder_init(struct folded_decoder *d, struct input *in, struct mem *mem, struct findings *damage, assay_error *err);
void folded_decoder_done(struct folded_decoder *d);
/* The next line; FOLDED_END once there is none. Damage goes to the findings. Errors: those of lines_next. */
int folded_next(struct folded_decoder *d, struct folded_record *r);
/* Takes blanks and a number off the end of *text; false = it does not end so. *is_large: the number did not fit. */
bool folded_cut_number(assay_slice *text, struct folded_number *out, bool *is_large);

/* ---- lines added up ---- */

struct folded_node {
    uint32_t parent, name;
    struct folded_number count; /* of the stacks that end here */
    uint64_t lines;             /* that end here */
};
struct folded_stack {
    assay_slice text;
    uint32_t node;
};
struct folded_tree {
    struct mem *mem;
    struct intern names;
    struct kids kids;              /* the nodes by parent and name */
    VEC(struct folded_node) nodes; /* from 1 */
    bool is_saturated, has_part;
    uint64_t stacks; /* nodes that lines end at */

    struct index seen; /* stacks by their text: lines that come again are looked up as a whole, not frame by frame */
    VEC(struct folded_stack) seen_stacks;
    struct arena text;
    size_t text_len;

    /* the line before that was taken apart: what its beginning shares with the next is not looked up again */
    VEC(char) last;
    VEC(uint32_t) path; /* its nodes */
    VEC(size_t) ends;   /* where each frame ends in it */
};
void folded_tree_init(struct folded_tree *t, struct mem *mem);
void folded_tree_done(struct folded_tree *t);
/* The child of `parent` with this name, made when it is not there; 0 = no memory. */
uint32_t folded_tree_child(struct folded_tree *t, uint32_t parent, assay_slice name);
/* false = no memory */
bool folded_tree_add(struct folded_tree *t, assay_slice stack, struct folded_number count);
void folded_number_add(struct folded_tree *t, struct folded_number *to, struct folded_number more);

int folded_read(const struct read_job *job, assay_builder *b, assay_error *err);
int folded_check(const struct read_job *job, struct findings *out, assay_error *err);
int folded_dump(const struct read_job *job, struct output *out, assay_error *err);
int folded_write(const assay_profile *p, const struct write_job *job, struct output *out, assay_error *err);

#endif

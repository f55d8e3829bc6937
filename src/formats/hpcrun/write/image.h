/* A whole profile in memory, as records: what rewriting and writing have in common. It is loaded from the decoder or made from the model, turned
 * into the layout of the target (to_sparse.c, to_literal.c), and encoded (encode.c). Texts, logical addresses and spans are borrowed: from
 * the bytes of the file or from the model; what is made up on the way is in `text`. */
#ifndef FORMATS_HPCRUN_WRITE_IMAGE_H
#define FORMATS_HPCRUN_WRITE_IMAGE_H

#include "base/arena.h"
#include "base/vec.h"
#include "formats/format.h"
#include "formats/hpcrun/decode.h"

enum image_layout {
    IMAGE_LITERAL, /* nodes have addresses of the running program: 02.00l, 02.00l-2009 */
    IMAGE_BY_ID,   /* nodes have a load map id and an offset: 02.00b, 03.00b */
    IMAGE_SPARSE   /* the same, without epochs: 04.00 */
};

struct image_pair {
    assay_slice name, value;
};

struct image_metric {
    assay_slice name, description, formula, format;
    uint64_t period;
    uint64_t literal_flags;  /* 02.00l */
    unsigned char flags[16]; /* the bytes of 02.00b and later */
    bool has_bytes;          /* `flags` is as stored */
    bool is_real;
    bool is_signed; /* of the model: becomes real when a value is negative */
    uint16_t is_frequency, is_multiplexed;
    uint64_t threshold_mean, samples;
};

struct image_module {
    assay_slice name;
    uint16_t id; /* IMAGE_LITERAL: 0 */
    uint64_t flags;
    uint64_t address, offset; /* IMAGE_LITERAL: load_addr, load_offset */
};

struct image_node {
    uint32_t id;     /* identity, never negative */
    uint32_t parent; /* 0 = none */
    bool is_leaf_id; /* stored as a negative number */
    uint8_t flags;
    uint16_t module;
    uint32_t assoc;
    uint64_t ip;
    const unsigned char *lip; /* lip_words words; NULL = none */
};

struct image_value {
    uint64_t bits;
    uint32_t metric;
};

/* Values of a node: from `begin` up to `end` of the epoch's list. */
struct image_range {
    uint32_t node; /* id */
    uint64_t begin, end;
};

struct image_kind {
    uint16_t kind;
    assay_slice name;
};

struct image_epoch {
    uint64_t flags, granularity;
    uint32_t ra_distance;
    bool is_lush;
    uint32_t lip_words;
    VEC(struct image_pair) pairs;
    VEC(struct image_metric) metrics;
    VEC(struct image_module) modules;
    VEC(struct image_node) nodes;
    VEC(struct image_value) values;
    VEC(struct image_range) ranges; /* in the order in which they are written */
};

struct hpcrun_image {
    struct mem *mem;
    struct arena text;
    enum image_layout layout;
    enum hpcrun_variant variant; /* of the file it came from */
    bool is_big_endian;          /* of the logical addresses */
    VEC(struct image_pair) pairs;
    VEC(struct image_epoch) epochs; /* IMAGE_SPARSE: one */
    VEC(struct image_kind) kinds;   /* IMAGE_SPARSE */
    VEC(struct hpcrun_tuple) tuple; /* IMAGE_SPARSE */
    uint64_t damaged;               /* places of the file that are left out or mended */
};

void hpcrun_image_init(struct hpcrun_image *m, struct mem *mem);
void hpcrun_image_done(struct hpcrun_image *m);
void hpcrun_epoch_done(struct mem *mem, struct image_epoch *e);
/* All records of a file. What is damaged is mended as reading takes it: nodes whose parent does not come before them become roots, ids that come twice get new
 * ones, values of nobody are left out. Errors: MEMORY, and what cannot be read at all. */
int hpcrun_image_load(struct hpcrun_image *m, assay_slice bytes, assay_error *err);

/* The value of the first pair of that name, {NULL, 0} = none. */
assay_slice hpcrun_image_pair(const struct hpcrun_image *m, const char *name);

/* Turn it into 04.00, or into 02.00l; nothing happens to one that has the layout already, but that 02.00l-2009 becomes 02.00l. What the target has no
 * room for is named in `losses`. */
int hpcrun_to_sparse(struct hpcrun_image *m, struct losses *losses, assay_error *err);
int hpcrun_to_literal(struct hpcrun_image *m, struct losses *losses, assay_error *err);
/* Dictionary and id tuple as 04.00 wants them, from the pairs of the header. */
int hpcrun_image_identify(struct hpcrun_image *m, assay_error *err);

#endif

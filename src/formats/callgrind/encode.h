/* Records -> callgrind text: names with numbers, positions as distances, costs. What a line means is the caller's; how it looks is here. */
#ifndef CALLGRIND_ENCODE_H
#define CALLGRIND_ENCODE_H

#include "base/output.h"
#include "base/vec.h"
#include "formats/callgrind/decode.h"

/* The number that a name has in the part: 0 = none yet. */
struct cg_number {
    uint32_t part, number;
};

/* What callgrind's own options ask for. */
struct cg_options {
    bool no_ids, no_relative; /* write names and positions in full */
};

struct cg_encoder {
    struct output *out;
    struct mem *mem;
    bool no_ids, no_relative; /* write names and positions in full */
    bool has_address, has_line;
    struct cg_position base;
    uint32_t part, last[3];
    struct {
        struct cg_number *at;
        size_t len, cap;
    } numbers[3]; /* objects, files, functions; by the caller's key of a name */
    bool failed;  /* no memory */
};

/* `options` may be NULL. */
void cg_encoder_init(struct cg_encoder *e, struct output *out, struct mem *mem, const struct cg_options *options);
void cg_encoder_done(struct cg_encoder *e);
/* A part begins: numbers and positions start anew. */
void cg_encode_part(struct cg_encoder *e);
/* A name line; key 0 or an empty name says that there is none. Equal keys must have equal names. */
void cg_encode_name(struct cg_encoder *e, enum cg_spec spec, uint32_t key, assay_slice name);
/* The position that opens a cost line; it becomes the base of the next. */
void cg_encode_position(struct cg_encoder *e, struct cg_position at);
void cg_encode_calls(struct cg_encoder *e, uint64_t calls, struct cg_position target);
void cg_encode_jump(struct cg_encoder *e, uint64_t executed, uint64_t followed, bool conditional, struct cg_position target);
/* The rest of a cost line; zeros at the end are left out. */
void cg_encode_costs(struct cg_encoder *e, const int64_t *costs, uint32_t count);

#endif

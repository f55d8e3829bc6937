/* pprof's profile.proto: bytes -> records, a record for each field of the outermost message, in the order of the file. docs/formats/pprof.md has the layout. */
#ifndef FORMATS_PPROF_DECODE_H
#define FORMATS_PPROF_DECODE_H

#include "base/findings.h"
#include "base/proto.h"
#include "formats/format.h"

/* Fields of Profile, by number. */
enum pprof_field {
    PPROF_END = 0,
    PPROF_SAMPLE_TYPE = 1,
    PPROF_SAMPLE = 2,
    PPROF_MAPPING = 3,
    PPROF_LOCATION = 4,
    PPROF_FUNCTION = 5,
    PPROF_STRING = 6,
    PPROF_DROP_FRAMES = 7,
    PPROF_KEEP_FRAMES = 8,
    PPROF_TIME_NANOS = 9,
    PPROF_DURATION_NANOS = 10,
    PPROF_PERIOD_TYPE = 11,
    PPROF_PERIOD = 12,
    PPROF_COMMENT = 13,
    PPROF_DEFAULT_SAMPLE_TYPE = 14,
    PPROF_DOC_URL = 15,
    PPROF_FIELDS = 16
};

struct pprof_value_type {
    uint64_t type, unit; /* strings by number, as everywhere below */
};
struct pprof_label {
    uint64_t key, str;
    int64_t num;
    uint64_t num_unit;
};
struct pprof_line {
    uint64_t function;
    int64_t line, column;
};
struct pprof_sample {
    assay_slice stack; /* location ids as varints, the leaf first; see pprof_stack_next */
    const int64_t *values;
    const struct pprof_label *labels;
    uint32_t value_count, label_count;
};
struct pprof_mapping {
    uint64_t id, start, limit, offset, filename, build_id;
    uint8_t flags; /* bits: has_functions, has_filenames, has_line_numbers, has_inline_frames */
};
struct pprof_location {
    uint64_t id, mapping, address;
    const struct pprof_line *lines; /* the innermost first */
    uint32_t line_count;
    bool is_folded;
};
struct pprof_function {
    uint64_t id, name, system_name, filename;
    int64_t start_line;
};

struct pprof_record {
    uint32_t field;   /* enum pprof_field; others are unknown ones */
    uint64_t off;     /* of its key */
    uint64_t number;  /* of a scalar, or string by number */
    assay_slice text; /* of PPROF_STRING; of an unknown field its bytes */
    const int64_t *comments;
    uint32_t comment_count;
    struct pprof_value_type type;
    struct pprof_sample sample;
    struct pprof_mapping mapping;
    struct pprof_location location;
    struct pprof_function function;
};

/* What pprof_next gives: all; all, but samples only counted; samples alone, when the rest has been given before. */
enum pprof_part { PPROF_ALL, PPROF_TABLES, PPROF_SAMPLES };

struct pprof_decoder {
    struct mem *mem;
    struct cursor at;
    struct findings *damage;
    assay_error *err;
    uint32_t times; /* how often time_nanos came */
    uint64_t steps;
    enum pprof_part part;
    bool skips_labels; /* samples are given without them */
    bool has_labels;   /* a sample had some */
    VEC(int64_t) values;
    VEC(struct pprof_label) labels;
    VEC(struct pprof_line) lines;
    VEC(unsigned char) stack; /* of a sample whose locations are not in one piece */
};

/* Takes the bytes of the input, which lends them to the records. A compressed input that is damaged gives what could be unpacked, and a finding (Z-1, Z-2).
 * Errors: those of input_map that leave nothing to look at. */
int pprof_open(struct pprof_decoder *d, const struct read_job *job, struct findings *damage, assay_error *err);
void pprof_done(struct pprof_decoder *d);
/* Back to the first byte. */
void pprof_rewind(struct pprof_decoder *d, enum pprof_part part);
/* The next record; PPROF_END at the end. Messages that are damaged inside are findings (PP02), and are left out. What r points to lasts until the next call; a
 * stack that is one piece in the file as long as the input. Errors: MEMORY, CANCELLED. */
int pprof_next(struct pprof_decoder *d, struct pprof_record *r);
/* The next location of a stack; false = the end, or damage where bytes are left. */
static inline bool pprof_stack_next(struct cursor *stack, uint64_t *id) { return proto_varint(stack, id); }
/* "sample_type", ...; NULL = unknown. */
const char *pprof_field_name(uint32_t field);

int pprof_read(const struct read_job *job, assay_builder *b, assay_error *err);
int pprof_check(const struct read_job *job, struct findings *out, assay_error *err);
int pprof_dump(const struct read_job *job, struct output *out, assay_error *err);
int pprof_write(const assay_profile *p, const struct write_job *job, struct output *out, assay_error *err);

#endif

/* assay's own JSON: objects -> rows, as they come. The only parser of this format. What has a number (a file, a context, ...) is announced when its object
 * begins and given when it ends, behind the rows in it. */
#ifndef FORMATS_ASSAY_JSON_DECODE_H
#define FORMATS_ASSAY_JSON_DECODE_H

#include "base/intern.h"
#include "base/vec.h"
#include "formats/assay-json/fields.h"

/* Cells are numbers as in the document, and strings of the decoder; what refers to something that is not there is 0. `values` last until the call returns. */
struct assay_json_record {
    unsigned kind;
    uint64_t off, line;
    uint32_t number; /* of the row in its list, from 1, where rows have numbers */
    uint32_t owner;  /* number of the file or function in which it stands, or its stream; 0 = none */
    union schema_cell cells[ASSAY_JSON_MEMBERS];
    char text[48]; /* of a number whose type depends on others: the total of a metric, the value of a context; "" = none */
    bool is_good;  /* has all that it needs; only rows with numbers are given without */
};

/* A number that was not there yet when a row referred to it. */
struct assay_json_later {
    uint64_t off, line, row;
    uint32_t to;
    uint8_t kind, cell;
};

struct assay_json_decoder {
    /* `begin` (may be NULL): a row with a number begins. */
    int (*begin)(void *arg, unsigned kind);
    int (*take)(void *arg, const struct assay_json_record *r);
    /* The metrics of the values of a shape, the properties; may be NULL. */
    int (*block)(void *arg, unsigned shape, const assay_metric_id *metrics, uint32_t count);
    void *arg;
    struct findings *damage;
    assay_error *err;

    struct coverage_json j;
    struct mem *mem;
    struct intern names; /* strings of rows; lasts until assay_json_done */
    uint32_t producer;
    uint32_t properties;               /* bits */
    uint64_t counts[ASSAY_JSON_KINDS]; /* rows so far; of those with numbers also the ones that could not be read */
    VEC(uint8_t) metric_types;         /* by number of the metric, from 1 */
    VEC(uint8_t) scope_types, stat_types;
    VEC(assay_metric_id) blocks[ASSAY_JSON_BLOCKS];
    bool has_block[ASSAY_JSON_BLOCKS];
    VEC(assay_value) values; /* of the columns of one row */
    VEC(struct assay_json_later) later;
};

int assay_json_decode(struct assay_json_decoder *d, const struct read_job *job, assay_error *err);
void assay_json_done(struct assay_json_decoder *d);
/* At the end: what was referred to before it was there. AJ-2 when it still is not; else `put` (may be NULL) gets it. */
int assay_json_settle(struct assay_json_decoder *d, void (*put)(void *arg, const struct assay_json_later *l));
/* The type of the number in `text` of a row; its value. */
assay_value assay_json_value(const struct assay_json_decoder *d, const struct assay_json_record *r);

int assay_json_read(const struct read_job *job, assay_builder *b, assay_error *err);
int assay_json_check(const struct read_job *job, struct findings *out, assay_error *err);
int assay_json_dump(const struct read_job *job, struct output *out, assay_error *err);
int assay_json_write(const assay_profile *p, const struct write_job *job, struct output *out, assay_error *err);

#endif

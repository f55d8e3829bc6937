/* assay's own coverage JSON: objects -> rows, as they come. The only parser of this format. A file or function is given when its object ends,
 * behind the rows in it, which know its number. */
#ifndef FORMATS_ASSAY_JSON_DECODE_H
#define FORMATS_ASSAY_JSON_DECODE_H

#include "base/intern.h"
#include "formats/assay-json/fields.h"

struct assay_json_record {
    enum assay_json_kind kind;
    uint64_t off, number;
    uint32_t owner; /* number of the file or function whose row it is; of a file or function its own; 0 = none */
    union assay_json_row row;
};
struct assay_json_decoder;
typedef int (*assay_json_fn)(void *arg, const struct assay_json_record *r);

struct assay_json_decoder {
    assay_json_fn take;
    void *arg;
    struct findings *damage;
    assay_error *err;
    struct coverage_json j;
    struct intern names; /* strings of rows; lasts until assay_json_done */
    uint32_t producer;
    uint32_t files, functions; /* so far */
};

int assay_json_decode(struct assay_json_decoder *d, const struct read_job *job, assay_error *err);
void assay_json_done(struct assay_json_decoder *d);

int assay_json_read(const struct read_job *job, assay_builder *b, assay_error *err);
int assay_json_check(const struct read_job *job, struct findings *out, assay_error *err);
int assay_json_dump(const struct read_job *job, struct output *out, assay_error *err);
int assay_json_write(const assay_profile *p, const struct write_job *job, struct output *out, assay_error *err);

#endif

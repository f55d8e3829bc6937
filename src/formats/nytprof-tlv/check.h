/* The judge: what is wrong with the records of a stream, one after the other. Checking is nothing else; reading and rewriting ask it too,
 * so that all of them say the same and strict reading stops at the first error. */
#ifndef FORMATS_NYTPROF_TLV_CHECK_H
#define FORMATS_NYTPROF_TLV_CHECK_H

#include "base/findings.h"
#include "base/intern.h"
#include "formats/nytprof-tlv/format.h"
#include "formats/nytprof-tlv/tables.h"

struct tlv_judge {
    struct findings *out; /* borrowed */
    struct intern keys;   /* of the banner, with their mark */
    struct tlv_ids files, subs;
    struct tlv_pairs lines, calls;
    /* rows in `files` and `subs` of what the record judged last names: COST, EVENT, FILE: file; SUB: sub and file; CALL: caller and
     * sub; SITE: file and sub */
    uint32_t file, sub, caller;
};

void tlv_judge_init(struct tlv_judge *j, struct mem *mem, struct findings *out);
void tlv_judge_done(struct tlv_judge *j);
/* Adds what is wrong with a record. Errors: MEMORY. */
int tlv_judge_record(struct tlv_judge *j, const struct tlv_record *r, assay_error *err);
/* After the last one: numbers that nothing defines, and a compressed input that is damaged. Errors: MEMORY. */
int tlv_judge_end(struct tlv_judge *j, const struct tlv_source *source, assay_error *err);
/* Every record, and the end. Errors: MEMORY. */
int tlv_judge_all(struct tlv_judge *j, const struct tlv_source *source, assay_error *err);
/* The first finding of severity error as an error; 0 = there is none. */
int tlv_judge_refuse(const struct tlv_judge *j, assay_error *err);

#endif

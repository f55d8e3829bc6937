/* What decode.c and decode_lines.c share; for nobody else. */
#ifndef FORMATS_COV_DECODE_H
#define FORMATS_COV_DECODE_H

#include "base/cursor.h"
#include "formats/cov/magic.h"

enum { COV_EXT_ENTRY = 28 };
#define COV_NULL_FLAG 0x80000000u

struct cov_decoder {
    struct cov_object *o;
    assay_slice bytes, strings;
    struct arena *arena;
    struct findings *findings;
    uint32_t origin; /* the unit that offsets count from */
    uint64_t entries_at;
    size_t entry_count; /* that are complete */
};

uint32_t cov_u32(const struct cov_decoder *d, uint64_t off);
void cov_note(struct cov_decoder *d, const char *rule, int severity, uint64_t off, const char *text);
int cov_decode_lines(struct cov_decoder *d, assay_error *err);

#endif

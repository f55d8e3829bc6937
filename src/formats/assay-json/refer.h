/* Which files, functions and modules a record refers to by number. */
#ifndef FORMATS_ASSAY_JSON_REFER_H
#define FORMATS_ASSAY_JSON_REFER_H

#include "formats/assay-json/decode.h"

struct assay_json_reference {
    enum assay_json_kind kind; /* of what is referred to */
    uint32_t to;               /* 0 = none */
    uint64_t off, number;
};
enum { ASSAY_JSON_REFERENCES = 2 };

unsigned assay_json_refer(const struct assay_json_record *r, struct assay_json_reference *out);
/* AJ-2 when there is no such thing. */
bool assay_json_refer_check(const struct assay_json_reference *r, uint32_t modules, uint32_t files, uint32_t functions, struct findings *out);
/* Would the field not be written? */
bool assay_json_is_zero(const struct assay_json_field *f, const union assay_json_row *row);

#endif

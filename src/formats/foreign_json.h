/* JSON of other programs that is known but not read, and JSON that nobody could read. */
#ifndef FORMATS_FOREIGN_JSON_H
#define FORMATS_FOREIGN_JSON_H

#include "formats/format.h"

/* For an input that no format claims: an error that says what it is and what to do, or 0 = not known here either.
 * Errors: UNKNOWN; LIMIT for JSON that is nested deeper than any format. */
int foreign_json_refuse(const struct probe *p, assay_error *err);

#endif

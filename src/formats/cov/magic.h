/* The magics of the objects, and what each kind looks like: docs/formats/cov.md, "Objects". */
#ifndef FORMATS_COV_MAGIC_H
#define FORMATS_COV_MAGIC_H

#include "formats/cov/object.h"

enum { COV_FILE_HEADER = 8, COV_LINES_HEADER = 12, COV_UNIT = 4 };
#define COV_VERSION_1_0 0x10000u

struct cov_magic {
    char text[5];
    bool in_cov, in_spec;
    enum cov_kind cov, spec; /* what it is in each dialect; COV_NONE = nothing */
};

/* Sizes in units of 4 bytes: the header with magic and version, and the smallest entry. */
struct cov_shape {
    uint32_t header, entry;
};
extern const struct cov_shape cov_shapes[]; /* by kind */

/* The entry of the first four bytes, either byte order; NULL = no magic. */
const struct cov_magic *cov_magic_find(assay_slice bytes);
/* true = the bytes are reversed: a big-endian machine wrote them. */
bool cov_magic_is_reversed(assay_slice bytes);
const char *cov_magic_of(enum cov_kind kind, enum cov_dialect dialect);

/* Which dialect the unpacked bytes are in: the rules of docs/formats/cov.md, "Two dialects". */
enum cov_dialect cov_dialect_of(assay_slice bytes, enum cov_framing framing);
enum cov_framing cov_framing_of(assay_slice raw);

#endif

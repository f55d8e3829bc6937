/* Structure files of HPCToolkit: the parser is src/symbols/structure.h, which measurement directories use too. */
#ifndef FORMATS_HPCSTRUCT_HPCSTRUCT_H
#define FORMATS_HPCSTRUCT_HPCSTRUCT_H

#include "formats/format.h"

int hpcstruct_read(const struct read_job *job, assay_builder *b, assay_error *err);
int hpcstruct_check(const struct read_job *job, struct findings *out, assay_error *err);
int hpcstruct_dump(const struct read_job *job, struct output *out, assay_error *err);

#endif

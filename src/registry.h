/* The one list of formats: the build makes it of the entries in src/formats (sources.py). */
#ifndef REGISTRY_H
#define REGISTRY_H

#include "formats/format.h"

/* By name, ends with NULL. */
extern const struct format *const registry_formats[];
extern const size_t registry_format_count;

const struct format *registry_find(assay_slice name);
/* The format of an opened input: by options->format, else by content. Errors: as assay_probe. */
int registry_recognise(struct input *in, const struct assay_read_options *options, const struct format **out, int *score, const char **why, assay_error *err);

#endif

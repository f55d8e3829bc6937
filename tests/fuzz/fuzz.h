/* What every fuzz target calls. A target of a format is ten lines: LLVMFuzzerTestOneInput with fuzz_format in it. */
#ifndef FUZZ_FUZZ_H
#define FUZZ_FUZZ_H

#include "registry.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

/* Probe, read with every want, check, dump, rewrite, and write what was read to every format: in at most 64 MB. Returns 0. */
int fuzz_format(const struct format *f, const uint8_t *data, size_t len);

#endif

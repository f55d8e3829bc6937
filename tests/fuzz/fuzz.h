/* What every fuzz target calls. A target of a format is ten lines: LLVMFuzzerTestOneInput with fuzz_format in it. */
#ifndef FUZZ_FUZZ_H
#define FUZZ_FUZZ_H

#include "registry.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

/* Probe, read with every want, check, dump, rewrite, and what was read through the analyses and to other formats: in at most 64 MB. The fuzzer does a
 * few of the last for each input, chosen by its bytes; replaying does all of them. Returns 0. */
int fuzz_format(const struct format *f, const uint8_t *data, size_t len);

/* The same for a directory that was made of the bytes. `also`: 0 or RUN_AGREE of harness.h. */
int fuzz_path(const char *path, uint32_t also, const uint8_t *data, size_t len);

/* The same for a format whose input is a folder: `data` has a length of four bytes (least significant first) for each of the names (ends with NULL),
 * then their contents. A length past the end takes what is left; a file of length 0 is not made. Names may have one folder in front. */
int fuzz_folder(const char *const *names, const uint8_t *data, size_t len);

#endif

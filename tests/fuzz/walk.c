/* libFuzzer target: everything that can be done with a file of the format FUZZ_NAME (see fuzz.h). One program for each format. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len) { return fuzz_format(registry_find(slice_of(FUZZ_NAME)), data, len); }

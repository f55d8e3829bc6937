/* libFuzzer target: cov. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len) { return fuzz_format(registry_find(slice_of("cov")), data, len); }

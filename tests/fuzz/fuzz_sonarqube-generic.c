/* libFuzzer target: sonarqube-generic. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len) { return fuzz_format(registry_find(slice_of("sonarqube-generic")), data, len); }

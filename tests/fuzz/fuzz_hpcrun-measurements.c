/* libFuzzer target: a measurement directory of two profiles, a trace, a log and a structure file. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    static const char *const names[] = { "app-000000-000-00000a0b-77-0.hpcrun",
                                         "app-000000-000-00000a0b-77-0.hpctrace",
                                         "app-000000-001-00000a0b-77-0.hpcrun",
                                         "app-000000-000-00000a0b-77-0.log",
                                         "structs/app.hpcstruct",
                                         NULL };
    return fuzz_folder(names, data, len);
}

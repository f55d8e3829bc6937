/* One input through everything that can be done with it. */
#include "fuzz.h"

#include "harness.h"

int fuzz_format(const struct format *f, const uint8_t *data, size_t len)
{
    harness_doing("fuzzing %s", f->info.name);
    (void)harness_recognise(data, len, "fuzz");
    harness_run(f, data, len, RUN_ALL, (uint64_t)64 << 20);
    return 0;
}

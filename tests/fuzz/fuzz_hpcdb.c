/* libFuzzer target: hpcdb. A file by itself, or a directory: the four files one after the other, each with its length before it. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "harness.h"

static const char *const names[] = { "meta.db", "profile.db", "cct.db", "trace.db", NULL };
static char folder[64];

static void remove_folder(void) { harness_folder_done(folder, names); }

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    if (len >= 10 && memcmp(data, "HPCTOOLKIT", 10) == 0) return fuzz_format(registry_find(slice_of("hpcdb")), data, len);
    harness_doing("fuzzing hpcdb");
    if (!folder[0]) {
        harness_folder(folder, sizeof folder, "fuzz-hpcdb");
        (void)atexit(remove_folder);
    }
    harness_unpack(folder, names, data, len);
    return fuzz_path(folder, RUN_AGREE, data, len);
}

/* libFuzzer target: hpcdb-xml. A document by itself, or a directory: its files one after the other, each with its length before it
 * (tests/formats/hpcdb-xml/rules.py --corpus writes such). */
#include "fuzz.h"

#include <stdlib.h>

#include "harness.h"

static const char *const names[] = { "experiment.xml",
                                     "1.app-000000-000-0a0b0c0d-77-0.metric-db",
                                     "1.app-000000-001-0a0b0c0d-77-0.metric-db",
                                     "app-000000-000-0a0b0c0d-77-0.hpctrace",
                                     "experiment-1.mdb",
                                     "experiment.mt",
                                     "profile.db",
                                     "cct.db",
                                     "trace.db",
                                     NULL };
static char folder[64];

static void remove_folder(void) { harness_folder_done(folder, names); }

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    if (len && data[0] == '<') return fuzz_format(registry_find(slice_of("hpcdb-xml")), data, len);
    harness_doing("fuzzing hpcdb-xml");
    if (!folder[0]) {
        harness_folder(folder, sizeof folder, "fuzz-hpcdb-xml");
        (void)atexit(remove_folder);
    }
    harness_unpack(folder, names, data, len);
    return fuzz_path(folder, RUN_AGREE, data, len);
}

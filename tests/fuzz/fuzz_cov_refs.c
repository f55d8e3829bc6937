/* libFuzzer target: what stands in a reference of a coverage store, and names of references. Whatever it is, only names that are allowed come out
 * of it: none leads out of the store. */
#include "fuzz.h"

#include <string.h>

#include "harness.h"
#include "store/ref_files.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    struct ref_value v;
    assay_slice text = { (const char *)data, len };
    harness_doing("fuzzing references");
    refs_parse(text, &v);
    if (v.kind == REF_SYMBOLIC) harness_promise(refs_name_ok(slice_of(v.target)), "a target is a name");
    if (refs_name_ok(text)) harness_promise(!memmem(data, len, "..", 2) && !memchr(data, 0, len) && data[0] != '/', "a name stays inside");
    return 0;
}

/* libFuzzer target: settings and modules. What is found can be asked for, under a key that is one. */
#include "fuzz.h"

#include "harness.h"
#include "store/modules.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    struct mem mem;
    struct config c;
    struct modules m;
    assay_error err = { 0 };
    mem_init(&mem, (size_t)64 << 20);
    config_init(&c, &mem);
    harness_doing("reading settings");
    int rc = config_parse(&c, (assay_slice){ (const char *)data, len }, CONFIG_LOCAL, &err);
    harness_code(rc, &err, "config_parse");
    for (size_t i = 0; i < c.entries.len; i++) {
        const char *key = c.entries.at[i].key;
        harness_promise(strchr(key, '.') && config_get(&c, key), "a setting that cannot be asked for");
    }
    config_done(&c);
    modules_init(&m, &mem);
    rc = modules_parse(&m, (assay_slice){ (const char *)data, len }, &err);
    harness_promise(rc == 0, "modules are never damaged");
    for (size_t i = 0; i < m.paths.len; i++) modules_find(&m, slice_of(m.paths.at[i].path));
    modules_done(&m);
    harness_promise(mem.used == 0, "memory is left");
    return 0;
}

/* libFuzzer target: default.yaml -> columns. */
#include "fuzz.h"

#include "formats/hpcdb/taxonomy.h"
#include "harness.h"

static void run(const uint8_t *data, size_t len, uint64_t fail_at)
{
    struct mem mem;
    struct hpcdb_taxonomy t;
    mem_init(&mem, (size_t)64 << 20);
    mem.fail_at = fail_at;
    int rc = hpcdb_taxonomy_parse(&t, (assay_slice){ (const char *)data, len }, &mem, NULL);
    harness_promise(rc == 0 || rc == ASSAY_ERR_MEMORY, "an error that is none of memory: %d", rc);
    for (uint32_t i = 1; i < t.yaml.nodes.len; i++) {
        const struct yaml_node *n = &t.yaml.nodes.at[i];
        harness_promise(n->parent < i && n->first < t.yaml.nodes.len && n->next < t.yaml.nodes.len && n->target < t.yaml.nodes.len, "node %u leads nowhere", i);
        harness_promise(n->kind != YAML_ALIAS || t.yaml.nodes.at[n->target].kind != YAML_ALIAS, "an alias of an alias");
    }
    for (size_t i = 0; rc == 0 && i < t.roots.len; i++)
        harness_promise(t.roots.at[i].is_computed || hpcdb_taxonomy_column(&t, t.roots.at[i].metric), "a column is not found by its metric");
    hpcdb_taxonomy_done(&t);
    harness_promise(mem.used == 0, "%zu bytes were not given back", (size_t)mem.used);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    harness_doing("columns of default.yaml");
    run(data, len, 0);
    if (len) run(data, len, 1 + data[len / 2] % 32u);
    return 0;
}

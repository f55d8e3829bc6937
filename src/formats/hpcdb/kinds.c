/* Kinds of identifiers; see formats/hpcdb/kinds.h. */
#include "formats/hpcdb/kinds.h"

#include <stdio.h>

#include "base/slice.h"

static const char *const usual[] = { "SUMMARY", "NODE", "RANK", "THREAD", "GPUDEVICE", "GPUCONTEXT", "GPUSTREAM", "CORE" };
enum { USUAL = sizeof usual / sizeof *usual };

uint16_t hpcdb_kinds_find(const struct hpcdb_kinds *k, assay_slice name)
{
    uint16_t i = 0;
    while (i < k->count && !slice_equal(k->names[i], name)) i++;
    return i < k->count ? i : KINDS_MAX;
}

/* What the database that was read had. */
static void take_stored(struct hpcdb_kinds *k, const struct hpcdb_plan *plan)
{
    char key[24];
    for (; k->count < KINDS_MAX; k->count++) {
        snprintf(key, sizeof key, "id-kind.%u", k->count);
        assay_slice name = hpcdb_plan_attribute(plan, (assay_stream_id){ 0 }, key);
        if (!name.data) return;
        k->names[k->count] = name;
    }
}

int hpcdb_kinds_init(struct hpcdb_kinds *k, const struct hpcdb_plan *plan, assay_error *err)
{
    const struct assay_streams *s = assay_profile_streams(plan->p);
    k->count = 0;
    if (plan->is_hpcdb) take_stored(k, plan);
    for (unsigned i = 0; i < USUAL && (!plan->is_hpcdb || k->count < USUAL); i++)
        if (hpcdb_kinds_find(k, slice_of(usual[i])) == KINDS_MAX) k->names[k->count++] = slice_of(usual[i]);
    for (uint32_t i = 0, last = 0; i < s->tuple_count; i++) {
        uint32_t id = ID_AT(s->tuple_kind, i);
        assay_slice name = assay_profile_string(plan->p, (assay_str_id){ id });
        if (id == last || hpcdb_kinds_find(k, name) != KINDS_MAX) continue;
        if (k->count == KINDS_MAX) FAIL(err, ASSAY_ERR_UNSUPPORTED, "hpcdb holds at most %d kinds of identifiers", KINDS_MAX);
        k->names[k->count++] = name;
        last = id;
    }
    return 0;
}

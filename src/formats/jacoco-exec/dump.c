/* Every block with its offset, probes as 0 and 1. Damage is marked where it stands. */
#include <inttypes.h>

#include "base/text.h"
#include "formats/jacoco-exec/decode.h"
#include "formats/jacoco-exec/jacoco_exec.h"

static void record(struct output *o, const struct jacoco_exec_record *r)
{
    output_hex(o, r->off, 8);
    switch (r->kind) {
    case JACOCO_EXEC_HEADER: output_printf(o, "  header version 0x%04x", r->version); break;
    case JACOCO_EXEC_SESSION:
        output_text(o, "  session ");
        text_show(o, r->name);
        output_printf(o, " start %" PRId64 " dump %" PRId64, r->start, r->dump);
        break;
    default:
        output_printf(o, "  class %016" PRIx64 " ", r->id);
        text_show(o, r->name);
        output_printf(o, " probes %" PRIu64 " ", r->probes);
        for (uint64_t i = 0; i < r->probes; i++) output_char(o, jacoco_exec_probe(r, i) ? '1' : '0');
        break;
    }
    output_char(o, '\n');
}

int jacoco_exec_dump(const struct read_job *job, struct output *out, assay_error *err)
{
    struct jacoco_exec_decoder d;
    struct jacoco_exec_record r = { .kind = JACOCO_EXEC_HEADER };
    struct findings damage;
    size_t marked = 0;
    findings_init(&damage, job->mem);
    int rc = jacoco_exec_init(&d, job, &damage, err);
    while (rc == 0 && r.kind != JACOCO_EXEC_END && !output_failed(out)) {
        rc = jacoco_exec_next(&d, &r);
        if (rc == 0 && r.kind != JACOCO_EXEC_END) record(out, &r);
        findings_mark(&damage, &marked, out);
    }
    findings_done(&damage);
    return rc;
}

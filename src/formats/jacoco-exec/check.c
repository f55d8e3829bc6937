/* Every block, and the classes against each other. */
#include "base/scoped.h"
#include "formats/jacoco-exec/classes.h"
#include "formats/jacoco-exec/jacoco_exec.h"

static int check_blocks(const struct read_job *job, struct jacoco_exec_classes *classes, struct findings *out, assay_error *err)
{
    struct jacoco_exec_decoder d;
    struct jacoco_exec_record r = { .kind = JACOCO_EXEC_HEADER };
    TRY(jacoco_exec_init(&d, job, out, err));
    while (r.kind != JACOCO_EXEC_END) {
        TRY(jacoco_exec_next(&d, &r));
        if (r.kind == JACOCO_EXEC_CLASS && !jacoco_exec_classes_add(classes, &r, out)) return error_memory(err);
    }
    return out->failed ? error_memory(err) : 0;
}

int jacoco_exec_check(const struct read_job *job, struct findings *out, assay_error *err)
{
    SCOPED(jacoco_exec_classes_done) struct jacoco_exec_classes classes;
    jacoco_exec_classes_init(&classes, job->mem);
    return check_blocks(job, &classes, out, err);
}

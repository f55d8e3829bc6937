/* What reading and checking of the measurement formats share: mapping, warnings, refusals. */
#include <stdarg.h>
#include <stdio.h>

#include "base/scoped.h"
#include "formats/hpcrun/hpcrun.h"

int hpcrun_map(const struct read_job *job, struct hpcrun_source *out, assay_error *err)
{
    assay_error cause = { 0 };
    int rc = input_map(job->in, &out->bytes, &cause);
    out->path = input_path(job->in);
    out->is_cut = rc == ASSAY_ERR_DAMAGED || rc == ASSAY_ERR_TRUNCATED;
    if (rc == 0 || out->is_cut) return 0;
    if (err) *err = cause;
    return rc;
}

static int fail(const char *rule, uint64_t off, const char *message, assay_error *err)
{
    int code = strcmp(rule, "HRC02") == 0 ? ASSAY_ERR_VERSION : ASSAY_ERR_DAMAGED;
    return error_at(err, code, off, "%s (%s)", message, rule);
}

int hpcrun_fail(const struct hpcrun_damage *damage, uint64_t off, assay_error *err) { return fail(damage->rule, off, damage->message, err); }

int hpcrun_refuse_damage(hpcrun_check_fn *check, const struct hpcrun_source *source, struct mem *mem, assay_error *err)
{
    SCOPED(findings_done) struct findings found;
    findings_init(&found, mem);
    TRY(check(source, mem, &found, err));
    for (size_t i = 0; i < found.list.len; i++) {
        const assay_finding *f = &found.list.at[i];
        if (f->severity == ASSAY_ERROR) return fail(f->rule, f->offset, f->message, err);
    }
    return found.failed ? error_memory(err) : 0;
}

void hpcrun_warn(assay_builder *b, const char *rule, int severity, uint64_t off, const char *fmt, ...)
{
    char message[HPCRUN_MESSAGE_LEN];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(message, sizeof message, fmt, ap);
    va_end(ap);
    assay_build_warning(b, &(assay_finding){ .rule = rule, .severity = severity, .has_offset = off != FINDING_NO_OFFSET, .offset = off, .message = message });
}

void hpcrun_warn_cut(assay_builder *b, const struct hpcrun_source *source)
{
    if (source->is_cut) hpcrun_warn(b, "HRC21", ASSAY_ERROR, source->bytes.len, "the compressed input is damaged here");
}

assay_slice hpcrun_unit(assay_slice name)
{
    size_t end = name.len;
    while (end && name.data[end - 1] != ')') end--;
    size_t begin = end;
    while (begin && name.data[begin - 1] != '(') begin--;
    return begin ? slice_from(name.data + begin, name.data + end - 1) : SLICE("");
}

/* Several inputs as one profile; see merged.h. */
#include "report/verbs/merged.h"

#include "base/error.h"

static bool is_left_out(const assay_reporter *r, const char *path)
{
    if (r->inputs < 2 || r->set.read.strict) return false;
    report_say(r, "%s: skipped: nothing to merge", path);
    return true;
}

int merged_unread(assay_reporter *r, const char *path, int rc, assay_error *err)
{
    (void)err;
    return rc == ASSAY_ERR_EMPTY && is_left_out(r, path) ? 0 : rc;
}

int merged_add(assay_reporter *r, struct merged *m, const char *path, const assay_profile *p, assay_error *err)
{
    const uint32_t shapes = ASSAY_SHAPE_COVERAGE | ASSAY_SHAPE_GRAPH | ASSAY_SHAPE_TREE | ASSAY_SHAPE_LINES;
    struct assay_merge_options o = { .strict = r->set.read.strict, .max_memory = r->set.read.max_memory };
    if (!(assay_profile_shapes(p) & shapes) && is_left_out(r, path)) return 0;
    if (!m->merger) m->merger = assay_merger_new(&o, err);
    if (!m->merger) return ASSAY_ERR_MEMORY;
    TRY(assay_merger_add(m->merger, p, err));
    m->added++;
    return 0;
}

int merged_finish(struct merged *m, assay_profile **out, assay_error *err)
{
    if (!m->added) FAIL(err, ASSAY_ERR_UNSUPPORTED, "none of the inputs has anything to merge");
    *out = assay_merger_finish(m->merger, err);
    m->merger = NULL;
    return *out ? 0 : err->code;
}

void merged_done(struct merged *m)
{
    assay_merger_free(m->merger);
    m->merger = NULL;
}

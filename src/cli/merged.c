/* Several inputs as one profile; see merged.h. */
#include "cli/merged.h"

#include "base/error.h"

static int add_input(struct cli *c, assay_merger *m, const char *path, uint32_t want, size_t *added, assay_error *err)
{
    assay_profile *p = NULL;
    const uint32_t merged = ASSAY_SHAPE_COVERAGE | ASSAY_SHAPE_GRAPH | ASSAY_SHAPE_TREE | ASSAY_SHAPE_LINES;
    int rc = cli_read_profile(c, path, want, &p, err);
    bool is_empty = rc == ASSAY_ERR_EMPTY || (rc == 0 && !(assay_profile_shapes(p) & merged));
    if (is_empty && c->set.files.len > 1 && !c->set.read.strict) {
        cli_message("%s: skipped: nothing to merge", path);
        rc = 0;
    } else if (rc == 0) {
        rc = assay_merger_add(m, p, err);
        *added += rc == 0;
    }
    if (rc != 0) error_path(err, path);
    assay_profile_release(p);
    return rc;
}

assay_profile *cli_read_merged(struct cli *c, uint32_t want, const struct assay_merge_options *options)
{
    assay_error err = { 0 };
    struct assay_merge_options o = options ? *options : (struct assay_merge_options){ .strict = c->set.read.strict };
    o.max_memory = cli_max_memory(c);
    assay_merger *m = assay_merger_new(&o, &err);
    size_t added = 0;
    int rc = m ? 0 : ASSAY_ERR_MEMORY;
    for (size_t i = 0; rc == 0 && i < c->set.files.len; i++) rc = add_input(c, m, c->set.files.at[i], want, &added, &err);
    err.path[0] = rc == 0 ? '\0' : err.path[0]; /* of an input that was left out */
    if (rc == 0 && !added) rc = error_set(&err, ASSAY_ERR_UNSUPPORTED, "none of the inputs has anything to merge");
    assay_profile *p = rc == 0 ? assay_merger_finish(m, &err) : NULL;
    if (rc != 0) assay_merger_free(m);
    if (!p) cli_fail(c, &err);
    return p;
}

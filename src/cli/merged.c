/* Several inputs as one profile; see merged.h. */
#include "cli/merged.h"

#include "base/error.h"

static int add_input(struct cli *c, assay_merger *m, const char *path, uint32_t want, assay_error *err)
{
    assay_profile *p = NULL;
    int rc = cli_read_profile(c, path, want, &p, err);
    if (rc == 0) rc = assay_merger_add(m, p, err);
    if (rc != 0) error_path(err, path);
    assay_profile_release(p);
    return rc;
}

assay_profile *cli_read_merged(struct cli *c, uint32_t want, const struct assay_merge_options *options)
{
    assay_error err = { 0 };
    struct assay_merge_options o = options ? *options : (struct assay_merge_options){ .strict = c->set.strict };
    o.max_memory = cli_max_memory(c);
    assay_merger *m = assay_merger_new(&o, &err);
    int rc = m ? 0 : ASSAY_ERR_MEMORY;
    for (size_t i = 0; rc == 0 && i < c->set.files.len; i++) rc = add_input(c, m, c->set.files.at[i], want, &err);
    assay_profile *p = rc == 0 ? assay_merger_finish(m, &err) : NULL;
    if (rc != 0) assay_merger_free(m);
    if (!p) cli_fail(c, &err);
    return p;
}

/* What a target cannot hold, collected while a writer looks at a profile; see formats/format.h. */
#include <stdarg.h>
#include <stdio.h>

#include "analysis/coverage/copy.h"
#include "formats/format.h"

void losses_init(struct losses *l, struct mem *m)
{
    *l = (struct losses){ 0 };
    arena_init(&l->text, m);
}

void losses_done(struct losses *l)
{
    vec_done(l->text.mem, &l->list);
    arena_done(&l->text);
}

void losses_add(struct losses *l, const char *kind, uint64_t count, const char *fmt, ...)
{
    char text[400];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    char *copy = arena_copy(&l->text, slice_of(text));
    assay_loss *loss = copy ? vec_push(l->text.mem, &l->list) : NULL;
    if (loss)
        *loss = (assay_loss){ kind, count, copy };
    else
        l->failed = true;
}

int losses_settle(const struct write_job *job, assay_error *err)
{
    const struct losses *l = job->losses;
    if (l->failed) return error_memory(err);
    if (!job->options->strict || !l->list.len) return 0;
    return error_set(err, ASSAY_ERR_LOSS, "%s%s%s cannot hold everything: %s", job->name, job->is_version_chosen ? " " : "",
                     job->is_version_chosen ? job->version : "", l->list.at[0].message);
}

void losses_add_regions(struct losses *l, const assay_profile *p)
{
    uint64_t count = assay_profile_coverage(p)->region_count;
    if (count && coverage_offsets_lack_lines(p))
        losses_add(l, "ranges", count, "ranges of text have no lines without the sources");
    else if (count)
        losses_add(l, "regions", count, "regions, blocks and statements with columns are not written");
}

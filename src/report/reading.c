/* How the inputs of a report are read; see verb.h. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "analysis/core/metric_columns.h"
#include "base/parallel.h"
#include "report/verb.h"

struct assay_read_options report_read_options(assay_reporter *r, uint32_t want)
{
    struct assay_read_options o = reading_options(&r->set.read, want, &r->filter);
    o.progress = r->sink.progress;
    o.progress_arg = r->sink.arg;
    return o;
}

void report_say_filters(const assay_reporter *r, const char *path, const assay_profile *p)
{
    size_t count;
    const assay_finding *f = assay_profile_warnings(p, &count);
    for (size_t i = 0; i < count; i++)
        if ((strncmp(f[i].rule, "FI-", 3) == 0 || strcmp(f[i].rule, "CG32") == 0) && f[i].severity != ASSAY_INFO) report_say(r, "%s: %s", path, f[i].message);
}

void report_say_damage(const assay_reporter *r, const char *path, const assay_profile *p)
{
    const assay_finding *first;
    uint64_t count = assay_profile_damage(p, &first);
    char more[48] = "";
    if (count > 1) snprintf(more, sizeof more, " and %llu more", (unsigned long long)count - 1);
    if (count) report_say(r, "%s: damaged: %s (%s)%s; 'assay check' lists all problems", path, first->message, first->rule, more);
}

int report_read(assay_reporter *r, const char *path, assay_profile **out, assay_error *err)
{
    struct assay_read_options o = report_read_options(r, assay_reporter_want(r));
    if (r->verb->reading) r->verb->reading(r, &o);
    int rc = assay_read(path, &o, out, err);
    if (rc != 0) return rc;
    if (!r->verb->tells_filters) report_say_filters(r, path, *out);
    return metric_sums_add(out, r->set.metric, o.max_memory, err);
}

uint64_t report_file_size(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode) ? (uint64_t)st.st_size : 0;
}

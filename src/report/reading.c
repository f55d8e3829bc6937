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

bool report_is_read(const assay_reporter *r) { return r->verb->want && !(r->verb->opens && r->verb->opens(r)); }

void report_input_read(const assay_reporter *r, const char *path, unsigned threads, bool shows_progress, struct verb_input *in)
{
    const bool is_read = report_is_read(r);
    struct assay_filter filter;
    struct assay_read_options o = reading_options(&r->set.read, is_read ? r->verb->want(r) : 0, &filter);
    struct assay_read_options check;
    *in = (struct verb_input){ .profile = NULL };
    if (shows_progress && r->sink.reading) r->sink.reading(r->sink.arg, path);
    o.progress = shows_progress ? r->sink.progress : NULL;
    o.progress_arg = r->sink.arg;
    if (threads) o.threads = threads;
    check = o;
    check.want = 0;
    if (r->verb->reading) r->verb->reading(r, &o, &filter);
    if (is_read) in->rc = assay_read(path, &o, &in->profile, &in->err);
    bool is_there = !is_read || (in->rc == 0 && strcmp(path, "-") != 0); /* that cannot be read again */
    if (r->verb->checks && is_there) in->check_rc = assay_check(path, &check, &in->checked, &in->check_err);
}

void report_input_done(struct verb_input *in)
{
    assay_profile_release(in->profile);
    assay_check_free(in->checked);
    in->profile = NULL;
    in->checked = NULL;
}

int report_input_settle(const assay_reporter *r, const char *path, struct verb_input *in, assay_error *err)
{
    if (in->rc != 0) {
        *err = in->err;
        return in->rc;
    }
    if (!r->verb->tells_filters) report_say_filters(r, path, in->profile);
    return metric_sums_add(&in->profile, r->set.metric, r->set.read.max_memory, err);
}

int report_check_file(const assay_reporter *r, const assay_check_result **out, assay_error *err)
{
    *out = r->input->checked;
    if (r->input->check_rc != 0) *err = r->input->check_err;
    return r->input->check_rc;
}

uint64_t report_file_size(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode) ? (uint64_t)st.st_size : 0;
}

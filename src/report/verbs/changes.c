/* Where changes come from, and the gate over them; see changes.h. */
#include "report/verbs/changes.h"

#include <string.h>

#include "base/error.h"
#include "base/number.h"
#include "report/verbs/hints.h"

static bool is_git(const struct settings *s) { return s->git || s->staged || s->unstaged; }

bool change_is_given(const assay_reporter *r) { return r->change || r->set.diff || is_git(&r->set); }

int change_check(const assay_reporter *r, assay_error *err)
{
    if (r->set.diff && is_git(&r->set)) FAIL(err, ASSAY_ERR_USAGE, "--diff cannot be combined with --git, --staged or --unstaged");
    return 0;
}

int change_read(assay_reporter *r, assay_error *err)
{
    const struct settings *s = &r->set;
    if (!change_is_given(r) || r->changes) return 0;
    if (!s->diff && !is_git(s)) FAIL(err, ASSAY_ERR_USAGE, "the change '%s' was not handed over", r->change);
    r->change = s->diff ? s->diff : s->git ? s->git : s->unstaged ? "unstaged" : "staged";
    if (s->diff) {
        struct assay_read_options o = report_read_options(r, 0);
        TRY(assay_changes_read(s->diff, &o, &r->own_changes, err));
    } else {
        struct assay_git_range range = {
            .size = sizeof range, .repository = s->repository, .range = s->git, .staged = s->staged, .unstaged = s->unstaged, .max_memory = s->read.max_memory
        };
        TRY(assay_changes_git(&range, &r->own_changes, err));
    }
    r->changes = r->own_changes;
    return 0;
}

void change_done(assay_reporter *r)
{
    assay_changes_free(r->own_changes);
    r->own_changes = NULL;
}

static const char *hint_of(const char *rule) { return strcmp(rule, "DF-1") == 0 ? HINT_OF_CHANGES : strcmp(rule, "P-1") == 0 ? HINT_OF_SOURCES : ""; }

void change_say_findings(const assay_reporter *r, const assay_finding *f, size_t count)
{
    if (r->set.json) return;
    for (size_t i = 0; i < count; i++) {
        if (f[i].severity == ASSAY_INFO) continue;
        if (f[i].repeats)
            report_say(r, "%s %s: %s%s (and %llu more)", assay_severity_name(f[i].severity), f[i].rule, f[i].message, hint_of(f[i].rule),
                       (unsigned long long)f[i].repeats);
        else
            report_say(r, "%s %s: %s%s", assay_severity_name(f[i].severity), f[i].rule, f[i].message, hint_of(f[i].rule));
    }
}

struct report_gate change_gate(assay_reporter *r, uint64_t covered, uint64_t measured)
{
    struct report_gate g = { r->set.has_fail_under_new, r->set.fail_under_new, covered, measured, true };
    char share[48];
    g.is_ok = !g.is_set || !assay_coverage_is_under(covered, measured, g.least);
    if (g.is_ok) return g;
    number_share_below(share, covered, measured, 2, g.least);
    report_say(r, "patch coverage %s (%llu of %llu measured lines) is below %.12g%%", share, (unsigned long long)covered, (unsigned long long)measured,
               g.least);
    r->is_no = true;
    return g;
}

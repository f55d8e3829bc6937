/* Where changes come from, and the gate over them; see changes.h. */
#include "cli/changes.h"

#include <string.h>

#include "base/number.h"

bool cli_has_changes(const struct cli *c)
{
    const struct settings *s = &c->set;
    return s->diff || s->git || s->staged || s->unstaged;
}

bool cli_read_changes(struct cli *c, assay_changes **out, const char **name)
{
    const struct settings *s = &c->set;
    assay_error err = { 0 };
    int rc;
    *out = NULL;
    if (s->diff && (s->git || s->staged || s->unstaged)) {
        c->exit = cli_usage(c->verb, "--diff cannot be combined with --git, --staged or --unstaged");
        return false;
    }
    *name = s->diff ? s->diff : s->git ? s->git : s->unstaged ? "unstaged" : "staged";
    if (s->diff) {
        struct assay_read_options o = cli_read_options(c, s->diff, 0);
        rc = assay_changes_read(s->diff, &o, out, &err);
        cli_read_done(c);
    } else {
        struct assay_git_range range = { s->repository, s->git, s->staged, s->unstaged, cli_max_memory(c) };
        rc = assay_changes_git(&range, out, &err);
    }
    if (rc != 0) cli_fail(c, &err);
    return rc == 0;
}

struct report_gate cli_gate(struct cli *c, uint64_t covered, uint64_t measured)
{
    struct report_gate g = { c->set.has_fail_under_new, c->set.fail_under_new, covered, measured, true };
    char share[48];
    g.is_ok = !g.is_set || !assay_coverage_is_under(covered, measured, g.least);
    if (g.is_ok) return g;
    number_share_below(share, covered, measured, 2, g.least);
    cli_message("patch coverage %s (%llu of %llu measured lines) is below %.12g%%", share, (unsigned long long)covered, (unsigned long long)measured, g.least);
    cli_note(c, CLI_NO);
    return g;
}

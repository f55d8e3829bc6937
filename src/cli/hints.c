/* The options behind the hints of the library; see hints.h. */
#include "cli/hints.h"

#include <string.h>

const char hint_of_sources[] = " (--source-root DIR says where the sources are)";

static const char *const of_errors[] = {
    [ASSAY_HINT_NONE] = "",
    [ASSAY_HINT_FORMAT] = " ('assay formats' lists them, --from FORMAT decides)",
    [ASSAY_HINT_MAX_MEMORY] = " (the limit is set by --max-memory)",
    [ASSAY_HINT_MAX_OUTPUT] = " (the limit is set by --max-output)",
    [ASSAY_HINT_ESTIMATE] = "; --estimate makes some from a call graph",
    [ASSAY_HINT_VIEW] = "; --flat and --bottom-up show what it does say, --estimate guesses the rest",
    [ASSAY_HINT_FUNCTION] = "; 'assay top --limit 0' lists their names",
    [ASSAY_HINT_DIFF] = "; give a diff: git diff A...B | assay patch --diff -",
    [ASSAY_HINT_WORKTREE] = "; 'assay cov init --worktree BRANCH' makes one",
};

struct keyed {
    const char *key, *hint;
};

static const struct keyed of_findings[] = {
    { "DF-1", "; --diff or --git tells which is which" },
    { "P-1", hint_of_sources },
};

static const struct keyed of_losses[] = {
    { "metrics", " (--metric chooses)" },
    { "ranges", hint_of_sources },
};

static const char *find(const struct keyed *list, size_t count, const char *key)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(list[i].key, key) == 0) return list[i].hint;
    return "";
}

const char *hint_of_error(const assay_error *err)
{
    bool is_known = err->hint >= 0 && (size_t)err->hint < sizeof of_errors / sizeof *of_errors;
    return is_known ? of_errors[err->hint] : "";
}

const char *hint_of_finding(const char *rule) { return find(of_findings, sizeof of_findings / sizeof *of_findings, rule); }

const char *hint_of_loss(const char *kind) { return find(of_losses, sizeof of_losses / sizeof *of_losses, kind); }

/* The options behind the hints of the library; see hints.h. */
#include "cli/hints.h"

#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "cli/memory.h"

static const char hint_of_sources[] = " (use --source-root DIR to say where the sources are)";

static const char *const of_errors[] = {
    [ASSAY_HINT_NONE] = "",
    [ASSAY_HINT_FORMAT] = " (use --from FORMAT; 'assay formats' lists the formats)",
    [ASSAY_HINT_MAX_MEMORY] = "", /* hint_of_memory */
    [ASSAY_HINT_MAX_OUTPUT] = " (raise the limit with --max-output)",
    [ASSAY_HINT_ESTIMATE] = "; use --estimate to estimate them from a call graph",
    [ASSAY_HINT_VIEW] = "; use --flat or --bottom-up, or --estimate to estimate the stacks",
    [ASSAY_HINT_FUNCTION] = "; 'assay top --limit 0' lists all functions",
    [ASSAY_HINT_DIFF] = "; use a diff: git diff A...B | assay patch --diff -",
    [ASSAY_HINT_MAX_STRING] = " (raise the limit with --max-string)",
    [ASSAY_HINT_FORCE] = "; use --force to move it",
    [ASSAY_HINT_MAP] = "; use --map FROM=TO",
    [ASSAY_HINT_WORKTREE] = "; create one with 'assay cov init --worktree BRANCH'",
};

struct keyed {
    const char *key, *hint;
};

static const struct keyed of_findings[] = {
    { "P-1", hint_of_sources },
};

static const struct keyed of_losses[] = {
    { "metrics", " (use --metric to choose)" },
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

const char *hint_of_memory(char buf[HINT_LEN], bool is_set)
{
    char human[48];
    struct memory_limit limit = memory_limit_default();
    if (is_set) return " (the limit is set by --max-memory)";
    if (!limit.bytes) return "";
    number_human(human, (double)limit.bytes, "bytes");
    snprintf(buf, HINT_LEN, " (the limit is %s, three quarters of %s; raise it with --max-memory)", human, limit.of);
    return buf;
}

const char *hint_of_finding(const char *rule) { return find(of_findings, sizeof of_findings / sizeof *of_findings, rule); }

const char *hint_of_loss(const char *kind) { return find(of_losses, sizeof of_losses / sizeof *of_losses, kind); }

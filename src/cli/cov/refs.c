/* assay cov branch and assay cov tag: names for reports. */
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "cli/cov/cov.h"
#include "cli/shared.h"

#define OPTIONS_REFS                                                                                                                                           \
    { .name = "force", .letter = 'f', .type = OPTION_FLAG, AT(cov.force), .help = "move the name if it already exists" },                                      \
        { .name = "list", .letter = 'l', .type = OPTION_STEP, AT(cov.steps), .help = "[PATTERN...]: list the names that match a shell pattern" },              \
        { .name = "delete", .letter = 'd', .type = OPTION_STEP, AT(cov.steps), .help = "NAME...: delete these" },                                              \
    {                                                                                                                                                          \
        .name = "quiet", .letter = 'q', .type = OPTION_FLAG, AT(cov.quiet), .help = "print only errors"                                                        \
    }

static const struct option_spec branch_options[] = {
    OPTIONS_REFS, { .name = "show-current", .type = OPTION_STEP, AT(cov.steps), .help = "print the current branch" }, OPTION_COLOR, OPTION_JSON, OPTION_HELP,
    OPTION_END,
};
static const struct option_spec tag_options[] = { OPTIONS_REFS, OPTION_COLOR, OPTION_JSON, OPTION_HELP, OPTION_END };

static const char *const branch_text[] = {
    "Lists the branches, or creates branch NAME at the report START, HEAD by default. The reflog of a branch keeps its past changes.",
    NULL,
};
static const char *const tag_text[] = { "Lists the tags, or creates tag NAME for the report START, HEAD by default.", NULL };

static const struct assay_verb_example branch_examples[] = {
    { "assay cov branch", "all branches; a star marks the current one" },
    { "assay cov branch release HEAD~2", "create a branch" },
    { NULL, NULL },
};
static const struct assay_verb_example tag_examples[] = {
    { "assay cov tag v1.0", "tag the newest report" },
    { "assay cov tag -l 'v1.*'", "list matching tags" },
    { NULL, NULL },
};

struct job {
    struct cov v;
    enum assay_store_ref kind;
    char current[ASSAY_STORE_NAME_MAX]; /* the branch that HEAD stands for; "" = detached, or of no interest: tags */
    const char *const *patterns;
    size_t pattern_count;
};

/* ---- listing ---- */

static bool is_wanted(const struct job *j, const char *name)
{
    if (!j->pattern_count) return true;
    for (size_t i = 0; i < j->pattern_count; i++)
        if (fnmatch(j->patterns[i], name, FNM_PATHNAME) == 0) return true;
    return false;
}

static bool is_current(const struct job *j, const char *name) { return j->kind == ASSAY_STORE_BRANCH && strcmp(name, j->current) == 0; }

static void list_json(const struct job *j, struct output *out, const assay_store_refs *refs)
{
    struct json json;
    cov_begin_json(&json, out, j->v.c->verb->name);
    json_key(&json, j->kind == ASSAY_STORE_BRANCH ? "branches" : "tags");
    json_array(&json);
    for (size_t i = 0; i < refs->count; i++) {
        if (!is_wanted(j, refs->name[i])) continue;
        json_object(&json);
        json_key(&json, "name");
        json_text(&json, refs->name[i]);
        cov_put_id(&json, "report", &refs->id[i]);
        if (j->kind == ASSAY_STORE_BRANCH) json_key(&json, "current"), json_bool(&json, is_current(j, refs->name[i]));
        json_end(&json);
    }
    json_end(&json);
    json_end(&json);
}

static void list_text(const struct job *j, struct output *out, const assay_store_refs *refs)
{
    bool is_branch = j->kind == ASSAY_STORE_BRANCH, is_colored = j->v.c->term.color;
    if (is_branch && !*j->current && is_wanted(j, "(detached HEAD)"))
        output_printf(out, "* %s(detached HEAD)%s\n", is_colored ? "\033[32m" : "", is_colored ? "\033[m" : "");
    for (size_t i = 0; i < refs->count; i++) {
        if (!is_wanted(j, refs->name[i])) continue;
        bool is_marked = is_current(j, refs->name[i]);
        if (is_branch) output_text(out, is_marked ? "* " : "  ");
        is_marked = is_marked && is_colored;
        output_printf(out, "%s%s%s\n", is_marked ? "\033[32m" : "", refs->name[i], is_marked ? "\033[m" : "");
    }
}

static int list(struct job *j)
{
    assay_error err = { 0 };
    assay_store_refs *refs;
    struct output *out;
    int code = COV_WRONG;
    if (assay_store_refs_new(j->v.store, j->kind, &refs, &err) != 0) return cov_fail(&j->v, &err);
    if (cli_open_output(j->v.c, &out)) {
        if (j->v.c->set.json)
            list_json(j, out, refs);
        else
            list_text(j, out, refs);
        code = cli_close_output(j->v.c, out);
    }
    assay_store_refs_free(refs);
    return code;
}

static int show_current(struct job *j)
{
    if (*j->current && !j->v.c->set.cov.quiet) printf("%s\n", j->current);
    return fflush(stdout) == 0 ? COV_DONE : COV_WRONG;
}

/* ---- the command line ---- */

static int check(const struct cli *c)
{
    const struct steps *steps = &c->set.cov.steps;
    size_t count;
    if (steps->len > 1) return cli_usage(c->verb, "--%s and --%s cannot be combined", steps->at[0].option->name, steps->at[1].option->name);
    if (!steps->len)
        return c->set.files.len > 2 ? cli_usage(c->verb, "at most a name and a start are allowed; unexpected argument '%s'", c->set.files.at[2]) : 0;
    if (steps->at[0].first > 0) return cli_usage(c->verb, "unexpected argument '%s' before --%s", c->set.files.at[0], steps->at[0].option->name);
    if (c->set.cov.force) return cli_usage(c->verb, "--force and --%s cannot be combined", steps->at[0].option->name);
    cov_step(&c->set, 0, &count);
    if (strcmp(steps->at[0].option->name, "delete") == 0 && !count) return cli_usage(c->verb, "--delete needs a name");
    return 0;
}

static int run_step(struct job *j)
{
    const struct settings *s = &j->v.c->set;
    const char *name = s->cov.steps.len ? s->cov.steps.at[0].option->name : s->files.len ? "" : "list";
    assay_error err = { 0 };
    int rc = 0;
    if (strcmp(name, "show-current") == 0) return show_current(j);
    if (s->cov.steps.len) j->patterns = cov_step(s, 0, &j->pattern_count);
    if (strcmp(name, "list") == 0) return list(j);
    if (strcmp(name, "delete") == 0)
        for (size_t i = 0; rc == 0 && i < j->pattern_count; i++) rc = assay_store_ref_remove(j->v.store, j->kind, j->patterns[i], &err);
    else
        rc = assay_store_ref_set(j->v.store, j->kind, s->files.at[0], s->files.len > 1 ? s->files.at[1] : "HEAD", s->cov.force, &err);
    return rc == 0 ? COV_DONE : cov_fail(&j->v, &err);
}

static int run_refs(struct cli *c, enum assay_store_ref kind)
{
    struct job j = { .kind = kind };
    assay_error err = { 0 };
    int code = check(c);
    if (code != 0) return code;
    code = cov_open(&j.v, c);
    if (code == 0 && assay_store_branch(j.v.store, j.current, &err) != 0) code = cov_fail(&j.v, &err);
    if (code == 0) code = run_step(&j);
    cov_close(&j.v);
    return code;
}

static int run_branch(struct cli *c) { return run_refs(c, ASSAY_STORE_BRANCH); }
static int run_tag(struct cli *c) { return run_refs(c, ASSAY_STORE_TAG); }

const struct verb cov_branch_verb = { .name = "cov branch",
                                      .summary = "list, create or delete branches",
                                      .arguments = "[NAME [START]]",
                                      .most_files = SIZE_MAX,
                                      .options = branch_options,
                                      .text = branch_text,
                                      .examples = branch_examples,
                                      .run = run_branch };
const struct verb cov_tag_verb = { .name = "cov tag",
                                   .summary = "list, create or delete tags",
                                   .arguments = "[NAME [START]]",
                                   .most_files = SIZE_MAX,
                                   .options = tag_options,
                                   .text = tag_text,
                                   .examples = tag_examples,
                                   .run = run_tag };

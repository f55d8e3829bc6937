/* assay cov branch and assay cov tag: names for reports. */
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "cli/cov/cov.h"
#include "cli/shared.h"
#include "store/revision.h"

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
    const char *prefix, *noun;
    const char *current; /* full name of the branch that HEAD stands for; "" = detached; NULL for tags */
    struct output *out;
    struct json json;
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

static int list_one(void *arg, const char *name, const struct ref_value *value)
{
    struct job *j = arg;
    const char *word = name + strlen(j->prefix);
    bool is_current = j->current && strcmp(name, j->current) == 0;
    if (!is_wanted(j, word)) return 0;
    if (j->v.c->set.json) {
        char hex[COV_ID_HEX + 1];
        json_object(&j->json);
        json_key(&j->json, "name");
        json_text(&j->json, word);
        json_key(&j->json, "report");
        json_text(&j->json, value->kind == REF_ID ? cov_id_hex(&value->id, hex) : NULL);
        if (j->current) json_key(&j->json, "current"), json_bool(&j->json, is_current);
        json_end(&j->json);
        return 0;
    }
    if (j->current) output_text(j->out, is_current ? "* " : "  ");
    bool is_colored = is_current && j->v.c->term.color;
    output_printf(j->out, "%s%s%s\n", is_colored ? "\033[32m" : "", word, is_colored ? "\033[m" : "");
    return 0;
}

static int list(struct job *j)
{
    assay_error err = { 0 };
    const struct settings *s = &j->v.c->set;
    if (!cli_open_output(j->v.c, &j->out)) return COV_WRONG;
    if (s->json) {
        json_init(&j->json, j->out);
        json_object(&j->json);
        json_key(&j->json, "assay");
        json_u64(&j->json, 1);
        json_key(&j->json, "verb");
        json_text(&j->json, j->v.c->verb->name);
        json_key(&j->json, j->current ? "branches" : "tags");
        json_array(&j->json);
    } else if (j->current && !*j->current && is_wanted(j, "(detached HEAD)"))
        output_printf(j->out, "* %s(detached HEAD)%s\n", j->v.c->term.color ? "\033[32m" : "", j->v.c->term.color ? "\033[m" : "");
    int rc = refs_each(j->v.store, j->prefix, list_one, j, &err);
    if (s->json) json_end(&j->json), json_end(&j->json);
    int code = cli_close_output(j->v.c, j->out);
    return rc != 0 ? cov_fail(&j->v, &err) : code;
}

static int show_current(struct job *j)
{
    if (*j->current && !j->v.c->set.cov.quiet) printf("%s\n", j->current + strlen(j->prefix));
    return fflush(stdout) == 0 ? COV_DONE : COV_WRONG;
}

/* ---- changing ---- */

static int create(struct job *j, const char *name, const char *start, assay_error *err)
{
    char full[REFS_NAME_MAX], why[REFS_NAME_MAX + 32];
    struct revision_text text;
    struct cov_id id, none = { { 0 } };
    struct store_object o;
    bool is_moved;
    TRY(cov_ref_name(j->prefix, j->noun, name, true, full, err));
    TRY(revision_parse(slice_of(start), false, &text, err));
    if (text.is_range) FAIL(err, ASSAY_ERR_USAGE, "'%s' is a range; one report is needed", start);
    TRY(revision_find(j->v.store, &text.to, &id, err));
    TRY(store_read(j->v.store, &id, COV_REPORT, &o, err));
    store_object_done(&o);
    snprintf(why, sizeof why, "%s: created from %s", j->noun, start);
    TRY(refs_update(j->v.store, full, j->v.c->set.cov.force ? NULL : &none, &id, why, &is_moved, NULL, err));
    if (!is_moved) FAIL(err, ASSAY_ERR_USAGE, "%s '%s' already exists; use --force to move it", j->noun, name);
    return 0;
}

static int delete_one(struct job *j, const char *name, assay_error *err)
{
    char full[REFS_NAME_MAX];
    struct ref_lock lock;
    TRY(cov_ref_name(j->prefix, j->noun, name, false, full, err));
    if (j->current && strcmp(full, j->current) == 0)
        FAIL(err, ASSAY_ERR_USAGE, "cannot delete '%s': it is the current branch of %s", name, store_path(j->v.store));
    TRY(ref_lock(j->v.store, full, &lock, err));
    if (lock.old.kind == REF_NONE) {
        ref_lock_release(&lock);
        FAIL(err, ASSAY_ERR_UNKNOWN, "no %s named '%s'", j->noun, name);
    }
    return ref_lock_remove(&lock, "deleted", err);
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
    cov_identify(&j->v);
    if (strcmp(name, "delete") == 0)
        for (size_t i = 0; rc == 0 && i < j->pattern_count; i++) rc = delete_one(j, j->patterns[i], &err);
    else
        rc = create(j, s->files.at[0], s->files.len > 1 ? s->files.at[1] : "HEAD", &err);
    return rc == 0 ? COV_DONE : cov_fail(&j->v, &err);
}

static int run_refs(struct cli *c, const char *prefix, const char *noun)
{
    struct job j = { .prefix = prefix, .noun = noun };
    struct ref_value head = { .kind = REF_NONE };
    assay_error err = { 0 };
    int code = check(c);
    if (code != 0) return code;
    code = cov_open(&j.v, c);
    if (code == 0 && refs_read(j.v.store, "HEAD", &head, &err) != 0) code = cov_fail(&j.v, &err);
    if (strcmp(noun, "branch") == 0) j.current = head.kind == REF_SYMBOLIC ? head.target : "";
    if (code == 0) code = run_step(&j);
    cov_close(&j.v);
    return code;
}

static int run_branch(struct cli *c) { return run_refs(c, "refs/heads/", "branch"); }
static int run_tag(struct cli *c) { return run_refs(c, "refs/tags/", "tag"); }

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

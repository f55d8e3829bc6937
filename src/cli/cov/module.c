/* assay cov module: groups of files with a name. */
#include <string.h>

#include "base/json.h"
#include "cli/cov/cov.h"
#include "cli/shared.h"

static const struct option_spec options[] = {
    { .name = "show-sep", .type = OPTION_STEP, AT(cov.steps), .help = "[COMMIT]: print the separator used in module names" },
    { .name = "set-sep", .type = OPTION_STEP, AT(cov.steps), .help = "TEXT: use TEXT as the separator in module names" },
    { .name = "add", .type = OPTION_STEP, AT(cov.steps), .help = "NAME PATH: add a directory or file to the module" },
    { .name = "remove", .type = OPTION_STEP, AT(cov.steps), .help = "NAME PATH: remove a directory or file from the module" },
    { .name = "remove-all", .type = OPTION_STEP, AT(cov.steps), .help = "NAME: remove the module" },
    OPTION_JSON,
    OPTION_HELP,
    OPTION_END,
};

static const char *const text[] = {
    "Lists the modules of the work tree, or of a git COMMIT, with the directories and files in them. Modules are kept in .covmodules in the work tree and are "
    "rows of 'assay cov show'. Options that change modules can be repeated and are applied in order.",
    NULL,
};

static const struct assay_verb_example examples[] = {
    { "assay cov module --add core src --add core include", "make a module of two directories" },
    { "assay cov module HEAD", "the modules of the last commit" },
    { NULL, NULL },
};

/* ---- printing ---- */

static void print_json(struct output *out, const assay_store_modules *m)
{
    struct json json;
    cov_begin_json(&json, out, "cov module");
    json_key(&json, "separator");
    json_text(&json, m->separator);
    json_key(&json, "modules");
    json_array(&json);
    for (size_t i = 0; i < m->count; i++) {
        json_object(&json);
        json_key(&json, "name");
        json_text(&json, m->name[i]);
        json_key(&json, "paths");
        json_array(&json);
        for (size_t k = 0; k < m->path_count; k++)
            if (m->module[k] == i) json_text(&json, m->path[k]);
        json_end(&json);
        json_end(&json);
    }
    json_end(&json);
    json_end(&json);
}

static int print(struct cli *c, const assay_store_modules *m, bool only_separator)
{
    struct output *out;
    if (!cli_open_output(c, &out)) return COV_WRONG;
    if (c->set.json)
        print_json(out, m);
    else if (only_separator && m->stated)
        output_printf(out, "%s\n", m->stated);
    for (size_t i = 0; !c->set.json && !only_separator && i < m->count; i++) {
        output_printf(out, "%s\n", m->name[i]);
        for (size_t k = 0; k < m->path_count; k++)
            if (m->module[k] == i) output_printf(out, "- %s\n", m->path[k]);
    }
    return cli_close_output(c, out);
}

/* ---- changing ---- */

static int change_one(struct cli *c, assay_store_modules *m, size_t i, assay_error *err)
{
    size_t count;
    const char *name = c->set.cov.steps.at[i].option->name;
    const char *const *words = cov_step(&c->set, i, &count);
    enum assay_store_module_edit how = strcmp(name, "set-sep") == 0 ? ASSAY_STORE_MODULE_SEPARATOR
                                       : strcmp(name, "add") == 0   ? ASSAY_STORE_MODULE_ADD
                                                                    : ASSAY_STORE_MODULE_REMOVE;
    return assay_store_modules_edit(m, how, words[0], count > 1 ? words[1] : NULL, err);
}

static int change(struct cli *c, assay_store_modules *m)
{
    assay_error err = { 0 };
    int rc = 0;
    if (!m->file) return cli_usage(c->verb, "the git repository has no work tree to keep modules in");
    for (size_t i = 0; rc == 0 && i < c->set.cov.steps.len; i++) rc = change_one(c, m, i, &err);
    return rc == 0 ? COV_DONE : cov_say(&err, COV_WRONG);
}

/* ---- the command line ---- */

static int check_step(const struct cli *c, size_t i)
{
    static const char *const two[] = { "add", "remove" };
    size_t count, want = 1;
    const char *name = c->set.cov.steps.at[i].option->name;
    cov_step(&c->set, i, &count);
    for (size_t k = 0; k < 2; k++)
        if (strcmp(name, two[k]) == 0) want = 2;
    bool is_show = strcmp(name, "show-sep") == 0;
    if (is_show && c->set.cov.steps.len > 1) return cli_usage(c->verb, "--show-sep cannot be combined with other options");
    if (is_show ? count > 1 : count != want)
        return cli_usage(c->verb, "--%s needs %s", name, is_show ? "at most one commit" : want == 2 ? "a name and a path" : "one argument");
    return 0;
}

static int run(struct cli *c)
{
    assay_error err = { 0 };
    assay_store_modules *m;
    const struct steps *steps = &c->set.cov.steps;
    int code = 0;
    if (steps->len && steps->at[0].first > 0) return cli_usage(c->verb, "unexpected argument '%s' before --%s", c->set.files.at[0], steps->at[0].option->name);
    if (!steps->len && c->set.files.len > 1) return cli_usage(c->verb, "at most one commit");
    for (size_t i = 0; code == 0 && i < steps->len; i++) code = check_step(c, i);
    if (code != 0) return code;
    bool is_show = steps->len && strcmp(steps->at[0].option->name, "show-sep") == 0, is_change = steps->len && !is_show;
    if (assay_store_modules_new(".", is_change ? NULL : cov_revision(c), &m, &err) != 0) return cov_say(&err, COV_WRONG);
    code = is_change ? change(c, m) : print(c, m, is_show);
    assay_store_modules_free(m);
    return code;
}

const struct verb cov_module_verb = { .name = "cov module",
                                      .summary = "list or change groups of files",
                                      .arguments = "[COMMIT]",
                                      .most_files = SIZE_MAX,
                                      .options = options,
                                      .text = text,
                                      .examples = examples,
                                      .run = run };

/* assay cov module: groups of files with a name. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "cli/cov/cov.h"
#include "cli/shared.h"
#include "store/modules.h"

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

struct job {
    struct cli *c;
    struct git *git;
    char file[GIT_PATH_LEN]; /* .covmodules; "" = bare */
};

/* The repository of the store here, or else the one around this folder. */
static int open_git(struct job *j, assay_error *err)
{
    char store[GIT_PATH_LEN], path[GIT_PATH_LEN] = "";
    struct git_place place;
    struct store *s;
    struct config config;
    bool is_worktree;
    if (discover_store(".", store, &is_worktree, NULL) == 0 && store_open(&s, store, &j->c->mem, NULL) == 0) {
        config_init(&config, &j->c->mem);
        config_load_all(&config, store_common(s), NULL);
        discover_git(store, store_common(s), config_get(&config, "core.gitdir"), path);
        config_done(&config);
        store_close(s);
    }
    if (!*path) {
        TRY(git_locate(".", true, &place, err));
        memcpy(path, place.dir, sizeof path);
    }
    TRY(git_open(&j->git, path, &j->c->mem, err));
    const char *tree = git_root(j->git);
    if (tree && snprintf(j->file, sizeof j->file, "%s.covmodules", tree) >= (int)sizeof j->file)
        FAIL(err, ASSAY_ERR_LIMIT, "the path of the work tree is too long");
    return 0;
}

/* ---- printing ---- */

static int load(struct job *j, struct modules *m, const char *commit, assay_error *err)
{
    struct cov_id id;
    modules_init(m, &j->c->mem);
    if (!commit) return *j->file ? modules_load(m, j->file, err) : 0;
    int rc = git_revision(j->git, commit, &id, err);
    if (rc == ASSAY_ERR_UNKNOWN) return 0;
    return rc == 0 ? modules_load_commit(m, j->git, &id, err) : rc;
}

static void print_json(struct output *out, const struct modules *m)
{
    struct json json;
    json_init(&json, out);
    json_object(&json);
    json_key(&json, "assay");
    json_u64(&json, 1);
    json_key(&json, "verb");
    json_text(&json, "cov module");
    json_key(&json, "separator");
    json_text(&json, m->separator);
    json_key(&json, "modules");
    json_array(&json);
    for (size_t i = 0; i < m->names.len; i++) {
        json_object(&json);
        json_key(&json, "name");
        json_text(&json, m->names.at[i]);
        json_key(&json, "paths");
        json_array(&json);
        for (size_t k = 0; k < m->paths.len; k++)
            if (m->paths.at[k].module == m->names.at[i]) json_text(&json, m->paths.at[k].path);
        json_end(&json);
        json_end(&json);
    }
    json_end(&json);
    json_end(&json);
}

static int print(struct job *j, const char *commit, bool only_separator)
{
    assay_error err = { 0 };
    struct modules m;
    struct output *out;
    int rc = load(j, &m, commit, &err), code = COV_WRONG;
    if (rc != 0)
        cov_say(&err, COV_WRONG);
    else if (cli_open_output(j->c, &out)) {
        if (j->c->set.json)
            print_json(out, &m);
        else if (only_separator && m.stated)
            output_printf(out, "%s\n", m.stated);
        for (size_t i = 0; !j->c->set.json && !only_separator && i < m.names.len; i++) {
            output_printf(out, "%s\n", m.names.at[i]);
            for (size_t k = 0; k < m.paths.len; k++)
                if (m.paths.at[k].module == m.names.at[i]) output_printf(out, "- %s\n", m.paths.at[k].path);
        }
        code = cli_close_output(j->c, out);
    }
    modules_done(&m);
    return code;
}

/* ---- changing ---- */

static int change_one(struct job *j, size_t i, assay_error *err)
{
    struct modules m;
    size_t count;
    const char *name = j->c->set.cov.steps.at[i].option->name;
    const char *const *words = cov_step(&j->c->set, i, &count);
    int rc = load(j, &m, NULL, err);
    if (rc == 0 && strcmp(name, "set-sep") == 0)
        rc = modules_edit_separator(j->file, words[0], err);
    else if (rc == 0 && strcmp(name, "add") == 0)
        rc = modules_edit_add(j->file, &m, words[0], words[1], err);
    else if (rc == 0)
        rc = modules_edit_remove(j->file, &m, words[0], count > 1 ? words[1] : NULL, &j->c->mem, err);
    modules_done(&m);
    return rc;
}

static int change(struct job *j)
{
    assay_error err = { 0 };
    int rc = 0;
    if (!*j->file) return cli_usage(j->c->verb, "the git repository has no work tree to keep modules in");
    for (size_t i = 0; rc == 0 && i < j->c->set.cov.steps.len; i++) rc = change_one(j, i, &err);
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
    struct job j = { .c = c };
    assay_error err = { 0 };
    const struct steps *steps = &c->set.cov.steps;
    int code = 0;
    if (steps->len && steps->at[0].first > 0) return cli_usage(c->verb, "unexpected argument '%s' before --%s", c->set.files.at[0], steps->at[0].option->name);
    if (!steps->len && c->set.files.len > 1) return cli_usage(c->verb, "at most one commit");
    for (size_t i = 0; code == 0 && i < steps->len; i++) code = check_step(c, i);
    if (code != 0) return code;
    bool is_show = steps->len && strcmp(steps->at[0].option->name, "show-sep") == 0;
    const char *commit = c->set.files.len ? c->set.files.at[0] : NULL;
    if (open_git(&j, &err) != 0) return cov_say(&err, COV_WRONG);
    code = steps->len && !is_show ? change(&j) : print(&j, commit, is_show);
    git_close(j.git);
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

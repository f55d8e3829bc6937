/* assay cov config: settings of the store, the person and the machine. */
#include <string.h>

#include "base/json.h"
#include "cli/cov/cov.h"
#include "cli/help.h"
#include "cli/shared.h"

static const struct option_spec options[] = {
    { .name = "local", .type = OPTION_FLAG, AT(cov.local), .help = "use only the settings of the store" },
    { .name = "global", .type = OPTION_FLAG, AT(cov.global), .help = "use only the settings of the user: ~/.config/cov/config and ~/.covconfig" },
    { .name = "system", .type = OPTION_FLAG, AT(cov.system), .help = "use only the settings of the machine: etc/covconfig where assay is installed" },
    { .name = "file", .letter = 'f', .type = OPTION_PATH, .argument = "FILE", AT(cov.file), .help = "use only the settings in FILE" },
    { .name = "add", .type = OPTION_STEP, AT(cov.steps), .help = "NAME VALUE: add a value to NAME" },
    { .name = "get", .type = OPTION_STEP, AT(cov.steps), .help = "NAME: print its value, the last one if there are several" },
    { .name = "get-all", .type = OPTION_STEP, AT(cov.steps), .help = "NAME: print all its values" },
    { .name = "unset", .type = OPTION_STEP, AT(cov.steps), .help = "NAME: remove it" },
    { .name = "unset-all", .type = OPTION_STEP, AT(cov.steps), .help = "NAME: remove all its values" },
    { .name = "list", .letter = 'l', .type = OPTION_STEP, AT(cov.steps), .help = "print all settings" },
    OPTION_JSON,
    OPTION_HELP,
    OPTION_END,
};

static const char *const text[] = {
    "Prints the value of NAME, or sets it to VALUE. Unless an option selects a file, all files are read, and the file of the store is changed.",
    "core.rating, core.rating-lines, core.rating-functions and core.rating-branches set the thresholds for ratings: with '9/10, 75%', 90 percent or more pass "
    "and less than 75 percent fail. alias.NAME is the command line that 'assay cov NAME' runs.",
    NULL,
};

static const struct assay_verb_example examples[] = {
    { "assay cov config core.rating '90%, 75%'", "set the thresholds for ratings" },
    { "assay cov config --list", "all settings" },
    { NULL, NULL },
};

enum action { ACTION_GET, ACTION_SET, ACTION_ADD, ACTION_GET_ALL, ACTION_UNSET, ACTION_UNSET_ALL, ACTION_LIST };

struct job {
    struct cli *c;
    enum action action;
    const char *name, *value;
    char store[ASSAY_STORE_PATH_MAX]; /* "" = there is none */
};

/* ---- the command line ---- */

static int parse_step(struct job *j)
{
    static const struct {
        const char *name;
        enum action action;
        size_t least, most;
    } known[] = { { "add", ACTION_ADD, 2, 2 },
                  { "get", ACTION_GET, 1, 1 },
                  { "get-all", ACTION_GET_ALL, 1, 1 },
                  { "unset", ACTION_UNSET, 1, 1 },
                  { "unset-all", ACTION_UNSET_ALL, 1, 1 },
                  { "list", ACTION_LIST, 0, 0 } };
    const struct settings *s = &j->c->set;
    const struct step *step = &s->cov.steps.at[0];
    size_t count, i = 0;
    const char *const *words = cov_step(s, 0, &count);
    while (strcmp(known[i].name, step->option->name) != 0) i++;
    if (s->cov.steps.len > 1) return cli_usage(j->c->verb, "--%s and --%s cannot be combined", step->option->name, s->cov.steps.at[1].option->name);
    if (step->first > 0) return cli_usage(j->c->verb, "unexpected argument '%s' before --%s", s->files.at[0], step->option->name);
    if (count < known[i].least || count > known[i].most)
        return cli_usage(j->c->verb, "--%s needs %s", step->option->name,
                         known[i].most == 2 ? "a name and a value"
                         : known[i].most    ? "one name"
                                            : "nothing else");
    j->action = known[i].action;
    j->name = count > 0 ? words[0] : NULL;
    j->value = count > 1 ? words[1] : NULL;
    return 0;
}

static int parse(struct job *j)
{
    const struct settings *s = &j->c->set;
    if (s->cov.local + s->cov.global + s->cov.system + (s->cov.file != NULL) > 1) return cli_usage(j->c->verb, "one file at a time");
    if (s->cov.steps.len) return parse_step(j);
    if (s->files.len > 2) return cli_usage(j->c->verb, "at most a name and a value are allowed; unexpected argument '%s'", s->files.at[2]);
    j->name = s->files.at[0];
    j->value = s->files.len > 1 ? s->files.at[1] : NULL;
    j->action = j->value ? ACTION_SET : ACTION_GET;
    return 0;
}

static bool is_change(enum action a) { return a == ACTION_SET || a == ACTION_ADD || a == ACTION_UNSET || a == ACTION_UNSET_ALL; }

/* ---- changing ---- */

static const char *store_of(const struct job *j) { return *j->store ? j->store : NULL; }

static int change(struct job *j)
{
    static const enum assay_store_edit edits[] = {
        [ACTION_SET] = ASSAY_STORE_SET, [ACTION_ADD] = ASSAY_STORE_ADD, [ACTION_UNSET] = ASSAY_STORE_UNSET, [ACTION_UNSET_ALL] = ASSAY_STORE_UNSET_ALL
    };
    const struct cov_settings *s = &j->c->set.cov;
    char path[ASSAY_STORE_PATH_MAX];
    assay_error err = { 0 };
    enum assay_store_level level = s->system ? ASSAY_STORE_SYSTEM : s->global ? ASSAY_STORE_GLOBAL : ASSAY_STORE_LOCAL;
    if (!s->file && !assay_store_config_file(store_of(j), level, path))
        return cli_usage(j->c->verb, "nowhere to keep this setting: no store or no home directory");
    int rc = assay_store_config_edit(s->file ? s->file : path, edits[j->action], j->name, j->value, &err);
    return rc == 0 ? COV_DONE : cov_say(&err, COV_WRONG);
}

/* ---- printing ---- */

/* What the options ask for; 0 = all. */
static unsigned levels_of(const struct cov_settings *s)
{
    if (s->local) return 1u << ASSAY_STORE_LOCAL;
    if (s->global) return 1u << ASSAY_STORE_XDG | 1u << ASSAY_STORE_GLOBAL;
    return s->system ? 1u << ASSAY_STORE_SYSTEM : 0;
}

static void print_json(struct output *out, const assay_store_config *config, const char *name)
{
    static const char *const levels[] = { "system", "xdg", "global", "local" };
    struct json json;
    cov_begin_json(&json, out, "cov config");
    json_key(&json, "settings");
    json_array(&json);
    for (size_t i = 0; i < config->count; i++) {
        if (name && strcmp(config->name[i], name) != 0) continue;
        json_object(&json);
        json_key(&json, "name");
        json_text(&json, config->name[i]);
        json_key(&json, "value");
        json_text(&json, config->value[i]);
        json_key(&json, "level");
        json_text(&json, levels[config->level[i]]);
        json_end(&json);
    }
    json_end(&json);
    json_end(&json);
}

static void print_text(const struct job *j, struct output *out, const assay_store_config *config, const char *name)
{
    const char *value = j->action == ACTION_GET ? assay_store_config_get(config, name) : NULL;
    if (value) output_printf(out, "%s\n", value);
    for (size_t i = 0; j->action != ACTION_GET && i < config->count; i++) {
        if (j->action == ACTION_LIST)
            output_printf(out, "%s=%s\n", config->name[i], config->value[i]);
        else if (strcmp(config->name[i], name) == 0)
            output_printf(out, "%s\n", config->value[i]);
    }
}

static int print(struct job *j)
{
    struct output *out;
    char name[ASSAY_STORE_PATH_MAX];
    assay_error err = { 0 };
    assay_store_config *config;
    int code = COV_WRONG;
    if (j->name && !assay_store_config_name(j->name, name)) return cli_usage(j->c->verb, "invalid setting '%s'; use SECTION.NAME", j->name);
    if (assay_store_config_new(store_of(j), levels_of(&j->c->set.cov), j->c->set.cov.file, &config, &err) != 0)
        cov_say(&err, COV_WRONG);
    else if (cli_open_output(j->c, &out)) {
        if (j->c->set.json)
            print_json(out, config, j->name ? name : NULL);
        else
            print_text(j, out, config, name);
        code = cli_close_output(j->c, out);
    }
    assay_store_config_free(config);
    return code;
}

static int run(struct cli *c)
{
    struct job j = { .c = c };
    assay_error err = { 0 };
    if (!c->set.files.len && !c->set.cov.steps.len) return help_run_verb(c, c->verb);
    int rc = parse(&j);
    if (rc != 0) return rc;
    if (assay_store_find(".", j.store, sizeof j.store, &err) != 0) j.store[0] = '\0';
    bool needs_store = !c->set.cov.file && !c->set.cov.global && !c->set.cov.system && (c->set.cov.local || is_change(j.action));
    if (needs_store && !*j.store) return cov_say(&err, COV_WRONG);
    return is_change(j.action) ? change(&j) : print(&j);
}

const struct verb cov_config_verb = { .name = "cov config",
                                      .summary = "print or change settings",
                                      .arguments = "[NAME [VALUE]]",
                                      .most_files = SIZE_MAX,
                                      .options = options,
                                      .text = text,
                                      .examples = examples,
                                      .run = run };

/* assay cov config: settings of the store, the person and the machine. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/json.h"
#include "cli/cov/cov.h"
#include "cli/help.h"
#include "cli/shared.h"
#include "store/config_edit.h"

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
    char store[GIT_PATH_LEN]; /* "" = there is none */
    struct config config;
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

/* The folders that a path needs. */
static void make_folders(char *path)
{
    for (char *p = path + 1; *p; p++) {
        if (*p != '/') continue;
        *p = '\0';
        mkdir(path, 0777);
        *p = '/';
    }
}

static int target(struct job *j, char path[CONFIG_PATH_LEN])
{
    const struct cov_settings *s = &j->c->set.cov;
    char old[CONFIG_PATH_LEN];
    if (s->file) {
        if (strlen(s->file) >= CONFIG_PATH_LEN) return cli_usage(j->c->verb, "the file name is too long");
        memcpy(path, s->file, strlen(s->file) + 1);
        return 0;
    }
    config_path(s->system ? CONFIG_SYSTEM : s->global ? CONFIG_XDG : CONFIG_LOCAL, *j->store ? j->store : NULL, path);
    if (s->global) {
        config_path(CONFIG_GLOBAL, NULL, old);
        if (*old && access(old, F_OK) == 0) memcpy(path, old, sizeof old);
        make_folders(path);
    }
    return *path ? 0 : cli_usage(j->c->verb, "nowhere to keep this setting: no store or no home directory");
}

static int change(struct job *j)
{
    char path[CONFIG_PATH_LEN];
    assay_error err = { 0 };
    int rc = target(j, path);
    if (rc != 0) return rc;
    switch (j->action) {
    case ACTION_SET: rc = config_edit_set(path, j->name, j->value, &err); break;
    case ACTION_ADD: rc = config_edit_add(path, j->name, j->value, &err); break;
    case ACTION_UNSET: rc = config_edit_unset(path, j->name, &err); break;
    default: rc = config_edit_unset_all(path, j->name, &err); break;
    }
    return rc == 0 ? COV_DONE : cov_say(&err, COV_WRONG);
}

/* ---- printing ---- */

static int load(struct job *j)
{
    const struct cov_settings *s = &j->c->set.cov;
    char path[CONFIG_PATH_LEN];
    assay_error err = { 0 };
    int rc = 0;
    if (s->file) return config_load(&j->config, s->file, CONFIG_LOCAL, &err) == 0 ? 0 : cov_say(&err, COV_WRONG);
    for (unsigned level = CONFIG_SYSTEM; rc == 0 && level <= CONFIG_LOCAL; level++) {
        bool is_global = level == CONFIG_XDG || level == CONFIG_GLOBAL;
        if ((s->local && level != CONFIG_LOCAL) || (s->global && !is_global) || (s->system && level != CONFIG_SYSTEM)) continue;
        config_path((enum config_level)level, *j->store ? j->store : NULL, path);
        if (*path) rc = config_load(&j->config, path, (enum config_level)level, &err);
    }
    return rc == 0 ? 0 : cov_say(&err, COV_WRONG);
}

static void print_json(struct job *j, struct output *out, const char *key)
{
    static const char *const levels[] = { "system", "xdg", "global", "local" };
    struct json json;
    json_init(&json, out);
    json_object(&json);
    json_key(&json, "assay");
    json_u64(&json, 1);
    json_key(&json, "verb");
    json_text(&json, "cov config");
    json_key(&json, "settings");
    json_array(&json);
    for (size_t i = 0; i < j->config.entries.len; i++) {
        const struct config_entry *e = &j->config.entries.at[i];
        if (key && strcmp(e->key, key) != 0) continue;
        json_object(&json);
        json_key(&json, "name");
        json_text(&json, e->key);
        json_key(&json, "value");
        json_text(&json, e->value);
        json_key(&json, "level");
        json_text(&json, levels[e->level]);
        json_end(&json);
    }
    json_end(&json);
    json_end(&json);
}

static int print(struct job *j)
{
    struct output *out;
    const char *key = j->name ? config_key(&j->config, j->name) : NULL, *value;
    if (j->name && !key) return cli_usage(j->c->verb, "invalid setting '%s'; use SECTION.NAME", j->name);
    int rc = load(j);
    if (rc != 0) return rc;
    if (!cli_open_output(j->c, &out)) return COV_WRONG;
    if (j->c->set.json)
        print_json(j, out, key);
    else if (j->action == ACTION_GET && (value = config_get(&j->config, key)))
        output_printf(out, "%s\n", value);
    for (size_t i = 0; !j->c->set.json && j->action != ACTION_GET && i < j->config.entries.len; i++) {
        const struct config_entry *e = &j->config.entries.at[i];
        if (j->action == ACTION_LIST)
            output_printf(out, "%s=%s\n", e->key, e->value);
        else if (strcmp(e->key, key) == 0)
            output_printf(out, "%s\n", e->value);
    }
    return cli_close_output(j->c, out);
}

static int run(struct cli *c)
{
    struct job j = { .c = c };
    bool is_worktree;
    assay_error err = { 0 };
    if (!c->set.files.len && !c->set.cov.steps.len) return help_run_verb(c, c->verb);
    int rc = parse(&j);
    if (rc != 0) return rc;
    if (discover_store(".", j.store, &is_worktree, &err) != 0) j.store[0] = '\0';
    bool needs_store = !c->set.cov.file && !c->set.cov.global && !c->set.cov.system && (c->set.cov.local || is_change(j.action));
    if (needs_store && !*j.store) return cov_say(&err, COV_WRONG);
    config_init(&j.config, &c->mem);
    rc = is_change(j.action) ? change(&j) : print(&j);
    config_done(&j.config);
    return rc;
}

const struct verb cov_config_verb = { .name = "cov config",
                                      .summary = "print or change settings",
                                      .arguments = "[NAME [VALUE]]",
                                      .most_files = SIZE_MAX,
                                      .options = options,
                                      .text = text,
                                      .examples = examples,
                                      .run = run };

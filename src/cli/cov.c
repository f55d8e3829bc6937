/* assay cov: the family of commands that keep coverage beside git. Finds the command, an alias for one, or a program cov-NAME. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/installed.h"
#include "cli/cov/cov.h"
#include "cli/help.h"
#include "cli/shared.h"
#include "cli/verbs.h"

enum { MAX_ALIASES = 32, MAX_WORDS = 256 };

/* Those that the original program has come first: scripts ask for them by --list-cmds builtins. */
// clang-format off
static const struct verb *const commands[] = {
    &cov_init_verb,
    &cov_config_verb,
    &cov_module_verb,
    &cov_report_verb,
    &cov_branch_verb,
    &cov_tag_verb,
    &cov_checkout_verb,
    &cov_log_verb,
    &cov_show_verb,
    &cov_reset_verb,
    &cov_import_verb,
    &cov_export_verb,
    &cov_diff_verb,
    &cov_patch_verb,
    &cov_reflog_verb,
    &cov_fsck_verb,
    &cov_gc_verb,
    NULL,
};
// clang-format on
enum { ORIGINAL_COMMANDS = 10 };

static const struct option_spec options[] = {
    { .name = "directory", .letter = 'C', .type = OPTION_PATH, .argument = "DIR", AT(cov.place), .help = "run as if started in DIR" },
    { .name = "list-cmds",
      .type = OPTION_TEXT,
      .argument = "GROUPS",
      AT(cov.list),
      .help = "list commands, one per line",
      .text = "GROUPS is a comma-separated list of builtins, more (commands only assay has), aliases, others (programs named cov-NAME)." },
    { .name = "version", .letter = 'v', .type = OPTION_FLAG, AT(version), .help = "print the version" },
    OPTION_HELP,
    OPTION_END,
};

static const char *const text[] = {
    "Stores coverage reports for the commits of a git repository, with branches, tags and a log of their own. The store is .covdata in the git directory, and "
    "the program cov can use it too.",
    "A revision is a branch, a tag, HEAD, or the first digits of a report id, optionally followed by ^ and ~N for its ancestors; A..B is a range.",
    "The exit status is 0 on success, 1 if the command was refused, 2 if the command line is wrong or something was not found.",
    NULL,
};

static const struct assay_verb_example examples[] = {
    { "assay cov init", "create a store for the current repository" },
    { "assay cov import coverage.info", "store lcov data for the commit at HEAD" },
    { "assay cov log --oneline", "list the reports, newest first" },
    { NULL, NULL },
};

/* ---- aliases ---- */

/* Words of an alias: blanks separate, quotes of both kinds hold together, a backslash takes the next character as it is. `text` is changed.
 * SIZE_MAX = too many. */
static size_t split(char *words_text, char **words, size_t room)
{
    size_t n = 0;
    for (char *in = words_text; *in;) {
        while (*in == ' ' || *in == '\t' || *in == '\n') in++;
        if (!*in) break;
        if (n == room) return SIZE_MAX;
        char *out = in, quote = '\0';
        words[n++] = out;
        for (; *in && (quote || !strchr(" \t\n", *in)); in++) {
            if (quote ? *in == quote : *in == '"' || *in == '\'')
                quote = quote ? '\0' : *in;
            else
                *out++ = *in == '\\' && in[1] && quote != '\'' ? *++in : *in;
        }
        if (*in) in++;
        *out = '\0';
    }
    return n;
}

static bool asks_for_help(int argc, char **argv)
{
    for (int i = 0; i < argc; i++)
        if (strcmp(argv[i], "-h") == 0 || strcmp(argv[i], "--help") == 0) return true;
    return false;
}

/* ---- other programs ---- */

static bool is_program(const char *dir, size_t len, const char *name, char *path, size_t room)
{
    int n = snprintf(path, room, "%.*s/cov-%s", (int)len, dir, name);
    return len && n > 0 && (size_t)n < room && access(path, X_OK) == 0;
}

static bool find_in(const char *list, const char *name, char *path, size_t room)
{
    for (; list && *list; list += strcspn(list, ":"), list += *list == ':')
        if (is_program(list, strcspn(list, ":"), name, path, room)) return true;
    return false;
}

static bool find_program(const char *name, char *path, size_t room)
{
    char prefix[INSTALLED_PATH_LEN], dir[INSTALLED_PATH_LEN + 16];
    if (strchr(name, '/')) return false;
    installed_prefix(prefix);
    snprintf(dir, sizeof dir, "%s/libexec/cov", prefix);
    return find_in(dir, name, path, room) || find_in(getenv("COV_PATH"), name, path, room) || find_in(getenv("PATH"), name, path, room);
}

static int run_program(char *path, int argc, char **argv)
{
    char *words[MAX_WORDS + 2];
    int n = 0, status;
    if (argc > MAX_WORDS) return cli_usage(&cov_verb, "more than %d arguments", MAX_WORDS);
    words[n++] = path;
    for (int i = 0; i < argc; i++) words[n++] = argv[i];
    words[n] = NULL;
    pid_t child = fork();
    if (child == 0) {
        execv(path, words);
        _exit(127);
    }
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    if (child < 0) return cli_message("cannot start %s", path), COV_REFUSED;
    return WIFEXITED(status) ? WEXITSTATUS(status) : COV_REFUSED;
}

/* ---- the command ---- */

static int unknown(const char *word)
{
    const char *names[32];
    size_t n = 0;
    for (const struct verb *const *v = commands; *v; v++) names[n++] = cli_word(*v);
    names[n] = NULL;
    const char *best = options_nearest(word, names);
    if (best)
        cli_usage(&cov_verb, "unknown command 'cov %s'; did you mean 'cov %s'?", word, best);
    else
        cli_usage(&cov_verb, "unknown command 'cov %s'", word);
    return COV_REFUSED;
}

/* Settings of all levels; without a store those of the machine and the person. What is damaged is for `assay cov config` to say. NULL = none. */
static assay_store_config *load_settings(void)
{
    char store[ASSAY_STORE_PATH_MAX];
    assay_store_config *config;
    bool has_store = assay_store_find(".", store, sizeof store, NULL) == 0;
    assay_store_config_new(has_store ? store : NULL, 0, NULL, &config, NULL);
    return config;
}

struct aliases {
    const assay_store_config *config; /* NULL = none */
    struct arena *text;               /* of those that were used */
};

/* `argv` has MAX_WORDS places. The alias takes the place of its name; true = there was one. */
static bool expand(const struct aliases *aliases, int *argc, char **argv, int *code)
{
    char key[ASSAY_STORE_PATH_MAX], *words[MAX_WORDS];
    snprintf(key, sizeof key, "alias.%s", argv[0]);
    const char *value = aliases->config ? assay_store_config_get(aliases->config, key) : NULL;
    if (!value) return false;
    char *copy = arena_copy(aliases->text, slice_of(value));
    size_t n = copy ? split(copy, words, MAX_WORDS) : SIZE_MAX;
    if (n == 0) {
        cli_message("the alias '%s' is empty", argv[0]);
        *code = COV_EMPTY_ALIAS;
    } else if (n == SIZE_MAX || n + (size_t)*argc > MAX_WORDS) {
        cli_message("the alias '%s' is too long", argv[0]);
        *code = COV_WRONG;
    } else {
        memmove(argv + n, argv + 1, (size_t)(*argc - 1) * sizeof *argv);
        memcpy(argv, words, n * sizeof *argv);
        *argc += (int)n - 1;
    }
    return true;
}

static int run_command(struct cli *c, const struct aliases *aliases, int argc, char **argv)
{
    char *words[MAX_WORDS], path[INSTALLED_PATH_LEN];
    int code = -1;
    if (argc > MAX_WORDS) return cli_usage(&cov_verb, "more than %d arguments", MAX_WORDS);
    memcpy(words, argv, (size_t)argc * sizeof *argv);
    for (unsigned i = 0; code < 0; i++) {
        const struct verb *v = cli_find_command(&cov_family, words[0]);
        if (v) {
            c->verb = v;
            return cli_run(c, argc - 1, words + 1);
        }
        const char *name = words[0];
        bool wants_help = i == 0 && asks_for_help(argc - 1, words + 1);
        if (i >= MAX_ALIASES) return cli_message("the alias '%s' refers to itself", name), COV_WRONG;
        if (!expand(aliases, &argc, words, &code)) break;
        if (wants_help && code < 0) return cli_message("'%s' is an alias: %s%s", name, words[0], argc > 1 ? " ..." : ""), COV_DONE;
    }
    if (code >= 0) return code;
    return find_program(words[0], path, sizeof path) ? run_program(path, argc - 1, words + 1) : unknown(words[0]);
}

/* ---- --list-cmds ---- */

static int compare_names(const void *a, const void *b) { return strcmp(*(const char *const *)a, *(const char *const *)b); }

static bool has_group(const char *groups, const char *name)
{
    size_t len = strlen(name);
    for (const char *p = groups; *p; p += strcspn(p, ","), p += *p == ',')
        if (strcspn(p, ",") == len && strncmp(p, name, len) == 0) return true;
    return false;
}

static int list_commands(struct cli *c, const assay_store_config *config)
{
    const char *names[MAX_WORDS];
    size_t n = 0, i = 0;
    struct output *out;
    for (const struct verb *const *v = commands; *v; v++, i++)
        if (has_group(c->set.cov.list, i < ORIGINAL_COMMANDS ? "builtins" : "more")) names[n++] = cli_word(*v);
    for (i = 0; config && i < config->count && n < MAX_WORDS; i++)
        if (has_group(c->set.cov.list, "aliases") && strncmp(config->name[i], "alias.", 6) == 0) names[n++] = config->name[i] + 6;
    qsort(names, n, sizeof *names, compare_names);
    if (!cli_open_output(c, &out)) return c->exit;
    for (i = 0; i < n; i++)
        if (i == 0 || strcmp(names[i], names[i - 1]) != 0) output_printf(out, "%s\n", names[i]);
    return cli_close_output(c, out);
}

/* ---- the verb ---- */

/* How many words at the beginning are options of the family itself. */
static int own_words(int argc, char **argv)
{
    int n = 0;
    while (n < argc && argv[n][0] == '-' && argv[n][1]) {
        bool takes_next = strcmp(argv[n], "-C") == 0 || strcmp(argv[n], "--directory") == 0 || strcmp(argv[n], "--list-cmds") == 0;
        n += takes_next ? 2 : 1;
    }
    return n < argc ? n : argc;
}

static int dispatch(struct cli *c, int argc, char **argv)
{
    assay_error err = { 0 };
    struct arena used;
    int own = own_words(argc, argv), code;
    if (options_parse(options, own, argv, NULL, &c->set, &c->mem, &err) != 0) return cli_usage(&cov_verb, "%s", err.text);
    if (c->set.help) return help_run_verb(c, &cov_verb);
    if (c->set.version) return printf("assay cov %s\n", assay_version()) < 0 ? CLI_OUTPUT : COV_DONE;
    if (c->set.cov.place && chdir(c->set.cov.place) != 0) return cli_usage(&cov_verb, "cannot change to directory %s: %s", c->set.cov.place, strerror(errno));
    if (!c->set.cov.list && own == argc) return cli_usage(&cov_verb, "cov needs a command");
    if (!c->set.cov.list && cli_find_command(&cov_family, argv[own])) {
        c->verb = cli_find_command(&cov_family, argv[own]);
        return cli_run(c, argc - own - 1, argv + own + 1);
    }
    assay_store_config *config = load_settings();
    arena_init(&used, &c->mem);
    code = c->set.cov.list ? list_commands(c, config) : run_command(c, &(struct aliases){ config, &used }, argc - own, argv + own);
    arena_done(&used);
    assay_store_config_free(config);
    return code;
}

const struct verb cov_verb = {
    .name = "cov",
    .summary = "store coverage alongside the git history",
    .arguments = "COMMAND ...",
    .options = options,
    .text = text,
    .examples = examples,
};

const struct family cov_family = { &cov_verb, commands, dispatch };

/* The command. Finds the verb, reads its options, runs it. */
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "assay/mcp.h"
#include "cli/cli.h"
#include "cli/help.h"
#include "cli/shared.h"
#include "cli/verbs.h"

const struct family *const cli_families[] = { &cov_family, NULL };

const struct option_spec cli_options[] = {
    { .name = "help", .letter = 'h', .type = OPTION_FLAG, AT(help), .help = "list the commands" },
    { .name = "version", .letter = 'V', .type = OPTION_FLAG, AT(version), .help = "print the version and the libraries used" },
    OPTION_END,
};

/* `assay`, `assay --help`, `assay --version`. */
static int run_without_verb(struct cli *c, int argc, char **argv)
{
    assay_error err = { 0 };
    struct output *out;
    if (options_parse(cli_options, argc - 1, argv + 1, NULL, &c->set, &c->mem, &err) != 0) return cli_usage(NULL, "%s", err.text);
    terminal_init(&c->term, COLOR_AUTO, true, false);
    if (!cli_open_output(c, &out)) return c->exit;
    if (c->set.version && !c->set.help) {
        const char *missing = assay_missing_libraries();
        output_printf(out, "assay %s\n%s\n%s%s", assay_version(), assay_libraries(), missing, *missing ? "\n" : "");
    } else
        help_show_all(out);
    return cli_close_output(c, out);
}

/* The first argument names no verb. */
static bool is_file(const char *argument)
{
    char path[PATH_MAX];
    struct stat st;
    return strcmp(argument, "-") == 0 || strchr(argument, '/') || stat(argument, &st) == 0 || assay_handle_find(argument, path, sizeof path);
}

static int run(struct cli *c, int argc, char **argv)
{
    if (argc < 2 || (argv[1][0] == '-' && argv[1][1])) return run_without_verb(c, argc, argv);
    c->verb = cli_find_verb(argv[1]);
    if (!c->verb && !is_file(argv[1])) return cli_unknown_verb(argv[1]);
    if (!c->verb) {
        c->verb = cli_summary();
        return cli_run(c, argc - 1, argv + 1);
    }
    const struct family *family = cli_family(c->verb);
    return family ? family->dispatch(c, argc - 2, argv + 2) : cli_run(c, argc - 2, argv + 2);
}

int cli_main(int argc, char **argv)
{
    struct cli c = { 0 };
    terminal_reserve_streams();
    mem_init(&c.mem, 0);
    interrupt_init();
    assay_cancel_set(interrupt_asked, NULL);
    int code = cli_init_verbs(&c.mem) ? run(&c, argc, argv) : CLI_OUTPUT;
    terminal_stop_pager(&c.term);
    options_done(&c.set, &c.mem);
    vec_done(&c.mem, &c.options);
    vec_done(&c.mem, &c.writing);
    cli_free_verbs(&c.mem);
    interrupt_obey();
    return code;
}

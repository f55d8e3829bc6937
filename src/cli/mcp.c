/* assay mcp: the analysis as tools of the Model Context Protocol, over standard input and output. */
#include <signal.h>
#include <unistd.h>

#include "assay/mcp.h"
#include "cli/cli.h"
#include "cli/shared.h"
#include "cli/verbs.h"

static const struct option_spec options[] = {
    { .name = "max-answer",
      .type = OPTION_SIZE,
      .argument = "SIZE",
      AT(max_answer),
      .help = "cut answers that are longer than SIZE; 16K by default",
      .text = "K and M are powers of 1024; at least 1K. The last line of a cut answer says how to ask for the rest." },
    { .name = "max-seconds",
      .type = OPTION_NUMBER,
      .argument = "N",
      AT(max_seconds),
      .least = 1,
      .most = UINT32_MAX,
      .help = "fail if an SQL statement takes longer than N seconds; 60 by default" },
    { .name = "no-handles", .type = OPTION_FLAG, AT(no_handles), .help = "do not make handles known to other commands: nothing is written" },
    OPTION_MAX_MEMORY,
    OPTION_HELP,
    OPTION_END,
};

static const char *const text[] = {
    "Serves tools to a coding assistant, or to any other client of the Model Context Protocol: open, top, tree, callers, annotate, diff, and query where SQL "
    "is "
    "built in. The client starts this command and talks to it over standard input and output; it ends when the input ends.",
    "Tools only read, and only files below the FOLDERs (by default, the current one): a symbolic link that leads out of them is refused, and so are sources "
    "and programs elsewhere that a file refers to.",
    "Files that were opened have handles, such as f12. Every command takes them in place of a file, unless there is a file of that name: 'assay top f12'. They "
    "are kept for the user in $XDG_RUNTIME_DIR/assay, or in ~/.cache/assay. docs/agents.md tells more.",
    NULL,
};

static const struct assay_verb_example examples[] = {
    { "assay mcp .", "what a client runs, to serve the project it is started in" },
    { "assay mcp --max-answer 64K --no-handles .", "longer answers, and nothing written" },
    { NULL, NULL },
};

static int run(struct cli *c)
{
    static const char *const here = ".";
    assay_error err = { 0 };
    assay_mcp *mcp;
    size_t count = c->set.files.len;
    struct assay_mcp_options o = { .size = sizeof o,
                                   .max_memory = cli_max_memory(c),
                                   .max_answer = c->set.max_answer,
                                   .max_seconds = (uint32_t)c->set.max_seconds,
                                   .no_handles = c->set.no_handles };
    if (assay_mcp_new(count ? c->set.files.at : &here, count ? count : 1, &o, &mcp, &err) != 0) return cli_fail(c, &err);
    if (isatty(STDIN_FILENO)) cli_message("waiting for requests on standard input, as a client of the Model Context Protocol sends them; press Ctrl+D to end");
    signal(SIGPIPE, SIG_IGN); /* a client that is gone is an error of writing */
    int rc = assay_mcp_serve(mcp, STDIN_FILENO, STDOUT_FILENO, &err);
    assay_mcp_free(mcp);
    return rc == 0 ? c->exit : cli_fail(c, &err);
}

const struct verb mcp_verb = {
    "mcp", "serve tools to a coding assistant (Model Context Protocol)", "[FOLDER...]", 0, SIZE_MAX, options, text, examples, run, NULL, NULL
};

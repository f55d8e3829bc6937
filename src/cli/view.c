/* assay view: the page in a browser. */
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "assay/view.h"
#include "base/error.h"
#include "cli/cli.h"
#include "cli/memory.h"
#include "cli/shared.h"
#include "cli/verbs.h"
#include "cli/view_token.h"

#define LEAST_EXPORTED 0.01 /* percent */

static const struct option_spec options[] = {
    { .name = "port",
      .type = OPTION_NUMBER,
      .argument = "N",
      AT(port),
      .least = 1,
      .most = 65535,
      .help = "listen on this port; by default, on one that is free",
      .text = "Useful with a port forward: 'ssh -L 8080:127.0.0.1:8080 HOST', "
              "then open the printed address here. The address of a port stays "
              "the same while you are logged in, so that an open page goes on "
              "when assay is started again." },
    { .name = "no-open", .type = OPTION_FLAG, AT(no_open), .help = "print the address, but do not open a browser" },
    { .name = "export",
      .type = OPTION_PATH,
      .argument = "FILE",
      AT(export_to),
      .help = "write the page as one HTML file instead, to send to somebody",
      .text = "It opens without a server or a network, and says what it left "
              "out: what has less than --min of the total (0.01% by default)." },
    { .name = "no-sources", .type = OPTION_FLAG, AT(no_sources), .help = "with --export: leave the text of source files out" },
    { .name = "no-paths",
      .type = OPTION_FLAG,
      AT(no_paths),
      .help = "with --export: make the folders in absolute paths unreadable",
      .text = "Each becomes as many 'x': /home/me/a.c is /xxxx/xx/a.c." },
    { .name = "compare", .type = OPTION_FLAG, AT(compare), .help = "begin with the difference between the first two files" },
    OPTION_METRIC(""),
    OPTION_METRICS_FILE,
    OPTION_MIN("The page begins with this limit; it can be changed there. 0 by "
               "default, 0.01% with --export."),
    OPTIONS_SELECT,
    OPTIONS_SYMBOLS,
    OPTIONS_COVERAGE,
    OPTIONS_READING,
    OPTION_END,
};

static const char *const text[] = {
    "Opens each FILE, in any format that assay reads, as a page in your "
    "browser. A folder stands for the files in it, unless it is itself an "
    "input, such as a "
    "measurement directory, a database or a coverage store.",
    "The page is served on this machine only (127.0.0.1). The printed address "
    "contains a token: whoever has it can see the files. Nothing is uploaded, "
    "and the "
    "page loads nothing from elsewhere. Press Ctrl+C to end.",
    NULL,
};

static const struct assay_verb_example examples[] = {
    { "assay view callgrind.out.4711", "open a profile in the browser" },
    { "assay view --compare before.callgrind after.callgrind", "compare two profiles" },
    { "assay view --export page.html callgrind.out.4711", "one file to send to a colleague" },
    { "assay view --no-open --port 8080 hpctoolkit-app-database", "over SSH, with 'ssh -L 8080:127.0.0.1:8080 HOST'" },
    { NULL, NULL },
};

/* Hands the address to the desktop. The browser outlives this process; its
 * messages are not ours. */
static void open_browser(const char *address)
{
    sigset_t none;
    pid_t child = fork();
    if (child > 0) (void)waitpid(child, NULL, 0);
    if (child != 0) return;
    if (fork() == 0) {
        sigemptyset(&none);
        pthread_sigmask(SIG_SETMASK, &none, NULL);
        (void)setsid();
        if (freopen("/dev/null", "r", stdin) && freopen("/dev/null", "w", stdout) && freopen("/dev/null", "w", stderr))
            execlp("xdg-open", "xdg-open", address, (char *)NULL);
    }
    _exit(0);
}

/* Threads that are started from now on leave signals to this one, which takes them only while it waits: none gets lost in between. */
static void hold_signals(sigset_t *before)
{
    sigset_t held;
    sigemptyset(&held);
    sigaddset(&held, SIGINT);
    sigaddset(&held, SIGTERM);
    sigaddset(&held, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &held, before);
}

/* Until somebody asks to stop. */
static void wait_for_end(const sigset_t *before)
{
    while (!interrupt_pending()) (void)sigsuspend(before);
}

static int serve(struct cli *c, assay_viewer *viewer)
{
    assay_error err = { 0 };
    sigset_t before;
    hold_signals(&before);
    int rc = assay_viewer_listen(viewer, (uint16_t)c->set.port, &err);
    if (rc != 0) return cli_fail(c, &err);
    printf("%s\n", assay_viewer_address(viewer));
    fflush(stdout);
    cli_message("press Ctrl+C to end");
    if (!c->set.no_open) open_browser(assay_viewer_address(viewer));
    wait_for_end(&before);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return c->exit;
}

static int export_page(struct cli *c, assay_viewer *viewer)
{
    assay_error err = { 0 };
    interrupt_hold_for(c->set.export_to);
    assay_cancel_set(interrupt_asked, NULL);
    int rc = assay_viewer_export(viewer, c->set.export_to, &err);
    assay_cancel_set(NULL, NULL);
    return rc == 0 ? c->exit : err.code == ASSAY_ERR_WRITE ? cli_fail_write(c, &err) : cli_fail(c, &err);
}

static int run(struct cli *c)
{
    assay_error err = { 0 };
    assay_viewer *viewer;
    char token[VIEW_TOKEN];
    struct assay_read_options read = cli_read_options(c, c->set.files.at[0], 0);
    cli_read_done(c);
    read.progress = NULL;
    memory_hold_threshold(256 << 10, 1 << 20); /* what one request took and gave back does not stay */
    struct assay_viewer_options o = { .size = sizeof o,
                                      .read = &read,
                                      .metric = c->set.metric,
                                      .metrics = c->set.metrics,
                                      .compare = c->set.compare,
                                      .least = c->set.least,
                                      .no_sources = c->set.no_sources,
                                      .no_paths = c->set.export_to && c->set.no_paths };
    if (c->set.port && !c->set.export_to && view_token((uint16_t)c->set.port, token)) o.token = token;
    if (c->set.export_to && !c->set.has_least) o.least = LEAST_EXPORTED;
    if (!c->set.export_to) interrupt_hold();
    int rc = assay_viewer_new(c->set.files.at, c->set.files.len, &o, &viewer, &err);
    if (rc != 0) return cli_fail(c, &err);
    (c->set.export_to ? export_page : serve)(c, viewer);
    assay_viewer_free(viewer);
    return c->exit;
}

const struct verb view_verb = { "view", "show files in a browser", "FILE...", 1, SIZE_MAX, options, text, examples, run, NULL, NULL };

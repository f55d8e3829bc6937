/* assay dump: every record of a file, as text. */
#include "base/text.h"
#include "cli/cli.h"
#include "cli/shared.h"
#include "cli/verbs.h"

static const struct option_spec options[] = {
    { .name = "style",
      .type = OPTION_TEXT,
      .argument = "NAME",
      AT(style),
      .help = "imitate the output of this program: hpcproftt",
      .text = "For comparing with its output line by line. Works only for formats that the program supports." },
    OPTION_NO_PAGER,
    OPTION_OUTPUT,
    OPTIONS_READING,
    OPTION_END,
};

static const char *const text[] = {
    "Prints the records of each FILE in order, named as in the specification of the format, with their offsets. Damage is marked, and the dump goes on after "
    "it.",
    "On a terminal, output goes through $PAGER, or less -FRX.",
    NULL,
};

static const struct assay_verb_example examples[] = {
    { "assay dump profile.webgrind | head", "the first records of a file" },
    { "assay dump -o a.txt a.out", "to a file, for comparing" },
    { NULL, NULL },
};

struct sink {
    struct output *out;
    bool is_stopped;
};

static int put(void *arg, const char *data, size_t len)
{
    struct sink *s = arg;
    output_bytes(s->out, data, len);
    s->is_stopped = output_failed(s->out) != 0;
    return s->is_stopped;
}

static bool run_file(struct cli *c, struct sink *s, const char *path, bool is_first)
{
    assay_error err = { 0 };
    struct assay_read_options o = cli_read_options(c, path, 0);
    if (c->set.files.len > 1) {
        output_text(s->out, is_first ? "==> " : "\n==> ");
        text_show(s->out, slice_of(path));
        output_text(s->out, " <==\n");
    }
    int rc = assay_dump(path, &o, put, s, &err);
    cli_read_done(c);
    /* What stopped the output is reported when it is closed. */
    if (rc != 0 && !s->is_stopped) cli_fail(c, &err);
    return !s->is_stopped;
}

static int run(struct cli *c)
{
    struct sink s = { 0 };
    if (!c->set.no_pager) terminal_start_pager(&c->term);
    /* Text that runs over the screen needs no bar, which would stand in its way. */
    if (c->term.width) c->term.bar = false;
    if (!cli_open_output(c, &s.out)) return c->exit;
    for (size_t i = 0; i < c->set.files.len && !interrupt_pending(); i++)
        if (!run_file(c, &s, c->set.files.at[i], i == 0)) break;
    return cli_close_paged(c, s.out);
}

const struct verb dump_verb = { "dump", "print the records of a file", "FILE...", 1, SIZE_MAX, options, text, examples, run, NULL, NULL };

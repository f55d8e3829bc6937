/* assay formats: the formats it knows. */
#include "cli/cli.h"
#include "cli/shared.h"
#include "cli/verbs.h"

static const struct option_spec options[] = {
    { .name = "losses", .type = OPTION_FLAG, AT(losses), .help = "list what a conversion FROM one format TO another loses" },
    OPTION_JSON,
    OPTION_CSV,
    OPTION_MARKDOWN,
    OPTION_COLOR,
    OPTION_OUTPUT,
    OPTION_HELP,
    OPTION_END,
};

static const char *const text[] = {
    "Lists the supported formats: the versions that can be read and written, the available operations, and the kinds of data they hold.",
    NULL,
};

static const struct example examples[] = {
    { "assay formats", "all formats" },
    { "assay formats --losses callgrind webgrind", "what webgrind cannot hold" },
    { NULL, NULL },
};

static int find(const struct cli *c, size_t i, const struct assay_format_info **out)
{
    const char *name = c->set.files.at[i];
    *out = assay_format_find(name);
    if (*out) return CLI_OK;
    return cli_usage(c->verb, "unknown format '%s'; 'assay formats' lists the formats", name);
}

static int run(struct cli *c)
{
    struct report r;
    struct output *out;
    const struct assay_format_info *from = NULL, *to = NULL;
    if (c->set.losses) {
        if (c->set.files.len != 2) return cli_usage(c->verb, "--losses needs two formats, FROM and TO");
        if (cli_csv(&c->set) || c->set.markdown) return cli_usage(c->verb, "--losses cannot be combined with --csv or --markdown");
        if (find(c, 0, &from) || find(c, 1, &to)) return CLI_USAGE;
        if (!(to->can & ASSAY_CAN_WRITE)) return cli_usage(c->verb, "%s cannot be written", to->name);
    } else if (c->set.files.len)
        return cli_usage(c->verb, "formats: unexpected argument '%s'", c->set.files.at[0]);
    if (!cli_open_output(c, &out)) return c->exit;
    cli_report(c, out, &r);
    if (from)
        report_format_losses(&r, from, to);
    else
        report_formats(&r);
    return cli_end_report(c, &r);
}

const struct verb formats_verb = { "formats", "list the formats", "[--losses FROM TO]", 0, 2, options, text, examples, run };

/* assay cov show: a report file by file, and what it changed; or one file, line by line. */
#include "cli/cov/view.h"
#include "cli/shared.h"

static const struct option_spec options[] = {
    { .name = "module", .letter = 'm', .type = OPTION_TEXT, .argument = "NAME", AT(cov.module), .help = "only files in this module" },
    { .name = "prop",
      .letter = 'p',
      .type = OPTION_LIST,
      .argument = "NAME=VALUE",
      AT(cov.props),
      .help = "only the build with this property",
      .text = "Can be repeated: all must match, and exactly one build must remain." },
    COV_OPTION_FORMAT,
    COV_OPTIONS_LOOK,
    { .name = "strict", .type = OPTION_FLAG, AT(read.strict), .help = "treat a damaged object as an error instead of a missing one" },
    OPTION_COLOR,
    OPTION_JSON,
    OPTION_NO_PAGER,
    OPTION_HELP,
    OPTION_END,
};

static const char *const text[] = {
    "Shows the report at REVISION, HEAD by default, with a table of its directories, files and modules and how they changed since the previous report; a range "
    "A..B compares B with their common ancestor. REVISION can also be the id of a build or of a file list.",
    "PATH after a colon is a directory of the table, or a file: its source is then shown with line counts, around missed lines.",
    NULL,
};

static const struct assay_verb_example examples[] = {
    { "assay cov show", "the newest report" },
    { "assay cov show v1.0..", "everything since v1.0" },
    { "assay cov show HEAD:src/main.c", "one file, around its missed lines" },
    { NULL, NULL },
};

static int run(struct cli *c)
{
    const struct cov_settings *s = &c->set.cov;
    const struct assay_store_part part = {
        .size = sizeof part, .module = s->module, .props = s->props.at, .prop_count = s->props.len, .strict = c->set.read.strict
    };
    struct assay_store_print look = cov_print_options(c);
    look.part = &part;
    return cov_print(c, &look, assay_store_print_show);
}

const struct verb cov_show_verb = { .name = "cov show",
                                    .summary = "show a report, what it changed, or a file",
                                    .arguments = "[REVISION|A..B][:PATH]",
                                    .most_files = 1,
                                    .options = options,
                                    .text = text,
                                    .examples = examples,
                                    .run = run };

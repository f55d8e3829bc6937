/* formats: the formats it knows. */
#include "base/error.h"
#include "base/option_table.h"
#include "report/verb.h"

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
    "With NAME, describes one format and lists its options, which -O (--option) sets in commands that read or write files.",
    NULL,
};

static const struct assay_verb_example examples[] = {
    { "assay formats", "all formats" },
    { "assay formats hpcdb", "one format and its options" },
    { "assay formats --losses callgrind webgrind", "what webgrind cannot hold" },
    { NULL, NULL },
};

/* ---- the verb ---- */

static const char *const words[] = { "FROM", "TO", NULL };

static int find(const char *name, const struct assay_format_info **out, assay_error *err)
{
    *out = assay_format_find(name);
    if (!*out) FAIL(err, ASSAY_ERR_USAGE, "unknown format '%s'; 'assay formats' lists the formats", name);
    return 0;
}

struct formats {
    const struct assay_format_info *from, *to;
};

static int check_one(assay_reporter *r, assay_error *err)
{
    struct formats *f = r->state;
    if (r->to) FAIL(err, ASSAY_ERR_USAGE, "formats: unexpected argument '%s'", r->to);
    if (r->from && (report_is_csv(&r->set) || r->set.markdown))
        FAIL(err, ASSAY_ERR_USAGE, "formats: a single format cannot be combined with --csv or --markdown");
    return r->from ? find(r->from, &f->from, err) : 0;
}

static int check(assay_reporter *r, assay_error *err)
{
    struct formats *f = r->state;
    if (!r->set.losses) return check_one(r, err);
    if (!r->from || !r->to) FAIL(err, ASSAY_ERR_USAGE, "--losses needs two formats, FROM and TO");
    if (report_is_csv(&r->set) || r->set.markdown) FAIL(err, ASSAY_ERR_USAGE, "--losses cannot be combined with --csv or --markdown");
    TRY(find(r->from, &f->from, err));
    TRY(find(r->to, &f->to, err));
    if (!(f->to->can & ASSAY_CAN_WRITE)) FAIL(err, ASSAY_ERR_USAGE, "%s cannot be written", f->to->name);
    return 0;
}

static int end(assay_reporter *r, assay_error *err)
{
    const struct formats *f = r->state;
    (void)err;
    if (f->from && !f->to)
        report_format(&r->report, f->from);
    else if (f->from)
        report_format_losses(&r->report, f->from, f->to);
    else
        report_formats(&r->report);
    return 0;
}

const struct report_verb formats_verb = {
    .order = 150,
    .about = { "formats", "list the formats", "[NAME | --losses FROM TO]", 0, 2, words, text, examples },
    .options = options,
    .state = sizeof(struct formats),
    .check = check,
    .end = end,
};

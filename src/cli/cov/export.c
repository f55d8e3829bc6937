/* assay cov export: a report as a file of another format. */
#include <string.h>

#include "base/error.h"
#include "cli/cov/cov.h"
#include "cli/shared.h"
#include "cli/target.h"

static const struct option_spec options[] = {
    { .name = "to",
      .letter = 't',
      .type = OPTION_TEXT,
      .argument = "FORMAT",
      AT(to),
      .help = "write this format: lcov, cobertura, report-json, or any other coverage format",
      .text = "By default, chosen by the extension of the output file. report-json is what 'assay cov report' reads. 'assay formats' lists the others." },
    OPTION_OUTPUT,
    { .name = "strict", .type = OPTION_FLAG, AT(read.strict), .help = "fail if any data would be lost" },
    OPTION_HELP,
    OPTION_END,
};

static const char *const text[] = {
    "Writes the coverage of a report, HEAD by default, in a format that other tools read. Data that the format cannot hold is reported on standard error.",
    NULL,
};

static const struct assay_verb_example examples[] = {
    { "assay cov export --to lcov -o coverage.info", "the newest report, for lcov" },
    { "assay cov export --to html -o site", "an HTML report, with the sources of that commit" },
    { "assay cov export v1.0 --to report-json -o v1.json", "for another store" },
    { NULL, NULL },
};

static int write_json(struct cov *v, assay_error *err)
{
    struct output *out;
    TRY(output_open(&out, v->c->set.output ? v->c->set.output : "-", &v->c->mem, err));
    int rc = assay_store_export_json(v->store, cov_revision(v->c), cov_put, out, err);
    if (rc == 0 || output_failed(out)) return output_commit(out, err); /* which says what is wrong with the file */
    output_abort(out);
    return rc;
}

static int write_format(struct cov *v, const char *target, assay_error *err)
{
    const struct settings *s = &v->c->set;
    assay_profile *p = NULL;
    assay_losses *losses = NULL;
    struct assay_write_options o = { .format = target, .strict = s->read.strict };
    bool has_texts = strcmp(target, "html") == 0; /* the others have no room for them */
    TRY(assay_store_profile(v->store, cov_revision(v->c), has_texts, &p, err));
    int rc = assay_write(p, s->output ? s->output : "-", &o, &losses, err);
    cli_print_losses(losses);
    assay_losses_free(losses);
    assay_profile_release(p);
    return rc;
}

static int export(struct cov *v, assay_error *err)
{
    const struct settings *s = &v->c->set;
    if (s->to && strcmp(s->to, "report-json") == 0) return write_json(v, err);
    const char *target = cli_find_target(v->c);
    if (!target) FAIL(err, ASSAY_ERR_CANCELLED, "no target");
    return write_format(v, target, err);
}

static int run(struct cli *c)
{
    struct cov v;
    assay_error err = { 0 };
    int code = cov_open(&v, c);
    interrupt_hold_for(c->set.output);
    int rc = code == 0 ? export(&v, &err) : 0;
    if (rc != 0) code = rc == ASSAY_ERR_CANCELLED ? COV_WRONG : cov_say(&err, rc == ASSAY_ERR_WRITE ? COV_REFUSED : COV_WRONG);
    cov_close(&v);
    return code;
}

const struct verb cov_export_verb = { .name = "cov export",
                                      .summary = "write a report in another format",
                                      .arguments = "[REVISION]",
                                      .most_files = 1,
                                      .options = options,
                                      .text = text,
                                      .examples = examples,
                                      .run = run };

/* assay cov import: coverage of any format becomes a report of the store. */
#include "base/error.h"
#include "base/json.h"
#include "base/plural.h"
#include "cli/cov/cov.h"
#include "cli/shared.h"
#include "cli/target.h"

static const struct option_spec options[] = {
    { .name = "commit",
      .letter = 'c',
      .type = OPTION_TEXT,
      .argument = "COMMIT",
      AT(cov.commit),
      .help = "the git commit that was measured; git's HEAD by default" },
    { .name = "branch",
      .letter = 'b',
      .type = OPTION_TEXT,
      .argument = "NAME",
      AT(cov.branch),
      .help = "the git branch to record; the current one by default" },
    { .name = "prop", .letter = 'p', .type = OPTION_LIST, .argument = "NAME=VALUE", AT(cov.props), .help = "a property of the build; can be repeated" },
    { .name = "amend", .type = OPTION_FLAG, AT(cov.amend), .help = "replace the newest report" },
    { .name = "add", .type = OPTION_FLAG, AT(cov.add), .help = "add a build to the newest report, adding up the hits of each line" },
    { .name = "exact", .type = OPTION_FLAG, AT(cov.keep_ids), .help = "give objects the ids that the program cov would, including its faults" },
    { .name = "strict", .type = OPTION_FLAG, AT(read.strict), .help = "treat the first problem, or a missing source file, as an error" },
    OPTION_MAP_PATHS,
    OPTIONS_COVERAGE,
    OPTION_JSON,
    OPTION_OUTPUT,
    OPTIONS_READING,
    OPTION_END,
};

static const char *const text[] = {
    "Reads coverage in any format ('assay formats' lists them), adds up several FILEs, and stores the result as a report for the measured commit: lines, "
    "functions, and the version of each file. The current branch then points at the new report.",
    "Paths in the work tree become relative to its root. If no path of a FILE is in the commit or the work tree, paths are matched by their trailing "
    "components, as 'assay patch' does; if nothing matches, that is an error: use --map FROM=TO. Otherwise, files that are neither in the commit nor in the "
    "work tree (system headers) are left out and listed.",
    "A report is not stored if its parent has the same commit, lines, functions and properties. A store does not keep branch coverage: what is left out is "
    "reported.",
    NULL,
};

static const struct assay_verb_example examples[] = {
    { "assay cov import coverage.info", "store the output of lcov" },
    { "assay cov import -p os=linux --map /builds/project=. coverage.xml", "a report from a build machine" },
    { "assay cov import --add -p os=darwin mac.info", "add a second build of the same commit" },
    { NULL, NULL },
};

struct job {
    struct cov v;
    assay_store_import *import;
    struct profiles {
        assay_profile **at;
        size_t len, cap;
    } profiles; /* which the import borrows */
};

static void warn(void *arg, const char *path, const char *message)
{
    (void)arg;
    cli_message("%s%s%s", path ? path : "", path ? " " : "", message);
}

static int read_files(struct job *j, struct cli *c, assay_error *err)
{
    for (size_t i = 0; i < c->set.files.len; i++) {
        const char *path = c->set.files.at[i];
        assay_profile **slot = vec_push(&c->mem, &j->profiles);
        if (!slot) return error_memory(err);
        *slot = NULL;
        int rc = cli_read_profile(c, path, ASSAY_WANT_COVERAGE, slot, err);
        if (rc != 0) {
            error_path(err, path);
            return rc;
        }
        TRY(assay_store_import_add(j->import, path, *slot, err));
    }
    return 0;
}

static void print_json(struct output *out, const assay_store_imported *r, const assay_losses *losses)
{
    struct json j;
    char hex[ASSAY_STORE_ID_TEXT];
    cov_begin_json(&j, out, "cov import");
    json_key(&j, "changed");
    json_bool(&j, r->changed);
    json_key(&j, "report");
    json_text(&j, assay_store_id_text(&r->report, hex));
    cov_put_id(&j, "parent", &r->parent);
    json_key(&j, "reference");
    json_text(&j, r->reference);
    json_key(&j, "files");
    json_u64(&j, r->file_count);
    json_key(&j, "losses");
    json_array(&j);
    for (size_t i = 0; i < losses->count; i++) {
        json_object(&j);
        json_key(&j, "kind");
        json_text(&j, losses->at[i].kind);
        json_key(&j, "count");
        json_u64(&j, losses->at[i].count);
        json_key(&j, "message");
        json_text(&j, losses->at[i].message);
        json_end(&j);
    }
    json_end(&j);
    json_end(&j);
}

static void print_text(struct output *out, const assay_store_imported *r)
{
    char hex[ASSAY_STORE_ID_TEXT];
    if (r->changed)
        output_printf(out, "%s is now %s: %zu file%s\n", r->reference, assay_store_id_text(&r->report, hex), r->file_count, plural(r->file_count));
    else
        output_text(out, "no changes in reported coverage\n");
}

static int import(struct job *j, struct cli *c, assay_error *err)
{
    assay_store_imported result;
    struct output *out;
    const struct cov_settings *s = &c->set.cov;
    const struct assay_store_import_options o = { .size = sizeof o,
                                                  .commit = s->commit,
                                                  .branch = s->branch,
                                                  .props = s->props.at,
                                                  .prop_count = s->props.len,
                                                  .amend = s->amend,
                                                  .add = s->add,
                                                  .exact = s->keep_ids,
                                                  .strict = c->set.read.strict,
                                                  .warn = warn };
    TRY(assay_store_import_new(j->v.store, &o, &j->import, err));
    TRY(read_files(j, c, err));
    TRY(assay_store_import_end(j->import, &result, err));
    if (!cli_open_output(c, &out)) FAIL(err, ASSAY_ERR_WRITE, "cannot write the result");
    const assay_losses *losses = assay_store_import_losses(j->import);
    if (!c->set.json) cli_print_losses(losses);
    if (c->set.json)
        print_json(out, &result, losses);
    else
        print_text(out, &result);
    return cli_close_output(c, out) == 0 ? 0 : error_set(err, ASSAY_ERR_WRITE, "cannot write the result");
}

static void abandon(const void *traces) { assay_store_abandon(traces); }

/* The traces are never freed: whoever removes them may be at it when everything else is. */
static void hold_interrupts(struct cov *v)
{
    assay_store_traces *t;
    if (assay_store_traces_new(v->store, &t, NULL) == 0) interrupt_hold_with(abandon, t);
}

static int run(struct cli *c)
{
    struct job j = { 0 };
    assay_error err = { 0 };
    int code = cov_open(&j.v, c);
    if (code == 0) hold_interrupts(&j.v);
    if (c->set.cov.amend && c->set.cov.add) code = cli_usage(c->verb, "--amend and --add cannot be combined");
    if (code == 0 && import(&j, c, &err) != 0) code = cov_fail(&j.v, &err);
    assay_store_import_free(j.import);
    for (size_t i = 0; i < j.profiles.len; i++) assay_profile_release(j.profiles.at[i]);
    vec_done(&c->mem, &j.profiles);
    cov_close(&j.v);
    return code;
}

const struct verb cov_import_verb = { .name = "cov import",
                                      .summary = "store coverage in any format as a report",
                                      .arguments = "FILE...",
                                      .least_files = 1,
                                      .most_files = SIZE_MAX,
                                      .options = options,
                                      .text = text,
                                      .examples = examples,
                                      .run = run };

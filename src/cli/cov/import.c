/* assay cov import: coverage of any format becomes a report of the store. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "base/plural.h"
#include "cli/cov/cov.h"
#include "cli/print.h"
#include "cli/shared.h"
#include "cli/target.h"
#include "formats/format.h"
#include "store/git_history.h"
#include "store/import.h"
#include "store/props.h"

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
    { .name = "strict", .type = OPTION_FLAG, AT(strict), .help = "treat the first problem, or a missing source file, as an error" },
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
    struct cov *v;
    struct git *git;
    struct arena arena;
    struct props props;
    struct import_input in;
    struct profiles {
        assay_profile **at;
        size_t len, cap;
    } profiles;   /* whose names the input borrows */
    size_t found; /* files that are in the commit or the work tree */
    struct import_match last;
    struct losses losses;
};

/* Files of one input, from number `first` on. */
static int match_paths(struct job *j, const char *input, size_t first, assay_error *err)
{
    struct import_match *m = &j->last;
    TRY(import_match(j->git, &j->in, first, &j->arena, m, err));
    j->found += m->found;
    if (m->by_end)
        cli_message("%s: no path is in the commit or the work tree; %zu of %zu matched by their endings, such as '%.*s' and '%.*s'", input, m->by_end,
                    j->in.file_count - first, (int)m->from.len, m->from.data, (int)m->to.len, m->to.data);
    return 0;
}

/* An empty report would look as if nothing were covered. */
static int refuse_unmatched(const struct job *j, assay_error *err)
{
    assay_slice path = j->in.files[0].path;
    const char *other = j->last.commit_path ? j->last.commit_path : "";
    FAIL(err, ASSAY_ERR_UNKNOWN, "no file of the report is in the commit or the work tree: the report has '%.*s', the commit '%.200s'; use --map FROM=TO",
         (int)(path.len < 200 ? path.len : 200), path.len ? path.data : "", other);
}

static int read_files(struct job *j, struct cli *c, assay_error *err)
{
    const char *root = git_root(j->git);
    for (size_t i = 0; i < c->set.files.len; i++) {
        const char *path = c->set.files.at[i];
        assay_profile **slot = vec_push(&c->mem, &j->profiles);
        if (!slot) return error_memory(err);
        *slot = NULL;
        size_t first = j->in.file_count;
        int rc = cli_read_profile(c, path, ASSAY_WANT_COVERAGE, slot, err);
        if (rc == 0) rc = import_collect(*slot, root, &j->arena, &j->in, err);
        if (rc == 0) rc = match_paths(j, path, first, err);
        if (rc != 0) {
            error_path(err, path);
            return rc;
        }
    }
    if (!j->in.file_count) FAIL(err, ASSAY_ERR_UNSUPPORTED, "no line or function coverage left to import");
    if (!j->found) return refuse_unmatched(j, err);
    return import_unite(&j->in, &j->arena, err);
}

static int find_commit(struct job *j, struct cli *c, assay_error *err)
{
    struct cov_id id;
    char *hex = arena_text(&j->arena, COV_ID_HEX + 1), *branch = arena_text(&j->arena, REFS_NAME_MAX);
    if (!hex || !branch) return error_memory(err);
    TRY(c->set.cov.commit ? git_revision(j->git, c->set.cov.commit, &id, err) : git_head(j->git, &id, err));
    git_current_branch(j->git, branch, REFS_NAME_MAX);
    j->in.git_head = slice_of(cov_id_hex(&id, hex));
    j->in.git_branch = slice_of(c->set.cov.branch ? c->set.cov.branch : branch);
    return 0;
}

static int add_props(struct job *j, struct cli *c, assay_error *err)
{
    for (size_t i = 0; i < c->set.cov.props.len; i++) TRY(props_add(&j->props, c->set.cov.props.at[i], err));
    j->in.propset = props_text(&j->props);
    return j->in.propset.data ? 0 : error_memory(err);
}

static void warn(void *arg, const char *path, const char *message)
{
    (void)arg;
    cli_message("%s %s", path, message);
}

static int name_losses(struct job *j, assay_error *err)
{
    struct losses *l = &j->losses;
    if (j->in.lost.branches) losses_add(l, "branches", j->in.lost.branches, "branch coverage is not stored");
    if (j->in.lost.conditions) losses_add(l, "conditions", j->in.lost.conditions, "conditions (MC/DC) are not stored");
    if (j->in.lost.regions) losses_add(l, "regions", j->in.lost.regions, "regions, blocks and statements with columns are not stored");
    return l->failed ? error_memory(err) : 0;
}

static void print(struct output *out, const struct import_result *r, const assay_losses *losses, bool as_json)
{
    char hex[COV_ID_HEX + 1], parent[COV_ID_HEX + 1];
    struct json j;
    cov_id_hex(&r->report, hex);
    cov_id_hex(&r->parent, parent);
    if (as_json) {
        json_init(&j, out);
        json_object(&j);
        json_key(&j, "assay");
        json_u64(&j, 1);
        json_key(&j, "verb");
        json_text(&j, "cov import");
        json_key(&j, "changed");
        json_bool(&j, r->outcome == IMPORT_DONE);
        json_key(&j, "report");
        json_text(&j, hex);
        json_key(&j, "parent");
        json_text(&j, cov_id_is_zero(&r->parent) ? NULL : parent);
        json_key(&j, "reference");
        json_text(&j, r->branch);
        json_key(&j, "files");
        json_u64(&j, r->file_count);
        report_losses_json(&j, losses);
        json_end(&j);
    } else if (r->outcome == IMPORT_NO_CHANGE)
        output_text(out, "no changes in reported coverage\n");
    else
        output_printf(out, "%s is now %s: %zu file%s\n", r->branch, hex, r->file_count, plural(r->file_count));
}

static int import(struct job *j, struct cli *c, assay_error *err)
{
    char who[400];
    struct import_result result;
    struct output *out;
    struct import_options o = { .exact = c->set.cov.keep_ids,
                                .by_stats = c->set.cov.keep_ids,
                                .amend = c->set.cov.amend,
                                .add = c->set.cov.add,
                                .skip_missing = !c->set.strict,
                                .warn = warn };
    j->git = cov_git(j->v, err);
    if (!j->git) return err->code ? err->code : ASSAY_ERR_UNKNOWN;
    git_identity(j->git, who, sizeof who);
    if (*who) TRY(store_set_identity(j->v->store, who, err));
    TRY(find_commit(j, c, err));
    TRY(add_props(j, c, err));
    TRY(read_files(j, c, err));
    TRY(name_losses(j, err));
    TRY(store_import(j->v->store, j->git, &j->in, &o, &result, err));
    if (!cli_open_output(c, &out)) FAIL(err, ASSAY_ERR_WRITE, "cannot write the result");
    assay_losses losses = { j->losses.list.at, j->losses.list.len };
    if (!c->set.json) cli_print_losses(&losses);
    print(out, &result, &losses, c->set.json);
    return cli_close_output(c, out) == 0 ? 0 : error_set(err, ASSAY_ERR_WRITE, "cannot write the result");
}

static void abandon(const void *traces) { store_abandon(traces); }

/* The traces are never freed: whoever removes them may be at it when everything else is. */
static void hold_interrupts(struct cov *v)
{
    struct store_traces *t = mem_alloc(&v->c->mem, sizeof *t);
    if (!t) return;
    store_traces(v->store, t);
    interrupt_hold_with(abandon, t);
}

static int run(struct cli *c)
{
    struct cov v;
    assay_error err = { 0 };
    int code = cov_open(&v, c);
    if (code == 0) hold_interrupts(&v);
    struct job j = { .v = &v };
    arena_init(&j.arena, &c->mem);
    props_init(&j.props, &c->mem);
    losses_init(&j.losses, &c->mem);
    if (c->set.cov.amend && c->set.cov.add) code = cli_usage(c->verb, "--amend and --add cannot be combined");
    if (code == 0 && import(&j, c, &err) != 0) code = cov_fail(&v, &err);
    for (size_t i = 0; i < j.profiles.len; i++) assay_profile_release(j.profiles.at[i]);
    vec_done(&c->mem, &j.profiles);
    losses_done(&j.losses);
    props_done(&j.props);
    arena_done(&j.arena);
    cov_close(&v);
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

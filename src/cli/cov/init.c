/* assay cov init: a new store. */
#include "cli/cov/cov.h"
#include "cli/shared.h"

static const struct option_spec options[] = {
    { .name = "git-dir",
      .type = OPTION_PATH,
      .argument = "DIR",
      AT(cov.git_dir),
      .help = "the git repository the store belongs to",
      .text = "By default, the one that contains DIRECTORY. If DIRECTORY is outside the work tree of the given repository, it becomes the store itself." },
    { .name = "force", .type = OPTION_FLAG, AT(cov.force), .help = "remove an existing store with all its reports" },
    { .name = "worktree",
      .type = OPTION_TEXT,
      .argument = "BRANCH",
      AT(cov.worktree),
      .help = "for a git worktree: share the repository's store, with this branch as HEAD" },
    OPTION_HELP,
    OPTION_END,
};

static const char *const text[] = {
    "Creates an empty store in the git directory of the repository that contains DIRECTORY, or the current directory.",
    NULL,
};

static const struct assay_verb_example examples[] = {
    { "assay cov init", "a store for this repository" },
    { "assay cov init --worktree feature", "for an additional worktree, on branch 'feature'" },
    { NULL, NULL },
};

static int run(struct cli *c)
{
    assay_error err = { 0 };
    assay_store_made made;
    const struct assay_store_new what = { .size = sizeof what,
                                          .git_dir = c->set.cov.git_dir,
                                          .directory = c->set.files.len ? c->set.files.at[0] : NULL,
                                          .branch = c->set.cov.worktree,
                                          .force = c->set.cov.force };
    struct output *out;
    int rc = assay_store_create(&what, &made, &err);
    bool is_answer = rc == 0 || (what.branch && made.outcome == ASSAY_STORE_NO_BRANCH);
    if (rc != 0) cov_say(&err, COV_WRONG);
    if (!is_answer) return COV_WRONG;
    if (!cli_open_output(c, &out)) return COV_WRONG;
    switch (made.outcome) {
    case ASSAY_STORE_MADE:
    case ASSAY_STORE_REMADE:
        output_printf(out, "%s empty Cov repository in %s\n Using Git repository in %s\n", made.outcome == ASSAY_STORE_MADE ? "Initialized" : "Reinitialized",
                      made.store, made.git);
        break;
    case ASSAY_STORE_EXISTS: output_printf(out, "Cov repository already exists in %s\n", made.store); break;
    case ASSAY_STORE_NO_WORKTREE: output_printf(out, "Git repository in %s/ is not a worktree\n", made.git); break;
    case ASSAY_STORE_NO_BRANCH: output_printf(out, "Cannot initialize Cov repository in %s\n", made.store); break;
    }
    int code = cli_close_output(c, out);
    if (code != 0 || rc != 0) return COV_WRONG;
    return made.outcome == ASSAY_STORE_MADE || made.outcome == ASSAY_STORE_REMADE ? COV_DONE : COV_REFUSED;
}

const struct verb cov_init_verb = { .name = "cov init",
                                    .summary = "create a store",
                                    .arguments = "[DIRECTORY]",
                                    .most_files = 1,
                                    .options = options,
                                    .text = text,
                                    .examples = examples,
                                    .run = run };

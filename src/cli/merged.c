/* Several inputs as one profile; see merged.h. Each thread reads an input, and the merger takes them in order, so messages and findings come in that order, too. */
#include "cli/merged.h"

#include <string.h>

#include "base/error.h"
#include "base/parallel.h"
#include "base/scoped.h"
#include "cli/together.h"

/* What became of an input. */
enum { SKIPPED, ADDED };

/* An input that was read and waits for its turn. */
struct waiting {
    assay_profile *p;
    int code;
    assay_error err;
};
struct merging {
    struct cli *c;
    assay_merger *m;
    struct assay_read_options options;
    size_t begin, end;                     /* the files of this process */
    char *became;                          /* by file */
    struct waiting waiting[PARALLEL_MOST]; /* by worker */
};

static const char *path_of(const struct merging *x, uint64_t job) { return x->c->set.files.at[x->begin + job]; }

/* What is wrong with the input is said when its turn comes. The progress of one thread is shown. */
static int read_one(void *arg, unsigned worker, uint64_t job, assay_error *err)
{
    struct merging *x = arg;
    struct waiting *w = &x->waiting[worker];
    struct assay_read_options o = x->options;
    (void)err;
    *w = (struct waiting){ .p = NULL };
    if (worker == 0)
        progress_begin(&x->c->progress, &x->c->term, path_of(x, job));
    else
        o.progress = NULL;
    w->code = assay_read(path_of(x, job), &o, &w->p, &w->err);
    if (worker == 0) cli_read_done(x->c);
    return 0;
}

static int add_one(struct merging *x, uint64_t job, struct waiting *w)
{
    const uint32_t merged = ASSAY_SHAPE_COVERAGE | ASSAY_SHAPE_GRAPH | ASSAY_SHAPE_TREE | ASSAY_SHAPE_LINES;
    bool is_empty = w->code == ASSAY_ERR_EMPTY || (w->code == 0 && !(assay_profile_shapes(w->p) & merged));
    if (w->code == 0) cli_say_of_filters(path_of(x, job), w->p);
    x->became[x->begin + job] = SKIPPED;
    if (is_empty && x->c->set.files.len > 1 && !x->c->set.read.strict) return 0;
    if (w->code != 0) return w->code;
    x->became[x->begin + job] = ADDED;
    return assay_merger_add(x->m, w->p, &w->err);
}

static int take_one(void *arg, unsigned worker, uint64_t job, assay_error *err)
{
    struct merging *x = arg;
    struct waiting *w = &x->waiting[worker];
    int rc = add_one(x, job, w);
    if (rc != 0) {
        error_path(&w->err, path_of(x, job));
        *err = w->err;
    }
    assay_profile_release(w->p);
    w->p = NULL;
    return rc;
}

/* Threads that are more than the inputs help to read them. Standard input is read once for each time it is named. */
static int read_all(struct merging *x, assay_error *err)
{
    size_t count = x->end - x->begin, piped = 0;
    for (size_t i = 0; i < count; i++) piped += strcmp(path_of(x, i), "-") == 0;
    unsigned threads = x->options.threads, workers = piped > 1 ? 1 : count < threads ? (unsigned)count : threads;
    x->options.threads = workers ? threads / workers : 1;
    int rc = parallel_run(&(struct parallel){ .count = count, .workers = workers, .arg = x, .make = read_one, .take = take_one }, err);
    for (unsigned i = 0; i < PARALLEL_MOST; i++) assay_profile_release(x->waiting[i].p);
    return rc;
}

/* The inputs of this process. A team is there for all files together, not for each of them. */
static int add_inputs(struct merging *x, const struct team *team, assay_error *err)
{
    int rc = x->m && x->became ? 0 : error_memory(err);
    cli_share_files(x->c, team, &x->begin, &x->end);
    team_set(NULL);
    if (rc == 0) rc = read_all(x, err);
    team_set(team);
    rc = team_agree(team, rc, err);
    if (rc == 0) team_fill(team, x->became, 1, x->end - x->begin);
    return rc;
}

/* How many were added; those that were skipped are printed. */
static size_t count_added(const struct merging *x)
{
    size_t added = 0;
    for (size_t i = 0; i < x->c->set.files.len; i++) {
        added += x->became[i] == ADDED;
        if (x->became[i] == SKIPPED) cli_message("%s: skipped: nothing to merge", x->c->set.files.at[i]);
    }
    return added;
}

/* All files into one merger; in a team, that of the first process. */
static assay_profile *merge_files(struct cli *c, uint32_t want, const struct assay_merge_options *options, const struct team *team, assay_error *err)
{
    struct assay_merge_options o = *options;
    SCRATCH(char, became, &c->mem, c->set.files.len + 1);
    o.size = sizeof o;
    o.max_memory = cli_max_memory(c);
    o.together = team != NULL;
    struct merging x = { .c = c, .m = assay_merger_new(&o, err), .options = cli_read_options(c, c->set.files.at[0], want), .became = became };
    int rc = add_inputs(&x, team, err);
    if (rc == 0 && !count_added(&x)) rc = error_set(err, ASSAY_ERR_UNSUPPORTED, "none of the inputs has anything to merge");
    if (rc == 0) return assay_merger_finish(x.m, err);
    assay_merger_free(x.m);
    return NULL;
}

/* Some input contradicts another: the first one that does so is found by one process, which adds one after the other. */
static bool is_contradiction(const assay_error *err) { return err->code == ASSAY_ERR_UNSUPPORTED || err->code == ASSAY_ERR_DAMAGED; }

assay_profile *cli_read_merged(struct cli *c, uint32_t want, const struct assay_merge_options *options)
{
    assay_error err = { 0 };
    const struct team *team = team_mine();
    const struct assay_merge_options o = options ? *options : (struct assay_merge_options){ .strict = c->set.read.strict };
    assay_profile *p = merge_files(c, want, &o, team, &err);
    if (!p && team && !team->rank && is_contradiction(&err)) p = merge_files(c, want, &o, NULL, &err);
    if (!p && err.code) cli_fail(c, &err);
    return p;
}

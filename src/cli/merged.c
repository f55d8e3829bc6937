/* Several inputs as one profile; see merged.h. Each thread reads an input, and the merger takes them in order, so messages and findings come in that order, too. */
#include "cli/merged.h"

#include <string.h>

#include "base/error.h"
#include "base/parallel.h"

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
    struct waiting waiting[PARALLEL_MOST]; /* by worker */
    size_t added;
};

static const char *path_of(const struct merging *x, uint64_t job) { return x->c->set.files.at[job]; }

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

static int add_one(struct merging *x, const char *path, struct waiting *w)
{
    const uint32_t merged = ASSAY_SHAPE_COVERAGE | ASSAY_SHAPE_GRAPH | ASSAY_SHAPE_TREE | ASSAY_SHAPE_LINES;
    bool is_empty = w->code == ASSAY_ERR_EMPTY || (w->code == 0 && !(assay_profile_shapes(w->p) & merged));
    if (w->code == 0) cli_say_of_filters(path, w->p);
    if (is_empty && x->c->set.files.len > 1 && !x->c->set.read.strict) {
        cli_message("%s: skipped: nothing to merge", path);
        return 0;
    }
    if (w->code != 0) return w->code;
    x->added++;
    return assay_merger_add(x->m, w->p, &w->err);
}

static int take_one(void *arg, unsigned worker, uint64_t job, assay_error *err)
{
    struct merging *x = arg;
    struct waiting *w = &x->waiting[worker];
    int rc = add_one(x, path_of(x, job), w);
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
    const struct cli *c = x->c;
    size_t count = c->set.files.len, piped = 0;
    for (size_t i = 0; i < count; i++) piped += strcmp(c->set.files.at[i], "-") == 0;
    unsigned threads = x->options.threads, workers = piped > 1 ? 1 : count < threads ? (unsigned)count : threads;
    x->options.threads = workers ? threads / workers : 1;
    int rc = parallel_run(&(struct parallel){ .count = count, .workers = workers, .arg = x, .make = read_one, .take = take_one }, err);
    for (unsigned i = 0; i < PARALLEL_MOST; i++) assay_profile_release(x->waiting[i].p);
    return rc;
}

assay_profile *cli_read_merged(struct cli *c, uint32_t want, const struct assay_merge_options *options)
{
    assay_error err = { 0 };
    struct assay_merge_options o = options ? *options : (struct assay_merge_options){ .strict = c->set.read.strict };
    o.max_memory = cli_max_memory(c);
    struct merging x = { .c = c, .m = assay_merger_new(&o, &err), .options = cli_read_options(c, c->set.files.at[0], want) };
    int rc = x.m ? 0 : ASSAY_ERR_MEMORY;
    if (rc == 0) rc = read_all(&x, &err);
    if (rc == 0 && !x.added) rc = error_set(&err, ASSAY_ERR_UNSUPPORTED, "none of the inputs has anything to merge");
    assay_profile *p = rc == 0 ? assay_merger_finish(x.m, &err) : NULL;
    if (rc != 0) assay_merger_free(x.m);
    if (!p) cli_fail(c, &err);
    return p;
}

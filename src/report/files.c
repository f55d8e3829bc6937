/* Inputs that are files, one or several at a time: each thread reads one, and they are shown in order; see assay/report.h. */
#include <string.h>
#include <sys/stat.h>

#include "base/cancel.h"
#include "base/error.h"
#include "base/parallel.h"
#include "base/scoped.h"
#include "base/team.h"
#include "report/verb.h"

static int add_file(assay_reporter *r, const char *path, assay_error *err)
{
    struct verb_input in;
    report_input_read(r, path, 0, true, &in);
    int rc = report_input_add(r, path, &in, err);
    report_input_done(&in);
    return rc;
}

/* Before the first input comes that of --base. */
static int begin(assay_reporter *r, assay_error *err)
{
    TRY(report_begin(r, err));
    return r->set.base && !r->begun ? add_file(r, r->set.base, err) : 0;
}

int assay_reporter_file(assay_reporter *r, const char *path, assay_error *err)
{
    assay_error local;
    err = error_enter(err, &local);
    TRY(begin(r, err));
    return add_file(r, path, err);
}

/* ---- several at a time ---- */

struct ahead {
    assay_reporter *r;
    const char *const *paths;
    unsigned threads;           /* that read one of them */
    struct verb_input *waiting; /* by worker */
};

static int read_one(void *arg, unsigned worker, uint64_t job, assay_error *err)
{
    struct ahead *x = arg;
    (void)err;
    report_input_read(x->r, x->paths[job], x->threads, worker == 0, &x->waiting[worker]);
    return 0;
}

static int add_one(void *arg, unsigned worker, uint64_t job, assay_error *err)
{
    struct ahead *x = arg;
    struct verb_input *in = &x->waiting[worker];
    int rc = report_input_add(x->r, x->paths[job], in, err);
    report_input_done(in);
    if (rc == 0 || x->r->is_over || assay_cancelled()) return rc;
    report_late(x->r, err);
    return 0;
}

/* Standard input, pipes and the like: who reads them first gets what is in them. */
static bool is_stream(const char *path)
{
    struct stat st;
    return strcmp(path, "-") == 0 || (stat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode));
}

static unsigned workers_for(const assay_reporter *r, const char *const *paths, size_t count, unsigned threads)
{
    size_t streams = 0;
    if (team_mine() || !(report_is_read(r) || r->verb->checks)) return 1;
    for (size_t i = 0; i < count && threads > 1; i++) streams += is_stream(paths[i]);
    return streams > 1 ? 1 : count < threads ? (unsigned)count : threads;
}

/* Threads that are more than the files help to read them. */
int assay_reporter_files(assay_reporter *r, const char *const *paths, size_t count, assay_error *err)
{
    struct mem mem; /* of its own: what a limit leaves is not to depend on the threads */
    assay_error local;
    err = error_enter(err, &local);
    if (!count) return 0;
    TRY(begin(r, err));
    unsigned threads = parallel_workers(r->set.read.threads), workers = workers_for(r, paths, count, threads);
    mem_init(&mem, 0);
    SCRATCH(struct verb_input, waiting, &mem, workers);
    if (!waiting) return error_memory(err);
    struct ahead x = { .r = r, .paths = paths, .threads = threads / workers, .waiting = waiting };
    int rc = parallel_run(&(struct parallel){ .count = count, .workers = workers, .arg = &x, .make = read_one, .take = add_one }, err);
    for (unsigned i = 0; i < workers; i++) report_input_done(&waiting[i]);
    return rc;
}

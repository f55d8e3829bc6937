/* The profiles of a directory one after the other, opened ahead by several threads: they wait for the file system and unpack what is compressed, while one
 * profile at a time is taken in, in the order of the list. */
#include "base/parallel.h"
#include "base/scoped.h"
#include "formats/hpcrun/hpcrun-measurements/measure.h"

/* Larger files are opened when it is their turn, so that no more than a few of them are in memory. */
enum { AHEAD_MOST = 16 << 20 };

struct opener {
    struct measure *m;
    measure_take_fn *take;
    bool wants_traces;
    struct measure_opened *opened; /* by worker */
};

static void open_source(struct measure *m, struct measure_file *file, struct measure_opened *o)
{
    o->rc = measure_open_profile(m, file, &o->source, &o->err);
    o->is_open = true;
}

static void open_trace(struct measure *m, struct measure_file *file, struct measure_opened *o)
{
    o->trace_rc = measure_open_file(m, file->trace_path, &o->trace, &o->trace_err);
    o->is_trace_open = true;
}

static int open_one(void *arg, unsigned worker, uint64_t job, assay_error *err)
{
    struct opener *x = arg;
    struct measure_file *file = &x->m->list.profiles.at[x->m->begin + job];
    struct measure_opened *o = &x->opened[worker];
    (void)err; /* what is wrong is said when its turn comes */
    *o = (struct measure_opened){ 0 };
    if (file->size <= AHEAD_MOST) open_source(x->m, file, o);
    if (x->wants_traces && file->trace_path && file->trace_size <= AHEAD_MOST) open_trace(x->m, file, o);
    return 0;
}

static void close_one(struct measure_opened *o)
{
    measure_close_file(&o->source);
    measure_close_file(&o->trace);
}

static int take_one(void *arg, unsigned worker, uint64_t job, assay_error *err)
{
    struct opener *x = arg;
    struct measure_file *file = &x->m->list.profiles.at[x->m->begin + job];
    struct measure_opened *o = &x->opened[worker];
    if (!o->is_open) open_source(x->m, file, o);
    if (x->wants_traces && file->trace_path && !o->is_trace_open) open_trace(x->m, file, o);
    int rc = x->take(x->m, file, o, err);
    close_one(o);
    return rc;
}

int measure_each(struct measure *m, bool wants_traces, measure_take_fn *take, assay_error *err)
{
    unsigned workers = m->job->options->threads;
    if (workers < 1) workers = 1;
    if (workers > PARALLEL_MOST) workers = PARALLEL_MOST;
    SCRATCH(struct measure_opened, opened, m->mem, workers);
    if (!opened) return error_memory(err);
    struct opener x = { m, take, wants_traces, opened };
    int rc = parallel_run(
        &(struct parallel){ .count = m->end - m->begin, .workers = workers, .arg = &x, .make = open_one, .take = take_one, .takes_here = true }, err);
    for (unsigned i = 0; i < workers; i++) close_one(&opened[i]); /* what nobody took */
    return rc;
}

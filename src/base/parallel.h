/* Jobs on several threads, their results in order: every worker makes a job in memory of its own, waits until all jobs before it are taken, and
 * hands its result over. So what comes out does not depend on how many workers there are. */
#ifndef BASE_PARALLEL_H
#define BASE_PARALLEL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

enum { PARALLEL_MOST = 64 };

struct parallel {
    uint64_t count;   /* of jobs */
    unsigned workers; /* at most PARALLEL_MOST; 0 counts as 1. Worker 0 is the calling thread */
    void *arg;
    /* Any number at a time, each worker one. */
    int (*make)(void *arg, unsigned worker, uint64_t job, assay_error *err);
    /* One at a time, in the order of jobs, by the worker that made it. */
    int (*take)(void *arg, unsigned worker, uint64_t job, assay_error *err);
    /* The calling thread takes all results, and makes none while there are other workers: for what is to grow in the memory of one thread, or calls back. */
    bool takes_here;
};

/* Ends with the first error, in the order of jobs; jobs after it are not taken. Where threads cannot be had it does with fewer. */
int parallel_run(const struct parallel *p, assay_error *err);

/* What a caller may ask for: 0 = as many as there are processors that the process may use, at most 4. */
unsigned parallel_workers(uint64_t wanted);

#endif

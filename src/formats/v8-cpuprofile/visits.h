/* What is written of a profile as samples of one thread: visits of stacks, each with how long it lasts. */
#ifndef FORMATS_V8_CPUPROFILE_VISITS_H
#define FORMATS_V8_CPUPROFILE_VISITS_H

#include "base/vec.h"
#include "formats/stacks/stacks.h"

struct cpuprofile_visit {
    uint32_t node; /* a function node; 0 = there is no stack */
    double us;
};

struct cpuprofile_visits {
    struct mem *mem;
    VEC(struct cpuprofile_visit) list;
    uint32_t again;   /* how many more samples the last visit is given, so that readers find out how long it is */
    double rest;      /* what they take for the length of the last sample, if there are any more */
    double start, us; /* begin, and how long all of them last */
    uint32_t streams; /* that they are from */
    bool is_timed;    /* they are the samples of a timeline */
    uint64_t negative, untimed, moved, wrong_end;
};

/* The visits for a metric, each value of which is `factor` microseconds. cpuprofile_visits_done is due in either case. Errors: memory, those of stacks_self. */
int cpuprofile_visits_take(struct cpuprofile_visits *v, const struct stacks *s, assay_metric_id m, double factor);
void cpuprofile_visits_done(struct cpuprofile_visits *v);

#endif

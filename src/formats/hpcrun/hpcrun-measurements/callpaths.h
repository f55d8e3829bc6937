/* The ways into a function of a GPU binary: from every function that nobody calls, by the calls that its structure file knows. Recursion is taken
 * out first: functions that call one another are one component, calls inside it do not count, and a call from outside may lead to any of its
 * members. */
#ifndef FORMATS_HPCRUN_HPCRUN_MEASUREMENTS_CALLPATHS_H
#define FORMATS_HPCRUN_HPCRUN_MEASUREMENTS_CALLPATHS_H

#include "base/arena.h"
#include "base/error.h"
#include "base/vec.h"
#include "symbols/symbols.h"

/* More ways than this, or longer ones, and a function counts as unreachable: see callpaths_of. */
enum { CALLPATHS_MOST = 1000, CALLPATHS_DEPTH = 100 };

/* From `entry` by the calls `first` .. `first + count` of callpaths.steps, outermost first. */
struct callpath {
    uint32_t entry, first, count;
};

struct callpath_range {
    uint32_t first, count;
    bool is_known;
};

struct callpaths {
    struct mem *mem;
    struct arena arena;
    bool is_usable; /* there is a call graph; otherwise nothing below counts */
    bool compat;
    uint32_t function_count;
    uint32_t *component; /* by function, from 1 */
    uint32_t *visited;   /* by component: the member that was met first, in the order of the file and following callers */
    uint32_t *begin;     /* by component, with `compat` by function: its calls from other components */
    struct symbols_call *calls;
    struct callpath_range *of; /* by function */
    VEC(struct callpath) paths;
    VEC(struct symbols_call) steps;
};

/* `compat`: a call from outside leads to other members only when it calls the one that was met first, as hpcprof has it. callpaths_done must be
 * called also after an error. Errors: MEMORY. */
int callpaths_init(struct callpaths *c, struct symbols *symbols, uint32_t module, bool compat, struct mem *mem, assay_error *err);
void callpaths_done(struct callpaths *c);

/* All ways to `function`, at c->paths.at[out->first]; none = there are too many. Found once. */
int callpaths_of(struct callpaths *c, uint32_t function, struct callpath_range *out, assay_error *err);

#endif

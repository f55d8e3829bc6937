/* Stack dumps of --call-graph dwarf: registers and the top of the stack -> the addresses of the frames. */
#ifndef FORMATS_PERF_DATA_DUMPS_H
#define FORMATS_PERF_DATA_DUMPS_H

#include "formats/perf-data/frames.h"
#include "symbols/unwind.h"

enum { PD_UNWINDERS = 8 };

/* One unwinder for each state of a process; those that were used last are kept. */
struct pd_dumps {
    struct pd_frames *frames;
    enum unwind_machine machine; /* NONE = nothing is unwound */
    struct pd_unwinder {
        struct unwind *unwind;
        struct pd_dumps *of;
        uint32_t root;
        uint64_t used;
    } all[PD_UNWINDERS];
    uint64_t runs;
    uint64_t out[UNWIND_MOST];
};

void pd_dumps_init(struct pd_dumps *u, struct pd_frames *frames);
void pd_dumps_done(struct pd_dumps *u);
/* The addresses, innermost first, in u->out: as unwind_run gives them. 0 = it cannot be unwound. */
size_t pd_dump_unwind(struct pd_dumps *u, const struct pd_sample *s, uint32_t root);

#endif

/* Records of the log of a coarse tree, for its files. */
#ifndef FORMATS_COARSE_LOG_H
#define FORMATS_COARSE_LOG_H

#include "formats/coarse/tree.h"

struct coarse_call {
    uint32_t func;
    uint64_t self, length; /* length: with everything it called */
    uint64_t count;        /* calls it made */
};

/* The last one that is left. */
struct coarse_call coarse_take(struct spill *log);

#endif

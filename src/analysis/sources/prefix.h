/* What another machine calls the source root, as the files tell that were found: where /ci/build/src/a.c is src/a.c here, /ci/build/gen.c is gen.c.
 * Two containers that built the same sources in different folders then agree in all paths, also in those of files that are not here. */
#ifndef ANALYSIS_SOURCES_PREFIX_H
#define ANALYSIS_SOURCES_PREFIX_H

#include "base/arena.h"
#include "base/slice.h"
#include "base/vec.h"

enum { SOURCE_PREFIXES = 64 /* that are distinguished */ };

struct source_prefix {
    assay_slice from, to; /* with their slashes; borrowed from the paths that were learned from */
    uint64_t files;
};
struct source_prefixes {
    VEC(struct source_prefix) list;
};

/* A path and where its file was found; both outlive `s`. false = no memory */
bool source_prefix_learn(struct source_prefixes *s, struct mem *mem, const char *written, const char *found);
/* The path by the prefix that most files have; NULL = by none, or no memory (*failed). */
const char *source_prefix_apply(const struct source_prefixes *s, struct arena *text, const char *written, bool *failed);

#endif

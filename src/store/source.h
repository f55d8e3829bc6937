/* Which lines of a source are worth showing with their counts, and which functions begin where. */
#ifndef STORE_SOURCE_H
#define STORE_SOURCE_H

#include "base/vec.h"
#include "formats/cov/object.h"

struct source_chunk {
    uint32_t first, last; /* lines from 1, both shown */
};
/* One name that people see at one line; counts of equal ones are added up. */
struct source_function {
    uint32_t line; /* where it is shown */
    uint64_t count;
    const char *name;
};
struct source {
    struct mem *mem;
    struct arena text;
    VEC(assay_slice) lines; /* of the text, without line ends */
    VEC(struct source_chunk) chunks;
    VEC(struct source_function) functions; /* by line */
    uint64_t widest_count;                 /* of a function, or of a line in a chunk */
    bool has_counts;                       /* of any of them */
};

/* How the name of a function is shown; `arg` as given. NULL = no memory. */
typedef const char *(*source_name_fn)(void *arg, assay_slice name, struct arena *a);

void source_init(struct source *s, struct mem *mem);
void source_done(struct source *s);
/* Finds the chunks: lines and functions that were missed, with three lines around them; all lines when nothing was. `functions` may be NULL. All
 * is borrowed. Errors: MEMORY. */
int source_view(struct source *s, assay_slice text, const struct cov_lines *lines, const struct cov_functions *functions, source_name_fn name, void *arg,
                assay_error *err);
/* The count of a line; false = it has none. */
bool source_count(const struct cov_lines *lines, uint32_t line, uint32_t *hits);

#endif

/* The text of a source file: out of the profile where that has it, else from disk, as lines. */
#ifndef ANALYSIS_SOURCES_TEXT_H
#define ANALYSIS_SOURCES_TEXT_H

#include "analysis/sources/paths.h"

enum { SOURCE_TEXT_MAX = 64 << 20 /* bytes: what is larger is no source that a person wrote */ };

struct source_text {
    struct mem *mem;
    const char *path;       /* where it was found, borrowed from the source_paths; "" = in the profile; NULL = nowhere */
    VEC(assay_slice) lines; /* line n is lines.at[n - 1], without its end */
    const char *end;        /* of the text; NULL = there is none */
    VEC(char) bytes;        /* of a file */
};

/* Loads the text of file `file` of `p`. Without one that can be read text->path is NULL, and paths->tried names the places. Free with
 * source_text_done in every case. Errors: MEMORY. */
int source_text_load(struct source_text *t, struct source_paths *paths, const assay_profile *p, uint32_t file, struct mem *mem, assay_error *err);
/* The same of a path as an input wrote it. */
int source_text_open(struct source_text *t, struct source_paths *paths, assay_slice written, struct mem *mem, assay_error *err);
/* Lines of a text that the caller has; borrowed. */
int source_text_of(struct source_text *t, assay_slice text, struct mem *mem, assay_error *err);
void source_text_done(struct source_text *t);

#endif

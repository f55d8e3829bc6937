/* Collecting changes: files and edits from a diff or from git, until they are handed out. */
#ifndef ANALYSIS_DIFF_CHANGES_H
#define ANALYSIS_DIFF_CHANGES_H

#include "assay/diff.h"
#include "base/arena.h"
#include "base/findings.h"
#include "base/vec.h"

struct changes {
    assay_changes pub; /* first: the caller's pointer is ours */
    struct mem mem;
    struct arena text;
    struct findings findings;
    VEC(assay_changed_file) files;
    VEC(assay_edit) edits; /* of all files; those of one file stand together */
};

/* NULL = no memory. */
struct changes *changes_new(uint64_t max_memory);
/* Begins a file; {NULL, 0} = none. false = no memory */
bool changes_file(struct changes *c, assay_slice old_path, assay_slice new_path);
/* An edit of the file begun last, after the one before it; one that touches it becomes part of it. false = no memory */
bool changes_edit(struct changes *c, const assay_edit *edit);
/* Fills `pub`. */
void changes_finish(struct changes *c);

#endif

/* Coverage of one profile into the builder of another: names, rows and facts, with files renamed, joined, left out, or marked as not to be counted.
 * Rows keep their order, and what makes two of them the same keeps doing so. */
#ifndef ANALYSIS_COVERAGE_COPY_H
#define ANALYSIS_COVERAGE_COPY_H

#include "analysis/coverage/offset_lines.h"
#include "assay/build.h"
#include "base/findings.h"

/* What is said of a source line beside its figures. */
enum line_mark {
    MARK_LINE = 1,       /* the line, its branches and the functions that begin there are not to be counted */
    MARK_BRANCHES = 2,   /* its branches */
    MARK_EXCEPTIONS = 4, /* its branches to handlers of exceptions */
    MARK_UNREACHABLE = 8 /* as LINE; that it was reached is worth saying */
};
/* Branches of the line are not to be counted if so many of so many were not hit. */
struct line_unhit {
    uint32_t line, unhit, total;
};
/* Of one file: at[line] for lines below count. */
struct line_marks {
    uint8_t *at;
    uint32_t count;
    VEC(struct line_unhit) unhit; /* what depends on the figures, by line */
};
static inline unsigned line_marks_at(const struct line_marks *m, uint64_t line) { return line < m->count ? m->at[line] : 0; }

/* The region that is the whole of a function, as a number + 1; 0 = the function has no offsets. */
struct offset_root {
    uint32_t region;
    bool has_blocks; /* not only calls were counted */
};

struct coverage_copy {
    const assay_profile *from;
    assay_builder *to;
    struct mem *mem;
    /* By file id of `from`; [0] is what has no file. */
    assay_file_id *file;            /* in `to`; {0} with is_dropped unset = no file there either */
    uint8_t *is_dropped;            /* leave out the file and its rows; NULL = none */
    const struct line_marks *marks; /* NULL = none */
    /* Sources of files whose regions are offsets: what these say becomes lines, branches, and functions with lines. NULL = none. */
    const struct offset_text *texts;
    bool throw_branches;    /* branches of exceptions are not to be counted */
    struct findings *found; /* gets M-4, an unreachable line that was reached; NULL = nobody wants to know */

    /* what came of it */
    uint64_t rows_dropped, rows_excluded;
    assay_wide hits_gone; /* of both */
    assay_wide hits_made; /* of lines that came from offsets */

    /* its own */
    uint32_t *string, *func;  /* ids in `to`, by id of `from`; 0 = not needed so far, or dropped */
    struct offset_root *root; /* by function, of those with offsets */
    size_t string_count, func_count;
};

/* Functions, then all rows of coverage but what is stated. The fields above "what came of it" are the caller's. End with coverage_copy_done, also
 * after a failure. Errors: MEMORY, and those of the builder. */
int coverage_copy_rows(struct coverage_copy *k, assay_error *err);
/* Metrics, attributes, warnings, source; and, where nothing was dropped or excluded, counts and what is stated of the whole. The total of the
 * metric "hits" becomes that of the rows that are left. */
int coverage_copy_facts(struct coverage_copy *k);
void coverage_copy_done(struct coverage_copy *k);

/* ---- between the files of this module ---- */

/* A string of `from` in `to`; {0} stays {0}. */
assay_str_id coverage_copy_string(struct coverage_copy *k, uint32_t id);
/* A line of the file `file` of `from`. */
void coverage_copy_line(struct coverage_copy *k, uint32_t file, const struct assay_coverage_line *row);
/* A branch, excluded where the source says so. */
void coverage_copy_branch(struct coverage_copy *k, uint32_t file, const struct assay_coverage_branch *row);

/* It has ranges of offsets, and no line. */
bool coverage_offsets_lack_lines(const assay_profile *p);
/* Why, in a sentence that the profile may own; NULL = it has lines, or nothing to make them of. */
const char *coverage_offsets_lack(const assay_profile *p);
/* Region `i` is a range of offsets: kind CODE, without columns. */
bool coverage_offsets_has(const struct assay_coverage *c, uint32_t i);
/* It is all of a script: the function without a name that begins with it. */
bool coverage_offsets_is_script(const assay_profile *p, uint32_t i);
/* Region `i` is a range of offsets, and the source of its file is there. */
bool coverage_offsets_are(const struct coverage_copy *k, uint32_t region);
/* Fills k->root. */
void coverage_offsets_find(struct coverage_copy *k);
/* The function `func` of `from`, which has a root, with lines; {0} = one without a name. */
assay_func_id coverage_offsets_func(struct coverage_copy *k, uint32_t func);
/* Where it is, with columns. */
struct offset_place coverage_offsets_place(const struct coverage_copy *k, uint32_t region);
/* All regions with offsets. Errors: MEMORY. */
int coverage_offsets_copy(struct coverage_copy *k, assay_error *err);

#endif

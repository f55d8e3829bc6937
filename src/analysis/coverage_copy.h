/* Coverage of one profile into the builder of another: names, rows and facts, with files renamed, joined, left out, or marked as not to be counted.
 * Rows keep their order, and what makes two of them the same keeps doing so. */
#ifndef ANALYSIS_COVERAGE_COPY_H
#define ANALYSIS_COVERAGE_COPY_H

#include "assay/build.h"
#include "base/findings.h"

/* What is said of a source line beside its figures. */
enum line_mark {
    MARK_LINE = 1,       /* the line, its branches and the functions that begin there are not to be counted */
    MARK_BRANCHES = 2,   /* its branches */
    MARK_EXCEPTIONS = 4, /* its branches to handlers of exceptions */
    MARK_UNREACHABLE = 8 /* as LINE; that it was reached is worth saying */
};
/* Of one file: at[line] for lines below count. */
struct line_marks {
    uint8_t *at;
    uint32_t count;
};
static inline unsigned line_marks_at(const struct line_marks *m, uint64_t line) { return line < m->count ? m->at[line] : 0; }

struct coverage_copy {
    const assay_profile *from;
    assay_builder *to;
    struct mem *mem;
    /* By file id of `from`; [0] is what has no file. */
    assay_file_id *file;            /* in `to`; {0} with is_dropped unset = no file there either */
    uint8_t *is_dropped;            /* leave out the file and its rows; NULL = none */
    const struct line_marks *marks; /* NULL = none */
    struct findings *found;         /* gets M-4, an unreachable line that was reached; NULL = nobody wants to know */

    /* what came of it */
    uint64_t rows_dropped, rows_excluded;
    assay_wide hits_gone; /* of both */

    /* its own */
    uint32_t *string, *func; /* ids in `to`, by id of `from`; 0 = not needed so far, or dropped */
    size_t string_count, func_count;
};

/* Functions, then all rows of coverage but what is stated. The fields above "what came of it" are the caller's. End with coverage_copy_done, also
 * after a failure. Errors: MEMORY, and those of the builder. */
int coverage_copy_rows(struct coverage_copy *k, assay_error *err);
/* Metrics, attributes, warnings, source; and, where nothing was dropped or excluded, counts and what is stated of the whole. The total of the
 * metric "hits" becomes that of the rows that are left. */
int coverage_copy_facts(struct coverage_copy *k);
void coverage_copy_done(struct coverage_copy *k);
/* A string of `from` in `to`; {0} stays {0}. */
assay_str_id coverage_copy_string(struct coverage_copy *k, uint32_t id);

#endif

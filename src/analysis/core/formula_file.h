/* Files of named formulas: a line "NAME = FORMULA" each, '#' begins a comment. What --metric names is looked up there and written out, so that nothing else needs to know
 * of the file. */
#ifndef ANALYSIS_CORE_FORMULA_FILE_H
#define ANALYSIS_CORE_FORMULA_FILE_H

#include "analysis/core/formula.h"
#include "base/arena.h"
#include "base/vec.h"

struct formula_definition {
    assay_slice name, text;
};

struct formula_file {
    struct mem *mem;
    VEC(struct formula_definition) at;
};

/* `text` is borrowed until formula_file_done, which is due in either case. Errors: MEMORY, USAGE (a line that is no definition, a name twice). */
int formula_file_init(struct formula_file *f, assay_slice text, struct mem *mem, assay_error *err);
void formula_file_done(struct formula_file *f);

/* What --metric asks for (analysis/core/metric_columns.h), with the names of the file replaced by their formulas. *out is from the arena. Errors: MEMORY, USAGE (a formula that uses
 * itself). */
int formula_file_expand(const struct formula_file *f, const char *spec, struct arena *arena, const char **out, assay_error *err);
/* What *metric asks for with the names of the file at `path` replaced, from the arena. Errors: those of reading; MEMORY, USAGE (as above, or *metric is NULL:
 * there is nothing to replace). */
int formula_file_apply(const char *path, struct mem *mem, struct arena *arena, const char **metric, assay_error *err);

#endif

/* What a profile says of a function, for whoever prints or writes it. */
#ifndef ANALYSIS_CORE_FUNCTION_H
#define ANALYSIS_CORE_FUNCTION_H

#include "assay/model.h"
#include "base/output.h"

/* The entry of a column that is NULL when no row fills it. */
#define MODEL_STR(column, i) ((column) ? (column)[i] : (assay_str_id){ 0 })

/* What is not known is empty. */
struct function_info {
    assay_slice name, file, module;
    uint32_t line;
};
struct function_info function_info_of(const assay_profile *p, uint32_t func);
/* "file:line [module]", as far as it is known */
void function_put_place(struct output *out, const struct function_info *f);

#endif

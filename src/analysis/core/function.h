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
    uint32_t line, column;
    bool is_by_place; /* line and column are part of what makes it one function */
};
struct function_info function_info_of(const assay_profile *p, uint32_t func);
/* A name without the hash that a Rust build gives it ("..17h0123456789abcdefE"), which is no part of it. */
assay_slice function_name_plain(assay_slice name);
/* "file:line [module]", as far as it is known */
void function_put_place(struct output *out, const struct function_info *f);

#endif

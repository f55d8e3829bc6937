/* Small profiles of calling contexts, written as folded stacks: "main;work 5". */
#ifndef TESTS_STACKS_H
#define TESTS_STACKS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "assay/assay.h"

static inline assay_node_id stacks_node(assay_builder *b, assay_node_id parent, const char *name, size_t len)
{
    assay_func_id func = assay_build_func(b, assay_build_string(b, name, len), (assay_file_id){ 0 }, (assay_module_id){ 0 }, 0, 0);
    return assay_build_node(b, &(struct assay_node){ .parent = parent, .relation = ASSAY_RELATION_CALL, .func = func });
}

/* The caller releases it. `stacks` ends with NULL; counts of type F64 may have a point. */
static inline assay_profile *stacks_profile(enum assay_type type, const char *const *stacks)
{
    assay_builder *b = assay_builder_new(&(struct assay_build_options){ .want = ASSAY_WANT_TREE }, NULL);
    assay_metric_id m = assay_build_metric(b, "cost", "count", type, ASSAY_SHAPE_TREE);
    assay_scope_id scope = assay_build_scope(b, m, ASSAY_SCOPE_POINT, NULL, 0);
    for (; *stacks; stacks++) {
        const char *at = *stacks, *count = strrchr(at, ' ');
        assay_node_id node = { 0 };
        while (at < count) {
            size_t len = strcspn(at, "; ");
            node = stacks_node(b, node, at, len);
            at += len + 1;
        }
        assay_value v = type == ASSAY_F64 ? (assay_value){ .d = strtod(count, NULL) } : (assay_value){ .u = strtoull(count, NULL, 10) };
        assay_build_value(b, (assay_stream_id){ 0 }, node, scope, v);
    }
    assay_profile *p = assay_builder_seal(b, NULL);
    assert_non_null(p);
    return p;
}

#endif

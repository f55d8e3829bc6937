/* What the merge rules of model/schema.def mean in code: rows of the merger have a member for each column of a list, are taken from an input, compared, folded
 * into each other and put out by these. Where a list is expanded, `in` is the input and `i` the row, `m` the merger, `e` the emitter. */
#ifndef ANALYSIS_MERGE_COLUMNS_H
#define ANALYSIS_MERGE_COLUMNS_H

#include "model/schema.h"

#define MERGE_ID(column, i) ((column) ? (column)[i].v : 0)
#define MERGE_AT(column, i) ((column) ? (column)[i] : 0)

/* ---- members: ids are the merger's ---- */

#define MERGE_C_STRING uint32_t
#define MERGE_C_MODULE uint32_t
#define MERGE_C_FILE uint32_t
#define MERGE_C_FUNC uint32_t
#define MERGE_C_METRIC uint32_t
#define MERGE_C_NODE uint32_t
#define MERGE_C_SET uint32_t
#define MERGE_C_LABEL uint32_t
#define MERGE_C_U8 uint8_t
#define MERGE_C_WORD uint8_t
#define MERGE_C_FLAGS uint8_t
#define MERGE_C_BOOL uint8_t
#define MERGE_C_U32 uint32_t
#define MERGE_C_U64 uint64_t
#define MERGE_C_I64 int64_t
#define MERGE_C_F64 double
#define MERGE_C_SHAPES uint32_t
#define MERGE_C_WIDE assay_wide
#define MERGE_MEMBER(T, name, member, type, ...) MERGE_C_##type name;

/* ---- taking a row: t is the public table; metrics, nodes, sets and labels are the input's ids -> the merger's ---- */

#define MERGE_OF_STRING(id, at) merge_string(in, id)
#define MERGE_OF_MODULE(id, at) in->modules[id]
#define MERGE_OF_FILE(id, at) in->files[id]
#define MERGE_OF_FUNC(id, at) merge_func(in, id)
#define MERGE_OF_METRIC(id, at) metrics[id]
#define MERGE_OF_NODE(id, at) nodes[id]
#define MERGE_OF_SET(id, at) sets[id]
#define MERGE_OF_LABEL(id, at) labels[id]
#define MERGE_OF_U8(id, at) at
#define MERGE_OF_WORD(id, at) at
#define MERGE_OF_FLAGS(id, at) at
#define MERGE_OF_BOOL(id, at) at
#define MERGE_OF_U32(id, at) at
#define MERGE_OF_U64(id, at) at
#define MERGE_OF_I64(id, at) at
#define MERGE_OF_F64(id, at) at
#define MERGE_OF_SHAPES(id, at) 0 /* of what is merged: where its values are found */
#define MERGE_OF_WIDE(id, at) at
#define MERGE_OF(member, type, extent) MERGE_OF_##type(SCHEMA_ID_##extent(t->member, i), SCHEMA_AT_##extent(t->member, i))
#define MERGE_TAKE(T, name, member, type, role, extent, ...) .name = MERGE_OF(member, type, extent),

/* ---- are two rows one? ---- */

#define MERGE_SAME_KEY(name) &&a->name == b->name
#define MERGE_SAME_SPELLING(name) &&a->spelling == b->spelling
#define MERGE_SAME_PLACE(name)
#define MERGE_SAME_SUM(name)
#define MERGE_SAME_MAX(name)
#define MERGE_SAME_OR(name)
#define MERGE_SAME_ALL(name)
#define MERGE_SAME_SAME(name)
#define MERGE_SAME_EQUAL(name)
#define MERGE_SAME_SMALLER(name)
#define MERGE_SAME_LINE_FLAGS(name)
#define MERGE_SAME_BRANCH_FLAGS(name)
#define MERGE_SAME_PARENT(name)
#define MERGE_SAME_AT_LEAST(name)
#define MERGE_SAME(T, name, member, type, role, extent, json, words, rule, what) MERGE_SAME_##rule(name)

/* ---- folding `said` into `to`; special rules are the caller's ---- */

#define MERGE_FOLD_KEY(name, type)
#define MERGE_FOLD_SUM(name, type) MERGE_ADD_##type(name)
#define MERGE_FOLD_MAX(name, type)                                                                                                                             \
    if (said->name > to->name) to->name = said->name;
#define MERGE_FOLD_OR(name, type) to->name |= said->name;
#define MERGE_FOLD_ALL(name, type) to->name &= said->name;
#define MERGE_FOLD_SAME(name, type)                                                                                                                            \
    if (said->name != to->name) to->name = 0;
#define MERGE_FOLD_EQUAL(name, type)
#define MERGE_FOLD_SMALLER(name, type) to->name = merge_smaller(m, to->name, said->name);
#define MERGE_FOLD_LINE_FLAGS(name, type) to->name = merge_line_flags(to->name, said->name);
#define MERGE_FOLD_BRANCH_FLAGS(name, type) to->name = merge_branch_flags(to->name, said->name);
#define MERGE_FOLD_SPELLING(name, type)
#define MERGE_FOLD_PARENT(name, type)
#define MERGE_FOLD_AT_LEAST(name, type)
#define MERGE_FOLD(T, name, member, type, role, extent, json, words, rule, what) MERGE_FOLD_##rule(name, type)

#define MERGE_ADD_U64(name) to->name = merge_add(m, to->name, said->name);
#define MERGE_ADD_WIDE(name) to->name = wide_add(to->name, said->name);
#define MERGE_ADD_F64(name) /* exactly, by the caller */

/* ---- keys of rows of cost: T is the member of union merge_key that the table has ---- */

#define MERGE_IF_KEY_KEY(...) __VA_ARGS__
#define MERGE_IF_KEY_PLACE(...)
#define MERGE_IF_KEY_SUM(...)
#define MERGE_IF_KEY_MAX(...)
#define MERGE_IF_KEY_OR(...)
#define MERGE_IF_KEY_BRANCH_FLAGS(...)
#define MERGE_IF_KEY_FOLD(...)
#define MERGE_IF_KEY_AGAIN(...)
#define MERGE_IF_KEY_GONE(...)

#define MERGE_KEY_MEMBER(T, name, member, type, role, extent, json, words, rule, what) MERGE_IF_KEY_##rule(MERGE_C_##type name;)
#define MERGE_KEY_TAKE(T, name, member, type, role, extent, json, words, rule, what) MERGE_IF_KEY_##rule(key.T.name = MERGE_OF(member, type, extent);)
#define MERGE_KEY_SAME(T, name, member, type, role, extent, json, words, rule, what) MERGE_IF_KEY_##rule(&&a->T.name == b->T.name)
#define MERGE_KEY_MIX(T, name, member, type, role, extent, json, words, rule, what) MERGE_IF_KEY_##rule(hash = hash_mix(hash, key->T.name);)
#define MERGE_KEY_ORDER(T, name, member, type, role, extent, json, words, rule, what)                                                                          \
    MERGE_IF_KEY_##rule(ORDER_BY(EMIT_RANK_##type(a->T.name), EMIT_RANK_##type(b->T.name));)
#define MERGE_KEY_EMIT(T, name, member, type, role, extent, json, words, rule, what) MERGE_IF_KEY_##rule(.name = EMIT_##type(key->T.name), )

/* ---- figures of rows of cost: a new one is given its place in enum merge_count or enum merge_sum_kind ---- */

#define MERGE_FIGURE_KEY(...)
#define MERGE_FIGURE_FOLD(...)
#define MERGE_FIGURE_AGAIN(...)
#define MERGE_FIGURE_GONE(...)
#define MERGE_FIGURE_OR(...)
#define MERGE_FIGURE_SUM(name, member, type, extent) MERGE_FIGURE_##type(name, member, extent)
#define MERGE_FIGURE_MAX(name, member, type, extent) &&merge_largest(in->m, which, MERGE_COUNT_##name, row, SCHEMA_AT_##extent(t->member, i))
#define MERGE_FIGURE_U64(name, member, extent) &&merge_counted(in->m, which, MERGE_COUNT_##name, row, SCHEMA_AT_##extent(t->member, i))
#define MERGE_FIGURE_VALUES(name, member, extent) &&add_row(x, which, MERGE_SUM_##name, row, &t->block, t->member, from)
#define MERGE_FIGURE(T, name, member, type, role, extent, json, words, rule, what) MERGE_FIGURE_##rule(name, member, type, extent)

/* ---- putting a row out: `row` is the merger's; of contexts `nodes` has those that are there already ---- */

#define EMIT_STRING(x) emit_string(e, (x))
#define EMIT_MODULE(x) emit_module(e, (x))
#define EMIT_FILE(x) e->files[x]
#define EMIT_FUNC(x) e->funcs[x]
#define EMIT_NODE(x) ((x) ? nodes[(x)-1] : (assay_node_id){ 0 })
#define EMIT_WORD(x) (x)
#define EMIT_FLAGS(x) (x)
#define EMIT_BOOL(x) (x)
#define EMIT_U32(x) (x)
#define EMIT_U64(x) (x)
#define EMIT_I64(x) (x)
#define EMIT_F64(x) (x)
/* In the order of names, whatever the order of the inputs was. */
#define EMIT_RANK_FUNC(x) e->func_rank[x]
#define EMIT_RANK_FILE(x) e->file_rank[x]
#define EMIT_RANK_MODULE(x) e->module_rank[x]
#define EMIT_RANK_NODE(x) ((x) ? e->node_rank[(x)-1] : 0)
#define EMIT_RANK_WORD(x) (x)
#define EMIT_RANK_FLAGS(x) (x)
#define EMIT_RANK_U32(x) (x)
#define EMIT_RANK_U64(x) (x)
#define EMIT_ROW(T, name, member, type, ...) .name = EMIT_##type(row->name),

#endif

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
#define MERGE_C_WORD uint8_t
#define MERGE_C_FLAGS uint8_t
#define MERGE_C_BOOL uint8_t
#define MERGE_C_U32 uint32_t
#define MERGE_C_U64 uint64_t
#define MERGE_C_I64 int64_t
#define MERGE_C_F64 double
#define MERGE_MEMBER(T, name, member, type, ...) MERGE_C_##type name;

/* ---- taking a row: t is the public table ---- */

#define MERGE_OF_STRING(id, at) merge_string(in, id)
#define MERGE_OF_MODULE(id, at) in->modules[id]
#define MERGE_OF_FILE(id, at) in->files[id]
#define MERGE_OF_FUNC(id, at) merge_func(in, id)
#define MERGE_OF_WORD(id, at) at
#define MERGE_OF_FLAGS(id, at) at
#define MERGE_OF_BOOL(id, at) at
#define MERGE_OF_U32(id, at) at
#define MERGE_OF_U64(id, at) at
#define MERGE_OF_I64(id, at) at
#define MERGE_OF_F64(id, at) at
#define MERGE_OF(member, type, extent) MERGE_OF_##type(SCHEMA_ID_##extent(t->member, i), SCHEMA_AT_##extent(t->member, i))
#define MERGE_TAKE(T, name, member, type, role, extent, ...) .name = MERGE_OF(member, type, extent),

/* ---- are two rows one? ---- */

#define MERGE_SAME_KEY(name) &&a->name == b->name
#define MERGE_SAME_SPELLING(name) &&a->spelling == b->spelling
#define MERGE_SAME_PLACE(name)
#define MERGE_SAME_SUM(name)
#define MERGE_SAME_MAX(name)
#define MERGE_SAME_OR(name)
#define MERGE_SAME_SMALLER(name)
#define MERGE_SAME_LINE_FLAGS(name)
#define MERGE_SAME_BRANCH_FLAGS(name)
#define MERGE_SAME_PARENT(name)
#define MERGE_SAME_AT_LEAST(name)
#define MERGE_SAME(T, name, member, type, role, extent, json, words, rule, what) MERGE_SAME_##rule(name)

/* ---- folding `said` into `to`; special rules are the caller's ---- */

#define MERGE_FOLD_KEY(name)
#define MERGE_FOLD_SUM(name) to->name = merge_add(m, to->name, said->name);
#define MERGE_FOLD_MAX(name)                                                                                                                                   \
    if (said->name > to->name) to->name = said->name;
#define MERGE_FOLD_OR(name) to->name |= said->name;
#define MERGE_FOLD_SMALLER(name) to->name = merge_smaller(m, to->name, said->name);
#define MERGE_FOLD_LINE_FLAGS(name) to->name = merge_line_flags(to->name, said->name);
#define MERGE_FOLD_BRANCH_FLAGS(name) to->name = merge_branch_flags(to->name, said->name);
#define MERGE_FOLD_SPELLING(name)
#define MERGE_FOLD_PARENT(name)
#define MERGE_FOLD_AT_LEAST(name)
#define MERGE_FOLD(T, name, member, type, role, extent, json, words, rule, what) MERGE_FOLD_##rule(name)

/* ---- putting a row out: `row` is the merger's ---- */

#define EMIT_STRING(x) emit_string(e, (x))
#define EMIT_MODULE(x) emit_module(e, (x))
#define EMIT_FILE(x) e->files[x]
#define EMIT_FUNC(x) e->funcs[x]
#define EMIT_WORD(x) (x)
#define EMIT_FLAGS(x) (x)
#define EMIT_BOOL(x) (x)
#define EMIT_U32(x) (x)
#define EMIT_U64(x) (x)
#define EMIT_I64(x) (x)
#define EMIT_F64(x) (x)
#define EMIT_ROW(T, name, member, type, ...) .name = EMIT_##type(row->name),

#endif

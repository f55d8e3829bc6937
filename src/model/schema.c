/* The tables that schema.def makes, and reading a profile by them; see schema.h. */
#include "model/schema.h"

#include <stddef.h>

#include "model/builder.h"

/* ---- words of assay-json, by number or bit ---- */

#define WORDS(name, ...) static const char *const words_##name[] = { __VA_ARGS__, NULL };
#define words_0 NULL
WORDS(FUNC_KINDS, "plain", "internal", "opcode", "placeholder")
WORDS(TYPES, "u64", "i64", "f64")
WORDS(SHAPES, "tree", "graph", "lines", "timeline", "coverage", "labels")
WORDS(METRIC_KINDS, "flow", "level")
WORDS(LABEL_KINDS, "text", "integer", "double", "boolean")
WORDS(SCOPE_KINDS, "point", "function", "lex_aware", "execution", "custom")
WORDS(COMBINES, "sum", "min", "max")
WORDS(NODE_KINDS, "function", "entry", "inlined", "loop", "line", "instruction", "other")
WORDS(RELATIONS, "lexical", "call", "inlined_call", "other")
WORDS(NODE_FLAGS, "no_place", "call_unknown")
WORDS(LEVELS, "line", "block", "sub")
WORDS(LINE_FLAGS, "only_hit", "partial", "excluded", "noncode", "unexecuted_block", "unknown")
WORDS(BRANCH_FLAGS, "not_evaluated", "exception", "fallthrough", "unreachable", "excluded")
WORDS(SUM_FLAGS, "at_least")
WORDS(REGION_KINDS, "code", "statement", "block", "gap", "skipped", "other")

/* ---- columns ---- */

/* The structs of a table, by its name. */
#define STRUCTS(TABLE, list, public, counter, member, build, ...)                                                                                              \
    typedef struct public public_##TABLE;                                                                                                                      \
    typedef struct build build_##TABLE;
SCHEMA_TABLES(STRUCTS)

enum { EXTENT_LAZY, EXTENT_FULL };
#define MUST(json) true, json
#define MAY(json) false, json
#define NO false, NULL
/* clang-format off */
#define COLUMN(T, name, member, type, role, extent, json, words, merge, what) \
    { #name, SCHEMA_##type, SCHEMA_##role, EXTENT_##extent == EXTENT_FULL, json, words_##words, SCHEMA_BY_##merge, what, \
      offsetof(public_##T, member), offsetof(build_##T, name) },
/* clang-format on */
#define COLUMNS(TABLE, list, ...) static const struct schema_column columns_##TABLE[] = { list(COLUMN, TABLE) };
SCHEMA_TABLES(COLUMNS)

/* A public column has the type that its line says. */
#define IS_TYPED(T, name, member, type, ...)                                                                                                                   \
    _Static_assert(_Generic(((public_##T *)0)->member, const SCHEMA_C_##type * : 1, default : 0), #T "." #name " has another type in assay/model.h");
#define TYPES_OF(TABLE, list, ...) list(IS_TYPED, TABLE)
SCHEMA_TABLES(TYPES_OF)

/* ---- tables ---- */

#define BLOCK_NONE 0, 0
#define BLOCK_graph offsetof(struct assay_profile, graph.block), offsetof(struct assay_builder, graph.block)
#define BLOCK_lines offsetof(struct assay_profile, lines.block), offsetof(struct assay_builder, lines.block)
#define BLOCK_timeline offsetof(struct assay_profile, timeline.block), offsetof(struct assay_builder, timeline.block)
#define BLOCK_labels offsetof(struct assay_profile, labels.block), offsetof(struct assay_builder, samples.block)
enum { HAS_NONE, HAS_graph, HAS_lines, HAS_timeline, HAS_labels };
/* clang-format off */
#define TABLE(name, list, public, counter, member, build, builder, numbering, block, json, item, what) \
    { json, item, what, SCHEMA_##numbering, HAS_##block != HAS_NONE, sizeof((public_##name *)0)->counter == sizeof(uint64_t), \
      columns_##name, sizeof columns_##name / sizeof *columns_##name, offsetof(struct assay_profile, member), offsetof(public_##name, counter), \
      offsetof(struct assay_builder, builder), BLOCK_##block },
/* clang-format on */
const struct schema_table schema_tables[SCHEMA_T_COUNT] = { SCHEMA_TABLES(TABLE) };

const char *schema_word(const struct schema_column *c, uint64_t value)
{
    uint64_t known = 0;
    while (known < value && c->words[known]) known++;
    return c->words[known] ? c->words[known] : c->words[0];
}

/* ---- rows of a profile ---- */

uint64_t schema_count(const assay_profile *p, const struct schema_table *t)
{
    const char *at = (const char *)p + t->at + t->count_at;
    return t->has_wide_count ? *(const uint64_t *)(const void *)at : *(const uint32_t *)(const void *)at;
}

const struct assay_block *schema_block(const assay_profile *p, const struct schema_table *t)
{
    return t->has_block ? (const void *)((const char *)p + t->block_at) : NULL;
}

const void *schema_column_of(const assay_profile *p, const struct schema_table *t, const struct schema_column *c)
{
    const void *column;
    memcpy(&column, (const char *)p + t->at + c->at, sizeof column);
    return column;
}

union schema_cell schema_cell(const assay_profile *p, const struct schema_table *t, const struct schema_column *c, uint64_t row)
{
    const void *column = schema_column_of(p, t, c);
    union schema_cell cell = { .u = 0 };
    if (!column) return cell;
    if (c->type == SCHEMA_VALUES) {
        cell.values = (const assay_value *)column + row * schema_block(p, t)->metric_count;
        return cell;
    }
    switch (schema_size(c->type)) {
    case 1: cell.u = ((const uint8_t *)column)[row]; break;
    case 4: cell.u = ((const uint32_t *)column)[row]; break;
    case 8: memcpy(&cell, (const uint64_t *)column + row, sizeof cell); break;
    default: cell.u = ((const assay_wide *)column)[row].low;
    }
    return cell;
}

void schema_row(const assay_profile *p, const struct schema_table *t, uint64_t row, union schema_cell *cells)
{
    for (unsigned c = 0; c < t->count; c++) cells[c] = schema_cell(p, t, &t->columns[c], row);
}

/* See fields.h. */
#include "formats/assay-json/fields.h"

#include <stddef.h>

#define FIELD(name, kind, row, member)                                                                                                                         \
    {                                                                                                                                                          \
        COVERAGE_KEY(name), ASSAY_JSON_##kind, offsetof(struct row, member), false, NULL                                                                       \
    }
#define NEEDED(name, kind, row, member)                                                                                                                        \
    {                                                                                                                                                          \
        COVERAGE_KEY(name), ASSAY_JSON_##kind, offsetof(struct row, member), true, NULL                                                                        \
    }
#define WORDS(name, kind, row, member, list)                                                                                                                   \
    {                                                                                                                                                          \
        COVERAGE_KEY(name), ASSAY_JSON_##kind, offsetof(struct row, member), false, list                                                                       \
    }

static const char *const line_flags[] = { "only_hit", "partial", "excluded", "noncode", "unexecuted_block", "unknown", NULL };
static const char *const branch_flags[] = { "not_evaluated", "exception", "fallthrough", "unreachable", "excluded", NULL };
static const char *const sum_flags[] = { "at_least", NULL };
static const char *const region_kinds[] = { "code", "statement", "block", "gap", "skipped", "other", NULL };
static const char *const func_kinds[] = { "plain", "internal", "opcode", "placeholder", NULL };
static const char *const types[] = { "u64", "i64", "f64", NULL };

static const struct assay_json_field modules[] = { NEEDED("path", TEXT, assay_json_module, path), FIELD("build_id", TEXT, assay_json_module, build_id) };

static const struct assay_json_field files[] = {
    NEEDED("path", TEXT, assay_json_file, path),      FIELD("module", U32, assay_json_file, module), FIELD("origin", TEXT, assay_json_file, origin),
    FIELD("source", TEXT, assay_json_file, source),   FIELD("parent", U32, assay_json_file, parent), FIELD("parent_line", U32, assay_json_file, parent_line),
    FIELD("file_flags", U32, assay_json_file, flags),
};

static const struct assay_json_field functions[] = {
    NEEDED("name", TEXT, assay_json_function, name),
    FIELD("file", U32, assay_json_function, file),
    FIELD("module", U32, assay_json_function, module),
    FIELD("line", U32, assay_json_function, line),
    FIELD("last_line", U32, assay_json_function, last_line),
    FIELD("column", U32, assay_json_function, column),
    FIELD("offset", U64, assay_json_function, offset),
    FIELD("link_name", TEXT, assay_json_function, link_name),
    WORDS("kind", WORD, assay_json_function, kind, func_kinds),
    FIELD("function_flags", U32, assay_json_function, flags),
};

static const struct assay_json_field called[] = {
    FIELD("test", TEXT, assay_coverage_func, test),
    NEEDED("calls", U64, assay_coverage_func, calls),
    FIELD("first_column", U32, assay_coverage_func, first_column),
    FIELD("last_column", U32, assay_coverage_func, last_column),
    FIELD("blocks", U32, assay_coverage_func, blocks),
    FIELD("blocks_hit", U32, assay_coverage_func, blocks_hit),
    WORDS("flags", FLAGS, assay_coverage_func, flags, line_flags),
};

static const struct assay_json_field lines[] = {
    NEEDED("line", U32, assay_coverage_line, line),         NEEDED("hits", U64, assay_coverage_line, hits),
    FIELD("test", TEXT, assay_coverage_line, test),         WORDS("flags", FLAGS, assay_coverage_line, flags, line_flags),
    FIELD("checksum", TEXT, assay_coverage_line, checksum),
};

static const struct assay_json_field branches[] = {
    NEEDED("line", U32, assay_coverage_branch, line),
    FIELD("function", U32, assay_coverage_branch, func),
    FIELD("block", TEXT, assay_coverage_branch, block),
    FIELD("name", TEXT, assay_coverage_branch, name),
    FIELD("index", U32, assay_coverage_branch, index),
    NEEDED("hits", U64, assay_coverage_branch, hits),
    WORDS("flags", FLAGS, assay_coverage_branch, flags, branch_flags),
    FIELD("column", U32, assay_coverage_branch, column),
    FIELD("end_line", U32, assay_coverage_branch, end_line),
    FIELD("end_column", U32, assay_coverage_branch, end_column),
    FIELD("target", I64, assay_coverage_branch, target),
    FIELD("test", TEXT, assay_coverage_branch, test),
};

static const struct assay_json_field sums[] = {
    FIELD("line", U32, assay_coverage_sum, line),   NEEDED("kind", TEXT, assay_coverage_sum, kind), FIELD("hit", U32, assay_coverage_sum, hit),
    FIELD("total", U32, assay_coverage_sum, total), FIELD("test", TEXT, assay_coverage_sum, test),  WORDS("flags", FLAGS, assay_coverage_sum, flags, sum_flags),
};

static const struct assay_json_field conditions[] = {
    NEEDED("line", U32, assay_coverage_condition, line),  FIELD("group", U32, assay_coverage_condition, group),
    FIELD("index", U32, assay_coverage_condition, index), FIELD("sense", BOOL, assay_coverage_condition, sense),
    FIELD("hits", U64, assay_coverage_condition, hits),   FIELD("text", TEXT, assay_coverage_condition, text),
    FIELD("test", TEXT, assay_coverage_condition, test),  WORDS("flags", FLAGS, assay_coverage_condition, flags, branch_flags),
};

static const struct assay_json_field regions[] = {
    WORDS("kind", WORD, assay_coverage_region, kind, region_kinds),
    FIELD("function", U32, assay_coverage_region, func),
    FIELD("first", U64, assay_coverage_region, first),
    FIELD("first_column", U32, assay_coverage_region, first_column),
    FIELD("last", U64, assay_coverage_region, last),
    FIELD("last_column", U32, assay_coverage_region, last_column),
    FIELD("statements", U32, assay_coverage_region, statements),
    FIELD("hits", U64, assay_coverage_region, hits),
};

static const struct assay_json_field stated[] = {
    FIELD("scope", TEXT, assay_coverage_stated, scope),
    NEEDED("kind", TEXT, assay_coverage_stated, kind),
    NEEDED("hit", F64, assay_coverage_stated, hit),
    NEEDED("total", F64, assay_coverage_stated, total),
};

static const struct assay_json_field metrics[] = {
    NEEDED("name", TEXT, assay_json_metric, name),       FIELD("unit", TEXT, assay_json_metric, unit),
    WORDS("type", WORD, assay_json_metric, type, types), FIELD("description", TEXT, assay_json_metric, description),
    FIELD("formula", TEXT, assay_json_metric, formula),  FIELD("hidden", BOOL, assay_json_metric, hidden),
    FIELD("total", NUMBER, assay_json_metric, total),
};

static const struct assay_json_field attributes[] = { NEEDED("key", TEXT, assay_json_pair, key), FIELD("value", TEXT, assay_json_pair, value) };
static const struct assay_json_field counts[] = { NEEDED("name", TEXT, assay_json_count, name), FIELD("value", U64, assay_json_count, value) };

#define TABLE(list, item)                                                                                                                                      \
    {                                                                                                                                                          \
#list, item, list, sizeof list / sizeof *list                                                                                                          \
    }
const struct assay_json_table assay_json_tables[ASSAY_JSON_KINDS] = {
    TABLE(modules, "module"), TABLE(files, "file"),      TABLE(functions, "function"), TABLE(called, "called"),
    TABLE(lines, "line"),     TABLE(branches, "branch"), TABLE(sums, "sum"),           TABLE(conditions, "condition"),
    TABLE(regions, "region"), TABLE(stated, "stated"),   TABLE(metrics, "metric"),     TABLE(attributes, "attribute"),
    TABLE(counts, "count"),
};

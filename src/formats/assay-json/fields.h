/* assay's own coverage JSON: what the rows are, and which members each has. The decoder, the writer and the dump all go by these tables, so that
 * they cannot differ. docs/formats/assay-json.md has the grammar, docs/schema/coverage.json the schema. */
#ifndef FORMATS_ASSAY_JSON_FIELDS_H
#define FORMATS_ASSAY_JSON_FIELDS_H

#include "assay/build.h"
#include "formats/coverage/json.h"

enum { ASSAY_JSON_VERSION = 1 };

enum assay_json_kind {
    ASSAY_JSON_MODULE,
    ASSAY_JSON_FILE,
    ASSAY_JSON_FUNCTION,
    ASSAY_JSON_CALLED, /* of a function */
    ASSAY_JSON_LINE,   /* from here on: of a file, or of none */
    ASSAY_JSON_BRANCH,
    ASSAY_JSON_SUM,
    ASSAY_JSON_CONDITION,
    ASSAY_JSON_REGION,
    ASSAY_JSON_STATED,
    ASSAY_JSON_METRIC, /* from here on: of the document */
    ASSAY_JSON_ATTRIBUTE,
    ASSAY_JSON_COUNT,
    ASSAY_JSON_KINDS
};

struct assay_json_module {
    assay_str_id path, build_id;
};
struct assay_json_file {
    assay_str_id path, origin, source;
    uint32_t module, parent, parent_line, flags;
};
struct assay_json_function {
    assay_str_id name, link_name;
    uint32_t file, module, line, last_line, column, flags;
    uint8_t kind;
    uint64_t offset;
};
struct assay_json_metric {
    assay_str_id name, unit, description, formula, total; /* total: the number as text; 0 = not stated */
    uint8_t type, hidden;
};
struct assay_json_pair {
    assay_str_id key, value;
};
struct assay_json_count {
    assay_str_id name;
    uint64_t value;
};

/* Strings are ids of whoever fills the row; files, functions and modules are numbers from 1 in the order of the document. */
union assay_json_row {
    struct assay_json_module module;
    struct assay_json_file file;
    struct assay_json_function function;
    struct assay_coverage_func called;
    struct assay_coverage_line line;
    struct assay_coverage_branch branch;
    struct assay_coverage_sum sum;
    struct assay_coverage_condition condition;
    struct assay_coverage_region region;
    struct assay_coverage_stated stated;
    struct assay_json_metric metric;
    struct assay_json_pair attribute;
    struct assay_json_count count;
};

enum assay_json_type {
    ASSAY_JSON_U8,
    ASSAY_JSON_U32,
    ASSAY_JSON_U64,
    ASSAY_JSON_I64,
    ASSAY_JSON_F64,
    ASSAY_JSON_TEXT,
    ASSAY_JSON_NUMBER, /* of any length, kept as text */
    ASSAY_JSON_BOOL,
    ASSAY_JSON_WORD, /* one of `words`; the first is not written */
    ASSAY_JSON_FLAGS /* an array of `words`: bits */
};

/* A member that is absent is 0. */
struct assay_json_field {
    assay_slice key;
    enum assay_json_type type;
    size_t at; /* in the row */
    bool is_needed;
    const char *const *words; /* ends with NULL */
};
struct assay_json_table {
    const char *list; /* the member whose rows these are */
    const char *item; /* for messages and dumps */
    const struct assay_json_field *fields;
    unsigned count;
};
extern const struct assay_json_table assay_json_tables[ASSAY_JSON_KINDS];

#endif

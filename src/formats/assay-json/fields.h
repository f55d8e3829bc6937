/* assay's own JSON: a list for each table of the model, with the members that schema.def names, and the values of the tree. Decoder, writer and dump go by
 * these lists, so that they cannot differ. docs/formats/assay-json.md has the grammar, docs/schema/assay-json.schema.json the schema. */
#ifndef FORMATS_ASSAY_JSON_FIELDS_H
#define FORMATS_ASSAY_JSON_FIELDS_H

#include "assay/build.h"
#include "formats/coverage/json.h"
#include "model/schema.h"

enum { ASSAY_JSON_VERSION = 1 };

/* What rows there are: the tables of the model, then values of the tree. */
enum { ASSAY_JSON_VALUES = SCHEMA_T_COUNT, ASSAY_JSON_SUMMARY, ASSAY_JSON_KINDS, ASSAY_JSON_MEMBERS = SCHEMA_COLUMNS_MAX + 1 };

/* A member that is absent is 0. */
struct assay_json_member {
    assay_slice key;
    const struct schema_column *column; /* `name` says what it is; NULL = the stream whose row it is */
    unsigned cell;                      /* place in the row */
};
struct assay_json_list {
    const char *list; /* the member whose rows these are */
    const char *item; /* for messages and dumps */
    struct assay_json_member members[ASSAY_JSON_MEMBERS];
    unsigned count;
};
/* Of the kind; by value, because it is put together from schema.def. */
struct assay_json_list assay_json_list(unsigned kind);

/* Which lists stand inside a row of the kind: first .. end - 1 of assay_json_inner; those of a file may stand in the document too. */
extern const enum schema_number assay_json_inner[];
void assay_json_inner_of(unsigned kind, unsigned *first, unsigned *end);
bool assay_json_is_top(unsigned kind);

/* Places of the cells that the code has to know. */
enum { ASSAY_JSON_VALUE_STREAM, ASSAY_JSON_VALUE_NODE, ASSAY_JSON_VALUE_COLUMN, ASSAY_JSON_VALUE };
unsigned assay_json_cell(enum schema_number table, const char *name);

/* Shapes whose values have metrics, and what else is said of the whole. */
extern const char *const assay_json_shapes[];
extern const char *const assay_json_properties[];
enum { ASSAY_JSON_KEEPS_RECURSION, ASSAY_JSON_KNOWS_NESTING, ASSAY_JSON_WHOLE_TREE };
enum { ASSAY_JSON_GRAPH, ASSAY_JSON_LINES, ASSAY_JSON_EVENTS, ASSAY_JSON_SAMPLES, ASSAY_JSON_BLOCKS };
/* Which of them the values of a table have. */
unsigned assay_json_block(unsigned kind);

#endif

/* A file of an istanbul document while it is in work: the three maps, and the counts that belong to them. */
#ifndef ISTANBUL_PARTS_H
#define ISTANBUL_PARTS_H

#include "formats/istanbul/decode.h"

enum istanbul_part { ISTANBUL_STATEMENTS, ISTANBUL_FUNCTIONS, ISTANBUL_BRANCHES, ISTANBUL_PARTS };

#define ISTANBUL_NAMED 0x80000000u /* an id that is no number: the rest is the id of its text */

/* Columns count from 1; 0 = not said. */
struct istanbul_span {
    uint32_t line, column, end_line, end_column;
};
struct istanbul_item {
    uint64_t off;
    uint32_t number, id;
    uint32_t name; /* of a function; type of a branch */
    struct istanbul_span span;
    uint32_t first_path, paths; /* of a branch */
};
struct istanbul_count {
    uint64_t off, value;
    uint32_t number, id;
    uint32_t first, len; /* of a branch, in `values` */
};

struct istanbul_file {
    struct coverage_decoder *d;
    VEC(struct istanbul_item) maps[ISTANBUL_PARTS];
    VEC(struct istanbul_count) counts[ISTANBUL_PARTS];
    uint64_t count_off[ISTANBUL_PARTS], count_number[ISTANBUL_PARTS]; /* of the members s, f and b */
    VEC(struct istanbul_span) paths;
    VEC(uint64_t) values;
    VEC(struct coverage_hit) hits; /* scratch */
    uint64_t off, number;
    uint32_t path, hash, seen;
    bool is_summary; /* it states figures, as coverage-summary.json does, and has nothing to count */
    bool is_whole;
};

/* Joins maps and counts, and gives the rows of the file. */
int istanbul_give(struct istanbul_file *f);

#endif

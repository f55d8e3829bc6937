/* The coverage tables that assay_profile_equal compares. */
#include "model/equal.h"

#define KEY(name, kind, column)                                                                                                                                \
    {                                                                                                                                                          \
        name, kind, true, offsetof(struct assay_coverage, column)                                                                                              \
    }
#define FIGURE(name, kind, column)                                                                                                                             \
    {                                                                                                                                                          \
        name, kind, false, offsetof(struct assay_coverage, column)                                                                                             \
    }

static const struct field line_fields[] = {
    KEY("file", FIELD_FILE, line_file),   KEY("line", FIELD_U32, line_number),   KEY("test", FIELD_STRING, line_test),
    FIGURE("hits", FIELD_U64, line_hits), FIGURE("flags", FIELD_U8, line_flags), FIGURE("checksum", FIELD_STRING, line_checksum),
};

static const struct field func_fields[] = {
    KEY("function", FIELD_FUNC, func),
    KEY("test", FIELD_STRING, func_test),
    FIGURE("calls", FIELD_U64, func_calls),
    FIGURE("first column", FIELD_U32, func_first_column),
    FIGURE("last column", FIELD_U32, func_last_column),
    FIGURE("blocks", FIELD_U32, func_blocks),
    FIGURE("blocks hit", FIELD_U32, func_blocks_hit),
    FIGURE("flags", FIELD_U8, func_flags),
};

static const struct field branch_fields[] = {
    KEY("file", FIELD_FILE, branch_file),           KEY("line", FIELD_U32, branch_line),
    KEY("test", FIELD_STRING, branch_test),         KEY("index", FIELD_U32, branch_index),
    KEY("block", FIELD_STRING, branch_block),       KEY("name", FIELD_STRING, branch_name),
    KEY("function", FIELD_FUNC, branch_func),       FIGURE("hits", FIELD_U64, branch_hits),
    FIGURE("flags", FIELD_U8, branch_flags),        FIGURE("column", FIELD_U32, branch_column),
    FIGURE("end line", FIELD_U32, branch_end_line), FIGURE("end column", FIELD_U32, branch_end_column),
    FIGURE("target", FIELD_I64, branch_target),
};

static const struct field sum_fields[] = {
    KEY("file", FIELD_FILE, sum_file), KEY("line", FIELD_U32, sum_line),      KEY("test", FIELD_STRING, sum_test),  KEY("kind", FIELD_STRING, sum_kind),
    FIGURE("hit", FIELD_U32, sum_hit), FIGURE("total", FIELD_U32, sum_total), FIGURE("flags", FIELD_U8, sum_flags),
};

static const struct field condition_fields[] = {
    KEY("file", FIELD_FILE, condition_file),   KEY("line", FIELD_U32, condition_line),       KEY("group", FIELD_U32, condition_group),
    KEY("index", FIELD_U32, condition_index),  KEY("sense", FIELD_U8, condition_sense),      KEY("test", FIELD_STRING, condition_test),
    FIGURE("hits", FIELD_U64, condition_hits), FIGURE("text", FIELD_STRING, condition_text), FIGURE("flags", FIELD_U8, condition_flags),
};

static const struct field region_fields[] = {
    KEY("file", FIELD_FILE, region_file),   KEY("function", FIELD_FUNC, region_func),
    KEY("first", FIELD_U64, region_first),  KEY("first column", FIELD_U32, region_first_column),
    KEY("last", FIELD_U64, region_last),    KEY("last column", FIELD_U32, region_last_column),
    KEY("kind", FIELD_U8, region_kind),     FIGURE("statements", FIELD_U32, region_statements),
    FIGURE("hits", FIELD_U64, region_hits),
};

static const struct field stated_fields[] = {
    KEY("file", FIELD_FILE, stated_file), KEY("scope", FIELD_STRING, stated_scope), KEY("kind", FIELD_STRING, stated_kind),
    FIGURE("hit", FIELD_F64, stated_hit), FIGURE("total", FIELD_F64, stated_total),
};

int equal_coverage(struct equal *e)
{
    const struct assay_coverage *a = &e->p[0]->coverage, *c = &e->p[1]->coverage;
#define TABLE(name, list, counter)                                                                                                                             \
    {                                                                                                                                                          \
        .what = (name), .fields = (list), .field_count = sizeof(list) / sizeof *(list), .base = { a, c }, .count = { a->counter, c->counter },                 \
        .class_kind = -1                                                                                                                                       \
    }
    const struct table tables[] = {
        TABLE("covered lines", line_fields, line_count),        TABLE("covered functions", func_fields, func_count),
        TABLE("branches", branch_fields, branch_count),         TABLE("sums of branches", sum_fields, sum_count),
        TABLE("conditions", condition_fields, condition_count), TABLE("regions", region_fields, region_count),
        TABLE("stated coverage", stated_fields, stated_count),
    };
#undef TABLE
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) TRY(equal_table(e, &tables[i]));
    return 0;
}

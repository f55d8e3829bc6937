/* The list of columns and all that is made from it: each public column is in the list, and each column of the list goes through seal, equality, copy, filter,
 * merge and assay-json without loss. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "analysis/core/profile_copy.h"
#include "assay/analysis.h"
#include "assay/format.h"
#include "model/profile.h"
#include "schema_fill.h"

static assay_profile *make(uint64_t without, int table, int column)
{
    assay_error err = { 0 };
    assay_profile *p = fill_profile(without, table, column, &err);
    if (!p) fail_msg("%s", err.text);
    return p;
}

static assay_profile *whole(void) { return make(0, FILL_NONE, FILL_NONE); }

/* ---- the list and assay/model.h ---- */

/* Members that are no columns: counts, blocks, and what is said of a whole table. */
static void cover(uint8_t *seen, size_t at, size_t len) { memset(seen + at, 1, len); }

static void every_member_of_a_public_table_is_in_the_list(void **state)
{
    (void)state;
    static uint8_t seen[sizeof(struct assay_profile)];
    static const size_t ends[][2] = {
#define SPAN(m) { offsetof(struct assay_profile, m), offsetof(struct assay_profile, m) + sizeof(((struct assay_profile *)0)->m) }
        SPAN(modules), SPAN(files),    SPAN(funcs),  SPAN(metrics), SPAN(scopes),   SPAN(stats),    SPAN(streams),    SPAN(tree),   SPAN(graph),
        SPAN(lines),   SPAN(timeline), SPAN(labels), SPAN(markers), SPAN(counters), SPAN(coverage), SPAN(attributes), SPAN(counts),
    };
    for (int t = 0; t < SCHEMA_T_COUNT; t++) {
        const struct schema_table *s = &schema_tables[t];
        cover(seen, s->at + s->count_at, s->has_wide_count ? 8 : 4);
        if (s->has_block) cover(seen, s->block_at, sizeof(struct assay_block));
        for (unsigned c = 0; c < s->count; c++) cover(seen, s->at + s->columns[c].at, sizeof(void *));
    }
    cover(seen, offsetof(struct assay_profile, tree.is_whole), sizeof(bool));
    cover(seen, offsetof(struct assay_profile, graph.keeps_recursion), sizeof(bool));
    cover(seen, offsetof(struct assay_profile, graph.knows_nesting), sizeof(bool));
    /* what is left is padding */
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        for (size_t at = ends[i][0], gap = 0; at < ends[i][1]; at++) {
            gap = seen[at] ? 0 : gap + 1;
            if (gap >= sizeof(void *)) fail_msg("a member at byte %zu of public table %zu is not in schema.def", at - ends[i][0], i);
        }
}

/* ---- seal ---- */

static void check_cell(const assay_profile *p, int table, unsigned column, uint32_t row, uint64_t at)
{
    const struct schema_table *t = &schema_tables[table];
    const struct schema_column *c = &t->columns[column];
    struct fill f = { .b = assay_builder_new(NULL, NULL), .table = FILL_NONE };
    union schema_cell is = schema_cell(p, t, c, at), want = fill_cell(&f, table, column, row);
    bool same = is.u == want.u;
    char text[80];
    if (c->type == SCHEMA_STRING) {
        snprintf(text, sizeof text, "%s %s %u", t->item, c->name, row);
        same = is.u && !strcmp(assay_profile_string(p, (assay_str_id){ (uint32_t)is.u }).data, text);
    }
    if (c->type == SCHEMA_VALUES) same = is.values && !memcmp(is.values, want.values, sizeof f.values[0]);
    if (!same) fail_msg("%s: %s of row %u is not what was put", t->what, c->name, row);
    assay_builder_free(f.b);
}

/* Totals are computed, layouts made. */
static bool is_put(const struct schema_table *t, unsigned c)
{
    return t->columns[c].role != SCHEMA_LAYOUT && t->columns[c].type != SCHEMA_WIDE && strcmp(t->columns[c].name, "total_double") != 0;
}

/* Rows of the profile: from id 1, from row 0, or from stream 1. */
static uint64_t place(const struct schema_table *t, uint32_t row) { return t->numbering == SCHEMA_IDS || t->numbering == SCHEMA_EACH ? row : row - 1; }

static void check_table(const assay_profile *p, int table, bool (*is_kept)(const struct schema_column *))
{
    const struct schema_table *t = &schema_tables[table];
    if (schema_count(p, t) != FILL_ROWS) fail_msg("%s: %llu rows", t->what, (unsigned long long)schema_count(p, t));
    for (unsigned c = 0; c < t->count; c++)
        for (uint32_t row = 1; row <= FILL_ROWS; row++)
            if (is_put(t, c) && (!is_kept || is_kept(&t->columns[c]))) check_cell(p, table, c, row, place(t, row));
}

/* Their layout is there only where rows are short. */
static bool has_short_rows(int t) { return t == SCHEMA_T_SUMS || t == SCHEMA_T_COSTS || t == SCHEMA_T_ARCS; }

static void every_column_is_sealed(void **state)
{
    (void)state;
    assay_profile *p = whole();
    for (int t = 0; t < SCHEMA_T_COUNT; t++) {
        check_table(p, t, NULL);
        for (unsigned c = 0; c < schema_tables[t].count; c++)
            if (!has_short_rows(t) || schema_tables[t].columns[c].role != SCHEMA_LAYOUT)
                assert_non_null(schema_column_of(p, &schema_tables[t], &schema_tables[t].columns[c]));
    }
    assay_profile_release(p);
}

/* ---- equality ---- */

static void a_change_in_any_column_is_found(void **state)
{
    (void)state;
    assay_profile *p = whole();
    for (int t = 0; t < SCHEMA_T_COUNT; t++)
        for (unsigned c = 0; c < schema_tables[t].count; c++) {
            const struct schema_column *column = &schema_tables[t].columns[c];
            if (column->role == SCHEMA_LAYOUT || column->role == SCHEMA_NOTE) continue;
            assay_profile *q = make(0, t, (int)c);
            char why[400] = "";
            int rc = assay_profile_equal(p, q, why, sizeof why, NULL);
            if (rc != 1) fail_msg("a change of %s in %s is not found (%d)", column->name, schema_tables[t].what, rc);
            assay_profile_release(q);
        }
    assay_profile_release(p);
}

/* ---- copies and filters ---- */

static assay_profile *seal(assay_builder *b)
{
    assay_error err = { 0 };
    assay_profile *p = assay_builder_seal(b, &err);
    if (!p) fail_msg("%s", err.text);
    return p;
}

static void copies_have_every_column(void **state)
{
    (void)state;
    static const int tables[] = { SCHEMA_T_MODULES, SCHEMA_T_FILES, SCHEMA_T_FUNCS, SCHEMA_T_STREAMS, SCHEMA_T_TUPLES, SCHEMA_T_ATTRIBUTES };
    const uint32_t streams[] = { 0, 1, 2 };
    assay_profile *p = whole();
    assay_builder *b = assay_builder_new(NULL, NULL);
    profile_copy_names(p, b);
    for (uint32_t s = 1; s <= FILL_ROWS; s++) profile_copy_stream(p, b, s);
    profile_copy_facts(p, b, streams);
    for (uint32_t i = 1; i <= FILL_ROWS; i++) {
        struct assay_node n = profile_copy_node(assay_profile_tree(p), i);
        assay_build_node_calls(b, assay_build_node_new(b, &n), assay_profile_tree(p)->calls[i]);
    }
    assay_profile *q = seal(b);
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) check_table(q, tables[i], NULL);
    check_table(q, SCHEMA_T_NODES, NULL);
    assay_profile_release(p);
    assay_profile_release(q);
}

#define BIT(table) ((uint64_t)1 << SCHEMA_T_##table)
static const uint64_t COST = BIT(SCOPES) | BIT(STATS) | BIT(STREAMS) | BIT(TUPLES) | BIT(NODES) | BIT(SUMS) | BIT(COSTS) | BIT(ARCS) | BIT(PAIRS) | BIT(JUMPS) |
                             BIT(LINES) | BIT(TIMELINES) | BIT(EVENTS) | BIT(LABELS) | BIT(LABEL_SETS) | BIT(SAMPLES) | BIT(MARKERS) | BIT(COUNTERS) |
                             BIT(READINGS) | BIT(ATTRIBUTES);
static const uint64_t COVERAGE = BIT(COVERAGE_LINES) | BIT(COVERAGE_FUNCS) | BIT(COVERAGE_BRANCHES) | BIT(COVERAGE_SUMS) | BIT(COVERAGE_CONDITIONS) |
                                 BIT(COVERAGE_REGIONS) | BIT(COVERAGE_STATED);

static void a_filter_of_coverage_that_keeps_all_changes_nothing(void **state)
{
    (void)state;
    const char *const all[] = { "**" };
    struct assay_filter filter = { .includes = all, .include_count = 1 };
    assay_profile *p = make(COST, FILL_NONE, FILL_NONE), *q = NULL;
    char why[400] = "";
    assay_error err = { 0 };
    if (assay_filter_apply(p, &filter, &q, &err) != 0) fail_msg("%s", err.text);
    if (assay_profile_equal(p, q, why, sizeof why, NULL) != 0) fail_msg("%s", why);
    assay_profile_release(p);
    assay_profile_release(q);
}

static void a_filter_of_cost_that_keeps_all_keeps_its_columns(void **state)
{
    (void)state;
    static const int tables[] = { SCHEMA_T_MODULES, SCHEMA_T_FILES,   SCHEMA_T_FUNCS,     SCHEMA_T_STREAMS, SCHEMA_T_TUPLES,
                                  SCHEMA_T_NODES,   SCHEMA_T_SUMS,    SCHEMA_T_COSTS,     SCHEMA_T_ARCS,    SCHEMA_T_JUMPS,
                                  SCHEMA_T_LINES,   SCHEMA_T_EVENTS,  SCHEMA_T_TIMELINES, SCHEMA_T_LABELS,  SCHEMA_T_LABEL_SETS,
                                  SCHEMA_T_SAMPLES, SCHEMA_T_MARKERS, SCHEMA_T_COUNTERS,  SCHEMA_T_READINGS };
    const char *const all[] = { "1-2" };
    struct assay_filter filter = { .streams = all, .stream_count = 1 };
    assay_profile *p = make(COVERAGE, FILL_NONE, FILL_NONE), *q = NULL;
    assay_error err = { 0 };
    if (assay_filter_apply(p, &filter, &q, &err) != 0) fail_msg("%s", err.text);
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) check_table(q, tables[i], NULL);
    assert_true(assay_profile_graph(q)->knows_nesting);
    assay_profile_release(p);
    assay_profile_release(q);
}

/* ---- merge ---- */

static bool is_merged(const struct schema_column *c)
{
    return c->merge != SCHEMA_BY_GONE && c->merge != SCHEMA_BY_FOLD && c->merge != SCHEMA_BY_AGAIN && c->merge != SCHEMA_BY_SAID;
}

static assay_profile *merge_alone(const assay_profile *p)
{
    struct assay_merge_options o = { .keep_tests = true };
    assay_error err = { 0 };
    assay_merger *m = assay_merger_new(&o, &err);
    if (!m || assay_merger_add(m, p, &err) != 0) fail_msg("%s", err.text);
    assay_profile *q = assay_merger_finish(m, &err);
    if (!q) fail_msg("%s", err.text);
    return q;
}

static void merging_with_nothing_keeps_every_column(void **state)
{
    (void)state;
    assay_profile *p = whole(), *q = merge_alone(p);
    for (int t = 0; t < SCHEMA_T_COUNT; t++) {
        bool is_any = false;
        for (unsigned c = 0; c < schema_tables[t].count; c++) is_any |= is_merged(&schema_tables[t].columns[c]);
        /* beside those of the input there is one of coverage */
        if (is_any && t != SCHEMA_T_METRICS) check_table(q, t, is_merged);
    }
    assay_profile_release(p);
    assay_profile_release(q);
}

/* ---- assay-json ---- */

struct text {
    char *at;
    size_t len;
};

static int keep(void *arg, const char *data, size_t len)
{
    struct text *t = arg;
    t->at = realloc(t->at, t->len + len);
    assert_non_null(t->at);
    memcpy(t->at + t->len, data, len);
    t->len += len;
    return 0;
}

static void assay_json_holds_every_column(void **state)
{
    (void)state;
    struct assay_write_options w = { .format = "assay-json", .strict = true };
    struct assay_read_options r = { .strict = true };
    struct text text = { NULL, 0 };
    assay_profile *p = whole(), *q = NULL;
    char why[400] = "";
    assay_error err = { 0 };
    if (assay_write_fn(p, &w, keep, &text, NULL, &err) != 0) fail_msg("%s", err.text);
    if (assay_read_memory(text.at, text.len, "text", &r, &q, &err) != 0) fail_msg("%s", err.text);
    for (int t = 0; t < SCHEMA_T_COUNT; t++) check_table(q, t, NULL);
    if (assay_profile_equal(p, q, why, sizeof why, NULL) != 0) fail_msg("%s", why);
    assert_true(assay_profile_graph(q)->knows_nesting);
    free(text.at);
    assay_profile_release(p);
    assay_profile_release(q);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_member_of_a_public_table_is_in_the_list),
        cmocka_unit_test(every_column_is_sealed),
        cmocka_unit_test(a_change_in_any_column_is_found),
        cmocka_unit_test(copies_have_every_column),
        cmocka_unit_test(a_filter_of_coverage_that_keeps_all_changes_nothing),
        cmocka_unit_test(a_filter_of_cost_that_keeps_all_keeps_its_columns),
        cmocka_unit_test(merging_with_nothing_keeps_every_column),
        cmocka_unit_test(assay_json_holds_every_column),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

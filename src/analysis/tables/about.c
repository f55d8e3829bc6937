/* What is said of an input as a whole: profile, finding; and docs, the tables themselves. */
#include "analysis/tables/parts.h"

#include "base/slice.h"
#include "model/profile.h"

/* ---- profile ---- */

enum { PROFILE_ID, PROFILE_NAME, PROFILE_PATH, PROFILE_FORMAT, PROFILE_VERSION, PROFILE_PRODUCER, PROFILE_DAMAGE, PROFILE_COLUMNS };

static const struct tables_column profile_columns[PROFILE_COLUMNS] = {
    { "id", TABLES_INTEGER, "number of the input: the column profile of every other table", "1" },
    { "name", TABLES_TEXT, "what it was named on the command line (NAME=FILE), else its path", "before" },
    { "path", TABLES_TEXT, "path of the input", "callgrind.out.4711" },
    { "format", TABLES_TEXT, "its format, as 'assay formats' names it", "callgrind" },
    { "version", TABLES_TEXT, "version of the format; NULL = it has none", "1" },
    { "producer", TABLES_TEXT, "program that wrote it", "callgrind-3.19.0" },
    { "damage", TABLES_INTEGER, "errors that were found while reading it", "0" },
};

static uint64_t profile_rows(const struct tables_profile *p, const struct tables_table *table, const void *data)
{
    (void)p;
    (void)table;
    (void)data;
    return 1;
}

static assay_slice not_empty(assay_slice s) { return s.len ? s : (assay_slice){ NULL, 0 }; }

static void profile_cell(struct tables_place *at, unsigned column, struct tables_cell *out)
{
    const assay_profile *p = at->p->p;
    const struct tables_input *in = &at->p->input;
    switch (column) {
    case PROFILE_ID: *out = cell_u64(at->p->number); break;
    case PROFILE_NAME: *out = cell_text(slice_of(in->name ? in->name : in->path)); break;
    case PROFILE_PATH: *out = cell_text(slice_of(in->path)); break;
    case PROFILE_FORMAT: *out = cell_text(not_empty(slice_of(assay_profile_format(p)))); break;
    case PROFILE_VERSION: *out = cell_text(not_empty(slice_of(assay_profile_version(p)))); break;
    case PROFILE_PRODUCER: *out = cell_text(not_empty(assay_profile_producer(p))); break;
    default: *out = cell_u64(assay_profile_damage(p, NULL));
    }
}

static const struct tables_ops profile_ops = { .rows = profile_rows, .cell = profile_cell };

const struct tables_table tables_profiles = {
    .name = "profile",
    .what = "the inputs, in the order in which they were given",
    .example = "select id, name, format from profile",
    .kind = TABLES_ANALYSIS,
    .want = ASSAY_WANT_INFO,
    .count = PROFILE_COLUMNS,
    .columns = profile_columns,
    .ops = &profile_ops,
};

/* ---- finding ---- */

enum { FINDING_PROFILE, FINDING_RULE, FINDING_SEVERITY, FINDING_OFFSET, FINDING_LINE, FINDING_REPEATS, FINDING_MESSAGE, FINDING_COLUMNS };

static const struct tables_column finding_columns[FINDING_COLUMNS] = {
    { "profile", TABLES_INTEGER, "number of the input", "1" },
    { "rule", TABLES_TEXT, "stable number of the rule; see docs/formats", "CG05" },
    { "severity", TABLES_TEXT, "info, warning or error", "warning" },
    { "byte_offset", TABLES_UNSIGNED, "byte of the input, decompressed; NULL = does not apply", "1204" },
    { "line", TABLES_INTEGER, "line of the input; NULL = does not apply", "17" },
    { "repeats", TABLES_UNSIGNED, "how many more of this rule were found and are not listed", "0" },
    { "message", TABLES_TEXT, "what was found", "'calls=' before any 'fn='" },
};

static const assay_finding *findings_of(const struct tables_profile *p, size_t *count)
{
    if (!p->input.findings) return assay_profile_warnings(p->p, count);
    *count = p->input.finding_count;
    return p->input.findings;
}

static uint64_t finding_rows(const struct tables_profile *p, const struct tables_table *table, const void *data)
{
    size_t count;
    (void)table;
    (void)data;
    (void)findings_of(p, &count);
    return count;
}

static void finding_cell(struct tables_place *at, unsigned column, struct tables_cell *out)
{
    static const char *const severities[] = { "info", "warning", "error" };
    size_t count;
    const assay_finding *f = findings_of(at->p, &count) + at->row;
    switch (column) {
    case FINDING_PROFILE: *out = cell_u64(at->p->number); break;
    case FINDING_RULE: *out = cell_text(slice_of(f->rule)); break;
    case FINDING_SEVERITY: *out = cell_text(slice_of(severities[f->severity >= ASSAY_INFO && f->severity <= ASSAY_ERROR ? f->severity : ASSAY_ERROR])); break;
    case FINDING_OFFSET: *out = f->has_offset ? cell_u64(f->offset) : cell_null(); break;
    case FINDING_LINE: *out = f->line ? cell_u64(f->line) : cell_null(); break;
    case FINDING_REPEATS: *out = cell_u64(f->repeats); break;
    default: *out = cell_text(slice_of(f->message));
    }
}

static const struct tables_ops finding_ops = { .rows = finding_rows, .cell = finding_cell };

const struct tables_table tables_finding = {
    .name = "finding",
    .what = "what is wrong with an input, or worth knowing: what `assay check` lists",
    .example = "select profile, severity, count(*) from finding group by profile, severity",
    .kind = TABLES_ANALYSIS,
    .want = ASSAY_WANT_INFO,
    .count = FINDING_COLUMNS,
    .columns = finding_columns,
    .ops = &finding_ops,
};

/* ---- docs ---- */

enum { DOCS_TABLE, DOCS_COLUMN, DOCS_TYPE, DOCS_MEANING, DOCS_EXAMPLE, DOCS_COLUMNS };

static const struct tables_column docs_columns[DOCS_COLUMNS] = {
    { "table_name", TABLES_TEXT, "name of the table", "top" },
    { "column_name", TABLES_TEXT, "name of the column; NULL = the row is about the table", "self" },
    { "type", TABLES_TEXT, "integer, real, text or number (integer or real, as its metric)", "number" },
    { "meaning", TABLES_TEXT, "what it holds", "own cost" },
    { "example", TABLES_TEXT, "a value; of a table a statement to copy", "1205" },
};

/* Tables, then those that take an argument. */
static const struct tables_table *docs_table(const struct tables *t, uint64_t i) { return i < t->count ? &t->tables[i] : &t->functions[i - t->count]; }

static uint64_t docs_rows(const struct tables_profile *p, const struct tables_table *table, const void *data)
{
    const struct tables *t = data;
    uint64_t rows = 0;
    (void)p;
    (void)table;
    for (unsigned i = 0; i < t->count + t->function_count; i++) rows += 1 + docs_table(t, i)->count;
    return rows;
}

/* base = the table, k = 0: the table itself, else column k - 1. */
static void docs_move(struct tables_place *at)
{
    uint64_t row = at->row;
    at->base = 0;
    while (row > docs_table(at->t, at->base)->count) row -= 1 + docs_table(at->t, at->base++)->count;
    at->k = (uint32_t)row;
}

static void docs_cell(struct tables_place *at, unsigned column, struct tables_cell *out)
{
    const struct tables_table *table = docs_table(at->t, at->base);
    const struct tables_column *c = at->k ? &table->columns[at->k - 1] : NULL;
    switch (column) {
    case DOCS_TABLE: *out = cell_text(slice_of(table->name)); break;
    case DOCS_COLUMN: *out = c ? cell_text(slice_of(c->name)) : cell_null(); break;
    case DOCS_TYPE: *out = c ? cell_text(slice_of(tables_type_name(c->type))) : cell_null(); break;
    case DOCS_MEANING: *out = cell_text(slice_of(c ? c->what : table->what)); break;
    default: *out = cell_text(slice_of(c ? c->example : table->example));
    }
}

static const struct tables_ops docs_ops = { .rows = docs_rows, .move = docs_move, .cell = docs_cell };

const struct tables_table tables_docs = {
    .name = "docs",
    .what = "every table and column, with what it means and an example",
    .example = "select column_name, meaning from docs where table_name = 'top'",
    .kind = TABLES_GLOBAL,
    .count = DOCS_COLUMNS,
    .columns = docs_columns,
    .ops = &docs_ops,
};

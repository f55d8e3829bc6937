/* assay query: questions in SQL. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/slice.h"
#include "base/table.h"
#include "cli/cli.h"
#include "cli/handles.h"
#include "cli/query.h"
#include "cli/shared.h"
#include "cli/verbs.h"

/* In the order of enum assay_rows_style. */
const char *const query_styles[] = { "table", "csv", "json", "jsonl", "markdown", NULL };

static const struct option_spec options[] = {
    { .name = "format",
      .type = OPTION_WORD,
      .argument = "STYLE",
      AT(style_word),
      .words = query_styles,
      .help = "print the rows as table, csv, json, jsonl or markdown; table by default",
      .text = "json is one object with an array of rows, jsonl has a line for each row. CSV has names byte for byte." },
    { .name = "file",
      .letter = 'f',
      .type = OPTION_PATH,
      .argument = "FILE",
      AT(sql_file),
      .help = "run the statements in FILE instead of one on the command line" },
    { .name = "named",
      .type = OPTION_TEXT,
      .argument = "NAME",
      .may_lack = true,
      AT(named),
      GIVEN(has_named),
      .help = "run the question of this name; as the last argument, without NAME, list them",
      .text = "Your own are files NAME.sql in ~/.config/assay/queries, or in the folder of --queries; one of the same name replaces ours. The first line is a "
              "comment that says what "
              "it answers." },
    { .name = "queries", .type = OPTION_PATH, .argument = "DIR", AT(queries), .help = "look for named questions in DIR" },
    { .name = "schema", .type = OPTION_FLAG, AT(schema), .help = "list the tables and columns, with what they mean" },
    { .name = "exact",
      .letter = 'x',
      .type = OPTION_FLAG,
      AT(exact),
      .help = "return integers of 2^63 and more as text with all digits, not as the nearest real number" },
    { .name = "max-rows", .type = OPTION_NUMBER, .argument = "N", AT(max_rows), .most = UINT64_MAX, .help = "fail if a result has more rows than N" },
    { .name = "max-seconds",
      .type = OPTION_NUMBER,
      .argument = "N",
      AT(max_seconds),
      .most = UINT32_MAX,
      .help = "fail if a statement takes longer than N seconds" },
    OPTION_OUTPUT,
    OPTIONS_SYMBOLS,
    { .name = "from", .type = OPTION_FORMAT, .argument = "FORMAT", AT(read.from), .help = "read the inputs as FORMAT instead of detecting their formats" },
    OPTION_STRICT_READ,
    OPTION_COLOR,
    OPTION_NO_PROGRESS,
    OPTION_MAX_MEMORY,
    OPTION_MAX_OUTPUT,
    OPTION_MAX_STRING,
    OPTION_HELP,
    OPTION_END,
};

static const char *const text[] = {
    "Answers questions in SQL about any number of profiles and coverage reports, of any formats. NAME=FILE names an input for the column name of the table "
    "profile. Each table has a "
    "first column, profile, that says which input a row belongs to.",
    "--schema lists the tables; so does 'select * from docs'. Functions: stack(node), label_of(labels, key), human(value, unit), share(part, whole), X regexp "
    "Y, median(x), "
    "percentile(x, p), stddev(x); "
    "tables with an argument: flame(metric), subtree(node). Only what a statement needs is read, and statements can only read: no files, no extensions, no "
    "changes.",
    "Without a statement, on a terminal, it asks for statements: what was read stays in memory, .tables and .schema list what there is, the Tab key completes "
    "names, "
    "and .timer on tells how long an answer takes.",
    "docs/query.md has many questions with their answers.",
    NULL,
};

static const struct assay_verb_example examples[] = {
    { "assay query callgrind.out.4711 'select name, self from top order by self desc limit 10'", "the ten most expensive functions" },
    { "assay query callgrind.out.4711 coverage.info --named hot-untested", "expensive functions that tests do not run in full" },
    { "assay query before=before.callgrind after=after.callgrind 'select name, self_change from diff'", "what changed most" },
    { "assay query --schema", "the tables and their columns" },
    { "assay query --named", "the questions that have names" },
    { NULL, NULL },
};

/* ---- output ---- */

static int put(void *arg, const char *data, size_t len)
{
    struct output *out = arg;
    output_bytes(out, data, len);
    return output_failed(out);
}

void query_print_schema(struct output *out, const assay_query *q, const char *table)
{
    const struct assay_query_table *t;
    for (size_t i = 0; (t = assay_query_table_at(q, i)); i++) {
        if (table && strcmp(table, t->name) != 0) continue;
        output_printf(out, "%s%s: %s\n", i && !table ? "\n" : "", t->name, t->text);
        for (size_t k = 0; k < t->column_count; k++) output_printf(out, "  %-16s %-8s %s\n", t->columns[k].name, t->columns[k].type, t->columns[k].text);
        output_printf(out, "  example: %s\n", t->example);
    }
}

/* ---- inputs ---- */

/* NAME=FILE; what has a slash before the sign, or is the name of a file as a whole, is none. */
static int add_input(struct cli *c, assay_query *q, char *argument, assay_error *err)
{
    char *sign = strchr(argument, '='), *slash = strchr(argument, '/');
    if (!sign || sign == argument || !sign[1] || (slash && slash < sign) || query_is_file(argument)) return assay_query_file(q, NULL, argument, err);
    char *name = strndup(argument, (size_t)(sign - argument));
    const char *file = file_of_handle(c, sign + 1);
    int rc = name && file ? assay_query_file(q, name, file, err) : error_memory(err);
    free(name);
    return rc;
}

/* ---- statements ---- */

int query_run_statements(struct cli *c, struct output *out, assay_query *q, const char *sql, assay_error *err)
{
    struct assay_rows_print_options o = { .size = sizeof o, .style = (enum assay_rows_style)c->set.style_word, .width = c->term.width, .color = c->term.color };
    bool has_any = false;
    for (;;) {
        assay_rows *rows;
        int rc = assay_query_prepare(q, sql, &sql, &rows, err);
        cli_read_done(c);
        if (rc != 0) return rc;
        if (!rows) break;
        if (has_any && c->set.style_word == ASSAY_ROWS_TABLE) output_char(out, '\n');
        rc = assay_rows_print(rows, &o, put, out, NULL, err);
        assay_rows_free(rows);
        if (rc != 0) return rc;
        has_any = true;
    }
    if (!has_any) FAIL(err, ASSAY_ERR_USAGE, "there is no statement");
    return 0;
}

/* Whether the last argument is one more input, so that there is no statement. */
static bool lacks_statement(const struct settings *s)
{
    if (s->sql_file || s->has_named || !s->files.len) return false;
    const char *last = s->files.at[s->files.len - 1], *sign = strchr(last, '=');
    return query_is_file(last) || (sign && query_is_file(sign + 1));
}

/* The statement: of a file, of the list, or the last argument. NULL = none, c->exit says why. */
static char *find_sql(struct cli *c, size_t *inputs)
{
    const struct settings *s = &c->set;
    assay_error err = { 0 };
    char *sql = NULL;
    *inputs = s->files.len;
    if (s->sql_file)
        sql = query_read(s->sql_file, &err);
    else if (s->has_named)
        sql = query_named_sql(s->queries, s->named, &err);
    else if (s->files.len && !lacks_statement(s))
        sql = strdup(s->files.at[--*inputs]);
    else
        c->exit = cli_usage(c->verb, "query needs FILE... and a statement");
    if (!sql && err.code) cli_fail(c, &err);
    return sql;
}

static int add_inputs(struct cli *c, assay_query *q, size_t count, assay_error *err)
{
    for (size_t i = 0; i < count; i++) TRY(add_input(c, q, (char *)c->set.files.at[i], err));
    return 0;
}

/* Answers one statement, or with out NULL those that are typed in. */
static int run_query(struct cli *c, struct output *out)
{
    assay_query *q;
    size_t inputs = c->set.files.len;
    assay_error err = { 0 };
    struct assay_read_options read = cli_read_options(c, c->set.files.len ? c->set.files.at[0] : "", 0);
    struct assay_query_options o = { .size = sizeof o,
                                     .read = &read,
                                     .max_rows = c->set.max_rows,
                                     .max_memory = cli_max_memory(c),
                                     .max_seconds = (uint32_t)c->set.max_seconds,
                                     .exact = c->set.exact };
    int rc = assay_query_new(&o, &q, &err);
    char *sql = NULL;
    if (rc == 0 && !out) {
        rc = add_inputs(c, q, inputs, &err);
        if (rc == 0) query_prompt(c, q);
    } else if (rc == 0 && c->set.schema)
        query_print_schema(out, q, NULL);
    else if (rc == 0 && (sql = find_sql(c, &inputs))) {
        rc = add_inputs(c, q, inputs, &err);
        if (rc == 0) rc = query_run_statements(c, out, q, sql, &err);
    }
    cli_read_done(c);
    if (rc != 0) cli_fail(c, &err);
    free(sql);
    assay_query_free(q);
    return rc;
}

static bool wants_prompt(const struct cli *c)
{
    return !c->set.schema && !c->set.output && lacks_statement(&c->set) && isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
}

static int run(struct cli *c)
{
    struct output *out;
    if (c->set.sql_file && c->set.has_named) return cli_usage(c->verb, "--file and --named cannot be combined");
    if (wants_prompt(c)) {
        (void)run_query(c, NULL);
        return c->exit;
    }
    if (!cli_open_output(c, &out)) return c->exit;
    if (c->set.has_named && !*c->set.named)
        query_list_named(out, c->set.queries);
    else
        (void)run_query(c, out);
    return cli_close_output(c, out);
}

const struct verb query_verb = { "query", "answer questions in SQL", "FILE... ['SQL']", 0, SIZE_MAX, options, text, examples, run, NULL, NULL };

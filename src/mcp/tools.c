/* The tools; see tools.h. Definitions are read by models, with every request: all of them together take less than 4 KB. */
#include "mcp/tools.h"

#include <string.h>

#define FILE_ARGUMENT                                                                                                                                          \
    {                                                                                                                                                          \
        "file", TOOL_FILE, true, NULL, "path or handle"                                                                                                        \
    }
#define METRIC                                                                                                                                                 \
    {                                                                                                                                                          \
        "metric", TOOL_TEXT, false, "metric", NULL                                                                                                             \
    }
#define LIMIT                                                                                                                                                  \
    {                                                                                                                                                          \
        "limit", TOOL_NUMBER, false, "limit", NULL                                                                                                             \
    }
#define FOCUS                                                                                                                                                  \
    {                                                                                                                                                          \
        "focus", TOOL_TEXT, false, "focus", "regex: only stacks with such a function"                                                                          \
    }
#define DEPTH                                                                                                                                                  \
    {                                                                                                                                                          \
        "depth", TOOL_NUMBER, false, "depth", NULL                                                                                                             \
    }
#define SKIP                                                                                                                                                   \
    {                                                                                                                                                          \
        "skip", TOOL_OWN_WHOLE, false, NULL, "lines to skip: the rest of a cut answer"                                                                         \
    }
#define ARGUMENTS_END                                                                                                                                          \
    {                                                                                                                                                          \
        NULL, TOOL_TEXT, false, NULL, NULL                                                                                                                     \
    }

static const struct tool_argument of_open[] = { { "file", TOOL_FILE, false, NULL, "path, folder or handle; default: what is served" }, SKIP, ARGUMENTS_END };
static const struct tool_argument of_top[] = { FILE_ARGUMENT,
                                               METRIC,
                                               { "by", TOOL_TEXT, false, "by", "function, file, directory, module, line or thread" },
                                               { "sort", TOOL_TEXT, false, "sort", "self, total, calls or name" },
                                               LIMIT,
                                               FOCUS,
                                               SKIP,
                                               ARGUMENTS_END };
static const struct tool_argument of_tree[] = { FILE_ARGUMENT,
                                                METRIC,
                                                { "function", TOOL_TEXT, false, "function", "start here" },
                                                { "hot_path", TOOL_FLAG, false, "hot-path", "only the most expensive path" },
                                                { "bottom_up", TOOL_FLAG, false, "bottom-up", NULL },
                                                DEPTH,
                                                LIMIT,
                                                FOCUS,
                                                SKIP,
                                                ARGUMENTS_END };
static const struct tool_argument of_callers[] = { FILE_ARGUMENT, { "function", TOOL_TEXT, true, "FUNCTION", "name or regex" }, METRIC, DEPTH, LIMIT, SKIP,
                                                   ARGUMENTS_END };
static const struct tool_argument of_annotate[] = { FILE_ARGUMENT,
                                                    { "function", TOOL_TEXT, false, "function", NULL },
                                                    { "source", TOOL_TEXT, false, "file", "glob of source files" },
                                                    { "missing", TOOL_FLAG, false, "missing", "only lines that tests miss" },
                                                    METRIC,
                                                    SKIP,
                                                    ARGUMENTS_END };
static const struct tool_argument of_diff[] = { { "file", TOOL_FILE, true, NULL, "before, or with 'patch' the coverage" },
                                                { "after", TOOL_FILE, false, NULL, "path or handle" },
                                                { "patch", TOOL_CHANGE, false, NULL, "unified diff: list its new lines that tests miss" },
                                                METRIC,
                                                LIMIT,
                                                SKIP,
                                                ARGUMENTS_END };
#ifdef ASSAY_HAVE_SQLITE
static const struct tool_argument of_query[] = { { "files", TOOL_FILES, true, NULL, "paths or handles" },
                                                 { "sql", TOOL_OWN, true, NULL, "'select * from docs' lists tables and columns" },
                                                 SKIP,
                                                 ARGUMENTS_END };
#endif

static const struct tool tools[] = {
    { "open", NULL, "List profiles and coverage reports in a folder; or show what a file contains, its metrics and problems, and its handle (f12).", NULL,
      of_open },
    { "top", "top", "Most expensive functions with self and total cost. Of coverage: files, least covered first.", "20", of_top },
    { "tree", "tree", "Call tree with self and total cost.", "60", of_tree },
    { "callers", "callers", "Who calls a function and what it calls, with cost.", "20", of_callers },
    { "annotate", "annotate", "Source lines with their cost or hits.", NULL, of_annotate },
    { "diff", "diff", "What changed between two profiles or coverage reports; or which new lines of a patch no test runs.", "20", of_diff },
#ifdef ASSAY_HAVE_SQLITE
    { "query", NULL, "Answer a read-only SQL statement over the files.", NULL, of_query },
#endif
};

const char tools_instructions[] =
    "Reads profiles and coverage reports of any format; changes nothing. Begin with open. Then top shows where the cost is, tree hot_path how it gets "
    "there, callers and annotate the details of one function. For tests: top lists the files, annotate with missing the lines that are not "
    "covered, diff with patch the new lines of a change that no test runs. 'metric' is part of a metric's name, as open lists them. Answers are "
    "cut at some size: the last line then says how to ask for the rest. A handle such as f12 stands for its file here and on the command line: "
    "assay top f12.";

const struct tool *tool_at(size_t i) { return i < sizeof tools / sizeof *tools ? &tools[i] : NULL; }

const struct tool *tool_find(const char *name)
{
    const struct tool *t = NULL;
    for (size_t i = 0; (t = tool_at(i)) && strcmp(t->name, name) != 0;) i++;
    return t;
}

const struct tool_argument *tool_argument_find(const struct tool *tool, const char *name)
{
    for (const struct tool_argument *a = tool->arguments; a->name; a++)
        if (strcmp(a->name, name) == 0) return a;
    return NULL;
}

/* ---- definitions ---- */

static void put_text(struct json *j, const char *key, const char *text)
{
    json_key(j, key);
    json_text(j, text);
}

static void put_type(struct json *j, enum tool_kind kind)
{
    put_text(j, "type", kind == TOOL_FLAG ? "boolean" : kind == TOOL_NUMBER || kind == TOOL_OWN_WHOLE ? "integer" : kind == TOOL_FILES ? "array" : "string");
    if (kind != TOOL_FILES) return;
    json_key(j, "items");
    json_object(j);
    put_text(j, "type", "string");
    json_end(j);
}

static void put_schema(struct json *j, const struct tool *t)
{
    json_object(j);
    put_text(j, "type", "object");
    json_key(j, "properties");
    json_object(j);
    for (const struct tool_argument *a = t->arguments; a->name; a++) {
        json_key(j, a->name);
        json_object(j);
        put_type(j, a->kind);
        if (a->text) put_text(j, "description", a->text);
        json_end(j);
    }
    json_end(j);
    json_key(j, "required");
    json_array(j);
    for (const struct tool_argument *a = t->arguments; a->name; a++)
        if (a->is_needed) json_text(j, a->name);
    json_end(j);
    json_end(j);
}

void tools_put(struct json *j)
{
    const struct tool *t;
    json_array(j);
    for (size_t i = 0; (t = tool_at(i)); i++) {
        json_object(j);
        put_text(j, "name", t->name);
        put_text(j, "description", t->text);
        json_key(j, "inputSchema");
        put_schema(j, t);
        json_key(j, "annotations");
        json_object(j);
        json_key(j, "readOnlyHint");
        json_bool(j, true);
        json_end(j);
        json_end(j);
    }
    json_end(j);
}

/* A call: its arguments by the table of the tools, the report, the answer. */
#include "mcp/call.h"

#include <stdio.h>

#include "base/cancel.h"
#include "base/scoped.h"
#include "base/slice.h"

/* ---- arguments ---- */

static int add_option(struct call *c, const char *key, const char *value, assay_error *err)
{
    struct assay_option *to = vec_push(&c->mem, &c->options);
    if (!to) return error_memory(err);
    *to = (struct assay_option){ key, value };
    return 0;
}

/* A path, or a handle where no file has that name. What a handle stands for must lie in the folders, too. */
static int add_file(struct call *c, const char *text, assay_error *err)
{
    char path[PATH_MAX], real[PATH_MAX];
    const struct folders *f = &c->mcp->folders;
    int rc = folders_find(f, text, real, err);
    if (rc != 0 && handles_find(&c->mcp->handles, text, path, sizeof path)) rc = folders_find(f, path, real, err);
    if (rc != 0) return rc;
    const char *copy = arena_copy(&c->text, slice_of(real));
    const char **to = copy ? vec_push(&c->mem, &c->files) : NULL;
    if (!to) return error_memory(err);
    *to = copy;
    return 0;
}

static int take_whole(const struct message_argument *a, uint64_t *out, assay_error *err)
{
    uint64_t n = 0;
    for (const char *p = a->text; *p; p++) {
        if (*p < '0' || *p > '9' || n > UINT32_MAX) FAIL(err, ASSAY_ERR_USAGE, "'%.40s' is not a whole number from 0 on", a->name);
        n = 10 * n + (uint64_t)(*p - '0');
    }
    *out = n;
    return 0;
}

static int take_argument(struct call *c, const struct tool_argument *to, const struct message_argument *a, assay_error *err)
{
    if (to->kind == TOOL_FLAG) {
        if (a->kind != JSON_TRUE && a->kind != JSON_FALSE) FAIL(err, ASSAY_ERR_USAGE, "'%s' is true or false", to->name);
        return a->kind == JSON_TRUE ? add_option(c, to->option, NULL, err) : 0;
    }
    if (a->kind != JSON_STRING && a->kind != JSON_NUMBER)
        FAIL(err, ASSAY_ERR_USAGE, "'%s' is %s", to->name, to->kind == TOOL_NUMBER || to->kind == TOOL_OWN_WHOLE ? "a number" : "a string");
    switch (to->kind) {
    case TOOL_FILE:
    case TOOL_FILES: return add_file(c, a->text, err);
    case TOOL_CHANGE: c->change = a->text; return 0;
    case TOOL_OWN: c->sql = a->text; return 0;
    case TOOL_OWN_WHOLE: return take_whole(a, &c->answer.skip, err);
    default: return add_option(c, to->option, a->text, err);
    }
}

static const struct message_argument *given(const struct message *m, const char *name)
{
    for (size_t i = 0; i < m->arguments.len; i++)
        if (strcmp(m->arguments.at[i].name, name) == 0 && m->arguments.at[i].kind != JSON_NULL) return &m->arguments.at[i];
    return NULL;
}

static int take_known(struct call *c, const struct tool_argument *to, assay_error *err)
{
    const struct message *m = c->message;
    size_t count = 0;
    for (size_t i = 0; i < m->arguments.len; i++) {
        const struct message_argument *a = &m->arguments.at[i];
        if (strcmp(a->name, to->name) != 0 || a->kind == JSON_NULL) continue;
        if (count++ && to->kind != TOOL_FILES) FAIL(err, ASSAY_ERR_USAGE, "'%s' takes one value", to->name);
        TRY(take_argument(c, to, a, err));
    }
    if (!count && to->is_needed) FAIL(err, ASSAY_ERR_USAGE, "'%s' needs '%s'", c->tool->name, to->name);
    return 0;
}

static int take_arguments(struct call *c, assay_error *err)
{
    const struct message *m = c->message;
    for (size_t i = 0; i < m->arguments.len; i++)
        if (!tool_argument_find(c->tool, m->arguments.at[i].name))
            FAIL(err, ASSAY_ERR_USAGE, "'%s' has no argument '%.60s'", c->tool->name, m->arguments.at[i].name);
    for (const struct tool_argument *to = c->tool->arguments; to->name; to++) TRY(take_known(c, to, err));
    if (c->tool->limit && !given(m, "limit") && !c->change) TRY(add_option(c, "limit", c->tool->limit, err));
    if (strcmp(c->tool->name, "diff") == 0 && (c->change != NULL) == (c->files.len == 2)) FAIL(err, ASSAY_ERR_USAGE, "'diff' needs 'after' or 'patch'");
    return 0;
}

/* ---- the report ---- */

static bool has_option(const char *verb, const char *name)
{
    const struct assay_verb *v = assay_verb_find(verb);
    struct assay_option_info o = { .size = sizeof o };
    for (size_t i = 0; v && assay_verb_option_at(v, i, &o); i++)
        if (strcmp(o.name, name) == 0) return true;
    return false;
}

/* What keeps a report inside the folders: nothing but the input, and what is below them, is looked at. */
static int add_bounds(struct call *c, const char *verb, char limit[32], assay_error *err)
{
    const struct folders *f = &c->mcp->folders;
    if (has_option(verb, "foreign")) TRY(add_option(c, "foreign", NULL, err));
    for (size_t i = 0; i < f->at.len; i++) {
        if (has_option(verb, "symbols")) TRY(add_option(c, "symbols", f->at.at[i], err));
        if (has_option(verb, "source-root")) TRY(add_option(c, "source-root", f->at.at[i], err));
    }
    snprintf(limit, 32, "%zu", c->mcp->max_memory);
    if (c->mcp->max_memory && has_option(verb, "max-memory")) TRY(add_option(c, "max-memory", limit, err));
    return 0;
}

static void say(void *arg, const char *text) { answer_printf(arg, "note: %s\n", text); }

static void free_changes(assay_changes *const *changes) { assay_changes_free(*changes); }
static void free_reporter(assay_reporter *const *r) { assay_reporter_free(*r); }

int call_verb(struct call *c, const char *verb, assay_error *err)
{
    char limit[32];
    SCOPED(free_changes) assay_changes *changes = NULL;
    SCOPED(free_reporter) assay_reporter *r = NULL;
    struct assay_report_sink sink = { .size = sizeof sink, .arg = &c->answer, .write = answer_put, .message = say };
    size_t before = c->options.len;
    if (c->change) {
        struct assay_read_options o = { .size = sizeof o, .max_memory = c->mcp->max_memory };
        TRY(assay_changes_read_memory(c->change, strlen(c->change), "patch", &o, &changes, err));
        TRY(add_option(c, "CHANGE", "patch", err));
    }
    TRY(add_bounds(c, verb, limit, err));
    int rc = assay_reporter_new(verb, c->options.at, c->options.len, c->files.len, &sink, &r, err);
    c->options.len = before;
    if (rc != 0) return rc;
    if (changes) assay_reporter_changes(r, changes);
    for (size_t i = 0; i < c->files.len; i++) TRY(assay_reporter_file(r, c->files.at[i], err));
    return assay_reporter_end(r, err);
}

static int run(struct call *c, assay_error *err)
{
    TRY(take_arguments(c, err));
    for (size_t i = 0; c->tool->verb && i < c->files.len; i++) TRY(folders_check_tree(&c->mcp->folders, c->files.at[i], &c->mem, err));
    if (strcmp(c->tool->name, "open") == 0) return call_open(c, err);
    if (strcmp(c->tool->name, "query") == 0) return call_query(c, err);
    return call_verb(c, c->change ? "patch" : c->tool->verb, err);
}

/* ---- the answer ---- */

static const char *hint_of(int hint)
{
    switch (hint) {
    case ASSAY_HINT_FUNCTION: return "; top lists the functions";
    case ASSAY_HINT_DIFF: return "; 'patch' is the text of a unified diff";
    case ASSAY_HINT_VIEW: return "; try bottom_up";
    default: return "";
    }
}

/* What was reported before it failed stays out: a model must not take it for the answer. */
static void say_error(struct call *c, const assay_error *err)
{
    char text[1200];
    uint64_t skip = 0;
    assay_error_format(err, text, sizeof text);
    c->answer.text.len = c->answer.line_begin = 0;
    c->answer.line = c->answer.next = c->answer.skip = skip;
    c->answer.is_cut = c->answer.has_begun = false;
    answer_printf(&c->answer, "%s%s\n", text, hint_of(err->hint));
}

static int put_answer(struct call *c, bool is_error, struct output *out, assay_error *err)
{
    struct json j;
    struct output *line;
    TRY(output_open_memory(&line, &c->mem, err));
    json_init_line(&j, line);
    json_object(&j);
    json_key(&j, "jsonrpc");
    json_text(&j, "2.0");
    json_key(&j, "id");
    message_id_put(&j, &c->message->id);
    json_key(&j, "result");
    json_object(&j);
    json_key(&j, "content");
    json_array(&j);
    json_object(&j);
    json_key(&j, "type");
    json_text(&j, "text");
    json_key(&j, "text");
    int rc = answer_end(&c->answer, &j, err);
    json_end(&j);
    json_end(&j);
    json_key(&j, "isError");
    json_bool(&j, is_error);
    json_end(&j);
    json_end(&j);
    if (rc == 0 && output_failed(line)) rc = error_memory(err);
    if (rc == 0) output_slice(out, output_memory(line));
    output_abort(line);
    return rc;
}

int call_run(struct assay_mcp *mcp, const struct message *m, struct output *out, assay_error *err)
{
    struct call c = { .mcp = mcp, .message = m, .tool = tool_find(m->name), .answer = { .most = mcp->max_answer } };
    mem_init(&c.mem, mcp->max_memory);
    arena_init(&c.text, &c.mem);
    c.answer.mem = &c.mem;
    int rc = run(&c, err);
    if (rc != 0 && rc != ASSAY_ERR_CANCELLED && !assay_cancelled()) say_error(&c, err);
    rc = rc == ASSAY_ERR_CANCELLED || assay_cancelled() ? error_cancelled(err) : put_answer(&c, rc != 0, out, err);
    answer_done(&c.answer);
    vec_done(&c.mem, &c.options, &c.files);
    arena_done(&c.text);
    return rc;
}

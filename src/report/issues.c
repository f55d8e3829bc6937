/* Issues: the list of them, and SARIF 2.1.0 (OASIS), the parts of which are named where they are written. */
#include "report/issues.h"

#include "base/slice.h"
#include "base/text.h"

static struct issues *issues_of(struct report *r)
{
    if (!report_has_issues(r)) return NULL;
    if (r->issues) return r->issues;
    r->issues = mem_zalloc(r->mem, 1, sizeof *r->issues);
    if (!r->issues) {
        r->out_of_memory = true;
        return NULL;
    }
    arena_init(&r->issues->text, r->mem);
    return r->issues;
}

/* A copy; a text without bytes that a reader of JSON or XML could stumble over. */
static const char *keep(struct report *r, const char *text, bool is_shown)
{
    struct output *out;
    assay_slice s = slice_of(text ? text : "");
    const char *copy = NULL;
    if (!is_shown) {
        copy = arena_copy(&r->issues->text, s);
    } else if (output_open_memory(&out, r->mem, NULL) == 0) {
        text_show(out, s);
        if (!output_failed(out)) copy = arena_copy(&r->issues->text, output_memory(out));
        output_abort(out);
    }
    if (!copy) r->out_of_memory = true;
    return copy ? copy : "";
}

void report_case(struct report *r, const char *group, const char *name)
{
    struct issues *all = issues_of(r);
    struct issue_case *to = all ? vec_push(r->mem, &all->cases) : NULL;
    if (all && !to) r->out_of_memory = true;
    if (to) *to = (struct issue_case){ keep(r, group, true), keep(r, name, true), false, all->list.len };
}

void report_case_is_error(struct report *r)
{
    if (r->issues && r->issues->cases.len) r->issues->cases.at[r->issues->cases.len - 1].is_error = true;
}

static const char *keep_rule(struct report *r, const char *rule)
{
    struct issues *all = r->issues;
    for (size_t i = 0; i < all->rules.len; i++)
        if (strcmp(all->rules.at[i], rule) == 0) return all->rules.at[i];
    const char **to = vec_push(r->mem, &all->rules);
    if (!to) r->out_of_memory = true;
    return to ? *to = keep(r, rule, true) : "";
}

void report_issue(struct report *r, const struct report_issue *issue)
{
    struct issues *all = issues_of(r);
    struct report_issue *to = all ? vec_push(r->mem, &all->list) : NULL;
    if (all && !to) r->out_of_memory = true;
    if (!to) return;
    *to = *issue;
    to->rule = keep_rule(r, issue->rule);
    to->path = keep(r, issue->path, false);
    to->text = keep(r, issue->text, true);
}

/* ---- SARIF ---- */

static void member(struct json *j, const char *key, const char *text)
{
    json_key(j, key);
    json_text(j, text);
}

/* A relative path is a relative reference, which whoever shows the result takes from the root of the repository; an absolute one a file URI. */
static void put_uri(struct report *r, const char *path)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/";
    struct output *out;
    if (output_open_memory(&out, r->mem, NULL) != 0) {
        r->out_of_memory = true;
        json_text(&r->json, "");
        return;
    }
    if (path[0] == '/') output_text(out, "file://");
    for (const char *p = path; *p; p++) {
        if (strchr(plain, *p))
            output_char(out, *p);
        else
            output_printf(out, "%%%02X", (unsigned char)*p);
    }
    if (output_failed(out)) r->out_of_memory = true;
    json_string(&r->json, output_failed(out) ? SLICE("") : output_memory(out));
    output_abort(out);
}

static void put_location(struct report *r, const struct report_issue *i)
{
    struct json *j = &r->json;
    json_key(j, "locations");
    json_array(j);
    json_object(j);
    json_key(j, "physicalLocation");
    json_object(j);
    json_key(j, "artifactLocation");
    json_object(j);
    json_key(j, "uri");
    put_uri(r, i->path);
    json_end(j);
    if (i->line || i->has_off) {
        json_key(j, "region");
        json_object(j);
        json_key(j, i->line ? "startLine" : "byteOffset");
        json_u64(j, i->line ? i->line : i->off);
        if (i->line && i->last_line > i->line) {
            json_key(j, "endLine");
            json_u64(j, i->last_line);
        }
        json_end(j);
    }
    json_end(j);
    json_end(j);
    json_end(j);
}

static void put_result(struct report *r, const struct report_issue *i)
{
    static const char *const levels[] = { "note", "warning", "error" };
    struct json *j = &r->json;
    json_object(j);
    member(j, "ruleId", i->rule);
    member(j, "level", levels[i->severity >= ASSAY_INFO && i->severity <= ASSAY_ERROR ? i->severity : ASSAY_ERROR]);
    json_key(j, "message");
    json_object(j);
    member(j, "text", *i->text ? i->text : i->rule);
    json_end(j);
    if (*i->path) put_location(r, i);
    if (i->repeats) {
        json_key(j, "occurrenceCount");
        json_u64(j, i->repeats + 1);
    }
    json_end(j);
}

static void put_tool(struct report *r, const struct issues *all)
{
    struct json *j = &r->json;
    json_key(j, "tool");
    json_object(j);
    json_key(j, "driver");
    json_object(j);
    member(j, "name", "assay");
    member(j, "version", assay_version());
    json_key(j, "rules");
    json_array(j);
    for (size_t i = 0; all && i < all->rules.len; i++) {
        json_object(j);
        member(j, "id", all->rules.at[i]);
        json_end(j);
    }
    json_end(j);
    json_end(j);
    json_end(j);
}

static void put_sarif(struct report *r, const struct issues *all)
{
    struct json *j = &r->json;
    json_object(j);
    member(j, "$schema", "https://json.schemastore.org/sarif-2.1.0.json");
    member(j, "version", "2.1.0");
    json_key(j, "runs");
    json_array(j);
    json_object(j);
    put_tool(r, all);
    json_key(j, "results");
    json_array(j);
    for (size_t i = 0; all && i < all->list.len; i++) put_result(r, &all->list.at[i]);
    json_end(j);
    json_end(j);
    json_end(j);
    json_end(j);
}

void report_issues_end(struct report *r)
{
    struct issues *all = r->issues;
    if (!report_has_issues(r)) return;
    if (r->style == REPORT_SARIF)
        put_sarif(r, all);
    else
        report_junit(r, all);
    if (!all) return;
    vec_done(r->mem, &all->list, &all->cases, &all->rules);
    arena_done(&all->text);
    mem_free(r->mem, all, sizeof *all);
    r->issues = NULL;
}

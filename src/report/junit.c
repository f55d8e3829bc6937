/* Issues as JUnit XML: a test suite with a test case for each file that was checked, or each gate. A case that does not pass has one `failure`, or `error` where it
 * could not be judged, with its issues as lines; what does not decide is in `system-out`. There are no times: the same input gives the same bytes. */
#include <stdio.h>

#include "base/slice.h"
#include "base/text.h"
#include "report/issues.h"

/* Text of the list is UTF-8 without control characters; a path may be anything. */
static void put_xml(struct output *out, const char *text)
{
    for (assay_slice s = slice_of(text); s.len;) {
        uint32_t code = 0;
        unsigned len = text_utf8(s, &code);
        const char *entity = *s.data == '&' ? "&amp;" : *s.data == '<' ? "&lt;" : *s.data == '>' ? "&gt;" : *s.data == '"' ? "&quot;" : NULL;
        if (entity)
            output_text(out, entity);
        else if (!len || code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0xfffe || code == 0xffff)
            output_printf(out, "\\x%02x", (unsigned char)*s.data);
        else
            output_bytes(out, s.data, len);
        if (!len || code == 0xfffe || code == 0xffff) len = 1;
        s = (assay_slice){ s.data + len, s.len - len };
    }
}

static void put_attribute(struct output *out, const char *name, const char *value)
{
    output_printf(out, " %s=\"", name);
    put_xml(out, value);
    output_char(out, '"');
}

/* "src/a.c:7: error CG05: sentence" */
static void put_line(struct output *out, const struct report_issue *i)
{
    put_xml(out, i->path);
    if (i->line) output_printf(out, "%s%llu", *i->path ? ":" : "", (unsigned long long)i->line);
    if (i->line && i->last_line > i->line) output_printf(out, "-%llu", (unsigned long long)i->last_line);
    if (!i->line && i->has_off) output_printf(out, ": offset %llu", (unsigned long long)i->off);
    output_printf(out, "%s%s ", *i->path || i->line ? ": " : "", assay_severity_name(i->severity));
    put_xml(out, i->rule);
    output_text(out, ": ");
    put_xml(out, i->text);
    if (i->repeats) output_printf(out, " (and %llu more)", (unsigned long long)i->repeats);
    output_char(out, '\n');
}

/* Behind the last issue of a case. */
static size_t end_of(const struct issues *all, size_t number) { return number + 1 < all->cases.len ? all->cases.at[number + 1].begin : all->list.len; }

/* How many of its issues fail, or do not, and the first of them. */
static size_t count(const struct issues *all, size_t number, bool fails, const struct report_issue **first)
{
    size_t n = 0;
    for (size_t i = all->cases.at[number].begin; i < end_of(all, number); i++)
        if (all->list.at[i].fails == fails && !n++ && first) *first = &all->list.at[i];
    return n;
}

static void put_lines(struct output *out, const struct issues *all, size_t number, bool fails)
{
    for (size_t i = all->cases.at[number].begin; i < end_of(all, number); i++)
        if (all->list.at[i].fails == fails) put_line(out, &all->list.at[i]);
}

static void put_failure(struct output *out, const struct issues *all, size_t number, size_t failed, const struct report_issue *first)
{
    const char *element = all->cases.at[number].is_error ? "error" : "failure";
    char more[48] = "";
    if (failed > 1) snprintf(more, sizeof more, " (and %zu more)", failed - 1);
    output_printf(out, "      <%s", element);
    put_attribute(out, "type", first->rule);
    output_text(out, " message=\"");
    put_xml(out, first->text);
    output_printf(out, "%s\">", more);
    put_lines(out, all, number, true);
    output_printf(out, "</%s>\n", element);
}

static void put_case(struct output *out, const struct issues *all, size_t number)
{
    const struct issue_case *c = &all->cases.at[number];
    const struct report_issue *first = NULL;
    size_t failed = count(all, number, true, &first), others = count(all, number, false, NULL);
    output_text(out, "    <testcase");
    put_attribute(out, "classname", c->group);
    put_attribute(out, "name", c->name);
    if (!failed && !others) {
        output_text(out, "/>\n");
        return;
    }
    output_text(out, ">\n");
    if (failed) put_failure(out, all, number, failed, first);
    if (others) {
        output_text(out, "      <system-out>");
        put_lines(out, all, number, false);
        output_text(out, "</system-out>\n");
    }
    output_text(out, "    </testcase>\n");
}

static void put_counts(struct output *out, size_t tests, size_t failures, size_t errors)
{
    output_printf(out, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\"", tests, failures, errors);
}

void report_junit(struct report *r, const struct issues *all)
{
    size_t tests = all ? all->cases.len : 0, failures = 0, errors = 0;
    for (size_t i = 0; i < tests; i++) {
        bool fails = count(all, i, true, NULL) != 0;
        errors += fails && all->cases.at[i].is_error;
        failures += fails && !all->cases.at[i].is_error;
    }
    output_text(r->out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"assay\"");
    put_counts(r->out, tests, failures, errors);
    output_text(r->out, ">\n  <testsuite");
    put_attribute(r->out, "name", tests ? all->cases.at[0].group : "assay");
    put_counts(r->out, tests, failures, errors);
    output_text(r->out, " skipped=\"0\">\n");
    for (size_t i = 0; i < tests; i++) put_case(r->out, all, i);
    output_text(r->out, "  </testsuite>\n</testsuites>\n");
}

/* Times, messages, lists and columns for formats; see cov_format_text.h. */
#include "report/cov_format_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/plural.h"
#include "base/scoped.h"
#include "base/text.h"
#include "report/report.h"

/* ---- messages ---- */

const char *cov_wrap_parse(const char *at, const char *end, struct cov_wrap *out)
{
    unsigned n[3] = { 0 }, count = 0;
    const char *p = at + 1;
    if (p >= end || *p != '(') return NULL;
    for (p++; p < end && *p != ')'; p++) {
        if (*p == ',' && count && count < 3) continue;
        if (*p < '0' || *p > '9' || count == 3 || (count && p[-1] != ',')) return NULL;
        for (; p < end && *p >= '0' && *p <= '9'; p++)
            if (n[count] < 100000) n[count] = n[count] * 10 + (unsigned)(*p - '0');
        count++;
        p--;
    }
    if (p >= end) return NULL;
    if (count && (!n[0] || (count == 3 && (n[1] >= n[0] || n[2] >= n[0])))) return NULL;
    *out = (struct cov_wrap){ 76, 6, 9 };
    if (count > 0) out->width = n[0];
    if (count > 1) out->first = out->others = n[1];
    if (count > 2) out->others = n[2];
    return p + 1;
}

assay_slice cov_subject_line(assay_slice message)
{
    const char *newline = message.len ? memchr(message.data, '\n', message.len) : NULL;
    return newline ? slice_from(message.data, newline) : message;
}

static assay_slice body(assay_slice message)
{
    assay_slice first = cov_subject_line(message);
    assay_slice rest = { message.data + first.len, message.len - first.len };
    while (rest.len && rest.data[0] == '\n') rest.data++, rest.len--;
    return rest;
}

/* One paragraph, its words filled into lines. */
static void put_paragraph(struct output *out, assay_slice s, unsigned width, unsigned indent)
{
    size_t at = 0, column = 0;
    while (at < s.len) {
        size_t end = at;
        while (end < s.len && s.data[end] != ' ' && s.data[end] != '\n') end++;
        if (end > at) {
            if (column && column + 1 + (end - at) > width) output_char(out, '\n'), column = 0;
            if (!column) {
                report_blanks(out, indent);
                column = indent;
            } else
                output_char(out, ' '), column++;
            output_bytes(out, s.data + at, end - at);
            column += end - at;
        }
        at = end + 1;
    }
}

static void put_wrapped(struct output *out, assay_slice s, const struct cov_wrap *wrap)
{
    for (bool is_first = true; s.len; is_first = false) {
        const char *gap = memmem(s.data, s.len, "\n\n", 2);
        assay_slice paragraph = gap ? slice_from(s.data, gap) : s;
        if (!is_first) output_text(out, "\n\n");
        put_paragraph(out, paragraph, wrap->width, is_first ? wrap->first : wrap->others);
        s = gap ? slice_from(gap, s.data + s.len) : (assay_slice){ NULL, 0 };
        while (s.len && s.data[0] == '\n') s.data++, s.len--;
    }
}

/* For file names: letters, digits, dot and underscore; anything else becomes one dash, none at the ends. */
static void put_file_name(struct output *out, assay_slice s)
{
    bool has_gap = false, has_any = false;
    for (size_t i = 0; i < s.len; i++) {
        char c = s.data[i];
        bool is_good = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_';
        if (is_good && has_gap && has_any) output_char(out, '-');
        if (is_good) output_char(out, c);
        has_any = has_any || is_good;
        has_gap = !is_good;
    }
}

void cov_format_message(struct output *out, assay_slice message, char what, const struct cov_wrap *wrap)
{
    assay_slice s = what == 'b' ? body(message) : what == 'B' ? message : cov_subject_line(message);
    if (what == 'f')
        put_file_name(out, s);
    else if (wrap->width)
        put_wrapped(out, s, wrap);
    else
        output_slice(out, s);
}

/* ---- times ---- */

static void put_ago(struct output *out, uint64_t n, const char *unit)
{
    if (n == 1)
        output_printf(out, "one %s ago", unit);
    else
        output_printf(out, "%" PRIu64 " %ss ago", n, unit);
}

/* Rounded to the nearest at each step, as git does. */
static void put_relative(struct output *out, uint64_t when, uint64_t now)
{
    if (when > now) {
        output_text(out, "in the future");
        return;
    }
    uint64_t seconds = now - when, minutes = (seconds + 30) / 60, hours = (minutes + 30) / 60, days = (hours + 12) / 24;
    if (seconds < 90)
        put_ago(out, seconds, "second");
    else if (minutes < 90)
        put_ago(out, minutes, "minute");
    else if (hours < 36)
        put_ago(out, hours, "hour");
    else if (days < 14)
        put_ago(out, days, "day");
    else if (days < 70)
        put_ago(out, (days + 3) / 7, "week");
    else if (days < 365)
        put_ago(out, (days + 15) / 30, "month");
    else if (days < 1825) {
        uint64_t months = (days * 12 * 2 + 365) / ((uint64_t)365 * 2), years = months / 12;
        months %= 12;
        if (!months)
            put_ago(out, years, "year");
        else {
            output_printf(out, "%" PRIu64 " year%s, ", years, plural(years));
            put_ago(out, months, "month");
        }
    } else
        put_ago(out, (days + 183) / 365, "year");
}

void cov_format_time(struct output *out, uint64_t when, char what, uint64_t now)
{
    if (what == 't')
        output_u64(out, when);
    else if (what == 'r')
        put_relative(out, when, now);
    else
        text_time(out, when, what);
}

/* ---- lists ---- */

static void put_gap(const struct cov_list *l)
{
    if (l->indent == COV_LIST_PLAIN)
        output_text(l->out, ", ");
    else if (l->indent == COV_LIST_ALIGNED)
        output_text(l->out, ",\n\1");
    else
        output_printf(l->out, ",\n%*s", l->indent, "");
}

static void put_inked(const struct cov_list *l, const char *ink, const char *head, assay_slice text)
{
    cov_ink(l->out, l->look, ink);
    output_text(l->out, head);
    output_slice(l->out, text);
    cov_ink(l->out, l->look, "");
}

static void next_name(const struct cov_list *l, bool *is_first)
{
    if (*is_first && !l->brackets) {
        *is_first = false;
        return;
    }
    cov_ink(l->out, l->look, "33");
    if (*is_first)
        output_text(l->out, " (");
    else
        put_gap(l);
    cov_ink(l->out, l->look, "");
    *is_first = false;
}

void cov_list_names(const struct cov_list *l, const assay_store_id *id)
{
    const struct cov_names *n = l->look->names;
    bool is_first = true;
    if (!n) return;
    bool is_head = n->has_head && cov_id_compare(&n->head, id) == 0;
    if (is_head) {
        next_name(l, &is_first);
        put_inked(l, "1;36", n->branch ? "HEAD -> " : "HEAD", (assay_slice){ NULL, 0 });
        if (n->branch) put_inked(l, "1;32", "", slice_of(n->branch));
    }
    for (size_t i = 0; i < n->at.len; i++) {
        const struct cov_name *name = &n->at.at[i];
        if (cov_id_compare(&name->id, id) != 0) continue;
        if (is_head && !name->is_tag && n->branch && strcmp(n->branch, name->name) == 0) continue;
        next_name(l, &is_first);
        put_inked(l, name->is_tag ? "1;33" : "1;32", name->is_tag ? "tag: " : "", slice_of(name->name));
    }
    if (!is_first && l->brackets) put_inked(l, "33", ")", (assay_slice){ NULL, 0 });
}

/* The separator and the name of a property go together, faint; its value stands out. */
static void put_prop(const struct cov_list *l, const struct prop *p, bool is_first)
{
    bool is_empty = p->kind == PROP_TEXT && !p->text.len, has_name = p->kind != PROP_TEXT || is_empty || l->look->prop_names;
    if (!is_first || l->brackets || has_name) {
        cov_ink(l->out, l->look, "2;33");
        if (!is_first) put_gap(l);
        if (has_name) output_slice(l->out, p->name);
        if (has_name && !is_empty) output_text(l->out, ": ");
        cov_ink(l->out, l->look, "");
    }
    if (is_empty) return;
    char number[24];
    snprintf(number, sizeof number, "%" PRId64, p->number);
    assay_slice value = p->kind == PROP_TEXT ? p->text : p->kind == PROP_BOOL ? slice_of(p->number ? "on" : "off") : slice_of(number);
    put_inked(l, p->kind == PROP_TEXT ? "33" : p->kind == PROP_BOOL ? "34" : "36", "", value);
}

void cov_list_props(const struct cov_list *l, assay_slice propset)
{
    SCOPED(props_done) struct props props;
    props_init(&props, l->look->mem);
    props_parse(&props, propset, NULL);
    props_sort(&props);
    if (props.at.len && l->brackets) put_inked(l, "2;33", " (", (assay_slice){ NULL, 0 });
    for (size_t i = 0; i < props.at.len; i++) {
        bool is_first = i == 0;
        struct cov_list inner = *l;
        inner.brackets = false;
        put_prop(&inner, &props.at.at[i], is_first);
    }
    if (props.at.len && l->brackets) put_inked(l, "2;33", ")", (assay_slice){ NULL, 0 });
}

/* ---- columns ---- */

void cov_format_align(struct output *out, assay_slice text)
{
    size_t widest = 0, line = 0;
    for (size_t i = 0; i < text.len; i++) {
        if (text.data[i] == '\n') line = i + 1;
        if (text.data[i] == '\1' && i - line > widest) widest = i - line;
    }
    line = 0;
    for (size_t i = 0; i < text.len; i++) {
        if (text.data[i] == '\1')
            report_blanks(out, widest + 1 - (i - line));
        else
            output_char(out, text.data[i]);
        if (text.data[i] == '\n') line = i + 1;
    }
}

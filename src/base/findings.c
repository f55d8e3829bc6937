/* Lists of findings; see base/findings.h. A hostile file can break one rule a billion times, so what is not listed costs neither memory
 * nor formatting. */
#include "base/findings.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/output.h"
#include "base/slice.h"
#include "base/text.h"

void findings_init(struct findings *f, struct mem *m)
{
    *f = (struct findings){ 0 };
    arena_init(&f->text, m);
}

void findings_done(struct findings *f)
{
    vec_done(f->text.mem, &f->list, &f->rules);
    arena_done(&f->text);
}

static bool is_control(char c) { return (unsigned char)c < 0x20 || c == 0x7f; }

static uint64_t saturated_sum(uint64_t a, uint64_t b) { return a > UINT64_MAX - b ? UINT64_MAX : a + b; }

static void tally(struct findings *f, int severity, uint64_t more)
{
    if (severity == ASSAY_ERROR) f->errors = saturated_sum(f->errors, more);
    if (severity == ASSAY_WARNING) f->warnings = saturated_sum(f->warnings, more);
}

/* Rules are a few dozen static strings: a walk that compares pointers first beats any table. */
static struct findings_rule *find_rule(struct findings *f, const char *rule)
{
    for (size_t i = 0; i < f->rules.len; i++)
        if (f->rules.at[i].rule == rule || strcmp(f->rules.at[i].rule, rule) == 0) return &f->rules.at[i];
    return NULL;
}

/* True when the rule is listed often enough already; its finding is then counted on the last one listed. */
static bool count_only(struct findings *f, const char *rule, uint64_t more)
{
    struct findings_rule *r = find_rule(f, rule);
    if (!r || r->count < FINDINGS_PER_RULE) return false;
    assay_finding *last = &f->list.at[r->last];
    last->repeats = saturated_sum(last->repeats, more);
    return true;
}

/* Lists a finding whose texts are owned by the arena or static. */
static void list(struct findings *f, assay_finding finding)
{
    struct findings_rule *r = find_rule(f, finding.rule);
    bool is_new = !r;
    if (is_new) r = vec_push(f->text.mem, &f->rules);
    assay_finding *slot = r ? vec_push(f->text.mem, &f->list) : NULL;
    if (!slot) {
        if (r && is_new) f->rules.len--;
        f->failed = true;
        return;
    }
    if (is_new) *r = (struct findings_rule){ .rule = finding.rule };
    if (r->count) {
        /* Repeats stand on the last one listed, also when a list that was cut before is copied into this one. */
        finding.repeats = saturated_sum(finding.repeats, f->list.at[r->last].repeats);
        f->list.at[r->last].repeats = 0;
    }
    r->count++;
    r->last = f->list.len - 1;
    *slot = finding;
}

/* Names come from the input, newlines and all: a message is one line, and sends nothing to a terminal. */
static char *on_one_line(struct arena *a, char *text)
{
    size_t len = 0, extra = 0;
    for (; text[len]; len++) extra += is_control(text[len]) ? 3 : 0;
    char *out = extra ? arena_text(a, len + extra + 1) : text, *at = out;
    if (!extra || !out) return out;
    for (size_t i = 0; i < len; i++) {
        if (is_control(text[i]))
            at += sprintf(at, "\\x%02x", (unsigned char)text[i]);
        else
            *at++ = text[i];
    }
    *at = '\0';
    return out;
}

static char *format(struct arena *a, const char *fmt, va_list args)
{
    char small[256];
    va_list again;
    va_copy(again, args);
    int len = vsnprintf(small, sizeof small, fmt, args);
    char *text = NULL;
    if (len < 0) {
        text = arena_copy(a, SLICE("the message is too long to be shown"));
    } else if ((size_t)len < sizeof small) {
        text = arena_copy(a, (assay_slice){ small, (size_t)len });
    } else {
        text = arena_text(a, (size_t)len + 1);
        if (text) vsnprintf(text, (size_t)len + 1, fmt, again);
    }
    va_end(again);
    return text ? on_one_line(a, text) : NULL;
}

void findings_add(struct findings *f, const char *rule, int severity, uint64_t off, uint64_t line, const char *fmt, ...)
{
    tally(f, severity, 1);
    if (f->failed || count_only(f, rule, 1)) return;
    va_list args;
    va_start(args, fmt);
    const char *message = format(&f->text, fmt, args);
    va_end(args);
    if (!message) {
        f->failed = true;
        return;
    }
    bool has_offset = off != FINDING_NO_OFFSET;
    list(f, (assay_finding){ .rule = rule, .severity = severity, .has_offset = has_offset, .offset = has_offset ? off : 0, .line = line, .message = message });
}

void findings_copy(struct findings *f, const assay_finding *finding)
{
    uint64_t all = saturated_sum(finding->repeats, 1);
    tally(f, finding->severity, all);
    const char *rule = finding->rule ? finding->rule : "";
    if (f->failed || count_only(f, rule, all)) return;
    assay_finding copy = *finding;
    const struct findings_rule *known = find_rule(f, rule);
    copy.rule = known ? known->rule : arena_copy(&f->text, slice_of(rule));
    copy.message = arena_copy(&f->text, slice_of(finding->message));
    if (!copy.rule || !copy.message) {
        f->failed = true;
        return;
    }
    list(f, copy);
}

int findings_refuse(const struct findings *f, assay_error *err)
{
    for (size_t i = 0; f->errors && i < f->list.len; i++) {
        const assay_finding *x = &f->list.at[i];
        if (x->severity == ASSAY_ERROR) return error_line(err, ASSAY_ERR_DAMAGED, x->offset, x->line, "%s (%s)", x->message, x->rule);
    }
    return 0;
}

void findings_mark(const struct findings *f, size_t *marked, struct output *out) { findings_mark_first(f, marked, f->list.len, out); }

void findings_mark_first(const struct findings *f, size_t *marked, size_t count, struct output *out)
{
    static const char *const severity[] = { "note", "warning", "error" };
    for (; *marked < count && *marked < f->list.len; ++*marked) {
        const assay_finding *finding = &f->list.at[*marked];
        output_printf(out, "                     ^ %s %s: ", severity[finding->severity], finding->rule);
        text_show(out, slice_of(finding->message));
        output_char(out, '\n');
    }
}

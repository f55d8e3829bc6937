/* What options say of source lines, with the meaning that they have for gcovr; see exclusion.h. */
#include <stdio.h>
#include <string.h>

#include "analysis/coverage/exclusion.h"
#include "base/error.h"
#include "base/scoped.h"
#include "base/slice.h"

int exclusion_rules_init(struct exclusion_rules *r, const struct assay_filter *f, struct mem *mem, assay_error *err)
{
    *r = (struct exclusion_rules){ .mem = mem, .unreachable_branches = f->unreachable_branches };
    for (size_t i = 0; i < f->exclude_line_count; i++) {
        struct pattern *alone; /* what is wrong is said of the expression as it was given */
        TRY(pattern_new(&alone, f->exclude_lines[i], mem, err));
        pattern_free(alone);
        size_t room = strlen(f->exclude_lines[i]) + sizeof "\\A(?:)";
        SCRATCH(char, anchored, mem, room);
        struct pattern **slot = vec_push(mem, &r->lines);
        if (slot) *slot = NULL;
        if (!anchored || !slot) return error_memory(err);
        snprintf(anchored, room, "\\A(?:%s)", f->exclude_lines[i]);
        TRY(pattern_new(slot, anchored, mem, err));
    }
    return 0;
}

void exclusion_rules_done(struct exclusion_rules *r)
{
    for (size_t i = 0; i < r->lines.len; i++)
        if (r->lines.at[i]) pattern_free(r->lines.at[i]);
    vec_done(r->mem, &r->lines);
}

static bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/* Whether nothing but braces is left of the line without its comments and spaces. */
static bool is_bare(assay_slice line)
{
    char left[4];
    size_t len = 0;
    const char *at = line.data, *end = line.data + line.len, *slashes = line.len ? memmem(line.data, line.len, "//", 2) : NULL;
    if (slashes) end = slashes;
    while (at < end && is_blank(*at)) at++;
    while (end > at && is_blank(end[-1])) end--;
    while (at < end) {
        const char *close = end - at >= 4 && at[0] == '/' && at[1] == '*' ? memmem(at + 2, (size_t)(end - at) - 2, "*/", 2) : NULL;
        if (close) {
            at = close + 2;
            continue;
        }
        if (*at != ' ' && len == sizeof left) return false;
        if (*at != ' ') left[len++] = *at;
        at++;
    }
    assay_slice rest = { left, len };
    return slice_is(rest, "") || slice_is(rest, "{") || slice_is(rest, "}") || slice_is(rest, "{}");
}

void exclusion_rules_apply(struct exclusion *x, uint32_t line, assay_slice s)
{
    const struct exclusion_rules *r = x->rules;
    for (size_t i = 0; i < r->lines.len; i++) {
        if (pattern_matches(r->lines.at[i], s)) exclusion_mark(x, line, line, MARK_LINE);
        if (pattern_lacked_memory(r->lines.at[i])) x->failed = true;
    }
    if (r->unreachable_branches && is_bare(s)) exclusion_mark(x, line, line, MARK_BRANCHES);
}

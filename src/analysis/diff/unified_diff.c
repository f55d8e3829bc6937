/* Unified diffs -> changes. The lines of a hunk are counted by its head, so that a line of text that looks like a head is none. What stands
 * between files (mail heads, commit messages, index lines) is passed over. Rules: docs/patch.md. */
#include <stdlib.h>

#include "analysis/diff/changes.h"
#include "base/cancel.h"
#include "base/lines.h"
#include "base/number.h"
#include "base/options.h"

struct reader {
    struct changes *c;
    struct lines lines;
    assay_error *err;
    struct line line;
    bool strict;
    bool has_head;                  /* some line begins a file */
    bool has_file;                  /* hunks belong to one */
    bool has_old, has_rename;       /* seen, and no file begun of it yet */
    assay_slice old_path, old_name; /* of "---" and of "rename from": from the arena, {NULL, 0} = /dev/null */
    assay_slice new_name;
    uint32_t old_left, new_left; /* lines that the hunk still has */
    uint32_t old_next, new_next;
};

static const assay_slice none = { NULL, 0 };

static void damage(struct reader *r, const char *rule, const char *text)
{
    findings_add(&r->c->findings, rule, ASSAY_ERROR, r->line.off, r->line.number, "%s", text);
}

/* ---- paths ---- */

static int octal(const char *p, const char *end)
{
    int v = 0;
    for (int i = 0; i < 3; i++, p++) {
        if (p == end || *p < '0' || *p > '7') return -1;
        v = v * 8 + (*p - '0');
    }
    return v > 255 ? -1 : v;
}

/* "a\303\244.c" as git quotes it. false = it has no end, or holds a zero byte. */
static bool unquote(assay_slice s, char *out, size_t *len)
{
    static const char from[] = "abtnvfr\"\\", to[] = "\a\b\t\n\v\f\r\"\\";
    const char *end = s.data + s.len;
    *len = 0;
    for (const char *p = s.data + 1; p < end; p++) {
        if (*p == '"') return true;
        if (*p != '\\') {
            if (!*p) return false;
            out[(*len)++] = *p;
            continue;
        }
        if (++p == end) return false;
        const char *plain = *p ? strchr(from, *p) : NULL;
        int code = plain ? to[plain - from] : octal(p, end);
        if (code <= 0) return false;
        out[(*len)++] = (char)code;
        if (!plain) p += 2;
    }
    return false;
}

/* The path of a head: without a time after a tab, unquoted, in the arena; {NULL, 0} = /dev/null. */
static int take_path(struct reader *r, assay_slice s, assay_slice *out)
{
    char *copy = arena_text(&r->c->text, s.len + 1);
    const char *tab = s.len ? memchr(s.data, '\t', s.len) : NULL;
    size_t len;
    if (!copy) return error_memory(r->err);
    if (s.len && s.data[0] == '"') {
        if (!unquote(s, copy, &len)) {
            damage(r, "UD-2", "a quoted path is not terminated or contains an invalid byte");
            len = 0;
        }
    } else {
        len = tab ? (size_t)(tab - s.data) : s.len;
        if (len) memcpy(copy, s.data, len);
    }
    copy[len] = '\0';
    *out = len == strlen(copy) && len ? (assay_slice){ copy, len } : none;
    if (slice_is(*out, "/dev/null")) *out = none;
    return 0;
}

/* git puts a letter and a slash before both paths: a/ and b/, or i/ w/ c/ o/ by what is compared. */
static bool has_letter(assay_slice s) { return s.len > 2 && s.data[1] == '/' && strchr("abciow12", s.data[0]); }

static void strip_letters(assay_slice *old_path, assay_slice *new_path)
{
    bool both = (!old_path->data || has_letter(*old_path)) && (!new_path->data || has_letter(*new_path));
    bool differ = !old_path->data || !new_path->data || old_path->data[0] != new_path->data[0];
    if (!both || !differ) return;
    if (old_path->data) *old_path = (assay_slice){ old_path->data + 2, old_path->len - 2 };
    if (new_path->data) *new_path = (assay_slice){ new_path->data + 2, new_path->len - 2 };
}

/* ---- heads ---- */

static assay_slice behind(assay_slice s, size_t n) { return (assay_slice){ s.data + n, s.len - n }; }

static int begin_file(struct reader *r, assay_slice old_path, assay_slice new_path)
{
    r->has_file = r->has_head = true;
    r->has_old = r->has_rename = false;
    return changes_file(r->c, old_path, new_path) ? 0 : error_memory(r->err);
}

/* A rename without a change of text has no "---" and "+++". */
static int end_head(struct reader *r)
{
    bool is_bare = r->has_rename && r->new_name.data;
    r->has_old = r->has_rename = r->has_file = false;
    return is_bare ? begin_file(r, r->old_name, r->new_name) : 0;
}

static int new_path(struct reader *r, assay_slice text)
{
    assay_slice path, old_path = r->old_path;
    TRY(take_path(r, text, &path));
    if (!path.data && !old_path.data) {
        damage(r, "UD-2", "a file has neither an old nor a new path");
        r->has_old = false;
        return 0;
    }
    strip_letters(&old_path, &path);
    return begin_file(r, old_path, path);
}

/* "A" or "A,B"; *at is moved after it. */
static bool take_range(const char **at, const char *end, uint32_t *first, uint32_t *count)
{
    uint64_t v[2] = { 0, 1 };
    for (int i = 0; i < 2; i++) {
        const char *begin = *at;
        while (*at < end && **at >= '0' && **at <= '9') ++*at;
        if (number_u64(slice_from(begin, *at), &v[i]) != NUMBER_OK) return false;
        if (*at == end || **at != ',' || i == 1) break;
        ++*at;
    }
    *first = (uint32_t)v[0];
    *count = (uint32_t)v[1];
    return v[0] + v[1] < UINT32_MAX && v[0] < UINT32_MAX && v[1] < UINT32_MAX;
}

/* Hunks of a file stand in the order of lines. */
static bool is_behind_last(const struct reader *r)
{
    const assay_changed_file *f = &r->c->files.at[r->c->files.len - 1];
    if (!f->edit_count) return true;
    const assay_edit *e = &r->c->edits.at[r->c->edits.len - 1];
    return r->old_next > e->old_before + e->old_count && r->new_next > e->new_before + e->new_count;
}

/* @@ -A,B +C,D @@ */
static void hunk(struct reader *r, assay_slice s)
{
    const char *at = s.data + 4, *end = s.data + s.len;
    uint32_t old_first, new_first;
    bool is_sound = take_range(&at, end, &old_first, &r->old_left) && end - at > 2 && at[0] == ' ' && at[1] == '+';
    at += is_sound ? 2 : 0;
    is_sound = is_sound && take_range(&at, end, &new_first, &r->new_left) && slice_starts(slice_from(at, end), " @@");
    is_sound = is_sound && (old_first || !r->old_left) && (new_first || !r->new_left);
    r->old_next = is_sound ? old_first + !r->old_left : 0;
    r->new_next = is_sound ? new_first + !r->new_left : 0;
    const char *rule = !is_sound ? "UD-2" : !r->has_file ? "UD-3" : is_behind_last(r) ? NULL : "UD-5";
    if (!rule) return;
    damage(r, rule, !is_sound ? "invalid hunk header" : !r->has_file ? "hunk without a file path" : "hunk out of order");
    r->old_left = r->new_left = 0;
}

static int head(struct reader *r, assay_slice s)
{
    if (slice_starts(s, "@@ -")) {
        hunk(r, s);
        return 0;
    }
    if (slice_starts(s, "diff ")) return end_head(r);
    if (slice_starts(s, "--- ")) {
        r->has_old = true;
        return take_path(r, behind(s, 4), &r->old_path);
    }
    if (slice_starts(s, "+++ ") && r->has_old) return new_path(r, behind(s, 4));
    r->has_old = false;
    if (slice_starts(s, "rename from ")) {
        r->has_rename = true;
        r->new_name = none;
        return take_path(r, behind(s, 12), &r->old_name);
    }
    if (slice_starts(s, "rename to ") && r->has_rename) return take_path(r, behind(s, 10), &r->new_name);
    if (slice_starts(s, "@@@ ")) damage(r, "UD-4", "combined diff of a merge: its changes are ignored; use git diff A...B");
    return 0;
}

/* ---- bodies ---- */

/* A line of the hunk. false = it cannot be one. */
static bool body(struct reader *r, assay_slice s, int *rc)
{
    char kind = s.len ? s.data[0] : ' ';
    assay_edit edit = { r->old_next - 1, kind == '-', r->new_next - 1, kind == '+' };
    bool is_sound = (kind == ' ' && r->old_left && r->new_left) || (kind == '-' && r->old_left) || (kind == '+' && r->new_left);
    if (kind == '\\') return true;
    if (!is_sound) return false;
    r->old_left -= kind != '+';
    r->old_next += kind != '+';
    r->new_left -= kind != '-';
    r->new_next += kind != '-';
    if (kind != ' ' && !changes_edit(r->c, &edit)) *rc = error_memory(r->err);
    return true;
}

static int lines(struct reader *r)
{
    for (;;) {
        int rc = 0;
        TRY(lines_next(&r->lines, &r->line));
        bool at_end = !r->line.text.data, is_open = r->old_left || r->new_left;
        if (is_open && !at_end && body(r, r->line.text, &rc)) {
            TRY(rc);
            continue;
        }
        if (is_open) {
            damage(r, "UD-1", "hunk has fewer lines than its header says");
            r->old_left = r->new_left = 0;
        }
        TRY(at_end ? end_head(r) : head(r, r->line.text));
        if (r->strict) TRY(findings_refuse(&r->c->findings, r->err));
        if (r->c->findings.failed) return error_memory(r->err);
        if (at_end) return 0;
    }
}

static int read_input(struct input *in, struct changes *c, bool strict, assay_error *err)
{
    struct reader r = { .c = c, .err = err, .strict = strict };
    lines_init(&r.lines, in, &c->mem, &c->findings, err);
    int rc = lines(&r);
    if (rc == 0 && !r.has_head && r.lines.count) rc = error_set(err, ASSAY_ERR_UNKNOWN, "not a unified diff: no file is named by '---' and '+++'");
    lines_done(&r.lines);
    return rc;
}

/* ---- calls ---- */

struct source {
    const char *path;
    const void *data; /* NULL = a file */
    size_t len;
};

static int read_source(const struct source *s, const struct assay_read_options *given, assay_changes **out, assay_error *err)
{
    struct assay_read_options options;
    assay_error local;
    struct input *in = NULL;
    err = error_enter(err, &local);
    *out = NULL;
    TRY(OPTIONS_TAKE(struct assay_read_options, max_string, &options, given, err));
    struct changes *c = changes_new(options.max_memory);
    if (!c) return error_memory(err);
    struct input_options o = { &c->mem, options.max_output, options.progress, options.progress_arg, options.max_string };
    int rc = s->data ? input_open_memory(&in, s->data, s->len, s->path, &o, err) : input_open(&in, s->path, &o, err);
    if (rc == 0 && input_is_dir(in)) rc = error_set(err, ASSAY_ERR_UNKNOWN, "is a directory, not a unified diff");
    if (rc == 0) rc = read_input(in, c, options.strict, err);
    input_close(in);
    rc = cancel_end(rc, err);
    if (rc != 0) {
        error_path(err, s->path);
        assay_changes_free(&c->pub);
        return rc;
    }
    changes_finish(c);
    *out = &c->pub;
    return 0;
}

int assay_changes_read(const char *path, const struct assay_read_options *options, assay_changes **out, assay_error *err)
{
    return read_source(&(struct source){ path, NULL, 0 }, options, out, err);
}

int assay_changes_read_memory(const void *data, size_t len, const char *name, const struct assay_read_options *options, assay_changes **out, assay_error *err)
{
    return read_source(&(struct source){ name, data ? data : "", len }, options, out, err);
}

/* Marks whose reach depends on the code after them: JavaScript (istanbul, c8, v8, node), PHPUnit, coverage.py. */
#include <ctype.h>
#include <string.h>

#include "analysis/coverage/exclusion.h"
#include "analysis/sources/code_scan.h"
#include "base/path.h"

static assay_slice after(assay_slice s, size_t n) { return (assay_slice){ s.data + n, s.len - n }; }

static assay_slice skip_blanks(assay_slice s)
{
    while (s.len && isspace((unsigned char)s.data[0])) s = after(s, 1);
    return s;
}

/* Takes `word` off the front of *s, with the blanks after it. */
static bool take(assay_slice *s, const char *word)
{
    size_t len = strlen(word);
    if (!slice_starts(*s, word) || (s->len > len && (isalnum((unsigned char)s->data[len]) || s->data[len] == '_'))) return false;
    *s = skip_blanks(after(*s, len));
    return true;
}

static uint32_t take_number(assay_slice s, uint32_t otherwise)
{
    uint32_t n = 0;
    bool is_any = false;
    for (; s.len && isdigit((unsigned char)s.data[0]) && n < 100000000; s = after(s, 1), is_any = true) n = n * 10 + (uint32_t)(s.data[0] - '0');
    return is_any ? n : otherwise;
}

static struct code_scan scan_from(const struct exclusion *x, uint32_t line, const char *behind)
{
    struct code_scan k;
    code_scan_init(&k, x->text->lines.at, (uint32_t)x->text->lines.len, slice_of(x->path));
    code_scan_seek(&k, line, (size_t)(behind - x->text->lines.at[line - 1].data));
    return k;
}

/* ---- nodes ---- */

static void next_node(struct exclusion *x, uint32_t line, const char *behind)
{
    struct code_scan k = scan_from(x, line, behind);
    uint32_t first, last;
    if (code_scan_node(&k, &first, &last)) exclusion_mark(x, first, last, MARK_LINE);
}

/* Behind the head of an `if`: false = what follows is none. */
static bool skip_if_head(struct code_scan *k)
{
    int depth = 0, c = code_scan_next(k);
    if (c != 'a' || strcmp(k->word, "if") != 0) return false;
    while ((c = code_scan_next(k)) >= 0) {
        depth += c == '(' ? 1 : c == ')' ? -1 : 0;
        if (c == ')' && !depth) return true;
    }
    return false;
}

/* What the next `if` rules, or its `else`. Lines that it shares with the `if` stay. */
static void next_if(struct exclusion *x, uint32_t line, const char *behind, bool is_else)
{
    struct code_scan k = scan_from(x, line, behind);
    uint32_t first, last, head;
    if (!skip_if_head(&k)) return;
    head = k.last_line;
    struct code_scan body = k;
    int depth = 0, c = code_scan_next(&body);
    bool is_block = c == '{';
    do depth += c == '{' || c == '(' || c == '[' ? 1 : c == '}' || c == ')' || c == ']' ? -1 : 0;
    while ((depth || (!is_block && c != ';')) && (c = code_scan_next(&body)) >= 0);
    last = body.last_line;
    if (is_else) {
        if (code_scan_next(&body) != 'a' || strcmp(body.word, "else") != 0) return;
        head = body.last_line;
        if (!code_scan_node(&body, &first, &last)) return;
    }
    exclusion_mark(x, head + 1, last, MARK_LINE);
}

/* ---- JavaScript ---- */

static void whole_file(struct exclusion *x) { exclusion_mark(x, 1, UINT32_MAX, MARK_LINE); }

static void istanbul(struct exclusion *x, uint32_t line, assay_slice s, const char *behind)
{
    if (take(&s, "next"))
        next_node(x, line, behind);
    else if (take(&s, "if"))
        next_if(x, line, behind, false);
    else if (take(&s, "else"))
        next_if(x, line, behind, true);
    else if (take(&s, "file"))
        whole_file(x);
    else
        exclusion_ignored(x, line, SLICE("an 'istanbul ignore' of another kind"));
}

/* Nothing but other signs stands before the comment. */
static bool is_alone(assay_slice line, const char *comment)
{
    for (const char *p = line.data; p < comment; p++)
        if (isalnum((unsigned char)*p) || *p == '_') return false;
    return true;
}

/* c8 counts lines: those that follow when the comment stands alone, else its own. */
static void c8(struct exclusion *x, uint32_t line, assay_slice s, const char *behind, bool alone, size_t pair)
{
    if (take(&s, "next")) {
        uint32_t count = take_number(s, 1);
        exclusion_mark(x, alone ? line + 1 : line, alone ? line + count : line, MARK_LINE);
    } else if (take(&s, "start"))
        exclusion_open(x, pair, line, MARK_LINE, SLICE("'ignore start'"));
    else if (take(&s, "stop"))
        exclusion_close(x, pair, line, SLICE("'ignore stop'"));
    else if (pair != PAIR_NODE)
        istanbul(x, line, s, behind);
}

static void node(struct exclusion *x, uint32_t line, assay_slice s, const char *behind, bool alone)
{
    if (take(&s, "ignore"))
        c8(x, line, s, behind, alone, PAIR_NODE);
    else if (take(&s, "disable"))
        exclusion_open(x, PAIR_NODE, line, MARK_LINE, SLICE("node:coverage disable"));
    else if (take(&s, "enable"))
        exclusion_close(x, PAIR_NODE, line, SLICE("node:coverage enable"));
}

/* What a comment says, `s` from behind its sign on; `behind` is where it ends. */
static void comment(struct exclusion *x, uint32_t line, assay_slice s, const char *behind, bool alone)
{
    s = skip_blanks(s);
    if (take(&s, "istanbul")) {
        if (take(&s, "ignore")) istanbul(x, line, s, behind);
    } else if (take(&s, "c8")) {
        if (take(&s, "ignore")) c8(x, line, s, behind, alone, PAIR_C8);
    } else if (take(&s, "v8")) {
        if (take(&s, "ignore")) c8(x, line, s, behind, alone, PAIR_V8);
    } else if (slice_starts(s, "node:coverage")) {
        s = skip_blanks(after(s, 13));
        node(x, line, s, behind, alone);
    }
}

void exclusion_script(struct exclusion *x, uint32_t line, assay_slice s)
{
    const char *end = s.data + s.len, *at = s.data;
    if (!slice_contains(s, "ignore") && !slice_contains(s, "node:coverage")) return;
    while ((at = memchr(at, '/', (size_t)(end - at))) && end - at > 2) {
        bool is_block = at[1] == '*';
        if (!is_block && at[1] != '/') {
            at++;
            continue;
        }
        const char *stop = is_block ? memmem(at + 2, (size_t)(end - at - 2), "*/", 2) : end;
        if (!stop) stop = end;
        comment(x, line, slice_from(at + 2, stop), stop == end ? end : stop + 2, is_alone(s, at));
        at = stop;
    }
}

/* ---- PHP ---- */

/* Whether the line belongs to a doc comment: then the mark is for what is documented, and *behind is the line where the comment ends. */
static bool is_documentation(const struct exclusion *x, uint32_t line, uint32_t *behind)
{
    assay_slice own = slice_trim(x->text->lines.at[line - 1]);
    if (slice_starts(own, "/**")) {
        *behind = line;
    } else {
        if (!slice_starts(own, "*")) return false;
        uint32_t up = line;
        while (up > 1 && slice_starts(slice_trim(x->text->lines.at[up - 1]), "*")) up--;
        if (!slice_starts(slice_trim(x->text->lines.at[up - 1]), "/**")) return false;
        *behind = line;
    }
    while (*behind < x->text->lines.len && !slice_contains(x->text->lines.at[*behind - 1], "*/")) ++*behind;
    return true;
}

void exclusion_php(struct exclusion *x, uint32_t line, assay_slice s)
{
    const char *at = s.data && s.len ? memmem(s.data, s.len, "@codeCoverageIgnore", 19) : NULL;
    uint32_t behind;
    if (!at) return;
    s = slice_from(at + 19, s.data + s.len);
    if (slice_starts(s, "Start"))
        exclusion_open(x, PAIR_PHP, line, MARK_LINE, SLICE("@codeCoverageIgnoreStart"));
    else if (slice_starts(s, "End"))
        exclusion_close(x, PAIR_PHP, line, SLICE("@codeCoverageIgnoreEnd"));
    else if (is_documentation(x, line, &behind)) {
        if (behind < x->text->lines.len) next_node(x, behind + 1, x->text->lines.at[behind].data);
    } else
        exclusion_mark(x, line, line, MARK_LINE);
}

/* ---- Python ---- */

/* "# pragma: no cover" with any of its spellings; *is_branch: "no branch". */
static bool has_pragma(assay_slice s, bool *is_branch)
{
    const char *end = s.data + s.len, *at = s.data;
    *is_branch = false;
    for (; (at = memchr(at, '#', (size_t)(end - at))); at++) {
        assay_slice t = skip_blanks(slice_from(at + 1, end));
        if (!slice_starts(t, "pragma") && !slice_starts(t, "PRAGMA")) continue;
        t = after(t, 6);
        if (t.len && t.data[0] == ':') t = after(t, 1);
        t = skip_blanks(t);
        if (!slice_starts(t, "no") && !slice_starts(t, "NO")) continue;
        t = skip_blanks(after(t, 2));
        *is_branch = slice_starts(t, "branch") || slice_starts(t, "BRANCH");
        if (*is_branch || slice_starts(t, "cover") || slice_starts(t, "COVER")) return true;
    }
    return false;
}

static bool is_python(const char *path)
{
    assay_slice s = slice_of(path);
    return slice_ends(s, ".py") || slice_ends(s, ".pyi") || slice_ends(s, ".pyw") || slice_ends(s, ".pyx") || !strchr(path_base(path), '.');
}

/* The last line of what a marked statement rules: its block, and for a decorator all of what it decorates. */
static uint32_t python_end(const struct exclusion *x, struct python_line l)
{
    const assay_slice *lines = x->text->lines.at;
    uint32_t count = (uint32_t)x->text->lines.len, last = l.last;
    unsigned indent = l.indent;
    bool is_decorator = l.is_decorator, opens = l.opens_block;
    for (struct python_line n; (opens || is_decorator) && python_line_next(lines, count, last + 1, &n);) {
        if (n.indent < indent || (n.indent == indent && !is_decorator)) break;
        last = n.last;
        if (n.indent > indent || !is_decorator) continue;
        is_decorator = n.is_decorator;
        opens = n.opens_block;
    }
    return last;
}

void exclusion_python(struct exclusion *x)
{
    const assay_slice *lines = x->text->lines.at;
    uint32_t count = (uint32_t)x->text->lines.len;
    if (!is_python(x->path)) return;
    for (struct python_line l = { 0 }; python_line_next(lines, count, l.last + 1, &l);) {
        bool is_cover = false, is_branch = false, is_either;
        for (uint32_t i = l.first; i <= l.last; i++) {
            if (!has_pragma(lines[i - 1], &is_either)) continue;
            is_cover |= !is_either;
            is_branch |= is_either;
        }
        if (is_branch) exclusion_mark(x, l.first, l.last, MARK_BRANCHES);
        if (!is_cover) continue;
        l.last = python_end(x, l);
        exclusion_mark(x, l.first, l.last, MARK_LINE);
    }
}

/* Code without blanks, comments and the insides of strings; see code_scan.h. Nothing here has to be right about every program: a mistake marks a
 * few lines more or less, and is bounded by the file. */
#include "analysis/sources/code_scan.h"

#include <ctype.h>
#include <string.h>

enum { SCAN_BUDGET = 20000000 };

void code_scan_init(struct code_scan *k, const assay_slice *lines, uint32_t count, assay_slice path)
{
    static const char *const script[] = { ".js", ".jsx", ".ts", ".tsx", ".mjs", ".cjs", ".mts", ".cts", ".vue", ".svelte" };
    *k = (struct code_scan){ .lines = lines, .count = count, .line = 1, .budget = SCAN_BUDGET };
    for (size_t i = 0; i < sizeof script / sizeof *script; i++) k->has_hash_names |= slice_ends(path, script[i]);
}

void code_scan_seek(struct code_scan *k, uint32_t line, size_t column)
{
    k->line = line;
    k->column = column;
    k->last = 0;
    k->word[0] = '\0';
}

/* ---- bytes ---- */

static bool at_end(const struct code_scan *k) { return k->line > k->count; }
static assay_slice here(const struct code_scan *k) { return k->lines[k->line - 1]; }
static char byte(const struct code_scan *k, size_t ahead)
{
    assay_slice s = here(k);
    return k->column + ahead < s.len ? s.data[k->column + ahead] : '\0';
}
static void next_line(struct code_scan *k)
{
    k->line++;
    k->column = 0;
}

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 0x80; }

/* ---- what is skipped ---- */

static void skip_comment(struct code_scan *k)
{
    k->column += 2;
    while (!at_end(k)) {
        if (k->column >= here(k).len)
            next_line(k);
        else if (byte(k, 0) == '*' && byte(k, 1) == '/') {
            k->column += 2;
            return;
        } else
            k->column++;
    }
}

/* A directive goes on after a backslash. */
static void skip_hash(struct code_scan *k)
{
    bool goes_on = true;
    while (goes_on && !at_end(k)) {
        assay_slice s = here(k);
        goes_on = s.len && s.data[s.len - 1] == '\\';
        next_line(k);
    }
}

/* Back quotes go over lines; other strings end with their line at the latest. */
static void skip_string(struct code_scan *k, char quote)
{
    k->column++;
    while (!at_end(k)) {
        char c = byte(k, 0);
        if (k->column >= here(k).len) {
            bool goes_on = quote == '`' || (k->column && here(k).data[here(k).len - 1] == '\\');
            if (!goes_on) return;
            next_line(k);
        } else if (c == '\\')
            k->column += 2;
        else {
            k->column++;
            if (c == quote) return;
        }
    }
}

/* A slash where a value may begin: a regular expression, if it ends on its line. */
static bool skip_regex(struct code_scan *k)
{
    bool in_set = false;
    if (k->last && !strchr("(,=:[!&|?{};+-*%<>~^", k->last) && strcmp(k->word, "return") != 0) return false;
    for (size_t i = k->column + 1; i < here(k).len; i++) {
        char c = here(k).data[i];
        if (c == '\\')
            i++;
        else if (c == '[' || c == ']')
            in_set = c == '[';
        else if (c == '/' && !in_set) {
            k->column = i + 1;
            return true;
        }
    }
    return false;
}

static int give(struct code_scan *k, int c, uint32_t line)
{
    if (c != 'a') k->word[0] = '\0';
    k->last = c;
    k->last_line = line;
    return c;
}

static int give_word(struct code_scan *k)
{
    size_t begin = k->column, len;
    while (k->column < here(k).len && is_word(byte(k, 0))) k->column++;
    len = k->column - begin;
    if (len >= sizeof k->word) len = 0;
    memcpy(k->word, here(k).data + begin, len);
    k->word[len] = '\0';
    return give(k, 'a', k->line);
}

int code_scan_next(struct code_scan *k)
{
    while (!at_end(k)) {
        char c = byte(k, 0);
        uint32_t line = k->line;
        if (k->column >= here(k).len || (c == '/' && byte(k, 1) == '/'))
            next_line(k);
        else if (isspace((unsigned char)c))
            k->column++;
        else if (c == '/' && byte(k, 1) == '*')
            skip_comment(k);
        else if (c == '#' && !k->has_hash_names && byte(k, 1) != '[')
            skip_hash(k);
        else if (c == '"' || c == '\'' || c == '`') {
            skip_string(k, c);
            return give(k, '"', line);
        } else if (c == '/' && skip_regex(k))
            return give(k, '"', line);
        else if (is_word(c))
            return give_word(k);
        else {
            k->column++;
            return give(k, (unsigned char)c, line);
        }
    }
    return -1;
}

/* ---- nodes ---- */

static bool is_one_of(const char *word, const char *const *list)
{
    for (; *list; list++)
        if (strcmp(word, *list) == 0) return true;
    return false;
}

struct node {
    int depth;
    bool needs_body; /* a head in parentheses has come, what it rules not yet */
    bool is_head;    /* a word that has such a head */
    uint32_t last;
};

/* After a closing brace at depth 0: whether what follows belongs to the same node. */
static bool goes_on(struct code_scan *k)
{
    static const char *const words[] = { "else", "catch", "finally", "while", "instanceof", "in", "of", "as", NULL };
    struct code_scan ahead = *k;
    int c = code_scan_next(&ahead);
    if (c == 'a') return is_one_of(ahead.word, words);
    return c > 0 && strchr(";,).([]=?:|&+-*/%<>", c) != NULL;
}

/* Between two lines at depth 0, where a statement may end without a semicolon. */
static bool ends_at_newline(struct code_scan *k)
{
    struct code_scan ahead = *k;
    if (!strchr("a\")]", k->last)) return false;
    int c = code_scan_next(&ahead);
    return (c == 'a' || c == '"' || c == '}' || c == '@') && ahead.last_line > k->last_line;
}

static void note_word(struct node *n, const struct code_scan *k)
{
    static const char *const heads[] = { "if", "for", "while", "with", "switch", "foreach", NULL }, *const bodies[] = { "else", "do", "try", NULL };
    n->is_head = is_one_of(k->word, heads);
    n->needs_body = is_one_of(k->word, bodies);
}

/* true = the node ends with the byte that came last. */
static bool node_takes(struct node *n, struct code_scan *k, int c)
{
    bool was_body_due = n->needs_body;
    if (n->depth == 0 && c == 'a') note_word(n, k);
    if (c == '(' || c == '[' || c == '{') n->depth++;
    if (c == ')' || c == ']' || c == '}') n->depth--;
    if (n->depth) return false;
    if (c == ')' && n->is_head) {
        n->needs_body = true;
        n->is_head = false;
        return false;
    }
    if (c != 'a') n->needs_body = false;
    if (c == ';' || c == ',') return true;
    if (c == '}') return !goes_on(k);
    return !was_body_due && !n->needs_body && !n->is_head && ends_at_newline(k);
}

bool code_scan_node(struct code_scan *k, uint32_t *first, uint32_t *last)
{
    struct node n = { 0 };
    int c = code_scan_next(k);
    if (c < 0 || c == '}' || c == ')' || c == ']') return false;
    *first = *last = k->last_line;
    while (c >= 0 && k->budget) {
        k->budget--;
        bool is_below = n.depth == 0 && (c == ')' || c == ']' || c == '}');
        if (is_below) return true;
        *last = k->last_line;
        if (node_takes(&n, k, c)) return true;
        c = code_scan_next(k);
    }
    return true;
}

/* ---- Python ---- */

struct python {
    uint32_t depth;
    char quote;   /* of the long string that goes on, 0 = none */
    char last;    /* byte of code */
    bool goes_on; /* after a backslash */
};

static size_t python_string(struct python *s, assay_slice text, size_t i)
{
    char q = text.data[i];
    bool is_long = i + 2 < text.len && text.data[i + 1] == q && text.data[i + 2] == q;
    if (is_long) {
        s->quote = q;
        return i + 3;
    }
    for (i++; i < text.len && text.data[i] != q; i++)
        if (text.data[i] == '\\') i++;
    return i + 1;
}

static size_t python_long(struct python *s, assay_slice text, size_t i)
{
    for (; i < text.len; i++) {
        if (text.data[i] == '\\')
            i++;
        else if (i + 2 < text.len && text.data[i] == s->quote && text.data[i + 1] == s->quote && text.data[i + 2] == s->quote) {
            s->quote = 0;
            return i + 3;
        }
    }
    return text.len;
}

static void python_take(struct python *s, assay_slice text)
{
    s->goes_on = false;
    for (size_t i = 0; i < text.len;) {
        char c = text.data[i];
        if (s->quote) {
            i = python_long(s, text, i);
            continue;
        }
        if (c == '#') return;
        if (c == '\\' && i + 1 == text.len) s->goes_on = true;
        if (c == '(' || c == '[' || c == '{') s->depth++;
        if ((c == ')' || c == ']' || c == '}') && s->depth) s->depth--;
        if (!isspace((unsigned char)c)) s->last = c;
        i = c == '"' || c == '\'' ? python_string(s, text, i) : i + 1;
    }
}

static unsigned indent_of(assay_slice s, size_t *len)
{
    unsigned n = 0;
    for (*len = 0; *len < s.len && (s.data[*len] == ' ' || s.data[*len] == '\t'); ++*len) n = s.data[*len] == '\t' ? (n / 8 + 1) * 8 : n + 1;
    return n;
}

bool python_line_next(const assay_slice *lines, uint32_t count, uint32_t from, struct python_line *out)
{
    for (uint32_t n = from; n <= count; n++) {
        struct python s = { 0 };
        size_t blanks;
        unsigned indent = indent_of(lines[n - 1], &blanks);
        char first = blanks < lines[n - 1].len ? lines[n - 1].data[blanks] : '#';
        if (first == '#' || first == '\r' || first == '\f') continue;
        *out = (struct python_line){ .first = n, .indent = indent, .is_decorator = first == '@' };
        do python_take(&s, lines[n++ - 1]);
        while (n <= count && (s.quote || s.depth || s.goes_on));
        out->last = n - 1;
        out->opens_block = s.last == ':';
        return true;
    }
    return false;
}

/* Marks in sources against a report; see strip.h. A source becomes bits by line, excluded and blank. Excluded lines of the report go, and blank ones
 * without hits; functions go when they have nothing but such lines. */
#include "store/strip.h"

#include <stdio.h>
#include <strings.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/number.h"
#include "base/scoped.h"
#include "base/vec.h"

enum line_bits { LINE_EXCLUDED = 1, LINE_BLANK = 2 };

struct stripper {
    const struct strip_options *o;
    struct mem *mem;
    struct strip_result *out;
    assay_error *err;
    const char *path;   /* of the source at hand, for messages */
    VEC(uint8_t) lines; /* bits by line from 1; [0] stands for none */
    uint32_t start, start_column;
    char start_word[24];
};

static void tell(const struct stripper *s, uint32_t line, uint32_t column, const char *fmt, const char *word, const char *word2)
{
    char text[200];
    snprintf(text, sizeof text, fmt, word, word2);
    if (s->o->tell) s->o->tell(s->o->arg, s->path, line, column, text);
}

/* ---- marks ---- */

enum mark { MARK_NONE, MARK_LINE, MARK_START, MARK_STOP, MARK_END };

struct found {
    enum mark mark;
    size_t at, len;   /* of the word */
    size_t prefix;    /* bytes up to EXCL_ and with it */
    assay_slice tags; /* between the brackets */
};

static enum mark kind_at(assay_slice s, size_t *len)
{
    static const char *const words[] = { "LINE", "START", "STOP", "END" };
    for (unsigned i = 0; i < 4; i++) {
        *len = strlen(words[i]);
        if (s.len >= *len && memcmp(s.data, words[i], *len) == 0) return (enum mark)(i + 1);
    }
    return MARK_NONE;
}

/* The first mark of a line. */
static struct found find_mark(assay_slice line)
{
    for (size_t from = 0; from < line.len;) {
        const char *at = memmem(line.data + from, line.len - from, "COV_EXCL_", 9);
        if (!at) break;
        size_t place = (size_t)(at - line.data), begin = place;
        from = place + 9;
        if (place >= 2 && memcmp(at - 2, "GR", 2) == 0)
            begin = place - 2;
        else if (place >= 1 && (at[-1] == 'G' || at[-1] == 'L'))
            begin = place - 1;
        if (begin == place) continue;
        size_t len;
        enum mark mark = kind_at((assay_slice){ line.data + from, line.len - from }, &len);
        if (mark == MARK_NONE) continue;
        struct found f = { .mark = mark, .at = begin, .len = from + len - begin, .prefix = from - begin };
        const char *open = line.data + from + len;
        if (open < line.data + line.len && *open == '[') {
            const char *close = memchr(open, ']', (size_t)(line.data + line.len - open));
            f.tags = slice_from(open + 1, close ? close : line.data + line.len);
        }
        return f;
    }
    return (struct found){ MARK_NONE, 0, 0, 0, { NULL, 0 } };
}

static bool is_meant(const struct stripper *s, assay_slice tags)
{
    if (!tags.data) return true;
    while (tags.len) {
        const char *comma = memchr(tags.data, ',', tags.len);
        assay_slice one = slice_trim(comma ? slice_from(tags.data, comma) : tags);
        for (size_t i = 0; i < s->o->tag_count; i++)
            if (strlen(s->o->tags[i]) == one.len && strncasecmp(s->o->tags[i], one.data, one.len) == 0) return true;
        tags = comma ? slice_from(comma + 1, tags.data + tags.len) : (assay_slice){ NULL, 0 };
    }
    return false;
}

static void begin_block(struct stripper *s, uint32_t line, uint32_t column, const char *word)
{
    if (s->start) {
        tell(s, line, column, "double start: %s%s", word, "");
        tell(s, s->start, s->start_column, "the previous start is here%s%s", "", "");
    }
    s->start = line;
    s->start_column = column;
    snprintf(s->start_word, sizeof s->start_word, "%s", word);
}

static void take_mark(struct stripper *s, assay_slice text, uint32_t line, const struct found *f)
{
    char word[24], stop[24];
    uint32_t column = (uint32_t)f->at + 1;
    snprintf(word, sizeof word, "%.*s", (int)f->len, text.data + f->at);
    snprintf(stop, sizeof stop, "%.*sSTOP", (int)f->prefix, text.data + f->at);
    if (f->mark == MARK_LINE && is_meant(s, f->tags))
        s->lines.at[line] |= LINE_EXCLUDED;
    else if (f->mark == MARK_START && is_meant(s, f->tags))
        begin_block(s, line, column, word);
    else if (f->mark == MARK_END && s->start)
        tell(s, line, column, "found %s; did you mean %s?", word, stop);
    else if (f->mark == MARK_STOP && s->start) {
        for (uint32_t i = s->start; i <= line; i++) s->lines.at[i] |= LINE_EXCLUDED;
        s->start = 0;
    }
}

static int scan(struct stripper *s, assay_slice text)
{
    uint32_t line = 0;
    s->lines.len = 0;
    s->start = 0;
    uint8_t *none = vec_push(s->mem, &s->lines);
    if (!none) return error_memory(s->err);
    *none = 0;
    for (const char *at = text.data, *end = text.data + text.len; text.len && at < end;) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        assay_slice one = slice_from(at, newline ? newline : end);
        uint8_t *bits = vec_push(s->mem, &s->lines);
        if (!bits) return error_memory(s->err);
        if (one.len && one.data[one.len - 1] == '\r') one.len--;
        *bits = slice_trim(one).len ? 0 : LINE_BLANK;
        line++;
        struct found f = find_mark(one);
        if (f.mark != MARK_NONE) take_mark(s, one, line, &f);
        at = newline ? newline + 1 : end;
    }
    if (s->start) tell(s, s->start, s->start_column, "%s has no STOP%s", s->start_word, "");
    return 0;
}

static unsigned bits_of(const struct stripper *s, uint64_t line) { return line < s->lines.len ? s->lines.at[line] : 0; }

/* ---- the report ---- */

static uint64_t number_of(const struct json_node *n, uint64_t otherwise)
{
    uint64_t v;
    return n && n->kind == JSON_NUMBER && number_u64(n->text, &v) != NUMBER_BAD ? v : otherwise;
}

static void strip_lines(struct stripper *s, struct json_node *lines)
{
    for (struct json_node *n = lines->first; n; n = n->next) {
        uint64_t line;
        if (number_u64(n->key, &line) != NUMBER_OK) continue;
        unsigned bits = bits_of(s, line);
        bool is_zero = n->kind == JSON_NUMBER && slice_is(n->text, "0");
        n->is_removed = (bits & LINE_EXCLUDED) || ((bits & LINE_BLANK) && is_zero);
        s->out->lines += n->is_removed;
    }
}

/* Nothing is left of it when the excluded and blank lines at both ends are cut off. */
static void strip_functions(struct stripper *s, struct json_node *functions)
{
    for (struct json_node *n = functions->first; n; n = n->next) {
        uint64_t first = number_of(json_tree_member(n, "start_line"), 0), last = number_of(json_tree_member(n, "end_line"), first);
        if (!json_tree_member(n, "start_line")) continue;
        while (first <= last && bits_of(s, first)) first++;
        n->is_removed = first > last;
        s->out->functions += n->is_removed;
    }
}

static int load(struct stripper *s, const char *path, struct input **in, assay_slice *text)
{
    struct stat st;
    struct input_options options = { .mem = s->mem, .max_output = 256 << 20 };
    *in = NULL;
    if (stat(path, &st) != 0 || !S_ISREG(st.st_mode) || st.st_size == 0) return 1;
    if (input_open(in, path, &options, NULL) != 0) return 1;
    return input_map(*in, text, NULL);
}

static int strip_source(struct stripper *s, const struct json_node *name, struct json_node *lines, struct json_node *functions)
{
    char path[4096];
    SCOPED(input_drop) struct input *in = NULL;
    assay_slice text;
    int n = snprintf(path, sizeof path, "%s/%s", s->o->sources, name->text.data);
    s->path = path;
    if (n <= 0 || (size_t)n >= sizeof path || load(s, path, &in, &text) != 0) return 0;
    TRY(scan(s, text));
    strip_lines(s, lines);
    if (functions && functions->kind == JSON_ARRAY) strip_functions(s, functions);
    return 0;
}

static int strip_file(struct stripper *s, const struct json_node *file, size_t number)
{
    static const char *const needed[] = { "name", "digest", "line_coverage" };
    const struct json_node *name = json_tree_member(file, "name");
    struct json_node *lines = json_tree_member(file, "line_coverage");
    char place[80];
    s->path = NULL;
    for (size_t i = 0; i < 3; i++) {
        if (json_tree_member(file, needed[i])) continue;
        snprintf(place, sizeof place, "files[%zu]/%s", number, needed[i]);
        tell(s, 0, 0, "the report has no '%s'%s", place, "");
        return 0;
    }
    if (name->kind != JSON_STRING || lines->kind != JSON_OBJECT || memchr(name->text.data, 0, name->text.len)) return 0;
    return strip_source(s, name, lines, json_tree_member(file, "functions"));
}

int strip_report(struct json_node *report, const struct strip_options *options, struct mem *mem, struct strip_result *out, assay_error *err)
{
    struct stripper s = { .o = options, .mem = mem, .out = out, .err = err };
    const struct json_node *files = json_tree_member(report, "files"), *git = json_tree_member(report, "git");
    size_t number = 0;
    *out = (struct strip_result){ 0 };
    if (!json_tree_member(git, "head")) FAIL(err, ASSAY_ERR_DAMAGED, "the report has no 'git/head'");
    if (!files || files->kind != JSON_ARRAY) FAIL(err, ASSAY_ERR_DAMAGED, "the report has no 'files'");
    vec_scoped(mem, &s.lines);
    for (const struct json_node *f = files->first; f; f = f->next) TRY(strip_file(&s, f, number++));
    return 0;
}

/* Names for people; see names.h.
 *
 * A name is read as words; a word is letters and brackets, and what stands in brackets are arguments, which are names again. Each word is looked at
 * when its arguments are done: as long as a rule matches the whole of it, the rule's replacement takes its place. The depth is limited: deeper ones stay
 * as they are. */
#include "store/names.h"

#include <ctype.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/findings.h"
#include "base/folder.h"
#include "base/input.h"
#include "base/installed.h"
#include "base/json_read.h"
#include "base/output.h"
#include "base/scoped.h"

enum { MAX_DEPTH = 64, MAX_ROUNDS = 32, MAX_PLACES = 9, MAX_FILE = 1 << 20 };

/* ---- rules ---- */

#define STRINGS(space)                                                                                                                                         \
    { "std::" space "basic_string<char>", "std::" space "string" }, { "std::" space "basic_string<wchar_t>", "std::" space "wstring" },                        \
        { "std::" space "basic_string<char8_t>", "std::" space "u8string" }, { "std::" space "basic_string<char16_t>", "std::" space "u16string" },            \
    {                                                                                                                                                          \
        "std::" space "basic_string<char32_t>", "std::" space "u32string"                                                                                      \
    }
#define SEQUENCE(name)                                                                                                                                         \
    { "std::" name "<$1, std::allocator<$1>>", "std::" name "<$1>" }, { "std::" name "<$1, std::pmr::polymorphic_allocator<$1>>", "std::pmr::" name "<$1>" }
/* What orders or hashes the keys, when it is the default. */
#define ORDERED(name, by)                                                                                                                                      \
    { "std::" name "<$1, $2, std::allocator<$1>>", "std::" name "<$1, $2>" },                                                                                  \
        { "std::" name "<$1, $2, std::pmr::polymorphic_allocator<$1>>", "std::pmr::" name "<$1, $2>" }, { "std::" name "<$1, " by ">", "std::" name "<$1>" },  \
    {                                                                                                                                                          \
        "std::pmr::" name "<$1, " by ">", "std::pmr::" name "<$1>"                                                                                             \
    }
#define MAPPED(name, by)                                                                                                                                       \
    { "std::" name "<$1, $2, $3, std::allocator<std::pair<$1 const, $2>>>", "std::" name "<$1, $2, $3>" },                                                     \
        { "std::" name "<$1, $2, $3, std::pmr::polymorphic_allocator<std::pair<$1 const, $2>>>", "std::pmr::" name "<$1, $2, $3>" },                           \
        { "std::" name "<$1, $2, " by ">", "std::" name "<$1, $2>" },                                                                                          \
    {                                                                                                                                                          \
        "std::pmr::" name "<$1, $2, " by ">", "std::pmr::" name "<$1, $2>"                                                                                     \
    }
#define HASHED "std::hash<$1>, std::equal_to<$1>"
/* One more argument than the ordered ones: how keys are compared. */
#define HASHED_SET(name)                                                                                                                                       \
    { "std::" name "<$1, $2, $3, std::allocator<$1>>", "std::" name "<$1, $2, $3>" }, { "std::" name "<$1, " HASHED ">", "std::" name "<$1>" }
#define HASHED_MAP(name)                                                                                                                                       \
    { "std::" name "<$1, $2, $3, $4, std::allocator<std::pair<$1 const, $2>>>", "std::" name "<$1, $2, $3, $4>" },                                             \
    {                                                                                                                                                          \
        "std::" name "<$1, $2, " HASHED ">", "std::" name "<$1, $2>"                                                                                           \
    }
#define DURATION(ratio, name)                                                                                                                                  \
    {                                                                                                                                                          \
        "std::chrono::duration<long, " ratio ">", "std::chrono::" name                                                                                         \
    }

static const struct names_rule built_in[] = {
    { "decltype(nullptr)", "std::nullptr_t" },
    { "std::__cxx11::basic_string<$1, $2, $3>", "std::basic_string<$1, $2, $3>" },
    { "std::basic_string<$1, $2, std::allocator<$1>>", "std::basic_string<$1, $2>" },
    { "std::basic_string<$1, $2, std::pmr::polymorphic_allocator<$1>>", "std::pmr::basic_string<$1, $2>" },
    { "std::basic_string<$1, std::char_traits<$1>>", "std::basic_string<$1>" },
    { "std::pmr::basic_string<$1, std::char_traits<$1>>", "std::pmr::basic_string<$1>" },
    STRINGS(""),
    STRINGS("pmr::"),
    { "std::basic_string_view<$1, std::char_traits<$1>>", "std::basic_string_view<$1>" },
    { "std::basic_string_view<char>", "std::string_view" },
    { "std::basic_string_view<wchar_t>", "std::wstring_view" },
    { "std::basic_string_view<char8_t>", "std::u8string_view" },
    { "std::basic_string_view<char16_t>", "std::u16string_view" },
    { "std::basic_string_view<char32_t>", "std::u32string_view" },
    SEQUENCE("vector"),
    SEQUENCE("deque"),
    SEQUENCE("list"),
    { "std::__cxx11::list<$1, $2>", "std::list<$1, $2>" },
    SEQUENCE("forward_list"),
    ORDERED("set", "std::less<$1>"),
    ORDERED("multiset", "std::less<$1>"),
    MAPPED("map", "std::less<$1>"),
    MAPPED("multimap", "std::less<$1>"),
    HASHED_SET("unordered_set"),
    HASHED_SET("unordered_multiset"),
    HASHED_MAP("unordered_map"),
    HASHED_MAP("unordered_multimap"),
    { "std::stack<$1, std::deque<$1>>", "std::stack<$1>" },
    { "std::queue<$1, std::deque<$1>>", "std::queue<$1>" },
    { "std::priority_queue<$1, std::vector<$1>, std::less<$1>>", "std::priority_queue<$1>" },
    { "std::span<$1, 18446744073709551615ul>", "std::span<$1>" },
    DURATION("std::ratio<1l, 1000000000l>", "nanoseconds"),
    DURATION("std::ratio<1l, 1000000l>", "microseconds"),
    DURATION("std::ratio<1l, 1000l>", "milliseconds"),
    DURATION("std::ratio<1l, 1l>", "seconds"),
    DURATION("std::ratio<60l, 1l>", "minutes"),
    DURATION("std::ratio<3600l, 1l>", "hours"),
    DURATION("std::ratio<86400l, 1l>", "days"),
};

/* ---- does a rule fit? ---- */

struct match {
    assay_slice place[MAX_PLACES + 1];
};

/* Where the argument that begins at `at` ends: before a comma or a closing bracket of its own level. */
static size_t argument_end(assay_slice s, size_t at)
{
    unsigned depth = 0;
    for (; at < s.len; at++) {
        if (strchr("<([{", s.data[at])) depth++;
        if (strchr(">)]}", s.data[at]) && depth-- == 0) break;
        if (s.data[at] == ',' && depth == 0) break;
    }
    return at;
}

/* $N and what stands behind it in its argument, against a whole argument. */
static bool fit_place(assay_slice pattern, size_t *p, assay_slice text, size_t *t, struct match *m)
{
    unsigned n = (unsigned)(pattern.data[*p + 1] - '0');
    size_t pattern_end = argument_end(pattern, *p), text_end = argument_end(text, *t);
    assay_slice rest = { pattern.data + *p + 2, pattern_end - *p - 2 }, argument = { text.data + *t, text_end - *t };
    if (argument.len <= rest.len || memcmp(argument.data + argument.len - rest.len, rest.data, rest.len) != 0) return false;
    argument.len -= rest.len;
    if (m->place[n].data && !slice_equal(m->place[n], argument)) return false;
    m->place[n] = argument;
    *p = pattern_end;
    *t = text_end;
    return true;
}

static bool matches(const char *rule, assay_slice text, struct match *m)
{
    assay_slice pattern = slice_of(rule);
    size_t p = 0, t = 0;
    *m = (struct match){ 0 };
    while (p < pattern.len) {
        if (pattern.data[p] == '$' && p + 1 < pattern.len && pattern.data[p + 1] >= '1' && pattern.data[p + 1] <= '9') {
            if (!fit_place(pattern, &p, text, &t, m)) return false;
        } else {
            if (t >= text.len || text.data[t] != pattern.data[p]) return false;
            t++;
            p++;
        }
    }
    return t == text.len;
}

static void put_replacement(struct output *out, const char *replacement, const struct match *m)
{
    for (const char *p = replacement; *p; p++) {
        if (p[0] == '$' && p[1] >= '1' && p[1] <= '9')
            output_slice(out, m->place[*++p - '0']);
        else
            output_char(out, *p);
    }
}

/* ---- reading a name ---- */

struct shower {
    const struct names *names;
    struct arena *arena;
    bool failed;
};

static assay_slice show_name(struct shower *s, assay_slice name, unsigned depth);

static assay_slice keep(struct shower *s, struct output *out)
{
    assay_slice made = output_memory(out);
    const char *copy = output_failed(out) ? NULL : arena_copy(s->arena, made);
    if (!copy) s->failed = true;
    assay_slice result = { copy ? copy : "", copy ? made.len : 0 };
    output_abort(out);
    return result;
}

static struct output *begin(struct shower *s)
{
    struct output *out = NULL;
    if (output_open_memory(&out, s->names->mem, NULL) != 0) s->failed = true;
    return s->failed ? NULL : out;
}

/* Replaces a whole word as long as a rule matches it. */
static assay_slice apply(struct shower *s, assay_slice word)
{
    struct match m;
    for (unsigned round = 0; round < MAX_ROUNDS && !s->failed; round++) {
        size_t i = 0;
        while (i < s->names->rules.len && !matches(s->names->rules.at[i].pattern, word, &m)) i++;
        struct output *out = i < s->names->rules.len ? begin(s) : NULL;
        if (!out) break;
        put_replacement(out, s->names->rules.at[i].replacement, &m);
        word = keep(s, out);
    }
    return word;
}

static bool is_letter(char c) { return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '~' || (unsigned char)c >= 0x80; }

/* The bracket that ends what begins at `at`; s.len = there is none. "->" ends nothing. */
static size_t bracket_end(assay_slice s, size_t at)
{
    static const char opening[] = "<([{", closing[] = ">)]}";
    char stack[MAX_DEPTH * 4];
    size_t depth = 0;
    for (size_t i = at; i < s.len; i++) {
        const char *open = strchr(opening, s.data[i]), *close = strchr(closing, s.data[i]);
        if (open && *open) {
            if (depth == sizeof stack) return s.len;
            stack[depth++] = closing[open - opening];
        } else if (close && *close && !(i && s.data[i] == '>' && s.data[i - 1] == '-')) {
            while (depth && stack[depth - 1] == '>' && s.data[i] != '>') depth--; /* a less-than sign */
            if (!depth || stack[depth - 1] != s.data[i]) return s.len;
            if (--depth == 0) return i;
        }
    }
    return s.len;
}

/* What stands in brackets: arguments, separated by commas. */
static void put_arguments(struct shower *s, struct output *out, assay_slice inside, unsigned depth)
{
    for (size_t at = 0; at < inside.len;) {
        size_t end = argument_end(inside, at);
        if (end < inside.len && inside.data[end] != ',') end = inside.len;
        output_slice(out, show_name(s, (assay_slice){ inside.data + at, end - at }, depth + 1));
        if (end < inside.len) output_text(out, ", ");
        at = end + 1;
    }
}

/* An operator whose name is made of brackets: how many bytes of it there are. */
static size_t operator_len(assay_slice s, size_t at)
{
    static const char *const signs[] = { "<=>", "<<=", ">>=", "->*", "<<", ">>", "<=", ">=", "->", "()", "[]", "<", ">" };
    if (at < 8 || memcmp(s.data + at - 8, "operator", 8) != 0 || (at > 8 && is_letter(s.data[at - 9]))) return 0;
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        size_t len = strlen(signs[i]);
        if (s.len - at >= len && memcmp(s.data + at, signs[i], len) == 0) return len;
    }
    return 0;
}

/* The next word, its arguments done; *at moves behind it. */
static assay_slice read_word(struct shower *s, assay_slice name, size_t *at, unsigned depth)
{
    struct output *out = begin(s);
    char last = '\0';
    while (out && *at < name.len) {
        char c = name.data[*at];
        size_t sign = operator_len(name, *at), end = name.len;
        if (c == ' ') {
            size_t next = *at;
            while (next < name.len && name.data[next] == ' ') next++;
            /* No blank before a bracket, a star or an ampersand. */
            if (next == name.len || !strchr("(<[*&", name.data[next])) break;
            *at = next;
            continue;
        }
        if (sign) {
            output_bytes(out, name.data + *at, sign);
            *at += sign;
            last = 'o';
            continue;
        }
        if (strchr("<([{", c)) end = bracket_end(name, *at);
        if (end < name.len) {
            output_char(out, c);
            put_arguments(s, out, (assay_slice){ name.data + *at + 1, end - *at - 1 }, depth);
            output_char(out, name.data[end]);
            last = name.data[end];
            *at = end + 1;
            continue;
        }
        if (last == ')' && is_letter(c)) break;
        output_char(out, c);
        last = '\0';
        ++*at;
    }
    return out ? keep(s, out) : (assay_slice){ "", 0 };
}

/* Stars and ampersands at the end do not matter to rules. */
static void put_word(struct shower *s, struct output *out, assay_slice word)
{
    size_t len = word.len;
    while (len && (word.data[len - 1] == '*' || word.data[len - 1] == '&')) len--;
    output_slice(out, apply(s, (assay_slice){ word.data, len }));
    output_bytes(out, word.data + len, word.len - len);
}

static assay_slice show_name(struct shower *s, assay_slice name, unsigned depth)
{
    if (depth > MAX_DEPTH || s->failed) return name;
    struct output *out = begin(s);
    bool is_first = true;
    for (size_t at = 0; out && at < name.len && !s->failed; is_first = false) {
        while (at < name.len && name.data[at] == ' ') at++;
        if (at == name.len) break;
        size_t before = at;
        assay_slice word = read_word(s, name, &at, depth);
        if (at == before) break;
        if (!is_first) output_char(out, ' ');
        put_word(s, out, word);
    }
    return out ? keep(s, out) : name;
}

const char *names_show(void *names, assay_slice name, struct arena *a)
{
    struct shower s = { .names = names, .arena = a };
    assay_slice shown = show_name(&s, name, 0);
    return s.failed ? NULL : shown.data;
}

/* ---- where rules come from ---- */

static int add(struct names *n, const char *pattern, const char *replacement, assay_error *err)
{
    struct names_rule *rule = pattern && replacement ? vec_push(n->mem, &n->rules) : NULL;
    if (!rule) return error_memory(err);
    *rule = (struct names_rule){ pattern, replacement };
    return 0;
}

static int read_rules(struct names *n, struct json_reader *r, assay_error *err)
{
    struct json_event e;
    const char *pattern = NULL;
    for (;;) {
        TRY(json_read_next(r, &e));
        if (e.kind == JSON_END) return 0;
        if (e.kind == JSON_KEY)
            pattern = arena_copy(&n->text, e.text);
        else if (e.kind == JSON_STRING && pattern && *pattern)
            TRY(add(n, pattern, arena_copy(&n->text, e.text), err));
        if (e.kind != JSON_KEY) pattern = NULL;
    }
}

static int read_input(struct names *n, struct input *in, assay_error *err)
{
    SCOPED(findings_done) struct findings damage;
    SCOPED(json_read_done) struct json_reader r;
    findings_init(&damage, n->mem);
    json_read_init(&r, in, n->mem, &damage, err);
    return read_rules(n, &r, err);
}

int names_parse(struct names *n, assay_slice json, assay_error *err)
{
    SCOPED(input_drop) struct input *in = NULL;
    struct input_options options = { .mem = n->mem };
    TRY(input_open_memory(&in, json.data, json.len, "rules", &options, err));
    return read_input(n, in, err);
}

static int load_file(struct names *n, const char *path, assay_error *err)
{
    SCOPED(input_drop) struct input *in = NULL;
    struct stat st;
    struct input_options options = { .mem = n->mem, .max_output = MAX_FILE };
    if (stat(path, &st) != 0 || !S_ISREG(st.st_mode) || st.st_size > MAX_FILE) return 0;
    if (input_open(&in, path, &options, NULL) != 0) return 0;
    return read_input(n, in, err) == ASSAY_ERR_MEMORY ? ASSAY_ERR_MEMORY : 0;
}

/* A file, or all *.json of a folder by name. */
static int load_path(struct names *n, const char *path, assay_error *err)
{
    struct stat st;
    char file[FOLDER_PATH_MAX];
    if (stat(path, &st) != 0 || !S_ISDIR(st.st_mode)) return load_file(n, path, err);
    SCOPED(folder_done) struct folder f;
    if (folder_open(&f, path, n->mem, NULL) != 0) return 0;
    for (size_t i = 0; i < f.entries.len; i++)
        if (f.entries.at[i].is_file && slice_ends(slice_of(f.entries.at[i].name), ".json") && folder_path(file, path, f.entries.at[i].name))
            TRY(load_file(n, file, err));
    return 0;
}

static int load_config(struct names *n, const struct config *c, const char *worktree, assay_error *err)
{
    char prefix[CONFIG_PATH_LEN], path[FOLDER_PATH_MAX];
    installed_prefix(prefix);
    for (size_t i = 0; i < c->entries.len; i++) {
        const struct config_entry *e = &c->entries.at[i];
        const char *base = e->level == CONFIG_SYSTEM ? prefix : e->level == CONFIG_LOCAL ? worktree : getenv("HOME");
        if (strcmp(e->key, "filter.path") != 0) continue;
        if (e->value[0] == '/')
            TRY(load_path(n, e->value, err));
        else if (base && folder_path(path, base, e->value))
            TRY(load_path(n, path, err));
    }
    return 0;
}

int names_load(struct names *n, const struct config *c, const char *worktree, struct mem *mem, assay_error *err)
{
    char path[FOLDER_PATH_MAX];
    *n = (struct names){ .mem = mem };
    arena_init(&n->text, mem);
    for (size_t i = 0; i < sizeof built_in / sizeof *built_in; i++) TRY(add(n, built_in[i].pattern, built_in[i].replacement, err));
    TRY(load_config(n, c, worktree, err));
    return worktree && folder_path(path, worktree, ".c++filt") ? load_path(n, path, err) : 0;
}

void names_done(struct names *n)
{
    vec_done(n->mem, &n->rules);
    arena_done(&n->text);
}

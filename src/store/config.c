/* The reader of config files; see config.h. */
#include "store/config.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/installed.h"
#include "base/scoped.h"

enum { MAX_DEPTH = 10, MAX_FILE = 4 << 20 };

void config_init(struct config *c, struct mem *mem)
{
    *c = (struct config){ .mem = mem };
    arena_init(&c->text, mem);
}

void config_done(struct config *c)
{
    vec_done(c->mem, &c->entries);
    arena_done(&c->text);
}

/* ---- the syntax ---- */

struct parser {
    struct config *c;
    const char *at, *end;
    uint64_t line;
    VEC(char) section; /* "section." or "section.subsection." */
    VEC(char) value;
    enum config_level level;
    assay_error *err;
};

static int wrong(const struct parser *p, const char *what) { return error_line(p->err, ASSAY_ERR_DAMAGED, 0, p->line, "%s", what); }

static bool push(struct parser *p, char c, bool to_section)
{
    char *at = to_section ? vec_push(p->c->mem, &p->section) : vec_push(p->c->mem, &p->value);
    if (at) *at = c;
    return at != NULL;
}

static int peek(const struct parser *p) { return p->at < p->end ? (unsigned char)*p->at : -1; }

static void skip_blanks(struct parser *p)
{
    while (peek(p) == ' ' || peek(p) == '\t' || peek(p) == '\r') p->at++;
}

static void skip_line(struct parser *p)
{
    while (peek(p) >= 0 && peek(p) != '\n') p->at++;
}

static bool is_name(int c) { return c >= 0 && (isalnum(c) || c == '-'); }

/* The quoted part of [section "subsection"]. */
static int subsection(struct parser *p)
{
    p->at++;
    for (;; p->at++) {
        if (peek(p) == '\\' && p->at + 1 < p->end)
            p->at++;
        else if (peek(p) == '"')
            break;
        if (peek(p) < 0 || peek(p) == '\n' || peek(p) == 0) return wrong(p, "the name of a subsection is not terminated");
        if (!push(p, *p->at, true)) return error_memory(p->err);
    }
    p->at++;
    return push(p, '.', true) ? 0 : error_memory(p->err);
}

/* [section], [section "subsection"] or the old [section.subsection]. */
static int section(struct parser *p)
{
    p->at++;
    p->section.len = 0;
    while (is_name(peek(p)) || peek(p) == '.')
        if (!push(p, (char)tolower((unsigned char)*p->at++), true)) return error_memory(p->err);
    if (!p->section.len) return wrong(p, "a section without a name");
    if (!push(p, '.', true)) return error_memory(p->err);
    skip_blanks(p);
    if (peek(p) == '"') TRY(subsection(p));
    skip_blanks(p);
    if (peek(p) != ']') return wrong(p, "a section must end with ']'");
    p->at++;
    return 0;
}

/* One character behind a backslash; a newline goes on in the next line. */
static int escape(struct parser *p)
{
    static const char from[] = "nt\"\\b", to[] = "\n\t\"\\\b";
    int c = peek(p);
    const char *at = c > 0 ? strchr(from, c) : NULL;
    if (c == '\r' && p->at + 1 < p->end && p->at[1] == '\n') p->at++, c = '\n';
    p->at += c >= 0;
    if (c == '\n') return p->line++, 0;
    if (!at) return wrong(p, "invalid escape after a backslash");
    return push(p, to[at - from], false) ? 0 : error_memory(p->err);
}

static int value(struct parser *p)
{
    bool is_quoted = false;
    size_t keep = 0; /* up to here blanks at the end count */
    p->value.len = 0;
    skip_blanks(p);
    while (peek(p) >= 0 && peek(p) != '\n') {
        int c = (unsigned char)*p->at++;
        if (c == '"') {
            is_quoted = !is_quoted;
            keep = p->value.len;
            continue;
        }
        if (!is_quoted && (c == '#' || c == ';')) {
            skip_line(p);
            break;
        }
        if (c == '\\') {
            TRY(escape(p));
            keep = p->value.len;
            continue;
        }
        if (!push(p, (char)c, false)) return error_memory(p->err);
        if (is_quoted || (c != ' ' && c != '\t' && c != '\r')) keep = p->value.len;
    }
    if (is_quoted) return wrong(p, "a quoted value is not terminated");
    p->value.len = keep;
    return 0;
}

static int add(struct parser *p, assay_slice name)
{
    struct config_entry *e = vec_push(p->c->mem, &p->c->entries);
    char *key = e ? arena_text(&p->c->text, p->section.len + name.len + 1) : NULL;
    char *copy = key ? arena_text(&p->c->text, p->value.len + 1) : NULL;
    if (!copy) {
        p->c->entries.len -= e != NULL;
        return error_memory(p->err);
    }
    if (p->section.len) memcpy(key, p->section.at, p->section.len);
    for (size_t i = 0; i < name.len; i++) key[p->section.len + i] = (char)tolower((unsigned char)name.data[i]);
    key[p->section.len + name.len] = '\0';
    if (p->value.len) memcpy(copy, p->value.at, p->value.len);
    copy[p->value.len] = '\0';
    *e = (struct config_entry){ key, copy, p->level };
    return 0;
}

static int variable(struct parser *p)
{
    const char *begin = p->at;
    if (!p->section.len) return wrong(p, "a setting before any section");
    if (!isalpha(peek(p))) return wrong(p, "neither a section nor a setting");
    while (is_name(peek(p))) p->at++;
    assay_slice name = slice_from(begin, p->at);
    skip_blanks(p);
    p->value.len = 0;
    if (peek(p) == '=') {
        p->at++;
        TRY(value(p));
    } else if (peek(p) == '#' || peek(p) == ';')
        skip_line(p);
    else if (peek(p) >= 0 && peek(p) != '\n')
        return wrong(p, "the name of a setting has letters, digits and dashes, then an equals sign");
    return add(p, name);
}

static int parse(struct parser *p)
{
    if (p->end - p->at >= 3 && memcmp(p->at, "\xef\xbb\xbf", 3) == 0) p->at += 3;
    while (peek(p) >= 0) {
        skip_blanks(p);
        int c = peek(p);
        if (c == '\n')
            p->at++, p->line++;
        else if (c == '#' || c == ';')
            skip_line(p);
        else if (c == '[')
            TRY(section(p));
        else if (c >= 0)
            TRY(variable(p));
    }
    return 0;
}

int config_parse(struct config *c, assay_slice text, enum config_level level, assay_error *err)
{
    if (!text.len) return 0;
    struct parser p = { .c = c, .at = text.data, .end = text.data + text.len, .line = 1, .level = level, .err = err };
    vec_scoped(c->mem, &p.section);
    vec_scoped(c->mem, &p.value);
    return parse(&p);
}

/* ---- files ---- */

/* *out is freed by the caller with its length + 1; a file that is not there is empty. */
static int read_file(struct config *c, const char *path, char **out, size_t *len, assay_error *err)
{
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    *out = NULL;
    *len = 0;
    if (fd < 0 && (errno == ENOENT || errno == ENOTDIR || errno == EACCES)) return 0;
    if (fd < 0 || fstat(fd, &st) != 0) {
        int code = errno;
        if (fd >= 0) close(fd);
        return error_sys(err, ASSAY_ERR_SYSTEM, code, "the config file cannot be opened");
    }
    if (!S_ISREG(st.st_mode)) return close(fd), 0;
    if (st.st_size > MAX_FILE) return close(fd), error_set(err, ASSAY_ERR_LIMIT, "a config file of more than %d bytes", MAX_FILE);
    size_t size = (size_t)st.st_size + 1, done = 0;
    char *text = mem_alloc(c->mem, size);
    if (!text) return close(fd), error_memory(err);
    for (ssize_t n = 1; n > 0 && done + 1 < size; done += n > 0 ? (size_t)n : 0) n = read(fd, text + done, size - 1 - done);
    close(fd);
    memset(text + done, 0, size - done);
    *out = text;
    *len = size - 1;
    return 0;
}

/* Where an include.path of the file `from` leads; false = nowhere, or too long. */
static bool include_path(const char *from, const char *to, char buf[CONFIG_PATH_LEN])
{
    const char *slash = strrchr(from, '/'), *home = getenv("HOME");
    int n;
    if (to[0] == '~' && to[1] == '/' && home)
        n = snprintf(buf, CONFIG_PATH_LEN, "%s%s", home, to + 1);
    else if (to[0] == '/')
        n = snprintf(buf, CONFIG_PATH_LEN, "%s", to);
    else
        n = snprintf(buf, CONFIG_PATH_LEN, "%.*s%s", slash ? (int)(slash + 1 - from) : 0, from, to);
    return *to && n > 0 && n < CONFIG_PATH_LEN;
}

/* The depth is fixed, whatever the files say. */
static int load(struct config *c, const char *path, enum config_level level, unsigned depth, assay_error *err)
{
    char *text, next[CONFIG_PATH_LEN];
    size_t len, first = c->entries.len;
    if (depth > MAX_DEPTH) FAIL(err, ASSAY_ERR_LIMIT, "config files are included more than %d levels deep", MAX_DEPTH);
    TRY(read_file(c, path, &text, &len, err));
    int rc = config_parse(c, (assay_slice){ text, strnlen(text ? text : "", len) }, level, err);
    mem_free(c->mem, text, len + 1);
    if (rc != 0) error_path(err, path);
    for (size_t i = first, end = c->entries.len; rc == 0 && i < end; i++)
        if (strcmp(c->entries.at[i].key, "include.path") == 0 && include_path(path, c->entries.at[i].value, next)) rc = load(c, next, level, depth + 1, err);
    return rc;
}

int config_load(struct config *c, const char *path, enum config_level level, assay_error *err) { return load(c, path, level, 0, err); }

/* ---- asking ---- */

const char *config_get(const struct config *c, const char *key)
{
    for (size_t i = c->entries.len; i > 0; i--)
        if (strcmp(c->entries.at[i - 1].key, key) == 0) return c->entries.at[i - 1].value;
    return NULL;
}

const char *config_key(struct config *c, const char *typed)
{
    const char *first = strchr(typed, '.'), *last = strrchr(typed, '.');
    if (!first || first == typed || !last[1]) return NULL;
    for (const char *p = typed; p < first; p++)
        if (!is_name((unsigned char)*p)) return NULL;
    for (const char *p = last + 1; *p; p++)
        if (!is_name((unsigned char)*p)) return NULL;
    char *key = arena_copy(&c->text, slice_of(typed));
    for (char *p = key; key && p < key + (first - typed); p++) *p = (char)tolower((unsigned char)*p);
    for (char *p = key ? key + (last - typed) : NULL; p && *p; p++) *p = (char)tolower((unsigned char)*p);
    return key;
}

/* ---- where the files are ---- */

static void join(char buf[CONFIG_PATH_LEN], const char *dir, const char *name)
{
    int n = dir && *dir ? snprintf(buf, CONFIG_PATH_LEN, "%s/%s", dir, name) : 0;
    if (n <= 0 || n >= CONFIG_PATH_LEN) buf[0] = '\0';
}

void config_path(enum config_level level, const char *store, char buf[CONFIG_PATH_LEN])
{
    char prefix[CONFIG_PATH_LEN];
    const char *xdg = getenv("XDG_CONFIG_HOME");
    buf[0] = '\0';
    switch (level) {
    case CONFIG_SYSTEM:
        installed_prefix(prefix);
        /* What is installed in /usr has its settings in /etc. */
        join(buf, strcmp(prefix, "/usr") == 0 ? "/." : prefix, "etc/covconfig");
        break;
    case CONFIG_XDG:
        if (xdg && *xdg)
            join(buf, xdg, "cov/config");
        else
            join(buf, getenv("HOME"), ".config/cov/config");
        break;
    case CONFIG_GLOBAL: join(buf, getenv("HOME"), ".covconfig"); break;
    case CONFIG_LOCAL: join(buf, store, "config"); break;
    }
}

int config_load_all(struct config *c, const char *store, assay_error *err)
{
    char path[CONFIG_PATH_LEN];
    for (unsigned level = CONFIG_SYSTEM; level <= CONFIG_LOCAL; level++) {
        config_path((enum config_level)level, store, path);
        if (*path) TRY(config_load(c, path, (enum config_level)level, err));
    }
    return 0;
}

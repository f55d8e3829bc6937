/* The parser of option tables; see options.h. GNU habits: --name=VALUE, --name VALUE, -abc, -oFILE, options after files, "--". */
#include "cli/options.h"

#include <stdio.h>
#include <string.h>

#include "assay/format.h"
#include "base/error.h"
#include "base/number.h"
#include "base/slice.h"
#include "base/text.h"
#include "base/vec.h"

enum { LIST_LEN = 400 /* of the allowed values in a message */ };

struct parser {
    const struct option_spec *table;
    struct settings *set;
    struct mem *mem;
    assay_error *err;
};

static void *slot(const struct parser *p, size_t at) { return (char *)p->set + at; }

/* ---- suggestions ---- */

static const char *nearer(const char *typed, const char *word, const char *best, unsigned *distance)
{
    size_t len = strlen(typed);
    unsigned limit = len < 4 ? 1 : len < 8 ? 2 : 3;
    unsigned d = text_distance(typed, word, limit);
    if (d > limit || d >= *distance) return best;
    *distance = d;
    return word;
}

const char *options_nearest(const char *typed, const char *const *words)
{
    const char *best = NULL;
    unsigned distance = 99;
    for (; *words; words++) best = nearer(typed, *words, best, &distance);
    return best;
}

static int unknown_long(const struct parser *p, const char *typed)
{
    const char *best = NULL;
    unsigned distance = 99;
    for (const struct option_spec *o = p->table; o->name; o++)
        if (!o->is_hidden) best = nearer(typed, o->name, best, &distance);
    if (best) return error_set(p->err, ASSAY_ERR_USAGE, "unknown option '--%s'; did you mean '--%s'?", typed, best);
    return error_set(p->err, ASSAY_ERR_USAGE, "unknown option '--%s'", typed);
}

static const char *nearest_format(const char *typed)
{
    const char *best = NULL;
    unsigned distance = 99;
    for (size_t i = 0; i < assay_format_count(); i++) best = nearer(typed, assay_format_at(i)->name, best, &distance);
    return best;
}

/* ---- values ---- */

static void list_words(const char *const *words, char *buf, size_t len)
{
    size_t used = 0;
    buf[0] = '\0';
    for (; *words && used < len; words++) {
        int n = snprintf(buf + used, len - used, "%s%s", !used ? "" : words[1] ? ", " : " or ", *words);
        used += n > 0 ? (size_t)n : 0;
    }
}

static int set_number(const struct parser *p, const struct option_spec *o, const char *value)
{
    uint64_t *out = slot(p, o->at);
    enum number_result result = number_u64(slice_of(value), out);
    if (result == NUMBER_OK && *out < o->least) return error_set(p->err, ASSAY_ERR_USAGE, "--%s: '%s' is too small", o->name, value);
    if (result == NUMBER_RANGE || (result == NUMBER_OK && *out > o->most)) return error_set(p->err, ASSAY_ERR_USAGE, "--%s: '%s' is too large", o->name, value);
    if (result != NUMBER_OK) return error_set(p->err, ASSAY_ERR_USAGE, "--%s: invalid value '%s'; use a whole number", o->name, value);
    return 0;
}

static int set_size(const struct parser *p, const struct option_spec *o, const char *value)
{
    static const char suffixes[] = "KkMmGgTt";
    assay_slice digits = slice_of(value);
    const char *suffix = digits.len ? strchr(suffixes, digits.data[digits.len - 1]) : NULL;
    unsigned shift = suffix ? 10 * ((unsigned)(suffix - suffixes) / 2 + 1) : 0;
    uint64_t n = 0;
    if (suffix) digits.len--;
    enum number_result result = number_u64(digits, &n);
    if (result == NUMBER_OK && n > UINT64_MAX >> shift) result = NUMBER_RANGE;
    if (result == NUMBER_BAD)
        return error_set(p->err, ASSAY_ERR_USAGE, "--%s: invalid value '%s'; use a whole number, optionally followed by K, M, G or T", o->name, value);
    if (result == NUMBER_RANGE) return error_set(p->err, ASSAY_ERR_USAGE, "--%s: '%s' is too large", o->name, value);
    *(uint64_t *)slot(p, o->at) = n << shift;
    return 0;
}

static int set_percent(const struct parser *p, const struct option_spec *o, const char *value)
{
    assay_slice digits = slice_of(value);
    double v = 0;
    if (digits.len && digits.data[digits.len - 1] == '%') digits.len--;
    if (number_double(digits, &v) != NUMBER_OK || !(v >= 0) || v > 100)
        return error_set(p->err, ASSAY_ERR_USAGE, "--%s: invalid value '%s'; use a percentage from 0 to 100", o->name, value);
    *(double *)slot(p, o->at) = v;
    return 0;
}

static int set_word(const struct parser *p, const struct option_spec *o, const char *value)
{
    char list[LIST_LEN];
    for (unsigned i = 0; o->words[i]; i++)
        if (strcmp(o->words[i], value) == 0) {
            *(unsigned *)slot(p, o->at) = i;
            return 0;
        }
    list_words(o->words, list, sizeof list);
    return error_set(p->err, ASSAY_ERR_USAGE, "--%s: invalid value '%s'; use %s", o->name, value, list);
}

static int set_form(const struct parser *p, const struct option_spec *o, const char *value)
{
    unsigned *form = slot(p, o->at);
    if (value) TRY(set_word(p, o, value));
    *form = value ? *form + 2 : 1;
    return 0;
}

static int set_format(const struct parser *p, const struct option_spec *o, const char *value)
{
    char name[64];
    const char *colon = o->type == OPTION_TARGET ? strchr(value, ':') : NULL;
    snprintf(name, sizeof name, "%.*s", colon ? (int)(colon - value) : (int)strlen(value), value);
    *(const char **)slot(p, o->at) = value;
    if (assay_format_find(name)) return 0;
    const char *best = nearest_format(name);
    if (best) return error_set(p->err, ASSAY_ERR_USAGE, "--%s: unknown format '%s'; did you mean '%s'?", o->name, name, best);
    return error_set(p->err, ASSAY_ERR_USAGE, "--%s: unknown format '%s'; 'assay formats' lists the formats", o->name, name);
}

static int add_word(const struct parser *p, struct words *list, const char *value)
{
    const char **at = vec_push(p->mem, list);
    if (!at) return error_memory(p->err);
    *at = value;
    return 0;
}

/* The part before the first bare '=' and the part after it, both without the backslashes that protect a '='. NULL = there is no such '='. */
static char *split_map(const struct parser *p, const char *value, const char **to)
{
    char *copy = arena_text(&p->set->text, strlen(value) + 1), *out = copy;
    *to = NULL;
    for (; copy && *value; value++) {
        if (value[0] == '\\' && value[1] == '=')
            *out++ = *++value;
        else if (*value == '=' && !*to) {
            *out++ = '\0';
            *to = out;
        } else
            *out++ = *value;
    }
    if (copy) *out = '\0';
    return copy;
}

static int add_map(const struct parser *p, const struct option_spec *o, const char *value)
{
    struct path_maps *list = slot(p, o->at);
    struct assay_path_map *map = vec_push(p->mem, list);
    if (!map) return error_memory(p->err);
    map->from = split_map(p, value, &map->to);
    if (!map->from) return error_memory(p->err);
    if (!map->to || !*map->from) return error_set(p->err, ASSAY_ERR_USAGE, "--%s: invalid value '%s'; use FROM=TO", o->name, value);
    return 0;
}

static int add_step(const struct parser *p, const struct option_spec *o)
{
    struct steps *list = slot(p, o->at);
    struct step *step = vec_push(p->mem, list);
    if (!step) return error_memory(p->err);
    *step = (struct step){ o, p->set->files.len };
    return 0;
}

/* Takes no value of its own. */
static bool is_flag(const struct option_spec *o) { return o->type == OPTION_FLAG || o->type == OPTION_FORM || o->type == OPTION_STEP; }

static int set_value(const struct parser *p, const struct option_spec *o, const char *value)
{
    if (o->given != OPTION_NOWHERE) *(bool *)slot(p, o->given) = true;
    switch (o->type) {
    case OPTION_FLAG: *(bool *)slot(p, o->at) = true; return 0;
    case OPTION_FORM: return set_form(p, o, value);
    case OPTION_NUMBER: return set_number(p, o, value);
    case OPTION_SIZE: return set_size(p, o, value);
    case OPTION_WORD: return set_word(p, o, value);
    case OPTION_PERCENT: return set_percent(p, o, value);
    case OPTION_TEXT:
    case OPTION_PATH:
        if (!*value) return error_set(p->err, ASSAY_ERR_USAGE, "--%s: an empty %s", o->name, o->argument);
        *(const char **)slot(p, o->at) = value;
        return 0;
    case OPTION_FORMAT:
    case OPTION_TARGET: return set_format(p, o, value);
    case OPTION_STEP: return add_step(p, o);
    case OPTION_LIST: return add_word(p, slot(p, o->at), value);
    case OPTION_MAP: return add_map(p, o, value);
    }
    return error_set(p->err, ASSAY_ERR_INTERNAL, "--%s has no type", o->name);
}

/* ---- arguments ---- */

/* `next` is the argument after this one or NULL; *taken says that it was used. */
static int parse_long(const struct parser *p, const char *arg, const char *next, bool *taken)
{
    char name[64];
    const char *equals = strchr(arg, '=');
    snprintf(name, sizeof name, "%.*s", equals ? (int)(equals - arg) : (int)strlen(arg), arg);
    const struct option_spec *o = p->table;
    while (o->name && strcmp(o->name, name) != 0) o++;
    if (!o->name) return unknown_long(p, name);
    if (is_flag(o)) {
        if (equals && !o->words) return error_set(p->err, ASSAY_ERR_USAGE, "--%s takes no value", o->name);
        return set_value(p, o, equals ? equals + 1 : NULL);
    }
    if (equals) return set_value(p, o, equals + 1);
    if (!next) return error_set(p->err, ASSAY_ERR_USAGE, "--%s needs a value: %s", o->name, o->argument);
    *taken = true;
    return set_value(p, o, next);
}

/* `arg` is what follows the dash: flags, the last of which may be an option with its value. */
static int parse_short(const struct parser *p, const char *arg, const char *next, bool *taken)
{
    for (; *arg; arg++) {
        const struct option_spec *o = p->table;
        while (o->name && o->letter != *arg) o++;
        if (!o->name) return error_set(p->err, ASSAY_ERR_USAGE, "unknown option '-%c'", *arg);
        if (is_flag(o)) {
            TRY(set_value(p, o, NULL));
            continue;
        }
        if (arg[1]) return set_value(p, o, arg + 1);
        if (!next) return error_set(p->err, ASSAY_ERR_USAGE, "-%c needs a value: %s", o->letter, o->argument);
        *taken = true;
        return set_value(p, o, next);
    }
    return 0;
}

int options_parse(const struct option_spec *table, int argc, char **argv, struct settings *set, struct mem *mem, assay_error *err)
{
    struct parser p = { table, set, mem, err };
    bool only_files = false;
    set->dashes = SIZE_MAX;
    if (!set->text.mem) arena_init(&set->text, mem);
    for (int i = 0; i < argc; i++) {
        const char *arg = argv[i], *next = i + 1 < argc ? argv[i + 1] : NULL;
        bool taken = false;
        if (!only_files && strcmp(arg, "--") == 0) {
            only_files = true;
            set->dashes = set->files.len;
        } else if (only_files || arg[0] != '-' || !arg[1])
            TRY(add_word(&p, &set->files, arg));
        else if (arg[1] == '-')
            TRY(parse_long(&p, arg + 2, next, &taken));
        else
            TRY(parse_short(&p, arg + 1, next, &taken));
        if (taken) i++;
    }
    return 0;
}

void options_done(struct settings *set, struct mem *mem)
{
    vec_done(mem, &set->proxies);
    vec_done(mem, &set->symbols);
    vec_done(mem, &set->source_roots);
    vec_done(mem, &set->includes);
    vec_done(mem, &set->exclude_lines);
    vec_done(mem, &set->excludes);
    vec_done(mem, &set->focus);
    vec_done(mem, &set->ignore);
    vec_done(mem, &set->hide);
    vec_done(mem, &set->only_modules);
    vec_done(mem, &set->only_files);
    vec_done(mem, &set->only_streams);
    vec_done(mem, &set->only_exes);
    vec_done(mem, &set->exclude_exes);
    vec_done(mem, &set->wanted_files);
    vec_done(mem, &set->wanted_functions);
    vec_done(mem, &set->maps);
    if (set->text.mem) arena_done(&set->text);
    vec_done(mem, &set->files);
    vec_done(mem, &set->cov.steps);
    vec_done(mem, &set->cov.props);
    vec_done(mem, &set->cov.excludes);
}

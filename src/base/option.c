/* Options of tables and their values; see option.h. */
#include "base/option.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/number.h"
#include "base/slice.h"
#include "base/text.h"
#include "base/vec.h"

enum { LIST_LEN = 400 /* of the allowed values in a message */ };

struct parser {
    const struct option_target *to;
    assay_error *err;
};

static const char *dashes(const struct option_target *to) { return to->before ? to->before : "--"; }

static void *slot(const struct parser *p, size_t at) { return (char *)p->to->settings + at; }

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

int option_unknown(const struct option_spec *table, const char *typed, assay_error *err)
{
    const char *best = NULL;
    unsigned distance = 99;
    for (const struct option_spec *o = table; o->name; o++)
        if (!o->is_hidden) best = nearer(typed, o->name, best, &distance);
    if (best) return error_set(err, ASSAY_ERR_USAGE, "unknown option '--%s'; did you mean '--%s'?", typed, best);
    return error_set(err, ASSAY_ERR_USAGE, "unknown option '--%s'", typed);
}

/* The name of a format, or the nearest one; NULL = none is near. */
static const char *nearest_format(const struct parser *p, const char *typed)
{
    const char *best = NULL, *name;
    unsigned distance = 99;
    for (size_t i = 0; (name = p->to->format_at(i)); i++) best = nearer(typed, name, best, &distance);
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
    uint64_t n = 0;
    enum number_result result = number_u64(slice_of(value), &n);
    if (result == NUMBER_OK && n < o->least) return error_set(p->err, ASSAY_ERR_USAGE, "%s%s: '%s' is too small", dashes(p->to), o->name, value);
    if (result == NUMBER_RANGE || (result == NUMBER_OK && n > o->most))
        return error_set(p->err, ASSAY_ERR_USAGE, "%s%s: '%s' is too large", dashes(p->to), o->name, value);
    if (result != NUMBER_OK) return error_set(p->err, ASSAY_ERR_USAGE, "%s%s: invalid value '%s'; use a whole number", dashes(p->to), o->name, value);
    if (p->to->settings) *(uint64_t *)slot(p, o->at) = n;
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
        return error_set(p->err, ASSAY_ERR_USAGE, "%s%s: invalid value '%s'; use a whole number, optionally followed by K, M, G or T", dashes(p->to), o->name,
                         value);
    if (result == NUMBER_RANGE) return error_set(p->err, ASSAY_ERR_USAGE, "%s%s: '%s' is too large", dashes(p->to), o->name, value);
    if (p->to->settings) *(uint64_t *)slot(p, o->at) = n << shift;
    return 0;
}

static int set_percent(const struct parser *p, const struct option_spec *o, const char *value)
{
    assay_slice digits = slice_of(value);
    double v = 0;
    if (digits.len && digits.data[digits.len - 1] == '%') digits.len--;
    if (number_double(digits, &v) != NUMBER_OK || !(v >= 0) || v > 100)
        return error_set(p->err, ASSAY_ERR_USAGE, "%s%s: invalid value '%s'; use a percentage from 0 to 100", dashes(p->to), o->name, value);
    if (p->to->settings) *(double *)slot(p, o->at) = v;
    return 0;
}

/* `first`: the number of the first word. */
static int set_word(const struct parser *p, const struct option_spec *o, const char *value, unsigned first)
{
    char list[LIST_LEN];
    for (unsigned i = 0; o->words[i]; i++) {
        size_t len = strlen(o->words[i]);
        bool is_open = len && o->words[i][len - 1] == ':';
        if (is_open ? strncmp(o->words[i], value, len) != 0 || !value[len] : strcmp(o->words[i], value) != 0) continue;
        if (p->to->settings) *(unsigned *)slot(p, o->at) = first + i;
        if (p->to->settings && is_open) *(const char **)slot(p, o->rest) = value;
        return 0;
    }
    list_words(o->words, list, sizeof list);
    return error_set(p->err, ASSAY_ERR_USAGE, "%s%s: invalid value '%s'; use %s", dashes(p->to), o->name, value, list);
}

static int set_form(const struct parser *p, const struct option_spec *o, const char *value)
{
    if (value) return set_word(p, o, value, 2);
    if (p->to->settings) *(unsigned *)slot(p, o->at) = 1;
    return 0;
}

static int set_text(const struct parser *p, const struct option_spec *o, const char *value)
{
    if (!*value && !o->may_lack) return error_set(p->err, ASSAY_ERR_USAGE, "%s%s: an empty %s", dashes(p->to), o->name, o->argument);
    if (p->to->settings) *(const char **)slot(p, o->at) = value;
    return 0;
}

static int set_format(const struct parser *p, const struct option_spec *o, const char *value)
{
    char name[64];
    const char *colon = o->type == OPTION_TARGET ? strchr(value, ':') : NULL;
    snprintf(name, sizeof name, "%.*s", colon ? (int)(colon - value) : (int)strlen(value), value);
    if (p->to->settings) *(const char **)slot(p, o->at) = value;
    const char *best = nearest_format(p, name);
    if (best && strcmp(best, name) == 0) return 0;
    if (best) return error_set(p->err, ASSAY_ERR_USAGE, "%s%s: unknown format '%s'; did you mean '%s'?", dashes(p->to), o->name, name, best);
    return error_set(p->err, ASSAY_ERR_USAGE, "%s%s: unknown format '%s'; 'assay formats' lists the formats", dashes(p->to), o->name, name);
}

static int add_word(const struct parser *p, const struct option_spec *o, const char *value)
{
    if (!p->to->settings) return 0;
    struct words *list = slot(p, o->at);
    const char **at = vec_push(p->to->mem, list);
    if (!at) return error_memory(p->err);
    *at = value;
    return 0;
}

/* The first '=' without a backslash before it, or NULL. */
static const char *map_equals(const char *value)
{
    for (; *value && *value != '='; value++)
        if (value[0] == '\\' && value[1] == '=') value++;
    return *value ? value : NULL;
}

/* Without the backslashes that protect a '='. NULL = no memory. */
static const char *map_part(const struct parser *p, const char *from, const char *end)
{
    char *copy = arena_text(p->to->text, (size_t)(end - from) + 1), *out = copy;
    for (; copy && from < end; from++) *out++ = from[0] == '\\' && from + 1 < end && from[1] == '=' ? *++from : *from;
    if (copy) *out = '\0';
    return copy;
}

static int add_map(const struct parser *p, const struct option_spec *o, const char *value)
{
    const char *equals = map_equals(value);
    if (!equals || equals == value) return error_set(p->err, ASSAY_ERR_USAGE, "%s%s: invalid value '%s'; use FROM=TO", dashes(p->to), o->name, value);
    if (!p->to->settings) return 0;
    struct path_maps *list = slot(p, o->at);
    struct assay_path_map *map = vec_push(p->to->mem, list);
    if (!map) return error_memory(p->err);
    map->from = map_part(p, value, equals);
    map->to = map_part(p, equals + 1, equals + strlen(equals));
    return map->from && map->to ? 0 : error_memory(p->err);
}

static int add_pair(const struct parser *p, const struct option_spec *o, const char *value)
{
    size_t len = strcspn(value, "=");
    if (!len) return error_set(p->err, ASSAY_ERR_USAGE, "%s%s: invalid value '%s'; use KEY or KEY=VALUE", dashes(p->to), o->name, value);
    if (!p->to->settings) return 0;
    struct option_pairs *list = slot(p, o->at);
    char *key = arena_copy(p->to->text, (assay_slice){ value, len });
    struct assay_option *pair = key ? vec_push(p->to->mem, list) : NULL;
    if (!pair) return error_memory(p->err);
    *pair = (struct assay_option){ key, value[len] ? value + len + 1 : NULL };
    return 0;
}

bool option_is_flag(const struct option_spec *o) { return o->type == OPTION_FLAG || o->type == OPTION_FORM || o->type == OPTION_STEP; }

const struct option_spec *option_find(const struct option_spec *table, const char *name)
{
    while (table->name && strcmp(table->name, name) != 0) table++;
    return table->name ? table : NULL;
}

static int set_flag(const struct parser *p, const struct option_spec *o)
{
    if (p->to->settings) *(bool *)slot(p, o->at) = true;
    return 0;
}

int option_put(const struct option_spec *o, const char *value, const struct option_target *to, assay_error *err)
{
    struct parser p = { to, err };
    if (value && option_is_flag(o) && !o->words) return error_set(err, ASSAY_ERR_USAGE, "%s%s takes no value", dashes(to), o->name);
    if (!value && !option_is_flag(o)) return error_set(err, ASSAY_ERR_USAGE, "%s%s needs a value: %s", dashes(to), o->name, o->argument);
    if (o->given != OPTION_NOWHERE && to->settings) *(bool *)slot(&p, o->given) = true;
    switch (o->type) {
    case OPTION_FLAG: return set_flag(&p, o);
    case OPTION_FORM: return set_form(&p, o, value);
    case OPTION_NUMBER: return set_number(&p, o, value);
    case OPTION_SIZE: return set_size(&p, o, value);
    case OPTION_WORD: return set_word(&p, o, value, 0);
    case OPTION_PERCENT: return set_percent(&p, o, value);
    case OPTION_TEXT:
    case OPTION_PATH: return set_text(&p, o, value);
    case OPTION_FORMAT:
    case OPTION_TARGET: return set_format(&p, o, value);
    case OPTION_LIST: return add_word(&p, o, value);
    case OPTION_MAP: return add_map(&p, o, value);
    case OPTION_PAIR: return add_pair(&p, o, value);
    case OPTION_STEP: break;
    }
    return error_set(err, ASSAY_ERR_INTERNAL, "%s%s has no type", dashes(to), o->name);
}

bool option_info(const struct option_spec *table, size_t i, struct assay_option_info *out)
{
    const struct option_spec *o = table;
    for (; o->name && i; i--) o++;
    if (!o->name) return false;
    struct assay_option_info all = { .size = out->size,
                                     .name = o->name,
                                     .argument = o->argument,
                                     .words = o->words,
                                     .help = o->help,
                                     .text = o->text,
                                     .least = o->least,
                                     .most = o->most,
                                     .type = (enum assay_option_type)o->type,
                                     .letter = o->letter,
                                     .is_hidden = o->is_hidden };
    memcpy(out, &all, out->size < sizeof all ? out->size : sizeof all);
    return true;
}

/* Keys and values for formats; see format_options.h. The one place that looks keys up: the formats only declare them. */
#include "format_options.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/vec.h"
#include "registry.h"

enum { LIST_LEN = 300 /* of the keys in a message */, NAME_LEN = 80 };

static const struct option_spec no_options[] = { { .name = NULL } };

static const struct format_options *options_for(const struct format *f, enum assay_option_use use)
{
    return use == ASSAY_FOR_READING ? &f->reading : &f->writing;
}

static const struct option_spec *table_for(const struct format *f, enum assay_option_use use)
{
    const struct option_spec *table = options_for(f, use)->table;
    return table ? table : no_options;
}

/* ---- what there is ---- */

static const struct format *format_of(const struct assay_format_info *info)
{
    return (const struct format *)((const char *)info - offsetof(struct format, info));
}

bool assay_format_option_at(const struct assay_format_info *format, enum assay_option_use use, size_t i, struct assay_option_info *out)
{
    return option_info(table_for(format_of(format), use), i, out);
}

bool assay_format_option_find(const struct assay_format_info *format, enum assay_option_use use, const char *key, struct assay_option_info *out)
{
    const struct option_spec *table = table_for(format_of(format), use), *o = option_find(table, key);
    return o && option_info(table, (size_t)(o - table), out);
}

/* ---- what was given ---- */

static int unknown(const struct format *f, enum assay_option_use use, const char *key, assay_error *err)
{
    const char *doing = use == ASSAY_FOR_READING ? "reading" : "writing";
    char list[LIST_LEN] = "";
    size_t used = 0;
    for (const struct option_spec *o = table_for(f, use); o->name; o++) {
        int n = snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "", o->name);
        if (n < 0 || (size_t)n >= sizeof list - used) break;
        used += (size_t)n;
    }
    if (!used) return error_set(err, ASSAY_ERR_USAGE, "%s: unknown option '%.60s'; it has none for %s", f->info.name, key, doing);
    return error_set(err, ASSAY_ERR_USAGE, "%s: unknown option '%.60s'; the options for %s are %s", f->info.name, key, doing, list);
}

/* The format that a key names before a colon, `f` where it names none; *key becomes what follows. */
static int named_format(const struct format *f, const char **key, const struct format **out, assay_error *err)
{
    const char *colon = strchr(*key, ':');
    *out = f;
    if (!colon) return 0;
    *out = registry_find(slice_from(*key, colon));
    if (!*out) FAIL(err, ASSAY_ERR_USAGE, "option '%.60s': there is no format '%.*s'", *key, (int)(colon - *key), *key);
    *key = colon + 1;
    return 0;
}

static int take(struct format_settings *s, const struct format *f, enum assay_option_use use, const struct assay_option *given, assay_error *err)
{
    const char *key = given->key ? given->key : "";
    const struct format *named;
    char before[NAME_LEN];
    TRY(named_format(f, &key, &named, err));
    const struct option_spec *o = option_find(table_for(named, use), key);
    if (!o) return unknown(named, use, key, err);
    snprintf(before, sizeof before, "%s: option ", named->info.name);
    /* What is meant for another format is checked all the same: a fault shows with the first input, whatever it is. */
    struct option_target to = { .settings = named == f ? s->at : NULL, .mem = s->mem, .before = before };
    return option_put(o, given->value, &to, err);
}

int format_settings_take(struct format_settings *s, const struct format *f, enum assay_option_use use, const struct assay_option *given, size_t count,
                         struct mem *mem, assay_error *err)
{
    s->of = options_for(f, use);
    s->mem = mem;
    if (!count) return 0;
    if (s->of->table && !(s->at = mem_zalloc(mem, 1, s->of->size))) return error_memory(err);
    for (size_t i = 0; i < count; i++) TRY(take(s, f, use, &given[i], err));
    return 0;
}

void format_settings_done(struct format_settings *s)
{
    for (const struct option_spec *o = s->at ? s->of->table : no_options; o->name; o++)
        if (o->type == OPTION_LIST) vec_done(s->mem, (struct words *)((char *)s->at + o->at));
    if (s->at) mem_free(s->mem, s->at, s->of->size);
    s->at = NULL;
}

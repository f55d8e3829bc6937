/* The tables of formats as options of the command; see format_options.h. What a value may be is checked by the library. */
#include "cli/format_options.h"

#include <stdio.h>
#include <string.h>

#include "cli/target.h"

enum { USES = ASSAY_FOR_WRITING + 1 };

static bool has(const struct assay_format_info *f, enum assay_option_use use, const char *key)
{
    struct assay_option_info o = { .size = sizeof o };
    return assay_format_option_find(f, use, key, &o);
}

static bool has_any(const struct assay_format_info *f, const char *key) { return has(f, ASSAY_FOR_READING, key) || has(f, ASSAY_FOR_WRITING, key); }

/* "A: B"; NULL = no memory. */
static char *joined(struct arena *text, const char *a, const char *between, const char *b)
{
    size_t len = strlen(a) + strlen(between) + strlen(b) + 1;
    char *s = arena_text(text, len);
    if (s) snprintf(s, len, "%s%s%s", a, between, b);
    return s;
}

/* ---- the table ---- */

static bool is_first(const char *key, size_t format, unsigned use)
{
    for (size_t i = 0; i < format; i++)
        if (has_any(assay_format_at(i), key)) return false;
    return use == ASSAY_FOR_READING || !has(assay_format_at(format), ASSAY_FOR_READING, key);
}

bool format_options_each(format_option_fn fn, void *arg)
{
    struct assay_option_info o = { .size = sizeof o };
    for (size_t f = 0; f < assay_format_count(); f++)
        for (unsigned use = 0; use < USES; use++)
            for (size_t i = 0; assay_format_option_at(assay_format_at(f), (enum assay_option_use)use, i, &o); i++)
                if (is_first(o.name, f, use) && !fn(arg, &o)) return false;
    return true;
}

static bool count_one(void *arg, const struct assay_option_info *o)
{
    (void)o;
    ++*(size_t *)arg;
    return true;
}

/* "dot, mermaid: what it does", or where they differ "html: this; hpcdb: that". NULL = no memory. */
static const char *help_of(struct arena *text, const char *key)
{
    const char *all = "", *last = "";
    struct assay_option_info o = { .size = sizeof o };
    for (size_t i = 0; all && i < assay_format_count(); i++) {
        const struct assay_format_info *f = assay_format_at(i);
        if (!assay_format_option_find(f, ASSAY_FOR_READING, key, &o) && !assay_format_option_find(f, ASSAY_FOR_WRITING, key, &o)) continue;
        bool is_same = strcmp(last, o.help) == 0;
        const char *before = is_same || !*last ? all : joined(text, all, ": ", last);
        all = before ? joined(text, before, !*before ? "" : is_same ? ", " : "; ", f->name) : NULL;
        last = o.help;
    }
    return all ? joined(text, all, ": ", last) : NULL;
}

struct rows {
    struct option_spec *at;
    size_t len;
    struct arena *text;
};

static bool add_row(void *arg, const struct assay_option_info *o)
{
    struct rows *r = arg;
    const char *help = help_of(r->text, o->name);
    r->at[r->len++] = (struct option_spec){ .name = o->name,
                                            .letter = o->letter,
                                            .type = (enum option_type)o->type,
                                            .argument = o->argument,
                                            .least = o->least,
                                            .most = o->most,
                                            .words = o->words,
                                            .help = help,
                                            .text = o->text,
                                            .is_hidden = o->is_hidden };
    return help != NULL;
}

struct option_spec *format_options_table(const struct option_spec *own, struct mem *mem, struct arena *text, size_t *count)
{
    *count = 1;
    format_options_each(count_one, count);
    for (const struct option_spec *o = own; o->name; o++) ++*count;
    struct rows r = { mem_zalloc(mem, *count, sizeof *r.at), 0, text };
    bool is_good = r.at != NULL;
    for (const struct option_spec *o = own; is_good && o->name; o++) {
        r.at[r.len++] = *o;
        if (o->type == OPTION_PAIR) is_good = format_options_each(add_row, &r);
    }
    if (is_good) return r.at;
    mem_free(mem, r.at, r.at ? *count * sizeof *r.at : 0);
    return NULL;
}

/* ---- what was given ---- */

static bool push(struct cli *c, struct option_pairs *list, const char *key, const char *value)
{
    struct assay_option *o = vec_push(&c->mem, list);
    if (o) *o = (struct assay_option){ key, value };
    return o != NULL;
}

/* For each format that has the key for this use (USES = any), by its name. */
static bool push_named(struct cli *c, struct option_pairs *list, unsigned use, const struct assay_option *o)
{
    for (size_t i = 0; i < assay_format_count(); i++) {
        const struct assay_format_info *f = assay_format_at(i);
        if (use == USES ? !has_any(f, o->key) : !has(f, (enum assay_option_use)use, o->key)) continue;
        const char *key = joined(&c->set.text, f->name, ":", o->key);
        if (!key || !push(c, list, key, o->value)) return false;
    }
    return true;
}

bool format_options_take(void *arg, const char *key, const char *value)
{
    struct cli *c = arg;
    if (option_find(c->verb->own, key)) return true;
    return push_named(c, &c->set.read.format_options, USES, &(struct assay_option){ key, value });
}

/* ---- input and target ---- */

static bool is_read_by_any(const char *key)
{
    for (size_t i = 0; i < assay_format_count(); i++)
        if (has(assay_format_at(i), ASSAY_FOR_READING, key)) return true;
    return false;
}

/* FORMAT:KEY goes where the format has it. */
static bool route_named(struct cli *c, const struct assay_option *o, const char *colon)
{
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)(colon - o->key), o->key);
    const struct assay_format_info *f = assay_format_find(name);
    bool reads = f && has(f, ASSAY_FOR_READING, colon + 1), writes = f && has(f, ASSAY_FOR_WRITING, colon + 1);
    if (reads && !push(c, &c->set.read.format_options, o->key, o->value)) return false;
    return (reads && !writes) || push(c, &c->writing, o->key, o->value);
}

static bool route(struct cli *c, const struct assay_format_info *target, const struct assay_option *o)
{
    const char *colon = strchr(o->key, ':');
    if (colon) return route_named(c, o, colon);
    bool writes = target && has(target, ASSAY_FOR_WRITING, o->key), reads = is_read_by_any(o->key);
    if (reads && !writes) return push(c, &c->set.read.format_options, o->key, o->value);
    if (reads && !push_named(c, &c->set.read.format_options, ASSAY_FOR_READING, o)) return false;
    return push(c, &c->writing, o->key, o->value);
}

bool format_options_split(struct cli *c, const char *target)
{
    char name[64];
    struct option_pairs given = c->set.read.format_options;
    bool is_good = true;
    cli_target_name(target, name, sizeof name);
    c->set.read.format_options = (struct option_pairs){ NULL, 0, 0 };
    for (size_t i = 0; is_good && i < given.len; i++) is_good = route(c, assay_format_find(name), &given.at[i]);
    vec_done(&c->mem, &given);
    return is_good;
}

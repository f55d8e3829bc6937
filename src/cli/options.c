/* The arguments of the command by a table of options; see options.h. GNU habits: --name=VALUE, --name VALUE, -abc, -oFILE, options after files, "--". */
#include "cli/options.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/vec.h"

struct parser {
    const struct option_spec *table;
    struct settings *set;
    struct mem *mem;
    const struct options_taker *taker; /* NULL = the settings take every option */
    assay_error *err;
};

/* ---- values ---- */

static const char *format_at(size_t i)
{
    const struct assay_format_info *f = assay_format_at(i);
    return f ? f->name : NULL;
}

static int add_word(const struct parser *p, const char *word)
{
    const char **at = vec_push(p->mem, &p->set->files);
    if (!at) return error_memory(p->err);
    *at = word;
    return 0;
}

static int add_step(const struct parser *p, const struct option_spec *o)
{
    struct steps *list = (struct steps *)((char *)p->set + o->at);
    struct step *step = vec_push(p->mem, list);
    if (!step) return error_memory(p->err);
    *step = (struct step){ o, p->set->files.len };
    return 0;
}

static int set_value(const struct parser *p, const struct option_spec *o, const char *value)
{
    const struct options_taker *t = p->taker;
    struct option_target to = { .mem = p->mem, .text = &p->set->text, .format_at = format_at };
    if (o->type == OPTION_STEP && !value) return add_step(p, o);
    if (t) {
        /* Checked now, so that the first fault is the one that is told; whoever takes it checks again. */
        TRY(option_put(o, value, &to, p->err));
        if (!t->take(t->arg, o->name, value)) return error_memory(p->err);
        o = option_find(t->own, o->name);
    }
    to.settings = p->set;
    return o ? option_put(o, value, &to, p->err) : 0;
}

/* ---- arguments ---- */

/* `next` is the argument after this one or NULL; *taken says that it was used. */
static int parse_long(const struct parser *p, const char *arg, const char *next, bool *taken)
{
    char name[64];
    const char *equals = strchr(arg, '=');
    snprintf(name, sizeof name, "%.*s", equals ? (int)(equals - arg) : (int)strlen(arg), arg);
    const struct option_spec *o = option_find(p->table, name);
    if (!o) return option_unknown(p->table, name, p->err);
    if (equals || option_is_flag(o)) return set_value(p, o, equals ? equals + 1 : NULL);
    *taken = next != NULL;
    return set_value(p, o, next || !o->may_lack ? next : "");
}

/* `arg` is what follows the dash: flags, the last of which may be an option with its value. */
static int parse_short(const struct parser *p, const char *arg, const char *next, bool *taken)
{
    for (; *arg; arg++) {
        const struct option_spec *o = p->table;
        while (o->name && o->letter != *arg) o++;
        if (!o->name) return error_set(p->err, ASSAY_ERR_USAGE, "unknown option '-%c'", *arg);
        if (option_is_flag(o)) {
            TRY(set_value(p, o, NULL));
            continue;
        }
        if (arg[1]) return set_value(p, o, arg + 1);
        if (!next && o->may_lack) return set_value(p, o, "");
        if (!next) return error_set(p->err, ASSAY_ERR_USAGE, "-%c needs a value: %s", o->letter, o->argument);
        *taken = true;
        return set_value(p, o, next);
    }
    return 0;
}

int options_parse(const struct option_spec *table, int argc, char **argv, const struct options_taker *taker, struct settings *set, struct mem *mem,
                  assay_error *err)
{
    struct parser p = { table, set, mem, taker, err };
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
            TRY(add_word(&p, arg));
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
    reading_done(&set->read, mem);
    if (set->text.mem) arena_done(&set->text);
    vec_done(mem, &set->proxies, &set->files, &set->cov.steps, &set->cov.props, &set->cov.excludes);
}

/* The list of verbs: those of the library, and among them those of the command. */
#include "cli/verbs.h"

#include <string.h>

#include "cli/format_options.h"
#include "cli/report.h"

/* The command's own, each with the verb that it follows. */
static const struct {
    const struct verb *verb;
    const char *after;
} own[] = {
    { &dump_verb, "check" },   { &merge_verb, "timeline" }, { &query_verb, "patch" }, { &convert_verb, "query" },
    { &view_verb, "convert" }, { &mcp_verb, "view" },       { &cov_verb, "mcp" },     { &help_verb, "formats" },
};
enum { OWN = sizeof own / sizeof *own };

/* It has no word of its own. */
static const char summary[] = "summary";

struct table {
    struct option_spec *at; /* NULL = not needed yet */
    size_t count;
};

static struct verbs {
    struct verb with_formats[OWN]; /* those of the command that take the options of formats, with a table of them all */
    struct table own_tables[OWN];
    struct arena text; /* of those tables */
    struct verb *library;
    struct table *tables; /* of their options, as far as they are needed */
    const struct verb **list;
    size_t count; /* of the library */
} all;

const struct verb *const *cli_verbs;

/* ---- tables of the library as those of the command ---- */

static size_t count_options(const struct assay_verb *v)
{
    size_t n = 0;
    struct assay_option_info o = { .size = sizeof o };
    while (assay_verb_option_at(v, n, &o)) n++;
    return n;
}

static void take_options(const struct assay_verb *v, struct option_spec *to)
{
    struct assay_option_info o = { .size = sizeof o };
    for (size_t i = 0; assay_verb_option_at(v, i, &o); i++)
        to[i] = (struct option_spec){ .name = o.name,
                                      .letter = o.letter,
                                      .type = (enum option_type)o.type,
                                      .argument = o.argument,
                                      .least = o.least,
                                      .most = o.most,
                                      .words = o.words,
                                      .help = o.help,
                                      .text = o.text,
                                      .is_hidden = o.is_hidden };
}

static bool load_formats(struct mem *mem, const struct verb *verb)
{
    for (size_t i = 0; i < OWN; i++) {
        struct table *t = &all.own_tables[i];
        struct verb *v = &all.with_formats[i];
        if (!v->own || (verb && verb != v) || t->at) continue;
        t->at = format_options_table(v->own, mem, &all.text, &t->count);
        if (!t->at) return false;
        v->options = t->at;
    }
    return true;
}

bool cli_load_options(struct mem *mem, const struct verb *verb)
{
    for (size_t i = 0; i < all.count; i++) {
        struct table *t = &all.tables[i];
        if ((verb && verb != &all.library[i]) || t->at) continue;
        t->count = count_options(assay_verb_at(i)) + 1;
        t->at = mem_zalloc(mem, t->count, sizeof *t->at);
        if (!t->at) return false;
        take_options(assay_verb_at(i), t->at);
        all.library[i].options = t->at;
    }
    return load_formats(mem, verb);
}

static struct verb verb_of(const struct assay_verb *v)
{
    return (struct verb){ .name = strcmp(v->name, summary) == 0 ? "" : v->name,
                          .summary = v->summary,
                          .arguments = v->arguments,
                          .least_files = v->least_files,
                          .most_files = v->most_files,
                          .text = v->text,
                          .examples = v->examples,
                          .run = report_run,
                          .as = v->name };
}

/* ---- the list ---- */

/* A verb, and those of the command that follow it. */
static size_t list_verb(size_t n, const struct verb *v)
{
    all.list[n++] = v;
    for (size_t i = 0; i < OWN; i++)
        if (strcmp(own[i].after, v->name) == 0) n = list_verb(n, own[i].verb->own ? &all.with_formats[i] : own[i].verb);
    return n;
}

bool cli_init_verbs(struct mem *mem)
{
    size_t n = 0;
    all.count = assay_verb_count();
    all.library = mem_zalloc(mem, all.count, sizeof *all.library);
    all.tables = mem_zalloc(mem, all.count, sizeof *all.tables);
    all.list = mem_zalloc(mem, all.count + OWN + 1, sizeof *all.list);
    if (!all.library || !all.tables || !all.list) return false;
    for (size_t i = 0; i < OWN; i++) all.with_formats[i] = *own[i].verb;
    for (size_t i = 0; i < all.count; i++) {
        all.library[i] = verb_of(assay_verb_at(i));
        if (*all.library[i].name) n = list_verb(n, &all.library[i]);
    }
    cli_verbs = all.list;
    arena_init(&all.text, mem);
    return true;
}

void cli_free_verbs(struct mem *mem)
{
    for (size_t i = 0; i < OWN; i++) mem_free(mem, all.own_tables[i].at, all.own_tables[i].count * sizeof *all.own_tables[i].at);
    if (all.text.mem) arena_done(&all.text);
    for (size_t i = 0; all.tables && i < all.count; i++) mem_free(mem, all.tables[i].at, all.tables[i].count * sizeof *all.tables[i].at);
    mem_free(mem, all.tables, all.count * sizeof *all.tables);
    mem_free(mem, all.library, all.count * sizeof *all.library);
    mem_free(mem, all.list, (all.count + OWN + 1) * sizeof *all.list);
}

const struct verb *cli_summary(void)
{
    for (size_t i = 0; i < all.count; i++)
        if (!*all.library[i].name) return &all.library[i];
    return NULL;
}

/* The list of verbs: those of the library, and among them those of the command. */
#include "cli/verbs.h"

#include <string.h>

#include "cli/report.h"

/* The command's own, each with the verb that it follows. */
static const struct {
    const struct verb *verb;
    const char *after;
} own[] = {
    { &dump_verb, "check" }, { &merge_verb, "timeline" }, { &convert_verb, "patch" }, { &cov_verb, "convert" }, { &help_verb, "formats" },
};
enum { OWN = sizeof own / sizeof *own };

/* It has no word of its own. */
static const char summary[] = "summary";

static struct verbs {
    struct verb *library; /* as many as there are; the last of them is the summary */
    const struct verb **list;
    struct option_spec *options; /* of all verbs of the library */
    size_t count, option_count;
} all;

const struct verb *const *cli_verbs;

/* ---- tables of the library as those of the command ---- */

static size_t count_options(void)
{
    size_t n = 0;
    struct assay_verb_option o = { .size = sizeof o };
    for (size_t i = 0; i < assay_verb_count(); i++) {
        size_t k = 0;
        while (assay_verb_option_at(assay_verb_at(i), k, &o)) k++;
        n += k + 1;
    }
    return n;
}

/* Its options, which go to `to`; returns the place behind them and the end of the table. */
static struct option_spec *take_options(const struct assay_verb *v, struct option_spec *to)
{
    struct assay_verb_option o = { .size = sizeof o };
    for (size_t i = 0; assay_verb_option_at(v, i, &o); i++)
        *to++ = (struct option_spec){ .name = o.name,
                                      .letter = o.letter,
                                      .type = (enum option_type)o.type,
                                      .argument = o.argument,
                                      .least = o.least,
                                      .most = o.most,
                                      .words = o.words,
                                      .help = o.help,
                                      .text = o.text,
                                      .is_hidden = o.is_hidden };
    return to + 1;
}

static struct verb verb_of(const struct assay_verb *v, const struct option_spec *options)
{
    return (struct verb){ .name = strcmp(v->name, summary) == 0 ? "" : v->name,
                          .summary = v->summary,
                          .arguments = v->arguments,
                          .least_files = v->least_files,
                          .most_files = v->most_files,
                          .options = options,
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
        if (strcmp(own[i].after, v->name) == 0) n = list_verb(n, own[i].verb);
    return n;
}

bool cli_init_verbs(struct mem *mem)
{
    all.count = assay_verb_count();
    all.option_count = count_options();
    all.library = mem_zalloc(mem, all.count, sizeof *all.library);
    all.options = mem_zalloc(mem, all.option_count, sizeof *all.options);
    all.list = mem_zalloc(mem, all.count + OWN + 1, sizeof *all.list);
    if (!all.library || !all.options || !all.list) return false;
    struct option_spec *at = all.options;
    size_t n = 0;
    for (size_t i = 0; i < all.count; i++) {
        all.library[i] = verb_of(assay_verb_at(i), at);
        at = take_options(assay_verb_at(i), at);
        if (*all.library[i].name) n = list_verb(n, &all.library[i]);
    }
    cli_verbs = all.list;
    return true;
}

void cli_free_verbs(struct mem *mem)
{
    mem_free(mem, all.library, all.count * sizeof *all.library);
    mem_free(mem, all.options, all.option_count * sizeof *all.options);
    mem_free(mem, all.list, (all.count + OWN + 1) * sizeof *all.list);
}

const struct verb *cli_summary(void)
{
    for (size_t i = 0; i < all.count; i++)
        if (!*all.library[i].name) return &all.library[i];
    return NULL;
}

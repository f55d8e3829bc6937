/* assay help: what a person wants to read about a verb. */
#include "cli/help.h"

#include <stdio.h>
#include <string.h>

#include "cli/generate.h"
#include "cli/shared.h"
#include "cli/verbs.h"

enum { LINE = 80, HEAD = 28 /* where the help of an option begins */ };

/* In the order of enum generate_shell. */
static const char *const shell_words[] = { "bash", "zsh", "fish", NULL };

static const struct option_spec options[] = {
    { .name = "man", .type = OPTION_FLAG, AT(man), .help = "print the man page of assay or of a command", .is_hidden = true },
    { .name = "completion",
      .type = OPTION_WORD,
      .argument = "SHELL",
      AT(completion),
      GIVEN(has_completion),
      .words = shell_words,
      .help = "print the completion script for a shell",
      .is_hidden = true },
    { .name = "json", .type = OPTION_FLAG, AT(json), .help = "print all commands and options as JSON", .is_hidden = true },
    OPTION_NO_PAGER,
    OPTION_OUTPUT,
    OPTION_HELP,
    OPTION_END,
};

static const char *const text[] = { "Shows the help of a command, or lists the commands. 'assay COMMAND --help' does the same.", NULL };

static const struct assay_verb_example examples[] = { { "assay help top", "the options of 'assay top'" }, { NULL, NULL } };

/* ---- text ---- */

static void put_blanks(struct output *out, size_t n)
{
    for (; n; n--) output_char(out, ' ');
}

/* Words of `s` on lines of at most LINE columns, the second and later ones indented; `at` is the column where the first begins. */
static void put_wrapped(struct output *out, const char *s, size_t at, size_t indent)
{
    while (*s) {
        size_t len = strcspn(s, " ");
        if (at > indent && at + 1 + len > LINE) {
            output_char(out, '\n');
            put_blanks(out, indent);
            at = indent;
        } else if (at > indent) {
            output_char(out, ' ');
            at++;
        }
        output_bytes(out, s, len);
        at += len;
        s += len;
        while (*s == ' ') s++;
    }
    output_char(out, '\n');
}

void help_option_head(const struct option_spec *o, char *buf, size_t len)
{
    char letter[8] = "    ";
    if (o->letter) snprintf(letter, sizeof letter, "-%c, ", o->letter);
    bool is_form = o->type == OPTION_FORM && o->argument;
    snprintf(buf, len, "%s--%s%s%s%s", letter, o->name, is_form ? "[=" : o->argument ? " " : "", o->argument ? o->argument : "", is_form ? "]" : "");
}

static void put_options(struct output *out, const struct option_spec *table)
{
    char head[80];
    for (const struct option_spec *o = table; o->name; o++) {
        if (o->is_hidden) continue;
        help_option_head(o, head, sizeof head);
        size_t at = 2 + strlen(head);
        put_blanks(out, 2);
        output_text(out, head);
        if (at + 2 > HEAD) {
            output_char(out, '\n');
            at = 0;
        }
        put_blanks(out, HEAD - at);
        put_wrapped(out, o->help, HEAD, HEAD);
    }
}

void help_show_all(struct output *out)
{
    output_text(out, "usage: assay COMMAND [options] FILE...\n       assay FILE...\n\n");
    put_wrapped(
        out,
        "Shows what is in a profile or coverage file, whether it is valid, and where the cost goes, and converts it to the format that another tool needs.", 0,
        0);
    output_text(out, "\ncommands:\n");
    for (const struct verb *const *v = cli_verbs; *v; v++) output_printf(out, "  %-10s %s\n", (*v)->name, (*v)->summary);
    output_text(out, "\noptions:\n");
    put_options(out, cli_options);
    output_text(out, "\n'assay FILE' gives an overview of a file and suggests what to run next.\n'assay help COMMAND' describes a command.\n");
}

void help_show_verb(struct output *out, const struct verb *verb)
{
    output_printf(out, "usage: assay %s [options] %s\n", verb->name, verb->arguments);
    for (const char *const *paragraph = verb->text; *paragraph; paragraph++) {
        output_char(out, '\n');
        put_wrapped(out, *paragraph, 0, 0);
    }
    const struct family *family = cli_family(verb);
    if (family) output_text(out, "\ncommands:\n");
    for (const struct verb *const *v = family ? family->commands : NULL; v && *v; v++) output_printf(out, "  %-10s %s\n", cli_word(*v), (*v)->summary);
    output_text(out, "\noptions:\n");
    put_options(out, verb->options);
    if (family) output_printf(out, "\n'assay %s COMMAND --help' describes a command.\n", verb->name);
    output_text(out, "\nexamples:\n");
    for (const struct assay_verb_example *e = verb->examples; e->command; e++) output_printf(out, "  %s\n      %s\n", e->command, e->text);
}

/* ---- the verb ---- */

static void put_help(struct cli *c, struct output *out, const struct verb *verb)
{
    if (c->set.man)
        generate_man(out, verb);
    else if (c->set.has_completion)
        generate_completion(out, (enum generate_shell)c->set.completion);
    else if (c->set.json)
        generate_json(out);
    else if (verb)
        help_show_verb(out, verb);
    else
        help_show_all(out);
}

static int show(struct cli *c, const struct verb *verb)
{
    struct output *out;
    if (!c->set.no_pager) terminal_start_pager(&c->term);
    if (!cli_load_options(&c->mem, NULL) || !cli_open_output(c, &out)) return c->exit ? c->exit : CLI_OUTPUT;
    put_help(c, out, verb);
    return cli_close_paged(c, out);
}

int help_run_verb(struct cli *c, const struct verb *verb)
{
    /* Other options of the verb are no longer meant. */
    const struct settings *s = &c->set;
    c->set = (struct settings){ .proxies = s->proxies,
                                .read = s->read,
                                .text = s->text,
                                .files = s->files,
                                .cov.steps = s->cov.steps,
                                .cov.props = s->cov.props,
                                .cov.excludes = s->cov.excludes };
    terminal_init(&c->term, COLOR_AUTO, true, false);
    return show(c, verb);
}

static int run(struct cli *c)
{
    const struct verb *verb = NULL;
    const struct words *words = &c->set.files;
    if (words->len && !(verb = cli_find_verb(words->at[0]))) return cli_unknown_verb(words->at[0]);
    if (words->len == 2) {
        const struct family *family = cli_family(verb);
        const struct verb *command = family ? cli_find_command(family, words->at[1]) : NULL;
        if (!command) return cli_usage(c->verb, "unknown command '%s %s'", verb->name, words->at[1]);
        verb = command;
    }
    return show(c, verb);
}

const struct verb help_verb = { "help", "show help for a command", "[COMMAND [SUBCOMMAND]]", 0, 2, options, text, examples, run, NULL, NULL };

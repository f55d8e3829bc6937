/* Man pages and the JSON description, out of the tables; see generate.h. Completion is in generate_shell.c. */
#include "cli/generate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/json.h"
#include "base/number.h"
#include "base/slice.h"

/* ---- man pages ---- */

enum { ROFF_LINE = 76 };

static void put_roff_bytes(struct output *out, const char *s, size_t len)
{
    for (; len; s++, len--) {
        if (*s == '\\')
            output_text(out, "\\e");
        else if (*s == '-')
            output_text(out, "\\-");
        else
            output_char(out, *s);
    }
}

/* A name or command inside a line: a backslash and a dash mean something to roff. */
static void put_roff(struct output *out, const char *s) { put_roff_bytes(out, s, strlen(s)); }

/* Sentences, each on a line of its own as roff wants it, and long ones on several. No line begins with a dot or quote, which would make it
 * a request. */
static void put_sentences(struct output *out, const char *s)
{
    size_t at = 0;
    while (*s) {
        size_t len = strcspn(s, " ");
        if (at && at + len >= ROFF_LINE) at = 0, output_char(out, '\n');
        if (at) output_char(out, ' ');
        if (!at && (*s == '.' || *s == '\'')) output_text(out, "\\&");
        put_roff_bytes(out, s, len);
        at += len + 1;
        if (s[len - 1] == '.' && s[len]) at = 0, output_char(out, '\n');
        s += len;
        while (*s == ' ') s++;
    }
    output_char(out, '\n');
}

/* A phrase as a sentence. */
static void put_phrase(struct output *out, const char *s)
{
    char text[400];
    snprintf(text, sizeof text, "%s.", s);
    if (*text >= 'a' && *text <= 'z') *text = (char)(*text - 'a' + 'A');
    put_sentences(out, text);
}

static void put_date(struct output *out)
{
    const char *epoch = getenv("SOURCE_DATE_EPOCH");
    int64_t seconds = 0;
    struct tm day;
    char buf[32] = "1970-01-01";
    if (!epoch || number_i64(slice_of(epoch), &seconds) != NUMBER_OK) seconds = (int64_t)time(NULL);
    time_t t = (time_t)seconds;
    if (gmtime_r(&t, &day)) strftime(buf, sizeof buf, "%Y-%m-%d", &day);
    output_text(out, buf);
}

static void put_title(struct output *out, const char *name, const char *summary)
{
    output_text(out, ".TH ");
    for (const char *p = name; *p; p++) output_char(out, (char)(*p >= 'a' && *p <= 'z' ? *p - 'a' + 'A' : *p));
    output_text(out, " 1 ");
    put_date(out);
    output_printf(out, " \"assay %s\" \"User Commands\"\n.SH NAME\n", assay_version());
    put_roff(out, name);
    output_printf(out, " \\- %s\n", summary);
}

static void put_option(struct output *out, const struct option_spec *o)
{
    output_text(out, ".TP\n");
    if (o->letter) output_printf(out, "\\fB\\-%c\\fR, ", o->letter);
    output_text(out, "\\fB\\-\\-");
    put_roff(out, o->name);
    output_text(out, "\\fR");
    if (o->argument) {
        bool is_form = o->type == OPTION_FORM;
        output_text(out, is_form ? "[=\\fI" : " \\fI");
        put_roff(out, o->argument);
        output_text(out, is_form ? "\\fR]" : "\\fR");
    }
    output_char(out, '\n');
    put_phrase(out, o->help);
    if (o->text) put_sentences(out, o->text);
}

static void put_options(struct output *out, const struct option_spec *table)
{
    output_text(out, ".SH OPTIONS\n");
    for (const struct option_spec *o = table; o->name; o++)
        if (!o->is_hidden) put_option(out, o);
}

static void put_exit_status(struct output *out)
{
    output_text(out, ".SH EXIT STATUS\n"
                     ".TP\n\\fB0\\fR\nSuccess.\n"
                     ".TP\n\\fB1\\fR\nThe answer is no: a check found errors,\nor a threshold such as \\-\\-fail\\-under was missed.\n"
                     ".TP\n\\fB2\\fR\nInvalid command line.\n"
                     ".TP\n\\fB3\\fR\nAn input cannot be read.\n"
                     ".TP\n\\fB4\\fR\nThe output cannot be written, or the system failed.\n");
}

static void put_example(struct output *out, const struct assay_verb_example *e)
{
    output_text(out, ".TP\n\\fB");
    put_roff(out, e->command);
    output_text(out, "\\fR\n");
    put_phrase(out, e->text);
}

static void put_see_also(struct output *out, const struct verb *but)
{
    output_text(out, ".SH SEE ALSO\n");
    if (but) output_text(out, "\\fBassay\\fR(1)");
    size_t n = but != NULL;
    for (const struct verb *const *v = cli_verbs; *v; v++)
        if (*v != but) output_printf(out, "%s\\fBassay\\-%s\\fR(1)", n++ ? ",\n" : "", (*v)->name);
    output_char(out, '\n');
}

/* A command of a family, as a part of its page. */
static void put_command(struct output *out, const struct verb *verb)
{
    output_text(out, ".SS ");
    put_roff(out, cli_word(verb));
    output_printf(out, "\n\\fBassay %s\\fR [\\fIoptions\\fR] ", verb->name);
    put_roff(out, verb->arguments);
    output_text(out, "\n.PP\n");
    for (const char *const *paragraph = verb->text; *paragraph; paragraph++) {
        if (paragraph != verb->text) output_text(out, ".PP\n");
        put_sentences(out, *paragraph);
    }
    for (const struct option_spec *o = verb->options; o->name; o++)
        if (!o->is_hidden) put_option(out, o);
}

static void put_commands(struct output *out, const struct family *family)
{
    output_text(out, ".SH COMMANDS\n");
    for (const struct verb *const *v = family->commands; *v; v++) put_command(out, *v);
}

static void put_family_exit(struct output *out)
{
    output_text(out, ".SH EXIT STATUS\n"
                     ".TP\n\\fB0\\fR\nSuccess.\n"
                     ".TP\n\\fB1\\fR\nThe command was refused, or the store is not in a suitable state.\n"
                     ".TP\n\\fB2\\fR\nInvalid command line, or something was not found.\n"
                     ".TP\n\\fB22\\fR\nAn alias is empty.\n");
}

static void put_verb_page(struct output *out, const struct verb *verb)
{
    const struct family *family = cli_family(verb);
    char name[64];
    snprintf(name, sizeof name, "assay-%s", verb->name);
    if (strchr(name, ' ')) *strchr(name, ' ') = '-';
    put_title(out, name, verb->summary);
    output_printf(out, ".SH SYNOPSIS\n\\fBassay %s\\fR [\\fIoptions\\fR] ", verb->name);
    put_roff(out, verb->arguments);
    output_text(out, "\n.SH DESCRIPTION\n");
    for (const char *const *paragraph = verb->text; *paragraph; paragraph++) {
        if (paragraph != verb->text) output_text(out, ".PP\n");
        put_sentences(out, *paragraph);
    }
    put_options(out, verb->options);
    if (family) put_commands(out, family);
    if (family || strchr(verb->name, ' '))
        put_family_exit(out);
    else
        put_exit_status(out);
    output_text(out, ".SH EXAMPLES\n");
    for (const struct assay_verb_example *e = verb->examples; e->command; e++) put_example(out, e);
    put_see_also(out, verb);
}

static void put_main_page(struct output *out)
{
    put_title(out, "assay", "read, check, convert and analyse profiles and coverage data");
    output_text(out, ".SH SYNOPSIS\n\\fBassay\\fR \\fICOMMAND\\fR [\\fIoptions\\fR] \\fIFILE\\fR...\n.br\n\\fBassay\\fR \\fIFILE\\fR...\n.SH DESCRIPTION\n"
                     "Answers three questions about a profile or coverage file:\n"
                     "what is in it, is it valid, and where does the cost go.\n"
                     "Converts it to the format that another tool needs.\n"
                     "Without a command, it gives an overview of each file:\nwhat it is, where its cost goes, what is wrong with it, and what to run next.\n"
                     ".PP\nA file is a path, a directory for formats that use one,\nor \\- for standard input.\n"
                     "Files compressed with gzip, zstd or xz are decompressed automatically.\n"
                     "Results go to standard output, everything else to standard error.\n.SH COMMANDS\n");
    for (const struct verb *const *v = cli_verbs; *v; v++) {
        output_printf(out, ".TP\n\\fBassay\\-%s\\fR(1)\n", (*v)->name);
        put_phrase(out, (*v)->summary);
    }
    put_options(out, cli_options);
    put_exit_status(out);
    output_text(out, ".SH ENVIRONMENT\n.TP\n\\fBNO_COLOR\\fR\nDisables colours if set.\n"
                     ".TP\n\\fBPAGER\\fR\nThe pager to use; less \\-FRX by default.\n"
                     ".TP\n\\fBSOURCE_DATE_EPOCH\\fR\nThe timestamp to write into files, in seconds since 1970.\n.SH EXAMPLES\n");
    for (const struct verb *const *v = cli_verbs; *v; v++) put_example(out, (*v)->examples);
    put_see_also(out, NULL);
}

void generate_man(struct output *out, const struct verb *verb)
{
    if (verb)
        put_verb_page(out, verb);
    else
        put_main_page(out);
}

/* ---- JSON ---- */

static void text_member(struct json *j, const char *key, const char *value)
{
    json_key(j, key);
    json_text(j, value);
}

static void json_option(struct json *j, const struct option_spec *o)
{
    static const char *const types[] = {
        [OPTION_FLAG] = "flag",       [OPTION_NUMBER] = "number", [OPTION_SIZE] = "size",     [OPTION_WORD] = "word", [OPTION_TEXT] = "text",
        [OPTION_PATH] = "path",       [OPTION_FORMAT] = "format", [OPTION_TARGET] = "target", [OPTION_LIST] = "list", [OPTION_MAP] = "map",
        [OPTION_PERCENT] = "percent", [OPTION_STEP] = "step",     [OPTION_FORM] = "form",     [OPTION_PAIR] = "pair",
    };
    char letter[2] = { o->letter, '\0' };
    json_object(j);
    text_member(j, "name", o->name);
    text_member(j, "letter", o->letter ? letter : NULL);
    text_member(j, "type", types[o->type]);
    text_member(j, "argument", o->argument);
    if (o->words) {
        json_key(j, "words");
        json_array(j);
        for (const char *const *w = o->words; *w; w++) json_text(j, *w);
        json_end(j);
    }
    text_member(j, "help", o->help);
    if (o->text) text_member(j, "text", o->text);
    json_end(j);
}

static void json_options(struct json *j, const struct option_spec *table)
{
    json_key(j, "options");
    json_array(j);
    for (const struct option_spec *o = table; o->name; o++)
        if (!o->is_hidden) json_option(j, o);
    json_end(j);
}

/* The members of a verb; the object stays open. */
static void json_members(struct json *j, const struct verb *v)
{
    json_object(j);
    text_member(j, "name", cli_word(v));
    text_member(j, "summary", v->summary);
    text_member(j, "arguments", v->arguments);
    json_key(j, "text");
    json_array(j);
    for (const char *const *paragraph = v->text; *paragraph; paragraph++) json_text(j, *paragraph);
    json_end(j);
    json_options(j, v->options);
    json_key(j, "examples");
    json_array(j);
    for (const struct assay_verb_example *e = v->examples; e->command; e++) {
        json_object(j);
        text_member(j, "command", e->command);
        text_member(j, "text", e->text);
        json_end(j);
    }
    json_end(j);
}

static void json_verb(struct json *j, const struct verb *v)
{
    const struct family *family = cli_family(v);
    json_members(j, v);
    if (family) {
        json_key(j, "commands");
        json_array(j);
        for (const struct verb *const *command = family->commands; *command; command++) {
            json_members(j, *command);
            json_end(j);
        }
        json_end(j);
    }
    json_end(j);
}

void generate_json(struct output *out)
{
    struct json j;
    json_init(&j, out);
    json_object(&j);
    json_key(&j, "assay");
    json_u64(&j, 1);
    text_member(&j, "verb", "help");
    text_member(&j, "version", assay_version());
    json_options(&j, cli_options);
    json_key(&j, "verbs");
    json_array(&j);
    for (const struct verb *const *v = cli_verbs; *v; v++) json_verb(&j, *v);
    json_end(&j);
    json_end(&j);
}

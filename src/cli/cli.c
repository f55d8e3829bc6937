/* What the verbs share; see cli.h. */
#include "cli/cli.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/parallel.h"
#include "base/pattern.h"
#include "base/text.h"
#include "cli/format_options.h"
#include "cli/handles.h"
#include "cli/help.h"
#include "cli/hints.h"
#include "cli/memory.h"
#include "cli/report.h"

enum { MESSAGE_LEN = 1600 /* path and text of an assay_error, and a few words */ };

/* ---- messages ---- */

static int put_message(void *arg, const char *data, size_t len)
{
    (void)arg;
    return fwrite(data, 1, len, stderr) == len ? 0 : -1;
}

/* Names come out of files: they must not reach a terminal as they are. */
static void show_message(const char *text)
{
    struct mem mem;
    struct output *out = NULL;
    mem_init(&mem, 0);
    if (output_open_fn(&out, put_message, NULL, &mem, NULL) != 0) {
        fputs("assay: out of memory\n", stderr);
        return;
    }
    output_text(out, "assay: ");
    text_show(out, slice_of(text));
    output_char(out, '\n');
    output_commit(out, NULL);
}

void cli_message(const char *fmt, ...)
{
    char text[MESSAGE_LEN];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    show_message(text);
}

int cli_usage(const struct verb *verb, const char *fmt, ...)
{
    char text[MESSAGE_LEN];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    show_message(text);
    if (verb && *verb->name)
        cli_message("try 'assay %s --help'", verb->name);
    else
        cli_message("try 'assay --help'");
    return CLI_USAGE;
}

/* ---- verbs ---- */

const struct verb *cli_find_verb(const char *name)
{
    for (const struct verb *const *v = cli_verbs; *v; v++)
        if (strcmp((*v)->name, name) == 0) return *v;
    return NULL;
}

const char *cli_word(const struct verb *verb)
{
    const char *blank = strchr(verb->name, ' ');
    return blank ? blank + 1 : verb->name;
}

const struct family *cli_family(const struct verb *verb)
{
    for (const struct family *const *f = cli_families; *f; f++)
        if ((*f)->verb == verb) return *f;
    return NULL;
}

const struct verb *cli_find_command(const struct family *family, const char *word)
{
    for (const struct verb *const *v = family->commands; *v; v++)
        if (strcmp(cli_word(*v), word) == 0) return *v;
    return NULL;
}

int cli_unknown_verb(const char *name)
{
    const char *names[32];
    size_t n = 0;
    for (const struct verb *const *v = cli_verbs; *v && n + 1 < sizeof names / sizeof *names; v++) names[n++] = (*v)->name;
    names[n] = NULL;
    const char *best = options_nearest(name, names);
    if (best) return cli_usage(NULL, "unknown command '%s'; did you mean '%s'?", name, best);
    return cli_usage(NULL, "unknown command '%s' (and no such file)", name);
}

/* ---- running ---- */

static int check_settings(const struct cli *c)
{
    const struct settings *s = &c->set;
    const struct verb *v = c->verb;
    if ((s->json != 0) + cli_csv(s) + s->markdown > 1) return cli_usage(v, "--json, --csv and --markdown cannot be combined");
    if (s->files.len < v->least_files && v->run != report_run)
        return cli_usage(v, "%s needs %s%s", v->name, v->arguments, strchr(v->name, ' ') ? "" : " ('-' is standard input)");
    if (s->files.len > v->most_files) return cli_usage(v, "%s: unexpected argument '%s'", v->name, s->files.at[v->most_files]);
    return CLI_OK;
}

int cli_run(struct cli *c, int argc, char **argv)
{
    assay_error err = { 0 };
    /* Who asked for help first gets it. */
    if (!cli_load_options(&c->mem, c->verb)) return error_memory(&err), cli_fail(c, &err);
    const struct options_taker library = { report_take, c, report_own_options }, formats = { format_options_take, c, c->verb->own };
    const struct options_taker *taker = c->verb->as ? &library : c->verb->own ? &formats : NULL;
    if (options_parse(c->verb->options, argc, argv, taker, &c->set, &c->mem, &err) != 0 && !c->set.help) return cli_usage(c->verb, "%s", err.text);
    const char *output = c->set.output;
    terminal_init(&c->term, (enum color_when)c->set.color, c->set.no_progress, output && strcmp(output, "-") != 0);
    if (c->set.help) return help_run_verb(c, c->verb);
    if (!files_of_handles(c)) return error_memory(&err), cli_fail(c, &err);
    int wrong = check_settings(c);
    if (!wrong && reading_check(&c->set.read, &err) != 0) wrong = cli_usage(c->verb, "%s", err.text);
    return wrong ? wrong : c->verb->run(c);
}

/* ---- exit codes ---- */

void cli_note(struct cli *c, int exit_code)
{
    if (exit_code > c->exit) c->exit = exit_code;
}

static int exit_of(int code, bool is_writing)
{
    switch (code) {
    case ASSAY_ERR_USAGE: return CLI_USAGE;
    case ASSAY_ERR_UNSUPPORTED: return is_writing ? CLI_OUTPUT : CLI_INPUT;
    case ASSAY_ERR_UNKNOWN:
    case ASSAY_ERR_AMBIGUOUS:
    case ASSAY_ERR_VERSION:
    case ASSAY_ERR_EMPTY:
    case ASSAY_ERR_DAMAGED:
    case ASSAY_ERR_TRUNCATED:
    case ASSAY_ERR_LIMIT:
    case ASSAY_ERR_SYSTEM: return CLI_INPUT;
    default: return CLI_OUTPUT;
    }
}

static int fail(struct cli *c, const assay_error *err, bool is_writing)
{
    char text[MESSAGE_LEN];
    assay_error named = *err;
    int code = exit_of(err->code, is_writing);
    cli_note(c, code);
    /* Who pressed ^C knows why it ended. */
    if (err->code == ASSAY_ERR_CANCELLED || interrupt_pending()) return code;
    if (strcmp(named.path, "-") == 0) snprintf(named.path, sizeof named.path, "standard %s", err->code == ASSAY_ERR_WRITE ? "output" : "input");
    assay_error_format(&named, text, sizeof text);
    char limit[HINT_LEN];
    bool is_memory = err->hint == ASSAY_HINT_MAX_MEMORY;
    cli_message("%s%s", text, is_memory ? hint_of_memory(limit, c->set.read.max_memory != 0) : hint_of_error(err));
    return code;
}

int cli_fail(struct cli *c, const assay_error *err) { return fail(c, err, false); }

int cli_fail_write(struct cli *c, const assay_error *err) { return fail(c, err, true); }

/* ---- reading ---- */

uint64_t cli_max_memory(const struct cli *c) { return c->set.read.max_memory ? c->set.read.max_memory : memory_limit_default().bytes; }

struct assay_read_options cli_read_options(struct cli *c, const char *path, uint32_t want)
{
    progress_begin(&c->progress, &c->term, path);
    struct assay_read_options o = reading_options(&c->set.read, want, &c->filter);
    o.max_memory = cli_max_memory(c);
    o.progress = progress_step;
    o.progress_arg = &c->progress;
    o.style = c->set.style;
    return o;
}

void cli_read_done(struct cli *c) { progress_end(&c->progress); }

void cli_say_of_filters(const char *path, const assay_profile *p)
{
    size_t count;
    const assay_finding *f = assay_profile_warnings(p, &count);
    for (size_t i = 0; i < count; i++)
        if ((strncmp(f[i].rule, "FI-", 3) == 0 || strcmp(f[i].rule, "CG32") == 0) && f[i].severity != ASSAY_INFO) cli_message("%s: %s", path, f[i].message);
}

int cli_read_profile(struct cli *c, const char *path, uint32_t want, assay_profile **out, assay_error *err)
{
    struct assay_read_options o = cli_read_options(c, path, want);
    int rc = assay_read(path, &o, out, err);
    cli_read_done(c);
    if (rc == 0) cli_say_of_filters(path, *out);
    return rc;
}

/* ---- writing ---- */

bool cli_open_output(struct cli *c, struct output **out)
{
    assay_error err = { 0 };
    const char *path = c->set.output ? c->set.output : "-";
    interrupt_hold_for(path);
    if (output_open(out, path, &c->mem, &err) == 0) {
        c->mem.limit = (size_t)cli_max_memory(c); /* what is computed from here on counts */
        return true;
    }
    error_path(&err, path);
    cli_fail_write(c, &err);
    return false;
}

static int close_output(struct cli *c, struct output *out, bool is_paged)
{
    assay_error err = { 0 };
    if (interrupt_pending()) {
        output_abort(out);
        return c->exit;
    }
    int rc = output_commit(out, &err);
    if (rc == 0 || (is_paged && err.sys_errno == EPIPE)) return c->exit;
    error_path(&err, c->set.output ? c->set.output : "-");
    cli_fail_write(c, &err);
    return c->exit;
}

int cli_close_output(struct cli *c, struct output *out) { return close_output(c, out, false); }

int cli_close_paged(struct cli *c, struct output *out) { return close_output(c, out, c->term.pager != 0); }

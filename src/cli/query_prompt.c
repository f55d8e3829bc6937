/* The prompt of `assay query` on a terminal: statements that end with a semicolon, and a few commands that begin with a dot. With libedit there are a history and completion of tables, columns and commands;
 * without it lines are read as they come. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "assay/cancel.h"
#include "base/error.h"
#include "base/slice.h"
#include "cli/cli.h"
#include "cli/query.h"

#ifdef ASSAY_HAVE_EDIT
#include <editline/readline.h>
#endif

enum { LINE_MOST = 1 << 20, PATH_LEN = 4096, HISTORY_MOST = 1000 };

struct prompt {
    struct cli *c;
    assay_query *q;
    bool has_timer, is_over;
};

static const char *const commands[] = { ".exit", ".format", ".help", ".named", ".quit", ".schema", ".tables", ".timer", NULL };

/* ---- lines ---- */

#ifdef ASSAY_HAVE_EDIT
/* Completion has no argument of its own. */
static const assay_query *completing;

static char *next_command(const char *text, int state)
{
    static size_t at;
    if (!state) at = 0;
    while (commands[at])
        if (strncmp(commands[at++], text, strlen(text)) == 0) return strdup(commands[at - 1]);
    return NULL;
}

/* Tables, then their columns; a name that several tables have comes several times, which the list does not show. */
static char *next_name(const char *text, int state)
{
    static size_t table, column;
    const struct assay_query_table *t;
    if (!state) table = column = 0;
    for (; (t = assay_query_table_at(completing, table)); table++, column = 0)
        while (column <= t->column_count) {
            const char *name = column ? t->columns[column - 1].name : t->name;
            column++;
            if (strncmp(name, text, strlen(text)) == 0) return strdup(name);
        }
    return NULL;
}

static char **complete(const char *text, int start, int end)
{
    (void)end;
    rl_attempted_completion_over = 1; /* no names of files */
    return rl_completion_matches(text, start == 0 && text[0] == '.' ? next_command : next_name);
}

/* Where the history is kept; false = nowhere. */
static bool history_path(char *buf, size_t len)
{
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    int written = state && *state ? snprintf(buf, len, "%s/assay-query-history", state)
                  : home && *home ? snprintf(buf, len, "%s/.assay-query-history", home)
                                  : -1;
    return written > 0 && (size_t)written < len;
}

static void begin_lines(const struct prompt *p)
{
    char path[PATH_LEN];
    completing = p->q;
    rl_readline_name = "assay";
    rl_attempted_completion_function = complete;
    using_history();
    stifle_history(HISTORY_MOST);
    if (history_path(path, sizeof path)) (void)read_history(path);
}

static void end_lines(void)
{
    char path[PATH_LEN];
    mode_t old = umask(077); /* statements are nobody else's business */
    if (history_path(path, sizeof path)) (void)write_history(path);
    (void)umask(old);
}

static char *read_line(const char *prompt)
{
    char *line = readline(prompt);
    if (line && line[strspn(line, " \t")]) add_history(line);
    return line;
}
#else
static void begin_lines(const struct prompt *p) { (void)p; }
static void end_lines(void) {}

static char *read_line(const char *prompt)
{
    char *line = NULL;
    size_t room = 0;
    fputs(prompt, stdout);
    fflush(stdout);
    if (getline(&line, &room, stdin) < 0) {
        free(line);
        return NULL;
    }
    line[strcspn(line, "\n")] = 0;
    return line;
}
#endif

/* ---- commands ---- */

static void list_tables(const struct prompt *p, struct output *out)
{
    const struct assay_query_table *t;
    for (size_t i = 0; (t = assay_query_table_at(p->q, i)); i++) output_printf(out, "%-16s %s\n", t->name, t->text);
}

static void show_help(struct output *out)
{
    output_text(out, "A statement ends with a semicolon. ^C ends one that runs, ^D leaves.\n"
                     ".tables          list the tables\n"
                     ".schema [TABLE]  list columns, with what they mean\n"
                     ".named [NAME]    run a named question; without NAME, list them\n"
                     ".format STYLE    table, csv, json, jsonl or markdown\n"
                     ".timer on|off    print how long statements take\n"
                     ".quit            leave\n");
}

static void set_format(const struct prompt *p, const char *word)
{
    for (unsigned i = 0; query_styles[i]; i++)
        if (strcmp(query_styles[i], word) == 0) {
            p->c->set.style_word = i;
            return;
        }
    cli_message(".format takes table, csv, json, jsonl or markdown");
}

static void run_sql(struct prompt *p, struct output *out, const char *sql)
{
    struct timespec from, to;
    assay_error err = { 0 };
    interrupt_hold();
    clock_gettime(CLOCK_MONOTONIC, &from);
    int rc = query_run_statements(p->c, out, p->q, sql, &err);
    clock_gettime(CLOCK_MONOTONIC, &to);
    interrupt_release(); /* once cancelled there is no memory, not even for a message */
    assay_cancel_set(interrupt_asked, NULL);
    if (rc == ASSAY_ERR_CANCELLED)
        cli_message("interrupted");
    else if (rc != 0)
        cli_message("%s%s%s", err.path, err.path[0] ? ": " : "", err.text);
    else if (p->has_timer)
        output_printf(out, "%.3f s\n", (double)(to.tv_sec - from.tv_sec) + (double)(to.tv_nsec - from.tv_nsec) / 1e9);
}

static void run_named(struct prompt *p, struct output *out, const char *name)
{
    assay_error err = { 0 };
    if (!*name) {
        query_list_named(out, p->c->set.queries);
        return;
    }
    char *sql = query_named_sql(p->c->set.queries, name, &err);
    if (sql)
        run_sql(p, out, sql);
    else
        cli_message("%s", err.text);
    free(sql);
}

static void run_command(struct prompt *p, struct output *out, char *line)
{
    char *word = line + strcspn(line, " \t");
    if (*word) *word++ = 0;
    word += strspn(word, " \t");
    word[strcspn(word, " \t;")] = 0;
    if (strcmp(line, ".quit") == 0 || strcmp(line, ".exit") == 0)
        p->is_over = true;
    else if (strcmp(line, ".tables") == 0)
        list_tables(p, out);
    else if (strcmp(line, ".schema") == 0)
        query_print_schema(out, p->q, *word ? word : NULL);
    else if (strcmp(line, ".named") == 0)
        run_named(p, out, word);
    else if (strcmp(line, ".format") == 0)
        set_format(p, word);
    else if (strcmp(line, ".timer") == 0)
        p->has_timer = strcmp(word, "off") != 0;
    else
        show_help(out);
}

/* ---- the loop ---- */

/* Each answer is an output of its own, so that it is on the screen before the next line is read. */
static void answer(struct prompt *p, char *text)
{
    struct output *out;
    assay_error err = { 0 };
    if (output_open(&out, "-", &p->c->mem, &err) != 0) {
        cli_message("%s", err.text);
        return;
    }
    if (text[0] == '.')
        run_command(p, out, text);
    else
        run_sql(p, out, text);
    if (output_commit(out, &err) != 0) p->is_over = true;
}

static bool is_complete(const char *text, size_t len)
{
    while (len && strchr(" \t\r", text[len - 1])) len--;
    return len && (text[0] == '.' || text[len - 1] == ';');
}

void query_prompt(struct cli *c, assay_query *q)
{
    struct prompt p = { .c = c, .q = q };
    char *text = malloc(LINE_MOST + 2), *line;
    size_t len = 0;
    if (!text) return;
    printf("Ask in SQL; .tables lists the tables, .help the commands.\n");
    fflush(stdout);
    begin_lines(&p);
    while (!p.is_over && (line = read_line(len ? "  ...> " : "assay> "))) {
        size_t more = strlen(line);
        if (!len && !line[strspn(line, " \t;")]) more = 0;
        if (more && len + more <= LINE_MOST) {
            memcpy(text + len, line, more);
            len += more;
            if (is_complete(text, len)) {
                text[len] = 0;
                answer(&p, text);
                len = 0;
            } else
                text[len++] = '\n';
        } else if (more) {
            cli_message("a statement has 1 MiB at most");
            len = 0;
        }
        free(line);
    }
    end_lines();
    free(text);
}

/* The prompt of `assay query` on a terminal: statements that end with a semicolon, and a few commands that begin with a dot. With libedit there are a history and completion of tables, columns and commands;
 * without it, or where it is not installed, lines are read as they come. */
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "assay/cancel.h"
#include "base/error.h"
#include "base/slice.h"
#include "cli/cli.h"
#include "cli/query.h"

#ifdef ASSAY_HAVE_EDIT
#include <late_edit.h>
#endif

enum { LINE_MOST = 1 << 20, PATH_LEN = 4096, HISTORY_MOST = 1000, INTERRUPT_KEY = 3 };

struct prompt {
    struct cli *c;
    assay_query *q;
    bool has_timer, is_over;
};

/* ---- lines ---- */

static char *read_plain_line(const char *prompt, bool *is_dropped)
{
    char *line = NULL;
    size_t room = 0;
    fputs(prompt, stdout);
    fflush(stdout);
    interrupt_hold();
    bool is_end = getline(&line, &room, stdin) < 0;
    *is_dropped = interrupt_pending() == SIGINT;
    if (!*is_dropped) interrupt_obey();
    interrupt_release();
    clearerr(stdin);
    if (is_end || *is_dropped) {
        free(line);
        return NULL;
    }
    line[strcspn(line, "\n")] = 0;
    return line;
}

#ifdef ASSAY_HAVE_EDIT
/* Completion and keys have no argument of their own. */
static const assay_query *completing;
static bool is_abandoned, has_edit;

static const char *const commands[] = { ".exit", ".format", ".help", ".named", ".quit", ".schema", ".tables", ".timer", NULL };
static const char *const keywords[] = { "and",   "as",     "asc",       "between", "by",     "case", "desc",  "distinct", "else", "end",   "exists", "from",
                                        "group", "having", "in",        "is",      "join",   "left", "like",  "limit",    "not",  "null",  "on",     "or",
                                        "order", "over",   "partition", "regexp",  "select", "then", "union", "using",    "when", "where", "with",   NULL };

static char *next_command(const char *text, int state)
{
    static size_t at;
    if (!state) at = 0;
    while (commands[at]) /* the dot is no part of the word */
        if (strncmp(commands[at++] + 1, text, strlen(text)) == 0) return strdup(commands[at - 1] + 1);
    return NULL;
}

/* The names in the order of tables, each with its columns behind it; NULL = there are no more. */
static const char *name_at(size_t *table, size_t *column)
{
    const struct assay_query_table *t = assay_query_table_at(completing, *table);
    if (!t) return NULL;
    const char *name = *column ? t->columns[*column - 1].name : t->name;
    if (++*column > t->column_count) {
        *column = 0;
        ++*table;
    }
    return name;
}

/* Whether a name comes before this place, too: many tables have columns of the same name. */
static bool was_named(const char *name, size_t end_table, size_t end_column)
{
    size_t table = 0, column = 0;
    while (table < end_table || (table == end_table && column < end_column))
        if (strcmp(name_at(&table, &column), name) == 0) return true;
    return false;
}

static char *next_name(const char *text, int state)
{
    static size_t keyword, table, column;
    if (!state) keyword = table = column = 0;
    while (keywords[keyword])
        if (strncmp(keywords[keyword++], text, strlen(text)) == 0) return strdup(keywords[keyword - 1]);
    for (;;) {
        size_t its_table = table, its_column = column;
        const char *name = name_at(&table, &column);
        if (!name) return NULL;
        if (strncmp(name, text, strlen(text)) == 0 && !was_named(name, its_table, its_column)) return strdup(name);
    }
}

static char **complete(const char *text, int start, int end)
{
    (void)end;
    rl_attempted_completion_over = 1; /* no names of files */
    return rl_completion_matches(text, start == 1 && rl_line_buffer[0] == '.' ? next_command : next_name);
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

/* ^C while a line is typed is a key like others, for libedit would start its read again after a signal. While a statement runs it is a signal. */
static void set_interrupt_key(bool is_signal)
{
    static cc_t usual;
    static bool is_known;
    struct termios t;
    if (tcgetattr(STDIN_FILENO, &t) != 0) return;
    if (!is_known) usual = t.c_cc[VINTR];
    is_known = true;
    t.c_cc[VINTR] = is_signal ? usual : _POSIX_VDISABLE;
    (void)tcsetattr(STDIN_FILENO, TCSADRAIN, &t);
}

static int abandon_line(int count, int key)
{
    (void)count;
    (void)key;
    is_abandoned = true;
    rl_done = 1;
    return 0;
}

static void begin_lines(const struct prompt *p)
{
    static char breaks[] = " \t\n.,;()=<>+-*/|'\"";
    char path[PATH_LEN];
    assay_error err;
    has_edit = late_edit_load(&err) == 0;
    if (!has_edit) return;
    (void)setlocale(LC_CTYPE, ""); /* else only ASCII can be typed; no output depends on it */
    completing = p->q;
    rl_readline_name = "assay";
    rl_attempted_completion_function = complete;
    rl_basic_word_break_characters = rl_completer_word_break_characters = breaks;
    set_interrupt_key(false);
    (void)rl_initialize();
    (void)rl_add_defun("assay-abandon", abandon_line, INTERRUPT_KEY);
    set_interrupt_key(true);
    using_history();
    stifle_history(HISTORY_MOST);
    if (history_path(path, sizeof path)) (void)read_history(path);
}

static void end_lines(void)
{
    char path[PATH_LEN];
    if (!has_edit) return;
    mode_t old = umask(077); /* statements are nobody else's business */
    if (history_path(path, sizeof path)) (void)write_history(path);
    (void)umask(old);
}

static char *read_line(const char *prompt, bool *is_dropped)
{
    is_abandoned = false;
    if (!has_edit) return read_plain_line(prompt, is_dropped);
    set_interrupt_key(false);
    char *line = readline(prompt);
    set_interrupt_key(true);
    *is_dropped = is_abandoned;
    if (line && !is_abandoned && line[strspn(line, " \t")]) add_history(line);
    return line;
}
#else
static void begin_lines(const struct prompt *p) { (void)p; }
static void end_lines(void) {}
static char *read_line(const char *prompt, bool *is_dropped) { return read_plain_line(prompt, is_dropped); }
#endif

/* ---- commands ---- */

static void list_tables(const struct prompt *p, struct output *out)
{
    const struct assay_query_table *t;
    for (size_t i = 0; (t = assay_query_table_at(p->q, i)); i++) output_printf(out, "%-16s %s\n", t->name, t->text);
}

static void show_help(struct output *out)
{
    output_text(out, "A statement ends with a semicolon. ^C ends one that runs and drops one that is being typed, ^D leaves.\n"
                     ".tables          list the tables\n"
                     ".schema [TABLE]  list columns, with what they mean\n"
                     ".named [NAME]    run a named question; without NAME, list them\n"
                     ".format STYLE    table, csv, json, jsonl or markdown\n"
                     ".timer on|off    print how long statements take\n"
                     ".quit            leave\n");
}

static void show_schema(const struct prompt *p, struct output *out, const char *table)
{
    const struct assay_query_table *t;
    size_t i = 0;
    while (*table && (t = assay_query_table_at(p->q, i)) && strcmp(t->name, table) != 0) i++;
    if (*table && !t)
        cli_message("there is no table '%s'; .tables lists them", table);
    else
        query_print_schema(out, p->q, *table ? table : NULL);
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
        show_schema(p, out, word);
    else if (strcmp(line, ".named") == 0)
        run_named(p, out, word);
    else if (strcmp(line, ".format") == 0)
        set_format(p, word);
    else if (strcmp(line, ".timer") == 0)
        p->has_timer = strcmp(word, "off") != 0;
    else if (strcmp(line, ".help") == 0)
        show_help(out);
    else
        cli_message("there is no command '%s'; .help lists them", line);
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

/* Adds a line to the statement, and answers it when that completes it. */
static void take_line(struct prompt *p, char *text, size_t *len, const char *line)
{
    size_t more = strlen(line);
    if (!*len && !line[strspn(line, " \t;")]) return;
    if (*len + more > LINE_MOST) {
        cli_message("a statement has 1 MiB at most");
        *len = 0;
        return;
    }
    memcpy(text + *len, line, more);
    *len += more;
    if (!is_complete(text, *len)) {
        text[(*len)++] = '\n';
        return;
    }
    text[*len] = 0;
    answer(p, text);
    *len = 0;
}

void query_prompt(struct cli *c, assay_query *q)
{
    struct prompt p = { .c = c, .q = q };
    char *text = malloc(LINE_MOST + 2);
    size_t len = 0;
    if (!text) return;
    printf("Ask in SQL; .tables lists the tables, .help the commands.\n");
    fflush(stdout);
    begin_lines(&p);
    while (!p.is_over) {
        bool is_dropped;
        char *line = read_line(len ? "  ...> " : "assay> ", &is_dropped);
        if (!line && !is_dropped) break;
        if (is_dropped) {
            puts("^C");
            len = 0;
        } else
            take_line(&p, text, &len, line);
        free(line);
    }
    end_lines();
    free(text);
}

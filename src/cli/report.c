/* The verbs that the library has, run by the command: it reads the arguments, opens the output, and hands over messages and progress. */
#include "cli/report.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/vec.h"
#include "cli/handles.h"
#include "cli/shared.h"

/* Those that the command itself looks at. */
const struct option_spec report_own_options[] = {
    OPTION_HELP, OPTION_OUTPUT, OPTION_COLOR, OPTION_NO_PROGRESS, OPTION_NO_PAGER, OPTION_MAX_MEMORY, OPTION_END,
};

bool report_take(void *arg, const char *key, const char *value)
{
    struct cli *c = arg;
    if (strcmp(key, "base") == 0 && value && !(value = file_of_handle(c, value))) return false;
    struct assay_option *o = vec_push(&c->mem, &c->options);
    if (o) *o = (struct assay_option){ key, value };
    return o != NULL;
}

/* ---- the sink ---- */

struct sink {
    struct cli *c;
    struct output *out;
    pthread_mutex_t screen; /* while threads read, one may print as another shows its progress */
};

static void clear_screen(struct sink *s)
{
    pthread_mutex_lock(&s->screen);
    cli_read_done(s->c);
}

static int put(void *arg, const char *data, size_t len)
{
    struct sink *s = arg;
    clear_screen(s);
    output_bytes(s->out, data, len);
    pthread_mutex_unlock(&s->screen);
    return output_failed(s->out);
}

static void say(void *arg, const char *text)
{
    struct sink *s = arg;
    clear_screen(s);
    cli_message("%s", text);
    pthread_mutex_unlock(&s->screen);
}

static void fail(void *arg, const assay_error *err)
{
    struct sink *s = arg;
    clear_screen(s);
    cli_fail(s->c, err);
    pthread_mutex_unlock(&s->screen);
}

static void show_reading(void *arg, const char *path)
{
    struct sink *s = arg;
    clear_screen(s);
    progress_begin(&s->c->progress, &s->c->term, path);
    pthread_mutex_unlock(&s->screen);
}

static int step(void *arg, uint64_t done_bytes, uint64_t total_bytes)
{
    struct sink *s = arg;
    pthread_mutex_lock(&s->screen);
    int rc = progress_step(&s->c->progress, done_bytes, total_bytes);
    pthread_mutex_unlock(&s->screen);
    return rc;
}

/* ---- the run ---- */

/* The limit that the machine sets, where the person sets none. */
static int begin(struct cli *c, struct sink *sink, size_t inputs, assay_reporter **r)
{
    char limit[32];
    assay_error err = { 0 };
    struct assay_report_sink to = { .size = sizeof to,
                                    .arg = sink,
                                    .write = put,
                                    .message = say,
                                    .failed = fail,
                                    .progress = step,
                                    .reading = show_reading,
                                    .width = c->term.width,
                                    .color = c->term.color };
    snprintf(limit, sizeof limit, "%llu", (unsigned long long)cli_max_memory(c));
    bool takes_limit = option_find(c->verb->options, "max-memory") && !c->set.read.max_memory;
    int rc = !takes_limit || report_take(c, "max-memory", limit) ? 0 : error_memory(&err);
    if (rc == 0) rc = assay_reporter_new(c->verb->as, c->options.at, c->options.len, inputs, &to, r, &err);
    if (rc == ASSAY_ERR_USAGE) return cli_usage(c->verb, "%s", err.text);
    return rc == 0 ? CLI_OK : cli_fail(c, &err);
}

static void add_files(struct cli *c, assay_reporter *r, size_t first)
{
    assay_error err = { 0 };
    int rc = assay_reporter_files(r, vec_from(&c->set.files, first), c->set.files.len - first, &err);
    cli_read_done(c);
    if (rc != 0) cli_fail(c, &err);
}

static int end(struct cli *c, assay_reporter *r, struct output *out)
{
    assay_error err = { 0 };
    int rc = assay_reporter_is_over(r) ? ASSAY_ERR_UNSUPPORTED : assay_reporter_end(r, &err);
    if (assay_reporter_is_no(r)) cli_note(c, CLI_NO);
    if (rc == 0 || output_failed(out)) return cli_close_output(c, out);
    if (err.code) cli_fail(c, &err);
    output_abort(out);
    return c->exit;
}

int report_run(struct cli *c)
{
    struct sink sink = { .c = c, .screen = PTHREAD_MUTEX_INITIALIZER };
    assay_reporter *r = NULL;
    size_t words = 0;
    const char *const *word = assay_verb_find(c->verb->as)->words;
    for (; word && *word && words < c->set.files.len; word++, words++)
        if (!report_take(c, *word, c->set.files.at[words])) return CLI_OUTPUT;
    int code = begin(c, &sink, c->set.files.len - words, &r);
    if (code != CLI_OK) return code;
    if (cli_open_output(c, &sink.out)) {
        add_files(c, r, words);
        code = end(c, r, sink.out);
    } else
        code = c->exit;
    assay_reporter_free(r);
    return code;
}

static void add_profiles(struct cli *c, assay_reporter *r, const struct report_input *inputs, size_t count)
{
    for (size_t i = 0; i < count && !assay_reporter_is_over(r); i++) {
        assay_error err = { 0 };
        if (assay_reporter_add(r, inputs[i].name, inputs[i].profile, &err) != 0) cli_fail(c, &err);
    }
}

int report_run_profiles(struct cli *c, const struct report_input *inputs, size_t count, const assay_changes *changes)
{
    struct sink sink = { .c = c, .screen = PTHREAD_MUTEX_INITIALIZER };
    assay_reporter *r = NULL;
    int code = begin(c, &sink, count, &r);
    if (code != CLI_OK) return code;
    assay_reporter_changes(r, changes);
    if (cli_open_output(c, &sink.out)) {
        add_profiles(c, r, inputs, count);
        code = end(c, r, sink.out);
    } else
        code = c->exit;
    assay_reporter_free(r);
    return code;
}

bool report_has(const struct cli *c, const char *key)
{
    for (size_t i = 0; i < c->options.len; i++)
        if (strcmp(c->options.at[i].key, key) == 0) return true;
    return false;
}

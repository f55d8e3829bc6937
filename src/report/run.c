/* The run of a verb, from options to output; see assay/report.h. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "analysis/core/formula_file.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/input.h"
#include "base/pattern.h"
#include "base/scoped.h"
#include "report/verb.h"

enum { MESSAGE_LEN = 1600 /* path and text of an assay_error, and a few words */ };

/* ---- the table ---- */

size_t assay_verb_count(void)
{
    size_t n = 0;
    while (report_verbs[n]) n++;
    return n;
}

const struct assay_verb *assay_verb_at(size_t i) { return i < assay_verb_count() ? &report_verbs[i]->about : NULL; }

static const struct report_verb *find_verb(const char *name)
{
    for (const struct report_verb *const *v = report_verbs; *v; v++)
        if (strcmp((*v)->about.name, name) == 0) return *v;
    return NULL;
}

const struct assay_verb *assay_verb_find(const char *name)
{
    const struct report_verb *v = find_verb(name);
    return v ? &v->about : NULL;
}

bool assay_verb_option_at(const struct assay_verb *verb, size_t i, struct assay_option_info *out)
{
    const struct report_verb *v = (const struct report_verb *)((const char *)verb - offsetof(struct report_verb, about));
    return option_info(v->options, i, out);
}

/* ---- messages ---- */

void report_say(const assay_reporter *r, const char *fmt, ...)
{
    char text[MESSAGE_LEN];
    va_list args;
    if (!r->sink.message) return;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    r->sink.message(r->sink.arg, text);
}

void report_late(assay_reporter *r, const assay_error *err)
{
    if (r->sink.failed)
        r->sink.failed(r->sink.arg, err);
    else
        r->late = *err;
}

void report_input_failed(assay_reporter *r, const char *path, assay_error *err)
{
    error_path(err, path);
    report_failed(&r->report, path, err);
    report_late(r, err);
}

/* ---- options ---- */

static const char *format_at(size_t i)
{
    const struct assay_format_info *f = assay_format_at(i);
    return f ? f->name : NULL;
}

/* The words of the usage line. NULL = it is none of them. */
static const char **word_of(assay_reporter *r, const char *key)
{
    if (strcmp(key, "FUNCTION") == 0) return &r->function;
    if (strcmp(key, "FROM") == 0) return &r->from;
    if (strcmp(key, "TO") == 0) return &r->to;
    if (strcmp(key, "CHANGE") == 0) return &r->change;
    return strcmp(key, "FILE") == 0 ? &r->file : NULL;
}

static int set_option(assay_reporter *r, const struct assay_option *option, assay_error *err)
{
    struct option_target to = { .settings = &r->set, .mem = &r->mem, .text = &r->text, .format_at = format_at };
    const char *value = NULL, **word = word_of(r, option->key);
    if (option->value && !(value = arena_copy(&r->text, slice_of(option->value)))) return error_memory(err);
    if (word) {
        *word = value;
        return 0;
    }
    const struct option_spec *o = option_find(r->verb->options, option->key);
    return o ? option_put(o, value, &to, err) : option_unknown(r->verb->options, option->key, err);
}

static int check(assay_reporter *r, assay_error *err)
{
    const struct settings *s = &r->set;
    const struct assay_verb *v = &r->verb->about;
    size_t words = r->inputs + (s->base != NULL) + (r->function != NULL) + (r->from != NULL) + (r->to != NULL);
    if ((s->sarif || s->junit) && (s->json != 0) + report_is_csv(s) + s->markdown + s->sarif + s->junit > 1)
        FAIL(err, ASSAY_ERR_USAGE, "--sarif and --junit cannot be combined with each other, or with --json, --csv and --markdown");
    if ((s->json != 0) + report_is_csv(s) + s->markdown > 1) FAIL(err, ASSAY_ERR_USAGE, "--json, --csv and --markdown cannot be combined");
    if (words < v->least_files) FAIL(err, ASSAY_ERR_USAGE, "%s needs %s ('-' is standard input)", v->name, v->arguments);
    if (s->base && r->inputs > 1 && !s->has_scaling) FAIL(err, ASSAY_ERR_USAGE, "%s takes one FILE with --base", v->name);
    TRY(reading_check(&s->read, err));
    return r->verb->check ? r->verb->check(r, err) : 0;
}

/* ---- the run ---- */

static int write_nothing(void *arg, const char *data, size_t len)
{
    (void)arg;
    (void)data;
    (void)len;
    return 0;
}

static int open_report(assay_reporter *r, assay_error *err)
{
    const struct settings *s = &r->set;
    r->report = (struct report){
        .mem = &r->mem,
        .style = s->json            ? REPORT_JSON
                 : report_is_csv(s) ? REPORT_CSV
                 : s->markdown      ? REPORT_MARKDOWN
                 : s->sarif         ? REPORT_SARIF
                 : s->junit         ? REPORT_JUNIT
                                    : REPORT_TEXT,
        .exact = s->exact,
        .raw = s->csv_raw,
        .color = r->sink.color,
        .verbose = s->verbose,
        .full_names = s->full_names,
        .per_call = s->per_call,
        .is_short = s->json == JSON_SHORT,
        .all = s->all,
        .width = r->sink.width,
        .has_limit = s->has_limit,
        .limit = s->limit,
        .file_count = r->inputs,
    };
    TRY(output_open_fn(&r->report.out, r->sink.write ? r->sink.write : write_nothing, r->sink.arg, &r->mem, err));
    json_init(&r->report.json, r->report.out);
    r->mem.limit = (size_t)s->read.max_memory; /* what is computed from here on counts */
    return 0;
}

/* What --metric names of a file of formulas is written out. */
static int name_metrics(assay_reporter *r, assay_error *err)
{
    if (r->set.metrics && !r->set.metric) FAIL(err, ASSAY_ERR_USAGE, "--metrics defines names for --metric; add --metric NAME");
    return r->set.metrics ? formula_file_apply(r->set.metrics, &r->mem, &r->text, &r->set.metric, err) : 0;
}

static int init(assay_reporter *r, const struct assay_option *options, size_t count, assay_error *err)
{
    for (size_t i = 0; i < count; i++) TRY(set_option(r, &options[i], err));
    (void)report_read_options(r, 0); /* verbs look at the filter */
    r->state = mem_zalloc(&r->mem, 1, r->verb->state);
    if (!r->state) return error_memory(err);
    TRY(name_metrics(r, err));
    TRY(check(r, err));
    return open_report(r, err);
}

int assay_reporter_new(const char *verb, const struct assay_option *options, size_t count, size_t inputs, const struct assay_report_sink *sink,
                       assay_reporter **out, assay_error *err)
{
    struct mem mem;
    assay_error local;
    err = error_enter(err, &local);
    *out = NULL;
    const struct report_verb *v = find_verb(verb);
    if (!v) FAIL(err, ASSAY_ERR_USAGE, "there is no report '%s'", verb);
    if (!sink || sink->size < sizeof sink->size) FAIL(err, ASSAY_ERR_USAGE, "the sink does not state its size");
    mem_init(&mem, 0);
    assay_reporter *r = mem_zalloc(&mem, 1, sizeof *r);
    if (!r) return error_memory(err);
    r->verb = v;
    r->inputs = inputs;
    r->needs_all = v->needs_all;
    mem_init(&r->mem, 0);
    arena_init(&r->text, &r->mem);
    memcpy(&r->sink, sink, sink->size < sizeof *sink ? sink->size : sizeof *sink);
    int rc = init(r, options, count, err);
    if (rc != 0)
        assay_reporter_free(r);
    else
        *out = r;
    return rc;
}

uint32_t assay_reporter_want(const assay_reporter *r) { return r->verb->want ? r->verb->want(r) : 0; }

bool assay_reporter_is_over(const assay_reporter *r) { return r->is_over; }

bool assay_reporter_is_no(const assay_reporter *r) { return r->is_no; }

void assay_reporter_changes(assay_reporter *r, const assay_changes *changes) { r->changes = changes; }

void report_lend(assay_reporter *r, const assay_top *top, const struct arcs *arcs)
{
    r->top = top;
    r->arcs = arcs;
}

int report_begin(assay_reporter *r, assay_error *err)
{
    if (r->has_begun) return 0;
    r->has_begun = true;
    int rc = r->verb->begin ? r->verb->begin(r, err) : 0;
    if (rc != 0) r->is_over = true;
    return rc;
}

/* An input is left out. A verb that looks at files by itself tells of it in its rows. */
static void note_failure(assay_reporter *r, const char *path, assay_error *err)
{
    error_path(err, path);
    if (r->verb->want) report_failed(&r->report, path, err);
    r->is_over |= r->needs_all;
}

static int add(assay_reporter *r, const char *path, assay_profile *p, assay_error *err)
{
    int rc = r->verb->add(r, path, p, err);
    if (!r->verb->tells_damage) report_say_damage(r, path, p);
    return rc;
}

int assay_reporter_add(assay_reporter *r, const char *name, assay_profile *p, assay_error *err)
{
    assay_error local;
    err = error_enter(err, &local);
    TRY(report_begin(r, err));
    r->begun++;
    const char *path = arena_copy(&r->text, slice_of(name));
    if (!path) return error_memory(err);
    r->is_read = r->is_from_file = false;
    if (!r->verb->add) FAIL(err, ASSAY_ERR_UNSUPPORTED, "%s looks at files, not at profiles", r->verb->about.name);
    int rc = cancel_end(add(r, path, p, err), err);
    if (rc != 0) note_failure(r, path, err);
    return rc;
}

static int settle_and_add(assay_reporter *r, const char *path, assay_error *err)
{
    struct verb_input *in = r->input;
    int rc = report_input_settle(r, path, in, err);
    if (rc == 0) return add(r, path, in->profile, err);
    if (in->profile && !r->verb->tells_damage) report_say_damage(r, path, in->profile);
    return r->verb->unread ? r->verb->unread(r, path, rc, err) : rc;
}

int report_input_add(assay_reporter *r, const char *path, struct verb_input *in, assay_error *err)
{
    r->begun++;
    path = arena_copy(&r->text, slice_of(path));
    if (!path) return error_memory(err);
    r->is_read = true;
    r->is_from_file = strcmp(path, "-") != 0; /* that cannot be read again */
    r->input = in;
    int rc = cancel_end(report_is_read(r) ? settle_and_add(r, path, err) : r->verb->file(r, path, err), err);
    r->input = NULL;
    if (rc != 0) note_failure(r, path, err);
    return rc;
}

int assay_reporter_end(assay_reporter *r, assay_error *err)
{
    assay_error local;
    err = error_enter(err, &local);
    int rc = report_begin(r, err);
    if (rc == 0 && r->verb->end) rc = cancel_end(r->verb->end(r, err), err);
    int printed = report_end(&r->report, rc == 0 ? err : NULL);
    struct output *out = r->report.out;
    r->report.out = NULL;
    if (rc == 0) rc = printed;
    if (rc != 0) {
        output_abort(out);
        return rc;
    }
    TRY(output_commit(out, err));
    if (r->late.code) *err = r->late;
    return r->late.code;
}

static void settings_done(struct settings *s, struct mem *mem)
{
    reading_done(&s->read, mem);
    vec_done(mem, &s->wanted_files, &s->wanted_functions);
}

void assay_reporter_free(assay_reporter *r)
{
    struct mem mem;
    if (!r) return;
    if (r->verb->done && r->state) r->verb->done(r);
    if (r->report.out) {
        (void)report_end(&r->report, NULL);
        output_abort(r->report.out);
    }
    mem_free(&r->mem, r->state, r->state ? r->verb->state : 0);
    settings_done(&r->set, &r->mem);
    arena_done(&r->text);
    mem_init(&mem, 0);
    mem_free(&mem, r, sizeof *r);
}

int assay_report(assay_profile *p, const char *verb, const struct assay_option *options, size_t count, const struct assay_report_sink *sink, bool *is_no,
                 assay_error *err)
{
    assay_reporter *r;
    TRY(assay_reporter_new(verb, options, count, 1, sink, &r, err));
    int rc = assay_reporter_add(r, r->file ? r->file : "-", p, err);
    if (rc == 0) rc = assay_reporter_end(r, err);
    if (is_no) *is_no = r->is_no;
    assay_reporter_free(r);
    return rc;
}

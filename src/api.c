/* The public calls on files: open, recognise, and hand over to the format. */
#include "assay/assay.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "analysis/core/formula_file.h"
#include "analysis/core/metric_columns.h"
#include "analysis/select/select.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/folder.h"
#include "base/options.h"
#include "format_options.h"
#include "model/profile.h"
#include "model/share.h"
#include "registry.h"

#define MAX_OUTPUT_DEFAULT ((uint64_t)64 << 30)
enum { PROFILE_SHARE = 2, READER_SHARE = 4 }; /* of options.memory: half for the profile, a quarter for what its reader needs meanwhile */

/* Everything one call on an input needs; the allocator first, because all else comes from it. */
struct session {
    struct mem mem;
    struct input *in;
    const struct format *format;
    struct assay_read_options options;
    struct assay_filter filter; /* where options.filter points */
    struct assay_input from;
    struct format_settings own; /* where job.own points */
    struct read_job job;
    bool sums_up; /* in a team: rank 0 gets the sums of all */
    bool is_due;  /* it waits for them */
};

/* The caller's filter, where there is one, as a whole. */
static int take_filter(struct assay_filter *full, const struct assay_filter **filter, assay_error *err)
{
    TRY(OPTIONS_TAKE(struct assay_filter, exclude_line_count, full, *filter, err));
    if (*filter) *filter = full;
    return 0;
}

static int session_init(struct session *s, const struct assay_input *from, const struct assay_read_options *options, assay_error *err)
{
    memset(s, 0, sizeof *s);
    TRY(OPTIONS_TAKE(struct assay_input, pull_arg, &s->from, from, err));
    TRY(OPTIONS_TAKE(struct assay_read_options, option_count, &s->options, options, err));
    TRY(take_filter(&s->filter, &s->options.filter, err));
    mem_init(&s->mem, (size_t)s->options.max_memory);
    mem_keep(&s->mem, (size_t)s->options.memory / READER_SHARE);
    if (!s->options.max_output) s->options.max_output = MAX_OUTPUT_DEFAULT;
    if (!s->options.max_string) s->options.max_string = INPUT_MAX_STRING;
    return 0;
}

static struct assay_input from_path(const char *path) { return (struct assay_input)ASSAY_FROM_PATH(path); }

static const char *name_of(const struct assay_input *from) { return from->name ? from->name : "input"; }

/* Opens it and recognises it. */
static int session_begin(struct session *s, int *score, const char **why, assay_error *err)
{
    struct input_options o = { &s->mem, s->options.max_output, s->options.progress, s->options.progress_arg, s->options.max_string };
    TRY(input_open_from(&s->in, &s->from, &o, err));
    TRY(registry_recognise(s->in, &s->options, &s->format, score, why, err));
    TRY(format_settings_take(&s->own, s->format, ASSAY_FOR_READING, s->options.options, s->options.option_count, &s->mem, err));
    s->job = (struct read_job){ .in = s->in, .options = &s->options, .mem = &s->mem, .own = s->own.at };
    return 0;
}

static int session_open(struct session *s, const struct assay_input *from, const struct assay_read_options *options, assay_error *err)
{
    TRY(session_init(s, from, options, err));
    return session_begin(s, NULL, NULL, err);
}

static void session_done(struct session *s)
{
    format_settings_done(&s->own);
    input_close(s->in);
    mem_end(&s->mem);
}

static int session_close(struct session *s, int rc, assay_error *err)
{
    rc = cancel_end(rc, err);
    if (rc != 0) error_path(err, name_of(&s->from));
    session_done(s);
    return rc;
}

static int unsupported(const struct format *f, const char *what, assay_error *err)
{
    return error_set(err, ASSAY_ERR_UNSUPPORTED, "%s cannot be %s", f->info.name, what);
}

/* To be asked when all was read, with what came of it: `rc`, or SYSTEM when the file shrank meanwhile, whatever followed from that. *has_changed: it
 * is not as it was. */
static int settle(const struct session *s, int rc, bool *has_changed, assay_error *err)
{
    assay_error cause = { 0 };
    *has_changed = false;
    if (!s->in || input_is_dir(s->in) || rc == ASSAY_ERR_MEMORY || rc == ASSAY_ERR_CANCELLED || rc == ASSAY_ERR_USAGE) return rc;
    int now = input_steady(s->in, has_changed, &cause);
    if (now == 0) return rc;
    *err = cause;
    return now;
}

static const char changed_text[] = "the file changed while it was being read; try again";

/* For callers that cannot attach a warning to their result. */
static int settle_strictly(const struct session *s, int rc, assay_error *err)
{
    bool has_changed;
    rc = settle(s, rc, &has_changed, err);
    return rc == 0 && has_changed ? error_set(err, ASSAY_ERR_SYSTEM, "%s", changed_text) : rc;
}

/* ---- read ---- */

static int read_into(struct session *s, assay_builder *b, assay_error *err)
{
    bool has_changed;
    int rc = settle(s, s->format->read(&s->job, b, err), &has_changed, err);
    if (has_changed) assay_build_warning(b, &(assay_finding){ .rule = "F-3", .severity = ASSAY_WARNING, .message = changed_text });
    if (!s->sums_up) return rc;
    TRY(team_agree(s->job.team, rc, err));
    s->is_due = true;
    return team_rank(s->job.team) ? 0 : share_take_sums(b, err);
}

static int read_all(struct session *s, assay_profile **out, assay_error *err)
{
    struct assay_build_options o = { .size = sizeof o,
                                     .want = s->options.want,
                                     .max_memory = s->options.max_memory,
                                     .max_string = s->options.max_string,
                                     .memory = s->options.memory / PROFILE_SHARE };
    if (!s->format->read) return unsupported(s->format, "read", err);
    assay_builder *b = assay_builder_new(&o, err);
    TRY(team_agree(s->job.team, b ? 0 : err->code, err));
    int rc = read_into(s, b, err);
    if (rc == 0 || assay_builder_failed(b)) {
        *out = assay_builder_seal(b, err);
        if (*out) (*out)->threads = s->options.threads;
        return *out ? 0 : err->code;
    }
    assay_builder_free(b);
    return rc;
}

/* Rank 0 gets all of it, as sums over streams, and goes on alone; to the others it looks as if they had been cancelled. */
static int read_together(struct session *s, assay_profile **out, assay_error *err)
{
    s->sums_up = true;
    if (!s->format->reads_parts || s->options.filter)
        FAIL(err, ASSAY_ERR_UNSUPPORTED, "several processes cannot read %s%s: use one", s->format->info.name, s->options.filter ? " with filters" : "");
    int rc = read_all(s, out, err);
    team_set(NULL);
    if (!team_rank(s->job.team)) return rc;
    if (s->is_due) rc = rc == 0 ? share_give_sums(*out, err) : team_agree(s->job.team, rc, err);
    assay_profile_release(*out);
    *out = NULL;
    return rc == 0 ? error_cancelled(err) : rc;
}

/* What the caller wants of it. */
static int read_session(struct session *s, assay_profile **out, assay_error *err)
{
    assay_profile *all;
    if (!s->options.filter) return read_all(s, out, err);
    uint32_t want = s->options.want;
    s->options.want = select_want(want, s->options.filter);
    struct assay_filter filter = *s->options.filter;
    filter.max_memory = s->options.max_memory;
    TRY(read_all(s, &all, err));
    s->options.want = want;
    /* counts need what is left, not just its totals */
    int rc = filter_apply(all, &filter, (want ? want : ASSAY_WANT_ALL) & ~(uint32_t)ASSAY_WANT_TOTALS, out, err);
    assay_profile_release(all);
    return rc;
}

int assay_read_from(const struct assay_input *in, const struct assay_read_options *options, assay_profile **out, assay_error *err)
{
    assay_error local;
    struct session s;
    err = error_enter(err, &local);
    *out = NULL;
    const struct team *team = team_mine();
    int rc = team_agree(team, session_open(&s, in, options, err), err);
    s.job.team = team;
    if (rc == 0) rc = team ? read_together(&s, out, err) : read_session(&s, out, err);
    return session_close(&s, rc, err);
}

int assay_read(const char *path, const struct assay_read_options *options, assay_profile **out, assay_error *err)
{
    struct assay_input in = from_path(path);
    return assay_read_from(&in, options, out, err);
}

int assay_read_memory(const void *data, size_t len, const char *name, const struct assay_read_options *options, assay_profile **out, assay_error *err)
{
    struct assay_input in = ASSAY_FROM_MEMORY(data, len, name);
    return assay_read_from(&in, options, out, err);
}

int assay_probe_from(const struct assay_input *in, const struct assay_read_options *options, const struct assay_format_info **out, int *score, const char **why,
                     assay_error *err)
{
    assay_error local;
    struct session s;
    err = error_enter(err, &local);
    int rc = session_init(&s, in, options, err);
    if (rc == 0) rc = session_begin(&s, score, why, err);
    if (rc == 0) *out = &s.format->info;
    return session_close(&s, rc, err);
}

int assay_probe(const char *path, const struct assay_read_options *options, const struct assay_format_info **out, int *score, const char **why,
                assay_error *err)
{
    struct assay_input in = from_path(path);
    return assay_probe_from(&in, options, out, score, why, err);
}

/* ---- check ---- */

struct check_result {
    assay_check_result pub; /* first: the caller's pointer is ours */
    struct mem mem;
    struct findings findings;
};

int assay_check_from(const struct assay_input *in, const struct assay_read_options *options, assay_check_result **out, assay_error *err)
{
    assay_error local;
    struct session s;
    err = error_enter(err, &local);
    *out = NULL;
    struct check_result *r = calloc(1, sizeof *r);
    if (!r) return error_memory(err);
    int rc = session_open(&s, in, options, err);
    mem_init(&r->mem, (size_t)s.options.max_memory);
    findings_init(&r->findings, &r->mem);
    bool has_changed = false;
    if (rc == 0) rc = settle(&s, s.format->check ? s.format->check(&s.job, &r->findings, err) : unsupported(s.format, "checked", err), &has_changed, err);
    if (has_changed) findings_add(&r->findings, "F-3", ASSAY_WARNING, FINDING_NO_OFFSET, 0, "%s", changed_text);
    if (rc == 0 && r->findings.failed) rc = error_memory(err);
    rc = session_close(&s, rc, err);
    r->pub = (assay_check_result){ s.format ? &s.format->info : NULL, r->findings.list.at, r->findings.list.len, r->findings.errors, r->findings.warnings };
    if (rc != 0)
        assay_check_free(&r->pub);
    else
        *out = &r->pub;
    return rc;
}

int assay_check(const char *path, const struct assay_read_options *options, assay_check_result **out, assay_error *err)
{
    struct assay_input in = from_path(path);
    return assay_check_from(&in, options, out, err);
}

void assay_check_free(assay_check_result *result)
{
    if (!result) return;
    struct check_result *r = (struct check_result *)result;
    findings_done(&r->findings);
    free(r);
}

/* ---- dump ---- */

static int check_style(const struct format *f, const char *style, assay_error *err)
{
    if (!style) return 0;
    for (const char *const *s = f->styles; s && *s; s++)
        if (strcmp(*s, style) == 0) return 0;
    return error_set(err, ASSAY_ERR_UNSUPPORTED, "%s has no dump in the style of '%.40s'", f->info.name, style);
}

int assay_dump_from(const struct assay_input *in, const struct assay_read_options *options, assay_text_fn fn, void *arg, assay_error *err)
{
    assay_error local;
    struct session s;
    struct output *o = NULL;
    err = error_enter(err, &local);
    int rc = session_open(&s, in, options, err);
    if (rc == 0 && !s.format->dump) rc = unsupported(s.format, "dumped", err);
    if (rc == 0) rc = check_style(s.format, s.options.style, err);
    if (rc == 0) rc = output_open_fn(&o, fn, arg, &s.mem, err);
    if (rc == 0) rc = settle_strictly(&s, output_blame(o, s.format->dump(&s.job, o, err), err), err);
    if (rc == 0) {
        rc = output_commit(o, err);
        o = NULL;
    }
    output_abort(o);
    return session_close(&s, rc, err);
}

int assay_dump(const char *path, const struct assay_read_options *options, assay_text_fn fn, void *arg, assay_error *err)
{
    struct assay_input in = from_path(path);
    return assay_dump_from(&in, options, fn, arg, err);
}

/* ---- write ---- */

struct loss_list {
    assay_losses pub; /* first: the caller's pointer is ours */
    struct mem mem;
    struct losses losses;
};

void assay_losses_free(assay_losses *losses)
{
    if (!losses) return;
    struct loss_list *l = (struct loss_list *)losses;
    losses_done(&l->losses);
    free(l);
}

/* A target: format, version, and what it would lose. */
struct target {
    const struct format *format;
    const char *version;
    struct assay_write_options options;
    struct assay_filter filter; /* where options.filter points */
    struct loss_list *losses;
    struct mem mem;
    struct arena text;          /* of options */
    struct format_settings own; /* where job.own points */
    struct write_job job;
};

static int find_version(struct target *t, const char *version, assay_error *err)
{
    const char *const *v = t->format->info.versions;
    if (!v || !v[0]) return unsupported(t->format, "written", err);
    t->version = v[0];
    if (!version) return 0;
    for (; *v; v++)
        if (strcmp(*v, version) == 0) {
            t->version = *v;
            return 0;
        }
    char list[200] = "";
    for (v = t->format->info.versions; *v; v++) {
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "", *v);
    }
    return error_set(err, ASSAY_ERR_USAGE, "%s has no version '%s' to write; it has %s", t->format->info.name, version, list);
}

static int target_init(struct target *t, const struct assay_write_options *options, assay_error *err)
{
    memset(t, 0, sizeof *t);
    TRY(OPTIONS_TAKE(struct assay_write_options, option_count, &t->options, options, err));
    TRY(take_filter(&t->filter, &t->options.filter, err));
    mem_init(&t->mem, 0);
    arena_init(&t->text, &t->mem);
    if (t->options.metrics) TRY(formula_file_apply(t->options.metrics, &t->mem, &t->text, &t->options.metric, err));
    if (!t->options.format) FAIL(err, ASSAY_ERR_USAGE, "no target format given");
    const char *colon = strchr(t->options.format, ':');
    assay_slice name = colon ? slice_from(t->options.format, colon) : slice_of(t->options.format);
    t->format = registry_find(name);
    if (!t->format) FAIL(err, ASSAY_ERR_USAGE, "unknown format '%.*s'; 'assay formats' lists the formats", (int)name.len, name.data);
    TRY(find_version(t, colon ? colon + 1 : NULL, err));
    TRY(format_settings_take(&t->own, t->format, ASSAY_FOR_WRITING, t->options.options, t->options.option_count, &t->mem, err));
    t->losses = calloc(1, sizeof *t->losses);
    if (!t->losses) return error_memory(err);
    mem_init(&t->losses->mem, 0);
    losses_init(&t->losses->losses, &t->losses->mem);
    t->job = (struct write_job){ .options = &t->options,
                                 .version = t->version,
                                 .mem = &t->mem,
                                 .losses = &t->losses->losses,
                                 .is_version_chosen = colon != NULL,
                                 .info = &t->format->info,
                                 .own = t->own.at };
    return 0;
}

/* Passes the losses to the caller, or frees them. */
static void target_done(struct target *t, assay_losses **out)
{
    format_settings_done(&t->own);
    arena_done(&t->text);
    if (t->losses) t->losses->pub = (assay_losses){ t->losses->losses.list.at, t->losses->losses.list.len };
    if (out)
        *out = t->losses ? &t->losses->pub : NULL;
    else if (t->losses)
        assay_losses_free(&t->losses->pub);
}

/* Where the bytes go: one of the two. */
struct sink {
    bool is_dir;
    struct output *file;
    struct output_dir *dir;
};

/* A format that has both is a folder unless one file is asked for, by the option or by the name. */
static bool is_folder(const struct target *t, const char *path)
{
    size_t len = strlen(path);
    if (!t->format->write_dir || !t->format->write) return t->format->write_dir != NULL;
    if (t->format->wants_file && t->format->wants_file(&t->job)) return false;
    return strcmp(path, "-") != 0 && !(len > 5 && strcmp(path + len - 5, ".html") == 0);
}

/* Whether the name is this one, or ends as "*.parquet" says. */
static bool is_part(const char *pattern, const char *name) { return *pattern == '*' ? slice_ends(slice_of(name), pattern + 1) : strcmp(pattern, name) == 0; }

/* A folder that exists is replaced only when it is of this format and holds nothing else. */
static int check_folder(const struct target *t, const char *path, struct mem *mem, assay_error *err)
{
    const char *why, *const *name;
    struct stat st;
    struct folder f;
    const struct probe probe = { .head = { "", 0 }, .path = path, .is_dir = true };
    if (stat(path, &st) != 0 || !S_ISDIR(st.st_mode)) return 0;
    if (!t->format->probe(&probe, &why)) FAIL(err, ASSAY_ERR_WRITE, "the directory exists and is not a %s: not overwritten", t->format->info.name);
    int rc = folder_open(&f, path, mem, err);
    for (size_t i = 0; rc == 0 && i < f.entries.len; i++) {
        for (name = t->format->dir_names; *name && !is_part(*name, f.entries.at[i].name); name++)
            ;
        if (!*name)
            rc = error_set(err, ASSAY_ERR_WRITE, "the directory contains '%.80s', which is not part of a %s: not overwritten", f.entries.at[i].name,
                           t->format->info.name);
    }
    folder_done(&f);
    return rc;
}

/* In a team rank 0 makes the folder and the others join it. */
static int sink_join(struct sink *s, struct target *t, const struct team *team, assay_error *err)
{
    char temp[PATH_MAX] = "";
    int rc = 0;
    if (!team->rank) snprintf(temp, sizeof temp, "%s", output_dir_temp(s->dir));
    team->broadcast(team->arg, 0, temp, sizeof temp);
    if (team->rank) rc = output_dir_join(&s->dir, temp, &t->mem, err);
    return team_agree(team, rc, err);
}

static int sink_open(struct sink *s, struct target *t, const char *path, assay_error *err)
{
    *s = (struct sink){ is_folder(t, path), NULL, NULL };
    if (team_rank(t->job.team) > 0) return 0;
    if (!s->is_dir) return output_open(&s->file, path, &t->mem, err);
    if (strcmp(path, "-") == 0) FAIL(err, ASSAY_ERR_USAGE, "%s is a directory and cannot be written to standard output", t->format->info.name);
    TRY(check_folder(t, path, &t->mem, err));
    return output_dir_open(&s->dir, path, &t->mem, err);
}

static int write_to(struct target *t, const assay_profile *p, const struct sink *s, assay_error *err)
{
    if (!t->format->write && !s->is_dir) return unsupported(t->format, t->format->write_dir ? "written into a stream" : "written", err);
    if (!t->losses->losses.source.is_known) losses_survey(&t->losses->losses, p);
    TRY(s->is_dir ? t->format->write_dir(p, &t->job, s->dir, err) : t->format->write(p, &t->job, s->file, err));
    return losses_settle(&t->job, err); /* what turned up late is refused all the same: nothing is in its place yet */
}

/* Commits after success, removes what is temporary after failure. */
static int finish(struct sink *s, const struct team *team, int rc, assay_error *err)
{
    rc = team_agree(team, cancel_end(rc, err), err);
    if (rc == 0) return team_agree(team, s->dir ? output_dir_commit(s->dir, err) : output_commit(s->file, err), err);
    output_dir_abort(s->dir);
    output_abort(s->file);
    return rc;
}

/* What the writer said, but of a failed output what that knows. A file of a folder has a temporary name: the folder is to blame. */
static int written(const struct sink *s, int rc, const char *path, assay_error *err)
{
    if (s->file) rc = output_blame(s->file, rc, err);
    if (rc == ASSAY_ERR_WRITE && s->dir) {
        err->path[0] = '\0';
        error_path(err, path);
    }
    return rc;
}

int assay_write(const assay_profile *p, const char *path, const struct assay_write_options *options, assay_losses **losses, assay_error *err)
{
    assay_error local;
    struct target t;
    struct sink sink = { false, NULL, NULL };
    err = error_enter(err, &local);
    int rc = target_init(&t, options, err);
    if (rc == 0) {
        rc = sink_open(&sink, &t, path, err);
        if (rc == 0) rc = finish(&sink, NULL, written(&sink, write_to(&t, p, &sink, err), path, err), err);
        if (rc != 0) error_path(err, path);
    }
    target_done(&t, losses);
    return rc;
}

int assay_write_fn(const assay_profile *p, const struct assay_write_options *options, assay_text_fn fn, void *arg, assay_losses **losses, assay_error *err)
{
    assay_error local;
    struct target t;
    struct sink sink = { false, NULL, NULL };
    err = error_enter(err, &local);
    int rc = target_init(&t, options, err);
    if (rc == 0) rc = output_open_fn(&sink.file, fn, arg, &t.mem, err);
    if (rc == 0) rc = finish(&sink, NULL, written(&sink, write_to(&t, p, &sink, err), NULL, err), err);
    target_done(&t, losses);
    return rc;
}

/* ---- convert ---- */

static size_t list_len(const char *const *list)
{
    size_t n = 0;
    while (list && list[n]) n++;
    return n;
}

/* What could not be read of the input is lost too. */
static void note_damage(const assay_profile *p, struct losses *l)
{
    const assay_finding *first;
    uint64_t errors = assay_profile_damage(p, &first);
    char more[48] = "";
    if (errors > 1) snprintf(more, sizeof more, " and %llu more", (unsigned long long)errors - 1);
    if (first) losses_add(l, "damaged", errors, "damaged parts of the input are not written: %s (%s)%s", first->message, first->rule, more);
}

/* What the filters of cost could not find or not be exact about. */
static void note_filter(const assay_profile *p, struct losses *l)
{
    size_t count;
    const assay_finding *f = assay_profile_warnings(p, &count);
    for (size_t i = 0; i < count; i++)
        if (strncmp(f[i].rule, "FI-", 3) == 0 && f[i].severity != ASSAY_INFO) losses_add(l, "filter", 1, "%s", f[i].message);
}

static void note_graph(const struct assay_graph_lost *g, uint32_t per_second, struct losses *l)
{
    unsigned long long streams = g->streams, calls = g->unknown_calls, scaled = g->scaled_metrics;
    losses_add(l, "contexts", g->contexts, "%llu calling contexts are added up by function and call", (unsigned long long)g->contexts);
    if (streams > 1) losses_add(l, "streams", streams, "%llu streams are added up", streams);
    if (calls) losses_add(l, "calls", calls, "%llu call sites were sampled, not counted: each is written as one call", calls);
    if (scaled) losses_add(l, "units", scaled, "%llu metrics in seconds become whole %s", scaled, per_second == 1000000 ? "microseconds" : "nanoseconds");
}

/* The metric that the caller asked for may have another name in the graph; its number is the same. */
static const char *same_metric(const assay_profile *from, const assay_profile *to, const char *name)
{
    const struct assay_metrics *m = assay_profile_metrics(from);
    for (uint32_t id = 1; name && id <= m->count; id++)
        if (strcmp(assay_profile_string(from, m->name[id]).data, name) == 0) return assay_profile_string(to, assay_profile_metrics(to)->name[id]).data;
    return name;
}

/* A target that holds functions and calls gets them from a tree, when that is all there is. Takes *p and gives another in its place. */
static int give_graph(const struct session *s, struct target *t, assay_profile **p, assay_error *err)
{
    uint32_t shapes = assay_profile_shapes(*p), want = s->options.want;
    bool has_what_it_wants = want & ASSAY_WANT_WHOLE && assay_profile_tree(*p)->is_whole;
    if (!t->format->write_wants || t->format->takes_trees || !(want & ASSAY_WANT_GRAPH) || want & ASSAY_WANT_TREE) return 0;
    if (shapes & ASSAY_SHAPE_GRAPH || !(shapes & ASSAY_SHAPE_TREE) || !assay_profile_scopes(*p)->count || has_what_it_wants) return 0;
    struct assay_graph_options o = { .per_second = t->format->info.features & ASSAY_HAS_64_BITS ? 1000000000 : 1000000, .max_memory = s->options.max_memory };
    struct assay_graph_lost lost;
    assay_profile *graph;
    TRY(assay_graph_new(*p, &o, &graph, &lost, err));
    note_graph(&lost, o.per_second, &t->losses->losses);
    t->options.metric = same_metric(*p, graph, t->options.metric);
    assay_profile_release(*p);
    *p = graph;
    return 0;
}

/* From records to records, without the model. */
static bool can_rewrite(const struct session *s, const struct target *t)
{
    const struct format *f = t->format;
    if (!f->rewrite || t->options.sum_up || s->options.filter || input_is_dir(s->in)) return false;
    return s->format == f || (f->takes && strcmp(f->takes, s->format->info.name) == 0);
}

/* A formula becomes a metric, which writers know by its name. Takes *p and gives another in its place. */
static int give_sums(const struct session *s, struct target *t, assay_profile **p, assay_error *err)
{
    assay_profile *whole = *p;
    assay_metric_id metric;
    struct metric_set set = { .shapes = UINT32_MAX };
    TRY(metric_sums_add(p, t->options.metric, s->options.max_memory, err));
    if (*p == whole) return 0;
    set.profile = *p;
    TRY(metric_choose_one(&set, t->options.metric, &metric, err));
    t->options.metric = assay_profile_string(*p, assay_profile_metrics(*p)->name[metric.v]).data;
    return 0;
}

static int convert_session(struct session *s, struct target *t, const struct sink *sink, assay_error *err)
{
    assay_profile *p = NULL;
    if (can_rewrite(s, t)) return settle_strictly(s, t->format->rewrite(&s->job, &t->job, sink->file, err), err);
    if (t->format->write_wants) s->options.want = t->format->write_wants(&t->options, t->version);
    if (!s->options.proxies && t->format->write_proxies) {
        s->options.proxies = t->format->write_proxies(t->version);
        s->options.proxy_count = list_len(s->options.proxies);
    }
    TRY(team_agree(s->job.team, read_session(s, &p, err), err));
    note_damage(p, &t->losses->losses);
    note_filter(p, &t->losses->losses);
    losses_survey(&t->losses->losses, p);
    int rc = give_sums(s, t, &p, err);
    if (rc == 0) rc = give_graph(s, t, &p, err);
    if (rc == 0) rc = write_to(t, p, sink, err);
    assay_profile_release(p);
    return rc;
}

/* The team of this thread works on one input together; what is no folder of parts on both sides is for one process. */
static int join_team(struct session *s, struct target *t, const struct team *team, int rc, assay_error *err)
{
    TRY(team_agree(team, rc, err));
    s->job.team = t->job.team = team;
    if (!team || (s->format->reads_parts && t->format->writes_parts && !s->options.filter)) return 0;
    error_path(err, name_of(&s->from));
    return error_set(err, ASSAY_ERR_UNSUPPORTED, "several processes cannot convert %s to %s%s: use one", s->format->info.name, t->format->info.name,
                     s->options.filter ? " with filters" : "");
}

int assay_convert_from(const struct assay_input *in, const struct assay_read_options *read, const char *out, const struct assay_write_options *write,
                       const struct assay_format_info **from, assay_losses **losses, assay_error *err)
{
    assay_error local;
    struct session s;
    struct target t;
    struct sink sink = { false, NULL, NULL };
    const struct team *team = team_mine();
    err = error_enter(err, &local);
    memset(&t, 0, sizeof t);
    int rc = session_init(&s, in, read, err);
    if (rc == 0) rc = target_init(&t, write, err);
    if (rc == 0) {
        rc = session_begin(&s, NULL, NULL, err);
        if (rc != 0) error_path(err, name_of(&s.from));
    }
    rc = join_team(&s, &t, team, rc, err);
    if (rc == 0 && from) *from = &s.format->info;
    if (rc == 0) {
        rc = team_agree(team, sink_open(&sink, &t, out, err), err);
        if (rc == 0 && team && (rc = sink_join(&sink, &t, team, err)) != 0) output_dir_abort(sink.dir);
        if (rc == 0) {
            rc = written(&sink, convert_session(&s, &t, &sink, err), out, err);
            if (rc != 0) error_path(err, name_of(&s.from));
            rc = finish(&sink, team, rc, err);
        }
        if (rc != 0) error_path(err, out);
    }
    target_done(&t, losses);
    session_done(&s);
    return rc;
}

int assay_convert(const char *in, const struct assay_read_options *read, const char *out, const struct assay_write_options *write,
                  const struct assay_format_info **from, assay_losses **losses, assay_error *err)
{
    struct assay_input path = from_path(in);
    return assay_convert_from(&path, read, out, write, from, losses, err);
}

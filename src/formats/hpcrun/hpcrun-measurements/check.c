/* Checking a measurement directory: every profile, trace and structure file by the rules of its format, then what they say of each other
 * (docs/formats/hpcrun-measurements.md). Findings begin with the name of their file. */
#include <stdio.h>
#include <sys/stat.h>

#include "base/cancel.h"
#include "base/number.h"
#include "base/scoped.h"
#include "formats/hpcrun/hpcrun-measurements/measure.h"
#include "formats/hpcrun/hpcrun.h"
#include "formats/hpcrun/hpctrace/decode.h"
#include "symbols/structure.h"

/* What the first profile with a metric says of it. */
struct metric_facts {
    const char *profile;
    assay_slice description;
    uint8_t value_format, show;
};

struct checker {
    const struct read_job *job;
    struct mem *mem;
    struct findings *out;
    struct measure_list list;
    struct intern metrics, descriptions;
    VEC(struct metric_facts) facts;
    struct intern lost; /* relative modules that are not there */
    struct hpcrun_ids ids;
    uint64_t done_bytes;
};

/* ---- findings with the name of their file ---- */

static void add_named(struct checker *c, const char *name, const assay_finding *f)
{
    findings_add(c->out, f->rule, f->severity, f->has_offset ? f->offset : FINDING_NO_OFFSET, f->line, "%.250s: %s", name, f->message);
}

static int open_source(struct checker *c, const char *path, struct input **in, struct hpcrun_source *source, assay_error *err)
{
    struct input_options o = { .mem = c->mem, .max_output = c->job->options->max_output };
    *in = NULL;
    TRY(input_open(in, path, &o, err));
    struct read_job job = { .in = *in, .options = c->job->options, .mem = c->mem };
    return hpcrun_map(&job, source, err);
}

/* A file that cannot be opened is a finding; only a lack of memory keeps the rest from being looked at. */
static int unreadable(struct checker *c, const char *name, int rc, const assay_error *why, assay_error *err)
{
    if (rc == ASSAY_ERR_MEMORY) return error_memory(err);
    findings_add(c->out, "HRW17", ASSAY_ERROR, FINDING_NO_OFFSET, 0, "%.250s: cannot be read: %s", name, why->text);
    return 0;
}

static int check_with(struct checker *c, const char *name, const struct hpcrun_source *source, hpcrun_check_fn *check, assay_error *err)
{
    SCOPED(findings_done) struct findings found;
    findings_init(&found, c->mem);
    TRY(check(source, c->mem, &found, err));
    for (size_t i = 0; i < found.list.len; i++) add_named(c, name, &found.list.at[i]);
    return found.failed ? error_memory(err) : 0;
}

/* ---- what profiles say of each other ---- */

static bool is_same_metric(const struct metric_facts *f, const struct hpcrun_metric *m)
{
    return slice_equal(f->description, m->description.text) && f->value_format == m->value_format && f->show == m->show;
}

static int compare_metric(struct checker *c, const char *name, const struct hpcrun_metric *m, uint64_t off, assay_error *err)
{
    uint32_t known = intern_count(&c->metrics), id = intern_put(&c->metrics, m->name.text), text;
    if (!id || !(text = intern_put(&c->descriptions, m->description.text))) return error_memory(err);
    if (id <= known) {
        const struct metric_facts *f = &c->facts.at[id - 1];
        if (!is_same_metric(f, m))
            findings_add(c->out, "HRW14", ASSAY_WARNING, off, 0, "%.250s: metric '%.*s' is described differently from %.200s", name,
                         (int)(m->name.text.len < 60 ? m->name.text.len : 60), m->name.text.data, f->profile);
        return 0;
    }
    struct metric_facts *f = vec_push(c->mem, &c->facts);
    if (!f) return error_memory(err);
    *f = (struct metric_facts){ name, intern_get(&c->descriptions, text), m->value_format, m->show };
    return 0;
}

/* Modules named by a relative path lie in the directory. */
static int look_for_module(struct checker *c, const char *name, const struct hpcrun_module *m, uint64_t off, assay_error *err)
{
    struct stat st;
    assay_slice path = m->name.text;
    if (!path.len || path.data[0] == '/' || path.data[0] == '<' || path.data[0] == '[') return 0;
    uint32_t known = intern_count(&c->lost), id = intern_put(&c->lost, path);
    if (!id) return error_memory(err);
    if (id <= known) return 0;
    const char *full = folder_join(&c->list.text, c->list.dir, intern_get(&c->lost, id).data);
    if (!full) return error_memory(err);
    if (stat(full, &st) != 0)
        findings_add(c->out, "HRW11", ASSAY_WARNING, off, 0, "%.250s: load module '%.200s' is not in the directory", name, intern_get(&c->lost, id).data);
    return 0;
}

/* ---- a profile and its trace ---- */

struct bounds {
    uint64_t least, most, disorder;
    bool has_disorder;
};

static void note_bounds(struct bounds *b, const struct hpcrun_pair *p)
{
    uint64_t v = 0;
    if (number_u64(p->value.text, &v) != NUMBER_OK) return;
    if (slice_is(p->name.text, "trace-min-time")) b->least = v;
    if (slice_is(p->name.text, "trace-max-time")) b->most = v;
    if (slice_is(p->name.text, "trace-disorder")) {
        b->disorder = v;
        b->has_disorder = true;
    }
}

static int note_nodes(struct checker *c, const struct hpcrun_span *span, assay_error *err)
{
    if (!hpcrun_ids_begin(&c->ids, span)) return error_memory(err);
    for (uint64_t i = 0; i < span->count; i++) {
        struct hpcrun_node n;
        hpcrun_node_at(span, i, &n);
        if (!n.id || hpcrun_ids_find(&c->ids, n.id)) continue;
        struct hpcrun_slot *slot = hpcrun_ids_add(&c->ids, n.id);
        if (!slot) return error_memory(err);
        slot->node = (uint32_t)i + 1;
    }
    return 0;
}

static int look_at_records(struct checker *c, const char *name, assay_slice bytes, struct bounds *b, assay_error *err)
{
    struct hpcrun_decoder d;
    hpcrun_decoder_init(&d, bytes);
    d.skip_items = true;
    for (struct hpcrun_record r; hpcrun_next(&d, &r);) {
        if (r.kind == HPCRUN_RECORD_PAIR && !r.pair.is_epoch) note_bounds(b, &r.pair);
        if (r.kind == HPCRUN_RECORD_METRIC) TRY(compare_metric(c, name, &r.metric, r.off, err));
        if (r.kind == HPCRUN_RECORD_MODULE) TRY(look_for_module(c, name, &r.module, r.off, err));
        if (r.kind == HPCRUN_RECORD_LIST && r.list.id == HPCRUN_LIST_NODES) TRY(note_nodes(c, &r.list.span, err));
    }
    return 0;
}

struct trace_faults {
    uint64_t unknown, outside, late; /* late: how many places a record stands too far back, at most */
    uint64_t first_unknown, first_outside;
};

/* How far out of order: a record that is earlier than the latest so far stands late by as many places as passed since. */
static void compare_sample(struct checker *c, const struct bounds *b, const struct hpctrace_sample *s, uint64_t *latest, uint64_t *since,
                           struct trace_faults *f)
{
    if (s->node && !hpcrun_ids_find(&c->ids, s->node) && f->unknown++ == 0) f->first_unknown = s->index;
    if (b->most && (s->time < b->least || s->time > b->most) && f->outside++ == 0) f->first_outside = s->index;
    if (s->time >= *latest) {
        *latest = s->time;
        *since = 0;
    } else if (++*since > f->late)
        f->late = *since;
}

static void compare_trace(struct checker *c, const struct measure_file *file, assay_slice bytes, const struct bounds *b)
{
    struct hpctrace_decoder d;
    struct hpctrace_record r;
    struct trace_faults f = { 0 };
    uint64_t latest = 0, since = 0;
    hpctrace_decoder_init(&d, bytes);
    if (!hpctrace_next(&d, &r) || r.kind != HPCTRACE_RECORD_HEAD) return;
    for (uint64_t i = 0; i < d.head.count; i++) {
        struct hpctrace_sample s;
        hpctrace_sample_at(&d, i, &s);
        compare_sample(c, b, &s, &latest, &since, &f);
    }
    if (f.unknown)
        findings_add(c->out, "HRW09", ASSAY_WARNING, hpctrace_off(&d, f.first_unknown), 0, "%.250s: %llu samples name a node that the profile does not have",
                     file->trace_name, (unsigned long long)f.unknown);
    if (f.outside)
        findings_add(c->out, "HRW09", ASSAY_WARNING, hpctrace_off(&d, f.first_outside), 0, "%.250s: %llu samples lie outside the times that the profile states",
                     file->trace_name, (unsigned long long)f.outside);
    if (b->has_disorder && f.late > b->disorder)
        findings_add(c->out, "HRW09", ASSAY_WARNING, FINDING_NO_OFFSET, 0, "%.250s: samples are up to %llu places out of order, the profile states %llu",
                     file->trace_name, (unsigned long long)f.late, (unsigned long long)b->disorder);
}

static int check_trace(struct checker *c, const struct measure_file *file, const char *name, const char *path, const struct bounds *b, assay_error *err)
{
    SCOPED(input_drop) struct input *in = NULL;
    struct hpcrun_source source;
    assay_error why = { 0 };
    int rc = open_source(c, path, &in, &source, &why);
    if (rc != 0) return unreadable(c, name, rc, &why, err);
    TRY(check_with(c, name, &source, hpctrace_check_source, err));
    if (file) compare_trace(c, file, source.bytes, b);
    return 0;
}

static int check_profile(struct checker *c, const struct measure_file *file, assay_error *err)
{
    SCOPED(input_drop) struct input *in = NULL;
    struct hpcrun_source source;
    struct bounds bounds = { 0 };
    assay_error why = { 0 };
    int rc = open_source(c, file->path, &in, &source, &why);
    if (rc != 0) return unreadable(c, file->name, rc, &why, err);
    TRY(check_with(c, file->name, &source, hpcrun_check_source, err));
    TRY(look_at_records(c, file->name, source.bytes, &bounds, err));
    if (bounds.most && !file->trace_path)
        findings_add(c->out, "HRW09", ASSAY_WARNING, FINDING_NO_OFFSET, 0, "%.250s: states the times of a trace that is missing", file->name);
    return file->trace_path ? check_trace(c, file, file->trace_name, file->trace_path, &bounds, err) : 0;
}

static int check_lone_trace(struct checker *c, const char *name, assay_error *err)
{
    const char *path = folder_join(&c->list.text, c->list.dir, name);
    if (!path) return error_memory(err);
    findings_add(c->out, "HRW09", ASSAY_WARNING, FINDING_NO_OFFSET, 0, "%.250s: a trace without the profile that its samples point to", name);
    return check_trace(c, NULL, name, path, NULL, err);
}

/* ---- structure files and logs ---- */

struct structure_arg {
    struct checker *c;
    const char *name;
};

static int structure_finding(void *arg, const struct structure_record *r)
{
    const struct structure_arg *a = arg;
    if (r->kind == STRUCTURE_DAMAGE) findings_add(a->c->out, r->rule, r->severity, r->off, r->line, "%.250s: %s", a->name, r->message);
    return 0;
}

static int check_structure(struct checker *c, const char *folder, const char *name, assay_error *err)
{
    char shown[280];
    SCOPED(input_drop) struct input *in = NULL;
    struct input_options o = { .mem = c->mem, .max_output = c->job->options->max_output };
    struct structure_arg arg = { c, shown };
    assay_error why = { 0 };
    const char *path = folder_join(&c->list.text, folder, name);
    if (!path) return error_memory(err);
    snprintf(shown, sizeof shown, "structs/%.250s", name);
    int rc = input_open(&in, path, &o, &why);
    if (rc == 0) rc = structure_parse(in, c->mem, structure_finding, &arg, &why);
    return rc == 0 || rc == ASSAY_ERR_UNSUPPORTED ? 0 : unreadable(c, shown, rc, &why, err);
}

static int check_structures(struct checker *c, assay_error *err)
{
    SCOPED(folder_done) struct folder structs = { 0 };
    assay_error none = { 0 };
    const char *path = folder_join(&c->list.text, c->list.dir, "structs");
    if (!path) return error_memory(err);
    if (folder_open(&structs, path, c->mem, &none) != 0 && none.code == ASSAY_ERR_MEMORY) return error_memory(err);
    for (size_t i = 0; i < structs.entries.len; i++) {
        const char *name = structs.entries.at[i].name;
        if (structs.entries.at[i].is_file && slice_ends(slice_of(name), ".hpcstruct")) TRY(check_structure(c, path, name, err));
    }
    return 0;
}

/* "key: N" anywhere in the text of a log; 0 = not there. */
static uint64_t log_number(assay_slice text, const char *key)
{
    const char *at = memmem(text.data, text.len, key, strlen(key));
    uint64_t v = 0;
    if (!at) return 0;
    at += strlen(key);
    while (at < text.data + text.len && (*at == ' ' || *at == ':')) at++;
    for (; at < text.data + text.len && *at >= '0' && *at <= '9' && v < UINT64_MAX / 10 - 1; at++) v = v * 10 + (uint64_t)(*at - '0');
    return v;
}

/* How many samples the run itself lost. */
static int check_log(struct checker *c, const char *name, assay_error *err)
{
    SCOPED(input_drop) struct input *in = NULL;
    struct hpcrun_source source;
    assay_error why = { 0 };
    const char *path = folder_join(&c->list.text, c->list.dir, name);
    if (!path) return error_memory(err);
    int rc = open_source(c, path, &in, &source, &why);
    if (rc != 0 || !source.bytes.len) return rc == ASSAY_ERR_MEMORY ? error_memory(err) : 0;
    uint64_t recorded = log_number(source.bytes, "recorded"), blocked = log_number(source.bytes, "blocked"), errant = log_number(source.bytes, "errant");
    uint64_t dropped = log_number(source.bytes, "dropped"), lost = blocked + errant;
    int severity = dropped || lost > (recorded + lost) / 100 ? ASSAY_WARNING : ASSAY_INFO;
    if (recorded || lost || dropped)
        findings_add(c->out, "HRW16", severity, FINDING_NO_OFFSET, 0, "%.250s: samples recorded %llu, blocked %llu, errant %llu, dropped %llu", name,
                     (unsigned long long)recorded, (unsigned long long)blocked, (unsigned long long)errant, (unsigned long long)dropped);
    return 0;
}

/* ---- the whole ---- */

static int step_on(struct checker *c, const struct measure_file *file, assay_error *err)
{
    const struct assay_read_options *o = c->job->options;
    c->done_bytes += file->size + file->trace_size;
    if (cancel_due() || (o->progress && o->progress(o->progress_arg, c->done_bytes, c->list.bytes))) return error_cancelled(err);
    return 0;
}

static int check_all(struct checker *c, assay_error *err)
{
    TRY(measure_list_open(&c->list, input_path(c->job->in), c->mem, err));
    if (!c->list.profiles.len) FAIL(err, ASSAY_ERR_EMPTY, "no measurements: the directory has no .hpcrun file");
    for (size_t i = 0; i < c->list.profiles.len; i++) {
        TRY(check_profile(c, &c->list.profiles.at[i], err));
        TRY(step_on(c, &c->list.profiles.at[i], err));
    }
    for (size_t i = 0; i < c->list.lone_traces.len; i++) TRY(check_lone_trace(c, c->list.lone_traces.at[i], err));
    for (size_t i = 0; i < c->list.logs.len; i++) TRY(check_log(c, c->list.logs.at[i], err));
    return check_structures(c, err);
}

int measure_check(const struct read_job *job, struct findings *out, assay_error *err)
{
    struct checker c = { .job = job, .mem = job->mem, .out = out };
    intern_init(&c.metrics, c.mem);
    intern_init(&c.descriptions, c.mem);
    intern_init(&c.lost, c.mem);
    hpcrun_ids_init(&c.ids, c.mem);
    int rc = check_all(&c, err);
    hpcrun_ids_done(&c.ids);
    intern_done(&c.lost);
    intern_done(&c.descriptions);
    intern_done(&c.metrics);
    vec_done(c.mem, &c.facts);
    measure_list_done(&c.list);
    return rc;
}

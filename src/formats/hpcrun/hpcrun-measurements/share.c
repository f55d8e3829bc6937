/* One measurement directory read by the ranks of a team: each reads a run of the files, in their order, and what they make is united in the order of ranks.
 * So whatever is numbered by who came first - metrics, names, contexts, logical numbers of id tuples - is numbered as by one process. Values and events
 * stay where they were read. */
#include <stdio.h>

#include "base/number.h"
#include "base/scoped.h"
#include "formats/hpcrun/hpcrun-measurements/measure.h"
#include "model/builder.h"

/* ---- which files ---- */

/* Equal on all ranks, so it must not be seeded: FNV-1a. */
static uint64_t digest(uint64_t hash, const void *data, size_t len)
{
    for (size_t i = 0; i < len; i++) hash = (hash ^ ((const unsigned char *)data)[i]) * 0x100000001b3;
    return hash;
}
static uint64_t digest_text(uint64_t hash, const char *text) { return text ? digest(hash, text, strlen(text) + 1) : digest(hash, "", 1); }

static bool sees_the_same(const struct measure *m)
{
    uint64_t hash = 0xcbf29ce484222325;
    for (size_t i = 0; i < m->list.profiles.len; i++) {
        const struct measure_file *f = &m->list.profiles.at[i];
        hash = digest_text(digest_text(digest(hash, &f->size, sizeof f->size), f->name), f->trace_name);
    }
    return team_same(m->job->team, hash);
}

/* By bytes: a file belongs to the rank in whose share its middle lies. */
int measure_share_list(struct measure *m, assay_error *err)
{
    const struct team *t = m->job->team;
    double total = 0, before = 0;
    if (!sees_the_same(m)) FAIL(err, ASSAY_ERR_SYSTEM, "not all ranks see the same files in this directory");
    const struct measure_file *at = m->list.profiles.at;
    size_t count = m->list.profiles.len;
    for (size_t i = 0; i < count; i++) total += (double)(at[i].size + at[i].trace_size) + 1;
    m->begin = m->end = t->rank ? count : 0;
    for (size_t i = 0; i < count; i++) {
        double size = (double)(at[i].size + at[i].trace_size) + 1;
        uint32_t owner = (uint32_t)((before + size / 2) / total * t->count);
        if (owner >= t->count) owner = t->count - 1;
        if (owner == t->rank && m->begin > i) m->begin = i;
        if (owner <= t->rank) m->end = i + 1;
        before += size;
    }
    if (m->begin > m->end) m->begin = m->end;
    return 0;
}

/* ---- metrics ---- */

/* The metrics of a rank, and the modules that it met while it looked for them (gpu.c). */
static int take_names(struct measure *m, struct wire_in *in, assay_error *err)
{
    for (uint64_t left = wire_take_u64(in); left > 0; left--) {
        bool is_real = wire_take_u64(in) != 0;
        assay_slice name = wire_take_text(in);
        if (in->failed) FAIL(err, ASSAY_ERR_INTERNAL, "what another rank sent cannot be understood");
        if (!hpcrun_metrics_known(&m->metrics, name, is_real)) return error_memory(err);
    }
    for (uint64_t left = wire_take_u64(in); left > 0; left--) {
        assay_slice path = wire_take_text(in);
        if (in->failed) FAIL(err, ASSAY_ERR_INTERNAL, "what another rank sent cannot be understood");
        if (!expand_module(&m->expand, path)) return error_memory(err);
    }
    return 0;
}

static void put_names(const struct measure *m, struct wire *to)
{
    wire_put_u64(to, m->metrics.declared.len);
    for (size_t i = 0; i < m->metrics.declared.len; i++) {
        wire_put_u64(to, m->metrics.declared.at[i].is_real);
        wire_put_text(to, intern_get(&m->metrics.names, (uint32_t)i + 1));
    }
    wire_put_u64(to, m->expand.modules.len);
    for (size_t i = 0; i < m->expand.modules.len; i++) wire_put_text(to, intern_get(&m->expand.paths, (uint32_t)i + 1));
}

/* What every rank has put, one behind the other, on all ranks. */
static int exchange(const struct measure *m, struct wire *own, char **all, uint64_t *len, uint64_t *own_at, assay_error *err)
{
    const struct team *t = m->job->team;
    *all = NULL;
    TRY(team_agree(t, own->failed ? error_memory(err) : 0, err));
    *own_at = team_before(t, own->bytes.len, len);
    *all = mem_alloc(m->mem, (size_t)*len + 1);
    TRY(team_agree(t, *all ? 0 : error_memory(err), err));
    if (own->bytes.len) memcpy(*all + *own_at, own->bytes.at, own->bytes.len);
    team_fill(t, *all, 1, own->bytes.len);
    return 0;
}

/* The union in the order of ranks. Files of this rank that were first to name a metric here are looked at again, after those of the ranks before it. */
int measure_share_names(struct measure *m, measure_look_fn *look, assay_error *err)
{
    struct wire own = { .mem = m->mem };
    char *all = NULL;
    uint64_t len = 0, own_at = 0;
    put_names(m, &own);
    int rc = exchange(m, &own, &all, &len, &own_at, err);
    hpcrun_metrics_done(&m->metrics);
    hpcrun_metrics_init(&m->metrics, m->mem, m->b);
    struct wire_in before = { all, (size_t)own_at, false }, rest = { all ? all + own_at : NULL, (size_t)(len - own_at), false };
    while (rc == 0 && before.left) rc = take_names(m, &before, err);
    for (size_t i = m->begin; rc == 0 && i < m->end; i++)
        if (m->list.profiles.at[i].has_news) rc = look(m, &m->list.profiles.at[i], err);
    while (rc == 0 && rest.left) rc = take_names(m, &rest, err);
    mem_free(m->mem, all, (size_t)len + 1);
    vec_done(m->mem, &own.bytes);
    return team_agree(m->job->team, rc, err);
}

/* Those files, of all ranks, declare the metrics on each. */
int measure_share_news(struct measure *m, measure_look_fn *declare, assay_error *err)
{
    struct wire own = { .mem = m->mem };
    char *all = NULL;
    uint64_t len = 0, own_at, hash = 0xcbf29ce484222325;
    for (size_t i = m->begin; i < m->end; i++)
        if (m->list.profiles.at[i].has_news) wire_put_u64(&own, i);
    int rc = exchange(m, &own, &all, &len, &own_at, err);
    for (struct wire_in in = { all, (size_t)len, false }; rc == 0 && in.left;) {
        uint64_t i = wire_take_u64(&in);
        if (i < m->list.profiles.len) rc = declare(m, &m->list.profiles.at[i], err);
        if (i < m->begin || i >= m->end) measure_let_go(&m->list, &m->list.profiles.at[i]);
    }
    mem_free(m->mem, all, (size_t)len + 1);
    vec_done(m->mem, &own.bytes);
    for (size_t i = 0; i < m->metrics.declared.len; i++) {
        const struct hpcrun_declared *d = &m->metrics.declared.at[i];
        hash = digest(digest_text(hash, intern_get(&m->metrics.names, (uint32_t)i + 1).data), &d->metric, sizeof d->metric);
    }
    TRY(team_agree(m->job->team, rc, err));
    if (!team_same(m->job->team, hash)) FAIL(err, ASSAY_ERR_SYSTEM, "the files were changed while they were being read: try again");
    return 0;
}

/* ---- streams and warnings ---- */

enum note { NOTE_STREAM, NOTE_ATTRIBUTE, NOTE_TUPLE, NOTE_PLAIN_TUPLE };

static assay_slice text_of(const char *text) { return (assay_slice){ text, text ? strlen(text) : 0 }; }

void measure_note_stream(struct measure *m, const char *label)
{
    if (!m->share) return;
    wire_put_u64(&m->streams, NOTE_STREAM);
    wire_put_text(&m->streams, text_of(label));
}

void measure_note_attribute(struct measure *m, assay_slice name, assay_slice value)
{
    if (!m->share) return;
    wire_put_u64(&m->streams, NOTE_ATTRIBUTE);
    wire_put_text(&m->streams, name);
    wire_put_text(&m->streams, value);
}

void measure_note_tuple(struct measure *m, const char *kind, const struct hpcrun_tuple *t, bool is_numbered)
{
    if (!m->share) return;
    wire_put_u64(&m->streams, is_numbered ? NOTE_TUPLE : NOTE_PLAIN_TUPLE);
    wire_put_text(&m->streams, text_of(kind));
    wire_put_u64(&m->streams, t->word);
    wire_put_u64(&m->streams, t->physical);
    wire_put_u64(&m->streams, t->logical);
}

void measure_note_warning(struct measure *m, const assay_finding *f)
{
    if (!m->share || !m->job->team->rank) return;
    wire_put_text(&m->warnings, text_of(f->rule));
    wire_put_u64(&m->warnings, (uint64_t)(uint32_t)f->severity << 1 | f->has_offset);
    wire_put_u64(&m->warnings, f->offset);
    wire_put_u64(&m->warnings, f->line);
    wire_put_text(&m->warnings, text_of(f->message));
}

static int take_tuple(struct measure *m, struct wire_in *in, bool is_numbered, uint32_t *prefix, assay_error *err)
{
    char kind[64];
    assay_slice text = wire_take_text(in);
    struct hpcrun_tuple t = { .word = (uint16_t)wire_take_u64(in) };
    t.physical = wire_take_u64(in);
    t.logical = wire_take_u64(in);
    uint64_t logical = t.logical;
    snprintf(kind, sizeof kind, "%.*s", (int)(text.len < sizeof kind ? text.len : sizeof kind - 1), text.data);
    if (is_numbered && !tuples_number(&m->tuples, &t, prefix, &logical)) return error_memory(err);
    assay_build_tuple(m->b, kind, logical, t.physical, hpcrun_tuple_reading(t.word));
    return 0;
}

static int take_streams(struct measure *m, struct wire_in *in, assay_error *err)
{
    assay_stream_id stream = { 0 };
    uint32_t prefix = 0;
    char label[256];
    while (in->left && !in->failed) {
        uint64_t what = wire_take_u64(in);
        if (what == NOTE_TUPLE || what == NOTE_PLAIN_TUPLE) {
            TRY(take_tuple(m, in, what == NOTE_TUPLE, &prefix, err));
            continue;
        }
        assay_slice name = wire_take_text(in);
        if (what == NOTE_STREAM) {
            snprintf(label, sizeof label, "%.*s", (int)(name.len < sizeof label ? name.len : sizeof label - 1), name.data);
            stream = assay_build_stream(m->b, label);
            prefix = 0;
        } else {
            assay_slice value = wire_take_text(in);
            assay_build_attribute(m->b, stream, name.data, name.len, value.data, value.len);
        }
    }
    return in->failed ? error_set(err, ASSAY_ERR_INTERNAL, "what another rank sent cannot be understood") : 0;
}

/* A rule is kept as long as the profile: its text becomes one of the profile's. */
static int take_warnings(struct measure *m, struct wire_in *in, assay_error *err)
{
    while (in->left && !in->failed) {
        assay_slice rule = wire_take_text(in);
        uint64_t bits = wire_take_u64(in);
        assay_finding f = { .severity = (int)(bits >> 1), .has_offset = bits & 1, .offset = wire_take_u64(in) };
        f.line = wire_take_u64(in);
        assay_slice text = wire_take_text(in);
        assay_str_id rule_id = assay_build_string(m->b, rule.data, rule.len), text_id = assay_build_string(m->b, text.data, text.len);
        if (!rule_id.v || !text_id.v) return error_memory(err);
        f.rule = intern_get(&m->b->p->strings, rule_id.v).data;
        f.message = intern_get(&m->b->p->strings, text_id.v).data;
        assay_build_warning(m->b, &f);
    }
    return in->failed ? error_set(err, ASSAY_ERR_INTERNAL, "what another rank sent cannot be understood") : 0;
}

/* ---- uniting ---- */

/* What a rank sends ahead of the rest. */
struct parcel {
    uint64_t is_there; /* 0 = the rank has failed and sends nothing more */
    uint64_t name_count, name_len, origin_count, stream_len, warning_len;
    uint64_t saturated, node_count, sample_count;
    uint64_t metric_count; /* sums of metrics whose values are in no tree */
};

static void send_all(struct measure *m, uint32_t to, bool is_well)
{
    const struct team *t = m->job->team;
    const struct expand *x = &m->expand;
    struct parcel p = {
        is_well,       x->name_count,   x->names.bytes.len,     x->origins.len, m->streams.bytes.len, m->warnings.bytes.len, m->metrics.saturated,
        m->node_count, m->sample_count, m->metrics.declared.len
    };
    uint32_t is_wanted;
    t->send(t->arg, to, &p, sizeof p);
    t->receive(t->arg, to, &is_wanted, sizeof is_wanted);
    m->share->parent = to;
    if (!is_wanted || !is_well) return;
    t->send(t->arg, to, x->names.bytes.at, (size_t)p.name_len);
    t->send(t->arg, to, x->origins.at, x->origins.len * sizeof *x->origins.at);
    t->send(t->arg, to, m->streams.bytes.at, (size_t)p.stream_len);
    t->send(t->arg, to, m->warnings.bytes.at, (size_t)p.warning_len);
    t->send(t->arg, to, m->metrics.declared.at, m->metrics.declared.len * sizeof *m->metrics.declared.at);
}

/* What was only summed up: numbers of nodes and samples, and metrics whose values are in no tree. */
static void add_sums(struct measure *m, const struct parcel *p, const struct hpcrun_declared *declared)
{
    m->metrics.saturated += p->saturated;
    m->node_count += p->node_count;
    m->sample_count += p->sample_count;
    for (size_t i = 0; i < m->metrics.declared.len && i < p->metric_count; i++) {
        exact_merge(&m->metrics.declared.at[i].real, &declared[i].real);
        m->metrics.declared.at[i].whole = wide_add(m->metrics.declared.at[i].whole, declared[i].whole);
    }
}

static int take_child(struct measure *m, const struct parcel *p, const char *names, const struct expand_origin *origins, const char *streams,
                      const char *warnings, struct share_child *child, assay_error *err)
{
    struct wire_in name_in = { names, (size_t)p->name_len, false }, stream_in = { streams, (size_t)p->stream_len, false },
                   warning_in = { warnings, (size_t)p->warning_len, false };
    TRY(expand_adopt(&m->expand, &name_in, p->name_count, origins, (uint32_t)p->origin_count, child->map, err));
    if (m->job->team->rank) { /* for the next one */
        wire_put(&m->streams, streams, (size_t)p->stream_len);
        wire_put(&m->warnings, warnings, (size_t)p->warning_len);
        return m->streams.failed || m->warnings.failed ? error_memory(err) : 0;
    }
    TRY(take_streams(m, &stream_in, err));
    TRY(take_warnings(m, &warning_in, err));
    return assay_builder_failed(m->b) ? error_memory(err) : 0;
}

static int receive_all(struct measure *m, uint32_t from, int rc, assay_error *err)
{
    const struct team *t = m->job->team;
    struct parcel p;
    t->receive(t->arg, from, &p, sizeof p);
    struct share_child *child = rc == 0 && p.is_there ? vec_push(m->share->mem, &m->share->children) : NULL;
    if (child) {
        *child = (struct share_child){ from, (uint32_t)p.origin_count, NULL };
        child->map = mem_alloc(m->share->mem, ((size_t)p.origin_count + 1) * sizeof *child->map);
    }
    SCRATCH(char, names, m->mem, p.name_len + 1);
    SCRATCH(struct expand_origin, origins, m->mem, p.origin_count + 1);
    SCRATCH(char, streams, m->mem, p.stream_len + 1);
    SCRATCH(char, warnings, m->mem, p.warning_len + 1);
    SCRATCH(struct hpcrun_declared, declared, m->mem, p.metric_count + 1);
    uint32_t is_wanted = child && child->map && names && origins && streams && warnings && declared;
    t->send(t->arg, from, &is_wanted, sizeof is_wanted);
    if (rc != 0 || !p.is_there) return rc; /* the other rank says why at the next agreement */
    if (!is_wanted) return error_memory(err);
    t->receive(t->arg, from, names, (size_t)p.name_len);
    t->receive(t->arg, from, origins, (size_t)p.origin_count * sizeof *origins);
    t->receive(t->arg, from, streams, (size_t)p.stream_len);
    t->receive(t->arg, from, warnings, (size_t)p.warning_len);
    t->receive(t->arg, from, declared, (size_t)p.metric_count * sizeof *declared);
    add_sums(m, &p, declared);
    return take_child(m, &p, names, origins, streams, warnings, child, err);
}

/* In steps: every second rank adopts the next one, then every fourth the one two behind it, and so on: each always has a run of ranks without gaps. */
int measure_unite(struct measure *m, assay_error *err)
{
    const struct team *t = m->job->team;
    uint64_t total;
    int rc = m->expand.names.failed || m->streams.failed || m->warnings.failed ? error_memory(err) : 0;
    m->share->stream_count = m->stream_count;
    m->share->first_stream = (uint32_t)team_before(t, m->stream_count, &total);
    m->share->stream_total = (uint32_t)total;
    for (uint32_t step = 1; step < t->count; step *= 2) {
        if (t->rank & step) {
            send_all(m, t->rank - step, rc == 0);
            break;
        }
        if (t->count - t->rank > step) rc = receive_all(m, t->rank + step, rc, err);
    }
    return team_agree(t, rc, err);
}

/* Reading a measurement directory: a first pass over the heads of all profiles for the metrics, then one profile after the other. */
#include <stdio.h>

#include "base/cancel.h"
#include "base/slice.h"
#include "formats/hpcrun/hpcrun-measurements/measure.h"

/* ---- warnings ---- */

int measure_warn(struct measure *m, const char *name, const struct hpcrun_damage *damage, uint64_t off, assay_error *err)
{
    char text[HPCRUN_MESSAGE_LEN + 300];
    if (m->job->options->strict && damage->severity == ASSAY_ERROR)
        return error_at(err, ASSAY_ERR_DAMAGED, off, "%s: %s (%s)", name, damage->message, damage->rule);
    snprintf(text, sizeof text, "%.250s: %s", name, damage->message);
    const assay_finding finding = { .rule = damage->rule, .severity = damage->severity, .has_offset = true, .offset = off, .message = text };
    assay_build_warning(m->b, &finding);
    measure_note_warning(m, &finding);
    return 0;
}

/* A file that cannot be opened costs its own data only. */
static int warn_unreadable(struct measure *m, const char *name, const assay_error *why, assay_error *err)
{
    struct hpcrun_damage d = { .rule = "HRW17", .severity = ASSAY_ERROR };
    snprintf(d.message, sizeof d.message, "cannot be read: %.150s", why->text);
    return measure_warn(m, name, &d, 0, err);
}

/* ---- metrics ---- */

/* The decoder of a profile that is open, behind its first record. */
typedef int survey_fn(struct measure *m, struct measure_file *file, const struct hpcrun_decoder *d, assay_error *err);

static int note(struct measure *m, struct measure_file *file, const struct hpcrun_decoder *d, assay_error *err)
{
    size_t before = m->metrics.declared.len;
    TRY(hpcrun_metrics_note(&m->metrics, d, err));
    file->has_news = m->metrics.declared.len > before;
    if (d->file.variant != HPCRUN_UNKNOWN && !intern_put(&m->versions, slice_of(hpcrun_version_name(d->file.variant, d->file.is_big_endian))))
        return error_memory(err);
    return measure_note_gpu(m, d, err);
}

static int declare(struct measure *m, struct measure_file *file, const struct hpcrun_decoder *d, assay_error *err)
{
    (void)file;
    return hpcrun_metrics_declare(&m->metrics, d, err);
}

static int survey_opened(struct measure *m, struct measure_file *file, survey_fn *fn, int opened, const struct measure_source *source, assay_error *err)
{
    struct hpcrun_decoder d;
    struct hpcrun_record first;
    if (opened != 0) return opened == ASSAY_ERR_MEMORY ? error_memory(err) : 0;
    hpcrun_decoder_init(&d, source->bytes);
    (void)hpcrun_next(&d, &first);
    int rc = fn(m, file, &d, err);
    measure_hold(m, file, source);
    return rc;
}

static int survey_file(struct measure *m, struct measure_file *file, survey_fn *fn, assay_error *err)
{
    struct measure_source source;
    assay_error ignored = { 0 };
    int opened = measure_open_profile(m, file, &source, &ignored), rc = survey_opened(m, file, fn, opened, &source, err);
    measure_close_file(&source);
    return rc;
}

static int note_opened(struct measure *m, struct measure_file *file, struct measure_opened *o, assay_error *err)
{
    return survey_opened(m, file, note, o->rc, &o->source, err);
}
static int note_file(struct measure *m, struct measure_file *file, assay_error *err) { return survey_file(m, file, note, err); }
static int declare_file(struct measure *m, struct measure_file *file, assay_error *err) { return survey_file(m, file, declare, err); }

/* Metrics that some profiles store as whole numbers and others as real ones are real: so all are looked at before the first is declared. */
static int survey(struct measure *m, assay_error *err)
{
    struct measure_file *at = m->list.profiles.at;
    int rc = measure_each(m, false, note_opened, err);
    if (m->job->team) {
        TRY(team_agree(m->job->team, rc, err));
        TRY(measure_share_names(m, note_file, err));
        return measure_share_news(m, declare_file, err);
    }
    for (size_t i = m->begin; rc == 0 && i < m->end; i++)
        if (at[i].has_news) rc = declare_file(m, &at[i], err);
    return rc;
}

/* ---- the whole ---- */

/* In a team rank 0 looks up what all have. */
static void symbol_trouble(void *arg, const assay_finding *finding)
{
    const struct measure *m = arg;
    if (team_rank(m->job->team) == 0) assay_build_warning(m->b, finding);
}

static int open_symbols(struct measure *m, struct symbols **out, assay_error *err)
{
    const struct assay_read_options *o = m->job->options;
    struct symbols_options options = {
        .mem = m->mem,
        .dir = m->list.dir,
        .paths = o->symbol_paths,
        .path_count = o->symbol_path_count,
        .maps = o->maps,
        .map_count = o->map_count,
        .no_loops = o->no_loops,
        .foreign = o->foreign,
        .compat = m->own->compat,
        .ignore_structures = o->no_structures,
        .dwarf_max_size = m->own->dwarf_max_size,
        .found = symbol_trouble,
        .found_arg = m,
    };
    bool is_needed = !o->no_symbols && !(assay_builder_want(m->b) & ASSAY_WANT_TOTALS); /* totals and counts do not depend on names */
    *out = is_needed ? symbols_new(&options) : NULL;
    return *out || !is_needed ? 0 : error_memory(err);
}

static int step_on(struct measure *m, const struct measure_file *file, assay_error *err)
{
    const struct assay_read_options *o = m->job->options;
    m->done_bytes += file->size + file->trace_size;
    if (cancel_due() || (o->progress && o->progress(o->progress_arg, m->done_bytes, m->list.bytes))) return error_cancelled(err);
    return 0;
}

static int read_profile(struct measure *m, struct measure_file *file, struct measure_opened *o, assay_error *err)
{
    assay_error why = { 0 };
    int rc = measure_profile(m, file, o, &why);
    measure_let_go(&m->list, file);
    if (rc == ASSAY_ERR_SYSTEM || rc == ASSAY_ERR_LIMIT)
        TRY(warn_unreadable(m, file->name, &why, err));
    else if (rc != 0) {
        *err = why;
        return rc;
    }
    if (assay_builder_failed(m->b)) return error_memory(err);
    return step_on(m, file, err);
}

static void state_facts(struct measure *m)
{
    char version[200] = "";
    for (uint32_t i = 1; i <= intern_count(&m->versions); i++) {
        size_t used = strlen(version);
        snprintf(version + used, sizeof version - used, "%s%s", used ? ", " : "", intern_get(&m->versions, i).data);
    }
    assay_build_source(m->b, "hpcrun-measurements", version, "hpcrun");
    assay_build_count(m->b, "streams", m->stream_count);
    assay_build_count(m->b, "traces", m->list.trace_count);
    assay_build_count(m->b, "samples", m->sample_count);
    assay_build_count(m->b, "contexts", m->node_count);
    assay_build_count(m->b, "structs", m->list.structure_count);
    assay_build_count(m->b, "metrics", m->metrics.declared.len);
    assay_build_offers(m->b, ASSAY_SHAPE_TREE | (m->list.trace_count ? (uint32_t)ASSAY_SHAPE_TIMELINE : 0));
}

/* ---- what is left out ---- */

/* What the header says, or "". */
static assay_slice program_of(const struct measure_source *source)
{
    struct hpcrun_decoder d;
    hpcrun_decoder_init(&d, source->bytes);
    d.skip_items = true;
    for (struct hpcrun_record r; hpcrun_next(&d, &r) && r.kind != HPCRUN_RECORD_LIST;)
        if (r.kind == HPCRUN_RECORD_PAIR && slice_is(r.pair.name.text, "program-name")) return r.pair.value.text;
    return SLICE("");
}

static bool is_among(assay_slice name, const struct words *list)
{
    for (size_t i = 0; i < list->len; i++)
        if (slice_is(name, list->at[i])) return true;
    return false;
}

static int is_wanted(struct measure *m, struct measure_file *file, bool *out, assay_error *err)
{
    const struct measure_options *o = m->own;
    struct measure_source source;
    assay_error ignored = { 0 };
    int rc = measure_open_profile(m, file, &source, &ignored);
    assay_slice program = rc == 0 ? program_of(&source) : SLICE("");
    *out = (!o->only_exes.len || is_among(program, &o->only_exes)) && !is_among(program, &o->exclude_exes);
    if (rc == 0 && *out) measure_hold(m, file, &source);
    measure_close_file(&source);
    return rc == ASSAY_ERR_MEMORY ? error_memory(err) : 0;
}

static int leave_out(struct measure *m, assay_error *err)
{
    const struct measure_options *o = m->own;
    struct measure_list *l = &m->list;
    size_t kept = 0;
    for (size_t i = 0; i < l->profiles.len; i++) {
        struct measure_file *file = &l->profiles.at[i];
        bool wanted = true;
        if (o->only_exes.len || o->exclude_exes.len) TRY(is_wanted(m, file, &wanted, err));
        if (o->no_traces || !wanted) {
            l->trace_count -= file->trace_path != NULL;
            l->bytes -= file->trace_path ? file->trace_size : 0;
            file->trace_path = NULL;
        }
        struct measure_file moved = *file;
        file->held = (assay_slice){ NULL, 0 };
        if (wanted)
            l->profiles.at[kept++] = moved;
        else
            l->bytes -= file->size;
    }
    l->profiles.len = kept;
    if (!kept) FAIL(err, ASSAY_ERR_EMPTY, "none of the measurements is of a selected program");
    return 0;
}

static int list_files(struct measure *m, assay_error *err)
{
    TRY(measure_list_open(&m->list, input_path(m->job->in), m->mem, err));
    if (!m->list.profiles.len) FAIL(err, ASSAY_ERR_EMPTY, "no measurements: the directory has no .hpcrun file");
    TRY(leave_out(m, err));
    m->begin = 0;
    m->end = m->list.profiles.len;
    return 0;
}

/* Its part in a team: what all must agree on is agreed on before the next step. */
static int read_files(struct measure *m, assay_error *err)
{
    const struct team *team = m->job->team;
    TRY(team_agree(team, list_files(m, err), err));
    if (team) TRY(measure_share_list(m, err));
    TRY(survey(m, err));
    if (m->has_timeline) assay_build_timeline(m->b, NULL, 0);
    TRY(team_agree(team, measure_each(m, true, read_profile, err), err));
    return team ? measure_unite(m, err) : 0;
}

static int read_all(struct measure *m, assay_error *err)
{
    TRY(read_files(m, err));
    hpcrun_metrics_state(&m->metrics);
    if (m->metrics.saturated)
        hpcrun_warn(m->b, "HRW10", ASSAY_WARNING, FINDING_NO_OFFSET, "%llu values times their period exceed 64 bits and are shown as the largest number",
                    (unsigned long long)m->metrics.saturated);
    state_facts(m);
    return 0;
}

static int begin_share(struct measure *m, assay_error *err)
{
    m->streams.mem = m->warnings.mem = m->mem;
    m->expand.is_shared = true;
    m->share = share_of_builder(m->b, m->job->team);
    return m->share ? 0 : error_memory(err);
}

int measure_read(const struct read_job *job, assay_builder *b, assay_error *err)
{
    struct symbols *symbols = NULL;
    static const struct measure_options none;
    const struct measure_options *own = job->own ? job->own : &none;
    struct measure m = { .job = job, .own = own, .b = b, .mem = job->mem, .has_timeline = (assay_builder_want(b) & ASSAY_WANT_TIMELINE) != 0 };
    m.list.dir = input_path(job->in);
    hpcrun_metrics_init(&m.metrics, m.mem, b);
    intern_init(&m.versions, m.mem);
    tuples_init(&m.tuples, m.mem);
    int rc = open_symbols(&m, &symbols, err);
    expand_init(&m.expand, m.mem, b, symbols, own->compat);
    rebuild_init(&m.rebuild, m.mem, &m.expand, own->compat);
    if (rc == 0 && job->team) rc = begin_share(&m, err);
    rc = team_agree(job->team, rc, err);
    if (rc == 0) rc = read_all(&m, err);
    rebuild_done(&m.rebuild);
    expand_done(&m.expand);
    symbols_free(symbols);
    tuples_done(&m.tuples);
    hpcrun_metrics_done(&m.metrics);
    intern_done(&m.versions);
    measure_list_done(&m.list);
    vec_done(m.mem, &m.streams.bytes, &m.warnings.bytes);
    return rc;
}

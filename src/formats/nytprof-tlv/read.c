/* Records of a chunked NYTProf stream -> a profile. Two passes over the bytes: names (figures may stand before them), and then
 * everything, judged on the way; figures are given back behind it. Memory grows with the lines, subs and calls that are distinct. */
#include "formats/nytprof-tlv/read.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/number.h"

static const assay_stream_id whole = { 0 };

int tlv_map(const struct read_job *job, struct tlv_source *out, assay_error *err)
{
    assay_error cause = { 0 };
    int rc = input_map(job->in, &out->bytes, &cause);
    out->is_cut = rc == ASSAY_ERR_DAMAGED || rc == ASSAY_ERR_TRUNCATED;
    if (rc == 0 || out->is_cut) return 0;
    if (err) *err = cause;
    return rc;
}

/* ---- metrics ---- */

static assay_metric_id formula(struct tlv_reader *r, const char *name, const char *unit, const char *text)
{
    assay_metric_id m = assay_build_metric(r->b, name, unit, ASSAY_U64, 0);
    assay_build_metric_text(r->b, m, NULL, text, false);
    return m;
}

/* Lines have one metric, or three where D holds events. */
static void make_metrics(struct tlv_reader *r)
{
    r->line_exclusive = assay_build_metric(r->b, "line_exclusive", "tick", ASSAY_U64, ASSAY_SHAPE_LINES);
    r->line_inclusive = formula(r, "line_inclusive", "tick", "inclusive of line_exclusive");
    r->line_calls = formula(r, "line_calls", "n", "hits");
    r->sub_ticks = assay_build_metric(r->b, "sub_ticks", "tick", ASSAY_U64, ASSAY_SHAPE_GRAPH);
    r->sub_calls = formula(r, "sub_calls", "n", "calls");
    assay_metric_id lines[3] = { r->line_exclusive };
    if (r->has_events) {
        lines[1] = assay_build_metric(r->b, "d_events", "n", ASSAY_U64, ASSAY_SHAPE_LINES);
        lines[2] = assay_build_metric(r->b, "d_time", "ns", ASSAY_U64, ASSAY_SHAPE_LINES);
    }
    assay_build_line_metrics(r->b, lines, r->has_events ? 3 : 1);
    assay_build_graph_metrics(r->b, &r->sub_ticks, 1);
}

static void state(struct tlv_reader *r, assay_metric_id m, uint64_t total) { assay_build_metric_total(r->b, m, (assay_value){ .u = total }); }

static void state_totals(struct tlv_reader *r)
{
    state(r, r->line_inclusive, r->inclusive);
    state(r, r->line_calls, r->line_hits);
    state(r, r->sub_calls, r->calls);
    if (!r->wants_lines) state(r, r->line_exclusive, r->exclusive);
}

/* ---- figures ---- */

static bool book_cost(struct tlv_reader *r, const struct tlv_cost *c)
{
    assay_file_id file;
    tlv_read_add(r, &r->exclusive, c->exclusive);
    tlv_read_add(r, &r->inclusive, c->inclusive);
    tlv_read_add(r, &r->line_hits, c->calls);
    if (!r->wants_lines) return true;
    if (!tlv_read_file_id(r, r->judge.file, &file)) return false;
    const struct assay_line at = { .file = file, .line = c->line };
    const assay_value self[3] = { { .u = c->exclusive } }, total[3] = { { .u = c->inclusive } };
    assay_build_line(r->b, &at, c->calls, self, total);
    return true;
}

static bool book_event(struct tlv_reader *r, const struct tlv_event *e)
{
    assay_file_id file;
    r->events++;
    tlv_read_add(r, &r->event_ns, e->ns);
    if (!r->wants_lines) return true;
    if (!tlv_read_file_id(r, r->judge.file, &file)) return false;
    const struct assay_line at = { .file = file, .line = e->line };
    const assay_value self[3] = { { .u = 0 }, { .u = 1 }, { .u = e->ns } };
    assay_build_line(r->b, &at, 0, self, NULL);
    return true;
}

static void book_arc(struct tlv_reader *r, const struct assay_place *site, struct tlv_read_sums *callee, uint64_t calls, uint64_t ticks, uint64_t sub_ticks)
{
    tlv_read_add(r, &callee->calls, calls);
    tlv_read_add(r, &callee->ticks, ticks);
    tlv_read_add(r, &callee->sub_ticks, sub_ticks);
    assay_build_call(r->b, site, callee->id, calls, &(assay_value){ .u = ticks }, 1);
    assay_build_call_more(r->b, &(assay_value){ .u = sub_ticks }, NULL, 0);
}

static bool book_call(struct tlv_reader *r, const struct tlv_call *c)
{
    struct tlv_read_sums *caller = tlv_read_sums_at(r, r->judge.caller);
    if (!caller) return false;
    const struct assay_place site = { .func = caller->id };
    struct tlv_read_sums *callee = tlv_read_sums_at(r, r->judge.sub);
    if (!callee) return false;
    tlv_read_add(r, &r->calls, c->calls);
    book_arc(r, &site, callee, c->calls, c->ticks, c->sub_ticks);
    return true;
}

/* The C extension knows where a call was made, but neither by whom nor how often. */
static bool book_site(struct tlv_reader *r, const struct tlv_site *s)
{
    struct assay_place site = { .line = s->line };
    if (!tlv_read_file_id(r, r->judge.file, &site.file)) return false;
    struct tlv_read_sums *callee = tlv_read_sums_at(r, r->judge.sub);
    if (!callee) return false;
    r->call_sites++;
    book_arc(r, &site, callee, 0, s->inclusive, s->exclusive);
    return true;
}

static void book_subs(struct tlv_reader *r)
{
    for (size_t i = 0; i < r->subs.len; i++) {
        const struct tlv_read_sub *s = &r->subs.at[i];
        const struct tlv_read_sums *sums = &r->sums.at[i];
        struct assay_place at = { .func = sums->id, .line = s->sub.first };
        if (s->file) at.file = r->files.at[s->file - 1].id;
        assay_build_self(r->b, &at, &(assay_value){ .u = sums->sub_ticks }, 1);
        assay_build_stated(r->b, whole, sums->id, sums->calls, &(assay_value){ .u = sums->ticks }, 1);
    }
}

/* ---- facts ---- */

static bool put_attribute(struct tlv_reader *r, const char *prefix, assay_slice key, assay_slice value)
{
    size_t prefix_len = strlen(prefix);
    assay_slice k = tlv_read_text(r, key), v = tlv_read_text(r, value);
    char *name = k.data && v.data ? arena_text(&r->text, prefix_len + k.len + 1) : NULL;
    if (!name) return false;
    memcpy(name, prefix, prefix_len);
    memcpy(name + prefix_len, k.data, k.len);
    assay_build_attribute(r->b, whole, name, prefix_len + k.len, v.data, v.len);
    return true;
}

/* `... Generated by NAME on DATE` */
static assay_slice producer_of(assay_slice comment)
{
    static const char before[] = "Generated by ";
    const char *at = comment.len ? memmem(comment.data, comment.len, before, sizeof before - 1) : NULL;
    if (!at) return (assay_slice){ NULL, 0 };
    assay_slice rest = slice_from(at + sizeof before - 1, comment.data + comment.len);
    const char *end = rest.len ? memmem(rest.data, rest.len, " on ", 4) : NULL;
    return end ? slice_from(rest.data, end) : rest;
}

static bool read_line(struct tlv_reader *r, const struct tlv_line *l)
{
    if (l->mark == '#') {
        assay_slice comment = { l->text.data + 1, l->text.len - 1 };
        if (!r->producer.len) r->producer = producer_of(comment);
        return put_attribute(r, "#", SLICE(""), comment);
    }
    return !l->has_value || put_attribute(r, l->mark == '!' ? "!" : "", l->key, l->value);
}

/* Keys of an A chunk keep apart from those of the banner; the oldest streams have no others. */
static bool read_attribute(struct tlv_reader *r, const struct tlv_attribute *a)
{
    return !a->has_value || put_attribute(r, r->d.chunk.token == 'A' ? "A." : "", a->key, a->value);
}

static void read_process(struct tlv_reader *r, const struct tlv_process *p)
{
    char text[48];
    assay_build_attribute(r->b, whole, "pid", 3, text, number_put_u64(text, p->pid));
    assay_build_attribute(r->b, whole, "ppid", 4, text, number_put_u64(text, p->ppid));
    assay_build_attribute(r->b, whole, "start", 5, text, number_put_double(text, p->seconds));
}

static int read_record(struct tlv_reader *r, const struct tlv_record *rec, assay_error *err)
{
    bool has_room = true;
    switch (rec->kind) {
    case TLV_LINE: has_room = read_line(r, &rec->line); break;
    case TLV_ATTRIBUTE: has_room = read_attribute(r, &rec->attribute); break;
    case TLV_PROCESS: read_process(r, &rec->process); break;
    case TLV_COST: has_room = book_cost(r, &rec->cost); break;
    case TLV_EVENT: has_room = book_event(r, &rec->event); break;
    case TLV_CALL: has_room = book_call(r, &rec->call); break;
    case TLV_SITE: has_room = book_site(r, &rec->site); break;
    case TLV_CHUNK: return assay_builder_failed(r->b);
    case TLV_DAMAGE: return rec->damage.is_fatal ? tlv_judge_refuse(&r->judge, err) : 0;
    default: break;
    }
    return has_room ? 0 : error_memory(err);
}

static void put_facts(struct tlv_reader *r)
{
    const struct {
        const char *name;
        uint64_t value;
        bool is_there;
    } counts[] = { { "files", r->files_defined, true },
                   { "functions", r->judge.subs.rows.len, true },
                   { "lines", r->judge.lines.count, true },
                   { "calls", r->judge.calls.count, true },
                   { "call_sites", r->call_sites, r->d.has_ranges },
                   { "d_events", r->events, r->has_events },
                   { "chunks", r->d.chunk_count, true },
                   { "banner_bytes", r->d.banner_len, r->d.head.start == TLV_START_BANNER },
                   { "ticks_per_sec", r->d.ticks_per_sec, true } };
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        if (counts[i].is_there) assay_build_count(r->b, counts[i].name, counts[i].value);
}

static int put_source(struct tlv_reader *r, assay_error *err)
{
    const char *generation = tlv_generation(&r->d);
    bool is_odd = tlv_generation_is_odd(&r->d);
    char version[64];
    assay_slice producer = r->producer.len ? r->producer : r->d.head.start == TLV_START_BANNER ? SLICE("") : SLICE("Pynytprof");
    char *copy = arena_copy(&r->text, producer);
    if (!copy) return error_memory(err);
    if (*generation) assay_build_attribute(r->b, whole, "generation", strlen("generation"), generation, strlen(generation));
    snprintf(version, sizeof version, "%" PRIu64 ".%" PRIu64 "%s%s", r->d.head.major, r->d.head.minor, is_odd ? " " : "", is_odd ? generation : "");
    assay_build_source(r->b, "nytprof-tlv", version, copy);
    assay_build_offers(r->b, ASSAY_SHAPE_GRAPH | ASSAY_SHAPE_LINES);
    return 0;
}

/* ---- the whole ---- */

static void put_warnings(struct tlv_reader *r)
{
    if (r->is_saturated || assay_builder_saturated(r->b))
        findings_add(&r->found, "T35", ASSAY_WARNING, 0, 0, "a sum does not fit in 64 bits: the nearest value is shown");
    for (size_t i = 0; i < r->found.list.len; i++) assay_build_warning(r->b, &r->found.list.at[i]);
}

static int read_bytes(struct tlv_reader *r, struct tlv_source *source, assay_error *err)
{
    bool is_strict = r->job->options->strict;
    struct tlv_record rec;
    TRY(tlv_read_names(r, source->bytes, err));
    make_metrics(r);
    tlv_decoder_init(&r->d, source->bytes);
    while (tlv_next(&r->d, &rec)) {
        TRY(tlv_judge_record(&r->judge, &rec, err));
        if (is_strict && r->found.errors) return tlv_judge_refuse(&r->judge, err);
        TRY(read_record(r, &rec, err));
        tlv_forget(r->job, source, &r->d, &rec);
    }
    TRY(tlv_judge_end(&r->judge, source, err));
    if (is_strict) TRY(tlv_judge_refuse(&r->judge, err));
    book_subs(r);
    state_totals(r);
    put_facts(r);
    TRY(put_source(r, err));
    put_warnings(r);
    return r->found.failed ? error_memory(err) : assay_builder_failed(r->b);
}

int nytprof_tlv_read(const struct read_job *job, assay_builder *b, assay_error *err)
{
    struct tlv_source source = { .forgotten = 0 };
    struct tlv_reader r = { .job = job, .b = b, .wants_lines = assay_builder_want(b) & ASSAY_WANT_LINES };
    TRY(tlv_map(job, &source, err));
    findings_init(&r.found, job->mem);
    tlv_judge_init(&r.judge, job->mem, &r.found);
    arena_init(&r.text, job->mem);
    int rc = read_bytes(&r, &source, err);
    arena_done(&r.text);
    vec_done(job->mem, &r.files, &r.subs, &r.sums);
    tlv_judge_done(&r.judge);
    findings_done(&r.found);
    return rc;
}

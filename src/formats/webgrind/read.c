/* Records of a webgrind file -> a profile. Three passes over the mapped bytes: the header lines (they name the metric), the functions
 * (calls refer forward), and then everything, figures and damage. */
#include <inttypes.h>
#include <stdio.h>

#include "analysis/core/units.h"
#include "base/arena.h"
#include "base/scoped.h"
#include "base/vec.h"
#include "formats/webgrind/format.h"
#include "formats/webgrind/tree.h"

struct reader {
    const struct read_job *job;
    assay_builder *b;
    struct webgrind_decoder d;
    struct arena text;
    assay_metric_id metric;
    const char *producer;
    VEC(uint32_t) files; /* by function number: id of its file, 0 = its record could not be read */
    bool wants_tree;
    struct webgrind_tree tree;
    uint64_t functions, file_count, calls, call_records, invocations, headers;
};

static int fail_at(const char *rule, uint64_t off, const char *message, assay_error *err)
{
    int code = strcmp(rule, "WG02") == 0 ? ASSAY_ERR_VERSION : ASSAY_ERR_DAMAGED;
    return error_at(err, code, off, "%s (%s)", message, rule);
}

int webgrind_fail(const struct webgrind_record *r, assay_error *err) { return fail_at(r->damage.rule, r->off, r->damage.message, err); }

static void warn(struct reader *r, const char *rule, int severity, uint64_t off, const char *message)
{
    assay_build_warning(r->b,
                        &(assay_finding){ .rule = rule, .severity = severity, .has_offset = off != FINDING_NO_OFFSET, .offset = off, .message = message });
}

/* Reads the head; the refusals are errors for every reader. */
static int open_file(struct reader *r, assay_slice bytes, bool skip_items, assay_error *err)
{
    struct webgrind_record rec;
    webgrind_decoder_init(&r->d, bytes);
    r->d.skip_items = skip_items;
    (void)webgrind_next(&r->d, &rec);
    if (r->d.pending_count == 0) return 0;
    (void)webgrind_next(&r->d, &rec);
    return rec.damage.is_fatal ? webgrind_fail(&rec, err) : 0;
}

/* ---- header lines ---- */

static assay_slice first_word(assay_slice s)
{
    size_t len = 0;
    s = slice_trim(s);
    while (len < s.len && s.data[len] != ' ' && s.data[len] != '\t') len++;
    return (assay_slice){ s.data, len };
}

static int read_lines(struct reader *r, assay_error *err)
{
    assay_slice event = { NULL, 0 }, creator = { NULL, 0 };
    struct webgrind_record rec;
    webgrind_to_lines(&r->d);
    while (webgrind_next(&r->d, &rec)) {
        if (rec.kind != WEBGRIND_RECORD_LINE) continue;
        r->headers++;
        if (!rec.line.has_key) continue;
        assay_slice key = rec.line.key, value = rec.line.value;
        assay_build_attribute(r->b, (assay_stream_id){ 0 }, key.data, key.len, value.data, value.len);
        /* Headers keep the line ends of the text they come from. */
        if (value.len && value.data[value.len - 1] == '\r') value.len--;
        if (!event.len && slice_is(key, "events")) event = first_word(value);
        if (!creator.len && slice_is(key, "creator")) creator = value;
    }
    const char *name = arena_copy(&r->text, event.len ? event : SLICE("Time"));
    r->producer = arena_copy(&r->text, creator.len ? creator : SLICE(""));
    if (!name || !r->producer) return error_memory(err);
    char unit[UNITS_TEXT];
    units_of_event(slice_of(name), unit);
    r->metric = assay_build_metric(r->b, name, unit, ASSAY_I64, 0);
    assay_build_graph_metrics(r->b, &r->metric, 1);
    return assay_builder_failed(r->b);
}

/* ---- functions ---- */

/* Function ids are number + 1, so a record that cannot be read still takes one. */
static int make_function(struct reader *r, const struct webgrind_function *f, assay_error *err)
{
    uint32_t *slot = vec_push(r->job->mem, &r->files);
    if (!slot) return error_memory(err);
    *slot = 0;
    if (!f) {
        assay_str_id unknown = assay_build_string(r->b, "<unknown>", 9);
        assay_func_id id = assay_build_func_new(r->b, unknown, (assay_file_id){ 0 }, (assay_module_id){ 0 }, 0, 0);
        assay_build_func_kind(r->b, id, ASSAY_FUNC_PLACEHOLDER, 0);
        return assay_builder_failed(r->b);
    }
    assay_file_id file = assay_build_file(r->b, assay_build_string(r->b, f->file.data, f->file.len), (assay_module_id){ 0 });
    assay_str_id name = assay_build_string(r->b, f->name.data, f->name.len);
    assay_func_id id = assay_build_func_new(r->b, name, file, (assay_module_id){ 0 }, 0, f->fields[WEBGRIND_LINE]);
    if (slice_contains(f->name, "php::")) assay_build_func_kind(r->b, id, ASSAY_FUNC_INTERNAL, 0);
    *slot = file.v;
    if (file.v > r->file_count) r->file_count = file.v;
    r->functions++;
    return assay_builder_failed(r->b);
}

static int read_functions(struct reader *r, assay_error *err)
{
    struct webgrind_record rec;
    while (webgrind_next(&r->d, &rec)) {
        if (rec.kind != WEBGRIND_RECORD_FUNCTION) continue;
        while (r->files.len < rec.function.number) TRY(make_function(r, NULL, err));
        TRY(make_function(r, rec.function.is_whole ? &rec.function : NULL, err));
    }
    return 0;
}

/* ---- figures ---- */

static struct assay_place place(const struct reader *r, uint32_t function, uint32_t line)
{
    return (struct assay_place){ .func = { function + 1 }, .file = { r->files.at[function] }, .line = line };
}

static void book_function(struct reader *r, const struct webgrind_function *f)
{
    if (!f->is_whole) return;
    struct assay_place at = place(r, f->number, f->fields[WEBGRIND_LINE]);
    assay_value self = { .i = f->fields[WEBGRIND_SELF] }, total = { .i = f->fields[WEBGRIND_INCLUSIVE] };
    assay_build_self(r->b, &at, &self, 1);
    assay_build_stated(r->b, (assay_stream_id){ 0 }, at.func, f->fields[WEBGRIND_INVOCATIONS], &total, 1);
    r->invocations += f->fields[WEBGRIND_INVOCATIONS];
}

static void book_call(struct reader *r, uint32_t caller, uint32_t line, uint32_t callee, uint64_t count, uint32_t cost, uint64_t off)
{
    if (caller >= r->files.len || callee >= r->files.len) {
        warn(r, "WG09", ASSAY_ERROR, off, "a call names a function whose record could not be read");
        return;
    }
    struct assay_place site = place(r, caller, line);
    assay_build_call(r->b, &site, (assay_func_id){ callee + 1 }, count, &(assay_value){ .i = cost }, 1);
}

/* Versions 6 and 7 say each call twice: the caller's side is booked. Version 5 has the callee's side only. */
static void read_call(struct reader *r, const struct webgrind_record *rec)
{
    const struct webgrind_call *c = &rec->call;
    r->call_records++;
    if (c->is_sub_call != r->d.layout->has_sub_calls) return;
    r->calls += c->count;
    if (!c->is_valid) return;
    if (c->is_sub_call)
        book_call(r, c->owner, c->line, c->function, c->count, c->cost, rec->off);
    else
        book_call(r, c->function, c->line, c->owner, c->count, c->cost, rec->off);
}

static int read_invocation(struct reader *r, const struct webgrind_record *rec, assay_error *err)
{
    const struct webgrind_invocation *v = &rec->invocation;
    struct webgrind_subcall c;
    uint64_t first = v->has_sub_calls ? webgrind_area_index(&r->d, v->sub_call_address) : 0;
    for (uint64_t i = 0; v->has_sub_calls && i < v->sub_call_count; i++)
        if (webgrind_subcall_at(&r->d, first + i, &c) && c.is_valid) book_call(r, v->function, c.line, c.function, 1, c.cost, rec->off);
    if (r->wants_tree && !webgrind_tree_add(&r->tree, &r->d, v)) return error_memory(err);
    return 0;
}

static int read_record(struct reader *r, const struct webgrind_record *rec, assay_error *err)
{
    switch (rec->kind) {
    case WEBGRIND_RECORD_FUNCTION: book_function(r, &rec->function); return assay_builder_failed(r->b);
    case WEBGRIND_RECORD_CALL: read_call(r, rec); return 0;
    case WEBGRIND_RECORD_INVOCATION: return read_invocation(r, rec, err);
    case WEBGRIND_RECORD_SUBCALL:
        r->call_records++;
        r->calls++;
        return 0;
    case WEBGRIND_RECORD_DAMAGE: warn(r, rec->damage.rule, rec->damage.severity, rec->off, rec->damage.message); return 0;
    default: return 0;
    }
}

static int build_tree(struct reader *r, assay_error *err)
{
    uint64_t missing;
    bool whole = assay_builder_want(r->b) & ASSAY_WANT_WHOLE;
    char message[WEBGRIND_MESSAGE_LEN];
    TRY(webgrind_tree_build(&r->tree, &r->d, r->b, r->metric, (uint32_t)r->files.len, whole, &missing, err));
    if (missing) {
        snprintf(message, sizeof message, "%" PRIu64 " sub calls find no invocation of their callee: the call tree is not complete", missing);
        warn(r, "WG28", ASSAY_WARNING, FINDING_NO_OFFSET, message);
    }
    return 0;
}

static void put_facts(struct reader *r)
{
    const struct {
        const char *name;
        uint64_t value;
    } counts[] = { { "functions", r->functions },       { "files", r->file_count },        { "calls", r->calls },
                   { "call_records", r->call_records }, { "invocations", r->invocations }, { "headers", r->headers } };
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) assay_build_count(r->b, counts[i].name, counts[i].value);
    const char version[] = { (char)('0' + r->d.head.version), 0 };
    assay_build_source(r->b, "webgrind", version, r->producer);
    assay_build_offers(r->b, r->d.layout->has_invocations ? ASSAY_SHAPE_GRAPH | ASSAY_SHAPE_TREE : ASSAY_SHAPE_GRAPH);
}

static int read_bytes(struct reader *r, assay_slice bytes, assay_error *err)
{
    struct webgrind_record rec;
    TRY(open_file(r, bytes, true, err));
    TRY(read_lines(r, err));
    TRY(open_file(r, bytes, true, err));
    TRY(read_functions(r, err));
    TRY(open_file(r, bytes, false, err));
    r->wants_tree = r->d.layout->has_invocations && assay_builder_want(r->b) & (ASSAY_WANT_TREE | ASSAY_WANT_WHOLE);
    if (r->wants_tree) assay_builder_has_tree(r->b);
    while (webgrind_next(&r->d, &rec)) TRY(read_record(r, &rec, err));
    if (r->wants_tree) TRY(build_tree(r, err));
    put_facts(r);
    return assay_builder_failed(r->b);
}

int webgrind_refuse_damage(const struct webgrind_source *source, struct mem *mem, assay_error *err)
{
    SCOPED(findings_done) struct findings found;
    findings_init(&found, mem);
    TRY(webgrind_check_source(source, mem, &found, err));
    for (size_t i = 0; i < found.list.len; i++) {
        const assay_finding *f = &found.list.at[i];
        if (f->severity == ASSAY_ERROR) return fail_at(f->rule, f->offset, f->message, err);
    }
    return 0;
}

int webgrind_map(const struct read_job *job, struct webgrind_source *out, assay_error *err)
{
    assay_error cause = { 0 };
    int rc = input_map(job->in, &out->bytes, &cause);
    out->is_cut = rc == ASSAY_ERR_DAMAGED || rc == ASSAY_ERR_TRUNCATED;
    if (rc == 0 || out->is_cut) return 0;
    if (err) *err = cause;
    return rc;
}

int webgrind_read_source(const struct read_job *job, const struct webgrind_source *source, assay_builder *b, assay_error *err)
{
    struct reader r = { .job = job, .b = b };
    if (job->options->strict) TRY(webgrind_refuse_damage(source, job->mem, err));
    arena_init(&r.text, job->mem);
    webgrind_tree_init(&r.tree, job->mem);
    int rc = read_bytes(&r, source->bytes, err);
    if (rc == 0 && source->is_cut) warn(&r, "WG27", ASSAY_ERROR, source->bytes.len, "the compressed input is damaged here");
    webgrind_tree_done(&r.tree);
    vec_done(job->mem, &r.files);
    arena_done(&r.text);
    return rc;
}

int webgrind_read(const struct read_job *job, assay_builder *b, assay_error *err)
{
    struct webgrind_source source;
    TRY(webgrind_map(job, &source, err));
    return webgrind_read_source(job, &source, b, err);
}

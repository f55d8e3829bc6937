/* webgrind -> webgrind. The same version, and 5 to 7 among each other, go record by record: merged call records, odd headers and the
 * figures as they are stay. To and from version 4 the way leads through the model. A damaged file is written as far as it can be read. */
#include <inttypes.h>

#include "base/plural.h"
#include "base/scoped.h"
#include "base/vec.h"
#include "formats/webgrind/encode.h"
#include "formats/webgrind/format.h"

struct turned {
    uint32_t next; /* index + 1 of the caller's next one */
    struct webgrind_call call;
};

struct rewriter {
    const struct read_job *job;
    const struct write_job *write;
    struct mem *mem;
    assay_slice bytes;
    const struct webgrind_layout *from, *to;
    VEC(struct webgrind_function) functions;
    /* version 5 to a newer one: sub calls made from the called-from records of the callees */
    bool turns;
    VEC(struct turned) turned;
    VEC(uint32_t) first, last; /* by caller: index + 1 */
    uint64_t damaged, lines, sub_calls;
};

static const struct webgrind_function unreadable = { .file = { "", 0 }, .name = { "<unknown>", 9 } };

static int add_function(struct rewriter *w, const struct webgrind_function *f, assay_error *err)
{
    struct webgrind_function *slot = vec_push(w->mem, &w->functions);
    uint32_t *first = vec_push(w->mem, &w->first), *last = vec_push(w->mem, &w->last);
    if (!slot || !first || !last) return error_memory(err);
    *first = *last = 0;
    *slot = *f;
    w->lines += f->fields[WEBGRIND_LINE] != 0;
    w->sub_calls += f->fields[WEBGRIND_SUB_CALLS];
    return 0;
}

static int scan_functions(struct rewriter *w, struct webgrind_decoder *d, assay_error *err)
{
    struct webgrind_record r;
    while (webgrind_next(d, &r)) {
        if (r.kind == WEBGRIND_RECORD_DAMAGE) {
            if (r.damage.is_fatal) return webgrind_fail(&r, err);
            w->damaged += r.damage.severity == ASSAY_ERROR;
        }
        if (r.kind != WEBGRIND_RECORD_FUNCTION) continue;
        while (w->functions.len < r.function.number) TRY(add_function(w, &unreadable, err));
        TRY(add_function(w, r.function.is_whole ? &r.function : &unreadable, err));
    }
    return 0;
}

/* Hangs a called-from record at its caller, in the order of the file. */
static int turn(struct rewriter *w, const struct webgrind_call *c, assay_error *err)
{
    if (c->function >= w->functions.len) return 0;
    struct turned *t = vec_push(w->mem, &w->turned);
    if (!t) return error_memory(err);
    uint32_t index = (uint32_t)w->turned.len;
    *t = (struct turned){ 0, *c };
    t->call.function = c->owner;
    if (w->last.at[c->function])
        w->turned.at[w->last.at[c->function] - 1].next = index;
    else
        w->first.at[c->function] = index;
    w->last.at[c->function] = index;
    w->functions.at[c->function].fields[WEBGRIND_SUB_CALLS]++;
    return 0;
}

static int turn_all(struct rewriter *w, assay_error *err)
{
    struct webgrind_decoder d;
    struct webgrind_record r;
    webgrind_decoder_init(&d, w->bytes);
    while (webgrind_next(&d, &r))
        if (r.kind == WEBGRIND_RECORD_CALL && !r.call.is_sub_call) TRY(turn(w, &r.call, err));
    return 0;
}

/* ---- writing ---- */

static void end_function(const struct rewriter *w, uint32_t number, struct output *out)
{
    for (uint32_t i = w->turns ? w->first.at[number] : 0; i; i = w->turned.at[i - 1].next) webgrind_put_call(out, &w->turned.at[i - 1].call);
    webgrind_put_names(out, &w->functions.at[number]);
}

/* Functions that could not be read still have a number. */
static uint32_t put_unreadable(const struct rewriter *w, uint32_t from, uint32_t to, struct output *out)
{
    for (; from < to; from++) {
        webgrind_put_fields(out, w->to, &w->functions.at[from]);
        end_function(w, from, out);
    }
    return from;
}

static void put_record(const struct rewriter *w, const struct webgrind_record *r, struct output *out)
{
    switch (r->kind) {
    case WEBGRIND_RECORD_CALL:
        if (!r->call.is_sub_call || w->to->has_sub_calls) webgrind_put_call(out, &r->call);
        break;
    case WEBGRIND_RECORD_INVOCATION: webgrind_put_invocation(out, &r->invocation); break;
    case WEBGRIND_RECORD_SUBCALL: webgrind_put_subcall(out, &r->subcall); break;
    case WEBGRIND_RECORD_LINE:
        if (r->line.text.len) output_slice(out, r->line.text);
        output_char(out, '\n');
        break;
    default: break;
    }
}

static void put_records(const struct rewriter *w, struct output *out)
{
    struct webgrind_decoder d;
    struct webgrind_record r;
    uint32_t next = 0; /* function whose fields come next */
    bool is_open = false;
    webgrind_decoder_init(&d, w->bytes);
    while (webgrind_next(&d, &r)) {
        bool ends = r.kind == WEBGRIND_RECORD_FUNCTION || r.kind == WEBGRIND_RECORD_SUBCALL || r.kind == WEBGRIND_RECORD_LINE;
        if (is_open && ends) end_function(w, next - 1, out);
        is_open &= !ends;
        if (r.kind == WEBGRIND_RECORD_FUNCTION) {
            next = put_unreadable(w, next, r.function.is_whole ? r.function.number : r.function.number + 1, out);
            is_open = r.function.is_whole;
            if (is_open) webgrind_put_fields(out, w->to, &w->functions.at[next++]);
        }
        put_record(w, &r, out);
    }
    if (is_open) end_function(w, next - 1, out);
}

/* Version 4 has addresses inside its invocations: records may move only when nothing was damaged before them. */
static int put_file(struct rewriter *w, const struct webgrind_decoder *d, struct output *out, assay_error *err)
{
    uint64_t at = WEBGRIND_HEAD_LEN + 4 * (uint64_t)w->functions.len, end = at + (w->to->has_invocations ? d->area_count * WEBGRIND_CALL_LEN : 0);
    for (size_t i = 0; i < w->functions.len; i++) end += webgrind_record_len(w->to, &w->functions.at[i]);
    if (end > UINT32_MAX) FAIL(err, ASSAY_ERR_LIMIT, "webgrind files are limited to 4 GiB, but this one would need %" PRIu64 " bytes", end);
    if (w->to->has_invocations && end != d->limit)
        FAIL(err, ASSAY_ERR_DAMAGED, "the addresses of a damaged version 4 file cannot be kept: convert it to version 7");
    webgrind_put_head(out, &(struct webgrind_head){ 3, w->to->version, (uint32_t)end, (uint32_t)w->functions.len });
    for (size_t i = 0; i < w->functions.len; i++) {
        output_u32le(out, (uint32_t)at);
        at += webgrind_record_len(w->to, &w->functions.at[i]);
    }
    put_records(w, out);
    return 0;
}

static void add_losses(const struct rewriter *w)
{
    struct losses *l = w->write->losses;
    bool has_line = w->to->version == 7;
    if (w->damaged) losses_add(l, "damaged", w->damaged, "%" PRIu64 " damaged place%s not written unchanged", w->damaged, plural_is(w->damaged));
    if (!has_line && w->lines) losses_add(l, "lines", w->lines, "the lines of %" PRIu64 " function%s are left out", w->lines, plural(w->lines));
    if (!w->to->has_sub_calls && w->from->has_sub_calls && w->sub_calls)
        losses_add(l, "calls", w->sub_calls, "%" PRIu64 " sub call record%s left out: version 5 keeps the callee's side", w->sub_calls,
                   plural_is(w->sub_calls));
}

static int rewrite_records(struct rewriter *w, struct webgrind_decoder *d, struct output *out, assay_error *err)
{
    TRY(scan_functions(w, d, err));
    w->turns = !w->from->has_sub_calls && w->to->has_sub_calls;
    if (w->turns) TRY(turn_all(w, err));
    add_losses(w);
    TRY(losses_settle(w->write, err));
    return put_file(w, d, out, err);
}

/* ---- through the model ---- */

static int rewrite_model(const struct read_job *job, const struct webgrind_source *source, const struct write_job *write, struct output *out, assay_error *err)
{
    uint32_t want = webgrind_format.write_wants(write->options, write->version);
    assay_builder *b = assay_builder_new(&(struct assay_build_options){ .want = want, .max_memory = job->options->max_memory }, err);
    if (!b) return err ? err->code : ASSAY_ERR_MEMORY;
    int rc = webgrind_read_source(job, source, b, err);
    if (rc != 0 && !assay_builder_failed(b)) {
        assay_builder_free(b);
        return rc;
    }
    assay_error sealing = { 0 };
    assay_profile *p = assay_builder_seal(b, err ? err : &sealing);
    if (!p) return err ? err->code : sealing.code;
    rc = webgrind_write(p, write, out, err);
    assay_profile_release(p);
    return rc;
}

int webgrind_rewrite(const struct read_job *job, const struct write_job *write, struct output *out, assay_error *err)
{
    struct rewriter w = { .job = job, .write = write, .mem = write->mem };
    struct webgrind_decoder d;
    struct webgrind_source source;
    struct webgrind_record r;
    TRY(webgrind_map(job, &source, err));
    if (job->options->strict) TRY(webgrind_refuse_damage(&source, job->mem, err));
    w.bytes = source.bytes;
    w.damaged = source.is_cut;
    webgrind_decoder_init(&d, w.bytes);
    (void)webgrind_next(&d, &r);
    w.from = d.layout;
    w.to = webgrind_layout((uint32_t)(write->version[0] - '0'));
    if (!w.to) FAIL(err, ASSAY_ERR_USAGE, "unknown webgrind version '%s'", write->version);
    if (w.from && w.from != w.to && (w.from->has_invocations || w.to->has_invocations)) return rewrite_model(job, &source, write, out, err);
    vec_scoped(w.mem, &w.functions);
    vec_scoped(w.mem, &w.turned);
    vec_scoped(w.mem, &w.first);
    vec_scoped(w.mem, &w.last);
    return rewrite_records(&w, &d, out, err);
}

/* What is wrong with a webgrind file, or worth knowing: rules WG01 to WG28 of docs/formats/webgrind.md. The decoder finds what concerns
 * the structure; here the figures are laid against each other. */
#include "formats/webgrind/check.h"

#include <inttypes.h>

#include "base/index.h"
#include "base/intern.h"
#include "base/number.h"

struct place {
    uint64_t off;   /* of its first invocation; 0 = the record could not be read */
    uint32_t count; /* of invocations */
};
struct full_name {
    uint32_t file, name;
};

struct checker {
    struct mem *mem;
    struct findings *out;
    struct webgrind_decoder d;
    bool is_partial; /* a function could not be read: sums over the file mean nothing */

    VEC(struct place) places; /* version 4, by function number */
    struct intern text;
    struct index names;
    VEC(struct full_name) name_rows;

    /* the function in work */
    struct webgrind_function f;
    uint64_t f_off;
    uint64_t called;                /* sum of its called-from counts */
    uint32_t self, inclusive, subs; /* sums over invocations, over sub calls: modulo 2^32 like what the writers store */
    bool is_saturated;

    /* over the file: modulo 2^32 */
    uint32_t from_count, from_cost, sub_count, sub_cost;
    uint64_t first_from;
    bool has_from, has_strange_from, has_strange_sub, has_summary;
};

static void find(struct checker *c, const char *rule, int severity, uint64_t off, const char *what)
{
    findings_add(c->out, rule, severity, off, 0, "function %" PRIu32 ": %s", c->f.number, what);
}

static uint64_t field_at(const struct checker *c, enum webgrind_field field) { return c->f_off + webgrind_field_off(c->d.layout, field); }

/* ---- a function as a whole ---- */

static int check_name(struct checker *c, assay_error *err)
{
    struct full_name key = { intern_put(&c->text, c->f.file), intern_put(&c->text, c->f.name) };
    uint64_t hash = hash_mix(hash_mix(1, key.file), key.name);
    if (!key.file || !key.name) return error_memory(err);
    for (struct index_walk w = index_walk(&c->names, hash); index_next(&c->names, &w);) {
        const struct full_name *row = &c->name_rows.at[w.id - 1];
        if (row->file != key.file || row->name != key.name) continue;
        find(c, "WG20", ASSAY_WARNING, c->f.name_off, "another function has the same name and file");
        return 0;
    }
    struct full_name *row = vec_push(c->mem, &c->name_rows);
    if (!row || !index_add(&c->names, hash, (uint32_t)c->name_rows.len)) return error_memory(err);
    *row = key;
    return 0;
}

static int begin_function(struct checker *c, const struct webgrind_record *r, assay_error *err)
{
    c->f = r->function;
    c->f_off = r->off;
    c->called = 0;
    c->self = c->inclusive = c->subs = 0;
    c->is_saturated = c->f.fields[WEBGRIND_SELF] == UINT32_MAX || c->f.fields[WEBGRIND_INCLUSIVE] == UINT32_MAX;
    return c->f.is_whole ? check_name(c, err) : 0;
}

static void check_sums(struct checker *c)
{
    uint32_t self = c->f.fields[WEBGRIND_SELF], inclusive = c->f.fields[WEBGRIND_INCLUSIVE];
    if (c->is_saturated) {
        find(c, "WG22", ASSAY_WARNING, field_at(c, WEBGRIND_INCLUSIVE), "4294967295 stands for figures too large for 32 bits");
        return;
    }
    if (c->d.layout->has_invocations) {
        if (self != c->self) find(c, "WG15", ASSAY_ERROR, field_at(c, WEBGRIND_SELF), "the total self cost is not the sum over the invocations");
        if (inclusive != c->inclusive)
            find(c, "WG15", ASSAY_ERROR, field_at(c, WEBGRIND_INCLUSIVE), "the total inclusive cost is not the sum over the invocations");
    } else if (c->d.layout->has_sub_calls && inclusive != self + c->subs) {
        find(c, "WG18", ASSAY_ERROR, field_at(c, WEBGRIND_INCLUSIVE), "the inclusive cost is not the self cost plus the sub calls");
    }
    if (inclusive < self) find(c, "WG22", ASSAY_WARNING, field_at(c, WEBGRIND_INCLUSIVE), "the inclusive cost is below the self cost: it has wrapped at 2^32");
}

/* At the end of its items. */
static void end_function(struct checker *c)
{
    if (!c->f.is_whole) return;
    check_sums(c);
    if (c->called > c->f.fields[WEBGRIND_INVOCATIONS])
        find(c, "WG19", ASSAY_WARNING, field_at(c, WEBGRIND_INVOCATIONS), "the called-from counts sum to more than its invocations");
    if (c->f.fields[WEBGRIND_INVOCATIONS] == 0) find(c, "WG25", ASSAY_WARNING, field_at(c, WEBGRIND_INVOCATIONS), "it has no invocation");
    c->f.is_whole = false;
}

/* ---- calls ---- */

static void check_call(struct checker *c, const struct webgrind_record *r)
{
    const struct webgrind_call *call = &r->call;
    if (call->is_sub_call) {
        c->subs += call->cost;
        c->sub_count += call->count;
        c->sub_cost += call->cost;
        c->is_saturated |= call->cost == UINT32_MAX;
        c->has_strange_sub |= call->function != call->owner;
        return;
    }
    c->called += call->count;
    c->from_count += call->count;
    c->from_cost += call->cost;
    c->has_strange_from |= call->function != call->owner;
    if (!c->has_from) c->first_from = r->off;
    c->has_from = true;
}

static void check_sides(struct checker *c, const struct webgrind_invocation *v)
{
    struct webgrind_subcall s;
    struct webgrind_invocation callee;
    uint64_t first = webgrind_area_index(&c->d, v->sub_call_address);
    for (uint64_t i = 0; i < v->sub_call_count; i++) {
        if (!webgrind_subcall_at(&c->d, first + i, &s) || s.function >= c->places.len) continue;
        if (!c->places.at[s.function].off || s.invocation >= c->places.at[s.function].count) continue;
        webgrind_invocation_at(&c->d, c->places.at[s.function].off + (uint64_t)s.invocation * WEBGRIND_INVOCATION_LEN, &callee);
        if (callee.caller == v->function && callee.caller_invocation == v->index && callee.line == s.line && callee.call_cost == s.cost) continue;
        findings_add(c->out, "WG16", ASSAY_INFO, c->d.area_begin + (first + i) * WEBGRIND_CALL_LEN, 0,
                     "sub call %" PRIu64 " names invocation %" PRIu32 " of function %" PRIu32 ", whose record names another caller", first + i, s.invocation,
                     s.function);
    }
}

static void check_invocation(struct checker *c, const struct webgrind_record *r)
{
    const struct webgrind_invocation *v = &r->invocation;
    c->self += v->self;
    c->inclusive += v->inclusive;
    if (v->has_caller && v->caller < c->places.len && v->caller_invocation >= c->places.at[v->caller].count)
        findings_add(c->out, "WG10", ASSAY_ERROR, r->off + 16, 0, "caller %" PRIu32 " of function %" PRIu32 " has no invocation %" PRIu32, v->caller,
                     v->function, v->caller_invocation);
    if (v->has_sub_calls) check_sides(c, v);
}

static void check_subcall(struct checker *c, const struct webgrind_record *r)
{
    const struct webgrind_subcall *s = &r->subcall;
    if (s->is_valid && s->function < c->places.len && s->invocation >= c->places.at[s->function].count)
        findings_add(c->out, "WG10", ASSAY_ERROR, r->off + 4, 0,
                     "sub call %" PRIu32 " names invocation %" PRIu32 " of function %" PRIu32 ", which has %" PRIu32, s->index, s->invocation, s->function,
                     c->places.at[s->function].count);
}

/* ---- the file ---- */

static void check_line(struct checker *c, const struct webgrind_record *r)
{
    uint64_t total;
    assay_slice value = r->line.value;
    if (!r->line.has_key || !slice_is(r->line.key, "summary")) return;
    c->has_summary = true;
    size_t len = 0;
    while (len < value.len && value.data[len] >= '0' && value.data[len] <= '9') len++;
    enum number_result got = number_u64((assay_slice){ value.data, len }, &total);
    if (got == NUMBER_RANGE || (got == NUMBER_OK && total > UINT32_MAX))
        findings_add(c->out, "WG22", ASSAY_WARNING, r->off, 0, "the summary does not fit in 32 bits, so other figures may have wrapped");
}

/* Version 4 names invocations of functions that come later. */
static int find_places(struct checker *c, assay_slice bytes, assay_error *err)
{
    struct webgrind_record r;
    webgrind_decoder_init(&c->d, bytes);
    c->d.skip_items = true;
    while (webgrind_next(&c->d, &r)) {
        if (r.kind != WEBGRIND_RECORD_FUNCTION || !c->d.layout->has_invocations) continue;
        do {
            struct place *p = vec_push(c->mem, &c->places);
            if (!p) return error_memory(err);
            *p = (struct place){ 0, UINT32_MAX };
        } while (c->places.len <= r.function.number);
        if (r.function.is_whole)
            c->places.at[r.function.number] = (struct place){ r.off + webgrind_fields_len(c->d.layout), r.function.fields[WEBGRIND_INVOCATIONS] };
    }
    return 0;
}

static int check_record(struct checker *c, const struct webgrind_record *r, assay_error *err)
{
    if (r->kind == WEBGRIND_RECORD_FUNCTION || r->kind == WEBGRIND_RECORD_SUBCALL || r->kind == WEBGRIND_RECORD_LINE) end_function(c);
    switch (r->kind) {
    case WEBGRIND_RECORD_FUNCTION: return begin_function(c, r, err);
    case WEBGRIND_RECORD_CALL: check_call(c, r); break;
    case WEBGRIND_RECORD_INVOCATION: check_invocation(c, r); break;
    case WEBGRIND_RECORD_SUBCALL: check_subcall(c, r); break;
    case WEBGRIND_RECORD_LINE: check_line(c, r); break;
    case WEBGRIND_RECORD_DAMAGE: findings_add(c->out, r->damage.rule, r->damage.severity, r->off, 0, "%s", r->damage.message); break;
    default: break;
    }
    return 0;
}

static int check_file(struct checker *c, assay_slice bytes, assay_error *err)
{
    const struct webgrind_layout *layout = c->d.layout;
    if (!c->has_summary) findings_add(c->out, "WG21", ASSAY_WARNING, c->d.limit, 0, "no 'summary: ' header: webgrind shows every share as 0");
    if (c->is_partial || !layout->has_sub_calls) return 0;
    if (c->has_from && !c->has_strange_from && c->has_strange_sub)
        findings_add(c->out, "WG24", ASSAY_WARNING, c->first_from, 0,
                     "every called-from record names its own function: the mark of a faulty writer of July 2015");
    return webgrind_check_sides(bytes, c->from_count != c->sub_count || c->from_cost != c->sub_cost, c->mem, c->out, err);
}

static int check_bytes(struct checker *c, assay_slice bytes, assay_error *err)
{
    struct webgrind_record r = { .kind = WEBGRIND_RECORD_HEAD };
    uint32_t whole = 0;
    bool refused = false;
    TRY(find_places(c, bytes, err));
    webgrind_decoder_init(&c->d, bytes);
    while (webgrind_next(&c->d, &r)) {
        TRY(check_record(c, &r, err));
        whole += r.kind == WEBGRIND_RECORD_FUNCTION && r.function.is_whole;
        refused |= r.kind == WEBGRIND_RECORD_DAMAGE && r.damage.is_fatal;
    }
    end_function(c);
    c->is_partial = whole < c->d.head.function_count;
    return refused ? 0 : check_file(c, bytes, err);
}

int webgrind_check_source(const struct webgrind_source *source, struct mem *mem, struct findings *out, assay_error *err)
{
    struct checker c = { .mem = mem, .out = out };
    if (source->is_cut) findings_add(out, "WG27", ASSAY_ERROR, source->bytes.len, 0, "the compressed input is damaged here: only what comes before is checked");
    intern_init(&c.text, mem);
    index_init(&c.names, mem);
    int rc = check_bytes(&c, source->bytes, err);
    vec_done(mem, &c.places, &c.name_rows);
    index_done(&c.names);
    intern_done(&c.text);
    if (rc == 0 && out->failed) return error_memory(err);
    return rc;
}

int webgrind_check(const struct read_job *job, struct findings *out, assay_error *err)
{
    struct webgrind_source source;
    TRY(webgrind_map(job, &source, err));
    return webgrind_check_source(&source, job->mem, out, err);
}

/* Rules CG13 to CG30 of callgrind text: what can only be judged over a part or the whole file. The decoder finds the others. */
#include "formats/callgrind/check.h"

#include "base/scoped.h"
#include "formats/callgrind/apart.h"
#include "formats/callgrind/callgrind.h"

static struct cg_place place_of(const struct cg_record *r) { return (struct cg_place){ r->off, r->line, true }; }

static void add(int64_t *sum, int64_t v, bool *overflowed)
{
    if (__builtin_add_overflow(*sum, v, sum)) {
        *sum = v < 0 ? INT64_MIN : INT64_MAX;
        *overflowed = true;
    }
}

/* ---- costs ---- */

static struct cg_sum *sum_of(struct cg_checker *c, uint32_t func)
{
    if (func >= c->funcs.len) {
        size_t more = c->d->funcs.len - c->funcs.len;
        if (!vec_reserve(c->mem, &c->funcs, more)) return NULL;
        memset(c->funcs.at + c->funcs.len, 0, more * sizeof *c->funcs.at);
        c->funcs.len += more;
    }
    return &c->funcs.at[func];
}

static int cost(struct cg_checker *c, const struct cg_record *r)
{
    bool ignored = false;
    int64_t first = r->cost_count ? r->costs[0].i : 0;
    struct cg_sum *f = sum_of(c, r->func);
    struct cg_sum *g = f && r->role == CG_CALL ? sum_of(c, r->callee) : f; /* may move the rows: f is looked up again */
    if (!g) return error_memory(c->err);
    f = &c->funcs.at[r->func];
    f->is_used = true;
    if (r->role == CG_SELF) {
        for (uint32_t i = 0; i < r->cost_count; i++) add(&c->sums[i], r->costs[i].i, &c->overflowed);
        c->has_cost = true;
        c->self_lines += r->cost_lines;
        add(&f->self, first, &ignored);
    } else if (r->role == CG_CALL) {
        g->is_used = true;
        g->calls += r->calls;
        if (r->callee != r->func) {
            add(&g->in, first, &ignored);
            add(&f->out, first, &ignored);
        }
        if (r->calls == 0 && first) findings_add(c->out, "CG25", ASSAY_INFO, r->off, r->line, "calls=0 with cost: the dump was taken during the call");
    }
    return c->d->is_xdebug ? cg_check_block_cost(c, r) : 0;
}

/* ---- parts ---- */

static void compare_totals(struct cg_checker *c)
{
    bool by_summary = c->is_cachegrind && c->summary_at.is_set;
    const int64_t *stated = by_summary ? c->summary : c->totals;
    struct cg_place at = by_summary ? c->summary_at : c->totals_at;
    int count = by_summary ? c->summary_count : c->totals_count;
    if (!at.is_set || c->overflowed) return;
    for (uint32_t i = 0; i < c->now.event_count; i++) {
        int64_t v = (int)i < count ? stated[i] : 0;
        if (v != c->sums[i])
            findings_add(c->out, "CG13", ASSAY_ERROR, at.off, at.line, "%s of event %u is %lld, but the cost lines sum to %lld",
                         by_summary ? "summary" : "totals", i + 1, (long long)v, (long long)c->sums[i]);
    }
}

/* Xdebug's second figure is the peak of the memory, not a sum; of the first each line was rounded by itself, by half a unit. */
static void compare_summary(struct cg_checker *c)
{
    if (!c->summary_at.is_set || c->overflowed) return;
    uint32_t count = c->now.is_xdebug && c->now.event_count ? 1 : c->now.event_count;
    uint64_t rounding = c->now.is_xdebug ? c->self_lines / 2 + 1 : 0;
    for (uint32_t i = 0; !c->is_cachegrind && i < count && (int)i < c->summary_count; i++)
        if (c->summary[i] < c->sums[i] && (uint64_t)c->sums[i] - (uint64_t)c->summary[i] > rounding) {
            findings_add(c->out, "CG14", ASSAY_WARNING, c->summary_at.off, c->summary_at.line, "summary of event %u is %lld, less than the sum %lld", i + 1,
                         (long long)c->summary[i], (long long)c->sums[i]);
            break;
        }
    if (c->now.is_xdebug && c->summary_count > 0 && c->sums[0] > 0 && c->summary[0] / 1000 > c->sums[0])
        findings_add(c->out, "CG28", ASSAY_WARNING, c->summary_at.off, c->summary_at.line, "summary is more than 1000 times the sum of the cost lines");
}

static void judge_run(struct cg_checker *c)
{
    if (!c->now.is_xdebug || !c->now.has_events) return;
    if (!c->mains || !c->summary_at.is_set)
        findings_add(c->out, "CG20", ASSAY_WARNING, FINDING_NO_OFFSET, 0, "run %u has no %s: the request was aborted", c->now.part,
                     c->mains ? "summary" : "{main}");
    if (c->mains > 1)
        findings_add(c->out, "CG28", ASSAY_WARNING, c->second_main.off, c->second_main.line, "run %u has %u blocks of {main}", c->now.part, c->mains);
}

static int end_part(struct cg_checker *c)
{
    bool ignored = false;
    TRY(cg_check_blocks_end(c));
    if (c->overflowed) findings_add(c->out, "CG16", ASSAY_ERROR, FINDING_NO_OFFSET, 0, "the sum of part %u does not fit in 64 bits", c->now.part);
    compare_totals(c);
    compare_summary(c);
    judge_run(c);
    for (size_t i = 0; i < c->funcs.len; i++) {
        struct cg_sum *f = &c->funcs.at[i];
        add(&f->total, f->calls ? f->in : f->self, &ignored);
        if (!f->calls) add(&f->total, f->out, &ignored);
        f->self = f->in = f->out = 0;
        f->calls = 0;
    }
    memset(c->sums, 0, sizeof c->sums);
    c->overflowed = c->has_cost = false;
    c->self_lines = 0;
    c->totals_at.is_set = c->summary_at.is_set = c->second_main.is_set = false;
    c->totals_count = c->summary_count = 0;
    c->mains = 0;
    return 0;
}

/* ---- headers ---- */

static void compare_events(struct cg_checker *c, const struct cg_record *r)
{
    const struct cg_decoder *d = c->d;
    if (d->part == 1) {
        memcpy(c->first_events, d->events, d->event_count * sizeof *d->events);
        c->first_event_count = d->event_count;
    } else if (d->event_count != c->first_event_count || memcmp(d->events, c->first_events, d->event_count * sizeof *d->events) != 0)
        findings_add(c->out, "CG15", ASSAY_WARNING, r->off, r->line, "part %u does not have the same events as part 1", d->part);
}

/* Numbers that are damaged, which the decoder reports, state nothing. */
static void stated(const struct cg_record *r, int64_t *out, int *count, struct cg_place *at)
{
    *count = cg_sums(r->value, out);
    *at = place_of(r);
    at->is_set = *count >= 0;
}

static int header(struct cg_checker *c, const struct cg_record *r)
{
    if (slice_is(r->key, "events")) compare_events(c, r);
    if (slice_is(r->key, "totals")) stated(r, c->totals, &c->totals_count, &c->totals_at);
    if (slice_is(r->key, "summary")) stated(r, c->summary, &c->summary_count, &c->summary_at);
    if (slice_is(r->key, "event")) return cg_check_formula(c, r);
    return 0;
}

static int name(struct cg_checker *c, const struct cg_record *r)
{
    if (r->spec != CG_FN || !c->d->is_xdebug) return 0;
    if (slice_is(cg_string(c->d, r->name), "{main}") && ++c->mains == 2) c->second_main = place_of(r);
    return cg_check_block_begin(c);
}

/* ---- the whole ---- */

/* Names of functions whose totals cannot be: recursion over several functions counts a cost more than once. */
static void compare_with_program(struct cg_checker *c)
{
    for (size_t i = 1; i < c->funcs.len; i++) {
        const struct cg_sum *f = &c->funcs.at[i];
        if (f->total <= c->program || c->program <= 0) continue;
        assay_slice s = cg_string(c->d, c->d->funcs.at[i].name);
        findings_add(c->out, "CG26", ASSAY_INFO, FINDING_NO_OFFSET, 0, "total of '%.*s' exceeds the program's: it is part of a cycle",
                     (int)(s.len < 120 ? s.len : 120), s.data);
    }
}

static int unused_names(struct cg_checker *c)
{
    size_t len = c->named.len;
    SCRATCH(uint8_t, used, c->mem, len + 1);
    if (!used) return error_memory(c->err);
    for (size_t i = 1; i < c->funcs.len; i++)
        if (c->funcs.at[i].is_used && c->d->funcs.at[i].name < len) used[c->d->funcs.at[i].name] = 1;
    for (uint32_t h = 1; h < len; h++)
        if (c->named.at[h] && !used[h]) {
            assay_slice s = cg_string(c->d, h);
            findings_add(c->out, "CG30", ASSAY_INFO, FINDING_NO_OFFSET, 0, "function '%.*s' has neither a cost nor a call", (int)(s.len < 120 ? s.len : 120),
                         s.data);
        }
    return 0;
}

static int note_function(struct cg_checker *c, uint32_t name)
{
    if (name >= c->named.len) {
        size_t more = name + 1 - c->named.len;
        if (!vec_reserve(c->mem, &c->named, more)) return error_memory(c->err);
        memset(c->named.at + c->named.len, 0, more);
        c->named.len += more;
    }
    c->named.at[name] = 1;
    return 0;
}

int cg_check_record(struct cg_checker *c, const struct cg_record *r)
{
    bool ignored = false;
    if (r->kind == CG_PART || r->kind == CG_END) {
        add(&c->program, c->sums[0], &ignored);
        if (c->now.part) TRY(end_part(c));
    }
    switch (r->kind) {
    case CG_END:
        compare_with_program(c);
        TRY(unused_names(c));
        return cg_check_formulas(c);
    case CG_HEADER: TRY(header(c, r)); break;
    case CG_NAME:
        if (r->spec == CG_FN || r->spec == CG_CFN) TRY(note_function(c, r->name));
        TRY(name(c, r));
        break;
    case CG_COST: TRY(cost(c, r)); break;
    default: break;
    }
    c->now = (struct cg_part){ c->d->part, c->d->event_count, c->d->is_xdebug, c->d->part_has_events };
    return 0;
}

void cg_check_init(struct cg_checker *c, struct cg_decoder *d, struct findings *out, struct mem *mem, bool is_cachegrind, assay_error *err)
{
    memset(c, 0, sizeof *c);
    c->d = d;
    c->out = out;
    c->mem = mem;
    c->is_cachegrind = is_cachegrind;
    c->err = err;
}

void cg_check_done(struct cg_checker *c) { vec_done(c->mem, &c->named, &c->funcs, &c->frames, &c->calls, &c->formulas, &c->terms); }

static int check_apart(struct cg_checker *c, struct cg_aparts *a)
{
    struct cg_record r = { .kind = CG_COST };
    struct cg_apart *p = cg_apart_take(a);
    if (!p) return c->d->failed;
    for (size_t i = 0; i < p->named.len; i++) TRY(note_function(c, p->names.at[p->named.at[i]]));
    for (size_t i = 0; i < p->items.len; i++) {
        if (!cg_apart_record(a, p, i, &r)) return error_memory(c->err);
        TRY(cost(c, &r));
    }
    return cg_apart_end(a, p) ? 0 : error_memory(c->err);
}

struct checking {
    struct cg_decoder d;
    struct cg_checker c;
    struct cg_aparts aparts;
};

static int check_records(struct checking *k)
{
    struct cg_record r = { .kind = CG_OTHER };
    while (r.kind != CG_END) {
        TRY(cg_next(&k->d, &r));
        if (r.kind == CG_AHEAD)
            TRY(check_apart(&k->c, &k->aparts));
        else
            TRY(cg_check_record(&k->c, &r));
        k->aparts.is_unfit = k->d.is_xdebug; /* where its calls stand is told */
    }
    return 0;
}

static int check_text(const struct read_job *job, struct findings *out, bool is_cachegrind, assay_error *err)
{
    struct checking *k = mem_zalloc(job->mem, 1, sizeof *k);
    if (!k) return error_memory(err);
    mem_scoped(job->mem, k, sizeof *k);
    cg_init(&k->d, job->in, job->mem, out, err);
    cg_check_init(&k->c, &k->d, out, job->mem, is_cachegrind, err);
    k->d.mask = CG_CHECKED;
    k->d.joins_costs = true;
    k->aparts.wants_names = true;
    int rc = cg_aparts_open(&k->aparts, &k->d, job, err);
    if (rc == 0) rc = check_records(k);
    cg_aparts_close(&k->aparts);
    cg_check_done(&k->c);
    cg_done(&k->d);
    return rc;
}

int callgrind_check(const struct read_job *job, struct findings *out, assay_error *err) { return check_text(job, out, false, err); }
int cachegrind_check(const struct read_job *job, struct findings *out, assay_error *err) { return check_text(job, out, true, err); }

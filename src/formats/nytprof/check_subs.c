/* What check says of subs, call sites, entries and returns; see check.h. */
#include <inttypes.h>
#include <math.h>

#include "formats/nytprof/check.h"

/* NULL = no memory. */
static struct nytprof_check_sub *row(struct nytprof_checker *c, assay_slice name, uint32_t *id)
{
    *id = intern_put(&c->names, name);
    while (*id && c->named.len <= *id) {
        struct nytprof_check_sub *s = vec_push(c->mem, &c->named);
        if (!s) return NULL;
        *s = (struct nytprof_check_sub){ 0 };
    }
    return *id ? &c->named.at[*id] : NULL;
}

static bool is_anon_in_eval(assay_slice name) { return slice_contains(name, "__ANON__") && slice_contains(name, "eval "); }

static void redefined(struct nytprof_checker *c, const struct nytprof_check_sub *was, const struct nytprof_record *r)
{
    const struct nytprof_sub *s = &r->sub;
    if (was->fid == s->fid && was->first == s->first && was->last == s->last)
        findings_add(c->out, "N23", ASSAY_INFO, r->off, 0, "a sub is defined again at the same place");
    else
        findings_add(c->out, "N23", is_anon_in_eval(s->name.bytes) ? ASSAY_INFO : ASSAY_WARNING, r->off, 0,
                     "a sub is defined again at another place: fid %" PRIu32 " line %" PRIu32 " after fid %" PRIu32 " line %" PRIu32, s->fid, s->first,
                     was->fid, was->first);
}

int nytprof_check_sub(struct nytprof_checker *c, const struct nytprof_record *r)
{
    uint32_t id;
    const struct nytprof_sub *s = &r->sub;
    struct nytprof_check_sub *was = row(c, s->name.bytes, &id);
    if (!was) return ASSAY_ERR_MEMORY;
    nytprof_check_text(c, &s->name, r->off);
    nytprof_check_line(c, s->first, r->off);
    nytprof_check_line(c, s->last, r->off);
    if (s->first > s->last)
        findings_add(c->out, "N39", ASSAY_WARNING, r->off, 0, "a sub ends on line %" PRIu32 ", before its first line %" PRIu32, s->last, s->first);
    if (was->has_info) redefined(c, was, r);
    was->has_info = true;
    was->fid = s->fid;
    was->first = s->first;
    was->last = s->last;
    return s->fid ? nytprof_check_uses(c, s->fid, r->off) : 0;
}

static void check_time(struct nytprof_checker *c, const char *what, double v, uint64_t off)
{
    if (!(v >= 0) || isinf(v)) findings_add(c->out, "N26", ASSAY_WARNING, off, 0, "%s time of a sub is %g", what, v);
}

int nytprof_check_call(struct nytprof_checker *c, const struct nytprof_record *r)
{
    uint32_t id;
    const struct nytprof_call *k = &r->call;
    struct nytprof_check_sub *s = row(c, k->called.bytes, &id);
    if (!s) return ASSAY_ERR_MEMORY;
    s->calls += k->count;
    nytprof_check_text(c, &k->called, r->off);
    if (k->has_caller) nytprof_check_text(c, &k->caller, r->off);
    nytprof_check_line(c, k->line, r->off);
    check_time(c, "inclusive", k->incl, r->off);
    check_time(c, "exclusive", k->excl, r->off);
    check_time(c, "recursive", k->reci, r->off);
    double tick = c->has_tps ? 1 / c->ticks_per_sec : 1e-7;
    bool has_recursion = c->d->version.major > 2 || c->d->version.minor > 0; /* 2.0 keeps it nowhere */
    if (has_recursion && k->excl > k->incl + k->reci + tick * (double)k->count + 1e-12)
        findings_add(c->out, "N27", ASSAY_WARNING, r->off, 0, "exclusive time %g s is more than inclusive %g s and recursive %g s", k->excl, k->incl, k->reci);
    return k->fid ? nytprof_check_uses(c, k->fid, r->off) : 0;
}

void nytprof_check_entry(struct nytprof_checker *c)
{
    c->has_entries = true;
    c->entries++;
}

static void pair(struct nytprof_checker *c, uint64_t off)
{
    if (c->calls != 2 || !c->has_entries || --c->entries >= 0) return;
    c->entries = 0;
    if (!c->said_unpaired) findings_add(c->out, "N32", ASSAY_WARNING, off, 0, "a return has no entry");
    c->said_unpaired = true;
}

int nytprof_check_return(struct nytprof_checker *c, const struct nytprof_record *r)
{
    uint32_t id;
    const struct nytprof_return *t = &r->ret;
    struct nytprof_check_sub *s = row(c, t->name.bytes, &id);
    if (!s) return ASSAY_ERR_MEMORY;
    s->returns++;
    nytprof_check_text(c, &t->name, r->off);
    check_time(c, "inclusive", t->incl, r->off);
    check_time(c, "exclusive", t->excl, r->off);
    if (t->depth == 0) findings_add(c->out, "N32", ASSAY_WARNING, r->off, 0, "a return at depth 0");
    pair(c, r->off);
    while (c->depths.len && c->depths.at[c->depths.len - 1] > t->depth) c->depths.len--;
    if (c->depths.len && c->depths.at[c->depths.len - 1] == t->depth) return 0;
    uint32_t *slot = vec_push(c->mem, &c->depths);
    if (!slot) return ASSAY_ERR_MEMORY;
    *slot = t->depth;
    return 0;
}

void nytprof_check_returns_end(struct nytprof_checker *c, uint64_t off)
{
    uint32_t deepest = c->depths.len ? c->depths.at[c->depths.len - 1] : 0;
    if (deepest > 1)
        findings_add(c->out, "N42", ASSAY_WARNING, off, 0, "%" PRIu32 " call%s not returned when the process ends", deepest - 1,
                     deepest == 2 ? " has" : "s have");
    if (c->calls == 2 && c->entries > 0 && !c->said_unpaired)
        findings_add(c->out, "N32", ASSAY_WARNING, off, 0, "%" PRId64 " entr%s no return", c->entries, c->entries == 1 ? "y has" : "ies have");
    c->depths.len = 0;
    c->entries = 0;
}

void nytprof_check_subs_end(struct nytprof_checker *c)
{
    if (c->calls < 1 || c->subs != 1 || c->is_cut) return;
    for (uint32_t i = 1; i < c->named.len; i++) {
        const struct nytprof_check_sub *s = &c->named.at[i];
        assay_slice name = intern_get(&c->names, i);
        if (s->returns != s->calls)
            findings_add(c->out, "N31", ASSAY_WARNING, FINDING_NO_OFFSET, 0, "%" PRIu64 " returns of %.*s, but its call sites count %" PRIu64, s->returns,
                         (int)(name.len < 100 ? name.len : 100), name.data, s->calls);
    }
}

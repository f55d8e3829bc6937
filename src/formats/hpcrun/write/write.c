/* A sealed profile -> a profile of hpcrun: header, metrics and who was measured; the tree is in nodes.c. What was read from hpcrun says in
 * attributes what the model has no columns for, and comes out with it. */
#include "formats/hpcrun/write/write.h"

#include <inttypes.h>
#include <stdio.h>

#include "analysis/core/units.h"
#include "base/number.h"
#include "base/plural.h"
#include "formats/hpcrun/write/plan.h"

uint32_t hpcrun_write_wants(const struct assay_write_options *options, const char *version)
{
    (void)options;
    (void)version;
    return ASSAY_WANT_TREE;
}

uint32_t hpctrace_write_wants(const struct assay_write_options *options, const char *version)
{
    (void)options;
    (void)version;
    return ASSAY_WANT_TIMELINE | ASSAY_WANT_TREE;
}

/* ---- attributes ---- */

static assay_slice find_attribute(const assay_profile *p, const char *key, bool of_parts)
{
    const struct assay_attributes *a = assay_profile_attributes(p);
    for (uint32_t i = 0; i < a->count; i++)
        if ((of_parts || !(a->stream && a->stream[i].v)) && slice_is(assay_profile_string(p, a->key[i]), key)) return assay_profile_string(p, a->value[i]);
    return (assay_slice){ NULL, 0 };
}

assay_slice hpcrun_plan_attribute(const assay_profile *p, const char *key) { return find_attribute(p, key, false); }

static uint64_t number_of(const assay_profile *p, const char *key, uint64_t otherwise)
{
    uint64_t v;
    assay_slice text = hpcrun_plan_attribute(p, key);
    return text.data && number_u64(text, &v) == NUMBER_OK ? v : otherwise;
}

/* Those that say something of metrics, kinds or the epoch are no pairs of the header. */
static bool is_pair(assay_slice key) { return !slice_starts(key, "metric.") && !slice_starts(key, "id-kind.") && !slice_starts(key, "epoch."); }

static int add_pair(struct plan *t, assay_slice name, assay_slice value, assay_error *err)
{
    struct image_pair *p = vec_push(t->m.mem, &t->m.pairs);
    if (!p) return error_memory(err);
    *p = (struct image_pair){ name, value };
    return 0;
}

static int plan_pairs(struct plan *t, assay_error *err)
{
    const struct assay_attributes *a = assay_profile_attributes(t->p);
    uint64_t lost = 0;
    for (uint32_t i = 0; i < a->count; i++) {
        assay_slice key = assay_profile_string(t->p, a->key[i]), value = assay_profile_string(t->p, a->value[i]);
        bool is_streams = a->stream && a->stream[i].v;
        lost += is_streams;
        if (is_streams || (t->is_own && !is_pair(key)) || key.len > UINT32_MAX || value.len > UINT32_MAX) continue;
        TRY(add_pair(t, key, value, err));
    }
    if (lost) losses_add(t->losses, "attributes", lost, "%" PRIu64 " attributes of parts of the profile are left out", lost);
    if (t->is_own || hpcrun_image_pair(&t->m, "program-name").data) return 0;
    assay_slice command = find_attribute(t->p, "cmd", true);
    return add_pair(t, SLICE("program-name"), command.len ? command : slice_of(assay_profile_format(t->p)), err);
}

/* ---- metrics ---- */

static assay_slice fact(const struct plan *t, assay_slice metric, const char *name)
{
    char key[256];
    snprintf(key, sizeof key, "metric.%.*s.%s", metric.len < 200 ? (int)metric.len : 200, metric.data, name);
    return hpcrun_plan_attribute(t->p, key);
}

static uint64_t fact_number(const struct plan *t, assay_slice metric, const char *name, uint64_t otherwise)
{
    uint64_t v;
    assay_slice text = fact(t, metric, name);
    return text.data && number_u64(text, &v) == NUMBER_OK ? v : otherwise;
}

static void plan_flags(const struct plan *t, struct image_metric *m, bool is_hidden)
{
    uint64_t partner = fact_number(t, m->name, "partner", 0);
    const unsigned char flags[8] = { (unsigned char)fact_number(t, m->name, "type", 1),
                                     (unsigned char)fact_number(t, m->name, "value-type", 0),
                                     m->is_real ? 2 : 1,
                                     (unsigned char)fact_number(t, m->name, "relation", 0),
                                     (unsigned char)partner,
                                     (unsigned char)(partner >> 8),
                                     (unsigned char)fact_number(t, m->name, "show", is_hidden ? 0 : 1),
                                     (unsigned char)fact_number(t, m->name, "show-percent", 1) };
    double mean = 0;
    memcpy(m->flags, flags, sizeof flags);
    m->has_bytes = true;
    m->period = fact_number(t, m->name, "period", 1);
    m->format = fact(t, m->name, "format");
    m->is_frequency = (uint16_t)fact_number(t, m->name, "frequency", 0);
    m->is_multiplexed = (uint16_t)fact_number(t, m->name, "multiplexed", 0);
    m->samples = fact_number(t, m->name, "samples", 0);
    (void)number_double(fact(t, m->name, "threshold-mean"), &mean);
    memcpy(&m->threshold_mean, &mean, sizeof mean);
}

static int add_metric(struct plan *t, uint32_t i, assay_error *err)
{
    const struct assay_metrics *all = assay_profile_metrics(t->p);
    struct image_metric *m = vec_push(t->m.mem, &t->m.epochs.at[0].metrics);
    if (!m) return error_memory(err);
    *m = (struct image_metric){ .name = assay_profile_string(t->p, all->name[i]) };
    if (all->description) m->description = assay_profile_string(t->p, all->description[i]);
    if (all->formula) m->formula = assay_profile_string(t->p, all->formula[i]);
    m->is_real = all->type && all->type[i] == ASSAY_F64;
    m->is_signed = all->type && all->type[i] == ASSAY_I64;
    plan_flags(t, m, all->hidden && all->hidden[i]);
    return units_full_name(t->p, (assay_metric_id){ i }, &t->m.text, &m->name) ? 0 : error_memory(err);
}

/* The scope that says what a node itself costs; 0 = the metric has none. */
static uint32_t point_of(const assay_profile *p, uint32_t metric)
{
    const struct assay_scopes *s = assay_profile_scopes(p);
    for (uint32_t i = 1; i <= s->count; i++)
        if (s->metric[i].v == metric && (!s->kind || s->kind[i] == ASSAY_SCOPE_POINT)) return i;
    return 0;
}

static int plan_metrics(struct plan *t, assay_error *err)
{
    const struct assay_metrics *all = assay_profile_metrics(t->p);
    const struct assay_scopes *scopes = assay_profile_scopes(t->p);
    uint64_t lost = 0;
    t->scope_count = scopes->count;
    t->metric_of = mem_zalloc(t->m.mem, (size_t)scopes->count + 1, sizeof *t->metric_of);
    if (!t->metric_of) return error_memory(err);
    if (all->count > UINT16_MAX) FAIL(err, ASSAY_ERR_LIMIT, "an hpcrun profile holds at most %u metrics", UINT16_MAX);
    for (uint32_t i = 1; i <= all->count; i++) {
        uint32_t scope = point_of(t->p, i);
        bool is_formula = all->formula && all->formula[i].v;
        if (!scope && !(is_formula && t->is_own)) {
            lost++;
            continue;
        }
        TRY(add_metric(t, i, err));
        if (scope) t->metric_of[scope] = (uint32_t)t->m.epochs.at[0].metrics.len;
    }
    if (lost) losses_add(t->losses, "summaries", lost, "%" PRIu64 " of %u metrics left out: no values for single contexts", lost, all->count);
    return 0;
}

/* ---- who was measured ---- */

static uint16_t kind_number(struct plan *t, assay_slice name)
{
    static const char *const names[] = { "SUMMARY", "NODE", "RANK", "THREAD", "GPUDEVICE", "GPUCONTEXT", "GPUSTREAM", "CORE" };
    uint64_t v;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (slice_is(name, names[i])) return (uint16_t)i;
    return number_u64(name, &v) == NUMBER_OK && v < 0x4000 ? (uint16_t)v : (uint16_t)(8 + t->m.kinds.len);
}

static int add_kind(struct plan *t, uint16_t kind, assay_slice name, assay_error *err)
{
    size_t at = t->m.kinds.len;
    for (size_t i = 0; i < at; i++)
        if (t->m.kinds.at[i].kind == kind) return 0;
    struct image_kind *k = vec_push(t->m.mem, &t->m.kinds);
    if (!k) return error_memory(err);
    for (; at > 0 && t->m.kinds.at[at - 1].kind > kind; at--) t->m.kinds.at[at] = t->m.kinds.at[at - 1];
    t->m.kinds.at[at] = (struct image_kind){ kind, name };
    return 0;
}

/* The dictionary: what the tuple uses, and what the file had besides. */
static int plan_tuple(struct plan *t, assay_error *err)
{
    const struct assay_streams *s = assay_profile_streams(t->p);
    const struct assay_attributes *a = assay_profile_attributes(t->p);
    if (!t->is_own || s->count != 1 || s->tuple_count == 0) return 0;
    for (uint32_t i = s->tuple_begin[1]; i < s->tuple_begin[2]; i++) {
        assay_slice name = assay_profile_string(t->p, s->tuple_kind[i]);
        uint16_t kind = kind_number(t, name);
        TRY(add_kind(t, kind, name, err));
        struct hpcrun_tuple *to = vec_push(t->m.mem, &t->m.tuple);
        if (!to) return error_memory(err);
        uint32_t reading = s->tuple_flags ? s->tuple_flags[i] & 3 : 0;
        *to = (struct hpcrun_tuple){ .word = (uint16_t)(reading << 14 | kind), .physical = s->tuple_physical ? s->tuple_physical[i] : 0 };
        to->logical = s->tuple_logical ? s->tuple_logical[i] : 0;
    }
    for (uint32_t i = 0; i < a->count; i++) {
        assay_slice key = assay_profile_string(t->p, a->key[i]);
        uint64_t kind;
        if (!slice_starts(key, "id-kind.")) continue;
        if (number_u64((assay_slice){ key.data + 8, key.len - 8 }, &kind) == NUMBER_OK && kind < 0x4000)
            TRY(add_kind(t, (uint16_t)kind, assay_profile_string(t->p, a->value[i]), err));
    }
    return 0;
}

/* ---- what is lost ---- */

static uint64_t nonzero(const void *column, size_t size, uint32_t count)
{
    static const unsigned char zero[8];
    uint64_t n = 0;
    for (uint32_t i = 1; column && i <= count; i++) n += memcmp((const char *)column + i * size, zero, size) != 0;
    return n;
}

static void name_losses(struct plan *t)
{
    const struct assay_tree *tree = assay_profile_tree(t->p);
    struct losses *l = t->losses;
    uint64_t calls = nonzero(tree->calls, sizeof *tree->calls, tree->count), lines = nonzero(tree->line, sizeof *tree->line, tree->count);
    bool has_own_names = t->is_own || slice_is(slice_of(assay_profile_format(t->p)), "hpcrun-flat");
    uint32_t funcs = assay_profile_funcs(t->p)->count;
    if (!has_own_names && funcs)
        losses_add(l, "names", funcs, "the names of %u function%s are left out: hpcrun has modules and addresses", funcs, plural(funcs));
    if (t->made_addresses)
        losses_add(l, "addresses", t->made_addresses, "functions of %" PRIu64 " context%s have no module or no address: their numbers are used instead",
                   t->made_addresses, plural(t->made_addresses));
    if (t->made_places)
        losses_add(l, "places", t->made_places, "%" PRIu64 " context%s without function and address: the address is the number of the context", t->made_places,
                   plural(t->made_places));
    if (calls) losses_add(l, "calls", calls, "the numbers of calls of %" PRIu64 " context%s are left out", calls, plural(calls));
    if (lines) losses_add(l, "lines", lines, "the lines of %" PRIu64 " context%s are left out", lines, plural(lines));
    if (t->rounded)
        losses_add(l, "rounded", t->rounded, "%" PRIu64 " figure%s of metrics with negative ones rounded to doubles", t->rounded, plural(t->rounded));
    if (t->merged_streams > 1)
        losses_add(l, "streams", t->merged_streams, "an hpcrun profile is one thread: the values of %" PRIu64 " streams are added up", t->merged_streams);
}

/* ---- all ---- */

static int plan(struct plan *t, assay_error *err)
{
    struct image_epoch *e = vec_push(t->m.mem, &t->m.epochs);
    if (!e) return error_memory(err);
    memset(e, 0, sizeof *e);
    e->flags = number_of(t->p, "epoch.flags", 0) & ~UINT64_C(1); /* the model has no logical frames */
    e->granularity = number_of(t->p, "epoch.granularity", 0);
    e->ra_distance = (uint32_t)number_of(t->p, "epoch.ra-distance", 0);
    TRY(plan_pairs(t, err));
    TRY(plan_metrics(t, err));
    TRY(plan_tuple(t, err));
    TRY(hpcrun_plan_nodes(t, err));
    TRY(hpcrun_plan_values(t, err));
    name_losses(t);
    return 0;
}

int hpcrun_write(const assay_profile *p, const struct write_job *job, struct output *out, assay_error *err)
{
    struct plan t = { .p = p, .losses = job->losses, .is_own = slice_is(slice_of(assay_profile_format(p)), "hpcrun") };
    if (!(assay_profile_shapes(p) & ASSAY_SHAPE_TREE) && assay_profile_funcs(p)->count)
        FAIL(err, ASSAY_ERR_UNSUPPORTED, "hpcrun holds calling contexts, which this profile does not have");
    hpcrun_image_init(&t.m, job->mem);
    t.m.layout = IMAGE_SPARSE;
    t.m.variant = HPCRUN_04B;
    int rc = plan(&t, err);
    if (rc == 0) rc = hpcrun_image_write(&t.m, job, out, err);
    mem_free(job->mem, t.metric_of, ((size_t)t.scope_count + 1) * sizeof *t.metric_of);
    mem_free(job->mem, t.id_of, ((size_t)t.node_count + 1) * sizeof *t.id_of);
    hpcrun_image_done(&t.m);
    return rc;
}

/* An image with epochs -> one of 04.00: the epochs become one tree below ^Primary, load modules and metrics are matched, top frames get the fence that
 * 04.00 has (`| Main  ` or `| Thread`), addresses of the running program become offsets in modules. */
#include <inttypes.h>
#include <stdio.h>

#include "base/cancel.h"
#include "base/index.h"
#include "base/intern.h"
#include "base/number.h"
#include "base/plural.h"
#include "formats/hpcrun/funcs.h"
#include "formats/hpcrun/modules.h"
#include "formats/hpcrun/write/image.h"

struct merger {
    struct hpcrun_image *m;
    struct image_epoch to;
    bool has_placeholders;   /* 02.00l that was made from 04.00 */
    uint32_t primary, fence; /* ids; 0 = not made yet */
    uint32_t partial;
    uint64_t fence_ip;
    uint32_t shift;            /* what is added to the ids of the epoch in work */
    uint32_t largest;          /* id so far */
    VEC(uint32_t) metrics;     /* of the epoch in work: number in the merged table */
    VEC(uint16_t) modules;     /* of the epoch in work: by place in its load map, the merged id */
    VEC(uint32_t) joined;      /* old ids of this epoch that were joined with a node of another (even places), and its id (odd places) */
    struct index joins;        /* of `joined` */
    struct intern names;       /* of modules, and of metrics with what else tells them apart */
    VEC(uint32_t) module_of;   /* by name: place in the merged load map + 1 */
    struct index metric_of;    /* place in the merged table + 1 */
    struct hpcrun_modules map; /* by address or id */
    uint64_t lost_lush, lost_pairs, lost_addresses;
};

/* ---- modules and metrics ---- */

/* Where a module of this name is noted: its place in the merged load map + 1. NULL = no memory. */
static uint32_t *by_name(struct merger *g, assay_slice name)
{
    uint32_t id = intern_put(&g->names, name.data ? name : (assay_slice){ "", 0 });
    while (id && g->module_of.len <= id) {
        uint32_t *slot = vec_push(g->m->mem, &g->module_of);
        if (!slot) return NULL;
        *slot = 0;
    }
    return id ? &g->module_of.at[id] : NULL;
}

static int merge_modules(struct merger *g, const struct image_epoch *e, assay_error *err)
{
    hpcrun_modules_clear(&g->map);
    g->modules.len = 0;
    for (size_t i = 0; i < e->modules.len; i++) {
        const struct image_module *from = &e->modules.at[i];
        struct hpcrun_module record = { .id = from->id, .name = { from->name, 0 }, .flags = from->flags, .address = from->address, .offset = from->offset };
        struct hpcrun_lm *lm = hpcrun_modules_add(&g->map, &record, g->m->variant);
        uint16_t *slot = vec_push(g->m->mem, &g->modules);
        if (!lm || !slot) return error_memory(err);
        bool keeps_ids = g->m->layout == IMAGE_BY_ID && g->m->epochs.len == 1;
        uint32_t *known = keeps_ids ? NULL : by_name(g, from->name);
        if (!keeps_ids && !known) return error_memory(err);
        size_t k = known && *known ? *known - 1 : g->to.modules.len;
        if (known) *known = (uint32_t)k + 1;
        if (k == g->to.modules.len) {
            struct image_module *to = k < HPCRUN_LM_GPU_CONTEXT - 1 ? vec_push(g->m->mem, &g->to.modules) : NULL;
            if (!to && k < HPCRUN_LM_GPU_CONTEXT - 1) return error_memory(err);
            if (!to) FAIL(err, ASSAY_ERR_LIMIT, "a 04.00 profile holds at most %d load modules", HPCRUN_LM_GPU_CONTEXT - 1);
            *to = (struct image_module){ .name = from->name, .id = keeps_ids ? from->id : (uint16_t)(k + 1), .flags = from->flags };
        }
        *slot = g->to.modules.at[k].id;
        lm->owned = *slot;
    }
    return g->m->layout == IMAGE_LITERAL && !hpcrun_modules_settle(&g->map) ? error_memory(err) : 0;
}

static bool same_metric(const struct image_metric *a, const struct image_metric *b)
{
    return slice_equal(a->name, b->name) && a->is_real == b->is_real && a->period == b->period;
}

static uint32_t find_metric(const struct merger *g, const struct image_metric *m, uint64_t hash)
{
    for (struct index_walk w = index_walk(&g->metric_of, hash); index_next(&g->metric_of, &w);)
        if (same_metric(&g->to.metrics.at[w.id - 1], m)) return w.id - 1;
    return UINT32_MAX;
}

static int merge_metrics(struct merger *g, const struct image_epoch *e, assay_error *err)
{
    g->metrics.len = 0;
    for (size_t i = 0; i < e->metrics.len; i++) {
        uint32_t name = intern_put(&g->names, e->metrics.at[i].name.data ? e->metrics.at[i].name : (assay_slice){ "", 0 });
        uint32_t *slot = vec_push(g->m->mem, &g->metrics);
        if (!name || !slot) return error_memory(err);
        uint64_t hash = hash_mix(hash_mix(name, e->metrics.at[i].period), e->metrics.at[i].is_real);
        *slot = find_metric(g, &e->metrics.at[i], hash);
        if (*slot != UINT32_MAX) continue;
        *slot = (uint32_t)g->to.metrics.len;
        struct image_metric *to = vec_push(g->m->mem, &g->to.metrics);
        if (!to || !index_add(&g->metric_of, hash, *slot + 1)) return error_memory(err);
        *to = e->metrics.at[i];
        if (!to->has_bytes) memcpy(to->flags, (const unsigned char[8]){ 1, 0, to->is_real ? 2 : 1, 0, 0, 0, 1, 1 }, 8);
        to->has_bytes = true;
    }
    return 0;
}

/* ---- nodes ---- */

static int new_id(struct merger *g, uint32_t *id, assay_error *err)
{
    if (g->largest > UINT32_MAX - 4) FAIL(err, ASSAY_ERR_LIMIT, "there are no node ids left");
    *id = g->largest += 2 - g->largest % 2;
    return 0;
}

static int put_node(struct merger *g, uint32_t id, uint32_t parent, uint16_t module, uint64_t ip, assay_error *err)
{
    struct image_node *n = vec_push(g->m->mem, &g->to.nodes);
    if (!n) return error_memory(err);
    *n = (struct image_node){ .id = id, .parent = parent, .module = module, .ip = ip, .flags = HPCRUN_UNWOUND };
    if (id > g->largest) g->largest = id;
    return 0;
}

static int make_placeholder(struct merger *g, uint32_t *id, uint32_t parent, uint64_t ip, assay_error *err)
{
    if (*id) return 0;
    TRY(new_id(g, id, err));
    return put_node(g, *id, parent, HPCRUN_LM_PLACEHOLDER, ip, err);
}

/* Where the code of a node stands in terms of 04.00. */
static void place(struct merger *g, const struct image_node *n, uint16_t *module, uint64_t *ip)
{
    *module = HPCRUN_LM_PLACEHOLDER;
    *ip = n->ip;
    const struct hpcrun_lm *lm;
    if (g->m->layout == IMAGE_BY_ID) {
        lm = hpcrun_modules_find(&g->map, n->module);
        *module = lm ? (uint16_t)lm->owned : n->module;
        if (n->module != HPCRUN_LM_PLACEHOLDER) return;
    } else {
        if (g->has_placeholders && hpcrun_placeholder_name(n->ip)) return;
        lm = n->ip ? hpcrun_modules_at(&g->map, n->ip) : NULL;
        if (lm) {
            *module = (uint16_t)lm->owned;
            *ip = n->ip - lm->shift;
            return;
        }
    }
    g->lost_addresses += n->ip > 1;
    *ip = n->ip == 0 ? HPCRUN_PLACEHOLDER("^Primary") : n->ip == 1 ? HPCRUN_PLACEHOLDER("^Partial") : HPCRUN_PLACEHOLDER("*Unnorm ");
}

static uint32_t joined(const struct merger *g, uint32_t id)
{
    for (struct index_walk w = index_walk(&g->joins, hash_mix(1, id)); index_next(&g->joins, &w);)
        if (g->joined.at[w.id - 1] == id) return g->joined.at[w.id];
    return 0;
}

static int join(struct merger *g, uint32_t id, uint32_t with, assay_error *err)
{
    uint32_t *a = vec_push(g->m->mem, &g->joined), *b = a ? vec_push(g->m->mem, &g->joined) : NULL;
    if (!b) return error_memory(err);
    g->joined.at[g->joined.len - 2] = id;
    *b = with;
    return index_add(&g->joins, hash_mix(1, id), (uint32_t)g->joined.len - 1) ? 0 : error_memory(err);
}

/* One root for all, and one ^Partial: those of later epochs are joined with the first. */
static int merge_root(struct merger *g, const struct image_node *n, uint64_t ip, assay_error *err)
{
    bool is_primary = ip == HPCRUN_PLACEHOLDER("^Primary");
    uint32_t *known = is_primary ? &g->primary : &g->partial;
    if (*known) return join(g, n->id, *known, err);
    *known = n->id + g->shift;
    return put_node(g, *known, is_primary ? 0 : g->primary, HPCRUN_LM_PLACEHOLDER, ip, err);
}

static int merge_node(struct merger *g, const struct image_node *n, assay_error *err)
{
    uint16_t module;
    uint64_t ip;
    uint32_t parent = n->parent ? joined(g, n->parent) : g->primary;
    place(g, n, &module, &ip);
    bool is_placeholder = module == HPCRUN_LM_PLACEHOLDER;
    g->lost_lush += n->assoc != 0;
    if (is_placeholder && n->parent == 0 && ip == HPCRUN_PLACEHOLDER("^Primary")) return merge_root(g, n, ip, err);
    TRY(make_placeholder(g, &g->primary, 0, HPCRUN_PLACEHOLDER("^Primary"), err));
    if (!parent) parent = n->parent ? n->parent + g->shift : g->primary;
    if (is_placeholder && ip == HPCRUN_PLACEHOLDER("^Partial") && parent == g->primary) return merge_root(g, n, ip, err);
    if (parent == g->primary && !is_placeholder) {
        TRY(make_placeholder(g, &g->fence, g->primary, g->fence_ip, err));
        parent = g->fence;
    }
    if (parent == g->primary && ip == g->fence_ip && !g->fence) g->fence = n->id + g->shift;
    return put_node(g, n->id + g->shift, parent, module, ip, err);
}

static int merge_values(struct merger *g, const struct image_epoch *e, assay_error *err)
{
    for (size_t i = 0; i < e->ranges.len; i++) {
        const struct image_range *from = &e->ranges.at[i];
        uint64_t begin = g->to.values.len;
        for (uint64_t k = from->begin; k < from->end; k++) {
            struct image_value *v = vec_push(g->m->mem, &g->to.values);
            if (!v) return error_memory(err);
            *v = (struct image_value){ e->values.at[k].bits, g->metrics.at[e->values.at[k].metric] };
        }
        struct image_range *to = vec_push(g->m->mem, &g->to.ranges);
        uint32_t with = joined(g, from->node);
        if (!to) return error_memory(err);
        *to = (struct image_range){ with ? with : from->node + g->shift, begin, g->to.values.len };
    }
    return 0;
}

static int merge_epoch(struct merger *g, const struct image_epoch *e, assay_error *err)
{
    uint32_t largest = 0;
    g->shift = g->to.nodes.len ? g->largest + g->largest % 2 : 0;
    g->joined.len = 0;
    index_clear(&g->joins);
    for (size_t i = 0; i < e->nodes.len; i++)
        if (e->nodes.at[i].id > largest) largest = e->nodes.at[i].id;
    if (largest > UINT32_MAX - 16 - g->shift) FAIL(err, ASSAY_ERR_LIMIT, "there are no node ids left");
    g->largest = largest + g->shift;
    TRY(merge_modules(g, e, err));
    TRY(merge_metrics(g, e, err));
    for (size_t i = 0; i < e->nodes.len; i++) {
        TRY(cancel_step(i, err));
        TRY(merge_node(g, &e->nodes.at[i], err));
    }
    for (size_t i = 0; i < e->pairs.len; i++) g->lost_pairs += !slice_is(e->pairs.at[i].name, "LIP-size") && !slice_is(e->pairs.at[i].name, "TODO:epoch-name");
    return merge_values(g, e, err);
}

/* ---- header ---- */

/* The header of 02.00b has microseconds, that of 04.00 nanoseconds. */
static int fix_pairs(struct hpcrun_image *m, assay_error *err)
{
    size_t kept = 0;
    for (size_t i = 0; i < m->pairs.len; i++) {
        struct image_pair p = m->pairs.at[i];
        uint64_t us, ns;
        bool is_time = slice_is(p.name, "trace-min-time") || slice_is(p.name, "trace-max-time");
        if (m->layout == IMAGE_LITERAL && slice_is(p.name, "assay-placeholders")) continue;
        if (m->variant == HPCRUN_02B && is_time && number_u64(p.value, &us) == NUMBER_OK && !__builtin_mul_overflow(us, 1000, &ns)) {
            char text[48];
            size_t len = number_put_u64(text, ns);
            p.value = (assay_slice){ arena_copy(&m->text, (assay_slice){ text, len }), len };
            if (!p.value.data) return error_memory(err);
        }
        m->pairs.at[kept++] = p;
    }
    m->pairs.len = kept;
    return 0;
}

static bool pair_number(const struct hpcrun_image *m, const char *name, bool is_hex, uint64_t *out)
{
    assay_slice value = hpcrun_image_pair(m, name);
    return value.len && (is_hex ? number_hex(value, out) : number_u64(value, out)) == NUMBER_OK;
}

int hpcrun_image_identify(struct hpcrun_image *m, assay_error *err)
{
    static const char *const names[] = { "SUMMARY", "NODE", "RANK", "THREAD", "GPUDEVICE", "GPUCONTEXT", "GPUSTREAM", "CORE" };
    uint64_t host = 0, rank = 0, thread = 0;
    for (uint16_t i = 0; m->kinds.len < sizeof names / sizeof *names && i < sizeof names / sizeof *names; i++) {
        struct image_kind *k = vec_push(m->mem, &m->kinds);
        if (!k) return error_memory(err);
        *k = (struct image_kind){ i, slice_of(names[i]) };
    }
    if (m->tuple.len) return 0;
    (void)pair_number(m, "host-id", true, &host);
    (void)pair_number(m, "mpi-rank", false, &rank);
    if (!pair_number(m, "thread-id", false, &thread)) (void)pair_number(m, "canonical-thread-id", false, &thread);
    const struct hpcrun_tuple tuple[] = { { 0, 1 << 14 | 1, host, 0 }, { 1, 3 << 14 | 2, rank, rank }, { 2, 3 << 14 | 3, thread, thread } };
    for (size_t i = 0; i < 3; i++) {
        if (i == 1 && rank == 0) continue;
        struct hpcrun_tuple *t = vec_push(m->mem, &m->tuple);
        if (!t) return error_memory(err);
        *t = tuple[i];
    }
    return 0;
}

/* ---- all ---- */

static void name_losses(const struct merger *g, struct losses *l)
{
    const struct hpcrun_image *m = g->m;
    if (m->epochs.len)
        losses_add(l, "epochs", m->epochs.len, "%s: flags, return address distance and granularity are left out",
                   m->epochs.len == 1 ? "an epoch has no place in 04.00" : "all epochs become one tree");
    if (g->lost_pairs) losses_add(l, "attributes", g->lost_pairs, "%" PRIu64 " propert%s of epochs left out", g->lost_pairs, g->lost_pairs == 1 ? "y" : "ies");
    if (g->lost_lush) losses_add(l, "lush", g->lost_lush, "the logical frames of %" PRIu64 " node%s are left out", g->lost_lush, plural(g->lost_lush));
    if (g->lost_addresses)
        losses_add(l, "addresses", g->lost_addresses, "%" PRIu64 " address%s in no module written as '*Unnorm '", g->lost_addresses,
                   g->lost_addresses == 1 ? "" : "es");
}

static int merge_all(struct merger *g, assay_error *err)
{
    struct hpcrun_image *m = g->m;
    for (size_t i = 0; i < m->epochs.len; i++) TRY(merge_epoch(g, &m->epochs.at[i], err));
    TRY(fix_pairs(m, err));
    return hpcrun_image_identify(m, err);
}

int hpcrun_to_sparse(struct hpcrun_image *m, struct losses *losses, assay_error *err)
{
    if (m->layout == IMAGE_SPARSE) return hpcrun_image_identify(m, err);
    struct merger g = { .m = m, .has_placeholders = slice_is(hpcrun_image_pair(m, "assay-placeholders"), "1") };
    uint64_t thread = 0;
    if (!pair_number(m, "thread-id", false, &thread)) (void)pair_number(m, "canonical-thread-id", false, &thread);
    g.fence_ip = thread ? HPCRUN_PLACEHOLDER("| Thread") : HPCRUN_PLACEHOLDER("| Main  ");
    hpcrun_modules_init(&g.map, m->mem);
    intern_init(&g.names, m->mem);
    index_init(&g.joins, m->mem);
    index_init(&g.metric_of, m->mem);
    int rc = merge_all(&g, err);
    if (rc == 0) {
        name_losses(&g, losses);
        for (size_t i = 0; i < m->epochs.len; i++) hpcrun_epoch_done(m->mem, &m->epochs.at[i]);
        m->epochs.len = 0;
        struct image_epoch *only = vec_push(m->mem, &m->epochs);
        if (only)
            *only = g.to;
        else
            rc = error_memory(err);
        if (only) memset(&g.to, 0, sizeof g.to);
        m->layout = IMAGE_SPARSE;
    }
    hpcrun_epoch_done(m->mem, &g.to);
    hpcrun_modules_done(&g.map);
    intern_done(&g.names);
    index_done(&g.joins);
    index_done(&g.metric_of);
    vec_done(m->mem, &g.module_of, &g.metrics, &g.modules, &g.joined);
    return rc;
}

/* The encoder of measurement files; see encode.h. */
#include "formats/hpcrun/write/encode.h"

#include "base/cancel.h"
#include "base/index.h"
#include "base/scoped.h"

struct writer {
    struct output *out;
    bool is_big;
};

static void put(const struct writer *w, unsigned len, uint64_t v)
{
    unsigned char bytes[8];
    for (unsigned i = 0; i < len; i++) bytes[i] = (unsigned char)(v >> 8 * (w->is_big ? len - 1 - i : i));
    output_bytes(w->out, bytes, len);
}

static void put_str(const struct writer *w, assay_slice s)
{
    put(w, 4, s.len);
    if (s.len) output_slice(w->out, s);
}

static void put_pairs(const struct writer *w, const struct image_pair *pairs, size_t count)
{
    put(w, 4, count);
    for (size_t i = 0; i < count; i++) {
        put_str(w, pairs[i].name);
        put_str(w, pairs[i].value);
    }
}

/* ---- 04.00 ---- */

/* Zeros up to where the next section may begin. */
static void pad(const struct writer *w, uint64_t base)
{
    static const char zeros[HPCRUN_ALIGNMENT];
    uint64_t over = (output_off(w->out) - base) % HPCRUN_ALIGNMENT;
    if (over) output_bytes(w->out, zeros, (size_t)(HPCRUN_ALIGNMENT - over));
}

static void put_modules(const struct writer *w, const struct image_epoch *e)
{
    put(w, 4, e->modules.len);
    for (size_t i = 0; i < e->modules.len; i++) {
        put(w, 2, e->modules.at[i].id);
        put_str(w, e->modules.at[i].name);
        put(w, 8, e->modules.at[i].flags);
    }
}

static void put_nodes(const struct writer *w, const struct image_epoch *e)
{
    put(w, 8, e->nodes.len);
    for (size_t i = 0; i < e->nodes.len; i++) {
        const struct image_node *n = &e->nodes.at[i];
        put(w, 4, n->id);
        put(w, 4, n->parent);
        put(w, 2, n->module);
        put(w, 8, n->ip);
        put(w, 1, n->flags);
    }
}

static void put_metrics(const struct writer *w, const struct image_epoch *e)
{
    put(w, 4, e->metrics.len);
    for (size_t i = 0; i < e->metrics.len; i++) {
        const struct image_metric *m = &e->metrics.at[i];
        put_str(w, m->name);
        put_str(w, m->description);
        output_bytes(w->out, m->flags, sizeof m->flags);
        put(w, 8, m->period);
        put_str(w, m->formula);
        put_str(w, m->format);
        put(w, 2, m->is_frequency);
        put(w, 2, m->is_multiplexed);
        put(w, 8, m->threshold_mean);
        put(w, 8, m->samples);
    }
}

static void put_kinds(const struct writer *w, const struct hpcrun_image *m)
{
    put(w, 2, m->kinds.len);
    for (size_t i = 0; i < m->kinds.len; i++) {
        put(w, 2, m->kinds.at[i].kind);
        put_str(w, m->kinds.at[i].name);
    }
}

static void put_sparse(const struct writer *w, const struct hpcrun_image *m, const struct image_epoch *e)
{
    uint64_t first = 0;
    put(w, 2, m->tuple.len);
    for (size_t i = 0; i < m->tuple.len; i++) {
        put(w, 2, m->tuple.at[i].word);
        put(w, 8, m->tuple.at[i].physical);
        put(w, 8, m->tuple.at[i].logical);
    }
    uint64_t count = 0;
    for (size_t i = 0; i < e->ranges.len; i++) count += e->ranges.at[i].end - e->ranges.at[i].begin;
    put(w, 8, count);
    put(w, 4, e->ranges.len);
    for (size_t i = 0; i < e->ranges.len; i++)
        for (uint64_t k = e->ranges.at[i].begin; k < e->ranges.at[i].end; k++) {
            put(w, 8, e->values.at[k].bits);
            put(w, 2, e->values.at[k].metric);
        }
    for (size_t i = 0; i < e->ranges.len; i++) {
        put(w, 4, e->ranges.at[i].node);
        put(w, 8, first);
        first += e->ranges.at[i].end - e->ranges.at[i].begin;
    }
    put(w, 4, HPCRUN_SENTINEL);
    put(w, 8, first);
}

int hpcrun_encode_sparse(const struct hpcrun_image *m, struct output *out, assay_error *err)
{
    const struct writer w = { out, true };
    const struct image_epoch *e = &m->epochs.at[0];
    uint64_t bounds[2 * HPCRUN_SECTION_COUNT], base = output_off(out);
    if (m->kinds.len > UINT16_MAX || m->tuple.len > UINT16_MAX || e->ranges.len > UINT32_MAX || e->metrics.len > UINT16_MAX)
        FAIL(err, ASSAY_ERR_LIMIT, "a 04.00 profile holds at most 65535 metrics and 2^32 - 1 nodes with values");
    for (unsigned i = 0; i < HPCRUN_SECTION_COUNT; i++) {
        bounds[2 * (size_t)i] = output_off(out) - base;
        switch (i) {
        case HPCRUN_SECTION_HEADER:
            output_text(out, "HPCRUN-profile____04.00b");
            put_pairs(&w, m->pairs.at, m->pairs.len);
            break;
        case HPCRUN_SECTION_MODULES: put_modules(&w, e); break;
        case HPCRUN_SECTION_NODES: put_nodes(&w, e); break;
        case HPCRUN_SECTION_METRICS: put_metrics(&w, e); break;
        case HPCRUN_SECTION_KINDS: put_kinds(&w, m); break;
        default: put_sparse(&w, m, e); break;
        }
        bounds[2 * (size_t)i + 1] = output_off(out) - base;
        pad(&w, base);
    }
    uint64_t footer = output_off(out) - base;
    for (unsigned i = 0; i < 2 * HPCRUN_SECTION_COUNT; i++) put(&w, 8, bounds[i]);
    put(&w, 8, footer);
    put(&w, 8, HPCRUN_FOOTER_MAGIC);
    return 0;
}

/* ---- 02.00l ---- */

/* The values of one node after the other, dense. */
struct rows {
    struct mem *mem;
    const struct image_epoch *e;
    uint32_t *first; /* by node: range + 1 */
    uint32_t *next;  /* by range: the node's next one + 1 */
    uint64_t *row;
};

static int rows_init(struct rows *t, struct mem *mem, const struct image_epoch *e, assay_error *err)
{
    SCOPED(index_done) struct index ids = { 0 };
    *t = (struct rows){ .mem = mem, .e = e };
    t->first = mem_zalloc(mem, e->nodes.len + 1, sizeof *t->first);
    t->next = mem_zalloc(mem, e->ranges.len + 1, sizeof *t->next);
    t->row = mem_zalloc(mem, e->metrics.len + 1, sizeof *t->row);
    index_init(&ids, mem);
    if (!t->first || !t->next || !t->row) return error_memory(err);
    for (size_t i = 0; i < e->nodes.len; i++) {
        TRY(cancel_step(i, err));
        if (!index_add(&ids, hash_mix(1, e->nodes.at[i].id), (uint32_t)i + 1)) return error_memory(err);
    }
    for (size_t i = e->ranges.len; i-- > 0;)
        for (struct index_walk w = index_walk(&ids, hash_mix(1, e->ranges.at[i].node)); index_next(&ids, &w);) {
            if (e->nodes.at[w.id - 1].id != e->ranges.at[i].node) continue;
            t->next[i] = t->first[w.id - 1];
            t->first[w.id - 1] = (uint32_t)i + 1;
            break;
        }
    return 0;
}

static void rows_done(struct rows *t)
{
    mem_free(t->mem, t->first, (t->e->nodes.len + 1) * sizeof *t->first);
    mem_free(t->mem, t->next, (t->e->ranges.len + 1) * sizeof *t->next);
    mem_free(t->mem, t->row, (t->e->metrics.len + 1) * sizeof *t->row);
}

/* Values of one metric that come twice add up. */
static uint64_t add_bits(uint64_t a, uint64_t b, bool is_real)
{
    if (!a || !b) return a | b;
    if (!is_real) return a > UINT64_MAX - b ? UINT64_MAX : a + b;
    double sum = hpcrun_double(a) + hpcrun_double(b);
    memcpy(&a, &sum, sizeof a);
    return a;
}

static void put_row(const struct writer *w, struct rows *t, size_t node)
{
    const struct image_epoch *e = t->e;
    for (size_t i = 0; i < e->metrics.len; i++) t->row[i] = 0;
    for (uint32_t r = t->first[node]; r; r = t->next[r - 1])
        for (uint64_t k = e->ranges.at[r - 1].begin; k < e->ranges.at[r - 1].end; k++) {
            const struct image_value *v = &e->values.at[k];
            t->row[v->metric] = add_bits(t->row[v->metric], v->bits, e->metrics.at[v->metric].is_real);
        }
    for (size_t i = 0; i < e->metrics.len; i++) put(w, 8, t->row[i]);
}

static void put_literal_node(const struct writer *w, const struct hpcrun_image *m, const struct image_epoch *e, const struct image_node *n)
{
    put(w, 4, n->is_leaf_id ? 0 - n->id : n->id);
    put(w, 4, n->parent);
    if (e->is_lush) put(w, 4, n->assoc);
    put(w, 8, n->ip);
    for (uint32_t i = 0; e->is_lush && i < e->lip_words; i++)
        put(w, 8, !n->lip ? 0 : m->is_big_endian ? hpcrun_be64(n->lip + 8 * (size_t)i) : hpcrun_le64(n->lip + 8 * (size_t)i));
}

static int put_epoch(const struct writer *w, const struct hpcrun_image *m, const struct image_epoch *e, assay_error *err)
{
    SCOPED(rows_done) struct rows rows = { 0 };
    output_text(w->out, "EPOCH___");
    put(w, 8, e->flags);
    put(w, 4, e->ra_distance);
    put(w, 8, e->granularity);
    put_pairs(w, e->pairs.at, e->pairs.len);
    put(w, 4, e->metrics.len);
    for (size_t i = 0; i < e->metrics.len; i++) {
        put_str(w, e->metrics.at[i].name);
        put(w, 8, e->metrics.at[i].literal_flags);
        put(w, 8, e->metrics.at[i].period);
    }
    put(w, 4, e->modules.len);
    for (size_t i = 0; i < e->modules.len; i++) {
        put(w, 8, e->modules.at[i].address);
        put(w, 8, e->modules.at[i].offset);
        put_str(w, e->modules.at[i].name);
        put(w, 4, e->modules.at[i].flags);
    }
    put(w, 4, e->nodes.len);
    TRY(rows_init(&rows, m->mem, e, err));
    for (size_t i = 0; i < e->nodes.len; i++) {
        TRY(cancel_step(i, err));
        put_literal_node(w, m, e, &e->nodes.at[i]);
        put_row(w, &rows, i);
    }
    return 0;
}

int hpcrun_encode_literal(const struct hpcrun_image *m, struct output *out, assay_error *err)
{
    const struct writer w = { out, false };
    output_text(out, "HPCRUN____02.00l");
    put_pairs(&w, m->pairs.at, m->pairs.len);
    put(&w, 4, m->epochs.len);
    for (size_t i = 0; i < m->epochs.len; i++) TRY(put_epoch(&w, m, &m->epochs.at[i], err));
    return 0;
}

/* ---- traces ---- */

void hpctrace_put_head(struct output *out, uint64_t flags)
{
    output_text(out, "HPCRUN-trace______01.01b");
    put(&(struct writer){ out, true }, 8, flags);
}

void hpctrace_put_sample(struct output *out, uint64_t flags, uint64_t time, uint32_t node, uint32_t metric)
{
    const struct writer w = { out, true };
    put(&w, 8, time);
    put(&w, 4, node);
    if (flags & HPCTRACE_DATA_CENTRIC) put(&w, 4, metric);
}

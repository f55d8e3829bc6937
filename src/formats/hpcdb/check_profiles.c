/* profile.db: rules H092 to H111, and H084, which needs its values. */
#include <inttypes.h>
#include <math.h>

#include "base/cancel.h"
#include "base/index.h"
#include "base/scoped.h"
#include "formats/hpcdb/check.h"

static void say(struct hpcdb_checker *c, const char *rule, int severity, uint64_t off, const char *text)
{
    hpcdb_say(&c->db, HPCDB_PROFILE, rule, severity, off, "%s", text);
}

/* ---- id tuples ---- */

struct tuples {
    struct index *index;
    VEC(struct hpcdb_tuple) list;
};

static bool is_same_tuple(const struct hpcdb *db, const struct hpcdb_tuple *a, const struct hpcdb_tuple *b)
{
    bool is_same = a->count == b->count;
    for (uint16_t i = 0; is_same && i < a->count; i++) {
        struct hpcdb_id x = hpcdb_id_at(db, a, i), y = hpcdb_id_at(db, b, i);
        is_same = x.kind == y.kind && x.flags == y.flags && x.logical == y.logical && x.physical == y.physical;
    }
    return is_same;
}

static int check_tuple(struct hpcdb_checker *c, struct tuples *seen, struct hpcdb_profile *p, assay_error *err)
{
    struct hpcdb_tuple t;
    uint64_t hash = 7;
    if (!hpcdb_tuple_of(&c->db, p, &t)) return 0;
    for (uint16_t i = 0; i < t.count; i++) {
        struct hpcdb_id id = hpcdb_id_at(&c->db, &t, i);
        hash = hash_mix(hash_mix(hash, (uint64_t)id.kind << 32 | id.logical), id.physical);
        if (!c->db.is_single && hpcdb_check_has(c, HPCDB_META) && id.kind >= c->db.kinds.count)
            hpcdb_say(&c->db, HPCDB_PROFILE, "H096", ASSAY_ERROR, t.off + HPCDB_TUPLE_LEN + (uint64_t)i * HPCDB_ID_LEN, "kind %u of an identifier has no name",
                      id.kind);
    }
    for (struct index_walk w = index_walk(seen->index, hash); index_next(seen->index, &w);) {
        const struct hpcdb_tuple *o = &seen->list.at[w.id - 1];
        if (!is_same_tuple(&c->db, o, &t)) continue;
        say(c, "H097", ASSAY_INFO, p->off + 0x20, "another profile has the same id tuple");
        return 0;
    }
    struct hpcdb_tuple *slot = vec_push(c->mem, &seen->list);
    if (!slot || !index_add(seen->index, hash, (uint32_t)seen->list.len)) return error_memory(err);
    *slot = t;
    return 0;
}

/* ---- values ---- */

/* What is wrong with the value at `off`; `last` is the metric before it in the same context. */
static void check_value(struct hpcdb_checker *c, const unsigned char *at, int last, const uint32_t *known, uint64_t off)
{
    uint16_t metric = bytes_u16le(at);
    double v = bytes_f64le(at + 2);
    if (metric <= last) hpcdb_say(&c->db, HPCDB_PROFILE, "H104", ASSAY_ERROR, off, "metric %u comes after metric %d in one context", metric, last);
    if (known && !known[metric]) hpcdb_say(&c->db, HPCDB_PROFILE, "H105", ASSAY_ERROR, off, "metric id %u is not in meta.db", metric);
    if (v == 0)
        say(c, "H106", ASSAY_WARNING, off + 2, "a value of 0, which need not be stored");
    else if (!isfinite(v))
        say(c, "H107", ASSAY_WARNING, off + 2, isnan(v) ? "a value that is not a number" : "an infinite value");
    else if (v < 0)
        say(c, "H108", ASSAY_INFO, off + 2, "a negative value");
}

static void check_run(struct hpcdb_checker *c, struct hpcdb_profile *p, struct hpcdb_run run, const uint32_t *known)
{
    int last = -1;
    uint64_t count;
    for (uint64_t i = run.begin; i < run.end; i += count) {
        count = run.end - i;
        const unsigned char *at = hpcdb_profile_values(p, i, &count), *end = at + count * HPCDB_VALUE_LEN;
        for (; at < end; at += HPCDB_VALUE_LEN) {
            uint16_t metric = bytes_u16le(at);
            double v = bytes_f64le(at + 2);
            if (metric <= last || (known && !known[metric]) || !(v > 0 && v <= 1.7976931348623157e308))
                check_value(c, at, last, known, p->values_at + (i + count) * HPCDB_VALUE_LEN - (uint64_t)(end - at));
            last = metric;
        }
    }
}

/* Notes that a context has values, and whether it is known at all. */
static void check_ctx(struct hpcdb_checker *c, uint32_t id, uint64_t off)
{
    uint32_t node = hpcdb_ids_find(&c->nodes, id);
    if (node)
        c->has_value[node] = 1;
    else if (id && hpcdb_check_has(c, HPCDB_CCT) && hpcdb_check_has(c, HPCDB_META) && id >= c->db.ctxs.count)
        hpcdb_say(&c->db, HPCDB_PROFILE, "H109", ASSAY_ERROR, off, "context %u is neither in the tree nor in cct.db", id);
}

static void check_start(struct hpcdb_checker *c, struct hpcdb_profile *p, const struct hpcdb_index *x, uint64_t off, uint64_t *last)
{
    if (x->start > p->n_values || x->start < *last || (x->number == 0 && x->start != 0))
        hpcdb_say(&c->db, HPCDB_PROFILE, "H102", ASSAY_ERROR, off + 4,
                  "values from number %" PRIu64 " on, but there are %" PRIu64 " and those before begin at %" PRIu64, x->start, p->n_values, *last);
    else
        *last = x->start;
}

static void check_block(struct hpcdb_checker *c, struct hpcdb_profile *p, const uint32_t *known)
{
    uint64_t last_start = 0, off = p->ctxs_at;
    int64_t last_id = -1;
    struct hpcdb_indices w = { .next = 0 };
    for (struct hpcdb_index x; hpcdb_indices_next(p, &w, &x); off += HPCDB_INDEX_LEN) {
        if (x.id <= last_id) hpcdb_say(&c->db, HPCDB_PROFILE, "H101", ASSAY_ERROR, off, "context %u comes after context %" PRId64, x.id, last_id);
        last_id = x.id;
        check_ctx(c, x.id, off);
        check_start(c, p, &x, off, &last_start);
        if (x.run.begin == x.run.end) hpcdb_say(&c->db, HPCDB_PROFILE, "H103", ASSAY_WARNING, off + 4, "context %u without values", x.id);
        check_run(c, p, x.run, known);
    }
}

/* ---- profiles ---- */

static void check_place(struct hpcdb_checker *c, struct hpcdb_profile *p)
{
    if (!p->is_ok || p->value_count == 0) return;
    if (p->values_at % 2) say(c, "H099", ASSAY_WARNING, p->off + 8, "values are not at a multiple of 2");
    if (p->ctxs_at % 4) say(c, "H099", ASSAY_WARNING, p->off + 0x18, "context indices are not at a multiple of 4");
    if (p->ctx_count && p->ctxs_at < p->values_at + p->value_count * HPCDB_VALUE_LEN)
        say(c, "H100", ASSAY_WARNING, p->off + 0x18, "context indices begin before the end of the values");
    if (p->ctx_count == 0) say(c, "H102", ASSAY_ERROR, p->off + 0x10, "values without any context");
}

static int check_profile(struct hpcdb_checker *c, uint32_t i, struct tuples *seen, struct hpcdb_span *spans, size_t *span_count, assay_error *err)
{
    struct hpcdb_profile p;
    hpcdb_profile_at(&c->db, i, &p);
    bool is_summary = i == 0 || p.flags & HPCDB_IS_SUMMARY;
    if (i == 0 && !(p.flags & HPCDB_IS_SUMMARY)) say(c, "H093", ASSAY_ERROR, p.off + 0x28, "profile 0 is not marked as the summary");
    if (i == 0 && p.tuple_at) say(c, "H093", ASSAY_ERROR, p.off + 0x20, "profile 0, the summary, has an id tuple");
    if (i > 0 && p.flags & HPCDB_IS_SUMMARY)
        hpcdb_say(&c->db, HPCDB_PROFILE, "H094", ASSAY_WARNING, p.off + 0x28, "profile %u is a summary too: it is left out", i);
    TRY(check_tuple(c, seen, &p, err));
    check_place(c, &p);
    if (p.n_values) {
        uint64_t values_end = p.values_at + p.value_count * HPCDB_VALUE_LEN, ctxs_end = p.ctxs_at + (uint64_t)p.ctx_count * HPCDB_INDEX_LEN;
        spans[(*span_count)++] = (struct hpcdb_span){ p.values_at, p.ctxs_at >= values_end ? ctxs_end : values_end, p.off + 8, i };
    }
    check_block(c, &p, !hpcdb_check_has(c, HPCDB_META) ? NULL : is_summary ? c->stat.at : c->prop.at);
    return 0;
}

static void check_contexts(struct hpcdb_checker *c)
{
    if (c->db.is_single || !hpcdb_check_has(c, HPCDB_META)) return;
    for (uint32_t i = 1; i < c->tree.len && !cancel_at(i); i++)
        if (!c->has_value[i]) hpcdb_say(&c->db, HPCDB_META, "H084", ASSAY_INFO, c->tree.at[i].off + 0x10, "a context without a value in any profile");
}

int hpcdb_check_profiles(struct hpcdb_checker *c, assay_error *err)
{
    const struct hpcdb_section *s = &c->db.file[HPCDB_PROFILE].sections[HPCDB_PROFILE_INFOS];
    size_t n = 0, count = c->db.profiles.count;
    if (!s->is_ok) return 0;
    unsigned char said[4];
    hpcdb_get(&c->db, HPCDB_PROFILE, s->off + 8, said, sizeof said);
    if (count == 0 && bytes_u32le(said) == 0) say(c, "H092", ASSAY_ERROR, s->off + 8, "there is no profile, not even a summary");
    SCRATCH(struct hpcdb_span, spans, c->mem, count + 1);
    if (!spans) return error_memory(err);
    SCOPED(index_done) struct index index;
    index_init(&index, c->mem);
    struct tuples seen = { .index = &index };
    vec_scoped(c->mem, &seen.list);
    for (uint32_t i = 0; i < count; i++) {
        TRY(cancel_step(i, err));
        TRY(check_profile(c, i, &seen, spans, &n, err));
        TRY(hpcdb_check_progress(c, c->db.file[HPCDB_PROFILE].bytes.len / count, err));
    }
    hpcdb_check_overlaps(c, HPCDB_PROFILE, "H111", "the blocks of profiles", spans, n);
    check_contexts(c);
    return 0;
}

/* Profiles, id tuples, contexts of cct.db and traces; see formats/hpcdb/decode.h. */
#include <inttypes.h>

#include "formats/hpcdb/decode.h"

/* true = `count` elements of `size` bytes from `off` on are inside the file. */
static bool in_file(const struct hpcdb *db, enum hpcdb_part part, uint64_t off, uint64_t count, uint64_t size)
{
    uint64_t len = db->file[part].bytes.len;
    return count == 0 || (off <= len && count <= (len - off) / size);
}

static bool check_block(const struct hpcdb *db, enum hpcdb_part part, const char *rule, uint64_t field, const char *what, uint64_t off, uint64_t count,
                        uint64_t size)
{
    if (in_file(db, part, off, count, size)) return true;
    hpcdb_say(db, part, rule, ASSAY_ERROR, field, "%" PRIu64 " %s at 0x%" PRIx64 " run past the end of the file", count, what, off);
    return false;
}

void hpcdb_profile_at(const struct hpcdb *db, uint32_t i, struct hpcdb_profile *out)
{
    unsigned char p[HPCDB_PROFILE_LEN];
    out->off = hpcdb_element_off(&db->profiles, i);
    hpcdb_get(db, HPCDB_PROFILE, out->off, p, sizeof p);
    out->value_count = bytes_u64le(p);
    out->values_at = bytes_u64le(p + 8);
    out->ctx_count = bytes_u32le(p + 0x10);
    out->ctxs_at = bytes_u64le(p + 0x18);
    out->tuple_at = bytes_u64le(p + 0x20);
    out->flags = bytes_u32le(p + 0x28);
    out->n_values = out->n_ctxs = 0;
    out->is_ok = check_block(db, HPCDB_PROFILE, "H098", out->off, "values", out->values_at, out->value_count, HPCDB_VALUE_LEN);
    out->is_ok &= check_block(db, HPCDB_PROFILE, "H098", out->off + 0x10, "context indices", out->ctxs_at, out->ctx_count, HPCDB_INDEX_LEN);
    if (!out->is_ok || out->value_count == 0 || out->ctx_count == 0) return;
    out->n_values = out->value_count;
    out->n_ctxs = out->ctx_count;
    uint64_t values_end = out->values_at + out->n_values * HPCDB_VALUE_LEN, ctxs_end = out->ctxs_at + (uint64_t)out->n_ctxs * HPCDB_INDEX_LEN;
    hpcdb_view_init(&out->values, &db->file[HPCDB_PROFILE], values_end, out->rooms[0], HPCDB_WINDOW);
    hpcdb_view_init(&out->ctxs, &db->file[HPCDB_PROFILE], ctxs_end, out->rooms[1], HPCDB_WINDOW);
}

void hpcdb_indices_show(struct hpcdb_profile *p, struct hpcdb_indices *w)
{
    uint64_t off = p->ctxs_at + (uint64_t)w->next * HPCDB_INDEX_LEN;
    uint32_t left = p->n_ctxs - w->next;
    w->at = hpcdb_view_at(&p->ctxs, off, left == 1 ? HPCDB_INDEX_LEN : 2 * HPCDB_INDEX_LEN);
    uint64_t whole = (p->ctxs.to - off) / HPCDB_INDEX_LEN;
    w->shown = whole >= left ? left : (uint32_t)whole - 1;
}

uint32_t hpcdb_find_ctx(struct hpcdb_profile *p, uint32_t id)
{
    uint32_t begin = 0, end = p->n_ctxs;
    while (begin < end) {
        uint32_t mid = begin + (end - begin) / 2;
        if (hpcdb_ctx_id(p, mid) < id)
            begin = mid + 1;
        else
            end = mid;
    }
    return begin < p->n_ctxs && hpcdb_ctx_id(p, begin) == id ? begin : HPCDB_NONE;
}

enum { FEW = 16 }; /* values of one context that are faster looked through than searched */

/* In a run that is longer than the window, or has many values. */
static double search_value(struct hpcdb_profile *p, struct hpcdb_run run, uint16_t metric)
{
    uint64_t begin = run.begin, end = run.end;
    while (begin < end) {
        uint64_t mid = begin + (end - begin) / 2;
        if (hpcdb_value_metric(p, mid) < metric)
            begin = mid + 1;
        else
            end = mid;
    }
    return begin < run.end && hpcdb_value_metric(p, begin) == metric ? hpcdb_value(p, begin) : 0;
}

double hpcdb_find_value(struct hpcdb_profile *p, struct hpcdb_run run, uint16_t metric)
{
    uint64_t count = run.end - run.begin;
    if (count == 0) return 0;
    const unsigned char *at = hpcdb_profile_values(p, run.begin, &count);
    if (count < run.end - run.begin || count > FEW) return search_value(p, run, metric);
    for (const unsigned char *end = at + count * HPCDB_VALUE_LEN; at < end; at += HPCDB_VALUE_LEN)
        if (bytes_u16le(at) >= metric) return bytes_u16le(at) == metric ? bytes_f64le(at + 2) : 0;
    return 0;
}

bool hpcdb_tuple_of(const struct hpcdb *db, struct hpcdb_profile *p, struct hpcdb_tuple *out)
{
    uint64_t at = p->tuple_at;
    *out = (struct hpcdb_tuple){ .off = at };
    if (at == 0) return false;
    if (hpcdb_in_section(db, HPCDB_PROFILE, HPCDB_ID_TUPLES, at, HPCDB_TUPLE_LEN)) {
        unsigned char count[2];
        hpcdb_get(db, HPCDB_PROFILE, at, count, sizeof count);
        out->count = bytes_u16le(count);
        if (hpcdb_in_section(db, HPCDB_PROFILE, HPCDB_ID_TUPLES, at + HPCDB_TUPLE_LEN, (uint64_t)out->count * HPCDB_ID_LEN)) return true;
    }
    hpcdb_say(db, HPCDB_PROFILE, "H095", ASSAY_ERROR, p->off + 0x20, "the id tuple at 0x%" PRIx64 " is not inside section IdTuples", at);
    return false;
}

struct hpcdb_id hpcdb_id_at(const struct hpcdb *db, const struct hpcdb_tuple *t, uint16_t i)
{
    unsigned char p[HPCDB_ID_LEN];
    hpcdb_get(db, HPCDB_PROFILE, t->off + HPCDB_TUPLE_LEN + (uint64_t)i * HPCDB_ID_LEN, p, sizeof p);
    return (struct hpcdb_id){ p[0], bytes_u16le(p + 2), bytes_u32le(p + 4), bytes_u64le(p + 8) };
}

void hpcdb_ctx_init(const struct hpcdb *db, struct hpcdb_ctx *out)
{
    hpcdb_view_init(&out->block, &db->file[HPCDB_CCT], db->file[HPCDB_CCT].bytes.len, out->rooms[0], sizeof out->rooms);
}

/* Values and metric indices, each read once where one window shows both. */
static void show_ctx(const struct hpcdb *db, struct hpcdb_ctx *out)
{
    uint64_t values_end = out->values_at + out->n_values * HPCDB_CCT_VALUE_LEN, metrics_end = out->metrics_at + (uint64_t)out->n_metrics * HPCDB_CCT_INDEX_LEN;
    uint64_t from = out->values_at < out->metrics_at ? out->values_at : out->metrics_at, to = values_end > metrics_end ? values_end : metrics_end;
    if (to - from <= sizeof out->rooms || db->file[HPCDB_CCT].bytes.data) {
        hpcdb_view_block(&out->block, from, to);
        out->values = out->metrics = out->block;
        return;
    }
    hpcdb_ctx_init(db, out); /* its room is what the two need */
    hpcdb_view_init(&out->values, &db->file[HPCDB_CCT], values_end, out->rooms[0], HPCDB_WINDOW);
    hpcdb_view_init(&out->metrics, &db->file[HPCDB_CCT], metrics_end, out->rooms[1], HPCDB_WINDOW);
}

void hpcdb_ctx_head(const struct hpcdb *db, uint32_t i, struct hpcdb_ctx *out)
{
    const unsigned char *p = hpcdb_element(&db->ctxs, i);
    out->off = hpcdb_element_off(&db->ctxs, i);
    out->value_count = bytes_u64le(p);
    out->values_at = bytes_u64le(p + 8);
    out->metric_count = bytes_u16le(p + 0x10);
    out->metrics_at = bytes_u64le(p + 0x18);
    out->n_values = out->n_metrics = 0;
    out->is_ok = check_block(db, HPCDB_CCT, "H123", out->off, "values", out->values_at, out->value_count, HPCDB_CCT_VALUE_LEN);
    out->is_ok &= check_block(db, HPCDB_CCT, "H123", out->off + 0x10, "metric indices", out->metrics_at, out->metric_count, HPCDB_CCT_INDEX_LEN);
    if (!out->is_ok || out->value_count == 0 || out->metric_count == 0) return;
    out->n_values = out->value_count;
    out->n_metrics = out->metric_count;
}

void hpcdb_ctx_at(const struct hpcdb *db, uint32_t i, struct hpcdb_ctx *out)
{
    hpcdb_ctx_head(db, i, out);
    if (out->n_values) show_ctx(db, out);
}

void hpcdb_trace_at(const struct hpcdb *db, uint32_t i, struct hpcdb_trace *out)
{
    const unsigned char *p = hpcdb_element(&db->traces, i);
    uint64_t len = db->file[HPCDB_TRACE].bytes.len;
    out->off = hpcdb_element_off(&db->traces, i);
    out->profile = bytes_u32le(p);
    out->start = bytes_u64le(p + 8);
    out->end = bytes_u64le(p + 0x10);
    out->count = 0;
    if (out->start > out->end || out->end > len) {
        hpcdb_say(db, HPCDB_TRACE, "H142", ASSAY_ERROR, out->off + (out->start > len ? 8 : 0x10),
                  "samples from 0x%" PRIx64 " to 0x%" PRIx64 " do not lie inside the file", out->start, out->end);
        if (out->start > out->end || out->start > len) return;
    } else if ((out->end - out->start) % HPCDB_SAMPLE_LEN)
        hpcdb_say(db, HPCDB_TRACE, "H143", ASSAY_ERROR, out->off + 0x10, "%" PRIu64 " bytes of samples are not a multiple of 12", out->end - out->start);
    out->count = ((out->end < len ? out->end : len) - out->start) / HPCDB_SAMPLE_LEN;
    hpcdb_view_init(&out->samples, &db->file[HPCDB_TRACE], out->start + out->count * HPCDB_SAMPLE_LEN, out->room, HPCDB_WINDOW);
}

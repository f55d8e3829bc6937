/* Nodes, sparse values and their index: items of equal size, handed out as one span, or one by one. The span is checked once against
 * the bytes that are there. */
#include <inttypes.h>

#include "base/plural.h"

#include "formats/hpcrun/decode_parts.h"

static void put_list(struct hpcrun_decoder *d, struct hpcrun_record *r, enum hpcrun_list_id id, uint64_t count, uint64_t count_len)
{
    r->kind = HPCRUN_RECORD_LIST;
    r->off = d->at;
    r->len = count_len;
    r->list = (struct hpcrun_list){ .id = id, .count = count, .span = d->span };
}

/* The span at `off` with as many items as fit below d->end; true = all `count` do. */
static bool set_span(struct hpcrun_decoder *d, uint64_t off, uint64_t stride, uint64_t count)
{
    uint64_t end = d->end < d->bytes.len ? d->end : d->bytes.len, room = off < end ? (end - off) / stride : 0;
    d->span.at = (const unsigned char *)d->bytes.data + off;
    d->span.off = off;
    d->span.stride = stride;
    d->span.count = count < room ? count : room;
    d->next = 0;
    d->count = d->span.count;
    return count <= room;
}

/* ---- nodes ---- */

/* Field by field up to the values, in the order of the file; returns the length of a node. */
static uint64_t lay_out_dense(struct hpcrun_decoder *d)
{
    struct hpcrun_span *s = &d->span;
    bool is_old = d->file.variant == HPCRUN_02_2009, is_lush = is_old || d->is_lush;
    uint32_t at = 8;
    *s = (struct hpcrun_span){ .is_big_endian = d->file.is_big_endian, .is_signed = true, .value_count = d->metric_count };
    if (is_lush) s->assoc_at = at, at += 4;
    if (d->file.variant >= HPCRUN_02B) s->module_at = at, at += 2;
    s->ip_at = at, at += 8;
    if (is_lush) {
        s->lip_at = at;
        s->lip_len = d->file.variant == HPCRUN_02_LITERAL ? 8 * d->lip_words : 16;
        at += s->lip_len;
    }
    s->values_at = at;
    return at + 8 * (uint64_t)d->metric_count;
}

/* Which field of the first node that is not whole does not fit (02.00l, whose fields are all there is to go by). */
static uint64_t cut_field(const struct hpcrun_span *s, uint64_t end)
{
    uint64_t node = s->off + s->count * s->stride;
    const uint64_t fields[] = { 0, 4, s->assoc_at, s->ip_at, s->lip_at, s->values_at };
    const uint64_t lens[] = { 4, 4, 4, 8, s->lip_len, 8 };
    for (size_t i = 0; i < 5; i++)
        if ((i < 2 || fields[i]) && node + fields[i] + lens[i] > end) return node + fields[i];
    return end < node + s->values_at ? node : end - (end - node - s->values_at) % 8;
}

static void check_dense(struct hpcrun_decoder *d, uint64_t count)
{
    bool is_literal = d->file.variant == HPCRUN_02_LITERAL;
    hpcrun_damage(d, "HRC04", ASSAY_ERROR, is_literal ? cut_field(&d->span, d->end) : d->span.off,
                  "the tree of %" PRIu64 " nodes runs past the end at %" PRIu64 ": %" PRIu64 " are complete", count, d->end, d->span.count);
    d->ends_here = true;
}

/* 04.00 writes how many nodes there are, and the footer where they end; builds of 2021 left the flags byte out. */
static void lay_out_sparse(struct hpcrun_decoder *d, uint64_t count)
{
    uint64_t begin = d->at + 8, bytes = d->end - begin, stride = HPCRUN_NODE_LEN;
    bool fits = bytes % HPCRUN_NODE_LEN == 0 && bytes / HPCRUN_NODE_LEN == count;
    bool is_old = !fits && bytes % HPCRUN_NODE_LEN_2021 == 0 && bytes / HPCRUN_NODE_LEN_2021 == count;
    if (is_old) stride = HPCRUN_NODE_LEN_2021;
    d->span = (struct hpcrun_span){ .is_big_endian = true, .module_at = 8, .ip_at = 10, .flags_at = is_old ? 0 : 18 };
    if (fits || is_old) {
        (void)set_span(d, begin, stride, count);
        return;
    }
    (void)set_span(d, begin, stride, bytes % stride == 0 ? bytes / stride : count);
    hpcrun_damage(d, "HRC08", ASSAY_ERROR, d->at, "the tree has %" PRIu64 " node%s, but its section has bytes for %" PRIu64, count, plural(count),
                  bytes / stride);
    d->ends_here = true;
}

bool hpcrun_step_node_count(struct hpcrun_decoder *d, struct hpcrun_record *r)
{
    struct cursor c = hpcrun_cursor(d);
    unsigned len = d->file.variant == HPCRUN_02_LITERAL ? 4 : 8;
    uint64_t count;
    if (!hpcrun_get(d, &c, len, &count)) {
        hpcrun_damage(d, "HRC04", ASSAY_ERROR, d->at, "the number of nodes runs past the end at %" PRIu64, d->end);
        hpcrun_give_up(d);
        return false;
    }
    d->ends_here = false;
    if (d->file.variant == HPCRUN_04B) {
        lay_out_sparse(d, count);
    } else {
        uint64_t stride = lay_out_dense(d);
        if (!set_span(d, d->at + len, stride, count)) check_dense(d, count);
    }
    put_list(d, r, HPCRUN_LIST_NODES, count, len);
    d->at = d->span.off;
    d->phase = PHASE_NODES;
    return true;
}

/* ---- sparse values ---- */

bool hpcrun_step_value_count(struct hpcrun_decoder *d, struct hpcrun_record *r)
{
    struct cursor c = hpcrun_cursor(d);
    uint32_t nodes;
    if (!hpcrun_get(d, &c, 8, &d->values) || !hpcrun_get_u32(d, &c, &nodes)) {
        hpcrun_damage(d, "HRC04", ASSAY_ERROR, d->at, "the numbers of values and nodes run past the end at %" PRIu64, d->end);
        hpcrun_give_up(d);
        return false;
    }
    d->nodes = nodes;
    d->span = (struct hpcrun_span){ .is_big_endian = true };
    d->ends_here = !set_span(d, d->at + 12, HPCRUN_VALUE_LEN, d->values);
    if (d->ends_here)
        hpcrun_damage(d, "HRC04", ASSAY_ERROR, d->at, "%" PRIu64 " values run past the end at %" PRIu64 ": there are bytes for %" PRIu64, d->values, d->end,
                      d->span.count);
    put_list(d, r, HPCRUN_LIST_VALUES, d->values, 8);
    d->at = d->span.off;
    d->phase = PHASE_VALUES;
    return true;
}

/* The number of nodes stands before the values, so this list's count is not where its items are. */
bool hpcrun_step_index_count(struct hpcrun_decoder *d, struct hpcrun_record *r)
{
    uint64_t begin = d->at, count_at = d->at - d->values * HPCRUN_VALUE_LEN - 4;
    d->ends_here = !set_span(d, begin, HPCRUN_INDEX_LEN, d->nodes + 1);
    if (d->ends_here)
        hpcrun_damage(d, "HRC04", ASSAY_ERROR, count_at,
                      "the index of %" PRIu64 " nodes runs past the end at %" PRIu64 ": there are bytes for %" PRIu64 " pairs", d->nodes, d->end,
                      d->span.count);
    d->at = count_at;
    put_list(d, r, HPCRUN_LIST_INDEX, d->nodes, 4);
    d->at = begin;
    d->phase = PHASE_INDEX;
    return true;
}

/* ---- one by one ---- */

bool hpcrun_step_array_item(struct hpcrun_decoder *d, struct hpcrun_record *r)
{
    r->off = hpcrun_item_off(&d->span, d->next);
    r->len = d->span.stride;
    if (d->phase == PHASE_NODES) {
        r->kind = HPCRUN_RECORD_NODE;
        r->node.index = d->next;
        hpcrun_node_at(&d->span, d->next, &r->node.node);
    } else if (d->phase == PHASE_VALUES) {
        r->kind = HPCRUN_RECORD_VALUE;
        r->value.index = d->next;
        hpcrun_value_at(&d->span, d->next, &r->value.value);
    } else {
        r->kind = HPCRUN_RECORD_INDEX;
        r->index.index = d->next;
        r->index.is_last = d->next == d->nodes;
        hpcrun_index_at(&d->span, d->next, &r->index.pair);
    }
    d->next++;
    d->at = r->off + r->len;
    return true;
}

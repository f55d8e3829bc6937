/* The bytes of thread files, traces and the sparse files of 4.0; see side.h. */
#include <inttypes.h>
#include <string.h>

#include "formats/hpcdb-xml/side.h"

static uint32_t be32(const unsigned char *p) { return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3]; }
static uint64_t be64(const unsigned char *p) { return (uint64_t)be32(p) << 32 | be32(p + 4); }
static double be_double(const unsigned char *p)
{
    uint64_t bits = be64(p);
    double v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

#define SAY(part, damage, rule, off, ...) findings_add((damage), (rule), ASSAY_ERROR, (part)->at + (off), 0, __VA_ARGS__)

/* ---- matrices ---- */

bool hx_matrix_open(struct hx_matrix *m, const struct hx_part *part, struct findings *damage)
{
    static const char magic[] = "HPCPROF-metricdb__", version[] = "00.10";
    const assay_slice b = part->bytes;
    *m = (struct hx_matrix){ 0 };
    uint64_t wrong = !slice_starts(b, magic) ? 0 : b.len < 23 || memcmp(b.data + 18, version, 5) != 0 ? 18 : b.len < 24 || b.data[23] != 'b' ? 23 : UINT64_MAX;
    if (wrong != UINT64_MAX) {
        SAY(part, damage, "HX20", wrong, "%s: it does not begin with HPCPROF-metricdb__00.10b", part->name);
        return false;
    }
    struct cursor c = cursor_of(b.data + 24, b.len - 24);
    bool has_head = cursor_u32be(&c, &m->nodes) && cursor_u32be(&c, &m->metrics);
    uint64_t count = (uint64_t)m->nodes * m->metrics;
    if (!has_head || count > UINT64_MAX / 8 || cursor_left(&c) != count * 8) {
        SAY(part, damage, "HX21", b.len, "%s: %zu bytes are not what %" PRIu32 " nodes with %" PRIu32 " metrics need", part->name, b.len, m->nodes, m->metrics);
        return false;
    }
    m->values = c.at;
    return true;
}

double hx_matrix_value(const struct hx_matrix *m, uint32_t row, uint32_t column)
{
    return row < m->nodes && column < m->metrics ? be_double(m->values + 8 * ((size_t)row * m->metrics + column)) : 0;
}

/* ---- traces ---- */

#define MICRO_LEAST UINT64_C(1000000000000000)  /* 2001, in microseconds */
#define MICRO_MOST UINT64_C(4200000000000000)   /* 2103 */
#define NANO_LEAST UINT64_C(100000000000000000) /* 1973, in nanoseconds */
#define LOW_54 ((UINT64_C(1) << 54) - 1)

static uint64_t raw_time(const struct hx_trace *t, uint64_t i) { return be64(t->records + i * t->record_len); }
uint64_t hx_trace_time(const struct hx_trace *t, uint64_t i) { return t->is_composite ? raw_time(t, i) & LOW_54 : raw_time(t, i); }
uint32_t hx_trace_id(const struct hx_trace *t, uint64_t i) { return be32(t->records + i * t->record_len + 8); }
int64_t hx_trace_ns(const struct hx_trace *t, uint64_t time)
{
    if (t->to_ns == 1) return time < INT64_MAX ? (int64_t)time : INT64_MAX;
    if (t->to_ns == 1000) return time < INT64_MAX / 1000 ? (int64_t)time * 1000 : INT64_MAX;
    double ns = (double)time * t->to_ns;
    return ns < 9.2e18 ? (int64_t)ns : INT64_MAX;
}

/* The unit stands in experiment.xml since 2019; before, the first time tells. Of 2018 and 2019 times have a distance in their high bits. */
static void tell_times(struct hx_trace *t, uint64_t flags, uint64_t ticks)
{
    uint64_t time = 0;
    for (uint64_t i = 0; i < t->count && time == 0; i++) time = raw_time(t, i);
    uint64_t low = time & LOW_54;
    t->is_composite = flags & 2 && ((low >= MICRO_LEAST && low <= MICRO_MOST) || time < NANO_LEAST);
    if (ticks)
        t->to_ns = 1e9 / (double)ticks;
    else
        t->to_ns = (t->is_composite ? low : time) < NANO_LEAST ? 1000 : 1;
}

bool hx_trace_open(struct hx_trace *t, const struct hx_part *part, uint64_t ticks, struct findings *damage)
{
    const assay_slice b = part->bytes;
    const unsigned char *bytes = (const unsigned char *)b.data;
    uint64_t flags = 0;
    *t = (struct hx_trace){ .head_len = 24, .record_len = 12, .to_ns = 1 };
    bool is_old = slice_starts(b, "HPCRUN-trace______01.00b"), is_new = slice_starts(b, "HPCRUN-trace______01.01b");
    if (is_new) t->head_len = 32;
    if ((!is_old && !is_new) || b.len < t->head_len) {
        SAY(part, damage, "HX32", 0, "%s: it does not begin as a trace: HPCRUN-trace______ and 01.00b or 01.01b", part->name);
        return false;
    }
    if (is_new) flags = be64(bytes + 24);
    if (flags & 1) t->record_len = 16;
    t->records = bytes + t->head_len;
    t->count = (b.len - t->head_len) / t->record_len;
    if ((b.len - t->head_len) % t->record_len)
        SAY(part, damage, "HX32", b.len, "%s: the last record is truncated: %zu bytes are not a whole number of records of %" PRIu32, part->name,
            b.len - t->head_len, t->record_len);
    tell_times(t, flags, ticks);
    return true;
}

/* ---- 4.0: tables of fixed size behind a common head ---- */

enum { SPARSE_HEAD = 128, PROFILE_INFO = 52, TRACE_INFO = 22, VALUE_LEN = 10, CTX_LEN = 12, TUPLE_LEN = 18 };
#define CTX_END 0x656E6421u

/* The number of entries in the table that the head points to; 0 = none. */
static uint32_t table_of(const struct hx_part *part, const char *magic, uint32_t entry_len, uint64_t *at, struct findings *damage)
{
    const unsigned char *p = (const unsigned char *)part->bytes.data;
    uint64_t len = part->bytes.len;
    if (!slice_starts(part->bytes, magic)) {
        SAY(part, damage, "HX41", 0, "%s: it does not begin with %s", part->name, magic);
        return 0;
    }
    uint32_t count = len >= 40 ? be32(p + 18) : 0;
    *at = len >= 40 ? be64(p + 32) : 0;
    if (len < 40 || *at > len || count > (len - *at) / entry_len) {
        SAY(part, damage, "HX42", 32, "%s: a table of %" PRIu32 " entries at %" PRIu64 " is not within the file", part->name, count, *at);
        return 0;
    }
    return count;
}

uint32_t hx_sparse_count(const struct hx_part *part, struct findings *damage)
{
    uint64_t at;
    return table_of(part, "HPCPROF-profdb__", PROFILE_INFO, &at, damage);
}

bool hx_sparse_at(struct hx_profile *p, const struct hx_part *part, uint32_t i, uint64_t *used, struct findings *damage)
{
    const unsigned char *bytes = (const unsigned char *)part->bytes.data;
    uint64_t len = part->bytes.len, at = be64(bytes + 32) + (uint64_t)i * PROFILE_INFO;
    *p = (struct hx_profile){ .tuple_at = be64(bytes + at), .value_count = be64(bytes + at + 32), .ctx_count = be32(bytes + at + 40) };
    uint64_t block = be64(bytes + at + 44);
    uint64_t ctxs = ((uint64_t)p->ctx_count + 1) * CTX_LEN;
    bool is_inside = block <= len && p->value_count <= (len - block) / VALUE_LEN && ctxs <= len - block - p->value_count * VALUE_LEN;
    if (is_inside) *used += p->value_count * VALUE_LEN + ctxs;
    if (!is_inside || *used > len) {
        SAY(part, damage, "HX42", at + 44, "%s: the values of profile %" PRIu32 " are not within the file", part->name, i);
        return false;
    }
    p->values = bytes + block;
    p->ctxs = p->values + p->value_count * VALUE_LEN;
    if (be32(p->ctxs + (size_t)p->ctx_count * CTX_LEN) != CTX_END)
        SAY(part, damage, "HX43", block + p->value_count * VALUE_LEN + (uint64_t)p->ctx_count * CTX_LEN,
            "%s: the values of profile %" PRIu32 " have no end mark", part->name, i);
    return true;
}

void hx_sparse_cct(const struct hx_part *part, struct findings *damage)
{
    if (!slice_starts(part->bytes, "HPCPROF-cctdb___")) SAY(part, damage, "HX41", 0, "%s: it does not begin with HPCPROF-cctdb___", part->name);
}

uint32_t hx_profile_ctx(const struct hx_profile *p, uint32_t i) { return be32(p->ctxs + (size_t)i * CTX_LEN); }

void hx_profile_range(const struct hx_profile *p, uint32_t i, uint64_t *begin, uint64_t *end)
{
    uint64_t before = *end, to = be64(p->ctxs + ((size_t)i + 1) * CTX_LEN + 4);
    *begin = be64(p->ctxs + (size_t)i * CTX_LEN + 4);
    if (*begin < before) *begin = before;
    *end = to > p->value_count ? p->value_count : to;
    if (*end < before) *end = before;
    if (*begin > *end) *begin = *end;
}

double hx_profile_value(const struct hx_profile *p, uint64_t i, uint16_t *metric)
{
    const unsigned char *at = p->values + i * VALUE_LEN;
    *metric = (uint16_t)(at[8] << 8 | at[9]);
    return be_double(at);
}

bool hx_profile_tuple(const struct hx_part *part, const struct hx_profile *p, uint16_t i, uint16_t *kind, uint64_t *physical, uint64_t *logical)
{
    struct cursor c = cursor_of(part->bytes.data, part->bytes.len);
    uint16_t count = 0;
    return p->tuple_at && cursor_seek(&c, p->tuple_at) && cursor_u16be(&c, &count) && i < count && cursor_skip(&c, (uint64_t)i * TUPLE_LEN) &&
           cursor_u16be(&c, kind) && cursor_u64be(&c, physical) && cursor_u64be(&c, logical);
}

uint32_t hx_sparse_trace_count(const struct hx_part *part, struct findings *damage)
{
    uint64_t at;
    return table_of(part, "HPCPROF-tracedb_", TRACE_INFO, &at, damage);
}

bool hx_sparse_trace_at(struct hx_trace *t, const struct hx_part *part, uint32_t i, uint32_t *profile, uint64_t *used, struct findings *damage)
{
    const unsigned char *bytes = (const unsigned char *)part->bytes.data;
    uint64_t at = be64(bytes + 32) + (uint64_t)i * TRACE_INFO, begin = be64(bytes + at + 6), end = be64(bytes + at + 14);
    *profile = be32(bytes + at);
    *t = (struct hx_trace){ .record_len = 12, .to_ns = 1 };
    bool is_inside = begin == end || (begin < end && end <= part->bytes.len);
    if (is_inside) *used += end - begin;
    if (!is_inside || *used > part->bytes.len) {
        SAY(part, damage, "HX42", at + 6, "%s: trace %" PRIu32 " is not within the file", part->name, i);
        return false;
    }
    if (begin == end) begin = end = 0; /* an empty one may point past the end */
    t->records = bytes + begin;
    t->count = (end - begin) / t->record_len;
    return true;
}

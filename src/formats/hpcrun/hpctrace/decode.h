/* Bytes of an .hpctrace file -> records: the only parser of this format. Nothing is allocated; a decoder may be copied.
 *
 * Order: HEAD, SAMPLE..., DAMAGE after the record it belongs to. Layouts: docs/formats/hpctrace.md. */
#ifndef FORMATS_HPCRUN_HPCTRACE_DECODE_H
#define FORMATS_HPCRUN_HPCTRACE_DECODE_H

#include "formats/hpcrun/decode.h"

enum { HPCTRACE_DATA_CENTRIC = 1, HPCTRACE_LCA = 2, HPCTRACE_CALL = 4 };
#define HPCTRACE_NO_METRIC UINT32_C(0x7fffffff)

enum hpctrace_kind { HPCTRACE_RECORD_HEAD, HPCTRACE_RECORD_SAMPLE, HPCTRACE_RECORD_DAMAGE };

struct hpctrace_head {
    assay_slice magic;   /* as stored: 24 bytes, less when the file is cut */
    const char *version; /* "01.00b" or "01.01b", static; "" = not known */
    uint64_t flags;      /* 01.01 */
    uint32_t len;        /* of the head: 24 or 32 */
    uint32_t record_len; /* 12 or 16 */
    bool is_composite;   /* the high 10 bits of a time are a distance (flag LCA, 2018 to 2019) */
    bool is_micro;       /* times are microseconds, as before 2020; else nanoseconds */
    uint64_t count;      /* whole records */
};

struct hpctrace_sample {
    uint64_t index;
    uint64_t raw_time; /* as stored */
    uint64_t time;     /* without the distance; in the file's unit (hpctrace_ns converts) */
    uint32_t distance; /* to the last common ancestor, when is_composite */
    uint32_t node;
    uint32_t metric; /* data-centric, else HPCTRACE_NO_METRIC */
};

struct hpctrace_record {
    enum hpctrace_kind kind;
    uint64_t off, len;
    union {
        struct hpctrace_head head;
        struct hpctrace_sample sample;
        struct hpcrun_damage damage;
    };
};

struct hpctrace_decoder {
    assay_slice bytes;
    struct hpctrace_head head; /* after HEAD */
    int phase;
    uint64_t next;
    unsigned pending_count, pending_next;
    struct hpcrun_pending pending[2];
};

void hpctrace_decoder_init(struct hpctrace_decoder *d, assay_slice bytes);
/* false = the end. */
bool hpctrace_next(struct hpctrace_decoder *d, struct hpctrace_record *r);
/* Sample `i` < head.count, usable after HEAD: for loops that must be fast. */
static inline void hpctrace_sample_at(const struct hpctrace_decoder *d, uint64_t i, struct hpctrace_sample *s)
{
    const unsigned char *p = (const unsigned char *)d->bytes.data + d->head.len + i * d->head.record_len;
    s->index = i;
    s->raw_time = hpcrun_be64(p);
    s->time = d->head.is_composite ? s->raw_time & ((UINT64_C(1) << 54) - 1) : s->raw_time;
    s->distance = d->head.is_composite ? (uint32_t)(s->raw_time >> 54) : 0;
    s->node = hpcrun_be32(p + 8);
    s->metric = d->head.record_len == 16 ? hpcrun_be32(p + 12) : HPCTRACE_NO_METRIC;
}
static inline uint64_t hpctrace_off(const struct hpctrace_decoder *d, uint64_t i) { return d->head.len + i * d->head.record_len; }
/* The time in nanoseconds, limited to what an event of the model holds. */
int64_t hpctrace_ns(const struct hpctrace_head *head, uint64_t time);

#endif

/* The decoder of .hpctrace files. See decode.h for what it hands out, docs/formats/hpctrace.md for the bytes. */
#include "formats/hpcrun/hpctrace/decode.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/cursor.h"

enum { PHASE_HEAD, PHASE_SAMPLES, PHASE_END };
enum { MAGIC_LEN = 18, HEAD_LEN = 24, FLAGS_LEN = 8 };

/* docs/formats/hpctrace.md, "Times": what tells the three kinds of times apart. */
#define MICRO_LEAST UINT64_C(1000000000000000)  /* 2001, in microseconds */
#define MICRO_MOST UINT64_C(4200000000000000)   /* 2103 */
#define NANO_LEAST UINT64_C(100000000000000000) /* 1973, in nanoseconds */
#define LOW_54 ((UINT64_C(1) << 54) - 1)

void hpctrace_decoder_init(struct hpctrace_decoder *d, assay_slice bytes)
{
    memset(d, 0, sizeof *d);
    d->bytes = bytes.data ? bytes : SLICE("");
}

static struct hpcrun_damage *damage(struct hpctrace_decoder *d, const char *rule, uint64_t off)
{
    struct hpcrun_pending *p = &d->pending[d->pending_count++];
    p->off = off;
    p->damage = (struct hpcrun_damage){ .rule = rule, .severity = ASSAY_ERROR };
    return &p->damage;
}

#define DAMAGE(d, rule, off, ...)                                                                                                                              \
    do {                                                                                                                                                       \
        struct hpcrun_damage *damage_ = damage((d), (rule), (off));                                                                                            \
        snprintf(damage_->message, sizeof damage_->message, __VA_ARGS__);                                                                                      \
    } while (0)

static void refuse(struct hpctrace_decoder *d)
{
    d->pending[d->pending_count - 1].damage.is_fatal = true;
    d->phase = PHASE_END;
}

static uint64_t first_time(const struct hpctrace_decoder *d)
{
    struct hpctrace_sample s = { .raw_time = 0 };
    for (uint64_t i = 0; i < d->head.count && s.raw_time == 0; i++) hpctrace_sample_at(d, i, &s);
    return s.raw_time;
}

/* The unit is nowhere written: the first time tells. */
static void tell_times(struct hpctrace_decoder *d)
{
    uint64_t time = first_time(d), low = time & LOW_54;
    bool is_micro = low >= MICRO_LEAST && low <= MICRO_MOST;
    d->head.is_composite = d->head.flags & HPCTRACE_LCA && (is_micro || time < NANO_LEAST);
    d->head.is_micro = (d->head.is_composite ? low : time) < NANO_LEAST;
}

static void get_records(struct hpctrace_decoder *d)
{
    struct hpctrace_head *h = &d->head;
    uint64_t left = d->bytes.len - h->len, odd = left % h->record_len;
    h->count = left / h->record_len;
    tell_times(d);
    d->phase = PHASE_SAMPLES;
    if (odd) DAMAGE(d, "HRC19", d->bytes.len - odd, "the last record has %" PRIu64 " of its %" PRIu32 " bytes: the trace is truncated", odd, h->record_len);
}

static void get_head(struct hpctrace_decoder *d)
{
    struct hpctrace_head *h = &d->head;
    struct cursor c = cursor_of(d->bytes.data, d->bytes.len);
    h->version = "";
    h->magic = (assay_slice){ d->bytes.data, d->bytes.len < HEAD_LEN ? d->bytes.len : HEAD_LEN };
    if (!slice_starts(d->bytes, "HPCRUN-trace______")) {
        DAMAGE(d, "HRC01", 0, "not an hpcrun trace: it does not begin with HPCRUN-trace______");
        refuse(d);
        return;
    }
    if (!cursor_skip(&c, HEAD_LEN)) {
        DAMAGE(d, "HRC19", d->bytes.len, "the file of %zu bytes ends inside its header", d->bytes.len);
        refuse(d);
        return;
    }
    const char *version = d->bytes.data + MAGIC_LEN;
    bool has_flags = memcmp(version, "01.01", 5) == 0;
    if (!has_flags && memcmp(version, "01.00", 5) != 0) {
        DAMAGE(d, "HRC19", MAGIC_LEN, "unsupported version; supported: 01.00 and 01.01");
        refuse(d);
        return;
    }
    h->version = has_flags ? "01.01b" : "01.00b";
    h->len = HEAD_LEN + (has_flags ? FLAGS_LEN : 0);
    h->record_len = 12;
    if (version[5] != 'b') DAMAGE(d, "HRC03", HEAD_LEN - 1, "the byte order is not 'b': traces are always big-endian");
    if (has_flags && !cursor_u64be(&c, &h->flags)) {
        DAMAGE(d, "HRC19", HEAD_LEN, "the file of %zu bytes ends inside the flags of its header", d->bytes.len);
        h->len = (uint32_t)d->bytes.len;
        d->phase = PHASE_END;
        return;
    }
    if (h->flags & HPCTRACE_DATA_CENTRIC) h->record_len = 16;
    get_records(d);
}

int64_t hpctrace_ns(const struct hpctrace_head *head, uint64_t time)
{
    uint64_t ns = time;
    if (head->is_micro && __builtin_mul_overflow(time, UINT64_C(1000), &ns)) ns = UINT64_MAX;
    return ns > INT64_MAX ? INT64_MAX : (int64_t)ns;
}

static bool step(struct hpctrace_decoder *d, struct hpctrace_record *r)
{
    if (d->phase == PHASE_HEAD) {
        get_head(d);
        r->kind = HPCTRACE_RECORD_HEAD;
        r->off = 0;
        r->len = d->head.len ? d->head.len : d->head.magic.len;
        r->head = d->head;
        return true;
    }
    if (d->next == d->head.count) {
        d->phase = PHASE_END;
        return false;
    }
    r->kind = HPCTRACE_RECORD_SAMPLE;
    r->off = hpctrace_off(d, d->next);
    r->len = d->head.record_len;
    hpctrace_sample_at(d, d->next++, &r->sample);
    return true;
}

bool hpctrace_next(struct hpctrace_decoder *d, struct hpctrace_record *r)
{
    for (;;) {
        if (d->pending_next < d->pending_count) {
            const struct hpcrun_pending *p = &d->pending[d->pending_next++];
            r->kind = HPCTRACE_RECORD_DAMAGE;
            r->off = p->off;
            r->len = 0;
            r->damage = p->damage;
            return true;
        }
        d->pending_next = d->pending_count = 0;
        if (d->phase == PHASE_END) return false;
        if (step(d, r)) return true;
    }
}

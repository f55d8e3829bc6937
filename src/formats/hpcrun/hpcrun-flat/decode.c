/* The decoder of flat histogram files. See decode.h for what it hands out, docs/formats/hpcrun-flat.md for the bytes. */
#include "formats/hpcrun/hpcrun-flat/decode.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/cursor.h"
#include "base/plural.h"

enum { PHASE_HEAD, PHASE_MODULE, PHASE_EVENT, PHASE_BUCKETS, PHASE_END };
enum { MAGIC_LEN = 18, HEAD_LEN = 24 };

void hpcflat_decoder_init(struct hpcflat_decoder *d, assay_slice bytes)
{
    memset(d, 0, sizeof *d);
    d->bytes = bytes.data ? bytes : SLICE("");
}

#define DAMAGE(d, name, place, fatal, ...)                                                                                                                     \
    do {                                                                                                                                                       \
        struct hpcrun_pending *pending_ = &(d)->pending[(d)->pending_count++];                                                                                 \
        pending_->off = (place);                                                                                                                               \
        pending_->damage = (struct hpcrun_damage){ .rule = (name), .severity = ASSAY_ERROR, .is_fatal = (fatal) };                                             \
        snprintf(pending_->damage.message, sizeof pending_->damage.message, __VA_ARGS__);                                                                      \
        (d)->phase = PHASE_END;                                                                                                                                \
    } while (0)

static bool get_str(struct cursor *c, struct hpcrun_str *out)
{
    struct cursor start = *c;
    uint32_t len;
    out->off = cursor_off(c);
    if (cursor_u32le(c, &len) && cursor_bytes(c, len, &out->text)) return true;
    *c = start;
    out->text = (assay_slice){ NULL, 0 };
    return false;
}

static struct cursor cursor_here(const struct hpcflat_decoder *d)
{
    struct cursor c = cursor_of(d->bytes.data, d->bytes.len);
    (void)cursor_seek(&c, d->at);
    return c;
}

static void take(struct hpcflat_decoder *d, struct hpcflat_record *r, enum hpcflat_kind kind, const struct cursor *c)
{
    r->kind = kind;
    r->off = d->at;
    r->len = cursor_off(c) - d->at;
    d->at = cursor_off(c);
}

static bool step_head(struct hpcflat_decoder *d, struct hpcflat_record *r)
{
    struct cursor c = cursor_here(d);
    r->head = (struct hpcflat_head){ .magic = { d->bytes.data, d->bytes.len < HEAD_LEN ? d->bytes.len : HEAD_LEN } };
    d->phase = PHASE_MODULE;
    if (!slice_starts(d->bytes, "HPCRUN-FLAT_______"))
        DAMAGE(d, "HRC01", 0, true, "not a flat hpcrun profile: it does not begin with HPCRUN-FLAT_______");
    else if (!cursor_skip(&c, HEAD_LEN))
        DAMAGE(d, "HRC04", d->bytes.len, true, "the file of %zu bytes ends inside its header", d->bytes.len);
    else if (memcmp(d->bytes.data + MAGIC_LEN, "01.00", 5) != 0)
        DAMAGE(d, "HRC02", MAGIC_LEN, true, "unsupported version; supported: 01.00");
    else if (d->bytes.data[HEAD_LEN - 1] != 'l')
        DAMAGE(d, "HRC03", HEAD_LEN - 1, true, "the byte order is not 'l': flat profiles are always little-endian");
    else if (!cursor_u32le(&c, &r->head.module_count))
        DAMAGE(d, "HRC04", HEAD_LEN, false, "the number of modules runs past the end of the file at %zu", d->bytes.len);
    d->module_count = r->head.module_count;
    take(d, r, HPCFLAT_RECORD_HEAD, &c);
    return true;
}

static bool step_module(struct hpcflat_decoder *d, struct hpcflat_record *r)
{
    struct cursor c = cursor_here(d);
    struct hpcflat_module *m = &r->module;
    if (d->modules == d->module_count) {
        if (cursor_left(&c)) DAMAGE(d, "HRC09", d->at, false, "%zu byte%s left after the last module", cursor_left(&c), plural_is(cursor_left(&c)));
        d->phase = PHASE_END;
        return false;
    }
    if (!get_str(&c, &m->path) || !cursor_u64le(&c, &m->address) || !cursor_u32le(&c, &m->event_count)) {
        DAMAGE(d, "HRC04", cursor_off(&c), false, "module %" PRIu32 " of %" PRIu32 " runs past the end of the file", d->modules, d->module_count);
        return false;
    }
    m->index = d->modules++;
    d->events = 0;
    d->event_count = m->event_count;
    d->phase = PHASE_EVENT;
    take(d, r, HPCFLAT_RECORD_MODULE, &c);
    return true;
}

static bool step_event(struct hpcflat_decoder *d, struct hpcflat_record *r)
{
    struct cursor c = cursor_here(d);
    struct hpcflat_event *e = &r->event;
    if (d->events == d->event_count) {
        d->phase = PHASE_MODULE;
        return false;
    }
    if (!get_str(&c, &e->name) || !get_str(&c, &e->description) || !cursor_u64le(&c, &e->period) || !cursor_u64le(&c, &e->bucket_count)) {
        DAMAGE(d, "HRC04", cursor_off(&c), false, "event %" PRIu32 " of %" PRIu32 " runs past the end of the file", d->events, d->event_count);
        return false;
    }
    e->index = d->events++;
    d->buckets = 0;
    d->bucket_count = e->bucket_count;
    d->phase = PHASE_BUCKETS;
    take(d, r, HPCFLAT_RECORD_EVENT, &c);
    return true;
}

static bool step_bucket(struct hpcflat_decoder *d, struct hpcflat_record *r)
{
    struct cursor c = cursor_here(d);
    struct hpcflat_bucket *b = &r->bucket;
    if (d->buckets == d->bucket_count) {
        d->phase = PHASE_EVENT;
        return false;
    }
    if (!cursor_fits(&c, 1, HPCFLAT_BUCKET_LEN)) {
        DAMAGE(d, "HRC04", d->at, false, "bucket %" PRIu64 " of %" PRIu64 " runs past the end of the file", d->buckets, d->bucket_count);
        return false;
    }
    (void)cursor_u32le(&c, &b->count);
    (void)cursor_u64le(&c, &b->offset);
    b->index = d->buckets++;
    take(d, r, HPCFLAT_RECORD_BUCKET, &c);
    return true;
}

static bool step(struct hpcflat_decoder *d, struct hpcflat_record *r)
{
    switch (d->phase) {
    case PHASE_HEAD: return step_head(d, r);
    case PHASE_MODULE: return step_module(d, r);
    case PHASE_EVENT: return step_event(d, r);
    default: return step_bucket(d, r);
    }
}

bool hpcflat_next(struct hpcflat_decoder *d, struct hpcflat_record *r)
{
    for (;;) {
        if (d->pending_next < d->pending_count) {
            const struct hpcrun_pending *p = &d->pending[d->pending_next++];
            r->kind = HPCFLAT_RECORD_DAMAGE;
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

/* Records, one after the other. What COMPRESSED records hold is unpacked on the way, and its records come in their place: the payloads of all of them are one
 * zstd stream, so a record may begin in one and end in the next. */
#include "base/cancel.h"
#include "base/scoped.h"
#include "formats/perf-data/perf_data.h"

enum { ROOM = 1 << 18, MOST_RECORD = 65536 };
#define MOST_UNPACKED ((uint64_t)16 << 30)

/* ---- places ---- */

static struct pd_source *source(struct pd_decoder *d) { return d->file ? &d->part : &d->source; }

static int stop(struct pd_decoder *d, struct pd_record *r)
{
    d->is_over = true;
    *r = (struct pd_record){ .type = PD_END, .off = d->at, .file = d->file };
    return d->failed || d->damage->failed ? error_memory(d->err) : 0;
}

/* The next file of a directory; each has a compressed stream of its own. */
static int next_file(struct pd_decoder *d, bool *is_there)
{
    *is_there = d->file < d->files.len;
    if (!*is_there) return 0;
    TRY(pd_part_open(d, ++d->file));
    inflate_free(d->inflate);
    d->inflate = NULL;
    d->plain.len = d->plain_at = d->packed.len = d->packed_at = 0;
    d->is_inner = d->is_lost = false;
    d->at = 0;
    d->end = d->part.len;
    return 0;
}

int pd_again(struct pd_decoder *d)
{
    inflate_free(d->inflate);
    d->inflate = NULL;
    d->plain.len = d->plain_at = d->packed.len = d->packed_at = 0;
    d->is_inner = d->is_lost = d->is_over = false;
    d->is_quiet = true;
    d->file = 0;
    d->seq = d->unpacked = 0;
    d->at = d->data_off;
    d->end = d->data_end;
    return 0;
}

/* ---- records that the decoder itself needs ---- */

static void take_attr(struct pd_decoder *d, const struct pd_record *r)
{
    size_t size = r->len >= 8 ? pd_u32(d, r->data + 4) : 0;
    uint32_t attr = pd_attr_add(d, r->data, r->len, r->off + 8);
    if (!attr) return;
    for (size_t at = size ? size : 64; at + 8 <= r->len && !d->failed; at += 8) (void)pd_attr_id(d, attr, pd_u64(d, r->data + at));
    pd_attrs_settle(d);
}

/* An event is named by one of its ids. */
static void take_update(struct pd_decoder *d, const struct pd_record *r)
{
    enum { NAME = 2 };
    if (r->len < 17 || pd_u64(d, r->data) != NAME) return;
    uint64_t id = pd_u64(d, r->data + 8);
    assay_slice name = { (const char *)r->data + 16, strnlen((const char *)r->data + 16, r->len - 16) };
    uint32_t attr = pd_attr_of_id(d, id);
    if (!attr || !name.len) return;
    name.data = arena_copy(&d->text, name);
    d->failed |= !name.data;
    if (name.data) d->attrs.at[attr - 1].name = name;
}

static void take_feature(struct pd_decoder *d, const struct pd_record *r)
{
    uint64_t number = r->len >= 8 ? pd_u64(d, r->data) : UINT64_MAX;
    if (number > UINT32_MAX) return;
    struct pd_feature *made = vec_push(d->mem, &d->features);
    d->failed |= !made;
    if (made) *made = (struct pd_feature){ (uint32_t)number, r->off + 16, r->len - 8 };
    if (made && pd_feature_is_read((uint32_t)number)) pd_feature_take(d, (uint32_t)number, (assay_slice){ (const char *)r->data + 8, r->len - 8 }, r->off + 16);
}

static void say_unknown(struct pd_decoder *d, const struct pd_record *r)
{
    enum { MOST = 64 };
    if (r->type >= PD_SIMPLEPERF || d->unknown_types.len >= MOST) return;
    for (size_t i = 0; i < d->unknown_types.len; i++)
        if (d->unknown_types.at[i] == r->type) return;
    uint32_t *slot = vec_push(d->mem, &d->unknown_types);
    d->failed |= !slot;
    if (slot) *slot = r->type;
    pd_found(d, "PD09", ASSAY_WARNING, r->off, "records of type %lu are not known, and skipped", (unsigned long)r->type);
}

static void take_in(struct pd_decoder *d, const struct pd_record *r)
{
    if (d->is_quiet || r->type == PD_SAMPLE) return;
    if (r->type == PD_HEADER_ATTR)
        take_attr(d, r);
    else if (r->type == PD_EVENT_UPDATE)
        take_update(d, r);
    else if (r->type == PD_HEADER_FEATURE)
        take_feature(d, r);
    else if (r->type == PD_HEADER_BUILD_ID)
        pd_build_id_take(d, r->misc, r->data, r->len, r->off);
    else if (!pd_type_name(r->type))
        say_unknown(d, r);
}

/* ---- compressed records ---- */

static void lose(struct pd_decoder *d)
{
    d->is_lost = true;
    d->is_inner = false;
    d->plain.len = d->plain_at = 0;
}

/* Keeps the payload until it is used up: the window moves on. */
static int open_packed(struct pd_decoder *d, uint64_t off, const unsigned char *p, size_t len)
{
    const struct inflate_codec *codec = inflate_codec_for(INPUT_ZSTD);
    d->has_packed = true;
    if (d->is_lost) return 0;
    if ((d->facts.has_compression && d->facts.compression != 1) || !codec) {
        pd_found(d, "PD16", ASSAY_ERROR, off, codec ? "the records are compressed in an unknown way" : "the records are compressed, and this build lacks zstd");
        lose(d);
        return 0;
    }
    if (!d->inflate) d->inflate = inflate_new(codec, d->mem);
    d->packed.len = d->packed_at = 0;
    if (!d->inflate || !vec_reserve(d->mem, &d->packed, len + 1) || !vec_reserve(d->mem, &d->plain, ROOM - d->plain.len)) return error_memory(d->err);
    memcpy(d->packed.at, p, len);
    d->packed.len = len;
    d->packed_off = off;
    d->is_inner = true;
    return 0;
}

/* More unpacked bytes behind what is left; false = the record is used up. */
static int unpack(struct pd_decoder *d, bool *is_more)
{
    uint64_t most = d->job->options->max_output ? d->job->options->max_output : MOST_UNPACKED;
    const char *reason = "";
    size_t rest = d->plain.len - d->plain_at;
    memmove(d->plain.at, d->plain.at + d->plain_at, rest);
    d->plain_at = 0;
    struct inflate_io io = { d->packed.at + d->packed_at, d->packed.len - d->packed_at, d->plain.at + rest, ROOM - rest, false, 0 };
    enum inflate_status status = inflate_run(d->inflate, &io, &reason);
    size_t got = ROOM - rest - io.out_len;
    d->packed_at = d->packed.len - io.in_len;
    d->plain.len = rest + got;
    d->unpacked += got;
    *is_more = got > 0;
    if (status == INFLATE_NO_MEMORY) return error_memory(d->err);
    if (cancel_due()) return error_cancelled(d->err);
    if (status != INFLATE_GO_ON && status != INFLATE_END) {
        pd_found(d, "PD16", ASSAY_ERROR, d->packed_off, "the compressed record cannot be unpacked: %s", reason[0] ? reason : "it is damaged");
        d->is_lost = true; /* what came before the damage is whole */
    } else if (d->unpacked > most) {
        pd_found(d, "PD16", ASSAY_ERROR, d->packed_off, "the compressed records are more than %llu bytes when unpacked", (unsigned long long)most);
        lose(d);
        *is_more = false;
    }
    return 0;
}

/* A record among the unpacked bytes; false = there is no whole one. */
static bool inner_record(struct pd_decoder *d, struct pd_record *r)
{
    const unsigned char *p = d->plain.at + d->plain_at;
    size_t left = d->plain.len - d->plain_at;
    if (left < 8) return false;
    size_t size = pd_u16(d, p + 6);
    uint32_t type = pd_u32(d, p);
    bool is_nested = type == PD_COMPRESSED || type == PD_COMPRESSED2;
    if (size < 8 || is_nested) {
        if (is_nested)
            pd_found(d, "PD27", ASSAY_ERROR, d->packed_off, "a compressed record inside compressed data: the rest is skipped");
        else
            pd_found(d, "PD07", ASSAY_ERROR, d->packed_off, "a record of %zu bytes inside compressed data: what follows it is skipped", size);
        lose(d);
        return false;
    }
    if (size > left) return false;
    *r = (struct pd_record){ .type = type, .misc = pd_u16(d, p + 4), .size = size, .off = d->packed_off, .seq = ++d->seq, .file = d->file };
    r->data = p + 8;
    r->len = size - 8;
    r->is_inner = true;
    d->plain_at += size;
    return true;
}

static int next_inner(struct pd_decoder *d, struct pd_record *r, bool *is_there)
{
    *is_there = false;
    for (bool is_more = true; d->is_inner && !(*is_there = inner_record(d, r));) {
        if (!d->is_inner) break;
        if (d->is_lost)
            is_more = false;
        else
            TRY(unpack(d, &is_more));
        if (!is_more) d->is_inner = false;
    }
    return 0;
}

/* ---- the others ---- */

/* perf itself writes the size modulo 65536 where a record is longer: what the payload says of its length counts then. */
static size_t packed_size(struct pd_decoder *d, uint64_t off, size_t size, uint64_t left)
{
    const unsigned char *more = pd_bytes(source(d), off + 8, 8);
    if (!more) return size;
    uint64_t len = pd_u64(d, more);
    if (len > left || 16 + len <= size || 16 + len > PD_WINDOW) return size;
    pd_found(d, "PD31", ASSAY_WARNING, off, "the compressed record says that it has %zu bytes; it has %llu", size, (unsigned long long)(16 + len));
    return (size_t)(16 + len);
}

static int open_compressed(struct pd_decoder *d, const struct pd_record *r)
{
    if (r->type == PD_COMPRESSED) return open_packed(d, r->off, r->data, r->len);
    uint64_t len = r->len >= 8 ? pd_u64(d, r->data) : UINT64_MAX;
    if (len <= r->len - 8) return open_packed(d, r->off, r->data + 8, (size_t)len);
    pd_found(d, "PD10", ASSAY_ERROR, r->off, "the compressed record is shorter than its data");
    return 0;
}

/* Bytes that follow a record and are no part of its size. */
static uint64_t bytes_behind(const struct pd_decoder *d, const struct pd_record *r)
{
    if (r->type == PD_AUXTRACE && r->len >= 8) return pd_u64(d, r->data);
    if (r->type == PD_HEADER_TRACING_DATA && r->len >= 4) return ((uint64_t)pd_u32(d, r->data) + 7) & ~(uint64_t)7;
    return 0;
}

static bool is_text(struct pd_decoder *d)
{
    const unsigned char *p = !d->file ? pd_bytes(source(d), d->at, 7) : NULL;
    if (!p || memcmp(p, "[ perf ", 7) != 0) return false;
    pd_found(d, "PD24", ASSAY_WARNING, d->at, "text of perf record follows the last record: standard error went to the same place");
    return true;
}

/* What is left at the end of the data is no whole record. */
static void say_cut(struct pd_decoder *d, uint64_t left, size_t size)
{
    bool is_cut = d->file || d->is_pipe || d->is_cut || d->is_unfinished;
    if (is_cut)
        pd_found(d, "PD05", ASSAY_ERROR, d->at, "the file ends inside a record%s%s", d->file ? " of " : "", d->file ? path_base(d->files.at[d->file - 1]) : "");
    else
        pd_found(d, "PD08", ASSAY_ERROR, d->at, "a record of %zu bytes does not fit into the %llu bytes that are left of the data", size,
                 (unsigned long long)left);
}

/* false = there are no more records in this file. */
static bool outer_record(struct pd_decoder *d, struct pd_record *r)
{
    uint64_t left = d->end - d->at;
    const unsigned char *p = left >= 8 ? pd_bytes(source(d), d->at, 8) : NULL;
    if (left == 0) {
        if (d->is_cut && !d->file) pd_found(d, "PD05", ASSAY_ERROR, d->at, "the file ends before its data does: records and all features are missing");
        return false;
    }
    if (d->is_pipe && is_text(d)) return false;
    size_t size = p ? pd_u16(d, p + 6) : 0;
    if (p && pd_u32(d, p) == PD_COMPRESSED2) size = packed_size(d, d->at, size, left);
    if (p && size < 8) {
        pd_found(d, "PD07", ASSAY_ERROR, d->at, "a record of %zu bytes: what follows it cannot be read", size);
        return false;
    }
    p = p && size <= left ? pd_bytes(source(d), d->at, size) : NULL;
    if (!p) {
        say_cut(d, left, size);
        return false;
    }
    *r = (struct pd_record){ .type = pd_u32(d, p), .misc = pd_u16(d, p + 4), .size = size, .off = d->at, .seq = ++d->seq, .file = d->file };
    r->data = p + 8;
    r->len = size - 8;
    d->at += size;
    uint64_t behind = r->type == PD_AUXTRACE || r->type == PD_HEADER_TRACING_DATA ? bytes_behind(d, r) : 0;
    if (behind > d->end - d->at) {
        pd_found(d, "PD05", ASSAY_ERROR, r->off, "the file ends inside the %llu bytes that follow a record", (unsigned long long)behind);
        behind = d->end - d->at;
    }
    d->at += behind;
    return true;
}

/* Records that are cut in the middle when the last compressed one is over. */
static void end_packed(struct pd_decoder *d)
{
    if (!d->is_lost && d->plain.len > d->plain_at) pd_found(d, "PD08", ASSAY_ERROR, d->packed_off, "the compressed data ends inside a record");
    d->plain.len = d->plain_at = 0;
}

/* What is at hand of the file from here on, without reading: *left bytes. */
static const unsigned char *at_hand(const struct pd_decoder *d, const struct pd_source *from, uint64_t *left)
{
    *left = d->end - d->at;
    if (from->whole) return from->whole + d->at;
    uint64_t off = d->at - from->base;
    if (d->at < from->base || off > from->have) return NULL;
    if (from->have - off < *left) *left = from->have - off;
    return from->window + off;
}

/* The size of a sample that is at hand as a whole; 0 = what follows is something else. */
static size_t sample_at(const struct pd_decoder *d, const unsigned char *p, uint64_t left)
{
    if (left < 8 || pd_u32(d, p) != PD_SAMPLE) return 0;
    size_t size = pd_u16(d, p + 6);
    return size >= 8 && size <= left ? size : 0;
}

uint64_t pd_skip_samples(struct pd_decoder *d)
{
    uint64_t left, count = 0;
    const unsigned char *p = d->is_over || d->is_inner ? NULL : at_hand(d, source(d), &left), *begin = p;
    if (!p) return 0;
    for (size_t size; (size = sample_at(d, p, left)); count++) p += size, left -= size;
    d->at += (uint64_t)(p - begin);
    d->seq += count;
    return count;
}

/* Most records are samples, and need none of what pd_next does besides. */
bool pd_next_sample(struct pd_decoder *d, struct pd_record *r)
{
    uint64_t left;
    const unsigned char *p = d->is_over || d->is_inner ? NULL : at_hand(d, source(d), &left);
    size_t size = p ? sample_at(d, p, left) : 0;
    if (!size) return false;
    r->type = PD_SAMPLE;
    r->misc = pd_u16(d, p + 4);
    r->size = size;
    r->off = d->at;
    r->seq = ++d->seq;
    r->file = d->file;
    r->data = p + 8;
    r->len = size - 8;
    r->is_inner = false;
    d->at += size;
    return true;
}

int pd_next(struct pd_decoder *d, struct pd_record *r)
{
    bool is_there = false;
    if (pd_next_sample(d, r)) return 0;
    while (!d->is_over) {
        if (d->is_inner) TRY(next_inner(d, r, &is_there));
        if (is_there) break;
        if (!outer_record(d, r)) {
            end_packed(d);
            TRY(next_file(d, &is_there));
            if (!is_there) return stop(d, r);
            is_there = false;
            continue;
        }
        if (r->type == PD_COMPRESSED || r->type == PD_COMPRESSED2) TRY(open_compressed(d, r));
        break;
    }
    if (d->is_over) return stop(d, r);
    take_in(d, r);
    return d->failed || d->damage->failed ? error_memory(d->err) : 0;
}

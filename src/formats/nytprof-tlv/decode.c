/* The decoder of chunked NYTProf streams: chunks, their records, and the end. See decode.h for what it hands out. */
#include "formats/nytprof-tlv/decode.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/number.h"
#include "base/plural.h"
#include "formats/nytprof-tlv/decode_parts.h"

struct tlv_damage *tlv_damage(struct tlv_decoder *d, const char *rule, int severity, uint64_t off, const char *fmt, ...)
{
    struct tlv_pending *p = &d->pending[d->pending_count < TLV_PENDING ? d->pending_count++ : TLV_PENDING - 1];
    va_list ap;
    va_start(ap, fmt);
    p->off = off;
    p->damage.rule = rule;
    p->damage.severity = severity;
    p->damage.is_fatal = false;
    vsnprintf(p->damage.message, sizeof p->damage.message, fmt, ap);
    va_end(ap);
    return &p->damage;
}

bool tlv_split(assay_slice text, assay_slice *key, assay_slice *value)
{
    const char *sign = text.len ? memchr(text.data, '=', text.len) : NULL;
    *key = *value = (assay_slice){ NULL, 0 };
    if (!sign) return false;
    *key = slice_from(text.data, sign);
    *value = slice_from(sign + 1, text.data + text.len);
    return true;
}

void tlv_decoder_init(struct tlv_decoder *d, assay_slice bytes)
{
    memset(d, 0, sizeof *d);
    d->bytes = bytes;
    d->ticks_per_sec = TLV_TICKS_PER_SEC;
}

/* ---- records ---- */

/* Inside a payload: the whole of a record is there, so that the gets cannot fail. */
static inline void get_row(struct cursor *c, uint32_t *a, uint32_t *b, uint32_t *n, uint64_t *x, uint64_t *y)
{
    (void)cursor_u32le(c, a);
    (void)cursor_u32le(c, b);
    (void)cursor_u32le(c, n);
    (void)cursor_u64le(c, x);
    (void)cursor_u64le(c, y);
}

/* false = what is left of the payload is no whole record. */
static bool step_row(struct tlv_decoder *d, struct tlv_record *r)
{
    struct cursor c = tlv_cursor(d, d->at, d->chunk_end);
    if (cursor_left(&c) < TLV_ROW_LEN) return false;
    if (d->chunk.layout == TLV_LAYOUT_COSTS) {
        r->kind = TLV_COST;
        get_row(&c, &r->cost.fid, &r->cost.line, &r->cost.calls, &r->cost.inclusive, &r->cost.exclusive);
    } else if (d->chunk.layout == TLV_LAYOUT_CALLS) {
        r->kind = TLV_CALL;
        get_row(&c, &r->call.caller, &r->call.callee, &r->call.calls, &r->call.ticks, &r->call.sub_ticks);
    } else {
        r->kind = TLV_SITE;
        get_row(&c, &r->site.fid, &r->site.line, &r->site.sid, &r->site.inclusive, &r->site.exclusive);
    }
    d->at += TLV_ROW_LEN;
    return true;
}

static bool step_event(struct tlv_decoder *d, struct tlv_record *r)
{
    struct cursor c = tlv_cursor(d, d->at, d->chunk_end);
    if (cursor_left(&c) < TLV_EVENT_LEN) return false;
    (void)cursor_skip(&c, 1);
    (void)cursor_u32le(&c, &r->event.fid);
    (void)cursor_u32le(&c, &r->event.line);
    (void)cursor_u64le(&c, &r->event.ns);
    r->kind = TLV_EVENT;
    d->at += TLV_EVENT_LEN;
    return true;
}

static bool step_pair(struct tlv_decoder *d, struct tlv_record *r)
{
    struct cursor c = tlv_cursor(d, d->at, d->chunk_end);
    if (cursor_left(&c) < TLV_PAIR_LEN) return false;
    r->kind = TLV_FILE;
    r->file = (struct tlv_file){ .is_pair = true };
    (void)cursor_u32le(&c, &r->file.fid);
    (void)cursor_u32le(&c, &r->file.index);
    d->at += TLV_PAIR_LEN;
    return true;
}

static bool is_cut(const struct tlv_decoder *d) { return d->chunk.there < d->chunk.length; }

/* The name that ends a record: up to its NUL, or the rest of the payload. false = the record was cut. */
static bool get_name(struct tlv_decoder *d, struct cursor *c, assay_slice *name)
{
    if (cursor_until(c, 0, name)) return true;
    if (is_cut(d)) return false;
    uint64_t off = cursor_off(c);
    (void)cursor_bytes(c, cursor_left(c), name);
    tlv_damage(d, "T17", ASSAY_ERROR, off, "the name has no NUL: it is taken to end with the chunk");
    return true;
}

/* A record of F or D: four or two words, and a name. */
static bool step_named(struct tlv_decoder *d, struct tlv_record *r)
{
    struct cursor c = tlv_cursor(d, d->at, d->chunk_end);
    bool is_file = d->chunk.layout == TLV_LAYOUT_FILES, is_range = d->chunk.layout == TLV_LAYOUT_RANGES;
    unsigned count = is_file || is_range ? 4 : 2, got = 0;
    uint32_t word[4] = { 0 };
    assay_slice name = { NULL, 0 };
    if (cursor_left(&c) == 0) return false;
    while (got < count && cursor_u32le(&c, &word[got])) got++;
    if (got < count || !get_name(d, &c, &name)) {
        tlv_damage(d, "T16", ASSAY_ERROR, d->at, "the record of %c is truncated: %" PRIu64 " byte%s left of it", d->chunk.token, d->chunk_end - d->at,
                   plural_is(d->chunk_end - d->at));
        return false;
    }
    r->kind = is_file ? TLV_FILE : TLV_SUB;
    if (is_file)
        r->file = (struct tlv_file){ .fid = word[0], .flags = word[1], .size = word[2], .mtime = word[3], .path = name };
    else if (is_range)
        r->sub = (struct tlv_sub){ .sid = word[0], .fid = word[1], .first = word[2], .last = word[3], .is_range = true, .name = name };
    else
        r->sub = (struct tlv_sub){ .sid = word[0], .flags = word[1], .name = name };
    d->at = cursor_off(&c);
    return true;
}

/* An entry of A, or of the H of generation G1. */
static bool step_attribute(struct tlv_decoder *d, struct tlv_record *r)
{
    struct cursor c = tlv_cursor(d, d->at, d->chunk_end);
    struct tlv_attribute *a = &r->attribute;
    uint64_t ticks;
    if (cursor_left(&c) == 0) return false;
    if (!cursor_until(&c, 0, &a->text)) (void)cursor_bytes(&c, cursor_left(&c), &a->text);
    a->has_value = tlv_split(a->text, &a->key, &a->value);
    if (d->chunk.token == 'A' && a->has_value && slice_is(a->key, "ticks_per_sec") && number_u64(a->value, &ticks) == NUMBER_OK && ticks)
        d->ticks_per_sec = ticks;
    r->kind = TLV_ATTRIBUTE;
    d->at = cursor_off(&c);
    return true;
}

static bool step_process(struct tlv_decoder *d, struct tlv_record *r)
{
    struct cursor c = tlv_cursor(d, d->at, d->chunk_end);
    if (cursor_left(&c) != TLV_PROCESS_LEN) return false;
    tlv_get_process(&c, &r->process);
    r->kind = TLV_PROCESS;
    d->at = d->chunk_end;
    return true;
}

/* false = the chunk ends here, with or without damage. */
static bool step_record(struct tlv_decoder *d, struct tlv_record *r)
{
    r->off = d->at;
    switch (d->chunk.layout) {
    case TLV_LAYOUT_COSTS:
    case TLV_LAYOUT_CALLS:
    case TLV_LAYOUT_SITES: return !d->skip_figures && step_row(d, r);
    case TLV_LAYOUT_EVENTS: return !d->skip_figures && step_event(d, r);
    case TLV_LAYOUT_FILES:
    case TLV_LAYOUT_SUBS:
    case TLV_LAYOUT_RANGES: return step_named(d, r);
    case TLV_LAYOUT_PAIRS: return step_pair(d, r);
    case TLV_LAYOUT_ATTRIBUTES: return step_attribute(d, r);
    case TLV_LAYOUT_PROCESS: return step_process(d, r);
    default: return false;
    }
}

static void end_chunk(struct tlv_decoder *d)
{
    bool is_row = d->chunk.layout == TLV_LAYOUT_COSTS || d->chunk.layout == TLV_LAYOUT_CALLS || d->chunk.layout == TLV_LAYOUT_SITES;
    uint64_t odd = d->chunk.there % TLV_ROW_LEN;
    if (is_row && odd && !is_cut(d))
        tlv_damage(d, "T22", ASSAY_ERROR, d->chunk_end - odd, "the length %" PRIu32 " of %c is not a multiple of 28", d->chunk.length, d->chunk.token);
    d->phase = d->chunk.layout == TLV_LAYOUT_END || is_cut(d) ? PHASE_LAST : PHASE_CHUNKS;
    d->at = d->chunk_end;
}

/* ---- chunks ---- */

static enum tlv_layout layout_of(const struct tlv_decoder *d, const struct tlv_chunk *k, assay_slice payload)
{
    bool cut = k->there < k->length;
    switch (k->token) {
    case 'F': return tlv_layout_of_files(payload, k->length, cut);
    case 'S': return TLV_LAYOUT_COSTS;
    case 'D': return tlv_layout_of_subs(payload, k->length, cut);
    case 'C': return d->has_ranges ? TLV_LAYOUT_SITES : TLV_LAYOUT_CALLS;
    case 'E': return TLV_LAYOUT_END;
    case 'A': return TLV_LAYOUT_ATTRIBUTES;
    case 'H': return d->head.start == TLV_START_G1 ? TLV_LAYOUT_ATTRIBUTES : TLV_LAYOUT_OTHER;
    case 'P': return TLV_LAYOUT_PROCESS;
    default: return TLV_LAYOUT_OTHER;
    }
}

/* How much of a chunk is missing, for people. */
static void report_cut(struct tlv_decoder *d, const struct tlv_chunk *k, uint64_t off)
{
    uint64_t missing = k->length - k->there;
    bool is_row = k->layout == TLV_LAYOUT_COSTS || k->layout == TLV_LAYOUT_CALLS || k->layout == TLV_LAYOUT_SITES;
    unsigned size = is_row ? TLV_ROW_LEN : k->layout == TLV_LAYOUT_EVENTS ? TLV_EVENT_LEN : 0;
    char records[80] = "";
    if (size) snprintf(records, sizeof records, ", %" PRIu64 " of its %" PRIu32 " records", k->length / size - k->there / size, k->length / size);
    tlv_damage(d, "T14", ASSAY_ERROR, off, "the chunk of %" PRIu32 " bytes has only %" PRIu64 ": %" PRIu64 " byte%s missing%s, and all later chunks", k->length,
               k->there, missing, plural_is(missing), records);
}

static void report_layout(struct tlv_decoder *d, const struct tlv_chunk *k, uint64_t off)
{
    bool has_banner = d->head.start == TLV_START_BANNER;
    if (!strchr("FSDCEAPHBT", k->token) || !k->token)
        tlv_damage(d, "T15", ASSAY_ERROR, off, "unknown token %02x: the chunk of %" PRIu32 " bytes is skipped", (unsigned char)k->token, k->length);
    if (k->layout == TLV_LAYOUT_PAIRS) tlv_damage(d, "T31", ASSAY_WARNING, off, "F holds pairs of fid and string index, but no names");
    if (k->layout == TLV_LAYOUT_EVENTS) tlv_damage(d, "T30", ASSAY_WARNING, off, "D holds line events in nanoseconds, but no names of subs");
    if (k->layout == TLV_LAYOUT_RANGES) tlv_damage(d, "T33", ASSAY_WARNING, off, "D and C are those of the C extension");
    if (k->layout == TLV_LAYOUT_ATTRIBUTES && has_banner) tlv_damage(d, "T23", ASSAY_WARNING, off, "an A chunk in a stream with a banner");
    if (k->layout == TLV_LAYOUT_PROCESS) tlv_damage(d, "T24", ASSAY_WARNING, off, "a P chunk, which the specification does not have");
    if (k->layout == TLV_LAYOUT_END && k->length) tlv_damage(d, "T25", ASSAY_ERROR, off, "E has a payload of %" PRIu32 " bytes; it should be empty", k->length);
}

static void note_layout(struct tlv_decoder *d, const struct tlv_chunk *k, assay_slice payload)
{
    d->has_a |= k->token == 'A';
    d->has_events |= k->layout == TLV_LAYOUT_EVENTS;
    d->has_ranges |= k->layout == TLV_LAYOUT_RANGES;
    if (!strchr("FSDC", k->token) || !k->token || d->skip_figures) return;
    d->table_len += payload.len;
    if (!d->has_newline && payload.len) d->has_newline = memchr(payload.data, '\n', payload.len) != NULL;
}

/* A P or E whose length is not there. */
static bool step_raw(struct tlv_decoder *d, struct tlv_chunk *k, uint64_t off)
{
    struct cursor c = tlv_cursor(d, off + 1, d->bytes.len);
    uint32_t length = 0;
    if (k->token == 'E' && cursor_left(&c) == 0) {
        k->layout = TLV_LAYOUT_END;
        tlv_damage(d, "T12", ASSAY_WARNING, off, "E without a length");
        return true;
    }
    if (k->token != 'P' || d->chunk_count || cursor_left(&c) < TLV_PROCESS_LEN) return false;
    (void)cursor_u32le(&c, &length);
    if (length == TLV_PROCESS_LEN) return false;
    k->layout = TLV_LAYOUT_PROCESS;
    k->length = TLV_PROCESS_LEN;
    k->there = TLV_PROCESS_LEN;
    d->has_raw_p = true;
    tlv_damage(d, "T11", ASSAY_WARNING, off, "P without a length");
    tlv_find_unread(d, off + 1 + TLV_PROCESS_LEN);
    return true;
}

/* false = the header itself is cut. */
static bool step_framed(struct tlv_decoder *d, struct tlv_chunk *k, uint64_t off)
{
    struct cursor c = tlv_cursor(d, off + 1, d->bytes.len);
    if (!cursor_u32le(&c, &k->length)) {
        tlv_damage(d, "T13", ASSAY_ERROR, off,
                   "the header of a chunk is truncated: %" PRIu64 " of 5 bytes are there; its payload and all later chunks are missing",
                   (uint64_t)d->bytes.len - off);
        return false;
    }
    assay_slice payload;
    k->has_length = true;
    k->there = k->length < cursor_left(&c) ? k->length : cursor_left(&c);
    (void)cursor_bytes(&c, k->there, &payload);
    if (k->token == 'C' && !d->has_looked_ahead) {
        d->has_looked_ahead = true;
        d->has_ranges |= tlv_has_ranges(d->bytes, off);
    }
    k->layout = layout_of(d, k, payload);
    if (k->there < k->length) report_cut(d, k, off);
    report_layout(d, k, off);
    note_layout(d, k, payload);
    return true;
}

static bool step_chunk(struct tlv_decoder *d, struct tlv_record *r)
{
    uint64_t off = d->at;
    if (d->unread) {
        tlv_damage(d, "T34", ASSAY_ERROR, off, "generation %s: %s follow, which are not read", d->unread_gen, d->unread);
        d->is_ended = true;
    }
    if (off >= d->bytes.len || d->unread) {
        d->phase = PHASE_LAST;
        return false;
    }
    struct tlv_chunk *k = &d->chunk;
    *k = (struct tlv_chunk){ .token = d->bytes.data[off] };
    if (!step_raw(d, k, off) && !step_framed(d, k, off)) {
        d->at = d->bytes.len;
        d->phase = PHASE_LAST;
        return false;
    }
    d->chunk_count++;
    d->is_ended = k->layout == TLV_LAYOUT_END;
    d->at = off + (k->has_length ? TLV_CHUNK_LEN : 1);
    d->chunk_end = d->at + k->there;
    d->phase = PHASE_RECORDS;
    r->kind = TLV_CHUNK;
    r->off = off;
    r->chunk = *k;
    return true;
}

/* ---- the end ---- */

enum { DAMAGED_MIN = 1000 };

static void step_last(struct tlv_decoder *d)
{
    uint64_t len = d->bytes.len;
    d->phase = PHASE_END;
    if (!d->is_ended) tlv_damage(d, "T26", ASSAY_ERROR, len, "no E chunk: the stream is not complete");
    if (d->has_events && d->table_len > DAMAGED_MIN && !d->has_newline && !d->skip_figures)
        tlv_damage(d, "T32", ASSAY_WARNING, 0, "no byte 0a in any payload: line numbers and ticks were probably damaged by the writer");
    if (d->is_ended && !d->unread && d->at < len) tlv_damage(d, "T27", ASSAY_ERROR, d->at, "%" PRIu64 " byte%s after E", len - d->at, plural(len - d->at));
}

const char *tlv_generation(const struct tlv_decoder *d)
{
    if (d->head.start == TLV_START_G0) return "G0";
    if (d->head.start == TLV_START_G1) return "G1";
    if (d->head.start == TLV_START_G2) return "G2";
    if (d->unread) return d->unread_gen;
    if (d->has_ranges) return "C extension";
    if (d->has_perl_keys && d->has_raw_p) return "G8";
    if (d->has_events) return "G7";
    if (d->has_a && d->has_odd_ticks) return "G3";
    if (!d->has_attributes) return "";
    if (!d->has_options) return "G4";
    return d->has_blank ? "G6" : "G5";
}

bool tlv_generation_is_odd(const struct tlv_decoder *d) { return d->head.start != TLV_START_BANNER || d->unread || d->has_events; }

/* ---- pulling ---- */

static bool step(struct tlv_decoder *d, struct tlv_record *r)
{
    switch (d->phase) {
    case PHASE_HEAD: return tlv_step_head(d, r);
    case PHASE_BANNER: return tlv_step_line(d, r);
    case PHASE_ENTRIES: return tlv_step_entry(d, r);
    case PHASE_CHUNKS: return step_chunk(d, r);
    case PHASE_RECORDS:
        if (step_record(d, r)) return true;
        end_chunk(d);
        return false;
    default: step_last(d); return false;
    }
}

bool tlv_next(struct tlv_decoder *d, struct tlv_record *r)
{
    for (;;) {
        if (d->pending_next < d->pending_count) {
            const struct tlv_pending *p = &d->pending[d->pending_next++];
            r->kind = TLV_DAMAGE;
            r->off = p->off;
            r->damage = p->damage;
            return true;
        }
        d->pending_next = d->pending_count = 0;
        if (d->phase == PHASE_END) return false;
        if (step(d, r)) return true;
    }
}

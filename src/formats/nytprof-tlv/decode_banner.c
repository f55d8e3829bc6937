/* What stands before the first chunk: the banner of text lines, or the magic number of the first three generations
 * (docs/formats/nytprof-tlv.md, "Banner" and "Generations"). */
#include <inttypes.h>

#include "base/number.h"
#include "formats/nytprof-tlv/decode_parts.h"

static void refuse(struct tlv_decoder *d, struct tlv_damage *damage)
{
    damage->is_fatal = true;
    d->phase = PHASE_END;
}

static void begin_chunks(struct tlv_decoder *d)
{
    d->phase = PHASE_CHUNKS;
    d->banner_len = d->at;
}

/* ---- the first bytes ---- */

static void start_magic(struct tlv_decoder *d)
{
    struct cursor c = tlv_cursor(d, 8, d->bytes.len);
    uint32_t major, minor;
    (void)cursor_u32le(&c, &major);
    (void)cursor_u32le(&c, &minor);
    const char *data = d->bytes.data;
    size_t len = d->bytes.len;
    d->head.major = major;
    if (len > 20 && data[20] == 'H' && data[16] != 'H') {
        d->head.start = TLV_START_G1;
        d->at = 20;
    } else {
        d->head.start = len > 16 && data[16] >= 'a' && data[16] <= 'z' ? TLV_START_G2 : TLV_START_G0;
        d->head.minor = minor;
        d->at = 16;
    }
    if (d->head.start == TLV_START_G2)
        d->phase = PHASE_ENTRIES;
    else
        begin_chunks(d);
    struct tlv_damage *damage =
        tlv_damage(d, "T01", ASSAY_ERROR, 0, "no banner: the magic number of generation G%d, which no other program reads", (int)d->head.start - TLV_START_G0);
    if (len <= d->at) refuse(d, damage);
}

/* `NYTProf <major> <minor>` */
static bool get_version(struct tlv_head *h)
{
    assay_slice rest = h->text;
    if (!slice_starts(rest, "NYTProf ")) return false;
    rest = slice_from(rest.data + 8, rest.data + rest.len);
    const char *blank = rest.len ? memchr(rest.data, ' ', rest.len) : NULL;
    if (!blank) return false;
    assay_slice major = slice_from(rest.data, blank), minor = slice_from(blank + 1, rest.data + rest.len);
    return number_u64(major, &h->major) == NUMBER_OK && number_u64(minor, &h->minor) == NUMBER_OK;
}

/* A line up to its LF, without a CR before it; false = there is no LF. */
static bool get_line(struct tlv_decoder *d, assay_slice *text)
{
    struct cursor c = tlv_cursor(d, d->at, d->bytes.len);
    if (!cursor_until(&c, '\n', text)) return false;
    d->at = cursor_off(&c);
    if (text->len && text->data[text->len - 1] == '\r') {
        text->len--;
        if (!d->has_cr) tlv_damage(d, "T03", ASSAY_ERROR, d->at - 2, "a CR before the LF of a banner line");
        d->has_cr = true;
    }
    return true;
}

static void start_banner(struct tlv_decoder *d)
{
    if (!get_line(d, &d->head.text) || !get_version(&d->head)) {
        d->pending_count = 0;
        refuse(d, tlv_damage(d, "T01", ASSAY_ERROR, 0,
                             slice_starts(d->bytes, "NYTPROF6") ? "NYTPROF6 is an experimental format of another project, which is not read"
                                                                : "the first line is not 'NYTProf <major> <minor>'"));
        return;
    }
    d->head.start = TLV_START_BANNER;
    d->phase = PHASE_BANNER;
    if (d->head.major != 5 || d->head.minor != 0) {
        /* before the CR of the same line */
        unsigned crs = d->pending_count;
        tlv_damage(d, "T02", ASSAY_ERROR, 8, "version %" PRIu64 ".%" PRIu64 " is not 5.0", d->head.major, d->head.minor);
        if (crs) {
            struct tlv_pending last = d->pending[1];
            d->pending[1] = d->pending[0];
            d->pending[0] = last;
        }
    }
}

bool tlv_step_head(struct tlv_decoder *d, struct tlv_record *r)
{
    static const char magic[8] = "NYTPROF";
    if (d->bytes.len >= sizeof magic && memcmp(d->bytes.data, magic, sizeof magic) == 0)
        start_magic(d);
    else
        start_banner(d);
    r->kind = TLV_HEAD;
    r->off = 0;
    r->head = d->head;
    return true;
}

/* ---- banner ---- */

static void note_key(struct tlv_decoder *d, const struct tlv_line *l)
{
    uint64_t ticks = 0;
    if (l->mark == '!') d->has_options = true;
    if (l->mark != ':') return;
    d->has_attributes = true;
    if (slice_is(l->key, "xs_version")) d->has_perl_keys = true;
    if (slice_is(l->key, "nv_size")) d->is_nv_odd = !slice_is(l->value, "8");
    if (!slice_is(l->key, "ticks_per_sec")) return;
    bool is_number = number_u64(l->value, &ticks) == NUMBER_OK && ticks != 0;
    d->ticks_per_sec = is_number ? ticks : TLV_TICKS_PER_SEC;
    d->has_odd_ticks = !is_number || ticks != TLV_TICKS_PER_SEC;
}

static void end_banner(struct tlv_decoder *d)
{
    begin_chunks(d);
    d->has_blank = d->blank_count > 0;
    if (!d->has_blank) tlv_damage(d, "T07", ASSAY_WARNING, d->at, "no empty line after the banner");
    if (d->blank_count > 1) tlv_damage(d, "T08", ASSAY_ERROR, d->at, "%" PRIu64 " empty lines after the banner, not one", d->blank_count);
    if (d->has_odd_ticks) tlv_damage(d, "T09", ASSAY_ERROR, 0, "ticks_per_sec of the banner is not 10000000");
    if (d->is_nv_odd) tlv_damage(d, "T10", ASSAY_ERROR, 0, "nv_size is not 8");
}

bool tlv_step_line(struct tlv_decoder *d, struct tlv_record *r)
{
    char first = d->at < d->bytes.len ? d->bytes.data[d->at] : 0;
    if (!first || !strchr("#:!\n\r", first)) {
        end_banner(d);
        return false;
    }
    struct tlv_line *l = &r->line;
    r->kind = TLV_LINE;
    r->off = d->at;
    *l = (struct tlv_line){ .mark = 0 };
    if (!get_line(d, &l->text)) {
        refuse(d, tlv_damage(d, "T04", ASSAY_ERROR, r->off, "the banner line has no LF: the file ends inside the banner, and all its records are missing"));
        return false;
    }
    if (l->text.len && strchr("#:!", first)) l->mark = first;
    if (!l->text.len) {
        d->blank_count++;
    } else if (l->mark != '#') {
        l->has_value = l->mark && tlv_split((assay_slice){ l->text.data + 1, l->text.len - 1 }, &l->key, &l->value);
        if (l->has_value)
            note_key(d, l);
        else
            tlv_damage(d, "T06", ASSAY_ERROR, r->off, "the banner line has no '='");
    }
    return true;
}

/* ---- the list of generation G2 ---- */

bool tlv_step_entry(struct tlv_decoder *d, struct tlv_record *r)
{
    struct cursor c = tlv_cursor(d, d->at, d->bytes.len);
    char first = d->at < d->bytes.len ? d->bytes.data[d->at] : 0;
    if (first < 'a' || first > 'z' || !cursor_until(&c, 0, &r->attribute.text)) {
        begin_chunks(d);
        return false;
    }
    r->kind = TLV_ATTRIBUTE;
    r->off = d->at;
    r->attribute.has_value = tlv_split(r->attribute.text, &r->attribute.key, &r->attribute.value);
    d->at = cursor_off(&c);
    return true;
}

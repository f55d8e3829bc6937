/* Which of the layouts that share a letter a payload has: the writer of these streams changed them without changing the version
 * (docs/formats/nytprof-tlv.md, "Generations"). */
#include "formats/nytprof-tlv/decode_parts.h"

/* Records of `fixed` bytes and a name. */
struct walk {
    uint64_t whole;  /* records that are there */
    bool is_clean;   /* every one of them has a printable name, and they end where the payload ends */
    bool has_ranges; /* words three and four are a range of lines in all of them */
};

static bool is_range(const unsigned char *at)
{
    struct cursor c = cursor_of(at, 8);
    uint32_t first, last;
    (void)cursor_u32le(&c, &first);
    (void)cursor_u32le(&c, &last);
    return first > 0 && first <= last && last < 1000000;
}

static bool is_printable(assay_slice name)
{
    for (size_t i = 0; i < name.len; i++)
        if ((unsigned char)name.data[i] < ' ') return false;
    return name.len > 0;
}

/* `ranges_only` = the walk may end at the first record whose words three and four are no range. */
static struct walk walk_names(assay_slice payload, unsigned fixed, bool is_cut, bool ranges_only)
{
    struct cursor c = cursor_of(payload.data, payload.len);
    struct walk w = { 0, true, true };
    while (cursor_left(&c) && w.is_clean && (w.has_ranges || !ranges_only)) {
        const unsigned char *at = c.at;
        assay_slice name;
        if (!cursor_skip(&c, fixed) || !cursor_until(&c, 0, &name)) {
            w.is_clean = is_cut;
            break;
        }
        w.is_clean = is_printable(name);
        if (fixed == 16) w.has_ranges &= is_range(at + 8);
        w.whole++;
    }
    return w;
}

/* F is one of pairs when it cannot be one of names. */
static bool has_paths(assay_slice payload, bool is_cut)
{
    struct cursor c = cursor_of(payload.data, payload.len);
    assay_slice path;
    if (is_cut) return payload.len < 17 || payload.data[16] == 0 || (unsigned char)payload.data[16] >= ' ';
    while (cursor_left(&c))
        if (!cursor_skip(&c, 16) || !cursor_until(&c, 0, &path)) return false;
    return true;
}

enum tlv_layout tlv_layout_of_files(assay_slice payload, uint32_t length, bool is_cut)
{
    bool fits = length != 0 && length % TLV_PAIR_LEN == 0;
    return fits && (length < 17 || !has_paths(payload, is_cut)) ? TLV_LAYOUT_PAIRS : TLV_LAYOUT_FILES;
}

/* Each event begins with 1, and a 0 ends them. */
static bool has_events(assay_slice payload, uint32_t length, bool is_cut)
{
    if (length % TLV_EVENT_LEN != 1 || !payload.len || (!is_cut && payload.data[payload.len - 1] != 0)) return false;
    size_t end = is_cut ? payload.len : payload.len - 1;
    for (size_t i = 0; i < end; i += TLV_EVENT_LEN)
        if (payload.data[i] != 1) return false;
    return true;
}

static bool has_ranges(assay_slice payload, bool is_cut)
{
    bool is_narrow = is_cut || walk_names(payload, 8, false, false).is_clean;
    struct walk wide = walk_names(payload, 16, is_cut, is_narrow);
    return wide.whole && wide.is_clean && (wide.has_ranges || !is_narrow);
}

enum tlv_layout tlv_layout_of_subs(assay_slice payload, uint32_t length, bool is_cut)
{
    if (has_events(payload, length, is_cut)) return TLV_LAYOUT_EVENTS;
    return has_ranges(payload, is_cut) ? TLV_LAYOUT_RANGES : TLV_LAYOUT_SUBS;
}

bool tlv_has_ranges(assay_slice bytes, uint64_t at)
{
    struct cursor c = cursor_of(bytes.data, bytes.len);
    uint8_t token = 0;
    uint32_t length;
    if (!cursor_seek(&c, at)) return false;
    while (cursor_u8(&c, &token) && token != 'E' && cursor_u32le(&c, &length)) {
        bool is_cut = length > cursor_left(&c);
        assay_slice payload;
        (void)cursor_bytes(&c, is_cut ? cursor_left(&c) : length, &payload);
        if (token == 'D' && tlv_layout_of_subs(payload, length, is_cut) == TLV_LAYOUT_RANGES) return true;
    }
    return false;
}

/* ---- processes ---- */

/* Times of day between 2001 and 2096. */
static bool is_time(double seconds) { return seconds >= 1e9 && seconds <= 4e9; }

void tlv_get_process(struct cursor *c, struct tlv_process *out)
{
    struct cursor other = *c;
    uint64_t bits;
    *out = (struct tlv_process){ .is_micros = false };
    (void)cursor_u32le(c, &out->pid);
    (void)cursor_u32le(c, &out->ppid);
    (void)cursor_u64le(c, &bits);
    memcpy(&out->seconds, &bits, sizeof bits);
    (void)cursor_u64le(&other, &bits);
    if (is_time(out->seconds) || !is_time((double)bits / 1e6)) return;
    out->is_micros = true;
    out->micros = bits;
    out->seconds = (double)bits / 1e6;
    (void)cursor_u32le(&other, &out->pid);
    (void)cursor_u32le(&other, &out->ppid);
}

void tlv_find_unread(struct tlv_decoder *d, uint64_t at)
{
    struct cursor c = tlv_cursor(d, at, d->bytes.len);
    uint8_t token = 0, next = 0;
    uint32_t word = 0;
    if (!cursor_u8(&c, &token)) return;
    struct cursor low = c;
    bool has_word = cursor_u32le(&c, &word);
    d->unread_gen = "G8";
    if (token == '@') {
        d->unread = "tags of Perl's stream";
        d->unread_gen = "G9";
    } else if (token == 1) {
        uint64_t rest = 1;
        (void)cursor_le(&low, 3, &rest);
        d->unread = rest == 0 ? "records without tokens" : "small tokens";
    } else if (token == 'S' && has_word && word % TLV_ROW_LEN != 0) {
        if (!cursor_skip(&c, word))
            d->unread = "letters without lengths";
        else if (cursor_u8(&c, &next) && strchr("FDCE", next) && next)
            d->unread = "integers of variable length";
    }
}

/* Which layout a message has. The data says no version, and incompatible layouts share one package name, so that only the shape of the fields tells;
 * docs/formats/otlp-profiles.md, "Telling layouts apart", has the order of these questions and why. Looks at all samples where it has to: first hit counts. */
#include "base/cancel.h"
#include "formats/otlp-profiles/decode.h"

/* As proto_next, but a message that is cut is given as far as it goes. */
static bool next(struct cursor *c, struct proto_field *f)
{
    uint64_t key, len;
    enum proto_status status = proto_next(c, f);
    if (status != PROTO_DAMAGED) return status == PROTO_FIELD;
    bool is_cut = proto_varint(c, &key) && (key & 7) == PROTO_BYTES && proto_varint(c, &len) && key >> 3 && key >> 3 < UINT32_MAX;
    if (!is_cut) return false;
    f->number = (uint32_t)(key >> 3);
    f->wire = PROTO_BYTES;
    return cursor_bytes(c, cursor_left(c), &f->bytes);
}

enum { KEYS_MOST = 1024, ENTRIES_MOST = 16 }; /* what is compared; more tells no more */

/* What the samples of a file say of 1.8, 1.9 and 1.10; see decide(). */
struct hints {
    assay_slice dictionary;
    uint64_t attributes, links;
    uint64_t key[KEYS_MOST]; /* of attributes */
    bool is_1_8;
    bool has_packed_4, has_packed_3, has_4, has_3, has_two_4, has_two_3;
    bool is_open; /* there are samples that could be either */
    int first;    /* what the first sample that tells says: layout, or -1 */
};

/* The keys of attributes, as far as they are kept. */
static void list_keys(struct hints *h)
{
    struct cursor c = cursor_of(h->dictionary.data, h->dictionary.len), inner;
    struct proto_field f, key;
    while (next(&c, &f)) {
        h->links += f.number == 4;
        if (f.number != 6 || f.wire != PROTO_BYTES) continue;
        inner = proto_message(&f);
        uint64_t number = h->attributes++;
        while (number < KEYS_MOST && next(&inner, &key))
            if (key.number == 1 && key.wire == PROTO_VARINT) h->key[number] = key.value;
    }
}

/* Entries of field 2 of a sample. */
struct entries {
    uint64_t at[ENTRIES_MOST];
    uint64_t count;
    bool is_no_attribute; /* one that cannot be: there is no such attribute, or two have one key */
};

static void add_entry(const struct hints *h, struct entries *e, uint64_t v)
{
    e->is_no_attribute |= v == 0 || v >= h->attributes;
    uint64_t kept = e->count < ENTRIES_MOST ? e->count : ENTRIES_MOST;
    for (uint64_t i = 0; i < kept && v < KEYS_MOST; i++) e->is_no_attribute |= e->at[i] < KEYS_MOST && h->key[e->at[i]] == h->key[v];
    if (kept < ENTRIES_MOST) e->at[kept] = v;
    e->count++;
}

static void add_entries(const struct hints *h, struct entries *e, const struct proto_field *f)
{
    struct cursor c = proto_message(f);
    uint64_t v;
    if (f->wire != PROTO_BYTES) add_entry(h, e, f->value);
    while (proto_varint(&c, &v)) add_entry(h, e, v);
}

static void look_at_sample(struct hints *h, assay_slice bytes)
{
    struct cursor c = cursor_of(bytes.data, bytes.len);
    struct proto_field f;
    uint64_t times = 0, count[6] = { 0 };
    struct entries two = { .count = 0 };
    while (next(&c, &f)) {
        if (f.number > 5) continue;
        count[f.number]++;
        h->has_packed_4 |= f.number == 4 && f.wire == PROTO_BYTES;
        h->has_packed_3 |= f.number == 3 && f.wire == PROTO_BYTES;
        h->has_4 |= f.number == 4 && f.wire == PROTO_VARINT && f.value;
        h->has_3 |= f.number == 3 && f.wire == PROTO_VARINT && f.value;
        if (f.number == 2) add_entries(h, &two, &f);
        if (f.number == 5) times += f.wire == PROTO_BYTES ? f.bytes.len / 8 : 1;
    }
    h->is_open |= count[2] || count[3] || count[4];
    h->has_two_4 |= count[4] > 1;
    h->has_two_3 |= count[3] > 1;
    if (h->first >= 0) return;
    if ((count[2] && !times && !count[4]) || two.is_no_attribute)
        h->first = OTLP_1_9;
    else if (two.count && times && two.count != times)
        h->first = OTLP_1_10;
}

/* Whether it is one of 1.7, and what it says of 1.8: profile_id 8, attributes 12, dropped 9, aggregation temporality. */
static int look_at_profile(void *arg, assay_slice bytes)
{
    struct hints *h = arg;
    struct cursor c = cursor_of(bytes.data, bytes.len), inner;
    struct proto_field f, g;
    unsigned types = 0;
    bool has_3 = false, has_old_3 = false, has_time_4 = false;
    while (next(&c, &f)) {
        if (f.number == 2) continue;
        types += f.number == 1;
        has_3 |= f.number == 3;
        has_old_3 |= f.number == 3 && f.wire != PROTO_FIXED64;
        has_time_4 |= f.number == 4 && f.wire == PROTO_VARINT && f.value > 100000000000000000;
        h->is_1_8 |= f.number == 12 || (f.number == 8 && f.wire == PROTO_BYTES) || (f.number == 9 && f.wire == PROTO_VARINT);
        if (f.number != 1 || f.wire != PROTO_BYTES) continue;
        inner = proto_message(&f);
        while (next(&inner, &g)) h->is_1_8 |= g.number == 3;
    }
    return has_old_3 || types > 1 || (has_time_4 && !has_3) ? OTLP_1_7 : -1;
}

/* Packed numbers tell at once. */
static int look_at_samples(void *arg, assay_slice bytes)
{
    struct hints *h = arg;
    struct cursor c = cursor_of(bytes.data, bytes.len);
    struct proto_field f;
    for (uint64_t i = 0; next(&c, &f); i++) {
        if (f.number == 2 && f.wire == PROTO_BYTES) look_at_sample(h, f.bytes);
        if (h->has_packed_4 || h->has_packed_3 || cancel_at(i)) return 0;
    }
    return -1;
}

static enum otlp_layout decide(const struct hints *h, bool *is_guess)
{
    enum otlp_layout old = h->is_1_8 ? OTLP_1_8 : OTLP_1_9;
    if (h->has_packed_4) return OTLP_1_10;
    if (h->has_packed_3) return old;
    if (h->links <= 1 && h->has_4) return OTLP_1_10;
    if (h->links <= 1 && h->has_3) return old;
    if (h->has_two_4) return OTLP_1_10;
    if (h->has_two_3) return old;
    if (h->first >= 0) return h->first == OTLP_1_9 ? old : OTLP_1_10;
    *is_guess = h->is_open;
    return OTLP_1_10;
}

/* Of a document without tables of its own: those of 1.3 and 1.4 are inside of the profile. -1 = neither. */
static int layout_of_profile(assay_slice bytes)
{
    struct cursor c = cursor_of(bytes.data, bytes.len);
    struct proto_field f;
    bool has_inner = false, has_start = false, has_strings = false;
    while (next(&c, &f)) {
        has_inner |= f.number == 8 && f.wire == PROTO_BYTES;
        has_start |= f.number == 2 && f.wire == PROTO_FIXED64;
        has_strings |= f.number == 10 && f.wire == PROTO_BYTES;
    }
    return has_inner && has_start ? OTLP_1_3 : has_strings ? OTLP_1_4 : -1;
}

/* Calls `look` with each profile of a message until it does not return -1. */
static int each_profile(assay_slice all, int (*look)(void *arg, assay_slice profile), void *arg)
{
    struct cursor top = cursor_of(all.data, all.len), resource, scope;
    struct proto_field r, s, p;
    while (next(&top, &r)) {
        resource = proto_message(&r);
        while (r.number == 1 && next(&resource, &s)) {
            scope = proto_message(&s);
            while (s.number == 2 && next(&scope, &p)) {
                int found = p.number == 2 && p.wire == PROTO_BYTES ? look(arg, p.bytes) : -1;
                if (found != -1) return found;
            }
        }
    }
    return -1;
}

static int look_old(void *arg, assay_slice profile)
{
    (void)arg;
    return layout_of_profile(profile);
}

enum otlp_layout otlp_layout_of(assay_slice bytes, bool *is_guess)
{
    struct cursor top = cursor_of(bytes.data, bytes.len);
    struct proto_field f;
    struct hints h = { .first = -1 };
    unsigned second = 0;
    *is_guess = false;
    while (next(&top, &f)) {
        if (f.number == 3 || f.number == 4 || f.number == 6) return OTLP_1_6;
        if (f.number != 2 || f.wire != PROTO_BYTES) continue;
        if (second++) return OTLP_1_6;
        h.dictionary = f.bytes;
    }
    if (!second) {
        int old = each_profile(bytes, look_old, NULL);
        return old < 0 ? OTLP_1_10 : (enum otlp_layout)old;
    }
    list_keys(&h);
    if (each_profile(bytes, look_at_profile, &h) == OTLP_1_7) return OTLP_1_7;
    each_profile(bytes, look_at_samples, &h);
    return decide(&h, is_guess);
}

/* ---- the probe ---- */

static bool is_value_type(assay_slice bytes)
{
    struct cursor c = cursor_of(bytes.data, bytes.len);
    struct proto_field f;
    while (next(&c, &f))
        if (f.number > 3 || f.wire != PROTO_VARINT) return false;
    return !cursor_left(&c);
}

/* Spans, metrics and log records stand in the same place: these begin with an id, a name or a time. */
static int look_like_profile(void *arg, assay_slice profile)
{
    struct cursor c = cursor_of(profile.data, profile.len);
    struct proto_field f;
    bool *is_profile = arg;
    unsigned types = 0;
    if (layout_of_profile(profile) >= 0) return *is_profile = true;
    while (next(&c, &f)) {
        if (f.number == 1 && (f.wire != PROTO_BYTES || !is_value_type(f.bytes))) return false;
        types += f.number == 1;
        if (f.number == 2 && f.wire != PROTO_BYTES) return false;
    }
    *is_profile = types > 0;
    return *is_profile;
}

/* ResourceProfiles, as far as it goes: messages and a text, nothing else. */
static bool is_resource_profiles(assay_slice bytes)
{
    struct cursor c = cursor_of(bytes.data, bytes.len);
    struct proto_field f;
    unsigned scopes = 0;
    while (next(&c, &f)) {
        if (f.wire != PROTO_BYTES || (f.number > 3 && f.number != 1000)) return false;
        scopes += f.number == 2;
    }
    return scopes && !cursor_left(&c);
}

/* Tables with an empty string first. */
static bool is_dictionary(assay_slice bytes)
{
    struct cursor c = cursor_of(bytes.data, bytes.len);
    struct proto_field f;
    unsigned strings = 0;
    while (next(&c, &f)) {
        if (f.wire != PROTO_BYTES || f.number > 7) return false;
        if (f.number == 5 && !strings++ && f.bytes.len) return false;
    }
    return !cursor_left(&c) && bytes.len;
}

int otlp_layout_probe(assay_slice head, bool is_whole, const char **why)
{
    struct cursor c = cursor_of(head.data, head.len);
    struct proto_field f;
    unsigned resources = 0, tables = 0, dictionaries = 0;
    bool is_profile = false;
    if (head.len >= 8 && !head.data[0]) {
        assay_slice inner = { head.data + 4, head.len - 4 };
        uint32_t len = (uint32_t)(unsigned char)head.data[1] << 16 | (uint32_t)(unsigned char)head.data[2] << 8 | (unsigned char)head.data[3];
        bool is_cut = len > inner.len;
        if (!is_cut) inner.len = len;
        return inner.data[0] ? otlp_layout_probe(inner, is_whole && !is_cut, why) : 0;
    }
    while (next(&c, &f)) {
        if (f.wire != PROTO_BYTES || f.number > 8) return 0;
        if (f.number == 1 && !is_resource_profiles(f.bytes)) return 0;
        if (f.number == 2 && is_dictionary(f.bytes)) dictionaries++;
        resources += f.number == 1;
        tables += f.number > 1;
    }
    if (cursor_left(&c) && is_whole && !resources) return 0;
    *why = "the messages of OpenTelemetry's profiles";
    if (!resources) return dictionaries == 1 && tables == 1 ? 70 : 0;
    each_profile(head, look_like_profile, &is_profile);
    if (is_profile) return 85;
    return tables && (dictionaries || tables > 1) ? 75 : 0;
}

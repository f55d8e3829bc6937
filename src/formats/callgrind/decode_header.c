/* Header lines of callgrind text: `key: value`, the list of events, where parts begin, and the banner of appended Xdebug runs. */
#include "base/error.h"
#include "base/number.h"
#include "formats/callgrind/decode.h"

/* Keys that begin a new part once the part before has had its events line. */
static bool begins_part(assay_slice key)
{
    static const char *const keys[] = { "version", "pid", "part", "thread", "positions", "events" };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (slice_is(key, keys[i])) return true;
    return false;
}

static bool is_known(assay_slice key)
{
    static const char *const keys[] = { "version", "creator",   "cmd",   "pid",    "part",    "thread", "desc",
                                        "arch",    "positions", "event", "events", "summary", "totals" };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (slice_is(key, keys[i])) return true;
    return false;
}

/* The next word of *rest, empty at the end. */
static assay_slice word(assay_slice *rest)
{
    *rest = slice_trim(*rest);
    size_t n = 0;
    while (n < rest->len && rest->data[n] != ' ' && rest->data[n] != '\t') n++;
    assay_slice w = { rest->data, n };
    rest->data += n;
    rest->len -= n;
    return w;
}

static void on_version(struct cg_decoder *d, struct cg_record *r)
{
    size_t n = 0;
    uint64_t major;
    while (n < r->value.len && r->value.data[n] != '.') n++;
    if (number_u64((assay_slice){ r->value.data, n }, &major) == NUMBER_BAD)
        cg_damage(d, r, "CG03", ASSAY_ERROR, "version is not a number");
    else if (major > 1)
        cg_damage(d, r, "CG03", ASSAY_ERROR, "major version %llu is not known", (unsigned long long)major);
    if (slice_is(r->value, "0.9.6")) d->is_xdebug = d->has_bare_calls = true;
}

static void on_positions(struct cg_decoder *d, struct cg_record *r)
{
    bool address = false, line = false;
    assay_slice rest = r->value;
    for (assay_slice w; (w = word(&rest)).len;) {
        if (slice_is(w, "instr"))
            address = true;
        else if (slice_is(w, "line"))
            line = true;
        else
            cg_damage(d, r, "CG17", ASSAY_WARNING, "unknown name in the positions line");
    }
    if (!address && !line) {
        cg_damage(d, r, "CG17", ASSAY_WARNING, "the positions line names neither instr nor line");
        line = true;
    }
    d->has_address = address;
    d->has_line = line;
}

static void on_events(struct cg_decoder *d, struct cg_record *r)
{
    assay_slice rest = r->value;
    d->event_count = 0;
    for (assay_slice w; (w = word(&rest)).len;) {
        if (d->event_count == CG_MAX_EVENTS) {
            cg_damage(d, r, "CG06", ASSAY_ERROR, "more than %d events; the rest are left out", CG_MAX_EVENTS);
            break;
        }
        uint32_t name = intern_put(d->names, w);
        if (!name) {
            d->failed = error_memory(d->err);
            return;
        }
        for (uint32_t i = 0; i < d->event_count; i++)
            if (d->events[i] == name) cg_damage(d, r, "CG22", ASSAY_WARNING, "an event is named twice");
        d->events[d->event_count++] = name;
    }
    if (d->event_count == 0) cg_damage(d, r, "CG01", ASSAY_ERROR, "events line names no event");
    d->part_has_events = d->had_events = true;
}

static void on_sums(struct cg_decoder *d, struct cg_record *r)
{
    int64_t sums[CG_MAX_EVENTS];
    int count = cg_sums(r->value, sums);
    if (count == -2)
        cg_damage(d, r, "CG16", ASSAY_ERROR, "a number of the %.*s line does not fit in 64 bits", (int)r->key.len, r->key.data);
    else if (count == -1 && d->is_cut)
        cg_damage_cut(d, r);
    else if (count == -1)
        cg_damage(d, r, "CG07", ASSAY_ERROR, "malformed number in the %.*s line", (int)r->key.len, r->key.data);
}

static bool is_banner(assay_slice text) { return slice_starts(text, "==== NEW PROFILING FILE ===="); }

static void unknown(struct cg_decoder *d, struct cg_record *r)
{
    r->kind = CG_OTHER;
    if (r->text.len && memchr(r->text.data, 0, r->text.len))
        cg_damage(d, r, "CG21", ASSAY_ERROR, "NUL byte: not text");
    else if (d->is_cut)
        cg_damage_cut(d, r);
    else
        cg_damage(d, r, "CG12", ASSAY_WARNING, "unknown line");
}

bool cg_header(struct cg_decoder *d, struct cg_record *r)
{
    if (is_banner(r->text)) {
        if (d->part_has_events) {
            cg_begin_part(d);
            return false;
        }
        d->is_xdebug = true;
        r->kind = CG_OTHER;
        return true;
    }
    const char *colon = r->text.len ? memchr(r->text.data, ':', r->text.len) : NULL;
    if (!colon) {
        unknown(d, r);
        return true;
    }
    r->key = slice_from(r->text.data, colon);
    r->value = slice_trim(slice_from(colon + 1, r->text.data + r->text.len));
    if (!is_known(r->key)) {
        unknown(d, r);
        return true;
    }
    if (d->part_has_events && begins_part(r->key)) {
        cg_begin_part(d);
        return false;
    }
    r->kind = CG_HEADER;
    if (memchr(r->text.data, 0, r->text.len)) cg_damage(d, r, "CG21", ASSAY_ERROR, "NUL byte in a header");
    if (slice_is(r->key, "totals")) d->has_totals = true;
    if (slice_is(r->key, "version"))
        on_version(d, r);
    else if (slice_is(r->key, "creator")) {
        d->is_xdebug = slice_starts(r->value, "xdebug");
        d->is_callgrind = slice_starts(r->value, "callgrind-");
    } else if (slice_is(r->key, "positions"))
        on_positions(d, r);
    else if (slice_is(r->key, "events"))
        on_events(d, r);
    else if (slice_is(r->key, "summary") || slice_is(r->key, "totals"))
        on_sums(d, r);
    return true;
}

int cg_sums(assay_slice value, int64_t *out)
{
    int n = 0;
    for (assay_slice w; n < CG_MAX_EVENTS && (w = word(&value)).len; n++) {
        enum number_result result = number_i64(w, &out[n]);
        if (result != NUMBER_OK) return result == NUMBER_RANGE ? -2 : -1;
    }
    return n;
}

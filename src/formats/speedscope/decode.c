/* The grammar of speedscope's files; see speedscope.h. Keys come in any order. */
#include "base/number.h"
#include "base/scan.h"
#include "base/slice.h"
#include "formats/coverage/json.h"
#include "formats/speedscope/seen.h"
#include "formats/speedscope/speedscope.h"

enum {
    AT_ONCE = 512, /* frames of a stack, and weights, that are read without an event for each */
    AHEAD = 16,    /* stacks that are looked at before the first of them is taken */
};

struct walk {
    struct coverage_json j;
    speedscope_fn fn;
    void *arg;
    assay_error *err;
    struct mem *mem;
    VEC(uint64_t) frames, offs;
    VEC(char) name, file; /* of the frame that is open */
    bool in_bulk;
    struct speedscope_seen seen; /* in bulk */
};

uint64_t speedscope_frame_off(const struct speedscope_record *r, size_t k)
{
    if (r->offs) return r->offs[k];
    size_t at = 0;
    for (; k && at < r->text.len; at++) k -= r->text.data[at] == ',';
    while (at < r->text.len && r->text.data[at] == ' ') at++;
    return r->off + 1 + at;
}

static int give(struct walk *w, struct speedscope_record r) { return w->fn(w->arg, &r); }

/* A whole number, as frames have: anything else is no frame. */
static bool whole(assay_slice text, uint64_t *out) { return number_u64(text, out) == NUMBER_OK; }

/* Most numbers are a few digits. */
static double number_of(assay_slice text)
{
    double d = 0;
    uint64_t v = 0;
    size_t i = 0;
    for (; i < text.len && i < 15 && is_digit(text.data[i]); i++) v = v * 10 + (uint64_t)(text.data[i] - '0');
    if (i == text.len) return (double)v;
    number_double(text, &d);
    return d;
}

static int give_number(struct walk *w, enum speedscope_kind kind, const char *what)
{
    bool is;
    uint64_t off = w->j.e.off, line = w->j.e.line;
    TRY(coverage_json_expect(&w->j, JSON_NUMBER, what, &is));
    return is ? give(w, (struct speedscope_record){ .kind = kind, .off = off, .at_line = line, .number = number_of(w->j.e.text) }) : 0;
}

static int give_text(struct walk *w, enum speedscope_kind kind, const char *what)
{
    bool is;
    if (w->j.e.kind == JSON_NULL) return 0;
    uint64_t off = w->j.e.off, line = w->j.e.line;
    TRY(coverage_json_expect(&w->j, JSON_STRING, what, &is));
    return is ? give(w, (struct speedscope_record){ .kind = kind, .off = off, .at_line = line, .text = w->j.e.text }) : 0;
}

/* ---- frames ---- */

static int keep_text(struct walk *w, const char *what, char **at, size_t *len, size_t *cap)
{
    bool is;
    if (w->j.e.kind == JSON_NULL) return 0;
    TRY(coverage_json_expect(&w->j, JSON_STRING, what, &is));
    if (!is) return 0;
    *len = 0;
    if (!vec_grow_(w->mem, (void **)at, 0, cap, w->j.e.text.len + 1, 1)) return error_memory(w->err);
    memcpy(*at, w->j.e.text.data ? w->j.e.text.data : "", w->j.e.text.len);
    *len = w->j.e.text.len;
    return 0;
}

static int small(struct walk *w, const char *what, uint32_t *out)
{
    bool is;
    return w->j.e.kind == JSON_NULL ? 0 : coverage_json_small(&w->j, what, out, &is);
}

static int frame(struct walk *w)
{
    static const assay_slice keys[] = { COVERAGE_KEY("name"), COVERAGE_KEY("file"), COVERAGE_KEY("line"), COVERAGE_KEY("col") };
    struct speedscope_record r = { .kind = SPEEDSCOPE_FRAME, .off = w->j.e.off, .at_line = w->j.e.line };
    uint32_t seen = 0;
    bool is;
    w->name.len = w->file.len = 0;
    TRY(coverage_json_expect(&w->j, JSON_OBJECT, "a frame", &is));
    for (int at = 0; is;) {
        TRY(coverage_json_key(&w->j, keys, 4, &seen, &at));
        switch (at) {
        case 0: TRY(keep_text(w, "the name of a frame", &w->name.at, &w->name.len, &w->name.cap)); break;
        case 1: TRY(keep_text(w, "the file of a frame", &w->file.at, &w->file.len, &w->file.cap)); break;
        case 2: TRY(small(w, "the line of a frame", &r.line)); break;
        case 3: TRY(small(w, "the column of a frame", &r.column)); break;
        default: is = false;
        }
    }
    if (w->j.r.is_damaged) return 0;
    if (!(seen & 1)) coverage_json_found(&w->j, r.off, r.at_line, "J-3", ASSAY_ERROR, "a frame without a name");
    r.text = (assay_slice){ w->name.at, w->name.len };
    r.file = (assay_slice){ w->file.at, w->file.len };
    return give(w, r);
}

static int frames(struct walk *w)
{
    bool has;
    TRY(coverage_json_expect(&w->j, JSON_ARRAY, "shared.frames", &has));
    if (!has) return 0;
    TRY(give(w, (struct speedscope_record){ .kind = SPEEDSCOPE_FRAMES, .off = w->j.e.off, .at_line = w->j.e.line }));
    for (;;) {
        TRY(coverage_json_item(&w->j, &has));
        if (!has) return 0;
        TRY(frame(w));
    }
}

static int shared(struct walk *w)
{
    static const assay_slice keys[] = { COVERAGE_KEY("frames") };
    uint32_t seen = 0;
    bool is;
    TRY(coverage_json_expect(&w->j, JSON_OBJECT, "shared", &is));
    for (int at = 0; is;) {
        TRY(coverage_json_key(&w->j, keys, 1, &seen, &at));
        is = at == 0;
        if (is) TRY(frames(w));
    }
    return 0;
}

/* ---- samples ---- */

/* A stack that is longer, or has blanks. */
static int long_stack(struct walk *w, bool *is)
{
    bool has;
    w->frames.len = w->offs.len = 0;
    for (;;) {
        TRY(coverage_json_item(&w->j, &has));
        if (!has) return 0;
        if (!vec_reserve(w->mem, &w->frames, 1) || !vec_reserve(w->mem, &w->offs, 1)) return error_memory(w->err);
        w->offs.at[w->offs.len++] = w->j.e.off;
        if (w->j.e.kind == JSON_NUMBER && whole(w->j.e.text, &w->frames.at[w->frames.len])) {
            w->frames.len++;
            continue;
        }
        *is = false;
        coverage_json_found(&w->j, w->j.e.off, w->j.e.line, "J-2", ASSAY_ERROR, "a frame of a sample is %s: expected a whole number",
                            w->j.e.kind == JSON_NUMBER ? "another number" : json_kind_name(w->j.e.kind));
        TRY(json_read_skip(&w->j.r, &w->j.e));
        w->offs.len--;
    }
}

static int give_stack(struct walk *w, struct speedscope_record *r, assay_slice text, uint64_t hash)
{
    if (w->in_bulk && r->frame_count && !speedscope_seen_add(&w->seen, text, hash, r->frame_count, &r->stack)) return error_memory(w->err);
    return give(w, *r);
}

/* Stacks that follow each other, as far as they are what nearly all are; *any = at least one was. */
static int many_stacks(struct walk *w, bool *any)
{
    assay_slice texts[AHEAD];
    uint64_t hash[AHEAD], values[AT_ONCE];
    unsigned i = 0, count = json_read_texts(&w->j.r, texts, AHEAD, SPEEDSCOPE_SEEN_LONGEST);
    int rc = 0;
    speedscope_seen_fetch(&w->seen, texts, count, hash);
    for (; rc == 0 && i < count; i++) {
        struct speedscope_record r = { .kind = SPEEDSCOPE_STACK, .off = json_read_off(&w->j.r, texts[i].data - 1), .at_line = w->j.e.line, .text = texts[i] };
        r.stack = speedscope_seen_find(&w->seen, texts[i], hash[i]);
        int frames = r.stack ? 0 : json_read_items(texts[i], values, AT_ONCE);
        if (frames < 0) break;
        r.frames = r.stack ? NULL : values;
        r.frame_count = (size_t)frames;
        rc = r.stack ? give(w, r) : give_stack(w, &r, texts[i], hash[i]);
    }
    *any = i > 0;
    if (i) json_read_over(&w->j.r, texts[i - 1]);
    return rc;
}

static int stack(struct walk *w)
{
    struct speedscope_record r = { .kind = SPEEDSCOPE_STACK, .off = w->j.e.off, .at_line = w->j.e.line };
    uint64_t values[AT_ONCE];
    bool is, any = false;
    TRY(coverage_json_expect(&w->j, JSON_ARRAY, "a sample", &is));
    if (!is) return 0;
    if (w->in_bulk) TRY(many_stacks(w, &any));
    if (any) return 0;
    const char *from = w->j.r.at;
    int count = json_read_plain(&w->j.r, values, AT_ONCE, NULL);
    if (count >= 0) {
        r.text = slice_from(from, w->j.r.at);
        r.frames = values;
        r.frame_count = (size_t)count;
        return give_stack(w, &r, (assay_slice){ NULL, 0 }, 0);
    }
    TRY(long_stack(w, &is));
    if (!is || w->j.r.is_damaged) return 0;
    r.frames = w->frames.at;
    r.offs = w->offs.at;
    r.frame_count = w->frames.len;
    return give_stack(w, &r, (assay_slice){ NULL, 0 }, 0);
}

static int samples(struct walk *w)
{
    bool has;
    TRY(coverage_json_expect(&w->j, JSON_ARRAY, "samples", &has));
    while (has) {
        TRY(coverage_json_item(&w->j, &has));
        if (has) TRY(stack(w));
    }
    return 0;
}

static int many_weights(struct walk *w)
{
    double numbers[AT_ONCE];
    for (unsigned n; (n = json_read_numbers(&w->j.r, numbers, AT_ONCE, false)) > 0;)
        TRY(give(w, (struct speedscope_record){ .kind = SPEEDSCOPE_WEIGHT, .numbers = numbers, .number_count = n }));
    return 0;
}

static int weights(struct walk *w)
{
    bool has;
    uint64_t off = w->j.key_off, line = w->j.key_line;
    TRY(coverage_json_expect(&w->j, JSON_ARRAY, "weights", &has));
    if (has) TRY(give(w, (struct speedscope_record){ .kind = SPEEDSCOPE_WEIGHTS, .off = off, .at_line = line }));
    while (has) {
        if (w->in_bulk) TRY(many_weights(w));
        TRY(coverage_json_item(&w->j, &has));
        if (has) TRY(give_number(w, SPEEDSCOPE_WEIGHT, "a weight"));
    }
    return 0;
}

/* ---- events ---- */

/* What the value of `type`, `frame` or `at` says; *has gets a bit for each that is what it must be. */
static int event_field(struct walk *w, int at, struct speedscope_record *r, unsigned *has)
{
    bool is;
    assay_slice text;
    TRY(coverage_json_expect(&w->j, at == 0 ? JSON_STRING : JSON_NUMBER, at == 0 ? "the type of an event" : at == 1 ? "a frame" : "a time", &is));
    if (!is) return 0;
    text = w->j.e.text;
    if (at == 0) {
        r->kind = text.len == 1 && text.data[0] == 'O' ? SPEEDSCOPE_OPEN : SPEEDSCOPE_CLOSE;
        is = text.len == 1 && (text.data[0] == 'O' || text.data[0] == 'C');
        if (!is) coverage_json_found(&w->j, w->j.e.off, w->j.e.line, "J-2", ASSAY_ERROR, "unknown type of an event: expected O or C");
    } else if (at == 1) {
        is = whole(text, &r->frame);
        if (!is) coverage_json_found(&w->j, w->j.e.off, w->j.e.line, "J-2", ASSAY_ERROR, "a frame is no whole number");
    } else
        r->number = number_of(text);
    *has |= (unsigned)is << at;
    return 0;
}

/* An event that has what it needs and nothing else, as all but a few have; anything else is not taken. */
static bool plain_event(struct walk *w, struct speedscope_record *r)
{
    struct json_member m[3];
    const char *behind;
    unsigned has = 0;
    if (json_read_members(&w->j.r, m, 3, &behind) != 3) return false;
    for (unsigned i = 0; i < 3; i++) {
        bool is_number = m[i].kind == JSON_NUMBER;
        if (is_number && slice_is(m[i].key, "at")) {
            r->number = m[i].is_whole ? (double)m[i].whole : number_of(m[i].text);
            has |= 1;
        } else if (is_number && m[i].is_whole && slice_is(m[i].key, "frame")) {
            r->frame = m[i].whole;
            has |= 2;
        } else if (m[i].kind == JSON_STRING && slice_is(m[i].key, "type") && (slice_is(m[i].text, "O") || slice_is(m[i].text, "C"))) {
            r->kind = m[i].text.data[0] == 'O' ? SPEEDSCOPE_OPEN : SPEEDSCOPE_CLOSE;
            has |= 4;
        }
    }
    if (has == 7) json_read_behind(&w->j.r, behind);
    return has == 7;
}

static int event(struct walk *w)
{
    static const assay_slice keys[] = { COVERAGE_KEY("type"), COVERAGE_KEY("frame"), COVERAGE_KEY("at") };
    struct speedscope_record r = { .off = w->j.e.off, .at_line = w->j.e.line };
    uint32_t seen = 0;
    unsigned has = 0;
    bool is;
    TRY(coverage_json_expect(&w->j, JSON_OBJECT, "an event", &is));
    if (!is) return 0;
    if (plain_event(w, &r)) return give(w, r);
    for (int at = 0; at != COVERAGE_JSON_END;) {
        TRY(coverage_json_key(&w->j, keys, 3, &seen, &at));
        if (at != COVERAGE_JSON_END) TRY(event_field(w, at, &r, &has));
    }
    if (has == 7) return give(w, r);
    if (!w->j.r.is_damaged && seen != 7)
        coverage_json_found(&w->j, r.off, r.at_line, "J-3", ASSAY_ERROR, "an event without '%s'", keys[seen & 1 ? seen & 2 ? 2 : 1 : 0].data);
    return 0;
}

static int events(struct walk *w)
{
    bool has;
    TRY(coverage_json_expect(&w->j, JSON_ARRAY, "events", &has));
    while (has) {
        TRY(coverage_json_item(&w->j, &has));
        if (has) TRY(event(w));
    }
    return 0;
}

/* ---- profiles ---- */

static int profile_field(struct walk *w, int at)
{
    switch (at) {
    case 0: return give_text(w, SPEEDSCOPE_TYPE, "the type of a profile");
    case 1: return give_text(w, SPEEDSCOPE_LABEL, "the name of a profile");
    case 2: return give_text(w, SPEEDSCOPE_UNIT, "the unit of a profile");
    case 3: return give_number(w, SPEEDSCOPE_START, "startValue");
    case 4: return give_number(w, SPEEDSCOPE_STOP, "endValue");
    case 5: return samples(w);
    case 6: return weights(w);
    default: return events(w);
    }
}

static int profile(struct walk *w)
{
    static const assay_slice keys[] = { COVERAGE_KEY("type"),     COVERAGE_KEY("name"),    COVERAGE_KEY("unit"),    COVERAGE_KEY("startValue"),
                                        COVERAGE_KEY("endValue"), COVERAGE_KEY("samples"), COVERAGE_KEY("weights"), COVERAGE_KEY("events") };
    uint32_t seen = 0;
    bool is;
    uint64_t off = w->j.e.off, line = w->j.e.line;
    TRY(coverage_json_expect(&w->j, JSON_OBJECT, "a profile", &is));
    if (!is) return 0;
    TRY(give(w, (struct speedscope_record){ .kind = SPEEDSCOPE_PROFILE, .off = off, .at_line = line }));
    for (int at = 0; at != COVERAGE_JSON_END;) {
        TRY(coverage_json_key(&w->j, keys, 8, &seen, &at));
        if (at != COVERAGE_JSON_END) TRY(profile_field(w, at));
    }
    return w->j.r.is_damaged ? 0 : give(w, (struct speedscope_record){ .kind = SPEEDSCOPE_PROFILE_END, .off = off, .at_line = line });
}

static int profiles(struct walk *w)
{
    bool has;
    TRY(coverage_json_expect(&w->j, JSON_ARRAY, "profiles", &has));
    while (has) {
        TRY(coverage_json_item(&w->j, &has));
        if (has) TRY(profile(w));
    }
    return 0;
}

static int document(struct walk *w)
{
    static const assay_slice keys[] = { COVERAGE_KEY("$schema"),  COVERAGE_KEY("shared"),  COVERAGE_KEY("profiles"),          COVERAGE_KEY("name"),
                                        COVERAGE_KEY("exporter"), COVERAGE_KEY("version"), COVERAGE_KEY("activeProfileIndex") };
    uint32_t seen = 0;
    bool is;
    TRY(json_read_next(&w->j.r, &w->j.e));
    TRY(coverage_json_expect(&w->j, JSON_OBJECT, "the document", &is));
    for (int at = 0; is;) {
        TRY(coverage_json_key(&w->j, keys, 7, &seen, &at));
        switch (at) {
        case 1: TRY(shared(w)); break;
        case 2: TRY(profiles(w)); break;
        case 3: TRY(give_text(w, SPEEDSCOPE_NAME, "name")); break;
        case 4: TRY(give_text(w, SPEEDSCOPE_EXPORTER, "exporter")); break;
        case 6:
            if (w->j.e.kind != JSON_NULL) TRY(give_number(w, SPEEDSCOPE_ACTIVE, "activeProfileIndex"));
            break;
        case COVERAGE_JSON_END: is = false; break;
        default: TRY(json_read_skip(&w->j.r, &w->j.e));
        }
    }
    /* What follows the document, or that its end is missing. */
    if (!w->j.r.is_damaged) TRY(json_read_next(&w->j.r, &w->j.e));
    return w->j.damage->failed ? error_memory(w->err) : 0;
}

int speedscope_walk(const struct read_job *job, bool in_bulk, struct findings *damage, speedscope_fn fn, void *arg, assay_error *err)
{
    struct walk w = { .fn = fn, .arg = arg, .err = err, .mem = job->mem, .in_bulk = in_bulk };
    speedscope_seen_init(&w.seen, job->mem);
    coverage_json_init(&w.j, job, damage, err);
    int rc = document(&w);
    coverage_json_done(&w.j);
    speedscope_seen_done(&w.seen);
    vec_done(job->mem, &w.frames, &w.offs, &w.name, &w.file);
    return rc;
}

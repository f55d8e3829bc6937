/* The grammar of traces; see chrome.h. Keys come in any order: Chrome itself writes args first. An event is given when all of it was read, so its texts are
 * copied; numbers are taken at once. */
#include <math.h>

#include "base/cancel.h"
#include "base/error.h"
#include "base/number.h"
#include "base/scan.h"
#include "base/slice.h"
#include "formats/chrome-trace/chrome.h"
#include "formats/coverage/json.h"

enum { NAME, CAT, PID, TID, ID, SCOPE, PARENT, TEXT_COUNT }; /* texts */
enum field { NONE, PH, TS, DUR, TDUR, ARGS, ID2, SF, WEIGHT, TEXTS /* and NAME... behind it */, FIELDS = TEXTS + TEXT_COUNT };

struct walk {
    struct json_reader r;
    struct json_event e;
    struct chrome_walk *w;
    struct findings *damage;
    chrome_fn fn;
    void *arg;
    assay_error *err;
    struct mem *mem;
    VEC(char) text; /* of the record that is open */
    VEC(struct chrome_token) tokens;
    VEC(char) frame; /* id of the frame, or key in the document */
    struct chrome_record it;
    size_t from[TEXT_COUNT], len[TEXT_COUNT]; /* texts of it: places, because `text` moves while it grows; len is 1 more */
};

/* ---- numbers ---- */

/* Up to three decimals count, the fourth rounds. */
static bool plain_time(assay_slice text, int64_t *ns)
{
    const char *p = text.data, *end = p + text.len;
    bool is_negative = p < end && *p == '-';
    uint64_t v = 0; /* 19 digits fit */
    unsigned decimals = 0;
    p += is_negative;
    const char *from = p;
    for (; p < end && is_digit(*p); p++) {
        if (p - from >= 16) return false;
        v = v * 10 + (uint64_t)(*p - '0');
    }
    if (p == from) return false;
    bool has_point = p < end && *p == '.', is_up = false;
    p += has_point;
    for (; p < end && is_digit(*p); p++, decimals++) {
        if (decimals < 3) v = v * 10 + (uint64_t)(*p - '0');
        if (decimals == 3) is_up = *p >= '5';
    }
    if (p < end) return false;
    for (; decimals < 3; decimals++) v *= 10;
    v += is_up;
    if (v >= CHROME_TIME_MAX) return false;
    *ns = is_negative ? -(int64_t)v : (int64_t)v;
    return true;
}

bool chrome_time(assay_slice text, int64_t *ns)
{
    double d;
    if (plain_time(text, ns)) return true;
    if (number_double(text, &d) == NUMBER_BAD || !(fabs(d) < CHROME_TIME_MAX / 1e3)) return false;
    *ns = llround(d * 1e3);
    return true;
}

/* ---- findings ---- */

static void found(struct walk *w, uint64_t off, uint64_t line, const char *what, enum json_kind kind)
{
    findings_add(w->damage, "J-2", ASSAY_ERROR, off, line, "%s is %s", what, json_kind_name(kind));
}

static assay_slice *text_of(struct chrome_record *r, unsigned which)
{
    assay_slice *texts[] = { &r->name, &r->cat, &r->pid, &r->tid, &r->id, &r->scope, &r->parent };
    return texts[which];
}

static int give(struct walk *w)
{
    for (unsigned i = 0; i < TEXT_COUNT; i++)
        if (w->len[i]) *text_of(&w->it, i) = (assay_slice){ w->text.at + w->from[i], w->len[i] - 1 };
    w->it.frame = (assay_slice){ w->frame.at, w->frame.len };
    w->it.token_text = w->text.at;
    w->it.tokens = w->tokens.at;
    w->it.token_count = w->tokens.len;
    if (w->damage->failed) return error_memory(w->err);
    return w->fn(w->arg, &w->it);
}

static void begin(struct walk *w, enum chrome_kind kind)
{
    w->it = (struct chrome_record){ .kind = kind, .off = w->e.off, .line = w->e.line, .weight = 1 };
    w->text.len = w->tokens.len = 0;
    memset(w->len, 0, sizeof w->len);
}

/* ---- texts and args ---- */

static int keep(struct walk *w, unsigned which)
{
    assay_slice s = w->e.text;
    if (!vec_reserve(w->mem, &w->text, s.len + 1)) return error_memory(w->err);
    w->from[which] = w->text.len;
    w->len[which] = s.len + 1;
    if (s.len) memcpy(w->text.at + w->text.len, s.data, s.len);
    w->text.len += s.len;
    return 0;
}

static int add_token(struct walk *w, unsigned above)
{
    struct chrome_token *t = vec_push(w->mem, &w->tokens);
    if (!t || !vec_reserve(w->mem, &w->text, w->e.text.len + 1)) return error_memory(w->err);
    *t = (struct chrome_token){ w->text.len, (uint32_t)w->e.text.len, (uint8_t)w->e.kind, (uint8_t)(w->e.depth - above) };
    if (w->e.text.len) memcpy(w->text.at + w->text.len, w->e.text.data, w->e.text.len);
    w->text.len += w->e.text.len;
    return 0;
}

/* Events whose figures or names are in their args. Until ph is known it may be any of them. */
static bool needs_args(char ph) { return ph == 'C' || ph == 'M' || ph == 'P' || ph == 'I' || !ph; }

static int take_args(struct walk *w)
{
    unsigned depth = w->e.depth;
    if (!w->w->keeps_args && !needs_args(w->it.ph)) return json_read_skip(&w->r, &w->e);
    w->tokens.len = 0;
    TRY(add_token(w, depth));
    if (w->e.kind != JSON_OBJECT && w->e.kind != JSON_ARRAY) return 0;
    for (size_t step = 0;; step++) {
        TRY(cancel_step(step, w->err));
        TRY(json_read_next(&w->r, &w->e));
        if (w->e.kind == JSON_END || ((w->e.kind == JSON_OBJECT_END || w->e.kind == JSON_ARRAY_END) && w->e.depth == depth)) return 0;
        TRY(add_token(w, depth));
    }
}

/* ---- fields ---- */

#define IS(literal) (memcmp(k.data, literal, sizeof literal - 1) == 0)

static enum field field_of(assay_slice k)
{
    switch (k.len) {
    case 2:
        if (IS("ph")) return PH;
        if (IS("ts")) return TS;
        if (IS("id")) return (enum field)(TEXTS + ID);
        return IS("sf") ? SF : NONE;
    case 3:
        if (IS("pid")) return (enum field)(TEXTS + PID);
        if (IS("tid")) return (enum field)(TEXTS + TID);
        if (IS("dur")) return DUR;
        if (IS("cat")) return (enum field)(TEXTS + CAT);
        return IS("id2") ? ID2 : NONE;
    case 4:
        if (IS("name")) return (enum field)(TEXTS + NAME);
        if (IS("args")) return ARGS;
        return IS("tdur") ? TDUR : NONE;
    case 5: return IS("scope") ? (enum field)(TEXTS + SCOPE) : NONE;
    case 6: return IS("weight") ? WEIGHT : IS("parent") ? (enum field)(TEXTS + PARENT) : NONE;
    case 8: return IS("category") ? (enum field)(TEXTS + CAT) : NONE;
    default: return NONE;
    }
}

/* Ids are numbers or texts; so is every number in the files of some writers. */
static int take_text(struct walk *w, unsigned which)
{
    static const char *const what[] = { "name", "cat", "pid", "tid", "id", "scope", "parent" };
    if (w->e.kind == JSON_STRING || w->e.kind == JSON_NUMBER) return keep(w, which);
    if (w->e.kind != JSON_NULL) found(w, w->e.off, w->e.line, what[which], w->e.kind);
    return json_read_skip(&w->r, &w->e);
}

static int take_phase(struct walk *w)
{
    if (w->e.kind == JSON_STRING && w->e.text.len == 1 && (unsigned char)w->e.text.data[0] < 128)
        w->it.ph = w->e.text.data[0];
    else
        findings_add(w->damage, "J-2", ASSAY_ERROR, w->e.off, w->e.line, "ph is not one letter");
    return json_read_skip(&w->r, &w->e);
}

static int take_time(struct walk *w, enum field f)
{
    int64_t ns = 0;
    if (w->e.kind == JSON_NULL) return 0;
    bool is = (w->e.kind == JSON_NUMBER || w->e.kind == JSON_STRING) && chrome_time(w->e.text, &ns);
    if (f == TS) {
        w->it.has_ts = is;
        w->it.is_bad_time = !is;
        w->it.ts = ns;
    } else if (!is)
        findings_add(w->damage, "J-2", ASSAY_ERROR, w->e.off, w->e.line, "dur is no time");
    else if (f == DUR || !w->it.has_dur) { /* tdur counts where there is no dur */
        w->it.dur = ns;
        w->it.has_dur |= f == DUR;
    }
    return json_read_skip(&w->r, &w->e);
}

static int take_weight(struct walk *w)
{
    if ((w->e.kind == JSON_NUMBER || w->e.kind == JSON_STRING) && number_i64(w->e.text, &w->it.weight) == NUMBER_OK) return 0;
    w->it.weight = 1;
    found(w, w->e.off, w->e.line, "weight", w->e.kind);
    return json_read_skip(&w->r, &w->e);
}

/* {"local": id} or {"global": id} */
static int take_id2(struct walk *w)
{
    unsigned depth = w->e.depth;
    if (w->e.kind != JSON_OBJECT) return json_read_skip(&w->r, &w->e);
    for (;;) {
        TRY(json_read_next(&w->r, &w->e));
        if (w->e.kind != JSON_KEY || w->e.depth != depth + 1) return 0;
        bool is_local = slice_is(w->e.text, "local");
        TRY(json_read_next(&w->r, &w->e));
        w->it.is_local |= is_local;
        if (w->e.kind == JSON_STRING || w->e.kind == JSON_NUMBER)
            TRY(keep(w, ID));
        else
            TRY(json_read_skip(&w->r, &w->e));
    }
}

static int take(struct walk *w, enum field f)
{
    switch (f) {
    case NONE: return json_read_skip(&w->r, &w->e);
    case PH: return take_phase(w);
    case TS:
    case DUR:
    case TDUR: return take_time(w, f);
    case ARGS: return take_args(w);
    case ID2: return take_id2(w);
    case SF: return take_text(w, PARENT);
    case WEIGHT: return take_weight(w);
    default: return take_text(w, (unsigned)f - TEXTS);
    }
}

/* To the value of the next member. w->e is no value when the object is over. */
static int member(struct walk *w, enum field *f)
{
    TRY(json_read_next(&w->r, &w->e));
    if (w->e.kind != JSON_KEY) return 0;
    *f = field_of(w->e.text);
    return json_read_next(&w->r, &w->e);
}

static bool is_over(const struct walk *w, unsigned depth) { return w->e.kind == JSON_END || (w->e.kind == JSON_OBJECT_END && w->e.depth == depth); }

/* ---- records that are all at hand ---- */

enum { MEMBERS = 24 };

static bool member_time(const struct json_member *m, int64_t *ns)
{
    if (!m->is_whole || m->whole >= CHROME_TIME_MAX / 1000) return chrome_time(m->text, ns);
    *ns = (int64_t)m->whole * 1000;
    return true;
}

/* false = whoever looks at it value by value has something to say. */
static bool take_member(struct chrome_record *it, const struct json_member *m)
{
    enum field f = field_of(m->key);
    bool is_text = m->kind == JSON_STRING || m->kind == JSON_NUMBER;
    if (f == NONE || f == ARGS) return true;
    if (!is_text) return false;
    switch ((unsigned)f) {
    case PH: it->ph = m->text.data[0]; return m->kind == JSON_STRING && m->text.len == 1 && it->ph > 0;
    case TS: it->has_ts = true; return member_time(m, &it->ts);
    case DUR: it->has_dur = true; return member_time(m, &it->dur);
    case TDUR:
    case ID2: return false;
    case SF: it->parent = m->text; return true;
    case WEIGHT: return number_i64(m->text, &it->weight) == NUMBER_OK;
    case TEXTS + PID:
        it->pid = m->text;
        it->is_pid_number = m->is_whole;
        it->pid_number = (int64_t)m->whole;
        return true;
    case TEXTS + TID:
        it->tid = m->text;
        it->is_tid_number = m->is_whole;
        it->tid_number = (int64_t)m->whole;
        return true;
    default: *text_of(it, (unsigned)f - TEXTS) = m->text; return true;
    }
}

/* Most records are plain, and need no args: their texts are slices of the input. */
static int at_once(struct walk *w, bool *is)
{
    struct json_member members[MEMBERS];
    const char *behind;
    *is = false;
    if (w->w->keeps_args) return 0;
    int count = json_read_members(&w->r, members, MEMBERS, &behind);
    if (count < 0) return 0;
    struct chrome_record it = { .kind = w->it.kind, .off = w->it.off, .line = w->it.line, .weight = 1, .frame = { w->frame.at, w->frame.len } };
    for (int i = 0; i < count; i++)
        if (!take_member(&it, &members[i])) return 0;
    if (it.kind == CHROME_EVENT && needs_args(it.ph)) return 0;
    *is = true;
    json_read_behind(&w->r, behind);
    return w->fn(w->arg, &it);
}

/* The rest of the object that w->e begins. What ends inside it is left out. */
static int object(struct walk *w, enum chrome_kind kind, const char *what)
{
    unsigned depth = w->e.depth;
    enum field f = NONE;
    begin(w, kind);
    if (w->e.kind != JSON_OBJECT) {
        found(w, w->e.off, w->e.line, what, w->e.kind);
        return json_read_skip(&w->r, &w->e);
    }
    bool is_given;
    TRY(at_once(w, &is_given));
    if (is_given) return 0;
    for (;;) {
        TRY(member(w, &f));
        if (is_over(w, depth)) break;
        TRY(take(w, f));
        if (w->r.is_damaged) break;
    }
    if (!w->r.is_damaged) return give(w);
    if (w->r.is_cut) findings_add(w->damage, "CT01", ASSAY_WARNING, w->it.off, w->it.line, "the file ends inside %s, which is left out", what);
    w->w->is_cut |= w->r.is_cut;
    w->r.is_cut = false;
    return 0;
}

/* ---- the document ---- */

static int array(struct walk *w, enum chrome_kind kind, const char *what)
{
    if (w->e.kind != JSON_ARRAY) {
        found(w, w->e.off, w->e.line, what, w->e.kind);
        return json_read_skip(&w->r, &w->e);
    }
    for (size_t step = 0;; step++) {
        TRY(cancel_step(step, w->err));
        TRY(json_read_next(&w->r, &w->e));
        if (w->e.kind == JSON_ARRAY_END || w->e.kind == JSON_END) return 0;
        TRY(object(w, kind, kind == CHROME_EVENT ? "an event" : "a sample"));
    }
}

static int keep_key(struct walk *w, size_t from)
{
    w->frame.len = from;
    if (!vec_reserve(w->mem, &w->frame, w->e.text.len + 1)) return error_memory(w->err);
    if (w->e.text.len) memcpy(w->frame.at + from, w->e.text.data, w->e.text.len);
    w->frame.len = from + w->e.text.len;
    return 0;
}

/* The id of a frame is its key. */
static int stack_frames(struct walk *w)
{
    if (w->e.kind != JSON_OBJECT) {
        found(w, w->e.off, w->e.line, "stackFrames", w->e.kind);
        return json_read_skip(&w->r, &w->e);
    }
    for (size_t step = 0;; step++) {
        TRY(cancel_step(step, w->err));
        TRY(json_read_next(&w->r, &w->e));
        if (w->e.kind != JSON_KEY) return 0;
        TRY(keep_key(w, 0));
        TRY(json_read_next(&w->r, &w->e));
        if (w->e.kind == JSON_END) return 0;
        TRY(object(w, CHROME_FRAME, "a stack frame"));
    }
}

/* A value that stands beside the events; the key is in w->frame. */
static int give_text(struct walk *w)
{
    if (w->e.kind != JSON_STRING && w->e.kind != JSON_NUMBER) return json_read_skip(&w->r, &w->e);
    begin(w, CHROME_TEXT);
    w->it.text = w->e.text;
    return give(w);
}

/* otherData and metadata: what they say right at their top. */
static int other_data(struct walk *w)
{
    size_t prefix = w->frame.len + 1;
    if (w->e.kind != JSON_OBJECT) return json_read_skip(&w->r, &w->e);
    if (!vec_reserve(w->mem, &w->frame, 1)) return error_memory(w->err);
    w->frame.at[prefix - 1] = '.';
    for (size_t step = 0;; step++) {
        TRY(cancel_step(step, w->err));
        TRY(json_read_next(&w->r, &w->e));
        if (w->e.kind != JSON_KEY) return 0;
        TRY(keep_key(w, prefix));
        TRY(json_read_next(&w->r, &w->e));
        TRY(give_text(w));
    }
}

static int document_key(struct walk *w)
{
    assay_slice key = { w->frame.at, w->frame.len };
    if (slice_is(key, "traceEvents")) return array(w, CHROME_EVENT, "traceEvents");
    if (slice_is(key, "samples")) return array(w, CHROME_SAMPLE, "samples");
    if (slice_is(key, "stackFrames")) return stack_frames(w);
    if (slice_is(key, "otherData") || slice_is(key, "metadata")) return other_data(w);
    return give_text(w);
}

static int document(struct walk *w)
{
    TRY(json_read_next(&w->r, &w->e));
    w->w->is_array = w->e.kind == JSON_ARRAY;
    if (w->w->is_array)
        TRY(array(w, CHROME_EVENT, "the document"));
    else if (w->e.kind != JSON_OBJECT) {
        found(w, w->e.off, w->e.line, "the document", w->e.kind);
        return json_read_skip(&w->r, &w->e);
    } else
        for (;;) {
            TRY(json_read_next(&w->r, &w->e));
            if (w->e.kind != JSON_KEY) break;
            TRY(keep_key(w, 0));
            TRY(json_read_next(&w->r, &w->e));
            TRY(document_key(w));
        }
    /* What follows the document. */
    return w->r.is_damaged ? 0 : json_read_next(&w->r, &w->e);
}

/* Programs that are killed leave an array without its end, which the format allows. */
static void note_cut(struct walk *w)
{
    uint64_t off = w->r.begin_off + (uint64_t)(w->r.end - w->r.begin);
    if (!w->r.is_cut) return;
    w->w->is_cut = true;
    if (w->w->is_array)
        findings_add(w->damage, "CT02", ASSAY_INFO, off, w->r.line, "the array of events is not closed: the program that wrote it was probably killed");
    else
        findings_add(w->damage, "CT03", ASSAY_WARNING, off, w->r.line, "the file ends inside the document: the events up to there are read");
}

int chrome_decode(const struct read_job *job, struct chrome_walk *walk, struct findings *damage, chrome_fn fn, void *arg, assay_error *err)
{
    struct walk w = { .w = walk, .damage = damage, .fn = fn, .arg = arg, .err = err, .mem = job->mem };
    json_read_init(&w.r, job->in, job->mem, damage, err);
    w.r.tells_cut = true;
    int rc = document(&w);
    if (rc == 0) note_cut(&w);
    if (rc == 0 && damage->failed) rc = error_memory(err);
    json_read_done(&w.r);
    vec_done(job->mem, &w.text, &w.tokens, &w.frame);
    return rc;
}

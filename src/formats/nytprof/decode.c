/* The decoder of the NYTProf stream; see decode.h. Each record is tried on the bytes at hand; when they end too early it is tried again with
 * the next block behind them, until there is none. */
#include "formats/nytprof/decode.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/number.h"
#include "base/text.h"

enum state { AT_VERSION, IN_STREAM, AT_TAIL, AT_END };
/* What came of trying to read a record. */
enum tried { DONE, SHORT, BAD };

const char *nytprof_tag_name(char tag)
{
    switch (tag) {
    case NYTPROF_VERSION: return "VERSION";
    case NYTPROF_ATTRIBUTE: return "ATTRIBUTE";
    case NYTPROF_OPTION: return "OPTION";
    case NYTPROF_COMMENT: return "COMMENT";
    case NYTPROF_START_DEFLATE: return "START_DEFLATE";
    case NYTPROF_PID_START: return "PID_START";
    case NYTPROF_PID_END: return "PID_END";
    case NYTPROF_NEW_FID: return "NEW_FID";
    case NYTPROF_TIME_LINE: return "TIME_LINE";
    case NYTPROF_TIME_BLOCK: return "TIME_BLOCK";
    case NYTPROF_DISCOUNT: return "DISCOUNT";
    case NYTPROF_SUB_ENTRY: return "SUB_ENTRY";
    case NYTPROF_SUB_RETURN: return "SUB_RETURN";
    case NYTPROF_SUB_INFO: return "SUB_INFO";
    case NYTPROF_SUB_CALLERS: return "SUB_CALLERS";
    case NYTPROF_SRC_LINE: return "SRC_LINE";
    default: return "";
    }
}

bool nytprof_is_utf8(assay_slice s)
{
    while (s.len) {
        unsigned n = text_utf8(s, NULL);
        if (!n) return false;
        s.data += n;
        s.len -= n;
    }
    return true;
}

void nytprof_decoder_init(struct nytprof_decoder *d, struct input *in) { *d = (struct nytprof_decoder){ .in = in, .c = cursor_of(NULL, 0) }; }

void nytprof_decoder_done(struct nytprof_decoder *d)
{
    input_close(d->inside);
    d->inside = NULL;
}

/* ---- damage ---- */

static __attribute__((format(printf, 6, 7))) enum tried set_damage(struct nytprof_record *r, const char *rule, int severity, bool is_fatal, uint64_t off,
                                                                   const char *fmt, ...)
{
    va_list args;
    r->tag = NYTPROF_DAMAGE;
    r->off = off;
    r->damage.rule = rule;
    r->damage.severity = severity;
    r->damage.is_fatal = is_fatal;
    va_start(args, fmt);
    vsnprintf(r->damage.message, sizeof r->damage.message, fmt, args);
    va_end(args);
    return BAD;
}

/* Nothing more comes: an empty block keeps nytprof_next from going on. */
static void stop(struct nytprof_decoder *d)
{
    d->state = AT_END;
    d->c.at = d->c.end;
}

/* The record after the one that is being given out. */
static struct nytprof_record *after(struct nytprof_decoder *d)
{
    d->has_pending = true;
    d->pending.is_wide = false;
    d->pending.is_inflated = d->is_inflated;
    return &d->pending;
}

/* ---- blocks ---- */

static bool is_packing_damage(int code) { return code == ASSAY_ERR_DAMAGED || code == ASSAY_ERR_TRUNCATED; }

/* More bytes behind those from the cursor on; *grew = there were any. */
static int more(struct nytprof_decoder *d, bool *grew, assay_error *err)
{
    size_t keep = cursor_left(&d->c);
    assay_slice block = { "", 0 };
    assay_error cause = { 0 };
    *grew = false;
    if (d->ended) return 0;
    int rc = input_block_keep(d->inside ? d->inside : d->in, keep, &block, &d->off, &cause);
    if (rc != 0 && !is_packing_damage(rc)) {
        if (err) *err = cause;
        return rc;
    }
    if (rc != 0) {
        d->ended = rc;
        d->ended_by = cause;
    }
    d->c = cursor_of(block.data, block.len);
    *grew = block.len > keep;
    return 0;
}

/* ---- parts of records ---- */

bool nytprof_int(struct cursor *c, uint32_t *out, bool *is_wide)
{
    static const uint32_t least[] = { 0, 0x80, 0x4000, 0x200000, 0x10000000 }, mask[] = { 0x7f, 0x3f, 0x1f, 0x0f, 0 };
    uint8_t d;
    struct cursor t = *c;
    uint64_t rest;
    *out = 0;
    if (!cursor_u8(&t, &d)) return false;
    unsigned more_bytes = d < 0x80 ? 0 : d < 0xc0 ? 1 : d < 0xe0 ? 2 : d < 0xff ? 3 : 4;
    if (!cursor_be(&t, more_bytes, &rest)) return false;
    *out = ((uint32_t)d & mask[more_bytes]) << (8 * (more_bytes & 3)) | (uint32_t)rest;
    if (*out < least[more_bytes] || (d >= 0xf0 && d < 0xff)) *is_wide = true;
    *c = t;
    return true;
}

static bool get_double(const struct nytprof_decoder *d, struct cursor *c, double *out)
{
    uint64_t bits;
    if (!(d->is_swapped ? cursor_u64be(c, &bits) : cursor_u64le(c, &bits))) return false;
    memcpy(out, &bits, sizeof bits);
    return true;
}

/* A string that cannot fit into what is left of the file is damage at once, not after everything has been read. */
static enum tried get_text(struct nytprof_decoder *d, struct cursor *c, struct nytprof_text *out, struct nytprof_record *r)
{
    uint8_t tag;
    uint32_t len;
    uint64_t at = d->off + cursor_off(c), file_len = d->is_inflated ? 0 : input_packing(d->in) == INPUT_PLAIN ? input_packed_len(d->in) : 0;
    if (!cursor_u8(c, &tag)) return SHORT;
    if (tag != '\'' && tag != '"')
        return set_damage(r, "N09", ASSAY_ERROR, true, r->off, "a string should begin at %" PRIu64 " with ' or \", but found byte %u", at, tag);
    if (!nytprof_int(c, &len, &r->is_wide)) return SHORT;
    if (len > NYTPROF_MAX_TEXT || (file_len && len > file_len - (d->off + cursor_off(c))))
        return set_damage(r, "N10", ASSAY_ERROR, true, r->off, "a string of %" PRIu32 " bytes at %" PRIu64 " is longer than the remaining data", len, at);
    out->is_utf8 = tag == '"';
    return cursor_bytes(c, len, &out->bytes) ? DONE : SHORT;
}

static bool get_ints(struct cursor *c, struct nytprof_record *r, uint32_t *const *out, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (!nytprof_int(c, out[i], &r->is_wide)) return false;
    return true;
}
#define INTS(...) get_ints(c, r, (uint32_t *const[]){ __VA_ARGS__ }, sizeof((uint32_t *const[]){ __VA_ARGS__ }) / sizeof(uint32_t *))
#define NEED(expr)                                                                                                                                             \
    do {                                                                                                                                                       \
        if (!(expr)) return SHORT;                                                                                                                             \
    } while (0)
#define NEED_TEXT(out)                                                                                                                                         \
    do {                                                                                                                                                       \
        enum tried text_ = get_text(d, c, (out), r);                                                                                                           \
        if (text_ != DONE) return text_;                                                                                                                       \
    } while (0)

/* ---- records ---- */

static enum tried get_line(struct nytprof_decoder *d, struct cursor *c, struct nytprof_record *r)
{
    struct nytprof_line *t = &r->text;
    struct cursor search = *c;
    (void)cursor_skip(&search, d->scanned);
    assay_slice rest;
    size_t before = cursor_left(c);
    if (!cursor_until(&search, '\n', &rest)) {
        d->scanned = cursor_left(c);
        if (d->scanned > NYTPROF_MAX_TEXT) return set_damage(r, "N04", ASSAY_ERROR, true, r->off, "a '%c' line does not end", r->tag);
        return SHORT;
    }
    d->scanned = 0;
    (void)cursor_bytes(c, before - cursor_left(&search) - 1, &t->text);
    (void)cursor_skip(c, 1);
    const char *equal = r->tag == NYTPROF_COMMENT || !t->text.len ? NULL : memchr(t->text.data, '=', t->text.len);
    t->has_key = equal != NULL;
    t->key = equal ? slice_from(t->text.data, equal) : (assay_slice){ "", 0 };
    t->value = equal ? slice_from(equal + 1, t->text.data + t->text.len) : (assay_slice){ "", 0 };
    if (!equal && r->tag != NYTPROF_COMMENT) set_damage(after(d), "N05", ASSAY_WARNING, false, r->off, "a '%c' line has no '='", r->tag);
    if (r->tag == NYTPROF_ATTRIBUTE && slice_is(t->key, "nv_size") && !slice_is(t->value, "8"))
        return set_damage(r, "N06", ASSAY_ERROR, true, r->off, "nv_size is %.*s: only doubles of 8 bytes can be read",
                          (int)(t->value.len < 20 ? t->value.len : 20), t->value.data);
    return DONE;
}

static enum tried get_file(struct nytprof_decoder *d, struct cursor *c, struct nytprof_record *r)
{
    struct nytprof_file *f = &r->file;
    NEED(INTS(&f->fid, &f->eval_fid, &f->eval_line, &f->flags, &f->size, &f->mtime));
    NEED_TEXT(&f->name);
    return DONE;
}

static enum tried get_return(struct nytprof_decoder *d, struct cursor *c, struct nytprof_record *r)
{
    struct nytprof_return *t = &r->ret;
    NEED(INTS(&t->depth) && get_double(d, c, &t->incl) && get_double(d, c, &t->excl));
    NEED_TEXT(&t->name);
    return DONE;
}

enum { EXTRA_MAX = 65535 };

static enum tried get_sub(struct nytprof_decoder *d, struct cursor *c, struct nytprof_record *r)
{
    struct nytprof_sub *s = &r->sub;
    uint32_t extra = 0, ignored;
    NEED(INTS(&s->fid));
    if (d->version.major == 2) {
        NEED(INTS(&s->first, &s->last));
        NEED_TEXT(&s->name);
        return DONE;
    }
    NEED_TEXT(&s->name);
    NEED(INTS(&s->first, &s->last));
    if (d->version.major == 3) NEED(INTS(&extra));
    if (extra > EXTRA_MAX) return set_damage(r, "N10", ASSAY_ERROR, true, r->off, "a sub has %" PRIu32 " more numbers than a sub can have", extra);
    for (uint32_t i = 0; i < extra; i++) NEED(INTS(&ignored));
    return DONE;
}

static bool has_times(const struct nytprof_decoder *d) { return d->version.major > 2 || d->version.minor > 0; }

static enum tried get_call(struct nytprof_decoder *d, struct cursor *c, struct nytprof_record *r)
{
    struct nytprof_call *k = &r->call;
    double spare;
    *k = (struct nytprof_call){ .has_caller = d->version.major >= 3 };
    NEED(INTS(&k->fid, &k->line));
    if (k->has_caller) NEED_TEXT(&k->caller);
    NEED(INTS(&k->count) && get_double(d, c, &k->incl) && get_double(d, c, &k->excl));
    if (d->version.major <= 3) NEED(get_double(d, c, &spare) && get_double(d, c, &spare));
    if (has_times(d)) NEED(get_double(d, c, &k->reci) && INTS(&k->depth));
    NEED_TEXT(&k->called);
    return DONE;
}

static bool is_time_of_day(double t) { return t >= 1e9 && t <= 4e9; }

/* The first time of day shows which way round doubles are. */
static void know_order(struct nytprof_decoder *d, struct cursor at, struct nytprof_record *r)
{
    double swapped;
    d->has_swap = true;
    if (is_time_of_day(r->process.time)) return;
    d->is_swapped = true;
    (void)get_double(d, &at, &swapped);
    d->is_swapped = is_time_of_day(swapped);
    if (!d->is_swapped) return;
    r->process.time = swapped;
    set_damage(after(d), "N44", ASSAY_INFO, false, r->off, "doubles are big-endian: written on a different kind of machine");
}

static enum tried get_process(struct nytprof_decoder *d, struct cursor *c, struct nytprof_record *r)
{
    struct nytprof_process *p = &r->process;
    p->ppid = 0;
    p->time = 0;
    p->has_time = has_times(d);
    NEED(INTS(&p->pid));
    if (r->tag == NYTPROF_PID_START) NEED(INTS(&p->ppid));
    struct cursor at = *c;
    if (p->has_time) NEED(get_double(d, c, &p->time));
    if (p->has_time && !d->has_swap) know_order(d, at, r);
    return DONE;
}

static enum tried get_time(struct cursor *c, struct nytprof_record *r)
{
    uint32_t ticks;
    struct nytprof_time *t = &r->time;
    NEED(INTS(&ticks, &t->fid, &t->line));
    t->ticks = (int32_t)ticks;
    if (r->tag == NYTPROF_TIME_BLOCK) NEED(INTS(&t->block_line, &t->sub_line));
    return DONE;
}

static enum tried get_source(struct nytprof_decoder *d, struct cursor *c, struct nytprof_record *r)
{
    NEED(INTS(&r->source.fid, &r->source.line));
    NEED_TEXT(&r->source.text);
    return DONE;
}

static enum tried get_record(struct nytprof_decoder *d, struct cursor *c, struct nytprof_record *r)
{
    uint8_t tag;
    r->off = nytprof_off(d);
    r->is_wide = false;
    r->is_inflated = d->is_inflated;
    if (!cursor_u8(c, &tag)) return SHORT;
    r->tag = (char)tag;
    switch (r->tag) {
    case NYTPROF_ATTRIBUTE:
    case NYTPROF_OPTION:
    case NYTPROF_COMMENT: return get_line(d, c, r);
    case NYTPROF_PID_START:
    case NYTPROF_PID_END: return get_process(d, c, r);
    case NYTPROF_NEW_FID: return get_file(d, c, r);
    case NYTPROF_TIME_LINE:
    case NYTPROF_TIME_BLOCK: return get_time(c, r);
    case NYTPROF_DISCOUNT: return DONE;
    case NYTPROF_SUB_ENTRY: return INTS(&r->entry.fid, &r->entry.line) ? DONE : SHORT;
    case NYTPROF_SUB_RETURN: return get_return(d, c, r);
    case NYTPROF_SUB_INFO: return get_sub(d, c, r);
    case NYTPROF_SUB_CALLERS: return get_call(d, c, r);
    case NYTPROF_SRC_LINE: return get_source(d, c, r);
    case NYTPROF_START_DEFLATE:
        if (!d->is_inflated) return DONE;
        return set_damage(r, "N13", ASSAY_ERROR, true, r->off, "a second 'z' inside the compressed part");
    default: return set_damage(r, "N08", ASSAY_ERROR, true, r->off, "byte %u is not a known tag", tag);
    }
}

/* ---- the first line ---- */

static bool get_number(assay_slice *s, uint32_t *out)
{
    uint64_t v = 0;
    size_t len = 0;
    while (s->len && s->data[0] == ' ') s->data++, s->len--;
    while (len < s->len && s->data[len] >= '0' && s->data[len] <= '9') len++;
    if (len == 0 || len > 9 || number_u64((assay_slice){ s->data, len }, &v) != NUMBER_OK) return false;
    s->data += len;
    s->len -= len;
    *out = (uint32_t)v;
    return true;
}

enum { FIRST_LINE_MAX = 100 };

static enum tried get_version(struct nytprof_decoder *d, struct cursor *c, struct nytprof_record *r)
{
    static const uint32_t newest_minor[] = { [2] = 1, [3] = 0, [4] = 0, [5] = 0 };
    struct nytprof_version *v = &r->version;
    assay_slice line;
    r->tag = NYTPROF_VERSION;
    r->off = 0;
    r->is_wide = r->is_inflated = false;
    bool has_end = cursor_until(c, '\n', &line);
    if (!has_end && cursor_left(c) < FIRST_LINE_MAX && !d->ended) return SHORT;
    if (!has_end || !slice_starts(line, "NYTProf "))
        return set_damage(r, "N01", ASSAY_ERROR, true, 0, "the first line is not 'NYTProf', two numbers and a newline");
    line.data += 8;
    line.len -= 8;
    if (!get_number(&line, &v->major) || !get_number(&line, &v->minor) || line.len)
        return set_damage(r, "N01", ASSAY_ERROR, true, 0, "the first line is not 'NYTProf', two numbers and a newline");
    d->version = *v;
    if (v->major < 2)
        set_damage(after(d), "N02", ASSAY_ERROR, true, 8, "version %" PRIu32 ".%" PRIu32 " is too old; supported: 2.0 to 5.0", v->major, v->minor);
    else if (v->major > 5)
        set_damage(after(d), "N02", ASSAY_ERROR, true, 8, "version %" PRIu32 ".%" PRIu32 " is not known; supported: 2.0 to 5.0", v->major, v->minor);
    else if (v->minor > newest_minor[v->major])
        set_damage(after(d), "N03", ASSAY_WARNING, false, 8, "minor version %" PRIu32 ".%" PRIu32 " is newer than any known version; reading on", v->major,
                   v->minor);
    return DONE;
}

/* ---- ends ---- */

/* Reads on to the end of the compressed part: whether it is sound tells what a wrong record is worth. */
static int drain(struct nytprof_decoder *d, assay_error *err)
{
    bool grew = true;
    while (grew) {
        d->c.at = d->c.end;
        TRY(more(d, &grew, err));
    }
    return 0;
}

static void damaged_inside(struct nytprof_decoder *d, struct nytprof_record *r)
{
    char was[NYTPROF_MESSAGE_LEN];
    memcpy(was, r->damage.message, sizeof was);
    set_damage(r, "N11", ASSAY_ERROR, true, r->off, "%.60s, because the compressed data is damaged: %.100s", was, d->ended_by.text);
}

/* Bytes that do not make a record are the last of the stream, or nothing is left. */
static int cut(struct nytprof_decoder *d, struct nytprof_record *r)
{
    size_t left = cursor_left(&d->c);
    char tag = left ? (char)*d->c.at : 0;
    uint64_t off = nytprof_off(d);
    const char *name = nytprof_tag_name(tag);
    r->is_wide = false;
    r->is_inflated = d->is_inflated;
    stop(d);
    if (d->ended) {
        bool is_cut = d->ended == ASSAY_ERR_TRUNCATED;
        const char *rule = !d->inside ? "N43" : is_cut ? "N12" : "N11";
        set_damage(r, rule, ASSAY_ERROR, true, off, "%.130s; %s%s", d->ended_by.text, left ? "lost inside " : "everything after it is lost", left ? name : "");
        return 1;
    }
    if (!left) return 0;
    if (tag == NYTPROF_ATTRIBUTE || tag == NYTPROF_OPTION || tag == NYTPROF_COMMENT)
        set_damage(r, "N04", ASSAY_ERROR, true, off, "a '%c' line has no newline before the end", tag);
    else
        set_damage(r, "N10", ASSAY_ERROR, true, off, "the data ends inside %s, after %zu of its bytes", name, left);
    return 1;
}

static int begin_inflating(struct nytprof_decoder *d, assay_error *err)
{
    assay_slice rest = { (const char *)d->c.at, cursor_left(&d->c) };
    TRY(input_open_inside(&d->inside, d->in, rest, INPUT_ZLIB, err));
    d->is_inflated = true;
    d->c = cursor_of(NULL, 0);
    d->off = 0;
    return 0;
}

/* Whether all lines are comments, block by block. */
static void look_at_tail(struct nytprof_decoder *d, struct nytprof_tail *t, assay_slice s, bool *at_line)
{
    for (size_t i = 0; i < s.len && t->is_comment; i++) {
        if (*at_line && s.data[i] != '#') t->is_comment = false;
        *at_line = s.data[i] == '\n';
    }
    size_t room = sizeof d->tail - t->begin.len, n = s.len < room ? s.len : room;
    if (n) memcpy(d->tail + t->begin.len, s.data, n);
    t->begin.len += n;
    t->len += s.len;
}

static int get_tail(struct nytprof_decoder *d, struct nytprof_record *r, assay_error *err)
{
    bool at_line = true;
    uint64_t off;
    assay_slice s = input_behind(d->inside);
    *r = (struct nytprof_record){ .tag = NYTPROF_TAIL, .tail = { .is_comment = true, .begin = { d->tail, 0 } } };
    r->off = r->tail.packed_end = input_used(d->inside);
    stop(d);
    do {
        look_at_tail(d, &r->tail, s, &at_line);
        int rc = input_block(d->in, false, &s, &off, err);
        if (rc != 0 && !is_packing_damage(rc)) return rc;
        if (rc != 0) s.len = 0;
    } while (s.len);
    return 1;
}

/* ---- pulling ---- */

static int give_pending(struct nytprof_decoder *d, struct nytprof_record *r)
{
    *r = d->pending;
    d->has_pending = false;
    if (r->damage.is_fatal) stop(d);
    return 1;
}

static int ended(struct nytprof_decoder *d, struct nytprof_record *r, assay_error *err)
{
    if (d->state == AT_VERSION) {
        stop(d);
        set_damage(r, "N01", ASSAY_ERROR, true, 0, "the first line is not 'NYTProf', two numbers and a newline");
        return 1;
    }
    int rc = cut(d, r);
    if (rc == 0 && d->inside) return get_tail(d, r, err);
    return rc;
}

/* A record that cannot be: after it nothing can be found. */
static int bad(struct nytprof_decoder *d, struct nytprof_record *r, assay_error *err)
{
    if (d->inside) TRY(drain(d, err));
    stop(d);
    if (d->ended == ASSAY_ERR_DAMAGED) damaged_inside(d, r);
    return 1;
}

int nytprof_next_any(struct nytprof_decoder *d, struct nytprof_record *r, assay_error *err)
{
    if (d->has_pending) return give_pending(d, r);
    if (d->state == AT_END) return 0;
    for (;;) {
        struct cursor c = d->c;
        enum tried t = d->state == AT_VERSION ? get_version(d, &c, r) : get_record(d, &c, r);
        if (t == DONE) {
            d->c = c;
            if (d->state == AT_VERSION) d->state = IN_STREAM;
            if (r->tag == NYTPROF_START_DEFLATE) TRY(begin_inflating(d, err));
            return 1;
        }
        if (t == BAD) return bad(d, r, err);
        d->has_pending = false;
        bool grew;
        TRY(more(d, &grew, err));
        if (!grew) return ended(d, r, err);
    }
}

/* Lines -> records: blocks of whole lines, cost lines and calls. The hot path of everything that reads callgrind text: it looks at each
 * byte once, allocates nothing for a line, and relies on every block ending with '\n', so that scans for a digit or a blank stop there. */
#include "formats/callgrind/decode.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/error.h"
#include "formats/callgrind/plain.h"

void cg_init(struct cg_decoder *d, struct input *in, struct mem *mem, struct findings *damage, assay_error *err)
{
    memset(d, 0, sizeof *d);
    d->in = in;
    d->mem = mem;
    d->damage = damage;
    d->err = err;
    d->mask = CG_ALL;
    d->has_line = true;
    d->pending = CG_SELF;
    intern_init(&d->names, mem);
    index_init(&d->func_index, mem);
    for (int i = 0; i < 3; i++) index_init(&d->ids[i].far_index, mem);
}

void cg_done(struct cg_decoder *d)
{
    for (int i = 0; i < 3; i++) {
        vec_done(d->mem, &d->ids[i].dense);
        vec_done(d->mem, &d->ids[i].far);
        index_done(&d->ids[i].far_index);
    }
    vec_done(d->mem, &d->funcs);
    vec_done(d->mem, &d->by_name);
    vec_done(d->mem, &d->last_line);
    index_done(&d->func_index);
    intern_done(&d->names);
}

void cg_damage(struct cg_decoder *d, const struct cg_record *r, const char *rule, int severity, const char *fmt, ...)
{
    char text[300];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    findings_add(d->damage, rule, severity, r->off, r->line, "%s", text);
}

void cg_damage_cut(struct cg_decoder *d, const struct cg_record *r)
{
    d->cut_reported = true;
    cg_damage(d, r, "CG18", ASSAY_WARNING, "the file ends inside a line");
}

/* A line that is left out because of what does not belong into it. */
static void malformed(struct cg_decoder *d, struct cg_record *r, const char *what)
{
    r->kind = CG_OTHER;
    if (d->is_cut)
        cg_damage_cut(d, r);
    else
        cg_damage(d, r, "CG07", ASSAY_ERROR, "malformed %s", what);
}

/* ---- blocks ---- */

/* Makes at .. end the next lines. 0 with at == end: the input is at its end. */
static int refill(struct cg_decoder *d)
{
    assay_slice block;
    uint64_t off;
    if (d->at_eof) return 0;
    int rc = input_block(d->in, true, &block, &off, d->err);
    if (rc == ASSAY_ERR_DAMAGED || rc == ASSAY_ERR_TRUNCATED) {
        /* the compressed data is damaged: what was unpacked has been given already */
        findings_add(d->damage, "CG24", ASSAY_ERROR, d->err->offset, 0, "%s", d->err->text);
        d->at_eof = true;
        return 0;
    }
    if (rc != 0) return d->failed = rc;
    d->at = d->begin = block.data;
    d->end = block.data + block.len;
    d->begin_off = off;
    if (block.len == 0) {
        d->at_eof = true;
        return 0;
    }
    if (d->end[-1] == '\n') return 0;

    /* The last line has no end: give it one, in a copy. Whole lines before it are read first. */
    const char *cut = memrchr(block.data, '\n', block.len);
    size_t tail = cut ? (size_t)(d->end - cut - 1) : block.len;
    d->last_line.len = 0;
    if (!vec_reserve(d->mem, &d->last_line, tail + 1)) return d->failed = error_memory(d->err);
    memcpy(d->last_line.at, d->end - tail, tail);
    d->last_line.at[tail] = '\n';
    d->last_line.len = tail + 1;
    d->end -= tail;
    return 0;
}

/* Goes on to the line without end, if there is one. */
static bool take_last_line(struct cg_decoder *d)
{
    if (!d->last_line.len) return false;
    d->begin_off += (uint64_t)(d->end - d->begin);
    d->at = d->begin = d->last_line.at;
    d->end = d->at + d->last_line.len;
    d->last_line.len = 0;
    d->is_cut = true;
    return true;
}

static int need_line(struct cg_decoder *d)
{
    while (d->at == d->end) {
        if (take_last_line(d)) return 0;
        TRY(refill(d));
        if (d->at_eof) return 0;
    }
    return 0;
}

/* ---- numbers ---- */

/* Unsigned, decimal or hex; NULL = no number. */
static const char *magnitude(const char *p, uint64_t *out, bool *range)
{
    uint64_t v = 0;
    *range = false;
    if (p[0] == '0' && (p[1] == 'x' || p[1] == 'X')) {
        const char *digits = p += 2;
        for (int h; (h = hex_digit(*p)) >= 0; p++) {
            if (v >> 60) *range = true;
            v = v << 4 | (unsigned)h;
        }
        *out = v;
        return p == digits ? NULL : p;
    }
    const char *digits = p;
    for (; is_digit(*p); p++)
        if (__builtin_mul_overflow(v, 10u, &v) || __builtin_add_overflow(v, (unsigned)(*p - '0'), &v)) *range = true;
    *out = v;
    return p == digits ? NULL : p;
}

const char *cg_number(const char *at, bool allow_sign, int64_t *out, bool *range)
{
    uint64_t v = 0;
    bool minus = allow_sign && *at == '-';
    const char *p = magnitude(at + (allow_sign && (*at == '-' || *at == '+')), &v, range);
    if (!p) return NULL;
    if (*range || v > (uint64_t)INT64_MAX + minus) {
        *range = true;
        *out = minus ? INT64_MIN : INT64_MAX;
    } else {
        *out = minus ? (int64_t)(0 - v) : (int64_t)v;
    }
    return p;
}

/* One position: absolute, or relative to `base`. NULL = malformed; *below = it would be less than 0. */
static const char *position(const char *p, uint64_t base, uint64_t *out, bool *range, bool *below)
{
    uint64_t v = 0;
    *range = *below = false;
    if (*p == '*') {
        *out = base;
        return p + 1;
    }
    char sign = *p;
    bool relative = sign == '+' || sign == '-';
    p = magnitude(p + relative, &v, range);
    if (!p) return NULL;
    if (sign == '+')
        *range |= __builtin_add_overflow(base, v, &v);
    else if (sign == '-') {
        *below = v > base;
        v = *below ? 0 : base - v;
    }
    *out = v;
    /* KCachegrind knows ranges (10+3, 10-12, 10:12): the start counts */
    if (*p == '+' || *p == '-' || *p == ':') {
        uint64_t ignored;
        bool r;
        p = magnitude(p + 1, &ignored, &r);
    }
    return p;
}

/* All positions of a line. NULL = damage was reported. `moves`: relative to the last cost line, and becomes the new one. */
static const char *positions(struct cg_decoder *d, struct cg_record *r, const char *p, struct cg_position *out, bool is_target)
{
    bool range, below;
    *out = (struct cg_position){ 0, 0 };
    for (int k = 0; k < 2; k++) {
        uint64_t v;
        if (!(k == 0 ? d->has_address : d->has_line)) continue;
        while (is_blank(*p)) p++;
        if (is_line_end(p) && is_target) return p;
        const char *q = position(p, k == 0 ? d->base.address : d->base.line, &v, &range, &below);
        if (!q || !(is_blank(*q) || is_line_end(q))) {
            malformed(d, r, "position");
            return NULL;
        }
        if (range || (k == 1 && v > UINT32_MAX)) {
            cg_damage(d, r, "CG07", ASSAY_ERROR, "%s number is too large", k == 0 ? "address" : "line");
            return NULL;
        }
        if (below) cg_damage(d, r, "CG08", ASSAY_ERROR, "relative %s below zero", k == 0 ? "address" : "line");
        if (k == 0)
            out->address = v;
        else
            out->line = (uint32_t)v;
        p = q;
    }
    return p;
}

/* ---- cost lines ---- */

/* A cost line as nearly all are: positions, then short decimal costs, one blank before each. Returns where its '\n' is; NULL = look
 * closer, nothing was changed but *at and values. */
static inline const char *plain_cost_line(const struct cg_decoder *d, const char *p, struct cg_position *at, assay_value *values, uint32_t *count)
{
    uint32_t n = 0;
    *at = (struct cg_position){ 0, 0 };
    if (d->has_address) {
        if (!(p = plain_address(p, d->end, d->base.address, &at->address))) return NULL;
        if (d->has_line && *p++ != ' ') return NULL;
    }
    if (d->has_line && !(p = plain_line_number(p, d->end, d->base.line, &at->line))) return NULL;
    while (*p == ' ' && n < d->event_count && is_digit(p[1])) {
        p = short_number(p + 1, d->end, &values[n].u);
        if (!p) return NULL;
        n++;
    }
    *count = n;
    return *p == '\n' ? p : NULL;
}

/* Adds lines "+3 120", "-1 7" and "* 42" of a file with one event, the bulk of what Valgrind writes, without a branch that depends on the
 * sign or on the number of digits: those cannot be predicted. Stops before the first line that looks different. */
static void join_steps(struct cg_decoder *d, struct cg_record *r)
{
    const char *p = d->line_end + 1;
    int64_t sum = d->costs[0].i, line = d->base.line, next;
    uint32_t lines = 0;
    while (d->end - p >= 16) {
        bool is_same = *p == '*';
        int64_t digit = p[1] - '0', step = is_same ? 0 : *p == '+' ? digit : -digit;
        const char *q = p + (is_same ? 1 : 2);
        uint64_t cost;
        if ((!is_same && *p != '+' && *p != '-') || (!is_same && !is_digit(p[1])) || *q != ' ' || !is_digit(q[1])) break;
        q = short_number(q + 1, d->end, &cost);
        if (!q || *q != '\n' || line + step < 0 || line + step > UINT32_MAX || __builtin_add_overflow(sum, (int64_t)cost, &next)) break;
        sum = next;
        line += step;
        lines++;
        p = q + 1;
    }
    if (!lines) return;
    d->line_end = p - 1;
    d->costs[0].i = sum;
    d->base.line = (uint32_t)line;
    d->line += lines;
    r->cost_lines += lines;
}

/* Adds the self cost lines that follow to the record, as long as they are plain ones. */
static void join_costs(struct cg_decoder *d, struct cg_record *r)
{
    struct cg_position at;
    bool has_steps = d->event_count == 1 && r->cost_count == 1 && d->has_line && !d->has_address;
    for (;;) {
        if (has_steps) join_steps(d, r);
        const char *p = d->line_end + 1;
        uint32_t n = 0;
        bool overflows = false;
        if (p == d->end || !(is_digit(*p) || *p == '+' || *p == '-' || *p == '*')) return;
        if (!(p = plain_cost_line(d, p, &at, d->more, &n))) return;
        while (r->cost_count < n) d->costs[r->cost_count++].i = 0;
        for (uint32_t k = 0; k < n; k++) overflows |= __builtin_add_overflow(d->costs[k].i, d->more[k].i, &d->more[k].i);
        if (overflows) return;
        for (uint32_t k = 0; k < n; k++) d->costs[k] = d->more[k];
        d->base = at;
        d->line_end = p;
        d->line++;
        r->cost_lines++;
    }
}

/* The costs after the positions; false = the line is damaged (reported). */
static bool costs(struct cg_decoder *d, struct cg_record *r, const char *p)
{
    uint32_t n = 0;
    for (;;) {
        while (is_blank(*p)) p++;
        if (is_line_end(p)) break;
        int64_t v = 0;
        bool range = false;
        const char *q = cg_number(p, true, &v, &range);
        if (!q || !(is_blank(*q) || is_line_end(q))) {
            malformed(d, r, "number");
            return false;
        }
        if (n >= d->event_count) {
            cg_damage(d, r, "CG06", ASSAY_ERROR, "more costs than the %u events", d->event_count);
            p = memchr(p, '\n', (size_t)(d->end - p));
            break;
        }
        if (range) cg_damage(d, r, "CG16", ASSAY_ERROR, "cost does not fit in 64 bits");
        if (v < 0) cg_damage(d, r, "CG29", ASSAY_WARNING, "negative cost");
        d->costs[n++].i = v;
        p = q;
    }
    r->cost_count = n;
    d->line_end = p;
    return true;
}

static bool note_name(struct cg_decoder *d)
{
    size_t len = d->by_name.len;
    if (d->fn >= len) {
        if (!vec_reserve(d->mem, &d->by_name, d->fn + 1 - len)) return false;
        memset(d->by_name.at + len, 0, (d->fn + 1 - len) * sizeof *d->by_name.at);
        d->by_name.len = d->fn + 1;
    }
    d->by_name.at[d->fn] = d->func;
    return true;
}

static uint32_t callee(struct cg_decoder *d)
{
    if (d->has_bare_calls && !d->has_cfile && d->cfn < d->by_name.len && d->by_name.at[d->cfn]) return d->by_name.at[d->cfn];
    return cg_func_of(d, d->has_cob ? d->cob : d->ob, d->has_cfile ? d->cfile : d->file, d->cfn);
}

static int cost_owner(struct cg_decoder *d, struct cg_record *r)
{
    if (!d->has_fn) cg_damage(d, r, "CG11", ASSAY_ERROR, "cost line without a function");
    if (!d->func) {
        d->func = cg_func_of(d, d->ob, d->fl, d->fn);
        if (!d->func || (d->has_bare_calls && !note_name(d))) return d->failed = error_memory(d->err);
    }
    r->func = d->func;
    r->file = d->file;
    return 0;
}

static int call_target(struct cg_decoder *d, struct cg_record *r)
{
    r->calls = d->calls;
    r->followed = d->followed;
    r->conditional = d->conditional;
    r->target = d->target;
    if (r->role == CG_CALL) {
        r->callee = callee(d);
        d->has_cob = d->has_cfile = false;
        if (!r->callee) return d->failed = error_memory(d->err);
    } else {
        r->callee = 0;
        if (d->jfn && !(r->callee = cg_func_of(d, d->ob, d->jfile ? d->jfile : d->file, d->jfn))) return d->failed = error_memory(d->err);
        r->target_file = d->jfile ? d->jfile : d->file;
        d->jfn = d->jfile = 0;
    }
    return 0;
}

/* The call or jump in work is left out, and with it what was said of its target. */
static void drop_pending(struct cg_decoder *d)
{
    d->pending = CG_SELF;
    d->has_cob = d->has_cfile = false;
    d->jfn = d->jfile = 0;
}

/* A line that begins with a number, '+', '-' or '*'. */
static int cost_line(struct cg_decoder *d, struct cg_record *r, const char *p)
{
    enum cg_role role = d->pending;
    d->pending = CG_SELF;
    d->after_blank = false;
    r->kind = CG_OTHER;
    if (!d->part_has_events) {
        cg_damage(d, r, "CG02", ASSAY_ERROR, "cost line before the events line");
        return 0;
    }
    const char *end = plain_cost_line(d, p, &r->at, d->costs, &r->cost_count);
    if (end) {
        d->base = r->at;
        d->line_end = end;
    } else {
        p = positions(d, r, p, &r->at, false);
        if (p) d->base = r->at;
        if (!p || !costs(d, r, p)) {
            if (role != CG_SELF) drop_pending(d);
            return 0;
        }
    }
    r->costs = d->costs;
    r->cost_lines = 1;
    r->role = role;
    TRY(cost_owner(d, r));
    if (role != CG_SELF)
        TRY(call_target(d, r));
    else if (d->joins_costs && end)
        join_costs(d, r);
    r->kind = CG_COST;
    return 0;
}

/* ---- calls and jumps ---- */

static const char *count(const char *p, uint64_t *out)
{
    int64_t v;
    bool range;
    while (is_blank(*p)) p++;
    p = cg_number(p, false, &v, &range);
    if (!p || range) return NULL;
    *out = (uint64_t)v;
    return p;
}

static void begin_pending(struct cg_decoder *d, struct cg_record *r, enum cg_role role)
{
    d->pending = role;
    d->pending_off = r->off;
    d->pending_line = r->line;
    r->kind = role == CG_CALL ? CG_CALLS : CG_JUMP;
    r->calls = d->calls;
    r->followed = d->followed;
    r->conditional = d->conditional;
    r->target = d->target;
}

static void calls_line(struct cg_decoder *d, struct cg_record *r, const char *p)
{
    d->conditional = false;
    d->followed = 0;
    p = count(p, &d->calls);
    if (!p || !(is_blank(*p) || is_line_end(p))) {
        malformed(d, r, "call count");
        return;
    }
    if (!positions(d, r, p, &d->target, true)) {
        r->kind = CG_OTHER;
        return;
    }
    if (!d->has_cfn) {
        cg_damage(d, r, "CG10", ASSAY_ERROR, "calls= without cfn=");
        d->cfn = 0;
    }
    begin_pending(d, r, CG_CALL);
}

/* jump=COUNT TARGET, jcnd=FOLLOWED/EXECUTED TARGET; the manual has a blank in place of the slash, and the other order */
static void jump_line(struct cg_decoder *d, struct cg_record *r, const char *p, bool conditional)
{
    d->conditional = conditional;
    d->followed = 0;
    p = count(p, conditional ? &d->followed : &d->calls);
    if (p && conditional) {
        bool slash = *p == '/';
        p = slash || is_blank(*p) ? count(p + 1, &d->calls) : NULL;
        if (p && !slash && d->followed > d->calls) {
            uint64_t swap = d->followed;
            d->followed = d->calls;
            d->calls = swap;
        }
    }
    if (!p || !(is_blank(*p) || is_line_end(p))) {
        malformed(d, r, "jump");
        return;
    }
    if (!positions(d, r, p, &d->target, true)) {
        r->kind = CG_OTHER;
        return;
    }
    if (!conditional) d->followed = d->calls;
    begin_pending(d, r, CG_JUMP_FROM);
}

/* ---- dispatch ---- */

/* A line other than a cost line, a blank or a comment ends the wait for the cost line of calls= or jump=. */
static void end_pending(struct cg_decoder *d)
{
    if (d->pending == CG_SELF) return;
    findings_add(d->damage, "CG09", ASSAY_ERROR, d->pending_off, d->pending_line, "%s without its cost line", d->pending == CG_CALL ? "calls=" : "jump");
    drop_pending(d);
}

/* The spec of a line "xx=" or "xxx=", or -1. */
static int name_spec(const char *p, const char *end, size_t *len)
{
    static const struct {
        char text[5];
        enum cg_spec spec;
    } two[] = { { "fn=", CG_FN }, { "fl=", CG_FL }, { "fi=", CG_FI }, { "fe=", CG_FE }, { "ob=", CG_OB } },
      three[] = { { "cfn=", CG_CFN }, { "cfi=", CG_CFI }, { "cfl=", CG_CFL }, { "cob=", CG_COB }, { "jfi=", CG_JFI }, { "jfn=", CG_JFN } };
    if (end - p < 3) return -1;
    for (size_t i = 0; p[2] == '=' && i < sizeof two / sizeof *two; i++)
        if (memcmp(p, two[i].text, 3) == 0) {
            *len = 3;
            return (int)two[i].spec;
        }
    if (end - p < 4 || p[3] != '=') return -1;
    for (size_t i = 0; i < sizeof three / sizeof *three; i++)
        if (memcmp(p, three[i].text, 4) == 0) {
            *len = 4;
            return (int)three[i].spec;
        }
    return -1;
}

static bool starts(const char *p, const char *end, const char *what, size_t len) { return (size_t)(end - p) >= len && memcmp(p, what, len) == 0; }

/* Any line that is no cost line; p .. end without the line end. Returns false when CG_PART was put in front and the line comes again. */
static int other_line(struct cg_decoder *d, struct cg_record *r, const char *p, const char *end, bool *again)
{
    size_t len;
    r->kind = CG_OTHER;
    d->after_blank |= p == end;
    if (p == end || *p == '#') return 0;
    const char *first = p;
    while (first < end && is_blank(*first)) first++;
    if (first == end) return 0;

    int spec = name_spec(p, end, &len);
    if (spec >= 0) {
        end_pending(d);
        return cg_name(d, r, (enum cg_spec)spec, p + len, end);
    }
    if (starts(p, end, "calls=", 6) || starts(p, end, "rcalls=", 7)) {
        end_pending(d);
        calls_line(d, r, p + (*p == 'r' ? 7 : 6));
        return 0;
    }
    if (starts(p, end, "jump=", 5) || starts(p, end, "jcnd=", 5)) {
        end_pending(d);
        jump_line(d, r, p + 5, p[1] == 'c');
        return 0;
    }
    if (!d->is_cut) end_pending(d);
    if (!cg_header(d, r)) {
        *again = true;
        r->kind = CG_PART;
    }
    return d->failed;
}

static assay_slice line_text(const char *begin, const char *nl) { return slice_from(begin, nl > begin && nl[-1] == '\r' ? nl - 1 : nl); }

static int one_line(struct cg_decoder *d, struct cg_record *r)
{
    const char *p = d->at;
    bool again = false;
    r->off = d->begin_off + (uint64_t)(p - d->begin);
    r->line = d->line + 1;
    if (is_digit(*p) || *p == '+' || *p == '-' || *p == '*') {
        d->line_end = p;
        TRY(cost_line(d, r, p));
        const char *nl = *d->line_end == '\n' ? d->line_end : memchr(d->line_end, '\n', (size_t)(d->end - d->line_end));
        r->text = line_text(p, nl);
        d->at = nl + 1;
        d->line++;
        return 0;
    }
    const char *nl = memchr(p, '\n', (size_t)(d->end - p));
    r->text = line_text(p, nl);
    TRY(other_line(d, r, p, r->text.data + r->text.len, &again));
    if (!again) {
        d->at = nl + 1;
        d->line++;
    }
    return 0;
}

/* The longest line that quick_lines takes is shorter; so many bytes can be looked at without asking for the end. */
enum { QUICK = 32 };

/* The name that "(12)" and a line end refer to; 0 = not of that form, or not known. *p moves behind the line. */
static inline uint32_t reference(const struct cg_ids *ids, const char **p, const char *end)
{
    const char *at = *p;
    uint64_t id;
    if (at[0] != '(' || !is_digit(at[1])) return 0;
    at = short_number(at + 1, end, &id);
    if (!at || at[0] != ')' || at[1] != '\n' || id >= ids->dense.len) return 0;
    *p = at + 2;
    return ids->dense.at[id];
}

/* Xdebug's calls line. Its cost line comes next, or one_line says what is wrong. */
static inline bool quick_call(struct cg_decoder *d, const char *p, uint64_t line)
{
    if (!d->has_cfn || memcmp(p, "calls=1 0 0\n", 12) != 0) return false;
    d->calls = 1;
    d->target = (struct cg_position){ 0, 0 };
    d->pending = CG_CALL;
    d->pending_off = d->begin_off + (uint64_t)(p - d->begin);
    d->pending_line = line + 1;
    return true;
}

static void quick_name(const struct cg_decoder *d, struct cg_record *r, const char *p, uint64_t line)
{
    r->kind = CG_NAME;
    r->off = d->begin_off + (uint64_t)(p - d->begin);
    r->line = line + 1;
    r->spec = CG_FN;
    r->name = d->fn;
    r->defines = false;
}

/* Takes the lines that most files consist of and that need no record of their own: blanks, known references of fl=, fn=, cfl= and cfn=,
 * and Xdebug's calls line, after which it stops. True = it came to a function's name that the caller wants to see, and *r is that. Every
 * scan stops at the '\n' that ends the block. */
static inline bool quick_lines(struct cg_decoder *d, struct cg_record *r)
{
    const char *p = d->at, *end = d->end;
    uint64_t line = d->line;
    bool is_name = false;
    for (const char *q = p; end - p >= QUICK && !is_name; p = q, line++) {
        uint32_t name;
        if (*p == '\n') {
            q++;
            d->after_blank = true;
        } else if (memcmp(p, "cfl=", 4) == 0 || memcmp(p, "cfi=", 4) == 0) {
            q += 4;
            if (!(name = reference(&d->ids[1], &q, end))) break;
            d->cfile = name;
            d->has_cfile = true;
        } else if (memcmp(p, "cfn=", 4) == 0) {
            q += 4;
            if (!(name = reference(&d->ids[2], &q, end))) break;
            d->cfn = name;
            d->has_cfn = true;
        } else if (memcmp(p, "fl=", 3) == 0) {
            q += 3;
            if (!(name = reference(&d->ids[1], &q, end))) break;
            cg_apply_file(d, name);
        } else if (memcmp(p, "fn=", 3) == 0) {
            q += 3;
            if (!(name = reference(&d->ids[2], &q, end))) break;
            cg_apply_func(d, name);
            is_name = d->mask & CG_NAME;
            if (is_name) quick_name(d, r, p, line);
        } else {
            bool is_call = *p == 'c' && quick_call(d, p, line);
            p += is_call ? 12 : 0;
            line += is_call;
            break;
        }
    }
    d->at = p;
    d->line = line;
    return is_name;
}

static int end_of_input(struct cg_decoder *d, struct cg_record *r)
{
    r->kind = CG_END;
    r->off = d->begin_off + (uint64_t)(d->end - d->begin);
    r->line = d->line + 1;
    r->text = (assay_slice){ NULL, 0 };
    /* a file cut inside a line, or behind a calls= without line end, has one finding for that, not two */
    if (d->is_cut && !d->cut_reported && d->pending != CG_SELF && d->pending_line == d->line)
        findings_add(d->damage, "CG18", ASSAY_WARNING, d->pending_off, d->pending_line, "the file ends inside a line");
    else if (!d->cut_reported)
        end_pending(d);
    d->pending = CG_SELF;
    if (d->is_callgrind && d->part_has_events && !d->has_totals && !d->is_ended)
        findings_add(d->damage, "CG31", ASSAY_ERROR, r->off, r->line, "no totals at the end, which Callgrind always writes: the file is truncated");
    d->is_ended = true;
    if (!d->had_events) findings_add(d->damage, "CG01", ASSAY_ERROR, FINDING_NO_OFFSET, 0, "no events line");
    d->had_events = true;
    return 0;
}

int cg_next(struct cg_decoder *d, struct cg_record *r)
{
    if (d->failed) return d->failed;
    if (!d->part_announced) {
        d->part_announced = true;
        if (d->part == 0) d->part = 1;
        if (d->mask & CG_PART) {
            r->kind = CG_PART;
            r->off = d->begin_off + (uint64_t)(d->at - d->begin);
            r->line = d->line + 1;
            r->text = (assay_slice){ NULL, 0 };
            return 0;
        }
    }
    for (;;) {
        if (!(d->mask & CG_OTHER) && d->pending == CG_SELF && !d->is_cut && quick_lines(d, r)) return 0;
        if (d->at == d->end) {
            TRY(need_line(d));
            if (d->at == d->end) return end_of_input(d, r);
            continue;
        }
        TRY(one_line(d, r));
        if (d->damage->failed) return d->failed = error_memory(d->err);
        if (r->kind & d->mask) return 0;
    }
}

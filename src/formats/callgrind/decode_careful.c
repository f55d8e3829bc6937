/* Lines -> records, with care: numbers in every form that the grammar has, and what is wrong with them. Lines that the quick paths of decode.c
 * do not take come here. */
#include "base/scan.h"
#include "formats/callgrind/decode.h"

/* A line that is left out because of what does not belong into it. */
static void malformed(struct cg_decoder *d, struct cg_record *r, const char *what)
{
    r->kind = CG_OTHER;
    if (d->is_cut)
        cg_damage_cut(d, r);
    else
        cg_damage(d, r, "CG07", ASSAY_ERROR, "malformed %s", what);
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

const char *cg_positions(struct cg_decoder *d, struct cg_record *r, const char *p, struct cg_position *out, bool is_target)
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

bool cg_costs(struct cg_decoder *d, struct cg_record *r, const char *p)
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

void cg_calls_line(struct cg_decoder *d, struct cg_record *r, const char *p)
{
    d->conditional = false;
    d->followed = 0;
    p = count(p, &d->calls);
    if (!p || !(is_blank(*p) || is_line_end(p))) {
        malformed(d, r, "call count");
        return;
    }
    if (!cg_positions(d, r, p, &d->target, true)) {
        r->kind = CG_OTHER;
        return;
    }
    if (!d->has_cfn) {
        cg_damage(d, r, "CG10", ASSAY_ERROR, "calls= without cfn=");
        d->cfn = 0;
    }
    begin_pending(d, r, CG_CALL);
}

/* The manual has a blank in place of the slash, and the other order. */
void cg_jump_line(struct cg_decoder *d, struct cg_record *r, const char *p, bool conditional)
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
    if (!cg_positions(d, r, p, &d->target, true)) {
        r->kind = CG_OTHER;
        return;
    }
    if (!conditional) d->followed = d->calls;
    begin_pending(d, r, CG_JUMP_FROM);
}

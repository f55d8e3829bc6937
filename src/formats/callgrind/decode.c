/* Lines -> records: blocks of whole lines, cost lines and calls. The hot path of everything that reads callgrind text: it looks at each
 * byte once, allocates nothing for a line, and relies on every block ending with '\n', so that scans for a digit or a blank stop there. */
#include "formats/callgrind/decode.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/error.h"
#include "formats/callgrind/quick.h"

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
    d->slot = -1;
    intern_init(&d->own_names, mem);
    d->names = &d->own_names;
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
    vec_done(d->mem, &d->newest);
    vec_done(d->mem, &d->last_line);
    index_done(&d->func_index);
    intern_done(&d->own_names);
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

/* ---- blocks ---- */

static int take_block(struct cg_decoder *d, assay_slice *block, uint64_t *off)
{
    struct ahead_piece piece;
    d->slot = -1;
    if (!d->ahead) return input_block(d->in, true, block, off, d->err);
    TRY(ahead_next(d->ahead, &piece, d->err));
    *block = piece.text;
    *off = piece.off;
    d->slot = piece.slot;
    return 0;
}

/* Makes at .. end the next lines. 0 with at == end: the input is at its end. */
static int refill(struct cg_decoder *d)
{
    assay_slice block;
    uint64_t off;
    if (d->at_eof) return 0;
    int rc = take_block(d, &block, &off);
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

/* ---- cost lines ---- */

static inline bool has_one_number(const struct cg_decoder *d) { return d->event_count == 1 && d->has_line && !d->has_address; }

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

/* Adds the cost lines that follow, up to the first that looks different, or lies beyond the lines of `seen`, which may be NULL. */
static inline void join_quickly(struct cg_decoder *d, struct cg_record *r, struct cg_bits *seen)
{
    struct quick_run run = { .sum = d->costs[0].i, .line = d->base.line };
    const char *p = quick_run(d->line_end + 1, d->end, seen, &run);
    if (!run.lines) return;
    if (seen) d->seen->near_lines += run.found;
    d->line_end = p - 1;
    d->costs[0].i = run.sum;
    d->base.line = (uint32_t)run.line;
    d->line += run.lines;
    r->cost_lines += run.lines;
}

static int note_line(struct cg_decoder *d, uint32_t line)
{
    if (!d->seen || !d->has_line || cg_seen_line(d->seen, d->file, line)) return 0;
    return d->failed = error_memory(d->err);
}

/* Adds the self cost lines that follow to the record, as long as they are plain ones. */
static int join_costs(struct cg_decoder *d, struct cg_record *r)
{
    struct cg_position at;
    bool is_simple = has_one_number(d) && r->cost_count == 1;
    for (;;) {
        if (is_simple && !d->seen)
            join_quickly(d, r, NULL);
        else if (is_simple && d->file < d->seen->files.len)
            join_quickly(d, r, &d->seen->files.at[d->file]);
        const char *p = d->line_end + 1;
        uint32_t n = 0;
        bool overflows = false;
        if (p == d->end || !(is_digit(*p) || *p == '+' || *p == '-' || *p == '*')) return 0;
        if (!(p = plain_cost_line(d, p, &at, d->more, &n))) return 0;
        while (r->cost_count < n) d->costs[r->cost_count++].i = 0;
        for (uint32_t k = 0; k < n; k++) overflows |= __builtin_add_overflow(d->costs[k].i, d->more[k].i, &d->more[k].i);
        if (overflows) return 0;
        for (uint32_t k = 0; k < n; k++) d->costs[k] = d->more[k];
        d->base = at;
        d->line_end = p;
        d->line++;
        r->cost_lines++;
        TRY(note_line(d, at.line));
    }
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

/* A line with its position and costs. */
static inline int book_cost(struct cg_decoder *d, struct cg_record *r, enum cg_role role, bool is_plain)
{
    r->costs = d->costs;
    r->cost_lines = 1;
    r->role = role;
    TRY(cost_owner(d, r));
    if (role != CG_SELF)
        TRY(call_target(d, r));
    else
        TRY(note_line(d, r->at.line));
    if (role == CG_SELF && d->joins_costs && is_plain) TRY(join_costs(d, r));
    r->kind = CG_COST;
    return 0;
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
        p = cg_positions(d, r, p, &r->at, false);
        if (p) d->base = r->at;
        if (!p || !cg_costs(d, r, p)) {
            if (role != CG_SELF) drop_pending(d);
            return 0;
        }
    }
    return book_cost(d, r, role, end != NULL);
}

/* The same for a line that quick_cost_line takes, from at to end, in a part with events; returns false, and has changed nothing, when it is another one. */
static inline bool quick_cost(struct cg_decoder *d, struct cg_record *r, int *rc)
{
    int64_t line;
    uint64_t cost;
    const char *p = d->at, *q = quick_cost_line(p, d->base.line, &line, &cost);
    if (!q || line < 0 || line > UINT32_MAX) return false;
    enum cg_role role = d->pending;
    d->pending = CG_SELF;
    d->after_blank = false;
    r->off = d->begin_off + (uint64_t)(p - d->begin);
    r->line = ++d->line;
    r->text = slice_from(p, q);
    r->at = (struct cg_position){ 0, (uint32_t)line };
    r->cost_count = 1;
    d->base.line = (uint32_t)line;
    d->costs[0].u = cost;
    d->line_end = q;
    *rc = book_cost(d, r, role, true);
    d->at = d->line_end + 1;
    return true;
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
        cg_calls_line(d, r, p + (*p == 'r' ? 7 : 6));
        return 0;
    }
    if (starts(p, end, "jump=", 5) || starts(p, end, "jcnd=", 5)) {
        end_pending(d);
        cg_jump_line(d, r, p + 5, p[1] == 'c');
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

static inline __attribute__((always_inline)) int one_line(struct cg_decoder *d, struct cg_record *r)
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

int cg_one_line(struct cg_decoder *d, struct cg_record *r) { return one_line(d, r); }

/* A calls line with plain numbers, Xdebug's among them; returns the next line, or NULL. The cost line comes next, or one_line says what is wrong. */
static inline const char *quick_call(struct cg_decoder *d, const char *p, uint64_t line)
{
    const char *q = p + 12;
    struct cg_position target = { 0, 0 };
    d->calls = 1;
    if (memcmp(p, "calls=1 0 0\n", 12) != 0) {
        if (!d->has_line || d->has_address || !(q = quick_calls(d, p, &d->calls, &target.line))) return NULL;
    }
    if (!d->has_cfn) return NULL;
    d->target = target;
    d->conditional = false;
    d->followed = 0;
    d->pending = CG_CALL;
    d->pending_off = d->begin_off + (uint64_t)(p - d->begin);
    d->pending_line = line + 1;
    return q;
}

/* Takes the lines that most files consist of and that need no record of their own: blanks, names by known references, and calls, after which it
 * stops. Every scan stops at the '\n' that ends the block. */
static inline void quick_lines(struct cg_decoder *d)
{
    const char *p = d->at, *end = d->end;
    uint64_t line = d->line;
    while (end - p >= QUICK) {
        if (*p == '\n') {
            p++;
            line++;
            d->after_blank = true;
            continue;
        }
        uint32_t head = quick_head(p);
        const char *next = quick_name(d, p, head);
        bool is_call = !next && head == QUICK_HEAD('c', 'a', 'l', 'l') && (next = quick_call(d, p, line));
        if (!next) break;
        p = next;
        line++;
        if (is_call) break;
    }
    d->at = p;
    d->line = line;
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

/* Whether lines may be taken that nobody hears of. Whoever wants names hears of each once: where it is defined, unless a jump did that. */
static inline bool takes_quickly(const struct cg_decoder *d)
{
    return !(d->mask & CG_OTHER) && !d->is_cut && (!(d->mask & CG_NAME) || !(d->is_xdebug || d->has_jump_names));
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
        bool is_quick = takes_quickly(d);
        if (is_quick && d->pending == CG_SELF) quick_lines(d);
        if (d->at == d->end) {
            TRY(need_line(d));
            if (d->at == d->end) return end_of_input(d, r);
            if (d->slot >= 0) {
                r->kind = CG_AHEAD;
                return 0;
            }
            continue;
        }
        int rc = 0;
        if (!(is_quick && d->end - d->at >= QUICK && has_one_number(d) && d->part_has_events && quick_cost(d, r, &rc))) rc = one_line(d, r);
        if (rc != 0) return rc;
        if (d->damage->failed) return d->failed = error_memory(d->err);
        if (r->kind & d->mask) return 0;
    }
}

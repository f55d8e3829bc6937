/* Plain lines -> sums: the hot path of `top` and `info` for what Valgrind writes. A call is taken as a whole, with its cost; whatever is unusual stays for the
 * decoder, before anything of it was taken. See sums.h. */
#include "base/error.h"
#include "formats/callgrind/quick.h"
#include "formats/callgrind/sums.h"

/* Whether lines are what sums are made of. */
static bool is_plain(const struct cg_decoder *d)
{
    return d->event_count == 1 && d->has_line && !d->has_address && d->part_has_events && d->part_announced && !d->is_xdebug && !d->is_cut && d->has_fn &&
           d->pending == CG_SELF && !d->jfn && !d->jfile;
}

static int no_memory(struct cg_decoder *d) { return d->failed = error_memory(d->err); }

/* The function whose block it is, at its first cost line. Errors: MEMORY. */
static __attribute__((noinline)) int begin_func(struct cg_decoder *d, struct cg_sums *s)
{
    if (!d->func) d->func = cg_func_of(d, d->ob, d->fl, d->fn);
    bool is_used = d->func && cg_sums_use(s, CG_USE_FUNC, d->func, d->funcs.len);
    return is_used && (s->at = cg_sums_own(s, d->func)) ? 0 : no_memory(d);
}

/* ---- self costs ---- */

/* Whether a plain self cost stands at p, and of which line. */
static bool is_cost(const struct cg_decoder *d, const char *p, uint32_t *line)
{
    int64_t at;
    uint64_t cost;
    if (!quick_cost_line(p, d->base.line, &at, &cost) || at < 0 || at > UINT32_MAX) return false;
    *line = (uint32_t)at;
    return true;
}

/* What the first self cost of a function in a file tells. */
static __attribute__((noinline)) int begin_costs(struct cg_decoder *d, struct cg_sums *s, uint32_t line)
{
    struct cg_own *own = &s->own.at[s->at];
    if (s->counted != d->file && !cg_sums_used_file(s, CG_USE_FILE, d->file) && !cg_sums_use(s, CG_USE_FILE, d->file, 0)) return no_memory(d);
    if (own->has_line || d->file != d->funcs.at[d->func].file) return 0;
    own->has_line = true;
    own->first_line = line;
    return cg_sums_use(s, CG_USE_LINE, d->func, 0) ? 0 : no_memory(d);
}

/* A line beyond those of its file that were seen. Errors: MEMORY. */
static __attribute__((noinline)) int reach_line(struct cg_decoder *d, const char *p)
{
    uint32_t line;
    return !is_cost(d, p, &line) || cg_seen_reach(d->seen, d->file, line) ? 0 : no_memory(d);
}

static inline void take_run(struct cg_decoder *d, struct cg_sums *s, const char **p)
{
    struct cg_own *own = &s->own.at[s->at];
    struct cg_bits *seen = d->seen ? &d->seen->files.at[d->file] : NULL;
    struct quick_run run = { .sum = own->self, .line = d->base.line };
    *p = quick_run(*p, d->end, seen, &run);
    own->self = run.sum;
    d->base.line = (uint32_t)run.line;
    if (seen) d->seen->near_lines += run.found;
    s->cost_records += run.lines;
    d->line += run.lines;
}

/* Takes the self costs from *p on; *p stays where it is when they are not plain. Errors: MEMORY. */
static inline int self_costs(struct cg_decoder *d, struct cg_sums *s, const char **p)
{
    const char *from = *p;
    uint32_t line;
    if (!d->func) {
        if (!is_cost(d, from, &line)) return 0;
        TRY(begin_func(d, s));
    }
    if (d->apart && d->file != d->fl && !s->own.at[s->at].has_line) return 0; /* a piece cannot tell whether that is the same file, so a record is made */
    if ((s->counted != d->file && !cg_sums_used_file(s, CG_USE_FILE, d->file)) || (!s->own.at[s->at].has_line && d->file == d->fl)) {
        if (!is_cost(d, from, &line)) return 0;
        TRY(begin_costs(d, s, line));
    }
    if (!d->seen || d->file < d->seen->files.len) take_run(d, s, p);
    if (*p != from || !d->seen) return 0;
    TRY(reach_line(d, from));
    if (d->file < d->seen->files.len) take_run(d, s, p);
    return 0;
}

/* ---- calls ---- */

enum { NO_ID = UINT32_MAX };

/* "cfn=(12)": puts the name in force, and keeps the id; the next line, or NULL. */
static inline const char *callee_name(struct cg_decoder *d, const struct cg_sums *s, const char *p, uint32_t *id)
{
    const struct cg_ids *ids = &d->ids[2];
    uint64_t n;
    if (p[4] != '(' || !is_digit(p[5]) || !(p = short_number(p + 5, d->end, &n)) || p[0] != ')' || p[1] != '\n' || n >= ids->dense.len) return NULL;
    if (n < s->targets.len) __builtin_prefetch(&s->targets.at[n], 1);
    if (!ids->dense.at[n]) return NULL;
    cg_apply(d, CG_CFN, ids->dense.at[n]);
    *id = (uint32_t)n;
    return p + 2;
}

/* What is called stands for another function than when it was called last, or has no id. Its number in t->func. Errors: MEMORY. */
static __attribute__((noinline)) int find_callee(struct cg_decoder *d, struct cg_sums *s, uint32_t id, struct cg_target *t)
{
    t->func = cg_func_of(d, t->object, t->file, t->name);
    bool is_used = t->func && cg_sums_use(s, CG_USE_FUNC, t->func, d->funcs.len);
    return is_used && (id == NO_ID || cg_sums_aim(s, id, t)) ? 0 : no_memory(d);
}

static inline bool is_target(const struct cg_target *t, const struct cg_target *key)
{
    return t->func && t->name == key->name && t->object == key->object && t->file == key->file;
}

/* Books a call of the function s->at from itself, or from there to another one; false = a sum would overflow. */
static inline bool book_recursive(struct cg_sums *s, uint64_t calls, uint64_t cost)
{
    struct cg_own *own = &s->own.at[s->at];
    uint64_t sum_calls;
    int64_t sum;
    if (__builtin_add_overflow(own->calls_recursive, calls, &sum_calls) || __builtin_add_overflow(own->recursive, (int64_t)cost, &sum)) return false;
    own->calls_recursive = sum_calls;
    own->recursive = sum;
    return true;
}
static inline bool book(struct cg_sums *s, struct cg_called *to, uint64_t calls, uint64_t cost)
{
    struct cg_own *own = &s->own.at[s->at];
    struct cg_called sum;
    int64_t out;
    if (__builtin_add_overflow(own->out, (int64_t)cost, &out) || __builtin_add_overflow(to->calls, calls, &sum.calls) ||
        __builtin_add_overflow(to->cost, (int64_t)cost, &sum.cost))
        return false;
    own->out = out;
    *to = sum;
    return true;
}

/* Takes the line calls= at *p and its cost; *p stays where it is when they are not plain. Errors: MEMORY. */
static inline int call(struct cg_decoder *d, struct cg_sums *s, uint32_t id, const char **p)
{
    uint64_t calls, cost;
    uint32_t target;
    int64_t line;
    const char *q = d->has_cfn ? quick_calls(d, *p, &calls, &target) : NULL;
    if (!q || d->end - q < QUICK || !calls) return 0;
    q = quick_cost_line(q, d->base.line, &line, &cost);
    if (!q || line < 0 || line > UINT32_MAX) return 0;
    if (!d->func) TRY(begin_func(d, s));
    if (s->sited != d->file && !cg_sums_used_file(s, CG_USE_SITE, d->file) && !cg_sums_use(s, CG_USE_SITE, d->file, 0)) return no_memory(d);
    struct cg_target key = { .name = d->cfn, .object = d->has_cob ? d->cob : d->ob, .file = d->has_cfile ? d->cfile : d->file };
    if (__builtin_expect(id < s->targets.len && is_target(&s->targets.at[id], &key), 1))
        key.func = s->targets.at[id].func;
    else
        TRY(find_callee(d, s, id, &key));
    bool is_aimed = id < s->targets.len && s->targets.at[id].func == key.func;
    struct cg_called *to = is_aimed ? &s->targets.at[id].called : &s->funcs.at[key.func].called;
    if (!(key.func == d->func ? book_recursive(s, calls, cost) : book(s, to, calls, cost))) return 0;
    if (s->wants_edges && !cg_edges_add(&s->edges, d->func, key.func, d->funcs.len)) return no_memory(d);
    d->has_cob = d->has_cfile = false;
    d->base.line = (uint32_t)line;
    d->line += 2;
    s->calls += calls;
    s->call_records++;
    *p = q + 1;
    return 0;
}

/* ---- lines ---- */

/* A name that is not a known reference: it is defined here, or stands in full. */
static bool is_name(const char *p) { return (*p == 'f' && p[2] == '=') || (*p == 'o' && p[2] == '=') || (*p == 'c' && p[3] == '='); }

/* Takes the lines at d->at; *is_taken: there may be more. */
static int some_lines(struct cg_decoder *d, struct cg_sums *s, bool *is_taken)
{
    const char *p = d->at;
    uint32_t id = NO_ID;
    int rc = 0;
    while (d->end - p >= QUICK) {
        const char *from = p;
        uint32_t head = quick_head(p);
        if (is_digit(*p) || *p == '+' || *p == '-' || *p == '*') {
            if ((rc = self_costs(d, s, &p)) != 0 || p == from) break;
            d->after_blank = false;
        } else if (head == QUICK_HEAD('c', 'a', 'l', 'l')) {
            if ((rc = call(d, s, id, &p)) != 0 || p == from) break;
            d->after_blank = false;
        } else {
            const char *next = *p == '\n' ? p + 1 : head == QUICK_HEAD('c', 'f', 'n', '=') ? callee_name(d, s, p, &id) : quick_name(d, p, head);
            if (!next) break;
            d->after_blank |= *p == '\n';
            d->line++;
            p = next;
        }
    }
    *is_taken = rc == 0 && d->end - p >= QUICK && is_name(p);
    d->at = p;
    return rc;
}

int cg_sum_lines(struct cg_decoder *d, struct cg_sums *s)
{
    struct cg_record r;
    bool is_name_next = true;
    if (!is_plain(d)) return 0;
    /* the decoder may have begun it, also by a jump, which is no use of it */
    if (d->func >= s->funcs.len || !s->funcs.at[d->func].is_used) d->func = 0;
    if (d->func) TRY(begin_func(d, s));
    for (;;) {
        TRY(some_lines(d, s, &is_name_next));
        if (!is_name_next) return 0;
        TRY(cg_one_line(d, &r));
        if (d->damage->failed) return no_memory(d);
    }
}

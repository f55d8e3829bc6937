/* Calls through proxies: functions like PHP's call_user_func that only pass a call on. A call to a proxy is booked as what it called.
 *
 * Exact: as what that very invocation called. Invocations of proxies that nobody has claimed yet lie on a stack, with the calls they
 * passed on. Blocks come when they return, so the calls to proxies in a block are the last entries, in order. Calls are booked at once
 * until one has to do with a proxy; from there on the block's calls wait for its end, so that their order stays.
 *
 * Queued, as webgrind does it: each proxy has a queue of calls passed on, and a call to it takes the oldest. That mixes up calls when a
 * proxied function uses the proxy itself, but files that webgrind has made come out the same. */
#include "formats/callgrind/blocks.h"

void cg_proxies_done(struct cg_proxies *p, struct mem *m)
{
    vec_done(m, &p->known, &p->stack);
    for (size_t i = 0; i < p->queues.len; i++) cg_calls_done(m, &p->queues.at[i].calls);
    vec_done(m, &p->queues);
    cg_calls_done(m, &p->passed);
    cg_calls_done(m, &p->waiting);
}

void cg_proxies_end(struct cg_proxies *p, struct mem *m)
{
    p->stack.len = 0;
    cg_calls_cut(&p->passed, 0);
    for (size_t i = 0; i < p->queues.len; i++) cg_calls_done(m, &p->queues.at[i].calls);
    p->queues.len = 0; /* the next run may have other events, so rows of another width */
}

/* "NAME" matches NAME and NAME:{FILE:LINE}, "=NAME" only itself */
static bool matches(assay_slice name, const char *proxy)
{
    if (*proxy == '=') return slice_is(name, proxy + 1);
    size_t len = strlen(proxy);
    return slice_starts(name, proxy) && (name.len == len || (name.len > len + 1 && memcmp(name.data + len, ":{", 2) == 0));
}

static enum cg_proxy look(struct cg_reader *r, uint32_t func)
{
    struct cg_proxies *p = &r->blocks->proxies;
    const struct assay_read_options *o = r->job->options;
    if (func >= p->known.len) {
        size_t more = r->d.funcs.len - p->known.len;
        if (!vec_reserve(r->job->mem, &p->known, more)) return CG_PROXY_NO;
        memset(p->known.at + p->known.len, CG_PROXY_UNKNOWN, more);
        p->known.len += more;
    }
    assay_slice name = cg_string(&r->d, r->d.funcs.at[func].name);
    p->known.at[func] = CG_PROXY_NO;
    for (size_t i = 0; i < o->proxy_count; i++)
        if (matches(name, o->proxies[i])) p->known.at[func] = *o->proxies[i] == '=' ? CG_PROXY_QUEUED : CG_PROXY_EXACT;
    return (enum cg_proxy)p->known.at[func];
}

static inline enum cg_proxy proxy(struct cg_reader *r, uint32_t func)
{
    const struct cg_proxies *p = &r->blocks->proxies;
    return func < p->known.len && p->known.at[func] ? (enum cg_proxy)p->known.at[func] : look(r, func);
}

static bool is_proxy(struct cg_reader *r, uint32_t func) { return proxy(r, func) == CG_PROXY_EXACT; }

static void book(struct cg_reader *r, uint32_t func, const struct cg_call *c, const assay_value *row)
{
    struct assay_place site = { r->stream, cg_reader_func(r, func, true), cg_reader_file(r, r->d.funcs.at[func].file, false), c->line, 0 };
    assay_build_call(r->b, &site, cg_reader_func(r, c->callee, true), c->calls, row, r->blocks->proxies.waiting.width);
}

/* ---- queued ---- */

static struct cg_queue *queue_of(struct cg_reader *r, uint32_t func)
{
    struct cg_proxies *p = &r->blocks->proxies;
    for (size_t i = 0; i < p->queues.len; i++)
        if (p->queues.at[i].func == func) return &p->queues.at[i];
    struct cg_queue *q = vec_push(r->job->mem, &p->queues);
    if (q) *q = (struct cg_queue){ .func = func, .calls.width = p->waiting.width };
    return q;
}

/* Books the oldest call that the proxy passed on, in place of the call to it. */
static void take(struct cg_reader *r, struct cg_queue *q, uint32_t func)
{
    book(r, func, &q->calls.at[q->head], cg_calls_row(&q->calls, q->head));
    if (++q->head < q->calls.len) return;
    q->head = 0;
    cg_calls_cut(&q->calls, 0);
}

static int queued_call(struct cg_reader *r, const struct cg_record *rec, const assay_value *row, uint32_t count, bool *is_booked, assay_error *err)
{
    bool from_proxy = proxy(r, rec->func) == CG_PROXY_QUEUED;
    struct cg_queue *q = queue_of(r, from_proxy ? rec->func : rec->callee);
    if (!q) return error_memory(err);
    *is_booked = !from_proxy && q->head == q->calls.len;
    if (from_proxy) return cg_calls_add(r->job->mem, &q->calls, (struct cg_call){ rec->callee, rec->at.line, rec->calls }, row, count) ? 0 : error_memory(err);
    if (!*is_booked) take(r, q, rec->func);
    return 0;
}

/* ---- exact ---- */

/* Calls first .. last of `from`: booked, or where the block is a proxy itself, collected in `on`. */
static int hand_on(struct cg_reader *r, uint32_t func, const struct cg_call_list *from, size_t first, size_t last, struct cg_call_list *on, assay_error *err)
{
    for (size_t i = first; i < last; i++) {
        if (!on)
            book(r, func, &from->at[i], cg_calls_row(from, i));
        else if (!cg_calls_add(r->job->mem, on, from->at[i], cg_calls_row(from, i), on->width))
            return error_memory(err);
    }
    return 0;
}

/* How many entries of the stack the block's calls to proxies own: all, or none when they do not match (edited text). */
static size_t owned(struct cg_reader *r)
{
    const struct cg_proxies *p = &r->blocks->proxies;
    size_t at = p->stack.len, n = 0;
    for (size_t i = p->waiting.len; i-- > 0;) {
        if (!is_proxy(r, p->waiting.at[i].callee)) continue;
        if (at == 0 || p->stack.at[--at].func != p->waiting.at[i].callee || p->waiting.at[i].calls != 1) return 0;
        n++;
    }
    return n;
}

static int resolve(struct cg_reader *r, uint32_t func, struct cg_call_list *on, assay_error *err)
{
    struct cg_proxies *p = &r->blocks->proxies;
    size_t n = owned(r), next = p->stack.len - n;
    for (size_t i = 0; i < p->waiting.len; i++) {
        size_t first = 0, last = 0;
        if (n && is_proxy(r, p->waiting.at[i].callee)) {
            first = p->stack.at[next].begin;
            last = next + 1 < p->stack.len ? p->stack.at[next + 1].begin : p->passed.len;
            next++;
        }
        if (first < last)
            TRY(hand_on(r, func, &p->passed, first, last, on, err));
        else
            TRY(hand_on(r, func, &p->waiting, i, i + 1, on, err));
    }
    if (n) {
        p->stack.len -= n;
        cg_calls_cut(&p->passed, p->stack.at[p->stack.len].begin);
    }
    return 0;
}

/* A proxy's block: its calls are not booked but lie on the stack for its caller. */
static int push(struct cg_reader *r, uint32_t func, assay_error *err)
{
    struct cg_proxies *p = &r->blocks->proxies;
    struct cg_call_list on = { .width = p->waiting.width };
    int rc = resolve(r, func, &on, err);
    struct cg_passed *top = rc == 0 ? vec_push(r->job->mem, &p->stack) : NULL;
    if (rc == 0 && !top) rc = error_memory(err);
    if (rc == 0) {
        *top = (struct cg_passed){ func, p->passed.len };
        rc = hand_on(r, func, &on, 0, on.len, &p->passed, err);
    }
    cg_calls_done(r->job->mem, &on);
    return rc;
}

int cg_proxies_finish(struct cg_reader *r, uint32_t func, assay_error *err)
{
    struct cg_proxies *p = &r->blocks->proxies;
    if (is_proxy(r, func))
        TRY(push(r, func, err));
    else if (p->waiting.len)
        TRY(resolve(r, func, NULL, err));
    cg_calls_cut(&p->waiting, 0);
    return 0;
}

int cg_proxies_call(struct cg_reader *r, const struct cg_record *rec, const assay_value *row, uint32_t count, bool *is_booked, assay_error *err)
{
    struct cg_proxies *p = &r->blocks->proxies;
    enum cg_proxy from = proxy(r, rec->func), to = proxy(r, rec->callee);
    if (from == CG_PROXY_QUEUED || to == CG_PROXY_QUEUED) return queued_call(r, rec, row, count, is_booked, err);
    if (!p->waiting.len && from != CG_PROXY_EXACT && to != CG_PROXY_EXACT) return 0;
    *is_booked = false;
    return cg_calls_add(r->job->mem, &p->waiting, (struct cg_call){ rec->callee, rec->at.line, rec->calls }, row, count) ? 0 : error_memory(err);
}

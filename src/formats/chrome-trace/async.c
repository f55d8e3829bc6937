/* Async events -> spans, by category and name; see chrome.h. They overlap, so they have no contexts and are in no total. */
#include "base/cancel.h"
#include "base/error.h"
#include "base/order.h"
#include "base/sort.h"
#include "formats/chrome-trace/chrome.h"

static int by_time(const void *x, const void *y)
{
    const struct chrome_async *a = x, *b = y;
    return a->ts != b->ts ? ORDER(a->ts, b->ts) : ORDER(a->off, b->off);
}

static int by_func(const void *x, const void *y)
{
    const struct chrome_async *a = x, *b = y;
    return a->func != b->func ? ORDER(a->func, b->func) : by_time(x, y);
}

static void unmatched(struct chrome *c, const struct chrome_async *a)
{
    c->async_unmatched++;
    findings_add(c->damage, "CT14", ASSAY_INFO, a->off, a->line, a->is_end ? "the end of an async event without its begin" : "an async event that never ends");
}

/* The begin becomes the span; the rest is dropped. */
static int match(struct chrome *c)
{
    size_t count = 0;
    for (size_t i = 0; i < c->async.len; i++) {
        struct chrome_async *a = &c->async.at[i];
        struct chrome_async_key *k = &c->async_keys.at[a->key];
        TRY(cancel_step(i, c->err));
        if (!a->is_end) {
            a->partner = k->open;
            k->open = (uint32_t)i + 1;
            continue;
        }
        if (!k->open) {
            unmatched(c, a);
            continue;
        }
        struct chrome_async *b = &c->async.at[k->open - 1];
        k->open = b->partner;
        b->is_matched = true;
        b->end = a->ts;
        c->async_spans++;
    }
    for (size_t i = 0; i < c->async.len && !cancel_at(i); i++) {
        const struct chrome_async *a = &c->async.at[i];
        if (!a->is_end && !a->is_matched) unmatched(c, a);
        if (!a->is_end && a->is_matched) c->async.at[count++] = *a;
    }
    c->async.len = count;
    return 0;
}

int chrome_settle_async(struct chrome *c, chrome_part_fn fn, void *arg)
{
    if (c->async.len && !sort_by(c->async.at, c->async.len, sizeof *c->async.at, by_time)) return error_cancelled(c->err);
    TRY(match(c));
    if (!fn || !c->wants_rows || !c->async.len) return 0;
    if (!sort_by(c->async.at, c->async.len, sizeof *c->async.at, by_func)) return error_cancelled(c->err);
    for (size_t i = 0; i < c->async.len;) {
        struct chrome_part part = { CHROME_ASYNC, c->async.at[i].func };
        c->rows.len = 0;
        for (; i < c->async.len && c->async.at[i].func == part.at; i++) {
            const struct chrome_async *a = &c->async.at[i];
            TRY(cancel_step(i, c->err));
            TRY(chrome_row(c, (struct chrome_row){ .time = a->ts, .length = a->end - a->ts, .set = a->set }));
        }
        TRY(fn(arg, &part));
    }
    c->rows.len = 0;
    return 0;
}

/* Samples with stack frames -> contexts; see chrome.h. A sample lasts until the next one of its thread, and the last one no time. */
#include "base/cancel.h"
#include "base/error.h"
#include "base/order.h"
#include "base/sort.h"
#include "formats/chrome-trace/chrome.h"

enum { NEW, BUSY, SOUND, UNSOUND };

static void add(int64_t *sum, int64_t more)
{
    if (__builtin_add_overflow(*sum, more, sum)) *sum = more < 0 ? INT64_MIN : INT64_MAX;
}

int chrome_add_sample(struct chrome *c, struct chrome_row row)
{
    if (!row.node) {
        c->idle_time += row.us;
        add(&c->idle_samples, row.weight);
        return chrome_row(c, row);
    }
    struct chrome_cell *cell = chrome_cell(c, row.node);
    if (!cell) return error_memory(c->err);
    add(&cell->samples, row.weight);
    cell->time += row.us;
    if (c->is_stack.len <= row.node) {
        size_t more = row.node + 1 - c->is_stack.len;
        if (!vec_reserve(c->mem, &c->is_stack, more)) return error_memory(c->err);
        memset(c->is_stack.at + c->is_stack.len, 0, more);
        c->is_stack.len += more;
    }
    c->stacks += !c->is_stack.at[row.node];
    c->is_stack.at[row.node] = 1;
    return chrome_row(c, row);
}

/* ---- frames ---- */

/* From a frame up to one that is known, to a root, or back to itself. */
static int look_up(struct chrome *c, uint32_t frame)
{
    uint8_t state = SOUND;
    c->chain.len = 0;
    for (uint32_t at = frame; at; at = c->frames.at[at].parent) {
        struct chrome_frame *f = &c->frames.at[at];
        if (f->state == BUSY) findings_add(c->damage, "CT12", ASSAY_ERROR, f->off, f->line, "a stack frame is its own caller: samples of it are left out");
        if (f->state == BUSY || f->state == UNSOUND) state = UNSOUND;
        if (f->state != NEW) break;
        f->state = BUSY;
        uint32_t *slot = vec_push(c->mem, &c->chain);
        if (!slot) return error_memory(c->err);
        *slot = at;
        if (!f->parent || c->frames.at[f->parent].func) continue;
        findings_add(c->damage, "CT13", ASSAY_ERROR, f->off, f->line, "the parent of a stack frame is not in stackFrames: the frame is taken as a root");
        f->parent = 0;
    }
    for (size_t i = 0; i < c->chain.len; i++) c->frames.at[c->chain.at[i]].state = state;
    return 0;
}

int chrome_settle_frames(struct chrome *c)
{
    for (size_t i = 1; i < c->frames.len; i++) {
        TRY(cancel_step(i, c->err));
        if (c->frames.at[i].func && c->frames.at[i].state == NEW) TRY(look_up(c, (uint32_t)i));
    }
    return 0;
}

static int node_of(struct chrome *c, uint32_t frame, uint32_t *out)
{
    uint32_t node = 0;
    c->chain.len = 0;
    for (uint32_t at = frame; at; at = c->frames.at[at].parent) {
        node = c->frames.at[at].node;
        if (node) break;
        uint32_t *slot = vec_push(c->mem, &c->chain);
        if (!slot) return error_memory(c->err);
        *slot = at;
    }
    for (size_t i = c->chain.len; i-- > 0;) {
        struct chrome_frame *f = &c->frames.at[c->chain.at[i]];
        f->node = node = chrome_node(c, node, f->func);
        if (!node) return error_memory(c->err);
    }
    *out = node;
    return 0;
}

/* ---- samples ---- */

static int by_time(const void *x, const void *y)
{
    const struct chrome_sample *a = x, *b = y;
    return a->ts != b->ts ? ORDER(a->ts, b->ts) : ORDER(a->off, b->off);
}

int chrome_settle_samples(struct chrome *c, struct chrome_stream *s)
{
    if (!sort_by(s->samples.at, s->samples.len, sizeof *s->samples.at, by_time)) return error_cancelled(c->err);
    for (size_t i = 0; i < s->samples.len; i++) {
        const struct chrome_sample *at = &s->samples.at[i];
        const struct chrome_frame *f = at->frame ? &c->frames.at[at->frame] : NULL;
        int64_t length = i + 1 < s->samples.len ? at[1].ts - at->ts : 0;
        struct chrome_row row = { .time = at->ts, .length = length, .weight = at->weight, .us = (double)length / 1e3 };
        TRY(cancel_step(i, c->err));
        if (f && !f->func) {
            findings_add(c->damage, "CT11", ASSAY_ERROR, at->off, at->line,
                         "a sample refers to stack frame '%.40s', which is not in stackFrames: it is left out", intern_get(&c->frame_ids, at->frame).data);
            continue;
        }
        if (f && f->state == UNSOUND) continue;
        if (f) TRY(node_of(c, at->frame, &row.node));
        TRY(chrome_add_sample(c, row));
    }
    vec_done(c->mem, &s->samples);
    return 0;
}

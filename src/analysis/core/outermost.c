/* Counters of what is open on the path; see outermost.h. */
#include "analysis/core/outermost.h"

#include "analysis/core/walk.h"
#include "base/cancel.h"
#include "base/scoped.h"

int outermost_mark(const struct frames *f, const uint32_t *key_of, size_t key_count, uint8_t *marks, uint8_t bit, assay_error *err)
{
    SCRATCH(uint32_t, open, f->mem, key_count);
    SCOPED(walk_done) struct walk w = { 0 };
    if (!open) return error_memory(err);
    TRY(walk_init(&w, f->tree, f->mem, err));
    while (walk_next(&w)) {
        TRY(cancel_step(w.node, err));
        uint32_t func = f->owner[w.node] == w.node ? frames_func(f, w.node) : 0, key = func && key_of ? key_of[func] : func;
        if (!key) continue;
        if (w.is_leaving)
            open[key]--;
        else if (open[key]++ == 0)
            marks[w.node] |= bit;
    }
    return 0;
}

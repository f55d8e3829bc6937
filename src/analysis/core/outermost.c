/* Counters of what is open on the path; see outermost.h. */
#include "analysis/core/outermost.h"

#include "analysis/core/walk.h"
#include "base/cancel.h"

int outermost_mark(const struct frames *f, const uint32_t *key_of, size_t key_count, uint8_t *marks, uint8_t bit, assay_error *err)
{
    uint32_t *open = mem_zalloc(f->mem, key_count, sizeof *open);
    struct walk w;
    if (!open) return error_memory(err);
    int rc = walk_init(&w, f->tree, f->mem, err);
    while (rc == 0 && walk_next(&w)) {
        rc = cancel_step(w.node, err);
        uint32_t func = f->owner[w.node] == w.node ? frames_func(f, w.node) : 0, key = func && key_of ? key_of[func] : func;
        if (!key) continue;
        if (w.is_leaving)
            open[key]--;
        else if (open[key]++ == 0)
            marks[w.node] |= bit;
    }
    walk_done(&w);
    mem_free(f->mem, open, key_count * sizeof *open);
    return rc;
}

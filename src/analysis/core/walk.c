/* Depth-first walks by sibling lists; see analysis/core/walk.h. */
#include "analysis/core/walk.h"

#include "base/error.h"

int walk_init(struct walk *w, const struct assay_tree *tree, struct mem *mem, assay_error *err)
{
    size_t n = (size_t)tree->count + 1;
    *w = (struct walk){ .mem = mem, .tree = tree };
    w->first_child = mem_zalloc(mem, n, sizeof *w->first_child);
    w->next = w->first_child ? mem_zalloc(mem, n, sizeof *w->next) : NULL;
    if (!w->next) {
        walk_done(w);
        return error_memory(err);
    }
    for (uint32_t id = tree->count; id > 0; id--) {
        uint32_t parent = tree->parent ? tree->parent[id].v : 0;
        w->next[id] = w->first_child[parent];
        w->first_child[parent] = id;
    }
    return 0;
}

void walk_done(struct walk *w)
{
    size_t n = w->tree ? (size_t)w->tree->count + 1 : 0;
    if (!w->mem) return;
    mem_free(w->mem, w->first_child, n * sizeof *w->first_child);
    mem_free(w->mem, w->next, n * sizeof *w->next);
    *w = (struct walk){ 0 };
}

bool walk_next(struct walk *w)
{
    if (w->is_done) return false;
    uint32_t child = w->is_leaving ? w->next[w->node] : w->first_child[w->node];
    if (child) {
        w->node = child;
        w->is_leaving = false;
    } else if (!w->is_leaving && w->node) {
        w->is_leaving = true;
    } else {
        w->node = w->node && w->tree->parent ? w->tree->parent[w->node].v : 0;
        w->is_leaving = true;
        w->is_done = w->node == 0;
    }
    return !w->is_done;
}

/* Stacks added up to a tree of names. Files are mostly sorted, so the frames that a line shares with the one before it are not looked up again. */
#include "base/slice.h"
#include "formats/folded/folded.h"

void folded_tree_init(struct folded_tree *t, struct mem *mem)
{
    memset(t, 0, sizeof *t);
    t->mem = mem;
    intern_init(&t->names, mem);
    index_init(&t->index, mem);
}

void folded_tree_done(struct folded_tree *t)
{
    intern_done(&t->names);
    index_done(&t->index);
    vec_done(t->mem, &t->nodes);
    vec_done(t->mem, &t->last);
    vec_done(t->mem, &t->path);
    vec_done(t->mem, &t->ends);
}

void folded_number_add(struct folded_tree *t, struct folded_number *to, struct folded_number more)
{
    to->part += more.part;
    t->has_part |= more.part > 0;
    if (to->whole > INT64_MAX - more.whole) {
        t->is_saturated = true;
        to->whole = INT64_MAX;
    } else
        to->whole += more.whole;
}

uint32_t folded_tree_child(struct folded_tree *t, uint32_t parent, assay_slice name)
{
    uint32_t handle = intern_put(&t->names, name);
    uint64_t hash = hash_mix(parent, handle);
    if (!handle) return 0;
    for (struct index_walk w = index_walk(&t->index, hash); index_next(&t->index, &w);)
        if (t->nodes.at[w.id].parent == parent && t->nodes.at[w.id].name == handle) return w.id;
    if (!t->nodes.len) {
        struct folded_node *none = vec_push(t->mem, &t->nodes);
        if (!none) return 0;
        *none = (struct folded_node){ 0 };
    }
    struct folded_node *node = vec_push(t->mem, &t->nodes);
    uint32_t id = (uint32_t)t->nodes.len - 1;
    if (!node || !index_add(&t->index, hash, id)) return 0;
    *node = (struct folded_node){ .parent = parent, .name = handle };
    return id;
}

/* How many frames of the line before begin this one too, and where the next frame begins. */
static size_t shared_frames(const struct folded_tree *t, assay_slice stack, size_t *from)
{
    size_t n = t->last.len < stack.len ? t->last.len : stack.len, same = 0, frames = 0;
    while (same < n && t->last.at[same] == stack.data[same]) same++;
    *from = 0;
    for (; frames < t->ends.len; frames++) {
        size_t end = t->ends.at[frames];
        if (end > same || (end < stack.len && stack.data[end] != ';')) break;
        *from = end + 1;
    }
    return frames;
}

static bool remember(struct folded_tree *t, assay_slice stack)
{
    t->last.len = 0;
    if (!vec_reserve(t->mem, &t->last, stack.len)) return false;
    memcpy(t->last.at, stack.data, stack.len);
    t->last.len = stack.len;
    return true;
}

bool folded_tree_add(struct folded_tree *t, assay_slice stack, struct folded_number count)
{
    size_t from;
    while (stack.len && stack.data[stack.len - 1] == ';') stack.len--; /* frames without a name at the end are nobody's */
    size_t kept = shared_frames(t, stack, &from);
    uint32_t node = kept ? t->path.at[kept - 1] : 0;
    t->path.len = t->ends.len = kept;
    while (from <= stack.len && (from < stack.len || !kept)) {
        const char *semicolon = memchr(stack.data + from, ';', stack.len - from);
        size_t end = semicolon ? (size_t)(semicolon - stack.data) : stack.len;
        node = folded_tree_child(t, node, slice_from(stack.data + from, stack.data + end));
        uint32_t *slot = node ? vec_push(t->mem, &t->path) : NULL;
        size_t *place = slot ? vec_push(t->mem, &t->ends) : NULL;
        if (!place) return false;
        *slot = node;
        *place = end;
        from = end + 1;
        kept++;
    }
    struct folded_node *leaf = &t->nodes.at[node];
    t->stacks += leaf->lines++ == 0;
    folded_number_add(t, &leaf->count, count);
    return remember(t, stack);
}

/* Stacks added up to a tree of names. Files are mostly sorted, so the frames that a line shares with the one before it are not looked up again; in those
 * that are not, lines come again and again, and are found as a whole. */
#include "formats/folded/folded.h"

#include "base/hash.h"
#include "base/slice.h"

enum {
    WHOLE = 48,          /* bytes that a line does not share with the one before: from here on it is looked up as a whole first */
    TEXT_MOST = 64 << 20 /* bytes of stacks that are kept for that */
};

void folded_tree_init(struct folded_tree *t, struct mem *mem)
{
    memset(t, 0, sizeof *t);
    t->mem = mem;
    intern_init(&t->names, mem);
    kids_init(&t->kids, mem);
    arena_init(&t->text, mem);
    index_init(&t->seen, mem);
}

void folded_tree_done(struct folded_tree *t)
{
    intern_done(&t->names);
    kids_done(&t->kids);
    arena_done(&t->text);
    vec_done(t->mem, &t->seen_stacks);
    index_done(&t->seen);
    vec_done(t->mem, &t->nodes, &t->last, &t->path, &t->ends);
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
    uint32_t id = handle ? kids_put(&t->kids, parent, handle) : 0;
    if (!id || id < t->nodes.len) return id;
    if (!vec_reserve(t->mem, &t->nodes, 2)) return 0;
    if (!t->nodes.len) t->nodes.at[t->nodes.len++] = (struct folded_node){ 0 };
    t->nodes.at[t->nodes.len++] = (struct folded_node){ .parent = parent, .name = handle };
    return id;
}

/* ---- the line before ---- */

static size_t shared_bytes(const char *a, const char *b, size_t n)
{
    size_t same = 0;
    for (uint64_t x, y; same + sizeof x <= n; same += sizeof x) {
        memcpy(&x, a + same, sizeof x);
        memcpy(&y, b + same, sizeof y);
        if (x != y) break;
    }
    while (same < n && a[same] == b[same]) same++;
    return same;
}

/* How many frames of the line before begin this one too, and where the next frame begins. */
static size_t shared_frames(const struct folded_tree *t, assay_slice stack, size_t *from)
{
    size_t n = t->last.len < stack.len ? t->last.len : stack.len, same = shared_bytes(t->last.at, stack.data, n), frames = 0;
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
    if (stack.len) memcpy(t->last.at, stack.data, stack.len);
    t->last.len = stack.len;
    return true;
}

/* ---- whole lines ---- */

static uint32_t find_whole(const struct folded_tree *t, assay_slice stack, uint64_t hash)
{
    for (struct index_walk w = index_walk(&t->seen, hash); index_next(&t->seen, &w);)
        if (slice_equal(t->seen_stacks.at[w.id - 1].text, stack)) return t->seen_stacks.at[w.id - 1].node;
    return 0;
}

static bool keep_whole(struct folded_tree *t, assay_slice stack, uint64_t hash, uint32_t node)
{
    if (stack.len > TEXT_MOST - t->text_len) return true;
    const char *copy = arena_copy(&t->text, stack);
    struct folded_stack *made = copy ? vec_push(t->mem, &t->seen_stacks) : NULL;
    if (!made) return false;
    *made = (struct folded_stack){ { copy, stack.len }, node };
    t->text_len += stack.len;
    return index_add(&t->seen, hash, (uint32_t)t->seen_stacks.len);
}

/* ---- adding ---- */

/* The node of a stack whose first `kept` frames are those of the line before; 0 = no memory. */
static uint32_t take_apart(struct folded_tree *t, assay_slice stack, size_t kept, size_t from)
{
    uint32_t node = kept ? t->path.at[kept - 1] : 0;
    t->path.len = t->ends.len = kept;
    while (from <= stack.len && (from < stack.len || !kept)) {
        const char *semicolon = memchr(stack.data + from, ';', stack.len - from);
        size_t end = semicolon ? (size_t)(semicolon - stack.data) : stack.len;
        node = folded_tree_child(t, node, slice_from(stack.data + from, stack.data + end));
        uint32_t *slot = node ? vec_push(t->mem, &t->path) : NULL;
        size_t *place = slot ? vec_push(t->mem, &t->ends) : NULL;
        if (!place) return 0;
        *slot = node;
        *place = end;
        from = end + 1;
        kept++;
    }
    return remember(t, stack) ? node : 0;
}

bool folded_tree_add(struct folded_tree *t, assay_slice stack, struct folded_number count)
{
    size_t from;
    while (stack.len && stack.data[stack.len - 1] == ';') stack.len--; /* frames without a name at the end are nobody's */
    size_t kept = shared_frames(t, stack, &from);
    bool is_whole = from + WHOLE <= stack.len;
    uint64_t hash = is_whole ? hash_bytes(stack.data, stack.len) : 0;
    uint32_t node = is_whole ? find_whole(t, stack, hash) : 0;
    if (!node) {
        node = take_apart(t, stack, kept, from);
        if (!node || (is_whole && !keep_whole(t, stack, hash, node))) return false;
    }
    struct folded_node *leaf = &t->nodes.at[node];
    t->stacks += leaf->lines++ == 0;
    folded_number_add(t, &leaf->count, count);
    return true;
}

/* See spaces.h. A change copies the way from the root to the places it touches; how deep that is depends on ranks, not on the order of the mappings. */
#include "formats/perf-data/spaces.h"

static struct pd_area *at(struct pd_spaces *s, uint32_t id) { return &s->areas.at[id - 1]; }

/* 0 = no memory */
static uint32_t make(struct pd_spaces *s, const struct pd_area *area)
{
    struct pd_area *made = s->areas.len < UINT32_MAX - 1 ? vec_push(s->mem, &s->areas) : NULL;
    if (!made) return s->failed = true, 0;
    *made = *area;
    return (uint32_t)s->areas.len;
}

static uint32_t make_ranked(struct pd_spaces *s, const struct pd_area *from, uint64_t start, uint64_t end)
{
    struct pd_area a = { .start = start, .end = end, .pgoff = from->pgoff + (start - from->start), .dso = from->dso };
    a.rank = (uint32_t)hash_mix(++s->made, 1);
    return make(s, &a);
}

/* One that may be changed. */
static uint32_t own(struct pd_spaces *s, uint32_t id)
{
    struct pd_area copy = *at(s, id);
    return id >= s->fresh ? id : make(s, &copy);
}

/* Where a subtree hangs: a root, or one side of an area. */
struct slot {
    uint32_t *root;
    uint32_t area;
    bool is_right;
};

static void hang(struct pd_spaces *s, struct slot *to, uint32_t id)
{
    if (to->root)
        *to->root = id;
    else if (to->is_right)
        at(s, to->area)->right = id;
    else
        at(s, to->area)->left = id;
}

/* Those that begin before `start`, and the others. */
static void split(struct pd_spaces *s, uint32_t root, uint64_t start, uint32_t *before, uint32_t *others)
{
    struct slot left = { .root = before }, right = { .root = others };
    while (root && !s->failed) {
        uint32_t id = own(s, root);
        if (!id) break;
        bool is_before = at(s, id)->start < start;
        hang(s, is_before ? &left : &right, id);
        root = is_before ? at(s, id)->right : at(s, id)->left;
        *(is_before ? &left : &right) = (struct slot){ .area = id, .is_right = is_before };
    }
    hang(s, &left, 0);
    hang(s, &right, 0);
}

/* All of `a` begin before all of `b`. */
static uint32_t join(struct pd_spaces *s, uint32_t a, uint32_t b)
{
    uint32_t root = 0;
    struct slot slot = { .root = &root };
    while (a && b && !s->failed) {
        bool is_a = at(s, a)->rank > at(s, b)->rank;
        uint32_t id = own(s, is_a ? a : b);
        if (!id) break;
        hang(s, &slot, id);
        slot = (struct slot){ .area = id, .is_right = is_a };
        if (is_a)
            a = at(s, id)->right;
        else
            b = at(s, id)->left;
    }
    hang(s, &slot, a ? a : b);
    return root;
}

static uint32_t last_of(const struct pd_spaces *s, uint32_t root)
{
    while (root && s->areas.at[root - 1].right) root = s->areas.at[root - 1].right;
    return root;
}

/* What of an area lies behind `end`. */
static uint32_t tail_of(struct pd_spaces *s, uint32_t id, uint64_t end)
{
    struct pd_area a = id ? *at(s, id) : (struct pd_area){ 0 };
    return id && a.end > end ? make_ranked(s, &a, end + 1, a.end) : 0;
}

uint32_t pd_space_put(struct pd_spaces *s, uint32_t root, const struct pd_area *area)
{
    uint32_t before = 0, others = 0, inside = 0, after = 0, tail = 0, head = 0, none = 0;
    s->fresh = (uint32_t)s->areas.len + 1;
    split(s, root, area->start, &before, &others);
    if (area->end == UINT64_MAX)
        inside = others;
    else
        split(s, others, area->end + 1, &inside, &after);
    uint32_t last = last_of(s, before);
    if (last && at(s, last)->end >= area->start) {
        struct pd_area cut = *at(s, last);
        tail = tail_of(s, last, area->end);
        split(s, before, cut.start, &before, &none);
        head = make_ranked(s, &cut, cut.start, area->start - 1);
    }
    if (!tail) tail = tail_of(s, last_of(s, inside), area->end);
    uint32_t made = area->dso ? make_ranked(s, area, area->start, area->end) : 0;
    if (s->failed) return 0;
    root = join(s, join(s, join(s, before, head), made), join(s, tail, after));
    return s->failed ? 0 : root;
}

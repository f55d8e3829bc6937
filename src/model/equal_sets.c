/* Comparing sets of labels: a set is its last label and the set without it, so its class is the pair of their classes. Sets that come before a set are numbered
 * before it. */
#include <stdio.h>

#include "base/index.h"
#include "model/equal.h"

struct pair {
    uint32_t rest, label; /* classes */
};

static struct pair pair_of(const struct equal *e, int side, uint32_t id)
{
    const struct assay_labels *t = &e->p[side]->labels;
    return (struct pair){ class_of(e, side, FIELD_SET, t->set_rest[id].v), class_of(e, side, FIELD_LABEL, t->set_label[id].v) };
}

/* The class of a set of the first profile with this pair, or 0. */
static uint32_t find_class(const struct equal *e, const struct index *index, struct pair pair)
{
    for (struct index_walk w = index_walk(index, hash_mix(pair.rest, pair.label)); index_next(index, &w);) {
        struct pair sample = pair_of(e, 0, e->sample[FIELD_SET].at[w.id]);
        if (sample.rest == pair.rest && sample.label == pair.label) return w.id;
    }
    return 0;
}

static int number_first(struct equal *e, struct index *index, uint32_t *classes)
{
    for (uint32_t id = 1; id <= e->p[0]->labels.set_count; id++) {
        struct pair pair = pair_of(e, 0, id);
        uint32_t found = find_class(e, index, pair);
        if (!found) {
            found = ++*classes;
            e->sample[FIELD_SET].at[found] = id;
            if (!index_add(index, hash_mix(pair.rest, pair.label), found)) return equal_memory(e);
        }
        e->map[0][FIELD_SET].at[id] = found;
    }
    return 0;
}

static int say_set(struct equal *e, int side, uint32_t id)
{
    const struct assay_labels *t = &e->p[side]->labels;
    assay_slice key = assay_profile_string(e->p[side], t->key[t->set_label[id].v]);
    return equal_differ(e, "sets of labels: only the %s profile has set %u, which ends with '%.150s' (%u and %u in total)", side ? "second" : "first", id,
                        key.data ? key.data : "", e->p[0]->labels.set_count, e->p[1]->labels.set_count);
}

static int number_second(struct equal *e, const struct index *index, uint32_t classes)
{
    struct id_map seen = { 0 };
    if (!equal_new_map(e, &seen, (size_t)classes + 1)) return equal_memory(e);
    int rc = 0;
    for (uint32_t id = 1; rc == 0 && id <= e->p[1]->labels.set_count; id++) {
        uint32_t found = find_class(e, index, pair_of(e, 1, id));
        if (!found) rc = say_set(e, 1, id);
        e->map[1][FIELD_SET].at[id] = found;
        seen.at[found] = 1;
    }
    for (uint32_t class = 1; rc == 0 && class <= classes; class ++)
        if (!seen.at[class]) rc = say_set(e, 0, e->sample[FIELD_SET].at[class]);
    mem_free(&e->mem, seen.at, seen.len * sizeof *seen.at);
    return rc;
}

int equal_sets(struct equal *e)
{
    size_t len[2] = { (size_t)e->p[0]->labels.set_count + 1, (size_t)e->p[1]->labels.set_count + 1 };
    uint32_t classes = 0;
    struct index index;
    index_init(&index, &e->mem);
    bool has_room = equal_new_map(e, &e->sample[FIELD_SET], len[0]);
    for (int side = 0; side < 2; side++) has_room = has_room && equal_new_map(e, &e->map[side][FIELD_SET], len[side]);
    int rc = has_room ? number_first(e, &index, &classes) : equal_memory(e);
    if (rc == 0) rc = number_second(e, &index, classes);
    index_done(&index);
    return rc;
}

/* See classes.h. */
#include "formats/jacoco-exec/classes.h"

void jacoco_exec_classes_init(struct jacoco_exec_classes *k, struct mem *mem)
{
    memset(k, 0, sizeof *k);
    k->mem = mem;
    intern_init(&k->names, mem);
    index_init(&k->by_id, mem);
}

void jacoco_exec_classes_done(struct jacoco_exec_classes *k)
{
    intern_done(&k->names);
    index_done(&k->by_id);
    vec_done(k->mem, &k->first, &k->list, &k->bits);
}

static struct jacoco_exec_class *find(struct jacoco_exec_classes *k, uint64_t id)
{
    for (struct index_walk w = index_walk(&k->by_id, hash_mix(id, 0)); index_next(&k->by_id, &w);)
        if (k->list.at[w.id - 1].id == id) return &k->list.at[w.id - 1];
    return NULL;
}

/* The first class of a name is what later ones are compared with. */
static bool add_name(struct jacoco_exec_classes *k, const struct jacoco_exec_record *r, uint32_t *name, struct findings *out)
{
    *name = intern_put(&k->names, r->name);
    if (!*name) return false;
    if (*name > k->first.len) {
        uint32_t *slot = vec_push(k->mem, &k->first);
        if (slot) *slot = (uint32_t)k->list.len;
        return slot != NULL;
    }
    if (k->list.at[k->first.at[*name - 1]].id != r->id)
        findings_add(out, "JE-5", ASSAY_WARNING, r->off, 0, "the class has a different id than before: it is from another build");
    return true;
}

static bool add(struct jacoco_exec_classes *k, const struct jacoco_exec_record *r, struct findings *out)
{
    uint32_t name;
    if (!add_name(k, r, &name, out) || !vec_reserve(k->mem, &k->bits, r->bits.len + 1)) return false;
    struct jacoco_exec_class *c = vec_push(k->mem, &k->list);
    if (!c || !index_add(&k->by_id, hash_mix(r->id, 0), (uint32_t)k->list.len)) return false;
    *c = (struct jacoco_exec_class){ r->id, r->probes, name, k->bits.len };
    if (r->bits.len) memcpy(k->bits.at + k->bits.len, r->bits.data, r->bits.len);
    k->bits.len += r->bits.len;
    return true;
}

bool jacoco_exec_classes_add(struct jacoco_exec_classes *k, const struct jacoco_exec_record *r, struct findings *out)
{
    struct jacoco_exec_class *c = find(k, r->id);
    if (!c) return add(k, r, out);
    if (c->probes != r->probes) {
        findings_add(out, "JE-7", ASSAY_WARNING, r->off, 0, "the class has a different number of probes than before: the second record is left out");
        return true;
    }
    for (size_t i = 0; i < r->bits.len; i++) k->bits.at[c->bits + i] |= (unsigned char)r->bits.data[i];
    return true;
}

uint64_t jacoco_exec_classes_hits(const struct jacoco_exec_classes *k, const struct jacoco_exec_class *c)
{
    uint64_t n = 0;
    for (uint64_t i = 0; i < c->probes; i++) n += jacoco_exec_classes_hit(k, c, i);
    return n;
}

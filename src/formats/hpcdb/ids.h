/* Numbers of contexts in the files (ctxId) <-> dense numbers from 1 on. Ids of real databases are nearly dense, so an array answers; those
 * far beyond the others wait in a hash, because a single false id must not size an allocation. */
#ifndef FORMATS_HPCDB_IDS_H
#define FORMATS_HPCDB_IDS_H

#include "base/index.h"
#include "base/vec.h"

struct hpcdb_ids {
    struct mem *mem;
    VEC(uint32_t) dense; /* by id: its number, 0 = none */
    VEC(uint32_t) ids;   /* by number: its id, HPCDB_NONE = has none of its own; [0] stands for context 0 */
    struct index sparse;
};

/* `hint`: ids below it are expected; it must be no larger than the file allows. false = no memory; hpcdb_ids_done is needed in either case. */
bool hpcdb_ids_init(struct hpcdb_ids *s, struct mem *mem, uint32_t hint);
void hpcdb_ids_done(struct hpcdb_ids *s);

static inline uint32_t hpcdb_ids_count(const struct hpcdb_ids *s) { return (uint32_t)(s->ids.len - 1); }
/* The number of an id, 0 = none. */
uint32_t hpcdb_ids_sparse(const struct hpcdb_ids *s, uint32_t id);
static inline uint32_t hpcdb_ids_find(const struct hpcdb_ids *s, uint32_t id)
{
    uint32_t n = id < s->dense.len ? s->dense.at[id] : 0;
    return n || !s->sparse.count ? n : hpcdb_ids_sparse(s, id);
}
/* Gives the next number to an id; an id that is 0 or has one already stays as it is, and the number has no id. *is_new tells. false = no
 * memory. */
bool hpcdb_ids_add(struct hpcdb_ids *s, uint32_t id, bool *is_new);

/* The same for very many: ids are put one after the other, none can be found before hpcdb_ids_settle, which names those that got no number of
 * their own. Numbers of a tree jump about in memory, and here the next ones can be fetched ahead. */
static inline bool hpcdb_ids_put(struct hpcdb_ids *s, uint32_t id)
{
    uint32_t *slot = vec_push(s->mem, &s->ids);
    if (slot) *slot = id;
    return slot != NULL;
}
typedef void (*hpcdb_ids_fn)(void *arg, uint32_t number, uint32_t id);
bool hpcdb_ids_settle(struct hpcdb_ids *s, hpcdb_ids_fn refused, void *arg);

#endif

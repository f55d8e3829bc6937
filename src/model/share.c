/* Parts of a profile; see share.h. */
#include "model/share.h"

#include "base/scoped.h"
#include "model/builder.h"

struct share *share_of_builder(assay_builder *b, const struct team *team)
{
    struct share *s = mem_zalloc(b->mem, 1, sizeof *s);
    if (!s) return NULL;
    s->mem = b->mem;
    s->team = team;
    b->p->share = s;
    return s;
}

const struct share *share_of(const assay_profile *p) { return p->share; }

void share_free(struct share *s)
{
    if (!s) return;
    struct mem *mem = s->mem;
    for (size_t i = 0; i < s->children.len; i++) mem_free(mem, s->children.at[i].map, ((size_t)s->children.at[i].count + 1) * sizeof(uint32_t));
    vec_done(mem, &s->children);
    mem_free(mem, s, sizeof *s);
}

int share_numbers(const struct share *s, uint32_t *by_node, uint32_t count, assay_error *err)
{
    const struct team *t = s->team;
    uint32_t most = 0;
    for (size_t i = 0; i < s->children.len; i++) most = s->children.at[i].count > most ? s->children.at[i].count : most;
    SCRATCH(uint32_t, its, s->mem, (size_t)most + 1);
    TRY(team_agree(t, its ? 0 : error_memory(err), err));
    if (t->rank) t->receive(t->arg, s->parent, by_node, ((size_t)count + 1) * sizeof *by_node);
    for (size_t i = s->children.len; i-- > 0;) {
        const struct share_child *c = &s->children.at[i];
        for (uint32_t n = 0; n <= c->count; n++) its[n] = by_node[c->map[n]];
        t->send(t->arg, c->rank, its, ((size_t)c->count + 1) * sizeof *its);
    }
    return 0;
}

/* The tables of sums; see sums.h. */
#include "formats/callgrind/sums.h"

void cg_sums_init(struct cg_sums *s, struct mem *mem)
{
    *s = (struct cg_sums){ .mem = mem };
    cg_edges_init(&s->edges, mem);
}

void cg_sums_done(struct cg_sums *s)
{
    if (!s->mem) return;
    vec_done(s->mem, &s->funcs, &s->own, &s->targets, &s->aimed, &s->files, &s->uses);
    cg_edges_done(&s->edges);
}

void cg_sums_begin(struct cg_sums *s)
{
    for (size_t i = 0; i < s->aimed.len; i++) s->targets.at[s->aimed.at[i]].func = 0;
    for (size_t i = 0; i < s->uses.len; i++)
        if (s->uses.at[i].kind == CG_USE_FUNC) s->funcs.at[s->uses.at[i].id] = (struct cg_summed){ 0 };
    s->own.len = s->aimed.len = s->uses.len = s->told = 0;
    s->at = 0;
    s->calls = s->call_records = s->cost_records = 0;
}

void cg_sums_clear(struct cg_sums *s)
{
    cg_sums_begin(s);
    s->files.len = 0;
    s->counted = s->sited = 0;
    cg_edges_clear(&s->edges);
}

/* Makes a vector `count` long, the new elements 0; false = no memory. */
#define REACH(s, v, count) ((count) <= (v)->len || reach_((s)->mem, (void **)&(v)->at, &(v)->len, &(v)->cap, (count), sizeof *(v)->at))

static bool reach_(struct mem *mem, void **at, size_t *len, size_t *cap, size_t count, size_t size)
{
    if (!vec_grow_(mem, at, *len, cap, count - *len, size)) return false;
    memset((char *)*at + *len * size, 0, (count - *len) * size);
    *len = count;
    return true;
}

/* Whether it is the first use; *failed = no memory. */
static bool is_first(struct cg_sums *s, enum cg_use_kind kind, uint32_t id, size_t funcs, bool *failed)
{
    bool was_used = false;
    if (kind == CG_USE_FUNC) {
        if ((*failed = !REACH(s, &s->funcs, funcs))) return false;
        was_used = s->funcs.at[id].is_used;
        s->funcs.at[id].is_used = true;
    } else if (kind == CG_USE_FILE || kind == CG_USE_SITE) {
        if ((*failed = !REACH(s, &s->files, (size_t)id + 1))) return false;
        was_used = s->files.at[id] & 1 << kind;
        s->files.at[id] |= (uint8_t)(1 << kind);
    }
    return !was_used;
}

bool cg_sums_use(struct cg_sums *s, enum cg_use_kind kind, uint32_t id, size_t funcs)
{
    bool failed = false;
    if (kind == CG_USE_FILE) s->counted = id;
    if (kind == CG_USE_FILE || kind == CG_USE_SITE) s->sited = id;
    if (!is_first(s, kind, id, funcs, &failed)) return !failed;
    struct cg_use *use = vec_push(s->mem, &s->uses);
    if (use) *use = (struct cg_use){ id, kind };
    return use != NULL;
}

uint32_t cg_sums_own(struct cg_sums *s, uint32_t func)
{
    uint32_t *own = &s->funcs.at[func].own;
    if (*own || !vec_reserve(s->mem, &s->own, 2)) return *own;
    if (!s->own.len) s->own.at[s->own.len++] = (struct cg_own){ 0 };
    *own = (uint32_t)s->own.len;
    s->own.at[s->own.len++] = (struct cg_own){ 0 };
    return *own;
}

bool cg_sums_settle(struct cg_sums *s)
{
    for (size_t i = 0; i < s->aimed.len; i++) {
        struct cg_target *t = &s->targets.at[s->aimed.at[i]];
        if (!cg_sums_add_called(s, t->func, &t->called)) return false;
        t->called = (struct cg_called){ 0 };
    }
    return true;
}

bool cg_sums_aim(struct cg_sums *s, uint32_t id, const struct cg_target *t)
{
    if (!REACH(s, &s->targets, (size_t)id + 1)) return false;
    struct cg_target *to = &s->targets.at[id];
    if (to->func && !cg_sums_add_called(s, to->func, &to->called)) return true; /* it stays for what it stood for */
    uint32_t *aimed = to->func ? NULL : vec_push(s->mem, &s->aimed);
    if (!to->func && !aimed) return false;
    if (aimed) *aimed = id;
    *to = *t;
    return true;
}

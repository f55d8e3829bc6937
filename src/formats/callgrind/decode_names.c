/* Names of callgrind text: ids, and which object, file and function are in force. */
#include "base/error.h"
#include "formats/callgrind/decode.h"

const char *cg_spec_text(enum cg_spec spec)
{
    static const char *const text[] = { "ob=", "fl=", "fi=", "fe=", "fn=", "cob=", "cfi=", "cfl=", "cfn=", "jfi=", "jfn=" };
    return text[spec];
}

static const char *const table_name[] = { "object", "file", "function" };

/* ---- ids ---- */

uint32_t cg_id_find(const struct cg_ids *t, uint64_t id)
{
    if (id < t->dense.len && t->dense.at[id]) return t->dense.at[id];
    if (!t->far.len) return 0;
    for (struct index_walk w = index_walk(&t->far_index, hash_mix(1, id)); index_next(&t->far_index, &w);)
        if (t->far.at[w.id - 1] >> 32 == id) return (uint32_t)t->far.at[w.id - 1];
    return 0;
}

static bool far_put(struct mem *m, struct cg_ids *t, uint64_t id, uint32_t handle)
{
    for (struct index_walk w = index_walk(&t->far_index, hash_mix(1, id)); index_next(&t->far_index, &w);)
        if (t->far.at[w.id - 1] >> 32 == id) {
            t->far.at[w.id - 1] = id << 32 | handle;
            return true;
        }
    uint64_t *slot = vec_push(m, &t->far);
    if (!slot) return false;
    *slot = id << 32 | handle;
    return index_add(&t->far_index, hash_mix(1, id), (uint32_t)t->far.len);
}

/* Small ids, and those near what is defined, lie in an array; a lone large id must not reserve memory in proportion, so it is hashed. Valgrind's
 * ids are those of all functions of the program, of which a part names some. */
enum { SMALL_IDS = 1 << 17 };

bool cg_id_put(struct mem *m, struct cg_ids *t, uint64_t id, uint32_t handle)
{
    t->defined++;
    if (id >= t->dense.len) {
        if (id > SMALL_IDS + 4 * (uint64_t)t->defined) return far_put(m, t, id, handle);
        if (!vec_reserve(m, &t->dense, (size_t)id + 1 - t->dense.len)) return false;
        memset(t->dense.at + t->dense.len, 0, ((size_t)id + 1 - t->dense.len) * sizeof *t->dense.at);
        t->dense.len = (size_t)id + 1;
    }
    t->dense.at[id] = handle;
    return true;
}

static void ids_clear(struct cg_ids *t)
{
    t->dense.len = t->far.len = 0;
    t->defined = 0;
    index_clear(&t->far_index);
}

void cg_begin_part(struct cg_decoder *d)
{
    for (int i = 0; i < 3; i++) ids_clear(&d->ids[i]);
    d->part++;
    d->part_announced = true;
    d->part_has_events = d->has_totals = false;
    d->is_xdebug = d->has_bare_calls = false;
    d->by_name.len = 0;
    d->base = (struct cg_position){ 0, 0 };
    d->ob = d->fl = d->file = d->fn = d->func = 0;
    d->has_fl = d->has_fn = d->has_cob = d->has_cfile = d->has_cfn = false;
    d->cfn = d->jfn = d->jfile = 0;
    d->pending = CG_SELF;
}

/* ---- functions ---- */

static uint64_t hash_of(const struct cg_func *f) { return hash_mix(hash_mix((uint64_t)f->object << 32 | f->file, f->name), 7); }

static uint32_t indexed_func(const struct cg_decoder *d, const struct cg_func *key)
{
    for (struct index_walk w = index_walk(&d->func_index, hash_of(key)); index_next(&d->func_index, &w);) {
        const struct cg_func *f = &d->funcs.at[w.id];
        if (f->name == key->name && f->file == key->file && f->object == key->object) return w.id;
    }
    return 0;
}

static uint32_t new_func(struct cg_decoder *d, const struct cg_func *key)
{
    if (d->funcs.len >= UINT32_MAX || !vec_reserve(d->mem, &d->funcs, 2)) return 0;
    if (d->funcs.len == 0) d->funcs.at[d->funcs.len++] = (struct cg_func){ 0, 0, 0 };
    d->funcs.at[d->funcs.len++] = *key;
    return (uint32_t)d->funcs.len - 1;
}

/* A name gets another function: from now on its functions are in the index. */
static uint32_t another_func(struct cg_decoder *d, struct cg_named_func *newest, const struct cg_func *key)
{
    if (!newest->is_indexed && !index_add(&d->func_index, hash_of(&d->funcs.at[newest->func]), newest->func)) return 0;
    newest->is_indexed = true;
    uint32_t func = indexed_func(d, key);
    if (func) return func;
    func = new_func(d, key);
    return func && index_add(&d->func_index, hash_of(key), func) ? func : 0;
}

static bool reach_name(struct cg_decoder *d, uint32_t name)
{
    size_t len = d->newest.len, more = name < len ? 0 : name + 1 - len;
    if (!more) return true;
    if (!vec_reserve(d->mem, &d->newest, more)) return false;
    memset(d->newest.at + len, 0, more * sizeof *d->newest.at);
    d->newest.len += more;
    return true;
}

uint32_t cg_func_find(struct cg_decoder *d, uint32_t object, uint32_t file, uint32_t name)
{
    const struct cg_func key = { object, file, name };
    if (!reach_name(d, name)) return 0;
    struct cg_named_func *newest = &d->newest.at[name];
    uint32_t func = newest->func ? another_func(d, newest, &key) : new_func(d, &key);
    if (!func) return 0;
    newest->object = object;
    newest->file = file;
    return newest->func = func;
}

/* ---- name lines ---- */

/* "(digits)" at the start: sets *id and returns what follows; NULL = the name has no id. */
static const char *id_at(const char *p, const char *end, uint64_t *id)
{
    if (p == end || *p != '(') return NULL;
    const char *q = p + 1;
    uint64_t v = 0;
    for (; q < end && *q >= '0' && *q <= '9'; q++) {
        v = v * 10 + (uint64_t)(*q - '0');
        if (v > INT32_MAX) return NULL;
    }
    if (q == p + 1 || q == end || *q != ')') return NULL;
    *id = v;
    return q + 1;
}

static int put_name(struct cg_decoder *d, struct cg_record *r, assay_slice text, uint32_t *out)
{
    *out = 0;
    if (text.len == 0) return 0;
    if (memchr(text.data, 0, text.len)) cg_damage(d, r, "CG21", ASSAY_ERROR, "NUL byte in a name");
    *out = intern_put(d->names, text);
    return *out ? 0 : (d->failed = error_memory(d->err));
}

static int define_id(struct cg_decoder *d, struct cg_record *r, struct cg_ids *ids, uint64_t id, uint32_t name)
{
    uint32_t old = cg_id_find(ids, id);
    if (d->apart && !cg_apart_defines(d, cg_spec_table(r->spec), id, name, !old)) return d->failed = error_memory(d->err);
    if (old && old != name)
        cg_damage(d, r, "CG05", ASSAY_WARNING, "%s id %llu already stands for another name", table_name[cg_spec_table(r->spec)], (unsigned long long)id);
    return cg_id_put(d->mem, ids, id, name) ? 0 : (d->failed = error_memory(d->err));
}

int cg_name(struct cg_decoder *d, struct cg_record *r, enum cg_spec spec, const char *at, const char *end)
{
    struct cg_ids *ids = &d->ids[cg_spec_table(spec)];
    uint64_t id;
    uint32_t name = 0;
    r->kind = CG_NAME;
    r->spec = spec;
    r->defines = false;
    while (at < end && (*at == ' ' || *at == '\t')) at++;

    const char *rest = id_at(at, end, &id);
    if (!rest) {
        if (d->is_cut && at < end && *at == '(') {
            cg_damage_cut(d, r);
            r->kind = CG_OTHER;
            return 0;
        }
        TRY(put_name(d, r, slice_from(at, end), &name));
    } else {
        while (rest < end && (*rest == ' ' || *rest == '\t')) rest++;
        if (rest < end) {
            TRY(put_name(d, r, slice_from(rest, end), &name));
            TRY(define_id(d, r, ids, id, name));
            r->defines = true;
            d->has_jump_names |= spec == CG_JFN;
        } else if (!(name = cg_id_find(ids, id)) && d->is_cut) {
            cg_damage_cut(d, r); /* the name was to come */
            r->kind = CG_OTHER;
            return 0;
        } else if (!name && d->apart) {
            if (!(name = cg_apart_name(d, cg_spec_table(spec), id))) return d->failed = error_memory(d->err);
        } else if (!name) {
            cg_damage(d, r, "CG04", ASSAY_ERROR, "%s id %llu was never defined", table_name[cg_spec_table(spec)], (unsigned long long)id);
            TRY(put_name(d, r, SLICE("???"), &name));
        }
    }
    r->name = name;
    cg_apply(d, spec, name);
    return 0;
}

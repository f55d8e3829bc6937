/* A merger as bytes, and back; see parcel.h. Rows go as they stand in memory, since all ranks run one program: their ids are those of the merger. What they
 * point to follows them. */
#include "analysis/merge/parcel.h"

#include "base/scoped.h"

/* ---- rows ---- */

static void put_rows(struct wire *to, const void *at, size_t count, size_t size)
{
    wire_put_u64(to, count);
    wire_put(to, at, count * size);
}
#define PUT(to, v) put_rows((to), (v)->at, (v)->len, sizeof *(v)->at)

struct unpacker {
    struct wire_in in;
    struct mem *mem;
    bool no_memory;
};

static void take_rows(struct unpacker *u, void **at, size_t *len, size_t *cap, size_t size)
{
    uint64_t count = wire_take_u64(&u->in);
    u->in.failed |= count > u->in.left / size;
    if (u->in.failed || !count) return;
    if (!vec_grow_(u->mem, at, 0, cap, (size_t)count, size)) {
        u->no_memory = u->in.failed = true;
        return;
    }
    memcpy(*at, wire_take(&u->in, count * size).data, (size_t)count * size);
    *len = (size_t)count;
}
#define TAKE(u, v) take_rows((u), (void **)&(v)->at, &(v)->len, &(v)->cap, sizeof *(v)->at)

/* A column of `count` numbers that may be missing. */
static void put_column(struct wire *to, const void *column, size_t bytes)
{
    wire_put_u64(to, column != NULL);
    if (column) wire_put(to, column, bytes);
}

static void *take_column(struct unpacker *u, uint64_t bytes)
{
    bool is_there = wire_take_u64(&u->in) != 0;
    u->in.failed |= is_there && bytes > u->in.left;
    if (u->in.failed || !is_there) return NULL;
    size_t len = (size_t)bytes;
    void *column = mem_alloc(u->mem, len);
    u->no_memory |= !column;
    u->in.failed |= !column;
    if (column) memcpy(column, wire_take(&u->in, len).data, len);
    return column;
}

/* ---- names ---- */

static void put_strings(const struct assay_merger *m, struct wire *to)
{
    uint32_t count = intern_count(&m->strings);
    wire_put_u64(to, count);
    for (uint32_t i = 1; i <= count; i++) wire_put_text(to, intern_get(&m->strings, i));
}

static void take_strings(struct assay_merger *m, struct unpacker *u)
{
    for (uint64_t left = wire_take_u64(&u->in); left > 0 && !u->in.failed; left--) {
        u->no_memory |= !intern_put(&m->strings, wire_take_text(&u->in));
        u->in.failed |= u->no_memory;
    }
}

static void put_findings(const struct findings *f, struct wire *to)
{
    wire_put_u64(to, f->list.len);
    for (size_t i = 0; i < f->list.len; i++) {
        const assay_finding *x = &f->list.at[i];
        wire_put(to, x, sizeof *x);
        wire_put_text(to, slice_of(x->rule));
        wire_put_text(to, slice_of(x->message));
    }
}

static void take_findings(struct findings *f, struct unpacker *u)
{
    SCOPED(arena_done) struct arena texts;
    arena_init(&texts, u->mem);
    for (uint64_t left = wire_take_u64(&u->in); left > 0 && !u->in.failed; left--) {
        assay_finding x = { 0 };
        assay_slice bytes = wire_take(&u->in, sizeof x);
        if (u->in.failed) return;
        memcpy(&x, bytes.data, sizeof x);
        x.rule = arena_copy(&texts, wire_take_text(&u->in));
        x.message = arena_copy(&texts, wire_take_text(&u->in));
        if (x.rule && x.message) findings_copy(f, &x);
        u->no_memory |= !x.rule || !x.message || f->failed;
        u->in.failed |= u->no_memory;
    }
}

/* ---- lists of coverage ---- */

static void put_list(struct wire *to, const struct merge_list *l)
{
    size_t n = l->count;
    wire_put_u64(to, n);
    wire_put_u64(to, l->has_versions);
    put_column(to, l->line, n * sizeof *l->line);
    put_column(to, l->key, n * sizeof *l->key);
    put_column(to, l->hits.narrow, n * sizeof *l->hits.narrow);
    put_column(to, l->hits.wide, n * sizeof *l->hits.wide);
    put_column(to, l->flags, n * sizeof *l->flags);
    put_column(to, l->text, n * sizeof *l->text);
}

static void take_list(struct unpacker *u, struct merge_list *l)
{
    uint64_t n = wire_take_u64(&u->in);
    u->in.failed |= n > UINT32_MAX;
    if (u->in.failed) return;
    *l = (struct merge_list){ .count = (uint32_t)n, .has_versions = wire_take_u64(&u->in) != 0 };
    l->line = take_column(u, n * sizeof *l->line);
    l->key = take_column(u, n * sizeof *l->key);
    l->hits.narrow = take_column(u, n * sizeof *l->hits.narrow);
    l->hits.wide = take_column(u, n * sizeof *l->hits.wide);
    l->flags = take_column(u, n * sizeof *l->flags);
    l->text = take_column(u, n * sizeof *l->text);
    u->in.failed |= n && (!l->line || (!l->hits.narrow && !l->hits.wide));
}

static void put_units(const struct assay_merger *m, struct wire *to)
{
    PUT(to, &m->units);
    for (size_t i = 0; i < m->units.len; i++) {
        put_list(to, &m->units.at[i].lines);
        put_list(to, &m->units.at[i].branches);
    }
}

static void take_units(struct assay_merger *m, struct unpacker *u)
{
    TAKE(u, &m->units);
    for (size_t i = 0; i < m->units.len; i++) m->units.at[i].lines = m->units.at[i].branches = (struct merge_list){ 0 };
    for (size_t i = 0; i < m->units.len; i++) {
        take_list(u, &m->units.at[i].lines);
        take_list(u, &m->units.at[i].branches);
    }
}

/* ---- sums ---- */

static void put_real(struct wire *to, const struct merge_double *d)
{
    if (d->big) wire_put(to, d->big, sizeof *d->big);
}

/* The pointer is that of the other process: it only says that there is something. */
static void take_real(struct unpacker *u, struct merge_double *d)
{
    bool is_big = d->big != NULL;
    d->big = NULL;
    if (!is_big) return;
    assay_slice bytes = wire_take(&u->in, sizeof *d->big);
    if (u->in.failed) return;
    d->big = mem_alloc(u->mem, sizeof *d->big);
    u->no_memory |= !d->big;
    u->in.failed |= !d->big;
    if (d->big) memcpy(d->big, bytes.data, sizeof *d->big);
}

static void put_sums(struct wire *to, const struct merge_column *c)
{
    wire_put_u64(to, c->type);
    PUT(to, &c->whole);
    PUT(to, &c->real);
    for (size_t i = 0; i < c->real.len; i++) put_real(to, &c->real.at[i]);
}

static void take_sums(struct unpacker *u, struct merge_column *c)
{
    *c = (struct merge_column){ .type = (enum assay_type)wire_take_u64(&u->in) };
    TAKE(u, &c->whole);
    TAKE(u, &c->real);
    for (size_t i = 0; i < c->real.len; i++) take_real(u, &c->real.at[i]);
}

static void put_table(struct wire *to, const struct merge_table *t)
{
    PUT(to, &t->keys);
    for (int k = 0; k < MERGE_COUNTS; k++) PUT(to, &t->count[k]);
    wire_put_u64(to, t->columns.len);
    for (size_t i = 0; i < t->columns.len; i++) put_sums(to, &t->columns.at[i]);
}

static void take_table(struct unpacker *u, struct merge_table *t)
{
    TAKE(u, &t->keys);
    for (int k = 0; k < MERGE_COUNTS; k++) TAKE(u, &t->count[k]);
    for (uint64_t left = wire_take_u64(&u->in); left > 0 && !u->in.failed; left--) {
        struct merge_column *c = vec_push(u->mem, &t->columns);
        u->no_memory |= !c;
        u->in.failed |= !c;
        if (c) take_sums(u, c);
    }
}

static void put_cost(const struct merge_cost *c, struct wire *to)
{
    PUT(to, &c->labels);
    PUT(to, &c->sets);
    PUT(to, &c->metrics);
    for (size_t i = 0; i < c->metrics.len; i++) put_real(to, &c->metrics.at[i].stated_double);
    PUT(to, &c->scopes);
    for (int i = 0; i < MERGE_TABLES; i++) put_table(to, &c->tables[i]);
    wire_put_u64(to, c->has_unlabelled);
    wire_put_u64(to, c->has_unknown_nesting);
    wire_put_u64(to, c->has_same_metrics);
    wire_put_u64(to, c->left_out);
    wire_put_u64(to, c->shapes);
}

static void take_cost(struct merge_cost *c, struct unpacker *u)
{
    TAKE(u, &c->labels);
    TAKE(u, &c->sets);
    TAKE(u, &c->metrics);
    for (size_t i = 0; i < c->metrics.len; i++) take_real(u, &c->metrics.at[i].stated_double);
    TAKE(u, &c->scopes);
    for (int i = 0; i < MERGE_TABLES; i++) take_table(u, &c->tables[i]);
    c->has_unlabelled = wire_take_u64(&u->in) != 0;
    c->has_unknown_nesting = wire_take_u64(&u->in) != 0;
    c->has_same_metrics = wire_take_u64(&u->in) != 0;
    c->left_out = wire_take_u64(&u->in);
    c->shapes = (uint32_t)wire_take_u64(&u->in);
}

/* ---- the whole ---- */

void merge_pack(const struct assay_merger *m, struct wire *to)
{
    const uint32_t facts[] = { m->inputs, m->format, m->version, m->producer, m->shapes, m->offers, m->is_saturated };
    wire_put(to, facts, sizeof facts);
    put_strings(m, to);
    PUT(to, &m->modules);
    PUT(to, &m->files);
    PUT(to, &m->funcs);
    PUT(to, &m->keys);
    put_units(m, to);
    PUT(to, &m->calls);
    PUT(to, &m->sums);
    PUT(to, &m->conditions);
    PUT(to, &m->regions);
    PUT(to, &m->attributes);
    PUT(to, &m->stated);
    PUT(to, &m->counts);
    put_cost(&m->cost, to);
    put_findings(&m->warnings, to);
}

int merge_unpack(struct assay_merger *m, struct wire_in in, assay_error *err)
{
    struct unpacker u = { in, &m->mem, false };
    uint32_t facts[7] = { 0 };
    assay_slice bytes = wire_take(&u.in, sizeof facts);
    if (!u.in.failed) memcpy(facts, bytes.data, sizeof facts);
    m->inputs = facts[0];
    m->format = facts[1];
    m->version = facts[2];
    m->producer = facts[3];
    m->shapes = facts[4];
    m->offers = facts[5];
    m->is_saturated = facts[6] != 0;
    take_strings(m, &u);
    TAKE(&u, &m->modules);
    TAKE(&u, &m->files);
    TAKE(&u, &m->funcs);
    TAKE(&u, &m->keys);
    take_units(m, &u);
    TAKE(&u, &m->calls);
    TAKE(&u, &m->sums);
    TAKE(&u, &m->conditions);
    TAKE(&u, &m->regions);
    TAKE(&u, &m->attributes);
    TAKE(&u, &m->stated);
    TAKE(&u, &m->counts);
    take_cost(&m->cost, &u);
    take_findings(&m->warnings, &u);
    if (u.no_memory) return error_memory(err);
    return u.in.failed || u.in.left ? error_set(err, ASSAY_ERR_INTERNAL, "what another rank sent cannot be understood") : 0;
}

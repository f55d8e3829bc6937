/* Records -> functions, nodes and samples; see cpuprofile.h. settle.c makes a tree of the nodes. */
#include "base/cancel.h"
#include "base/error.h"
#include "base/slice.h"
#include "formats/v8-cpuprofile/cpuprofile.h"

/* ---- functions ---- */

static uint64_t func_hash(const struct cpuprofile_func *f) { return hash_mix(hash_mix(f->name, f->url), (uint64_t)f->line << 32 | f->column); }

/* The number of a function, or 0 = no memory. Without a URL a function has no place. */
static uint32_t func_of(struct cpuprofile *s, struct cpuprofile_func f)
{
    if (!f.url) f.line = f.column = 0;
    uint64_t hash = func_hash(&f);
    for (struct index_walk w = index_walk(&s->func_index, hash); index_next(&s->func_index, &w);) {
        const struct cpuprofile_func *g = &s->funcs.at[w.id];
        if (g->name == f.name && g->url == f.url && g->line == f.line && g->column == f.column) return w.id;
    }
    uint32_t id = (uint32_t)s->funcs.len;
    struct cpuprofile_func *slot = vec_push(s->mem, &s->funcs);
    if (!slot || !index_add(&s->func_index, hash, id)) return 0;
    *slot = f;
    return id;
}

/* What has no name is called as Chrome does. */
static int name_of(struct cpuprofile *s, assay_slice text, uint32_t *out)
{
    *out = intern_put(&s->names, text.len ? text : SLICE("(anonymous)"));
    return *out ? 0 : error_memory(s->err);
}

static int url_of(struct cpuprofile *s, assay_slice text, uint32_t *out)
{
    *out = text.len ? intern_put(&s->names, text) : 0;
    return *out || !text.len ? 0 : error_memory(s->err);
}

/* Lines and columns count from 0 there. */
static uint32_t from_one(int64_t v) { return v < 0 || v >= INT32_MAX ? 0 : (uint32_t)v + 1; }

static int set_frame(struct cpuprofile *s, struct cpuprofile_node *n, const struct cpuprofile_record *r)
{
    struct cpuprofile_func f = { .line = from_one(r->line), .column = from_one(r->column) };
    TRY(name_of(s, r->text, &f.name));
    TRY(url_of(s, r->url, &f.url));
    n->func = func_of(s, f);
    return n->func ? 0 : error_memory(s->err);
}

/* ---- ids ---- */

uint32_t cpuprofile_find(const struct cpuprofile *s, uint32_t id)
{
    if (id < s->by_id.len && s->by_id.at[id]) return s->by_id.at[id];
    for (struct index_walk w = index_walk(&s->id_index, hash_mix(id, 1)); index_next(&s->id_index, &w);)
        if (s->nodes.at[w.id].id == id) return w.id;
    return 0;
}

/* Ids are mostly 1, 2, 3, ...: an array finds them, as long as it is not much longer than the nodes are many. */
static int keep_id(struct cpuprofile *s, uint32_t id, uint32_t node)
{
    if (id > 4 * s->nodes.len + 1024) return index_add(&s->id_index, hash_mix(id, 1), node) ? 0 : error_memory(s->err);
    if (id >= s->by_id.len) {
        size_t more = id + 1 - s->by_id.len;
        if (!vec_reserve(s->mem, &s->by_id, more)) return error_memory(s->err);
        memset(s->by_id.at + s->by_id.len, 0, more * sizeof *s->by_id.at);
        s->by_id.len += more;
    }
    s->by_id.at[id] = node;
    return 0;
}

static int set_id(struct cpuprofile *s, struct cpuprofile_open *o, const struct cpuprofile_record *r)
{
    o->has_id = true;
    s->nodes.at[o->node].id = r->id;
    uint32_t other = cpuprofile_find(s, r->id);
    if (!other) return keep_id(s, r->id, o->node);
    if (other == o->node) return 0;
    findings_add(s->damage, "VP01", s->is_heap ? ASSAY_WARNING : ASSAY_ERROR, r->off, r->at_line, "node %u is there twice", r->id);
    s->is_sound &= s->is_heap;
    return 0;
}

/* ---- nodes ---- */

static int begin_node(struct cpuprofile *s, const struct cpuprofile_record *r)
{
    uint32_t parent = s->it.open.len ? s->it.open.at[s->it.open.len - 1].node : 0;
    struct cpuprofile_open *o = vec_push(s->mem, &s->it.open);
    struct cpuprofile_node *n = o && s->nodes.len < UINT32_MAX ? vec_push(s->mem, &s->nodes) : NULL;
    if (!n) return error_memory(s->err);
    *n = (struct cpuprofile_node){ .parent = parent };
    *o = (struct cpuprofile_open){ .node = (uint32_t)s->nodes.len - 1, .off = r->off, .line = r->at_line };
    return 0;
}

static int end_node(struct cpuprofile *s)
{
    const struct cpuprofile_open *o = &s->it.open.at[--s->it.open.len];
    struct cpuprofile_node *n = &s->nodes.at[o->node];
    if (!n->func && o->func.name) n->func = func_of(s, o->func);
    if (!n->func && o->func.name) return error_memory(s->err);
    if (!o->has_id && !s->is_heap) {
        findings_add(s->damage, "J-3", ASSAY_ERROR, o->off, o->line, "a node without an id");
        s->is_sound = false;
    }
    return 0;
}

static int add_family(struct cpuprofile *s, uint32_t node, const struct cpuprofile_record *r)
{
    bool is_parent = r->kind == CPUPROFILE_PARENT;
    size_t count = is_parent ? 1 : r->id_count;
    struct cpuprofile_family *f = vec_push(s->mem, &s->families);
    if (!f || !vec_reserve(s->mem, &s->kids, count)) return error_memory(s->err);
    *f = (struct cpuprofile_family){ node, (uint32_t)count, s->kids.len, is_parent, r->off, r->at_line };
    memcpy(s->kids.at + s->kids.len, is_parent ? &r->id : r->ids, count * sizeof *s->kids.at);
    s->kids.len += count;
    return 0;
}

static int add_tick(struct cpuprofile *s, uint32_t node, const struct cpuprofile_record *r)
{
    struct cpuprofile_tick *t = vec_push(s->mem, &s->ticks);
    if (!t) return error_memory(s->err);
    *t = (struct cpuprofile_tick){ node, r->line > 0 ? (uint32_t)r->line : 0, r->count };
    s->tick_count += r->count;
    return 0;
}

/* What is said of the node that is open. */
static int add_to_node(struct cpuprofile *s, const struct cpuprofile_record *r)
{
    struct cpuprofile_open *o = &s->it.open.at[s->it.open.len - 1];
    struct cpuprofile_node *n = &s->nodes.at[o->node];
    switch (r->kind) {
    case CPUPROFILE_ID: return set_id(s, o, r);
    case CPUPROFILE_FRAME: return set_frame(s, n, r);
    case CPUPROFILE_NAME: return name_of(s, r->text, &o->func.name);
    case CPUPROFILE_URL: return url_of(s, r->text, &o->func.url);
    case CPUPROFILE_LINE: o->func.line = r->line > 0 ? (uint32_t)r->line : 0; return 0;
    case CPUPROFILE_COLUMN: o->func.column = r->column > 0 ? (uint32_t)r->column : 0; return 0;
    case CPUPROFILE_HITS:
        if (!s->is_heap) n->count = r->count;
        s->hit_count += r->count;
        return 0;
    case CPUPROFILE_SIZE:
        if (s->is_heap) n->count = r->count;
        return 0;
    case CPUPROFILE_PARENT:
    case CPUPROFILE_CHILDREN: return add_family(s, o->node, r);
    case CPUPROFILE_TICK: return add_tick(s, o->node, r);
    default: return 0;
    }
}

/* ---- samples ---- */

/* Where nodes come before samples, as V8 writes them, it is known at once whether there is such a node. */
static int add_sample(struct cpuprofile *s, const struct cpuprofile_record *r)
{
    uint32_t *sample = vec_push(s->mem, &s->samples);
    if (!sample) return error_memory(s->err);
    *sample = r->id;
    if (s->is_heap) {
        struct cpuprofile_size *size = vec_push(s->mem, &s->sizes);
        if (!size) return error_memory(s->err);
        *size = (struct cpuprofile_size){ r->count, r->ordinal };
    }
    if (s->is_heap || !s->nodes_at.is_there) return 0;
    s->it.checked = s->samples.len;
    if (cpuprofile_find(s, r->id)) return 0;
    findings_add(s->damage, "VP04", ASSAY_ERROR, r->off, r->at_line, "sample %zu is of node %u, which is not there", s->samples.len, r->id);
    s->is_sound = false;
    return 0;
}

static int add_time(struct cpuprofile *s, double v)
{
    double *time = vec_push(s->mem, &s->times);
    if (!time) return error_memory(s->err);
    *time = v;
    return 0;
}

static int begin_list(struct cpuprofile_place *at, const struct cpuprofile_record *r)
{
    *at = (struct cpuprofile_place){ true, r->off, r->at_line };
    return 0;
}

/* A key that is there twice: the last one counts. */
static int begin_times(struct cpuprofile *s, const struct cpuprofile_record *r)
{
    s->times.len = 0;
    s->deltas_at.is_there = s->timestamps_at.is_there = false;
    return begin_list(r->kind == CPUPROFILE_DELTAS ? &s->deltas_at : &s->timestamps_at, r);
}

static int begin_samples(struct cpuprofile *s, const struct cpuprofile_record *r)
{
    s->samples.len = s->sizes.len = s->it.checked = 0;
    return begin_list(&s->samples_at, r);
}

static int add_record(void *arg, const struct cpuprofile_record *r)
{
    struct cpuprofile *s = arg;
    switch (r->kind) {
    case CPUPROFILE_NODES: return begin_list(&s->nodes_at, r);
    case CPUPROFILE_NODE: return begin_node(s, r);
    case CPUPROFILE_NODE_END: return end_node(s);
    case CPUPROFILE_START: s->start = r->number; return 0;
    case CPUPROFILE_STOP: s->stop = r->number; return 0;
    case CPUPROFILE_SAMPLES: return begin_samples(s, r);
    case CPUPROFILE_SAMPLE: return add_sample(s, r);
    case CPUPROFILE_DELTAS:
    case CPUPROFILE_TIMESTAMPS: return begin_times(s, r);
    case CPUPROFILE_TIME: return add_time(s, r->number);
    default: return s->it.open.len ? add_to_node(s, r) : 0;
    }
}

/* ---- all of it ---- */

/* Nodes that the file ends in have no function if it was not said yet. */
static int end_open(struct cpuprofile *s)
{
    while (s->it.open.len) {
        s->it.open.at[s->it.open.len - 1].has_id = true;
        TRY(end_node(s));
    }
    uint32_t unknown = 0;
    for (size_t i = 1; i < s->nodes.len; i++) {
        TRY(cancel_step(i, s->err));
        if (s->nodes.at[i].func) continue;
        if (!unknown) unknown = func_of(s, (struct cpuprofile_func){ .name = intern_put(&s->names, SLICE("(unknown)")) });
        if (!unknown) return error_memory(s->err);
        s->nodes.at[i].func = unknown;
    }
    return 0;
}

int cpuprofile_collect(struct cpuprofile *s, const struct read_job *job, bool is_heap, struct findings *damage, assay_error *err)
{
    memset(s, 0, sizeof *s);
    s->mem = job->mem;
    s->err = err;
    s->damage = damage;
    s->is_heap = is_heap;
    s->is_sound = true;
    intern_init(&s->names, job->mem);
    index_init(&s->func_index, job->mem);
    index_init(&s->id_index, job->mem);
    if (!vec_reserve(s->mem, &s->funcs, 1) || !vec_reserve(s->mem, &s->nodes, 1)) return error_memory(err);
    s->funcs.at[s->funcs.len++] = (struct cpuprofile_func){ 0 };
    s->nodes.at[s->nodes.len++] = (struct cpuprofile_node){ 0 };
    TRY(cpuprofile_walk(job, damage, add_record, s, &s->is_cut, err));
    TRY(end_open(s));
    if (!s->nodes_at.is_there && !s->is_cut && !damage->errors)
        findings_add(damage, "J-3", ASSAY_ERROR, FINDING_NO_OFFSET, 0, is_heap ? "head is missing" : "nodes are missing");
    TRY(cpuprofile_settle(s));
    return damage->failed ? error_memory(err) : 0;
}

void cpuprofile_done(struct cpuprofile *s)
{
    intern_done(&s->names);
    index_done(&s->func_index);
    index_done(&s->id_index);
    vec_done(s->mem, &s->funcs, &s->nodes, &s->by_id, &s->families, &s->kids, &s->ticks, &s->samples, &s->times, &s->sizes, &s->it.open);
}

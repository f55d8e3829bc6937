/* V8 profiles inside a trace, as Chrome's performance panel records them -> contexts; see chrome.h. A sample lasts until the next one, the last one as long as
 * the others on average. */
#include <math.h>

#include "base/cancel.h"
#include "base/error.h"
#include "base/json_read.h"
#include "base/number.h"
#include "base/order.h"
#include "base/scoped.h"
#include "base/slice.h"
#include "base/sort.h"
#include "formats/chrome-trace/chrome.h"

enum { NEW, BUSY, MADE };

/* ---- events ---- */

static int profile_of(struct chrome *c, const struct chrome_record *r, struct chrome_profile **out)
{
    struct chrome_id pid, tid;
    assay_slice key = r->id.data ? r->id : r->tid;
    uint32_t id = chrome_name(c, key);
    bool is_start = !slice_is(r->name, "ProfileChunk");
    if (!id || !chrome_pid(c, r, &pid) || !chrome_id(c, r->tid, &tid)) return error_memory(c->err);
    *out = NULL;
    uint64_t hash = hash_mix(hash_mix((uint64_t)pid.number, pid.text), id);
    for (struct index_walk w = index_walk(&c->profile_index, hash); index_next(&c->profile_index, &w) && !*out;) {
        struct chrome_profile *p = &c->profiles.at[w.id - 1];
        if (p->id == id && chrome_same_id(p->pid, pid)) *out = p;
    }
    if (!*out) {
        if (c->profiles.len >= UINT32_MAX - 1 || !vec_reserve(c->mem, &c->profiles, 1) || !index_add(&c->profile_index, hash, (uint32_t)c->profiles.len + 1))
            return error_memory(c->err);
        *out = &c->profiles.at[c->profiles.len++];
        **out = (struct chrome_profile){ .pid = pid, .tid = tid, .id = id, .off = r->off, .line = r->line };
        index_init(&(*out)->index, c->mem);
    }
    if (is_start) (*out)->tid = tid; /* chunks are written by a thread of their own */
    return 0;
}

static bool number_at(const struct chrome_record *r, size_t i, double *out)
{
    if (i >= r->token_count || (r->tokens[i].kind != JSON_NUMBER && r->tokens[i].kind != JSON_STRING)) return false;
    return number_double(chrome_token_text(r, i), out) != NUMBER_BAD && isfinite(*out);
}

static bool id_at(const struct chrome_record *r, size_t i, uint64_t *out)
{
    return i < r->token_count && r->tokens[i].kind == JSON_NUMBER && number_u64(chrome_token_text(r, i), out) == NUMBER_OK;
}

/* Lines and columns are counted from 0. */
static uint32_t place_at(const struct chrome_record *r, size_t i)
{
    double v;
    return number_at(r, i, &v) && v >= 0 && v < 2147483647 ? (uint32_t)v + 1 : 0;
}

static int function_at(struct chrome *c, const struct chrome_record *r, size_t frame, uint32_t *out)
{
    size_t url = chrome_token_find(r, frame, "url"), name = chrome_token_find(r, frame, "functionName");
    assay_slice text = chrome_token_text(r, name), file = chrome_token_text(r, url);
    struct chrome_func f = { .name = chrome_name(c, text.len ? text : SLICE("(anonymous)")) };
    if (file.len) {
        f.file = chrome_name(c, file);
        f.line = place_at(r, chrome_token_find(r, frame, "lineNumber"));
        f.column = place_at(r, chrome_token_find(r, frame, "columnNumber"));
    }
    *out = f.name && (!file.len || f.file) ? chrome_func(c, &f) : 0;
    return *out ? 0 : error_memory(c->err);
}

static struct chrome_v8_node *find_node(struct chrome_profile *p, uint64_t id)
{
    for (struct index_walk w = index_walk(&p->index, hash_mix(id, 0)); index_next(&p->index, &w);)
        if (p->nodes.at[w.id - 1].id == id) return &p->nodes.at[w.id - 1];
    return NULL;
}

static int node_for(struct chrome *c, struct chrome_profile *p, uint64_t id, struct chrome_v8_node **out)
{
    *out = find_node(p, id);
    if (*out) return 0;
    if (p->nodes.len >= UINT32_MAX - 1 || !vec_reserve(c->mem, &p->nodes, 1) || !index_add(&p->index, hash_mix(id, 0), (uint32_t)p->nodes.len + 1))
        return error_memory(c->err);
    *out = &p->nodes.at[p->nodes.len++];
    **out = (struct chrome_v8_node){ .id = id };
    return 0;
}

/* A node names its parent, or, in a CpuProfile event, its children. */
static int add_node(struct chrome *c, struct chrome_profile *p, const struct chrome_record *r, size_t at)
{
    struct chrome_v8_node *n, *kid;
    uint64_t id, parent, child;
    uint32_t func;
    if (!id_at(r, chrome_token_find(r, at, "id"), &id)) return 0;
    TRY(function_at(c, r, chrome_token_find(r, at, "callFrame"), &func));
    TRY(node_for(c, p, id, &n));
    n->func = func;
    if (id_at(r, chrome_token_find(r, at, "parent"), &parent)) {
        n->parent = parent;
        n->has_parent = true;
    }
    size_t i = chrome_token_find(r, at, "children");
    if (i == r->token_count || r->tokens[i].kind != JSON_ARRAY) return 0;
    for (i++; id_at(r, i, &child); i++) {
        TRY(node_for(c, p, child, &kid));
        kid->parent = id;
        kid->has_parent = true;
    }
    return 0;
}

static int add_nodes(struct chrome *c, struct chrome_profile *p, const struct chrome_record *r, size_t list)
{
    if (list == r->token_count || r->tokens[list].kind != JSON_ARRAY) return 0;
    unsigned depth = r->tokens[list].depth;
    for (size_t i = list + 1; i < r->token_count && r->tokens[i].depth > depth; i = chrome_token_behind(r, i)) {
        TRY(cancel_step(i, c->err));
        TRY(add_node(c, p, r, i));
    }
    return 0;
}

static int add_samples(struct chrome *c, struct chrome_profile *p, const struct chrome_record *r, size_t samples, size_t deltas)
{
    struct chrome_chunk chunk = { .ts = r->ts, .samples = p->samples.len, .deltas = p->deltas.len };
    uint64_t id;
    double delta;
    if (samples < r->token_count && r->tokens[samples].kind == JSON_ARRAY)
        for (size_t i = samples + 1; id_at(r, i, &id); i++) {
            uint64_t *slot = vec_push(c->mem, &p->samples);
            if (!slot) return error_memory(c->err);
            *slot = id;
        }
    if (deltas < r->token_count && r->tokens[deltas].kind == JSON_ARRAY)
        for (size_t i = deltas + 1; number_at(r, i, &delta); i++) {
            double *slot = vec_push(c->mem, &p->deltas);
            if (!slot) return error_memory(c->err);
            *slot = delta;
        }
    chunk.samples_end = p->samples.len;
    chunk.deltas_end = p->deltas.len;
    if (chunk.samples_end - chunk.samples != chunk.deltas_end - chunk.deltas)
        findings_add(c->damage, "CT16", ASSAY_WARNING, r->off, r->line, "%zu samples, but %zu timeDeltas: the rest is left out",
                     chunk.samples_end - chunk.samples, chunk.deltas_end - chunk.deltas);
    struct chrome_chunk *slot = vec_push(c->mem, &p->chunks);
    if (!slot) return error_memory(c->err);
    *slot = chunk;
    return 0;
}

int chrome_profile_add(struct chrome *c, const struct chrome_record *r)
{
    struct chrome_profile *p;
    size_t data = chrome_token_find(r, 0, "data");
    if (data == r->token_count || (!slice_is(r->name, "Profile") && !slice_is(r->name, "ProfileChunk") && !slice_is(r->name, "CpuProfile"))) return 0;
    size_t cpu = chrome_token_find(r, data, "cpuProfile"), times = chrome_token_find(r, data, "timeDeltas");
    bool is_whole = slice_is(r->name, "CpuProfile");
    size_t from = is_whole ? cpu : data;
    TRY(profile_of(c, r, &p));
    number_at(r, chrome_token_find(r, from, "startTime"), &p->start);
    p->has_end |= number_at(r, chrome_token_find(r, from, "endTime"), &p->end);
    TRY(add_nodes(c, p, r, chrome_token_find(r, cpu, "nodes")));
    return add_samples(c, p, r, chrome_token_find(r, cpu, "samples"), is_whole ? chrome_token_find(r, cpu, "timeDeltas") : times);
}

void chrome_profile_done(struct chrome *c, struct chrome_profile *p)
{
    index_done(&p->index);
    vec_done(c->mem, &p->nodes, &p->chunks, &p->samples, &p->deltas);
}

/* ---- contexts ---- */

/* Nodes of chunks that were lost. */
static int unknown(struct chrome *c, uint32_t *out)
{
    struct chrome_func f = { .name = chrome_name(c, SLICE("(unknown)")) };
    uint32_t func = f.name ? chrome_func(c, &f) : 0;
    *out = func ? chrome_node(c, 0, func) : 0;
    return *out ? 0 : error_memory(c->err);
}

/* The context of a node, and those of all above it. */
static int context_of(struct chrome *c, struct chrome_profile *p, uint64_t id, uint32_t *out)
{
    uint32_t node = 0;
    bool is_lost = false;
    c->chain.len = 0;
    for (struct chrome_v8_node *n = find_node(p, id);; n = find_node(p, n->parent)) {
        is_lost = !n || n->state == BUSY || !n->func;
        if (is_lost) break;
        node = n->node;
        if (n->state == MADE) break;
        n->state = BUSY;
        uint32_t *slot = vec_push(c->mem, &c->chain);
        if (!slot) return error_memory(c->err);
        *slot = (uint32_t)(n - p->nodes.at);
        if (!n->has_parent) break;
    }
    if (is_lost) {
        findings_add(c->damage, "CT15", ASSAY_WARNING, p->off, p->line, "node %llu of a profile is missing, or its callers are: '(unknown)' stands for them",
                     (unsigned long long)id);
        TRY(unknown(c, &node));
    }
    for (size_t i = c->chain.len; i-- > 0;) {
        struct chrome_v8_node *n = &p->nodes.at[c->chain.at[i]];
        node = chrome_node(c, node, n->func);
        if (!node) return error_memory(c->err);
        n->node = node;
        n->state = MADE;
    }
    *out = node;
    return 0;
}

/* ---- samples ---- */

struct at {
    double us;
    size_t place;
    uint64_t node;
};

static int by_time(const void *x, const void *y)
{
    const struct at *a = x, *b = y;
    return a->us < b->us ? -1 : a->us > b->us ? 1 : ORDER(a->place, b->place);
}

static int by_event(const void *x, const void *y)
{
    const struct chrome_chunk *a = x, *b = y;
    return a->ts != b->ts ? ORDER(a->ts, b->ts) : ORDER(a->samples, b->samples);
}

static int64_t whole(double us) { return us >= CHROME_TIME_MAX / 1e3 ? CHROME_TIME_MAX : us <= -CHROME_TIME_MAX / 1e3 ? -CHROME_TIME_MAX : llround(us * 1e3); }

/* Chunks by their events, samples by time: differences may be negative. */
static int order_samples(struct chrome *c, struct chrome_profile *p, struct at *at, size_t *count)
{
    double now = p->start;
    size_t n = 0;
    if (p->chunks.len && !sort_by(p->chunks.at, p->chunks.len, sizeof *p->chunks.at, by_event)) return error_cancelled(c->err);
    for (size_t k = 0; k < p->chunks.len; k++) {
        const struct chrome_chunk *chunk = &p->chunks.at[k];
        for (size_t i = 0; chunk->samples + i < chunk->samples_end && chunk->deltas + i < chunk->deltas_end; i++, n++) {
            TRY(cancel_step(i, c->err));
            now += p->deltas.at[chunk->deltas + i];
            at[n] = (struct at){ now, n, p->samples.at[chunk->samples + i] };
        }
    }
    *count = n;
    return !n || sort_by(at, n, sizeof *at, by_time) ? 0 : error_cancelled(c->err);
}

int chrome_settle_profile(struct chrome *c, struct chrome_profile *p)
{
    SCRATCH(struct at, at, c->mem, p->samples.len + 1);
    size_t count = 0;
    if (!at) return error_memory(c->err);
    TRY(order_samples(c, p, at, &count));
    double mean = count > 1 ? (at[count - 1].us - at[0].us) / (double)(count - 1) : count && p->has_end && p->end > at[0].us ? p->end - at[0].us : 0;
    for (size_t i = 0; i < count; i++) {
        struct chrome_row row = { .time = whole(at[i].us), .weight = 1, .us = i + 1 < count ? at[i + 1].us - at[i].us : mean };
        TRY(cancel_step(i, c->err));
        TRY(context_of(c, p, at[i].node, &row.node));
        TRY(chrome_add_sample(c, row));
    }
    c->profile_samples += count;
    return 0;
}

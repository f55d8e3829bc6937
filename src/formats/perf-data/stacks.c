/* See stacks.h. Addresses come innermost first, with marks between those of the kernel and those of the program; they are walked from the root. */
#include "formats/perf-data/stacks.h"

#include "base/number.h"

enum {
    MOST_CHAIN = 127,     /* addresses that the kernel puts into a chain, unless it is told otherwise */
    KEPT_MOST = 64 << 20, /* bytes of chains that are kept: what comes later is walked each time */
};

bool pd_stacks_init(struct pd_stacks *s, const struct pd_decoder *d, struct pd_frames *frames, bool wants_times)
{
    memset(s, 0, sizeof *s);
    s->mem = d->mem;
    s->d = d;
    s->tracks = frames->tracks;
    s->frames = frames;
    s->wants_times = wants_times;
    pd_dumps_init(&s->dump, frames);
    kids_init(&s->kids, s->mem);
    kids_init(&s->paths, s->mem);
    index_init(&s->stream_index, s->mem);
    index_init(&s->cell_index, s->mem);
    index_init(&s->comm_index, s->mem);
    index_init(&s->counter_index, s->mem);
    index_init(&s->chain_index, s->mem);
    arena_init(&s->chain_bytes, s->mem);
    s->steps = mem_zalloc(s->mem, PD_STEPS, sizeof *s->steps);
    if (!s->steps || !vec_reserve(s->mem, &s->events, d->attrs.len + 1)) return false;
    memset(s->events.at, 0, d->attrs.len * sizeof *s->events.at);
    s->events.len = d->attrs.len;
    return true;
}

void pd_stacks_done(struct pd_stacks *s)
{
    if (!s->mem) return;
    pd_dumps_done(&s->dump);
    mem_free(s->mem, s->steps, s->steps ? PD_STEPS * sizeof *s->steps : 0);
    vec_done(s->mem, &s->nodes, &s->streams, &s->comms, &s->cells, &s->moments, &s->counters, &s->events, &s->ends, &s->taken, &s->chains);
    index_done(&s->chain_index);
    arena_done(&s->chain_bytes);
    index_done(&s->counter_index);
    index_done(&s->comm_index);
    index_done(&s->cell_index);
    index_done(&s->stream_index);
    kids_done(&s->paths);
    kids_done(&s->kids);
}

/* ---- contexts ---- */

/* 0 = no memory */
static uint32_t child(struct pd_stacks *s, uint32_t parent, uint32_t func, bool is_inlined)
{
    uint32_t id = kids_put(&s->kids, parent, (uint64_t)func << 1 | is_inlined);
    if (!id || id <= s->nodes.len) return id;
    uint32_t path = kids_put(&s->paths, parent ? s->nodes.at[parent - 1].path : 0, func);
    struct pd_node *made = path ? vec_push(s->mem, &s->nodes) : NULL;
    if (!made) return 0;
    *made = (struct pd_node){ parent, func, path, is_inlined };
    s->frames->funcs.at[func - 1].is_used = true;
    return id;
}

static uint32_t child_met(struct pd_stacks *s, uint32_t parent, uint32_t func, bool is_inlined, bool is_met)
{
    if (is_met) s->frames->funcs.at[func - 1].is_met = true;
    return child(s, parent, func, is_inlined);
}

static uint32_t step_new(struct pd_stacks *s, uint32_t parent, const struct pd_taken *t)
{
    bool is_met = !(t->root & PD_UNWOUND);
    uint32_t frame = pd_frame(s->frames, t->root & ~PD_UNWOUND, t->address);
    if (!frame) return 0;
    if (!(frame & PD_SEVERAL)) return child_met(s, parent, frame, false, is_met);
    uint32_t first = frame & ~PD_SEVERAL, count = s->frames->parts.at[first];
    for (uint32_t i = 0; i < count && (i == 0 || parent); i++) parent = child_met(s, parent, s->frames->parts.at[first + 1 + i], i > 0, is_met);
    return parent;
}

static inline uint32_t step(struct pd_stacks *s, uint32_t parent, const struct pd_taken *t)
{
    struct pd_step *e = &s->steps[hash_mix(t->address ^ (uint64_t)t->root << 48, parent) & (PD_STEPS - 1)];
    if (e->child && e->address == t->address && e->root == t->root && e->parent == parent) return e->child;
    uint32_t id = step_new(s, parent, t);
    if (id) *e = (struct pd_step){ t->address, t->root, parent, id };
    return id;
}

/* ---- the addresses of a sample ---- */

static bool take(struct pd_stacks *s, uint64_t address, uint32_t root)
{
    struct pd_taken *t = vec_push(s->mem, &s->taken);
    if (t) *t = (struct pd_taken){ address, root };
    return t != NULL;
}

/* The spaces that addresses of a sample can be in. */
struct roots {
    uint32_t user, kernel, guest;
};

/* By the mark before them, or by the mode of the sample. */
static uint32_t root_of_mark(const struct roots *r, uint64_t mark)
{
    if (mark == PD_MARK_KERNEL || mark == PD_MARK_HYPERVISOR) return r->kernel;
    if (mark == PD_MARK_GUEST_KERNEL) return r->guest;
    return mark == PD_MARK_GUEST_USER ? 0 : r->user;
}
static uint32_t root_of_mode(const struct roots *r, unsigned mode)
{
    if (mode == PD_KERNEL || mode == PD_HYPERVISOR) return r->kernel;
    if (mode == PD_GUEST_KERNEL) return r->guest;
    return mode == PD_GUEST_USER ? 0 : r->user;
}

/* The calls that the processor kept: they take the place of the program's part of the chain. The newest comes first. */
static bool take_branches(struct pd_stacks *s, const struct pd_sample *p, uint32_t root)
{
    for (uint32_t i = 0; i < p->branch_len; i++) {
        const unsigned char *b = p->branches + (size_t)i * 24;
        if (i == 0 && !take(s, pd_u64(s->d, b + 8), root)) return false;
        if (!take(s, pd_u64(s->d, b), root)) return false;
    }
    return true;
}

/* A part of a chain, and the space that it begins in. All but the first address after a mark are where a call returns to. They are looked up as they are, which
 * is what perf does: of a call that ends a function the next one is shown. */
struct part {
    const unsigned char *bytes;
    uint32_t len, root;
    bool has_branches;
};

static bool take_chain(struct pd_stacks *s, const struct roots *roots, struct part c)
{
    if (!vec_reserve(s->mem, &s->taken, c.len)) return false;
    for (uint32_t i = 0; i < c.len; i++) {
        uint64_t address = pd_u64(s->d, c.bytes + (size_t)i * 8);
        if (address >= PD_MARK_LEAST) {
            c.root = root_of_mark(roots, address);
            i += address == PD_MARK_DEFERRED; /* what follows is no address */
            if (c.has_branches && address == PD_MARK_USER) break;
            continue;
        }
        s->taken.at[s->taken.len++] = (struct pd_taken){ address, c.root };
    }
    return true;
}

/* The program's part of a stack, from a copy of its top. What unwinding gives stands in the file only as bytes, its first address excepted. */
static bool take_dump(struct pd_stacks *s, const struct pd_sample *p, const struct roots *roots)
{
    size_t count = pd_dump_unwind(&s->dump, p, roots->user);
    s->dumps++;
    s->unwound += count > 1;
    for (size_t i = 0; i < count; i++)
        if (!take(s, s->dump.out[i], roots->user | (i ? PD_UNWOUND : 0))) return false;
    return true;
}

static bool take_all(struct pd_stacks *s, const struct pd_sample *p, const struct roots *roots)
{
    const struct pd_attr *a = &s->d->attrs.at[p->attr - 1];
    bool has_branches = a->branch_type >> PD_BRANCH_CALL_STACK & 1 && p->branch_len;
    s->taken.len = 0;
    struct part chain = { p->chain, p->chain_len, root_of_mode(roots, p->misc & PD_MODE), has_branches };
    if (p->chain_len && !take_chain(s, roots, chain)) return false;
    s->full += s->taken.len >= MOST_CHAIN;
    if (has_branches && !take_branches(s, p, roots->user)) return false;
    bool lacks_user = !(a->sample_type & PD_CALLCHAIN) || pd_has(a, PD_EXCLUDE_CHAIN_USER);
    if (p->stack_len && lacks_user && !take_dump(s, p, roots)) return false;
    if (s->taken.len || !p->has_ip) return true;
    return take(s, p->ip, root_of_mode(roots, p->misc & PD_MODE));
}

/* ---- streams ---- */

static uint32_t stream_for(struct pd_stacks *s, const struct pd_sample *p)
{
    const struct pd_stream *before = s->stream ? &s->streams.at[s->stream - 1] : NULL;
    if (before && before->pid == p->pid && before->tid == p->tid) return s->stream;
    uint64_t hash = hash_mix((uint32_t)p->pid, (uint32_t)p->tid);
    for (struct index_walk w = index_walk(&s->stream_index, hash); index_next(&s->stream_index, &w);)
        if (s->streams.at[w.id - 1].pid == p->pid && s->streams.at[w.id - 1].tid == p->tid) return w.id;
    struct pd_stream *made = vec_push(s->mem, &s->streams);
    if (!made || !index_add(&s->stream_index, hash, (uint32_t)s->streams.len)) return 0;
    *made = (struct pd_stream){ .pid = p->pid, .tid = p->tid, .first = { UINT64_MAX, UINT64_MAX }, .window = { UINT64_MAX, 0 } };
    made->process = pd_owner(&s->tracks->processes, p->pid);
    made->thread = pd_owner(&s->tracks->threads, p->tid);
    return (uint32_t)s->streams.len;
}

/* A thread may change its name. */
static bool note_comm(struct pd_stacks *s, uint32_t stream)
{
    uint32_t comm = s->streams.at[stream - 1].comm_now;
    uint64_t hash = hash_mix(stream, comm);
    if (!comm) return true;
    for (struct index_walk w = index_walk(&s->comm_index, hash); index_next(&s->comm_index, &w);)
        if (s->comms.at[w.id - 1].stream == stream && s->comms.at[w.id - 1].comm == comm) return true;
    struct pd_comm *made = vec_push(s->mem, &s->comms);
    if (!made) return false;
    *made = (struct pd_comm){ stream, comm };
    return index_add(&s->comm_index, hash, (uint32_t)s->comms.len);
}

/* ---- values ---- */

static bool count_stack(struct pd_stacks *s, uint32_t node)
{
    uint32_t path = node ? s->nodes.at[node - 1].path : 0;
    if (path >= s->ends.len) {
        size_t more = path + 1 - s->ends.len;
        if (!vec_reserve(s->mem, &s->ends, more)) return false;
        memset(s->ends.at + s->ends.len, 0, more);
        s->ends.len += more;
    }
    s->stacks += !s->ends.at[path];
    s->ends.at[path] = 1;
    return true;
}

static bool add_value(struct pd_stacks *s, uint32_t node, uint32_t event, uint64_t value)
{
    uint64_t hash = hash_mix((uint64_t)s->stream << 32 | event, node);
    for (struct index_walk w = index_walk(&s->cell_index, hash); index_next(&s->cell_index, &w);) {
        struct pd_cell *c = &s->cells.at[w.id - 1];
        if (c->stream != s->stream || c->node != node || c->event != event) continue;
        if (__builtin_add_overflow(c->value, value, &c->value)) {
            c->value = UINT64_MAX;
            s->is_saturated = true;
        }
        return true;
    }
    struct pd_cell *made = vec_push(s->mem, &s->cells);
    if (!made) return false;
    *made = (struct pd_cell){ s->stream, node, event, value };
    return index_add(&s->cell_index, hash, (uint32_t)s->cells.len) && count_stack(s, node);
}

static bool add_period(struct pd_stacks *s, const struct pd_sample *p, uint32_t node, uint32_t event, uint64_t period)
{
    struct pd_event *e = &s->events.at[event];
    e->samples++;
    e->total = wide_add_u64(e->total, period);
    e->has_empty |= !node;
    if (s->wants_times && p->has_time) {
        struct pd_moment *m = vec_push(s->mem, &s->moments);
        if (!m) return false;
        *m = (struct pd_moment){ p->time, period, s->stream, node, event };
    }
    return add_value(s, node, event, period);
}

/* How much a counter grew since the sample before; counters of programs that hand theirs on are those of a thread. */
static bool growth(struct pd_stacks *s, const struct pd_sample *p, uint64_t id, uint64_t value, uint64_t *out)
{
    int32_t tid = pd_has(&s->d->attrs.at[p->attr - 1], PD_INHERIT) ? p->tid : 0;
    uint64_t hash = hash_mix(id, (uint32_t)tid);
    for (struct index_walk w = index_walk(&s->counter_index, hash); index_next(&s->counter_index, &w);) {
        struct pd_counter *c = &s->counters.at[w.id - 1];
        if (c->id != id || c->tid != tid) continue;
        *out = value >= c->value ? value - c->value : value;
        c->value = value;
        return true;
    }
    struct pd_counter *made = vec_push(s->mem, &s->counters);
    if (!made) return false;
    *made = (struct pd_counter){ id, value, tid };
    *out = value;
    return index_add(&s->counter_index, hash, (uint32_t)s->counters.len);
}

/* A sample with values of counters stands for as many events as they grew by: of its own event, or of each in its group. */
static bool add_readings(struct pd_stacks *s, const struct pd_sample *p, uint32_t node)
{
    for (uint32_t i = 0; i < p->read_len; i++) {
        uint64_t id, value, more = 0;
        pd_sample_value(s->d, p, i, &id, &value);
        uint32_t attr = s->d->attrs.len == 1 ? 1 : pd_attr_of_id(s->d, id);
        if (!attr) continue;
        if (!growth(s, p, id, value, &more)) return false;
        if (more && !add_period(s, p, node, attr - 1, more)) return false;
    }
    return true;
}

/* ---- chains that came before ---- */

static int walk_taken(struct pd_stacks *s, uint32_t *node, assay_error *err)
{
    *node = 0;
    for (size_t i = s->taken.len; i-- > 0;) {
        *node = step(s, *node, &s->taken.at[i]);
        if (!*node) return err->code ? err->code : error_memory(err);
    }
    return 0;
}

/* The context that the stack of a sample ends in; 0 = it has none. */
static int walk(struct pd_stacks *s, const struct pd_sample *p, const struct roots *roots, uint32_t *node, assay_error *err)
{
    return take_all(s, p, roots) ? walk_taken(s, node, err) : error_memory(err);
}

static bool is_chain(const struct pd_chain *c, const struct pd_chain *key)
{
    return c->len == key->len && c->root == key->root && c->user == key->user && c->kernel == key->kernel &&
           !memcmp(c->bytes, key->bytes, (size_t)key->len * 8);
}

/* The context of the callers: where they came before, or walked and kept. */
static int walk_callers(struct pd_stacks *s, const struct roots *roots, struct pd_chain *key, assay_error *err)
{
    size_t len = (size_t)key->len * 8;
    uint64_t hash = hash_mix(hash_bytes(key->bytes, len), (uint64_t)key->user << 32 | key->kernel);
    for (struct index_walk w = index_walk(&s->chain_index, hash); index_next(&s->chain_index, &w);) {
        const struct pd_chain *c = &s->chains.at[w.id - 1];
        if (!is_chain(c, key)) continue;
        *key = *c;
        return 0;
    }
    s->taken.len = 0;
    if (!take_chain(s, roots, (struct part){ key->bytes, key->len, key->root, false })) return error_memory(err);
    TRY(walk_taken(s, &key->node, err));
    key->is_full = s->taken.len + 1 >= MOST_CHAIN;
    if (len > KEPT_MOST - s->chain_len) return 0;
    char *copy = arena_text(&s->chain_bytes, len);
    struct pd_chain *made = copy ? vec_push(s->mem, &s->chains) : NULL;
    if (!made) return error_memory(err);
    memcpy(copy, key->bytes, len);
    s->chain_len += len;
    key->bytes = (const unsigned char *)copy;
    *made = *key;
    return index_add(&s->chain_index, hash, (uint32_t)s->chains.len) ? 0 : error_memory(err);
}

/* Samples are at many addresses, but their callers are mostly the same. */
static int walk_chain(struct pd_stacks *s, const struct pd_sample *p, const struct roots *roots, uint32_t *node, assay_error *err)
{
    struct pd_chain key = { .root = root_of_mode(roots, p->misc & PD_MODE), .user = roots->user, .kernel = roots->kernel };
    uint64_t address = UINT64_MAX;
    uint32_t i = 0;
    for (; i < p->chain_len && (address = pd_u64(s->d, p->chain + (size_t)i * 8)) >= PD_MARK_LEAST; i++) {
        key.root = root_of_mark(roots, address);
        i += address == PD_MARK_DEFERRED;
    }
    if (i >= p->chain_len) return walk(s, p, roots, node, err);
    struct pd_taken leaf = { address, key.root };
    key.bytes = p->chain + (size_t)(i + 1) * 8;
    key.len = p->chain_len - i - 1;
    if (key.len) TRY(walk_callers(s, roots, &key, err));
    s->full += key.is_full;
    *node = step(s, key.node, &leaf);
    return *node ? 0 : err->code ? err->code : error_memory(err);
}

/* ---- all of it ---- */

/* What is mapped and what the thread is called is mostly what it was at its sample before. */
static bool settle_window(struct pd_stacks *s, uint32_t stream, struct pd_when when)
{
    struct pd_owners *processes = &s->tracks->processes, *threads = &s->tracks->threads;
    struct pd_stream *of = &s->streams.at[stream - 1];
    struct pd_window window = { 0, UINT64_MAX };
    of->comm_now = pd_owner_at(threads, of->thread, when, &window);
    of->user = pd_owner_at(processes, of->process, when, &window);
    of->kernel = pd_owner_at(processes, PD_KERNEL_SPACE, when, &window);
    of->guest = pd_owner_at(processes, PD_GUEST_SPACE, when, &window);
    of->window = window;
    return note_comm(s, stream);
}

int pd_stacks_add(struct pd_stacks *s, const struct pd_sample *p, uint64_t seq, assay_error *err)
{
    struct pd_when when = { p->has_time ? p->time : 0, seq };
    uint32_t stream = stream_for(s, p), node = 0;
    if (!stream) return error_memory(err);
    struct pd_stream *of = &s->streams.at[stream - 1];
    bool is_inside = of->last.seq && when.time > of->window.after && when.time < of->window.before;
    if (!is_inside && !settle_window(s, stream, when)) return error_memory(err);
    s->stream = stream;
    if (pd_is_before(when, of->first)) of->first = when;
    if (!pd_is_before(when, of->last)) of->last = when, of->comm = of->comm_now;
    struct roots roots = { of->user, of->kernel, of->guest };
    if (p->chain_len && !p->stack_len && !p->branch_len)
        TRY(walk_chain(s, p, &roots, &node, err));
    else
        TRY(walk(s, p, &roots, &node, err));
    if (p->has_time) {
        if (!s->has_times || p->time < s->first_time) s->first_time = p->time;
        if (p->time > s->last_time) s->last_time = p->time;
        s->has_times = true;
    }
    s->samples++;
    s->empty += !node;
    if (node && !s->frames->funcs.at[s->nodes.at[node - 1].func - 1].dso) s->unmapped++;
    bool is_fine = p->read_len ? add_readings(s, p, node) : add_period(s, p, node, p->attr - 1, p->period);
    return is_fine ? 0 : error_memory(err);
}

/* Samples -> values by stream, context and event; see stacks.h. */
#include "base/cancel.h"
#include "base/number.h"
#include "base/scoped.h"
#include "formats/perf-data/stacks.h"

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

static bool add_value(struct pd_stacks *s, uint32_t node, uint32_t event, uint64_t value)
{
    uint64_t hash = pd_cell_hash(s->stream, event, node);
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
    return index_add(&s->cell_index, hash, (uint32_t)s->cells.len);
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

static int add(struct pd_stacks *s, struct pd_waiting *w, assay_error *err)
{
    const struct pd_sample *p = &w->sample;
    uint32_t node = 0;
    s->stream = w->stream;
    if (w->has_leaf)
        TRY(pd_chain_walk(s, w, &node, err));
    else
        TRY(pd_stack_walk(s, p, &w->roots, &node, err));
    s->samples++;
    s->empty += !node;
    if (node && s->frames->nowhere) s->unmapped += s->nodes.at[node - 1].func == s->frames->nowhere;
    bool is_fine = p->read_len ? add_readings(s, p, node) : add_period(s, p, node, p->attr - 1, p->period);
    return is_fine ? 0 : error_memory(err);
}

int pd_stacks_settle(struct pd_stacks *s, assay_error *err)
{
    pd_chains_fetch(s);
    uint32_t stream = s->stream;
    for (size_t i = 0; i < s->waiting_len; i++) TRY(add(s, &s->waiting[i], err));
    s->waiting_len = 0;
    s->stream = stream;
    return 0;
}

static void note_time(struct pd_stacks *s, uint64_t time)
{
    if (!s->has_times || time < s->first_time) s->first_time = time;
    if (time > s->last_time) s->last_time = time;
    s->has_times = true;
}

int pd_stacks_add(struct pd_stacks *s, uint64_t seq, assay_error *err)
{
    struct pd_waiting *w = &s->waiting[s->waiting_len];
    const struct pd_sample *p = &w->sample;
    struct pd_when when = { p->has_time ? p->time : 0, seq };
    w->stream = s->stream = stream_for(s, p);
    if (!w->stream) return error_memory(err);
    struct pd_stream *of = &s->streams.at[w->stream - 1];
    bool is_inside = of->last.seq && when.time > of->window.after && when.time < of->window.before;
    if (!is_inside && !settle_window(s, w->stream, when)) return error_memory(err);
    if (pd_is_before(when, of->first)) of->first = when;
    if (!pd_is_before(when, of->last)) of->last = when, of->comm = of->comm_now;
    w->roots = (struct pd_roots){ of->user, of->kernel, of->guest };
    w->has_leaf = false;
    if (p->has_time) note_time(s, p->time);
    if (p->chain_len && !p->stack_len && !p->branch_len) pd_chain_begin(s, w);
    return ++s->waiting_len < PD_AHEAD ? 0 : pd_stacks_settle(s, err);
}

/* ---- counts ---- */

size_t pd_paths(const struct pd_stacks *s)
{
    if (!s->frames->inlined) return s->nodes.len;
    return kids_len(&s->paths) ? kids_len(&s->paths) - 1 : 0;
}

int pd_ends(const struct pd_stacks *s, uint64_t *out, assay_error *err)
{
    SCRATCH(bool, is_end, s->mem, pd_paths(s) + 1);
    if (!is_end) return error_memory(err);
    *out = 0;
    for (size_t i = 0; i < s->cells.len; i++) {
        uint32_t node = s->cells.at[i].node, path = node ? s->nodes.at[node - 1].path : 0;
        TRY(cancel_step(i, err));
        *out += !is_end[path];
        is_end[path] = true;
    }
    return 0;
}

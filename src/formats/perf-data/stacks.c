/* Contexts of stacks. Addresses come innermost first, with marks between those of the kernel and those of the program; they are walked from the root. */
#include "formats/perf-data/stacks.h"

enum { MOST_CHAIN = 127 }; /* addresses that the kernel puts into a chain, unless it is told otherwise */

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
    index_init(&s->kept_index, s->mem);
    arena_init(&s->kept_bytes, s->mem);
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
    vec_done(s->mem, &s->nodes, &s->streams, &s->comms, &s->cells, &s->moments, &s->counters, &s->events, &s->taken, &s->kept);
    index_done(&s->kept_index);
    arena_done(&s->kept_bytes);
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
    uint32_t path = s->frames->inlined ? kids_put(&s->paths, parent ? s->nodes.at[parent - 1].path : 0, func) : id;
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

static uint32_t child_at(struct pd_stacks *s, uint32_t parent, const struct pd_taken *t)
{
    bool is_met = !(t->root & PD_UNWOUND);
    uint32_t frame = pd_frame(s->frames, t->root & ~PD_UNWOUND, t->address);
    if (!frame) return 0;
    if (!(frame & PD_SEVERAL)) return child_met(s, parent, frame, false, is_met);
    uint32_t first = frame & ~PD_SEVERAL, count = s->frames->parts.at[first];
    for (uint32_t i = 0; i < count && (i == 0 || parent); i++) parent = child_met(s, parent, s->frames->parts.at[first + 1 + i], i > 0, is_met);
    return parent;
}

uint32_t pd_step_new(struct pd_stacks *s, uint32_t parent, const struct pd_taken *t)
{
    uint32_t id = child_at(s, parent, t);
    if (id) *pd_step_slot(s, parent, t) = (struct pd_step){ t->address, t->root, parent, id };
    return id;
}

/* ---- the addresses of a sample ---- */

static bool take(struct pd_stacks *s, uint64_t address, uint32_t root)
{
    struct pd_taken *t = vec_push(s->mem, &s->taken);
    if (t) *t = (struct pd_taken){ address, root };
    return t != NULL;
}

uint32_t pd_root_of_mark(const struct pd_roots *r, uint64_t mark)
{
    if (mark == PD_MARK_KERNEL || mark == PD_MARK_HYPERVISOR) return r->kernel;
    if (mark == PD_MARK_GUEST_KERNEL) return r->guest;
    return mark == PD_MARK_GUEST_USER ? 0 : r->user;
}
uint32_t pd_root_of_mode(const struct pd_roots *r, unsigned mode)
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

static bool take_chain(struct pd_stacks *s, const struct pd_roots *roots, struct part c)
{
    if (!vec_reserve(s->mem, &s->taken, c.len)) return false;
    for (uint32_t i = 0; i < c.len; i++) {
        uint64_t address = pd_u64(s->d, c.bytes + (size_t)i * 8);
        if (address >= PD_MARK_LEAST) {
            c.root = pd_root_of_mark(roots, address);
            i += address == PD_MARK_DEFERRED; /* what follows is no address */
            if (c.has_branches && address == PD_MARK_USER) break;
            continue;
        }
        s->taken.at[s->taken.len++] = (struct pd_taken){ address, c.root };
    }
    return true;
}

/* The program's part of a stack, from a copy of its top. What unwinding gives stands in the file only as bytes, its first address excepted. */
static bool take_dump(struct pd_stacks *s, const struct pd_sample *p, const struct pd_roots *roots)
{
    size_t count = pd_dump_unwind(&s->dump, p, roots->user);
    s->dumps++;
    s->unwound += count > 1;
    for (size_t i = 0; i < count; i++)
        if (!take(s, s->dump.out[i], roots->user | (i ? PD_UNWOUND : 0))) return false;
    return true;
}

static bool take_all(struct pd_stacks *s, const struct pd_sample *p, const struct pd_roots *roots)
{
    const struct pd_attr *a = &s->d->attrs.at[p->attr - 1];
    bool has_branches = a->branch_type >> PD_BRANCH_CALL_STACK & 1 && p->branch_len;
    s->taken.len = 0;
    struct part chain = { p->chain, p->chain_len, pd_root_of_mode(roots, p->misc & PD_MODE), has_branches };
    if (p->chain_len && !take_chain(s, roots, chain)) return false;
    s->full += s->taken.len >= MOST_CHAIN;
    if (has_branches && !take_branches(s, p, roots->user)) return false;
    bool lacks_user = !(a->sample_type & PD_CALLCHAIN) || pd_has(a, PD_EXCLUDE_CHAIN_USER);
    if (p->stack_len && lacks_user && !take_dump(s, p, roots)) return false;
    if (s->taken.len || !p->has_ip) return true;
    return take(s, p->ip, pd_root_of_mode(roots, p->misc & PD_MODE));
}

/* ---- all of it ---- */

static int walk_taken(struct pd_stacks *s, uint32_t *node, assay_error *err)
{
    *node = 0;
    for (size_t i = s->taken.len; i-- > 0;) {
        *node = pd_step(s, *node, &s->taken.at[i]);
        if (!*node) return err->code ? err->code : error_memory(err);
    }
    return 0;
}

int pd_stack_walk(struct pd_stacks *s, const struct pd_sample *p, const struct pd_roots *roots, uint32_t *node, assay_error *err)
{
    return take_all(s, p, roots) ? walk_taken(s, node, err) : error_memory(err);
}

int pd_callers_walk(struct pd_stacks *s, struct pd_callers *c, const unsigned char *bytes, assay_error *err)
{
    s->taken.len = 0;
    if (!take_chain(s, &c->roots, (struct part){ bytes, c->len, c->root, false })) return error_memory(err);
    c->is_full = s->taken.len + 1 >= MOST_CHAIN;
    return walk_taken(s, &c->node, err);
}

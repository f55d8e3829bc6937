/* Samples added up: memory grows with distinct contexts, not with samples. Frames come innermost first, so those of a sample are kept until it is over, and
 * then walked from the root. A line that came before is looked up as a whole and not taken apart again. */
#include "base/number.h"
#include "base/slice.h"
#include "formats/perf-script/perf_script.h"

enum { TEXT_MOST = 64 << 20 }; /* bytes of lines that are kept: what comes later is taken apart each time */

void perf_script_stacks_init(struct perf_script_stacks *s, struct mem *mem, bool wants_times)
{
    memset(s, 0, sizeof *s);
    s->mem = mem;
    s->wants_times = wants_times;
    intern_init(&s->names, mem);
    intern_init(&s->places, mem);
    intern_init(&s->event_names, mem);
    arena_init(&s->text, mem);
    index_init(&s->line_index, mem);
    index_init(&s->func_index, mem);
    index_init(&s->stream_index, mem);
    index_init(&s->cell_index, mem);
    index_init(&s->comm_index, mem);
    kids_init(&s->kids, mem);
    kids_init(&s->paths, mem);
}

void perf_script_stacks_done(struct perf_script_stacks *s)
{
    vec_done(s->mem, &s->lines);
    vec_done(s->mem, &s->funcs);
    vec_done(s->mem, &s->part_funcs);
    vec_done(s->mem, &s->nodes);
    vec_done(s->mem, &s->ends);
    vec_done(s->mem, &s->events);
    vec_done(s->mem, &s->streams);
    vec_done(s->mem, &s->comms);
    vec_done(s->mem, &s->cells);
    vec_done(s->mem, &s->moments);
    vec_done(s->mem, &s->taken);
    kids_done(&s->paths);
    kids_done(&s->kids);
    index_done(&s->comm_index);
    index_done(&s->cell_index);
    index_done(&s->stream_index);
    index_done(&s->func_index);
    index_done(&s->line_index);
    arena_done(&s->text);
    intern_done(&s->event_names);
    intern_done(&s->places);
    intern_done(&s->names);
}

/* ---- frames ---- */

/* 0 = no memory */
static uint32_t func_for(struct perf_script_stacks *s, uint32_t symbol, uint32_t module)
{
    uint64_t hash = hash_mix(symbol, module);
    for (struct index_walk w = index_walk(&s->func_index, hash); index_next(&s->func_index, &w);)
        if (s->funcs.at[w.id - 1].symbol == symbol && s->funcs.at[w.id - 1].module == module) return w.id;
    struct perf_script_func *made = vec_push(s->mem, &s->funcs);
    if (!made) return 0;
    *made = (struct perf_script_func){ .symbol = symbol, .module = module };
    return index_add(&s->func_index, hash, (uint32_t)s->funcs.len) ? (uint32_t)s->funcs.len : 0;
}

/* perf-NUMBER.map: what a just-in-time compiler says of its code. */
static bool is_map(assay_slice module)
{
    if (!slice_ends(module, ".map")) return false;
    const char *p = module.data + module.len - strlen(".map"), *end = p;
    while (p > module.data && p[-1] >= '0' && p[-1] <= '9') p--;
    return p < end && slice_ends(slice_from(module.data, p), "perf-");
}

/* Methods that were inlined: each is a function. C++ has -> in names too, so only in maps. */
static bool shape_parts(struct perf_script_stacks *s, assay_slice symbol, struct perf_script_shape *f)
{
    f->parts = 0;
    f->func = (uint32_t)s->part_funcs.len;
    for (const char *p = symbol.data, *end = p + symbol.len, *arrow = p; arrow; p = arrow ? arrow + 2 : end) {
        arrow = memmem(p, (size_t)(end - p), "->", 2);
        uint32_t name = intern_put(&s->names, slice_from(p, arrow ? arrow : end));
        uint32_t func = name ? func_for(s, name, f->module) : 0, *slot = func ? vec_push(s->mem, &s->part_funcs) : NULL;
        if (!slot) return false;
        *slot = func;
        f->parts++;
    }
    return true;
}

static bool shape_of(struct perf_script_stacks *s, assay_slice text, struct perf_script_shape *out)
{
    struct perf_script_frame f = perf_script_frame(text);
    *out = (struct perf_script_shape){ .ip = f.ip, .parts = 1, .is_inlined = f.is_inlined };
    if (f.module.len && !(out->module = intern_put(&s->names, f.module))) return false;
    if (is_map(f.module) && slice_contains(f.symbol, "->")) return shape_parts(s, f.symbol, out);
    out->symbol = intern_put(&s->names, f.symbol);
    if (!out->symbol || f.is_inlined) return out->symbol != 0;
    out->func = func_for(s, out->symbol, out->module);
    return out->func != 0;
}

static bool keep_line(struct perf_script_stacks *s, assay_slice text, uint64_t hash, const struct perf_script_shape *shape)
{
    if (text.len > TEXT_MOST - s->text_len) return true;
    const char *copy = arena_copy(&s->text, text);
    struct perf_script_line *made = copy ? vec_push(s->mem, &s->lines) : NULL;
    if (!made) return false;
    *made = (struct perf_script_line){ { copy, text.len }, *shape };
    s->text_len += text.len;
    return index_add(&s->line_index, hash, (uint32_t)s->lines.len);
}

static bool add_frame(struct perf_script_stacks *s, assay_slice text)
{
    uint64_t hash = hash_bytes(text.data, text.len);
    struct perf_script_taken *t = vec_push(s->mem, &s->taken);
    if (!t) return false;
    t->site = 0;
    for (struct index_walk w = index_walk(&s->line_index, hash); index_next(&s->line_index, &w);) {
        const struct perf_script_line *l = &s->lines.at[w.id - 1];
        if (!slice_equal(l->text, text)) continue;
        t->shape = l->shape;
        return true;
    }
    return shape_of(s, text, &t->shape) && keep_line(s, text, hash, &t->shape);
}

/* The place of the frame before. An inlined frame has no module of its own. */
static bool add_source(struct perf_script_stacks *s, const struct perf_script_record *r)
{
    if (!s->taken.len) return true;
    struct perf_script_taken *t = &s->taken.at[s->taken.len - 1];
    assay_slice file;
    uint32_t line;
    if (r->is_inlined && t->shape.parts == 1) {
        t->shape.is_inlined = true;
        t->shape.module = 0;
    }
    if (!perf_script_source(r->text, &file, &line)) return true;
    t->site = intern_put(&s->places, r->text);
    return t->site && t->site <= INT32_MAX;
}

/* ---- contexts ---- */

/* Functions, whether they are inlined, and call sites tell nodes apart; func 0 is the line of a leaf. 0 = no memory */
static uint32_t child(struct perf_script_stacks *s, uint32_t parent, uint32_t func, bool is_inlined, uint32_t site)
{
    uint32_t id = kids_put(&s->kids, parent, (uint64_t)site << 33 | (uint64_t)func << 1 | is_inlined);
    if (!id || id <= s->nodes.len) return id;
    const struct perf_script_node *above = parent ? &s->nodes.at[parent - 1] : NULL;
    uint32_t path = above ? above->path : 0, inlined = (above ? above->inlined : 0) + is_inlined;
    if (func) {
        s->funcs.at[func - 1].is_used = true;
        path = kids_put(&s->paths, path, func);
    }
    struct perf_script_node *made = path ? vec_push(s->mem, &s->nodes) : NULL;
    if (!made) return 0;
    *made = (struct perf_script_node){ parent, func, site, path, inlined, is_inlined };
    return id;
}

/* The frame that the next one inwards is below. */
struct outer {
    uint32_t node, module, site;
    uint64_t ip;
    bool is_there;
};

/* An inlined frame is in the module of the frame around it if both have the same address; if they have not, nobody knows. */
static bool walk_inlined(struct perf_script_stacks *s, const struct perf_script_shape *f, struct outer *o)
{
    uint32_t module = o->is_there && o->ip == f->ip ? o->module : 0, func = func_for(s, f->symbol, module);
    o->node = func ? child(s, o->node, func, true, o->site) : 0;
    o->module = module;
    return o->node != 0;
}

static bool walk_frame(struct perf_script_stacks *s, const struct perf_script_taken *t, struct outer *o)
{
    const struct perf_script_shape *f = &t->shape;
    if (f->is_inlined) {
        if (!walk_inlined(s, f, o)) return false;
    } else {
        for (uint32_t i = 0; i < f->parts; i++) {
            uint32_t func = f->parts == 1 ? f->func : s->part_funcs.at[f->func + i];
            o->node = child(s, o->node, func, i > 0, i ? 0 : o->site);
            if (!o->node) return false;
        }
        o->module = f->module;
    }
    o->ip = f->ip;
    o->site = t->site;
    o->is_there = true;
    return true;
}

/* The node that the stack of the open sample ends in: *out, 0 = it has no frames. */
static bool walk(struct perf_script_stacks *s, uint32_t *out)
{
    struct outer o = { 0 };
    for (size_t i = s->taken.len; i-- > 0;)
        if (!walk_frame(s, &s->taken.at[i], &o)) return false;
    if (o.site) {
        o.node = child(s, o.node, 0, false, o.site);
        if (!o.node) return false;
    }
    *out = o.node;
    return true;
}

/* ---- samples ---- */

static bool count_stack(struct perf_script_stacks *s, uint32_t node)
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

static bool add_value(struct perf_script_stacks *s, uint32_t node)
{
    uint64_t hash = hash_mix(hash_mix(s->stream, s->event), node), value = s->head.period;
    for (struct index_walk w = index_walk(&s->cell_index, hash); index_next(&s->cell_index, &w);) {
        struct perf_script_cell *c = &s->cells.at[w.id - 1];
        if (c->stream != s->stream || c->node != node || c->event != s->event) continue;
        if (__builtin_add_overflow(c->value, value, &c->value)) {
            c->value = UINT64_MAX;
            s->is_saturated = true;
        }
        return true;
    }
    struct perf_script_cell *made = vec_push(s->mem, &s->cells);
    if (!made) return false;
    *made = (struct perf_script_cell){ s->stream, node, s->event, value };
    return index_add(&s->cell_index, hash, (uint32_t)s->cells.len) && count_stack(s, node);
}

static bool add_moment(struct perf_script_stacks *s, uint32_t node)
{
    struct perf_script_moment *m = vec_push(s->mem, &s->moments);
    if (m) *m = (struct perf_script_moment){ s->head.time, s->stream, node, s->event, s->head.period };
    return m != NULL;
}

static bool close_sample(struct perf_script_stacks *s)
{
    uint32_t node;
    if (!s->is_open) return true;
    s->is_open = false;
    if (!walk(s, &node)) return false;
    struct perf_script_event *e = &s->events.at[s->event];
    e->total = wide_add_u64(e->total, s->head.period);
    e->has_empty |= !node;
    s->empty += !node;
    if (node) s->inlined += s->nodes.at[node - 1].inlined;
    if (s->head.has_time) s->has_times = true;
    if (s->wants_times && s->head.has_time && !add_moment(s, node)) return false;
    return add_value(s, node);
}

/* Mostly the one of the sample before. */
static bool choose_event(struct perf_script_stacks *s, const struct perf_script_head *h)
{
    uint32_t number = intern_put(&s->event_names, h->event);
    if (!number) return false;
    s->event = number - 1;
    if (s->event < s->events.len) return true;
    struct perf_script_event *made = vec_push(s->mem, &s->events);
    if (made) *made = (struct perf_script_event){ .has_period = h->has_period };
    return made != NULL;
}

static bool choose_stream(struct perf_script_stacks *s, assay_slice thread)
{
    if (s->stream && slice_equal(s->streams.at[s->stream - 1].thread, thread)) return true;
    uint64_t hash = hash_bytes(thread.data, thread.len);
    for (struct index_walk w = index_walk(&s->stream_index, hash); index_next(&s->stream_index, &w);) {
        if (!slice_equal(s->streams.at[w.id - 1].thread, thread)) continue;
        s->stream = w.id;
        return true;
    }
    const char *copy = arena_copy(&s->text, thread);
    struct perf_script_stream *made = copy ? vec_push(s->mem, &s->streams) : NULL;
    if (!made) return false;
    *made = (struct perf_script_stream){ { copy, thread.len }, 0 };
    s->stream = (uint32_t)s->streams.len;
    return index_add(&s->stream_index, hash, s->stream);
}

/* A thread may change its name. */
static bool note_comm(struct perf_script_stacks *s, assay_slice comm)
{
    struct perf_script_stream *stream = &s->streams.at[s->stream - 1];
    if (stream->comm && slice_equal(intern_get(&s->names, stream->comm), comm)) return true;
    stream->comm = intern_put(&s->names, comm);
    if (!stream->comm) return false;
    uint64_t hash = hash_mix(s->stream, stream->comm);
    for (struct index_walk w = index_walk(&s->comm_index, hash); index_next(&s->comm_index, &w);)
        if (s->comms.at[w.id - 1].stream == s->stream && s->comms.at[w.id - 1].comm == stream->comm) return true;
    struct perf_script_comm *made = vec_push(s->mem, &s->comms);
    if (!made) return false;
    *made = (struct perf_script_comm){ s->stream, stream->comm };
    return index_add(&s->comm_index, hash, (uint32_t)s->comms.len);
}

static bool open_sample(struct perf_script_stacks *s, const struct perf_script_head *h)
{
    if (!close_sample(s) || !choose_event(s, h) || !choose_stream(s, h->thread) || !note_comm(s, h->comm)) return false;
    s->is_open = true;
    s->head = *h; /* numbers only are used: the texts end with the line */
    s->taken.len = 0;
    return !h->frame.len || add_frame(s, h->frame);
}

bool perf_script_stacks_add(struct perf_script_stacks *s, const struct perf_script_record *r)
{
    switch (r->kind) {
    case PERF_SCRIPT_FRAME: return add_frame(s, r->text);
    case PERF_SCRIPT_SOURCE: return add_source(s, r);
    case PERF_SCRIPT_SAMPLE: return open_sample(s, &r->head);
    case PERF_SCRIPT_BLANK:
    case PERF_SCRIPT_END: return close_sample(s);
    case PERF_SCRIPT_COMMENT:
    case PERF_SCRIPT_RECORD:
    case PERF_SCRIPT_OTHER: break;
    }
    return true;
}

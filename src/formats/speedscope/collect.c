/* Records -> stacks that are there once, with what each profile adds up to in them; see speedscope.h. The unit of a profile, its weights and even the frames
 * may follow the samples, so nothing is looked up before the end: until then a stack is a path of frame numbers. */
#include "base/cancel.h"
#include "base/error.h"
#include "base/fetch.h"
#include "base/slice.h"
#include "formats/speedscope/speedscope.h"

const char *const speedscope_unit_names[SPEEDSCOPE_UNITS] = { "none", "nanoseconds", "microseconds", "milliseconds", "seconds", "bytes" };

double speedscope_unit_ns(enum speedscope_unit unit)
{
    static const double ns[SPEEDSCOPE_UNITS] = { 0, 1, 1e3, 1e6, 1e9, 0 };
    return ns[unit];
}

/* ---- cells ---- */

/* The cell of a node in the open profile; NULL = no memory. */
static struct speedscope_cell *cell_of(struct speedscope *s, uint32_t node)
{
    while (s->slot.len <= node) {
        uint32_t *slot = vec_push(s->mem, &s->slot);
        if (!slot) return NULL;
        *slot = 0;
    }
    if (s->slot.at[node] > s->it.p.cells) return &s->cells.at[s->slot.at[node] - 1];
    struct speedscope_cell *c = s->cells.len < UINT32_MAX ? vec_push(s->mem, &s->cells) : NULL;
    if (!c) return NULL;
    *c = (struct speedscope_cell){ .node = node };
    s->slot.at[node] = (uint32_t)s->cells.len;
    return c;
}

/* What the sum loses to rounding goes to the rest. */
static void add_exactly(struct speedscope_cell *c, double v)
{
    double sum = c->sum + v, part = sum - c->sum;
    c->rest += (c->sum - (sum - part)) + (v - part);
    c->sum = sum;
}

static int add_to(struct speedscope *s, uint32_t node, double v)
{
    struct speedscope_cell *c = cell_of(s, node);
    if (!c) return error_memory(s->err);
    c->is_stack = true;
    add_exactly(c, v);
    return 0;
}

static int add_event(struct speedscope *s, uint32_t node, double at, double length)
{
    if (s->want != SPEEDSCOPE_TIMES) return 0;
    struct speedscope_event *e = vec_push(s->mem, &s->timeline);
    if (!e) return error_memory(s->err);
    *e = (struct speedscope_event){ node, at, length };
    return 0;
}

/* ---- frames ---- */

static int add_frame(struct speedscope *s, const struct speedscope_record *r)
{
    struct speedscope_frame *f = vec_push(s->mem, &s->frames);
    if (!f) return error_memory(s->err);
    *f = (struct speedscope_frame){ intern_put(&s->names, r->text), r->file.len ? intern_put(&s->names, r->file) : 0, r->line, r->column };
    return f->name && (!r->file.len || f->file) ? 0 : error_memory(s->err);
}

static void note_largest(struct speedscope *s, uint64_t frame, uint64_t off, uint64_t line)
{
    if (frame < s->it.p.largest) return;
    s->it.p.largest = frame == UINT64_MAX ? frame : frame + 1;
    s->it.p.largest_off = off;
    s->it.p.largest_line = line;
}

/* ---- samples ---- */

/* The node of a stack. Most frames are those of the stack before. 0 = no memory. */
static uint32_t node_for(struct speedscope *s, const uint32_t *frames, size_t count)
{
    size_t same = 0, most = count < s->it.last.len ? count : s->it.last.len;
    while (same < most && frames[same] == s->it.last.at[same]) same++;
    s->it.last.len = s->it.path.len = same;
    if (!vec_reserve(s->mem, &s->it.last, count) || !vec_reserve(s->mem, &s->it.path, count)) return 0;
    uint32_t node = same ? s->it.path.at[same - 1] : 0;
    for (size_t i = same; i < count; i++) {
        node = kids_put(&s->nodes, node, frames[i]);
        if (!node || node >= SPEEDSCOPE_IS_NODE) return 0;
        s->it.last.at[s->it.last.len++] = frames[i];
        s->it.path.at[s->it.path.len++] = node;
    }
    return node;
}

/* The node of a stack with a number; 0 = no memory. */
static uint32_t node_of_stack(struct speedscope *s, uint32_t stack)
{
    if (s->node_of.len < s->begin.len) {
        size_t more = s->begin.len - s->node_of.len;
        if (!vec_reserve(s->mem, &s->node_of, more)) return 0;
        memset(s->node_of.at + s->node_of.len, 0, more * sizeof *s->node_of.at);
        s->node_of.len += more;
    }
    uint32_t *node = &s->node_of.at[stack];
    if (!*node) *node = node_for(s, vec_from(&s->pool, s->begin.at[stack]), s->begin.at[stack + 1] - s->begin.at[stack]);
    return *node;
}

/* Puts the frames of a stack behind the others; those that no file can have are all the same. */
static bool pool_frames(struct speedscope *s, const struct speedscope_record *r)
{
    uint32_t most = 0;
    if (!vec_reserve(s->mem, &s->pool, r->frame_count) || !vec_reserve(s->mem, &s->begin, 3) || !vec_reserve(s->mem, &s->most, 2)) return false;
    for (; s->begin.len < 2; s->begin.len++) s->begin.at[s->begin.len] = 0;
    for (; s->most.len < 1; s->most.len++) s->most.at[s->most.len] = 0;
    for (size_t i = 0; i < r->frame_count; i++) {
        uint32_t frame = r->frames[i] < UINT32_MAX ? (uint32_t)r->frames[i] : UINT32_MAX;
        if (r->frames[i] >= s->it.p.largest) note_largest(s, r->frames[i], speedscope_frame_off(r, i), r->at_line);
        if (frame > most) most = frame;
        s->pool.at[s->pool.len++] = frame;
    }
    s->begin.at[s->begin.len++] = s->pool.len;
    s->most.at[s->most.len++] = most;
    return true;
}

/* Of a stack that another profile may have had: what is new in this one. */
static void note_stack(struct speedscope *s, const struct speedscope_record *r)
{
    if (s->most.at[r->stack] < s->it.p.largest) return;
    size_t begin = s->begin.at[r->stack], end = s->begin.at[r->stack + 1];
    for (size_t i = begin; i < end; i++)
        if (s->pool.at[i] >= s->it.p.largest) note_largest(s, s->pool.at[i], speedscope_frame_off(r, i - begin), r->at_line);
}

static int add_stack(struct speedscope *s, const struct speedscope_record *r)
{
    uint32_t *sample = vec_push(s->mem, &s->it.samples);
    if (!sample) return error_memory(s->err);
    *sample = r->stack;
    if (r->stack && !r->frames)
        note_stack(s, r);
    else if (r->stack) {
        if (!pool_frames(s, r)) return error_memory(s->err);
    } else if (r->frame_count) { /* of a stack without a number only the node stays */
        size_t len = s->pool.len;
        if (!pool_frames(s, r)) return error_memory(s->err);
        uint32_t node = node_for(s, s->pool.at + len, r->frame_count);
        s->pool.len = len;
        s->begin.len--;
        s->most.len--;
        s->has_unnumbered = true;
        if (!node) return error_memory(s->err);
        *sample = node | SPEEDSCOPE_IS_NODE;
    }
    return 0;
}

static int add_weights(struct speedscope *s, const struct speedscope_record *r)
{
    size_t count = r->numbers ? r->number_count : 1;
    if (!vec_reserve(s->mem, &s->it.weights, count)) return error_memory(s->err);
    memcpy(s->it.weights.at + s->it.weights.len, r->numbers ? r->numbers : &r->number, count * sizeof r->number);
    s->it.weights.len += count;
    return 0;
}

/* From stacks to nodes. */
static int find_nodes(struct speedscope *s)
{
    for (size_t i = 0; i < s->it.samples.len; i++) {
        uint32_t *sample = &s->it.samples.at[i];
        TRY(cancel_step(i, s->err));
        uint32_t node = *sample & SPEEDSCOPE_IS_NODE ? *sample & ~SPEEDSCOPE_IS_NODE : *sample ? node_of_stack(s, *sample) : 0;
        if (*sample && !node) return error_memory(s->err);
        *sample = node;
    }
    return 0;
}

int speedscope_make_nodes(struct speedscope *s)
{
    for (size_t i = 0; i < s->profiles.len; i++) {
        struct speedscope_profile *p = &s->profiles.at[i];
        for (size_t c = p->cells; p->is_by_stack && c < p->cells_end; c++) {
            TRY(cancel_step(c, s->err));
            s->cells.at[c].node = node_of_stack(s, s->cells.at[c].node);
            if (!s->cells.at[c].node) return error_memory(s->err);
        }
        p->is_by_stack = false;
    }
    return 0;
}

static int settle_samples(struct speedscope *s)
{
    struct speedscope_profile *p = &s->it.p;
    double at = p->start;
    p->samples = s->it.samples.len;
    if (s->it.samples.len != s->it.weights.len) {
        findings_add(s->damage, "SP01", ASSAY_ERROR, s->it.weights_off ? s->it.weights_off : s->it.off, s->it.weights_off ? s->it.weights_line : s->it.line,
                     "%zu samples, but %zu weights: the profile is left out", s->it.samples.len, s->it.weights.len);
        p->is_sound = false;
        return 0;
    }
    p->is_by_stack = s->want == SPEEDSCOPE_STACKS && !s->has_unnumbered;
    if (!p->is_by_stack) TRY(find_nodes(s));
    for (size_t i = 0; i < s->it.samples.len; i++) {
        TRY(cancel_step(i, s->err));
        uint32_t node = s->it.samples.at[i], later = i + 8 < s->it.samples.len ? s->it.samples.at[i + 8] : 0;
        if (later < s->slot.len && s->slot.at[later] > p->cells) fetch(&s->cells.at[s->slot.at[later] - 1]);
        double v = s->it.weights.at[i];
        if (node)
            TRY(add_to(s, node, v));
        else
            p->idle += v;
        TRY(add_event(s, node, at, v));
        at += v;
    }
    return 0;
}

/* ---- events ---- */

static int pass_time(struct speedscope *s, const struct speedscope_record *r)
{
    size_t depth = s->it.open.len;
    double passed = r->number - s->it.now;
    if (s->it.p.events > 1 && passed < 0) {
        findings_add(s->damage, "SP02", ASSAY_ERROR, r->off, r->at_line, "an event at %.17g after one at %.17g: the profile is left out", r->number, s->it.now);
        s->it.p.is_sound = false;
    }
    if (depth && passed > 0) TRY(add_to(s, s->it.open.at[depth - 1].node, passed));
    s->it.now = r->number;
    return 0;
}

static int open_frame(struct speedscope *s, const struct speedscope_record *r)
{
    size_t depth = s->it.open.len;
    note_largest(s, r->frame, r->off, r->at_line);
    uint32_t node = kids_put(&s->nodes, depth ? s->it.open.at[depth - 1].node : 0, r->frame);
    struct speedscope_open *o = node ? vec_push(s->mem, &s->it.open) : NULL;
    struct speedscope_cell *c = o ? cell_of(s, node) : NULL;
    if (!c) return error_memory(s->err);
    *o = (struct speedscope_open){ r->frame, r->off, r->at_line, node, r->number };
    c->calls++;
    return 0;
}

static int close_frame(struct speedscope *s, double at)
{
    struct speedscope_open *o = &s->it.open.at[--s->it.open.len];
    return add_event(s, o->node, o->at, at - o->at);
}

static int add_change(struct speedscope *s, const struct speedscope_record *r)
{
    s->it.p.events++;
    if (!s->it.p.is_sound) return 0;
    TRY(pass_time(s, r));
    if (r->kind == SPEEDSCOPE_OPEN) return open_frame(s, r);
    size_t depth = s->it.open.len;
    if (depth && s->it.open.at[depth - 1].frame == r->frame) return close_frame(s, r->number);
    if (depth)
        findings_add(s->damage, "SP03", ASSAY_ERROR, r->off, r->at_line, "frame %llu is closed while frame %llu is on top: the profile is left out",
                     (unsigned long long)r->frame, (unsigned long long)s->it.open.at[depth - 1].frame);
    else
        findings_add(s->damage, "SP03", ASSAY_ERROR, r->off, r->at_line, "frame %llu is closed, but none is open: the profile is left out",
                     (unsigned long long)r->frame);
    s->it.p.is_sound = false;
    return 0;
}

static int settle_events(struct speedscope *s)
{
    double stop = s->it.p.stop > s->it.now ? s->it.p.stop : s->it.now;
    if (s->it.open.len && s->it.p.is_sound) {
        const struct speedscope_open *o = &s->it.open.at[s->it.open.len - 1];
        findings_add(s->damage, "SP04", ASSAY_WARNING, o->off, o->line, "frame %llu is opened but never closed: it ends with the profile",
                     (unsigned long long)o->frame);
        if (stop > s->it.now) TRY(add_to(s, o->node, stop - s->it.now));
        while (s->it.open.len) TRY(close_frame(s, stop));
    }
    return 0;
}

/* ---- profiles ---- */

static int begin(struct speedscope *s, const struct speedscope_record *r)
{
    s->it.p = (struct speedscope_profile){ .is_sound = true, .cells = s->cells.len, .timeline = s->timeline.len };
    s->it.has_type = false;
    s->it.off = r->off;
    s->it.line = r->at_line;
    s->it.weights_off = s->it.weights_line = 0;
    s->it.samples.len = s->it.weights.len = s->it.last.len = s->it.path.len = s->it.open.len = 0;
    s->it.now = 0;
    return 0;
}

static void set_type(struct speedscope *s, const struct speedscope_record *r)
{
    s->it.has_type = true;
    s->it.p.is_evented = slice_is(r->text, "evented");
    if (s->it.p.is_evented || slice_is(r->text, "sampled")) return;
    findings_add(s->damage, "SP05", ASSAY_ERROR, r->off, r->at_line, "unknown type of a profile: expected evented or sampled; the profile is left out");
    s->it.p.is_sound = false;
}

static void set_unit(struct speedscope *s, const struct speedscope_record *r)
{
    for (unsigned i = 0; i < SPEEDSCOPE_UNITS; i++) {
        s->it.p.unit = (enum speedscope_unit)i;
        if (slice_is(r->text, speedscope_unit_names[i])) return;
    }
    findings_add(s->damage, "SP06", ASSAY_WARNING, r->off, r->at_line, "unknown unit: figures are taken without one");
    s->it.p.unit = SPEEDSCOPE_NONE;
}

static int finish(struct speedscope *s)
{
    if (!s->it.has_type) {
        findings_add(s->damage, "J-3", ASSAY_ERROR, s->it.off, s->it.line, "a profile without a type is left out");
        s->it.p.is_sound = false;
    }
    if (s->it.p.is_sound) TRY(s->it.p.is_evented ? settle_events(s) : settle_samples(s));
    if (!s->it.p.is_sound) {
        s->cells.len = s->it.p.cells;
        s->timeline.len = s->it.p.timeline;
    }
    s->it.p.cells_end = s->cells.len;
    s->it.p.timeline_end = s->timeline.len;
    /* Slots that point to cells which are gone must not be taken for new ones. */
    if (!s->it.p.is_sound) s->slot.len = 0;
    struct speedscope_profile *p = vec_push(s->mem, &s->profiles);
    if (!p) return error_memory(s->err);
    *p = s->it.p;
    return 0;
}

static int name(struct speedscope *s, const struct speedscope_record *r, uint32_t *out)
{
    *out = intern_put(&s->names, r->text);
    return *out ? 0 : error_memory(s->err);
}

static int add_record(void *arg, const struct speedscope_record *r)
{
    struct speedscope *s = arg;
    switch (r->kind) {
    case SPEEDSCOPE_NAME: return name(s, r, &s->name);
    case SPEEDSCOPE_EXPORTER: return name(s, r, &s->exporter);
    case SPEEDSCOPE_ACTIVE: s->active = r->number > 0 && r->number < 1e9 ? (uint64_t)r->number : 0; return 0;
    case SPEEDSCOPE_FRAMES: s->has_frames = true; return 0;
    case SPEEDSCOPE_FRAME: return add_frame(s, r);
    case SPEEDSCOPE_PROFILE: return begin(s, r);
    case SPEEDSCOPE_LABEL: return name(s, r, &s->it.p.name);
    case SPEEDSCOPE_TYPE: set_type(s, r); return 0;
    case SPEEDSCOPE_UNIT: set_unit(s, r); return 0;
    case SPEEDSCOPE_START: s->it.p.start = r->number; return 0;
    case SPEEDSCOPE_STOP: s->it.p.stop = r->number; return 0;
    case SPEEDSCOPE_STACK: return add_stack(s, r);
    case SPEEDSCOPE_WEIGHTS:
        s->it.weights_off = r->off;
        s->it.weights_line = r->at_line;
        return 0;
    case SPEEDSCOPE_WEIGHT: return add_weights(s, r);
    case SPEEDSCOPE_OPEN:
    case SPEEDSCOPE_CLOSE: return add_change(s, r);
    case SPEEDSCOPE_PROFILE_END: return finish(s);
    }
    return 0;
}

/* Frames may follow the profiles, so only now is it known whether all are there. */
static void check_frames(struct speedscope *s)
{
    for (size_t i = 0; i < s->profiles.len && !cancel_at(i); i++) {
        struct speedscope_profile *p = &s->profiles.at[i];
        if (!s->has_frames || p->largest <= s->frames.len) continue;
        findings_add(s->damage, "SP07", ASSAY_ERROR, p->largest_off, p->largest_line, "frame %llu, but there are %zu frames: the profile is left out",
                     (unsigned long long)(p->largest - 1), s->frames.len);
        p->is_sound = false;
    }
}

int speedscope_collect(struct speedscope *s, const struct read_job *job, enum speedscope_want want, struct findings *damage, assay_error *err)
{
    memset(s, 0, sizeof *s);
    s->mem = job->mem;
    s->err = err;
    s->damage = damage;
    s->want = want;
    intern_init(&s->names, job->mem);
    kids_init(&s->nodes, job->mem);
    TRY(speedscope_walk(job, true, damage, add_record, s, err));
    if (!s->has_frames && !damage->errors) findings_add(damage, "SP08", ASSAY_ERROR, FINDING_NO_OFFSET, 0, "shared.frames is missing");
    check_frames(s);
    return damage->failed ? error_memory(err) : 0;
}

void speedscope_done(struct speedscope *s)
{
    intern_done(&s->names);
    kids_done(&s->nodes);
    vec_done(s->mem, &s->frames, &s->profiles, &s->cells, &s->timeline, &s->slot, &s->pool, &s->begin, &s->most, &s->node_of);
    vec_done(s->mem, &s->it.samples, &s->it.weights, &s->it.last, &s->it.path, &s->it.open);
}

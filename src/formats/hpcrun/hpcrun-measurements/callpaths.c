/* Components by Tarjan's way, then ways by walking backwards; nothing recurses. See callpaths.h. */
#include "formats/hpcrun/hpcrun-measurements/callpaths.h"

static void *table(struct callpaths *c, size_t count, size_t size)
{
    size_t len;
    if (!size_mul(&len, count ? count : 1, size)) return NULL;
    void *at = arena_alloc(&c->arena, len);
    if (at) memset(at, 0, len);
    return at;
}

/* ---- components ---- */

struct frame {
    uint32_t function, next;
};

/* Working memory of the walk; all by function. */
struct walk {
    const struct symbols_call *calls; /* by callee */
    const uint32_t *begin;
    uint32_t *number, *low; /* order of the first visit, from 1; the lowest that is reached */
    uint32_t *open;         /* functions without component so far */
    struct frame *frames;
    uint32_t last, open_count, component_count;
};

static void enter(struct walk *w, uint32_t function, uint32_t depth)
{
    w->number[function] = w->low[function] = ++w->last;
    w->open[w->open_count++] = function;
    w->frames[depth] = (struct frame){ function, w->begin[function] };
}

/* All callers of the function are done. */
static void leave(struct callpaths *c, struct walk *w, uint32_t function)
{
    uint32_t member;
    if (w->low[function] != w->number[function]) return;
    c->visited[++w->component_count] = function;
    do {
        member = w->open[--w->open_count];
        c->component[member] = w->component_count;
    } while (member != function);
}

static void visit(struct callpaths *c, struct walk *w, uint32_t start)
{
    uint32_t depth = 0;
    enter(w, start, 0);
    for (;;) {
        struct frame *f = &w->frames[depth];
        if (f->next < w->begin[f->function + 1]) {
            uint32_t caller = w->calls[f->next++].caller;
            if (!w->number[caller])
                enter(w, caller, ++depth);
            else if (!c->component[caller] && w->number[caller] < w->low[f->function])
                w->low[f->function] = w->number[caller];
            continue;
        }
        leave(c, w, f->function);
        if (depth-- == 0) return;
        uint32_t above = w->frames[depth].function;
        if (w->low[f->function] < w->low[above]) w->low[above] = w->low[f->function];
    }
}

/* Puts the calls that pass `keep` into c->calls by key, in their order. */
static void sort_calls(struct callpaths *c, const struct symbols_call *calls, size_t count, bool by_component, bool outside_only)
{
    memset(c->begin, 0, ((size_t)c->function_count + 2) * sizeof *c->begin);
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < count; i++) {
            uint32_t from = calls[i].caller, to = calls[i].callee;
            if (!from || !to || from > c->function_count || to > c->function_count) continue;
            if (outside_only && c->component[from] == c->component[to]) continue;
            uint32_t key = by_component ? c->component[to] : to;
            if (pass == 0)
                c->begin[key + 1]++;
            else
                c->calls[c->begin[key]++] = calls[i];
        }
        if (pass == 0)
            for (uint32_t k = 0; k <= c->function_count; k++) c->begin[k + 1] += c->begin[k];
        else
            for (uint32_t k = c->function_count + 1; k > 0; k--) c->begin[k] = c->begin[k - 1];
    }
    c->begin[0] = 0;
}

static int find_components(struct callpaths *c, assay_error *err)
{
    size_t n = (size_t)c->function_count + 2;
    struct walk w = { .calls = c->calls, .begin = c->begin };
    w.number = table(c, n, sizeof *w.number);
    w.low = table(c, n, sizeof *w.low);
    w.open = table(c, n, sizeof *w.open);
    w.frames = table(c, n, sizeof *w.frames);
    if (!w.number || !w.low || !w.open || !w.frames) return error_memory(err);
    for (uint32_t f = 1; f <= c->function_count; f++)
        if (!w.number[f]) visit(c, &w, f);
    return 0;
}

int callpaths_init(struct callpaths *c, struct symbols *symbols, uint32_t module, bool compat, struct mem *mem, assay_error *err)
{
    const struct symbols_call *calls;
    *c = (struct callpaths){ .mem = mem, .compat = compat };
    arena_init(&c->arena, mem);
    size_t count = symbols_calls(symbols, module, &calls, &c->is_usable);
    if (!c->is_usable) return 0;
    c->function_count = symbols_function_count(symbols, module);
    size_t n = (size_t)c->function_count + 2;
    c->component = table(c, n, sizeof *c->component);
    c->visited = table(c, n, sizeof *c->visited);
    c->begin = table(c, n, sizeof *c->begin);
    c->of = table(c, n, sizeof *c->of);
    c->calls = table(c, count, sizeof *c->calls);
    if (!c->component || !c->visited || !c->begin || !c->of || !c->calls) return error_memory(err);
    sort_calls(c, calls, count, false, false);
    TRY(find_components(c, err));
    sort_calls(c, calls, count, !compat, true);
    return 0;
}

void callpaths_done(struct callpaths *c)
{
    if (!c->mem) return;
    vec_done(c->mem, &c->paths, &c->steps);
    arena_done(&c->arena);
}

/* ---- ways ---- */

/* Call number `i` that may lead to the function; NULL = there are no more. */
static const struct symbols_call *call_into(const struct callpaths *c, uint32_t function, uint32_t i)
{
    uint32_t component = c->component[function], key = c->compat ? function : component;
    uint32_t count = c->begin[key + 1] - c->begin[key];
    if (i < count) return &c->calls[c->begin[key] + i];
    key = c->visited[component];
    if (!c->compat || key == function || i - count >= c->begin[key + 1] - c->begin[key]) return NULL;
    return &c->calls[c->begin[key] + i - count];
}

struct step {
    uint32_t function, next;
    const struct symbols_call *call; /* that leads to the step before; NULL at first */
};

static int add_path(struct callpaths *c, const struct step *steps, uint32_t depth, assay_error *err)
{
    struct callpath *path = vec_push(c->mem, &c->paths);
    if (!path || !vec_reserve(c->mem, &c->steps, depth)) return error_memory(err);
    *path = (struct callpath){ steps[depth].function, (uint32_t)c->steps.len, depth };
    for (uint32_t i = depth; i > 0; i--) c->steps.at[c->steps.len++] = *steps[i].call;
    return 0;
}

static int walk_back(struct callpaths *c, uint32_t function, bool *too_many, assay_error *err)
{
    struct step steps[CALLPATHS_DEPTH + 1] = { { .function = function } };
    size_t first = c->paths.len;
    uint32_t depth = 0;
    for (;;) {
        const struct symbols_call *call = call_into(c, steps[depth].function, steps[depth].next++);
        *too_many = call && depth == CALLPATHS_DEPTH;
        if (*too_many) return 0;
        if (call) {
            steps[++depth] = (struct step){ .function = call->caller, .call = call };
            continue;
        }
        if (steps[depth].next == 1) {
            TRY(add_path(c, steps, depth, err));
            *too_many = c->paths.len - first > CALLPATHS_MOST;
            if (*too_many) return 0;
        }
        if (depth-- == 0) return 0;
    }
}

int callpaths_of(struct callpaths *c, uint32_t function, struct callpath_range *out, assay_error *err)
{
    struct callpath_range *of = &c->of[function];
    bool too_many = false;
    if (!of->is_known) {
        size_t paths = c->paths.len, steps = c->steps.len;
        TRY(walk_back(c, function, &too_many, err));
        if (too_many) {
            c->paths.len = paths;
            c->steps.len = steps;
        }
        *of = (struct callpath_range){ (uint32_t)paths, (uint32_t)(c->paths.len - paths), true };
    }
    *out = *of;
    return 0;
}

/* The loops of one module: which function an address belongs to, its loops when they are asked for the first time, and the chain with them in it;
 * see loops.h. */
#include "symbols/loops.h"

#include "base/scoped.h"
#include "symbols/loops_parts.h"

#if defined(ASSAY_HAVE_DWARF) && defined(ASSAY_HAVE_CAPSTONE)
/* Of one function, once it was looked at: blocks that are in loops only. */
struct function {
    uint32_t node; /* its outermost scope */
    struct loops_loop *loops;
    struct loops_block *blocks; /* ascending */
    uint32_t loop_count, block_count;
};

struct loops {
    struct mem *mem;
    struct symtab *t;
    const struct trouble *trouble;
    const char *path; /* in the text of t */
    struct loops_image *image;
    uint32_t unknown; /* the file of code without source */
    uint64_t left;    /* bytes of code that may still be looked at: names for the same bytes must not make it endless */
    /* spans by function: by_function[first[n]] .. first[n + 1] are those below the outermost scope n */
    uint32_t *root, *first, *by_function;
    size_t node_count, span_count;
    struct index known;
    VEC(struct function) functions;
    VEC(struct symbols_scope) work; /* of the look-up */
    VEC(uint32_t) path_nodes;
};

bool loops_can(void) { return true; }

/* hpcstruct calls the file of code without source by the module's name in brackets. */
static uint32_t unknown_file(struct symtab *t, const char *path)
{
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    size_t len = strlen(base) + 2;
    char *text = arena_text(&t->text, len);
    if (!text) {
        t->failed = true;
        return 0;
    }
    text[0] = '[';
    memcpy(text + 1, base, len - 2);
    text[len - 1] = ']';
    return symtab_file(t, (assay_slice){ text, len });
}

struct loops *loops_new(struct symtab *t, const struct elf_file *f, const struct trouble *trouble, bool *failed)
{
    struct loops_image *image = loops_image_new(t->mem, f, failed);
    struct loops *l = image ? mem_zalloc(t->mem, 1, sizeof *l) : NULL;
    if (!l) {
        *failed |= image != NULL;
        loops_image_free(image);
        return NULL;
    }
    *l = (struct loops){ .mem = t->mem, .t = t, .trouble = trouble, .image = image, .left = 4 * loops_image_size(image) };
    index_init(&l->known, t->mem);
    l->unknown = unknown_file(t, elf_path(f));
    l->path = arena_copy(&t->text, slice_of(elf_path(f)));
    if (!l->path) t->failed = true;
    return l;
}

void loops_free(struct loops *l)
{
    if (!l) return;
    for (size_t i = 0; i < l->functions.len; i++) {
        mem_free(l->mem, l->functions.at[i].loops, l->functions.at[i].loop_count * sizeof(struct loops_loop));
        mem_free(l->mem, l->functions.at[i].blocks, l->functions.at[i].block_count * sizeof(struct loops_block));
    }
    mem_free(l->mem, l->root, l->node_count * sizeof *l->root);
    mem_free(l->mem, l->first, (l->node_count + 1) * sizeof *l->first);
    mem_free(l->mem, l->by_function, l->span_count * sizeof *l->by_function);
    vec_done(l->mem, &l->functions, &l->work, &l->path_nodes);
    index_done(&l->known);
    loops_image_free(l->image);
    mem_free(l->mem, l, sizeof *l);
}

/* ---- which code belongs to a function ---- */

/* Parents are smaller than their children: one pass finds the outermost scopes, and spans are counted and dealt out by these. */
static bool index_spans(struct loops *l)
{
    const struct symtab *t = l->t;
    if (l->root) return true;
    l->node_count = t->nodes.len;
    l->span_count = t->spans.len;
    l->root = mem_zalloc(l->mem, l->node_count, sizeof *l->root);
    l->first = mem_zalloc(l->mem, l->node_count + 1, sizeof *l->first);
    l->by_function = mem_zalloc(l->mem, l->span_count, sizeof *l->by_function);
    if (!l->root || !l->first || !l->by_function) return false;
    for (uint32_t n = 1; n < l->node_count; n++) l->root[n] = t->nodes.at[n].parent ? l->root[t->nodes.at[n].parent] : n;
    for (size_t i = 0; i < l->span_count; i++) l->first[l->root[t->spans.at[i].node]]++;
    uint32_t sum = 0;
    for (size_t n = 0; n <= l->node_count; n++) {
        uint32_t count = l->first[n];
        l->first[n] = sum;
        sum += count;
    }
    for (size_t i = 0; i < l->span_count; i++) l->by_function[l->first[l->root[t->spans.at[i].node]]++] = (uint32_t)i;
    for (size_t n = l->node_count; n > 0; n--) l->first[n] = l->first[n - 1];
    l->first[0] = 0;
    return true;
}

/* Neighbouring spans are one range. Returns how much code it is. */
static bool add_ranges(struct loops *l, struct loops_flow *flow, uint32_t node, uint64_t *total)
{
    *total = 0;
    for (uint32_t i = l->first[node]; i < l->first[node + 1]; i++) {
        const struct symtab_span *s = &l->t->spans.at[l->by_function[i]];
        struct loops_range *last = flow->ranges.len ? &flow->ranges.at[flow->ranges.len - 1] : NULL;
        *total = s->end - s->begin > UINT64_MAX - *total ? UINT64_MAX : *total + (s->end - s->begin);
        if (last && last->end == s->begin)
            last->end = s->end;
        else if (!(last = vec_push(l->mem, &flow->ranges)))
            return false;
        else
            *last = (struct loops_range){ s->begin, s->end, 0 };
    }
    return true;
}

/* ---- loops of a function ---- */

/* Keeps the blocks that are in loops, and the loops. */
static bool keep(struct loops *l, struct function *f, struct loops_flow *flow, struct loops_nest *nest)
{
    size_t count = 0;
    if (nest->loops.len < 2) return true;
    for (size_t i = 0; i < flow->blocks.len; i++) count += flow->blocks.at[i].loop != 0;
    f->loops = mem_alloc(l->mem, nest->loops.len * sizeof *f->loops);
    f->loop_count = (uint32_t)nest->loops.len;
    if (!f->loops) return f->loop_count = 0, false;
    memcpy(f->loops, nest->loops.at, nest->loops.len * sizeof *f->loops);
    f->blocks = mem_alloc(l->mem, count * sizeof *f->blocks);
    f->block_count = (uint32_t)count;
    if (!f->blocks) return f->block_count = 0, false;
    count = 0;
    for (size_t i = 0; i < flow->blocks.len; i++)
        if (flow->blocks.at[i].loop) f->blocks[count++] = flow->blocks.at[i];
    return true;
}

static void say_too_much(const struct loops *l, uint32_t node)
{
    const struct symbols_scope *s = &l->t->nodes.at[node].scope;
    assay_slice name = l->t->functions.at[s->function].name;
    trouble_tell(l->trouble, "SY07", "%s: loops in %.*s are not detected: it is too large or too complex", l->path, (int)(name.len < 200 ? name.len : 200),
                 name.len ? name.data : "");
}

static bool analyse(struct loops *l, struct function *f)
{
    SCOPED(loops_flow_done) struct loops_flow flow = { .mem = l->mem, .entry = l->t->nodes.at[f->node].scope.address };
    struct loops_nest nest = { .steps = 0 };
    uint64_t total;
    bool ok = add_ranges(l, &flow, f->node, &total);
    bool is_much = ok && (total > LOOPS_MAX_CODE || total > l->left);
    if (ok && !is_much && loops_image_open(l->image)) {
        l->left -= total;
        ok = loops_flow_fill(&flow, l->image) && loops_nest_fill(&nest, &flow);
        if (ok) loops_place(&nest, &flow, l->t, f->node, l->unknown);
        ok = ok && keep(l, f, &flow, &nest);
        loops_image_close(l->image);
    }
    if (ok && (is_much || nest.steps > LOOPS_MAX_STEPS)) say_too_much(l, f->node);
    loops_nest_done(&nest, l->mem);
    return ok;
}

/* What is known of the function with this outermost scope; NULL = no memory. */
static const struct function *function_of(struct loops *l, uint32_t node)
{
    uint64_t hash = hash_mix(7, node);
    for (struct index_walk w = index_walk(&l->known, hash); index_next(&l->known, &w);)
        if (l->functions.at[w.id - 1].node == node) return &l->functions.at[w.id - 1];
    struct function *f = vec_push(l->mem, &l->functions);
    if (!f) return NULL;
    *f = (struct function){ .node = node };
    return analyse(l, f) && index_add(&l->known, hash, (uint32_t)l->functions.len) ? f : NULL;
}

static uint32_t loop_at(const struct function *f, uint64_t address)
{
    struct loops_flow flow = { .blocks = { f->blocks, f->block_count, f->block_count } };
    const struct loops_block *b = loops_flow_block(&flow, address);
    return b ? b->loop : 0;
}

/* ---- chains ---- */

static bool push(struct loops *l, const struct symbols_scope *s)
{
    struct symbols_scope *at = vec_push(l->mem, &l->work);
    if (at) *at = *s;
    return at != NULL;
}

/* The loops that lie below `depth` frames, outermost first, from the chain of loops that ends with `loop`. */
static bool push_loops(struct loops *l, const struct function *f, uint32_t loop, size_t depth)
{
    size_t begin = l->work.len;
    for (; loop; loop = f->loops[loop].parent) {
        const struct loops_loop *x = &f->loops[loop];
        struct symbols_scope s = { .kind = ASSAY_NODE_LOOP, .relation = ASSAY_RELATION_LEXICAL, .file = x->file, .line = x->line, .address = x->address };
        if (x->depth == depth && !push(l, &s)) return false;
    }
    for (size_t i = begin, k = l->work.len; i + 1 < k; i++) {
        struct symbols_scope s = l->work.at[i];
        l->work.at[i] = l->work.at[--k];
        l->work.at[k] = s;
    }
    return true;
}

/* The scopes from the function to `node`, with the loops put after the frames that they lie in. */
static bool push_scopes(struct loops *l, const struct function *f, uint32_t node, uint32_t loop)
{
    const struct symtab *t = l->t;
    size_t count = 0, depth = 0;
    for (uint32_t n = node; n; n = t->nodes.at[n].parent) count++;
    l->path_nodes.len = 0;
    if (!vec_reserve(l->mem, &l->path_nodes, count)) return false;
    l->path_nodes.len = count;
    for (uint32_t n = node, i = (uint32_t)count; n; n = t->nodes.at[n].parent) l->path_nodes.at[--i] = n;
    for (size_t i = 0; i < count; i++) {
        const struct symbols_scope *s = &t->nodes.at[l->path_nodes.at[i]].scope;
        bool is_frame = s->kind == ASSAY_NODE_INLINED;
        depth += is_frame;
        if (!push(l, s) || ((is_frame || i == 0) && !push_loops(l, f, loop, depth))) return false;
    }
    return true;
}

/* Code of a frame further out than its loop is shown in the loop, as hpcstruct does. */
static uint32_t innermost(const struct loops *l, const struct function *f, uint32_t node, uint32_t loop)
{
    uint32_t frames[LOOPS_MAX_FRAMES];
    return loops_frames(l->t, node, frames) < f->loops[loop].depth ? f->loops[loop].node : node;
}

bool loops_lookup(struct loops *l, uint64_t address, struct symtab_chain *chain)
{
    uint32_t node = symtab_node_at(l->t, address);
    if (!node) return true;
    if (!index_spans(l)) return false;
    if (l->t->nodes.at[l->root[node]].scope.kind != ASSAY_NODE_FUNCTION) return true;
    const struct function *f = function_of(l, l->root[node]);
    if (!f) return false;
    uint32_t loop = loop_at(f, address);
    if (!loop) return true;
    l->work.len = 0;
    if (!push_scopes(l, f, innermost(l, f, node, loop), loop)) return false;
    const struct symtab_row *row = symtab_row_at(l->t, address);
    if (row && !push(l, &(struct symbols_scope){ .kind = ASSAY_NODE_LINE, .relation = ASSAY_RELATION_LEXICAL, .file = row->file, .line = row->line }))
        return false;
    chain->list.len = 0;
    if (!vec_reserve(chain->mem, &chain->list, l->work.len)) return false;
    memcpy(chain->list.at, l->work.at, l->work.len * sizeof *l->work.at);
    chain->list.len = l->work.len;
    return true;
}

#else

bool loops_can(void) { return false; }
struct loops *loops_new(struct symtab *t, const struct elf_file *f, const struct trouble *trouble, bool *failed)
{
    return (void)t, (void)f, (void)trouble, (void)failed, NULL;
}
void loops_free(struct loops *l) { (void)l; }
bool loops_lookup(struct loops *l, uint64_t address, struct symtab_chain *chain) { return (void)l, (void)address, (void)chain, true; }

#endif

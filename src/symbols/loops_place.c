/* Where a loop stands among inlined frames, and which file and line it has. The rules are those of hpcstruct, so that trees look alike with and without
 * its files: a loop goes down into the one frame that all of its code is inlined from, until there is code of two frames, another loop, or a condition
 * that ends the loop; its line is the least one among these conditions. docs/symbols.md, "Loops". */
#include "symbols/loops_parts.h"

#if defined(ASSAY_HAVE_DWARF) && defined(ASSAY_HAVE_CAPSTONE)

/* The frames that are common to all code of a loop so far: those below `limit`. */
struct spine {
    uint32_t frame[LOOPS_MAX_FRAMES];
    size_t len, limit;
};

/* One loop in work. */
struct place {
    struct loops_nest *nest;
    const struct loops_flow *flow;
    const struct symtab *t;
    struct loops_loop *loop;
    struct symbols_scope function;
    struct spine spine;
    assay_slice base; /* of the file that was chosen */
};

/* ---- frames ---- */

size_t loops_frames(const struct symtab *t, uint32_t node, uint32_t *out)
{
    size_t count = 0, at;
    for (uint32_t n = node; n; n = t->nodes.at[n].parent) count += t->nodes.at[n].scope.kind == ASSAY_NODE_INLINED;
    at = count;
    for (uint32_t n = node; n; n = t->nodes.at[n].parent)
        if (t->nodes.at[n].scope.kind == ASSAY_NODE_INLINED && --at < LOOPS_MAX_FRAMES) out[at] = n;
    return count < LOOPS_MAX_FRAMES ? count : LOOPS_MAX_FRAMES;
}

/* Where the frame is called; nothing when the source does not tell. */
static const struct symbols_scope *site_of(const struct symtab *t, uint32_t frame)
{
    const struct symbols_scope *s = &t->nodes.at[t->nodes.at[frame].parent].scope;
    return s->kind == ASSAY_NODE_LINE ? s : &t->nodes.at[0].scope;
}

static bool is_same(const struct symtab *t, uint32_t a, uint32_t b)
{
    const struct symbols_scope *x = site_of(t, a), *y = site_of(t, b);
    return a == b || (t->nodes.at[a].scope.function == t->nodes.at[b].scope.function && x->file == y->file && x->line == y->line);
}

static void join(const struct symtab *t, struct spine *s, const uint32_t *frame, size_t count)
{
    size_t i = 0;
    while (i < count && i < s->len && is_same(t, frame[i], s->frame[i])) i++;
    if (i < count && i < s->len) {
        if (i < s->limit) s->limit = i;
        return;
    }
    for (; s->len < count; s->len++) s->frame[s->len] = frame[s->len];
}

/* ---- which frame ---- */

static size_t span_above(const struct symtab *t, uint64_t address)
{
    size_t low = 0, high = t->spans.len;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (t->spans.at[middle].end <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void join_block(struct place *p, const struct loops_block *b)
{
    uint32_t frames[LOOPS_MAX_FRAMES];
    for (size_t i = span_above(p->t, b->begin); i < p->t->spans.len && p->t->spans.at[i].begin < b->end; i++) {
        size_t count = loops_frames(p->t, p->t->spans.at[i].node, frames);
        join(p->t, &p->spine, frames, count);
        p->nest->steps += count + 1;
    }
}

static void choose_frame(struct place *p, uint32_t loop)
{
    uint32_t frames[LOOPS_MAX_FRAMES];
    p->spine.len = 0;
    p->spine.limit = LOOPS_MAX_FRAMES;
    for (uint32_t b = p->loop->first_block; b; b = p->flow->blocks.at[b - 1].next) join_block(p, &p->flow->blocks.at[b - 1]);
    for (uint32_t l = p->loop->first_child; l; l = p->nest->loops.at[l].sibling) {
        const struct loops_loop *inner = &p->nest->loops.at[l];
        join(p->t, &p->spine, frames, loops_frames(p->t, inner->node, frames));
        if (inner->depth < p->spine.limit) p->spine.limit = inner->depth;
    }
    size_t depth = p->spine.len < p->spine.limit ? p->spine.len : p->spine.limit;
    for (uint32_t x = p->loop->first_exit; x; x = p->nest->exits.at[x - 1].next) {
        const struct loops_block *b = &p->flow->blocks.at[p->nest->exits.at[x - 1].block];
        size_t count = b->loop == loop ? loops_frames(p->t, symtab_node_at(p->t, b->last), frames) : depth;
        if (count < depth) depth = count;
    }
    p->loop->depth = (uint32_t)depth;
    p->loop->node = depth ? p->spine.frame[depth - 1] : 0;
}

/* ---- which file ---- */

static assay_slice base_of(const struct symtab *t, uint32_t file)
{
    assay_slice path = intern_get(&t->files, file);
    for (size_t i = path.len; i > 0; i--)
        if (path.data[i - 1] == '/') return (assay_slice){ path.data + i, path.len - i };
    return path;
}

/* A condition at the place where it stands: its own line, or, where that is inlined further down, the line of the call. `is_own` tells which. */
static struct symtab_row row_of_exit(const struct place *p, const struct loops_exit *x, bool *is_own)
{
    uint32_t frames[LOOPS_MAX_FRAMES];
    const struct loops_block *b = &p->flow->blocks.at[x->block];
    size_t count = loops_frames(p->t, symtab_node_at(p->t, b->last), frames);
    p->nest->steps += count + 1;
    *is_own = count == p->loop->depth;
    if (count > p->loop->depth) {
        const struct symbols_scope *site = site_of(p->t, frames[p->loop->depth]);
        return (struct symtab_row){ b->last, site->file, site->line };
    }
    const struct symtab_row *row = *is_own ? symtab_row_at(p->t, b->last) : NULL;
    return row ? *row : (struct symtab_row){ b->last, 0, 0 };
}

/* The first file, by the order of conditions, that is the wanted one; without a wanted one any. */
static uint32_t file_of_exit(const struct place *p, uint32_t wanted)
{
    uint32_t found = 0;
    uint64_t at = UINT64_MAX;
    for (uint32_t x = p->loop->first_exit; x; x = p->nest->exits.at[x - 1].next) {
        bool is_own;
        struct symtab_row row = row_of_exit(p, &p->nest->exits.at[x - 1], &is_own);
        if (!is_own || !row.file || (wanted && !slice_equal(base_of(p->t, row.file), base_of(p->t, wanted)))) continue;
        if (row.address < at) at = row.address, found = row.file;
    }
    return found;
}

/* The file of a call right below the loop: of one in whose file a condition stands, or (`any`) of the first. */
static uint32_t file_of_call(const struct place *p, bool any)
{
    uint32_t frames[LOOPS_MAX_FRAMES];
    for (uint32_t b = p->loop->first_block; b; b = p->flow->blocks.at[b - 1].next) {
        const struct loops_block *block = &p->flow->blocks.at[b - 1];
        for (size_t i = span_above(p->t, block->begin); i < p->t->spans.len && p->t->spans.at[i].begin < block->end; i++) {
            size_t count = loops_frames(p->t, p->t->spans.at[i].node, frames);
            uint32_t file = count > p->loop->depth ? site_of(p->t, frames[p->loop->depth])->file : 0;
            p->nest->steps += count + 1;
            if (p->nest->steps > LOOPS_MAX_STEPS) return 0;
            if (file && (any || file_of_exit(p, file))) return file;
        }
    }
    return 0;
}

static uint32_t file_of_inner(const struct place *p)
{
    for (uint32_t l = p->loop->first_child; l; l = p->nest->loops.at[l].sibling)
        if (p->nest->loops.at[l].depth == p->loop->depth && p->nest->loops.at[l].file) return p->nest->loops.at[l].file;
    return 0;
}

static uint32_t file_of_code(const struct place *p)
{
    for (uint32_t b = p->loop->first_block; b; b = p->flow->blocks.at[b - 1].next) {
        const struct symtab_row *row = symtab_row_at(p->t, p->flow->blocks.at[b - 1].begin);
        if (row) return row->file;
    }
    return 0;
}

static uint32_t choose_file(const struct place *p)
{
    uint32_t own = p->loop->depth ? 0 : p->function.file, file = 0;
    if (own && file_of_exit(p, own)) return own;
    if (!file) file = file_of_call(p, false);
    if (!file) file = file_of_exit(p, 0);
    if (!file) file = own;
    if (!file) file = file_of_call(p, true);
    if (!file) file = file_of_inner(p);
    return file ? file : file_of_code(p);
}

/* ---- which line ---- */

static void take_line(struct place *p, uint32_t file, uint32_t line)
{
    if (!file || !line || !slice_equal(base_of(p->t, file), p->base)) return;
    if (!p->loop->line || line < p->loop->line) p->loop->line = line;
}

static void choose_line(struct place *p)
{
    p->base = base_of(p->t, p->loop->file);
    for (uint32_t x = p->loop->first_exit; x; x = p->nest->exits.at[x - 1].next) {
        bool is_own;
        struct symtab_row row = row_of_exit(p, &p->nest->exits.at[x - 1], &is_own);
        take_line(p, row.file, row.line);
    }
    for (uint32_t l = p->loop->first_child; l; l = p->nest->loops.at[l].sibling)
        if (p->nest->loops.at[l].depth == p->loop->depth) take_line(p, p->nest->loops.at[l].file, p->nest->loops.at[l].line);
}

void loops_place(struct loops_nest *nest, const struct loops_flow *flow, const struct symtab *t, uint32_t function, uint32_t unknown)
{
    struct place p = { .nest = nest, .flow = flow, .t = t, .function = t->nodes.at[function].scope };
    for (uint32_t i = (uint32_t)nest->loops.len; i-- > 1 && nest->steps <= LOOPS_MAX_STEPS;) {
        p.loop = &nest->loops.at[i];
        p.loop->sibling = nest->loops.at[p.loop->parent].first_child;
        nest->loops.at[p.loop->parent].first_child = i;
        choose_frame(&p, i);
        p.loop->file = choose_file(&p);
        if (p.loop->file)
            choose_line(&p);
        else
            p.loop->file = unknown;
    }
    if (nest->steps > LOOPS_MAX_STEPS) nest->loops.len = 1;
}
#endif

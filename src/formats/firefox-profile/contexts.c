/* Stacks -> contexts. The line of a frame is where it is in its function: of a caller that is the line of the call, of the leaf a line below the function. */
#include "base/cancel.h"
#include "base/error.h"
#include "base/scoped.h"
#include "formats/firefox-profile/read.h"

/* What the rows of one set of tables become. */
struct growing {
    struct firefox_reader *r;
    struct firefox_naming *names;
    const struct firefox_tables *t;
    uint32_t at;
    uint32_t *paths; /* of functions, by row of stackTable */
};

static int mark_rows(struct growing *g, uint8_t *is_used)
{
    const struct firefox *f = g->r->f;
    for (size_t i = 0; i < f->threads.len; i++) {
        const struct firefox_thread *t = &f->threads.at[i];
        if (t->tables != g->at || !firefox_is_sound(f, t)) continue;
        for (unsigned k = 0; k < 3; k++)
            for (size_t c = t->samples[k].cells; t->samples[k].is_sound && c < t->samples[k].cells_end; c++) {
                TRY(cancel_step(c, g->r->err));
                for (int32_t row = (int32_t)f->cells.at[c].row; row >= 0 && !is_used[row]; row = firefox_row(g->t, FIREFOX_PREFIX, (uint32_t)row))
                    is_used[row] = 1;
            }
    }
    return 0;
}

/* The place in the function of a row; no line where the frame has none. */
static uint32_t line_of(struct growing *g, uint32_t row, assay_file_id *file)
{
    uint32_t frame = (uint32_t)firefox_row(g->t, FIREFOX_FRAME, row), line = firefox_positive(firefox_row(g->t, FIREFOX_FRAME_LINE, frame));
    *file = line ? g->names->files[firefox_row(g->t, FIREFOX_FUNC, frame)] : (assay_file_id){ 0 };
    return line;
}

static int build_row(struct growing *g, uint32_t row)
{
    struct firefox_reader *r = g->r;
    struct firefox_made *made = &r->made[g->at];
    uint32_t frame = (uint32_t)firefox_row(g->t, FIREFOX_FRAME, row);
    int32_t above = firefox_row(g->t, FIREFOX_PREFIX, row);
    struct assay_node n = { .kind = ASSAY_NODE_FUNCTION, .relation = ASSAY_RELATION_CALL };
    n.func = firefox_function(g->names, (uint32_t)firefox_row(g->t, FIREFOX_FUNC, frame));
    if (above >= 0) {
        n.parent = made->nodes.at[above];
        n.line = line_of(g, (uint32_t)above, &n.file);
        if (firefox_positive(firefox_row(g->t, FIREFOX_INLINE_DEPTH, frame))) {
            n.kind = ASSAY_NODE_INLINED;
            n.relation = ASSAY_RELATION_INLINED_CALL;
        }
    }
    made->nodes.at[row] = assay_build_node(r->b, &n);
    if (!(assay_builder_want(r->b) & ASSAY_WANT_COUNTS)) return 0;
    g->paths[row] = kids_put(&r->paths, above >= 0 ? g->paths[above] : 0, n.func.v);
    return g->paths[row] ? 0 : error_memory(r->err);
}

static int build_lines(struct growing *g, const uint8_t *is_leaf)
{
    struct firefox_made *made = &g->r->made[g->at];
    for (uint32_t row = 0; row < made->nodes.len; row++) {
        struct assay_node n = { .parent = made->nodes.at[row], .kind = ASSAY_NODE_LINE, .relation = ASSAY_RELATION_LEXICAL };
        TRY(cancel_step(row, g->r->err));
        made->leaves.at[row] = n.parent;
        if (!is_leaf[row]) continue;
        n.line = line_of(g, row, &n.file);
        if (n.line) made->leaves.at[row] = assay_build_node(g->r->b, &n);
    }
    return assay_builder_failed(g->r->b);
}

static void mark_leaves(struct growing *g, uint8_t *is_leaf)
{
    const struct firefox *f = g->r->f;
    for (size_t i = 0; i < f->threads.len; i++) {
        const struct firefox_thread *t = &f->threads.at[i];
        if (t->tables != g->at || !firefox_is_sound(f, t)) continue;
        for (unsigned k = 0; k < 3; k++)
            for (size_t c = t->samples[k].cells; t->samples[k].is_sound && c < t->samples[k].cells_end && !cancel_at(c); c++) is_leaf[f->cells.at[c].row] = 1;
    }
}

static int build_tables(struct growing *g)
{
    struct firefox_made *made = &g->r->made[g->at];
    uint32_t rows = g->t->length[FIREFOX_STACKS];
    struct mem *mem = g->r->mem;
    SCRATCH(uint8_t, is_used, mem, (size_t)rows + 1);
    if (!is_used || !vec_reserve(mem, &made->nodes, (size_t)rows + 1) || !vec_reserve(mem, &made->leaves, (size_t)rows + 1)) return error_memory(g->r->err);
    memset(made->nodes.at, 0, ((size_t)rows + 1) * sizeof *made->nodes.at);
    made->nodes.len = made->leaves.len = rows;
    TRY(mark_rows(g, is_used));
    for (uint32_t row = 0; row < rows; row++) {
        TRY(cancel_step(row, g->r->err));
        if (is_used[row]) TRY(build_row(g, row));
    }
    memset(is_used, 0, rows);
    mark_leaves(g, is_used);
    return build_lines(g, is_used);
}

static int grow(struct firefox_reader *r, uint32_t at)
{
    const struct firefox_tables *t = &r->f->tables.at[at];
    SCRATCH(uint32_t, paths, r->mem, (size_t)t->length[FIREFOX_STACKS] + 1);
    if (!paths) return error_memory(r->err);
    SCOPED(firefox_naming_done) struct firefox_naming names = { 0 };
    struct growing g = { .r = r, .names = &names, .t = t, .at = at, .paths = paths };
    TRY(firefox_naming_init(&names, r, at));
    return build_tables(&g);
}

int firefox_build_contexts(struct firefox_reader *r)
{
    for (uint32_t i = 0; i < r->f->tables.len; i++)
        if (r->f->tables.at[i].is_sound && r->f->tables.at[i].has[FIREFOX_STACKS]) TRY(grow(r, i));
    return assay_builder_failed(r->b);
}

assay_node_id firefox_leaf(struct firefox_reader *r, uint32_t tables, uint32_t row) { return r->made[tables].leaves.at[row]; }

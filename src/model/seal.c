/* Sealing: orders and sums (seal_tree.c, seal_values.c, seal_totals.c), then hands every column of schema.def over to the profile. A builder that failed
 * goes the same way: its columns go to a profile that is freed at once. */
#include "base/cancel.h"
#include "model/builder.h"

/* Makes the column the profile's: `rows` entries, or NULL. */
static const void *hand(assay_builder *b, void *column, size_t rows, size_t size, bool is_full)
{
    struct any_column c = column_load(column);
    bool is_kept = !b->code && rows && (c.len || is_full);
    if (is_kept && !column_reach_(b->mem, &c.at, &c.len, &c.cap, rows, size)) is_kept = builder_no_memory(b) == 0;
    if (is_kept) vec_trim_(b->mem, &c.at, c.len, &c.cap, size);
    struct owned_block *block = is_kept ? vec_push(b->mem, &b->p->blocks) : NULL;
    if (is_kept && !block) builder_no_memory(b);
    if (block)
        *block = (struct owned_block){ c.at, c.cap * size };
    else
        mem_free(b->mem, c.at, c.cap * size);
    column_store(column, (struct any_column){ 0 });
    return block ? c.at : NULL;
}

/* NULL = rows of the table are never short. */
static const struct short_rows *short_rows_of(const assay_builder *b, const struct schema_table *t)
{
    if (t == &schema_tables[SCHEMA_T_SUMS]) return &b->graph.sums.rows;
    if (t == &schema_tables[SCHEMA_T_COSTS]) return &b->graph.costs.rows;
    return t == &schema_tables[SCHEMA_T_ARCS] ? &b->graph.arcs.rows : NULL;
}

/* How many entries a column has in the profile. */
static size_t entries_of(const assay_builder *b, const struct schema_table *t, const struct schema_column *c, uint64_t count)
{
    const struct short_rows *rows = short_rows_of(b, t);
    if (c->role == SCHEMA_LAYOUT && rows) return b->graph.is_sparse ? (size_t)count : 0;
    if (c->role == SCHEMA_LAYOUT) return (size_t)count + 2;
    if (c->type == SCHEMA_VALUES && rows && b->graph.is_sparse) return rows->cells;
    if (c->type == SCHEMA_VALUES) return (size_t)count * builder_block(b, t)->count;
    if (t->numbering == SCHEMA_IDS) return count ? (size_t)count + 1 : 0;
    return (size_t)count + (t->numbering == SCHEMA_EACH);
}

static void hand_table(assay_builder *b, const struct schema_table *t)
{
    assay_profile *p = b->p;
    uint64_t count = builder_count(b, t);
    uint32_t narrow = (uint32_t)count;
    for (unsigned i = 0; i < t->count; i++) {
        const struct schema_column *c = &t->columns[i];
        const void *given = hand(b, builder_column(b, t, c), entries_of(b, t, c, count), schema_size(c->type), c->is_full);
        memcpy((char *)p + t->at + c->at, &given, sizeof given);
    }
    if (t->has_wide_count)
        memcpy((char *)p + t->at + t->count_at, &count, sizeof count);
    else
        memcpy((char *)p + t->at + t->count_at, &narrow, sizeof narrow);
}

static void hand_block(assay_builder *b, struct build_block *t, struct assay_block *to)
{
    hand(b, &t->types, 0, sizeof *t->types.at, false);
    *to = (struct assay_block){ .metric_count = t->count, .metrics = hand(b, &t->metrics, t->count, sizeof *t->metrics.at, true) };
}

/* What only the builder needs. */
static void drop_helpers(assay_builder *b)
{
#define DROP(column) hand(b, &(column), 0, sizeof *(column).at, false)
    DROP(b->funcs.keys);
    DROP(b->metrics.any_shape);
    DROP(b->metrics.carried);
    DROP(b->metrics.stated);
    DROP(b->metrics.stated_high);
    DROP(b->graph.sums.last);
    DROP(b->graph.sums.rows.room);
    DROP(b->graph.costs.rows.room);
    DROP(b->graph.arcs.rows.room);
    DROP(b->tree.scope_type);
    DROP(b->tree.stat_type);
    DROP(b->tree.loose.cells);
    DROP(b->timeline.stream);
    DROP(b->label_sets.scratch);
    DROP(b->samples.scopes);
#undef DROP
}

/* Columns whose last word is said here. */
static void settle_columns(assay_builder *b)
{
    struct build_sums *s = &b->graph.sums;
    struct build_timeline *t = &b->timeline;
    size_t values = b->graph.is_sparse ? s->rows.cells : (size_t)s->count * b->graph.block.count;
    bool has_spans = t->streams.is_spans.len && memchr(t->streams.is_spans.at, 1, t->streams.is_spans.len), has_room = true;
    for (uint32_t m = 1; m <= b->metrics.count; m++) put32(b, &b->metrics.shapes, m, get32(&b->metrics.shapes, m) | get8(&b->metrics.carried, m));
    put32(b, &b->streams.tuple_begin, (size_t)b->streams.count + 1, b->tuples.count);
    if (!b->graph.knows_nesting) s->nested.len = b->graph.arcs.nested.len = 0;
    if (s->has_stated.len) has_room = column_reach(b->mem, &s->stated_calls, s->count) && column_reach(b->mem, &s->stated_total, values);
    if (has_spans && has_room) has_room = column_reach(b->mem, &t->duration, (size_t)t->count);
    if (!has_room) builder_no_memory(b);
    t->streams.count = t->streams.begin.len ? (uint32_t)t->streams.begin.len - 2 : 0;
}

static void hand_all(assay_builder *b)
{
    assay_profile *p = b->p;
    if (!b->code) settle_columns(b);
    for (int t = 0; t < SCHEMA_T_COUNT; t++) hand_table(b, &schema_tables[t]);
    drop_helpers(b);
    hand_block(b, &b->graph.block, &p->graph.block);
    hand_block(b, &b->lines.block, &p->lines.block);
    hand_block(b, &b->timeline.block, &p->timeline.block);
    hand_block(b, &b->samples.block, &p->labels.block);
    p->tree.is_whole = b->tree.is_whole;
    p->graph.keeps_recursion = b->graph.keeps_recursion;
    p->graph.knows_nesting = b->graph.knows_nesting;
}

static uint32_t shapes_of(const assay_profile *p)
{
    const struct assay_coverage *c = &p->coverage;
    uint32_t shapes = 0;
    if (p->tree.count) shapes |= ASSAY_SHAPE_TREE;
    if (p->graph.sum_count || p->graph.arc_count || p->graph.jump_count) shapes |= ASSAY_SHAPE_GRAPH;
    if (p->lines.count) shapes |= ASSAY_SHAPE_LINES;
    if (p->timeline.count) shapes |= ASSAY_SHAPE_TIMELINE;
    if (c->line_count || c->func_count || c->branch_count || c->sum_count || c->condition_count || c->region_count || c->stated_count)
        shapes |= ASSAY_SHAPE_COVERAGE;
    if (p->labels.sample_count) shapes |= ASSAY_SHAPE_LABELS;
    return shapes;
}

static void free_builder(assay_builder *b)
{
    struct index *all[] = { &b->modules.index,    &b->files.index,       &b->funcs.index,      &b->metrics.index,     &b->scopes.index, &b->stats.index,
                            &b->graph.sums.index, &b->graph.costs.index, &b->graph.arcs.index, &b->graph.jumps.index, &b->tree.index,   &b->tree.loose.index,
                            &b->lines.index,      &b->graph.pairs.index, &b->labels.index,     &b->label_sets.index,  &b->samples.index };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) index_done(all[i]);
    mem_free(b->mem, b, sizeof *b);
}

void assay_builder_free(assay_builder *b)
{
    if (!b) return;
    assay_profile *p = b->p;
    builder_fail(b, ASSAY_ERR_CANCELLED, "the builder was given up");
    hand_all(b);
    free_builder(b);
    profile_free(p);
}

/* As it was said, the path of the caller's error kept. */
static void tell(const assay_builder *b, assay_error *err)
{
    if (!err) return;
    char path[sizeof err->path];
    memcpy(path, err->path, sizeof path);
    *err = b->error;
    if (path[0]) memcpy(err->path, path, sizeof path);
}

assay_profile *assay_builder_seal(assay_builder *b, assay_error *err)
{
    assay_error local;
    err = error_enter(err, &local);
    if (!b) { /* assay_builder_new had no memory for it */
        error_memory(err);
        return NULL;
    }
    assay_profile *p = b->p;
    if (!b->code) seal_tree(b);
    if (!b->code) seal_timeline(b);
    if (!b->code) seal_labels(b);
    if (!b->code) seal_totals(b);
    b->code = cancel_end(b->code, &b->error);
    hand_all(b);
    if (b->code) {
        tell(b, err);
        assay_builder_free(b);
        return NULL;
    }
    free_builder(b);
    p->shapes = shapes_of(p);
    p->offers |= p->shapes;
    return p;
}

/* Sealing: orders and sums (seal_tree.c, seal_values.c, seal_totals.c), then hands every column over to the profile. The same list of
 * columns serves a builder that failed: its columns go to a profile that is freed at once. */
#include "base/cancel.h"
#include "model/builder.h"

/* Columns that are always there, and those that are NULL when no row fills them. */
enum { LAZY = 0, FULL = 1 };

#define HAND(column, rows, is_full) hand(b, (void **)&(column).at, &(column).len, &(column).cap, (rows), sizeof *(column).at, (is_full))

/* Makes the column the profile's: `rows` entries, or NULL. */
static const void *hand(assay_builder *b, void **at, size_t *len, size_t *cap, size_t rows, size_t size, int is_full)
{
    bool is_kept = !b->code && rows && (*len || is_full);
    if (is_kept && !column_reach_(b->mem, at, len, cap, rows, size)) is_kept = builder_no_memory(b) == 0;
    if (is_kept) vec_trim_(b->mem, at, *len, cap, size);
    struct owned_block *block = is_kept ? vec_push(b->mem, &b->p->blocks) : NULL;
    if (is_kept && !block) builder_no_memory(b);
    const void *given = NULL;
    if (block) {
        *block = (struct owned_block){ *at, *cap * size };
        given = *at;
    } else {
        mem_free(b->mem, *at, *cap * size);
    }
    *at = NULL;
    *len = *cap = 0;
    return given;
}

static void hand_names(assay_builder *b, assay_profile *p)
{
    struct build_modules *m = &b->modules;
    size_t n = m->count ? (size_t)m->count + 1 : 0;
    p->modules = (struct assay_modules){ .count = m->count, .path = HAND(m->path, n, FULL), .build_id = HAND(m->build_id, n, LAZY) };

    struct build_files *f = &b->files;
    n = f->count ? (size_t)f->count + 1 : 0;
    p->files = (struct assay_files){ .count = f->count,
                                     .path = HAND(f->path, n, FULL),
                                     .module = HAND(f->module, n, LAZY),
                                     .source = HAND(f->source, n, LAZY),
                                     .parent = HAND(f->parent, n, LAZY),
                                     .parent_line = HAND(f->parent_line, n, LAZY),
                                     .origin = HAND(f->origin, n, LAZY),
                                     .flags = HAND(f->flags, n, LAZY) };

    struct build_funcs *u = &b->funcs;
    n = u->count ? (size_t)u->count + 1 : 0;
    p->funcs = (struct assay_funcs){ .count = u->count,
                                     .name = HAND(u->name, n, FULL),
                                     .module = HAND(u->module, n, LAZY),
                                     .file = HAND(u->file, n, LAZY),
                                     .first_line = HAND(u->first_line, n, LAZY),
                                     .last_line = HAND(u->last_line, n, LAZY),
                                     .offset = HAND(u->offset, n, LAZY),
                                     .kind = HAND(u->kind, n, LAZY),
                                     .flags = HAND(u->flags, n, LAZY),
                                     .link_name = HAND(u->link_name, n, LAZY),
                                     .first_column = HAND(u->first_column, n, LAZY) };
    HAND(u->keys, 0, LAZY);
}

static void hand_metrics(assay_builder *b, assay_profile *p)
{
    struct build_metrics *t = &b->metrics;
    size_t n = t->count ? (size_t)t->count + 1 : 0;
    for (uint32_t m = 1; m <= t->count; m++) put32(b, &t->shapes, m, get32(&t->shapes, m) | get8(&t->carried, m));
    p->metrics = (struct assay_metrics){ .count = t->count,
                                         .name = HAND(t->name, n, FULL),
                                         .unit = HAND(t->unit, n, FULL),
                                         .description = HAND(t->description, n, LAZY),
                                         .formula = HAND(t->formula, n, LAZY),
                                         .type = HAND(t->type, n, FULL),
                                         .hidden = HAND(t->hidden, n, LAZY),
                                         .shapes = HAND(t->shapes, n, FULL),
                                         .total = HAND(t->total, n, FULL),
                                         .total_double = HAND(t->total_double, n, FULL),
                                         .has_stated = HAND(t->has_stated, n, LAZY) };
    HAND(t->any_shape, 0, LAZY);
    HAND(t->carried, 0, LAZY);
    HAND(t->stated, 0, LAZY);
    HAND(t->stated_high, 0, LAZY);

    struct build_scopes *s = &b->scopes;
    n = s->count ? (size_t)s->count + 1 : 0;
    p->scopes = (struct assay_scopes){ .count = s->count,
                                       .metric = HAND(s->metric, n, FULL),
                                       .kind = HAND(s->kind, n, FULL),
                                       .propagation = HAND(s->propagation, n, LAZY),
                                       .name = HAND(s->name, n, LAZY) };

    struct build_stats *a = &b->stats;
    n = a->count ? (size_t)a->count + 1 : 0;
    p->stats =
        (struct assay_stats){ .count = a->count, .scope = HAND(a->scope, n, FULL), .formula = HAND(a->formula, n, FULL), .combine = HAND(a->combine, n, FULL) };
}

static void hand_streams(assay_builder *b, assay_profile *p)
{
    struct build_streams *t = &b->streams;
    size_t n = t->count ? (size_t)t->count + 1 : 0, k = t->tuple_count;
    put32(b, &t->tuple_begin, (size_t)t->count + 1, t->tuple_count);
    p->streams = (struct assay_streams){ .count = t->count,
                                         .label = HAND(t->label, n, FULL),
                                         .tuple_begin = HAND(t->tuple_begin, (size_t)t->count + 2, FULL),
                                         .tuple_count = t->tuple_count,
                                         .tuple_kind = HAND(t->tuple_kind, k, FULL),
                                         .tuple_logical = HAND(t->tuple_logical, k, FULL),
                                         .tuple_physical = HAND(t->tuple_physical, k, FULL),
                                         .tuple_flags = HAND(t->tuple_flags, k, LAZY) };
}

static struct assay_block hand_block(assay_builder *b, struct build_block *t)
{
    HAND(t->types, 0, LAZY);
    return (struct assay_block){ .metric_count = t->count, .metrics = HAND(t->metrics, t->count, FULL) };
}

static void hand_sums(assay_builder *b, struct assay_graph *g)
{
    struct build_graph *t = &b->graph;
    size_t n = t->sum_count, v = t->is_sparse ? t->sum_cells : n * t->block.count;
    g->sum_begin = HAND(t->sum_begin, t->is_sparse ? n : 0, FULL);
    g->sum_len = HAND(t->sum_len, t->is_sparse ? n : 0, FULL);
    HAND(t->sum_room, 0, LAZY);
    g->sum_count = t->sum_count;
    g->sum_stream = HAND(t->sum_stream, n, LAZY);
    g->sum_func = HAND(t->sum_func, n, FULL);
    g->sum_self = HAND(t->sum_self, v, FULL);
    g->sum_calls = HAND(t->sum_calls, n, FULL);
    g->sum_calls_recursive = HAND(t->sum_calls_recursive, n, FULL);
    g->sum_entered = HAND(t->sum_entered, n, LAZY);
    g->sum_in = HAND(t->sum_in, v, FULL);
    g->sum_out = HAND(t->sum_out, v, FULL);
    g->sum_recursive = HAND(t->sum_recursive, v, FULL);
    g->sum_nested = HAND(t->sum_nested, t->knows_nesting ? v : 0, LAZY);
    g->stated_calls = HAND(t->stated_calls, n, t->has_stated.len ? FULL : LAZY);
    g->stated_total = HAND(t->stated_total, v, t->has_stated.len ? FULL : LAZY);
    g->has_stated = HAND(t->has_stated, n, LAZY);
    HAND(t->last, 0, LAZY);
}

static void hand_sites(assay_builder *b, struct assay_graph *g)
{
    struct build_graph *t = &b->graph;
    size_t n = t->costs.count, v = n * t->block.count;
    g->cost_count = t->costs.count;
    g->cost_stream = HAND(t->costs.stream, n, LAZY);
    g->cost_func = HAND(t->costs.func, n, FULL);
    g->cost_file = HAND(t->costs.file, n, LAZY);
    g->cost_line = HAND(t->costs.line, n, LAZY);
    g->cost_address = HAND(t->costs.address, n, LAZY);
    g->cost_self = HAND(t->cost_self, v, FULL);
    HAND(t->costs.callee, 0, LAZY);

    n = t->arcs.count, v = n * t->block.count;
    g->arc_count = t->arcs.count;
    g->arc_stream = HAND(t->arcs.stream, n, LAZY);
    g->arc_caller = HAND(t->arcs.func, n, FULL);
    g->arc_callee = HAND(t->arcs.callee, n, FULL);
    g->arc_file = HAND(t->arcs.file, n, LAZY);
    g->arc_line = HAND(t->arcs.line, n, LAZY);
    g->arc_address = HAND(t->arcs.address, n, LAZY);
    g->arc_calls = HAND(t->arc_calls, n, FULL);
    g->arc_total = HAND(t->arc_total, v, FULL);
    g->arc_self = HAND(t->arc_self, v, LAZY);
    g->arc_recursive = HAND(t->arc_recursive, v, LAZY);
    g->arc_depth = HAND(t->arc_depth, n, LAZY);
    g->arc_nested = HAND(t->arc_nested, t->knows_nesting ? v : 0, LAZY);

    g->pair_count = t->pair_count;
    g->pair_caller = HAND(t->pair_caller, t->pair_count, FULL);
    g->pair_callee = HAND(t->pair_callee, t->pair_count, FULL);
    g->keeps_recursion = t->keeps_recursion;
    g->knows_nesting = t->knows_nesting;
}

static void hand_jumps(assay_builder *b, struct assay_graph *g)
{
    struct build_jumps *t = &b->graph.jumps;
    size_t n = t->count;
    g->jump_count = t->count;
    g->jump_stream = HAND(t->stream, n, LAZY);
    g->jump_func = HAND(t->func, n, FULL);
    g->jump_to_func = HAND(t->to_func, n, FULL);
    g->jump_file = HAND(t->file, n, LAZY);
    g->jump_to_file = HAND(t->to_file, n, LAZY);
    g->jump_line = HAND(t->line, n, LAZY);
    g->jump_to_line = HAND(t->to_line, n, LAZY);
    g->jump_address = HAND(t->address, n, LAZY);
    g->jump_to_address = HAND(t->to_address, n, LAZY);
    g->jump_executed = HAND(t->executed, n, FULL);
    g->jump_followed = HAND(t->followed, n, FULL);
    g->jump_conditional = HAND(t->conditional, n, FULL);
}

static void hand_tree(assay_builder *b, assay_profile *p)
{
    struct build_tree *t = &b->tree;
    size_t n = t->count ? (size_t)t->count + 1 : 0;
    p->tree = (struct assay_tree){ .count = t->count,
                                   .is_whole = t->is_whole,
                                   .parent = HAND(t->parent, n, FULL),
                                   .kind = HAND(t->kind, n, LAZY),
                                   .relation = HAND(t->relation, n, LAZY),
                                   .flags = HAND(t->flags, n, LAZY),
                                   .func = HAND(t->func, n, LAZY),
                                   .file = HAND(t->file, n, LAZY),
                                   .line = HAND(t->line, n, LAZY),
                                   .module = HAND(t->module, n, LAZY),
                                   .offset = HAND(t->offset, n, LAZY),
                                   .calls = HAND(t->calls, n, LAZY),
                                   .origin = HAND(t->origin, n, LAZY) };
    HAND(t->scope_type, 0, LAZY);
    HAND(t->stat_type, 0, LAZY);
    HAND(t->loose.cells, 0, LAZY);
}

static void hand_lines(assay_builder *b, assay_profile *p)
{
    struct build_lines *t = &b->lines;
    size_t n = t->count, v = n * t->block.count;
    p->lines = (struct assay_lines){ .block = hand_block(b, &t->block),
                                     .count = t->count,
                                     .stream = HAND(t->stream, n, LAZY),
                                     .level = HAND(t->level, n, LAZY),
                                     .file = HAND(t->file, n, FULL),
                                     .line = HAND(t->line, n, FULL),
                                     .hits = HAND(t->hits, n, FULL),
                                     .self = HAND(t->self, v, FULL),
                                     .total = HAND(t->total, v, LAZY) };
}

static void hand_timeline(assay_builder *b, assay_profile *p)
{
    struct build_timeline *t = &b->timeline;
    size_t n = (size_t)t->count, streams = t->begin.len ? t->begin.len - 2 : 0;
    bool has_spans = t->is_spans.len && memchr(t->is_spans.at, 1, t->is_spans.len);
    p->timeline = (struct assay_timeline){ .stream_count = (uint32_t)streams,
                                           .begin = HAND(t->begin, streams + 2, FULL),
                                           .count = t->count,
                                           .is_spans = HAND(t->is_spans, streams + 1, FULL),
                                           .unit = HAND(t->unit, streams + 1, FULL),
                                           .time = HAND(t->time, n, FULL),
                                           .duration = HAND(t->duration, n, has_spans ? FULL : LAZY),
                                           .node = HAND(t->node, n, FULL),
                                           .weight = HAND(t->weight, n * t->block.count, FULL),
                                           .block = hand_block(b, &t->block) };
    HAND(t->stream, 0, LAZY);
}

static void hand_cov_lines(assay_builder *b, struct assay_coverage *c)
{
    size_t n = c->line_count = b->coverage.line.count;
    c->line_test = HAND(b->coverage.line.test, n, LAZY);
    c->line_file = HAND(b->coverage.line.file, n, FULL);
    c->line_number = HAND(b->coverage.line.number, n, FULL);
    c->line_hits = HAND(b->coverage.line.hits, n, FULL);
    c->line_flags = HAND(b->coverage.line.flags, n, LAZY);
    c->line_checksum = HAND(b->coverage.line.checksum, n, LAZY);

    n = c->func_count = b->coverage.func.count;
    c->func_test = HAND(b->coverage.func.test, n, LAZY);
    c->func = HAND(b->coverage.func.func, n, FULL);
    c->func_calls = HAND(b->coverage.func.calls, n, FULL);
    c->func_first_column = HAND(b->coverage.func.first_column, n, LAZY);
    c->func_last_column = HAND(b->coverage.func.last_column, n, LAZY);
    c->func_blocks = HAND(b->coverage.func.blocks, n, LAZY);
    c->func_blocks_hit = HAND(b->coverage.func.blocks_hit, n, LAZY);
    c->func_flags = HAND(b->coverage.func.flags, n, LAZY);
}

static void hand_cov_branches(assay_builder *b, struct assay_coverage *c)
{
    size_t n = c->branch_count = b->coverage.branch.count;
    c->branch_test = HAND(b->coverage.branch.test, n, LAZY);
    c->branch_file = HAND(b->coverage.branch.file, n, FULL);
    c->branch_line = HAND(b->coverage.branch.line, n, FULL);
    c->branch_func = HAND(b->coverage.branch.func, n, LAZY);
    c->branch_block = HAND(b->coverage.branch.block, n, LAZY);
    c->branch_name = HAND(b->coverage.branch.name, n, LAZY);
    c->branch_index = HAND(b->coverage.branch.index, n, LAZY);
    c->branch_hits = HAND(b->coverage.branch.hits, n, FULL);
    c->branch_flags = HAND(b->coverage.branch.flags, n, LAZY);
    c->branch_column = HAND(b->coverage.branch.column, n, LAZY);
    c->branch_end_line = HAND(b->coverage.branch.end_line, n, LAZY);
    c->branch_end_column = HAND(b->coverage.branch.end_column, n, LAZY);
    c->branch_target = HAND(b->coverage.branch.target, n, LAZY);

    n = c->sum_count = b->coverage.sum.count;
    c->sum_test = HAND(b->coverage.sum.test, n, LAZY);
    c->sum_file = HAND(b->coverage.sum.file, n, FULL);
    c->sum_line = HAND(b->coverage.sum.line, n, LAZY);
    c->sum_hit = HAND(b->coverage.sum.hit, n, FULL);
    c->sum_total = HAND(b->coverage.sum.total, n, FULL);
    c->sum_kind = HAND(b->coverage.sum.kind, n, FULL);
    c->sum_flags = HAND(b->coverage.sum.flags, n, LAZY);
}

static void hand_cov_regions(assay_builder *b, struct assay_coverage *c)
{
    size_t n = c->condition_count = b->coverage.condition.count;
    c->condition_file = HAND(b->coverage.condition.file, n, FULL);
    c->condition_line = HAND(b->coverage.condition.line, n, FULL);
    c->condition_group = HAND(b->coverage.condition.group, n, LAZY);
    c->condition_index = HAND(b->coverage.condition.index, n, LAZY);
    c->condition_sense = HAND(b->coverage.condition.sense, n, LAZY);
    c->condition_hits = HAND(b->coverage.condition.hits, n, FULL);
    c->condition_text = HAND(b->coverage.condition.text, n, LAZY);
    c->condition_test = HAND(b->coverage.condition.test, n, LAZY);
    c->condition_flags = HAND(b->coverage.condition.flags, n, LAZY);

    n = c->region_count = b->coverage.region.count;
    c->region_file = HAND(b->coverage.region.file, n, FULL);
    c->region_func = HAND(b->coverage.region.func, n, LAZY);
    c->region_kind = HAND(b->coverage.region.kind, n, LAZY);
    c->region_first = HAND(b->coverage.region.first, n, FULL);
    c->region_last = HAND(b->coverage.region.last, n, FULL);
    c->region_first_column = HAND(b->coverage.region.first_column, n, LAZY);
    c->region_last_column = HAND(b->coverage.region.last_column, n, LAZY);
    c->region_statements = HAND(b->coverage.region.statements, n, LAZY);
    c->region_hits = HAND(b->coverage.region.hits, n, FULL);

    n = c->stated_count = b->coverage.stated.count;
    c->stated_file = HAND(b->coverage.stated.file, n, LAZY);
    c->stated_scope = HAND(b->coverage.stated.scope, n, LAZY);
    c->stated_kind = HAND(b->coverage.stated.kind, n, LAZY);
    c->stated_hit = HAND(b->coverage.stated.hit, n, FULL);
    c->stated_total = HAND(b->coverage.stated.total, n, FULL);
}

static void hand_facts(assay_builder *b, assay_profile *p)
{
    size_t n = b->attributes.count;
    p->attributes = (struct assay_attributes){ .count = b->attributes.count,
                                               .stream = HAND(b->attributes.stream, n, LAZY),
                                               .key = HAND(b->attributes.key, n, FULL),
                                               .value = HAND(b->attributes.value, n, FULL) };
    n = b->counts.count;
    p->counts = (struct assay_counts){ .count = b->counts.count, .name = HAND(b->counts.name, n, FULL), .value = HAND(b->counts.value, n, FULL) };
}

static void hand_all(assay_builder *b)
{
    assay_profile *p = b->p;
    hand_names(b, p);
    hand_metrics(b, p);
    hand_streams(b, p);
    hand_sums(b, &p->graph);
    hand_sites(b, &p->graph);
    hand_jumps(b, &p->graph);
    p->graph.block = hand_block(b, &b->graph.block);
    hand_tree(b, p);
    hand_lines(b, p);
    hand_timeline(b, p);
    hand_cov_lines(b, &p->coverage);
    hand_cov_branches(b, &p->coverage);
    hand_cov_regions(b, &p->coverage);
    hand_facts(b, p);
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
    return shapes;
}

static void free_builder(assay_builder *b)
{
    struct index *all[] = { &b->modules.index, &b->files.index,      &b->funcs.index,       &b->metrics.index,    &b->scopes.index,
                            &b->stats.index,   &b->graph.sum_index,  &b->graph.costs.index, &b->graph.arcs.index, &b->graph.jumps.index,
                            &b->tree.index,    &b->tree.loose.index, &b->lines.index,       &b->graph.pair_index };
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

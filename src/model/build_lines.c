/* Lines, blocks and subs, and the events of the timeline. */
#include "model/builder.h"

void assay_build_line_metrics(assay_builder *b, const assay_metric_id *metrics, uint32_t count)
{
    block_set(b, &b->lines.block, metrics, count, ASSAY_SHAPE_LINES);
}

static bool is_line(const struct build_lines *t, uint32_t row, const struct assay_line *at)
{
    return get32(&t->line, row) == at->line && get32(&t->file, row) == at->file.v && get8(&t->level, row) == at->level &&
           get32(&t->stream, row) == at->stream.v;
}

/* Eight neighbouring lines share a cache line of the index. */
static uint64_t line_hash(const struct assay_line *at)
{
    uint64_t group = hash_mix((uint64_t)at->file.v << 32 | at->line >> 3, (uint64_t)at->stream.v << 8 | at->level);
    return (group & ~(uint64_t)7) | (at->line & 7);
}

static struct assay_line line_at(const struct build_lines *t, uint32_t row)
{
    return (struct assay_line){
        .stream = { get32(&t->stream, row) }, .level = get8(&t->level, row), .file = { get32(&t->file, row) }, .line = get32(&t->line, row)
    };
}

/* true = the line comes after the newest row, and so after all of them as long as every row did. */
static bool is_after(const struct build_lines *t, const struct assay_line *at)
{
    if (!t->count) return true;
    struct assay_line last = line_at(t, t->count - 1);
    if (last.stream.v != at->stream.v) return last.stream.v < at->stream.v;
    if (last.level != at->level) return last.level < at->level;
    if (last.file.v != at->file.v) return last.file.v < at->file.v;
    return last.line < at->line;
}

static uint32_t new_line(assay_builder *b, const struct assay_line *at)
{
    struct build_lines *t = &b->lines;
    uint32_t row = builder_next(b, t->count, "lines"), i = row - 1;
    if (!row || !builder_has(b, at->stream.v, b->streams.count, "stream") || !builder_has(b, at->file.v, b->files.count, "file")) return 0;
    put32(b, &t->stream, i, at->stream.v);
    put8(b, &t->level, i, at->level);
    put32(b, &t->file, i, at->file.v);
    put32(b, &t->line, i, at->line);
    if (t->is_indexed && !index_add(&t->index, line_hash(at), row)) builder_no_memory(b);
    if (b->code) return 0;
    t->count = row;
    return row;
}

/* The first line out of order: from now on rows have to be looked for. */
static bool make_index(assay_builder *b)
{
    struct build_lines *t = &b->lines;
    for (uint32_t i = 0; i < t->count; i++) {
        struct assay_line at = line_at(t, i);
        if (index_add(&t->index, line_hash(&at), i + 1)) continue;
        builder_no_memory(b);
        return false;
    }
    t->is_indexed = true;
    return true;
}

/* The row (from 1); 0 = error. */
static uint32_t line_row(assay_builder *b, const struct assay_line *at)
{
    struct build_lines *t = &b->lines;
    if (t->last && is_line(t, t->last - 1, at)) return t->last;
    if (!t->is_indexed) {
        if (is_after(t, at)) return t->last = new_line(b, at);
        if (!make_index(b)) return 0;
    }
    uint32_t row = 0;
    for (struct index_walk w = index_walk(&t->index, line_hash(at)); !row && index_next(&t->index, &w);)
        if (is_line(t, w.id - 1, at)) row = w.id;
    return t->last = row ? row : new_line(b, at);
}

void assay_build_line(assay_builder *b, const struct assay_line *at, uint64_t hits, const assay_value *self, const assay_value *total)
{
    struct build_lines *t = &b->lines;
    if (!b->code && !t->block.is_set) block_set(b, &t->block, NULL, 0, ASSAY_SHAPE_LINES);
    uint32_t row = b->code ? 0 : line_row(b, at);
    if (!row) return;
    add64(b, &t->hits, row - 1, hits);
    if (self) block_add_row(b, &t->block, &t->self, row - 1, self);
    if (total) block_add_row(b, &t->block, &t->total, row - 1, total);
}

void assay_build_timeline(assay_builder *b, const assay_metric_id *weights, uint32_t weight_count)
{
    static const assay_metric_id none = { 0 };
    struct build_timeline *t = &b->timeline;
    if (b->code) return;
    if (t->count) {
        builder_fail(b, ASSAY_ERR_USAGE, "the weights of a timeline must be given before its first event");
        return;
    }
    block_set(b, &t->block, weights ? weights : &none, weights ? weight_count : 0, ASSAY_SHAPE_TIMELINE);
}

void assay_build_timeline_stream(assay_builder *b, assay_stream_id stream, const char *unit, bool spans)
{
    uint32_t text = builder_text(b, unit);
    if (b->code || !builder_has(b, stream.v, b->streams.count, "stream")) return;
    put32(b, &b->timeline.streams.unit, stream.v, text);
    put8(b, &b->timeline.streams.is_spans, stream.v, spans);
}

void assay_build_event(assay_builder *b, assay_stream_id stream, int64_t time, int64_t duration, assay_node_id node, const assay_value *weights)
{
    struct build_timeline *t = &b->timeline;
    if (b->code || !builder_has(b, stream.v, b->streams.count, "stream") || !builder_has(b, node.v, b->tree.count, "node")) return;
    size_t row = t->time.len;
    if (!vec_reserve(b->mem, &t->time, 1) || (duration && !column_reach(b->mem, &t->duration, row + 1)) || !column_reach(b->mem, &t->node, row + 1)) {
        builder_no_memory(b);
        return;
    }
    put32(b, &t->stream, row, stream.v);
    if (weights && t->block.count) {
        if (column_reach(b->mem, &t->weight, (row + 1) * t->block.count))
            memcpy(t->weight.at + row * t->block.count, weights, t->block.count * sizeof *weights);
        else
            builder_no_memory(b);
    }
    if (b->code) return;
    t->time.at[t->time.len++] = time;
    t->node.at[row] = node.v;
    if (duration) t->duration.at[row] = duration;
    t->count++;
}

void assay_build_event_set(assay_builder *b, assay_set_id set)
{
    struct build_timeline *t = &b->timeline;
    if (b->code || !set.v || !t->time.len || !builder_has(b, set.v, b->label_sets.count, "label set")) return;
    put32(b, &t->set, t->time.len - 1, set.v);
}

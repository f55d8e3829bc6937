/* Rows of a view over streams: what each is made of, and how evenly that is spread. */
#include "analysis/streams/stats.h"
#include "analysis/views/source.h"
#include "base/error.h"
#include "base/scoped.h"

static uint8_t total_of(const struct view_row *row)
{
    return row->kind == VIEW_MODULE ? VIEW_IN_MODULE : row->kind == VIEW_FILE ? VIEW_IN_FILE : VIEW_IN_TOTAL;
}

/* As view_figures_of_nodes counts them. */
static uint8_t counts_of(const struct view_row *row, const struct view_member *m)
{
    if (m->counts & VIEW_SELF_ONLY) return STREAM_SELF | STREAM_TOTAL_SELF;
    return m->counts & total_of(row) ? STREAM_SELF | STREAM_TOTAL : STREAM_SELF;
}

int view_stream_rows(const struct view *v, struct stream_rows *rows, assay_error *err)
{
    const struct view_source *s = v->source;
    VEC(struct stream_member) members = { 0 };
    vec_scoped(v->mem, &members);
    *rows = (struct stream_rows){ .mem = NULL };
    if (s->figures != view_figures_of_nodes) FAIL(err, ASSAY_ERR_UNSUPPORTED, "has no call stacks, so contexts are not known by stream; use 'assay top'");
    for (size_t place = 0; place < v->order.len; place++) {
        const struct view_row *row = &v->rows.at[v->order.at[place]];
        for (size_t i = row->begin; i < row->end; i++) {
            struct stream_member *m = vec_push(v->mem, &members);
            if (!m) return error_memory(err);
            *m = (struct stream_member){ s->members.at[i].node, (uint32_t)place, counts_of(row, &s->members.at[i]) };
        }
    }
    return stream_rows_nodes(rows, v->profile, members.at, members.len, (uint32_t)v->order.len, v->mem, err);
}

/* The one node that a row is, whose statistics a file may store; 0 = it is made of several, or of a part of one. */
static uint32_t node_of(const struct view *v, size_t place)
{
    const struct view_row *row = &v->rows.at[v->order.at[place]];
    const struct view_member *m = &v->source->members.at[row->begin];
    return row->end - row->begin == 1 && counts_of(row, m) == (STREAM_SELF | STREAM_TOTAL) ? m->node : 0;
}

int view_stats(const struct view *v, const struct stream_groups *groups, struct stream_stats *stats, assay_error *err)
{
    SCOPED(stream_rows_done) struct stream_rows rows = { .mem = NULL };
    uint32_t filled;
    TRY(view_stream_rows(v, &rows, err));
    TRY(stream_stats_init(stats, &rows, groups, v->options.metric, v->mem, err));
    SCRATCH(uint32_t, node, v->mem, v->order.len + 1);
    if (!node) return error_memory(err);
    for (size_t place = 0; place < v->order.len; place++) node[place] = node_of(v, place);
    return stream_stats_stored(stats, &rows.frames, node, &filled, err);
}

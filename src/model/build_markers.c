/* Markers and counters: rows are kept as given, where the timeline is wanted. */
#include "model/builder.h"

#define HAS(T, name, member, type, ...) &&ROW_HAS_##type(row->name)
#define PUT(T, name, member, type, ...) ROW_PUT_##type(&t->name, i, row->name);

static bool is_wanted(const assay_builder *b) { return !b->code && b->want & ASSAY_WANT_TIMELINE; }
static bool has_node(assay_builder *b, assay_node_id node) { return builder_has(b, node.v, b->tree.count, "node"); }

void assay_build_marker(assay_builder *b, const struct assay_marker *row)
{
    struct build_markers *t = &b->markers;
    if (!(is_wanted(b) && has_node(b, row->node) SCHEMA_MARKERS(HAS, _)) || !builder_next(b, t->count, "markers")) return;
    uint32_t i = t->count;
    SCHEMA_MARKERS(PUT, _)
    if (!b->code) t->count++;
}

assay_counter_id assay_build_counter(assay_builder *b, const struct assay_counter *row)
{
    const assay_counter_id none = { 0 };
    struct build_counters *t = &b->counters;
    if (!(is_wanted(b) SCHEMA_COUNTERS(HAS, _))) return none;
    uint32_t i = builder_next(b, t->count, "counters");
    if (!i) return none;
    SCHEMA_COUNTERS(PUT, _)
    if (b->code) return none;
    t->count = i;
    return (assay_counter_id){ i };
}

void assay_build_reading(assay_builder *b, assay_counter_id counter, int64_t time, double value)
{
    struct build_readings *t = &b->readings;
    if (!is_wanted(b) || !counter.v || !builder_has(b, counter.v, b->counters.count, "counter")) return;
    if (!builder_next(b, t->count, "readings of counters")) return;
    put32(b, &t->counter, t->count, counter.v);
    put_int(b, &t->time, t->count, time);
    put_double(b, &t->value, t->count, value);
    if (!b->code) t->count++;
}

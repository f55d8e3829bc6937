/* The tables that assay_profile_equal compares: for each its fields, keys first. */
#include "model/equal.h"

#define FIELDS(list) .fields = (list), .field_count = sizeof(list) / sizeof *(list)
#define TABLE(member, counter) .base = { &e->p[0]->member, &e->p[1]->member }, .count = { e->p[0]->member.counter, e->p[1]->member.counter }
#define BLOCK(member) .block = { &e->p[0]->member.block, &e->p[1]->member.block }
#define KEY(name, kind, type, column)                                                                                                                          \
    {                                                                                                                                                          \
        name, kind, true, offsetof(struct type, column)                                                                                                        \
    }
#define FIGURE(name, kind, type, column)                                                                                                                       \
    {                                                                                                                                                          \
        name, kind, false, offsetof(struct type, column)                                                                                                       \
    }

static int equal_modules(struct equal *e)
{
    static const struct field fields[] = { KEY("path", FIELD_STRING, assay_modules, path), KEY("build id", FIELD_STRING, assay_modules, build_id) };
    return equal_table(e, &(struct table){ .what = "modules", FIELDS(fields), TABLE(modules, count), .has_ids = true, .class_kind = FIELD_MODULE });
}

static int equal_files(struct equal *e)
{
    static const struct field fields[] = {
        KEY("path", FIELD_STRING, assay_files, path),        KEY("module", FIELD_MODULE, assay_files, module),
        KEY("parent", FIELD_FILE_PATH, assay_files, parent), KEY("parent line", FIELD_U32, assay_files, parent_line),
        FIGURE("source", FIELD_STRING, assay_files, source), FIGURE("origin", FIELD_STRING, assay_files, origin),
        FIGURE("flags", FIELD_U32, assay_files, flags),
    };
    return equal_table(e, &(struct table){ .what = "files", FIELDS(fields), TABLE(files, count), .has_ids = true, .class_kind = FIELD_FILE });
}

static int equal_funcs(struct equal *e)
{
    static const struct field fields[] = {
        KEY("name", FIELD_STRING, assay_funcs, name),           KEY("file", FIELD_FILE, assay_funcs, file),
        KEY("module", FIELD_MODULE, assay_funcs, module),       KEY("offset", FIELD_U64, assay_funcs, offset),
        KEY("first line", FIELD_U32, assay_funcs, first_line),  KEY("first column", FIELD_U32, assay_funcs, first_column),
        KEY("last line", FIELD_U32, assay_funcs, last_line),    KEY("kind", FIELD_U8, assay_funcs, kind),
        KEY("link name", FIELD_STRING, assay_funcs, link_name), FIGURE("flags", FIELD_U32, assay_funcs, flags),
    };
    return equal_table(e, &(struct table){ .what = "functions", FIELDS(fields), TABLE(funcs, count), .has_ids = true, .class_kind = FIELD_FUNC });
}

int equal_names(struct equal *e)
{
    TRY(equal_modules(e));
    TRY(equal_files(e));
    return equal_funcs(e);
}

int equal_metrics(struct equal *e)
{
    static const struct field metrics[] = {
        KEY("name", FIELD_STRING, assay_metrics, name),          FIGURE("unit", FIELD_STRING, assay_metrics, unit),
        FIGURE("type", FIELD_U8, assay_metrics, type),           FIGURE("description", FIELD_STRING, assay_metrics, description),
        FIGURE("formula", FIELD_STRING, assay_metrics, formula), FIGURE("hidden", FIELD_U8, assay_metrics, hidden),
        FIGURE("shapes", FIELD_SHAPES, assay_metrics, shapes),   FIGURE("total", FIELD_WIDE, assay_metrics, total),
        FIGURE("total", FIELD_F64, assay_metrics, total_double),
    };
    static const struct field scopes[] = {
        KEY("metric", FIELD_METRIC, assay_scopes, metric),
        KEY("kind", FIELD_U8, assay_scopes, kind),
        KEY("propagation", FIELD_U8, assay_scopes, propagation),
        KEY("name", FIELD_STRING, assay_scopes, name),
    };
    static const struct field stats[] = {
        KEY("scope", FIELD_SCOPE, assay_stats, scope),
        KEY("formula", FIELD_STRING, assay_stats, formula),
        KEY("combine", FIELD_U8, assay_stats, combine),
    };
    TRY(equal_table(e, &(struct table){ .what = "metrics", FIELDS(metrics), TABLE(metrics, count), .has_ids = true, .class_kind = FIELD_METRIC }));
    TRY(equal_table(e, &(struct table){ .what = "scopes", FIELDS(scopes), TABLE(scopes, count), .has_ids = true, .class_kind = FIELD_SCOPE }));
    return equal_table(e, &(struct table){ .what = "statistics", FIELDS(stats), TABLE(stats, count), .has_ids = true, .class_kind = FIELD_STAT });
}

int equal_streams(struct equal *e)
{
    static const struct field streams[] = {
        KEY("label", FIELD_STRING, assay_streams, label),
        FIGURE("begin of its tuple", FIELD_U32, assay_streams, tuple_begin),
    };
    static const struct field tuples[] = {
        KEY("kind", FIELD_STRING, assay_streams, tuple_kind),
        KEY("logical", FIELD_U64, assay_streams, tuple_logical),
        KEY("physical", FIELD_U64, assay_streams, tuple_physical),
        FIGURE("flags", FIELD_U32, assay_streams, tuple_flags),
    };
    TRY(equal_table(e, &(struct table){ .what = "streams", FIELDS(streams), TABLE(streams, count), .has_ids = true, .is_ordered = true, .class_kind = -1 }));
    return equal_table(e, &(struct table){ .what = "tuple elements", FIELDS(tuples), TABLE(streams, tuple_count), .is_ordered = true, .class_kind = -1 });
}

int equal_graph(struct equal *e)
{
    static const struct field sums[] = {
        KEY("stream", FIELD_STREAM, assay_graph, sum_stream),
        KEY("function", FIELD_FUNC, assay_graph, sum_func),
        FIGURE("self", FIELD_VALUES, assay_graph, sum_self),
        FIGURE("calls", FIELD_U64, assay_graph, sum_calls),
        FIGURE("recursive calls", FIELD_U64, assay_graph, sum_calls_recursive),
        FIGURE("entries", FIELD_U64, assay_graph, sum_entered),
        FIGURE("cost of calls to it", FIELD_VALUES, assay_graph, sum_in),
        FIGURE("cost of calls it makes", FIELD_VALUES, assay_graph, sum_out),
        FIGURE("cost of recursive calls", FIELD_VALUES, assay_graph, sum_recursive),
        FIGURE("cost of nested invocations", FIELD_VALUES, assay_graph, sum_nested),
        FIGURE("statement by the file", FIELD_U8, assay_graph, has_stated),
        FIGURE("stated calls", FIELD_U64, assay_graph, stated_calls),
        FIGURE("stated total", FIELD_VALUES, assay_graph, stated_total),
    };
    static const struct field costs[] = {
        KEY("stream", FIELD_STREAM, assay_graph, cost_stream), KEY("function", FIELD_FUNC, assay_graph, cost_func),
        KEY("file", FIELD_FILE, assay_graph, cost_file),       KEY("line", FIELD_U32, assay_graph, cost_line),
        KEY("address", FIELD_U64, assay_graph, cost_address),  FIGURE("self", FIELD_VALUES, assay_graph, cost_self),
    };
    static const struct field arcs[] = {
        KEY("stream", FIELD_STREAM, assay_graph, arc_stream), KEY("caller", FIELD_FUNC, assay_graph, arc_caller),
        KEY("callee", FIELD_FUNC, assay_graph, arc_callee),   KEY("file", FIELD_FILE, assay_graph, arc_file),
        KEY("line", FIELD_U32, assay_graph, arc_line),        KEY("address", FIELD_U64, assay_graph, arc_address),
        FIGURE("calls", FIELD_U64, assay_graph, arc_calls),   FIGURE("total", FIELD_VALUES, assay_graph, arc_total),
        FIGURE("self", FIELD_VALUES, assay_graph, arc_self),  FIGURE("recursive cost", FIELD_VALUES, assay_graph, arc_recursive),
        FIGURE("depth", FIELD_U32, assay_graph, arc_depth),   FIGURE("nested cost", FIELD_VALUES, assay_graph, arc_nested),
    };
    static const struct field jumps[] = {
        KEY("stream", FIELD_STREAM, assay_graph, jump_stream),
        KEY("function", FIELD_FUNC, assay_graph, jump_func),
        KEY("file", FIELD_FILE, assay_graph, jump_file),
        KEY("line", FIELD_U32, assay_graph, jump_line),
        KEY("address", FIELD_U64, assay_graph, jump_address),
        KEY("to function", FIELD_FUNC, assay_graph, jump_to_func),
        KEY("to file", FIELD_FILE, assay_graph, jump_to_file),
        KEY("to line", FIELD_U32, assay_graph, jump_to_line),
        KEY("to address", FIELD_U64, assay_graph, jump_to_address),
        KEY("conditional", FIELD_U8, assay_graph, jump_conditional),
        FIGURE("executed", FIELD_U64, assay_graph, jump_executed),
        FIGURE("followed", FIELD_U64, assay_graph, jump_followed),
    };
    TRY(equal_table(e, &(struct table){ .what = "sums of functions", FIELDS(sums), TABLE(graph, sum_count), BLOCK(graph), .class_kind = -1 }));
    TRY(equal_table(e, &(struct table){ .what = "costs by place", FIELDS(costs), TABLE(graph, cost_count), BLOCK(graph), .class_kind = -1 }));
    TRY(equal_table(e, &(struct table){ .what = "calls by site", FIELDS(arcs), TABLE(graph, arc_count), BLOCK(graph), .class_kind = -1 }));
    return equal_table(e, &(struct table){ .what = "jumps", FIELDS(jumps), TABLE(graph, jump_count), .class_kind = -1 });
}

int equal_lines(struct equal *e)
{
    static const struct field fields[] = {
        KEY("stream", FIELD_STREAM, assay_lines, stream),  KEY("level", FIELD_U8, assay_lines, level),   KEY("file", FIELD_FILE, assay_lines, file),
        KEY("line", FIELD_U32, assay_lines, line),         FIGURE("hits", FIELD_U64, assay_lines, hits), FIGURE("self", FIELD_VALUES, assay_lines, self),
        FIGURE("total", FIELD_VALUES, assay_lines, total),
    };
    return equal_table(e, &(struct table){ .what = "lines", FIELDS(fields), TABLE(lines, count), BLOCK(lines), .class_kind = -1 });
}

static int equal_timeline_stream(struct equal *e, uint32_t s)
{
    const struct assay_timeline *a = &e->p[0]->timeline, *c = &e->p[1]->timeline;
    if (a->is_spans[s] != c->is_spans[s])
        return equal_differ(e, "timeline of stream %u: it has %s in the first profile and %s in the second", s, a->is_spans[s] ? "spans" : "samples",
                            c->is_spans[s] ? "spans" : "samples");
    assay_slice unit[2] = { assay_profile_string(e->p[0], a->unit[s]), assay_profile_string(e->p[1], c->unit[s]) };
    if (slice_equal(unit[0], unit[1])) return 0;
    return equal_differ(e, "timeline of stream %u: its unit is '%.80s' in the first profile and '%.80s' in the second", s, unit[0].data ? unit[0].data : "",
                        unit[1].data ? unit[1].data : "");
}

int equal_timeline(struct equal *e)
{
    static const struct field begins[] = { FIGURE("end of its events", FIELD_U64, assay_timeline, begin) };
    static const struct field events[] = {
        FIGURE("time", FIELD_I64, assay_timeline, time),
        FIGURE("duration", FIELD_I64, assay_timeline, duration),
        FIGURE("node", FIELD_NODE, assay_timeline, node),
        FIGURE("weight", FIELD_VALUES, assay_timeline, weight),
    };
    const struct assay_timeline *a = &e->p[0]->timeline, *c = &e->p[1]->timeline;
    if (a->count != c->count || a->count > UINT32_MAX)
        return a->count != c->count ? equal_differ(e, "timeline: %llu events in the first profile and %llu in the second", (unsigned long long)a->count,
                                                   (unsigned long long)c->count)
                                    : error_set(e->err, ASSAY_ERR_LIMIT, "%llu events are too many to be compared", (unsigned long long)a->count);
    uint32_t n = (uint32_t)a->count;
    for (uint32_t s = 0; n && s <= a->stream_count; s++) TRY(equal_timeline_stream(e, s));
    /* entry s + 1 is the end of stream s */
    TRY(equal_table(e, &(struct table){ .what = "timeline by stream",
                                        FIELDS(begins),
                                        .base = { a, c },
                                        .count = { a->stream_count + 1, c->stream_count + 1 },
                                        .has_ids = true,
                                        .is_ordered = true,
                                        .class_kind = -1 }));
    return equal_table(
        e, &(struct table){ .what = "timeline", FIELDS(events), .base = { a, c }, .count = { n, n }, BLOCK(timeline), .is_ordered = true, .class_kind = -1 });
}

int equal_facts(struct equal *e)
{
    static const struct field attributes[] = {
        KEY("stream", FIELD_STREAM, assay_attributes, stream),
        KEY("key", FIELD_STRING, assay_attributes, key),
        KEY("value", FIELD_STRING, assay_attributes, value),
    };
    static const struct field counts[] = { KEY("name", FIELD_STRING, assay_counts, name), FIGURE("value", FIELD_U64, assay_counts, value) };
    TRY(equal_table(e, &(struct table){ .what = "attributes", FIELDS(attributes), TABLE(attributes, count), .is_ordered = true, .class_kind = -1 }));
    return equal_table(e, &(struct table){ .what = "counts", FIELDS(counts), TABLE(counts, count), .class_kind = -1 });
}

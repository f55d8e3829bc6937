/* A small profile that uses every feature of the builder. It can be built in another order, and with one thing changed. */
#ifndef MODEL_SAMPLE_H
#define MODEL_SAMPLE_H

#include <string.h>

#include "assay/build.h"

/* clang-format off */
/* One thing that can be different, and a phrase that the sentence about it must have. */
#define SAMPLE_CHANGES(X)                                                                                                                                     \
    X(MODULE_PATH, "modules") X(MODULE_BUILD_ID, "modules") X(FILE_PATH, "files") X(FILE_SOURCE, "source") X(FILE_ORIGIN, "origin")                           \
    X(FILE_PARENT_LINE, "parent line") X(FILE_FLAGS, "flags") X(FUNC_NAME, "functions") X(FUNC_OFFSET, "functions") X(FUNC_PLACE, "functions") X(FUNC_FIRST_LINE, "functions")           \
    X(FUNC_LAST_LINE, "functions") X(FUNC_KIND, "functions") X(FUNC_FLAGS, "flags") X(FUNC_LINK, "functions") X(FUNC_COLUMN, "functions") X(FUNC_MORE, "4 and 5 in total") X(METRIC_NAME, "metrics")                  \
    X(METRIC_UNIT, "unit") X(METRIC_DESCRIPTION, "description") X(METRIC_FORMULA, "formula") X(METRIC_HIDDEN, "hidden")                                       \
    X(METRIC_TOTAL, "total is 99 in the first profile and 100 in the second") X(METRIC_SHAPES, "shapes is 5 in the first profile and 7 in the second")        \
    X(SCOPE_KIND, "scopes") X(SCOPE_NAME, "scopes") X(SCOPE_PROPAGATION, "scopes") X(STAT_FORMULA, "statistics") X(STAT_COMBINE, "statistics")                \
    X(STREAM_LABEL, "label") X(TUPLE_KIND, "tuple elements") X(TUPLE_LOGICAL, "logical") X(TUPLE_PHYSICAL, "physical") X(TUPLE_FLAGS, "flags")                \
    X(TUPLE_OWNER, "tuple") X(SUM_SELF, "sums of functions") X(SUM_CALLS, "calls is 3") X(SUM_ENTERED, "entered is 6")                                        \
    X(SUM_STATED_CALLS, "stated calls") X(SUM_STATED_TOTAL, "stated total") X(COST_LINE, "costs by place") X(COST_ADDRESS, "costs by place")                  \
    X(COST_FILE, "costs by place") X(ARC_LINE, "calls by site") X(ARC_SELF, "self of Ir is 6") X(ARC_RECURSIVE, "recursive of Ir")                             \
    X(ARC_DEPTH, "depth is 2 in the first profile and 3 in the second") X(ARC_TOTAL, "total out of Ir") X(JUMP_EXECUTED, "executed")                            \
    X(JUMP_FOLLOWED, "followed") X(JUMP_CONDITIONAL, "jumps") X(JUMP_TO, "jumps") X(LINE_HITS, "hits") X(LINE_SELF, "lines")                                  \
    X(LINE_TOTAL, "total of time") X(LINE_LEVEL, "lines") X(NODE_KIND, "nodes of the tree") X(NODE_RELATION, "nodes of the tree")                             \
    X(NODE_FLAGS, "nodes of the tree") X(NODE_FUNC, "nodes of the tree") X(NODE_LINE, "nodes of the tree") X(NODE_MODULE, "nodes of the tree")                \
    X(NODE_OFFSET, "nodes of the tree") X(NODE_PARENT, "nodes of the tree") X(NODE_CALLS, "calls is 4") X(VALUE, "values of the tree in stream 1")            \
    X(VALUE_COLUMN, "values of the tree") X(SUMMARY, "summary of the tree") X(EVENT_TIME, "time is") X(EVENT_DURATION, "duration")                            \
    X(EVENT_NODE, "context is") X(EVENT_WEIGHT, "weight of Ir") X(EVENT_STREAM, "timeline by stream") X(EVENT_MORE, "timeline by stream") X(TIMELINE_UNIT, "timeline by stream: stream 2: unit is 'ns'")           \
    X(TIMELINE_SPANS, "timeline by stream: stream 1: spans is 1") X(COV_LINE_HITS, "hits is 5 in the first profile and 6 in the second") X(COV_LINE_FLAGS, "flags")                              \
    X(COV_LINE_CHECKSUM, "checksum") X(COV_LINE_TEST, "covered lines") X(COV_FUNC_CALLS, "calls") X(COV_FUNC_BLOCKS, "blocks")                                \
    X(COV_FUNC_BLOCKS_HIT, "blocks hit") X(COV_FUNC_COLUMN, "column") X(COV_BRANCH_HITS, "branches")                                                          \
    X(COV_BRANCH_TARGET, "target is -3 in the first profile and -2 in the second") X(COV_BRANCH_NAME, "branches") X(COV_BRANCH_FLAGS, "flags")                \
    X(COV_BRANCH_END, "end column") X(COV_SUM_HIT, "hit is 1") X(COV_SUM_TOTAL, "total is 2") X(COV_CONDITION_HITS, "conditions")                             \
    X(COV_CONDITION_TEXT, "text") X(COV_CONDITION_TEST, "conditions") X(COV_CONDITION_FLAGS, "flags") X(COV_CONDITION_SENSE, "conditions") X(COV_REGION_HITS, "regions") X(COV_REGION_LAST, "regions")                            \
    X(COV_REGION_STATEMENTS, "statements") X(COV_STATED_HIT, "hit is 0.5 in the first profile and 1.5 in the second")                                         \
    X(COV_STATED_KIND, "stated coverage") X(ATTRIBUTE_KEY, "key") X(ATTRIBUTE_VALUE, "value") X(ATTRIBUTE_STREAM, "stream")                                   \
    X(COUNT_VALUE, "value is 7 in the first profile and 8 in the second") X(COUNT_NAME, "counts")
/* clang-format on */

enum sample_change {
    SAME,
#define X(name, phrase) CHANGE_##name,
    SAMPLE_CHANGES(X)
#undef X
        CHANGE_COUNT
};

struct sample {
    assay_builder *b;
    bool is_reversed;
    enum sample_change change;
    assay_module_id module[2];
    assay_file_id file[3];
    assay_func_id func[5];
    assay_metric_id ir, time, formula;
    assay_scope_id point, inclusive, custom, seconds;
    assay_stat_id sum, max;
    assay_stream_id stream[2];
    assay_node_id node[5];
};

/* The number, one more when this is the change; the text likewise. */
static inline uint32_t num(const struct sample *s, enum sample_change change, uint32_t v) { return s->change == change ? v + 1 : v; }
static inline const char *txt(const struct sample *s, enum sample_change change, const char *v) { return s->change == change ? "something else" : v; }
static inline assay_str_id str(const struct sample *s, const char *text) { return assay_build_string(s->b, text, strlen(text)); }
static inline int nth(const struct sample *s, int i, int count) { return s->is_reversed ? count - 1 - i : i; }

static inline void sample_names(struct sample *s)
{
    static const char *const names[] = { "main", "work", "helper", "<root>" };
    assay_builder *b = s->b;
    for (int i = 0; i < 2; i++) {
        int k = nth(s, i, 2);
        s->module[k] = k ? assay_build_module(b, str(s, "/usr/lib/libc.so"), str(s, txt(s, CHANGE_MODULE_BUILD_ID, "cafe")))
                         : assay_build_module(b, str(s, txt(s, CHANGE_MODULE_PATH, "/bin/app")), (assay_str_id){ 0 });
    }
    for (int i = 0; i < 3; i++) {
        int k = nth(s, i, 3);
        s->file[k] = k == 0   ? assay_build_file(b, str(s, txt(s, CHANGE_FILE_PATH, "main.c")), s->module[0])
                     : k == 1 ? assay_build_file(b, str(s, "work.c"), (assay_module_id){ 0 })
                              : assay_build_file_new(b, str(s, "eval"), (assay_module_id){ 0 });
    }
    assay_build_file_source(b, s->file[2], str(s, txt(s, CHANGE_FILE_SOURCE, "1 + 1")), str(s, txt(s, CHANGE_FILE_ORIGIN, "blob 12")));
    assay_build_file_parent(b, s->file[2], s->file[1], num(s, CHANGE_FILE_PARENT_LINE, 12), num(s, CHANGE_FILE_FLAGS, 4));
    for (int i = 0; i < 4; i++) {
        int k = nth(s, i, 4);
        s->func[k] = assay_build_func(b, str(s, k == 1 ? txt(s, CHANGE_FUNC_NAME, "work") : names[k]), s->file[k % 3], s->module[k % 2],
                                      k == 2 ? num(s, CHANGE_FUNC_OFFSET, 64) : 0, k == 0 ? num(s, CHANGE_FUNC_FIRST_LINE, 10) : 0);
    }
    if (s->change == CHANGE_FUNC_MORE) s->func[4] = assay_build_func_new(b, str(s, "main"), s->file[0], s->module[0], 0, 10);
    assay_build_func_place(b, s->func[1], s->file[1], s->module[1], num(s, CHANGE_FUNC_PLACE, 32));
    assay_build_func_link(b, s->func[1], str(s, txt(s, CHANGE_FUNC_LINK, "_Z4workv")));
    assay_build_func_column(b, s->func[1], num(s, CHANGE_FUNC_COLUMN, 5));
    assay_build_func_lines(b, s->func[1], 3, num(s, CHANGE_FUNC_LAST_LINE, 9));
    assay_build_func_kind(b, s->func[3], s->change == CHANGE_FUNC_KIND ? ASSAY_FUNC_OPCODE : ASSAY_FUNC_PLACEHOLDER, num(s, CHANGE_FUNC_FLAGS, 8));
}

static inline void sample_metrics(struct sample *s)
{
    assay_builder *b = s->b;
    if (s->is_reversed) assay_build_metric(b, "time", "us", ASSAY_F64, ASSAY_SHAPE_LINES);
    s->ir = assay_build_metric(b, "Ir", txt(s, CHANGE_METRIC_UNIT, "count"), ASSAY_I64, ASSAY_SHAPE_GRAPH | ASSAY_SHAPE_TREE | ASSAY_SHAPE_TIMELINE);
    s->time = assay_build_metric(b, "time", "us", ASSAY_F64, ASSAY_SHAPE_LINES);
    s->formula = assay_build_metric(b, txt(s, CHANGE_METRIC_NAME, "Est"), "count", ASSAY_U64, ASSAY_SHAPE_GRAPH);
    assay_build_metric_text(b, s->ir, txt(s, CHANGE_METRIC_DESCRIPTION, "instructions"), NULL, s->change == CHANGE_METRIC_HIDDEN);
    assay_build_metric_text(b, s->formula, NULL, txt(s, CHANGE_METRIC_FORMULA, "2 Ir"), true);
    assay_build_metric_total(b, s->formula, (assay_value){ .u = num(s, CHANGE_METRIC_TOTAL, 99) });
    if (s->is_reversed) s->custom = assay_build_scope(b, s->ir, ASSAY_SCOPE_CUSTOM, "call", 3);
    s->point = assay_build_scope(b, s->ir, ASSAY_SCOPE_POINT, NULL, 0);
    s->inclusive = assay_build_scope(b, s->ir, s->change == CHANGE_SCOPE_KIND ? ASSAY_SCOPE_FUNCTION : ASSAY_SCOPE_EXECUTION, NULL, 0);
    if (!s->is_reversed)
        s->custom = assay_build_scope(b, s->ir, ASSAY_SCOPE_CUSTOM, txt(s, CHANGE_SCOPE_NAME, "call"), (uint8_t)num(s, CHANGE_SCOPE_PROPAGATION, 3));
    s->seconds = assay_build_scope(b, s->time, ASSAY_SCOPE_POINT, NULL, 0);
    s->sum = assay_build_stat(b, s->point, txt(s, CHANGE_STAT_FORMULA, "$$"), ASSAY_COMBINE_SUM);
    s->max = assay_build_stat(b, s->point, "$$", s->change == CHANGE_STAT_COMBINE ? ASSAY_COMBINE_MIN : ASSAY_COMBINE_MAX);
    assay_metric_id graph[] = { s->ir, s->time };
    assay_build_graph_metrics(b, graph, s->change == CHANGE_METRIC_SHAPES ? 2 : 1);
    assay_build_line_metrics(b, &s->time, 1);
}

static inline void sample_streams(struct sample *s)
{
    assay_builder *b = s->b;
    s->stream[0] = assay_build_stream(b, "rank 0");
    assay_build_tuple(b, txt(s, CHANGE_TUPLE_KIND, "RANK"), num(s, CHANGE_TUPLE_LOGICAL, 0), num(s, CHANGE_TUPLE_PHYSICAL, 1000),
                      num(s, CHANGE_TUPLE_FLAGS, 1));
    if (s->change != CHANGE_TUPLE_OWNER) assay_build_tuple(b, "THREAD", 1, 1001, 0);
    s->stream[1] = assay_build_stream(b, txt(s, CHANGE_STREAM_LABEL, "rank 1"));
    if (s->change == CHANGE_TUPLE_OWNER) assay_build_tuple(b, "THREAD", 1, 1001, 0);
}

static inline void sample_call(struct sample *s, int k)
{
    assay_builder *b = s->b;
    assay_value total = { .i = 20 + k }, self[2] = { { .i = 6 } }, recursive[2] = { { .i = 2 } };
    struct assay_place site = { .stream = s->stream[0], .func = s->func[k], .file = s->file[0], .line = 11u + (uint32_t)k };
    if (k == 0) site.line = num(s, CHANGE_ARC_LINE, 11);
    if (k == 1) total.i = num(s, CHANGE_ARC_TOTAL, 21);
    assay_build_call(b, &site, s->func[k + 1], k == 1 ? num(s, CHANGE_SUM_CALLS, 3) : 3, &total, 1);
    if (k == 1) self[0].i = num(s, CHANGE_ARC_SELF, 6), recursive[0].i = num(s, CHANGE_ARC_RECURSIVE, 2);
    assay_build_call_more(b, self, recursive, k == 1 ? num(s, CHANGE_ARC_DEPTH, 2) : 2);
}

static inline void sample_graph(struct sample *s)
{
    assay_builder *b = s->b;
    for (int i = 0; i < 3; i++) {
        int k = nth(s, i, 3);
        struct assay_place at = { .stream = s->stream[k % 2], .func = s->func[k], .file = s->file[k], .line = 5, .address = 0x1000 };
        assay_value v = { .i = 10 * (k + 1) };
        if (s->change == CHANGE_SUM_SELF) v.i += k == 0 ? 1 : k == 1 ? -1 : 0; /* the total stays */
        if (k == 1) at.line = num(s, CHANGE_COST_LINE, 5), at.address = num(s, CHANGE_COST_ADDRESS, 0x1000);
        if (k == 1 && s->change == CHANGE_COST_FILE) at.file = s->file[2];
        assay_build_self(b, &at, &v, 1);
    }
    for (int i = 0; i < 2; i++) sample_call(s, nth(s, i, 2));
    struct assay_place from = { .stream = s->stream[0], .func = s->func[0], .file = s->file[0], .line = 5 }, to = from;
    to.line = num(s, CHANGE_JUMP_TO, 8);
    assay_build_jump(b, &from, &to, num(s, CHANGE_JUMP_EXECUTED, 40), num(s, CHANGE_JUMP_FOLLOWED, 30), s->change != CHANGE_JUMP_CONDITIONAL);
    assay_build_entered(b, s->stream[0], s->func[1], num(s, CHANGE_SUM_ENTERED, 6));
    assay_value stated = { .i = num(s, CHANGE_SUM_STATED_TOTAL, 77) };
    assay_build_stated(b, s->stream[0], s->func[0], num(s, CHANGE_SUM_STATED_CALLS, 5), &stated, 1);
}

static inline void sample_lines(struct sample *s)
{
    for (int i = 0; i < 3; i++) {
        int k = nth(s, i, 3);
        struct assay_line at = { .stream = s->stream[0], .level = (uint8_t)k, .file = s->file[1], .line = 4 };
        if (k == 2 && s->change == CHANGE_LINE_LEVEL) at.level = ASSAY_LEVEL_LINE, at.line = 99;
        assay_value self = { .d = k == 1 && s->change == CHANGE_LINE_SELF ? 0.25 : 0.5 }, total = { .d = num(s, CHANGE_LINE_TOTAL, 3) };
        assay_build_line(s->b, &at, num(s, CHANGE_LINE_HITS, 9), k == 2 ? NULL : &self, &total);
    }
}

static inline void sample_nodes(struct sample *s)
{
    assay_builder *b = s->b;
    struct assay_node root = { .kind = ASSAY_NODE_ENTRY, .func = s->func[3] };
    struct assay_node body = { .relation = ASSAY_RELATION_CALL, .func = s->func[0], .line = 1 };
    struct assay_node left = { .relation = ASSAY_RELATION_CALL, .func = s->func[1], .line = 11 };
    struct assay_node right = { .kind = ASSAY_NODE_LOOP,
                                .func = s->func[2],
                                .file = s->file[1],
                                .line = num(s, CHANGE_NODE_LINE, 12),
                                .module = s->module[1],
                                .offset = num(s, CHANGE_NODE_OFFSET, 96) };
    struct assay_node lost = { .flags = ASSAY_NODE_NO_PLACE, .module = s->module[0], .offset = 8 };
    right.kind = (uint8_t)num(s, CHANGE_NODE_KIND, right.kind);
    right.relation = (uint8_t)num(s, CHANGE_NODE_RELATION, right.relation);
    right.flags = (uint8_t)num(s, CHANGE_NODE_FLAGS, right.flags);
    if (s->change == CHANGE_NODE_MODULE) right.module = s->module[0];
    if (s->change == CHANGE_NODE_FUNC) right.func = s->func[0];
    if (s->is_reversed) s->node[4] = assay_build_node(b, &lost);
    s->node[0] = assay_build_node(b, &root);
    body.parent = s->node[0];
    s->node[1] = assay_build_node(b, &body);
    left.parent = s->node[1];
    right.parent = s->change == CHANGE_NODE_PARENT ? s->node[0] : s->node[1];
    for (int i = 0; i < 2; i++) {
        int k = nth(s, i, 2);
        s->node[2 + k] = assay_build_node(b, k ? &right : &left);
    }
    if (!s->is_reversed) s->node[4] = assay_build_node(b, &lost);
    assay_build_node_calls(b, s->node[2], num(s, CHANGE_NODE_CALLS, 4));
}

static inline void sample_values(struct sample *s)
{
    assay_builder *b = s->b;
    for (int i = 0; i < 10; i++) {
        int k = nth(s, i, 10);
        assay_value v = { .i = 5 + k };
        if (s->change == CHANGE_VALUE) v.i += k == 2 ? 1 : k == 4 ? -1 : 0;
        assay_build_value(b, s->stream[k % 2], s->node[k / 2], s->point, v);
        if (k < 4) assay_build_value(b, s->stream[k % 2], s->node[k / 2], k == 3 && s->change == CHANGE_VALUE_COLUMN ? s->inclusive : s->custom, v);
    }
    assay_build_value(b, s->stream[0], s->node[2], s->seconds, (assay_value){ .d = 0.5 });
    assay_build_value(b, s->stream[1], s->node[0], s->inclusive, (assay_value){ .i = -50 });
    assay_build_summary(b, s->node[1], s->sum, (assay_value){ .i = num(s, CHANGE_SUMMARY, 15) });
    assay_build_summary(b, (assay_node_id){ 0 }, s->max, (assay_value){ .i = 14 });
}

static inline void sample_timeline(struct sample *s)
{
    assay_builder *b = s->b;
    assay_build_timeline(b, &s->ir, 1);
    assay_build_timeline_stream(b, s->stream[0], "ns", s->change != CHANGE_TIMELINE_SPANS);
    assay_build_timeline_stream(b, s->stream[1], txt(s, CHANGE_TIMELINE_UNIT, "ns"), true);
    for (int i = 0; i < 4; i++) {
        int k = nth(s, i, 4);
        assay_value w = { .i = k };
        if (s->change == CHANGE_EVENT_WEIGHT && k == 2) w.i = 9;
        assay_stream_id stream = s->stream[k % 2];
        if (s->change == CHANGE_EVENT_STREAM && k == 3) stream = s->stream[0];
        assay_build_event(b, stream, k == 3 ? (int64_t)num(s, CHANGE_EVENT_TIME, 33) : 10 * k - 15, k == 1 ? num(s, CHANGE_EVENT_DURATION, 7) : 7,
                          k == 0 && s->change == CHANGE_EVENT_NODE ? s->node[3] : s->node[k % 3], &w);
    }
    if (s->change == CHANGE_EVENT_MORE) assay_build_event(b, s->stream[0], 100, 1, s->node[0], NULL);
}

static inline void sample_coverage(struct sample *s)
{
    assay_builder *b = s->b;
    assay_str_id test = str(s, "unit");
    for (int i = 0; i < 2; i++) {
        uint32_t k = (uint32_t)nth(s, i, 2);
        assay_build_coverage_line(b, &(struct assay_coverage_line){ str(s, k ? "unit" : txt(s, CHANGE_COV_LINE_TEST, "unit")), s->file[k], 7,
                                                                    k ? num(s, CHANGE_COV_LINE_HITS, 5) : 0, (uint8_t)num(s, CHANGE_COV_LINE_FLAGS, 1),
                                                                    str(s, txt(s, CHANGE_COV_LINE_CHECKSUM, "abc")) });
        assay_build_coverage_func(b, &(struct assay_coverage_func){ test, s->func[k], num(s, CHANGE_COV_FUNC_CALLS, 2), num(s, CHANGE_COV_FUNC_COLUMN, 1), 80,
                                                                    num(s, CHANGE_COV_FUNC_BLOCKS, 4), num(s, CHANGE_COV_FUNC_BLOCKS_HIT, 3), 0 });
        assay_build_coverage_branch(b, &(struct assay_coverage_branch){ test, s->file[0], 7, s->func[0], str(s, "0"),
                                                                        str(s, k ? txt(s, CHANGE_COV_BRANCH_NAME, "1") : "0"), k,
                                                                        num(s, CHANGE_COV_BRANCH_HITS, k), (uint8_t)num(s, CHANGE_COV_BRANCH_FLAGS, 0), 3, 8,
                                                                        num(s, CHANGE_COV_BRANCH_END, 5), s->change == CHANGE_COV_BRANCH_TARGET ? -2 : -3 });
        assay_build_coverage_sum(
            b, &(struct assay_coverage_sum){ test, s->file[k], 9, num(s, CHANGE_COV_SUM_HIT, 1), num(s, CHANGE_COV_SUM_TOTAL, 2), str(s, "branches"), 0 });
        assay_build_coverage_condition(
            b, &(struct assay_coverage_condition){ s->file[0], 9, 1, k, (uint8_t)num(s, CHANGE_COV_CONDITION_SENSE, 1), num(s, CHANGE_COV_CONDITION_HITS, 6),
                                                   str(s, txt(s, CHANGE_COV_CONDITION_TEXT, "a && b")), str(s, txt(s, CHANGE_COV_CONDITION_TEST, "unit")),
                                                   (uint8_t)num(s, CHANGE_COV_CONDITION_FLAGS, ASSAY_COVERAGE_BRANCH_EXCLUDED) });
        assay_build_coverage_region(b, &(struct assay_coverage_region){ s->file[0], s->func[0], ASSAY_REGION_BLOCK, 1 + k, num(s, CHANGE_COV_REGION_LAST, 4), 1,
                                                                        2, num(s, CHANGE_COV_REGION_STATEMENTS, 3), num(s, CHANGE_COV_REGION_HITS, 11) });
        assay_build_coverage_stated(b, &(struct assay_coverage_stated){ s->file[k], str(s, "file"), str(s, txt(s, CHANGE_COV_STATED_KIND, "lines")),
                                                                        0.5 + (s->change == CHANGE_COV_STATED_HIT), 1.0 });
    }
}

static inline void sample_facts(struct sample *s)
{
    assay_builder *b = s->b;
    assay_finding warning = { .rule = "CG05", .severity = ASSAY_WARNING, .line = 3, .message = "a damaged line" };
    const char *key = txt(s, CHANGE_ATTRIBUTE_KEY, "cmd"), *value = txt(s, CHANGE_ATTRIBUTE_VALUE, "./app");
    assay_build_attribute(b, s->change == CHANGE_ATTRIBUTE_STREAM ? s->stream[1] : s->stream[0], key, strlen(key), value, strlen(value));
    assay_build_attribute(b, (assay_stream_id){ 0 }, "pid", 3, "17", 2);
    if (s->is_reversed) assay_build_count(b, "records", 3);
    assay_build_count(b, txt(s, CHANGE_COUNT_NAME, "lines"), num(s, CHANGE_COUNT_VALUE, 7));
    assay_build_count(b, "records", 3);
    assay_build_source(b, "callgrind", "1", "valgrind-3.19");
    assay_build_offers(b, ASSAY_SHAPE_TREE);
    assay_build_warning(b, &warning);
}

static inline assay_profile *sample_build(const struct assay_build_options *options, enum sample_change change, bool is_reversed, assay_error *err)
{
    struct sample s = { .b = assay_builder_new(options, err), .is_reversed = is_reversed, .change = change };
    if (!s.b) return NULL;
    sample_streams(&s);
    sample_names(&s);
    sample_metrics(&s);
    sample_graph(&s);
    sample_lines(&s);
    sample_nodes(&s);
    sample_values(&s);
    sample_timeline(&s);
    sample_coverage(&s);
    sample_facts(&s);
    return assay_builder_seal(s.b, err);
}

#endif

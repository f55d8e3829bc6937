/* Planted defects for the rules of V8's profiles, how long samples last, and what is written and read again. */
#include "../planted.h"

#include <math.h>
#include <stdlib.h>

#define FRAME(name) "\"callFrame\":{\"functionName\":\"" name "\",\"scriptId\":\"0\",\"url\":\"u.js\",\"lineNumber\":0,\"columnNumber\":4}"
#define NODE(id, name, kids) "{\"id\":" #id "," FRAME(name) ",\"hitCount\":1,\"children\":" kids "}"
#define BEGIN "{\"nodes\":[\n" NODE(1, "(root)", "[2]") "," NODE(2, "a", "[3]") "," NODE(3, "b", "[]") "],\"startTime\":100,\"endTime\":110,\n"
#define END "}"
#define TIMES "\"samples\":[2,3,2],\"timeDeltas\":[1,2,4]"
#define HEAP(more) "{\"head\":{" FRAME("(root)") ",\"selfSize\":1,\"id\":1,\"children\":[\n{" FRAME("a") ",\"selfSize\":2," more

static const struct defect defects[] = {
    { "J-1", E, BEGIN "\"samples\":[2,3\n@" },
    { "J-1", E, BEGIN TIMES END "\n@]" },
    { "J-2", E, BEGIN "\"samples\":[2,\n@2.5,\"x\"],\"timeDeltas\":[1,1]" END },
    { "J-2", E, "{\"nodes\":[\n@7]}" },
    { "J-2", E, "{\"nodes\":[" NODE(1, "r", "[\n@\"2\"]") "]}" },
    { "J-2", E, "{\"nodes\":[" NODE(1, "r", "\n@[4294967297]") "]}" },
    { "J-2", E, "{\"nodes\":[{\"id\":1," FRAME("r") ",\"hitCount\":\n@-1}]}" },
    { "J-3", E, "{\"nodes\":[\n@{" FRAME("r") "}]}" },
    { "J-3", E, "{\"nodes\":[{\"id\":1\n@}]}" },
    { "J-3", E, "{\"nodes\":[{\"id\":1,\"callFrame\":\n@{\"url\":\"x\"}}]}" },
    { "J-3", E, "{\"samples\":[],\"timeDeltas\":[]}" },
    { "VP01", E, "{\"nodes\":[" NODE(1, "r", "[]") ",{\"id\":\n@1," FRAME("a") ",\"hitCount\":1}]}" },
    { "VP01", E, "{\"nodes\":[{\"id\":9000000," FRAME("r") "},{" FRAME("r") ",\"id\":\n@9000000}]}" },
    { "VP02", E, "{\"nodes\":[" NODE(1, "r", "\n@[1000,2]") "," NODE(2, "a", "[]") "]}" },
    { "VP02", E, "{\"nodes\":[" NODE(1, "r", "[]") ",{\"id\":2,\"parent\":\n@7," FRAME("a") "}]}" },
    { "VP03", E, "{\"nodes\":[" NODE(1, "r", "[2]") "," NODE(2, "a", "[3]") "," NODE(3, "b", "\n@[2]") "]}" },
    { "VP03", E, "{\"nodes\":[" NODE(1, "r", "\n@[2,2]") "," NODE(2, "a", "[]") "]}" },
    { "VP03", E, "{\"nodes\":[" NODE(1, "r", "\n@[1]") "]}" },
    { "VP03", E, "{\"nodes\":[" NODE(1, "r", "[]") "," NODE(2, "a", "[3]") "," NODE(3, "b", "\n@[2]") "]}" },
    { "VP03", E, "{\"nodes\":[" NODE(1, "r", "[3]") "," NODE(2, "a", "[]") ",{\"id\":3,\"parent\":\n@2," FRAME("b") "}]}" },
    { "VP03", E, "{\"head\":{\"id\":1,\"functionName\":\"r\",\"children\":[{\"id\":2,\"functionName\":\"a\",\"children\":\n@[1]}]}}" },
    { "VP04", E, BEGIN "\"samples\":[2,\n@9],\"timeDeltas\":[1,1]" END },
    { "VP04", E, "{\n@\"samples\":[2],\"timeDeltas\":[1],\"nodes\":[" NODE(1, "r", "[]") "]}" },
    { "VP05", E, BEGIN "\"samples\":[2,3,2],\n@\"timeDeltas\":[1,1]" END },
    { "VP05", E, BEGIN "\"samples\":[2],\n@\"timeDeltas\":[1,1]" END },
    { "VP05", E, BEGIN "\"samples\":[2],\n@\"timestamps\":[1,1,1]" END },
    { "VP06", I, BEGIN "\"samples\":[2,3,2],\n@\"timeDeltas\":[1,2,-1]" END },
    { "VP07", W, BEGIN "\n@\"samples\":[2,3,2]" END },
    { "VP08", I, "{\"nodes\":[" NODE(1, "r", "[]") "]}" },
};

static const struct defect sound[] = {
    { "J-1", E, BEGIN TIMES END "\n" },
    { "J-3", E, "{\"nodes\":[]}" },
    { "VP01", E, BEGIN TIMES END },
    { "VP02", E, "{\"nodes\":[" NODE(1, "r", "[1000]") "," NODE(1000, "a", "[]") "]}" },
    { "VP02", E, "{\"nodes\":[" NODE(1, "r", "[9000000]") "," NODE(9000000, "a", "[]") "]}" },
    { "VP03", E, "{\"nodes\":[" NODE(1, "r", "[2]") ",{\"id\":2,\"parent\":1," FRAME("a") "}]}" },
    { "VP03", E, "{\"nodes\":[" NODE(2, "a", "[]") "," NODE(1, "r", "[2]") "]}" },
    { "VP04", E, "{\"samples\":[1],\"timeDeltas\":[1],\"nodes\":[" NODE(1, "r", "[]") "]}" },
    { "VP05", E, BEGIN "\"samples\":[2],\"timestamps\":[1,1]" END },
    { "VP06", I, BEGIN "\"samples\":[2,3,2],\"timeDeltas\":[1,0,0]" END },
    { "VP07", W, BEGIN TIMES END },
    { "VP08", I, BEGIN TIMES END },
};

static const struct defect heap_defects[] = {
    { "J-1", E, HEAP("\"id\":2,\n@") },
    { "J-2", E, "{\"head\":{" FRAME("r") ",\"selfSize\":\n@\"1\"}}" },
    { "J-3", E, "{\"head\":{\"selfSize\":1\n@}}" },
    { "J-3", E, "{\"samples\":[{\"size\":1,\"nodeId\":1,\"ordinal\":1}]}" },
    { "VP01", W, HEAP("\"id\":\n@1,\"children\":[]}]}}") },
    { "VP04", I, HEAP("\"id\":2,\"children\":[]}]},\n@\"samples\":[{\"size\":8,\"nodeId\":3,\"ordinal\":1}]}") },
};

static const struct defect heap_sound[] = {
    { "VP01", W, HEAP("\"id\":2,\"children\":[]}]}}") },
    { "VP01", W, "{\"head\":{" FRAME("r") ",\"selfSize\":1,\"children\":[{" FRAME("a") ",\"selfSize\":1,\"children\":[]}]}}" },
    { "VP04", I, HEAP("\"id\":2,\"children\":[]}]},\"samples\":[{\"size\":8,\"nodeId\":2,\"ordinal\":1}]}") },
};

static void all_found(const char *format, const struct defect *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct planted p = plant(list[i].text);
        struct checked c;
        check_text(&c, format, p.text, p.len);
        const assay_finding *f = found_rule(&c, list[i].rule);
        if (!f) fail_msg("%s, defect %zu: no %s", format, i, list[i].rule);
        assert_int_equal(f->severity, list[i].severity);
        if (p.has_place && f->offset != p.off)
            fail_msg("%s, defect %zu: %s at %llu, not %llu", format, i, f->rule, (unsigned long long)f->offset, (unsigned long long)p.off);
        check_done(&c);
    }
}

static void each_rule_finds_its_planted_defect(void **state)
{
    (void)state;
    all_found("v8-cpuprofile", defects, sizeof defects / sizeof *defects);
    all_found("v8-heapprofile", heap_defects, sizeof heap_defects / sizeof *heap_defects);
}

static void what_is_only_nearly_wrong_is_not_reported(void **state)
{
    (void)state;
    near_misses_are_not_reported("v8-cpuprofile", sound, sizeof sound / sizeof *sound);
    near_misses_are_not_reported("v8-heapprofile", heap_sound, sizeof heap_sound / sizeof *heap_sound);
}

/* ---- reading ---- */

static assay_profile *read_text(const char *text, size_t len)
{
    assay_profile *p = NULL;
    struct assay_read_options o = { .size = sizeof o, .want = ASSAY_WANT_TREE | ASSAY_WANT_TIMELINE | ASSAY_WANT_LINES };
    assay_error err = { 0 };
    if (assay_read_memory(text, len, "x", &o, &p, &err) != 0) fail_msg("%s", err.text);
    return p;
}

static bool is_named(const assay_profile *p, assay_str_id id, const char *name)
{
    assay_slice text = assay_profile_string(p, id);
    return text.len == strlen(name) && memcmp(text.data, name, text.len) == 0;
}

/* What a function costs itself; every function of these files is in one context. */
static double self_of(const assay_profile *p, const char *name, const char *metric)
{
    const struct assay_tree *t = assay_profile_tree(p);
    const struct assay_scopes *s = assay_profile_scopes(p);
    assay_value v = { 0 };
    uint32_t scope = 1;
    while (!is_named(p, assay_profile_metrics(p)->name[s->metric[scope].v], metric)) scope++;
    bool is_double = assay_profile_metrics(p)->type[s->metric[scope].v] == ASSAY_F64;
    for (uint32_t n = 1; n <= t->count; n++) {
        if (!is_named(p, assay_profile_funcs(p)->name[t->func[n].v], name)) continue;
        assert_int_equal(assay_tree_value(p, (assay_stream_id){ 0 }, (assay_node_id){ n }, (assay_scope_id){ scope }, &v, NULL), 0);
        return is_double ? v.d : (double)v.u;
    }
    fail_msg("no function %s", name);
    return 0;
}

static void same(double a, double b)
{
    if (fabs(a - b) > 1e-9 * fabs(b)) fail_msg("%.17g is not %.17g", a, b);
}

/* A sample lasts until the next one, the last one as long as the mean of the others. */
static void a_sample_lasts_until_the_next_one(void **state)
{
    (void)state;
    static const char text[] = BEGIN TIMES END;
    assay_profile *p = read_text(text, sizeof text - 1);
    const struct assay_timeline *t = assay_profile_timeline(p);
    same(self_of(p, "a", "time"), 2 + 3);
    same(self_of(p, "b", "time"), 4);
    same(self_of(p, "a", "hits"), 2);
    assert_int_equal(t->count, 3);
    assert_int_equal(t->time[0], 101000);
    assert_int_equal(t->time[2], 107000);
    assay_profile_release(p);
}

static void samples_are_taken_in_the_order_of_time(void **state)
{
    (void)state;
    static const char text[] = BEGIN "\"samples\":[2,3,1],\"timeDeltas\":[10,5,-7]" END; /* at 110, 115, 108 */
    assay_profile *p = read_text(text, sizeof text - 1);
    same(self_of(p, "(root)", "time"), 2);
    same(self_of(p, "a", "time"), 5);
    same(self_of(p, "b", "time"), 3.5);
    assay_profile_release(p);
}

/* Nodes inside each other, lines from 1, times in microseconds beside an end in seconds. */
static void old_files_are_read(void **state)
{
    (void)state;
    static const char text[] = "{\"head\":{\"functionName\":\"(root)\",\"url\":\"\",\"lineNumber\":0,\"id\":1,\"children\":[{\"children\":[],\"id\":2,"
                               "\"functionName\":\"\",\"url\":\"u.js\",\"lineNumber\":7,\"columnNumber\":3,\"hitCount\":4}]},"
                               "\"startTime\":1,\"endTime\":2,\"samples\":[2,2],\"timestamps\":[1000000,1000010,1000020]}";
    assay_profile *p = read_text(text, sizeof text - 1);
    const struct assay_funcs *f = assay_profile_funcs(p);
    same(self_of(p, "(anonymous)", "time"), 20);
    assert_int_equal(f->count, 2);
    assert_true(is_named(p, f->name[1], "(anonymous)"));
    assert_int_equal(f->first_line[1], 7);
    assert_int_equal(f->first_column[1], 3);
    assay_profile_release(p);
}

static void hits_are_those_of_the_nodes_without_samples(void **state)
{
    (void)state;
    static const char text[] = BEGIN "\"title\":\"x\"" END;
    assay_profile *p = read_text(text, sizeof text - 1);
    assert_int_equal(assay_profile_metrics(p)->count, 1);
    same(self_of(p, "b", "hits"), 1);
    assay_profile_release(p);
}

static void ticks_are_hits_of_lines(void **state)
{
    (void)state;
    static const char text[] = "{\"nodes\":[{\"id\":1," FRAME("a") ",\"hitCount\":5,\"positionTicks\":[{\"line\":3,\"ticks\":2},{\"ticks\":3,\"line\":9}]},"
                                                                   "{\"id\":2," FRAME("b") ",\"hitCount\":1,\"positionTicks\":[{\"line\":3,\"ticks\":1}]}]}";
    assay_profile *p = read_text(text, sizeof text - 1);
    const struct assay_lines *l = assay_profile_lines(p);
    assert_int_equal(l->count, 2);
    assert_int_equal(l->line[0], 3);
    assert_int_equal(l->hits[0], 3);
    assert_int_equal(l->hits[1], 3);
    assay_profile_release(p);
}

/* Two children of one function are one context, and so are theirs; wherever they are said to be children. */
static void nodes_of_equal_parents_and_functions_are_one_context(void **state)
{
    (void)state;
    static const char *const files[] = {
        "{\"nodes\":[" NODE(1, "r", "[2,3]") "," NODE(2, "a", "[4]") "," NODE(3, "a", "[5]") "," NODE(4, "b", "[]") "," NODE(5, "b", "[]") "]}",
        "{\"nodes\":[" NODE(5, "b", "[]") "," NODE(3, "a", "[5]") "," NODE(1, "r", "[2,{\"id\":9," FRAME("b") "},3]") "," NODE(2, "a", "[4]") "," NODE(
            4, "b", "[]") "]}",
        "{\"nodes\":[" NODE(1, "r", "[2]") "," NODE(2, "a", "[4]") ",{\"id\":3,\"parent\":1," FRAME("a") "},{\"id\":4," FRAME("b") "}]}",
        "{\"nodes\":[" NODE(1, "r", "[2]") "," NODE(2, "a", "[4]") "," NODE(4, "b", "[]") "," NODE(5, "r", "[]") "]}",
    };
    static const uint64_t contexts[] = { 3, 4, 3, 3 };
    for (size_t i = 0; i < 4; i++) {
        assay_profile *p = read_text(files[i], strlen(files[i]));
        assert_int_equal(assay_profile_tree(p)->count, contexts[i]);
        assay_profile_release(p);
    }
}

/* What is whole of a file that ends in its nodes is read, whatever they name that is not there. */
static void a_truncated_file_is_read_as_far_as_it_goes(void **state)
{
    (void)state;
    static const char text[] = "{\"nodes\":[" NODE(1, "(root)", "[2,3]") "," NODE(2, "a", "[9]") ",{\"id\":3,\"callFr";
    assay_profile *p = read_text(text, sizeof text - 1);
    same(self_of(p, "a", "hits"), 1);
    assert_int_equal(assay_profile_tree(p)->count, 3);
    assert_int_equal(assay_profile_damage(p, NULL), 1);
    assay_profile_release(p);
}

/* Depth is no matter of the stack. */
static void a_deep_heap_is_read(void **state)
{
    (void)state;
    enum { DEPTH = 30000 };
    static const char open[] = "{" FRAME("f") ",\"selfSize\":1,\"children\":[";
    size_t len = 0, each = sizeof open - 1;
    char *text = malloc(DEPTH * (each + 2) + 20);
    len += (size_t)sprintf(text, "{\"head\":");
    for (int i = 0; i < DEPTH; i++, len += each) memcpy(text + len, open, each);
    for (int i = 0; i < DEPTH; i++, len += 2) memcpy(text + len, "]}", 2);
    text[len++] = '}';
    assay_profile *p = read_text(text, len);
    assert_int_equal(assay_profile_tree(p)->count, DEPTH);
    assert_int_equal(assay_profile_metrics(p)->total[1].low, DEPTH);
    assay_profile_release(p);
    free(text);
}

/* ---- write, then read ---- */

struct text {
    char at[8192];
    size_t len;
};

static int take(void *arg, const char *data, size_t len)
{
    struct text *t = arg;
    assert_true(t->len + len < sizeof t->at);
    memcpy(t->at + t->len, data, len);
    t->len += len;
    return 0;
}

static assay_profile *rewritten(const assay_profile *p)
{
    struct text out = { .len = 0 };
    struct assay_write_options o = { .size = sizeof o, .format = "v8-cpuprofile" };
    assert_int_equal(assay_write_fn(p, &o, take, &out, NULL, NULL), 0);
    return read_text(out.at, out.len);
}

static void what_is_written_reads_back_the_same(void **state)
{
    (void)state;
    static const char text[] = BEGIN TIMES END;
    assay_profile *p = read_text(text, sizeof text - 1), *q = rewritten(p);
    const struct assay_timeline *a = assay_profile_timeline(p), *b = assay_profile_timeline(q);
    assert_int_equal(assay_profile_tree(p)->count, assay_profile_tree(q)->count);
    assert_int_equal(a->count, b->count);
    for (uint64_t i = 0; i < a->count; i++) {
        assert_int_equal(a->time[i], b->time[i]);
        assert_int_equal(a->node[i].v, b->node[i].v);
        assert_true(a->weight[2 * i + 1].d == b->weight[2 * i + 1].d);
    }
    assay_profile_release(p);
    assay_profile_release(q);
}

/* Figures without times: whatever the last sample has to last, all come out. Time without a stack is (idle). */
static void figures_of_other_formats_come_out_whole(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double b, c, idle;
    } files[] = {
        { "a;b 10\na;c 20\n", 10, 20, 0 },
        { "a;b 900000\na;c 1\n", 900000, 1, 0 },
        { "a;b 7\na;c 0.5\n", 7, 0.5, 0 },
        { "{\"$schema\":\"https://www.speedscope.app/"
          "file-format-schema.json\",\"shared\":{\"frames\":[{\"name\":\"b\"},{\"name\":\"c\"}]},\"profiles\":[{\"type\":"
          "\"sampled\",\"unit\":\"milliseconds\",\"startValue\":0,\"endValue\":9,\"samples\":[[0],[],[1],[0]],\"weights\":[1,2,3,1]}]}",
          2000, 3000, 2000 },
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        assay_profile *p = read_text(files[i].text, strlen(files[i].text)), *q = rewritten(p);
        same(self_of(q, "b", "time"), files[i].b);
        same(self_of(q, "c", "time"), files[i].c);
        if (files[i].idle > 0) same(self_of(q, "(idle)", "time"), files[i].idle);
        assay_profile_release(p);
        assay_profile_release(q);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_rule_finds_its_planted_defect),
        cmocka_unit_test(what_is_only_nearly_wrong_is_not_reported),
        cmocka_unit_test(a_sample_lasts_until_the_next_one),
        cmocka_unit_test(samples_are_taken_in_the_order_of_time),
        cmocka_unit_test(old_files_are_read),
        cmocka_unit_test(hits_are_those_of_the_nodes_without_samples),
        cmocka_unit_test(ticks_are_hits_of_lines),
        cmocka_unit_test(nodes_of_equal_parents_and_functions_are_one_context),
        cmocka_unit_test(a_truncated_file_is_read_as_far_as_it_goes),
        cmocka_unit_test(a_deep_heap_is_read),
        cmocka_unit_test(what_is_written_reads_back_the_same),
        cmocka_unit_test(figures_of_other_formats_come_out_whole),
    };
    return cmocka_run_group_tests_name("v8-cpuprofile", tests, NULL, NULL);
}

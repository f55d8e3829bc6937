/* A profile that is made in memory: calling contexts with a cost, and lines with hits. It is written as webgrind data, as an HPCToolkit database and as an lcov
 * report, and what each of them cannot hold is said.
 *
 *     cc make.c $(pkg-config --cflags --libs assay) -o make && ./make NAME && assay top NAME.webgrind && assay top NAME.hpcdb && assay top NAME.info */
#include <assay/assay.h>
#include <stdio.h>
#include <string.h>

static assay_str_id string(assay_builder *b, const char *text) { return assay_build_string(b, text, strlen(text)); }

/* A context: a function that was called from another context, or a root. */
static assay_node_id context(assay_builder *b, assay_node_id parent, assay_func_id func, uint64_t calls)
{
    assay_node_id node =
        assay_build_node(b, &(struct assay_node){ .parent = parent, .kind = ASSAY_NODE_FUNCTION, .relation = ASSAY_RELATION_CALL, .func = func });
    assay_build_node_calls(b, node, calls);
    return node;
}

static assay_profile *make(assay_error *err)
{
    assay_builder *b = assay_builder_new(&(struct assay_build_options){ .want = ASSAY_WANT_TREE | ASSAY_WANT_COVERAGE }, err);
    if (!b) return NULL;
    assay_module_id module = assay_build_module(b, string(b, "/usr/bin/demo"), (assay_str_id){ 0 });
    assay_file_id file = assay_build_file(b, string(b, "/src/demo.c"), module);
    assay_func_id main_func = assay_build_func(b, string(b, "main"), file, module, 0x1000, 1);
    assay_func_id work_func = assay_build_func(b, string(b, "work"), file, module, 0x1100, 10);

    assay_metric_id time = assay_build_metric(b, "time", "ns", ASSAY_U64, ASSAY_SHAPE_TREE);
    assay_scope_id cost = assay_build_scope(b, time, ASSAY_SCOPE_POINT, NULL, 0); /* of a context itself; totals are added up from it */
    assay_node_id root = context(b, (assay_node_id){ 0 }, main_func, 1), work = context(b, root, work_func, 3);
    assay_build_value(b, (assay_stream_id){ 0 }, root, cost, (assay_value){ .u = 2000 });
    assay_build_value(b, (assay_stream_id){ 0 }, work, cost, (assay_value){ .u = 30000 });

    const uint32_t lines[] = { 1, 2, 10, 11, 12 };
    const uint64_t hits[] = { 1, 1, 3, 3, 0 };
    assay_build_coverage_lines(b, (assay_str_id){ 0 }, file, lines, hits, 5);
    assay_build_coverage_func(b, &(struct assay_coverage_func){ .func = main_func, .calls = 1 });
    assay_build_coverage_func(b, &(struct assay_coverage_func){ .func = work_func, .calls = 3 });
    return assay_builder_seal(b, err); /* takes the builder; only here is it known whether memory sufficed */
}

static int write_as(const assay_profile *p, const char *name, const char *format, const char *extension, assay_error *err)
{
    char path[1000];
    assay_losses *losses = NULL;
    snprintf(path, sizeof path, "%s.%s", name, extension);
    int rc = assay_write(p, path, &(struct assay_write_options){ .format = format }, &losses, err);
    if (rc != 0) return rc;
    printf("%s\n", path);
    for (size_t i = 0; i < losses->count; i++) printf("  %s\n", losses->at[i].message);
    assay_losses_free(losses);
    return 0;
}

int main(int argc, char **argv)
{
    assay_error err;
    if (argc != 2) {
        fprintf(stderr, "usage: make NAME\n");
        return 2;
    }
    assay_profile *p = make(&err), *graph = NULL;
    int rc = p ? assay_graph_new(p, NULL, &graph, NULL, &err) : err.code; /* webgrind has no contexts, but who calls whom */
    if (rc == 0) rc = write_as(graph, argv[1], "webgrind", "webgrind", &err);
    if (rc == 0) rc = write_as(p, argv[1], "hpcdb", "hpcdb", &err);
    if (rc == 0) rc = write_as(p, argv[1], "lcov", "info", &err);
    assay_profile_release(graph);
    assay_profile_release(p);
    if (rc != 0) fprintf(stderr, "make: %s\n", err.text);
    return rc == 0 ? 0 : 1;
}

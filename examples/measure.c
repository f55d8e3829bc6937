/* A measurement tool in a hundred lines: writes a profile in the format hpcrun 02.00, reads it again and prints it.
 *
 *     cc measure.c $(pkg-config --cflags --libs assay) -o measure && ./measure demo.hpcrun && assay top demo.hpcrun */
#include <assay/hpcrun_fmt.h>
#include <stdlib.h>
#include <string.h>

static int complain(const char *what, const hpcrun_fmt_error_t *error)
{
    fprintf(stderr, "measure: %s: offset %llu: %s %s\n", what, (unsigned long long)error->what.offset, error->rule ? error->rule : "", error->what.text);
    return 1;
}

static hpcrun_fmt_str_t str(char *text) { return (hpcrun_fmt_str_t){ .len = (uint32_t)strlen(text), .s = text }; }

/* Leaves have negative ids; parents stand before their children. */
static int write_nodes(const hpcrun_fmt_env_t *env, FILE *out)
{
    static const struct {
        int32_t id, parent;
        uint64_t ip, samples;
    } nodes[] = { { 2, 0, 0, 0 }, { 4, 2, 0x401136, 1 }, { -6, 4, 0x40113a, 17 }, { -8, 4, 0x401142, 5 } };
    for (size_t i = 0; i < sizeof nodes / sizeof *nodes; i++) {
        uint64_t samples = nodes[i].samples;
        hpcrun_fmt_cct_node_t node = { .id = nodes[i].id, .parent = nodes[i].parent, .ip = nodes[i].ip, .values = &samples };
        if (hpcrun_fmt_cct_node_fwrite(&node, env, out) != 0) return -1;
    }
    return 0;
}

static int write_file(const char *path, hpcrun_fmt_env_t *env)
{
    char metric_name[] = "CYCLES", module_name[] = "/usr/bin/demo";
    hpcrun_fmt_metric_desc_t metric = { .name = str(metric_name), .flags = HPCRUN_FMT_METRIC_ASYNC, .period = 1000 };
    hpcrun_fmt_loadmap_entry_t module = { .load_addr = 0x400000, .name = str(module_name) };
    hpcrun_fmt_epoch_t epoch = { .ra_distance = 1, .granularity = 1, .num_nodes = 4 };
    epoch.metric_tbl = (hpcrun_fmt_metric_tbl_t){ 1, &metric };
    epoch.loadmap = (hpcrun_fmt_loadmap_t){ 1, &module };

    FILE *out = fopen(path, "wb");
    if (!out) return -1;
    int rc = hpcrun_fmt_hdr_fwritev(out, env, 1, "program-name", "demo", "process-id", "4711", NULL);
    if (rc == 0) rc = hpcrun_fmt_epoch_fwrite(&epoch, env, out);
    if (rc == 0) rc = hpcrun_fmt_epoch_env(&epoch, env);
    if (rc == 0) rc = write_nodes(env, out);
    return fclose(out) == 0 ? rc : -1;
}

/* Prints the nodes, each read into the same two words; returns the cost of all of them, or -1. */
static long long print_nodes(const hpcrun_fmt_epoch_t *epoch, const hpcrun_fmt_env_t *env, FILE *in)
{
    uint64_t value = 0, cost = 0;
    for (uint64_t i = 0; i < epoch->num_nodes; i++) {
        hpcrun_fmt_cct_node_t node = { .values = &value };
        if (hpcrun_fmt_cct_node_fread(&node, env, in, NULL) != 0) return -1;
        hpcrun_fmt_cct_node_fprint(&node, stdout);
        cost += value * epoch->metric_tbl.lst[0].period;
    }
    return (long long)cost;
}

static int print_file(FILE *in, hpcrun_fmt_env_t *env)
{
    hpcrun_fmt_hdr_t hdr;
    hpcrun_fmt_epoch_t epoch;
    long long cost = -1;
    int rc = hpcrun_fmt_hdr_fread(&hdr, env, in, malloc);
    if (rc == 0) {
        hpcrun_fmt_hdr_fprint(&hdr, stdout);
        rc = hpcrun_fmt_epoch_fread(&epoch, env, in, malloc);
        if (rc == 0) {
            hpcrun_fmt_epoch_fprint(&epoch, stdout);
            cost = print_nodes(&epoch, env, in);
            printf("]\ncost of all nodes: %lld\n", cost);
        }
        hpcrun_fmt_epoch_free(&epoch, free);
    }
    hpcrun_fmt_hdr_free(&hdr, free);
    return cost < 0 ? -1 : rc;
}

int main(int argc, char **argv)
{
    hpcrun_fmt_error_t error = { 0 };
    hpcrun_fmt_env_t env = { .error = &error };
    if (argc != 2) {
        fprintf(stderr, "usage: measure FILE\n");
        return 2;
    }
    if (write_file(argv[1], &env) != 0) return complain(argv[1], &error);
    FILE *in = fopen(argv[1], "rb");
    if (!in) return 1;
    int rc = print_file(in, &env);
    fclose(in);
    return rc == 0 ? 0 : complain(argv[1], &error);
}

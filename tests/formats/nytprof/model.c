/* Prints what the model holds of a NYTProf stream, as JSON: files, lines of every level, subs with their call sites, counts, attributes, and
 * the functions of the tree that the returns make. Used by figures.py.
 *
 *     nytprof_model FILE */
#include <stdio.h>

#include "assay/assay.h"
#include "base/json.h"

#define AT(column, i) ((column) ? (column)[i] : 0)
#define ID_AT(column, i) ((column) ? (column)[i].v : 0)

static const assay_profile *p;

static assay_slice text(uint32_t id) { return assay_profile_string(p, (assay_str_id){ id }); }

static void begin(struct json *j, const char *key)
{
    json_key(j, key);
    json_array(j);
}

static void print_files(struct json *j)
{
    const struct assay_files *f = assay_profile_files(p);
    begin(j, "files");
    for (uint32_t i = 1; i <= f->count; i++) {
        json_array(j);
        json_string(j, text(f->path[i].v));
        json_u64(j, ID_AT(f->parent, i));
        json_u64(j, AT(f->parent_line, i));
        json_u64(j, AT(f->flags, i));
        json_string(j, text(ID_AT(f->source, i)));
        json_end(j);
    }
    json_end(j);
}

static void print_lines(struct json *j)
{
    const struct assay_lines *t = assay_profile_lines(p);
    begin(j, "lines");
    for (uint32_t i = 0; i < t->count; i++) {
        json_array(j);
        json_u64(j, AT(t->level, i));
        json_u64(j, ID_AT(t->file, i));
        json_u64(j, AT(t->line, i));
        json_u64(j, AT(t->hits, i));
        json_i64(j, t->self ? t->self[i].i : 0);
        json_u64(j, ID_AT(t->stream, i));
        json_end(j);
    }
    json_end(j);
}

static void print_subs(struct json *j)
{
    const struct assay_funcs *f = assay_profile_funcs(p);
    begin(j, "subs");
    for (uint32_t i = 1; i <= f->count; i++) {
        json_array(j);
        json_string(j, text(f->name[i].v));
        json_u64(j, AT(f->kind, i));
        json_u64(j, ID_AT(f->file, i));
        json_u64(j, AT(f->first_line, i));
        json_u64(j, AT(f->last_line, i));
        json_end(j);
    }
    json_end(j);
}

static void print_arcs(struct json *j)
{
    const struct assay_graph *g = assay_profile_graph(p);
    begin(j, "arcs");
    for (uint32_t i = 0; i < g->arc_count; i++) {
        json_array(j);
        json_u64(j, ID_AT(g->arc_caller, i));
        json_u64(j, g->arc_callee[i].v);
        json_u64(j, ID_AT(g->arc_file, i));
        json_u64(j, AT(g->arc_line, i));
        json_u64(j, g->arc_calls[i]);
        json_double(j, g->arc_total[i].d);
        json_double(j, g->arc_self ? g->arc_self[i].d : 0);
        json_double(j, g->arc_recursive ? g->arc_recursive[i].d : 0);
        json_u64(j, AT(g->arc_depth, i));
        json_end(j);
    }
    json_end(j);
}

static void print_facts(struct json *j)
{
    const struct assay_counts *c = assay_profile_counts(p);
    const struct assay_attributes *a = assay_profile_attributes(p);
    json_key(j, "counts");
    json_object(j);
    for (uint32_t i = 0; i < c->count; i++) {
        json_key_slice(j, text(c->name[i].v));
        json_u64(j, c->value[i]);
    }
    json_end(j);
    begin(j, "attributes");
    for (uint32_t i = 0; i < a->count; i++) {
        json_array(j);
        json_u64(j, ID_AT(a->stream, i));
        json_string(j, text(a->key[i].v));
        json_string(j, text(a->value[i].v));
        json_end(j);
    }
    json_end(j);
}

static int print_tree(struct json *j, const char *path, uint32_t want, const char *key, assay_error *err)
{
    assay_profile *tree = NULL;
    assay_top *top = NULL;
    struct assay_read_options o = { .want = want };
    int rc = assay_read(path, &o, &tree, err);
    if (rc == 0) rc = assay_top_new(tree, &top, err);
    if (rc == 0) {
        const assay_profile *graph = p;
        p = tree;
        begin(j, key);
        for (uint32_t i = 0; i < top->count; i++) {
            json_array(j);
            json_string(j, text(assay_profile_funcs(tree)->name[top->func[i].v].v));
            json_u64(j, top->calls[i]);
            json_double(j, top->total[i].d);
            json_double(j, top->self[i].d);
            json_end(j);
        }
        json_end(j);
        p = graph;
    }
    assay_top_free(top);
    assay_profile_release(tree);
    return rc;
}

int main(int argc, char **argv)
{
    struct mem mem;
    struct output *out;
    struct json j;
    assay_error err = { 0 };
    assay_profile *read = NULL;
    char text_of_error[1200];
    struct assay_read_options o = { .want = ASSAY_WANT_SUMS | ASSAY_WANT_ARCS | ASSAY_WANT_LINES | ASSAY_WANT_COUNTS };
    if (argc != 2) return 2;
    int rc = assay_read(argv[1], &o, &read, &err);
    if (rc == 0) {
        p = read;
        mem_init(&mem, 0);
        rc = output_open(&out, "-", &mem, &err);
    }
    if (rc == 0) {
        json_init(&j, out);
        json_object(&j);
        print_files(&j);
        print_lines(&j);
        print_subs(&j);
        print_arcs(&j);
        print_facts(&j);
        rc = print_tree(&j, argv[1], ASSAY_WANT_TREE, "tree", &err);
        if (rc == 0) rc = print_tree(&j, argv[1], ASSAY_WANT_WHOLE, "whole", &err);
        json_end(&j);
        rc = rc ? rc : output_commit(out, &err);
    }
    assay_profile_release(read);
    if (rc == 0) return 0;
    assay_error_format(&err, text_of_error, sizeof text_of_error);
    fprintf(stderr, "%s\n", text_of_error);
    return 1;
}

/* Prints what the model holds of a file beyond what the verbs of the command show, as JSON: the calling contexts, one for each
 * invocation, figures by them, and attributes by stream. Used by facts.py.
 *
 *     model_facts FILE */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assay/assay.h"
#include "base/json.h"

struct shape {
    uint32_t invocations, roots, max_depth;
};

static struct shape measure(const struct assay_tree *t)
{
    struct shape s = { 0, 0, 0 };
    uint32_t *depth = calloc((size_t)t->count + 1, sizeof *depth);
    if (!depth) exit(1);
    for (uint32_t i = 1; i <= t->count; i++) {
        uint32_t parent = t->parent ? t->parent[i].v : 0;
        depth[i] = depth[parent] + 1;
        s.invocations++;
        s.roots += parent == 0;
        if (depth[i] > s.max_depth) s.max_depth = depth[i];
    }
    free(depth);
    return s;
}

static assay_slice func_name(const assay_profile *p, assay_func_id f) { return assay_profile_string(p, assay_profile_funcs(p)->name[f.v]); }

static assay_slice func_file(const assay_profile *p, assay_func_id f)
{
    const struct assay_funcs *u = assay_profile_funcs(p);
    const struct assay_files *files = assay_profile_files(p);
    assay_file_id file = u->file ? u->file[f.v] : (assay_file_id){ 0 };
    return file.v && files->path ? assay_profile_string(p, files->path[file.v]) : (assay_slice){ NULL, 0 };
}

static void print_values(struct json *j, const assay_profile *p, const assay_top *top, const assay_value *values, uint32_t row)
{
    const struct assay_metrics *m = assay_profile_metrics(p);
    json_object(j);
    for (uint32_t k = 0; k < top->metric_count; k++) {
        assay_metric_id id = top->metrics[k];
        json_key_slice(j, assay_profile_string(p, m->name[id.v]));
        json_value(j, m->type ? (enum assay_type)m->type[id.v] : ASSAY_U64, values[(size_t)row * top->metric_count + k]);
    }
    json_end(j);
}

static void print_rows(struct json *j, const assay_profile *p, const assay_top *top)
{
    json_key(j, "top");
    json_array(j);
    for (uint32_t i = 0; i < top->count; i++) {
        json_object(j);
        json_key(j, "name");
        json_string(j, func_name(p, top->func[i]));
        json_key(j, "file");
        json_string(j, func_file(p, top->func[i]));
        json_key(j, "calls");
        json_u64(j, top->calls[i]);
        json_key(j, "self");
        print_values(j, p, top, top->self, i);
        json_key(j, "total");
        print_values(j, p, top, top->total, i);
        json_end(j);
    }
    json_end(j);
}

static void print_tree(struct json *j, const assay_profile *p)
{
    const struct assay_tree *t = assay_profile_tree(p);
    struct shape s = measure(t);
    json_key(j, "is_whole");
    json_bool(j, t->is_whole);
    json_key(j, "invocations");
    json_u64(j, s.invocations);
    json_key(j, "roots");
    json_u64(j, s.roots);
    json_key(j, "max_depth");
    json_u64(j, s.max_depth);
    json_key(j, "root_names");
    json_array(j);
    for (uint32_t i = 1; i <= t->count; i++)
        if (!t->parent || t->parent[i].v == 0) json_string(j, func_name(p, t->func[i]));
    json_end(j);
}

static void print_attributes(struct json *j, const assay_profile *p)
{
    const struct assay_attributes *a = assay_profile_attributes(p);
    json_key(j, "streams");
    json_u64(j, assay_profile_streams(p)->count);
    json_key(j, "attributes");
    json_array(j);
    for (uint32_t i = 0; i < a->count; i++) {
        json_array(j);
        json_u64(j, a->stream ? a->stream[i].v : 0);
        json_string(j, assay_profile_string(p, a->key[i]));
        json_string(j, assay_profile_string(p, a->value[i]));
        json_end(j);
    }
    json_end(j);
}

static int fail(const assay_error *err)
{
    char text[1200];
    assay_error_format(err, text, sizeof text);
    fprintf(stderr, "%s\n", text);
    return 1;
}

int main(int argc, char **argv)
{
    struct mem mem;
    struct output *out;
    struct json j;
    assay_error err = { 0 };
    assay_profile *p = NULL;
    assay_top *top = NULL;
    struct assay_read_options o = { .want = ASSAY_WANT_WHOLE };
    if (argc != 2) return 2;
    if (assay_read(argv[1], &o, &p, &err) != 0 || assay_top_new(p, &top, &err) != 0) return fail(&err);
    mem_init(&mem, 0);
    if (output_open(&out, "-", &mem, &err) != 0) return fail(&err);
    json_init(&j, out);
    json_object(&j);
    print_tree(&j, p);
    print_rows(&j, p, top);
    print_attributes(&j, p);
    json_end(&j);
    int rc = output_commit(out, &err);
    assay_top_free(top);
    assay_profile_release(p);
    return rc ? fail(&err) : 0;
}

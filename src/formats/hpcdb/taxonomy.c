/* The columns of default.yaml; see taxonomy.h. The tree of the file is walked in the order of its nodes, so nothing recurses. */
#include "formats/hpcdb/taxonomy.h"

#include "base/folder.h"
#include "base/input.h"
#include "base/scoped.h"
#include "base/slice.h"

/* ---- inputs ---- */

static int add_input(struct hpcdb_taxonomy *t, uint32_t node, assay_error *err)
{
    const struct yaml *y = &t->yaml;
    struct hpcdb_column_input *x = vec_push(y->mem, &t->inputs);
    if (!x) return error_memory(err);
    *x = (struct hpcdb_column_input){ .metric = yaml_text(y, yaml_get(y, node, "metric")),
                                      .scope = yaml_text(y, yaml_get(y, node, "scope")),
                                      .formula = yaml_text(y, yaml_get(y, node, "formula")),
                                      .combine = yaml_text(y, yaml_get(y, node, "combine")),
                                      .node = node };
    t->number_of.at[node] = (uint32_t)t->inputs.len;
    return 0;
}

static void refuse(struct hpcdb_taxonomy *t, uint32_t node, const char *text)
{
    if (t->fault.text[0]) return;
    t->fault.line = t->yaml.nodes.at[node].line;
    memccpy(t->fault.text, text, 0, sizeof t->fault.text - 1);
}

/* The list below a key of the root. */
static uint32_t list_of(struct hpcdb_taxonomy *t, const char *key, const char *fault)
{
    uint32_t node = yaml_get(&t->yaml, 1, key);
    if (node && t->yaml.nodes.at[node].kind == YAML_LIST) return node;
    /* an empty list is written as nothing */
    if (node && yaml_text(&t->yaml, node).len) refuse(t, node, fault);
    return 0;
}

static int read_inputs(struct hpcdb_taxonomy *t, assay_error *err)
{
    const struct yaml *y = &t->yaml;
    uint32_t list = list_of(t, "inputs", "inputs are not a list");
    for (uint32_t n = y->nodes.at[list].first; list && n; n = y->nodes.at[n].next) {
        uint32_t node = yaml_real(y, n);
        if (y->nodes.at[node].kind != YAML_MAP || t->number_of.at[node])
            refuse(t, n, "an input that is not a map");
        else
            TRY(add_input(t, node, err));
    }
    return 0;
}

/* ---- roots ---- */

/* The input that a formula is, or NULL: it is computed. */
static const struct hpcdb_column_input *input_of(const struct hpcdb_taxonomy *t, uint32_t node)
{
    uint32_t number = node ? t->number_of.at[yaml_real(&t->yaml, node)] : 0;
    return number ? &t->inputs.at[number - 1] : NULL;
}

/* One side of a variant: an alias (2022), or standard and custom, each of which stands for the other where that is missing. */
static uint32_t side_of(const struct yaml *y, uint32_t formula, const char *side, const char *view)
{
    uint32_t node = yaml_get(y, formula, side), inner = yaml_get(y, node, view);
    bool has_views = yaml_get(y, node, "standard") || yaml_get(y, node, "custom");
    return has_views ? inner : node;
}

static void take_side(struct hpcdb_taxonomy *t, struct hpcdb_column_root *r, uint32_t node, assay_slice *scope)
{
    const struct hpcdb_column_input *x = input_of(t, node);
    if (!node) return;
    if (!x || (r->metric.data && !slice_equal(r->metric, x->metric)))
        r->is_computed = true;
    else {
        r->metric = x->metric;
        *scope = x->scope;
    }
}

/* Sum, else the first. */
static uint32_t variant_of(const struct yaml *y, uint32_t node)
{
    uint32_t variants = yaml_get(y, node, "variants"), sum = yaml_get(y, variants, "Sum");
    return sum || !variants || y->nodes.at[variants].kind != YAML_MAP ? sum : yaml_real(y, y->nodes.at[variants].first);
}

uint32_t hpcdb_taxonomy_formula(const struct hpcdb_taxonomy *t, const struct hpcdb_column_root *root)
{
    const struct yaml *y = &t->yaml;
    uint32_t formula = yaml_get(y, variant_of(y, root->node), "formula");
    static const char *const sides[] = { "inclusive", "exclusive" }, *const views[] = { "standard", "custom" };
    for (int i = 0; i < 4; i++) {
        uint32_t node = side_of(y, formula, sides[i / 2], views[i % 2]);
        if (node) return node;
    }
    return 0;
}

static uint64_t hash_of(assay_slice s) { return hash_bytes(s.data, s.len); }

static int add_root(struct hpcdb_taxonomy *t, uint32_t node, assay_error *err)
{
    const struct yaml *y = &t->yaml;
    struct hpcdb_column_root *r = vec_push(y->mem, &t->roots);
    if (!r) return error_memory(err);
    uint32_t formula = yaml_get(y, variant_of(y, node), "formula"), inclusive = side_of(y, formula, "inclusive", "standard");
    *r = (struct hpcdb_column_root){ .name = yaml_text(y, yaml_get(y, node, "name")),
                                     .description = yaml_text(y, yaml_get(y, node, "description")),
                                     .node = node };
    r->is_hidden = slice_is(yaml_text(y, yaml_get(y, node, "visible by default")), "false");
    take_side(t, r, inclusive ? inclusive : side_of(y, formula, "inclusive", "custom"), &r->inclusive);
    take_side(t, r, side_of(y, formula, "exclusive", "custom"), &r->custom);
    take_side(t, r, side_of(y, formula, "exclusive", "standard"), &r->exclusive);
    if (!r->metric.data) r->is_computed = true;
    if (r->is_computed || hpcdb_taxonomy_column(t, r->metric)) return 0;
    return index_add(&t->by_metric, hash_of(r->metric), (uint32_t)t->roots.len) ? 0 : error_memory(err);
}

/* A list of columns is `roots`, or `children` of a column: nodes come in the order of the file, so their parents are known. */
static bool is_column_list(const struct yaml *y, uint32_t list, uint32_t roots)
{
    const struct yaml_node *n = &y->nodes.at[list];
    return list && (list == roots || (n->kind == YAML_LIST && slice_is(n->key, "children")));
}

static int read_roots(struct hpcdb_taxonomy *t, assay_error *err)
{
    const struct yaml *y = &t->yaml;
    uint32_t roots = list_of(t, "roots", "roots are not a list");
    for (uint32_t n = roots + 1; roots && n < y->nodes.len; n++) {
        if (!is_column_list(y, y->nodes.at[n].parent, roots)) continue;
        if (y->nodes.at[n].kind != YAML_MAP)
            refuse(t, n, "a column that is not a map");
        else
            TRY(add_root(t, n, err));
    }
    return 0;
}

/* ---- the whole ---- */

int hpcdb_taxonomy_parse(struct hpcdb_taxonomy *t, assay_slice text, struct mem *mem, assay_error *err)
{
    *t = (struct hpcdb_taxonomy){ .is_there = true };
    index_init(&t->by_metric, mem);
    TRY(yaml_read(&t->yaml, mem, text, &t->fault, err));
    if (t->yaml.nodes.len < 2) return 0;
    if (!vec_reserve(mem, &t->number_of, t->yaml.nodes.len)) return error_memory(err);
    t->number_of.len = t->yaml.nodes.len;
    memset(t->number_of.at, 0, t->number_of.len * sizeof *t->number_of.at);
    if (t->yaml.nodes.at[1].kind != YAML_MAP) refuse(t, 1, "the file is not a map of version, inputs and roots");
    TRY(read_inputs(t, err));
    return read_roots(t, err);
}

int hpcdb_taxonomy_read(struct hpcdb_taxonomy *t, const char *dir, struct mem *mem, assay_error *err)
{
    char path[FOLDER_PATH_MAX];
    SCOPED(input_drop) struct input *in = NULL;
    assay_slice text = { NULL, 0 };
    assay_error cause = { 0 };
    struct input_options o = { .mem = mem, .max_output = YAML_MAX_BYTES };
    *t = (struct hpcdb_taxonomy){ .is_there = false };
    if (folder_peek(dir, HPCDB_YAML, NULL, 0) < 0 || !folder_path(path, dir, HPCDB_YAML)) return 0;
    int rc = input_open(&in, path, &o, &cause);
    if (rc == 0) rc = input_map(in, &text, &cause);
    if (rc == 0) return hpcdb_taxonomy_parse(t, text, mem, err);
    if (rc == ASSAY_ERR_MEMORY) return error_memory(err);
    /* as if it could not be parsed */
    t->is_there = true;
    memccpy(t->fault.text, cause.text, 0, sizeof t->fault.text - 1);
    return 0;
}

void hpcdb_taxonomy_done(struct hpcdb_taxonomy *t)
{
    struct mem *mem = t->yaml.mem;
    if (!mem) return;
    vec_done(mem, &t->inputs, &t->roots, &t->number_of);
    index_done(&t->by_metric);
    yaml_done(&t->yaml);
}

const struct hpcdb_column_root *hpcdb_taxonomy_column(const struct hpcdb_taxonomy *t, assay_slice metric)
{
    if (!t->roots.len) return NULL;
    for (struct index_walk w = index_walk(&t->by_metric, hash_of(metric)); index_next(&t->by_metric, &w);)
        if (slice_equal(t->roots.at[w.id - 1].metric, metric)) return &t->roots.at[w.id - 1];
    return NULL;
}

/* Folded stacks -> tree. Whether counts have fractions, and whether two numbers at the end of each line are a difference, is known only at the end:
 * until then a first number is part of the last name. */
#include "base/cancel.h"
#include "base/error.h"
#include "base/number.h"
#include "base/scoped.h"
#include "base/slice.h"
#include "base/wide.h"
#include "formats/folded/folded.h"

struct reader {
    const struct read_job *job;
    assay_builder *b;
    struct findings damage;
    struct folded_decoder d;
    struct folded_tree tree;
    bool has_single; /* a line with one number */
};

static int add_lines(struct reader *r, assay_error *err)
{
    struct folded_record rec;
    for (;;) {
        TRY(folded_next(&r->d, &rec));
        if (r->job->options->strict) TRY(findings_refuse(&r->damage, err));
        if (rec.kind == FOLDED_END) return 0;
        if (rec.kind != FOLDED_SAMPLE) continue;
        r->has_single |= !rec.has_second;
        if (!folded_tree_add(&r->tree, rec.stack, rec.count)) return error_memory(err);
    }
}

/* ---- into the model ---- */

struct columns_of_tree {
    assay_scope_id scope[2]; /* of the count; of a difference before and after */
    enum assay_type type;
    bool is_difference;
};

static assay_value value_of(enum assay_type type, struct folded_number n)
{
    return type == ASSAY_F64 ? (assay_value){ .d = (double)n.whole + n.part } : (assay_value){ .u = n.whole };
}

/* A name with its number, as many times as lines had it: what was before. */
static struct folded_number times(struct folded_number n, uint64_t lines)
{
    u128 whole = u128_product(n.whole, lines);
    return (struct folded_number){ u128_compare(whole, u128_of(INT64_MAX)) > 0 ? INT64_MAX : whole.low, n.part * (double)lines };
}

static void build_nodes(struct reader *r, const struct folded_tree *t, const struct columns_of_tree *k, const struct folded_number *before, assay_node_id *ids,
                        assay_func_id *funcs)
{
    for (size_t i = 1; i < t->nodes.len; i++) {
        const struct folded_node *node = &t->nodes.at[i];
        assay_func_id *func = &funcs[node->name];
        assay_slice name = intern_get(&t->names, node->name);
        if (!func->v) *func = assay_build_func(r->b, assay_build_string(r->b, name.data, name.len), (assay_file_id){ 0 }, (assay_module_id){ 0 }, 0, 0);
        ids[i] = assay_build_node_new(r->b, &(struct assay_node){ .parent = ids[node->parent], .relation = ASSAY_RELATION_CALL, .func = *func });
        if (!node->lines) continue;
        if (before) assay_build_value(r->b, (assay_stream_id){ 0 }, ids[i], k->scope[0], value_of(k->type, before[i]));
        assay_build_value(r->b, (assay_stream_id){ 0 }, ids[i], k->scope[before != NULL], value_of(k->type, node->count));
    }
}

static bool build_tree(struct reader *r, const struct folded_tree *t, const struct columns_of_tree *k, const struct folded_number *before)
{
    size_t node_room = t->nodes.len + 1, name_room = (size_t)intern_count(&t->names) + 1;
    assay_node_id *ids = mem_zalloc(r->job->mem, node_room, sizeof *ids);
    assay_func_id *funcs = mem_zalloc(r->job->mem, name_room, sizeof *funcs);
    bool done = ids && funcs;
    if (done) build_nodes(r, t, k, before, ids, funcs);
    mem_free(r->job->mem, ids, ids ? node_room * sizeof *ids : 0);
    mem_free(r->job->mem, funcs, funcs ? name_room * sizeof *funcs : 0);
    assay_build_count(r->b, "functions", intern_count(&t->names));
    assay_build_count(r->b, "contexts", t->nodes.len ? t->nodes.len - 1 : 0);
    return done;
}

/* The tree again, with the numbers taken off the names. A node that only had a number of its own is gone. */
static bool part_names(struct reader *r, struct folded_tree *plain, struct folded_number *before)
{
    const struct folded_tree *t = &r->tree;
    SCRATCH(uint32_t, to, r->job->mem, t->nodes.len + 1);
    SCRATCH(uint8_t, is_parent, r->job->mem, t->nodes.len + 1);
    bool done = to && is_parent;
    for (size_t i = 1; done && i < t->nodes.len && (done = !cancel_at(i)); i++) is_parent[t->nodes.at[i].parent] = 1;
    for (size_t i = 1; done && i < t->nodes.len && (done = !cancel_at(i)); i++) {
        const struct folded_node *node = &t->nodes.at[i];
        assay_slice name = intern_get(&t->names, node->name);
        if (!node->lines || is_parent[i]) done = (to[i] = folded_tree_child(plain, to[node->parent], name)) != 0;
        struct folded_number n;
        bool is_large;
        if (!done || !node->lines || !folded_cut_number(&name, &n, &is_large)) continue;
        uint32_t leaf = folded_tree_child(plain, to[node->parent], name);
        done = leaf != 0;
        if (!done) break;
        plain->nodes.at[leaf].lines += node->lines;
        folded_number_add(plain, &plain->nodes.at[leaf].count, node->count);
        folded_number_add(plain, &before[leaf], times(n, node->lines));
    }
    return done;
}

/* At most two nodes come of each. */
static bool build_difference(struct reader *r, const struct columns_of_tree *k)
{
    SCOPED(folded_tree_done) struct folded_tree plain = { 0 };
    size_t room = 2 * r->tree.nodes.len + 1;
    SCRATCH(struct folded_number, before, r->job->mem, room);
    folded_tree_init(&plain, r->job->mem);
    bool done = before && part_names(r, &plain, before) && build_tree(r, &plain, k, before);
    return done;
}

static bool differences_have_parts(const struct folded_tree *t)
{
    struct folded_number n;
    bool is_large, any = false;
    for (size_t i = 1; !any && i < t->nodes.len; i++) {
        assay_slice name = intern_get(&t->names, t->nodes.at[i].name);
        any = t->nodes.at[i].lines && folded_cut_number(&name, &n, &is_large) && n.part > 0;
    }
    return any;
}

static int build(struct reader *r, assay_error *err)
{
    static const char *const names[] = { "samples", "before", "after" };
    struct columns_of_tree k = { .is_difference = r->d.samples && !r->has_single };
    k.type = r->tree.has_part || (k.is_difference && differences_have_parts(&r->tree)) ? ASSAY_F64 : ASSAY_U64;
    for (int i = 0; i <= k.is_difference; i++) {
        assay_metric_id m = assay_build_metric(r->b, names[k.is_difference + i], "count", k.type, ASSAY_SHAPE_TREE);
        k.scope[i] = assay_build_scope(r->b, m, ASSAY_SCOPE_POINT, NULL, 0);
    }
    if (!(k.is_difference ? build_difference(r, &k) : build_tree(r, &r->tree, &k, NULL))) return error_memory(err);
    assay_build_source(r->b, "folded", "", "");
    assay_build_count(r->b, "lines", r->d.samples);
    assay_build_count(r->b, "ignored", r->d.ignored);
    assay_build_count(r->b, "comments", r->d.comments);
    assay_build_count(r->b, "stacks", r->tree.stacks);
    if (r->tree.is_saturated)
        findings_add(&r->damage, "FS03", ASSAY_WARNING, FINDING_NO_OFFSET, 0, "the sum of a stack is too large: %llu is used", (unsigned long long)INT64_MAX);
    return 0;
}

int folded_read(const struct read_job *job, assay_builder *b, assay_error *err)
{
    struct reader r = { .job = job, .b = b };
    findings_init(&r.damage, job->mem);
    folded_decoder_init(&r.d, job->in, job->mem, &r.damage, err);
    folded_tree_init(&r.tree, job->mem);
    int rc = add_lines(&r, err);
    if (rc == 0 && !r.d.samples) rc = error_set(err, ASSAY_ERR_DAMAGED, "no line ends with a count: these are not folded stacks");
    if (rc == 0) rc = build(&r, err);
    for (size_t i = 0; rc == 0 && i < r.damage.list.len; i++) assay_build_warning(b, &r.damage.list.at[i]);
    folded_tree_done(&r.tree);
    folded_decoder_done(&r.d);
    findings_done(&r.damage);
    return rc;
}

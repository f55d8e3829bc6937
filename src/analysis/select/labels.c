/* Samples by their labels as a profile: those whose labels are meant, with frames made of labels around their stacks; see select.h. */
#include "analysis/core/label_text.h"
#include "analysis/select/select.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/index.h"
#include "base/scoped.h"
#include "base/slice.h"
#include "model/entry.h"

enum { FOCUSED = 1, IGNORED = 2 };

/* A context below a root that is made of labels. */
struct moved {
    uint32_t root, node, to;
};

struct relabel {
    assay_profile *p;
    assay_builder *b;
    const struct assay_filter *f;
    const struct assay_labels *l;
    const struct assay_tree *tree;
    struct mem mem;
    struct findings found;
    uint8_t *sets; /* by set: FOCUSED, IGNORED */
    VEC(struct moved) moved;
    struct index moved_index;
    VEC(uint32_t) path;
    VEC(char) text;
};

/* ---- frames of labels ---- */

static int add_text(struct relabel *r, assay_slice s, bool is_first, assay_error *err)
{
    if (!vec_reserve(&r->mem, &r->text, s.len + 1)) return error_memory(err);
    if (!is_first) r->text.at[r->text.len++] = ',';
    if (s.len) memcpy(r->text.at + r->text.len, s.data, s.len);
    r->text.len += s.len;
    return 0;
}

/* A function whose name is the values that a set has of a key, and whose file is the key. */
static int key_func(struct relabel *r, assay_slice key, uint32_t set, assay_func_id *out, assay_error *err)
{
    bool is_first = true;
    r->text.len = 0;
    for (; set; set = r->l->set_rest[set].v) {
        uint32_t label = r->l->set_label[set].v;
        char buf[LABEL_TEXT];
        if (!slice_equal(assay_profile_string(r->p, r->l->key[label]), key)) continue;
        TRY(add_text(r, label_text(r->p, label, buf), is_first, err));
        is_first = false;
    }
    assay_file_id file = assay_build_file(r->b, assay_build_string(r->b, key.data, key.len), (assay_module_id){ 0 });
    *out = assay_build_func(r->b, assay_build_string(r->b, r->text.len ? r->text.at : "", r->text.len), file, (assay_module_id){ 0 }, 0, 0);
    return assay_builder_failed(r->b);
}

/* Frames of all keys in lists such as "K1,K2", the first one outermost, below *node. */
static int add_keys(struct relabel *r, const char *const *lists, size_t count, uint32_t set, struct assay_node *below, assay_error *err)
{
    for (size_t i = 0; i < count; i++)
        for (assay_slice rest = slice_of(lists[i]); rest.data;) {
            const char *comma = rest.len ? memchr(rest.data, ',', rest.len) : NULL;
            assay_slice key = slice_trim(comma ? slice_from(rest.data, comma) : rest);
            struct assay_node n = *below;
            TRY(key_func(r, key, set, &n.func, err));
            *below = (struct assay_node){ .parent = assay_build_node(r->b, &n), .kind = ASSAY_NODE_FUNCTION, .relation = ASSAY_RELATION_CALL };
            rest = comma ? slice_from(comma + 1, rest.data + rest.len) : (assay_slice){ NULL, 0 };
        }
    return assay_builder_failed(r->b);
}

/* ---- contexts ---- */

static uint32_t find_moved(const struct relabel *r, uint32_t root, uint32_t node)
{
    for (struct index_walk w = index_walk(&r->moved_index, hash_mix(root, node)); index_next(&r->moved_index, &w);)
        if (r->moved.at[w.id - 1].root == root && r->moved.at[w.id - 1].node == node) return r->moved.at[w.id - 1].to;
    return 0;
}

/* The context of the source below `root`: up to the nearest that is there, and down again. */
static int move_node(struct relabel *r, uint32_t root, uint32_t node, uint32_t *out, assay_error *err)
{
    uint32_t at = root;
    r->path.len = 0;
    for (uint32_t n = node; n; n = r->tree->parent[n].v) {
        uint32_t there = find_moved(r, root, n), *slot = there ? NULL : vec_push(&r->mem, &r->path);
        if (there) at = there;
        if (there) break;
        if (!slot) return error_memory(err);
        *slot = n;
    }
    for (size_t i = r->path.len; i-- > 0;) {
        uint32_t from = r->path.at[i];
        struct assay_node n = profile_copy_node(r->tree, from);
        struct moved *slot = vec_push(&r->mem, &r->moved);
        TRY(cancel_step(i, err));
        n.parent.v = at;
        if (!slot) return error_memory(err);
        at = assay_build_node(r->b, &n).v;
        *slot = (struct moved){ root, from, at };
        if (!index_add(&r->moved_index, hash_mix(root, from), (uint32_t)r->moved.len)) return error_memory(err);
    }
    *out = at;
    return assay_builder_failed(r->b);
}

/* What is innermost is called from the line that the sample is at. */
static int add_leaves(struct relabel *r, uint32_t set, uint32_t node, uint32_t *to, assay_error *err)
{
    struct assay_node below = { .parent = { *to }, .kind = ASSAY_NODE_FUNCTION, .relation = ASSAY_RELATION_CALL };
    if (!r->f->tag_leaf_count) return 0;
    if (node && AT(r->tree->kind, node) == ASSAY_NODE_LINE) {
        below.line = AT(r->tree->line, node);
        below.file.v = ID(r->tree->file, node);
    }
    TRY(add_keys(r, r->f->tag_leaf, r->f->tag_leaf_count, set, &below, err));
    *to = below.parent.v;
    return 0;
}

static int add_sample(struct relabel *r, uint32_t i, assay_error *err)
{
    uint32_t node = r->l->sample_node[i].v, set = ID(r->l->sample_set, i), to = node;
    uint8_t state = r->sets[set];
    if ((r->f->tag_focus_count && !(state & FOCUSED)) || state & IGNORED) return 0;
    if (r->f->tag_root_count || r->f->tag_leaf_count) {
        struct assay_node root = { .kind = ASSAY_NODE_FUNCTION, .relation = ASSAY_RELATION_CALL };
        TRY(add_keys(r, r->f->tag_root, r->f->tag_root_count, set, &root, err));
        TRY(move_node(r, root.parent.v, node, &to, err));
        TRY(add_leaves(r, set, node, &to, err));
    }
    assay_build_sample(r->b, (assay_stream_id){ ID(r->l->sample_stream, i) }, (assay_node_id){ to }, (assay_set_id){ set },
                       r->l->sample_self + (size_t)i * r->l->block.metric_count);
    return assay_builder_failed(r->b);
}

/* ---- the profile ---- */

static int copy_metrics(struct relabel *r, assay_error *err)
{
    const struct assay_block *block = &r->l->block;
    const struct assay_metrics *m = assay_profile_metrics(r->p);
    SCRATCH(assay_metric_id, list, &r->mem, (size_t)block->metric_count + 1);
    if (!list) return error_memory(err);
    for (uint32_t k = 0; k < block->metric_count; k++) {
        uint32_t id = block->metrics[k].v;
        assay_slice name = assay_profile_string(r->p, m->name[id]);
        enum assay_type type = (enum assay_type)AT(m->type, id);
        list[k] = assay_build_metric(r->b, name.data, assay_profile_string(r->p, (assay_str_id){ ID(m->unit, id) }).data, type, ASSAY_SHAPE_TREE);
        builder_copy_metric(r->b, list[k], r->p, id);
        select_state_whole(r->b, name, type, m->total ? m->total[id] : (assay_wide){ 0, 0 }, AT(m->total_double, id));
    }
    assay_build_sample_metrics(r->b, list, block->metric_count);
    return assay_builder_failed(r->b);
}

static int copy_nodes(struct relabel *r, assay_error *err)
{
    for (uint32_t i = 1; i <= r->tree->count; i++) {
        struct assay_node n = profile_copy_node(r->tree, i);
        TRY(cancel_step(i, err));
        assay_build_node_new(r->b, &n);
    }
    return 0;
}

static int fill(struct relabel *r, assay_error *err)
{
    const struct assay_filter *f = r->f;
    size_t streams = assay_profile_streams(r->p)->count;
    if (!r->l->sample_count) FAIL(err, ASSAY_ERR_UNSUPPORTED, "has no labels of samples to select by");
    SCRATCH(uint8_t, sets, &r->mem, (size_t)r->l->set_count + 1);
    SCRATCH(uint32_t, itself, &r->mem, streams + 1);
    if (!sets || !itself) return error_memory(err);
    r->sets = sets;
    TRY(select_tags(r->p, f->tag_focus, f->tag_focus_count, FOCUSED, r->sets, &r->found, &r->mem, err));
    TRY(select_tags(r->p, f->tag_ignore, f->tag_ignore_count, IGNORED, r->sets, &r->found, &r->mem, err));
    profile_copy_names(r->p, r->b);
    for (uint32_t i = 1; i <= streams; i++) {
        profile_copy_stream(r->p, r->b, i);
        itself[i] = i;
    }
    profile_copy_facts(r->p, r->b, itself);
    for (size_t i = 0; i < r->found.list.len; i++) assay_build_warning(r->b, &r->found.list.at[i]);
    TRY(copy_metrics(r, err));
    profile_copy_table(r->p, r->b, SCHEMA_T_LABELS);
    profile_copy_table(r->p, r->b, SCHEMA_T_LABEL_SETS);
    if (!f->tag_root_count && !f->tag_leaf_count) TRY(copy_nodes(r, err));
    for (uint32_t i = 0; i < r->l->sample_count; i++) {
        TRY(cancel_step(i, err));
        TRY(add_sample(r, i, err));
    }
    return assay_builder_failed(r->b);
}

int select_labels(assay_profile *p, const struct assay_filter *filter, assay_profile **out, assay_error *err)
{
    struct relabel r = { .p = p, .f = filter, .l = assay_profile_labels(p), .tree = assay_profile_tree(p) };
    mem_init(&r.mem, (size_t)filter->max_memory);
    index_init(&r.moved_index, &r.mem);
    findings_init(&r.found, &r.mem);
    r.b = assay_builder_new(&(struct assay_build_options){ .want = ASSAY_WANT_ALL, .max_memory = filter->max_memory }, err);
    int rc = r.b ? fill(&r, err) : err->code;
    vec_done(&r.mem, &r.moved, &r.path, &r.text);
    index_done(&r.moved_index);
    findings_done(&r.found);
    if (!r.b) return rc;
    if (rc == 0 || assay_builder_failed(r.b)) {
        *out = assay_builder_seal(r.b, err);
        return *out ? 0 : err->code;
    }
    assay_builder_free(r.b);
    return rc;
}

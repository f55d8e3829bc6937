/* See top_labels.h. */
#include "analysis/core/top_labels.h"

#include <stdio.h>

#include "analysis/core/label_text.h"
#include "analysis/core/profile_copy.h"
#include "assay/build.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/scoped.h"
#include "base/slice.h"
#include "model/entry.h"

struct tagging {
    const assay_profile *p;
    const struct assay_labels *l;
    assay_builder *b;
    const char *key;
    struct mem mem;
    uint32_t *node;  /* by label: its row; [0] = of samples without the key */
    uint8_t *is_key; /* by label */
};

static int refuse(const struct tagging *t, assay_error *err)
{
    char list[300] = "";
    size_t used = 0;
    for (uint32_t i = 1; i <= t->l->count && used < sizeof list - 1; i++) {
        assay_slice key = assay_profile_string(t->p, t->l->key[i]);
        bool is_new = true;
        for (uint32_t k = 1; k < i && k <= 1000 && is_new; k++) is_new = t->l->key[k].v != t->l->key[i].v;
        if (!is_new || i > 1000) continue;
        int n = snprintf(list + used, sizeof list - used, "%s%.*s", used ? ", " : "", (int)(key.len < 60 ? key.len : 60), key.data);
        used += n > 0 ? (size_t)n : 0;
    }
    FAIL(err, ASSAY_ERR_USAGE, "no sample has a label '%.60s'; there are %s", t->key, list);
}

static int find_key(struct tagging *t, assay_error *err)
{
    bool is_there = false;
    if (!t->l->sample_count) FAIL(err, ASSAY_ERR_UNSUPPORTED, "has no labels of samples");
    t->node = mem_zalloc(&t->mem, (size_t)t->l->count + 1, sizeof *t->node);
    t->is_key = mem_zalloc(&t->mem, (size_t)t->l->count + 1, 1);
    if (!t->node || !t->is_key) return error_memory(err);
    for (uint32_t i = 1; i <= t->l->count; i++) {
        TRY(cancel_step(i, err));
        t->is_key[i] = slice_is(assay_profile_string(t->p, t->l->key[i]), t->key);
        is_there |= t->is_key[i];
    }
    return is_there ? 0 : refuse(t, err);
}

/* The row of a label, 0 = of samples without the key. */
static assay_node_id row_of(struct tagging *t, uint32_t label)
{
    char buf[LABEL_TEXT], none[120];
    if (!t->node[label]) {
        snprintf(none, sizeof none, "<without %.100s>", t->key);
        assay_slice name = label ? label_text(t->p, label, buf) : slice_of(none);
        assay_func_id func = assay_build_func(t->b, assay_build_string(t->b, name.data, name.len), (assay_file_id){ 0 }, (assay_module_id){ 0 }, 0, 0);
        t->node[label] = assay_build_node(t->b, &(struct assay_node){ .func = func, .kind = ASSAY_NODE_FUNCTION }).v;
    }
    return (assay_node_id){ t->node[label] };
}

static void add_sample(struct tagging *t, uint32_t i)
{
    const assay_value *values = t->l->sample_self + (size_t)i * t->l->block.metric_count;
    bool is_there = false;
    for (uint32_t set = ID(t->l->sample_set, i); set; set = t->l->set_rest[set].v) {
        uint32_t label = t->l->set_label[set].v;
        if (!t->is_key[label]) continue;
        assay_build_sample(t->b, (assay_stream_id){ 0 }, row_of(t, label), (assay_set_id){ 0 }, values);
        is_there = true;
    }
    if (!is_there) assay_build_sample(t->b, (assay_stream_id){ 0 }, row_of(t, 0), (assay_set_id){ 0 }, values);
}

static int copy_metrics(struct tagging *t, assay_error *err)
{
    SCRATCH(assay_metric_id, list, &t->mem, (size_t)t->l->block.metric_count + 1);
    if (!list) return error_memory(err);
    profile_copy_metrics(t->p, t->b, &t->l->block, ASSAY_SHAPE_TREE, list);
    assay_build_sample_metrics(t->b, list, t->l->block.metric_count);
    return assay_builder_failed(t->b);
}

static int fill(struct tagging *t, assay_error *err)
{
    size_t streams = (size_t)assay_profile_streams(t->p)->count + 1;
    TRY(find_key(t, err));
    SCRATCH(uint32_t, none, &t->mem, streams);
    if (!none) return error_memory(err);
    for (size_t i = 1; i < streams; i++) none[i] = PROFILE_COPY_NONE;
    profile_copy_facts(t->p, t->b, none);
    TRY(copy_metrics(t, err));
    for (uint32_t i = 0; i < t->l->sample_count; i++) {
        TRY(cancel_step(i, err));
        add_sample(t, i);
    }
    return assay_builder_failed(t->b);
}

int top_labels_profile(const assay_profile *p, const char *key, uint64_t max_memory, assay_profile **out, assay_error *err)
{
    struct tagging t = { .p = p, .l = assay_profile_labels(p), .key = key };
    mem_init(&t.mem, (size_t)max_memory);
    t.b = assay_builder_new(&(struct assay_build_options){ .want = ASSAY_WANT_TREE, .max_memory = max_memory }, err);
    int rc = t.b ? fill(&t, err) : err->code;
    mem_free(&t.mem, t.node, t.node ? ((size_t)t.l->count + 1) * sizeof *t.node : 0);
    mem_free(&t.mem, t.is_key, t.is_key ? (size_t)t.l->count + 1 : 0);
    if (!t.b) return rc;
    if (rc == 0 || assay_builder_failed(t.b)) {
        *out = assay_builder_seal(t.b, err);
        return *out ? 0 : err->code;
    }
    assay_builder_free(t.b);
    return rc;
}

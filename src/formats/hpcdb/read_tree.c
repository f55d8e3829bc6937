/* The context tree of meta.db -> nodes, contexts that only have values -> nodes without a place, trace.db -> events. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/cancel.h"
#include "base/scoped.h"
#include "formats/hpcdb/read.h"

/* ---- contexts ---- */

static uint32_t unknown_function(struct hpcdb_reader *r)
{
    static const char name[] = "<unknown function>";
    if (!r->unknown) {
        assay_func_id f = assay_build_func_new(r->b, assay_build_string(r->b, name, sizeof name - 1), (assay_file_id){ 0 }, (assay_module_id){ 0 }, 0, 0);
        assay_build_func_kind(r->b, f, ASSAY_FUNC_PLACEHOLDER, 0);
        r->unknown = f.v;
    }
    return r->unknown;
}

/* An instruction that is called stands for a function nobody knows the name of. */
static uint32_t called_instruction(struct hpcdb_reader *r, const struct hpcdb_context *c)
{
    struct hpcdb_path m = { .path = SLICE("") };
    char text[1200];
    if (c->module == HPCDB_NONE) return unknown_function(r);
    hpcdb_module_at(r->db, c->module, &m);
    snprintf(text, sizeof text, "%.1000s+0x%" PRIx64, m.path.data ? m.path.data : "", c->offset);
    assay_str_id name = assay_build_string(r->b, text, strlen(text));
    return assay_build_func(r->b, name, (assay_file_id){ 0 }, (assay_module_id){ r->modules.at[c->module] }, c->offset, 0).v;
}

static uint32_t entry_function(struct hpcdb_reader *r, const struct hpcdb_context *c)
{
    assay_str_id name = assay_build_string(r->b, c->name.data ? c->name.data : "", c->name.len);
    assay_func_id f = assay_build_func_new(r->b, name, (assay_file_id){ 0 }, (assay_module_id){ 0 }, 0, 0);
    assay_build_func_kind(r->b, f, ASSAY_FUNC_PLACEHOLDER, c->entry_point);
    return f.v;
}

static uint8_t kind_of(const struct hpcdb_context *c)
{
    static const uint8_t kinds[] = { ASSAY_NODE_FUNCTION, ASSAY_NODE_LOOP, ASSAY_NODE_LINE, ASSAY_NODE_INSTRUCTION };
    if (c->is_entry) return ASSAY_NODE_ENTRY;
    if (c->lexical == 0 && c->relation == 2) return ASSAY_NODE_INLINED;
    return c->lexical < sizeof kinds ? kinds[c->lexical] : ASSAY_NODE_OTHER;
}

static uint32_t func_of(struct hpcdb_reader *r, const struct hpcdb_context *c)
{
    if (c->is_entry) return entry_function(r, c);
    if (c->lexical == 0) return c->function != HPCDB_NONE ? r->functions.at[c->function] : unknown_function(r);
    if (c->lexical == 3 && (c->relation == 1 || c->relation == 2)) return called_instruction(r, c);
    return 0;
}

static uint32_t add_node(struct hpcdb_reader *r, const struct hpcdb_context *c)
{
    struct assay_node n = { .parent = { c->parent },
                            .kind = kind_of(c),
                            .relation = c->relation < ASSAY_RELATION_OTHER ? c->relation : ASSAY_RELATION_OTHER,
                            .func = { func_of(r, c) },
                            .file = { c->file != HPCDB_NONE ? r->files.at[c->file] : 0 },
                            .line = c->line,
                            .module = { c->module != HPCDB_NONE ? r->modules.at[c->module] : 0 },
                            .offset = c->offset,
                            .origin = c->id };
    return assay_build_node_new(r->b, &n).v;
}

/* ---- ids that are used twice ---- */

struct refused {
    struct hpcdb_reader *r;
    struct hpcdb_numbers numbers;
    bool failed;
};

static void refuse_id(void *arg, uint32_t number, uint32_t id)
{
    struct refused *x = arg;
    (void)id;
    uint32_t *slot = vec_push(x->r->mem, &x->numbers);
    if (slot)
        *slot = number;
    else
        x->failed = true;
}

/* Goes through the tree once more to say where they stand. */
static int say_refused(struct hpcdb_reader *r, const struct refused *x, assay_error *err)
{
    struct hpcdb quiet = *r->db;
    SCOPED(hpcdb_walk_done) struct hpcdb_walk w = { 0 };
    struct hpcdb_context c;
    uint32_t number = 0;
    quiet.say = hpcdb_be_silent;
    TRY(hpcdb_walk_init(&w, &quiet, r->mem, err));
    for (size_t i = 0; i < x->numbers.len && hpcdb_walk_next(&w, &c);) {
        if (++number != x->numbers.at[i]) continue;
        hpcdb_say(r->db, HPCDB_META, c.id ? "H076" : "H075", ASSAY_ERROR, c.off + 0x10, c.id ? "context id %u is used twice" : "context id %u", c.id);
        i++;
    }
    return w.failed ? error_memory(err) : 0;
}

static int settle_ids(struct hpcdb_reader *r, assay_error *err)
{
    struct refused x = { .r = r };
    vec_scoped(r->mem, &x.numbers);
    if (!hpcdb_ids_settle(&r->store->nodes, refuse_id, &x) || x.failed) return error_memory(err);
    return x.numbers.len ? say_refused(r, &x, err) : 0;
}

static int read_contexts(struct hpcdb_reader *r, assay_error *err)
{
    SCOPED(hpcdb_walk_done) struct hpcdb_walk w = { 0 };
    struct hpcdb_context c;
    int rc = hpcdb_walk_init(&w, r->db, r->mem, err);
    while (rc == 0 && hpcdb_walk_next(&w, &c) && (rc = cancel_step(r->contexts, err)) == 0) {
        w.mark = add_node(r, &c);
        rc = hpcdb_ids_put(&r->store->nodes, c.id) ? assay_builder_failed(r->b) : error_memory(err);
        r->contexts++;
        r->entries += c.is_entry;
    }
    if (w.failed) rc = error_memory(err);
    return rc ? rc : settle_ids(r, err);
}

/* ---- hidden contexts ---- */

/* How many values cct.db has of it. */
static void count_ctx(struct hpcdb_reader *r, uint32_t id, struct hpcdb_ctx *c)
{
    hpcdb_ctx_head(r->db, id, c);
    if (c->is_ok) r->cct_values += c->value_count;
}

static inline bool is_hidden(const struct hpcdb_reader *r, uint32_t id) { return id != 0 && id != HPCDB_NONE && !hpcdb_ids_find(&r->store->nodes, id); }

static int add_hidden(struct hpcdb_reader *r, uint32_t id, assay_error *err)
{
    bool is_new;
    struct assay_node n = { .kind = ASSAY_NODE_INSTRUCTION, .flags = ASSAY_NODE_NO_PLACE, .origin = id };
    assay_build_node_new(r->b, &n);
    r->hidden++;
    if (!hpcdb_ids_add(&r->store->nodes, id, &is_new)) return error_memory(err);
    return assay_builder_failed(r->b);
}

/* Ids with values that are not in the tree, ascending: those of the summary and those of cct.db, which together are all that a thread can have. */
static int read_hidden(struct hpcdb_reader *r, assay_error *err)
{
    struct hpcdb_profile p = { .n_ctxs = 0 };
    struct hpcdb_ctx c;
    if (r->db->profiles.count) hpcdb_profile_at(r->db, 0, &p);
    r->summary_ctxs = p.n_ctxs;
    r->summary_values = p.is_ok ? p.value_count : 0;
    struct hpcdb_indices w = { .next = 0 };
    struct hpcdb_index x = { .id = 0 };
    bool has = hpcdb_indices_next(&p, &w, &x);
    for (uint32_t id = 0; id < r->db->ctxs.count; id++) {
        TRY(cancel_step(id, err));
        for (; has && x.id <= id; has = hpcdb_indices_next(&p, &w, &x))
            if (is_hidden(r, x.id)) TRY(add_hidden(r, x.id, err));
        count_ctx(r, id, &c);
        if (c.value_count && is_hidden(r, id)) TRY(add_hidden(r, id, err));
    }
    for (; has; has = hpcdb_indices_next(&p, &w, &x))
        if (is_hidden(r, x.id)) TRY(add_hidden(r, x.id, err));
    return 0;
}

int hpcdb_read_tree(struct hpcdb_reader *r, assay_error *err)
{
    if (!hpcdb_ids_init(&r->store->nodes, &r->store->mem, r->db->ctxs.count)) return error_memory(err);
    TRY(read_contexts(r, err));
    if (!r->db->is_single) return read_hidden(r, err);
    /* without names a file of values has counts only */
    struct hpcdb_ctx c;
    for (uint32_t id = 0; id < r->db->ctxs.count; id++) count_ctx(r, id, &c);
    return 0;
}

/* ---- traces ---- */

static void read_trace(struct hpcdb_reader *r, struct hpcdb_trace *t)
{
    assay_stream_id stream = { t->profile };
    if (t->profile == 0 || t->profile >= r->db->profiles.count) {
        hpcdb_say(r->db, HPCDB_TRACE, "H144", ASSAY_ERROR, t->off, "there is no thread profile %u", t->profile);
        return;
    }
    assay_build_timeline_stream(r->b, stream, "ns", false);
    uint64_t count, off = t->start;
    for (uint64_t i = 0; i < t->count && !assay_builder_failed(r->b); i += count) {
        count = t->count - i;
        const unsigned char *at = hpcdb_samples(t, i, &count);
        for (uint64_t k = 0; k < count; k++, at += HPCDB_SAMPLE_LEN, off += HPCDB_SAMPLE_LEN) {
            uint32_t ctx = bytes_u32le(at + 8), node = ctx ? hpcdb_ids_find(&r->store->nodes, ctx) : 0;
            if (ctx && !node) hpcdb_say(r->db, HPCDB_TRACE, "H148", ASSAY_ERROR, off + 8, "context %u is not in the tree: shown as idle", ctx);
            assay_build_event(r->b, stream, (int64_t)bytes_u64le(at), 0, (assay_node_id){ node }, NULL);
        }
    }
}

int hpcdb_read_traces(struct hpcdb_reader *r, assay_error *err)
{
    struct hpcdb_trace t;
    bool is_wanted = assay_builder_want(r->b) & ASSAY_WANT_TIMELINE && !r->db->is_single;
    (void)err;
    for (uint32_t i = 0; i < r->db->traces.count; i++) {
        hpcdb_trace_at(r->db, i, &t);
        r->samples += t.count;
        if (is_wanted) read_trace(r, &t);
    }
    return assay_builder_failed(r->b);
}

/* One profile of a measurement directory: its nodes become contexts of the common tree, its values their cost; see measure.h. */
#include <stdio.h>

#include "base/cancel.h"
#include "base/scoped.h"
#include "formats/hpcrun/hpcrun-measurements/measure.h"
#include "model/column.h"

struct reader {
    struct measure *m;
    const struct measure_file *file;
    struct measure_opened *opened;
    assay_stream_id stream;
    struct hpcrun_decoder d;
    struct hpcrun_modules modules;
    struct measure_nodes nodes;
    struct hpcrun_span values;
    VEC(assay_slice) kinds; /* names by kind number */
    uint32_t tuple_prefix;
    bool is_thread; /* an old profile, and not of the first thread */
    bool has_tuple;
    bool has_gpu_code; /* some node's call path is not known */
    bool was_demoted, has_unknown_module;
};

static int warn(struct reader *r, const char *rule, int severity, uint64_t off, const char *text, assay_error *err)
{
    struct hpcrun_damage d = { .rule = rule, .severity = severity };
    snprintf(d.message, sizeof d.message, "%s", text);
    return measure_warn(r->m, r->file->name, &d, off, err);
}

/* ---- contexts ---- */

/* Only totals are wanted: nodes are still looked at for damage, but no context is built. */
enum { SOMETHING = 1 };
static bool is_brief(const struct reader *r) { return r->m->metrics.totals_only; }

static struct expand_context same(assay_node_id node) { return (struct expand_context){ node, node }; }

/* Where stacks begin, numbered and named as in a database. */
enum entry { ENTRY_UNKNOWN = 0, ENTRY_MAIN = 1, ENTRY_THREAD = 2 };

static assay_node_id entry(struct reader *r, enum entry which)
{
    if (is_brief(r)) return (assay_node_id){ SOMETHING };
    static const char *const names[] = { "unknown entry", "main thread", "application thread" };
    return expand_entry(&r->m->expand, names[which], which, which == ENTRY_UNKNOWN ? ASSAY_NODE_CALL_UNKNOWN : 0);
}

static assay_node_id called(struct reader *r, assay_node_id parent, const char *name, uint64_t number)
{
    return is_brief(r) ? (assay_node_id){ SOMETHING } : expand_called(&r->m->expand, parent, name, number);
}

static assay_node_id unknown(struct reader *r, assay_node_id parent) { return parent.v ? called(r, parent, EXPAND_UNKNOWN, 0) : entry(r, ENTRY_UNKNOWN); }

/* Code and placeholders right below the root have lost their beginning; those of old profiles never had one. */
static int begin_stack(struct reader *r, uint64_t off, assay_node_id *parent, assay_error *err)
{
    if (parent->v) return 0;
    if (r->d.file.variant != HPCRUN_04B) {
        *parent = entry(r, r->is_thread ? ENTRY_THREAD : ENTRY_MAIN);
        return 0;
    }
    *parent = entry(r, ENTRY_UNKNOWN);
    if (r->was_demoted) return 0;
    r->was_demoted = true;
    return warn(r, "HRW07", ASSAY_WARNING, off, "code directly below the root: shown below \"unknown entry\"", err);
}

static int placeholder_context(struct reader *r, const struct hpcrun_node *n, uint64_t off, assay_node_id parent, struct expand_context *out, assay_error *err)
{
    char text[32];
    const char *name;
    if (n->ip == HPCRUN_PLACEHOLDER("^Primary") || n->ip == HPCRUN_PLACEHOLDER("NoActvty"))
        *out = same((assay_node_id){ 0 });
    else if (n->ip == HPCRUN_PLACEHOLDER("^Partial") || n->ip == HPCRUN_PLACEHOLDER("*Unnorm "))
        *out = same(unknown(r, parent));
    else if (!parent.v && n->ip == HPCRUN_PLACEHOLDER("| Main  "))
        *out = same(entry(r, ENTRY_MAIN));
    else if (!parent.v && n->ip == HPCRUN_PLACEHOLDER("| Thread"))
        *out = same(entry(r, ENTRY_THREAD));
    else {
        TRY(begin_stack(r, off, &parent, err));
        name = hpcrun_placeholder_name(n->ip);
        if (!name || !*name) {
            text[hpcrun_placeholder_text(n->ip, text)] = '\0';
            name = text;
        }
        *out = same(called(r, parent, name, n->ip));
    }
    return 0;
}

/* Versions before 04.00: address 0 is the root of complete unwinds, 1 that of partial ones. */
static int old_root_context(struct reader *r, const struct hpcrun_node *n, assay_node_id parent, struct expand_context *out)
{
    if (n->ip == 0 && !parent.v)
        *out = same((assay_node_id){ 0 });
    else
        *out = same(unknown(r, parent));
    return 0;
}

static int lost_module(struct reader *r, const struct hpcrun_node *n, uint64_t off, assay_node_id parent, struct expand_context *out, assay_error *err)
{
    char text[64];
    snprintf(text, sizeof text, "node %u names unknown load module %u", n->id, n->module);
    *out = same(unknown(r, parent));
    if (r->has_unknown_module) return 0;
    r->has_unknown_module = true;
    return warn(r, "HRC11", ASSAY_ERROR, off, text, err);
}

static int gpu_context(struct reader *r, const struct hpcrun_node *n, uint64_t off, assay_node_id parent, struct expand_context *out, assay_error *err)
{
    char name[48];
    if (n->module == HPCRUN_LM_GPU_ROOT) {
        *out = same((assay_node_id){ 0 });
        return 0;
    }
    TRY(begin_stack(r, off, &parent, err));
    snprintf(name, sizeof name, "<gpu %s %llu>", n->module == HPCRUN_LM_GPU_RANGE ? "range" : "context", (unsigned long long)n->ip);
    *out = same(called(r, parent, name, 0));
    return 0;
}

/* Code in a module with a call graph is noted; when nobody knows how it got there, its contexts are built at the end of the profile. */
static int code_context(struct reader *r, const struct hpcrun_lm *lm, const struct hpcrun_node *n, uint64_t address, assay_node_id parent,
                        struct measure_node *out, assay_error *err)
{
    struct measure *m = r->m;
    bool is_unwound = (n->flags & HPCRUN_UNWOUND) != 0, has_calls = false;
    if (is_brief(r)) {
        out->context = same((assay_node_id){ SOMETHING });
        return 0;
    }
    if (!is_unwound || r->has_gpu_code) TRY(rebuild_has_calls(&m->rebuild, lm->owned, &has_calls, err));
    if (has_calls) TRY(rebuild_point(&m->rebuild, parent, lm->owned, address, !is_unwound, &out->point, err));
    out->context = same(parent);
    if (has_calls && !is_unwound) return 0;
    if (!is_unwound && m->expand.symbols) parent = called(r, parent, EXPAND_UNKNOWN, 0);
    return expand_address(&m->expand, parent, lm->owned, address, is_unwound, &out->context, err);
}

static int context_of(struct reader *r, const struct hpcrun_node *n, uint64_t off, assay_node_id parent, struct measure_node *node, assay_error *err)
{
    struct expand_context *out = &node->context;
    bool by_address = r->d.file.variant == HPCRUN_02_LITERAL || r->d.file.variant == HPCRUN_02_2009;
    if (!by_address && n->module == HPCRUN_LM_PLACEHOLDER)
        return r->d.file.variant == HPCRUN_04B ? placeholder_context(r, n, off, parent, out, err) : old_root_context(r, n, parent, out);
    if (by_address && n->ip <= 1) return old_root_context(r, n, parent, out);
    if (!by_address && n->module >= HPCRUN_LM_GPU_CONTEXT && n->module <= HPCRUN_LM_GPU_ROOT) return gpu_context(r, n, off, parent, out, err);
    const struct hpcrun_lm *lm = by_address ? hpcrun_modules_at(&r->modules, n->ip) : hpcrun_modules_find(&r->modules, n->module);
    if (!lm) return lost_module(r, n, off, parent, out, err);
    TRY(begin_stack(r, off, &parent, err));
    return code_context(r, lm, n, by_address ? n->ip - lm->shift : n->ip, parent, node, err);
}

/* ---- nodes ---- */

/* The context of a node's parent; false = there is no such node. */
static bool find_parent(struct reader *r, const struct hpcrun_node *n, assay_node_id *out)
{
    uint32_t id = n->raw_parent > INT32_MAX && r->d.file.variant != HPCRUN_04B ? 0 - n->raw_parent : n->raw_parent;
    *out = (assay_node_id){ 0 };
    if (id == 0) return true;
    const struct hpcrun_slot *slot = hpcrun_ids_find(&r->nodes.ids, id);
    if (slot) *out = r->nodes.list.at[slot->node - 1].context.full;
    return slot != NULL;
}

static int add_node(struct reader *r, const struct hpcrun_node *n, uint64_t off, assay_error *err)
{
    char text[80];
    assay_node_id parent;
    if (n->id == 0 || hpcrun_ids_find(&r->nodes.ids, n->id)) {
        snprintf(text, sizeof text, n->id ? "node %u appears twice" : "node id %u is reserved", n->id);
        return warn(r, "HRC10", ASSAY_ERROR, off, text, err);
    }
    bool has_parent = find_parent(r, n, &parent);
    if (!has_parent) {
        snprintf(text, sizeof text, "parent %u of node %u not seen before", n->raw_parent, n->id);
        TRY(warn(r, "HRC10", ASSAY_ERROR, off, text, err));
        parent = entry(r, ENTRY_UNKNOWN);
    }
    struct measure_node *node = vec_push(r->m->mem, &r->nodes.list);
    struct hpcrun_slot *slot = node ? hpcrun_ids_add(&r->nodes.ids, n->id) : NULL;
    if (!slot) return error_memory(err);
    slot->node = (uint32_t)r->nodes.list.len;
    node->point = 0;
    return context_of(r, n, off, parent, node, err);
}

/* ---- values ---- */

static int add_value(struct reader *r, const struct measure_node *node, uint32_t k, uint64_t bits, assay_error *err)
{
    struct measure *m = r->m;
    const struct hpcrun_table_row *row = &m->metrics.table.at[k];
    const struct expand_context *context = &node->context;
    assay_value value;
    if (!hpcrun_metrics_value(&m->metrics, row, r->stream, bits, &value) || !hpcrun_metrics_builds(&m->metrics, row)) return 0;
    if (node->point && !rebuild_value(&m->rebuild, &m->metrics, node->point, k, value)) return error_memory(err);
    if (node->point && m->rebuild.points.at[node->point - 1].is_lost) return 0;
    assay_build_value(m->b, r->stream, row->to_procedure ? context->called : context->full, row->scope, value);
    return 0;
}

static int add_dense(struct reader *r, const struct hpcrun_span *span, const struct hpcrun_node *n, assay_error *err)
{
    const struct hpcrun_slot *slot = hpcrun_ids_find(&r->nodes.ids, n->id);
    for (uint32_t k = 0; slot && k < span->value_count && k < r->m->metrics.table.len; k++)
        TRY(add_value(r, &r->nodes.list.at[slot->node - 1], k, hpcrun_dense(span, n, k), err));
    return 0;
}

static int read_nodes(struct reader *r, const struct hpcrun_span *span, assay_error *err)
{
    r->nodes.list.len = 0;
    if (!hpcrun_modules_settle(&r->modules) || !hpcrun_ids_begin(&r->nodes.ids, span)) return error_memory(err);
    r->m->node_count += span->count;
    r->has_gpu_code = false;
    for (uint64_t i = 0; span->flags_at && !r->has_gpu_code && i < span->count; i++)
        r->has_gpu_code = !(span->at[i * span->stride + span->flags_at] & HPCRUN_UNWOUND);
    for (uint64_t i = 0; i < span->count; i++) {
        TRY(cancel_step(i, err));
        struct hpcrun_node n;
        hpcrun_node_at(span, i, &n);
        TRY(add_node(r, &n, hpcrun_item_off(span, i), err));
        if (n.values) TRY(add_dense(r, span, &n, err));
    }
    return 0;
}

/* The values of one node in a sparse profile. */
struct values_of {
    uint64_t first, end;
    uint32_t node; /* in r->nodes.list */
};

/* Values of a node end where those of the next one begin. */
static int list_values(struct reader *r, const struct hpcrun_span *span, struct values_of *list, size_t *count, assay_error *err)
{
    struct hpcrun_index at, next;
    hpcrun_index_at(span, 0, &at);
    for (uint64_t i = 0; i + 1 < span->count; i++, at = next) {
        hpcrun_index_at(span, i + 1, &next);
        const struct hpcrun_slot *slot = hpcrun_ids_find(&r->nodes.ids, at.node);
        if (at.first > next.first || next.first > r->values.count)
            TRY(warn(r, "HRC15", ASSAY_ERROR, hpcrun_item_off(span, i + 1), "value index not ascending, or past the values", err));
        else if (!slot)
            TRY(warn(r, "HRC14", ASSAY_ERROR, hpcrun_item_off(span, i), "values for a node that is not in the tree", err));
        else
            list[(*count)++] = (struct values_of){ at.first, next.first, slot->node - 1 };
        TRY(cancel_step(i, err));
    }
    return 0;
}

/* Places in the list by context, with the context in the upper half: the builder wants values in this order, and keeps those that come late apart. */
static bool order_values(struct reader *r, const struct values_of *list, uint64_t *order, size_t count)
{
    for (size_t i = 0; i < count; i++) order[i] = (uint64_t)r->nodes.list.at[list[i].node].context.full.v << 32 | i;
    return is_brief(r) || radix_sort(r->m->mem, order, NULL, count, 32);
}

static int add_values(struct reader *r, const struct values_of *list, const uint64_t *order, size_t count, bool *has_bad, assay_error *err)
{
    struct hpcrun_value value;
    for (size_t i = 0; i < count; i++) {
        const struct values_of *at = &list[(uint32_t)order[i]];
        for (uint64_t v = at->first; v < at->end; v++) {
            hpcrun_value_at(&r->values, v, &value);
            if (value.metric < r->m->metrics.table.len)
                TRY(add_value(r, &r->nodes.list.at[at->node], value.metric, value.bits, err));
            else
                *has_bad = true;
        }
        TRY(cancel_step(i, err));
    }
    return 0;
}

static int warn_metrics(struct reader *r, const struct values_of *list, size_t count, assay_error *err)
{
    struct hpcrun_value value;
    for (size_t i = 0; i < count; i++)
        for (uint64_t v = list[i].first; v < list[i].end; v++) {
            hpcrun_value_at(&r->values, v, &value);
            if (value.metric >= r->m->metrics.table.len) TRY(warn(r, "HRC13", ASSAY_ERROR, hpcrun_item_off(&r->values, v), "metric id out of range", err));
        }
    return 0;
}

static int read_index(struct reader *r, const struct hpcrun_span *span, assay_error *err)
{
    size_t count = 0;
    bool has_bad = false;
    if (span->count < 2) return 0;
    if (span->count > UINT32_MAX) FAIL(err, ASSAY_ERR_LIMIT, "more than 4294967295 nodes with values");
    SCRATCH(struct values_of, list, r->m->mem, span->count);
    SCRATCH(uint64_t, order, r->m->mem, span->count);
    if (!list || !order) return error_memory(err);
    TRY(list_values(r, span, list, &count, err));
    if (!order_values(r, list, order, count)) return error_memory(err);
    TRY(add_values(r, list, order, count, &has_bad, err));
    return has_bad ? warn_metrics(r, list, count, err) : 0;
}

/* ---- the other records ---- */

static bool is_pair(const struct hpcrun_pair *p, const char *name) { return slice_is(p->name.text, name); }

static void note_pair(struct reader *r, const struct hpcrun_pair *p)
{
    assay_builder *b = r->m->b;
    assay_build_attribute(b, r->stream, p->name.text.data, p->name.text.len, p->value.text.data, p->value.text.len);
    measure_note_attribute(r->m, p->name.text, p->value.text);
    if (is_pair(p, "thread-id") || is_pair(p, "canonical-thread-id")) r->is_thread = !slice_is(p->value.text, "0");
}

static int add_module(struct reader *r, const struct hpcrun_module *module, assay_error *err)
{
    struct hpcrun_lm *lm = hpcrun_modules_add(&r->modules, module, r->d.file.variant);
    if (!lm) return error_memory(err);
    lm->owned = expand_module(&r->m->expand, module->name.text);
    return lm->owned ? 0 : error_memory(err);
}

static int add_kind(struct reader *r, const struct hpcrun_id_kind *kind, assay_error *err)
{
    if (kind->kind >= r->kinds.len) {
        size_t more = (size_t)kind->kind + 1 - r->kinds.len;
        if (!vec_reserve(r->m->mem, &r->kinds, more)) return error_memory(err);
        memset(r->kinds.at + r->kinds.len, 0, more * sizeof *r->kinds.at);
        r->kinds.len += more;
    }
    r->kinds.at[kind->kind] = kind->name.text;
    return 0;
}

static int add_tuple(struct reader *r, const struct hpcrun_tuple *t, assay_error *err)
{
    char name[64];
    uint16_t kind = hpcrun_tuple_kind(t->word);
    uint64_t logical;
    if (!tuples_number(&r->m->tuples, t, &r->tuple_prefix, &logical)) return error_memory(err);
    assay_slice text = kind < r->kinds.len ? r->kinds.at[kind] : (assay_slice){ NULL, 0 };
    if (text.len)
        snprintf(name, sizeof name, "%.*s", (int)(text.len < 60 ? text.len : 60), text.data);
    else
        snprintf(name, sizeof name, "kind %u", kind);
    assay_build_tuple(r->m->b, name, logical, t->physical, hpcrun_tuple_reading(t->word));
    measure_note_tuple(r->m, name, t, true);
    r->has_tuple = true;
    return 0;
}

static int take_list(struct reader *r, const struct hpcrun_list *list, assay_error *err)
{
    switch (list->id) {
    case HPCRUN_LIST_METRICS: hpcrun_metrics_begin(&r->m->metrics); return 0;
    case HPCRUN_LIST_MODULES: hpcrun_modules_clear(&r->modules); return 0;
    case HPCRUN_LIST_NODES: return read_nodes(r, &list->span, err);
    case HPCRUN_LIST_VALUES: r->values = list->span; return 0;
    case HPCRUN_LIST_INDEX: return read_index(r, &list->span, err);
    default: return 0;
    }
}

static int take(struct reader *r, const struct hpcrun_record *rec, assay_error *err)
{
    switch (rec->kind) {
    case HPCRUN_RECORD_LIST: return take_list(r, &rec->list, err);
    case HPCRUN_RECORD_PAIR:
        if (!rec->pair.is_epoch) note_pair(r, &rec->pair);
        return 0;
    case HPCRUN_RECORD_METRIC: return hpcrun_metrics_row(&r->m->metrics, &rec->metric) ? 0 : error_memory(err);
    case HPCRUN_RECORD_MODULE: return add_module(r, &rec->module, err);
    case HPCRUN_RECORD_KIND: return add_kind(r, &rec->kind_name, err);
    case HPCRUN_RECORD_TUPLE: return add_tuple(r, &rec->tuple, err);
    case HPCRUN_RECORD_DAMAGE: return measure_warn(r->m, r->file->name, &rec->damage, rec->off, err);
    default: return 0;
    }
}

/* Profiles before 04.00 have no id tuple: host, rank and thread of the file's name. */
static void make_tuple(struct reader *r)
{
    static const char *const kinds[] = { "NODE", "RANK", "THREAD" };
    const struct measure_name *n = &r->file->numbers;
    const struct hpcrun_tuple tuple[] = { { .word = 1 << 14, .physical = n->host },
                                          { .word = 3 << 14, .logical = n->rank },
                                          { .word = 3 << 14, .logical = n->thread } };
    if (r->has_tuple || !n->is_known) return;
    for (size_t i = 0; i < sizeof tuple / sizeof *tuple; i++) {
        assay_build_tuple(r->m->b, kinds[i], tuple[i].logical, tuple[i].physical, hpcrun_tuple_reading(tuple[i].word));
        measure_note_tuple(r->m, kinds[i], &tuple[i], false);
    }
}

static int read_records(struct reader *r, assay_error *err)
{
    const char *dot = strrchr(r->file->name, '.');
    char label[256];
    snprintf(label, sizeof label, "%.*s", dot ? (int)(dot - r->file->name) : 255, r->file->name);
    for (struct hpcrun_record rec; hpcrun_next(&r->d, &rec);) {
        if (rec.kind == HPCRUN_RECORD_FILE && rec.file.variant != HPCRUN_UNKNOWN) {
            r->stream = assay_build_stream(r->m->b, label);
            r->m->stream_count++;
            measure_note_stream(r->m, label);
        }
        TRY(take(r, &rec, err));
        if (assay_builder_failed(r->m->b)) return error_memory(err);
    }
    if (!r->stream.v) return 0;
    make_tuple(r);
    TRY(rebuild_finish(&r->m->rebuild, &r->m->metrics, r->stream, err));
    return measure_trace(r->m, r->file, r->opened, r->stream, &r->nodes, err);
}

int measure_profile(struct measure *m, const struct measure_file *file, struct measure_opened *o, assay_error *err)
{
    struct reader r = { .m = m, .file = file, .opened = o };
    rebuild_begin(&m->rebuild);
    hpcrun_modules_init(&r.modules, m->mem);
    hpcrun_ids_init(&r.nodes.ids, m->mem);
    int rc = o->rc;
    if (rc != 0) {
        *err = o->err;
    } else {
        hpcrun_decoder_init(&r.d, o->source.bytes);
        r.d.skip_items = true;
        rc = read_records(&r, err);
        if (rc == 0 && o->source.has_changed) rc = warn(&r, "F-3", ASSAY_WARNING, 0, "the file was changed while it was being read: try again", err);
    }
    vec_done(m->mem, &r.kinds, &r.nodes.list);
    hpcrun_ids_done(&r.nodes.ids);
    hpcrun_modules_done(&r.modules);
    return rc;
}

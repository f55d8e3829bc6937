/* Nodes of the document -> nodes of the model, and the values that stand in them. */
#include "formats/hpcdb-xml/read.h"

/* ---- names ---- */

static assay_str_id string(struct hx_reader *r, assay_slice s) { return assay_build_string(r->b, s.data ? s.data : "", s.len); }

static void widen(uint32_t *largest, uint32_t id)
{
    if (id > *largest) *largest = id;
}

/* "./src/..." is a copy that lies in the database. */
static uint32_t new_file(struct hx_reader *r, assay_slice path)
{
    assay_file_id f = assay_build_file(r->b, string(r, path), (assay_module_id){ 0 });
    if (slice_starts(path, "./src/")) assay_build_file_parent(r->b, f, (assay_file_id){ 0 }, 0, 1);
    widen(&r->files, f.v);
    return f.v;
}

static uint32_t new_module(struct hx_reader *r, assay_slice path)
{
    uint32_t m = assay_build_module(r->b, string(r, path), (assay_str_id){ 0 }).v;
    widen(&r->modules, m);
    return m;
}

/* The file or module that an attribute names, by number or by text; 0 = none. */
static uint32_t named(struct hx_reader *r, enum hx_name_kind kind, const struct hx_record *n, const char *attribute)
{
    assay_slice text;
    uint32_t (*make)(struct hx_reader *, assay_slice) = kind == HX_FILES ? new_file : new_module;
    if (!attribute) return 0;
    if (r->tables.is_flat) return make(r, slice_of(attribute));
    struct hx_name *name = hx_name_of(&r->tables, kind, n, attribute, &text);
    if (!name) return text.data ? make(r, text) : 0;
    if (!name->mark) name->mark = make(r, name->text);
    return name->mark;
}

struct hx_called {
    assay_slice name;
    bool is_placeholder;
};

/* The name of a frame or of inlined code; an empty one is a call site of inlined code. */
static struct hx_called called(struct hx_reader *r, const struct hx_record *n)
{
    struct hx_called c = { .is_placeholder = false };
    if (r->tables.is_flat) {
        c.name = slice_of(n->n ? n->n : "");
        return c;
    }
    const struct hx_name *name = hx_name_of(&r->tables, HX_PROCEDURES, n, n->n, &c.name);
    if (name) return (struct hx_called){ name->text, name->is_placeholder };
    if (r->tables.names[HX_PROCEDURES].is_there && n->n) c = (struct hx_called){ SLICE("<unknown procedure>"), true };
    if (!c.name.data) c.name = SLICE("");
    return c;
}

static uint32_t function(struct hx_reader *r, const struct hx_called *c, uint32_t file, uint32_t module, uint32_t line, uint32_t flags)
{
    assay_func_id f = assay_build_func(r->b, string(r, c->name), (assay_file_id){ file }, (assay_module_id){ module }, 0, 0);
    if (f.v > r->functions) {
        if (line) assay_build_func_lines(r->b, f, line, 0);
        if (c->is_placeholder || flags) assay_build_func_kind(r->b, f, ASSAY_FUNC_PLACEHOLDER, flags);
    }
    widen(&r->functions, f.v);
    return f.v;
}

/* ---- nodes ---- */

enum { ENTRY_UNKNOWN = 0, ENTRY_MAIN = 1, ENTRY_THREAD = 2, NO_ENTRY = -1 };

static int entry_of(assay_slice name)
{
    if (slice_is(name, "<program root>")) return ENTRY_MAIN;
    if (slice_is(name, "<thread root>")) return ENTRY_THREAD;
    return slice_is(name, "<partial call paths>") ? ENTRY_UNKNOWN : NO_ENTRY;
}

static void stay_inside(struct hx_frame *f) { f->is_inside = true; }

static void line_node(struct hx_reader *r, const struct hx_record *n, struct hx_frame *f)
{
    struct assay_node node = { .parent = { f->node }, .kind = ASSAY_NODE_LINE, .file = { f->file }, .line = n->line };
    f->node = assay_build_node(r->b, &node).v;
}

/* A call site without a line is identified by its address; without either it is none. */
static void site(struct hx_reader *r, const struct hx_record *n, struct hx_frame *f)
{
    bool is_helper = r->is_sparse && n->has & HX_HAS_ID && n->id < 0;
    if (is_helper || (!n->line && !(n->address && f->frame_module))) {
        f->call_line = is_helper ? n->line : 0;
        stay_inside(f);
    } else if (n->line)
        line_node(r, n, f);
    else {
        struct assay_node node = { .parent = { f->node }, .kind = ASSAY_NODE_INSTRUCTION, .module = { f->frame_module }, .offset = n->address };
        f->node = assay_build_node(r->b, &node).v;
    }
}

/* A statement without a line: its cost is the function's or loop's that it stands in. */
static void statement(struct hx_reader *r, const struct hx_record *n, struct hx_frame *f)
{
    bool is_helper = r->is_sparse && n->has & HX_HAS_ID && n->id < 0;
    if ((!n->line || is_helper) && f->node)
        stay_inside(f);
    else
        line_node(r, n, f);
}

/* Loops of one line, or of none, are several all the same. */
static void loop(struct hx_reader *r, const struct hx_record *n, struct hx_frame *f)
{
    struct assay_node node = { .parent = { f->node }, .kind = ASSAY_NODE_LOOP, .file = { f->file }, .line = n->line };
    if (n->address && f->frame_module) {
        node.module.v = f->frame_module;
        node.offset = n->address;
    }
    f->node = assay_build_node_new(r->b, &node).v;
}

/* A frame, or inlined code. `call_line`: of a call site that has no node of its own. */
static void procedure(struct hx_reader *r, const struct hx_record *n, const struct hx_frame *up, struct hx_frame *f)
{
    bool is_inlined = n->tag == HX_PR || n->tag == HX_A;
    struct hx_called c = called(r, n);
    uint32_t file = r->tables.is_flat ? f->file : named(r, HX_FILES, n, n->f), module = r->tables.is_flat ? f->module : named(r, HX_MODULES, n, n->lm);
    if (!is_inlined && module) f->frame_module = module;
    if (!c.name.len) {
        if (n->line)
            line_node(r, n, f);
        else
            stay_inside(f);
        return;
    }
    int entry = f->node || n->tag != HX_PF ? NO_ENTRY : entry_of(c.name);
    struct assay_node node = { .parent = { f->node },
                               .kind = entry != NO_ENTRY ? ASSAY_NODE_ENTRY
                                       : is_inlined      ? ASSAY_NODE_INLINED
                                                         : ASSAY_NODE_FUNCTION,
                               .relation = !f->node || entry != NO_ENTRY ? ASSAY_RELATION_LEXICAL
                                           : is_inlined                  ? ASSAY_RELATION_INLINED_CALL
                                                                         : ASSAY_RELATION_CALL,
                               .func = { function(r, &c, file, module, is_inlined ? 0 : n->line, entry > 0 ? (uint32_t)entry : 0) },
                               .line = up ? up->call_line : 0 };
    if (node.line) node.file.v = up->file;
    f->node = assay_build_node(r->b, &node).v;
}

static void place(struct hx_reader *r, const struct hx_record *n, const struct hx_frame *up, struct hx_frame *f)
{
    switch (n->tag) {
    case HX_LM:
        f->module = f->frame_module = named(r, HX_MODULES, n, n->n);
        f->file = 0;
        stay_inside(f);
        return;
    case HX_F:
        f->file = named(r, HX_FILES, n, n->n);
        stay_inside(f);
        return;
    case HX_C: site(r, n, f); return;
    case HX_S: statement(r, n, f); return;
    case HX_L:
    case HX_SCC: loop(r, n, f); return;
    default: procedure(r, n, up, f); return;
    }
}

static int keep_numbers(struct hx_reader *r, const struct hx_record *n, const struct hx_frame *f)
{
    struct hx_place p = { .off = n->off, .node = f->node, .is_own = n->tag == HX_S || n->tag == HX_C, .is_inside = f->is_inside, .is_root = n->depth == 1 };
    bool has_room = true;
    p.id = n->id;
    if (n->has & HX_HAS_ID) has_room = hx_places_add(&r->places, &p);
    p.id = n->trace_id;
    if (n->has & HX_HAS_TRACE_ID) has_room = has_room && hx_places_add(&r->trace_ids, &p);
    return has_room ? 0 : error_memory(r->err);
}

int hx_read_node(struct hx_reader *r, const struct hx_record *n)
{
    const struct hx_frame *up = r->frames.len ? &r->frames.at[r->frames.len - 1] : NULL;
    struct hx_frame f = up ? *up : (struct hx_frame){ 0 }, outer = f;
    f.tag = n->tag;
    f.serial = ++r->serial;
    f.is_inside = false;
    f.call_line = 0;
    bool has_file = n->f && n->tag != HX_LM && n->tag != HX_F;
    if (has_file) f.file = named(r, HX_FILES, n, n->f);
    place(r, n, up ? &outer : NULL, &f);
    r->contexts += !(n->has & HX_HAS_ID) || n->id >= 0;
    struct hx_frame *slot = vec_push(r->mem, &r->frames);
    if (!slot) return error_memory(r->err);
    *slot = f;
    TRY(keep_numbers(r, n, &f));
    return r->damage.failed ? error_memory(r->err) : assay_builder_failed(r->b);
}

/* ---- values ---- */

static void put(struct hx_reader *r, uint32_t node, assay_scope_id scope, assay_stat_id sum, double value)
{
    if (sum.v)
        assay_build_summary(r->b, (assay_node_id){ node }, sum, (assay_value){ .d = value });
    else
        assay_build_value(r->b, (assay_stream_id){ 0 }, (assay_node_id){ node }, scope, (assay_value){ .d = value });
}

static uint32_t unknown_node(struct hx_reader *r)
{
    struct hx_called c = { SLICE("<unknown procedure>"), true };
    struct assay_node node = { .kind = ASSAY_NODE_FUNCTION, .func = { function(r, &c, 0, 0, 0, 0) } };
    return assay_build_node(r->b, &node).v;
}

static int put_raw(struct hx_reader *r, const struct hx_metric *m, uint32_t node, double value)
{
    uint32_t stream = m->has_stream ? hx_read_stream(r, m->rank, m->thread, NULL) : 0;
    if (m->has_stream && !stream) return hx_read_no_stream(r);
    if (!node) node = unknown_node(r);
    const struct hx_column *c = &r->columns.at[m->base];
    assay_build_value(r->b, (assay_stream_id){ stream }, (assay_node_id){ node }, c->own, (assay_value){ .d = value * m->factor });
    return 0;
}

/* In flat profiles every level has the sum of what is in it: the deepest that has a value has the cost. */
static int wait_raw(struct hx_reader *r, const struct hx_metric *m, double value)
{
    struct hx_entry *e = hx_open_entry(&r->open, (uint32_t)(m - r->tables.metrics.at), (uint32_t)r->frames.len);
    if (!e) return error_memory(r->err);
    e->has_value = true;
    e->value = value;
    return 0;
}

/* Right below the data section: totals. */
static void whole_value(struct hx_reader *r, const struct hx_metric *m, double value)
{
    struct hx_column *c = &r->columns.at[m->base];
    if (m->role != HX_TOTAL) return;
    c->whole = value;
    c->has_whole = true;
}

int hx_read_value(struct hx_reader *r, const struct hx_record *v)
{
    struct hx_metric *m = hx_metric_of(&r->tables, v);
    if (!m || !(v->has & HX_HAS_VALUE) || m->role == HX_IGNORED || r->is_sparse) return r->damage.failed ? error_memory(r->err) : 0;
    double value = v->value;
    if (r->frames.len == 0) {
        whole_value(r, m, value);
        return 0;
    }
    const struct hx_frame *f = &r->frames.at[r->frames.len - 1];
    if (r->tables.is_flat && m->role == HX_RAW) return wait_raw(r, m, value);
    if (m->seen == f->serial) value -= m->last; /* of two the last counts */
    m->seen = f->serial;
    m->last = v->value;
    struct hx_column *c = &r->columns.at[m->base];
    if (m->role == HX_RAW) return put_raw(r, m, f->node, value);
    if (m->role == HX_TOTAL) {
        if (r->frames.len == 1) c->roots += value;
        if (!f->is_inside && f->node) put(r, f->node, c->total, c->total_sum, value);
    } else if ((f->tag == HX_S || f->tag == HX_C) && value != 0)
        put(r, f->node ? f->node : unknown_node(r), c->own, c->own_sum, value);
    return 0;
}

int hx_read_node_end(struct hx_reader *r, const struct hx_record *n)
{
    uint32_t depth = (uint32_t)r->frames.len;
    struct hx_entry e;
    (void)n;
    while (r->tables.is_flat && hx_open_take(&r->open, depth, &e)) {
        if (e.has_value && !e.has_kids) TRY(put_raw(r, &r->tables.metrics.at[e.column], r->frames.at[depth - 1].node, e.value));
        struct hx_entry *up = depth > 1 ? hx_open_entry(&r->open, e.column, depth - 1) : NULL;
        if (depth > 1 && !up) return error_memory(r->err);
        if (up) up->has_kids = true;
    }
    r->frames.len--;
    return 0;
}

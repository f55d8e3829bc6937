/* YAML -> nodes; see yaml.h. */
#include "base/yaml.h"

#include <stdio.h>

#include "base/slice.h"

#ifdef ASSAY_HAVE_YAML
#include <late_yaml.h>

#include "base/index.h"

struct anchor {
    assay_slice name;
    uint32_t node;
};

struct loader {
    struct yaml *y;
    struct yaml_fault *fault;
    uint32_t open[YAML_MAX_DEPTH]; /* lists and maps that have not ended */
    uint32_t last[YAML_MAX_DEPTH]; /* the last child of each */
    unsigned depth;
    assay_slice key; /* of the value that comes; .data NULL = none */
    struct index by_name;
    VEC(struct anchor) anchors; /* [0] is none */
    bool failed, is_over;
};

bool yaml_can(void)
{
    assay_error err;
    return late_yaml_load(&err) == 0;
}

static void refuse(struct loader *l, const yaml_mark_t *mark, const char *text)
{
    if (l->fault->text[0]) return;
    l->fault->line = mark ? (uint64_t)mark->line + 1 : 0;
    snprintf(l->fault->text, sizeof l->fault->text, "%s", text);
}

static assay_slice keep(struct loader *l, const void *text, size_t len)
{
    char *copy = arena_copy(&l->y->text, (assay_slice){ text, len });
    if (!copy) l->failed = true;
    return (assay_slice){ copy, copy ? len : 0 };
}

/* ---- anchors ---- */

static uint64_t hash_of(assay_slice s) { return hash_bytes(s.data, s.len); }

static struct anchor *find_anchor(struct loader *l, assay_slice name)
{
    uint64_t hash = hash_of(name);
    for (struct index_walk w = index_walk(&l->by_name, hash); index_next(&l->by_name, &w);)
        if (slice_equal(l->anchors.at[w.id].name, name)) return &l->anchors.at[w.id];
    return NULL;
}

/* The last one of a name counts. */
static void put_anchor(struct loader *l, const yaml_char_t *text, uint32_t node)
{
    assay_slice name = slice_of((const char *)text);
    struct anchor *a = text ? find_anchor(l, name) : NULL;
    if (!text) return;
    if (a) {
        a->node = node;
        return;
    }
    name = keep(l, name.data, name.len);
    if (l->failed || !(a = vec_push(l->y->mem, &l->anchors)) || !index_add(&l->by_name, hash_of(name), (uint32_t)l->anchors.len - 1)) {
        l->failed = true;
        return;
    }
    *a = (struct anchor){ name, node };
}

static bool is_open(const struct loader *l, uint32_t node)
{
    for (unsigned i = 0; i < l->depth; i++)
        if (l->open[i] == node) return true;
    return false;
}

/* ---- nodes ---- */

/* A new node in what is open; 0 = refused or no memory. */
static uint32_t add(struct loader *l, enum yaml_kind kind, const yaml_mark_t *mark)
{
    struct yaml *y = l->y;
    uint32_t parent = l->depth ? l->open[l->depth - 1] : 0;
    bool in_map = parent && y->nodes.at[parent].kind == YAML_MAP;
    if (in_map && !l->key.data) {
        refuse(l, mark, "a map key that is not plain text");
        return 0;
    }
    if (y->nodes.len > YAML_MAX_NODES) {
        refuse(l, mark, "more than 524288 values: reading stops here");
        return 0;
    }
    struct yaml_node *n = vec_push(y->mem, &y->nodes);
    if (!n) {
        l->failed = true;
        return 0;
    }
    uint32_t id = (uint32_t)y->nodes.len - 1;
    *n = (struct yaml_node){ .kind = (uint8_t)kind, .parent = parent, .line = (uint32_t)mark->line + 1 };
    if (in_map) n->key = l->key;
    l->key = (assay_slice){ NULL, 0 };
    if (parent) {
        uint32_t before = l->last[l->depth - 1];
        *(before ? &y->nodes.at[before].next : &y->nodes.at[parent].first) = id;
        l->last[l->depth - 1] = id;
    }
    return id;
}

static void add_text(struct loader *l, const yaml_event_t *e)
{
    uint32_t parent = l->depth ? l->open[l->depth - 1] : 0;
    assay_slice text = keep(l, e->data.scalar.value, e->data.scalar.length);
    if (l->failed) return;
    if (parent && l->y->nodes.at[parent].kind == YAML_MAP && !l->key.data) {
        l->key = text;
        return;
    }
    uint32_t id = add(l, YAML_TEXT, &e->start_mark);
    if (!id) return;
    l->y->nodes.at[id].text = text;
    put_anchor(l, e->data.scalar.anchor, id);
}

static void add_alias(struct loader *l, const yaml_event_t *e)
{
    const struct anchor *a = find_anchor(l, slice_of((const char *)e->data.alias.anchor));
    if (!a || is_open(l, a->node)) {
        refuse(l, &e->start_mark, a ? "an alias inside its own anchor" : "an alias without an anchor before it");
        return;
    }
    uint32_t target = a->node, id = add(l, YAML_ALIAS, &e->start_mark);
    if (id) l->y->nodes.at[id].target = target;
}

static void open_node(struct loader *l, enum yaml_kind kind, const yaml_event_t *e, const yaml_char_t *anchor)
{
    if (l->depth == YAML_MAX_DEPTH) {
        refuse(l, &e->start_mark, "lists and maps are nested more than 64 deep: reading stops here");
        return;
    }
    uint32_t id = add(l, kind, &e->start_mark);
    if (!id) return;
    l->last[l->depth] = 0;
    l->open[l->depth++] = id;
    put_anchor(l, anchor, id);
}

static void take(struct loader *l, const yaml_event_t *e)
{
    switch (e->type) {
    case YAML_SCALAR_EVENT: add_text(l, e); break;
    case YAML_ALIAS_EVENT: add_alias(l, e); break;
    case YAML_SEQUENCE_START_EVENT: open_node(l, YAML_LIST, e, e->data.sequence_start.anchor); break;
    case YAML_MAPPING_START_EVENT: open_node(l, YAML_MAP, e, e->data.mapping_start.anchor); break;
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT: l->depth--; break;
    case YAML_DOCUMENT_END_EVENT:
    case YAML_STREAM_END_EVENT: l->is_over = true; break;
    default: break;
    }
}

/* ---- the whole ---- */

static void read_events(struct loader *l, assay_slice bytes)
{
    yaml_parser_t parser;
    yaml_event_t event;
    if (!yaml_parser_initialize(&parser)) {
        l->failed = true;
        return;
    }
    yaml_parser_set_input_string(&parser, (const unsigned char *)(bytes.data ? bytes.data : ""), bytes.len);
    while (!l->is_over && !l->failed && !l->fault->text[0]) {
        if (yaml_parser_parse(&parser, &event)) {
            take(l, &event);
            yaml_event_delete(&event);
        } else if (parser.error == YAML_MEMORY_ERROR)
            l->failed = true;
        else
            refuse(l, &parser.problem_mark, parser.problem ? parser.problem : "it is not valid YAML");
    }
    yaml_parser_delete(&parser);
}

int yaml_read(struct yaml *y, struct mem *mem, assay_slice bytes, struct yaml_fault *fault, assay_error *err)
{
    struct loader l = { .y = y, .fault = fault };
    *y = (struct yaml){ .mem = mem };
    *fault = (struct yaml_fault){ 0 };
    arena_init(&y->text, mem);
    index_init(&l.by_name, mem);
    struct yaml_node *none = vec_push(mem, &y->nodes);
    struct anchor *nobody = vec_push(mem, &l.anchors);
    if (none) *none = (struct yaml_node){ 0 };
    if (nobody) *nobody = (struct anchor){ 0 };
    l.failed = !none || !nobody;
    if (!yaml_can())
        refuse(&l, NULL, "libyaml cannot be loaded");
    else if (bytes.len > YAML_MAX_BYTES)
        refuse(&l, NULL, "more than 16 MiB: it is not read");
    else if (!l.failed)
        read_events(&l, bytes);
    index_done(&l.by_name);
    vec_done(mem, &l.anchors);
    return l.failed ? error_memory(err) : 0;
}

#else

bool yaml_can(void) { return false; }
int yaml_read(struct yaml *y, struct mem *mem, assay_slice bytes, struct yaml_fault *fault, assay_error *err)
{
    (void)bytes;
    *y = (struct yaml){ .mem = mem };
    *fault = (struct yaml_fault){ 0 };
    arena_init(&y->text, mem);
    struct yaml_node *none = vec_push(mem, &y->nodes);
    if (!none) return error_memory(err);
    *none = (struct yaml_node){ 0 };
    return 0;
}

#endif

void yaml_done(struct yaml *y)
{
    if (!y->mem) return;
    vec_done(y->mem, &y->nodes);
    arena_done(&y->text);
}

uint32_t yaml_get(const struct yaml *y, uint32_t node, const char *key)
{
    node = yaml_real(y, node);
    if (!node || y->nodes.at[node].kind != YAML_MAP) return 0;
    for (uint32_t n = y->nodes.at[node].first; n; n = y->nodes.at[n].next)
        if (slice_is(y->nodes.at[n].key, key)) return yaml_real(y, n);
    return 0;
}

assay_slice yaml_text(const struct yaml *y, uint32_t node)
{
    const struct yaml_node *n = &y->nodes.at[yaml_real(y, node)];
    return n->kind == YAML_TEXT ? n->text : (assay_slice){ NULL, 0 };
}

/* JSON trees; see json_tree.h. The depth is that of the reader, JSON_READ_DEPTH at most. */
#include "store/json_tree.h"

#include "base/error.h"
#include "base/findings.h"
#include "base/scoped.h"

struct builder {
    struct arena *a;
    struct json_node *open[JSON_READ_DEPTH + 1];
    struct json_node *last[JSON_READ_DEPTH + 1]; /* child of open[i] */
    unsigned depth;
    struct json_node *root;
    assay_slice key;
};

static bool copy(struct arena *a, assay_slice from, assay_slice *to)
{
    const char *text = arena_copy(a, from);
    *to = (assay_slice){ text, from.len };
    return text != NULL;
}

static bool add(struct builder *b, const struct json_event *e)
{
    struct json_node *n = arena_alloc(b->a, sizeof *n);
    if (!n) return false;
    *n = (struct json_node){ .kind = e->kind, .key = b->key };
    if ((e->kind == JSON_STRING || e->kind == JSON_NUMBER) && !copy(b->a, e->text, &n->text)) return false;
    b->key = (assay_slice){ NULL, 0 };
    if (!b->depth) {
        b->root = n;
    } else {
        if (b->last[b->depth])
            b->last[b->depth]->next = n;
        else
            b->open[b->depth]->first = n;
        b->last[b->depth] = n;
    }
    if ((e->kind == JSON_OBJECT || e->kind == JSON_ARRAY) && b->depth < JSON_READ_DEPTH) {
        b->open[++b->depth] = n;
        b->last[b->depth] = NULL;
    }
    return true;
}

static int build(struct builder *b, struct json_reader *r, assay_error *err)
{
    struct json_event e;
    for (;;) {
        TRY(json_read_next(r, &e));
        bool is_good = true;
        if (e.kind == JSON_END) return 0;
        if (e.kind == JSON_KEY)
            is_good = copy(b->a, e.text, &b->key);
        else if (e.kind == JSON_OBJECT_END || e.kind == JSON_ARRAY_END)
            b->depth -= b->depth > 0;
        else
            is_good = add(b, &e);
        if (!is_good) return error_memory(err);
    }
}

int json_tree_read(struct input *in, struct arena *a, struct mem *mem, struct json_node **out, assay_error *err)
{
    SCOPED(findings_done) struct findings damage;
    SCOPED(json_read_done) struct json_reader r;
    struct builder b = { .a = a };
    findings_init(&damage, mem);
    json_read_init(&r, in, mem, &damage, err);
    int rc = build(&b, &r, err);
    *out = b.root;
    TRY(rc);
    TRY(findings_refuse(&damage, err));
    return b.root ? 0 : error_set(err, ASSAY_ERR_DAMAGED, "there is no JSON");
}

struct json_node *json_tree_member(const struct json_node *object, const char *key)
{
    struct json_node *found = NULL;
    for (struct json_node *n = object && object->kind == JSON_OBJECT ? object->first : NULL; n; n = n->next)
        if (slice_is(n->key, key)) found = n;
    return found;
}

/* ---- writing ---- */

void json_tree_string(struct output *out, assay_slice s)
{
    static const char special[] = "\"\\\b\f\n\r\t", letter[] = "\"\\bfnrt";
    output_char(out, '"');
    for (size_t i = 0; i < s.len; i++) {
        unsigned char c = (unsigned char)s.data[i];
        const char *at = c ? strchr(special, c) : NULL;
        if (at)
            output_printf(out, "\\%c", letter[at - special]);
        else if (c < 0x20)
            output_printf(out, "\\u%04x", c);
        else
            output_char(out, (char)c);
    }
    output_char(out, '"');
}

static void put_value(struct output *out, const struct json_node *n)
{
    switch (n->kind) {
    case JSON_STRING: json_tree_string(out, n->text); break;
    case JSON_NUMBER: output_slice(out, n->text); break;
    case JSON_TRUE: output_text(out, "true"); break;
    case JSON_FALSE: output_text(out, "false"); break;
    case JSON_OBJECT: output_char(out, '{'); break;
    case JSON_ARRAY: output_char(out, '['); break;
    default: output_text(out, "null"); break;
    }
}

static const struct json_node *alive(const struct json_node *n)
{
    while (n && n->is_removed) n = n->next;
    return n;
}

void json_tree_write(const struct json_node *root, struct output *out)
{
    const struct json_node *open[JSON_READ_DEPTH + 1], *n = root;
    unsigned depth = 0;
    for (;;) {
        if (n) {
            if (n->key.data) {
                json_tree_string(out, n->key);
                output_char(out, ':');
            }
            put_value(out, n);
            if (n->kind == JSON_OBJECT || n->kind == JSON_ARRAY) {
                open[depth++] = n;
                n = alive(n->first);
                continue;
            }
        } else
            output_char(out, open[--depth]->kind == JSON_OBJECT ? '}' : ']');
        const struct json_node *ended = n ? n : open[depth];
        if (!depth) return;
        n = alive(ended->next);
        if (n) output_char(out, ',');
    }
}

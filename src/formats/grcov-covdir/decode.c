/* See decode.h. Nodes are followed with a stack of our own, which the depth of JSON bounds. */
#include "formats/grcov-covdir/decode.h"
#include "base/scoped.h"

#include <stdio.h>

enum { CHILDREN, COVERAGE, PERCENT, COVERED, MISSED, TOTAL, NAME, KEYS };
static const assay_slice keys[KEYS] = { COVERAGE_KEY("children"),     COVERAGE_KEY("coverage"),    COVERAGE_KEY("coveragePercent"),
                                        COVERAGE_KEY("linesCovered"), COVERAGE_KEY("linesMissed"), COVERAGE_KEY("linesTotal"),
                                        COVERAGE_KEY("name") };

struct node {
    struct json_event begin;
    size_t path_len; /* of its own path */
    uint32_t seen, name;
    bool in_children, is_file;
    double figures[KEYS]; /* -1 = not said */
};
enum { NODES = JSON_READ_DEPTH };
struct work {
    struct coverage_decoder *d;
    VEC(char) path;
    struct node nodes[NODES];
    unsigned depth;
};

/* ---- nodes ---- */

static void open_node(struct work *w, size_t path_len)
{
    struct node *n = &w->nodes[w->depth++];
    *n = (struct node){ .begin = w->d->j->e, .path_len = path_len };
    for (int i = 0; i < KEYS; i++) n->figures[i] = -1;
}

/* The path of a node, as an id: a root that is a file has only its name. */
static uint32_t path_of(struct work *w, const struct node *n)
{
    if (!n->path_len && n->name) return n->name;
    return intern_put(&w->d->names, (assay_slice){ n->path_len ? w->path.at : "", n->path_len });
}

static int lines(struct work *w, struct node *n)
{
    struct coverage_row *row = coverage_push(w->d, COVERAGE_FILE, &n->begin);
    if (!row) return ASSAY_ERR_MEMORY;
    row->name = path_of(w, n);
    if (!row->name) return error_memory(w->d->err);
    n->is_file = true;
    TRY(coverage_line_list(w->d, "coverage", 0, true));
    return coverage_give(w->d);
}

/* What a node states comes in a batch of its own, for it may stand before or behind what it is about. */
static int close_node(struct work *w, struct node *n)
{
    char scope[120] = "report";
    if (n->is_file) {
        struct coverage_row *row = coverage_push(w->d, COVERAGE_FILE, &n->begin);
        if (!row) return ASSAY_ERR_MEMORY;
        row->is_derived = true;
        row->name = path_of(w, n);
        if (!row->name) return error_memory(w->d->err);
        strcpy(scope, "file");
    } else if (n->path_len)
        snprintf(scope, sizeof scope, "directory %.*s", (int)(n->path_len < 100 ? n->path_len : 100), w->path.at);
    if (n->figures[TOTAL] >= 0) TRY(coverage_state(w->d, &n->begin, scope, SLICE("lines"), n->figures[COVERED], n->figures[TOTAL]));
    if (n->figures[PERCENT] >= 0) TRY(coverage_state(w->d, &n->begin, scope, keys[PERCENT], n->figures[PERCENT], -1));
    bool is_whole = n->seen & (1u << CHILDREN | 1u << COVERAGE);
    if (!is_whole && !w->d->j->r.is_damaged)
        coverage_json_found(w->d->j, n->begin.off, n->begin.line, "J-3", ASSAY_ERROR, "a node without children or coverage");
    return coverage_give(w->d);
}

/* The next child of a node whose children are open. */
static int child(struct work *w, struct node *n)
{
    struct coverage_decoder *d = w->d;
    struct json_event at;
    uint32_t key;
    bool has;
    TRY(coverage_member(d, &key, &at, &has));
    n->in_children = has;
    if (!has) return 0;
    TRY(coverage_json_expect(d->j, JSON_OBJECT, "a child", &has));
    if (!has || w->depth == NODES) return 0;
    w->path.len = n->path_len;
    if (!vec_reserve(d->mem, &w->path, at.text.len + 1)) return error_memory(d->err);
    if (w->path.len) w->path.at[w->path.len++] = '/';
    if (at.text.len) memcpy(w->path.at + w->path.len, at.text.data, at.text.len);
    w->path.len += at.text.len;
    open_node(w, w->path.len);
    return 0;
}

static int member(struct work *w, struct node *n, int at)
{
    struct coverage_decoder *d = w->d;
    bool is;
    switch (at) {
    case CHILDREN: return coverage_json_expect(d->j, JSON_OBJECT, "children", &n->in_children);
    case COVERAGE: return lines(w, n);
    case NAME: return coverage_text(d, "name", &n->name);
    default:
        TRY(coverage_json_double(d->j, keys[at].data, &n->figures[at], &is));
        if (!is) n->figures[at] = -1;
        return 0;
    }
}

static int root(struct coverage_decoder *d, void *arg)
{
    struct work *w = arg;
    int at;
    open_node(w, 0);
    while (w->depth) {
        struct node *n = &w->nodes[w->depth - 1];
        if (n->in_children) {
            TRY(child(w, n));
            continue;
        }
        TRY(coverage_json_key(d->j, keys, KEYS, &n->seen, &at));
        w->path.len = n->path_len;
        if (at != COVERAGE_JSON_END)
            TRY(member(w, n, at));
        else {
            TRY(close_node(w, n));
            w->depth--;
        }
    }
    return 0;
}

int covdir_decode(struct coverage_decoder *d)
{
    SCRATCH(struct work, w, d->mem, 1);
    if (!w) return error_memory(d->err);
    w->d = d;
    int rc = coverage_document(d, root, w);
    vec_done(d->mem, &w->path);
    return rc;
}

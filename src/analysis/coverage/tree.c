/* Files in their folders; see tree.h. Paths are sorted, so the folders that two neighbours share are open when the second comes. */
#include "analysis/coverage/tree.h"

#include "base/cancel.h"
#include "base/error.h"
#include "base/order.h"
#include "base/scoped.h"
#include "base/slice.h"
#include "base/sort.h"

struct entry {
    assay_slice path;
    uint32_t file;
};

/* As the bytes, but what is in a folder before anything else that begins like it. */
static int by_path(const void *x, const void *y)
{
    const struct entry *a = x, *b = y;
    size_t n = a->path.len < b->path.len ? a->path.len : b->path.len, i = 0;
    while (i < n && a->path.data[i] == b->path.data[i]) i++;
    if (i == a->path.len || i == b->path.len) {
        ORDER_BY(a->path.len, b->path.len);
        return ORDER(a->file, b->file);
    }
    unsigned char p = (unsigned char)a->path.data[i], q = (unsigned char)b->path.data[i];
    if (p == '/' || q == '/') return p == '/' ? -1 : 1;
    return p < q ? -1 : 1;
}

static void add(assay_coverage_counts *to, const assay_coverage_counts *c)
{
    to->files += c->files;
    to->lines += c->lines;
    to->lines_hit += c->lines_hit;
    to->functions += c->functions;
    to->functions_hit += c->functions_hit;
    to->groups += c->groups;
    to->groups_hit += c->groups_hit;
    to->branches += c->branches;
    to->branches_hit += c->branches_hit;
    to->conditions += c->conditions;
    to->conditions_hit += c->conditions_hit;
    to->blocks += c->blocks;
    to->blocks_hit += c->blocks_hit;
    to->statements += c->statements;
    to->statements_hit += c->statements_hit;
}

/* ---- the prefix ---- */

static size_t folder_len(assay_slice path)
{
    size_t n = path.len;
    while (n && path.data[n - 1] != '/') n--;
    return n;
}

static assay_slice common_folder(const struct entry *list, size_t count)
{
    assay_slice a = list[0].path, b = list[count - 1].path;
    size_t most = folder_len(a), n = 0;
    for (size_t i = 0; i < count; i++) { /* the order is not that of the bytes, so the first and the last do not tell */
        b = list[i].path;
        for (n = 0; n < most && n < b.len && a.data[n] == b.data[n];) n++;
        most = n;
    }
    return (assay_slice){ a.data, folder_len((assay_slice){ a.data, most }) };
}

/* ---- rows ---- */

struct growth {
    struct coverage_tree *t;
    size_t open[COVERAGE_TREE_DEPTH]; /* rows of the folders that are open, outermost first */
    size_t depth;
};

static bool close_to(struct growth *g, size_t depth)
{
    while (g->depth > depth) g->t->rows.at[g->open[--g->depth]].end = (uint32_t)g->t->rows.len;
    return true;
}

static struct tree_row *push(struct growth *g, assay_slice path, size_t from, uint32_t file)
{
    struct tree_row *row = vec_push(g->t->mem, &g->t->rows);
    if (!row) return NULL;
    *row = (struct tree_row){ .path = path, .name = { path.data + from, path.len - from }, .depth = (uint32_t)g->depth, .file = file };
    row->end = (uint32_t)g->t->rows.len;
    return row;
}

/* Closes the folders that the file is not in, opens those it is in. *from is where its own name begins. */
static bool enter(struct growth *g, assay_slice path, size_t *from)
{
    size_t kept = 0;
    *from = g->t->prefix.len;
    while (kept < g->depth) {
        assay_slice open = g->t->rows.at[g->open[kept]].path;
        if (path.len <= open.len || path.data[open.len] != '/' || memcmp(path.data, open.data, open.len) != 0) break;
        *from = open.len + 1;
        kept++;
    }
    close_to(g, kept);
    for (const char *slash; g->depth < COVERAGE_TREE_DEPTH && (slash = memchr(path.data + *from, '/', path.len - *from)) != NULL;) {
        size_t to = (size_t)(slash - path.data);
        if (!push(g, (assay_slice){ path.data, to }, *from, 0)) return false;
        g->open[g->depth++] = g->t->rows.len - 1;
        *from = to + 1;
    }
    return true;
}

static bool grow(struct coverage_tree *t, const struct entry *list, size_t count, const assay_coverage_counts *by_file)
{
    struct growth g = { .t = t };
    for (size_t i = 0; i < count; i++) {
        size_t from;
        if (!enter(&g, list[i].path, &from)) return false;
        struct tree_row *row = push(&g, list[i].path, from, list[i].file);
        if (!row) return false;
        row->counts = by_file[list[i].file];
        for (size_t k = 0; k < g.depth; k++) add(&t->rows.at[g.open[k]].counts, &row->counts);
    }
    return close_to(&g, 0);
}

/* A folder that holds one folder and nothing else becomes one row with it. */
static void join_chains(struct coverage_tree *t)
{
    struct tree_row *at = t->rows.at;
    uint32_t shift[COVERAGE_TREE_DEPTH + 1] = { 0 }; /* by old depth: how many levels are gone above it */
    size_t to = 0;
    SCRATCH(uint32_t, moved, t->mem, t->rows.len + 1);
    if (!moved) return; /* it is only for the eye */
    for (size_t i = 0; i < t->rows.len; i++) {
        struct tree_row row = at[i];
        uint32_t depth = row.depth, joined = 0;
        const char *name = row.name.data;
        moved[i] = (uint32_t)to;
        while (!row.file && i + 1 < t->rows.len && !at[i + 1].file && at[i + 1].depth == row.depth + 1 && at[i + 1].end == row.end) {
            row = at[++i];
            moved[i] = (uint32_t)to;
            joined++;
        }
        row.name = (assay_slice){ name, row.name.len + (size_t)(row.name.data - name) };
        row.depth = depth - shift[depth];
        if (depth + joined < COVERAGE_TREE_DEPTH) shift[depth + joined + 1] = shift[depth] + joined;
        at[to++] = row;
    }
    moved[t->rows.len] = (uint32_t)to;
    for (size_t i = 0; i < to; i++) at[i].end = moved[at[i].end];
    t->rows.len = to;
}

int coverage_tree_init(struct coverage_tree *t, struct mem *mem, const assay_profile *p, assay_error *err)
{
    const struct assay_files *f = assay_profile_files(p);
    size_t room = (size_t)f->count + 1, count = 0;
    memset(t, 0, sizeof *t);
    t->mem = mem;
    SCRATCH(assay_coverage_counts, by_file, mem, room);
    SCRATCH(struct entry, list, mem, room);
    if (!by_file || !list) return error_memory(err);
    TRY(assay_coverage_figures(p, &t->total, by_file, err));
    for (uint32_t i = 1; i <= f->count; i++) {
        TRY(cancel_step(i, err));
        assay_slice path = assay_profile_string(p, f->path[i]);
        if (path.len) list[count++] = (struct entry){ path, i };
    }
    if (!count) return 0;
    sort_by(list, count, sizeof *list, by_path);
    t->prefix = common_folder(list, count);
    if (!grow(t, list, count, by_file)) return error_memory(err);
    join_chains(t);
    return 0;
}

void coverage_tree_done(struct coverage_tree *t) { vec_done(t->mem, &t->rows); }

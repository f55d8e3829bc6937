/* Comparing lists of files; see changes.h. Files of both lists become pairs, by path or by a rename that git found; what is not asked for is dropped. The
 * pairs that are left are sorted by the module, folder or file they belong to on the level shown, so that each row is a run of them. */
#include "store/changes.h"

#include "base/cancel.h"
#include "base/scoped.h"
#include "base/sort.h"

void changes_init(struct changes *c, struct mem *mem)
{
    *c = (struct changes){ .mem = mem };
    arena_init(&c->text, mem);
}

void changes_done(struct changes *c)
{
    vec_done(c->mem, &c->renames, &c->rows);
    arena_done(&c->text);
}

assay_store_stats changes_stats(const struct cov_file *f)
{
    return (assay_store_stats){ f->lines_total, f->lines.summary, f->functions.summary, f->branches.summary };
}

/* ---- renames ---- */

struct finder {
    struct changes *c;
    assay_error *err;
};

static int add_rename(void *arg, const char *from, const char *to)
{
    struct finder *f = arg;
    struct change_rename *at = vec_push(f->c->mem, &f->c->renames);
    if (!at) return error_memory(f->err);
    *at = (struct change_rename){ arena_copy(&f->c->text, slice_of(from)), arena_copy(&f->c->text, slice_of(to)) };
    return at->from && at->to ? 0 : error_memory(f->err);
}

static int by_new(const void *a, const void *b) { return strcmp(((const struct change_rename *)a)->to, ((const struct change_rename *)b)->to); }

int changes_find_renames(struct changes *c, struct git *g, const assay_store_id *before, const assay_store_id *after, assay_error *err)
{
    struct finder f = { c, err };
    if (cov_id_compare(before, after) == 0) return 0;
    int rc = git_renames(g, before, after, add_rename, &f, err);
    if (c->renames.len) sort_by(c->renames.at, c->renames.len, sizeof *c->renames.at, by_new);
    return rc == ASSAY_ERR_MEMORY ? rc : 0;
}

static assay_slice old_path(const struct changes *c, assay_slice path)
{
    size_t low = 0, high = c->renames.len;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = slice_compare(slice_of(c->renames.at[middle].to), path);
        if (order == 0) return slice_of(c->renames.at[middle].from);
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return path;
}

/* ---- pairs of files ---- */

struct pair {
    assay_slice path;
    const char *module;
    assay_store_stats now, before;
};
struct pairs {
    VEC(struct pair) at;
};

/* An index of a list by path: its own order when that is sorted. */
struct order {
    struct mem *mem;
    const struct cov_files *list;
    const struct cov_file **at;
};

static int by_path(const void *a, const void *b)
{
    return slice_compare((*(const struct cov_file *const *)a)->path, (*(const struct cov_file *const *)b)->path);
}

static int order_init(struct order *o, const struct cov_files *list, struct mem *mem, assay_error *err)
{
    *o = (struct order){ .mem = mem, .list = list, .at = mem_alloc(mem, list->count * sizeof *o->at) };
    if (!o->at && list->count) return error_memory(err);
    bool is_sorted = true;
    for (size_t i = 0; i < list->count; i++) {
        o->at[i] = &list->at[i];
        is_sorted = is_sorted && (i == 0 || slice_compare(list->at[i - 1].path, list->at[i].path) < 0);
    }
    if (!is_sorted) sort_by(o->at, list->count, sizeof *o->at, by_path);
    return 0;
}

static void order_done(struct order *o) { mem_free(o->mem, o->at, o->list->count * sizeof *o->at); }

/* The place in the order, or SIZE_MAX. */
static size_t order_find(const struct order *o, assay_slice path)
{
    size_t low = 0, high = o->list->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int c = slice_compare(o->at[middle]->path, path);
        if (c == 0) return middle;
        if (c < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return SIZE_MAX;
}

const struct cov_file *changes_find(const struct cov_files *list, assay_slice path)
{
    const struct cov_file *found = NULL;
    for (size_t i = 0; i < list->count; i++)
        if (slice_equal(list->at[i].path, path)) found = &list->at[i];
    return found;
}

static int add_pair(struct changes *c, struct pairs *pairs, const struct cov_file *now, const struct cov_file *before, assay_error *err)
{
    struct pair *p = vec_push(c->mem, &pairs->at);
    if (!p) return error_memory(err);
    *p = (struct pair){ .path = now ? now->path : before->path };
    if (now) p->now = changes_stats(now);
    if (before) p->before = changes_stats(before);
    return 0;
}

/* Every file of both sides; `used` has a mark for each file of the old one. */
static int pair_files(struct changes *c, struct pairs *pairs, const struct cov_files *now, const struct order *old, bool *used, assay_error *err)
{
    for (size_t i = 0; i < now->count; i++) {
        TRY(cancel_step(i, err));
        size_t at = order_find(old, old_path(c, now->at[i].path));
        if (at == SIZE_MAX) at = order_find(old, now->at[i].path);
        if (at != SIZE_MAX) used[at] = true;
        TRY(add_pair(c, pairs, &now->at[i], at != SIZE_MAX ? old->at[at] : NULL, err));
    }
    for (size_t i = 0; i < old->list->count; i++)
        if (!used[i]) TRY(add_pair(c, pairs, NULL, old->at[i], err));
    return 0;
}

static int make_pairs(struct changes *c, struct pairs *pairs, const struct changes_view *view, assay_error *err)
{
    if (!view->before) {
        for (size_t i = 0; i < view->now->count; i++) {
            TRY(cancel_step(i, err));
            TRY(add_pair(c, pairs, &view->now->at[i], &view->now->at[i], err));
        }
        return 0;
    }
    SCOPED(order_done) struct order old;
    TRY(order_init(&old, view->before, c->mem, err));
    SCRATCH(bool, used, c->mem, view->before->count + 1);
    return used ? pair_files(c, pairs, view->now, &old, used, err) : error_memory(err);
}

/* ---- what is asked for ---- */

static assay_slice trim_slashes(assay_slice s)
{
    while (s.len && s.data[s.len - 1] == '/') s.len--;
    return s;
}

/* What is behind `head` and a separator; {NULL, 0} when `s` is neither `head` nor begins with it. `head` "" matches everything. */
static assay_slice behind(assay_slice s, assay_slice head, assay_slice separator, bool *matches)
{
    *matches = true;
    if (!head.len) return s;
    if (slice_equal(s, head)) return (assay_slice){ s.data + s.len, 0 };
    *matches = s.len > head.len + separator.len && memcmp(s.data, head.data, head.len) == 0 && memcmp(s.data + head.len, separator.data, separator.len) == 0;
    if (!*matches) return (assay_slice){ NULL, 0 };
    return (assay_slice){ s.data + head.len + separator.len, s.len - head.len - separator.len };
}

/* Drops what is not asked for; paths become relative to view->path, modules to view->module. */
static void filter(struct pairs *pairs, const struct changes_view *view)
{
    size_t kept = 0;
    assay_slice separator = slice_of(view->modules ? view->modules->separator : "/"), path = trim_slashes(view->path);
    for (size_t i = 0; i < pairs->at.len; i++) {
        struct pair p = pairs->at.at[i];
        bool matches, in_module = true;
        p.module = view->modules ? modules_find(view->modules, p.path) : NULL;
        assay_slice rest = behind(p.path, path, SLICE("/"), &matches);
        if (matches && path.len && !rest.len) { /* the file itself */
            const char *slash = memrchr(p.path.data, '/', p.path.len);
            rest = slash ? slice_from(slash + 1, p.path.data + p.path.len) : p.path;
            p.module = NULL;
        }
        if (matches && view->module.len) {
            assay_slice inside = p.module ? behind(slice_of(p.module), view->module, separator, &in_module) : (assay_slice){ NULL, 0 };
            in_module = in_module && p.module;
            p.module = in_module && inside.len ? inside.data : NULL;
        }
        p.path = rest;
        if (matches && in_module) pairs->at.at[kept++] = p;
    }
    pairs->at.len = kept;
}

/* ---- rows ---- */

/* How many bytes of folders (with the slash) all paths of the pairs [from, to) share. */
static size_t common_folders(const struct pair *from, const struct pair *to)
{
    size_t len = 0;
    for (const struct pair *p = from; p < to; p++) {
        size_t same = 0, end = 0;
        size_t most = p == from ? p->path.len : len;
        for (; same < most && same < p->path.len && p->path.data[same] == from->path.data[same]; same++)
            if (p->path.data[same] == '/') end = same + 1;
        len = end;
    }
    return len;
}

static enum change_kind kind_of(const struct pair *p, size_t skip)
{
    if (p->module) return CHANGE_MODULE;
    return memchr(p->path.data + skip, '/', p->path.len - skip) ? CHANGE_FOLDER : CHANGE_FILE;
}

struct grouping {
    const char *separator;
    size_t skip; /* bytes of the paths that are in the prefix */
};

static assay_slice key_of(const struct pair *p, const struct grouping *g)
{
    if (p->module) {
        const char *end = strstr(p->module, g->separator);
        return end ? slice_from(p->module, end) : slice_of(p->module);
    }
    assay_slice rest = { p->path.data + g->skip, p->path.len - g->skip };
    const char *slash = memchr(rest.data, '/', rest.len);
    return slash ? slice_from(rest.data, slash) : rest;
}

static int by_row(const void *a, const void *b, void *arg)
{
    const struct grouping *g = arg;
    const struct pair *x = a, *y = b;
    size_t sx = x->module ? 0 : g->skip, sy = y->module ? 0 : g->skip;
    int kind = (int)kind_of(x, sx) - (int)kind_of(y, sy);
    if (kind) return kind;
    int key = slice_compare(key_of(x, g), key_of(y, g));
    return key ? key : slice_compare(x->path, y->path);
}

static int add_row(struct changes *c, const struct pair *from, const struct pair *to, const struct grouping *g, assay_error *err)
{
    struct change_row *row = vec_push(c->mem, &c->rows);
    if (!row) return error_memory(err);
    *row = (struct change_row){ .kind = kind_of(from, from->module ? 0 : g->skip), .name = key_of(from, g) };
    if (!from->module) row->prefix = (assay_slice){ from->path.data, g->skip };
    if (row->kind == CHANGE_FOLDER) {
        size_t folders = common_folders(from, to);
        row->name = (assay_slice){ from->path.data + g->skip, folders - g->skip - 1 };
    }
    for (const struct pair *p = from; p < to; p++) {
        rating_add(&row->now, &p->now);
        rating_add(&row->before, &p->before);
    }
    rating_add(&c->total.now, &row->now);
    rating_add(&c->total.before, &row->before);
    return 0;
}

static int make_rows(struct changes *c, struct pair *at, size_t count, const struct changes_view *view, assay_error *err)
{
    struct grouping g = { view->modules ? view->modules->separator : "/", 0 };
    bool has_modules = false;
    for (size_t i = 0; i < count; i++) has_modules = has_modules || at[i].module;
    /* One folder alone on the level is gone into. */
    if (!has_modules && count) g.skip = common_folders(at, at + count);
    if (count) sort_with(at, count, sizeof *at, by_row, &g);
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count; end++) {
            bool is_same = kind_of(&at[end], at[end].module ? 0 : g.skip) == kind_of(&at[i], at[i].module ? 0 : g.skip) &&
                           slice_equal(key_of(&at[end], &g), key_of(&at[i], &g));
            if (!is_same || kind_of(&at[i], at[i].module ? 0 : g.skip) == CHANGE_FILE) break;
        }
        TRY(add_row(c, &at[i], &at[end], &g, err));
    }
    return 0;
}

int changes_compare(struct changes *c, const struct changes_view *view, assay_error *err)
{
    struct pairs pairs = { 0 };
    vec_scoped(c->mem, &pairs.at);
    TRY(make_pairs(c, &pairs, view, err));
    filter(&pairs, view);
    c->matched = pairs.at.len;
    return make_rows(c, pairs.at.at, pairs.at.len, view, err);
}

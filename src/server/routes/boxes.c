/* The layout of a flame graph; see boxes.h. */
#include "server/routes/boxes.h"

#include "analysis/core/value.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/order.h"
#include "base/slice.h"
#include "base/sort.h"

#define LEAST_PIXELS 0.5

struct layout {
    struct boxes *boxes;
    const assay_paths *paths;
    const struct boxes_options *options;
    double scale; /* of a total to the width */
    double least;
    bool is_full; /* more boxes than wanted */
    VEC(uint32_t) kids;
};

void boxes_done(struct boxes *b) { vec_done(b->mem, &b->at); }

static double total_of(const struct layout *l, uint32_t row) { return value_double(l->paths->type, l->paths->total[row]); }

static struct box *push(struct layout *l, uint32_t row, uint32_t parent, uint32_t level, double x, double w)
{
    struct box *to = vec_push(l->boxes->mem, &l->boxes->at);
    if (to) *to = (struct box){ .row = row, .parent = parent, .level = level, .x = x, .w = w, .total = l->paths->total[row] };
    return to;
}

/* ---- the rows below one ---- */

static int by_name(const void *x, const void *y, void *arg)
{
    const assay_paths *s = arg;
    uint32_t i = *(const uint32_t *)x, j = *(const uint32_t *)y;
    int c = slice_compare(s->name[i], s->name[j]);
    return c ? c : ORDER(i, j);
}

static bool list_kids(struct layout *l, uint32_t row)
{
    const assay_paths *s = l->paths;
    uint32_t end = row ? s->end[row] : s->count + 1;
    l->kids.len = 0;
    for (uint32_t kid = row + 1; kid < end; kid = s->end[kid]) {
        uint32_t *to = vec_push(l->boxes->mem, &l->kids);
        if (!to) return false;
        *to = kid;
    }
    if (l->options->is_by_name) sort_with(l->kids.at, l->kids.len, sizeof *l->kids.at, by_name, (void *)(uintptr_t)s);
    return true;
}

/* Those that are too narrow are one box at the end. */
static int place_kids(struct layout *l, uint32_t row, uint32_t parent, uint32_t level, double x, assay_error *err)
{
    struct box rest = { .parent = parent, .level = level };
    double largest = 0;
    if (!list_kids(l, row)) return error_memory(err);
    for (size_t i = 0; i < l->kids.len; i++) {
        TRY(cancel_step(i, err));
        uint32_t kid = l->kids.at[i];
        double total = total_of(l, kid), w = total > 0 ? total * l->scale : 0;
        if (w >= l->least && (w > 0 || l->least <= 0)) {
            bool is_seen = x < l->options->to && x + w > l->options->from;
            if (is_seen && !push(l, kid, parent, level, x, w)) return error_memory(err);
            x += w;
            continue;
        }
        if (!rest.more || total > largest) {
            rest.row = kid;
            largest = total;
        }
        rest.more++;
        rest.w += w;
        value_add(l->paths->type, &rest.total, l->paths->total[kid]);
    }
    if (!rest.more || x >= l->options->to || x + rest.w < l->options->from) return 0;
    rest.x = x;
    struct box *to = vec_push(l->boxes->mem, &l->boxes->at);
    if (!to) return error_memory(err);
    *to = rest;
    return 0;
}

/* ---- all of it ---- */

/* Level by level; gives up when there are too many. Rows above the first level
 * are passed through, then taken out. */
static int place_all(struct layout *l, uint32_t root, assay_error *err)
{
    uint64_t deepest = (uint64_t)l->options->depth + l->options->levels;
    l->boxes->at.len = 0;
    l->is_full = false;
    if (root) {
        if (!push(l, root, 0, 0, 0, 1)) return error_memory(err);
    } else
        TRY(place_kids(l, 0, 0, 0, 0, err));
    for (size_t i = 0; i < l->boxes->at.len; i++) {
        struct box box = l->boxes->at.at[i];
        if (l->boxes->at.len > l->options->most) {
            l->is_full = true;
            return 0;
        }
        if (!box.more && (uint64_t)box.level + 1 < deepest) TRY(place_kids(l, box.row, (uint32_t)i + 1, box.level + 1, box.x, err));
    }
    return 0;
}

/* What all roots have together. */
static assay_value whole_of(const assay_paths *s)
{
    assay_value v = { 0 };
    for (uint32_t row = 1; row <= s->count; row = s->end[row]) value_add(s->type, &v, s->total[row]);
    return v;
}

static void drop_levels(struct boxes *b, uint32_t depth)
{
    size_t n = 0, first = 0;
    while (first < b->at.len && b->at.at[first].level < depth) first++;
    for (size_t i = first; i < b->at.len; i++, n++) {
        b->at.at[n] = b->at.at[i];
        b->at.at[n].parent = b->at.at[i].parent > first ? b->at.at[i].parent - (uint32_t)first : 0;
    }
    b->at.len = n;
}

int boxes_lay_out(struct boxes *b, const assay_paths *s, uint32_t root, const struct boxes_options *options, assay_error *err)
{
    struct layout l = { .boxes = b, .paths = s, .options = options };
    b->total = root ? s->total[root] : whole_of(s);
    double total = value_double(s->type, b->total);
    l.scale = total > 0 ? 1 / total : 0;
    l.least = options->width > 0 ? LEAST_PIXELS / options->width * (options->to - options->from) : 0;
    int rc = place_all(&l, root, err);
    while (rc == 0 && l.is_full && l.least < 1) {
        l.least = l.least > 0 ? l.least * 1.5 : 1e-6;
        rc = place_all(&l, root, err);
    }
    b->least = l.least;
    vec_done(b->mem, &l.kids);
    if (rc == 0) drop_levels(b, options->depth);
    return rc;
}

/* Boxes of a flame chart, from the events of each line in order; see analysis/timeline/chart.h. */
#include "analysis/timeline/chart.h"

#include "base/error.h"
#include "base/wide.h"

enum { LEADERS = 8 /* functions of merged boxes that are told apart */ };

/* What a merged box may be shown as. */
struct leader {
    uint32_t key, frame;
    uint64_t time;
};

/* One depth: the frame that is on the stack, and narrow boxes before it that are being merged. */
struct level {
    uint32_t frame;
    int64_t since;
    struct timeline_box group; /* calls = 0: there is none */
    struct leader leaders[LEADERS];
    unsigned leader_count;
    size_t last;          /* the box that was made last, + 1 */
    uint32_t free_column; /* those before it are taken */
    bool is_lent;         /* the last of them, by a box that is narrower */
};

struct made_box {
    uint32_t row, next; /* of the band, from 0; the next box of the row + 1 */
    struct timeline_box box;
};

struct charting {
    const struct timeline *t;
    struct timeline_chart *c;
    uint32_t most_depth, deepest; /* deepest: of this line */
    VEC(struct level) levels;     /* those that are drawn, at least as far as stacks went */
    VEC(uint32_t) stack;          /* frames, also those that are not drawn */
    VEC(uint32_t) path;           /* frames to enter, innermost first */
    VEC(struct made_box) made;
};

/* ---- columns ---- */

/* Nearest to a time: so neighbours never overlap, and what is a column wide gets one. */
static uint32_t column_near(const struct charting *h, int64_t time)
{
    uint64_t span = (uint64_t)h->t->to - (uint64_t)h->t->from, at = (uint64_t)time - (uint64_t)h->t->from;
    return span ? (uint32_t)u128_quotient(u128_plus(u128_product(at, h->c->columns), u128_of(span / 2)), span, NULL).low : 0;
}

static uint32_t column_at(const struct charting *h, int64_t time)
{
    uint64_t span = (uint64_t)h->t->to - (uint64_t)h->t->from, at = (uint64_t)time - (uint64_t)h->t->from;
    return span ? (uint32_t)u128_quotient(u128_product(at, h->c->columns), span, NULL).low : 0;
}

static bool is_wide(const struct charting *h, uint64_t length)
{
    uint64_t span = (uint64_t)h->t->to - (uint64_t)h->t->from;
    return u128_compare(u128_product(length, h->c->columns), u128_of(span)) >= 0;
}

/* ---- boxes ---- */

/* Where a box is drawn. One that is too narrow for a column borrows the one it is in, until a wide one needs that. */
static void place_box(struct charting *h, struct level *level, struct timeline_box *box)
{
    box->column = column_near(h, box->from);
    box->end = column_near(h, box->to);
    if (level->is_lent && !box->is_merged && box->column < level->free_column) {
        struct timeline_box *last = &h->made.at[level->last - 1].box;
        level->free_column = last->end = last->end - 1;
    }
    level->is_lent = false;
    if (box->column < level->free_column) box->column = level->free_column;
    if (box->end > box->column) return;
    uint32_t inside = column_at(h, box->from);
    level->is_lent = inside >= level->free_column && inside < h->c->columns;
    if (level->is_lent) box->column = inside;
    box->end = box->column + level->is_lent;
}

static bool add_box(struct charting *h, uint32_t row, struct timeline_box box)
{
    struct level *level = &h->levels.at[row];
    place_box(h, level, &box);
    struct made_box *last = level->last ? &h->made.at[level->last - 1] : NULL;
    bool follows = last && last->box.is_merged && box.is_merged && !is_wide(h, (uint64_t)box.from - (uint64_t)last->box.to);
    if (follows && timeline_key(h->t, last->box.frame) == timeline_key(h->t, box.frame)) {
        last->box.end = level->free_column = box.end;
        last->box.to = box.to;
        last->box.calls += box.calls;
        last->box.time += box.time;
        return true;
    }
    struct made_box *slot = vec_push(h->t->mem, &h->made);
    if (!slot) return false;
    *slot = (struct made_box){ .row = row, .box = box };
    level->last = h->made.len;
    level->free_column = box.end;
    return true;
}

/* The function that took most of what is merged: the first eight are counted, another takes the place of the least of them. */
static void add_leader(const struct charting *h, struct level *level, uint32_t frame, uint64_t time)
{
    uint32_t key = timeline_key(h->t, frame);
    unsigned at = 0, least = 0;
    for (; at < level->leader_count && level->leaders[at].key != key; at++)
        if (level->leaders[at].time < level->leaders[least].time) least = at;
    if (at == LEADERS) {
        at = least;
        level->leaders[at].key = key;
        level->leaders[at].frame = frame;
    } else if (at == level->leader_count) {
        level->leaders[level->leader_count++] = (struct leader){ key, frame, 0 };
    }
    level->leaders[at].time += time;
}

static bool end_group(struct charting *h, uint32_t row)
{
    struct level *level = &h->levels.at[row];
    struct timeline_box box = level->group;
    unsigned best = 0;
    if (!level->leader_count) return true;
    for (unsigned i = 1; i < level->leader_count; i++)
        if (level->leaders[i].time > level->leaders[best].time) best = i;
    box.frame = level->leaders[best].frame;
    box.is_merged = true;
    level->leader_count = 0;
    return add_box(h, row, box);
}

static bool add_to_group(struct charting *h, uint32_t row, const struct timeline_box *box)
{
    struct level *level = &h->levels.at[row];
    if (level->leader_count && is_wide(h, (uint64_t)box->from - (uint64_t)level->group.to) && !end_group(h, row)) return false;
    level = &h->levels.at[row];
    if (!level->leader_count) level->group = (struct timeline_box){ .from = box->from };
    level->group.to = box->to;
    level->group.calls += box->calls;
    level->group.time += box->time;
    add_leader(h, level, box->frame, box->time);
    return is_wide(h, (uint64_t)level->group.to - (uint64_t)level->group.from) ? end_group(h, row) : true;
}

/* The frame of a level leaves the stack. */
static bool leave(struct charting *h, uint32_t row, int64_t now)
{
    const struct level *level = &h->levels.at[row];
    const struct assay_tree *tree = h->t->frames.tree;
    struct timeline_box box = { .frame = level->frame, .calls = 1, .from = level->since, .to = now };
    if (h->t->is_laid_out && tree->calls && tree->calls[box.frame]) box.calls = tree->calls[box.frame];
    box.time = (uint64_t)box.to - (uint64_t)box.from;
    if (!box.time) return true;
    if (!is_wide(h, box.time)) return add_to_group(h, row, &box);
    box.is_merged = box.calls > 1;
    return end_group(h, row) && add_box(h, row, box);
}

/* ---- stacks ---- */

static uint32_t frame_of(const struct timeline *t, uint32_t node) { return t->frames.owner[node] ? t->frames.owner[node] : node; }

static uint32_t depth_of(const struct timeline *t, uint32_t node) { return t->level[node] ? t->level[node] : node != 0; }

static bool enter(struct charting *h, uint32_t frame, int64_t now)
{
    uint32_t row = (uint32_t)h->stack.len, *slot = vec_push(h->t->mem, &h->stack);
    if (!slot) return false;
    *slot = frame;
    if (h->stack.len > h->deepest) h->deepest = (uint32_t)h->stack.len;
    if (row >= h->most_depth) return true;
    if (row == h->levels.len) {
        struct level *level = vec_push(h->t->mem, &h->levels);
        if (!level) return false;
        memset(level, 0, sizeof *level);
    }
    h->levels.at[row].frame = frame;
    h->levels.at[row].since = now;
    return true;
}

static bool leave_to(struct charting *h, size_t depth, int64_t now)
{
    for (; h->stack.len > depth; h->stack.len--)
        if (h->stack.len <= h->most_depth && !leave(h, (uint32_t)h->stack.len - 1, now)) return false;
    return true;
}

/* From now on the stack is that of `node`: frames that both have stay where they are. */
static bool change(struct charting *h, uint32_t node, int64_t now)
{
    const struct timeline *t = h->t;
    uint32_t frame = frame_of(t, node);
    size_t depth = depth_of(t, node);
    h->path.len = 0;
    while (depth && (depth > h->stack.len || h->stack.at[depth - 1] != frame)) {
        uint32_t *slot = vec_push(t->mem, &h->path);
        if (!slot) return false;
        *slot = frame;
        depth--;
        frame = t->frames.owner[frames_parent(&t->frames, frame)];
    }
    if (!leave_to(h, depth, now)) return false;
    while (h->path.len)
        if (!enter(h, h->path.at[--h->path.len], now)) return false;
    return true;
}

static bool chart_line(struct charting *h, const struct timeline_line *line)
{
    const struct timeline *t = h->t;
    int64_t end = t->from;
    if (!line->count) return true;
    for (size_t i = timeline_event_at(line, t->from); i + 1 < line->count && line->time[i] < t->to; i++) {
        int64_t begin = line->time[i] > t->from ? line->time[i] : t->from;
        end = line->time[i + 1] < t->to ? line->time[i + 1] : t->to;
        if (end > begin && !change(h, line->node[i].v, begin)) return false;
    }
    return leave_to(h, 0, end);
}

/* ---- columns of callers ---- */

/* Columns are rounded at each depth by itself: what is called must not stick out of what it is called from, nor take a column from its wider neighbour. */
static void fit_row(const struct timeline_chart *c, uint32_t row)
{
    size_t above = c->rows.at[row - 1].first, above_end = c->rows.at[row].first, end = row + 1 < c->rows.len ? c->rows.at[row + 1].first : c->boxes.len;
    uint32_t taken = 0;
    for (size_t i = above_end; i < end; i++) {
        struct timeline_box *box = &c->boxes.at[i];
        while (above + 1 < above_end && c->boxes.at[above].to <= box->from) above++;
        size_t last = above;
        while (last + 1 < above_end && c->boxes.at[last + 1].from < box->to) last++;
        uint32_t low = c->boxes.at[above].column, high = c->boxes.at[last].end;
        if (low < taken) low = taken;
        if (i + 1 < end && !box[1].is_merged && box[1].column < high) high = box[1].column;
        if (box->column == box->end) continue;
        if (box->column >= high && high > low) box->column = high - 1;
        if (box->column < low) box->column = low;
        if (box->end > high) box->end = high;
        if (box->end <= box->column) box->end = box->column + (box->column < high);
        taken = box->end > taken ? box->end : taken;
    }
}

/* ---- bands ---- */

/* Boxes in the order in which they were made, by row. */
static bool keep_rows(struct charting *h, uint32_t rows)
{
    struct timeline_chart *c = h->c;
    for (size_t i = h->made.len; i > 0; i--) {
        struct made_box *b = &h->made.at[i - 1];
        struct level *level = &h->levels.at[b->row];
        b->next = (uint32_t)level->last;
        level->last = i;
    }
    if (!vec_reserve(c->mem, &c->boxes, h->made.len) || !vec_reserve(c->mem, &c->rows, rows)) return false;
    for (uint32_t row = 0; row < rows; row++) {
        c->rows.at[c->rows.len++].first = c->boxes.len;
        for (size_t i = h->levels.at[row].last; i; i = h->made.at[i - 1].next) c->boxes.at[c->boxes.len++] = h->made.at[i - 1].box;
    }
    return true;
}

static bool chart_band(struct charting *h, size_t line)
{
    struct timeline_band *band = vec_push(h->c->mem, &h->c->bands);
    if (!band) return false;
    h->levels.len = h->stack.len = h->made.len = 0;
    h->deepest = 0;
    *band = (struct timeline_band){ .line = line, .row = (uint32_t)h->c->rows.len };
    if (!chart_line(h, &h->t->lines.at[line])) return false;
    for (uint32_t row = 0; row < h->levels.len; row++) {
        if (!end_group(h, row)) return false;
        h->levels.at[row].last = 0;
    }
    band->rows = (uint32_t)h->levels.len;
    band->left_out = h->deepest - band->rows;
    if (!keep_rows(h, band->rows)) return false;
    for (uint32_t row = 1; row < band->rows; row++) fit_row(h->c, band->row + row);
    return true;
}

int timeline_chart_draw(const struct timeline *t, uint32_t columns, size_t most_lines, uint32_t most_depth, struct timeline_chart *out, assay_error *err)
{
    struct charting h = { .t = t, .c = out, .most_depth = most_depth };
    *out = (struct timeline_chart){ .mem = t->mem, .columns = columns };
    bool done = true;
    for (size_t i = 0; done && i < t->lines.len && i < most_lines; i++) done = chart_band(&h, i);
    done = done && vec_reserve(t->mem, &out->rows, 1);
    if (done) out->rows.at[out->rows.len++].first = out->boxes.len;
    vec_done(t->mem, &h.levels, &h.stack, &h.path, &h.made);
    return done ? 0 : error_memory(err);
}

void timeline_chart_done(struct timeline_chart *c)
{
    if (!c->mem) return;
    vec_done(c->mem, &c->bands, &c->rows, &c->boxes);
    *c = (struct timeline_chart){ 0 };
}

unsigned timeline_box_quarters(const struct timeline_box *box)
{
    uint64_t length = (uint64_t)box->to - (uint64_t)box->from;
    u128 parts = u128_product(box->time, TIMELINE_QUARTERS);
    return !length || box->time >= length ? TIMELINE_QUARTERS : (unsigned)u128_quotient(u128_plus(parts, u128_of(length - 1)), length, NULL).low;
}

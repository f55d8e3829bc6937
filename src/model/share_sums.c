/* Sums over the streams of one rank, on their way to rank 0; see share.h. A sum of doubles is sent as numbers that add up to it exactly: the nearest double,
 * then the nearest to what is left, and so on. A sum of integers above 64 bits is sent as several. */
#include <math.h>
#include <stdio.h>

#include "base/exact.h"
#include "base/scoped.h"
#include "model/builder.h"
#include "model/share.h"

enum { PARTS_MOST = 40 }; /* of one sum: each has 53 bits of at most 2100 */

/* A part of a sum; those of one `part` become a stream. */
struct cell {
    uint32_t node, column; /* node: of rank 0 */
    assay_value value;
};

struct part_list {
    struct cell *at;
    size_t len, cap;
};

struct summer {
    const assay_profile *p;
    struct mem *mem;
    const uint32_t *number; /* by node here: that of rank 0 */
    size_t *begin;          /* by node of rank 0, in `cells` */
    struct cell *cells;     /* of all streams, by node */
    struct part_list parts[PARTS_MOST];
    bool failed;
};

static int count_cell(void *arg, const assay_cell *cell)
{
    struct summer *s = arg;
    s->begin[s->number[cell->node] + 2]++;
    return 0;
}

static int place_cell(void *arg, const assay_cell *cell)
{
    struct summer *s = arg;
    uint32_t node = s->number[cell->node];
    s->cells[s->begin[node + 1]++] = (struct cell){ node, cell->column, cell->value };
    return 0;
}

static bool put_part(struct summer *s, unsigned part, const struct cell *cell, assay_value value)
{
    struct cell *to = part < PARTS_MOST ? vec_push(s->mem, &s->parts[part]) : NULL;
    if (to) *to = (struct cell){ cell->node, cell->column, value };
    s->failed |= !to;
    return to != NULL;
}

static void put_real(struct summer *s, const struct cell *cell, struct exact *sum)
{
    double value = exact_value(sum);
    for (unsigned part = 0; (part == 0 || value != 0) && put_part(s, part, cell, (assay_value){ .d = value }) && isfinite(value); part++) {
        exact_add(sum, -value);
        value = exact_value(sum);
    }
}

static void put_whole(struct summer *s, const struct cell *cell, uint64_t low, uint64_t high)
{
    put_part(s, 0, cell, (assay_value){ .u = low });
    /* each carry stands for 2^64 */
    for (unsigned part = 1; high > 0 && part + 1 < PARTS_MOST; part += 2, high--) {
        put_part(s, part, cell, (assay_value){ .u = UINT64_MAX });
        put_part(s, part + 1, cell, (assay_value){ .u = 1 });
    }
}

/* All cells of a node that have the column of the first one, which they lose then. */
static void sum_column(struct summer *s, struct cell *at, size_t count)
{
    const struct assay_metrics *m = assay_profile_metrics(s->p);
    uint32_t column = at->column, type = m->type ? m->type[assay_profile_scopes(s->p)->metric[column].v] : ASSAY_U64;
    struct exact sum = { .pending = 0 };
    uint64_t low = 0, high = 0;
    const struct cell first = *at;
    for (size_t i = 0; i < count; i++) {
        if (at[i].column != column) continue;
        at[i].column = 0;
        if (type == ASSAY_F64)
            exact_add(&sum, at[i].value.d);
        else
            high += __builtin_add_overflow(low, at[i].value.u, &low);
    }
    if (type == ASSAY_F64)
        put_real(s, &first, &sum);
    else
        put_whole(s, &first, low, high);
}

static int visit(struct summer *s, assay_cell_fn fn, assay_error *err)
{
    uint32_t streams = assay_profile_streams(s->p)->count;
    for (uint32_t i = 0; i <= streams; i++)
        if (assay_tree_column(s->p, (assay_stream_id){ i }, (assay_scope_id){ 0 }, fn, s, err) < 0) return err->code;
    return 0;
}

/* By node, in the order of rank 0, so that its values come in the order in which a builder wants them. */
static int sum_up(struct summer *s, uint32_t most, assay_error *err)
{
    TRY(visit(s, count_cell, err));
    for (uint32_t n = 2; n < most + 3; n++) s->begin[n] += s->begin[n - 1];
    size_t total = s->begin[most + 2];
    SCRATCH(struct cell, cells, s->mem, total + 1);
    if (!cells) return error_memory(err);
    s->cells = cells;
    TRY(visit(s, place_cell, err));
    for (uint32_t n = 0; n <= most; n++)
        for (size_t i = n ? s->begin[n] : 0; i < s->begin[n + 1]; i++)
            if (cells[i].column) sum_column(s, &cells[i], s->begin[n + 1] - i);
    return s->failed ? error_memory(err) : 0;
}

static int make_parts(struct summer *s, const uint32_t *number, uint32_t count, assay_error *err)
{
    uint32_t most = 0;
    for (uint32_t i = 1; i <= count; i++) most = number[i] > most ? number[i] : most;
    SCRATCH(size_t, begin, s->mem, (size_t)most + 3);
    if (!begin) return error_memory(err);
    s->number = number;
    s->begin = begin;
    return sum_up(s, most, err);
}

int share_give_sums(const assay_profile *p, assay_error *err)
{
    const struct share *share = share_of(p);
    const struct team *t = share->team;
    struct mem *mem = share->mem;
    uint32_t count = assay_profile_tree(p)->count, is_wanted;
    struct summer s = { .p = p, .mem = mem };
    SCRATCH(uint32_t, number, mem, (size_t)count + 1);
    TRY(team_agree(t, number ? 0 : error_memory(err), err));
    TRY(share_numbers(share, number, count, err));
    int rc = team_agree(t, make_parts(&s, number, count, err), err);
    for (unsigned i = 0; i < PARTS_MOST; i++) {
        uint64_t len = s.parts[i].len;
        if (rc == 0) {
            t->send(t->arg, 0, &len, sizeof len);
            t->receive(t->arg, 0, &is_wanted, sizeof is_wanted);
            if (is_wanted) t->send(t->arg, 0, s.parts[i].at, s.parts[i].len * sizeof *s.parts[i].at);
        }
        vec_done(mem, &s.parts[i]);
    }
    return team_agree(t, rc, err);
}

/* ---- rank 0 ---- */

/* One part of one rank. */
static int take_part(assay_builder *b, const struct team *t, uint32_t rank, int rc, assay_error *err)
{
    uint64_t given;
    char label[32];
    t->receive(t->arg, rank, &given, sizeof given);
    size_t len = given < SIZE_MAX / sizeof(struct cell) ? (size_t)given : 0;
    SCRATCH(struct cell, cells, b->mem, len + 1);
    uint32_t is_wanted = rc == 0 && cells && len == given;
    t->send(t->arg, rank, &is_wanted, sizeof is_wanted);
    if (rc != 0) return rc;
    if (!is_wanted) return error_memory(err);
    t->receive(t->arg, rank, cells, len * sizeof *cells);
    if (!len) return 0;
    snprintf(label, sizeof label, "rank %u", rank);
    assay_stream_id stream = assay_build_stream(b, label);
    for (size_t i = 0; i < len; i++) assay_build_value(b, stream, (assay_node_id){ cells[i].node }, (assay_scope_id){ cells[i].column }, cells[i].value);
    return assay_builder_failed(b) ? error_memory(err) : 0;
}

int share_take_sums(assay_builder *b, assay_error *err)
{
    const struct share *share = b->p->share;
    const struct team *t = share->team;
    uint32_t count = b->tree.count;
    SCRATCH(uint32_t, number, b->mem, (size_t)count + 1);
    TRY(team_agree(t, number ? 0 : error_memory(err), err));
    for (uint32_t i = 0; i <= count; i++) number[i] = i;
    TRY(share_numbers(share, number, count, err));
    int rc = team_agree(t, 0, err);
    TRY(rc);
    for (uint32_t rank = 1; rank < t->count; rank++)
        for (unsigned i = 0; i < PARTS_MOST; i++) rc = take_part(b, t, rank, rc, err);
    return team_agree(t, rc, err);
}

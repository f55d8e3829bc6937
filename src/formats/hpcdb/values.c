/* The values of one profile: gathered in any order, written by context and metric; see formats/hpcdb/write.h. */
#include "base/bits.h"
#include "formats/hpcdb/write.h"

int hpcdb_values_init(struct hpcdb_values *v, const struct hpcdb_plan *plan, uint32_t **seen, assay_error *err)
{
    *v = (struct hpcdb_values){ .plan = plan, .seen = seen };
    v->place = mem_zalloc(plan->mem, (size_t)plan->ctx_count + 1, sizeof *v->place);
    v->touched = mem_zalloc(plan->mem, bits_words(plan->ctx_count), sizeof *v->touched);
    if (!v->place || !v->touched) return error_memory(err);
    return plan->is_stored ? 0 : hpcdb_spread_init(&v->spread, plan, err);
}

void hpcdb_values_done(struct hpcdb_values *v)
{
    if (!v->plan) return;
    vec_done(v->plan->mem, &v->cells, &v->rows, &v->fixes, &v->bytes);
    mem_free(v->plan->mem, v->place, ((size_t)v->plan->ctx_count + 1) * sizeof *v->place);
    mem_free(v->plan->mem, v->touched, bits_words(v->plan->ctx_count) * sizeof *v->touched);
    hpcdb_spread_done(v->spread);
}

static bool add(struct hpcdb_values *v, uint32_t ctx, uint16_t id, double value)
{
    struct hpcdb_cell *cell = vec_push(v->plan->mem, &v->cells);
    if (cell)
        *cell = (struct hpcdb_cell){ ctx, id, value };
    else
        v->failed = true;
    return cell != NULL;
}

/* ---- values that are stored ---- */

static double number_of(const struct hpcdb_plan *plan, uint32_t scope, assay_value value)
{
    const struct assay_metrics *m = assay_profile_metrics(plan->p);
    switch (NUMBER_AT(m->type, assay_profile_scopes(plan->p)->metric[scope].v)) {
    case ASSAY_F64: return value.d;
    case ASSAY_I64: return (double)value.i;
    default: return (double)value.u;
    }
}

static int take_cell(void *arg, const assay_cell *cell)
{
    struct hpcdb_values *v = arg;
    uint16_t id = v->plan->column_id[cell->column];
    return id == PLAN_NO_ID || add(v, v->plan->ctx_of[cell->node], id, number_of(v->plan, cell->column, cell->value)) ? 0 : 1;
}

static int take_stat(void *arg, const assay_cell *cell)
{
    struct hpcdb_values *v = arg;
    uint16_t id = v->plan->stat_id[cell->column];
    return id == PLAN_NO_ID || add(v, v->plan->ctx_of[cell->node], id, cell->value.d) ? 0 : 1;
}

int hpcdb_values_of_stream(struct hpcdb_values *v, assay_stream_id stream, assay_error *err)
{
    v->cells.len = 0;
    v->fixes.len = 0;
    int rc = v->spread ? hpcdb_spread_stream(v->spread, stream, v, err) : assay_tree_column(v->plan->p, stream, (assay_scope_id){ 0 }, take_cell, v, err);
    return v->failed ? error_memory(err) : rc;
}

int hpcdb_values_of_summary(struct hpcdb_values *v, assay_error *err)
{
    v->cells.len = 0;
    int rc = assay_tree_summary(v->plan->p, (assay_stat_id){ 0 }, take_stat, v, err);
    return v->failed ? error_memory(err) : rc;
}

/* ---- the block ---- */

/* Few values for each context, mostly in order already. */
static void sort_row(unsigned char *row, uint32_t count)
{
    unsigned char moved[HPCDB_VALUE_LEN];
    for (uint32_t i = 1; i < count; i++) {
        uint32_t k = i;
        memcpy(moved, row + (size_t)i * HPCDB_VALUE_LEN, sizeof moved);
        for (; k > 0 && bytes_u16le(row + (size_t)(k - 1) * HPCDB_VALUE_LEN) > bytes_u16le(moved); k--)
            memcpy(row + (size_t)k * HPCDB_VALUE_LEN, row + (size_t)(k - 1) * HPCDB_VALUE_LEN, HPCDB_VALUE_LEN);
        memcpy(row + (size_t)k * HPCDB_VALUE_LEN, moved, sizeof moved);
    }
}

/* Moves a sorted row to `to` and drops what a damaged input has twice; the first one counts. Returns how many are left. */
static uint32_t move_row(unsigned char *to, const unsigned char *row, uint32_t count)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++, row += HPCDB_VALUE_LEN) {
        unsigned char *last = to + (size_t)kept * HPCDB_VALUE_LEN;
        if (kept && bytes_u16le(last - HPCDB_VALUE_LEN) == bytes_u16le(row)) continue;
        memmove(last, row, HPCDB_VALUE_LEN);
        kept++;
    }
    return kept;
}

/* The contexts that have cells, with how many are before them; `place` says the same by context. */
static bool list_rows(struct hpcdb_values *v)
{
    uint32_t count = 0;
    v->rows.len = 0;
    for (size_t i = 0; i < v->cells.len; i++)
        if (v->place[v->cells.at[i].ctx]++ == 0) bits_add(v->touched, v->cells.at[i].ctx);
    for (struct bits_walk w = bits_walk(v->touched, v->plan->ctx_count); bits_take(&w);) {
        struct hpcdb_row *row = vec_push(v->plan->mem, &v->rows);
        if (!row) return false;
        *row = (struct hpcdb_row){ w.at, count };
        count += v->place[w.at];
        v->place[w.at] = row->begin;
    }
    struct hpcdb_row *end = vec_push(v->plan->mem, &v->rows);
    if (end) *end = (struct hpcdb_row){ HPCDB_NONE, count };
    return end != NULL;
}

/* The cells by context, as bytes, each row by metric. */
static void place_cells(struct hpcdb_values *v, unsigned char *bytes)
{
    uint32_t kept = 0;
    for (size_t i = 0; i < v->cells.len; i++) {
        const struct hpcdb_cell *cell = &v->cells.at[i];
        hpcdb_encode_value(bytes + (size_t)v->place[cell->ctx]++ * HPCDB_VALUE_LEN, cell->id, cell->value);
    }
    for (size_t i = 0; i + 1 < v->rows.len; i++) {
        struct hpcdb_row *at = &v->rows.at[i];
        unsigned char *row = bytes + (size_t)at->begin * HPCDB_VALUE_LEN;
        uint32_t len = at[1].begin - at->begin;
        sort_row(row, len);
        at->begin = kept;
        kept += move_row(bytes + (size_t)kept * HPCDB_VALUE_LEN, row, len);
        v->place[at->ctx] = 0;
    }
    v->rows.at[v->rows.len - 1].begin = kept;
}

int hpcdb_values_encode(struct hpcdb_values *v, assay_error *err)
{
    if (v->cells.len > UINT32_MAX) FAIL(err, ASSAY_ERR_UNSUPPORTED, "a profile has more than %u values", UINT32_MAX);
    v->bytes.len = 0;
    if (!vec_reserve(v->plan->mem, &v->bytes, v->cells.len * HPCDB_VALUE_LEN + 1) || !list_rows(v)) return error_memory(err);
    place_cells(v, v->bytes.at);
    return 0;
}

void hpcdb_values_put(const struct hpcdb_values *v, struct hpcdb_encoder *e, struct hpcdb_block *block)
{
    unsigned char index[HPCDB_INDEX_LEN];
    size_t count = v->rows.len - 1;
    *block = (struct hpcdb_block){ .value_count = v->rows.at[count].begin, .ctx_count = (uint32_t)count, .values_at = hpcdb_encode_align(e, 4) };
    output_bytes(e->out, v->bytes.at, (size_t)block->value_count * HPCDB_VALUE_LEN);
    block->ctxs_at = hpcdb_encode_align(e, 4);
    for (size_t i = 0; i < count; i++) {
        hpcdb_encode_index(index, v->rows.at[i].ctx, v->rows.at[i].begin);
        output_bytes(e->out, index, sizeof index);
    }
}

/* Records -> samples that are added up by the bytes of their stack, so that a stack is taken apart once however often it comes, and with labels by stack and
 * set; nothing is allocated for a sample.
 *
 * A stack is as good as never where the one before it was: what is needed of it is asked for while others are decoded, a step for each place that is told by
 * the one before. */
#include "base/cancel.h"
#include "base/fetch.h"
#include "formats/pprof/read.h"

static int no_memory(struct pprof_reader *r) { return error_memory(r->err); }

/* The stack's number, from 1; 0 = no memory. Bytes of the file are kept where they are. */
static uint32_t stack_of(struct pprof_reader *r, const struct pprof_record *rec, uint64_t hash, uint64_t number)
{
    assay_slice bytes = rec->sample.stack;
    for (struct index_walk w = index_walk(&r->stack_index, hash); index_next(&r->stack_index, &w);)
        if (slice_equal(r->stacks.at[w.id].bytes, bytes)) return w.id;
    if (r->stacks.len > UINT32_MAX / 2 || !vec_reserve(r->mem, &r->stacks, 2)) return 0;
    if (!r->stacks.len) r->stacks.at[r->stacks.len++] = (struct pprof_stack){ .row = 0 };
    if (bytes.data == (const char *)r->d.stack.at && bytes.len) bytes.data = arena_copy(&r->copies, bytes);
    if (bytes.len && !bytes.data) return 0;
    uint32_t id = (uint32_t)r->stacks.len;
    bool is_bad = !pprof_stack_fits(&r->t, rec, number, &r->damage);
    r->stacks.at[r->stacks.len++] = (struct pprof_stack){ .bytes = bytes, .is_bad = is_bad };
    return index_add(&r->stack_index, hash, id) ? id : 0;
}

/* Where the values of (stack, set) stand, from 1; 0 = no memory. */
static uint32_t row_of(struct pprof_reader *r, uint32_t stack, uint32_t set)
{
    struct pprof_stack *s = &r->stacks.at[stack];
    if (!set && s->row) return s->row;
    uint64_t hash = hash_mix(stack, set);
    for (struct index_walk w = index_walk(&r->row_index, hash); set && index_next(&r->row_index, &w);)
        if (r->rows.at[w.id - 1].stack == stack && r->rows.at[w.id - 1].set == set) return w.id;
    size_t width = r->t.types.len;
    if (r->rows.len > UINT32_MAX / 2 || !vec_reserve(r->mem, &r->rows, 1) || !vec_reserve(r->mem, &r->values, width)) return 0;
    memset(r->values.at + r->values.len, 0, width * sizeof *r->values.at);
    r->values.len += width;
    r->rows.at[r->rows.len++] = (struct pprof_row_key){ stack, set };
    uint32_t id = (uint32_t)r->rows.len;
    if (!set) s->row = id;
    return !set || index_add(&r->row_index, hash, id) ? id : 0;
}

static assay_label_id label_of(struct pprof_reader *r, const struct pprof_label *l)
{
    struct assay_label label = { .key = grow_string(&r->grower, l->key), .kind = l->str ? ASSAY_LABEL_TEXT : ASSAY_LABEL_INTEGER };
    if (l->str) label.text = grow_string(&r->grower, l->str);
    if (!l->str) label.number = l->num;
    if (!l->str && l->num_unit) label.unit = grow_string(&r->grower, l->num_unit);
    return assay_build_label(r->b, &label);
}

/* Samples that follow each other mostly have the same labels. */
static bool is_last(const struct pprof_reader *r, const struct pprof_sample *s)
{
    return r->last.len == s->label_count && (!s->label_count || memcmp(r->last.at, s->labels, s->label_count * sizeof *s->labels) == 0);
}

static int set_of(struct pprof_reader *r, const struct pprof_record *rec, uint64_t number, uint32_t *out)
{
    const struct pprof_sample *s = &rec->sample;
    *out = 0;
    if (!s->label_count) return 0;
    for (uint32_t i = 0; !is_last(r, s) && i <= s->label_count; i++) {
        if (i == 0) r->labels.len = r->last.len = 0;
        if (i == 0 && (!vec_reserve(r->mem, &r->labels, s->label_count) || !vec_reserve(r->mem, &r->last, s->label_count))) return no_memory(r);
        if (i < s->label_count && pprof_label_fits(&r->t, &s->labels[i], rec->off, number, &r->damage))
            r->labels.at[r->labels.len++] = label_of(r, &s->labels[i]);
        if (i < s->label_count) continue;
        r->last_set = assay_build_label_set(r->b, r->labels.at, (uint32_t)r->labels.len);
        memcpy(r->last.at, s->labels, s->label_count * sizeof *s->labels);
        r->last.len = s->label_count;
        break;
    }
    *out = r->last_set.v;
    return assay_builder_failed(r->b);
}

static int add_sample(struct pprof_reader *r, const struct pprof_record *rec, uint64_t hash, uint64_t number)
{
    uint32_t set = 0, stack = stack_of(r, rec, hash, number);
    if (!stack) return no_memory(r);
    if (r->stacks.at[stack].is_bad || !pprof_values_fit(&r->t, rec, number, &r->damage)) return 0;
    if (r->has_labels) TRY(set_of(r, rec, number, &set));
    uint32_t row = row_of(r, stack, set);
    if (!row) return no_memory(r);
    size_t width = r->t.types.len;
    assay_value *to = r->values.at + (size_t)(row - 1) * width;
    for (size_t k = 0; k < width; k++) {
        int64_t v = rec->sample.values[k];
        if (__builtin_add_overflow(r->magnitude, v < 0 ? 0 - (uint64_t)v : (uint64_t)v, &r->magnitude)) r->magnitude = UINT64_MAX;
        if (__builtin_add_overflow(to[k].i, v, &to[k].i)) {
            to[k].i = v < 0 ? INT64_MIN : INT64_MAX;
            r->is_saturated = true;
        }
    }
    return 0;
}

/* ---- samples that wait ---- */

enum { AHEAD = 16 };

struct waiting {
    struct pprof_record rec; /* off and sample */
    uint64_t hash;
    uint32_t stack; /* a guess: the first whose hash is the same; 0 = none */
};

static void fetch_index(struct pprof_reader *r, struct waiting *w)
{
    const struct index *ix = &r->stack_index;
    w->hash = hash_bytes(w->rec.sample.stack.data, w->rec.sample.stack.len);
    if (ix->slot) fetch(&ix->slot[index_fold(w->hash) & ix->mask]);
}

static void fetch_stack(struct pprof_reader *r, struct waiting *w)
{
    struct index_walk at = index_walk(&r->stack_index, w->hash);
    w->stack = index_next(&r->stack_index, &at) ? at.id : 0;
    if (w->stack) fetch(&r->stacks.at[w->stack]);
}

static void fetch_bytes(struct pprof_reader *r, const struct waiting *w)
{
    if (!w->stack) return;
    const struct pprof_stack *s = &r->stacks.at[w->stack];
    if (s->bytes.len) fetch(s->bytes.data);
    if (s->bytes.len > 64) fetch(s->bytes.data + 64);
    if (s->row) fetch(r->values.at + (size_t)(s->row - 1) * r->t.types.len);
}

static int add_waiting(struct pprof_reader *r, struct waiting *list, size_t count, uint64_t number)
{
    for (size_t i = 0; i < count; i++) fetch_stack(r, &list[i]);
    for (size_t i = 0; i < count; i++) fetch_bytes(r, &list[i]);
    for (size_t i = 0; i < count; i++) {
        TRY(add_sample(r, &list[i].rec, list[i].hash, number + i));
        if (r->job->options->strict) TRY(findings_refuse(&r->damage, r->err));
    }
    return 0;
}

/* The decoder uses the room of its values again, so they are copied, as far as there are types. */
static void keep(struct pprof_reader *r, const struct pprof_record *rec, struct waiting *w, size_t at)
{
    size_t width = r->t.types.len, count = rec->sample.value_count < width ? rec->sample.value_count : width;
    w->rec.off = rec->off;
    w->rec.sample = rec->sample;
    w->rec.sample.values = r->ahead_values.at + at * width;
    if (count) memcpy(r->ahead_values.at + at * width, rec->sample.values, count * sizeof *rec->sample.values);
    fetch_index(r, w);
}

int pprof_add_samples(struct pprof_reader *r)
{
    struct pprof_record rec;
    struct waiting list[AHEAD];
    uint64_t number = 1;
    size_t count = 0, most = r->has_labels || r->job->options->strict ? 1 : AHEAD;
    pprof_rewind(&r->d, PPROF_SAMPLES);
    r->d.skips_labels = !r->has_labels;
    if (!vec_reserve(r->mem, &r->ahead_values, AHEAD * r->t.types.len + 1)) return no_memory(r);
    for (;;) {
        TRY(pprof_next(&r->d, &rec));
        if (rec.field) keep(r, &rec, &list[count], count);
        count += rec.field != 0;
        bool lasts = rec.field && rec.sample.stack.data != (const char *)r->d.stack.at; /* a stack that was put together does not */
        if (lasts && count < most) continue;
        TRY(add_waiting(r, list, count, number));
        number += count;
        count = 0;
        if (!rec.field) return r->damage.failed ? no_memory(r) : 0;
    }
}

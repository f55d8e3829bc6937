/* Logical numbers of id tuples; see measure.h. */
#include "formats/hpcrun/hpcrun-measurements/measure.h"

/* Marks in place of a prefix. COUNTER rows hold how many numbers were given below a prefix to a kind. */
enum { ANYWHERE = UINT32_MAX };
#define COUNTER 0x10000u

/* How the numbers of an element are to be read (the two high bits of its kind). */
enum { READ_BOTH = 0, GENERATE_LOCAL = 1, GENERATE_GLOBAL = 2, READ_LOGICAL = 3 };

void tuples_init(struct tuples *t, struct mem *m)
{
    *t = (struct tuples){ .mem = m };
    index_init(&t->index, m);
}

void tuples_done(struct tuples *t)
{
    if (!t->mem) return;
    vec_done(t->mem, &t->rows);
    index_done(&t->index);
}

/* The row with this key, made when it is not there yet; 0 = no memory. */
static uint32_t row_of(struct tuples *t, uint32_t prefix, uint32_t kind, uint64_t number, bool *is_new)
{
    uint64_t hash = hash_mix(hash_mix((uint64_t)prefix << 32 | kind, number), 0);
    *is_new = false;
    for (struct index_walk w = index_walk(&t->index, hash); index_next(&t->index, &w);) {
        const struct tuples_row *r = &t->rows.at[w.id - 1];
        if (r->prefix == prefix && r->kind == kind && r->number == number) return w.id;
    }
    struct tuples_row *row = vec_push(t->mem, &t->rows);
    if (!row) return 0;
    *row = (struct tuples_row){ .prefix = prefix, .kind = kind, .number = number };
    *is_new = true;
    return index_add(&t->index, hash, (uint32_t)t->rows.len) ? (uint32_t)t->rows.len : 0;
}

/* The number that `physical` has below `prefix`, the next free one when it has none. false = no memory. */
static bool generate(struct tuples *t, uint32_t prefix, uint32_t kind, uint64_t physical, uint64_t *logical)
{
    bool is_new, ignored;
    uint32_t row = row_of(t, prefix, kind, physical, &is_new);
    if (row && is_new) {
        uint32_t counter = row_of(t, prefix, kind | COUNTER, 0, &ignored);
        if (!counter) return false;
        t->rows.at[row - 1].logical = t->rows.at[counter - 1].logical++;
    }
    if (row) *logical = t->rows.at[row - 1].logical;
    return row != 0;
}

bool tuples_number(struct tuples *t, const struct hpcrun_tuple *element, uint32_t *prefix, uint64_t *logical)
{
    uint16_t kind = hpcrun_tuple_kind(element->word), reading = hpcrun_tuple_reading(element->word);
    bool ignored, has_room = true;
    *logical = element->logical;
    if (reading == GENERATE_LOCAL) has_room = generate(t, *prefix, kind, element->physical, logical);
    if (reading == GENERATE_GLOBAL) has_room = generate(t, ANYWHERE, kind, element->physical, logical);
    *prefix = has_room ? row_of(t, *prefix, kind, reading == READ_LOGICAL ? element->logical : element->physical, &ignored) : 0;
    return *prefix != 0;
}

/* Columns under construction: arrays by row that are only as long as the last row that is not 0. So a field that no row fills costs
 * nothing and is NULL in the sealed profile. */
#ifndef MODEL_COLUMN_H
#define MODEL_COLUMN_H

#include "assay/model.h"
#include "base/vec.h"

struct col8 {
    uint8_t *at;
    size_t len, cap;
};
struct col32 {
    uint32_t *at;
    size_t len, cap;
};
struct col64 {
    uint64_t *at;
    size_t len, cap;
};
struct colint {
    int64_t *at;
    size_t len, cap;
};
struct colwide {
    assay_wide *at;
    size_t len, cap;
};
struct coldouble {
    double *at;
    size_t len, cap;
};
struct colvalue {
    assay_value *at;
    size_t len, cap;
};

/* A column of any kind; each is laid out like this. */
struct any_column {
    void *at;
    size_t len, cap;
};
static inline struct any_column column_load(const void *column)
{
    struct any_column c;
    memcpy(&c, column, sizeof c);
    return c;
}
static inline void column_store(void *column, struct any_column c) { memcpy(column, &c, sizeof c); }

/* Makes the column at least `rows` long, the new ones 0; false = no memory. */
#define column_reach(m, c, rows) column_reach_((m), (void **)&(c)->at, &(c)->len, &(c)->cap, (rows), sizeof *(c)->at)

static inline bool column_reach_(struct mem *m, void **at, size_t *len, size_t *cap, size_t rows, size_t size)
{
    if (rows <= *len) return true;
    if (rows == *len + 1 && rows <= *cap) { /* the next row: nearly every call */
        memset((char *)*at + *len * size, 0, size);
        *len = rows;
        return true;
    }
    if (!vec_grow_(m, at, *len, cap, rows - *len, size)) return false;
    char *from = (char *)*at + *len * size;
    if (rows == *len + 1)
        memset(from, 0, size); /* a constant wherever this is inlined: one store */
    else
        memset(from, 0, (rows - *len) * size);
    *len = rows;
    return true;
}

/* row -> value; 0 beyond the end */
static inline uint8_t get8(const struct col8 *c, size_t row) { return row < c->len ? c->at[row] : 0; }
static inline uint32_t get32(const struct col32 *c, size_t row) { return row < c->len ? c->at[row] : 0; }
static inline uint64_t get64(const struct col64 *c, size_t row) { return row < c->len ? c->at[row] : 0; }

/* Gathers: the new row i is the old row order[i], for i in 0 .. rows-1, `size` bytes each. false = no memory, nothing changed. */
bool column_gather(struct mem *m, void **at, size_t *len, size_t *cap, size_t rows, size_t size, const uint32_t *order);

/* Stable sort of `count` numbers by their bits from `low_bit` up; `row` (may be NULL) is moved along. Linear time; false = no memory. */
bool radix_sort(struct mem *m, uint64_t *key, uint32_t *row, size_t count, unsigned low_bit);

#endif

/* Reordering columns, and the linear sort that finds the order; see model/column.h. */
#include "model/column.h"

#include "base/cancel.h"

enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS };

bool column_gather(struct mem *m, void **at, size_t *len, size_t *cap, size_t rows, size_t size, const uint32_t *order)
{
    if (*len == 0 || rows == 0) return true;
    if (!column_reach_(m, at, len, cap, rows, size)) return false;
    char *to = mem_alloc(m, rows * size);
    if (!to) return false;
    const char *from = *at;
    if (size == 4)
        for (size_t i = 0; i < rows; i++) memcpy(to + i * 4, from + (size_t)order[i] * 4, 4);
    else if (size == 8)
        for (size_t i = 0; i < rows; i++) memcpy(to + i * 8, from + (size_t)order[i] * 8, 8);
    else
        for (size_t i = 0; i < rows; i++) memcpy(to + i * size, from + (size_t)order[i] * size, size);
    mem_free(m, *at, *cap * size);
    *at = to;
    *len = *cap = rows;
    return true;
}

/* One pass by the digit at `shift`; false = every key has the same digit there, nothing was moved. */
static bool pass(const uint64_t *key, const uint32_t *row, uint64_t *to_key, uint32_t *to_row, size_t count, unsigned shift)
{
    size_t begin[DIGITS] = { 0 };
    for (size_t i = 0; i < count; i++) begin[(key[i] >> shift) & (DIGITS - 1)]++;
    if (begin[(key[0] >> shift) & (DIGITS - 1)] == count) return false;
    size_t sum = 0;
    for (size_t d = 0; d < DIGITS; d++) {
        size_t n = begin[d];
        begin[d] = sum;
        sum += n;
    }
    for (size_t i = 0; i < count; i++) {
        size_t to = begin[(key[i] >> shift) & (DIGITS - 1)]++;
        to_key[to] = key[i];
        if (row) to_row[to] = row[i];
    }
    return true;
}

bool radix_sort(struct mem *m, uint64_t *key, uint32_t *row, size_t count, unsigned low_bit)
{
    if (count < 2) return true;
    uint64_t *spare_key = mem_alloc(m, count * sizeof *key);
    uint32_t *spare_row = row ? mem_alloc(m, count * sizeof *row) : NULL;
    bool done = spare_key && (!row || spare_row);
    uint64_t *from_key = key, *to_key = spare_key;
    uint32_t *from_row = row, *to_row = spare_row;
    for (unsigned shift = low_bit; done && shift < 64; shift += DIGIT_BITS) {
        if (cancel_due()) done = false;
        if (!done || !pass(from_key, from_row, to_key, to_row, count, shift)) continue;
        uint64_t *k = from_key;
        uint32_t *r = from_row;
        from_key = to_key, to_key = k;
        from_row = to_row, to_row = r;
    }
    if (done && from_key != key) {
        memcpy(key, from_key, count * sizeof *key);
        if (row) memcpy(row, from_row, count * sizeof *row);
    }
    mem_free(m, spare_key, count * sizeof *key);
    mem_free(m, spare_row, row ? count * sizeof *row : 0);
    return done;
}

/* A mutator for formats whose parts refer to each other by 64-bit offsets (hpcdb; the sections of hpcrun 04.00 and its footer): what plain mutation
 * inserts or removes breaks all of them at once. Half of the time it does one of these: moves bytes in or out and lets the offsets follow, lets a
 * number point to some other place, or copies a number over another. */
#include <string.h>

#include "fuzz.h"

enum { WORD = 8, MOVES_MOST = 64 };

static uint32_t next_number(uint32_t *state) { return (*state = *state * 1664525u + 1013904223u) >> 8; }

/* hpcrun has the most significant byte first, hpcdb the least. */
static int place_of(int byte) { return strcmp(FUZZ_FORMAT, "hpcrun") == 0 ? WORD - 1 - byte : byte; }

static uint64_t word_at(const uint8_t *p)
{
    uint64_t v = 0;
    for (int i = 0; i < WORD; i++) v |= (uint64_t)p[place_of(i)] << 8 * i;
    return v;
}

static void put_word(uint8_t *p, uint64_t v)
{
    for (int i = 0; i < WORD; i++) p[place_of(i)] = (uint8_t)(v >> 8 * i);
}

/* Every number that could be an offset from `from` on is that of a place which moved by `by`. */
static void follow(uint8_t *data, size_t len, size_t from, size_t before, uint64_t by)
{
    for (size_t i = 0; i + WORD <= len; i += WORD) {
        uint64_t v = word_at(data + i);
        if (v >= from && v <= before) put_word(data + i, v + by);
    }
}

static size_t insert(uint8_t *data, size_t len, size_t room, size_t at, uint32_t *state)
{
    size_t n = WORD * (1 + next_number(state) % (MOVES_MOST / WORD));
    if (n > room - len) return 0;
    size_t from = len > n ? next_number(state) % (len - n) / WORD * WORD : 0;
    uint8_t copy[MOVES_MOST] = { 0 };
    memcpy(copy, data + from, n < len ? n : len);
    memmove(data + at + n, data + at, len - at);
    memcpy(data + at, copy, n);
    follow(data, len + n, at, len, n);
    return len + n;
}

static size_t erase(uint8_t *data, size_t len, size_t at, uint32_t *state)
{
    size_t n = WORD * (1 + next_number(state) % (MOVES_MOST / WORD));
    if (n >= len - at) return 0;
    memmove(data + at, data + at + n, len - at - n);
    follow(data, len - n, at + n, len, 0 - (uint64_t)n);
    return len - n;
}

static size_t point_elsewhere(uint8_t *data, size_t len, size_t at, uint32_t *state)
{
    size_t other = next_number(state) % len / WORD * WORD;
    if (at + WORD > len || other + WORD > len) return 0;
    put_word(data + at, next_number(state) % 2 ? other : word_at(data + other));
    return len;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t len, size_t room, unsigned seed)
{
    uint32_t state = seed;
    size_t made = 0, at = len ? next_number(&state) % len / WORD * WORD : 0;
    unsigned what = next_number(&state) % 8;
    if (len < 2 * WORD) what = 7;
    if (what == 0) made = insert(data, len, room, at, &state);
    if (what == 1) made = erase(data, len, at, &state);
    if (what == 2 || what == 3) made = point_elsewhere(data, len, at, &state);
    return made ? made : LLVMFuzzerMutate(data, len, room);
}

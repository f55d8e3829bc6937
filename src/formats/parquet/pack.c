/* Encodings; see pack.h. */
#include "formats/parquet/pack.h"

enum { GROUP = 8 };

unsigned pack_width(size_t count)
{
    unsigned width = 0;
    while (width < 32 && count > (size_t)1 << width) width++;
    return width;
}

/* How many numbers are equal to the first of [v, end). */
static size_t run_of(const uint32_t *v, const uint32_t *end)
{
    const uint32_t *at = v;
    while (at < end && *at == *v) at++;
    return (size_t)(at - v);
}

static bool is_run(const uint32_t *v, const uint32_t *end)
{
    if (end - v < GROUP) return false;
    for (int i = 1; i < GROUP; i++)
        if (v[i] != v[0]) return false;
    return true;
}

static void put_run(struct buffer *to, uint32_t v, size_t count, unsigned width)
{
    buffer_varint(to, (uint64_t)count << 1);
    buffer_le(to, v, (width + 7) / 8);
}

/* Whole groups, the last one filled up with zeros; the lowest bits come first. */
static void put_groups(struct buffer *to, const uint32_t *v, size_t count, unsigned width)
{
    size_t groups = (count + GROUP - 1) / GROUP, i = 0;
    uint64_t bits = 0;
    unsigned held = 0;
    buffer_varint(to, (uint64_t)groups << 1 | 1);
    uint8_t *out = buffer_room(to, groups * width);
    if (!out) return;
    for (; i < groups * GROUP; i++) {
        bits |= (uint64_t)(i < count ? v[i] : 0) << held;
        for (held += width; held >= 8; held -= 8, bits >>= 8) *out++ = (uint8_t)bits;
    }
}

void pack_hybrid(struct buffer *to, const uint32_t *v, size_t count, unsigned width)
{
    const uint32_t *end = v + count;
    while (v < end) {
        if (is_run(v, end)) {
            size_t run = run_of(v, end);
            put_run(to, *v, run, width);
            v += run;
            continue;
        }
        const uint32_t *from = v;
        while (v < end && !is_run(v, end)) v += end - v < GROUP ? end - v : GROUP;
        put_groups(to, from, (size_t)(v - from), width);
    }
}

/* Levels of one bit: nearly always a run, or few of them. */
void pack_levels(struct buffer *to, const uint8_t *v, size_t count, size_t set)
{
    size_t begin = to->bytes.len;
    buffer_le(to, 0, 4);
    if (set == count || !set) {
        put_run(to, set ? 1 : 0, count, 1);
    } else {
        const uint8_t *end = v + count;
        while (v < end) {
            const uint8_t *at = memchr(v, *v ? 0 : 1, (size_t)(end - v));
            size_t run = (size_t)((at ? at : end) - v);
            if (run >= GROUP) {
                put_run(to, *v, run, 1);
                v += run;
                continue;
            }
            uint32_t group[GROUP] = { 0 };
            size_t len = end - v < GROUP ? (size_t)(end - v) : GROUP;
            for (size_t i = 0; i < len; i++) group[i] = v[i];
            put_groups(to, group, len, 1);
            v += len;
        }
    }
    if (to->failed) return;
    for (unsigned i = 0; i < 4; i++) to->bytes.at[begin + i] = (uint8_t)((to->bytes.len - begin - 4) >> 8 * i);
}

void pack_numbers(struct buffer *to, const uint64_t *v, size_t count)
{
    uint8_t *out = buffer_room(to, 8 * count);
    for (size_t i = 0; out && i < count; i++)
        for (unsigned k = 0; k < 8; k++) *out++ = (uint8_t)(v[i] >> 8 * k);
}

void pack_texts(struct buffer *to, const assay_slice *v, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        buffer_le(to, v[i].len, 4);
        buffer_put(to, v[i].data, v[i].len);
    }
}

/* The log of a coarse tree: a few bytes for each invocation, which are read from the end; see formats/coarse/tree.h. */
#include "formats/coarse/log.h"

#include "base/error.h"

enum { RECORD_MOST = 5 + 3 * 10, FEW = 3 /* counts that stand with the function */ };

void coarse_init(struct coarse_tree *t, struct mem *mem)
{
    *t = (struct coarse_tree){ .mem = mem };
    spill_init(&t->log, mem);
}

void coarse_done(struct coarse_tree *t)
{
    if (!t->mem) return;
    spill_done(&t->log);
    vec_done(t->mem, &t->lengths, &t->runs);
}

/* Saturates where a time of a timeline would. */
static uint64_t add_up(uint64_t a, uint64_t b) { return a > (uint64_t)INT64_MAX - b ? INT64_MAX : a + b; }

/* Seven bits a byte, the last ones first: it is read from its end, where the first ones are. Every byte but that of the last bits has the eighth. */
static uint8_t *put_number(uint8_t *at, uint64_t v)
{
    uint8_t digits[10];
    unsigned count = 0;
    do {
        digits[count++] = (uint8_t)(v & 0x7f);
    } while (v >>= 7);
    for (unsigned i = count; i > 0; i--) *at++ = (uint8_t)(digits[i - 1] | (i < count ? 0x80 : 0));
    return at;
}

static uint64_t take_number(struct spill *log)
{
    uint64_t v = 0;
    uint8_t byte;
    unsigned shift = 0;
    do {
        byte = spill_take(log);
        v |= (uint64_t)(byte & 0x7f) << shift;
        shift += 7;
    } while (byte & 0x80 && shift < 64);
    return v;
}

int coarse_push(struct coarse_tree *t, assay_func_id func, uint64_t length, size_t count, assay_error *err)
{
    uint64_t below = 0;
    if (length > INT64_MAX) length = INT64_MAX;
    for (size_t i = t->lengths.len - count; i < t->lengths.len; i++) below = add_up(below, t->lengths.at[i]);
    if (below > INT64_MAX - length) length = INT64_MAX - below;
    t->lengths.len -= count;
    uint64_t *slot = spill_room(&t->log, RECORD_MOST) ? vec_push(t->mem, &t->lengths) : NULL;
    if (!slot) return error_memory(err);
    *slot = below + length;
    uint8_t *at = t->log.tail.at + t->log.tail.len;
    if (count) at = put_number(at, below);
    at = put_number(at, length);
    if (count >= FEW) at = put_number(at, count);
    at = put_number(at, (uint64_t)func.v << 2 | (count < FEW ? count : FEW));
    t->log.tail.len = (size_t)(at - t->log.tail.at);
    t->calls++;
    return 0;
}

struct coarse_call coarse_take(struct spill *log)
{
    struct coarse_call c = { 0 };
    uint64_t head = take_number(log);
    c.func = (uint32_t)(head >> 2);
    c.count = head & 3;
    if (c.count == FEW) c.count = take_number(log);
    c.self = c.length = take_number(log);
    if (c.count) c.length += take_number(log);
    return c;
}

int coarse_end(struct coarse_tree *t, assay_stream_id stream, assay_error *err)
{
    struct coarse_run *run = vec_push(t->mem, &t->runs);
    if (!run) return error_memory(err);
    *run = (struct coarse_run){ .stream = stream, .end = spill_len(&t->log), .roots = t->lengths.len, .calls = t->calls };
    for (size_t i = 0; i < t->lengths.len; i++) run->total = add_up(run->total, t->lengths.at[i]);
    t->lengths.len = 0;
    t->calls = 0;
    return 0;
}

/* Text in UTF-16, with its mark at the beginning (PowerShell writes it): becomes UTF-8 as compressed input is unpacked; see base/inflate.h. The mark is left out.
 * Half of a pair becomes U+FFFD. */
#include <string.h>

#include "base/inflate.h"

struct utf16_state {
    uint8_t first; /* byte of a unit whose second one is still to come */
    bool has_first, has_begun;
    uint16_t high;    /* first half of a pair; 0 = none */
    uint8_t ready[8]; /* what did not fit into the output yet */
    unsigned ready_len, ready_at;
};

static enum inflate_status utf16_init(void *state, struct mem *mem)
{
    (void)mem;
    memset(state, 0, sizeof(struct utf16_state));
    return INFLATE_GO_ON;
}

static void utf16_done(void *state) { (void)state; }

static void put(struct utf16_state *s, uint32_t code)
{
    uint8_t *to = s->ready + s->ready_len;
    unsigned more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    static const uint8_t heads[] = { 0, 0xc0, 0xe0, 0xf0 };
    to[0] = (uint8_t)(heads[more] | code >> (6 * more));
    for (unsigned i = 1; i <= more; i++) to[i] = (uint8_t)(0x80 | (code >> (6 * (more - i)) & 0x3f));
    s->ready_len += more + 1;
}

static void take_unit(struct utf16_state *s, uint16_t unit)
{
    bool is_first = !s->has_begun, is_low = unit >= 0xdc00 && unit < 0xe000;
    s->has_begun = true;
    if (is_first && unit == 0xfeff) return;
    if (s->high && is_low) {
        put(s, 0x10000u + ((uint32_t)(s->high - 0xd800) << 10) + (unit - 0xdc00u));
        s->high = 0;
        return;
    }
    if (s->high) put(s, 0xfffd);
    s->high = unit >= 0xd800 && unit < 0xdc00 ? unit : 0;
    if (!s->high) put(s, is_low ? 0xfffd : unit);
}

/* Moves what is ready on; false = the output is full. */
static bool flush(struct utf16_state *s, struct inflate_io *io)
{
    unsigned n = s->ready_len - s->ready_at;
    if (n > io->out_len) n = (unsigned)io->out_len;
    memcpy(io->out, s->ready + s->ready_at, n);
    io->out += n;
    io->out_len -= n;
    s->ready_at += n;
    if (s->ready_at < s->ready_len) return false;
    s->ready_at = s->ready_len = 0;
    return true;
}

static enum inflate_status end(struct utf16_state *s)
{
    if (s->has_first) return INFLATE_CUT;
    if (!s->high) return INFLATE_END;
    s->high = 0;
    put(s, 0xfffd);
    return INFLATE_GO_ON;
}

static enum inflate_status run(struct utf16_state *s, struct inflate_io *io, bool is_big)
{
    while (flush(s, io)) {
        if (!io->in_len) {
            if (!io->last) return INFLATE_GO_ON;
            enum inflate_status at_end = end(s);
            if (at_end != INFLATE_GO_ON) return at_end;
            continue;
        }
        uint8_t byte = *io->in++;
        io->in_len--;
        if (!s->has_first) {
            s->first = byte;
            s->has_first = true;
            continue;
        }
        s->has_first = false;
        take_unit(s, is_big ? (uint16_t)(s->first << 8 | byte) : (uint16_t)(byte << 8 | s->first));
    }
    return INFLATE_GO_ON;
}

static enum inflate_status run_little(void *state, struct inflate_io *io, const char **reason)
{
    (void)reason;
    return run(state, io, false);
}

static enum inflate_status run_big(void *state, struct inflate_io *io, const char **reason)
{
    (void)reason;
    return run(state, io, true);
}

const struct inflate_codec inflate_utf16_little = { .state_size = sizeof(struct utf16_state), .init = utf16_init, .run = run_little, .done = utf16_done };
const struct inflate_codec inflate_utf16_big = { .state_size = sizeof(struct utf16_state), .init = utf16_init, .run = run_big, .done = utf16_done };

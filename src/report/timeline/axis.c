/* Where the marks of a time axis stand and what they say; which colour a function has. */
#include <stdio.h>
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/slice.h"
#include "report/timeline/timeline.h"

/* ---- axis ---- */

static const struct {
    const char *name;
    uint64_t ns;
} units[] = { { "s", 1000000000 }, { "ms", 1000000 }, { "us", 1000 }, { "ns", 1 } };

/* 1, 2 or 5 times a power of ten. */
static uint64_t next_step(uint64_t step)
{
    uint64_t power = 1;
    while (step / power >= 10) power *= 10;
    return step / power == 2 ? step / 2 * 5 : step * 2;
}

static void choose_unit(struct timeline_axis *a, uint64_t last)
{
    size_t i = 0;
    while (units[i].ns > 1 && last < units[i].ns) i++;
    a->unit = units[i].name;
    a->scale = units[i].ns;
}

static void count_decimals(struct timeline_axis *a)
{
    a->decimals = 0;
    for (uint64_t part = a->scale; part > 1 && a->step % part; part /= 10) a->decimals++;
}

struct timeline_axis timeline_axis_of(const struct timeline *t, unsigned room)
{
    uint64_t from = timeline_since(t, t->from), to = timeline_since(t, t->to);
    struct timeline_axis a = { .step = 1, .scale = 1, .unit = t->unit };
    if (strcmp(t->unit, "ns") == 0) choose_unit(&a, to);
    for (;; a.step = next_step(a.step)) {
        char buf[64];
        count_decimals(&a);
        uint64_t marks = (to - from) / a.step + 1;
        if (marks <= room / (timeline_mark(&a, to, buf) + 3) || a.step > UINT64_MAX / 8 || marks <= 2) break;
    }
    a.first = from % a.step ? from - from % a.step + a.step : from;
    return a;
}

size_t timeline_mark(const struct timeline_axis *a, uint64_t at, char *buf)
{
    uint64_t rest = at % a->scale, part = a->scale;
    int len = snprintf(buf, 64, "%llu", (unsigned long long)(at / a->scale));
    for (unsigned i = 0; i < a->decimals; i++) part /= 10;
    if (!at) return (size_t)len;
    if (a->decimals) len += snprintf(buf + len, 64 - (size_t)len, ".%0*llu", (int)a->decimals, (unsigned long long)(rest / (part ? part : 1)));
    return (size_t)len + (size_t)snprintf(buf + len, 64 - (size_t)len, " %.20s", a->unit);
}

/* ---- colours ---- */

enum { BOLD = 8 /* colours that can be distinguished with any kind of colour vision; the rest are other shades */ };

void timeline_colours(const struct timeline *t, const uint32_t *keys, size_t count, uint8_t *out)
{
    uint32_t taken = 0;
    for (size_t i = 0; i < count; i++) {
        char buf[48];
        assay_slice name = timeline_name(t, keys[i], buf);
        unsigned first = i < BOLD ? 0 : BOLD, many = i < BOLD ? BOLD : TIMELINE_COLOURS - BOLD;
        unsigned at = (unsigned)(XXH64(name.data, name.len, 0) % many);
        for (unsigned tries = 0; tries < many && taken >> (first + at) & 1; tries++) at = (at + 1) % many;
        taken |= (uint32_t)1 << (first + at);
        out[i] = (uint8_t)(first + at);
    }
}

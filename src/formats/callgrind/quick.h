/* Lines that most files consist of and that need no record of their own: names by known references, and calls. Every scan stops at the '\n' that ends the block. */
#ifndef CALLGRIND_QUICK_H
#define CALLGRIND_QUICK_H

#include <endian.h>

#include "formats/callgrind/decode.h"
#include "formats/callgrind/plain.h"

/* The first four bytes of a line, as a number that a switch can take. */
#define QUICK_HEAD(a, b, c, d) ((uint32_t)(a) << 24 | (b) << 16 | (c) << 8 | (d))

static inline uint32_t quick_head(const char *p)
{
    uint32_t head;
    memcpy(&head, p, sizeof head);
    return be32toh(head);
}

/* The name that "(12)" and a line end refer to; 0 = not of that form, or not known. *p moves behind the line. */
static inline uint32_t quick_reference(const struct cg_ids *ids, const char **p, const char *end)
{
    const char *at = *p;
    uint64_t id;
    if (at[0] != '(' || !is_digit(at[1])) return 0;
    at = short_number(at + 1, end, &id);
    if (!at || at[0] != ')' || at[1] != '\n' || id >= ids->dense.len) return 0;
    *p = at + 2;
    return ids->dense.at[id];
}

/* A line that names something by a known reference: puts it in force, and returns the next line; NULL = another line. */
static inline const char *quick_name(struct cg_decoder *d, const char *p, uint32_t head)
{
    const char *q = p + (*p == 'c' ? 4 : 3), *end = d->end;
    uint32_t name;
    if (head == QUICK_HEAD('c', 'f', 'n', '=')) {
        if ((name = quick_reference(&d->ids[2], &q, end))) cg_apply(d, CG_CFN, name);
    } else if (head == QUICK_HEAD('c', 'f', 'l', '=') || head == QUICK_HEAD('c', 'f', 'i', '=')) {
        if ((name = quick_reference(&d->ids[1], &q, end))) cg_apply(d, CG_CFI, name);
    } else if (head == QUICK_HEAD('f', 'n', '=', '(')) {
        if ((name = quick_reference(&d->ids[2], &q, end))) cg_apply(d, CG_FN, name);
    } else if (head == QUICK_HEAD('f', 'l', '=', '(')) {
        if ((name = quick_reference(&d->ids[1], &q, end))) cg_apply(d, CG_FL, name);
    } else if (head == QUICK_HEAD('c', 'o', 'b', '=')) {
        if ((name = quick_reference(&d->ids[0], &q, end))) cg_apply(d, CG_COB, name);
    } else if (head == QUICK_HEAD('f', 'i', '=', '(') || head == QUICK_HEAD('f', 'e', '=', '(')) {
        if ((name = quick_reference(&d->ids[1], &q, end))) cg_apply(d, CG_FI, name);
    } else
        return NULL;
    return name ? q : NULL;
}

/* "calls=8 12", in a part with lines and no addresses; the next line, or NULL = look closer. */
static inline const char *quick_calls(const struct cg_decoder *d, const char *p, uint64_t *calls, uint32_t *target)
{
    if (p[4] != 's' || p[5] != '=' || !is_digit(p[6])) return NULL;
    const char *q = short_number(p + 6, d->end, calls);
    if (!q || *q != ' ' || !(q = plain_line_number(q + 1, d->end, d->base.line, target))) return NULL;
    q += *q == ' '; /* Valgrind ends the line with one */
    return *q == '\n' ? q + 1 : NULL;
}

/* Self costs in a row. */
struct quick_run {
    int64_t sum, line; /* so far; of the line before */
    uint64_t found;    /* lines that were not seen before */
    uint32_t lines;
};

/* Adds cost lines from p on, up to the first that looks different, or lies beyond the lines of `seen`, which may be NULL; returns that one. */
static inline const char *quick_run(const char *p, const char *end, struct cg_bits *seen, struct quick_run *run)
{
    int64_t sum = run->sum, line = run->line, at, next, most = seen ? (int64_t)seen->len * 64 - 1 : UINT32_MAX;
    uint64_t cost, found = 0;
    uint32_t lines = 0;
    while (end - p >= QUICK) {
        const char *q = quick_cost_line(p, line, &at, &cost);
        if (!q || at < 0 || at > most || __builtin_add_overflow(sum, (int64_t)cost, &next)) break;
        sum = next;
        line = at;
        if (seen) {
            uint64_t *word = &seen->at[line / 64], old = *word;
            *word |= (uint64_t)1 << line % 64;
            found += *word != old;
        }
        lines++;
        p = q + 1;
    }
    *run = (struct quick_run){ sum, line, found, lines };
    return p;
}

#endif

/* JSON as events, pulled one by one over blocks of the input: RFC 8259, any value at the top, a byte order mark skipped, no recursion.
 *
 * Strings and numbers are slices of the input, borrowed until the next call; a string is copied only when it has escapes. Strings are bytes as
 * everywhere in assay: what is not UTF-8 is kept, \udc80 to \udcff is the byte that base/json.h wrote so, any other half of a pair is U+FFFD.
 * Keys that come twice are the caller's business.
 *
 * Damage goes to the findings list given at the start, and is the end of the events: J-1 syntax or cut, J-4 nested too deep, Z-1 and Z-2 the
 * packing is cut or damaged (offset in the compressed file; nothing else is said then). */
#ifndef BASE_JSON_READ_H
#define BASE_JSON_READ_H

#include "base/findings.h"
#include "base/input.h"
#include "base/vec.h"

enum json_kind {
    JSON_END = 0, /* of the input, or of what can be understood */
    JSON_OBJECT,
    JSON_ARRAY,
    JSON_OBJECT_END,
    JSON_ARRAY_END,
    JSON_KEY,    /* text; its value is the next event */
    JSON_STRING, /* text without quotes, escapes resolved */
    JSON_NUMBER, /* text as written, of valid form */
    JSON_TRUE,
    JSON_FALSE,
    JSON_NULL
};

struct json_event {
    enum json_kind kind;
    unsigned depth; /* objects and arrays around it */
    assay_slice text;
    uint64_t off;  /* of its first byte: the quote of a string */
    uint64_t line; /* from 1 */
};

enum { JSON_READ_DEPTH = 64 };

struct json_reader {
    struct input *in;
    struct mem *mem;
    struct findings *damage;
    assay_error *err;
    const char *begin, *at, *end; /* the block, what is left of it */
    uint64_t begin_off, line;
    unsigned depth;
    bool is_object[JSON_READ_DEPTH];
    uint8_t state;
    bool at_eof, is_damaged;
    VEC(char) scratch; /* a string with escapes, resolved */
};

/* All but `r` is borrowed until json_read_done. */
void json_read_init(struct json_reader *r, struct input *in, struct mem *mem, struct findings *damage, assay_error *err);
void json_read_done(struct json_reader *r);
/* The next event. 0 or an error of input or memory; JSON_END at the end, and from then on. */
int json_read_next(struct json_reader *r, struct json_event *e);
/* Behind the value that begins with `e`, the event given last: of an object or array to its end, nothing of any other. On damage e is JSON_END. */
int json_read_skip(struct json_reader *r, struct json_event *e);
/* Right behind the event of an array: takes the whole of it when it is no more than `max` (up to 32) plain values - whole numbers below 10^18,
 * true (1), false (0) - and all of it is at hand. Bit i of *words is set when value i is true or false. -1 = it is not so, and nothing is taken. */
int json_read_plain(struct json_reader *r, uint64_t *values, unsigned max, uint32_t *words);
/* Right behind the event of an object: goes behind its end when the rest of it is `form` byte for byte, with a whole number below 10^9 for each '#',
 * and all of it is at hand. false = it is not so, and nothing is taken. For objects that tools write by the million in one form. */
bool json_read_form(struct json_reader *r, const char *form, uint32_t *values);
/* "a string", "an object", ... for messages. */
const char *json_kind_name(enum json_kind kind);

#endif

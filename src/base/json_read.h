/* JSON as events, pulled one by one over blocks of the input: RFC 8259, any value at the top, a byte order mark skipped, no recursion.
 *
 * Strings and numbers are slices of the input, borrowed until the next call; a string is copied only when it has escapes. Strings are bytes as
 * everywhere in assay: what is not UTF-8 is kept, \udc80 to \udcff is the byte that base/json.h wrote so, any other half of a pair is U+FFFD.
 * Keys that come twice are the caller's business.
 *
 * Damage goes to the findings list given at the start, and is the end of the events: J-1 syntax or cut, J-4 nested too deep, Z-1 and Z-2 the
 * packing is cut or damaged (offset in the compressed file; nothing else is said then). A caller that sets `tells_cut` says itself what it means that the
 * input ends inside a value: then that is no finding, and `is_cut` is set. */
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

enum { JSON_READ_DEPTH = 64 }; /* unless json_read_deepen says otherwise */

struct json_reader {
    struct input *in;
    struct mem *mem;
    struct findings *damage;
    assay_error *err;
    const char *begin, *at, *end; /* the block, what is left of it */
    uint64_t begin_off, line;
    unsigned depth, max_depth;
    bool *is_object; /* by level: `near`, or a block of `room` of them */
    bool near[JSON_READ_DEPTH];
    size_t room;
    uint8_t state;
    bool at_eof, is_damaged;
    bool tells_cut, is_cut;
    VEC(char) scratch; /* a string with escapes, resolved */
};

/* All but `r` is borrowed until json_read_done; `r` stays where it is. */
void json_read_init(struct json_reader *r, struct input *in, struct mem *mem, struct findings *damage, assay_error *err);
void json_read_done(struct json_reader *r);
/* Allows nesting up to `max`, for documents that are trees; each level takes a byte. Before the first event. */
void json_read_deepen(struct json_reader *r, unsigned max);
/* The next event. 0 or an error of input or memory; JSON_END at the end, and from then on. */
int json_read_next(struct json_reader *r, struct json_event *e);
/* Behind the value that begins with `e`, the event given last: of an object or array to its end, nothing of any other. On damage e is JSON_END. */
int json_read_skip(struct json_reader *r, struct json_event *e);

/* ---- what tools write by the million, without an event for each value: json_fast.c ---- */

struct json_member {
    assay_slice key;
    enum json_kind kind;
    bool is_whole; /* a number of digits alone, which is in `whole` */
    uint64_t whole;
    assay_slice text; /* as in an event; of an object or array all of it, brackets included */
};
/* Right behind the event of an object: how many members it has, when there are no more than `max`, all of it is at hand, and neither keys nor strings have
 * escapes that stand for more than one letter; strings of the object itself have none at all. *behind is then what follows its end. -1 = it is not so. Nothing is
 * taken before json_read_behind, which goes behind the object, and what was given lasts until the next call after that. */
int json_read_members(const struct json_reader *r, struct json_member *out, unsigned max, const char **behind);
void json_read_behind(struct json_reader *r, const char *behind);
/* Right behind the event of an array: takes the whole of it when it is no more than `max` (up to 32) plain values - whole numbers below 10^18,
 * true (1), false (0) - and all of it is at hand. Bit i of *words is set when value i is true or false. words NULL: any `max`, whole numbers only.
 * -1 = it is not so, and nothing is taken. */
int json_read_plain(struct json_reader *r, uint64_t *values, unsigned max, uint32_t *words);
/* Right behind the event of an array inside an array: the texts of it and of the items that follow, as long as these are arrays right behind each other and at hand; each
 * from behind its '[' to its first ']', included, and no longer than `longest`. Returns how many, at most `max`; nothing is taken. */
unsigned json_read_texts(const struct json_reader *r, assay_slice *texts, unsigned max, size_t longest);
/* What json_read_plain takes of such a text, all of it, whole numbers only: how many, or -1. */
int json_read_items(assay_slice text, uint64_t *values, unsigned max);
/* Goes behind the last of the texts that json_read_items took, now or when the same text came before. */
void json_read_over(struct json_reader *r, assay_slice text);
/* Where an item of an array may begin, or its first one: takes items that are null (then NAN) or numbers of at most 15 digits without exponent, up to `max`
 * of them, as long as they are at hand. Returns how many; 0 = what follows is something else, or not at hand. `nulls` false: null is something else. */
unsigned json_read_numbers(struct json_reader *r, double *values, unsigned max, bool nulls);
/* Right behind the event of an object: goes behind its end when the rest of it is `form` byte for byte, with a whole number below 10^9 for each '#',
 * and all of it is at hand. false = it is not so, and nothing is taken. For objects that tools write by the million in one form. */
bool json_read_form(struct json_reader *r, const char *form, uint32_t *values);
/* The same for the first members of an object, `form` from its first key to the end of a value: what follows are the other members, or its end. '$' stands for a string
 * without escapes, '#' for a number, '~' for one that may have a '-'; each fills one of `slots`, as borrowed as the text of an event. */
struct json_slot {
    assay_slice text; /* of a string without its quotes */
    int32_t number;
};
bool json_read_first(struct json_reader *r, const char *form, struct json_slot *slots);
/* The offset of a byte of what was taken last. */
uint64_t json_read_off(const struct json_reader *r, const char *p);
/* "a string", "an object", ... for messages. */
const char *json_kind_name(enum json_kind kind);

#endif

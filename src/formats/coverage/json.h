/* What coverage formats in JSON share: walking over objects by known keys, arrays item by item, and values of the type that is needed. Damage
 * goes to the findings list: J-1 and J-4 of base/json_read.h, J-2 wrong type, J-3 missing, J-5 key twice, J-6 unknown key. */
#ifndef FORMATS_COVERAGE_JSON_H
#define FORMATS_COVERAGE_JSON_H

#include "base/json_read.h"
#include "formats/format.h"

struct coverage_json {
    struct json_reader r;
    struct json_event e; /* the last one */
    struct findings *damage;
    uint64_t key_off, key_line; /* of the key that coverage_json_key found last */
};

void coverage_json_init(struct coverage_json *j, const struct read_job *job, struct findings *damage, assay_error *err);
void coverage_json_done(struct coverage_json *j);

#define COVERAGE_KEY(literal)                                                                                                                                  \
    {                                                                                                                                                          \
        (literal), sizeof(literal) - 1                                                                                                                         \
    }
enum { COVERAGE_JSON_END = -1 };
/* In an object: goes to the value of the next key that is one of `keys` (at most 32), whose number is *at and whose first event is j->e; others are
 * skipped. *at = COVERAGE_JSON_END: the object, or all that can be understood, is over. `seen` has a bit for each key, and is 0 at first. */
int coverage_json_key(struct coverage_json *j, const assay_slice *keys, unsigned count, uint32_t *seen, int *at);
/* The same for at most 64 keys. */
int coverage_json_keys(struct coverage_json *j, const assay_slice *keys, unsigned count, uint64_t *seen, int *at);
/* In an array: goes to the next item, whose first event is j->e. *has = false: it is over. */
int coverage_json_item(struct coverage_json *j, bool *has);

/* Is the value in j->e of this kind? If not it is J-2, and skipped. `what` names it. */
int coverage_json_expect(struct coverage_json *j, enum json_kind kind, const char *what, bool *is);
/* A count: false in *is and J-2 when it is no number. Fractions are cut off, below 0 is 0 and *was_negative. */
int coverage_json_count(struct coverage_json *j, const char *what, uint64_t *out, bool *was_negative, bool *is);
/* A number of any kind. */
int coverage_json_double(struct coverage_json *j, const char *what, double *out, bool *is);
/* A count up to 2^31-1, above which it is J-2; below 0 is 0. */
int coverage_json_small(struct coverage_json *j, const char *what, uint32_t *out, bool *is);
void coverage_json_found(struct coverage_json *j, uint64_t off, uint64_t line, const char *rule, int severity, const char *fmt, ...)
    __attribute__((format(printf, 6, 7)));

/* An array of plain values, such as [line, column, count, true]. What is neither a number nor true or false is J-2, and the whole does not count. */
enum { COVERAGE_TUPLE = 16 };
struct coverage_tuple {
    uint64_t at[COVERAGE_TUPLE]; /* true = 1; below 0 is 0, fractions are cut off */
    uint32_t words;              /* bit i: value i is true or false */
    unsigned count;              /* also of those beyond the room */
    uint64_t off, line;
    bool is; /* false: it was none */
};
int coverage_json_tuple(struct coverage_json *j, const char *what, struct coverage_tuple *out);

/* For probes: the head begins an object. */
bool coverage_json_is_object(assay_slice head);
/* For probes: the head has this key with so many objects and arrays around it (1 = of the document). `key` with its quotes. */
bool coverage_json_has_key(assay_slice head, unsigned depth, const char *key);

#endif

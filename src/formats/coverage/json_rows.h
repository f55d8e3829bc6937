/* What decoders of rows in JSON share; see formats/coverage/rows.h. */
#ifndef FORMATS_COVERAGE_JSON_ROWS_H
#define FORMATS_COVERAGE_JSON_ROWS_H

#include "formats/coverage/json.h"
#include "formats/coverage/rows.h"

/* A new row that stands at the event. */
struct coverage_row *coverage_push(struct coverage_decoder *d, enum coverage_row_kind kind, const struct json_event *at);
int coverage_state(struct coverage_decoder *d, const struct json_event *at, const char *scope, assay_slice kind, double hit, double total);

/* A string value as an id; 0 and J-2 when it is none. */
int coverage_text(struct coverage_decoder *d, const char *what, uint32_t *out);
/* A count; what is below 0 is 0, and J-7. */
int coverage_times(struct coverage_decoder *d, const char *what, uint64_t *out, bool *is);

/* An array with a count for each line from 1 on: null is no line, nor is what is below 0 where that is the custom; "ignored" is an excluded one. */
int coverage_line_list(struct coverage_decoder *d, const char *what, uint32_t test, bool below_0_is_none);

typedef int (*coverage_item_fn)(struct coverage_decoder *d, void *arg);
/* An array of objects, each of which goes to fn when it has begun. */
int coverage_objects(struct coverage_decoder *d, const char *what, const char *item, coverage_item_fn fn, void *arg);
/* An object with keys of its own, such as paths: goes to the value of the next one, whose first event is d->j->e. *key is an id, *at the event of
 * the key. *has = false: it is over. */
int coverage_member(struct coverage_decoder *d, uint32_t *key, struct json_event *at, bool *has);
/* The document, which must be an object: fn goes over its keys. Behind it must be the end. */
int coverage_document(struct coverage_decoder *d, coverage_item_fn fn, void *arg);

#endif

/* Whether the work is still wanted; the inside of assay/cancel.h.
 *
 * The question belongs to the thread that called the library, not to an argument, so that every loop can ask it: each loop whose length the input
 * decides does, by cancel_at when a step is short and by cancel_due when it is long. Once the answer is yes it stays yes: no memory is given any
 * more (base/mem.h) and error_memory() says CANCELLED. So a place that fails may return as if there were no memory, and a helper that cannot fail
 * may leave its loop early: whoever allocates, sorts, writes or asks next gives up. */
#ifndef BASE_CANCEL_H
#define BASE_CANCEL_H

#include <stdbool.h>
#include <stdint.h>

#include "assay/cancel.h"
#include "base/error.h"

enum { CANCEL_STEPS = 4096 }; /* a power of two; that many short steps take well under a millisecond */

/* Asks. true = the work is cancelled. */
bool cancel_due(void);
/* Asks at every CANCEL_STEPS-th step of a loop that counts `i` up or down by one. */
static inline bool cancel_at(uint64_t i) { return (i & (CANCEL_STEPS - 1)) == 0 && cancel_due(); }

/* The same as a code: 0, or CANCELLED and *err filled. */
static inline int cancel_step(uint64_t i, assay_error *err) { return cancel_at(i) ? error_cancelled(err) : 0; }

/* What each public function ends with: `rc`, or CANCELLED when the work was cancelled meanwhile, whatever came of it. */
int cancel_end(int rc, assay_error *err);

/* For threads that the library starts: they ask for the thread that started them. It must outlive them. */
struct cancel;
struct cancel *cancel_of_thread(void);
void cancel_join(struct cancel *of);

#endif

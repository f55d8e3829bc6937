/* Cancelling: how a program stops the library in the middle of its work.
 *
 *     static int is_closed(void *arg) { return ((struct request *)arg)->is_closed; }
 *     ...
 *     assay_cancel_set(is_closed, request);
 *     rc = assay_read(path, NULL, &profile, &err);             // ASSAY_ERR_CANCELLED soon after is_closed() returns 1
 *     if (rc == 0) rc = assay_top_new(profile, &top, &err);    // so does this
 *     assay_cancel_set(NULL, NULL); */
#ifndef ASSAY_CANCEL_H
#define ASSAY_CANCEL_H

#include "assay/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Anything but 0 cancels the work. It is called hundreds of times a second, so it should only look at a flag; it must not call the library.
 * Where the library uses threads it may be called by any of them, one at a time. */
typedef int (*assay_cancel_fn)(void *arg);

/* From now on the calls that this thread makes ask `fn` while they work: every few thousand rows, contexts, lines or records, before each file and
 * each block of memory. Some milliseconds after it returns anything but 0 (longer inside another library, or while the system writes a file),
 * they return ASSAY_ERR_CANCELLED: what they began is released, no temporary file is left, and what they would have written is as it was. A merger
 * or builder that was given rows meanwhile is good for nothing but being freed. A function that cannot fail returns early, with an unspecified result.
 *
 * Then `fn` is not asked any more and every further call is cancelled too, until assay_cancel_set is called again. NULL = nobody is asked.
 * Other threads are not concerned. `arg` is borrowed until then. */
ASSAY_API void assay_cancel_set(assay_cancel_fn fn, void *arg);

/* Whether `fn` has cancelled the work of this thread. */
ASSAY_API bool assay_cancelled(void);

#ifdef __cplusplus
}
#endif
#endif

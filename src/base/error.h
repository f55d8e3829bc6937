/* Filling and passing on assay_error. TRY and FAIL are the only macros of the project that hide control flow. */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include "assay/error.h"

/* Returns from the calling function when `expr` is not 0. */
#define TRY(expr)                                                                                                                                              \
    do {                                                                                                                                                       \
        int try_rc_ = (expr);                                                                                                                                  \
        if (try_rc_ != 0) return try_rc_;                                                                                                                      \
    } while (0)

/* Fills `err` (may be NULL) with a sentence and returns `code` from the calling function. */
#define FAIL(err, code, ...) return error_set((err), (code), __VA_ARGS__)

/* All of these return `code`, so that `return error_...(...)` reads well. They replace what was in `err`, its path excepted. */
int error_set(assay_error *err, int code, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
int error_at(assay_error *err, int code, uint64_t off, const char *fmt, ...) __attribute__((format(printf, 4, 5)));
int error_line(assay_error *err, int code, uint64_t off, uint64_t line, const char *fmt, ...) __attribute__((format(printf, 5, 6)));
/* What a check names by a rule, which ends the sentence in brackets; static storage. */
int error_rule(assay_error *err, int code, uint64_t off, const char *rule, const char *fmt, ...) __attribute__((format(printf, 5, 6)));
/* Adds strerror(sys_errno) to the sentence. */
int error_sys(assay_error *err, int code, int sys_errno, const char *fmt, ...) __attribute__((format(printf, 4, 5)));
/* No memory; or, when the work was cancelled, that: then there is none any more (base/cancel.h). */
int error_memory(assay_error *err);
int error_cancelled(assay_error *err);

/* Adds what the caller could do about it. */
int error_hint(assay_error *err, int code, enum assay_hint hint);

/* What each public function begins with: the caller's error, cleared, or `local` when it gave none. Does not touch the unused parts of the
 * texts, so that it costs nothing where it is called for every row. */
assay_error *error_enter(assay_error *err, assay_error *local);

/* Names the file; keeps a path that is already there. */
void error_path(assay_error *err, const char *path);

#endif

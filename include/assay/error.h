/* Errors: what went wrong, where, and a code that never changes meaning.
 *
 * Every function that can fail returns 0 or a negative enum assay_code and fills the caller's assay_error with the same code.
 * The error is plain storage owned by the caller; passing NULL is allowed. What was in it is cleared first, so that it need not be
 * initialised and after success has code 0 and no path or text. There is no global state. */
#ifndef ASSAY_ERROR_H
#define ASSAY_ERROR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define ASSAY_API __attribute__((visibility("default")))
#else
#define ASSAY_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

enum assay_code {
    ASSAY_OK = 0,
    ASSAY_ERR_INTERNAL = -1,     /* a fault of assay itself */
    ASSAY_ERR_CANCELLED = -2,    /* a callback asked to stop: see assay/cancel.h */
    ASSAY_ERR_UNKNOWN = -10,     /* no format recognises the input */
    ASSAY_ERR_AMBIGUOUS = -11,   /* two formats recognise it equally well */
    ASSAY_ERR_VERSION = -12,     /* the format is known, this version of it is not */
    ASSAY_ERR_EMPTY = -13,       /* the input has no bytes */
    ASSAY_ERR_DAMAGED = -20,     /* the bytes cannot be right */
    ASSAY_ERR_TRUNCATED = -21,   /* the bytes end too early */
    ASSAY_ERR_LIMIT = -30,       /* a limit of the caller's or of the library was reached */
    ASSAY_ERR_USAGE = -40,       /* the call itself makes no sense */
    ASSAY_ERR_UNSUPPORTED = -41, /* the format cannot do this, or the input lacks what it needs */
    ASSAY_ERR_SYSTEM = -50,      /* the system refused: see sys_errno */
    ASSAY_ERR_MEMORY = -60,      /* no memory, or max_memory reached */
    ASSAY_ERR_WRITE = -70,       /* the output could not be written: see sys_errno */
    ASSAY_ERR_LOSS = -71         /* strict writing, and the target cannot hold everything */
};

enum assay_severity { ASSAY_INFO = 0, ASSAY_WARNING = 1, ASSAY_ERROR = 2 };
/* "info", "warning" or "error"; anything else counts as an error. */
ASSAY_API const char *assay_severity_name(int severity);

/* What the caller could do about it. The text never names an option of the command: that is for the program that shows it. */
enum assay_hint {
    ASSAY_HINT_NONE = 0,
    ASSAY_HINT_FORMAT = 1,     /* assay_read_options.format says what it is */
    ASSAY_HINT_MAX_MEMORY = 2, /* max_memory is the limit, if one was set */
    ASSAY_HINT_MAX_OUTPUT = 3, /* assay_read_options.max_output is the limit */
    ASSAY_HINT_ESTIMATE = 4,   /* assay_write_options.estimate estimates what is missing */
    ASSAY_HINT_VIEW = 5,       /* another view of the same data shows it, or an estimate */
    ASSAY_HINT_FUNCTION = 6,   /* no function has this name: assay_top lists those there are */
    ASSAY_HINT_DIFF = 7,       /* a text diff (assay_changes_read) does instead */
    ASSAY_HINT_WORKTREE = 8,   /* this worktree has no coverage store yet */
    ASSAY_HINT_MAX_STRING = 9, /* assay_read_options.max_string is the limit */
    ASSAY_HINT_FORCE = 10,     /* `force` does it all the same */
    ASSAY_HINT_MAP = 11        /* the maps of assay_filter make the paths match */
};

typedef struct assay_error {
    int code;         /* enum assay_code */
    int sys_errno;    /* errno of the failed system call, or 0 */
    bool has_offset;  /* offset is meaningful */
    uint64_t offset;  /* byte in the input (of the decompressed data if it was compressed) */
    uint64_t line;    /* line from 1; 0 = does not apply */
    char path[512];   /* the input or output concerned; empty = none */
    char text[512];   /* lower case, no full stop */
    const char *rule; /* of a check, where the error is one of those that it names, e.g. "X-3"; static storage; NULL = none */
    int hint;         /* enum assay_hint */
} assay_error;

/* The stable token of a code, e.g. "damaged"; "unknown code" for a number that is none. Static storage. */
ASSAY_API const char *assay_code_name(int code);

/* Writes "path:line: text" or "path: offset N: text" into `buf`, always terminated; returns the length it needs without the terminator. */
ASSAY_API size_t assay_error_format(const assay_error *err, char *buf, size_t buf_len);

#ifdef __cplusplus
}
#endif
#endif

/* The text of an answer: of what a report prints, the lines from `skip` on that fit; the rest is only counted, and the last line says how to ask for it. */
#ifndef MCP_ANSWER_H
#define MCP_ANSWER_H

#include "base/error.h"
#include "base/json.h"
#include "base/vec.h"

struct answer {
    struct mem *mem;
    VEC(char) text;
    size_t most;       /* bytes */
    uint64_t skip;     /* lines */
    uint64_t line;     /* lines that are over */
    uint64_t next;     /* the first one that did not fit; 0 = all did */
    size_t line_begin; /* where in `text` the line at hand begins */
    bool is_cut;       /* the line at hand is not shown, or not to its end */
    bool has_begun;    /* something of the line at hand has come */
    bool failed;       /* no memory */
};

/* An assay_text_fn; `arg` is the answer. */
int answer_put(void *arg, const char *data, size_t len);
void answer_printf(struct answer *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* All of it as a string, in UTF-8 without control characters, whatever names there are. Errors: MEMORY. */
int answer_end(struct answer *a, struct json *j, assay_error *err);
void answer_done(struct answer *a);

#endif

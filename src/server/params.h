/* The parameters of a request: its query string, taken apart and checked. Every
 * byte is hostile; nothing is guessed. */
#ifndef SERVER_PARAMS_H
#define SERVER_PARAMS_H

#include "base/arena.h"
#include "base/vec.h"

enum { PARAMS_MOST = 256, PARAMS_QUERY_MOST = 8192 };

struct param {
    const char *name, *value; /* decoded, terminated */
    bool is_taken;
};

struct params {
    struct mem *mem;
    struct arena text;
    VEC(struct param) at;
};

/* Takes `query`, what follows the question mark, apart: NAME=VALUE, separated
 * by '&', '+' is a blank, %XX a byte. Errors: MEMORY, USAGE (a bad escape, a
 * control character, no UTF-8, too many). params_done is due in either case. */
int params_parse(struct params *p, struct mem *mem, const char *query, size_t len, assay_error *err);
void params_done(struct params *p);

/* Each of these takes the parameters of a name; what is absent leaves *out as
 * it is. Errors: USAGE (given twice, or not what is asked for). */
int params_text(struct params *p, const char *name, const char **out, assay_error *err);
int params_flag(struct params *p, const char *name, bool *out, assay_error *err);
int params_number(struct params *p, const char *name, uint64_t most, uint64_t *out, assay_error *err);
int params_u32(struct params *p, const char *name, uint32_t *out, assay_error *err);
/* From `least` to `most`. */
int params_double(struct params *p, const char *name, double least, double most, double *out, assay_error *err);
/* The number of one of `words`, which end with NULL. */
int params_word(struct params *p, const char *name, const char *const *words, unsigned *out, assay_error *err);

/* All values of a name, in their order. Borrowed until params_done. Errors:
 * MEMORY. */
struct param_list {
    const char **at;
    size_t count;
};
int params_list(struct params *p, const char *name, struct param_list *out, assay_error *err);

/* After all that a route knows was taken: USAGE when something is left. */
int params_end(const struct params *p, assay_error *err);

#endif

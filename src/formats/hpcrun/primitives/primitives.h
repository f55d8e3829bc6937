/* What reading, writing and freeing the primitives of assay/hpcrun_fmt.h share: how the items of their lists are laid out, and errors.
 * Layouts: docs/formats/hpcrun.md. */
#ifndef FORMATS_HPCRUN_PRIMITIVES_PRIMITIVES_H
#define FORMATS_HPCRUN_PRIMITIVES_PRIMITIVES_H

#include "assay/hpcrun_fmt.h"

#define FMT_MAGIC "HPCRUN____"
#define FMT_VERSION "02.00"
#define FMT_TAG "EPOCH___"
enum { FMT_MAGIC_LEN = 10, FMT_VERSION_LEN = 5, FMT_TAG_LEN = 8, FMT_MAX_LIP_WORDS = 64, FMT_DEFAULT_LIP_WORDS = 2 };

enum fmt_field_kind { FMT_END, FMT_STR, FMT_U32, FMT_U64 };
struct fmt_field {
    uint8_t kind; /* enum fmt_field_kind */
    uint8_t at;   /* offset in the structure */
};
/* One item of a list, field by field in the order of the file. */
struct fmt_layout {
    const char *what;
    size_t size;        /* of the structure */
    unsigned min_bytes; /* of the file */
    struct fmt_field fields[5];
};
extern const struct fmt_layout fmt_pair_layout, fmt_metric_layout, fmt_module_layout, fmt_module_layout_2009;

/* Any of the three kinds of lists. */
struct fmt_list {
    uint32_t len;
    void *lst;
};

static inline const struct fmt_layout *fmt_loadmap_layout(const hpcrun_fmt_env_t *env)
{
    return env && env->variant == HPCRUN_FMT_2009 ? &fmt_module_layout_2009 : &fmt_module_layout;
}

static inline bool fmt_is_big(const hpcrun_fmt_env_t *env) { return env && env->endian == 'b'; }

/* Fills env->error, if there is one; returns -1. */
int fmt_fail(const hpcrun_fmt_env_t *env, int code, const char *rule, uint64_t off, const char *fmt, ...) __attribute__((format(printf, 5, 6)));

#endif

/* What decoders of coverage in JSON give: rows, in batches. One reader and one dump serve them all, so that a format is a decoder, its own
 * rules and a probe. A decoder pushes rows in any order that its keys have, and gives them on when the object of a file ends. */
#ifndef FORMATS_COVERAGE_ROWS_H
#define FORMATS_COVERAGE_ROWS_H

#include "base/intern.h"
#include "formats/coverage/json.h"

enum coverage_row_kind {
    COVERAGE_FILE,      /* name = path, block = origin, text = source: the rows behind it, up to the end of the batch, are of this file */
    COVERAGE_LINE,      /* line, count, flags = enum assay_coverage_line_flags */
    COVERAGE_FUNCTION,  /* name, line (0 = unknown), end_line, columns, count, flags = enum assay_coverage_line_flags, group = blocks, index = those hit */
    COVERAGE_BRANCH,    /* line, columns, end_line, block, name, index, count, flags = enum assay_coverage_branch_flags */
    COVERAGE_CONDITION, /* line, group, index, count */
    COVERAGE_REGION,    /* line to end_line with columns, or offsets without; flags = enum assay_coverage_region_kind */
    COVERAGE_STATED,    /* block = scope, name = kind, hit, total (-1 = not said) */
    COVERAGE_ATTRIBUTE, /* name, text = value */
    COVERAGE_COUNT,     /* name, count: a number of the file that `info` shows; added up */
    COVERAGE_KINDS
};

/* Names are ids in the decoder's `names`; 0 = none. Columns count from 1; 0 = unknown. */
struct coverage_row {
    uint8_t kind, flags;
    bool is_derived;  /* follows from other rows: for readers, no part of a dump */
    bool is_pending;  /* part of a dump only: given again, derived, if it counts */
    bool of_function; /* REGION: of the function given last */
    bool known_only;  /* FILE: what follows counts only if the file has been given before */
    uint32_t number;  /* line of the text */
    uint64_t off;
    union {
        uint64_t count;
        double hit;
    };
    double total;
    uint32_t line, column, end_line, end_column;
    uint32_t name, block, test, text;
    uint32_t index, group;
};

struct coverage_decoder;
typedef int (*coverage_take_fn)(void *arg, const struct coverage_decoder *d, const struct coverage_row *rows, size_t count);

struct coverage_decoder {
    coverage_take_fn take;
    void *arg;
    struct findings *damage;
    struct mem *mem;
    assay_error *err;
    struct coverage_json j;
    struct intern names;
    VEC(struct coverage_row) rows; /* of the batch in work */
    uint32_t version;              /* id of what the document says of its version; 0 = nothing */
};

/* A format of this kind. */
struct coverage_source {
    const char *format;
    int (*decode)(struct coverage_decoder *d);
    const char *words[COVERAGE_KINDS]; /* what a dump calls the rows; NULL = by their kind */
};

int coverage_rows_read(const struct coverage_source *s, const struct read_job *job, assay_builder *b, assay_error *err);
int coverage_rows_dump(const struct coverage_source *s, const struct read_job *job, struct output *out, assay_error *err);
/* For checks: decodes, with damage going to `out` and every batch to take (NULL = nobody). */
int coverage_rows_walk(const struct coverage_source *s, const struct read_job *job, coverage_take_fn take, void *arg, struct findings *out, assay_error *err);

/* ---- for decoders ---- */

/* A new row, all 0 but kind and place; valid until the next one. NULL = no memory. */
struct coverage_row *coverage_push(struct coverage_decoder *d, enum coverage_row_kind kind, const struct json_event *at);
/* Gives the batch on. */
int coverage_give(struct coverage_decoder *d);
/* A stated pair of the batch; total -1 = a single figure. */
int coverage_state(struct coverage_decoder *d, const struct json_event *at, const char *scope, assay_slice kind, double hit, double total);
int coverage_count(struct coverage_decoder *d, const char *name, uint64_t count);
/* Derives the lines of a batch from (line, count) pairs in any order: each line once, with the larger count. Reorders them. */
struct coverage_hit {
    uint64_t count, off;
    uint32_t line, number;
};
int coverage_derive_lines(struct coverage_decoder *d, struct coverage_hit *hits, size_t count);

/* A string value as an id; 0 and J-2 when it is none. */
int coverage_text(struct coverage_decoder *d, const char *what, uint32_t *out);
/* The id of a text of ours, or 0 = no memory. */
uint32_t coverage_name(struct coverage_decoder *d, const char *text);
/* A count; what is below 0 is 0, and J-7. */
int coverage_times(struct coverage_decoder *d, const char *what, uint64_t *out, bool *is);

/* An array with a count for each line from 1 on: null is no line, nor is what is below 0 where that is the custom; "ignored" is an excluded one. */
int coverage_line_list(struct coverage_decoder *d, const char *what, uint32_t test, bool below_0_is_none);

typedef int (*coverage_item_fn)(struct coverage_decoder *d, void *arg);
/* An array of objects, each of which goes to fn when it has begun. */
int coverage_objects(struct coverage_decoder *d, const char *what, const char *item, coverage_item_fn fn, void *arg);
/* An object with keys of its own, such as paths: goes to the value of the next one, whose first event is d->j.e. *key is an id, *at the event of
 * the key. *has = false: it is over. */
int coverage_member(struct coverage_decoder *d, uint32_t *key, struct json_event *at, bool *has);
/* The document, which must be an object: fn goes over its keys. Behind it must be the end. */
int coverage_document(struct coverage_decoder *d, coverage_item_fn fn, void *arg);

#endif

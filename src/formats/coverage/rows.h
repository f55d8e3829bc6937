/* What decoders of coverage give: rows, in batches. One reader and one dump serve them all, so that a format is a decoder, its own rules and a
 * probe. A decoder pushes rows in any order that its records have, and gives them on when a file ends. Where its records come from is its own
 * business: formats/coverage/json_rows.h walks over JSON, formats/coverage/xml.h over XML, formats/coverage/text_rows.h over lines of text. */
#ifndef FORMATS_COVERAGE_ROWS_H
#define FORMATS_COVERAGE_ROWS_H

#include "base/intern.h"
#include "formats/format.h"

enum coverage_row_kind {
    COVERAGE_FILE, /* name = path (0 = none), block = origin, text = source: the rows behind it, up to the next one or the end of the batch, are of this file */
    COVERAGE_LINE, /* line, count, flags = enum assay_coverage_line_flags, text = checksum */
    COVERAGE_FUNCTION,  /* name, line (0 = unknown), end_line, columns, count, flags = enum assay_coverage_line_flags, group = blocks, index = those hit,
                         * text = its other name */
    COVERAGE_BRANCH,    /* line, columns, end_line, block, name, index, count, target, flags = enum assay_coverage_branch_flags */
    COVERAGE_CONDITION, /* line, group, index, is_false, count, flags = enum assay_coverage_branch_flags */
    COVERAGE_REGION,    /* line to end_line with columns, or offsets without; flags = enum assay_coverage_region_kind, group = statements */
    COVERAGE_SUM,       /* name = kind: `index` of `group` of a line */
    COVERAGE_STATED,    /* block = scope, name = kind, hit, total (-1 = not said) */
    COVERAGE_ATTRIBUTE, /* name, text = value */
    COVERAGE_COUNT,     /* name, count: a number of the file that `info` shows; added up */
    COVERAGE_RECORD,    /* name, text: a record with nothing for a profile, for dumps */
    COVERAGE_KINDS
};

/* Names are ids in the decoder's `names`; 0 = none. Columns count from 1; 0 = unknown. */
struct coverage_row {
    uint8_t kind, flags;
    bool is_derived;  /* follows from other rows: for readers, no part of a dump */
    bool is_pending;  /* part of a dump only: given again, derived, if it counts */
    bool of_function; /* REGION: of the function given last; LINE, for checks: of a function, and given again of the file */
    bool is_percent;  /* BRANCH, pending: count is a percentage */
    bool known_only;  /* FILE: what follows counts only if the file has been given before */
    bool is_false;    /* CONDITION: the outcome is false */
    bool of_no_file;  /* STATED: not of the file that it stands behind */
    bool is_again;    /* LINE: given before, of another test: the total of hits has it already */
    uint32_t number;  /* line of the text */
    uint64_t off;
    union {
        uint64_t count;
        double hit;
    };
    union {
        double total;
        int64_t target;
    };
    uint32_t line, column, end_line, end_column;
    uint32_t name, block, test, text;
    uint32_t index, group;
    uint32_t func;  /* LINE, BRANCH: name of the function of the file that it is in */
    uint32_t marks; /* how many findings there were before: where a dump shows them */
};

struct coverage_decoder;
typedef int (*coverage_take_fn)(void *arg, const struct coverage_decoder *d, const struct coverage_row *rows, size_t count);

/* Whom the rows are for. A decoder may leave out rows that are pending for a reader, derived ones for a check, and records for both. */
enum coverage_use { COVERAGE_FOR_READER, COVERAGE_FOR_CHECK, COVERAGE_FOR_DUMP };

struct coverage_decoder {
    const struct read_job *job;
    coverage_take_fn take;
    void *arg;
    enum coverage_use use;
    struct findings *damage;
    struct mem *mem;
    assay_error *err;
    struct intern names;
    VEC(struct coverage_row) rows; /* of the batch in work */
    bool goes_on;                  /* the batch in work goes on with the file of the one before */
    uint32_t version;              /* id of what the document says of its version; 0 = nothing */
    struct coverage_json *j;       /* of decoders of JSON: the walk */
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

/* Also for checks: sorts keys, which are mostly in order. */
void coverage_sort_keys(uint64_t *keys, size_t count);
/* For the reader and the dump: decodes with what `d` says of take, arg, use and damage. `names` last until intern_done, also after an error. */
int coverage_rows_decode(struct coverage_decoder *d, const struct coverage_source *s, const struct read_job *job, assay_error *err);

/* ---- for decoders ---- */

/* A new row, all 0 but kind and place; valid until the next one. NULL = no memory. */
static inline struct coverage_row *coverage_add_row(struct coverage_decoder *d, enum coverage_row_kind kind, uint64_t off, uint64_t number)
{
    struct coverage_row *row = vec_push(d->mem, &d->rows);
    if (row)
        *row = (struct coverage_row){ .kind = (uint8_t)kind, .off = off, .number = (uint32_t)number, .marks = (uint32_t)d->damage->list.len };
    else
        error_memory(d->err);
    return row;
}
/* Gives the batch on. */
int coverage_give(struct coverage_decoder *d);
/* Gives on what there is of a long batch, if it is much; for checks at once, so that what they find stands in the order of the input. */
enum { COVERAGE_MUCH = 256 };
int coverage_give_part(struct coverage_decoder *d);
static inline int coverage_give_some(struct coverage_decoder *d)
{
    return d->rows.len < (d->use == COVERAGE_FOR_CHECK ? 1 : COVERAGE_MUCH) ? 0 : coverage_give_part(d);
}
/* A stated pair of the batch; total -1 = a single figure. */
int coverage_add_stated(struct coverage_decoder *d, uint64_t off, uint64_t number, const char *scope, assay_slice kind, double hit, double total);
int coverage_count(struct coverage_decoder *d, const char *name, uint64_t count);
/* Derives the lines of a batch from (line, count) pairs in any order: each line once, with the larger count. Reorders them. */
struct coverage_hit {
    uint64_t count, off;
    uint32_t line, number;
};
int coverage_derive_lines(struct coverage_decoder *d, struct coverage_hit *hits, size_t count);
/* The id of a text of ours, or 0 = no memory. */
uint32_t coverage_name(struct coverage_decoder *d, const char *text);

#endif

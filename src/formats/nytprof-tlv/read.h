/* Between the files that read a chunked NYTProf stream. */
#ifndef FORMATS_NYTPROF_TLV_READ_H
#define FORMATS_NYTPROF_TLV_READ_H

#include "base/arena.h"
#include "formats/nytprof-tlv/check.h"

/* What the stream says last of a file, borrowed from its bytes, and its id in the model. */
struct tlv_read_file {
    struct tlv_file file;
    assay_file_id id;
};
struct tlv_read_sub {
    struct tlv_sub sub;
    uint32_t file; /* row of the file that a sub of the C extension stands in */
};
/* What is touched for every call, kept together. */
struct tlv_read_sums {
    uint64_t calls, ticks, sub_ticks; /* over the records that call it */
    assay_func_id id;
};

struct tlv_reader {
    const struct read_job *job;
    assay_builder *b;
    struct tlv_decoder d;
    struct findings found;
    struct tlv_judge judge;
    struct arena text;
    VEC(struct tlv_read_file) files; /* by row of judge.files */
    VEC(struct tlv_read_sub) subs;   /* by row of judge.subs */
    VEC(struct tlv_read_sums) sums;  /* the same */
    bool wants_lines, has_events, is_saturated;
    assay_metric_id line_exclusive, line_inclusive, line_calls, sub_ticks, sub_calls;
    uint64_t exclusive, inclusive, line_hits, calls, call_sites, events, event_ns, files_defined;
    assay_slice producer;
};

/* read_names.c: files and subs. Makes what a row stands for, with a name of ours when nothing defines it. false = no memory. */
bool tlv_read_make_file(struct tlv_reader *r, uint32_t row);
bool tlv_read_make_sub(struct tlv_reader *r, uint32_t row);
/* Collects all definitions, of which the last one counts, and hands them to the builder. */
int tlv_read_names(struct tlv_reader *r, assay_slice bytes, assay_error *err);
/* A text as UTF-8: Latin-1 unless it is that already. Borrowed from the stream or from r->text; data NULL = no memory. */
assay_slice tlv_read_text(struct tlv_reader *r, assay_slice text);

/* The id of a row of files. false = no memory. */
static inline bool tlv_read_file_id(struct tlv_reader *r, uint32_t row, assay_file_id *out)
{
    if ((row > r->files.len || !r->files.at[row - 1].id.v) && !tlv_read_make_file(r, row)) return false;
    *out = r->files.at[row - 1].id;
    return true;
}

/* The sums of a row of subs, with an id; NULL = no memory. Valid until the next call. */
static inline struct tlv_read_sums *tlv_read_sums_at(struct tlv_reader *r, uint32_t row)
{
    if ((row > r->sums.len || !r->sums.at[row - 1].id.v) && !tlv_read_make_sub(r, row)) return NULL;
    return &r->sums.at[row - 1];
}

/* Adds; what does not fit is the nearest value, and r->is_saturated says so. */
static inline void tlv_read_add(struct tlv_reader *r, uint64_t *sum, uint64_t more)
{
    if (!__builtin_add_overflow(*sum, more, sum)) return;
    *sum = UINT64_MAX;
    r->is_saturated = true;
}

#endif

/* llvm-cov's export (llvm-cov export -format=text), versions 2 and 3: objects -> rows, a batch for each file and for each function. The only
 * parser of this format. docs/formats/llvm-cov-json.md has the grammar. */
#ifndef LLVM_COV_DECODE_H
#define LLVM_COV_DECODE_H

#include "formats/coverage_rows.h"

int llvm_cov_decode(struct cov_decoder *d);
int llvm_cov_check(const struct read_job *job, struct findings *out, assay_error *err);
extern const struct cov_source llvm_cov_source;

/* ---- between the files of the decoder ---- */

struct llvm_segment {
    uint64_t count, off;
    uint32_t line, column, number;
    bool has_count, is_entry, is_gap;
};
struct llvm_region {
    uint64_t count, off;
    uint32_t line, column, end_line, end_column, number;
    uint32_t file; /* number in filenames */
    uint8_t kind;  /* as written */
};
struct llvm_place {
    uint64_t from, to; /* line << 32 | column */
    uint32_t row;
};
struct llvm_work {
    struct cov_decoder *d;
    VEC(struct llvm_segment) segments; /* of the file in work */
    VEC(struct llvm_region) regions;   /* of the function in work */
    VEC(uint32_t) filenames;
    VEC(struct llvm_place) places; /* scratch */
    uint64_t lines;                /* derived so far */
    uint64_t instantiations, data_sets, mcdc_records;
    bool has_files; /* the files of this data set have been read */
};

/* The object of a file or function, which has begun. */
int llvm_cov_file(struct cov_decoder *d, void *work);
int llvm_cov_function(struct cov_decoder *d, void *work);
/* An array of arrays: each goes to fn. */
typedef int (*llvm_tuple_fn)(struct llvm_work *w, const struct cov_tuple *t, void *arg);
int llvm_cov_tuples(struct llvm_work *w, const char *what, const char *item, llvm_tuple_fn fn, void *arg);
/* Is the tuple one of this length, with lines and columns that fit? If not it is LV-3 or J-2. */
bool llvm_cov_fits(struct llvm_work *w, const struct cov_tuple *t, const char *what, unsigned least, unsigned most, unsigned places);
int llvm_cov_summary(struct llvm_work *w, const char *scope);
/* Segments -> lines of the batch, as llvm-cov derives them. */
int llvm_cov_lines(struct llvm_work *w);

#endif

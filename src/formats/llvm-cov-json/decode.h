/* llvm-cov's export (llvm-cov export -format=text), versions 2 and 3: objects -> rows, a batch for each file and for each function. The only
 * parser of this format. docs/formats/llvm-cov-json.md has the grammar. */
#ifndef FORMATS_LLVM_COV_JSON_DECODE_H
#define FORMATS_LLVM_COV_JSON_DECODE_H

#include "formats/coverage/json_rows.h"

int llvm_cov_decode(struct coverage_decoder *d);
int llvm_cov_check(const struct read_job *job, struct findings *out, assay_error *err);
extern const struct coverage_source llvm_cov_source;

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
/* Branches of files that wait for the list of functions, and those that functions have. */
struct llvm_held {
    struct coverage_row row;
    uint32_t file; /* name id */
};
struct llvm_listed {
    uint64_t from, to;
    uint32_t file; /* number in filenames until the function ends, then name id */
};
enum { LLVM_EXPANDED = 1 }; /* group of a branch that comes out of an expansion */

struct llvm_work {
    struct coverage_decoder *d;
    VEC(struct llvm_segment) segments; /* of the file in work */
    VEC(struct llvm_region) regions;   /* of the function in work */
    VEC(uint32_t) filenames;
    VEC(struct llvm_place) places;  /* scratch */
    VEC(struct llvm_held) held;     /* of the data set in work, by file and place */
    VEC(struct llvm_listed) listed; /* of all functions of the data set */
    size_t listed_before;           /* the function in work */
    uint32_t blocks[2];             /* the number given last, and its name */
    uint64_t lines;                 /* derived so far */
    uint64_t instantiations, data_sets, mcdc_records;
    bool has_files; /* the files of this data set have been read */
};

/* The object of a file or function, which has begun. */
int llvm_cov_file(struct coverage_decoder *d, void *work);
int llvm_cov_function(struct coverage_decoder *d, void *work);
/* An array of arrays: each goes to fn. */
typedef int (*llvm_tuple_fn)(struct llvm_work *w, const struct coverage_tuple *t, void *arg);
int llvm_cov_tuples(struct llvm_work *w, const char *what, const char *item, llvm_tuple_fn fn, void *arg);
/* Is the tuple one of this length, with lines and columns that fit? If not it is LV-3 or J-2. */
bool llvm_cov_fits(struct llvm_work *w, const struct coverage_tuple *t, const char *what, unsigned least, unsigned most, unsigned places);
int llvm_cov_summary(struct llvm_work *w, const char *scope);
/* Segments -> lines of the batch, as llvm-cov derives them. */
int llvm_cov_lines(struct llvm_work *w);

/* ---- constant conditions: the lists of files have them, those of functions do not (folded.c) ---- */

/* Gives a branch its number among those of its place, two to a number. */
int llvm_cov_number(struct llvm_work *w, struct coverage_row *row, uint32_t run);
/* A branch of a place where one may be constant: stays in the batch for dumps, and is kept until all functions are known. */
int llvm_cov_hold(struct llvm_work *w, uint32_t file, struct coverage_row *row);
/* A branch of the function in work; its files, when the function is over. */
int llvm_cov_listed(struct llvm_work *w, const struct coverage_tuple *t, void *arg);
void llvm_cov_listed_files(struct llvm_work *w);
/* The end of a data set: gives what was held and is not constant. */
int llvm_cov_settle(struct llvm_work *w, bool has_functions);

#endif

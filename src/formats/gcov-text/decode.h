/* gcov's text (.gcov of gcc 3 and later) and its intermediate text (gcov -i of gcc 4.9 to 8): lines -> records. The only parser of these;
 * read, check and dump pull from it. docs/formats/gcov.md has both grammars. Damage goes to the findings list, and decoding goes on. */
#ifndef FORMATS_GCOV_TEXT_DECODE_H
#define FORMATS_GCOV_TEXT_DECODE_H

#include "base/lines.h"

enum gcov_kind {
    GCOV_END = 0,
    GCOV_HEADER,   /* name, value: a row of line 0, or version: and cwd: */
    GCOV_SOURCE,   /* name: the file that what follows belongs to */
    GCOV_LINE,     /* line, count, flags; is_code false = a line without code */
    GCOV_FUNCTION, /* name, count; intermediate: line, end_line */
    GCOV_BRANCH,   /* line, index, count or percent, flags */
    GCOV_CALL,     /* line, index, count = it returned */
    GCOV_SECTION,  /* name: rows of one instance of a template follow; they repeat the sums above */
    GCOV_SECTION_END,
    GCOV_OTHER /* without meaning for the model, or not understood; only with d->wants_all */
};

struct gcov_record {
    enum gcov_kind kind;
    uint64_t off, number; /* of the line of text */
    assay_slice text;
    assay_slice name, value;
    uint64_t count;
    uint32_t line, end_line, index;
    uint8_t flags;     /* GCOV_LINE: enum assay_coverage_line_flags; GCOV_BRANCH: enum assay_coverage_branch_flags */
    bool is_code;      /* GCOV_LINE */
    bool is_percent;   /* branch or call: count is a percentage */
    bool was_negative; /* count stood below 0 and is read as 0 */
};

struct gcov_decoder {
    struct lines lines;
    struct findings *damage;
    assay_error *err;
    bool is_intermediate, wants_all;
    bool has_file;     /* a source was named */
    bool after_dashes; /* text: the line before was a row of dashes */
    bool in_section;
    uint32_t line; /* of the last row */
};

enum { GCOV_LINE_MAX = 0x7fffffff };

/* `in`, `damage` and `err` are borrowed until gcov_done. */
void gcov_init(struct gcov_decoder *d, bool is_intermediate, struct input *in, struct mem *mem, struct findings *damage, assay_error *err);
void gcov_done(struct gcov_decoder *d);
/* The next record. 0 or an error of input or memory; kind GCOV_END at the end. Slices last until the next call. */
int gcov_next(struct gcov_decoder *d, struct gcov_record *r);

/* ---- between the files of the decoder ---- */

void gcov_text_line(struct gcov_decoder *d, struct gcov_record *r);
void gcov_intermediate_line(struct gcov_decoder *d, struct gcov_record *r);
/* GT-1: the row is left out. */
void gcov_bad(struct gcov_decoder *d, struct gcov_record *r, const char *message);
/* A whole number; below 0 is 0 and GT-5. false = no number. */
bool gcov_count(struct gcov_decoder *d, struct gcov_record *r, assay_slice s);
bool gcov_small(assay_slice s, uint32_t *out);

#endif

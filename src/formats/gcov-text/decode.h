/* gcov's text (.gcov of gcc 3 and later) and its intermediate text (gcov -i of gcc 4.9 to 8): lines -> records -> rows. The only parser of these.
 * docs/formats/gcov.md has both grammars. Damage goes to the findings list, and decoding goes on. */
#ifndef FORMATS_GCOV_TEXT_DECODE_H
#define FORMATS_GCOV_TEXT_DECODE_H

#include "formats/coverage/text_rows.h"

enum gcov_kind {
    GCOV_HEADER,   /* name, value: a row of line 0, or version: and cwd: */
    GCOV_SOURCE,   /* name: the file that what follows belongs to */
    GCOV_LINE,     /* line, count, flags; is_code false = a line without code */
    GCOV_FUNCTION, /* name, count; intermediate: line, end_line */
    GCOV_BRANCH,   /* line, index, count or percent, flags */
    GCOV_CALL,     /* line, index, count = it returned */
    GCOV_SECTION,  /* name: rows of one instance of a template follow; they repeat the sums above */
    GCOV_SECTION_END,
    GCOV_OTHER /* without meaning for the model, or not understood */
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

/* n of m outcomes of a line, before those of the same line are added up. */
struct gcov_outcome {
    uint32_t line, hit;
    bool is_call;
};
/* Intermediate: how many branch rows a line of the file's part has had. */
struct gcov_ordinal {
    uint32_t part, line, count;
};

struct gcov_decoder {
    struct coverage_decoder *d;
    struct findings *damage;
    bool is_intermediate;
    bool has_file;     /* a source was named */
    bool after_dashes; /* text: the line before was a row of dashes */
    bool in_section;
    bool has_rows;     /* the file has rows other than headers */
    uint32_t line;     /* of the last row */
    uint32_t func;     /* name of the section's function */
    uint32_t kinds[2]; /* ids of "branches" and "calls" */
    VEC(struct gcov_outcome) outcomes;
    VEC(struct gcov_ordinal) ordinals;
    struct index ordinal_index;
    uint32_t part;
    uint64_t negative;
};

/* For checks: lines with code, of_function those of sections; branches with percentages only; a RECORD for the first line without code. */
int gcov_text_decode(struct coverage_decoder *d);
int gcov_intermediate_decode(struct coverage_decoder *d);

/* ---- between the files of the decoder ---- */

void gcov_text_line(struct gcov_decoder *d, struct gcov_record *r);
void gcov_intermediate_line(struct gcov_decoder *d, struct gcov_record *r);
/* GT-1: the row is left out. */
void gcov_bad(struct gcov_decoder *d, struct gcov_record *r, const char *message);
/* A whole number; below 0 is 0 and GT-5. false = no number. */
bool gcov_count(struct gcov_decoder *d, struct gcov_record *r, assay_slice s);
/* At most `most` digits: where they end, or NULL. */
static inline const char *gcov_digits(const char *p, const char *end, ptrdiff_t most, uint64_t *out)
{
    const char *from = p;
    uint64_t v = 0;
    for (unsigned digit; p < end && (digit = (unsigned char)(*p - '0')) < 10; p++) v = v * 10 + digit;
    *out = v;
    return p == from || p - from > most ? NULL : p;
}
/* What a record is for readers, checks and dumps; `before` is the number of findings before its line was looked at. */
int gcov_give(struct gcov_decoder *g, const struct gcov_record *r, size_t before);
/* Behind the last record. */
int gcov_give_end(struct gcov_decoder *g);

#endif

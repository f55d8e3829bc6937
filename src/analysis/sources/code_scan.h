/* A look at code without understanding it: its bytes without blanks, comments and the insides of strings, which is enough to see where a statement
 * or a block ends. For the languages with braces (C, JavaScript, PHP, Java, Dart, ...) and for Python's blocks. */
#ifndef ANALYSIS_SOURCES_CODE_SCAN_H
#define ANALYSIS_SOURCES_CODE_SCAN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/slice.h"

struct code_scan {
    const assay_slice *lines; /* line n is lines[n - 1]; borrowed */
    uint32_t count;
    bool has_hash_names; /* '#' begins a name (JavaScript), not a comment or a directive */
    uint32_t budget;     /* steps that nodes may still take: nodes within nodes must not cost the square of the file */
    /* what comes next */
    uint32_t line; /* from 1 */
    size_t column; /* from 0 */
    /* what came last: 0 = nothing so far; a string is '"', whatever its quotes */
    int last;
    uint32_t last_line;
    char word[12]; /* the word that it ended, "" = none or a longer one */
};

void code_scan_init(struct code_scan *k, const assay_slice *lines, uint32_t count, assay_slice path);
/* From this place on. */
void code_scan_seek(struct code_scan *k, uint32_t line, size_t column);
/* The next byte of code, a whole word or string at once (then 'a' or '"'); -1 = the end. */
int code_scan_next(struct code_scan *k);

/* The last line of the statement, function or class that begins with the next code; *first is the line where it begins. false = there is none. */
bool code_scan_node(struct code_scan *k, uint32_t *first, uint32_t *last);

/* ---- Python ---- */

/* A statement as Python sees it: lines that brackets, backslashes and long strings join. */
struct python_line {
    uint32_t first, last; /* lines */
    unsigned indent;
    bool opens_block;  /* ends with a colon, and the block is on the lines that follow */
    bool is_decorator; /* begins with '@' */
};
/* The statement that begins at or after line `from`; false = none. */
bool python_line_next(const assay_slice *lines, uint32_t count, uint32_t from, struct python_line *out);

#endif

/* gcov's JSON (gcov --json-format), versions 1 and 2, and gcovr's, which is the same with keys of its own: objects -> rows. The only parser of
 * both formats. The name of a file may stand behind its rows, and functions behind lines, so those of one file are kept until its object ends, and
 * given with the functions first. docs/formats/gcov-json.md and gcovr-json.md have the grammar. */
#ifndef FORMATS_GCOV_JSON_DECODE_H
#define FORMATS_GCOV_JSON_DECODE_H

#include "formats/coverage/json_rows.h"

struct gcov_json {
    struct coverage_decoder *d; /* its rows are the lines of the file in work */
    struct coverage_json *j;
    VEC(struct coverage_row) functions; /* of the file in work, behind its own row */
    uint32_t calls;                     /* id of "calls" */
    uint64_t negative;
};

enum { GCOV_JSON_CONDITIONS = 64 }; /* of one expression; gcc has no more */
/* Key of a record that only documents of gcovr have. */
#define GCOV_JSON_GCOVR_VERSION "gcovr/format_version"

int gcov_json_decode(struct coverage_decoder *d);

/* ---- between the files of the decoder ---- */

/* The object of a line or function, which has begun: adds its rows. arg: struct gcov_json. */
int gcov_json_line(struct coverage_decoder *d, void *arg);
int gcov_json_function(struct coverage_decoder *d, void *arg);

#endif

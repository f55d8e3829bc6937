/* gcov's JSON (gcov --json-format), versions 1 and 2, and gcovr's, which is the same with keys of its own: objects -> records. The only parser of
 * both formats; read, check and dump take its records. The name of a file may stand behind its rows, so those of one file are kept until its
 * object ends. docs/formats/gcov-json.md and gcovr-json.md have the grammar. */
#ifndef FORMATS_GCOV_JSON_DECODE_H
#define FORMATS_GCOV_JSON_DECODE_H

#include "base/intern.h"
#include "formats/coverage/json.h"

enum gcov_json_kind {
    GCOV_JSON_TOP,  /* top, text: gcc_version, ... */
    GCOV_JSON_FILE, /* text; rows[0 .. row_count) are the records of the file: functions first */
};
enum gcov_json_top { GCOV_JSON_VERSION, GCOV_JSON_GCC, GCOV_JSON_FOLDER, GCOV_JSON_DATA, GCOV_JSON_GCOVR };

enum gcov_json_row_kind { GCOV_JSON_FUNCTION, GCOV_JSON_LINE, GCOV_JSON_BRANCH, GCOV_JSON_CALLS, GCOV_JSON_CONDITION };

struct gcov_json_row {
    enum gcov_json_row_kind kind;
    uint64_t off, number;
    uint64_t count;                              /* calls, hits, times taken; CONDITION: 0 or 1 */
    uint32_t name;                               /* id in d->names: of the function, 0 = none */
    uint32_t demangled;                          /* FUNCTION: 0 = not said */
    uint32_t line, end_line, column, end_column; /* line is at least 1 but for functions */
    uint32_t blocks, blocks_executed;            /* FUNCTION; CALLS: all, and those that returned */
    uint32_t index;                              /* BRANCH: in its row; CONDITION: number of the condition */
    uint32_t group, ordinal;                     /* CONDITION: conditions of its expression, which one of the row it is */
    uint32_t checksum;                           /* LINE: id in d->names; 0 = none */
    uint8_t flags;                               /* LINE, FUNCTION: enum assay_coverage_line_flags; BRANCH, CONDITION: enum assay_coverage_branch_flags */
    bool sense;                                  /* CONDITION */
};

struct gcov_json_record {
    enum gcov_json_kind kind;
    uint64_t off, number;
    enum gcov_json_top top;
    assay_slice text;
    const struct gcov_json_row *rows;
    size_t row_count;
};

typedef int (*gcov_json_fn)(void *arg, const struct gcov_json_record *r);

struct gcov_json_decoder {
    gcov_json_fn take;
    void *arg;
    struct findings *damage;
    struct coverage_json j;
    struct mem *mem;
    assay_error *err;
    struct intern names;
    uint64_t negative;
    VEC(struct gcov_json_row) functions; /* of the file in work */
    VEC(struct gcov_json_row) rows;
};

enum { GCOV_JSON_CONDITIONS = 64 }; /* of one expression; gcc has no more */

/* Every record goes to take(arg, record); what it returns other than 0 ends the work and is returned. `names` lasts until gcov_json_done. */
int gcov_json_decode(struct gcov_json_decoder *d, const struct read_job *job, assay_error *err);
void gcov_json_done(struct gcov_json_decoder *d);

/* ---- between the files of the decoder ---- */

/* The object of a line, which has begun: adds its rows. */
int gcov_json_line(struct gcov_json_decoder *d);
int gcov_json_function(struct gcov_json_decoder *d);

#endif

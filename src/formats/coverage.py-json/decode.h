/* coverage.py's JSON report (coverage json): objects -> rows, file by file. The only parser of this format. docs/formats/coverage.py-json.md has the
 * grammar. Damage goes to the findings list. */
#ifndef FORMATS_COVERAGE_PY_JSON_DECODE_H
#define FORMATS_COVERAGE_PY_JSON_DECODE_H

#include "formats/coverage/json_rows.h"

struct coverage_py_context {
    uint32_t line, name; /* name: id in the decoder's names */
};

enum coverage_py_figure {
    COVERAGE_PY_COVERED_LINES,
    COVERAGE_PY_STATEMENTS,
    COVERAGE_PY_COVERED_BRANCHES,
    COVERAGE_PY_BRANCHES,
    COVERAGE_PY_MISSING_LINES,
    COVERAGE_PY_EXCLUDED_LINES,
    COVERAGE_PY_PARTIAL_BRANCHES,
    COVERAGE_PY_MISSING_BRANCHES,
    COVERAGE_PY_FIGURES
};

/* A file in work. */
struct coverage_py {
    struct coverage_decoder *d;
    double stated[COVERAGE_PY_FIGURES]; /* -1 = not said */
    VEC(struct coverage_py_context) contexts;
    VEC(uint32_t) excluded;             /* lines, sorted */
    VEC(struct coverage_row) rows;      /* before their contexts */
    VEC(uint8_t) is_listed;             /* by name id: the context is an attribute; of all files */
    double totals[COVERAGE_PY_FIGURES]; /* of the report */
    bool has_branches;                  /* meta.branch_coverage */
};

int coverage_py_decode(struct coverage_decoder *d);
extern const struct coverage_source coverage_py_source;

/* ---- between the files of the decoder ---- */

/* For readers: the rows of the file, which are as they stand, become those that count: a line that contexts are listed for has a row for each, and
 * no line is both excluded and executed. */
int coverage_py_settle(struct coverage_py *p);
/* A report or file says so much: pairs, and single figures; for dumps all of them are single. */
int coverage_py_state(struct coverage_py *p, const struct json_event *at, const char *scope, const double *figures);
const char *coverage_py_figure_name(enum coverage_py_figure f);

#endif

/* coverage.py's JSON report (coverage json): objects -> files with their lines and branches. The only parser of this format; read, check and
 * dump take whole files from it. docs/formats/coverage.py-json.md has the grammar. Damage goes to the findings list. */
#ifndef FORMATS_COVERAGE_PY_JSON_DECODE_H
#define FORMATS_COVERAGE_PY_JSON_DECODE_H

#include "base/intern.h"
#include "formats/coverage/json.h"

enum coverage_py_list { COVERAGE_PY_EXECUTED, COVERAGE_PY_MISSING, COVERAGE_PY_EXCLUDED };

struct coverage_py_line {
    uint64_t off, number;
    uint32_t line;
    uint8_t list; /* enum coverage_py_list */
};
struct coverage_py_branch {
    uint64_t off, number;
    uint32_t from;
    int64_t to; /* negative = leaves the code object that begins there */
    bool is_hit;
};
struct coverage_py_context {
    uint32_t line, name; /* name: id in d->names */
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

struct coverage_py_file {
    assay_slice path;
    uint64_t off, number;
    double stated[COVERAGE_PY_FIGURES]; /* -1 = not said */
    VEC(struct coverage_py_line) lines;
    VEC(struct coverage_py_branch) branches;
    VEC(struct coverage_py_context) contexts;
};

typedef int (*coverage_py_fn)(void *arg, const struct coverage_py_file *f);

struct coverage_py_decoder {
    coverage_py_fn take; /* each file, when its object ends */
    void *arg;
    struct findings *damage;
    struct mem *mem;
    assay_error *err;
    struct coverage_json j;
    struct intern names;
    struct coverage_py_file file;
    double totals[COVERAGE_PY_FIGURES]; /* of the report */
    uint32_t version;                   /* id of meta.version; 0 = not said */
    bool has_branches;                  /* meta.branch_coverage */
};

/* What take returns other than 0 ends the work and is returned. `names` lasts until coverage_py_done. */
int coverage_py_decode(struct coverage_py_decoder *d, const struct read_job *job, assay_error *err);
void coverage_py_done(struct coverage_py_decoder *d);
const char *coverage_py_figure_name(enum coverage_py_figure f);

#endif

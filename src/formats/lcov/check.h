/* What check keeps of a tracefile: the record in work, and of each file how often it came and its version. */
#ifndef LCOV_CHECK_H
#define LCOV_CHECK_H

#include "analysis/sources/text.h"
#include "base/index.h"
#include "base/intern.h"
#include "formats/lcov/decode.h"

/* Where a record of the tracefile stands. */
struct lcov_at {
    uint64_t off, number;
};
struct lcov_da {
    struct lcov_at at;
    uint64_t hits;
    uint64_t hit_lines; /* once sorted: how many lines up to this one were hit */
    uint32_t line;
};
struct lcov_brda {
    struct lcov_at at;
    uint64_t hits;
    uint32_t line, block, name;
    uint8_t flags;
};
struct lcov_mcdc {
    struct lcov_at at;
    uint64_t hits;
    uint32_t line, group, index;
    uint8_t sense, flags;
};
/* A function name of the record (FN, or FNDA without FN), or an alias of a leader. */
struct lcov_fn {
    struct lcov_at at;
    uint64_t calls;
    uint32_t name, leader, line, end_line;
    uint32_t next; /* the next line of the same name, plus 1 */
    /* of the first of a name: how many lines FN gives it, how many FNDA there are, where the next of them goes, the last line; plus 1 */
    uint32_t defined, called, turn, last;
    bool has_line;
};

struct lcov_by_name {
    uint32_t *at;
    size_t len, cap;
};

struct lcov_checker {
    struct findings *out;
    struct mem *mem;
    struct intern names;
    /* the record in work */
    bool is_open, has_fn, has_fnl;
    struct index more_lines; /* functions whose name has another line already */
    struct lcov_at begin;
    uint32_t file; /* name id of SF, 0 = none */
    VEC(struct lcov_da) lines;
    VEC(struct lcov_brda) branches;
    VEC(struct lcov_mcdc) conditions;
    VEC(struct lcov_fn) functions;
    VEC(struct lcov_fn) pending; /* FNDA: given to their functions when the record ends */
    bool has_stated[LCOV_COUNTERS];
    uint64_t stated[LCOV_COUNTERS];
    struct lcov_at stated_at[LCOV_COUNTERS];
    struct lcov_by_name by_name; /* its function of the record, plus 1 */
    /* the sources, where they are asked for */
    bool has_sources;
    struct source_paths paths;
    struct source_text text; /* of the record; path NULL = none */
    size_t lost;             /* records without a source */
    struct lcov_at lost_at;  /* the first of them */
    char lost_path[201];
    struct lcov_by_name version; /* of a file: name id of its VER; 0 = file not seen, UINT32_MAX = seen without */
};

void lcov_checker_init(struct lcov_checker *c, struct findings *out, struct mem *mem);
void lcov_checker_done(struct lcov_checker *c);
/* false = no memory */
bool lcov_checker_record(struct lcov_checker *c, const struct lcov_record *r);

/* ---- between the files of check ---- */

/* What the record has is compared with itself and with what it states. false = no memory */
bool lcov_check_record_end(struct lcov_checker *c);
void lcov_found(struct lcov_checker *c, struct lcov_at at, const char *rule, int severity, const char *fmt, ...) __attribute__((format(printf, 5, 6)));

/* Sources: LC-31 and LC-32. Errors and false: no memory. */
int lcov_check_sources_init(struct lcov_checker *c, const struct assay_read_options *options, assay_error *err);
void lcov_check_sources_done(struct lcov_checker *c);
bool lcov_check_source(struct lcov_checker *c, const struct lcov_record *r);
void lcov_check_source_line(struct lcov_checker *c, const struct lcov_record *r);

#endif

/* Marks in a source that say what is not to be counted. docs/coverage.md, "Marks", lists them. */
#ifndef ANALYSIS_COVERAGE_EXCLUSION_H
#define ANALYSIS_COVERAGE_EXCLUSION_H

#include "analysis/coverage/copy.h"
#include "analysis/coverage/view.h"
#include "analysis/sources/text.h"
#include "base/findings.h"
#include "base/pattern.h"

/* What options say of source lines. */
struct exclusion_rules {
    struct mem *mem;
    VEC(struct pattern *) lines;
    bool unreachable_branches;
};
/* Errors: MEMORY, USAGE (an expression is wrong). exclusion_rules_done is due in any case. */
int exclusion_rules_init(struct exclusion_rules *r, const struct assay_filter *f, struct mem *mem, assay_error *err);
void exclusion_rules_done(struct exclusion_rules *r);
static inline bool exclusion_rules_any(const struct exclusion_rules *r) { return r->lines.len || r->unreachable_branches; }

/* Fills `out` (count = lines + 1, or 0 when nothing is marked) from a source text. `path` gives the language and is named in findings: M-1 a range
 * without an end, M-2 an end without a range, M-3 a range inside itself, M-5 a mark that is known but not followed. Free `out` with `mem` by
 * exclusion_done. false = no memory. */
bool exclusion_find(const struct source_text *text, const char *path, uint32_t families, const struct exclusion_rules *rules, struct mem *mem,
                    struct line_marks *out, struct findings *found);
void exclusion_done(struct line_marks *m, struct mem *mem);
/* What depends on the figures, m->unhit, becomes marks of branches, or M-6. `v` shows the file. */
void exclusion_settle(struct line_marks *m, const struct coverage_view *v, const char *path, struct findings *found);

/* ---- for the files of this module ---- */

/* A number for each pair of marks that begins and ends a range. */
enum exclusion_pair {
    PAIR_WORDS = 0, /* those of lcov and similar tools: four prefixes times four kinds */
    PAIR_RUBY = 16,
    PAIR_DART,
    PAIR_C8,
    PAIR_V8,
    PAIR_NODE,
    PAIR_PHP,
    PAIRS
};

/* A range that is open: from this line, 0 = none. */
struct exclusion_range {
    uint32_t from;
    unsigned mark;
    assay_slice name; /* of the mark that opened it */
};

struct exclusion {
    const struct source_text *text;
    const char *path;
    uint32_t families;
    const struct exclusion_rules *rules;
    struct line_marks *out;
    struct mem *mem;
    bool failed; /* no memory */
    struct findings *found;
    struct exclusion_range ranges[PAIRS];
    bool is_any;
};

/* Marks the lines first .. last, as far as there are such. */
void exclusion_mark(struct exclusion *x, uint32_t first, uint32_t last, unsigned mark);
/* `name` is what findings call the mark; borrowed from the source or static. */
void exclusion_open(struct exclusion *x, size_t pair, uint32_t line, unsigned mark, assay_slice name);
void exclusion_close(struct exclusion *x, size_t pair, uint32_t line, assay_slice name);
/* `name` is not followed. */
void exclusion_ignored(struct exclusion *x, uint32_t line, assay_slice name);

void exclusion_rules_apply(struct exclusion *x, uint32_t line, assay_slice s);
/* Marks of comments, each for one line of the source. */
void exclusion_words(struct exclusion *x, uint32_t line, assay_slice s);
void exclusion_script(struct exclusion *x, uint32_t line, assay_slice s);
void exclusion_php(struct exclusion *x, uint32_t line, assay_slice s);
/* The whole source at once. */
void exclusion_python(struct exclusion *x);

#endif

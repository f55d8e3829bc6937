/* The merger: what all inputs say of a file, line, function or branch, folded into one row as each input comes. It keeps names and figures of
 * its own, so that memory grows with the result; an input is not needed once it has been added. */
#ifndef ANALYSIS_MERGE_MERGE_H
#define ANALYSIS_MERGE_MERGE_H

#include "analysis/merge/columns.h"
#include "analysis/merge/cost.h"
#include "assay/analysis.h"
#include "assay/build.h"
#include "base/error.h"
#include "base/findings.h"
#include "base/intern.h"
#include "base/vec.h"

/* Counts of a list: 32 bits each until one of them needs more. */
struct merge_counts {
    uint32_t *narrow;
    uint64_t *wide;
};

/* Lines or branches of one file and test, by line and key; the key of a line is 0. */
struct merge_list {
    uint32_t count;
    uint32_t *line;
    uint32_t *key; /* this and those below: NULL = 0 everywhere */
    struct merge_counts hits;
    uint8_t *flags;
    uint32_t *text;    /* checksums of lines */
    bool has_versions; /* they differed */
};

/* A row of a list on its way in. */
struct merge_row {
    uint64_t hits;
    uint32_t line, key, text;
    uint8_t flags;
};

/* What makes lines differ from branches. */
struct merge_kind {
    uint8_t (*within)(uint8_t a, uint8_t b); /* flags of rows of one input */
    uint8_t (*across)(uint8_t a, uint8_t b); /* of several */
};

/* What distinguishes branches of one line. */
struct merge_branch_key {
    SCHEMA_COVERAGE_BRANCHES(MERGE_KEY_MEMBER, _)
};

/* One file of one test; test 0 when tests are folded. */
struct merge_unit {
    uint32_t file, test;
    bool has_counts, has_only_hits; /* its lines, of any input */
    struct merge_list lines, branches;
};

struct merge_module {
    SCHEMA_MODULES(MERGE_MEMBER, _)
};

struct merge_file {
    SCHEMA_FILES(MERGE_MEMBER, _) /* path: as written; 0 = in several spellings */
    uint32_t spelling;            /* the one spelling: the identity, with the module */
    bool has_versions;            /* inputs have it from different ones */
};

struct merge_func {
    SCHEMA_FUNCS(MERGE_MEMBER, _)
    uint32_t seen; /* how many inputs have it */
};

struct merge_call {
    SCHEMA_COVERAGE_FUNCS(MERGE_MEMBER, _)
};

/* n of m. `hit_in` is the last input in which any was hit, so that one input that says it twice is no merge. */
struct merge_sum {
    SCHEMA_COVERAGE_SUMS(MERGE_MEMBER, _)
    uint32_t hit_in;
    bool is_at_least, is_dropped;
};

struct merge_condition {
    SCHEMA_COVERAGE_CONDITIONS(MERGE_MEMBER, _)
};

struct merge_region {
    SCHEMA_COVERAGE_REGIONS(MERGE_MEMBER, _)
    bool is_uneven; /* inputs differ in `statements` */
};

struct merge_attribute {
    uint32_t key, value;
    uint32_t seen;       /* how many inputs say it of the whole, or of each of their streams */
    uint32_t last, said; /* of how many streams the last input that has it says it */
};

struct merge_stated {
    SCHEMA_COVERAGE_STATED(MERGE_MEMBER, _)
};

struct merge_number {
    SCHEMA_COUNTS(MERGE_MEMBER, _)
};

/* What was found, counted in the order of the result, so that neither order nor grouping of the inputs shows; each becomes one warning with its
 * first example. */
enum merge_rule {
    MERGE_SPELLING,
    MERGE_VERSION,
    MERGE_FUNCTION,
    MERGE_AT_LEAST,
    MERGE_LIST_AND_SUM,
    MERGE_SATURATED,
    MERGE_BLOCK,
    MERGE_ONLY_HIT,
    MERGE_LEFT_OUT,
    MERGE_CLOCK,
    MERGE_RULES
};

struct merge_note {
    uint64_t count;
    char first[200];
};

struct assay_merger {
    struct mem mem;
    struct assay_merge_options options;
    struct intern strings;
    struct arena scratch; /* of spellings */
    uint32_t inputs;
    bool no_memory; /* a name could not be kept */

    VEC(struct merge_module) modules;
    VEC(struct merge_file) files;
    VEC(struct merge_func) funcs;
    VEC(struct merge_unit) units;
    VEC(struct merge_branch_key) keys;
    VEC(struct merge_call) calls;
    VEC(struct merge_sum) sums;
    VEC(struct merge_condition) conditions;
    VEC(struct merge_region) regions;
    struct index module_index, file_index, func_index, unit_index, key_index, call_index, sum_index, condition_index, region_index, attribute_index;

    VEC(struct merge_attribute) attributes;
    /* Of the first input, and dropped when there is another: figures of one file say nothing of the sum. */
    VEC(struct merge_stated) stated;
    VEC(struct merge_number) counts;
    uint32_t format, version, producer; /* 0 = none, or not the same in all */
    uint32_t shapes, offers;
    struct merge_cost cost;
    struct findings warnings; /* of the inputs */
    bool is_saturated;        /* a sum did not fit */
    struct merge_note notes[MERGE_RULES];
};

/* What a branch that has block and name only, by ids of the input, is found under. */
struct merge_short_key {
    uint32_t block, name, key; /* key 0 = none yet */
};
enum { MERGE_SHORT_KEYS = 256 };

/* One input on its way in: its ids -> the merger's. */
struct merge_input {
    struct assay_merger *m;
    const assay_profile *p;
    const char *name; /* for messages */
    uint32_t number;  /* from 1 */
    uint32_t *strings, *modules, *files, *funcs;
    size_t string_count;
    uint32_t last_func, last_call; /* where the last ones were found: inputs mostly have them in the same order */
    struct merge_short_key keys[MERGE_SHORT_KEYS];
    assay_error *err;
};

/* ---- names (names.c) ---- */

int merge_names_begin(struct merge_input *in);
void merge_names_end(struct merge_input *in);
/* 0 for none, and without memory, as m->no_memory says. */
uint32_t merge_string(struct merge_input *in, uint32_t id);
uint32_t merge_func(struct merge_input *in, uint32_t id);
/* What an input or another merger says, in the merger's ids, is folded into what is known, or is new. 0 = no memory, for a unit UINT32_MAX. */
uint32_t merge_module_put(struct assay_merger *m, const struct merge_module *said);
uint32_t merge_func_put(struct merge_input *in, const struct merge_func *said);
uint32_t merge_unit_put(struct assay_merger *m, uint32_t file, uint32_t kept_test);
uint32_t merge_key_put(struct assay_merger *m, const struct merge_branch_key *said);
/* The same without its parent. Errors: MEMORY; DAMAGED (strict, and another version of the file). */
int merge_file_put(struct merge_input *in, const struct merge_file *said, uint32_t *out);
/* Another file that evaluated this one at a line. The smaller place wins where inputs differ. */
void merge_file_parent(struct assay_merger *m, uint32_t file, uint32_t parent, uint32_t line);
/* The place in m->units of a file (of the merger) and a test (of the input); UINT32_MAX = no memory. */
uint32_t merge_unit(struct merge_input *in, uint32_t file, uint32_t test);
/* The test that rows are kept under: 0 when tests are folded. */
uint32_t merge_test(struct merge_input *in, uint32_t test);

/* Counts one more case of a rule; the first one is kept as an example. */
void merge_note(struct assay_merger *m, enum merge_rule rule, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* How much of a path stands in a message. */
static inline int merge_shown(assay_slice path) { return (int)(path.len < 80 ? path.len : 80); }
/* The smaller of two texts: a choice that does not depend on the order of the inputs. */
uint32_t merge_smaller(const struct assay_merger *m, uint32_t a, uint32_t b);

/* ---- figures ---- */

/* a + b, at most UINT64_MAX; noted when that is reached. */
uint64_t merge_add(struct assay_merger *m, uint64_t a, uint64_t b);
static inline uint64_t merge_count(const struct merge_counts *c, uint32_t i) { return c->wide ? c->wide[i] : c->narrow[i]; }

/* Takes the rows of one input into a list, in any order; `rows` is put in order and folded on the way. Errors: MEMORY, DAMAGED when strict. */
int merge_list_add(struct merge_input *in, struct merge_list *list, const struct merge_kind *kind, struct merge_row *rows, size_t count);
void merge_list_free(struct mem *mem, struct merge_list *list);

extern const struct merge_kind merge_line_kind, merge_branch_kind;
int merge_lines_add(struct merge_input *in);
int merge_branches_add(struct merge_input *in);
int merge_calls_add(struct merge_input *in);
int merge_sums_add(struct merge_input *in);
/* One row in the merger's ids, as the functions with s put all of an input. */
int merge_call_put(struct merge_input *in, const struct merge_call *said);
int merge_sum_put(struct merge_input *in, const struct merge_sum *said);
int merge_condition_put(struct merge_input *in, const struct merge_condition *said);
int merge_region_put(struct merge_input *in, const struct merge_region *said);
static inline uint64_t merge_sum_hash(uint32_t file, uint32_t line, uint32_t kind, uint32_t test)
{
    return hash_mix(hash_mix(file, line), (uint64_t)kind << 32 | test);
}
int merge_conditions_add(struct merge_input *in);
int merge_regions_add(struct merge_input *in);

/* Flags of a line that say what was seen in one input; they never leave the merger. */
enum { MERGE_SEEN_WHOLE = 64 /* hit, and not partial */, MERGE_SEEN_ALL_BLOCKS = 128 };
/* What several inputs say of a line or function: excluded when one says so, not code or not known when all do. */
uint8_t merge_line_flags(uint8_t a, uint8_t b);
/* The flags that leave the merger: what one input saw whole is partial in none. */
uint8_t merge_line_flags_out(uint8_t flags);
/* What several inputs say of a branch: not evaluated and unreachable when all do. */
uint8_t merge_branch_flags(uint8_t a, uint8_t b);

/* An attribute, with 0 inputs when it is new; NULL = no memory. */
struct merge_attribute *merge_attribute_put(struct assay_merger *m, uint32_t key, uint32_t value);

/* ---- the result (emit.c) ---- */

/* Everything in the order of its names and numbers; frees lists as it goes. */
int merge_emit(struct assay_merger *m, assay_builder *b, assay_error *err);

#endif

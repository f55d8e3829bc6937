/* One import: coverage of some files at one commit -> LINE COVERAGE, FUNCTION COVERAGE, FILES, BUILD and REPORT objects, and the branch moved.
 *
 * What is imported comes as plain records, so that the report JSON of the original program and profiles of any format go the same way. */
#ifndef STORE_IMPORT_H
#define STORE_IMPORT_H

#include "store/git.h"
#include "store/refs.h"

enum import_digest { IMPORT_NO_DIGEST, IMPORT_MD5, IMPORT_SHA1 };

struct import_file {
    assay_slice path; /* relative to the work tree */
    enum import_digest digest_kind;
    uint8_t digest[20];     /* of the source that was measured; 16 bytes for MD5 */
    struct cov_line *lines; /* from 1, ascending, each once */
    size_t line_count;
    struct cov_function *functions; /* any order: import sorts them */
    size_t function_count;
};
struct import_input {
    assay_slice git_branch;
    assay_slice git_head; /* hexadecimal digits of the commit */
    struct import_file *files;
    size_t file_count;
    assay_slice propset; /* JSON members without braces */
    struct {
        uint64_t branches, conditions, regions;
    } lost; /* what the inputs have and a store does not */
};
struct import_options {
    bool exact;        /* the ids that the original program gives, its faults included */
    bool by_stats;     /* a report whose statistics are those of its parent is none, as for the original program; else lines and properties count */
    bool amend;        /* replace the tip */
    bool add;          /* the tip's builds stay, this one joins them (its files are merged with theirs) */
    bool skip_missing; /* a file whose source is nowhere is left out, not an error */
    uint64_t now;      /* 0 = store_now() */
    /* Called for what is odd but no error: a source modified after the report, ... `message` is a sentence. May be NULL. */
    void (*warn)(void *arg, const char *path, const char *message);
    void *warn_arg;
};
enum import_outcome { IMPORT_DONE, IMPORT_NO_CHANGE };
struct import_result {
    enum import_outcome outcome;
    assay_store_id report, parent;
    assay_store_id base;        /* with `add`: the report that it takes the place of */
    size_t file_count;          /* of the report */
    char branch[REFS_NAME_MAX]; /* the reference that was moved: refs/heads/main, or HEAD when detached */
};

/* Errors: UNKNOWN (commit or a source not found: the path is in err->path), USAGE (a file twice; nothing to amend), LIMIT (the reference stayed
 * locked or moved on too often), WRITE, MEMORY, SYSTEM. Whatever fails, the reference is as it was. */
int store_import(struct store *s, struct git *g, const struct import_input *in, const struct import_options *options, struct import_result *out,
                 assay_error *err);

/* Adds the records of a profile to those that are there: lines summed over tests, functions with their counts. Everything is from the arena, and
 * names are those of the profile, which must last. Paths below `root` (of the work tree; NULL = bare) lose it. Errors: MEMORY, UNSUPPORTED (no coverage in it). */
int import_collect(const assay_profile *p, const char *root, struct arena *a, struct import_input *out, assay_error *err);
/* Looks for the files from number `first` on, which are those of one input, in the commit and in the work tree. When none of them is there under
 * its own path, each gets the path of the commit that ends like it, by the rules of `patch`: that is how reports that were measured in another
 * folder find their sources. Errors: UNKNOWN (no such commit), SYSTEM, MEMORY. */
struct import_match {
    size_t found;            /* files that are there now; where they are there as they came, one of them stands for all */
    size_t by_end;           /* of those, the ones that were given another path */
    assay_slice from, to;    /* the first of these */
    const char *commit_path; /* when none was found: a file of the commit, of the same kind if there is one; NULL = it has none */
};
int import_match(struct git *g, struct import_input *in, size_t first, struct arena *a, struct import_match *out, assay_error *err);
/* Makes one of files with the same path: hits and counts are added. Errors: MEMORY. */
int import_unite(struct import_input *in, struct arena *a, assay_error *err);

#endif

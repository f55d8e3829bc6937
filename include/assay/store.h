/* The coverage store: reports of a git repository's coverage, one for each commit that was measured, with branches and tags as git has them. It is what
 * `assay cov` works on; docs/formats/cov.md has its layout.
 *
 *     assay_store_find(".", path, sizeof path, &err);
 *     assay_store_open(path, &store, &err);
 *     assay_store_walk_new(store, "HEAD", &walk, &err);
 *     while (assay_store_walk_next(walk, &report, &err) == 0 && report)
 *         printf("%u of %u lines\n", report->stats.lines.visited, report->stats.lines.relevant);
 *     assay_store_walk_free(walk);
 *     assay_store_close(store);
 *
 * A handle, and what was made of it, belongs to one thread at a time; any number of handles, threads and processes may use one store. Readers take no lock.
 * Whoever changes something holds a lock as long as that takes, waits ten seconds at most for others (then: LIMIT), and leaves the store as it was when
 * anything fails. What a call has reported as done is on disk. A report, once stored, never changes.
 *
 * A revision is what people type: HEAD, a branch, a tag, at least four digits of an id; then any of ^ and ~N for its ancestors. NULL stands for HEAD. A..B is
 * a range: the reports of B that A does not have.
 *
 * Whatever a store holds may be read: an object that is damaged is an error (DAMAGED), one that is gone another (UNKNOWN). assay_check with the path of a
 * store checks all of it. Every call can also fail with MEMORY, SYSTEM or CANCELLED. In a build without libgit2, calls that need git answer UNSUPPORTED. */
#ifndef ASSAY_STORE_H
#define ASSAY_STORE_H

#include "assay/report.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { ASSAY_STORE_PATH_MAX = 4096, ASSAY_STORE_NAME_MAX = 1024 /* of a reference */, ASSAY_STORE_ID_TEXT = 41 };

/* ---- ids and figures ---- */

/* The SHA-1 of an object of the store, or of git; all zero = none. */
typedef struct assay_store_id {
    uint8_t bytes[20];
} assay_store_id;

typedef struct assay_store_pair {
    uint32_t relevant, visited;
} assay_store_pair;
typedef struct assay_store_stats {
    uint32_t lines_total; /* of the sources */
    assay_store_pair lines, functions, branches;
} assay_store_stats;

/* 40 lower-case hexadecimal digits; returns `text`. */
ASSAY_API char *assay_store_id_text(const assay_store_id *id, char text[ASSAY_STORE_ID_TEXT]);
ASSAY_API bool assay_store_id_is_none(const assay_store_id *id);

/* ---- finding, making, opening ---- */

typedef struct assay_store assay_store;

/* The store that belongs to a directory: the directory itself, its .covdata, that of its git repository, or of a directory above it on the same file system.
 * The path, in `room` bytes, is absolute. Errors: UNKNOWN (there is none; with ASSAY_HINT_WORKTREE, only the repository of this worktree has one), LIMIT (the
 * path is too long), UNSUPPORTED. */
ASSAY_API int assay_store_find(const char *from, char *path, size_t room, assay_error *err);

struct assay_store_new {
    size_t size;           /* of this structure */
    const char *git_dir;   /* the git repository; NULL = the one that `directory` is in */
    const char *directory; /* NULL = the current one. One that is outside of the repository's work tree becomes the store itself */
    const char *branch;    /* makes the part of a store that belongs to a git worktree, with this branch as its HEAD; NULL = a whole store */
    bool force;            /* an existing store is removed first, with all its reports */
};
enum assay_store_outcome {
    ASSAY_STORE_MADE = 0,
    ASSAY_STORE_REMADE = 1,
    ASSAY_STORE_EXISTS = 2,      /* and was left alone */
    ASSAY_STORE_NO_WORKTREE = 3, /* `branch` was given, but the repository is no additional worktree: nothing was made */
    ASSAY_STORE_NO_BRANCH = 4    /* comes with an error: no report can be found for `branch` */
};
typedef struct assay_store_made {
    enum assay_store_outcome outcome;
    char store[ASSAY_STORE_PATH_MAX]; /* that was made, or exists */
    char git[ASSAY_STORE_PATH_MAX];
} assay_store_made;
/* Makes an empty store. `what` may be NULL. *out is filled as far as things got, also on errors. Errors: UNKNOWN (no git repository), USAGE, WRITE, UNSUPPORTED. */
ASSAY_API int assay_store_create(const struct assay_store_new *what, assay_store_made *out, assay_error *err);

/* Opens the store at `path`, as assay_store_find gives it, and reads its settings. *out is the caller's. Errors: UNKNOWN (no store), DAMAGED (the settings). */
ASSAY_API int assay_store_open(const char *path, assay_store **out, assay_error *err);
/* Frees; what was made of the handle must be freed before. NULL is allowed. */
ASSAY_API void assay_store_close(assay_store *store);
/* Borrowed until the store is closed. */
ASSAY_API const char *assay_store_path(const assay_store *store);
/* Where the store's git repository is, and the root of its work tree with a slash at its end (NULL = bare). Borrowed. Errors: UNKNOWN (the store does not say,
 * or it is gone), UNSUPPORTED. Either pointer may be NULL. */
ASSAY_API int assay_store_git(assay_store *store, const char **git_dir, const char **work_tree, assay_error *err);
/* From now on git objects are taken as they are, as git itself does: libgit2 otherwise computes the id of each again, a fifth of the time of an import. It holds
 * for the whole process, which is why a library should leave the choice to its program. */
ASSAY_API void assay_store_trust_git(void);

/* What a process needs that ends in the middle of its work, where another thread may be using the store: the names of its temporary files. */
typedef struct assay_store_traces assay_store_traces;
ASSAY_API int assay_store_traces_new(const assay_store *store, assay_store_traces **out, assay_error *err);
/* Removes what the handle has written and not finished. Best effort; may be called at any time, also after the store was closed. */
ASSAY_API void assay_store_abandon(const assay_store_traces *traces);
ASSAY_API void assay_store_traces_free(assay_store_traces *traces);

/* ---- branches, tags, HEAD ---- */

enum assay_store_ref { ASSAY_STORE_BRANCH = 0, ASSAY_STORE_TAG = 1 };

/* By name; rows from 0. */
typedef struct assay_store_refs {
    size_t count;
    const char *const *name;  /* without refs/heads/ or refs/tags/ */
    const assay_store_id *id; /* none = it leads to another reference, or is broken */
} assay_store_refs;
ASSAY_API int assay_store_refs_new(assay_store *store, enum assay_store_ref kind, assay_store_refs **out, assay_error *err);
ASSAY_API void assay_store_refs_free(assay_store_refs *refs);

/* The current branch, in ASSAY_STORE_NAME_MAX bytes: as refs have it; "" = HEAD is detached. */
ASSAY_API int assay_store_branch(assay_store *store, char *name, assay_error *err);

/* Makes a branch or tag for the report `revision`. Errors: USAGE (no name; a range; the name exists and `force` is not set: ASSAY_HINT_FORCE), UNKNOWN,
 * LIMIT, WRITE. */
ASSAY_API int assay_store_ref_set(assay_store *store, enum assay_store_ref kind, const char *name, const char *revision, bool force, assay_error *err);
/* Errors: UNKNOWN (there is none), USAGE (no name; the current branch), LIMIT, WRITE. */
ASSAY_API int assay_store_ref_remove(assay_store *store, enum assay_store_ref kind, const char *name, assay_error *err);

enum assay_store_target {
    ASSAY_STORE_SWITCH = 0, /* to the branch `name`, or else to the report of this revision */
    ASSAY_STORE_DETACH = 1, /* to the report of the revision `name` */
    ASSAY_STORE_START = 2,  /* to a new branch `name` at the report `revision` */
    ASSAY_STORE_ORPHAN = 3  /* to a branch `name` that has no reports yet */
};
/* What HEAD stands for from now on: the next report joins it. Errors: USAGE, UNKNOWN, LIMIT, WRITE. */
ASSAY_API int assay_store_checkout(assay_store *store, enum assay_store_target how, const char *name, const char *revision, assay_error *err);
/* The current branch, or a detached HEAD, stands for the report `revision` from now on. `branch` (ASSAY_STORE_NAME_MAX bytes) and *id say which it was; either may
 * be NULL. Errors: as above. */
ASSAY_API int assay_store_reset(assay_store *store, const char *revision, char *branch, assay_store_id *id, assay_error *err);

/* The changes of a reference, the newest first; rows from 0. */
typedef struct assay_store_reflog {
    const char *reference; /* refs/heads/main, HEAD, ... */
    size_t count;
    const assay_store_id *from, *to;
    const assay_slice *who; /* "Name <mail>" */
    const assay_slice *why;
    const uint64_t *when; /* seconds since 1970 */
} assay_store_reflog;
/* `name` NULL = the current branch. Errors: UNKNOWN (no such reference), DAMAGED. */
ASSAY_API int assay_store_reflog_new(assay_store *store, const char *name, assay_store_reflog **out, assay_error *err);
ASSAY_API void assay_store_reflog_free(assay_store_reflog *log);

/* ---- reports ---- */

/* A part of a report that was measured by itself: the tests on one system, say. */
typedef struct assay_store_build {
    assay_store_id build;
    assay_slice propset; /* its properties: the members of a JSON object, without braces */
    assay_store_stats stats;
} assay_store_build;
typedef struct assay_store_report {
    assay_store_id id;
    assay_store_id parent; /* none = the first report */
    assay_store_id file_list;
    uint64_t added; /* seconds since 1970 */
    assay_store_id commit;
    uint64_t committed;
    assay_slice branch; /* of git */
    assay_slice author_name, author_email, committer_name, committer_email, message;
    assay_store_stats stats;
    const assay_store_build *builds;
    size_t build_count;
} assay_store_report;

/* The object that a revision names: a report, or by its id anything. Errors: UNKNOWN (nothing; past the first report), AMBIGUOUS, USAGE (no revision; a range). */
ASSAY_API int assay_store_resolve(assay_store *store, const char *revision, assay_store_id *out, assay_error *err);
/* *out is the caller's. Errors: those of assay_store_resolve, DAMAGED (also: no report). */
ASSAY_API int assay_store_report_new(assay_store *store, const char *revision, assay_store_report **out, assay_error *err);
ASSAY_API void assay_store_report_free(assay_store_report *report);

/* The report of a revision and its ancestors, or those of a range. */
typedef struct assay_store_walk assay_store_walk;
ASSAY_API int assay_store_walk_new(assay_store *store, const char *revision, assay_store_walk **out, assay_error *err);
/* *out is the next report, borrowed until the next call; NULL = there are no more. Errors: UNKNOWN, DAMAGED (also: parents that go round). */
ASSAY_API int assay_store_walk_next(assay_store_walk *walk, const assay_store_report **out, assay_error *err);
ASSAY_API void assay_store_walk_free(assay_store_walk *walk);

/* The coverage of a report, as every call that works on coverage takes it; sources: with the texts of the files, as far as they are found. The id of a build or
 * of a file list will do, too. The caller releases *out. Errors: those of assay_store_resolve, DAMAGED. */
ASSAY_API int assay_store_profile(assay_store *store, const char *revision, bool sources, assay_profile **out, assay_error *err);
/* What changed in git from the commit of one report to that of another: for assay_coverage_diff_new and assay_patch_new. max_memory: bytes; 0 = no limit. */
ASSAY_API int assay_store_changes(assay_store *store, const assay_store_report *from, const assay_store_report *to, uint64_t max_memory, assay_changes **out,
                                  assay_error *err);
/* Writes the report JSON that assay_store_import_json reads. Errors: UNKNOWN (a source is gone, so that its digest is not known), WRITE (`write` refused). */
ASSAY_API int assay_store_export_json(assay_store *store, const char *revision, assay_text_fn write, void *arg, assay_error *err);

/* What of a report is looked at. */
struct assay_store_part {
    size_t size;              /* of this structure */
    const char *module;       /* only the files of this module; NULL = all */
    const char *const *props; /* NAME=VALUE: only the one build that has all of these */
    size_t prop_count;
    bool strict; /* a damaged object is an error instead of a missing one */
};
enum assay_store_row { ASSAY_STORE_MODULE = 0, ASSAY_STORE_FOLDER = 1, ASSAY_STORE_FILE = 2 };
/* Modules, directories and files, each by name, with what they were in the report before, or where a range begins; rows from 0. */
typedef struct assay_store_table {
    size_t count;
    const uint8_t *kind; /* enum assay_store_row */
    const assay_slice *name;
    const assay_store_stats *now, *before;
    assay_store_stats total_now, total_before;
} assay_store_table;
/* The revision may end with a colon and the path of a directory or file: only what is in it. `part` may be NULL. Errors: UNKNOWN (nothing matches), DAMAGED, USAGE. */
ASSAY_API int assay_store_table_new(assay_store *store, const char *revision, const struct assay_store_part *part, assay_store_table **out, assay_error *err);
ASSAY_API void assay_store_table_free(assay_store_table *table);

/* ---- imports ---- */

struct assay_store_import_options {
    size_t size;              /* of this structure */
    const char *commit;       /* that was measured, a revision of git; NULL = git's HEAD. Report JSON names its own */
    const char *branch;       /* of git, to be recorded; NULL = the current one */
    const char *const *props; /* NAME=VALUE: properties of the build */
    size_t prop_count;
    bool amend;  /* replace the newest report */
    bool add;    /* add a build to the newest report: hits of lines are added up */
    bool exact;  /* the ids that the program cov gives, including its faults */
    bool strict; /* a source that cannot be found is an error; else its file is left out */
    /* Called for what is odd but no error; `path` may be NULL. May be NULL. */
    void (*warn)(void *arg, const char *path, const char *text);
    void *warn_arg;
};
typedef struct assay_store_imported {
    bool changed; /* false = coverage, commit and properties are those of the newest report, so that none was made */
    assay_store_id report, parent;
    size_t file_count;
    char reference[ASSAY_STORE_NAME_MAX]; /* that was moved: refs/heads/main, or HEAD when it is detached */
} assay_store_imported;

/* One import: any number of profiles whose hits are added up, or one report JSON; at the end a report that the current branch stands for. */
typedef struct assay_store_import assay_store_import;
/* `options` may be NULL; they are copied, except what they point at. *out is the caller's. Errors: UNKNOWN (no git repository), USAGE (a property without a name; amend and add). */
ASSAY_API int assay_store_import_new(assay_store *store, const struct assay_store_import_options *options, assay_store_import **out, assay_error *err);
/* Adds the coverage of a profile, which must last until the import is freed; `name` is what messages call it. Paths below the work tree become relative. Where no path
 * is in the commit or the work tree, files are found by the ends of their paths. Errors: UNSUPPORTED (no coverage), UNKNOWN (no such commit). */
ASSAY_API int assay_store_import_add(assay_store_import *import, const char *name, const assay_profile *p, assay_error *err);
/* The report JSON that filters of cov write; nothing else may be added. `data` NULL = the file `name` is read ("-" = standard input). Errors: DAMAGED, USAGE. */
ASSAY_API int assay_store_import_json(assay_store_import *import, const char *name, const void *data, size_t len, assay_error *err);
/* What the inputs have and a store does not keep; borrowed until the import is freed. */
ASSAY_API const assay_losses *assay_store_import_losses(assay_store_import *import);
/* Stores the report. Errors: UNKNOWN (no file of the report is in the commit: ASSAY_HINT_MAP; a source is missing: err->path), UNSUPPORTED (no coverage), USAGE (a file
 * twice; nothing to amend), LIMIT (others moved the branch too often), WRITE. Whatever fails, the branch is as it was. */
ASSAY_API int assay_store_import_end(assay_store_import *import, assay_store_imported *out, assay_error *err);
ASSAY_API void assay_store_import_free(assay_store_import *import);

struct assay_store_strip_options {
    size_t size;          /* of this structure */
    const char *sources;  /* directory; NULL = the current one */
    const char *os;       /* markers may be for one only: "posix" unless something else is given */
    const char *compiler; /* the same: "gcc"; clang and llvm are one */
    /* Told of markers that make no sense, a sentence; line 0 = it is about the whole. May be NULL. */
    void (*tell)(void *arg, const char *path, uint32_t line, uint32_t column, const char *text);
    void *arg;
};
typedef struct assay_store_stripped {
    uint64_t lines, functions;
} assay_store_stripped;
/* Reads the report JSON `path` ("-" = standard input) and writes it again without what markers in the sources (GCOV_EXCL_LINE, _START and _STOP) exclude. Nothing is
 * written on errors. Errors: DAMAGED (no report), WRITE (`write` refused). */
ASSAY_API int assay_store_strip(const char *path, const struct assay_store_strip_options *options, assay_text_fn write, void *arg, assay_store_stripped *out,
                                assay_error *err);

/* ---- removing what is not needed ---- */

enum { ASSAY_STORE_GRACE = 7200 };
struct assay_store_gc_options {
    size_t size;    /* of this structure */
    bool dry_run;   /* only count */
    bool has_grace; /* `grace` says; else ASSAY_STORE_GRACE */
    uint64_t grace; /* seconds: what is younger is kept, for imports of other programs */
};
typedef struct assay_store_removed {
    uint64_t objects, sources, temporaries, locks;
    uint64_t bytes;
    uint64_t kept; /* objects that nothing needs, but younger than the grace */
} assay_store_removed;
/* Removes objects that no branch, tag, HEAD or reflog leads to, temporary files, and locks of processes that are gone. `options` may be NULL.
 * Errors: LIMIT (a gc or an import is at work), DAMAGED (something that is needed cannot be read: nothing is removed), WRITE. */
ASSAY_API int assay_store_gc(assay_store *store, const struct assay_store_gc_options *options, assay_store_removed *out, assay_error *err);

/* ---- settings ---- */

/* Of the machine, of the person (two files), of the store; later ones win. */
enum assay_store_level { ASSAY_STORE_SYSTEM = 0, ASSAY_STORE_XDG = 1, ASSAY_STORE_GLOBAL = 2, ASSAY_STORE_LOCAL = 3 };

typedef struct assay_store_config {
    size_t count;
    const char *const *name; /* section.name or section.subsection.name: section and name in lower case */
    const char *const *value;
    const uint8_t *level; /* enum assay_store_level */
} assay_store_config;
/* Settings in the order of the files. `store`: its path; NULL = none. levels: bits (1u << level), 0 = all. `file` is read instead of all of these when it is given.
 * *out is the caller's also after DAMAGED, with what stands before the damage. */
ASSAY_API int assay_store_config_new(const char *store, unsigned levels, const char *file, assay_store_config **out, assay_error *err);
/* The last value; NULL = there is none, or `typed` is no name. */
ASSAY_API const char *assay_store_config_get(const assay_store_config *config, const char *typed);
ASSAY_API void assay_store_config_free(assay_store_config *config);
/* A name as it is kept, in ASSAY_STORE_PATH_MAX bytes; false = it is none. */
ASSAY_API bool assay_store_config_name(const char *typed, char *name);
/* The file that settings of a level are kept in, in ASSAY_STORE_PATH_MAX bytes; for those of the person, the directories on the way to it are made. false = there is no
 * such place. */
ASSAY_API bool assay_store_config_file(const char *store, enum assay_store_level level, char *path);
enum assay_store_edit { ASSAY_STORE_SET = 0, ASSAY_STORE_ADD = 1, ASSAY_STORE_UNSET = 2, ASSAY_STORE_UNSET_ALL = 3 };
/* Changes a file of settings, which is replaced as a whole; comments and order stay. Errors: USAGE (no name; it has several values, or comes from an included
 * file), UNKNOWN (nothing to remove), WRITE, UNSUPPORTED. */
ASSAY_API int assay_store_config_edit(const char *file, enum assay_store_edit how, const char *name, const char *value, assay_error *err);

/* ---- modules ---- */

/* Names for groups of files, as .covmodules of a work tree or of a commit has them. */
typedef struct assay_store_modules {
    const char *file;      /* .covmodules of the work tree; NULL = bare */
    const char *separator; /* between the parts of names */
    const char *stated;    /* the separator that the file names; NULL = none */
    size_t count;
    const char *const *name; /* in the order of the file */
    size_t path_count;
    const char *const *path;
    const uint32_t *module; /* of each path: the number of its module */
} assay_store_modules;
/* `directory`: its store's git repository, or else the one that it is in. `commit` NULL = those of the work tree; one that does not exist has none. Errors: UNKNOWN (no
 * repository), UNSUPPORTED. */
ASSAY_API int assay_store_modules_new(const char *directory, const char *commit, assay_store_modules **out, assay_error *err);
ASSAY_API void assay_store_modules_free(assay_store_modules *modules);
enum assay_store_module_edit { ASSAY_STORE_MODULE_ADD = 0, ASSAY_STORE_MODULE_REMOVE = 1, ASSAY_STORE_MODULE_SEPARATOR = 2 };
/* Changes the file of the work tree, and *modules with it. SEPARATOR: `name` is the separator. REMOVE with a NULL path removes the module. Errors: USAGE (it is there
 * already; there is no such module or path; bare), WRITE. */
ASSAY_API int assay_store_modules_edit(assay_store_modules *modules, enum assay_store_module_edit how, const char *name, const char *path, assay_error *err);

/* ---- as text ---- */

/* How reports are printed: what `assay cov log` and `assay cov show` print. */
struct assay_store_print {
    size_t size; /* of this structure */
    /* oneline, short, medium (the default), full, fuller, reference, raw, or a text with placeholders (docs/cov.md) */
    const char *format;
    bool json;
    bool oneline;    /* as `format` does, unless that is a text with placeholders */
    bool abbrev;     /* nine digits of ids */
    bool decorate;   /* branches, tags and properties; a format of one's own always can */
    bool prop_names; /* of all properties, not only of numbers and booleans */
    bool has_limit;
    uint64_t limit;                      /* log: reports at most */
    const char *stat;                    /* log: the coverage of this file or directory, a line for each report; "." = everything */
    const struct assay_store_part *part; /* show: what of it; NULL = all */
};
/* The report of a revision and its ancestors, or those of a range. Of the sink, write and color count. `options` may be NULL. Errors: those of
 * assay_store_walk_next, WRITE (the sink refused). What was printed before an error stays. */
ASSAY_API int assay_store_print_log(assay_store *store, const char *revision, const struct assay_store_print *options, const struct assay_report_sink *sink,
                                    assay_error *err);
/* A report with the table of its files, or with :PATH a directory of it, or a source with its hits. Errors: those of assay_store_table_new, WRITE. */
ASSAY_API int assay_store_print_show(assay_store *store, const char *revision, const struct assay_store_print *options, const struct assay_report_sink *sink,
                                     assay_error *err);
/* A few lines about the report that a branch (NULL = detached HEAD) now stands for. Of the options, prop_names counts. */
ASSAY_API int assay_store_print_result(assay_store *store, const assay_store_id *report, const char *branch, const struct assay_store_print *options,
                                       const struct assay_report_sink *sink, assay_error *err);

#ifdef __cplusplus
}
#endif
#endif

/* Formats: recognising, reading, checking, dumping, writing and converting files.
 *
 *     assay_profile *p;
 *     if (assay_read("callgrind.out.1234", NULL, &p, &err) != 0) { ... }
 *
 * A path may be "-" (standard input), a directory where a format has directories, or compressed (gzip, zstd, xz: detected from content). */
#ifndef ASSAY_FORMAT_H
#define ASSAY_FORMAT_H

#include "assay/build.h"

#ifdef __cplusplus
extern "C" {
#endif

enum assay_ability { ASSAY_CAN_READ = 1, ASSAY_CAN_CHECK = 2, ASSAY_CAN_DUMP = 4, ASSAY_CAN_WRITE = 8, ASSAY_CAN_REWRITE = 16 };

/* What a format has room for beyond its shapes: what another lacks of these is lost in a conversion. */
enum assay_feature {
    ASSAY_HAS_METRICS = 1,    /* several metrics */
    ASSAY_HAS_MODULES = 2,    /* which program or library a function is in */
    ASSAY_HAS_COST_LINES = 4, /* self cost by line, not only by function */
    ASSAY_HAS_CALL_LINES = 8, /* the line of a call */
    ASSAY_HAS_ADDRESSES = 16,
    ASSAY_HAS_JUMPS = 32,
    ASSAY_HAS_STREAMS = 64,  /* parts, runs, threads, processes apart */
    ASSAY_HAS_64_BITS = 128, /* figures above 2^32 */
    ASSAY_HAS_NEGATIVE = 256,
    ASSAY_HAS_FRACTIONS = 512,
    ASSAY_HAS_ENTRIES = 1024,  /* how often a function was entered, apart from calls */
    ASSAY_HAS_FORMULAS = 2048, /* derived metrics */
    ASSAY_HAS_SOURCES = 4096,  /* source text */
    ASSAY_HAS_FILES = 8192,    /* which file a function is in */
    ASSAY_HAS_MARKERS = 16384  /* markers and counters beside the samples */
};
/* A few words for one bit; "" for none. Static storage. */
ASSAY_API const char *assay_feature_text(uint32_t bit);

/* What can be said of a format without a file. Static storage. */
struct assay_format_info {
    const char *name; /* as in --from and --to */
    const char *title;
    const char *const *extensions; /* with the dot; ends with NULL */
    const char *const *versions;   /* that can be written, the default first; ends with NULL */
    const char *reads;             /* versions that can be read, as text */
    uint32_t holds;                /* ASSAY_SHAPE_* */
    uint32_t can;                  /* ASSAY_CAN_* */
    uint32_t features;             /* ASSAY_HAS_* */
};

/* The formats, by name. */
ASSAY_API size_t assay_format_count(void);
ASSAY_API const struct assay_format_info *assay_format_at(size_t i);
ASSAY_API const struct assay_format_info *assay_format_find(const char *name);

/* ---- options by key and value ---- */

enum assay_option_type {
    ASSAY_OPTION_FLAG = 0,    /* no value */
    ASSAY_OPTION_FORM = 1,    /* none, or one of the words */
    ASSAY_OPTION_NUMBER = 2,  /* a whole number between least and most */
    ASSAY_OPTION_SIZE = 3,    /* a whole number, with K, M, G or T for powers of 1024 */
    ASSAY_OPTION_WORD = 4,    /* one of the words */
    ASSAY_OPTION_PERCENT = 5, /* from 0 to 100, with or without a percent sign */
    ASSAY_OPTION_TEXT = 6,
    ASSAY_OPTION_PATH = 7,   /* a text that names a file */
    ASSAY_OPTION_FORMAT = 8, /* a text that names a format */
    ASSAY_OPTION_TARGET = 9, /* FORMAT or FORMAT:VERSION */
    ASSAY_OPTION_LIST = 10,  /* a text; may be given again */
    ASSAY_OPTION_MAP = 11,   /* FROM=TO, may be given again; \= stands for an equals sign */
    ASSAY_OPTION_PAIR = 12   /* KEY or KEY=VALUE, an option of a format; may be given again */
};

/* What can be said of an option. Static storage. */
struct assay_option_info {
    size_t size;              /* of this structure, set by the caller */
    const char *name;         /* the key; the command writes it with two dashes before it */
    const char *argument;     /* what help calls the value; NULL for flags */
    const char *const *words; /* ends with NULL; NULL = none */
    const char *help;         /* a phrase, no full stop */
    const char *text;         /* further sentences, or NULL */
    uint64_t least, most;
    enum assay_option_type type;
    char letter; /* 0 = none */
    bool is_hidden;
};

struct assay_option {
    const char *key;
    const char *value; /* NULL for flags */
};

/* What one format alone understands are options of its own: a table for reading (checking, dumping), one for writing. They are given as keys and values in the
 * options of the calls below, the values as text:
 *
 *     struct assay_option own[] = { { "title", "Nightly run" }, { "html:single-file", NULL } };
 *     struct assay_write_options o = { .size = sizeof o, .format = "html", .options = own, .option_count = 2 };
 *
 * A key that the format does not have is an error (USAGE) that names those it has. "FORMAT:KEY" is for that format alone: others pass over it, so that one
 * list serves inputs of several formats. Of a key that is given again the last value counts, but for lists, which collect them. */
enum assay_option_use { ASSAY_FOR_READING, ASSAY_FOR_WRITING };
/* Fills *out with option i of the format's table, as far as out->size goes; false = no more. */
ASSAY_API bool assay_format_option_at(const struct assay_format_info *format, enum assay_option_use use, size_t i, struct assay_option_info *out);
/* The same by its key. */
ASSAY_API bool assay_format_option_find(const struct assay_format_info *format, enum assay_option_use use, const char *key, struct assay_option_info *out);

/* Called at most some ten times a second; `total` is 0 when the size is not known. Anything but 0 cancels the work. */
typedef int (*assay_progress_fn)(void *arg, uint64_t done_bytes, uint64_t total_bytes);

/* A path that begins with `from` (whole components) is looked for at `to`. */
struct assay_path_map {
    const char *from, *to;
};

struct assay_filter;

/* Option structures begin with their size, so that programs and libraries of different versions understand each other:
 *
 *     struct assay_read_options o = { .size = sizeof o, .strict = true };
 *
 * What is 0 is the default; NULL and {0} are defaults throughout. Members that come with later versions are added at the end: a library takes those
 * that the caller does not have as 0, and refuses (USAGE) those that it does not know when they are set. A size of 0 stands for the members of the first
 * version. */
struct assay_read_options {
    size_t size;
    const char *format;  /* name; NULL = by content */
    uint32_t want;       /* enum assay_want; 0 = ASSAY_WANT_GRAPH and whatever else the format has except trees */
    bool strict;         /* the first problem is an error */
    uint64_t max_memory; /* bytes; 0 = no limit */
    uint64_t max_output; /* bytes that a compressed input may expand to; 0 = 64 GiB */
    /* Functions that only pass calls on: calls through them are shown as direct calls. "NAME" also matches NAME:{FILE:LINE}. "=NAME" is
     * taken as webgrind does: by the exact name, and for each call the oldest one passed on so far, which mixes up nested ones.
     * Formats without single calls ignore it. */
    const char *const *proxies;
    size_t proxy_count;
    assay_progress_fn progress;
    void *progress_arg;
    /* Symbols, for formats that name code by module and address. By default a directory of measurements gets functions, files and lines
     * from what is next to it and from the modules on this machine; a single file shows module+offset. */
    bool no_symbols;                 /* module+offset also for directories */
    bool no_structures;              /* as if there were no structure files */
    bool no_loops;                   /* look for no loops in machine code (structure files have theirs all the same) */
    bool foreign;                    /* measured elsewhere: look at nothing outside the input, symbol_paths and the targets of maps */
    const char *const *symbol_paths; /* files or directories with programs, libraries, debug files or structure files */
    size_t symbol_path_count;
    const struct assay_path_map *maps; /* the first match wins */
    size_t map_count;
    const char *style; /* dump: whose text, e.g. "hpcproftt"; NULL = our own. Formats that do not know it refuse with UNSUPPORTED */
    bool deep;         /* check: also what takes long */
    bool sources;      /* check: compare with the sources, which are looked for as the filter says */
    /* What is wanted of the coverage, applied to what was read (assay/filter.h); NULL = all of it, as it is. A conversion with a filter goes
     * through the model. check only takes its maps and source roots. */
    const struct assay_filter *filter;
    /* With ASSAY_WANT_COARSE: the part of the time that will be drawn, as a filter has it (NULL = all), in how many columns (0 = 4096), and whether it
     * must be known what each calling context took in it, not only each function. */
    const char *time;
    uint32_t columns;
    bool contexts;
    uint64_t max_string;                /* bytes that one name, string or line may have; 0 = 64 MiB */
    const struct assay_option *options; /* of the format, for reading */
    size_t option_count;
    unsigned threads; /* 0 = one; what is read does not depend on it */
    uint64_t memory;  /* bytes to keep in memory, about; large tables beyond them go to a temporary file in $TMPDIR or /tmp. 0 = all stays in memory */
};

/* Reads `path` into *out, owned by the caller. What is damaged becomes a warning of the profile unless `strict`. `options` may be NULL.
 * Errors: SYSTEM, EMPTY, UNKNOWN, AMBIGUOUS, VERSION, DAMAGED, TRUNCATED, LIMIT, MEMORY, UNSUPPORTED (the format is not read), USAGE. */
ASSAY_API int assay_read(const char *path, const struct assay_read_options *options, assay_profile **out, assay_error *err);
/* The same from memory; `name` is what messages call it. `data` must last until the call returns. */
ASSAY_API int assay_read_memory(const void *data, size_t len, const char *name, const struct assay_read_options *options, assay_profile **out,
                                assay_error *err);

/* Other places that bytes come from, for the calls that end with _from. What such an input lacks that a path has, files next to it, is not looked for. */
enum assay_input_kind { ASSAY_INPUT_PATH, ASSAY_INPUT_MEMORY, ASSAY_INPUT_FD, ASSAY_INPUT_FN };

/* Puts up to `len` bytes into `buf` and returns how many; 0 = the end, negative = it failed. Called until either, never by two threads at once, but
 * not always by the thread that began. */
typedef int64_t (*assay_pull_fn)(void *arg, void *buf, size_t len);

struct assay_input {
    size_t size;      /* of this structure, as in assay_read_options */
    uint32_t kind;    /* enum assay_input_kind */
    const char *name; /* PATH: the path. Otherwise what messages call it, whose extension may tell the format; NULL = "input" */
    const void *data; /* MEMORY: must last until the call returns */
    size_t len;
    int fd; /* FD: read from where it stands to the end, not closed */
    assay_pull_fn pull;
    void *pull_arg;
};
#define ASSAY_FROM_PATH(path_)                                                                                                                                 \
    {                                                                                                                                                          \
        .size = sizeof(struct assay_input), .kind = ASSAY_INPUT_PATH, .name = (path_)                                                                          \
    }
#define ASSAY_FROM_MEMORY(data_, len_, name_)                                                                                                                  \
    {                                                                                                                                                          \
        .size = sizeof(struct assay_input), .kind = ASSAY_INPUT_MEMORY, .name = (name_), .data = (data_), .len = (len_)                                        \
    }
#define ASSAY_FROM_FD(fd_, name_)                                                                                                                              \
    {                                                                                                                                                          \
        .size = sizeof(struct assay_input), .kind = ASSAY_INPUT_FD, .name = (name_), .fd = (fd_)                                                               \
    }
#define ASSAY_FROM_FN(pull_, arg_, name_)                                                                                                                      \
    {                                                                                                                                                          \
        .size = sizeof(struct assay_input), .kind = ASSAY_INPUT_FN, .name = (name_), .pull = (pull_), .pull_arg = (arg_)                                       \
    }

/* Reads an input of any kind:
 *
 *     struct assay_input in = ASSAY_FROM_FD(fd, "profile from the queue");
 *     if (assay_read_from(&in, NULL, &p, &err) != 0) { ... }
 *
 * Formats that are read in order take a descriptor or a callback as the bytes come; the others take them into memory first, within the limits of the
 * options. Errors: those of assay_read. */
ASSAY_API int assay_read_from(const struct assay_input *in, const struct assay_read_options *options, assay_profile **out, assay_error *err);

/* Recognises `path` without reading it: *out is the format (static storage), *score 0..100, *why a static phrase (both may be NULL). */
ASSAY_API int assay_probe(const char *path, const struct assay_read_options *options, const struct assay_format_info **out, int *score, const char **why,
                          assay_error *err);

/* What is read of a descriptor or a callback to recognise it is taken from it. */
ASSAY_API int assay_probe_from(const struct assay_input *in, const struct assay_read_options *options, const struct assay_format_info **out, int *score,
                               const char **why, assay_error *err);

/* All findings about a file. */
typedef struct assay_check_result {
    const struct assay_format_info *format;
    assay_finding *findings; /* in the order of discovery */
    size_t count;
    uint64_t errors, warnings; /* repeats included */
} assay_check_result;

/* Checks `path`. 0 = it could be looked at, whatever was found; *out is then owned by the caller: free it with assay_check_free. */
ASSAY_API int assay_check(const char *path, const struct assay_read_options *options, assay_check_result **out, assay_error *err);
ASSAY_API int assay_check_from(const struct assay_input *in, const struct assay_read_options *options, assay_check_result **out, assay_error *err);
ASSAY_API void assay_check_free(assay_check_result *result);

/* Text sink: returns 0, or anything else to stop. */
typedef int (*assay_text_fn)(void *arg, const char *data, size_t len);

/* Prints every record of `path` by the names of its specification, with offsets; goes on past damage and marks it. */
ASSAY_API int assay_dump(const char *path, const struct assay_read_options *options, assay_text_fn fn, void *arg, assay_error *err);
ASSAY_API int assay_dump_from(const struct assay_input *in, const struct assay_read_options *options, assay_text_fn fn, void *arg, assay_error *err);

/* ---- writing ---- */

/* What the target could not hold. */
typedef struct assay_loss {
    const char *kind; /* stable word: metrics, modules, saturated, ... */
    uint64_t count;
    const char *message; /* a sentence */
} assay_loss;

typedef struct assay_losses {
    assay_loss *at;
    size_t count;
} assay_losses;

struct assay_write_options {
    size_t size;                       /* as in assay_read_options */
    const char *format;                /* NAME or NAME:VERSION */
    bool strict;                       /* refuse before writing when something would be lost */
    bool estimate;                     /* allow what can only be estimated, and say so; stacks are without asking */
    bool no_estimate;                  /* refuse to estimate stacks */
    const char *metric;                /* the one metric to write where the target has room for one; NULL = the first */
    bool sum_up;                       /* go through the model also when the format stays: equal functions, places and calls become one */
    const struct assay_filter *filter; /* html: its source roots and maps say where sources are; NULL = none are shown but those of the profile */
    bool foreign;                      /* look for sources only at the targets of maps */
    const struct assay_path_map *maps; /* the first match wins */
    size_t map_count;
    uint64_t memory;  /* bytes for buffers that may be large or small; 0 = the writer decides */
    unsigned threads; /* 0 = one; what is written does not depend on it */
    assay_progress_fn progress;
    void *progress_arg;
    const struct assay_option *options; /* of the format, for writing */
    size_t option_count;
    const char *metrics; /* a file of named formulas that `metric` may use: docs/formulas.md */
};

/* Writes `p` to `path` ("-" = standard output): a temporary file next to it, fsync, rename, so that it is the old or the new, never half.
 * *losses (may be NULL) is owned by the caller, free with assay_losses_free; it is filled also when ASSAY_ERR_LOSS is returned.
 * Errors: UNSUPPORTED, USAGE (unknown format or version), LOSS, WRITE, MEMORY. */
ASSAY_API int assay_write(const assay_profile *p, const char *path, const struct assay_write_options *options, assay_losses **losses, assay_error *err);
/* The same into a text sink; what has been passed on before a failure cannot be taken back. */
ASSAY_API int assay_write_fn(const assay_profile *p, const struct assay_write_options *options, assay_text_fn fn, void *arg, assay_losses **losses,
                             assay_error *err);
ASSAY_API void assay_losses_free(assay_losses *losses);

/* Reads `in` and writes `out`. The same format on both sides goes record by record, so that nothing is lost that the model does not know.
 * *from (may be NULL) is the format that was read. */
ASSAY_API int assay_convert(const char *in, const struct assay_read_options *read, const char *out, const struct assay_write_options *write,
                            const struct assay_format_info **from, assay_losses **losses, assay_error *err);
ASSAY_API int assay_convert_from(const struct assay_input *in, const struct assay_read_options *read, const char *out, const struct assay_write_options *write,
                                 const struct assay_format_info **from, assay_losses **losses, assay_error *err);

#ifdef __cplusplus
}
#endif
#endif

/* A measurement directory -> one profile: a stream for each file, one merged tree of calling contexts with functions, inlined calls, loops
 * and lines, traces as the timeline. Begin reading with read.c. The rules are those of docs/formats/hpcrun-measurements.md. */
#ifndef FORMATS_HPCRUN_HPCRUN_MEASUREMENTS_MEASURE_H
#define FORMATS_HPCRUN_HPCRUN_MEASUREMENTS_MEASURE_H

#include "base/folder.h"
#include "base/intern.h"
#include "formats/hpcrun/hpcrun-measurements/expand.h"
#include "formats/hpcrun/hpcrun-measurements/rebuild.h"
#include "formats/hpcrun/read.h"
#include "model/share.h"

/* ---- what is in the directory: list.c ---- */

/* A file name says PROGRAM-RANK-THREAD-HOST-PID-GENERATION. */
struct measure_name {
    bool is_known;
    uint64_t rank, thread, host, pid, generation;
};

struct measure_file {
    const char *name, *path;
    uint64_t size;
    const char *trace_name, *trace_path; /* the trace of the same stem; NULL = none */
    uint64_t trace_size;
    struct measure_name numbers;
    assay_slice held; /* its bytes between two looks; data NULL = it must be opened */
    bool has_changed; /* while they were read */
    bool has_news;    /* it names a metric that no file before it has */
};

struct measure_list {
    const char *dir;
    struct mem *mem;
    struct folder folder;
    struct arena text;
    VEC(struct measure_file) profiles; /* by rank, thread, host, process, name */
    VEC(const char *) lone_traces;     /* names of traces without a profile */
    VEC(const char *) logs;            /* names */
    uint32_t trace_count, structure_count;
    uint64_t bytes; /* of profiles and traces */
    uint64_t held_bytes;
};

/* Looks at the directory itself and at structs/. measure_list_done must be called also after an error. */
int measure_list_open(struct measure_list *l, const char *dir, struct mem *mem, assay_error *err);
void measure_list_done(struct measure_list *l);

/* ---- id tuples: tuple.c ---- */

/* Gives logical numbers to those elements of id tuples whose writer left that to the reader: in the order of first appearance, among siblings
 * (reading 1) or over all (reading 2). */
struct tuples_row {
    uint32_t prefix; /* what stands before it: another row, or one of the marks of tuple.c */
    uint32_t kind;
    uint64_t number;  /* physical, or logical where that is the identity */
    uint64_t logical; /* given to it */
};
struct tuples {
    struct mem *mem;
    struct index index;
    VEC(struct tuples_row) rows; /* number from 1 */
};
void tuples_init(struct tuples *t, struct mem *m);
void tuples_done(struct tuples *t);
/* The logical number of an element. *prefix is 0 at the first element of a tuple and is carried on to the next. false = no memory. */
bool tuples_number(struct tuples *t, const struct hpcrun_tuple *element, uint32_t *prefix, uint64_t *logical);

/* ---- reading ---- */

/* What the options of directories of measurements ask for. */
struct measure_options {
    bool compat, no_traces;
    uint64_t dwarf_max_size; /* 0 = what src/symbols has by default */
    struct words only_exes, exclude_exes;
};

struct measure {
    const struct read_job *job;
    const struct measure_options *own; /* never NULL */
    assay_builder *b;
    struct mem *mem;
    struct measure_list list;
    struct expand expand;
    struct rebuild rebuild;
    struct hpcrun_metrics metrics;
    struct intern versions;
    struct tuples tuples;
    uint64_t done_bytes, node_count, sample_count;
    uint32_t stream_count;
    bool has_timeline;
    size_t begin, end; /* of list.profiles: what this process reads */
    /* In a team; NULL = alone. What rank 0 needs of streams and warnings, in the order of files. */
    struct share *share;
    struct wire streams, warnings;
};

/* One file that is open: hold.c. measure_close_file in every case. */
struct measure_source {
    struct input *in; /* NULL = the bytes are held */
    assay_slice bytes;
    bool has_changed; /* while it was read */
};
int measure_open_file(struct measure *m, const char *path, struct measure_source *out, assay_error *err);
/* The same for a profile, which is not opened again while its bytes are held. */
int measure_open_profile(struct measure *m, const struct measure_file *file, struct measure_source *out, assay_error *err);
void measure_close_file(struct measure_source *s);
/* Keeps the bytes of a profile for the next look, within bounds: those beyond are opened again. */
void measure_hold(struct measure *m, struct measure_file *file, const struct measure_source *source);
void measure_let_go(struct measure_list *l, struct measure_file *file);

/* A profile that was opened, whether or not it could be, with its trace where that is wanted. */
struct measure_opened {
    struct measure_source source, trace;
    bool is_open, is_trace_open;
    int rc, trace_rc;
    assay_error err, trace_err;
};
/* Takes every profile of this process in the order of the list, while other threads (job->options->threads) open the next ones. Ends with the first error:
 * each.c. */
typedef int measure_take_fn(struct measure *m, struct measure_file *file, struct measure_opened *o, assay_error *err);
int measure_each(struct measure *m, bool wants_traces, measure_take_fn *take, assay_error *err);

/* A warning that names the file. With --strict an error of severity ASSAY_ERROR is returned as the caller's. */
int measure_warn(struct measure *m, const char *name, const struct hpcrun_damage *damage, uint64_t off, assay_error *err);

/* ---- in a team: share.c ---- */

/* The ranks divide the list among themselves; on all, or an error on all. */
int measure_share_list(struct measure *m, assay_error *err);
/* Looks at one file. */
typedef int measure_look_fn(struct measure *m, struct measure_file *file, assay_error *err);
/* After each rank has noted the metrics of its files: the metrics of all, in the order of files. `note` is called again for some of its own. */
int measure_share_names(struct measure *m, measure_look_fn *note, assay_error *err);
/* Then each declares them: `declare` is called for those files, of whatever rank, that are the first to name a metric. */
int measure_share_news(struct measure *m, measure_look_fn *declare, assay_error *err);
/* What streams and warnings are made of. */
void measure_note_stream(struct measure *m, const char *label);
void measure_note_attribute(struct measure *m, assay_slice name, assay_slice value);
void measure_note_tuple(struct measure *m, const char *kind, const struct hpcrun_tuple *element, bool is_numbered);
void measure_note_warning(struct measure *m, const assay_finding *finding);
/* After the last file: the trees of all become one at rank 0, which then has all streams and warnings, too. */
int measure_unite(struct measure *m, assay_error *err);

/* Contexts, values and trace of a profile that is open: profile.c, trace.c. */
int measure_profile(struct measure *m, const struct measure_file *file, struct measure_opened *o, assay_error *err);

/* Notes which metrics have values at nodes whose call path must be rebuilt: gpu.c. */
int measure_note_gpu(struct measure *m, const struct hpcrun_decoder *d, assay_error *err);

/* The nodes of one profile: their contexts, by the slot's number - 1. */
struct measure_node {
    struct expand_context context;
    uint32_t point; /* number in `rebuild`; 0 = none */
};
struct measure_nodes {
    struct hpcrun_ids ids;
    VEC(struct measure_node) list;
};
int measure_trace(struct measure *m, const struct measure_file *file, struct measure_opened *o, assay_stream_id stream, struct measure_nodes *nodes,
                  assay_error *err);

/* The format entry's functions. */
int measure_read(const struct read_job *job, assay_builder *b, assay_error *err);
int measure_check(const struct read_job *job, struct findings *out, assay_error *err);
int measure_dump(const struct read_job *job, struct output *out, assay_error *err);

#endif

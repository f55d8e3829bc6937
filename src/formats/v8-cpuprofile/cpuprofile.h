/* Profiles of V8 (.cpuprofile, .heapprofile): JSON -> records -> nodes with their samples. docs/formats/v8-cpuprofile.md and v8-heapprofile.md have the
 * grammar and the rules. What V8 measures of coverage is another format, in formats/v8. */
#ifndef FORMATS_V8_CPUPROFILE_CPUPROFILE_H
#define FORMATS_V8_CPUPROFILE_CPUPROFILE_H

#include "base/index.h"
#include "base/intern.h"
#include "formats/format.h"

/* ---- decode: the only parser ---- */

enum cpuprofile_kind {
    CPUPROFILE_NODES, /* `nodes` or `head` begins */
    CPUPROFILE_NODE,  /* begins; what is said of it comes in any order */
    CPUPROFILE_ID,
    CPUPROFILE_FRAME,  /* callFrame */
    CPUPROFILE_NAME,   /* text: functionName in the node itself, as old files have it */
    CPUPROFILE_URL,    /* text */
    CPUPROFILE_LINE,   /* line */
    CPUPROFILE_COLUMN, /* column */
    CPUPROFILE_DEOPT,  /* text: deoptReason */
    CPUPROFILE_HITS,   /* count */
    CPUPROFILE_SIZE,   /* count: selfSize */
    CPUPROFILE_PARENT, /* id */
    CPUPROFILE_CHILDREN,
    CPUPROFILE_TICK, /* line, count */
    CPUPROFILE_NODE_END,
    CPUPROFILE_START,      /* number */
    CPUPROFILE_STOP,       /* number: endTime */
    CPUPROFILE_SAMPLES,    /* begin; off is that of the key */
    CPUPROFILE_SAMPLE,     /* id; of memory also count = its size, and ordinal */
    CPUPROFILE_DELTAS,     /* begin; off is that of the key */
    CPUPROFILE_TIMESTAMPS, /* begin; off is that of the key */
    CPUPROFILE_TIME        /* number: a delta or a timestamp */
};

struct cpuprofile_record {
    enum cpuprofile_kind kind;
    uint64_t off, at_line; /* where it stands */
    assay_slice text;      /* also functionName of a frame */
    assay_slice url, script;
    int64_t line, column; /* as the file has them: from 0 in a callFrame, from 1 elsewhere; below that = none */
    uint32_t id;
    uint64_t count, ordinal;
    bool is_memory; /* a sample of memory */
    double number;
    const uint32_t *ids; /* of children; those that are objects follow as nodes of their own */
    size_t id_count;
};

typedef int (*cpuprofile_fn)(void *arg, const struct cpuprofile_record *r);
/* Calls fn for each record, in the order of the file; what a record points to lasts until fn returns. Damage goes to `damage`; *is_cut = the rest of the file
 * could not be read. Errors: those of fn, of input and of memory. */
int cpuprofile_walk(const struct read_job *job, struct findings *damage, cpuprofile_fn fn, void *arg, bool *is_cut, assay_error *err);

/* ---- collect: records -> nodes ---- */

struct cpuprofile_func {
    uint32_t name, url; /* of names; url 0 = none, and then it has no place */
    uint32_t line, column;
};

struct cpuprofile_node {
    uint32_t id, func; /* func: a place in funcs; 0 = none was said */
    uint32_t parent;   /* a place in nodes; 0 = none */
    uint32_t family;   /* that made it the child of its parent, and one; 0 = it stands inside its parent */
    uint64_t count;    /* hits, or bytes */
};

/* A list of children; or a parent, that a child names. */
struct cpuprofile_family {
    uint32_t node, count;
    size_t first; /* of kids */
    bool is_parent;
    uint64_t off, line;
};

struct cpuprofile_tick {
    uint32_t node, line;
    uint64_t count;
};

struct cpuprofile_size {
    uint64_t size, ordinal;
};

/* A node whose end has not come yet. */
struct cpuprofile_open {
    uint32_t node;
    bool has_id;
    struct cpuprofile_func func; /* of the old shape */
    uint64_t off, line;
};

struct cpuprofile_place {
    bool is_there;
    uint64_t off, line;
};

struct cpuprofile {
    struct mem *mem;
    assay_error *err;
    struct findings *damage;
    bool is_heap, is_cut;
    bool is_sound;     /* nodes are a tree, and samples are of it */
    bool are_contexts; /* no two children of a node are of one function: each node is a context */
    struct intern names;
    VEC(struct cpuprofile_func) funcs; /* [0] is none */
    struct index func_index;
    VEC(struct cpuprofile_node) nodes; /* [0] is none */
    VEC(uint32_t) by_id;               /* nodes by their ids, where these are small */
    struct index id_index;             /* the others */
    VEC(struct cpuprofile_family) families;
    VEC(uint32_t) kids;
    VEC(struct cpuprofile_tick) ticks;
    VEC(uint32_t) samples;             /* ids; once all is read, places in nodes */
    VEC(double) times;                 /* deltas or timestamps, in microseconds */
    VEC(struct cpuprofile_size) sizes; /* of samples of memory */
    struct cpuprofile_place nodes_at, samples_at, deltas_at, timestamps_at;
    double start, stop;
    uint64_t hit_count, tick_count, negative;
    double delta_sum;
    /* While it is read. */
    struct {
        VEC(struct cpuprofile_open) open;
        size_t checked; /* samples whose nodes were looked for already */
    } it;
};

/* Reads all of it. cpuprofile_done is due in either case. Errors: input, memory. */
int cpuprofile_collect(struct cpuprofile *s, const struct read_job *job, bool is_heap, struct findings *damage, assay_error *err);
void cpuprofile_done(struct cpuprofile *s);
/* Nodes become a tree: who is whose child, what is no tree, and which samples are of no node. Called by cpuprofile_collect. */
int cpuprofile_settle(struct cpuprofile *s);
/* The node with this id, or 0. */
uint32_t cpuprofile_find(const struct cpuprofile *s, uint32_t id);

int cpuprofile_read(const struct read_job *job, assay_builder *b, assay_error *err);
int heapprofile_read(const struct read_job *job, assay_builder *b, assay_error *err);
int cpuprofile_check(const struct read_job *job, struct findings *out, assay_error *err);
int heapprofile_check(const struct read_job *job, struct findings *out, assay_error *err);
int cpuprofile_dump(const struct read_job *job, struct output *out, assay_error *err);
int cpuprofile_write(const assay_profile *p, const struct write_job *job, struct output *out, assay_error *err);

#endif

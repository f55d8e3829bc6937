/* What happened to processes and threads: mappings and names by time. Records of a file are not in order, because each CPU has a buffer of its own; so all
 * those that are no samples are collected first, put in order of time, and followed once. Then the state at any time can be asked for, in any order. */
#ifndef FORMATS_PERF_DATA_TRACKS_H
#define FORMATS_PERF_DATA_TRACKS_H

#include "base/intern.h"
#include "formats/perf-data/perf_data.h"
#include "formats/perf-data/spaces.h"

enum pd_dso_kind {
    PD_DSO_FILE,
    PD_DSO_MAP,    /* code that a program made: perf-PID.map names it */
    PD_DSO_KERNEL, /* and its modules: kallsyms names them */
    PD_DSO_NAMED,  /* its own name is that of the one function in it: BPF programs */
    PD_DSO_NONE    /* [vdso], [heap], deleted files: nothing names them */
};
struct pd_dso {
    assay_slice path; /* as recorded; terminated */
    assay_slice name; /* what it is called; terminated */
    assay_slice id;   /* build id as hex digits; empty = not known; terminated */
    uint8_t kind;     /* enum pd_dso_kind */
    int32_t pid;      /* MAP: whose */
    uint64_t first;   /* KERNEL: run-time address of the symbol that the path names */
};

/* When a record came: by time, then by its place in the file. */
struct pd_when {
    uint64_t time, seq;
};
struct pd_side { /* a record that is kept */
    struct pd_when when;
    uint32_t type, len;
    uint16_t misc;
    const unsigned char *data; /* without sample_id */
};
struct pd_version { /* of a process: root of its space; of a thread: its name */
    struct pd_when when;
    uint32_t owner, value;
};
struct pd_owner {
    int32_t id;            /* pid or tid */
    uint32_t current;      /* while records are followed, and put in order */
    uint32_t first, count; /* of its versions, afterwards */
};
struct pd_owners {
    struct index index;
    VEC(struct pd_owner) all; /* from 1 */
    VEC(struct pd_version) versions;
};
enum { PD_KERNEL_SPACE = 1, PD_GUEST_SPACE = 2 }; /* owners that are no process */

struct pd_tracks {
    struct mem *mem;
    struct arena text;
    VEC(struct pd_side) sides;
    struct pd_spaces spaces;
    struct pd_owners processes, threads;
    struct intern comms;
    VEC(struct pd_dso) dsos; /* from 1 */
    struct index dso_index;
    bool failed;
};

void pd_tracks_init(struct pd_tracks *t, struct mem *mem);
void pd_tracks_done(struct pd_tracks *t);
/* Keeps a record if it tells of processes or threads; damage is told. false = no memory. */
bool pd_tracks_add(struct pd_tracks *t, struct pd_decoder *d, const struct pd_record *r);
/* Follows what was collected. false = no memory. */
bool pd_tracks_follow(struct pd_tracks *t, const struct pd_decoder *d);

/* The owner of a pid or tid, from 1; 0 = no record names it. */
uint32_t pd_owner(const struct pd_owners *o, int32_t id);
/* Between these times, both excluded, a value does not change. */
struct pd_window {
    uint64_t after, before;
};
/* Its value at that time; 0 = none. Makes the window narrower where it must be. */
uint32_t pd_owner_at(const struct pd_owners *o, uint32_t owner, struct pd_when when, struct pd_window *window);
static inline bool pd_is_before(struct pd_when a, struct pd_when b) { return a.time != b.time ? a.time < b.time : a.seq < b.seq; }

#endif

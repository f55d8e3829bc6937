/* Between the files that check a NYTProf stream: what has to be remembered of it to judge it as a whole. */
#ifndef FORMATS_NYTPROF_CHECK_H
#define FORMATS_NYTPROF_CHECK_H

#include "base/findings.h"
#include "base/intern.h"
#include "formats/format.h"
#include "formats/nytprof/decode.h"

struct nytprof_check_fid {
    uint32_t fid, eval_fid, eval_line, flags, name;
    bool is_defined, is_used;
    uint64_t off, used_off;
    uint32_t path; /* while circles are looked for */
};

struct nytprof_check_sub {
    bool has_info;
    uint32_t fid, first, last;
    uint64_t returns, calls;
};

struct nytprof_check_process {
    uint32_t pid;
    bool is_open, has_time;
    double start;
};

struct nytprof_checker {
    struct mem *mem;
    struct findings *out;
    const struct nytprof_decoder *d; /* whose records they are */
    bool is_cut;

    /* what options and attributes say; -1 = nothing */
    int64_t calls, blocks, compress, stmts, subs;
    double ticks_per_sec;
    bool has_tps, missed_tps;

    VEC(struct nytprof_check_fid) fids;
    struct index fid_index;
    uint32_t last_fid; /* index + 1 of the one used last */
    struct intern names;
    VEC(struct nytprof_check_sub) named; /* by name */
    struct index source_index;           /* (fid, line) of saved lines */
    VEC(uint64_t) source_keys;
    VEC(struct nytprof_check_process) processes;
    uint32_t running; /* number of open ones */
    bool said_outside, said_calls, said_blocks, said_unpaired;
    VEC(uint32_t) depths; /* ascending: what has returned and waits for its caller */
    int64_t entries;
    bool has_entries, has_duration;
    double duration, ticks;
    uint64_t discounts; /* in a row */
};

/* All of it is borrowed until nytprof_checker_done. */
void nytprof_checker_init(struct nytprof_checker *c, const struct nytprof_decoder *d, struct findings *out, struct mem *mem);
void nytprof_checker_done(struct nytprof_checker *c);
/* Takes the next record; 0 or MEMORY. */
int nytprof_checker_take(struct nytprof_checker *c, const struct nytprof_record *r);
/* The stream is over. */
void nytprof_checker_end(struct nytprof_checker *c);

/* Files and evals (check_files.c): N19 to N22, N33, N36, N41. All return 0 or MEMORY. */
int nytprof_check_file(struct nytprof_checker *c, const struct nytprof_record *r);
/* A record speaks of this fid. */
int nytprof_check_uses(struct nytprof_checker *c, uint32_t fid, uint64_t off);
int nytprof_check_source(struct nytprof_checker *c, const struct nytprof_record *r);
void nytprof_check_files_end(struct nytprof_checker *c);

/* Subs and calls (check_subs.c): N23, N26, N27, N31, N32, N39, N42. */
int nytprof_check_sub(struct nytprof_checker *c, const struct nytprof_record *r);
int nytprof_check_call(struct nytprof_checker *c, const struct nytprof_record *r);
int nytprof_check_return(struct nytprof_checker *c, const struct nytprof_record *r);
void nytprof_check_entry(struct nytprof_checker *c);
/* A process has ended: what has not returned never will. */
void nytprof_check_returns_end(struct nytprof_checker *c, uint64_t off);
void nytprof_check_subs_end(struct nytprof_checker *c);

/* N28, N37. */
#define NYTPROF_LAST_LINE 2147483600u
static inline void nytprof_check_line(struct nytprof_checker *c, uint32_t line, uint64_t off)
{
    if (line > NYTPROF_LAST_LINE) findings_add(c->out, "N28", ASSAY_WARNING, off, 0, "line %u is not a valid line number", line);
}
static inline void nytprof_check_text(struct nytprof_checker *c, const struct nytprof_text *t, uint64_t off)
{
    if (t->is_utf8 && !nytprof_is_utf8(t->bytes)) findings_add(c->out, "N37", ASSAY_WARNING, off, 0, "a string is tagged as UTF-8 but is not valid UTF-8");
}

#endif

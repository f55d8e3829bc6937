/* Between the files that turn a NYTProf stream into a profile. Tables are filled while the stream is read (read.c) and booked in the builder
 * at the end (read_book.c), because subs and files are defined after they are used, and only then it is known whether there are several
 * processes. Lines (read_lines.c) are booked whenever a process ends. */
#ifndef FORMATS_NYTPROF_READ_H
#define FORMATS_NYTPROF_READ_H

#include "base/findings.h"
#include "base/index.h"
#include "base/intern.h"
#include "base/vec.h"
#include "formats/format.h"
#include "formats/nytprof/decode.h"

/* ---- lines ---- */

struct nytprof_row {
    uint64_t key; /* fid << 32 | line */
    int64_t ticks;
    uint64_t hits;
    uint32_t process; /* that the sums are of; UINT32_MAX = booked */
};
struct nytprof_lines {
    struct mem *mem;
    struct index index;
    VEC(struct nytprof_row) rows;
};

void nytprof_lines_init(struct nytprof_lines *t, struct mem *mem);
void nytprof_lines_done(struct nytprof_lines *t);
/* The row of a line that is not there yet; NULL = no memory. */
struct nytprof_row *nytprof_lines_new(struct nytprof_lines *t, uint64_t key, uint64_t hash);
static inline struct nytprof_row *nytprof_lines_row(struct nytprof_lines *t, uint32_t fid, uint32_t line)
{
    /* eight neighbouring lines share a cache line of the index */
    uint64_t key = (uint64_t)fid << 32 | line, hash = (hash_mix(0, key >> 3) & ~(uint64_t)7) | (line & 7);
    for (struct index_walk w = index_walk(&t->index, hash); index_next(&t->index, &w);)
        if (t->rows.at[w.id - 1].key == key) return &t->rows.at[w.id - 1];
    return nytprof_lines_new(t, key, hash);
}

/* ---- the other tables ---- */

struct nytprof_fid {
    uint32_t fid, eval_fid, eval_line, flags, size, mtime;
    bool is_defined;
    uint64_t off; /* of its definition, or of its first use */
    assay_str_id name, origin;
    assay_file_id id; /* 0 = not booked yet */
    /* for merging evals as the original does */
    uint32_t source_lines, source_sum;
    uint64_t source_len;
    bool has_evals, has_subs;
    uint32_t survivor; /* index + 1 of the file that it is merged into */
};

/* By id of the function. */
struct nytprof_sub_row {
    assay_str_id name;
    bool is_listed; /* defined or called */
    bool is_core;   /* its name is that of an operation of the interpreter */
    bool has_info, is_marked;
    uint32_t fid, first, last;
    uint64_t calls;
    uint32_t anon_name, anon_key; /* of an anonymous sub in an eval, in `anons`: its name, and that without the number of the eval */
    uint32_t survivor;            /* id of the sub that it is merged into */
};

struct nytprof_arc {
    uint32_t process, caller, callee, fid, line, depth;
    uint64_t count;
    double incl, excl, reci;
};

struct nytprof_process_row {
    uint32_t pid, ppid;
    bool has_time, has_end, is_open;
    double start, end;
    uint64_t off;
    assay_stream_id stream; /* 0 = there is only one */
};

/* A saved source line; the text is in `source_text`. */
struct nytprof_source_row {
    uint32_t fid, line;
    uint32_t order, len;
    const char *text;
};

struct nytprof_tree;
struct nytprof_checker;

struct nytprof_reader {
    const struct read_job *job;
    struct mem *mem;
    assay_builder *b;
    uint32_t want;
    struct nytprof_decoder d;
    struct findings damage;
    struct nytprof_checker *judge; /* of strict reading; NULL = lenient */
    struct findings judged;
    bool is_cut; /* fatal damage was met */
    uint64_t end_off;

    uint64_t events[256], event_count;
    uint64_t negative, discounts, pending_discounts, measured;
    int64_t ticks;
    bool is_saturated; /* a sum of ticks is at the limit */
    uint64_t hits;
    uint64_t line_count;
    double ticks_per_sec;
    bool has_tps, missed_tps;
    uint64_t deflate_off, inflated_len, tail_len;
    bool is_deflated;
    char producer[80];

    struct nytprof_lines lines[3]; /* by enum assay_line_level */
    VEC(struct nytprof_fid) fids;
    struct index fid_index;
    size_t booked; /* rows of fids that were looked at for booking */
    struct intern anons;
    VEC(struct nytprof_sub_row) subs; /* [0] is unused */
    VEC(struct nytprof_arc) arcs;
    struct index arc_index;
    uint64_t call_count, return_count;
    VEC(struct nytprof_process_row) processes;
    uint32_t process; /* number of the running one, 0 = none */
    VEC(struct nytprof_source_row) sources;
    struct arena source_text;

    struct nytprof_tree *tree; /* NULL = not wanted */
    bool is_salvaged;          /* sums are taken from the tree */

    assay_metric_id stmt_time, stmt_ticks, stmt_count, sub_time, sub_calls, sub_ticks;
};

/* nytprof_read in its steps: everything is 0, then the whole stream is taken, then the tables are booked. Between them a test can set sums that only
 * streams of gigabytes reach. nytprof_reader_done is due in either case. */
int nytprof_reader_begin(struct nytprof_reader *r, const struct read_job *job, assay_builder *b, assay_error *err);
int nytprof_reader_take(struct nytprof_reader *r, assay_error *err);
int nytprof_reader_finish(struct nytprof_reader *r, assay_error *err);
void nytprof_reader_done(struct nytprof_reader *r);

/* Findings of the reader itself. */
void nytprof_warn(struct nytprof_reader *r, const char *rule, int severity, uint64_t off, const char *fmt, ...) __attribute__((format(printf, 5, 6)));

/* The row of a fid, made when it is not there yet; NULL = no memory. */
struct nytprof_fid *nytprof_fid_row(struct nytprof_reader *r, uint32_t fid, uint64_t off);
/* NULL = it was never named. */
struct nytprof_fid *nytprof_fid_find(const struct nytprof_reader *r, uint32_t fid);
/* The id of the sub with this name; 0 = an error of the builder or of memory. */
uint32_t nytprof_sub_id(struct nytprof_reader *r, assay_slice name);
/* Adds to the arc with this place and these functions. */
int nytprof_add_arc(struct nytprof_reader *r, const struct nytprof_arc *arc, assay_error *err);
/* The stream of process number `process`, 0 where there is only one. */
assay_stream_id nytprof_stream(const struct nytprof_reader *r, uint32_t process);

/* read_book.c: the tables -> the builder. */
/* CORE::x, or CORE:x in a package. */
bool nytprof_is_core(assay_slice name);
assay_file_id nytprof_file_id(struct nytprof_reader *r, uint32_t fid);
/* The sums of lines so far, as those of this process (read_lines.c). */
int nytprof_book_lines(struct nytprof_reader *r, uint32_t process);
int nytprof_book_subs(struct nytprof_reader *r, assay_error *err);
int nytprof_book_files(struct nytprof_reader *r, assay_error *err);
void nytprof_book_facts(struct nytprof_reader *r);

/* read_collapse.c: remembers the name of an anonymous sub in an eval; false = no memory. */
bool nytprof_know_anon(struct nytprof_reader *r, struct nytprof_sub_row *s, assay_slice name);
/* What would be left after merging string evals as Devel::NYTProf does; stated as counts. */
int nytprof_count_collapsed(struct nytprof_reader *r, assay_error *err);

#endif

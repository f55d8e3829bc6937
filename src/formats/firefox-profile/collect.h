/* Records -> tables, threads and counters, checked against each other. A table may come after what refers to it, so nothing is looked up before the end. */
#ifndef FORMATS_FIREFOX_PROFILE_COLLECT_H
#define FORMATS_FIREFOX_PROFILE_COLLECT_H

#include "base/intern.h"
#include "formats/firefox-profile/decode.h"

enum { FIREFOX_NEWEST = 70, FIREFOX_NONE = -1, FIREFOX_INDEXES = FIREFOX_COLUMNS - FIREFOX_FRAME };
enum { FIREFOX_AHEAD = 16 }; /* rows that are asked for before it is their turn: they are anywhere in large tables */

/* The largest number of a column of row numbers, and where it stands; and the first that is missing. */
struct firefox_range {
    uint64_t largest, off, line; /* largest: one more than the number; 0 = there is none */
    uint64_t none_off, none_line;
    bool has_none;
};

struct firefox_lib {
    uint32_t name, path, debug_name, id, code_id; /* of names */
};

/* Row numbers are FIREFOX_NONE where the file has null or -1. */
struct firefox_tables {
    VEC(int32_t) column[FIREFOX_INDEXES]; /* of FIREFOX_FRAME and those that follow it */
    struct firefox_range range[FIREFOX_INDEXES];
    VEC(uint32_t) strings; /* of names */
    VEC(struct firefox_lib) libs;
    uint32_t length[FIREFOX_TABLES];
    bool is_whole[FIREFOX_TABLES]; /* it was read to its end, and its columns are long enough */
    bool has[FIREFOX_TABLES], has_strings, is_sound;
};

enum firefox_metric { FIREFOX_BY_SAMPLES, FIREFOX_BY_TIME, FIREFOX_BY_BYTES, FIREFOX_BY_JS, FIREFOX_BY_NATIVE, FIREFOX_METRICS };

/* What a thread adds up to in one stack: sum + rest, nothing is lost to rounding. */
struct firefox_cell {
    uint32_t row;
    double sum, rest;
};

struct firefox_samples {
    VEC(int32_t) stack;
    VEC(double) weight, time; /* time: kept where the timeline is wanted */
    struct firefox_range range;
    uint32_t length;
    uint8_t metric;
    bool is_whole, has_weight, has_deltas, is_settled, is_sound, is_backwards;
    double last;
    size_t cells, cells_end;
};

enum firefox_phase { FIREFOX_INSTANT, FIREFOX_INTERVAL, FIREFOX_INTERVAL_START, FIREFOX_INTERVAL_END };

struct firefox_marker {
    int32_t name, category, phase; /* phase FIREFOX_NONE: before version 30, data says it */
    double start, end;
    size_t fields, fields_end;
};

struct firefox_field {
    uint32_t key, text; /* of names; text also of a number */
    double number;
    uint8_t value; /* enum json_kind */
};

struct firefox_thread {
    uint32_t name, pid, tid, process_name, process_type;
    bool is_main;
    uint32_t tables; /* 0 = the shared ones; else its own, tables.at[N] */
    struct firefox_samples samples[3];
    VEC(struct firefox_marker) markers; /* where the timeline is wanted */
    struct firefox_range marker_names;
    uint32_t marker_count;
    bool has_samples; /* sound or not */
    bool has_markers; /* sound ones */
};

struct firefox_counter {
    uint32_t name, category, description, unit, pid;
    double thread; /* mainThreadIndex; below 0 = none */
    VEC(double) time, count, number;
    uint32_t length;
    bool has_deltas, is_whole;
};

struct firefox_schema_field {
    uint32_t type, key; /* of names: this field of markers of this type is a string by its number */
};

/* The table that is open. */
struct firefox_open {
    uint64_t off, line;
    uint64_t count[FIREFOX_COLUMNS], key_off[FIREFOX_COLUMNS], key_line[FIREFOX_COLUMNS];
    uint64_t length;
    bool seen[FIREFOX_COLUMNS], has_length, is_bad;
};

struct firefox {
    struct mem *mem;
    assay_error *err;
    struct findings *damage;
    bool want_timeline;
    uint64_t version;
    bool has_threads, has_grey, is_whole; /* is_whole: the document was read to its end */
    uint64_t meta_off, meta_line;
    struct intern names;
    VEC(uint32_t) meta; /* of names: key, value, key, value, ... */
    VEC(uint32_t) categories;
    VEC(struct firefox_schema_field) schema;
    size_t schema_open; /* where the fields of the open schema begin */
    uint32_t schema_name;
    bool is_string;                    /* the open field of a schema is a string by its number */
    bool is_time_bytes;                /* times are offsets in bytes */
    VEC(struct firefox_tables) tables; /* [0] = the shared ones */
    VEC(struct firefox_thread) threads;
    VEC(struct firefox_counter) counters;
    VEC(struct firefox_field) fields;
    VEC(struct firefox_cell) cells;
    VEC(int32_t) slot; /* by row of a stack table: its newest cell + 1; scratch for others once all samples are added up */
    bool has_fraction[FIREFOX_METRICS];
    struct firefox_open open;
    bool is_in_thread;
};

/* Reads all of it. firefox_done is due in either case. Errors: input, memory. */
int firefox_collect(struct firefox *f, const struct read_job *job, bool want_timeline, struct findings *damage, assay_error *err);
void firefox_done(struct firefox *f);

/* ---- tables.c ---- */
int firefox_add_table(struct firefox *f, const struct firefox_record *r);
/* Adds up the samples of a thread, unless it was done, or its stacks are not known yet and `is_last` is false. */
int firefox_settle(struct firefox *f, struct firefox_thread *t, bool is_last);
/* Row numbers against the tables that they mean, at the end; sets is_sound of tables and samples. */
void firefox_check_rows(struct firefox *f);

static inline const struct firefox_tables *firefox_tables_of(const struct firefox *f, const struct firefox_thread *t) { return &f->tables.at[t->tables]; }
/* The strings that rows of a table mean. */
static inline const struct firefox_tables *firefox_strings_of(const struct firefox *f, const struct firefox_tables *t)
{
    return t->has_strings ? t : &f->tables.at[0];
}
static inline const struct firefox_tables *firefox_libs_of(const struct firefox *f, const struct firefox_tables *t)
{
    return t->libs.len ? t : &f->tables.at[0];
}
/* FIREFOX_NONE where the column has no such row. */
static inline int32_t firefox_row(const struct firefox_tables *t, enum firefox_column column, uint32_t row)
{
    return row < t->column[column - FIREFOX_FRAME].len ? t->column[column - FIREFOX_FRAME].at[row] : FIREFOX_NONE;
}

int firefox_read(const struct read_job *job, assay_builder *b, assay_error *err);
int firefox_check(const struct read_job *job, struct findings *out, assay_error *err);
int firefox_dump(const struct read_job *job, struct output *out, assay_error *err);
int firefox_write(const assay_profile *p, const struct write_job *job, struct output *out, assay_error *err);

#endif

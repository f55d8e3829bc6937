/* Output of GNU gprof: lines -> records, one for each row of the flat profile and each line of the call graph. docs/formats/gprof-text.md has the layout. */
#ifndef FORMATS_GPROF_TEXT_GPROF_H
#define FORMATS_GPROF_TEXT_GPROF_H

#include "base/lines.h"
#include "formats/format.h"

enum gprof_kind {
    GPROF_END,
    GPROF_TEXT,    /* titles, headers, explanations, the index, and lines that are damaged */
    GPROF_SAMPLE,  /* "Each sample counts as 0.01 seconds.": self */
    GPROF_HEADER,  /* of the flat profile: name is the unit of its times */
    GPROF_FLAT,    /* a row of the flat profile */
    GPROF_CALLER,  /* lines of an entry of the call graph: above the one that has the index */
    GPROF_UNKNOWN, /* <spontaneous>: nobody knows the caller */
    GPROF_ENTRY,   /* the one that has the index */
    GPROF_CYCLE,   /* the same of a cycle as a whole */
    GPROF_CALLEE,  /* below it; in a cycle its members */
    GPROF_RULE,    /* dashes: the entry ends */
};

struct gprof_name {
    assay_slice name; /* without what follows */
    assay_slice file; /* of gprof -l and --inline-file-names; empty = not given */
    uint32_t line;    /* 0 = none */
    uint64_t address; /* 0 = none */
    uint64_t cycle;   /* 0 = in none */
    uint64_t index;   /* 0 = none */
};

struct gprof_record {
    enum gprof_kind kind;
    uint64_t off, number; /* of the line */
    assay_slice text;     /* the line; lasts until the next call, like the texts of `who` */
    struct gprof_name who;
    double percent, cumulative, self, children; /* seconds */
    double total;                               /* of a flat row with calls: seconds by calls */
    uint64_t calls, recursive, all_calls;       /* N, R of N+R, and TOTAL of N/TOTAL */
    bool has_times, has_calls, has_all;
};

enum gprof_section { GPROF_OUTSIDE, GPROF_IN_FLAT, GPROF_IN_GRAPH };

struct gprof_decoder {
    struct lines lines;
    struct findings *damage;
    assay_error *err;
    enum gprof_section section;
    bool in_entry;    /* lines of an entry were met, and its end was not */
    bool has_primary; /* the line with the index among them */
    double scale;     /* of the call columns of the flat profile: seconds for a unit */
    uint64_t entry_off, entry_number;
    uint64_t rows, entries, callees, cycles; /* met so far */
};

/* Borrows all but `d` until gprof_decoder_done. */
void gprof_decoder_init(struct gprof_decoder *d, struct input *in, struct mem *mem, struct findings *damage, assay_error *err);
void gprof_decoder_done(struct gprof_decoder *d);
/* The next line as a record; GPROF_END at the end. Damaged lines are findings (GP01 to GP05) and come as GPROF_TEXT. Errors: those of lines_next, MEMORY. */
int gprof_next(struct gprof_decoder *d, struct gprof_record *r);

/* The parts of a line; see parse.c. false = it is malformed or cut short. */
bool gprof_flat_row(assay_slice line, double scale, struct gprof_record *r);
bool gprof_graph_line(assay_slice line, bool is_primary, struct gprof_record *r);
/* Whether it is the second line of the flat profile's header; then the unit of times and the seconds of a unit of the call columns. */
bool gprof_flat_header(assay_slice line, assay_slice *unit, double *scale);
/* Whether it is the line above the entries of a call graph. */
bool gprof_graph_header(assay_slice line);

int gprof_read(const struct read_job *job, assay_builder *b, assay_error *err);
int gprof_check(const struct read_job *job, struct findings *out, assay_error *err);
int gprof_dump(const struct read_job *job, struct output *out, assay_error *err);

#endif

/* What check keeps while it looks at a database; shared by check.c and check_side.c. */
#ifndef FORMATS_HPCDB_XML_CHECK_H
#define FORMATS_HPCDB_XML_CHECK_H

#include "formats/hpcdb-xml/nodes.h"
#include "formats/hpcdb-xml/side.h"
#include "formats/hpcdb-xml/tables.h"

/* A metric: what its parts add up to. */
struct hx_sums {
    double whole, own, threads;
    bool has_whole;
};
struct hx_seen {
    uint64_t off;
    uint32_t kids;
    enum hx_tag tag;
};

struct hx_checker {
    const struct read_job *job;
    struct mem *mem;
    struct findings *out;
    assay_error *err;
    struct hx_tables tables;
    struct hx_open open;       /* by column of the tables; depth 0 is the data section */
    VEC(struct hx_seen) nodes; /* that are open, the data section first */
    VEC(struct hx_sums) sums;  /* by metric */
    struct hx_places places, trace_ids;
    bool has_unnumbered, has_sparse, has_damaged_threads;
    uint64_t unnumbered_off, threads, traces;
};

/* The files beside the document: HX20 to HX35, HX40 to HX43. */
int hx_check_side(struct hx_checker *k);

#endif

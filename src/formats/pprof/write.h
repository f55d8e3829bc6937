/* What the writer of pprof keeps: the parts of the file as they grow, and what has been numbered. write.c has the head, locations.c samples and tables. */
#ifndef FORMATS_PPROF_WRITE_H
#define FORMATS_PPROF_WRITE_H

#include "base/intern.h"
#include "formats/pprof/encode.h"
#include "formats/stacks/located.h"

struct pprof_writer {
    const assay_profile *p;
    struct mem *mem;
    struct located located;
    struct intern strings; /* number of the file + 1 */
    struct proto_buffer head, samples, tail, message, inner, numbers;
    bool failed; /* no memory for a string */
};

void pprof_writer_init(struct pprof_writer *w);
void pprof_writer_done(struct pprof_writer *w);
/* Its number in the string table. */
uint64_t pprof_string(struct pprof_writer *w, assay_slice s);
/* A sample with w->located.figures at a node with a set of labels, as located_fn. Errors: MEMORY. */
int pprof_put_sample(void *w, uint32_t node, uint32_t set, assay_error *err);
/* Mappings, locations and functions that samples use. Errors: MEMORY. */
int pprof_put_tables(struct pprof_writer *w, assay_error *err);
/* The whole file. Errors: MEMORY. */
int pprof_put_all(struct pprof_writer *w, struct output *out, assay_error *err);

#endif

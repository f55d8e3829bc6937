/* Files of Python's cProfile and profile: bytes -> functions with their callers. The only parser of this format; read, check and dump pull from it.
 * docs/formats/pstats.md has the bytes. Behind damage nothing can be found again: the records end there, with a finding of severity error. */
#ifndef FORMATS_PSTATS_PSTATS_H
#define FORMATS_PSTATS_PSTATS_H

#include "formats/format.h"
#include "formats/pstats/marshal.h"

enum pstats_kind { PSTATS_END, PSTATS_FUNCTION, PSTATS_CALLER /* of the function before */ };

struct pstats_record {
    enum pstats_kind kind;
    uint64_t off;
    assay_slice file, name;
    uint32_t line;
    uint32_t key;              /* the number of (file, line, name), from 1; 0 = it has none */
    bool is_known;             /* this key came before, and with skips_known file, line and name are left out */
    uint64_t calls, primitive; /* all calls; those that are not recursive */
    double self, total;        /* seconds */
    bool has_times;            /* false: a caller in a file of the module profile, which only counts */
};

struct pstats_decoder {
    struct marshal m;
    struct findings *damage;
    assay_error *err;
    bool has_begun, in_callers, is_over;
    bool skips_known; /* set by the reader, which remembers keys by their number */
    uint64_t functions, callers;
    VEC(uint32_t) key_of; /* by reference: the number of the key that stands there; 0 = none so far */
    uint32_t keys;
};

/* Takes the whole input, which lends its bytes to the records. Errors: those of input_map that leave nothing to look at. */
int pstats_decoder_init(struct pstats_decoder *d, const struct read_job *job, struct findings *damage, assay_error *err);
void pstats_decoder_done(struct pstats_decoder *d);
/* The next record; PSTATS_END at the end. 0 or MEMORY. */
int pstats_next(struct pstats_decoder *d, struct pstats_record *r);
/* "python2" or "python3", by the strings met so far. Static storage. */
const char *pstats_version(const struct pstats_decoder *d);

int pstats_read(const struct read_job *job, assay_builder *b, assay_error *err);
int pstats_check(const struct read_job *job, struct findings *out, assay_error *err);
int pstats_dump(const struct read_job *job, struct output *out, assay_error *err);

#endif

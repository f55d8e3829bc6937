/* What the reader keeps while it fills a builder; shared by read.c, read_names.c, read_formulas.c and read_tree.c. */
#ifndef FORMATS_HPCDB_READ_H
#define FORMATS_HPCDB_READ_H

#include "formats/hpcdb/backing.h"
#include "formats/hpcdb/taxonomy.h"

struct hpcdb_reader {
    const struct read_job *job;
    struct mem *mem;
    assay_builder *b;
    struct hpcdb_store *store;
    const struct hpcdb *db; /* the store's */
    int refused;            /* code of the first problem that leaves nothing to read */
    uint64_t refused_off;
    char refused_text[400], fault_text[300];

    struct hpcdb_taxonomy taxonomy;
    const struct hpcdb_column_root *preferred; /* of its columns; NULL = none has a value */

    struct hpcdb_numbers modules, files, functions; /* by element: ids of the model, 0 = damaged */
    struct hpcdb_numbers file_of_path;              /* by string: the first file with this path */
    uint32_t unknown;                               /* the function that stands for unknown ones; 0 = not needed yet */
    uint32_t distinct_functions;

    uint64_t contexts, entries, hidden, summary_ctxs;
    uint64_t values, summary_values, cct_values, samples;
};

/* Modules, files, functions, names of kinds. */
int hpcdb_read_names(struct hpcdb_reader *r, assay_error *err);
/* Metrics, scopes, statistics, their totals. */
int hpcdb_read_metrics(struct hpcdb_reader *r, assay_error *err);
/* Formulas of default.yaml. */
int hpcdb_read_formulas(struct hpcdb_reader *r, assay_error *err);
/* Contexts as nodes, hidden ones last. */
int hpcdb_read_tree(struct hpcdb_reader *r, assay_error *err);
/* Samples as events, when they are wanted; their number in any case. */
int hpcdb_read_traces(struct hpcdb_reader *r, assay_error *err);

#endif

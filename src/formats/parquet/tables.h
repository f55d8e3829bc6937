/* Tables as files of a folder; see tables.c. */
#ifndef FORMATS_PARQUET_TABLES_H
#define FORMATS_PARQUET_TABLES_H

#include "formats/format.h"

struct parquet_options {
    const char *partition; /* kind of stream ids, or "stream"; NULL = none */
};

/* Names the losses, and writes every table that has rows. Errors: USAGE (no stream has such an id), LOSS, MEMORY, LIMIT, WRITE. */
int parquet_write(const assay_profile *p, const struct write_job *job, struct output_dir *out, assay_error *err);

#endif

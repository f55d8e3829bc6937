/* Opening a database: the files of a directory, or one file by itself. */
#ifndef FORMATS_HPCDB_OPEN_H
#define FORMATS_HPCDB_OPEN_H

#include "formats/format.h"
#include "formats/hpcdb/decode.h"

/* What keeps the bytes: zero it to begin; hpcdb_close also after a failure. */
struct hpcdb_inputs {
    struct input *in[HPCDB_PARTS];
};

/* Maps what is there and decodes the heads (hpcdb_begin): db->say and say_arg must be set. Inputs of a directory take their memory from `mem`,
 * which must last until hpcdb_close; a file by itself is job->in. Errors: SYSTEM, MEMORY, LIMIT, CANCELLED. */
int hpcdb_open(struct hpcdb *db, struct hpcdb_inputs *inputs, const struct read_job *job, struct mem *mem, assay_error *err);
void hpcdb_close(struct hpcdb_inputs *inputs);

/* "meta.db" and the like of a directory: whether there is one. */
bool hpcdb_has_file(const char *dir, const char *name);

int hpcdb_read(const struct read_job *job, assay_builder *b, assay_error *err);
int hpcdb_check(const struct read_job *job, struct findings *out, assay_error *err);
int hpcdb_dump(const struct read_job *job, struct output *out, assay_error *err);
/* `out` NULL = names the losses only. */
int hpcdb_write(const assay_profile *p, const struct write_job *job, struct output_dir *out, assay_error *err);

#endif

/* Opening a database: the files of a directory, or one file by itself. */
#ifndef FORMATS_HPCDB_OPEN_H
#define FORMATS_HPCDB_OPEN_H

#include "formats/format.h"
#include "formats/hpcdb/decode.h"

/* What keeps the bytes: zero it to begin; hpcdb_close also after a failure. */
struct hpcdb_inputs {
    struct input *in[HPCDB_PARTS];
    struct hpcdb_view elements[HPCDB_PARTS];
    unsigned char rooms[HPCDB_PARTS][HPCDB_WINDOW];
};

/* Opens what is there and decodes the heads (hpcdb_begin): db->say and say_arg must be set. `inputs` must stay where it is. Inputs of a directory take their memory from `mem`,
 * which must last until hpcdb_close; a file by itself is job->in. Errors: SYSTEM, MEMORY, LIMIT, CANCELLED. */
int hpcdb_open(struct hpcdb *db, struct hpcdb_inputs *inputs, const struct read_job *job, struct mem *mem, assay_error *err);
void hpcdb_close(struct hpcdb_inputs *inputs);
/* To be asked when all was read, with what came of it: whether the files are still those that were opened. `rc`, or SYSTEM when one shrank or could
 * not be read, whatever followed from that; one that changed is said by rule F-3. */
int hpcdb_settle(const struct hpcdb *db, const struct hpcdb_inputs *inputs, int rc, assay_error *err);

/* "meta.db" and the like of a directory: whether there is one. */
bool hpcdb_has_file(const char *dir, const char *name);

int hpcdb_read(const struct read_job *job, assay_builder *b, assay_error *err);
int hpcdb_check(const struct read_job *job, struct findings *out, assay_error *err);
int hpcdb_dump(const struct read_job *job, struct output *out, assay_error *err);
/* `out` NULL = names the losses only. */
int hpcdb_write(const assay_profile *p, const struct write_job *job, struct output_dir *out, assay_error *err);

#endif

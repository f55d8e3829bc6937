/* JaCoCo's execution data: bytes -> blocks. The only parser of this format; read, check and dump pull from it.
 * docs/formats/jacoco-exec.md has the bytes. Damage goes to the findings list; the lengths of blocks are in the blocks, so that nothing can be
 * read behind one that is damaged. */
#ifndef FORMATS_JACOCO_EXEC_DECODE_H
#define FORMATS_JACOCO_EXEC_DECODE_H

#include "base/cursor.h"
#include "formats/format.h"

enum jacoco_exec_kind { JACOCO_EXEC_END, JACOCO_EXEC_HEADER, JACOCO_EXEC_SESSION, JACOCO_EXEC_CLASS };
enum { JACOCO_EXEC_MAGIC = 0xc0c0, JACOCO_EXEC_VERSION = 0x1007 };

struct jacoco_exec_record {
    enum jacoco_exec_kind kind;
    uint64_t off;
    uint16_t version;
    assay_slice name;    /* id of a session, name of a class: a/b/C$D; modified UTF-8 as it stands */
    int64_t start, dump; /* ms since 1970 */
    uint64_t id;         /* of the class: CRC of its file */
    uint64_t probes;     /* how many */
    assay_slice bits;    /* probe i is bit i % 8 of byte i / 8 */
};

struct jacoco_exec_decoder {
    struct cursor c;
    struct findings *damage;
    assay_error *err;
    bool has_header, is_over;
};

/* Maps the input, which lends its bytes to the records. Errors: those of input_map that leave nothing to look at. */
int jacoco_exec_init(struct jacoco_exec_decoder *d, const struct read_job *job, struct findings *damage, assay_error *err);
/* The next block. 0 or an error of memory; kind JACOCO_EXEC_END at the end. */
int jacoco_exec_next(struct jacoco_exec_decoder *d, struct jacoco_exec_record *r);

static inline bool jacoco_exec_probe(const struct jacoco_exec_record *r, uint64_t i) { return (unsigned char)r->bits.data[i / 8] >> (i % 8) & 1; }

#endif

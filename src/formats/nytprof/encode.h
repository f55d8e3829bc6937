/* Records -> bytes of a NYTProf 5.0 stream, integers in their shortest form. With compression everything from nytprof_encode_deflate on goes
 * into one zlib stream. Errors of writing are sticky in the output. */
#ifndef FORMATS_NYTPROF_ENCODE_H
#define FORMATS_NYTPROF_ENCODE_H

#include "base/deflate.h"
#include "formats/nytprof/decode.h"

enum { NYTPROF_ENCODE_ROOM = 32 << 10, NYTPROF_LEVEL = 6 };

struct nytprof_encoder {
    struct output *out;
    struct mem *mem;
    struct deflate *z; /* NULL = plain */
    uint64_t len;      /* of the stream, uncompressed */
    uint64_t packed_from;
    size_t used;
    unsigned char room[NYTPROF_ENCODE_ROOM];
};

void nytprof_encoder_init(struct nytprof_encoder *e, struct output *out, struct mem *mem);
void nytprof_encoder_done(struct nytprof_encoder *e);

/* One record as 5.0 has it; VERSION is written as 5.0, ours (DAMAGE, TAIL) and START_DEFLATE are nothing. */
void nytprof_encode(struct nytprof_encoder *e, const struct nytprof_record *r);
/* A ':', '!' or '#' line. */
void nytprof_encode_line(struct nytprof_encoder *e, char tag, assay_slice key, assay_slice value);
/* The comment, the 'z', and from here on compressed. Errors: MEMORY. */
int nytprof_encode_deflate(struct nytprof_encoder *e, assay_error *err);
/* Writes what is left, ends the compressed part and says how long it became. */
void nytprof_encode_end(struct nytprof_encoder *e);

#endif

/* Records -> bytes of a chunked NYTProf stream: the layouts of decode.h, written. A chunk's length comes first, so the caller knows it
 * from tlv_record_len before it gives the records. Errors are sticky in the output. */
#ifndef FORMATS_NYTPROF_TLV_ENCODE_H
#define FORMATS_NYTPROF_TLV_ENCODE_H

#include "base/output.h"
#include "formats/nytprof-tlv/decode.h"

/* The banner of the specification: version, comment, attributes and options in its order. */
struct tlv_key {
    const char *name;  /* with its mark: ':' or '!' */
    const char *value; /* what the specification, or a profile that does not know, says */
    bool is_fixed;     /* the stream would be read wrongly with another value */
};
enum { TLV_KEY_COUNT = 25 };
extern const struct tlv_key tlv_keys[TLV_KEY_COUNT];

/* A line and its LF; an LF inside becomes a blank. `text` is written in parts as given. */
void tlv_put_text(struct output *out, assay_slice text);
/* The comment with the producer and the RFC 2822 date of this time (seconds since 1970). */
void tlv_put_comment(struct output *out, uint64_t seconds);
/* name=value and LF. */
void tlv_put_key(struct output *out, const struct tlv_key *key, assay_slice value);

void tlv_put_chunk(struct output *out, char token, uint32_t length);
/* Bytes of a record in its chunk; 0 for what is none. */
uint64_t tlv_record_len(const struct tlv_record *r);
/* A record of any kind but HEAD, LINE, CHUNK and DAMAGE. */
void tlv_put_record(struct output *out, const struct tlv_record *r);

#endif

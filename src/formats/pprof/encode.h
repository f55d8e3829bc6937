/* The bytes of a pprof file: one message of protocol buffers (base/proto_put.h), compressed. */
#ifndef FORMATS_PPROF_ENCODE_H
#define FORMATS_PPROF_ENCODE_H

#include "base/output.h"
#include "base/proto_put.h"

/* As gzip, without a time: the same bytes for the same profile. Errors: MEMORY; those of output are sticky in it. */
int pprof_pack(const struct proto_buffer *b, struct output *out, assay_error *err);

#endif

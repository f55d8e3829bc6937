/* The functions of the nytprof-tlv module that its table entry names, and what they share. */
#ifndef FORMATS_NYTPROF_TLV_FORMAT_H
#define FORMATS_NYTPROF_TLV_FORMAT_H

#include "formats/format.h"
#include "formats/nytprof-tlv/decode.h"

extern const struct format nytprof_tlv_format;

int nytprof_tlv_read(const struct read_job *job, assay_builder *b, assay_error *err);
int nytprof_tlv_check(const struct read_job *job, struct findings *out, assay_error *err);
int nytprof_tlv_dump(const struct read_job *job, struct output *out, assay_error *err);
int nytprof_tlv_write(const assay_profile *p, const struct write_job *job, struct output *out, assay_error *err);
int nytprof_tlv_rewrite(const struct read_job *job, const struct write_job *write, struct output *out, assay_error *err);
int nytprof_tlv_probe(const struct probe *p, const char **why);

/* The bytes of an input, which can be mapped only once. */
struct tlv_source {
    assay_slice bytes;
    bool is_cut;        /* compressed, and damaged behind these bytes */
    uint64_t forgotten; /* where figures begin that are still there */
};
int tlv_map(const struct read_job *job, struct tlv_source *out, assay_error *err);

enum { TLV_FORGET = 4 << 20 };
/* In the last pass, for each record: figures that were handed out are given back as the decoder goes on. Names are borrowed, and stay. */
static inline void tlv_forget(const struct read_job *job, struct tlv_source *s, const struct tlv_decoder *d, const struct tlv_record *r)
{
    bool has_figures = tlv_has_figures(d->chunk.layout);
    if (r->kind == TLV_CHUNK && (!has_figures || !s->forgotten)) s->forgotten = has_figures ? d->at : d->chunk_end;
    if (!has_figures || d->at - s->forgotten < TLV_FORGET) return;
    s->forgotten += input_forget(job->in, slice_from(s->bytes.data + s->forgotten, s->bytes.data + d->at));
}

#endif

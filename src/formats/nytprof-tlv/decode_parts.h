/* Between the files that decode a chunked NYTProf stream. */
#ifndef FORMATS_NYTPROF_TLV_DECODE_PARTS_H
#define FORMATS_NYTPROF_TLV_DECODE_PARTS_H

#include "base/cursor.h"
#include "formats/nytprof-tlv/decode.h"

enum { PHASE_HEAD, PHASE_BANNER, PHASE_ENTRIES, PHASE_CHUNKS, PHASE_RECORDS, PHASE_LAST, PHASE_END };

static inline struct cursor tlv_cursor(const struct tlv_decoder *d, uint64_t from, uint64_t to)
{
    struct cursor c = cursor_of(d->bytes.data, (size_t)to);
    (void)cursor_seek(&c, from);
    return c;
}

/* Puts a finding behind the record that is being made; the message is printf's. */
struct tlv_damage *tlv_damage(struct tlv_decoder *d, const char *rule, int severity, uint64_t off, const char *fmt, ...) __attribute__((format(printf, 5, 6)));

/* key=value: false = there is no '='. */
bool tlv_split(assay_slice text, assay_slice *key, assay_slice *value);

/* decode_banner.c: what stands before the first chunk. false = nothing to hand out. */
bool tlv_step_head(struct tlv_decoder *d, struct tlv_record *r);
bool tlv_step_line(struct tlv_decoder *d, struct tlv_record *r);
bool tlv_step_entry(struct tlv_decoder *d, struct tlv_record *r);

/* decode_layout.c: which of the layouts that share a letter a payload has; `is_cut` = its end is missing. */
enum tlv_layout tlv_layout_of_files(assay_slice payload, uint32_t length, bool is_cut);
enum tlv_layout tlv_layout_of_subs(assay_slice payload, uint32_t length, bool is_cut);
/* Any D chunk of the stream from the chunk at `at` on holds subs of the C extension; then C holds call sites. */
bool tlv_has_ranges(assay_slice bytes, uint64_t at);
/* After a P without length, which ends at `at`: sets d->unread when no chunk follows. */
void tlv_find_unread(struct tlv_decoder *d, uint64_t at);
/* The sixteen bytes of a process. */
void tlv_get_process(struct cursor *c, struct tlv_process *out);

#endif

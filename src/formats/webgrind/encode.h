/* Records -> bytes of a webgrind file, versions 4 to 7. The caller gives the parts in the order of the file; addresses come from
 * webgrind_record_len, so that nothing has to be patched afterwards. Errors are sticky in the output. */
#ifndef FORMATS_WEBGRIND_ENCODE_H
#define FORMATS_WEBGRIND_ENCODE_H

#include "base/output.h"
#include "formats/webgrind/decode.h"

/* Bytes of the record, items and names included. */
uint64_t webgrind_record_len(const struct webgrind_layout *layout, const struct webgrind_function *f);

void webgrind_put_head(struct output *out, const struct webgrind_head *head);
/* The numbers that open a record; its items follow, then its names. */
void webgrind_put_fields(struct output *out, const struct webgrind_layout *layout, const struct webgrind_function *f);
/* A called-from or sub call record. */
void webgrind_put_call(struct output *out, const struct webgrind_call *c);
void webgrind_put_invocation(struct output *out, const struct webgrind_invocation *v);
/* An entry of version 4's area. */
void webgrind_put_subcall(struct output *out, const struct webgrind_subcall *c);
/* The bytes and a newline; a newline or NUL inside, which the format has no way to write, becomes a blank. */
void webgrind_put_text(struct output *out, assay_slice s);
static inline void webgrind_put_names(struct output *out, const struct webgrind_function *f)
{
    webgrind_put_text(out, f->file);
    webgrind_put_text(out, f->name);
}
/* true = webgrind_put_text would change it. */
bool webgrind_text_changes(assay_slice s);

#endif

/* What the files of the profile decoder share: phases, bytes, damage. Nobody else includes it. */
#ifndef FORMATS_HPCRUN_DECODE_PARTS_H
#define FORMATS_HPCRUN_DECODE_PARTS_H

#include "base/cursor.h"
#include "formats/hpcrun/decode.h"

enum hpcrun_phase {
    PHASE_FILE,
    PHASE_PAIR_COUNT,
    PHASE_PAIRS,
    PHASE_EPOCH_COUNT,
    PHASE_EPOCH,
    PHASE_EPOCH_PAIR_COUNT,
    PHASE_EPOCH_PAIRS,
    PHASE_METRIC_COUNT,
    PHASE_METRICS,
    PHASE_MODULE_COUNT,
    PHASE_MODULES,
    PHASE_NODE_COUNT,
    PHASE_NODES,
    PHASE_KIND_COUNT,
    PHASE_KINDS,
    PHASE_TUPLE_COUNT,
    PHASE_TUPLE,
    PHASE_VALUE_COUNT,
    PHASE_VALUES,
    PHASE_INDEX_COUNT,
    PHASE_INDEX,
    PHASE_SECTION_END,
    PHASE_FOOTER,
    PHASE_REST,
    PHASE_END
};

/* A cursor at d->at that ends where the section, or the file, ends; its offsets are those of the file. */
static inline struct cursor hpcrun_cursor(const struct hpcrun_decoder *d)
{
    struct cursor c = cursor_of(d->bytes.data, d->end < d->bytes.len ? (size_t)d->end : d->bytes.len);
    if (!cursor_seek(&c, d->at)) c.at = c.end;
    return c;
}

/* n bytes in the file's order. */
static inline bool hpcrun_get(const struct hpcrun_decoder *d, struct cursor *c, unsigned n, uint64_t *out)
{
    return d->file.is_big_endian ? cursor_be(c, n, out) : cursor_le(c, n, out);
}
static inline bool hpcrun_get_u16(const struct hpcrun_decoder *d, struct cursor *c, uint16_t *out)
{
    uint64_t v;
    bool ok = hpcrun_get(d, c, 2, &v);
    *out = (uint16_t)v;
    return ok;
}
static inline bool hpcrun_get_u32(const struct hpcrun_decoder *d, struct cursor *c, uint32_t *out)
{
    uint64_t v;
    bool ok = hpcrun_get(d, c, 4, &v);
    *out = (uint32_t)v;
    return ok;
}
/* On false the cursor stands at the length of the string. */
bool hpcrun_get_str(const struct hpcrun_decoder *d, struct cursor *c, struct hpcrun_str *out);

struct hpcrun_damage *hpcrun_damage(struct hpcrun_decoder *d, const char *rule, int severity, uint64_t off, const char *fmt, ...)
    __attribute__((format(printf, 5, 6)));
/* Ends the section of 04.00, or the file: what follows cannot be made sense of. */
void hpcrun_give_up(struct hpcrun_decoder *d);

/* decode_items.c: one item at d->at, false = DAMAGE and nothing to hand out */
bool hpcrun_step_pair(struct hpcrun_decoder *d, struct hpcrun_record *r);
bool hpcrun_step_metric(struct hpcrun_decoder *d, struct hpcrun_record *r);
bool hpcrun_step_module(struct hpcrun_decoder *d, struct hpcrun_record *r);
bool hpcrun_step_kind(struct hpcrun_decoder *d, struct hpcrun_record *r);
bool hpcrun_step_tuple(struct hpcrun_decoder *d, struct hpcrun_record *r);

/* decode_arrays.c: the counts of nodes, values and index pairs, and single items of them */
bool hpcrun_step_node_count(struct hpcrun_decoder *d, struct hpcrun_record *r);
bool hpcrun_step_value_count(struct hpcrun_decoder *d, struct hpcrun_record *r);
bool hpcrun_step_index_count(struct hpcrun_decoder *d, struct hpcrun_record *r);
bool hpcrun_step_array_item(struct hpcrun_decoder *d, struct hpcrun_record *r);

/* decode_sections.c: 04.00 */
void hpcrun_find_sections(struct hpcrun_decoder *d);
bool hpcrun_step_section_end(struct hpcrun_decoder *d, struct hpcrun_record *r);
bool hpcrun_step_footer(struct hpcrun_decoder *d, struct hpcrun_record *r);

/* decode_magic.c: which layout the file has; false = DAMAGE that is fatal */
bool hpcrun_choose_layout(struct hpcrun_decoder *d);

/* decode.c: one step, which need not give a record */
bool hpcrun_step(struct hpcrun_decoder *d, struct hpcrun_record *r);
/* Where in a trial of a layout the first problem is; true = it ends exactly at the end of the file. */
bool hpcrun_try(const struct hpcrun_decoder *d, const struct hpcrun_file *layout, uint64_t *reached);

#endif

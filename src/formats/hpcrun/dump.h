/* What `dump` prints of the measurement formats: our own style, and that of hpcproftt. */
#ifndef FORMATS_HPCRUN_DUMP_H
#define FORMATS_HPCRUN_DUMP_H

#include "base/vec.h"
#include "formats/hpcrun/hpcrun-flat/decode.h"
#include "formats/hpcrun/hpcrun.h"
#include "formats/hpcrun/hpctrace/decode.h"

int hpcrun_dump(const struct read_job *job, struct output *out, assay_error *err);
int hpctrace_dump(const struct read_job *job, struct output *out, assay_error *err);
int hpcrun_flat_dump(const struct read_job *job, struct output *out, assay_error *err);
/* { "hpcproftt", NULL } */
extern const char *const hpcrun_dump_styles[];

/* Which metrics of the table in work hold doubles, by number. */
struct hpcrun_reals {
    struct mem *mem;
    VEC(uint8_t) list;
    bool failed; /* no memory: integers then */
};
static inline void hpcrun_reals_note(struct hpcrun_reals *t, const struct hpcrun_metric *m)
{
    if (m->index == 0) t->list.len = 0;
    uint8_t *is_real = vec_push(t->mem, &t->list);
    if (is_real)
        *is_real = m->value_format == 2;
    else
        t->failed = true;
}
static inline bool hpcrun_reals_is(const struct hpcrun_reals *t, uint64_t i) { return i < t->list.len && t->list.at[i]; }

/* dump_tt.c: in the style of hpcproftt. */
int hpcrun_dump_tt(const struct hpcrun_source *source, struct mem *mem, struct output *out, assay_error *err);
void hpctrace_dump_tt(const struct hpcrun_source *source, struct output *out);
void hpcrun_flat_dump_tt(const struct hpcrun_source *source, struct output *out);

#endif

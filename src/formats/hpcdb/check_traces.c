/* trace.db: rules H144 to H153. */
#include <inttypes.h>

#include "base/scoped.h"
#include "formats/hpcdb/check.h"

struct range {
    uint64_t min, max, samples;
};

static void say(struct hpcdb_checker *c, const char *rule, int severity, uint64_t off, const char *text)
{
    hpcdb_say(&c->db, HPCDB_TRACE, rule, severity, off, "%s", text);
}

static void check_sample(struct hpcdb_checker *c, struct hpcdb_trace *t, uint64_t i, struct range *r)
{
    uint64_t time = hpcdb_sample_time(t, i), off = t->start + i * HPCDB_SAMPLE_LEN;
    uint32_t ctx = hpcdb_sample_ctx(t, i);
    bool has_range = c->db.min_timestamp <= c->db.max_timestamp;
    if (i && time < hpcdb_sample_time(t, i - 1)) say(c, "H146", ASSAY_ERROR, off, "a sample is earlier than the one before it");
    if (i && ctx == 0 && hpcdb_sample_ctx(t, i - 1) == 0) say(c, "H147", ASSAY_WARNING, off + 8, "two samples without a context in a row");
    if (ctx && hpcdb_check_has(c, HPCDB_META) && !hpcdb_ids_find(&c->nodes, ctx))
        hpcdb_say(&c->db, HPCDB_TRACE, "H148", ASSAY_ERROR, off + 8, "context %u is not in the tree", ctx);
    if (has_range && (time < c->db.min_timestamp || time > c->db.max_timestamp))
        say(c, "H149", ASSAY_WARNING, off, "a time outside the range that the header states");
    if (time < r->min) r->min = time;
    if (time > r->max) r->max = time;
    r->samples++;
}

static void check_trace(struct hpcdb_checker *c, struct hpcdb_trace *t, uint8_t *seen, struct range *r)
{
    bool has_profiles = hpcdb_check_has(c, HPCDB_PROFILE);
    if (t->profile == 0 || (has_profiles && t->profile >= c->db.profiles.count))
        hpcdb_say(&c->db, HPCDB_TRACE, "H144", ASSAY_ERROR, t->off, "there is no thread profile %u", t->profile);
    else if (has_profiles && seen[t->profile]++)
        hpcdb_say(&c->db, HPCDB_TRACE, "H145", ASSAY_WARNING, t->off, "a second trace of profile %u", t->profile);
    if (t->count && t->start % 4) say(c, "H153", ASSAY_WARNING, t->off + 8, "samples are not at a multiple of 4");
    for (uint64_t i = 0; i < t->count; i++) check_sample(c, t, i, r);
}

static void check_range(struct hpcdb_checker *c, const struct range *r)
{
    uint64_t at = c->db.file[HPCDB_TRACE].sections[HPCDB_CTX_TRACES].off;
    if (r->samples == 0)
        say(c, "H151", ASSAY_INFO, at + 8, "no samples at all");
    else if (c->db.min_timestamp <= c->db.max_timestamp && c->db.min_timestamp < r->min)
        say(c, "H150", ASSAY_INFO, at + 0x10, "the first sample is later than minTimestamp");
    else if (c->db.min_timestamp <= c->db.max_timestamp && c->db.max_timestamp > r->max)
        say(c, "H150", ASSAY_INFO, at + 0x18, "the last sample is earlier than maxTimestamp");
}

int hpcdb_check_traces(struct hpcdb_checker *c, assay_error *err)
{
    struct range r = { UINT64_MAX, 0, 0 };
    struct hpcdb_trace t;
    size_t n = 0, count = c->db.traces.count;
    if (!c->db.file[HPCDB_TRACE].sections[HPCDB_CTX_TRACES].is_ok) return 0;
    SCRATCH(struct hpcdb_span, spans, c->mem, count + 1);
    SCRATCH(uint8_t, seen, c->mem, (size_t)c->db.profiles.count + 1);
    if (!spans || !seen) return error_memory(err);
    for (uint32_t i = 0; i < count; i++) {
        hpcdb_trace_at(&c->db, i, &t);
        check_trace(c, &t, seen, &r);
        if (t.count) spans[n++] = (struct hpcdb_span){ t.start, t.end, t.off + 8, i };
    }
    hpcdb_check_overlaps(c, HPCDB_TRACE, "H152", "traces", spans, n);
    check_range(c, &r);
    return 0;
}

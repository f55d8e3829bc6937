/* What the two halves of the writer share: events (names, spans, markers, counters) and samples with their stack frames. */
#ifndef FORMATS_CHROME_TRACE_WRITE_H
#define FORMATS_CHROME_TRACE_WRITE_H

#include "formats/chrome-trace/chrome.h"
#include "formats/stacks/stacks.h"

struct write_span {
    int64_t begin, end;
    uint32_t node, depth, set;
};

struct write_place {
    uint64_t pid, tid;
};

/* How a stream is written. */
enum { WRITE_NOTHING, WRITE_SPANS, WRITE_SAMPLES /* those of the timeline */, WRITE_SUMS };

struct writer {
    const struct stacks *s;
    const assay_profile *p;
    struct mem *mem;
    assay_error *err;
    struct json j;
    struct output *out;           /* NULL = only losses are looked for */
    size_t nodes;                 /* of the tree, and one */
    uint8_t *how;                 /* by stream */
    struct write_place *places;   /* by stream */
    uint8_t *is_frame;            /* by node: stackFrames has it */
    uint32_t *depth;              /* by node */
    assay_metric_id time, weight; /* what is written as time; as weight of samples, 0 = none */
    double ns;                    /* in one of `time`; 1000 where it is no time */
    bool is_time;
    VEC(struct write_span) spans;
    VEC(struct write_span) open;
    uint64_t async; /* ids of async events so far */
    uint64_t misplaced, moved, fractions, negative;
};

/* "pid" and "tid" of a stream. */
void write_place(struct writer *w, assay_stream_id stream, bool has_tid);
/* ns as microseconds. */
void write_time(struct writer *w, const char *key, int64_t ns);
/* traceEvents. With out NULL they are only looked at. */
int write_events(struct writer *w);
/* samples of all streams. */
int write_samples(struct writer *w);

#endif

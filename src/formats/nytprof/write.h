/* Between the files that write a profile as a NYTProf 5.0 stream (docs/formats/nytprof.md, "Writing"). */
#ifndef FORMATS_NYTPROF_WRITE_H
#define FORMATS_NYTPROF_WRITE_H

#include "base/arena.h"
#include "base/vec.h"
#include "formats/format.h"
#include "formats/nytprof/encode.h"
#include "model/entry.h"

/* A statement that was executed n times takes n events, so that a few bytes about a loop would become gigabytes. Above this many, and so many more for each
 * line, the stream is compressed, to which such runs are nothing; where it must be plain each line gets one event, whatever its hits. */
#define NYTPROF_PLAIN_EVENTS 1000000u
#define NYTPROF_PLAIN_EVENTS_EACH 100u
/* The same for a compressed stream. */
#define NYTPROF_MAX_EVENTS 50000000u

/* Ticks and calls above 32 bits take several records: at most so many in all, and so many more for each line or call. */
#define NYTPROF_MAX_SPLITS 10000u
#define NYTPROF_MAX_SPLITS_EACH 64u

struct nytprof_out_sub {
    assay_slice name; /* with a package; NULL data = not written yet */
    uint32_t first, last;
    uint64_t calls; /* of its arcs */
    double weight;  /* inclusive seconds of its arcs */
    double self;    /* exclusive seconds */
    double held;    /* of these, what its arcs say they have */
};

/* Called, but how often is not known: its arcs have all that it costs. */
static inline bool nytprof_is_uncounted(const struct nytprof_out_sub *s) { return s->calls == 0 && s->weight > 0; }

struct nytprof_losses {
    uint64_t names, hits, saturated, calls;
};

struct nytprof_writer {
    const assay_profile *p;
    const struct write_job *job;
    struct mem *mem;
    assay_error *err;
    struct nytprof_encoder *e; /* borrowed */
    const struct assay_graph *graph;
    const struct assay_lines *lines;
    const struct assay_funcs *funcs;
    const struct assay_files *files;
    bool is_own; /* the profile came from this format */

    double ticks_per_sec;
    assay_metric_id no_time; /* that is written though it is no time; 0 = none */
    uint32_t graph_k;        /* which metric of the block is written */
    double to_seconds;
    enum assay_type graph_type;
    uint32_t line_k;
    double to_ticks;
    enum assay_type line_type;
    bool has_lines, has_costs, has_graph;

    uint32_t *fid;      /* by file id */
    uint32_t *fid_file; /* by fid: file id; 0 = the file that stands for unknown ones */
    uint32_t fid_count;
    struct nytprof_out_sub *subs; /* by function id */
    struct arena text;
    bool packs;
    bool one_event;      /* too many hits */
    uint64_t most_hits;  /* of all lines, for which it is not */
    uint64_t most_ticks; /* of one line */
    uint64_t most_calls; /* of one site */
    struct nytprof_losses lost;
    double line_seconds, sub_seconds;
};

/* write_plan.c. Errors: MEMORY, USAGE, UNSUPPORTED. */
int nytprof_plan(struct nytprof_writer *w);
void nytprof_plan_done(struct nytprof_writer *w);
/* Names what is lost; `w` must be planned. */
void nytprof_plan_losses(struct nytprof_writer *w);
/* The last value of an attribute of the whole profile; {NULL, 0} = none. */
assay_slice nytprof_attribute(const struct nytprof_writer *w, assay_stream_id stream, const char *key);

/* write_subs.c: SUB_INFO of all subs; which of them are xsubs and operations; SUB_CALLERS of one stream, or with `all` of every one. */
void nytprof_put_subs(struct nytprof_writer *w);
void nytprof_put_marks(struct nytprof_writer *w);
void nytprof_put_calls(struct nytprof_writer *w, assay_stream_id stream, bool all);

/* How often a function was entered that no other calls. */
static inline uint64_t nytprof_times_entered(const struct assay_graph *g, uint32_t i)
{
    return g->has_stated && g->has_stated[i] ? g->stated_calls[i] : g->sum_entered ? g->sum_entered[i] : 0;
}

/* write.c */
bool nytprof_is_packed(const char *version);
uint32_t nytprof_write_wants(const struct assay_write_options *options, const char *version);
/* SUB_INFO and SUB_CALLERS alone, with the fids of the stream that the profile was read from: ends a stream that lacks them. */
int nytprof_write_subs_only(const assay_profile *p, const struct write_job *job, struct nytprof_encoder *e, assay_error *err);

/* The ticks of a line, before most_ticks is looked at. */
int64_t nytprof_ticks(const struct nytprof_writer *w, assay_value v);

static inline double nytprof_number(enum assay_type type, assay_value v) { return type == ASSAY_F64 ? v.d : type == ASSAY_I64 ? (double)v.i : (double)v.u; }

#endif

/* The check, which is what collecting finds, and the dump. */
#include "base/error.h"
#include "base/number.h"
#include "base/scoped.h"
#include "base/text.h"
#include "formats/v8-cpuprofile/cpuprofile.h"

int cpuprofile_check(const struct read_job *job, struct findings *out, assay_error *err)
{
    SCOPED(cpuprofile_done) struct cpuprofile s = { .mem = job->mem };
    return cpuprofile_collect(&s, job, false, out, err);
}

int heapprofile_check(const struct read_job *job, struct findings *out, assay_error *err)
{
    SCOPED(cpuprofile_done) struct cpuprofile s = { .mem = job->mem };
    return cpuprofile_collect(&s, job, true, out, err);
}

/* ---- dump ---- */

struct dump {
    struct output *out;
    struct findings *damage;
    size_t marked;
    enum cpuprofile_kind list; /* that times belong to */
};

static void put_text(struct output *o, const char *name, assay_slice text)
{
    output_printf(o, " %s ", name);
    text_show(o, text);
}

static void put_number(struct output *o, const char *name, double v)
{
    char buf[48];
    number_put_double(buf, v);
    output_printf(o, " %s %s", name, buf);
}

static void put_frame(struct output *o, const struct cpuprofile_record *r)
{
    output_text(o, " callFrame");
    put_text(o, "functionName", r->text);
    if (r->script.len) put_text(o, "scriptId", r->script);
    put_text(o, "url", r->url);
    output_printf(o, " lineNumber %lld columnNumber %lld", (long long)r->line, (long long)r->column);
}

static void put_ids(struct output *o, const struct cpuprofile_record *r)
{
    output_text(o, " children");
    for (size_t i = 0; i < r->id_count; i++) output_printf(o, " %u", r->ids[i]);
}

static void put_sample(struct output *o, const struct cpuprofile_record *r)
{
    if (r->is_memory)
        output_printf(o, " sample size %llu nodeId %u ordinal %llu", (unsigned long long)r->count, r->id, (unsigned long long)r->ordinal);
    else
        output_printf(o, " sample %u", r->id);
}

static void put_record(struct dump *d, const struct cpuprofile_record *r)
{
    struct output *o = d->out;
    switch (r->kind) {
    case CPUPROFILE_NODES: output_text(o, " nodes"); break;
    case CPUPROFILE_NODE: output_text(o, " node"); break;
    case CPUPROFILE_ID: output_printf(o, " id %u", r->id); break;
    case CPUPROFILE_FRAME: put_frame(o, r); break;
    case CPUPROFILE_NAME: put_text(o, "functionName", r->text); break;
    case CPUPROFILE_URL: put_text(o, "url", r->text); break;
    case CPUPROFILE_LINE: output_printf(o, " lineNumber %lld", (long long)r->line); break;
    case CPUPROFILE_COLUMN: output_printf(o, " columnNumber %lld", (long long)r->column); break;
    case CPUPROFILE_DEOPT: put_text(o, "deoptReason", r->text); break;
    case CPUPROFILE_HITS: output_printf(o, " hitCount %llu", (unsigned long long)r->count); break;
    case CPUPROFILE_SIZE: output_printf(o, " selfSize %llu", (unsigned long long)r->count); break;
    case CPUPROFILE_PARENT: output_printf(o, " parent %u", r->id); break;
    case CPUPROFILE_CHILDREN: put_ids(o, r); break;
    case CPUPROFILE_TICK: output_printf(o, " positionTicks line %lld ticks %llu", (long long)r->line, (unsigned long long)r->count); break;
    case CPUPROFILE_NODE_END: output_text(o, " end of the node"); break;
    case CPUPROFILE_START: put_number(o, "startTime", r->number); break;
    case CPUPROFILE_STOP: put_number(o, "endTime", r->number); break;
    case CPUPROFILE_SAMPLES: output_text(o, " samples"); break;
    case CPUPROFILE_SAMPLE: put_sample(o, r); break;
    case CPUPROFILE_DELTAS: output_text(o, " timeDeltas"); break;
    case CPUPROFILE_TIMESTAMPS: output_text(o, " timestamps"); break;
    case CPUPROFILE_TIME: put_number(o, d->list == CPUPROFILE_DELTAS ? "delta" : "timestamp", r->number); break;
    }
}

static int dump_record(void *arg, const struct cpuprofile_record *r)
{
    struct dump *d = arg;
    findings_mark(d->damage, &d->marked, d->out);
    output_hex(d->out, r->off, 8);
    if (r->kind == CPUPROFILE_DELTAS || r->kind == CPUPROFILE_TIMESTAMPS) d->list = r->kind;
    put_record(d, r);
    output_char(d->out, '\n');
    return output_failed(d->out);
}

int cpuprofile_dump(const struct read_job *job, struct output *out, assay_error *err)
{
    SCOPED(findings_done) struct findings damage;
    findings_init(&damage, job->mem);
    struct dump d = { .out = out, .damage = &damage };
    bool is_cut;
    TRY(cpuprofile_walk(job, &damage, dump_record, &d, &is_cut, err));
    findings_mark(&damage, &d.marked, out);
    return 0;
}

/* The check, which is what collecting and settling find, and the dump. */
#include "base/error.h"
#include "base/json_read.h"
#include "base/number.h"
#include "base/scoped.h"
#include "base/text.h"
#include "formats/chrome-trace/chrome.h"

int chrome_check(const struct read_job *job, struct findings *out, assay_error *err)
{
    SCOPED(chrome_done) struct chrome c = { .mem = job->mem };
    TRY(chrome_collect(&c, job, out, err));
    return chrome_settle(&c, NULL, NULL);
}

/* ---- dump ---- */

struct dump {
    struct output *out;
    struct findings *damage;
    size_t marked;
    uint64_t events, samples;
};

static void put_text(struct output *o, const char *name, assay_slice text)
{
    if (!text.data) return;
    output_printf(o, " %s ", name);
    text_show(o, text);
}

/* ns as microseconds, all decimals that count. */
static void put_time(struct output *o, const char *name, int64_t ns)
{
    uint64_t v = ns < 0 ? 0 - (uint64_t)ns : (uint64_t)ns;
    output_printf(o, " %s %s%llu", name, ns < 0 ? "-" : "", (unsigned long long)(v / 1000));
    if (v % 1000) output_printf(o, ".%03u", (unsigned)(v % 1000));
}

static void put_event(struct dump *d, const struct chrome_record *r)
{
    output_printf(d->out, " event %llu ph ", (unsigned long long)d->events++);
    text_show(d->out, (assay_slice){ &r->ph, r->ph ? 1 : 0 });
    put_text(d->out, "name", r->name);
    put_text(d->out, "cat", r->cat);
    put_text(d->out, "pid", r->pid);
    put_text(d->out, "tid", r->tid);
    if (r->has_ts) put_time(d->out, "ts", r->ts);
    if (r->dur || r->has_dur) put_time(d->out, "dur", r->dur);
    put_text(d->out, r->is_local ? "local id" : "id", r->id);
    put_text(d->out, "scope", r->scope);
    if (!r->token_count) return;
    output_text(d->out, " args ");
    chrome_token_put(r, 0, d->out);
}

static void put_record(struct dump *d, const struct chrome_record *r)
{
    switch (r->kind) {
    case CHROME_EVENT: put_event(d, r); break;
    case CHROME_FRAME:
        put_text(d->out, "stack frame", r->frame);
        put_text(d->out, "name", r->name);
        put_text(d->out, "category", r->cat);
        put_text(d->out, "parent", r->parent);
        break;
    case CHROME_SAMPLE:
        output_printf(d->out, " sample %llu", (unsigned long long)d->samples++);
        put_text(d->out, "pid", r->pid);
        put_text(d->out, "tid", r->tid);
        if (r->has_ts) put_time(d->out, "ts", r->ts);
        put_text(d->out, "sf", r->parent);
        output_printf(d->out, " weight %lld", (long long)r->weight);
        break;
    case CHROME_TEXT:
        output_char(d->out, ' ');
        text_show(d->out, r->frame);
        output_char(d->out, ' ');
        text_show(d->out, r->text);
    }
}

/* args that are an object or array end their line themselves. */
static int dump_record(void *arg, const struct chrome_record *r)
{
    struct dump *d = arg;
    findings_mark(d->damage, &d->marked, d->out);
    output_hex(d->out, r->off, 8);
    put_record(d, r);
    if (!r->token_count || (r->tokens[0].kind != JSON_OBJECT && r->tokens[0].kind != JSON_ARRAY)) output_char(d->out, '\n');
    return output_failed(d->out);
}

int chrome_dump(const struct read_job *job, struct output *out, assay_error *err)
{
    SCOPED(findings_done) struct findings damage;
    struct chrome_walk walk = { .keeps_args = true };
    findings_init(&damage, job->mem);
    struct dump d = { .out = out, .damage = &damage };
    TRY(chrome_decode(job, &walk, &damage, dump_record, &d, err));
    findings_mark(&damage, &d.marked, out);
    return 0;
}

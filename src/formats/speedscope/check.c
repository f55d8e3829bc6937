/* The check, which is what collecting finds, and the dump. */
#include "base/error.h"
#include "base/number.h"
#include "base/scoped.h"
#include "base/text.h"
#include "formats/speedscope/speedscope.h"

int speedscope_check(const struct read_job *job, struct findings *out, assay_error *err)
{
    SCOPED(speedscope_done) struct speedscope s = { .mem = job->mem };
    return speedscope_collect(&s, job, SPEEDSCOPE_STACKS, out, err);
}

/* ---- dump ---- */

struct dump {
    struct output *out;
    struct findings *damage;
    size_t marked;
    uint64_t frames, profiles;
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

static void put_frame(struct dump *d, const struct speedscope_record *r)
{
    output_printf(d->out, " frame %llu", (unsigned long long)d->frames++);
    put_text(d->out, "name", r->text);
    if (r->file.len) put_text(d->out, "file", r->file);
    if (r->line) output_printf(d->out, " line %u", r->line);
    if (r->column) output_printf(d->out, " col %u", r->column);
}

static void put_stack(struct dump *d, const struct speedscope_record *r)
{
    output_text(d->out, " sample");
    for (size_t i = 0; i < r->frame_count; i++) output_printf(d->out, " %llu", (unsigned long long)r->frames[i]);
}

static void put_record(struct dump *d, const struct speedscope_record *r)
{
    static const char *const names[] = { [SPEEDSCOPE_NAME] = "name",        [SPEEDSCOPE_EXPORTER] = "exporter", [SPEEDSCOPE_ACTIVE] = "active",
                                         [SPEEDSCOPE_LABEL] = "name",       [SPEEDSCOPE_TYPE] = "type",         [SPEEDSCOPE_UNIT] = "unit",
                                         [SPEEDSCOPE_START] = "startValue", [SPEEDSCOPE_STOP] = "endValue",     [SPEEDSCOPE_WEIGHT] = "weight" };
    switch (r->kind) {
    case SPEEDSCOPE_FRAME: put_frame(d, r); break;
    case SPEEDSCOPE_STACK: put_stack(d, r); break;
    case SPEEDSCOPE_FRAMES: output_text(d->out, " frames"); break;
    case SPEEDSCOPE_WEIGHTS: output_text(d->out, " weights"); break;
    case SPEEDSCOPE_PROFILE: output_printf(d->out, " profile %llu", (unsigned long long)d->profiles++); break;
    case SPEEDSCOPE_PROFILE_END: output_text(d->out, " end of the profile"); break;
    case SPEEDSCOPE_OPEN:
    case SPEEDSCOPE_CLOSE:
        output_printf(d->out, " %s %llu", r->kind == SPEEDSCOPE_OPEN ? "open" : "close", (unsigned long long)r->frame);
        put_number(d->out, "at", r->number);
        break;
    case SPEEDSCOPE_ACTIVE:
    case SPEEDSCOPE_START:
    case SPEEDSCOPE_STOP:
    case SPEEDSCOPE_WEIGHT: put_number(d->out, names[r->kind], r->number); break;
    default: put_text(d->out, names[r->kind], r->text);
    }
}

static int dump_record(void *arg, const struct speedscope_record *r)
{
    struct dump *d = arg;
    findings_mark(d->damage, &d->marked, d->out);
    output_hex(d->out, r->off, 8);
    put_record(d, r);
    output_char(d->out, '\n');
    return output_failed(d->out);
}

int speedscope_dump(const struct read_job *job, struct output *out, assay_error *err)
{
    SCOPED(findings_done) struct findings damage;
    findings_init(&damage, job->mem);
    struct dump d = { .out = out, .damage = &damage };
    TRY(speedscope_walk(job, false, &damage, dump_record, &d, err));
    findings_mark(&damage, &d.marked, out);
    return 0;
}

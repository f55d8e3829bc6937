/* Prints every record of a NYTProf stream with its offset, under the names of the stream's tags. Offsets in the compressed part count from its
 * first inflated byte and have a 'z' in front. */
#include <inttypes.h>

#include "base/number.h"
#include "base/scoped.h"
#include "base/text.h"
#include "formats/nytprof/decode.h"
#include "formats/nytprof/nytprof.h"

static void put_int(struct output *out, const char *name, int64_t v)
{
    output_printf(out, " %s=", name);
    output_i64(out, v);
}

static void put_double(struct output *out, const char *name, double v)
{
    char buf[48];
    output_printf(out, " %s=", name);
    output_bytes(out, buf, number_put_double(buf, v));
}

static void put_text(struct output *out, const char *name, const struct nytprof_text *t)
{
    output_printf(out, " %s=%c", name, t->is_utf8 ? '"' : '\'');
    text_show(out, t->bytes);
    output_char(out, t->is_utf8 ? '"' : '\'');
}

static void put_time(struct output *out, const struct nytprof_record *r)
{
    put_int(out, "ticks", r->time.ticks);
    put_int(out, "fid", r->time.fid);
    put_int(out, "line", r->time.line);
    if (r->tag == NYTPROF_TIME_LINE) return;
    put_int(out, "block_line", r->time.block_line);
    put_int(out, "sub_line", r->time.sub_line);
}

static void put_file(struct output *out, const struct nytprof_file *f)
{
    put_int(out, "fid", f->fid);
    put_int(out, "eval_fid", f->eval_fid);
    put_int(out, "eval_line", f->eval_line);
    output_printf(out, " flags=0x%" PRIx32, f->flags);
    put_int(out, "size", f->size);
    put_int(out, "mtime", f->mtime);
    put_text(out, "name", &f->name);
}

static void put_return(struct output *out, const struct nytprof_return *t)
{
    put_int(out, "depth", t->depth);
    put_double(out, "incl_ticks", t->incl);
    put_double(out, "excl_ticks", t->excl);
    put_text(out, "sub", &t->name);
}

static void put_sub(struct output *out, const struct nytprof_sub *s)
{
    put_int(out, "fid", s->fid);
    put_text(out, "name", &s->name);
    put_int(out, "first_line", s->first);
    put_int(out, "last_line", s->last);
}

static void put_call(struct output *out, const struct nytprof_call *k)
{
    put_int(out, "fid", k->fid);
    put_int(out, "line", k->line);
    if (k->has_caller) put_text(out, "caller", &k->caller);
    put_int(out, "count", k->count);
    put_double(out, "incl_s", k->incl);
    put_double(out, "excl_s", k->excl);
    put_double(out, "reci_s", k->reci);
    put_int(out, "depth", k->depth);
    put_text(out, "called", &k->called);
}

static void put_process(struct output *out, const struct nytprof_record *r)
{
    put_int(out, "pid", r->process.pid);
    if (r->tag == NYTPROF_PID_START) put_int(out, "ppid", r->process.ppid);
    if (r->process.has_time) put_double(out, "time", r->process.time);
}

static void put_fields(struct output *out, const struct nytprof_record *r)
{
    switch (r->tag) {
    case NYTPROF_VERSION: output_printf(out, " %" PRIu32 " %" PRIu32, r->version.major, r->version.minor); break;
    case NYTPROF_ATTRIBUTE:
    case NYTPROF_OPTION:
    case NYTPROF_COMMENT:
        output_char(out, ' ');
        text_show(out, r->text.text);
        break;
    case NYTPROF_PID_START:
    case NYTPROF_PID_END: put_process(out, r); break;
    case NYTPROF_NEW_FID: put_file(out, &r->file); break;
    case NYTPROF_TIME_LINE:
    case NYTPROF_TIME_BLOCK: put_time(out, r); break;
    case NYTPROF_SUB_ENTRY:
        put_int(out, "fid", r->entry.fid);
        put_int(out, "line", r->entry.line);
        break;
    case NYTPROF_SUB_RETURN: put_return(out, &r->ret); break;
    case NYTPROF_SUB_INFO: put_sub(out, &r->sub); break;
    case NYTPROF_SUB_CALLERS: put_call(out, &r->call); break;
    case NYTPROF_SRC_LINE:
        put_int(out, "fid", r->source.fid);
        put_int(out, "line", r->source.line);
        put_text(out, "text", &r->source.text);
        break;
    default: break;
    }
}

static void put_record(struct output *out, const struct nytprof_record *r)
{
    output_printf(out, "%s%08" PRIx64 " ", r->is_inflated ? "z" : "", r->off);
    if (r->tag == NYTPROF_DAMAGE)
        output_printf(out, "*** %s %s", r->damage.rule, r->damage.message);
    else if (r->tag == NYTPROF_TAIL) {
        output_printf(out, "(after the compressed part) %" PRIu64 " bytes: \"", r->tail.len);
        text_show(out, r->tail.begin);
        output_char(out, '"');
    } else {
        output_text(out, nytprof_tag_name(r->tag));
        put_fields(out, r);
    }
    output_char(out, '\n');
}

int nytprof_dump(const struct read_job *job, struct output *out, assay_error *err)
{
    SCOPED(nytprof_decoder_done) struct nytprof_decoder d = { 0 };
    struct nytprof_record r;
    int rc = 1;
    nytprof_decoder_init(&d, job->in);
    while (rc > 0 && !output_failed(out)) {
        rc = nytprof_next(&d, &r, err);
        if (rc > 0) put_record(out, &r);
    }
    return rc < 0 ? rc : 0;
}

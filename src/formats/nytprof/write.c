/* Sealed profile -> a NYTProf 5.0 stream that Devel::NYTProf loads: header, and for each process its start, statements and end; files before
 * all else, sources, subs and call sites behind the statements of the first. See docs/formats/nytprof.md, "Writing". */
#include "formats/nytprof/write.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "assay/assay.h"
#include "base/number.h"
#include "base/scoped.h"
#include "formats/nytprof/nytprof.h"

static const assay_stream_id whole = { 0 };

bool nytprof_is_packed(const char *version) { return version[0] && version[strlen(version) - 1] == 'z'; }

uint32_t nytprof_write_wants(const struct assay_write_options *options, const char *version)
{
    (void)options;
    (void)version;
    return ASSAY_WANT_SUMS | ASSAY_WANT_ARCS | ASSAY_WANT_COSTS | ASSAY_WANT_LINES;
}

/* ---- header ---- */

static void put_line(struct nytprof_writer *w, char tag, const char *key, const char *otherwise)
{
    char name[64];
    snprintf(name, sizeof name, "%s%s", tag == NYTPROF_OPTION ? "!" : "", key);
    assay_slice value = nytprof_attribute(w, whole, name);
    if (!value.data || memchr(value.data, '\n', value.len)) value = slice_of(otherwise);
    nytprof_encode_line(w->e, tag, slice_of(key), value);
}

static assay_slice application(const struct nytprof_writer *w)
{
    assay_slice cmd = nytprof_attribute(w, whole, "cmd");
    return cmd.len && !memchr(cmd.data, '\n', cmd.len) ? cmd : SLICE("-");
}

static void put_attributes(struct nytprof_writer *w, double start)
{
    char base[32], ticks[48], app[512];
    assay_slice name = application(w);
    snprintf(base, sizeof base, "%.0f", floor(start));
    ticks[number_put_double(ticks, w->ticks_per_sec)] = '\0';
    snprintf(app, sizeof app, "%.*s", (int)(name.len < 500 ? name.len : 500), name.data);
    put_line(w, NYTPROF_ATTRIBUTE, "basetime", base);
    put_line(w, NYTPROF_ATTRIBUTE, "application", app);
    put_line(w, NYTPROF_ATTRIBUTE, "perl_version", "0");
    nytprof_encode_line(w->e, NYTPROF_ATTRIBUTE, SLICE("nv_size"), SLICE("8"));
    put_line(w, NYTPROF_ATTRIBUTE, "xs_version", "6.12");
    put_line(w, NYTPROF_ATTRIBUTE, "PL_perldb", "0");
    put_line(w, NYTPROF_ATTRIBUTE, "clock_id", "1");
    nytprof_encode_line(w->e, NYTPROF_ATTRIBUTE, SLICE("ticks_per_sec"), slice_of(ticks));
}

static void put_options(struct nytprof_writer *w, bool packs)
{
    static const char *const options[][2] = {
        { "usecputime", "0" }, { "subs", "1" },      { "blocks", "0" },    { "leave", "1" },        { "expand", "0" },  { "trace", "0" },
        { "use_db_sub", "0" }, { "compress", NULL }, { "clock", "1" },     { "stmts", "1" },        { "slowops", "2" }, { "findcaller", "0" },
        { "forkdepth", "-1" }, { "perldb", "0" },    { "nameevals", "1" }, { "nameanonsubs", "1" }, { "calls", NULL },  { "evals", "0" },
    };
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        const char *key = options[i][0], *value = options[i][1];
        if (slice_is(slice_of(key), "compress"))
            nytprof_encode_line(w->e, NYTPROF_OPTION, slice_of(key), packs ? SLICE("6") : SLICE("0"));
        else if (!value || slice_is(slice_of(key), "blocks")) /* there are no returns and no blocks, whatever the profile had */
            nytprof_encode_line(w->e, NYTPROF_OPTION, slice_of(key), SLICE("0"));
        else
            put_line(w, NYTPROF_OPTION, key, value);
    }
}

static void put_header(struct nytprof_writer *w, double start, bool packs)
{
    char text[80];
    assay_slice comment = nytprof_attribute(w, whole, "#");
    const struct assay_attributes *a = assay_profile_attributes(w->p);
    for (uint32_t i = 0; w->is_own && i < a->count; i++)
        if (slice_is(assay_profile_string(w->p, a->key[i]), "#")) {
            comment = assay_profile_string(w->p, a->value[i]);
            break;
        }
    if (!w->is_own || !comment.len) {
        snprintf(text, sizeof text, "Perl profile database. Written by assay %s", assay_version());
        comment = slice_of(text);
    }
    nytprof_encode(w->e, &(struct nytprof_record){ .tag = NYTPROF_VERSION });
    nytprof_encode_line(w->e, NYTPROF_COMMENT, (assay_slice){ NULL, 0 }, comment);
    put_attributes(w, start);
    put_options(w, packs);
}

/* ---- files ---- */

static void put_files(struct nytprof_writer *w)
{
    for (uint32_t fid = 1; fid <= w->fid_count; fid++) {
        uint32_t file = w->fid_file[fid], parent = file ? ID(w->files->parent, file) : 0;
        struct nytprof_record r = { .tag = NYTPROF_NEW_FID, .file = { .fid = fid, .name = { SLICE("unknown"), false } } };
        struct nytprof_file *f = &r.file;
        if (!file)
            f->flags = NYTPROF_IS_FAKE;
        else {
            bool has_source = ID(w->files->source, file);
            f->name.bytes = assay_profile_string(w->p, w->files->path[file]);
            f->flags = w->is_own ? AT(w->files->flags, file) : has_source ? NYTPROF_HAS_SRC | NYTPROF_SAVE_SRC : 0;
            f->eval_fid = parent && w->fid[parent] < fid ? w->fid[parent] : 0;
            f->eval_line = f->eval_fid ? AT(w->files->parent_line, file) : 0;
        }
        nytprof_encode(w->e, &r);
    }
}

static void put_source(struct nytprof_writer *w, uint32_t fid, assay_slice text)
{
    struct nytprof_record r = { .tag = NYTPROF_SRC_LINE, .source = { .fid = fid } };
    while (text.len) {
        const char *end = memchr(text.data, '\n', text.len);
        size_t len = end ? (size_t)(end - text.data) + 1 : text.len;
        r.source.line++;
        r.source.text = (struct nytprof_text){ { text.data, len }, false };
        nytprof_encode(w->e, &r);
        text.data += len;
        text.len -= len;
    }
}

static void put_sources(struct nytprof_writer *w)
{
    for (uint32_t fid = 1; fid <= w->fid_count; fid++) {
        uint32_t file = w->fid_file[fid];
        if (file && ID(w->files->source, file)) put_source(w, fid, assay_profile_string(w->p, w->files->source[file]));
    }
}

/* ---- statements ---- */

/* Ticks have 32 bits: more of them take several events, of which the first counts. */
static void put_statement(struct nytprof_writer *w, uint32_t fid, uint32_t line, int64_t ticks, uint64_t hits)
{
    struct nytprof_record r = { .tag = NYTPROF_TIME_LINE, .time = { .fid = fid, .line = line } }, discount = { .tag = NYTPROF_DISCOUNT };
    bool counts = hits > 0;
    do {
        int64_t part = ticks > INT32_MAX ? INT32_MAX : ticks < INT32_MIN ? INT32_MIN : ticks;
        if (!counts) nytprof_encode(w->e, &discount);
        r.time.ticks = (int32_t)part;
        nytprof_encode(w->e, &r);
        ticks -= part;
        counts = false;
    } while (ticks);
    r.time.ticks = 0;
    for (uint64_t i = 1; i < hits && !w->one_event && !output_failed(w->e->out); i++) nytprof_encode(w->e, &r);
}

static int64_t ticks_of(const struct nytprof_writer *w, assay_value v)
{
    int64_t ticks = nytprof_ticks(w, v), most = (int64_t)w->most_ticks;
    return ticks > most ? most : ticks < -most ? -most : ticks;
}

static void put_lines(struct nytprof_writer *w, assay_stream_id stream)
{
    const struct assay_lines *t = w->lines;
    const struct assay_graph *g = w->graph;
    for (uint32_t i = 0; w->has_lines && i < t->count && !output_failed(w->e->out); i++) {
        if (AT(t->level, i) != ASSAY_LEVEL_LINE || ID(t->stream, i) != stream.v) continue;
        int64_t ticks = t->self ? ticks_of(w, t->self[(size_t)i * t->block.metric_count + w->line_k]) : 0;
        put_statement(w, w->fid[ID(t->file, i)], AT(t->line, i), ticks, AT(t->hits, i));
    }
    for (uint32_t i = 0; w->has_costs && i < g->cost_count; i++) {
        uint32_t file = ID(g->cost_file, i), line = AT(g->cost_line, i);
        if (!file || !line || ID(g->cost_stream, i) != stream.v) continue;
        put_statement(w, w->fid[file], line, ticks_of(w, g->cost_self[(size_t)i * g->block.metric_count + w->graph_k]), 1);
    }
}

/* ---- processes ---- */

static double number_attribute(const struct nytprof_writer *w, assay_stream_id stream, const char *key, double otherwise)
{
    double v;
    assay_slice s = nytprof_attribute(w, stream, key);
    return s.len && number_double(s, &v) == NUMBER_OK && isfinite(v) ? v : otherwise;
}

/* SOURCE_DATE_EPOCH, else a time of day that anybody sees to be made up. */
static double default_start(void)
{
    double v;
    const char *epoch = getenv("SOURCE_DATE_EPOCH");
    return epoch && number_double(slice_of(epoch), &v) == NUMBER_OK && v >= 1e9 && v <= 4e9 ? v : 1e9;
}

static void put_process(struct nytprof_writer *w, char tag, assay_stream_id stream, double time)
{
    double pid = number_attribute(w, stream, "pid", stream.v ? stream.v : 1), ppid = number_attribute(w, stream, "ppid", 0);
    struct nytprof_record r = { .tag = tag, .process = { .has_time = true, .time = time } };
    r.process.pid = pid >= 0 && pid <= UINT32_MAX ? (uint32_t)pid : 1;
    r.process.ppid = ppid >= 0 && ppid <= UINT32_MAX ? (uint32_t)ppid : 0;
    nytprof_encode(w->e, &r);
}

static void put_tables(struct nytprof_writer *w)
{
    put_line(w, NYTPROF_ATTRIBUTE, "cumulative_overhead_ticks", "0");
    put_sources(w);
    nytprof_put_subs(w);
    nytprof_put_marks(w);
}

static void put_stream(struct nytprof_writer *w, assay_stream_id stream, bool is_first)
{
    double start = number_attribute(w, stream, "start", default_start());
    double least = w->line_seconds > w->sub_seconds ? w->line_seconds : w->sub_seconds;
    double end = number_attribute(w, stream, "end", start + (least > 0 && least < 1e9 ? least : 0));
    put_process(w, NYTPROF_PID_START, stream, start);
    if (is_first) put_files(w);
    put_lines(w, stream);
    if (is_first) put_tables(w);
    nytprof_put_calls(w, stream, false);
    put_process(w, NYTPROF_PID_END, stream, end);
}

static int put_all(struct nytprof_writer *w)
{
    uint32_t streams = assay_profile_streams(w->p)->count;
    put_header(w, number_attribute(w, (assay_stream_id){ streams ? 1 : 0 }, "start", default_start()), w->packs);
    if (w->packs) TRY(nytprof_encode_deflate(w->e, w->err));
    for (uint32_t s = 1; s <= streams; s++) put_stream(w, (assay_stream_id){ s }, s == 1);
    if (!streams)
        put_stream(w, whole, true);
    else { /* what belongs to no process stands behind all of them, as nytprofmerge does it */
        put_lines(w, whole);
        nytprof_put_calls(w, whole, false);
    }
    nytprof_encode_end(w->e);
    return 0;
}

/* ---- entry points ---- */

int nytprof_write(const assay_profile *p, const struct write_job *job, struct output *out, assay_error *err)
{
    SCOPED(nytprof_plan_done) struct nytprof_writer w = { .p = p, .job = job, .mem = job->mem, .err = err };
    TRY(nytprof_plan(&w));
    nytprof_plan_losses(&w);
    TRY(losses_settle(job, err));
    w.e = mem_alloc(job->mem, sizeof *w.e); /* its room is too large for a stack */
    if (!w.e) return error_memory(err);
    mem_scoped(job->mem, w.e, sizeof *w.e);
    nytprof_encoder_init(w.e, out, job->mem);
    int rc = put_all(&w);
    nytprof_encoder_done(w.e);
    return rc;
}

int nytprof_write_subs_only(const assay_profile *p, const struct write_job *job, struct nytprof_encoder *e, assay_error *err)
{
    SCOPED(nytprof_plan_done) struct nytprof_writer w = { .p = p, .job = job, .mem = job->mem, .err = err, .e = e };
    TRY(nytprof_plan(&w));
    nytprof_put_subs(&w);
    nytprof_put_marks(&w);
    nytprof_put_calls(&w, whole, true);
    return 0;
}

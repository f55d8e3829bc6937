/* Checks a NYTProf stream: the rules N01 to N44 of docs/formats/nytprof.md. The decoder finds what concerns a single record; here and in
 * check_files.c and check_subs.c stands what can only be judged over several. */
#include "formats/nytprof/check.h"

#include <inttypes.h>
#include <math.h>

#include "base/number.h"
#include "base/plural.h"
#include "base/scoped.h"
#include "formats/nytprof/nytprof.h"

/* ---- options and attributes ---- */

static void take_option(struct nytprof_checker *c, const struct nytprof_record *r)
{
    static const char *const names[] = { "calls", "blocks", "compress", "stmts", "subs" };
    int64_t *const values[] = { &c->calls, &c->blocks, &c->compress, &c->stmts, &c->subs };
    int64_t v;
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (slice_is(r->text.key, names[i]) && number_i64(r->text.value, &v) == NUMBER_OK) *values[i] = v;
    bool is_off = slice_is(r->text.value, "0");
    if (is_off && slice_is(r->text.key, "stmts")) findings_add(c->out, "N35", ASSAY_INFO, r->off, 0, "stmts=0: statement times were turned off");
    if (is_off && slice_is(r->text.key, "subs")) findings_add(c->out, "N35", ASSAY_INFO, r->off, 0, "subs=0: calls of subs were turned off");
}

static void take_attribute(struct nytprof_checker *c, const struct nytprof_record *r)
{
    double v = 0;
    if (!slice_is(r->text.key, "ticks_per_sec")) return;
    c->has_tps = number_double(r->text.value, &v) == NUMBER_OK && v > 0 && isfinite(v);
    c->ticks_per_sec = c->has_tps ? v : 0;
    if (!c->has_tps) findings_add(c->out, "N07", ASSAY_ERROR, r->off, 0, "ticks_per_sec is not a number above 0");
}

/* ---- processes ---- */

static int start_process(struct nytprof_checker *c, const struct nytprof_record *r)
{
    struct nytprof_check_process *p = vec_push(c->mem, &c->processes);
    if (!p) return ASSAY_ERR_MEMORY;
    *p = (struct nytprof_check_process){ r->process.pid, true, r->process.has_time, r->process.time };
    nytprof_check_returns_end(c, r->off);
    c->running++;
    return 0;
}

static void end_process(struct nytprof_checker *c, const struct nytprof_record *r)
{
    struct nytprof_check_process *p = NULL;
    for (size_t i = c->processes.len; i-- > 0 && !p;)
        if (c->processes.at[i].pid == r->process.pid && c->processes.at[i].is_open) p = &c->processes.at[i];
    nytprof_check_returns_end(c, r->off);
    if (!p) {
        findings_add(c->out, "N17", ASSAY_WARNING, r->off, 0, "process %" PRIu32 " ends, but was not started", r->process.pid);
        return;
    }
    p->is_open = false;
    c->running--;
    if (!p->has_time || !r->process.has_time) return;
    double took = r->process.time - p->start;
    if (took < 0) findings_add(c->out, "N38", ASSAY_WARNING, r->off, 0, "process %" PRIu32 " ends %g s before it starts", r->process.pid, -took);
    c->duration += took;
    c->has_duration = true;
}

/* ---- records ---- */

static void check_outside(struct nytprof_checker *c, uint64_t off)
{
    if (c->running || c->said_outside) return;
    c->said_outside = true;
    findings_add(c->out, "N18", ASSAY_WARNING, off, 0,
                 c->processes.len ? "records after the end of the last process" : "records before the first process starts");
}

static int check_times(struct nytprof_checker *c, const struct nytprof_record *r)
{
    const struct nytprof_time *t = &r->time;
    check_outside(c, r->off);
    c->discounts = 0;
    c->ticks += t->ticks;
    if (!c->has_tps && !c->missed_tps) findings_add(c->out, "N07", ASSAY_ERROR, r->off, 0, "the first time comes before a valid ticks_per_sec");
    c->missed_tps |= !c->has_tps;
    if (t->ticks < 0) findings_add(c->out, "N25", ASSAY_WARNING, r->off, 0, "%" PRId32 " ticks: time went backwards", t->ticks);
    if (t->line == 0) findings_add(c->out, "N28", ASSAY_WARNING, r->off, 0, "a time on line 0");
    nytprof_check_line(c, t->line, r->off);
    if (r->tag == NYTPROF_TIME_BLOCK && c->blocks == 0 && !c->said_blocks) {
        c->said_blocks = true;
        findings_add(c->out, "N34", ASSAY_WARNING, r->off, 0, "times of blocks, although the options say blocks=0");
    }
    return nytprof_check_uses(c, t->fid, r->off);
}

static void check_calls_option(struct nytprof_checker *c, const struct nytprof_record *r)
{
    check_outside(c, r->off);
    if (c->calls != 0 || c->said_calls) return;
    c->said_calls = true;
    findings_add(c->out, "N34", ASSAY_WARNING, r->off, 0, "entries or returns of subs, although the options say calls=0");
}

static void check_tail(struct nytprof_checker *c, const struct nytprof_record *r)
{
    if (r->tail.len == 0)
        findings_add(c->out, "N15", ASSAY_INFO, r->off, 0, "nothing follows the compressed part: the writer stopped there, or it is not Devel::NYTProf");
    else if (!r->tail.is_comment)
        findings_add(c->out, "N14", ASSAY_WARNING, r->off, 0, "%" PRIu64 " byte%s after the compressed part, not a comment", r->tail.len, plural(r->tail.len));
}

static int check_entry(struct nytprof_checker *c, const struct nytprof_record *r)
{
    check_calls_option(c, r);
    nytprof_check_entry(c);
    nytprof_check_line(c, r->entry.line, r->off);
    return r->entry.fid ? nytprof_check_uses(c, r->entry.fid, r->off) : 0;
}

int nytprof_checker_take(struct nytprof_checker *c, const struct nytprof_record *r)
{
    if (r->is_wide) findings_add(c->out, "N29", ASSAY_WARNING, r->off, 0, "an integer of %s is longer than it needs to be", nytprof_tag_name(r->tag));
    switch (r->tag) {
    case NYTPROF_ATTRIBUTE: take_attribute(c, r); return 0;
    case NYTPROF_OPTION: take_option(c, r); return 0;
    case NYTPROF_START_DEFLATE:
        if (c->compress == 0) findings_add(c->out, "N34", ASSAY_WARNING, r->off, 0, "a compressed part, although the options say compress=0");
        return 0;
    case NYTPROF_PID_START: return start_process(c, r);
    case NYTPROF_PID_END: end_process(c, r); return 0;
    case NYTPROF_NEW_FID: return nytprof_check_file(c, r);
    case NYTPROF_TIME_LINE:
    case NYTPROF_TIME_BLOCK: return check_times(c, r);
    case NYTPROF_DISCOUNT:
        if (c->discounts++ == 1) findings_add(c->out, "N24", ASSAY_WARNING, r->off, 0, "several DISCOUNT in a row");
        return 0;
    case NYTPROF_SUB_ENTRY: return check_entry(c, r);
    case NYTPROF_SUB_RETURN: check_calls_option(c, r); return nytprof_check_return(c, r);
    case NYTPROF_SUB_INFO: check_outside(c, r->off); return nytprof_check_sub(c, r);
    case NYTPROF_SUB_CALLERS: check_outside(c, r->off); return nytprof_check_call(c, r);
    case NYTPROF_SRC_LINE: check_outside(c, r->off); return nytprof_check_source(c, r);
    case NYTPROF_TAIL: check_tail(c, r); return 0;
    case NYTPROF_DAMAGE:
        c->is_cut |= r->damage.is_fatal;
        findings_add(c->out, r->damage.rule, r->damage.severity, r->off, 0, "%s", r->damage.message);
        return 0;
    default: return 0;
    }
}

/* ---- the whole ---- */

void nytprof_checker_end(struct nytprof_checker *c)
{
    uint64_t end = nytprof_off(c->d);
    if (c->is_cut && c->d->version.major == 0) return; /* the first line is wrong: nothing else was looked at */
    for (size_t i = 0; i < c->processes.len; i++) {
        if (!c->processes.at[i].is_open) continue;
        c->is_cut = true;
        findings_add(c->out, "N16", ASSAY_ERROR, end, 0, "process %" PRIu32 " has no end record: the profile is incomplete", c->processes.at[i].pid);
    }
    if (c->running) nytprof_check_returns_end(c, end);
    nytprof_check_files_end(c);
    nytprof_check_subs_end(c);
    double sum = c->has_tps ? c->ticks / c->ticks_per_sec : 0;
    if (c->has_duration && sum > 1.1 * c->duration && !c->is_cut)
        findings_add(c->out, "N30", ASSAY_WARNING, FINDING_NO_OFFSET, 0, "the statements take %g s, but the processes ran for only %g s", sum, c->duration);
}

void nytprof_checker_init(struct nytprof_checker *c, const struct nytprof_decoder *d, struct findings *out, struct mem *mem)
{
    *c = (struct nytprof_checker){ .mem = mem, .out = out, .d = d, .calls = -1, .blocks = -1, .compress = -1, .stmts = -1, .subs = -1 };
    index_init(&c->fid_index, mem);
    index_init(&c->source_index, mem);
    intern_init(&c->names, mem);
}

void nytprof_checker_done(struct nytprof_checker *c)
{
    vec_done(c->mem, &c->fids, &c->named, &c->source_keys, &c->processes, &c->depths);
    index_done(&c->fid_index);
    index_done(&c->source_index);
    intern_done(&c->names);
}

int nytprof_check(const struct read_job *job, struct findings *out, assay_error *err)
{
    SCOPED(nytprof_decoder_done) struct nytprof_decoder d = { 0 };
    SCOPED(nytprof_checker_done) struct nytprof_checker c = { 0 };
    struct nytprof_record r;
    int rc;
    nytprof_decoder_init(&d, job->in);
    nytprof_checker_init(&c, &d, out, job->mem);
    if (input_packing(job->in) != INPUT_PLAIN)
        findings_add(out, "N40", ASSAY_INFO, FINDING_NO_OFFSET, 0, "the whole file is compressed with %s, which Devel::NYTProf cannot read",
                     input_packing_name(input_packing(job->in)));
    while ((rc = nytprof_next(&d, &r, err)) > 0)
        if (nytprof_checker_take(&c, &r) != 0) {
            rc = error_memory(err);
            break;
        }
    if (rc == 0) nytprof_checker_end(&c);
    return rc;
}

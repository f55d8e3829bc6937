/* Records of a NYTProf stream -> tables -> a profile; see read.h. One pass, and a second one only to salvage the calls of a stream that was
 * cut before its call sites (tree.h). */
#include "formats/nytprof/read.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/number.h"
#include "formats/nytprof/check.h"
#include "formats/nytprof/nytprof.h"
#include "formats/nytprof/tree.h"

void nytprof_warn(struct nytprof_reader *r, const char *rule, int severity, uint64_t off, const char *fmt, ...)
{
    char message[NYTPROF_MESSAGE_LEN];
    va_list args;
    va_start(args, fmt);
    vsnprintf(message, sizeof message, fmt, args);
    va_end(args);
    findings_add(&r->damage, rule, severity, off, 0, "%s", message);
}

/* ---- rows ---- */

struct nytprof_fid *nytprof_fid_find(const struct nytprof_reader *r, uint32_t fid)
{
    /* Fids are given out in order: nearly always the row has that number. */
    if (fid - 1 < r->fids.len && r->fids.at[fid - 1].fid == fid) return &r->fids.at[fid - 1];
    for (struct index_walk w = index_walk(&r->fid_index, hash_mix(0, fid)); index_next(&r->fid_index, &w);)
        if (r->fids.at[w.id - 1].fid == fid) return &r->fids.at[w.id - 1];
    return NULL;
}

struct nytprof_fid *nytprof_fid_row(struct nytprof_reader *r, uint32_t fid, uint64_t off)
{
    struct nytprof_fid *f = nytprof_fid_find(r, fid);
    if (f) return f;
    f = vec_push(r->mem, &r->fids);
    if (!f) return NULL;
    *f = (struct nytprof_fid){ .fid = fid, .off = off };
    if (!index_add(&r->fid_index, hash_mix(0, fid), (uint32_t)r->fids.len)) {
        r->fids.len--;
        return NULL;
    }
    return f;
}

uint32_t nytprof_sub_id(struct nytprof_reader *r, assay_slice name)
{
    assay_str_id text = assay_build_string(r->b, name.data, name.len);
    assay_func_id f = assay_build_func(r->b, text, (assay_file_id){ 0 }, (assay_module_id){ 0 }, 0, 0);
    while (f.v && r->subs.len <= f.v) {
        struct nytprof_sub_row *row = vec_push(r->mem, &r->subs);
        if (!row) return 0;
        *row = (struct nytprof_sub_row){ .name = text, .is_core = nytprof_is_core(name) };
        if (!nytprof_know_anon(r, row, name)) return 0;
    }
    return f.v;
}

assay_stream_id nytprof_stream(const struct nytprof_reader *r, uint32_t process)
{
    return process && r->processes.len > 1 ? r->processes.at[process - 1].stream : (assay_stream_id){ 0 };
}

static bool same_arc(const struct nytprof_arc *a, const struct nytprof_arc *k)
{
    return a->callee == k->callee && a->caller == k->caller && a->line == k->line && a->fid == k->fid && a->process == k->process;
}

static uint64_t arc_hash(const struct nytprof_arc *a)
{
    /* mixed one after another: numbers of subs and of their evals grow side by side */
    return hash_mix(hash_mix(hash_mix(a->process, (uint64_t)a->callee << 32 | a->caller), a->fid), a->line);
}

int nytprof_add_arc(struct nytprof_reader *r, const struct nytprof_arc *arc, assay_error *err)
{
    uint64_t hash = arc_hash(arc);
    struct nytprof_arc *a = NULL;
    for (struct index_walk w = index_walk(&r->arc_index, hash); !a && index_next(&r->arc_index, &w);)
        if (same_arc(&r->arcs.at[w.id - 1], arc)) a = &r->arcs.at[w.id - 1];
    if (!a) {
        a = vec_push(r->mem, &r->arcs);
        if (!a || !index_add(&r->arc_index, hash, (uint32_t)r->arcs.len)) return error_memory(err);
        *a = *arc;
        return 0;
    }
    a->count += arc->count;
    a->incl += arc->incl;
    a->excl += arc->excl;
    a->reci += arc->reci;
    if (arc->depth > a->depth) a->depth = arc->depth;
    return 0;
}

/* ---- times ---- */

/* A sum that would leave 64 bits stays at the limit, which N46 tells. Ticks of a record have 32 bits, so that takes 2^31 records of a hostile stream. */
static inline void add_ticks(struct nytprof_reader *r, int64_t *sum, int32_t ticks)
{
    if (__builtin_expect(!__builtin_add_overflow(*sum, ticks, sum), 1)) return;
    *sum = ticks < 0 ? INT64_MIN : INT64_MAX;
    r->is_saturated = true;
}

static inline bool add_row(struct nytprof_reader *r, int level, uint32_t fid, uint32_t line, int32_t ticks, bool counts)
{
    struct nytprof_row *row = nytprof_lines_row(&r->lines[level], fid, line);
    if (!row) return false;
    row->process = r->process;
    row->hits += counts;
    add_ticks(r, &row->ticks, ticks);
    return true;
}

static inline int add_time(struct nytprof_reader *r, const struct nytprof_record *rec, assay_error *err)
{
    const struct nytprof_time *t = &rec->time;
    bool counts = r->pending_discounts == 0;
    r->pending_discounts = 0;
    r->measured++;
    r->hits += counts;
    r->negative += t->ticks < 0;
    add_ticks(r, &r->ticks, t->ticks);
    r->missed_tps |= !r->has_tps;
    if (!(r->want & ASSAY_WANT_LINES)) return 0;
    if (!add_row(r, ASSAY_LEVEL_LINE, t->fid, t->line, t->ticks, counts)) return error_memory(err);
    if (rec->tag == NYTPROF_TIME_LINE) return 0;
    bool ok = add_row(r, ASSAY_LEVEL_BLOCK, t->fid, t->block_line, t->ticks, counts) && add_row(r, ASSAY_LEVEL_SUB, t->fid, t->sub_line, t->ticks, counts);
    return ok ? 0 : error_memory(err);
}

/* ---- headers ---- */

static void take_line(struct nytprof_reader *r, const struct nytprof_record *rec)
{
    char key[256];
    const struct nytprof_line *t = &rec->text;
    assay_stream_id whole = { 0 };
    if (rec->tag == NYTPROF_COMMENT) {
        assay_build_attribute(r->b, whole, "#", 1, t->text.data, t->text.len);
        return;
    }
    if (!t->has_key) return;
    if (rec->tag == NYTPROF_OPTION) {
        int len = snprintf(key, sizeof key, "!%.*s", (int)(t->key.len < 250 ? t->key.len : 250), t->key.data);
        assay_build_attribute(r->b, whole, key, (size_t)len, t->value.data, t->value.len);
        return;
    }
    assay_build_attribute(r->b, whole, t->key.data, t->key.len, t->value.data, t->value.len);
    if (slice_is(t->key, "ticks_per_sec")) {
        double v = 0;
        r->has_tps = number_double(t->value, &v) == NUMBER_OK && v > 0 && isfinite(v);
        r->ticks_per_sec = r->has_tps ? v : 0;
        if (!r->has_tps) nytprof_warn(r, "N07", ASSAY_ERROR, rec->off, "ticks_per_sec is not a number above 0");
    }
    if (slice_is(t->key, "xs_version"))
        snprintf(r->producer, sizeof r->producer, "Devel::NYTProf %.*s", (int)(t->value.len < 40 ? t->value.len : 40), t->value.data);
}

/* ---- processes ---- */

static int start_process(struct nytprof_reader *r, const struct nytprof_record *rec, assay_error *err)
{
    const struct nytprof_process *p = &rec->process;
    struct nytprof_process_row *row = vec_push(r->mem, &r->processes);
    char label[24];
    if (!row) return error_memory(err);
    *row = (struct nytprof_process_row){ .pid = p->pid, .ppid = p->ppid, .has_time = p->has_time, .start = p->time, .off = rec->off, .is_open = true };
    size_t count = r->processes.len;
    for (size_t i = count == 2 ? 0 : count - 1; count > 1 && i < count; i++) {
        snprintf(label, sizeof label, "process %" PRIu32, r->processes.at[i].pid);
        r->processes.at[i].stream = assay_build_stream(r->b, label);
        assay_build_tuple(r->b, "PROCESS", i, r->processes.at[i].pid, 0);
    }
    if (count > 1) {
        TRY(nytprof_book_lines(r, (uint32_t)count - 1));
        if (r->tree) TRY(nytprof_tree_end_process(r->tree, r, (uint32_t)count - 1, err));
    }
    r->process = (uint32_t)count;
    return assay_builder_failed(r->b);
}

/* The latest start of this pid that is still open. */
static void end_process(struct nytprof_reader *r, const struct nytprof_process *p)
{
    for (size_t i = r->processes.len; i-- > 0;) {
        struct nytprof_process_row *row = &r->processes.at[i];
        if (row->pid != p->pid || !row->is_open) continue;
        row->is_open = false;
        row->has_end = p->has_time;
        row->end = p->time;
        break;
    }
    r->process = 0;
}

/* ---- files, subs, sources ---- */

static int define_file(struct nytprof_reader *r, const struct nytprof_record *rec, assay_error *err)
{
    const struct nytprof_file *f = &rec->file;
    struct nytprof_fid *row = nytprof_fid_row(r, f->fid, rec->off);
    if (!row) return error_memory(err);
    assay_str_id name = assay_build_string(r->b, f->name.bytes.data, f->name.bytes.len);
    if (row->is_defined && (row->name.v != name.v || row->eval_fid != f->eval_fid || row->eval_line != f->eval_line))
        nytprof_warn(r, "N20", ASSAY_WARNING, rec->off, "fid %" PRIu32 " is defined again as another file; the last definition counts", f->fid);
    row->is_defined = true;
    row->name = name;
    row->off = rec->off;
    row->eval_fid = f->eval_fid;
    row->eval_line = f->eval_line;
    row->flags = f->flags;
    row->size = f->size;
    row->mtime = f->mtime;
    return assay_builder_failed(r->b);
}

static int define_sub(struct nytprof_reader *r, const struct nytprof_record *rec, assay_error *err)
{
    const struct nytprof_sub *s = &rec->sub;
    uint32_t id = nytprof_sub_id(r, s->name.bytes);
    struct nytprof_fid *f = s->fid ? nytprof_fid_row(r, s->fid, rec->off) : NULL;
    if (!id) return assay_builder_failed(r->b) ? assay_builder_failed(r->b) : error_memory(err);
    if (s->fid && !f) return error_memory(err);
    if (f) f->has_subs = true;
    struct nytprof_sub_row *row = &r->subs.at[id];
    row->is_listed = true;
    if (row->has_info && row->fid && row->fid <= s->fid) return 0;
    row->has_info = true;
    row->fid = s->fid;
    row->first = s->first;
    row->last = s->last;
    return 0;
}

static int add_call(struct nytprof_reader *r, const struct nytprof_record *rec, assay_error *err)
{
    const struct nytprof_call *k = &rec->call;
    uint32_t callee = nytprof_sub_id(r, k->called.bytes), caller = k->caller.bytes.len ? nytprof_sub_id(r, k->caller.bytes) : 0;
    if (!callee || (k->caller.bytes.len && !caller)) return assay_builder_failed(r->b) ? assay_builder_failed(r->b) : error_memory(err);
    struct nytprof_sub_row *row = &r->subs.at[callee];
    row->is_listed = true;
    if (k->fid == 0) row->is_marked = true;
    if (k->fid == 0 && k->count == 0) return 0;
    if (k->fid && !nytprof_fid_row(r, k->fid, rec->off)) return error_memory(err);
    r->call_count += k->count;
    struct nytprof_arc arc = { r->process, caller, callee, k->fid, k->line, k->depth, k->count, k->incl, k->excl, k->reci };
    return nytprof_add_arc(r, &arc, err);
}

/* Enough to merge evals as the original does, and the text itself where it is wanted. */
static int add_source(struct nytprof_reader *r, const struct nytprof_record *rec, assay_error *err)
{
    const struct nytprof_source *s = &rec->source;
    struct nytprof_fid *f = nytprof_fid_row(r, s->fid, rec->off);
    if (!f) return error_memory(err);
    if (s->line > f->source_lines) f->source_lines = s->line;
    f->source_len += s->text.bytes.len;
    for (size_t i = 0; i < s->text.bytes.len; i++) f->source_sum += (uint8_t)s->text.bytes.data[i];
    if (!(r->want & ASSAY_WANT_LINES)) return 0;
    struct nytprof_source_row *row = r->sources.len < UINT32_MAX ? vec_push(r->mem, &r->sources) : NULL;
    char *text = row ? arena_text(&r->source_text, s->text.bytes.len) : NULL;
    if (!text) return error_memory(err);
    if (s->text.bytes.len) memcpy(text, s->text.bytes.data, s->text.bytes.len);
    *row = (struct nytprof_source_row){ s->fid, s->line, (uint32_t)r->sources.len, (uint32_t)s->text.bytes.len, text };
    return 0;
}

/* ---- the stream ---- */

static int take_damage(struct nytprof_reader *r, const struct nytprof_record *rec, assay_error *err)
{
    const struct nytprof_damage *g = &rec->damage;
    r->is_cut |= g->is_fatal;
    if (strcmp(g->rule, "N02") == 0 || strcmp(g->rule, "N01") == 0)
        return error_at(err, g->rule[2] == '2' ? ASSAY_ERR_VERSION : ASSAY_ERR_DAMAGED, rec->off, "%s (%s)", g->message, g->rule);
    nytprof_warn(r, g->rule, g->severity, rec->off, "%s", g->message);
    return 0;
}

static int take_return(struct nytprof_reader *r, const struct nytprof_record *rec, assay_error *err)
{
    r->return_count++;
    return r->tree ? nytprof_tree_return(r->tree, r, &rec->ret, err) : 0;
}

static int take(struct nytprof_reader *r, const struct nytprof_record *rec, assay_error *err)
{
    switch (rec->tag) {
    case NYTPROF_ATTRIBUTE:
    case NYTPROF_OPTION:
    case NYTPROF_COMMENT: take_line(r, rec); return 0;
    case NYTPROF_START_DEFLATE:
        r->is_deflated = true;
        r->deflate_off = rec->off;
        return 0;
    case NYTPROF_PID_START: return start_process(r, rec, err);
    case NYTPROF_PID_END: end_process(r, &rec->process); return 0;
    case NYTPROF_NEW_FID: return define_file(r, rec, err);
    case NYTPROF_SUB_ENTRY: return r->tree ? nytprof_tree_entry(r->tree, &rec->entry, err) : 0;
    case NYTPROF_SUB_RETURN: return take_return(r, rec, err);
    case NYTPROF_SUB_INFO: return define_sub(r, rec, err);
    case NYTPROF_SUB_CALLERS: return add_call(r, rec, err);
    case NYTPROF_SRC_LINE: return add_source(r, rec, err);
    case NYTPROF_TAIL: r->tail_len = rec->tail.len; return 0;
    case NYTPROF_DAMAGE: return take_damage(r, rec, err);
    default: return 0;
    }
}

/* Strict reading: whatever check calls an error is one. */
static int refuse_errors(struct nytprof_reader *r, assay_error *err)
{
    nytprof_checker_end(r->judge);
    if (r->judged.failed) return error_memory(err);
    for (size_t i = 0; i < r->judged.list.len; i++) {
        const assay_finding *f = &r->judged.list.at[i];
        if (f->severity == ASSAY_ERROR) return error_at(err, ASSAY_ERR_DAMAGED, f->offset, "%s (%s)", f->message, f->rule);
    }
    return 0;
}

int nytprof_reader_take(struct nytprof_reader *r, assay_error *err)
{
    struct nytprof_record rec;
    int rc;
    while ((rc = nytprof_next(&r->d, &rec, err)) > 0) {
        if (r->judge && nytprof_checker_take(r->judge, &rec) != 0) return error_memory(err);
        r->events[(uint8_t)rec.tag]++;
        if (rec.tag == NYTPROF_TIME_LINE || rec.tag == NYTPROF_TIME_BLOCK)
            TRY(add_time(r, &rec, err));
        else if (rec.tag == NYTPROF_DISCOUNT) {
            if (r->pending_discounts++) nytprof_warn(r, "N24", ASSAY_WARNING, rec.off, "several DISCOUNT in a row: they count as one");
            r->discounts++;
        } else
            TRY(take(r, &rec, err));
    }
    r->end_off = nytprof_off(&r->d);
    return rc == 0 && r->judge ? refuse_errors(r, err) : rc;
}

/* ---- salvage ---- */

static bool is_incomplete(const struct nytprof_reader *r)
{
    for (size_t i = 0; i < r->processes.len; i++)
        if (r->processes.at[i].is_open) return true;
    return r->is_cut;
}

/* The returns again, from the beginning. */
static int replay_returns(struct nytprof_reader *r, assay_error *err)
{
    struct nytprof_decoder *d = &r->d;
    struct nytprof_record rec;
    uint32_t process = 0;
    nytprof_decoder_done(d);
    TRY(input_rewind(r->job->in, err));
    nytprof_decoder_init(d, r->job->in);
    r->tree = nytprof_tree_new(r, err);
    if (!r->tree) return error_memory(err);
    int rc;
    while ((rc = nytprof_next(d, &rec, err)) > 0) {
        if (rec.tag == NYTPROF_SUB_RETURN) TRY(nytprof_tree_return(r->tree, r, &rec.ret, err));
        if (rec.tag == NYTPROF_SUB_ENTRY) TRY(nytprof_tree_entry(r->tree, &rec.entry, err));
        if (rec.tag == NYTPROF_PID_START && process++) TRY(nytprof_tree_end_process(r->tree, r, process - 1, err));
    }
    return rc;
}

/* Call sites come last in a stream. When it is truncated before them the calls are known from their returns only. */
static int salvage(struct nytprof_reader *r, assay_error *err)
{
    r->arcs.len = 0;
    index_clear(&r->arc_index);
    r->is_salvaged = true;
    nytprof_warn(r, "N45", ASSAY_WARNING, FINDING_NO_OFFSET,
                 "the call sites are missing: calls and times of subs come from %" PRIu64 " returns and are lower bounds", r->return_count);
    if (!r->tree) TRY(replay_returns(r, err));
    return 0;
}

static void find_open(struct nytprof_reader *r)
{
    for (size_t i = 0; i < r->processes.len; i++)
        if (r->processes.at[i].is_open)
            nytprof_warn(r, "N16", ASSAY_ERROR, r->end_off, "process %" PRIu32 " has no end record: the profile is incomplete, all sums are lower bounds",
                         r->processes.at[i].pid);
}

static void find_undefined(struct nytprof_reader *r)
{
    if (r->is_saturated) nytprof_warn(r, "N46", ASSAY_WARNING, FINDING_NO_OFFSET, "a sum of ticks is too large for 64 bits: it is capped at the limit");
    if (r->missed_tps && !r->has_tps) nytprof_warn(r, "N07", ASSAY_ERROR, FINDING_NO_OFFSET, "ticks_per_sec is missing: times have no unit");
    for (size_t i = 0; i < r->fids.len; i++) {
        const struct nytprof_fid *f = &r->fids.at[i], *parent = f->eval_fid ? nytprof_fid_find(r, f->eval_fid) : NULL;
        if (!f->is_defined)
            nytprof_warn(r, "N19", ASSAY_ERROR, f->off, "fid %" PRIu32 " is used but never defined", f->fid);
        else if (f->eval_fid && (f->eval_fid == f->fid || !parent || !parent->is_defined))
            nytprof_warn(r, "N21", ASSAY_ERROR, f->off, "fid %" PRIu32 " is an eval of fid %" PRIu32 ", which is %s", f->fid, f->eval_fid,
                         f->eval_fid == f->fid ? "itself" : "never defined");
    }
}

/* ---- all of it ---- */

static void declare_metrics(struct nytprof_reader *r)
{
    assay_builder *b = r->b;
    bool tree = r->want & (ASSAY_WANT_TREE | ASSAY_WANT_WHOLE);
    r->stmt_time = assay_build_metric(b, "stmt_time", "s", ASSAY_F64, ASSAY_SHAPE_LINES);
    assay_build_metric_text(b, r->stmt_time, "time in statements", "stmt_ticks / ticks_per_sec", false);
    r->stmt_ticks = assay_build_metric(b, "stmt_ticks", "tick", ASSAY_I64, ASSAY_SHAPE_LINES);
    r->stmt_count = assay_build_metric(b, "stmt_count", "n", ASSAY_U64, ASSAY_SHAPE_LINES);
    assay_build_metric_text(b, r->stmt_count, "statements executed", "hits", false);
    r->sub_time = assay_build_metric(b, "sub_time", "s", ASSAY_F64, ASSAY_SHAPE_GRAPH);
    r->sub_calls = assay_build_metric(b, "sub_calls", "n", ASSAY_U64, ASSAY_SHAPE_GRAPH);
    assay_build_metric_text(b, r->sub_calls, "calls of subs", "calls", false);
    if (tree) r->sub_ticks = assay_build_metric(b, "sub_ticks", "tick", ASSAY_F64, ASSAY_SHAPE_TREE);
    assay_build_graph_metrics(b, &r->sub_time, 1);
    assay_build_line_metrics(b, &r->stmt_ticks, 1);
}

static int prepare(struct nytprof_reader *r, assay_error *err)
{
    struct nytprof_sub_row *none = vec_push(r->mem, &r->subs);
    if (!none) return error_memory(err);
    *none = (struct nytprof_sub_row){ 0 };
    if (r->job->options->strict) {
        r->judge = mem_alloc(r->mem, sizeof *r->judge);
        if (!r->judge) return error_memory(err);
        nytprof_checker_init(r->judge, &r->d, &r->judged, r->mem);
    }
    declare_metrics(r);
    bool wants_tree = r->want & (ASSAY_WANT_TREE | ASSAY_WANT_WHOLE);
    if (wants_tree || !input_can_rewind(r->job->in)) {
        r->tree = nytprof_tree_new(r, err);
        if (!r->tree) return error_memory(err);
    }
    return assay_builder_failed(r->b);
}

int nytprof_reader_finish(struct nytprof_reader *r, assay_error *err)
{
    uint32_t last = (uint32_t)r->processes.len;
    find_open(r);
    if (is_incomplete(r) && r->return_count > r->call_count) TRY(salvage(r, err));
    if (r->tree) TRY(nytprof_tree_end(r->tree, r, last, err));
    TRY(nytprof_book_lines(r, last));
    find_undefined(r);
    TRY(nytprof_book_subs(r, err));
    TRY(nytprof_book_files(r, err));
    if (r->want & ASSAY_WANT_COUNTS) TRY(nytprof_count_collapsed(r, err));
    nytprof_book_facts(r);
    if (r->damage.failed) return error_memory(err);
    for (size_t i = 0; i < r->damage.list.len; i++) assay_build_warning(r->b, &r->damage.list.at[i]);
    return assay_builder_failed(r->b);
}

int nytprof_reader_begin(struct nytprof_reader *r, const struct read_job *job, assay_builder *b, assay_error *err)
{
    *r = (struct nytprof_reader){ .job = job, .mem = job->mem, .b = b, .want = assay_builder_want(b) };
    findings_init(&r->damage, job->mem);
    findings_init(&r->judged, job->mem);
    index_init(&r->fid_index, job->mem);
    index_init(&r->arc_index, job->mem);
    intern_init(&r->anons, job->mem);
    arena_init(&r->source_text, job->mem);
    for (int i = 0; i < 3; i++) nytprof_lines_init(&r->lines[i], job->mem);
    nytprof_decoder_init(&r->d, job->in);
    return prepare(r, err);
}

void nytprof_reader_done(struct nytprof_reader *r)
{
    if (r->judge) {
        nytprof_checker_done(r->judge);
        mem_free(r->mem, r->judge, sizeof *r->judge);
    }
    nytprof_decoder_done(&r->d);
    nytprof_tree_free(r->tree);
    for (int i = 0; i < 3; i++) nytprof_lines_done(&r->lines[i]);
    vec_done(r->mem, &r->fids, &r->subs, &r->arcs, &r->processes, &r->sources);
    arena_done(&r->source_text);
    index_done(&r->fid_index);
    index_done(&r->arc_index);
    intern_done(&r->anons);
    findings_done(&r->damage);
    findings_done(&r->judged);
}

int nytprof_read(const struct read_job *job, assay_builder *b, assay_error *err)
{
    struct nytprof_reader *r = mem_alloc(job->mem, sizeof *r);
    if (!r) return error_memory(err);
    int rc = nytprof_reader_begin(r, job, b, err);
    if (rc == 0) rc = nytprof_reader_take(r, err);
    if (rc == 0) rc = nytprof_reader_finish(r, err);
    nytprof_reader_done(r);
    mem_free(job->mem, r, sizeof *r);
    return rc;
}

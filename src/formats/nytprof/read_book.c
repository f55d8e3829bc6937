/* The tables of the reader -> the builder: files with their evals and sources, subs, call sites, counts. See read.h. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/number.h"
#include "base/order.h"
#include "base/scoped.h"
#include "base/sort.h"
#include "formats/nytprof/read.h"

/* ---- files ---- */

/* Rows of the builder are in the order of the definitions. */
static void book_file(struct nytprof_reader *r, struct nytprof_fid *f)
{
    char name[24];
    if (f->id.v) return;
    if (!f->is_defined) {
        int len = snprintf(name, sizeof name, "file#%" PRIu32, f->fid);
        f->name = assay_build_string(r->b, name, (size_t)len);
    }
    f->id = assay_build_file_new(r->b, f->name, (assay_module_id){ 0 });
}

assay_file_id nytprof_file_id(struct nytprof_reader *r, uint32_t fid)
{
    struct nytprof_fid *f = nytprof_fid_find(r, fid);
    if (f && f->id.v) return f->id;
    for (; r->booked < r->fids.len; r->booked++)
        if (r->fids.at[r->booked].is_defined) book_file(r, &r->fids.at[r->booked]);
    if (!f) f = nytprof_fid_row(r, fid, FINDING_NO_OFFSET);
    if (!f) return (assay_file_id){ 0 };
    book_file(r, f);
    return f->id;
}

/* Evals of evals end at a file: where they run in a circle nothing is bound. Each file is passed once. */
static void find_cycles(struct nytprof_reader *r, uint32_t *path)
{
    for (uint32_t i = 0; i < r->fids.len; i++) {
        uint32_t at = i;
        while (!path[at]) {
            path[at] = i + 1;
            const struct nytprof_fid *f = &r->fids.at[at], *p = f->eval_fid && f->eval_fid != f->fid ? nytprof_fid_find(r, f->eval_fid) : NULL;
            if (!p) break;
            at = (uint32_t)(p - r->fids.at);
            if (path[at] != i + 1) continue;
            nytprof_warn(r, "N21", ASSAY_ERROR, f->off, "fid %" PRIu32 " is an eval of itself through fid %" PRIu32, f->fid, f->eval_fid);
            r->fids.at[at].eval_fid = r->fids.at[at].fid;
            break;
        }
    }
}

static void bind_evals(struct nytprof_reader *r)
{
    char origin[48];
    for (size_t i = 0; i < r->fids.len; i++) {
        struct nytprof_fid *f = &r->fids.at[i], *p = f->eval_fid && f->eval_fid != f->fid ? nytprof_fid_find(r, f->eval_fid) : NULL;
        if (p) p->has_evals = true;
        assay_build_file_parent(r->b, f->id, p ? p->id : (assay_file_id){ 0 }, f->eval_line, f->flags);
        if (!f->size && !f->mtime) continue;
        int len = snprintf(origin, sizeof origin, "size=%" PRIu32 " mtime=%" PRIu32, f->size, f->mtime);
        f->origin = assay_build_string(r->b, origin, (size_t)len);
        assay_build_file_source(r->b, f->id, (assay_str_id){ 0 }, f->origin);
    }
}

/* ---- sources ---- */

static int by_line(const void *a, const void *b)
{
    const struct nytprof_source_row *x = a, *y = b;
    ORDER_BY(x->fid, y->fid);
    ORDER_BY(x->line, y->line);
    return ORDER(x->order, y->order);
}

enum { GAP_MAX = 1000000 };
struct text_vec {
    char *at;
    size_t len, cap;
};

static bool append(struct nytprof_reader *r, struct text_vec *v, const char *data, size_t len)
{
    if (!vec_reserve(r->mem, v, len)) return false;
    if (len) memcpy(v->at + v->len, data, len);
    v->len += len;
    return true;
}

/* Lines [i, end) of one file joined, missing ones empty; the last of equal numbers counts. */
static bool join_source(struct nytprof_reader *r, size_t i, size_t end, struct text_vec *v)
{
    uint32_t next = 1;
    v->len = 0;
    for (; i < end; i++) {
        const struct nytprof_source_row *s = &r->sources.at[i];
        if (i + 1 < end && s[1].line == s->line) continue;
        if (v->len && v->at[v->len - 1] != '\n' && !append(r, v, "\n", 1)) return false;
        if (s->line > next && s->line - next > GAP_MAX) {
            nytprof_warn(r, "N36", ASSAY_WARNING, FINDING_NO_OFFSET, "source line %" PRIu32 " of fid %" PRIu32 " stands alone and is left out", s->line,
                         s->fid);
            continue;
        }
        for (; next < s->line; next++)
            if (!append(r, v, "\n", 1)) return false;
        if (!append(r, v, s->text, s->len)) return false;
        if (s->len == 0 && !append(r, v, "\n", 1)) return false;
        next = s->line + 1;
    }
    return true;
}

static int book_sources(struct nytprof_reader *r, assay_error *err)
{
    struct text_vec v = { 0 };
    vec_scoped(r->mem, &v);
    bool is_sorted = true, ok = true;
    for (size_t i = 1; i < r->sources.len && is_sorted; i++) is_sorted = by_line(&r->sources.at[i - 1], &r->sources.at[i]) < 0;
    if (!is_sorted) sort_by(r->sources.at, r->sources.len, sizeof *r->sources.at, by_line);
    for (size_t i = 0, end; i < r->sources.len && ok; i = end) {
        uint32_t fid = r->sources.at[i].fid;
        for (end = i; end < r->sources.len && r->sources.at[end].fid == fid;) end++;
        ok = join_source(r, i, end, &v);
        const struct nytprof_fid *f = nytprof_fid_find(r, fid);
        if (ok && f) assay_build_file_source(r->b, f->id, assay_build_string(r->b, v.at, v.len), f->origin);
    }
    return ok ? assay_builder_failed(r->b) : error_memory(err);
}

int nytprof_book_files(struct nytprof_reader *r, assay_error *err)
{
    for (size_t i = 0; i < r->fids.len; i++) book_file(r, &r->fids.at[i]);
    SCRATCH(uint32_t, path, r->mem, r->fids.len);
    if (!path) return error_memory(err);
    find_cycles(r, path);
    bind_evals(r);
    return book_sources(r, err);
}

/* ---- subs ---- */

bool nytprof_is_core(assay_slice name)
{
    for (size_t i = name.len; i-- > 0;) {
        if (name.data[i] != ':') continue;
        assay_slice before = { name.data, i + 1 };
        if (before.len >= 7 && memcmp(before.data + before.len - 7, "::CORE:", 7) == 0) return true;
        return before.len >= 6 && memcmp(before.data + before.len - 6, "CORE::", 6) == 0;
    }
    return false;
}

static enum assay_func_kind kind_of(const struct nytprof_sub_row *s)
{
    bool is_zero = s->is_marked || (s->has_info && s->first == 0 && s->last == 0);
    if (s->is_core && (is_zero || !s->has_info)) return ASSAY_FUNC_OPCODE;
    return is_zero ? ASSAY_FUNC_INTERNAL : ASSAY_FUNC_PLAIN;
}

static void place_subs(struct nytprof_reader *r)
{
    for (uint32_t i = 1; i < r->subs.len; i++) {
        const struct nytprof_sub_row *s = &r->subs.at[i];
        assay_func_id f = { i };
        if (!s->is_listed) continue;
        if (s->fid) assay_build_func_place(r->b, f, nytprof_file_id(r, s->fid), (assay_module_id){ 0 }, 0);
        if (s->has_info) assay_build_func_lines(r->b, f, s->first, s->last);
        assay_build_func_kind(r->b, f, kind_of(s), 0);
    }
}

/* ---- callers of 2.x ---- */

struct range {
    uint32_t fid, first, last, sub;
};

static int by_first(const void *a, const void *b)
{
    const struct range *x = a, *y = b;
    ORDER_BY(x->fid, y->fid);
    ORDER_BY(x->first, y->first);
    return ORDER(x->sub, y->sub);
}

enum { LOOK_BACK = 1000 }; /* ranges nest a little, not this deep */

/* The innermost sub around a line: that with the largest first line. */
static uint32_t sub_around(const struct range *ranges, size_t count, uint32_t fid, uint32_t line)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (ranges[mid].fid < fid || (ranges[mid].fid == fid && ranges[mid].first <= line))
            low = mid + 1;
        else
            high = mid;
    }
    for (size_t back = 0; low-- > 0 && back < LOOK_BACK && ranges[low].fid == fid; back++)
        if (ranges[low].last >= line) return ranges[low].sub;
    return 0;
}

/* Versions 2.x name no callers: they follow from the lines. */
static int derive_callers(struct nytprof_reader *r, assay_error *err)
{
    size_t room = r->subs.len, count = 0;
    SCRATCH(struct range, ranges, r->mem, room);
    if (!ranges) return error_memory(err);
    for (uint32_t i = 1; i < r->subs.len; i++) {
        const struct nytprof_sub_row *s = &r->subs.at[i];
        if (s->has_info && s->fid && s->last) ranges[count++] = (struct range){ s->fid, s->first, s->last, i };
    }
    sort_by(ranges, count, sizeof *ranges, by_first);
    for (size_t i = 0; i < r->arcs.len; i++) {
        struct nytprof_arc *a = &r->arcs.at[i];
        if (!a->caller && a->fid) a->caller = sub_around(ranges, count, a->fid, a->line);
    }
    return 0;
}

/* ---- calls ---- */

static void book_arc(struct nytprof_reader *r, const struct nytprof_arc *a)
{
    const struct nytprof_sub_row *s = &r->subs.at[a->callee];
    assay_stream_id stream = nytprof_stream(r, a->process);
    struct assay_place site = { .stream = stream, .func = { a->caller }, .line = a->line };
    struct assay_place at = { .stream = stream, .func = { a->callee }, .line = s->first };
    assay_value incl = { .d = a->incl }, excl = { .d = a->excl }, reci = { .d = a->reci };
    if (a->fid) site.file = nytprof_file_id(r, a->fid);
    if (s->fid) at.file = nytprof_file_id(r, s->fid);
    assay_build_call(r->b, &site, at.func, a->count, &incl, 1);
    assay_build_call_more(r->b, &excl, &reci, a->depth);
    assay_build_self(r->b, &at, &excl, 1);
    assay_build_stated(r->b, stream, at.func, a->count, &incl, 1);
}

int nytprof_book_subs(struct nytprof_reader *r, assay_error *err)
{
    if (r->d.version.major == 2 && !r->is_salvaged) TRY(derive_callers(r, err));
    place_subs(r);
    for (size_t i = 0; i < r->arcs.len; i++) {
        r->subs.at[r->arcs.at[i].callee].calls += r->arcs.at[i].count;
        book_arc(r, &r->arcs.at[i]);
    }
    assay_value none = { .d = 0 };
    for (uint32_t i = 1; i < r->subs.len; i++)
        if (r->subs.at[i].is_listed && !r->subs.at[i].calls) assay_build_stated(r->b, (assay_stream_id){ 0 }, (assay_func_id){ i }, 0, &none, 1);
    return assay_builder_failed(r->b);
}

/* ---- facts ---- */

static void put_number(struct nytprof_reader *r, assay_stream_id stream, const char *key, double v)
{
    char text[40];
    size_t len = number_put_double(text, v);
    assay_build_attribute(r->b, stream, key, strlen(key), text, len);
}

static void book_processes(struct nytprof_reader *r)
{
    for (uint32_t i = 0; i < r->processes.len; i++) {
        const struct nytprof_process_row *p = &r->processes.at[i];
        assay_stream_id stream = nytprof_stream(r, i + 1);
        put_number(r, stream, "pid", p->pid);
        put_number(r, stream, "ppid", p->ppid);
        if (p->has_time && isfinite(p->start)) put_number(r, stream, "start", p->start);
        if (p->has_end && isfinite(p->end)) put_number(r, stream, "end", p->end);
    }
}

static void count_tables(struct nytprof_reader *r)
{
    uint64_t functions = 0, called = 0, files = 0, evals = 0;
    for (size_t i = 1; i < r->subs.len; i++) {
        functions += r->subs.at[i].is_listed;
        called += r->subs.at[i].calls > 0;
    }
    for (size_t i = 0; i < r->fids.len; i++) {
        files += r->fids.at[i].is_defined;
        evals += r->fids.at[i].is_defined && r->fids.at[i].eval_fid;
    }
    assay_build_count(r->b, "files", files);
    assay_build_count(r->b, "evals", evals);
    assay_build_count(r->b, "functions", functions);
    assay_build_count(r->b, "functions_called", called);
}

static void count_events(struct nytprof_reader *r)
{
    char name[32];
    uint64_t sum = 0;
    for (unsigned tag = 0; tag < 256; tag++) {
        const char *tag_name = nytprof_tag_name((char)tag);
        if (!*tag_name || !r->events[tag]) continue;
        if (tag != NYTPROF_VERSION) sum += r->events[tag];
        snprintf(name, sizeof name, "events.%s", tag_name);
        assay_build_count(r->b, name, r->events[tag]);
    }
    assay_build_count(r->b, "events", sum);
    assay_build_count(r->b, "total_stmts_measured", r->measured);
    assay_build_count(r->b, "total_stmts_discounted", r->discounts - r->pending_discounts);
    assay_build_count(r->b, "negative_ticks", r->negative);
    if (!r->is_deflated) return;
    assay_build_count(r->b, "deflate_tag_offset", r->deflate_off);
    assay_build_count(r->b, "inflated_bytes", r->end_off);
    assay_build_count(r->b, "bytes_after_zlib_end", r->tail_len);
    assay_build_attribute(r->b, (assay_stream_id){ 0 }, "compressed", 10, "zlib", 4);
}

void nytprof_book_facts(struct nytprof_reader *r)
{
    char version[32];
    uint64_t calls = 0;
    for (size_t i = 1; i < r->subs.len; i++) calls += r->subs.at[i].calls;
    book_processes(r);
    count_tables(r);
    count_events(r);
    if (r->want & ASSAY_WANT_LINES) assay_build_count(r->b, "lines", r->lines[ASSAY_LEVEL_LINE].rows.len);
    assay_build_metric_total(r->b, r->stmt_ticks, (assay_value){ .i = r->ticks });
    assay_build_metric_total(r->b, r->stmt_time, (assay_value){ .d = r->has_tps ? (double)r->ticks / r->ticks_per_sec : 0 });
    assay_build_metric_total(r->b, r->stmt_count, (assay_value){ .u = r->hits });
    assay_build_metric_total(r->b, r->sub_calls, (assay_value){ .u = calls });
    snprintf(version, sizeof version, "%" PRIu32 ".%" PRIu32, r->d.version.major, r->d.version.minor);
    assay_build_source(r->b, "nytprof", version, r->producer);
    assay_build_offers(r->b, ASSAY_SHAPE_LINES | ASSAY_SHAPE_GRAPH | (r->return_count ? ASSAY_SHAPE_TREE : 0));
}

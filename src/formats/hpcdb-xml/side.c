/* Which files lie beside experiment.xml, and whose they are; see side.h. */
#include "formats/hpcdb-xml/side.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/folder.h"
#include "base/scoped.h"

enum { INDEX_ENTRY = 16, MARK_LEN = 8 };
#define END_MARK UINT64_C(0xFFFFFFFFDEADF00D)

/* ---- the document ---- */

int hx_open_xml(const struct read_job *job, struct input **in, struct input **use, struct findings *damage, assay_error *err)
{
    static const char *const names[] = { "experiment.xml", "experiment.xml.gz" };
    struct input_options o = { job->mem, job->options->max_output, job->options->progress, job->options->progress_arg, job->options->max_string };
    char path[FOLDER_PATH_MAX];
    const char *dir = input_path(job->in);
    *in = NULL;
    *use = job->in;
    if (!input_is_dir(job->in)) return 0;
    *use = NULL;
    for (size_t i = 0; i < 2; i++) {
        if (folder_peek(dir, names[i], NULL, 0) < 0 || !folder_path(path, dir, names[i])) continue;
        TRY(input_open(in, path, &o, err));
        *use = *in;
        return 0;
    }
    findings_add(damage, "HX01", ASSAY_ERROR, FINDING_NO_OFFSET, 0, "experiment.xml is missing or cannot be read");
    return damage->failed ? error_memory(err) : 0;
}

/* ---- names ---- */

/* Cuts the last field off `s`: what follows its last '-'. */
static bool last_field(assay_slice *s, bool is_hex, uint64_t *out)
{
    const char *dash = s->len ? memrchr(s->data, '-', s->len) : NULL;
    if (!dash) return false;
    uint64_t v = 0, base = is_hex ? 16 : 10;
    for (const char *p = dash + 1; p < s->data + s->len; p++) {
        unsigned digit = *p >= '0' && *p <= '9' ? (unsigned)(*p - '0') : *p >= 'a' && *p <= 'f' ? (unsigned)(*p - 'a') + 10 : 99;
        if (digit >= base || v > (UINT64_MAX - digit) / base) return false;
        v = v * base + digit;
    }
    bool is_empty = dash + 1 == s->data + s->len;
    s->len = (size_t)(dash - s->data);
    *out = v;
    return !is_empty;
}

/* PROGRAM-RANK-THREAD-HOST-PID-GENERATION; before 2011 there was no generation. */
static void numbers_of(struct hx_part *part)
{
    assay_slice stem = slice_of(part->name);
    uint64_t ignored;
    stem.len = (size_t)((const char *)memrchr(stem.data, '.', stem.len) - stem.data);
    for (int generations = 1; generations >= 0 && !part->is_named; generations--) {
        assay_slice s = stem;
        bool is_ok = !generations || last_field(&s, false, &ignored);
        part->is_named = is_ok && last_field(&s, false, &ignored) && last_field(&s, true, &part->host) && last_field(&s, false, &part->thread) &&
                         last_field(&s, false, &part->rank) && part->rank <= INT32_MAX && part->thread <= INT32_MAX;
    }
    part->has_host = part->is_named;
}

/* ---- merged files ---- */

struct merged {
    uint32_t kind, count;
    struct cursor c;
};

/* false = its index cannot be used. */
static bool open_merged(struct merged *m, const struct hx_part *file, struct findings *damage)
{
    struct cursor end = cursor_of(file->bytes.data, file->bytes.len);
    uint64_t mark = 0, before = 0, off = 0;
    m->c = end;
    bool has_mark = file->bytes.len >= 2 * (size_t)MARK_LEN && cursor_seek(&end, file->bytes.len - MARK_LEN) && cursor_u64be(&end, &mark) && mark == END_MARK;
    if (!has_mark) {
        findings_add(damage, "HX30", ASSAY_ERROR, file->bytes.len < MARK_LEN ? 0 : file->bytes.len - MARK_LEN, 0,
                     "%s: the end mark is missing: the file is truncated", file->name);
        return false;
    }
    (void)cursor_u32be(&m->c, &m->kind);
    (void)cursor_u32be(&m->c, &m->count);
    if (!cursor_fits(&m->c, m->count, INDEX_ENTRY) || cursor_left(&m->c) - (uint64_t)m->count * INDEX_ENTRY < MARK_LEN) {
        findings_add(damage, "HX31", ASSAY_ERROR, 4, 0, "%s: an index of %" PRIu32 " entries does not fit", file->name, m->count);
        return false;
    }
    before = 8 + (uint64_t)m->count * INDEX_ENTRY;
    struct cursor c = m->c;
    for (uint32_t i = 0; i < m->count; i++) {
        (void)cursor_skip(&c, 8);
        (void)cursor_u64be(&c, &off);
        if (off < before || off > file->bytes.len - MARK_LEN) {
            findings_add(damage, "HX31", ASSAY_ERROR, 8 + (uint64_t)i * INDEX_ENTRY + 8, 0,
                         "%s: part %" PRIu32 " begins at %" PRIu64 ", which is outside the file or before the previous one", file->name, i, off);
            return false;
        }
        before = off;
    }
    return true;
}

/* Part k ends where the next one begins, the last one before the mark. */
static int each_merged(const struct hx_part *file, struct findings *damage, hx_part_fn fn, void *arg)
{
    struct merged m;
    if (!open_merged(&m, file, damage)) return 0;
    for (uint32_t i = 0; i < m.count; i++) {
        struct hx_part part = { .kind = file->kind, .name = file->name, .is_named = m.kind != 0 };
        uint32_t rank, thread;
        uint64_t end = file->bytes.len - MARK_LEN;
        (void)cursor_u32be(&m.c, &rank);
        (void)cursor_u32be(&m.c, &thread);
        (void)cursor_u64be(&m.c, &part.at);
        struct cursor next = m.c;
        if (i + 1 < m.count && cursor_skip(&next, 8)) (void)cursor_u64be(&next, &end);
        part.rank = part.is_named ? rank : 0;
        part.thread = part.is_named ? thread : i;
        part.is_named = true;
        part.bytes = slice_from(file->bytes.data + part.at, file->bytes.data + end);
        TRY(fn(arg, &part));
    }
    return 0;
}

/* ---- the directory ---- */

struct walk {
    const struct read_job *job;
    struct findings *damage;
    hx_part_fn fn;
    void *arg;
    bool is_sparse, has_merged_values, has_merged_traces;
};

static bool is_merged_values(const char *name)
{
    assay_slice s = slice_of(name);
    return slice_starts(s, "experiment-") && slice_ends(s, ".mdb");
}

/* Where a merged file is, it holds all of its parts. */
static bool kind_of(const struct walk *w, const char *name, struct hx_part *part, bool *is_merged)
{
    assay_slice s = slice_of(name);
    *is_merged = is_merged_values(name) || strcmp(name, "experiment.mt") == 0;
    part->kind = is_merged_values(name) || slice_ends(s, ".metric-db") ? HX_MATRIX : HX_TRACE;
    if (*is_merged) return true;
    if (slice_ends(s, ".metric-db")) return !w->has_merged_values;
    if (slice_ends(s, ".hpctrace")) return !w->has_merged_traces;
    part->kind = strcmp(name, "profile.db") == 0 ? HX_SPARSE : strcmp(name, "cct.db") == 0 ? HX_SPARSE_CCT : HX_SPARSE_TRACE;
    return w->is_sparse && (part->kind != HX_SPARSE_TRACE || strcmp(name, "trace.db") == 0);
}

static int open_file(const struct walk *w, struct hx_part *part, bool is_merged, assay_error *err)
{
    struct input_options o = { .mem = w->job->mem, .max_output = w->job->options->max_output };
    SCOPED(input_drop) struct input *in = NULL;
    char path[FOLDER_PATH_MAX];
    if (!folder_path(path, input_path(w->job->in), part->name)) return 0;
    TRY(input_open(&in, path, &o, err));
    int rc = input_map(in, &part->bytes, err);
    /* what is left of a damaged compressed file is looked at, and is too short */
    if (rc != ASSAY_ERR_DAMAGED && rc != ASSAY_ERR_TRUNCATED) TRY(rc);
    if (!is_merged) numbers_of(part);
    TRY(is_merged ? each_merged(part, w->damage, w->fn, w->arg) : w->fn(w->arg, part));
    return w->damage->failed ? error_memory(err) : 0;
}

static int each_file(struct walk *w, const struct folder *f, bool is_traces, assay_error *err)
{
    for (size_t i = 0; i < f->entries.len; i++) {
        struct hx_part part = { .name = f->entries.at[i].name };
        bool is_merged;
        if (!f->entries.at[i].is_file || !kind_of(w, part.name, &part, &is_merged)) continue;
        if ((part.kind == HX_TRACE || part.kind == HX_SPARSE_TRACE) != is_traces) continue;
        TRY(open_file(w, &part, is_merged, err));
    }
    return 0;
}

int hx_each_part(const struct read_job *job, bool is_sparse, struct findings *damage, hx_part_fn fn, void *arg, assay_error *err)
{
    struct walk w = { .job = job, .damage = damage, .fn = fn, .arg = arg, .is_sparse = is_sparse };
    SCOPED(folder_done) struct folder f = { 0 };
    if (!input_is_dir(job->in)) return 0;
    TRY(folder_open(&f, input_path(job->in), job->mem, err));
    for (size_t i = 0; i < f.entries.len; i++) {
        w.has_merged_values |= f.entries.at[i].is_file && is_merged_values(f.entries.at[i].name);
        w.has_merged_traces |= f.entries.at[i].is_file && strcmp(f.entries.at[i].name, "experiment.mt") == 0;
    }
    TRY(each_file(&w, &f, false, err));
    return each_file(&w, &f, true, err);
}

/* Patch coverage: the lines that a change added, of those the ones that a report measures, and of those the ones not covered. */
#include <stdlib.h>

#include "analysis/coverage/once.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/options.h"
#include "base/path.h"
#include "base/scoped.h"
#include "base/sort.h"
#include "base/vec.h"

struct patch {
    assay_patch pub; /* first: the caller's pointer is ours */
    struct mem mem;
    struct arena text;
    VEC(assay_patch_file) files;
    VEC(const char *) unmatched;
    VEC(uint32_t) line; /* of all files, those of one together */
    VEC(uint8_t) state;
};

struct patcher {
    struct patch *out;
    const struct assay_patch_options *options;
    struct folded report;
    assay_error *err;
};

/* ---- lines of one file ---- */

static bool put(struct patch *p, uint32_t number, uint8_t state)
{
    uint32_t *line = vec_push(&p->mem, &p->line);
    uint8_t *s = line ? vec_push(&p->mem, &p->state) : NULL;
    if (!s) return false;
    *line = number;
    *s = state;
    return true;
}

/* Lines first .. last of the file that the report measures, from row `at` on. With `expand` also those between two measured ones. */
static bool take_edit(struct patcher *k, const assay_edit *e, uint32_t at, uint32_t from, uint32_t end)
{
    const struct folded *r = &k->report;
    uint64_t first = (uint64_t)e->new_before + 1, last = (uint64_t)e->new_before + e->new_count;
    if (!k->options->expand) {
        for (; at < end && r->line[at] <= last; at++)
            if (r->line[at] >= first && !put(k->out, r->line[at], r->state[at])) return false;
        return true;
    }
    if (from == end) return true;
    for (uint64_t n = first > r->line[from] ? first : r->line[from]; n <= last && n <= r->line[end - 1]; n++) {
        while (at + 1 < end && r->line[at + 1] <= n) at++;
        if (r->line[at] <= n && !put(k->out, (uint32_t)n, r->state[at])) return false;
    }
    return true;
}

/* The row at or before the first line of the edit. */
static uint32_t row_before(const struct folded *r, uint32_t from, uint32_t end, uint32_t line)
{
    uint32_t low = from, high = end;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (r->line[middle] < line)
            low = middle + 1;
        else
            high = middle;
    }
    return low > from && (low == end || r->line[low] > line) ? low - 1 : low;
}

static int take_file(struct patcher *k, const assay_changed_file *f, uint32_t file)
{
    struct patch *p = k->out;
    assay_patch_file *out = vec_push(&p->mem, &p->files);
    if (!out) return error_memory(k->err);
    *out = (assay_patch_file){ .path = arena_copy(&p->text, slice_of(f->new_path)) };
    size_t begin = p->line.len;
    uint32_t from = k->report.begin[file], end = k->report.begin[file + 1];
    bool done = out->path != NULL;
    for (size_t i = 0; done && i < f->edit_count && (done = !cancel_at(i)); i++) {
        out->added += f->edits[i].new_count;
        if (f->edits[i].new_count) done = take_edit(k, &f->edits[i], row_before(&k->report, from, end, f->edits[i].new_before + 1), from, end);
    }
    if (!done) return error_memory(k->err);
    out->count = (uint32_t)(p->line.len - begin);
    for (size_t i = begin; i < p->line.len; i++) out->missing += folded_is_missing(p->state.at[i], k->options->branches);
    return 0;
}

/* ---- files ---- */

static uint64_t added_by(const assay_changed_file *f)
{
    uint64_t n = 0;
    for (size_t i = 0; i < f->edit_count; i++) n += f->edits[i].new_count;
    return n;
}

static int take_unmatched(struct patcher *k, const char *path)
{
    const char **slot = vec_push(&k->out->mem, &k->out->unmatched);
    if (!slot) return error_memory(k->err);
    *slot = arena_copy(&k->out->text, slice_of(path));
    return *slot ? 0 : error_memory(k->err);
}

static int take_changes(struct patcher *k, const assay_changes *changes)
{
    SCOPED(arena_done) struct arena scratch;
    arena_init(&scratch, &k->out->mem);
    for (size_t i = 0; i < changes->count; i++) {
        const assay_changed_file *f = &changes->files[i];
        k->out->pub.changed += added_by(f);
        if (!f->new_path || !added_by(f)) continue;
        const char *path = path_normal(&scratch, slice_of(f->new_path));
        if (!path) return error_memory(k->err);
        uint32_t file = path_finder_find(&k->report.finder, slice_of(path));
        TRY(file == UINT32_MAX ? take_unmatched(k, f->new_path) : take_file(k, f, file));
    }
    return 0;
}

/* ---- the whole ---- */

static assay_slice extension(const char *path)
{
    const char *dot = strrchr(path_base(path), '.');
    return dot ? slice_of(dot) : (assay_slice){ NULL, 0 };
}

enum { KINDS = 64 };

static bool has_kind(const assay_slice *kinds, size_t count, assay_slice kind)
{
    for (size_t i = 0; i < count; i++)
        if (slice_equal(kinds[i], kind)) return true;
    return false;
}

/* A file that was not found though the report has its kind: then the paths do not match. A change of documents only is no mistake. */
static const char *find_lost(const struct patcher *k)
{
    assay_slice kinds[KINDS];
    size_t count = 0;
    if (k->out->files.len) return NULL;
    for (uint32_t i = 0; i < k->report.file_count && count < KINDS; i++) {
        assay_slice kind = extension(folded_path(&k->report, i).data);
        if (!has_kind(kinds, count, kind)) kinds[count++] = kind;
    }
    for (size_t i = 0; i < k->out->unmatched.len; i++)
        if (has_kind(kinds, count, extension(k->out->unmatched.at[i]))) return k->out->unmatched.at[i];
    return NULL;
}

static int by_path(const void *x, const void *y)
{
    const assay_patch_file *a = x, *b = y;
    return strcmp(a->path, b->path);
}

static int by_text(const void *x, const void *y) { return strcmp(*(const char *const *)x, *(const char *const *)y); }

static void finish(struct patch *p)
{
    size_t at = 0;
    for (size_t i = 0; i < p->files.len; i++) {
        assay_patch_file *f = &p->files.at[i];
        f->line = p->line.at + at;
        f->state = p->state.at + at;
        at += f->count;
        p->pub.measured += f->count;
        p->pub.missing += f->missing;
    }
    if (p->files.len) sort_by(p->files.at, p->files.len, sizeof *p->files.at, by_path);
    if (p->unmatched.len) sort_by(p->unmatched.at, p->unmatched.len, sizeof *p->unmatched.at, by_text);
    p->pub.files = p->files.at;
    p->pub.count = p->files.len;
    p->pub.unmatched = p->unmatched.at;
    p->pub.unmatched_count = p->unmatched.len;
}

void assay_patch_free(assay_patch *patch)
{
    if (!patch) return;
    struct patch *p = (struct patch *)patch;
    vec_done(&p->mem, &p->files, &p->unmatched, &p->line, &p->state);
    arena_done(&p->text);
    free(p);
}

int assay_patch_new(const assay_profile *profile, const assay_changes *changes, const struct assay_patch_options *options, assay_patch **out, assay_error *err)
{
    assay_error local;
    struct assay_patch_options o;
    err = error_enter(err, &local);
    *out = NULL;
    TRY(OPTIONS_TAKE(struct assay_patch_options, max_memory, &o, options, err));
    struct patcher k = { .out = calloc(1, sizeof *k.out), .options = &o, .err = err };
    if (!k.out) return error_memory(k.err);
    mem_init(&k.out->mem, (size_t)k.options->max_memory);
    arena_init(&k.out->text, &k.out->mem);
    int rc = folded_init(&k.report, profile, k.options, &k.out->mem, k.err);
    if (rc == 0) rc = take_changes(&k, changes);
    if (rc == 0) {
        finish(k.out);
        k.out->pub.lost = find_lost(&k);
    }
    folded_done(&k.report);
    rc = cancel_end(rc, k.err);
    if (rc == 0)
        *out = &k.out->pub;
    else
        assay_patch_free(&k.out->pub);
    return rc;
}

/* How two reports differ, line by line, in the twelve categories of assay/diff.h. */
#include <stdlib.h>

#include "analysis/coverage/once.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/findings.h"
#include "base/options.h"
#include "base/path.h"
#include "base/plural.h"
#include "base/scoped.h"
#include "base/sort.h"
#include "base/vec.h"

struct diff {
    assay_coverage_diff pub; /* first: the caller's pointer is ours */
    struct mem mem;
    struct arena text;
    struct findings findings;
    VEC(assay_diff_file) files;
    VEC(assay_diff_line) lines; /* of all files, those of one together */
};

enum { NO_FILE = UINT32_MAX };

struct differ {
    struct diff *out;
    const struct assay_patch_options *options;
    const assay_changes *changes;
    struct folded before, after;
    uint32_t *old_of;               /* by file of `after`: the file of `before`, or NO_FILE */
    const assay_changed_file **how; /* by file of `after`: what changed it, NULL = nothing */
    uint8_t *is_taken;              /* by file of `before` */
    const assay_changed_file **old_how;
    assay_error *err;
};

static const char *const names[ASSAY_CATEGORIES] = { "UNC", "LBC", "UIC", "UBC", "GBC", "GIC", "GNC", "CBC", "EUB", "ECB", "DUB", "DCB" };

const char *assay_category_name(unsigned category) { return category < ASSAY_CATEGORIES ? names[category] : ""; }

/* ---- which file was which ---- */

static int place_change(struct differ *d, const assay_changed_file *f, struct arena *scratch)
{
    const char *old = f->old_path ? path_normal(scratch, slice_of(f->old_path)) : NULL, *new = f->new_path ? path_normal(scratch, slice_of(f->new_path)) : NULL;
    if ((f->old_path && !old) || (f->new_path && !new)) return error_memory(d->err);
    uint32_t before = old ? path_finder_find(&d->before.finder, slice_of(old)) : NO_FILE,
             after = new ? path_finder_find(&d->after.finder, slice_of(new)) : NO_FILE;
    if (after != NO_FILE && !d->how[after]) {
        d->how[after] = f;
        d->old_of[after] = before;
    }
    if (before != NO_FILE) {
        d->is_taken[before] |= after != NO_FILE;
        if (!d->old_how[before]) d->old_how[before] = f;
    }
    return 0;
}

static int pair_files(struct differ *d)
{
    SCOPED(arena_done) struct arena scratch;
    arena_init(&scratch, &d->out->mem);
    for (uint32_t i = 0; i < d->after.file_count; i++) d->old_of[i] = NO_FILE;
    for (size_t i = 0; d->changes && i < d->changes->count; i++) TRY(place_change(d, &d->changes->files[i], &scratch));
    for (uint32_t i = 0; i < d->after.file_count; i++) {
        if (d->how[i]) continue;
        uint32_t before = path_finder_same(&d->before.finder, d->after.finder.path[i]);
        if (before == NO_FILE || d->is_taken[before]) continue;
        d->old_of[i] = before;
        d->is_taken[before] = 1;
    }
    return 0;
}

/* ---- lines ---- */

static bool put(struct differ *d, assay_diff_file *f, uint32_t old_line, uint32_t new_line, enum assay_category category)
{
    assay_diff_line *l = vec_push(&d->out->mem, &d->out->lines);
    if (!l) return false;
    *l = (assay_diff_line){ old_line, new_line, (uint8_t)category };
    f->line_count++;
    f->by_category[category]++;
    return true;
}

static bool is_hit(const struct differ *d, const struct folded *r, uint32_t row) { return !folded_is_missing(r->state[row], d->options->branches); }

/* Whether the change added the line; *at moves along, for lines come in their order. */
static bool is_added(const assay_changed_file *how, size_t *at, uint32_t line)
{
    if (!how) return false;
    while (*at < how->edit_count && how->edits[*at].new_before + how->edits[*at].new_count < line) ++*at;
    return *at < how->edit_count && line > how->edits[*at].new_before;
}

static enum assay_category category(bool is_new, bool was_there, bool was_hit, bool is_hit_now)
{
    if (is_new) return is_hit_now ? ASSAY_GNC : ASSAY_UNC;
    if (!was_there) return is_hit_now ? ASSAY_GIC : ASSAY_UIC;
    if (was_hit) return is_hit_now ? ASSAY_CBC : ASSAY_LBC;
    return is_hit_now ? ASSAY_GBC : ASSAY_UBC;
}

/* Rows of the old report in the order of their lines now, beside those of the new one. Lines that are not there any longer come last. */
struct side {
    uint32_t row, end;
};

/* The line now of the next old row that still has one; 0 = no more. */
static uint32_t old_now(const struct differ *d, const assay_changed_file *how, struct side *old)
{
    for (; old->row < old->end; old->row++) {
        uint32_t line = d->before.line[old->row], now = how ? assay_changed_line(how, line) : line;
        if (now) return now;
    }
    return 0;
}

static bool compare_lines(struct differ *d, assay_diff_file *f, const assay_changed_file *how, struct side old, struct side new)
{
    size_t edit = 0;
    bool done = true;
    while (done) {
        uint32_t now = old_now(d, how, &old), line = new.row < new.end ? d->after.line[new.row] : 0;
        if (!now && !line) break;
        if (now && (!line || now < line)) {
            done = put(d, f, d->before.line[old.row], now, is_hit(d, &d->before, old.row) ? ASSAY_ECB : ASSAY_EUB);
            old.row++;
            continue;
        }
        bool is_new = is_added(how, &edit, line), was_there = now == line && now, was_hit = was_there && is_hit(d, &d->before, old.row);
        done = put(d, f, was_there ? d->before.line[old.row] : 0, line, category(is_new, was_there, was_hit, is_hit(d, &d->after, new.row)));
        old.row += was_there;
        new.row++;
    }
    return done;
}

/* Those whose text was changed or removed; all of them when the file was. */
static bool put_removed(struct differ *d, assay_diff_file *f, const assay_changed_file *how, bool all, struct side old)
{
    for (; old.row < old.end; old.row++) {
        uint32_t line = d->before.line[old.row];
        if (!all && (!how || assay_changed_line(how, line))) continue;
        if (!put(d, f, line, 0, is_hit(d, &d->before, old.row) ? ASSAY_DCB : ASSAY_DUB)) return false;
    }
    return true;
}

/* ---- files ---- */

static struct side side_of(const struct folded *r, uint32_t file)
{
    return file == NO_FILE ? (struct side){ 0, 0 } : (struct side){ r->begin[file], r->begin[file + 1] };
}

static const char *path_of(struct differ *d, const struct folded *r, uint32_t file)
{
    return file == NO_FILE ? NULL : arena_copy(&d->out->text, folded_path(r, file));
}

static void count_sides(const struct differ *d, assay_diff_file *f, struct side old, struct side new)
{
    f->before = old.end - old.row;
    f->after = new.end - new.row;
    for (uint32_t i = old.row; i < old.end; i++) f->before_hit += is_hit(d, &d->before, i);
    for (uint32_t i = new.row; i < new.end; i++) f->after_hit += is_hit(d, &d->after, i);
}

static int compare_file(struct differ *d, uint32_t before, uint32_t after, const assay_changed_file *how)
{
    assay_diff_file *f = vec_push(&d->out->mem, &d->out->files);
    struct side old = side_of(&d->before, before), new = side_of(&d->after, after);
    if (!f) return error_memory(d->err);
    *f = (assay_diff_file){ .old_path = path_of(d, &d->before, before), .new_path = path_of(d, &d->after, after) };
    bool is_gone = after == NO_FILE && (!how || !how->new_path), done = (f->old_path || before == NO_FILE) && (f->new_path || after == NO_FILE);
    count_sides(d, f, old, new);
    if (done && !is_gone) done = compare_lines(d, f, how, old, new);
    if (done) done = put_removed(d, f, how, is_gone, old);
    return done ? 0 : error_memory(d->err);
}

static int compare_files(struct differ *d)
{
    for (uint32_t i = 0; i < d->after.file_count; i++) {
        TRY(cancel_step(i, d->err));
        TRY(compare_file(d, d->old_of[i], i, d->how[i]));
    }
    for (uint32_t i = 0; i < d->before.file_count; i++)
        if (!d->is_taken[i]) TRY(compare_file(d, i, NO_FILE, d->old_how[i]));
    return 0;
}

/* ---- warnings ---- */

static bool has_changed(const struct differ *d, uint32_t before, uint32_t after)
{
    const struct assay_files *a = assay_profile_files(d->before.p), *b = assay_profile_files(d->after.p);
    if (!a->origin || !b->origin || !a->origin[before + 1].v || !b->origin[after + 1].v) return false;
    return !slice_equal(assay_profile_string(d->before.p, a->origin[before + 1]), assay_profile_string(d->after.p, b->origin[after + 1]));
}

static void warn(struct differ *d, const assay_profile *before, const assay_profile *after)
{
    struct findings *f = &d->out->findings;
    uint32_t changed = 0;
    if (!d->changes) findings_add(f, "DF-1", ASSAY_WARNING, FINDING_NO_OFFSET, 0, "no diff of the sources: lines are compared by number");
    for (uint32_t i = 0; !d->changes && i < d->after.file_count; i++) changed += d->old_of[i] != NO_FILE && has_changed(d, d->old_of[i], i);
    if (changed)
        findings_add(f, "DF-2", ASSAY_WARNING, FINDING_NO_OFFSET, 0, "%u file%s in different versions in the two reports", changed, plural_is(changed));
    const char *x = assay_profile_format(before), *y = assay_profile_format(after);
    if (strcmp(x, y) != 0 && *x && *y)
        findings_add(f, "DF-3", ASSAY_WARNING, FINDING_NO_OFFSET, 0, "the reports have different formats (%.40s, %.40s): their tools count lines differently",
                     x, y);
}

/* ---- the whole ---- */

static int by_path(const void *x, const void *y)
{
    const assay_diff_file *a = x, *b = y;
    int c = strcmp(a->new_path ? a->new_path : a->old_path, b->new_path ? b->new_path : b->old_path);
    return c ? c : (a->new_path == NULL) - (b->new_path == NULL);
}

static void finish(struct diff *d)
{
    size_t at = 0;
    for (size_t i = 0; i < d->files.len; i++) {
        assay_diff_file *f = &d->files.at[i];
        f->lines = f->line_count ? d->lines.at + at : NULL;
        at += f->line_count;
        d->pub.before += f->before;
        d->pub.before_hit += f->before_hit;
        d->pub.after += f->after;
        d->pub.after_hit += f->after_hit;
        for (int k = 0; k < ASSAY_CATEGORIES; k++) d->pub.by_category[k] += f->by_category[k];
    }
    if (d->files.len) sort_by(d->files.at, d->files.len, sizeof *d->files.at, by_path);
    d->pub.files = d->files.at;
    d->pub.count = d->files.len;
    d->pub.warnings = d->findings.list.at;
    d->pub.warning_count = d->findings.list.len;
}

void assay_coverage_diff_free(assay_coverage_diff *diff)
{
    if (!diff) return;
    struct diff *d = (struct diff *)diff;
    vec_done(&d->mem, &d->files, &d->lines);
    findings_done(&d->findings);
    arena_done(&d->text);
    free(d);
}

static bool make_tables(struct differ *d)
{
    struct mem *mem = &d->out->mem;
    d->old_of = mem_zalloc(mem, d->after.file_count, sizeof *d->old_of);
    d->how = mem_zalloc(mem, d->after.file_count, sizeof *d->how);
    d->is_taken = mem_zalloc(mem, d->before.file_count, 1);
    d->old_how = mem_zalloc(mem, d->before.file_count, sizeof *d->old_how);
    return d->old_of && d->how && d->is_taken && d->old_how;
}

static void free_tables(struct differ *d)
{
    struct mem *mem = &d->out->mem;
    mem_free(mem, d->old_of, d->after.file_count * sizeof *d->old_of);
    mem_free(mem, d->how, d->after.file_count * sizeof *d->how);
    mem_free(mem, d->is_taken, d->before.file_count);
    mem_free(mem, d->old_how, d->before.file_count * sizeof *d->old_how);
}

int assay_coverage_diff_new(const assay_profile *before, const assay_profile *after, const assay_changes *changes, const struct assay_patch_options *options,
                            assay_coverage_diff **out, assay_error *err)
{
    struct assay_patch_options o;
    assay_error local;
    err = error_enter(err, &local);
    *out = NULL;
    TRY(OPTIONS_TAKE(struct assay_patch_options, max_memory, &o, options, err));
    struct differ d = { .out = calloc(1, sizeof *d.out), .options = &o, .changes = changes, .err = err };
    if (!d.out) return error_memory(d.err);
    mem_init(&d.out->mem, (size_t)d.options->max_memory);
    arena_init(&d.out->text, &d.out->mem);
    findings_init(&d.out->findings, &d.out->mem);
    int rc = folded_init(&d.before, before, d.options, &d.out->mem, d.err);
    if (rc == 0) rc = folded_init(&d.after, after, d.options, &d.out->mem, d.err);
    if (rc == 0 && !make_tables(&d)) rc = error_memory(d.err);
    if (rc == 0) rc = pair_files(&d);
    if (rc == 0) rc = compare_files(&d);
    if (rc == 0) warn(&d, before, after);
    if (rc == 0 && d.out->findings.failed) rc = error_memory(d.err);
    free_tables(&d);
    folded_done(&d.before);
    folded_done(&d.after);
    if (rc == 0) finish(d.out);
    rc = cancel_end(rc, d.err);
    if (rc == 0)
        *out = &d.out->pub;
    else
        assay_coverage_diff_free(&d.out->pub);
    return rc;
}

/* A part of the coverage of a profile, with paths that match this machine: assay_filter_apply. First each file is looked at alone (its path, whether it
 * is wanted), then the rows are copied. */
#include <stdio.h>
#include <string.h>

#include "analysis/coverage/copy.h"
#include "analysis/coverage/exclusion.h"
#include "analysis/select/select.h"
#include "analysis/sources/prefix.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/findings.h"
#include "base/options.h"
#include "base/path.h"
#include "base/scoped.h"
#include "model/entry.h"

/* Of a file whose regions are offsets: where the last of them ends. 0 = there are none, or lines besides. */
struct extent {
    uint64_t last;
    bool is_whole; /* that is where the script ends */
};

struct filter_run {
    const assay_profile *p;
    const struct assay_filter *filter;
    struct mem mem;
    struct source_paths paths;
    struct source_prefixes prefixes;
    struct exclusion_rules rules;
    struct findings found;
    struct coverage_copy copy;
    assay_builder *b;
    uint8_t *is_used;          /* by pattern, includes first: matches a file */
    struct line_marks *marks;  /* by file, [0] unused */
    struct offset_text *texts; /* by file, [0] unused */
    struct extent *extent;     /* by file, [0] unused */
    const char **path;         /* by file: under which it goes on */
    uint32_t *first_of;        /* by file of the builder: the file that it was made of */
    size_t files, patterns;
    size_t lost;      /* files without a source */
    uint32_t lost_at; /* the first of them */
};

static const char *text_of(const struct filter_run *r, assay_str_id id)
{
    const char *s = assay_profile_string(r->p, id).data;
    return s ? s : "";
}

/* ---- one file ---- */

static bool is_wanted(struct filter_run *r, assay_slice path)
{
    const struct assay_filter *f = r->filter;
    bool is_in = !f->include_count, is_out = false, is_file = false, are_named = false;
    for (size_t i = 0; i < f->include_count; i++) {
        bool matches = path_matches(path, f->includes[i]);
        r->is_used[i] |= matches;
        is_in |= matches;
    }
    for (size_t i = 0; i < f->exclude_count; i++) {
        bool matches = path_matches(path, f->excludes[i]);
        r->is_used[f->include_count + i] |= matches;
        is_out |= matches;
    }
    for (size_t i = 0; i < f->file_count; i++) {
        bool takes_away = f->files[i][0] == '!', matches = path_matches(path, f->files[i] + takes_away);
        r->is_used[f->include_count + f->exclude_count + i] |= matches;
        are_named |= !takes_away;
        *(takes_away ? &is_out : &is_file) |= matches;
    }
    return is_in && (is_file || !are_named) && !is_out;
}

static assay_slice written_of(const struct filter_run *r, uint32_t i)
{
    return assay_profile_string(r->p, (assay_str_id){ ID(assay_profile_files(r->p)->path, i) });
}

/* The path without looking, or where the source was found. */
static int resolve(struct filter_run *r, uint32_t i, assay_error *err)
{
    const char *plain = source_paths_plain(&r->paths, written_of(r, i));
    if (!plain) return error_memory(err);
    if (!r->filter->source_root_count) {
        r->path[i] = plain;
        return 0;
    }
    err->code = 0;
    const char *found = source_paths_find(&r->paths, written_of(r, i), err);
    if (err->code) return err->code;
    r->path[i] = found;
    if (found && path_is_absolute(slice_of(found)) && !source_paths_is_inside(&r->paths, found))
        findings_add(&r->found, "P-3", ASSAY_WARNING, FINDING_NO_OFFSET, 0, "'%.200s' is outside the source roots", found);
    else if (found && !source_prefix_learn(&r->prefixes, &r->mem, plain, found))
        return error_memory(err);
    return 0;
}

static void is_lost(struct filter_run *r, uint32_t i)
{
    if (!r->lost++) r->lost_at = i;
}

/* A file that was not found goes where the others say that its folder is. */
static int infer(struct filter_run *r, uint32_t i, assay_error *err)
{
    bool failed = false;
    if (r->path[i]) return 0;
    const char *plain = source_paths_plain(&r->paths, written_of(r, i));
    const char *there = plain ? source_prefix_apply(&r->prefixes, &r->paths.text, plain, &failed) : NULL;
    if (!plain || failed) return error_memory(err);
    r->path[i] = there ? there : plain;
    if (!there || !source_paths_exists(there)) is_lost(r, i);
    return 0;
}

/* What is said of a file beside its path. Its parent may come later: plan_parents. */
static void copy_file(struct filter_run *r, uint32_t i, assay_file_id id)
{
    const struct schema_table *t = &schema_tables[SCHEMA_T_FILES];
    union schema_cell cells[SCHEMA_COLUMNS_MAX];
    schema_row(r->p, t, i, cells);
    for (unsigned c = 0; c < t->count; c++) {
        if (t->columns[c].type == SCHEMA_STRING) cells[c].u = profile_copy_string(r->p, r->b, (uint32_t)cells[c].u).v;
        if (t->columns[c].role == SCHEMA_KEY) cells[c].u = 0;
    }
    builder_fill(r->b, SCHEMA_T_FILES, id.v, cells);
}

static void plan_parents(struct filter_run *r)
{
    const struct assay_files *f = assay_profile_files(r->p);
    for (uint32_t i = 1; f->parent && i < r->files; i++) {
        assay_file_id id = r->copy.file[i], parent = r->copy.file[f->parent[i].v];
        if (id.v && parent.v && id.v != parent.v && r->first_of[id.v] == i) assay_build_file_parent(r->b, id, parent, AT(f->parent_line, i), AT(f->flags, i));
    }
}

/* A source that is shorter, or longer, than the script that ran is another one. */
static int use_lines(struct filter_run *r, uint32_t i, const struct source_text *text, const char *path, assay_error *err)
{
    struct offset_text *t = &r->texts[i];
    if (!offset_text_make(t, text, &r->mem)) return error_memory(err);
    const struct extent *e = &r->extent[i];
    if (e->last == t->units || (e->last < t->units && !e->is_whole)) return 0;
    findings_add(&r->found, "P-6", ASSAY_WARNING, FINDING_NO_OFFSET, 0,
                 "the source of '%.200s' has %u characters, but the script that ran had %llu: its lines are unknown", path, t->units,
                 (unsigned long long)e->last);
    offset_text_done(t, &r->mem);
    return 0;
}

/* What the source says of its own lines, and where they are if that is not known. */
static int use_source(struct filter_run *r, uint32_t i, const char *path, assay_error *err)
{
    SCOPED(source_text_done) struct source_text text = { 0 };
    TRY(source_text_load(&text, &r->paths, r->p, i, &r->mem, err));
    if (!text.path && !r->filter->source_root_count) is_lost(r, i);
    bool has_marks = r->filter->marks || exclusion_rules_any(&r->rules);
    if (text.path && has_marks && !exclusion_find(&text, path, r->filter->marks, &r->rules, &r->mem, &r->marks[i], &r->found)) return error_memory(err);
    if (text.path && r->extent[i].last) TRY(use_lines(r, i, &text, path, err));
    return 0;
}

static int plan_file(struct filter_run *r, uint32_t i, assay_error *err)
{
    const struct assay_files *f = assay_profile_files(r->p);
    const char *path = r->path[i];
    r->copy.is_dropped[i] = !is_wanted(r, slice_of(path));
    if (r->copy.is_dropped[i]) return 0;
    assay_file_id id = assay_build_file(r->b, assay_build_string(r->b, path, strlen(path)), (assay_module_id){ ID(f->module, i) });
    if (!id.v) return assay_builder_failed(r->b);
    r->copy.file[i] = id;
    if (r->first_of[id.v])
        findings_add(&r->found, "P-2", ASSAY_INFO, FINDING_NO_OFFSET, 0, "'%.200s' and '%.200s' are the same file", text_of(r, f->path[r->first_of[id.v]]),
                     text_of(r, f->path[i]));
    else {
        r->first_of[id.v] = i;
        copy_file(r, i, id);
    }
    bool has_source = f->source && f->source[i].v;
    bool needs_lines = r->extent[i].last && (has_source || r->filter->source_root_count || r->filter->lines);
    return r->filter->marks || exclusion_rules_any(&r->rules) || needs_lines ? use_source(r, i, path, err) : 0;
}

static int check_patterns(const struct assay_filter *f, assay_error *err)
{
    for (size_t i = 0; i < f->include_count; i++)
        if (!f->includes[i][0]) FAIL(err, ASSAY_ERR_USAGE, "empty pattern of files to include");
    for (size_t i = 0; i < f->exclude_count; i++)
        if (!f->excludes[i][0]) FAIL(err, ASSAY_ERR_USAGE, "empty pattern of files to exclude");
    for (size_t i = 0; i < f->file_count; i++)
        if (!f->files[i][f->files[i][0] == '!']) FAIL(err, ASSAY_ERR_USAGE, "empty file pattern");
    return 0;
}

static void judge_patterns(struct filter_run *r)
{
    const struct assay_filter *f = r->filter;
    size_t kept = 0;
    for (uint32_t i = 1; i < r->files; i++) kept += !r->copy.is_dropped[i];
    if (!kept && r->files > 1) findings_add(&r->found, "P-4", ASSAY_WARNING, FINDING_NO_OFFSET, 0, "the file patterns exclude all %zu files", r->files - 1);
    for (size_t i = 0; i < r->patterns; i++)
        if (!r->is_used[i])
            findings_add(&r->found, "P-5", ASSAY_INFO, FINDING_NO_OFFSET, 0, "no file matches '%.200s'",
                         i < f->include_count                      ? f->includes[i]
                         : i < f->include_count + f->exclude_count ? f->excludes[i - f->include_count]
                                                                   : f->files[i - f->include_count - f->exclude_count]);
    if (f->focus_count || f->ignore_count || f->hide_count || f->collapse_count || f->show_count || f->show_from_count || f->focus_self_count ||
        f->hide_path_count || select_has_labels(f) || f->module_count || f->stream_count || f->time)
        findings_add(&r->found, "FI-7", ASSAY_WARNING, FINDING_NO_OFFSET, 0, "coverage can only be filtered by file: cost filters are ignored");
}

/* One line for all files, however many there are. */
static void judge_lost(struct filter_run *r)
{
    char more[48] = "";
    if (!r->lost) return;
    const char *path = source_paths_plain(&r->paths, written_of(r, r->lost_at));
    if (r->lost > 1) snprintf(more, sizeof more, " and %zu more file%s", r->lost - 1, r->lost == 2 ? "" : "s");
    findings_add(&r->found, "P-1", ASSAY_WARNING, FINDING_NO_OFFSET, 0,
                 r->filter->source_root_count ? "no source found under the source roots for '%.200s'%s"
                 : r->extent[r->lost_at].last ? "no source found for '%.200s'%s: lines are unknown"
                                              : "no source found for '%.200s'%s: exclusion markers are unknown",
                 path ? path : "", more);
}

static void judge_throw_branches(struct filter_run *r)
{
    const struct assay_coverage *c = assay_profile_coverage(r->p);
    if (!r->filter->throw_branches || !c->branch_count) return;
    for (uint32_t i = 0; i < c->branch_count; i++)
        if (AT(c->branch_flags, i) & ASSAY_COVERAGE_BRANCH_EXCEPTION) return;
    findings_add(&r->found, "M-7", ASSAY_WARNING, FINDING_NO_OFFSET, 0, "no branches are marked as exception branches: none left out");
}

/* ---- the whole ---- */

/* Which files have offsets in place of lines. */
static void find_extents(struct filter_run *r)
{
    const struct assay_coverage *c = assay_profile_coverage(r->p);
    for (uint32_t i = 0; i < c->region_count; i++) {
        struct extent *e = &r->extent[ID(c->region_file, i)];
        if (!coverage_offsets_has(c, i) || c->region_last[i] < e->last) continue;
        e->last = c->region_last[i];
        e->is_whole = coverage_offsets_is_script(r->p, i);
    }
    for (uint32_t i = 0; i < c->line_count; i++) r->extent[c->line_file[i].v].last = 0;
}

/* Marks that depend on the figures of the line. */
static int settle_marks(struct filter_run *r, assay_error *err)
{
    const struct assay_files *f = assay_profile_files(r->p);
    SCOPED(coverage_view_done) struct coverage_view v = { 0 };
    bool is_any = false;
    for (size_t i = 0; i < r->files; i++) is_any |= r->marks[i].unhit.len > 0;
    if (!is_any) return 0;
    TRY(coverage_view_init(&v, &r->mem, r->p, err));
    for (uint32_t i = 1; i < r->files; i++) {
        TRY(cancel_step(i, err));
        if (!r->marks[i].unhit.len) continue;
        TRY(coverage_view_file(&v, i, err));
        exclusion_settle(&r->marks[i], &v, text_of(r, f->path[i]), &r->found);
    }
    return 0;
}

static int fill(struct filter_run *r, assay_error *err)
{
    TRY(source_paths_init(&r->paths, r->p, r->filter, &r->mem, err));
    r->is_used = mem_zalloc(&r->mem, r->patterns + 1, 1);
    r->first_of = mem_zalloc(&r->mem, r->files, sizeof *r->first_of);
    r->copy.file = mem_zalloc(&r->mem, r->files, sizeof *r->copy.file);
    r->copy.is_dropped = mem_zalloc(&r->mem, r->files, 1);
    r->marks = mem_zalloc(&r->mem, r->files, sizeof *r->marks);
    r->texts = mem_zalloc(&r->mem, r->files, sizeof *r->texts);
    r->path = mem_zalloc(&r->mem, r->files, sizeof *r->path);
    r->extent = mem_zalloc(&r->mem, r->files, sizeof *r->extent);
    if (!r->is_used || !r->first_of || !r->copy.file || !r->copy.is_dropped || !r->marks || !r->texts || !r->extent || !r->path) return error_memory(err);
    TRY(exclusion_rules_init(&r->rules, r->filter, &r->mem, err));
    find_extents(r);
    profile_copy_table(r->p, r->b, SCHEMA_T_MODULES);
    r->copy.marks = r->marks;
    r->copy.texts = r->texts;
    r->copy.found = &r->found;
    r->copy.throw_branches = r->filter->throw_branches;
    r->copy.is_dropped[0] = r->filter->include_count > 0 || r->filter->file_count > 0;
    for (uint32_t i = 1; i < r->files; i++) {
        TRY(cancel_step(i, err));
        TRY(resolve(r, i, err));
    }
    for (uint32_t i = 1; i < r->files; i++) {
        TRY(cancel_step(i, err));
        TRY(infer(r, i, err));
    }
    for (uint32_t i = 1; i < r->files; i++) {
        TRY(cancel_step(i, err));
        TRY(plan_file(r, i, err));
    }
    plan_parents(r);
    judge_lost(r);
    judge_throw_branches(r);
    judge_patterns(r);
    TRY(settle_marks(r, err));
    TRY(coverage_copy_rows(&r->copy, err));
    TRY(coverage_copy_facts(&r->copy));
    for (size_t i = 0; i < r->found.list.len; i++) assay_build_warning(r->b, &r->found.list.at[i]);
    return r->found.failed ? error_memory(err) : assay_builder_failed(r->b);
}

static void run_done(struct filter_run *r)
{
    coverage_copy_done(&r->copy);
    for (size_t i = 0; r->marks && i < r->files; i++) exclusion_done(&r->marks[i], &r->mem);
    for (size_t i = 0; r->texts && i < r->files; i++) offset_text_done(&r->texts[i], &r->mem);
    mem_free(&r->mem, r->marks, r->files * sizeof *r->marks);
    mem_free(&r->mem, r->texts, r->files * sizeof *r->texts);
    mem_free(&r->mem, r->extent, r->files * sizeof *r->extent);
    mem_free(&r->mem, r->copy.file, r->files * sizeof *r->copy.file);
    mem_free(&r->mem, r->copy.is_dropped, r->files);
    mem_free(&r->mem, r->first_of, r->files * sizeof *r->first_of);
    mem_free(&r->mem, r->is_used, r->patterns + 1);
    mem_free(&r->mem, r->path, r->files * sizeof *r->path);
    vec_done(&r->mem, &r->prefixes.list);
    exclusion_rules_done(&r->rules);
    findings_done(&r->found);
    source_paths_done(&r->paths);
}

static int apply(const assay_profile *p, const struct assay_filter *filter, assay_profile **out, assay_error *err)
{
    struct filter_run r = { .p = p,
                            .filter = filter,
                            .files = (size_t)assay_profile_files(p)->count + 1,
                            .patterns = filter->include_count + filter->exclude_count + filter->file_count };
    mem_init(&r.mem, (size_t)filter->max_memory);
    findings_init(&r.found, &r.mem);
    r.b = assay_builder_new(&(struct assay_build_options){ .want = ASSAY_WANT_COVERAGE, .max_memory = filter->max_memory }, err);
    if (!r.b) return err->code;
    r.copy = (struct coverage_copy){ .from = p, .to = r.b, .mem = &r.mem };
    int rc = fill(&r, err);
    run_done(&r);
    if (rc == 0 || assay_builder_failed(r.b)) {
        *out = assay_builder_seal(r.b, err);
        return *out ? 0 : err->code;
    }
    assay_builder_free(r.b);
    return rc;
}

int filter_apply(assay_profile *p, const struct assay_filter *given, uint32_t want, assay_profile **out, assay_error *err)
{
    uint32_t shapes = assay_profile_shapes(p) | assay_profile_offers(p);
    struct assay_filter full, *filter = &full;
    *out = NULL;
    TRY(OPTIONS_TAKE(struct assay_filter, exclude_line_count, &full, given, err));
    TRY(check_patterns(filter, err));
    bool is_coverage = shapes & ASSAY_SHAPE_COVERAGE;
    if (!is_coverage && !select_is_asked(filter)) {
        *out = assay_profile_retain(p);
        return 0;
    }
    int rc = is_coverage ? apply(p, filter, out, err) : select_apply(p, filter, want, out, err);
    return rc == 0 ? 0 : cancel_end(rc, err); /* after success it was asked at the seal */
}

int assay_filter_apply(assay_profile *p, const struct assay_filter *filter, assay_profile **out, assay_error *err)
{
    assay_error local;
    return filter_apply(p, filter, ASSAY_WANT_ALL, out, error_enter(err, &local));
}

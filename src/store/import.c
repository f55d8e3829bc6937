/* Coverage of a commit -> objects -> a branch that names them; see import.h. Objects are written as one batch before the reference is locked;
 * if somebody else moved it meanwhile, only the REPORT is made again, with the new parent, under the lock. */
#include "store/import.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/cancel.h"
#include "base/order.h"
#include "base/scoped.h"
#include "base/sort.h"
#include "store/import_parts.h"
#include "store/props.h"

/* ---- one file ---- */

static int by_place(const void *x, const void *y)
{
    const struct cov_function *a = x, *b = y;
    ORDER_BY(a->first_line, b->first_line);
    ORDER_BY(a->last_line, b->last_line);
    int c = slice_compare(a->demangled, b->demangled);
    return c ? c : slice_compare(a->name, b->name);
}

/* Readers refuse functions that end before they start: the end is raised, unless the original's ids are wanted. */
static void mend(struct cov_function *f)
{
    if (f->last_line < f->first_line) {
        f->last_line = f->first_line;
        f->last_column = f->first_column;
    } else if (f->last_line == f->first_line && f->last_column < f->first_column)
        f->last_column = f->first_column;
}

int import_put_details(struct importer *m, struct cov_lines *l, struct cov_functions *f, struct cov_file *out, assay_error *err)
{
    if (!m->options->exact)
        for (size_t i = 0; i < f->count; i++) mend(&f->at[i]);
    if (f->count) sort_by(f->at, f->count, sizeof *f->at, by_place);
    TRY(store_write(m->s, &(struct cov_object){ .kind = COV_LINES, .lines = *l }, &out->lines.id, err));
    TRY(store_write(m->s, &(struct cov_object){ .kind = COV_FUNCTIONS, .functions = *f }, &out->functions.id, err));
    out->lines.summary = cov_lines_sum(l);
    return cov_functions_sum(f, m->s->mem, &out->functions.summary) ? 0 : error_memory(err);
}

static int import_one(struct importer *m, const struct import_file *f, struct cov_file *out, bool *is_skipped, assay_error *err)
{
    struct import_source source;
    struct cov_lines lines = { .at = f->lines, .count = f->line_count };
    struct cov_functions functions = { f->functions, f->function_count };
    TRY(import_find_source(m, f, &source, err));
    *is_skipped = source.is_skipped;
    if (source.is_skipped) return 0;
    uint32_t last = f->line_count ? f->lines[f->line_count - 1].line : 0;
    /* one too early where the text is not known: the program cov counts so, and it is in the ids */
    uint32_t least = last ? last - 1 : 0;
    lines.last_line = source.line_count > least ? source.line_count : least;
    *out = (struct cov_file){ .path = f->path, .contents = source.contents, .lines_total = lines.last_line };
    return import_put_details(m, &lines, &functions, out, err);
}

/* ---- all files ---- */

static void add_u32(uint32_t *sum, uint32_t v) { *sum = v > UINT32_MAX - *sum ? UINT32_MAX : *sum + v; }

static void add_pair(assay_store_pair *sum, const assay_store_pair *p)
{
    add_u32(&sum->relevant, p->relevant);
    add_u32(&sum->visited, p->visited);
}

void import_add_stats(assay_store_stats *sum, const struct cov_file *f)
{
    add_u32(&sum->lines_total, f->lines_total);
    add_pair(&sum->lines, &f->lines.summary);
    add_pair(&sum->functions, &f->functions.summary);
    add_pair(&sum->branches, &f->branches.summary);
}

struct sorted {
    struct cov_file file;
    size_t number;
};

static int by_path(const void *x, const void *y)
{
    const struct sorted *a = x, *b = y;
    int c = slice_compare(a->file.path, b->file.path);
    return c ? c : ORDER(a->number, b->number);
}

/* By path; of those with one path the last stays. */
static int sort_files(struct importer *m, assay_error *err)
{
    size_t n = 0;
    SCRATCH(struct sorted, all, m->s->mem, m->file_count);
    if (!all) return error_memory(err);
    for (size_t i = 0; i < m->file_count; i++) all[i] = (struct sorted){ m->files[i], i };
    sort_by(all, m->file_count, sizeof *all, by_path);
    for (size_t i = 0; i < m->file_count; i++) {
        n -= n && slice_equal(m->files[n - 1].path, all[i].file.path);
        m->files[n++] = all[i].file;
    }
    m->file_count = n;
    return 0;
}

static int import_files(struct importer *m, assay_error *err)
{
    m->files = arena_alloc(&m->arena, m->in->file_count * sizeof *m->files);
    if (!m->files) return error_memory(err);
    for (size_t i = 0; i < m->in->file_count; i++) {
        TRY(cancel_step(i, err));
        bool is_skipped;
        TRY(import_one(m, &m->in->files[i], &m->files[m->file_count], &is_skipped, err));
        if (is_skipped) continue;
        import_add_stats(&m->stats, &m->files[m->file_count]);
        m->file_count++;
    }
    size_t all = m->file_count;
    TRY(sort_files(m, err));
    if (m->file_count == all || m->options->exact) return 0;
    FAIL(err, ASSAY_ERR_USAGE, "a file is listed twice; merge the inputs first");
}

static int put_list(struct importer *m, assay_store_id *out, assay_error *err)
{
    struct cov_object list = { .kind = COV_FILES, .files = { .ext = m->file_count > 0, .at = m->files, .count = m->file_count } };
    return store_write(m->s, &list, out, err);
}

/* ---- the report ---- */

static assay_store_id padded(assay_slice hex)
{
    char digits[COV_ID_HEX];
    assay_store_id id = { { 0 } };
    memset(digits, '0', sizeof digits);
    memcpy(digits, hex.data, hex.len < sizeof digits ? hex.len : sizeof digits);
    (void)cov_id_parse((assay_slice){ digits, sizeof digits }, &id);
    return id;
}

static int make_report(struct importer *m, assay_error *err)
{
    uint64_t now = m->options->now ? m->options->now : store_now();
    size_t before = m->has_base ? m->base.o.report.build_count : 0;
    struct cov_report *r = &m->report;
    struct cov_object build = { .kind = COV_BUILD, .build = { m->build_list, now, m->in->propset, m->stats } };
    TRY(store_write(m->s, &build, &m->build, err));
    r->added = now;
    r->branch = m->in->git_branch;
    r->author_name = m->commit.author_name;
    r->author_email = m->commit.author_email;
    r->committer_name = m->commit.committer_name;
    r->committer_email = m->commit.committer_email;
    r->message = m->commit.message;
    r->commit = m->options->exact ? padded(m->in->git_head) : m->commit.id;
    r->committed = m->commit.committed;
    r->builds = arena_alloc(&m->arena, (before + 1) * sizeof *r->builds);
    if (!r->builds) return error_memory(err);
    if (before) memcpy(r->builds, m->base.o.report.builds, before * sizeof *r->builds);
    r->builds[before] = (assay_store_build){ m->build, m->in->propset, m->stats };
    r->build_count = before + 1;
    return 0;
}

static int put_report(struct importer *m, assay_store_id *out, assay_error *err)
{
    return store_write(m->s, &(struct cov_object){ .kind = COV_REPORT, .report = m->report }, out, err);
}

/* ---- against the tip ---- */

static bool same_file(const struct cov_file *a, const struct cov_file *b)
{
    return slice_equal(a->path, b->path) && cov_id_compare(&a->contents, &b->contents) == 0 && a->lines_total == b->lines_total &&
           memcmp(&a->lines.summary, &b->lines.summary, sizeof a->lines.summary) == 0 &&
           memcmp(&a->functions.summary, &b->functions.summary, sizeof a->functions.summary) == 0 &&
           memcmp(&a->branches.summary, &b->branches.summary, sizeof a->branches.summary) == 0;
}

/* The original's rule: equal statistics of equal files are no change, whichever lines were hit. */
static int has_same_files(struct importer *m, const struct cov_report *r, bool *out, assay_error *err)
{
    *out = cov_id_compare(&r->file_list, &m->report.file_list) == 0;
    if (*out) return 0;
    SCOPED(store_object_done) struct store_object list;
    TRY(store_read(m->s, &r->file_list, COV_FILES, &list, err));
    *out = list.o.files.count == m->file_count;
    for (size_t i = 0; *out && i < m->file_count; i++) *out = same_file(&list.o.files.at[i], &m->files[i]);
    return 0;
}

/* The same files, lines and functions, of a build with the same properties. */
static int has_same_build(struct importer *m, const struct cov_report *r, bool *out, assay_error *err)
{
    *out = false;
    if (cov_id_compare(&r->file_list, &m->report.file_list) != 0 || r->build_count != 1) return 0;
    return props_same(r->builds[0].propset, m->in->propset, m->s->mem, out, err);
}

/* Whether the parent says the same of the same commit. */
static int is_no_change(struct importer *m, const assay_store_id *parent, bool *out, assay_error *err)
{
    *out = false;
    if (cov_id_is_zero(parent) || m->options->add) return 0;
    SCOPED(store_object_done) struct store_object p;
    TRY(store_read(m->s, parent, COV_REPORT, &p, err));
    const struct cov_report *r = &p.o.report;
    if (cov_id_compare(&r->commit, &m->report.commit) != 0 || !slice_equal(r->branch, m->report.branch)) return 0;
    return m->options->by_stats ? has_same_files(m, r, out, err) : has_same_build(m, r, out, err);
}

/* The parent that a report on top of (or, with amend, in place of) this tip has. */
static int parent_of(struct importer *m, const struct ref_value *tip, assay_store_id *out, assay_error *err)
{
    *out = (assay_store_id){ { 0 } };
    bool replaces = m->options->amend || m->options->add;
    if (tip->kind != REF_ID) {
        if (replaces) FAIL(err, ASSAY_ERR_USAGE, "you have nothing to amend");
        return 0;
    }
    *out = tip->id;
    if (!replaces) return 0;
    SCOPED(store_object_done) struct store_object o;
    TRY(store_read(m->s, &tip->id, COV_REPORT, &o, err));
    *out = o.o.report.parent;
    return 0;
}

static void subject(const struct importer *m, char *buf, size_t len)
{
    size_t n = m->report.message.len ? strcspn(m->report.message.data, "\n") : 0;
    if (n > m->report.message.len) n = m->report.message.len;
    snprintf(buf, len, "%s: %.*s",
             m->options->amend ? "report (amend)"
             : m->options->add ? "report (add)"
                               : "report",
             (int)(n < 300 ? n : 300), n ? m->report.message.data : "");
}

/* Under the lock: nobody else moves the reference now. */
static int move(struct importer *m, struct ref_lock *lock, struct import_result *out, assay_error *err)
{
    assay_store_id parent;
    bool same;
    char why[400];
    struct ref_value tip = lock->old;
    TRY(parent_of(m, &tip, &parent, err));
    TRY(is_no_change(m, &parent, &same, err));
    out->parent = parent;
    if (same) {
        out->outcome = IMPORT_NO_CHANGE;
        out->report = parent;
        return 0;
    }
    if (m->options->add && cov_id_compare(&tip.id, &out->base) != 0) FAIL(err, ASSAY_ERR_LIMIT, "the branch moved while the build was being added; try again");
    if (cov_id_compare(&parent, &m->report.parent) != 0 || cov_id_is_zero(&out->report)) {
        m->report.parent = parent;
        TRY(put_report(m, &out->report, err));
        TRY(store_sync(m->s, err));
    }
    subject(m, why, sizeof why);
    return ref_lock_set(lock, &out->report, why, err);
}

static int finish(struct importer *m, struct import_result *out, assay_error *err)
{
    struct ref_value tip;
    struct ref_lock lock;
    bool same = false;
    TRY(refs_follow(m->s, "HEAD", &tip, out->branch, err));
    TRY(parent_of(m, &tip, &m->report.parent, err));
    TRY(is_no_change(m, &m->report.parent, &same, err));
    /* what has not changed need not be written, but the original does */
    if (same && !m->options->exact) {
        out->outcome = IMPORT_NO_CHANGE;
        out->report = out->parent = m->report.parent;
        return 0;
    }
    if (!same) TRY(put_report(m, &out->report, err));
    TRY(store_sync(m->s, err));
    TRY(ref_lock(m->s, out->branch, &lock, err));
    int rc = move(m, &lock, out, err);
    ref_lock_release(&lock);
    return rc;
}

/* ---- the whole ---- */

/* With `add`: the report at the tip, whose builds stay. */
static int open_base(struct importer *m, struct import_result *out, assay_error *err)
{
    struct ref_value tip;
    if (!m->options->add) return 0;
    TRY(refs_follow(m->s, "HEAD", &tip, NULL, err));
    if (tip.kind != REF_ID) FAIL(err, ASSAY_ERR_USAGE, "there is no report to add a build to");
    TRY(store_read(m->s, &tip.id, COV_REPORT, &m->base, err));
    m->has_base = true;
    out->base = tip.id;
    if (cov_id_compare(&m->base.o.report.commit, &m->commit.id) != 0)
        FAIL(err, ASSAY_ERR_USAGE, "the report at the tip is for another commit: a build can only be added to a report for the same commit");
    return 0;
}

static int run(struct importer *m, struct import_result *out, assay_error *err)
{
    const char *root = git_root(m->git);
    if (root) m->root = realpath(root, NULL);
    assay_slice head = m->in->git_head;
    int rc = git_commit_find(m->git, head, &m->arena, &m->commit, err);
    if (rc == ASSAY_ERR_UNKNOWN || rc == ASSAY_ERR_AMBIGUOUS)
        return error_set(err, rc, "cannot find the git commit '%.*s'", (int)(head.len < 60 ? head.len : 60), head.len ? head.data : "");
    if (rc != 0) return rc;
    TRY(open_base(m, out, err));
    TRY(import_files(m, err));
    TRY(put_list(m, &m->build_list, err));
    m->report.file_list = m->build_list;
    m->report.stats = m->stats;
    TRY(make_report(m, err));
    if (m->has_base) {
        TRY(import_join(m, err));
        TRY(put_list(m, &m->report.file_list, err));
        m->report.stats = (assay_store_stats){ 0 };
        for (size_t i = 0; i < m->file_count; i++) import_add_stats(&m->report.stats, &m->files[i]);
    }
    return finish(m, out, err);
}

int store_import(struct store *s, struct git *g, const struct import_input *in, const struct import_options *options, struct import_result *out,
                 assay_error *err)
{
    struct importer m = { .s = s, .git = g, .in = in, .options = options };
    memset(out, 0, sizeof *out);
    arena_init(&m.arena, s->mem);
    int rc = run(&m, out, err);
    out->file_count = m.file_count;
    if (rc != 0 || out->outcome == IMPORT_NO_CHANGE) store_forget(s);
    store_release(s);
    if (m.has_base) store_object_done(&m.base);
    free(m.root);
    arena_done(&m.arena);
    return rc;
}

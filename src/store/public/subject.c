/* What is looked at; see subject.h. */
#include "store/public/subject.h"

#include <stdio.h>
#include <string.h>

#include "base/options.h"
#include "base/scoped.h"
#include "store/props.h"

static int read_list(struct subject *v, const assay_store_id *id, assay_error *err)
{
    TRY(store_read(v->h->s, id, COV_FILES, &v->list, err));
    v->has_list = true;
    return 0;
}

static int read_subject(struct subject *v, const char *typed, assay_error *err)
{
    const assay_store_id *id = &v->range.to;
    if (cov_id_is_zero(id) || (v->range.text.is_range && cov_id_is_zero(&v->range.from)))
        FAIL(err, ASSAY_ERR_UNKNOWN, "'%s' is before the first report, or its ends have no common ancestor", typed);
    TRY(store_read(v->h->s, id, COV_NONE, &v->subject, err));
    v->has_subject = true;
    switch (subject_kind(v)) {
    case COV_REPORT: return read_list(v, &v->subject.o.report.file_list, err);
    case COV_BUILD: return read_list(v, &v->subject.o.build.file_list, err);
    case COV_FILES: return 0;
    default: FAIL(err, ASSAY_ERR_UNKNOWN, "this object is not a report, a build or a file list");
    }
}

/* How many builds of the report have the properties, and the last of them. */
static int count_builds(struct subject *v, size_t *found, size_t *which, assay_error *err)
{
    const struct cov_report *r = &v->subject.o.report;
    struct mem *mem = &v->h->mem;
    SCOPED(props_done) struct props wanted;
    props_init(&wanted, mem);
    for (size_t i = 0; i < v->part.prop_count; i++) TRY(props_add(&wanted, v->part.props[i], err));
    for (size_t i = 0; i < r->build_count; i++) {
        SCOPED(props_done) struct props has;
        props_init(&has, mem);
        TRY(props_parse(&has, r->builds[i].propset, err));
        if (props_have(&has, &wanted)) ++*found, *which = i;
    }
    return 0;
}

/* The list of a single build of the report, when properties ask for one. */
static int choose_build(struct subject *v, assay_error *err)
{
    const struct cov_report *r = &v->subject.o.report;
    struct store_object o;
    size_t found = 0, which = 0;
    if (!v->part.prop_count) return 0;
    if (subject_kind(v) != COV_REPORT) FAIL(err, ASSAY_ERR_USAGE, "only reports have builds with properties");
    TRY(count_builds(v, &found, &which, err));
    if (found != 1) FAIL(err, ASSAY_ERR_UNKNOWN, "%zu of the %zu builds of the report match these properties; exactly one must", found, r->build_count);
    if (store_read(v->h->s, &r->builds[which].build, COV_BUILD, &o, NULL) != 0) FAIL(err, ASSAY_ERR_DAMAGED, "cannot read the build");
    assay_store_id list = o.o.build.file_list;
    store_object_done(&o);
    store_object_done(&v->list);
    v->has_list = false;
    return read_list(v, &list, err);
}

/* The report on the left: of a range, or the parent. None for the first report, and for what is no report. */
static int read_before(struct subject *v, assay_error *err)
{
    struct store_object o;
    if (subject_kind(v) != COV_REPORT || v->part.prop_count) return 0;
    assay_store_id id = v->range.text.is_range ? v->range.from : v->subject.o.report.parent;
    if (cov_id_is_zero(&id)) return 0;
    TRY(store_read(v->h->s, &id, COV_REPORT, &o, err));
    v->now_commit = v->subject.o.report.commit;
    v->before_commit = o.o.report.commit;
    id = o.o.report.file_list;
    store_object_done(&o);
    TRY(store_read(v->h->s, &id, COV_FILES, &v->before, err));
    v->has_before = true;
    return 0;
}

/* Of the work tree when it is at the commit of the report, else of the commit. */
static int read_modules(struct subject *v, assay_error *err)
{
    assay_store_id head;
    char path[GIT_PATH_LEN];
    struct git *g = subject_kind(v) == COV_REPORT ? handle_git(v->h, NULL) : NULL;
    if (!g) return 0;
    const char *tree = git_root(g);
    bool is_current = tree && git_head(g, &head, NULL) == 0 && cov_id_compare(&head, &v->subject.o.report.commit) == 0;
    if (!is_current) return modules_load_commit(&v->modules, g, &v->subject.o.report.commit, err);
    return snprintf(path, sizeof path, "%s.covmodules", tree) < (int)sizeof path ? modules_load(&v->modules, path, err) : 0;
}

static int compare(struct subject *v, assay_error *err)
{
    struct git *g = v->has_before ? handle_git(v->h, NULL) : NULL;
    struct changes_view what = { .now = subject_files(v), .before = v->has_before ? &v->before.o.files : NULL, .modules = &v->modules };
    if (g) TRY(changes_find_renames(&v->changes, g, &v->before_commit, &v->now_commit, err));
    if (v->part.module) what.module = slice_of(v->part.module);
    what.path = v->range.text.path;
    TRY(changes_compare(&v->changes, &what, err));
    if ((v->path.len || v->part.module) && !v->changes.matched && subject_kind(v) == COV_REPORT)
        FAIL(err, ASSAY_ERR_UNKNOWN, "no file of the report matches the %s", v->part.module ? "module" : "path");
    return 0;
}

int subject_open(struct subject *v, assay_store *h, const char *revision, const struct assay_store_part *part, assay_error *err)
{
    const char *typed = revision ? revision : "HEAD";
    *v = (struct subject){ .h = h };
    modules_init(&v->modules, &h->mem);
    changes_init(&v->changes, &h->mem);
    TRY(options_take(&v->part, sizeof v->part, part, err));
    TRY(revision_range(h->s, typed, true, &v->range, err));
    v->path = v->range.text.path;
    while (v->path.len && v->path.data[v->path.len - 1] == '/') v->path.len--;
    TRY(read_subject(v, typed, err));
    TRY(choose_build(v, err));
    TRY(read_before(v, err));
    TRY(read_modules(v, err));
    TRY(compare(v, err));
    v->file = v->path.len ? changes_find(subject_files(v), v->path) : NULL;
    return 0;
}

void subject_done(struct subject *v)
{
    if (v->has_subject) store_object_done(&v->subject);
    if (v->has_list) store_object_done(&v->list);
    if (v->has_before) store_object_done(&v->before);
    modules_done(&v->modules);
    changes_done(&v->changes);
}

int subject_details(const struct subject *v, const assay_store_id *id, enum cov_kind kind, struct store_object *out, bool *found, assay_error *err)
{
    *found = !cov_id_is_zero(id);
    int rc = *found ? store_read(v->h->s, id, kind, out, err) : 0;
    *found = *found && rc == 0;
    return v->part.strict || rc == ASSAY_ERR_MEMORY ? rc : 0;
}

int subject_text(const struct subject *v, const struct cov_file *f, struct arena *a, assay_slice *out, assay_error *err)
{
    struct git *g = handle_git(v->h, NULL);
    if (g && git_blob_read(g, &f->contents, a, out, NULL) == 0) return 0;
    return store_read_blob(v->h->s, &f->contents, a, out, err);
}

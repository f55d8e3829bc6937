/* What a sound layout can still say wrong: rules C30 to C34; and the check of a single object. */
#include "base/index.h"
#include "base/plural.h"
#include "base/scoped.h"
#include "formats/cov/cov.h"

static void check_pair(const assay_store_pair *p, const char *what, assay_slice of, struct findings *f)
{
    if (p->visited > p->relevant)
        findings_add(f, "C30", ASSAY_ERROR, FINDING_NO_OFFSET, 0, "%.*s: %u %s visited, but only %u are relevant", (int)of.len, of.data, p->visited, what,
                     p->relevant);
}

static void check_stats(const assay_store_stats *s, assay_slice of, struct findings *f)
{
    check_pair(&s->lines, "lines", of, f);
    check_pair(&s->functions, "functions", of, f);
    check_pair(&s->branches, "branches", of, f);
    if (s->lines.relevant > (uint64_t)s->lines_total + 1)
        findings_add(f, "C34", ASSAY_WARNING, FINDING_NO_OFFSET, 0, "%.*s: %u relevant lines, but only %u line%s", (int)of.len, of.data, s->lines.relevant,
                     s->lines_total, plural(s->lines_total));
}

static bool is_unsafe(assay_slice path)
{
    if (!path.len || path.data[0] == '/' || memchr(path.data, '\\', path.len)) return true;
    for (const char *p = path.data, *end = p + path.len; p < end;) {
        const char *slash = memchr(p, '/', (size_t)(end - p));
        assay_slice part = slice_from(p, slash ? slash : end);
        if (slice_is(part, "..")) return true;
        p = slash ? slash + 1 : end;
    }
    return false;
}

/* Entries that ascend cannot come twice; only lists that do not are looked at more closely. */
static void check_order(const struct cov_files *l, struct findings *f)
{
    bool ascends = true;
    for (size_t i = 1; ascends && i < l->count; i++) ascends = slice_compare(l->at[i - 1].path, l->at[i].path) < 0;
    if (ascends) return;
    SCOPED(index_done) struct index ix;
    index_init(&ix, f->text.mem);
    bool twice = false;
    for (size_t i = 0; i < l->count && !twice; i++) {
        uint64_t hash = hash_bytes(l->at[i].path.data, l->at[i].path.len);
        for (struct index_walk w = index_walk(&ix, hash); !twice && index_next(&ix, &w);) twice = slice_equal(l->at[w.id - 1].path, l->at[i].path);
        if (twice)
            findings_add(f, "C31", ASSAY_ERROR, FINDING_NO_OFFSET, 0, "the path '%.*s' is listed twice", (int)l->at[i].path.len, l->at[i].path.data);
        else if (!index_add(&ix, hash, (uint32_t)i + 1))
            f->failed = twice = true;
    }
    if (!twice) findings_add(f, "C32", ASSAY_WARNING, FINDING_NO_OFFSET, 0, "paths are not sorted");
}

static void check_files(const struct cov_files *l, struct findings *f)
{
    check_order(l, f);
    for (size_t i = 0; i < l->count; i++) {
        const struct cov_file *e = &l->at[i];
        if (is_unsafe(e->path)) findings_add(f, "C33", ASSAY_WARNING, FINDING_NO_OFFSET, 0, "unsafe path '%.*s'", (int)e->path.len, e->path.data);
        check_stats(&(assay_store_stats){ e->lines_total, e->lines.summary, e->functions.summary, e->branches.summary }, e->path, f);
    }
}

void cov_object_check(const struct cov_object *o, struct findings *findings)
{
    switch (o->kind) {
    case COV_REPORT:
        check_stats(&o->report.stats, SLICE("report"), findings);
        for (size_t i = 0; i < o->report.build_count; i++) check_stats(&o->report.builds[i].stats, SLICE("build entry"), findings);
        break;
    case COV_BUILD: check_stats(&o->build.stats, SLICE("build"), findings); break;
    case COV_FILES: check_files(&o->files, findings); break;
    default: break;
    }
}

int cov_check(const struct read_job *job, enum cov_dialect dialect, struct findings *out, assay_error *err)
{
    SCOPED(cov_loaded_done) struct cov_loaded l = { 0 };
    TRY(cov_load(job, dialect, &l, out, err));
    cov_object_check(&l.o, out);
    return 0;
}

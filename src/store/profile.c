/* A store as an input: the coverage of HEAD's report becomes the profile, with references and history as attributes and the counts of the
 * store; docs/model.md, "cov, cov-spec". */
#include "store/profile.h"

#include <stdio.h>

#include "base/cancel.h"
#include "base/scoped.h"
#include "store/fsck.h"
#include "store/parts.h"

struct reader {
    const struct read_job *job;
    struct store *s;
    assay_builder *b;
    struct findings damage;
    assay_error *err;
};

/* Damage of a part: a warning, unless strict. Everything else is passed on. */
static int tolerate(struct reader *r, int rc, const char *rule, const assay_error *cause)
{
    if (rc != ASSAY_ERR_DAMAGED && rc != ASSAY_ERR_UNKNOWN) {
        if (r->err) *r->err = *cause;
        return rc;
    }
    findings_add(&r->damage, rule, ASSAY_ERROR, FINDING_NO_OFFSET, 0, "%s", cause->text);
    return r->job->options->strict ? findings_refuse(&r->damage, r->err) : 0;
}

/* ---- references and history ---- */

static int add_ref(void *arg, const char *name, const struct ref_value *v)
{
    struct reader *r = arg;
    if (v->kind == REF_ID)
        cov_build_id(r->b, name, &v->id);
    else
        cov_build_text(r->b, name, slice_of(v->target));
    return assay_builder_failed(r->b);
}

static int add_refs(struct reader *r, struct ref_value *tip)
{
    struct ref_value head;
    assay_error local = { 0 };
    char text[REFS_NAME_MAX + 8], hex[COV_ID_HEX + 1];
    TRY(refs_read(r->s, "HEAD", &head, r->err));
    snprintf(text, sizeof text, "%s%s", head.kind == REF_SYMBOLIC ? "ref: " : "", head.kind == REF_SYMBOLIC ? head.target : cov_id_hex(&head.id, hex));
    if (head.kind != REF_BROKEN) cov_build_text(r->b, "HEAD", slice_of(text));
    int rc = refs_follow(r->s, "HEAD", tip, NULL, &local);
    if (rc != 0) {
        tip->kind = REF_NONE;
        TRY(tolerate(r, rc, "S02", &local));
    }
    if (tip->kind == REF_ID) cov_build_id(r->b, "tip", &tip->id);
    return refs_each(r->s, "refs/", add_ref, r, r->err);
}

/* Follows the parents; a chain that goes round is no longer than the number of its reports, which are remembered. */
static int add_history(struct reader *r, const assay_store_id *tip)
{
    assay_store_id at = *tip;
    SCOPED(index_done) struct index seen;
    VEC(assay_store_id) list = { 0 };
    vec_scoped(r->job->mem, &list);
    index_init(&seen, r->job->mem);
    while (!cov_id_is_zero(&at)) {
        assay_error local = { 0 };
        uint64_t hash;
        bool again = false;
        memcpy(&hash, at.bytes, sizeof hash);
        for (struct index_walk w = index_walk(&seen, hash); !again && index_next(&seen, &w);) again = cov_id_compare(&list.at[w.id - 1], &at) == 0;
        if (again) {
            findings_add(&r->damage, "S07", ASSAY_ERROR, FINDING_NO_OFFSET, 0, "the parents of a report form a cycle");
            break;
        }
        SCOPED(store_object_done) struct store_object o;
        int rc = store_read(r->s, &at, COV_REPORT, &o, &local);
        if (rc != 0) {
            TRY(tolerate(r, rc, "S06", &local));
            break;
        }
        assay_store_id *slot = vec_push(r->job->mem, &list);
        if (slot) *slot = at;
        if (!slot || !index_add(&seen, hash, (uint32_t)list.len)) return error_memory(r->err);
        cov_build_id(r->b, "history", &at);
        at = o.o.report.parent;
    }
    assay_build_count(r->b, "reports_from_HEAD", list.len);
    return 0;
}

/* ---- coverage ---- */

static int add_details(struct reader *r, assay_file_id file, const struct cov_details *d, enum cov_kind kind)
{
    assay_error local = { 0 };
    if (cov_id_is_zero(&d->id)) return 0;
    SCOPED(store_object_done) struct store_object o;
    int rc = store_read(r->s, &d->id, kind, &o, &local);
    if (rc != 0) return tolerate(r, rc, "S10", &local);
    if (kind == COV_LINES)
        cov_build_lines(r->b, file, &o.o.lines);
    else
        cov_build_functions(r->b, file, &o.o.functions);
    return assay_builder_failed(r->b);
}

static int add_files(struct reader *r, const assay_store_id *id)
{
    SCOPED(store_object_done) struct store_object o;
    assay_error local = { 0 };
    int rc = store_read(r->s, id, COV_FILES, &o, &local);
    if (rc != 0) return tolerate(r, rc, "S08", &local);
    for (size_t i = 0; i < o.o.files.count; i++) {
        const struct cov_file *f = &o.o.files.at[i];
        assay_file_id file = cov_build_file(r->b, f);
        if (!(assay_builder_want(r->b) & ASSAY_WANT_COVERAGE)) continue;
        TRY(add_details(r, file, &f->lines, COV_LINES));
        TRY(add_details(r, file, &f->functions, COV_FUNCTIONS));
    }
    assay_build_count(r->b, "files", o.o.files.count);
    return 0;
}

static int add_report(struct reader *r, const assay_store_id *tip)
{
    SCOPED(store_object_done) struct store_object o;
    assay_error local = { 0 };
    int rc = store_read(r->s, tip, COV_REPORT, &o, &local);
    if (rc != 0) return tolerate(r, rc, rc == ASSAY_ERR_UNKNOWN ? "S04" : "S05", &local);
    cov_build_report(r->b, &o.o.report);
    return add_files(r, &o.o.report.file_list);
}

static int add_counts(struct reader *r)
{
    struct fsck_counts n;
    if (!(assay_builder_want(r->b) & ASSAY_WANT_COUNTS)) return 0;
    TRY(store_count(r->s, cov_limit(r->job->options), &n, r->err));
    const struct {
        const char *name;
        uint64_t value;
    } all[] = { { "objects", n.objects },
                { "reports", n.kinds[COV_REPORT] },
                { "builds", n.kinds[COV_BUILD] },
                { "file_lists", n.kinds[COV_FILES] },
                { "line_objects", n.kinds[COV_LINES] },
                { "function_objects", n.kinds[COV_FUNCTIONS] },
                { "damaged", n.kinds[COV_NONE] },
                { "unreachable", n.unreachable } };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) assay_build_count(r->b, all[i].name, all[i].value);
    return 0;
}

static int read_all(struct reader *r)
{
    struct ref_value tip;
    assay_build_source(r->b, "cov", "1.0", "");
    assay_build_offers(r->b, ASSAY_SHAPE_COVERAGE);
    TRY(add_refs(r, &tip));
    if (tip.kind == REF_ID) {
        TRY(add_report(r, &tip.id));
        TRY(add_history(r, &tip.id));
    }
    TRY(add_counts(r));
    for (size_t i = 0; i < r->damage.list.len; i++) assay_build_warning(r->b, &r->damage.list.at[i]);
    return r->damage.failed ? error_memory(r->err) : assay_builder_failed(r->b);
}

int store_profile(const struct read_job *job, assay_builder *b, assay_error *err)
{
    struct reader r = { .job = job, .b = b, .err = err };
    TRY(store_open(&r.s, input_path(job->in), job->mem, err));
    findings_init(&r.damage, job->mem);
    int rc = read_all(&r);
    findings_done(&r.damage);
    store_close(r.s);
    return rc;
}

/* ---- check and dump ---- */

int store_check(const struct read_job *job, struct findings *out, assay_error *err)
{
    struct store *s;
    struct git *g = NULL;
    assay_error local;
    TRY(store_open(&s, input_path(job->in), job->mem, err));
    (void)git_open_for(&g, s, &local); /* S20 tells when there is none */
    int rc = store_fsck(s, g, cov_limit(job->options), out, NULL, err);
    git_close(g);
    store_close(s);
    return rc;
}

struct dump_job {
    struct store *s;
    struct output *out;
    const struct read_job *job;
};

static int dump_ref(void *arg, const char *name, const struct ref_value *v)
{
    struct dump_job *j = arg;
    char hex[COV_ID_HEX + 1];
    output_text(j->out, name);
    if (v->kind == REF_ID)
        output_printf(j->out, " %s\n", cov_id_hex(&v->id, hex));
    else
        output_printf(j->out, " %s%s\n", v->kind == REF_SYMBOLIC ? "ref: " : "(broken) ", v->target);
    return 0;
}

static int dump_object(struct dump_job *j, const struct scan_object *x, assay_error *err)
{
    SCOPED(store_object_done) struct store_object o;
    assay_error local = { 0 };
    char hex[COV_ID_HEX + 1];
    int rc = store_read(j->s, &x->id, COV_NONE, &o, &local);
    output_printf(j->out, "\n%s %s\n", x->kind ? cov_kind_name(x->kind) : "object", cov_id_hex(&x->id, hex));
    if (rc == 0) {
        cov_dump_object(j->out, &o.o);
        return 0;
    }
    if (rc != ASSAY_ERR_DAMAGED && rc != ASSAY_ERR_UNKNOWN) {
        if (err) *err = local;
        return rc;
    }
    output_printf(j->out, "                     ^ error: %s\n", local.text);
    return 0;
}

static int dump_all(struct dump_job *j, assay_error *err)
{
    struct ref_value head;
    TRY(refs_read(j->s, "HEAD", &head, err));
    TRY(dump_ref(j, "HEAD", &head));
    TRY(refs_each(j->s, "refs/", dump_ref, j, err));
    SCOPED(scan_done) struct scan c;
    scan_init(&c, j->s, cov_limit(j->job->options), NULL);
    TRY(scan_objects(&c, err));
    for (size_t i = 0; i < c.objects.len; i++) {
        TRY(cancel_step(i, err));
        TRY(dump_object(j, &c.objects.at[i], err));
    }
    return 0;
}

int store_dump(const struct read_job *job, struct output *out, assay_error *err)
{
    struct dump_job j = { .out = out, .job = job };
    TRY(store_open(&j.s, input_path(job->in), job->mem, err));
    int rc = dump_all(&j, err);
    store_close(j.s);
    return rc;
}

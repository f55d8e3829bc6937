/* A sealed profile -> JSON of gcovr, in the version that gcovr 5.2 writes and reads: files by path with functions, lines and the branches of each line. */
#include "base/json.h"
#include "base/slice.h"
#include "formats/coverage/losses.h"
#include "formats/coverage/plan.h"
#include "formats/gcov-json/gcov_json.h"

enum { SUM_MOST = 10000 }; /* n of m is written branch by branch: of a line that says more than that none are */

struct writer {
    const assay_profile *p;
    struct coverage_plan plan;
    struct json j;
};

static void put_functions(struct writer *w, const struct coverage_out_file *f)
{
    uint64_t end = ((uint64_t)f->file + 1) << 32;
    json_key(&w->j, "functions");
    json_array(&w->j);
    for (size_t i = f->at.func; i < w->plan.funcs.len && w->plan.funcs.at[i].key < end; i++) {
        const struct coverage_out_func *m = &w->plan.funcs.at[i];
        json_object(&w->j);
        json_key(&w->j, "name");
        json_string(&w->j, assay_profile_string(w->p, assay_profile_funcs(w->p)->name[m->func]));
        json_key(&w->j, "lineno");
        json_u64(&w->j, (uint32_t)m->key);
        json_key(&w->j, "execution_count");
        json_u64(&w->j, m->calls);
        json_end(&w->j);
    }
    json_end(&w->j);
}

static void put_branch(struct writer *w, uint64_t hits, uint8_t flags)
{
    json_object(&w->j);
    json_key(&w->j, "count");
    json_u64(&w->j, hits);
    json_key(&w->j, "fallthrough");
    json_bool(&w->j, flags & ASSAY_COVERAGE_BRANCH_FALLTHROUGH);
    json_key(&w->j, "throw");
    json_bool(&w->j, flags & ASSAY_COVERAGE_BRANCH_EXCEPTION);
    json_end(&w->j);
}

/* Those that are known one by one, then the rest of n of m as taken once or not at all. */
static void put_branches(struct writer *w, uint64_t key, const struct coverage_out_row *r, size_t *at)
{
    uint64_t covered = r->covered, total = r->total;
    while (*at < w->plan.branches.len && w->plan.branches.at[*at].key < key) ++*at;
    json_key(&w->j, "branches");
    json_array(&w->j);
    for (; *at < w->plan.branches.len && w->plan.branches.at[*at].key == key; ++*at) {
        const struct coverage_out_branch *b = &w->plan.branches.at[*at];
        put_branch(w, b->hits, b->flags);
        total--;
        covered -= b->hits > 0;
    }
    for (uint64_t i = 0; total <= SUM_MOST && i < total; i++) put_branch(w, i < covered, 0);
    json_end(&w->j);
}

static void put_lines(struct writer *w, const struct coverage_out_file *f)
{
    struct coverage_at at = f->at;
    size_t branch = f->at.branch;
    json_key(&w->j, "lines");
    json_array(&w->j);
    for (struct coverage_out_row r; coverage_plan_next(&w->plan, f->file, &at, &r);) {
        if (!r.line) continue;
        json_object(&w->j);
        json_key(&w->j, "line_number");
        json_u64(&w->j, r.line);
        json_key(&w->j, "count");
        json_u64(&w->j, r.hits);
        json_key(&w->j, "gcovr/noncode");
        json_bool(&w->j, false);
        json_key(&w->j, "gcovr/excluded");
        json_bool(&w->j, false);
        put_branches(w, (uint64_t)f->file << 32 | r.line, &r, &branch);
        json_end(&w->j);
    }
    json_end(&w->j);
}

static void put_document(struct writer *w, const char *version)
{
    json_object(&w->j);
    json_key(&w->j, "gcovr/format_version");
    json_text(&w->j, version);
    json_key(&w->j, "files");
    json_array(&w->j);
    for (size_t i = 0; i < w->plan.files.len; i++) {
        const struct coverage_out_file *f = &w->plan.files.at[i];
        json_object(&w->j);
        json_key(&w->j, "file");
        json_string(&w->j, f->path);
        put_functions(w, f);
        put_lines(w, f);
        json_end(&w->j);
    }
    json_end(&w->j);
    json_end(&w->j);
}

static void name_losses(const assay_profile *p, struct losses *l)
{
    const struct assay_coverage *c = assay_profile_coverage(p);
    uint64_t names = 0, large = 0;
    coverage_losses_name(p, "gcovr's JSON", COVERAGE_HOLDS_COUNTS | COVERAGE_HOLDS_BRANCHES | COVERAGE_HOLDS_NO_LINE, l);
    for (uint32_t i = 0; i < c->branch_count; i++) names += (c->branch_block && c->branch_block[i].v) || (c->branch_name && c->branch_name[i].v);
    for (uint32_t i = 0; i < c->sum_count; i++) large += slice_is(assay_profile_string(p, c->sum_kind[i]), "branches") && c->sum_total[i] > SUM_MOST;
    if (names) losses_add(l, "names", names, "branches are identified by their position in a line: blocks and names are not written");
    if (large) losses_add(l, "branches", large, "more than %d branches on one line are not written individually", SUM_MOST);
}

int gcovr_json_write(const assay_profile *p, const struct write_job *job, struct output *out, assay_error *err)
{
    if (!(assay_profile_offers(p) & ASSAY_SHAPE_COVERAGE)) FAIL(err, ASSAY_ERR_UNSUPPORTED, "it has no coverage data, which is all that gcovr's JSON can hold");
    struct writer w = { .p = p };
    json_init(&w.j, out);
    int rc = coverage_plan_make(&w.plan, p, job->mem) ? 0 : error_memory(err);
    if (rc == 0) {
        name_losses(p, job->losses);
        coverage_plan_lose_strays(&w.plan, job->losses);
        rc = losses_settle(job, err);
    }
    if (rc == 0) put_document(&w, job->version);
    coverage_plan_free(&w.plan);
    return rc;
}

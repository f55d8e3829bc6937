/* gcov's texts -> coverage. Rows of a section repeat the sums above them and are not booked; its functions and branches are, each of its
 * own function. Branches given as percentages and calls become sums (n of m) of their line. */
#include "base/index.h"
#include "base/number.h"
#include "base/sort.h"
#include "formats/gcov-text/gcov.h"

/* n of m outcomes of a line, before those of the same line are added up. */
struct outcome {
    uint32_t line, hit;
    bool is_call;
};
/* Intermediate: how many branch rows a line of the file's section has had. */
struct ordinal {
    uint32_t section, line, count;
};

struct reader {
    const struct read_job *job;
    assay_builder *b;
    struct findings damage;
    struct gcov_decoder d;
    assay_file_id file;
    assay_func_id func; /* of the section in work */
    bool in_section, wants_rows;
    VEC(struct outcome) outcomes;
    VEC(struct ordinal) ordinals;
    struct index ordinal_index;
    uint32_t section;
    assay_str_id kinds[2];
    assay_wide hits;
    uint64_t negative;
};

/* ---- n of m ---- */

static int by_line(const void *x, const void *y)
{
    const struct outcome *a = x, *b = y;
    if (a->line != b->line) return a->line < b->line ? -1 : 1;
    return a->is_call - b->is_call;
}

static void book_sums(struct reader *r)
{
    struct outcome *at = r->outcomes.at;
    if (r->outcomes.len) sort_by(at, r->outcomes.len, sizeof *at, by_line);
    for (size_t i = 0, next; i < r->outcomes.len; i = next) {
        uint32_t hit = 0;
        for (next = i; next < r->outcomes.len && by_line(&at[i], &at[next]) == 0; next++) hit += at[next].hit;
        assay_build_coverage_sum(r->b, &(struct assay_coverage_sum){
                                           .file = r->file, .line = at[i].line, .hit = hit, .total = (uint32_t)(next - i), .kind = r->kinds[at[i].is_call] });
    }
    r->outcomes.len = 0;
}

static bool add_outcome(struct reader *r, const struct gcov_record *rec)
{
    struct outcome *o = vec_push(r->job->mem, &r->outcomes);
    if (o) *o = (struct outcome){ rec->line, rec->count > 0, rec->kind == GCOV_CALL };
    return o != NULL;
}

/* ---- records ---- */

/* The place of a branch among those of its line, from 0; the intermediate text does not number them. */
static bool ordinal(struct reader *r, uint32_t line, uint32_t *out)
{
    uint64_t hash = hash_mix(r->section, line);
    for (struct index_walk w = index_walk(&r->ordinal_index, hash); index_next(&r->ordinal_index, &w);) {
        struct ordinal *o = &r->ordinals.at[w.id - 1];
        if (o->section != r->section || o->line != line) continue;
        *out = o->count++;
        return true;
    }
    struct ordinal *o = vec_push(r->job->mem, &r->ordinals);
    if (!o) return false;
    *o = (struct ordinal){ r->section, line, 1 };
    *out = 0;
    return index_add(&r->ordinal_index, hash, (uint32_t)r->ordinals.len);
}

static bool branch(struct reader *r, const struct gcov_record *rec)
{
    uint32_t index = rec->index;
    if (!r->wants_rows) return true;
    if (rec->is_percent) return add_outcome(r, rec);
    if (r->d.is_intermediate && !ordinal(r, rec->line, &index)) return false;
    assay_build_coverage_branch(r->b, &(struct assay_coverage_branch){ .file = r->file,
                                                                       .line = rec->line,
                                                                       .func = r->in_section ? r->func : (assay_func_id){ 0 },
                                                                       .index = index,
                                                                       .hits = rec->count,
                                                                       .flags = rec->flags });
    return true;
}

static void function(struct reader *r, const struct gcov_record *rec)
{
    assay_str_id name = assay_build_string(r->b, rec->name.data, rec->name.len);
    r->func = assay_build_func(r->b, name, r->file, (assay_module_id){ 0 }, 0, rec->line);
    if (rec->end_line) assay_build_func_lines(r->b, r->func, rec->line, rec->end_line);
    assay_build_coverage_func(r->b, &(struct assay_coverage_func){ .func = r->func, .calls = rec->count });
}

static void line(struct reader *r, const struct gcov_record *rec)
{
    if (!rec->is_code || r->in_section) return;
    r->hits = wide_add_u64(r->hits, rec->count);
    r->negative += rec->was_negative;
    if (!r->wants_rows) return;
    assay_build_coverage_line(r->b, &(struct assay_coverage_line){ .file = r->file, .line = rec->line, .hits = rec->count, .flags = rec->flags });
}

static void source(struct reader *r, const struct gcov_record *rec)
{
    book_sums(r);
    r->file = assay_build_file(r->b, assay_build_string(r->b, rec->name.data, rec->name.len), (assay_module_id){ 0 });
    r->section++;
    r->in_section = false;
}

static bool record(struct reader *r, const struct gcov_record *rec)
{
    switch (rec->kind) {
    case GCOV_HEADER: assay_build_attribute(r->b, (assay_stream_id){ 0 }, rec->name.data, rec->name.len, rec->value.data, rec->value.len); return true;
    case GCOV_SOURCE: source(r, rec); return true;
    case GCOV_LINE: line(r, rec); return true;
    case GCOV_FUNCTION: function(r, rec); return true;
    case GCOV_BRANCH: return branch(r, rec);
    case GCOV_CALL: return !r->wants_rows || add_outcome(r, rec);
    case GCOV_SECTION: r->func = (assay_func_id){ 0 }; /* fall through */
    case GCOV_SECTION_END: r->in_section = rec->kind == GCOV_SECTION; return true;
    default: return true;
    }
}

static int records(struct reader *r, assay_error *err)
{
    struct gcov_record rec;
    for (;;) {
        TRY(gcov_next(&r->d, &rec));
        if (r->job->options->strict) TRY(findings_refuse(&r->damage, err));
        if (rec.kind == GCOV_END) break;
        if (!record(r, &rec)) return error_memory(err);
        if (assay_builder_failed(r->b)) return assay_builder_failed(r->b);
    }
    book_sums(r);
    return 0;
}

static void finish(struct reader *r)
{
    assay_metric_id hits = assay_build_metric(r->b, "hits", "executions", ASSAY_U64, ASSAY_SHAPE_COVERAGE);
    assay_build_metric_total(r->b, hits, (assay_value){ .u = r->hits.high ? UINT64_MAX : r->hits.low });
    for (size_t i = 0; i < r->damage.list.len; i++) assay_build_warning(r->b, &r->damage.list.at[i]);
    if (r->negative) assay_build_count(r->b, "negative", r->negative);
    assay_build_source(r->b, r->d.is_intermediate ? "gcov-intermediate" : "gcov-text", "", "");
    assay_build_offers(r->b, ASSAY_SHAPE_COVERAGE);
}

static int read_either(const struct read_job *job, assay_builder *b, bool is_intermediate, assay_error *err)
{
    struct reader *r = mem_zalloc(job->mem, 1, sizeof *r);
    if (!r) return error_memory(err);
    r->job = job;
    r->b = b;
    r->wants_rows = assay_builder_want(b) & ASSAY_WANT_COVERAGE;
    r->kinds[0] = assay_build_string(b, "branches", 8);
    r->kinds[1] = assay_build_string(b, "calls", 5);
    findings_init(&r->damage, job->mem);
    index_init(&r->ordinal_index, job->mem);
    gcov_init(&r->d, is_intermediate, job->in, job->mem, &r->damage, err);
    int rc = records(r, err);
    if (rc == 0) finish(r);
    gcov_done(&r->d);
    vec_done(job->mem, &r->outcomes);
    vec_done(job->mem, &r->ordinals);
    index_done(&r->ordinal_index);
    findings_done(&r->damage);
    mem_free(job->mem, r, sizeof *r);
    return rc;
}

int gcov_text_read(const struct read_job *job, assay_builder *b, assay_error *err) { return read_either(job, b, false, err); }
int gcov_intermediate_read(const struct read_job *job, assay_builder *b, assay_error *err) { return read_either(job, b, true, err); }

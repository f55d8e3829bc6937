/* Writing single objects: records -> records between the dialects, and the lines or functions of a profile with one file. Whole stores are
 * made by importing (src/store). */
#include "base/deflate.h"
#include "base/order.h"
#include "base/scoped.h"
#include "base/sort.h"
#include "formats/cov/cov.h"

const char *const cov_versions[] = { "lines", "functions", NULL };

uint32_t cov_write_wants(const struct assay_write_options *options, const char *version)
{
    (void)options;
    (void)version;
    return ASSAY_WANT_COVERAGE;
}

static int put_object(const struct cov_object *o, enum cov_dialect dialect, struct mem *mem, struct output *out, assay_error *err)
{
    SCOPED(cov_bytes_done) struct cov_bytes plain = { .mem = mem }, compressed = { .mem = mem };
    struct packer *p = cov_packer_new(dialect, mem);
    int rc = p ? cov_object_encode(o, dialect, &plain, err) : error_memory(err);
    if (rc == 0) rc = cov_pack(p, &plain, &compressed, err);
    if (rc == 0) output_bytes(out, compressed.v.at, compressed.v.len);
    packer_free(p);
    return rc;
}

int cov_rewrite(const struct read_job *job, enum cov_dialect dialect, struct output *out, assay_error *err)
{
    SCOPED(cov_loaded_done) struct cov_loaded l = { 0 };
    SCOPED(findings_done) struct findings f;
    findings_init(&f, job->mem);
    TRY(cov_load(job, COV_DIALECT_ANY, &l, &f, err));
    if (job->options->strict || l.o.kind == COV_NONE) TRY(findings_refuse(&f, err));
    return put_object(&l.o, dialect, job->mem, out, err);
}

/* ---- from a profile ---- */

static int by_line(const void *x, const void *y)
{
    const struct cov_line *a = x, *b = y;
    return ORDER(a->line, b->line);
}

static uint32_t add_hits(uint32_t a, uint64_t b) { return b > COV_HITS_MAX - a ? COV_HITS_MAX : a + (uint32_t)b; }

/* The one file that has coverage; 0 = none or several. */
static uint32_t only_file(const assay_profile *p)
{
    const struct assay_coverage *c = assay_profile_coverage(p);
    const struct assay_funcs *f = assay_profile_funcs(p);
    uint32_t file = 0;
    for (uint32_t i = 0; i < c->line_count; i++) {
        if (file && c->line_file[i].v != file) return 0;
        file = c->line_file[i].v;
    }
    for (uint32_t i = 0; i < c->func_count; i++) {
        uint32_t of = f->file ? f->file[c->func[i].v].v : 0;
        if (file && of != file) return 0;
        file = of;
    }
    return file;
}

static int gather_lines(const assay_profile *p, struct arena *a, struct cov_lines *out, uint64_t *cut, assay_error *err)
{
    const struct assay_coverage *c = assay_profile_coverage(p);
    struct cov_line *at = arena_alloc(a, c->line_count * sizeof *at);
    size_t n = 0, last = 0;
    if (!at) return error_memory(err);
    for (uint32_t i = 0; i < c->line_count; i++) {
        if (c->line_flags && c->line_flags[i] & (ASSAY_COVERAGE_EXCLUDED | ASSAY_COVERAGE_NONCODE)) continue;
        *cut += c->line_hits[i] > COV_HITS_MAX;
        at[n++] = (struct cov_line){ c->line_number[i], add_hits(0, c->line_hits[i]) };
    }
    if (n) sort_by(at, n, sizeof *at, by_line);
    for (size_t i = 1; i < n; i++) {
        if (at[i].line == at[last].line)
            at[last].hits = add_hits(at[last].hits, at[i].hits);
        else
            at[++last] = at[i];
    }
    *out = (struct cov_lines){ .at = at, .count = n ? last + 1 : 0, .last_line = n ? at[last].line : 0 };
    return 0;
}

static int by_place(const void *x, const void *y)
{
    const struct cov_function *a = x, *b = y;
    ORDER_BY(a->first_line, b->first_line);
    ORDER_BY(a->last_line, b->last_line);
    int c = slice_compare(a->demangled, b->demangled);
    return c ? c : slice_compare(a->name, b->name);
}

static int gather_functions(const assay_profile *p, enum cov_dialect dialect, struct arena *a, struct cov_functions *out, uint64_t *cut, assay_error *err)
{
    const struct assay_coverage *c = assay_profile_coverage(p);
    const struct assay_funcs *f = assay_profile_funcs(p);
    struct cov_function *at = arena_alloc(a, c->func_count * sizeof *at);
    uint32_t least = dialect == COV_DIALECT_COV ? 1 : 0; /* cov has no word for a missing line */
    if (!at) return error_memory(err);
    for (uint32_t i = 0; i < c->func_count; i++) {
        uint32_t func = c->func[i].v, first = f->first_line ? f->first_line[func] : 0, last = f->last_line ? f->last_line[func] : 0;
        if (first < least) first = least;
        *cut += c->func_calls[i] > UINT32_MAX;
        at[i] = (struct cov_function){ .name = assay_profile_string(p, f->name[func]),
                                       .demangled = f->link_name ? assay_profile_string(p, f->link_name[func]) : (assay_slice){ "", 0 },
                                       .count = c->func_calls[i] > UINT32_MAX ? UINT32_MAX : (uint32_t)c->func_calls[i],
                                       .first_line = first,
                                       .first_column = c->func_first_column ? c->func_first_column[i] : 0,
                                       .last_line = last < first ? first : last,
                                       .last_column = c->func_last_column ? c->func_last_column[i] : 0 };
        if (at[i].first_line == at[i].last_line && at[i].last_column < at[i].first_column) at[i].last_column = at[i].first_column;
    }
    if (c->func_count) sort_by(at, c->func_count, sizeof *at, by_place);
    *out = (struct cov_functions){ at, c->func_count };
    return 0;
}

static void note_losses(const assay_profile *p, bool functions, uint64_t cut, struct losses *l)
{
    const struct assay_coverage *c = assay_profile_coverage(p);
    uint64_t other = functions ? c->line_count : c->func_count;
    if (other)
        losses_add(l, functions ? "lines" : "functions", other, "an object has %s",
                   functions ? "functions or lines, not both: lines are left out" : "lines or functions, not both: functions are left out");
    if (c->branch_count) losses_add(l, "branches", c->branch_count, "objects have no branches");
    if (cut) losses_add(l, "saturated", cut, "counts are capped at what the object can hold");
    losses_add(l, "names", 1, "an object does not name its file");
}

static int gather(const assay_profile *p, const struct write_job *job, enum cov_dialect dialect, struct arena *a, struct cov_object *o, assay_error *err)
{
    uint64_t cut = 0;
    bool functions = strcmp(job->version, "functions") == 0;
    o->kind = functions ? COV_FUNCTIONS : COV_LINES;
    TRY(functions ? gather_functions(p, dialect, a, &o->functions, &cut, err) : gather_lines(p, a, &o->lines, &cut, err));
    note_losses(p, functions, cut, job->losses);
    return losses_settle(job, err);
}

int cov_write(const assay_profile *p, const struct write_job *job, enum cov_dialect dialect, struct output *out, assay_error *err)
{
    struct cov_object o = { .kind = COV_NONE };
    SCOPED(arena_done) struct arena a = { 0 };
    if (!only_file(p)) FAIL(err, ASSAY_ERR_UNSUPPORTED, "an object holds one file; 'assay cov import' puts the coverage of several into a store");
    arena_init(&a, job->mem);
    TRY(gather(p, job, dialect, &a, &o, err));
    return put_object(&o, dialect, job->mem, out, err);
}

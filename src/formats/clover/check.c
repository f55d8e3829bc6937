/* The rule of Clover beyond damage: the metrics of a file against its lines. */
#include "formats/clover/clover.h"
#include "formats/coverage/lines.h"

enum { STATEMENTS, CONDITIONALS, METHODS, PAIRS };

struct figures {
    double total, covered;
};
struct judge {
    struct findings *out;
    struct mem *mem;
    assay_error *err;
    /* of the file in work */
    struct coverage_lines rows;
    VEC(uint64_t) methods;                    /* line << 33 | name << 1 | was called */
    const struct coverage_row *stated[PAIRS]; /* NULL = not said */
};

static int add(struct judge *j, const struct coverage_decoder *d, const struct coverage_row *row)
{
    static const char *const kinds[PAIRS] = { "statements", "conditionals", "methods" };
    if (row->kind == COVERAGE_LINE) {
        struct coverage_line *line = vec_push(j->mem, &j->rows);
        if (!line) return error_memory(j->err);
        *line = (struct coverage_line){ row->line, row->count, row->index, row->group, 0 };
    } else if (row->kind == COVERAGE_FUNCTION) {
        uint64_t *key = vec_push(j->mem, &j->methods);
        if (!key) return error_memory(j->err);
        *key = (uint64_t)row->line << 33 | (uint64_t)row->name << 1 | (row->count > 0);
    } else if (row->kind == COVERAGE_STATED) {
        for (int i = 0; i < PAIRS; i++)
            if (slice_is(intern_get(&d->names, row->name), kinds[i])) j->stated[i] = row->total >= 0 ? row : NULL;
    }
    return 0;
}

static void count_methods(struct judge *j, struct figures *out)
{
    const uint64_t *at = j->methods.at;
    coverage_sort_keys(j->methods.at, j->methods.len);
    for (size_t i = 0; i < j->methods.len; i++) {
        if (i + 1 < j->methods.len && at[i] >> 1 == at[i + 1] >> 1) continue;
        out->total++;
        out->covered += (double)(at[i] & 1);
    }
}

static int judge(void *arg, const struct coverage_decoder *d, const struct coverage_row *rows, size_t count)
{
    struct judge *j = arg;
    j->rows.len = j->methods.len = 0;
    memset(j->stated, 0, sizeof j->stated);
    for (size_t i = 0; i < count; i++) TRY(add(j, d, &rows[i]));
    coverage_lines_join(&j->rows);
    struct coverage_figures n = coverage_lines_count(&j->rows);
    struct figures counted[PAIRS] = { { (double)n.lines, (double)n.lines_hit }, { (double)n.branches, (double)n.branches_hit }, { 0, 0 } };
    count_methods(j, &counted[METHODS]);
    for (int i = 0; i < PAIRS; i++) {
        const struct coverage_row *s = j->stated[i];
        double covered = s && s->hit >= 0 ? s->hit : 0;
        if (s && (s->total != counted[i].total || covered != counted[i].covered))
            findings_add(j->out, "CL-1", ASSAY_WARNING, s->off, s->number, "%.0f of %.0f %s are stated as covered, but %.0f of %.0f are counted", covered,
                         s->total, intern_get(&d->names, s->name).data, counted[i].covered, counted[i].total);
    }
    return 0;
}

int clover_check(const struct read_job *job, struct findings *out, assay_error *err)
{
    struct judge j = { .out = out, .mem = job->mem, .err = err };
    int rc = coverage_rows_walk(&clover_source, job, judge, &j, out, err);
    vec_done(job->mem, &j.rows, &j.methods);
    return rc;
}

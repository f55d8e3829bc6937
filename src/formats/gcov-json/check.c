/* The rules of gcov's and gcovr's JSON beyond damage, and the dump: both only walk over the records. */
#include <stdlib.h>

#include "base/sort.h"
#include "base/text.h"
#include "formats/gcov-json/decode.h"
#include "formats/gcov-json/gcov_json.h"

struct walker {
    struct gcov_json_decoder d;
    struct findings *out;
    struct mem *mem;
    assay_error *err;
    VEC(uint32_t) lines; /* of the file in work, sorted */
    struct output *o;
    size_t marked;
    bool is_gcovr; /* which leaves lines out */
};

/* ---- check ---- */

static int by_number(const void *x, const void *y)
{
    uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    return (a > b) - (a < b);
}

static int judge(void *arg, const struct gcov_json_record *r)
{
    struct walker *w = arg;
    w->lines.len = 0;
    w->is_gcovr |= r->kind == GCOV_JSON_TOP && r->top == GCOV_JSON_GCOVR;
    for (size_t i = 0; i < r->row_count; i++) {
        if (r->rows[i].kind != GCOV_JSON_LINE) continue;
        uint32_t *line = vec_push(w->mem, &w->lines);
        if (!line) return error_memory(w->err);
        *line = r->rows[i].line;
    }
    if (w->lines.len) sort_by(w->lines.at, w->lines.len, sizeof *w->lines.at, by_number);
    for (size_t i = 0; i < r->row_count; i++) {
        const struct gcov_json_row *f = &r->rows[i];
        if (f->kind != GCOV_JSON_FUNCTION || !f->count || w->is_gcovr) continue;
        if (!w->lines.len || !bsearch(&f->line, w->lines.at, w->lines.len, sizeof *w->lines.at, by_number))
            findings_add(w->out, "GJ-5", ASSAY_WARNING, f->off, f->number, "a function was called, but its start line %u is not a line of the file", f->line);
    }
    return 0;
}

int gcov_json_check(const struct read_job *job, struct findings *out, assay_error *err)
{
    struct walker w = { .d = { .take = judge, .damage = out }, .out = out, .mem = job->mem, .err = err };
    w.d.arg = &w;
    int rc = gcov_json_decode(&w.d, job, err);
    gcov_json_done(&w.d);
    vec_done(job->mem, &w.lines);
    return rc;
}

/* ---- dump ---- */

static void place(struct output *o, uint64_t off, uint64_t number)
{
    output_hex(o, off, 8);
    output_printf(o, " %6llu  ", (unsigned long long)number);
}

static void show_function(struct walker *w, const struct gcov_json_row *row)
{
    output_text(w->o, "  function ");
    text_show(w->o, intern_get(&w->d.names, row->name));
    output_printf(w->o, " line %u:%u to %u:%u calls %llu blocks %u of %u", row->line, row->column, row->end_line, row->end_column,
                  (unsigned long long)row->count, row->blocks_executed, row->blocks);
}

static void show_row(struct walker *w, const struct gcov_json_row *row)
{
    unsigned long long count = (unsigned long long)row->count;
    place(w->o, row->off, row->number);
    switch (row->kind) {
    case GCOV_JSON_FUNCTION: show_function(w, row); break;
    case GCOV_JSON_LINE:
        output_printf(w->o, "  line %u count %llu%s%s%s", row->line, count, row->flags & ASSAY_COVERAGE_UNEXECUTED_BLOCK ? " with an unexecuted block" : "",
                      row->flags & ASSAY_COVERAGE_EXCLUDED ? " excluded" : "", row->flags & ASSAY_COVERAGE_NONCODE ? " noncode" : "");
        if (row->name) output_text(w->o, " of ");
        text_show(w->o, intern_get(&w->d.names, row->name));
        break;
    case GCOV_JSON_BRANCH:
        output_printf(w->o, "    branch %u taken %llu%s%s%s", row->index, count, row->flags & ASSAY_COVERAGE_BRANCH_EXCEPTION ? " exception" : "",
                      row->flags & ASSAY_COVERAGE_BRANCH_FALLTHROUGH ? " fallthrough" : "",
                      row->flags & ASSAY_COVERAGE_BRANCH_NOT_EVALUATED ? " never evaluated" : "");
        break;
    case GCOV_JSON_CALLS: output_printf(w->o, "    calls %u, returned %u", row->blocks, row->blocks_executed); break;
    case GCOV_JSON_CONDITION:
        output_printf(w->o, "    condition %u of %u %s %s", row->index, row->group, row->sense ? "true" : "false", row->count ? "covered" : "not covered");
        break;
    }
    output_char(w->o, '\n');
}

static int show(void *arg, const struct gcov_json_record *r)
{
    static const char *const names[] = { "format_version ", "gcc_version ", "current_working_directory ", "data_file ", "gcovr/format_version " };
    struct walker *w = arg;
    findings_mark(w->out, &w->marked, w->o);
    place(w->o, r->off, r->number);
    output_text(w->o, r->kind == GCOV_JSON_FILE ? "file " : names[r->top]);
    text_show(w->o, r->text);
    output_char(w->o, '\n');
    for (size_t i = 0; i < r->row_count && !output_failed(w->o); i++) show_row(w, &r->rows[i]);
    return output_failed(w->o);
}

int gcov_json_dump(const struct read_job *job, struct output *out, assay_error *err)
{
    struct findings damage;
    struct walker w = { .d = { .take = show, .damage = &damage }, .out = &damage, .mem = job->mem, .err = err, .o = out };
    w.d.arg = &w;
    findings_init(&damage, job->mem);
    int rc = gcov_json_decode(&w.d, job, err);
    if (rc == 0 || output_failed(out)) {
        findings_mark(w.out, &w.marked, w.o);
        rc = 0;
    }
    gcov_json_done(&w.d);
    findings_done(&damage);
    return rc;
}

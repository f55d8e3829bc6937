/* Every line of gcov's texts with what it means: offset, line number, and the decoded record. Damage is marked where it stands. */
#include "base/text.h"
#include "formats/gcov-text/gcov.h"

static void named(struct output *o, const char *label, assay_slice name)
{
    output_text(o, label);
    text_show(o, name);
}

static void number(struct output *o, const char *label, uint64_t v)
{
    output_text(o, label);
    output_u64(o, v);
}

static void line(struct output *o, const struct gcov_record *r)
{
    number(o, "line ", r->line);
    if (!r->is_code) {
        output_text(o, " no code");
        return;
    }
    number(o, " count ", r->count);
    if (r->flags & ASSAY_COVERAGE_UNEXECUTED_BLOCK) output_text(o, " with an unexecuted block");
}

static void jump(struct output *o, const struct gcov_record *r, bool is_intermediate)
{
    number(o, r->kind == GCOV_CALL ? "call line " : "branch line ", r->line);
    if (!is_intermediate) number(o, " number ", r->index);
    if (r->flags & ASSAY_COVERAGE_BRANCH_NOT_EVALUATED)
        output_text(o, " never executed");
    else
        number(o, r->kind == GCOV_CALL ? " returned " : " taken ", r->count);
    if (r->is_percent) output_char(o, '%');
    if (r->flags & ASSAY_COVERAGE_BRANCH_EXCEPTION) output_text(o, " exception");
    if (r->flags & ASSAY_COVERAGE_BRANCH_FALLTHROUGH) output_text(o, " fallthrough");
}

static void record(struct output *o, const struct gcov_record *r, bool is_intermediate)
{
    switch (r->kind) {
    case GCOV_HEADER:
        named(o, "header ", r->name);
        named(o, ": ", r->value);
        break;
    case GCOV_SOURCE: named(o, "source ", r->name); break;
    case GCOV_LINE: line(o, r); break;
    case GCOV_FUNCTION:
        named(o, "function ", r->name);
        if (r->line) number(o, " line ", r->line);
        if (r->end_line) number(o, " to ", r->end_line);
        number(o, " calls ", r->count);
        break;
    case GCOV_BRANCH:
    case GCOV_CALL: jump(o, r, is_intermediate); break;
    case GCOV_SECTION: named(o, "section ", r->name); break;
    case GCOV_SECTION_END: output_text(o, "end of section"); break;
    default: text_show(o, r->text); break;
    }
}

static size_t marks(struct output *o, const struct findings *f, size_t from)
{
    static const char *const severity[] = { "note", "warning", "error" };
    for (; from < f->list.len; from++)
        output_printf(o, "                     ^ %s %s: %s\n", severity[f->list.at[from].severity], f->list.at[from].rule, f->list.at[from].message);
    return from;
}

static int dump_either(const struct read_job *job, struct output *out, bool is_intermediate, assay_error *err)
{
    struct gcov_decoder d;
    struct findings damage;
    struct gcov_record r = { .kind = GCOV_OTHER };
    size_t marked = 0;
    int rc = 0;
    findings_init(&damage, job->mem);
    gcov_init(&d, is_intermediate, job->in, job->mem, &damage, err);
    d.wants_all = true;
    while (rc == 0 && r.kind != GCOV_END && !output_failed(out)) {
        rc = gcov_next(&d, &r);
        if (rc == 0 && r.kind != GCOV_END && r.text.len) {
            output_hex(out, r.off, 8);
            output_printf(out, " %6llu  ", (unsigned long long)r.number);
            record(out, &r, is_intermediate);
            output_char(out, '\n');
        }
        marked = marks(out, &damage, marked);
    }
    gcov_done(&d);
    findings_done(&damage);
    return rc;
}

int gcov_text_dump(const struct read_job *job, struct output *out, assay_error *err) { return dump_either(job, out, false, err); }
int gcov_intermediate_dump(const struct read_job *job, struct output *out, assay_error *err) { return dump_either(job, out, true, err); }

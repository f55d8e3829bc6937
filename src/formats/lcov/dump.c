/* Every line of a tracefile with what it means: offset, line number, and the decoded record. Damage is marked where it stands. */
#include "base/scoped.h"
#include "base/text.h"
#include "formats/lcov/decode.h"
#include "formats/lcov/lcov.h"

static void number(struct output *o, const char *label, uint64_t v)
{
    output_text(o, label);
    output_u64(o, v);
}

static void named(struct output *o, const char *label, assay_slice name)
{
    output_text(o, label);
    text_show(o, name);
}

static void function(struct output *o, const struct lcov_record *r)
{
    number(o, " line ", r->line);
    if (r->end_line) number(o, " to ", r->end_line);
}

static void branch(struct output *o, const struct lcov_record *r)
{
    number(o, "branch line ", r->line);
    named(o, " block ", r->block);
    named(o, " branch ", r->name);
    if (r->flags & ASSAY_COVERAGE_BRANCH_NOT_EVALUATED)
        output_text(o, " not evaluated");
    else
        number(o, " taken ", r->count);
    if (r->flags & ASSAY_COVERAGE_BRANCH_EXCEPTION) output_text(o, " exception");
    if (r->flags & ASSAY_COVERAGE_BRANCH_FALLTHROUGH) output_text(o, " fallthrough");
    if (r->flags & ASSAY_COVERAGE_BRANCH_UNREACHABLE) output_text(o, " unreachable");
}

static void condition(struct output *o, const struct lcov_record *r)
{
    number(o, "condition line ", r->line);
    number(o, " number ", r->index);
    number(o, " of ", r->group);
    output_text(o, r->sense ? " true" : " false");
    number(o, " count ", r->count);
    if (r->flags & ASSAY_COVERAGE_BRANCH_UNREACHABLE) output_text(o, " unreachable");
    named(o, " ", r->name);
}

static void record(struct output *o, const struct lcov_record *r)
{
    switch (r->kind) {
    case LCOV_TEST: named(o, "test ", r->name); break;
    case LCOV_SOURCE: named(o, "source ", r->name); break;
    case LCOV_VERSION: named(o, "version ", r->name); break;
    case LCOV_FUNCTION:
        named(o, "function ", r->name);
        function(o, r);
        break;
    case LCOV_CALLS:
        named(o, "calls of ", r->name);
        number(o, " ", r->count);
        break;
    case LCOV_LEADER:
        output_text(o, "functions at");
        function(o, r);
        break;
    case LCOV_ALIAS:
        named(o, "function ", r->name);
        function(o, r);
        number(o, " calls ", r->count);
        break;
    case LCOV_BRANCH: branch(o, r); break;
    case LCOV_CONDITION: condition(o, r); break;
    case LCOV_LINE:
        number(o, "line ", r->line);
        number(o, " count ", r->count);
        if (r->name.data) named(o, " checksum ", r->name);
        break;
    case LCOV_STATED:
        named(o, "stated ", slice_of(lcov_counter_name(r->counter)));
        number(o, " ", r->count);
        break;
    case LCOV_END_OF_RECORD: output_text(o, "end of record"); break;
    default: text_show(o, r->text); break;
    }
}

/* Findings that came with the last record. */
static size_t marks(struct output *o, const struct findings *f, size_t from)
{
    static const char *const severity[] = { "note", "warning", "error" };
    for (; from < f->list.len; from++) {
        output_printf(o, "                     ^ %s %s: ", severity[f->list.at[from].severity], f->list.at[from].rule);
        text_show(o, slice_of(f->list.at[from].message));
        output_char(o, '\n');
    }
    return from;
}

static int records(struct lcov_decoder *d, struct output *o, const struct findings *damage)
{
    struct lcov_record r = { .kind = LCOV_OTHER };
    size_t marked = 0;
    for (;;) {
        TRY(lcov_next(d, &r));
        if (r.kind != LCOV_END && !(r.kind == LCOV_OTHER && r.text.len == 0)) {
            text_place(o, r.off, r.number);
            record(o, &r);
            output_char(o, '\n');
        }
        marked = marks(o, damage, marked);
        if (r.kind == LCOV_END || output_failed(o)) return 0;
    }
}

int lcov_dump(const struct read_job *job, struct output *out, assay_error *err)
{
    SCOPED(lcov_done) struct lcov_decoder d = { 0 };
    SCOPED(findings_done) struct findings damage;
    findings_init(&damage, job->mem);
    lcov_init(&d, job->in, job->mem, &damage, err);
    d.wants_all = true;
    return records(&d, out, &damage);
}

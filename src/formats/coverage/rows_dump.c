/* Rows -> text; see formats/coverage/rows.h. */
#include <inttypes.h>

#include "base/text.h"
#include "formats/coverage/rows.h"

struct dump {
    const struct coverage_source *s;
    struct findings damage;
    struct output *o;
    size_t marked;
    bool is_inner; /* of a file */
};

static void show_text(const struct dump *w, const struct coverage_decoder *d, const char *before, uint32_t name)
{
    if (!name) return;
    output_text(w->o, before);
    text_show(w->o, intern_get(&d->names, name));
}

/* "3:1 to 4:2"; without columns "3 to 4". */
static void show_place(const struct dump *w, const struct coverage_row *row)
{
    if (!row->line && !row->end_line) return;
    output_printf(w->o, row->column ? " %u:%u" : " %u", row->line, row->column);
    if (row->end_line) output_printf(w->o, row->end_column ? " to %u:%u" : " to %u", row->end_line, row->end_column);
}

static void show_region(const struct dump *w, const struct coverage_row *row, const char *word)
{
    static const char *const kinds[] = { "code", "statement", "block", "gap", "skipped", "other" };
    if (row->flags != ASSAY_REGION_STATEMENT && strcmp(word, kinds[row->flags]) != 0) output_printf(w->o, " %s", kinds[row->flags]);
    if (row->group) output_printf(w->o, " statements %u", row->group);
    output_printf(w->o, " count %" PRIu64, row->count);
}

static void show_line(const struct dump *w, const struct coverage_row *row)
{
    if (!(row->flags & ASSAY_COVERAGE_ONLY_HIT))
        output_printf(w->o, " count %" PRIu64, row->count);
    else if (!(row->flags & ASSAY_COVERAGE_EXCLUDED))
        output_text(w->o, row->count ? " covered" : " not covered");
    output_printf(w->o, "%s%s%s%s", row->flags & ASSAY_COVERAGE_UNKNOWN ? " unknown" : "",
                  row->flags & ASSAY_COVERAGE_UNEXECUTED_BLOCK ? " with an unexecuted block" : "", row->flags & ASSAY_COVERAGE_EXCLUDED ? " excluded" : "",
                  row->flags & ASSAY_COVERAGE_NONCODE ? " noncode" : "");
    if (row->group) output_printf(w->o, row->kind == COVERAGE_LINE ? " branches %u of %u" : " blocks %u of %u", row->index, row->group);
}

static void show_branch(const struct dump *w, const struct coverage_row *row)
{
    if (!row->block && !row->name && !row->target) output_printf(w->o, " number %u", row->index);
    if (row->target) output_printf(w->o, " to %" PRId64, row->target);
    output_printf(w->o, " taken %" PRIu64 "%s%s%s%s", row->count, row->is_percent ? "%" : "", row->flags & ASSAY_COVERAGE_BRANCH_EXCEPTION ? " exception" : "",
                  row->flags & ASSAY_COVERAGE_BRANCH_FALLTHROUGH ? " fallthrough" : "",
                  row->flags & ASSAY_COVERAGE_BRANCH_NOT_EVALUATED ? " never evaluated" : "");
}

static void show_condition(const struct dump *w, const struct coverage_row *row)
{
    const char *outcome = row->is_false ? "false " : w->s->words[COVERAGE_CONDITION] ? "true " : "";
    output_printf(w->o, "%s %u of %u %s%s", w->s->words[COVERAGE_CONDITION] ? " number" : " condition", row->index, row->group, outcome,
                  row->count ? "covered" : "not covered");
}

static void show_figures(const struct dump *w, const struct coverage_row *row, const char *word)
{
    switch ((enum coverage_row_kind)row->kind) {
    case COVERAGE_CONDITION: show_condition(w, row); break;
    case COVERAGE_STATED:
        output_printf(w->o, " %.17g", row->hit);
        if (row->total >= 0) output_printf(w->o, " of %.17g", row->total);
        break;
    case COVERAGE_REGION: show_region(w, row, word); break;
    case COVERAGE_LINE:
    case COVERAGE_FUNCTION: show_line(w, row); break;
    case COVERAGE_BRANCH: show_branch(w, row); break;
    case COVERAGE_SUM: output_printf(w->o, " %u of %u", row->index, row->group); break;
    default: break;
    }
}

static void show_row(const struct dump *w, const struct coverage_decoder *d, const struct coverage_row *row)
{
    static const char *const words[COVERAGE_KINDS] = { "file", "line", "function", "branch", "decision", "region", "line", "stated", "attribute", "count", "" };
    const char *word = w->s->words[row->kind] ? w->s->words[row->kind] : words[row->kind];
    output_hex(w->o, row->off, 8);
    output_printf(w->o, " %6u  %s%s", row->number, w->is_inner ? "  " : "", word);
    show_text(w, d, row->kind == COVERAGE_STATED ? " of " : " ", row->kind == COVERAGE_FILE ? 0 : row->block);
    if (row->kind != COVERAGE_SUM) show_text(w, d, *word ? " " : "", row->name);
    show_place(w, row);
    if (row->kind == COVERAGE_SUM) show_text(w, d, " ", row->name);
    show_text(w, d, " of ", row->func);
    show_text(w, d, " of test ", row->test);
    if (row->kind == COVERAGE_ATTRIBUTE) show_text(w, d, " = ", row->text);
    if (row->kind == COVERAGE_RECORD) show_text(w, d, row->name ? " " : "", row->text);
    show_figures(w, row, word);
    output_char(w->o, '\n');
}

static int show(void *arg, const struct coverage_decoder *d, const struct coverage_row *rows, size_t row_count)
{
    struct dump *w = arg;
    if (!d->goes_on) w->is_inner = false;
    for (size_t i = 0; i < row_count && !output_failed(w->o); i++) {
        findings_mark_first(&w->damage, &w->marked, rows[i].marks, w->o);
        if (rows[i].kind == COVERAGE_FILE) w->is_inner = false;
        if (!rows[i].is_derived) show_row(w, d, &rows[i]);
        w->is_inner |= rows[i].kind == COVERAGE_FILE;
    }
    return output_failed(w->o);
}

int coverage_rows_dump(const struct coverage_source *s, const struct read_job *job, struct output *out, assay_error *err)
{
    struct dump w = { .s = s, .o = out };
    struct coverage_decoder d = { .take = show, .arg = &w, .use = COVERAGE_FOR_DUMP, .damage = &w.damage };
    findings_init(&w.damage, job->mem);
    int rc = coverage_rows_decode(&d, s, job, err);
    intern_done(&d.names);
    if (rc == 0 || output_failed(out)) {
        findings_mark(&w.damage, &w.marked, out);
        rc = 0;
    }
    findings_done(&w.damage);
    return rc;
}

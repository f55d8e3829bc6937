/* The rule beyond damage - numbers that refer to nothing - and the dump: both only walk over the records. */
#include "base/scoped.h"
#include "base/text.h"
#include "formats/assay-json/decode.h"

/* ---- check ---- */

static int pass_by(void *arg, const struct assay_json_record *r)
{
    (void)arg;
    (void)r;
    return 0;
}

int assay_json_check(const struct read_job *job, struct findings *out, assay_error *err)
{
    SCOPED(assay_json_done) struct assay_json_decoder d = { .take = pass_by, .damage = out };
    TRY(assay_json_decode(&d, job, err));
    return assay_json_settle(&d, NULL);
}

/* ---- dump ---- */

struct walker {
    struct assay_json_decoder d;
    struct findings *damage;
    struct output *o;
    size_t marked;
};

static void show_words(struct output *o, const char *const *words, uint64_t bits)
{
    for (unsigned i = 0; words[i]; i++)
        if (bits >> i & 1) output_printf(o, " %s", words[i]);
}

static void show_values(struct walker *w, unsigned kind, const assay_value *values)
{
    unsigned block = assay_json_block(kind);
    for (size_t k = 0; values && k < w->d.blocks[block].len; k++) {
        if (k) output_char(w->o, ' ');
        switch (w->d.metric_types.at[w->d.blocks[block].at[k].v]) {
        case ASSAY_U64: output_u64(w->o, values[k].u); break;
        case ASSAY_I64: output_i64(w->o, values[k].i); break;
        default: output_printf(w->o, "%.17g", values[k].d);
        }
    }
}

static void show_member(struct walker *w, const struct assay_json_record *r, const struct assay_json_member *m)
{
    union schema_cell cell = r->cells[m->cell];
    output_printf(w->o, " %s ", m->key.data);
    switch (m->column ? m->column->type : SCHEMA_STREAM) {
    case SCHEMA_STRING: text_show(w->o, intern_get(&w->d.names, (uint32_t)cell.u)); break;
    case SCHEMA_WORD: output_text(w->o, schema_word(m->column, cell.u)); break;
    case SCHEMA_FLAGS:
    case SCHEMA_SHAPES: show_words(w->o, m->column->words, cell.u); break;
    case SCHEMA_I64: output_i64(w->o, cell.i); break;
    case SCHEMA_F64: output_printf(w->o, "%.17g", cell.d); break;
    case SCHEMA_WIDE: output_text(w->o, r->text); break;
    case SCHEMA_VALUES: show_values(w, r->kind, cell.values); break;
    default: output_u64(w->o, cell.u);
    }
}

static bool is_shown(const struct assay_json_record *r, const struct assay_json_member *m)
{
    if (m->column && m->column->type == SCHEMA_WIDE) return r->text[0] != '\0';
    return r->cells[m->cell].u || (m->column && m->column->is_needed);
}

static int show(void *arg, const struct assay_json_record *r)
{
    struct walker *w = arg;
    struct assay_json_list l = assay_json_list(r->kind);
    findings_mark(w->damage, &w->marked, w->o);
    output_hex(w->o, r->off, 8);
    output_printf(w->o, " %6llu  %s%s", (unsigned long long)r->line, r->owner && r->kind != SCHEMA_T_EVENTS && r->kind != SCHEMA_T_TIMELINES ? "  " : "",
                  l.item);
    if (r->number) output_printf(w->o, " #%u", r->number);
    for (unsigned i = 0; i < l.count; i++)
        if (is_shown(r, &l.members[i])) show_member(w, r, &l.members[i]);
    output_char(w->o, '\n');
    return output_failed(w->o);
}

int assay_json_dump(const struct read_job *job, struct output *out, assay_error *err)
{
    SCOPED(findings_done) struct findings damage = { 0 };
    struct walker w = { .d = { .take = show, .damage = &damage }, .damage = &damage, .o = out };
    w.d.arg = &w;
    findings_init(&damage, job->mem);
    int rc = assay_json_decode(&w.d, job, err);
    if (rc == 0 || output_failed(out)) {
        findings_mark(w.damage, &w.marked, w.o);
        rc = 0;
    }
    assay_json_done(&w.d);
    return rc;
}

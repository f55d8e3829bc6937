/* The rule beyond damage - numbers that refer to nothing - and the dump: both only walk over the records. */
#include "base/cancel.h"
#include "base/text.h"
#include "base/vec.h"
#include "formats/assay-json/decode.h"
#include "formats/assay-json/refer.h"

struct walker {
    struct assay_json_decoder d;
    struct findings *out;
    struct mem *mem;
    assay_error *err;
    struct output *o;
    size_t marked;
    VEC(struct assay_json_reference) references;
    uint32_t modules;
};

/* ---- check ---- */

/* What is referred to may come later: looked at once all is there. */
static int judge(void *arg, const struct assay_json_record *r)
{
    struct walker *w = arg;
    struct assay_json_reference found[ASSAY_JSON_REFERENCES];
    unsigned count = assay_json_refer(r, found);
    w->modules += r->kind == ASSAY_JSON_MODULE;
    for (unsigned i = 0; i < count; i++) {
        struct assay_json_reference *slot = found[i].to ? vec_push(w->mem, &w->references) : NULL;
        if (found[i].to && !slot) return error_memory(w->err);
        if (slot) *slot = found[i];
    }
    return 0;
}

int assay_json_check(const struct read_job *job, struct findings *out, assay_error *err)
{
    struct walker w = { .d = { .take = judge, .damage = out }, .out = out, .mem = job->mem, .err = err };
    w.d.arg = &w;
    int rc = assay_json_decode(&w.d, job, err);
    for (size_t i = 0; rc == 0 && i < w.references.len && (rc = cancel_step(i, err)) == 0; i++)
        assay_json_refer_check(&w.references.at[i], w.modules, w.d.files, w.d.functions, out);
    if (rc == 0 && out->failed) rc = error_memory(err);
    assay_json_done(&w.d);
    vec_done(job->mem, &w.references);
    return rc;
}

/* ---- dump ---- */

static void show_bits(struct output *o, const struct assay_json_field *f, uint8_t bits)
{
    for (unsigned i = 0; f->words[i]; i++)
        if (bits >> i & 1) output_printf(o, " %s", f->words[i]);
}

static void show_field(struct walker *w, const struct assay_json_field *f, const void *at)
{
    output_printf(w->o, " %s ", f->key.data);
    switch (f->type) {
    case ASSAY_JSON_U8:
    case ASSAY_JSON_BOOL: output_u64(w->o, *(const uint8_t *)at); break;
    case ASSAY_JSON_U32: output_u64(w->o, *(const uint32_t *)at); break;
    case ASSAY_JSON_U64: output_u64(w->o, *(const uint64_t *)at); break;
    case ASSAY_JSON_I64: output_i64(w->o, *(const int64_t *)at); break;
    case ASSAY_JSON_F64: output_printf(w->o, "%.17g", *(const double *)at); break;
    case ASSAY_JSON_TEXT:
    case ASSAY_JSON_NUMBER: text_show(w->o, intern_get(&w->d.names, *(const uint32_t *)at)); break;
    case ASSAY_JSON_WORD: output_text(w->o, f->words[*(const uint8_t *)at]); break;
    case ASSAY_JSON_FLAGS: show_bits(w->o, f, *(const uint8_t *)at); break;
    }
}

static int show(void *arg, const struct assay_json_record *r)
{
    struct walker *w = arg;
    const struct assay_json_table *t = &assay_json_tables[r->kind];
    findings_mark(w->out, &w->marked, w->o);
    output_hex(w->o, r->off, 8);
    output_printf(w->o, " %6llu  %s%s", (unsigned long long)r->number, r->kind >= ASSAY_JSON_CALLED && r->owner ? "  " : "", t->item);
    if (r->kind == ASSAY_JSON_FILE || r->kind == ASSAY_JSON_FUNCTION) output_printf(w->o, " #%u", r->owner);
    for (unsigned i = 0; i < t->count; i++)
        if (t->fields[i].is_needed || !assay_json_is_zero(&t->fields[i], &r->row)) show_field(w, &t->fields[i], (const char *)&r->row + t->fields[i].at);
    output_char(w->o, '\n');
    return output_failed(w->o);
}

int assay_json_dump(const struct read_job *job, struct output *out, assay_error *err)
{
    struct findings damage;
    struct walker w = { .d = { .take = show, .damage = &damage }, .out = &damage, .mem = job->mem, .err = err, .o = out };
    w.d.arg = &w;
    findings_init(&damage, job->mem);
    int rc = assay_json_decode(&w.d, job, err);
    if (rc == 0 || output_failed(out)) {
        findings_mark(w.out, &w.marked, w.o);
        rc = 0;
    }
    assay_json_done(&w.d);
    findings_done(&damage);
    return rc;
}

/* Every element of a Cobertura document that means something: offset, line of the document, and what it says. Damage is marked where it stands. */
#include "base/text.h"
#include "formats/cobertura/cobertura.h"
#include "formats/cobertura/decode.h"

struct dumper {
    struct output *o;
    struct findings damage;
    size_t marked;
};

static void named(struct output *o, const char *label, assay_slice name)
{
    output_text(o, label);
    text_show(o, name);
}

static void line(struct output *o, const struct cobertura_record *r)
{
    output_text(o, r->in_method ? "    line " : "  line ");
    output_u64(o, r->line);
    output_text(o, " hits ");
    output_u64(o, r->hits);
    if (r->has_sum) output_printf(o, " branches %u of %u", r->covered, r->total);
}

static int take(void *arg, const struct cobertura_record *r)
{
    struct dumper *k = arg;
    struct output *o = k->o;
    findings_mark(&k->damage, &k->marked, k->o);
    if (r->kind == COBERTURA_METHOD_END || r->kind == COBERTURA_CLASS_END) return output_failed(o);
    output_hex(o, r->off, 8);
    output_printf(o, " %6llu  ", (unsigned long long)r->number);
    switch (r->kind) {
    case COBERTURA_ROOT:
        output_text(o, "coverage");
        for (const char *const *a = r->attributes; a[0]; a += 2) {
            named(o, " ", slice_of(a[0]));
            named(o, "=", slice_of(a[1]));
        }
        break;
    case COBERTURA_SOURCE: named(o, "source ", r->name); break;
    case COBERTURA_CLASS:
        named(o, "class ", r->class_name);
        named(o, " file ", r->name);
        break;
    case COBERTURA_METHOD:
        named(o, "  method ", r->name);
        named(o, r->signature.len ? " signature " : "", r->signature);
        if (r->has_hits) output_printf(o, " hits %llu", (unsigned long long)r->hits);
        break;
    default: line(o, r); break;
    }
    output_char(o, '\n');
    return output_failed(o);
}

int cobertura_dump(const struct read_job *job, struct output *out, assay_error *err)
{
    struct dumper k = { .o = out };
    struct cobertura_decoder d = { .take = take, .arg = &k, .damage = &k.damage, .wants_numbers = true };
    findings_init(&k.damage, job->mem);
    int rc = cobertura_decode(&d, job, err);
    if (rc == 0 || output_failed(out)) {
        findings_mark(&k.damage, &k.marked, k.o);
        rc = 0;
    }
    findings_done(&k.damage);
    return rc;
}

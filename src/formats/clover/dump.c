/* Every element of a Clover document that means something: offset, line of the document, and what it says. Damage is marked where it stands. */
#include "base/text.h"
#include "formats/clover/clover.h"
#include "formats/clover/decode.h"

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

static void attributes(struct output *o, const char *label, const char *const *list)
{
    output_text(o, label);
    for (; list[0]; list += 2) {
        named(o, " ", slice_of(list[0]));
        named(o, "=", slice_of(list[1]));
    }
}

static void line(struct output *o, const char *label, const struct clover_record *r)
{
    output_printf(o, "    %s line %u count %llu", label, r->line, (unsigned long long)r->count);
    if (r->kind == CLOVER_COND) output_printf(o, " branches %u of %u", r->covered, r->total);
    if (r->kind == CLOVER_METHOD) named(o, " ", r->name);
}

static int take(void *arg, const struct clover_record *r)
{
    static const char *const scopes[] = { "  metrics of the project", "  metrics of the package", "    metrics of the file", "    metrics of the class" };
    struct dumper *k = arg;
    struct output *o = k->o;
    findings_mark(&k->damage, &k->marked, o);
    if (r->kind == CLOVER_FILE_END) return output_failed(o);
    output_hex(o, r->off, 8);
    output_printf(o, " %6llu  ", (unsigned long long)r->number);
    switch (r->kind) {
    case CLOVER_ROOT: attributes(o, "coverage", r->attributes); break;
    case CLOVER_PROJECT: named(o, r->is_test ? "testproject " : "project ", r->name); break;
    case CLOVER_PACKAGE: named(o, "  package ", r->name); break;
    case CLOVER_FILE: named(o, "  file ", r->name); break;
    case CLOVER_CLASS: named(o, "    class ", r->name); break;
    case CLOVER_METRICS: attributes(o, scopes[r->scope], r->attributes); break;
    case CLOVER_STMT: line(o, "stmt", r); break;
    case CLOVER_COND: line(o, "cond", r); break;
    default: line(o, "method", r); break;
    }
    output_char(o, '\n');
    return output_failed(o);
}

int clover_dump(const struct read_job *job, struct output *out, assay_error *err)
{
    struct dumper k = { .o = out };
    struct clover_decoder d = { .take = take, .arg = &k, .damage = &k.damage, .wants_numbers = true };
    findings_init(&k.damage, job->mem);
    int rc = clover_decode(&d, job, err);
    if (rc == 0 || output_failed(out)) {
        findings_mark(&k.damage, &k.marked, out);
        rc = 0;
    }
    findings_done(&k.damage);
    return rc;
}

/* Every element of a JaCoCo document that means something: offset, line of the document, and what it says. Damage is marked where it stands. */
#include "base/text.h"
#include "formats/jacoco/decode.h"
#include "formats/jacoco/jacoco.h"

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

static void line(struct output *o, const struct jacoco_record *r)
{
    output_printf(o, "    line %u", r->line);
    if (!r->is_unknown) output_printf(o, " instructions missed %u covered %u", r->missed_instructions, r->instructions_hit);
    if (r->missed_branches || r->branches_hit) output_printf(o, " branches missed %u covered %u", r->missed_branches, r->branches_hit);
}

static void counter(struct output *o, const struct jacoco_record *r)
{
    static const char *const scopes[] = { "report", "group", "package", "class", "method", "sourcefile" };
    output_printf(o, "    counter of the %s: %s missed %llu covered %llu", scopes[r->scope], jacoco_type_name(r->type), (unsigned long long)r->counter.missed,
                  (unsigned long long)r->counter.covered);
}

static void session(struct output *o, const struct jacoco_record *r)
{
    named(o, "session ", r->name);
    for (const char *const *a = r->attributes; a[0]; a += 2) {
        if (strcmp(a[0], "id") == 0) continue;
        named(o, " ", slice_of(a[0]));
        named(o, "=", slice_of(a[1]));
    }
}

static void record(struct output *o, const struct jacoco_record *r)
{
    switch (r->kind) {
    case JACOCO_REPORT: named(o, "report ", r->name); break;
    case JACOCO_SESSION: session(o, r); break;
    case JACOCO_GROUP: named(o, "group ", r->name); break;
    case JACOCO_PACKAGE: named(o, "package ", r->name); break;
    case JACOCO_CLASS:
        named(o, "  class ", r->name);
        named(o, r->detail.len ? " source " : "", r->detail);
        break;
    case JACOCO_METHOD:
        named(o, "    method ", r->name);
        named(o, "", r->detail);
        if (r->line) output_printf(o, " line %u", r->line);
        break;
    case JACOCO_SOURCE: named(o, "  sourcefile ", r->name); break;
    case JACOCO_LINE: line(o, r); break;
    default: counter(o, r); break;
    }
}

static int take(void *arg, const struct jacoco_record *r)
{
    struct dumper *k = arg;
    findings_mark(&k->damage, &k->marked, k->o);
    if (r->kind == JACOCO_GROUP_END || r->kind == JACOCO_PACKAGE_END || r->kind == JACOCO_SOURCE_END) return output_failed(k->o);
    output_hex(k->o, r->off, 8);
    output_printf(k->o, " %6llu  ", (unsigned long long)r->number);
    record(k->o, r);
    output_char(k->o, '\n');
    return output_failed(k->o);
}

int jacoco_dump(const struct read_job *job, struct output *out, assay_error *err)
{
    struct dumper k = { .o = out };
    struct jacoco_decoder d = { .take = take, .arg = &k, .damage = &k.damage, .wants_numbers = true };
    findings_init(&k.damage, job->mem);
    int rc = jacoco_decode(&d, job, err);
    if (rc == 0 || output_failed(out)) {
        findings_mark(&k.damage, &k.marked, out);
        rc = 0;
    }
    findings_done(&k.damage);
    return rc;
}

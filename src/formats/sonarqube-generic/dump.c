/* Every element that means something: offset, line of the document, and what it says. Damage is marked where it stands. */
#include "base/text.h"
#include "formats/sonarqube-generic/decode.h"
#include "formats/sonarqube-generic/sonarqube.h"

struct dumper {
    struct output *o;
    struct findings damage;
    size_t marked;
};

static int take(void *arg, const struct sonarqube_record *r)
{
    struct dumper *k = arg;
    struct output *o = k->o;
    findings_mark(&k->damage, &k->marked, o);
    if (r->kind == SONARQUBE_FILE_END) return output_failed(o);
    output_hex(o, r->off, 8);
    output_printf(o, " %6llu  ", (unsigned long long)r->number);
    if (r->kind == SONARQUBE_LINE) {
        output_printf(o, "  line %u %s", r->line, r->is_hit ? "covered" : "not covered");
        if (r->total) output_printf(o, " branches %u of %u", r->covered, r->total);
    } else {
        output_text(o, r->kind == SONARQUBE_ROOT ? "coverage version " : "file ");
        text_show(o, r->name);
    }
    output_char(o, '\n');
    return output_failed(o);
}

int sonarqube_dump(const struct read_job *job, struct output *out, assay_error *err)
{
    struct dumper k = { .o = out };
    struct sonarqube_decoder d = { .take = take, .arg = &k, .damage = &k.damage, .wants_numbers = true };
    findings_init(&k.damage, job->mem);
    int rc = sonarqube_decode(&d, job, err);
    if (rc == 0 || output_failed(out)) {
        findings_mark(&k.damage, &k.marked, out);
        rc = 0;
    }
    findings_done(&k.damage);
    return rc;
}

/* Rules H174 to H176: what metrics/default.yaml says, and whether meta.db has what it names. */
#include <strings.h>

#include "base/scoped.h"
#include "formats/hpcdb/check.h"
#include "formats/hpcdb/taxonomy.h"

static const char *const combines[] = { "sum", "min", "max" };

static int print_len(assay_slice s) { return (int)(s.len < 200 ? s.len : 200); }
static const char *print_data(assay_slice s) { return s.data ? s.data : ""; }

/* Metrics by name; hpcviewer does not tell capitals from small letters. */
struct names {
    struct index *index;
    uint64_t work; /* statistics looked at: hostile files have many of both */
};
enum { MAX_WORK = 50000000 };

static uint64_t hash_of(assay_slice s)
{
    uint64_t h = 3;
    for (size_t i = 0; i < s.len; i++) h = hash_mix(h, (unsigned char)s.data[i] | 0x20u);
    return h;
}

/* HPCDB_NONE = there is none of this name. */
static uint32_t metric_of(const struct hpcdb_checker *c, const struct names *names, assay_slice name)
{
    struct hpcdb_metric m;
    for (struct index_walk w = index_walk(names->index, hash_of(name)); index_next(names->index, &w);) {
        hpcdb_metric_at(&c->quiet, w.id - 1, &m);
        if (m.name.len == name.len && strncasecmp(m.name.data ? m.name.data : "", name.data ? name.data : "", name.len) == 0) return w.id - 1;
    }
    return HPCDB_NONE;
}

static int list_names(const struct hpcdb_checker *c, struct names *names, assay_error *err)
{
    struct hpcdb_metric m;
    for (uint32_t i = 0; i < c->quiet.metrics.count; i++) {
        hpcdb_metric_at(&c->quiet, i, &m);
        if (m.name.len && metric_of(c, names, m.name) == HPCDB_NONE && !index_add(names->index, hash_of(m.name), i + 1)) return error_memory(err);
    }
    return 0;
}

/* What of the input meta.db has not; NULL = it has all. The metric has the scope, and a statistic of this formula and combination in it. */
static const char *what_lacks(const struct hpcdb_checker *c, struct names *names, const struct hpcdb_column_input *x)
{
    uint32_t number = metric_of(c, names, x->metric);
    bool has_scope = false, has_formula = false;
    struct hpcdb_metric m;
    struct hpcdb_summary stat;
    struct hpcdb_scope scope;
    if (number == HPCDB_NONE) return "metric";
    hpcdb_metric_at(&c->quiet, number, &m);
    names->work += m.summaries.count;
    for (uint32_t i = 0; i < m.summaries.count; i++) {
        hpcdb_summary_at(&c->quiet, &m, i, &stat);
        if (stat.scope == HPCDB_NONE) continue;
        hpcdb_scope_at(&c->quiet, stat.scope, &scope);
        if (!slice_equal(scope.name, x->scope)) continue;
        has_scope = true;
        if (!slice_equal(stat.formula, x->formula)) continue;
        has_formula = true;
        if (stat.combine < 3 && slice_is(x->combine, combines[stat.combine])) return NULL;
    }
    return has_formula ? "combination" : has_scope ? "formula" : "scope";
}

static void check_inputs(struct hpcdb_checker *c, struct names *names, const struct hpcdb_taxonomy *t)
{
    for (size_t i = 0; i < t->inputs.len && names->work < MAX_WORK; i++) {
        const struct hpcdb_column_input *x = &t->inputs.at[i];
        const char *lacks = what_lacks(c, names, x);
        if (!lacks) continue;
        findings_add(c->out, "H174", ASSAY_WARNING, FINDING_NO_OFFSET, t->yaml.nodes.at[x->node].line,
                     HPCDB_YAML ": meta.db has no such %s: metric \"%.*s\", scope \"%.*s\", formula \"%.*s\", combine \"%.*s\"", lacks, print_len(x->metric),
                     print_data(x->metric), print_len(x->scope), print_data(x->scope), print_len(x->formula), print_data(x->formula), print_len(x->combine),
                     print_data(x->combine));
    }
}

int hpcdb_check_yaml(struct hpcdb_checker *c, assay_error *err)
{
    SCOPED(hpcdb_taxonomy_done) struct hpcdb_taxonomy t = { 0 };
    if (c->db.is_single || !hpcdb_has_file(input_path(c->job->in), HPCDB_YAML)) return 0;
    if (!yaml_can()) {
        findings_add(c->out, "H176", ASSAY_INFO, FINDING_NO_OFFSET, 0, HPCDB_YAML ": this build of assay cannot read it: it was built without libyaml");
        return 0;
    }
    TRY(hpcdb_taxonomy_read(&t, input_path(c->job->in), c->mem, err));
    if (t.fault.text[0]) findings_add(c->out, "H175", ASSAY_WARNING, FINDING_NO_OFFSET, t.fault.line, HPCDB_YAML ": cannot be parsed: %s", t.fault.text);
    if (!hpcdb_check_has(c, HPCDB_META)) return 0;
    SCOPED(index_done) struct index index;
    index_init(&index, c->mem);
    struct names names = { .index = &index };
    TRY(list_names(c, &names, err));
    check_inputs(c, &names, &t);
    return 0;
}

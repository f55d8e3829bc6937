/* What is wrong with an hpcrun profile, or worth knowing: rules HRC01 to HRC21 and HRW01 to HRW15 of docs/formats/hpcrun.md. The decoder
 * finds what concerns the structure; here the parts are laid against each other. */
#include "formats/hpcrun/check.h"

#include <inttypes.h>

#include "formats/hpcrun/funcs.h"

enum { KINDS_KNOWN = 8 };

/* ---- strings ---- */

static void check_str(struct hpcrun_checker *c, const struct hpcrun_str *s, bool may_be_empty, const char *what)
{
    const char *nul = s->text.len ? memchr(s->text.data, 0, s->text.len) : NULL;
    if (s->text.len == 0 && !may_be_empty) findings_add(c->out, "HRW01", ASSAY_WARNING, s->off, 0, "the %s is empty", what);
    if (nul) findings_add(c->out, "HRW15", ASSAY_WARNING, s->off + 4 + (uint64_t)(nul - s->text.data), 0, "the %s holds a NUL byte", what);
}

static void remember(struct hpcrun_checker *c, const struct hpcrun_pair *p)
{
    const struct {
        const char *name;
        assay_slice *to;
    } fields[] = { { "mpi-rank", &c->rank }, { "thread-id", &c->thread }, { "host-id", &c->host }, { "process-id", &c->process } };
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (slice_is(p->name.text, fields[i].name) && !fields[i].to->data) *fields[i].to = p->value.text;
    c->has_program |= slice_is(p->name.text, "program-name");
}

static int check_pair(struct hpcrun_checker *c, const struct hpcrun_record *r, assay_error *err)
{
    const struct hpcrun_pair *p = &r->pair;
    check_str(c, &p->name, false, "name of a pair");
    check_str(c, &p->value, c->d.file.variant == HPCRUN_04B, "value of a pair");
    if (intern_find(&c->pairs, p->name.text))
        findings_add(c->out, "HRW02", ASSAY_WARNING, r->off, 0, "a pair with this name came before: the first one counts");
    else if (!intern_put(&c->pairs, p->name.text))
        return error_memory(err);
    if (!p->is_epoch) remember(c, p);
    return 0;
}

/* ---- epochs, modules ---- */

static void check_epoch(struct hpcrun_checker *c, const struct hpcrun_record *r)
{
    if (r->epoch.flags & ~UINT64_C(1))
        findings_add(c->out, "HRW03", ASSAY_WARNING, r->off + 8, 0, "the epoch flags 0x%" PRIx64 " have unknown bits", r->epoch.flags);
}

static int check_module(struct hpcrun_checker *c, const struct hpcrun_record *r, assay_error *err)
{
    const struct hpcrun_module *m = &r->module;
    uint64_t known = c->d.file.variant == HPCRUN_02_LITERAL ? 0 : 1;
    check_str(c, &m->name, false, "path of a load module");
    if (m->flags & ~known)
        findings_add(c->out, "HRW03", ASSAY_WARNING, r->off, 0, "the flags 0x%" PRIx64 " of load module %" PRIu32 " have unknown bits", m->flags, m->index);
    if (c->d.file.variant >= HPCRUN_02B) {
        if (m->id == 0)
            findings_add(c->out, "HRC17", ASSAY_ERROR, r->off, 0, "load module %" PRIu32 " has the id 0, which stands for placeholders", m->index);
        else if (hpcrun_modules_find(&c->modules, m->id))
            findings_add(c->out, "HRC17", ASSAY_ERROR, r->off, 0, "load module %" PRIu32 " has the id %u, which another one already has", m->index, m->id);
    }
    return hpcrun_modules_add(&c->modules, m, c->d.file.variant) ? 0 : error_memory(err);
}

/* ---- metrics ---- */

static int check_metric(struct hpcrun_checker *c, const struct hpcrun_record *r, assay_error *err)
{
    const struct hpcrun_metric *m = &r->metric;
    bool has_formula = m->formula.text.len > 0;
    struct hpcrun_checked_metric *row = vec_push(c->mem, &c->metrics);
    if (!row) return error_memory(err);
    *row = (struct hpcrun_checked_metric){ .off = r->off, .period = m->period, .is_real = m->value_format == 2, .has_formula = has_formula };
    check_str(c, &m->name, false, "name of a metric");
    if ((m->value_format < 1 || m->value_format > 2) && !has_formula)
        findings_add(c->out, "HRC18", ASSAY_ERROR, m->flags_off, 0, "metric %" PRIu32 " has the value format %u: expected integer (1) or real (2)", m->index,
                     m->value_format);
    if (m->period == 0) findings_add(c->out, "HRW13", ASSAY_WARNING, r->off, 0, "metric %" PRIu32 " has the period 0: all its costs become 0", m->index);
    if (m->show > 4) findings_add(c->out, "HRW03", ASSAY_WARNING, m->flags_off, 0, "metric %" PRIu32 " has the unknown show code %u", m->index, m->show);
    if (!has_formula) return 0;
    struct hpcrun_formula *f = vec_push(c->mem, &c->formulas);
    if (!f) return error_memory(err);
    *f = (struct hpcrun_formula){ m->formula, m->index };
    return 0;
}

/* Formulas name metrics that may come after them, so they wait for the end of the table. */
static void check_formulas(struct hpcrun_checker *c)
{
    for (size_t i = 0; i < c->formulas.len; i++) {
        const struct hpcrun_formula *f = &c->formulas.at[i];
        size_t at;
        const char *problem = hpcrun_formula_problem(f->text.text, c->metrics.len, &at);
        if (problem)
            findings_add(c->out, "HRC20", ASSAY_ERROR, f->text.off, 0, "the formula of metric %" PRIu32 ": %s at character %zu", f->metric, problem, at + 1);
    }
    c->formulas.len = 0;
}

/* ---- who was measured ---- */

static void check_kind(struct hpcrun_checker *c, const struct hpcrun_record *r)
{
    uint16_t kind = r->kind_name.kind;
    if (kind < HPCRUN_KIND_MAX) c->kinds[kind / 8] |= (uint8_t)(1u << kind % 8);
    check_str(c, &r->kind_name.name, false, "name of a kind");
    if (kind >= KINDS_KNOWN) findings_add(c->out, "HRW03", ASSAY_WARNING, r->off, 0, "the kind %u of the id-tuple dictionary is not known", kind);
}

static void check_tuple(struct hpcrun_checker *c, const struct hpcrun_record *r)
{
    uint16_t kind = hpcrun_tuple_kind(r->tuple.word);
    if (c->kinds[kind / 8] >> kind % 8 & 1) return;
    findings_add(c->out, "HRC16", ASSAY_ERROR, r->off, 0, "element %" PRIu32 " of the id tuple has the kind %u, which is not in the dictionary", r->tuple.index,
                 kind);
}

static void check_gap(struct hpcrun_checker *c, const struct hpcrun_record *r)
{
    if (c->d.file.variant != HPCRUN_04B) return;
    for (size_t i = 0; i < r->gap.len; i++) {
        if (!r->gap.data[i]) continue;
        findings_add(c->out, "HRW05", ASSAY_WARNING, r->off + i, 0, "the gap between two sections, at %" PRIu64 ", is not zero", r->off);
        return;
    }
}

/* ---- everything ---- */

static void begin_pairs(struct hpcrun_checker *c)
{
    intern_done(&c->pairs);
    intern_init(&c->pairs, c->mem);
}

static int check_list(struct hpcrun_checker *c, const struct hpcrun_record *r, assay_error *err)
{
    const struct hpcrun_list *l = &r->list;
    switch (l->id) {
    case HPCRUN_LIST_PAIRS:
    case HPCRUN_LIST_EPOCH_PAIRS: begin_pairs(c); return 0;
    case HPCRUN_LIST_METRICS:
        hpcrun_check_totals(c);
        c->metrics.len = c->formulas.len = 0;
        return 0;
    case HPCRUN_LIST_MODULES: hpcrun_modules_clear(&c->modules); return 0;
    case HPCRUN_LIST_NODES: return hpcrun_check_nodes(c, l, err);
    case HPCRUN_LIST_TUPLE:
        if (l->count == 0) findings_add(c->out, "HRC16", ASSAY_ERROR, r->off, 0, "the id tuple is empty");
        return 0;
    case HPCRUN_LIST_VALUES: c->values = l->span; return 0;
    case HPCRUN_LIST_INDEX: hpcrun_check_index(c, l); return 0;
    default: return 0;
    }
}

static int check_record(struct hpcrun_checker *c, const struct hpcrun_record *r, assay_error *err)
{
    if (r->kind != HPCRUN_RECORD_METRIC && r->kind != HPCRUN_RECORD_DAMAGE && c->formulas.len) check_formulas(c);
    switch (r->kind) {
    case HPCRUN_RECORD_LIST: return check_list(c, r, err);
    case HPCRUN_RECORD_PAIR: return check_pair(c, r, err);
    case HPCRUN_RECORD_EPOCH: check_epoch(c, r); return 0;
    case HPCRUN_RECORD_METRIC: return check_metric(c, r, err);
    case HPCRUN_RECORD_MODULE: return check_module(c, r, err);
    case HPCRUN_RECORD_KIND: check_kind(c, r); return 0;
    case HPCRUN_RECORD_TUPLE: check_tuple(c, r); return 0;
    case HPCRUN_RECORD_GAP: check_gap(c, r); return 0;
    case HPCRUN_RECORD_DAMAGE: findings_add(c->out, r->damage.rule, r->damage.severity, r->off, 0, "%s", r->damage.message); return 0;
    default: return 0;
    }
}

static int check_all(struct hpcrun_checker *c, const struct hpcrun_source *source, assay_error *err)
{
    struct hpcrun_record r;
    hpcrun_decoder_init(&c->d, source->bytes);
    c->d.skip_items = true;
    while (hpcrun_next(&c->d, &r)) TRY(check_record(c, &r, err));
    if (c->formulas.len) check_formulas(c);
    hpcrun_check_totals(c);
    if (c->d.file.variant != HPCRUN_UNKNOWN) {
        if (!c->has_program) findings_add(c->out, "HRW02", ASSAY_WARNING, c->d.file.magic.len, 0, "the header has no pair program-name");
        hpcrun_check_name(c, source->path);
    }
    if (source->is_cut) findings_add(c->out, "HRC21", ASSAY_ERROR, source->bytes.len, 0, "the compressed input is damaged here");
    return c->out->failed ? error_memory(err) : 0;
}

int hpcrun_check_source(const struct hpcrun_source *source, struct mem *mem, struct findings *out, assay_error *err)
{
    struct hpcrun_checker c = { .mem = mem, .out = out };
    hpcrun_modules_init(&c.modules, mem);
    hpcrun_ids_init(&c.ids, mem);
    intern_init(&c.pairs, mem);
    int rc = check_all(&c, source, err);
    intern_done(&c.pairs);
    hpcrun_ids_done(&c.ids);
    hpcrun_modules_done(&c.modules);
    vec_done(mem, &c.metrics, &c.formulas);
    return rc;
}

int hpcrun_check(const struct read_job *job, struct findings *out, assay_error *err)
{
    struct hpcrun_source source;
    TRY(hpcrun_map(job, &source, err));
    return hpcrun_check_source(&source, job->mem, out, err);
}

/* Prints every structure of a database by its name in the specification, each line with its file and offset. Damage is printed where the
 * decoder meets it. */
#include <inttypes.h>

#include "base/number.h"
#include "base/scoped.h"
#include "base/text.h"
#include "formats/hpcdb/open.h"

struct dump {
    struct hpcdb db;
    struct hpcdb_inputs inputs;
    struct output *out;
    struct mem *mem;
};

static void put_damage(void *arg, enum hpcdb_part part, const char *rule, int severity, uint64_t off, const char *text)
{
    struct dump *d = arg;
    (void)severity;
    output_printf(d->out, "%s %08" PRIx64 " *** %s %s\n", hpcdb_layouts[part].name, off, rule, text);
}

/* The head of a line. */
static void at(struct dump *d, enum hpcdb_part part, uint64_t off, unsigned indent)
{
    output_text(d->out, hpcdb_layouts[part].name);
    output_char(d->out, ' ');
    output_hex(d->out, off, 8);
    for (unsigned i = 0; i <= indent; i++) output_char(d->out, ' ');
}

static void put_pointer(struct dump *d, const char *name, uint64_t pointer) { output_printf(d->out, " %s=0x%" PRIx64, name, pointer); }
static void put_number(struct dump *d, const char *name, uint64_t v) { output_printf(d->out, " %s=%" PRIu64, name, v); }

static void put_text(struct dump *d, const char *name, uint64_t pointer, assay_slice text)
{
    put_pointer(d, name, pointer);
    if (!text.data) return;
    output_text(d->out, " \"");
    text_show(d->out, text);
    output_char(d->out, '"');
}

static void put_value(struct dump *d, double v)
{
    char text[64];
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    output_text(d->out, " value=");
    if (v - v == 0)
        output_bytes(d->out, text, number_put_double(text, v));
    else
        output_printf(d->out, "f64:%016" PRIx64, bits);
}

static void end(struct dump *d) { output_char(d->out, '\n'); }

/* ---- headers ---- */

static void put_header(struct dump *d, enum hpcdb_part part)
{
    const struct hpcdb_file *f = &d->db.file[part];
    const struct hpcdb_layout *l = &hpcdb_layouts[part];
    at(d, part, 0, 0);
    output_printf(d->out, "magic \"HPCTOOLKIT\" format \"%s\" majorVersion=%u minorVersion=%u\n", l->format, f->major, f->minor);
    for (unsigned i = 0; i < l->section_count; i++) {
        at(d, part, HPCDB_HEAD_LEN + (uint64_t)HPCDB_SECTION_LEN * i, 0);
        output_printf(d->out, "sz%s=%" PRIu64 " p%s=0x%" PRIx64 "\n", l->section_names[i], f->sections[i].size, l->section_names[i], f->sections[i].off);
    }
}

static void put_footer(struct dump *d, enum hpcdb_part part)
{
    char last[HPCDB_FOOTER_LEN];
    uint64_t len = d->db.file[part].bytes.len;
    if (len < sizeof last) return;
    hpcdb_get(&d->db, part, len - sizeof last, last, sizeof last);
    at(d, part, len - sizeof last, 0);
    output_text(d->out, "footer \"");
    text_show(d->out, (assay_slice){ last, sizeof last });
    output_text(d->out, "\"\n");
}

/* The head of a section with an array: {pointer, count, size of an element}. */
static void put_section(struct dump *d, enum hpcdb_part part, unsigned section, const char *array, unsigned count_len, unsigned stride_at, unsigned stride_len,
                        const char *element)
{
    const struct hpcdb_section *s = &d->db.file[part].sections[section];
    if (!s->is_ok) return;
    unsigned char p[16] = { 0 };
    hpcdb_get(&d->db, part, s->off, p, s->size < sizeof p ? (size_t)s->size : sizeof p);
    at(d, part, s->off, 0);
    output_printf(d->out, "%s p%s=0x%" PRIx64 " n%s=%" PRIu32 " sz%s=%u\n", hpcdb_layouts[part].section_names[section], array, bytes_u64le(p), array,
                  count_len == 4   ? bytes_u32le(p + 8)
                  : count_len == 2 ? bytes_u16le(p + 8)
                                   : p[8],
                  element, stride_len == 2 ? bytes_u16le(p + stride_at) : p[stride_at]);
}

/* ---- meta.db ---- */

static void put_general(struct dump *d)
{
    struct hpcdb_general g;
    if (!hpcdb_general(&d->db, &g)) return;
    at(d, HPCDB_META, g.off, 0);
    output_text(d->out, "General");
    put_text(d, "pTitle", g.title_at, g.title);
    put_text(d, "pDescription", g.description_at, g.description);
    end(d);
}

static void put_kinds(struct dump *d)
{
    const struct hpcdb_section *s = &d->db.file[HPCDB_META].sections[HPCDB_ID_NAMES];
    if (!s->is_ok) return;
    at(d, HPCDB_META, s->off, 0);
    output_printf(d->out, "IdNames ppNames=0x%" PRIx64 " nKinds=%u\n", bytes_u64le(hpcdb_meta(&d->db, s->off)), *hpcdb_meta(&d->db, s->off + 8));
    for (uint32_t i = 0; i < d->db.kinds.count; i++) {
        uint64_t pointer;
        assay_slice name = hpcdb_kind_at(&d->db, i, &pointer);
        at(d, HPCDB_META, hpcdb_element_off(&d->db.kinds, i), 2);
        output_printf(d->out, "ppNames[%u]", i);
        put_text(d, "char*", pointer, name);
        end(d);
    }
}

static void put_instances(struct dump *d, const struct hpcdb_metric *m)
{
    struct hpcdb_inst inst;
    struct hpcdb_summary s;
    for (uint32_t k = 0; k < m->insts.count; k++) {
        hpcdb_inst_at(&d->db, m, k, &inst);
        at(d, HPCDB_META, inst.off, 4);
        output_printf(d->out, "PSI[%u]", k);
        put_pointer(d, "pScope", inst.scope_at);
        put_number(d, "propMetricId", inst.id);
        end(d);
    }
    for (uint32_t k = 0; k < m->summaries.count; k++) {
        hpcdb_summary_at(&d->db, m, k, &s);
        at(d, HPCDB_META, s.off, 4);
        output_printf(d->out, "SS[%u]", k);
        put_pointer(d, "pScope", s.scope_at);
        put_text(d, "pFormula", s.formula_at, s.formula);
        put_number(d, "combine", s.combine);
        put_number(d, "statMetricId", s.id);
        end(d);
    }
}

static void put_metrics(struct dump *d)
{
    const struct hpcdb_section *s = &d->db.file[HPCDB_META].sections[HPCDB_METRICS];
    struct hpcdb_scope scope;
    struct hpcdb_metric m;
    if (!s->is_ok) return;
    const unsigned char *p = hpcdb_meta(&d->db, s->off);
    at(d, HPCDB_META, s->off, 0);
    output_printf(d->out, "Metrics pMetrics=0x%" PRIx64 " nMetrics=%u szMetric=%u szScopeInst=%u szSummary=%u pScopes=0x%" PRIx64 " nScopes=%u szScope=%u\n",
                  bytes_u64le(p), bytes_u32le(p + 8), p[0x0c], p[0x0d], p[0x0e], bytes_u64le(p + 0x10), bytes_u16le(p + 0x18), p[0x1a]);
    for (uint32_t i = 0; i < d->db.scopes.count; i++) {
        hpcdb_scope_at(&d->db, i, &scope);
        at(d, HPCDB_META, scope.off, 2);
        output_printf(d->out, "PS[%u]", i);
        put_text(d, "pScopeName", scope.name_at, scope.name);
        put_number(d, "type", scope.type);
        put_number(d, "propagationIndex", scope.index);
        end(d);
    }
    for (uint32_t i = 0; i < d->db.metrics.count; i++) {
        hpcdb_metric_at(&d->db, i, &m);
        at(d, HPCDB_META, m.off, 2);
        output_printf(d->out, "MD[%u]", i);
        put_text(d, "pName", m.name_at, m.name);
        output_printf(d->out, " pScopeInsts=0x%" PRIx64 " pSummaries=0x%" PRIx64 " nScopeInsts=%u nSummaries=%u\n", m.insts_at, m.summaries_at, m.inst_count,
                      m.summary_count);
        put_instances(d, &m);
    }
}

static void put_paths(struct dump *d, const struct hpcdb_array *a, const char *name, void (*get)(const struct hpcdb *, uint32_t, struct hpcdb_path *))
{
    struct hpcdb_path p;
    for (uint32_t i = 0; i < a->count && !output_failed(d->out); i++) {
        get(&d->db, i, &p);
        at(d, HPCDB_META, p.off, 2);
        output_printf(d->out, "%s[%u] flags=0x%x", name, i, p.flags);
        put_text(d, "pPath", p.path_at, p.path);
        end(d);
    }
}

static void put_functions(struct dump *d)
{
    struct hpcdb_function f;
    for (uint32_t i = 0; i < d->db.functions.count && !output_failed(d->out); i++) {
        hpcdb_function_at(&d->db, i, &f);
        at(d, HPCDB_META, f.off, 2);
        output_printf(d->out, "FS[%u]", i);
        put_text(d, "pName", f.name_at, f.name);
        put_pointer(d, "pModule", f.module_at);
        put_pointer(d, "offset", f.offset);
        put_pointer(d, "pFile", f.file_at);
        output_printf(d->out, " line=%u flags=0x%x\n", f.line, f.flags);
    }
}

static void put_context(struct dump *d, const struct hpcdb_context *c)
{
    at(d, HPCDB_META, c->off, 2 * (c->depth < 40 ? c->depth : 40));
    output_text(d->out, c->is_entry ? "Entry" : "Ctx");
    output_printf(d->out, " szChildren=%" PRIu64 " pChildren=0x%" PRIx64 " ctxId=%u", c->children_len, c->children_at, c->id);
    if (c->is_entry) {
        put_number(d, "entryPoint", c->entry_point);
        put_text(d, "pPrettyName", c->name_at, c->name);
    } else
        output_printf(d->out, " flags=0x%02x relation=%u lexicalType=%u nFlexWords=%u propagation=0x%04x", c->flags, c->relation, c->lexical, c->words,
                      c->propagation);
    if (c->flags & HPCDB_HAS_FUNCTION) put_pointer(d, "pFunction", c->function_at);
    if (c->flags & HPCDB_HAS_SOURCE) output_printf(d->out, " pFile=0x%" PRIx64 " line=%u", c->file_at, c->line);
    if (c->flags & HPCDB_HAS_POINT) output_printf(d->out, " pModule=0x%" PRIx64 " offset=0x%" PRIx64, c->module_at, c->offset);
    end(d);
}

static int put_tree(struct dump *d, assay_error *err)
{
    SCOPED(hpcdb_walk_done) struct hpcdb_walk w = { 0 };
    struct hpcdb_context c;
    put_section(d, HPCDB_META, HPCDB_CONTEXT, "EntryPoints", 2, 0x0a, 1, "EntryPoint");
    TRY(hpcdb_walk_init(&w, &d->db, d->mem, err));
    while (!output_failed(d->out) && hpcdb_walk_next(&w, &c)) put_context(d, &c);
    return w.failed ? error_memory(err) : 0;
}

static int put_meta(struct dump *d, assay_error *err)
{
    put_general(d);
    put_kinds(d);
    put_metrics(d);
    put_section(d, HPCDB_META, HPCDB_MODULES, "Modules", 4, 0x0c, 2, "Module");
    put_paths(d, &d->db.modules, "LMS", hpcdb_module_at);
    put_section(d, HPCDB_META, HPCDB_FILES, "Files", 4, 0x0c, 2, "File");
    put_paths(d, &d->db.files, "SFS", hpcdb_file_at);
    put_section(d, HPCDB_META, HPCDB_FUNCTIONS, "Functions", 4, 0x0c, 2, "Function");
    put_functions(d);
    return put_tree(d, err);
}

/* ---- profile.db ---- */

static void put_tuple(struct dump *d, struct hpcdb_profile *p)
{
    struct hpcdb_tuple t;
    if (!hpcdb_tuple_of(&d->db, p, &t)) return;
    at(d, HPCDB_PROFILE, t.off, 4);
    output_printf(d->out, "HIT nIds=%u\n", t.count);
    for (uint16_t i = 0; i < t.count; i++) {
        struct hpcdb_id id = hpcdb_id_at(&d->db, &t, i);
        at(d, HPCDB_PROFILE, t.off + HPCDB_TUPLE_LEN + (uint64_t)i * HPCDB_ID_LEN, 6);
        output_printf(d->out, "Id[%u] kind=%u flags=0x%x logicalId=%u physicalId=0x%" PRIx64 "\n", i, id.kind, id.flags, id.logical, id.physical);
    }
}

static void put_profile(struct dump *d, uint32_t number)
{
    struct hpcdb_profile p;
    hpcdb_profile_at(&d->db, number, &p);
    at(d, HPCDB_PROFILE, p.off, 2);
    output_printf(d->out, "PI[%u] nValues=%" PRIu64 " pValues=0x%" PRIx64 " nCtxs=%u pCtxIndices=0x%" PRIx64 " pIdTuple=0x%" PRIx64 " flags=0x%x\n", number,
                  p.value_count, p.values_at, p.ctx_count, p.ctxs_at, p.tuple_at, p.flags);
    put_tuple(d, &p);
    for (uint32_t i = 0; i < p.n_ctxs && !output_failed(d->out); i++) {
        struct hpcdb_run run = hpcdb_ctx_run(&p, i);
        at(d, HPCDB_PROFILE, p.ctxs_at + (uint64_t)i * HPCDB_INDEX_LEN, 4);
        output_printf(d->out, "Idx[%u] ctxId=%u startIndex=%" PRIu64 "\n", i, hpcdb_ctx_id(&p, i), hpcdb_ctx_start(&p, i));
        for (uint64_t v = run.begin; v < run.end; v++) {
            at(d, HPCDB_PROFILE, p.values_at + v * HPCDB_VALUE_LEN, 6);
            output_text(d->out, "Val");
            put_number(d, "metricId", hpcdb_value_metric(&p, v));
            put_value(d, hpcdb_value(&p, v));
            end(d);
        }
    }
}

/* ---- cct.db, trace.db ---- */

static void put_ctx(struct dump *d, uint32_t number, struct hpcdb_ctx *c)
{
    hpcdb_ctx_at(&d->db, number, c);
    at(d, HPCDB_CCT, c->off, 2);
    output_printf(d->out, "CI[%u] nValues=%" PRIu64 " pValues=0x%" PRIx64 " nMetrics=%u pMetricIndices=0x%" PRIx64 "\n", number, c->value_count, c->values_at,
                  c->metric_count, c->metrics_at);
    for (uint32_t i = 0; i < c->n_metrics && !output_failed(d->out); i++) {
        struct hpcdb_run run = hpcdb_metric_run(c, i);
        at(d, HPCDB_CCT, c->metrics_at + (uint64_t)i * HPCDB_CCT_INDEX_LEN, 4);
        output_printf(d->out, "Idx[%u] metricId=%u startIndex=%" PRIu64 "\n", i, hpcdb_metric_id(c, i), hpcdb_metric_start(c, i));
        for (uint64_t v = run.begin; v < run.end; v++) {
            at(d, HPCDB_CCT, c->values_at + v * HPCDB_CCT_VALUE_LEN, 6);
            output_text(d->out, "Val");
            put_number(d, "profIndex", hpcdb_cct_profile(c, v));
            put_value(d, hpcdb_cct_value(c, v));
            end(d);
        }
    }
}

static void put_ctxs(struct dump *d)
{
    struct hpcdb_ctx c;
    hpcdb_ctx_init(&d->db, &c);
    for (uint32_t i = 0; i < d->db.ctxs.count && !output_failed(d->out); i++) put_ctx(d, i, &c);
}

static void put_trace(struct dump *d, uint32_t number)
{
    struct hpcdb_trace t;
    hpcdb_trace_at(&d->db, number, &t);
    at(d, HPCDB_TRACE, t.off, 2);
    output_printf(d->out, "CTH[%u] profIndex=%u pStart=0x%" PRIx64 " pEnd=0x%" PRIx64 "\n", number, t.profile, t.start, t.end);
    for (uint64_t i = 0; i < t.count && !output_failed(d->out); i++) {
        at(d, HPCDB_TRACE, t.start + i * HPCDB_SAMPLE_LEN, 4);
        output_text(d->out, "Elem");
        put_number(d, "timestamp", hpcdb_sample_time(&t, i));
        put_number(d, "ctxId", hpcdb_sample_ctx(&t, i));
        end(d);
    }
}

static void put_trace_head(struct dump *d)
{
    if (!d->db.file[HPCDB_TRACE].sections[HPCDB_CTX_TRACES].is_ok) return;
    put_section(d, HPCDB_TRACE, HPCDB_CTX_TRACES, "Traces", 4, 0x0c, 1, "Trace");
    at(d, HPCDB_TRACE, d->db.file[HPCDB_TRACE].sections[HPCDB_CTX_TRACES].off + 0x10, 2);
    output_printf(d->out, "minTimestamp=%" PRIu64 " maxTimestamp=%" PRIu64 "\n", d->db.min_timestamp, d->db.max_timestamp);
}

static int put_part(struct dump *d, enum hpcdb_part part, assay_error *err)
{
    if (!d->db.file[part].is_ok) return 0;
    put_header(d, part);
    switch (part) {
    case HPCDB_META: TRY(put_meta(d, err)); break;
    case HPCDB_PROFILE:
        put_section(d, part, HPCDB_PROFILE_INFOS, "Profiles", 4, 0x0c, 1, "Profile");
        for (uint32_t i = 0; i < d->db.profiles.count && !output_failed(d->out); i++) put_profile(d, i);
        break;
    case HPCDB_CCT:
        put_section(d, part, HPCDB_CTX_INFOS, "Ctxs", 4, 0x0c, 1, "Ctx");
        put_ctxs(d);
        break;
    case HPCDB_TRACE:
        put_trace_head(d);
        for (uint32_t i = 0; i < d->db.traces.count && !output_failed(d->out); i++) put_trace(d, i);
        break;
    }
    put_footer(d, part);
    return 0;
}

int hpcdb_dump(const struct read_job *job, struct output *out, assay_error *err)
{
    struct dump d = { .out = out, .mem = job->mem };
    d.db.say = put_damage;
    d.db.say_arg = &d;
    int rc = hpcdb_open(&d.db, &d.inputs, job, job->mem, err);
    for (unsigned part = 0; rc == 0 && part < HPCDB_PARTS && !output_failed(out); part++) rc = put_part(&d, (enum hpcdb_part)part, err);
    rc = hpcdb_settle(&d.db, &d.inputs, rc, err);
    hpcdb_close(&d.inputs);
    return rc;
}

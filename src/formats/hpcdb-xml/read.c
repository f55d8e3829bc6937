/* A database before 2022 -> builder: the document first, then what lies beside it. docs/model.md 3.9 says where everything goes. */
#include "formats/hpcdb-xml/read.h"

#include <stdio.h>

#include "base/scoped.h"
#include "formats/hpcdb-xml/hpcdb_xml.h"

/* ---- metrics ---- */

/* The text in the last parentheses of a name. */
static void unit_of(assay_slice name, char *unit, size_t size)
{
    const char *close = name.len ? memrchr(name.data, ')', name.len) : NULL;
    const char *open = close ? memrchr(name.data, '(', (size_t)(close - name.data)) : NULL;
    unit[0] = '\0';
    if (open) snprintf(unit, size, "%.*s", (int)(close - open - 1 < 60 ? close - open - 1 : 60), open + 1);
}

static void add_column(struct hx_reader *r, const struct hx_base *base, struct hx_column *c)
{
    const struct hx_metric *shown = &r->tables.metrics.at[base->inclusive ? base->inclusive - 1 : base->first];
    char unit[64];
    unit_of(base->name, unit, sizeof unit);
    bool has_total = base->has_pair || r->is_sparse, has_sums = (base->has_pair && r->has_threads) || r->is_sparse;
    c->metric = assay_build_metric(r->b, base->name.data, unit, ASSAY_F64, ASSAY_SHAPE_TREE);
    assay_build_metric_text(r->b, c->metric, shown->description.len ? shown->description.data : NULL, NULL, shown->is_hidden);
    c->own = assay_build_scope(r->b, c->metric, r->is_sparse ? ASSAY_SCOPE_FUNCTION : ASSAY_SCOPE_POINT, NULL, 0);
    if (has_total) c->total = assay_build_scope(r->b, c->metric, ASSAY_SCOPE_EXECUTION, NULL, 0);
    if (!has_sums) return;
    c->own_sum = assay_build_stat(r->b, c->own, "$$", ASSAY_COMBINE_SUM);
    c->total_sum = assay_build_stat(r->b, c->total, "$$", ASSAY_COMBINE_SUM);
}

int hx_read_columns(struct hx_reader *r)
{
    if (r->columns.len || r->serial) return 0;
    if (r->tables.is_flat && !hx_open_init(&r->open, r->mem, r->tables.metrics.len)) return error_memory(r->err);
    for (size_t i = 0; i < r->tables.bases.len; i++) {
        struct hx_column *c = vec_push(r->mem, &r->columns);
        if (!c) return error_memory(r->err);
        *c = (struct hx_column){ .whole = 0 };
        add_column(r, &r->tables.bases.at[i], c);
    }
    for (size_t i = 0; i < r->tables.metrics.len; i++) {
        const struct hx_metric *m = &r->tables.metrics.at[i];
        if (m->role == HX_RAW && m->has_stream && !hx_read_stream(r, m->rank, m->thread, NULL)) return hx_read_no_stream(r);
    }
    r->raw_streams = r->streams.len;
    return assay_builder_failed(r->b);
}

/* The total that stands right below the data section; where there is none the roots have it. */
static void state_totals(struct hx_reader *r)
{
    for (size_t i = 0; i < r->columns.len; i++) {
        const struct hx_column *c = &r->columns.at[i];
        if (c->total.v) assay_build_metric_total(r->b, c->metric, (assay_value){ .d = c->has_whole ? c->whole : c->roots });
    }
}

/* ---- facts ---- */

static void attribute(struct hx_reader *r, const char *key, assay_slice value)
{
    if (value.len) assay_build_attribute(r->b, (assay_stream_id){ 0 }, key, strlen(key), value.data, value.len);
}

static uint64_t listed_or(const struct hx_reader *r, enum hx_name_kind kind, uint32_t used)
{
    size_t listed = r->tables.names[kind].list.len;
    return listed && !r->tables.is_flat ? listed : used;
}

static void put_facts(struct hx_reader *r)
{
    const struct hx_tables *t = &r->tables;
    attribute(r, "title", t->title);
    attribute(r, "trace.min", t->trace_min);
    attribute(r, "trace.max", t->trace_max);
    assay_build_count(r->b, "contexts", r->contexts);
    assay_build_count(r->b, "functions", listed_or(r, HX_PROCEDURES, r->functions));
    assay_build_count(r->b, "files", listed_or(r, HX_FILES, r->files));
    assay_build_count(r->b, "modules", listed_or(r, HX_MODULES, r->modules));
    assay_build_count(r->b, "metrics", t->bases.len);
    assay_build_count(r->b, "streams", r->values_streams);
    assay_build_count(r->b, "traces", r->traces);
    assay_build_count(r->b, "samples", r->samples);
    assay_build_source(r->b, "hpcdb-xml", t->version, NULL);
    assay_build_offers(r->b, (r->contexts ? ASSAY_SHAPE_TREE : 0u) | (r->samples ? ASSAY_SHAPE_TIMELINE : 0u));
}

static void pass_damage_on(struct hx_reader *r)
{
    for (size_t i = 0; i < r->damage.list.len; i++) assay_build_warning(r->b, &r->damage.list.at[i]);
}

/* ---- the document ---- */

static int take(void *arg, const struct hx_record *n)
{
    struct hx_reader *r = arg;
    switch (n->kind) {
    case HX_NODE: return hx_read_node(r, n);
    case HX_NODE_END: return hx_read_node_end(r, n);
    case HX_VALUE: return hx_read_value(r, n);
    case HX_DATA_END: return assay_builder_failed(r->b);
    case HX_ROOT:
        TRY(hx_tables_take(&r->tables, n, r->err));
        r->is_sparse = strcmp(r->tables.version, "4.0") == 0;
        return r->is_sparse ? 0 : hx_read_look(r);
    default: TRY(hx_tables_take(&r->tables, n, r->err)); return n->kind == HX_DATA ? hx_read_columns(r) : 0;
    }
}

/* Without a root of ours there is nothing to tell. */
static int refuse(const struct hx_reader *r, const struct hx_decoder *d)
{
    if (!d->is_refused && d->has_root) return 0;
    for (size_t i = 0; i < r->damage.list.len; i++) {
        const assay_finding *f = &r->damage.list.at[i];
        int code = strcmp(f->rule, "HX04") == 0 ? ASSAY_ERR_VERSION : ASSAY_ERR_DAMAGED;
        if (f->severity == ASSAY_ERROR) return error_rule(r->err, code, f->has_offset ? f->offset : 0, f->rule, "%s", f->message);
    }
    return error_set(r->err, ASSAY_ERR_DAMAGED, "there is no HPCToolkitExperiment in it (HX03)");
}

static int read_document(struct hx_reader *r)
{
    struct hx_decoder d = { .take = take, .arg = r, .mem = r->mem, .damage = &r->damage };
    SCOPED(input_drop) struct input *in = NULL;
    struct input *use;
    TRY(hx_open_xml(r->job, &in, &use, &r->damage, r->err));
    if (use) TRY(hx_decode(&d, use, r->err));
    TRY(refuse(r, &d));
    TRY(hx_tables_finish(&r->tables, r->err));
    return hx_read_columns(r);
}

static int read_all(struct hx_reader *r)
{
    TRY(read_document(r));
    hx_places_settle(&r->places, &r->damage);
    hx_places_settle(&r->trace_ids, NULL);
    if (r->tables.has_side_files || strcmp(r->tables.version, "3.0") == 0) findings_add(&r->damage, "HX44", ASSAY_WARNING, FINDING_NO_OFFSET, 0, HX44_TEXT);
    TRY(hx_read_side(r));
    state_totals(r);
    put_facts(r);
    pass_damage_on(r);
    return r->damage.failed ? error_memory(r->err) : assay_builder_failed(r->b);
}

static int refuse_damage(const struct read_job *job, assay_error *err)
{
    SCOPED(findings_done) struct findings found;
    findings_init(&found, job->mem);
    TRY(hpcdb_xml_check(job, &found, err));
    TRY(findings_refuse(&found, err));
    return input_is_dir(job->in) ? 0 : input_rewind(job->in, err);
}

int hpcdb_xml_read(const struct read_job *job, assay_builder *b, assay_error *err)
{
    struct hx_reader r = { .job = job, .mem = job->mem, .b = b, .err = err, .places = { .mem = job->mem }, .trace_ids = { .mem = job->mem } };
    if (job->options->strict && (input_is_dir(job->in) || input_can_rewind(job->in))) TRY(refuse_damage(job, err));
    findings_init(&r.damage, r.mem);
    hx_tables_init(&r.tables, r.mem, &r.damage);
    index_init(&r.stream_index, r.mem);
    int rc = read_all(&r);
    if (rc == 0 && job->options->strict) rc = findings_refuse(&r.damage, err);
    vec_done(r.mem, &r.columns, &r.frames, &r.streams);
    hx_open_done(&r.open);
    hx_places_done(&r.places);
    hx_places_done(&r.trace_ids);
    index_done(&r.stream_index);
    hx_tables_done(&r.tables);
    findings_done(&r.damage);
    return rc;
}

/* Every record of experiment.xml with its offset, then the files beside it: heads, values that are not 0, samples. */
#include <inttypes.h>

#include "base/scoped.h"
#include "base/text.h"
#include "formats/hpcdb-xml/decode.h"
#include "formats/hpcdb-xml/hpcdb_xml.h"
#include "formats/hpcdb-xml/side.h"

struct dumper {
    struct output *o;
    struct findings damage;
    size_t marked;
    bool is_sparse;
};

/* ---- the document ---- */

static void element(struct dumper *k, const struct hx_record *r)
{
    uint32_t depth = r->kind == HX_NODE ? r->depth : r->kind == HX_VALUE ? r->depth + 1 : 0;
    output_hex(k->o, r->off, 8);
    output_printf(k->o, "  %*s", (int)(2 * (depth < 40 ? depth : 40)), "");
    text_show(k->o, slice_of(r->tag_name));
    for (const char *const *a = r->attributes; a[0]; a += 2) {
        output_char(k->o, ' ');
        text_show(k->o, slice_of(a[0]));
        output_char(k->o, '=');
        text_show(k->o, slice_of(a[1]));
    }
    output_char(k->o, '\n');
}

static int take(void *arg, const struct hx_record *r)
{
    struct dumper *k = arg;
    findings_mark(&k->damage, &k->marked, k->o);
    if (r->kind == HX_ROOT) k->is_sparse = strcmp(r->n, "4.0") == 0;
    if (r->kind != HX_NODE_END && r->kind != HX_DATA_END) element(k, r);
    return output_failed(k->o);
}

/* ---- files beside it ---- */

static void matrix(struct dumper *k, const struct hx_part *part)
{
    struct hx_matrix m;
    if (!hx_matrix_open(&m, part, &k->damage)) return;
    output_printf(k->o, "%08" PRIx64 "  matrix nodes=%" PRIu32 " metrics=%" PRIu32 "\n", part->at, m.nodes, m.metrics);
    for (uint32_t row = 0; row < m.nodes && !output_failed(k->o); row++)
        for (uint32_t column = 0; column < m.metrics; column++) {
            double value = hx_matrix_value(&m, row, column);
            uint64_t at = part->at + HX_MATRIX_HEAD + 8 * ((uint64_t)row * m.metrics + column);
            if (value != 0) output_printf(k->o, "%08" PRIx64 "    node %" PRIu32 " metric %" PRIu32 " value %.17g\n", at, row + 1, column, value);
        }
}

static void samples(struct dumper *k, const struct hx_trace *t, uint64_t at)
{
    for (uint64_t i = 0; i < t->count && !output_failed(k->o); i++)
        output_printf(k->o, "%08" PRIx64 "    time %" PRIu64 " context %" PRIu32 "\n", at + i * t->record_len, hx_trace_time(t, i), hx_trace_id(t, i));
}

static void trace(struct dumper *k, const struct hx_part *part)
{
    struct hx_trace t;
    if (!hx_trace_open(&t, part, 0, &k->damage)) return;
    output_printf(k->o, "%08" PRIx64 "  trace samples=%" PRIu64 "\n", part->at, t.count);
    samples(k, &t, part->at + t.head_len);
}

static void profile(struct dumper *k, const struct hx_profile *p)
{
    uint64_t begin, end = 0;
    for (uint32_t i = 0; i < p->ctx_count && !output_failed(k->o); i++) {
        hx_profile_range(p, i, &begin, &end);
        for (uint64_t v = begin; v < end; v++) {
            uint16_t metric;
            double value = hx_profile_value(p, v, &metric);
            output_printf(k->o, "            context %" PRIu32 " metric %u value %.17g\n", hx_profile_ctx(p, i), metric, value);
        }
    }
}

static void sparse(struct dumper *k, const struct hx_part *part)
{
    uint32_t count = hx_sparse_count(part, &k->damage);
    uint64_t used = 0, physical, logical;
    uint16_t kind;
    struct hx_profile p;
    for (uint32_t i = 0; i < count && hx_sparse_at(&p, part, i, &used, &k->damage); i++) {
        output_printf(k->o, "          profile %" PRIu32 " values=%" PRIu64 " contexts=%" PRIu32, i, p.value_count, p.ctx_count);
        for (uint16_t e = 0; e < UINT16_MAX && hx_profile_tuple(part, &p, e, &kind, &physical, &logical); e++)
            output_printf(k->o, " %u:%" PRIu64 "/%" PRIu64, kind & 0x3fffu, logical, physical);
        output_char(k->o, '\n');
        profile(k, &p);
    }
}

static void sparse_traces(struct dumper *k, const struct hx_part *part)
{
    uint32_t count = hx_sparse_trace_count(part, &k->damage), of;
    uint64_t used = 0;
    struct hx_trace t;
    for (uint32_t i = 0; i < count && hx_sparse_trace_at(&t, part, i, &of, &used, &k->damage); i++) {
        output_printf(k->o, "          trace of profile %" PRIu32 " samples=%" PRIu64 "\n", of, t.count);
        samples(k, &t, (uint64_t)((const char *)t.records - part->bytes.data));
    }
}

static int take_part(void *arg, const struct hx_part *part)
{
    struct dumper *k = arg;
    output_char(k->o, '\n');
    text_show(k->o, slice_of(part->name));
    if (part->is_named) output_printf(k->o, " rank=%" PRIu64 " thread=%" PRIu64, part->rank, part->thread);
    output_char(k->o, '\n');
    switch (part->kind) {
    case HX_MATRIX: matrix(k, part); break;
    case HX_TRACE: trace(k, part); break;
    case HX_SPARSE: sparse(k, part); break;
    case HX_SPARSE_TRACE: sparse_traces(k, part); break;
    default: break;
    }
    findings_mark(&k->damage, &k->marked, k->o);
    return output_failed(k->o);
}

static int dump(struct dumper *k, const struct read_job *job, assay_error *err)
{
    struct hx_decoder d = { .take = take, .arg = k, .mem = job->mem, .damage = &k->damage };
    SCOPED(input_drop) struct input *in = NULL;
    struct input *use;
    TRY(hx_open_xml(job, &in, &use, &k->damage, err));
    int rc = use ? hx_decode(&d, use, err) : 0;
    findings_mark(&k->damage, &k->marked, k->o);
    TRY(rc);
    return hx_each_part(job, k->is_sparse, &k->damage, take_part, k, err);
}

int hpcdb_xml_dump(const struct read_job *job, struct output *out, assay_error *err)
{
    struct dumper k = { .o = out };
    findings_init(&k.damage, job->mem);
    int rc = dump(&k, job, err);
    if (rc == 0 || output_failed(out)) {
        findings_mark(&k.damage, &k.marked, out);
        rc = 0;
    }
    findings_done(&k.damage);
    return rc;
}

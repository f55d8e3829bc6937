/* Rules of the files beside experiment.xml, and of what they say together with it. */
#include <inttypes.h>
#include <math.h>

#include "base/plural.h"

#include "formats/hpcdb-xml/check.h"

/* ---- thread files ---- */

static bool is_expected(const struct hx_checker *k, uint32_t metrics, int64_t *said)
{
    *said = -1;
    for (size_t i = 0; i < k->tables.metric_dbs.len; i++) {
        int64_t count = k->tables.metric_dbs.at[i].count;
        if (count == metrics) return true;
        if (count >= 0) *said = count;
    }
    return *said < 0;
}

static void check_values(struct hx_checker *k, const struct hx_part *part, const struct hx_matrix *m)
{
    for (uint32_t row = 0; row < m->nodes; row++)
        for (uint32_t column = 0; column < m->metrics; column++) {
            double value = hx_matrix_value(m, row, column);
            if (value >= 0 && isfinite(value)) continue;
            uint64_t at = part->at + HX_MATRIX_HEAD + 8 * ((uint64_t)row * m->metrics + column);
            findings_add(k->out, "HX27", ASSAY_WARNING, at, 0, "%s: the value of node %" PRIu32 " in column %" PRIu32 " is negative or not a number",
                         part->name, row + 1, column);
            return;
        }
}

static void check_matrix(struct hx_checker *k, const struct hx_part *part)
{
    struct hx_matrix m;
    int64_t said, top = hx_places_top(&k->places);
    if (!part->is_named) findings_add(k->out, "HX25", ASSAY_WARNING, FINDING_NO_OFFSET, 0, "%s: the name has no rank and thread", part->name);
    if (!hx_matrix_open(&m, part, k->out)) {
        k->has_damaged_threads = true;
        return;
    }
    if (!is_expected(k, m.metrics, &said))
        findings_add(k->out, "HX22", ASSAY_ERROR, part->at + 28, 0, "%s: it has %" PRIu32 " metric%s, experiment.xml says %lld", part->name, m.metrics,
                     plural(m.metrics), (long long)said);
    if (m.nodes != top)
        findings_add(k->out, "HX23", m.nodes < top ? ASSAY_ERROR : ASSAY_WARNING, part->at + 24, 0,
                     "%s: it has %" PRIu32 " node%s, the tree has ids up to %lld", part->name, m.nodes, plural(m.nodes), (long long)top);
    if (m.nodes < top) k->has_damaged_threads = true;
    if (k->threads++ == 0 && k->has_unnumbered)
        findings_add(k->out, "HX06", ASSAY_ERROR, k->unnumbered_off, 0, "a node without an id, although there are thread files");
    check_values(k, part, &m);
    for (size_t i = 0; i < k->sums.len; i++) {
        int32_t column = k->tables.bases.at[i].db_inclusive;
        if (column >= 0) k->sums.at[i].threads += hx_matrix_value(&m, 0, (uint32_t)column);
    }
}

static void check_sums(struct hx_checker *k)
{
    for (size_t i = 0; k->threads && !k->has_damaged_threads && i < k->sums.len; i++)
        if (k->sums.at[i].has_whole) hx_compare_threads(&k->tables, i, k->threads, k->sums.at[i].threads, k->sums.at[i].whole);
}

/* ---- traces ---- */

static void check_samples(struct hx_checker *k, const struct hx_part *part, const struct hx_trace *t, const struct hx_places *ids)
{
    uint64_t back = 0, lost = 0, first = 0, before = 0;
    for (uint64_t i = 0; i < t->count; i++) {
        uint64_t time = hx_trace_time(t, i);
        if (time < before && back++ == 0) first = i;
        before = time;
        lost += !hx_places_find(ids, hx_trace_id(t, i));
    }
    uint64_t at = part->at + (uint64_t)((const char *)t->records - part->bytes.data);
    if (back)
        findings_add(k->out, "HX33", ASSAY_WARNING, at + first * t->record_len, 0, "%s: %" PRIu64 " sample%s earlier than the one before", part->name, back,
                     plural_is(back));
    if (lost)
        findings_add(k->out, "HX34", ASSAY_INFO, FINDING_NO_OFFSET, 0, "%s: %" PRIu64 " of %" PRIu64 " samples name a context that is not in the tree",
                     part->name, lost, t->count);
}

static void check_trace(struct hx_checker *k, const struct hx_part *part)
{
    struct hx_trace t;
    if (!part->is_named) findings_add(k->out, "HX25", ASSAY_WARNING, FINDING_NO_OFFSET, 0, "%s: the name has no rank and thread", part->name);
    if (!hx_trace_open(&t, part, k->tables.ticks, k->out)) return;
    k->traces++;
    check_samples(k, part, &t, &k->trace_ids);
}

/* ---- 4.0 ---- */

static void check_sparse(struct hx_checker *k, const struct hx_part *part)
{
    uint32_t count = hx_sparse_count(part, k->out);
    uint64_t used = 0;
    struct hx_profile p;
    k->has_sparse = true;
    for (uint32_t i = 0; i < count && hx_sparse_at(&p, part, i, &used, k->out); i++) continue;
}

static void check_sparse_traces(struct hx_checker *k, const struct hx_part *part)
{
    uint32_t count = hx_sparse_trace_count(part, k->out), profile;
    uint64_t used = 0;
    struct hx_trace t;
    for (uint32_t i = 0; i < count && hx_sparse_trace_at(&t, part, i, &profile, &used, k->out); i++) {
        k->traces++;
        check_samples(k, part, &t, &k->places);
    }
}

/* ---- all ---- */

static int take(void *arg, const struct hx_part *part)
{
    struct hx_checker *k = arg;
    switch (part->kind) {
    case HX_MATRIX: check_matrix(k, part); break;
    case HX_TRACE: check_trace(k, part); break;
    case HX_SPARSE: check_sparse(k, part); break;
    case HX_SPARSE_TRACE: check_sparse_traces(k, part); break;
    default: hx_sparse_cct(part, k->out); break;
    }
    return k->out->failed ? error_memory(k->err) : 0;
}

int hx_check_side(struct hx_checker *k)
{
    bool is_sparse = strcmp(k->tables.version, "4.0") == 0, is_dir = input_is_dir(k->job->in);
    TRY(hx_each_part(k->job, is_sparse, k->out, take, k, k->err));
    check_sums(k);
    if (is_sparse && !k->has_sparse) findings_add(k->out, "HX40", ASSAY_ERROR, FINDING_NO_OFFSET, 0, HX40_TEXT);
    if (k->tables.has_side_files || strcmp(k->tables.version, "3.0") == 0) findings_add(k->out, "HX44", ASSAY_WARNING, FINDING_NO_OFFSET, 0, HX44_TEXT);
    if (is_dir && !is_sparse && k->tables.metric_dbs.len && !k->threads && !k->has_damaged_threads)
        findings_add(k->out, "HX26", ASSAY_INFO, FINDING_NO_OFFSET, 0, "experiment.xml mentions thread files, but there are none");
    if (is_dir && k->tables.has_trace_db && !k->traces)
        findings_add(k->out, "HX35", ASSAY_INFO, FINDING_NO_OFFSET, 0, "experiment.xml mentions traces, but there are none");
    return 0;
}

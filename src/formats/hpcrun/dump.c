/* Prints every record of a measurement file with its offset, under the names of the specification. Nodes, values and samples take a line
 * each; what is damaged stands where it is. The style of hpcproftt is in dump_tt.c. */
#include "formats/hpcrun/dump.h"

#include <inttypes.h>

#include "base/number.h"
#include "base/text.h"

const char *const hpcrun_dump_styles[] = { "hpcproftt", NULL };

struct dumper {
    struct output *out;
    struct hpcrun_decoder d;
    struct hpcrun_span nodes;
    struct hpcrun_reals reals;
};

static void put_at(struct output *o, uint64_t off, unsigned indent)
{
    output_hex(o, off, 8);
    output_text(o, indent ? "   " : " ");
}

static void put_number(struct output *o, uint64_t off, unsigned indent, const char *name, uint64_t value)
{
    put_at(o, off, indent);
    output_printf(o, "%s %" PRIu64 "\n", name, value);
}

static void put_hex(struct output *o, uint64_t off, unsigned indent, const char *name, uint64_t value)
{
    put_at(o, off, indent);
    output_printf(o, "%s 0x%" PRIx64 "\n", name, value);
}

static void put_quoted(struct output *o, assay_slice text)
{
    output_char(o, '"');
    text_show(o, text);
    output_char(o, '"');
}

static void put_text(struct output *o, uint64_t off, unsigned indent, const char *name, assay_slice text)
{
    put_at(o, off, indent);
    output_printf(o, "%s ", name);
    put_quoted(o, text);
    output_char(o, '\n');
}

static void put_value(struct output *o, uint64_t bits, bool is_real)
{
    char text[48];
    if (is_real && hpcrun_double(bits) - hpcrun_double(bits) == 0)
        output_bytes(o, text, number_put_double(text, hpcrun_double(bits)));
    else if (is_real)
        output_printf(o, "bits 0x%016" PRIx64, bits); /* no number: its bits say which */
    else
        output_u64(o, bits);
}

static void put_damage(struct output *o, uint64_t off, const struct hpcrun_damage *damage)
{
    put_at(o, off, 0);
    output_printf(o, "*** %s %s\n", damage->rule, damage->message);
}

/* ---- parts of a profile ---- */

static void put_list(struct output *o, const struct hpcrun_record *r)
{
    static const char *const names[] = {
        [HPCRUN_LIST_PAIRS] = "#-of-nv-pair",          [HPCRUN_LIST_EPOCHS] = "#-of-epoch",           [HPCRUN_LIST_EPOCH_PAIRS] = "#-of-nv-pair",
        [HPCRUN_LIST_METRICS] = "#-of-metric-desc",    [HPCRUN_LIST_MODULES] = "#-of-loadmap_entry",  [HPCRUN_LIST_NODES] = "#-of-cct-node",
        [HPCRUN_LIST_KINDS] = "#-of-id-tuple-kind",    [HPCRUN_LIST_TUPLE] = "#-of-id-tuple-element", [HPCRUN_LIST_VALUES] = "#-of-value",
        [HPCRUN_LIST_INDEX] = "#-of-node-with-values",
    };
    put_number(o, r->off, 0, names[r->list.id], r->list.count);
}

static void put_pair(struct output *o, const struct hpcrun_record *r)
{
    put_at(o, r->off, 1);
    output_printf(o, "nv-pair[%" PRIu32 "] ", r->pair.index);
    put_quoted(o, r->pair.name.text);
    output_char(o, ' ');
    put_quoted(o, r->pair.value.text);
    output_char(o, '\n');
}

static void put_epoch(const struct dumper *d, const struct hpcrun_record *r)
{
    bool is_old = d->d.file.variant < HPCRUN_02B;
    put_at(d->out, r->off, 0);
    output_printf(d->out, "epoch[%" PRIu32 "]\n", r->epoch.index);
    put_text(d->out, r->off, 1, "epoch-tag", SLICE("EPOCH___"));
    put_hex(d->out, r->off + 8, 1, "epoch-flags", r->epoch.flags);
    if (is_old) put_number(d->out, r->off + 16, 1, "characteristic-rtn-addr-distance", r->epoch.ra_distance);
    put_number(d->out, r->off + (is_old ? 20 : 16), 1, "granularity", r->epoch.granularity);
    if (!is_old) put_number(d->out, r->off + 24, 1, "characteristic-rtn-addr-distance", r->epoch.ra_distance);
}

static void put_flags(const struct dumper *d, const struct hpcrun_metric *m)
{
    put_at(d->out, m->flags_off, 1);
    output_text(d->out, "metric-flags 0x");
    /* as the number it is: 02.00l stores the lowest byte first */
    for (size_t i = 0; i < m->flags.len; i++) output_hex(d->out, (unsigned char)m->flags.data[d->d.file.is_big_endian ? i : m->flags.len - 1 - i], 2);
    output_printf(d->out, "%s type %u value-type %u value-format %u show %u show-percent %u", m->is_bit_field ? " (bit field)" : "", m->type, m->value_type,
                  m->value_format, m->show, m->show_percent);
    if (m->to_procedure) output_printf(d->out, " move-to-procedure %u", m->to_procedure);
    if (m->partner) output_printf(d->out, " partner %u", m->partner);
    output_char(d->out, '\n');
}

static void put_metric(struct dumper *d, const struct hpcrun_record *r)
{
    const struct hpcrun_metric *m = &r->metric;
    struct output *o = d->out;
    hpcrun_reals_note(&d->reals, m);
    put_at(o, r->off, 0);
    output_printf(o, "metric-desc[%" PRIu32 "] ", m->index);
    put_quoted(o, m->name.text);
    output_char(o, '\n');
    if (d->d.file.variant >= HPCRUN_02B) put_text(o, m->description.off, 1, "description", m->description.text);
    put_flags(d, m);
    put_number(o, m->flags_off + m->flags.len, 1, "period", m->period);
    if (d->d.file.variant < HPCRUN_02B) return;
    put_text(o, m->formula.off, 1, "formula", m->formula.text);
    put_text(o, m->format.off, 1, "format", m->format.text);
    if (!d->d.file.has_extra) return;
    uint64_t at = m->format.off + 4 + m->format.text.len;
    put_number(o, at, 1, "is-frequency", m->is_frequency);
    put_number(o, at + 2, 1, "is-multiplexed", m->is_multiplexed);
    put_at(o, at + 4, 1);
    output_text(o, "threshold-mean ");
    put_value(o, m->threshold_mean, true);
    output_char(o, '\n');
    put_number(o, at + 12, 1, "num-samples", m->samples);
}

static void put_module(const struct dumper *d, const struct hpcrun_record *r)
{
    const struct hpcrun_module *m = &r->module;
    struct output *o = d->out;
    put_at(o, r->off, 1);
    output_printf(o, "loadmap_entry[%" PRIu32 "]", m->index);
    if (d->d.file.variant >= HPCRUN_02B)
        output_printf(o, " id %u ", m->id);
    else
        output_printf(
            o, d->d.file.variant == HPCRUN_02_2009 ? " mapaddr 0x%" PRIx64 " vaddr 0x%" PRIx64 " " : " load_addr 0x%" PRIx64 " load_offset 0x%" PRIx64 " ",
            m->address, m->offset);
    put_quoted(o, m->name.text);
    if (d->d.file.variant != HPCRUN_02_2009) output_printf(o, " flags 0x%" PRIx64, m->flags);
    output_char(o, '\n');
}

static void put_node(const struct dumper *d, const struct hpcrun_record *r)
{
    const struct hpcrun_node *n = &r->node.node;
    const struct hpcrun_span *s = &d->nodes;
    struct output *o = d->out;
    put_at(o, r->off, 1);
    output_printf(o, "cct-node[%" PRIu64 "] node-id ", r->node.index);
    output_i64(o, s->is_signed ? (int32_t)n->raw_id : (int64_t)n->raw_id);
    output_text(o, " parent-id ");
    output_u64(o, n->raw_parent);
    if (s->assoc_at) output_printf(o, " lush-assoc 0x%" PRIx32, n->assoc);
    if (s->module_at) output_printf(o, " lm-id %u", n->module);
    output_text(o, " ip 0x");
    output_hex(o, n->ip, 1);
    if (s->flags_at) output_printf(o, " flags 0x%x", n->flags);
    if (n->lip) output_text(o, " lush-lip");
    for (uint32_t i = 0; n->lip && i < s->lip_len; i += 8)
        output_printf(o, " 0x%" PRIx64, s->is_big_endian ? hpcrun_be64(n->lip + i) : hpcrun_le64(n->lip + i));
    if (n->values) output_text(o, " metric-data");
    for (uint32_t i = 0; n->values && i < s->value_count; i++) {
        output_char(o, ' ');
        put_value(o, hpcrun_dense(s, n, i), hpcrun_reals_is(&d->reals, i));
    }
    output_char(o, '\n');
}

/* ---- parts that only 04.00 has ---- */

static void put_kind(struct output *o, const struct hpcrun_record *r)
{
    put_at(o, r->off, 1);
    output_printf(o, "id-tuple-kind[%" PRIu32 "] %u ", r->kind_name.index, r->kind_name.kind);
    put_quoted(o, r->kind_name.name.text);
    output_char(o, '\n');
}

static void put_tuple(struct output *o, const struct hpcrun_record *r)
{
    put_at(o, r->off, 1);
    output_printf(o, "id-tuple-element[%" PRIu32 "] kind %u interpretation %u physical-index %" PRIu64 " logical-index %" PRIu64 "\n", r->tuple.index,
                  hpcrun_tuple_kind(r->tuple.word), hpcrun_tuple_reading(r->tuple.word), r->tuple.physical, r->tuple.logical);
}

static void put_sparse(const struct dumper *d, const struct hpcrun_record *r)
{
    put_at(d->out, r->off, 1);
    if (r->kind == HPCRUN_RECORD_VALUE) {
        output_printf(d->out, "value[%" PRIu64 "] ", r->value.index);
        put_value(d->out, r->value.value.bits, hpcrun_reals_is(&d->reals, r->value.value.metric));
        output_printf(d->out, " metric-id %u\n", r->value.value.metric);
    } else
        output_printf(d->out, "node-with-values[%" PRIu64 "] node-id %" PRIu32 "%s first-value %" PRIu64 "\n", r->index.index, r->index.pair.node,
                      r->index.is_last ? " (end)" : "", r->index.pair.first);
}

static void put_footer(struct output *o, const struct hpcrun_record *r)
{
    for (unsigned i = 0; i < HPCRUN_SECTION_COUNT; i++) {
        put_at(o, r->off + 16 * (uint64_t)i, 1);
        output_printf(o, "%s begin %" PRIu64 " end %" PRIu64 "\n", hpcrun_section_name(i), r->footer.numbers[2 * (size_t)i],
                      r->footer.numbers[2 * (size_t)i + 1]);
    }
    put_number(o, r->off + 96, 1, "footer begin", r->footer.numbers[12]);
    put_hex(o, r->off + 104, 1, "footer magic", r->footer.numbers[13]);
}

static void put_gap(struct output *o, const struct hpcrun_record *r)
{
    size_t zeros = 0;
    while (zeros < r->gap.len && r->gap.data[zeros] == 0) zeros++;
    put_at(o, r->off, 0);
    output_printf(o, "padding %" PRIu64 "%s\n", r->len, zeros == r->gap.len ? "" : " not zero");
}

static void put_record(struct dumper *d, const struct hpcrun_record *r)
{
    switch (r->kind) {
    case HPCRUN_RECORD_FILE: put_text(d->out, r->off, 0, "fmt-magicno-version", r->file.magic); break;
    case HPCRUN_RECORD_LIST:
        if (r->list.id == HPCRUN_LIST_NODES) d->nodes = r->list.span;
        put_list(d->out, r);
        break;
    case HPCRUN_RECORD_PAIR: put_pair(d->out, r); break;
    case HPCRUN_RECORD_EPOCH: put_epoch(d, r); break;
    case HPCRUN_RECORD_METRIC: put_metric(d, r); break;
    case HPCRUN_RECORD_MODULE: put_module(d, r); break;
    case HPCRUN_RECORD_NODE: put_node(d, r); break;
    case HPCRUN_RECORD_KIND: put_kind(d->out, r); break;
    case HPCRUN_RECORD_TUPLE: put_tuple(d->out, r); break;
    case HPCRUN_RECORD_VALUE:
    case HPCRUN_RECORD_INDEX: put_sparse(d, r); break;
    case HPCRUN_RECORD_GAP: put_gap(d->out, r); break;
    case HPCRUN_RECORD_FOOTER: put_footer(d->out, r); break;
    case HPCRUN_RECORD_DAMAGE: put_damage(d->out, r->off, &r->damage); break;
    }
}

/* ---- whole files ---- */

static void put_cut(const struct hpcrun_source *source, struct output *out)
{
    if (source->is_cut) output_printf(out, "%08zx *** the compressed input is damaged here\n", source->bytes.len);
}

static bool is_tt(const struct read_job *job) { return job->options->style != NULL; }

int hpcrun_dump(const struct read_job *job, struct output *out, assay_error *err)
{
    struct dumper d = { .out = out, .reals = { .mem = job->mem } };
    struct hpcrun_source source;
    struct hpcrun_record r;
    TRY(hpcrun_map(job, &source, err));
    if (is_tt(job)) {
        TRY(hpcrun_dump_tt(&source, job->mem, out, err));
    } else {
        hpcrun_decoder_init(&d.d, source.bytes);
        while (!output_failed(out) && hpcrun_next(&d.d, &r)) put_record(&d, &r);
        vec_done(job->mem, &d.reals.list);
    }
    put_cut(&source, out);
    return d.reals.failed ? error_memory(err) : 0;
}

static void put_trace_head(struct output *o, const struct hpctrace_head *h)
{
    put_text(o, 0, 0, "fmt-magicno-version", h->magic);
    if (h->len > HPCRUN_MAGIC_LEN) put_hex(o, HPCRUN_MAGIC_LEN, 0, "flags", h->flags);
}

static void put_sample(struct output *o, const struct hpctrace_decoder *d, const struct hpctrace_record *r)
{
    const struct hpctrace_sample *s = &r->sample;
    put_at(o, r->off, 1);
    output_printf(o, "sample[%" PRIu64 "] time %" PRIu64, s->index, s->time);
    if (d->head.is_composite) output_printf(o, " distance %" PRIu32, s->distance);
    output_printf(o, " node-id %" PRIu32, s->node);
    if (d->head.record_len == 16) output_printf(o, " metric-id %" PRIu32, s->metric);
    output_char(o, '\n');
}

int hpctrace_dump(const struct read_job *job, struct output *out, assay_error *err)
{
    struct hpcrun_source source;
    struct hpctrace_decoder d;
    struct hpctrace_record r;
    TRY(hpcrun_map(job, &source, err));
    if (is_tt(job)) hpctrace_dump_tt(&source, out);
    hpctrace_decoder_init(&d, source.bytes);
    while (!is_tt(job) && !output_failed(out) && hpctrace_next(&d, &r)) switch (r.kind) {
        case HPCTRACE_RECORD_HEAD: put_trace_head(out, &r.head); break;
        case HPCTRACE_RECORD_SAMPLE: put_sample(out, &d, &r); break;
        case HPCTRACE_RECORD_DAMAGE: put_damage(out, r.off, &r.damage); break;
        }
    put_cut(&source, out);
    return 0;
}

static void put_flat(struct output *o, const struct hpcflat_record *r)
{
    switch (r->kind) {
    case HPCFLAT_RECORD_HEAD:
        put_text(o, r->off, 0, "fmt-magicno-version", r->head.magic);
        put_number(o, r->off + HPCRUN_MAGIC_LEN, 0, "#-of-module", r->head.module_count);
        break;
    case HPCFLAT_RECORD_MODULE:
        put_at(o, r->off, 0);
        output_printf(o, "module[%" PRIu32 "] ", r->module.index);
        put_quoted(o, r->module.path.text);
        output_printf(o, " load_addr 0x%" PRIx64 " #-of-event %" PRIu32 "\n", r->module.address, r->module.event_count);
        break;
    case HPCFLAT_RECORD_EVENT:
        put_at(o, r->off, 1);
        output_printf(o, "event[%" PRIu32 "] ", r->event.index);
        put_quoted(o, r->event.name.text);
        output_char(o, ' ');
        put_quoted(o, r->event.description.text);
        output_printf(o, " period %" PRIu64 " #-of-bucket %" PRIu64 "\n", r->event.period, r->event.bucket_count);
        break;
    case HPCFLAT_RECORD_BUCKET:
        put_at(o, r->off, 1);
        output_printf(o, "  bucket[%" PRIu64 "] count %" PRIu32 " offset 0x%" PRIx64 "\n", r->bucket.index, r->bucket.count, r->bucket.offset);
        break;
    case HPCFLAT_RECORD_DAMAGE: put_damage(o, r->off, &r->damage); break;
    }
}

int hpcrun_flat_dump(const struct read_job *job, struct output *out, assay_error *err)
{
    struct hpcrun_source source;
    struct hpcflat_decoder d;
    struct hpcflat_record r;
    TRY(hpcrun_map(job, &source, err));
    if (is_tt(job)) hpcrun_flat_dump_tt(&source, out);
    hpcflat_decoder_init(&d, source.bytes);
    while (!is_tt(job) && !output_failed(out) && hpcflat_next(&d, &r)) put_flat(out, &r);
    put_cut(&source, out);
    return 0;
}

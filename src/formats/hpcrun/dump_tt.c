/* The text that hpcproftt, the program of HPCToolkit, prints of a measurement file. Of 04.00 and of traces it is the same line by line;
 * of older versions, which that program no longer reads, and of flat files it is in its manner. Damage, of which it knows nothing, comes as a
 * line of its own. */
#include <inttypes.h>

#include "base/text.h"
#include "formats/hpcrun/dump.h"
#include "formats/hpcrun/print.h"

struct kind_name {
    uint16_t kind;
    assay_slice name;
};

struct printer {
    struct output *out;
    struct hpcrun_decoder d;
    struct hpcrun_span nodes;
    struct hpcrun_node node; /* the one being printed */
    struct hpcrun_reals reals;
    VEC(struct kind_name) kinds;
    bool is_open; /* a block that a "]" must close */
};

static void put_title(struct output *o, const char *path)
{
    static const char line[] = "=============================================================================\n";
    output_text(o, line);
    text_show(o, slice_of(path));
    output_char(o, '\n');
    output_text(o, line);
}

static void put_damage(struct output *o, uint64_t off, const struct hpcrun_damage *damage)
{
    output_printf(o, "[damage: (offset: %" PRIu64 ") (rule: %s) %s]\n", off, damage->rule, damage->message);
}

static assay_slice part(assay_slice s, size_t from, size_t len)
{
    if (from >= s.len) return (assay_slice){ "", 0 };
    return (assay_slice){ s.data + from, len < s.len - from ? len : s.len - from };
}

/* magic, five characters of version, byte order */
static void put_magic(struct output *o, assay_slice magic)
{
    size_t name_len = magic.len > 6 ? magic.len - 6 : magic.len;
    assay_slice endian = part(magic, name_len + 5, 1);
    hpcrun_print_header(o, part(magic, 0, name_len), part(magic, name_len, 5), endian.len ? endian.data[0] : '?');
}

static void close_block(struct printer *p)
{
    if (p->is_open) hpcrun_print_close(p->out, "");
    p->is_open = false;
}

/* ---- lists ---- */

static void open_list(struct printer *p, const struct hpcrun_list *l)
{
    close_block(p);
    p->is_open = true;
    switch (l->id) {
    case HPCRUN_LIST_METRICS: hpcrun_print_list(p->out, "metric-tbl", "num-entries", l->count); break;
    case HPCRUN_LIST_MODULES: hpcrun_print_list(p->out, "loadmap", "num-entries", l->count); break;
    case HPCRUN_LIST_KINDS: hpcrun_print_list(p->out, "id-tuple dxnry", "number of kinds", l->count); break;
    case HPCRUN_LIST_NODES:
        p->nodes = l->span;
        hpcrun_print_list(p->out, "cct", "num-nodes", l->count);
        break;
    case HPCRUN_LIST_TUPLE: output_text(p->out, "[sparse metrics:\n  [basic information:\n     id tuple:["); break;
    default: p->is_open = false; break;
    }
}

static void put_list(struct printer *p, const struct hpcrun_list *l)
{
    switch (l->id) {
    case HPCRUN_LIST_PAIRS:
    case HPCRUN_LIST_EPOCH_PAIRS: break; /* inside the block that is open */
    case HPCRUN_LIST_VALUES:
        output_printf(p->out, "]\n    (number of non-zero metrics: %" PRIu64 ")\n    (number of non-zero cct nodes: %" PRIu64 ")\n  ]\n", l->count, p->d.nodes);
        output_text(p->out, "  [metrics:\n  (NOTES: printed in file order, help checking if hpcrun file is correct)\n");
        break;
    case HPCRUN_LIST_INDEX: output_text(p->out, "  ]\n  [cct node indices:\n"); break;
    default: open_list(p, l); break;
    }
}

/* ---- items ---- */

static void put_metric(struct printer *p, const struct hpcrun_metric *m)
{
    struct output *o = p->out;
    hpcrun_reals_note(&p->reals, m);
    if (p->d.file.variant < HPCRUN_02B) {
        bool is_whole = m->flags.len == 8;
        const unsigned char *at = (const unsigned char *)m->flags.data;
        uint64_t flags = !is_whole ? 0 : p->d.file.is_big_endian ? hpcrun_be64(at) : hpcrun_le64(at);
        hpcrun_print_metric_02(o, "  ", m->name.text, flags, m->period);
        return;
    }
    output_printf(o, "  [(id: %" PRIu32 ") (nm: ", m->index);
    text_show(o, m->name.text);
    output_text(o, ") (desc: ");
    text_show(o, m->description.text);
    output_printf(o, ") ((ty: %u) (val-ty: %u) (val-fmt: %u) (partner: %u) (show: %u) (showPercent: %u)) (period: %" PRIu64 ") (formula: ", m->type,
                  m->value_type, m->value_format, m->partner, m->show, m->show_percent, m->period);
    text_show(o, m->formula.text);
    output_text(o, ") (format: ");
    text_show(o, m->format.text);
    output_text(o, p->d.file.has_extra ? ")\n" : ")]\n");
    if (p->d.file.has_extra)
        output_printf(o, "    (frequency: %u) (multiplexed: %u) (period-mean: %f) (num-samples: %" PRIu64 ")]\n", m->is_frequency, m->is_multiplexed,
                      hpcrun_double(m->threshold_mean), m->samples);
}

static void put_module(struct printer *p, const struct hpcrun_module *m)
{
    if (p->d.file.variant < HPCRUN_02B) {
        hpcrun_print_module_02(p->out, "  ", m->address, m->offset, m->name.text, m->flags);
        return;
    }
    output_printf(p->out, "  [(id: %u) (nm: ", m->id);
    text_show(p->out, m->name.text);
    output_printf(p->out, ") (flg: 0x%" PRIx64 ")]\n", m->flags);
}

static uint64_t lip_of(const void *arg, uint32_t i)
{
    const struct printer *p = arg;
    const unsigned char *at = p->node.lip + 8 * (size_t)i;
    return p->nodes.is_big_endian ? hpcrun_be64(at) : hpcrun_le64(at);
}
static uint64_t value_of(const void *arg, uint32_t i)
{
    const struct printer *p = arg;
    return hpcrun_dense(&p->nodes, &p->node, i);
}
static bool is_real(const void *arg, uint32_t i) { return hpcrun_reals_is(&((const struct printer *)arg)->reals, i); }

static void put_node(struct printer *p, const struct hpcrun_node *n)
{
    const struct hpcrun_span *s = &p->nodes;
    p->node = *n;
    struct hpcrun_print_node line = { .parent = (int32_t)n->raw_parent, .is_lush = s->assoc_at, .has_module = s->module_at, .assoc = n->assoc };
    line.id = (int32_t)n->raw_id; /* signed also where it is not: so the original prints it */
    line.is_not_unwound = !(n->flags & HPCRUN_UNWOUND);
    line.module = n->module;
    line.ip = n->ip;
    line.lip_words = n->lip ? s->lip_len / 8 : 0;
    line.value_count = n->values ? s->value_count : 0;
    line.lip = lip_of;
    line.value = p->d.file.variant == HPCRUN_04B ? NULL : value_of;
    line.is_real = is_real;
    line.arg = p;
    hpcrun_print_node(p->out, "  ", &line);
}

static void put_kind(struct printer *p, const struct hpcrun_id_kind *k)
{
    struct kind_name *slot = vec_push(p->reals.mem, &p->kinds);
    if (slot)
        *slot = (struct kind_name){ k->kind, k->name.text };
    else
        p->reals.failed = true;
    output_printf(p->out, "  (kind: %u) (kindStr: ", k->kind);
    text_show(p->out, k->name.text);
    output_text(p->out, ")\n");
}

static void put_tuple(struct printer *p, const struct hpcrun_tuple *t)
{
    static const char *const readings[] = { "BOTH", "GEN LOCAL", "GEN GLOBAL", "SINGLE" };
    unsigned reading = hpcrun_tuple_reading(t->word);
    size_t i = 0;
    while (i < p->kinds.len && p->kinds.at[i].kind != hpcrun_tuple_kind(t->word)) i++;
    output_char(p->out, '(');
    if (i < p->kinds.len)
        text_show(p->out, p->kinds.at[i].name);
    else
        output_printf(p->out, "kind %u", hpcrun_tuple_kind(t->word));
    output_printf(p->out, "(%s): ", readings[reading]);
    if (reading == 3)
        output_printf(p->out, "%" PRIu64 ") ", t->logical);
    else
        output_printf(p->out, "%" PRIu64 ", %" PRIu64 ") ", t->physical, t->logical);
}

static void put_value(struct printer *p, const struct hpcrun_value *v)
{
    output_text(p->out, "    (value: ");
    hpcrun_print_value(p->out, v->bits, hpcrun_reals_is(&p->reals, v->metric));
    output_printf(p->out, ", metric id: %u)\n", v->metric);
}

static void put_index(struct printer *p, const struct hpcrun_index_record *x)
{
    output_text(p->out, "    (cct node id: ");
    if (x->is_last && x->pair.node == HPCRUN_SENTINEL)
        output_text(p->out, "END");
    else
        output_printf(p->out, "%" PRId32, (int32_t)x->pair.node);
    output_printf(p->out, ", index: %" PRIu64 ")\n", x->pair.first);
    if (x->is_last) output_text(p->out, "  ]\n");
}

static void put_footer(struct printer *p, const uint64_t *numbers)
{
    static const char *const names[] = { "           hdr", "       loadmap", "           cct", "    metric-tbl", "id-tuple dxnry", "sparse metrics" };
    close_block(p);
    output_text(p->out, "[footer:\n");
    for (unsigned i = 0; i < HPCRUN_SECTION_COUNT; i++)
        output_printf(p->out, "  [%s start: %" PRIu64 ", end: %" PRIu64 "]\n", names[i], numbers[2 * (size_t)i], numbers[2 * (size_t)i + 1]);
    output_printf(p->out, "  [        footer start: %" PRIu64 "]\n  [        MAGIC NUMBER: equal to the expected? %s]\n]\n", numbers[12],
                  numbers[13] == HPCRUN_FOOTER_MAGIC ? "YES!" : "NO");
    if (!p->d.is_partial) output_text(p->out, "\n[You look fine today!]\n");
}

static void put_record(struct printer *p, const struct hpcrun_record *r)
{
    switch (r->kind) {
    case HPCRUN_RECORD_FILE:
        put_magic(p->out, r->file.magic);
        p->is_open = true;
        break;
    case HPCRUN_RECORD_EPOCH:
        close_block(p);
        hpcrun_print_epoch(p->out, r->epoch.flags, r->epoch.ra_distance, r->epoch.granularity);
        p->is_open = true;
        break;
    case HPCRUN_RECORD_LIST: put_list(p, &r->list); break;
    case HPCRUN_RECORD_PAIR: hpcrun_print_pair(p->out, "  ", r->pair.name.text, r->pair.value.text); break;
    case HPCRUN_RECORD_METRIC: put_metric(p, &r->metric); break;
    case HPCRUN_RECORD_MODULE: put_module(p, &r->module); break;
    case HPCRUN_RECORD_NODE: put_node(p, &r->node.node); break;
    case HPCRUN_RECORD_KIND: put_kind(p, &r->kind_name); break;
    case HPCRUN_RECORD_TUPLE: put_tuple(p, &r->tuple); break;
    case HPCRUN_RECORD_VALUE: put_value(p, &r->value.value); break;
    case HPCRUN_RECORD_INDEX: put_index(p, &r->index); break;
    case HPCRUN_RECORD_GAP: break;
    case HPCRUN_RECORD_FOOTER: put_footer(p, r->footer.numbers); break;
    case HPCRUN_RECORD_DAMAGE: put_damage(p->out, r->off, &r->damage); break;
    }
}

int hpcrun_dump_tt(const struct hpcrun_source *source, struct mem *mem, struct output *out, assay_error *err)
{
    struct printer p = { .out = out, .reals = { .mem = mem } };
    struct hpcrun_record r;
    put_title(out, source->path);
    hpcrun_decoder_init(&p.d, source->bytes);
    while (!output_failed(out) && hpcrun_next(&p.d, &r)) put_record(&p, &r);
    close_block(&p);
    vec_done(mem, &p.reals.list, &p.kinds);
    return p.reals.failed ? error_memory(err) : 0;
}

/* ---- traces and flat files ---- */

void hpctrace_dump_tt(const struct hpcrun_source *source, struct output *out)
{
    struct hpctrace_decoder d;
    struct hpctrace_record r;
    put_title(out, source->path);
    hpctrace_decoder_init(&d, source->bytes);
    while (!output_failed(out) && hpctrace_next(&d, &r)) switch (r.kind) {
        case HPCTRACE_RECORD_HEAD:
            put_magic(out, r.head.magic);
            output_printf(out, "  (flags: 0x%" PRIx64 ")\n]\n", r.head.flags);
            break;
        case HPCTRACE_RECORD_SAMPLE:
            output_printf(out, "(%" PRIu64 ", %" PRIu32, r.sample.time, r.sample.node);
            if (d.head.record_len == 16) output_printf(out, ", %" PRIu32, r.sample.metric);
            output_text(out, ")\n");
            break;
        case HPCTRACE_RECORD_DAMAGE: put_damage(out, r.off, &r.damage); break;
        }
}

void hpcrun_flat_dump_tt(const struct hpcrun_source *source, struct output *out)
{
    struct hpcflat_decoder d;
    struct hpcflat_record r;
    put_title(out, source->path);
    hpcflat_decoder_init(&d, source->bytes);
    while (!output_failed(out) && hpcflat_next(&d, &r)) switch (r.kind) {
        case HPCFLAT_RECORD_HEAD:
            put_magic(out, r.head.magic);
            output_text(out, "]\n");
            break;
        case HPCFLAT_RECORD_MODULE:
            output_printf(out, "[lm: (load-addr: 0x%" PRIx64 ") (nm: ", r.module.address);
            text_show(out, r.module.path.text);
            output_printf(out, ") (num-events: %" PRIu32 ")]\n", r.module.event_count);
            break;
        case HPCFLAT_RECORD_EVENT:
            output_text(out, "  [event: (nm: ");
            text_show(out, r.event.name.text);
            output_text(out, ") (desc: ");
            text_show(out, r.event.description.text);
            output_printf(out, ") (period: %" PRIu64 ") (num-buckets: %" PRIu64 ")]\n", r.event.period, r.event.bucket_count);
            break;
        case HPCFLAT_RECORD_BUCKET: output_printf(out, "    (count: %" PRIu32 ", offset: 0x%" PRIx64 ")\n", r.bucket.count, r.bucket.offset); break;
        case HPCFLAT_RECORD_DAMAGE: put_damage(out, r.off, &r.damage); break;
        }
}

/* The dump: header, attributes, features, and every record with its fields, by the names that perf has for them. */
#include "base/cancel.h"
#include "base/text.h"
#include "formats/perf-data/perf_data.h"

struct dumper {
    struct pd_decoder d;
    struct output *o;
    struct findings damage;
    size_t marked;
};

static void put_text(struct output *o, const char *before, assay_slice s)
{
    output_text(o, before);
    text_show(o, s);
}

static void put_hex(struct output *o, const char *before, uint64_t v)
{
    output_text(o, before);
    output_text(o, "0x");
    output_hex(o, v, 1);
}

static void begin(struct output *o, uint64_t off)
{
    output_hex(o, off, 8);
    output_text(o, "  ");
}

/* ---- header ---- */

static void dump_attr(struct dumper *w, size_t i)
{
    const struct pd_attr *a = &w->d.attrs.at[i];
    begin(w->o, a->off);
    put_text(w->o, "attr ", a->name);
    output_printf(w->o, " type %lu", (unsigned long)a->type);
    put_hex(w->o, " config ", a->config);
    output_printf(w->o, " size %lu %s %llu", (unsigned long)a->size, pd_has(a, PD_FREQ) ? "freq" : "period", (unsigned long long)a->period);
    put_hex(w->o, " sample_type ", a->sample_type);
    put_hex(w->o, " read_format ", a->read_format);
    put_hex(w->o, " flags ", a->flags);
    output_printf(w->o, " ids %lu\n", (unsigned long)a->ids);
}

static void dump_facts(struct dumper *w)
{
    const struct pd_facts *f = &w->d.facts;
    const struct {
        const char *name;
        assay_slice text;
    } texts[] = { { "hostname ", f->hostname }, { "osrelease ", f->os_release }, { "version ", f->version }, { "arch ", f->arch },
                  { "cpudesc ", f->cpu },       { "cpuid ", f->cpu_id },         { "cmdline ", f->cmdline } };
    for (size_t i = 0; i < w->d.features.len; i++) {
        begin(w->o, w->d.features.at[i].off);
        output_printf(w->o, "feature %lu %s size %llu\n", (unsigned long)w->d.features.at[i].number, pd_feature_name(w->d.features.at[i].number),
                      (unsigned long long)w->d.features.at[i].len);
    }
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (!texts[i].text.len) continue;
        output_text(w->o, "          ");
        put_text(w->o, texts[i].name, texts[i].text);
        output_char(w->o, '\n');
    }
    for (size_t i = 0; i < w->d.build_ids.len; i++) {
        output_printf(w->o, "          build id %s ", w->d.build_ids.at[i].hex);
        text_show(w->o, w->d.build_ids.at[i].path);
        output_char(w->o, '\n');
    }
}

static void dump_header(struct dumper *w)
{
    const struct pd_decoder *d = &w->d;
    begin(w->o, 0);
    output_printf(w->o, "header %s %s size %llu", d->is_pipe ? "pipe" : "file", d->is_big ? "big endian" : "little endian", (unsigned long long)d->header_size);
    if (!d->is_pipe)
        output_printf(w->o, " attr_size %llu attrs %llu+%llu data %llu+%llu", (unsigned long long)d->attr_size, (unsigned long long)d->attrs_off,
                      (unsigned long long)d->attrs_len, (unsigned long long)d->data_off, (unsigned long long)d->data_len);
    output_char(w->o, '\n');
    for (size_t i = 0; i < d->attrs.len && !output_failed(w->o); i++) dump_attr(w, i);
    dump_facts(w);
}

/* ---- records ---- */

static void dump_chain(struct dumper *w, const struct pd_sample *s)
{
    for (uint32_t i = 0; i < s->chain_len; i++) {
        uint64_t address = pd_u64(&w->d, s->chain + (size_t)i * 8);
        output_text(w->o, "\n          ");
        if (address == PD_MARK_KERNEL)
            output_text(w->o, "kernel:");
        else if (address == PD_MARK_USER)
            output_text(w->o, "user:");
        else
            put_hex(w->o, address >= PD_MARK_LEAST ? "mark " : "", address);
    }
}

static void dump_sample(struct dumper *w, const struct pd_record *r)
{
    struct pd_sample s = { 0 };
    enum pd_fit fit = pd_sample(&w->d, r, &s);
    if (fit == PD_NO_ATTR || fit == PD_UNKNOWN_ID) {
        output_text(w->o, fit == PD_NO_ATTR ? " before any attribute" : " of an unknown event");
        return;
    }
    if (fit == PD_SHORT) {
        findings_add(&w->damage, "PD10", ASSAY_ERROR, r->off, 0, "a sample of %zu bytes is shorter than its fields", r->size);
        return;
    }
    put_text(w->o, " event ", w->d.attrs.at[s.attr - 1].name);
    output_printf(w->o, " pid %ld tid %ld", (long)s.pid, (long)s.tid);
    if (s.has_time) output_printf(w->o, " time %llu", (unsigned long long)s.time);
    output_printf(w->o, " period %llu", (unsigned long long)s.period);
    if (s.has_ip) put_hex(w->o, " ip ", s.ip);
    for (uint32_t i = 0; i < s.read_len; i++) {
        uint64_t id, value;
        pd_sample_value(&w->d, &s, i, &id, &value);
        output_printf(w->o, " read %llu", (unsigned long long)value);
    }
    if (s.branch_len) output_printf(w->o, " branches %lu", (unsigned long)s.branch_len);
    if (s.stack_room) output_printf(w->o, " stack %lu of %lu", (unsigned long)s.stack_len, (unsigned long)s.stack_room);
    dump_chain(w, &s);
}

static void dump_mapping(struct dumper *w, const struct pd_record *r, size_t body)
{
    struct pd_mapping m;
    if (!pd_mapping(&w->d, r, body, &m)) return;
    output_printf(w->o, " pid %ld tid %ld", (long)m.pid, (long)m.tid);
    put_hex(w->o, " start ", m.start);
    put_hex(w->o, " len ", m.len);
    put_hex(w->o, " pgoff ", m.pgoff);
    if (m.build_id[0]) output_printf(w->o, " build id %s", m.build_id);
    if (m.is_data) output_text(w->o, " data");
    put_text(w->o, " ", m.path);
}

static void dump_task(struct dumper *w, const struct pd_record *r, size_t body)
{
    struct pd_task t;
    if (!pd_task(&w->d, r, body, &t)) return;
    output_printf(w->o, " pid %ld tid %ld", (long)t.pid, (long)t.tid);
    if (r->type == PD_COMM)
        put_text(w->o, r->misc & PD_BIT_13 ? " exec " : " ", t.comm);
    else
        output_printf(w->o, " ppid %ld ptid %ld", (long)t.ppid, (long)t.ptid);
}

static void dump_fields(struct dumper *w, const struct pd_record *r)
{
    struct pd_trailer tail = pd_trailer(&w->d, r);
    struct pd_ksymbol k;
    if (r->type == PD_SAMPLE) {
        dump_sample(w, r);
        return;
    }
    if (tail.is_short) return;
    if (tail.time) output_printf(w->o, " time %llu", (unsigned long long)tail.time);
    if (r->type == PD_MMAP || r->type == PD_MMAP2)
        dump_mapping(w, r, tail.body);
    else if (r->type == PD_COMM || r->type == PD_FORK || r->type == PD_EXIT)
        dump_task(w, r, tail.body);
    else if (r->type == PD_KSYMBOL && pd_ksymbol(&w->d, r, tail.body, &k)) {
        put_hex(w->o, " addr ", k.addr);
        put_text(w->o, " ", k.name);
    } else if (r->type == PD_LOST && tail.body >= 16)
        output_printf(w->o, " lost %llu", (unsigned long long)pd_u64(&w->d, r->data + 8));
    else if (r->type == PD_LOST_SAMPLES && tail.body >= 8)
        output_printf(w->o, " lost %llu", (unsigned long long)pd_u64(&w->d, r->data));
}

static int dump_records(struct dumper *w, assay_error *err)
{
    struct pd_record r = { .type = 0 };
    uint32_t file = 0;
    for (uint64_t i = 0; !output_failed(w->o); i++) {
        TRY(cancel_step(i, err));
        TRY(pd_next(&w->d, &r));
        if (r.file != file && r.file) output_printf(w->o, "==> %s <==\n", path_base(w->d.files.at[r.file - 1]));
        file = r.file;
        if (r.type != PD_END) {
            const char *name = pd_type_name(r.type);
            begin(w->o, r.off);
            output_text(w->o, r.is_inner ? "  " : "");
            if (name)
                output_text(w->o, name);
            else
                output_printf(w->o, "type %lu", (unsigned long)r.type);
            put_hex(w->o, " misc ", r.misc);
            output_printf(w->o, " size %zu", r.size);
            dump_fields(w, &r);
            output_char(w->o, '\n');
        }
        findings_mark(&w->damage, &w->marked, w->o);
        if (r.type == PD_END) return 0;
    }
    return 0;
}

int pd_dump(const struct read_job *job, struct output *out, assay_error *err)
{
    struct dumper w = { .o = out };
    findings_init(&w.damage, job->mem);
    int rc = pd_open(&w.d, job, &w.damage, err);
    if (rc == 0) {
        dump_header(&w);
        findings_mark(&w.damage, &w.marked, out);
        rc = dump_records(&w, err);
    }
    pd_close(&w.d);
    findings_done(&w.damage);
    return rc;
}

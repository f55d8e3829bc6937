/* The rules of old profiles beyond those of the decoder, and the dump. */
#include "base/cancel.h"
#include "base/error.h"
#include "base/text.h"
#include "formats/pprof-legacy/locations.h"

/* ---- check ---- */

struct checking {
    struct legacy_decoder d;
    struct legacy_locations l;
    uint64_t comments, comment_off, comment_line; /* symbols in comments; the first */
};

static bool note(struct checking *c, const struct legacy_record *r)
{
    for (uint32_t i = 0; r->kind == LEGACY_SAMPLE && i < r->address_count; i++)
        if (!legacy_location(&c->l, r->addresses[i])) return false;
    if (r->kind == LEGACY_MAPPING) return legacy_add_mapping(&c->l, r);
    if (r->kind != LEGACY_SYMBOL) return true;
    if (!c->d.is_java && c->comments++ == 0) {
        c->comment_off = r->off;
        c->comment_line = r->number;
    }
    return legacy_add_symbol(&c->l, r, c->d.samples);
}

static int look(struct checking *c, struct findings *out, assay_error *err)
{
    size_t unnamed = 0, outside = 0, count = c->l.addresses.len;
    if (!legacy_settle_mappings(&c->l)) return error_memory(err);
    for (size_t i = 0; i < count; i++) {
        TRY(cancel_step(i, err));
        unnamed += c->d.is_java && !legacy_symbol_of(&c->l, c->l.addresses.at[i]);
        outside += c->l.mappings.len && !legacy_mapping_of(&c->l, c->l.addresses.at[i]);
    }
    if (c->d.is_saturated) findings_add(out, "PL10", ASSAY_WARNING, FINDING_NO_OFFSET, 0, "a value is too large: the largest value is used");
    if (unnamed) findings_add(out, "PL11", ASSAY_WARNING, FINDING_NO_OFFSET, 0, "%zu of %zu locations have no function", unnamed, count);
    if (outside) findings_add(out, "PL12", ASSAY_INFO, FINDING_NO_OFFSET, 0, "%zu of %zu locations are in no part of the memory map", outside, count);
    if (c->comments)
        findings_add(out, "PL13", ASSAY_INFO, c->comment_off, c->comment_line, "%llu comments name functions: the option 'comments' uses them",
                     (unsigned long long)c->comments);
    return out->failed ? error_memory(err) : 0;
}

static int check_records(const struct read_job *job, struct checking *c, struct findings *out, assay_error *err)
{
    struct legacy_record r = { .kind = LEGACY_TEXT };
    TRY(legacy_open(&c->d, job, out, err));
    for (uint64_t i = 0; r.kind != LEGACY_END; i++) {
        TRY(cancel_step(i, err));
        TRY(legacy_next(&c->d, &r));
        if (!note(c, &r)) return error_memory(err);
    }
    return look(c, out, err);
}

int legacy_check(const struct read_job *job, struct findings *out, assay_error *err)
{
    struct checking c = { .d.mem = job->mem };
    legacy_locations_init(&c.l, job->mem);
    int rc = check_records(job, &c, out, err);
    legacy_done(&c.d);
    legacy_locations_done(&c.l);
    return rc;
}

/* ---- dump ---- */

static void put_text(struct output *o, const char *before, assay_slice s)
{
    if (!s.len) return;
    output_text(o, before);
    text_show(o, s);
}

static void put_sample(struct output *o, const struct legacy_record *r, const struct legacy_metric *metrics, uint32_t count)
{
    output_text(o, "sample");
    for (uint32_t i = 0; i < r->raw_count; i++) output_printf(o, " %llu", (unsigned long long)r->raw[i]);
    for (uint32_t i = 0; i < count; i++) output_printf(o, " %s %lld", metrics[i].name, (long long)r->values[i]);
    if (r->has_block) output_printf(o, " bytes %lld", (long long)r->block);
    output_text(o, " @");
    for (uint32_t i = 0; i < r->address_count; i++) output_printf(o, " 0x%llx", (unsigned long long)r->addresses[i]);
}

static void put_mapping(struct output *o, const struct legacy_record *r)
{
    output_printf(o, "mapping 0x%llx-0x%llx%s", (unsigned long long)r->start, (unsigned long long)r->limit, r->is_executable ? " code" : "");
    if (r->offset) output_printf(o, " offset 0x%llx", (unsigned long long)r->offset);
    put_text(o, " file ", r->value);
    put_text(o, " build id ", r->build_id);
}

static void put_symbol(struct output *o, const struct legacy_record *r)
{
    output_printf(o, "symbol 0x%llx ", (unsigned long long)r->address);
    text_show(o, r->name);
    put_text(o, " file ", r->file);
    if (r->line) output_printf(o, ":%u", r->line);
}

static void put_header(struct output *o, const struct legacy_decoder *d, const struct legacy_record *r)
{
    output_text(o, "header");
    if (!d->is_binary) put_text(o, " ", r->value);
    if (d->is_binary) output_printf(o, " %u-bit words, %s endian%s", 8 * d->word, d->is_big_endian ? "big" : "little", d->is_java ? ", java" : "");
    if (d->period) output_printf(o, " period %lld", (long long)d->period);
}

static void put_record(struct output *o, const struct legacy_decoder *d, const struct legacy_record *r)
{
    struct legacy_metric metrics[LEGACY_VALUES];
    uint32_t count = legacy_metrics(d, metrics);
    text_place(o, r->off, r->number);
    switch (r->kind) {
    case LEGACY_HEADER: put_header(o, d, r); break;
    case LEGACY_FIELD:
        put_text(o, "field ", r->key);
        put_text(o, " = ", r->value);
        break;
    case LEGACY_SAMPLE: put_sample(o, r, metrics, count); break;
    case LEGACY_SAME: output_text(o, "same as previous thread"); break;
    case LEGACY_TRAILER: output_text(o, "end of samples"); break;
    case LEGACY_SYMBOL: put_symbol(o, r); break;
    case LEGACY_MAPPING: put_mapping(o, r); break;
    case LEGACY_END:
    case LEGACY_TEXT: break;
    }
    output_char(o, '\n');
}

static int dump_records(const struct read_job *job, struct legacy_decoder *d, struct findings *damage, struct output *out, assay_error *err)
{
    struct legacy_record r = { .kind = LEGACY_TEXT };
    size_t marked = 0;
    TRY(legacy_open(d, job, damage, err));
    while (r.kind != LEGACY_END && !output_failed(out)) {
        TRY(legacy_next(d, &r));
        if (r.kind != LEGACY_END && r.kind != LEGACY_TEXT) put_record(out, d, &r);
        findings_mark(damage, &marked, out);
    }
    return 0;
}

int legacy_dump(const struct read_job *job, struct output *out, assay_error *err)
{
    struct legacy_decoder d = { .mem = job->mem };
    struct findings damage;
    findings_init(&damage, job->mem);
    int rc = dump_records(job, &d, &damage, out, err);
    legacy_done(&d);
    findings_done(&damage);
    return rc;
}

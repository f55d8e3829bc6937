/* The rules of pprof: those of tables and samples (tables.c), what is never referred to, and labels. */
#include "base/text.h"
#include "formats/pprof/tables.h"

struct checking {
    struct pprof_tables t;
    struct findings *out;
    struct mem *mem;
    VEC(uint8_t) is_used;  /* by location */
    VEC(uint64_t) unit_of; /* by key of labels: its unit + 1 */
    uint64_t number;
};

/* ---- labels ---- */

static void check_label(struct checking *c, const struct pprof_record *r, uint32_t i)
{
    const struct pprof_label *l = &r->sample.labels[i];
    unsigned long long number = c->number;
    if (!pprof_label_fits(&c->t, l, r->off, c->number, c->out)) return;
    assay_slice key = pprof_text(&c->t, l->key);
    int len = (int)(key.len < 80 ? key.len : 80);
    if (l->str && l->num)
        findings_add(c->out, "LB02", ASSAY_WARNING, r->off, 0, "sample %llu: label '%.*s' has a text and a number: the text counts", number, len, key.data);
    if (l->str && l->num_unit)
        findings_add(c->out, "LB03", ASSAY_WARNING, r->off, 0, "sample %llu: label '%.*s' is a text and has a unit", number, len, key.data);
    if (!l->str && c->unit_of.at[l->key] && c->unit_of.at[l->key] != l->num_unit + 1)
        findings_add(c->out, "LB03", ASSAY_WARNING, r->off, 0, "sample %llu: label '%.*s' has another unit than before", number, len, key.data);
    if (!l->str) c->unit_of.at[l->key] = l->num_unit + 1;
    for (uint32_t k = 0; k < i; k++)
        if (r->sample.labels[k].key == l->key) findings_add(c->out, "LB04", ASSAY_INFO, r->off, 0, "sample %llu has label '%.*s' twice", number, len, key.data);
    if (slice_starts(key, "pprof::"))
        findings_add(c->out, "LB05", ASSAY_INFO, r->off, 0, "sample %llu: label '%.*s' is reserved for pprof itself", number, len, key.data);
}

/* ---- samples ---- */

static void use_stack(struct checking *c, assay_slice stack)
{
    struct cursor at = cursor_of(stack.data, stack.len);
    uint64_t id;
    while (pprof_stack_next(&at, &id)) {
        uint32_t row = pprof_row(&c->t.location_ids, id);
        if (row != GROW_NO_ROW) c->is_used.at[row] = 1;
    }
}

static int check_samples(struct checking *c, struct pprof_decoder *d, assay_error *err)
{
    enum { LABELS_MOST = 1024 }; /* each is compared with those before it */
    struct pprof_record r;
    pprof_rewind(d, PPROF_SAMPLES);
    for (;;) {
        TRY(pprof_next(d, &r));
        if (!r.field) return c->out->failed ? error_memory(err) : 0;
        c->number++;
        pprof_values_fit(&c->t, &r, c->number, c->out);
        pprof_stack_fits(&c->t, &r, c->number, c->out);
        use_stack(c, r.sample.stack);
        for (uint32_t i = 0; i < r.sample.label_count && i < LABELS_MOST; i++) check_label(c, &r, i);
    }
}

static bool is_utf8(assay_slice s)
{
    uint32_t code;
    while (s.len) {
        unsigned n = text_utf8(s, &code);
        if (!n) return false;
        s = (assay_slice){ s.data + n, s.len - n };
    }
    return true;
}

static void check_rest(struct checking *c)
{
    size_t unused = 0, odd = 0;
    for (size_t i = 0; i < c->t.locations.len; i++) unused += !c->is_used.at[i];
    for (size_t i = 0; i < c->t.strings.len; i++) odd += !is_utf8(c->t.strings.at[i]);
    if (unused) findings_add(c->out, "PP12", ASSAY_INFO, FINDING_NO_OFFSET, 0, "%zu of %zu locations are in no sample", unused, c->t.locations.len);
    if (odd) findings_add(c->out, "PP13", ASSAY_WARNING, FINDING_NO_OFFSET, 0, "%zu strings are not UTF-8", odd);
}

static bool make_room(struct checking *c)
{
    size_t locations = c->t.locations.len + 1, strings = c->t.strings.len + 1;
    if (!vec_reserve(c->mem, &c->is_used, locations) || !vec_reserve(c->mem, &c->unit_of, strings)) return false;
    memset(c->is_used.at, 0, locations);
    memset(c->unit_of.at, 0, strings * sizeof *c->unit_of.at);
    return true;
}

int pprof_check(const struct read_job *job, struct findings *out, assay_error *err)
{
    struct checking c = { .out = out, .mem = job->mem };
    struct pprof_decoder d;
    TRY(pprof_open(&d, job, out, err));
    uint64_t packed = input_packed_len(job->in), len = cursor_left(&d.at);
    if (packed && input_packing(job->in) != INPUT_PLAIN && len / packed > 1000)
        findings_add(out, "PP14", ASSAY_WARNING, FINDING_NO_OFFSET, 0, "it unpacks to %llu times its size", (unsigned long long)(len / packed));
    int rc = pprof_tables_load(&c.t, &d, err);
    if (rc == 0) rc = make_room(&c) ? check_samples(&c, &d, err) : error_memory(err);
    if (rc == 0) check_rest(&c);
    pprof_tables_done(&c.t);
    pprof_done(&d);
    vec_done(job->mem, &c.is_used);
    vec_done(job->mem, &c.unit_of);
    return rc;
}

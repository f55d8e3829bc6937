/* The rules of OpenTelemetry profiles: those of tables and samples (tables.c, samples.c), and what only a look at everything shows. */
#include "base/cancel.h"
#include "base/scoped.h"
#include "base/text.h"
#include "formats/otlp-profiles/tables.h"

struct checking {
    struct otlp_decoder d;
    struct otlp_tables t;
    struct findings *out;
    struct mem *mem;
    assay_error *err;
    uint8_t *is_used[OTLP_TABLES]; /* by row; NULL = not asked */
};

/* ---- samples ---- */

/* One key twice, or none. */
static void check_keys(struct checking *c, const struct otlp_profile *p, const struct otlp_sample *s, uint64_t number)
{
    enum { KEYS_MOST = 256 }; /* each is compared with those before it */
    const struct otlp_set *set = &c->t.sets.at[p->set];
    for (uint32_t i = 0; i < s->attribute_count && i < KEYS_MOST; i++) {
        uint32_t row = otlp_row(set, OTLP_T_ATTRIBUTES, (int64_t)s->attributes[i]);
        if (row == GROW_NO_ROW) continue;
        assay_slice key = otlp_attribute_key(&c->t, &c->t.attributes.at[row]);
        bool is_twice = false;
        for (uint32_t k = 0; k < i && !is_twice; k++) {
            uint32_t other = otlp_row(set, OTLP_T_ATTRIBUTES, (int64_t)s->attributes[k]);
            is_twice = other != GROW_NO_ROW && slice_equal(key, otlp_attribute_key(&c->t, &c->t.attributes.at[other]));
        }
        if (is_twice || !key.len)
            findings_add(c->out, "OT13", ASSAY_WARNING, s->off, 0, "sample %llu of profile %llu has %s '%.*s'", (unsigned long long)number,
                         (unsigned long long)(p - c->t.profiles.at), is_twice ? "two attributes" : "an attribute without a key",
                         (int)(key.len < 80 ? key.len : 80), key.len ? key.data : "");
    }
}

static void use_sample(struct checking *c, const struct otlp_profile *p, const struct otlp_sample *s, const struct otlp_fit *fit)
{
    if (fit->stack_row != GROW_NO_ROW) c->is_used[OTLP_T_STACKS][fit->stack_row] = 1;
    for (uint32_t i = 0; i < fit->stack_count; i++)
        if (fit->stack[i] != GROW_NO_ROW) c->is_used[OTLP_T_LOCATIONS][fit->stack[i]] = 1;
    uint32_t link = s->has_link ? otlp_row(&c->t.sets.at[p->set], OTLP_T_LINKS, s->link) : GROW_NO_ROW;
    if (link != GROW_NO_ROW) c->is_used[OTLP_T_LINKS][link] = 1;
}

static int check_profile(struct checking *c, const struct otlp_profile *p)
{
    const struct otlp_document *doc = &c->d.documents.at[p->document];
    struct otlp_walk w = otlp_walk(&c->d, doc, OTLP_PROFILE, p->bytes);
    struct otlp_shape shape = { 0 };
    struct otlp_sample s;
    struct otlp_fit fit;
    struct otlp_item i;
    c->d.is_quiet = true;
    for (uint64_t steps = 0; otlp_next(&c->d, &w, &i); steps++) {
        if (i.name != OTLP_SAMPLES) continue;
        c->d.is_quiet = false;
        TRY(cancel_step(steps, c->err));
        TRY(otlp_sample(&c->d, doc, &i, &s));
        otlp_sample_fits(&c->t, p, &s, &shape, &fit);
        check_keys(c, p, &s, shape.number - 1);
        use_sample(c, p, &s, &fit);
        c->d.is_quiet = true;
    }
    c->d.is_quiet = false;
    otlp_shape_end(&c->t, p, &shape);
    return c->out->failed ? error_memory(c->err) : 0;
}

/* ---- tables ---- */

static bool is_utf8(assay_slice s)
{
    while (s.len) {
        unsigned n = text_utf8(s, NULL);
        if (!n) return false;
        s = (assay_slice){ s.data + n, s.len - n };
    }
    return true;
}

static int check_strings(struct checking *c)
{
    uint64_t odd = 0, twice = 0;
    SCOPED(index_done) struct index seen;
    index_init(&seen, c->mem);
    for (size_t k = 0; k < c->t.sets.len; k++) {
        const struct otlp_set *s = &c->t.sets.at[k];
        index_clear(&seen);
        for (uint32_t i = s->base[OTLP_T_STRINGS]; i < s->base[OTLP_T_STRINGS] + s->count[OTLP_T_STRINGS]; i++) {
            assay_slice text = c->t.strings.at[i];
            uint64_t hash = hash_bytes(text.data, text.len);
            bool is_new = true;
            TRY(cancel_step(i, c->err));
            for (struct index_walk w = index_walk(&seen, hash); is_new && index_next(&seen, &w);) is_new = !slice_equal(c->t.strings.at[w.id], text);
            if (is_new && i && !index_add(&seen, hash, i)) return error_memory(c->err);
            twice += !is_new;
            odd += !is_utf8(text);
        }
    }
    if (odd) findings_add(c->out, "OT23", ASSAY_WARNING, FINDING_NO_OFFSET, 0, "%llu strings are not UTF-8", (unsigned long long)odd);
    if (twice) findings_add(c->out, "OT18", ASSAY_INFO, FINDING_NO_OFFSET, 0, "%llu strings are in the table twice", (unsigned long long)twice);
    return 0;
}

static void check_unused(struct checking *c)
{
    static const struct {
        enum otlp_table table;
        const char *name;
    } tables[] = { { OTLP_T_STACKS, "stacks" }, { OTLP_T_LOCATIONS, "locations" }, { OTLP_T_LINKS, "links" } };
    for (size_t k = 0; k < sizeof tables / sizeof *tables; k++) {
        unsigned long long unused = 0, all = 0;
        for (size_t i = 0; i < c->t.sets.len; i++) {
            const struct otlp_set *s = &c->t.sets.at[i];
            uint32_t none = otlp_is_new(&c->d.documents.at[s->document]);
            for (uint32_t row = none; row < s->count[tables[k].table]; row++) unused += !c->is_used[tables[k].table][s->base[tables[k].table] + row];
            all += s->count[tables[k].table];
        }
        if (unused) findings_add(c->out, "OT18", ASSAY_INFO, FINDING_NO_OFFSET, 0, "%llu of %llu %s are in no sample", unused, all, tables[k].name);
    }
}

static void check_places(struct checking *c)
{
    for (size_t k = 0; k < c->t.sets.len; k++) {
        const struct otlp_set *s = &c->t.sets.at[k];
        uint32_t none = otlp_is_new(&c->d.documents.at[s->document]);
        for (uint32_t i = none; i < s->count[OTLP_T_FUNCTIONS]; i++) {
            const struct grow_function *f = &c->t.functions.at[s->base[OTLP_T_FUNCTIONS] + i];
            if (!otlp_text(&c->t, f->name).len && !otlp_text(&c->t, f->system_name).len && !otlp_text(&c->t, f->filename).len)
                findings_add(c->out, "OT20", ASSAY_WARNING, c->t.off[OTLP_T_FUNCTIONS].at[s->base[OTLP_T_FUNCTIONS] + i], 0,
                             "function %u has neither a name nor a file", i);
        }
        for (uint32_t i = none; i < s->count[OTLP_T_LOCATIONS] && !cancel_at(i); i++) {
            const struct grow_location *l = &c->t.locations.at[s->base[OTLP_T_LOCATIONS] + i];
            if (l->mapping == GROW_NO_ROW || !l->address || l->line_count || !c->t.limits.at[l->mapping]) continue;
            uint64_t size = c->t.limits.at[l->mapping] - c->t.starts.at[l->mapping];
            bool is_relative = l->address < size; /* profilers of the whole system store offsets in the file */
            if (!is_relative && (l->address < c->t.starts.at[l->mapping] || l->address >= c->t.limits.at[l->mapping]))
                findings_add(c->out, "OT20", ASSAY_WARNING, c->t.off[OTLP_T_LOCATIONS].at[s->base[OTLP_T_LOCATIONS] + i], 0,
                             "location %u is outside of its mapping", i);
        }
    }
}

/* ---- profiles ---- */

static bool is_zeros(assay_slice s)
{
    size_t i = 0;
    while (i < s.len && !s.data[i]) i++;
    return i == s.len;
}

static int check_ids(struct checking *c)
{
    SCOPED(index_done) struct index seen;
    index_init(&seen, c->mem);
    for (size_t i = 0; i < c->t.profiles.len; i++) {
        const struct otlp_profile *p = &c->t.profiles.at[i];
        uint64_t hash = hash_bytes(p->id.data, p->id.len);
        bool is_twice = false;
        TRY(cancel_step(i, c->err));
        if (!p->has_id || !p->id.len) continue;
        if (p->id.len != 16 || is_zeros(p->id))
            findings_add(c->out, "OT21", ASSAY_WARNING, p->off, 0, "profile %zu has an id of %zu bytes%s; expected 16, not all zero", i, p->id.len,
                         is_zeros(p->id) ? ", all zero" : "");
        for (struct index_walk w = index_walk(&seen, hash); !is_twice && index_next(&seen, &w);) is_twice = slice_equal(c->t.profiles.at[w.id - 1].id, p->id);
        if (is_twice) findings_add(c->out, "OT21", ASSAY_WARNING, p->off, 0, "profile %zu has the id of another one", i);
        if (!is_twice && !index_add(&seen, hash, (uint32_t)i + 1)) return error_memory(c->err);
    }
    return 0;
}

static void check_payloads(struct checking *c)
{
    for (size_t i = 0; i < c->t.profiles.len; i++) {
        const struct otlp_profile *p = &c->t.profiles.at[i];
        if (!p->payload != !p->payload_format.len)
            findings_add(c->out, "OT19", ASSAY_WARNING, p->off, 0, "profile %zu has %s", i,
                         p->payload ? "an original payload without a format" : "a payload format without a payload");
        else if (p->payload)
            findings_add(c->out, "OT19", ASSAY_INFO, p->off, 0, "profile %zu has an original payload of %llu bytes, which is not read", i,
                         (unsigned long long)p->payload);
    }
}

static int check_all(struct checking *c)
{
    const size_t count[OTLP_TABLES] = { [OTLP_T_STACKS] = c->t.stacks.len, [OTLP_T_LOCATIONS] = c->t.locations.len, [OTLP_T_LINKS] = c->t.links.len };
    SCRATCH(uint8_t, stacks, c->mem, count[OTLP_T_STACKS] + 1);
    SCRATCH(uint8_t, locations, c->mem, count[OTLP_T_LOCATIONS] + 1);
    SCRATCH(uint8_t, links, c->mem, count[OTLP_T_LINKS] + 1);
    if (!stacks || !locations || !links) return error_memory(c->err);
    c->is_used[OTLP_T_STACKS] = stacks;
    c->is_used[OTLP_T_LOCATIONS] = locations;
    c->is_used[OTLP_T_LINKS] = links;
    for (size_t i = 0; i < c->t.profiles.len; i++) TRY(check_profile(c, &c->t.profiles.at[i]));
    TRY(check_strings(c));
    TRY(check_ids(c));
    check_unused(c);
    check_places(c);
    check_payloads(c);
    if (c->d.unknown)
        findings_add(c->out, "OT22", ASSAY_INFO, FINDING_NO_OFFSET, 0, "%llu fields are not known: a newer layout?", (unsigned long long)c->d.unknown);
    if (!c->t.samples) findings_add(c->out, "OT24", ASSAY_WARNING, FINDING_NO_OFFSET, 0, "there are no samples");
    return c->out->failed ? error_memory(c->err) : 0;
}

int otlp_check(const struct read_job *job, struct findings *out, assay_error *err)
{
    struct checking c = { .out = out, .mem = job->mem, .err = err };
    int rc = otlp_open(&c.d, job, out, err);
    if (rc == 0) rc = otlp_tables_load(&c.t, &c.d, err);
    if (rc == 0) rc = check_all(&c);
    otlp_tables_done(&c.t);
    otlp_done(&c.d);
    return rc;
}

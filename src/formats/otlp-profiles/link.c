/* Once the tables of a set are whole: indices become rows of the whole file, and what they miss is named. */
#include "base/cancel.h"
#include "formats/otlp-profiles/tables.h"

static void outside(struct otlp_tables *t, const char *rule, uint64_t off, const char *of, uint64_t row, const char *what, uint64_t index, uint32_t count)
{
    findings_add(t->d->damage, rule, ASSAY_ERROR, off, 0, "%s %llu refers to %s %lld, but there are %u", of, (unsigned long long)row, what, (long long)index,
                 count);
}

/* An index becomes the number of the string; the empty one where there is none. */
static void link_string(struct otlp_tables *t, const struct otlp_set *s, uint64_t *string, uint64_t off, const char *of, uint64_t row)
{
    uint32_t found = otlp_row(s, OTLP_T_STRINGS, (int64_t)*string);
    if (found == GROW_NO_ROW && (*string || s->count[OTLP_T_STRINGS])) outside(t, "OT05", off, of, row, "string", *string, s->count[OTLP_T_STRINGS]);
    *string = found == GROW_NO_ROW ? 0 : found;
}

static void link_location(struct otlp_tables *t, const struct otlp_set *s, uint32_t row, bool is_new)
{
    struct grow_location *l = &t->locations.at[row];
    uint64_t off = t->off[OTLP_T_LOCATIONS].at[row], number = row - s->base[OTLP_T_LOCATIONS];
    uint32_t mappings = s->count[OTLP_T_MAPPINGS], functions = s->count[OTLP_T_FUNCTIONS];
    bool has_none = l->mapping == OTLP_NO_INDEX || (is_new && l->mapping == 0) || (!mappings && l->mapping == 0);
    if (!has_none && l->mapping >= mappings) outside(t, "OT07", off, "location", number, "mapping", l->mapping, mappings);
    l->mapping = has_none || l->mapping >= mappings ? GROW_NO_ROW : s->base[OTLP_T_MAPPINGS] + l->mapping;
    for (uint32_t k = 0; k < l->line_count; k++) {
        struct grow_line *line = &t->lines.at[l->first_line + k];
        if (line->function >= functions && !(is_new && !line->function)) outside(t, "OT07", off, "location", number, "function", line->function, functions);
        bool is_none = line->function >= functions || (is_new && !line->function);
        line->function = is_none ? 0 : s->base[OTLP_T_FUNCTIONS] + line->function + 1;
    }
}

/* false = one of them does not exist. */
static bool link_rows(struct otlp_tables *t, const struct otlp_set *s, uint32_t first, uint32_t count, uint64_t off, const char *of, uint64_t number)
{
    bool is_whole = true;
    for (uint32_t k = first; k < first + count && !cancel_at(k); k++) {
        uint32_t found = t->rows.at[k] < s->count[OTLP_T_LOCATIONS] ? s->base[OTLP_T_LOCATIONS] + t->rows.at[k] : GROW_NO_ROW;
        if (found == GROW_NO_ROW && is_whole) outside(t, "OT07", off, of, number, "location", t->rows.at[k], s->count[OTLP_T_LOCATIONS]);
        is_whole &= found != GROW_NO_ROW;
        t->rows.at[k] = found;
    }
    return is_whole;
}

/* Entry 0 of a table is the zero value, or looks like one: ids of zeros. */
static bool is_zero(assay_slice bytes)
{
    struct cursor c = cursor_of(bytes.data, bytes.len);
    struct proto_field f;
    enum proto_status status;
    while ((status = proto_next(&c, &f)) == PROTO_FIELD) {
        if (f.wire != PROTO_BYTES && f.value) return false;
        for (size_t i = 0; f.wire == PROTO_BYTES && i < f.bytes.len; i++)
            if (f.bytes.data[i]) return false;
    }
    return status == PROTO_END;
}

static void check_null_entries(struct otlp_tables *t, const struct otlp_set *s)
{
    static const char *const names[OTLP_TABLES] = { "string", "mapping", "location", "function", "link", "attribute", "stack" };
    const struct otlp_document *doc = &t->d->documents.at[s->document];
    for (int k = OTLP_T_MAPPINGS; k < OTLP_TABLES; k++) {
        if (!s->count[k]) continue;
        uint64_t off = t->off[k].at[s->base[k]];
        bool is_null = true;
        const struct otlp_attribute *a = &t->attributes.at[s->base[OTLP_T_ATTRIBUTES]];
        const struct grow_location *l = &t->locations.at[s->base[OTLP_T_LOCATIONS]];
        if (k == OTLP_T_MAPPINGS) is_null = !t->mappings.at[s->base[k]].filename && !t->starts.at[s->base[k]] && !t->limits.at[s->base[k]];
        if (k == OTLP_T_LOCATIONS) is_null = !l->address && !l->line_count;
        if (k == OTLP_T_FUNCTIONS) is_null = !t->functions.at[s->base[k]].name && !t->functions.at[s->base[k]].filename;
        if (k == OTLP_T_ATTRIBUTES) is_null = !a->key_string && !a->key.len && is_zero(a->value);
        if (k == OTLP_T_STACKS) is_null = !t->stacks.at[s->base[k]].count;
        if (k == OTLP_T_LINKS) {
            const struct otlp_link *link = &t->links.at[s->base[k]];
            for (size_t i = 0; i < link->trace.len; i++) is_null &= !link->trace.data[i];
            for (size_t i = 0; i < link->span.len; i++) is_null &= !link->span.data[i];
        }
        if (!is_null && otlp_is_new(doc))
            findings_add(t->d->damage, "OT04", ASSAY_WARNING, off, 0, "entry 0 of the %s table is not empty: it stands for none", names[k]);
    }
}

static void check_strings(struct otlp_tables *t, const struct otlp_set *s, size_t first_profile)
{
    bool has_samples = false;
    for (size_t i = first_profile; i < t->profiles.len; i++) has_samples |= t->profiles.at[i].samples != 0;
    if (!s->count[OTLP_T_STRINGS] && has_samples)
        findings_add(t->d->damage, "OT03", ASSAY_ERROR, t->profiles.at[first_profile].off, 0, "there is no string table");
    if (s->count[OTLP_T_STRINGS] && t->strings.at[s->base[OTLP_T_STRINGS]].len)
        findings_add(t->d->damage, "OT04", ASSAY_ERROR, t->off[OTLP_T_STRINGS].at[t->off[OTLP_T_STRINGS].len - 1], 0,
                     "the first entry of the string table is not empty");
}

static void link_links(struct otlp_tables *t, const struct otlp_set *s)
{
    for (uint32_t i = 0; i < s->count[OTLP_T_LINKS]; i++) {
        const struct otlp_link *l = &t->links.at[s->base[OTLP_T_LINKS] + i];
        bool is_none = !l->trace.len && !l->span.len;
        if (!is_none && (l->trace.len != 16 || l->span.len != 8))
            findings_add(t->d->damage, "OT09", ASSAY_WARNING, t->off[OTLP_T_LINKS].at[s->base[OTLP_T_LINKS] + i], 0,
                         "link %u has a trace id of %zu bytes and a span id of %zu; expected 16 and 8", i, l->trace.len, l->span.len);
    }
}

static int link_tables(struct otlp_tables *t, const struct otlp_set *s)
{
    bool is_new = otlp_is_new(&t->d->documents.at[s->document]);
    const uint32_t *base = s->base, *count = s->count;
    for (uint32_t i = 0; i < count[OTLP_T_FUNCTIONS]; i++) {
        struct grow_function *f = &t->functions.at[base[OTLP_T_FUNCTIONS] + i];
        uint64_t off = t->off[OTLP_T_FUNCTIONS].at[base[OTLP_T_FUNCTIONS] + i];
        TRY(cancel_step(i, t->d->err));
        link_string(t, s, &f->name, off, "function", i);
        link_string(t, s, &f->system_name, off, "function", i);
        link_string(t, s, &f->filename, off, "function", i);
    }
    for (uint32_t i = 0; i < count[OTLP_T_MAPPINGS]; i++) {
        struct grow_mapping *m = &t->mappings.at[base[OTLP_T_MAPPINGS] + i];
        TRY(cancel_step(i, t->d->err));
        link_string(t, s, &m->filename, t->off[OTLP_T_MAPPINGS].at[base[OTLP_T_MAPPINGS] + i], "mapping", i);
        link_string(t, s, &m->build_id, t->off[OTLP_T_MAPPINGS].at[base[OTLP_T_MAPPINGS] + i], "mapping", i);
    }
    for (uint32_t i = 0; i < count[OTLP_T_ATTRIBUTES]; i++) {
        struct otlp_attribute *a = &t->attributes.at[base[OTLP_T_ATTRIBUTES] + i];
        uint64_t off = t->off[OTLP_T_ATTRIBUTES].at[base[OTLP_T_ATTRIBUTES] + i];
        TRY(cancel_step(i, t->d->err));
        link_string(t, s, &a->key_string, off, "attribute", i);
        link_string(t, s, &a->unit, off, "attribute", i);
    }
    for (uint32_t i = s->first_unit; i < s->first_unit + s->unit_count; i++) {
        link_string(t, s, &t->units.at[i].key, FINDING_NO_OFFSET, "attribute unit", i - s->first_unit);
        link_string(t, s, &t->units.at[i].unit, FINDING_NO_OFFSET, "attribute unit", i - s->first_unit);
        uint64_t hash = otlp_unit_hash(t->units.at[i].set, otlp_text(t, t->units.at[i].key));
        if (!index_add(&t->unit_index, hash, i + 1)) return error_memory(t->d->err);
    }
    for (uint32_t i = 0; i < count[OTLP_T_LOCATIONS]; i++) {
        TRY(cancel_step(i, t->d->err));
        link_location(t, s, base[OTLP_T_LOCATIONS] + i, is_new);
    }
    for (uint32_t i = 0; i < count[OTLP_T_STACKS]; i++) {
        struct otlp_stack *k = &t->stacks.at[base[OTLP_T_STACKS] + i];
        TRY(cancel_step(i, t->d->err));
        k->is_bad = !link_rows(t, s, k->first, k->count, t->off[OTLP_T_STACKS].at[base[OTLP_T_STACKS] + i], "stack", i);
    }
    link_links(t, s);
    return 0;
}

static void link_type(struct otlp_tables *t, const struct otlp_profile *p, struct otlp_value_type *type, uint64_t number)
{
    link_string(t, &t->sets.at[p->set], &type->type, p->off, "sample or period type of profile", number);
    link_string(t, &t->sets.at[p->set], &type->unit, p->off, "sample or period type of profile", number);
}

static void link_profile(struct otlp_tables *t, struct otlp_profile *p, uint64_t number)
{
    const struct otlp_set *s = &t->sets.at[p->set];
    for (uint32_t k = 0; k < p->type_count; k++) {
        link_type(t, p, &t->types.at[p->first_type + k], number);
        if (!otlp_text(t, t->types.at[p->first_type + k].type).len)
            findings_add(t->d->damage, "OT15", ASSAY_WARNING, p->off, 0, "profile %llu has a sample type without a name", (unsigned long long)number);
    }
    if (!p->type_count) findings_add(t->d->damage, "OT15", ASSAY_WARNING, p->off, 0, "profile %llu has no sample type", (unsigned long long)number);
    link_type(t, p, &p->period_type, number);
    if (p->period && !p->has_period_type)
        findings_add(t->d->damage, "OT15", ASSAY_WARNING, p->off, 0, "profile %llu has a period, but no period type", (unsigned long long)number);
    uint64_t *const texts[] = { &p->default_type, &p->drop_frames, &p->keep_frames };
    for (size_t k = 0; k < 3; k++) link_string(t, s, texts[k], p->off, "profile", number);
    for (uint32_t k = 0; k < p->comment_count; k++) link_string(t, s, &t->comments.at[p->first_comment + k], p->off, "profile", number);
    link_rows(t, s, p->first_index, p->index_count, p->off, "profile", number);
    for (uint32_t k = 0; k < p->attribute_count; k++) {
        uint64_t *v = &t->profile_attributes.at[p->first_attribute + k];
        uint32_t row = otlp_row(s, OTLP_T_ATTRIBUTES, (int64_t)*v);
        if (row == GROW_NO_ROW) outside(t, "OT08", p->off, "profile", number, "attribute", *v, s->count[OTLP_T_ATTRIBUTES]);
        *v = row;
    }
}

/* The value of an attribute as a string like others, where it is a text that stands in the file; else the empty one. */
static int find_text(struct otlp_tables *t, struct otlp_attribute *a)
{
    struct otlp_value v;
    if (a->text) return 0;
    if (!otlp_value(t, a->set, a->value, &t->scratch, &v)) return error_memory(t->d->err);
    assay_slice *slot = vec_push(t->mem, &t->strings);
    if (!slot) return error_memory(t->d->err);
    *slot = v.kind == ASSAY_LABEL_TEXT && v.text.data != t->scratch.at ? v.text : SLICE("");
    a->text = t->strings.len - 1;
    return 0;
}

/* Build ids of mappings are attributes, of which there are several kinds: the first one counts. */
static int link_uses(struct otlp_tables *t, const struct otlp_set *s)
{
    for (size_t i = 0; i < t->uses.len; i++) {
        const struct otlp_use *u = &t->uses.at[i];
        bool is_mapping = u->table == OTLP_T_MAPPINGS;
        uint32_t row = otlp_row(s, OTLP_T_ATTRIBUTES, (int64_t)u->attribute);
        TRY(cancel_step(i, t->d->err));
        if (row == GROW_NO_ROW)
            outside(t, "OT08", t->off[u->table].at[u->row], is_mapping ? "mapping" : "location", u->row - s->base[u->table], "attribute", u->attribute,
                    s->count[OTLP_T_ATTRIBUTES]);
        if (row == GROW_NO_ROW || !is_mapping || otlp_text(t, t->mappings.at[u->row].build_id).len) continue;
        if (!slice_starts(otlp_attribute_key(t, &t->attributes.at[row]), "process.executable.build_id.")) continue;
        TRY(find_text(t, &t->attributes.at[row]));
        t->mappings.at[u->row].build_id = t->attributes.at[row].text;
    }
    t->uses.len = 0;
    return 0;
}

/* The row of tables that a set may lack is that of another one: never looked at, but there. */
static int make_room(struct otlp_tables *t)
{
    bool done = vec_reserve(t->mem, &t->mappings, 1) && vec_reserve(t->mem, &t->locations, 1) && vec_reserve(t->mem, &t->functions, 1) &&
                vec_reserve(t->mem, &t->links, 1) && vec_reserve(t->mem, &t->attributes, 1) && vec_reserve(t->mem, &t->stacks, 1);
    return done ? 0 : error_memory(t->d->err);
}

int otlp_link_set(struct otlp_tables *t, size_t first_profile)
{
    const struct otlp_set *s = &t->sets.at[t->sets.len - 1];
    TRY(make_room(t));
    check_strings(t, s, first_profile);
    check_null_entries(t, s);
    TRY(link_tables(t, s));
    TRY(link_uses(t, s));
    for (size_t i = first_profile; i < t->profiles.len; i++) link_profile(t, &t->profiles.at[i], i);
    return t->d->damage->failed ? error_memory(t->d->err) : 0;
}

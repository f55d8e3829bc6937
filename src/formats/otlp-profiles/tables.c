/* See tables.h. Rows are taken as they come, with indices as they stand; once all tables of a set are known, indices become rows and what they miss is named. */
#include "formats/otlp-profiles/tables.h"

#include "base/cancel.h"

#define PUSH(list, ...)                                                                                                                                        \
    do {                                                                                                                                                       \
        if (!vec_push(t->mem, &(list))) return error_memory(t->d->err);                                                                                        \
        (list).at[(list).len - 1] = __VA_ARGS__;                                                                                                               \
    } while (0)

#define NONE OTLP_NO_INDEX
#define NOWHERE OTLP_NOWHERE
static uint32_t index_of(uint64_t v) { return v < NOWHERE ? (uint32_t)v : NOWHERE; }

static struct otlp_walk walk(const struct otlp_tables *t, uint32_t document, enum otlp_message m, assay_slice bytes)
{
    return otlp_walk(t->d, &t->d->documents.at[document], m, bytes);
}

static int taken(struct otlp_tables *t, bool is_whole, const struct otlp_item *i)
{
    if (t->d->err->code) return t->d->err->code;
    if (!is_whole) findings_add(t->d->damage, "OT01", ASSAY_ERROR, otlp_off(t->d, i->raw.at), 0, "%s is damaged", i->field->text);
    return 0;
}

/* Names the damage in a message and those in it, once: whoever needs it later looks again and says nothing. */
static void look_through(struct otlp_tables *t, uint32_t document, enum otlp_message m, assay_slice bytes)
{
    enum { DEPTH_MOST = 64 };
    struct otlp_walk open[DEPTH_MOST];
    struct otlp_item i;
    unsigned depth = 1;
    open[0] = walk(t, document, m, bytes);
    for (uint64_t steps = 0; depth && !cancel_at(steps); steps++) {
        if (!otlp_next(t->d, &open[depth - 1], &i))
            depth--;
        else if (i.field && i.field->type == OTLP_SUB && depth < DEPTH_MOST)
            open[depth++] = walk(t, document, (enum otlp_message)i.field->sub, i.raw.bytes);
    }
}

/* ---- entries of tables ---- */

static void take_function(struct otlp_walk *w, struct otlp_decoder *d, struct grow_function *f)
{
    struct otlp_item i;
    while (otlp_next(d, w, &i)) {
        if (i.name == OTLP_NAME) f->name = i.raw.value;
        if (i.name == OTLP_SYSTEM_NAME) f->system_name = i.raw.value;
        if (i.name == OTLP_FILENAME) f->filename = i.raw.value;
        if (i.name == OTLP_START_LINE) f->start_line = (int64_t)i.raw.value;
    }
}

/* Attributes of a row that comes next. */
static int take_uses(struct otlp_tables *t, const struct otlp_item *i, enum otlp_table table, size_t row)
{
    t->d->indices.len = 0;
    t->d->err->code = 0;
    TRY(taken(t, otlp_numbers_add(t->d, i, &t->d->indices), i));
    for (size_t k = 0; k < t->d->indices.len; k++) PUSH(t->uses, (struct otlp_use){ t->d->indices.at[k], (uint32_t)row, (uint8_t)table });
    return 0;
}

static int take_mapping(struct otlp_tables *t, struct otlp_walk *w)
{
    struct otlp_item i;
    struct grow_mapping m = { 0, 0 };
    uint64_t start = 0, limit = 0;
    while (otlp_next(t->d, w, &i)) {
        if (i.name == OTLP_FILENAME) m.filename = i.raw.value;
        if (i.name == OTLP_BUILD_ID) m.build_id = i.raw.value;
        if (i.name == OTLP_MEMORY_START) start = i.raw.value;
        if (i.name == OTLP_MEMORY_LIMIT) limit = i.raw.value;
        if (i.name == OTLP_ATTRIBUTE_INDICES) TRY(take_uses(t, &i, OTLP_T_MAPPINGS, t->mappings.len));
    }
    PUSH(t->mappings, m);
    PUSH(t->starts, start);
    PUSH(t->limits, limit);
    return 0;
}

static int take_location(struct otlp_tables *t, uint32_t document, struct otlp_walk *w)
{
    const struct otlp_document *doc = &t->d->documents.at[document];
    struct otlp_item i, k;
    struct grow_location l = { 0, NONE, (uint32_t)t->lines.len, 0 };
    if (doc->layout == OTLP_1_3) l.mapping = 0; /* which cannot say that there is none */
    while (otlp_next(t->d, w, &i)) {
        if (i.name == OTLP_MAPPING_INDEX) l.mapping = index_of(i.raw.value);
        if (i.name == OTLP_ADDRESS) l.address = i.raw.value;
        if (i.name == OTLP_ATTRIBUTE_INDICES) TRY(take_uses(t, &i, OTLP_T_LOCATIONS, t->locations.len));
        if (i.name != OTLP_LINES) continue;
        struct otlp_walk inner = walk(t, document, OTLP_LINE, i.raw.bytes);
        struct grow_line line = { 0, 0 };
        while (otlp_next(t->d, &inner, &k)) {
            if (k.name == OTLP_FUNCTION_INDEX) line.function = index_of(k.raw.value);
            if (k.name == OTLP_LINE_OF) line.line = (int64_t)k.raw.value;
        }
        if (t->lines.len >= UINT32_MAX / 2) FAIL(t->d->err, ASSAY_ERR_LIMIT, "too many lines of locations");
        PUSH(t->lines, line);
        l.line_count++;
    }
    t->inlined += l.line_count > 1;
    PUSH(t->locations, l);
    return 0;
}

static int take_attribute(struct otlp_tables *t, struct otlp_walk *w)
{
    struct otlp_item i;
    struct otlp_attribute a = { .set = (uint32_t)t->sets.len - 1 };
    while (otlp_next(t->d, w, &i)) {
        if (i.name == OTLP_KEY) a.key = i.raw.bytes;
        if (i.name == OTLP_KEY_STRING) a.key_string = i.raw.value;
        if (i.name == OTLP_VALUE) a.value = i.raw.bytes;
        if (i.name == OTLP_UNIT) a.unit = i.raw.value;
    }
    look_through(t, t->sets.at[a.set].document, OTLP_ANY_VALUE, a.value);
    PUSH(t->attributes, a);
    return 0;
}

static int take_unit(struct otlp_tables *t, struct otlp_walk *w)
{
    struct otlp_item i;
    struct otlp_unit u = { .set = (uint32_t)t->sets.len - 1 };
    while (otlp_next(t->d, w, &i)) {
        if (i.name == OTLP_KEY_STRING) u.key = i.raw.value;
        if (i.name == OTLP_UNIT) u.unit = i.raw.value;
    }
    PUSH(t->units, u);
    return 0;
}

static int take_link(struct otlp_tables *t, struct otlp_walk *w)
{
    struct otlp_item i;
    struct otlp_link l = { { NULL, 0 }, { NULL, 0 } };
    while (otlp_next(t->d, w, &i)) {
        if (i.name == OTLP_TRACE_ID) l.trace = i.raw.bytes;
        if (i.name == OTLP_SPAN_ID) l.span = i.raw.bytes;
    }
    PUSH(t->links, l);
    return 0;
}

/* Indices as rows that are not yet checked. */
static int take_indices(struct otlp_tables *t, const struct otlp_item *i)
{
    t->d->indices.len = 0;
    t->d->err->code = 0;
    TRY(taken(t, otlp_numbers_add(t->d, i, &t->d->indices), i));
    if (t->rows.len + t->d->indices.len >= NOWHERE) FAIL(t->d->err, ASSAY_ERR_LIMIT, "too many locations of stacks");
    if (!vec_reserve(t->mem, &t->rows, t->d->indices.len)) return error_memory(t->d->err);
    for (size_t k = 0; k < t->d->indices.len; k++) t->rows.at[t->rows.len++] = index_of(t->d->indices.at[k]);
    return 0;
}

static int take_stack(struct otlp_tables *t, struct otlp_walk *w)
{
    struct otlp_item i;
    struct otlp_stack s = { .first = (uint32_t)t->rows.len };
    while (otlp_next(t->d, w, &i))
        if (i.name == OTLP_LOCATION_INDICES) TRY(take_indices(t, &i));
    s.count = (uint32_t)t->rows.len - s.first;
    PUSH(t->stacks, s);
    return 0;
}

/* ---- one entry, of whatever table ---- */

static int table_of(uint8_t name)
{
    switch (name) {
    case OTLP_STRINGS: return OTLP_T_STRINGS;
    case OTLP_MAPPINGS: return OTLP_T_MAPPINGS;
    case OTLP_LOCATIONS: return OTLP_T_LOCATIONS;
    case OTLP_FUNCTIONS: return OTLP_T_FUNCTIONS;
    case OTLP_LINKS: return OTLP_T_LINKS;
    case OTLP_ATTRIBUTES: return OTLP_T_ATTRIBUTES;
    case OTLP_STACKS: return OTLP_T_STACKS;
    default: return -1;
    }
}

static int take_row(struct otlp_tables *t, uint32_t document, const struct otlp_item *i, enum otlp_table table)
{
    struct grow_function f = { 0 };
    if (table == OTLP_T_STRINGS) {
        PUSH(t->strings, i->raw.bytes);
        return 0;
    }
    struct otlp_walk w = walk(t, document, (enum otlp_message)i->field->sub, i->raw.bytes);
    switch (table) {
    case OTLP_T_MAPPINGS: return take_mapping(t, &w);
    case OTLP_T_LOCATIONS: return take_location(t, document, &w);
    case OTLP_T_LINKS: return take_link(t, &w);
    case OTLP_T_ATTRIBUTES: return take_attribute(t, &w);
    case OTLP_T_STACKS: return take_stack(t, &w);
    default: break;
    }
    take_function(&w, t->d, &f);
    PUSH(t->functions, f);
    return 0;
}

/* *is_taken: it was the entry of a table. */
static int take_entry(struct otlp_tables *t, const struct otlp_item *i, bool *is_taken)
{
    struct otlp_set *s = &t->sets.at[t->sets.len - 1];
    uint32_t document = s->document;
    int table = table_of(i->name);
    *is_taken = table >= 0 || i->name == OTLP_UNITS;
    if (i->name == OTLP_UNITS) {
        struct otlp_walk w = walk(t, document, OTLP_ATTRIBUTE_UNIT, i->raw.bytes);
        TRY(take_unit(t, &w));
        s->unit_count++;
    }
    if (table < 0) return 0;
    if (s->base[table] >= NOWHERE - 1 - s->count[table]) FAIL(t->d->err, ASSAY_ERR_LIMIT, "too many entries of tables");
    if (table != OTLP_T_STRINGS || !s->count[table]) PUSH(t->off[table], otlp_off(t->d, i->raw.at));
    TRY(cancel_step(s->count[table]++, t->d->err));
    return take_row(t, document, i, (enum otlp_table)table);
}

static int open_set(struct otlp_tables *t, uint32_t document)
{
    struct otlp_set s = { .document = document, .first_unit = (uint32_t)t->units.len };
    const size_t base[OTLP_TABLES] = { t->strings.len, t->mappings.len, t->locations.len, t->functions.len, t->links.len, t->attributes.len, t->stacks.len };
    for (int i = 0; i < OTLP_TABLES; i++) s.base[i] = (uint32_t)base[i];
    PUSH(t->sets, s);
    return 0;
}

/* ---- profiles ---- */

static void take_type(struct otlp_tables *t, uint32_t document, const struct otlp_item *i, struct otlp_value_type *type)
{
    struct otlp_walk w = walk(t, document, OTLP_VALUE_TYPE, i->raw.bytes);
    struct otlp_item k;
    while (otlp_next(t->d, &w, &k)) {
        if (k.name == OTLP_TYPE) type->type = k.raw.value;
        if (k.name == OTLP_UNIT) type->unit = k.raw.value;
    }
}

static int take_lists(struct otlp_tables *t, struct otlp_profile *p, const struct otlp_item *i)
{
    struct otlp_value_type type = { 0, 0 };
    t->d->err->code = 0;
    switch (i->name) {
    case OTLP_SAMPLE_TYPE:
        take_type(t, p->document, i, &type);
        PUSH(t->types, type);
        p->type_count++;
        return 0;
    case OTLP_LOCATION_INDICES: TRY(take_indices(t, i)); break;
    case OTLP_ATTRIBUTE_INDICES: TRY(taken(t, otlp_numbers_add(t->d, i, &t->profile_attributes), i)); break;
    case OTLP_COMMENTS: TRY(taken(t, otlp_numbers_add(t->d, i, &t->comments), i)); break;
    default: break;
    }
    p->index_count = (uint32_t)t->rows.len - p->first_index;
    p->attribute_count = (uint32_t)t->profile_attributes.len - p->first_attribute;
    p->comment_count = (uint32_t)t->comments.len - p->first_comment;
    return 0;
}

static void take_scalar(struct otlp_tables *t, struct otlp_profile *p, const struct otlp_item *i)
{
    switch (i->name) {
    case OTLP_TIME:
    case OTLP_START: p->time = i->raw.value ? i->raw.value : p->time; break;
    case OTLP_END_TIME: p->duration = p->duration || i->raw.value < p->time ? p->duration : i->raw.value - p->time; break;
    case OTLP_DURATION: p->duration = i->raw.value; break;
    case OTLP_PERIOD: p->period = (int64_t)i->raw.value; break;
    case OTLP_DEFAULT_TYPE: p->default_type = i->raw.value; break;
    case OTLP_DEFAULT_INDEX: p->default_index = i->raw.value; break;
    case OTLP_DROP_FRAMES: p->drop_frames = i->raw.value; break;
    case OTLP_KEEP_FRAMES: p->keep_frames = i->raw.value; break;
    case OTLP_DROPPED: p->dropped = i->raw.value; break;
    case OTLP_PAYLOAD: p->payload = i->raw.bytes.len; break;
    case OTLP_PAYLOAD_FORMAT: p->payload_format = i->raw.bytes; break;
    case OTLP_PERIOD_TYPE:
        take_type(t, p->document, i, &p->period_type);
        p->has_period_type = true;
        break;
    case OTLP_PROFILE_ID:
        p->id = i->raw.bytes;
        p->has_id = true;
        break;
    default: break;
    }
}

/* Of a profile, or of the container around it. */
static int take_profile(struct otlp_tables *t, struct otlp_profile *p, const struct otlp_item *item)
{
    struct otlp_walk w = walk(t, p->document, (enum otlp_message)item->field->sub, item->raw.bytes);
    struct otlp_item i, inner = { .field = NULL };
    uint64_t steps = 0;
    p->bytes = item->raw.bytes;
    while (otlp_next(t->d, &w, &i)) {
        bool is_entry = false;
        TRY(cancel_step(steps++, t->d->err));
        if (i.name == OTLP_SAMPLES) {
            p->samples++;
            continue;
        }
        if (i.name == OTLP_INNER_PROFILE) inner = i;
        TRY(take_entry(t, &i, &is_entry));
        if (is_entry) continue;
        TRY(take_lists(t, p, &i));
        take_scalar(t, p, &i);
    }
    if (!inner.field || item->name == OTLP_INNER_PROFILE) return 0;
    return take_profile(t, p, &inner); /* one level: the call above leaves at the next one */
}

static int add_profile(struct otlp_tables *t, uint32_t document, const struct otlp_item *i)
{
    bool has_tables = t->d->documents.at[document].layout <= OTLP_1_4;
    size_t number = t->profiles.len;
    if (has_tables) TRY(open_set(t, document));
    struct otlp_profile p = { .off = otlp_off(t->d, i->raw.at), .document = document, .set = (uint32_t)t->sets.len - 1, .scope = (uint32_t)t->scopes.len - 1 };
    p.first_type = (uint32_t)t->types.len;
    p.first_index = (uint32_t)t->rows.len;
    p.first_attribute = (uint32_t)t->profile_attributes.len;
    p.first_comment = (uint32_t)t->comments.len;
    TRY(take_profile(t, &p, i));
    t->samples += p.samples;
    PUSH(t->profiles, p);
    return has_tables ? otlp_link_set(t, number) : 0;
}

/* ---- documents ---- */

static int take_scope(struct otlp_tables *t, uint32_t document, struct otlp_scope s, assay_slice bytes)
{
    struct otlp_walk w = walk(t, document, OTLP_SCOPE_PROFILES, bytes);
    struct otlp_walk first = w;
    struct otlp_item i;
    t->d->is_quiet = true; /* it may stand behind the profiles */
    while (otlp_next(t->d, &first, &i))
        if (i.name == OTLP_SCOPE_OF) s.scope = i.raw.bytes;
    t->d->is_quiet = false;
    look_through(t, document, OTLP_SCOPE, s.scope);
    PUSH(t->scopes, s);
    while (otlp_next(t->d, &w, &i))
        if (i.name == OTLP_PROFILES) TRY(add_profile(t, document, &i));
    return 0;
}

static int take_resource(struct otlp_tables *t, uint32_t document, assay_slice bytes)
{
    struct otlp_walk w = walk(t, document, OTLP_RESOURCE_PROFILES, bytes), first = w;
    struct otlp_scope s = { .document = document, .resource_number = t->resources++ };
    struct otlp_item i;
    t->d->is_quiet = true;
    while (otlp_next(t->d, &first, &i))
        if (i.name == OTLP_RESOURCE_OF) s.resource = i.raw.bytes;
    t->d->is_quiet = false;
    look_through(t, document, OTLP_RESOURCE, s.resource);
    s.resource_hash = hash_bytes(s.resource.data, s.resource.len);
    while (otlp_next(t->d, &w, &i)) {
        TRY(cancel_step(t->scopes.len, t->d->err));
        if (i.name == OTLP_SCOPE_PROFILES_OF) TRY(take_scope(t, document, s, i.raw.bytes));
    }
    return 0;
}

static int take_dictionary(struct otlp_tables *t, uint32_t document, assay_slice bytes)
{
    struct otlp_walk w = walk(t, document, OTLP_DICTIONARY, bytes);
    struct otlp_item i;
    bool is_taken;
    while (otlp_next(t->d, &w, &i)) TRY(take_entry(t, &i, &is_taken));
    return 0;
}

static int take_document(struct otlp_tables *t, uint32_t document)
{
    const struct otlp_document *doc = &t->d->documents.at[document];
    struct otlp_walk w = walk(t, document, OTLP_DATA, doc->bytes);
    struct otlp_item i;
    size_t first = t->profiles.len;
    bool has_dictionary = doc->layout <= OTLP_1_6, is_taken;
    TRY(open_set(t, document));
    while (otlp_next(t->d, &w, &i)) {
        has_dictionary |= i.name == OTLP_DICTIONARY_OF;
        if (i.name == OTLP_DICTIONARY_OF) TRY(take_dictionary(t, document, i.raw.bytes));
        if (i.name == OTLP_RESOURCE_PROFILES_OF) TRY(take_resource(t, document, i.raw.bytes));
        TRY(take_entry(t, &i, &is_taken));
    }
    if (doc->layout <= OTLP_1_4) return 0;
    for (size_t k = first; k < t->profiles.len; k++)
        if (t->profiles.at[k].samples && !has_dictionary) {
            findings_add(t->d->damage, "OT03", ASSAY_ERROR, t->profiles.at[k].off, 0, "there are samples, but no dictionary");
            break;
        }
    return otlp_link_set(t, first);
}

int otlp_tables_load(struct otlp_tables *t, struct otlp_decoder *d, assay_error *err)
{
    *t = (struct otlp_tables){ .mem = d->mem, .d = d };
    index_init(&t->unit_index, d->mem);
    d->err = err;
    PUSH(t->strings, (assay_slice){ "", 0 });
    for (uint32_t i = 0; i < d->documents.len; i++) {
        TRY(cancel_step(i, err));
        TRY(take_document(t, i));
    }
    return d->damage->failed ? error_memory(err) : 0;
}

void otlp_tables_done(struct otlp_tables *t)
{
    if (!t->mem) return;
    vec_done(t->mem, &t->sets, &t->strings, &t->functions, &t->mappings, &t->starts, &t->limits, &t->locations, &t->lines, &t->attributes, &t->units,
             &t->links);
    vec_done(t->mem, &t->stacks, &t->rows, &t->scopes, &t->profiles, &t->types, &t->profile_attributes, &t->comments, &t->uses, &t->scratch, &t->own);
    for (int i = 0; i < OTLP_TABLES; i++) vec_done(t->mem, &t->off[i]);
    index_done(&t->unit_index);
}

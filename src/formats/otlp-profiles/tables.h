/* What samples refer to: the tables of all documents of a file behind each other, so that a row has one number in the whole file; and the rules of tables
 * and samples that reader and check share. */
#ifndef FORMATS_OTLP_PROFILES_TABLES_H
#define FORMATS_OTLP_PROFILES_TABLES_H

#include "formats/otlp-profiles/decode.h"
#include "formats/stacks/grow.h"

enum otlp_table { OTLP_T_STRINGS, OTLP_T_MAPPINGS, OTLP_T_LOCATIONS, OTLP_T_FUNCTIONS, OTLP_T_LINKS, OTLP_T_ATTRIBUTES, OTLP_T_STACKS, OTLP_TABLES };

/* The tables that some profiles share: rows base .. base + count of each. */
struct otlp_set {
    uint32_t document;
    uint32_t base[OTLP_TABLES], count[OTLP_TABLES];
    uint32_t first_unit, unit_count; /* 1.3 to 1.7: units by key */
};

struct otlp_attribute {
    assay_slice key, value; /* value: an AnyValue */
    uint64_t key_string, unit;
    uint64_t text; /* its value as a string, once it was needed */
    uint32_t set;
};
struct otlp_unit {
    uint64_t key, unit;
    uint32_t set;
};
struct otlp_link {
    assay_slice trace, span;
};
struct otlp_stack {
    uint32_t first, count; /* of rows */
    bool is_bad;
};
struct otlp_value_type {
    uint64_t type, unit;
};
/* A ResourceProfiles and one of its ScopeProfiles. */
struct otlp_scope {
    assay_slice resource, scope;
    uint64_t resource_hash;
    uint32_t document, resource_number;
};

struct otlp_profile {
    uint64_t off;
    assay_slice bytes; /* its samples are in it */
    uint32_t document, set, scope;
    uint32_t first_type, type_count;
    struct otlp_value_type period_type;
    int64_t period;
    uint64_t time, duration;
    uint64_t default_type, default_index;
    uint32_t first_index, index_count;         /* location_indices: of rows */
    uint32_t first_attribute, attribute_count; /* of profile_attributes */
    uint32_t first_comment, comment_count;
    uint64_t drop_frames, keep_frames;
    uint64_t samples, dropped, payload;
    assay_slice id, payload_format;
    bool has_period_type, has_id;
};

/* An attribute of a mapping or location, until the set is whole. */
struct otlp_use {
    uint64_t attribute;
    uint32_t row;
    uint8_t table;
};

typedef VEC(char) otlp_text_buffer;

struct otlp_tables {
    struct mem *mem;
    struct otlp_decoder *d;
    VEC(struct otlp_set) sets;
    VEC(assay_slice) strings; /* 0 is the empty one, of no document */
    VEC(struct grow_function) functions;
    VEC(struct grow_mapping) mappings;
    VEC(uint64_t) starts, limits; /* by mapping */
    VEC(struct grow_location) locations;
    VEC(struct grow_line) lines;
    VEC(struct otlp_attribute) attributes;
    VEC(struct otlp_unit) units;
    struct index unit_index; /* by set and key */
    VEC(struct otlp_link) links;
    VEC(struct otlp_stack) stacks;
    VEC(uint32_t) rows;             /* locations of stacks, and location_indices; GROW_NO_ROW = there is none */
    VEC(uint64_t) off[OTLP_TABLES]; /* by row; of strings the first of each set only */
    VEC(struct otlp_scope) scopes;
    VEC(struct otlp_profile) profiles;
    VEC(struct otlp_value_type) types;
    VEC(uint64_t) profile_attributes, comments; /* rows, strings */
    VEC(struct otlp_use) uses;
    otlp_text_buffer scratch;
    VEC(uint32_t) own; /* rows of the locations that stand in a sample itself */
    uint64_t samples, inlined;
    uint32_t resources;
};

/* Everything but samples; what breaks a rule is in d->damage. Errors: MEMORY, CANCELLED, LIMIT. otlp_tables_done in any case. */
int otlp_tables_load(struct otlp_tables *t, struct otlp_decoder *d, assay_error *err);
void otlp_tables_done(struct otlp_tables *t);
static inline assay_slice otlp_text(const struct otlp_tables *t, uint64_t number)
{
    return number < t->strings.len ? t->strings.at[number] : (assay_slice){ "", 0 };
}
/* Row of a table; GROW_NO_ROW = outside. */
static inline uint32_t otlp_row(const struct otlp_set *s, enum otlp_table table, int64_t index)
{
    return index >= 0 && index < (int64_t)s->count[table] ? s->base[table] + (uint32_t)index : GROW_NO_ROW;
}
/* While an index is not yet a row: none at all, and one that no table has. */
#define OTLP_NO_INDEX GROW_NO_ROW
#define OTLP_NOWHERE (GROW_NO_ROW - 1)
/* link.c: makes rows of the indices in the newest set and in the profiles from this one on. Errors: MEMORY, CANCELLED. */
int otlp_link_set(struct otlp_tables *t, size_t first_profile);
/* The key and the unit of an attribute. */
uint64_t otlp_unit_hash(uint32_t set, assay_slice key);
assay_slice otlp_attribute_key(const struct otlp_tables *t, const struct otlp_attribute *a);
uint64_t otlp_attribute_unit(const struct otlp_tables *t, const struct otlp_attribute *a);

/* ---- values ---- */

struct otlp_value {
    uint8_t kind; /* enum assay_label_kind */
    assay_slice text;
    int64_t number;
    double real;
};
/* Of an AnyValue; lists and bytes are texts, as JSON and hexadecimal, which last until `scratch` is used again. false = no memory. */
bool otlp_value(struct otlp_tables *t, uint32_t set, assay_slice bytes, otlp_text_buffer *scratch, struct otlp_value *out);
/* The next attribute of a message that has them in place (Resource, InstrumentationScope): its key and AnyValue. */
bool otlp_next_key_value(struct otlp_tables *t, uint32_t document, uint32_t set, struct otlp_walk *w, assay_slice *key, assay_slice *value);

/* ---- samples ---- */

/* What is remembered of the samples of a profile, for rules that need all of them. */
struct otlp_shape {
    uint64_t number; /* of samples so far */
    uint64_t plain, timed, both;
    uint64_t early_off, outside; /* times outside of the profile */
    uint64_t more_off, more;     /* old layouts: more times than the values say */
};
/* Is a sample fit to be read? Names what is wrong with it. stack[0 .. stack_count) are its locations' rows, the leaf first. */
struct otlp_fit {
    const uint32_t *stack;
    uint32_t stack_count;
    uint32_t stack_row; /* of stack_table; GROW_NO_ROW = none */
    bool is_summed;     /* old layouts: one sample type, a value for each time */
};
bool otlp_sample_fits(struct otlp_tables *t, const struct otlp_profile *p, const struct otlp_sample *s, struct otlp_shape *shape, struct otlp_fit *fit);
/* After the last sample of a profile. */
void otlp_shape_end(struct otlp_tables *t, const struct otlp_profile *p, const struct otlp_shape *shape);

#endif

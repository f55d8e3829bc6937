/* See schema.h. The numbers are those of opentelemetry-proto at its tags v1.3.2 to v1.11.0 (docs/formats/otlp-profiles.md, "Layouts"). */
#include "formats/otlp-profiles/schema.h"

const char *const otlp_layout_names[OTLP_NAMES] = { "1.3", "1.4", "1.6", "1.7", "1.8", "1.9", "1.10" };

#define N(...)                                                                                                                                                 \
    {                                                                                                                                                          \
        __VA_ARGS__                                                                                                                                            \
    }
#define ALL(n)                                                                                                                                                 \
    {                                                                                                                                                          \
        n, n, n, n, n, n, n                                                                                                                                    \
    }
/* message, name, type, sub, repeated, present, text, numbers */
#define ONE(m, n, t, text, ...) { OTLP_##m, OTLP_##n, OTLP_##t, 0, false, false, text, __VA_ARGS__, false },
#define SAID(m, n, t, text, ...) { OTLP_##m, OTLP_##n, OTLP_##t, 0, false, true, text, __VA_ARGS__, false },
#define MANY(m, n, t, text, ...) { OTLP_##m, OTLP_##n, OTLP_##t, 0, true, false, text, __VA_ARGS__, false },
#define SUB(m, n, s, text, ...) { OTLP_##m, OTLP_##n, OTLP_SUB, OTLP_##s, false, false, text, __VA_ARGS__, false },
#define SUBS(m, n, s, text, ...) { OTLP_##m, OTLP_##n, OTLP_SUB, OTLP_##s, true, false, text, __VA_ARGS__, false },
#define OLD(...)                                                                                                                                               \
    {                                                                                                                                                          \
        __VA_ARGS__, 0, 0, 0                                                                                                                                   \
    } /* 1.3 to 1.7 */
#define NEW(...)                                                                                                                                               \
    {                                                                                                                                                          \
        0, 0, 0, 0, __VA_ARGS__                                                                                                                                \
    } /* 1.8 to 1.10 */

const struct otlp_field otlp_fields[] = {
    /*                                                                             1.3 1.4 1.6 1.7 1.8 1.9 1.10 */
    SUBS(DATA, RESOURCE_PROFILES_OF, RESOURCE_PROFILES, "resource_profiles", ALL(1)) /* */
    SUB(DATA, DICTIONARY_OF, DICTIONARY, "dictionary", N(0, 0, 0, 2, 2, 2, 2)) SUBS(DATA, MAPPINGS, MAPPING, "mapping_table", N(0, 0, 2, 0, 0, 0, 0))
        SUBS(DATA, LOCATIONS, LOCATION, "location_table", N(0, 0, 3, 0, 0, 0, 0)) SUBS(DATA, FUNCTIONS, FUNCTION, "function_table", N(0, 0, 4, 0, 0, 0, 0))
            SUBS(DATA, LINKS, LINK, "link_table", N(0, 0, 5, 0, 0, 0, 0)) MANY(DATA, STRINGS, TEXT, "string_table", N(0, 0, 6, 0, 0, 0, 0))
                SUBS(DATA, ATTRIBUTES, ATTRIBUTE, "attribute_table", N(0, 0, 7, 0, 0, 0, 0))
                    SUBS(DATA, UNITS, ATTRIBUTE_UNIT, "attribute_units", N(0, 0, 8, 0, 0, 0, 0))

                        SUBS(DICTIONARY, MAPPINGS, MAPPING, "mapping_table", N(0, 0, 0, 1, 1, 1, 1))
                            SUBS(DICTIONARY, LOCATIONS, LOCATION, "location_table", N(0, 0, 0, 2, 2, 2, 2))
                                SUBS(DICTIONARY, FUNCTIONS, FUNCTION, "function_table", N(0, 0, 0, 3, 3, 3, 3))
                                    SUBS(DICTIONARY, LINKS, LINK, "link_table", N(0, 0, 0, 4, 4, 4, 4))
                                        MANY(DICTIONARY, STRINGS, TEXT, "string_table", N(0, 0, 0, 5, 5, 5, 5))
                                            SUBS(DICTIONARY, ATTRIBUTES, ATTRIBUTE, "attribute_table", N(0, 0, 0, 6, 6, 6, 6))
                                                SUBS(DICTIONARY, UNITS, ATTRIBUTE_UNIT, "attribute_units", N(0, 0, 0, 7, 0, 0, 0))
                                                    SUBS(DICTIONARY, STACKS, STACK, "stack_table", NEW(7, 7, 7))

                                                        SUB(RESOURCE_PROFILES, RESOURCE_OF, RESOURCE, "resource", ALL(1))
                                                            SUBS(RESOURCE_PROFILES, SCOPE_PROFILES_OF, SCOPE_PROFILES, "scope_profiles", ALL(2))
                                                                ONE(RESOURCE_PROFILES, SCHEMA_URL, TEXT, "schema_url", ALL(3))
                                                                    SUB(SCOPE_PROFILES, SCOPE_OF, SCOPE, "scope",
                                                                        ALL(1)){ OTLP_SCOPE_PROFILES, OTLP_PROFILES, OTLP_SUB, OTLP_CONTAINER, true, false,
                                                                                 "profiles", N(2, 0, 0, 0, 0, 0, 0), true },
    SUBS(SCOPE_PROFILES, PROFILES, PROFILE, "profiles", N(0, 2, 2, 2, 2, 2, 2)) ONE(SCOPE_PROFILES, SCHEMA_URL, TEXT, "schema_url", ALL(3))

        SUBS(RESOURCE, KEY_VALUES_OF, KEY_VALUE, "attributes", ALL(1)) ONE(RESOURCE, DROPPED, INT, "dropped_attributes_count", ALL(2)) ONE(
            RESOURCE, IGNORED, BYTES, "entity_refs", N(0, 0, 0, 3, 3, 3, 3)) ONE(SCOPE, NAME, TEXT, "name", ALL(1)) ONE(SCOPE, VERSION, TEXT, "version", ALL(2))
            SUBS(SCOPE, KEY_VALUES_OF, KEY_VALUE, "attributes", ALL(3)) ONE(SCOPE, DROPPED, INT, "dropped_attributes_count", ALL(4))

                ONE(CONTAINER, PROFILE_ID, BYTES, "profile_id", OLD(1, 0, 0, 0)) ONE(CONTAINER, START, FIXED, "start_time_unix_nano", OLD(2, 0, 0, 0)) ONE(
                    CONTAINER, END_TIME, FIXED, "end_time_unix_nano", OLD(3, 0, 0, 0)) SUBS(CONTAINER, KEY_VALUES_OF, KEY_VALUE, "attributes", OLD(4, 0, 0, 0))
                    ONE(CONTAINER, DROPPED, INT, "dropped_attributes_count", OLD(5, 0, 0, 0)) ONE(CONTAINER, PAYLOAD_FORMAT, TEXT, "original_payload_format",
                                                                                                  OLD(6, 0, 0, 0))
                        ONE(CONTAINER, PAYLOAD, BYTES, "original_payload", OLD(7, 0, 0, 0)) SUB(CONTAINER, INNER_PROFILE, PROFILE, "profile", OLD(8, 0, 0, 0))

                            SUB(PROFILE, SAMPLE_TYPE, VALUE_TYPE, "sample_type", NEW(1, 1, 1)){ OTLP_PROFILE, OTLP_SAMPLE_TYPE, OTLP_SUB, OTLP_VALUE_TYPE, true,
                                                                                                false, "sample_type", OLD(1, 1, 1, 1), true },
    SUBS(PROFILE, SAMPLES, SAMPLE, "samples", N(0, 0, 0, 0, 0, 2, 2)) SUBS(PROFILE, SAMPLES, SAMPLE, "sample", N(2, 2, 2, 2, 2, 0, 0))
        SUBS(PROFILE, MAPPINGS, MAPPING, "mapping", OLD(3, 0, 0, 0)) SUBS(PROFILE, MAPPINGS, MAPPING, "mapping_table", OLD(0, 3, 0, 0))
            SUBS(PROFILE, LOCATIONS, LOCATION, "location", OLD(4, 0, 0, 0)) SUBS(PROFILE, LOCATIONS, LOCATION, "location_table", OLD(0, 4, 0, 0))
                MANY(PROFILE, LOCATION_INDICES, INT, "location_indices", OLD(15, 5, 3, 3)) SUBS(PROFILE, FUNCTIONS, FUNCTION, "function", OLD(5, 0, 0, 0)) SUBS(
                    PROFILE, FUNCTIONS, FUNCTION, "function_table", OLD(0, 6, 0, 0)) SUBS(PROFILE, ATTRIBUTES, ATTRIBUTE, "attribute_table", OLD(16, 7, 0, 0))
                    SUBS(PROFILE, UNITS, ATTRIBUTE_UNIT, "attribute_units", OLD(17, 8, 0, 0)) SUBS(PROFILE, LINKS, LINK, "link_table", OLD(18, 9, 0, 0))
                        MANY(PROFILE, STRINGS, TEXT, "string_table", OLD(6, 10, 0, 0)) ONE(PROFILE, TIME, LONG, "time_nanos", OLD(9, 11, 4, 4))
                            ONE(PROFILE, TIME, FIXED, "time_unix_nano", NEW(3, 3, 3)) ONE(PROFILE, DURATION, LONG, "duration_nanos", OLD(10, 12, 5, 5))
                                ONE(PROFILE, DURATION, ULONG, "duration_nano", NEW(4, 4, 4)) SUB(PROFILE, PERIOD_TYPE, VALUE_TYPE, "period_type",
                                                                                                 N(11, 13, 6, 6, 5, 5, 5))
                                    ONE(PROFILE, PERIOD, LONG, "period", N(12, 14, 7, 7, 6, 6, 6)) MANY(PROFILE, COMMENTS, STRING, "comment", OLD(13, 0, 0, 0))
                                        MANY(PROFILE, COMMENTS, STRING, "comment_strindices",
                                             N(0, 15, 8, 8, 7, 0, 0)) ONE(PROFILE, DEFAULT_TYPE, STRING, "default_sample_type", OLD(14, 0, 0, 0))
                                            ONE(PROFILE, DEFAULT_TYPE, STRING, "default_sample_type_strindex",
                                                OLD(0, 16, 0, 0)) ONE(PROFILE, DEFAULT_INDEX, INT, "default_sample_type_index", OLD(0, 0, 9, 9))
                                                ONE(PROFILE, DROP_FRAMES, STRING, "drop_frames", OLD(7, 0, 0, 0)) ONE(PROFILE, KEEP_FRAMES, STRING,
                                                                                                                      "keep_frames", OLD(8, 0, 0, 0))
                                                    ONE(PROFILE, PROFILE_ID, BYTES, "profile_id", N(0, 17, 10, 10, 8, 7, 7))
                                                        SUBS(PROFILE, KEY_VALUES_OF, KEY_VALUE, "attributes", OLD(0, 18, 0, 0))
                                                            ONE(PROFILE, DROPPED, INT, "dropped_attributes_count", N(0, 19, 11, 11, 9, 8, 8))
                                                                ONE(PROFILE, PAYLOAD_FORMAT, TEXT, "original_payload_format", N(0, 20, 12, 12, 10, 9, 9))
                                                                    ONE(PROFILE, PAYLOAD, BYTES, "original_payload", N(0, 21, 13, 13, 11, 10, 10))
                                                                        MANY(PROFILE, ATTRIBUTE_INDICES, INT, "attribute_indices", N(0, 22, 14, 14, 12, 11, 11))
    /* a container in JSON, where it cannot be told from a profile before its end */
    SUB(PROFILE, INNER_PROFILE, PROFILE, "profile", ALL(0)) ONE(PROFILE, START, FIXED, "start_time_unix_nano", ALL(0))
        ONE(PROFILE, END_TIME, FIXED, "end_time_unix_nano", ALL(0))

            ONE(VALUE_TYPE, TYPE, STRING, "type_strindex", N(0, 1, 1, 1, 1, 1, 1)) ONE(VALUE_TYPE, TYPE, STRING, "type", OLD(1, 0, 0, 0))
                ONE(VALUE_TYPE, UNIT, STRING, "unit_strindex", N(0, 2, 2, 2, 2, 2, 2)) ONE(VALUE_TYPE, UNIT, STRING, "unit", OLD(2, 0, 0, 0))
                    ONE(VALUE_TYPE, TEMPORALITY, INT, "aggregation_temporality", N(3, 3, 3, 3, 3, 0, 0))

                        ONE(SAMPLE, STACK_INDEX, INT, "stack_index", NEW(1, 1, 1)) ONE(SAMPLE, START_INDEX, INT, "locations_start_index", OLD(7, 1, 1, 1))
                            ONE(SAMPLE, LENGTH, INT, "locations_length", OLD(8, 2, 2, 2)) MANY(SAMPLE, OLD_INDICES, INT, "location_index", OLD(1, 0, 0, 0))
                                MANY(SAMPLE, VALUES, LONG, "values", NEW(2, 2, 4)) MANY(SAMPLE, VALUES, LONG, "value", OLD(2, 3, 3, 3))
                                    SUBS(SAMPLE, LABELS, LABEL, "label", OLD(3, 0, 0, 0)) ONE(SAMPLE, IGNORED, INT, "stacktrace_id_index", OLD(9, 0, 0, 0))
                                        MANY(SAMPLE, ATTRIBUTE_INDICES, INT, "attribute_indices", N(0, 4, 4, 4, 3, 3, 2))
                                            MANY(SAMPLE, ATTRIBUTE_INDICES, INT, "attributes", OLD(10, 0, 0, 0))
                                                SAID(SAMPLE, LINK_INDEX, INT, "link_index", OLD(0, 5, 5, 5)){ OTLP_SAMPLE, OTLP_LINK_INDEX, OTLP_INT, 0, false,
                                                                                                              false, "link_index", NEW(4, 4, 3), true },
    ONE(SAMPLE, LINK_INDEX, INT, "link", OLD(12, 0, 0, 0)) MANY(SAMPLE, TIMES, ULONG, "timestamps_unix_nano", OLD(13, 6, 6, 6)){
        OTLP_SAMPLE, OTLP_TIMES, OTLP_FIXED, 0, true, false, "timestamps_unix_nano", NEW(5, 5, 5), true },
    ONE(LABEL, KEY_STRING, STRING, "key", OLD(1, 0, 0, 0)) ONE(LABEL, STRING_INDEX_VALUE, STRING, "str", OLD(2, 0, 0, 0))
        ONE(LABEL, INT_VALUE, LONG, "num", OLD(3, 0, 0, 0)) ONE(LABEL, UNIT, STRING, "num_unit", OLD(4, 0, 0, 0))
            MANY(STACK, LOCATION_INDICES, INT, "location_indices", NEW(1, 1, 1))

                ONE(LOCATION, ID, ULONG, "id", OLD(1, 0, 0, 0)) SAID(LOCATION, MAPPING_INDEX, INT, "mapping_index", OLD(2, 1, 1, 1)){
                    OTLP_LOCATION, OTLP_MAPPING_INDEX, OTLP_INT, 0, false, false, "mapping_index", NEW(1, 1, 1), true },
    ONE(LOCATION, ADDRESS, ULONG, "address", N(3, 2, 2, 2, 2, 2, 2)) SUBS(LOCATION, LINES, LINE, "lines",
                                                                          N(0, 0, 0, 0, 0, 3, 3)) SUBS(LOCATION, LINES, LINE, "line", N(4, 3, 3, 3, 3, 0, 0))
        ONE(LOCATION, IS_FOLDED, BOOL, "is_folded", OLD(5, 4, 4, 4)) ONE(LOCATION, IGNORED, INT, "type_index", OLD(6, 0, 0, 0)) MANY(
            LOCATION, ATTRIBUTE_INDICES, INT, "attribute_indices", N(0, 5, 5, 5, 4, 4, 4)) MANY(LOCATION, ATTRIBUTE_INDICES, INT, "attributes", OLD(7, 0, 0, 0))
            ONE(LINE, FUNCTION_INDEX, INT, "function_index", ALL(1)) ONE(LINE, LINE_OF, LONG, "line", ALL(2)) ONE(LINE, COLUMN, LONG, "column", ALL(3)) ONE(
                FUNCTION, ID, ULONG, "id", OLD(1, 0, 0, 0)) ONE(FUNCTION, NAME, STRING, "name_strindex", N(0, 1, 1, 1, 1, 1, 1))
                ONE(FUNCTION, NAME, STRING, "name", OLD(2, 0, 0, 0)) ONE(FUNCTION, SYSTEM_NAME, STRING, "system_name_strindex", N(0, 2, 2, 2, 2, 2, 2)) ONE(
                    FUNCTION, SYSTEM_NAME, STRING, "system_name", OLD(3, 0, 0, 0)) ONE(FUNCTION, FILENAME, STRING, "filename_strindex", N(0, 3, 3, 3, 3, 3, 3))
                    ONE(FUNCTION, FILENAME, STRING, "filename", OLD(4, 0, 0, 0)) ONE(FUNCTION, START_LINE, LONG, "start_line", N(5, 4, 4, 4, 4, 4, 4))
                        ONE(MAPPING, ID, ULONG, "id", OLD(1, 0, 0, 0)) ONE(MAPPING, MEMORY_START, ULONG, "memory_start", N(2, 1, 1, 1, 1, 1, 1))
                            ONE(MAPPING, MEMORY_LIMIT, ULONG, "memory_limit", N(3, 2, 2, 2, 2, 2, 2)) ONE(
                                MAPPING, FILE_OFFSET, ULONG, "file_offset", N(4, 3, 3, 3, 3, 3, 3)) ONE(MAPPING, FILENAME, STRING,
                                                                                                        "filename_strindex", N(0, 4, 4, 4, 4, 4, 4))
                                ONE(MAPPING, FILENAME, STRING, "filename", OLD(5, 0, 0, 0)) ONE(MAPPING, BUILD_ID, STRING, "build_id", OLD(6, 0, 0, 0)) ONE(
                                    MAPPING, IGNORED, INT, "build_id_kind",
                                    OLD(11, 0, 0, 0)) MANY(MAPPING, ATTRIBUTE_INDICES, INT, "attribute_indices",
                                                           N(0, 5, 5, 5, 5, 5, 5)) MANY(MAPPING, ATTRIBUTE_INDICES, INT, "attributes", OLD(12, 0, 0, 0))
                                    ONE(MAPPING, HAS_FUNCTIONS, BOOL, "has_functions", OLD(7, 6, 6, 6)) ONE(
                                        MAPPING, HAS_FILENAMES,
                                        BOOL, "has_filenames",
                                        OLD(8, 7, 7, 7)) ONE(MAPPING, HAS_LINES, BOOL, "has_line_numbers",
                                                             OLD(9, 8, 8, 8)) ONE(MAPPING, HAS_INLINES, BOOL, "has_inline_frames", OLD(10, 9, 9, 9))
                                        ONE(LINK, TRACE_ID, HEX, "trace_id", ALL(1)) ONE(LINK, SPAN_ID, HEX, "span_id", ALL(2))

                                            ONE(ATTRIBUTE, KEY, TEXT, "key", OLD(1, 1, 1, 1)) ONE(ATTRIBUTE, KEY_STRING, STRING, "key_strindex", NEW(1, 1, 1))
                                                SUB(ATTRIBUTE, VALUE, ANY_VALUE, "value", ALL(2)) ONE(ATTRIBUTE, UNIT, STRING, "unit_strindex", NEW(3, 3, 3))
                                                    ONE(ATTRIBUTE_UNIT, KEY_STRING, STRING, "attribute_key_strindex",
                                                        OLD(0, 1, 1, 1)) ONE(ATTRIBUTE_UNIT, KEY_STRING, STRING, "attribute_key", OLD(1, 0, 0, 0))
                                                        ONE(ATTRIBUTE_UNIT, UNIT, STRING, "unit_strindex",
                                                            OLD(0, 2, 2, 2)) ONE(ATTRIBUTE_UNIT, UNIT, STRING, "unit", OLD(2, 0, 0, 0))
                                                            ONE(KEY_VALUE, KEY, TEXT, "key", ALL(1)) SUB(KEY_VALUE, VALUE, ANY_VALUE, "value", ALL(2))
                                                                ONE(KEY_VALUE, KEY_STRING, STRING, "key_strindex",
                                                                    NEW(0, 0, 3)) SAID(ANY_VALUE, STRING_VALUE, TEXT, "string_value",
                                                                                       ALL(1)) SAID(ANY_VALUE, BOOL_VALUE, BOOL, "bool_value", ALL(2))
                                                                    SAID(ANY_VALUE, INT_VALUE, LONG, "int_value", ALL(3))
                                                                        SAID(ANY_VALUE, DOUBLE_VALUE, DOUBLE, "double_value", ALL(4))
                                                                            SUB(ANY_VALUE, ARRAY_VALUE, ARRAY, "array_value", ALL(5))
                                                                                SUB(ANY_VALUE, LIST_VALUE, KEY_VALUES, "kvlist_value", ALL(6))
                                                                                    SAID(ANY_VALUE, BYTES_VALUE, BYTES, "bytes_value", ALL(7))
                                                                                        SAID(ANY_VALUE, STRING_INDEX_VALUE, STRING, "string_value_strindex",
                                                                                             NEW(0, 0, 8)) SUBS(ARRAY, ARRAY_VALUE, ANY_VALUE, "values", ALL(1))
                                                                                            SUBS(KEY_VALUES, LIST_VALUE, KEY_VALUE, "values", ALL(1))
};

const size_t otlp_field_count = sizeof otlp_fields / sizeof *otlp_fields;
_Static_assert(sizeof otlp_fields / sizeof *otlp_fields < 255, "rows are bytes");

static const char *const messages[OTLP_MESSAGES] = {
    [OTLP_DATA] = "ProfilesData",
    [OTLP_DICTIONARY] = "ProfilesDictionary",
    [OTLP_RESOURCE_PROFILES] = "ResourceProfiles",
    [OTLP_SCOPE_PROFILES] = "ScopeProfiles",
    [OTLP_RESOURCE] = "Resource",
    [OTLP_SCOPE] = "InstrumentationScope",
    [OTLP_CONTAINER] = "ProfileContainer",
    [OTLP_PROFILE] = "Profile",
    [OTLP_VALUE_TYPE] = "ValueType",
    [OTLP_SAMPLE] = "Sample",
    [OTLP_LABEL] = "Label",
    [OTLP_STACK] = "Stack",
    [OTLP_LOCATION] = "Location",
    [OTLP_LINE] = "Line",
    [OTLP_FUNCTION] = "Function",
    [OTLP_MAPPING] = "Mapping",
    [OTLP_LINK] = "Link",
    [OTLP_ATTRIBUTE] = "attribute",
    [OTLP_ATTRIBUTE_UNIT] = "AttributeUnit",
    [OTLP_KEY_VALUE] = "KeyValue",
    [OTLP_ANY_VALUE] = "AnyValue",
    [OTLP_ARRAY] = "ArrayValue",
    [OTLP_KEY_VALUES] = "KeyValueList",
};

const char *otlp_message_name(enum otlp_message m) { return messages[m]; }

/* A repeated number may be packed. */
static uint8_t wires_of(const struct otlp_field *f)
{
    bool is_bytes = f->type == OTLP_TEXT || f->type == OTLP_BYTES || f->type == OTLP_HEX || f->type == OTLP_SUB;
    unsigned number = f->type == OTLP_FIXED || f->type == OTLP_DOUBLE ? PROTO_FIXED64 : PROTO_VARINT;
    return (uint8_t)(is_bytes ? 1u << PROTO_BYTES : 1u << number | (f->is_repeated ? 1u << PROTO_BYTES : 0));
}

void otlp_numbers_of(struct otlp_numbers *n, enum otlp_layout layout)
{
    memset(n, 0, sizeof *n);
    for (size_t i = 0; i < otlp_field_count; i++) {
        const struct otlp_field *f = &otlp_fields[i];
        uint8_t number = layout == OTLP_NAMES ? f->name : f->number[layout];
        /* of several spellings in JSON the first one serves */
        if (!number || (layout == OTLP_NAMES && (f->is_binary || n->row[f->message][number]))) continue;
        n->row[f->message][number] = (uint8_t)(i + 1);
        n->wires[f->message][number] = wires_of(f);
    }
}

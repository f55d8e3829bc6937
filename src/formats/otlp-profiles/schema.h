/* The messages of OpenTelemetry profiles in every layout: which field has which number where. One list serves decoder, JSON, dump and writer. */
#ifndef FORMATS_OTLP_PROFILES_SCHEMA_H
#define FORMATS_OTLP_PROFILES_SCHEMA_H

#include "base/proto.h"

/* Named after the first release of opentelemetry-proto that has it. OTLP_NAMES is none of them: JSON is turned into messages whose fields have the
 * numbers of enum otlp_name, whatever the layout. */
enum otlp_layout { OTLP_1_3, OTLP_1_4, OTLP_1_6, OTLP_1_7, OTLP_1_8, OTLP_1_9, OTLP_1_10, OTLP_NAMES, OTLP_LAYOUTS };

enum otlp_message {
    OTLP_DATA,
    OTLP_DICTIONARY,
    OTLP_RESOURCE_PROFILES,
    OTLP_SCOPE_PROFILES,
    OTLP_RESOURCE,
    OTLP_SCOPE,
    OTLP_CONTAINER,
    OTLP_PROFILE,
    OTLP_VALUE_TYPE,
    OTLP_SAMPLE,
    OTLP_LABEL,
    OTLP_STACK,
    OTLP_LOCATION,
    OTLP_LINE,
    OTLP_FUNCTION,
    OTLP_MAPPING,
    OTLP_LINK,
    OTLP_ATTRIBUTE,
    OTLP_ATTRIBUTE_UNIT,
    OTLP_KEY_VALUE,
    OTLP_ANY_VALUE,
    OTLP_ARRAY,
    OTLP_KEY_VALUES,
    OTLP_MESSAGES
};

/* What a field is, under one name in all layouts and messages. */
enum otlp_name {
    OTLP_UNKNOWN = 0,
    OTLP_RESOURCE_PROFILES_OF = 1,
    OTLP_DICTIONARY_OF,
    OTLP_MAPPINGS,
    OTLP_LOCATIONS,
    OTLP_FUNCTIONS,
    OTLP_LINKS,
    OTLP_STRINGS,
    OTLP_ATTRIBUTES,
    OTLP_UNITS,
    OTLP_STACKS,
    OTLP_LOCATION_INDICES,
    OTLP_RESOURCE_OF,
    OTLP_SCOPE_PROFILES_OF,
    OTLP_SCHEMA_URL,
    OTLP_SCOPE_OF,
    OTLP_PROFILES,
    OTLP_KEY_VALUES_OF, /* attributes that stand where they belong */
    OTLP_DROPPED,
    OTLP_NAME,
    OTLP_VERSION,
    OTLP_INNER_PROFILE,
    OTLP_PROFILE_ID,
    OTLP_START,
    OTLP_END_TIME,
    OTLP_PAYLOAD_FORMAT,
    OTLP_PAYLOAD,
    OTLP_SAMPLE_TYPE,
    OTLP_SAMPLES,
    OTLP_TIME,
    OTLP_DURATION,
    OTLP_PERIOD_TYPE,
    OTLP_PERIOD,
    OTLP_COMMENTS,
    OTLP_DEFAULT_TYPE,  /* a string */
    OTLP_DEFAULT_INDEX, /* an index of sample_type */
    OTLP_DROP_FRAMES,
    OTLP_KEEP_FRAMES,
    OTLP_ATTRIBUTE_INDICES,
    OTLP_TYPE,
    OTLP_UNIT,
    OTLP_TEMPORALITY,
    OTLP_STACK_INDEX,
    OTLP_START_INDEX,
    OTLP_LENGTH,
    OTLP_OLD_INDICES, /* Sample.location_index of 1.3, deprecated */
    OTLP_VALUES,
    OTLP_LABELS,
    OTLP_LINK_INDEX,
    OTLP_TIMES,
    OTLP_ID,
    OTLP_MAPPING_INDEX,
    OTLP_ADDRESS,
    OTLP_LINES,
    OTLP_IS_FOLDED,
    OTLP_FUNCTION_INDEX,
    OTLP_LINE_OF,
    OTLP_COLUMN,
    OTLP_SYSTEM_NAME,
    OTLP_FILENAME,
    OTLP_START_LINE,
    OTLP_MEMORY_START,
    OTLP_MEMORY_LIMIT,
    OTLP_FILE_OFFSET,
    OTLP_BUILD_ID,
    OTLP_HAS_FUNCTIONS,
    OTLP_HAS_FILENAMES,
    OTLP_HAS_LINES,
    OTLP_HAS_INLINES,
    OTLP_TRACE_ID,
    OTLP_SPAN_ID,
    OTLP_KEY,        /* a text */
    OTLP_KEY_STRING, /* a string */
    OTLP_VALUE,
    OTLP_STRING_VALUE,
    OTLP_BOOL_VALUE,
    OTLP_INT_VALUE,
    OTLP_DOUBLE_VALUE,
    OTLP_ARRAY_VALUE,
    OTLP_LIST_VALUE,
    OTLP_BYTES_VALUE,
    OTLP_STRING_INDEX_VALUE,
    OTLP_IGNORED, /* known, and of no use here */
    OTLP_NAMES_COUNT
};

/* INT: a varint of 32 bits or fewer, a number in JSON. STRING: an INT that is an index of strings. LONG: 64 bits with a sign, a text in JSON. */
enum otlp_type { OTLP_INT, OTLP_STRING, OTLP_LONG, OTLP_ULONG, OTLP_FIXED, OTLP_DOUBLE, OTLP_BOOL, OTLP_TEXT, OTLP_BYTES, OTLP_HEX, OTLP_SUB };

struct otlp_field {
    uint8_t message; /* enum otlp_message */
    uint8_t name;    /* enum otlp_name */
    uint8_t type;    /* enum otlp_type */
    uint8_t sub;     /* of OTLP_SUB: enum otlp_message */
    bool is_repeated;
    bool is_present;                  /* 0 is written */
    const char *text;                 /* as the .proto of these layouts spells it */
    uint8_t number[OTLP_LAYOUTS - 1]; /* by layout; 0 = it has none there. All 0: JSON only */
    bool is_binary;                   /* not in JSON, where another field has its name */
};

extern const struct otlp_field otlp_fields[];
extern const size_t otlp_field_count;
/* "1.3", ... */
extern const char *const otlp_layout_names[OTLP_NAMES];
/* "Sample", ... */
const char *otlp_message_name(enum otlp_message m);

/* Fields by number: row of otlp_fields + 1; 0 = unknown. */
struct otlp_numbers {
    uint8_t row[OTLP_MESSAGES][OTLP_NAMES_COUNT];
    uint8_t wires[OTLP_MESSAGES][OTLP_NAMES_COUNT]; /* bits: the wire types that it may have */
};
void otlp_numbers_of(struct otlp_numbers *n, enum otlp_layout layout);

#endif

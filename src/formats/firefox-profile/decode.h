/* The only parser of the Firefox Profiler's processed profiles: JSON -> records, in the order of the file. docs/formats/firefox-profile.md has the layout. */
#ifndef FORMATS_FIREFOX_PROFILE_DECODE_H
#define FORMATS_FIREFOX_PROFILE_DECODE_H

#include "base/json_read.h"
#include "formats/format.h"

/* Objects whose members are told; which may stand in which is in decode.c. */
enum firefox_part {
    FIREFOX_DOCUMENT,
    FIREFOX_META,
    FIREFOX_UNITS,    /* meta.sampleUnits */
    FIREFOX_CATEGORY, /* one of meta.categories */
    FIREFOX_SCHEMA,   /* one of meta.markerSchema */
    FIREFOX_SCHEMA_FIELD,
    FIREFOX_LIB,
    FIREFOX_SHARED,
    FIREFOX_THREAD,
    FIREFOX_COUNTER,
    FIREFOX_DISPLAY, /* counter.display */
    FIREFOX_GROUP,   /* one of counter.sampleGroups */
    FIREFOX_DATA,    /* one of markers.data */
    FIREFOX_STRINGS, /* stringArray */
    FIREFOX_TABLE,
    FIREFOX_PARTS
};

enum firefox_table {
    FIREFOX_SAMPLES,
    FIREFOX_JS_ALLOCATIONS,
    FIREFOX_NATIVE_ALLOCATIONS,
    FIREFOX_MARKERS,
    FIREFOX_STACKS,
    FIREFOX_FRAMES,
    FIREFOX_FUNCS,
    FIREFOX_RESOURCES,
    FIREFOX_SOURCES,
    FIREFOX_READINGS, /* counter.samples */
    FIREFOX_TABLES
};
extern const char *const firefox_table_names[FIREFOX_TABLES];

/* Columns that are read; those of samples and readings first, then those of markers, then rows of other tables. */
enum firefox_column {
    FIREFOX_STACK,
    FIREFOX_TIME,
    FIREFOX_TIME_DELTAS,
    FIREFOX_WEIGHT, /* "duration" before version 29 */
    FIREFOX_COUNT,
    FIREFOX_NUMBER,
    FIREFOX_MARKER_DATA,
    FIREFOX_MARKER_NAME,
    FIREFOX_MARKER_START,
    FIREFOX_MARKER_END,
    FIREFOX_MARKER_TIME, /* before version 30 */
    FIREFOX_MARKER_PHASE,
    FIREFOX_MARKER_CATEGORY,
    FIREFOX_FRAME,
    FIREFOX_PREFIX, /* also prefixOffset */
    FIREFOX_FUNC,
    FIREFOX_FRAME_LIB,
    FIREFOX_INLINE_DEPTH,
    FIREFOX_FRAME_LINE,
    FIREFOX_FUNC_NAME,
    FIREFOX_FUNC_RESOURCE,
    FIREFOX_FUNC_SOURCE,
    FIREFOX_FUNC_FILE, /* before version 58 */
    FIREFOX_FUNC_LINE,
    FIREFOX_FUNC_COLUMN,
    FIREFOX_RESOURCE_NAME,
    FIREFOX_RESOURCE_LIB, /* before version 70 */
    FIREFOX_SOURCE_FILE,
    FIREFOX_COLUMNS
};

struct firefox_column_info {
    const char *name;
    enum firefox_table table; /* SAMPLES: of allocations too, TIME and TIME_DELTAS of readings as well */
    bool is_needed, may_be_short;
};
extern const struct firefox_column_info firefox_columns[FIREFOX_COLUMNS];

enum firefox_kind {
    FIREFOX_BEGIN, /* of a part */
    FIREFOX_END,
    FIREFOX_MEMBER,     /* of a part: key, and value or text */
    FIREFOX_STRING,     /* of stringArray: text */
    FIREFOX_COLUMN,     /* begins */
    FIREFOX_VALUES,     /* of a column: some of its numbers, null = NAN */
    FIREFOX_COLUMN_END, /* row = how many there were */
    FIREFOX_NO_DATA     /* markers.data has null for this one */
};

struct firefox_record {
    enum firefox_kind kind;
    enum firefox_part part; /* of a table: FIREFOX_TABLE */
    enum firefox_table table;
    enum firefox_column column;
    uint64_t off, line; /* of the value; of a column that begins, of its key */
    assay_slice key, text;
    enum json_kind value; /* of a member: STRING, NUMBER (text and number), TRUE, FALSE; OBJECT = text is JSON of an object or array */
    double number;
    const double *values; /* the first of them is in row `row` */
    size_t count;
    uint64_t row;
    bool is_offset, is_bad; /* of a column: prefixOffset; it has values of a wrong type */
};
/* Where value k of FIREFOX_VALUES stands. */
void firefox_value_place(const struct firefox_record *r, size_t k, uint64_t *off, uint64_t *line);

typedef int (*firefox_fn)(void *arg, const struct firefox_record *r);
/* Calls fn for each record; what a record points to lasts until fn returns. Damage goes to `damage`. The end of a part that the input breaks off in is not told.
 * Errors: those of fn, of input and of memory. */
int firefox_walk(const struct read_job *job, struct findings *damage, firefox_fn fn, void *arg, assay_error *err);

#endif

/* Profiles from before profile.proto: gperftools' and Java's binary cpu profiles, and texts of heap, contention, threads and counts. Bytes -> records, in the
 * order of the file. docs/formats/pprof-legacy.md has the layouts. */
#ifndef FORMATS_PPROF_LEGACY_LEGACY_H
#define FORMATS_PPROF_LEGACY_LEGACY_H

#include "base/cursor.h"
#include "base/findings.h"
#include "base/vec.h"
#include "formats/format.h"

enum legacy_type { LEGACY_NO_TYPE, LEGACY_CPU, LEGACY_HEAP, LEGACY_GROWTH, LEGACY_CONTENTION, LEGACY_THREAD, LEGACY_COUNT };

enum legacy_kind {
    LEGACY_END,
    LEGACY_HEADER,  /* the first line, or the five words */
    LEGACY_FIELD,   /* KEY = VALUE above samples, and in the memory map */
    LEGACY_SAMPLE,  /* a stack with its values */
    LEGACY_SAME,    /* a thread with the stack of the one before */
    LEGACY_TRAILER, /* end of the binary part, or the title of the memory map */
    LEGACY_SYMBOL,  /* the function of an address: Java's list, comments of Go */
    LEGACY_MAPPING, /* a part of a file in memory */
    LEGACY_TEXT     /* comments, blank and damaged lines */
};

enum { LEGACY_VALUES = 4 };

struct legacy_record {
    enum legacy_kind kind;
    uint64_t off, number;      /* number of the line; 0 = binary */
    assay_slice key, value;    /* of a field; value: path of a mapping */
    const uint64_t *addresses; /* of a sample, the leaf first; those of callers are one byte before where they return to. Last until the next call */
    uint32_t address_count;
    uint64_t raw[LEGACY_VALUES]; /* as they stand there */
    uint32_t raw_count;
    int64_t values[LEGACY_VALUES]; /* for each metric */
    int64_t block;                 /* bytes of an object; has_block */
    bool has_block;
    bool is_executable; /* of a mapping */
    uint64_t start, limit, offset;
    uint64_t address; /* of a symbol */
    assay_slice name, file, build_id;
    uint32_t line;
};

enum legacy_part { LEGACY_AT_HEADER, LEGACY_AT_FIELDS, LEGACY_AT_SAMPLES, LEGACY_AT_SYMBOLS, LEGACY_AT_MAP, LEGACY_AT_REST };

struct legacy_decoder {
    struct mem *mem;
    struct cursor c;
    struct findings *damage;
    assay_error *err;
    enum legacy_type type;
    enum legacy_part part;
    const char *version; /* "gperftools", "go" or "java" */
    bool is_java, is_binary, has_alloc, is_scaled, is_big_endian, is_saturated;
    unsigned word;    /* bytes of a word of the binary part */
    uint64_t line;    /* lines taken so far */
    int64_t period;   /* of samples; cpu: in ns */
    int64_t hz;       /* cycles per second of contention */
    int64_t duration; /* in ns; 0 = not said */
    assay_slice what; /* of counts: "goroutine" */
    assay_slice unit; /* Java: of its second metric */
    uint64_t samples; /* records met */
    VEC(uint64_t) addresses;
};

/* Takes the whole input, which lends its bytes to the records. Errors: those of input_map that leave nothing to look at. */
int legacy_open(struct legacy_decoder *d, const struct read_job *job, struct findings *damage, assay_error *err);
void legacy_done(struct legacy_decoder *d);
/* The next record; LEGACY_END at the end. Damage is a finding, and what it stands in is left out. Errors: MEMORY, CANCELLED. */
int legacy_next(struct legacy_decoder *d, struct legacy_record *r);

struct legacy_metric {
    char name[80];
    const char *unit; /* {"", 0} where unit_text counts */
    assay_slice unit_text;
};
/* The metrics of samples, in the order of their values; known once the first sample was given. Returns how many. */
uint32_t legacy_metrics(const struct legacy_decoder *d, struct legacy_metric out[LEGACY_VALUES]);

/* ---- between the files of this folder ---- */

/* The words before the samples of a cpu profile; false = it is none. */
bool legacy_is_cpu(assay_slice head, unsigned *word, bool *is_big_endian, bool *is_java, uint64_t *period_us);
/* A header line of a text; false = it is none. Sets what it says. */
bool legacy_text_header(assay_slice line, struct legacy_decoder *d);

/* Parts of lines; false = it is no such line. */
bool legacy_heap_sample(assay_slice line, uint64_t raw[LEGACY_VALUES], assay_slice *stack);
bool legacy_pair_sample(assay_slice line, uint64_t raw[LEGACY_VALUES], assay_slice *stack);
bool legacy_count_sample(assay_slice line, uint64_t raw[LEGACY_VALUES], assay_slice *stack);
/* The next 0x... in *rest; where `strict`, nothing but blanks may stand between them. */
enum legacy_address { LEGACY_NO_MORE, LEGACY_ADDRESS, LEGACY_NO_ADDRESS };
enum legacy_address legacy_take_address(assay_slice *rest, bool strict, uint64_t *out);
bool legacy_mapping(assay_slice line, struct legacy_record *r);
/* `0xADDRESS function (file:line)` of Java, `# 0xADDRESS function+0xOFFSET file:line` of Go. */
bool legacy_java_symbol(assay_slice line, struct legacy_record *r);
bool legacy_go_symbol(assay_slice line, struct legacy_record *r);

/* Values of metrics from those of the file. false = it has bytes, but no objects. */
bool legacy_values(struct legacy_decoder *d, struct legacy_record *r);

struct legacy_options {
    bool comments;
};
int legacy_read(const struct read_job *job, assay_builder *b, assay_error *err);
int legacy_check(const struct read_job *job, struct findings *out, assay_error *err);
int legacy_dump(const struct read_job *job, struct output *out, assay_error *err);

#endif

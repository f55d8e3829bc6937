/* Bytes of an hpcrun profile, of any version -> records, one at a time: the only parser of this format. It knows offsets and structural
 * damage and builds nothing.
 *
 *     struct hpcrun_decoder d;
 *     hpcrun_decoder_init(&d, bytes);
 *     for (struct hpcrun_record r; hpcrun_next(&d, &r);) ...
 *
 * Nothing is allocated, a decoder may be copied, and everything it hands out is borrowed from `bytes`. The work is linear in the size of
 * the file. Layouts: docs/formats/hpcrun.md.
 *
 * Order of the records; a LIST stands before the items of every counted list, DAMAGE after the record it belongs to:
 *   all       FILE, LIST(PAIRS), PAIR...
 *   02, 03    [LIST(EPOCHS): 02.00l only], for each epoch EPOCH, LIST(EPOCH_PAIRS), PAIR..., LIST(METRICS), METRIC..., LIST(MODULES),
 *             MODULE..., LIST(NODES), NODE...; at the end GAP if bytes are left
 *   04        each section that could be found, in file order, a GAP for the bytes between two of them: LIST(MODULES), MODULE...,
 *             LIST(NODES), NODE..., LIST(METRICS), METRIC..., LIST(KINDS), KIND..., LIST(TUPLE), TUPLE..., LIST(VALUES), VALUE...,
 *             LIST(INDEX), INDEX..., and FOOTER at the end
 * Of a sound file the records, LISTs' counts included, cover every byte once, so that writing them out gives the file again.
 *
 * After damage inside an epoch nothing follows: epochs do not say how long they are. After damage inside a section of 04.00 the next
 * section follows. Without a good footer the sections are looked for where they must begin, at multiples of 1024 bytes: `sections`
 * says what was found. */
#ifndef FORMATS_HPCRUN_DECODE_H
#define FORMATS_HPCRUN_DECODE_H

#include "formats/hpcrun/span.h"

enum {
    HPCRUN_MAGIC_LEN = 24,
    HPCRUN_SHORT_MAGIC_LEN = 16,
    HPCRUN_FOOTER_LEN = 112,
    HPCRUN_ALIGNMENT = 1024, /* of the sections of 04.00 */
    HPCRUN_MESSAGE_LEN = 200,
    HPCRUN_MAX_LIP_WORDS = 64
};
#define HPCRUN_FOOTER_MAGIC UINT64_C(0x48504352554E736D)

/* Load modules that stand for something else (04.00). */
enum { HPCRUN_LM_PLACEHOLDER = 0, HPCRUN_LM_GPU_CONTEXT = 65531, HPCRUN_LM_GPU_RANGE = 65532, HPCRUN_LM_GPU_ROOT = 65533 };

enum hpcrun_variant {
    HPCRUN_UNKNOWN,
    HPCRUN_02_LITERAL, /* 02.00l as the specification says */
    HPCRUN_02_2009,    /* what the programs of 2009 wrote under the same magic; for a day big-endian */
    HPCRUN_02B,
    HPCRUN_03B,
    HPCRUN_04B
};
/* "02.00l", "02.00l-2009", "02.00b-2009", "02.00b", "03.00b", "04.00b"; "" for UNKNOWN. */
const char *hpcrun_version_name(enum hpcrun_variant variant, bool is_big_endian);

enum hpcrun_section_id {
    HPCRUN_SECTION_HEADER,
    HPCRUN_SECTION_MODULES,
    HPCRUN_SECTION_NODES,
    HPCRUN_SECTION_METRICS,
    HPCRUN_SECTION_KINDS,
    HPCRUN_SECTION_SPARSE,
    HPCRUN_SECTION_COUNT
};
/* "header", "load map", "cct", "metric table", "id-tuple dictionary", "sparse metrics" */
const char *hpcrun_section_name(enum hpcrun_section_id id);

/* A section of 04.00: by the footer; or, without a good one, as found by looking. `end` is exclusive, without padding. */
struct hpcrun_section {
    uint64_t begin, end;
    bool is_found; /* false = its bounds are wrong, or there is none */
    bool is_whole; /* looked for: all its items are there (with a footer it is not known before they were handed out) */
};

enum hpcrun_list_id {
    HPCRUN_LIST_PAIRS,
    HPCRUN_LIST_EPOCHS,
    HPCRUN_LIST_EPOCH_PAIRS,
    HPCRUN_LIST_METRICS,
    HPCRUN_LIST_MODULES,
    HPCRUN_LIST_NODES,
    HPCRUN_LIST_KINDS,
    HPCRUN_LIST_TUPLE,
    HPCRUN_LIST_VALUES,
    HPCRUN_LIST_INDEX,
};

enum hpcrun_kind {
    HPCRUN_RECORD_FILE,
    HPCRUN_RECORD_LIST,
    HPCRUN_RECORD_PAIR,
    HPCRUN_RECORD_EPOCH,
    HPCRUN_RECORD_METRIC,
    HPCRUN_RECORD_MODULE,
    HPCRUN_RECORD_NODE,
    HPCRUN_RECORD_KIND,
    HPCRUN_RECORD_TUPLE,
    HPCRUN_RECORD_VALUE,
    HPCRUN_RECORD_INDEX,
    HPCRUN_RECORD_GAP,
    HPCRUN_RECORD_FOOTER,
    HPCRUN_RECORD_DAMAGE
};

/* A string of the file; `off` is where its length stands. */
struct hpcrun_str {
    assay_slice text;
    uint64_t off;
};

struct hpcrun_file {
    enum hpcrun_variant variant;
    bool is_big_endian;
    bool has_extra;    /* descriptors with the 20 bytes of 2017 (02.00b; always in 03.00 and 04.00) */
    assay_slice magic; /* as stored, version and endian byte included: 16 or 24 bytes, less when the file is cut */
};

/* The count before a list. Record: off and len are those of the count itself. */
struct hpcrun_list {
    enum hpcrun_list_id id;
    uint64_t count;          /* as stored; INDEX: without the closing pair */
    struct hpcrun_span span; /* NODES, VALUES, INDEX (which then has the closing pair too); else empty */
};

struct hpcrun_pair {
    uint32_t index;
    bool is_epoch; /* of the epoch, not of the file */
    struct hpcrun_str name, value;
};

/* Record: from the tag up to the count of its pairs. */
struct hpcrun_epoch {
    uint32_t index;
    uint64_t flags; /* bit 0: lush */
    uint32_t ra_distance;
    uint64_t granularity;
};

struct hpcrun_metric {
    uint32_t index;
    struct hpcrun_str name;
    uint64_t flags_off;
    assay_slice flags; /* as stored: 8 bytes (02.00l) or 16 */
    uint64_t period;
    /* 02.00b and later */
    struct hpcrun_str description, formula, format;
    /* has_extra */
    uint16_t is_frequency, is_multiplexed;
    uint64_t threshold_mean; /* bits of a double */
    uint64_t samples;
    /* What the flags mean, whatever their form. */
    bool is_bit_field;    /* 02.00b of 2010 */
    uint8_t type;         /* 0 null, 1 raw, 2 final, 3 derived */
    uint8_t value_type;   /* 1 inclusive, 2 exclusive */
    uint8_t value_format; /* 1 integer, 2 real */
    uint8_t to_procedure; /* move-to-procedure */
    uint16_t partner;
    uint8_t show; /* 0 hide, 1 show, 2 inclusive only, 3 exclusive only, 4 invisible; 02.00l has 1 */
    uint8_t show_percent;
};

struct hpcrun_module {
    uint32_t index; /* from 0, in its load map */
    uint16_t id;    /* 02.00b and later; else 0 */
    struct hpcrun_str name;
    uint64_t flags;   /* all but 02.00l-2009 */
    uint64_t address; /* 02.00l: load_addr; 2009: mapaddr */
    uint64_t offset;  /* 02.00l: load_offset; 2009: vaddr */
};

/* Node `index` of the list; fields as in span.h. */
struct hpcrun_node_record {
    uint64_t index;
    struct hpcrun_node node;
};

struct hpcrun_id_kind {
    uint32_t index;
    uint16_t kind;
    struct hpcrun_str name;
};

struct hpcrun_tuple {
    uint32_t index;
    uint16_t word; /* low 14 bits kind, high 2 bits how to read the numbers */
    uint64_t physical, logical;
};
enum { HPCRUN_KIND_MAX = 1 << 14 }; /* kinds are below this */
static inline uint16_t hpcrun_tuple_kind(uint16_t word) { return word & 0x3fff; }
static inline uint16_t hpcrun_tuple_reading(uint16_t word) { return word >> 14; }

struct hpcrun_value_record {
    uint64_t index;
    struct hpcrun_value value;
};

struct hpcrun_index_record {
    uint64_t index;
    bool is_last; /* the closing pair */
    struct hpcrun_index pair;
};

struct hpcrun_footer {
    uint64_t numbers[HPCRUN_FOOTER_LEN / 8]; /* six pairs begin, end; where the footer begins; magic */
};

struct hpcrun_damage {
    const char *rule; /* HRC.. or HRW.. of docs/formats/hpcrun.md; static */
    int severity;     /* enum assay_severity */
    bool is_fatal;    /* nothing of this file can be read: not this format, or a version that is not read */
    char message[HPCRUN_MESSAGE_LEN];
};

struct hpcrun_record {
    enum hpcrun_kind kind;
    uint64_t off, len; /* DAMAGE: len is 0 */
    union {
        struct hpcrun_file file;
        struct hpcrun_list list;
        struct hpcrun_pair pair;
        struct hpcrun_epoch epoch;
        struct hpcrun_metric metric;
        struct hpcrun_module module;
        struct hpcrun_node_record node;
        struct hpcrun_id_kind kind_name;
        struct hpcrun_tuple tuple;
        struct hpcrun_value_record value;
        struct hpcrun_index_record index;
        assay_slice gap;
        struct hpcrun_footer footer;
        struct hpcrun_damage damage;
    };
};

enum { HPCRUN_PENDING = 8 };
struct hpcrun_pending {
    uint64_t off;
    struct hpcrun_damage damage;
};

/* Read only for users, but for the switch. */
struct hpcrun_decoder {
    bool skip_items; /* hand out no NODE, VALUE and INDEX: the spans of their LISTs have them all, for loops that must be fast */

    assay_slice bytes;
    struct hpcrun_file file;                              /* after FILE */
    struct hpcrun_section sections[HPCRUN_SECTION_COUNT]; /* 04.00, after FILE */
    bool has_footer;                                      /* 04.00, after FILE: it has its magic and stands where it says */
    bool is_partial;                                      /* DAMAGE of severity error was handed out */
    uint32_t epoch_count;                                 /* epochs handed out so far */
    uint32_t metric_count;                                /* descriptors of the newest metric table */
    bool is_lush;                                         /* of the newest epoch */
    uint32_t lip_words;                                   /* of the newest epoch */

    int phase;
    uint64_t at, end;       /* where the next record begins; where its section, or the file, ends */
    uint64_t next;          /* number of the next item */
    uint64_t count;         /* items of the list in work */
    uint64_t values, nodes; /* sparse metrics: the two counts */
    uint64_t epochs;        /* 02.00l: as many are left */
    unsigned section;       /* the one in work */
    bool ends_here;         /* damage: nothing of this section, or this file, follows the list in work */
    bool has_lip_size;      /* the newest epoch had the pair */
    bool is_trial;          /* a copy that only finds out how far a layout gets: messages are left empty */
    struct hpcrun_span span;
    unsigned pending_count, pending_next;
    struct hpcrun_pending pending[HPCRUN_PENDING];
};

void hpcrun_decoder_init(struct hpcrun_decoder *d, assay_slice bytes);
/* false = the end. */
bool hpcrun_next(struct hpcrun_decoder *d, struct hpcrun_record *r);

/* Does the file begin like a profile? Then the length of its magic, else 0. */
size_t hpcrun_magic_len(assay_slice head);

#endif

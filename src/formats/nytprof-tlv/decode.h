/* Bytes of a chunked NYTProf stream -> records, one at a time: the only parser of this format. It knows offsets and damage and builds
 * nothing.
 *
 *     struct tlv_decoder d;
 *     tlv_decoder_init(&d, bytes);
 *     for (struct tlv_record r; tlv_next(&d, &r);) ...
 *
 * Order: HEAD, the LINEs of the banner (or ATTRIBUTEs of the oldest generations), then each CHUNK and its records; DAMAGE follows the
 * record it belongs to. Nothing is allocated, a decoder may be copied, and everything it hands out is borrowed from `bytes`. The work is
 * linear in the size of the file. Layouts and generations: docs/formats/nytprof-tlv.md. */
#ifndef FORMATS_NYTPROF_TLV_DECODE_H
#define FORMATS_NYTPROF_TLV_DECODE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/slice.h"

enum {
    TLV_CHUNK_LEN = 5,  /* token and length */
    TLV_ROW_LEN = 28,   /* a record of S or C */
    TLV_EVENT_LEN = 17, /* a record of D where it holds line events */
    TLV_PAIR_LEN = 8,   /* a record of F where it holds pairs */
    TLV_PROCESS_LEN = 16,
    TLV_MESSAGE_LEN = 200
};
#define TLV_TICKS_PER_SEC 10000000u

/* What stands before the first chunk. */
enum tlv_start {
    TLV_START_UNKNOWN,
    TLV_START_BANNER,
    TLV_START_G0, /* NYTPROF\0, two u32, then chunks with H first */
    TLV_START_G1, /* NYTPROF\0, u32, u64, then chunks with H first */
    TLV_START_G2  /* NYTPROF\0, two u32, key=value\0 ..., then chunks */
};

/* What a payload consists of. */
enum tlv_layout {
    TLV_LAYOUT_OTHER, /* not taken apart */
    TLV_LAYOUT_FILES,
    TLV_LAYOUT_PAIRS, /* F of a few revisions: no names */
    TLV_LAYOUT_COSTS,
    TLV_LAYOUT_SUBS,
    TLV_LAYOUT_RANGES, /* D of the C extension: subs with file and lines */
    TLV_LAYOUT_EVENTS, /* D of July 2025: line events */
    TLV_LAYOUT_CALLS,
    TLV_LAYOUT_SITES, /* C of the C extension */
    TLV_LAYOUT_ATTRIBUTES,
    TLV_LAYOUT_PROCESS,
    TLV_LAYOUT_END
};

/* Records that are numbers, nothing of which is borrowed. */
static inline bool tlv_has_figures(enum tlv_layout layout)
{
    return layout == TLV_LAYOUT_COSTS || layout == TLV_LAYOUT_EVENTS || layout == TLV_LAYOUT_CALLS || layout == TLV_LAYOUT_SITES;
}

enum tlv_kind { TLV_HEAD, TLV_LINE, TLV_CHUNK, TLV_FILE, TLV_COST, TLV_SUB, TLV_EVENT, TLV_CALL, TLV_SITE, TLV_ATTRIBUTE, TLV_PROCESS, TLV_DAMAGE };

struct tlv_head {
    enum tlv_start start;
    uint64_t major, minor;
    assay_slice text; /* the first line, without its end; nothing in the oldest generations */
};

/* A line of the banner after the first. */
struct tlv_line {
    char mark;        /* '#', ':', '!'; 0 = an empty line, or one that is none of these */
    assay_slice text; /* without the end of line */
    bool has_value;   /* key and value are what stands before and after the first '=' */
    assay_slice key, value;
};

struct tlv_chunk {
    char token;
    bool has_length; /* false = a P or E that stands without its length */
    uint32_t length; /* as the file says */
    uint64_t there;  /* bytes of the payload that are in the file */
    enum tlv_layout layout;
};

struct tlv_file {
    uint32_t fid;
    bool is_pair; /* only fid and index are known */
    uint32_t flags, size, mtime, index;
    assay_slice path;
};

struct tlv_cost {
    uint32_t fid, line, calls;
    uint64_t inclusive, exclusive;
};

struct tlv_sub {
    uint32_t sid;
    bool is_range; /* fid, first and last are known, flags are not */
    uint32_t flags, fid, first, last;
    assay_slice name;
};

struct tlv_event {
    uint32_t fid, line;
    uint64_t ns;
};

struct tlv_call {
    uint32_t caller, callee, calls;
    uint64_t ticks, sub_ticks;
};

struct tlv_site {
    uint32_t fid, line, sid;
    uint64_t inclusive, exclusive;
};

struct tlv_attribute {
    assay_slice text; /* of the whole entry, without its NUL */
    bool has_value;
    assay_slice key, value;
};

/* The layouts of July 12 and 13, 2025 have microseconds first, all others end with seconds as a double. */
struct tlv_process {
    bool is_micros;
    uint32_t pid, ppid;
    uint64_t micros;
    double seconds;
};

struct tlv_damage {
    const char *rule;
    int severity;  /* enum assay_severity */
    bool is_fatal; /* no chunk of the file could be found */
    char message[TLV_MESSAGE_LEN];
};

struct tlv_record {
    enum tlv_kind kind;
    uint64_t off;
    union {
        struct tlv_head head;
        struct tlv_line line;
        struct tlv_chunk chunk;
        struct tlv_file file;
        struct tlv_cost cost;
        struct tlv_sub sub;
        struct tlv_event event;
        struct tlv_call call;
        struct tlv_site site;
        struct tlv_attribute attribute;
        struct tlv_process process;
        struct tlv_damage damage;
    };
};

enum { TLV_PENDING = 8 };
struct tlv_pending {
    uint64_t off;
    struct tlv_damage damage;
};

/* Read only for users, but for the switch. */
struct tlv_decoder {
    bool skip_figures; /* hand out no COST, EVENT, CALL and SITE: only what files and subs are called */

    assay_slice bytes;
    struct tlv_head head;
    uint64_t banner_len; /* where the first chunk begins */
    uint64_t chunk_count;
    uint64_t ticks_per_sec; /* of an A chunk, else of the banner, else 10000000 */

    /* what tells the generations apart, as far as it has been seen */
    bool has_attributes, has_options, has_perl_keys, has_blank, has_a, has_events, has_ranges, has_raw_p;
    bool has_odd_ticks; /* the banner's ticks_per_sec is not 10000000 */
    const char *unread; /* the name of a layout that is not read, or NULL */
    const char *unread_gen;

    int phase;
    uint64_t at; /* where the next line, entry, chunk or record begins */
    uint64_t blank_count;
    bool has_cr, is_nv_odd, is_ended;
    bool has_looked_ahead;  /* for a D of the C extension behind the first C */
    struct tlv_chunk chunk; /* whose records are being handed out */
    uint64_t chunk_end;     /* of what is there of its payload */
    uint64_t table_len;     /* payloads of F, S, D and C so far */
    bool has_newline;       /* one of them holds the byte 0A */
    unsigned pending_count, pending_next;
    struct tlv_pending pending[TLV_PENDING];
};

void tlv_decoder_init(struct tlv_decoder *d, assay_slice bytes);
/* false = the end. */
bool tlv_next(struct tlv_decoder *d, struct tlv_record *r);
/* "G0" to "G9", "C extension", or "" where nothing tells. Right once everything was handed out. Static storage. */
const char *tlv_generation(const struct tlv_decoder *d);
/* A generation whose head or records differ from the specification's so much that it belongs to the version. */
bool tlv_generation_is_odd(const struct tlv_decoder *d);

#endif

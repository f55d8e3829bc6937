/* Bytes of a webgrind file -> records, one at a time: the only parser of this format. It knows offsets and damage and builds nothing.
 *
 *     struct webgrind_decoder d;
 *     webgrind_decoder_init(&d, bytes);
 *     for (struct webgrind_record r; webgrind_next(&d, &r);) ...
 *
 * Order: HEAD, ADDRESS (one for each function), for each function FUNCTION and its CALLs or INVOCATIONs, SUBCALLs (version 4), LINEs; DAMAGE
 * follows the record it belongs to. Nothing is allocated, a decoder may be copied, and everything it hands out is borrowed from `bytes`.
 * Every count has been checked against the bytes that are left before it is handed out; the work is linear in the size of the file.
 * Layouts: docs/formats/webgrind.md. */
#ifndef FORMATS_WEBGRIND_DECODE_H
#define FORMATS_WEBGRIND_DECODE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/slice.h"

enum {
    WEBGRIND_HEAD_LEN = 12,
    WEBGRIND_CALL_LEN = 16, /* called-from, sub call, and an entry of version 4's sub call area */
    WEBGRIND_INVOCATION_LEN = 32,
    WEBGRIND_MAX_FIELDS = 6,
    WEBGRIND_MESSAGE_LEN = 160
};
#define WEBGRIND_NOBODY UINT32_MAX /* the caller of an invocation that nobody called */

/* The numbers that open a function record; each version has some of them, in its own order. */
enum webgrind_field {
    WEBGRIND_LINE,
    WEBGRIND_SELF,
    WEBGRIND_INCLUSIVE,
    WEBGRIND_CALL_COST,
    WEBGRIND_INVOCATIONS,
    WEBGRIND_CALLED_FROM,
    WEBGRIND_SUB_CALLS,
    WEBGRIND_FIELD_COUNT
};

struct webgrind_layout {
    uint32_t version;
    uint8_t count;
    uint8_t field[WEBGRIND_MAX_FIELDS]; /* enum webgrind_field */
    bool has_sub_calls;                 /* of each function, after its called-from records */
    bool has_invocations;               /* version 4: invocations in place of call records, and a sub call area */
};
/* NULL = a version that assay does not know. Static storage. */
const struct webgrind_layout *webgrind_layout(uint32_t version);
/* Where the field stands in a function record; the field must be one of the layout's. */
uint64_t webgrind_field_off(const struct webgrind_layout *layout, enum webgrind_field field);
static inline uint64_t webgrind_fields_len(const struct webgrind_layout *layout) { return 4 * (uint64_t)layout->count; }

enum webgrind_kind {
    WEBGRIND_RECORD_HEAD,
    WEBGRIND_RECORD_ADDRESS,
    WEBGRIND_RECORD_FUNCTION,
    WEBGRIND_RECORD_INVOCATION,
    WEBGRIND_RECORD_CALL,
    WEBGRIND_RECORD_SUBCALL,
    WEBGRIND_RECORD_LINE,
    WEBGRIND_RECORD_DAMAGE
};

struct webgrind_head {
    uint32_t present; /* how many of the three numbers are there */
    uint32_t version, header_address, function_count;
};

struct webgrind_address {
    uint32_t number, address;
};

struct webgrind_function {
    uint32_t number;
    bool is_whole; /* false = damaged: its items and names are not handed out; fields holds those that could be read */
    uint32_t field_count;
    uint32_t fields[WEBGRIND_FIELD_COUNT]; /* by enum webgrind_field; 0 for those that the version lacks */
    assay_slice file, name;
    uint64_t file_off, name_off, end;
};

struct webgrind_invocation {
    uint32_t function, index; /* which one this is */
    uint32_t self, inclusive, call_cost, caller, caller_invocation, line, sub_call_count, sub_call_address;
    bool has_sub_calls; /* sub_call_count and sub_call_address can be relied on */
    bool has_caller;    /* caller is the number of a function */
};

/* A called-from or sub call record of versions 5 to 7. */
struct webgrind_call {
    uint32_t owner; /* the function whose record it stands in */
    bool is_sub_call;
    uint32_t index;
    uint32_t function, line, count, cost;
    bool is_valid; /* function < function_count */
};

/* An entry of version 4's sub call area. */
struct webgrind_subcall {
    uint32_t index;
    uint32_t function, invocation, line, cost; /* of the callee; of the call */
    bool is_valid;                             /* function < function_count */
};

struct webgrind_line {
    uint32_t index;
    assay_slice text; /* without the newline */
    bool has_key;     /* key and value are what stands before and after the first ": " */
    assay_slice key, value;
};

struct webgrind_damage {
    const char *rule;
    int severity;  /* enum assay_severity */
    bool is_fatal; /* nothing follows (but see keep_going) */
    char message[WEBGRIND_MESSAGE_LEN];
};

struct webgrind_record {
    enum webgrind_kind kind;
    uint64_t off;
    union {
        struct webgrind_head head;
        struct webgrind_address address;
        struct webgrind_function function;
        struct webgrind_invocation invocation;
        struct webgrind_call call;
        struct webgrind_subcall subcall;
        struct webgrind_line line;
        struct webgrind_damage damage;
    };
};

enum { WEBGRIND_PENDING = 8 };
struct webgrind_pending {
    uint64_t off;
    struct webgrind_damage damage;
};

/* Read only for users, but for the two switches. */
struct webgrind_decoder {
    bool skip_items; /* hand out no ADDRESS, CALL, INVOCATION and SUBCALL: only what the functions are */
    bool keep_going; /* go on behind a header address that cannot be right (WG04), as if the file had no headers */

    assay_slice bytes;
    const struct webgrind_layout *layout; /* NULL until the head was read, or for a version that is not known */
    struct webgrind_head head;
    uint64_t limit;      /* function records and the area end here: the header address */
    uint64_t area_begin; /* version 4, after HEAD */
    uint64_t area_count; /* entries of the area */
    bool has_area;       /* false = damage hides where it begins */
    bool has_headers;

    int phase;
    uint64_t at;                       /* where the next record begins */
    uint32_t next;                     /* number of the next address, function, entry or line */
    bool is_lost;                      /* the record before was damaged: only the address table knows where the next one is */
    uint32_t peeks;                    /* how often both readings of a wrong address were tried */
    uint64_t no_names;                 /* from here on no two newlines follow */
    uint64_t claimed;                  /* entries of the area that invocations have taken */
    struct webgrind_function function; /* whose items are being handed out */
    uint64_t item_at;
    uint32_t item, item_count;
    unsigned pending_count, pending_next;
    struct webgrind_pending pending[WEBGRIND_PENDING];
};

void webgrind_decoder_init(struct webgrind_decoder *d, assay_slice bytes);
/* false = the end. */
bool webgrind_next(struct webgrind_decoder *d, struct webgrind_record *r);
/* After HEAD without fatal damage: goes on with the header lines. */
void webgrind_to_lines(struct webgrind_decoder *d);
/* Entry `index` of the area (version 4), false = there is none. Usable at any time after HEAD. */
bool webgrind_subcall_at(const struct webgrind_decoder *d, uint64_t index, struct webgrind_subcall *out);
/* The index of the area entry at this address; the address must come from an invocation that has_sub_calls. */
static inline uint64_t webgrind_area_index(const struct webgrind_decoder *d, uint32_t address) { return (address - d->area_begin) / WEBGRIND_CALL_LEN; }
/* The called-from or sub call record at this offset, where one was handed out before; owner, index and side are left alone. */
void webgrind_call_at(const struct webgrind_decoder *d, uint64_t off, struct webgrind_call *out);
/* The invocation record at this offset, where one was handed out before; function and index are left alone. */
void webgrind_invocation_at(const struct webgrind_decoder *d, uint64_t off, struct webgrind_invocation *out);

#endif

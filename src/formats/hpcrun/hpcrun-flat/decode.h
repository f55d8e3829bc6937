/* Bytes of a flat histogram file (HPCRUN-FLAT_______, 2004 to 2012) -> records: the only parser of this format. Nothing is allocated; a
 * decoder may be copied.
 *
 * Order: HEAD, for each module MODULE, for each of its events EVENT and its BUCKETs; DAMAGE after the record it belongs to, and after
 * damage nothing follows. Layout: docs/formats/hpcrun-flat.md. */
#ifndef FORMATS_HPCRUN_HPCRUN_FLAT_DECODE_H
#define FORMATS_HPCRUN_HPCRUN_FLAT_DECODE_H

#include "formats/hpcrun/decode.h"

enum { HPCFLAT_BUCKET_LEN = 12 };

enum hpcflat_kind { HPCFLAT_RECORD_HEAD, HPCFLAT_RECORD_MODULE, HPCFLAT_RECORD_EVENT, HPCFLAT_RECORD_BUCKET, HPCFLAT_RECORD_DAMAGE };

struct hpcflat_head {
    assay_slice magic; /* 24 bytes, less when the file is cut */
    uint32_t module_count;
};

struct hpcflat_module {
    uint32_t index;
    struct hpcrun_str path;
    uint64_t address;
    uint32_t event_count;
};

struct hpcflat_event {
    uint32_t index; /* in its module */
    struct hpcrun_str name, description;
    uint64_t period;
    uint64_t bucket_count; /* as stored */
};

struct hpcflat_bucket {
    uint64_t index;
    uint32_t count;
    uint64_t offset; /* from the load address */
};

struct hpcflat_record {
    enum hpcflat_kind kind;
    uint64_t off, len;
    union {
        struct hpcflat_head head;
        struct hpcflat_module module;
        struct hpcflat_event event;
        struct hpcflat_bucket bucket;
        struct hpcrun_damage damage;
    };
};

struct hpcflat_decoder {
    assay_slice bytes;
    int phase;
    uint64_t at;
    uint32_t modules, module_count, events, event_count; /* handed out, of so many */
    uint64_t buckets, bucket_count;
    unsigned pending_count, pending_next;
    struct hpcrun_pending pending[2];
};

void hpcflat_decoder_init(struct hpcflat_decoder *d, assay_slice bytes);
/* false = the end. */
bool hpcflat_next(struct hpcflat_decoder *d, struct hpcflat_record *r);

#endif

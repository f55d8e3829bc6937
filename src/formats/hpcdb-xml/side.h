/* The binary files beside experiment.xml: bytes -> structures, for read, check and dump. All of them are big-endian (docs/formats/hpcdb-xml.md,
 * "Files beside it"). Damage goes to the findings list, with the file's name in front. Nothing is allocated but for the bytes of the file that is open. */
#ifndef FORMATS_HPCDB_XML_SIDE_H
#define FORMATS_HPCDB_XML_SIDE_H

#include "base/cursor.h"
#include "formats/format.h"

enum hx_part_kind { HX_MATRIX, HX_TRACE, HX_SPARSE, HX_SPARSE_TRACE, HX_SPARSE_CCT };

/* One file, or one of those that a merged file holds. */
struct hx_part {
    enum hx_part_kind kind;
    const char *name; /* of the file */
    assay_slice bytes;
    uint64_t at; /* where `bytes` begin in the file */
    bool is_named, has_host;
    uint64_t rank, thread, host;
};
typedef int (*hx_part_fn)(void *arg, const struct hx_part *part);

/* "DIR/experiment.xml", or its .gz, into `in`, which is to be closed; for a file by itself *in is NULL and *use the job's own. */
int hx_open_xml(const struct read_job *job, struct input **in, struct input **use, struct findings *damage, assay_error *err);
/* Every part of the directory, values before traces. Of a database of 4.0 (is_sparse) also its three files. Bytes last for the call; what it returns other
 * than 0 ends the walk. Damage: HX30, HX31. Errors: SYSTEM, MEMORY, LIMIT, those of `fn`. */
int hx_each_part(const struct read_job *job, bool is_sparse, struct findings *damage, hx_part_fn fn, void *arg, assay_error *err);

/* ---- one thread's matrix ---- */
enum { HX_MATRIX_HEAD = 32 };
struct hx_matrix {
    uint32_t nodes, metrics;
    const unsigned char *values;
};
/* false = it cannot be used: HX20, HX21. */
bool hx_matrix_open(struct hx_matrix *m, const struct hx_part *part, struct findings *damage);
/* Row 0 is the whole; row k has the node with the id k + 1. */
double hx_matrix_value(const struct hx_matrix *m, uint32_t row, uint32_t column);

/* ---- traces ---- */
struct hx_trace {
    const unsigned char *records;
    uint32_t head_len, record_len;
    uint64_t count;
    bool is_composite; /* the high 10 bits of a time are no time */
    double to_ns;
};
/* `ticks` in a second, 0 = not known. false = it is none (HX32); a record that was cut is said and left out. */
bool hx_trace_open(struct hx_trace *t, const struct hx_part *part, uint64_t ticks, struct findings *damage);
/* trace.db of 4.0: trace `i`, and the profile that it belongs to. false = there is none, or it lies outside (HX41, HX42). */
uint32_t hx_sparse_trace_count(const struct hx_part *part, struct findings *damage);
bool hx_sparse_trace_at(struct hx_trace *t, const struct hx_part *part, uint32_t i, uint32_t *profile, uint64_t *used, struct findings *damage);
/* Time as stored, and in nanoseconds as far as an event holds them. */
uint64_t hx_trace_time(const struct hx_trace *t, uint64_t i);
int64_t hx_trace_ns(const struct hx_trace *t, uint64_t time);
uint32_t hx_trace_id(const struct hx_trace *t, uint64_t i);

/* ---- profile.db of 4.0 ---- */
struct hx_profile {
    uint64_t tuple_at; /* 0 = none */
    uint64_t value_count;
    uint32_t ctx_count;
    const unsigned char *values, *ctxs;
};
/* How many profiles there are; the first is the summary. 0 = none, or damaged (HX41, HX42). */
uint32_t hx_sparse_count(const struct hx_part *part, struct findings *damage);
/* false = it lies outside (HX42). A missing end mark is said (HX43). `used`, 0 at first, counts bytes: blocks that overlap would be read again and again. */
bool hx_sparse_at(struct hx_profile *p, const struct hx_part *part, uint32_t i, uint64_t *used, struct findings *damage);
/* cct.db repeats profile.db by context: only its head is looked at (HX41). */
void hx_sparse_cct(const struct hx_part *part, struct findings *damage);
uint32_t hx_profile_ctx(const struct hx_profile *p, uint32_t i);
/* The values of context `i` are begin .. end - 1, within those that there are and behind those of the one before: *end, 0 at first, says where that ended. */
void hx_profile_range(const struct hx_profile *p, uint32_t i, uint64_t *begin, uint64_t *end);
double hx_profile_value(const struct hx_profile *p, uint64_t i, uint16_t *metric);
/* Element `i` of the profile's tuple; false = there is none. */
bool hx_profile_tuple(const struct hx_part *part, const struct hx_profile *p, uint16_t i, uint16_t *kind, uint64_t *physical, uint64_t *logical);

#endif

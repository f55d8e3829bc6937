/* OpenTelemetry profiles: bytes -> messages -> fields, whatever the layout, the framing, or JSON. Builds nothing; docs/formats/otlp-profiles.md has the layouts.
 *
 * A file is one document (ProfilesData) or several. JSON becomes messages in memory first (json.c), so that all that follows has one kind of bytes; places are
 * those of the file all the same. */
#ifndef FORMATS_OTLP_PROFILES_DECODE_H
#define FORMATS_OTLP_PROFILES_DECODE_H

#include "base/findings.h"
#include "base/proto_put.h"
#include "formats/format.h"
#include "formats/otlp-profiles/schema.h"

struct otlp_document {
    assay_slice bytes;
    uint64_t begin; /* in the bytes that JSON became */
    enum otlp_layout layout;
    bool is_guess; /* nothing in it tells the layout */
};

enum otlp_form { OTLP_BINARY, OTLP_FRAMED, OTLP_JSON, OTLP_JSON_LINES };

/* Where something of the messages stood in JSON. */
struct otlp_place {
    uint64_t at, off;
};

struct otlp_decoder {
    struct mem *mem;
    assay_error *err;
    struct findings *damage;
    enum otlp_form form;
    VEC(struct otlp_document) documents;
    struct otlp_numbers numbers[OTLP_LAYOUTS];
    const unsigned char *begin; /* of the bytes that offsets count from */
    struct proto_buffer json;   /* messages that JSON became */
    VEC(struct otlp_place) places;
    uint64_t unknown; /* fields */
    bool is_quiet;    /* damage was named before */
    VEC(int64_t) values;
    VEC(uint64_t) times, attributes, indices;
};

/* An option of reading. */
struct otlp_options {
    unsigned layout; /* enum otlp_layout + 1; 0 = told by content */
};

/* Takes the bytes of the input, which lends them. What is damaged is in `damage`. Errors: those of input_map that leave nothing to look at, MEMORY, CANCELLED.
 * otlp_done in any case. */
int otlp_open(struct otlp_decoder *d, const struct read_job *job, struct findings *damage, assay_error *err);
void otlp_done(struct otlp_decoder *d);
/* "1.9", of a document. */
static inline const char *otlp_version(const struct otlp_document *doc) { return otlp_layout_names[doc->layout]; }
/* From 1.8 on entry 0 of every table stands for none, and a profile has one sample type. */
static inline bool otlp_is_new(const struct otlp_document *doc) { return doc->layout >= OTLP_1_8; }

/* ---- messages ---- */

struct otlp_walk {
    struct cursor at;
    const uint8_t *row, *wires; /* fields by number */
    uint8_t message;
};
struct otlp_item {
    const struct otlp_field *field; /* NULL = unknown */
    uint8_t name;                   /* enum otlp_name */
    struct proto_field raw;
};

struct otlp_walk otlp_walk(const struct otlp_decoder *d, const struct otlp_document *doc, enum otlp_message m, assay_slice bytes);
/* The next field; false = the end. Damage is a finding (OT01) and the end of the message; a message that is cut short by the end of the one around it is given
 * as far as it goes. Fields whose wire type is not that of the layout are findings (OT02) and left out. */
static inline bool otlp_next(struct otlp_decoder *d, struct otlp_walk *w, struct otlp_item *item);
/* Of a key: its place in the file. */
uint64_t otlp_off(const struct otlp_decoder *d, const unsigned char *key);
/* Adds repeated numbers, packed or not, to a list; false = damaged, or no memory (d->err). */
bool otlp_numbers_add(struct otlp_decoder *d, const struct otlp_item *item, void *list);

/* The rest of otlp_next: whatever is not a field of the layout. */
bool otlp_next_odd(struct otlp_decoder *d, struct otlp_walk *w, struct otlp_item *item, enum proto_status status);

static inline bool otlp_next(struct otlp_decoder *d, struct otlp_walk *w, struct otlp_item *item)
{
    enum proto_status status = proto_next(&w->at, &item->raw);
    if (status != PROTO_FIELD || item->raw.number >= OTLP_NAMES_COUNT) return otlp_next_odd(d, w, item, status);
    uint32_t number = item->raw.number;
    if (!(w->wires[number] >> item->raw.wire & 1)) return otlp_next_odd(d, w, item, status);
    item->field = &otlp_fields[w->row[number] - 1];
    item->name = item->field->name;
    return true;
}

/* ---- samples ---- */

struct otlp_sample {
    uint64_t off;
    int64_t stack;         /* index of stack_table; of old layouts the first of location_indices */
    int64_t length;        /* old layouts: how many of them */
    const int64_t *values; /* these last until the next sample */
    const uint64_t *times, *attributes, *indices;
    uint32_t value_count, time_count, attribute_count;
    uint32_t index_count; /* 1.3: locations that stand in the sample itself */
    int64_t link;
    bool has_link;
};
/* Errors: MEMORY. A sample that is damaged inside is given as far as it goes. */
int otlp_sample(struct otlp_decoder *d, const struct otlp_document *doc, const struct otlp_item *item, struct otlp_sample *out);

/* ---- parts of the decoder ---- */

/* layout.c: the layout of a message by its content. */
enum otlp_layout otlp_layout_of(assay_slice bytes, bool *is_guess);
/* For the probe: how surely these are the first bytes of a document, 0 to 100. */
int otlp_layout_probe(assay_slice head, bool is_whole, const char **why);
/* json.c: all documents of a JSON text, into d->json and d->documents. Errors: MEMORY, CANCELLED, those of input. */
int otlp_json_take(struct otlp_decoder *d, assay_slice text);

int otlp_read(const struct read_job *job, assay_builder *b, assay_error *err);
int otlp_check(const struct read_job *job, struct findings *out, assay_error *err);
int otlp_dump(const struct read_job *job, struct output *out, assay_error *err);
int otlp_write(const assay_profile *p, const struct write_job *job, struct output *out, assay_error *err);

#endif

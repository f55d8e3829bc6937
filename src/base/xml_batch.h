/* Events of a piece of XML that threads tokenize ahead of the reader (base/ahead.h): pieces end behind a '>', and hold whole tags and text. Whether the
 * elements fit together is for the reader to see. Internal to base/xml_fast.c. */
#ifndef BASE_XML_BATCH_H
#define BASE_XML_BATCH_H

#include "base/ahead.h"
#include "base/vec.h"

enum xml_event { XML_START, XML_END, XML_TEXT };

struct xml_record {
    uint32_t off, tag_len;     /* in the piece; tag_len: of a start tag */
    uint32_t text, len;        /* the name, then NUL and attributes, or the text: in xml_batch.text */
    uint32_t attributes;       /* in xml_batch.offsets */
    uint8_t kind;              /* enum xml_event */
    uint8_t attribute_strings; /* names and values */
};

struct xml_batch {
    struct xml_fast *fast;
    struct mem *mem;
    bool wants_text; /* else text of white space alone is left out */
    VEC(struct xml_record) records;
    VEC(char) text;
    VEC(uint32_t) offsets; /* of names and values of attributes, from the name of their element on */
};

struct xml_batches {
    struct mem mem; /* of batches */
    struct mem *owner;
    struct ahead *ahead;
    bool wants_text;
    struct xml_batch slots[AHEAD_SLOTS];
};

/* Errors: MEMORY. `in` is read by b->ahead alone until xml_batches_close. */
int xml_batches_open(struct xml_batches **out, struct input *in, struct mem *mem, unsigned workers, bool wants_text, assay_error *err);
/* Nothing but white space, as the tokenizer gives it. */
bool xml_batch_is_blank(assay_slice text);
/* NULL is allowed. */
void xml_batches_close(struct xml_batches *b);

#endif

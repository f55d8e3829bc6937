/* The tokenizer for XML as tools write it: UTF-8, tags with quoted attributes, text, comments, the five entities and numbers. It gives events
 * until the document ends or something else turns up: then it says so, and expat goes over the document from its start. So it knows no
 * errors of documents: whatever it does not surely know to be right is expat's. Internal to base/xml.c; fuzzed against expat (tests/fuzz/fuzz_xml.c). */
#ifndef BASE_XML_FAST_H
#define BASE_XML_FAST_H

#include "base/xml.h"

enum xml_fast_result { XML_FAST_DONE, XML_FAST_UNUSUAL, XML_FAST_STOPPED };

struct xml_fast;
/* NULL = no memory */
struct xml_fast *xml_fast_new(const struct xml_options *options, unsigned max_depth, const struct xml_handler *handler, void *arg, struct xml *x);
/* NULL is allowed. */
void xml_fast_free(struct xml_fast *f);
/* A piece of a document that begins and ends between tags and text: its events as they come, whether or not the elements fit together; places count from the
 * begin of the piece. false = something in it is unusual, or a handler did not want to go on. */
bool xml_fast_piece(struct xml_fast *f, assay_slice text);
/* With several threads they tokenize ahead. STOPPED: *rc is what a handler returned, or an error of the input that has nothing to do with its bytes. */
enum xml_fast_result xml_fast_run(struct xml_fast *f, struct input *in, unsigned threads, int *rc, assay_error *err);

/* What was given so far: events of elements, and the offset that was reached. */
uint64_t xml_fast_given(const struct xml_fast *f);
uint64_t xml_fast_reached(const struct xml_fast *f);

/* Of the event that a handler is in. */
uint64_t xml_fast_off(const struct xml_fast *f);
uint64_t xml_fast_line(struct xml_fast *f);
assay_slice xml_fast_tag(const struct xml_fast *f);

#endif

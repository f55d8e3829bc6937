/* What coverage formats in XML share: how the root is found, how damage of the document becomes findings, numbers in attributes, and text out. */
#ifndef FORMATS_COVERAGE_XML_H
#define FORMATS_COVERAGE_XML_H

#include "base/xml.h"
#include "formats/format.h"

/* What stands before the root, and its start tag. */
struct coverage_xml_head {
    assay_slice name; /* of the root; empty = not there */
    assay_slice tag;  /* from behind the name to '>' or the end of the head */
    assay_slice rest; /* behind the tag */
    assay_slice encoding;
    assay_slice doctype; /* <!DOCTYPE ...>; empty = none */
};
/* Looks at the first bytes of a document; false = it is no XML. */
bool coverage_xml_head(assay_slice head, struct coverage_xml_head *out);
/* The value of an attribute in a tag, as written; {NULL, 0} = not there. For probes. */
assay_slice coverage_xml_in_tag(assay_slice tag, const char *name);

enum { COVERAGE_XML_DEPTH = 64, COVERAGE_LINE_MAX = 0x7fffffff };

/* Parses the input of the job. Damage goes to `damage`: X-1 not well-formed, X-2 declares an entity, X-6 nested too deep or too long a tag, X-7
 * encoding, X-8 a document type that is not read, Z-1, Z-2 of the packing. What is left: errors of input, of memory, and of handlers. */
int coverage_xml_parse(const struct read_job *job, const struct xml_handler *handler, void *arg, struct findings *damage, assay_error *err);

/* A count in an attribute: digits, or a number with a point; below 0 is 0 and X-5. false = it is missing or no number (X-4 unless it may be missing). */
bool coverage_xml_count(struct xml *x, struct findings *damage, const char *const *attributes, const char *name, bool is_needed, uint64_t *out);
/* The same for a number that must not be above 2^31-1: lines, branches, instructions. */
bool coverage_xml_small(struct xml *x, struct findings *damage, const char *const *attributes, const char *name, bool is_needed, uint32_t *out);
/* Where the attribute begins, for findings. */
uint64_t coverage_xml_attribute_off(struct xml *x, const char *name);

/* Text for attributes and elements: & < > " escaped, control characters as '?', what is no UTF-8 as U+FFFD. */
void coverage_xml_put(struct output *o, assay_slice text);

#endif

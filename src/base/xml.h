/* XML as events: elements with their attributes, text, and where each stands. The one seam over two parsers: a quick one for what tools write,
 * and expat for everything else; which of them was at work makes no difference.
 *
 * A document type is skipped and never fetched, no entities but the five of XML are expanded (a document that declares its own is refused),
 * namespaces are left as they are written. Names and values are UTF-8 whatever the document's encoding is, borrowed for the call. */
#ifndef BASE_XML_H
#define BASE_XML_H

#include "base/error.h"
#include "base/input.h"

struct xml;

/* Each returns 0, or anything else to stop: xml_parse then returns that. NULL = not wanted, and costs nothing then. */
struct xml_handler {
    /* `attributes`: name, value, name, value, ..., NULL. */
    int (*start)(void *arg, struct xml *x, const char *name, const char *const *attributes);
    int (*end)(void *arg, struct xml *x, const char *name);
    /* Text of an element may come in several pieces; line ends are '\n'. */
    int (*text)(void *arg, struct xml *x, assay_slice text);
};

struct xml_options {
    struct mem *mem;     /* expat's memory is booked there too */
    unsigned max_depth;  /* of elements; 0 = 1000 */
    uint64_t max_markup; /* bytes of one tag, comment or declaration; 0 = 16 MiB */
    /* Not NULL: a document that is not UTF-8, as it claims or by default, is read on as Latin-1 from where that shows, and this is where (else
     * UINT64_MAX). NULL, or an input that cannot be rewound: such a document is DAMAGED. */
    uint64_t *latin1_off;
    unsigned threads; /* 0 = one; what is given does not depend on it */
    bool only_expat;  /* for tests */
};

/* Parses all of `in`. Errors: DAMAGED or TRUNCATED (not well-formed: with offset and line), LIMIT, UNSUPPORTED (declares entities, or a build
 * without expat), those of input_block, and what a handler returned (`err` is then as the handler left it). */
int xml_parse(struct input *in, const struct xml_options *options, const struct xml_handler *handler, void *arg, assay_error *err);

/* Where the current event begins; for handlers. The end of an empty element is where its tag ends. Lines from 1; asking for the line costs a scan from the last one asked for. */
uint64_t xml_off(const struct xml *x);
uint64_t xml_line(const struct xml *x);
/* In a start handler: where the attribute's name and value (behind the quote) begin; xml_off for both when the document is not in an encoding
 * that writes ASCII as such. Scans the tag: for messages. */
void xml_attribute_off(const struct xml *x, const char *name, uint64_t *name_off, uint64_t *value_off);

/* The value of an attribute, NULL = it is not there. */
const char *xml_attribute(const char *const *attributes, const char *name);

#endif

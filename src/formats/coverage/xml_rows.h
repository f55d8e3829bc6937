/* What decoders of rows in XML share; see formats/coverage/rows.h. */
#ifndef FORMATS_COVERAGE_XML_ROWS_H
#define FORMATS_COVERAGE_XML_ROWS_H

#include "formats/coverage/rows.h"
#include "formats/coverage/xml.h"

/* A new row that stands at the element. Its line of the text is 0 for readers: they do not ask, and it costs a scan. */
static inline struct coverage_row *coverage_xml_row(struct coverage_decoder *d, enum coverage_row_kind kind, const struct xml *x)
{
    return coverage_add_row(d, kind, xml_off(x), d->use == COVERAGE_FOR_READER ? 0 : xml_line(x));
}
/* Most names and values differ in their first character. */
static inline bool coverage_xml_is(const char *name, const char *text) { return *name == *text && strcmp(name, text) == 0; }
/* For dumps: an element with nothing for a profile. */
int coverage_xml_record(struct coverage_decoder *d, const struct xml *x, const char *name, const char *text);
/* The same with all of its attributes. */
int coverage_xml_element(struct coverage_decoder *d, const struct xml *x, const char *name, const char *const *attributes);
/* The value of an attribute, "" = it is not there. */
assay_slice coverage_xml_text(const char *const *attributes, const char *name);
/* Parses the input of the decoder; see coverage_xml_parse. */
int coverage_xml_rows(struct coverage_decoder *d, const struct xml_handler *handler, void *arg);

#endif

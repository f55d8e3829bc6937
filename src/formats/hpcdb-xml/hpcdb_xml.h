/* What the files of this folder give to the table in format.c. */
#ifndef FORMATS_HPCDB_XML_HPCDB_XML_H
#define FORMATS_HPCDB_XML_HPCDB_XML_H

#include "formats/format.h"

int hpcdb_xml_read(const struct read_job *job, assay_builder *b, assay_error *err);
int hpcdb_xml_check(const struct read_job *job, struct findings *out, assay_error *err);
int hpcdb_xml_dump(const struct read_job *job, struct output *out, assay_error *err);

#endif

/* Files of other programs that are known but not read: what they are, and what to do with them. */
#ifndef FORMATS_FOREIGN_H
#define FORMATS_FOREIGN_H

#include "formats/format.h"

/* A sentence without its subject, or NULL = not known either. */
const char *foreign_name(const struct probe *p);
/* For an input that no format claims: UNKNOWN, with rule X-3, when it is XML; 0 = it is not. */
int foreign_xml_refuse(const struct probe *p, assay_error *err);

#endif

/* Files of other programs that are known but not read: what they are, and what to do with them. */
#ifndef FORMATS_FOREIGN_H
#define FORMATS_FOREIGN_H

#include "formats/format.h"

/* A sentence without its subject, or NULL = not known either. */
const char *foreign_name(const struct probe *p);

#endif

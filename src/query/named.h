/* The questions that come with the library; the build makes the table (src/named.py). */
#ifndef QUERY_NAMED_H
#define QUERY_NAMED_H

#include "assay/query.h"

extern const struct assay_named_query query_named[]; /* by name; ends with a NULL name */

#endif

/* Names of functions that are too long to read: template arguments and parameters give way, the function itself stays. */
#ifndef BASE_SHORT_NAME_H
#define BASE_SHORT_NAME_H

#include "base/mem.h"
#include "base/output.h"

/* Writes `name` in at most `columns` (16 or more): "_Compiler<…>::_M_atom()". The longest template arguments become "…" first, then parameters; what is
 * still too long loses its middle. Brackets that are not balanced are text, those of operators too. One pass over the name, however long. false = no
 * memory: nothing was written. */
bool short_name(struct mem *mem, struct output *out, assay_slice name, unsigned columns);

#endif

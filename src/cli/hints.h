/* What a person can do about what the library says: the one place that knows which option of the command is behind which of its hints. */
#ifndef CLI_HINTS_H
#define CLI_HINTS_H

#include "assay/error.h"

/* To be printed after the sentence of an error, of a finding with this rule, of a loss of this kind; "" = nothing. Static storage. */
const char *hint_of_error(const assay_error *err);
const char *hint_of_finding(const char *rule);
const char *hint_of_loss(const char *kind);
/* Behind "out of memory", which of itself says nothing of a limit: which one there was, and what sets it. Uses `buf`. */
enum { HINT_LEN = 160 };
const char *hint_of_memory(char buf[HINT_LEN], bool is_set);

#endif

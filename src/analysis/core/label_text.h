/* Labels of samples as people see them: values as text, and numbers whose units can be compared. */
#ifndef ANALYSIS_CORE_LABEL_TEXT_H
#define ANALYSIS_CORE_LABEL_TEXT_H

#include "assay/model.h"

/* Units of one family can be converted into each other: figures times `factor`. What is no unit of memory or time is a family of its own: numbers as they are. */
enum label_family { LABEL_PLAIN, LABEL_BYTES, LABEL_TIME };
struct label_unit {
    enum label_family family;
    double factor;
};
/* Of the words that pprof knows: b, kb, mb, ..., ns, us, ms, s, min, hr, ..., in any case, also with an s. */
struct label_unit label_unit_of(assay_slice word);
/* Of a label: the unit that the file states, else bytes of the keys "alignment", "request" and "bytes". */
struct label_unit label_unit(const assay_profile *p, uint32_t label);

enum { LABEL_TEXT = 64 };
/* The value of a label: a text of the profile, or a number with its unit ("16 bytes") in `buf`, of LABEL_TEXT bytes. */
assay_slice label_text(const assay_profile *p, uint32_t label, char *buf);

#endif

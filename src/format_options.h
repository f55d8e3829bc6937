/* The options of formats: keys and values that a caller gave become the structure that the format declares. */
#ifndef FORMAT_OPTIONS_H
#define FORMAT_OPTIONS_H

#include "formats/format.h"

/* What was given, as the format's table says. */
struct format_settings {
    void *at; /* the structure; NULL = nothing was given */
    const struct format_options *of;
    struct mem *mem;
};

/* Fills *s, which must be zeroed; end with format_settings_done also after an error. Values are borrowed as long as `s` is used. Errors: USAGE (the format has no
 * such key, or the value is none for it), MEMORY. */
int format_settings_take(struct format_settings *s, const struct format *f, enum assay_option_use use, const struct assay_option *given, size_t count,
                         struct mem *mem, assay_error *err);
void format_settings_done(struct format_settings *s);

#endif

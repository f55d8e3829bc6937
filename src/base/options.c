/* Option structures that may be older or newer than the library; see options.h. */
#include "base/options.h"

#include <stdint.h>
#include <string.h>

#include "base/error.h"

static int is_zero(const unsigned char *p, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (p[i]) return 0;
    return 1;
}

int options_take(void *own, size_t own_size, const void *given, assay_error *err)
{
    size_t size = 0;
    memset(own, 0, own_size);
    memcpy(own, &own_size, sizeof own_size);
    if (!given) return 0;
    memcpy(&size, given, sizeof size);
    const unsigned char *bytes = given;
    if (!size && is_zero(bytes, own_size)) return 0;
    if (size < sizeof size) FAIL(err, ASSAY_ERR_USAGE, "options without a size: set their member 'size' to the size of the structure");
    if (size > own_size && !is_zero(bytes + own_size, size - own_size)) FAIL(err, ASSAY_ERR_USAGE, "options that this version of the library does not know");
    size_t known = size < own_size ? size : own_size;
    memcpy((unsigned char *)own + sizeof size, bytes + sizeof size, known - sizeof size);
    return 0;
}

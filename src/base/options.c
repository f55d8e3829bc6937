/* Option structures that may be older or newer than the library; see base/options.h. */
#include "base/options.h"

#include <string.h>

int options_take_since(void *own, size_t own_size, const void *given, size_t first, assay_error *err)
{
    size_t size = 0;
    const char *bytes = given;
    memset(own, 0, own_size);
    if (given) memcpy(&size, given, sizeof size);
    if (given && !size) size = first;
    if (given && size < sizeof size) FAIL(err, ASSAY_ERR_USAGE, "options of %zu bytes: set their member 'size' to the size of the structure", size);
    for (size_t i = own_size; i < size; i++)
        if (bytes[i]) FAIL(err, ASSAY_ERR_USAGE, "options that this version of the library does not know");
    if (given) memcpy(own, given, size < own_size ? size : own_size);
    memcpy(own, &own_size, sizeof own_size);
    return 0;
}

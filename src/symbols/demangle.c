/* C++ names by libstdc++'s __cxa_demangle; see demangle.h. */
#include "symbols/demangle.h"

#ifdef ASSAY_HAVE_DEMANGLE
#include <stdlib.h>

/* Of the C++ ABI, <cxxabi.h>: the one function of libstdc++ that is used, so no C++ compiler is needed. */
/* NOLINTNEXTLINE(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp): it is the ABI's name */
char *__cxa_demangle(const char *mangled, char *buffer, size_t *len, int *status);

/* It recurses over its input. */
enum { MAX_NAME = 4000, MAX_TEXT = 1 << 20 };

assay_slice demangle(struct arena *text, const char *name, bool *failed)
{
    assay_slice none = { NULL, 0 };
    int status = 0;
    if (name[0] != '_' || name[1] != 'Z' || strnlen(name, MAX_NAME + 1) > MAX_NAME) return none;
    char *shown = __cxa_demangle(name, NULL, NULL, &status);
    if (!shown) return none;
    assay_slice s = slice_of(shown);
    if (status == 0 && s.len <= MAX_TEXT) {
        s.data = arena_copy(text, s);
        *failed |= !s.data;
    } else
        s = none;
    free(shown);
    return s.data ? s : none;
}

#else

assay_slice demangle(struct arena *text, const char *name, bool *failed) { return (void)text, (void)name, (void)failed, (assay_slice){ NULL, 0 }; }

#endif

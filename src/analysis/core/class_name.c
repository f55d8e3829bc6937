/* Classes of functions, by their names; see class_name.h. */
#include "analysis/core/class_name.h"

#include <string.h>

#include "base/slice.h"

enum { OPERATOR = sizeof "operator" - 1 };

/* A separator at name[i]: its length, 0 = there is none. */
static size_t separator_at(assay_slice name, size_t i)
{
    char c = name.data[i], next = i + 1 < name.len ? name.data[i + 1] : '\0';
    if ((c == ':' && next == ':') || (c == '-' && next == '>')) return 2;
    return c == '.' ? 1 : 0;
}

/* What a compiler puts behind the name of a function that it split or cloned. */
static bool is_suffix(assay_slice rest)
{
    static const char *const suffixes[] = { "part.", "constprop.", "isra.", "cold", "llvm.", "lto_priv.", "clone." };
    if (rest.len && rest.data[0] >= '0' && rest.data[0] <= '9') return true;
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
        if (rest.len >= strlen(suffixes[i]) && memcmp(rest.data, suffixes[i], strlen(suffixes[i])) == 0) return true;
    return false;
}

/* "operator<", "operator()" and the like end a name, whatever they contain. */
static bool is_operator(assay_slice name, size_t i)
{
    return name.len - i > OPERATOR && memcmp(name.data + i, "operator", OPERATOR) == 0 && strchr("<>()[]-+*/%=!&|^~,\" ", name.data[i + OPERATOR]) &&
           (!i || strchr(":. *&", name.data[i - 1]));
}

/* Names of files and of what an engine calls no function have no class. */
static bool is_place(assay_slice name)
{
    const char *slash = memchr(name.data, '/', name.len);
    bool is_path = slash && (slash == name.data || memchr(name.data, ' ', (size_t)(slash - name.data)));
    return !name.len || is_path || name.data[0] == '{' || name.data[0] == '<' || name.data[0] == '[';
}

/* Parameters, and not a name in parentheses: the receiver of Go's "(*T)", "(anonymous namespace)". */
static bool is_parameters(assay_slice name, size_t i)
{
    static const char nameless[] = "(anonymous";
    if (name.data[i] != '(' || !i || name.data[i - 1] == '.') return false;
    return name.len - i < sizeof nameless || memcmp(name.data + i, nameless, sizeof nameless - 1) != 0;
}

assay_slice class_name(assay_slice name)
{
    size_t begin = 0, end = 0, depth = 0;
    bool by_dot = true;
    if (is_place(name)) return (assay_slice){ NULL, 0 };
    for (size_t i = 0; i < name.len; i++) {
        char c = name.data[i];
        if (!depth && (is_operator(name, i) || is_parameters(name, i))) break;
        if (!depth && c == ' ') { /* what stands before is a type, or says what it is: "vtable for" */
            if (i + 1 < name.len && name.data[i + 1] == '(' && is_parameters(name, i + 1)) break;
            begin = i + 1;
            end = 0;
            by_dot = true;
            continue;
        }
        if (c == '<' || c == '(' || c == '[' || c == '{') depth++;
        if ((c == '>' && i && name.data[i - 1] != '-' && depth) || ((c == ')' || c == ']' || c == '}') && depth)) depth--;
        size_t len = depth ? 0 : separator_at(name, i);
        assay_slice rest = slice_from(name.data + i + len, name.data + name.len);
        if (!len || i == begin || !rest.len || (len == 1 && (!by_dot || is_suffix(rest)))) continue;
        by_dot = by_dot && len == 1; /* once there is another, a dot is part of a name */
        end = i;
        i += len - 1;
    }
    /* A directory before a package of Go may have dots, too. */
    const char *slash = end ? memchr(name.data + end, '/', name.len - end) : NULL;
    if (by_dot && slash && !memchr(name.data + end, '(', (size_t)(slash - name.data) - end)) end = 0;
    return end ? slice_from(name.data + begin, name.data + end) : (assay_slice){ NULL, 0 };
}

/* What another machine calls the source root; see prefix.h. */
#include "analysis/sources/prefix.h"

#include <string.h>

#include "base/path.h"

/* How many bytes both paths have in common at their end, in whole components. */
static size_t shared_end(const char *a, const char *b)
{
    size_t i = strlen(a), k = strlen(b), len = 0, whole = 0;
    for (; i && k && a[i - 1] == b[k - 1]; i--, k--) {
        if (a[i - 1] == '/') whole = len;
        len++;
    }
    bool is_component = (i == 0 || a[i - 1] == '/') && (k == 0 || b[k - 1] == '/');
    return is_component ? len : whole;
}

bool source_prefix_learn(struct source_prefixes *s, struct mem *mem, const char *written, const char *found)
{
    size_t end = shared_end(written, found);
    if (!end || end == strlen(written)) return true;
    assay_slice from = { written, strlen(written) - end }, to = { found, strlen(found) - end };
    for (size_t i = 0; i < s->list.len; i++) {
        struct source_prefix *p = &s->list.at[i];
        if (!slice_equal(p->from, from) || !slice_equal(p->to, to)) continue;
        p->files++;
        return true;
    }
    struct source_prefix *slot = s->list.len < SOURCE_PREFIXES ? vec_push(mem, &s->list) : NULL;
    if (slot) *slot = (struct source_prefix){ from, to, 1 };
    return slot || s->list.len == SOURCE_PREFIXES;
}

const char *source_prefix_apply(const struct source_prefixes *s, struct arena *text, const char *written, bool *failed)
{
    const struct source_prefix *best = NULL;
    size_t len = strlen(written);
    for (size_t i = 0; i < s->list.len; i++) {
        const struct source_prefix *p = &s->list.at[i];
        if (p->from.len >= len || memcmp(written, p->from.data, p->from.len) != 0) continue;
        if (!best || p->files > best->files || (p->files == best->files && p->from.len > best->from.len)) best = p;
    }
    if (!best) return NULL;
    const char *out = path_join(text, best->to, (assay_slice){ written + best->from.len, len - best->from.len });
    *failed |= !out;
    return out;
}

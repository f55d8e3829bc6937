/* See foreign_json.h. */
#include "formats/foreign_json.h"

#include "formats/coverage/json.h"

/* Where the head opens one object or array too many right at its start; 0 = it does not. */
static size_t too_deep(assay_slice head)
{
    unsigned depth = 0;
    for (size_t i = 0; i < head.len; i++) {
        char c = head.data[i];
        if (c == '[' || c == '{') {
            if (++depth > JSON_READ_DEPTH) return i;
        } else if (c != ' ' && c != '\t' && c != '\r' && c != '\n')
            break;
    }
    return 0;
}

int foreign_json_refuse(const struct probe *p, assay_error *err)
{
    size_t deep = too_deep(p->head);
    if (deep) return error_rule(err, ASSAY_ERR_LIMIT, deep, "J-4", "objects and arrays are nested deeper than 64");
    if (!coverage_json_is_object(p->head)) return 0;
    if (coverage_json_has_key(p->head, 1, "\"file\"") && coverage_json_has_key(p->head, 1, "\"method\""))
        FAIL(err, ASSAY_ERR_UNKNOWN, "is grcov's report for ActiveData (-t ade), which assay does not read: run grcov with -t lcov, cobertura or covdir");
    if (coverage_json_has_key(p->head, 1, "\"snapshot\"") && coverage_json_has_key(p->head, 3, "\"node_fields\""))
        FAIL(err, ASSAY_ERR_UNKNOWN,
             "is a heap snapshot of V8: objects, not the functions that allocated them. Open it in Chrome DevTools (Memory), or record a .heapprofile, which "
             "assay "
             "reads");
    if (coverage_json_has_key(p->head, 1, "\"meta\"") &&
        (coverage_json_has_key(p->head, 4, "\"schema\"") || coverage_json_has_key(p->head, 3, "\"stringTable\"")))
        FAIL(err, ASSAY_ERR_UNKNOWN,
             "is a raw profile of Firefox (Gecko), which assay does not read: open it at profiler.firefox.com and save it there, which makes a processed "
             "profile");
    if (coverage_json_has_key(p->head, 1, "\"coverage\""))
        FAIL(err, ASSAY_ERR_UNKNOWN, "looks like Codecov's custom coverage, which assay does not read: have the program that wrote it write lcov or Cobertura");
    return 0;
}

/* A list of findings (what check reports, what readers warn of). Each rule is listed at most FINDINGS_PER_RULE times; further ones are
 * counted on the last one listed. Errors of memory are sticky in `failed`. */
#ifndef BASE_FINDINGS_H
#define BASE_FINDINGS_H

#include "assay/model.h"
#include "base/arena.h"
#include "base/error.h"
#include "base/vec.h"

enum { FINDINGS_PER_RULE = 100 };

struct findings_rule {
    const char *rule;
    uint64_t count;
    size_t last; /* index of the last finding listed */
};
struct findings {
    struct arena text;
    VEC(assay_finding) list;
    VEC(struct findings_rule) rules;
    uint64_t errors, warnings;
    bool failed;
};

void findings_init(struct findings *f, struct mem *m);
void findings_done(struct findings *f);
/* `rule` must be static. line 0 = none; off FINDING_NO_OFFSET = none. */
#define FINDING_NO_OFFSET UINT64_MAX
void findings_add(struct findings *f, const char *rule, int severity, uint64_t off, uint64_t line, const char *fmt, ...) __attribute__((format(printf, 6, 7)));
/* For dumps: prints those from *marked on, each as a line below what it belongs to, and moves *marked behind them. */
struct output;
void findings_mark(const struct findings *f, size_t *marked, struct output *out);
/* The same, but only the first `count` of all. */
void findings_mark_first(const struct findings *f, size_t *marked, size_t count, struct output *out);
/* Copies one, message included. */
void findings_copy(struct findings *f, const assay_finding *finding);
/* What strict reading does: the first finding of severity error as the error DAMAGED, with its place; 0 when there is none. */
int findings_refuse(const struct findings *f, assay_error *err);

#endif

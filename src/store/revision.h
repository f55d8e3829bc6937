/* Revisions of a store as people write them: NAME or hexadecimal digits, then any of ^ ^0 ^1 ~ ~N; a range A..B, A.., ..B; and :PATH behind. */
#ifndef STORE_REVISION_H
#define STORE_REVISION_H

#include "store/refs.h"

/* ---- the text alone ---- */

struct revision {
    assay_slice name; /* "" = HEAD */
    uint64_t up;      /* how many parents up */
    bool is_nothing;  /* asks for a second parent, which no report has */
};
struct revision_text {
    struct revision from, to; /* `from` only of a range */
    bool is_range;
    assay_slice path; /* behind the colon */
    bool has_path;
};
/* Slices of `text`. With `paths` the first colon ends the revision. Errors: USAGE (`..`, `...`, an empty text). */
int revision_parse(assay_slice text, bool paths, struct revision_text *out, assay_error *err);

/* ---- what it means ---- */

/* A name: as given, then below refs/, refs/tags/, refs/heads/. `full` (REFS_NAME_MAX bytes) gets the name it was found under. UNKNOWN = none. */
int revision_find_ref(struct store *s, assay_slice name, char *full, struct ref_value *out, assay_error *err);

/* The object; zero = past the first report. Errors: UNKNOWN (nothing of that name; an unborn branch: is_unborn says so), AMBIGUOUS. */
int revision_find(struct store *s, const struct revision *r, assay_store_id *out, assay_error *err);

/* The newest report that both chains of parents have; zero = they have none in common. */
int revision_base(struct store *s, const assay_store_id *a, const assay_store_id *b, assay_store_id *out, assay_error *err);

/* One revision or a range, as people type it. */
struct revision_range {
    struct revision_text text;
    assay_store_id from, to; /* zero = past the first report; `from` only of a range: the merge base, which is not shown */
};
/* Errors: those of revision_parse and revision_find. Slices of the text are of `typed`. */
int revision_range(struct store *s, const char *typed, bool paths, struct revision_range *out, assay_error *err);

/* Ids seen on a walk, so that parents that go round end it. */
struct revision_seen {
    struct mem *mem;
    assay_store_id *at;
    size_t len, cap, mask;
    uint32_t *slot;
};
void revision_seen_init(struct revision_seen *seen, struct mem *mem);
void revision_seen_done(struct revision_seen *seen);
bool revision_seen_has(const struct revision_seen *seen, const assay_store_id *id);
/* *is_new false = it was there. Errors: MEMORY. */
int revision_seen_add(struct revision_seen *seen, const assay_store_id *id, bool *is_new, assay_error *err);

#endif

/* What of a revision is looked at: a report, a build or a list of files, what it is compared with, and the part of it that is wanted. */
#ifndef STORE_PUBLIC_SUBJECT_H
#define STORE_PUBLIC_SUBJECT_H

#include "store/changes.h"
#include "store/public/handle.h"

struct subject {
    assay_store *h;
    struct assay_store_part part;
    struct revision_range range;
    assay_slice path;            /* behind the colon, without slashes at its end */
    struct store_object subject; /* a report, a build or a list of files */
    struct store_object list;    /* of the subject, unless it is one itself */
    struct store_object before;  /* the list it is compared with */
    bool has_subject, has_list, has_before;
    assay_store_id now_commit, before_commit;
    struct modules modules;
    struct changes changes;
    const struct cov_file *file; /* that the path names; NULL = none */
};

/* `revision`, which is borrowed, and `part` as assay_store_table_new has them. subject_done is due in any case. Errors: the same. */
int subject_open(struct subject *v, assay_store *h, const char *revision, const struct assay_store_part *part, assay_error *err);
void subject_done(struct subject *v);

static inline const struct cov_files *subject_files(const struct subject *v) { return v->has_list ? &v->list.o.files : &v->subject.o.files; }
static inline enum cov_kind subject_kind(const struct subject *v) { return v->subject.o.kind; }

/* Lines or functions of a file. What cannot be read is left out (*found false) unless the part is strict. */
int subject_details(const struct subject *v, const assay_store_id *id, enum cov_kind kind, struct store_object *out, bool *found, assay_error *err);
/* The text of a source: git's, or the store's own. From the arena. */
int subject_text(const struct subject *v, const struct cov_file *f, struct arena *a, assay_slice *out, assay_error *err);

#endif

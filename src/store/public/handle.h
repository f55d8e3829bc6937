/* The handle of assay/store.h: a store, its settings, and its git repository once that is needed. */
#ifndef STORE_PUBLIC_HANDLE_H
#define STORE_PUBLIC_HANDLE_H

#include "store/config.h"
#include "store/discover.h"
#include "store/refs.h"
#include "store/revision.h"

struct assay_store {
    struct mem mem;
    struct store *s;
    struct config config;
    struct git *git; /* NULL until handle_git */
    char path[GIT_PATH_LEN];
    char git_dir[GIT_PATH_LEN]; /* "" until handle_git_dir */
    bool is_identified;
};

/* The path of the git repository; borrowed. Errors: UNKNOWN. */
int handle_git_dir(assay_store *h, const char **out, assay_error *err);
/* The git repository, opened once; NULL = there is none, `err` says why. Borrowed. */
struct git *handle_git(assay_store *h, assay_error *err);
/* Lets the reflog know who changes references, as git does. */
void handle_identify(assay_store *h);

/* One revision that must name an object; NULL = HEAD. Errors: as assay_store_resolve. */
int handle_resolve(assay_store *h, const char *revision, assay_store_id *out, assay_error *err);
/* The same for a report, which is read. store_object_done is due after success. Errors: DAMAGED, too. */
int handle_report(assay_store *h, const char *revision, assay_store_id *id, struct store_object *out, assay_error *err);

/* A record as callers see it: slices and builds are borrowed from it. */
assay_store_report handle_report_of(const assay_store_id *id, const struct cov_report *r);

/* ---- walks ---- */

struct assay_store_walk {
    assay_store *h;
    assay_store_id at, end; /* the next report; the one that is not shown any more */
    struct revision_seen seen;
    struct store_object o; /* the last one */
    bool has_object;
    assay_store_report report;
};
/* The next report in w->at's place, as a record; *out NULL = no more. *id is its id. */
int walk_step(assay_store_walk *w, assay_store_id *id, const struct cov_report **out, assay_error *err);

#endif

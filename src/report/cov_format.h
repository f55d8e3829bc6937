/* Reports, builds and file lists of a coverage store as text, by a format with placeholders (docs/cov.md lists them) or one of the predefined ones.
 * What is printed is an interface: scripts read it. */
#ifndef REPORT_COV_FORMAT_H
#define REPORT_COV_FORMAT_H

#include "base/output.h"
#include "store/props.h"
#include "store/rating.h"

/* ---- references, for decorations ---- */

struct cov_name {
    const char *name; /* without refs/heads/ or refs/tags/ */
    assay_store_id id;
    bool is_tag;
};
/* Tags by name, then branches by name; HEAD apart. */
struct cov_names {
    struct arena text;
    VEC(struct cov_name) at;
    assay_store_id head;
    bool has_head;
    const char *branch; /* that HEAD stands for; NULL = detached */
};

struct store;
/* All references that lead to something; broken ones are left out. cov_names_done is due in any case. */
int cov_names_load(struct cov_names *n, struct store *s, assay_error *err);
void cov_names_done(struct cov_names *n);

/* ---- how it looks ---- */

struct cov_look {
    struct mem *mem;
    const struct rating *rating;
    const struct cov_names *names;
    bool color, decorate, prop_names, abbrev;
    uint64_t now;
};

/* ---- what is shown ---- */

struct cov_subject {
    enum cov_kind kind; /* COV_REPORT, COV_BUILD or COV_FILES */
    assay_store_id id;
    const struct cov_report *report; /* of COV_REPORT */
    const struct cov_build *build;   /* of COV_BUILD */
    /* Reads a build that a report names; only asked when the format needs more than the report has. 0 = it is in *out. */
    int (*load)(void *arg, const assay_store_id *id, struct cov_build *out);
    void *arg;
};

/* The format that a name stands for: NULL = the text is one itself. A name that means nothing is `medium`; pretty:, format: and tformat: are taken
 * off by cov_format_custom. */
const char *cov_format_predefined(const char *name);
/* The format in a text that is one, or NULL when it is a name. */
const char *cov_format_custom(const char *text);

/* Prints it, and a newline. `align`: labels that end with \1 get a column (predefined formats). Errors are those of `out`. */
void cov_format_print(struct output *out, const char *format, bool align, const struct cov_subject *s, const struct cov_look *look);

/* "(HEAD -> main, tag: v1)" and the like are placeholders; these print properties in the same way. */
void cov_format_props(struct output *out, assay_slice propset, const struct cov_look *look, bool brackets);

/* ESC [ ... m when the look is coloured. */
void cov_ink(struct output *out, const struct cov_look *look, const char *codes);
/* The colour of a mark: 31, 33 or 32. */
unsigned cov_mark_ink(enum rating_mark mark);

#endif

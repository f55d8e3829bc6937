/* What the files of the import share; for nobody else. */
#ifndef STORE_IMPORT_PARTS_H
#define STORE_IMPORT_PARTS_H

#include "store/import.h"
#include "store/parts.h"

struct importer {
    struct store *s;
    struct git *git;
    const struct import_input *in;
    const struct import_options *options;
    struct arena arena; /* what lasts for the whole import */
    struct git_commit_facts commit;
    char *root; /* the real path of the work tree; NULL = bare */
    struct cov_file *files;
    size_t file_count;
    assay_store_stats stats; /* of the build: all files that came in */
    struct cov_report report;
    assay_store_id build_list; /* the list of files of this build */
    assay_store_id build;
    struct store_object base; /* the report whose builds stay */
    bool has_base;
};

/* What the import knows of a source. */
struct import_source {
    bool is_skipped;
    assay_store_id contents;
    uint32_t line_count; /* 0 = not known: the text is not what was measured */
    bool is_modified;
};
/* Finds the source of a file and, if git does not have it, writes it as a blob. Errors: UNKNOWN (no such source). */
int import_find_source(struct importer *m, const struct import_file *f, struct import_source *out, assay_error *err);
/* Where a path leads in the work tree `root` (a real path, or NULL), in FOLDER_PATH_MAX bytes; links that lead out of it are not followed. false =
 * there is nothing. */
bool import_work_file(const char *root, assay_slice path, char *real);
void import_warn(const struct importer *m, assay_slice path, const char *message);

/* Joins the files of the import with those of the report `m->base`: m->files afterwards has all of them, sorted. */
int import_join(struct importer *m, assay_error *err);

void import_add_stats(assay_store_stats *sum, const struct cov_file *f);
/* Writes lines and functions of a file, and fills its entry. The lists may be changed: functions are sorted. */
int import_put_details(struct importer *m, struct cov_lines *l, struct cov_functions *f, struct cov_file *out, assay_error *err);

#endif

/* Single objects as inputs and outputs, in both dialects; the entries of the format table call these. */
#ifndef FORMATS_COV_COV_H
#define FORMATS_COV_COV_H

#include "formats/cov/object.h"
#include "formats/format.h"

/* An object that was read from an input. */
struct cov_loaded {
    struct arena arena;
    struct cov_unpacker unpacker;
    struct cov_object o;
    enum cov_framing framing;
    assay_store_id id;
    uint64_t stored_len;
};
/* Reads and parses; what is wrong goes to `findings` (C01 to C24, the last by the name of the file). cov_loaded_done is always due. Errors:
 * those of inputs. */
int cov_load(const struct read_job *job, enum cov_dialect dialect, struct cov_loaded *l, struct findings *findings, assay_error *err);
void cov_loaded_done(struct cov_loaded *l);
/* What an input may unpack to: the caller's limit, or that of rule C05. */
uint64_t cov_limit(const struct assay_read_options *options);

int cov_probe(const struct probe *p, enum cov_dialect dialect, const char **why);
int cov_read(const struct read_job *job, enum cov_dialect dialect, assay_builder *b, assay_error *err);
int cov_check(const struct read_job *job, enum cov_dialect dialect, struct findings *out, assay_error *err);
int cov_dump(const struct read_job *job, enum cov_dialect dialect, struct output *out, assay_error *err);
/* Any dialect in, this one out. */
int cov_rewrite(const struct read_job *job, enum cov_dialect dialect, struct output *out, assay_error *err);
/* The lines, or with job->version "functions" the functions, of the one file of a profile. */
int cov_write(const assay_profile *p, const struct write_job *job, enum cov_dialect dialect, struct output *out, assay_error *err);
uint32_t cov_write_wants(const struct assay_write_options *options, const char *version);
extern const char *const cov_versions[];

/* ---- records -> builder; also for whole stores ---- */

void cov_build_text(assay_builder *b, const char *key, assay_slice value);
void cov_build_id(assay_builder *b, const char *key, const assay_store_id *id);
void cov_build_report(assay_builder *b, const struct cov_report *r);
/* Metrics and stated figures: scope is "report", "build ID", ... */
void cov_build_stats(assay_builder *b, assay_slice scope, const assay_store_stats *s);
void cov_build_metrics(assay_builder *b, const assay_store_stats *s);
assay_file_id cov_build_file(assay_builder *b, const struct cov_file *f);
void cov_build_lines(assay_builder *b, assay_file_id file, const struct cov_lines *l);
void cov_build_functions(assay_builder *b, assay_file_id file, const struct cov_functions *f);

/* ---- pieces of the dump that stores print too ---- */

void cov_dump_object(struct output *out, const struct cov_object *o);

#endif

/* What writers of functions share, whether they draw them or list them: they are only written, from functions and their cost. */
#ifndef FORMATS_CALLGRAPH_FUNCTIONS_H
#define FORMATS_CALLGRAPH_FUNCTIONS_H

#include "assay/analysis.h"
#include "formats/format.h"

/* A format that is only written: 0. */
int callgraph_probe(const struct probe *p, const char **why);
/* The functions of a profile. Errors: UNSUPPORTED (it has no function costs), MEMORY. */
int callgraph_functions(const assay_profile *p, assay_top **top, assay_error *err);
/* The metric that the options name, or the default, by its place in the rows. Errors: USAGE. */
int callgraph_metric(const assay_profile *p, const assay_top *top, const char *name, uint32_t *k, assay_error *err);
/* What is lost when functions stand for everything: contexts, all metrics but one, streams. */
void callgraph_losses(const assay_profile *p, const assay_top *top, const struct write_job *job);

#endif

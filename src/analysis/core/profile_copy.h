/* Parts of one profile into the builder of another. Errors are sticky in the builder. */
#ifndef ANALYSIS_CORE_PROFILE_COPY_H
#define ANALYSIS_CORE_PROFILE_COPY_H

#include "assay/build.h"
#include "model/schema.h"

/* A string of `from` in `to`; 0 stays 0. */
assay_str_id profile_copy_string(const assay_profile *from, assay_builder *to, uint32_t id);
/* A row with the strings of `to`; other ids are as they were. */
void profile_copy_load(const assay_profile *from, assay_builder *to, enum schema_number table, uint64_t row, union schema_cell *cells);
/* All rows of a table, as they are, before `to` has any; what they refer to has been copied likewise. */
void profile_copy_table(const assay_profile *from, assay_builder *to, enum schema_number table);
/* The same without rows of streams that are left out; stream[s] as in profile_copy_facts. The metrics of values are set. */
void profile_copy_streams(const assay_profile *from, assay_builder *to, enum schema_number table, const uint32_t *stream);
/* Modules, files and functions, before `to` has any. Whole tables are copied in their order, so ids stay what they were. */
void profile_copy_names(const assay_profile *from, assay_builder *to);
/* The metrics of a block as new ones that a shape has, with their totals; list[k] becomes the number of the k-th. */
void profile_copy_metrics(const assay_profile *from, assay_builder *to, const struct assay_block *block, uint32_t shape, assay_metric_id *list);
/* A new stream with the label and id tuple of this one. */
void profile_copy_stream(const assay_profile *from, assay_builder *to, uint32_t stream);
/* Attributes, warnings, the source and what it offers; stream[s] = the stream of `to`, PROFILE_COPY_NONE = what is said of it is left out. */
#define PROFILE_COPY_NONE UINT32_MAX
void profile_copy_facts(const assay_profile *from, assay_builder *to, const uint32_t *stream);
/* What a tree says of a node. */
struct assay_node profile_copy_node(const struct assay_tree *tree, uint32_t id);

#endif

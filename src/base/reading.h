/* How an input is to be read, as options say it: the settings of the command and those of the library's verbs have one of these each. */
#ifndef BASE_READING_H
#define BASE_READING_H

#include "assay/filter.h"
#include "assay/format.h"
#include "base/option.h"

struct reading {
    const char *from;
    bool strict;
    uint64_t max_memory, max_output, max_string, threads;
    bool no_symbols, no_loops, no_structures, foreign;
    bool deep, sources;
    struct option_pairs format_options;
    struct words symbols;
    struct path_maps maps;
    struct words source_roots, includes, excludes, exclude_lines;
    bool follow_links, exclusions;
    bool throw_branches, unreachable_branches;                                                                                  /* not to be counted */
    struct words tag_focus, tag_ignore, tag_root, tag_leaf;                                                                     /* of labels */
    struct words focus, ignore, focus_self, hide, hide_path, collapse, show, show_from, only_modules, only_files, only_streams; /* of cost */
    const char *time;
};

/* The filters of cost alone, without those of labels and time, as the timeline has them. */
struct assay_filter reading_cost_filter(const struct reading *r);
/* Whether one of them was given. */
bool reading_has_cost_filter(const struct reading *r);

/* Read options, but for progress and style. They borrow from `r`, and `filter`, which is filled in, as long as they are used. */
struct assay_read_options reading_options(const struct reading *r, uint32_t want, struct assay_filter *filter);

/* ASSAY_ERR_USAGE if an expression is not one; to be asked once, before any file is read. */
int reading_check(const struct reading *r, assay_error *err);

void reading_done(struct reading *r, struct mem *mem);

#endif

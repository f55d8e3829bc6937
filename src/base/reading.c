/* The settings of reading as read options and filters; an option that was not given leaves its field empty, and so asks for nothing. */
#include "base/reading.h"

#include "assay/filter.h"
#include "base/parallel.h"
#include "base/pattern.h"
#include "base/vec.h"

struct assay_filter reading_cost_filter(const struct reading *r)
{
    return (struct assay_filter){
        .size = sizeof(struct assay_filter),
        .focus = r->focus.at,
        .focus_count = r->focus.len,
        .ignore = r->ignore.at,
        .ignore_count = r->ignore.len,
        .hide = r->hide.at,
        .hide_count = r->hide.len,
        .collapse = r->collapse.at,
        .collapse_count = r->collapse.len,
        .show = r->show.at,
        .show_count = r->show.len,
        .show_from = r->show_from.at,
        .show_from_count = r->show_from.len,
        .focus_self = r->focus_self.at,
        .focus_self_count = r->focus_self.len,
        .hide_paths = r->hide_path.at,
        .hide_path_count = r->hide_path.len,
        .modules = r->only_modules.at,
        .module_count = r->only_modules.len,
        .files = r->only_files.at,
        .file_count = r->only_files.len,
        .streams = r->only_streams.at,
        .stream_count = r->only_streams.len,
        .max_memory = r->max_memory,
    };
}

bool reading_has_cost_filter(const struct reading *r)
{
    bool has_names =
        r->focus.len || r->ignore.len || r->hide.len || r->collapse.len || r->show.len || r->show_from.len || r->focus_self.len || r->hide_path.len;
    return has_names || r->only_modules.len || r->only_files.len || r->only_streams.len;
}

/* All filters; `to` points into `r`. */
static void fill_filter(const struct reading *r, struct assay_filter *to)
{
    *to = reading_cost_filter(r);
    to->max_memory = 0; /* the read options have it */
    to->maps = r->maps.at;
    to->map_count = r->maps.len;
    to->source_roots = r->source_roots.at;
    to->source_root_count = r->source_roots.len;
    to->follow_links = r->follow_links;
    to->includes = r->includes.at;
    to->include_count = r->includes.len;
    to->excludes = r->excludes.at;
    to->exclude_count = r->excludes.len;
    to->marks = r->exclusions ? ASSAY_MARKS_ALL : 0;
    to->tag_focus = r->tag_focus.at;
    to->tag_focus_count = r->tag_focus.len;
    to->tag_ignore = r->tag_ignore.at;
    to->tag_ignore_count = r->tag_ignore.len;
    to->tag_root = r->tag_root.at;
    to->tag_root_count = r->tag_root.len;
    to->tag_leaf = r->tag_leaf.at;
    to->tag_leaf_count = r->tag_leaf.len;
    to->time = r->time;
    to->throw_branches = r->throw_branches;
    to->unreachable_branches = r->unreachable_branches;
    to->exclude_lines = r->exclude_lines.at;
    to->exclude_line_count = r->exclude_lines.len;
}

static bool has_filter(const struct reading *r)
{
    bool has_labels = r->tag_focus.len || r->tag_ignore.len || r->tag_root.len || r->tag_leaf.len;
    bool has_rules = r->exclusions || r->throw_branches || r->unreachable_branches || r->exclude_lines.len;
    bool has_paths = r->maps.len || r->source_roots.len || r->includes.len || r->excludes.len;
    return reading_has_cost_filter(r) || has_labels || r->time || has_rules || has_paths;
}

struct assay_read_options reading_options(const struct reading *r, uint32_t want, struct assay_filter *filter)
{
    fill_filter(r, filter);
    return (struct assay_read_options){
        .size = sizeof(struct assay_read_options),
        .format = r->from,
        .want = want,
        .strict = r->strict,
        .max_memory = r->max_memory,
        .max_output = r->max_output,
        .max_string = r->max_string,
        .no_symbols = r->no_symbols,
        .no_loops = r->no_loops,
        .no_structures = r->no_structures,
        .foreign = r->foreign,
        .symbol_paths = r->symbols.at,
        .symbol_path_count = r->symbols.len,
        .maps = r->maps.at,
        .map_count = r->maps.len,
        .deep = r->deep,
        .sources = r->sources || r->source_roots.len,
        .filter = has_filter(r) ? filter : NULL,
        .options = r->format_options.at,
        .option_count = r->format_options.len,
        .threads = parallel_workers(r->threads),
    };
}

int reading_check(const struct reading *r, assay_error *err)
{
    const struct words *const lists[] = { &r->focus, &r->ignore, &r->hide, &r->collapse, &r->show, &r->show_from, &r->focus_self };
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++)
        for (size_t i = 0; i < lists[k]->len; i++) {
            struct mem mem;
            struct pattern *pattern;
            mem_init(&mem, 0);
            int rc = pattern_new(&pattern, lists[k]->at[i], &mem, err);
            pattern_free(pattern);
            if (rc == ASSAY_ERR_USAGE) return rc;
        }
    return 0;
}

void reading_done(struct reading *r, struct mem *mem)
{
    vec_done(mem, &r->symbols, &r->source_roots, &r->includes, &r->excludes, &r->exclude_lines, &r->format_options, &r->maps);
    vec_done(mem, &r->tag_focus, &r->tag_ignore, &r->tag_root, &r->tag_leaf);
    vec_done(mem, &r->focus, &r->ignore, &r->focus_self, &r->hide, &r->hide_path, &r->collapse);
    vec_done(mem, &r->show, &r->show_from, &r->only_modules, &r->only_files, &r->only_streams);
}

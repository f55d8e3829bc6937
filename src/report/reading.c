/* How the inputs of a report are read; see verb.h. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "analysis/core/metric_columns.h"
#include "base/parallel.h"
#include "report/verb.h"

/* NULL = everything as it is. */
static const struct assay_filter *filter_of(assay_reporter *r)
{
    const struct settings *s = &r->set;
    r->filter = (struct assay_filter){
        .size = sizeof r->filter,
        .maps = s->maps.at,
        .map_count = s->maps.len,
        .source_roots = s->source_roots.at,
        .source_root_count = s->source_roots.len,
        .follow_links = s->follow_links,
        .includes = s->includes.at,
        .include_count = s->includes.len,
        .excludes = s->excludes.at,
        .exclude_count = s->excludes.len,
        .marks = s->exclusions ? ASSAY_MARKS_ALL : 0,
        .focus = s->focus.at,
        .focus_count = s->focus.len,
        .ignore = s->ignore.at,
        .ignore_count = s->ignore.len,
        .hide = s->hide.at,
        .hide_count = s->hide.len,
        .collapse = s->collapse.at,
        .collapse_count = s->collapse.len,
        .show = s->show.at,
        .show_count = s->show.len,
        .show_from = s->show_from.at,
        .show_from_count = s->show_from.len,
        .focus_self = s->focus_self.at,
        .focus_self_count = s->focus_self.len,
        .hide_paths = s->hide_path.at,
        .hide_path_count = s->hide_path.len,
        .tag_focus = s->tag_focus.at,
        .tag_focus_count = s->tag_focus.len,
        .tag_ignore = s->tag_ignore.at,
        .tag_ignore_count = s->tag_ignore.len,
        .tag_root = s->tag_root.at,
        .tag_root_count = s->tag_root.len,
        .tag_leaf = s->tag_leaf.at,
        .tag_leaf_count = s->tag_leaf.len,
        .modules = s->only_modules.at,
        .module_count = s->only_modules.len,
        .files = s->only_files.at,
        .file_count = s->only_files.len,
        .streams = s->only_streams.at,
        .stream_count = s->only_streams.len,
        .time = s->time,
        .throw_branches = s->throw_branches,
        .unreachable_branches = s->unreachable_branches,
        .exclude_lines = s->exclude_lines.at,
        .exclude_line_count = s->exclude_lines.len,
    };
    bool has_names =
        s->focus.len || s->ignore.len || s->hide.len || s->collapse.len || s->show.len || s->show_from.len || s->focus_self.len || s->hide_path.len;
    bool has_labels = s->tag_focus.len || s->tag_ignore.len || s->tag_root.len || s->tag_leaf.len;
    bool has_cost = has_names || has_labels || s->only_modules.len || s->only_files.len || s->only_streams.len || s->time;
    bool has_rules = s->exclusions || s->throw_branches || s->unreachable_branches || s->exclude_lines.len;
    return has_cost || has_rules || s->maps.len || s->source_roots.len || s->includes.len || s->excludes.len ? &r->filter : NULL;
}

struct assay_read_options report_read_options(assay_reporter *r, uint32_t want)
{
    const struct settings *s = &r->set;
    return (struct assay_read_options){
        .size = sizeof(struct assay_read_options),
        .format = s->from,
        .want = want,
        .strict = s->strict,
        .max_memory = s->max_memory,
        .max_output = s->max_output,
        .max_string = s->max_string,
        .progress = r->sink.progress,
        .progress_arg = r->sink.arg,
        .no_symbols = s->no_symbols,
        .no_loops = s->no_loops,
        .foreign = s->foreign,
        .symbol_paths = s->symbols.at,
        .symbol_path_count = s->symbols.len,
        .maps = s->maps.at,
        .map_count = s->maps.len,
        .deep = s->deep,
        .sources = s->sources || s->source_roots.len,
        .filter = filter_of(r),
        .no_structures = s->no_structures,
        .options = s->format_options.at,
        .option_count = s->format_options.len,
        .threads = parallel_workers(s->threads),
    };
}

void report_say_filters(const assay_reporter *r, const char *path, const assay_profile *p)
{
    size_t count;
    const assay_finding *f = assay_profile_warnings(p, &count);
    for (size_t i = 0; i < count; i++)
        if ((strncmp(f[i].rule, "FI-", 3) == 0 || strcmp(f[i].rule, "CG32") == 0) && f[i].severity != ASSAY_INFO) report_say(r, "%s: %s", path, f[i].message);
}

void report_say_damage(const assay_reporter *r, const char *path, const assay_profile *p)
{
    const assay_finding *first;
    uint64_t count = assay_profile_damage(p, &first);
    char more[48] = "";
    if (count > 1) snprintf(more, sizeof more, " and %llu more", (unsigned long long)count - 1);
    if (count) report_say(r, "%s: damaged: %s (%s)%s; 'assay check' lists all problems", path, first->message, first->rule, more);
}

int report_read(assay_reporter *r, const char *path, assay_profile **out, assay_error *err)
{
    struct assay_read_options o = report_read_options(r, assay_reporter_want(r));
    if (r->verb->reading) r->verb->reading(r, &o);
    int rc = assay_read(path, &o, out, err);
    if (rc != 0) return rc;
    if (!r->verb->tells_filters) report_say_filters(r, path, *out);
    return metric_sums_add(out, r->set.metric, o.max_memory, err);
}

uint64_t report_file_size(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode) ? (uint64_t)st.st_size : 0;
}

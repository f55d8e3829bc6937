/* What the filters of cost leave of a profile; see select.h. Names keep their ids, so that each shape can be left out or taken over by itself. */
#include "analysis/select/select.h"

#include <stdio.h>
#include <string.h>

#include "analysis/core/profile_copy.h"
#include "base/error.h"
#include "base/number.h"
#include "base/output.h"
#include "base/slice.h"
#include "model/entry.h"

bool select_has_frames(const struct assay_filter *f)
{
    return f->focus_count || f->ignore_count || f->hide_count || f->collapse_count || f->show_count || f->show_from_count || f->focus_self_count ||
           f->hide_path_count || f->module_count || f->file_count;
}

bool select_has_labels(const struct assay_filter *f) { return f->tag_focus_count || f->tag_ignore_count || f->tag_root_count || f->tag_leaf_count; }

bool select_is_asked(const struct assay_filter *f) { return select_has_frames(f) || select_has_labels(f) || f->stream_count || f->time; }

uint32_t select_want(uint32_t want, const struct assay_filter *f)
{
    if (!want) want = ASSAY_WANT_ALL & ~(uint32_t)(ASSAY_WANT_TREE | ASSAY_WANT_WHOLE);
    want &= ~(uint32_t)ASSAY_WANT_SPARSE;
    want &= ~(uint32_t)ASSAY_WANT_TOTALS; /* what is left out has to be seen before it is counted */
    if (want & ASSAY_WANT_GRAPH && (select_has_frames(f) || f->stream_count)) want |= ASSAY_WANT_GRAPH;
    if (select_has_frames(f) || f->time) want |= ASSAY_WANT_TREE;
    if (select_has_labels(f)) want |= ASSAY_WANT_TREE | ASSAY_WANT_LABELS;
    if (f->time) want |= ASSAY_WANT_TIMELINE;
    return want;
}

/* ---- metrics ---- */

/* The shapes that are taken over. */
static uint32_t shapes_left(const struct select *s)
{
    uint32_t shapes = assay_profile_shapes(s->p) & (ASSAY_SHAPE_TREE | ASSAY_SHAPE_GRAPH | ASSAY_SHAPE_LINES | ASSAY_SHAPE_TIMELINE | ASSAY_SHAPE_LABELS);
    if (!s->keeps_events) shapes &= ~(uint32_t)ASSAY_SHAPE_TIMELINE;
    if (shapes & ASSAY_SHAPE_TREE && select_has_frames(s->filter)) shapes &= ~(uint32_t)ASSAY_SHAPE_GRAPH;
    /* a profile in which nothing was measured is a graph without rows */
    return shapes || !assay_profile_graph(s->p)->block.metric_count ? shapes : ASSAY_SHAPE_GRAPH;
}

/* Formulas stay as texts: what the file states of them, it states of the whole. */
static int copy_metrics(struct select *s, uint32_t shapes, assay_error *err)
{
    const struct assay_metrics *m = assay_profile_metrics(s->p);
    s->metrics = (size_t)m->count + 1;
    s->metric = mem_zalloc(&s->mem, s->metrics, sizeof *s->metric);
    if (!s->metric) return error_memory(err);
    for (uint32_t i = 1; i < s->metrics; i++) {
        uint32_t carried = AT(m->shapes, i) & shapes;
        const assay_str_id *columns[3] = { m->unit, m->description, m->formula };
        const char *name = assay_profile_string(s->p, m->name[i]).data, *texts[3];
        for (int t = 0; t < 3; t++) texts[t] = assay_profile_string(s->p, (assay_str_id){ ID(columns[t], i) }).data;
        if (!carried && !texts[2]) continue;
        assay_metric_id id = assay_build_metric(s->b, name ? name : "", texts[0], (enum assay_type)AT(m->type, i), carried);
        assay_build_metric_text(s->b, id, texts[1], texts[2], AT(m->hidden, i));
        builder_copy_metric(s->b, id, s->p, i);
        s->metric[i] = id.v;
    }
    return assay_builder_failed(s->b);
}

/* ---- what is said of it ---- */

static void put_list(struct output *out, const char *name, const char *const *texts, size_t count)
{
    for (size_t i = 0; i < count; i++) output_printf(out, " %s=%s", name, texts[i]);
}

/* "focus=parse hide=^std::" */
static int describe(struct select *s, assay_error *err)
{
    const struct assay_filter *f = s->filter;
    struct output *out;
    TRY(output_open_memory(&out, &s->mem, err));
    put_list(out, "focus", f->focus, f->focus_count);
    put_list(out, "ignore", f->ignore, f->ignore_count);
    put_list(out, "focus-self", f->focus_self, f->focus_self_count);
    put_list(out, "hide", f->hide, f->hide_count);
    put_list(out, "hide-path", f->hide_paths, f->hide_path_count);
    put_list(out, "collapse", f->collapse, f->collapse_count);
    put_list(out, "show", f->show, f->show_count);
    put_list(out, "show-from", f->show_from, f->show_from_count);
    put_list(out, "tag-focus", f->tag_focus, f->tag_focus_count);
    put_list(out, "tag-ignore", f->tag_ignore, f->tag_ignore_count);
    put_list(out, "tag-root", f->tag_root, f->tag_root_count);
    put_list(out, "tag-leaf", f->tag_leaf, f->tag_leaf_count);
    put_list(out, "module", f->modules, f->module_count);
    put_list(out, "file", f->files, f->file_count);
    put_list(out, "stream", f->streams, f->stream_count);
    put_list(out, "time", &f->time, f->time != NULL);
    assay_slice text = output_memory(out);
    assay_build_attribute(s->b, (assay_stream_id){ 0 }, "filtered", 8, text.data + 1, text.len - 1);
    output_abort(out);
    return 0;
}

void select_state_whole(assay_builder *b, assay_slice name, enum assay_type type, assay_wide total, double total_double)
{
    char key[160], value[48];
    int len = snprintf(key, sizeof key, "whole.%.*s", (int)(name.len < 140 ? name.len : 140), name.data ? name.data : "");
    size_t value_len = type == ASSAY_F64 ? number_put_double(value, total_double) : number_put_wide(value, total);
    assay_build_attribute(b, (assay_stream_id){ 0 }, key, (size_t)len, value, value_len);
}

/* Reports tell which share of it is left. A window of time and a choice of labels have said so already. */
static void state_wholes(struct select *s)
{
    const struct assay_metrics *m = assay_profile_metrics(s->p);
    const assay_wide none = { 0, 0 };
    for (uint32_t i = 1; i < s->metrics && !s->filter->time && !select_has_labels(s->filter); i++)
        if (s->metric[i] && !ID(m->formula, i))
            select_state_whole(s->b, assay_profile_string(s->p, m->name[i]), (enum assay_type)AT(m->type, i), m->total ? m->total[i] : none,
                               AT(m->total_double, i));
}

static int copy_facts(struct select *s, assay_error *err)
{
    profile_copy_facts(s->p, s->b, s->stream);
    TRY(describe(s, err));
    state_wholes(s);
    for (size_t i = 0; i < s->found.list.len; i++) assay_build_warning(s->b, &s->found.list.at[i]);
    return s->found.failed ? error_memory(err) : assay_builder_failed(s->b);
}

/* ---- all of it ---- */

static int fill(struct select *s, assay_error *err)
{
    uint32_t shapes = shapes_left(s);
    profile_copy_names(s->p, s->b);
    for (uint32_t i = 1; i < s->streams; i++)
        if (s->stream[i] != SELECT_NO_STREAM) profile_copy_stream(s->p, s->b, i);
    TRY(copy_metrics(s, shapes, err));
    profile_copy_table(s->p, s->b, SCHEMA_T_LABELS);
    profile_copy_table(s->p, s->b, SCHEMA_T_LABEL_SETS);
    if (shapes & ASSAY_SHAPE_TREE) TRY(select_tree(s, err));
    if (shapes & ASSAY_SHAPE_GRAPH) TRY(select_graph(s, err));
    if (shapes & ASSAY_SHAPE_LINES) TRY(select_lines(s, err));
    if (!(shapes & ASSAY_SHAPE_TREE)) TRY(select_moments(s, NULL, err));
    return copy_facts(s, err);
}

/* Names and streams have the same ids in a part of the time. */
static int narrow(struct select *s, assay_profile **cut, assay_error *err)
{
    TRY(select_match(s, err));
    if (!s->filter->time) return 0;
    TRY(select_time(s, cut, err));
    s->p = *cut;
    return 0;
}

static int apply(assay_profile *p, const struct assay_filter *filter, uint32_t want, assay_profile **out, assay_error *err)
{
    struct select s = { .p = p, .filter = filter, .keeps_events = want & ASSAY_WANT_TIMELINE, .has_totals_only = want & ASSAY_WANT_TOTALS };
    assay_profile *cut = NULL;
    mem_init(&s.mem, (size_t)filter->max_memory);
    s.b = assay_builder_new(&(struct assay_build_options){ .want = ASSAY_WANT_ALL, .max_memory = filter->max_memory }, err);
    if (!s.b) return err->code;
    findings_init(&s.found, &s.mem);
    int rc = narrow(&s, &cut, err);
    if (rc == 0) rc = fill(&s, err);
    assay_profile_release(cut);
    select_match_done(&s);
    mem_free(&s.mem, s.metric, s.metrics * sizeof *s.metric);
    mem_free(&s.mem, s.seen, s.nodes);
    findings_done(&s.found);
    if (rc == 0 || assay_builder_failed(s.b)) {
        *out = assay_builder_seal(s.b, err);
        return *out ? 0 : err->code;
    }
    assay_builder_free(s.b);
    return rc;
}

int select_apply(assay_profile *p, const struct assay_filter *filter, uint32_t want, assay_profile **out, assay_error *err)
{
    assay_profile *labelled = NULL;
    if (filter->time && select_has_labels(filter)) FAIL(err, ASSAY_ERR_USAGE, "a time range and labels cannot be selected together");
    if (select_has_labels(filter)) TRY(select_labels(p, filter, &labelled, err));
    int rc = apply(labelled ? labelled : p, filter, want, out, err);
    assay_profile_release(labelled);
    return rc;
}

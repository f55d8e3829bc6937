/* What is left of the cost of lines: those of the streams and files that are meant, and of functions that fit, where the profile says which lines a
 * function has. Lines know nothing of stacks. See select.h. */
#include "analysis/select/select.h"
#include "base/error.h"
#include "base/order.h"
#include "base/scoped.h"
#include "base/sort.h"
#include "model/entry.h"

/* Lines of functions, in the order of files and lines; no two of one file overlap once they are joined. */
struct extent {
    uint32_t file, first, last;
};
struct extents {
    struct extent *at;
    size_t len;
};

static int by_place(const void *x, const void *y)
{
    const struct extent *a = x, *b = y;
    ORDER_BY(a->file, b->file);
    ORDER_BY(a->first, b->first);
    return ORDER(a->last, b->last);
}

static void join(struct extents *e)
{
    size_t n = 0;
    for (size_t i = 0; i < e->len; i++) {
        struct extent *before = n ? &e->at[n - 1] : NULL;
        if (before && before->file == e->at[i].file && e->at[i].first <= before->last) {
            if (e->at[i].last > before->last) before->last = e->at[i].last;
        } else
            e->at[n++] = e->at[i];
    }
    e->len = n;
}

static void extents_fill(struct extents *e, const struct select *s, enum select_fit fit)
{
    const struct assay_funcs *f = assay_profile_funcs(s->p);
    for (uint32_t i = 1; i < s->funcs; i++) {
        uint32_t first = AT(f->first_line, i), last = AT(f->last_line, i);
        if (s->func[i] & fit && ID(f->file, i) && first) e->at[e->len++] = (struct extent){ f->file[i].v, first, last > first ? last : first };
    }
    sort_by(e->at, e->len, sizeof *e->at, by_place);
    join(e);
}

static bool has_line(const struct extents *e, uint32_t file, uint32_t line)
{
    size_t low = 0, high = e->len;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct extent *x = &e->at[middle];
        if (x->file < file || (x->file == file && x->last < line))
            low = middle + 1;
        else
            high = middle;
    }
    return low < e->len && e->at[low].file == file && e->at[low].first <= line;
}

struct lining {
    struct select *s;
    const struct assay_lines *l;
    struct extents in, out;
};

static bool is_left(const struct lining *k, uint32_t row)
{
    const struct select *s = k->s;
    uint32_t file = ID(k->l->file, row), line = AT(k->l->line, row);
    if (s->stream[ID(k->l->stream, row)] == SELECT_NO_STREAM || (s->file && !s->file[file])) return false;
    if (s->module && !s->module[ID(assay_profile_files(s->p)->module, file)]) return false;
    if (s->filter->focus_count && !has_line(&k->in, file, line)) return false;
    return !has_line(&k->out, file, line);
}

static void copy_rows(struct lining *k)
{
    const struct assay_lines *l = k->l;
    size_t width = l->block.metric_count;
    for (uint32_t i = 0; i < l->count; i++) {
        if (!is_left(k, i)) continue;
        struct assay_line at = { { k->s->stream[ID(l->stream, i)] }, AT(l->level, i), { ID(l->file, i) }, AT(l->line, i) };
        assay_build_line(k->s->b, &at, AT(l->hits, i), l->self ? l->self + i * width : NULL, l->total ? l->total + i * width : NULL);
    }
}

static int fill(struct lining *k, assay_error *err)
{
    struct select *s = k->s;
    const struct assay_block *block = &k->l->block;
    SCRATCH(assay_metric_id, metrics, &s->mem, (size_t)block->metric_count + 1);
    if (!metrics) return error_memory(err);
    extents_fill(&k->in, s, SELECT_FOCUS);
    extents_fill(&k->out, s, SELECT_IGNORE);
    for (uint32_t i = 0; i < block->metric_count; i++) metrics[i].v = s->metric[block->metrics[i].v];
    assay_build_line_metrics(s->b, metrics, block->metric_count);
    copy_rows(k);
    return assay_builder_failed(s->b);
}

int select_lines(struct select *s, assay_error *err)
{
    SCRATCH(struct extent, in, &s->mem, s->funcs);
    SCRATCH(struct extent, out, &s->mem, s->funcs);
    struct lining k = { .s = s, .l = assay_profile_lines(s->p), .in = { .at = in }, .out = { .at = out } };
    if (!in || !out) return error_memory(err);
    TRY(fill(&k, err));
    if (s->filter->focus_count || s->filter->ignore_count)
        findings_add(&s->found, "FI-6", ASSAY_WARNING, FINDING_NO_OFFSET, 0,
                     "line costs have no call stacks: lines of matching functions are kept, whatever their callers");
    return 0;
}

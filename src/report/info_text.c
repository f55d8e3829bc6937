/* The text of `info`: groups of facts, each with its label at the left and its names and figures aligned. */
#include "report/info.h"

#include <stdio.h>

#include "analysis/core/function.h"
#include "analysis/core/metric_choice.h"
#include "base/number.h"
#include "base/text.h"

enum { LABEL = 14, NAME_WIDEST = 28, STREAM_WIDEST = 60, LIMIT_DEFAULT = 20 };

/* The label stands at the first line of a group only. */
struct group {
    struct report *r;
    const char *label;
    unsigned name_width, value_width;
};

static uint64_t limit_of(const struct report *r) { return !r->has_limit ? LIMIT_DEFAULT : r->limit ? r->limit : UINT64_MAX; }

static void begin_line(struct group *g)
{
    char label[LABEL + 1];
    snprintf(label, sizeof label, "  %-*s", LABEL - 2, g->label);
    output_text(g->r->out, label);
    g->label = "";
}

static void widen(unsigned *width, assay_slice s)
{
    unsigned w = text_width(s);
    if (w > NAME_WIDEST) w = NAME_WIDEST;
    if (w > *width) *width = w;
}

static void put_name(struct group *g, assay_slice name)
{
    begin_line(g);
    report_padded(g->r->out, name, g->name_width);
    output_text(g->r->out, "  ");
}

static void put_right(struct group *g, const char *value)
{
    unsigned used = text_width(slice_of(value));
    if (used < g->value_width) report_blanks(g->r->out, g->value_width - used);
    output_text(g->r->out, value);
}

static void put_more(struct group *g, uint64_t left)
{
    if (!left) return;
    begin_line(g);
    output_printf(g->r->out, "and %llu more (--limit 0 shows all)\n", (unsigned long long)left);
}

static void put_line(struct report *r, const char *label, assay_slice value)
{
    struct group g = { r, label, 0, 0 };
    if (!value.len) return;
    begin_line(&g);
    text_show(r->out, value);
    output_char(r->out, '\n');
}

/* What only says how the file is laid out is for those who ask for all. */
static bool is_listed(const struct report *r, assay_slice name) { return r->verbose || !info_is_internal(name); }

/* ---- the groups ---- */

static void put_head(struct report *r, const char *path, uint64_t size, const assay_profile *p)
{
    char buf[128], human[48];
    report_ink(r, REPORT_BOLD);
    text_show(r->out, slice_of(path));
    report_plain(r);
    output_char(r->out, '\n');
    const struct assay_format_info *format = assay_format_find(assay_profile_format(p));
    const char *version = assay_profile_version(p);
    snprintf(buf, sizeof buf, "%s%s%s%s%s%s", assay_profile_format(p), *version ? " " : "", version, format ? " (" : "", format ? format->title : "",
             format ? ")" : "");
    put_line(r, "format", slice_of(buf));
    put_line(r, "producer", assay_profile_producer(p));
    number_human(human, (double)size, "bytes");
    if (r->exact || size < 1024)
        snprintf(buf, sizeof buf, "%llu bytes", (unsigned long long)size);
    else
        snprintf(buf, sizeof buf, "%s (%llu bytes)", human, (unsigned long long)size);
    if (size) put_line(r, "size", slice_of(buf));
    put_line(r, "shapes", slice_of(report_shapes_text(assay_profile_offers(p), buf, sizeof buf)));
}

static void put_metric(struct group *g, const assay_profile *p, uint32_t i, bool is_default)
{
    const struct assay_metrics *m = assay_profile_metrics(p);
    assay_slice unit = assay_profile_string(p, MODEL_STR(m->unit, i));
    char buf[48];
    put_name(g, assay_profile_string(p, m->name[i]));
    if (!metric_has_total(m, i)) {
        output_text(g->r->out, "= ");
        text_show(g->r->out, assay_profile_string(p, m->formula[i]));
    } else {
        if (!g->r->exact) {
            put_right(g, metric_total_text(buf, false, p, i));
            output_text(g->r->out, "  ");
        }
        output_text(g->r->out, metric_total_text(buf, true, p, i));
        if (unit.len) output_char(g->r->out, ' ');
        text_show(g->r->out, unit);
    }
    output_text(g->r->out, is_default ? " (default)\n" : "\n");
}

/* Metrics with a value come first; the others are listed when all are asked for, or when there is nothing else. */
enum metric_class { METRIC_VALUE, METRIC_FORMULA, METRIC_ZERO, METRIC_HIDDEN, METRIC_CLASSES };

static enum metric_class class_of(const assay_profile *p, uint32_t i)
{
    const struct assay_metrics *m = assay_profile_metrics(p);
    if (m->hidden && m->hidden[i]) return METRIC_HIDDEN;
    if (!metric_has_total(m, i)) return METRIC_FORMULA;
    return metric_has_value(p, (assay_metric_id){ i }) ? METRIC_VALUE : METRIC_ZERO;
}

static void put_metrics(struct report *r, const assay_profile *p)
{
    const struct assay_metrics *m = assay_profile_metrics(p);
    struct group g = { r, "metrics", 0, 0 };
    uint32_t counts[METRIC_CLASSES] = { 0 }, preferred = info_default(p).v;
    char buf[48];
    for (uint32_t i = 1; i <= m->count; i++) counts[class_of(p, i)]++;
    int last = r->verbose ? METRIC_HIDDEN : counts[METRIC_VALUE] ? METRIC_FORMULA : METRIC_ZERO;
    for (uint32_t i = 1; i <= m->count; i++) {
        if ((int)class_of(p, i) > last) continue;
        widen(&g.name_width, assay_profile_string(p, m->name[i]));
        widen(&g.value_width, slice_of(metric_total_text(buf, false, p, i)));
    }
    for (int class = 0; class <= last; class ++)
        for (uint32_t i = 1; i <= m->count; i++)
            if ((int)class_of(p, i) == class) put_metric(&g, p, i, i == preferred && m->count > 1);
    if (last < METRIC_ZERO && counts[METRIC_ZERO]) {
        begin_line(&g);
        output_printf(r->out, "and %u that %s zero (--all)\n", counts[METRIC_ZERO], counts[METRIC_ZERO] == 1 ? "is" : "are");
    }
}

static void put_counts(struct report *r, const struct info_counts *c)
{
    struct group g = { r, "counts", 0, 0 };
    char buf[48];
    for (size_t i = 0; i < c->count; i++) {
        if (!is_listed(r, c->at[i].name)) continue;
        number_put_u64(buf, c->at[i].value);
        widen(&g.name_width, c->at[i].name);
        widen(&g.value_width, slice_of(buf));
    }
    for (size_t i = 0; i < c->count; i++) {
        if (!is_listed(r, c->at[i].name)) continue;
        number_put_u64(buf, c->at[i].value);
        put_name(&g, c->at[i].name);
        put_right(&g, buf);
        output_char(r->out, '\n');
    }
}

/* Name, total, command; the only stream of a file costs what the file does. */
static void put_streams(struct report *r, const struct info *info)
{
    uint32_t count = assay_profile_streams(info->profile)->count;
    struct group g = { r, "streams", 0, 0 };
    uint64_t limit = limit_of(r);
    bool has_totals = count > 1 && info->streams.is_known;
    char name[INFO_NAME], buf[48];
    for (uint32_t i = 1; i <= count && i <= limit; i++) {
        unsigned width = text_width(info_stream_name(name, info->profile, i));
        if (width > g.name_width && width <= STREAM_WIDEST) g.name_width = width;
        widen(&g.value_width, slice_of(info_stream_total(buf, r->exact, info, i)));
    }
    for (uint32_t i = 1; i <= count && i <= limit; i++) {
        assay_slice command = count > 1 ? info->streams.command[i] : SLICE("");
        begin_line(&g);
        report_padded(r->out, info_stream_name(name, info->profile, i), has_totals || command.len ? g.name_width : 0);
        if (has_totals || command.len) output_text(r->out, "  ");
        if (has_totals) put_right(&g, info_stream_total(buf, r->exact, info, i));
        if (has_totals && command.len) output_text(r->out, "  ");
        text_show(r->out, command);
        output_char(r->out, '\n');
    }
    put_more(&g, count > limit ? count - limit : 0);
}

static void put_attributes(struct report *r, const assay_profile *p)
{
    const struct assay_attributes *a = assay_profile_attributes(p);
    struct group g = { r, "attributes", 0, 0 };
    uint64_t limit = limit_of(r), shown = 0, left = 0;
    for (uint32_t i = 0; i < a->count && shown < limit; i++) {
        assay_slice key = assay_profile_string(p, a->key[i]);
        if (!is_listed(r, key)) continue;
        widen(&g.name_width, key);
        shown++;
    }
    shown = 0;
    for (uint32_t i = 0; i < a->count; i++) {
        assay_slice key = assay_profile_string(p, a->key[i]), value = assay_profile_string(p, a->value[i]);
        if (!is_listed(r, key)) continue;
        if (shown++ >= limit) {
            left++;
            continue;
        }
        begin_line(&g);
        report_padded(r->out, key, value.len ? g.name_width + 2 : 0);
        text_show(r->out, value);
        output_char(r->out, '\n');
    }
    put_more(&g, left);
}

static void put_warnings(struct report *r, const assay_profile *p)
{
    size_t count;
    const assay_finding *warnings = assay_profile_warnings(p, &count);
    struct group g = { r, "warnings", 0, 0 };
    uint64_t limit = limit_of(r);
    for (size_t i = 0; i < count && i < limit; i++) {
        const assay_finding *f = &warnings[i];
        begin_line(&g);
        if (f->line)
            output_printf(r->out, "line %llu: ", (unsigned long long)f->line);
        else if (f->has_offset)
            output_printf(r->out, "offset %llu: ", (unsigned long long)f->offset);
        report_finding_text(r, f);
        output_char(r->out, '\n');
    }
    put_more(&g, count > limit ? count - limit : 0);
}

void info_text(struct report *r, const struct info *i)
{
    if (r->shown) output_char(r->out, '\n');
    put_head(r, i->path, i->size, i->profile);
    put_metrics(r, i->profile);
    put_counts(r, &i->counts);
    put_streams(r, i);
    put_attributes(r, i->profile);
    put_warnings(r, i->profile);
    if (i->stats) info_stats_text(r, i);
}

void report_summary(struct report *r, const char *path, uint64_t size, const assay_profile *p)
{
    put_head(r, path, size, p);
    put_metrics(r, p);
}

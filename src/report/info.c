/* `info`: what is in a file, as JSON, as rows (CSV, Markdown), and the choice between them. The text is in info_text.c. */
#include "report/info.h"

#include <string.h>

#include "analysis/core/function.h"
#include "base/number.h"

void report_info_begin(struct report *r)
{
    static const char *const heads[] = { "path", "section", "name", "value", "unit", NULL };
    if (r->style == REPORT_JSON) {
        report_json_begin(r, "info");
        json_key(&r->json, "files");
        json_array(&r->json);
    } else if (r->style != REPORT_TEXT)
        report_table(r, heads, "lllrl");
}

/* ---- JSON ---- */

static void put_metrics(struct json *j, const struct info *info)
{
    const assay_profile *p = info->profile;
    const struct assay_metrics *m = assay_profile_metrics(p);
    assay_metric_id preferred = info_default(p);
    json_array(j);
    for (uint32_t i = 1; i <= m->count; i++) {
        json_object(j);
        json_key(j, "name");
        json_string(j, assay_profile_string(p, m->name[i]));
        json_key(j, "unit");
        json_text(j, report_text(p, MODEL_STR(m->unit, i)));
        json_key(j, "total");
        report_total_json(j, p, i);
        if (i == preferred.v) {
            json_key(j, "default");
            json_bool(j, true);
        }
        if (info->stats) info_stats_json(j, info, i);
        if (m->formula && m->formula[i].v) {
            json_key(j, "formula");
            json_text(j, report_text(p, m->formula[i]));
        }
        json_end(j);
    }
    json_end(j);
}

static void put_counts(struct json *j, const struct info_counts *c)
{
    json_object(j);
    for (size_t i = 0; i < c->count; i++) {
        json_key_slice(j, c->at[i].name);
        json_u64(j, c->at[i].value);
    }
    json_end(j);
}

/* The attributes as chains of equal keys. Keys are interned, so their ids can be compared; one pass, however many there are. */
struct chains {
    uint32_t *last; /* by key id: the last attribute with this key, plus 1 */
    uint32_t *next; /* by attribute: the next one with the same key, plus 1 */
    uint8_t *is_first;
    size_t keys, count;
};

static void chains_free(struct mem *mem, struct chains *c)
{
    mem_free(mem, c->last, c->keys * sizeof *c->last);
    mem_free(mem, c->next, c->count * sizeof *c->next);
    mem_free(mem, c->is_first, c->count);
}

static bool chains_make(struct mem *mem, const struct assay_attributes *a, struct chains *c)
{
    *c = (struct chains){ .count = a->count };
    for (uint32_t i = 0; i < a->count; i++)
        if (a->key[i].v >= c->keys) c->keys = (size_t)a->key[i].v + 1;
    c->last = mem_zalloc(mem, c->keys, sizeof *c->last);
    c->next = mem_zalloc(mem, c->count, sizeof *c->next);
    c->is_first = mem_zalloc(mem, c->count, 1);
    if (!c->last || !c->next || !c->is_first) return false;
    for (uint32_t i = 0; i < a->count; i++) {
        uint32_t *last = &c->last[a->key[i].v];
        if (*last)
            c->next[*last - 1] = i + 1;
        else
            c->is_first[i] = 1;
        *last = i + 1;
    }
    return true;
}

/* A key that stands once has a string, one that is repeated an array of all its values. */
static void put_attribute(struct json *j, const assay_profile *p, const struct chains *c, uint32_t first)
{
    const struct assay_attributes *a = assay_profile_attributes(p);
    json_key_slice(j, assay_profile_string(p, a->key[first]));
    if (!c->next[first]) {
        json_text(j, report_text(p, a->value[first]));
        return;
    }
    json_array(j);
    for (uint32_t i = first + 1; i; i = c->next[i - 1]) json_text(j, report_text(p, a->value[i - 1]));
    json_end(j);
}

static void put_attributes(struct report *r, const assay_profile *p)
{
    const struct assay_attributes *a = assay_profile_attributes(p);
    struct chains c;
    json_object(&r->json);
    if (a->count && chains_make(r->mem, a, &c)) {
        for (uint32_t i = 0; i < a->count; i++)
            if (c.is_first[i]) put_attribute(&r->json, p, &c, i);
    } else if (a->count)
        r->out_of_memory = true;
    if (a->count) chains_free(r->mem, &c);
    json_end(&r->json);
}

static void put_warnings(struct json *j, const assay_profile *p)
{
    size_t count;
    const assay_finding *warnings = assay_profile_warnings(p, &count);
    json_array(j);
    for (size_t i = 0; i < count; i++) report_finding_json(j, &warnings[i]);
    json_end(j);
}

static void put_streams(struct json *j, const struct info *info)
{
    uint32_t count = assay_profile_streams(info->profile)->count;
    char name[INFO_NAME];
    json_array(j);
    for (uint32_t i = 1; i <= count; i++) {
        json_object(j);
        json_key(j, "name");
        json_string(j, info_stream_name(name, info->profile, i));
        json_key(j, "command");
        if (info->streams.command[i].len)
            json_string(j, info->streams.command[i]);
        else
            json_null(j);
        json_key(j, "total");
        info_stream_total_json(j, info, i);
        json_end(j);
    }
    json_end(j);
}

static void put_json(struct report *r, const struct info *i)
{
    struct json *j = &r->json;
    const assay_profile *p = i->profile;
    const char *version = assay_profile_version(p);
    json_object(j);
    json_key(j, "path");
    json_text(j, i->path);
    json_key(j, "format");
    json_text(j, assay_profile_format(p));
    json_key(j, "version");
    json_text(j, *version ? version : NULL);
    json_key(j, "producer");
    json_string(j, assay_profile_producer(p));
    json_key(j, "metrics");
    put_metrics(j, i);
    json_key(j, "counts");
    put_counts(j, &i->counts);
    if (assay_profile_streams(p)->count) {
        json_key(j, "streams");
        put_streams(j, i);
    }
    json_key(j, "shapes");
    report_shapes_json(j, assay_profile_offers(p));
    json_key(j, "attributes");
    put_attributes(r, p);
    json_key(j, "warnings");
    put_warnings(j, p);
    json_end(j);
}

/* ---- rows ---- */

static void row(struct table *t, const char *path, const char *section, assay_slice name, assay_slice value, const char *unit)
{
    table_text(t, path);
    table_text(t, section);
    table_cell(t, name);
    table_cell(t, value);
    table_text(t, unit);
}

static void row_u64(struct table *t, const char *path, const char *section, assay_slice name, uint64_t value)
{
    char buf[48];
    number_put_u64(buf, value);
    row(t, path, section, name, slice_of(buf), "");
}

static void put_stream_rows(struct table *t, const struct info *info)
{
    const struct assay_metrics *m = assay_profile_metrics(info->profile);
    char name[INFO_NAME], buf[48];
    uint32_t count = assay_profile_streams(info->profile)->count;
    const char *unit = report_text(info->profile, MODEL_STR(m->unit, info->metric.v));
    for (uint32_t i = 1; i <= count; i++) {
        assay_slice called = info_stream_name(name, info->profile, i);
        row(t, info->path, "stream", called, slice_of(info_stream_total(buf, true, info, i)), unit);
        if (info->streams.command[i].len) row(t, info->path, "stream_command", called, info->streams.command[i], "");
    }
}

static void put_rows(struct table *t, const struct info *info)
{
    const assay_profile *p = info->profile;
    const char *path = info->path;
    const struct info_counts *c = &info->counts;
    const struct assay_metrics *m = assay_profile_metrics(p);
    const struct assay_attributes *a = assay_profile_attributes(p);
    char buf[128];
    size_t count;
    const assay_finding *warnings = assay_profile_warnings(p, &count);
    row(t, path, "file", SLICE("format"), slice_of(assay_profile_format(p)), "");
    row(t, path, "file", SLICE("version"), slice_of(assay_profile_version(p)), "");
    row(t, path, "file", SLICE("producer"), assay_profile_producer(p), "");
    row(t, path, "file", SLICE("shapes"), slice_of(report_shapes_text(assay_profile_offers(p), buf, sizeof buf)), "");
    for (uint32_t i = 1; i <= m->count; i++)
        row(t, path, "metric", assay_profile_string(p, m->name[i]), slice_of(metric_total_text(buf, true, p, i)), report_text(p, MODEL_STR(m->unit, i)));
    for (size_t i = 0; i < c->count; i++) row_u64(t, path, "count", c->at[i].name, c->at[i].value);
    put_stream_rows(t, info);
    if (info->stats) info_stats_rows(t, info);
    for (uint32_t i = 0; i < a->count; i++) row(t, path, "attribute", assay_profile_string(p, a->key[i]), assay_profile_string(p, a->value[i]), "");
    for (size_t i = 0; i < count; i++) row(t, path, "warning", slice_of(warnings[i].rule), slice_of(warnings[i].message), "");
}

static void put_info(struct report *r, const struct info *i)
{
    if (r->style == REPORT_JSON)
        put_json(r, i);
    else if (r->style == REPORT_TEXT)
        info_text(r, i);
    else if (r->table)
        put_rows(r->table, i);
}

void report_info(struct report *r, const char *path, uint64_t size, const assay_profile *p, const struct stream_metrics *stats)
{
    struct info i = { .path = path, .size = size, .profile = p, .metric = info_default(p), .stats = stats };
    assay_error err = { 0 };
    info_counts_make(r, p, &i.counts);
    /* stored values that cannot be read leave the totals of streams unknown */
    r->out_of_memory |= stream_totals_init(&i.streams, p, i.metric, r->mem, &err) == ASSAY_ERR_MEMORY;
    if (!r->out_of_memory) put_info(r, &i);
    stream_totals_done(&i.streams);
    info_counts_done(r, &i.counts);
    r->shown++;
}

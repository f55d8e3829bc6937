/* Records -> tables; see tables.h. Which columns make a metric is decided in metrics.c. */
#include "formats/hpcdb-xml/tables.h"

#include "base/number.h"

void hx_tables_init(struct hx_tables *t, struct mem *mem, struct findings *damage)
{
    *t = (struct hx_tables){ .mem = mem, .damage = damage };
    arena_init(&t->text, mem);
    for (unsigned i = 0; i < HX_NAME_KINDS; i++) index_init(&t->names[i].index, mem);
    index_init(&t->by_id, mem);
    index_init(&t->by_order, mem);
    intern_init(&t->base_names, mem);
}

void hx_tables_done(struct hx_tables *t)
{
    for (unsigned i = 0; i < HX_NAME_KINDS; i++) {
        vec_done(t->mem, &t->names[i].list);
        index_done(&t->names[i].index);
    }
    vec_done(t->mem, &t->metrics, &t->bases, &t->formulas, &t->metric_dbs);
    index_done(&t->by_id);
    index_done(&t->by_order);
    intern_done(&t->base_names);
    arena_done(&t->text);
}

static uint64_t hash_of(int64_t id) { return hash_mix(0, (uint64_t)id); }

/* A copy that lasts as long as the tables; false = no memory. */
static bool keep(struct hx_tables *t, const char *text, assay_slice *out)
{
    assay_slice s = slice_of(text ? text : "");
    const char *copy = arena_copy(&t->text, s);
    *out = (assay_slice){ copy ? copy : "", copy ? s.len : 0 };
    return copy != NULL;
}

static int64_t number_or(const char *const *attributes, const char *name, int64_t otherwise)
{
    const char *text = xml_attribute(attributes, name);
    int64_t n;
    return text && hx_number(text, &n) ? n : otherwise;
}

static bool is_set(const char *const *attributes, const char *name, const char *value)
{
    const char *text = xml_attribute(attributes, name);
    return text && strcmp(text, value) == 0;
}

/* ---- names ---- */

struct hx_name *hx_name_find(const struct hx_tables *t, enum hx_name_kind kind, int64_t id)
{
    const struct hx_names *n = &t->names[kind];
    for (struct index_walk w = index_walk(&n->index, hash_of(id)); index_next(&n->index, &w);)
        if (n->list.at[w.id - 1].id == id) return &n->list.at[w.id - 1];
    return NULL;
}

static int add_name(struct hx_tables *t, const struct hx_record *r, assay_error *err)
{
    struct hx_names *n = &t->names[r->names];
    const char *i = xml_attribute(r->attributes, "i");
    struct hx_name entry = { .id = 0 };
    n->is_there = true;
    if (!i || !hx_number(i, &entry.id)) {
        findings_add(t->damage, "HX10", ASSAY_ERROR, r->off, 0, "<%s> without a number: it is left out", r->tag_name);
        return 0;
    }
    if (hx_name_find(t, r->names, entry.id)) {
        findings_add(t->damage, "HX10", ASSAY_ERROR, r->off, 0, "%s %s appears twice: the first one counts", r->tag_name, i);
        return 0;
    }
    const char *f = xml_attribute(r->attributes, "f");
    entry.is_placeholder = r->names == HX_PROCEDURES && f && strcmp(f, "0") != 0;
    struct hx_name *slot = keep(t, xml_attribute(r->attributes, "n"), &entry.text) ? vec_push(t->mem, &n->list) : NULL;
    if (!slot) return error_memory(err);
    *slot = entry;
    return index_add(&n->index, hash_of(entry.id), (uint32_t)n->list.len) ? 0 : error_memory(err);
}

struct hx_name *hx_name_of(const struct hx_tables *t, enum hx_name_kind kind, const struct hx_record *node, const char *attribute, assay_slice *text)
{
    int64_t id;
    *text = (assay_slice){ NULL, 0 };
    if (!attribute) return NULL;
    if (!t->names[kind].is_there) {
        *text = slice_of(attribute);
        return NULL;
    }
    struct hx_name *found = hx_number(attribute, &id) ? hx_name_find(t, kind, id) : NULL;
    if (!found)
        findings_add(t->damage, "HX07", ASSAY_ERROR, node->off, 0, "<%s> names %s '%.40s', which is not in the table", node->tag_name, hx_names_name(kind),
                     attribute);
    return found;
}

/* ---- metrics ---- */

struct hx_metric *hx_metric_find(const struct hx_tables *t, int64_t id)
{
    for (struct index_walk w = index_walk(&t->by_id, hash_of(id)); index_next(&t->by_id, &w);)
        if (t->metrics.at[w.id - 1].id == id) return &t->metrics.at[w.id - 1];
    return NULL;
}

struct hx_metric *hx_metric_of(const struct hx_tables *t, const struct hx_record *value)
{
    int64_t id;
    struct hx_metric *m = value->n && hx_number(value->n, &id) ? hx_metric_find(t, id) : NULL;
    if (!m) findings_add(t->damage, "HX08", ASSAY_ERROR, value->off, 0, "a value of metric '%.40s', which is not in the table", value->n ? value->n : "");
    return m;
}

static enum hx_type type_of(const char *const *attributes)
{
    return is_set(attributes, "t", "inclusive") ? HX_INCLUSIVE : is_set(attributes, "t", "exclusive") ? HX_EXCLUSIVE : HX_NIL;
}

/* Files of 2009 have "*" for a number: the position counts. */
static int add_metric(struct hx_tables *t, const struct hx_record *r, assay_error *err)
{
    const char *partner = xml_attribute(r->attributes, "partner");
    struct hx_metric m = { .off = r->off, .type = type_of(r->attributes), .factor = 1, .id = number_or(r->attributes, "i", (int64_t)t->metrics.len) };
    if (t->metrics.len == HX_METRICS_MAX) {
        findings_add(t->damage, "HX50", ASSAY_ERROR, r->off, 0, "there are more than %d metrics: the others are left out", HX_METRICS_MAX);
        return 0;
    }
    if (hx_metric_find(t, m.id)) findings_add(t->damage, "HX10", ASSAY_ERROR, r->off, 0, "metric %lld appears twice", (long long)m.id);
    m.has_partner = partner && hx_number(partner, &m.partner);
    m.order = number_or(r->attributes, "o", -1);
    m.is_hidden = is_set(r->attributes, "show", "0");
    struct hx_metric *slot = keep(t, r->n, &m.name) && keep(t, xml_attribute(r->attributes, "md"), &m.description) ? vec_push(t->mem, &t->metrics) : NULL;
    if (!slot) return error_memory(err);
    *slot = m;
    uint32_t number = (uint32_t)t->metrics.len;
    bool has_room = index_add(&t->by_id, hash_of(m.id), number) && (m.order < 0 || index_add(&t->by_order, hash_of(m.order), number));
    return has_room ? 0 : error_memory(err);
}

static int add_formula(struct hx_tables *t, const struct hx_record *r, assay_error *err)
{
    struct hx_formula f = { .metric = (uint32_t)t->metrics.len - 1, .off = r->off };
    if (is_set(r->attributes, "t", "view")) t->metrics.at[f.metric].is_view = true;
    struct hx_formula *slot = keep(t, xml_attribute(r->attributes, "frm"), &f.text) ? vec_push(t->mem, &t->formulas) : NULL;
    if (!slot) return error_memory(err);
    *slot = f;
    return 0;
}

/* Samples are events once they are multiplied by the period; where the unit is events that was done. The order of the two facts is free. */
static void add_fact(struct hx_tables *t, const struct hx_record *r)
{
    struct hx_metric *m = &t->metrics.at[t->metrics.len - 1];
    const char *value = xml_attribute(r->attributes, "v");
    double period;
    if (!r->n || !value) return;
    if (strcmp(r->n, "units") == 0 && value[0] == 'e')
        m->factor = 0;
    else if (strcmp(r->n, "period") == 0 && m->factor != 0 && number_double(slice_of(value), &period) == NUMBER_OK && period > 0)
        m->factor = period;
}

static int add_metric_db(struct hx_tables *t, const struct hx_record *r, assay_error *err)
{
    struct hx_metric_db m = { .id = number_or(r->attributes, "i", -1),
                              .column = number_or(r->attributes, "db-id", -1),
                              .count = number_or(r->attributes, "db-num-metrics", -1) };
    struct hx_metric_db *slot = keep(t, r->n, &m.name) ? vec_push(t->mem, &t->metric_dbs) : NULL;
    if (!slot) return error_memory(err);
    *slot = m;
    return 0;
}

static int add_trace_db(struct hx_tables *t, const struct hx_record *r, assay_error *err)
{
    int64_t ticks = number_or(r->attributes, "u", 0);
    if (t->has_trace_db) return 0;
    t->has_trace_db = true;
    t->ticks = ticks > 0 ? (uint64_t)ticks : 0;
    bool is_kept = keep(t, xml_attribute(r->attributes, "db-min-time"), &t->trace_min) && keep(t, xml_attribute(r->attributes, "db-max-time"), &t->trace_max);
    return is_kept ? 0 : error_memory(err);
}

int hx_tables_take(struct hx_tables *t, const struct hx_record *r, assay_error *err)
{
    switch (r->kind) {
    case HX_ROOT: memcpy(t->version, r->n, strlen(r->n) + 1); return 0; /* one of the known ones */
    case HX_TITLE: return keep(t, r->n, &t->title) ? 0 : error_memory(err);
    case HX_SECTION: t->is_flat = r->is_flat; return !r->n || keep(t, r->n, &t->title) ? 0 : error_memory(err);
    case HX_METRIC: return add_metric(t, r, err);
    case HX_FORMULA: return t->metrics.len ? add_formula(t, r, err) : 0;
    case HX_FACT:
        if (t->metrics.len) add_fact(t, r);
        return 0;
    case HX_METRIC_DB: return add_metric_db(t, r, err);
    case HX_TRACE_DB: return add_trace_db(t, r, err);
    case HX_SIDE_FILE: t->has_side_files = true; return 0;
    case HX_TABLE: t->names[r->names].is_there = true; return 0;
    case HX_NAME: return add_name(t, r, err);
    case HX_DATA: return hx_tables_finish(t, err);
    default: return 0;
    }
}

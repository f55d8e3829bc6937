/* Metrics, streams, labels and facts of OpenTelemetry profiles. A stream is a process (Resource) as one profiler (InstrumentationScope) saw it, or one of its
 * threads; sample attributes are labels. */
#include <stdio.h>

#include "base/cancel.h"
#include "base/number.h"
#include "base/scoped.h"
#include "formats/otlp-profiles/read.h"

static int no_memory(struct otlp_reader *r) { return error_memory(r->err); }

static bool zeros(struct otlp_reader *r, void *list, size_t count)
{
    VEC(uint32_t) *v = list;
    if (!vec_reserve(r->mem, v, count + 1)) return false;
    memset(v->at, 0, (count + 1) * sizeof *v->at);
    v->len = count;
    return true;
}

/* ---- metrics ---- */

enum { METRICS_MOST = 1000 }; /* every sum has a value of each */

static int add_metric(struct otlp_reader *r, const struct otlp_profile *p, const struct otlp_value_type *t)
{
    assay_slice type = otlp_text(&r->t, t->type), unit = otlp_text(&r->t, t->unit);
    uint32_t k = 0;
    while (k < r->metrics.len && !(slice_equal(r->metrics.at[k].type, type) && slice_equal(r->metrics.at[k].unit, unit))) k++;
    if (k == METRICS_MOST) FAIL(r->err, ASSAY_ERR_LIMIT, "profiles of more than %d sample types", METRICS_MOST);
    if (k == r->metrics.len) {
        struct otlp_metric *m = vec_push(r->mem, &r->metrics);
        if (!m) return no_memory(r);
        *m = (struct otlp_metric){ .type = type, .unit = unit, .first = p };
    }
    uint32_t *slot = vec_push(r->mem, &r->metric_of);
    if (!slot) return no_memory(r);
    *slot = k;
    return 0;
}

/* One type may have several units: then they tell metrics apart. */
static void name_of(const struct otlp_reader *r, uint32_t k, char *buf, size_t len)
{
    const struct otlp_metric *m = &r->metrics.at[k];
    unsigned same = 0;
    for (size_t i = 0; i < r->metrics.len; i++) same += slice_equal(r->metrics.at[i].type, m->type);
    int type_len = (int)(m->type.len < 200 ? m->type.len : 200), unit_len = (int)(m->unit.len < 40 ? m->unit.len : 40);
    snprintf(buf, len, "%.*s%s%.*s", type_len, m->type.len ? m->type.data : "", same > 1 ? "_" : "", same > 1 ? unit_len : 0, m->unit.len ? m->unit.data : "");
    if (!buf[0]) snprintf(buf, len, "unnamed");
}

static void text_of(assay_slice s, char *buf, size_t len) { snprintf(buf, len, "%.*s", (int)(s.len < len ? s.len : len - 1), s.len ? s.data : ""); }

static void build_metric(struct otlp_reader *r, uint32_t k)
{
    struct otlp_metric *m = &r->metrics.at[k];
    const struct otlp_profile *p = m->first;
    char name[260], unit[200], period[200], period_unit[200];
    name_of(r, k, name, sizeof name);
    text_of(m->unit, unit, sizeof unit);
    text_of(otlp_text(&r->t, p->period_type.type), period, sizeof period);
    text_of(otlp_text(&r->t, p->period_type.unit), period_unit, sizeof period_unit);
    m->id = assay_build_metric(r->b, name, unit, ASSAY_I64, ASSAY_SHAPE_TREE);
    if (grow_is_level(m->type)) assay_build_metric_kind(r->b, m->id, ASSAY_METRIC_LEVEL);
    if (p->period || period[0] || period_unit[0])
        assay_build_metric_period(r->b, m->id, p->period, period[0] ? period : NULL, period_unit[0] ? period_unit : NULL);
}

/* The first profile is the one to show. Of old layouts, whose profiles have several types, it says which: by index, or by name, else the last. */
static void choose_default(struct otlp_reader *r)
{
    const struct otlp_profile *p = r->t.profiles.at;
    enum otlp_layout layout = r->d.documents.at[p->document].layout;
    uint64_t k = layout <= OTLP_1_4 ? p->type_count - 1 : layout <= OTLP_1_7 && p->default_index < p->type_count ? p->default_index : 0;
    assay_slice named = otlp_text(&r->t, p->default_type);
    for (uint32_t i = 0; layout <= OTLP_1_4 && named.len && i < p->type_count; i++)
        if (slice_equal(named, otlp_text(&r->t, r->t.types.at[p->first_type + i].type))) k = i;
    assay_build_metric_default(r->b, r->metrics.at[r->metric_of.at[p->first_type + k]].id);
}

int otlp_build_metrics(struct otlp_reader *r)
{
    for (size_t i = 0; i < r->t.profiles.len; i++) {
        const struct otlp_profile *p = &r->t.profiles.at[i];
        TRY(cancel_step(i, r->err));
        for (uint32_t k = 0; k < p->type_count; k++) TRY(add_metric(r, p, &r->t.types.at[p->first_type + k]));
    }
    for (uint32_t k = 0; k < r->metrics.len; k++) build_metric(r, k);
    if (r->t.profiles.len && r->t.profiles.at[0].type_count) choose_default(r);
    assay_build_sample_metrics(r->b, NULL, 0);
    return assay_builder_failed(r->b);
}

/* ---- attributes ---- */

enum { KIND_OTHER = 1, KIND_THREAD_ID, KIND_THREAD_NAME };

static uint8_t kind_of(struct otlp_reader *r, uint32_t row)
{
    uint8_t *kind = &r->kind_of.at[row];
    if (*kind) return *kind;
    assay_slice key = otlp_attribute_key(&r->t, &r->t.attributes.at[row]);
    *kind = slice_is(key, "thread.id") ? KIND_THREAD_ID : slice_is(key, "thread.name") ? KIND_THREAD_NAME : KIND_OTHER;
    return *kind;
}

/* The first attribute that is equal, row + 1; 0 = no memory. */
static uint32_t same_as(struct otlp_reader *r, uint32_t row)
{
    if (r->same_as.at[row]) return r->same_as.at[row];
    const struct otlp_attribute *a = &r->t.attributes.at[row];
    uint64_t hash = hash_mix(hash_bytes(a->value.data, a->value.len), kind_of(r, row));
    for (struct index_walk w = index_walk(&r->thread_index, hash); index_next(&r->thread_index, &w);)
        if (kind_of(r, w.id - 1) == kind_of(r, row) && slice_equal(r->t.attributes.at[w.id - 1].value, a->value)) return r->same_as.at[row] = w.id;
    return index_add(&r->thread_index, hash, row + 1) ? r->same_as.at[row] = row + 1 : 0;
}

static int value_of(struct otlp_reader *r, uint32_t set, assay_slice bytes, struct otlp_value *v, assay_slice *text, char *buf)
{
    *text = (assay_slice){ "", 0 };
    if (!otlp_value(&r->t, set, bytes, &r->t.scratch, v)) return no_memory(r);
    *text = v->text;
    if (v->kind == ASSAY_LABEL_INTEGER) *text = (assay_slice){ buf, number_put_i64(buf, v->number) };
    if (v->kind == ASSAY_LABEL_DOUBLE) *text = (assay_slice){ buf, number_put_double(buf, v->real) };
    if (v->kind == ASSAY_LABEL_BOOLEAN) *text = v->number ? SLICE("true") : SLICE("false");
    return 0;
}

static int label_of(struct otlp_reader *r, uint32_t row, assay_label_id *out)
{
    const struct otlp_attribute *a = &r->t.attributes.at[row];
    assay_slice key = otlp_attribute_key(&r->t, a);
    struct otlp_value v;
    if (!r->label_of.at[row]) {
        if (!otlp_value(&r->t, a->set, a->value, &r->t.scratch, &v)) return no_memory(r);
        struct assay_label label = { .key = assay_build_string(r->b, key.data, key.len), .kind = v.kind, .number = v.number, .real = v.real };
        if (v.kind == ASSAY_LABEL_TEXT) label.text = assay_build_string(r->b, v.text.data, v.text.len);
        uint64_t unit = otlp_attribute_unit(&r->t, a);
        if (otlp_text(&r->t, unit).len) label.unit = grow_string(&r->grower, unit);
        r->label_of.at[row] = assay_build_label(r->b, &label).v + 1;
    }
    out->v = r->label_of.at[row] - 1;
    return 0;
}

static assay_label_id id_label(struct otlp_reader *r, const char *key, assay_slice id)
{
    static const char digits[] = "0123456789abcdef";
    char text[64];
    size_t n = 0;
    for (size_t i = 0; i < id.len && n + 2 <= sizeof text; i++) {
        text[n++] = digits[(unsigned char)id.data[i] >> 4];
        text[n++] = digits[(unsigned char)id.data[i] & 15];
    }
    struct assay_label label = { .key = assay_build_string(r->b, key, strlen(key)), .kind = ASSAY_LABEL_TEXT, .text = assay_build_string(r->b, text, n) };
    return assay_build_label(r->b, &label);
}

/* Samples that follow each other mostly have the same labels. */
static bool is_last(const struct otlp_reader *r, const struct otlp_profile *p, const struct otlp_sample *s, uint64_t link)
{
    size_t n = s->attribute_count;
    return r->last.len == n + 2 && r->last.at[n] == link && r->last.at[n + 1] == p->set &&
           (!n || memcmp(r->last.at, s->attributes, n * sizeof *s->attributes) == 0);
}

static bool is_used(const struct otlp_link *l)
{
    for (size_t i = 0; i < l->trace.len; i++)
        if (l->trace.data[i]) return true;
    for (size_t i = 0; i < l->span.len; i++)
        if (l->span.data[i]) return true;
    return false;
}

static int make_set(struct otlp_reader *r, const struct otlp_set *set, const struct otlp_sample *s, uint32_t link, bool is_new)
{
    r->labels.len = 0;
    if (!vec_reserve(r->mem, &r->labels, (size_t)s->attribute_count + 2)) return no_memory(r);
    if (!r->label_of.len && !zeros(r, &r->label_of, r->t.attributes.len)) return no_memory(r);
    for (uint32_t i = 0; i < s->attribute_count; i++) {
        uint32_t row = otlp_row(set, OTLP_T_ATTRIBUTES, (int64_t)s->attributes[i]);
        if (row == GROW_NO_ROW || (is_new && !s->attributes[i])) continue;
        TRY(label_of(r, row, &r->labels.at[r->labels.len++]));
    }
    const struct otlp_link *l = link ? &r->t.links.at[link - 1] : NULL;
    if (l && is_used(l)) {
        r->labels.at[r->labels.len++] = id_label(r, "trace_id", l->trace);
        r->labels.at[r->labels.len++] = id_label(r, "span_id", l->span);
    }
    r->last_set = assay_build_label_set(r->b, r->labels.at, (uint32_t)r->labels.len);
    return assay_builder_failed(r->b);
}

int otlp_set_of(struct otlp_reader *r, const struct otlp_profile *p, const struct otlp_sample *s, uint32_t *out)
{
    const struct otlp_set *set = &r->t.sets.at[p->set];
    bool is_new = otlp_is_new(&r->d.documents.at[p->document]);
    uint32_t row = s->has_link && (s->link || !is_new) ? otlp_row(set, OTLP_T_LINKS, s->link) : GROW_NO_ROW;
    uint32_t link = row == GROW_NO_ROW ? 0 : row + 1;
    *out = 0;
    if (!s->attribute_count && !link) return 0;
    if (!is_last(r, p, s, link)) {
        TRY(make_set(r, set, s, link, is_new));
        r->last.len = 0;
        if (!vec_reserve(r->mem, &r->last, (size_t)s->attribute_count + 2)) return no_memory(r);
        if (s->attribute_count) memcpy(r->last.at, s->attributes, s->attribute_count * sizeof *s->attributes);
        r->last.at[s->attribute_count] = link;
        r->last.at[s->attribute_count + 1] = p->set;
        r->last.len = (size_t)s->attribute_count + 2;
    }
    *out = r->last_set.v;
    return 0;
}

/* ---- streams ---- */

/* Of a scope: the first that has the same resource and profiler, + 1; 0 = no memory. */
static uint32_t scope_of(struct otlp_reader *r, uint32_t scope)
{
    if (r->scope_of.at[scope]) return r->scope_of.at[scope];
    const struct otlp_scope *s = &r->t.scopes.at[scope];
    uint64_t hash = hash_mix(s->resource_hash, hash_bytes(s->scope.data, s->scope.len));
    for (struct index_walk w = index_walk(&r->scope_index, hash); index_next(&r->scope_index, &w);) {
        const struct otlp_scope *k = &r->t.scopes.at[w.id - 1];
        bool is_same = k->resource.data == s->resource.data ? k->resource.len == s->resource.len : slice_equal(k->resource, s->resource);
        if (is_same && slice_equal(k->scope, s->scope)) return r->scope_of.at[scope] = w.id;
    }
    return index_add(&r->scope_index, hash, scope + 1) ? r->scope_of.at[scope] = scope + 1 : 0;
}

/* Attributes of a resource or profiler are those of all its streams: beyond so many bytes only of the first, so that many threads do not multiply them. */
enum { REPEATED_MOST = 4096 };

static assay_slice repeated(assay_slice bytes)
{
    struct cursor c = cursor_of(bytes.data, bytes.len);
    struct proto_field f;
    size_t len = 0;
    while (proto_next(&c, &f) == PROTO_FIELD && cursor_off(&c) <= REPEATED_MOST) len = (size_t)cursor_off(&c);
    return (assay_slice){ bytes.data, len };
}

/* What a stream is made of, in the order of the file. */
struct making {
    char label[256];
    uint64_t pid, tid;
    bool has_pid, has_tid, is_service;
};

static bool number_of(const struct otlp_value *v, uint64_t *out)
{
    if (v->kind == ASSAY_LABEL_INTEGER) *out = (uint64_t)v->number;
    return v->kind == ASSAY_LABEL_INTEGER ? v->number >= 0 : v->kind == ASSAY_LABEL_TEXT && number_u64(v->text, out) == NUMBER_OK;
}

/* Attributes of a resource or a profiler; those that the stream itself says are no attributes. `m` NULL: they are added to the stream. */
static int take_attributes(struct otlp_reader *r, const struct otlp_profile *p, enum otlp_message message, assay_slice bytes, struct making *m,
                           assay_stream_id stream, const struct making *made)
{
    struct otlp_walk w = otlp_walk(&r->d, &r->d.documents.at[p->document], message, bytes);
    assay_slice key, any, text;
    struct otlp_value v;
    char buf[48];
    while (otlp_next_key_value(&r->t, p->document, p->set, &w, &key, &any)) {
        TRY(value_of(r, p->set, any, &v, &text, buf));
        bool is_pid = message == OTLP_RESOURCE && slice_is(key, "process.pid"), is_service = message == OTLP_RESOURCE && slice_is(key, "service.name");
        if (m && is_pid) m->has_pid = number_of(&v, &m->pid);
        if (m && is_service && text.len < sizeof m->label) {
            text_of(text, m->label, sizeof m->label);
            m->is_service = true;
        }
        if (m || (is_pid && made->has_pid) || (is_service && made->is_service)) continue;
        if (message == OTLP_RESOURCE)
            assay_build_attribute(r->b, stream, key.data, key.len, text.data, text.len);
        else {
            char name[256];
            int len = snprintf(name, sizeof name, "otel.scope.%.*s", (int)(key.len < 200 ? key.len : 200), key.len ? key.data : "");
            assay_build_attribute(r->b, stream, name, (size_t)len, text.data, text.len);
        }
    }
    return 0;
}

static void put_scope(struct otlp_reader *r, const struct otlp_scope *s, assay_stream_id stream)
{
    struct otlp_walk w = otlp_walk(&r->d, &r->d.documents.at[s->document], OTLP_SCOPE, s->scope);
    struct otlp_item i;
    while (otlp_next(&r->d, &w, &i)) {
        if (i.name == OTLP_NAME && i.raw.bytes.len) assay_build_attribute(r->b, stream, "otel.scope.name", 15, i.raw.bytes.data, i.raw.bytes.len);
        if (i.name == OTLP_VERSION && i.raw.bytes.len) assay_build_attribute(r->b, stream, "otel.scope.version", 18, i.raw.bytes.data, i.raw.bytes.len);
    }
}

static int make_stream(struct otlp_reader *r, const struct otlp_profile *p, struct otlp_stream *s)
{
    struct otlp_scope of = r->t.scopes.at[p->scope], *scope = &of;
    struct making m = { .label = "" };
    struct otlp_value v;
    assay_slice text;
    char buf[48];
    bool is_none = !scope->resource.len && !scope->scope.len && !s->thread_id && !s->thread_name;
    if (is_none) return 0;
    uint32_t *is_used = &r->resource_used.at[of.resource_number];
    if (*is_used) of.resource = repeated(of.resource);
    if (*is_used) of.scope = repeated(of.scope);
    *is_used = 1;
    TRY(take_attributes(r, p, OTLP_RESOURCE, scope->resource, &m, s->id, NULL));
    if (s->thread_id) {
        const struct otlp_attribute *a = &r->t.attributes.at[s->thread_id - 1];
        TRY(value_of(r, a->set, a->value, &v, &text, buf));
        m.has_tid = number_of(&v, &m.tid);
    }
    if (s->thread_name) {
        const struct otlp_attribute *a = &r->t.attributes.at[s->thread_name - 1];
        TRY(value_of(r, a->set, a->value, &v, &text, buf));
        text_of(text, m.label, sizeof m.label);
        m.is_service = false;
    }
    s->id = assay_build_stream(r->b, m.label);
    if (m.has_pid) assay_build_tuple(r->b, "PROCESS", m.pid, m.pid, 0);
    if (m.has_tid) assay_build_tuple(r->b, "THREAD", m.tid, m.tid, 0);
    TRY(take_attributes(r, p, OTLP_RESOURCE, scope->resource, NULL, s->id, &m));
    put_scope(r, scope, s->id);
    TRY(take_attributes(r, p, OTLP_SCOPE, scope->scope, NULL, s->id, &m));
    return assay_builder_failed(r->b);
}

static int find_threads(struct otlp_reader *r, const struct otlp_profile *p, const struct otlp_sample *s, struct otlp_stream *key)
{
    for (uint32_t i = 0; i < s->attribute_count; i++) {
        uint32_t row = otlp_row(&r->t.sets.at[p->set], OTLP_T_ATTRIBUTES, (int64_t)s->attributes[i]);
        if (row == GROW_NO_ROW || kind_of(r, row) == KIND_OTHER) continue;
        uint32_t same = same_as(r, row);
        if (!same) return no_memory(r);
        *(kind_of(r, row) == KIND_THREAD_ID ? &key->thread_id : &key->thread_name) = same;
    }
    return 0;
}

static bool is_stream(const struct otlp_stream *a, const struct otlp_stream *b)
{
    return a->scope == b->scope && a->thread_id == b->thread_id && a->thread_name == b->thread_name;
}

int otlp_stream_of(struct otlp_reader *r, const struct otlp_profile *p, const struct otlp_sample *s, uint32_t *out)
{
    size_t attributes = r->t.attributes.len + 1;
    if (!r->scope_of.len) {
        if (!zeros(r, &r->scope_of, r->t.scopes.len) || !zeros(r, &r->resource_used, r->t.resources) || !zeros(r, &r->same_as, attributes) ||
            !vec_reserve(r->mem, &r->kind_of, attributes))
            return no_memory(r);
        memset(r->kind_of.at, 0, attributes);
    }
    struct otlp_stream key = { .scope = scope_of(r, p->scope) };
    if (!key.scope) return no_memory(r);
    if (s->attribute_count) TRY(find_threads(r, p, s, &key));
    if (r->streams.len && is_stream(&r->streams.at[r->last_stream], &key)) {
        *out = r->streams.at[r->last_stream].id.v;
        return 0;
    }
    uint64_t hash = hash_mix(hash_mix(key.scope, key.thread_id), (uint64_t)key.thread_name | (uint64_t)1 << 40);
    for (struct index_walk w = index_walk(&r->stream_index, hash); index_next(&r->stream_index, &w);) {
        if (!is_stream(&r->streams.at[w.id - 1], &key)) continue;
        r->last_stream = w.id - 1;
        *out = r->streams.at[r->last_stream].id.v;
        return 0;
    }
    r->d.is_quiet = true; /* damage was named when the tables were loaded */
    int rc = make_stream(r, p, &key);
    r->d.is_quiet = false;
    TRY(rc);
    struct otlp_stream *slot = vec_push(r->mem, &r->streams);
    if (!slot) return no_memory(r);
    *slot = key;
    r->last_stream = (uint32_t)r->streams.len - 1;
    *out = key.id.v;
    return index_add(&r->stream_index, hash, (uint32_t)r->streams.len) ? 0 : no_memory(r);
}

/* ---- facts ---- */

static void attribute(struct otlp_reader *r, const char *key, assay_slice value)
{
    if (value.len) assay_build_attribute(r->b, (assay_stream_id){ 0 }, key, strlen(key), value.data, value.len);
}

/* Comments, which are one attribute with a list. */
static int put_comments(struct otlp_reader *r, const struct otlp_attribute *a)
{
    const struct otlp_document *doc = &r->d.documents.at[r->t.sets.at[a->set].document];
    struct otlp_walk w = otlp_walk(&r->d, doc, OTLP_ANY_VALUE, a->value);
    struct otlp_item i, k;
    struct otlp_value v;
    assay_slice text;
    char buf[48];
    bool has_list = false;
    while (otlp_next(&r->d, &w, &i)) {
        if (i.name != OTLP_ARRAY_VALUE) continue;
        struct otlp_walk list = otlp_walk(&r->d, doc, OTLP_ARRAY, i.raw.bytes);
        has_list = true;
        while (otlp_next(&r->d, &list, &k)) {
            if (k.name != OTLP_ARRAY_VALUE) continue;
            TRY(value_of(r, a->set, k.raw.bytes, &v, &text, buf));
            attribute(r, "comment", text);
        }
    }
    if (has_list) return 0;
    TRY(value_of(r, a->set, a->value, &v, &text, buf));
    attribute(r, "comment", text);
    return 0;
}

/* Those of the first profile: a file has the same for each. pprof's own have pprof's names. */
static int put_profile_attributes(struct otlp_reader *r, const struct otlp_profile *p)
{
    static const char *const known[] = { "drop_frames", "keep_frames", "doc_url", NULL };
    SCRATCH(uint8_t, is_done, r->mem, r->t.attributes.len + 1);
    if (!is_done) return no_memory(r);
    for (uint32_t k = 0; k < p->attribute_count; k++) {
        uint64_t row = r->t.profile_attributes.at[p->first_attribute + k];
        if (row == GROW_NO_ROW || is_done[row]) continue;
        is_done[row] = 1;
        const struct otlp_attribute *a = &r->t.attributes.at[row];
        assay_slice key = otlp_attribute_key(&r->t, a), text;
        struct otlp_value v;
        char buf[48];
        bool is_pprof = slice_starts(key, "pprof.profile.");
        assay_slice rest = is_pprof ? (assay_slice){ key.data + 14, key.len - 14 } : key;
        if (is_pprof && (slice_is(rest, "comment") || slice_starts(rest, "comment."))) {
            TRY(put_comments(r, a));
            continue;
        }
        TRY(value_of(r, a->set, a->value, &v, &text, buf));
        bool is_known = false;
        for (size_t i = 0; is_pprof && known[i]; i++) is_known |= slice_is(rest, known[i]);
        if (!key.len) continue;
        if (!is_known) rest = key;
        assay_build_attribute(r->b, (assay_stream_id){ 0 }, rest.data, rest.len, text.data, text.len);
    }
    return 0;
}

static void put_times(struct otlp_reader *r)
{
    uint64_t start = UINT64_MAX, end = 0;
    char buf[48];
    for (size_t i = 0; i < r->t.profiles.len; i++) {
        const struct otlp_profile *p = &r->t.profiles.at[i];
        if (p->time && p->time < start) start = p->time;
        if (p->time && p->duration <= INT64_MAX && p->time + p->duration > end) end = p->time + p->duration;
    }
    if (start == UINT64_MAX) start = 0;
    if (!start && r->t.profiles.len) end = r->t.profiles.at[0].duration;
    if (start) attribute(r, "time_nanos", (assay_slice){ buf, number_put_u64(buf, start) });
    if (end > start) attribute(r, "duration_nanos", (assay_slice){ buf, number_put_u64(buf, end - start) });
}

static void put_counts(struct otlp_reader *r)
{
    uint64_t count[OTLP_TABLES] = { 0 }, dropped = 0, payload = 0;
    for (size_t i = 0; i < r->t.sets.len; i++) {
        const struct otlp_set *s = &r->t.sets.at[i];
        uint32_t none = otlp_is_new(&r->d.documents.at[s->document]);
        for (int k = 0; k < OTLP_TABLES; k++) count[k] += s->count[k] > none || k == OTLP_T_STRINGS ? s->count[k] - (k == OTLP_T_STRINGS ? 0 : none) : 0;
    }
    for (size_t i = 0; i < r->t.profiles.len; i++) {
        dropped += r->t.profiles.at[i].dropped;
        payload += r->t.profiles.at[i].payload;
    }
    assay_build_count(r->b, "profiles", r->t.profiles.len);
    assay_build_count(r->b, "samples", r->t.samples);
    assay_build_count(r->b, "locations", count[OTLP_T_LOCATIONS]);
    assay_build_count(r->b, "functions", count[OTLP_T_FUNCTIONS]);
    assay_build_count(r->b, "modules", count[OTLP_T_MAPPINGS]);
    assay_build_count(r->b, "strings", count[OTLP_T_STRINGS]);
    assay_build_count(r->b, "locations_with_inlines", r->t.inlined);
    assay_build_count(r->b, "resources", r->t.resources);
    if (r->times) assay_build_count(r->b, "timestamps", r->times);
    if (dropped) assay_build_count(r->b, "dropped_attributes", dropped);
    if (payload) assay_build_count(r->b, "payload_bytes", payload);
    if (r->grower.is_counting) assay_build_count(r->b, "stacks", r->grower.stacks);
    if (r->grower.is_counting) assay_build_count(r->b, "contexts", r->grower.function_paths.len);
    assay_build_count(r->b, "distinct_functions", r->grower.functions);
}

int otlp_build_facts(struct otlp_reader *r)
{
    const struct otlp_profile *p = r->t.profiles.len ? r->t.profiles.at : NULL;
    r->d.is_quiet = true;
    put_times(r);
    for (uint32_t k = 0; p && k < p->comment_count; k++) attribute(r, "comment", otlp_text(&r->t, r->t.comments.at[p->first_comment + k]));
    if (p) attribute(r, "drop_frames", otlp_text(&r->t, p->drop_frames));
    if (p) attribute(r, "keep_frames", otlp_text(&r->t, p->keep_frames));
    if (p) TRY(put_profile_attributes(r, p));
    put_counts(r);
    assay_build_source(r->b, "otlp-profiles", r->d.documents.len ? otlp_version(&r->d.documents.at[0]) : "1.10", "");
    uint32_t offers = ASSAY_SHAPE_TREE;
    if (r->saw_labels) offers |= ASSAY_SHAPE_LABELS;
    if (r->times) offers |= ASSAY_SHAPE_TIMELINE;
    assay_build_offers(r->b, offers);
    if (r->is_saturated) findings_add(&r->damage, "OT25", ASSAY_WARNING, FINDING_NO_OFFSET, 0, "the sum of a stack is too large: the largest value is used");
    return 0;
}

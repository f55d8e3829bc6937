/* Columns -> metrics: which columns of the table are one metric seen in several ways (docs/formats/hpcdb-xml.md, "Metrics"), and whether
 * partners and formulas hold. */
#include "formats/hpcdb-xml/tables.h"

#include <math.h>

#include "base/number.h"

#define SIX_DIGITS 1e-5 /* what the values of the document have */

/* ---- names of columns ---- */

static bool is_statistic(assay_slice s)
{
    static const char *const known[] = { "Sum", "Mean", "StdDev", "CfVar", "Min", "Max" };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (slice_is(s, known[i])) return true;
    return false;
}

static bool is_made_of(assay_slice s, bool only_digits)
{
    for (size_t i = 0; i < s.len; i++) {
        char c = s.data[i];
        bool is_digit = c >= '0' && c <= '9';
        if (!is_digit && (only_digits || !(c == '-' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')))) return false;
    }
    return s.len > 0;
}

/* Cuts the last part behind a ':' off `s`. */
static bool cut_part(assay_slice *s, assay_slice *part)
{
    const char *colon = s->len ? memrchr(s->data, ':', s->len) : NULL;
    if (!colon) return false;
    *part = slice_from(colon + 1, s->data + s->len);
    s->len = (size_t)(colon - s->data);
    return true;
}

/* "BASE:STAT", "BASE:PARTIAL:0" and "BASE:STAT:accumulator" -> base and whether it is the sum; false = no statistic. */
static bool split_statistic(assay_slice name, assay_slice *base, bool *is_sum)
{
    assay_slice rest = name, last, before;
    *is_sum = false;
    if (!cut_part(&rest, &last)) return false;
    *base = rest;
    *is_sum = slice_is(last, "Sum");
    if (is_statistic(last)) return true;
    if (!cut_part(&rest, &before)) return false;
    *base = rest;
    return (is_statistic(before) && is_made_of(last, false)) || (slice_is(before, "PARTIAL") && is_made_of(last, true));
}

/* "BASE.[rank,thread]" */
static bool split_stream(assay_slice name, assay_slice *base, struct hx_metric *m)
{
    const char *dot = name.len ? memrchr(name.data, '.', name.len) : NULL;
    if (!dot || !slice_ends(name, "]")) return false;
    assay_slice in = slice_from(dot + 1, name.data + name.len - 1);
    const char *comma = in.len > 1 && in.data[0] == '[' ? memchr(in.data, ',', in.len) : NULL;
    if (!comma) return false;
    *base = slice_from(name.data, dot);
    return number_u64(slice_from(in.data + 1, comma), &m->rank) == NUMBER_OK && number_u64(slice_from(comma + 1, in.data + in.len), &m->thread) == NUMBER_OK;
}

static const char *suffix_of(enum hx_type type) { return type == HX_INCLUSIVE ? " (I)" : " (E)"; }

/* ---- metrics ---- */

static struct hx_base *base_named(struct hx_tables *t, assay_slice name, uint32_t column)
{
    uint32_t id = intern_put(&t->base_names, name);
    if (id && id > t->bases.len) {
        struct hx_base *b = vec_push(t->mem, &t->bases);
        if (!b) return NULL;
        *b = (struct hx_base){ .name = intern_get(&t->base_names, id), .first = column, .db_inclusive = -1, .db_exclusive = -1 };
    }
    return id ? &t->bases.at[id - 1] : NULL;
}

static bool sort_in(struct hx_tables *t, uint32_t column)
{
    struct hx_metric *m = &t->metrics.at[column];
    assay_slice name = m->name, base;
    bool is_sum = false;
    if (m->type != HX_NIL && slice_ends(name, suffix_of(m->type))) name.len -= 4;
    bool is_statistic = split_statistic(name, &base, &is_sum);
    if (!is_statistic) {
        is_sum = m->type != HX_NIL;
        m->has_stream = split_stream(name, &base, m);
        if (!m->has_stream) base = name;
    }
    struct hx_base *b = base_named(t, base, column);
    if (!b) return false;
    m->base = (uint32_t)(b - t->bases.at);
    uint32_t *pair = m->type == HX_INCLUSIVE ? &b->inclusive : &b->exclusive;
    if (is_sum && m->type != HX_NIL && !m->has_stream) {
        if (!*pair) *pair = column + 1;
    } else if (!is_statistic) {
        m->role = HX_RAW;
        b->raw_count++;
    }
    return true;
}

/* A pair of sums wins over columns of threads; one of a pair alone counts as own cost. */
static void give_roles(struct hx_tables *t)
{
    for (size_t i = 0; i < t->bases.len; i++) {
        struct hx_base *b = &t->bases.at[i];
        b->has_pair = b->inclusive && b->exclusive;
        uint32_t alone = b->has_pair || b->raw_count ? 0 : b->inclusive ? b->inclusive : b->exclusive;
        if (alone) t->metrics.at[alone - 1].role = HX_RAW;
        if (!b->has_pair) continue;
        t->metrics.at[b->inclusive - 1].role = HX_TOTAL;
        t->metrics.at[b->exclusive - 1].role = HX_OWN;
    }
    for (size_t i = 0; i < t->metrics.len; i++) {
        struct hx_metric *m = &t->metrics.at[i];
        if (m->role == HX_RAW && t->bases.at[m->base].has_pair) m->role = HX_IGNORED;
        if (m->factor == 0) m->factor = 1;
    }
}

struct hx_base *hx_base_of(const struct hx_tables *t, assay_slice name, enum hx_type *type)
{
    *type = slice_ends(name, " (I)") ? HX_INCLUSIVE : slice_ends(name, " (E)") ? HX_EXCLUSIVE : HX_NIL;
    if (*type != HX_NIL) name.len -= 4;
    uint32_t id = intern_find(&t->base_names, name);
    return id ? &t->bases.at[id - 1] : NULL;
}

void hx_compare_threads(const struct hx_tables *t, size_t base, uint64_t files, double threads, double whole)
{
    const struct hx_base *b = &t->bases.at[base];
    if (b->db_inclusive >= 0 && fabs(whole - threads) > SIX_DIGITS * fmax(fabs(whole), fabs(threads)))
        findings_add(t->damage, "HX28", ASSAY_WARNING, FINDING_NO_OFFSET, 0,
                     "%.80s: %llu thread files add up to %.10g, the summary says %.10g: some are missing", b->name.data, (unsigned long long)files, threads,
                     whole);
}

static void find_thread_columns(struct hx_tables *t)
{
    for (size_t i = 0; i < t->metric_dbs.len; i++) {
        const struct hx_metric_db *m = &t->metric_dbs.at[i];
        enum hx_type type;
        struct hx_base *b = m->column >= 0 && m->column < HX_METRICS_MAX ? hx_base_of(t, m->name, &type) : NULL;
        if (!b || type == HX_NIL) continue;
        int32_t *column = type == HX_INCLUSIVE ? &b->db_inclusive : &b->db_exclusive;
        if (*column < 0) *column = (int32_t)m->column;
    }
}

/* ---- what they say of each other ---- */

static void check_partner(const struct hx_tables *t, const struct hx_metric *m)
{
    const struct hx_metric *p = m->has_partner ? hx_metric_find(t, m->partner) : NULL;
    if (m->has_partner && (!p || !p->has_partner || p->partner != m->id || p->type == m->type))
        findings_add(t->damage, "HX12", ASSAY_WARNING, m->off, 0, "metric %lld: its partner %lld %s", (long long)m->id, (long long)m->partner,
                     p ? "does not match it" : "is not in the table");
}

static bool has_order(const struct hx_tables *t, int64_t order)
{
    for (struct index_walk w = index_walk(&t->by_order, hash_mix(0, (uint64_t)order)); index_next(&t->by_order, &w);)
        if (t->metrics.at[w.id - 1].order == order) return true;
    return false;
}

static void check_formula(const struct hx_tables *t, const struct hx_formula *f)
{
    long long id = (long long)t->metrics.at[f->metric].id;
    int64_t open = 0;
    for (size_t i = 0; i < f->text.len; i++) {
        char c = f->text.data[i];
        open += c == '(' ? 1 : c == ')' ? -1 : 0;
        if (c != '$' && c != '#') continue;
        char number[24];
        size_t len = 0;
        while (i + 1 < f->text.len && len + 1 < sizeof number &&
               (is_made_of((assay_slice){ &f->text.data[i + 1], 1 }, true) || (len == 0 && f->text.data[i + 1] == '-')))
            number[len++] = f->text.data[++i];
        number[len] = '\0';
        int64_t n;
        bool is_there = hx_number(number, &n) && (c == '$' ? hx_metric_find(t, n) != NULL : has_order(t, n));
        if (!is_there) findings_add(t->damage, "HX13", ASSAY_WARNING, f->off, 0, "metric %lld: its formula names %c%s, which is not a metric", id, c, number);
    }
    if (open) findings_add(t->damage, "HX13", ASSAY_WARNING, f->off, 0, "metric %lld: the brackets of its formula do not match", id);
}

int hx_tables_finish(struct hx_tables *t, assay_error *err)
{
    if (t->is_finished) return 0;
    t->is_finished = true;
    for (size_t i = 0; i < t->metrics.len; i++)
        if (!sort_in(t, (uint32_t)i)) return error_memory(err);
    give_roles(t);
    find_thread_columns(t);
    for (size_t i = 0; i < t->metrics.len; i++) check_partner(t, &t->metrics.at[i]);
    for (size_t i = 0; i < t->formulas.len; i++) check_formula(t, &t->formulas.at[i]);
    return t->damage->failed ? error_memory(err) : 0;
}

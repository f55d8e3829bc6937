/* Functions of SQL: for people (human, share), names (regexp), stacks, and statistics that SQLite lacks. */
#include "query/query.h"

#ifdef ASSAY_HAVE_SQLITE
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/number.h"
#include "base/pattern.h"
#include "base/slice.h"

/* ---- for people ---- */

static void human(sqlite3_context *to, int count, sqlite3_value **args)
{
    char text[64];
    if (sqlite3_value_type(args[0]) == SQLITE_NULL) return;
    const char *unit = count > 1 ? (const char *)sqlite3_value_text(args[1]) : "";
    size_t len = number_human(text, sqlite3_value_double(args[0]), unit ? unit : "");
    sqlite3_result_text(to, text, (int)len, SQLITE_TRANSIENT);
}

static void share(sqlite3_context *to, int count, sqlite3_value **args)
{
    char text[64];
    (void)count;
    if (sqlite3_value_type(args[0]) == SQLITE_NULL || sqlite3_value_type(args[1]) == SQLITE_NULL) return;
    size_t len = number_percent(text, sqlite3_value_double(args[0]), sqlite3_value_double(args[1]));
    sqlite3_result_text(to, text, (int)len, SQLITE_TRANSIENT);
}

/* ---- names ---- */

struct expression {
    struct mem mem;
    struct pattern *pattern;
};

static void free_expression(void *arg)
{
    struct expression *e = arg;
    pattern_free(e->pattern);
    free(e);
}

static struct expression *new_expression(sqlite3_context *to, const char *text)
{
    assay_error err;
    struct expression *e = calloc(1, sizeof *e);
    if (!e) {
        sqlite3_result_error_nomem(to);
        return NULL;
    }
    mem_init(&e->mem, 0);
    if (pattern_new(&e->pattern, text, &e->mem, &err) == 0) return e;
    sqlite3_result_error(to, err.text, -1);
    free(e);
    return NULL;
}

/* X regexp Y is regexp(Y, X). The expression of a column or constant is compiled once for each statement. */
static void regexp(sqlite3_context *to, int count, sqlite3_value **args)
{
    struct expression *e = sqlite3_get_auxdata(to, 0);
    bool is_new = !e;
    (void)count;
    const char *text = (const char *)sqlite3_value_text(args[0]), *name = (const char *)sqlite3_value_text(args[1]);
    if (!text || !name) return;
    if (is_new && !(e = new_expression(to, text))) return;
    sqlite3_result_int(to, pattern_matches(e->pattern, (assay_slice){ name, (size_t)sqlite3_value_bytes(args[1]) }));
    if (is_new) sqlite3_set_auxdata(to, 0, e, free_expression);
}

/* ---- stacks ---- */

/* stack(node) of the only input, or stack(profile, node). */
static void stack(sqlite3_context *to, int count, sqlite3_value **args)
{
    assay_query *q = sqlite3_user_data(to);
    struct arena arena;
    assay_error err = { 0 };
    if (count == 1 && q->inputs.len > 1) {
        sqlite3_result_error(to, "with several inputs, stack() needs the profile too: stack(profile, node)", -1);
        return;
    }
    sqlite3_int64 profile = count == 2 ? sqlite3_value_int64(args[0]) : 1, node = sqlite3_value_int64(args[count - 1]);
    if (profile < 1 || node < 1) return;
    arena_init(&arena, &q->mem);
    assay_slice s = tables_stack(&q->tables, (size_t)profile, (uint64_t)node, &arena, &err);
    if (s.data)
        sqlite3_result_text64(to, s.data, s.len, SQLITE_TRANSIENT, SQLITE_UTF8);
    else if (err.code) {
        (void)query_fail(q, NULL, &err);
        sqlite3_result_error(to, err.text, -1);
    }
    arena_done(&arena);
}

/* ---- labels ---- */

/* The label `key` of a set: the last one, where a key has several. 0 = it has none. */
static uint32_t find_label(const assay_profile *p, uint64_t set, assay_slice key)
{
    const struct assay_labels *l = assay_profile_labels(p);
    for (; set && set <= l->set_count; set = l->set_rest[set].v) { /* sets without their last label are earlier ones */
        uint32_t label = l->set_label[set].v;
        if (slice_equal(assay_profile_string(p, l->key[label]), key)) return label;
    }
    return 0;
}

/* label_of(labels, key) of the only input, or label_of(profile, labels, key). */
static void label_of(sqlite3_context *to, int count, sqlite3_value **args)
{
    assay_query *q = sqlite3_user_data(to);
    if (count == 2 && q->inputs.len > 1) {
        sqlite3_result_error(to, "with several inputs, label_of() needs the profile too: label_of(profile, labels, key)", -1);
        return;
    }
    sqlite3_int64 profile = count == 3 ? sqlite3_value_int64(args[0]) : 1, set = sqlite3_value_int64(args[count - 2]);
    const char *key = (const char *)sqlite3_value_text(args[count - 1]);
    const assay_profile *p = profile >= 1 && (size_t)profile <= q->tables.profiles.len ? tables_profile(&q->tables, (size_t)profile) : NULL;
    if (!p || !key || set < 1) return;
    const struct assay_labels *l = assay_profile_labels(p);
    uint32_t label = find_label(p, (uint64_t)set, (assay_slice){ key, (size_t)sqlite3_value_bytes(args[count - 1]) });
    if (!label) return;
    assay_slice text = l->text ? assay_profile_string(p, l->text[label]) : (assay_slice){ NULL, 0 };
    if (!l->kind || l->kind[label] == ASSAY_LABEL_TEXT)
        sqlite3_result_text64(to, text.data ? text.data : "", text.len, SQLITE_TRANSIENT, SQLITE_UTF8);
    else if (l->kind[label] == ASSAY_LABEL_DOUBLE)
        sqlite3_result_double(to, l->real ? l->real[label] : 0);
    else
        sqlite3_result_int64(to, l->number ? l->number[label] : 0);
}

/* ---- statistics ---- */

struct numbers {
    double *at;
    size_t len, cap;
    double percent; /* of percentile */
    bool has_failed;
    /* Welford's running mean, for the deviation */
    double mean, squares;
};

static struct numbers *collect(sqlite3_context *to, sqlite3_value *value)
{
    struct numbers *n = sqlite3_aggregate_context(to, sizeof *n);
    if (!n || sqlite3_value_type(value) == SQLITE_NULL || n->has_failed) return NULL;
    if (n->len == n->cap) {
        size_t cap = n->cap ? 2 * n->cap : 64;
        double *at = sqlite3_realloc64(n->at, cap * sizeof *at);
        if (!at) {
            n->has_failed = true;
            return NULL;
        }
        n->at = at;
        n->cap = cap;
    }
    double v = sqlite3_value_double(value);
    if (!isnan(v)) n->at[n->len++] = v;
    return n;
}

static void percentile_step(sqlite3_context *to, int count, sqlite3_value **args)
{
    struct numbers *n = collect(to, args[0]);
    if (n) n->percent = count > 1 ? sqlite3_value_double(args[1]) : 50;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Between two values in proportion, as spreadsheets do. */
static void percentile_end(sqlite3_context *to)
{
    struct numbers *n = sqlite3_aggregate_context(to, 0);
    if (!n) return;
    if (n->has_failed)
        sqlite3_result_error_nomem(to);
    else if (!(n->percent >= 0 && n->percent <= 100))
        sqlite3_result_error(to, "the second argument of percentile() is from 0 to 100", -1);
    else if (n->len) {
        qsort(n->at, n->len, sizeof *n->at, by_size);
        double place = n->percent * (double)(n->len - 1); /* in hundredths, so that whole percentages stay exact */
        size_t low = (size_t)(place / 100), high = low + 1 < n->len ? low + 1 : low;
        double part = fmod(place, 100) / 100;
        sqlite3_result_double(to, part == 0 ? n->at[low] : n->at[low] + (n->at[high] - n->at[low]) * part);
    }
    sqlite3_free(n->at);
    n->at = NULL;
}

static void stddev_step(sqlite3_context *to, int count, sqlite3_value **args)
{
    struct numbers *n = sqlite3_aggregate_context(to, sizeof *n);
    (void)count;
    if (!n || sqlite3_value_type(args[0]) == SQLITE_NULL) return;
    double v = sqlite3_value_double(args[0]), off = v - n->mean;
    n->mean += off / (double)++n->len;
    n->squares += off * (v - n->mean);
}

/* Of a sample, as other databases do; NULL of fewer than two. */
static void stddev_end(sqlite3_context *to)
{
    const struct numbers *n = sqlite3_aggregate_context(to, 0);
    if (n && n->len > 1) sqlite3_result_double(to, sqrt(n->squares / (double)(n->len - 1)));
}

/* ---- the list ---- */

int query_add_functions(assay_query *q, assay_error *err)
{
    static const struct {
        const char *name;
        int args;
        void (*call)(sqlite3_context *, int, sqlite3_value **);
        void (*step)(sqlite3_context *, int, sqlite3_value **);
        void (*end)(sqlite3_context *);
    } list[] = {
        { "human", 1, human, NULL, NULL },
        { "human", 2, human, NULL, NULL },
        { "share", 2, share, NULL, NULL },
        { "regexp", 2, regexp, NULL, NULL },
        { "stack", 1, stack, NULL, NULL },
        { "stack", 2, stack, NULL, NULL },
        { "label_of", 2, label_of, NULL, NULL },
        { "label_of", 3, label_of, NULL, NULL },
        { "percentile", 2, NULL, percentile_step, percentile_end },
        { "median", 1, NULL, percentile_step, percentile_end },
        { "stddev", 1, NULL, stddev_step, stddev_end },
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        int rc = sqlite3_create_function_v2(q->db, list[i].name, list[i].args, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, q, list[i].call,
                                            list[i].step, list[i].end, NULL);
        if (rc != SQLITE_OK) return query_error(q, rc, err);
    }
    return 0;
}
#endif

/* For the tests of callgrind text: texts that grow, one call of each function of the module on them, and figures found by name. */
#ifndef TESTS_CALLGRIND_CG_H
#define TESTS_CALLGRIND_CG_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "assay/assay.h"
#include "formats/callgrind/callgrind.h"

#define ANY UINT32_MAX
#define EVERYTHING (ASSAY_WANT_GRAPH | ASSAY_WANT_COUNTS)

/* ---- texts ---- */

struct text {
    char *at;
    size_t len, cap;
};

static inline void text_add(struct text *t, const char *data, size_t len)
{
    if (t->len + len + 1 > t->cap) {
        t->cap = (t->len + len + 1) * 2;
        t->at = realloc(t->at, t->cap);
        assert_non_null(t->at);
    }
    if (len) memcpy(t->at + t->len, data, len);
    t->len += len;
    t->at[t->len] = 0;
}

static inline void text_printf(struct text *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static inline void text_printf(struct text *t, const char *fmt, ...)
{
    char line[512];
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(line, sizeof line, fmt, ap);
    va_end(ap);
    assert_in_range(n, 0, sizeof line - 1);
    text_add(t, line, (size_t)n);
}

static inline void text_free(struct text *t)
{
    free(t->at);
    *t = (struct text){ 0 };
}

static inline int text_sink(void *arg, const char *data, size_t len)
{
    text_add(arg, data, len);
    return 0;
}

/* ---- one call each ---- */

struct cg_job {
    struct mem mem;
    struct input *in;
    struct assay_read_options options;
    struct read_job job;
    assay_error err;
};

static inline void cg_open(struct cg_job *j, const void *data, size_t len)
{
    memset(j, 0, sizeof *j);
    mem_init(&j->mem, 0);
    struct input_options o = { .mem = &j->mem };
    assert_int_equal(input_open_memory(&j->in, data, len, "sample", &o, &j->err), 0);
    j->job = (struct read_job){ .in = j->in, .options = &j->options, .mem = &j->mem };
}

static inline void cg_close(struct cg_job *j)
{
    input_close(j->in);
    assert_int_equal(j->mem.used, 0);
}

/* Owned by the caller; NULL = *err says why. */
static inline assay_profile *cg_read_as(const char *format, const void *data, size_t len, uint32_t want, bool strict, assay_error *err)
{
    assay_profile *p = NULL;
    struct assay_read_options o = { .format = format, .want = want, .strict = strict };
    int rc = assay_read_memory(data, len, "sample", &o, &p, err);
    assert_true((rc == 0) == (p != NULL));
    return p;
}

static inline assay_profile *cg_read(const char *text, uint32_t want)
{
    assay_error err;
    assay_profile *p = cg_read_as("callgrind", text, strlen(text), want, false, &err);
    if (!p) fail_msg("%s", err.text);
    return p;
}

static inline const assay_finding *cg_warning(const assay_profile *p, const char *rule)
{
    size_t n;
    const assay_finding *f = assay_profile_warnings(p, &n);
    for (size_t i = 0; i < n; i++)
        if (strcmp(f[i].rule, rule) == 0) return &f[i];
    return NULL;
}

/* ---- figures by name ---- */

static inline const char *cg_str(const assay_profile *p, assay_str_id id)
{
    assay_slice s = assay_profile_string(p, id);
    return s.data ? s.data : "";
}

static inline const char *cg_func_name(const assay_profile *p, assay_func_id f) { return cg_str(p, assay_profile_funcs(p)->name[f.v]); }
static inline const char *cg_file_name(const assay_profile *p, assay_file_id f) { return f.v ? cg_str(p, assay_profile_files(p)->path[f.v]) : ""; }
static inline const char *cg_func_file(const assay_profile *p, assay_func_id f)
{
    const struct assay_funcs *t = assay_profile_funcs(p);
    return cg_file_name(p, t->file ? t->file[f.v] : (assay_file_id){ 0 });
}
static inline const char *cg_func_module(const assay_profile *p, assay_func_id f)
{
    const struct assay_funcs *t = assay_profile_funcs(p);
    return t->module && t->module[f.v].v ? cg_str(p, assay_profile_modules(p)->path[t->module[f.v].v]) : "";
}

/* A name, or FILE|NAME where the name alone is not enough. */
static inline bool cg_is(const assay_profile *p, assay_func_id f, const char *name)
{
    const char *bar = strchr(name, '|');
    if (!bar) return strcmp(cg_func_name(p, f), name) == 0;
    const char *file = cg_func_file(p, f);
    return strcmp(cg_func_name(p, f), bar + 1) == 0 && strlen(file) == (size_t)(bar - name) && memcmp(file, name, strlen(file)) == 0;
}

/* Exactly one function must have the name. */
static inline assay_func_id cg_func(const assay_profile *p, const char *name)
{
    assay_func_id found = { 0 };
    for (uint32_t i = 1; i <= assay_profile_funcs(p)->count; i++)
        if (cg_is(p, (assay_func_id){ i }, name)) {
            if (found.v) fail_msg("two functions '%s'", name);
            found.v = i;
        }
    if (!found.v) fail_msg("no function '%s'", name);
    return found;
}

static inline uint32_t cg_slot(const assay_profile *p, const char *metric)
{
    const struct assay_block *b = &assay_profile_graph(p)->block;
    for (uint32_t k = 0; k < b->metric_count; k++)
        if (strcmp(cg_str(p, assay_profile_metrics(p)->name[b->metrics[k].v]), metric) == 0) return k;
    fail_msg("no metric '%s'", metric);
    return 0;
}

/* Self cost of a function over all parts, in the k-th metric. */
static inline int64_t cg_self(const assay_profile *p, const char *func, uint32_t k)
{
    const struct assay_graph *g = assay_profile_graph(p);
    assay_func_id f = cg_func(p, func);
    int64_t sum = 0;
    assert_true(k < g->block.metric_count);
    for (uint32_t i = 0; i < g->sum_count; i++)
        if (g->sum_func[i].v == f.v) sum += g->sum_self[i * g->block.metric_count + k].i;
    return sum;
}

static inline uint64_t cg_calls_to(const assay_profile *p, const char *func)
{
    const struct assay_graph *g = assay_profile_graph(p);
    assay_func_id f = cg_func(p, func);
    uint64_t sum = 0;
    for (uint32_t i = 0; i < g->sum_count; i++)
        if (g->sum_func[i].v == f.v && g->sum_calls) sum += g->sum_calls[i];
    return sum;
}

/* The cost row at a place: figures in the k-th metric; -1 when there is no such row. line ANY = the first of the function. */
static inline int64_t cg_cost_at(const assay_profile *p, const char *func, const char *file, uint32_t line, uint64_t address, uint32_t k)
{
    const struct assay_graph *g = assay_profile_graph(p);
    for (uint32_t i = 0; i < g->cost_count; i++) {
        assay_file_id at = g->cost_file ? g->cost_file[i] : (assay_file_id){ 0 };
        if (!cg_is(p, g->cost_func[i], func) || strcmp(cg_file_name(p, at), file) != 0) continue;
        if (line != ANY && (g->cost_line ? g->cost_line[i] : 0) != line) continue;
        if ((g->cost_address ? g->cost_address[i] : 0) != address) continue;
        return g->cost_self[i * g->block.metric_count + k].i;
    }
    return -1;
}

struct cg_arc {
    uint64_t calls;
    int64_t total; /* first metric */
    uint32_t rows;
};

/* Calls from one function to another at a line (ANY = all lines), summed up. */
static inline struct cg_arc cg_arc(const assay_profile *p, const char *caller, uint32_t line, const char *callee)
{
    const struct assay_graph *g = assay_profile_graph(p);
    struct cg_arc a = { 0 };
    for (uint32_t i = 0; i < g->arc_count; i++) {
        if (!cg_is(p, g->arc_caller[i], caller) || !cg_is(p, g->arc_callee[i], callee)) continue;
        if (line != ANY && (g->arc_line ? g->arc_line[i] : 0) != line) continue;
        a.rows++;
        a.calls += g->arc_calls ? g->arc_calls[i] : 0;
        a.total += g->arc_total[i * g->block.metric_count].i;
    }
    return a;
}

#define ASSERT_ARC(p, caller, line, callee, count, cost)                                                                                                       \
    do {                                                                                                                                                       \
        struct cg_arc arc_ = cg_arc((p), (caller), (line), (callee));                                                                                          \
        assert_int_equal(arc_.calls, (count));                                                                                                                 \
        assert_int_equal(arc_.total, (cost));                                                                                                                  \
    } while (0)

static inline uint64_t cg_count(const assay_profile *p, const char *name)
{
    const struct assay_counts *c = assay_profile_counts(p);
    for (uint32_t i = 0; i < c->count; i++)
        if (strcmp(cg_str(p, c->name[i]), name) == 0) return c->value[i];
    fail_msg("no count '%s'", name);
    return 0;
}

static inline const char *cg_attribute(const assay_profile *p, uint32_t stream, const char *key)
{
    const struct assay_attributes *a = assay_profile_attributes(p);
    for (uint32_t i = 0; i < a->count; i++)
        if (a->stream[i].v == stream && strcmp(cg_str(p, a->key[i]), key) == 0) return cg_str(p, a->value[i]);
    return NULL;
}

static inline void cg_assert_equal(const assay_profile *a, const assay_profile *b, const char *what)
{
    char why[300] = "";
    assay_error err;
    int rc = assay_profile_equal(a, b, why, sizeof why, &err);
    if (rc) fail_msg("%s: %s", what, rc > 0 ? why : err.text);
}

#endif

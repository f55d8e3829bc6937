/* coverage: files and directories, and what is covered of them. */
#include <stdlib.h>

#include "analysis/coverage/table.h"
#include "assay/coverage.h"
#include "base/error.h"
#include "server/routes.h"

static const char *const by_words[] = { "file", "directory", NULL };
static const char *const sort_words[] = { "lines", "functions", "branches", "missed", "name", NULL };
enum { MISSING_ROWS = 1000 }; /* that say which lines are missing */

struct kept {
    assay_profile *profile; /* a reference */
    assay_coverage_table *table;
};

struct making {
    assay_profile *profile;
    const assay_coverage_table *counted; /* NULL = not yet */
    unsigned by, sort;
};

static void free_kept(void *value)
{
    struct kept *k = value;
    assay_coverage_table_free(k->table);
    assay_profile_release(k->profile);
    free(k);
}

static int make(void *arg, struct cached *to, assay_error *err)
{
    struct making *m = arg;
    struct kept *k = calloc(1, sizeof *k);
    if (!k) return error_memory(err);
    k->profile = assay_profile_retain(m->profile);
    enum assay_coverage_by by = (enum assay_coverage_by)m->by;
    enum assay_coverage_sort sort = (enum assay_coverage_sort)m->sort;
    int rc = m->counted ? coverage_table_again(m->profile, m->counted, by, sort, MISSING_ROWS, &k->table, err)
                        : assay_coverage_table_new(m->profile, by, sort, MISSING_ROWS, &k->table, err);
    if (rc != 0) {
        free_kept(k);
        return rc;
    }
    to->value = k;
    to->free = free_kept;
    to->bytes = (size_t)k->table->count * (sizeof *k->table->rows + 64);
    return 0;
}

/* ---- the answer ---- */

static const struct field {
    const char *name;
    size_t at;
} fields[] = {
#define FIELD(name_)                                                                                                                                           \
    {                                                                                                                                                          \
#name_, offsetof(assay_coverage_counts, name_)                                                                                                         \
    }
    FIELD(files),      FIELD(lines),          FIELD(lines_hit), FIELD(functions),  FIELD(functions_hit), FIELD(branches),       FIELD(branches_hit),
    FIELD(conditions), FIELD(conditions_hit), FIELD(blocks),    FIELD(blocks_hit), FIELD(statements),    FIELD(statements_hit), FIELD(stated),
#undef FIELD
};
enum { FIELDS = sizeof fields / sizeof *fields };

static uint64_t field_of(const assay_coverage_counts *c, size_t i) { return *(const uint64_t *)((const char *)c + fields[i].at); }

static void put_total(struct json *j, const assay_coverage_table *t)
{
    static const char *const kinds[] = { "lines", "functions", "branches" };
    json_key(j, "whole");
    json_object(j);
    for (size_t i = 0; i < FIELDS; i++) {
        json_key(j, fields[i].name);
        json_u64(j, field_of(&t->total, i));
    }
    json_end(j);
    json_key(j, "differs");
    json_object(j);
    for (size_t i = 0; i < ASSAY_COVERAGE_COMPARED; i++) {
        json_key(j, kinds[i]);
        json_u64(j, t->differs[i].files);
    }
    json_end(j);
}

static int put_rows(struct request *r, struct sheet *c, const assay_coverage_table *t, const uint32_t *rows, size_t n, assay_error *err)
{
    assay_slice *path = arena_alloc(&r->text, (n + 1) * sizeof *path), *missing = arena_alloc(&r->text, (n + 1) * sizeof *missing);
    uint32_t *file = sheet_add(c, "file", COLUMN_U32, n);
    if (!path || !missing || !file) return error_memory(err);
    for (size_t i = 0; i < n; i++) {
        const assay_coverage_row *row = &t->rows[rows[i]];
        path[i] = row->path;
        missing[i] = row->missing ? slice_of(row->missing) : SLICE("");
        file[i] = row->file.v;
    }
    sheet_strings(c, "path", path, n);
    sheet_strings(c, "missing", missing, n);
    for (size_t k = 0; k < FIELDS; k++) {
        uint64_t *to = sheet_add(c, fields[k].name, COLUMN_U64, n);
        for (size_t i = 0; to && i < n; i++) to[i] = field_of(&t->rows[rows[i]].counts, k);
    }
    return 0;
}

static int list(struct request *r, const assay_coverage_table *t, const char *match, bool is_not, bool is_up, uint32_t *rows, uint32_t *count, assay_error *err)
{
    struct matcher *m;
    int rc = matcher_new(&m, r, match, is_not, err);
    *count = 0;
    for (uint32_t i = 0; rc == 0 && i < t->count; i++) {
        uint32_t row = is_up ? t->count - 1 - i : i;
        if (matcher_fits(m, t->rows[row].path, (assay_slice){ NULL, 0 })) rows[(*count)++] = row;
    }
    matcher_free(m);
    return rc;
}

static int answer(struct request *r, const struct making *m, const assay_coverage_table *t, const uint32_t *rows, uint32_t count, struct window w,
                  assay_error *err)
{
    struct sheet c;
    const char *more = request_text(r, "--by %s --sort %s -n 0", by_words[m->by], sort_words[m->sort]);
    if (!more) return error_memory(err);
    window_cut(&w, count);
    int rc = sheet_begin(&c, &r->mem, "coverage", err);
    if (rc == 0) {
        struct json *j = sheet_header(&c);
        json_key(j, "rows");
        json_u64(j, w.count);
        json_key(j, "from");
        json_u64(j, w.from);
        json_key(j, "matching");
        json_u64(j, count);
        json_key(j, "all");
        json_u64(j, t->count);
        put_total(j, t);
        state_command(r, j, "top", more);
        rc = put_rows(r, &c, t, rows + w.from, (size_t)w.count, err);
        if (rc == 0) rc = answer_sheet(r, &c, err);
    }
    sheet_done(&c);
    return rc;
}

int route_coverage(struct request *r, assay_error *err)
{
    struct making m = { 0 };
    struct cached *c;
    struct window w;
    const char *match = NULL;
    bool is_not = false, is_up = false;
    uint32_t count;
    TRY(params_word(&r->params, "by", by_words, &m.by, err));
    TRY(params_word(&r->params, "sort", sort_words, &m.sort, err));
    TRY(params_text(&r->params, "match", &match, err));
    TRY(params_flag(&r->params, "not", &is_not, err));
    TRY(params_flag(&r->params, "up", &is_up, err));
    TRY(window_take(r, &w, err));
    TRY(params_end(&r->params, err));
    TRY(request_profile(r, WANT_GRAPH, &m.profile, err));
    if (!((assay_profile_shapes(m.profile) | assay_profile_offers(m.profile)) & ASSAY_SHAPE_COVERAGE)) FAIL(err, ASSAY_ERR_UNSUPPORTED, "has no coverage");
    TRY(request_cached(r, "counted", make, &(struct making){ .profile = m.profile }, &c, err));
    m.counted = ((struct kept *)c->value)->table;
    if (m.by || m.sort) TRY(request_cached(r, request_text(r, "coverage/%u/%u", m.by, m.sort), make, &m, &c, err));
    const assay_coverage_table *t = ((struct kept *)c->value)->table;
    uint32_t *rows = arena_alloc(&r->text, ((size_t)t->count + 1) * sizeof *rows);
    if (!rows) return error_memory(err);
    TRY(list(r, t, match, is_not, is_up, rows, &count, err));
    return answer(r, &m, t, rows, count, w, err);
}

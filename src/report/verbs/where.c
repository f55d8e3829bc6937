/* A condition in SQL on the rows of `top`; see where.h. */
#include "report/verbs/where.h"

#include <string.h>

#include "assay/query.h"
#include "base/error.h"
#include "base/scoped.h"

static bool is_blank(const char *text) { return text[strspn(text, " \t\r\n;")] == 0; }

/* The condition stands on lines of its own, so that a comment in it ends there. */
static char *statement(assay_reporter *r, const char *metric)
{
    static const char before[] = "select function from top where (\n", after[] = "\n) and metric = '", end[] = "'";
    size_t len = sizeof before + strlen(r->set.where) + sizeof after + 2 * strlen(metric ? metric : "") + sizeof end;
    char *sql = arena_alloc(&r->text, len), *to = sql;
    if (!sql) return NULL;
    to = stpcpy(stpcpy(to, before), r->set.where);
    if (!metric) {
        strcpy(to, "\n)");
        return sql;
    }
    to = stpcpy(to, after);
    for (; *metric; metric++) {
        if (*metric == '\'') *to++ = '\'';
        *to++ = *metric;
    }
    strcpy(to, end);
    return sql;
}

static int ask(assay_rows *rows, bool *is_wanted, uint32_t functions, assay_error *err)
{
    int rc;
    struct assay_query_cell cell;
    while ((rc = assay_rows_next(rows, err)) == 1) {
        assay_rows_cell(rows, 0, &cell);
        if (cell.type == ASSAY_CELL_INTEGER && cell.integer > 0 && cell.integer <= functions) is_wanted[cell.integer] = true;
    }
    return rc;
}

static int answer(assay_reporter *r, assay_query *q, const assay_profile *p, const char *metric, bool *is_wanted, assay_error *err)
{
    assay_rows *rows;
    const char *rest;
    const char *sql = statement(r, metric);
    if (!sql) return error_memory(err);
    TRY(assay_query_profile(q, NULL, "", (assay_profile *)p, err)); /* only the count of references changes */
    TRY(assay_query_prepare(q, sql, &rest, &rows, err));
    if (!rows || !is_blank(rest)) {
        assay_rows_free(rows);
        FAIL(err, ASSAY_ERR_USAGE, "--where takes one condition, such as \"name like 'read%%' and self > 1000\"");
    }
    int rc = ask(rows, is_wanted, assay_profile_funcs(p)->count, err);
    assay_rows_free(rows);
    return rc;
}

int where_keep(assay_reporter *r, const assay_profile *p, const assay_top *top, const char *metric, uint32_t *order, uint32_t *count, assay_error *err)
{
    assay_query *q;
    uint32_t kept = 0;
    struct assay_query_options o = { .size = sizeof o, .max_memory = r->set.read.max_memory };
    SCRATCH(bool, is_wanted, &r->mem, (size_t)assay_profile_funcs(p)->count + 1);
    if (!is_wanted) return error_memory(err);
    TRY(assay_query_new(&o, &q, err));
    int rc = answer(r, q, p, metric, is_wanted, err);
    assay_query_free(q);
    for (uint32_t i = 0; rc == 0 && i < *count; i++)
        if (is_wanted[top->func[order[i]].v]) order[kept++] = order[i];
    if (rc == 0) *count = kept;
    return rc;
}
